//! The right button's menu on the board, where the user wants one: what is here, and what can be done with it.

use super::Tool;
use crate::{app::workshop::OpenLevel, document::Board, game::Ink};
use egui::RichText;

/// Shows the menu for the spot that was pressed.
pub(in crate::app::panels) fn show(response: &egui::Response, open: &mut OpenLevel) {
    let Some(spot) = open.edit.menu_at else { return };
    response.context_menu(|ui| {
        ui.set_min_width(150.0);
        ui.label(RichText::new(open.doc.describe(Board::Draft, spot)).weak());
        ui.separator();
        let picked = open.doc.pick(spot);
        if ui.button("Pick up as brush").clicked() {
            open.edit.ink = Some(picked);
            open.edit.tool = Tool::Brush;
        }
        let ink = open.edit.ink(&*open.doc);
        let name = open.doc.palette().swatches.get(ink.swatch).map_or_else(String::new, |s| s.name.to_lowercase());
        for (label, step, ink, spots) in [
            ("Erase".to_string(), "erase".to_string(), Ink::default(), vec![spot]),
            (format!("Fill with {name}"), format!("fill with {name}"), ink, open.doc.region(spot)),
        ] {
            if ui.button(label).clicked() {
                open.doc.paint(ink, &spots, &[], &step);
            }
        }
    });
}
