//! IDA*: depth-first search under a growing limit on cost so far plus lower bound.
//!
//! For puzzles whose steps cost 1 and can be taken back, with a lower bound that a step updates cheaply. It needs no memory, and every
//! failed round proves that no line is shorter than the next limit. It does not notice that a position can be reached in several ways: the
//! steps given should leave out those that undo or merely reorder the ones before. On a finite space without a goal it never ends,
//! so unsolvability must be known by other means.
//!
//! **On several threads** a round is shared out by the first few steps ([`Ida::round_on`]): every way to begin is a tree of its own, and threads take the
//! next one that waits. A round fails when all of them have, so it proves the same as one search, and the next limit is the least that any of
//! them has met.

use super::parts::in_parts;
use crate::job::{Probe, Stop, lock};
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

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
    /// Nodes of the round under way, and of the one before.
    nodes: u64,
    last: u64,
    /// Where the round is shared out: the trees that are still to be searched, the next one last.
    trees: Vec<Tree<S>>,
}

/// All lines of a round that begin alike.
struct Tree<S> {
    beginning: Vec<S>,
    /// The search through the rest.
    ida: Ida<S>,
}

/// A round is shared out if the one before had this many nodes: else starting threads would take longer.
const WORTH_SHARING: u64 = 2_000;
/// Trees for each thread: they differ much in size, and all threads should have work to the end.
const TREES: usize = 200;
/// Nodes of all threads between two looks at the clock, and those that a thread takes at a time of them.
const SLICE: u64 = 500_000;
const PORTION: u64 = 4_096;

impl<S> Default for Ida<S> {
    fn default() -> Self {
        Ida { bound: 0, next: u32::MAX, path: Vec::new(), line: Vec::new(), nodes: 0, last: 0, trees: Vec::new() }
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
        let before = probe.progress.nodes;
        let found = self.descend(position, None, self.bound, probe);
        self.nodes += probe.progress.nodes - before;
        if found? {
            self.line.reverse();
            return Ok(Some(std::mem::take(&mut self.line)));
        }
        self.raise();
        Ok(None)
    }

    /// The end of a round without a line.
    fn raise(&mut self) {
        self.bound = self.bound.saturating_add(self.next);
        (self.next, self.last, self.nodes) = (u32::MAX, self.nodes, 0);
    }

    /// The same on several threads. Which of several lines of one length it gives depends on them, nothing else does.
    pub fn round_on<P>(&mut self, threads: usize, position: &mut P, probe: &mut Probe) -> Result<Option<Vec<S>>, Stop>
    where
        P: Position<Step = S> + Clone + Sync,
        S: Send,
    {
        let alone = threads < 2 || self.nodes > 0 || self.last < WORTH_SHARING;
        if position.bound() > self.bound || (self.trees.is_empty() && alone) {
            return self.round(position, probe);
        }
        if self.trees.is_empty() {
            self.share_out(threads, position);
        }
        loop {
            match self.search_trees(threads, position, probe) {
                Err(Stop::Nodes) if probe.nodes_left() > 0 => probe.check()?,
                end => return end,
            }
        }
    }

    /// Searches the trees on, for at most [`SLICE`] nodes, so that progress is shown.
    fn search_trees<P>(&mut self, threads: usize, position: &P, probe: &mut Probe) -> Result<Option<Vec<S>>, Stop>
    where
        P: Position<Step = S> + Clone + Sync,
        S: Send,
    {
        let (limit, waiting) = (self.bound, Mutex::new(std::mem::take(&mut self.trees)));
        let (left, found) = (AtomicU64::new(probe.nodes_left().min(SLICE)), Arc::new(AtomicBool::new(false)));
        let whole: &Probe = probe;
        let ends = in_parts(&vec![(); threads], threads, 1, |_, _| {
            let mut part = whole.part(u64::MAX);
            part.heat = whole.heat.as_ref().map(|cells| vec![0; cells.len()]);
            part.set_settled(found.clone());
            let (mut next, mut portion) = (u32::MAX, 0);
            let mut end = Ok(None);
            while end == Ok(None) {
                let Some(mut tree) = lock(&waiting).pop() else { break };
                end = tree.search(position.clone(), limit, &left, &mut portion, &mut part);
                next = next.min(tree.ida.next);
                match end {
                    Ok(None) => {}
                    Ok(Some(_)) => found.store(true, Ordering::Relaxed),
                    Err(_) => lock(&waiting).push(tree),
                }
            }
            (part, next, end)
        });
        self.trees = waiting.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (mut line, mut stopped) = (None, None);
        for (part, next, end) in ends {
            self.next = self.next.min(next);
            self.nodes += part.progress.nodes;
            probe.absorb(&part);
            for (i, n) in part.heat.iter().flatten().enumerate() {
                probe.visit_often(i, *n);
            }
            match end {
                Ok(some) => line = line.or(some),
                Err(stop) => stopped = Some(stop),
            }
        }
        match (line, stopped) {
            (Some(line), _) => {
                self.trees.clear();
                Ok(Some(line))
            }
            // A tree that one thread had to leave may have been searched by another.
            (None, Some(stop)) if !self.trees.is_empty() => Err(stop),
            _ => {
                self.raise();
                Ok(None)
            }
        }
    }

    /// Makes the trees of a round. Whatever already exceeds the limit on the way there is none, but counts for the next limit.
    fn share_out<P: Position<Step = S>>(&mut self, threads: usize, position: &mut P) {
        self.trees = vec![Tree { beginning: Vec::new(), ida: Ida::default() }];
        // A line is as long as the limit, so no beginning is as long.
        for length in 1..self.bound {
            if self.trees.len() >= TREES * threads {
                break;
            }
            let mut longer = Vec::new();
            for Tree { beginning, .. } in std::mem::take(&mut self.trees) {
                let undo = walk(position, &beginning);
                for step in position.steps(beginning.last().copied()) {
                    let left = self.bound - length;
                    match position.step(step, left) {
                        Ok(undo) => {
                            position.back(step, undo);
                            let beginning = [&beginning[..], &[step]].concat();
                            longer.push(Tree { beginning, ida: Ida::default() });
                        }
                        Err(over) => self.next = self.next.min(over - left),
                    }
                }
                beginning.iter().zip(undo).rev().for_each(|(step, undo)| position.back(*step, undo));
            }
            self.trees = longer;
        }
        // They are taken from the end: in the order of one search.
        self.trees.reverse();
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

/// Takes steps that are known to be possible; what taking them back needs, in their order.
fn walk<P: Position>(position: &mut P, steps: &[P::Step]) -> Vec<P::Undo> {
    steps.iter().filter_map(|step| position.step(*step, u32::MAX).ok()).collect()
}

impl<S: Copy + PartialEq> Tree<S> {
    /// Searches on from the position where the round begins. `left` are the nodes that all threads may still expand, `portion` those of them that
    /// this one has taken.
    fn search<P: Position<Step = S>>(
        &mut self,
        mut position: P,
        limit: u32,
        left: &AtomicU64,
        portion: &mut u64,
        probe: &mut Probe,
    ) -> Result<Option<Vec<S>>, Stop> {
        walk(&mut position, &self.beginning);
        let limit = limit - self.beginning.len() as u32;
        loop {
            if *portion == 0 {
                let take = |n: u64| Some(n - n.min(PORTION));
                let before = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).unwrap_or(0);
                *portion = before.min(PORTION);
            }
            if *portion == 0 {
                return Err(Stop::Nodes);
            }
            let before = probe.progress.nodes;
            let last = self.beginning.last().copied();
            let end = probe.turn(*portion, |p| self.ida.descend(&mut position, last, limit, p));
            *portion -= probe.progress.nodes - before;
            match end? {
                None => {}
                Some(false) => return Ok(None),
                Some(true) => {
                    self.ida.line.reverse();
                    return Ok(Some([&self.beginning[..], &self.ida.line].concat()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Limits;

    /// A number that wants to be 0 and can be moved by 1 or 3; its bound takes it to be moved by so much.
    #[derive(Clone)]
    struct Count(i32, u32);

    impl Position for Count {
        type Step = i32;
        type Undo = ();
        type Steps = std::vec::IntoIter<i32>;
        fn done(&self) -> bool {
            self.0 == 0
        }
        fn bound(&self) -> u32 {
            self.0.unsigned_abs().div_ceil(self.1)
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

    fn search_on(threads: usize, mut count: Count, turn: u64) -> (Vec<i32>, u64) {
        let mut probe = Probe::new(Limits::default());
        let mut ida = Ida::default();
        loop {
            if let Some(Some(line)) = probe.turn(turn, |p| ida.round_on(threads, &mut count, p)).expect("no limit") {
                return (line, probe.progress.nodes);
            }
        }
    }

    fn search(n: i32, turn: u64) -> (Vec<i32>, u64) {
        search_on(1, Count(n, 3), turn)
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
        let mut count = Count(5, 3);
        assert_eq!(ida.round(&mut count, &mut probe), Ok(None));
        assert_eq!(ida.bound, 3);
        assert_eq!(ida.round(&mut count, &mut probe).map(|line| line.map(|l| l.len())), Ok(Some(3)));
    }

    #[test]
    fn threads_and_pauses_change_neither_the_length_nor_what_is_proven() {
        // The bound is poor: the last rounds are worth sharing out.
        for n in [35, 38, -37, -40] {
            let (line, nodes) = search_on(1, Count(n, 12), u64::MAX);
            assert!(nodes > 10 * WORTH_SHARING, "{n}: {nodes} nodes");
            for (threads, turn) in [(2, u64::MAX), (3, 5_000), (2, 300)] {
                let (shared, _) = search_on(threads, Count(n, 12), turn);
                assert_eq!((shared.len(), shared.iter().sum::<i32>()), (line.len(), -n), "{n} on {threads} threads");
            }
        }
    }
}
