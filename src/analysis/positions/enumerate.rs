//! Finds the positions of a level, and works out the map from them.
//!
//! Breadth-first over the rules. Moves are made on all threads and taken in by one, in order: the map does not depend on how many there are. The edges are
//! kept once, by the position they leave; turned round, they give the distance to the nearest won position.

use super::{Fate, Layer, NONE, PositionMap, make};
use crate::{
    clock::Instant,
    game::{Game, Status, rng},
    job::{Probe, Stop},
    search::parts::{BatchSize, in_parts, threads},
};
use rand::seq::SliceRandom as _;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// Positions that a sample keeps at each distance.
const SAMPLE: usize = 400;

/// Positions worth starting a thread for, and those that are looked at together at most: what they lead to is all in memory.
const FEWEST: usize = 8;
const MOST: usize = 1 << 12;
/// How long the moves of some positions should take.
const BATCH: BatchSize = BatchSize::new(1, MOST, Duration::from_millis(4), Duration::from_millis(16));

/// The enumeration, while it runs.
pub(super) struct Search<'a, G: Game> {
    level: &'a G::Level,
    most: usize,
    /// What a position takes in memory, by an estimate from the size of the board.
    bytes: u64,
    pub known: FxHashMap<G::State, u32>,
    pub by: Vec<u32>,
    pub graph: Graph,
    /// The positions to look at next, in the order of their numbers, and the number of the first of them.
    frontier: Vec<G::State>,
    begins: u32,
    /// Whether distances are sampled from now on.
    sampling: bool,
    /// How many positions are looked at together.
    at_once: BatchSize,
}

/// Where the moves of a position lead to.
struct Found<G: Game> {
    after: Vec<After<G>>,
    /// Whether these are all its moves.
    lists_all: bool,
}

/// What a move leads to: the number of the position if it has one.
struct After<G: Game> {
    by: u32,
    /// Nodes of the opponent's thoughts.
    thoughts: u64,
    to: Result<u32, G::State>,
}

/// Positions as numbers.
#[derive(Default)]
pub(super) struct Graph {
    depth: Vec<u32>,
    from: Vec<u32>,
    won: Vec<bool>,
    /// Whether neighbours were left out.
    open: Vec<bool>,
    ends: Vec<u32>,
    targets: Vec<u32>,
}

impl<'a, G: Game> Search<'a, G> {
    pub fn new(level: &'a G::Level, start: &G::State, most: usize) -> Search<'a, G> {
        let mut start = start.clone();
        G::forget(level, &mut start);
        let state = size_of::<G::State>() + 4 * G::size(level).area();
        let mut search = Search {
            level,
            most: most.max(1),
            // Each is there twice for a while, and its numbers beside it.
            bytes: (2 * state + 64) as u64,
            known: FxHashMap::default(),
            by: Vec::new(),
            graph: Graph::default(),
            frontier: Vec::new(),
            begins: 0,
            sampling: false,
            at_once: BATCH.of(FEWEST),
        };
        search.add(start, NONE, 0, 0);
        search
    }

    fn add(&mut self, state: G::State, from: u32, by: u32, depth: u32) -> u32 {
        let id = self.by.len() as u32;
        self.by.push(by);
        self.graph.depth.push(depth);
        self.graph.from.push(from);
        self.graph.won.push(G::status(self.level, &state) == Status::Won);
        self.graph.open.push(false);
        self.frontier.push(state.clone());
        self.known.insert(state, id);
        id
    }

    pub fn run(&mut self, probe: &mut Probe) -> Result<(), Stop> {
        let half = probe.progress.nodes + probe.nodes_left() / 2;
        while !self.frontier.is_empty() {
            let layer = std::mem::take(&mut self.frontier);
            let begins = self.by.len() as u32 - layer.len() as u32;
            self.begins = self.by.len() as u32;
            let mut too_many = false;
            let mut done = 0;
            while done < layer.len() && !too_many {
                let part = &layer[done..layer.len().min(done + self.at_once.get())];
                let found = self.look_at(part, begins + done as u32, probe)?;
                for (found, id) in found.into_iter().zip(begins + done as u32..) {
                    match self.take_in(found, id, probe) {
                        Ok(()) => {}
                        // What a sample may take is not used up by the exact part.
                        Err(Stop::Memory) if !self.sampling => too_many = true,
                        Err(stop) => {
                            self.take_back(begins);
                            return Err(stop);
                        }
                    }
                    too_many |= !self.sampling && (self.by.len() > self.most || probe.progress.nodes > half);
                    if too_many {
                        break;
                    }
                }
                done += part.len();
            }
            probe.progress.frontier = self.by.len() as u64;
            if too_many {
                self.cut_back();
                self.count_memory(probe);
            } else if self.sampling {
                self.thin_out();
                if self.by.len() > self.most {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn count_memory(&self, probe: &mut Probe) {
        probe.progress.memory = self.by.len() as u64 * self.bytes + 4 * self.graph.targets.len() as u64;
    }

    /// Makes all moves of some positions, on all threads.
    fn look_at(&mut self, part: &[G::State], first: u32, probe: &Probe) -> Result<Vec<Found<G>>, Stop> {
        let begin = Instant::now();
        let found = in_parts(part, threads(probe.mode()), FEWEST, |from, states| {
            let ids = first + from as u32..;
            // An opponent's thoughts may take long.
            let wanted = states.iter().zip(ids).take_while(|_| !probe.is_cancelled());
            wanted.map(|(state, id)| self.moves_of(state, id)).collect::<Vec<_>>()
        });
        self.at_once.fit(begin.elapsed());
        if probe.is_cancelled() { Err(Stop::Cancelled) } else { Ok(found.into_iter().flatten().collect()) }
    }

    /// Makes all moves of a position.
    fn moves_of(&self, state: &G::State, id: u32) -> Found<G> {
        let moves = if self.graph.won[id as usize] { Vec::new() } else { G::legal_moves(self.level, state) };
        let lists_all = G::lists_all(self.level, state, &moves);
        let after = moves.iter().zip(0..).filter_map(|(mv, by)| {
            let mut next = state.clone();
            let thoughts = make::<G>(self.level, &mut next, mv)?;
            G::forget(self.level, &mut next);
            let to = self.known.get(&next).copied().ok_or(next);
            Some(After { by, thoughts, to })
        });
        Found { after: after.collect(), lists_all }
    }

    /// Takes in where the moves of a position lead to.
    fn take_in(&mut self, found: Found<G>, id: u32, probe: &mut Probe) -> Result<(), Stop> {
        let first = self.graph.targets.len();
        self.graph.open[id as usize] = !found.lists_all;
        let depth = self.graph.depth[id as usize] + 1;
        for After { by, thoughts, to } in found.after {
            probe.progress.nodes += thoughts;
            if let Err(stop) = probe.tick() {
                self.graph.open[id as usize] = true;
                return Err(stop);
            }
            // It may have become known since.
            let to = to.or_else(|next| self.known.get(&next).copied().ok_or(next)).unwrap_or_else(|next| {
                self.count_memory(probe);
                self.add(next, id, by, depth)
            });
            if to != id {
                self.graph.targets.push(to);
            }
        }
        let mut own = self.graph.targets.split_off(first);
        own.sort_unstable();
        own.dedup();
        self.graph.targets.append(&mut own);
        self.graph.ends.push(self.graph.targets.len() as u32);
        Ok(())
    }

    /// Forgets what a layer that was not gone through has led to.
    fn take_back(&mut self, layer: u32) {
        self.truncate(layer as usize, self.begins as usize);
        self.frontier.clear();
    }

    /// Keeps the positions before `end`, and the edges of those before `looked_at`.
    fn truncate(&mut self, looked_at: usize, end: usize) {
        let graph = &mut self.graph;
        for list in [&mut self.by, &mut graph.depth, &mut graph.from] {
            list.truncate(end);
        }
        graph.won.truncate(end);
        graph.open.truncate(end);
        graph.open[looked_at..].fill(false);
        graph.ends.truncate(looked_at);
        graph.targets.truncate(graph.ends.last().map_or(0, |n| *n as usize));
        self.known.retain(|_, id| (*id as usize) < end);
    }

    /// There are too many positions: goes back to a distance up to which half as many as allowed lie, and samples from there on.
    fn cut_back(&mut self) {
        self.sampling = true;
        let most = self.most / 2;
        let mut last = 0;
        // Where each layer begins that is complete: the one that is being filled is not.
        let depths = &self.graph.depth[..self.begins as usize];
        for i in 1..depths.len() {
            if depths[i] != depths[i - 1] && self.layer_end(i) <= most {
                last = i;
            }
        }
        let end = self.layer_end(last).min(self.begins as usize);
        self.truncate(last, end);
        let mut frontier: Vec<(u32, G::State)> =
            self.known.iter().filter(|(_, id)| **id as usize >= last).map(|(s, id)| (*id, s.clone())).collect();
        frontier.sort_unstable_by_key(|(id, _)| *id);
        self.frontier = frontier.into_iter().map(|(_, s)| s).collect();
    }

    /// Where the layer ends that begins with a position.
    fn layer_end(&self, first: usize) -> usize {
        let depth = self.graph.depth[first];
        first + self.graph.depth[first..].partition_point(|d| *d == depth)
    }

    /// Keeps a few of the positions that were added last: those that are won, and others at random.
    fn thin_out(&mut self) {
        let (begins, count) = (self.begins as usize, self.frontier.len());
        if count <= SAMPLE {
            return;
        }
        let mut chosen: Vec<usize> = (0..count).collect();
        chosen.shuffle(&mut rng(u64::from(self.begins)));
        chosen.sort_by_key(|i| !self.graph.won[begins + i]);
        chosen.truncate(SAMPLE);
        chosen.sort_unstable();
        let mut renamed = vec![NONE; count];
        for (new, old) in chosen.iter().enumerate() {
            renamed[*old] = (begins + new) as u32;
        }
        for (state, new) in self.frontier.iter().zip(&renamed) {
            match new {
                &NONE => drop(self.known.remove(state)),
                new => drop(self.known.insert(state.clone(), *new)),
            }
        }
        let graph = &mut self.graph;
        for list in [&mut self.by, &mut graph.depth, &mut graph.from] {
            keep(list, begins, &chosen);
        }
        keep(&mut graph.won, begins, &chosen);
        keep(&mut graph.open, begins, &chosen);
        keep(&mut self.frontier, 0, &chosen);
        // The edges of the layer before lead to what was kept, or their position is open.
        let depth = graph.depth[begins - 1];
        let first = graph.depth[..begins].partition_point(|d| *d < depth);
        let mut read = first.checked_sub(1).map_or(0, |before| graph.ends[before]) as usize;
        let mut write = read;
        for i in first..begins {
            let end = graph.ends[i] as usize;
            for at in read..end {
                let to = graph.targets[at] as usize;
                let to = if to < begins { to as u32 } else { renamed[to - begins] };
                if to == NONE {
                    graph.open[i] = true;
                } else {
                    graph.targets[write] = to;
                    write += 1;
                }
            }
            (read, graph.ends[i]) = (end, write as u32);
        }
        graph.targets.truncate(write);
    }

    /// What was not looked at is open.
    pub fn close(&mut self) {
        let graph = &mut self.graph;
        for i in graph.ends.len()..graph.depth.len() {
            graph.open[i] = !graph.won[i];
            graph.ends.push(graph.targets.len() as u32);
        }
    }
}

/// Keeps the chosen ones of a list's end.
fn keep<T: Clone>(list: &mut Vec<T>, begins: usize, chosen: &[usize]) {
    let kept: Vec<T> = chosen.iter().map(|i| list[begins + i].clone()).collect();
    list.truncate(begins);
    list.extend(kept);
}

impl Graph {
    pub fn map(self, probe: &mut Probe) -> Result<PositionMap, Stop> {
        let whole_to = self.open.iter().zip(&self.depth).filter(|(open, _)| **open).map(|(_, d)| *d).min();
        let back = self.reversed();
        let all = self.depth.len();
        let (mut to_end, mut next) = (vec![NONE; all], vec![NONE; all]);
        let ends = (0..all as u32).filter(|i| self.won[*i as usize]).collect();
        back.flood(ends, &mut to_end, &mut next);
        let mut lost: Vec<bool> = to_end.iter().map(|n| *n == NONE).collect();
        if whole_to.is_some() {
            let (mut escapes, mut via) = (vec![NONE; all], vec![NONE; all]);
            back.flood((0..all as u32).filter(|i| self.open[*i as usize]).collect(), &mut escapes, &mut via);
            lost.iter_mut().zip(escapes).for_each(|(lost, n)| *lost &= n == NONE);
        }
        if probe.check() == Err(Stop::Cancelled) {
            return Err(Stop::Cancelled);
        }
        let Graph { depth, from, ends, targets, won, .. } = self;
        let mut map =
            PositionMap { depth, to_end, lost, from, next, ends, targets, whole_to, ..PositionMap::default() };
        map.put_in_order();
        if whole_to.is_none() {
            map.bottlenecks = bottlenecks(&map, &won);
        }
        Ok(map)
    }

    /// The edges turned round.
    fn reversed(&self) -> Reversed {
        let mut ends = vec![0u32; self.depth.len() + 1];
        self.targets.iter().for_each(|to| ends[*to as usize + 1] += 1);
        for i in 1..ends.len() {
            ends[i] += ends[i - 1];
        }
        let mut place = ends.clone();
        let mut sources = vec![0; self.targets.len()];
        let mut read = 0;
        for (from, end) in self.ends.iter().enumerate() {
            for to in &self.targets[read..*end as usize] {
                let at = &mut place[*to as usize];
                sources[*at as usize] = from as u32;
                *at += 1;
            }
            read = *end as usize;
        }
        Reversed { ends, sources }
    }
}

/// For each position those from which one move leads to it.
struct Reversed {
    ends: Vec<u32>,
    sources: Vec<u32>,
}

impl Reversed {
    /// Distances to the nearest of some positions, and the first step there.
    fn flood(&self, goals: Vec<u32>, distance: &mut [u32], step: &mut [u32]) {
        let mut queue = goals;
        queue.iter().for_each(|i| distance[*i as usize] = 0);
        let mut at = 0;
        while let Some(&to) = queue.get(at) {
            at += 1;
            let sources = self.ends[to as usize] as usize..self.ends[to as usize + 1] as usize;
            for &from in &self.sources[sources] {
                if distance[from as usize] == NONE {
                    distance[from as usize] = distance[to as usize] + 1;
                    step[from as usize] = to;
                    queue.push(from);
                }
            }
        }
    }
}

impl PositionMap {
    fn put_in_order(&mut self) {
        let all = self.depth.len();
        self.order = (0..all as u32).collect();
        self.rank = vec![0; all];
        let mut first = 0;
        while first < all {
            let end = first + self.depth[first..].partition_point(|d| *d == self.depth[first]);
            let mut order = std::mem::take(&mut self.order);
            let key = |i: &u32| match self.fate(*i) {
                Fate::Winnable(n) => (0, n, *i),
                Fate::Unknown => (1, 0, *i),
                Fate::Lost => (2, 0, *i),
            };
            order[first..end].sort_unstable_by_key(key);
            let count = |class| order[first..end].iter().filter(|i| key(i).0 == class).count() as u32;
            let layer = Layer { first: first as u32, winnable: count(0), unknown: count(1), lost: count(2) };
            order[first..end].iter().zip(0..).for_each(|(i, rank)| self.rank[*i as usize] = rank);
            (self.order, first) = (order, end);
            self.layers.push(layer);
        }
    }
}

/// The positions beside the start and the won ones through which every way from the start to a won position passes.
///
/// All of them are on any one solution, so one is walked along: from each of its positions everything beside it is visited, and the farthest position of
/// the solution (or another end, which counts as beyond it) that this comes to is remembered. A position is passed by no way round exactly if nothing
/// before it comes farther than to it.
fn bottlenecks(map: &PositionMap, won: &[bool]) -> Vec<u32> {
    let way = map.solution();
    let mut place = vec![NONE; map.len()];
    way.iter().zip(0..).for_each(|(p, i)| place[*p as usize] = i);
    let mut seen = vec![false; map.len()];
    let (mut farthest, mut found, mut stack) = (0, Vec::new(), Vec::new());
    for (&position, i) in way.iter().zip(0..) {
        if farthest <= i && i > 0 && !won[position as usize] {
            found.push(position);
        }
        stack.push(position);
        while let Some(from) = stack.pop() {
            for &to in map.neighbours(from) {
                if place[to as usize] != NONE {
                    farthest = farthest.max(place[to as usize]);
                } else if !seen[to as usize] {
                    seen[to as usize] = true;
                    if won[to as usize] {
                        farthest = way.len() as u32;
                    }
                    stack.push(to);
                }
            }
        }
    }
    found
}
