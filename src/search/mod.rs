//! Searches that know no game: one file an idea.

pub mod exact_cover;
