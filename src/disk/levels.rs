//! Levels from files, collections, packs and folders.

use super::{FileError, read_bytes};
use crate::{
    document::Doc,
    export,
    formats::{self, native, pack},
    game::Fault,
    games,
    job::panic_text,
};
use std::{
    collections::VecDeque,
    fs,
    panic::catch_unwind,
    path::{Path, PathBuf},
};

/// One level and where it came from.
pub struct Loaded {
    /// The file as it was named: a level, a collection or a pack.
    pub file: PathBuf,
    /// Its number in that file, from 1.
    pub index: usize,
    /// The file that holds it: the same, or one that the pack lists.
    pub source: PathBuf,
    /// The level.
    pub doc: Box<dyn Doc>,
}

/// A file still to be read.
struct Waiting {
    file: PathBuf,
    source: PathBuf,
    /// Whether it is listed by a pack, whose count goes on.
    member: bool,
}

/// All levels of some files and folders, in order; each file is opened when its turn comes.
pub struct Levels {
    waiting: VecDeque<Waiting>,
    ready: std::vec::IntoIter<Box<dyn Doc>>,
    from: Waiting,
    count: usize,
}

impl Levels {
    /// The levels of these paths.
    pub fn new(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Levels {
        let waiting = paths.into_iter().map(Into::into).map(|p| Waiting { file: p.clone(), source: p, member: false });
        let from = Waiting { file: PathBuf::new(), source: PathBuf::new(), member: false };
        Levels { waiting: waiting.collect(), ready: Vec::new().into_iter(), from, count: 0 }
    }

    fn put_first(&mut self, files: Vec<Waiting>) {
        for file in files.into_iter().rev() {
            self.waiting.push_front(file);
        }
    }

    fn open(&mut self, next: Waiting) -> Result<(), FileError> {
        if next.source.is_dir() && !next.member {
            let files = folder_files(&next.source)?;
            if files.is_empty() {
                return Err(FileError::new(&next.source, "there is no level in this folder"));
            }
            self.put_first(files.into_iter().map(|p| Waiting { file: p.clone(), source: p, member: false }).collect());
            return Ok(());
        }
        let bytes = read_bytes(&next.source)?;
        let at = |fault| FileError { path: next.source.clone(), fault };
        if let Ok(text) = formats::text(&bytes)
            && pack::looks_pack(text)
            && !next.member
        {
            let pack = pack::read(text).map_err(at)?;
            if pack.levels.is_empty() {
                return Err(FileError::new(&next.source, "this pack lists no levels"));
            }
            let folder = next.source.parent().unwrap_or(Path::new(""));
            let member = |name: &String| Waiting { file: next.file.clone(), source: folder.join(name), member: true };
            self.put_first(pack.levels.iter().map(member).collect());
            self.count = 0;
            return Ok(());
        }
        // A reader must not panic; if one does all the same, it is this file's trouble and not the end of a batch.
        let read = catch_unwind(|| formats::read(&bytes))
            .unwrap_or_else(|p| Err(Fault::new(format!("internal error while reading: {}", panic_text(&*p)))));
        self.ready = read.map_err(at)?.into_iter();
        self.from = next;
        Ok(())
    }
}

impl Iterator for Levels {
    type Item = Result<Loaded, FileError>;

    fn next(&mut self) -> Option<Result<Loaded, FileError>> {
        loop {
            if let Some(doc) = self.ready.next() {
                self.count += 1;
                let (file, source) = (self.from.file.clone(), self.from.source.clone());
                return Some(Ok(Loaded { file, index: self.count, source, doc }));
            }
            let next = self.waiting.pop_front()?;
            if !next.member {
                self.count = 0;
            }
            let member = next.member;
            if let Err(trouble) = self.open(next) {
                // A file of a pack that cannot be read keeps its number, so that the others keep theirs.
                self.count += usize::from(member);
                return Some(Err(trouble));
            }
        }
    }
}

/// Reads all levels of a level file, a collection, a pack or a folder.
pub fn open_path(path: &Path) -> Result<Vec<Loaded>, FileError> {
    Levels::new([path]).collect()
}

/// How deep and how far a folder is looked through.
const DEEPEST: usize = 8;
const MOST_FILES: usize = 100_000;

/// The level files of a folder in the order of their names, folders below it included. Where there is a pack, it speaks for its folder.
fn folder_files(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let mut found = Vec::new();
    gather(folder, DEEPEST, &mut found)?;
    Ok(found)
}

fn gather(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), FileError> {
    let pack = folder.join(pack::FILE_NAME);
    if pack.is_file() {
        found.push(pack);
        return Ok(());
    }
    let entries = fs::read_dir(folder).map_err(|e| FileError::io(folder, "the folder cannot be read", &e))?;
    let mut paths = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| FileError::io(folder, "the folder cannot be read", &e))?;
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        let link = entry.file_type().is_ok_and(|t| t.is_symlink());
        // Links are followed to files but not to folders, which could lead in a circle.
        let circle = link && entry.path().is_dir();
        if !hidden && !circle {
            paths.push(entry.path());
        }
    }
    paths.sort();
    for path in paths {
        if path.is_dir() {
            if depth > 0 {
                gather(&path, depth - 1, found)?;
            }
        } else if is_level_file(&path) {
            found.push(path);
        }
        if found.len() > MOST_FILES {
            return Err(FileError::new(folder, format!("there are more than {MOST_FILES} files in this folder")));
        }
    }
    Ok(())
}

/// In a folder, every `.ron` file counts, and a file with another program's ending if its text looks like that program's. The rest of a
/// folder is none of our business.
fn is_level_file(path: &Path) -> bool {
    let Some(ending) = path.extension().and_then(|e| e.to_str()).map(str::to_lowercase) else { return false };
    if ending == "ron" {
        return true;
    }
    let known = games::all().iter().any(|g| g.formats().iter().any(|f| f.extensions.contains(&ending.as_str())));
    let exported = export::by_ending(&ending).is_some_and(|e| e.reads);
    (known || exported)
        && read_bytes(path).is_ok_and(|bytes| {
            formats::text(&bytes).is_ok_and(|t| {
                native::looks_native(t)
                    || export::recognises(t)
                    || games::all().iter().any(|g| g.recognise(t).is_some())
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAMPS: &str = "(tilewright: 1, game: \"null\", title: \"a\", level: (board: [\"*.\"]))";

    #[test]
    fn a_pack_is_read_as_a_collection_in_its_order() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["b.ron", "a.ron", "c.ron"] {
            fs::write(dir.path().join(name), LAMPS.replace("\"a\"", &format!("\"{name}\""))).unwrap();
        }
        let list = pack::Pack { title: "p".into(), levels: vec!["b.ron".into(), "a.ron".into()] };
        let file = dir.path().join(pack::FILE_NAME);
        fs::write(&file, pack::write(&list)).unwrap();
        for path in [dir.path(), &file] {
            let levels = open_path(path).unwrap();
            let seen: Vec<_> = levels.iter().map(|l| (l.index, l.doc.meta().title.as_str())).collect();
            assert_eq!(seen, [(1, "b.ron"), (2, "a.ron")], "c.ron is not in the pack");
            assert!(levels.iter().all(|l| l.file == file));
        }
        fs::remove_file(dir.path().join("b.ron")).unwrap();
        let trouble = open_path(&file).map(|_| ()).unwrap_err();
        assert!(trouble.to_string().ends_with("b.ron: cannot be read: there is no such file"), "{trouble}");
        let rest: Vec<_> = Levels::new([&file]).collect();
        assert!(rest[0].is_err() && rest[1].as_ref().is_ok_and(|l| l.index == 2), "the number is kept");
    }

    #[test]
    fn a_folder_is_read_by_name_and_says_so_when_it_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        assert!(open_path(dir.path()).is_err());
        fs::create_dir(dir.path().join("below")).unwrap();
        for name in ["2.ron", "1.ron", "below/3.ron", ".hidden.ron", "note.text"] {
            fs::write(dir.path().join(name), LAMPS).unwrap();
        }
        let names: Vec<_> = open_path(dir.path()).unwrap().into_iter().map(|l| l.file).collect();
        assert_eq!(names, ["1.ron", "2.ron", "below/3.ron"].map(|n| dir.path().join(n)));
    }

    #[test]
    fn a_fault_names_file_line_and_column() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ron");
        fs::write(&path, "(tilewright: 1, game: \"null\",\n level: (board: [\"*?\"]))").unwrap();
        let trouble = open_path(&path).map(|_| ()).unwrap_err();
        let place = format!("{}: line 2, column ", path.display());
        assert!(trouble.to_string().starts_with(&place), "{trouble}");
    }
}
