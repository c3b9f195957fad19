//! Stages and plain search without their types: what the law of proofs (`tests/proofs.rs`) is told with.

use super::Document;
use crate::{
    analysis::{
        line::{replay, stage},
        plain::{Plain, plain},
    },
    game::{Game, Status},
    job::{Probe, Stop},
    search::driver::{Flow, Known},
};

/// What a stage came to by itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Alone {
    /// How it ended.
    pub end: Result<Flow, Stop>,
    /// The cost of its best line, replayed through the rules; `Err` holds a line that does not win or does not cost what was said.
    pub cost: Result<Option<u32>, String>,
    /// What it claims to have proven: no line costs less.
    pub bound: u32,
}

/// A position is given by a line from the start, of which the last `but_last` moves are not made.
pub trait Proofs {
    /// The stages of a goal: their names, and whether they prove.
    fn stages(&self, goal: usize) -> Vec<(&'static str, bool)>;
    /// Runs one stage by itself, with nothing known; `None` if there is no such position.
    fn run_stage(&self, goal: usize, index: usize, line: &str, but_last: usize, probe: &mut Probe) -> Option<Alone>;
    /// The least cost of a goal by plain search.
    fn plain(&self, goal: usize, line: &str, but_last: usize, most: usize) -> Option<Plain>;
}

impl<G: Game> Document<G> {
    fn state_before(&self, line: &str, but_last: usize) -> Option<G::State> {
        let moves = G::read_line(self.level(), line).ok()?;
        let moves = &moves[..moves.len().saturating_sub(but_last)];
        replay::<G>(self.level(), &G::start(self.level()).ok()?, moves)?.pop()
    }
}

impl<G: Game> Proofs for Document<G> {
    fn stages(&self, goal: usize) -> Vec<(&'static str, bool)> {
        let Ok(start) = G::start(self.level()) else { return Vec::new() };
        let plan = G::stages(self.level(), &start, goal, crate::job::Mode::Reproducible);
        plan.stages.iter().map(|s| (s.name(), s.proves())).collect()
    }
    fn run_stage(&self, goal: usize, index: usize, line: &str, but_last: usize, probe: &mut Probe) -> Option<Alone> {
        let from = self.state_before(line, but_last)?;
        let mut plan = G::stages(self.level(), &from, goal, probe.mode());
        let stage_alone = plan.stages.get_mut(index)?;
        let mut report = |_: u32, _: &[G::Move]| ();
        let mut known = Known::nothing(&mut report);
        let end = known.run(&mut **stage_alone, probe);
        let cost = known.line().map(|line| {
            let (level, from) = stage::<G>(&self.draft().level, &from, goal);
            let won =
                replay::<G>(&level, &from, line).is_some_and(|s| G::status(&level, &s[s.len() - 1]) == Status::Won);
            let cost = G::counts(&level, &from, line).get(G::GOALS[goal].count).copied();
            if won && cost == Some(known.below()) { Ok(known.below()) } else { Err(G::write_line(&level, line)) }
        });
        Some(Alone { end, cost: cost.transpose(), bound: known.bound() })
    }
    fn plain(&self, goal: usize, line: &str, but_last: usize, most: usize) -> Option<Plain> {
        Some(plain::<G>(self.level(), &self.state_before(line, but_last)?, goal, most))
    }
}
