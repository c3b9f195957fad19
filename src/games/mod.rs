//! The registry: one line a game.

pub mod cats;
pub mod match_tiles;
pub mod null;
pub mod readout;
pub mod sbokena;
pub mod shards;

use crate::{
    document::{AnyGame, Erased},
    game::{Draft, Game},
};

// `levels(id)`: the texts of `levels/<id>/*.ron`, listed by build.rs. A game without such a folder has none.
include!(concat!(env!("OUT_DIR"), "/levels.rs"));

macro_rules! offered {
    ($($game:ty),* $(,)?) => {
        /// The games offered to users, in the order of the menus.
        static OFFERED: &[&dyn AnyGame] = &[$(Erased::<$game>::get()),*];

        /// Hands the type of the offered game with this id to a visitor: for a program that does without the rest of [`AnyGame`].
        pub fn visit<V: Visitor>(id: &str, visitor: V) -> Option<V::Out> {
            $(if id == <$game as Draft>::INFO.id {
                return Some(visitor.visit::<$game>());
            })*
            None
        }
    };
}

offered!(cats::Cats, shards::Shards, readout::Readout, sbokena::Sbokena, match_tiles::Match);

/// What is done with the type of a game.
pub trait Visitor {
    /// What comes of it.
    type Out;
    /// Does it.
    fn visit<G: Game>(self) -> Self::Out;
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, path::Path};

    #[test]
    fn every_folder_of_levels_is_the_pack_of_a_game_in_the_order_of_the_names() {
        let folders = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("levels")).expect("the levels");
        for folder in folders.map(|f| f.expect("a folder").path()) {
            let mut files: Vec<_> = fs::read_dir(&folder).expect("a pack").map(|f| f.expect("a file").path()).collect();
            files.sort();
            let texts: Vec<_> = files.iter().map(|f| fs::read_to_string(f).expect("a text")).collect();
            let game = folder.file_name().and_then(|name| by_id(name.to_str()?)).expect("a folder has its game's id");
            assert_eq!(game.info().levels, texts, "{}", folder.display());
        }
    }
}
