//! What stands in files: a level with its title, solutions and origin, and the formats of other programs.

use super::{BoardFault, Draft, Fault, Values};
use crate::grid::Size;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a level says about itself, beside its board.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Meta {
    /// Its title.
    pub title: String,
    /// Who made it.
    pub author: String,
    /// Anything else.
    pub notes: String,
    /// Words to find it by.
    pub tags: Vec<String>,
}

/// A solution kept with a level.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solution {
    /// The goal it was found for.
    pub goal: String,
    /// Its moves, in the game's notation.
    pub moves: String,
    /// What it counts.
    pub counts: BTreeMap<String, u32>,
    /// Whether it is proven best for its goal.
    pub optimal: bool,
    /// How it was found, for people: "solver, 4,711 nodes", "played", "microban.sok".
    pub found: String,
}

/// How a level was generated, so that it can be made again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The preset, or empty.
    pub preset: String,
    /// All parameters.
    pub params: Values,
    /// The seed.
    pub seed: u64,
    /// The generator's version.
    pub version: u32,
}

/// A level with what is known about it.
pub struct Item<G: Draft> {
    /// Title and the like.
    pub meta: Meta,
    /// The level.
    pub level: G::Level,
    /// Known solutions.
    pub solutions: Vec<Solution>,
    /// How it was made.
    pub origin: Option<Origin>,
}

impl<G: Draft> Item<G> {
    /// A level of which only the title is known.
    pub fn new(title: impl Into<String>, level: G::Level) -> Item<G> {
        let meta = Meta { title: title.into(), ..Meta::default() };
        Item { meta, level, solutions: Vec::new(), origin: None }
    }
}

/// What a writer made, and what it had to leave out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Written {
    /// The file's text.
    pub text: String,
    /// What was dropped, one sentence each.
    pub dropped: Vec<String>,
}

/// A file format of another program, for one game.
pub struct Format<G: Draft> {
    /// Short name.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// File name endings, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether a text looks like this format. The native format has been ruled out before this is asked.
    pub recognises: fn(text: &str) -> bool,
    /// Reads a collection of levels.
    pub read: fn(text: &str) -> Result<Vec<Item<G>>, Fault>,
    /// Writes a collection, or says (naming the cells) why it cannot be expressed.
    pub write: Option<fn(items: &[Item<G>]) -> Result<Written, Fault>>,
}

/// The size of a board given as rows of characters, or what is wrong with them: none, unequal, too large.
pub fn board_size(rows: &[String], largest: Size) -> Result<Size, BoardFault> {
    let w = rows.first().map_or(0, |r| r.chars().count());
    if w == 0 {
        return Err(BoardFault::new("the board has no cells"));
    }
    if w > largest.w as usize || rows.len() > largest.h as usize {
        let text = format!("a board of {w} x {} is too large: at most {} x {}", rows.len(), largest.w, largest.h);
        return Err(BoardFault::at(0, 0, text));
    }
    for (y, row) in rows.iter().enumerate() {
        let len = row.chars().count();
        if len != w {
            return Err(BoardFault::at(y, len.min(w), format!("this row has {len} cells, the first has {w}")));
        }
    }
    Ok(Size::new(w as u16, rows.len() as u16))
}
