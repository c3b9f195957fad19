//! What works in the background for all levels: records, recovery copies, backups, the level being made, tables that a game computes once.

use super::{
    campaign::Making,
    queue::Queue,
    rescue::Rescue,
    transfers::{Read, Saving},
};
use crate::{
    document::{AnyGame, Wake},
    export::Saved,
    job::{Job, Limits, Stop},
    memory::Keeper,
};
use std::path::PathBuf;

/// All of them.
pub struct Services {
    /// What was won, and how well.
    pub keeper: Keeper,
    /// Copies of unsaved drafts, and those that a crash left.
    pub rescue: Rescue,
    /// Where earlier versions of saved files are kept.
    pub backups: Option<PathBuf>,
    /// Where variants are kept.
    pub variants_folder: Option<PathBuf>,
    /// Small things being written; what the user should know, or why it failed.
    pub chores: Queue<(), Result<Option<String>, String>>,
    /// Files being read, to be opened.
    pub reading: Queue<PathBuf, Read>,
    /// Levels being saved.
    pub saving: Queue<Saving, Result<Saved, String>>,
    /// The level that is being made and will be opened.
    pub making: Option<Making>,
    /// Tables for solvers.
    pub(super) preparing: Preparing,
    /// Called by background work that has something new.
    pub wake: Wake,
}

impl Services {
    /// Nothing is kept anywhere.
    pub fn new(wake: Wake) -> Services {
        Services {
            keeper: Keeper::default(),
            rescue: Rescue::default(),
            backups: None,
            variants_folder: None,
            chores: Queue::default(),
            reading: Queue::default(),
            saving: Queue::default(),
            making: None,
            preparing: Preparing::default(),
            wake,
        }
    }
}

/// What a game computes once so that its solver is at its best.
#[derive(Default)]
pub(super) struct Preparing {
    /// Whether that may be done at all: it takes time and room in the user's cache.
    pub allowed: bool,
    /// The game's words for it, and the work.
    pub running: Option<(&'static str, Job<Result<(), Stop>>)>,
    begun: Vec<&'static str>,
}

impl Preparing {
    /// Starts the work of a game, once.
    pub fn start(&mut self, game: &'static dyn AnyGame, wake: &Wake) {
        let id = game.info().id;
        let Some(words) = game.prepares().filter(|_| self.allowed) else { return };
        if self.running.is_none() && !self.begun.contains(&id) {
            self.begun.push(id);
            let wake = wake.clone();
            self.running = Some((words, Job::spawn(Limits::default(), move || wake(), move |p| game.prepare(p))));
        }
    }

    /// Takes in its end; what went wrong.
    pub fn tick(&mut self) -> Option<String> {
        let done = self.running.as_ref().and_then(|(_, job)| job.poll())?;
        self.running = None;
        done.err()
    }
}
