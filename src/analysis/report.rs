//! An answer without the game's types: what the window, the commands, ratings, what-if maps and mends read.
//!
//! Serialising a [`Report`] gives the keys of `solve --json`; its methods give the words for people.

use super::line::{Replayed, counts_text, singular};
use crate::{
    game::{Game, Problem, Reason, Tally},
    job::Stop,
};
use serde::{Serialize, Serializer, ser::SerializeMap as _};
use std::{collections::BTreeMap, time::Duration};

/// How a search came out.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// The level cannot be played, for these reasons.
    Unplayable(Vec<Problem>),
    /// There is a line that wins.
    Solved {
        /// Whether no line costs less, proven.
        optimal: bool,
        /// What ended the proof, if anything did.
        stopped: Option<Stop>,
    },
    /// There is no line that wins, proven.
    Unsolvable,
    /// A limit was reached first, or the search was cancelled.
    Stopped(Stop),
    /// The solver failed: an error of ours, in a sentence.
    Fault(String),
}

/// What is known about a level for one goal.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The goal's id.
    pub goal: &'static str,
    /// The name of what the goal counts ("steps").
    pub unit: &'static str,
    /// How the search came out.
    pub verdict: Verdict,
    /// The line's cost for the goal.
    pub cost: Option<u32>,
    /// All that the line counts, in the game's order.
    pub counts: Vec<(&'static str, u32)>,
    /// No line costs less, proven.
    pub bound: Option<u32>,
    /// The number of solutions, in games that count them.
    pub tally: Option<Tally>,
    /// Nodes expanded.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// Time until the first line.
    pub first: Option<Duration>,
    /// The line in the game's notation.
    pub moves: Option<String>,
    /// Why there is none, where that was asked for.
    pub reason: Option<Reason>,
}

/// How long or how ambiguous a solvable level is: from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measure {
    /// At least this.
    pub low: u64,
    /// At most this.
    pub high: u64,
    /// Whether this is the number of solutions, of which fewer are harder, and not the cost, of which more is.
    pub solutions: bool,
}

impl Measure {
    /// The value, where it is proven.
    pub fn exact(self) -> Option<u64> {
        (self.low == self.high).then_some(self.low)
    }
}

impl Report {
    /// A verdict about a goal of a game; nothing else is known.
    pub fn new<G: Game>(goal: usize, verdict: Verdict) -> Report {
        let goal = &G::GOALS[goal];
        Report {
            goal: goal.id,
            unit: G::INFO.counts[goal.count],
            verdict,
            cost: None,
            counts: Vec::new(),
            bound: None,
            tally: None,
            nodes: 0,
            elapsed: Duration::ZERO,
            first: None,
            moves: None,
            reason: None,
        }
    }

    /// A line that wins, and nothing proven about it.
    pub fn of_line<G: Game>(line: &Replayed<G>) -> Report {
        let mut report = Report::new::<G>(line.goal, Verdict::Solved { optimal: false, stopped: None });
        report.tell(line);
        report
    }

    /// Fills in what a line says.
    pub(crate) fn tell<G: Game>(&mut self, line: &Replayed<G>) {
        self.cost = Some(line.cost());
        self.counts = line.counts.clone();
        self.moves = Some(line.text.clone());
    }

    /// The same without times, which differ from run to run.
    pub fn timeless(self) -> Report {
        Report { elapsed: Duration::ZERO, first: None, ..self }
    }

    /// Whether there is a line that wins.
    pub fn solved(&self) -> bool {
        matches!(self.verdict, Verdict::Solved { .. })
    }

    /// Whether the line is proven best.
    pub fn optimal(&self) -> bool {
        matches!(self.verdict, Verdict::Solved { optimal: true, .. })
    }

    /// Whether the position that was asked about is lost (`true`) or can be won, where that is known.
    pub fn lost(&self) -> Option<bool> {
        match self.verdict {
            Verdict::Solved { .. } => Some(false),
            Verdict::Unsolvable => Some(true),
            _ => None,
        }
    }

    /// What ended the search or its proof early.
    pub fn stopped_by(&self) -> Option<Stop> {
        match self.verdict {
            Verdict::Solved { stopped, .. } => stopped,
            Verdict::Stopped(by) => Some(by),
            _ => None,
        }
    }

    /// Why the level cannot be played.
    pub fn problems(&self) -> &[Problem] {
        if let Verdict::Unplayable(problems) = &self.verdict { problems } else { &[] }
    }

    /// The outcome in `--json`: "solved", "unsolvable" or "stopped".
    pub fn outcome(&self) -> &'static str {
        match self.verdict {
            Verdict::Solved { .. } => "solved",
            Verdict::Unsolvable | Verdict::Unplayable(_) => "unsolvable",
            Verdict::Stopped(_) | Verdict::Fault(_) => "stopped",
        }
    }

    /// What a solved level is compared by.
    pub fn measure(&self) -> Option<Measure> {
        if !self.solved() {
            return None;
        }
        if let Some(t) = self.tally {
            let high = if t.all { t.found } else { u64::MAX };
            return Some(Measure { low: t.found, high, solutions: true });
        }
        let cost = self.cost?;
        let low = if self.optimal() { cost } else { self.bound.unwrap_or(0).min(cost) };
        Some(Measure { low: low.into(), high: cost.into(), solutions: false })
    }

    /// "23 steps · 7 drags".
    pub fn counts_text(&self) -> String {
        counts_text(self.counts.iter().copied())
    }

    /// A headline: "solved, optimal".
    pub fn headline(&self) -> String {
        match &self.verdict {
            Verdict::Unplayable(_) => "cannot be played".into(),
            Verdict::Solved { optimal: true, .. } => "solved, optimal".into(),
            Verdict::Solved { stopped: Some(by), .. } => format!("solved, not proven best (stopped: {})", by.name()),
            Verdict::Solved { .. } => "solved".into(),
            Verdict::Unsolvable => "proven unsolvable".into(),
            Verdict::Stopped(by) => format!("not known (stopped: {})", by.name()),
            Verdict::Fault(text) => text.clone(),
        }
    }

    /// What is proven about all lines, where the line is not proven best.
    pub fn bound_text(&self) -> Option<String> {
        let bound = self.bound.filter(|b| *b > 0 && !self.optimal())?;
        Some(format!("no line has fewer than {bound} {}", self.unit))
    }

    /// The line below a board being edited: "solvable: 12 steps, 4 drags (fewest steps)".
    pub fn live_text(&self) -> String {
        self.live_words("solvable", self.unit)
    }

    /// The same in games with an opponent: "winnable: 12 slides (fewest against the opponent)". Par knows none: the two counts may differ.
    pub fn live_text_against<G: Game>(&self) -> String {
        let alone = self.goal == G::GOALS[G::INFO.par_goal].id;
        self.live_words("winnable", if alone { self.unit } else { "against the opponent" })
    }

    fn live_words(&self, can: &str, fewest: &str) -> String {
        let counts: Vec<_> = self.counts.iter().map(|(name, n)| format!("{n} {}", singular(name, *n))).collect();
        let counts = counts.join(", ");
        match (&self.verdict, self.tally) {
            (Verdict::Unplayable(problems), _) if problems.len() == 1 => "not playable: 1 problem".into(),
            (Verdict::Unplayable(problems), _) => format!("not playable: {} problems", problems.len()),
            (Verdict::Solved { .. }, Some(t)) => match (t.found, t.all) {
                (1, true) => format!("{can}: exactly one solution"),
                (n, true) => format!("{can}: {n} solutions"),
                (n, false) => format!("{can}: at least {n} {}", singular("solutions", n as u32)),
            },
            (Verdict::Solved { optimal: true, .. }, _) => format!("{can}: {counts} (fewest {fewest})"),
            (Verdict::Solved { .. }, _) => format!("{can}: {counts} or fewer"),
            (Verdict::Unsolvable, _) => "unsolvable".into(),
            (Verdict::Stopped(_), _) => "not known yet: solve for longer in Inspect".into(),
            (Verdict::Fault(text), _) => text.clone(),
        }
    }

    /// What is different from another report: "steps 7 → 4".
    pub fn change_since(&self, before: &Report) -> Option<String> {
        match (&before.verdict, &self.verdict) {
            (Verdict::Solved { .. }, Verdict::Unsolvable) => return Some("was solvable before this change".into()),
            (Verdict::Unsolvable, Verdict::Solved { .. }) => return Some("was unsolvable before this change".into()),
            (Verdict::Solved { .. }, Verdict::Solved { .. }) => {}
            _ => return None,
        }
        if let (Some(a), Some(b)) = (before.tally, self.tally) {
            return (a.found != b.found).then(|| format!("solutions {} → {}", a.found, b.found));
        }
        let counts = before.counts.iter().zip(&self.counts).filter(|(a, b)| a != b);
        let parts: Vec<_> = counts.map(|((name, a), (_, b))| format!("{name} {a} → {b}")).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// The verdict in a word or two: "solvable", "unsolvable", "not playable" or "not known".
    pub fn word(&self) -> &'static str {
        match self.verdict {
            Verdict::Solved { .. } => "solvable",
            Verdict::Unsolvable => "unsolvable",
            Verdict::Unplayable(_) => "not playable",
            Verdict::Stopped(_) | Verdict::Fault(_) => "not known",
        }
    }

    /// How long or how ambiguous it is: "14 steps", "at least 3 solutions", "unsolvable".
    pub fn measure_text(&self) -> String {
        let Some(m) = self.measure() else { return self.word().into() };
        let name = if m.solutions { "solutions" } else { self.unit };
        let one = |n: u64| singular(name, u32::try_from(n).unwrap_or(u32::MAX));
        match (m.exact(), m.solutions) {
            (Some(n), _) => format!("{n} {}", one(n)),
            (None, true) => format!("at least {} {}", m.low, one(m.low)),
            (None, false) => format!("{} to {} {name}", m.low, m.high),
        }
    }

    /// The cost alone: "14", "9 to 14", "at least 9", "unsolvable".
    pub fn cost_text(&self) -> String {
        let bound = self.bound.unwrap_or(0);
        match self.cost {
            Some(cost) if self.optimal() => cost.to_string(),
            Some(cost) => format!("{bound} to {cost}"),
            None if self.verdict == Verdict::Unsolvable => "unsolvable".into(),
            None => format!("at least {bound}"),
        }
    }
}

/// In seconds, to the microsecond.
fn seconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e6
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("goal", self.goal)?;
        map.serialize_entry("outcome", self.outcome())?;
        map.serialize_entry("stopped_by", &self.stopped_by().map(Stop::name))?;
        map.serialize_entry("optimal", &self.optimal())?;
        map.serialize_entry("cost", &self.cost)?;
        map.serialize_entry("costs", &self.counts.iter().copied().collect::<BTreeMap<_, _>>())?;
        map.serialize_entry("bound", &self.bound)?;
        map.serialize_entry("nodes", &self.nodes)?;
        map.serialize_entry("seconds", &seconds(self.elapsed))?;
        map.serialize_entry("first_seconds", &self.first.map(seconds))?;
        map.serialize_entry("moves", &self.moves)?;
        if let Some(tally) = self.tally {
            map.serialize_entry("solutions", &tally.found)?;
            map.serialize_entry("all_found", &tally.all)?;
        }
        if let Verdict::Fault(text) = &self.verdict {
            map.serialize_entry("fault", text)?;
        }
        if let Some(reason) = &self.reason {
            map.serialize_entry("reason", reason)?;
        }
        if !self.problems().is_empty() {
            map.serialize_entry("problems", self.problems())?;
        }
        map.end()
    }
}
