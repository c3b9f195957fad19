//! Best-first search over states of a few words, in four forms.
//!
//! [`weighted`] orders by `cost + weight * bound` and finds *a* solution soon. [`bounded`] asks whether there is a solution of at most a
//! given cost, goes for the nearest-looking states first, and proves that there is none by exhausting them; raising the limit one by
//! one ends with a solution that is proven best. The limit is handed to the space as *slack*: what a solution through a
//! state may still waste. A space that knows how little may be wasted can leave out most successors (partial expansion) and
//! most orders of moves that do not disturb each other (partial-order reduction).
//!
//! [`dive`] goes from milestone to milestone in spaces without dead ends, and [`cheapest`] is A* proper, for bounds that are consistent.
//!
//! Bounds must be admissible. A state is expanded again if it is met at a lower cost.

use super::{
    buckets::Buckets,
    store::{Reached, Store},
};
use crate::job::{Probe, Stop};

/// A space of states to search.
pub trait Space {
    /// Words a state has.
    fn width(&self) -> usize;

    /// The successors of a state. With slack (how much more than the bound a solution from here may cost), those may be left out that no
    /// solution within it needs, and whole moves may be put off, as long as every solution within the slack has a counterpart of at
    /// most its cost that is kept.
    fn expand(
        &mut self,
        state: &[u32],
        slack: Option<u32>,
        out: &mut Successors,
        probe: &mut Probe,
    ) -> Result<(), Stop>;

    /// How far a state is from the goal in milestones: see [`dive`]. Never rises along a way.
    fn rank(&self, _state: &[u32]) -> u32 {
        0
    }

    /// A guess, not a bound, of how far the next milestone is.
    fn guess(&mut self, _state: &[u32]) -> u32 {
        0
    }

    /// Bytes in use beside the search's own tables.
    fn memory(&self) -> usize;

    /// Tells the probe which places a state is about.
    fn visit(&self, _state: &[u32], _probe: &mut Probe) {}
}

/// Successors on their way from a space to a search.
#[derive(Clone, Debug, Default)]
pub struct Successors {
    words: Vec<u32>,
    items: Vec<(u32, u32)>,
}

impl Successors {
    /// Adds a successor: its state, what the way to it costs, and a lower bound on the way from it to a goal. A bound of 0 is a goal.
    #[inline]
    pub fn push(&mut self, state: &[u32], cost: u32, bound: u32) {
        self.words.extend_from_slice(state);
        self.items.push((cost, bound));
    }

    /// Adds a successor that differs from `state` in one word.
    #[inline]
    pub fn push_changed(&mut self, state: &[u32], at: usize, word: u32, cost: u32, bound: u32) {
        let start = self.words.len();
        self.words.extend_from_slice(state);
        self.words[start + at] = word;
        self.items.push((cost, bound));
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.words.clear();
        self.items.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Goes through them: state, cost, bound.
    pub fn iter(&self) -> impl Iterator<Item = (&[u32], u32, u32)> {
        let width = self.words.len() / self.items.len().max(1);
        self.words.chunks(width.max(1)).zip(&self.items).map(|(w, (c, b))| (w, *c, *b))
    }
}

/// A state to begin from, with the cost so far and the bound of what is left.
#[derive(Clone, Debug)]
pub struct Root {
    /// The state.
    pub state: Vec<u32>,
    /// The cost so far.
    pub cost: u32,
    /// The bound of what is left.
    pub bound: u32,
}

/// A way found: the states from a root to a goal, and its cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// The states, a root first.
    pub states: Vec<Vec<u32>>,
    /// What it costs.
    pub cost: u32,
}

/// The tables of a search, kept from one call to the next to save their making.
#[derive(Debug)]
pub struct Tables {
    store: Store,
    /// The bound of each state, and the cost at which it was last expanded.
    bound: Vec<u32>,
    expanded: Vec<u32>,
    queue: Buckets,
    successors: Successors,
    ticks: u64,
}

impl Tables {
    /// Empty tables for states of this many words.
    pub fn new(width: usize) -> Tables {
        Tables {
            store: Store::new(width),
            bound: Vec::new(),
            expanded: Vec::new(),
            queue: Buckets::default(),
            successors: Successors::default(),
            ticks: 0,
        }
    }

    fn clear(&mut self) {
        self.store.clear();
        self.bound.clear();
        self.expanded.clear();
        self.queue.clear();
    }

    /// Bytes in use.
    pub fn memory(&self) -> usize {
        self.store.memory() + 4 * (self.bound.capacity() + self.expanded.capacity()) + self.queue.memory()
    }

    /// Meets a state; the number under which it waits to be expanded, if it does.
    #[inline]
    fn meet(&mut self, state: &[u32], cost: u32, bound: u32, from: Option<u32>) -> Option<u32> {
        match self.store.reach(state, cost, from) {
            Reached::New(i) => {
                self.bound.push(bound);
                self.expanded.push(u32::MAX);
                Some(i)
            }
            Reached::Better(i) => Some(i),
            Reached::Known => None,
        }
    }

    fn way(&self, goal: u32) -> Way {
        let states = self.store.path(goal).into_iter().map(|i| self.store.state(i).to_vec()).collect();
        Way { states, cost: self.store.cost(goal) }
    }

    /// Takes the next state to expand, with the cost it was reached at.
    #[inline]
    fn take(&mut self) -> Option<u32> {
        while let Some((_, i)) = self.queue.pop() {
            let cost = self.store.cost(i);
            if self.expanded[i as usize] > cost {
                self.expanded[i as usize] = cost;
                return Some(i);
            }
        }
        None
    }
}

/// One expansion's bookkeeping: limits, progress, heat.
fn tick(space: &impl Space, tables: &mut Tables, i: u32, probe: &mut Probe) -> Result<(), Stop> {
    if probe.heat.is_some() {
        space.visit(tables.store.state(i), probe);
    }
    tables.ticks += 1;
    if tables.ticks.is_multiple_of(64) {
        probe.progress.memory = (tables.memory() + space.memory()) as u64;
        probe.progress.frontier = tables.queue.len() as u64;
    }
    probe.tick()
}

/// Looks for a solution cheaper than `below`, in the order of `cost + weight * bound`. `Ok(None)` proves that there is none.
pub fn weighted<S: Space>(
    space: &mut S,
    tables: &mut Tables,
    roots: &[Root],
    weight: u32,
    below: u32,
    probe: &mut Probe,
) -> Result<Option<Way>, Stop> {
    tables.clear();
    for root in roots.iter().filter(|r| r.cost + r.bound < below) {
        if let Some(i) = tables.meet(&root.state, root.cost, root.bound, None) {
            if root.bound == 0 {
                return Ok(Some(tables.way(i)));
            }
            tables.queue.push(root.cost + weight * root.bound, i);
        }
    }
    let mut state = vec![0; space.width()];
    while let Some(i) = tables.take() {
        tick(space, tables, i, probe)?;
        state.copy_from_slice(tables.store.state(i));
        let cost = tables.store.cost(i);
        let mut out = std::mem::take(&mut tables.successors);
        out.clear();
        space.expand(&state, None, &mut out, probe)?;
        let mut goal = None;
        for (next, step, bound) in out.iter() {
            let cost = cost + step;
            if cost + bound >= below {
                continue;
            }
            if let Some(j) = tables.meet(next, cost, bound, Some(i)) {
                if bound == 0 {
                    goal = Some(j);
                    break;
                }
                tables.queue.push(cost + weight * bound, j);
            }
        }
        tables.successors = out;
        if let Some(j) = goal {
            return Ok(Some(tables.way(j)));
        }
    }
    Ok(None)
}

/// Finds a solution in stages, for spaces without dead ends: as soon as a state of lower rank than the last milestone is met, it becomes
/// the next milestone and all others are forgotten. `Ok(None)` proves that there is no solution, if indeed nothing that can be reached
/// from the roots is out of reach from a milestone.
pub fn dive<S: Space>(
    space: &mut S,
    tables: &mut Tables,
    roots: &[Root],
    weight: u32,
    probe: &mut Probe,
) -> Result<Option<Way>, Stop> {
    let mut states: Vec<Vec<u32>> = Vec::new();
    let mut from: Vec<Root> = roots.to_vec();
    // Guess and bound take turns: where one is misled, the other hardly is.
    let mut second = Buckets::default();
    loop {
        tables.clear();
        second.clear();
        for root in &from {
            if let Some(i) = tables.meet(&root.state, root.cost, root.bound, None) {
                if root.bound == 0 {
                    states.push(root.state.clone());
                    return Ok(Some(Way { states, cost: root.cost }));
                }
                // Each state waits in both queues, so that either alone is complete.
                tables.queue.push(space.guess(&root.state), i);
                second.push(weight * root.bound, i);
            }
        }
        let rank = from.iter().map(|r| space.rank(&r.state)).min().unwrap_or(0);
        let mut state = vec![0; space.width()];
        let mut milestone = None;
        let base = from.iter().map(|r| r.cost).min().unwrap_or(0);
        let mut turn = false;
        while let Some(i) = tables.take() {
            tick(space, tables, i, probe)?;
            turn = !turn;
            std::mem::swap(&mut tables.queue, &mut second);
            state.copy_from_slice(tables.store.state(i));
            let cost = tables.store.cost(i);
            let mut out = std::mem::take(&mut tables.successors);
            out.clear();
            space.expand(&state, None, &mut out, probe)?;
            let mut best = u32::MAX;
            for (next, step, bound) in out.iter() {
                let cost = cost + step;
                if let Some(j) = tables.meet(next, cost, bound, Some(i)) {
                    if space.rank(next) < rank && bound < best {
                        best = bound;
                        milestone = Some(j);
                    }
                    let guessed = cost - base + space.guess(next);
                    let bounded = cost - base + weight * bound;
                    // The queues have changed places.
                    let (now, then) = if turn { (bounded, guessed) } else { (guessed, bounded) };
                    tables.queue.push(now, j);
                    second.push(then, j);
                }
            }
            tables.successors = out;
            if milestone.is_some() {
                break;
            }
        }
        let Some(j) = milestone else { return Ok(None) };
        let mut way = tables.way(j);
        let last = way.states.pop().unwrap_or_default();
        from = vec![Root { state: last, cost: way.cost, bound: tables.bound[j as usize] }];
        states.extend(way.states);
    }
}

/// The cheapest solution below `below`, or proof (`Ok(None)`) that there is none: A* proper. `probe.progress.bound` holds what is proven.
/// `slack` says whether the space is told how much a solution below that may waste.
pub fn cheapest<S: Space>(
    space: &mut S,
    tables: &mut Tables,
    roots: &[Root],
    below: u32,
    slack: bool,
    probe: &mut Probe,
) -> Result<Option<Way>, Stop> {
    tables.clear();
    let mut goal: Option<u32> = None;
    let mut below = below;
    for root in roots.iter().filter(|r| r.cost + r.bound < below) {
        if let Some(i) = tables.meet(&root.state, root.cost, root.bound, None) {
            tables.queue.push(root.cost + root.bound, i);
        }
    }
    let mut state = vec![0; space.width()];
    while let Some(i) = tables.take() {
        let (cost, bound) = (tables.store.cost(i), tables.bound[i as usize]);
        if cost + bound >= below {
            break;
        }
        probe.progress.bound = probe.progress.bound.max(cost + bound);
        if bound == 0 {
            return Ok(Some(tables.way(i)));
        }
        tick(space, tables, i, probe)?;
        state.copy_from_slice(tables.store.state(i));
        let mut out = std::mem::take(&mut tables.successors);
        out.clear();
        space.expand(&state, slack.then(|| below - 1 - cost - bound), &mut out, probe)?;
        for (next, step, bound) in out.iter() {
            let cost = cost + step;
            if cost + bound >= below {
                continue;
            }
            if let Some(j) = tables.meet(next, cost, bound, Some(i)) {
                if bound == 0 {
                    goal = Some(j);
                    below = cost;
                    continue;
                }
                tables.queue.push(cost + bound, j);
            }
        }
        tables.successors = out;
    }
    if below != u32::MAX {
        probe.progress.bound = probe.progress.bound.max(below);
    }
    Ok(goal.map(|g| tables.way(g)))
}

/// Looks for a solution that costs at most `limit`, nearest-looking states first. `Ok(None)` proves that there is none.
pub fn bounded<S: Space>(
    space: &mut S,
    tables: &mut Tables,
    roots: &[Root],
    limit: u32,
    probe: &mut Probe,
) -> Result<Option<Way>, Stop> {
    tables.clear();
    for root in roots.iter().filter(|r| r.cost + r.bound <= limit) {
        if let Some(i) = tables.meet(&root.state, root.cost, root.bound, None) {
            if root.bound == 0 {
                return Ok(Some(tables.way(i)));
            }
            tables.queue.push(root.bound, i);
        }
    }
    let mut state = vec![0; space.width()];
    while let Some(i) = tables.take() {
        tick(space, tables, i, probe)?;
        state.copy_from_slice(tables.store.state(i));
        let cost = tables.store.cost(i);
        let mut out = std::mem::take(&mut tables.successors);
        out.clear();
        space.expand(&state, Some(limit - cost - tables.bound[i as usize]), &mut out, probe)?;
        let mut goal = None;
        for (next, step, bound) in out.iter() {
            let cost = cost + step;
            if cost + bound > limit {
                continue;
            }
            if let Some(j) = tables.meet(next, cost, bound, Some(i)) {
                if bound == 0 {
                    goal = Some(j);
                    break;
                }
                tables.queue.push(bound, j);
            }
        }
        tables.successors = out;
        if let Some(j) = goal {
            return Ok(Some(tables.way(j)));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Limits;

    /// Walking on a line of numbers to 0, where each step over a multiple of 7 costs 3. The bound is the distance.
    struct Line {
        wall: Option<u32>,
    }

    impl Space for Line {
        fn width(&self) -> usize {
            1
        }
        fn expand(&mut self, s: &[u32], slack: Option<u32>, out: &mut Successors, _: &mut Probe) -> Result<(), Stop> {
            let next = [s[0].checked_sub(1), Some(s[0] + 1).filter(|n| *n <= 60)];
            for n in next.into_iter().flatten().filter(|n| Some(*n) != self.wall) {
                let cost = if n % 7 == 0 { 3 } else { 1 };
                if slack.is_none_or(|slack| cost + n <= s[0] + slack) {
                    out.push(&[n], cost, n);
                }
            }
            Ok(())
        }
        fn memory(&self) -> usize {
            0
        }
        fn rank(&self, state: &[u32]) -> u32 {
            state[0].div_ceil(10)
        }
    }

    fn root() -> [Root; 1] {
        [Root { state: vec![30], cost: 0, bound: 30 }]
    }

    #[test]
    fn all_four_searches_agree_on_a_line() {
        let (mut line, mut tables, mut probe) =
            (Line { wall: None }, Tables::new(1), Probe::new(Limits::nodes(10_000)));
        // 30 steps; 28, 21, 14, 7 and 0 cost two more each.
        let best =
            cheapest(&mut line, &mut tables, &root(), u32::MAX, true, &mut probe).expect("no limit").expect("a way");
        assert_eq!((best.cost, best.states.len()), (40, 31));
        assert_eq!(probe.progress.bound, 40);
        assert!(weighted(&mut line, &mut tables, &root(), 3, u32::MAX, &mut probe).expect("no limit").is_some());
        assert_eq!(bounded(&mut line, &mut tables, &root(), 39, &mut probe), Ok(None));
        assert_eq!(
            bounded(&mut line, &mut tables, &root(), 40, &mut probe).expect("no limit").expect("a way").cost,
            40
        );
        assert_eq!(dive(&mut line, &mut tables, &root(), 1, &mut probe).expect("no limit").expect("a way").cost, 40);
        assert!(tables.memory() > 0);
    }

    #[test]
    fn where_there_is_no_way_all_four_say_so() {
        let (mut line, mut tables, mut probe) =
            (Line { wall: Some(5) }, Tables::new(1), Probe::new(Limits::nodes(10_000)));
        assert_eq!(cheapest(&mut line, &mut tables, &root(), 1000, false, &mut probe), Ok(None));
        assert_eq!(weighted(&mut line, &mut tables, &root(), 2, u32::MAX, &mut probe), Ok(None));
        assert_eq!(bounded(&mut line, &mut tables, &root(), 200, &mut probe), Ok(None));
        assert_eq!(dive(&mut line, &mut tables, &root(), 2, &mut probe), Ok(None));
    }

    #[test]
    fn a_node_limit_stops_a_search() {
        let (mut line, mut tables, mut probe) = (Line { wall: None }, Tables::new(1), Probe::new(Limits::nodes(10)));
        assert_eq!(cheapest(&mut line, &mut tables, &root(), u32::MAX, true, &mut probe), Err(Stop::Nodes));
    }
}
