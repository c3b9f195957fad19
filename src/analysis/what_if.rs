//! What one edit would do: the level as it is against the level with one thing painted, each solved with a small node limit.
//!
//! A [`Change`] is one use of one ink: at a spot, or, for inks that lead from one spot to another (a swap, a link), from a spot to a neighbour of it.
//! [`answer`] solves a level as it is played; what is known about its cost is an interval ([`Report::measure`]), which is a single number
//! where the minimum is proven. Games that count solutions are compared by their number instead: the fewer, the harder. [`effect`] puts two answers side by
//! side and says nothing that is not proven: where the intervals overlap, it is only known that the level is solvable.
//!
//! Everything is cut off by nodes, so a map of answers is the same on every machine and for any number of threads.

use super::{Report, Verdict, played_goal, solve};
use crate::{
    game::{Game, Gesture, Ink, Palette, Severity},
    grid::{Spot, Sym},
    job::{Probe, Stop},
};
use std::sync::Arc;

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

/// What it means to go from a level that is known as `base` to one that is known as `now`.
pub fn effect(now: &Report, base: &Report) -> Effect {
    let now = match (&now.verdict, now.measure()) {
        (Verdict::Unplayable(_), _) => return Effect::Unplayable,
        (Verdict::Unsolvable, _) => return Effect::Unsolvable,
        (_, None) => return Effect::Unknown,
        (_, Some(now)) => now,
    };
    let Some(was) = base.measure() else { return Effect::Solvable };
    let (harder, easier) =
        if now.solutions { (now.high < was.low, now.low > was.high) } else { (now.low > was.high, now.high < was.low) };
    match (harder, easier) {
        (true, _) => Effect::Harder,
        (_, true) => Effect::Easier,
        _ if now.exact().is_some() && now == was => Effect::Same,
        _ => Effect::Solvable,
    }
}

/// How hard a level is, for putting answers in order: more is harder. Only solvable levels have one.
pub fn hardness(report: &Report) -> Option<i64> {
    let m = report.measure()?;
    let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    Some(if m.solutions { -signed(m.high) } else { signed(m.low) })
}

/// "14 steps instead of 12 steps": what a change does, in words.
pub fn effect_words(now: &Report, base: &Report) -> String {
    let (now, was) = (now.measure_text(), base.measure_text());
    if now == was { format!("{now}, as before") } else { format!("{now} instead of {was}") }
}

/// "wall", "red cat", "swap to c2": a change in words.
pub fn change_words(palette: &Palette, change: &Change) -> String {
    let ink = ink_words(palette, change.ink);
    match change.spots.as_slice() {
        [_, .., last] => format!("{ink} to {}", last.cell.name()),
        _ => ink,
    }
}

/// "wall at b2", "swap from b2 to c2": the same with its place.
pub fn change_with_place(palette: &Palette, change: &Change) -> String {
    let ink = ink_words(palette, change.ink);
    match change.spots.as_slice() {
        [first, .., last] => format!("{ink} from {} to {}", first.cell.name(), last.cell.name()),
        [one] => format!("{ink} at {}", one.cell.name()),
        [] => ink,
    }
}

fn ink_words(palette: &Palette, ink: Ink) -> String {
    let Some(swatch) = palette.swatches.get(ink.swatch) else { return "nothing".into() };
    let name = swatch.name.to_lowercase();
    match palette.colours.get(ink.colour) {
        Some(colour) if swatch.coloured => format!("{colour} {name}"),
        _ => name,
    }
}

/// What is known about a level after at most so many nodes; `Err` if nobody wants to know any more.
pub fn answer<G: Game>(level: &Arc<G::Level>, nodes: u64, probe: &mut Probe) -> Result<Report, Stop> {
    answer_for::<G>(level, goal_of::<G>(level), nodes, probe)
}

/// The goal that answers about a draft are about: the game as it is played, so in Readout winning against this opponent within the limit.
pub fn goal_of<G: Game>(level: &G::Level) -> usize {
    G::arrange(level).map_or(G::INFO.verdict_goal, |start| played_goal::<G>(level, &start))
}

/// The same for a goal.
pub fn answer_for<G: Game>(level: &Arc<G::Level>, goal: usize, nodes: u64, probe: &mut Probe) -> Result<Report, Stop> {
    probe.check()?;
    let mut part = probe.part(nodes);
    let report = solve::<G>(level, None, goal, &mut part, &mut |_| ()).report;
    probe.absorb(&part);
    match report.stopped_by() {
        Some(Stop::Cancelled) => Err(Stop::Cancelled),
        _ => Ok(report.timeless()),
    }
}

/// The inks that are tried on a level.
pub fn inks<G: Game>(level: &G::Level, brushes: Brushes) -> Vec<Ink> {
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
pub fn changes_at<G: Game>(level: &G::Level, ink: Ink, spot: Spot) -> Vec<(Change, G::Level)> {
    let gesture = G::palette(level).swatches.get(ink.swatch).map_or(Gesture::Spots, |s| s.gesture);
    let uses = match gesture {
        Gesture::FromTo => G::ends(level, ink, spot).into_iter().map(|to| vec![spot, to]).collect(),
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
pub fn errors<G: Game>(level: &G::Level) -> usize {
    G::problems(level).iter().filter(|p| p.severity == Severity::Error).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::{game::Tally, games::null::Null};

    fn report(verdict: Verdict) -> Report {
        Report::new::<Null>(0, verdict)
    }

    fn cost(low: u32, high: u32) -> Report {
        let verdict = Verdict::Solved { optimal: low == high, stopped: None };
        Report { cost: Some(high), bound: Some(low), ..report(verdict) }
    }

    fn tally(found: u64, all: bool) -> Report {
        Report { tally: Some(Tally { found, all }), ..cost(1, 1) }
    }

    #[test]
    fn answers_are_compared_by_what_is_proven_only() {
        assert_eq!(effect(&cost(14, 14), &cost(12, 12)), Effect::Harder);
        assert_eq!(effect(&cost(3, 11), &cost(12, 12)), Effect::Easier);
        assert_eq!(effect(&cost(12, 12), &cost(12, 12)), Effect::Same);
        assert_eq!(effect(&cost(3, 12), &cost(12, 12)), Effect::Solvable, "it may be as hard");
        assert_eq!(effect(&cost(3, 14), &cost(3, 14)), Effect::Solvable, "nothing is proven about either");
        assert_eq!(effect(&tally(1, true), &tally(3, true)), Effect::Harder, "fewer solutions");
        assert_eq!(effect(&tally(500, false), &tally(3, true)), Effect::Easier);
        assert_eq!(effect(&tally(1, false), &tally(3, true)), Effect::Solvable);
        assert_eq!(effect(&cost(3, 3), &report(Verdict::Unsolvable)), Effect::Solvable);
        assert_eq!(effect(&report(Verdict::Unsolvable), &cost(3, 3)), Effect::Unsolvable);
        assert_eq!(effect(&report(Verdict::Fault("?".into())), &cost(3, 3)), Effect::Unknown);
        assert!(hardness(&cost(4, 4)) > hardness(&cost(3, 3)) && hardness(&tally(1, true)) > hardness(&tally(2, true)));
    }
}
