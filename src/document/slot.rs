//! One job at a time, and never two because one was replaced.
//!
//! A search may take a while to notice that it is cancelled. A replaced job is therefore kept until it has ended, and only then does the next one start:
//! twelve quick edits leave one running job.

use crate::job::{Job, Progress};

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Limits;
    use std::{
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
        time::Duration,
    };

    #[test]
    fn a_replaced_job_has_ended_before_the_next_one_starts() {
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let mut slot = Slot::default();
        for i in 0..12 {
            let (running, most) = (running.clone(), most.clone());
            let work = move |probe: &mut crate::job::Probe| {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                while probe.check().is_ok() && i < 11 {
                    std::thread::sleep(Duration::from_millis(1));
                }
                // A search that is slow to notice.
                std::thread::sleep(Duration::from_millis(5));
                running.fetch_sub(1, Ordering::SeqCst);
                i
            };
            slot.start(move || Job::spawn(Limits::default(), || (), work));
            assert!(slot.poll().is_none());
        }
        let last = loop {
            if let Some(done) = slot.poll() {
                break done;
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        assert_eq!((last, most.load(Ordering::SeqCst)), (Ok(11), 1));
        assert!(!slot.busy());
    }
}
