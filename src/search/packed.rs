//! Best-first search over packed states: A*, weighted A* and greedy search with one table and one bucket queue.
//!
//! A state is a fixed number of 16-bit words. All states live in one long vector and are named by their number, so a node costs its words
//! and twenty bytes. The queue is an array of buckets by priority, last in first out, so that among equals the deepest comes first.
//!
//! With priority g + h and an h that never overestimates, the answer is optimal: a solution is noted when it is *made*, and proven
//! when no bucket below its cost is left. A state reached more cheaply later is taken up again, so h need not even be consistent. When the
//! queue runs dry without a solution there is none: states are dropped only if [`Space::estimate`] says that nothing leads on from
//! them, or if they cannot beat a solution already known.
//!
//! A space may sort its states into classes ([`Space::class`]), each with a queue of its own; the queues take turns. That is the idea of
//! feature-space search (Shoham and Schaeffer, FESS): whatever feature makes progress is followed, and none is starved.

use crate::job::{Probe, Stop};

/// What is searched.
pub trait Space {
    /// Gives all successors of a state to `kids`.
    fn expand(&mut self, state: &[u16], kids: &mut Kids);

    /// A lower bound on the cost to a goal, or nothing if no goal can be reached. Asked once for each new state.
    fn estimate(&mut self, state: &[u16]) -> Option<u32>;

    /// Whether this is a goal.
    fn is_goal(&self, state: &[u16]) -> bool;

    /// The class of a state: classes take turns in being searched, so that one which looks best and leads nowhere does not take all the
    /// time. Never asked of a state without an estimate. Exact searches want one class only.
    fn class(&mut self, _state: &[u16]) -> usize {
        0
    }

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

/// A queue for each class, taking turns.
#[derive(Default)]
struct Queues {
    classes: Vec<Queue>,
    turn: usize,
    len: usize,
}

impl Queues {
    fn push(&mut self, class: usize, priority: u32, id: u32, g: u32) {
        if class >= self.classes.len() {
            self.classes.resize_with(class + 1, Queue::default);
        }
        self.classes[class].push(priority, id, g);
        self.len += 1;
    }

    /// The next entry and its class: highest class first, then the next lower that has any, and around.
    fn pop(&mut self) -> Option<(usize, (u32, u32, u32))> {
        if self.len == 0 {
            return None;
        }
        let n = self.classes.len();
        let class = (1..=n).map(|i| (self.turn + n - i) % n).find(|c| self.classes[*c].len > 0)?;
        self.turn = class;
        self.len -= 1;
        Some((class, self.classes[class].pop()?))
    }
}

/// A search that can be taken up again where it stopped.
pub struct Search<S: Space> {
    /// What is searched.
    pub space: S,
    plan: Plan,
    nodes: Nodes,
    queue: Queues,
    best: Option<(u32, u32)>,
    kids: Kids,
    state: Vec<u16>,
}

impl<S: Space> Search<S> {
    /// A search from these states, all of one width; there is at least one.
    pub fn new(mut space: S, starts: &[Vec<u16>], plan: Plan) -> Search<S> {
        let width = starts.first().map_or(1, Vec::len);
        let mut nodes = Nodes::new(width);
        let mut queue = Queues::default();
        let mut best = None;
        for start in starts {
            let Some(h) = space.estimate(start) else { continue };
            let root = nodes.add(start, NONE, 0, 0, h);
            if plan.start_counts {
                let slot = nodes.slot(start);
                nodes.table[slot] = root;
                nodes.grow();
                if space.is_goal(start) {
                    best = Some((0, root));
                }
            }
            queue.push(space.class(start), (plan.priority)(0, h), root, 0);
        }
        Search { space, plan, nodes, queue, best, kids: Kids::default(), state: vec![0; width] }
    }

    /// Goes on until the answer is known or the probe stops it; then it can be called again. `better` is told the cost and the steps of
    /// each solution that beats the one before.
    pub fn run(&mut self, probe: &mut Probe, better: &mut dyn FnMut(u32, &[u32], &mut Probe)) -> End {
        if let Some((0, _)) = self.best {
            better(0, &[], probe);
            return End::Found(0, Vec::new());
        }
        while let Some((class, (priority, id, g))) = self.queue.pop() {
            let limit = self.best.map_or(self.plan.below, |(cost, _)| cost);
            if self.plan.exact {
                if priority >= limit {
                    break;
                }
                probe.progress.bound = probe.progress.bound.max(priority);
            }
            if self.nodes.g[id as usize] != g || g.saturating_add(self.nodes.h[id as usize]) >= limit {
                continue;
            }
            probe.progress.frontier = self.queue.len as u64;
            probe.progress.memory = self.bytes();
            if let Err(stop) = probe.tick() {
                self.queue.push(class, priority, id, g);
                return End::Stopped(stop, self.best.map(|(cost, goal)| (cost, self.nodes.steps_to(goal))));
            }
            self.state.copy_from_slice(self.nodes.state(id));
            self.space.visited(&self.state, probe);
            self.kids.words.clear();
            self.kids.steps.clear();
            self.space.expand(&self.state, &mut self.kids);
            let mut kids = std::mem::take(&mut self.kids);
            for (kid, &(cost, step)) in kids.words.chunks_exact(self.state.len()).zip(&kids.steps) {
                if let Some(found) = self.meet(kid, id, step, g + cost) {
                    better(g + cost, &self.nodes.steps_to(found), probe);
                    if !self.plan.exact {
                        return End::Found(g + cost, self.nodes.steps_to(found));
                    }
                }
            }
            kids.words.clear();
            self.kids = kids;
        }
        self.best.map_or(End::Exhausted, |(cost, goal)| End::Found(cost, self.nodes.steps_to(goal)))
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.nodes.bytes() + self.queue.len as u64 * 8
    }

    /// Takes in a successor; gives its number if it is the best solution yet.
    fn meet(&mut self, kid: &[u16], parent: u32, step: u32, g: u32) -> Option<u32> {
        let limit = self.best.map_or(self.plan.below, |(cost, _)| cost);
        let nodes = &mut self.nodes;
        let slot = nodes.slot(kid);
        let known = nodes.table[slot];
        let id = if known == NONE {
            let h = self.space.estimate(kid).unwrap_or(DEAD);
            let new = nodes.add(kid, parent, step, g, h);
            nodes.table[slot] = new;
            nodes.grow();
            new
        } else {
            if nodes.h[known as usize] == DEAD || g >= nodes.g[known as usize] {
                return None;
            }
            nodes.g[known as usize] = g;
            nodes.parent[known as usize] = parent;
            nodes.step[known as usize] = step;
            known
        };
        let h = nodes.h[id as usize];
        if h == DEAD || g.saturating_add(h) >= limit {
            return None;
        }
        if self.space.is_goal(kid) {
            self.best = Some((g, id));
            return Some(id);
        }
        let class = self.space.class(kid);
        self.queue.push(class, (self.plan.priority)(g, h), id, g);
        None
    }
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
            kids.push(&[state[0].saturating_mul(2)], 1, 2);
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
        Search::new(Doubling(want), &[vec![1]], plan).run(&mut Probe::new(Limits::nodes(nodes)), &mut |_, _, _| ())
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
    fn a_stopped_search_goes_on_where_it_was() {
        let mut search = Search::new(Doubling(60_000), &[vec![1]], exact());
        let mut rounds = 0;
        let end = loop {
            match search.run(&mut Probe::new(Limits::nodes(3)), &mut |_, _, _| ()) {
                End::Stopped(Stop::Nodes, _) => rounds += 1,
                end => break end,
            }
        };
        assert!(rounds > 3);
        assert_eq!(end, run(60_000, exact(), 1_000_000));
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
        let end = Search::new(Ring, &[vec![0]], plan).run(&mut Probe::new(Limits::nodes(100)), &mut |_, _, _| ());
        assert_eq!(end, End::Found(5, vec![0; 5]));
    }

    /// A tree of which one class looks best at every step and never ends; the goal is in the other.
    struct Lure;

    impl Space for Lure {
        fn expand(&mut self, state: &[u16], kids: &mut Kids) {
            kids.push(&[state[0].wrapping_add(2)], 1, 0);
            if state[0] == 0 {
                kids.push(&[1], 1, 1);
            }
        }
        fn estimate(&mut self, state: &[u16]) -> Option<u32> {
            Some(if state[0] % 2 == 0 { 1 } else { 100 })
        }
        fn is_goal(&self, state: &[u16]) -> bool {
            state[0] == 21
        }
        fn class(&mut self, state: &[u16]) -> usize {
            usize::from(state[0] % 2)
        }
    }

    #[test]
    fn classes_take_turns_so_none_is_starved() {
        let greedy = Plan { priority: |_, h| h, exact: false, ..exact() };
        let end = Search::new(Lure, &[vec![0]], greedy).run(&mut Probe::new(Limits::nodes(30)), &mut |_, _, _| ());
        assert!(matches!(end, End::Found(11, _)), "{end:?}");
    }
}
