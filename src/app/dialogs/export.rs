//! Exporting from the window: the dialog, the share code and the picture on the clipboard.
//!
//! The dialog lists [`export::ALL`] and knows none of them by name beyond the options that an exporter says it takes. The work (solving, drawing, writing the file) is
//! a job on copies of the levels, so the window goes on, and closing the dialog stops it.

use super::{Dialog, Step};
use crate::{
    app::{dialogs, files::Browse, theme::Theme, workshop::Workshop},
    disk::{self, LevelId},
    document::Doc,
    export::{self, Exporter, Options, SaveAs, Takes},
    formats,
    game::NotMade,
    games,
    job::{Job, Limits, Probe},
};
use egui::{RichText, Ui};
use std::path::{Path, PathBuf};

/// What was chosen last: the next export begins with it.
#[derive(Clone, Copy)]
struct ExportChoices {
    chosen: usize,
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
            chosen: 0,
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

/// The dialog.
pub struct ExportDialog {
    /// The id of the level it is about.
    pub(super) level: u64,
    path: String,
    browse: Option<Browse>,
    note: Option<String>,
    /// A file of that name exists and the user was told so.
    replace: bool,
    job: Option<Job<Result<String, NotMade>>>,
}

impl ExportDialog {
    /// Whether it is at work.
    pub fn busy(&self) -> bool {
        self.job.is_some()
    }
}

/// What exporting remembers while its dialog is closed.
#[derive(Default)]
pub struct ExportUi {
    choices: ExportChoices,
    /// A picture on its way to the clipboard: width, height and pixels.
    copying: Option<Job<Result<(u32, u32, Vec<u8>), NotMade>>>,
}

impl ExportUi {
    /// Whether a picture is being made for the clipboard.
    pub fn busy(&self) -> bool {
        self.copying.is_some()
    }
}

fn exporter(w: &Workshop) -> &'static Exporter {
    &export::ALL[w.export.choices.chosen.min(export::ALL.len() - 1)]
}

/// Opens the dialog for the level in front.
pub(in crate::app) fn open(w: &mut Workshop) {
    let Some(open) = w.session.current() else {
        w.say("open a level first");
        return;
    };
    let name: String =
        open.title().chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    // Beside one's levels and not among them, where a map would be listed as a level once more.
    let folder = w.library.own_folder().unwrap_or_default();
    let folder = folder.parent().map(|p| p.join("exported")).unwrap_or_default();
    let ending = exporter(w).extensions[0];
    let path = folder.join(format!("{}.{ending}", name.trim_matches('-'))).display().to_string();
    let level = open.id;
    let dialog = ExportDialog { level, path, browse: None, note: None, replace: false, job: None };
    w.dialog = Some(Dialog::Export(Box::new(dialog)));
}

/// Puts the share code of the level in front on the clipboard.
pub(in crate::app) fn copy_code(ctx: &egui::Context, w: &mut Workshop) {
    let Some(open) = w.session.current() else {
        w.say("open a level first");
        return;
    };
    let code = export::code(&*open.doc);
    w.say(format!("the share code is copied: {} letters, to paste anywhere, here too", code.len()));
    ctx.copy_text(code);
}

/// Begins to put a picture of the level in front on the clipboard.
pub(in crate::app) fn copy_picture(w: &mut Workshop) {
    let Some(open) = w.session.current() else {
        w.say("open a level first");
        return;
    };
    let (doc, wake) = (open.doc.duplicate(), w.services.wake.clone());
    let options = Options { colours: w.colours.clone(), ..Options::default() };
    w.export.copying =
        Some(Job::spawn(Limits::default(), move || wake(), move |_| export::png::pixels(&*doc, &options)));
}

/// Takes in a picture for the clipboard.
pub(in crate::app) fn tick(ctx: &egui::Context, w: &mut Workshop) {
    let Some(answer) = w.export.copying.as_ref().and_then(Job::poll) else { return };
    w.export.copying = None;
    match answer {
        Ok(Ok((width, height, pixels))) => {
            let size = [width as usize, height as usize];
            ctx.copy_image(egui::ColorImage::from_rgba_unmultiplied(size, &pixels));
            w.say(format!("a picture of {width} x {height} pixels is copied"));
        }
        Ok(Err(NotMade::Refused(text))) | Err(text) => w.complain(text),
        Ok(Err(NotMade::Stopped(_))) => {}
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

/// Reads a pack; called in the background.
fn load(source: &LevelId) -> Result<Vec<Box<dyn Doc>>, String> {
    match source {
        LevelId::Shipped(game, _) => {
            let levels = games::by_id(game).map(|g| g.info().levels).unwrap_or_default();
            let read = levels.iter().map(|t| formats::read(t.as_bytes()));
            Ok(read.collect::<Result<Vec<_>, _>>().map_err(|f| f.to_string())?.into_iter().flatten().collect())
        }
        LevelId::Member(path, _) => {
            Ok(disk::open_path(path).map_err(|t| t.to_string())?.into_iter().map(|l| l.doc).collect())
        }
        _ => Err("this level is of no pack".into()),
    }
}

fn options(w: &Workshop, level: u64, path: &Path) -> Options {
    let choices = w.export.choices;
    let theme = choices.theme.unwrap_or(w.settings.theme);
    let title = match (choices.which, w.session.level(level).map(|o| &o.level)) {
        (Which::Pack, Some(LevelId::Shipped(game, _))) => games::by_id(game).map(|g| g.info().name.to_string()),
        (Which::Pack, Some(LevelId::Member(path, _))) => path.file_stem().map(|s| s.to_string_lossy().into_owned()),
        _ => None,
    };
    Options {
        colours: if theme == w.settings.theme { w.colours.clone() } else { theme.colours() },
        cell: (!choices.fit).then_some(choices.cell),
        animate: choices.animate,
        pause: choices.pause,
        per_page: choices.per_page,
        stem: path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default(),
        title: title.unwrap_or_default(),
    }
}

/// Writes what was made; a sentence about it.
fn save(
    path: &Path,
    exporter: &'static Exporter,
    docs: &[Box<dyn Doc>],
    options: &Options,
    probe: &mut Probe,
) -> Result<String, NotMade> {
    let saved = export::save_as(docs, path, SaveAs::Export(exporter), options, None, probe)?;
    // What is always left out stood in the dialog; what this level lost in particular is said now.
    let lost: Vec<_> = saved.dropped.iter().filter(|d| !exporter.drops.contains(&d.as_str())).cloned().collect();
    let lost = if lost.is_empty() { String::new() } else { format!("; left out: {}", lost.join("; ")) };
    Ok(format!("exported {}{lost}", path.display()))
}

fn start(w: &Workshop, level: u64, path: PathBuf) -> Option<Job<Result<String, NotMade>>> {
    let exporter = exporter(w);
    let options = options(w, level, &path);
    let several = matches!(exporter.takes, Takes::Several | Takes::Any);
    let open = w.session.level(level)?;
    let same = |d: &dyn Doc| exporter.takes == Takes::Any || d.game().info().id == open.doc.game().info().id;
    let which = if several { w.export.choices.which } else { Which::This };
    let source = pack(w, level).map(|p| p.0).filter(|_| which == Which::Pack);
    let copies: Vec<_> = match which {
        Which::Open => w.session.open.iter().filter(|o| same(&*o.doc)).map(|o| export::copy(&*o.doc)).collect(),
        _ => vec![export::copy(&*open.doc)],
    };
    let wake = w.services.wake.clone();
    Some(Job::spawn(
        Limits::default(),
        move || wake(),
        move |probe| {
            let docs = match source {
                Some(source) => load(&source).map_err(NotMade::Refused)?,
                None => copies,
            };
            save(&path, exporter, &docs, &options, probe)
        },
    ))
}

pub(in crate::app) fn show(ui: &mut Ui, w: &mut Workshop, mut dialog: ExportDialog) -> Step {
    if let Some(answer) = dialog.job.as_ref().and_then(Job::poll) {
        dialog.job = None;
        match answer {
            Ok(Ok(text)) => {
                w.say(text);
                return Step::Done;
            }
            Ok(Err(NotMade::Refused(text))) | Err(text) => dialog.note = Some(text),
            Ok(Err(NotMade::Stopped(_))) => dialog.note = Some("stopped; nothing was written".into()),
        }
    }
    let before = w.export.choices.chosen;
    let height = (ui.ctx().content_rect().height() - 190.0).max(120.0);
    let running = dialog.job.is_some();
    egui::ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        // The same height for all formats: a dialog that changes its size under the pointer is a nuisance.
        ui.set_min_height((250.0 * w.settings.text_scale).min(height));
        ui.add_enabled_ui(!running, |ui| {
            formats_list(ui, w);
            let exporter = exporter(w);
            choices(ui, w, dialog.level, exporter);
            ui.add_space(4.0);
            ui.label(RichText::new("Not included").strong());
            for drop in exporter.drops {
                ui.label(RichText::new(format!("– {drop}")).weak());
            }
            ui.add_space(4.0);
        });
    });
    if w.export.choices.chosen != before {
        dialog.path = with_ending(&dialog.path, exporter(w)).display().to_string();
        (dialog.replace, dialog.note) = (false, None);
    }
    let typed = dialog.path.clone();
    ui.add_enabled_ui(!running, |ui| {
        dialogs::path_field(ui, w, &mut dialog.path, &mut dialog.browse, &mut dialog.note, true);
    });
    if dialog.path != typed {
        (dialog.replace, dialog.note) = (false, None);
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
    let (yes, no) = dialogs::buttons(ui, if dialog.replace { "Replace it" } else { "Export" });
    if no {
        return Step::Done;
    }
    if yes {
        let path = PathBuf::from(dialog.path.trim());
        let path = if path.extension().is_none() { with_ending(dialog.path.trim(), exporter(w)) } else { path };
        if path.exists() && !dialog.replace {
            dialog.note = Some(format!("{} exists: press again to replace it.", path.display()));
            dialog.replace = true;
        } else {
            (dialog.note, dialog.replace) = (None, false);
            dialog.job = start(w, dialog.level, path);
        }
    }
    Step::Keep(Dialog::Export(Box::new(dialog)))
}

fn with_ending(path: &str, exporter: &Exporter) -> PathBuf {
    let path = PathBuf::from(path);
    let known = path.extension().is_none_or(|e| export::by_ending(&e.to_string_lossy().to_lowercase()).is_some());
    if known { path.with_extension(exporter.extensions[0]) } else { path }
}

fn formats_list(ui: &mut Ui, w: &mut Workshop) {
    ui.horizontal_wrapped(|ui| {
        for (i, exporter) in export::ALL.iter().enumerate() {
            if ui.selectable_label(w.export.choices.chosen == i, exporter.name).on_hover_text(exporter.about).clicked()
            {
                w.export.choices.chosen = i;
            }
        }
    });
    ui.label(exporter(w).about);
    ui.add_space(4.0);
}

fn choices(ui: &mut Ui, w: &mut Workshop, level: u64, exporter: &Exporter) {
    let pack = pack(w, level).map(|p| p.1);
    let (open, now) = (w.session.open.len(), w.settings.theme);
    let choices = &mut w.export.choices;
    if exporter.looks {
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
                let label = ui.label("Pixels a cell");
                ui.add(egui::DragValue::new(&mut choices.cell).range(export::CELLS)).labelled_by(label.id);
            });
        });
    }
    match exporter.takes {
        Takes::One => {}
        Takes::Solution => {
            ui.horizontal(|ui| {
                let label = ui.label("Seconds a move");
                ui.add(egui::DragValue::new(&mut choices.pause).range(0.05..=5.0).speed(0.05).max_decimals(2))
                    .labelled_by(label.id);
                ui.checkbox(&mut choices.animate, "Animate moves");
            });
        }
        Takes::Several | Takes::Any => {
            let same = if exporter.takes == Takes::Several { " of this game" } else { "" };
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
    }
    if exporter.pages {
        ui.horizontal(|ui| {
            let label = ui.label("Levels a page");
            ui.add(egui::DragValue::new(&mut choices.per_page).range(export::PER_PAGE)).labelled_by(label.id);
        });
    }
}
