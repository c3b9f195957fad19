//! Files: the native one, and what other programs read and write.
//!
//! A game brings its own foreign formats (XSB for Sbokena, say) in its folder, through [`crate::game::Format`]. Here are the native format and the
//! one way in for any text from outside, [`read`], which also knows the exports that can be read again (see [`crate::export`]).

pub mod native;
pub mod pack;

use crate::game::Fault;
#[cfg(not(target_family = "wasm"))]
use crate::{
    document::{Doc, Docs},
    export, games,
};
use std::borrow::Cow;

/// Nothing larger is read: a level is a few kilobytes, a large collection a few megabytes.
pub const LARGEST: u64 = 16 << 20;
/// Nor are more levels read from one file.
const MOST_LEVELS: usize = 10_000;

/// Refuses a file with more levels than are read.
pub fn check_count(levels: usize) -> Result<(), Fault> {
    match levels {
        ..=MOST_LEVELS => Ok(()),
        _ => Err(Fault::new("there are more than 10,000 levels in this file: split it")),
    }
}

/// Bytes as text, without a byte order mark and with the line ends of today; the fault names the first place that is no UTF-8.
pub fn text(bytes: &[u8]) -> Result<Cow<'_, str>, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let before = &bytes[..e.valid_up_to()];
        let line = before.iter().filter(|b| **b == b'\n').count() + 1;
        let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        Fault::at(line, column, "this is not text (UTF-8)")
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // Old Macs ended their lines with CR alone.
    let old = text.contains('\r') && !text.contains('\n');
    Ok(if old { text.replace('\r', "\n").into() } else { text.into() })
}

/// Reads any format the program knows: one level or a collection, all of it at once. (A page holds native texts only.)
#[cfg(not(target_family = "wasm"))]
pub fn read(bytes: &[u8]) -> Result<Vec<Box<dyn Doc>>, Fault> {
    open(bytes).map(Iterator::collect)
}

/// The same, one level at a time.
#[cfg(not(target_family = "wasm"))]
pub fn open(bytes: &[u8]) -> Result<Docs, Fault> {
    if bytes.len() as u64 > LARGEST {
        return Err(Fault::new(format!("the file is larger than {} MiB: too large for levels", LARGEST >> 20)));
    }
    let text = &*text(bytes)?;
    if text.trim().is_empty() {
        return Err(Fault::new("the file is empty"));
    }
    if pack::looks_pack(text) {
        return Err(Fault::at(
            1,
            1,
            "this is a pack, a list of level files: it can only be opened where its files are",
        ));
    }
    if native::looks_native(text) {
        let head = native::head(text)?;
        let game = games::by_id(&head).ok_or_else(|| {
            let known: Vec<_> = games::offered().iter().map(|g| g.info().id).collect();
            let name = format!("\"{head}\"");
            // With an escape in it, it does not stand in the file as it is read.
            let place = if text.contains(&name) { &name } else { "game" };
            native::locate(text, place, format!("there is no game {name}; there are {}", known.join(", ")))
        })?;
        return Ok(Box::new(std::iter::once(game.read_native(text)?)));
    }
    if let Some(docs) = export::read(text) {
        return Ok(Box::new(docs?.into_iter()));
    }
    for game in games::all() {
        if let Some(format) = game.recognise(text) {
            let docs = game.read_format(format, text)?;
            return if docs.len() == 0 { Err(Fault::new("there is no level in this file")) } else { Ok(docs) };
        }
    }
    Err(Fault::at(1, 1, "Tilewright does not know this format"))
}

/// Whether a text looks like something that [`read`] reads.
#[cfg(not(target_family = "wasm"))]
pub fn recognises(text: &str) -> bool {
    native::looks_native(text) || export::recognises(text) || games::all().iter().any(|g| g.recognise(text).is_some())
}
