//! The same things, waited for: what commands and tests need. Moves are strings in the game's notation.

use super::{Document, Feedback, Position};
use crate::{
    analysis::{
        Report,
        line::replay,
        positions::{PositionMap, Positions},
        rate::{self, Rating},
        solve,
        why::{self, why},
    },
    game::{Game, Reason, SimulatedGame, Status, advance},
    grid::{Cell, Sym},
    job::Probe,
};
use std::sync::Arc;

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
    /// Why it cannot be solved, if a report says so.
    fn why_now(&self, report: &Report, probe: &mut Probe) -> Option<Reason>;
    /// Solves it and shows the line, if there is one.
    fn solve_and_show(&mut self, goal: usize, probe: &mut Probe) -> Report;
    /// Replays a line from the start, also on drafts with problems, as far as a position can be made of them.
    fn replay_now(&self, moves: &str, keep_going: bool) -> Result<Vec<ReplayRow>, String>;
    /// Plays a simulated game.
    fn simulate(&self, opponent: &str, error: f64, seed: u64) -> Option<SimulatedGame>;
    /// The legal moves after a line from the start, written one by one; `None` if the line is not legal.
    fn legal_after(&self, line: &str) -> Option<Vec<String>>;
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
    /// The map of at most `most` positions, with the state of each as [`Position::state`] writes it.
    fn positions_now(&self, most: usize, probe: &mut Probe) -> Option<(Arc<PositionMap>, Vec<String>)>;
    /// The position that play begins with; with `drafts_too`, also what can be made of a draft with problems.
    fn position(&self, drafts_too: bool) -> Option<Box<dyn Position>>;
    /// Makes moves, given as text, in the game under way.
    fn play_line(&mut self, line: &str) -> Result<Feedback, String>;
    /// The state of the game under way, as a text that is equal exactly for equal states.
    fn play_state(&self) -> Option<String>;
}

impl<G: Game> Headless for Document<G> {
    fn solve_now(&self, goal: usize, probe: &mut Probe) -> Report {
        solve::<G>(&self.draft().level, None, goal, probe, &mut |_| ()).report
    }
    fn why_now(&self, report: &Report, probe: &mut Probe) -> Option<Reason> {
        let found = why::<G>(self.level(), None, report, why::Effort::default(), probe);
        found.ok().flatten().map(|found| found.reason)
    }
    fn solve_and_show(&mut self, goal: usize, probe: &mut Probe) -> Report {
        let answer = solve::<G>(&self.draft().level, None, goal, probe, &mut |_| ());
        if let Some(line) = answer.line {
            self.show_line(line, answer.report.clone(), "solver".into());
        }
        answer.report
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
        (G::versus()?.simulate)(self.level(), opponent, error, seed)
    }
    fn legal_after(&self, line: &str) -> Option<Vec<String>> {
        let line = G::read_line(self.level(), line).ok()?;
        let start = G::start(self.level()).ok()?;
        let state = replay::<G>(self.level(), &start, &line)?.pop()?;
        let moves = G::legal_moves(self.level(), &state);
        Some(moves.iter().map(|m| G::write_line(self.level(), std::slice::from_ref(m))).collect())
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
        let (level, _) = G::replay_on(self.level(), &G::start(self.level()).ok()?, goal)?;
        let item = crate::game::Item { meta: self.meta.clone(), level, solutions: Vec::new(), origin: None };
        Some(Box::new(Document::<G>::new(item)))
    }
    fn gains_from_preparing(&self, goal: usize) -> bool {
        G::tables().is_some_and(|t| (t.wanted)(self.level(), goal))
    }
    fn rate_now(&self, nodes: u64, probe: &mut Probe) -> Rating {
        rate::rate::<G>(&self.draft().level, nodes, probe)
    }
    fn positions_now(&self, most: usize, probe: &mut Probe) -> Option<(Arc<PositionMap>, Vec<String>)> {
        let found = Positions::<G>::of(&self.draft().level, most, probe).ok()??;
        let states = (0..found.map.len() as u32).filter_map(|i| Some(format!("{:?}", found.state(i)?))).collect();
        Some((found.map, states))
    }
    fn position(&self, drafts_too: bool) -> Option<Box<dyn Position>> {
        self.position_of(drafts_too)
    }
    fn play_line(&mut self, line: &str) -> Result<Feedback, String> {
        let Some(play) = &mut self.play else { return Err("no game is under way".into()) };
        let moves = G::read_line(play.level(), line).map_err(|e| e.to_string())?;
        Ok(play.make_line(moves))
    }
    fn play_state(&self) -> Option<String> {
        self.play.as_ref().map(|p| format!("{:?}", p.state()))
    }
}
