//! The registry: one line a game.

pub mod null;
pub mod readout;
