//! One file a panel.

pub mod edit;
pub mod generate;
pub mod history;
pub mod inspect;
pub mod library;
pub mod map;
pub mod params;
pub mod play;
pub mod start;
pub mod timeline;
pub mod variants;

use super::{dock::Pane, workshop::Workshop};
use crate::document::AnyGame;
use egui::{Sense, Ui, UiBuilder};

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
        Pane::Map => map::show(ui, workshop),
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

/// Rows of text below a board; where the text is too large for that beside a board; and where there is much room.
const STRIP_ROWS: (f32, f32, f32) = (4.0, 3.0, 8.0);
/// From how many rows on a panel has room for more than that: it gives the strip every second one.
const MUCH_ROOM: f32 = 24.0;

/// Whether text is so large that a panel has little room for anything but the board.
pub(super) fn cramped(ui: &Ui, height: f32) -> bool {
    height < 14.0 * ui.spacing().interact_size.y
}

/// What stands around a board, and the board: a column at its left, a strip below. Play and Edit divide their panel in the same way, whatever they have to
/// show, so the board never moves: what is too long for its place scrolls or is shortened.
pub(super) struct AroundBoard {
    /// The column at the left.
    pub column: fn(&mut Ui, &mut Workshop),
    /// The strip below.
    pub strip: fn(&mut Ui, &mut Workshop),
    /// The board.
    pub board: fn(&mut Ui, &mut Workshop),
}

impl AroundBoard {
    /// Shows all three.
    pub fn show(self, ui: &mut Ui, w: &mut Workshop) {
        let all = ui.available_rect_before_wrap();
        let most = all.width() * 0.5;
        let width = w.frame.column.unwrap_or_else(|| (all.width() * 0.36).clamp(110.0, 190.0)).min(most);
        let row = ui.spacing().interact_size.y + ui.spacing().item_spacing.y;
        let (usual, least, most_rows) = STRIP_ROWS;
        let more = ((all.height() / row - MUCH_ROOM) / 2.0).floor().clamp(0.0, most_rows - usual);
        let rows = if cramped(ui, all.height()) { least } else { usual + more };
        let height = rows * row + 4.0;
        let (above, strip) = all.split_top_bottom_at_y(all.bottom() - height.min(all.height() * 0.5));
        let (column, board) = above.split_left_right_at_x(above.left() + width);
        let edge = ui.interact(column.with_min_x(column.right() - 6.0), ui.scope_id().with("edge"), Sense::drag());
        if edge.dragged() {
            w.frame.column = Some((width + edge.drag_delta().x).clamp(96.0, most.max(96.0)));
        }
        edge.on_hover_and_drag_cursor(egui::CursorIcon::ResizeHorizontal);
        for (name, rect, part) in [
            ("column", column.with_max_x(column.right() - 6.0), self.column),
            ("strip", strip.with_min_y(strip.top() + 4.0), self.strip),
            ("board", board, self.board),
        ] {
            let mut ui = ui.new_child(UiBuilder::new().id_salt(name).max_rect(rect));
            ui.shrink_clip_rect(rect);
            part(&mut ui, w);
        }
        ui.advance_cursor_after_rect(all);
    }
}

/// A tooltip beside the column or list that its widget stands in: below the widget it would hide what one goes on to.
pub(super) fn tip_aside(ui: &Ui, response: egui::Response, text: impl Into<egui::WidgetText>) -> egui::Response {
    let mut tip = egui::Tooltip::for_enabled(&response);
    let row = response.rect.with_max_x(ui.max_rect().right());
    tip.popup = tip.popup.anchor(row).align(egui::RectAlign::RIGHT_START);
    tip.show(|ui| {
        ui.set_max_width(ui.spacing().tooltip_width);
        ui.label(text);
    });
    response
}

/// A list to choose from. Its arrow keys begin at what is chosen, and Enter closes it as a click does.
pub(super) fn choice<T: PartialEq>(
    ui: &mut Ui,
    list: egui::ComboBox<'_>,
    now: &mut T,
    all: impl IntoIterator<Item = (T, impl Into<egui::WidgetText>)>,
) -> egui::Response {
    let mut entered = false;
    let shown = list.show_ui(ui, |ui| {
        let (id, pass) = (ui.scope_id().with("choice"), ui.ctx().cumulative_pass_nr());
        // The last pass in which the list was shown, and whether its arrow keys have begun.
        let (last, mut begun) = ui.data(|d| d.get_temp(id)).unwrap_or((0, false));
        begun &= last + 1 >= pass;
        let mut chosen = None;
        for (value, name) in all {
            let entry = ui.selectable_label(*now == value, name.into());
            if *now == value && !begun {
                begun = entry.has_focus();
                entry.request_focus();
            }
            if entry.clicked() {
                entered = !ui.input(|i| i.pointer.any_click());
                chosen = Some(value);
                ui.close();
            }
        }
        ui.data_mut(|d| d.insert_temp(id, (pass, begun)));
        chosen
    });
    if let Some(value) = shown.inner.flatten() {
        *now = value;
    }
    if entered {
        shown.response.request_focus();
    }
    shown.response
}

/// What is said beside par where there is an opponent: par is the fewest moves without one.
pub(super) fn par_alone(game: &dyn AnyGame) -> &'static str {
    if game.opponents().is_empty() { "" } else { ", no opponent" }
}

/// At most this many lines of text, cut short where there is no room. The full text is shown at the pointer: the start of a long line may be far away.
pub(super) fn lines(ui: &mut Ui, text: impl Into<egui::WidgetText>, most: usize) -> egui::Response {
    let wrapping = egui::text::TextWrapping {
        max_width: ui.available_width(),
        max_rows: most,
        break_anywhere: most == 1,
        ..Default::default()
    };
    let (style, font) = (ui.style(), egui::FontSelection::Default);
    let galley = text.into().into_galley_impl(ui.ctx(), style, wrapping, font, ui.text_valign());
    let label = ui.add(egui::Label::new(galley.clone()).show_tooltip_when_elided(false));
    if galley.elided { label.on_hover_text_at_pointer(galley.text()) } else { label }
}

/// One line of text.
pub(super) fn one_line(ui: &mut Ui, text: impl Into<egui::WidgetText>) -> egui::Response {
    lines(ui, text, 1)
}

/// A tooltip above a row of a list, where the pointer is: below the row it would hide the next ones, and a row may be as wide as the panel.
pub(super) fn tip_above(response: egui::Response, text: impl Into<egui::WidgetText>) -> egui::Response {
    let mut tip = egui::Tooltip::for_enabled(&response);
    let at = response.hover_pos().map_or(response.rect.left(), |p| p.x);
    tip.popup = tip.popup.anchor(response.rect.with_min_x(at)).align(egui::RectAlign::TOP_START);
    tip.show(|ui| drop(ui.label(text)));
    response
}
