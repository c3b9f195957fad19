//! Saving levels to a path: the one place that chooses a format by the ending of a file's name.

use super::{Exporter, Options, Takes, by_ending, by_id, write};
use crate::{
    disk::{self, FileError},
    document::{AnyGame, Doc, FormatInfo},
    formats::pack::{self, Pack},
    game::NotMade,
    job::Probe,
    memory::backups,
};
use std::path::{Path, PathBuf};

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
    /// Everything that levels of a game can be written as: what can be read again first. Without a game, what holds levels of several.
    pub fn all(game: Option<&dyn AnyGame>) -> Vec<SaveAs> {
        let own = [SaveAs::Native, SaveAs::Folder];
        let formats = game.map(|g| g.formats()).unwrap_or_default().into_iter().filter(|f| f.writes);
        let exports = super::ALL.iter().filter(|e| game.is_some() || e.takes == Takes::Any).map(SaveAs::Export);
        let mut all: Vec<_> = own.into_iter().chain(formats.map(SaveAs::Format)).chain(exports).collect();
        all.sort_by_key(|what| !what.reads());
        all
    }

    /// Short name.
    pub fn id(&self) -> &'static str {
        match self {
            SaveAs::Native => "native",
            SaveAs::Folder => "folder",
            SaveAs::Format(format) => format.id,
            SaveAs::Export(exporter) => exporter.id,
        }
    }

    /// Name for people.
    pub fn name(&self) -> &'static str {
        match self {
            SaveAs::Native => "Tilewright level",
            SaveAs::Folder => "Tilewright pack (folder)",
            SaveAs::Format(format) => format.name,
            SaveAs::Export(exporter) => exporter.name,
        }
    }

    /// What one gets, in a sentence.
    pub fn about(&self) -> &'static str {
        match self {
            SaveAs::Native => "The level with everything that belongs to it: title, notes, rules, solutions.",
            SaveAs::Folder => "A folder with a file for each level and a list of them in order.",
            SaveAs::Format(_) => "Levels for other programs that read this format.",
            SaveAs::Export(exporter) => exporter.about,
        }
    }

    /// Endings of file names, the usual one first; a folder has none.
    pub fn endings(&self) -> &'static [&'static str] {
        match self {
            SaveAs::Native => &["ron"],
            SaveAs::Folder => &[],
            SaveAs::Format(format) => format.extensions,
            SaveAs::Export(exporter) => exporter.extensions,
        }
    }

    /// How many levels it holds.
    pub fn takes(&self) -> Takes {
        match self {
            SaveAs::Native => Takes::One,
            SaveAs::Folder => Takes::Any,
            SaveAs::Format(_) => Takes::Several,
            SaveAs::Export(exporter) => exporter.takes,
        }
    }

    /// Whether the program reads it again.
    pub fn reads(&self) -> bool {
        if let SaveAs::Export(exporter) = self { exporter.reads } else { true }
    }

    /// What it always leaves out, a sentence each.
    pub fn drops(&self) -> &'static [&'static str] {
        if let SaveAs::Export(exporter) = self { exporter.drops } else { &[] }
    }

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

/// Files that are made and not written yet.
#[derive(Debug)]
pub struct Made {
    /// Paths and contents; the one that holds or lists the levels comes last, so that it is never there without the others.
    pub files: Vec<(PathBuf, Vec<u8>)>,
    /// What the format could not hold, a sentence each.
    pub dropped: Vec<String>,
}

impl Made {
    /// The files that are there already and would lose what they hold.
    pub fn existing(&self) -> Vec<&Path> {
        let loses = |path: &Path, bytes: &[u8]| path.exists() && disk::read_bytes(path).ok().is_none_or(|b| b != bytes);
        self.files.iter().filter(|(path, bytes)| loses(path, bytes)).map(|(path, _)| path.as_path()).collect()
    }

    /// Writes them, in place of what is there; the earlier version of the last is kept below `backups`.
    pub fn write(self, backups: Option<&Path>) -> Result<Saved, FileError> {
        let mut saved = Saved { dropped: self.dropped, not_kept: None };
        let last = self.files.len().saturating_sub(1);
        for (i, (path, bytes)) in self.files.iter().enumerate() {
            if let Some(folder) = path.parent().filter(|f| !f.as_os_str().is_empty()) {
                disk::make_folder(folder)?;
            }
            match i == last {
                true => saved.not_kept = backups::replace(backups, path, bytes)?,
                false => disk::write_atomic(path, bytes)?,
            }
        }
        Ok(saved)
    }
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
    make(docs, path, what, options, probe)?.write(backups).map_err(|e| NotMade::Refused(e.to_string()))
}

/// Makes the files for a path without writing them. Messages name the path.
pub fn make(
    docs: &[Box<dyn Doc>],
    path: &Path,
    what: SaveAs,
    options: &Options,
    probe: &mut Probe,
) -> Result<Made, NotMade> {
    let refuse = |text: String| NotMade::Refused(FileError::new(path, text).to_string());
    let first = docs.first().ok_or_else(|| refuse("there is no level to save".into()))?;
    let one = |bytes: Vec<u8>, dropped| Made { files: vec![(path.to_path_buf(), bytes)], dropped };
    match what {
        SaveAs::Native if docs.len() > 1 => Err(refuse(format!(
            "a .ron file holds one level and these are {}: give a folder, or choose one of them",
            docs.len()
        ))),
        SaveAs::Native => Ok(one(first.native().into_bytes(), Vec::new())),
        SaveAs::Folder => Ok(folder(docs, path, options)),
        SaveAs::Format(format) => {
            let game = first.game();
            if let Some(other) = docs.iter().find(|d| d.game().info().id != game.info().id) {
                let (a, b) = (game.info().name, other.game().info().name);
                return Err(refuse(format!("levels of {a} and {b} cannot be in one file of this format")));
            }
            let natives: Vec<_> = docs.iter().map(|d| d.native()).collect();
            let written = game.write_format(format.id, &natives).map_err(|f| refuse(f.to_string()))?;
            Ok(one(written.text.into_bytes(), written.dropped))
        }
        SaveAs::Export(exporter) => {
            let made = write(exporter, docs, options, probe).map_err(|e| match e {
                NotMade::Refused(text) => refuse(text),
                stopped => stopped,
            })?;
            let beside = made.beside.into_iter().map(|(name, bytes)| (path.with_file_name(name), bytes));
            let files = beside.chain([(path.to_path_buf(), made.bytes)]).collect();
            Ok(Made { files, dropped: made.dropped })
        }
    }
}

/// A file for each level and a pack that lists them.
fn folder(docs: &[Box<dyn Doc>], path: &Path, options: &Options) -> Made {
    let folder = if path.ends_with(pack::FILE_NAME) { path.parent().unwrap_or(Path::new("")) } else { path };
    let width = docs.len().to_string().len().max(4);
    let named = |(n, title): (usize, &str)| match title {
        "" => format!("{n:0width$}.ron"),
        title => format!("{n:0width$}-{}.ron", disk::file_name(title)),
    };
    let levels: Vec<_> = (1..).zip(docs.iter().map(|d| d.meta().title.as_str())).map(named).collect();
    let mut files: Vec<_> =
        levels.iter().zip(docs).map(|(name, doc)| (folder.join(name), doc.native().into_bytes())).collect();
    let pack = Pack { title: options.title.clone(), levels };
    files.push((folder.join(pack::FILE_NAME), pack::write(&pack).into_bytes()));
    Made { files, dropped: Vec::new() }
}
