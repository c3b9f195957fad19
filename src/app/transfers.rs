//! Levels on their way from and to the disk. Both go in the background ([`Queue`]): a level is read or written as it was when that was asked for, and what has
//! happened since is looked at when it is done.

use super::{
    dialogs::{Then, export},
    files, panels,
    session::{Mode, OpenLevel},
    workshop::Workshop,
};
use crate::{
    disk::{self, LevelId, Loaded},
    document::Wake,
    export::Saved,
    game::Meta,
    job::{Job, Limits},
};
use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

/// The levels of a file, or why there are none.
pub type Read = Result<Vec<Loaded>, String>;

/// A level being saved.
pub struct Saving {
    /// Its id.
    pub level: u64,
    /// The file.
    pub file: PathBuf,
    /// The level as it was when that was asked for, as a native file.
    pub text: String,
    /// What to do then.
    pub then: Then,
}

/// After this long a file that is being read or written is named in the status bar.
const SLOW: Duration = Duration::from_millis(300);

/// How many files File, Recent files lists.
const MOST_RECENT: usize = 12;

/// Reads a file in the background.
pub fn read(path: PathBuf, wake: &Wake) -> Job<Read> {
    let wake = wake.clone();
    Job::spawn(Limits::default(), move || wake(), move |_| read_now(&path))
}

fn read_now(path: &Path) -> Read {
    disk::open_path(path).map_err(|e| e.to_string())
}

impl Workshop {
    /// Opens a file: a collection opens its first level and joins the library.
    pub fn open_path(&mut self, path: &Path) {
        let path = disk::absolute(path);
        let reading = self.services.reading.all_mut().any(|p| *p == path);
        if !reading && !self.bring(&LevelId::File(path.clone())) {
            let file = path.clone();
            self.services.reading.add(&self.services.wake, path, move || read_now(&file));
        }
    }

    /// Takes in a file that was read; why it could not be.
    pub fn opened(&mut self, path: PathBuf, read: Read) -> Result<(), String> {
        let levels = read?;
        let name = disk::last_part(&path);
        if levels.len() > 1 {
            panels::library::add_collection(self, &path);
            self.say(format!("{name}: {} levels, listed in the Library", levels.len()));
        } else {
            self.say(format!("opened {name}"));
        }
        self.settings.recent.retain(|p| *p != path);
        self.settings.recent.insert(0, path);
        self.settings.recent.truncate(MOST_RECENT);
        if let Some(first) = levels.into_iter().next()
            && !self.bring(&first.id)
        {
            self.add(first.doc, first.id, Mode::Play);
        }
        Ok(())
    }

    /// Saves a level, asking for a name if it has none.
    pub fn save(&mut self, level: u64, then: Then) {
        match self.session.level(level).and_then(OpenLevel::path).map(Path::to_path_buf) {
            Some(path) => self.save_to(level, path, then),
            None => export::open_to_save(self, level, then),
        }
    }

    /// Gives a level without a title the name of its first file.
    pub(super) fn name_after(&mut self, level: u64, file: &Path) {
        let Some(open) = self.session.level_mut(level) else { return };
        let name = file.file_stem().map(|n| n.to_string_lossy().into_owned());
        // The name that was proposed for it, or that name with a number, says nothing.
        let proposed = disk::file_name(&open.title());
        let numbered = |rest: &str| rest.strip_prefix('-').is_some_and(|n| n.parse::<u32>().is_ok());
        let name = name.filter(|n| n.strip_prefix(&proposed).is_none_or(|rest| !rest.is_empty() && !numbered(rest)));
        if let Some(title) = name.filter(|_| open.doc.meta().title.is_empty() && open.path().is_none()) {
            let meta = Meta { title, ..open.doc.meta().clone() };
            open.doc.set_meta(meta);
        }
    }

    /// Writes a level to a file.
    pub fn save_to(&mut self, level: u64, file: PathBuf, then: Then) {
        self.name_after(level, &file);
        let Some(open) = self.session.level(level) else { return };
        let (doc, text, path) = (open.doc.duplicate(), open.doc.native(), file.clone());
        let backups = self.services.backups.clone();
        let saving = Saving { level, file, text, then };
        self.services.saving.add(&self.services.wake, saving, move || files::save(doc, &path, backups.as_deref()));
    }

    /// Has a save that is under way followed by closing or leaving, if it saves the level as it is now; whether there is one.
    pub(super) fn after_saving(&mut self, level: u64, then: Then) -> bool {
        let Some(text) = self.session.level(level).map(|o| o.doc.native()) else { return false };
        let same = |s: &&mut Saving| s.level == level && disk::is_native(&s.file) && s.text == text;
        self.services.saving.all_mut().rfind(same).map(|s| s.then = then).is_some()
    }

    fn saved(&mut self, saving: Saving, done: Result<Saved, String>) {
        let Saving { level, file, text, then } = saving;
        let Saved { dropped, not_kept } = match done {
            Ok(saved) => saved,
            Err(message) if then.leaves() => return self.complain(format!("{message}: the window stays open")),
            Err(message) => return self.complain(message),
        };
        let mut unchanged = false;
        if let Some(open) = self.session.level_mut(level) {
            unchanged = open.doc.native() == text;
            if open.path().is_none() && disk::is_native(&file) {
                open.level = LevelId::File(file.clone());
            }
            // The library may have moved the level to another file meanwhile.
            if open.path() == Some(&file) {
                open.doc.set_saved(text);
            }
        }
        self.library.refresh();
        let lost = if dropped.is_empty() { String::new() } else { format!("; left out: {}", dropped.join("; ")) };
        let words = format!("saved {}{lost}", file.display());
        match not_kept {
            None => self.say(words),
            Some(why) => self.complain(format!("{words}, but its earlier version could not be kept: {why}")),
        }
        if unchanged {
            self.finish(level, then);
        } else if then.leaves() {
            self.quit();
        } else if then == Then::Close
            && let Some(index) = self.session.index_of(level)
        {
            self.close(index);
        }
    }

    /// Does what was to be done after saving.
    pub(super) fn finish(&mut self, level: u64, then: Then) {
        if then != Then::Stay
            && let Some(index) = self.session.index_of(level)
        {
            self.close_now(index);
        }
        match then {
            Then::Quit => self.quit(),
            Then::SaveAll => self.save_all(),
            Then::Stay | Then::Close => {}
        }
    }

    /// Saves all levels with changes one after another, each closed when it is saved, and leaves the program. One that cannot be saved, or whose name is not
    /// given, ends this.
    pub(super) fn save_all(&mut self) {
        let Some(index) = self.session.open.iter_mut().position(|o| o.doc.dirty()) else { return self.quit() };
        let level = self.session.open[index].id;
        if self.after_saving(level, Then::SaveAll) {
            return;
        }
        if self.session.open[index].path().is_none() {
            self.say(format!("\"{}\" has no file yet: give it a name", self.session.open[index].title()));
            // A dialog that was opened meanwhile is not closed for that.
            if self.dialog.is_some() {
                return;
            }
            self.activate(index);
        }
        self.save(level, Then::SaveAll);
    }

    /// Takes in what was read and written.
    pub(super) fn tick_files(&mut self) {
        let wake = self.services.wake.clone();
        while let Some((path, read)) = self.services.reading.take_done(&wake) {
            if let Err(message) = self.opened(path, read.and_then(|r| r)) {
                self.complain(message);
            }
        }
        while let Some((saving, done)) = self.services.saving.take_done(&wake) {
            self.saved(saving, done.and_then(|d| d));
        }
        while let Some((_, done)) = self.services.chores.take_done(&wake) {
            if let Ok(Ok(Some(message)) | Err(message)) | Err(message) = done {
                self.complain(message);
            }
        }
    }

    /// Waits a little for files that are being read, so that the first frame shows the level and not the page before it.
    pub(super) fn wait_for_files(&mut self, at_most: Duration) {
        let begun = Instant::now();
        while self.services.reading.busy() && begun.elapsed() < at_most {
            thread::sleep(Duration::from_millis(1));
            self.tick_files();
        }
    }

    /// A file that takes its time, in words.
    pub(super) fn slow_file(&self) -> Option<String> {
        let saving = self.services.saving.running().map(|(s, since)| ("saving", &s.file, since));
        let reading = || self.services.reading.running().map(|(path, since)| ("reading", path, since));
        let (what, path, since) = saving.or_else(reading).filter(|(.., since)| *since > SLOW)?;
        Some(format!("{what} {} … {} s", disk::last_part(path), since.as_secs()))
    }
}
