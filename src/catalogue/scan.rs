//! Which files there are: a shelf for each folder. Only folders and stamps are looked at here; the files are read later, a few at a time.

use super::Stamp;
use crate::{
    disk::{self, FileError, LevelId, last_part},
    formats::pack,
    games,
};
use std::{
    fs,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

/// What a shelf is.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The shipped levels of a game.
    Shipped(&'static str),
    /// One of the user's folders.
    Own(PathBuf),
    /// An opened collection: a file, a pack or a folder, and where below it.
    Collection(PathBuf, PathBuf),
    /// The bin.
    Bin,
}

/// One file (or shipped level) on a shelf.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Found {
    pub key: LevelId,
    pub stamp: Stamp,
}

/// A shelf as it was found.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Shelf {
    pub kind: Kind,
    pub title: String,
    pub found: Vec<Found>,
    /// Something to say about it: gone, damaged.
    pub note: Option<String>,
}

impl Shelf {
    fn new(kind: Kind, title: impl Into<String>) -> Shelf {
        Shelf { kind, title: title.into(), found: Vec::new(), note: None }
    }
}

/// How many files of the bin are listed.
const MOST_FILES: usize = 100_000;

/// A file's stamp; `None` if there is no such file.
pub(super) fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let since = meta.modified().ok().and_then(|m| m.duration_since(UNIX_EPOCH).ok());
    let modified = since.map_or(0, |d| u64::try_from(d.as_nanos()).unwrap_or(u64::MAX));
    Some(Stamp { modified, size: meta.len() })
}

/// The shipped packs.
pub(super) fn shipped() -> Vec<Shelf> {
    let with_levels = games::offered().iter().filter(|g| !g.info().levels.is_empty());
    with_levels
        .map(|g| {
            let info = g.info();
            let levels = 0..info.levels.len();
            let found = levels.map(|i| Found { key: LevelId::Shipped(info.id, i), stamp: Stamp::default() });
            Shelf { found: found.collect(), ..Shelf::new(Kind::Shipped(info.id), info.name) }
        })
        .collect()
}

/// One's own folder and all below it. A folder that is not there yet is an empty one.
pub(super) fn own(root: &Path) -> Vec<Shelf> {
    shelves(root, "My levels", &|folder| Kind::Own(folder.into()))
}

/// An opened collection.
pub(super) fn collection(path: &Path) -> Vec<Shelf> {
    let kind = |folder: &Path| Kind::Collection(path.into(), folder.into());
    if path.is_dir() {
        let mut shelves = shelves(path, &last_part(path), &kind);
        if let [only] = &mut shelves[..]
            && only.found.is_empty()
        {
            only.note.get_or_insert_with(|| "there is no level in this folder".into());
        }
        return shelves;
    }
    let mut shelf = Shelf::new(kind(path), last_part(path));
    match stamp(path) {
        None => shelf.note = Some("no longer there".into()),
        Some(stamp) => match path.file_name().is_some_and(|n| n == pack::FILE_NAME).then(|| disk::read_pack(path)) {
            Some(Ok(Some(pack))) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                shelf.title = pack.title;
                shelf.found = pack.levels.iter().map(|n| member(disk::below(folder, n))).collect();
            }
            Some(Err(error)) => shelf.note = Some(note(&error)),
            _ => shelf.found.push(Found { key: LevelId::File(path.into()), stamp }),
        },
    }
    vec![shelf]
}

/// A shelf for each folder; the first is the root's, whether there is something in it or not.
fn shelves(root: &Path, title: &str, kind: &dyn Fn(&Path) -> Kind) -> Vec<Shelf> {
    let shelf = |folder: disk::Folder| {
        let below = folder.path.strip_prefix(root).unwrap_or(&folder.path).display().to_string();
        let pack = folder.pack.map(|p| p.title).filter(|t| !t.is_empty());
        let title = pack.unwrap_or_else(|| if below.is_empty() { title.into() } else { below });
        let found = folder.listed.into_iter().chain(folder.files).map(member).collect();
        Shelf { kind: kind(&folder.path), title, found, note: folder.fault.as_ref().map(note) }
    };
    let mut shelves: Vec<_> = disk::walk(root).into_iter().map(shelf).collect();
    if shelves.first().is_none_or(|s| s.kind != kind(root)) {
        shelves.insert(0, Shelf::new(kind(root), title));
    }
    shelves
}

/// A fault of a file in a folder that is named already.
fn note(error: &FileError) -> String {
    format!("{}: {}", last_part(&error.path), error.fault)
}

/// What is in the bin, the last first: each file in a folder of its own.
pub(super) fn bin(folder: &Path) -> Shelf {
    let mut shelf = Shelf::new(Kind::Bin, "Bin");
    let mut names = disk::file_names(folder).unwrap_or_default();
    names.sort_by(|a, b| b.cmp(a));
    for item in names.iter().take(MOST_FILES) {
        let item = folder.join(item);
        let mut files = disk::file_names(&item).unwrap_or_default();
        files.retain(|n| n != super::operations::BIN_NOTE && !n.starts_with('.'));
        shelf.found.extend(files.into_iter().take(1).map(|n| member(item.join(n))));
    }
    shelf
}

fn member(path: PathBuf) -> Found {
    Found { stamp: stamp(&path).unwrap_or_default(), key: LevelId::File(path) }
}
