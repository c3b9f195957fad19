//! Which level is meant: the same answer for open levels, the library, what was opened lately, variants and recovery.

use super::names::{is_native, without_prefix};
use crate::{document::Doc, games};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use std::{
    fs,
    path::{Component, Path, PathBuf},
};

/// A game's id.
type GameId = &'static str;

/// Identifies a level by where it came from. Paths are absolute.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum LevelId {
    /// Drawn here or pasted, and not saved yet: two of these are never the same level.
    New,
    /// A shipped level: game and index.
    Shipped(#[serde(deserialize_with = "game")] GameId, usize),
    /// A file that holds one level, or was not read yet.
    File(PathBuf),
    /// One of several levels of a file, counted from 0.
    Member(PathBuf, usize),
    /// Made by the generator: game, parameters and seed in words.
    Generated(String),
    /// A level of a game's campaign, counted from 1.
    Campaign(#[serde(deserialize_with = "game")] GameId, u32),
}

fn game<'de, D: Deserializer<'de>>(from: D) -> Result<GameId, D::Error> {
    let id = String::deserialize(from)?;
    games::by_id(&id).map(|g| g.info().id).ok_or_else(|| D::Error::custom(format!("there is no game \"{id}\"")))
}

impl LevelId {
    /// The level in this file, which is found from the current folder if the path is relative.
    pub fn file(path: &Path) -> LevelId {
        LevelId::File(absolute(path))
    }

    /// A level that a generator made.
    pub fn generated(doc: &dyn Doc) -> LevelId {
        let made = |o: &crate::game::Origin| format!("made {} {:?} {}", doc.game().info().id, o.params, o.seed);
        doc.origin().map_or(LevelId::New, |o| LevelId::Generated(made(o)))
    }

    /// The file that holds it.
    pub fn path(&self) -> Option<&Path> {
        match self {
            LevelId::File(path) | LevelId::Member(path, _) => Some(path),
            _ => None,
        }
    }

    /// The file that it is saved to: one in our own format that holds nothing else.
    pub fn own_file(&self) -> Option<&Path> {
        match self {
            LevelId::File(path) if is_native(path) => Some(path),
            _ => None,
        }
    }

    /// What its variants are filed under; a new level has none until it is saved.
    pub fn filed_under(&self) -> Option<String> {
        match self {
            LevelId::New => None,
            LevelId::Generated(made) => Some(made.clone()),
            LevelId::File(path) if is_native(path) => Some(path.display().to_string()),
            // Another program's file may hold more levels one day.
            LevelId::File(path) => Some(format!("{} level 0", path.display())),
            LevelId::Member(path, index) => Some(format!("{} level {index}", path.display())),
            LevelId::Shipped(..) | LevelId::Campaign(..) => Some(format!("{self:?}")),
        }
    }
}

/// A path that means the same file whatever the current folder is.
pub fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    if !path.components().any(|c| c == Component::ParentDir) {
        return path;
    }
    // What `..` leads out of may be a link, so the file system resolves it.
    let folder = path.parent().and_then(|p| fs::canonicalize(p).ok()).map(without_prefix);
    folder.zip(path.file_name()).map_or_else(|| path.clone(), |(folder, name)| folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_one_level_however_it_is_named() {
        let here = std::env::current_dir().unwrap();
        let expected = LevelId::File(here.join("Cargo.toml"));
        for name in ["Cargo.toml", "./Cargo.toml", "src/../Cargo.toml"] {
            assert_eq!(LevelId::file(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn an_id_is_read_as_it_was_written() {
        let all = [
            LevelId::New,
            LevelId::Shipped("cats", 2),
            LevelId::File("/a.ron".into()),
            LevelId::Member("/b.xsb".into(), 3),
            LevelId::Generated("made".into()),
            LevelId::Campaign("match", 4),
        ];
        for id in all {
            assert_eq!(ron::from_str(&ron::to_string(&id).unwrap()), Ok(id));
        }
        assert!(ron::from_str::<LevelId>("Shipped(\"no such game\", 1)").is_err());
    }
}
