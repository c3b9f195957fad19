//! Suggested fixes below the board: the board shows the one under the pointer, a click applies it.

use crate::{
    analysis::mend::Ended,
    app::{
        keys::{Action, tip},
        panels::tip_above,
        workshop::{OpenLevel, Workshop},
    },
};
use egui::Ui;

/// The list, if fixes were asked for; whether they were.
pub fn show(ui: &mut Ui, w: &mut Workshop) -> bool {
    let mut result = None;
    let Some(open) = w.session.current_mut() else { return false };
    open.edit.previewed = None;
    let Some(fixes) = open.doc.mends().cloned() else { return false };
    for (i, (_, what, words)) in fixes.found.iter().enumerate() {
        let button = ui.add(egui::Button::new(format!("{what}: {words}")).truncate());
        let button = button.accessible_name(format!("fix: {what}"));
        if button.hovered() || button.has_focus() {
            open.edit.previewed = Some(i);
        }
        if tip_above(button, "Click to apply").clicked() {
            result = Some(open.doc.apply_mend(i));
        }
    }
    match (fixes.running, fixes.found.len(), fixes.ended) {
        (true, 0, _) => drop(ui.weak("looking for small edits that fix it …")),
        (true, ..) => drop(ui.weak("looking for more …")),
        (_, 1.., _) => {}
        (_, _, Some(Ended::NotNeeded)) => drop(ui.label("nothing to fix: the level can be solved")),
        (_, _, Some(Ended::NotKnown)) => {
            ui.label("it is not known whether the level can be solved: give the solver more time in Inspect");
        }
        (_, _, Some(Ended::GivenUp)) => drop(ui.label("none of the edits tried fixes it")),
        _ => {
            ui.label(fixes.failed.as_deref().unwrap_or("no single edit and no pair of edits fixes it"));
        }
    }
    if let Some(result) = result {
        w.report(result);
    }
    true
}

/// The button that asks for fixes of a bad level, or puts them away.
pub fn button(ui: &mut Ui, open: &mut OpenLevel, bad: bool, asked: &mut Vec<Action>) {
    match open.doc.mends().map(|m| m.running) {
        Some(running) => {
            let name = if running { "Stop" } else { "Close" };
            if ui.button(name).accessible_name("no more fixes").clicked() {
                open.doc.drop_mends();
            }
        }
        None if bad && ui.button("Suggest fixes").on_hover_text(tip(ui.ctx(), Action::Mend)).clicked() => {
            asked.push(Action::Mend);
        }
        None => {}
    }
}
