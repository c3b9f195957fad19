//! Why a position cannot be won.
//!
//! A reason rests on questions that are *easier* than the level: whatever wins the level also answers them with yes, so one that is answered with no shows
//! that the level cannot be won. A game offers two things. [`Reasons::find`] looks for reasons of the game's own, by counting or by a few small
//! questions. And a level is made of [`Part`]s that can be left out of the question, one by one; an irreducible rest that still cannot be
//! won is found by `analysis/why.rs`, and the game puts it into words.

use super::Rules;
use crate::{
    grid::Spot,
    job::{Probe, Stop},
    search::space::Space,
};
use serde::{Serialize, Serializer};

/// Why a position cannot be won; serialised as in `solve --json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Reason {
    /// A short id: "goal", "parity", "search".
    pub kind: &'static str,
    /// A sentence a designer understands. It says no more than was shown.
    pub text: String,
    /// The places it is about.
    #[serde(rename = "cells", serialize_with = "cells")]
    pub spots: Vec<Spot>,
    /// The places of what was left out of the question: they have no part in it.
    #[serde(skip)]
    pub aside: Vec<Spot>,
    /// Which smaller question is already unsolvable: what was dropped, what was kept.
    pub keeps: String,
    /// Whether nothing more can be left out of that question without its becoming solvable, as far as the game's parts go. Reasons that are no
    /// irreducible rest of parts (counting, one goal) are as small as their sentence.
    pub minimal: bool,
}

fn cells<S: Serializer>(spots: &[Spot], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(spots.iter().map(|s| s.numbers()))
}

impl Reason {
    /// The kind of a reason that is the opponent alone: without one the position could be won.
    pub const OPPONENT: &'static str = "opponent";

    /// Whether the position could be won without an opponent.
    pub fn is_opponent(&self) -> bool {
        self.kind == Reason::OPPONENT
    }

    /// A reason that is as small as its sentence.
    pub fn new(
        kind: &'static str,
        text: impl Into<String>,
        spots: impl IntoIterator<Item = impl Into<Spot>>,
        keeps: impl Into<String>,
    ) -> Reason {
        let mut spots: Vec<Spot> = spots.into_iter().map(Into::into).collect();
        spots.sort_unstable_by_key(|s| (s.cell.y, s.cell.x, s.part));
        spots.dedup();
        Reason { kind, text: text.into(), spots, aside: Vec::new(), keeps: keeps.into(), minimal: true }
    }
}

/// A question that is easier than a level.
pub enum Easier<G: Rules> {
    /// A level of the game with less to do or less in the way, a position of it, and the goal to ask for.
    Level(Box<G::Level>, G::State, usize),
    /// Positions and moves of its own.
    Space(Box<dyn Space>),
}

/// A reason, and the questions it rests on: each is unsolvable. A reason by counting rests on none.
pub struct Found<G: Rules> {
    /// The reason.
    pub reason: Reason,
    /// The questions.
    pub rests_on: Vec<Easier<G>>,
    /// The parts that were left out, where it is a rest of parts.
    pub left_out: Option<Vec<bool>>,
}

impl<G: Rules> Found<G> {
    /// A reason that is no rest of parts.
    pub fn new(reason: Reason, rests_on: Vec<Easier<G>>) -> Found<G> {
        Found { reason, rests_on, left_out: None }
    }
}

/// Something that can be left out of the question.
#[derive(Clone, PartialEq, Debug)]
pub struct Part {
    /// Parts of one group are tried together first.
    pub group: usize,
    /// Where it is.
    pub spots: Vec<Spot>,
}

/// What a game can say about why a position cannot be won. "Left out" is a flag for each part.
pub struct Reasons<G: Rules> {
    /// Reasons of the game's own, for a position that cannot be won for this goal. May use all nodes of the probe.
    pub find: fn(&G::Level, &G::State, usize, &mut Probe) -> Result<Option<Found<G>>, Stop>,
    /// What can be left out of the question.
    pub parts: fn(&G::Level, &G::State) -> Vec<Part>,
    /// The question without some parts; `None` if just these cannot be left out, or nothing to ask for is left.
    pub without: fn(&G::Level, &G::State, &[bool]) -> Option<Easier<G>>,
    /// The words for a position that cannot be won without these parts, where no further part can be left out; often nothing is left out at all. `None` if there
    /// is nothing to say but that a search shows it.
    pub tell: fn(&G::Level, &G::State, &[bool]) -> Option<Reason>,
    /// What was kept, in words, where a search alone shows it.
    pub keeps: fn(&G::Level, &G::State, &[bool]) -> String,
    /// The reason why a draft cannot be played, where it has another kind than "problem".
    pub unplayable: fn(&G::Level) -> Option<Reason>,
}

/// "a3", "a3 and b4", "a3, b4 and c5".
pub fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The same with a capital at its beginning.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
