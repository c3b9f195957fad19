//! What can be done to the selected levels, and the questions it asks.

use super::{Task, list::ask};
use crate::{
    app::{
        dialogs::{Dialog, buttons, first_field},
        keys::{self, Action},
        workshop::Workshop,
    },
    catalogue::{Kind, Operation, Reader, Section},
    disk::LevelId,
};
use egui::{PopupAnchor, PopupKind, Ui};
use std::path::PathBuf;

/// A question with a line to type the answer into.
pub struct Prompt {
    what: What,
    text: String,
}

enum What {
    NewPack(Vec<LevelId>),
    RenamePack(PathBuf),
}

impl Prompt {
    /// Its heading.
    pub fn title(&self) -> &'static str {
        match self.what {
            What::NewPack(_) => "New pack",
            What::RenamePack(_) => "Rename the pack",
        }
    }
}

pub(super) fn ask_new_pack(w: &mut Workshop, keys: Vec<LevelId>) {
    w.dialog = Some(Dialog::Library(Prompt { what: What::NewPack(keys), text: String::new() }));
}

/// The question, in its dialog; `None` when it is answered.
pub fn prompt(ui: &mut Ui, w: &mut Workshop, mut prompt: Prompt) -> Option<Prompt> {
    let yes = match &prompt.what {
        What::NewPack(_) => "Create",
        What::RenamePack(_) => "Rename",
    };
    ui.horizontal(|ui| {
        let label = ui.label("Name");
        let field = ui.add(egui::TextEdit::singleline(&mut prompt.text).desired_width(240.0)).labelled_by(label.id);
        first_field(ui, &field);
    });
    if let What::NewPack(keys) = &prompt.what
        && !keys.is_empty()
    {
        let n = keys.len();
        ui.weak(if n == 1 { "The selected level moves into it.".into() } else { format!("{n} levels move into it.") });
    }
    let (answer, cancel) = buttons(ui, yes);
    if cancel {
        return None;
    }
    if !answer || prompt.text.trim().is_empty() {
        return Some(prompt);
    }
    let text = prompt.text.trim().to_string();
    w.library.do_it(match prompt.what {
        What::NewPack(keys) => Operation::NewPack(text, keys),
        What::RenamePack(folder) => Operation::RenamePack(folder, text),
    });
    None
}

/// Puts levels onto the clipboard as text. Only so many: it is read here and now.
pub(super) fn copy_text(ctx: &egui::Context, w: &mut Workshop, keys: &[LevelId]) {
    const MOST: usize = 20;
    let mut reader = Reader::default();
    let texts: Result<Vec<_>, _> = keys.iter().take(MOST).map(|k| reader.load(k).map(|d| d.native())).collect();
    match texts {
        Ok(texts) => {
            ctx.copy_text(texts.join("\n"));
            let n = texts.len();
            w.say(if n == 1 { "copied as text".into() } else { format!("copied {n} levels as text") });
        }
        Err(text) => w.complain(text),
    }
}

/// The menu of the selected levels, where it was asked for.
pub(super) fn show(ui: &mut Ui, w: &mut Workshop) {
    let Some(at) = w.library.menu_at else { return };
    let id = egui::Id::unique("library menu");
    let mut stay = true;
    let popup = egui::Popup::new(id, ui.ctx().clone(), PopupAnchor::Position(at), ui.layer_id())
        .kind(PopupKind::Menu)
        .layout(egui::Layout::top_down_justified(egui::Align::Min))
        .style(egui::containers::menu::menu_style)
        .accessible_name("selected levels")
        .open_bool(&mut stay);
    popup.show(|ui| {
        ui.set_min_width(190.0);
        if w.library.query.bin {
            task(ui, w, "Restore", Task::Restore);
            return;
        }
        task(ui, w, "Open", Task::Open);
        let own = own_ones(w);
        ui.add_enabled_ui(own, |ui| task(ui, w, "Rename", Task::Rename));
        task(ui, w, if own { "Duplicate" } else { "Copy to My levels" }, Task::Duplicate);
        ui.separator();
        ui.add_enabled_ui(own, |ui| {
            ui.menu_button("Move to", |ui| move_to(ui, w));
            task(ui, w, "Earlier", Task::Earlier);
            task(ui, w, "Later", Task::Later);
        });
        ui.separator();
        task(ui, w, "Export…", Task::Export);
        task(ui, w, "Copy as text", Task::Copy);
        ui.separator();
        ui.add_enabled_ui(own, |ui| task(ui, w, "Move to the bin", Task::Bin));
    });
    if !stay {
        w.library.menu_at = None;
    }
}

/// Whether all that is selected is one's own.
fn own_ones(w: &Workshop) -> bool {
    w.library.choice.in_order(&w.library.listing).iter().all(|k| w.library.is_own(k))
}

fn task(ui: &mut Ui, w: &mut Workshop, name: &str, task: Task) {
    let line = keys::table().iter().find(|l| l.act == Action::Library(task));
    let key = line.map(|l| keys::key_text(ui.ctx(), l)).unwrap_or_default();
    if ui.add(egui::Button::new(name).shortcut_text(key)).clicked() {
        ask(w, task);
        ui.close();
    }
}

fn move_to(ui: &mut Ui, w: &mut Workshop) {
    let listing = w.library.listing.clone();
    let mut chosen = None;
    egui::ScrollArea::vertical().max_height(260.0).show(ui, |ui| {
        for (folder, title) in listing.folders.iter() {
            if ui.button(title).clicked() {
                chosen = Some(folder.clone());
                ui.close();
            }
        }
    });
    ui.separator();
    if ui.button("New pack…").clicked() {
        ask(w, Task::NewPack);
        ui.close();
    }
    if let Some(folder) = chosen {
        let keys = w.library.choice.in_order(&listing);
        w.library.do_it(Operation::Move(keys, folder));
    }
}

/// The menu of a section.
pub(super) fn of_section(ui: &mut Ui, w: &mut Workshop, section: &Section) {
    ui.set_min_width(170.0);
    match &section.kind {
        Kind::Own(folder) => {
            if ui.button("Rename…").clicked() {
                let what = What::RenamePack(folder.clone());
                w.dialog = Some(Dialog::Library(Prompt { what, text: section.title.clone() }));
            }
            if ui.button("New pack…").clicked() {
                ask_new_pack(w, Vec::new());
            }
        }
        Kind::Collection(root, _) => {
            ui.weak(root.display().to_string());
            if ui.button("Forget this collection").clicked() {
                super::forget_collection(w, root);
            }
        }
        _ => {}
    }
    if ui.button("Select all").clicked() {
        w.library.choice.all_of(section);
        w.library.choice.cursor = section.entries.first().map(|e| e.key.clone());
        w.library.focus = true;
    }
}
