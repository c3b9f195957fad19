//! What could be: the what-if map of the draft, and mends for a level that cannot be solved.
//!
//! The map is made by two workers that take one (ink, spot) after the other from a common counter and put their answers into a pot, which is emptied once a frame.
//! It belongs to one draft: when the draft has changed, it is begun again. Mends are looked for once, on request, and are
//! dropped when the draft changes.

use super::{Document, Editing as _, Wake};
use crate::{
    analysis::mend::{self, Effort, Ended, Mend},
    analysis::what_if::{self, Answer, Brushes, Change, Effect},
    document::Selection,
    game::{Ink, Palette, Puzzle, Scene},
    grid::Spot,
    job::{Job, Limits},
    picture::{Colours, Picture},
};
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// What the map is asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WhatIf {
    /// The inks to try.
    pub brushes: Brushes,
    /// Only in this part of the board.
    pub within: Option<Selection>,
    /// Nodes for each answer.
    pub nodes: u64,
}

impl WhatIf {
    /// A map of these inks on the whole board.
    pub fn of(brushes: Brushes) -> WhatIf {
        WhatIf { brushes, within: None, nodes: NODES }
    }
}

/// Enough for the small levels of all games, and little enough that a board of a hundred cells takes seconds.
const NODES: u64 = 20_000;

/// The level itself is solved once, with this many times the nodes.
const BASE_SHARE: u64 = 10;

const WORKERS: usize = 2;

/// One answer of the map.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The edit.
    pub change: Change,
    /// What is known about the level after it.
    pub answer: Answer,
    /// What that means.
    pub effect: Effect,
    /// The edit in words: "wall".
    pub what: String,
    /// What it does in words: "14 steps instead of 12 steps".
    pub words: String,
}

/// How far the map is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MapProgress {
    /// Tried so far.
    pub done: usize,
    /// To be tried.
    pub all: usize,
}

/// The mends of a draft.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Mends {
    /// What was found so far, with words for each: "floor at 3,2", "12 steps".
    pub found: Vec<(Mend, String, String)>,
    /// Whether the search goes on.
    pub running: bool,
    /// How it ended.
    pub ended: Option<Ended>,
    /// What went wrong.
    pub failed: Option<String>,
}

/// What could be done with a draft.
pub trait Exploring {
    /// Asks for a map, or for none any more.
    fn ask_what_if(&mut self, asked: Option<WhatIf>);
    /// What was asked for.
    fn what_if(&self) -> Option<WhatIf>;
    /// What the map says about a spot so far.
    fn findings(&self, spot: Spot) -> &[Finding];
    /// All that it says.
    fn all_findings(&self) -> Vec<(Spot, &[Finding])>;
    /// How far it is.
    fn what_if_progress(&self) -> MapProgress;
    /// What is known about the level as it is.
    fn what_if_base(&self) -> Option<(Answer, String)>;
    /// Makes edits as one step of undo.
    fn apply_changes(&mut self, changes: &[Change], label: &str);
    /// The draft as it would be after edits.
    fn picture_after(&self, changes: &[Change], colours: &Colours, cell_px: f32) -> Picture;
    /// Looks for mends.
    fn ask_mends(&mut self);
    /// Stops looking and forgets them.
    fn drop_mends(&mut self);
    /// The mends, if they were asked for and the draft is still the same.
    fn mends(&self) -> Option<&Mends>;
    /// The draft as it would be after one.
    fn mend_picture(&self, index: usize, colours: &Colours, cell_px: f32) -> Option<Picture>;
    /// Applies one.
    fn apply_mend(&mut self, index: usize) -> Result<String, String>;
}

/// What the workers have found and nobody has fetched yet.
#[derive(Default)]
struct Pot {
    base: Option<Answer>,
    found: Vec<(Change, Answer)>,
    done: usize,
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Map<G: Puzzle> {
    level: G::Level,
    palette: Palette,
    jobs: Vec<Job<()>>,
    pot: Arc<Mutex<Pot>>,
    base: Option<Answer>,
    waiting: Vec<(Change, Answer)>,
    found: BTreeMap<Spot, Vec<Finding>>,
    progress: MapProgress,
}

impl<G: Puzzle> Map<G> {
    fn begin(level: &G::Level, asked: WhatIf, wake: &Wake) -> Map<G> {
        let inks = what_if::inks::<G>(level, asked.brushes);
        let mut spots = G::spots(level);
        spots.retain(|s| asked.within.is_none_or(|part| part.contains(s.cell)));
        let all = inks.len() * spots.len();
        let pot: Arc<Mutex<Pot>> = Arc::default();
        let work = Arc::new((level.clone(), inks, spots, AtomicUsize::new(0)));
        let jobs = (0..WORKERS).map(|worker| {
            let (work, pot, wake) = (work.clone(), pot.clone(), wake.clone());
            Job::spawn(
                Limits { memory: Some(256 << 20), ..Limits::default() },
                move || wake(),
                move |probe| {
                    let (level, inks, spots, next) = &*work;
                    if worker == 0 {
                        let Ok(base) = what_if::answer::<G>(level, asked.nodes * BASE_SHARE, probe) else { return };
                        lock(&pot).base = Some(base);
                    }
                    loop {
                        // All spots with one ink, then all with the next: the whole board gets its colours early.
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        if spots.is_empty() || i >= inks.len() * spots.len() {
                            return;
                        }
                        let mut found = Vec::new();
                        for (change, level) in
                            what_if::changes_at::<G>(level, inks[i / spots.len()], spots[i % spots.len()])
                        {
                            let Ok(answer) = what_if::answer::<G>(&level, asked.nodes, probe) else { return };
                            found.push((change, answer));
                        }
                        let mut pot = lock(&pot);
                        pot.found.append(&mut found);
                        pot.done += 1;
                        drop(pot);
                        if probe.check().is_err() {
                            return;
                        }
                    }
                },
            )
        });
        Map {
            level: level.clone(),
            palette: G::palette(level),
            jobs: jobs.collect(),
            pot,
            base: None,
            waiting: Vec::new(),
            found: BTreeMap::new(),
            progress: MapProgress { done: 0, all },
        }
    }

    fn tick(&mut self) -> bool {
        let before = self.jobs.len();
        self.jobs.retain(|job| job.poll().is_none());
        {
            let mut pot = lock(&self.pot);
            self.base = pot.base;
            self.waiting.append(&mut pot.found);
            self.progress.done = pot.done;
        }
        let Some(base) = self.base else { return before != self.jobs.len() };
        let changed = !self.waiting.is_empty() || before != self.jobs.len();
        for (change, answer) in self.waiting.drain(..) {
            let finding = Finding {
                effect: answer.against(base),
                what: what_if::change_words(&self.palette, &change),
                words: what_if::effect_words::<G>(answer, base),
                answer,
                change,
            };
            self.found.entry(finding.change.spots[0]).or_default().push(finding);
        }
        changed
    }
}

struct Mending<G: Puzzle> {
    level: G::Level,
    job: Option<Job<Option<Ended>>>,
    pot: Arc<Mutex<Vec<Mend>>>,
    mends: Mends,
}

pub(super) struct Explore<G: Puzzle> {
    asked: Option<WhatIf>,
    map: Option<Map<G>>,
    mending: Option<Mending<G>>,
}

impl<G: Puzzle> Default for Explore<G> {
    fn default() -> Explore<G> {
        Explore { asked: None, map: None, mending: None }
    }
}

impl<G: Puzzle> Explore<G> {
    pub(super) fn busy(&self) -> bool {
        let mapping = self.map.as_ref().map_or(self.asked.is_some(), |m| !m.jobs.is_empty());
        mapping || self.mending.as_ref().is_some_and(|m| m.job.is_some())
    }

    /// Takes in what was found.
    pub(super) fn tick(&mut self, draft: &G::Level, wake: &Wake) -> bool {
        let mut changed = false;
        if let Some(asked) = self.asked
            && self.map.as_ref().is_none_or(|m| m.level != *draft)
        {
            self.map = Some(Map::begin(draft, asked, wake));
            changed = true;
        }
        if let Some(map) = &mut self.map {
            changed |= map.tick();
        }
        if self.mending.as_ref().is_some_and(|m| m.level != *draft) {
            self.mending = None;
            changed = true;
        }
        if let Some(mending) = &mut self.mending {
            changed |= mending.tick();
        }
        changed
    }
}

impl<G: Puzzle> Mending<G> {
    fn begin(level: &G::Level, wake: &Wake) -> Mending<G> {
        let pot: Arc<Mutex<Vec<Mend>>> = Arc::default();
        let (into, wake, draft) = (pot.clone(), wake.clone(), level.clone());
        let job = Job::spawn(
            Limits { memory: Some(256 << 20), ..Limits::default() },
            move || wake(),
            move |probe| mend::mend::<G>(&draft, Effort::default(), probe, &mut |m| lock(&into).push(m)).ok(),
        );
        let mends = Mends { running: true, ..Mends::default() };
        Mending { level: level.clone(), job: Some(job), pot, mends }
    }

    fn tick(&mut self) -> bool {
        let done = self.job.as_ref().and_then(Job::poll);
        let found = std::mem::take(&mut *lock(&self.pot));
        let changed = done.is_some() || !found.is_empty();
        let palette = G::palette(&self.level);
        for mend in found {
            let what = match mend.command {
                Some(id) => G::commands().iter().find(|c| c.id == id).map_or_else(|| id.into(), |c| c.name.to_string()),
                None => {
                    let at = |c: &Change| {
                        let cell = c.spots[0].cell;
                        format!("{} at {},{}", what_if::change_words(&palette, c), cell.x, cell.y)
                    };
                    mend.changes.iter().map(at).collect::<Vec<_>>().join(", ")
                }
            };
            let words = what_if::answer_words::<G>(mend.answer);
            self.mends.found.push((mend, what, words));
        }
        if let Some(done) = done {
            self.job = None;
            self.mends.running = false;
            match done {
                Ok(ended) => self.mends.ended = ended,
                Err(message) => self.mends.failed = Some(message),
            }
        }
        changed
    }
}

fn painted<G: Puzzle>(level: &G::Level, changes: &[Change]) -> G::Level {
    let size = G::size(level);
    let mut next = level.clone();
    for change in changes.iter().filter(|c| c.spots.iter().all(|s| size.contains(s.cell))) {
        G::paint(&mut next, change.ink, &change.spots);
    }
    next
}

fn drawn<G: Puzzle>(level: &G::Level, colours: &Colours, cell_px: f32) -> Picture {
    let mut picture = Picture::default();
    G::draw(&mut picture, &Scene { level, state: None, ui: None, motion: None, colours, cell_px });
    picture
}

impl<G: Puzzle> Exploring for Document<G> {
    fn ask_what_if(&mut self, asked: Option<WhatIf>) {
        if self.explore.asked != asked {
            self.explore.asked = asked;
            self.explore.map = None;
            (self.wake)();
        }
    }
    fn what_if(&self) -> Option<WhatIf> {
        self.explore.asked
    }
    fn findings(&self, spot: Spot) -> &[Finding] {
        self.explore.map.as_ref().and_then(|m| m.found.get(&spot)).map_or(&[], Vec::as_slice)
    }
    fn all_findings(&self) -> Vec<(Spot, &[Finding])> {
        let map = self.explore.map.as_ref();
        map.map_or_else(Vec::new, |m| m.found.iter().map(|(s, f)| (*s, f.as_slice())).collect())
    }
    fn what_if_progress(&self) -> MapProgress {
        self.explore.map.as_ref().map(|m| m.progress).unwrap_or_default()
    }
    fn what_if_base(&self) -> Option<(Answer, String)> {
        let base = self.explore.map.as_ref()?.base?;
        Some((base, what_if::answer_words::<G>(base)))
    }
    fn apply_changes(&mut self, changes: &[Change], label: &str) {
        let next = painted::<G>(self.level(), changes);
        self.change(label, |level| *level = next);
    }
    fn picture_after(&self, changes: &[Change], colours: &Colours, cell_px: f32) -> Picture {
        drawn::<G>(&painted::<G>(self.level(), changes), colours, cell_px)
    }
    fn ask_mends(&mut self) {
        self.explore.mending = Some(Mending::begin(self.level(), &self.wake));
    }
    fn drop_mends(&mut self) {
        self.explore.mending = None;
    }
    fn mends(&self) -> Option<&Mends> {
        self.explore.mending.as_ref().map(|m| &m.mends)
    }
    fn mend_picture(&self, index: usize, colours: &Colours, cell_px: f32) -> Option<Picture> {
        let (mend, ..) = self.mends()?.found.get(index)?;
        let mut level = painted::<G>(self.level(), &mend.changes);
        if let Some(id) = mend.command {
            G::command(&mut level, id, 0).ok()?;
        }
        Some(drawn::<G>(&level, colours, cell_px))
    }
    fn apply_mend(&mut self, index: usize) -> Result<String, String> {
        let Some((mend, what, _)) = self.mends().and_then(|m| m.found.get(index)).cloned() else {
            return Err("that mend belongs to another draft".into());
        };
        match mend.command {
            Some(id) => self.run_command(id, 0),
            None => {
                self.apply_changes(&mend.changes, &format!("mend: {what}"));
                Ok(format!("mended: {what}"))
            }
        }
    }
}

/// The finding to show for a spot: the hardest that is solvable, or the easiest; where none is, what is known at all.
pub fn notable(findings: &[Finding], hardest: bool) -> Option<&Finding> {
    let key = |f: &&Finding| f.answer.hardness().map(|h| if hardest { h } else { -h });
    findings.iter().filter(|f| f.answer.hardness().is_some()).max_by_key(key).or_else(|| {
        let worth = |f: &&Finding| match f.effect {
            Effect::Unsolvable => 2,
            Effect::Unknown => 1,
            _ => 0,
        };
        findings.iter().max_by_key(worth)
    })
}

/// The single edit that makes a level harder, or easier, by the least: the first in reading order among equals.
pub fn by_one<'a>(all: &[(Spot, &'a [Finding])], harder: bool) -> Option<&'a Finding> {
    let wanted = if harder { Effect::Harder } else { Effect::Easier };
    let fits = all.iter().flat_map(|(_, f)| f.iter()).filter(|f| f.effect == wanted);
    fits.min_by_key(|f| f.answer.hardness().map(|h| if harder { h } else { -h }))
}

/// The ink of a map of one brush.
pub fn brush_of(asked: WhatIf) -> Option<Ink> {
    match asked.brushes {
        Brushes::One(ink) => Some(ink),
        Brushes::All(_) | Brushes::Every => None,
    }
}
