//! Stamps: named pieces of board, kept for use in any level of their game. One small file for all of them.

use crate::disk::versioned::{Stored, change_stored, read_stored};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The version written, and the newest one read.
const VERSION: u32 = 1;

/// Limits on the number of stamps of a game and on the length of one: the palette shows them all.
const MOST: usize = 60;
const LONGEST: usize = 256 << 10;

/// A piece of board. Its name is its own within its game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stamp {
    /// The game's id.
    pub game: String,
    /// Its name.
    pub name: String,
    /// The board as a native text.
    pub text: String,
}

/// What the file holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Stamps {
    version: u32,
    /// All stamps, oldest first.
    pub stamps: Vec<Stamp>,
}

impl Default for Stamps {
    fn default() -> Stamps {
        Stamps { version: VERSION, stamps: Vec::new() }
    }
}

/// A change of the stamps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// One more. A name that is taken gets a number.
    Add(Stamp),
    /// One less: game and name.
    Remove(String, String),
    /// Another name: game, old name, new name.
    Rename(String, String, String),
}

impl Stamps {
    /// The stamps of a game.
    pub fn of<'a>(&'a self, game: &'a str) -> impl Iterator<Item = &'a Stamp> {
        self.stamps.iter().filter(move |s| s.game == game)
    }

    fn free(&self, game: &str, name: &str) -> String {
        let name = name.trim();
        let name = if name.is_empty() { "stamp" } else { name };
        let taken = |n: &str| self.of(game).any(|s| s.name == n);
        let numbered = (2..).map(|i| format!("{name} {i}"));
        std::iter::once(name.to_string()).chain(numbered).find(|n| !taken(n)).unwrap_or_default()
    }

    /// Makes a change; a sentence if it cannot be made.
    pub fn change(&mut self, change: &Change) -> Result<(), String> {
        match change {
            Change::Add(stamp) => {
                if self.of(&stamp.game).count() >= MOST {
                    return Err(format!("there are {MOST} stamps already: delete one first"));
                }
                if stamp.text.len() > LONGEST {
                    return Err("this piece is too large for a stamp".into());
                }
                let name = self.free(&stamp.game, &stamp.name);
                self.stamps.push(Stamp { name, ..stamp.clone() });
            }
            Change::Remove(game, name) => self.stamps.retain(|s| s.game != *game || s.name != *name),
            Change::Rename(game, old, new) => {
                if let Some(i) = self.stamps.iter().position(|s| s.game == *game && s.name == *old) {
                    // Its own old name is free for it.
                    let mut stamp = self.stamps.remove(i);
                    stamp.name = self.free(game, new);
                    self.stamps.insert(i, stamp);
                }
            }
        }
        Ok(())
    }

    /// Reads the file, which need not be there; what the user should know about it. A damaged file is set aside when the first change is written.
    pub fn read(path: &Path) -> (Stamps, Option<String>) {
        match read_stored::<Stamps>(path, VERSION) {
            Stored::Good(stamps) => (stamps, None),
            Stored::Absent => (Stamps::default(), None),
            Stored::Damaged(why) => {
                (Stamps::default(), Some(format!("the stamps in {} could not be read ({why})", path.display())))
            }
            Stored::Newer(v) => (
                Stamps::default(),
                Some(format!("the stamps in {} are of a newer Tilewright (version {v})", path.display())),
            ),
            Stored::Unreadable(error) => (Stamps::default(), Some(error.to_string())),
        }
    }

    /// Makes a change in the file; what the user should know.
    pub fn write(path: &Path, change: &Change) -> Result<Option<String>, String> {
        let mut refused = None;
        let (_, message) = change_stored::<Stamps>(path, VERSION, |s| refused = s.change(change).err())?;
        Ok(refused.or(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(name: &str) -> Stamp {
        Stamp { game: "null".into(), name: name.into(), text: "x".into() }
    }

    #[test]
    fn names_stay_apart_and_changes_of_two_copies_both_last() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("stamps.ron");
        for name in ["nook", "nook", ""] {
            assert_eq!(Stamps::write(&path, &Change::Add(stamp(name))), Ok(None));
        }
        // A stamp keeps its name when another asks for it.
        let rename = Change::Rename("null".into(), "nook 2".into(), "nook".into());
        Stamps::write(&path, &rename).unwrap();
        Stamps::write(&path, &Change::Remove("null".into(), "nook".into())).unwrap();
        let (stamps, message) = Stamps::read(&path);
        assert_eq!(message, None);
        assert_eq!(stamps.of("null").map(|s| s.name.as_str()).collect::<Vec<_>>(), ["nook 2", "stamp"]);
        assert_eq!(stamps.of("cats").count(), 0);
    }

    #[test]
    fn a_damaged_file_is_named_and_set_aside_and_a_newer_one_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("stamps.ron");
        std::fs::write(&path, "(version: 1, stamps: [").unwrap();
        assert!(Stamps::read(&path).1.is_some_and(|m| m.contains("could not be read")));
        let told = Stamps::write(&path, &Change::Add(stamp("a"))).unwrap();
        assert!(told.is_some_and(|m| m.contains("stamps.damaged.ron")));
        assert!(dir.path().join("stamps.damaged.ron").exists());
        assert_eq!(Stamps::read(&path).0.stamps.len(), 1);
        std::fs::write(&path, "(version: 9)").unwrap();
        assert!(Stamps::write(&path, &Change::Add(stamp("a"))).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "(version: 9)");
    }

    #[test]
    fn there_is_an_end_to_them() {
        let mut stamps = Stamps::default();
        for _ in 0..MOST {
            stamps.change(&Change::Add(stamp("a"))).unwrap();
        }
        assert!(stamps.change(&Change::Add(stamp("a"))).is_err());
        assert!(Stamps::default().change(&Change::Add(Stamp { text: "x".repeat(LONGEST + 1), ..stamp("a") })).is_err());
    }
}
