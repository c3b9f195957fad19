//! IDA*: depth-first search under a growing limit on cost so far plus lower bound.
//!
//! For puzzles whose steps cost 1 and can be taken back, with a lower bound that a step updates cheaply. It needs no memory, and every
//! failed round proves that no line is shorter than the next limit. It does not notice that a position can be reached in several ways: the
//! walk should leave out steps that undo or merely reorder the ones before. On a finite space without a goal it never ends,
//! so unsolvability must be known by other means.

use crate::job::{Probe, Stop};

/// A position that can be walked about in.
pub trait Walk {
    /// A step.
    type Step: Copy;
    /// What taking a step back needs to know.
    type Undo;
    /// Steps one after another.
    type Steps: Iterator<Item = Self::Step>;

    /// Whether this is a goal. Its bound is then 0.
    fn done(&self) -> bool;

    /// No goal is nearer than this.
    fn bound(&self) -> u32;

    /// The steps worth taking after `last`.
    fn steps(&self, last: Option<Self::Step>) -> Self::Steps;

    /// The cell to count as visited, for the heat map.
    fn place(&self) -> Option<usize> {
        None
    }

    /// Takes a step if its bound stays within `limit`, else changes nothing and returns the bound (a number above `limit`).
    fn step(&mut self, step: Self::Step, limit: u32) -> Result<Self::Undo, u32>;

    /// Takes it back.
    fn back(&mut self, step: Self::Step, undo: Self::Undo);
}

/// What a round came to.
#[derive(Clone, PartialEq, Debug)]
pub enum Round<S> {
    /// A line no longer than the limit.
    Found(Vec<S>),
    /// There is none: the least limit under which there might be one, or `u32::MAX` if there is none under any.
    Next(u32),
}

/// One round: a line of at most `limit` steps, or the proof that there is none. It stops as by a node limit once the probe has counted
/// `until` nodes; a round that was stopped leaves the walk where it was.
pub fn round<W: Walk>(walk: &mut W, limit: u32, until: u64, probe: &mut Probe) -> Result<Round<W::Step>, Stop> {
    let bound = walk.bound();
    if bound > limit {
        return Ok(Round::Next(bound));
    }
    if walk.done() {
        return Ok(Round::Found(Vec::new()));
    }
    let mut line = Vec::new();
    let mut next = u32::MAX;
    match descend(walk, None, limit, &mut next, &mut line, until, probe)? {
        true => {
            line.reverse();
            Ok(Round::Found(line))
        }
        false => Ok(Round::Next(limit.saturating_add(next))),
    }
}

/// `left` is what may still be spent; `next` becomes the least excess over it anywhere.
fn descend<W: Walk>(
    walk: &mut W,
    last: Option<W::Step>,
    left: u32,
    next: &mut u32,
    line: &mut Vec<W::Step>,
    until: u64,
    probe: &mut Probe,
) -> Result<bool, Stop> {
    probe.tick()?;
    if probe.heat.is_some()
        && let Some(cell) = walk.place()
    {
        probe.visit(cell);
    }
    if probe.progress.nodes > until {
        return Err(Stop::Nodes);
    }
    if left == 0 {
        *next = (*next).min(1);
        return Ok(false);
    }
    for step in walk.steps(last) {
        let undo = match walk.step(step, left - 1) {
            Ok(undo) => undo,
            Err(over) => {
                *next = (*next).min(over - (left - 1));
                continue;
            }
        };
        let found = if walk.done() { Ok(true) } else { descend(walk, Some(step), left - 1, next, line, until, probe) };
        walk.back(step, undo);
        if found? {
            line.push(step);
            return Ok(true);
        }
    }
    Ok(false)
}

/// Rounds until a line is found, which is then a shortest one; `None` if there is provably none. The probe is told every limit.
pub fn search<W: Walk>(walk: &mut W, probe: &mut Probe) -> Result<Option<Vec<W::Step>>, Stop> {
    let mut limit = walk.bound();
    loop {
        probe.progress.bound = probe.progress.bound.max(limit);
        match round(walk, limit, u64::MAX, probe)? {
            Round::Found(line) => return Ok(Some(line)),
            Round::Next(u32::MAX) => return Ok(None),
            Round::Next(next) => limit = next,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Limits;

    /// A number that wants to be 0: it can be halved if even, or moved by one.
    struct Count(i32);

    impl Walk for Count {
        type Step = i32;
        type Undo = ();
        type Steps = std::vec::IntoIter<i32>;
        fn done(&self) -> bool {
            self.0 == 0
        }
        fn bound(&self) -> u32 {
            self.0.unsigned_abs().div_ceil(3)
        }
        fn steps(&self, last: Option<i32>) -> Self::Steps {
            [-3, -1, 1, 3].into_iter().filter(|s| last != Some(-s)).collect::<Vec<_>>().into_iter()
        }
        fn step(&mut self, step: i32, limit: u32) -> Result<(), u32> {
            self.0 += step;
            let bound = self.bound();
            if bound > limit {
                self.0 -= step;
                return Err(bound);
            }
            Ok(())
        }
        fn back(&mut self, step: i32, (): ()) {
            self.0 -= step;
        }
    }

    #[test]
    fn lines_are_shortest_and_lead_to_the_goal() {
        for n in -20..20 {
            let mut probe = Probe::new(Limits::nodes(100_000));
            let line = search(&mut Count(n), &mut probe).ok().flatten().expect("every number can be brought to 0");
            assert_eq!(line.iter().sum::<i32>(), -n);
            let rest = [0, 1, 2][n.unsigned_abs() as usize % 3];
            assert_eq!(line.len() as u32, n.unsigned_abs() / 3 + rest, "{n}");
        }
    }

    #[test]
    fn a_failed_round_names_the_next_limit() {
        let mut probe = Probe::new(Limits::default());
        assert_eq!(round(&mut Count(10), 2, u64::MAX, &mut probe), Ok(Round::Next(4)));
        assert!(matches!(round(&mut Count(10), 4, u64::MAX, &mut probe), Ok(Round::Found(line)) if line.len() == 4));
    }
}
