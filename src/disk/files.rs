//! Reading with a bound, and writing so that a file is there as a whole or not at all.

use super::names;
use crate::{formats, game::Fault};
use std::{
    collections::BTreeSet,
    fmt,
    fs::{self, File},
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// What is wrong with a file: which, where in it as far as that is known, and a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// Place and sentence.
    pub fault: Fault,
}

impl FileError {
    /// An error whose place is not known.
    pub fn new(path: &Path, text: impl Into<String>) -> FileError {
        FileError { path: path.into(), fault: Fault::new(text) }
    }

    pub(super) fn io(path: &Path, what: &str, error: &io::Error) -> FileError {
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such file".into(),
            io::ErrorKind::PermissionDenied => "permission denied".into(),
            _ => error.to_string(),
        };
        FileError::new(path, format!("{what}: {why}"))
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One line, whatever a parser put into its message.
        let fault = self.fault.to_string();
        let words: Vec<_> = fault.split_whitespace().collect();
        write!(f, "{}: {}", self.path.display(), words.join(" "))
    }
}

impl std::error::Error for FileError {}

const UNREADABLE: &str = "cannot be read";

/// Reads a file of at most [`formats::LARGEST`] bytes, without trusting the size that the file system reports.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, FileError> {
    read_bounded(path, formats::LARGEST)
}

/// Reads a file of at most `largest` bytes, without trusting the size that the file system reports.
pub fn read_bounded(path: &Path, largest: u64) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    let read = open_file(path)?.take(largest + 1).read_to_end(&mut bytes);
    read.map_err(|e| FileError::io(path, UNREADABLE, &e))?;
    if bytes.len() as u64 > largest {
        let text = format!("the file is larger than {} MiB: too large for levels", largest >> 20);
        return Err(FileError::new(path, text));
    }
    Ok(bytes)
}

/// Opens a regular file for reading, and nothing else.
pub fn open_file(path: &Path) -> Result<File, FileError> {
    let fail = |e: &io::Error| FileError::io(path, UNREADABLE, e);
    usable(path).map_err(|e| fail(&e))?;
    // Before it is opened: opening a pipe waits for its other end.
    if let Some(other) = not_a_file(&fs::metadata(path).map_err(|e| fail(&e))?) {
        return Err(FileError::new(path, other));
    }
    File::open(path).map_err(|e| fail(&e))
}

/// Writes a file so that it is there as a whole or not at all: a temporary file in the same folder, synced, renamed, and the folder
/// synced. Permissions of a file that is replaced are kept; a symbolic link stays one and its target is replaced.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_steps(path, bytes).map_err(|e| FileError::io(path, "cannot be written", &e))
}

/// Refuses names that this system would take for something else. Reading a device would never end, and what is written to one is lost.
fn usable(path: &Path) -> io::Result<()> {
    let name = path.file_name().filter(|_| cfg!(windows));
    let fault = name.and_then(|n| names::windows_fault(&n.to_string_lossy()));
    fault.map_or(Ok(()), |why| Err(io::Error::other(why)))
}

/// What something is that can be opened like a file and is none: reading it may never end, and writing must not replace it.
fn not_a_file(meta: &fs::Metadata) -> Option<&'static str> {
    if meta.is_dir() {
        Some("this is a folder, not a file")
    } else if !meta.is_file() {
        Some("this is a pipe or a device, not a file")
    } else {
        None
    }
}

fn write_steps(path: &Path, bytes: &[u8]) -> io::Result<()> {
    usable(path)?;
    let target = if path.is_symlink() { fs::canonicalize(path)? } else { path.to_path_buf() };
    let old = match fs::metadata(&target) {
        Ok(meta) => match not_a_file(&meta) {
            Some(other) => return Err(io::Error::other(other)),
            None => Some(meta.permissions()),
        },
        Err(e) if e.kind() == io::ErrorKind::NotFound => None,
        Err(e) => return Err(e),
    };
    if old.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(io::Error::other("the file is write-protected"));
    }
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    clean_once(folder);
    let mut builder = tempfile::Builder::new();
    builder.prefix(TEMPORARY.0).suffix(TEMPORARY.1);
    #[cfg(unix)]
    {
        // The process's umask applies to this, as to any new file; without it a temporary file is for its owner only.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    // Held until it has its name: this is how others know that it was not left behind by a crash. Where a file system has no
    // locks, nothing is ever removed.
    let _ = file.as_file().lock();
    file.write_all(bytes)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old)?;
    }
    file.as_file().sync_all()?;
    let persist = |file: tempfile::NamedTempFile| file.persist(&target).map_err(|e| (e.error, e.file));
    insist(file, persist, if cfg!(windows) { 10 } else { 1 })?;
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    Ok(())
}

/// Retries what is refused for want of permission, up to `times` attempts. On Windows a file cannot be replaced while another program (a virus scanner, an
/// indexer) looks into it.
fn insist<T, U>(mut what: T, act: impl Fn(T) -> Result<U, (io::Error, T)>, times: usize) -> io::Result<U> {
    for left in (0..times).rev() {
        match act(what) {
            Ok(done) => return Ok(done),
            Err((e, back)) if left > 0 && e.kind() == io::ErrorKind::PermissionDenied => what = back,
            Err((e, _)) => return Err(e),
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Err(io::Error::other("not tried"))
}

/// How temporary files begin and end.
const TEMPORARY: (&str, &str) = (".tilewright-", ".tmp");

/// A younger temporary file may not be locked yet.
const MIN_AGE: Duration = Duration::from_secs(10);

/// Removes the temporary files that crashes left in a folder, once a folder, so that they do not pile up.
fn clean_once(folder: &Path) {
    static CLEANED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    if CLEANED.lock().unwrap_or_else(PoisonError::into_inner).insert(folder.to_path_buf()) {
        clean(folder);
    }
}

/// Removes temporary files that no running copy has locked; returns how many. Failures are ignored.
pub fn clean(folder: &Path) -> usize {
    let left_behind = |name: &String| name.starts_with(TEMPORARY.0) && name.ends_with(TEMPORARY.1);
    let names = file_names(folder).unwrap_or_default();
    names
        .iter()
        .filter(|n| left_behind(n))
        .filter(|n| is_orphan(&folder.join(n)) && fs::remove_file(folder.join(n)).is_ok())
        .count()
}

fn is_orphan(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let age = file.metadata().and_then(|m| m.modified()).map(|t| t.elapsed().unwrap_or_default());
    age.is_ok_and(|age| age >= MIN_AGE) && file.try_lock().is_ok()
}

/// A path beside this one that nothing has yet: `a.ron`, `a-2.ron`, `a-3.ron` …
pub fn free_name(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let ending = path.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    let numbered = (2..).map(|n| path.with_file_name(format!("{stem}-{n}{ending}")));
    std::iter::once(path.to_path_buf()).chain(numbered).find(|p| !p.exists() && !p.is_symlink()).unwrap_or_default()
}

/// Makes a folder with all above it.
pub fn make_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|e| FileError::io(path, "the folder cannot be made", &e))
}

/// The names of the files in a folder, in no order.
pub fn file_names(folder: &Path) -> Result<Vec<String>, FileError> {
    let fail = |e: io::Error| FileError::io(folder, "the folder cannot be read", &e);
    let entries = fs::read_dir(folder).map_err(fail)?;
    entries.map(|e| e.map(|e| e.file_name().to_string_lossy().into_owned()).map_err(fail)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_replaces_the_whole_file_and_leaves_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.ron");
        write_atomic(&path, b"first, and longer").unwrap();
        write_atomic(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_write_keeps_permissions_and_links() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let (path, link) = (dir.path().join("a.ron"), dir.path().join("link.ron"));
        write_atomic(&path, b"one").unwrap();
        assert_ne!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0, "readable at all");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink("a.ron", &link).unwrap();
        write_atomic(&link, b"two").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file() {
        let dir = tempfile::tempdir().unwrap();
        assert!(write_atomic(dir.path(), b"x").is_err(), "a folder is not replaced");
        assert!(write_atomic(&dir.path().join("none/a.ron"), b"x").is_err());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_file_that_is_held_for_a_moment_is_replaced_after_it() {
        let denied = || io::Error::from(io::ErrorKind::PermissionDenied);
        let third = |tries: u32| if tries == 2 { Ok(tries) } else { Err((denied(), tries + 1)) };
        assert_eq!(insist(0, third, 3).unwrap(), 2);
        assert_eq!(insist(0, third, 2).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        let full = |()| Err::<(), _>((io::Error::from(io::ErrorKind::StorageFull), ()));
        assert_eq!(insist((), full, 1000).unwrap_err().kind(), io::ErrorKind::StorageFull, "not tried again");
    }

    #[test]
    fn a_file_that_is_too_large_is_not_read_to_its_end() {
        let dir = tempfile::tempdir().unwrap();
        let large = dir.path().join("large");
        // A file with a hole: it takes no room on the disk.
        File::create(&large).unwrap().set_len(2 << 30).unwrap();
        assert!(read_bytes(&large).unwrap_err().fault.text.contains("too large"));
    }

    #[cfg(unix)]
    #[test]
    fn pipes_and_devices_are_neither_read_nor_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("level.ron");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if !made.is_ok_and(|status| status.success()) {
            println!("skipped: no mkfifo here");
            return;
        }
        let link = dir.path().join("link.ron");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        for path in [pipe.as_path(), &link, Path::new("/dev/zero")] {
            assert!(read_bytes(path).unwrap_err().fault.text.contains("not a file"), "{}", path.display());
            assert!(write_atomic(path, b"x").unwrap_err().to_string().contains("not a file"), "{}", path.display());
        }
        assert!(!pipe.is_file(), "it is still a pipe");
    }

    #[test]
    fn what_dead_writers_left_is_taken_away_and_what_living_ones_hold_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let old = std::time::SystemTime::now() - 2 * MIN_AGE;
        let make = |name: &str, old_enough: bool| {
            let file = File::create(dir.path().join(name)).unwrap();
            if old_enough {
                file.set_modified(old).unwrap();
            }
            file
        };
        drop(make(".tilewright-dead.tmp", true));
        drop(make(".tilewright-new.tmp", false));
        drop(make("mine.tmp", true));
        let held = make(".tilewright-held.tmp", true);
        held.lock().unwrap();
        assert_eq!(clean(dir.path()), 1);
        assert!(!dir.path().join(".tilewright-dead.tmp").exists());
        assert_eq!(file_names(dir.path()).unwrap().len(), 3);
    }

    #[test]
    fn a_free_name_is_one_that_nothing_has() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.b.ron");
        assert_eq!(free_name(&path), path);
        fs::write(&path, "").unwrap();
        fs::write(dir.path().join("a.b-2.ron"), "").unwrap();
        assert_eq!(free_name(&path), dir.path().join("a.b-3.ron"));
    }
}
