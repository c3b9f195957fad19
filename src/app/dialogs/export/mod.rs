//! One dialog for everything that leaves the program: levels in our own format, in other programs' formats, pictures, films, paper, pages, share codes.
//!
//! "Save as" and "Export" open it with different formats chosen; the library opens it for the levels selected there. The dialog lists [`SaveAs::all`] and knows
//! no format by name beyond the options that an exporter says it takes. It keeps to the levels it was opened for. The preview and the work (reading, solving,
//! drawing, writing) are jobs on copies, so the window goes on, and closing the dialog stops them.

mod clipboard;
mod work;

pub(in crate::app) use clipboard::{copy_code, copy_picture};

use super::{Dialog, Step, Then};
use crate::{
    app::{
        dialogs,
        files::{Browse, Opening},
        keys::Action,
        theme::Theme,
        workshop::Workshop,
    },
    catalogue::State,
    disk::{self, LevelId, file_name},
    document::{AnyGame, Doc},
    export::{self, Options, Preview, SaveAs, Shown, Takes},
    game::NotMade,
    games,
    job::{Job, Limits, Probe},
};
use egui::{RichText, TextureHandle, Ui, vec2};
use std::path::{Path, PathBuf};
use work::{Order, Outcome, Source};

/// What was chosen last: the next export begins with it.
#[derive(Clone, Copy)]
struct ExportChoices {
    /// The format, by its short name.
    chosen: &'static str,
    fit: bool,
    cell: u32,
    theme: Option<Theme>,
    animate: bool,
    pause: f32,
    per_page: u32,
    which: Which,
}

impl Default for ExportChoices {
    fn default() -> ExportChoices {
        let usual = Options::default();
        ExportChoices {
            chosen: "png",
            fit: true,
            cell: 64,
            theme: None,
            animate: usual.animate,
            pause: usual.pause,
            per_page: usual.per_page,
            which: Which::This,
        }
    }
}

/// Which levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Which {
    This,
    Open,
    Pack,
}

/// What the dialog was opened for.
enum Subject {
    /// An open level, by its id.
    Level(u64),
    /// Levels selected in the library.
    Listed(Vec<LevelId>),
}

/// What a preview depends on.
#[derive(Clone, Copy, PartialEq)]
struct Asked {
    id: &'static str,
    which: Which,
    theme: Theme,
    per_page: u32,
}

/// The preview, being made or there.
enum Look {
    Making(Asked, Job<Result<Preview, NotMade>>),
    Ready(Asked, Result<Preview, String>, Option<TextureHandle>),
}

/// The dialog.
pub struct ExportDialog {
    subject: Subject,
    /// "Save as" or "Export".
    pub(super) heading: &'static str,
    /// The game whose formats are offered, if the levels are of one game.
    game: Option<&'static dyn AnyGame>,
    what: SaveAs,
    name: String,
    folder: String,
    /// Whether the folder was chosen by the user: then another format does not change it.
    folder_chosen: bool,
    browse: Option<Browse>,
    note: Option<String>,
    /// Whether the user is asked about replacing files.
    replace: bool,
    then: Then,
    job: Option<Job<Result<Outcome, NotMade>>>,
    look: Option<Look>,
}

impl ExportDialog {
    /// Whether it is at work.
    pub fn busy(&self) -> bool {
        self.job.is_some() || matches!(self.look, Some(Look::Making(..)))
    }

    /// The open level that it is about.
    pub(super) fn level(&self) -> Option<u64> {
        if let Subject::Level(id) = self.subject { Some(id) } else { None }
    }
}

/// What exporting remembers while its dialog is closed.
#[derive(Default)]
pub struct ExportUi {
    choices: ExportChoices,
    /// The folder for what leaves the program until the user chooses another one.
    pub documents: Option<PathBuf>,
    /// The desktop's program that opens folders, if there is one.
    pub opener: Option<String>,
    /// What was written last.
    last: Option<PathBuf>,
    opening: Option<Opening>,
    copying: Option<clipboard::Copying>,
}

impl ExportUi {
    /// Whether a picture is being made for the clipboard.
    pub fn busy(&self) -> bool {
        self.copying.is_some()
    }
}

/// Opens the dialog to export the level in front.
pub(in crate::app) fn open(w: &mut Workshop) {
    let Some(open) = w.session.current() else {
        w.say("open a level first");
        return;
    };
    let (level, game, name) = (open.id, open.doc.game(), file_name(&open.title()));
    let ways = SaveAs::all(Some(game));
    let what = ways.into_iter().find(|s| s.id() == w.export.choices.chosen).unwrap_or(SaveAs::Export(&export::ALL[0]));
    show_for(w, Subject::Level(level), "Export", Some(game), what, name, Then::Stay);
}

/// Opens the dialog to give a level a file of its own.
pub(in crate::app) fn open_to_save(w: &mut Workshop, level: u64, then: Then) {
    let Some(open) = w.session.level(level) else { return };
    let (game, own) = (open.doc.game(), open.path().map(Path::to_path_buf));
    let name = file_name(&open.title());
    show_for(w, Subject::Level(level), "Save as", Some(game), SaveAs::Native, name, then);
    if let Some(Dialog::Export(dialog)) = &mut w.dialog {
        match own {
            Some(own) => dialog.take_path(&own),
            None => dialog.name = disk::last_part(&disk::free_name(&dialog.path())),
        }
    }
}

/// Opens the dialog for levels selected in the library.
pub(in crate::app) fn open_for(w: &mut Workshop, levels: Vec<LevelId>) {
    let listed = w.library.listing().sections.iter().flat_map(|s| &s.entries).filter(|e| levels.contains(&e.key));
    let (mut of, mut name) = (Vec::new(), None);
    for entry in listed {
        name.get_or_insert_with(|| file_name(&entry.title));
        if let State::Read(facts) = &entry.state {
            of.push(facts.game.clone());
        }
    }
    let one = levels.len() == 1;
    let first = of.first().filter(|g| of.len() == levels.len() && of.iter().all(|o| o == *g));
    let game = first.and_then(|id| games::by_id(id));
    let name = if one { name.unwrap_or_else(|| "level".into()) } else { "levels".into() };
    let what = if one { SaveAs::Native } else { SaveAs::Folder };
    show_for(w, Subject::Listed(levels), "Export", game, what, name, Then::Stay);
}

fn show_for(
    w: &mut Workshop,
    subject: Subject,
    heading: &'static str,
    game: Option<&'static dyn AnyGame>,
    what: SaveAs,
    name: String,
    then: Then,
) {
    let mut dialog = ExportDialog {
        subject,
        heading,
        game,
        what,
        name,
        folder: String::new(),
        folder_chosen: false,
        browse: None,
        note: None,
        replace: false,
        then,
        job: None,
        look: None,
    };
    dialog.choose(w, what);
    w.dialog = Some(Dialog::Export(Box::new(dialog)));
}

/// Shows the folder of what was written last in the desktop's file manager.
pub(in crate::app) fn open_folder(w: &mut Workshop) {
    let Some(folder) = w.export.last.as_deref().and_then(Path::parent) else {
        w.say("nothing has been saved or exported yet");
        return;
    };
    match &w.export.opener {
        Some(program) => w.export.opening = Some(Opening::begin(program, folder, w.services.wake.clone())),
        None => {
            let text = format!("the folder could not be opened: {}", folder.display());
            w.complain(text);
        }
    }
}

/// Takes in a picture for the clipboard, and the end of what opens a folder.
pub(in crate::app) fn tick(ctx: &egui::Context, w: &mut Workshop) {
    clipboard::tick(ctx, w);
    if let Some(answer) = w.export.opening.as_ref().and_then(Opening::poll) {
        w.export.opening = None;
        if let Some(text) = answer {
            w.complain(text);
        }
    }
}

/// The folder that is offered for a format: levels go where the library finds them, everything else to the user's documents, until another was chosen.
fn usual_folder(w: &Workshop, what: SaveAs) -> PathBuf {
    let own = w.library.own_folder();
    let (chosen, usual) = match what {
        SaveAs::Native | SaveAs::Folder => (&w.settings.save_folder, own),
        _ => (&w.settings.export_folder, w.export.documents.clone().or(own)),
    };
    chosen.clone().filter(|f| f.is_dir()).or(usual).unwrap_or_default()
}

impl ExportDialog {
    /// Chooses a format: the name gets its ending.
    fn choose(&mut self, w: &Workshop, what: SaveAs) {
        self.what = what;
        let name = Path::new(&self.name);
        let ending = name.extension().map(|e| e.to_string_lossy().to_lowercase());
        let known = |e: &str| SaveAs::all(self.game).iter().any(|s| s.endings().contains(&e));
        let stem = match &ending {
            Some(e) if known(e) => name.with_extension(""),
            _ => name.to_path_buf(),
        };
        let stem = stem.display().to_string();
        self.name = what.endings().first().map_or(stem.clone(), |e| format!("{stem}.{e}"));
        if !self.folder_chosen {
            self.folder = usual_folder(w, what).display().to_string();
        }
        (self.replace, self.note) = (false, None);
    }

    fn take_path(&mut self, path: &Path) {
        self.name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        self.folder = path.parent().map_or_else(String::new, |f| f.display().to_string());
        self.folder_chosen = true;
    }

    /// The file that is to be written.
    fn path(&self) -> PathBuf {
        let mut path = Path::new(self.folder.trim()).join(self.name.trim());
        if let (None, Some(ending)) = (path.extension(), self.what.endings().first()) {
            path.set_extension(ending);
        }
        disk::absolute(&path)
    }

    /// How many levels there are, if that is known here.
    fn several(&self) -> bool {
        matches!(&self.subject, Subject::Listed(levels) if levels.len() > 1)
    }

    fn holds(&self, what: SaveAs) -> bool {
        !self.several() || !matches!(what.takes(), Takes::One | Takes::Solution)
    }

    /// The levels to be written.
    fn source(&self, w: &Workshop) -> Option<Source> {
        let level = match &self.subject {
            Subject::Listed(levels) => return Some(Source::Listed(levels.clone())),
            Subject::Level(id) => *id,
        };
        let open = w.session.level(level)?;
        let takes = self.what.takes();
        let one_game = takes == Takes::Several;
        let same = |d: &dyn Doc| !one_game || d.game().info().id == open.doc.game().info().id;
        let which = if matches!(takes, Takes::One | Takes::Solution) { Which::This } else { w.export.choices.which };
        if let (Which::Pack, Some((pack, _))) = (which, pack(w, level)) {
            return Some(Source::Pack(pack));
        }
        let copies = match which {
            Which::Open => w.session.open.iter().filter(|o| same(&*o.doc)).map(|o| export::copy(&*o.doc)).collect(),
            _ => vec![export::copy(&*open.doc)],
        };
        Some(Source::Copies(copies))
    }

    fn options(&self, w: &Workshop) -> Options {
        let choices = w.export.choices;
        let theme = choices.theme.unwrap_or(w.settings.theme);
        let path = self.path();
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let pack = match &self.subject {
            Subject::Listed(levels) if levels.len() > 1 => Some(stem.clone()),
            Subject::Listed(_) => None,
            Subject::Level(id) => match (choices.which, w.session.level(*id).map(|o| &o.level)) {
                (Which::Pack, Some(LevelId::Shipped(game, _))) => games::by_id(game).map(|g| g.info().name.to_string()),
                (Which::Pack, Some(LevelId::Member(path, _))) => {
                    path.file_stem().map(|s| s.to_string_lossy().into_owned())
                }
                _ => matches!(self.what, SaveAs::Folder).then(|| stem.clone()),
            },
        };
        Options {
            colours: if theme == w.settings.theme { w.colours.clone() } else { theme.colours() },
            cell: (!choices.fit).then_some(choices.cell),
            animate: choices.animate,
            pause: choices.pause,
            per_page: choices.per_page,
            stem,
            title: pack.unwrap_or_default(),
        }
    }

    /// Begins the preview of what is chosen now, or takes it in.
    fn look(&mut self, ctx: &egui::Context, w: &Workshop) {
        let choices = w.export.choices;
        let theme = choices.theme.unwrap_or(w.settings.theme);
        let asked = Asked { id: self.what.id(), which: choices.which, theme, per_page: choices.per_page };
        if let Some(Look::Making(of, job)) = &self.look
            && let Some(made) = job.poll()
        {
            let made = match made {
                Ok(Ok(preview)) => Ok(preview),
                Ok(Err(NotMade::Refused(text))) | Err(text) => Err(text),
                Ok(Err(NotMade::Stopped(stop))) => Err(format!("no preview: {}", stop.name())),
            };
            let texture = made.as_ref().ok().and_then(|preview| match &preview.shown {
                Shown::Picture(size, pixels) => {
                    let image = egui::ColorImage::from_rgba_unmultiplied(*size, pixels);
                    Some(ctx.load_texture("preview", image, egui::TextureOptions::LINEAR))
                }
                Shown::Text(_) => None,
            });
            self.look = Some(Look::Ready(*of, made, texture));
        }
        let known = match &self.look {
            Some(Look::Making(of, _) | Look::Ready(of, ..)) => *of == asked,
            None => false,
        };
        if !known && let Some(source) = self.source(w) {
            let (what, options) = (self.what, self.options(w));
            let work = move |probe: &mut Probe| export::preview(&source.load(probe)?, what, &options, probe);
            let wake = w.services.wake.clone();
            self.look = Some(Look::Making(asked, Job::spawn(Limits::default(), move || wake(), work)));
        }
    }

    /// Begins to write, unless that would replace something that the user was not asked about.
    fn start(&mut self, w: &mut Workshop) {
        if self.name.trim().is_empty() {
            self.note = Some("Give it a name.".into());
            return;
        }
        let path = self.path();
        let open = self.level().and_then(|id| w.session.level(id));
        let own = matches!(self.what, SaveAs::Native) && open.is_some_and(|o| o.path() == Some(&path));
        if path.exists() && !own && !self.replace {
            return self.ask_to_replace(&[path]);
        }
        if let (SaveAs::Native, Some(level)) = (self.what, self.level()) {
            w.name_after(level, &path);
        }
        let Some(source) = self.source(w) else { return };
        let backups = w.services.backups.clone().filter(|_| matches!(self.what, SaveAs::Native | SaveAs::Format(_)));
        let replace = self.replace || own;
        let order = Order { what: self.what, path, options: self.options(w), source, replace, backups };
        let wake = w.services.wake.clone();
        (self.note, self.replace) = (None, false);
        self.job = Some(Job::spawn(Limits::default(), move || wake(), move |probe| order.carry_out(probe)));
    }

    fn ask_to_replace(&mut self, there: &[PathBuf]) {
        let first = there.first().map_or_else(String::new, |p| p.display().to_string());
        self.note = Some(match there.len() {
            0 | 1 => format!("{first} exists."),
            n => format!("{first} and {} more exist.", n - 1),
        });
        self.replace = true;
    }

    /// Takes in the end of the work; true when the dialog is done.
    fn take_in(&mut self, w: &mut Workshop) -> bool {
        let Some(answer) = self.job.as_ref().and_then(Job::poll) else { return false };
        self.job = None;
        match answer {
            Ok(Ok(Outcome::Exist(there))) => self.ask_to_replace(&there),
            Ok(Ok(written)) => {
                self.written(w, written);
                return true;
            }
            Ok(Err(NotMade::Refused(text))) | Err(text) => self.note = Some(text),
            Ok(Err(NotMade::Stopped(_))) => self.note = Some("Stopped; nothing was written.".into()),
        }
        false
    }

    fn written(&self, w: &mut Workshop, outcome: Outcome) {
        let Outcome::Written { path, what, lost, not_kept, text } = outcome else { return };
        let open = self.level().and_then(|id| w.session.open.iter_mut().find(|o| o.id == id));
        let saved = matches!(what, SaveAs::Native) && open.is_some();
        if let Some(open) = open.filter(|_| saved) {
            open.level = LevelId::File(path.clone());
            // Something may have been kept with the level while it was written.
            if let Some(text) = text {
                open.doc.set_saved(text);
            }
        }
        let folder = path.parent().map(Path::to_path_buf);
        match what {
            SaveAs::Native | SaveAs::Folder => w.settings.save_folder = folder,
            _ => w.settings.export_folder = folder,
        }
        if w.library.own_folder().is_some_and(|own| path.starts_with(own)) {
            w.library.refresh();
        }
        let lost = if lost.is_empty() { String::new() } else { format!("; left out: {}", lost.join("; ")) };
        let done = format!("{} {}{lost}", if saved { "saved" } else { "exported" }, path.display());
        w.export.last = Some(path);
        match not_kept {
            None => w.offer(done, "Open folder", Action::OpenFolder),
            Some(why) => w.complain(format!("{done}, but its earlier version could not be kept: {why}")),
        }
        if saved && let Some(level) = self.level() {
            w.finish(level, self.then);
        }
    }
}

/// The levels that "the whole pack" means, if the level is of one: where they are, and what they are called.
fn pack(w: &Workshop, level: u64) -> Option<(LevelId, String)> {
    let source = w.session.level(level)?.level.clone();
    match &source {
        LevelId::Shipped(game, _) => {
            let info = games::by_id(game)?.info();
            let text = format!("the whole pack ({} levels of {})", info.levels.len(), info.name);
            Some((source, text))
        }
        LevelId::Member(path, _) => {
            let name = path.file_name()?.to_string_lossy().into_owned();
            Some((source, format!("the whole collection ({name})")))
        }
        _ => None,
    }
}

pub(in crate::app) fn show(ui: &mut Ui, w: &mut Workshop, mut dialog: ExportDialog) -> Step {
    if dialog.take_in(w) {
        return Step::Done;
    }
    dialog.look(ui.ctx(), w);
    let running = dialog.job.is_some();
    // The same height for all formats: a dialog that changes its size under the pointer is a nuisance.
    let height = (ui.ctx().content_rect().height() - 260.0).clamp(120.0, 460.0 * w.settings.text_scale);
    let mut chosen = None;
    ui.add_enabled_ui(!running, |ui| {
        let (room, across) = (vec2(ui.available_width(), height), egui::Layout::left_to_right(egui::Align::Min));
        ui.allocate_ui_with_layout(room, across, |ui| {
            ui.set_max_height(height);
            let column = (250.0 * w.settings.text_scale).min(ui.available_width() * 0.45);
            let list = egui::ScrollArea::vertical().id_salt("formats").max_height(height).auto_shrink([false, false]);
            ui.vertical(|ui| {
                ui.set_max_width(column);
                list.show(ui, |ui| chosen = formats_list(ui, &dialog));
            });
            ui.separator();
            ui.vertical(|ui| {
                let bottom = ui.cursor().top() + height;
                let details =
                    egui::ScrollArea::vertical().id_salt("details").max_height(height).auto_shrink([false, false]);
                details.show(ui, |ui| {
                    about(ui, w, &dialog);
                    preview(ui, &dialog, bottom);
                });
            });
        });
        ui.separator();
        place(ui, w, &mut dialog);
    });
    if let Some(what) = chosen.filter(|c| c.id() != dialog.what.id()) {
        dialog.choose(w, what);
    }
    if w.export.choices.chosen != dialog.what.id() && dialog.heading == "Export" {
        w.export.choices.chosen = dialog.what.id();
    }
    if let Some(job) = &dialog.job {
        let progress = job.progress();
        let note = if progress.note.is_empty() { "Exporting …".into() } else { progress.note };
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            if ui.button("Stop").clicked() {
                job.cancel();
            }
            ui.add(egui::ProgressBar::new(progress.fraction.unwrap_or(0.0)).text(note));
        });
        return Step::Keep(Dialog::Export(Box::new(dialog)));
    }
    let saves = matches!(dialog.what, SaveAs::Native) && dialog.level().is_some();
    let word = if saves { "Save" } else { "Export" };
    let (yes, no) = if dialog.replace { replace_buttons(ui, &mut dialog) } else { dialogs::buttons(ui, word) };
    if no {
        return Step::Done;
    }
    if yes {
        dialog.start(w);
    }
    Step::Keep(Dialog::Export(Box::new(dialog)))
}

/// What to do about files that exist: another name, replace them, or nothing. A second Enter replaces nothing, but goes to a name that is free.
fn replace_buttons(ui: &mut Ui, dialog: &mut ExportDialog) -> (bool, bool) {
    ui.add_space(6.0);
    let row = ui.horizontal(|ui| {
        let other = dialogs::default_button(ui, "Other name");
        (other, ui.button("Replace").clicked(), ui.button("Cancel").clicked())
    });
    let (other, replace, cancel) = row.inner;
    if other {
        dialog.name = disk::last_part(&disk::free_name(&dialog.path()));
        (dialog.replace, dialog.note) = (false, None);
        // The field of the name takes it.
        ui.memory_mut(|m| m.focused().into_iter().for_each(|id| m.surrender_focus(id)));
    }
    (replace, cancel)
}

/// The formats in their two groups; the one that was clicked.
fn formats_list(ui: &mut Ui, dialog: &ExportDialog) -> Option<SaveAs> {
    let mut chosen = None;
    let ways = SaveAs::all(dialog.game);
    for (reads, heading) in [(true, "Can be opened again"), (false, "Cannot be opened again")] {
        ui.label(RichText::new(heading).strong());
        for what in ways.iter().filter(|s| s.reads() == reads) {
            let button = egui::Button::selectable(what.id() == dialog.what.id(), what.name());
            let response = ui.add_enabled(dialog.holds(*what), button.min_size(vec2(ui.available_width(), 0.0)));
            let response = response.on_hover_text(what.about()).on_disabled_hover_text("This holds one level.");
            if response.clicked() {
                chosen = Some(*what);
            }
        }
        ui.add_space(6.0);
    }
    chosen
}

/// What the chosen format is, what it leaves out, and its options.
fn about(ui: &mut Ui, w: &mut Workshop, dialog: &ExportDialog) {
    let what = dialog.what;
    ui.label(what.about());
    let of_these: &[String] = match &dialog.look {
        Some(Look::Ready(_, Ok(preview), _)) => &preview.dropped,
        _ => &[],
    };
    let drops: Vec<&str> = what.drops().iter().copied().chain(of_these.iter().map(String::as_str)).collect();
    let again = if what.reads() { "Can be opened again." } else { "Cannot be opened again." };
    if drops.is_empty() {
        ui.weak(format!("{again} Nothing is left out."));
    } else {
        ui.weak(format!("{again} Not included:"));
        for drop in drops {
            ui.weak(format!("– {drop}"));
        }
    }
    ui.add_space(4.0);
    choices(ui, w, dialog);
    ui.add_space(4.0);
}

fn choices(ui: &mut Ui, w: &mut Workshop, dialog: &ExportDialog) {
    let pack = dialog.level().and_then(|id| pack(w, id)).map(|p| p.1);
    let (open, now) = (w.session.open.len(), w.settings.theme);
    let choices = &mut w.export.choices;
    let exporter = if let SaveAs::Export(exporter) = dialog.what { Some(exporter) } else { None };
    if exporter.is_some_and(|e| e.looks) {
        ui.horizontal(|ui| {
            ui.label("Colours");
            for (theme, name) in [(Theme::Light, "Light"), (Theme::Dark, "Dark")] {
                if ui.selectable_label(choices.theme.unwrap_or(now) == theme, name).clicked() {
                    choices.theme = Some(theme);
                }
            }
        });
        ui.horizontal(|ui| {
            ui.checkbox(&mut choices.fit, "Fit the size to the board");
            ui.add_enabled_ui(!choices.fit, |ui| {
                let label = ui.label("Pixels per cell");
                ui.add(egui::DragValue::new(&mut choices.cell).range(export::CELLS)).labelled_by(label.id);
            });
        });
    }
    match dialog.what.takes() {
        Takes::One => {}
        Takes::Solution => {
            ui.horizontal(|ui| {
                let label = ui.label("Seconds per move");
                ui.add(egui::DragValue::new(&mut choices.pause).range(0.05..=5.0).speed(0.05).max_decimals(2))
                    .labelled_by(label.id);
                ui.checkbox(&mut choices.animate, "Animate moves");
            });
        }
        takes if dialog.level().is_some() => {
            let same = if takes == Takes::Several { " of this game" } else { "" };
            ui.radio_value(&mut choices.which, Which::This, "this level");
            ui.add_enabled_ui(open > 1, |ui| {
                ui.radio_value(&mut choices.which, Which::Open, format!("all open levels{same}"));
            });
            if let Some(pack) = pack {
                ui.radio_value(&mut choices.which, Which::Pack, pack);
            } else if choices.which == Which::Pack {
                choices.which = Which::This;
            }
        }
        _ => {}
    }
    if exporter.is_some_and(|e| e.pages) {
        ui.horizontal(|ui| {
            let label = ui.label("Levels per page");
            ui.add(egui::DragValue::new(&mut choices.per_page).range(export::PER_PAGE)).labelled_by(label.id);
        });
    }
}

/// The preview, in the room above `bottom` if there is enough of it.
fn preview(ui: &mut Ui, dialog: &ExportDialog, bottom: f32) {
    match &dialog.look {
        Some(Look::Ready(_, Ok(preview), texture)) => {
            ui.weak(&preview.caption);
            match (&preview.shown, texture) {
                (Shown::Picture(size, _), Some(texture)) => {
                    let room = vec2(ui.available_width(), (bottom - ui.cursor().top() - 8.0).max(140.0));
                    let size = vec2(size[0] as f32, size[1] as f32);
                    let size = size * (room / size).min_elem().min(1.0);
                    ui.add(egui::Image::new((texture.id(), size)).alt_text(format!("preview: {}", preview.caption)));
                }
                (Shown::Text(text), _) => {
                    let small = egui::TextStyle::Small.resolve(ui.style()).size;
                    let code = RichText::new(text).monospace().size(small);
                    ui.add(egui::Label::new(code).wrap_mode(egui::TextWrapMode::Extend).selectable(false));
                }
                _ => {}
            }
        }
        Some(Look::Ready(_, Err(why), _)) => drop(ui.colored_label(ui.visuals().warn_fg_color, why)),
        _ => drop(ui.spinner()),
    }
}

/// Name and folder.
fn place(ui: &mut Ui, w: &Workshop, dialog: &mut ExportDialog) {
    let before = (dialog.name.clone(), dialog.folder.clone());
    egui::Grid::new("place").num_columns(2).show(ui, |ui| {
        let label = ui.label("Name");
        let width = (ui.available_width() - 8.0).max(160.0);
        let field = ui.add(egui::TextEdit::singleline(&mut dialog.name).desired_width(width)).labelled_by(label.id);
        dialogs::first_name(ui, &field, &dialog.name);
        ui.end_row();
        let label = ui.label("Folder");
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 260.0 * w.settings.text_scale).max(160.0);
            ui.add(egui::TextEdit::singleline(&mut dialog.folder).desired_width(width)).labelled_by(label.id);
            for (name, folder) in [("Documents", w.export.documents.clone()), ("My levels", w.library.own_folder())] {
                if let Some(folder) = folder
                    && ui.button(name).on_hover_text(folder.display().to_string()).clicked()
                {
                    dialog.folder = folder.display().to_string();
                }
            }
            if ui.add_enabled(dialog.browse.is_none(), egui::Button::new("Browse…")).clicked() {
                dialog.browse = Some(Browse::ask(Some(dialog.name.clone()), w.services.wake.clone()));
            }
        });
        ui.end_row();
    });
    match dialog.browse.as_ref().and_then(Browse::poll) {
        Some(Some(path)) => {
            dialog.browse = None;
            dialog.take_path(&path);
        }
        Some(None) => {
            dialog.browse = None;
            dialog.note = Some(dialogs::NO_FILE_DIALOG.into());
        }
        None => {}
    }
    if dialog.folder != before.1 {
        dialog.folder_chosen = true;
    }
    if (&dialog.name, &dialog.folder) != (&before.0, &before.1) {
        (dialog.replace, dialog.note) = (false, None);
        // Another format's ending chooses that format.
        let ending = Path::new(dialog.name.trim()).extension().map(|e| e.to_string_lossy().to_lowercase());
        let has = |s: &SaveAs| ending.as_ref().is_some_and(|e| s.endings().contains(&e.as_str()));
        let other = SaveAs::all(dialog.game).into_iter().find(|s| has(s) && dialog.holds(*s));
        if let Some(other) = other.filter(|_| !has(&dialog.what)) {
            let name = dialog.name.clone();
            dialog.choose(w, other);
            dialog.name = name;
        }
    }
    if let Some(note) = &dialog.note {
        ui.colored_label(ui.visuals().warn_fg_color, note.as_str());
    }
}
