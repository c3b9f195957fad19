//! The null game: a grid of lamps, put each one out. It is built and tested with the others but not offered to users.
//!
//! It is the template for a new game: copy the folder, give the game its name, add a line to the registry in `games/mod.rs`. Each
//! room has the same door in every game:
//!
//! | room | holds |
//! |---|---|
//! | `level.rs` | the draft, its problems, its file form, its symmetries |
//! | `rules.rs` | state, move, what is legal, what is won; pure, and asks nobody |
//! | `solver.rs` | the search space and why its answers are proofs |
//! | `generator.rs` | parameters, presets, how a level is made |
//! | `editor.rs` | palette and painting |
//! | `view.rs` | how it looks, how pointer and keys become moves |

mod editor;
mod generator;
mod level;
mod rules;
mod solver;
mod view;

pub use level::{File, Level};
pub use rules::State;

use crate::{
    game::{BoardFault, Fault, Game, Info, Problem, Refusal, Status},
    grid::{Cell, Size, Sym},
};

/// The null game.
pub struct Null;

impl Game for Null {
    const INFO: Info = Info {
        id: "null",
        name: "Lamps",
        summary: "Put out every lamp.",
        rules: "Touch a burning lamp to put it out. The level is won when all are out.",
        notation: "cells as x,y separated by spaces: \"0,0 2,1\"",
        counts: &["touches"],
        par_goal: 0,
        verdict_goal: 0,
        levels: super::levels("null"),
        keys: &[],
    };
    type Level = Level;
    type State = State;
    type Move = Cell;
    type File = File;

    fn size(level: &Level) -> Size {
        level.lamps.size()
    }
    fn problems(level: &Level) -> Vec<Problem> {
        level.problems()
    }
    fn arrange(level: &Level) -> Option<State> {
        Some(State(level.lamps.clone()))
    }
    fn legal_moves(_: &Level, state: &State) -> Vec<Cell> {
        rules::burning(state)
    }
    fn play(_: &Level, state: &mut State, mv: &Cell) -> Result<(), Refusal> {
        rules::put_out(state, *mv)
    }
    fn status(_: &Level, state: &State) -> Status {
        rules::status(state)
    }
    fn counts(_: &Level, _: &State, line: &[Cell]) -> Vec<u32> {
        vec![line.len() as u32]
    }
    fn write_line(level: &Level, line: &[Cell]) -> String {
        line.iter().map(|c| Self::write_move(level, c)).collect::<Vec<_>>().join(" ")
    }
    fn read_line(_: &Level, text: &str) -> Result<Vec<Cell>, Fault> {
        text.split_whitespace().map(rules::read_cell).collect()
    }
    fn write_move(_: &Level, mv: &Cell) -> String {
        format!("{},{}", mv.x, mv.y)
    }
    fn piece(level: &Level, _: &State, mv: &Cell) -> (u32, String) {
        (Self::size(level).index(*mv) as u32, "lamp".into())
    }
    fn objects(_: &Level, state: &State) -> Vec<(String, Cell)> {
        rules::burning(state).into_iter().map(|c| ("lamp".into(), c)).collect()
    }
    fn board_text(_: &Level, state: &State) -> String {
        level::rows(&state.0).join("\n")
    }
    fn symmetries() -> &'static [Sym] {
        &Sym::ALL
    }
    fn turned(level: &Level, sym: Sym) -> Option<Level> {
        Some(Level { lamps: level.lamps.turned(sym) })
    }
    fn to_file(level: &Level) -> File {
        File { board: level::rows(&level.lamps) }
    }
    fn from_file(file: File) -> Result<Level, BoardFault> {
        level::from_rows(&file.board)
    }
}
