//! Cats: slide coloured polyominoes over cats of their colour.
//!
//! | room | holds |
//! |---|---|
//! | `level.rs` | the draft, its problems, its file form, its symmetries |
//! | `rules.rs` | state, step, what is legal, what is won |
//! | `editor.rs` | palette and painting |
//! | `view/` | how it looks, how pointer and keys become steps |
//! | `formats.rs` | the JSON of the game that Cats came from |
//! | `shipped.rs` | tests of the levels in `levels/cats` |
//! | `reasons.rs` | why a position cannot be won |
//! | `solver/` | fewest steps and fewest drags, with proof |
//! | `scramble.rs`, `generator.rs` | the seed's reverse scramble, and its table as parameters |

mod editor;
mod formats;
mod generator;
pub mod level;
mod reasons;
pub mod rules;
mod scramble;
#[cfg(test)]
mod shipped;
mod solver;
mod view;

pub use level::{Cat, Colour, File, Finished, Form, Ground, Level, Shape};
pub use rules::{State, Step};
pub use solver::stages;

use crate::game::Info;

/// The game.
pub struct Cats;

const INFO: Info = Info {
    id: "cats",
    name: "Cats",
    summary: "Slide shapes onto the cats of their colour.",
    rules: "Move a shape by one cell at a time: up, right, down or left. It cannot enter walls, blockers, other shapes or cats of \
            another colour.\n\n\
            A shape finds the cat of its own colour that it covers. A cat that sits on a blocker is found when a shape of its colour \
            stops beside it or passes it.\n\n\
            A shape with a number is locked until that many cats are found.\n\n\
            Shapes joined by a bar move together, and only where all of them can.\n\n\
            The level is won when every cat is found. Par is the fewest drags: moving one shape any distance is one drag.",
    notation: "drags as the letter of the shape (of any one in a tandem) and its steps, separated by spaces: \"a:RRD b:U\"",
    counts: &["steps", "drags"],
    par_goal: 1,
    verdict_goal: 0,
    levels: super::levels("cats"),
    keys: &[
        ("Arrows or WASD", "move the cursor or the selected shape"),
        ("Space", "select a shape, or let go of it"),
        ("Page Down", "go to the next shape"),
        ("Escape", "let go of the shape"),
    ],
};
