//! Searches that know no game: one file an idea.

pub mod alphabeta;
pub mod assignment;
pub mod beam;
pub mod best_first;
pub mod bits;
pub mod driver;
pub mod exact_cover;
pub mod ida;
pub mod outcome;
pub mod parts;
pub mod queue;
pub mod space;
pub mod states;
