//! Match: drag a tile over its matches and clear the board.
//!
//! | room | holds |
//! |---|---|
//! | `level.rs` | tiles, the draft, its problems, its file form |
//! | `rules.rs` | what stands, the drag as a path, what it removes, when it is over, notation |
//! | `board.rs` | a level as sets of cells: matches, stranded tiles, what a pointer reaches |
//! | `draw.rs` | which sets a drag can remove, and the path that does it |
//! | `reasons.rs` | why a position cannot be won |
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
mod reasons;
mod rules;
mod solver;
mod view;

pub use casual::GAMES;
pub use generator::TWENTIETHS;
pub use level::{COLOURS, File, Level, Tile};
pub use rules::{Drag, LISTED, State};
pub use view::Ui;

use crate::game::Info;

/// The game of matching tiles.
pub struct Match;

const INFO: Info = Info {
    id: "match",
    name: "Match",
    summary: "Drag a tile over its matches and clear the board.",
    rules: "Press a tile and drag it over the board. Every tile you pass that has the colour or the number of the tile you pressed is \
            removed; other tiles are not in your way. When you let go, the dragged tile goes too, if it removed anything.\n\n\
            The pointer may leave the board and come back anywhere along its edge. Diagonal steps count: passing exactly over a corner \
            touches no other tile.\n\n\
            Clear the board. The game is over as soon as some tile is left that matches no other. In a run each cleared board scores \
            one point, and another follows.",
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
        ("Escape", "put the tile back"),
        ("Page Down", "go to the next tile"),
    ],
};
