//! Changes on disk that can be taken back.
//!
//! Everything the library does to files is one of two steps: a file is moved, or its bytes are replaced. Both know how to go back, and both refuse where
//! going on would destroy something: a move never replaces a file, and bytes are only put back where the file is still as we left it.

use crate::{
    disk::{self, FileError},
    memory,
};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// One change.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Step {
    /// A file was moved.
    Moved { from: PathBuf, to: PathBuf },
    /// A file's bytes were replaced; `None` is no file.
    Wrote { path: PathBuf, before: Option<Vec<u8>>, after: Option<Vec<u8>> },
}

/// Something done, as one thing to take back.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Done {
    /// What it was, for the message after taking it back.
    pub words: String,
    pub steps: Vec<Step>,
    /// Where backups and variants are: they go where their level goes.
    pub memory: Option<PathBuf>,
}

/// How many operations can be taken back.
const DEEPEST: usize = 50;

/// The operations of this session, the last one last.
#[derive(Default)]
pub(super) struct UndoStack {
    done: Vec<Done>,
}

impl UndoStack {
    pub(super) fn keep(&mut self, done: Done) {
        if !done.steps.is_empty() {
            self.done.push(done);
            if self.done.len() > DEEPEST {
                self.done.remove(0);
            }
        }
    }

    /// Takes the last operation back. If something has changed since, nothing more is touched and a sentence says why.
    pub(super) fn undo(&mut self) -> Result<Option<Done>, String> {
        let Some(done) = self.done.pop() else { return Ok(None) };
        done.back()?;
        Ok(Some(done))
    }
}

impl Done {
    /// Takes the steps back, the last first.
    pub(super) fn back(&self) -> Result<(), String> {
        for step in self.steps.iter().rev() {
            match step {
                Step::Moved { from, to } => {
                    self.move_level(to, from)?;
                    tidy(to);
                }
                Step::Wrote { path, before, after } => {
                    let now = if path.exists() { Some(disk::read_bytes(path).map_err(text)?) } else { None };
                    if now != *after {
                        return Err(format!("{} has changed since: it is left as it is", path.display()));
                    }
                    put(path, before.as_deref())?;
                    tidy(path);
                }
            }
        }
        Ok(())
    }

    fn move_level(&self, from: &Path, to: &Path) -> Result<(), String> {
        move_file(from, to)?;
        if let Some(memory) = &self.memory {
            memory::follow(memory, from, to);
        }
        Ok(())
    }

    /// Moves a file and writes that down.
    pub(super) fn move_file(&mut self, from: &Path, to: &Path) -> Result<(), String> {
        self.move_level(from, to)?;
        self.steps.push(Step::Moved { from: from.into(), to: to.into() });
        Ok(())
    }

    /// Replaces a file's bytes and writes that down.
    pub(super) fn write(&mut self, path: &Path, bytes: Option<Vec<u8>>) -> Result<(), String> {
        let before = if path.exists() { Some(disk::read_bytes(path).map_err(text)?) } else { None };
        if before == bytes {
            return Ok(());
        }
        put(path, bytes.as_deref())?;
        self.steps.push(Step::Wrote { path: path.into(), before, after: bytes });
        Ok(())
    }
}

fn text(error: FileError) -> String {
    error.to_string()
}

fn put(path: &Path, bytes: Option<&[u8]>) -> Result<(), String> {
    match bytes {
        Some(bytes) => {
            if let Some(folder) = path.parent() {
                disk::make_folder(folder).map_err(text)?;
            }
            disk::write_atomic(path, bytes).map_err(text)
        }
        None => fs::remove_file(path).map_err(|e| format!("{} cannot be removed: {e}", path.display())),
    }
}

/// Moves a file; never onto another one.
pub(super) fn move_file(from: &Path, to: &Path) -> Result<(), String> {
    if let Some(folder) = to.parent() {
        disk::make_folder(folder).map_err(text)?;
    }
    let fail = |e: io::Error| format!("{} cannot be moved to {}: {e}", from.display(), to.display());
    // A second name refuses to replace a file, which renaming would do silently.
    match fs::hard_link(from, to) {
        Ok(()) => return fs::remove_file(from).map_err(fail),
        Err(e) if matches!(e.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotFound) => return Err(fail(e)),
        Err(_) if to.exists() => return Err(fail(io::Error::from(io::ErrorKind::AlreadyExists))),
        Err(_) => {}
    }
    match fs::rename(from, to) {
        Ok(()) => Ok(()),
        Err(e) if e.kind() == io::ErrorKind::CrossesDevices => {
            fs::copy(from, to).map_err(fail)?;
            fs::remove_file(from).map_err(fail)
        }
        Err(e) => Err(fail(e)),
    }
}

/// Removes the folder of a file that has left it, if nothing else is in it.
fn tidy(path: &Path) {
    if let Some(folder) = path.parent() {
        let _ = fs::remove_dir(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_is_taken_back_and_what_changed_since_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let (a, b) = (dir.path().join("a"), dir.path().join("bin/1/a"));
        let keep = dir.path().join("keep");
        fs::write(&keep, "x").unwrap();
        fs::write(&a, "one").unwrap();
        let mut undo_stack = UndoStack::default();
        let mut done = Done { words: "binned".into(), ..Done::default() };
        done.write(&a, Some(b"two".to_vec())).unwrap();
        done.move_file(&a, &b).unwrap();
        undo_stack.keep(done);
        assert!(!a.exists() && b.exists());
        assert_eq!(undo_stack.undo().unwrap().unwrap().words, "binned");
        assert_eq!(fs::read(&a).unwrap(), b"one");
        assert!(!b.exists() && !b.parent().unwrap().exists());
        assert_eq!(undo_stack.undo(), Ok(None));

        let mut done = Done::default();
        done.write(&a, Some(b"three".to_vec())).unwrap();
        undo_stack.keep(done);
        fs::write(&a, "by another hand").unwrap();
        assert!(undo_stack.undo().is_err());
        assert_eq!(fs::read(&a).unwrap(), b"by another hand");
        assert!(move_file(&a, &keep).is_err(), "a move replaces nothing");
    }
}
