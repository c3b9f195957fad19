//! Best-first search over packed states: A*, weighted A*, greedy search and searches under a cost limit are one engine with different [`Plan`]s.
//!
//! A state is a fixed number of words. All states live in one long vector and are named by their number ([`States`]). The queue has a stack
//! for each priority ([`Queue`]), so that among equals the deepest comes first.
//!
//! With priority cost + estimate and an estimate that never exceeds what is left, the answer is optimal: a solution is noted when it is *made*, and
//! proven when nothing below its cost waits. A state reached more cheaply later is taken up again, so estimates need not even be consistent.
//! When the queue runs dry without a solution there is none below [`Plan::below`]: states are dropped only if [`Space::estimate`] says that nothing
//! leads on from them, or if they cannot beat that or a solution already known.
//!
//! **A limit with slack.** A space may be given how much a solution through a state may cost beyond the state's estimate ([`Successors::slack`]). One that
//! knows how little may be wasted can leave out most successors (partial expansion) and most orders of moves that do not disturb each other
//! (partial-order reduction).
//!
//! **Several queues.** A space may sort its states into classes ([`Space::class`]), each with a queue of its own; the queues take turns. That is the
//! idea of feature-space search (Shoham and Schaeffer, FESS): whatever feature makes progress is followed, and none is starved. A state with a
//! [`Space::guess`] waits in a second queue beside: where the estimate misleads, the guess hardly does.
//!
//! **Pauses.** A search that a limit has stopped, wherever it was, can be run again and goes on with the state it was at. Memory is asked for before it is
//! taken.
//!
//! **Threads.** An exact search can expand its states on several threads: `best_first/batches.rs`. One that ends with its first solution can share out its
//! states among them: `best_first/team.rs`.

mod batches;
mod team;

pub use team::Team;

use super::{
    queue::Queue,
    states::{States, Word},
};
use crate::job::{Probe, Stop};

/// What is searched.
pub trait Space {
    /// What its states are made of.
    type Word: Word;

    /// Whether it is searched from the goals to the start: then steps are given out last first.
    const BACKWARDS: bool = false;

    /// Whether an estimate is quickly had again: then states that cannot beat the best solution are not kept.
    const CHEAP_ESTIMATE: bool = false;

    /// Gives all successors of a state to `out`. Where [`Successors::slack`] is set, those may be left out that no solution within it needs, and
    /// whole moves may be put off, as long as every solution within the slack has a counterpart of at most its cost that is kept.
    fn expand(&mut self, state: &[Self::Word], out: &mut Successors<Self::Word>, probe: &mut Probe)
    -> Result<(), Stop>;

    /// Called before anything else is asked of a state that another thread's space may have made.
    fn learn(&mut self, _state: &[Self::Word]) {}

    /// A lower bound on the cost to a goal (but see [`Space::is_admissible`]), or nothing if no goal can be reached. Asked once for each state that
    /// is kept.
    fn estimate(&mut self, state: &[Self::Word], probe: &mut Probe) -> Result<Option<u32>, Stop>;

    /// The same, where all estimates above `most` are alike.
    fn estimate_up_to(&mut self, state: &[Self::Word], _most: u32, probe: &mut Probe) -> Result<Option<u32>, Stop> {
        self.estimate(state, probe)
    }

    /// Whether estimates never exceed the cost. If they may, they order the search and prune nothing.
    fn is_admissible(&self) -> bool {
        true
    }

    /// Whether this is a goal.
    fn is_goal(&self, state: &[Self::Word]) -> bool;

    /// The class of a state: classes take turns in being searched, so that one which looks best and leads nowhere does not take all the
    /// time. Never asked of a state without an estimate. Exact searches want one class only.
    fn class(&mut self, _state: &[Self::Word]) -> usize {
        0
    }

    /// A guess, not a bound, of what is left to a goal, to order a second queue by. Not for exact searches.
    fn guess(&mut self, _state: &[Self::Word]) -> Option<u32> {
        None
    }

    /// Called with each state that is expanded where a heat map is wanted.
    fn visited(&self, _state: &[Self::Word], _probe: &mut Probe) {}

    /// Bytes of its tables.
    fn bytes(&mut self) -> u64 {
        0
    }
}

/// What a search may use where no memory limit is set.
const MOST_BYTES: u64 = 4 << 30;

/// Counts bytes that are about to be allocated, if the memory limit has room for them.
pub fn claim(bytes: usize, probe: &mut Probe) -> Result<(), Stop> {
    probe.allow(bytes as u64)?;
    probe.progress.memory += bytes as u64;
    if probe.limits().memory.is_none() && probe.progress.memory > MOST_BYTES { Err(Stop::Memory) } else { Ok(()) }
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

/// Successors on their way from a space to a search.
pub struct Successors<W> {
    /// How much more than its estimate a solution through the state that is expanded may cost, where [`Plan::slack`] asks for it.
    pub slack: Option<u32>,
    words: Vec<W>,
    /// What the step to each costs, and the space's name for that step.
    steps: Vec<(u32, u32)>,
}

impl<W> Default for Successors<W> {
    fn default() -> Self {
        Successors { slack: None, words: Vec::new(), steps: Vec::new() }
    }
}

impl<W: Word> Successors<W> {
    /// Adds a successor, what the step to it costs, and the space's name for that step.
    #[inline]
    pub fn push(&mut self, state: &[W], cost: u32, step: u32, probe: &mut Probe) -> Result<(), Stop> {
        reserve(&mut self.words, state.len(), probe)?;
        reserve(&mut self.steps, 1, probe)?;
        self.words.extend_from_slice(state);
        self.steps.push((cost, step));
        Ok(())
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.words.clear();
        self.steps.clear();
    }

    /// The successors, each a state of `words` words, with its cost and the name of its step.
    pub fn iter(&self, words: usize) -> impl Iterator<Item = (&[W], u32, u32)> {
        self.words.chunks(words).zip(&self.steps).map(|(state, (cost, step))| (state, *cost, *step))
    }

    fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<W>() + self.steps.capacity() * size_of::<(u32, u32)>()
    }
}

/// How to search.
#[derive(Clone, Copy)]
pub struct Plan {
    /// The priority of a state from the cost so far and the estimate; least first.
    pub priority: fn(cost: u32, estimate: u32) -> u32,
    /// Whether the priority is cost + estimate: then bounds are proofs and the search goes on until the solution is proven best. Else the
    /// first solution ends it; of several that come from one state, the one with the least estimate.
    pub exact: bool,
    /// Only solutions cheaper than this are of interest.
    pub below: u32,
    /// Whether a start counts as a goal, and as reached; not so where a goal must be *come to*.
    pub start_counts: bool,
    /// Whether the space is given the slack.
    pub slack: bool,
}

impl Plan {
    /// The first solution in the order of this priority.
    pub fn first(priority: fn(u32, u32) -> u32) -> Plan {
        Plan { priority, exact: false, below: u32::MAX, start_counts: true, slack: false }
    }

    /// The cheapest solution: A*.
    pub fn cheapest() -> Plan {
        Plan { exact: true, ..Plan::first(|cost, estimate| cost + estimate) }
    }
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
/// How often what is in use is counted, in nodes.
const REPORT_EVERY: u64 = 64;

/// Where a state was come to from: the parent, whose parent that is in a [`Team`], and the step.
#[derive(Clone, Copy)]
struct Origin {
    parent: u32,
    by: u8,
    step: u32,
}

/// How a state was reached, and what is left from it.
#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    step: u32,
    cost: u32,
    estimate: u32,
    /// Whose parent it is, in a [`Team`].
    by: u8,
    /// Whether it waits to be expanded. It may be in the queue several times.
    waits: bool,
}

/// A search that can be taken up again where it stopped.
pub struct Search<S: Space> {
    /// What is searched.
    pub space: S,
    /// The same for other threads.
    helpers: Vec<S>,
    plan: Plan,
    /// The states it begins with, and how many of them are in.
    starts: Vec<Vec<S::Word>>,
    begun: usize,
    states: States<S::Word>,
    nodes: Vec<Node>,
    queue: Queue,
    /// The state at hand, with its priority, until all its successors are in; and whether it is counted yet.
    at: Option<(u32, u32)>,
    counted: bool,
    /// The best solution among the successors of the state at hand, where the first solution ends the search.
    found: Option<u32>,
    /// What the best solution costs, and its last state. (The state may be reached more cheaply: that is another solution then.)
    best: Option<(u32, u32)>,
    bound: u32,
    /// The least cost and estimate of a state that was dropped for them.
    least_dropped: u32,
    successors: Successors<S::Word>,
    state: Vec<S::Word>,
    ticks: u64,
}

impl<S: Space> Search<S> {
    /// A search from these states, all of one width; there is at least one.
    pub fn new(space: S, starts: Vec<Vec<S::Word>>, plan: Plan) -> Search<S> {
        let width = starts.first().map_or(1, Vec::len);
        Search {
            space,
            helpers: Vec::new(),
            plan,
            starts,
            begun: 0,
            states: States::new(width),
            nodes: Vec::new(),
            queue: Queue::default(),
            at: None,
            counted: false,
            found: None,
            best: None,
            bound: 0,
            least_dropped: u32::MAX,
            successors: Successors::default(),
            state: vec![S::Word::default(); width],
            ticks: 0,
        }
    }

    /// Forgets all states, keeps their room, and begins again from others of the same width, or with another plan.
    pub fn restart(&mut self, starts: Vec<Vec<S::Word>>, plan: Plan) {
        (self.starts, self.plan, self.begun) = (starts, plan, 0);
        self.states.clear();
        self.nodes.clear();
        self.queue.clear();
        (self.at, self.counted, self.found, self.best, self.bound) = (None, false, None, None, 0);
        self.least_dropped = u32::MAX;
    }

    /// How it searches.
    pub fn plan(&self) -> Plan {
        self.plan
    }

    /// No solution costs less than this, proven.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// For a search that ended without a solution: no solution costs less than this, if estimates never exceed the cost and states were dropped for them;
    /// nothing if none was, so there is no solution at all.
    pub fn least_dropped(&self) -> Option<u32> {
        Some(self.least_dropped).filter(|least| *least < u32::MAX)
    }

    /// From now on only solutions cheaper than this are of interest.
    pub fn set_below(&mut self, below: u32) {
        self.plan.below = below;
    }

    /// What the best solution costs, and its steps.
    pub fn solution(&self) -> Option<(u32, Vec<u32>)> {
        let (cost, goal) = self.best?;
        let mut steps: Vec<u32> = self.way_back(goal).map(|id| self.nodes[id as usize].step).collect();
        // A start has no step that leads to it.
        steps.pop();
        if !S::BACKWARDS {
            steps.reverse();
        }
        Some((cost, steps))
    }

    /// The states of the best solution, a start first; none without one.
    pub fn path(&self) -> Vec<Vec<S::Word>> {
        let back = self.best.into_iter().flat_map(|(_, goal)| self.way_back(goal));
        let mut path: Vec<_> = back.map(|id| self.states.get(id).to_vec()).collect();
        path.reverse();
        path
    }

    fn way_back(&self, from: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(from), |id| Some(self.nodes[*id as usize].parent).filter(|p| *p != NONE))
    }

    /// A solution must cost less than this.
    fn limit(&self) -> u32 {
        self.best.map_or(self.plan.below, |(cost, _)| cost.min(self.plan.below))
    }

    /// Whether no solution through a state is of interest.
    fn is_pruned(&self, cost: u32, estimate: u32) -> bool {
        let least = if self.space.is_admissible() { estimate } else { 0 };
        estimate == DEAD || cost.saturating_add(least) >= self.limit()
    }

    /// The same, and notes what it would have cost at least.
    fn is_dropped(&mut self, cost: u32, estimate: u32) -> bool {
        let dropped = self.is_pruned(cost, estimate);
        if dropped && estimate != DEAD {
            self.least_dropped = self.least_dropped.min(cost.saturating_add(estimate));
        }
        dropped
    }

    /// Goes on until the answer is known or the probe stops it; then it can be called again. `better` is called with the cost and the steps of
    /// each solution that beats the one before.
    pub fn run(&mut self, probe: &mut Probe, better: &mut dyn FnMut(u32, &[u32], &mut Probe)) -> Result<End, Stop> {
        self.begin(probe, better)?;
        while self.plan.exact || self.best.is_none() {
            let Some((priority, id)) = self.next() else { break };
            if self.plan.exact {
                if priority >= self.limit() {
                    break;
                }
                self.bound = self.bound.max(priority);
                probe.progress.bound = probe.progress.bound.max(priority);
            }
            let Node { cost, estimate, .. } = self.nodes[id as usize];
            if !self.is_pruned(cost, estimate) {
                self.expand(id, probe, better)?;
            }
            (self.at, self.counted) = (None, false);
        }
        Ok(self.end())
    }

    /// The state at hand or else the next one that waits, with its priority.
    fn next(&mut self) -> Option<(u32, u32)> {
        self.at = self.at.or_else(|| self.pop());
        self.at
    }

    /// Takes the next state that waits out of the queue, with its priority.
    fn pop(&mut self) -> Option<(u32, u32)> {
        let nodes = &mut self.nodes;
        self.queue.pop(|id| std::mem::replace(&mut nodes[id as usize].waits, false))
    }

    /// How it has ended, when nothing that waits is of interest.
    fn end(&mut self) -> End {
        if self.plan.exact && self.limit() < u32::MAX {
            self.bound = self.bound.max(self.limit());
        }
        if self.best.is_some() { End::Found } else { End::Exhausted }
    }

    /// Takes in the starts. Nothing is proven before the last of them is in.
    fn begin(&mut self, probe: &mut Probe, better: &mut dyn FnMut(u32, &[u32], &mut Probe)) -> Result<(), Stop> {
        if self.begun == self.starts.len() {
            return Ok(());
        }
        while let Some(start) = self.starts.get(self.begun) {
            let start = start.clone();
            self.space.learn(&start);
            let estimate = self.space.estimate(&start, probe)?;
            self.make_room(probe)?;
            self.begun += 1;
            let id = match (self.plan.start_counts, self.states.find(&start)) {
                (true, Err(place)) if estimate.is_some() => self.states.insert(place, &start),
                (false, _) if estimate.is_some() => self.states.append(&start),
                _ => continue,
            };
            let estimate = estimate.unwrap_or(DEAD);
            self.nodes.push(Node { parent: NONE, step: 0, cost: 0, estimate, by: 0, waits: true });
            if self.plan.start_counts && self.space.is_goal(&start) {
                (self.best, self.begun) = (Some((0, id)), self.starts.len());
                better(0, &[], probe);
            }
            self.enqueue(&start, id);
        }
        if self.space.is_admissible() {
            self.bound = self.nodes.iter().map(|n| n.estimate).min().unwrap_or(0);
        }
        Ok(())
    }

    /// Takes in the successors of a state, which stays at hand until that is done.
    fn expand(
        &mut self,
        id: u32,
        probe: &mut Probe,
        better: &mut dyn FnMut(u32, &[u32], &mut Probe),
    ) -> Result<(), Stop> {
        let cost = self.nodes[id as usize].cost;
        let successors = self.successors(id, probe)?;
        for (next, more, step) in successors.iter(self.state.len()) {
            let origin = Origin { parent: id, step, by: 0 };
            let Some(goal) = self.meet(next, origin, cost + more, None, probe)? else { continue };
            if self.plan.exact {
                self.give_out(goal, probe, better);
            } else if self.found.is_none_or(|f| self.estimate(goal) < self.estimate(f)) {
                self.found = Some(goal);
            }
        }
        self.successors = successors;
        if let Some(goal) = self.found.take() {
            self.give_out(goal, probe, better);
        }
        Ok(())
    }

    /// The successors of the state at hand, which is counted once.
    fn successors(&mut self, id: u32, probe: &mut Probe) -> Result<Successors<S::Word>, Stop> {
        self.state.copy_from_slice(self.states.get(id));
        if !self.counted {
            if self.ticks.is_multiple_of(REPORT_EVERY) {
                probe.progress.frontier = self.queue.len() as u64;
                probe.progress.memory = self.bytes();
            }
            self.ticks += 1;
            probe.tick()?;
            self.counted = true;
            if probe.heat.is_some() {
                self.space.visited(&self.state, probe);
            }
        }
        let Node { cost, estimate, .. } = self.nodes[id as usize];
        let mut out = std::mem::take(&mut self.successors);
        out.clear();
        out.slack = self.plan.slack.then(|| (self.limit() - 1).saturating_sub(cost + estimate));
        self.space.expand(&self.state, &mut out, probe)?;
        Ok(out)
    }

    /// Takes in a successor, with its estimate if that is known; gives its number if it is a goal of interest.
    fn meet(
        &mut self,
        next: &[S::Word],
        Origin { parent, by, step }: Origin,
        cost: u32,
        estimate: Option<u32>,
        probe: &mut Probe,
    ) -> Result<Option<u32>, Stop> {
        self.make_room(probe)?;
        let id = match self.states.find(next) {
            Ok(id) => {
                let node = &mut self.nodes[id as usize];
                if node.estimate == DEAD || cost >= node.cost {
                    return Ok(None);
                }
                *node = Node { parent, step, cost, by, ..*node };
                id
            }
            Err(place) => {
                let most = self.limit().saturating_sub(cost + 1);
                let estimate = match estimate {
                    Some(known) => known,
                    None => self.space.estimate_up_to(next, most, probe)?.unwrap_or(DEAD),
                };
                if S::CHEAP_ESTIMATE && self.is_dropped(cost, estimate) {
                    return Ok(None);
                }
                self.nodes.push(Node { parent, step, cost, estimate, by, waits: false });
                self.states.insert(place, next)
            }
        };
        if self.is_dropped(cost, self.estimate(id)) {
            return Ok(None);
        }
        if self.space.is_goal(next) {
            return Ok(Some(id));
        }
        self.enqueue(next, id);
        Ok(None)
    }

    fn enqueue(&mut self, state: &[S::Word], id: u32) {
        let node = &mut self.nodes[id as usize];
        node.waits = true;
        let (cost, priority) = (node.cost, (self.plan.priority)(node.cost, node.estimate));
        self.queue.push(self.space.class(state), priority, id);
        if let Some(guess) = self.space.guess(state) {
            self.queue.push(usize::MAX, cost + guess, id);
        }
    }

    fn estimate(&self, id: u32) -> u32 {
        self.nodes[id as usize].estimate
    }

    fn give_out(&mut self, goal: u32, probe: &mut Probe, better: &mut dyn FnMut(u32, &[u32], &mut Probe)) {
        self.best = Some((self.nodes[goal as usize].cost, goal));
        if let Some((cost, steps)) = self.solution() {
            better(cost, &steps, probe);
        }
    }

    /// Makes room for one state more, within the memory limit.
    fn make_room(&mut self, probe: &mut Probe) -> Result<(), Stop> {
        let growth = self.states.growth() + self.queue.growth();
        if growth > 0 {
            claim(growth, probe)?;
            self.states.make_room();
            self.queue.make_room();
        }
        reserve(&mut self.nodes, 1, probe)
    }

    /// Bytes in use.
    pub fn bytes(&mut self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>();
        let own = self.states.bytes() + nodes + self.queue.bytes() + self.successors.bytes();
        own as u64 + self.space.bytes() + self.helpers.iter_mut().map(S::bytes).sum::<u64>()
    }
}
