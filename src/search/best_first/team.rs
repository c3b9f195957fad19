//! A search on several threads where every state belongs to one of them: a hash of the state says to whom.
//!
//! Each has a search of its own (space, table, queue) for its own states and sends the others that it comes to on to their owners, some at a time: no table is
//! locked, only the inboxes are. All spaces must give one state the same words. (PRA*, Evett and others; HDA*, Kishimoto, Fukunaga and Botea.)
//!
//! It is over when one has found a goal, or when nobody has a state that waits and all inboxes are empty: then every state that one thread would have expanded
//! was expanded by its owner. For searches that end with their first solution.

use super::{End, Node, Origin, Plan, Search, Space};
use crate::{
    job::{Probe, Stop, lock},
    search::{
        parts::{join, search_thread},
        states::Word,
    },
};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

/// States that are expanded between two looks at the inbox.
const ROUND: usize = 256;
/// How long a thread without work sleeps before it looks again.
const REST: Duration = Duration::from_micros(50);

/// States on their way to their owner.
struct Messages<W> {
    words: Vec<W>,
    /// Where each comes from, and what it costs to get there.
    steps: Vec<(Origin, u32)>,
}

impl<W> Default for Messages<W> {
    fn default() -> Self {
        Messages { words: Vec::new(), steps: Vec::new() }
    }
}

impl<W: Word> Messages<W> {
    fn push(&mut self, state: &[W], origin: Origin, cost: u32) {
        self.words.extend_from_slice(state);
        self.steps.push((origin, cost));
    }

    fn append(&mut self, other: &mut Messages<W>) {
        self.words.append(&mut other.words);
        self.steps.append(&mut other.steps);
    }

    fn clear(&mut self) {
        self.words.clear();
        self.steps.clear();
    }

    fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<W>() + self.steps.capacity() * size_of::<(Origin, u32)>()
    }
}

/// What was sent and not yet taken, and how many have nothing to do.
struct Inboxes<W> {
    of: Vec<Messages<W>>,
    idle: usize,
}

/// One of a team.
struct Member<S: Space> {
    me: usize,
    search: Search<S>,
    inbox: Messages<S::Word>,
    /// To each of the others.
    outboxes: Vec<Messages<S::Word>>,
    idle: bool,
}

/// A search on several threads that can be taken up again where it stopped.
pub struct Team<S: Space> {
    members: Vec<Member<S>>,
    inboxes: Mutex<Inboxes<S::Word>>,
}

/// What all threads look at.
#[derive(Default)]
struct Shared {
    over: Arc<AtomicBool>,
    /// Nodes of all members, and bytes of each.
    nodes: AtomicU64,
    bytes: Vec<AtomicU64>,
}

/// Why a thread has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// One of its members has a solution.
    Found,
    /// Nobody has anything left.
    Exhausted,
    /// Another thread has ended.
    Told,
}

/// Whom a state belongs to. Another hash than that of the tables: else each table would be used in parts only.
fn owner<W: Word>(state: &[W], members: usize) -> usize {
    let hash =
        state.iter().fold(0u64, |hash, w| (hash.rotate_left(5) ^ (*w).into()).wrapping_mul(0x517c_c1b7_2722_0a95));
    ((hash >> 40) as usize) % members
}

impl<S: Space + Send> Team<S> {
    /// A team of as many as there are spaces, at least one; all of them give a state the same words.
    pub fn new(spaces: Vec<S>, starts: &[Vec<S::Word>], plan: Plan) -> Team<S> {
        let count = spaces.len();
        let messages = || (0..count).map(|_| Messages::default()).collect::<Vec<_>>();
        let members = spaces.into_iter().enumerate().map(|(me, space)| {
            let search = Search::new(space, starts.to_vec(), plan);
            Member { me, search, inbox: Messages::default(), outboxes: messages(), idle: false }
        });
        let members = members.collect();
        let mut team = Team { members, inboxes: Mutex::new(Inboxes { of: messages(), idle: 0 }) };
        team.restart(starts, plan);
        team
    }

    /// Forgets all states, keeps their room, and begins again.
    pub fn restart(&mut self, starts: &[Vec<S::Word>], plan: Plan) {
        debug_assert!(!plan.exact, "it ends with the first solution");
        let count = self.members.len();
        for member in &mut self.members {
            let own = starts.iter().filter(|s| owner(s, count) == member.me).cloned().collect();
            member.search.restart(own, plan);
            member.inbox.clear();
            member.outboxes.iter_mut().for_each(Messages::clear);
            member.idle = false;
        }
        let inboxes = self.inboxes.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        inboxes.of.iter_mut().for_each(Messages::clear);
        inboxes.idle = 0;
    }

    /// Goes on until the answer is known or the probe stops it; then it can be called again.
    pub fn run(&mut self, probe: &mut Probe) -> Result<End, Stop> {
        let count = self.members.len();
        let before = probe.progress.nodes;
        let shared = Shared { bytes: (0..count).map(|_| AtomicU64::new(0)).collect(), ..Shared::default() };
        // The searches count their bytes anew.
        probe.progress.memory = 0;
        let parts = self.members.iter_mut().map(|member| {
            let mut part = probe.part(u64::MAX).with_share(count as u64);
            part.set_settled(shared.over.clone());
            part.heat = probe.heat.as_ref().map(|heat| vec![0; heat.len()]);
            (member, part)
        });
        let mut parts: Vec<_> = parts.collect();
        let waiting = Mutex::new(parts.split_off(1));
        let take = || lock(&waiting).pop();
        let (inboxes, shared) = (&self.inboxes, &shared);
        let ended = thread::scope(|scope| {
            let mut workers = Vec::new();
            for _ in 1..count {
                let work = || {
                    let mut parts: Vec<_> = take().into_iter().collect();
                    (work(&mut parts, inboxes, shared, &mut || Ok(())), parts)
                };
                match search_thread().spawn_scoped(scope, work) {
                    Ok(worker) => workers.push(worker),
                    // This thread does what no other could be started for.
                    Err(_) => parts.extend(take()),
                }
            }
            let publish = &mut || {
                probe.progress.nodes = before + shared.nodes.load(Ordering::Relaxed);
                probe.progress.memory = shared.bytes.iter().map(|b| b.load(Ordering::Relaxed)).sum();
                if probe.nodes_left() == 0 { Err(Stop::Nodes) } else { probe.check() }
            };
            let mut ends = vec![work(&mut parts, inboxes, shared, publish)];
            for worker in workers {
                let (end, theirs) = join(worker);
                ends.push(end);
                parts.extend(theirs);
            }
            probe.progress.nodes = before + shared.nodes.load(Ordering::Relaxed);
            for (_, part) in &parts {
                for (i, n) in part.heat.iter().flatten().enumerate() {
                    probe.visit_often(i, *n);
                }
            }
            ends
        });
        if self.members.iter().any(|m| m.search.best.is_some()) {
            return Ok(End::Found);
        }
        if ended.contains(&Ok(Ended::Exhausted)) {
            return Ok(End::Exhausted);
        }
        // One that was stopped by the others' end says so, and the first of those said why.
        Err(ended.into_iter().filter_map(Result::err).next().unwrap_or(Stop::Cancelled))
    }

    /// The states of the solution, a start first; none without one.
    pub fn path(&self) -> Vec<Vec<S::Word>> {
        let goals = self.members.iter().filter_map(|m| Some((m.search.best?.0, m.me, m.search.best?.1)));
        let mut at = goals.min().map(|(_, by, id)| (by, id));
        let mut path = Vec::new();
        while let Some((by, id)) = at {
            let search = &self.members[by].search;
            path.push(search.states.get(id).to_vec());
            let Node { by, parent, .. } = search.nodes[id as usize];
            at = (parent != super::NONE).then_some((by.into(), parent));
        }
        path.reverse();
        path
    }
}

/// Ends all threads when one ends, also by a panic.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Rounds of some members until all is over.
fn work<S: Space + Send>(
    parts: &mut [(&mut Member<S>, Probe)],
    inboxes: &Mutex<Inboxes<S::Word>>,
    shared: &Shared,
    publish: &mut dyn FnMut() -> Result<(), Stop>,
) -> Result<Ended, Stop> {
    let _ends = Ends(&shared.over);
    let told = |stop| if shared.over.load(Ordering::Relaxed) { Ok(Ended::Told) } else { Err(stop) };
    let held: Vec<u64> = parts.iter().map(|(_, probe)| probe.held()).collect();
    while !shared.over.load(Ordering::Relaxed) {
        let mut idle = true;
        for ((member, probe), held) in parts.iter_mut().zip(&held) {
            let before = probe.progress.nodes;
            let found = member.round(probe, &shared.over);
            shared.nodes.fetch_add(probe.progress.nodes - before, Ordering::Relaxed);
            match found {
                Ok(true) => return Ok(Ended::Found),
                Ok(false) => {}
                Err(Stop::Cancelled) => return told(Stop::Cancelled),
                Err(stop) => return Err(stop),
            }
            let (exhausted, bytes) = member.exchange(inboxes);
            if exhausted {
                return Ok(Ended::Exhausted);
            }
            probe.hold(held + bytes);
            shared.bytes[member.me].store(probe.progress.memory + bytes, Ordering::Relaxed);
            idle &= member.idle;
        }
        publish()?;
        if idle {
            thread::sleep(REST);
            if let Err(stop) = parts.iter_mut().try_for_each(|(_, probe)| probe.check()) {
                return told(stop);
            }
        }
    }
    Ok(Ended::Told)
}

impl<S: Space> Member<S> {
    /// Takes in what was sent to it and expands some states, unless all is over; whether there is a solution.
    fn round(&mut self, probe: &mut Probe, over: &AtomicBool) -> Result<bool, Stop> {
        self.search.begin(probe, &mut |_, _, _| ())?;
        self.take_in(probe)?;
        for _ in 0..ROUND {
            if self.search.best.is_some() || over.load(Ordering::Relaxed) {
                break;
            }
            let Some((_, id)) = self.search.next() else { break };
            self.expand(id, probe)?;
            (self.search.at, self.search.counted) = (None, false);
        }
        Ok(self.search.best.is_some())
    }

    /// A state goes out of the list when the search has it, or has dropped it: where this is stopped, none is lost.
    fn take_in(&mut self, probe: &mut Probe) -> Result<(), Stop> {
        let width = self.search.state.len();
        while let Some(&(origin, cost)) = self.inbox.steps.last() {
            probe.step()?;
            let from = self.inbox.words.len() - width;
            let state = &self.inbox.words[from..];
            self.search.space.learn(state);
            if let Some(goal) = self.search.meet(state, origin, cost, None, probe)? {
                self.search.best = Some((cost, goal));
            }
            self.inbox.words.truncate(from);
            self.inbox.steps.pop();
        }
        Ok(())
    }

    /// Takes in its own successors and lays those of others aside.
    fn expand(&mut self, id: u32, probe: &mut Probe) -> Result<(), Stop> {
        let Node { cost, estimate, .. } = self.search.nodes[id as usize];
        if self.search.is_pruned(cost, estimate) {
            return Ok(());
        }
        let width = self.search.state.len();
        let successors = self.search.successors(id, probe)?;
        for (next, more, step) in successors.iter(width) {
            let (origin, cost) = (Origin { by: self.me as u8, parent: id, step }, cost + more);
            let owner = owner(next, self.outboxes.len());
            if owner != self.me {
                self.outboxes[owner].push(next, origin, cost);
            } else if let Some(goal) = self.search.meet(next, origin, cost, None, probe)? {
                self.search.best = Some((cost, goal));
            }
        }
        self.search.successors = successors;
        Ok(())
    }

    /// Sends and fetches; whether nobody has anything left, and the bytes of its messages.
    fn exchange(&mut self, inboxes: &Mutex<Inboxes<S::Word>>) -> (bool, u64) {
        let mut inboxes = lock(inboxes);
        for (to, messages) in self.outboxes.iter_mut().enumerate() {
            inboxes.of[to].append(messages);
        }
        std::mem::swap(&mut self.inbox, &mut inboxes.of[self.me]);
        let idle = self.inbox.is_empty() && self.search.queue.is_empty();
        match (self.idle, idle) {
            (false, true) => inboxes.idle += 1,
            (true, false) => inboxes.idle -= 1,
            _ => {}
        }
        self.idle = idle;
        let bytes = self.outboxes.iter().chain([&self.inbox, &inboxes.of[self.me]]).map(Messages::bytes).sum::<usize>();
        (inboxes.idle == self.outboxes.len() && inboxes.of.iter().all(Messages::is_empty), bytes as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{job::Limits, search::best_first::Successors};
    use std::collections::{BTreeMap, BTreeSet};

    /// A graph of numbered places, each step of cost 1; the last place is the goal.
    struct Graph {
        ways: Vec<Vec<u32>>,
        /// What other spaces have made must be met first.
        met: BTreeSet<u32>,
    }

    impl Space for Graph {
        type Word = u32;

        fn expand(&mut self, state: &[u32], out: &mut Successors<u32>, probe: &mut Probe) -> Result<(), Stop> {
            assert!(self.met.contains(&state[0]));
            for to in self.ways[state[0] as usize].clone() {
                self.met.insert(to);
                out.push(&[to], 1, 0, probe)?;
            }
            Ok(())
        }
        fn learn(&mut self, state: &[u32]) {
            self.met.insert(state[0]);
        }
        fn estimate(&mut self, state: &[u32], _: &mut Probe) -> Result<Option<u32>, Stop> {
            assert!(self.met.contains(&state[0]));
            Ok(Some(u32::from(!self.is_goal(state))))
        }
        fn is_goal(&self, state: &[u32]) -> bool {
            state[0] as usize == self.ways.len() - 1
        }
    }

    /// A graph from a seed.
    fn graph(seed: u64) -> Vec<Vec<u32>> {
        let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut random = |below: u64| {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x % below
        };
        let places = 5 + random(600);
        (0..places).map(|_| (0..random(4)).map(|_| random(places) as u32).collect()).collect()
    }

    /// The distance to the goal, plainly.
    fn distance(ways: &[Vec<u32>]) -> Option<u32> {
        let mut far = BTreeMap::from([(0, 0)]);
        let mut queue = std::collections::VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            for to in &ways[at as usize] {
                if !far.contains_key(to) {
                    far.insert(*to, far[&at] + 1);
                    queue.push_back(*to);
                }
            }
        }
        far.get(&(ways.len() as u32 - 1)).copied()
    }

    #[test]
    fn a_team_finds_a_way_within_the_limit_or_proves_that_there_is_none() {
        let (mut found, mut none) = (0, 0);
        for seed in 0..600 {
            let ways = graph(seed);
            let least = distance(&ways);
            for (members, below) in
                [(1, 9), (2, 7), (2, u32::MAX), (3, 6), (3, least.unwrap_or(9)), (2, least.unwrap_or(8) + 1)]
            {
                let spaces = (0..members).map(|_| Graph { ways: ways.clone(), met: BTreeSet::new() }).collect();
                let plan = Plan { below, ..Plan::first(|_, estimate| estimate) };
                let mut team = Team::new(spaces, &[vec![0]], plan);
                let mut probe = Probe::new(Limits::default());
                // In turns of a few nodes: what is under way when it is stopped must not be lost.
                let end = loop {
                    match probe.turn(1 + seed % 50, |p| team.run(p)) {
                        Ok(Some(end)) => break end,
                        end => assert_eq!(end, Ok(None)),
                    }
                };
                let path = team.path();
                if least.is_some_and(|least| least < below) {
                    found += 1;
                    assert_eq!(end, End::Found, "seed {seed}");
                    assert!(path.len() <= below as usize, "seed {seed}");
                    assert_eq!((&path[0], path[path.len() - 1][0] as usize), (&vec![0], ways.len() - 1));
                    assert!(path.windows(2).all(|w| ways[w[0][0] as usize].contains(&w[1][0])), "seed {seed}");
                } else {
                    none += 1;
                    assert_eq!((end, path.len()), (End::Exhausted, 0), "seed {seed}");
                }
            }
        }
        assert!(found > 500 && none > 500, "{found} {none}");
    }
}
