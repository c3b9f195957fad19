//! Many pieces of work over some threads: results in the order of the work, whatever the thread count, and memory bounded.
//!
//! Workers take the next piece from one shared source, but only while it is at most a window ahead of the last result printed. So a slow
//! first level does not make thousands of finished ones pile up.

use super::{Exit, Shell, panic_line};
use crate::job::{self, lock};
use clap::Args;
use std::{
    collections::BTreeMap,
    num::NonZero,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Condvar, Mutex, PoisonError, atomic::AtomicBool, atomic::Ordering, mpsc},
    thread,
    time::Duration,
};

/// How work is spread.
#[derive(Args, Clone)]
pub(super) struct Spread {
    /// Threads to use; all cores unless given
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<u16>>,
    /// Do only every N-th level or seed, from the I-th on (I from 1 to N), so that N runs on any machines make up the whole
    #[arg(long, value_name = "I/N", value_parser = Shard::parse)]
    pub(super) shard: Option<Shard>,
}

impl Spread {
    pub(super) fn threads(&self) -> usize {
        self.threads.map_or_else(job::cores, |n| usize::from(n.get()))
    }

    /// About how many of so many pieces are this run's, for the bar.
    pub(super) fn share(&self, total: u64) -> u64 {
        self.shard.map_or(total, |s| total.div_ceil(s.of))
    }

    /// Whether the piece with this number (from 0) is this run's.
    pub(super) fn mine(&self, number: u64) -> bool {
        self.shard.is_none_or(|s| (number + 1) % s.of == s.number % s.of)
    }
}

/// One of several runs that share a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// Reads `I/N`. 0/N is the same as N/N, so job runners that count from 0 get the whole as well.
    fn parse(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(i, n)| Some((i.trim().parse().ok()?, n.trim().parse().ok()?)));
        match parts {
            Some((number, of)) if of > 0 && number <= of => Ok(Shard { number, of }),
            _ => Err("this takes I/N with I from 1 to N, as in 2/8".into()),
        }
    }
}

/// Searches recurse; this much is only reserved, not used.
const STACK: usize = 64 << 20;

struct Source<I> {
    items: I,
    taken: u64,
    printed: u64,
}

/// Works through items. `name` says which one a panic was about; `emit` gets the results in order, on this thread.
pub(super) fn run<T: Send, R: Send>(
    shell: &mut Shell,
    spread: &Spread,
    items: impl Iterator<Item = T> + Send,
    total: Option<u64>,
    name: impl Fn(&T) -> String + Sync,
    work: impl Fn(T) -> R + Sync,
    mut emit: impl FnMut(&mut Shell, R),
) {
    let threads = spread.threads();
    let window = 16 * threads as u64;
    let source = Mutex::new(Source { items, taken: 0, printed: 0 });
    let room = Condvar::new();
    let cancel: &AtomicBool = &shell.cancel.clone();
    // Does the next piece; nothing if there is none, or at Ctrl-C.
    let step = || -> Option<(u64, Result<R, String>)> {
        let mut next = lock(&source);
        while next.taken >= next.printed + window && !cancel.load(Ordering::Relaxed) {
            // With a timeout, so that Ctrl-C is seen even if nothing is printed any more.
            next = room.wait_timeout(next, Duration::from_millis(50)).unwrap_or_else(PoisonError::into_inner).0;
        }
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let item = next.items.next()?;
        let number = next.taken;
        next.taken += 1;
        drop(next);
        let name = name(&item);
        let done =
            catch_unwind(AssertUnwindSafe(|| work(item))).map_err(|panic| format!("{name}: {}", panic_line(&*panic)));
        Some((number, done))
    };
    let mut early = BTreeMap::new();
    let mut print = |shell: &mut Shell, number: u64, done: Result<R, String>| {
        early.insert(number, done);
        let mut next = lock(&source).printed;
        while let Some(done) = early.remove(&next) {
            match done {
                Ok(result) => emit(shell, result),
                Err(line) => shell.complain(&line),
            }
            next += 1;
            if let Some(bar) = &shell.bar {
                bar.inc(1);
            }
        }
        lock(&source).printed = next;
        room.notify_all();
    };
    shell.bar = Some(bar(total));
    thread::scope(|scope| {
        let (send, results) = mpsc::channel();
        let mut started = 0;
        for _ in 0..threads {
            let (send, step) = (send.clone(), &step);
            let worker = move || {
                while let Some(done) = step()
                    && send.send(done).is_ok()
                {}
            };
            let thread = thread::Builder::new().name("tilewright worker".into()).stack_size(STACK);
            started += usize::from(thread.spawn_scoped(scope, worker).is_ok());
        }
        drop(send);
        if started == 0 {
            // Where no thread can be started, this one serves.
            while let Some((number, done)) = step() {
                print(shell, number, done);
            }
        }
        loop {
            match results.recv_timeout(Duration::from_millis(200)) {
                Ok((number, done)) => print(shell, number, done),
                Err(mpsc::RecvTimeoutError::Timeout) => shell.bar.iter().for_each(indicatif::ProgressBar::tick),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    if let Some(bar) = shell.bar.take() {
        bar.finish_and_clear();
    }
    if shell.cancelled() {
        shell.worsen(Exit::Stopped);
    }
}

/// A bar on standard error; nothing where that is no terminal.
fn bar(total: Option<u64>) -> indicatif::ProgressBar {
    let (bar, style) = match total {
        Some(n) => (indicatif::ProgressBar::new(n), "{bar:30} {pos}/{len}  {elapsed}  {msg}"),
        None => (indicatif::ProgressBar::new_spinner(), "{spinner} {pos} done  {elapsed}  {msg}"),
    };
    if let Ok(style) = indicatif::ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Style;
    use std::sync::{Arc, atomic::AtomicU64};

    fn spread(threads: u16, shard: Option<&str>) -> Spread {
        Spread { threads: NonZero::new(threads), shard: shard.map(|s| Shard::parse(s).unwrap()) }
    }

    fn shell() -> Shell {
        Shell::new(Style { json: true }, &Arc::default())
    }

    #[test]
    fn results_come_in_order_and_never_far_ahead() {
        let taken = AtomicU64::new(0);
        let (mut seen, mut furthest) = (Vec::new(), 0);
        let items = (0..500_u64).inspect(|n| taken.store(*n, Ordering::SeqCst));
        let work = |n: u64| {
            if n.is_multiple_of(50) {
                thread::sleep(Duration::from_millis(5));
            }
            n
        };
        run(&mut shell(), &spread(4, None), items, None, u64::to_string, work, |_, n| {
            furthest = furthest.max(taken.load(Ordering::SeqCst).saturating_sub(n));
            seen.push(n);
        });
        assert_eq!(seen, (0..500).collect::<Vec<_>>());
        assert!(furthest <= 2 * 16 * 4, "{furthest} ahead");
    }

    #[test]
    fn a_panic_is_one_bad_item_and_the_others_go_on() {
        let mut shell = shell();
        let mut seen = Vec::new();
        run(&mut shell, &spread(2, None), 0..5, Some(5), i32::to_string, |n| assert_ne!(n, 2), |_, ()| seen.push(()));
        assert_eq!((seen.len(), shell.exit), (4, Exit::Bad));
    }

    #[test]
    fn a_cancelled_batch_ends_and_says_stopped() {
        let mut shell = shell();
        let cancel = shell.cancel.clone();
        let mut seen = 0;
        let work = |n: u64| cancel.fetch_or(n == 40, Ordering::SeqCst);
        run(&mut shell, &spread(2, None), 0.., None, u64::to_string, work, |_, _| seen += 1);
        assert!((40..200).contains(&seen), "{seen}");
        assert_eq!(shell.exit, Exit::Stopped);
    }

    #[test]
    fn shards_make_up_the_whole_counted_from_one_or_from_zero() {
        for shards in [["1/3", "2/3", "3/3"], ["0/3", "1/3", "2/3"]] {
            let mut all: Vec<u64> = shards
                .iter()
                .flat_map(|s| (0..20).filter(|n| spread(1, Some(s)).mine(*n)).collect::<Vec<_>>())
                .collect();
            all.sort_unstable();
            assert_eq!(all, (0..20).collect::<Vec<_>>());
        }
        assert!(spread(1, Some("1/3")).mine(0));
        for bad in ["", "1", "4/3", "1/0", "a/b", "-1/2"] {
            assert!(Shard::parse(bad).is_err(), "{bad}");
        }
    }
}
