//! Text can be read: contrast in both themes and both palettes, and no text that is too small.

use super::stage::Stage;
use egui::{Color32, Key, Shape};
use tilewright::{
    app::theme::{Theme, contrast, text_colour, visuals},
    picture::Rgba,
};

fn opaque(c: Color32, over: Color32) -> Rgba {
    let c = over.blend(c);
    Rgba(c.r(), c.g(), c.b(), 255)
}

#[test]
fn every_text_colour_has_aa_contrast_on_its_ground_in_both_themes_and_palettes() {
    let mut weak = Vec::new();
    for theme in [Theme::Dark, Theme::Light] {
        for (palette, colours) in [("default", theme.colours()), ("colour-blind safe", theme.colours().for_all_eyes())]
        {
            let v = visuals(theme, &colours);
            let panel = v.panel_fill;
            let mut check = |what: &str, ink: Color32, ground: Color32| {
                let ground = opaque(ground, panel);
                let ratio = contrast(opaque(ink, Color32::from_rgb(ground.0, ground.1, ground.2)), ground);
                if ratio < 4.5 {
                    weak.push(format!("{theme:?}, {palette}: {what} {ratio:.2}"));
                }
            };
            for (name, w) in [
                ("text", &v.widgets.noninteractive),
                ("button", &v.widgets.inactive),
                ("hovered button", &v.widgets.hovered),
                ("pressed button", &v.widgets.active),
                ("open menu", &v.widgets.open),
            ] {
                // Words are on the weak fill, check marks on the other.
                check(name, w.fg_stroke.color, w.weak_bg_fill);
                check(name, w.fg_stroke.color, w.bg_fill);
                check(name, w.fg_stroke.color, panel);
            }
            for (name, ink) in [
                ("weak text", v.weak_text_color()),
                ("link", v.hyperlink_color),
                ("warning", v.warn_fg_color),
                ("error", v.error_fg_color),
                ("good", text_colour(colours.good, &colours)),
                ("bad", text_colour(colours.bad, &colours)),
                ("warn", text_colour(colours.warn, &colours)),
                ("accent", text_colour(colours.accent, &colours)),
                ("soft", text_colour(colours.ink_soft, &colours)),
            ] {
                check(name, ink, panel);
                check(name, ink, v.extreme_bg_color);
                check(name, ink, v.widgets.inactive.weak_bg_fill);
            }
            check("selected", v.selection.stroke.color, v.selection.bg_fill);
        }
    }
    assert!(weak.is_empty(), "{weak:#?}");
}

#[test]
fn no_text_of_the_panels_is_smaller_than_12_points() {
    let mut stage = Stage::new();
    stage.settle();
    let mut small = Vec::new();
    for act in [None, Some(Key::F5), Some(Key::F6), Some(Key::F1)] {
        act.into_iter().for_each(|key| stage.key(key));
        stage.settle();
        let mut look = |shape: &Shape| {
            if let Shape::Text(text) = shape {
                let least = text.galley.job.sections.iter().map(|s| s.format.font_id.size).fold(99.0, f32::min);
                if least < 12.0 && !stage.on_a_board(text.pos) {
                    small.push(format!("{:?} at {least}", text.galley.text()));
                }
            }
        };
        for clipped in &stage.harness.output().shapes {
            match &clipped.shape {
                Shape::Vec(shapes) => shapes.iter().for_each(&mut look),
                shape => look(shape),
            }
        }
    }
    assert!(small.is_empty(), "{small:#?}");
}
