//! Work on the parts of a slice, on several threads, the answers in order.
//!
//! Plain scoped threads rather than a pool: a worker of a pool that waits takes up other work of that pool, and a search that is asked to stop, or
//! holds a lock, must not find itself inside another search. Starting threads costs some ten microseconds, so parts should be
//! worth a millisecond.

use crate::job::Mode;
use std::{
    panic::resume_unwind,
    sync::{Mutex, PoisonError},
    thread,
    time::Duration,
};

/// A thread that works for a search. Named, or the system would give it the name of the job that starts it, and one job would look like several.
pub fn search_thread() -> thread::Builder {
    thread::Builder::new().name("search".into())
}

/// What a thread has come to. A panic goes on in this one: a search that has lost states must not say that there are none.
pub fn join<T>(worker: thread::ScopedJoinHandle<'_, T>) -> T {
    worker.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// How many threads there are for the parts of one search.
pub fn threads(mode: Mode) -> usize {
    match mode {
        Mode::Reproducible => 1,
        Mode::Fast { threads } => threads.clamp(1, 32),
    }
}

/// Cuts a slice into one part a thread, none shorter than `least`, and works on all of them at once. `work` is told where its part begins.
pub fn in_parts<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    least: usize,
    work: impl Fn(usize, &[T]) -> R + Sync,
) -> Vec<R> {
    let parts = threads.min(items.len() / least.max(1));
    if parts <= 1 {
        return vec![work(0, items)];
    }
    let size = items.len().div_ceil(parts);
    let work = &work;
    thread::scope(|scope| {
        let workers: Vec<_> = items
            .chunks(size)
            .enumerate()
            .map(|(i, part)| {
                let started = search_thread().spawn_scoped(scope, move || work(i * size, part));
                // Where no more threads can be started, this one does the part.
                started.map_err(|_| work(i * size, part))
            })
            .collect();
        workers.into_iter().map(|worker| worker.map_or_else(|done| done, join)).collect()
    })
}

/// Works out a place for each item, on several threads, each taking parts of at least `least` items.
pub fn fill<T: Sync, R: Send>(
    items: &[T],
    places: &mut [R],
    threads: usize,
    least: usize,
    work: impl Fn(&T, &mut R) + Sync,
) {
    let size = items.len().div_ceil(threads.max(1)).max(least).max(1);
    let parts = Mutex::new(items.chunks(size).zip(places.chunks_mut(size)));
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some((items, places)) = next() {
            items.iter().zip(places).for_each(|(item, place)| work(item, place));
        }
    };
    thread::scope(|scope| {
        for _ in 1..items.len().div_ceil(size) {
            // Where no more threads can be started, this one does all parts.
            let _ = search_thread().spawn_scoped(scope, work);
        }
        work();
    });
}

/// How many items are worked on together, fitted to the time they take: long against starting a thread, short against waiting for a search that was cancelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BatchSize {
    size: usize,
    fewest: usize,
    most: usize,
    shortest: Duration,
    longest: Duration,
}

impl BatchSize {
    /// The fewest items to begin with, and never more than `most`. A batch should take neither less than `shortest` nor more than `longest`.
    pub const fn new(fewest: usize, most: usize, shortest: Duration, longest: Duration) -> BatchSize {
        BatchSize { size: fewest, fewest, most, shortest, longest }
    }

    /// The same with other items to begin with.
    pub fn of(self, size: usize) -> BatchSize {
        BatchSize { size, ..self }
    }

    /// Items of the next batch.
    pub fn get(&self) -> usize {
        self.size
    }

    /// Fits it to the time that the last batch took.
    pub fn fit(&mut self, took: Duration) {
        if took < self.shortest {
            self.size = (self.size * 2).min(self.most);
        } else if took > self.longest {
            self.size = (self.size / 2).max(self.fewest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_fitted_to_its_time_within_its_bounds() {
        let (short, right, long) = (Duration::from_millis(1), Duration::from_millis(5), Duration::from_millis(9));
        let mut size = BatchSize::new(4, 20, Duration::from_millis(2), Duration::from_millis(8)).of(8);
        for (took, expected) in [(short, 16), (short, 20), (right, 20), (long, 10), (long, 5), (long, 4), (long, 4)] {
            size.fit(took);
            assert_eq!(size.get(), expected);
        }
    }

    #[test]
    fn every_place_is_filled_from_its_item() {
        for n in [0, 1, 7, 100, 1001] {
            let items: Vec<usize> = (0..n).collect();
            for (threads, least) in [(1, 0), (2, 1), (7, 10), (32, 5000)] {
                let mut places = vec![0; n];
                fill(&items, &mut places, threads, least, |item, place| *place = item + 1);
                assert!(places.iter().zip(&items).all(|(place, item)| *place == item + 1));
            }
        }
    }

    #[test]
    fn parts_cover_everything_once_and_in_order() {
        for n in [0, 1, 7, 100, 1001] {
            let items: Vec<usize> = (0..n).collect();
            for (threads, least) in [(1, 0), (2, 1), (7, 10), (32, 5000)] {
                let seen: Vec<usize> = in_parts(&items, threads, least, |from, part| {
                    assert!(part.is_empty() || part[0] == from);
                    part.to_vec()
                })
                .concat();
                assert_eq!(seen, items);
            }
        }
    }
}
