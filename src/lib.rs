//! Tilewright: a workshop for tile puzzles.
#![warn(missing_docs)]
pub mod game;
pub mod games;
pub mod grid;
pub mod job;
pub mod picture;
pub mod search;
