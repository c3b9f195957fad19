//! Preferences: looks, drawing, playing, solving. Changes take effect at once; there is nothing to confirm.

use crate::app::{
    actions,
    keys::{self, Action},
    settings::{MOST_REPLY_DELAY_MS, RightClick, Settings},
    theme::Theme,
    workshop::Workshop,
};
use egui::{RichText, Ui};

/// The dialog. True when it is to be closed.
pub(in crate::app) fn show(ui: &mut Ui, w: &mut Workshop) -> bool {
    let height = (ui.ctx().content_rect().height() - 180.0).max(120.0);
    let shown = |s: &Settings| (s.theme, s.text_scale, s.animate, s.all_eyes, s.motion_speed);
    let before = shown(&w.settings);
    // At its full height at once: a dialog that grows while it opens moves under the pointer.
    let area = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height);
    area.auto_shrink([false, true]).show(ui, |ui| {
        looks(ui, &mut w.settings);
        drawing(ui, &mut w.settings);
        playing(ui, &mut w.settings);
        solving(ui, &mut w.settings);
    });
    if before != shown(&w.settings) {
        let ctx = ui.ctx().clone();
        actions::restyle(&ctx, w);
    }
    ui.add_space(6.0);
    let mut close = false;
    ui.horizontal(|ui| {
        close = super::default_button(ui, "Close");
        if ui.button("Keys…").on_hover_text(keys::tip(ui.ctx(), Action::Keys)).clicked() {
            w.ask(Action::Keys);
            close = true;
        }
    });
    close
}

fn group(ui: &mut Ui, title: &str, rows: impl FnOnce(&mut Ui)) {
    ui.add_space(2.0);
    ui.label(RichText::new(title).strong());
    egui::Grid::new(title).num_columns(2).spacing([14.0, 5.0]).min_col_width(130.0).show(ui, rows);
}

/// A row: its name, then what `add` puts there, which the name labels.
fn row(ui: &mut Ui, name: &str, add: impl FnOnce(&mut Ui) -> egui::Response) {
    let label = ui.label(name);
    ui.horizontal_wrapped(|ui| add(ui).labelled_by(label.id));
    ui.end_row();
}

fn looks(ui: &mut Ui, s: &mut Settings) {
    group(ui, "Looks", |ui| {
        row(ui, "Theme", |ui| {
            let dark = ui.radio_value(&mut s.theme, Theme::Dark, "dark");
            ui.radio_value(&mut s.theme, Theme::Light, "light");
            dark
        });
        row(ui, "Text size", |ui| {
            // Put into force when let go: a slider that moves under the pointer cannot be held.
            let mut scale = ui.data(|d| d.get_temp(egui::Id::unique("text scale"))).unwrap_or(s.text_scale);
            let percent = egui::Slider::new(&mut scale, 0.7..=2.0)
                .step_by(0.1)
                .custom_formatter(|v, _| format!("{:.0} %", v * 100.0))
                .custom_parser(|text| Some(text.trim_end_matches([' ', '%']).parse::<f64>().ok()? / 100.0));
            let slider = ui.add(percent);
            if slider.dragged() {
                ui.data_mut(|d| d.insert_temp(egui::Id::unique("text scale"), scale));
            } else {
                ui.data_mut(|d| d.remove::<f32>(egui::Id::unique("text scale")));
                s.text_scale = (scale * 10.0).round() / 10.0;
            }
            slider
        });
        row(ui, "Colours", |ui| {
            ui.checkbox(&mut s.all_eyes, "colour-blind safe").on_hover_text(
                "Piece colours that stay distinct with any kind of colour vision; symbols and patterns stay",
            )
        });
        row(ui, "Coordinates", |ui| ui.checkbox(&mut s.axes, "beside the board"));
        row(ui, "Motion", |ui| ui.checkbox(&mut s.animate, "animate moves"));
        row(ui, "Animation speed", |ui| {
            ui.add_enabled(s.animate, egui::Slider::new(&mut s.motion_speed, 0.25..=4.0).logarithmic(true).suffix("x"))
        });
    });
}

fn drawing(ui: &mut Ui, s: &mut Settings) {
    group(ui, "Drawing", |ui| {
        row(ui, "Right button", |ui| right_button(ui, s));
        row(ui, "Author of new levels", |ui| {
            ui.add(egui::TextEdit::singleline(&mut s.author).desired_width(180.0).hint_text("your name"))
        });
    });
}

/// What the right button does while drawing.
pub(in crate::app) fn right_button(ui: &mut Ui, s: &mut Settings) -> egui::Response {
    let erases = ui.radio_value(&mut s.right_click, RightClick::Erase, "erases");
    ui.radio_value(&mut s.right_click, RightClick::Pick, "picks the brush");
    ui.radio_value(&mut s.right_click, RightClick::Menu, "opens a menu");
    erases
}

fn playing(ui: &mut Ui, s: &mut Settings) {
    group(ui, "Playing", |ui| {
        row(ui, "Clock", |ui| ui.checkbox(&mut s.clock, "show the time"));
        row(ui, "Opponent", |ui| ui.checkbox(&mut s.show_thinking, "show when it is thinking"));
        row(ui, "Opponent's pause", |ui| {
            ui.add(egui::Slider::new(&mut s.reply_delay_ms, 0..=MOST_REPLY_DELAY_MS).step_by(50.0).suffix(" ms"))
        });
        row(ui, "Steps per second", |ui| {
            ui.add(egui::Slider::new(&mut s.speed, 0.5..=32.0).logarithmic(true).fixed_decimals(1))
                .on_hover_text("How fast a solution is played")
        });
    });
}

fn solving(ui: &mut Ui, s: &mut Settings) {
    group(ui, "Solving", |ui| {
        row(ui, "Time", |ui| {
            let time = ui.add(egui::DragValue::new(&mut s.solve_seconds).range(0..=36_000).suffix(" s"));
            ui.weak("0: no limit");
            time
        });
        row(ui, "Difficulty", |ui| ui.checkbox(&mut s.rate_live, "measured after every change"));
        row(ui, "Memory", |ui| ui.add(egui::DragValue::new(&mut s.solve_megabytes).range(16..=65_536).suffix(" MB")));
    });
}
