//! Which files there are. Only folders and stamps are looked at here; the files are read later, a few at a time.
//!
//! A folder is a shelf. If it has a `pack.ron`, that gives its title and the order of the files it lists; other level files of the folder follow by name,
//! so that a file put there by hand is never hidden. Folders below it are shelves of their own.

use super::{Key, Stamp, query::natural};
use crate::{
    disk,
    formats::{self, pack},
    games,
};
use std::{
    collections::HashSet,
    fs,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

/// What a shelf is.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// The shipped levels of a game.
    Shipped(&'static str),
    /// A folder of one's own.
    Own(PathBuf),
    /// An opened collection: a file, a pack or a folder, and where below it.
    Collection(PathBuf, PathBuf),
    /// The bin.
    Bin,
}

/// One file (or shipped level) on a shelf.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Found {
    pub key: Key,
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

/// How deep and how far a folder is looked through.
const DEEPEST: usize = 8;
const MOST_FILES: usize = 100_000;

/// A file's stamp; `None` if there is no such file.
pub(super) fn stamp(path: &Path) -> Option<Stamp> {
    let meta = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let since = meta.modified().ok().and_then(|m| m.duration_since(UNIX_EPOCH).ok());
    let modified = since.map_or(0, |d| u64::try_from(d.as_nanos()).unwrap_or(u64::MAX));
    Some(Stamp { modified, size: meta.len() })
}

/// The last part of a path.
pub(super) fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
}

/// The shipped packs.
pub(super) fn shipped() -> Vec<Shelf> {
    let with_levels = games::offered().iter().filter(|g| !g.info().levels.is_empty());
    with_levels
        .map(|g| {
            let info = g.info();
            let levels = 0..info.levels.len();
            let found = levels.map(|i| Found { key: Key::Shipped(info.id, i), stamp: Stamp::default() });
            Shelf { found: found.collect(), ..Shelf::new(Kind::Shipped(info.id), info.name) }
        })
        .collect()
}

/// One's own folder and all below it. A folder that is not there yet is an empty one.
pub(super) fn own(root: &Path) -> Vec<Shelf> {
    let mut shelves = Vec::new();
    let mut walk = Walk::new(root, &|folder| Kind::Own(folder.into()));
    walk.folder(root, "My levels", DEEPEST, &mut shelves);
    if shelves.is_empty() {
        shelves.push(Shelf::new(Kind::Own(root.into()), "My levels"));
    }
    shelves
}

/// An opened collection.
pub(super) fn collection(path: &Path) -> Vec<Shelf> {
    let kind = |folder: &Path| Kind::Collection(path.into(), folder.into());
    if path.is_dir() {
        let mut shelves = Vec::new();
        Walk::new(path, &kind).folder(path, &name(path), DEEPEST, &mut shelves);
        if shelves.is_empty() {
            let note = Some("there is no level in this folder".into());
            shelves.push(Shelf { note, ..Shelf::new(kind(path), name(path)) });
        }
        return shelves;
    }
    let mut shelf = Shelf::new(kind(path), name(path));
    match stamp(path) {
        None => shelf.note = Some("this is no longer there".into()),
        Some(stamp) => match path.file_name().is_some_and(|n| n == pack::FILE_NAME).then(|| read_pack(path)) {
            Some(Ok(Some(pack))) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                shelf.title = pack.title;
                shelf.found = pack.levels.iter().map(|n| member(folder.join(n))).collect();
            }
            Some(Err(text)) => shelf.note = Some(text),
            _ => shelf.found.push(Found { key: Key::File(path.into()), stamp }),
        },
    }
    vec![shelf]
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
    Found { stamp: stamp(&path).unwrap_or_default(), key: Key::File(path) }
}

/// A pack file; `None` if there is none, a sentence if it is damaged.
pub(super) fn read_pack(path: &Path) -> Result<Option<pack::Pack>, String> {
    if !path.is_file() {
        return Ok(None);
    }
    let bytes = disk::read_bytes(path).map_err(|t| t.fault.to_string())?;
    let pack = formats::text(&bytes).and_then(pack::read).map_err(|f| format!("{}: {f}", pack::FILE_NAME))?;
    Ok(Some(pack))
}

/// By name as people sort; where that says nothing, so that the order is the same every time.
fn in_order(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let lower = |p: &PathBuf| p.file_stem().map(|s| s.to_string_lossy().to_lowercase()).unwrap_or_default();
    let mut named: Vec<_> = paths.into_iter().map(|p| (lower(&p), p)).collect();
    named.sort_by(|a, b| natural(&a.0, &b.0).then_with(|| a.1.cmp(&b.1)));
    named.into_iter().map(|(_, p)| p).collect()
}

struct Walk<'a> {
    kind: &'a dyn Fn(&Path) -> Kind,
    endings: Vec<&'static str>,
    /// Files that a pack above lists.
    taken: HashSet<PathBuf>,
    count: usize,
    root: PathBuf,
}

impl Walk<'_> {
    fn new<'a>(root: &Path, kind: &'a dyn Fn(&Path) -> Kind) -> Walk<'a> {
        let formats = games::all().into_iter().flat_map(|g| g.formats());
        let endings = formats.flat_map(|f| f.extensions).copied().chain(["ron"]).collect();
        Walk { kind, endings, taken: HashSet::new(), count: 0, root: root.into() }
    }

    fn folder(&mut self, folder: &Path, title: &str, depth: usize, shelves: &mut Vec<Shelf>) {
        let mut shelf = Shelf::new((self.kind)(folder), title);
        match read_pack(&folder.join(pack::FILE_NAME)) {
            Ok(Some(pack)) => {
                if !pack.title.is_empty() {
                    shelf.title = pack.title;
                }
                for path in pack.levels.iter().map(|n| folder.join(n)) {
                    if self.taken.insert(path.clone()) {
                        shelf.found.push(member(path));
                    }
                }
            }
            Ok(None) => {}
            Err(text) => shelf.note = Some(text),
        }
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        // A folder that does not exist yet is an empty one.
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            let Ok(kind) = entry.file_type() else { continue };
            // Links are followed to files but not to folders, which could lead in a circle.
            if hidden || (kind.is_symlink() && path.is_dir()) {
            } else if kind.is_dir() {
                folders.push(path);
            } else if self.is_level(&path) && !self.taken.contains(&path) {
                files.push(path);
            }
        }
        let (files, folders) = (in_order(files), in_order(folders));
        let room = MOST_FILES.saturating_sub(self.count);
        if files.len() > room {
            shelf.note = Some(format!("there are more than {MOST_FILES} files: the rest is not listed"));
        }
        shelf.found.extend(files.into_iter().take(room).map(member));
        self.count += shelf.found.len();
        let is_pack = folder.join(pack::FILE_NAME).is_file();
        if !shelf.found.is_empty() || shelf.note.is_some() || is_pack || folder == self.root {
            shelves.push(shelf);
        }
        for below in folders {
            if depth > 0 && self.count < MOST_FILES {
                let title = below.strip_prefix(&self.root).unwrap_or(&below).display().to_string();
                self.folder(&below, &title, depth - 1, shelves);
            }
        }
    }

    fn is_level(&self, path: &Path) -> bool {
        let ending = path.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
        ending.is_some_and(|e| self.endings.contains(&e.as_str()))
            && path.file_name().is_some_and(|n| n != pack::FILE_NAME)
    }
}
