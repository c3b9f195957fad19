//! One file a panel.

pub mod edit;
pub mod generate;
pub mod history;
pub mod inspect;
pub mod library;
pub mod params;
pub mod play;
pub mod start;
pub mod timeline;
pub mod variants;

use super::{dock::Pane, workshop::Workshop};
use egui::Ui;

/// Shows a panel.
pub fn show(ui: &mut Ui, pane: Pane, workshop: &mut Workshop) {
    match pane {
        Pane::Library => library::show(ui, workshop),
        Pane::Start => start::show(ui, workshop),
        Pane::Play => play::show(ui, workshop),
        Pane::Edit => edit::show(ui, workshop),
        Pane::Inspect => inspect::show(ui, workshop),
        Pane::Generate => generate::show(ui, workshop),
        Pane::Timeline => timeline::show(ui, workshop),
        Pane::History => history::show(ui, workshop),
        Pane::Variants => variants::show(ui, workshop),
    }
}

/// What a panel says when no level is open.
pub fn nothing_open(ui: &mut Ui, what: &str) {
    ui.vertical_centered(|ui| {
        ui.add_space(ui.available_height() * 0.3);
        ui.heading("No level is open");
        ui.label(what);
    });
}
