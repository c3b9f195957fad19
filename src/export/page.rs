//! A playable page: one HTML file with the levels, the core compiled to WebAssembly (`player/`), and a script that paints and passes input on.
//!
//! The parts are assets that `player/build` makes ready, so exporting compiles nothing. The levels stand in the page as native texts, with their solutions, and
//! as share codes for players to copy; the program reads the native texts again.

use super::{Exported, code, json_fault, title};
use crate::{
    document::Doc,
    formats,
    game::{Fault, NotMade},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

const PAGE: &str = include_str!("../../assets/player/page.html");
const STYLE: &str = include_str!("../../assets/player/page.css");
const SCRIPT: &str = include_str!("../../assets/player/page.js");
const MODULE: &[u8] = include_bytes!("../../assets/player/player.wasm.gz");

/// How every page begins its list of levels.
const LEVELS: &str = "<script type=\"application/json\" id=\"levels\">";

#[derive(Serialize, Deserialize)]
struct Level {
    title: String,
    /// By what progress is kept.
    id: String,
    native: String,
    code: String,
}

pub(super) fn write(docs: &[Box<dyn Doc>], options: &super::Options) -> Result<Exported, NotMade> {
    let level = |doc: &dyn Doc| {
        let title = title(doc);
        if doc.position(false).is_none() {
            let why = doc.problems().first().map_or("it is not finished", |p| p.text.as_str());
            return Err(NotMade::Refused(format!("\"{title}\" cannot be played: {why}")));
        }
        Ok(Level { title, id: doc.identity().exact.to_string(), native: doc.native(), code: code(doc) })
    };
    let levels = docs.iter().map(|d| level(&**d)).collect::<Result<Vec<_>, _>>()?;
    let name = if options.title.is_empty() { &levels[0].title } else { &options.title };
    // In a script, only "<" could end it early.
    let list = serde_json::to_string(&levels).map_err(|e| NotMade::Refused(e.to_string()))?.replace('<', "\\u003c");
    let mut page = String::new();
    for part in PAGE.split('@') {
        match part {
            "VERSION" => page += env!("CARGO_PKG_VERSION"),
            "TITLE" => page += &escaped(name),
            "STYLE" => page += STYLE,
            "LEVELS" => page += &list,
            "MODULE" => STANDARD.encode_string(MODULE, &mut page),
            "SCRIPT" => page += SCRIPT,
            other => page += other,
        }
    }
    Ok(Exported::new(page.into_bytes()))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Whether a text is meant to be such a page.
pub(super) fn recognises(text: &str) -> bool {
    text.get(..15).is_some_and(|t| t.eq_ignore_ascii_case("<!doctype html>")) && text.contains(LEVELS)
}

pub(super) fn read(text: &str) -> Result<Vec<Box<dyn Doc>>, Fault> {
    let list = text.split_once(LEVELS).map_or("", |(_, rest)| rest);
    let list = list.split_once("</script>").map_or(list, |(list, _)| list);
    let levels: Vec<Level> = serde_json::from_str(list).map_err(|e| json_fault("a page of Tilewright", &e))?;
    formats::check_count(levels.len())?;
    let mut docs = Vec::new();
    for level in levels {
        // A native text only: what else could be in a page that somebody has changed is not looked into.
        if !formats::native::looks_native(&level.native) {
            return Err(Fault::new("this page holds something that is not a level"));
        }
        docs.append(&mut formats::read(level.native.as_bytes())?);
    }
    if docs.is_empty() { Err(Fault::new("there is no level in this page")) } else { Ok(docs) }
}
