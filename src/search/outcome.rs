//! How a search came out: the one type for it.

use crate::job::Stop;

/// How many solutions there are, in games that count them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Solutions found.
    pub found: u64,
    /// Whether these are all.
    pub all: bool,
}

/// What came of a search.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome<M> {
    /// There is a solution.
    Solved {
        /// Its moves (the player's).
        line: Vec<M>,
        /// Whether no line costs less, proven.
        optimal: bool,
        /// No line costs less than this, proven.
        bound: u32,
        /// What stopped the proof, if it is not optimal.
        stopped: Option<Stop>,
        /// The number of solutions, where that was asked for.
        tally: Option<Tally>,
    },
    /// There is none: proven.
    Unsolvable,
    /// Not known.
    Stopped {
        /// What stopped it.
        by: Stop,
        /// No line costs less than this, proven.
        bound: u32,
    },
}

impl<M> Outcome<M> {
    /// A line with the proof that none is better.
    pub fn optimal(line: Vec<M>, cost: u32) -> Outcome<M> {
        Outcome::Solved { line, optimal: true, bound: cost, stopped: None, tally: None }
    }

    /// The line, if there is one.
    pub fn line(&self) -> Option<&[M]> {
        match self {
            Outcome::Solved { line, .. } => Some(line),
            _ => None,
        }
    }
}
