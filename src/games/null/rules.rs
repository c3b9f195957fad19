//! The rules: a burning lamp can be put out, or any lamp switched with its neighbours; all out is won.

use super::{
    Null,
    level::{Level, rows},
};
use crate::{
    game::{Draft, Fault, Refusal, Rules, Status},
    grid::{Cell, Grid, cell},
};

/// Which lamps still burn.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State(pub(super) Grid<bool>);

pub(super) fn burning(state: &State) -> Vec<Cell> {
    state.0.iter().filter(|(_, burns)| **burns).map(|(c, _)| c).collect()
}

/// Switches a lamp and its neighbours.
pub(super) fn switch(lamps: &mut Grid<bool>, at: Cell) {
    for c in std::iter::once(at).chain(at.neighbours()) {
        if let Some(lamp) = lamps.get_mut(c) {
            *lamp = !*lamp;
        }
    }
}

impl Rules for Null {
    type State = State;
    type Move = Cell;

    fn arrange(level: &Level) -> Option<State> {
        Some(State(level.lamps.clone()))
    }
    fn legal_moves(level: &Level, state: &State) -> Vec<Cell> {
        let any = level.cross && Self::status(level, state) == Status::Playing;
        if any { Self::size(level).cells().collect() } else { burning(state) }
    }

    fn play(level: &Level, state: &mut State, mv: &Cell) -> Result<(), Refusal> {
        let over = Self::status(level, state) != Status::Playing;
        match state.0.get_mut(*mv) {
            None => return Err(Refusal::new("off-board", "that is not on the board")),
            Some(_) if level.cross && over => return Err(Refusal::new("over", "the level is already won")),
            Some(_) if level.cross => switch(&mut state.0, *mv),
            Some(lamp @ true) => *lamp = false,
            Some(false) => return Err(Refusal::new("dark", "no lamp burns there")),
        }
        Ok(())
    }

    fn status(_: &Level, state: &State) -> Status {
        if state.0.values().contains(&true) { Status::Playing } else { Status::Won }
    }
    fn counts(_: &Level, _: &State, line: &[Cell]) -> Vec<u32> {
        vec![line.len() as u32]
    }
    fn write_line(level: &Level, line: &[Cell]) -> String {
        line.iter().map(|c| Self::write_move(level, c)).collect::<Vec<_>>().join(" ")
    }

    fn read_line(_: &Level, text: &str) -> Result<Vec<Cell>, Fault> {
        let read = |word: &str| {
            let parsed = word.split_once(',').and_then(|(x, y)| Some(cell(x.parse().ok()?, y.parse().ok()?)));
            parsed.ok_or_else(|| Fault::new(format!("\"{word}\" is not a cell x,y")))
        };
        text.split_whitespace().map(read).collect()
    }

    fn write_move(_: &Level, mv: &Cell) -> String {
        format!("{},{}", mv.x, mv.y)
    }
    fn piece(level: &Level, _: &State, mv: &Cell) -> (u32, String) {
        (Self::size(level).index(*mv) as u32, "lamp".into())
    }
    fn objects(_: &Level, state: &State) -> Vec<(String, Cell)> {
        burning(state).into_iter().map(|c| ("lamp".into(), c)).collect()
    }
    fn board_text(_: &Level, state: &State) -> String {
        rows(&state.0).join("\n")
    }
}
