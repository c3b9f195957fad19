//! Stages and plain search from a position, without their types: what the law of proofs (`tests/proofs.rs`) is written with.

use super::{play::played, position::Here};
use crate::{
    analysis::{
        line::replay,
        plain::{Plain, Searched, plain},
        review::{self, Review, review},
        solve,
        why::{Effort, why},
    },
    game::{Easier, Game, Reason, Status, advance},
    job::{Limits, Probe, Stop},
    search::{
        driver::{Flow, Known},
        space,
    },
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

/// A reason, checked.
#[derive(Clone, PartialEq, Debug)]
pub struct Explained {
    /// The reason.
    pub reason: Reason,
    /// What plain search answers to the questions it rests on; `None` if there are too many positions.
    pub plain: Vec<Option<bool>>,
    /// The parts that were left out, where it is a rest of parts.
    pub left_out: Option<Vec<bool>>,
    /// Nodes that it took.
    pub nodes: u64,
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
    /// Why the position cannot be won for a goal; `None` if it can, or that is not known.
    fn why(&self, goal: usize, effort: Effort, most: usize) -> Option<Explained>;
    /// A reason of the game's own, whether the position can be won or not: for one that can there must be none.
    fn own_reason(&self, goal: usize) -> Option<Reason>;
    /// Reviews the moves that led here from the start.
    fn review(&self, effort: review::Effort, probe: &mut Probe) -> Option<Review>;
    /// The parts that can be left out of the question, and of each whether it is a rule and nothing on the board; none in a game that gives no reasons.
    fn parts(&self) -> Vec<bool>;
    /// What plain search answers without some parts; `None` if that may not be asked, `Some(None)` if there are too many positions.
    fn without(&self, left_out: &[bool], most: usize) -> Option<Option<bool>>;
}

/// Plain search's answer to an easier question.
fn plainly<G: Game>(easier: &Easier<G>, most: usize) -> Option<bool> {
    match easier {
        Easier::Space(space) => space::solvable(&**space, &mut Probe::new(Limits::nodes(most as u64))).ok(),
        Easier::Level(level, from, goal) => match plain::<G>(level, from, *goal, most, true).end {
            Plain::Least(_) => Some(true),
            Plain::None => Some(false),
            Plain::TooLarge => None,
        },
    }
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
    fn why(&self, goal: usize, effort: Effort, most: usize) -> Option<Explained> {
        let mut probe = Probe::new(Limits::nodes(400_000));
        let level = std::sync::Arc::new(self.level.clone());
        let report = solve::<G>(&level, Some(&self.state), goal, &mut probe, &mut |_| ()).report;
        let mut probe = Probe::new(Limits::default());
        let found = why::<G>(&self.level, Some(&self.state), &report, effort, &mut probe).ok()??;
        let plain = found.rests_on.iter().map(|easier| plainly(easier, most)).collect();
        Some(Explained { reason: found.reason, plain, left_out: found.left_out, nodes: probe.progress.nodes })
    }
    fn own_reason(&self, goal: usize) -> Option<Reason> {
        let find = G::reasons()?.find;
        let found = find(&self.level, &self.state, goal, &mut Probe::new(Limits::nodes(100_000))).ok()??;
        Some(found.reason)
    }
    fn review(&self, effort: review::Effort, probe: &mut Probe) -> Option<Review> {
        let (states, moves) = played::<G>(&self.level, &self.start, &self.line)?;
        let level = std::sync::Arc::new(self.level.clone());
        review::<G>(&level, &states, &moves, effort, probe).ok().map(|reviewed| reviewed.review)
    }
    fn parts(&self) -> Vec<bool> {
        let parts = G::reasons().map(|r| (r.parts)(&self.level, &self.state));
        parts.into_iter().flatten().map(|part| part.spots.is_empty()).collect()
    }
    fn without(&self, left_out: &[bool], most: usize) -> Option<Option<bool>> {
        let easier = (G::reasons()?.without)(&self.level, &self.state, left_out)?;
        Some(plainly(&easier, most))
    }
}
