//! Work in the background: limits, progress, cancelling. Knows no game and no window.
//!
//! A search is handed a [`Probe`]. It calls [`Probe::tick`] once a node and stops, with `?`, when told to: because a limit is
//! reached, or because somebody no longer wants the answer. A [`Job`] runs such work on its own thread. Its progress is a slot
//! holding only the latest value, it wakes the window through a callback, dropping it cancels the work, and a panic in the worker
//! becomes a failed job instead of a dead program.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

/// Why work ended before its answer was known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time limit.
    Time,
    /// The node limit.
    Nodes,
    /// The memory limit.
    Memory,
    /// Nobody wants the answer any more.
    Cancelled,
}

impl Stop {
    /// "time", "nodes", "memory" or "cancelled".
    pub const fn name(self) -> &'static str {
        match self {
            Stop::Time => "time",
            Stop::Nodes => "nodes",
            Stop::Memory => "memory",
            Stop::Cancelled => "cancelled",
        }
    }
}

/// What a search may use. `None` is without limit.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Nodes expanded: the only limit that is the same on every machine.
    pub nodes: Option<u64>,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Bytes of search tables.
    pub memory: Option<u64>,
}

impl Limits {
    /// Only a node limit.
    pub const fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), time: None, memory: None }
    }
}

/// What a running search tells about itself.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Progress {
    /// Nodes expanded so far.
    pub nodes: u64,
    /// Nodes waiting to be expanded.
    pub frontier: u64,
    /// The proven lower bound on the cost.
    pub bound: u32,
    /// Bytes in use by the search.
    pub memory: u64,
    /// Time since the start.
    pub elapsed: Duration,
    /// Cost of the best solution known so far.
    pub best: Option<u32>,
    /// When the first solution was found.
    pub first: Option<Duration>,
    /// How much of the work is done, from 0 to 1, where that is known.
    pub fraction: Option<f32>,
    /// What is being done, for people.
    pub note: String,
}

type Wake = Arc<dyn Fn() + Send + Sync>;

/// The ear of a search: counts its nodes, knows its limits, publishes its progress.
pub struct Probe {
    /// What the search says about itself. The search fills in `frontier`, `bound`, `memory` and the rest; `nodes` is counted here.
    pub progress: Progress,
    /// Visits per cell (row-major), where somebody asked for the heat map: see [`Probe::visit`].
    pub heat: Option<Vec<u32>>,
    limits: Limits,
    start: Instant,
    published: Instant,
    cancel: Arc<AtomicBool>,
    slot: Arc<Mutex<Progress>>,
    wake: Wake,
}

/// How often a search looks at the clock: often enough to stop within 50 ms even at 100 µs a node.
const CHECK_EVERY: u64 = 128;
const PUBLISH_EVERY: Duration = Duration::from_millis(50);

impl Probe {
    /// A probe that nobody listens to.
    pub fn new(limits: Limits) -> Probe {
        let now = Instant::now();
        Probe {
            progress: Progress::default(),
            heat: None,
            limits,
            start: now,
            published: now,
            cancel: Arc::default(),
            slot: Arc::default(),
            wake: Arc::new(|| ()),
        }
    }

    /// A probe that can be cancelled from elsewhere (Ctrl-C).
    pub fn cancelled_by(limits: Limits, cancel: Arc<AtomicBool>) -> Probe {
        Probe { cancel, ..Probe::new(limits) }
    }

    /// The limits it was given.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Called once a node. Cheap; looks at the clock now and then.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        self.progress.nodes += 1;
        if self.limits.nodes.is_some_and(|n| self.progress.nodes > n) {
            return Err(Stop::Nodes);
        }
        if self.progress.nodes.is_multiple_of(CHECK_EVERY) { self.check() } else { Ok(()) }
    }

    /// Looks at cancel, clock and memory now. For work whose nodes are slow or few.
    pub fn check(&mut self) -> Result<(), Stop> {
        if self.cancel.load(Ordering::Relaxed) {
            return Err(Stop::Cancelled);
        }
        if self.limits.memory.is_some_and(|m| self.progress.memory > m) {
            return Err(Stop::Memory);
        }
        let now = Instant::now();
        if self.limits.time.is_some_and(|t| now.duration_since(self.start) >= t) {
            return Err(Stop::Time);
        }
        if now.duration_since(self.published) >= PUBLISH_EVERY {
            self.publish();
        }
        Ok(())
    }

    /// Says that a solution of this cost is known now.
    pub fn found(&mut self, cost: u32) {
        let elapsed = self.start.elapsed();
        self.progress.first.get_or_insert(elapsed);
        if self.progress.best.is_none_or(|b| cost < b) {
            self.progress.best = Some(cost);
        }
    }

    /// Counts a visit to a cell for the heat map, if one is kept.
    #[inline]
    pub fn visit(&mut self, index: usize) {
        if let Some(n) = self.heat.as_mut().and_then(|h| h.get_mut(index)) {
            *n = n.saturating_add(1);
        }
    }

    /// Shows the progress to whoever looks, at once.
    pub fn publish(&mut self) {
        self.published = Instant::now();
        self.progress.elapsed = self.published.duration_since(self.start);
        *lock(&self.slot) = self.progress.clone();
        (self.wake)();
    }

    /// A probe for a part of the work, with a node limit of its own (deterministic) and this one's clock and cancel flag. It can be
    /// handed to another thread. Give its nodes back with [`Probe::absorb`].
    pub fn part(&self, nodes: u64) -> Probe {
        let time = self.limits.time.map(|t| t.saturating_sub(self.start.elapsed()));
        let limits = Limits { nodes: Some(nodes), time, memory: self.limits.memory };
        Probe { cancel: self.cancel.clone(), ..Probe::new(limits) }
    }

    /// Counts the nodes of a finished part as this probe's own.
    pub fn absorb(&mut self, part: &Probe) {
        self.progress.nodes += part.progress.nodes;
    }

    /// Time since the work began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Work running on its own thread. Dropping it cancels the work.
pub struct Job<T> {
    cancel: Arc<AtomicBool>,
    slot: Arc<Mutex<Progress>>,
    result: mpsc::Receiver<Result<T, String>>,
}

impl<T: Send + 'static> Job<T> {
    /// Starts the work. `wake` is called when there is something new to see.
    pub fn spawn(
        limits: Limits,
        wake: impl Fn() + Send + Sync + 'static,
        work: impl FnOnce(&mut Probe) -> T + Send + 'static,
    ) -> Job<T> {
        let mut probe = Probe::new(limits);
        probe.wake = Arc::new(wake);
        let (cancel, slot, wake) = (probe.cancel.clone(), probe.slot.clone(), probe.wake.clone());
        let (send, result) = mpsc::channel();
        let failed = send.clone();
        let spawned = thread::Builder::new().name("tilewright job".into()).spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| {
                let out = work(&mut probe);
                probe.publish();
                out
            }));
            // The other end may be gone: then nobody wants to know.
            let _ = send.send(done.map_err(|p| format!("internal error: {}", panic_text(&*p))));
            wake();
        });
        if let Err(e) = spawned {
            let _ = failed.send(Err(format!("no thread could be started: {e}")));
        }
        Job { cancel, slot, result }
    }
}

impl<T> Job<T> {
    /// The latest progress.
    pub fn progress(&self) -> Progress {
        lock(&self.slot).clone()
    }

    /// The result, once, when it is there; `Err` holds the message of a worker that failed.
    pub fn poll(&self) -> Option<Result<T, String>> {
        match self.result.try_recv() {
            Ok(r) => Some(r),
            Err(mpsc::TryRecvError::Empty) => None,
            Err(mpsc::TryRecvError::Disconnected) => Some(Err("the worker ended without an answer".into())),
        }
    }

    /// Asks the work to stop; its result, whatever it has by then, still arrives.
    pub fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Waits for the result (tests and commands).
    pub fn wait(self) -> Result<T, String> {
        self.result.recv().unwrap_or_else(|_| Err("the worker ended without an answer".into()))
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// What a panic said.
pub fn panic_text(payload: &(dyn std::any::Any + Send)) -> String {
    payload
        .downcast_ref::<&str>()
        .map(|s| (*s).to_string())
        .or_else(|| payload.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "unknown".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn endless(probe: &mut Probe) -> Stop {
        loop {
            if let Err(stop) = probe.tick() {
                return stop;
            }
        }
    }

    #[test]
    fn a_cancelled_job_ends_within_50_ms() {
        // On a busy machine a thread may not be woken in time: one try in ten is enough to show that the job itself is not what is slow.
        let ended_in_time = (0..10).any(|_| {
            let job = Job::spawn(Limits::default(), || (), endless);
            thread::sleep(Duration::from_millis(60));
            let seen = job.progress().nodes > 0;
            let asked = Instant::now();
            job.cancel();
            assert_eq!(job.wait(), Ok(Stop::Cancelled));
            seen && asked.elapsed() < Duration::from_millis(50)
        });
        assert!(ended_in_time);
    }

    #[test]
    fn a_dropped_job_is_cancelled() {
        let (send, receive) = mpsc::channel();
        let job = Job::spawn(Limits::default(), || (), move |p| send.send(endless(p)));
        drop(job);
        assert_eq!(receive.recv_timeout(Duration::from_secs(5)), Ok(Stop::Cancelled));
    }

    #[test]
    fn a_panic_is_a_failed_job() {
        let job: Job<()> = Job::spawn(Limits::default(), || (), |_| panic!("seven"));
        assert_eq!(job.wait(), Err("internal error: seven".into()));
    }

    #[test]
    fn limits_stop_by_name() {
        assert_eq!(endless(&mut Probe::new(Limits::nodes(1000))), Stop::Nodes);
        let time = Limits { time: Some(Duration::from_millis(5)), ..Limits::default() };
        assert_eq!(endless(&mut Probe::new(time)), Stop::Time);
        let mut p = Probe::new(Limits { memory: Some(10), ..Limits::default() });
        p.progress.memory = 11;
        assert_eq!(endless(&mut p), Stop::Memory);
    }
}
