//! The look of the window: a calm dark and a light theme, made from the same colours as the boards.

use super::settings::Settings;
use crate::picture::{Colours, Rgba};
use egui::{Color32, CornerRadius, FontFamily, Stroke, Visuals};
use serde::{Deserialize, Serialize};

/// Which theme.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Theme {
    /// Dark.
    #[default]
    Dark,
    /// Light.
    Light,
}

impl Theme {
    /// The colours of its boards.
    pub fn colours(self) -> Colours {
        match self {
            Theme::Dark => Colours::dark(),
            Theme::Light => Colours::light(),
        }
    }
}

/// A board colour as egui wants it.
pub fn egui_colour(c: Rgba) -> Color32 {
    Color32::from_rgba_unmultiplied(c.0, c.1, c.2, c.3)
}

/// Puts the theme, its colours and the text scale into force.
pub fn apply(ctx: &egui::Context, settings: &Settings) {
    let Settings { theme, text_scale, animate, .. } = *settings;
    let base = match theme {
        Theme::Dark => egui::Theme::Dark,
        Theme::Light => egui::Theme::Light,
    };
    ctx.set_theme(base);
    ctx.set_visuals_of(base, visuals(theme, &settings.colours()));
    ctx.all_styles_mut(|style| {
        style.animation_time = if animate { 0.1 } else { 0.0 };
        style.spacing.item_spacing = egui::vec2(6.0, 5.0);
        style.spacing.button_padding = egui::vec2(7.0, 3.0);
        style.spacing.interact_size.y = 22.0 * text_scale;
        style.spacing.icon_width = 14.0 * text_scale;
        style.spacing.icon_width_inner = 8.0 * text_scale;
        style.interaction.selectable_labels = false;
        for (name, size) in [
            (egui::TextStyle::Small, 12.0),
            (egui::TextStyle::Body, 13.5),
            (egui::TextStyle::Button, 13.5),
            (egui::TextStyle::Monospace, 12.5),
            (egui::TextStyle::Heading, 17.0),
        ] {
            if let Some(font) = style.text_styles.get_mut(&name) {
                font.size = size * text_scale;
            }
        }
    });
}

/// Arrows and a few more signs are not in the interface font: the monospace font that is there anyway has them.
pub fn fonts(ctx: &egui::Context) {
    let mut fonts = egui::FontDefinitions::default();
    let mono = fonts.families.get(&FontFamily::Monospace).cloned().unwrap_or_default();
    if let Some(proportional) = fonts.families.get_mut(&FontFamily::Proportional) {
        for name in mono {
            if !proportional.contains(&name) {
                proportional.push(name);
            }
        }
    }
    ctx.set_fonts(fonts);
}

/// The ratio of luminances of two opaque colours, 1 to 21 (WCAG).
pub fn contrast(a: Rgba, b: Rgba) -> f32 {
    let channel = |v: u8| match f32::from(v) / 255.0 {
        v if v <= 0.04045 => v / 12.92,
        v => ((v + 0.055) / 1.055).powf(2.4),
    };
    let luminance = |c: Rgba| 0.2126 * channel(c.0) + 0.7152 * channel(c.1) + 0.0722 * channel(c.2) + 0.05;
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

/// A colour for text on panels: the board's colour, moved towards the ink until it can be read (AA, with a little to spare for raised grounds).
pub fn text_colour(colour: Rgba, c: &Colours) -> Color32 {
    let dark = contrast(c.ink, Rgba::hex(0)) > contrast(c.ink, Rgba::hex(0x00ff_ffff));
    let ground = Rgba::hex(grounds(if dark { Theme::Dark } else { Theme::Light }).1);
    let readable = |t: &f32| contrast(colour.mix(c.ink, *t), ground) >= 4.6;
    let t = (0..=10).map(|i| i as f32 / 10.0).find(readable).unwrap_or(1.0);
    egui_colour(colour.mix(c.ink, t))
}

/// The colours of panels, raised things, fields, lines, and what the pointer is on.
fn grounds(theme: Theme) -> (u32, u32, u32, u32, u32) {
    match theme {
        Theme::Dark => (0x1c2028, 0x2a303b, 0x13161b, 0x343b48, 0x39414f),
        Theme::Light => (0xf4f5f8, 0xe3e6ec, 0xffffff, 0xc9ced8, 0xd6dae3),
    }
}

/// The theme as egui wants it.
pub fn visuals(theme: Theme, c: &Colours) -> Visuals {
    let e = egui_colour;
    let (panel, raised, field, line, hover) = grounds(theme);
    let hex = |rgb: u32| e(Rgba::hex(rgb));
    let mut v = match theme {
        Theme::Dark => Visuals::dark(),
        Theme::Light => Visuals::light(),
    };
    v.panel_fill = hex(panel);
    v.window_fill = hex(panel);
    v.faint_bg_color = hex(raised).gamma_multiply(0.5);
    v.extreme_bg_color = hex(field);
    v.window_stroke = Stroke::new(1.0, hex(line));
    v.window_corner_radius = CornerRadius::same(8);
    v.menu_corner_radius = CornerRadius::same(6);
    v.hyperlink_color = text_colour(c.accent, c);
    v.warn_fg_color = text_colour(c.warn, c);
    v.error_fg_color = text_colour(c.bad, c);
    v.weak_text_color = Some(text_colour(c.ink_soft, c));
    v.selection.bg_fill = e(c.accent.faded(if theme == Theme::Dark { 0.35 } else { 0.3 }));
    v.selection.stroke = Stroke::new(1.0, e(c.ink));
    v.slider_trailing_fill = true;
    let soft = e(c.ink_soft.mix(c.ink, 0.5));
    for (w, fill, ink) in [
        (&mut v.widgets.noninteractive, panel, soft),
        (&mut v.widgets.inactive, raised, e(c.ink.mix(c.ink_soft, 0.25))),
        (&mut v.widgets.hovered, hover, e(c.ink)),
        (&mut v.widgets.active, hover, e(c.ink)),
        (&mut v.widgets.open, hover, e(c.ink)),
    ] {
        w.bg_fill = hex(fill);
        w.weak_bg_fill = hex(fill);
        w.fg_stroke = Stroke::new(1.0, ink);
        w.corner_radius = CornerRadius::same(5);
        w.expansion = 0.0;
    }
    // Checkboxes and rails have no frame: they must stand out from the panel by themselves.
    if theme == Theme::Light {
        v.widgets.inactive.bg_fill = hex(0xb8_bfcb);
    }
    v.widgets.noninteractive.bg_stroke = Stroke::new(1.0, hex(line));
    v.widgets.hovered.bg_stroke = Stroke::new(1.0, e(c.accent.faded(0.6)));
    v.widgets.active.bg_stroke = Stroke::new(1.0, e(c.accent));
    v
}
