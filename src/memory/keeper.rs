//! Records on disk, shared by all running copies of the program.
//!
//! What is won is merged into memory at once and written in the background: under a lock, the file is read, merged with what is new, and replaced as a
//! whole. So nothing in the file is ever lost, in whatever order copies write, and this copy learns what the others have won. A damaged file is set
//! aside and named; a file of a newer program is left alone, and then, as where there is no folder, records are kept in memory only and a message says so.

use super::{
    Records,
    records::{VERSION, now},
};
use crate::{
    disk::{
        self, FileError, Lock, make_folder,
        versioned::{Stored, read_stored, set_aside},
        write_atomic,
    },
    job::{Job, Limits},
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// How long a writer waits for another copy.
const PATIENCE: Duration = Duration::from_secs(10);

type Wake = Arc<dyn Fn() + Send + Sync>;

/// The result of reading or writing the file.
#[derive(Default)]
struct Outcome {
    /// What is in the file now; nothing if it was not read.
    records: Option<Records>,
    /// Something the user should know.
    message: Option<String>,
    /// The file must not be written, now or later.
    read_only: bool,
    /// The old file was not there or set aside: all that is in memory must be written again.
    rewrite_all: bool,
    /// What was to be written is on disk.
    written: bool,
}

/// Keeps the records.
pub struct Keeper {
    records: Records,
    /// What is not on disk yet.
    pending: Records,
    /// What the running writer was given.
    writing: Option<(Records, Job<Outcome>)>,
    path: Option<PathBuf>,
    messages: Vec<String>,
    wake: Wake,
}

impl Default for Keeper {
    fn default() -> Keeper {
        Keeper::in_memory(Records::default())
    }
}

impl Keeper {
    /// Keeps records in memory only.
    pub fn in_memory(records: Records) -> Keeper {
        let pending = Records::default();
        let wake: Wake = Arc::new(|| ());
        Keeper { records, pending, writing: None, path: None, messages: Vec::new(), wake }
    }

    /// Reads the file, which need not be there. [`Keeper::messages`] says what went wrong.
    pub fn open(path: Option<PathBuf>, wake: Wake) -> Keeper {
        let mut keeper = Keeper { wake, ..Keeper::default() };
        let Some(path) = path else { return keeper };
        // Only read, so no lock: a file is always whole.
        let found = match read_stored::<Records>(&path, VERSION) {
            // Setting it aside changes something: that needs the lock.
            Stored::Damaged(_) => exchange(&path, &Records::default()),
            kept => Ok(outcome_of(&path, kept)),
        };
        keeper.path = Some(path);
        keeper.take_in(None, found.unwrap_or_else(failure));
        keeper
    }

    /// All records, as far as this copy knows.
    pub fn records(&self) -> &Records {
        &self.records
    }

    /// Merges something in, and writes it in the background.
    pub fn add(&mut self, more: &Records) {
        self.records.merge(more);
        if self.path.is_some() {
            self.pending.merge(more);
            self.write();
        }
    }

    /// Whether something is being written.
    pub fn busy(&self) -> bool {
        self.writing.is_some()
    }

    /// Whether records last only as long as the program runs.
    pub fn only_in_memory(&self) -> bool {
        self.path.is_none()
    }

    fn write(&mut self) {
        let Some(path) = self.path.clone() else { return };
        if self.writing.is_some() || self.pending.is_empty() {
            return;
        }
        let given = std::mem::take(&mut self.pending);
        let (more, wake) = (given.clone(), self.wake.clone());
        let work = move |_: &mut crate::job::Probe| exchange(&path, &more).unwrap_or_else(failure);
        self.writing = Some((given, Job::spawn(Limits::default(), move || wake(), work)));
    }

    /// Takes in what the background has done; true if something changed.
    pub fn tick(&mut self) -> bool {
        let Some(done) = self.writing.as_ref().and_then(|(_, job)| job.poll()) else { return false };
        let Some((given, _)) = self.writing.take() else { return false };
        // After a failure the next change tries again, not the next frame.
        if self.take_in(Some(given), done.unwrap_or_else(crashed)) {
            self.write();
        }
        true
    }

    /// Takes in what the file holds; whether what was given to be written is there.
    fn take_in(&mut self, given: Option<Records>, outcome: Outcome) -> bool {
        self.messages.extend(outcome.message);
        if let Some(given) = given.filter(|_| !outcome.written) {
            self.pending.merge(&given);
        }
        match outcome.records {
            // There was no file, or a damaged one: what this copy knows must all be written again.
            Some(found) if outcome.rewrite_all => {
                self.records.merge(&found);
                if found != self.records {
                    self.pending = self.records.clone();
                }
            }
            // The file holds all that this copy ever gave it: taking it over is quicker than merging thousands of levels in a frame.
            Some(mut found) => {
                found.merge(&self.pending);
                self.records = found;
            }
            None => {}
        }
        if outcome.read_only {
            self.path = None;
            self.pending = Records::default();
        }
        outcome.written
    }

    /// Messages for the user; each is returned once.
    pub fn messages(&mut self) -> Vec<String> {
        std::mem::take(&mut self.messages)
    }

    /// Waits until everything is written that can be: before leaving, and in tests. False if something could not be written.
    pub fn flush(&mut self) -> bool {
        for _ in 0..3 {
            if let Some((given, job)) = self.writing.take() {
                self.take_in(Some(given), job.wait().unwrap_or_else(crashed));
            }
            self.write();
            if self.writing.is_none() {
                break;
            }
        }
        self.writing.is_none() && self.pending.is_empty()
    }

    /// Copies the file beside itself under a name with the date, before something in it is given up; where the copy is. Where there is no
    /// file there is nothing to copy.
    pub fn back_up(&mut self) -> Result<Option<PathBuf>, FileError> {
        self.flush();
        let Some(path) = self.path.clone().filter(|p| p.exists()) else { return Ok(None) };
        let copy = disk::free_name(&path.with_extension(format!("{}.ron", date(now()))));
        write_atomic(&copy, &disk::read_bounded(&path, u64::MAX - 1)?)?;
        Ok(Some(copy))
    }
}

/// A time as `20261116-130405`, in UTC.
pub fn date(seconds: u64) -> String {
    let (y, m, d) = civil(seconds / 86400);
    let s = seconds % 86400;
    format!("{y:04}{m:02}{d:02}-{:02}{:02}{:02}", s / 3600, s / 60 % 60, s % 60)
}

/// Year, month and day of a day counted from 1970-01-01.
pub(super) fn civil(days: u64) -> (u64, u64, u64) {
    let leap = |y: u64| (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
    let (mut year, mut left) = (1970 + days / 146_097 * 400, days % 146_097);
    // 1970 is not the start of a 400-year cycle, but every 400 years have the same number of days.
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= months[month] {
        left -= months[month];
        month += 1;
    }
    (year, month as u64 + 1, left + 1)
}

fn failure(error: FileError) -> Outcome {
    Outcome { message: Some(format!("the records could not be written: {error}")), ..Outcome::default() }
}

fn crashed(message: String) -> Outcome {
    Outcome { message: Some(message), ..Outcome::default() }
}

/// What to do about the file as it was read.
fn outcome_of(path: &Path, kept: Stored<Records>) -> Outcome {
    match kept {
        Stored::Absent => Outcome { records: Some(Records::default()), rewrite_all: true, ..Outcome::default() },
        Stored::Good(records) => Outcome { records: Some(records), ..Outcome::default() },
        Stored::Newer(version) => {
            let message = format!(
                "{} was written by a newer Tilewright (version {version}): it is left alone, and records are kept only until this program ends",
                path.display()
            );
            Outcome { message: Some(message), read_only: true, ..Outcome::default() }
        }
        Stored::Unreadable(error) => {
            let message = format!("{error}: records are kept only until this program ends");
            Outcome { message: Some(message), read_only: true, ..Outcome::default() }
        }
        Stored::Damaged(why) => match set_aside(path) {
            Ok(aside) => {
                let message =
                    format!("the records could not be read ({why}); the old file is kept as {}", aside.display());
                Outcome {
                    records: Some(Records::default()),
                    message: Some(message),
                    rewrite_all: true,
                    ..Outcome::default()
                }
            }
            Err(error) => {
                let message = format!(
                    "the records could not be read ({why}), and {error}: they are kept only until this program ends"
                );
                Outcome { message: Some(message), read_only: true, ..Outcome::default() }
            }
        },
    }
}

/// Reads, merges and writes, while no other copy does.
fn exchange(path: &Path, more: &Records) -> Result<Outcome, FileError> {
    if let Some(folder) = path.parent() {
        make_folder(folder)?;
    }
    let _lock = Lock::take(&path.with_extension("lock"), PATIENCE)?;
    let mut outcome = outcome_of(path, read_stored(path, VERSION));
    let Some(records) = outcome.records.as_mut().filter(|_| !outcome.read_only) else { return Ok(outcome) };
    let before = records.clone();
    records.merge(more);
    if *records != before {
        write_atomic(path, records.to_text().as_bytes())?;
    }
    outcome.written = true;
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{document::Digest, memory::Best};

    fn at(path: &Path) -> Keeper {
        Keeper::open(Some(path.to_path_buf()), Arc::new(|| ()))
    }

    fn won(level: u128, steps: u32) -> Records {
        Records::of_level("x", Digest(level), Best::won(&[("steps", steps)], Duration::from_secs(1), None))
    }

    fn steps(keeper: &Keeper, level: u128) -> Option<u32> {
        keeper.records().level("x", Digest(level)).and_then(|b| b.counts.get("steps").copied())
    }

    #[test]
    fn records_of_two_running_copies_come_together() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("data/records.ron");
        let (mut a, mut b) = (at(&path), at(&path));
        for i in 0..20 {
            a.add(&won(i, 10));
            b.add(&won(i, if i % 2 == 0 { 5 } else { 15 }));
            b.add(&won(100 + i, 1));
        }
        assert!(a.flush() && b.flush());
        a.add(&won(1000, 1));
        assert!(a.flush());
        for keeper in [a, at(&path)] {
            for i in 0..20 {
                assert_eq!(steps(&keeper, i), Some(if i % 2 == 0 { 5 } else { 10 }));
                assert_eq!(steps(&keeper, 100 + i), Some(1));
            }
        }
    }

    #[test]
    fn a_damaged_file_is_set_aside_under_a_free_name_and_never_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("records.ron");
        for (n, name) in ["records.damaged.ron", "records.damaged-2.ron"].iter().enumerate() {
            std::fs::write(&path, format!("(version: 1, lev{n}")).unwrap();
            let mut keeper = at(&path);
            assert!(keeper.messages().concat().contains(name));
            keeper.add(&won(1, 3));
            assert!(keeper.flush());
            assert_eq!(std::fs::read_to_string(dir.path().join(name)).unwrap(), format!("(version: 1, lev{n}"));
            assert_eq!(steps(&at(&path), 1), Some(3));
        }
        // Damaged while the program runs: all that this copy knows is written again.
        let mut keeper = at(&path);
        keeper.add(&won(2, 4));
        assert!(keeper.flush());
        std::fs::write(&path, b"\xff").unwrap();
        keeper.add(&won(3, 5));
        assert!(keeper.flush());
        assert!(dir.path().join("records.damaged-3.ron").exists());
        let again = at(&path);
        assert_eq!((steps(&again, 1), steps(&again, 2), steps(&again, 3)), (Some(3), Some(4), Some(5)));
    }

    #[test]
    fn a_file_of_a_newer_program_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("records.ron");
        let text = "(version: 99, levels: 7, more: [\"new\"])";
        std::fs::write(&path, text).unwrap();
        let mut keeper = at(&path);
        assert!(keeper.messages().concat().contains("newer"));
        keeper.add(&won(1, 3));
        assert!(keeper.flush() && keeper.only_in_memory());
        assert_eq!(steps(&keeper, 1), Some(3));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }

    #[test]
    fn a_backup_holds_what_there_was() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("records.ron");
        let mut keeper = at(&path);
        assert_eq!(keeper.back_up(), Ok(None));
        keeper.add(&won(1, 3));
        let copy = keeper.back_up().unwrap().unwrap();
        assert_eq!(std::fs::read(copy).unwrap(), std::fs::read(&path).unwrap());
    }

    #[test]
    fn a_date_is_written_as_the_calendar_has_it() {
        assert_eq!(date(0), "19700101-000000");
        assert_eq!(date(951_782_399), "20000228-235959");
        assert_eq!(date(951_782_400), "20000229-000000");
        assert_eq!(date(1_794_834_245), "20261116-130405");
    }
}
