//! The sheet of keys: all of them, searched by name or key, and changed: click a key, press the new one.
//!
//! A key that another action has at the same time is taken from it only after asking. What a game or the board does with keys of its own (arrows,
//! digits) is listed and cannot be changed.

use super::{default_button, first_field};
use crate::app::{
    dock::Pane,
    keymap::{self, Keymap},
    keys::{self, Action, Line, Scope},
    workshop::{Mode, Workshop},
};
use egui::{KeyboardShortcut, RichText, Ui};

/// What the sheet remembers.
#[derive(Default)]
pub struct KeySheet {
    search: String,
    /// The action whose key is to be pressed, and which of its keys; one past the last adds one.
    waiting: Option<(&'static Line, usize)>,
    /// The key pressed, and who has it.
    taken: Option<(&'static Line, usize, KeyboardShortcut, Vec<&'static Line>)>,
}

/// A change of the keys in force.
enum Change {
    Wait(&'static Line, usize),
    Remove(&'static Line, usize),
    Usual(&'static Line),
    AllUsual,
}

/// The sheet. True when it is to be closed.
pub(in crate::app) fn show(ui: &mut Ui, w: &mut Workshop, sheet: &mut KeySheet) -> bool {
    let map = keymap::of(ui.ctx());
    listen(ui, w, sheet, &map);
    let mut change = None;
    ui.horizontal(|ui| {
        let width = (ui.available_width() - 150.0).max(120.0);
        let field = egui::TextEdit::singleline(&mut sheet.search).hint_text("search by name or key");
        let field = ui.add(field.desired_width(width)).accessible_name("search the keys");
        if sheet.waiting.is_none() {
            first_field(ui, &field);
        }
        let any = !w.settings.keys.is_empty();
        if ui
            .add_enabled(any, egui::Button::new("Reset all"))
            .on_hover_text("All actions get their default keys back")
            .clicked()
        {
            change = Some(Change::AllUsual);
        }
    });
    question(ui, w, sheet, &map);
    let height = (ui.ctx().content_rect().height() - 240.0).max(120.0);
    let needle = sheet.search.to_lowercase();
    // At its full height at once, and as high with what a search leaves: a dialog that grows or shrinks moves under the pointer.
    let area = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height);
    area.auto_shrink(false).show(ui, |ui| {
        for (scope, title) in Scope::TITLES {
            let mut headed = false;
            for line in keys::table().iter().filter(|l| l.scope == scope) {
                if !fits(line, &map, &needle) {
                    continue;
                }
                if !headed {
                    ui.label(RichText::new(title).strong());
                    headed = true;
                }
                if let Some(asked) = row(ui, sheet, &map, line) {
                    change = Some(asked);
                }
            }
        }
        fixed(ui, w, &needle);
    });
    match change {
        Some(Change::Wait(line, slot)) => {
            sheet.taken = None;
            sheet.waiting = Some((line, slot));
            // The search field must not take the key.
            ui.memory_mut(|m| m.stop_text_input());
        }
        Some(Change::Remove(line, slot)) => {
            let mut keys = map.keys(line).to_vec();
            if slot < keys.len() {
                keys.remove(slot);
            }
            choose(ui, w, line, &keys);
            sheet.waiting = None;
        }
        Some(Change::Usual(line)) => usual(ui, w, sheet, &map, line),
        Some(Change::AllUsual) => {
            w.settings.keys.clear();
            keymap::install(ui.ctx(), &w.settings.keys);
            sheet.waiting = None;
        }
        None => {}
    }
    ui.add_space(6.0);
    default_button(ui, "Close")
}

/// One page: the keys for the game and the mode at hand. True when it is to be closed.
pub(in crate::app) fn page(ui: &mut Ui, w: &mut Workshop) -> bool {
    let editing = w.session.mode == Mode::Edit;
    let stepping = !editing && w.session.current().is_some_and(|o| o.stepping);
    let board = w.is_front(Pane::Play) || w.is_front(Pane::Edit);
    let scope = match (editing, stepping) {
        _ if !board => Scope::Always,
        (true, _) => Scope::Editing,
        (_, true) => Scope::Stepping,
        _ => Scope::Playing,
    };
    let mut lines: Vec<(String, String)> = if stepping || !board { Vec::new() } else { board_keys(w, editing) };
    let general = [Action::Undo, Action::Redo, Action::PlayStart, Action::Solve, Action::Rules, Action::Palette];
    for line in keys::table().iter().filter(|l| l.scope == scope || general.contains(&l.act)) {
        lines.push((keys::key_text(ui.ctx(), line), line.name.into()));
    }
    lines.retain(|(key, _)| !key.is_empty());
    let height = (ui.ctx().content_rect().height() - 180.0).max(120.0);
    egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
        egui::Grid::new("keys here").num_columns(4).spacing([14.0, 3.0]).show(ui, |ui| {
            let half = lines.len().div_ceil(2);
            for (i, left) in lines.iter().take(half).enumerate() {
                for (key, what) in std::iter::once(left).chain(lines.get(half + i)) {
                    ui.label(RichText::new(key).strong());
                    ui.label(what);
                }
                ui.end_row();
            }
        });
    });
    ui.add_space(6.0);
    let mut all = false;
    let close = ui.horizontal(|ui| {
        let close = default_button(ui, "Close");
        all = ui.button("All keys…").on_hover_text("Search them, change them").clicked();
        close
    });
    if all {
        w.ask(Action::Keys);
    }
    close.inner || all
}

fn choose(ui: &Ui, w: &mut Workshop, line: &Line, keys: &[KeyboardShortcut]) {
    keymap::choose(&mut w.settings.keys, line, keys);
    keymap::install(ui.ctx(), &w.settings.keys);
}

/// Back to the usual keys: those that another action has been given meanwhile are asked about like any other.
fn usual(ui: &Ui, w: &mut Workshop, sheet: &mut KeySheet, map: &Keymap, line: &'static Line) {
    let free: Vec<_> = line.keys.iter().copied().filter(|k| map.conflicts(line, *k).is_empty()).collect();
    choose(ui, w, line, &free);
    sheet.waiting = None;
    if let Some(key) = line.keys.iter().find(|k| !free.contains(k)) {
        sheet.taken = Some((line, free.len(), *key, map.conflicts(line, *key)));
    }
}

/// Waits for the new key.
fn listen(ui: &Ui, w: &mut Workshop, sheet: &mut KeySheet, map: &Keymap) {
    let Some((line, slot)) = sheet.waiting else { return };
    let pressed = ui.input_mut(|i| {
        let mut pressed = None;
        i.events.retain(|e| match e {
            egui::Event::Key { key, pressed: true, modifiers, .. } if !is_modifier(*key) => {
                pressed.get_or_insert((*key, *modifiers));
                false
            }
            egui::Event::Text(_) => false,
            _ => true,
        });
        pressed
    });
    let Some((key, modifiers)) = pressed else { return };
    sheet.waiting = None;
    let key = keymap::pressed(key, modifiers);
    if key == KeyboardShortcut::new(egui::Modifiers::NONE, egui::Key::Escape) {
        return;
    }
    let others = map.conflicts(line, key);
    if others.is_empty() {
        put(ui, w, map, line, slot, key);
    } else {
        sheet.taken = Some((line, slot, key, others));
    }
}

fn is_modifier(key: egui::Key) -> bool {
    ["Shift", "Control", "Alt", "Super", "Meta", "Cmd", "Fn"].iter().any(|m| format!("{key:?}").starts_with(m))
}

fn put(ui: &Ui, w: &mut Workshop, map: &Keymap, line: &'static Line, slot: usize, key: KeyboardShortcut) {
    let mut keys = map.keys(line).to_vec();
    keys.retain(|k| *k != key);
    let slot = slot.min(keys.len());
    if slot < map.keys(line).len() && slot < keys.len() && keys.len() == map.keys(line).len() {
        keys[slot] = key;
    } else {
        keys.insert(slot, key);
    }
    choose(ui, w, line, &keys);
}

/// Asks whether a key may be taken from who has it.
fn question(ui: &mut Ui, w: &mut Workshop, sheet: &mut KeySheet, map: &Keymap) {
    let Some((line, slot, key, others)) = sheet.taken.take() else { return };
    let names: Vec<_> = others.iter().map(|l| format!("\"{}\"", l.name)).collect();
    let text = format!("{} is already the key for {}.", keymap::label(key), names.join(" and "));
    let mut answered = false;
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(ui.visuals().warn_fg_color, text);
        if ui.button(format!("Give it to \"{}\"", line.name)).clicked() {
            for other in &others {
                let left: Vec<_> = map.keys(other).iter().copied().filter(|k| *k != key).collect();
                choose(ui, w, other, &left);
            }
            put(ui, w, map, line, slot, key);
            answered = true;
        }
        answered |= ui.button("Leave it").clicked();
    });
    if !answered {
        sheet.taken = Some((line, slot, key, others));
    }
}

fn fits(line: &Line, map: &Keymap, needle: &str) -> bool {
    needle.is_empty()
        || line.name.to_lowercase().contains(needle)
        || map.keys(line).iter().any(|k| keymap::label(*k).to_lowercase().contains(needle))
}

fn row(ui: &mut Ui, sheet: &KeySheet, map: &Keymap, line: &'static Line) -> Option<Change> {
    let mut change = None;
    ui.horizontal(|ui| {
        let width = ui.available_width() * 0.42;
        let height = ui.spacing().interact_size.y;
        ui.allocate_ui_with_layout(egui::vec2(width, height), egui::Layout::left_to_right(egui::Align::Center), |ui| {
            ui.set_min_width(width);
            ui.add(egui::Label::new(line.name).truncate());
        });
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            let keys = map.keys(line);
            let waits = sheet.waiting.filter(|(l, _)| l.act == line.act).map(|(_, slot)| slot);
            for (slot, key) in keys.iter().enumerate() {
                if waits == Some(slot) {
                    change = waiting(ui, line, slot, true).or(change.take());
                    continue;
                }
                let text = keymap::label(*key);
                let button = ui.button(&text).on_hover_text("Click, then press the new key");
                let button = button.accessible_name(format!("{}: {text}", line.name));
                if button.clicked() {
                    change = Some(Change::Wait(line, slot));
                }
            }
            if waits == Some(keys.len()) {
                change = waiting(ui, line, keys.len(), false).or(change.take());
            } else if keys.len() < 3 {
                let add = ui.small_button("+").on_hover_text("Add another key");
                if add.accessible_name(format!("another key for {}", line.name)).clicked() {
                    change = Some(Change::Wait(line, keys.len()));
                }
            }
            if map.is_chosen(line) {
                let back = ui.small_button("Reset").on_hover_text("Back to the default keys");
                if back.accessible_name(format!("reset the keys of {}", line.name)).clicked() {
                    change = Some(Change::Usual(line));
                }
            }
        });
    });
    change
}

fn waiting(ui: &mut Ui, line: &'static Line, slot: usize, has: bool) -> Option<Change> {
    let ink = ui.visuals().warn_fg_color;
    ui.label(RichText::new("press a key … (Esc cancels)").color(ink));
    (has && ui.small_button("no key").clicked()).then_some(Change::Remove(line, slot))
}

/// What keys and pointer do on the board while editing, or in the game at hand.
fn board_keys(w: &mut Workshop, editing: bool) -> Vec<(String, String)> {
    let lines: &[(&str, &str)] = if editing {
        &[
            ("Wheel, middle drag", "zoom, move the board"),
            ("Arrows, Space", "move the cursor and paint"),
            ("1 to 9", "choose from the palette"),
        ]
    } else {
        w.game().map_or(&[], |g| g.info().keys)
    };
    lines.iter().map(|(key, what)| (key.to_string(), what.to_string())).collect()
}

/// The keys that cannot be changed: those of the board and of the game.
fn fixed(ui: &mut Ui, w: &mut Workshop, needle: &str) {
    let mut lines = board_keys(w, true);
    lines.extend(board_keys(w, false).into_iter().map(|(key, what)| (key, format!("{what} (in Play)"))));
    lines.retain(|(key, what)| needle.is_empty() || format!("{key} {what}").to_lowercase().contains(needle));
    if lines.is_empty() {
        return;
    }
    ui.label(RichText::new("On the board").strong());
    for (key, what) in lines {
        ui.horizontal(|ui| {
            let width = ui.available_width() * 0.42;
            let height = ui.spacing().interact_size.y;
            let layout = egui::Layout::left_to_right(egui::Align::Center);
            ui.allocate_ui_with_layout(egui::vec2(width, height), layout, |ui| {
                ui.set_min_width(width);
                ui.add(egui::Label::new(key).truncate());
            });
            ui.add(egui::Label::new(RichText::new(what).weak()).truncate());
        });
    }
}
