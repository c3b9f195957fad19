//! The native format: RON, versioned, made to be read and edited by hand.
//!
//! ```ron
//! (
//!     tilewright: 1,
//!     game: "cats",
//!     title: "First step",
//!     rules: { "finished_shapes": "stay" },
//!     level: ( board: [ "…" ] ),
//! )
//! ```
//! A file is read in two passes: first only version and game, so that a newer file or an unknown game is named as such, then all of it with
//! the game's own types. Faults that a game finds in its rows of characters are turned into line and column of the file.

use crate::game::{BoardFault, Fault, Game, Item, Meta, Origin, Solution, Values};
use ron::extensions::Extensions;
use serde::{Deserialize, Serialize};

/// The newest version read. Each level is written in the oldest that can hold it ([`Draft::file_version`](crate::game::Draft::file_version)), so
/// that older programs read what they can.
pub const VERSION: u32 = 2;

#[derive(Deserialize)]
struct Head {
    tilewright: u32,
    game: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File<L> {
    tilewright: u32,
    game: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    author: String,
    #[serde(default)]
    notes: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    rules: Values,
    level: L,
    #[serde(default)]
    solutions: Vec<Solution>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<Origin>,
}

pub(super) fn options() -> ron::Options {
    ron::Options::default().with_default_extension(Extensions::IMPLICIT_SOME).with_recursion_limit(64)
}

pub(super) fn fault(e: &ron::error::SpannedError) -> Fault {
    let at = e.span.start;
    let text = match &e.code {
        ron::Error::ExceededRecursionLimit => "this is nested too deeply for a level".into(),
        code => code.to_string(),
    };
    Fault::at(at.line, at.col, text)
}

/// Whether a text is meant to be a native file.
pub fn looks_native(text: &str) -> bool {
    text.len() < 1 << 24 && text.trim_start().starts_with(['(', '/', '#']) && text.contains("tilewright")
}

/// The game of a native file, if its version can be read.
pub fn head(text: &str) -> Result<String, Fault> {
    let head: Head = options().from_str(text).map_err(|e| fault(&e))?;
    if head.tilewright > VERSION {
        return Err(newer(text, head.tilewright, VERSION));
    }
    Ok(head.game)
}

/// The title of a native file, without reading the rest of it; empty where it has none or cannot be read.
pub fn title(text: &str) -> String {
    #[derive(Deserialize)]
    struct Titled {
        #[serde(default)]
        title: String,
    }
    options().from_str(text).map_or_else(|_| String::new(), |t: Titled| t.title)
}

/// The fault of a file from the future.
pub(super) fn newer(text: &str, version: u32, known: u32) -> Fault {
    let message =
        format!("this file has version {version} and this program reads up to {known}: a newer Tilewright wrote it");
    locate(text, "tilewright", message)
}

/// A fault at the first place where `word` stands.
pub fn locate(text: &str, word: &str, message: String) -> Fault {
    match text.find(word) {
        Some(i) => at_byte(text, i, message),
        None => Fault::new(message),
    }
}

fn at_byte(text: &str, byte: usize, message: String) -> Fault {
    let before = &text[..byte];
    let line = before.matches('\n').count() + 1;
    let column = before[before.rfind('\n').map_or(0, |i| i + 1)..].chars().count() + 1;
    Fault::at(line, column, message)
}

/// Reads a level of a given game.
pub fn read<G: Game>(text: &str) -> Result<Item<G>, Fault> {
    let game = head(text)?;
    if game != G::INFO.id {
        return Err(locate(text, &format!("\"{game}\""), format!("this is a level of {game}, not of {}", G::INFO.id)));
    }
    let file: File<G::File> = options().from_str(text).map_err(|e| fault(&e))?;
    let mut level = G::from_file(file.level).map_err(|b| board_fault(text, &b))?;
    let rules = G::rules();
    for (name, value) in &file.rules.0 {
        let Some(rule) = rules.iter().find(|r| r.name == name) else {
            let known: Vec<_> = rules.iter().map(|r| r.name).collect();
            let message = format!("there is no rule \"{name}\" in {}; there are {}", G::INFO.name, known.join(", "));
            return Err(locate(text, &format!("\"{name}\""), message));
        };
        rule.check(value).map_err(|e| locate(text, &format!("\"{name}\""), e))?;
        G::set_rule(&mut level, name, value);
    }
    let meta = Meta { title: file.title, author: file.author, notes: file.notes, tags: file.tags };
    Ok(Item { meta, level, solutions: file.solutions, origin: file.origin })
}

/// Finds the board's row in the file: the `row`-th string after the word `board`.
fn board_fault(text: &str, fault: &BoardFault) -> Fault {
    let place = fault.at.and_then(|(row, column)| {
        let board = text.find("board")?;
        let mut from = board;
        for _ in 0..row {
            from += text[from..].find('"')? + 1;
            from += text[from..].find('"')? + 1;
        }
        let open = from + text[from..].find('"')? + 1;
        let byte = text[open..].char_indices().nth(column).map_or(text.len(), |(i, _)| open + i);
        Some(at_byte(text, byte, fault.text.clone()))
    });
    place.unwrap_or_else(|| locate(text, "level", fault.text.clone()))
}

/// Writes a level.
pub fn write<G: Game>(item: &Item<G>) -> String {
    pretty(&file(item))
}

/// Writes a level in one line, empty fields left out.
pub fn compact<G: Game>(item: &Item<G>) -> String {
    // As in `pretty`: our own types always serialise.
    options().to_string(&Short(file(item))).unwrap_or_else(|e| format!("// {e}"))
}

/// A file that is written without the fields that have nothing to say.
struct Short<L>(File<L>);

impl<L: Serialize> Serialize for Short<L> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;
        let file = &self.0;
        let texts = [("title", &file.title), ("author", &file.author), ("notes", &file.notes)];
        let mut out = serializer.serialize_struct("File", 10)?;
        out.serialize_field("tilewright", &file.tilewright)?;
        out.serialize_field("game", &file.game)?;
        for (name, text) in texts {
            if !text.is_empty() {
                out.serialize_field(name, text)?;
            }
        }
        if !file.tags.is_empty() {
            out.serialize_field("tags", &file.tags)?;
        }
        if !file.rules.0.is_empty() {
            out.serialize_field("rules", &file.rules)?;
        }
        out.serialize_field("level", &file.level)?;
        if !file.solutions.is_empty() {
            out.serialize_field("solutions", &file.solutions)?;
        }
        if file.origin.is_some() {
            out.serialize_field("origin", &file.origin)?;
        }
        out.end()
    }
}

fn file<G: Game>(item: &Item<G>) -> File<G::File> {
    let meta = item.meta.clone();
    File {
        tilewright: G::file_version(&item.level),
        game: G::INFO.id.into(),
        title: meta.title,
        author: meta.author,
        notes: meta.notes,
        // A field that is being typed into has a comma without a tag after it.
        tags: meta.tags.into_iter().filter(|t| !t.trim().is_empty()).collect(),
        rules: G::rule_values(&item.level),
        level: G::to_file(&item.level),
        solutions: item.solutions.clone(),
        origin: item.origin.clone(),
    }
}

/// RON as people write it.
pub(super) fn pretty(file: &impl Serialize) -> String {
    let pretty =
        ron::ser::PrettyConfig::new().indentor("    ".to_string()).new_line("\n".to_string()).struct_names(false);
    // Our own types always serialise: maps have string keys and there are no foreign types in them.
    let body = options().to_string_pretty(file, pretty).unwrap_or_else(|e| format!("// {e}"));
    body + "\n"
}
