//! Every change of the draft by name, the present one marked. A click goes there; what lies ahead can be done again and is greyed.

use super::nothing_open;
use crate::app::{
    icons::{self, Icon},
    keys::{Action, tip},
    workshop::Workshop,
};
use egui::{RichText, Ui};

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    if w.session.open.is_empty() {
        nothing_open(ui, "Every change to the open level is listed here.");
        return;
    }
    let Some(open) = w.session.current_mut() else { return };
    let (done, ahead) = open.doc.history_len();
    let mut go = None;
    ui.horizontal(|ui| {
        if icons::button(ui, Icon::Undo, &format!("{} in the draft", tip(ui.ctx(), Action::Undo)), false, done > 0)
            .clicked()
        {
            go = Some(done - 1);
        }
        if icons::button(ui, Icon::Redo, &format!("{} in the draft", tip(ui.ctx(), Action::Redo)), false, ahead > 0)
            .clicked()
        {
            go = Some(done + 1);
        }
        let s = if done == 1 { "" } else { "s" };
        ui.weak(if ahead == 0 { format!("{done} change{s}") } else { format!("{done} change{s}, {ahead} undone") });
    });
    ui.separator();
    let height = ui.spacing().interact_size.y;
    let mut area = egui::ScrollArea::vertical().auto_shrink(false);
    // The present is kept in sight when it moves.
    let id = ui.scope_id().with("present");
    if ui.data(|d| d.get_temp::<(u64, usize)>(id)) != Some((open.id, done)) {
        ui.data_mut(|d| d.insert_temp(id, (open.id, done)));
        let row = height + ui.spacing().item_spacing.y;
        area = area.vertical_scroll_offset((done as f32 * row - ui.available_height() / 2.0).max(0.0));
    }
    area.show_rows(ui, height, done + ahead + 1, |ui, rows| {
        for i in rows {
            let label = match i.checked_sub(1) {
                None => "opened".to_string(),
                Some(i) => open.doc.history_label(i).unwrap_or_default().to_string(),
            };
            let here = i == done;
            let mark = if here { "▶ " } else { "" };
            let mut text = RichText::new(format!("{mark}{i}. {label}"));
            if i > done {
                text = text.weak().italics();
            }
            let size = egui::vec2(ui.available_width(), height);
            let button = ui.add(egui::Button::selectable(here, text).truncate().right_text("").min_size(size));
            let name = format!("history {i}: {label}");
            button.widget_info(|| egui::WidgetInfo::selected(egui::Role::ListItem, true, here, &name));
            if button.clicked() {
                go = Some(i);
            }
        }
    });
    if let Some(i) = go {
        open.doc.go_to_edit(i);
        open.edit.selection = None;
        open.edit.cursor = None;
        open.edit.lit.clear();
    }
}
