//! A search on several threads where every state belongs to one of them: a hash of the state says to whom.
//!
//! Each has a search of its own (space, table, queue) for its own states and sends the others that it meets to their owners, some at a time. So nothing is
//! locked but the post, as long as all spaces give one state the same words. (PRA*, Evett and others; HDA*, Kishimoto, Fukunaga and Botea.)
//!
//! It is over when one has found a goal, or when no state waits with anyone and none is in the post: then each state within [`Plan::below`] was expanded by
//! its owner. For searches that end with their first solution.

use super::{End, Node, Origin, Plan, Search, Space};
use crate::{
    job::{Probe, Stop, lock},
    search::{parts::search_thread, states::Word},
};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

/// States that are expanded before the post is looked at.
const ROUND: usize = 256;
/// How long a thread without work sleeps before it looks at the post again.
const REST: Duration = Duration::from_micros(50);

/// States on their way to their owner.
struct Letters<W> {
    words: Vec<W>,
    /// Where each comes from, and what it costs to get there.
    steps: Vec<(Origin, u32)>,
}

impl<W> Default for Letters<W> {
    fn default() -> Self {
        Letters { words: Vec::new(), steps: Vec::new() }
    }
}

impl<W: Word> Letters<W> {
    fn push(&mut self, state: &[W], origin: Origin, cost: u32) {
        self.words.extend_from_slice(state);
        self.steps.push((origin, cost));
    }

    fn append(&mut self, other: &mut Letters<W>) {
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
}

/// What is under way, and how many have nothing to do.
struct Post<W> {
    boxes: Vec<Letters<W>>,
    resting: usize,
}

/// One of a team.
struct Member<S: Space> {
    me: usize,
    search: Search<S>,
    received: Letters<S::Word>,
    /// To each of the others.
    sent: Vec<Letters<S::Word>>,
    rests: bool,
}

/// A search on several threads that can be taken up again where it stopped.
pub struct Team<S: Space> {
    members: Vec<Member<S>>,
    post: Mutex<Post<S::Word>>,
}

/// What all threads look at.
#[derive(Default)]
struct Shared {
    over: AtomicBool,
    /// Nodes of all threads, and bytes of each.
    nodes: AtomicU64,
    bytes: Vec<AtomicU64>,
}

/// Whom a state belongs to. Not the bits by which the tables find it: those would be half empty.
fn owner<W: Word>(state: &[W], members: usize) -> usize {
    let hash =
        state.iter().fold(0u64, |hash, w| (hash.rotate_left(5) ^ (*w).into()).wrapping_mul(0x517c_c1b7_2722_0a95));
    ((hash >> 40) as usize) % members
}

impl<S: Space + Send> Team<S> {
    /// A team of as many as there are spaces, at least one; all of them give a state the same words.
    pub fn new(spaces: Vec<S>, starts: &[Vec<S::Word>], plan: Plan) -> Team<S> {
        let count = spaces.len();
        let letters = || (0..count).map(|_| Letters::default()).collect::<Vec<_>>();
        let members = spaces.into_iter().enumerate().map(|(me, space)| {
            let search = Search::new(space, starts.to_vec(), plan);
            Member { me, search, received: Letters::default(), sent: letters(), rests: false }
        });
        let members = members.collect();
        let mut team = Team { members, post: Mutex::new(Post { boxes: letters(), resting: 0 }) };
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
            member.received.clear();
            member.sent.iter_mut().for_each(Letters::clear);
            member.rests = false;
        }
        let post = self.post.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        post.boxes.iter_mut().for_each(Letters::clear);
        post.resting = 0;
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
            part.heat = probe.heat.as_ref().map(|heat| vec![0; heat.len()]);
            (member, part)
        });
        let mut parts: Vec<_> = parts.collect();
        let waiting = Mutex::new(parts.split_off(1));
        let take = || lock(&waiting).pop();
        let (post, shared) = (&self.post, &shared);
        let ended = thread::scope(|scope| {
            let mut workers = Vec::new();
            for _ in 1..count {
                let work = || {
                    let mut parts: Vec<_> = take().into_iter().collect();
                    (work(&mut parts, post, shared, &mut || Ok(())), parts)
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
            let mut ends = vec![work(&mut parts, post, shared, publish)];
            for worker in workers {
                // A panic goes on in this thread: a search that has lost states must not say that there are none.
                let (end, theirs) = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
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
        ended.into_iter().collect::<Result<Vec<()>, Stop>>()?;
        Ok(End::Exhausted)
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
    post: &Mutex<Post<S::Word>>,
    shared: &Shared,
    publish: &mut dyn FnMut() -> Result<(), Stop>,
) -> Result<(), Stop> {
    let _ends = Ends(&shared.over);
    while !shared.over.load(Ordering::Relaxed) {
        let mut rest = true;
        for (member, probe) in parts.iter_mut() {
            let before = probe.progress.nodes;
            let done = member.round(probe);
            shared.nodes.fetch_add(probe.progress.nodes - before, Ordering::Relaxed);
            shared.bytes[member.me].store(probe.progress.memory, Ordering::Relaxed);
            let over = done.map(|found| found || member.exchange(post));
            rest &= member.rests;
            if over != Ok(false) {
                return over.map(|_| ());
            }
        }
        publish()?;
        if rest {
            thread::sleep(REST);
            parts.iter_mut().try_for_each(|(_, probe)| probe.check())?;
        }
    }
    Ok(())
}

impl<S: Space> Member<S> {
    /// Takes in what came by post and expands some states; whether there is a solution.
    fn round(&mut self, probe: &mut Probe) -> Result<bool, Stop> {
        self.search.begin(probe, &mut |_, _, _| ())?;
        self.take_in(probe)?;
        for _ in 0..ROUND {
            if self.search.best.is_some() {
                return Ok(true);
            }
            let Some((_, id)) = self.search.next() else { break };
            self.expand(id, probe)?;
            (self.search.at, self.search.counted) = (None, false);
        }
        Ok(self.search.best.is_some())
    }

    /// A state goes out of the list when it is in the table: where this is stopped, none is lost.
    fn take_in(&mut self, probe: &mut Probe) -> Result<(), Stop> {
        let width = self.search.state.len();
        while let Some(&(origin, cost)) = self.received.steps.last() {
            let from = self.received.words.len() - width;
            let state = &self.received.words[from..];
            self.search.space.meet(state);
            if let Some(goal) = self.search.meet(state, origin, cost, None, probe)? {
                self.search.best = Some((cost, goal));
            }
            self.received.words.truncate(from);
            self.received.steps.pop();
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
            let owner = owner(next, self.sent.len());
            if owner != self.me {
                self.sent[owner].push(next, origin, cost);
            } else if let Some(goal) = self.search.meet(next, origin, cost, None, probe)? {
                self.search.best = Some((cost, goal));
            }
        }
        self.search.successors = successors;
        Ok(())
    }

    /// Sends and fetches; whether nobody has anything left.
    fn exchange(&mut self, post: &Mutex<Post<S::Word>>) -> bool {
        let mut post = lock(post);
        for (to, letters) in self.sent.iter_mut().enumerate() {
            post.boxes[to].append(letters);
        }
        std::mem::swap(&mut self.received, &mut post.boxes[self.me]);
        let rests = self.received.is_empty() && self.search.queue.is_empty();
        match (self.rests, rests) {
            (false, true) => post.resting += 1,
            (true, false) => post.resting -= 1,
            _ => {}
        }
        self.rests = rests;
        post.resting == self.sent.len() && post.boxes.iter().all(Letters::is_empty)
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
        fn meet(&mut self, state: &[u32]) {
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
