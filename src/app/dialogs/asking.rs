//! Dialogs about what is kept: a new game, recovered drafts, earlier versions of a file.

use super::{Dialog, Step, default_button};
use crate::{
    app::{
        canvas,
        rescue::ago,
        theme::egui_colour,
        workshop::{Mode, Workshop},
    },
    disk::{LevelId, last_part, read_bytes},
    document::{Board, Doc, Wake},
    formats, games,
    job::{Job, Limits},
    memory::{
        backups::{Version, versions},
        records::now,
    },
    picture::{Area, Colours, Picture},
};
use egui::{RichText, Ui, vec2};
use std::path::{Path, PathBuf};

/// Asks before a campaign starts over.
pub(in crate::app) fn new_game(ui: &mut Ui, w: &mut Workshop, game: &'static str) -> Step {
    let Some(any) = games::by_id(game) else { return Step::Done };
    let done = w.services.keeper.records().campaign(game).map_or(0, |c| c.won().count());
    ui.label(format!("Start the campaign of {} over?", any.info().name));
    let text = match done {
        1 => "It forgets the level you have won in it, with its stars.".into(),
        _ => format!("It forgets the {done} levels you have won in it, with their stars."),
    };
    ui.label(format!("{text} Your best results stay in the Library, and a copy of the old records is kept."));
    ui.add_space(6.0);
    // Enter keeps what there is.
    match ui.horizontal(|ui| (ui.button("Start over").clicked(), default_button(ui, "Cancel"))).inner {
        (true, _) => {
            w.new_game(game);
            Step::Done
        }
        (_, true) => Step::Done,
        _ => Step::Keep(Dialog::NewGame { game }),
    }
}

/// What is to be thrown away, once the user is sure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Discard {
    /// One draft, by its place in the list.
    One(usize),
    /// All of them.
    All,
}

/// Offers the drafts of programs that died.
pub(in crate::app) fn recovered(ui: &mut Ui, w: &mut Workshop, discard: Option<Discard>) -> Step {
    if let Some(what) = discard {
        return sure(ui, w, what);
    }
    if w.services.rescue.left.is_empty() {
        return Step::Done;
    }
    ui.label("Tilewright did not close properly last time. These levels were not saved:");
    ui.add_space(4.0);
    let mut chosen = None;
    let height = (ui.ctx().content_rect().height() - 220.0).max(80.0);
    egui::ScrollArea::vertical().max_height(height).show(ui, |ui| chosen = drafts(ui, w));
    ui.add_space(6.0);
    let (mut all, mut later, mut next) = (false, false, None);
    ui.horizontal(|ui| {
        all = default_button(ui, "Restore all");
        if ui.button("Discard all…").clicked() {
            next = Some(Discard::All);
        }
        later = ui.button("Later").on_hover_text("They stay on the start page").clicked();
    });
    if all {
        for index in (0..w.services.rescue.left.len()).rev() {
            w.restore(index);
        }
    }
    match chosen {
        Some((index, true)) => w.restore(index),
        Some((index, false)) => next = Some(Discard::One(index)),
        None => {}
    }
    if later || w.services.rescue.left.is_empty() {
        Step::Done
    } else {
        Step::Keep(Dialog::Recovered { discard: next })
    }
}

/// The list of recovered drafts; the one chosen, and whether it is to be restored.
pub fn drafts(ui: &mut Ui, w: &Workshop) -> Option<(usize, bool)> {
    let mut chosen = None;
    for (i, left) in w.services.rescue.left.iter().enumerate() {
        let draft = &left.draft;
        ui.horizontal_wrapped(|ui| {
            let name = format!("Restore {}", draft.title);
            if ui.button("Restore").on_hover_text(&name).accessible_name(&name).clicked() {
                chosen = Some((i, true));
            }
            let name = format!("Discard {}", draft.title);
            if ui.button("Discard…").on_hover_text(&name).accessible_name(&name).clicked() {
                chosen = Some((i, false));
            }
            let place = match &draft.from {
                Some(path) => last_part(path),
                None => "never saved".into(),
            };
            let label = ui.label(RichText::new(&draft.title).strong());
            if let Some(path) = &draft.from {
                label.on_hover_text(path.display().to_string());
            }
            ui.weak(format!("{place}, {}", ago(now().saturating_sub(draft.at))));
        });
    }
    chosen
}

fn sure(ui: &mut Ui, w: &mut Workshop, what: Discard) -> Step {
    let text = match what {
        Discard::One(index) => match w.services.rescue.left.get(index) {
            Some(left) => format!("Discard the unsaved changes of \"{}\" for good?", left.draft.title),
            None => return Step::Done,
        },
        Discard::All => format!("Discard all {} recovered drafts for good?", w.services.rescue.left.len()),
    };
    ui.label(text);
    ui.add_space(6.0);
    let answer = ui.horizontal(|ui| (ui.button("Discard for good").clicked(), default_button(ui, "Cancel")));
    match answer.inner {
        (true, _) => {
            match what {
                Discard::One(index) => w.discard_draft(index),
                Discard::All => (0..w.services.rescue.left.len()).rev().for_each(|i| w.discard_draft(i)),
            }
            Step::Keep(Dialog::Recovered { discard: None })
        }
        (_, true) => Step::Keep(Dialog::Recovered { discard: None }),
        _ => Step::Keep(Dialog::Recovered { discard: Some(what) }),
    }
}

/// An earlier version as it is shown.
struct Row {
    version: Version,
    doc: Result<Box<dyn Doc>, String>,
    picture: Picture,
    extent: Area,
}

/// The versions of one file, read in the background.
pub struct Versions {
    path: PathBuf,
    job: Option<Job<Vec<Row>>>,
    rows: Vec<Row>,
}

impl Versions {
    /// Looks for the versions of a file.
    pub fn look(root: &Path, path: &Path, colours: Colours, wake: Wake) -> Versions {
        let (root, file) = (root.to_path_buf(), path.to_path_buf());
        let work = move |_: &mut crate::job::Probe| {
            versions(&root, &file).into_iter().map(|v| row(v, &colours)).collect::<Vec<_>>()
        };
        let job = Job::spawn(Limits::default(), move || wake(), work);
        Versions { path: path.to_path_buf(), job: Some(job), rows: Vec::new() }
    }

    /// Whether they are still being read.
    pub fn busy(&self) -> bool {
        self.job.is_some()
    }
}

fn row(version: Version, colours: &Colours) -> Row {
    let bytes = read_bytes(&version.file).map_err(|t| t.to_string());
    let docs = bytes.and_then(|b| formats::read(&b).map_err(|f| f.to_string()));
    let mut doc = docs.and_then(|d| d.into_iter().next().ok_or_else(|| "it holds no level".into()));
    let (mut picture, mut extent) = (Picture::default(), Area::new(0.0, 0.0, 1.0, 1.0));
    if let Ok(doc) = &mut doc {
        let board = if doc.play_from_start() { Board::Play } else { Board::Draft };
        (picture, extent) = (doc.picture(board, colours, 6.0), doc.extent(board));
    }
    Row { version, doc, picture, extent }
}

/// Lists the versions; one can be opened as a new level.
pub(in crate::app) fn earlier(ui: &mut Ui, w: &mut Workshop, mut list: Versions) -> Step {
    if let Some(rows) = list.job.as_ref().and_then(Job::poll) {
        list.job = None;
        list.rows = rows.unwrap_or_default();
    }
    ui.label(RichText::new(list.path.display().to_string()).weak());
    if list.busy() {
        ui.spinner();
    } else if list.rows.is_empty() {
        ui.label("There are none yet: one is kept each time this file is saved.");
    }
    let mut chosen = None;
    let height = (ui.ctx().content_rect().height() - 200.0).max(80.0);
    egui::ScrollArea::vertical().max_height(height).auto_shrink([false, true]).show(ui, |ui| {
        for (i, row) in list.rows.iter().enumerate() {
            ui.horizontal(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(52.0, 52.0), egui::Sense::hover());
                ui.painter().rect_filled(rect, 5.0, egui_colour(w.colours.back));
                canvas::fit(ui.painter(), rect.shrink(3.0), row.extent, &row.picture);
                ui.vertical(|ui| {
                    let age = ago((now() * 1000).saturating_sub(row.version.at) / 1000);
                    ui.label(format!("{} · {:.1} kB", age, row.version.size as f64 / 1000.0));
                    match &row.doc {
                        Ok(_) => {
                            let name = format!("Open version {} of {}", i + 1, list.rows.len());
                            if ui.button("Open as a new level").accessible_name(name).clicked() {
                                chosen = Some(i);
                            }
                        }
                        Err(why) => drop(ui.colored_label(ui.visuals().warn_fg_color, why)),
                    }
                });
            });
        }
    });
    if let Some(doc) = chosen.and_then(|i| list.rows.swap_remove(i).doc.ok()) {
        let mut doc = doc.duplicate();
        doc.mark_unsaved();
        w.add(doc, LevelId::New, Mode::Edit);
        w.say("opened an earlier version as a new, unsaved level");
        return Step::Done;
    }
    ui.add_space(6.0);
    super::until(default_button(ui, "Close"), Dialog::Versions(Box::new(list)))
}
