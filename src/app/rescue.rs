//! Unsaved drafts are copied away every few seconds, and those of a program that died are offered at the next start.
//!
//! The copies are written by a job, never in a frame; a draft that has not changed is not written again, and where nothing is unsaved nothing happens at all.

use super::{
    dialogs::Dialog,
    workshop::{Mode, OpenLevel, Workshop},
};
use crate::{
    catalogue::Reader,
    disk::{FileError, LevelId},
    document::{Doc, Wake},
    formats,
    job::{Job, Limits},
    memory::recovery::{Draft, Found, Left, Session, discard, left_behind},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

const EVERY: Duration = Duration::from_secs(1);
/// After a failure (a full disk), the next try is this much later.
const PAUSE: Duration = Duration::from_secs(60);

/// What a job of copying hands back.
struct Done {
    session: Option<Session>,
    written: Vec<(u64, u64)>,
    removed: Vec<u64>,
    open: Vec<LevelId>,
    trouble: Option<FileError>,
}

/// The copies of this running program, and what others left.
pub struct Rescue {
    /// How old a change may become before it is copied away.
    pub every: Duration,
    root: Option<PathBuf>,
    session: Option<Session>,
    /// The revision of each open level that is on disk.
    written: BTreeMap<u64, u64>,
    /// The open levels as they are listed on disk.
    open: Vec<LevelId>,
    /// Recovered drafts whose old copy goes away once there is a new one.
    adopted: BTreeMap<u64, PathBuf>,
    due: Option<Instant>,
    job: Option<Job<Done>>,
    looking: Option<Job<(Found, Vec<(LevelId, Box<dyn Doc>)>)>>,
    /// Drafts of programs that died.
    pub left: Vec<Left>,
}

impl Default for Rescue {
    fn default() -> Rescue {
        Rescue {
            every: EVERY,
            root: None,
            session: None,
            written: BTreeMap::new(),
            open: Vec::new(),
            adopted: BTreeMap::new(),
            due: None,
            job: None,
            looking: None,
            left: Vec::new(),
        }
    }
}

impl Rescue {
    /// Keeps copies below this folder, and looks there for what was left.
    pub fn open(data: Option<&Path>, wake: &Wake) -> Rescue {
        let Some(root) = data.map(|d| d.join("recovery")) else { return Rescue::default() };
        let (wake, look) = (wake.clone(), root.clone());
        let looking = Some(Job::spawn(Limits::default(), move || wake(), move |_| look_back(&look)));
        Rescue { root: Some(root), looking, ..Rescue::default() }
    }

    /// Whether something is being read or written.
    pub fn busy(&self) -> bool {
        self.job.is_some() || self.looking.is_some()
    }

    /// Whether every unsaved change is on disk.
    pub fn up_to_date(&self) -> bool {
        !self.busy() && self.due.is_none()
    }

    fn take_in(&mut self, done: Done) -> Option<FileError> {
        (self.session, self.open) = (done.session, done.open);
        for id in done.removed {
            self.written.remove(&id);
        }
        for (id, revision) in done.written {
            self.written.insert(id, revision);
            if let Some(old) = self.adopted.remove(&id) {
                discard(&old);
            }
        }
        if done.trouble.is_some() {
            self.due = Some(Instant::now() + PAUSE);
        }
        done.trouble
    }

    /// Starts copying when it is time; how long until then, if there is something to copy.
    fn tick(&mut self, open: &mut [OpenLevel], wake: &Wake) -> Option<Duration> {
        self.root.as_ref()?;
        let written = &self.written;
        let unsaved: BTreeMap<u64, u64> =
            open.iter_mut().filter_map(|o| o.doc.dirty().then(|| (o.id, o.doc.revision()))).collect();
        let stale: Vec<u64> = written.keys().filter(|id| !unsaved.contains_key(id)).copied().collect();
        let changed = |id: &u64, revision: &u64| written.get(id) != Some(revision);
        let relisted = self.session.is_some() && !open.iter().map(|o| &o.level).eq(&self.open);
        let fresh = relisted || unsaved.iter().any(|(id, revision)| changed(id, revision));
        if !stale.is_empty() {
            self.due.get_or_insert_with(Instant::now);
        } else if fresh {
            self.due.get_or_insert_with(|| Instant::now() + self.every);
        } else {
            self.due = None;
        }
        let wait = self.due?.saturating_duration_since(Instant::now());
        if self.job.is_some() || !wait.is_zero() {
            return Some(wait).filter(|w| !w.is_zero());
        }
        self.due = None;
        let drafts = open.iter().filter(|o| unsaved.get(&o.id).is_some_and(|r| changed(&o.id, r)));
        let drafts: Vec<_> = drafts
            .map(|o| (o.id, o.doc.revision(), Draft::new(o.title(), o.path().map(Into::into), o.doc.native())))
            .collect();
        let levels = open.iter().map(|o| o.level.clone()).collect();
        let (session, root, wake) = (self.session.take(), self.root.clone()?, wake.clone());
        let work = move |_: &mut crate::job::Probe| copy(session, &root, &drafts, stale, levels);
        self.job = Some(Job::spawn(Limits::default(), move || wake(), work));
        None
    }

    /// Everything is saved or given up: takes the copies away.
    pub fn end(&mut self) {
        if let Some(done) = self.job.take().and_then(|job| job.wait().ok()) {
            self.take_in(done);
        }
        for old in std::mem::take(&mut self.adopted).into_values() {
            discard(&old);
        }
        if let Some(session) = self.session.take() {
            session.end();
        }
        self.root = None;
    }
}

/// What dead programs left; the levels that they had open are read again.
fn look_back(root: &Path) -> (Found, Vec<(LevelId, Box<dyn Doc>)>) {
    let found = left_behind(root);
    let mut reader = Reader::default();
    let open = found.open.iter().filter_map(|level| Some((level.clone(), reader.load(level).ok()?))).collect();
    (found, open)
}

fn copy(
    session: Option<Session>,
    root: &Path,
    drafts: &[(u64, u64, Draft)],
    stale: Vec<u64>,
    open: Vec<LevelId>,
) -> Done {
    let mut done = Done { session, written: Vec::new(), removed: Vec::new(), open, trouble: None };
    if done.session.is_none() && !drafts.is_empty() {
        match Session::begin(root) {
            Ok(session) => done.session = Some(session),
            Err(trouble) => done.trouble = Some(trouble),
        }
    }
    let Some(session) = &done.session else { return done };
    for (id, revision, draft) in drafts {
        match session.write(*id, draft) {
            Ok(()) => done.written.push((*id, *revision)),
            Err(trouble) => done.trouble = Some(trouble),
        }
    }
    if let Err(trouble) = session.write_open(&done.open) {
        done.trouble = Some(trouble);
    }
    for id in &stale {
        session.remove(*id);
    }
    done.removed = stale;
    done
}

impl Workshop {
    /// Copies drafts away and takes in what was found; how long until there is something to do.
    pub(super) fn tick_rescue(&mut self) -> Option<Duration> {
        if let Some(found) = self.services.rescue.looking.as_ref().and_then(Job::poll) {
            self.services.rescue.looking = None;
            let (found, open) = found.unwrap_or_default();
            self.reopen(open);
            found.errors.iter().for_each(|error| self.warn(error.to_string()));
            self.services.rescue.left = found.drafts;
            if !self.services.rescue.left.is_empty() && self.dialog.is_none() {
                self.dialog = Some(Dialog::Recovered { discard: None });
            }
        }
        if let Some(done) = self.services.rescue.job.as_ref().and_then(Job::poll) {
            self.services.rescue.job = None;
            let trouble = match done {
                Ok(done) => self.services.rescue.take_in(done).map(|t| t.to_string()),
                Err(message) => Some(message),
            };
            if let Some(trouble) = trouble {
                self.warn(format!("unsaved levels could not be backed up: {trouble}"));
            }
        }
        let wake = self.services.wake.clone();
        self.services.rescue.tick(&mut self.session.open, &wake)
    }

    /// Opens levels again behind the one in front.
    fn reopen(&mut self, levels: Vec<(LevelId, Box<dyn Doc>)>) {
        let (front, mode, panes) = (self.session.active, self.session.mode, self.frame.show_panes.len());
        for (level, doc) in levels {
            if self.session.open.iter().all(|o| o.level != level) {
                self.add(doc, level, Mode::Play);
            }
        }
        self.activate(front);
        self.session.mode = mode;
        self.frame.show_panes.truncate(panes);
    }

    /// Opens a recovered draft as it was, unsaved.
    pub fn restore(&mut self, index: usize) {
        let Some(left) = self.services.rescue.left.get(index).cloned() else { return };
        let doc = formats::read(left.draft.text.as_bytes()).map(|docs| docs.into_iter().next());
        match doc {
            Ok(Some(mut doc)) => {
                doc.mark_unsaved();
                let level = left.draft.from.map_or(LevelId::New, |p| LevelId::file(&p));
                // What is open of it came from the file, without these changes.
                self.session.open.retain_mut(|o| o.level != level || level == LevelId::New || o.doc.dirty());
                self.add(doc, level, Mode::Edit);
                // Its old copy stays until there is a new one.
                if let Some(id) = self.session.current_mut().map(|o| o.id) {
                    self.services.rescue.adopted.insert(id, left.file);
                    self.services.rescue.due = Some(Instant::now());
                }
                self.services.rescue.left.remove(index);
            }
            Ok(None) => {}
            Err(fault) => self.complain(format!("{}: {fault}", left.file.display())),
        }
    }

    /// Throws a recovered draft away.
    pub fn discard_draft(&mut self, index: usize) {
        if index < self.services.rescue.left.len() {
            discard(&self.services.rescue.left.remove(index).file);
        }
    }
}

/// "5 minutes ago".
pub fn ago(seconds: u64) -> String {
    let (n, unit) = match seconds {
        0..60 => return "just now".into(),
        60..3600 => (seconds / 60, "minute"),
        3600..86400 => (seconds / 3600, "hour"),
        _ => (seconds / 86400, "day"),
    };
    format!("{n} {unit}{} ago", if n == 1 { "" } else { "s" })
}
