//! Dialogs: new level, open, save or export, resize, "save changes?", keys, guide, rules, about.
//!
//! The system's file dialog is offered where there is one; a path can be typed in any case, since not every desktop answers.

pub mod asking;
pub mod export;
mod guide;
pub mod key_sheet;
pub(super) mod preferences;

use crate::{
    app::{
        files::Browse,
        panels::library,
        transfers::{self, Read},
        workshop::{Mode, OpenLevel, Workshop},
    },
    disk::{self, LevelId},
    document::{AnyGame, Board},
    games,
    grid::Size,
    job::Job,
};
use asking::{Discard, Versions};
use egui::{RichText, Ui, vec2};
use export::ExportDialog;
use key_sheet::KeySheet;
use std::path::PathBuf;

/// The dialog that is open.
pub enum Dialog {
    /// A new level.
    New {
        /// Its game.
        game: &'static dyn AnyGame,
        /// Its size.
        size: Size,
    },
    /// Open a file.
    Open {
        /// The path typed.
        path: String,
        /// The system's dialog.
        browse: Option<Browse>,
        /// What went wrong.
        note: Option<String>,
        /// The file being read.
        reading: Option<(PathBuf, Job<Read>)>,
    },
    /// Change the size of the board.
    Resize {
        /// The level's id.
        level: u64,
        /// The new size.
        size: Size,
        /// Which part stays in place: column and row of the anchor, each 0 to 2.
        anchor: (u8, u8),
    },
    /// The level has changes.
    SaveChanges {
        /// The level's id.
        level: u64,
        /// Whether the program is to be left.
        quit: bool,
    },
    /// The program is to be left, and several levels have changes.
    SaveAll,
    /// A campaign is to be started over.
    NewGame {
        /// The game.
        game: &'static str,
    },
    /// Drafts of a program that died.
    Recovered {
        /// What is about to be thrown away.
        discard: Option<Discard>,
    },
    /// Everything that leaves the program: levels, pictures, films, sheets, maps, pages, share codes.
    Export(Box<ExportDialog>),
    /// Earlier versions of the file.
    Versions(Box<Versions>),
    /// Something the library asks.
    Library(library::Prompt),
    /// The keys for the game and the mode at hand.
    KeysHere,
    /// The sheet of all keys.
    Keys(Box<KeySheet>),
    /// The preferences.
    Preferences,
    /// The page for designers.
    Guide,
    /// The rules of a game.
    Rules(&'static dyn AnyGame),
    /// About the program.
    About,
}

impl Dialog {
    /// The open level that it is about, by its id: another one may come to the front meanwhile.
    pub fn level(&self) -> Option<u64> {
        match self {
            Dialog::Resize { level, .. } | Dialog::SaveChanges { level, .. } => Some(*level),
            Dialog::Export(dialog) => dialog.level(),
            _ => None,
        }
    }
}

/// What to do after saving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// Nothing.
    Stay,
    /// Close the level.
    Close,
    /// Close it and go on leaving.
    Quit,
    /// Close it, save the next one with changes, and leave after the last.
    SaveAll,
}

impl Then {
    /// Whether the program is to be left.
    pub(in crate::app) fn leaves(self) -> bool {
        matches!(self, Then::Quit | Then::SaveAll)
    }
}

/// What becomes of a dialog after a frame.
pub(in crate::app) enum Step {
    /// It stays.
    Keep(Dialog),
    /// It goes.
    Done,
}

/// Shows the open dialog, if there is one.
pub fn show(ctx: &egui::Context, w: &mut Workshop) {
    let Some(dialog) = w.dialog.take() else {
        w.frame.in_dialog = false;
        return;
    };
    if !std::mem::replace(&mut w.frame.in_dialog, true) {
        // What lies behind gives the focus up: the first field takes it, or the default button.
        ctx.memory_mut(|m| m.stop_text_input());
    }
    if dialog.level().is_some_and(|id| w.session.level(id).is_none()) {
        w.say("the level of this dialog is no longer open");
        return;
    }
    let title = match &dialog {
        Dialog::New { .. } => "New level",
        Dialog::Open { .. } => "Open a level",
        Dialog::Resize { .. } => "Resize the board",
        Dialog::SaveChanges { .. } | Dialog::SaveAll => "Save changes?",
        Dialog::NewGame { .. } => "New game",
        Dialog::Recovered { .. } => "Recovered levels",
        Dialog::Export(dialog) => dialog.heading,
        Dialog::Versions(_) => "Earlier versions",
        Dialog::Library(prompt) => prompt.title(),
        Dialog::KeysHere => "Keys",
        Dialog::Keys(_) => "All keys",
        Dialog::Preferences => "Preferences",
        Dialog::Guide => "Guide for designers",
        Dialog::Rules(_) => "Rules",
        Dialog::About => "About Tilewright",
    };
    let mut next = None;
    let modal = egui::Modal::new(egui::Id::unique("dialog")).show(ctx, |ui| {
        let width = match dialog {
            Dialog::Export(_) => 820.0,
            Dialog::Keys(_) | Dialog::KeysHere | Dialog::Guide => 620.0,
            _ => 460.0,
        };
        ui.set_max_width((ctx.content_rect().width() - 60.0).min(width));
        ui.heading(title);
        ui.add_space(4.0);
        next = Some(match dialog {
            Dialog::New { game, size } => new_level(ui, w, game, size),
            Dialog::Open { path, browse, note, reading } => open(ui, w, path, browse, note, reading),
            Dialog::Resize { level, size, anchor } => resize(ui, w, level, size, anchor),
            Dialog::SaveChanges { level, quit } => save_changes(ui, w, level, quit),
            Dialog::SaveAll => save_all(ui, w),
            Dialog::NewGame { game } => asking::new_game(ui, w, game),
            Dialog::Recovered { discard } => asking::recovered(ui, w, discard),
            Dialog::Export(dialog) => export::show(ui, w, *dialog),
            Dialog::Versions(list) => asking::earlier(ui, w, *list),
            Dialog::KeysHere => until(key_sheet::page(ui, w), Dialog::KeysHere),
            Dialog::Keys(mut sheet) => until(key_sheet::show(ui, w, &mut sheet), Dialog::Keys(sheet)),
            Dialog::Preferences => until(preferences::show(ui, w), Dialog::Preferences),
            Dialog::Library(prompt) => match library::prompt(ui, w, prompt) {
                Some(prompt) => Step::Keep(Dialog::Library(prompt)),
                None => Step::Done,
            },
            Dialog::Guide => until(guide::show(ui), Dialog::Guide),
            Dialog::Rules(game) => rules(ui, game),
            Dialog::About => about(ui),
        });
    });
    // A click outside closes nothing: what was typed would be lost by a slip.
    let escape = modal.is_top_modal
        && !modal.any_popup_open
        && ctx.input_mut(|i| i.consume_key(egui::Modifiers::NONE, egui::Key::Escape));
    w.dialog = w.dialog.take().or(match next {
        Some(Step::Keep(Dialog::Recovered { discard: Some(_) })) if escape => Some(Dialog::Recovered { discard: None }),
        Some(Step::Keep(dialog)) if !escape => Some(dialog),
        _ => None,
    });
}

/// The button that Enter presses, marked as such. It has the focus when nothing else has it; a button chosen with Tab keeps its own Enter.
pub(in crate::app) fn default_button(ui: &mut Ui, text: &str) -> bool {
    let button = egui::Button::new(RichText::new(text).strong()).shortcut_text("Enter").selected(true);
    let response = ui.add(button).accessible_name(text);
    let free = ui.memory(|m| m.focused().is_none());
    if free {
        response.request_focus();
    }
    // A field gives its focus up on Enter.
    response.clicked() || (free && ui.input(|i| i.key_pressed(egui::Key::Enter)))
}

/// A field that has the focus first.
pub(in crate::app) fn first_field(ui: &Ui, field: &egui::Response) -> bool {
    let first = ui.memory(|m| m.focused().is_none()) && !field.lost_focus();
    if first {
        field.request_focus();
    }
    first
}

/// The same for the name of a file: what is typed takes the place of the name, not of its ending.
pub(in crate::app) fn first_name(ui: &Ui, field: &egui::Response, name: &str) {
    if first_field(ui, field) {
        let stem = name.rfind('.').map_or(name, |dot| &name[..dot]).chars().count();
        let mut state = egui::text_edit::TextEditState::load(ui.ctx(), field.id).unwrap_or_default();
        let range = egui::text::CCursorRange::two(egui::text::CCursor::new(0), egui::text::CCursor::new(stem));
        state.cursor.set_char_range(Some(range));
        state.store(ui.ctx(), field.id);
    }
}

/// A button that does it and one that does not.
pub(in crate::app) fn buttons(ui: &mut Ui, yes: &str) -> (bool, bool) {
    ui.add_space(6.0);
    ui.horizontal(|ui| (default_button(ui, yes), ui.button("Cancel").clicked())).inner
}

fn new_level(ui: &mut Ui, w: &mut Workshop, mut game: &'static dyn AnyGame, mut size: Size) -> Step {
    ui.set_min_width(ui.available_width());
    let mut enter = false;
    ui.horizontal_wrapped(|ui| {
        for g in games::offered() {
            let chosen = g.info().id == game.info().id;
            let label = ui.selectable_label(chosen, g.info().name).on_hover_text(g.info().summary);
            // Enter on the game that is chosen already is not about the game.
            enter |= chosen && label.has_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
            if label.clicked() && !chosen {
                game = *g;
                size = g.sizes().2;
            }
        }
    });
    // Room for the longest summary: what is below stays where it is.
    let room = vec2(ui.available_width(), 2.0 * ui.text_style_height(&egui::TextStyle::Body) + 4.0);
    ui.allocate_ui(room, |ui| {
        ui.set_min_height(room.y);
        ui.label(RichText::new(game.info().summary).weak());
    });
    size_fields(ui, &mut size, game);
    let (create, cancel) = buttons(ui, "Create");
    match (create || enter, cancel) {
        (true, _) => {
            let mut doc = game.blank(size);
            let mut meta = doc.meta().clone();
            meta.author.clone_from(&w.settings.author);
            doc.set_meta(meta);
            doc.mark_saved();
            w.add(doc, LevelId::New, Mode::Edit);
            w.enter(Mode::Edit);
            Step::Done
        }
        (_, true) => Step::Done,
        _ => Step::Keep(Dialog::New { game, size }),
    }
}

fn size_fields(ui: &mut Ui, size: &mut Size, game: &'static dyn AnyGame) {
    let (least, most, _) = game.sizes();
    ui.horizontal(|ui| {
        let label = ui.label("Columns");
        ui.add(egui::DragValue::new(&mut size.w).range(least.w..=most.w)).labelled_by(label.id);
        let label = ui.label("Rows");
        ui.add(egui::DragValue::new(&mut size.h).range(least.h..=most.h)).labelled_by(label.id);
        ui.weak(format!("{}x{} to {}x{}", least.w, least.h, most.w, most.h));
    });
}

/// Said when the system's dialog gave no file.
const NO_FILE_DIALOG: &str = "No file was chosen. If no dialog appeared, this desktop has none: type the path.";

/// A path field with a Browse button.
fn path_field(ui: &mut Ui, w: &Workshop, path: &mut String, browse: &mut Option<Browse>, note: &mut Option<String>) {
    ui.horizontal(|ui| {
        let label = ui.label("Path");
        let width = (ui.available_width() - 80.0).max(120.0);
        let field = ui.add(egui::TextEdit::singleline(path).desired_width(width)).labelled_by(label.id);
        first_field(ui, &field);
        if ui.add_enabled(browse.is_none(), egui::Button::new("Browse…")).clicked() {
            *browse = Some(Browse::ask(None, w.services.wake.clone()));
        }
    });
    if let Some(answer) = browse.as_ref().and_then(Browse::poll) {
        *browse = None;
        match answer {
            Some(chosen) => *path = chosen.display().to_string(),
            None => *note = Some(NO_FILE_DIALOG.into()),
        }
    }
    if let Some(note) = note {
        ui.colored_label(ui.visuals().warn_fg_color, note.as_str());
    }
}

fn open(
    ui: &mut Ui,
    w: &mut Workshop,
    mut path: String,
    mut browse: Option<Browse>,
    mut note: Option<String>,
    mut reading: Option<(PathBuf, Job<Read>)>,
) -> Step {
    if let Some(read) = reading.as_ref().and_then(|(_, job)| job.poll())
        && let Some((file, _)) = reading.take()
    {
        match w.opened(file, read.and_then(|r| r)) {
            Ok(()) => return Step::Done,
            Err(why) => note = Some(why),
        }
    }
    let mut chosen = None;
    ui.add_enabled_ui(reading.is_none(), |ui| {
        path_field(ui, w, &mut path, &mut browse, &mut note);
        if !w.settings.recent.is_empty() {
            ui.label("Recent");
            let height = ui.ctx().content_rect().height() - 9.0 * ui.spacing().interact_size.y;
            egui::ScrollArea::vertical().max_height(height.max(80.0)).show(ui, |ui| {
                for recent in &w.settings.recent {
                    let name = disk::last_part(recent);
                    if ui.button(name).on_hover_text(recent.display().to_string()).clicked() {
                        chosen = Some(recent.clone());
                    }
                }
            });
        }
    });
    let (yes, no) = buttons(ui, if reading.is_none() { "Open" } else { "Reading…" });
    if yes && reading.is_none() {
        chosen = Some(PathBuf::from(path.trim()));
    }
    match chosen.map(|file| disk::absolute(&file)) {
        Some(file) if w.bring(&LevelId::File(file.clone())) => return Step::Done,
        // Closing the dialog ends the reading.
        Some(file) => (note, reading) = (None, Some((file.clone(), transfers::read(file, &w.services.wake)))),
        None if no => return Step::Done,
        None => {}
    }
    Step::Keep(Dialog::Open { path, browse, note, reading })
}

fn resize(ui: &mut Ui, w: &mut Workshop, level: u64, mut size: Size, mut anchor: (u8, u8)) -> Step {
    let Some(open) = w.session.level_mut(level) else { return Step::Done };
    size_fields(ui, &mut size, open.doc.game());
    ui.label("Keep in place");
    egui::Grid::new("anchor").spacing([2.0, 2.0]).show(ui, |ui| {
        for (y, row) in ["top", "middle", "bottom"].iter().enumerate() {
            for (x, column) in ["left", "centre", "right"].iter().enumerate() {
                let here = (x as u8, y as u8);
                let button = egui::Button::new(if anchor == here { "•" } else { "·" }).selected(anchor == here);
                if ui.add(button.min_size(vec2(26.0, 26.0))).accessible_name(format!("{row} {column}")).clicked() {
                    anchor = here;
                }
            }
            ui.end_row();
        }
    });
    match buttons(ui, "Resize") {
        (true, _) => {
            let old = open.doc.board_size(Board::Draft);
            let shift = |a: u8, old: u16, new: u16| {
                let more = new as i16 - old as i16;
                [0, more / 2, more][a as usize]
            };
            open.doc.resize(size, (shift(anchor.0, old.w, size.w), shift(anchor.1, old.h, size.h)));
            open.edit.selection = None;
            open.edit.cursor = None;
            Step::Done
        }
        (_, true) => Step::Done,
        _ => Step::Keep(Dialog::Resize { level, size, anchor }),
    }
}

fn save_changes(ui: &mut Ui, w: &mut Workshop, level: u64, quit: bool) -> Step {
    let title = w.session.level(level).map(OpenLevel::title).unwrap_or_default();
    ui.label(format!("\"{title}\" has unsaved changes."));
    ui.add_space(6.0);
    let then = if quit { Then::Quit } else { Then::Close };
    let mut step = None;
    ui.horizontal(|ui| {
        if default_button(ui, "Save") {
            w.save(level, then);
            step = Some(Step::Done);
        }
        if ui.button("Discard").clicked() {
            w.finish(level, then);
            step = Some(Step::Done);
        }
        if ui.button("Cancel").clicked() {
            step = Some(Step::Done);
        }
    });
    step.unwrap_or(Step::Keep(Dialog::SaveChanges { level, quit }))
}

fn save_all(ui: &mut Ui, w: &mut Workshop) -> Step {
    let changed = w.changed();
    ui.label(format!("{} levels have unsaved changes:", changed.len()));
    let height = (ui.ctx().content_rect().height() - 220.0).max(80.0);
    egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
        for open in changed.iter().filter_map(|level| w.session.level(*level)) {
            let place = open.path().map_or_else(|| "never saved".into(), disk::last_part);
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(open.title()).strong());
                ui.weak(format!("{}, {place}", open.doc.game().info().name));
            });
        }
    });
    ui.add_space(6.0);
    let answer = ui.horizontal(|ui| {
        (default_button(ui, "Save all"), ui.button("Discard all").clicked(), ui.button("Cancel").clicked())
    });
    match answer.inner {
        (true, ..) => w.save_all(),
        (_, true, _) => {
            changed.into_iter().for_each(|level| w.finish(level, Then::Close));
            w.quit();
        }
        (.., true) => {}
        _ => return Step::Keep(Dialog::SaveAll),
    }
    Step::Done
}

fn rules(ui: &mut Ui, game: &'static dyn AnyGame) -> Step {
    let info = game.info();
    ui.label(RichText::new(info.name).strong());
    let height = ui.ctx().content_rect().height() - 180.0;
    egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
        guide::rules(ui, info);
    });
    close_button(ui, Dialog::Rules(game))
}

/// The crates and fonts in the program, by licence.
const LICENCES: &str = include_str!("../../../assets/licences.txt");

fn about(ui: &mut Ui) -> Step {
    ui.label(format!("Version {}", env!("TILEWRIGHT_VERSION")));
    ui.label("A workshop for tile puzzles: play, draw, generate, solve, and step through the solution.");
    ui.label("Licensed under MIT or Apache-2.0, at your choice. What it is built from:");
    let height = (ui.ctx().content_rect().height() - 260.0).clamp(80.0, 320.0);
    egui::ScrollArea::vertical().max_height(height).auto_shrink(false).show(ui, |ui| {
        ui.label(RichText::new(LICENCES).small());
    });
    close_button(ui, Dialog::About)
}

fn until(done: bool, dialog: Dialog) -> Step {
    if done { Step::Done } else { Step::Keep(dialog) }
}

fn close_button(ui: &mut Ui, dialog: Dialog) -> Step {
    ui.add_space(6.0);
    until(default_button(ui, "Close"), dialog)
}

#[cfg(test)]
mod tests {
    use super::LICENCES;

    #[test]
    fn every_crate_the_program_is_built_with_is_named_with_its_licence() {
        let manifest = include_str!("../../../Cargo.toml");
        let part = manifest.split("[dependencies]").nth(1).and_then(|s| s.split("\n[").next()).unwrap_or_default();
        let names: Vec<_> = part.lines().filter_map(|l| l.split_once(" = ")).map(|(name, _)| name.trim()).collect();
        assert!(names.len() > 10, "the list was found");
        for name in names {
            let named = LICENCES.split([' ', ',', '\n']).any(|word| word == name);
            assert!(named, "{name} is not in assets/licences.txt: add it under its licence (cargo metadata tells it)");
        }
    }
}
