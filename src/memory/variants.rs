//! Variants: snapshots of a level that its designer wanted to keep, with what was measured about each. They stand in a file of their own for each level,
//! named by a digest of where the level came from, so that they are there again when it is opened again.

use crate::{
    analysis::rate::Rating,
    disk::{
        LevelId, file_names, make_folder,
        versioned::{Stored, change_stored, read_stored},
    },
};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_128;

/// The version written, and the newest one read.
const VERSION: u32 = 1;

/// Limits on the variants of a level and on the number of files; the oldest are removed.
pub const MOST: usize = 24;
const MOST_FILES: usize = 500;

/// What was measured.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// "solvable", "unsolvable", "not playable" or "not known".
    pub verdict: String,
    /// The cost for par: count, its name, and whether it is proven.
    pub par: Option<(u32, String, bool)>,
    /// The difficulty, as `rate` prints it.
    pub difficulty: Option<f64>,
    /// Whether it may be harder than that.
    pub at_least: bool,
    /// Legal moves at a position of the solution, on average.
    pub branching: Option<f64>,
    /// Share of wrong turns that lose the level.
    pub dead_ends: Option<f64>,
}

impl Measured {
    /// What of a rating is kept. `par` is the number of the goal that par is about.
    pub fn of(rating: &Rating, par: usize) -> Measured {
        let goal = rating.goals.get(par);
        let verdict = match goal {
            _ if !rating.problems.is_empty() => "not playable",
            Some(report) => report.word(),
            None => "not known",
        };
        Measured {
            verdict: verdict.into(),
            par: goal.and_then(|g| g.cost.map(|c| (c, g.unit.to_string(), g.optimal()))),
            difficulty: rating.difficulty,
            at_least: rating.at_least,
            branching: rating.metrics.as_ref().map(|m| m.branching),
            dead_ends: rating.metrics.as_ref().and_then(|m| m.dead_ends),
        }
    }
}

/// A snapshot.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// The level as a native text, without title and solutions.
    pub text: String,
    /// What was measured, once it was.
    pub measured: Option<Measured>,
}

/// What the file holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Variants {
    version: u32,
    /// Where the level came from, for people who look into the file.
    pub of: String,
    /// The variants, oldest first.
    pub variants: Vec<Variant>,
}

impl Default for Variants {
    fn default() -> Variants {
        Variants { version: VERSION, of: String::new(), variants: Vec::new() }
    }
}

/// The file for the level that came from here.
fn file(folder: &Path, of: &str) -> PathBuf {
    folder.join(format!("{:032x}.ron", xxh3_128(of.as_bytes())))
}

impl Variants {
    /// Reads the variants of the level that came from here; what the user should know.
    pub fn read(folder: &Path, of: &str) -> (Vec<Variant>, Option<String>) {
        let path = file(folder, of);
        match read_stored::<Variants>(&path, VERSION) {
            Stored::Good(mut found) => {
                found.variants.truncate(MOST);
                (found.variants, None)
            }
            Stored::Absent => (Vec::new(), None),
            Stored::Damaged(why) => {
                (Vec::new(), Some(format!("the variants in {} could not be read ({why})", path.display())))
            }
            Stored::Newer(_) => (Vec::new(), Some(format!("{} was written by a newer Tilewright", path.display()))),
            Stored::Unreadable(error) => (Vec::new(), Some(error.to_string())),
        }
    }

    /// Writes them; what the user should know.
    pub fn write(folder: &Path, of: &str, variants: &[Variant]) -> Result<Option<String>, String> {
        make_folder(folder).map_err(|t| t.to_string())?;
        let path = file(folder, of);
        let (_, message) = change_stored::<Variants>(&path, VERSION, |v| {
            v.of = of.into();
            v.variants = variants.iter().take(MOST).cloned().collect();
        })?;
        make_room(folder, &path);
        Ok(message)
    }
}

/// Moves the variants of a level file that was moved.
pub(super) fn follow(folder: &Path, from: &Path, to: &Path) {
    let (Some(old), Some(new)) = (LevelId::file(from).filed_under(), LevelId::file(to).filed_under()) else { return };
    // Those of a file that was there before are of no file any more.
    let _ = std::fs::remove_file(file(folder, &new));
    let _ = std::fs::rename(file(folder, &old), file(folder, &new));
}

/// Removes the files that were written longest ago when there are too many.
fn make_room(folder: &Path, newest: &Path) {
    let names = file_names(folder).unwrap_or_default();
    let mut files: Vec<_> = names
        .into_iter()
        .filter(|n| n.ends_with(".ron") && !n.contains("damaged"))
        .map(|n| folder.join(n))
        .filter(|p| p != newest)
        .filter_map(|p| Some((p.metadata().ok()?.modified().ok()?, p)))
        .collect();
    files.sort();
    for (_, path) in files.iter().take((files.len() + 1).saturating_sub(MOST_FILES)) {
        // What cannot be removed stays: it does no harm.
        let _ = std::fs::remove_file(path);
        let _ = std::fs::remove_file(path.with_extension("lock"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_kept_by_where_their_level_came_from() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("variants");
        let one = Variant { name: "a".into(), text: "x".into(), measured: None };
        assert_eq!(Variants::write(&folder, "here", &vec![one.clone(); MOST + 5]), Ok(None));
        assert_eq!(Variants::read(&folder, "here").0.len(), MOST);
        assert_eq!(Variants::read(&folder, "there"), (Vec::new(), None));
        std::fs::write(file(&folder, "here"), "(version: 1, variants: [(").unwrap();
        assert!(Variants::read(&folder, "here").1.is_some());
        assert!(Variants::write(&folder, "here", &[one]).unwrap().is_some_and(|m| m.contains("damaged")));
    }
}
