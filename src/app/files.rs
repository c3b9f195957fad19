//! Saving from the window, and the system's file dialogs where there are any.

use crate::{disk, document::Doc, game::Written, memory};
use std::{
    path::{Path, PathBuf},
    sync::mpsc,
};

/// What saving came to.
pub struct Saved {
    /// What the format could not hold.
    pub dropped: Vec<String>,
    /// Why the earlier version could not be kept, if it could not.
    pub not_kept: Option<String>,
}

/// Writes a level in the format that the file name's ending asks for, after keeping the file's earlier version below `backups`.
pub fn save(doc: &dyn Doc, path: &Path, backups: Option<&Path>) -> Result<Saved, String> {
    let ending = path.extension().map_or_else(String::new, |e| e.to_string_lossy().to_lowercase());
    let native = doc.native();
    let written = if ending == "ron" {
        Written { text: native, dropped: Vec::new() }
    } else {
        let game = doc.game();
        let formats = game.formats();
        let Some(format) = formats.iter().find(|f| f.writes && f.extensions.contains(&ending.as_str())) else {
            let known: Vec<_> =
                formats.iter().filter(|f| f.writes).flat_map(|f| f.extensions).map(|e| format!(".{e}")).collect();
            let also = if known.is_empty() { String::new() } else { format!(" or {}", known.join(", ")) };
            return Err(format!("a file name ending in .ron{also} is needed, so that the format is known"));
        };
        game.write_format(format.id, &[native]).map_err(|f| f.to_string())?
    };
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        disk::make_folder(folder).map_err(|t| t.to_string())?;
    }
    let not_kept = memory::backups::replace(backups, path, written.text.as_bytes()).map_err(|t| t.to_string())?;
    Ok(Saved { dropped: written.dropped, not_kept: not_kept.map(|t| t.to_string()) })
}

/// The system's file dialog, open on a thread of its own.
pub struct Browse {
    answer: mpsc::Receiver<Option<PathBuf>>,
}

impl Browse {
    /// Asks for a file to open, or (with a suggested name) for one to write.
    pub fn ask(save_as: Option<String>, wake: crate::document::Wake) -> Browse {
        let (send, answer) = mpsc::channel();
        std::thread::spawn(move || {
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
