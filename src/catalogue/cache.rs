//! What was read and rated before, kept in the user's cache so that a large library opens at once.
//!
//! Two files of lines, each line JSON: what was read from files, valid while a file's stamp is; and ratings by what the level is, valid while the
//! program's version is. Nothing here is trusted more than it must be and nothing is ever an error: a line that cannot be read is dropped, a file of
//! another version is written again.

use super::{Facts, Rated, Stamp};
use crate::{analysis::rate, disk, document::Digest};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::{
    io::{BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
};

/// What was read from a file: its levels, or why not.
pub(super) type Read = Result<Vec<Arc<Facts>>, String>;

/// Nothing larger is read.
const LARGEST: u64 = 256 << 20;
/// Nor are more ratings kept.
const MOST_RATINGS: usize = 200_000;

#[derive(Serialize, Deserialize, PartialEq)]
struct Head {
    tilewright: String,
    #[serde(default)]
    nodes: u64,
    #[serde(default)]
    tables: bool,
}

/// Counts up where what is read from a file, or how a level is rated, changes within a version.
fn head(tables: bool) -> Head {
    Head { tilewright: concat!(env!("CARGO_PKG_VERSION"), " 2").into(), nodes: rate::NODES, tables }
}

#[derive(Serialize, Deserialize)]
struct Line {
    path: PathBuf,
    modified: u64,
    size: u64,
    read: Result<Vec<Facts>, String>,
}

#[derive(Serialize, Deserialize)]
struct RatingLine {
    level: Digest,
    rated: Rated,
}

fn lines<T: for<'a> Deserialize<'a>>(path: &Path, head: &Head) -> Vec<T> {
    let Ok(file) = disk::open_file(path) else { return Vec::new() };
    let mut lines = BufReader::new(file.take(LARGEST)).split(b'\n').map_while(Result::ok);
    let first = lines.next().and_then(|l| serde_json::from_slice::<Head>(&l).ok());
    if first.as_ref() != Some(head) {
        return Vec::new();
    }
    lines.filter_map(|l| serde_json::from_slice(&l).ok()).collect()
}

fn write(path: &Path, head: &Head, lines: impl Iterator<Item = impl Serialize>) {
    let mut text = serde_json::to_vec(head).unwrap_or_default();
    text.push(b'\n');
    for line in lines {
        if serde_json::to_writer(&mut text, &line).is_ok() {
            text.push(b'\n');
        }
    }
    // A cache that cannot be written does no harm: everything is read again next time.
    if let Some(folder) = path.parent() {
        let _ = disk::make_folder(folder);
    }
    let _ = disk::write_atomic(path, &text);
}

fn facts_file(folder: &Path) -> PathBuf {
    folder.join("library.jsonl")
}

fn ratings_file(folder: &Path) -> PathBuf {
    folder.join("ratings.jsonl")
}

/// What was read before.
pub(super) fn load_facts(folder: &Path) -> FxHashMap<PathBuf, (Stamp, Read)> {
    let lines: Vec<Line> = lines(&facts_file(folder), &head(false));
    let known = lines.into_iter().map(|l| {
        let read = l.read.map(|levels| levels.into_iter().map(Arc::new).collect());
        (l.path, (Stamp { modified: l.modified, size: l.size }, read))
    });
    known.collect()
}

/// Keeps what was read.
pub(super) fn save_facts<'a>(folder: &Path, files: impl Iterator<Item = (&'a PathBuf, &'a (Stamp, Read))>) {
    let lines = files.map(|(path, (stamp, read))| Line {
        path: path.clone(),
        modified: stamp.modified,
        size: stamp.size,
        read: read.clone().map(|levels| levels.iter().map(|f| (**f).clone()).collect()),
    });
    write(&facts_file(folder), &head(false), lines);
}

/// Ratings made before, with or without a game's tables.
pub(super) fn load_ratings(folder: &Path, tables: bool) -> FxHashMap<Digest, Rated> {
    let lines: Vec<RatingLine> = lines(&ratings_file(folder), &head(tables));
    let known = lines.into_iter().map(|l| (l.level, l.rated));
    known.take(MOST_RATINGS).collect()
}

/// Keeps them.
pub(super) fn save_ratings(folder: &Path, tables: bool, ratings: &FxHashMap<Digest, Rated>) {
    let lines = ratings.iter().map(|(level, rated)| RatingLine { level: *level, rated: *rated });
    write(&ratings_file(folder), &head(tables), lines);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_the_place_of_a_cache_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let made = std::process::Command::new("mkfifo").arg(ratings_file(dir.path())).status();
        if !made.is_ok_and(|s| s.success()) {
            println!("skipped: no mkfifo here");
            return;
        }
        assert!(load_ratings(dir.path(), false).is_empty());
    }

    #[test]
    fn a_damaged_cache_is_an_empty_one() {
        let dir = tempfile::tempdir().unwrap();
        let rated = Rated { difficulty: Some(12.5), at_least: false, par: Some((3, true)), unsolvable: false };
        let ratings = FxHashMap::from_iter([(Digest(7), rated), (Digest(8), rated)]);
        save_ratings(dir.path(), false, &ratings);
        assert_eq!(load_ratings(dir.path(), false), ratings);
        assert!(load_ratings(dir.path(), true).is_empty(), "made without tables");
        let file = ratings_file(dir.path());
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, &text[..text.len() - 10]).unwrap();
        assert_eq!(load_ratings(dir.path(), false).len(), 1, "a torn line is dropped");
        std::fs::write(&file, [0xff, 0xfe, b'\n', 1, 2]).unwrap();
        assert!(load_ratings(dir.path(), false).is_empty());
        assert!(load_facts(dir.path()).is_empty());
    }
}
