//! The open levels: which one is in front, and whether it is played or edited.

use super::{
    campaign::Won,
    canvas::Camera,
    celebration::Celebration,
    panels::{
        edit::{EditUi, stamps::Placing, strokes},
        variants::VariantShelf,
    },
    run::Run,
};
use crate::{
    disk::LevelId,
    document::{Digest, Doc},
    memory::Place,
};
use std::{path::Path, time::Instant};

/// Whether one plays or draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Playing (or stepping).
    Play,
    /// Drawing.
    Edit,
}

/// An open level.
pub struct OpenLevel {
    /// The level.
    pub doc: Box<dyn Doc>,
    /// Which level it is: what "next level" means, and where it is saved.
    pub level: LevelId,
    /// Where one looks.
    pub camera: Camera,
    /// Points a cell at the moment.
    pub scale: f32,
    /// Tools and selection.
    pub edit: EditUi,
    /// The stamp in hand.
    pub stamp: Option<Placing>,
    /// Its variants.
    pub variants: VariantShelf,
    /// Whether the Play panel shows the line's steps.
    pub stepping: bool,
    /// The win on its board.
    pub celebration: Celebration,
    /// The endless run that it is a board of.
    pub run: Option<Run>,
    /// The win that is on the board now, and what it was measured against.
    pub won: Option<Won>,
    /// The campaign's level that it was when it was opened: game, place, and the level itself. Only that one counts.
    pub campaign: Option<(&'static str, Place, Digest)>,
    /// A number that is never used twice.
    pub id: u64,
}

impl OpenLevel {
    fn new(doc: Box<dyn Doc>, level: LevelId, id: u64) -> OpenLevel {
        OpenLevel {
            doc,
            level,
            camera: Camera::default(),
            scale: 32.0,
            edit: EditUi::default(),
            stamp: None,
            variants: VariantShelf::default(),
            stepping: false,
            celebration: Celebration::default(),
            run: None,
            won: None,
            campaign: None,
            id,
        }
    }

    /// The file that it is saved to, if it has one of its own.
    pub fn path(&self) -> Option<&Path> {
        self.level.own_file()
    }

    /// The title to show.
    pub fn title(&self) -> String {
        let title = &self.doc.meta().title;
        if !title.is_empty() {
            return title.clone();
        }
        match self.level.path().and_then(Path::file_stem) {
            Some(stem) => stem.to_string_lossy().into_owned(),
            None => format!("Untitled {}", self.doc.game().info().name),
        }
    }
}

/// The open levels, the one in front, and what is done with it.
pub struct Session {
    /// The open levels.
    pub open: Vec<OpenLevel>,
    /// The one in front.
    pub active: usize,
    /// Whether it is played or edited.
    pub mode: Mode,
    /// Autoplay of the line: when the next step is due.
    pub autoplay: Option<Instant>,
    next_id: u64,
}

impl Default for Session {
    fn default() -> Session {
        Session { open: Vec::new(), active: 0, mode: Mode::Play, autoplay: None, next_id: 1 }
    }
}

impl Session {
    /// The level in front.
    pub fn current(&self) -> Option<&OpenLevel> {
        self.open.get(self.active)
    }

    /// The same, to change it.
    pub fn current_mut(&mut self) -> Option<&mut OpenLevel> {
        self.open.get_mut(self.active)
    }

    /// The open level with this id.
    pub fn level(&self, id: u64) -> Option<&OpenLevel> {
        self.open.iter().find(|o| o.id == id)
    }

    /// The same, to change it.
    pub fn level_mut(&mut self, id: u64) -> Option<&mut OpenLevel> {
        self.open.iter_mut().find(|o| o.id == id)
    }

    /// Where the level with this id stands in the list.
    pub fn index_of(&self, id: u64) -> Option<usize> {
        self.open.iter().position(|o| o.id == id)
    }

    /// Where a level stands in the list, if it is open. A level without an identity never is.
    pub(super) fn find(&self, level: &LevelId) -> Option<usize> {
        self.open.iter().position(|o| o.level == *level).filter(|_| *level != LevelId::New)
    }

    /// Puts a new level in front.
    pub(super) fn push(&mut self, doc: Box<dyn Doc>, level: LevelId) {
        self.open.push(OpenLevel::new(doc, level, self.next_id));
        self.next_id += 1;
        self.active = self.open.len() - 1;
        self.autoplay = None;
    }

    /// Closes a level without asking.
    pub(super) fn remove(&mut self, index: usize) {
        self.open.remove(index);
        if self.active >= index {
            self.active = self.active.saturating_sub(usize::from(self.active > 0));
        }
        self.autoplay = None;
    }

    /// Ends the strokes under way: what comes next finds whole drafts.
    pub fn end_strokes(&mut self) {
        self.open.iter_mut().for_each(strokes::finish);
    }
}
