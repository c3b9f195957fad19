//! The one place that asks a game's solver.
//!
//! Whatever a solver returns is checked here before anybody sees it: every line is replayed through the rules, and a line that does not win, or a proof that
//! there is none beside a line that wins, is a [`Verdict::Fault`]. A line handed over on the way counts when the search is stopped later.

use super::{
    line::{Replayed, stage},
    report::{Report, Verdict},
};
use crate::{
    clock::Instant,
    game::{Game, Outcome, Tally},
    job::{Mode, Probe, Stop},
};
use std::sync::Arc;

/// Nodes on one thread before all cores take part.
const ALONE: u64 = 10_000;

/// What came of a search: the report, and the line with its types.
pub struct Answer<G: Game> {
    /// Everything that can be said without the game's types.
    pub report: Report,
    /// The best line. There is one exactly if the verdict is [`Verdict::Solved`].
    pub line: Option<Arc<Replayed<G>>>,
}

/// Solves a level for a goal, from a position or from the start. `on_better` is handed each line that the search finds on the way.
pub fn solve<G: Game>(
    level: &Arc<G::Level>,
    from: Option<&G::State>,
    goal: usize,
    probe: &mut Probe,
    on_better: &mut dyn FnMut(&Arc<Replayed<G>>),
) -> Answer<G> {
    let start = G::start(level);
    let from = match (from, &start) {
        (Some(from), _) | (None, Ok(from)) => from,
        (None, Err(problems)) => {
            let report = Report::new::<G>(goal, Verdict::Unplayable(problems.clone()));
            return Answer { report, line: None };
        }
    };
    let stage = stage::<G>(level, from, goal);
    let from_start = start.as_ref().ok() == Some(from);
    let began = Instant::now();
    let mut first = None;
    let mut best: Option<Arc<Replayed<G>>> = None;
    let mut refused = false;
    let outcome = G::solve(level, from, goal, probe, &mut |line| {
        first.get_or_insert_with(|| began.elapsed());
        match Replayed::new(stage.clone(), goal, line.to_vec(), from_start).map(Arc::new) {
            Some(line) => {
                on_better(&line);
                best = Some(line);
            }
            None => refused = true,
        }
    });
    let mut report = Report::new::<G>(goal, Verdict::Unsolvable);
    report.nodes = probe.progress.nodes;
    report.elapsed = began.elapsed();
    let line = match outcome {
        Outcome::Solved { line, optimal, bound, stopped, tally } => {
            report.verdict = Verdict::Solved { optimal, stopped };
            (report.bound, report.tally) = (Some(bound), tally);
            best.filter(|b| b.moves == line)
                .or_else(|| Replayed::new(stage, goal, line, from_start).map(Arc::new))
                .ok_or(LINE_LOSES)
                .map(Some)
        }
        Outcome::Unsolvable if best.is_some() => Err(LINE_AND_NONE),
        Outcome::Unsolvable => Ok(None),
        Outcome::Stopped { by, bound } => {
            report.bound = Some(bound);
            report.verdict = match best {
                Some(_) => Verdict::Solved { optimal: false, stopped: Some(by) },
                None => Verdict::Stopped(by),
            };
            if best.is_none() && refused { Err(LINE_LOSES) } else { Ok(best) }
        }
    };
    if G::TALLIES && report.tally.is_none() {
        let found = u64::from(matches!(line, Ok(Some(_))));
        report.tally = Some(Tally { found, all: report.verdict == Verdict::Unsolvable });
    }
    match line {
        Ok(line) => {
            if let Some(line) = &line {
                report.first = Some(first.unwrap_or(report.elapsed));
                report.tell(line);
            }
            Answer { report, line }
        }
        Err(fault) => Answer { report, line: None }.fault(fault),
    }
}

/// As [`solve`], on all cores. What takes few nodes is solved on one thread, so that an easy level gets the same line on every machine. Where any line answers the
/// question, `improve` says whether a better one is looked for all the same.
pub fn solve_on_all_cores<G: Game>(
    level: &Arc<G::Level>,
    from: Option<&G::State>,
    goal: usize,
    improve: bool,
    probe: &mut Probe,
    on_better: &mut dyn FnMut(&Arc<Replayed<G>>),
) -> Answer<G> {
    alone_first(level, from, goal, improve, ALONE, probe, on_better)
}

/// The same with other nodes for one thread.
fn alone_first<G: Game>(
    level: &Arc<G::Level>,
    from: Option<&G::State>,
    goal: usize,
    improve: bool,
    nodes: u64,
    probe: &mut Probe,
    on_better: &mut dyn FnMut(&Arc<Replayed<G>>),
) -> Answer<G> {
    let mut part = probe.part(nodes);
    part.heat = probe.heat.take();
    let first = solve(level, from, goal, &mut part, on_better);
    probe.heat = part.heat.take();
    probe.absorb(&part);
    let answered = matches!(first.report.verdict, Verdict::Solved { optimal: false, stopped: None });
    let goes_on = first.report.stopped_by() == Some(Stop::Nodes) || (answered && improve);
    if !goes_on || probe.nodes_left() == 0 {
        return first;
    }
    let mode = probe.mode();
    probe.set_mode(Mode::all_cores());
    let least = first.report.cost.unwrap_or(u32::MAX);
    let then = solve(level, from, goal, probe, &mut |line| {
        if line.cost() < least {
            on_better(line);
        }
    });
    probe.set_mode(mode);
    first.join(then)
}

impl<G: Game> Answer<G> {
    /// What two searches have found together, the second after the first: of two lines that cost the same, the first one's.
    fn join(self, then: Answer<G>) -> Answer<G> {
        let elapsed = self.report.elapsed + then.report.elapsed;
        let later = then.report.first.map(|t| self.report.elapsed + t);
        let first = self.report.first.or(later);
        let cost = |answer: &Answer<G>| answer.report.cost.unwrap_or(u32::MAX);
        let keeps = self.line.is_some() && cost(&self) <= cost(&then);
        let (verdict, tally) = (then.report.verdict.clone(), then.report.tally.or(self.report.tally));
        let bound = self.report.bound.max(then.report.bound);
        let nodes = then.report.nodes;
        let Answer { report, line } = match verdict {
            Verdict::Unsolvable if self.line.is_some() => then.fault(LINE_AND_NONE),
            Verdict::Solved { optimal: true, .. } if cost(&self) < cost(&then) => then.fault(LINE_AND_BETTER),
            Verdict::Fault(_) => then,
            Verdict::Stopped(by) if keeps => {
                let verdict = Verdict::Solved { optimal: false, stopped: Some(by) };
                Answer { report: Report { verdict, ..self.report }, line: self.line }
            }
            verdict if keeps => Answer { report: Report { verdict, ..self.report }, line: self.line },
            _ => then,
        };
        Answer { report: Report { elapsed, first, bound, tally, nodes, ..report }, line }
    }

    /// The same without its line: the solver contradicts itself.
    fn fault(self, text: &str) -> Answer<G> {
        let verdict = Verdict::Fault(text.into());
        let report = Report { verdict, cost: None, counts: Vec::new(), moves: None, ..self.report };
        Answer { report, line: None }
    }
}

/// The goal that is about the game as it is played: the one that verdicts are about, unless its lines are replayed without something that is in play (Readout's
/// fewest slides know no opponent).
pub fn played_goal<G: Game>(level: &G::Level, from: &G::State) -> usize {
    let as_played = |goal: &usize| G::replay_on(level, from, *goal).is_none();
    std::iter::once(G::INFO.verdict_goal).chain(0..G::GOALS.len()).find(as_played).unwrap_or(G::INFO.verdict_goal)
}

const LINE_AND_NONE: &str = "the solver calls a level unsolvable for which it has a solution";
const LINE_AND_BETTER: &str = "the solver calls a solution optimal for which it has a better one";
const LINE_LOSES: &str = "the solver's line does not win when replayed";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        formats::native,
        game::Draft as _,
        games::{cats::Cats, match_tiles::Match, readout::Readout, sbokena::Sbokena, shards::Shards},
        job::Limits,
    };

    /// The shipped levels, with so few nodes for one thread that it seldom settles anything, and with more.
    fn agree<G: Game>() -> usize {
        let mut compared = 0;
        for text in G::INFO.levels.iter().take(8) {
            let level = Arc::new(native::read::<G>(text).expect("a shipped level").level);
            for goal in 0..G::GOALS.len() {
                let expected = solve::<G>(&level, None, goal, &mut Probe::new(Limits::nodes(20_000)), &mut |_| ());
                for nodes in [1, 100, 3_000] {
                    let mut costs = Vec::new();
                    let mut probe = Probe::new(Limits::nodes(60_000));
                    let mut keep = |line: &Arc<Replayed<G>>| costs.push(line.cost());
                    let found = alone_first::<G>(&level, None, goal, true, nodes, &mut probe, &mut keep);
                    assert!(costs.is_sorted_by(|a, b| a > b), "each line beats the one before: {costs:?}");
                    assert_eq!(found.line.as_ref().map(|l| l.cost()), found.report.cost);
                    assert!(found.report.bound <= found.report.cost || found.line.is_none());
                    assert!(costs.last().is_none_or(|best| found.report.cost == Some(*best)), "the best is kept");
                    let (a, b) = (&expected.report, &found.report);
                    if a.optimal() && b.optimal() {
                        assert_eq!(a.cost, b.cost, "{} {}", G::INFO.id, a.goal);
                        compared += 1;
                    }
                    assert!(!matches!(b.verdict, Verdict::Unsolvable | Verdict::Fault(_)), "{:?}", b.verdict);
                }
            }
        }
        compared
    }

    #[test]
    fn a_solver_that_contradicts_itself_is_at_fault() {
        let level = Arc::new(native::read::<Cats>(Cats::INFO.levels[0]).expect("a shipped level").level);
        let first = || solve::<Cats>(&level, None, 0, &mut Probe::new(Limits::nodes(20_000)), &mut |_| ());
        let dearer = |optimal| {
            let found = first();
            let cost = found.report.cost.map(|c| c + 1);
            Answer {
                report: Report { cost, verdict: Verdict::Solved { optimal, stopped: None }, ..found.report },
                ..found
            }
        };
        let none = Answer { report: Report::new::<Cats>(0, Verdict::Unsolvable), line: None };
        for then in [dearer(true), none] {
            let joined = first().join(then);
            assert!(matches!(joined.report.verdict, Verdict::Fault(_)), "{:?}", joined.report);
            assert!(joined.line.is_none() && joined.report.cost.is_none() && joined.report.moves.is_none());
        }
        let joined = first().join(dearer(false));
        assert_eq!((joined.report.cost, joined.report.moves), (first().report.cost, first().report.moves));
    }

    #[test]
    fn on_all_cores_the_answer_is_the_same() {
        let compared = [agree::<Cats>(), agree::<Shards>(), agree::<Readout>(), agree::<Sbokena>(), agree::<Match>()];
        assert!(compared.iter().filter(|n| **n >= 6).count() >= 4, "{compared:?}");
    }
}
