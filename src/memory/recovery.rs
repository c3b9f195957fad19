//! Copies of unsaved drafts, so that a crash or a power cut costs a few seconds of work and no more.
//!
//! Every running copy of the program has a folder of its own below `recovery`, with a lock that it holds while it runs, and in it one file for each
//! unsaved draft. A program that ends properly takes its folder away. At the next start the folders whose lock nobody holds are those of programs that
//! died: what is in them is offered. The folder of a running copy is never touched.

use super::{date, records::now};
use crate::disk::{
    self, FileError, LevelId, Lock, file_names, free_name, make_folder,
    versioned::{Stored, read_stored},
    write_atomic,
};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

const VERSION: u32 = 1;
const LOCK: &str = "session.lock";
/// The levels that were open. Not called `.ron`: version 1 would take it for a draft.
const OPEN: &str = "open.txt";
/// A folder younger than this may not be locked yet by the program that made it.
const NEWBORN: Duration = Duration::from_secs(5);
/// More than these are not offered at once.
const MOST: usize = 200;

/// A draft as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    version: u32,
    /// What it is called.
    pub title: String,
    /// The file it belongs to, if it has one.
    pub from: Option<PathBuf>,
    /// When it was kept, in seconds since 1970.
    pub at: u64,
    /// The level as a native file.
    pub text: String,
}

impl Draft {
    /// A draft as it is now.
    pub fn new(title: String, from: Option<PathBuf>, text: String) -> Draft {
        Draft { version: VERSION, title, from, at: now(), text }
    }
}

/// The folder of this running copy.
#[derive(Debug)]
pub struct Session {
    folder: PathBuf,
    _lock: Lock,
}

impl Session {
    /// Makes a folder below `root` and takes its lock.
    pub fn begin(root: &Path) -> Result<Session, FileError> {
        let folder = free_name(&root.join(format!("{}-{}", date(now()), std::process::id())));
        make_folder(&folder)?;
        match Lock::try_take(&folder.join(LOCK))? {
            Some(lock) => Ok(Session { folder, _lock: lock }),
            None => Err(FileError::new(&folder, "another running copy of the program uses this folder")),
        }
    }

    fn file(&self, id: u64) -> PathBuf {
        self.folder.join(format!("{id}.ron"))
    }

    /// Keeps a draft, in place of the older one with this number.
    pub fn write(&self, id: u64, draft: &Draft) -> Result<(), FileError> {
        let text = ron::ser::to_string_pretty(draft, ron::ser::PrettyConfig::new().new_line("\n"));
        write_atomic(&self.file(id), text.map_err(|e| FileError::new(&self.folder, e.to_string()))?.as_bytes())
    }

    /// Writes down which levels are open.
    pub fn write_open(&self, levels: &[LevelId]) -> Result<(), FileError> {
        let text = ron::to_string(levels).map_err(|e| FileError::new(&self.folder, e.to_string()))?;
        write_atomic(&self.folder.join(OPEN), text.as_bytes())
    }

    /// Forgets a draft: it was saved, or is no longer wanted.
    pub fn remove(&self, id: u64) {
        // What is not there needs no removing, and what cannot be removed is offered once too often.
        let _ = fs::remove_file(self.file(id));
    }

    /// Takes everything away: nothing is unsaved any more.
    pub fn end(self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A draft left by a program that did not end properly.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Left {
    /// Its file.
    pub file: PathBuf,
    /// What is in it.
    pub draft: Draft,
}

/// What was found at the start.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// Drafts, the latest first.
    pub drafts: Vec<Left>,
    /// The levels that were open; returned once.
    pub open: Vec<LevelId>,
    /// Files that cannot be read, with the reason. They stay where they are.
    pub errors: Vec<FileError>,
}

/// Looks for what crashed programs left below `root`, and removes their empty folders and the drafts that were saved after all.
pub fn left_behind(root: &Path) -> Found {
    let mut found = Found::default();
    let Ok(names) = file_names(root) else { return found };
    for folder in names.iter().map(|n| root.join(n)).filter(|p| p.is_dir()) {
        // Held while we look, so that two programs starting at once do not both tidy up.
        let Some(_lock) = abandoned(&folder) else { continue };
        let open = disk::read_bytes(&folder.join(OPEN)).ok();
        let open: Option<Vec<LevelId>> = open.and_then(|bytes| ron::de::from_bytes(&bytes).ok());
        found.open.extend(open.unwrap_or_default().into_iter().take(MOST));
        let _ = fs::remove_file(folder.join(OPEN));
        let mut empty = true;
        for name in file_names(&folder).unwrap_or_default().iter().filter(|n| n.ends_with(".ron")) {
            let file = folder.join(name);
            match read_stored::<Draft>(&file, VERSION) {
                Stored::Good(draft) if saved_after_all(&draft) => drop(fs::remove_file(&file)),
                Stored::Good(draft) => {
                    empty = false;
                    found.drafts.push(Left { file, draft });
                }
                Stored::Damaged(why) => {
                    empty = false;
                    found.errors.push(FileError::new(&file, format!("this recovery copy cannot be read: {why}")));
                }
                Stored::Newer(_) | Stored::Unreadable(_) => empty = false,
                Stored::Absent => {}
            }
        }
        if empty {
            let _ = fs::remove_dir_all(&folder);
        }
    }
    found.drafts.sort_by(|a, b| b.draft.at.cmp(&a.draft.at).then(a.file.cmp(&b.file)));
    found.drafts.truncate(MOST);
    found
}

/// The lock of a folder whose program no longer runs.
fn abandoned(folder: &Path) -> Option<Lock> {
    let age = fs::metadata(folder).and_then(|m| m.modified()).map(|t| t.elapsed().unwrap_or_default());
    let lock = Lock::try_take(&folder.join(LOCK)).ok()??;
    let file_there = file_names(folder).is_ok_and(|names| names.iter().any(|n| n.ends_with(".ron")));
    // A folder with a draft in it was locked before that was written; an empty one may be about to be.
    (file_there || age.is_ok_and(|a| a >= NEWBORN)).then_some(lock)
}

fn saved_after_all(draft: &Draft) -> bool {
    let file = draft.from.as_ref().and_then(|p| disk::read_bytes(p).ok());
    file.is_some_and(|bytes| bytes == draft.text.as_bytes())
}

/// Takes a draft away for good, and its folder with the last one.
pub fn discard(file: &Path) {
    let _ = fs::remove_file(file);
    let Some(folder) = file.parent() else { return };
    let more = file_names(folder).map(|names| names.iter().any(|n| n.ends_with(".ron")));
    if more.is_ok_and(|more| !more)
        && let Some(_lock) = dead_or_empty(folder)
    {
        let _ = fs::remove_dir_all(folder);
    }
}

fn dead_or_empty(folder: &Path) -> Option<Lock> {
    Lock::try_take(&folder.join(LOCK)).ok()?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(text: &str) -> Draft {
        Draft::new("A".into(), None, text.into())
    }

    #[test]
    fn drafts_of_the_dead_are_offered_and_those_of_the_living_are_not() {
        let root = tempfile::tempdir().unwrap();
        let dead = Session::begin(root.path()).unwrap();
        let alive = Session::begin(root.path()).unwrap();
        dead.write(1, &draft("one")).unwrap();
        dead.write(1, &draft("two")).unwrap();
        alive.write(1, &draft("three")).unwrap();
        dead.write_open(&[LevelId::Shipped("cats", 1), LevelId::File("/a.ron".into())]).unwrap();
        // What a killed program leaves: its files, without its lock.
        let folder = dead.folder.clone();
        drop(dead);
        let found = left_behind(root.path());
        assert_eq!(found.drafts.iter().map(|l| l.draft.text.as_str()).collect::<Vec<_>>(), ["two"]);
        fs::write(folder.join("2.ron"), "(version: 1,").unwrap();
        assert_eq!(found.open, [LevelId::Shipped("cats", 1), LevelId::File("/a.ron".into())]);
        let again = left_behind(root.path());
        assert_eq!(again.errors.len(), 1, "a damaged copy is named and stays");
        assert!(again.open.is_empty(), "what was open is told once");
        fs::remove_file(folder.join("2.ron")).unwrap();
        discard(&found.drafts[0].file);
        assert!(!folder.exists(), "the last draft takes its folder along");
        alive.end();
        assert_eq!(file_names(root.path()).unwrap().len(), 0);
    }

    #[test]
    fn a_draft_that_was_saved_before_the_end_is_not_offered() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("a.ron");
        fs::write(&file, "saved").unwrap();
        let session = Session::begin(&root.path().join("recovery")).unwrap();
        session.write(1, &Draft::new("A".into(), Some(file.clone()), "saved".into())).unwrap();
        session.write(2, &Draft::new("A".into(), Some(file), "changed".into())).unwrap();
        drop(session);
        let found = left_behind(&root.path().join("recovery"));
        assert_eq!(found.drafts.iter().map(|l| l.draft.text.as_str()).collect::<Vec<_>>(), ["changed"]);
    }
}
