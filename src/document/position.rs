//! A position apart from any panel: moves tried one by one, forwards only, without their types. The laws in `tests/contract.rs` are told with it.

use super::{Document, Proofs};
use crate::{
    game::{Fault, Game, Refusal, Status, opponents_turn, reply},
    grid::Cell,
    job::{Limits, Probe},
};

/// What became of a move given as text.
#[derive(Clone, PartialEq, Debug)]
pub enum Tried {
    /// It was made.
    Made,
    /// The rules refused it.
    Refused(Refusal),
    /// It is no move in this game's notation, or not exactly one.
    Unreadable(Fault),
}

/// A position of a level, and how it came about. Moves are the smallest ones: an opponent's answer is made by [`Position::reply`] alone.
pub trait Position: Proofs {
    /// The state as a text that is equal exactly for equal states.
    fn state(&self) -> String;
    /// How the game stands.
    fn status(&self) -> Status;
    /// Whether the opponent is to move.
    fn opponents_turn(&self) -> bool;
    /// The legal moves, each as a line of its own.
    fn legal(&self) -> Vec<String>;
    /// Makes a legal move by its number.
    fn play_legal(&mut self, index: usize) -> Result<(), Refusal>;
    /// The position after each legal move, in their order.
    fn after_each(&self) -> Vec<Result<Box<dyn Position>, Refusal>>;
    /// Makes a move given as text.
    fn try_move(&mut self, text: &str) -> Tried;
    /// Makes the opponent's move; `None` if it has none.
    fn reply(&mut self) -> Option<Result<(), Refusal>>;
    /// Forgets what makes no difference to anything that can follow (see [`crate::game::Solve::forget`]).
    fn forget(&mut self);
    /// The player's moves so far, as one line.
    fn line(&self) -> String;
    /// Whether the player's moves so far, and every legal move alone, are the same after writing and reading them; else a sentence.
    fn reads_back(&self) -> Result<(), String>;
    /// What the player's moves so far count.
    fn counts(&self) -> Vec<u32>;
    /// Where the named objects are.
    fn objects(&self) -> Vec<(String, Cell)>;
    /// The board as rows of characters.
    fn board(&self) -> String;
    /// The names of the pieces that the legal moves move.
    fn pieces(&self) -> Vec<String>;
    /// A second position that goes its own way.
    fn fork(&self) -> Box<dyn Position>;
}

pub(super) struct Here<G: Game> {
    pub(super) level: G::Level,
    pub(super) start: G::State,
    pub(super) state: G::State,
    pub(super) line: Vec<G::Move>,
}

impl<G: Game> Clone for Here<G> {
    fn clone(&self) -> Here<G> {
        let Here { level, start, state, line } = self;
        Here { level: level.clone(), start: start.clone(), state: state.clone(), line: line.clone() }
    }
}

impl<G: Game> Document<G> {
    /// The position that play begins with, or, for a draft with problems, what can be made of it.
    pub(super) fn position_of(&self, drafts_too: bool) -> Option<Box<dyn Position>> {
        let level = self.level().clone();
        let state = if drafts_too { G::arrange(&level) } else { G::start(&level).ok() }?;
        Some(Box::new(Here::<G> { level, start: state.clone(), state, line: Vec::new() }))
    }
}

impl<G: Game> Here<G> {
    fn make(&mut self, mv: &G::Move) -> Result<(), Refusal> {
        let mine = !self.opponents_turn();
        // On the state itself and not on a copy: that a refused move changes nothing is one of the laws.
        G::play(&self.level, &mut self.state, mv)?;
        if mine {
            self.line.push(mv.clone());
        }
        Ok(())
    }

    fn check_notation(&self, line: &[G::Move]) -> Result<(), String> {
        let text = G::write_line(&self.level, line);
        let again = G::read_line(&self.level, &text).map_err(|e| format!("\"{text}\" cannot be read back: {e}"))?;
        if again == line { Ok(()) } else { Err(format!("\"{text}\" reads back as {again:?}, not as {line:?}")) }
    }
}

impl<G: Game> Position for Here<G> {
    fn state(&self) -> String {
        format!("{:?}", self.state)
    }
    fn status(&self) -> Status {
        G::status(&self.level, &self.state)
    }
    fn opponents_turn(&self) -> bool {
        self.status() == Status::Playing && opponents_turn::<G>(&self.level, &self.state)
    }
    fn legal(&self) -> Vec<String> {
        let moves = G::legal_moves(&self.level, &self.state);
        moves.iter().map(|m| G::write_line(&self.level, std::slice::from_ref(m))).collect()
    }
    fn play_legal(&mut self, index: usize) -> Result<(), Refusal> {
        let moves = G::legal_moves(&self.level, &self.state);
        match moves.get(index) {
            Some(mv) => self.make(mv),
            None => Err(Refusal::new("none", "there is no such move")),
        }
    }
    fn after_each(&self) -> Vec<Result<Box<dyn Position>, Refusal>> {
        let after = |mv: &G::Move| {
            let mut next = self.clone();
            next.make(mv).map(|()| Box::new(next) as Box<dyn Position>)
        };
        G::legal_moves(&self.level, &self.state).iter().map(after).collect()
    }
    fn try_move(&mut self, text: &str) -> Tried {
        match G::read_line(&self.level, text) {
            Err(fault) => Tried::Unreadable(fault),
            Ok(line) => match line.as_slice() {
                [mv] => match self.make(mv) {
                    Ok(()) => Tried::Made,
                    Err(refusal) => Tried::Refused(refusal),
                },
                _ => Tried::Unreadable(Fault::new(format!("these are {} moves, not one", line.len()))),
            },
        }
    }
    fn reply(&mut self) -> Option<Result<(), Refusal>> {
        let mut probe = Probe::new(Limits::default());
        let answer = reply::<G>(&self.level, &self.state, &mut probe)?;
        Some(self.make(&answer))
    }
    fn forget(&mut self) {
        G::forget(&self.level, &mut self.state);
    }
    fn line(&self) -> String {
        G::write_line(&self.level, &self.line)
    }
    fn reads_back(&self) -> Result<(), String> {
        self.check_notation(&self.line)?;
        if self.opponents_turn() {
            return Ok(());
        }
        G::legal_moves(&self.level, &self.state).iter().try_for_each(|m| self.check_notation(std::slice::from_ref(m)))
    }
    fn counts(&self) -> Vec<u32> {
        G::counts(&self.level, &self.start, &self.line)
    }
    fn objects(&self) -> Vec<(String, Cell)> {
        G::objects(&self.level, &self.state)
    }
    fn board(&self) -> String {
        G::board_text(&self.level, &self.state)
    }
    fn pieces(&self) -> Vec<String> {
        let moves = G::legal_moves(&self.level, &self.state);
        moves.iter().map(|m| G::piece(&self.level, &self.state, m).1).collect()
    }
    fn fork(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
}
