//! Sbokena: Sokoban with buttons and doors, portals, one-way floors and one-way boxes.
//!
//! | room | holds |
//! |---|---|
//! | `level.rs` | the draft, its problems, its symmetries |
//! | `file.rs` | the draft in a native file |
//! | `rules.rs` | state, move, what is legal, what is won; pure, and asks nobody |
//! | `reasons.rs` | why a position cannot be won |
//! | `solver/` | searches for fewest pushes, fewest moves and any solution; drags and dead squares |
//! | `generator/` | random rooms, searched backwards from solved positions |
//! | `editor.rs` | tools, palette, links of doors and portals |
//! | `view.rs`, `art.rs` | the board as figures, and what a click or a drag means |
//! | `formats/` | XSB/SOK collections, `.sbk`, PuzzleScript, run lengths |

mod art;
mod editor;
mod file;
mod formats;
mod generator;
mod level;
mod reasons;
mod rules;
mod solver;
mod view;

pub use file::{File, level_of};
pub use generator::{Element, elements, without};
pub use level::{LARGEST, Level, Object, Sbk, Tile};
pub use rules::{Placed, Reason, State, Step, Track, step};

use crate::game::Info;

/// The game.
pub struct Sbokena;

const INFO: Info = Info {
    id: "sbokena",
    name: "Sbokena",
    summary: "Push boxes onto all goals, past doors, portals and one-way floors.",
    rules: "Walk with the arrow keys and push boxes by walking into them; one at a time, and never pull. The level is won when every \
            goal holds a box.\n\n\
            A button opens its door while you or a box stand on it. A door with something in it stays open.\n\n\
            A portal is entered in the direction of its arrow. What goes in comes out of its partner, against the partner's arrow, \
            and may come out turned. Nothing rests in a portal.\n\n\
            A one-way floor is entered and left along its arrow only, unless a portal throws you there. A one-way box moves along its \
            arrow only, through portals too.",
    notation: "LURD: one letter per step (l, u, r, d), capitals for pushes: \"rrDDlU\"",
    counts: &["moves", "pushes"],
    par_goal: 0,
    verdict_goal: 0,
    levels: super::levels("sbokena"),
    keys: &[
        ("Arrows or WASD", "walk, and push what is in the way"),
        ("Click", "walk there, or push the box beside you"),
        ("Drag a box", "push it where you let go"),
    ],
};
