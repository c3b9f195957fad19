//! What is known of a level without holding it: small enough to keep for ten thousand of them.

use super::{LevelId, Stamp, scan};
use crate::{
    analysis::{Verdict, rate},
    disk::{self, Levels, Loaded, is_native},
    document::{Digest, Doc, Identity},
    formats, games,
    job::Probe,
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Notes longer than this are searched only up to here; the file keeps them whole.
const NOTES: usize = 2000;

/// What was read from a level.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Facts {
    /// The game's id.
    pub game: String,
    /// Title.
    pub title: String,
    /// Author.
    pub author: String,
    /// Notes, perhaps cut off.
    pub notes: String,
    /// Tags.
    pub tags: Vec<String>,
    /// What the level is.
    pub exact: Digest,
    /// What it is up to symmetry.
    pub shape: Digest,
    /// Whether it is alone in a file of our own format, so that its title and tags can be changed there.
    pub native: bool,
}

impl Facts {
    /// The facts of a level.
    pub fn of(doc: &dyn Doc, native: bool) -> Facts {
        let meta = doc.meta();
        let Identity { exact, shape } = doc.identity();
        let cut = meta.notes.char_indices().nth(NOTES).map_or(meta.notes.len(), |(i, _)| i);
        Facts {
            game: doc.game().info().id.into(),
            title: meta.title.clone(),
            author: meta.author.clone(),
            notes: meta.notes[..cut].into(),
            tags: meta.tags.clone(),
            exact,
            shape,
            native,
        }
    }

    /// The notes are all there.
    pub fn whole(&self) -> bool {
        self.notes.chars().count() < NOTES
    }
}

/// The levels of one file; a sentence if there are none to be had.
pub(super) fn docs(path: &Path) -> Result<Vec<Box<dyn Doc>>, String> {
    let loaded = disk::open_path(path).map_err(|error| error.fault.to_string())?;
    Ok(loaded.into_iter().map(|l| l.doc).collect())
}

/// Reads the facts of all levels of a file.
pub(super) fn read(path: &Path) -> Result<Vec<Facts>, String> {
    let facts = |level: Loaded| Facts::of(&*level.doc, matches!(level.id, LevelId::File(_)) && is_native(path));
    Levels::new([path]).map(|l| l.map(facts).map_err(|error| error.fault.to_string())).collect()
}

/// Reads levels of the catalogue. Keeps the last file with several levels, since the next one asked for is likely to be in it too.
#[derive(Default)]
pub struct Reader {
    last: Option<(PathBuf, Stamp, Vec<Box<dyn Doc>>)>,
}

impl Reader {
    /// Reads a level.
    pub fn load(&mut self, key: &LevelId) -> Result<Box<dyn Doc>, String> {
        let gone = || "the file no longer holds this level".to_string();
        match key {
            LevelId::Shipped(game, index) => {
                let text = games::by_id(game).and_then(|g| g.info().levels.get(*index).copied());
                let text = text.ok_or("that was the last level of this pack")?;
                let docs = formats::read(text.as_bytes()).map_err(|f| format!("a shipped level is damaged: {f}"))?;
                docs.into_iter().next().ok_or_else(gone)
            }
            LevelId::File(path) => docs(path)?.into_iter().next().ok_or_else(gone),
            LevelId::Member(path, index) => {
                let now = scan::stamp(path).unwrap_or_default();
                let docs = match self.last.take() {
                    Some((p, stamp, docs)) if p == *path && stamp == now => docs,
                    _ => docs(path)?,
                };
                let doc = docs.get(*index).map(|d| d.duplicate());
                let last = *index == docs.len();
                self.last = Some((path.clone(), now, docs));
                doc.ok_or_else(|| if last { "that was the last level of this collection".into() } else { gone() })
            }
            _ => Err("this level is in no file".into()),
        }
    }
}

/// How hard a level is, as `rate` says.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rated {
    /// From 0 to 100; `None` if the level is not known to be solvable.
    pub difficulty: Option<f64>,
    /// Whether it may be harder than this.
    pub at_least: bool,
    /// The least count for par, and whether it is proven.
    pub par: Option<(u32, bool)>,
    /// Whether it was proven that there is no solution.
    pub unsolvable: bool,
}

impl Rated {
    /// Rates a level with the node limit that everything else uses. `None` if it was cancelled.
    pub fn of(doc: &dyn Doc, probe: &mut Probe) -> Option<Rated> {
        let rating = doc.rate_now(rate::NODES, probe);
        if rating.cancelled {
            return None;
        }
        let game = doc.game();
        let par = game.goals().get(game.info().par_goal).and_then(|g| rating.goals.iter().find(|f| f.goal == g.id));
        Some(Rated {
            difficulty: rating.difficulty.map(rate::tenths),
            at_least: rating.at_least,
            par: par.and_then(|p| p.cost.map(|c| (c, p.optimal()))),
            unsolvable: !rating.goals.is_empty() && rating.goals.iter().all(|g| g.verdict == Verdict::Unsolvable),
        })
    }

    /// "47", "≥ 61" or "–".
    pub fn text(&self) -> String {
        match self.difficulty {
            Some(d) if self.at_least => format!("≥ {}", rate::shown(d)),
            Some(d) => rate::shown(d),
            None => "–".into(),
        }
    }
}
