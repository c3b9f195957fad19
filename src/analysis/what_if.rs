//! What one edit would do: the level as it is against the level with one thing painted, each solved with a small node limit.
//!
//! A [`Change`] is one use of one ink: at a spot, or, for inks that lead from one spot to another (a swap, a link), from a spot to a neighbour of it.
//! [`answer`] solves a level for its game's verdict goal and tells what is known about its cost: an interval, which is a single number where the
//! minimum is proven. Games that count solutions are compared by their number instead: the fewer, the harder. [`Answer::against`] puts two answers side by side
//! and says nothing that is not proven: where the intervals overlap, it is only known that the level is solvable.
//!
//! Everything is cut off by nodes, so a map of answers is the same on every machine and for any number of threads.

use crate::{
    document::{replay, singular, stage},
    game::{Gesture, Ink, Outcome, Palette, Puzzle, Severity, Status},
    grid::{Spot, Sym},
    job::{Probe, Stop},
};

/// One use of one ink.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// The ink.
    pub ink: Ink,
    /// Where: one spot, or from one to another.
    pub spots: Vec<Spot>,
}

/// Which inks are tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Brushes {
    /// This one.
    One(Ink),
    /// Every swatch of the palette, in this ink's colour and turned as it is.
    All(Ink),
    /// Every swatch in every colour and every turn.
    Every,
}

/// What is known about a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It cannot be played.
    Unplayable,
    /// It cannot be solved: proven.
    Unsolvable,
    /// It can.
    Solvable(Measure),
    /// The nodes did not suffice.
    Unknown,
}

/// How long or how ambiguous a solvable level is: somewhere from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measure {
    /// At least.
    pub low: u64,
    /// At most.
    pub high: u64,
    /// Whether this is the number of solutions, of which fewer are harder, and not the cost, of which more is.
    pub solutions: bool,
}

impl Measure {
    fn exact(self) -> Option<u64> {
        (self.low == self.high).then_some(self.low)
    }
}

/// What a change does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Effect {
    /// The level cannot be played any more.
    Unplayable,
    /// It cannot be solved any more.
    Unsolvable,
    /// It is easier.
    Easier,
    /// It stays as hard.
    Same,
    /// It is solvable; nothing more is proven.
    Solvable,
    /// It is harder.
    Harder,
    /// The nodes did not suffice.
    Unknown,
}

impl Effect {
    /// All of them, in the order of a legend.
    pub const ALL: [Effect; 7] = [
        Effect::Harder,
        Effect::Same,
        Effect::Easier,
        Effect::Solvable,
        Effect::Unsolvable,
        Effect::Unplayable,
        Effect::Unknown,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Effect::Unplayable => "not playable",
            Effect::Unsolvable => "unsolvable",
            Effect::Easier => "easier",
            Effect::Same => "same",
            Effect::Solvable => "solvable",
            Effect::Harder => "harder",
            Effect::Unknown => "not known",
        }
    }
}

impl Answer {
    /// What it means to go from `base` to this.
    pub fn against(self, base: Answer) -> Effect {
        let now = match self {
            Answer::Unplayable => return Effect::Unplayable,
            Answer::Unsolvable => return Effect::Unsolvable,
            Answer::Unknown => return Effect::Unknown,
            Answer::Solvable(now) => now,
        };
        let Answer::Solvable(was) = base else { return Effect::Solvable };
        let (harder, easier) = if now.solutions {
            (now.high < was.low, now.low > was.high)
        } else {
            (now.low > was.high, now.high < was.low)
        };
        match (harder, easier) {
            (true, _) => Effect::Harder,
            (_, true) => Effect::Easier,
            _ if now.exact().is_some() && now == was => Effect::Same,
            _ => Effect::Solvable,
        }
    }

    /// How hard it is, for putting answers in order: more is harder. Only solvable levels have one.
    pub fn hardness(self) -> Option<i64> {
        let Answer::Solvable(m) = self else { return None };
        let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        Some(if m.solutions { -signed(m.high) } else { signed(m.low) })
    }
}

/// "14 steps", "at least 3 solutions", "unsolvable".
pub fn answer_words<G: Puzzle>(answer: Answer) -> String {
    match answer {
        Answer::Unplayable => "not playable".into(),
        Answer::Unsolvable => "unsolvable".into(),
        Answer::Unknown => "not known".into(),
        Answer::Solvable(m) => {
            let name = if m.solutions { "solutions" } else { G::INFO.counts[G::GOALS[G::INFO.verdict_goal].count] };
            let one = |n: u64| singular(name, u32::try_from(n).unwrap_or(u32::MAX));
            match (m.exact(), m.solutions) {
                (Some(n), _) => format!("{n} {}", one(n)),
                (None, true) => format!("at least {} {}", m.low, one(m.low)),
                (None, false) => format!("{} to {} {name}", m.low, m.high),
            }
        }
    }
}

/// "14 steps instead of 12 steps": what a change does, in words.
pub fn effect_words<G: Puzzle>(now: Answer, base: Answer) -> String {
    let (now_words, was) = (answer_words::<G>(now), answer_words::<G>(base));
    if now == base { format!("{now_words}, as before") } else { format!("{now_words} instead of {was}") }
}

/// "Wall", "red cat", "swap with 3,2": a change in words.
pub fn change_words(palette: &Palette, change: &Change) -> String {
    let Some(swatch) = palette.swatches.get(change.ink.swatch) else { return "nothing".into() };
    let name = swatch.name.to_lowercase();
    let mut words = match palette.colours.get(change.ink.colour) {
        Some(colour) if swatch.coloured => format!("{colour} {name}"),
        _ => name,
    };
    if let [_, .., last] = change.spots.as_slice() {
        words += &format!(" to {},{}", last.cell.x, last.cell.y);
    }
    words
}

/// What is known about a level after at most so many nodes; `Err` if nobody wants to know any more.
pub fn answer<G: Puzzle>(level: &G::Level, nodes: u64, probe: &mut Probe) -> Result<Answer, Stop> {
    probe.check()?;
    let Ok(start) = G::start(level) else { return Ok(Answer::Unplayable) };
    let goal = G::INFO.verdict_goal;
    let mut part = probe.part(nodes);
    let mut early: Option<Vec<G::Move>> = None;
    let outcome = G::solve(level, &start, goal, &mut part, &mut |line| early = Some(line.to_vec()));
    probe.absorb(&part);
    let (line, bound, optimal, tally) = match outcome {
        Outcome::Unsolvable => return Ok(Answer::Unsolvable),
        Outcome::Solved { line, bound, optimal, tally, .. } => (line, bound, optimal, tally),
        Outcome::Stopped { by: Stop::Cancelled, .. } => return Err(Stop::Cancelled),
        Outcome::Stopped { bound, .. } => match early {
            Some(line) => (line, bound, false, None),
            None => return Ok(Answer::Unknown),
        },
    };
    let (board, from) = stage::<G>(level, &start, goal);
    let wins = replay::<G>(&board, &from, &line)
        .is_some_and(|states| states.last().is_some_and(|s| G::status(&board, s) == Status::Won));
    if !wins {
        return Ok(Answer::Unknown);
    }
    if G::TALLIES {
        let (found, all) = tally.map_or((1, false), |t| (t.found, t.all));
        let high = if all { found } else { u64::MAX };
        return Ok(Answer::Solvable(Measure { low: found, high, solutions: true }));
    }
    let cost = G::counts(&board, &from, &line).get(G::GOALS[goal].count).copied().unwrap_or(0);
    let low = if optimal { cost } else { bound.min(cost) };
    Ok(Answer::Solvable(Measure { low: low.into(), high: cost.into(), solutions: false }))
}

/// The inks that are tried on a level.
pub fn inks<G: Puzzle>(level: &G::Level, brushes: Brushes) -> Vec<Ink> {
    let palette = G::palette(level);
    let count = palette.swatches.len();
    match brushes {
        Brushes::One(ink) => vec![ink],
        Brushes::All(like) => (0..count).map(|swatch| Ink { swatch, ..like }).collect(),
        Brushes::Every => {
            let mut inks = Vec::new();
            for (swatch, about) in palette.swatches.iter().enumerate() {
                let colours = if about.coloured { palette.colours.len().max(1) } else { 1 };
                let turns = if about.turns { &Sym::ALL[..] } else { &[Sym::IDENTITY][..] };
                inks.extend((0..colours).flat_map(|c| turns.iter().map(move |s| Ink { swatch, colour: c, sym: *s })));
            }
            inks
        }
    }
}

/// The uses of an ink at a spot that change the level, with the level each gives.
pub fn changes_at<G: Puzzle>(level: &G::Level, ink: Ink, spot: Spot) -> Vec<(Change, G::Level)> {
    let gesture = G::palette(level).swatches.get(ink.swatch).map_or(Gesture::Spots, |s| s.gesture);
    let uses = match gesture {
        Gesture::FromTo => G::neighbours(level, spot).into_iter().map(|to| vec![spot, to]).collect(),
        Gesture::Spots | Gesture::Whole | Gesture::Once => vec![vec![spot]],
    };
    let changed = uses.into_iter().map(|spots| {
        let mut next = level.clone();
        G::paint(&mut next, ink, &spots);
        (Change { ink, spots }, next)
    });
    changed.filter(|(_, next)| next != level).collect()
}

/// How many errors a draft has.
pub fn errors<G: Puzzle>(level: &G::Level) -> usize {
    G::problems(level).iter().filter(|p| p.severity == Severity::Error).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(low: u64, high: u64) -> Answer {
        Answer::Solvable(Measure { low, high, solutions: false })
    }

    fn tally(low: u64, high: u64) -> Answer {
        Answer::Solvable(Measure { low, high, solutions: true })
    }

    #[test]
    fn answers_are_compared_by_what_is_proven_only() {
        assert_eq!(cost(14, 14).against(cost(12, 12)), Effect::Harder);
        assert_eq!(cost(3, 11).against(cost(12, 12)), Effect::Easier);
        assert_eq!(cost(12, 12).against(cost(12, 12)), Effect::Same);
        assert_eq!(cost(3, 12).against(cost(12, 12)), Effect::Solvable, "it may be as hard");
        assert_eq!(cost(3, 14).against(cost(3, 14)), Effect::Solvable, "nothing is proven about either");
        assert_eq!(tally(1, 1).against(tally(3, 3)), Effect::Harder, "fewer solutions");
        assert_eq!(tally(500, u64::MAX).against(tally(3, 3)), Effect::Easier);
        assert_eq!(tally(1, u64::MAX).against(tally(3, 3)), Effect::Solvable);
        assert_eq!(cost(3, 3).against(Answer::Unsolvable), Effect::Solvable);
        assert_eq!(Answer::Unsolvable.against(cost(3, 3)), Effect::Unsolvable);
        assert!(cost(4, 4).hardness() > cost(3, 3).hardness() && tally(1, 1).hardness() > tally(2, 2).hardness());
    }
}
