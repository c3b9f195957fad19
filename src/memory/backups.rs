//! The last ten versions of every file that is saved over.
//!
//! Before a file is replaced, what it held goes into `backups/<digest of its path>/`, named by the time it was written. A file that cannot be backed up is
//! saved all the same, with a message: a full backup disk must not prevent saving to another one.

use crate::disk::{FileError, absolute, file_names, make_folder, read_bytes, write_atomic};
use std::{
    fs,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};
use xxhash_rust::xxh3::xxh3_128;

/// How many versions of a file are kept.
pub const MOST: usize = 10;

/// An earlier version of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// Where it is.
    pub file: PathBuf,
    /// When it was written, in milliseconds since 1970.
    pub at: u64,
    /// Its size in bytes.
    pub size: u64,
}

/// The folder of a file's versions below `root`.
fn folder_of(root: &Path, path: &Path) -> PathBuf {
    // The same file by whatever way it is reached; one that is not there is called what it would be.
    let folder = || Some(fs::canonicalize(path.parent()?).ok()?.join(path.file_name()?));
    let whole = fs::canonicalize(path).ok().or_else(folder).unwrap_or_else(|| absolute(path));
    root.join(format!("{:032x}", xxh3_128(whole.as_os_str().as_encoded_bytes())))
}

/// The versions of a file, the latest first.
pub fn versions(root: &Path, path: &Path) -> Vec<Version> {
    listed(&folder_of(root, path))
}

fn listed(folder: &Path) -> Vec<Version> {
    let version = |name: &String| {
        let at = name.split('.').next()?.parse().ok()?;
        let file = folder.join(name);
        let size = fs::metadata(&file).ok()?.len();
        Some(Version { file, at, size })
    };
    let mut all: Vec<_> = file_names(folder).unwrap_or_default().iter().filter_map(version).collect();
    all.sort_by_key(|v| std::cmp::Reverse(v.at));
    all
}

/// For a person who looks for a lost file by hand.
fn write_name(folder: &Path, path: &Path) -> Result<(), FileError> {
    write_atomic(&folder.join("of.txt"), format!("{}\n", path.display()).as_bytes())
}

/// Moves the versions of a file that was moved.
pub(super) fn follow(root: &Path, from: &Path, to: &Path) {
    let (old, new) = (folder_of(root, from), folder_of(root, to));
    // Those of a file that was there before are of no file any more.
    let _ = fs::remove_dir_all(&new);
    if fs::rename(&old, &new).is_ok() {
        let _ = write_name(&new, to);
    }
}

/// Keeps what a file holds now, unless that is what was kept last.
pub fn keep(root: &Path, path: &Path) -> Result<(), FileError> {
    if !path.is_file() {
        return Ok(());
    }
    let bytes = read_bytes(path)?;
    let folder = folder_of(root, path);
    let known = listed(&folder);
    if known.first().is_some_and(|v| v.size == bytes.len() as u64 && read_bytes(&v.file).is_ok_and(|b| b == bytes)) {
        return Ok(());
    }
    if known.is_empty() {
        make_folder(&folder)?;
        write_name(&folder, path)?;
    }
    let written = fs::metadata(path).and_then(|m| m.modified()).ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok());
    let written = written.map_or(0, |t| t.as_millis() as u64);
    // Later than all others, whatever the clock did.
    let at = known.first().map_or(written, |v| written.max(v.at + 1));
    let ending = path.extension().map_or_else(String::new, |e| format!(".{}", e.to_string_lossy()));
    write_atomic(&folder.join(format!("{at:013}{ending}")), &bytes)?;
    for old in known.iter().skip(MOST - 1) {
        // One too many does no harm.
        let _ = fs::remove_file(&old.file);
    }
    Ok(())
}

/// Replaces a file as a whole, after keeping what it held below `root`, if there is one. If the backup fails, the file is
/// replaced all the same and the error is returned.
pub fn replace(root: Option<&Path>, path: &Path, bytes: &[u8]) -> Result<Option<FileError>, FileError> {
    let same = root.is_some() && read_bytes(path).is_ok_and(|old| old == bytes);
    let kept = match root.filter(|_| !same) {
        Some(root) => keep(root, path),
        None => Ok(()),
    };
    write_atomic(path, bytes)?;
    Ok(kept.err())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_ten_versions_of_a_file_are_there_the_latest_first() {
        let dir = tempfile::tempdir().unwrap();
        let (root, path) = (dir.path().join("backups"), dir.path().join("a.ron"));
        for i in 0..15 {
            assert_eq!(replace(Some(&root), &path, format!("version {i}").as_bytes()), Ok(None));
            // Saved again without a change: no version of its own.
            assert_eq!(replace(Some(&root), &path, format!("version {i}").as_bytes()), Ok(None));
        }
        let held: Vec<_> = versions(&root, &path).iter().map(|v| fs::read_to_string(&v.file).unwrap()).collect();
        assert_eq!(held, (4..14).rev().map(|i| format!("version {i}")).collect::<Vec<_>>());
        assert!(versions(&root, &dir.path().join("b.ron")).is_empty());
    }

    #[test]
    fn a_file_is_saved_even_where_no_version_can_be_kept() {
        let dir = tempfile::tempdir().unwrap();
        let (root, path) = (dir.path().join("backups"), dir.path().join("a.ron"));
        fs::write(&root, "in the way").unwrap();
        fs::write(&path, "old").unwrap();
        assert!(replace(Some(&root), &path, b"new").unwrap().is_some());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }
}
