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
//! | [`export`] | levels for other people and programs: pictures, films, sheets, maps, share codes |
//! | [`rate`] | how hard a level is |
//! | [`whatif`] | what one edit would do to it |
//! | [`mend`] | the smallest edits that make it solvable |
//! | [`library`] | what is on disk: packs, folders, atomic writes |
//! | [`catalogue`] | all levels there are to open: found, read, filtered, sorted, put in order |
//! | [`cli`] | the commands: everything that needs no window |
//! | [`games`] | the registry, and a folder for each game |
//! | `app` | the window (feature `gui`): dock, one file a panel, canvas, theme, keys |
#![warn(missing_docs)]

#[cfg(feature = "gui")]
pub mod app;
pub mod catalogue;
pub mod cli;
pub mod document;
pub mod export;
pub mod formats;
pub mod game;
pub mod games;
pub mod grid;
pub mod job;
pub mod library;
pub mod mend;
pub mod picture;
pub mod rate;
pub mod search;
pub mod whatif;
