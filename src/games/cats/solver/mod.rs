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
    game::{Goal, Outcome, Solve, Status},
    job::{Probe, Stop},
    search::best_first::{Root, Tables, Way, bounded, cheapest, dive, weighted},
};
use drags::Drags;
use line::Beginning;
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

    fn solve(
        level: &Level,
        from: &State,
        goal: usize,
        probe: &mut Probe,
        found: &mut dyn FnMut(&[Step]),
    ) -> Outcome<Step> {
        match board::floor_cells(level) {
            0..=64 => solve::<1>(level, from, goal == 1, probe, found),
            65..=128 => solve::<2>(level, from, goal == 1, probe, found),
            129..=512 => solve::<8>(level, from, goal == 1, probe, found),
            _ => solve::<64>(level, from, goal == 1, probe, found),
        }
    }
}

fn solve<const W: usize>(
    level: &Level,
    from: &State,
    drags: bool,
    probe: &mut Probe,
    found: &mut dyn FnMut(&[Step]),
) -> Outcome<Step> {
    if rules::status(level, from) == Status::Won {
        return Outcome::optimal(Vec::new(), 0);
    }
    let begin = line::beginnings(level, from, drags);
    let mut space = Steps::<W>::new(level, from);
    let start = space.words(level, from);
    if begin.is_empty() || space.hopeless(&start) {
        return Outcome::Unsolvable;
    }
    let tables = Tables::new(space.colours.len());
    let roots: Vec<Root> = begin
        .iter()
        .map(|(state, line)| {
            let state = space.words(level, state);
            let bound = space.bound(&state);
            Root { state, cost: line.len() as u32, bound }
        })
        .collect();
    let mut search = Search { level, from, begin, space, tables, roots, drags, best: None, probe, found };
    let result = if drags { search.drags() } else { search.steps() };
    let (best, bound) = (search.best, probe.progress.bound);
    match (result, best) {
        (Ok(()), None) => Outcome::Unsolvable,
        (Ok(()), Some((line, cost))) => {
            probe.progress.bound = cost;
            Outcome::optimal(line, cost)
        }
        (Err(by), Some((line, cost))) => {
            Outcome::Solved { line, optimal: false, bound: bound.min(cost), stopped: Some(by), tally: None }
        }
        (Err(by), None) => Outcome::Stopped { by, bound },
    }
}

/// A solve on its way.
struct Search<'a, const W: usize> {
    level: &'a Level,
    from: &'a State,
    begin: Vec<Beginning>,
    space: Steps<W>,
    tables: Tables,
    roots: Vec<Root>,
    drags: bool,
    /// The best line so far and what it costs.
    best: Option<(Vec<Step>, u32)>,
    probe: &'a mut Probe,
    found: &'a mut dyn FnMut(&[Step]),
}

impl<const W: usize> Search<'_, W> {
    /// What has to be beaten.
    fn below(&self) -> u32 {
        self.best.as_ref().map_or(u32::MAX, |b| b.1)
    }

    /// Keeps a line if it is the best so far, and says so.
    fn keep(&mut self, line: Vec<Step>) {
        let cost = if self.drags { rules::drags(&line) } else { line.len() as u32 };
        if cost < self.below() {
            self.probe.found(cost);
            (self.found)(&line);
            self.best = Some((line, cost));
        }
    }

    fn keep_steps(&mut self, way: &Way) {
        let line = line::of_steps(self.level, &mut self.space, &self.begin, way);
        self.keep(line.expect("a way of the search replays through the rules"));
    }

    /// A first solution; without one the level is proven unsolvable.
    fn first(&mut self) -> Result<bool, Stop> {
        let Some(way) = dive(&mut self.space, &mut self.tables, &self.roots, 2, self.probe)? else { return Ok(false) };
        self.keep_steps(&way);
        Ok(true)
    }

    /// A probe with a node limit of its own, within what is left.
    fn part(&self, nodes: u64) -> Probe {
        let left = self.probe.limits().nodes.map_or(u64::MAX, |n| n.saturating_sub(self.probe.progress.nodes));
        self.probe.part(nodes.min(left))
    }

    fn absorb(&mut self, part: &Probe) {
        self.probe.absorb(part);
        self.probe.progress.memory = part.progress.memory;
    }

    fn steps(&mut self) -> Result<(), Stop> {
        self.probe.progress.bound = self.roots.iter().map(|r| r.cost + r.bound).min().unwrap_or(0);
        if !self.first()? {
            return Ok(());
        }
        let below = self.below();
        if self.probe.progress.bound < below {
            let mut part = self.part(BETTERING);
            let better = weighted(&mut self.space, &mut self.tables, &self.roots, 2, below, &mut part);
            self.absorb(&part);
            match better {
                Ok(Some(way)) => self.keep_steps(&way),
                Ok(None) => return Ok(()),
                Err(Stop::Nodes) => (),
                Err(stop) => return Err(stop),
            }
        }
        let start = self.probe.progress.bound;
        let mut last = u64::MAX;
        while self.probe.progress.bound < self.below() {
            let limit = self.probe.progress.bound;
            let before = self.probe.progress.nodes;
            if let Some(way) = bounded(&mut self.space, &mut self.tables, &self.roots, limit, self.probe)? {
                self.keep_steps(&way);
                return Ok(());
            }
            self.probe.progress.bound = limit + 1;
            let layer = self.probe.progress.nodes - before;
            if limit >= start + FAR_ABOVE && layer / 2 < last {
                let below = self.below();
                if let Some(way) = cheapest(&mut self.space, &mut self.tables, &self.roots, below, false, self.probe)? {
                    self.keep_steps(&way);
                }
                return Ok(());
            }
            last = layer;
        }
        Ok(())
    }

    fn drags(&mut self) -> Result<(), Stop> {
        self.probe.progress.bound = 1;
        if !self.first()? {
            return Ok(());
        }
        let mut space = Drags::new(Steps::<W>::new(self.level, self.from));
        let mut roots = Vec::new();
        for (state, line) in &self.begin {
            let state = space.steps.words(self.level, state);
            let bound = space.bound(&state, u32::from(u8::MAX), self.probe)?;
            roots.push(Root { state, cost: u32::from(!line.is_empty()), bound });
        }
        self.probe.progress.bound = roots.iter().map(|r| r.cost + r.bound).min().unwrap_or(0);
        let below = self.below();
        let mut part = self.part(BETTERING / 10);
        let better = weighted(&mut space, &mut self.tables, &roots, 2, below, &mut part);
        self.absorb(&part);
        match better {
            Ok(Some(way)) => self.keep_drags(&mut space, &way),
            Ok(None) | Err(Stop::Nodes) => (),
            Err(stop) => return Err(stop),
        }
        let below = self.below();
        if let Some(way) = cheapest(&mut space, &mut self.tables, &roots, below, true, self.probe)? {
            self.keep_drags(&mut space, &way);
        }
        Ok(())
    }

    fn keep_drags(&mut self, space: &mut Drags<W>, way: &Way) {
        let line = line::of_drags(self.level, &mut space.steps, &self.begin, way);
        self.keep(line.expect("a way of the search replays through the rules"));
    }
}
