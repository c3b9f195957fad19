//! Tilewright: a workshop for tile puzzles. Play, draw, generate, solve, and step through the solution, for five games behind one contract.
//!
//! The map of the code:
//!
//! | where | what |
//! |---|---|
//! | [`game`] | the contract: what a game is. No egui, no threads |
//! | [`grid`] | cells, directions, the eight symmetries, a table |
//! | [`picture`] | what games draw into: figures in board units |
//! | [`search`] | searches that know no game: one file an idea |
//! | [`job`] | work in the background: limits, progress, cancel |
//! | [`document`] | one open level: draft, play, solution, jobs; typed inside, `dyn` outside |
//! | [`formats`] | the native file, and the one way in for any text |
//! | [`games`] | the registry, and a folder for each game |
#![warn(missing_docs)]

pub mod document;
pub mod formats;
pub mod game;
pub mod games;
pub mod grid;
pub mod job;
pub mod picture;
pub mod search;
