//! The null game: a grid of lamps, put each one out. It is built and tested with the others but not offered to users.
//!
//! It is the template for a new game: copy the folder, give the game its name, add a line to the registry in `games/mod.rs`. Each
//! file has the same name and purpose in every game:
//!
//! | file | holds |
//! |---|---|
//! | `level.rs` | the draft, its problems, its file form, its symmetries |
//! | `rules.rs` | state, move, what is legal, what is won; pure functions |
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

use crate::game::Info;

/// The null game.
pub struct Null;

const INFO: Info = Info {
    id: "null",
    name: "Lamps",
    summary: "Put out every lamp.",
    rules: "Touch a burning lamp to put it out. With the rule \"cross\", any lamp can be touched, and a touch switches it and its four \
            neighbours. The level is won when all are out.",
    notation: "cells as x,y separated by spaces: \"0,0 2,1\"",
    counts: &["touches"],
    par_goal: 0,
    verdict_goal: 0,
    levels: super::levels("null"),
    keys: &[],
};
