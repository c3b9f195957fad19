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
    job::Probe,
};
use std::sync::Arc;

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
        Outcome::Unsolvable if best.is_some() => Err("the solver calls a level unsolvable for which it has a solution"),
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
        Err(fault) => Answer { report: Report { verdict: Verdict::Fault(fault.into()), ..report }, line: None },
    }
}

/// The goal that is about the game as it is played: the one that verdicts are about, unless its lines are replayed without something that is in play (Readout's
/// fewest slides know no opponent).
pub fn played_goal<G: Game>(level: &G::Level, from: &G::State) -> usize {
    let as_played = |goal: &usize| G::replay_on(level, from, *goal).is_none();
    std::iter::once(G::INFO.verdict_goal).chain(0..G::GOALS.len()).find(as_played).unwrap_or(G::INFO.verdict_goal)
}

const LINE_LOSES: &str = "the solver's line does not win when replayed";
