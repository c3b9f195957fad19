//! Best-first search over packed states: A*, weighted A* and greedy search with one table and one bucket queue.
//!
//! A state is a fixed number of 16-bit words. All states live in one long vector and are named by their number, so a node costs its words
//! and twenty bytes. The queue is an array of buckets by priority, last in first out, so that among equals the deepest comes first.
//!
//! With priority g + h and an h that never overestimates, the answer is optimal: a solution is noted when it is *made*, and proven
//! when no bucket below its cost is left. A state reached more cheaply later is taken up again, so h need not even be consistent. When the
//! queue runs dry without a solution there is none: states are dropped only if [`Space::estimate`] says that nothing leads on from
//! them, or if they cannot beat a solution already known.

use crate::job::{Probe, Stop};

/// What is searched.
pub trait Space {
    /// Gives all successors of a state to `kids`.
    fn expand(&mut self, state: &[u16], kids: &mut Kids);

    /// A lower bound on the cost to a goal, or nothing if no goal can be reached. Asked once for each new state.
    fn estimate(&mut self, state: &[u16]) -> Option<u32>;

    /// Whether this is a goal.
    fn is_goal(&self, state: &[u16]) -> bool;

    /// Told of each state that is expanded (heat maps).
    fn visited(&self, _state: &[u16], _probe: &mut Probe) {}
}

/// Successors on their way to the search.
#[derive(Default)]
pub struct Kids {
    words: Vec<u16>,
    steps: Vec<(u32, u32)>,
}

impl Kids {
    /// A successor, what the step to it costs, and the caller's name for that step.
    pub fn push(&mut self, state: &[u16], cost: u32, step: u32) {
        self.words.extend_from_slice(state);
        self.steps.push((cost, step));
    }
}

/// How to search.
#[derive(Clone, Copy)]
pub struct Plan {
    /// The priority of a node from g and h; least first.
    pub priority: fn(g: u32, h: u32) -> u32,
    /// Whether the priority is g + h: then bounds are proofs and the search goes on until the solution is proven best. Else the first
    /// solution ends it.
    pub exact: bool,
    /// Only solutions cheaper than this are of interest.
    pub below: u32,
    /// Whether the first state counts as a goal, and as reached; not so where a goal must be *come to*.
    pub start_counts: bool,
}

/// How a search ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// The best solution: its cost and the steps to it.
    Found(u32, Vec<u32>),
    /// There is no solution below [`Plan::below`].
    Exhausted,
    /// Stopped, with the best solution so far.
    Stopped(Stop, Option<(u32, Vec<u32>)>),
}

const NONE: u32 = u32::MAX;
/// The estimate of a state from which nothing leads on.
const DEAD: u32 = u32::MAX;

struct Nodes {
    width: usize,
    words: Vec<u16>,
    parent: Vec<u32>,
    step: Vec<u32>,
    g: Vec<u32>,
    h: Vec<u32>,
    table: Vec<u32>,
}

impl Nodes {
    fn new(width: usize) -> Nodes {
        Nodes {
            width,
            words: Vec::new(),
            parent: Vec::new(),
            step: Vec::new(),
            g: Vec::new(),
            h: Vec::new(),
            table: vec![NONE; 1 << 10],
        }
    }

    fn state(&self, id: u32) -> &[u16] {
        let at = id as usize * self.width;
        &self.words[at..at + self.width]
    }

    fn slot(&self, state: &[u16]) -> usize {
        let mut hash = 0u64;
        for &w in state {
            hash = (hash.rotate_left(7) ^ u64::from(w)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        let mask = self.table.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        loop {
            let id = self.table[slot];
            if id == NONE || self.state(id) == state {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn add(&mut self, state: &[u16], parent: u32, step: u32, g: u32, h: u32) -> u32 {
        let id = self.g.len() as u32;
        self.words.extend_from_slice(state);
        self.parent.push(parent);
        self.step.push(step);
        self.g.push(g);
        self.h.push(h);
        id
    }

    fn grow(&mut self) {
        if self.g.len() * 10 < self.table.len() * 7 {
            return;
        }
        let ids = std::mem::take(&mut self.table);
        self.table = vec![NONE; ids.len() * 2];
        for id in ids.into_iter().filter(|id| *id != NONE) {
            let slot = self.slot(self.state(id));
            self.table[slot] = id;
        }
    }

    fn bytes(&self) -> u64 {
        (self.words.capacity() * 2 + self.g.capacity() * 16 + self.table.len() * 4) as u64
    }

    fn steps_to(&self, mut id: u32) -> Vec<u32> {
        let mut steps = Vec::new();
        while self.parent[id as usize] != NONE {
            steps.push(self.step[id as usize]);
            id = self.parent[id as usize];
        }
        steps.reverse();
        steps
    }
}

/// A queue of buckets.
#[derive(Default)]
struct Queue {
    buckets: Vec<Vec<(u32, u32)>>,
    least: usize,
    len: usize,
}

impl Queue {
    fn push(&mut self, priority: u32, id: u32, g: u32) {
        let p = priority as usize;
        if p >= self.buckets.len() {
            self.buckets.resize_with(p + 1, Vec::new);
        }
        self.buckets[p].push((id, g));
        self.least = self.least.min(p);
        self.len += 1;
    }

    fn pop(&mut self) -> Option<(u32, u32, u32)> {
        if self.len == 0 {
            return None;
        }
        while self.buckets[self.least].is_empty() {
            self.least += 1;
        }
        self.len -= 1;
        let (id, g) = self.buckets[self.least].pop()?;
        Some((self.least as u32, id, g))
    }
}

/// Searches from `start`. `better` is told the cost and the steps of each solution that beats the one before.
pub fn search<S: Space>(
    space: &mut S,
    start: &[u16],
    plan: Plan,
    probe: &mut Probe,
    better: &mut dyn FnMut(u32, &[u32], &mut Probe),
) -> End {
    let mut nodes = Nodes::new(start.len());
    let mut queue = Queue::default();
    let mut best: Option<(u32, u32)> = None;
    let mut kids = Kids::default();
    let mut state = vec![0u16; start.len()];
    let Some(h) = space.estimate(start) else { return End::Exhausted };
    let root = nodes.add(start, NONE, 0, 0, h);
    if plan.start_counts {
        if space.is_goal(start) {
            better(0, &[], probe);
            return End::Found(0, Vec::new());
        }
        let slot = nodes.slot(start);
        nodes.table[slot] = root;
    }
    queue.push((plan.priority)(0, h), root, 0);
    while let Some((priority, id, g)) = queue.pop() {
        let limit = best.map_or(plan.below, |(cost, _)| cost);
        if plan.exact {
            if priority >= limit {
                break;
            }
            probe.progress.bound = probe.progress.bound.max(priority);
        }
        if nodes.g[id as usize] != g || g.saturating_add(nodes.h[id as usize]) >= limit {
            continue;
        }
        probe.progress.frontier = queue.len as u64;
        probe.progress.memory = nodes.bytes() + queue.len as u64 * 8;
        if let Err(stop) = probe.tick() {
            return End::Stopped(stop, best.map(|(cost, goal)| (cost, nodes.steps_to(goal))));
        }
        state.copy_from_slice(nodes.state(id));
        space.visited(&state, probe);
        kids.words.clear();
        kids.steps.clear();
        space.expand(&state, &mut kids);
        for (kid, &(cost, step)) in kids.words.chunks_exact(start.len()).zip(&kids.steps) {
            let g = g + cost;
            let limit = best.map_or(plan.below, |(cost, _)| cost);
            let slot = nodes.slot(kid);
            let known = nodes.table[slot];
            let kid_id = if known == NONE {
                let h = space.estimate(kid).unwrap_or(DEAD);
                let new = nodes.add(kid, id, step, g, h);
                nodes.table[slot] = new;
                nodes.grow();
                new
            } else {
                if nodes.h[known as usize] == DEAD || g >= nodes.g[known as usize] {
                    continue;
                }
                nodes.g[known as usize] = g;
                nodes.parent[known as usize] = id;
                nodes.step[known as usize] = step;
                known
            };
            let h = nodes.h[kid_id as usize];
            if h == DEAD || g.saturating_add(h) >= limit {
                continue;
            }
            if space.is_goal(kid) {
                best = Some((g, kid_id));
                better(g, &nodes.steps_to(kid_id), probe);
                if !plan.exact {
                    return End::Found(g, nodes.steps_to(kid_id));
                }
            } else {
                queue.push((plan.priority)(g, h), kid_id, g);
            }
        }
    }
    best.map_or(End::Exhausted, |(cost, goal)| End::Found(cost, nodes.steps_to(goal)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Limits;

    /// A number is doubled or grows by one until it is the wanted one.
    struct Doubling(u16);

    impl Space for Doubling {
        fn expand(&mut self, state: &[u16], kids: &mut Kids) {
            kids.push(&[state[0] + 1], 1, 1);
            kids.push(&[state[0] * 2], 1, 2);
        }
        fn estimate(&mut self, state: &[u16]) -> Option<u32> {
            (state[0] <= self.0).then_some(u32::from(state[0] != self.0))
        }
        fn is_goal(&self, state: &[u16]) -> bool {
            state[0] == self.0
        }
    }

    fn exact() -> Plan {
        Plan { priority: |g, h| g + h, exact: true, below: u32::MAX, start_counts: true }
    }

    fn run(want: u16, plan: Plan, nodes: u64) -> End {
        search(&mut Doubling(want), &[1], plan, &mut Probe::new(Limits::nodes(nodes)), &mut |_, _, _| ())
    }

    #[test]
    fn the_exact_search_finds_the_shortest_way() {
        assert_eq!(run(100, exact(), 10_000), End::Found(8, vec![1, 1, 2, 2, 2, 1, 2, 2].into_iter().collect()));
        assert_eq!(run(1, exact(), 10_000), End::Found(0, vec![]));
        assert_eq!(run(0, exact(), 10_000), End::Exhausted);
    }

    #[test]
    fn a_bound_from_outside_is_kept_and_greedy_search_ends_at_once() {
        assert_eq!(run(100, Plan { below: 8, ..exact() }, 10_000), End::Exhausted);
        let greedy = Plan { priority: |_, h| h, exact: false, ..exact() };
        assert!(matches!(run(100, greedy, 10_000), End::Found(_, _)));
        assert!(matches!(run(60_000, exact(), 5), End::Stopped(Stop::Nodes, None)));
    }

    #[test]
    fn a_start_that_does_not_count_must_be_come_back_to() {
        struct Ring;
        impl Space for Ring {
            fn expand(&mut self, state: &[u16], kids: &mut Kids) {
                kids.push(&[(state[0] + 1) % 5], 1, 0);
            }
            fn estimate(&mut self, _: &[u16]) -> Option<u32> {
                Some(0)
            }
            fn is_goal(&self, state: &[u16]) -> bool {
                state[0] == 0
            }
        }
        let plan = Plan { start_counts: false, ..exact() };
        let end = search(&mut Ring, &[0], plan, &mut Probe::new(Limits::nodes(100)), &mut |_, _, _| ());
        assert_eq!(end, End::Found(5, vec![0; 5]));
    }
}
