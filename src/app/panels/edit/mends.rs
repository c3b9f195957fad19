//! "Mend it" below the board: what was found, shown on the board while the pointer is on it, done by a click.

use crate::{
    analysis::mend::Ended,
    app::{
        keys::{Action, tip},
        theme::egui_colour,
        workshop::Workshop,
    },
    picture::Colours,
};
use egui::{RichText, Ui};

/// The list, if mends were asked for.
pub fn show(ui: &mut Ui, w: &mut Workshop, colours: &Colours) {
    let mut said = None;
    let Some(open) = w.session.current_mut() else { return };
    open.edit.previewed = None;
    let Some(mends) = open.doc.mends().cloned() else { return };
    let mut close = false;
    ui.horizontal_wrapped(|ui| {
        let text = match (mends.running, mends.found.len(), mends.ended) {
            (_, n @ 1.., _) => format!("{n} way{} to mend it", if n == 1 { "" } else { "s" }),
            (true, ..) => "looking for the smallest edits that mend it …".into(),
            (_, _, Some(Ended::NotNeeded)) => "there is nothing to mend: it can be solved".into(),
            (_, _, Some(Ended::NotKnown)) => "it is not known whether it needs mending: ask Inspect for longer".into(),
            (_, _, Some(Ended::GivenUp)) => "no mend was found among the edits that were tried".into(),
            _ => mends.failed.clone().unwrap_or_else(|| "no single edit and no pair of edits mends it".into()),
        };
        ui.label(RichText::new(text).strong());
        if mends.running {
            ui.spinner();
        }
        close = ui.small_button(if mends.running { "Stop" } else { "Done" }).accessible_name("no more mends").clicked();
    });
    let row = ui.spacing().interact_size.y + ui.spacing().item_spacing.y;
    let height = row * mends.found.len().min(4) as f32;
    let area = egui::ScrollArea::vertical()
        .id_salt("mends")
        .max_height(height)
        .min_scrolled_height(height)
        .auto_shrink([false, true]);
    area.show(ui, |ui| {
        for (i, (_, what, words)) in mends.found.iter().enumerate() {
            let button = ui.add(egui::Button::new(format!("{what}: {words}")).truncate());
            let button = button.accessible_name(format!("mend: {what}"));
            if button.hovered() || button.has_focus() {
                open.edit.previewed = Some(i);
            }
            if button.on_hover_text("The board shows it; a click does it, undo takes it back.").clicked() {
                said = Some(open.doc.apply_mend(i));
            }
        }
    });
    if close {
        open.doc.drop_mends();
    }
    if open.edit.previewed.is_some() {
        ui.label(RichText::new("preview").small().color(egui_colour(colours.accent)));
    }
    match said {
        Some(Ok(text)) => w.say(text),
        Some(Err(text)) => w.complain(text),
        None => {}
    }
}

/// The button that asks for mends.
pub fn button(ui: &mut Ui, w_asked: &mut Vec<Action>) {
    if ui.button("Mend it").on_hover_text(tip(ui.ctx(), Action::Mend)).clicked() {
        w_asked.push(Action::Mend);
    }
}
