//! Searches that know no game: one file an idea.

pub mod alphabeta;
pub mod beam;
pub mod exact_cover;
pub mod ida;
