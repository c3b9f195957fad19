//! A lock file: what several running copies of the program share is changed by one of them at a time.
//!
//! The lock is the operating system's and ends with the process, however that ends; the file itself stays and means nothing. It is advisory:
//! only copies of this program respect it.

use super::{FileError, make_folder};
use std::{
    fs::{File, OpenOptions, TryLockError},
    path::Path,
    time::{Duration, Instant},
};

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock; `Ok(None)` if it is held elsewhere.
    pub fn try_take(path: &Path) -> Result<Option<Lock>, FileError> {
        if let Some(folder) = path.parent() {
            make_folder(folder)?;
        }
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path);
        let file = file.map_err(|e| FileError::io(path, "cannot be opened", &e))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(FileError::io(path, "cannot be locked", &e)),
        }
    }

    /// Waits for the lock, but not for ever: a copy that hangs must not make this one hang.
    pub fn take(path: &Path, patience: Duration) -> Result<Lock, FileError> {
        let begin = Instant::now();
        loop {
            if let Some(lock) = Lock::try_take(path)? {
                return Ok(lock);
            }
            if begin.elapsed() >= patience {
                return Err(FileError::new(path, "another running copy of the program holds this lock"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_by_one_and_freed_when_dropped() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("below/a.lock");
        let first = Lock::try_take(&path).unwrap();
        assert!(first.is_some());
        assert!(Lock::try_take(&path).unwrap().is_none());
        assert!(Lock::take(&path, Duration::from_millis(20)).is_err());
        drop(first);
        assert!(Lock::take(&path, Duration::ZERO).is_ok());
    }
}
