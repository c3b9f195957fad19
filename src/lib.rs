//! Tilewright: a workshop for tile puzzles. Play, draw, generate, solve, and step through the solution, for five games behind one contract.
//!
//! The map of the code:
//!
//! | where | what |
//! |---|---|
//! | [`game`] | the contract: what a game is. No egui, no threads |
//! | [`grid`] | cells, directions, the eight symmetries, a table |
//! | [`picture`] | what games draw into: figures in board units |
//! | [`search`] | searches that know no game: one file an idea; `driver.rs` runs a game's stages |
//! | [`job`], [`clock`] | work in the background: limits, progress, cancel; the time |
//! | [`analysis`] | the one place that asks a solver, its answer, and what is read from it: rating, what-if, mends |
//! | [`document`] | one open level: draft, play, solution, jobs; typed inside, `dyn` outside |
//! | [`formats`] | the native file, and the one way in for any text |
//! | [`export`] | levels for other people and programs: pictures, films, sheets, maps, share codes |
//! | [`disk`] | files, folders, locks: reading with a bound, atomic writes |
//! | [`memory`] | what is remembered between runs: records, recovery copies, backups, stamps, variants |
//! | [`catalogue`] | all levels there are to open: found, read, filtered, sorted, put in order |
//! | [`cli`] | the commands: everything that needs no window |
//! | [`games`] | the registry, and a folder for each game |
//! | `app` | the window (feature `gui`): dock, one file a panel, one file a dialog, canvas, theme, keys |
//!
//! The package in `player/` compiles the core, without the modules that need a disk or a terminal, to WebAssembly for playable pages (`export/page.rs`).
//!
//! Four paths through it:
//!
//! - **A stroke to its verdict**: `app/panels/edit/strokes.rs` (`finish`) → `Editing::paint` in `document/edit.rs`, which makes a draft with a new version →
//!   `App::tick` asks for what is in sight (`ask_verdict`) → `tick_study` in `document/study.rs` starts one job → [`analysis::solve_on_all_cores()`] → the editor's foot reads
//!   [`document::Studied::verdict`] for the version it shows.
//! - **A command**: `cli::run` → `cli/solve.rs` takes the next level of `disk::Levels` → [`document::Headless::solve_now`] → [`analysis::solve()`] →
//!   [`analysis::Report`], which serialises as the line of `--json`.
//! - **A file to its card**: `catalogue/librarian.rs` → `disk/walk.rs` finds the file → `catalogue/facts.rs` reads it once → `catalogue/query.rs` lists it →
//!   `app/panels/library/card.rs`.
//! - **A win to its record**: `Play::make` in `document/play.rs` → `Workshop::tick_records` in `app/campaign.rs` sees the win → [`memory::Keeper::add`], which
//!   merges it and writes it in the background.
#![warn(missing_docs)]

pub mod analysis;
#[cfg(feature = "gui")]
pub mod app;
#[cfg(not(target_family = "wasm"))]
pub mod catalogue;
#[cfg(not(target_family = "wasm"))]
pub mod cli;
pub mod clock;
#[cfg(not(target_family = "wasm"))]
pub mod disk;
pub mod document;
#[cfg(not(target_family = "wasm"))]
pub mod export;
pub mod formats;
pub mod game;
pub mod games;
pub mod grid;
pub mod job;
#[cfg(not(target_family = "wasm"))]
pub mod memory;
pub mod picture;
pub mod search;
