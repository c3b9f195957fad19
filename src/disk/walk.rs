//! The one way through a folder of levels, for the library, for the command palette and for commands.
//!
//! A `pack.ron` gives its folder a title and the order of the files that it lists. Other level files of the folder follow by name, so that a file put there
//! by hand is never hidden, and then the folders below it in the same way.

use super::{
    FileError, below,
    names::{NOT_FOLLOWED, linked_folder, same_file},
    read_bytes,
};
use crate::{
    export,
    formats::{
        self,
        pack::{self, Pack},
    },
    games,
};
use std::{
    cmp::Ordering,
    collections::{HashMap, HashSet},
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

/// How deep and how far a folder is looked through.
const DEEPEST: usize = 8;
const MOST_FILES: usize = 100_000;

/// A folder and the level files in it.
pub struct Folder {
    /// Which.
    pub path: PathBuf,
    /// Its pack.
    pub pack: Option<Pack>,
    /// The files that the pack lists, whether they are there or not, without those that a pack above lists.
    pub listed: Vec<PathBuf>,
    /// The other files.
    pub files: Vec<PathBuf>,
    /// What could not be read.
    pub fault: Option<FileError>,
}

/// A folder and those below it that have levels in them. A folder that is not there is an empty one.
pub fn walk(root: &Path) -> Vec<Folder> {
    let mut walk = Walk { endings: endings(), taken: HashMap::new(), count: 0, found: Vec::new() };
    walk.folder(root, DEEPEST);
    walk.found
}

/// A pack file; `None` if there is none.
pub fn read_pack(path: &Path) -> Result<Option<Pack>, FileError> {
    if !path.is_file() {
        return Ok(None);
    }
    let bytes = read_bytes(path)?;
    let pack = formats::text(&bytes).and_then(|t| pack::read(&t));
    pack.map(Some).map_err(|fault| FileError { path: path.into(), fault })
}

/// The endings of files that may hold levels.
fn endings() -> HashSet<&'static str> {
    let exported = export::ALL.iter().filter(|e| e.reads).flat_map(|e| e.extensions);
    let formats = games::all().into_iter().flat_map(|g| g.formats()).flat_map(|f| f.extensions);
    formats.chain(exported).copied().chain(["ron"]).collect()
}

struct Walk {
    endings: HashSet<&'static str>,
    /// Files that a pack lists, by their paths in lower case.
    taken: HashMap<String, Vec<PathBuf>>,
    count: usize,
    found: Vec<Folder>,
}

impl Walk {
    fn folder(&mut self, path: &Path, depth: usize) {
        let (pack, mut fault) = match read_pack(&path.join(pack::FILE_NAME)) {
            Ok(pack) => (pack, None),
            Err(error) => (None, Some(error)),
        };
        let mut listed: Vec<_> = pack.iter().flat_map(|p| &p.levels).map(|name| below(path, name)).collect();
        listed.retain(|file| match linked_folder(path, file) {
            Some(link) => {
                fault.get_or_insert_with(|| FileError::new(&link, NOT_FOLLOWED));
                false
            }
            None => self.take(file),
        });
        // Where case is ignored, the pack may be spelt otherwise.
        let is_pack = |name: &OsStr| {
            name == pack::FILE_NAME
                || (pack.is_some()
                    && name.eq_ignore_ascii_case(pack::FILE_NAME)
                    && same_file(&path.join(name), &path.join(pack::FILE_NAME)))
        };
        let (mut files, mut folders) = (Vec::new(), Vec::new());
        let entries = fs::read_dir(path).map_err(|e| {
            let missing = e.kind() == std::io::ErrorKind::NotFound;
            fault = (!missing).then(|| FileError::io(path, "the folder cannot be read", &e));
        });
        for entry in entries.into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let Ok(kind) = entry.file_type() else { continue };
            // Links are followed to files but not to folders, which could lead in a circle.
            if name.to_string_lossy().starts_with('.') || (kind.is_symlink() && path.is_dir()) {
            } else if kind.is_dir() {
                folders.push(path);
            } else if !is_pack(&name) && self.may_be_level(&path) && !self.is_taken(&path) {
                files.push(path);
            }
        }
        let room = MOST_FILES.saturating_sub(self.count + listed.len());
        if files.len() > room {
            let text = format!("there are more than {MOST_FILES} files: the rest is not listed");
            fault = Some(FileError::new(path, text));
        }
        let mut files = in_order(files);
        files.truncate(room);
        self.count += listed.len() + files.len();
        if !files.is_empty() || pack.is_some() || fault.is_some() {
            self.found.push(Folder { path: path.into(), pack, listed, files, fault });
        }
        for below in in_order(folders) {
            if depth > 0 && self.count < MOST_FILES {
                self.folder(&below, depth - 1);
            }
        }
    }

    /// Notes that a pack lists a file; false if another one did before.
    fn take(&mut self, file: &Path) -> bool {
        let known = self.taken.entry(lower(file)).or_default();
        let new = !known.iter().any(|k| same_file(k, file));
        if new {
            known.push(file.into());
        }
        new
    }

    /// Whether a pack lists a file, under this spelling or another one of the same file.
    fn is_taken(&self, file: &Path) -> bool {
        self.taken.get(&lower(file)).is_some_and(|known| known.iter().any(|k| same_file(k, file)))
    }

    fn may_be_level(&self, path: &Path) -> bool {
        let ending = path.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
        ending.is_some_and(|e| self.endings.contains(e.as_str()))
    }
}

fn lower(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
}

/// By name as people sort; where that says nothing, so that the order is the same every time.
fn in_order(paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let stem = |p: &PathBuf| p.file_stem().map(|s| s.to_string_lossy().to_lowercase()).unwrap_or_default();
    let mut named: Vec<_> = paths.into_iter().map(|p| (stem(&p), p)).collect();
    named.sort_by(|a, b| natural(&a.0, &b.0).then_with(|| a.1.cmp(&b.1)));
    named.into_iter().map(|(_, p)| p).collect()
}

/// As people sort: "level 9" before "level 10".
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.chars().peekable(), b.chars().peekable());
    let number = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>| {
        let mut n = 0_u64;
        while let Some(d) = chars.peek().and_then(|c| c.to_digit(10)) {
            n = n.saturating_mul(10).saturating_add(u64::from(d));
            chars.next();
        }
        n
    };
    loop {
        match (a.peek().copied(), b.peek().copied()) {
            (None, None) => return Ordering::Equal,
            (None, _) => return Ordering::Less,
            (_, None) => return Ordering::Greater,
            (Some(x), Some(y)) if x.is_ascii_digit() && y.is_ascii_digit() => {
                match number(&mut a).cmp(&number(&mut b)) {
                    Ordering::Equal => {}
                    other => return other,
                }
            }
            (Some(x), Some(y)) => {
                if x != y {
                    return x.cmp(&y);
                }
                a.next();
                b.next();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_sort_as_numbers() {
        let mut names = ["level 10", "level 9", "a", "level 9 b", "level 010"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["a", "level 9", "level 9 b", "level 10", "level 010"]);
    }
}
