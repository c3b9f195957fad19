//! Levels from files, collections, packs and folders.

use super::{
    FileError, Folder, LevelId, absolute, below, is_native,
    names::{NOT_FOLLOWED, linked_folder, separated},
    read_bytes, walk,
};
use crate::{
    document::{Doc, Docs},
    formats::{self, pack},
    game::Fault,
    job::panic_text,
};
use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
};

/// One level and where it came from.
pub struct Loaded {
    /// The file as it was named: a level, a collection or a pack.
    pub file: PathBuf,
    /// Its number in that file, from 1.
    pub index: usize,
    /// Which level it is: in that file, or in one that the pack lists.
    pub id: LevelId,
    /// The level.
    pub doc: Box<dyn Doc>,
}

/// Why a file is read.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// It was named.
    Named,
    /// It is in a folder that was named.
    InFolder,
    /// A pack lists it: the first one, from which levels are counted, or another.
    Listed { first: bool },
}

/// A file still to be read.
struct Waiting {
    file: PathBuf,
    source: PathBuf,
    way: Way,
}

impl Waiting {
    fn listed(pack: &Path, files: impl IntoIterator<Item = PathBuf>) -> impl Iterator<Item = Waiting> {
        let way = |i| Way::Listed { first: i == 0 };
        files.into_iter().enumerate().map(move |(i, source)| Waiting { file: pack.into(), source, way: way(i) })
    }

    fn is_folder(&self) -> bool {
        self.way == Way::Named && self.source.is_dir()
    }

    /// In a folder, every `.ron` file counts, and a file with another program's ending if its text looks like that program's. The rest of a folder is
    /// none of our business.
    fn may_be_something_else(&self) -> bool {
        self.way == Way::InFolder && !is_native(&self.source)
    }
}

/// All levels of some files and folders, in order; each file is opened when its turn comes.
pub struct Levels {
    waiting: VecDeque<Result<Waiting, FileError>>,
    file: PathBuf,
    source: PathBuf,
    ready: std::iter::Enumerate<Docs>,
    /// Whether the file that is being read holds several levels.
    several: bool,
    count: usize,
}

impl Levels {
    /// The levels of these paths.
    pub fn new(paths: impl IntoIterator<Item = impl Into<PathBuf>>) -> Levels {
        let paths = paths.into_iter().map(|p| separated(p.into()));
        Levels::waiting(paths.map(|p: PathBuf| Ok(Waiting { file: p.clone(), source: p, way: Way::Named })).collect())
    }

    fn waiting(waiting: VecDeque<Result<Waiting, FileError>>) -> Levels {
        Levels {
            waiting,
            file: PathBuf::new(),
            source: PathBuf::new(),
            ready: (Box::new(std::iter::empty()) as Docs).enumerate(),
            several: false,
            count: 0,
        }
    }

    /// The same levels in pieces that can be read at the same time: a file each, or all files of a pack, whose levels are counted through.
    pub fn in_pieces(mut self) -> impl Iterator<Item = Levels> + Send {
        std::iter::from_fn(move || {
            while let Some(Ok(folder)) = self.waiting.pop_front_if(|w| w.as_ref().is_ok_and(Waiting::is_folder)) {
                if let Err(error) = self.open(folder) {
                    self.waiting.push_front(Err(error));
                }
            }
            let mut piece = VecDeque::from([self.waiting.pop_front()?]);
            let goes_on =
                |w: &mut Result<Waiting, FileError>| w.as_ref().is_ok_and(|w| w.way == Way::Listed { first: false });
            while let Some(next) = self.waiting.pop_front_if(goes_on) {
                piece.push_back(next);
            }
            Some(Levels::waiting(piece))
        })
    }

    /// The file that is read next, as it was named.
    pub fn next_file(&self) -> Option<&Path> {
        self.waiting.front().map(|w| w.as_ref().map_or_else(|e| e.path.as_path(), |w| w.file.as_path()))
    }

    fn put_first(&mut self, files: Vec<Result<Waiting, FileError>>) {
        for file in files.into_iter().rev() {
            self.waiting.push_front(file);
        }
    }

    fn open(&mut self, next: Waiting) -> Result<(), FileError> {
        if next.is_folder() {
            let files: Vec<_> = walk(&next.source).into_iter().flat_map(in_folder).collect();
            if files.is_empty() {
                return Err(FileError::new(&next.source, "there is no level in this folder"));
            }
            self.put_first(files);
            return Ok(());
        }
        if matches!(next.way, Way::Listed { .. })
            && let Some(link) = next.file.parent().and_then(|folder| linked_folder(folder, &next.source))
        {
            return Err(FileError::new(&link, NOT_FOLLOWED));
        }
        let bytes = match read_bytes(&next.source) {
            Ok(bytes) => bytes,
            Err(_) if next.may_be_something_else() => return Ok(()),
            Err(error) => return Err(error),
        };
        let text = formats::text(&bytes);
        if next.may_be_something_else() && !text.as_ref().is_ok_and(|t| formats::recognises(t)) {
            return Ok(());
        }
        let at = |fault| FileError { path: next.source.clone(), fault };
        if next.way == Way::Named && text.as_ref().is_ok_and(|t| pack::looks_pack(t)) {
            let pack = text.and_then(|t| pack::read(&t)).map_err(at)?;
            if pack.levels.is_empty() {
                return Err(FileError::new(&next.source, "this pack lists no levels"));
            }
            let folder = next.source.parent().unwrap_or(Path::new(""));
            let files = pack.levels.iter().map(|name| below(folder, name));
            self.put_first(Waiting::listed(&next.file, files).map(Ok).collect());
            return Ok(());
        }
        let docs = guarded(|| formats::open(&bytes)).and_then(|docs| docs).map_err(at)?;
        self.several = docs.len() > 1;
        self.ready = docs.enumerate();
        (self.file, self.source) = (next.file, absolute(&next.source));
        Ok(())
    }
}

/// A reader must not panic; if one does all the same, it is this file's error and not the end of a batch.
fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, Fault> {
    let read = catch_unwind(AssertUnwindSafe(read));
    read.map_err(|panic| Fault::new(format!("internal error while reading: {}", panic_text(&*panic))))
}

/// What is to be read in a folder, or said about it.
fn in_folder(folder: Folder) -> Vec<Result<Waiting, FileError>> {
    let pack = folder.path.join(pack::FILE_NAME);
    let listed = Waiting::listed(&pack, folder.listed);
    let files = folder.files.into_iter().map(|p| Waiting { file: p.clone(), source: p, way: Way::InFolder });
    folder.fault.into_iter().map(Err).chain(listed.chain(files).map(Ok)).collect()
}

impl Iterator for Levels {
    type Item = Result<Loaded, FileError>;

    fn next(&mut self) -> Option<Result<Loaded, FileError>> {
        loop {
            let ready = match guarded(|| self.ready.next()) {
                Ok(ready) => ready,
                Err(fault) => {
                    self.count += 1;
                    return Some(Err(FileError { path: self.source.clone(), fault }));
                }
            };
            if let Some((i, doc)) = ready {
                self.count += 1;
                let source = self.source.clone();
                let id = if self.several { LevelId::Member(source, i) } else { LevelId::File(source) };
                return Some(Ok(Loaded { file: self.file.clone(), index: self.count, id, doc }));
            }
            let next = match self.waiting.pop_front()? {
                Ok(next) => next,
                Err(error) => return Some(Err(error)),
            };
            let way = next.way;
            if way != (Way::Listed { first: false }) {
                self.count = 0;
            }
            if let Err(error) = self.open(next) {
                // A file of a pack that cannot be read keeps its number, so that the others keep theirs.
                self.count += usize::from(matches!(way, Way::Listed { .. }));
                return Some(Err(error));
            }
        }
    }
}

/// Reads all levels of a level file, a collection, a pack or a folder.
pub fn open_path(path: &Path) -> Result<Vec<Loaded>, FileError> {
    Levels::new([path]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

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
        let levels = open_path(&file).unwrap();
        let seen: Vec<_> = levels.iter().map(|l| (l.index, l.doc.meta().title.as_str())).collect();
        assert_eq!(seen, [(1, "b.ron"), (2, "a.ron")], "c.ron is not in the pack");
        assert!(levels.iter().all(|l| l.file == file));
        assert_eq!(levels[0].id, LevelId::file(&dir.path().join("b.ron")), "the same level as by its own name");
        fs::remove_file(dir.path().join("b.ron")).unwrap();
        let error = open_path(&file).map(|_| ()).unwrap_err();
        assert!(error.to_string().ends_with("b.ron: cannot be read: there is no such file"), "{error}");
        let rest: Vec<_> = Levels::new([&file]).collect();
        assert!(rest[0].is_err() && rest[1].as_ref().is_ok_and(|l| l.index == 2), "the number is kept");
    }

    #[cfg(unix)]
    #[test]
    fn a_pack_does_not_reach_out_of_its_folder_through_a_link() {
        let (dir, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(outside.path().join("x.ron"), LAMPS).unwrap();
        fs::create_dir(dir.path().join("in")).unwrap();
        fs::write(dir.path().join("in/x.ron"), LAMPS).unwrap();
        std::os::unix::fs::symlink(outside.path(), dir.path().join("out")).unwrap();
        let list = pack::Pack { title: "p".into(), levels: vec!["out/x.ron".into(), "in/x.ron".into()] };
        let file = dir.path().join(pack::FILE_NAME);
        fs::write(&file, pack::write(&list)).unwrap();
        for path in [file.as_path(), dir.path()] {
            let read: Vec<_> = Levels::new([path]).collect();
            assert_eq!(read.iter().filter(|r| r.is_ok()).count(), 1);
            let errors: Vec<_> = read.iter().filter_map(|r| r.as_ref().err()).map(FileError::to_string).collect();
            assert!(errors.len() == 1 && errors[0].contains("out: this is a link to a folder"), "{errors:?}");
        }
    }

    #[test]
    fn a_pack_orders_its_folder_and_hides_nothing_in_it() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("below")).unwrap();
        for name in ["10.ron", "9.ron", "first.ron", "below/x.ron", "below/y.ron"] {
            fs::write(dir.path().join(name), LAMPS).unwrap();
        }
        fs::write(dir.path().join("notes.txt"), "not a level").unwrap();
        let write = |name: &str, levels: &[&str]| {
            let levels = levels.iter().map(|l| (*l).to_string()).collect();
            fs::write(dir.path().join(name), pack::write(&pack::Pack { title: "p".into(), levels })).unwrap();
        };
        write("pack.ron", &["first.ron", "below/y.ron"]);
        write("below/pack.ron", &["y.ron"]);
        let levels = open_path(dir.path()).unwrap();
        let names: Vec<_> = levels.iter().filter_map(|l| l.id.path()?.strip_prefix(dir.path()).ok()).collect();
        assert_eq!(names, ["first.ron", "below/y.ron", "9.ron", "10.ron", "below/x.ron"].map(Path::new));
        assert_eq!(levels.iter().map(|l| l.index).collect::<Vec<_>>(), [1, 2, 1, 1, 1]);
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
        let error = open_path(&path).map(|_| ()).unwrap_err();
        let place = format!("{}: line 2, column ", path.display());
        assert!(error.to_string().starts_with(&place), "{error}");
    }
}
