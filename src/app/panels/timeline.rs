//! The steps of the line: scrubber, step keys, autoplay, take over.

use super::choice;
use crate::app::{
    icons::{self, Icon},
    keys::{Action, key_of, tip},
    workshop::Workshop,
};
use egui::Ui;
use std::time::Duration;

/// The speeds offered, in steps a second.
const SPEEDS: [f32; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    let playing = w.session.autoplay.is_some();
    let Some(open) = w.session.current_mut() else {
        ui.weak("Solve a level to step through its solution.");
        return;
    };
    let (step, all) = (open.doc.step(), open.doc.line_len());
    let there = all > 0;
    let mut ask = None;
    ui.horizontal(|ui| {
        let play = if playing { Icon::Pause } else { Icon::Play };
        for (icon, act, on) in [
            (Icon::First, Action::StepFirst, step > 0),
            (Icon::Back, Action::StepBack, step > 0),
            (play, Action::Autoplay, there),
            (Icon::Next, Action::StepNext, step < all),
            (Icon::Last, Action::StepLast, step < all),
        ] {
            if icons::button(ui, icon, &tip(ui.ctx(), act), false, there && on).clicked() {
                ask = Some(act);
            }
        }
        if !there {
            let key = key_of(ui.ctx(), Action::Solve);
            ui.weak(format!("no solution to step through yet: press {key} to solve"));
            return;
        }
        // From the right end inwards; the scrubber takes what is left.
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Take over here").on_hover_text(tip(ui.ctx(), Action::TakeOver)).clicked() {
                ask = Some(Action::TakeOver);
            }
            let list =
                egui::ComboBox::from_id_salt("speed").width(56.0).selected_text(format!("{}/s", w.settings.speed));
            let speeds = SPEEDS.map(|s| (s, format!("{s}/s")));
            let shown = choice(ui, list, &mut w.settings.speed, speeds);
            shown.accessible_name("speed").on_hover_text("Steps per second");
            ui.label(format!("step {step} / {all}"));
            let mut at = step;
            ui.spacing_mut().slider_width = (ui.available_width() - 8.0).max(40.0);
            let response = ui.add(egui::Slider::new(&mut at, 0..=all).show_value(false)).accessible_name("step");
            let scrolled = if response.hovered() { ui.input(|i| i.smooth_scroll_delta().y) } else { 0.0 };
            if scrolled.abs() > 1.0 {
                at = if scrolled > 0.0 { at.saturating_sub(1) } else { (at + 1).min(all) };
            }
            if at != step {
                open.doc.set_step(at);
                open.stepping = true;
            }
        });
    });
    if let Some(act) = ask {
        w.ask(act);
    }
}

/// Moves autoplay on; called once a frame.
pub fn tick(ctx: &egui::Context, w: &mut Workshop) {
    let Some(due) = w.session.autoplay else { return };
    let every = Duration::from_secs_f32(1.0 / w.settings.speed.max(0.1));
    let now = std::time::Instant::now();
    let Some(open) = w.session.current_mut() else {
        w.session.autoplay = None;
        return;
    };
    if now >= due {
        let next = open.doc.step() + 1;
        if next > open.doc.line_len() {
            w.session.autoplay = None;
            return;
        }
        open.doc.set_step(next);
        w.session.autoplay = Some(now + every);
    }
    ctx.request_repaint_after(w.session.autoplay.map_or(every, |d| d.saturating_duration_since(now)));
}
