//! The registry: one line a game.

pub mod cats;
pub mod null;
