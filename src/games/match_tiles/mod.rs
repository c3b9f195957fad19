//! Match: drag a tile over its matches and clear the board.
//!
//! | room | holds |
//! |---|---|
//! | `level.rs` | tiles, the draft, its problems, its file form |
//! | `rules.rs` | what stands, the drag as a path, what it removes, when it is over, notation |
//! | `board.rs` | a level as sets of cells: matches, stranded tiles, what a pointer reaches |
//! | `draw.rs` | which sets a drag can remove, and the path that does it |
//! | `solver.rs` | the fewest drags: a theorem with its proof, and the line that realises it |
//! | `casual.rs` | the casual player, who measures how forgiving a board is |
//! | `generator.rs` | the source's algorithms and the graded one |
//! | `editor.rs` | palette, painting, shuffling |
//! | `view` | how it looks (`paint.rs`), how pointer and keys become drags (`hand.rs`) |

mod board;
mod casual;
mod draw;
mod editor;
mod generator;
mod level;
mod rules;
mod solver;
mod view;

pub use casual::GAMES;
pub use generator::TWENTIETHS;
pub use level::{COLOURS, File, Level, Tile};
pub use rules::{Drag, LISTED, State};
pub use view::Ui;

use crate::{
    game::{BoardFault, Fault, Game, Info, Problem, Refusal, Status},
    grid::{Cell, Size, Sym},
};
use board::{Board, bits, first};

/// The game of matching tiles.
pub struct Match;

impl Game for Match {
    const INFO: Info = Info {
        id: "match",
        name: "Match",
        summary: "Drag a tile over its matches and clear the board.",
        rules: "Press a tile and drag it over the board. Every tile you pass that has the colour or the number of the tile you pressed is \
                removed; other tiles are not in your way. When you let go, the dragged tile goes too, if it removed anything.\n\n\
                The pointer may leave the board and come back anywhere along its edge. Diagonal steps count: passing exactly over a corner \
                touches no other tile.\n\n\
                Clear the board. The game is over as soon as some tile is left that matches no other. In a run each cleared board scores \
                one and another follows.",
        notation: "a drag as the corners of its path, cells as column letter and row number from the top left, ~ where the pointer \
                   goes around outside; drags separated by spaces: \"b2-d4-d5 a1-c1~e5\"",
        counts: &["drags"],
        par_goal: 0,
        verdict_goal: 0,
        levels: super::levels("match"),
        keys: &[
            ("Arrows", "move the cursor, or walk with the tile in hand"),
            ("Q E Z C", "with a tile in hand: walk diagonally"),
            ("Space", "pick up a tile, or let go of it"),
            ("Esc", "put the tile back"),
            ("Tab", "go to the next tile"),
        ],
    };
    type Level = Level;
    type State = State;
    type Move = Drag;
    type File = File;

    fn size(level: &Level) -> Size {
        level.tiles.size()
    }
    fn problems(level: &Level) -> Vec<Problem> {
        level.problems()
    }
    fn arrange(level: &Level) -> Option<State> {
        rules::arrange(level)
    }
    const ENDLESS: bool = true;
    fn legal_moves(level: &Level, state: &State) -> Vec<Drag> {
        rules::legal_moves(level, state)
    }
    fn play(level: &Level, state: &mut State, mv: &Drag) -> Result<(), Refusal> {
        rules::play(level, state, mv)
    }
    fn status(level: &Level, state: &State) -> Status {
        Board::of(level).map_or(Status::Lost, |b| rules::status(&b, state.alive))
    }
    fn counts(_: &Level, _: &State, line: &[Drag]) -> Vec<u32> {
        vec![line.len() as u32]
    }
    fn stars(count: u32, par: u32) -> u8 {
        match count.saturating_sub(par) {
            0 => 3,
            1 => 2,
            _ => 1,
        }
    }
    fn write_line(_: &Level, line: &[Drag]) -> String {
        line.iter().map(rules::write).collect::<Vec<_>>().join(" ")
    }
    fn read_line(_: &Level, text: &str) -> Result<Vec<Drag>, Fault> {
        text.split_whitespace().map(rules::read).collect()
    }
    fn write_move(_: &Level, mv: &Drag) -> String {
        rules::write(mv)
    }
    fn piece(level: &Level, _: &State, mv: &Drag) -> (u32, String) {
        let Some(from) = mv.0.first().filter(|c| Self::size(level).contains(**c)) else { return (0, "nothing".into()) };
        let name = level.tile(*from).map_or_else(|| "empty cell".into(), Tile::name);
        (Self::size(level).index(*from) as u32, name)
    }
    fn objects(level: &Level, state: &State) -> Vec<(String, Cell)> {
        let tile = |c| level.tile(c).map_or_else(String::new, Tile::name);
        bits(state.alive).map(first).map(|c| (tile(c), c)).collect()
    }
    fn board_text(level: &Level, state: &State) -> String {
        let standing = |c: Cell| level.tile(c).filter(|_| state.stands(c));
        level::rows(Self::size(level), standing).join("\n")
    }
    fn symmetries() -> &'static [Sym] {
        &Sym::ALL
    }
    fn turned(level: &Level, sym: Sym) -> Option<Level> {
        Some(Level { tiles: level.tiles.turned(sym) })
    }
    fn to_file(level: &Level) -> File {
        File { board: level::rows(Self::size(level), |c| level.tile(c)) }
    }
    fn from_file(file: File) -> Result<Level, BoardFault> {
        level::from_rows(&file.board)
    }
}
