//! The same things, waited for: what commands and tests need. Moves are strings in the game's notation.

use super::{Document, Feedback, Position, any_game::outcome_name, named_counts, replay, stage};
use crate::{
    analysis::rate::{self, Rating},
    game::{Game, Outcome, Problem, Puzzle, SimulatedGame, Status, Tally, advance},
    grid::{Cell, Sym},
    job::{Probe, Stop},
};
use std::time::Duration;

/// The answer to `solve`.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// The goal's id.
    pub goal: &'static str,
    /// "solved", "unsolvable" or "stopped".
    pub outcome: &'static str,
    /// What stopped it.
    pub stopped_by: Option<Stop>,
    /// Whether the line is proven best.
    pub optimal: bool,
    /// Cost for the goal.
    pub cost: Option<u32>,
    /// All counts.
    pub costs: Vec<(&'static str, u32)>,
    /// Proven lower bound.
    pub bound: Option<u32>,
    /// Nodes expanded.
    pub nodes: u64,
    /// Time taken.
    pub seconds: f64,
    /// Time until the first line.
    pub first_seconds: Option<f64>,
    /// The line.
    pub moves: Option<String>,
    /// Number of solutions.
    pub tally: Option<Tally>,
    /// Why the level cannot be played, if it cannot.
    pub problems: Vec<Problem>,
}

/// One replayed move.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayRow {
    /// The move.
    pub text: String,
    /// Why it was refused, if it was: a word and a sentence.
    pub refused: Option<(&'static str, String)>,
    /// How the game stands after it.
    pub status: Status,
    /// Where things are after it.
    pub objects: Vec<(String, Cell)>,
    /// The position after it.
    pub board: String,
}

/// What commands and tests do with a level.
pub trait Headless {
    /// Solves it, here and now.
    fn solve_now(&self, goal: usize, probe: &mut Probe) -> Report;
    /// Replays a line from the start, also on drafts with problems, as far as a position can be made of them.
    fn replay_now(&self, moves: &str, keep_going: bool) -> Result<Vec<ReplayRow>, String>;
    /// Plays a simulated game.
    fn simulate(&self, opponent: &str, error: f64, seed: u64) -> Option<SimulatedGame>;
    /// The legal moves after a line from the start, written one by one; `None` if the line is not legal.
    fn legal_after(&self, line: &str) -> Option<Vec<String>>;
    /// The state after a line from the start, as a text that is equal exactly for equal states, and how the game stands.
    fn state_after(&self, line: &str) -> Option<(String, Status)>;
    /// Writes a line after reading it.
    fn rewrite_line(&self, line: &str) -> Result<String, String>;
    /// The level under a symmetry, as a document of its own.
    fn turned(&self, sym: Sym) -> Option<Box<dyn super::Doc>>;
    /// The level on which lines of a goal are replayed, where that is another one.
    fn replay_level(&self, goal: usize) -> Option<Box<dyn super::Doc>>;
    /// Whether solving it for a goal is better off with what the game prepares (see [`super::AnyGame::prepare`]).
    fn gains_from_preparing(&self, goal: usize) -> bool;
    /// Rates it, with at most so many nodes a goal.
    fn rate_now(&self, nodes: u64, probe: &mut Probe) -> Rating;
    /// The position that play begins with; with `drafts_too`, also what can be made of a draft with problems.
    fn position(&self, drafts_too: bool) -> Option<Box<dyn Position>>;
    /// Makes moves, given as text, in the game under way.
    fn play_line(&mut self, line: &str) -> Result<Feedback, String>;
    /// The state of the game under way, as a text that is equal exactly for equal states.
    fn play_state(&self) -> Option<String>;
}

impl<G: Puzzle> Document<G> {
    fn after(&self, line: &str) -> Option<G::State> {
        let moves = G::read_line(self.level(), line).ok()?;
        let start = G::start(self.level()).ok()?;
        replay::<G>(self.level(), &start, &moves)?.pop()
    }
}

impl<G: Puzzle> Headless for Document<G> {
    fn solve_now(&self, goal: usize, probe: &mut Probe) -> Report {
        let mut report = Report {
            goal: G::GOALS[goal].id,
            outcome: "unsolvable",
            stopped_by: None,
            optimal: false,
            cost: None,
            costs: Vec::new(),
            bound: None,
            nodes: 0,
            seconds: 0.0,
            first_seconds: None,
            moves: None,
            tally: None,
            problems: Vec::new(),
        };
        let start = match G::start(self.level()) {
            Ok(start) => start,
            Err(problems) => return Report { problems, ..report },
        };
        let mut first = None;
        let began = std::time::Instant::now();
        let mut early: Option<Vec<G::Move>> = None;
        let outcome = G::solve(self.level(), &start, goal, probe, &mut |line| {
            first.get_or_insert_with(|| began.elapsed());
            early = Some(line.to_vec());
        });
        let took: Duration = began.elapsed();
        report.outcome = outcome_name(&outcome);
        report.nodes = probe.progress.nodes;
        report.seconds = took.as_secs_f64();
        let line = match outcome {
            Outcome::Solved { line, optimal, bound, stopped, tally } => {
                (report.optimal, report.bound, report.stopped_by, report.tally) =
                    (optimal, Some(bound), stopped, tally);
                Some(line)
            }
            Outcome::Unsolvable => None,
            Outcome::Stopped { by, bound } => {
                (report.stopped_by, report.bound) = (Some(by), Some(bound));
                // A line handed over on the way is a solution, even if the search forgot it.
                early.inspect(|_| report.outcome = "solved")
            }
        };
        if G::TALLIES && report.tally.is_none() {
            let found = u64::from(report.outcome == "solved");
            report.tally = Some(Tally { found, all: report.outcome == "unsolvable" });
        }
        if let Some(line) = line {
            let (level, from) = stage::<G>(self.level(), &start, goal);
            let level = &level;
            let won = replay::<G>(level, &from, &line)
                .is_some_and(|states| G::status(level, &states[states.len() - 1]) == Status::Won);
            assert!(won, "the solver's line does not win when replayed: {}", G::write_line(level, &line));
            report.costs = named_counts::<G>(level, &from, &line);
            report.cost = report.costs.get(G::GOALS[goal].count).map(|c| c.1);
            report.moves = Some(G::write_line(level, &line));
            report.first_seconds = Some(first.unwrap_or(took).as_secs_f64());
        }
        report
    }
    fn replay_now(&self, moves: &str, keep_going: bool) -> Result<Vec<ReplayRow>, String> {
        let level = self.level();
        let Some(mut state) = G::arrange(level) else {
            let problems = G::problems(level);
            let why = problems.first().map_or("it has no position to start from", |p| p.text.as_str());
            return Err(format!("this draft cannot be replayed: {why}"));
        };
        let line = G::read_line(level, moves).map_err(|e| format!("the moves cannot be read: {e}"))?;
        let mut rows = Vec::new();
        for mv in line {
            let refused = advance::<G>(level, &mut state, &mv).err().map(|r| (r.reason, r.text));
            let stop = refused.is_some() && !keep_going;
            rows.push(ReplayRow {
                text: G::write_line(level, std::slice::from_ref(&mv)),
                refused,
                status: G::status(level, &state),
                objects: G::objects(level, &state),
                board: G::board_text(level, &state),
            });
            if stop {
                break;
            }
        }
        Ok(rows)
    }
    fn simulate(&self, opponent: &str, error: f64, seed: u64) -> Option<SimulatedGame> {
        <G as Game>::simulate(self.level(), opponent, error, seed)
    }
    fn legal_after(&self, line: &str) -> Option<Vec<String>> {
        let state = self.after(line)?;
        let moves = G::legal_moves(self.level(), &state);
        Some(moves.iter().map(|m| G::write_line(self.level(), std::slice::from_ref(m))).collect())
    }
    fn state_after(&self, line: &str) -> Option<(String, Status)> {
        let state = self.after(line)?;
        Some((format!("{state:?}"), G::status(self.level(), &state)))
    }
    fn rewrite_line(&self, line: &str) -> Result<String, String> {
        let moves = G::read_line(self.level(), line).map_err(|e| e.to_string())?;
        Ok(G::write_line(self.level(), &moves))
    }
    fn turned(&self, sym: Sym) -> Option<Box<dyn super::Doc>> {
        let level = G::turned(self.level(), sym)?;
        let item = crate::game::Item { meta: self.meta.clone(), level, solutions: Vec::new(), origin: None };
        Some(Box::new(Document::<G>::new(item)))
    }
    fn replay_level(&self, goal: usize) -> Option<Box<dyn super::Doc>> {
        let (level, _) = G::stage(self.level(), &G::start(self.level()).ok()?, goal)?;
        let item = crate::game::Item { meta: self.meta.clone(), level, solutions: Vec::new(), origin: None };
        Some(Box::new(Document::<G>::new(item)))
    }
    fn gains_from_preparing(&self, goal: usize) -> bool {
        G::PREPARES.is_some() && G::gains(self.level(), goal)
    }
    fn rate_now(&self, nodes: u64, probe: &mut Probe) -> Rating {
        rate::rate::<G>(self.level(), nodes, probe)
    }
    fn position(&self, drafts_too: bool) -> Option<Box<dyn Position>> {
        self.position_of(drafts_too)
    }
    fn play_line(&mut self, line: &str) -> Result<Feedback, String> {
        let Some(play) = &mut self.play else { return Err("no game is under way".into()) };
        let moves = G::read_line(play.level(), line).map_err(|e| e.to_string())?;
        Ok(play.make_all(moves))
    }
    fn play_state(&self) -> Option<String> {
        self.play.as_ref().map(|p| format!("{:?}", p.state()))
    }
}
