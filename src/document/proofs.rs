//! Stages and plain search from a position, without their types: what the law of proofs (`tests/proofs.rs`) is written with.

use super::position::Here;
use crate::{
    analysis::{
        line::replay,
        plain::{Searched, plain},
    },
    game::{Game, Status, advance},
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

/// Questions about a position in which the player is to move.
pub trait Proofs {
    /// Makes the moves of a line, but for the last `but_last`, with the opponent's replies; false if one of them is refused.
    fn follow(&mut self, line: &str, but_last: usize) -> bool;
    /// The stages of a goal: their names, and whether they prove.
    fn stages(&self, goal: usize) -> Vec<(&'static str, bool)>;
    /// Runs one stage by itself, with nothing known; `None` if there is none of this number.
    fn run_stage(&self, goal: usize, index: usize, probe: &mut Probe) -> Option<Alone>;
    /// The least cost of a goal by plain search over at most this many positions; see [`plain`] for `merge`.
    fn plain(&self, goal: usize, most: usize, merge: bool) -> Searched;
}

impl<G: Game> Proofs for Here<G> {
    fn follow(&mut self, line: &str, but_last: usize) -> bool {
        let Ok(moves) = G::read_line(&self.level, line) else { return false };
        moves.iter().take(moves.len().saturating_sub(but_last)).all(|mv| {
            self.line.push(mv.clone());
            advance::<G>(&self.level, &mut self.state, mv).is_ok()
        })
    }
    fn stages(&self, goal: usize) -> Vec<(&'static str, bool)> {
        let plan = G::stages(&self.level, &self.state, goal, crate::job::Mode::Reproducible);
        plan.stages.iter().map(|s| (s.name(), s.proves())).collect()
    }
    fn run_stage(&self, goal: usize, index: usize, probe: &mut Probe) -> Option<Alone> {
        let mut plan = G::stages(&self.level, &self.state, goal, probe.mode());
        let stage_alone = plan.stages.get_mut(index)?;
        let mut report = |_: u32, _: &[G::Move]| ();
        let mut known = Known::nothing(&mut report);
        let end = known.run(&mut **stage_alone, probe);
        let cost = known.line().map(|line| {
            let staged = G::replay_on(&self.level, &self.state, goal);
            let (level, from) = staged.as_ref().map_or((&self.level, &self.state), |(level, from)| (level, from));
            let won = replay::<G>(level, from, line).is_some_and(|s| G::status(level, &s[s.len() - 1]) == Status::Won);
            let cost = G::counts(level, from, line).get(G::GOALS[goal].count).copied();
            if won && cost == Some(known.below()) { Ok(known.below()) } else { Err(G::write_line(level, line)) }
        });
        Some(Alone { end, cost: cost.transpose(), bound: known.bound() })
    }
    fn plain(&self, goal: usize, most: usize, merge: bool) -> Searched {
        plain::<G>(&self.level, &self.state, goal, most, merge)
    }
}
