//! What only some games have, as tables of functions beside the traits: a game that has none of it writes nothing.

use super::{Draft, Offer, Rules, Status, Tally, advance};
use crate::job::{Probe, Stop};

/// A function of a level and a state.
type Of<G, T> = fn(&<G as Draft>::Level, &<G as Rules>::State) -> T;

/// An opponent who moves too: see [`Rules::versus`].
pub struct Versus<G: Rules> {
    /// The opponents' names in commands.
    pub opponents: &'static [&'static str],
    /// Whether the opponent is to move.
    pub turn: Of<G, bool>,
    /// The opponent's move: deterministic, cut off by nodes and never by the clock.
    pub reply: fn(&G::Level, &G::State, &mut Probe) -> Option<G::Move>,
    /// Plays a whole game of a model player against an opponent, by name, to measure the balance: the rate at which the player errs, the seed.
    pub simulate: fn(&G::Level, &str, f64, u64) -> Option<SimulatedGame>,
    /// How good a position is for the player, drawn over the moves in Inspect instead of the remaining cost.
    pub evaluate: Of<G, Option<f32>>,
    /// Points of a won game for the record table; ties go by fewer moves, then by time.
    pub points: Of<G, Option<u32>>,
    /// The move that is made for a player who takes longer than this many seconds over a turn.
    pub clock: Of<G, Option<(f32, G::Move)>>,
    /// Choices offered in play.
    pub offers: Of<G, Vec<Offer<G::Move>>>,
}

/// The end of a simulated game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SimulatedGame {
    /// Won, lost or drawn, for the player.
    pub status: Status,
    /// Whether the opponent lost although it could have stopped the last move.
    pub stoppable: bool,
    /// The opponent's slowest reply.
    pub slowest: std::time::Duration,
}

/// Whether an opponent is to move; never in a game without one.
pub fn opponents_turn<G: Rules>(level: &G::Level, state: &G::State) -> bool {
    G::versus().is_some_and(|v| (v.turn)(level, state))
}

/// The opponent's move, in its turn.
pub fn reply<G: Rules>(level: &G::Level, state: &G::State, probe: &mut Probe) -> Option<G::Move> {
    (G::versus()?.reply)(level, state, probe)
}

/// What is computed once before a solver is at its best; never needed for a right answer. See [`Solve::tables`](super::Solve::tables).
pub struct Tables<G: Draft> {
    /// What it is, for a progress bar.
    pub name: &'static str,
    /// Whether solving this level for this goal is better off with it.
    pub wanted: fn(&G::Level, usize) -> bool,
    /// Computes it, in the background.
    pub prepare: fn(&mut Probe) -> Result<(), Stop>,
}

/// A campaign made from level numbers alone; see [`Generate::campaign`](super::Generate::campaign).
pub struct Campaign {
    /// How many levels it has.
    pub levels: u32,
    /// The preset and the seed of the level with this number, from 1.
    pub recipe: fn(u32) -> (&'static str, u64),
}

/// What is particular about counting the shortest solutions of a game; see `analysis/shortest.rs`.
pub struct Counting<G: Rules> {
    /// Puts equal pieces in order: positions that differ only in which of them is where become equal.
    pub alike: fn(&G::Level, &mut G::State),
    /// Leaves out of a position what makes no difference when solutions are compared: where the player stands who pushes boxes.
    pub regardless: fn(&G::Level, &mut G::State),
    /// No win from this position costs less.
    pub at_least: Of<G, u32>,
    /// Every position that one move leads to; `None` where there are too many.
    pub next: Of<G, Option<Vec<G::State>>>,
    /// A move that leads from one position to another.
    pub move_to: fn(&G::Level, &G::State, &G::State) -> Option<G::Move>,
    /// All solutions, in a game whose solutions are not sequences, and at most the given number of them as lines.
    pub list: fn(&G::Level, usize, &mut Probe) -> Result<Listed<G::Move>, Stop>,
}

/// Solutions that a game lists itself.
#[derive(Clone, PartialEq, Debug)]
pub struct Listed<M> {
    /// How many there are.
    pub tally: Tally,
    /// The first of them, as lines.
    pub lines: Vec<Vec<M>>,
    /// Moves that are in every one, where all were looked at.
    pub common: Option<u32>,
}

impl<G: Rules> Default for Counting<G> {
    fn default() -> Counting<G> {
        fn after<G: Rules>(level: &G::Level, state: &G::State, mv: &G::Move) -> Option<G::State> {
            let mut next = state.clone();
            advance::<G>(level, &mut next, mv).ok().map(|()| next)
        }
        Counting {
            alike: |_, _| (),
            regardless: |_, _| (),
            at_least: |_, _| 0,
            next: |level, state| {
                let moves = (!G::ENDLESS).then(|| G::legal_moves(level, state))?;
                Some(moves.iter().filter_map(|mv| after::<G>(level, state, mv)).collect())
            },
            move_to: |level, from, to| {
                G::legal_moves(level, from).into_iter().find(|mv| after::<G>(level, from, mv).as_ref() == Some(to))
            },
            list: |_, _, _| Ok(Listed { tally: Tally { found: 0, all: false }, lines: Vec::new(), common: None }),
        }
    }
}
