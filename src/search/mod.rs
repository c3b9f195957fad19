//! Searches that know no game: one file an idea.
