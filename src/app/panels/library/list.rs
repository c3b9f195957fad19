//! The rows of the list: where they are, which are in sight, what happens on them.
//!
//! A library may have thousands of rows, so their places are computed from their heights alone and only those in sight are laid out. The whole list is one
//! thing for the keyboard, with a cursor of its own; cards are found by name, not by Tab.

use super::{Task, card, curve, open};
use crate::{
    app::{
        icons::{self, Icon},
        keys::Action,
        panels::one_line,
        theme::egui_colour,
        workshop::Workshop,
    },
    catalogue::{Entry, Kind, Listing, Operation, Section, Sort, State},
    disk::LevelId,
};
use egui::{EventFilter, Pos2, Rect, RichText, Role, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};
use std::{ops::Range, sync::Arc};

/// Levels being dragged.
pub(super) struct Drag {
    pub keys: Vec<LevelId>,
    /// Where they would go: a section, and before which of its levels.
    to: Option<(usize, usize)>,
}

/// A row of the list.
#[derive(Clone, Debug)]
enum Row {
    /// The heading of a section.
    Head(usize),
    /// Words below it.
    Note(usize),
    /// Its difficulty as a curve.
    Curve(usize),
    /// Some of its levels.
    Cards(usize, Range<usize>),
}

/// How large things are.
#[derive(Clone, Copy)]
struct Measure {
    width: f32,
    columns: usize,
    side: f32,
    card: f32,
    line: f32,
    /// Pixels across a thumbnail.
    pixels: u32,
}

const GAP: f32 = 5.0;

impl Measure {
    fn new(ui: &Ui) -> Measure {
        let width = ui.available_width();
        let small = ui.text_style_height(&egui::TextStyle::Small);
        // Larger text wants larger cards, or nothing of a title is left.
        let least = 62.0 + small;
        let columns = (((width + GAP) / (least + GAP)).floor() as usize).max(1);
        let side = ((width - GAP * (columns - 1) as f32) / columns as f32).min(132.0).floor().max(24.0);
        let pixels = ((side - 2.0 * card::RIM) * ui.ctx().pixels_per_point()).round().clamp(8.0, 512.0) as u32;
        let line = ui.spacing().interact_size.y + 4.0;
        Measure { width, columns, side, card: side + small + 4.0, line, pixels }
    }

    fn card(&self, row: Pos2, column: usize) -> Rect {
        let at = pos2(row.x + column as f32 * (self.side + GAP), row.y);
        Rect::from_min_size(at, vec2(self.side, self.card))
    }
}

/// All rows with their places from the top, and the height of it all.
fn rows(w: &Workshop, listing: &Listing, m: &Measure) -> (Vec<(f32, Row)>, f32) {
    let library = &w.library;
    let mut rows = Vec::new();
    let mut y = 0.0;
    let mut put = |height: f32, row: Row| {
        rows.push((y, row));
        y += height;
    };
    for (s, section) in listing.sections.iter().enumerate() {
        put(m.line, Row::Head(s));
        if library.folded.contains(&section.kind) {
            continue;
        }
        if note(section, library.query.bin).is_some() {
            put(m.line, Row::Note(s));
        }
        if library.curves.contains(&section.kind) && section.entries.len() > 1 {
            put(curve::HEIGHT, Row::Curve(s));
        }
        let mut at = 0;
        while at < section.entries.len() {
            let to = (at + m.columns).min(section.entries.len());
            put(m.card + GAP, Row::Cards(s, at..to));
            at = to;
        }
    }
    (rows, y)
}

fn note(section: &Section, bin: bool) -> Option<String> {
    match (&section.note, section.all) {
        (Some(note), _) => Some(note.clone()),
        (None, 0) if bin => Some("the bin is empty".into()),
        (None, 0) => Some("levels you save appear here".into()),
        _ => None,
    }
}

/// The list as a whole, which has the keys.
fn list_id() -> egui::Id {
    egui::Id::unique("library list")
}

pub(super) fn show(ui: &mut Ui, w: &mut Workshop) {
    let colours = w.colours.clone();
    let listing = w.library.listing.clone();
    w.library.thumbs.begin(ui.ctx(), &colours);
    open_levels(ui, w);
    let area = ui.available_rect_before_wrap();
    // First of all, so that the cards lie above it.
    let id = list_id();
    let whole = ui.interact(area, id, Sense::focusable_noninteractive() | Sense::CLICK);
    let count: usize = listing.sections.iter().map(|s| s.entries.len()).sum();
    whole.widget_info(|| WidgetInfo::labeled(Role::ListBox, true, format!("levels of the library, {count}")));
    if std::mem::take(&mut w.library.focus) {
        whole.request_focus();
    }
    w.library.has_focus = whole.has_focus();
    if whole.has_focus() {
        let filter = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        ui.memory_mut(|m| m.set_focus_lock_filter(id, filter));
    }
    egui::ScrollArea::vertical().auto_shrink(false).show_viewport(ui, |ui, seen| {
        let m = Measure::new(ui);
        if w.library.has_focus {
            arrows(ui, w, &listing, &m);
        }
        let (rows, height) = rows(w, &listing, &m);
        ui.set_height(height);
        let origin = ui.max_rect().min;
        if std::mem::take(&mut w.library.reveal) {
            reveal(ui, w, &listing, &rows, &m, origin);
        }
        let first = rows.partition_point(|(y, _)| *y < seen.min.y - m.card - curve::HEIGHT);
        let last = rows.partition_point(|(y, _)| *y <= seen.max.y);
        let mut cards = Vec::new();
        for (y, row) in &rows[first..last] {
            show_row(ui, w, &listing, row, pos2(origin.x, origin.y + y), &m, &mut cards);
        }
        // A little ahead of the eye.
        let ahead = rows[last..].iter().filter_map(|(_, row)| match row {
            Row::Cards(s, range) => Some(&listing.sections[*s].entries[range.clone()]),
            _ => None,
        });
        for entry in ahead.take(3).flatten().filter(|e| !matches!(e.state, State::Bad(_))) {
            w.library.thumbs.get(entry, m.pixels);
        }
        drag(ui, w, &listing, &cards, area, &m);
    });
    // By the pointer: Enter on what has the keyboard is a click to egui, and opens the level to us.
    if whole.clicked() && ui.input(|i| i.pointer.any_click()) {
        whole.request_focus();
        w.library.choice.clear();
    }
    w.library.thumbs.end();
}

/// The open levels, above the list: they stay in sight however far that is scrolled.
fn open_levels(ui: &mut Ui, w: &mut Workshop) {
    if w.session.open.is_empty() || w.library.query.bin {
        return;
    }
    let m = Measure::new(ui);
    // With very large text in a small window there is no room for both.
    if ui.available_height() < 4.0 * m.line {
        return;
    }
    let most = (ui.available_height() * 0.3 / m.line).floor().clamp(2.0, 5.0) * m.line;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let (line, _) = ui.allocate_exact_size(vec2(m.width, m.line), Sense::hover());
        open_head(ui, w, line);
        if w.library.open_folded {
            return;
        }
        let height = most.min(m.line * w.session.open.len() as f32).max(m.line);
        let scroll = egui::ScrollArea::vertical().id_salt("open levels").auto_shrink([false, true]);
        scroll.max_height(height).min_scrolled_height(height).show(ui, |ui| {
            let mut index = 0;
            let current = w.session.current().map(|open| open.id);
            let came_to_front = std::mem::replace(&mut w.library.open_in_front, current) != current;
            // One of them may be closed here.
            while index < w.session.open.len() {
                let (line, _) = ui.allocate_exact_size(vec2(ui.available_width(), m.line), Sense::hover());
                if came_to_front && index == w.session.active {
                    ui.scroll_to_rect(line, None);
                }
                open_level(ui, w, index, line);
                index += 1;
            }
        });
    });
}

/// A card in sight.
struct Placed {
    rect: Rect,
    section: usize,
    /// `None` is the heading.
    index: Option<usize>,
}

fn show_row(
    ui: &mut Ui,
    w: &mut Workshop,
    listing: &Arc<Listing>,
    row: &Row,
    at: Pos2,
    m: &Measure,
    cards: &mut Vec<Placed>,
) {
    let line = Rect::from_min_size(at, vec2(m.width, m.line));
    match row {
        Row::Head(s) => {
            cards.push(Placed { rect: line, section: *s, index: None });
            head(ui, w, &listing.sections[*s], line);
        }
        Row::Note(s) => note_row(ui, w, &listing.sections[*s], line),
        Row::Curve(s) => {
            let rect = Rect::from_min_size(at, vec2(m.width, curve::HEIGHT));
            curve::show(ui, w, listing, &listing.sections[*s], rect);
        }
        Row::Cards(s, range) => {
            for (column, index) in range.clone().enumerate() {
                let rect = m.card(at, column);
                cards.push(Placed { rect, section: *s, index: Some(index) });
                show_card(ui, w, listing, (*s, index), rect, m);
            }
        }
    }
}

fn show_card(ui: &mut Ui, w: &mut Workshop, listing: &Arc<Listing>, (s, i): (usize, usize), rect: Rect, m: &Measure) {
    let entry = &listing.sections[s].entries[i];
    // The same file may stand on two shelves.
    let id = egui::Id::unique("library card").with((s, &entry.key));
    let response = ui.interact(rect, id, Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &entry.title));
    let twin = listing.twin(entry);
    let library = &mut w.library;
    let cursor = library.choice.cursor.as_ref() == Some(&entry.key);
    let renaming = library.renaming.as_ref().is_some_and(|(key, _)| *key == entry.key);
    let front = w.session.current().is_some_and(|o| o.level == entry.key);
    let best = entry.facts().and_then(|f| w.services.keeper.records().level(&f.game, f.exact)).filter(|b| b.solved);
    let solved = best.is_some();
    if cursor {
        library.choice.seen_at = Some(rect.center());
    }
    if ui.is_rect_visible(rect) {
        let by_difficulty = library.query.sort.by_difficulty();
        let look = card::Look {
            entry,
            thumb: if matches!(entry.state, State::Bad(_)) { None } else { library.thumbs.get(entry, m.pixels) },
            selected: library.choice.keys.contains(&entry.key),
            cursor: cursor && library.has_focus,
            open: front,
            solved,
            stars: best.map_or(0, |b| b.stars),
            twin: twin.is_some(),
            rated: listing.rated(entry).filter(|_| by_difficulty),
            renaming,
        };
        card::paint(ui, rect, response.hovered(), &look, &w.colours);
    }
    if renaming {
        rename_field(ui, w, entry, rect);
    }
    let held = ui.input(|i| i.modifiers);
    if response.clicked() {
        w.library.choice.click(&entry.key, held, listing);
        // What is opened has the keys that play it; what is only chosen leaves them all to the list.
        let opens = !held.command && !held.shift && !w.library.query.bin;
        (w.library.focus, w.library.clicked) = (!opens, opens);
        if opens {
            ui.memory_mut(|m| m.surrender_focus(list_id()));
            open(w, &entry.key);
        }
    }
    if response.secondary_clicked() {
        if !w.library.choice.keys.contains(&entry.key) {
            w.library.choice.only(&entry.key);
        }
        w.library.focus = true;
        w.library.menu_at = response.interact_pointer_pos();
    }
    if response.drag_started() {
        if !w.library.choice.keys.contains(&entry.key) {
            w.library.choice.only(&entry.key);
        }
        let keys = w.library.choice.in_order(listing);
        w.library.drag = Some(Drag { keys, to: None });
    }
    let words = words_of(entry, listing, solved);
    if !words.is_empty() {
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_description(words.clone()));
    }
    let tip = if words.is_empty() { entry.title.clone() } else { format!("{}\n{words}", entry.title) };
    response.on_hover_text(tip);
}

/// What the badges say.
fn words_of(entry: &Entry, listing: &Listing, solved: bool) -> String {
    let mut words = Vec::new();
    if solved {
        words.push("solved".to_string());
    }
    if let Some(rated) = listing.rated(entry) {
        words.push(format!("difficulty {}", rated.text()));
    }
    if let Some((other, exact)) = listing.twin(entry) {
        words.push(format!("same as \"{}\"{}", other.title, if exact { "" } else { ", turned or mirrored" }));
    }
    if let State::Bad(text) = &entry.state {
        words.push(text.clone());
    }
    words.join("\n")
}

fn rename_field(ui: &mut Ui, w: &mut Workshop, entry: &Entry, rect: Rect) {
    let Some((key, text)) = &mut w.library.renaming else { return };
    let field = Rect::from_min_max(pos2(rect.left(), rect.top() + rect.width() - 4.0), rect.right_bottom());
    let id = egui::Id::unique("library rename");
    let edit = egui::TextEdit::singleline(text).id(id).font(egui::TextStyle::Small).margin(vec2(2.0, 1.0));
    let response = ui.put(field.expand2(vec2(0.0, 2.0)), edit).accessible_name("new name");
    if !response.has_focus() && !response.lost_focus() {
        response.request_focus();
    }
    if response.lost_focus() {
        let (key, text) = (key.clone(), text.clone());
        w.library.renaming = None;
        w.library.focus = true;
        let cancelled = ui.input(|i| i.key_pressed(egui::Key::Escape));
        if !cancelled && text.trim() != entry.title {
            w.library.do_it(Operation::Rename(key, text));
        }
    }
}

// -------------------------------------------------------------------------------------------------------------------- headings

/// A heading that folds; its rectangle is left of its buttons.
fn fold(ui: &mut Ui, rect: Rect, title: &str, count: usize, folded: bool, buttons: usize) -> egui::Response {
    let side = ui.spacing().interact_size.y + 4.0;
    let rect = Rect::from_min_max(rect.min, pos2(rect.right() - side * buttons as f32, rect.bottom()));
    let response = ui.interact(rect, egui::Id::unique("library heading").with(title), Sense::click());
    let name = format!("{title} ({count})");
    response.widget_info(|| WidgetInfo::selected(Role::Button, true, !folded, &name));
    if ui.is_rect_visible(rect) {
        let visuals = ui.style().interact(&response);
        let ink = visuals.text_color();
        if response.has_focus() {
            ui.painter().rect_stroke(rect, 4.0, visuals.bg_stroke, egui::StrokeKind::Inside);
        }
        let (x, y) = (rect.left() + 6.0, rect.center().y);
        let arrow = if folded {
            vec![pos2(x - 3.0, y - 5.0), pos2(x + 4.0, y), pos2(x - 3.0, y + 5.0)]
        } else {
            vec![pos2(x - 5.0, y - 3.0), pos2(x + 5.0, y - 3.0), pos2(x, y + 4.0)]
        };
        ui.painter().add(egui::Shape::convex_polygon(arrow, ink, egui::Stroke::NONE));
        let text = egui::WidgetText::from(RichText::new(name).color(ink));
        let room = rect.width() - 18.0;
        let galley = text.into_galley(ui, Some(egui::TextWrapMode::Truncate), room, egui::TextStyle::Body);
        ui.painter().galley(pos2(rect.left() + 16.0, y - galley.size().y / 2.0), galley, ink);
    }
    response
}

fn child(ui: &mut Ui, rect: Rect, add: impl FnOnce(&mut Ui)) {
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.scope_builder(UiBuilder::new().max_rect(rect).layout(layout), |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        add(ui);
    });
}

fn open_head(ui: &mut Ui, w: &mut Workshop, rect: Rect) {
    if fold(ui, rect, "Open", w.session.open.len(), w.library.open_folded, 0).clicked() {
        w.library.open_folded = !w.library.open_folded;
    }
}

fn open_level(ui: &mut Ui, w: &mut Workshop, index: usize, rect: Rect) {
    let Some(open) = w.session.open.get_mut(index) else { return };
    let title = open.title();
    let dirty = if open.doc.dirty() { " *" } else { "" };
    let front = index == w.session.active;
    let (mut go, mut close) = (false, false);
    child(ui, rect, |ui| {
        close = icons::button(ui, Icon::Close, &format!("Close {title}"), false, true).clicked();
        go = ui.add(egui::Button::selectable(front, format!("{title}{dirty}")).truncate()).clicked();
    });
    if go {
        w.activate(index);
    }
    if close {
        w.close(index);
    }
}

fn head(ui: &mut Ui, w: &mut Workshop, section: &Section, rect: Rect) {
    let folded = w.library.folded.contains(&section.kind);
    let curve = section.entries.len() > 1 && section.kind != Kind::Bin;
    let menu = matches!(section.kind, Kind::Own(_) | Kind::Collection(..));
    let buttons = usize::from(curve) + usize::from(menu);
    if fold(ui, rect, &section.title, section.entries.len(), folded, buttons).clicked() {
        if folded {
            w.library.folded.remove(&section.kind);
        } else {
            w.library.folded.insert(section.kind.clone());
        }
    }
    let side = ui.spacing().interact_size.y + 4.0;
    let right = Rect::from_min_max(pos2(rect.right() - side * buttons as f32, rect.top()), rect.max);
    child(ui, right, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        if curve {
            let shown = w.library.curves.contains(&section.kind);
            let name = format!("Difficulty of {} as a curve", section.title);
            if icons::button(ui, Icon::Curve, &name, shown, true).clicked() {
                w.library.folded.remove(&section.kind);
                if shown {
                    w.library.curves.remove(&section.kind);
                } else {
                    w.library.curves.insert(section.kind.clone());
                }
            }
        }
        if menu {
            let more = icons::button(ui, Icon::More, &format!("{}: more", section.title), false, true);
            egui::Popup::menu(&more).show(|ui| super::menu::of_section(ui, w, section));
        }
    });
}

fn note_row(ui: &mut Ui, w: &mut Workshop, section: &Section, rect: Rect) {
    let words = note(section, w.library.query.bin).unwrap_or_default();
    child(ui, rect.with_min_x(rect.left() + 16.0), |ui| {
        if let Kind::Collection(root, _) = &section.kind
            && ui.button("Forget").on_hover_text(root.display().to_string()).clicked()
        {
            super::forget_collection(w, root);
        }
        one_line(ui, RichText::new(&words).small().weak());
    });
}

// -------------------------------------------------------------------------------------------------------------------- keyboard

/// Where a level is: section and index.
fn place(listing: &Listing, key: &LevelId) -> Option<(usize, usize)> {
    listing
        .sections
        .iter()
        .enumerate()
        .find_map(|(s, section)| section.entries.iter().position(|e| e.key == *key).map(|i| (s, i)))
}

fn arrows(ui: &Ui, w: &mut Workshop, listing: &Listing, m: &Measure) {
    use egui::Key as K;
    let pressed = |key: K| ui.input(|i| i.key_pressed(key) && !i.modifiers.alt && !i.modifiers.command);
    let step = [K::ArrowLeft, K::ArrowRight, K::ArrowUp, K::ArrowDown, K::Home, K::End, K::PageUp, K::PageDown];
    let Some(key) = step.into_iter().find(|k| pressed(*k)) else { return };
    let shift = ui.input(|i| i.modifiers.shift);
    let library = &mut w.library;
    let open =
        |s: usize| !library.folded.contains(&listing.sections[s].kind) && !listing.sections[s].entries.is_empty();
    let sections: Vec<usize> = (0..listing.sections.len()).filter(|s| open(*s)).collect();
    let (Some(first), Some(last)) = (sections.first(), sections.last()) else { return };
    let len = |s: usize| listing.sections[s].entries.len();
    let here = library.choice.cursor.as_ref().and_then(|c| place(listing, c)).filter(|(s, _)| sections.contains(s));
    let next = |s: usize| sections.iter().copied().find(|n| *n > s);
    let previous = |s: usize| sections.iter().copied().rev().find(|n| *n < s);
    let page = 5;
    let down = |(s, i): (usize, usize)| {
        if i + m.columns < len(s) {
            (s, i + m.columns)
        } else if i / m.columns < (len(s) - 1) / m.columns {
            (s, len(s) - 1)
        } else {
            next(s).map_or((s, i), |n| (n, (i % m.columns).min(len(n) - 1)))
        }
    };
    let up = |(s, i): (usize, usize)| match i.checked_sub(m.columns) {
        Some(i) => (s, i),
        None => previous(s).map_or((s, i), |p| {
            let row = (len(p) - 1) / m.columns * m.columns;
            (p, (row + i % m.columns).min(len(p) - 1))
        }),
    };
    let to = match (here, key) {
        (None, _) | (_, K::Home) => (*first, 0),
        (_, K::End) => (*last, len(*last) - 1),
        (Some((s, i)), K::ArrowRight) if i + 1 < len(s) => (s, i + 1),
        (Some((s, i)), K::ArrowRight) => next(s).map_or((s, i), |n| (n, 0)),
        (Some((s, i)), K::ArrowLeft) if i > 0 => (s, i - 1),
        (Some((s, i)), K::ArrowLeft) => previous(s).map_or((s, i), |p| (p, len(p) - 1)),
        (Some(at), K::ArrowDown) => down(at),
        (Some(at), K::ArrowUp) => up(at),
        (Some(at), K::PageDown) => (0..page).fold(at, |at, _| down(at)),
        (Some(at), _) => (0..page).fold(at, |at, _| up(at)),
    };
    let key = &listing.sections[to.0].entries[to.1].key;
    if shift {
        library.choice.reach(key, listing);
    } else {
        library.choice.only(key);
    }
    library.reveal = true;
}

/// Scrolls to the cursor.
fn reveal(ui: &Ui, w: &mut Workshop, listing: &Listing, rows: &[(f32, Row)], m: &Measure, origin: Pos2) {
    let Some((s, i)) = w.library.choice.cursor.as_ref().and_then(|c| place(listing, c)) else { return };
    let row = rows.iter().find(|(_, row)| matches!(row, Row::Cards(at, range) if *at == s && range.contains(&i)));
    if let Some((y, Row::Cards(_, range))) = row {
        let rect = m.card(pos2(origin.x, origin.y + y), i - range.start);
        w.library.choice.seen_at = Some(rect.center());
        ui.scroll_to_rect(rect.expand(8.0), None);
    }
}

// -------------------------------------------------------------------------------------------------------------------- dragging

/// Follows a drag: shows where the levels would go, and puts them there when they are let go.
fn drag(ui: &Ui, w: &mut Workshop, listing: &Listing, cards: &[Placed], area: Rect, m: &Measure) {
    let Some(drag) = &mut w.library.drag else { return };
    let Some(pointer) = ui.input(|i| i.pointer.interact_pos().or(i.pointer.latest_pos())) else { return };
    let own_order = w.library.query.sort == Sort::Own;
    drag.to = target(listing, cards, pointer, own_order);
    let colour = egui_colour(w.colours.accent);
    if let Some((s, index)) = drag.to {
        let mark = cards.iter().find(|c| c.section == s && c.index == Some(index));
        let before = index.checked_sub(1).and_then(|i| cards.iter().find(|c| c.section == s && c.index == Some(i)));
        let bar = |x: f32, rect: Rect| {
            let rect = Rect::from_center_size(pos2(x, rect.top() + m.side / 2.0), vec2(3.0, m.side));
            ui.painter().rect_filled(rect, 1.5, colour);
        };
        match (before, mark) {
            // At the end of a row as well as at the start of the next one: where the pointer is.
            (Some(b), _) if (pointer.y - b.rect.center().y).abs() < m.card / 2.0 && pointer.x > b.rect.center().x => {
                bar(b.rect.right() + GAP / 2.0, b.rect);
            }
            (_, Some(c)) if own_order => bar(c.rect.left() - GAP / 2.0, c.rect),
            _ => {
                if let Some(head) = cards.iter().find(|c| c.section == s && c.index.is_none()) {
                    ui.painter().rect_stroke(head.rect, 4.0, (2.0, colour), egui::StrokeKind::Inside);
                }
            }
        }
    }
    let text = if drag.keys.len() == 1 { "1 level".into() } else { format!("{} levels", drag.keys.len()) };
    let layer = egui::LayerId::new(egui::Order::Tooltip, egui::Id::unique("library drag"));
    let painter = ui.ctx().layer_painter(layer);
    let at = pointer + vec2(12.0, 10.0);
    let galley = painter.layout_no_wrap(text, egui::FontId::proportional(12.0), egui_colour(w.colours.ink));
    painter.rect_filled(Rect::from_min_size(at, galley.size()).expand(4.0), 4.0, ui.visuals().window_fill);
    painter.galley(at, galley, egui_colour(w.colours.ink));
    // Near the rim the list moves along.
    let near = 24.0;
    let speed = if pointer.y < area.top() + near {
        8.0
    } else if pointer.y > area.bottom() - near {
        -8.0
    } else {
        0.0
    };
    if speed != 0.0 && area.expand(40.0).contains(pointer) {
        ui.scroll_with_delta(vec2(0.0, speed));
        ui.ctx().request_repaint();
    }
    if ui.input(|i| i.pointer.any_released() || !i.pointer.any_down()) {
        let Some(Drag { keys, to }) = w.library.drag.take() else { return };
        if let Some((s, index)) = to
            && area.contains(pointer)
        {
            w.library.focus = true;
            drop_on(w, &listing.sections[s], keys, index);
        }
    }
}

fn target(listing: &Listing, cards: &[Placed], pointer: Pos2, own_order: bool) -> Option<(usize, usize)> {
    let row = |c: &&Placed| c.rect.y_range().contains(pointer.y);
    let hit = cards.iter().filter(row).min_by(|a, b| {
        let away = |c: &Placed| (c.rect.center().x - pointer.x).abs();
        away(a).total_cmp(&away(b))
    })?;
    let section = &listing.sections[hit.section];
    section.own()?;
    let end = section.entries.len();
    Some(match hit.index {
        Some(index) if own_order => (hit.section, index + usize::from(pointer.x > hit.rect.center().x)),
        _ => (hit.section, end),
    })
}

fn drop_on(w: &mut Workshop, section: &Section, keys: Vec<LevelId>, index: usize) {
    let Some(folder) = section.own().map(std::path::Path::to_path_buf) else { return };
    let inside = |k: &LevelId| section.entries.iter().any(|e| e.key == *k);
    let before = section.entries.get(index).map(|e| e.key.clone());
    if w.library.query.sort == Sort::Own {
        // Dropped where it was: nothing to do.
        let at = |k: &LevelId| section.entries.iter().position(|e| e.key == *k);
        let places: Vec<_> = keys.iter().filter_map(at).collect();
        let still = places.len() == keys.len()
            && places.windows(2).all(|p| p[1] == p[0] + 1)
            && places.first().is_some_and(|first| (*first..=first + places.len()).contains(&index));
        if !still {
            w.library.do_it(Operation::Place(keys, folder, before));
        }
    } else if !keys.iter().all(inside) {
        w.library.do_it(Operation::Move(keys, folder));
    } else {
        w.say("show the pack in its own order first");
    }
}

/// Asks for a task, for menus.
pub(super) fn ask(w: &mut Workshop, task: Task) {
    w.ask(Action::Library(task));
}
