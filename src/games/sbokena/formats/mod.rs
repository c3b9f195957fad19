//! Files of other programs: XSB/SOK collections of plain Sokoban, and `.sbk`, the JSON of the game these rules came from.

pub mod rle;
mod sbk;
mod sok;

use super::Sbokena;
use crate::game::Format;

pub(super) fn formats() -> Vec<Format<Sbokena>> {
    vec![
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
