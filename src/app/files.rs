//! Reading and writing files for the window, and the system's file dialogs where there are any.

use crate::{document::Doc, formats, game::Written};
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    sync::mpsc,
};

/// Reads a level or a collection; a sentence if that fails.
pub fn read(path: &Path) -> Result<Vec<Box<dyn Doc>>, String> {
    let name = path.display();
    let meta = std::fs::metadata(path).map_err(|e| format!("{name}: {e}"))?;
    if meta.len() > formats::LARGEST {
        return Err(format!("{name} is larger than {} MiB: too large for levels", formats::LARGEST >> 20));
    }
    let bytes = std::fs::read(path).map_err(|e| format!("{name}: {e}"))?;
    formats::read(&bytes).map_err(|fault| format!("{name}: {fault}"))
}

/// Writes a file so that there is always either the old or the new one: temporary file, sync, rename.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let say = |e: std::io::Error| format!("{}: {e}", path.display());
    let dir = path.parent().filter(|d| !d.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(dir).map_err(say)?;
    let mut file = tempfile::NamedTempFile::new_in(dir).map_err(say)?;
    file.write_all(bytes).map_err(say)?;
    file.as_file().sync_all().map_err(say)?;
    file.persist(path).map_err(|e| say(e.error))?;
    Ok(())
}

/// Writes a level in the format that the file name's ending asks for; what was dropped.
pub fn save(doc: &dyn Doc, path: &Path) -> Result<Vec<String>, String> {
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
    write_atomic(path, written.text.as_bytes())?;
    Ok(written.dropped)
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
