//! Beam search: breadth-first, but only the most promising positions of each layer go on.
//!
//! It proves nothing and needs no admissible bound, only a rank that says which positions look nearer to a goal. Widened again and again
//! it is an anytime search: the first narrow beams give some line almost at once, wider ones shorter lines. Everything is deterministic:
//! among equals the one generated first stays.

use super::parts::in_parts;
use crate::job::{Probe, Stop};

/// A space in which a beam can spread.
pub trait Spread: Sync {
    /// A position.
    type Node: Clone + Send + Sync;
    /// A step.
    type Step: Copy + Send + Sync;

    /// Calls `each` with every step from a node worth taking: its step, the child's rank (small is good; below 512), the least number of
    /// further steps the child needs, and a hash of the child.
    fn look(&self, node: &Self::Node, each: impl FnMut(Self::Step, u16, u32, u64));

    /// The child.
    fn child(&self, node: &Self::Node, step: Self::Step) -> Self::Node;

    /// Whether this is a goal.
    fn done(&self, node: &Self::Node) -> bool;
}

/// Nodes between two looks at the clock, and the fewest worth a thread.
const SLICE: usize = 1 << 15;
const PART: usize = 1 << 12;

/// Ranks are cut off here.
const RANKS: usize = 512;

#[derive(Clone, Copy)]
struct Candidate<S> {
    parent: u32,
    step: S,
    rank: u16,
}

/// The keys of two layers, so that a beam neither holds a position twice nor steps straight back.
struct Seen {
    slots: Vec<(u64, u32)>,
}

impl Seen {
    fn new(width: usize) -> Seen {
        Seen { slots: vec![(0, 0); (width * 8).next_power_of_two()] }
    }

    /// Remembers a key of a layer; whether it was new to this layer and the two before it.
    fn add(&mut self, key: u64, layer: u32) -> bool {
        let mask = self.slots.len() - 1;
        let mut at = key as usize & mask;
        // A short probe only: forgetting a key costs a little width, never correctness.
        for _ in 0..8 {
            let (k, l) = self.slots[at];
            if l + 2 < layer {
                break;
            }
            if k == key {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.slots[at] = (key, layer);
        true
    }
}

/// Spreads from `start` with at most `width` nodes a layer. Returns the steps to the first goal met, if it is nearer than `below`; `None` if
/// the beam ran dry or could not get there in fewer steps.
pub fn search<B: Spread>(
    space: &B,
    start: &B::Node,
    width: usize,
    below: u32,
    probe: &mut Probe,
) -> Result<Option<Vec<B::Step>>, Stop> {
    if below == 0 {
        return Ok(None);
    }
    if space.done(start) {
        return Ok(Some(Vec::new()));
    }
    let mut layer = vec![start.clone()];
    let mut links: Vec<Vec<(u32, B::Step)>> = Vec::new();
    // The start is layer 3 so that empty slots are old.
    let mut seen = Seen::new(width);
    let mut candidates: Vec<Candidate<B::Step>> = Vec::new();
    let node_bytes = size_of::<B::Node>() * 2 + size_of::<Candidate<B::Step>>() * 4 + 16 * 8;
    loop {
        let depth = links.len() as u32 + 1;
        candidates.clear();
        // Looking is what takes time, and is done on all cores; what is seen is then gone through in order.
        for (slice, nodes) in layer.chunks(SLICE).enumerate() {
            let looked = in_parts(nodes, PART, |from, part| {
                let mut out = Vec::with_capacity(part.len() * 3);
                for (i, node) in part.iter().enumerate() {
                    let parent = (slice * SLICE + from + i) as u32;
                    space.look(node, |step, rank, needs, key| {
                        if depth + needs < below {
                            out.push((Candidate { parent, step, rank }, key));
                        }
                    });
                }
                out
            });
            candidates
                .extend(looked.into_iter().flatten().filter(|(_, key)| seen.add(*key, depth + 3)).map(|(c, _)| c));
            for _ in nodes {
                probe.tick()?;
            }
        }
        let kept = select(&candidates, width);
        let child = |&i: &usize| space.child(&layer[candidates[i].parent as usize], candidates[i].step);
        let next = in_parts(&kept, PART, |_, part| part.iter().map(child).collect::<Vec<_>>()).concat();
        links.push(kept.iter().map(|&i| (candidates[i].parent, candidates[i].step)).collect());
        probe.progress.frontier = next.len() as u64;
        probe.progress.memory = (width * node_bytes + links.len() * width * size_of::<(u32, B::Step)>()) as u64;
        if let Some(goal) = next.iter().position(|n| space.done(n)) {
            return Ok(Some(trace(&links, goal)));
        }
        if next.is_empty() {
            return Ok(None);
        }
        layer = next;
    }
}

/// The best candidates, in the order of their ranks and then of their making.
fn select<S: Copy>(candidates: &[Candidate<S>], width: usize) -> Vec<usize> {
    let mut counts = [0usize; RANKS];
    let slot = |c: &Candidate<S>| usize::from(c.rank).min(RANKS - 1);
    for c in candidates {
        counts[slot(c)] += 1;
    }
    // Where each rank begins; what begins beyond the width is cut.
    let mut starts = [0usize; RANKS];
    for r in 1..RANKS {
        starts[r] = starts[r - 1] + counts[r - 1];
    }
    let total = candidates.len().min(width);
    let mut out = vec![usize::MAX; total];
    for (i, c) in candidates.iter().enumerate() {
        let at = &mut starts[slot(c)];
        if *at < total {
            out[*at] = i;
        }
        *at += 1;
    }
    out
}

fn trace<S: Copy>(links: &[Vec<(u32, S)>], goal: usize) -> Vec<S> {
    let mut at = goal;
    let mut line = Vec::with_capacity(links.len());
    for layer in links.iter().rev() {
        let (parent, step) = layer[at];
        line.push(step);
        at = parent as usize;
    }
    line.reverse();
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Limits;

    /// Points on a board with a wall; the rank is the straight distance to (0, 0).
    struct Maze;

    impl Spread for Maze {
        type Node = (i32, i32);
        type Step = (i32, i32);
        fn look(&self, &(x, y): &(i32, i32), mut each: impl FnMut((i32, i32), u16, u32, u64)) {
            for (dx, dy) in [(0, -1), (1, 0), (0, 1), (-1, 0)] {
                let (nx, ny) = (x + dx, y + dy);
                let wall = nx == 3 && (-5..=5).contains(&ny);
                if !wall && nx.abs() <= 9 && ny.abs() <= 9 {
                    let far = nx.unsigned_abs() + ny.unsigned_abs();
                    let key = ((nx + 50) * 1000 + ny + 50) as u64;
                    each((dx, dy), far as u16, far, key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                }
            }
        }
        fn child(&self, &(x, y): &(i32, i32), (dx, dy): (i32, i32)) -> (i32, i32) {
            (x + dx, y + dy)
        }
        fn done(&self, node: &(i32, i32)) -> bool {
            *node == (0, 0)
        }
    }

    #[test]
    fn a_wide_beam_finds_the_shortest_way_and_a_bound_cuts_it_off() {
        let mut probe = Probe::new(Limits::nodes(1_000_000));
        let line = search(&Maze, &(6, 0), 400, u32::MAX, &mut probe).expect("no limit").expect("there is a way");
        assert_eq!(line.len(), 18);
        let end = line.iter().fold((6, 0), |n, s| Maze.child(&n, *s));
        assert_eq!(end, (0, 0));
        assert_eq!(search(&Maze, &(6, 0), 400, 18, &mut probe), Ok(None));
    }
}
