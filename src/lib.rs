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
//! | [`analysis`] | what can be said about a level by solving it: how hard it is, what one edit would do, what makes it solvable |
//! | [`document`] | one open level: draft, play, solution, jobs; typed inside, `dyn` outside |
//! | [`formats`] | the native file, and the one way in for any text |
//! | [`export`] | levels for other people and programs: pictures, films, sheets, maps, share codes |
//! | [`disk`] | files, folders, locks: reading with a bound, atomic writes |
//! | [`memory`] | what is remembered between runs: records, recovery copies, backups, stamps, variants |
//! | [`catalogue`] | all levels there are to open: found, read, filtered, sorted, put in order |
//! | [`cli`] | the commands: everything that needs no window |
//! | [`games`] | the registry, and a folder for each game |
//! | `app` | the window (feature `gui`): dock, one file a panel, one file a dialog, canvas, theme, keys |
#![warn(missing_docs)]

pub mod analysis;
#[cfg(feature = "gui")]
pub mod app;
pub mod catalogue;
pub mod cli;
pub mod disk;
pub mod document;
pub mod export;
pub mod formats;
pub mod game;
pub mod games;
pub mod grid;
pub mod job;
pub mod memory;
pub mod picture;
pub mod search;
