//! The clock of moves, turns and limits: the system's, except in a browser. WebAssembly has no clock (`std`'s panics there), so the page sets one.

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

#[cfg(target_family = "wasm")]
pub use page::{Instant, set};

#[cfg(target_family = "wasm")]
mod page {
    use std::{sync::OnceLock, time::Duration};

    static NOW: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the function that tells the time, which must never go back. Until then it is always zero.
    pub fn set(now: fn() -> Duration) {
        let _ = NOW.set(now);
    }

    /// As [`std::time::Instant`].
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Instant {
            Instant(NOW.get().map_or(Duration::ZERO, |now| now()))
        }

        /// The time since then.
        pub fn elapsed(self) -> Duration {
            Instant::now().duration_since(self)
        }

        /// The time since an earlier moment.
        pub fn duration_since(self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }
}
