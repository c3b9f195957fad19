//! Saving a level, and what the desktop has for files: its dialogs and its file manager, where there are any.

use crate::{
    document::Doc,
    export::{Options, SaveAs, Saved, save_as},
    game::NotMade,
    job::{Limits, Probe},
};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
};

/// Writes a level in the format that the file name's ending asks for, after keeping the file's earlier version below `backups`.
pub fn save(doc: Box<dyn Doc>, path: &Path, backups: Option<&Path>) -> Result<Saved, String> {
    let what = SaveAs::of(path, None, doc.game())?;
    if !matches!(what, SaveAs::Native | SaveAs::Format(_)) {
        return Err("a file of this kind cannot be opened again: use Export".into());
    }
    let probe = &mut Probe::new(Limits::default());
    save_as(&[doc], path, what, &Options::default(), backups, probe).map_err(|not_made| match not_made {
        NotMade::Refused(text) => text,
        NotMade::Stopped(stop) => stop.name().into(),
    })
}

/// The system's file dialog, open on a thread of its own.
pub struct Browse {
    answer: mpsc::Receiver<Option<PathBuf>>,
}

impl Browse {
    /// Asks for a file to open, or (with a suggested name) for one to write.
    pub fn ask(save_as: Option<String>, wake: crate::document::Wake) -> Browse {
        let (send, answer) = mpsc::channel();
        // Without a thread the answer is "cancelled", and the path can still be typed.
        let _ = std::thread::Builder::new().spawn(move || {
            let dialog = rfd::FileDialog::new();
            let path = match save_as {
                Some(name) => dialog.set_file_name(name).save_file(),
                None => dialog.pick_file(),
            };
            // The dialog of the program may be closed by now.
            let _ = send.send(path);
            wake();
        });
        Browse { answer }
    }

    /// The answer, when it is there; `Some(None)` is "cancelled" or "there is no such dialog on this desktop".
    pub fn poll(&self) -> Option<Option<PathBuf>> {
        match self.answer.try_recv() {
            Ok(path) => Some(path),
            Err(mpsc::TryRecvError::Empty) => None,
            Err(mpsc::TryRecvError::Disconnected) => Some(None),
        }
    }
}

/// The desktop's program that opens folders.
pub const OPENER: &str = if cfg!(windows) {
    "explorer"
} else if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

/// A folder on its way to the desktop's file manager, which nobody waits for.
pub struct Opening {
    failed: mpsc::Receiver<String>,
}

impl Opening {
    /// Starts the desktop's program for it.
    pub fn begin(program: &str, folder: &Path, wake: crate::document::Wake) -> Opening {
        let (send, failed) = mpsc::channel();
        let (program, folder) = (program.to_string(), folder.to_path_buf());
        let no_thread = send.clone();
        let work = move || {
            let mut command = Command::new(&program);
            command.arg(&folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            let why = match command.status() {
                // Windows' Explorer ends with 1 when all is well.
                Ok(status) if status.success() || cfg!(windows) => None,
                Ok(status) => Some(status.to_string()),
                Err(e) => Some(e.to_string()),
            };
            if let Some(why) = why {
                let _ = send.send(format!("{program} could not open {} ({why})", folder.display()));
            }
            drop(send);
            wake();
        };
        if let Err(e) = std::thread::Builder::new().spawn(work) {
            let _ = no_thread.send(format!("the folder could not be opened ({e})"));
        }
        Opening { failed }
    }

    /// The end of it, when it is there: nothing, or what went wrong.
    pub fn poll(&self) -> Option<Option<String>> {
        match self.failed.try_recv() {
            Ok(text) => Some(Some(text)),
            Err(mpsc::TryRecvError::Empty) => None,
            Err(mpsc::TryRecvError::Disconnected) => Some(None),
        }
    }
}
