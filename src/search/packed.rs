//! Best-first search over packed states: A*, weighted A* and greedy search with one table and one bucket queue.
//!
//! A state is a fixed number of 16-bit words. All states live in one long vector and are named by their number, so a node costs its words
//! and twenty bytes. The queue has buckets by priority, last in first out, so that among equals the deepest comes first.
//!
//! With priority g + h and an h that never overestimates, the answer is optimal: a solution is noted when it is *made*, and proven
//! when no bucket below its cost is left. A state reached more cheaply later is taken up again, so h need not even be consistent. When the
//! queue runs dry without a solution there is none: states are dropped only if [`Space::estimate`] says that nothing leads on from
//! them, or if they cannot beat a solution already known.
//!
//! A space may sort its states into classes ([`Space::class`]), each with a queue of its own; the queues take turns. That is the idea of
//! feature-space search (Shoham and Schaeffer, FESS): whatever feature makes progress is followed, and none is starved.

use crate::job::{Probe, Stop};
use std::collections::BTreeMap;

/// What is searched.
pub trait Space {
    /// Whether it is searched from the goals to the start: then steps are given out last first.
    const BACKWARDS: bool = false;

    /// Whether estimates never exceed the cost. If not, the search proves nothing about costs, but still that there is no solution.
    const ADMISSIBLE: bool = true;

    /// Gives all successors of a state to `kids`.
    fn expand(&mut self, state: &[u16], kids: &mut Kids, probe: &mut Probe) -> Result<(), Stop>;

    /// A lower bound on the cost to a goal (but see [`Space::ADMISSIBLE`]), or nothing if no goal can be reached. Asked once for each new state.
    fn estimate(&mut self, state: &[u16], probe: &mut Probe) -> Result<Option<u32>, Stop>;

    /// Whether this is a goal.
    fn is_goal(&self, state: &[u16]) -> bool;

    /// The class of a state: classes take turns in being searched, so that one which looks best and leads nowhere does not take all the
    /// time. Never asked of a state without an estimate. Exact searches want one class only.
    fn class(&mut self, _state: &[u16]) -> usize {
        0
    }

    /// Told of each state that is expanded (heat maps).
    fn visited(&self, _state: &[u16], _probe: &mut Probe) {}

    /// Bytes of its tables.
    fn bytes(&mut self) -> u64 {
        0
    }
}

/// Counts bytes that are about to be allocated, if the memory limit has room for them.
pub fn claim(bytes: usize, probe: &mut Probe) -> Result<(), Stop> {
    probe.allow(bytes as u64)?;
    probe.progress.memory += bytes as u64;
    Ok(())
}

/// Makes room for more items, within the memory limit. Grows by a quarter only: a limit is often reached in the middle of a doubling.
fn reserve<T>(list: &mut Vec<T>, more: usize, probe: &mut Probe) -> Result<(), Stop> {
    if list.capacity() - list.len() < more {
        let more = more.max(list.len() / 4);
        claim(more * size_of::<T>(), probe)?;
        list.reserve_exact(more);
    }
    Ok(())
}

/// Successors on their way to the search.
#[derive(Default)]
pub struct Kids {
    words: Vec<u16>,
    steps: Vec<(u32, u32)>,
}

impl Kids {
    /// A successor, what the step to it costs, and the caller's name for that step.
    pub fn push(&mut self, state: &[u16], cost: u32, step: u32, probe: &mut Probe) -> Result<(), Stop> {
        reserve(&mut self.words, state.len(), probe)?;
        self.words.extend_from_slice(state);
        self.steps.push((cost, step));
        Ok(())
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// With a solution: the last that was given out.
    Found,
    /// There is no solution below [`Plan::below`].
    Exhausted,
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

    /// Adds a state; the table knows it once its slot holds the number given.
    fn add(&mut self, state: &[u16], came: (u32, u32), g: u32, h: u32, probe: &mut Probe) -> Result<u32, Stop> {
        let id = self.g.len() as u32;
        reserve(&mut self.words, state.len(), probe)?;
        for list in [&mut self.parent, &mut self.step, &mut self.g, &mut self.h] {
            reserve(list, 1, probe)?;
        }
        let (parent, step) = came;
        self.words.extend_from_slice(state);
        self.parent.push(parent);
        self.step.push(step);
        self.g.push(g);
        self.h.push(h);
        Ok(id)
    }

    fn grow(&mut self, probe: &mut Probe) -> Result<(), Stop> {
        if self.g.len() * 10 < self.table.len() * 7 {
            return Ok(());
        }
        claim(self.table.len() * 8, probe)?;
        let ids = std::mem::take(&mut self.table);
        self.table = vec![NONE; ids.len() * 2];
        for id in ids.into_iter().filter(|id| *id != NONE) {
            let slot = self.slot(self.state(id));
            self.table[slot] = id;
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        (self.words.capacity() * 2 + self.g.capacity() * 16 + self.table.len() * 4) as u64
    }

    /// The steps to a state, last first.
    fn steps_to(&self, mut id: u32) -> Vec<u32> {
        let mut steps = Vec::new();
        while self.parent[id as usize] != NONE {
            steps.push(self.step[id as usize]);
            id = self.parent[id as usize];
        }
        steps
    }
}

/// A queue of buckets by priority: least first, and the last in first out within a bucket.
#[derive(Default)]
struct Queue(BTreeMap<u32, Vec<(u32, u32)>>);

impl Queue {
    fn push(&mut self, priority: u32, id: u32, g: u32) {
        self.0.entry(priority).or_default().push((id, g));
    }

    fn pop(&mut self) -> Option<(u32, u32, u32)> {
        let mut least = self.0.first_entry()?;
        let (id, g) = least.get_mut().pop()?;
        let priority = *least.key();
        if least.get().is_empty() {
            least.remove();
        }
        Some((priority, id, g))
    }
}

/// A queue for each class, taking turns.
#[derive(Default)]
struct Queues {
    classes: BTreeMap<usize, Queue>,
    turn: usize,
    len: usize,
}

impl Queues {
    fn push(&mut self, class: usize, priority: u32, id: u32, g: u32) {
        self.classes.entry(class).or_default().push(priority, id, g);
        self.len += 1;
    }

    /// The next entry and its class: highest class first, then the next lower that has any, and around.
    fn pop(&mut self) -> Option<(usize, (u32, u32, u32))> {
        let lower = self.classes.range(..self.turn).next_back().map(|(class, _)| *class);
        self.turn = lower.or_else(|| self.classes.last_key_value().map(|(class, _)| *class))?;
        let queue = self.classes.get_mut(&self.turn)?;
        let entry = queue.pop()?;
        if queue.0.is_empty() {
            self.classes.remove(&self.turn);
        }
        self.len -= 1;
        Some((self.turn, entry))
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
    bound: u32,
    kids: Kids,
    state: Vec<u16>,
}

impl<S: Space> Search<S> {
    /// A search from these states, all of one width; there is at least one.
    pub fn new(space: S, starts: &[Vec<u16>], plan: Plan, probe: &mut Probe) -> Result<Search<S>, Stop> {
        let width = starts.first().map_or(1, Vec::len);
        let (nodes, queue) = (Nodes::new(width), Queues::default());
        let (kids, state) = (Kids::default(), vec![0; width]);
        let mut search = Search { space, plan, nodes, queue, best: None, bound: 0, kids, state };
        for start in starts {
            search.begin(start, probe)?;
        }
        if S::ADMISSIBLE {
            search.bound = search.nodes.h.iter().copied().min().unwrap_or(0);
        }
        Ok(search)
    }

    fn begin(&mut self, start: &[u16], probe: &mut Probe) -> Result<(), Stop> {
        let Some(h) = self.space.estimate(start, probe)? else { return Ok(()) };
        let root = self.nodes.add(start, (NONE, 0), 0, h, probe)?;
        if self.plan.start_counts {
            let slot = self.nodes.slot(start);
            self.nodes.table[slot] = root;
            self.nodes.grow(probe)?;
            if self.space.is_goal(start) {
                self.best = Some((0, root));
            }
        }
        self.queue.push(self.space.class(start), (self.plan.priority)(0, h), root, 0);
        Ok(())
    }

    /// No solution costs less than this, proven.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// From now on only solutions cheaper than this are of interest.
    pub fn set_below(&mut self, below: u32) {
        self.plan.below = below;
    }

    fn limit(&self) -> u32 {
        self.best.map_or(self.plan.below, |(cost, _)| cost.min(self.plan.below))
    }

    /// Goes on until the answer is known or the probe stops it. After the node limit it can be called again; after another stop it is not
    /// whole any more. `better` is told the cost and the steps of each solution that beats the one before.
    pub fn run(&mut self, probe: &mut Probe, better: &mut dyn FnMut(u32, &[u32], &mut Probe)) -> Result<End, Stop> {
        if let Some((0, _)) = self.best {
            better(0, &[], probe);
            return Ok(End::Found);
        }
        while let Some((class, (priority, id, g))) = self.queue.pop() {
            let limit = self.limit();
            if self.plan.exact {
                if priority >= limit {
                    break;
                }
                self.bound = self.bound.max(priority);
                probe.progress.bound = probe.progress.bound.max(priority);
            }
            if self.nodes.g[id as usize] != g || g.saturating_add(self.nodes.h[id as usize]) >= limit {
                continue;
            }
            probe.progress.frontier = self.queue.len as u64;
            probe.progress.memory = self.bytes();
            if let Err(stop) = probe.tick() {
                self.queue.push(class, priority, id, g);
                return Err(stop);
            }
            self.state.copy_from_slice(self.nodes.state(id));
            self.space.visited(&self.state, probe);
            let mut kids = std::mem::take(&mut self.kids);
            kids.words.clear();
            kids.steps.clear();
            self.space.expand(&self.state, &mut kids, probe)?;
            for (kid, &(cost, step)) in kids.words.chunks_exact(self.state.len()).zip(&kids.steps) {
                if let Some(found) = self.meet(kid, (id, step), g + cost, probe)? {
                    let mut steps = self.nodes.steps_to(found);
                    if !S::BACKWARDS {
                        steps.reverse();
                    }
                    better(g + cost, &steps, probe);
                    if !self.plan.exact {
                        return Ok(End::Found);
                    }
                }
            }
            self.kids = kids;
        }
        Ok(if self.best.is_some() { End::Found } else { End::Exhausted })
    }

    /// Bytes in use. An entry of the queue may have as much room again beside it.
    fn bytes(&mut self) -> u64 {
        let queue = self.queue.len as u64 * 16;
        self.nodes.bytes() + queue + self.kids.words.capacity() as u64 * 2 + self.space.bytes()
    }

    /// Takes in a successor; gives its number if it is the best solution yet.
    fn meet(&mut self, kid: &[u16], came: (u32, u32), g: u32, probe: &mut Probe) -> Result<Option<u32>, Stop> {
        let limit = self.limit();
        let nodes = &mut self.nodes;
        let slot = nodes.slot(kid);
        let known = nodes.table[slot];
        let id = if known == NONE {
            let h = self.space.estimate(kid, probe)?.unwrap_or(DEAD);
            let new = nodes.add(kid, came, g, h, probe)?;
            nodes.table[slot] = new;
            nodes.grow(probe)?;
            new
        } else {
            if nodes.h[known as usize] == DEAD || g >= nodes.g[known as usize] {
                return Ok(None);
            }
            nodes.g[known as usize] = g;
            (nodes.parent[known as usize], nodes.step[known as usize]) = came;
            known
        };
        let h = nodes.h[id as usize];
        if h == DEAD || g.saturating_add(h) >= limit {
            return Ok(None);
        }
        if self.space.is_goal(kid) {
            self.best = Some((g, id));
            return Ok(Some(id));
        }
        let class = self.space.class(kid);
        self.queue.push(class, (self.plan.priority)(g, h), id, g);
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Limits;

    /// A number is doubled or grows by one until it is the wanted one.
    struct Doubling(u16);

    impl Space for Doubling {
        fn expand(&mut self, state: &[u16], kids: &mut Kids, probe: &mut Probe) -> Result<(), Stop> {
            kids.push(&[state[0] + 1], 1, 1, probe)?;
            kids.push(&[state[0].saturating_mul(2)], 1, 2, probe)
        }
        fn estimate(&mut self, state: &[u16], _: &mut Probe) -> Result<Option<u32>, Stop> {
            Ok((state[0] <= self.0).then_some(u32::from(state[0] != self.0)))
        }
        fn is_goal(&self, state: &[u16]) -> bool {
            state[0] == self.0
        }
    }

    fn exact() -> Plan {
        Plan { priority: |g, h| g + h, exact: true, below: u32::MAX, start_counts: true }
    }

    /// Runs in turns of so many nodes; the answer with the best solution, and the number of turns.
    fn run<S: Space>(space: S, start: u16, plan: Plan, turn: u64) -> (End, Option<(u32, Vec<u32>)>, usize) {
        let mut search = Search::new(space, &[vec![start]], plan, &mut Probe::new(Limits::default())).unwrap();
        let mut best = None;
        for turns in 1..1_000_000 {
            let found = &mut |cost, steps: &[u32], _: &mut Probe| best = Some((cost, steps.to_vec()));
            match search.run(&mut Probe::new(Limits::nodes(turn)), found) {
                Ok(end) => return (end, best, turns),
                Err(stop) => assert_eq!(stop, Stop::Nodes),
            }
        }
        panic!("no end");
    }

    #[test]
    fn the_exact_search_finds_the_shortest_way() {
        let best = Some((8, vec![1, 1, 2, 2, 2, 1, 2, 2]));
        assert_eq!(run(Doubling(100), 1, exact(), 10_000), (End::Found, best, 1));
        assert_eq!(run(Doubling(1), 1, exact(), 10_000), (End::Found, Some((0, vec![])), 1));
        assert_eq!(run(Doubling(0), 1, exact(), 10_000), (End::Exhausted, None, 1));
    }

    #[test]
    fn a_bound_from_outside_is_kept_and_greedy_search_ends_at_once() {
        assert_eq!(run(Doubling(100), 1, Plan { below: 8, ..exact() }, 10_000), (End::Exhausted, None, 1));
        let greedy = Plan { priority: |_, h| h, exact: false, ..exact() };
        assert_eq!(run(Doubling(100), 1, greedy, 10_000).0, End::Found);
    }

    #[test]
    fn a_stopped_search_goes_on_where_it_was() {
        let (end, best, turns) = run(Doubling(60_000), 1, exact(), 3);
        assert!(turns > 3);
        assert_eq!((end, best, 1), run(Doubling(60_000), 1, exact(), 1_000_000));
    }

    #[test]
    fn the_memory_limit_is_asked_before_memory_is_taken() {
        let mut probe = Probe::new(Limits { memory: Some(100_000), ..Limits::default() });
        let mut search = Search::new(Doubling(u16::MAX), &[vec![1]], exact(), &mut probe).unwrap();
        assert_eq!(search.run(&mut probe, &mut |_, _, _| ()), Err(Stop::Memory));
        assert!((50_000..=100_000).contains(&search.bytes()), "{}", search.bytes());
    }

    #[test]
    fn a_start_that_does_not_count_must_be_come_back_to() {
        struct Ring;
        impl Space for Ring {
            fn expand(&mut self, state: &[u16], kids: &mut Kids, probe: &mut Probe) -> Result<(), Stop> {
                kids.push(&[(state[0] + 1) % 5], 1, 0, probe)
            }
            fn estimate(&mut self, _: &[u16], _: &mut Probe) -> Result<Option<u32>, Stop> {
                Ok(Some(0))
            }
            fn is_goal(&self, state: &[u16]) -> bool {
                state[0] == 0
            }
        }
        let plan = Plan { start_counts: false, ..exact() };
        assert_eq!(run(Ring, 0, plan, 100), (End::Found, Some((5, vec![0; 5])), 1));
    }

    /// A tree of which one class looks best at every step and never ends; the goal is in the other.
    struct Lure;

    impl Space for Lure {
        fn expand(&mut self, state: &[u16], kids: &mut Kids, probe: &mut Probe) -> Result<(), Stop> {
            kids.push(&[state[0].wrapping_add(2)], 1, 0, probe)?;
            if state[0] == 0 {
                kids.push(&[1], 1, 1, probe)?;
            }
            Ok(())
        }
        fn estimate(&mut self, state: &[u16], _: &mut Probe) -> Result<Option<u32>, Stop> {
            Ok(Some(if state[0] % 2 == 0 { 1 } else { 100 }))
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
        let (end, best, turns) = run(Lure, 0, greedy, 30);
        assert_eq!((end, best.map(|b| b.0), turns), (End::Found, Some(11), 1));
    }
}
