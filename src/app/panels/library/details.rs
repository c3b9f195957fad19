//! What is known of the selected level, below the list: counts, and the words about it, to be changed in place.

use super::Task;
use crate::{
    analysis::singular,
    app::{
        icons::{self, Icon},
        keys::Action,
        panels::par_alone,
        workshop::Workshop,
    },
    catalogue::{Entry, Listing, Operation, Rated, State},
    disk::LevelId,
    document::AnyGame,
    game::Meta,
    games,
};
use egui::{RichText, Ui};
use std::sync::Arc;

/// The words being changed.
#[derive(Default)]
pub(super) struct Details {
    key: Option<LevelId>,
    /// As the catalogue last knew them: it learns of a change a moment later.
    seen: Meta,
    /// As they were last written.
    was: Meta,
    now: Meta,
    tags: String,
}

fn tags_of(text: &str) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for tag in text.split(',').map(str::trim).filter(|t| !t.is_empty()) {
        if !tags.iter().any(|t| t == tag) {
            tags.push(tag.into());
        }
    }
    tags
}

impl Details {
    /// Turns to a level. Words of another one that were changed and not yet written are handed back.
    fn turn_to(&mut self, entry: &Entry) -> Option<Operation> {
        let facts = entry.facts()?;
        let found = Meta {
            title: facts.title.clone(),
            author: facts.author.clone(),
            notes: facts.notes.clone(),
            tags: facts.tags.clone(),
        };
        let same = self.key.as_ref() == Some(&entry.key);
        if same && (self.seen == found || self.was == found) {
            self.seen = found;
            return None;
        }
        let left = if same { None } else { self.write() };
        self.key = Some(entry.key.clone());
        self.tags = found.tags.join(", ");
        self.now = found.clone();
        self.was = found.clone();
        self.seen = found;
        left
    }

    /// The change that is to be written, if there is one.
    pub(super) fn write(&mut self) -> Option<Operation> {
        self.now.tags = tags_of(&self.tags);
        let key = self.key.clone()?;
        if self.now == self.was {
            return None;
        }
        // Until the file was read again, this is what it holds.
        self.was = self.now.clone();
        Some(Operation::Meta(key, self.now.clone()))
    }
}

pub(super) fn show(ui: &mut Ui, w: &mut Workshop) {
    let listing = w.library.listing.clone();
    let count = w.library.choice.keys.len();
    let cursor = w.library.choice.cursor.clone();
    let entry = cursor.and_then(|c| listing.sections.iter().flat_map(|s| &s.entries).find(|e| e.key == c).cloned());
    // The list comes first where there is little room.
    let room = ui.available_height() > 12.0 * ui.spacing().interact_size.y;
    let Some(entry) = entry.filter(|_| w.settings.library_details && room) else {
        if let Some(deed) = w.library.details.write() {
            w.library.do_it(deed);
        }
        w.library.details = Details::default();
        bin_bar(ui, w, &listing);
        return;
    };
    let frame = egui::Frame::new().inner_margin(egui::Margin { left: 0, right: 0, top: 6, bottom: 0 });
    egui::Panel::bottom("library details").frame(frame).resizable(false).show(ui, |ui| {
        if count > 1 {
            several(ui, w, count);
        } else {
            one(ui, w, &listing, &entry);
        }
    });
    bin_bar(ui, w, &listing);
}

/// Emptying the bin asks first, in place.
fn bin_bar(ui: &mut Ui, w: &mut Workshop, listing: &Listing) {
    if !w.library.query.bin || listing.binned == 0 {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        if w.library.emptying {
            ui.label(format!(
                "Delete {} for good?",
                if listing.binned == 1 { "1 level".into() } else { format!("{} levels", listing.binned) }
            ));
            if ui.button("Delete").clicked() {
                w.library.emptying = false;
                w.library.choice.clear();
                w.library.do_it(Operation::EmptyBin);
            }
            if ui.button("Keep").clicked() {
                w.library.emptying = false;
            }
        } else {
            if ui.add_enabled(!w.library.choice.keys.is_empty(), egui::Button::new("Restore")).clicked() {
                w.ask(Action::Library(Task::Restore));
            }
            if ui.button("Empty the bin").clicked() {
                w.library.emptying = true;
            }
        }
    });
}

fn several(ui: &mut Ui, w: &mut Workshop, count: usize) {
    ui.label(format!("{count} levels selected"));
    if w.library.query.bin {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for (name, task) in [
            ("Duplicate", Task::Duplicate),
            ("Export…", Task::Export),
            ("New pack…", Task::NewPack),
            ("To the bin", Task::Bin),
        ] {
            if ui.button(name).clicked() {
                w.ask(Action::Library(task));
            }
        }
    });
}

fn one(ui: &mut Ui, w: &mut Workshop, listing: &Arc<Listing>, entry: &Entry) {
    let editable = entry.facts().is_some_and(|f| f.native && f.whole()) && !w.library.query.bin;
    if let Some(deed) = w.library.details.turn_to(entry) {
        w.library.do_it(deed);
    }
    let mut done = false;
    ui.horizontal(|ui| {
        let side = ui.spacing().interact_size.y + 4.0;
        let room = ui.available_width() - side - ui.spacing().item_spacing.x;
        if editable {
            let title = &mut w.library.details.now.title;
            let field = egui::TextEdit::singleline(title).hint_text(&entry.title).desired_width(room);
            done |= ui.add(field).accessible_name("title of the level").lost_focus();
        } else {
            ui.allocate_ui(egui::vec2(room, side), |ui| {
                ui.set_width(room);
                ui.add(egui::Label::new(RichText::new(&entry.title).strong()).truncate());
            });
        }
        let more = icons::button(ui, Icon::More, "More actions", false, true);
        if more.clicked() {
            w.library.menu_at = Some(more.rect.left_bottom());
        }
    });
    counts(ui, w, listing, entry);
    match &entry.state {
        State::Bad(text) => {
            ui.colored_label(ui.visuals().error_fg_color, text);
        }
        State::Unread => {}
        State::Read(_) if editable => done |= words(ui, w),
        State::Read(facts) => {
            let mut parts = Vec::new();
            parts.extend((!facts.author.is_empty()).then(|| format!("by {}", facts.author)));
            parts.extend((!facts.tags.is_empty()).then(|| facts.tags.join(", ")));
            parts.extend((!facts.notes.is_empty()).then(|| facts.notes.clone()));
            if !parts.is_empty() {
                let text = parts.join(" · ");
                let short: String = text.chars().take(160).collect();
                ui.label(RichText::new(short).small()).on_hover_text(text);
            }
        }
    }
    if done && ui.input(|i| i.key_pressed(egui::Key::Escape)) {
        let details = &mut w.library.details;
        details.now = details.was.clone();
        details.tags = details.was.tags.join(", ");
    } else if done && let Some(deed) = w.library.details.write() {
        w.library.do_it(deed);
    }
}

/// Author, tags and notes; whether a field was left.
fn words(ui: &mut Ui, w: &mut Workshop) -> bool {
    let details = &mut w.library.details;
    let mut done = false;
    ui.horizontal(|ui| {
        let room = (ui.available_width() - ui.spacing().item_spacing.x) / 2.0;
        let author = egui::TextEdit::singleline(&mut details.now.author).hint_text("author").desired_width(room);
        done |= ui.add(author).accessible_name("author of the level").lost_focus();
        let tags =
            egui::TextEdit::singleline(&mut details.tags).hint_text("tags, separated by commas").desired_width(room);
        done |= ui.add(tags).accessible_name("tags of the level").lost_focus();
    });
    let notes = egui::TextEdit::multiline(&mut details.now.notes).hint_text("notes").desired_rows(2);
    let notes = notes.desired_width(f32::INFINITY);
    egui::ScrollArea::vertical().id_salt("library notes").max_height(ui.spacing().interact_size.y * 2.2).show(
        ui,
        |ui| {
            done |= ui.add(notes).accessible_name("notes of the level").lost_focus();
        },
    );
    done
}

/// "par 12 steps".
pub(super) fn par_text(game: &dyn AnyGame, rated: &Rated) -> Option<String> {
    let (par, proven) = rated.par?;
    let name = game.info().counts.get(game.goals().get(game.info().par_goal)?.count)?;
    let least = if proven { "par" } else { "par at most" };
    Some(format!("{least} {par} {}{}", singular(name, par), par_alone(game)))
}

/// Par, best, stars, difficulty, and which other level this is.
fn counts(ui: &mut Ui, w: &mut Workshop, listing: &Arc<Listing>, entry: &Entry) {
    let Some(facts) = entry.facts() else { return };
    let game = games::by_id(&facts.game);
    let mut parts: Vec<String> = Vec::new();
    parts.extend(game.map(|g| g.info().name.to_string()));
    let best = w.services.keeper.records().level(&facts.game, facts.exact);
    if let Some(best) = best.filter(|b| b.solved) {
        let counts: Vec<_> = best.counts.iter().map(|(name, n)| format!("{n} {}", singular(name, *n))).collect();
        let counts = if counts.is_empty() { String::new() } else { format!(", best {}", counts.join(", ")) };
        parts.push(format!("solved{counts}"));
        parts.extend((best.stars > 0).then(|| format!("{} of 3 stars", best.stars.min(3))));
    }
    if !w.library.query.bin {
        match listing.rated(entry) {
            Some(rated) => {
                parts.extend(game.and_then(|g| par_text(g, rated)));
                parts.push(match rated.difficulty {
                    Some(_) => format!("difficulty {}", rated.text()),
                    None if rated.unsolvable => "unsolvable".into(),
                    None => "not rated".into(),
                });
            }
            None => parts.push("rating…".into()),
        }
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.spacing_mut().interact_size.y = 0.0;
        ui.label(RichText::new(parts.join(" · ")).small().weak());
        if let Some((other, exact)) = listing.twin(entry) {
            let how = if exact { "" } else { " turned" };
            let text = RichText::new(format!("= {}{how}", other.title)).small();
            let link = ui.link(text).on_hover_text(format!("same as \"{}\"{how}: show it", other.title));
            if link.clicked() {
                let key = other.key.clone();
                w.library.choice.only(&key);
                w.library.reveal = true;
            }
        }
    });
}
