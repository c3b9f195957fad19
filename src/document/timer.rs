//! How long a game has been played: from its first move on, except while it is over.

use crate::clock::Instant;
use std::time::Duration;

#[derive(Clone, Copy, Default)]
pub(super) struct Timer {
    /// What was played before it was stopped last.
    before: Duration,
    /// When it was started since then.
    since: Option<Instant>,
}

impl Timer {
    /// Runs on, unless it does already.
    pub(super) fn start(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    /// Stands still until it is started again.
    pub(super) fn stop(&mut self) {
        *self = Timer { before: self.time(), since: None };
    }

    /// Back to zero, standing still.
    pub(super) fn reset(&mut self) {
        *self = Timer::default();
    }

    pub(super) fn time(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timer_counts_only_while_it_runs() {
        let tick = || std::thread::sleep(Duration::from_millis(2));
        let mut timer = Timer::default();
        tick();
        assert_eq!(timer.time(), Duration::ZERO, "nothing was played yet");
        timer.start();
        tick();
        timer.stop();
        let played = timer.time();
        assert!(played >= Duration::from_millis(2));
        tick();
        assert_eq!(timer.time(), played, "the time after the end does not count");
        timer.start();
        tick();
        timer.start();
        assert!(timer.time() >= played + Duration::from_millis(2), "a move taken back: it runs on");
        timer.reset();
        assert_eq!(timer.time(), Duration::ZERO);
        timer.start();
        tick();
        assert!(timer.time() >= Duration::from_millis(2), "the next game counts from its first move");
    }
}
