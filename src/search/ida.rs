//! IDA*: depth-first search under a growing limit on cost so far plus lower bound.
//!
//! For puzzles whose steps cost 1 and can be taken back, with a lower bound that a step updates cheaply. It needs no memory, and every
//! failed round proves that no line is shorter than the next limit. It does not notice that a position can be reached in several ways: the
//! steps given should leave out those that undo or merely reorder the ones before. On a finite space without a goal it never ends,
//! so unsolvability must be known by other means.

use crate::job::{Probe, Stop};

/// A position that steps change and taking them back restores.
pub trait Position {
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

/// A search on its way. Where a limit stops it, it goes on at the same node the next time, so pauses cost nothing.
pub struct Ida<S> {
    /// No line is shorter than this: proven. It is also the limit of the round under way.
    pub bound: u32,
    /// The least excess over the limit that this round has met.
    next: u32,
    /// The steps to the node where the round was stopped, the first one last.
    path: Vec<S>,
    /// The line found, the first step last.
    line: Vec<S>,
}

impl<S> Default for Ida<S> {
    fn default() -> Self {
        Ida { bound: 0, next: u32::MAX, path: Vec::new(), line: Vec::new() }
    }
}

impl<S: Copy + PartialEq> Ida<S> {
    /// Begins a round, or goes on with it: a line as long as the bound, or `None` if there is none so short; then the bound is raised, to
    /// `u32::MAX` if there is no line at all. The position is always the same, but may come with a better bound than the last time.
    pub fn round<P: Position<Step = S>>(
        &mut self,
        position: &mut P,
        probe: &mut Probe,
    ) -> Result<Option<Vec<S>>, Stop> {
        if position.bound() > self.bound {
            *self = Ida { bound: position.bound(), ..Ida::default() };
        }
        if position.done() {
            return Ok(Some(Vec::new()));
        }
        if self.descend(position, None, self.bound, probe)? {
            self.line.reverse();
            return Ok(Some(std::mem::take(&mut self.line)));
        }
        self.bound = self.bound.saturating_add(self.next);
        self.next = u32::MAX;
        Ok(None)
    }

    /// `left` is what may still be spent.
    fn descend<P: Position<Step = S>>(
        &mut self,
        position: &mut P,
        last: Option<S>,
        left: u32,
        probe: &mut Probe,
    ) -> Result<bool, Stop> {
        let mut steps = position.steps(last);
        // Back to where it was stopped: what comes before that step is done.
        let mut resumed = self.path.pop();
        if let Some(at) = resumed {
            steps.by_ref().take_while(|s| *s != at).for_each(drop);
        } else {
            probe.tick()?;
            if probe.heat.is_some()
                && let Some(cell) = position.place()
            {
                probe.visit(cell);
            }
            if left == 0 {
                self.next = self.next.min(1);
                return Ok(false);
            }
        }
        while let Some(step) = resumed.take().or_else(|| steps.next()) {
            let undo = match position.step(step, left - 1) {
                Ok(undo) => undo,
                Err(over) => {
                    self.next = self.next.min(over - (left - 1));
                    self.path.clear();
                    continue;
                }
            };
            let found = if position.done() { Ok(true) } else { self.descend(position, Some(step), left - 1, probe) };
            position.back(step, undo);
            match found {
                Ok(false) => {}
                Ok(true) => {
                    self.line.push(step);
                    return Ok(true);
                }
                Err(stop) => {
                    self.path.push(step);
                    return Err(stop);
                }
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Limits;

    /// A number that wants to be 0: it can be halved if even, or moved by one.
    struct Count(i32);

    impl Position for Count {
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

    fn search(n: i32, turn: u64) -> (Vec<i32>, u64) {
        let mut probe = Probe::new(Limits::default());
        let mut ida = Ida::default();
        loop {
            if let Some(Some(line)) = probe.turn(turn, |p| ida.round(&mut Count(n), p)).expect("no limit") {
                return (line, probe.progress.nodes);
            }
        }
    }

    #[test]
    fn lines_are_shortest_and_lead_to_the_goal() {
        for n in -20..20 {
            let (line, _) = search(n, u64::MAX);
            assert_eq!(line.iter().sum::<i32>(), -n);
            let rest = [0, 1, 2][n.unsigned_abs() as usize % 3];
            assert_eq!(line.len() as u32, n.unsigned_abs() / 3 + rest, "{n}");
        }
    }

    #[test]
    fn pauses_change_neither_the_line_nor_the_nodes() {
        for n in -40..40 {
            for turn in [1, 2, 7, 100] {
                assert_eq!(search(n, turn), search(n, u64::MAX), "{n} in turns of {turn}");
            }
        }
    }

    #[test]
    fn a_failed_round_raises_the_bound() {
        let mut probe = Probe::new(Limits::default());
        let mut ida = Ida::default();
        let mut count = Count(5);
        assert_eq!(ida.round(&mut count, &mut probe), Ok(None));
        assert_eq!(ida.bound, 3);
        assert_eq!(ida.round(&mut count, &mut probe).map(|line| line.map(|l| l.len())), Ok(Some(3)));
    }
}
