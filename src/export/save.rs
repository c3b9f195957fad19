//! Saving levels to a path: the one place that chooses a format by the ending of a file's name.

use super::{Exporter, Options, by_ending, by_id, write};
use crate::{
    disk::{self, FileError},
    document::{AnyGame, Doc, FormatInfo},
    formats::pack::{self, Pack},
    game::NotMade,
    job::Probe,
    memory::backups,
};
use std::path::Path;

/// What levels are written as.
#[derive(Clone, Copy)]
pub enum SaveAs {
    /// A file in our own format, which holds one level.
    Native,
    /// A folder with a file for each level and a pack that lists them.
    Folder,
    /// A format of the levels' game.
    Format(FormatInfo),
    /// An export.
    Export(&'static Exporter),
}

impl SaveAs {
    /// What a path asks for, or the format of this name if one is given.
    pub fn of(path: &Path, name: Option<&str>, game: &dyn AnyGame) -> Result<SaveAs, String> {
        let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
        let slash = path.as_os_str().to_string_lossy().ends_with(['/', '\\']);
        let folder = path.is_dir() || slash || ending.is_empty() || path.ends_with(pack::FILE_NAME);
        if name.is_none() && folder {
            return Ok(SaveAs::Folder);
        }
        if name.map_or(ending == "ron", |n| n == "native") {
            return Ok(SaveAs::Native);
        }
        let formats = game.formats();
        let fits = |f: &&FormatInfo| match name {
            Some(name) => f.id.eq_ignore_ascii_case(name),
            None => f.extensions.contains(&ending.as_str()),
        };
        // Several formats may share an ending (.json, .txt): one that can be written is meant.
        let fitting: Vec<_> = formats.iter().filter(fits).collect();
        if let Some(format) = fitting.iter().find(|f| f.writes) {
            return Ok(SaveAs::Format(**format));
        }
        if let Some(format) = fitting.first() {
            return Err(format!("{} can be read but not written", format.name));
        }
        if let Some(exporter) = name.map_or_else(|| by_ending(&ending), by_id) {
            return Ok(SaveAs::Export(exporter));
        }
        let own = formats.iter().filter(|f| f.writes).flat_map(|f| f.extensions);
        let known: String =
            own.chain(super::ALL.iter().flat_map(|e| e.extensions)).map(|e| format!(", .{e}")).collect();
        let asked = name.map_or_else(|| format!(".{ending}"), Into::into);
        Err(format!("levels of {} are not written as {asked}; they are written as .ron{known}", game.info().name))
    }
}

/// What saving came to.
#[derive(Debug, Default)]
pub struct Saved {
    /// What the format could not hold, a sentence each.
    pub dropped: Vec<String>,
    /// Why the earlier version of the file could not be kept, if it could not.
    pub not_kept: Option<FileError>,
}

/// Writes levels, in place of what is there; a file's earlier version is kept below `backups`. Everything is made before anything is written, and
/// messages name the path.
pub fn save_as(
    docs: &[Box<dyn Doc>],
    path: &Path,
    what: SaveAs,
    options: &Options,
    backups: Option<&Path>,
    probe: &mut Probe,
) -> Result<Saved, NotMade> {
    let refuse = |text: String| NotMade::Refused(FileError::new(path, text).to_string());
    let told = |trouble: FileError| NotMade::Refused(trouble.to_string());
    let first = docs.first().ok_or_else(|| refuse("there is no level to save".into()))?;
    let mut saved = Saved::default();
    let (bytes, beside) = match what {
        SaveAs::Native if docs.len() > 1 => {
            return Err(refuse(format!(
                "a .ron file holds one level and these are {}: give a folder, or choose one of them",
                docs.len()
            )));
        }
        SaveAs::Native => (first.native().into_bytes(), Vec::new()),
        SaveAs::Folder => return save_folder(docs, path, options).map(|()| saved).map_err(told),
        SaveAs::Format(format) => {
            let game = first.game();
            if let Some(other) = docs.iter().find(|d| d.game().info().id != game.info().id) {
                let (a, b) = (game.info().name, other.game().info().name);
                return Err(refuse(format!("levels of {a} and {b} cannot be in one file of this format")));
            }
            let natives: Vec<_> = docs.iter().map(|d| d.native()).collect();
            let written = game.write_format(format.id, &natives).map_err(|f| refuse(f.to_string()))?;
            saved.dropped = written.dropped;
            (written.text.into_bytes(), Vec::new())
        }
        SaveAs::Export(exporter) => {
            let made = write(exporter, docs, options, probe).map_err(|e| match e {
                NotMade::Refused(text) => refuse(text),
                stopped => stopped,
            })?;
            saved.dropped = made.dropped;
            (made.bytes, made.beside)
        }
    };
    if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
        disk::make_folder(folder).map_err(told)?;
    }
    for (name, bytes) in beside {
        disk::write_atomic(&path.with_file_name(name), &bytes).map_err(told)?;
    }
    saved.not_kept = backups::replace(backups, path, &bytes).map_err(told)?;
    Ok(saved)
}

/// Writes a file for each level and a pack that lists them.
fn save_folder(docs: &[Box<dyn Doc>], path: &Path, options: &Options) -> Result<(), FileError> {
    let folder = if path.ends_with(pack::FILE_NAME) { path.parent().unwrap_or(Path::new("")) } else { path };
    disk::make_folder(folder)?;
    let width = docs.len().to_string().len().max(4);
    let named = |(n, title): (usize, &str)| match title {
        "" => format!("{n:0width$}.ron"),
        title => format!("{n:0width$}-{}.ron", disk::file_name(title)),
    };
    let levels: Vec<_> = (1..).zip(docs.iter().map(|d| d.meta().title.as_str())).map(named).collect();
    for (name, doc) in levels.iter().zip(docs) {
        disk::write_atomic(&folder.join(name), doc.native().as_bytes())?;
    }
    let pack = Pack { title: options.title.clone(), levels };
    disk::write_atomic(&folder.join(pack::FILE_NAME), pack::write(&pack).as_bytes())
}
