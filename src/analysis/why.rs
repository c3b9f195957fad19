//! Why a position cannot be won: one sentence and the cells.
//!
//! Everything here is about a position that a search has *proven* unsolvable; this looks for the smallest part of it that is unsolvable already. First the
//! reasons that a game finds itself ([`Reasons::find`]). Then the parts of the level ([`Reasons::parts`]): leaving one out can only help, so
//! unsolvable sets of kept parts are closed under adding parts, and one pass over all parts, leaving out each whose loss keeps the question
//! unsolvable, ends with an irreducible rest. Since most rests are small, single parts, pairs and, of few parts, threes are tried before that pass, with
//! everything else left out: these are also the cheapest questions.
//!
//! All limits are node counts, so the same position has the same reason on every machine. Where a question stops at its limit, nothing is left out
//! for it and [`Reason::minimal`] is false.

use super::{Report, Verdict, line::grouped};
use crate::{
    game::{Easier, Found, Game, Outcome, Reason, Reasons, Severity},
    grid::Spot,
    job::{Probe, Stop},
    search::space,
};

/// How much is asked.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// Nodes in all.
    pub nodes: u64,
    /// Nodes for one question.
    pub each: u64,
    /// Pairs of parts that are tried.
    pub pairs: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { nodes: 1_500_000, each: 200_000, pairs: 400 }
    }
}

/// Why a position (the start, unless another is given) cannot be won, with the questions that show it; `None` if the report does not say so, and `Err` if nobody
/// wants to know any more, or time or memory ran out.
pub fn why<G: Game>(
    level: &G::Level,
    from: Option<&G::State>,
    report: &Report,
    effort: Effort,
    probe: &mut Probe,
) -> Result<Option<Found<G>>, Stop> {
    let reasons = G::reasons();
    match report.verdict {
        Verdict::Unplayable(_) => {
            let own = reasons.and_then(|r| (r.unplayable)(level));
            let first = || G::problems(level).into_iter().find(|p| p.severity == Severity::Error);
            let reason = own.or_else(|| first().map(|p| Reason::new("problem", p.text, p.spots, "")));
            Ok(reason.map(|reason| Found::new(reason, Vec::new())))
        }
        Verdict::Unsolvable => {
            let start = G::arrange(level);
            let Some(from) = from.or(start.as_ref()) else { return Ok(None) };
            let goal = G::GOALS.iter().position(|g| g.id == report.goal).unwrap_or(0);
            let mut part = probe.part(effort.nodes);
            part.set_mode(crate::job::Mode::Reproducible);
            let found = match reasons {
                Some(reasons) => Search::<G> { level, from, reasons, effort }.run(goal, report, &mut part),
                None => {
                    let reason = searched(report, Vec::new(), String::new());
                    Ok(Found::new(Reason { minimal: false, ..reason }, Vec::new()))
                }
            };
            probe.absorb(&part);
            found.map(Some)
        }
        _ => Ok(None),
    }
}

/// Only a search shows it.
fn searched(report: &Report, spots: Vec<Spot>, keeps: String) -> Reason {
    let positions = match report.nodes {
        0 | 1 => "the search ended at the first position".into(),
        n => format!("{} positions were searched", grouped(n)),
    };
    Reason::new("search", format!("No single reason: {positions}."), spots, keeps)
}

/// Whether the answer to an easier question is yes; `None` if `nodes` did not suffice to tell.
pub fn solvable<G: Game>(easier: &Easier<G>, nodes: u64, probe: &mut Probe) -> Result<Option<bool>, Stop> {
    match easier {
        Easier::Space(space) => probe.turn(nodes, |probe| space::solvable(&**space, probe)),
        Easier::Level(level, from, goal) => {
            let mut part = probe.part(nodes);
            let outcome = G::solve(level, from, *goal, &mut part, &mut |_| ());
            probe.absorb(&part);
            match outcome {
                Outcome::Solved { .. } => Ok(Some(true)),
                Outcome::Unsolvable => Ok(Some(false)),
                Outcome::Stopped { by: Stop::Nodes, .. } if probe.nodes_left() > 0 => Ok(None),
                Outcome::Stopped { by, .. } => Err(by),
            }
        }
    }
}

/// Of a level with at most this many parts, threes are tried too.
const TRIPLES_UP_TO: usize = 9;

struct Search<'a, G: Game> {
    level: &'a G::Level,
    from: &'a G::State,
    reasons: Reasons<G>,
    effort: Effort,
}

impl<G: Game> Search<'_, G> {
    fn run(&self, goal: usize, report: &Report, probe: &mut Probe) -> Result<Found<G>, Stop> {
        let own = probe.turn(self.effort.nodes / 3, |p| (self.reasons.find)(self.level, self.from, goal, p));
        if let Some(Some(found)) = unless_nodes(own)?.flatten() {
            return Ok(found);
        }
        let parts = (self.reasons.parts)(self.level, self.from);
        let mut rest = Rest { left_out: vec![false; parts.len()], minimal: true };
        let groups: Vec<usize> = parts.iter().map(|p| p.group).collect();
        if unless_nodes(self.shrink(&groups, &mut rest, probe))?.is_none() {
            rest.minimal = false;
        }
        let Rest { left_out, minimal } = rest;
        let spots_of = |aside: bool| {
            let these = parts.iter().zip(&left_out).filter(move |(_, out)| **out == aside);
            these.flat_map(|(part, _)| part.spots.iter().copied()).collect::<Vec<Spot>>()
        };
        let rests_on: Vec<_> = (self.reasons.without)(self.level, self.from, &left_out).into_iter().collect();
        let reason = (self.reasons.tell)(self.level, self.from, &left_out).unwrap_or_else(|| {
            searched(report, spots_of(false), (self.reasons.keeps)(self.level, self.from, &left_out))
        });
        let mut aside = spots_of(true);
        aside.retain(|s| !reason.spots.contains(s));
        Ok(Found { reason: Reason { minimal, aside, ..reason }, rests_on, left_out: Some(left_out) })
    }

    /// Whether the question without these parts is unsolvable; `false` also if it may not be asked.
    fn unsolvable(&self, left_out: &[bool], rest: &mut Rest, probe: &mut Probe) -> Result<bool, Stop> {
        let Some(easier) = (self.reasons.without)(self.level, self.from, left_out) else { return Ok(false) };
        let answer = solvable(&easier, self.effort.each, probe)?;
        rest.minimal &= answer.is_some();
        Ok(answer == Some(false))
    }

    /// Leaves out parts until no further one can be left out.
    fn shrink(&self, groups: &[usize], rest: &mut Rest, probe: &mut Probe) -> Result<(), Stop> {
        let all: Vec<usize> = (0..groups.len()).collect();
        let only = |kept: &[usize]| all.iter().map(|i| !kept.contains(i)).collect::<Vec<bool>>();
        if self.unsolvable(&only(&[]), rest, probe)? {
            rest.left_out = only(&[]);
            return Ok(());
        }
        let singles = all.iter().map(|i| vec![*i]);
        let pairs = all.iter().flat_map(|i| all[i + 1..].iter().map(move |j| vec![*i, *j]));
        let few = all.len() <= TRIPLES_UP_TO;
        let triples = all.iter().flat_map(|i| {
            let all = &all;
            all[i + 1..].iter().flat_map(move |j| all[j + 1..].iter().map(move |k| vec![*i, *j, *k]))
        });
        let small = singles.chain(pairs.take(self.effort.pairs)).chain(triples.filter(|_| few));
        for kept in small {
            // A question that stops here is asked again below, if it matters.
            let minimal = rest.minimal;
            if self.unsolvable(&only(&kept), rest, probe)? {
                rest.left_out = only(&kept);
                return self.one_by_one(&kept, rest, probe);
            }
            rest.minimal = minimal;
        }
        let mut group = 0;
        while let Some(next) = groups.iter().copied().filter(|g| *g >= group).min() {
            let mut without = rest.left_out.clone();
            all.iter().filter(|i| groups[**i] == next).for_each(|i| without[*i] = true);
            let minimal = rest.minimal;
            if self.unsolvable(&without, rest, probe)? {
                rest.left_out = without;
            }
            rest.minimal = minimal;
            group = next + 1;
        }
        self.one_by_one(&all, rest, probe)
    }

    /// The pass that makes the rest irreducible: what cannot be left out now cannot be left out when less is kept either.
    fn one_by_one(&self, parts: &[usize], rest: &mut Rest, probe: &mut Probe) -> Result<(), Stop> {
        for &i in parts {
            if rest.left_out[i] {
                continue;
            }
            let mut without = rest.left_out.clone();
            without[i] = true;
            if self.unsolvable(&without, rest, probe)? {
                rest.left_out = without;
            }
        }
        Ok(())
    }
}

/// What is left of a level.
struct Rest {
    left_out: Vec<bool>,
    minimal: bool,
}

/// Running out of nodes is no error here: what was found until then counts.
fn unless_nodes<T>(end: Result<T, Stop>) -> Result<Option<T>, Stop> {
    match end {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Nodes) => Ok(None),
        Err(stop) => Err(stop),
    }
}
