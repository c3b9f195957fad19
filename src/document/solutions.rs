//! Solutions kept with a level: several of them, each checked against the draft as it is.
//!
//! A solution is a line in the game's notation, so it outlives edits; whether it still wins is found out by replaying it through the rules, in the
//! background, after each change. One of them can stand beside the line that is stepped through ([`Solutions::compare_with`]): both are stepped together
//! from the move where they part.

use super::{Document, inspect::Shown};
use crate::{
    analysis::{Replayed, counts_text, stage},
    game::{Game, Scene, Solution},
    picture::Colours,
};
use std::sync::Arc;

/// What became of a wish to keep a solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kept {
    /// It is kept.
    Kept,
    /// It was there already.
    There,
    /// Another one is as good by every count: which, in words.
    NoBetter(String),
}

/// Whether a kept solution solves the draft as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It does, and this is what it counts now.
    Solves(Vec<(&'static str, u32)>),
    /// It does not any more: why.
    Stale(String),
}

/// Two lines side by side.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// The number of moves that are the same at the beginning.
    pub parted: usize,
    /// The moves of the other line.
    pub len: usize,
    /// What the other line is, in words.
    pub name: String,
}

/// What there is to do with kept solutions.
pub trait Solutions {
    /// Solutions kept with the level.
    fn kept(&self) -> &[Solution];
    /// Keeps a solution with the level unless its moves are kept already, or, if asked for, unless another one that solves the level is as good.
    fn keep(&mut self, solution: Solution, only_if_better: bool) -> Kept;
    /// Forgets one.
    fn forget(&mut self, index: usize);
    /// Where each of them stands; empty until that is found out.
    fn standing(&self) -> &[Standing];
    /// The game that was just won, as a solution to keep.
    fn played(&self) -> Option<Solution>;
    /// Puts a kept solution beside the line that is stepped through, and goes to where they part; `None` puts it away.
    fn compare_with(&mut self, index: Option<usize>) -> Result<(), String>;
    /// The line that stands beside.
    fn comparison(&self) -> Option<&Comparison>;
}

/// The line that stands beside the one that is stepped through.
pub(super) struct Beside<G: Game> {
    shown: Shown<G>,
    comparison: Comparison,
}

impl<G: Game> Document<G> {
    /// The scene of the line that stands beside, after so many moves.
    pub(super) fn beside<'a>(&'a self, step: usize, colours: &'a Colours, cell_px: f32) -> Option<Scene<'a, G>> {
        let line = &self.beside.as_ref()?.shown.line;
        let state = &line.states[step.min(line.moves.len())];
        Some(Scene { level: &line.level, state: Some(state), ui: None, motion: None, nudge: None, colours, cell_px })
    }

    /// Compares with the line that is stepped through now; without one there is nothing to stand beside.
    pub(super) fn compare(&mut self, beside: Option<Shown<G>>) {
        let pair = beside.zip(self.inspect.line());
        self.beside = pair.map(|(shown, line)| {
            let (a, b) = (&line.states, &shown.line.states);
            let together = a.iter().zip(b).take_while(|(a, b)| a == b).count();
            let comparison = Comparison {
                parted: together.saturating_sub(1),
                len: shown.line.moves.len(),
                name: format!("{} ({})", counts_text(shown.line.counts.iter().copied()), shown.found),
            };
            Beside { shown, comparison }
        });
    }

    /// Compares again, after the line that is stepped through has changed.
    pub(super) fn compare_again(&mut self) {
        let beside = self.beside.take();
        self.compare(beside.map(|b| b.shown));
    }
}

impl<G: Game> Solutions for Document<G> {
    fn kept(&self) -> &[Solution] {
        &self.kept
    }
    fn keep(&mut self, solution: Solution, only_if_better: bool) -> Kept {
        if self.kept.iter().any(|s| s.moves == solution.moves && s.goal == solution.goal) {
            return Kept::There;
        }
        if only_if_better {
            let as_good = |s: &&Solution| {
                s.goal == solution.goal
                    && !s.counts.is_empty()
                    && s.counts.iter().all(|(name, n)| solution.counts.get(name).is_none_or(|m| n <= m))
                    && Replayed::<G>::kept(&self.draft().level, s).is_ok()
            };
            if let Some(other) = self.kept.iter().find(as_good) {
                return Kept::NoBetter(counts_text(other.counts.iter().map(|(name, n)| (name.as_str(), *n))));
            }
        }
        self.will_change();
        self.kept.push(solution);
        Kept::Kept
    }
    fn forget(&mut self, index: usize) {
        if index < self.kept.len() {
            self.will_change();
            self.kept.remove(index);
        }
    }
    fn standing(&self) -> &[Standing] {
        match &self.study.kept {
            Some((revision, standing)) if *revision == self.revision => standing,
            _ => &[],
        }
    }
    fn played(&self) -> Option<Solution> {
        let (level, from, moves) = self.play.as_ref()?.won()?;
        // The goal whose line this is: where a goal is played on another stage, moves made against an opponent may not replay there.
        let from_start = G::start(level).ok().as_ref() == Some(from);
        let replayed = |goal| Replayed::<G>::new(stage::<G>(level, from, goal), goal, moves.clone(), from_start);
        (0..G::GOALS.len()).find_map(replayed)?.solution(false, "played")
    }
    fn compare_with(&mut self, index: Option<usize>) -> Result<(), String> {
        self.beside = None;
        let Some(index) = index else { return Ok(()) };
        let Some(kept) = self.kept.get(index) else { return Err("there is no such solution".into()) };
        let line = Arc::new(Replayed::kept(&self.draft().level, kept)?);
        if self.inspect.line().is_none() {
            return Err(
                "there is no line to compare it with: solve the level or show another kept solution first".into()
            );
        }
        self.compare(Some(Shown { line, found: kept.found.clone() }));
        let parted = self.comparison().map_or(0, |c| c.parted);
        super::Inspecting::set_step(self, parted);
        Ok(())
    }
    fn comparison(&self) -> Option<&Comparison> {
        self.beside.as_ref().map(|b| &b.comparison)
    }
}
