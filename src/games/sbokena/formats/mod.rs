//! Files of other programs: XSB/SOK collections of plain Sokoban, PuzzleScript games of the same, and `.sbk`, the JSON of the game these rules came from.

mod puzzlescript;
pub mod rle;
mod sbk;
mod sok;

use super::Sbokena;
use crate::game::Format;

pub(super) fn formats() -> Vec<Format<Sbokena>> {
    vec![
        // First, since its boards would be taken for those of a collection.
        Format {
            id: "puzzlescript",
            name: "PuzzleScript game (plain levels)",
            extensions: &["puzzlescript"],
            recognises: puzzlescript::recognises,
            read: puzzlescript::read,
            write: Some(puzzlescript::write),
        },
        Format {
            id: "sok",
            name: "Sokoban collection (XSB, SOK)",
            extensions: &["xsb", "sok", "txt"],
            recognises: sok::recognises,
            read: sok::read,
            write: Some(sok::write),
        },
        Format {
            id: "sbk",
            name: "Sbokena level (.sbk)",
            extensions: &["sbk", "json"],
            recognises: sbk::recognises,
            read: sbk::read,
            write: Some(sbk::write),
        },
    ]
}
