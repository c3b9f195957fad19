//! The rules: a burning lamp can be put out; all out is won.

use crate::{
    game::{Fault, Refusal, Status},
    grid::{Cell, Grid, cell},
};

/// Which lamps still burn.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State(pub(super) Grid<bool>);

pub(super) fn burning(state: &State) -> Vec<Cell> {
    state.0.iter().filter(|(_, burns)| **burns).map(|(c, _)| c).collect()
}

pub(super) fn put_out(state: &mut State, at: Cell) -> Result<(), Refusal> {
    match state.0.get_mut(at) {
        Some(lamp @ true) => {
            *lamp = false;
            Ok(())
        }
        Some(false) => Err(Refusal::new("dark", "no lamp burns there")),
        None => Err(Refusal::new("off-board", "that is not on the board")),
    }
}

pub(super) fn status(state: &State) -> Status {
    if state.0.values().contains(&true) { Status::Playing } else { Status::Won }
}

pub(super) fn read_cell(word: &str) -> Result<Cell, Fault> {
    let parsed = word.split_once(',').and_then(|(x, y)| Some(cell(x.parse().ok()?, y.parse().ok()?)));
    parsed.ok_or_else(|| Fault::new(format!("\"{word}\" is not a cell x,y")))
}
