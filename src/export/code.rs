//! The share code: a whole level as one line of letters.
//!
//! `tw1:` and then, in the URL-safe base 64 without padding: four bytes of checksum, and the level's native text without its solutions, deflated.
//! The checksum (XXH3 of the text, its low 32 bits, little endian) tells a code that lost a letter on its way from one that holds a bad level. A chat may
//! break or indent the line, so white space counts for nothing; several codes in one text are several levels. Reading is bounded: a code of a few
//! letters could otherwise unfold to gigabytes.

use super::Exported;
use crate::{
    document::Doc,
    formats::{check_count, native},
    game::Fault,
    games,
};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use std::io::{Read as _, Write as _};
use xxhash_rust::xxh3::xxh3_64;

/// What every code begins with.
pub const PREFIX: &str = "tw1:";

/// No level's text is longer.
const LONGEST: u64 = 2 << 20;

fn checksum(text: &[u8]) -> [u8; 4] {
    (xxh3_64(text) as u32).to_le_bytes()
}

/// The share code of a level.
pub fn code(doc: &dyn Doc) -> String {
    let text = doc.compact().into_bytes();
    let mut bytes = checksum(&text).to_vec();
    let mut packer = DeflateEncoder::new(&mut bytes, Compression::best());
    // Writing into memory cannot fail.
    let _ = packer.write_all(&text);
    let _ = packer.finish();
    format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes))
}

pub(super) fn write(docs: &[Box<dyn Doc>]) -> Exported {
    let lines: String = docs.iter().map(|d| code(&**d) + "\n").collect();
    Exported::new(lines.into_bytes())
}

/// Whether a text is meant to be share codes: they may stand in quotes or behind a sign of quotation.
pub(super) fn recognises(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>')).starts_with("tw")
        && text.contains(PREFIX)
        || newer(text).is_some()
}

/// The version of a code that a later program wrote.
fn newer(text: &str) -> Option<u32> {
    let rest = text.trim_start().strip_prefix("tw")?;
    let (version, _) = rest.split_once(':')?;
    version.parse().ok().filter(|v| *v > 1)
}

fn unpacked(code: &str) -> Result<String, Fault> {
    let letters: String = code.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect();
    let damaged = |why: &str| Fault::new(format!("this share code is damaged: {why}; copy it once more, all of it"));
    let bytes = URL_SAFE_NO_PAD.decode(letters).map_err(|_| damaged("letters are missing or wrong"))?;
    let (sum, packed) = bytes.split_first_chunk::<4>().ok_or_else(|| damaged("it is too short"))?;
    let mut text = Vec::new();
    let read = DeflateDecoder::new(packed).take(LONGEST + 1).read_to_end(&mut text);
    if text.len() as u64 > LONGEST {
        return Err(Fault::new("this share code unfolds to more than any level needs: it is not read"));
    }
    read.map_err(|_| damaged("its end is missing"))?;
    if checksum(&text) != *sum {
        return Err(damaged("its checksum is wrong"));
    }
    String::from_utf8(text).map_err(|_| damaged("it holds no text"))
}

pub(super) fn read(text: &str) -> Result<Vec<Box<dyn Doc>>, Fault> {
    if let Some(version) = newer(text) {
        return Err(Fault::new(format!("this share code has version {version}: a newer Tilewright wrote it")));
    }
    let mut docs = Vec::new();
    for (i, code) in text.split(PREFIX).skip(1).enumerate() {
        check_count(i + 1)?;
        // What stands behind a code (a closing quotation mark, the next line's sign of quotation) is not part of it.
        let code = code.trim_end_matches(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')));
        if let Some(bad) = code.chars().find(|c| !(c.is_ascii_alphanumeric() || "-_ \r\n\t>\"'`<,;".contains(*c))) {
            return Err(Fault::new(format!(
                "this share code is damaged: it has the letter \"{}\"",
                bad.escape_debug()
            )));
        }
        let native = unpacked(code)?;
        let inside = |f: Fault| Fault::new(format!("the level in this share code cannot be read: {}", f.text));
        let game = native::head(&native).map_err(inside)?;
        let game = games::by_id(&game)
            .ok_or_else(|| Fault::new(format!("this share code holds a level of an unknown game, {game:?}")))?;
        docs.push(game.read_native(&native).map_err(inside)?);
    }
    if docs.is_empty() { Err(Fault::new("there is no share code in this text")) } else { Ok(docs) }
}
