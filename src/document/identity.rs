//! Whether two levels are the same: what records, the bin and the search for duplicates go by.
//!
//! A level is its board and its rule switches; title, author, notes, tags, solutions and origin say something about it and do not count. Its
//! [`Identity::exact`] is a digest of the native text of just that. [`Identity::shape`] is the least such digest over the symmetries the game declares, so
//! it is equal for levels that are turns or mirror images of each other. Digests are XXH3 with 128 bits, whose values are fixed by its
//! specification, so they may stand in files; they are no defence against somebody who looks for collisions, and nothing here needs one.

use crate::{
    formats::native,
    game::{Game, Item, Meta},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use xxhash_rust::xxh3::xxh3_128;

/// What a level is, in two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Identity {
    /// Equal for equal levels.
    pub exact: Digest,
    /// Equal for levels that are equal up to the game's symmetries.
    pub shape: Digest,
}

/// A digest, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Digest(pub u128);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl std::str::FromStr for Digest {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Digest, &'static str> {
        let plain = text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit());
        let number = u128::from_str_radix(text, 16).ok().filter(|_| plain);
        number.map(Digest).ok_or("a digest has 32 hexadecimal digits")
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Digest, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The digest of a level as it lies.
pub(super) fn exact<G: Game>(level: &G::Level) -> Digest {
    let bare = Item::<G> { meta: Meta::default(), level: level.clone(), solutions: Vec::new(), origin: None };
    Digest(xxh3_128(native::write(&bare).as_bytes()))
}

/// Both digests of a level.
pub(super) fn of<G: Game>(level: &G::Level) -> Identity {
    let exact = exact::<G>(level);
    let turned = G::symmetries().iter().filter_map(|s| G::turned(level, *s)).map(|l| self::exact::<G>(&l));
    Identity { exact, shape: turned.fold(exact, Ord::min) }
}
