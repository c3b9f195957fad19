//! The registry: one line a game.

pub mod cats;
pub mod match_tiles;
pub mod null;
pub mod readout;
pub mod sbokena;
pub mod shards;

use crate::document::{AnyGame, Erased};

/// The games offered to users, in the order of the menus.
static OFFERED: &[&dyn AnyGame] = &[
    Erased::<cats::Cats>::get(),
    Erased::<shards::Shards>::get(),
    Erased::<readout::Readout>::get(),
    Erased::<sbokena::Sbokena>::get(),
    Erased::<match_tiles::Match>::get(),
];

/// Built and tested with the rest, but not offered: the template for a new game.
static HIDDEN: &[&dyn AnyGame] = &[Erased::<null::Null>::get()];

/// The games offered to users.
pub fn offered() -> &'static [&'static dyn AnyGame] {
    OFFERED
}

/// All games, the hidden ones last.
pub fn all() -> Vec<&'static dyn AnyGame> {
    OFFERED.iter().chain(HIDDEN).copied().collect()
}

/// The game with this id.
pub fn by_id(id: &str) -> Option<&'static dyn AnyGame> {
    all().into_iter().find(|g| g.info().id == id)
}
