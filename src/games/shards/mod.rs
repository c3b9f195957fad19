//! Shards: fill a board of triangles with pieces.
//!
//! | room | holds |
//! |---|---|
//! | `triangle.rs` | the four triangles of a cell, who touches whom, how sets of them turn |
//! | `level.rs` | the draft: outline and pieces, its problems, its file form, its symmetries |
//! | `rules.rs` | placing and lifting, what is won, notation |
//! | `formats.rs` | the seed's own level files |
//! | `packing.rs` | a position as an exact cover problem; identical pieces and symmetric solutions counted once |
//! | `reasons.rs` | why a position cannot be won |
//! | `solver.rs` | one solution, all solutions, how hard a level is |
//! | `choices.rs` | the size of the search that a level asks of a person |
//! | `cut.rs` | cutting an outline into pieces |
//! | `generator.rs` | parameters, presets, how a level is made |
//! | `editor.rs` | outline, painting, splitting and merging |
//! | `view.rs` | board and tray, dragging, keys |

mod choices;
mod cut;
mod editor;
mod formats;
mod generator;
mod level;
mod packing;
mod reasons;
mod rules;
mod solver;
mod triangle;
mod view;

pub use level::{COLOURS, File, LARGEST, Level, MOST_PIECES, Piece, letter};
pub use rules::{Move, Placing, State};
pub use solver::{Grade, MOST_COUNTED, count, grade, solutions};
pub use triangle::{Tri, orientations, parts, turned};
pub use view::Ui;

use crate::game::Info;

/// The game.
pub struct Shards;

const INFO: Info = Info {
    id: "shards",
    name: "Shards",
    summary: "Fill the board with pieces made of triangles.",
    rules: "Every cell of the board is cut into four triangles. The pieces in the tray, connected sets of triangles, fill the board \
            exactly.\n\nDrag a piece onto the board: it snaps to whole cells. Pieces never overlap: a piece dropped onto another \
            goes back to where it came from. Drag a placed piece off the board to remove it.\n\nIn some levels \
            pieces may be turned or flipped. The level is won when every triangle of the board is covered.",
    notation: "placements and removals separated by spaces: \"a:2,1\" puts the corner of piece a on column 2, row 1, \"amr:2,1\" flipped (m) and turned once (r), \"-a\" removes it",
    counts: &["moves"],
    par_goal: 0,
    verdict_goal: 1,
    levels: super::levels("shards"),
    keys: &[
        ("Page Down", "the next piece"),
        ("Arrows", "move the piece in hand by a cell"),
        ("Space", "place it; on a placed piece, lift it"),
        ("T, wheel", "turn the piece in hand"),
        ("F", "flip the piece in hand"),
        ("Escape", "let go of it"),
    ],
};
