//! Shards: fill a board of triangles with pieces.
//!
//! | room | holds |
//! |---|---|
//! | `triangle.rs` | the four triangles of a cell, who touches whom, how sets of them turn |
//! | `level.rs` | the draft: outline and pieces, its problems, its file form, its symmetries |
//! | `rules.rs` | placing and lifting, what is won, notation |
//! | `formats.rs` | the seed's own level files |
//! | `packing.rs` | a position as an exact cover problem; identical pieces and symmetric solutions counted once |
//! | `solver.rs` | one solution, all solutions, how hard a level is |
//! | `cut.rs` | cutting an outline into pieces |
//! | `generator.rs` | parameters, presets, how a level is made |
//! | `editor.rs` | outline, painting, splitting and merging |
//! | `view.rs` | board and tray, dragging, keys |

mod cut;
mod editor;
mod formats;
mod generator;
mod level;
mod packing;
mod rules;
mod solver;
mod triangle;
mod view;

pub use level::{COLOURS, File, LARGEST, Level, MOST_PIECES, Piece, letter};
pub use rules::{Move, Placing, State};
pub use solver::{Grade, MOST_COUNTED, count, grade, solutions};
pub use triangle::{Tri, orientations, parts, turned};
pub use view::Ui;

use crate::{
    game::{BoardFault, Fault, Format, Game, Info, Param, Problem, Refusal, Status, Value, Values},
    grid::{Cell, Size, Sym},
};

/// The game.
pub struct Shards;

impl Game for Shards {
    const INFO: Info = Info {
        id: "shards",
        name: "Shards",
        summary: "Fill the board with pieces made of triangles.",
        rules: "Every cell of the board is cut into four triangles. The pieces in the tray, connected sets of triangles, fill the board \
                exactly.\n\nDrag a piece onto the board: it snaps to whole cells. A piece never lies over another; a drop that would \
                is refused and the piece goes back to where it came from. Pick a placed piece up to take it off again.\n\nIn some levels \
                pieces may be turned or flipped. The level is won when every triangle of the board is covered.",
        notation: "placings and lifts separated by spaces: \"a:2,1\" puts the corner of piece a on column 2, row 1, \"amr:2,1\" flipped (m) and turned once (r), \"-a\" lifts it",
        counts: &["moves"],
        par_goal: 0,
        verdict_goal: 1,
        levels: super::levels("shards"),
        keys: &[
            ("Tab", "the next piece"),
            ("Arrows", "move the piece in hand by a cell"),
            ("Space", "place it; on a placed piece, lift it"),
            ("R, wheel", "turn the piece in hand"),
            ("M", "flip the piece in hand"),
            ("Esc", "let go of it"),
        ],
    };
    type Level = Level;
    type State = State;
    type Move = Move;
    type File = File;

    fn size(level: &Level) -> Size {
        level.board.size()
    }
    fn problems(level: &Level) -> Vec<Problem> {
        level.problems()
    }
    fn arrange(level: &Level) -> Option<State> {
        Some(rules::start(level))
    }
    fn legal_moves(level: &Level, state: &State) -> Vec<Move> {
        rules::legal_moves(level, state)
    }
    fn play(level: &Level, state: &mut State, mv: &Move) -> Result<(), Refusal> {
        rules::play(level, state, mv)
    }
    fn status(level: &Level, state: &State) -> Status {
        rules::status(level, state)
    }
    fn counts(_: &Level, _: &State, line: &[Move]) -> Vec<u32> {
        vec![line.len() as u32]
    }
    fn write_line(level: &Level, line: &[Move]) -> String {
        line.iter().map(|mv| rules::write(level, mv)).collect::<Vec<_>>().join(" ")
    }
    fn read_line(level: &Level, text: &str) -> Result<Vec<Move>, Fault> {
        text.split_whitespace().map(|word| rules::read(level, word)).collect()
    }
    fn write_move(_: &Level, mv: &Move) -> String {
        match mv {
            Move::Lift { .. } => "back into the tray".into(),
            Move::Place { placing, .. } => {
                let flip = if placing.sym.mirror { ", flipped" } else { "" };
                let turn = ["", ", turned right", ", turned round", ", turned left"][placing.sym.turns as usize % 4];
                format!("to {}, {}{flip}{turn}", placing.at.x, placing.at.y)
            }
        }
    }
    fn piece(level: &Level, _: &State, mv: &Move) -> (u32, String) {
        let piece = level.pieces.get(mv.piece());
        piece.map_or((u32::MAX, "no piece".into()), |p| (u32::from(p.id), p.name()))
    }
    fn objects(level: &Level, state: &State) -> Vec<(String, Cell)> {
        let on_board = level.pieces.iter().zip(&state.placed);
        on_board.filter_map(|(p, placing)| Some((letter(p.id).to_string(), placing.as_ref()?.at))).collect()
    }
    fn board_text(level: &Level, state: &State) -> String {
        let over = rules::coverage(level, state);
        let letters = |c: Cell| match level.board[c] {
            false => ['-'; 4],
            true => over[c].map(|p| p.map_or('.', |p| letter(level.pieces[p].id))),
        };
        level::rows(level.board.size(), letters).join("\n")
    }
    fn rules() -> Vec<Param> {
        vec![
            Param::switch("rotate", "Rotation", "Pieces may be turned by quarter turns.", false),
            Param::switch("mirror", "Mirror", "Pieces may be flipped left to right.", false),
        ]
    }
    fn rule_values(level: &Level) -> Values {
        Values::default().with("rotate", level.rotate).with("mirror", level.mirror)
    }
    fn set_rule(level: &mut Level, name: &str, value: &Value) {
        match (name, value) {
            ("rotate", Value::Switch(on)) => level.rotate = *on,
            ("mirror", Value::Switch(on)) => level.mirror = *on,
            _ => (),
        }
    }
    fn symmetries() -> &'static [Sym] {
        &Sym::ALL
    }
    fn turned(level: &Level, sym: Sym) -> Option<Level> {
        level.turned(sym)
    }
    fn turned_part(part: u8, sym: Sym) -> u8 {
        triangle::turned_part(part, sym)
    }
    fn to_file(level: &Level) -> File {
        level::to_file(level)
    }
    fn from_file(file: File) -> Result<Level, BoardFault> {
        level::from_file(&file)
    }
    fn formats() -> Vec<Format<Shards>> {
        vec![formats::triangle_blocks()]
    }
}
