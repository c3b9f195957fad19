//! One job at a time, and never two because one was replaced.
//!
//! A search may take a while to notice that it is cancelled. A replaced job is therefore kept until it has ended, and only then does the next one start:
//! twelve quick edits leave one running job.

use super::Wake;
use crate::job::{Job, Limits, Probe, Progress};

type Start<T> = Box<dyn FnOnce() -> Job<T> + Send>;

pub(super) struct Slot<T> {
    job: Option<Job<T>>,
    /// Cancelled, not ended yet.
    ending: Option<Job<T>>,
    /// What starts when that has ended.
    next: Option<Start<T>>,
}

impl<T> Default for Slot<T> {
    fn default() -> Slot<T> {
        Slot { job: None, ending: None, next: None }
    }
}

impl<T> Slot<T> {
    /// Runs a job in place of the one that runs now.
    pub(super) fn start(&mut self, start: impl FnOnce() -> Job<T> + Send + 'static) {
        self.stop();
        self.next = Some(Box::new(start));
        self.proceed();
    }

    /// Gives the running job up: its result never arrives.
    pub(super) fn stop(&mut self) {
        self.next = None;
        if let Some(job) = self.job.take() {
            job.cancel();
            self.ending = Some(job);
        }
    }

    /// Asks the running job to come to an end; what it has by then still arrives.
    pub(super) fn cancel(&self) {
        if let Some(job) = &self.job {
            job.cancel();
        }
    }

    /// The result, once; `Err` is the message of a worker that failed.
    pub(super) fn poll(&mut self) -> Option<Result<T, String>> {
        self.proceed();
        let result = self.job.as_ref().and_then(Job::poll);
        if result.is_some() {
            self.job = None;
        }
        result
    }

    pub(super) fn busy(&self) -> bool {
        self.job.is_some() || self.next.is_some()
    }

    pub(super) fn progress(&self) -> Progress {
        self.job.as_ref().map(Job::progress).unwrap_or_default()
    }

    fn proceed(&mut self) {
        if self.ending.as_ref().is_some_and(|job| job.poll().is_some()) {
            self.ending = None;
        }
        if self.ending.is_none()
            && let Some(start) = self.next.take()
        {
            self.job = Some(start());
        }
    }
}

/// Something that is found out once about what is shown.
pub(super) struct Asked<T> {
    pub(super) slot: Slot<T>,
    /// `Some(None)` if the worker failed: it is not asked again.
    pub(super) known: Option<Option<T>>,
}

impl<T> Default for Asked<T> {
    fn default() -> Asked<T> {
        Asked { slot: Slot::default(), known: None }
    }
}

impl<T: Send + 'static> Asked<T> {
    /// Asks, unless that was done.
    pub(super) fn ask(&mut self, limits: Limits, wake: &Wake, work: impl FnOnce(&mut Probe) -> T + Send + 'static) {
        if self.known.is_none() && !self.slot.busy() {
            let wake = wake.clone();
            self.slot.start(move || Job::spawn(limits, move || wake(), work));
        }
    }

    /// Something else is shown.
    pub(super) fn forget(&mut self) {
        self.slot.stop();
        self.known = None;
    }

    /// Takes the answer in; true if it arrived now.
    pub(super) fn poll(&mut self) -> bool {
        let Some(answer) = self.slot.poll() else { return false };
        self.known = Some(answer.ok());
        true
    }
}
