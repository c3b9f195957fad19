//! Packs: a file `pack.ron` that lists level files beside it, in order.
//!
//! ```ron
//! (
//!     tilewright: 1,
//!     pack: "First steps",
//!     levels: ["0001.ron", "0002.ron"],
//! )
//! ```
//! The names are relative to the pack and stay below its folder (no absolute path, no `..`), so a pack from a stranger cannot reach for other
//! files. What it lists may be any format that the program reads, except another pack. Reading the files is `library.rs`'s work.

use super::native;
use crate::game::Fault;
use serde::{Deserialize, Serialize};
use std::path::{Component, Path};

/// The version of packs, written and read.
const VERSION: u32 = 1;

/// The file's usual name.
pub const FILE_NAME: &str = "pack.ron";

/// A list of level files.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pack {
    /// Its title.
    pub title: String,
    /// The files in order, relative to the pack, with `/` between folders.
    pub levels: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    tilewright: u32,
    pack: String,
    levels: Vec<String>,
}

/// Only the fields that distinguish a pack from a level.
#[derive(Deserialize)]
struct Head {
    tilewright: u32,
    #[serde(default)]
    pack: Option<serde::de::IgnoredAny>,
    #[serde(default)]
    game: Option<serde::de::IgnoredAny>,
}

/// Whether a text is meant to be a pack. A damaged text that names a pack and no game counts as one, so that its fault is reported as a pack's.
pub fn looks_pack(text: &str) -> bool {
    if !native::looks_native(text) {
        return false;
    }
    match native::options().from_str::<Head>(text) {
        Ok(head) => head.pack.is_some() && head.game.is_none(),
        Err(_) => text.contains("pack:") && !text.contains("game:"),
    }
}

/// Reads a pack.
pub fn read(text: &str) -> Result<Pack, Fault> {
    let options = native::options();
    let head: Head = options.from_str(text).map_err(|e| native::fault(&e))?;
    if head.tilewright > VERSION {
        return Err(native::newer(text, head.tilewright, VERSION));
    }
    let file: File = options.from_str(text).map_err(|e| native::fault(&e))?;
    for name in &file.levels {
        if let Err(why) = check_name(name) {
            return Err(native::locate(text, name, format!("\"{}\" cannot be in a pack: {why}", name.escape_debug())));
        }
    }
    Ok(Pack { title: file.pack, levels: file.levels })
}

fn check_name(name: &str) -> Result<(), &'static str> {
    if name.is_empty() {
        return Err("it is no file name");
    }
    if name.contains(['\\', ':', '\0', '\n']) {
        return Err("file names in a pack are written with / and without \\ and :");
    }
    if Path::new(name).components().all(|c| matches!(c, Component::Normal(_))) {
        Ok(())
    } else {
        Err("only files below the pack's own folder can be listed")
    }
}

/// Writes a pack.
pub fn write(pack: &Pack) -> String {
    let file = File { tilewright: VERSION, pack: pack.title.clone(), levels: pack.levels.clone() };
    native::pretty(&file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pack_reads_back_as_it_was_written() {
        let pack = Pack { title: "Ä \"b\"".into(), levels: vec!["0001.ron".into(), "more/0002.ron".into()] };
        let text = write(&pack);
        assert!(looks_pack(&text));
        assert_eq!(read(&text), Ok(pack));
    }

    #[test]
    fn a_pack_cannot_reach_out_of_its_folder() {
        for name in ["../a.ron", "/etc/passwd", "a/../../b.ron", "", "c:\\x.ron", "./a.ron"] {
            let text = write(&Pack { title: "x".into(), levels: vec![name.into()] });
            assert!(read(&text).is_err(), "{name}");
        }
    }

    #[test]
    fn a_newer_pack_is_named_as_such() {
        let fault = read("(tilewright: 9, pack: \"x\", levels: [], more: 1)").unwrap_err();
        assert!(fault.text.contains("newer") && fault.line == Some(1), "{fault}");
    }
}
