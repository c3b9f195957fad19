//! An exact search on several threads: states are taken out in batches of equal priority, expanded and estimated side by side, and their successors taken in by one thread.
//!
//! Expanding and estimating take nearly all the time where this is worth it; the table of states is only read meanwhile. Below the cost of the best solution
//! every state is expanded whatever the order, so the proof is the same as with one thread. Each thread has a space of its own: spaces keep working memory
//! and caches.

use super::{DEAD, End, Node, Origin, Search, Space, Successors, reserve};
use crate::{
    clock::Instant,
    job::{Probe, Stop},
    search::{
        parts::{BatchSize, join, search_thread},
        states::States,
    },
};
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

/// States that are expanded together.
const BATCH: BatchSize = BatchSize::new(32, 1 << 14, Duration::from_millis(1), Duration::from_millis(8));

/// What the threads read.
struct View<'a, S: Space> {
    states: &'a States<S::Word>,
    nodes: &'a [Node],
    slack: bool,
    /// A solution must cost less than this.
    limit: u32,
}

/// Successors of some states of a batch.
struct Found<W> {
    words: Vec<W>,
    /// The number of the parent, the name of the step, the cost, and the estimate where the state was not known.
    steps: Vec<(u32, u32, u32, Option<u32>)>,
}

impl<S: Space + Send> Search<S> {
    /// Gives the search other threads, each with a space like its own. Only for exact searches.
    pub fn set_helpers(&mut self, helpers: Vec<S>) {
        self.helpers = helpers;
    }

    /// Whether it has any.
    pub fn has_helpers(&self) -> bool {
        !self.helpers.is_empty()
    }

    /// As [`Search::run`], on as many threads as there are spaces.
    pub fn run_batches(
        &mut self,
        probe: &mut Probe,
        better: &mut dyn FnMut(u32, &[u32], &mut Probe),
    ) -> Result<End, Stop> {
        if !self.plan.exact || self.helpers.is_empty() {
            return self.run(probe, better);
        }
        self.begin(probe, better)?;
        // What a search on one thread had at hand when it was stopped.
        if let Some((_, id)) = self.at.take() {
            self.put_back(&[id]);
            self.counted = false;
        }
        let mut size = BATCH;
        while let Some(batch) = self.take_batch(size.get()) {
            let begin = Instant::now();
            let mut stopped = None;
            let counted = batch.iter().take_while(|_| probe.tick().map_err(|s| stopped = Some(s)).is_ok()).count();
            let (batch, rest) = batch.split_at(counted);
            self.put_back(rest);
            self.expand_batch(batch, probe, better).inspect_err(|_| self.put_back(batch))?;
            if let Some(stop) = stopped {
                return Err(stop);
            }
            size.fit(begin.elapsed());
        }
        Ok(self.end())
    }

    /// Lets states wait again. One whose successors are partly in is expanded once more, which does no harm.
    fn put_back(&mut self, batch: &[u32]) {
        for &id in batch {
            let state = self.states.get(id).to_vec();
            self.enqueue(&state, id);
        }
    }

    /// States of the least priority that wait, at most this many; nothing when the search is over.
    fn take_batch(&mut self, size: usize) -> Option<Vec<u32>> {
        let mut batch = Vec::with_capacity(size);
        let mut layer = None;
        while batch.len() < size {
            let Some((priority, id)) = self.pop() else { break };
            if priority >= self.limit() || layer.is_some_and(|l| priority > l) {
                self.put_back(&[id]);
                break;
            }
            layer = Some(priority);
            let Node { cost, estimate, .. } = self.nodes[id as usize];
            if !self.is_pruned(cost, estimate) {
                batch.push(id);
            }
        }
        self.bound = self.bound.max(layer?);
        Some(batch)
    }

    fn expand_batch(
        &mut self,
        batch: &[u32],
        probe: &mut Probe,
        better: &mut dyn FnMut(u32, &[u32], &mut Probe),
    ) -> Result<(), Stop> {
        probe.progress.bound = probe.progress.bound.max(self.bound);
        probe.progress.frontier = self.queue.len() as u64;
        probe.progress.memory = self.bytes();
        if probe.heat.is_some() {
            batch.iter().for_each(|id| self.space.visited(self.states.get(*id), probe));
        }
        let all = self.expand_side_by_side(batch, probe);
        // What a thread has counted counts also where it was stopped.
        probe.progress.nodes += all.iter().map(|(_, nodes)| nodes).sum::<u64>();
        for (found, _) in all {
            let found = found?;
            let width = self.state.len();
            for (next, (parent, step, cost, estimate)) in found.words.chunks_exact(width).zip(found.steps) {
                self.space.learn(next);
                if let Some(goal) = self.meet(next, Origin { parent, step, by: 0 }, cost, estimate, probe)? {
                    self.give_out(goal, probe, better);
                }
            }
        }
        Ok(())
    }

    /// What each thread has found, and the nodes that its space has counted.
    fn expand_side_by_side(&mut self, batch: &[u32], probe: &mut Probe) -> Vec<(Result<Found<S::Word>, Stop>, u64)> {
        let view: View<'_, S> =
            View { states: &self.states, nodes: &self.nodes, slack: self.plan.slack, limit: self.limit() };
        // A space counts its own bytes again while it works.
        let all = probe.progress.memory;
        let mut part = |space: &mut S| {
            let bytes = space.bytes();
            probe.progress.memory = all.saturating_sub(bytes);
            let mut part = probe.part(u64::MAX);
            (part.progress.memory, probe.progress.memory) = (bytes, all);
            part
        };
        // Each takes the next state: some take a thousand times as long as others.
        let next = AtomicUsize::new(0);
        let ids = || batch.get(next.fetch_add(1, Ordering::Relaxed)).copied();
        let (view, ids) = (&view, &ids);
        std::thread::scope(|scope| {
            let mut workers = Vec::new();
            for space in &mut self.helpers {
                let mut probe = part(space);
                let work = move || (view.expand(space, ids, &mut probe), probe.progress.nodes);
                // Where no thread can be started, the others do its part.
                workers.extend(search_thread().spawn_scoped(scope, work));
            }
            let mut probe = part(&mut self.space);
            let own = view.expand(&mut self.space, ids, &mut probe);
            let mut found = vec![(own, probe.progress.nodes)];
            found.extend(workers.into_iter().map(join));
            found
        })
    }
}

impl<S: Space> View<'_, S> {
    fn expand(
        &self,
        space: &mut S,
        ids: &(dyn Fn() -> Option<u32> + Sync),
        probe: &mut Probe,
    ) -> Result<Found<S::Word>, Stop> {
        let mut found = Found { words: Vec::new(), steps: Vec::new() };
        let mut out = Successors::default();
        while let Some(id) = ids() {
            let state = self.states.get(id);
            let Node { cost, estimate, .. } = self.nodes[id as usize];
            space.learn(state);
            out.clear();
            out.slack = self.slack.then(|| (self.limit - 1).saturating_sub(cost + estimate));
            space.expand(state, &mut out, probe)?;
            for (next, more, step) in out.iter(state.len()) {
                let cost = cost + more;
                let estimate = match self.states.find(next) {
                    Ok(known) => {
                        let known = &self.nodes[known as usize];
                        if known.estimate == DEAD || cost >= known.cost {
                            continue;
                        }
                        None
                    }
                    Err(_) => {
                        let most = self.limit.saturating_sub(cost + 1);
                        Some(space.estimate_up_to(next, most, probe)?.unwrap_or(DEAD))
                    }
                };
                reserve(&mut found.words, next.len(), probe)?;
                reserve(&mut found.steps, 1, probe)?;
                found.words.extend_from_slice(next);
                found.steps.push((id, step, cost, estimate));
            }
        }
        Ok(found)
    }
}
