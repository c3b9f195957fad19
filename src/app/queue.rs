//! Work with the disk in the background, so that a slow one never holds a frame up: one piece after the other, in the order they were asked for.

use crate::{
    document::Wake,
    job::{Job, Limits},
};
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

type Work<R> = Box<dyn FnOnce() -> R + Send>;

/// The pieces of work that wait and the one under way, each with what is known about it.
pub struct Queue<T, R> {
    waiting: VecDeque<(T, Work<R>)>,
    running: Option<(T, Instant, Job<R>)>,
}

impl<T, R> Default for Queue<T, R> {
    fn default() -> Queue<T, R> {
        Queue { waiting: VecDeque::new(), running: None }
    }
}

impl<T, R: Send + 'static> Queue<T, R> {
    /// Asks for a piece of work.
    pub fn add(&mut self, wake: &Wake, about: T, work: impl FnOnce() -> R + Send + 'static) {
        self.waiting.push_back((about, Box::new(work)));
        self.begin(wake);
    }

    fn begin(&mut self, wake: &Wake) {
        if self.running.is_none()
            && let Some((about, work)) = self.waiting.pop_front()
        {
            let wake = wake.clone();
            self.running =
                Some((about, Instant::now(), Job::spawn(Limits::default(), move || wake(), move |_| work())));
        }
    }

    /// Whether something is not done yet.
    pub fn busy(&self) -> bool {
        self.running.is_some()
    }

    /// What is under way, and for how long.
    pub fn running(&self) -> Option<(&T, Duration)> {
        self.running.as_ref().map(|(about, since, _)| (about, since.elapsed()))
    }

    /// All that is not done yet, in its order.
    pub fn all_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut T> {
        self.running.iter_mut().map(|r| &mut r.0).chain(self.waiting.iter_mut().map(|w| &mut w.0))
    }

    /// Takes a piece of work that is done, and begins the next; `Err` holds the message of work that failed.
    pub fn take_done(&mut self, wake: &Wake) -> Option<(T, Result<R, String>)> {
        let done = self.running.as_ref().and_then(|(.., job)| job.poll())?;
        let about = self.running.take().map(|(about, ..)| about);
        self.begin(wake);
        about.map(|about| (about, done))
    }

    /// Waits until everything is done: before the program ends.
    pub fn finish(&mut self) {
        if let Some((.., job)) = self.running.take() {
            let _ = job.wait();
        }
        for (_, work) in self.waiting.drain(..) {
            work();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, mpsc};

    #[test]
    fn one_after_the_other_and_nobody_waits() {
        let wake: Wake = Arc::new(|| ());
        let (go, gate) = mpsc::channel();
        let mut queue = Queue::default();
        queue.add(&wake, "slow", move || gate.recv().is_ok());
        queue.add(&wake, "next", || true);
        assert!(queue.take_done(&wake).is_none() && queue.busy());
        assert_eq!(queue.all_mut().map(|a| *a).collect::<Vec<_>>(), ["slow", "next"]);
        go.send(()).unwrap();
        let mut done = Vec::new();
        while queue.busy() {
            done.extend(queue.take_done(&wake));
        }
        assert_eq!(done, [("slow", Ok(true)), ("next", Ok(true))]);
    }

    #[test]
    fn finishing_does_what_still_waits() {
        let wake: Wake = Arc::new(|| ());
        let (said, heard) = mpsc::channel();
        let mut queue = Queue::default();
        for i in 0..3 {
            let said = said.clone();
            queue.add(&wake, i, move || said.send(i).is_ok());
        }
        queue.finish();
        assert_eq!(heard.try_iter().collect::<Vec<_>>(), [0, 1, 2]);
    }
}
