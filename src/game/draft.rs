//! A draft: anything an editor can hold, what is wrong with it, its rule switches, its symmetries, its form in files.

use super::{BoardFault, Format, Info, Param, Problem, Value, Values};
use crate::grid::{Size, Sym};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

/// The levels of a game before anybody plays them. All functions are pure.
pub trait Draft: Sized + Send + Sync + 'static {
    /// What the game says about itself.
    const INFO: Info;
    /// A draft: board, pieces, rule switches.
    type Level: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// A level as it stands in a file: made to be read and edited by hand. Rule switches are kept beside it, not in it.
    type File: Serialize + DeserializeOwned;

    /// The size of the board in cells.
    fn size(level: &Self::Level) -> Size;

    /// All that is wrong with a draft, errors first.
    fn problems(level: &Self::Level) -> Vec<Problem>;

    /// The rule switches a level of this game stores.
    fn rules() -> Vec<Param> {
        Vec::new()
    }

    /// The rule switches of this level.
    fn rule_values(_level: &Self::Level) -> Values {
        Values::default()
    }

    /// Sets a rule switch to a value that its [`Param`] accepts.
    fn set_rule(_level: &mut Self::Level, _name: &str, _value: &Value) {}

    /// The symmetries that keep verdict and minimum, beside the identity.
    fn symmetries() -> &'static [Sym];

    /// The draft under a symmetry of [`Draft::symmetries`], directions and links turning along; `None` where it does not apply to this level.
    fn turned(level: &Self::Level, sym: Sym) -> Option<Self::Level>;

    /// A part of a cell under a symmetry (Shards' triangles).
    fn turned_part(part: u8, _sym: Sym) -> u8 {
        part
    }

    /// The version of the native format that a level needs to be read: 1, unless it holds something that came later.
    fn file_version(_level: &Self::Level) -> u32 {
        1
    }

    /// The level as it stands in a file.
    fn to_file(level: &Self::Level) -> Self::File;

    /// Reads it back. Rejects nonsense (unknown letters, rows of unequal length, a board too large), accepts unplayable drafts.
    fn from_file(file: Self::File) -> Result<Self::Level, BoardFault>;

    /// Files of other programs that this game reads or writes.
    fn formats() -> Vec<Format<Self>> {
        Vec::new()
    }
}
