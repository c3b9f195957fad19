//! Work on the parts of a slice, on all cores, the answers in order.
//!
//! Plain scoped threads rather than a pool: a worker of a pool that waits takes up other work of that pool, and a search that is asked to stop, or
//! holds a lock, must not find itself inside another search. Starting threads costs some ten microseconds, so parts should be
//! worth a millisecond.

use std::{num::NonZero, panic::resume_unwind, sync::OnceLock, thread};

/// Cuts a slice into one part a core, none shorter than `least`, and works on all of them at once. `work` is told where its part begins.
pub fn in_parts<T: Sync, R: Send>(items: &[T], least: usize, work: impl Fn(usize, &[T]) -> R + Sync) -> Vec<R> {
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get));
    let parts = cores.min(items.len() / least.max(1)).min(32);
    if parts <= 1 {
        return vec![work(0, items)];
    }
    let size = items.len().div_ceil(parts);
    let work = &work;
    thread::scope(|scope| {
        let workers: Vec<_> =
            items.chunks(size).enumerate().map(|(i, part)| scope.spawn(move || work(i * size, part))).collect();
        workers.into_iter().map(|w| w.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_everything_once_and_in_order() {
        for n in [0, 1, 7, 100, 1001] {
            let items: Vec<usize> = (0..n).collect();
            for least in [0, 1, 10, 5000] {
                let seen: Vec<usize> = in_parts(&items, least, |from, part| {
                    assert!(part.is_empty() || part[0] == from);
                    part.to_vec()
                })
                .concat();
                assert_eq!(seen, items);
            }
        }
    }
}
