//! Small things written to disk in the background, one after the other, in the order they were asked for.

use crate::{
    document::Wake,
    job::{Job, Limits},
};
use std::collections::VecDeque;

/// What the user should know, or why it failed.
type Outcome = Result<Option<String>, String>;
type Chore = Box<dyn FnOnce() -> Outcome + Send>;

/// The chores that wait and the one under way.
#[derive(Default)]
pub struct Chores {
    waiting: VecDeque<Chore>,
    running: Option<Job<Outcome>>,
}

impl Chores {
    /// Asks for one.
    pub fn add(&mut self, wake: &Wake, chore: impl FnOnce() -> Outcome + Send + 'static) {
        self.waiting.push_back(Box::new(chore));
        self.begin(wake);
    }

    fn begin(&mut self, wake: &Wake) {
        if self.running.is_none()
            && let Some(chore) = self.waiting.pop_front()
        {
            let wake = wake.clone();
            self.running = Some(Job::spawn(Limits::default(), move || wake(), move |_| chore()));
        }
    }

    /// Whether something is not on disk yet.
    pub fn busy(&self) -> bool {
        self.running.is_some()
    }

    /// Takes in the end of one and begins the next; what the user should know.
    pub fn tick(&mut self, wake: &Wake) -> Option<String> {
        let done = self.running.as_ref().and_then(Job::poll)?;
        self.running = None;
        self.begin(wake);
        match done {
            Ok(Ok(message)) => message,
            Ok(Err(message)) | Err(message) => Some(message),
        }
    }

    /// Waits until everything is on disk: before the program ends.
    pub fn finish(&mut self) {
        if let Some(job) = self.running.take() {
            let _ = job.wait();
        }
        for chore in self.waiting.drain(..) {
            let _ = chore();
        }
    }
}
