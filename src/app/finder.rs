//! The box that finds everything: actions, the game's editor commands, open levels, shipped and own levels, files opened lately, generator presets. One types a few letters of the
//! name, in any place of it; Enter does it.
//!
//! What cannot be done now is listed all the same, greyed, with the reason: a search that finds nothing teaches nothing. Levels are those that the library
//! knows, opened collections too.

use super::{
    dock::Pane,
    keys::{self, Action, Menu, Scope},
    panels,
    workshop::{Mode, Workshop},
};
use crate::{
    disk::{self, LevelId},
    document::AnyGame,
    games,
};
use egui::{Key, Modifiers, RichText, Ui};
use nucleo_matcher::{
    Config, Matcher, Utf32Str,
    pattern::{CaseMatching, Normalization, Pattern},
};
use std::path::PathBuf;

/// What an entry does.
#[derive(Clone)]
enum Do {
    Action(Action),
    Go(u64),
    Level(LevelId),
    File(PathBuf),
    Make(&'static dyn AnyGame, usize),
    Command(&'static str),
}

/// Something that can be found.
#[derive(Clone)]
struct Entry {
    /// The same for the same thing at another time, for remembering it.
    id: String,
    name: String,
    /// What kind of thing it is, in a word or two.
    kind: String,
    key: String,
    /// Why it cannot be done now.
    why_not: Option<&'static str>,
    what: Do,
}

/// What the box remembers.
#[derive(Default)]
pub struct Finder {
    open: bool,
    query: String,
    entries: Vec<Entry>,
    /// The levels, and the version of the library's listing that they are from.
    levels: Vec<Entry>,
    listed: Option<u64>,
    /// The entries that match, best first, and for what query they were found.
    found: Option<Vec<usize>>,
    chosen: usize,
    scroll: bool,
}

/// How many are remembered.
const LATELY: usize = 8;
const MOST_SHOWN: usize = 200;

impl Finder {
    /// Whether it is open: then it has the keys.
    pub fn is_open(&self) -> bool {
        self.open
    }

    fn search(&mut self, lately: &[String]) {
        if self.found.is_some() {
            return;
        }
        let all = || self.entries.iter().chain(&self.levels).enumerate();
        let rank = |e: &Entry| lately.iter().position(|l| *l == e.id).unwrap_or(usize::MAX);
        let mut found: Vec<((u8, u32), usize, usize)> = Vec::new();
        let query = self.query.trim().to_lowercase();
        // What is called exactly that comes first, then what begins so.
        let exact = |e: &Entry| {
            let name = e.name.to_lowercase();
            u8::from(name.starts_with(&query)) + u8::from(name == query)
        };
        if query.is_empty() {
            found.extend(all().map(|(i, e)| ((0, 0), rank(e), i)));
        } else {
            let mut matcher = Matcher::new(Config::DEFAULT);
            let pattern = Pattern::parse(self.query.trim(), CaseMatching::Ignore, Normalization::Smart);
            let mut buffer = Vec::new();
            for (i, e) in all() {
                let text = format!("{} {}", e.name, e.kind);
                if let Some(score) = pattern.score(Utf32Str::new(&text, &mut buffer), &mut matcher) {
                    found.push(((exact(e), score), rank(e), i));
                }
            }
        }
        // The best match first; among equals what was used lately, and what can be done.
        let can = |i: usize| self.entry(i).is_some_and(|e| e.why_not.is_some());
        found.sort_by_key(|(score, rank, i)| (std::cmp::Reverse(*score), *rank, can(*i), *i));
        self.found = Some(found.into_iter().map(|(_, _, i)| i).collect());
        self.chosen = 0;
        self.scroll = true;
    }

    fn entry(&self, i: usize) -> Option<&Entry> {
        self.entries.get(i).or_else(|| self.levels.get(i.checked_sub(self.entries.len())?))
    }
}

/// Opens the box.
pub fn open(w: &mut Workshop) {
    w.finder.open = true;
    w.finder.query.clear();
    w.finder.found = None;
    w.finder.entries.clear();
    w.finder.listed = None;
}

/// The levels that the library knows.
fn levels(w: &Workshop) -> Vec<Entry> {
    let level = |(section, e): &(std::sync::Arc<str>, std::sync::Arc<crate::catalogue::Entry>)| {
        let game = e.facts().and_then(|f| games::by_id(&f.game)).map_or("", |g| g.info().name);
        Entry {
            id: format!("level {:?}", e.key),
            name: e.title.clone(),
            kind: format!("{game} level in {section}"),
            key: String::new(),
            why_not: None,
            what: Do::Level(e.key.clone()),
        }
    };
    w.library.listing().known.iter().map(level).collect()
}

/// All that can be found beside the titles.
fn entries(ctx: &egui::Context, w: &mut Workshop) -> Vec<Entry> {
    let mut entries = Vec::new();
    for line in keys::table().iter().filter(|l| l.act != Action::Palette) {
        let kind = match line.menu {
            Menu::File => "file",
            Menu::Edit => "edit",
            Menu::Play => "play",
            Menu::Solve => "solve",
            Menu::Library => "library",
            Menu::View if matches!(line.act, Action::Show(_)) => "panel",
            Menu::View => "view",
            Menu::Help => "help",
            Menu::Tools => "tool",
        };
        entries.push(Entry {
            id: line.id.clone(),
            name: line.name.into(),
            kind: kind.into(),
            key: keys::key_text(ctx, line),
            why_not: why_not(w, line),
            what: Do::Action(line.act),
        });
    }
    let plain = |id: String, name: String, kind: String, what| Entry {
        id,
        name,
        kind,
        key: String::new(),
        why_not: None,
        what,
    };
    for open in &w.session.open {
        let id = format!("open {}", open.id);
        entries.push(plain(id, open.title(), format!("open {} level", open.doc.game().info().name), Do::Go(open.id)));
    }
    if let Some(open) = w.session.current() {
        let game = open.doc.game().info();
        for command in open.doc.commands() {
            let id = format!("command {} {}", game.id, command.id);
            let kind = format!("{} command", game.name);
            let why_not = (w.session.mode != Mode::Edit).then_some("only in Edit");
            entries.push(Entry { why_not, ..plain(id, command.name.into(), kind, Do::Command(command.id)) });
        }
    }
    for path in &w.settings.recent {
        let name = disk::last_part(path);
        entries.push(plain(format!("file {}", path.display()), name, "recent file".into(), Do::File(path.clone())));
    }
    for game in games::offered() {
        for (i, preset) in game.presets().iter().enumerate() {
            let (id, name) = (format!("make {} {}", game.info().id, preset.id), game.info().name);
            let name = format!("Generate {name}: {}", preset.name);
            entries.push(plain(id, name, "generator".into(), Do::Make(*game, i)));
        }
    }
    entries
}

/// Why an action means nothing now.
pub fn why_not(w: &mut Workshop, line: &keys::Line) -> Option<&'static str> {
    let editing = w.session.mode == Mode::Edit;
    let free = [Menu::File, Menu::View, Menu::Help, Menu::Library].contains(&line.menu)
        && !matches!(
            line.act,
            Action::Save | Action::SaveAs | Action::CloseLevel | Action::ZoomIn | Action::ZoomOut | Action::Fit
        );
    if free || line.act == Action::Generate {
        return None;
    }
    let Some(open) = w.session.current_mut() else { return Some("no level is open") };
    let doc = &mut open.doc;
    match line.act {
        Action::Undo if editing => (doc.history_len().0 == 0).then_some("nothing to undo"),
        Action::Redo if editing => (doc.history_len().1 == 0).then_some("nothing to redo"),
        Action::StopSolver => {
            (doc.solve_state() != crate::document::SolveState::Running).then_some("it is not running")
        }
        Action::LeaveSteps => (!open.stepping).then_some("only while stepping"),
        Action::Delete | Action::MakeStamp if editing && open.edit.selection.is_none() => Some("nothing is selected"),
        _ => match line.scope {
            Scope::Always | Scope::Library => None,
            Scope::Editing => (!editing).then_some("only in Edit"),
            Scope::Playing => editing.then_some("only in Play"),
            Scope::Stepping => (doc.line_len() == 0).then_some("solve the level first"),
        },
    }
}

/// Shows the box, if it is open.
pub fn show(ctx: &egui::Context, w: &mut Workshop) {
    if !w.finder.open {
        return;
    }
    if w.finder.entries.is_empty() {
        w.finder.entries = entries(ctx, w);
    }
    let version = w.library.listing().version;
    if w.finder.listed.replace(version) != Some(version) {
        w.finder.levels = levels(w);
        w.finder.found = None;
    }
    let pressed = |key| ctx.input_mut(|i| i.consume_key(Modifiers::NONE, key));
    let step = i32::from(pressed(Key::ArrowDown)) - i32::from(pressed(Key::ArrowUp))
        + 8 * (i32::from(pressed(Key::PageDown)) - i32::from(pressed(Key::PageUp)));
    let enter = pressed(Key::Enter);
    let mut done = None;
    let area = egui::Modal::default_area(egui::Id::unique("find anything"))
        .anchor(egui::Align2::CENTER_TOP, [0.0, (ctx.content_rect().height() * 0.1).min(70.0)]);
    let modal = egui::Modal::new(egui::Id::unique("find anything")).area(area).show(ctx, |ui| {
        ui.set_width((ctx.content_rect().width() - 80.0).clamp(200.0, 560.0));
        let p = &mut w.finder;
        let field = egui::TextEdit::singleline(&mut p.query)
            .hint_text("an action, a level, a preset …")
            .desired_width(f32::INFINITY);
        let field = ui.add(field).accessible_name("find anything");
        field.request_focus();
        if field.changed() {
            p.found = None;
        }
        p.search(&w.settings.found_lately);
        let count = p.found.as_ref().map_or(0, Vec::len).min(MOST_SHOWN);
        if step != 0 && count > 0 {
            p.chosen = (p.chosen as i32 + step).clamp(0, count as i32 - 1) as usize;
            p.scroll = true;
        }
        done = list(ui, p, enter);
    });
    if let Some(entry) = done {
        match entry.why_not {
            Some(why) => w.complain(format!("{}: {why}", entry.name)),
            None => {
                w.finder.open = false;
                carry_out(w, entry);
            }
        }
    }
    if modal.should_close() {
        w.finder.open = false;
    }
    if !w.finder.open {
        // The field is gone: its focus must not keep the keys from the board.
        ctx.memory_mut(|m| m.stop_text_input());
    }
}

/// The entries that match; the one that was chosen.
fn list(ui: &mut Ui, p: &mut Finder, enter: bool) -> Option<Entry> {
    let found = p.found.clone().unwrap_or_default();
    let mut done = None;
    let height = (ui.ctx().content_rect().height() * 0.55).max(120.0);
    egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]).show(
        ui,
        |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            for (at, i) in found.iter().take(MOST_SHOWN).enumerate() {
                let Some(entry) = p.entry(*i) else { continue };
                let here = at == p.chosen;
                let response = row(ui, entry, here);
                if here && p.scroll {
                    response.scroll_to_me(None);
                }
                if response.clicked() || (here && enter) {
                    done = Some(entry.clone());
                }
            }
            if found.is_empty() {
                ui.weak("nothing found");
            }
        },
    );
    p.scroll = false;
    done
}

fn row(ui: &mut Ui, entry: &Entry, here: bool) -> egui::Response {
    let (ink, weak) = (ui.visuals().text_color(), ui.visuals().weak_text_color());
    let mut text = egui::text::LayoutJob::default();
    let font = egui::TextStyle::Body.resolve(ui.style());
    let small = egui::TextStyle::Small.resolve(ui.style());
    let plain = |font: &egui::FontId, color| egui::TextFormat {
        valign: egui::Align::Center,
        ..egui::TextFormat::simple(font.clone(), color)
    };
    text.append(&entry.name, 0.0, plain(&font, if entry.why_not.is_some() { weak } else { ink }));
    text.append(&entry.kind, 8.0, plain(&small, weak));
    let right = entry.why_not.map_or_else(|| entry.key.clone(), str::to_string);
    let button = egui::Button::selectable(here, text)
        .shortcut_text(RichText::new(right).small().color(weak))
        .truncate()
        .min_size(egui::vec2(ui.available_width(), 0.0));
    let response = ui.add(button);
    let name = match entry.why_not {
        Some(why) => format!("{} ({why})", entry.name),
        None => entry.name.clone(),
    };
    response.widget_info(|| egui::WidgetInfo::selected(egui::Role::ListItem, entry.why_not.is_none(), here, &name));
    response
}

fn carry_out(w: &mut Workshop, entry: Entry) {
    w.settings.found_lately.retain(|l| *l != entry.id);
    w.settings.found_lately.insert(0, entry.id);
    w.settings.found_lately.truncate(LATELY);
    match entry.what {
        Do::Action(act) => w.ask(act),
        Do::Go(id) => {
            if let Some(index) = w.session.index_of(id) {
                w.activate(index);
            }
        }
        Do::Command(id) => {
            let Some(open) = w.session.current_mut() else { return };
            let seed = open.doc.history_len().0 as u64;
            match open.doc.run_command(id, seed) {
                Ok(text) => w.say(text),
                Err(text) => w.complain(text),
            }
        }
        Do::Level(level) => panels::library::open(w, &level),
        Do::File(path) => w.open_path(&path),
        Do::Make(game, preset) => {
            let wake = w.services.wake.clone();
            w.generate.make_preset(game, preset, &wake);
            w.show(Pane::Generate);
        }
    }
}
