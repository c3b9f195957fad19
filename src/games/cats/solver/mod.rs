//! Solving: fewest steps and fewest drags, both with proof.
//!
//! **There are no dead ends.** A step that takes no cat can be taken back, and a cat that is gone (a shape that has left) only makes room. So
//! whatever could be reached once can still be reached, as far as it matters, and a level that can be won can be won from everywhere.
//! The first solution is therefore found cat by cat ([`dive`]), each time from where the last one left the board; and if no further cat
//! can be taken from some position, exhausting that position's surroundings, with the cats as they are, proves the level unsolvable.
//!
//! **Steps** then: the limit is raised one by one from the bound ([`bounded`], with the reductions of [`steps`]) until there is a solution, or
//! none below the one known. Where the limit climbs far above the bound without the search growing much (crowded boards, where
//! shapes must make way over and over), the layers repeat each other's work, and plain A* takes over.
//! **Drags**: A* over whole drags ([`drags`]).
//!
//! Every line is found again step by step through the rules before it is given out ([`line`]).
//!
//! Not attempted: dominance between positions that differ only in the cats gone, bounds from three colours, symmetric boards.

mod board;
mod colours;
mod drags;
mod line;
mod steps;

use super::{Cats, Level, State, Step, rules};
use crate::{
    analysis::rate::{self, Metrics},
    game::{Goal, Rules as _, Solve, Status},
    job::{Mode, Probe, Stop},
    search::{
        best_first::{Root, Tables, Way, bounded, cheapest, dive, weighted},
        driver::{Flow, Known, Plan, Whole},
    },
};
use board::Board;
use drags::Drags;
use line::Beginning;
use std::sync::{Arc, Mutex, PoisonError};
use steps::Steps;

/// Nodes spent on bettering the first solution before the proof begins.
const BETTERING: u64 = 20_000;
/// A* takes over when the limit is this far above the bound and a layer is less than twice the one before.
const FAR_ABOVE: u32 = 8;

impl Solve for Cats {
    const GOALS: &'static [Goal] =
        &[Goal { id: "steps", name: "fewest steps", count: 0 }, Goal { id: "drags", name: "fewest drags", count: 1 }];

    fn difficulty(_level: &Level, metrics: &Metrics) -> Option<f64> {
        // Drags are what a person decides on, but a drag around corners is more to see than a push: so the steps of the solution weigh in too, by half,
        // and the search for it by a quarter.
        let part = |n: f64| (1.0 + n).log2();
        let effort =
            part(f64::from(metrics.minimum)) + 0.5 * part(metrics.moves as f64) + 0.25 * part(metrics.nodes as f64);
        Some(rate::scale(effort, 12.0))
    }

    fn stages(level: &Level, from: &State, goal: usize, _: Mode) -> Plan<Step> {
        match board::floor_cells(level) {
            0..=64 => plan::<1>(level, from, goal == 1),
            65..=128 => plan::<2>(level, from, goal == 1),
            129..=512 => plan::<8>(level, from, goal == 1),
            _ => plan::<64>(level, from, goal == 1),
        }
    }
}

fn plan<const W: usize>(level: &Level, from: &State, drags: bool) -> Plan<Step> {
    let question = Arc::new(Question::<W> { level: level.clone(), from: from.clone(), drags, board: Mutex::default() });
    let [one, two, three] = [(); 3].map(|()| question.clone());
    Plan::best(vec![
        Whole::stage("cat by cat", true, move |known, probe| one.search(known, probe, |s, p| s.first(p))),
        Whole::stage("weighted", true, move |known, probe| two.search(known, probe, |s, p| s.better(p))),
        Whole::stage("proof", true, move |known, probe| three.search(known, probe, |s, p| s.prove(p))),
    ])
}

/// What is asked, and the tables that all stages share once one of them has made them.
struct Question<const W: usize> {
    level: Level,
    from: State,
    drags: bool,
    board: Mutex<Option<Arc<Board<W>>>>,
}

impl<const W: usize> Question<W> {
    fn board(&self, probe: &mut Probe) -> Result<Arc<Board<W>>, Stop> {
        let mut board = self.board.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ready) = &*board {
            return Ok(ready.clone());
        }
        let made = Arc::new(Board::new(&self.level, &self.from, probe)?);
        *board = Some(made.clone());
        Ok(made)
    }

    /// Answers what can be answered without a search, or makes one ready and runs `stage` on it.
    fn search(
        &self,
        known: &mut Known<'_, Step>,
        probe: &mut Probe,
        stage: fn(&mut Search<'_, '_, W>, &mut Probe) -> Result<Flow, Stop>,
    ) -> Result<Flow, Stop> {
        if Cats::status(&self.level, &self.from) == Status::Won {
            known.better(0, Vec::new(), probe);
            return Ok(Flow::Proven);
        }
        let begin = line::beginnings(&self.level, &self.from, self.drags);
        let mut space = Steps::<W>::new(self.board(probe)?);
        let start = space.words(&self.level, &self.from);
        if begin.is_empty() || space.hopeless(&start) {
            return Ok(Flow::Proven);
        }
        let tables = Tables::new(space.colours.len());
        let root = |(state, line): &Beginning| {
            let state = space.words(&self.level, state);
            let bound = space.bound(&state);
            Root { state, cost: line.len() as u32, bound }
        };
        let roots: Vec<Root> = begin.iter().map(root).collect();
        stage(&mut Search { question: self, begin, space, tables, roots, known }, probe)
    }
}

/// One stage on its way.
struct Search<'a, 'k, const W: usize> {
    question: &'a Question<W>,
    begin: Vec<Beginning>,
    space: Steps<W>,
    tables: Tables,
    roots: Vec<Root>,
    known: &'a mut Known<'k, Step>,
}

impl<const W: usize> Search<'_, '_, W> {
    fn keep(&mut self, line: Option<Vec<Step>>, probe: &mut Probe) {
        let line = line.expect("a way of the search replays through the rules");
        let cost = if self.question.drags { rules::drags(&line) } else { line.len() as u32 };
        self.known.better(cost, line, probe);
    }

    fn keep_steps(&mut self, way: &Way, probe: &mut Probe) {
        let line = line::of_steps(&self.question.level, &mut self.space, &self.begin, way);
        self.keep(line, probe);
    }

    fn keep_drags(&mut self, space: &mut Drags<W>, way: &Way, probe: &mut Probe) {
        let line = line::of_drags(&self.question.level, &mut space.steps, &self.begin, way);
        self.keep(line, probe);
    }

    /// A first solution; without one the level is proven unsolvable.
    fn first(&mut self, probe: &mut Probe) -> Result<Flow, Stop> {
        let Some(way) = dive(&mut self.space, &mut self.tables, &self.roots, 2, probe)? else {
            return Ok(Flow::Proven);
        };
        self.keep_steps(&way, probe);
        Ok(Flow::Done)
    }

    /// A better one, within a few nodes.
    fn better(&mut self, probe: &mut Probe) -> Result<Flow, Stop> {
        let below = self.known.below();
        if self.question.drags {
            let (mut space, roots) = self.drag_space(probe)?;
            let found = probe.turn(BETTERING / 10, |p| weighted(&mut space, &mut self.tables, &roots, 2, below, p))?;
            if let Some(Some(way)) = found {
                self.keep_drags(&mut space, &way, probe);
            }
            return Ok(Flow::Done);
        }
        self.raise_to_roots(probe);
        if self.known.bound() >= below {
            return Ok(Flow::Proven);
        }
        match probe.turn(BETTERING, |p| weighted(&mut self.space, &mut self.tables, &self.roots, 2, below, p))? {
            Some(Some(way)) => self.keep_steps(&way, probe),
            Some(None) => return Ok(Flow::Proven),
            None => {}
        }
        Ok(Flow::Done)
    }

    fn raise_to_roots(&mut self, probe: &mut Probe) {
        let least = self.roots.iter().map(|r| r.cost + r.bound).min().unwrap_or(0);
        self.known.raise_bound(least, probe);
    }

    /// The best, with its proof.
    fn prove(&mut self, probe: &mut Probe) -> Result<Flow, Stop> {
        if self.question.drags { self.prove_drags(probe) } else { self.prove_steps(probe) }
    }

    fn prove_steps(&mut self, probe: &mut Probe) -> Result<Flow, Stop> {
        self.raise_to_roots(probe);
        let start = self.known.bound();
        let mut last = u64::MAX;
        while self.known.bound() < self.known.below() {
            let limit = self.known.bound();
            let before = probe.progress.nodes;
            if let Some(way) = bounded(&mut self.space, &mut self.tables, &self.roots, limit, probe)? {
                self.keep_steps(&way, probe);
                return Ok(Flow::Proven);
            }
            self.known.raise_bound(limit + 1, probe);
            let layer = probe.progress.nodes - before;
            if limit >= start + FAR_ABOVE && layer / 2 < last {
                let below = self.known.below();
                if let Some(way) = cheapest(&mut self.space, &mut self.tables, &self.roots, below, false, probe)? {
                    self.keep_steps(&way, probe);
                }
                return Ok(Flow::Proven);
            }
            last = layer;
        }
        Ok(Flow::Proven)
    }

    fn drag_space(&mut self, probe: &mut Probe) -> Result<(Drags<W>, Vec<Root>), Stop> {
        let question = self.question;
        let mut space = Drags::new(Steps::<W>::new(question.board(probe)?));
        let mut roots = Vec::new();
        for (state, line) in &self.begin {
            let state = space.steps.words(&question.level, state);
            let bound = space.bound(&state, u32::from(u8::MAX), probe)?;
            roots.push(Root { state, cost: u32::from(!line.is_empty()), bound });
        }
        let least = roots.iter().map(|r| r.cost + r.bound).min().unwrap_or(0);
        self.known.raise_bound(least, probe);
        Ok((space, roots))
    }

    fn prove_drags(&mut self, probe: &mut Probe) -> Result<Flow, Stop> {
        let (mut space, roots) = self.drag_space(probe)?;
        let below = self.known.below();
        let found = cheapest(&mut space, &mut self.tables, &roots, below, true, probe);
        // What the search has proven counts even where it was stopped.
        self.known.raise_bound(probe.progress.bound, probe);
        if let Some(way) = found? {
            self.keep_drags(&mut space, &way, probe);
        }
        Ok(Flow::Proven)
    }
}
