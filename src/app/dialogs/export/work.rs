//! What the dialog does in the background: reading the levels, making the files, writing them.

use crate::{
    catalogue::Reader,
    disk::{self, LevelId},
    document::Doc,
    export::{self, Options, SaveAs},
    formats,
    game::NotMade,
    games,
    job::Probe,
};
use std::path::PathBuf;

/// Where the levels come from.
pub(super) enum Source {
    /// Copies of open ones.
    Copies(Vec<Box<dyn Doc>>),
    /// All levels of the pack or collection that this one is of.
    Pack(LevelId),
    /// These, in this order.
    Listed(Vec<LevelId>),
}

impl Source {
    pub(super) fn load(self, probe: &mut Probe) -> Result<Vec<Box<dyn Doc>>, NotMade> {
        match self {
            Source::Copies(docs) => Ok(docs),
            Source::Pack(level) => pack(&level).map_err(NotMade::Refused),
            Source::Listed(levels) => {
                let (mut reader, mut docs) = (Reader::default(), Vec::new());
                for level in levels {
                    probe.check()?;
                    docs.push(reader.load(&level).map_err(NotMade::Refused)?);
                }
                Ok(docs)
            }
        }
    }
}

fn pack(level: &LevelId) -> Result<Vec<Box<dyn Doc>>, String> {
    match level {
        LevelId::Shipped(game, _) => {
            let levels = games::by_id(game).map(|g| g.info().levels).unwrap_or_default();
            let read = levels.iter().map(|t| formats::read(t.as_bytes()));
            Ok(read.collect::<Result<Vec<_>, _>>().map_err(|f| f.to_string())?.into_iter().flatten().collect())
        }
        LevelId::Member(path, _) => {
            Ok(disk::open_path(path).map_err(|t| t.to_string())?.into_iter().map(|l| l.doc).collect())
        }
        _ => Err("this level is not part of a pack".into()),
    }
}

/// What is to be written.
pub(super) struct Order {
    pub(super) what: SaveAs,
    pub(super) path: PathBuf,
    pub(super) options: Options,
    pub(super) source: Source,
    /// Whether files that are there may be replaced.
    pub(super) replace: bool,
    pub(super) backups: Option<PathBuf>,
}

/// What came of it.
pub(super) enum Outcome {
    Written {
        path: PathBuf,
        what: SaveAs,
        /// What these levels lost in particular.
        lost: Vec<String>,
        /// Why the earlier version of the file could not be kept.
        not_kept: Option<String>,
        /// The text of a level in our own format.
        text: Option<String>,
    },
    /// These files are there and were left alone.
    Exist(Vec<PathBuf>),
}

impl Order {
    pub(super) fn carry_out(self, probe: &mut Probe) -> Result<Outcome, NotMade> {
        let Order { what, path, .. } = self;
        let docs = self.source.load(probe)?;
        let made = export::make(&docs, &path, what, &self.options, probe)?;
        let there = made.existing();
        if !self.replace && !there.is_empty() {
            return Ok(Outcome::Exist(there.into_iter().map(PathBuf::from).collect()));
        }
        // From here on it is not stopped half way.
        probe.check()?;
        let text = match (what, made.files.last()) {
            (SaveAs::Native, Some((_, bytes))) => String::from_utf8(bytes.clone()).ok(),
            _ => None,
        };
        let saved = made.write(self.backups.as_deref()).map_err(|e| NotMade::Refused(e.to_string()))?;
        // What is always left out stood in the dialog.
        let lost = saved.dropped.into_iter().filter(|d| !what.drops().contains(&d.as_str())).collect();
        Ok(Outcome::Written { path, what, lost, not_kept: saved.not_kept.map(|e| e.to_string()), text })
    }
}
