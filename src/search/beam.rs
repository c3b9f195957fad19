//! Beam search: breadth-first, but only the most promising positions of each layer go on.
//!
//! It proves nothing and needs no admissible bound, only a rank that says which positions look nearer to a goal. Widened again and again
//! it is an anytime search: the first narrow beams give some line almost at once, wider ones shorter lines. Everything is deterministic:
//! among equals the one generated first stays.

use super::parts::{fill, in_parts, threads};
use crate::job::{Probe, Stop};

/// A space in which a beam can spread.
pub trait Spread: Sync {
    /// A position.
    type Node: Clone + Send + Sync;
    /// A step.
    type Step: Copy + Send + Sync;

    /// Calls `each` with every step from a node worth taking: its step, the child's rank (small is good; below 512), the least number of
    /// further steps the child needs (0 for a goal), and a hash of the child.
    fn look(&self, node: &Self::Node, each: impl FnMut(Self::Step, u16, u32, u64));

    /// Makes `node` its child.
    fn take(&self, node: &mut Self::Node, step: Self::Step);

    /// Whether this is a goal.
    fn done(&self, node: &Self::Node) -> bool;
}

/// Nodes for one thread between two looks at the clock, and those worth starting a thread for.
const PART: usize = 1 << 14;
const LEAST: usize = 1 << 10;

/// Ranks are cut off here.
const RANKS: usize = 512;

#[derive(Clone, Copy)]
struct Candidate<S> {
    key: u64,
    parent: u32,
    rank: u16,
    step: S,
}

/// The keys of the last layers, so that a beam neither holds a position twice nor goes straight back.
struct Seen {
    /// A key whose lowest byte is exchanged for the layer; 0 is empty.
    slots: Vec<u64>,
}

impl Seen {
    fn new(width: usize) -> Seen {
        Seen { slots: vec![0; Seen::slots(width)] }
    }

    fn slots(width: usize) -> usize {
        (width * 4).next_power_of_two()
    }

    /// Remembers a key of a layer; whether it was new to this layer and the two before it.
    fn add(&mut self, key: u64, layer: u32) -> bool {
        let mask = self.slots.len() - 1;
        let layer = u64::from(layer % 255 + 1);
        let mut at = (key >> 32) as usize & mask;
        // A short probe only: forgetting a key costs a little width, never correctness.
        for _ in 0..8 {
            let slot = self.slots[at];
            if slot == 0 || (layer + 255 - slot % 256) % 255 > 2 {
                break;
            }
            if slot >> 8 == key >> 8 {
                return false;
            }
            at = (at + 1) & mask;
        }
        self.slots[at] = key >> 8 << 8 | layer;
        true
    }
}

/// A beam on its way. Where a node limit stops it, it goes on at the same node the next time.
pub struct Beam<B: Spread> {
    width: usize,
    below: u32,
    layer: Vec<B::Node>,
    /// The layer before, whose room the next one takes.
    spare: Vec<B::Node>,
    /// How many nodes of the layer have been looked at.
    looked: usize,
    /// Of each layer, the parent and the step of every node.
    links: Vec<Vec<(u32, B::Step)>>,
    seen: Seen,
    candidates: Vec<Candidate<B::Step>>,
    /// Whether a goal is among the candidates.
    goal: bool,
}

impl<B: Spread> Beam<B> {
    /// A beam of at most `width` nodes a layer, for lines of fewer than `below` steps. It asks for its memory, except that of the line.
    pub fn new(start: B::Node, width: usize, below: u32, probe: &Probe) -> Result<Beam<B>, Stop> {
        probe.allow(Beam::<B>::bytes(width))?;
        Ok(Beam {
            width,
            below,
            layer: vec![start],
            spare: Vec::new(),
            looked: 0,
            links: Vec::new(),
            seen: Seen::new(width),
            candidates: Vec::new(),
            goal: false,
        })
    }

    fn bytes(width: usize) -> u64 {
        // Two layers, four candidates a node with their order, and the table of keys.
        let node = size_of::<B::Node>() * 2 + (size_of::<Candidate<B::Step>>() + size_of::<u32>()) * 4;
        (width * node + Seen::slots(width) * size_of::<u64>()) as u64
    }

    /// The steps to the first goal met; `None` if the beam ran dry or could not get there in few enough steps.
    pub fn run(&mut self, space: &B, probe: &mut Probe) -> Result<Option<Vec<B::Step>>, Stop> {
        if self.below == 0 {
            return Ok(None);
        }
        if self.links.is_empty() && space.done(&self.layer[0]) {
            return Ok(Some(Vec::new()));
        }
        loop {
            self.look(space, probe)?;
            self.advance(space, probe)?;
            if self.goal
                && let Some(goal) = self.layer.iter().position(|n| space.done(n))
            {
                return Ok(Some(trace(&self.links, goal)));
            }
            self.goal = false;
            if self.layer.is_empty() {
                return Ok(None);
            }
        }
    }

    /// Looks at the rest of the layer.
    fn look(&mut self, space: &B, probe: &mut Probe) -> Result<(), Stop> {
        let (depth, below, threads) = (self.links.len() as u32 + 1, self.below, threads(probe.mode()));
        while self.looked < self.layer.len() {
            let nodes = (self.layer.len() - self.looked).min(PART * threads);
            let nodes = nodes.min(usize::try_from(probe.nodes_left()).unwrap_or(usize::MAX).max(1));
            for _ in 0..nodes {
                probe.tick()?;
            }
            // Looking is what takes time, and is done on all threads; what is seen is then put together in order.
            let first = self.looked;
            let looked = in_parts(&self.layer[first..first + nodes], threads, LEAST, |from, part| {
                let (mut out, mut goal) = (Vec::with_capacity(part.len() * 3), false);
                for (i, node) in part.iter().enumerate() {
                    let parent = (first + from + i) as u32;
                    space.look(node, |step, rank, needs, key| {
                        if depth + needs < below {
                            goal |= needs == 0;
                            out.push(Candidate { key, parent, rank, step });
                        }
                    });
                }
                (out, goal)
            });
            for (part, goal) in looked {
                self.candidates.extend(part);
                self.goal |= goal;
            }
            self.looked += nodes;
        }
        Ok(())
    }

    /// Goes on to the next layer.
    fn advance(&mut self, space: &B, probe: &mut Probe) -> Result<(), Stop> {
        let (threads, depth) = (threads(probe.mode()), self.links.len() as u32 + 1);
        let mut links = Vec::with_capacity(self.candidates.len().min(self.width));
        for i in by_rank(&self.candidates, self.width) {
            let Candidate { key, parent, step, .. } = self.candidates[i as usize];
            if links.len() < self.width && self.seen.add(key, depth) {
                links.push((parent, step));
            }
        }
        self.candidates.clear();
        let (layer, mut next) = (&self.layer, std::mem::take(&mut self.spare));
        next.truncate(links.len());
        next.resize(links.len(), layer[0].clone());
        for (links, next) in links.chunks(PART * threads).zip(next.chunks_mut(PART * threads)) {
            probe.check()?;
            fill(links, next, threads, LEAST, |(parent, step), node| {
                node.clone_from(&layer[*parent as usize]);
                space.take(node, *step);
            });
        }
        self.links.push(links);
        self.spare = std::mem::replace(&mut self.layer, next);
        self.looked = 0;
        let links = self.links.iter().map(Vec::len).sum::<usize>() * size_of::<(u32, B::Step)>();
        probe.progress.frontier = self.layer.len() as u64;
        probe.progress.memory = Beam::<B>::bytes(self.width) + links as u64;
        probe.allow(0)
    }
}

/// The best candidates in the order of their ranks and then of their making, about twice as many as fit: some are there several times.
fn by_rank<S: Copy>(candidates: &[Candidate<S>], width: usize) -> Vec<u32> {
    let mut counts = [0usize; RANKS];
    let slot = |c: &Candidate<S>| usize::from(c.rank).min(RANKS - 1);
    for c in candidates {
        counts[slot(c)] += 1;
    }
    // Where each rank begins, and the ranks that go in.
    let (mut starts, mut total, mut ranks) = ([0usize; RANKS], 0, 0);
    while ranks < RANKS && total < 2 * width {
        starts[ranks] = total;
        total += counts[ranks];
        ranks += 1;
    }
    let mut out = vec![0; total];
    for (i, c) in candidates.iter().enumerate().filter(|(_, c)| slot(c) < ranks) {
        out[starts[slot(c)]] = i as u32;
        starts[slot(c)] += 1;
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
    use crate::job::{Limits, Mode};

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
        fn take(&self, (x, y): &mut (i32, i32), (dx, dy): (i32, i32)) {
            *x += dx;
            *y += dy;
        }
        fn done(&self, node: &(i32, i32)) -> bool {
            *node == (0, 0)
        }
    }

    fn search(below: u32, turn: u64, mode: Mode) -> (Option<Vec<(i32, i32)>>, u64) {
        let mut probe = Probe::new(Limits::default()).with_mode(mode);
        let mut beam = Beam::<Maze>::new((6, 0), 400, below, &probe).expect("no limit");
        loop {
            if let Some(line) = probe.turn(turn, |p| beam.run(&Maze, p)).expect("no limit") {
                return (line, probe.progress.nodes);
            }
        }
    }

    #[test]
    fn a_wide_beam_finds_the_shortest_way_and_a_bound_cuts_it_off() {
        let line = search(u32::MAX, u64::MAX, Mode::Reproducible).0.expect("there is a way");
        assert_eq!(line.len(), 18);
        let end = line.iter().fold((6, 0), |(x, y), (dx, dy)| (x + dx, y + dy));
        assert_eq!(end, (0, 0));
        assert_eq!(search(18, u64::MAX, Mode::Reproducible).0, None);
    }

    #[test]
    fn pauses_and_threads_change_neither_the_line_nor_the_nodes() {
        let whole = search(u32::MAX, u64::MAX, Mode::Reproducible);
        for turn in [1, 5, 64] {
            assert_eq!(search(u32::MAX, turn, Mode::Fast { threads: 2 }), whole);
        }
    }

    #[test]
    fn a_beam_that_the_memory_limit_cannot_hold_is_not_begun() {
        let probe = Probe::new(Limits { memory: Some(20_000), ..Limits::default() });
        assert_eq!(Beam::<Maze>::new((6, 0), 400, 99, &probe).err(), Some(Stop::Memory));
    }
}
