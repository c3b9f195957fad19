//! Solving: goals, stages, overlays.

use super::{Counting, Reasons, Rules, Tables};
use crate::{
    grid::Spot,
    job::{Mode, Probe, Stop},
    search::{
        driver::{Driver, Plan},
        outcome::Outcome,
    },
};

/// Something a solver can be asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    /// The name in commands.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// Which count (an index into [`Info::counts`](super::Info::counts)) is its cost.
    pub count: usize,
    /// What tells two of its shortest solutions apart; `None` where they are not counted.
    pub apart: Option<Apart>,
}

/// Two solutions differ if their positions differ after one of these, each of which costs one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Apart {
    /// A move.
    Moves,
    /// A run of moves of one piece ([`Rules::piece`]).
    Runs,
    /// A move that costs something. What costs nothing makes no difference.
    Costs,
    /// Not by positions on the way: the game lists its solutions itself ([`Counting::list`]).
    Listed,
}

/// An overlay for Inspect: spots with a weight from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Overlay {
    /// Name in settings.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What it shows.
    pub help: &'static str,
}

/// Solving.
pub trait Solve: Rules {
    /// What it can be asked for; the first is the default.
    const GOALS: &'static [Goal];

    /// The searches that answer a goal from a state, in the order of their first turns. Cheap: what takes time or memory is done in a stage's turn.
    /// `mode` says whether tables from a cache may be used.
    fn stages(level: &Self::Level, from: &Self::State, goal: usize, mode: Mode) -> Plan<Self::Move>;

    /// Solves from a state. Calls `found` whenever there is a better line than before. The caller replays every line through the rules.
    fn solve(
        level: &Self::Level,
        from: &Self::State,
        goal: usize,
        probe: &mut Probe,
        found: &mut dyn FnMut(&[Self::Move]),
    ) -> Outcome<Self::Move> {
        Driver::new(Self::stages(level, from, goal, probe.mode())).run(probe, found)
    }

    /// The level and the state on which a line of this goal is replayed, where these are not the level and the state it was asked for: Readout
    /// counts the fewest slides with the opponent off. A line is made by [`Solve::solve`] for `level` and `from` as they stand and replayed
    /// with [`advance`](super::advance) on what this returns; a generator's line is one of the first goal.
    fn replay_on(_level: &Self::Level, _from: &Self::State, _goal: usize) -> Option<(Self::Level, Self::State)> {
        None
    }

    /// Forgets what makes no difference to anything that can follow, such as counters that no rule of this level reads: positions that go on alike
    /// become equal.
    fn forget(_level: &Self::Level, _state: &mut Self::State) {}

    /// A line to hint at from a position in play; its first move is legal there. The line of the goal that verdicts are about, unless that goal
    /// leaves out something that is in play: Readout's fewest slides know nothing of pins.
    fn advise(level: &Self::Level, from: &Self::State, probe: &mut Probe) -> Option<Vec<Self::Move>> {
        let outcome = Self::solve(level, from, Self::INFO.verdict_goal, probe, &mut |_| ());
        outcome.line().filter(|l| !l.is_empty()).map(<[_]>::to_vec)
    }

    /// Overlays this game can compute beside the visited heat that every search counts through [`Probe::visit`].
    fn overlays() -> &'static [Overlay] {
        &[]
    }

    /// What is computed once before the solver is at its best, such as large tables.
    fn tables() -> Option<Tables<Self>> {
        None
    }

    /// Facts beside the verdict while editing ("casual play clears it 12 % of the time").
    fn about_level(_level: &Self::Level, _from: &Self::State, _probe: &mut Probe) -> Vec<String> {
        Vec::new()
    }

    /// How hard a level is, from 0 to 100, where the game knows better than the common formula (see [`crate::analysis::rate`]).
    /// Like them it must not depend on how our solvers search, only on what is proven.
    fn difficulty(
        _level: &Self::Level,
        _metrics: &crate::analysis::rate::Metrics,
        _probe: &mut Probe,
    ) -> Result<Option<f64>, Stop> {
        Ok(None)
    }

    /// What it can say about why a position cannot be won.
    fn reasons() -> Option<Reasons<Self>> {
        None
    }

    /// What is particular about counting its shortest solutions.
    fn counting() -> Counting<Self> {
        Counting::default()
    }

    /// Whether its searches count solutions: then every report has their number, also where a goal asks for the first one only.
    const TALLIES: bool = false;

    /// Computes an overlay.
    fn overlay(_level: &Self::Level, _state: &Self::State, _index: usize) -> Vec<(Spot, f32)> {
        Vec::new()
    }
}
