//! Work in the background: limits, progress, cancelling. Knows no game and no window.
//!
//! A search is handed a [`Probe`]. It calls [`Probe::tick`] once a node and stops, with `?`, when a limit is
//! reached or the answer is no longer wanted. A [`Job`] runs such work on its own thread. Its progress is a slot
//! holding only the latest value, it wakes the window through a callback, dropping it cancels the work, and a panic in the worker
//! becomes a failed job and does not end the program.

use crate::clock::Instant;
use std::{
    num::NonZero,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
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

/// What a running search reports.
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

/// How a search may use the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// One thread, a fixed order, nothing from a cache: the same nodes and the same answer on every machine. For ratings, generators and tests.
    Reproducible,
    /// As fast as it can be had, with at most this many threads and whatever tables are at hand.
    Fast {
        /// Threads, at least one.
        threads: usize,
    },
}

impl Mode {
    /// As fast as this machine can.
    pub fn all_cores() -> Mode {
        Mode::Fast { threads: cores() }
    }
}

/// How many threads this machine runs at once.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// What a search is given: a node counter, limits, a cancel flag, and a slot for its progress.
pub struct Probe {
    /// What the search says about itself. The search fills in `frontier`, `bound`, `memory` and the rest; `nodes` is counted here.
    pub progress: Progress,
    /// Visits per cell (row-major), if a heat map was asked for: see [`Probe::visit`].
    pub heat: Option<Vec<u32>>,
    mode: Mode,
    limits: Limits,
    /// Bytes in use by searches that are paused while this one runs.
    held: u64,
    start: Instant,
    published: Instant,
    checked: Instant,
    /// Ticks from one look at the clock to the next, and those left until then.
    interval: u32,
    until_check: u32,
    cancel: Arc<AtomicBool>,
    /// Set when another thread has answered the same question.
    settled: Option<Arc<AtomicBool>>,
    slot: Arc<Mutex<Progress>>,
    wake: Wake,
}

/// The clock is read about this often. The interval is adapted to how long ticks take; what may take longer than this between two ticks calls
/// [`Probe::step`] or [`Probe::check`] on its way.
const CHECK_EVERY: Duration = Duration::from_millis(1);
const MOST_TICKS: u32 = 1024;
const PUBLISH_EVERY: Duration = Duration::from_millis(50);

impl Probe {
    /// A reproducible probe without a cancel flag or a listener.
    pub fn new(limits: Limits) -> Probe {
        let now = Instant::now();
        Probe {
            progress: Progress::default(),
            heat: None,
            mode: Mode::Reproducible,
            limits,
            held: 0,
            start: now,
            published: now,
            checked: now,
            interval: 1,
            until_check: 1,
            cancel: Arc::default(),
            settled: None,
            slot: Arc::default(),
            wake: Arc::new(|| ()),
        }
    }

    /// A probe that can be cancelled from elsewhere (Ctrl-C).
    pub fn cancelled_by(limits: Limits, cancel: Arc<AtomicBool>) -> Probe {
        Probe { cancel, ..Probe::new(limits) }
    }

    /// The same probe in another mode.
    pub fn with_mode(self, mode: Mode) -> Probe {
        Probe { mode, ..self }
    }

    /// Changes the mode.
    pub fn set_mode(&mut self, mode: Mode) {
        self.mode = mode;
    }

    /// How the search may use the machine.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The limits it was given.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Nodes that may still be expanded.
    pub fn nodes_left(&self) -> u64 {
        self.limits.nodes.map_or(u64::MAX, |n| n.saturating_sub(self.progress.nodes))
    }

    /// Called once a node. Cheap; looks at the clock now and then.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stop> {
        if self.limits.nodes.is_some_and(|n| self.progress.nodes >= n) {
            return Err(Stop::Nodes);
        }
        self.progress.nodes += 1;
        self.step()
    }

    /// Called in loops that expand no nodes but may take long: building tables, matching, floods.
    #[inline]
    pub fn step(&mut self) -> Result<(), Stop> {
        self.until_check -= 1;
        if self.until_check == 0 { self.check() } else { Ok(()) }
    }

    /// Looks at cancel flag, clock and memory now.
    pub fn check(&mut self) -> Result<(), Stop> {
        let now = Instant::now();
        let took = now.duration_since(self.checked);
        self.interval = if took < CHECK_EVERY / 2 {
            (self.interval * 2).min(MOST_TICKS)
        } else if took > 2 * CHECK_EVERY {
            (self.interval / (took.as_millis().min(1 << 16) as u32 + 1)).max(1)
        } else {
            self.interval
        };
        self.until_check = self.interval;
        self.checked = now;
        let settled = self.settled.as_ref().is_some_and(|s| s.load(Ordering::Relaxed));
        if settled || self.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        self.allow(0)?;
        if self.limits.time.is_some_and(|t| now.duration_since(self.start) >= t) {
            return Err(Stop::Time);
        }
        if now.duration_since(self.published) >= PUBLISH_EVERY {
            self.publish();
        }
        Ok(())
    }

    /// Whether the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Whether this many bytes more are within the memory limit. To be asked before they are allocated.
    pub fn allow(&self, bytes: u64) -> Result<(), Stop> {
        let sum = self.held.saturating_add(self.progress.memory).saturating_add(bytes);
        if self.limits.memory.is_some_and(|m| sum > m) { Err(Stop::Memory) } else { Ok(()) }
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
        self.visit_often(index, 1);
    }

    /// Counts several visits.
    #[inline]
    pub fn visit_often(&mut self, index: usize, times: u32) {
        if let Some(n) = self.heat.as_mut().and_then(|h| h.get_mut(index)) {
            *n = n.saturating_add(times);
        }
    }

    /// Publishes the progress now.
    pub fn publish(&mut self) {
        self.published = Instant::now();
        self.progress.elapsed = self.published.duration_since(self.start);
        *lock(&self.slot) = self.progress.clone();
        (self.wake)();
    }

    /// A probe for a part of the work, with a node limit of its own within what is left, and this one's clock, mode and cancel flag. It can be
    /// handed to another thread. Give its nodes back with [`Probe::absorb`].
    pub fn part(&self, nodes: u64) -> Probe {
        let time = self.limits.time.map(|t| t.saturating_sub(self.start.elapsed()));
        let limits = Limits { nodes: Some(nodes.min(self.nodes_left())), time, memory: self.limits.memory };
        Probe {
            mode: self.mode,
            cancel: self.cancel.clone(),
            settled: self.settled.clone(),
            held: self.held + self.progress.memory,
            ..Probe::new(limits)
        }
    }

    /// Counts the nodes of a finished part as this probe's own.
    pub fn absorb(&mut self, part: &Probe) {
        self.progress.nodes += part.progress.nodes;
    }

    /// Runs work with at most this many nodes; `Ok(None)` if they did not suffice and this probe has some left.
    pub fn turn<T>(&mut self, nodes: u64, work: impl FnOnce(&mut Probe) -> Result<T, Stop>) -> Result<Option<T>, Stop> {
        let whole = self.limits.nodes;
        self.limits.nodes = Some(self.progress.nodes.saturating_add(nodes.min(self.nodes_left())));
        let result = work(self);
        self.limits.nodes = whole;
        match result {
            Err(Stop::Nodes) if self.nodes_left() > 0 => Ok(None),
            result => result.map(Some),
        }
    }

    /// Counts `bytes` of paused searches beside what the running one uses.
    pub fn hold(&mut self, bytes: u64) {
        self.held = bytes;
    }

    /// What is counted beside.
    pub fn held(&self) -> u64 {
        self.held
    }

    /// Ends from now on when `flag` is set, as if cancelled: another thread has answered the question.
    pub fn set_settled(&mut self, flag: Arc<AtomicBool>) {
        self.settled = Some(flag);
    }

    /// The same with one part in `of` of the memory limit.
    pub fn with_share(mut self, of: u64) -> Probe {
        self.limits.memory = self.limits.memory.map(|m| m / of.max(1));
        self
    }

    /// Time since the work began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

/// Locks, also after a panic of another thread: what is kept behind these locks is whole at every moment.
pub fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Work running on its own thread. Dropping it cancels the work.
pub struct Job<T> {
    cancel: Arc<AtomicBool>,
    ended: Arc<AtomicBool>,
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
        Job::named("tilewright job", limits, wake, work)
    }

    /// The same with a name for its thread, by which it can be found among the threads of the process.
    pub fn named(
        name: &str,
        limits: Limits,
        wake: impl Fn() + Send + Sync + 'static,
        work: impl FnOnce(&mut Probe) -> T + Send + 'static,
    ) -> Job<T> {
        let mut probe = Probe::new(limits);
        probe.wake = Arc::new(wake);
        let (cancel, slot, wake) = (probe.cancel.clone(), probe.slot.clone(), probe.wake.clone());
        let ended = Arc::new(AtomicBool::new(false));
        let over = ended.clone();
        let (send, result) = mpsc::channel();
        let failed = send.clone();
        let spawned = thread::Builder::new().name(name.into()).spawn(move || {
            let done = catch_unwind(AssertUnwindSafe(|| {
                let out = work(&mut probe);
                probe.publish();
                out
            }));
            // The receiver may have been dropped: then the result is not wanted.
            let _ = send.send(done.map_err(|p| format!("internal error: {}", panic_text(&*p))));
            over.store(true, Ordering::Release);
            wake();
        });
        if let Err(e) = spawned {
            ended.store(true, Ordering::Release);
            let _ = failed.send(Err(format!("no thread could be started: {e}")));
        }
        Job { cancel, ended, slot, result }
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

    /// Whether the work has ended, by itself or because it was cancelled: then it uses neither time nor memory any more.
    pub fn ended(&self) -> bool {
        self.ended.load(Ordering::Acquire)
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

    #[test]
    fn slow_ticks_keep_the_time_limit_too() {
        // Fast ticks first, so that the interval is long when they become slow.
        let mut probe = Probe::new(Limits { time: Some(Duration::from_millis(200)), ..Limits::default() });
        for _ in 0..100_000 {
            let _ = probe.tick();
        }
        let began = Instant::now();
        let stop = loop {
            thread::sleep(Duration::from_micros(300));
            if let Err(stop) = probe.tick() {
                break stop;
            }
        };
        assert_eq!(stop, Stop::Time);
        assert!(began.elapsed() < Duration::from_millis(900), "{:?}", began.elapsed());
    }

    #[test]
    fn parts_and_turns_keep_the_limit_of_the_whole() {
        let mut probe = Probe::new(Limits::nodes(50));
        assert_eq!(probe.turn(20, |p| -> Result<(), Stop> { Err(endless(p)) }), Ok(None));
        assert_eq!(probe.progress.nodes, 20);
        let mut part = probe.part(1000);
        assert_eq!(endless(&mut part), Stop::Nodes);
        probe.absorb(&part);
        assert_eq!(probe.progress.nodes, 50);
        assert_eq!(probe.turn(20, |p| -> Result<(), Stop> { Err(endless(p)) }), Err(Stop::Nodes));
        assert_eq!(probe.progress.nodes, 50);
    }
}
