//! What could be: the what-if map of the draft, and mends for a level that cannot be solved.
//!
//! The map is made by two workers that take one (ink, spot) after the other from a common counter and put their answers into a pot, which is emptied once a
//! frame. It belongs to one version of the draft and comes last in the queue of `study.rs`. Mends are looked for once, on request, and are dropped when the
//! draft changes.

use super::{
    Document, Editing as _, Selection, Wake,
    edit::{Draft, changed},
    slot::Slot,
};
use crate::{
    analysis::{
        Report,
        mend::{self, Effort, Ended, Mend},
        what_if::{self, Brushes, Change, Effect, hardness},
    },
    game::{Game, Ink, Palette, Scene},
    grid::Spot,
    job::{Job, Limits, Probe, lock},
    picture::{Colours, Picture},
    search::parts::search_thread,
};
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
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

/// One answer of the map.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// The edit.
    pub change: Change,
    /// What is known about the level after it.
    pub answer: Report,
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
    fn what_if_base(&self) -> Option<&Report>;
    /// Makes edits as one step of undo.
    fn apply_changes(&mut self, changes: &[Change], label: &str);
    /// Looks for mends.
    fn ask_mends(&mut self);
    /// Stops looking and forgets them.
    fn drop_mends(&mut self);
    /// The mends, if they were asked for and the draft is still the same.
    fn mends(&self) -> Option<&Mends>;
    /// The draft as it would be after one, with the spots that it changes.
    fn mend_picture(&self, index: usize, colours: &Colours, cell_px: f32) -> Option<(Picture, Vec<Spot>)>;
    /// Applies one.
    fn apply_mend(&mut self, index: usize) -> Result<String, String>;
}

/// What the workers have found and nobody has fetched yet.
#[derive(Default)]
struct Pot {
    base: Option<Report>,
    found: Vec<(Change, Report)>,
    done: usize,
}

/// The map of one version of the draft.
pub(super) struct Map {
    version: u64,
    asked: WhatIf,
    palette: Palette,
    pot: Arc<Mutex<Pot>>,
    base: Option<Report>,
    waiting: Vec<(Change, Report)>,
    found: BTreeMap<Spot, Vec<Finding>>,
    progress: MapProgress,
    /// Whether its work has ended.
    pub(super) finished: bool,
}

impl Map {
    /// An empty map, and the work that fills it.
    pub(super) fn begin<G: Game>(
        level: Arc<G::Level>,
        version: u64,
        asked: WhatIf,
    ) -> (Map, impl FnOnce(&mut Probe) + Send + 'static) {
        let inks = what_if::inks::<G>(&level, asked.brushes);
        let mut spots = G::spots(&level);
        spots.retain(|s| asked.within.is_none_or(|part| part.contains(s.cell)));
        let pot: Arc<Mutex<Pot>> = Arc::default();
        let map = Map {
            version,
            asked,
            palette: G::palette(&level),
            pot: pot.clone(),
            base: None,
            waiting: Vec::new(),
            found: BTreeMap::new(),
            progress: MapProgress { done: 0, all: inks.len() * spots.len() },
            finished: false,
        };
        let tries = Tries::<G> { level, inks, spots, nodes: asked.nodes, next: AtomicUsize::new(0), pot };
        let work = move |probe: &mut Probe| {
            let mut other = probe.part(u64::MAX);
            std::thread::scope(|scope| {
                // The work is shared out piece by piece: where no second thread can be started, this one does it all.
                let _ = search_thread().spawn_scoped(scope, || tries.work(&mut other));
                tries.solve_base(probe);
                tries.work(probe);
            });
        };
        (map, work)
    }

    /// Whether this is the map of a version that was asked for like this.
    pub(super) fn is(&self, version: u64, asked: WhatIf) -> bool {
        self.version == version && self.asked == asked
    }

    pub(super) fn tick(&mut self) -> bool {
        {
            let mut pot = lock(&self.pot);
            self.base = self.base.take().or_else(|| pot.base.take());
            self.waiting.append(&mut pot.found);
            self.progress.done = pot.done;
        }
        let Some(base) = &self.base else { return false };
        let changed = !self.waiting.is_empty();
        for (change, answer) in self.waiting.drain(..) {
            let finding = Finding {
                effect: what_if::effect(&answer, base),
                what: what_if::change_words(&self.palette, &change),
                words: what_if::effect_words(&answer, base),
                answer,
                change,
            };
            self.found.entry(finding.change.spots[0]).or_default().push(finding);
        }
        changed
    }
}

/// What the workers share.
struct Tries<G: Game> {
    level: Arc<G::Level>,
    inks: Vec<Ink>,
    spots: Vec<Spot>,
    nodes: u64,
    next: AtomicUsize,
    pot: Arc<Mutex<Pot>>,
}

impl<G: Game> Tries<G> {
    fn solve_base(&self, probe: &mut Probe) {
        lock(&self.pot).base = what_if::answer::<G>(&self.level, self.nodes * BASE_SHARE, probe).ok();
    }

    /// Takes one (ink, spot) after the other until there are no more or nobody wants them.
    fn work(&self, probe: &mut Probe) {
        while probe.check().is_ok() {
            // All spots with one ink, then all with the next: the whole board gets its colours early.
            let i = self.next.fetch_add(1, Ordering::Relaxed);
            if i >= self.inks.len() * self.spots.len() {
                return;
            }
            let (ink, spot) = (self.inks[i / self.spots.len()], self.spots[i % self.spots.len()]);
            let mut found = Vec::new();
            for (change, level) in what_if::changes_at::<G>(&self.level, ink, spot) {
                let Ok(answer) = what_if::answer::<G>(&Arc::new(level), self.nodes, probe) else { return };
                found.push((change, answer));
            }
            let mut pot = lock(&self.pot);
            pot.found.append(&mut found);
            pot.done += 1;
        }
    }
}

/// The search for mends.
pub(super) struct Mending<G: Game> {
    slot: Slot<Option<Ended>>,
    /// The draft it is about, once it was asked for.
    draft: Option<Draft<G>>,
    pot: Arc<Mutex<Vec<Mend>>>,
    mends: Mends,
}

impl<G: Game> Default for Mending<G> {
    fn default() -> Mending<G> {
        Mending { slot: Slot::default(), draft: None, pot: Arc::default(), mends: Mends::default() }
    }
}

impl<G: Game> Mending<G> {
    pub(super) fn busy(&self) -> bool {
        self.slot.busy()
    }

    fn begin(&mut self, draft: Draft<G>, wake: &Wake) {
        self.pot = Arc::default();
        self.mends = Mends { running: true, ..Mends::default() };
        let (into, wake, level) = (self.pot.clone(), wake.clone(), draft.level.clone());
        self.draft = Some(draft);
        let limits = Limits { memory: Some(256 << 20), ..Limits::default() };
        let work = move |probe: &mut Probe| {
            mend::mend::<G>(&level, Effort::default(), probe, &mut |m| lock(&into).push(m)).ok()
        };
        self.slot.start(move || Job::spawn(limits, move || wake(), work));
    }

    fn end(&mut self) {
        self.slot.stop();
        self.draft = None;
    }

    fn tick(&mut self) -> bool {
        let done = self.slot.poll();
        let Some(draft) = &self.draft else { return false };
        let found = std::mem::take(&mut *lock(&self.pot));
        let changed = done.is_some() || !found.is_empty();
        let palette = G::palette(&draft.level);
        for mend in found {
            let what = match mend.command {
                Some(id) => G::commands().iter().find(|c| c.id == id).map_or_else(|| id.into(), |c| c.name.to_string()),
                None => {
                    let words = mend.changes.iter().map(|c| what_if::change_with_place(&palette, c));
                    words.collect::<Vec<_>>().join(", ")
                }
            };
            let still = if mend.answer.measure().is_none() { "then still " } else { "" };
            let words = format!("{still}{}", mend.answer.measure_text());
            // Brushes that differ in their direction only have one name; the first of them stands for all.
            if self.mends.found.iter().all(|(_, w, m)| (w, m) != (&what, &words)) {
                self.mends.found.push((mend, what, words));
            }
        }
        if let Some(done) = done {
            self.mends.running = false;
            match done {
                Ok(ended) => self.mends.ended = ended,
                Err(message) => self.mends.failed = Some(message),
            }
        }
        changed
    }
}

impl<G: Game> Document<G> {
    /// Takes in mends that were found. Those of another draft are dropped.
    pub(super) fn tick_mends(&mut self) -> bool {
        let version = self.draft().version;
        if self.mending.draft.as_ref().is_some_and(|d| d.version != version) {
            self.mending.end();
        }
        self.mending.tick()
    }

    /// The map, if it is about the draft as it is, or was before the stroke that is under way.
    fn map(&self) -> Option<&Map> {
        self.study.map.as_ref().filter(|m| m.version == self.draft().version)
    }
}

fn painted<G: Game>(level: &G::Level, changes: &[Change]) -> G::Level {
    let size = G::size(level);
    let mut next = level.clone();
    for change in changes.iter().filter(|c| c.spots.iter().all(|s| size.contains(s.cell))) {
        G::paint(&mut next, change.ink, &change.spots);
    }
    next
}

/// A position of a level, or the level as a draft, with nothing in hand and nothing moving.
pub(super) fn drawn<G: Game>(level: &G::Level, state: Option<&G::State>, colours: &Colours, cell_px: f32) -> Picture {
    let mut picture = Picture::default();
    G::draw(&mut picture, &Scene { level, state, ui: None, motion: None, nudge: None, colours, cell_px });
    picture
}

impl<G: Game> Exploring for Document<G> {
    fn ask_what_if(&mut self, asked: Option<WhatIf>) {
        if self.study.map_asked != asked {
            self.study.map_asked = asked;
            self.study.map = None;
            (self.wake)();
        }
    }
    fn what_if(&self) -> Option<WhatIf> {
        self.study.map_asked
    }
    fn findings(&self, spot: Spot) -> &[Finding] {
        self.map().and_then(|m| m.found.get(&spot)).map_or(&[], Vec::as_slice)
    }
    fn all_findings(&self) -> Vec<(Spot, &[Finding])> {
        let map = self.map();
        map.map_or_else(Vec::new, |m| m.found.iter().map(|(s, f)| (*s, f.as_slice())).collect())
    }
    fn what_if_progress(&self) -> MapProgress {
        self.map().map(|m| m.progress).unwrap_or_default()
    }
    fn what_if_base(&self) -> Option<&Report> {
        self.map()?.base.as_ref()
    }
    fn apply_changes(&mut self, changes: &[Change], label: &str) {
        let next = painted::<G>(self.level(), changes);
        self.change(label, |level| *level = next);
    }
    fn ask_mends(&mut self) {
        self.mending.begin(self.edit.draft().clone(), &self.wake);
    }
    fn drop_mends(&mut self) {
        self.mending.end();
    }
    fn mends(&self) -> Option<&Mends> {
        let draft = self.mending.draft.as_ref()?;
        (draft.version == self.draft().version).then_some(&self.mending.mends)
    }
    fn mend_picture(&self, index: usize, colours: &Colours, cell_px: f32) -> Option<(Picture, Vec<Spot>)> {
        let (mend, ..) = self.mends()?.found.get(index)?;
        let mut level = painted::<G>(self.level(), &mend.changes);
        let mut spots: Vec<Spot> = mend.changes.iter().flat_map(|c| c.spots.iter().copied()).collect();
        if let Some(id) = mend.command {
            G::command(&mut level, id, 0).ok()?;
            spots.extend(changed::<G>(self.level(), &level));
        }
        Some((drawn::<G>(&level, None, colours, cell_px), spots))
    }
    fn apply_mend(&mut self, index: usize) -> Result<String, String> {
        let Some((mend, what, _)) = self.mends().and_then(|m| m.found.get(index)).cloned() else {
            return Err("that fix belongs to another draft".into());
        };
        match mend.command {
            Some(id) => self.run_command(id, 0),
            None => {
                self.apply_changes(&mend.changes, &format!("fix: {what}"));
                Ok(format!("fixed: {what}"))
            }
        }
    }
}

/// The finding to show for a spot: the hardest that is solvable, or the easiest; where none is, what is known at all.
pub fn notable(findings: &[Finding], hardest: bool) -> Option<&Finding> {
    let key = |f: &&Finding| hardness(&f.answer).map(|h| if hardest { h } else { -h });
    findings.iter().filter(|f| f.answer.solved()).max_by_key(key).or_else(|| {
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
    fits.min_by_key(|f| hardness(&f.answer).map(|h| if harder { h } else { -h }))
}
