//! Solutions kept with a level: several of them, each checked against the draft as it is.
//!
//! A solution is a line in the game's notation, so it outlives edits; whether it still wins is found out by replaying it through the rules, in the
//! background, after each change. One of them can stand beside the line that is stepped through ([`Solutions::compare_with`]): both are stepped together
//! from the move where they part.

use super::{
    Document, MoveRow,
    inspect::{Line, move_rows},
    named_counts, replay, singular, stage,
};
use crate::{
    game::{Puzzle, Scene, Solution, Status},
    job::{Job, Limits},
    picture::Colours,
};

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
    /// Its move list.
    pub rows: Vec<MoveRow>,
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
    fn comparison(&self) -> Option<Comparison>;
}

/// "23 steps · 7 drags".
pub fn counts_text<'a>(counts: impl IntoIterator<Item = (&'a str, u32)>) -> String {
    let parts: Vec<_> = counts.into_iter().map(|(name, n)| format!("{n} {}", singular(name, n))).collect();
    parts.join(" · ")
}

/// What is known about the kept solutions of a draft.
#[derive(Default)]
pub(super) struct Checked {
    /// The revision of the document that was looked at.
    at: Option<u64>,
    job: Option<Job<Vec<Standing>>>,
    standing: Vec<Standing>,
}

/// Reads and replays a kept solution on a draft.
pub(super) fn replayed<G: Puzzle>(draft: &G::Level, kept: &Solution) -> Result<Line<G>, String> {
    let goal = G::GOALS.iter().position(|g| g.id == kept.goal).unwrap_or(0);
    let start = G::start(draft).map_err(|p| format!("this draft cannot be played: {}", p[0].text))?;
    let (level, from) = stage::<G>(draft, &start, goal);
    let moves = G::read_line(&level, &kept.moves).map_err(|e| e.to_string())?;
    let states = replay::<G>(&level, &from, &moves)
        .filter(|s| G::status(&level, &s[s.len() - 1]) == Status::Won)
        .ok_or("this solution no longer solves the level")?;
    Ok(Line { goal, level, states, moves, found: kept.found.clone() })
}

impl<G: Puzzle> Line<G> {
    pub(super) fn counts(&self) -> Vec<(&'static str, u32)> {
        named_counts::<G>(&self.level, &self.states[0], &self.moves)
    }
}

impl<G: Puzzle> Document<G> {
    /// Looks at the kept solutions again if the document has changed.
    pub(super) fn check_kept(&mut self) -> bool {
        if let Some(answer) = self.checked.job.as_ref().and_then(Job::poll) {
            self.checked.job = None;
            self.checked.standing = answer.unwrap_or_default();
            return true;
        }
        if self.checked.at == Some(self.revision) {
            return false;
        }
        self.checked.at = Some(self.revision);
        self.checked.job = None;
        if self.kept.is_empty() {
            self.checked.standing.clear();
            return false;
        }
        let (level, kept, wake) = (self.level().clone(), self.kept.clone(), self.wake.clone());
        let look = move |s: &Solution| match replayed::<G>(&level, s) {
            Ok(line) => Standing::Solves(line.counts()),
            Err(why) => Standing::Stale(why),
        };
        let work = move |_: &mut crate::job::Probe| kept.iter().map(&look).collect();
        self.checked.job = Some(Job::spawn(Limits::default(), move || wake(), work));
        false
    }

    pub(super) fn checking(&self) -> bool {
        self.checked.job.is_some()
    }

    /// The scene of the line that stands beside, after so many moves.
    pub(super) fn beside<'a>(&'a self, step: usize, colours: &'a Colours, cell_px: f32) -> Option<Scene<'a, G>> {
        let line = self.beside.as_ref()?;
        let state = &line.states[step.min(line.moves.len())];
        Some(Scene { level: &line.level, state: Some(state), ui: None, motion: None, colours, cell_px })
    }
}

impl<G: Puzzle> Solutions for Document<G> {
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
                    && replayed::<G>(self.level(), s).is_ok()
            };
            if let Some(other) = self.kept.iter().find(as_good) {
                return Kept::NoBetter(counts_text(other.counts.iter().map(|(name, n)| (name.as_str(), *n))));
            }
        }
        self.kept.push(solution);
        self.revision += 1;
        Kept::Kept
    }
    fn forget(&mut self, index: usize) {
        if index < self.kept.len() {
            self.kept.remove(index);
            self.revision += 1;
            self.checked.standing.clear();
        }
    }
    fn standing(&self) -> &[Standing] {
        if self.checked.at == Some(self.revision) { &self.checked.standing } else { &[] }
    }
    fn played(&self) -> Option<Solution> {
        let (level, from, moves) = self.play.as_ref()?.won()?;
        // The goal whose line this is: where a goal is played on another stage, moves made against an opponent do not replay there.
        let (goal, counts) = (0..G::GOALS.len()).find_map(|goal| {
            let (level, from) = stage::<G>(level, from, goal);
            let states = replay::<G>(&level, &from, moves)?;
            let won = G::status(&level, &states[states.len() - 1]) == Status::Won;
            won.then(|| (goal, named_counts::<G>(&level, &from, moves)))
        })?;
        Some(Solution {
            goal: G::GOALS[goal].id.into(),
            moves: G::write_line(level, moves),
            counts: counts.into_iter().map(|(n, c)| (n.to_string(), c)).collect(),
            optimal: false,
            found: "played".into(),
        })
    }
    fn compare_with(&mut self, index: Option<usize>) -> Result<(), String> {
        self.beside = None;
        let Some(index) = index else { return Ok(()) };
        let Some(kept) = self.kept.get(index) else { return Err("there is no such solution".into()) };
        let line = replayed::<G>(self.level(), kept)?;
        if self.inspect.line().is_none() {
            return Err(
                "there is no line to compare it with: solve the level or show another kept solution first".into()
            );
        }
        self.beside = Some(line);
        let parted = self.comparison().map_or(0, |c| c.parted);
        super::Inspecting::set_step(self, parted);
        Ok(())
    }
    fn comparison(&self) -> Option<Comparison> {
        let (line, beside) = (self.inspect.line()?, self.beside.as_ref()?);
        let together = line.states.iter().zip(&beside.states).skip(1).take_while(|(a, b)| a == b).count();
        Some(Comparison {
            parted: if line.states[0] == beside.states[0] { together } else { 0 },
            len: beside.moves.len(),
            name: format!("{} ({})", counts_text(beside.counts()), beside.found),
            rows: move_rows(beside),
        })
    }
}
