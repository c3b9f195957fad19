//! The map of positions: every position that can be reached from the start, how far it is from the start and from an end, which ones are lost, and which ones
//! every solution passes through.
//!
//! Breadth-first over the rules, an opponent's replies included, so a distance is a number of the player's moves. Positions that go on alike
//! ([`Solve::forget`](crate::game::Solve::forget)) are one. The edges are kept once, by the position they leave; turned round, they give the distance to
//! the nearest won position. A position is **lost** if no won position can be reached from it, and a **bottleneck** if every way from the start to any won
//! position passes through it.
//!
//! A level with more positions than asked for is **sampled**: the distances near the start are kept whole, and from each one after them a few positions
//! drawn at random with a fixed seed. Positions that have neighbours which were left out are *open*. Distances are then upper bounds; a position counts
//! as lost only if neither a won nor an open position can be reached from it, which is a proof all the same; and no bottlenecks are named.

use super::line::grouped;
use crate::{
    game::{Game, Status, advance_with, rng},
    job::{Limits, Probe, Stop},
};
use rand::seq::SliceRandom as _;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::{hash::BuildHasher as _, sync::Arc};

/// Positions up to which a level is shown whole.
pub const MOST: usize = 200_000;

/// Positions that a sample keeps at each distance.
const SAMPLE: usize = 400;

const NONE: u32 = u32::MAX;

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// A won position is this many moves away; in a sample, at most.
    Winnable(u32),
    /// Neither an end nor the lack of one was found, in a sample.
    Unknown,
    /// No won position can be reached.
    Lost,
}

/// The positions at one distance from the start: first those that can be won, nearest to the end first, then those of which nothing is known, then the lost ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layer {
    /// The number of the first position.
    pub first: u32,
    /// How many can be won.
    pub winnable: u32,
    /// Of how many nothing is known.
    pub unknown: u32,
    /// How many are lost.
    pub lost: u32,
}

impl Layer {
    /// How many there are.
    pub fn len(&self) -> u32 {
        self.winnable + self.unknown + self.lost
    }

    /// Never: every distance has a position.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What kind of level the map shows, at a glance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// There is little choice on the way.
    Corridor,
    /// There is much to choose from, and most of it can be put right.
    Maze,
    /// At least half of the positions are lost.
    Trap,
    /// No position leads to an end.
    Hopeless,
    /// Not known: a sample.
    Sample,
}

/// The map of a level without the game's types. Positions are numbered by their distance from the start, which is number 0.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PositionMap {
    depth: Vec<u32>,
    to_end: Vec<u32>,
    lost: Vec<bool>,
    /// The position before it on a shortest way from the start.
    from: Vec<u32>,
    /// The position after it on a shortest way to an end.
    next: Vec<u32>,
    /// Where the neighbours of each position end in `targets`.
    ends: Vec<u32>,
    targets: Vec<u32>,
    /// The positions of each layer in its order, and the place of each position in that order, both from the layer's first.
    order: Vec<u32>,
    rank: Vec<u32>,
    layers: Vec<Layer>,
    bottlenecks: Vec<u32>,
    whole_to: Option<u32>,
}

impl PositionMap {
    /// How many positions it holds.
    pub fn len(&self) -> usize {
        self.depth.len()
    }

    /// Never: the start is there.
    pub fn is_empty(&self) -> bool {
        self.depth.is_empty()
    }

    /// Whether all positions are there.
    pub fn is_whole(&self) -> bool {
        self.whole_to.is_none()
    }

    /// In a sample, the distance from the start up to which all positions are there.
    pub fn whole_to(&self) -> Option<u32> {
        self.whole_to
    }

    /// Moves from the start to a position.
    pub fn depth(&self, position: u32) -> u32 {
        self.depth[position as usize]
    }

    /// What is known about a position.
    pub fn fate(&self, position: u32) -> Fate {
        match (self.to_end[position as usize], self.lost[position as usize]) {
            (_, true) => Fate::Lost,
            (NONE, false) => Fate::Unknown,
            (n, false) => Fate::Winnable(n),
        }
    }

    /// Moves of a shortest solution.
    pub fn shortest(&self) -> Option<u32> {
        self.to_end.first().copied().filter(|n| *n != NONE)
    }

    /// The positions by distance from the start.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The position at a place of a layer's order.
    pub fn at(&self, layer: u32, rank: u32) -> Option<u32> {
        let of = self.layers.get(layer as usize).filter(|l| rank < l.len())?;
        self.order.get((of.first + rank) as usize).copied()
    }

    /// The place of a position in the order of its layer.
    pub fn rank(&self, position: u32) -> u32 {
        self.rank[position as usize]
    }

    /// The positions after one move, each once.
    pub fn neighbours(&self, position: u32) -> &[u32] {
        let i = position as usize;
        let first = i.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.targets[first as usize..self.ends[i] as usize]
    }

    /// How many of the positions after one move are as near to an end as any.
    pub fn best_choices(&self, position: u32) -> usize {
        let Fate::Winnable(n) = self.fate(position) else { return 0 };
        let best = |q: &&u32| n > 0 && self.to_end[**q as usize] == n - 1;
        self.neighbours(position).iter().filter(best).count()
    }

    /// The position before this one on a shortest way from the start.
    pub fn before(&self, position: u32) -> Option<u32> {
        self.from.get(position as usize).copied().filter(|p| *p != NONE)
    }

    /// The position after this one on a shortest way to an end.
    pub fn after(&self, position: u32) -> Option<u32> {
        self.next.get(position as usize).copied().filter(|p| *p != NONE)
    }

    /// The positions of a shortest way from the start, both ends included.
    pub fn way_to(&self, position: u32) -> Vec<u32> {
        let mut way: Vec<u32> = std::iter::successors(Some(position), |p| self.before(*p)).collect();
        way.reverse();
        way
    }

    /// The positions of a shortest solution, the start included; none if no end was found.
    pub fn solution(&self) -> Vec<u32> {
        match self.shortest() {
            Some(_) => std::iter::successors(Some(0), |p| self.after(*p)).collect(),
            None => Vec::new(),
        }
    }

    /// The positions, beside the start and the won ones, through which every solution passes, nearest to the start first; none in a sample.
    pub fn bottlenecks(&self) -> &[u32] {
        &self.bottlenecks
    }

    /// How many positions are lost.
    pub fn lost(&self) -> usize {
        self.layers.iter().map(|l| l.lost as usize).sum()
    }

    /// What kind of level it is.
    pub fn kind(&self) -> Kind {
        let (all, lost) = (self.len(), self.lost());
        match self.shortest() {
            _ if !self.is_whole() => Kind::Sample,
            None => Kind::Hopeless,
            Some(_) if lost * 2 >= all => Kind::Trap,
            // Where most of a shortest solution has no way round it, or hardly anything lies beside it.
            Some(n) if self.bottlenecks.len() * 2 >= n as usize || (all - lost) <= 3 * (n as usize + 1) => {
                Kind::Corridor
            }
            Some(_) => Kind::Maze,
        }
    }

    /// The map in a sentence: "A trap: 4,120 positions, 61 % lost; all solutions pass through 3 of them".
    pub fn sentence(&self) -> String {
        let count = |n: usize| if n == 1 { "1 position".into() } else { format!("{} positions", grouped(n as u64)) };
        let all = count(self.len());
        let lost = match self.lost() {
            0 => "none lost".to_string(),
            n => format!("{} % lost", share(n, self.len())),
        };
        let name = match self.kind() {
            Kind::Sample => {
                let whole = self.whole_to.unwrap_or(0);
                let proven = if self.lost() > 0 {
                    format!("; {} of them proven lost", grouped(self.lost() as u64))
                } else {
                    String::new()
                };
                return format!(
                    "Sampled: {all} out of more, all of them up to {} from the start{proven}",
                    moves(whole)
                );
            }
            Kind::Hopeless => return format!("Cannot be won: none of the {all} leads to an end"),
            Kind::Corridor => "A corridor",
            Kind::Maze => "A maze",
            Kind::Trap => "A trap",
        };
        let through = match self.bottlenecks.len() {
            0 => "no position but the first that all solutions pass through".to_string(),
            n => format!("all solutions pass through {} of them", grouped(n as u64)),
        };
        format!("{name}: {all}, {lost}; {through}")
    }

    /// A position in a sentence: "12 moves from the start, 30 from an end; 4 choices, 1 of them best".
    pub fn about(&self, position: u32) -> String {
        let at_most = if self.whole_to.is_some_and(|whole| self.depth(position) > whole) { "at most " } else { "" };
        let end = match self.fate(position) {
            Fate::Winnable(0) => "won".to_string(),
            Fate::Winnable(n) => format!("{}{n} from an end", if self.is_whole() { "" } else { "at most " }),
            Fate::Unknown => "not known whether it can be won".into(),
            Fate::Lost => "lost".into(),
        };
        let mut text = format!("{at_most}{} from the start, {end}", moves(self.depth(position)));
        let choices = self.neighbours(position).len();
        if choices > 0 && self.is_whole() {
            let s = if choices == 1 { "" } else { "s" };
            text += &format!("; {choices} choice{s}");
            if self.fate(position) != Fate::Lost {
                text += &format!(", {} of them best", self.best_choices(position));
            }
        }
        if self.bottlenecks.binary_search(&position).is_ok() {
            text += "; all solutions pass here";
        }
        text
    }
}

fn moves(n: u32) -> String {
    if n == 1 { "1 move".into() } else { format!("{} moves", grouped(n.into())) }
}

/// A share in percent that says 0 and 100 only where that is so.
fn share(part: usize, all: usize) -> usize {
    let percent = (part * 100 + all / 2) / all.max(1);
    if part == all { 100 } else { percent.clamp(1, 99) }
}

/// The map of a level, with its positions.
pub struct Positions<G: Game> {
    /// The level it is about.
    pub level: Arc<G::Level>,
    /// The map.
    pub map: Arc<PositionMap>,
    start: G::State,
    states: Vec<G::State>,
    /// For each position the number, among the legal moves of the one before it, of the move that leads to it.
    by: Vec<u32>,
    /// Hashes of the positions in order, to find one by.
    hashes: Vec<(u64, u32)>,
}

impl<G: Game> Positions<G> {
    /// The map of a level with at most this many positions; `None` if it cannot be played. What the probe's limits end before it is whole is a sample;
    /// `Err` only if nobody wants to know any more.
    pub fn of(level: &Arc<G::Level>, most: usize, probe: &mut Probe) -> Result<Option<Positions<G>>, Stop> {
        let Ok(start) = G::start(level) else { return Ok(None) };
        let mut search = Search::<G>::new(level, &start, most);
        if let Err(Stop::Cancelled) = search.run(probe) {
            return Err(Stop::Cancelled);
        }
        search.close();
        let Search { known, by, graph, .. } = search;
        let mut states: Vec<Option<G::State>> = vec![None; by.len()];
        for (state, id) in known {
            states[id as usize] = Some(state);
        }
        let states: Vec<G::State> = states.into_iter().flatten().collect();
        let mut hashes: Vec<(u64, u32)> = states.iter().map(hash).zip(0..).collect();
        hashes.sort_unstable();
        let map = Arc::new(graph.map(probe)?);
        Ok(Some(Positions { level: level.clone(), map, start, states, by, hashes }))
    }

    /// A position by its number.
    pub fn state(&self, position: u32) -> Option<&G::State> {
        self.states.get(position as usize)
    }

    /// The number of a position, if it is on the map.
    pub fn find(&self, state: &G::State) -> Option<u32> {
        let mut state = state.clone();
        G::forget(&self.level, &mut state);
        let hash = hash(&state);
        let first = self.hashes.partition_point(|(h, _)| *h < hash);
        let alike = self.hashes[first..].iter().take_while(|(h, _)| *h == hash);
        alike.map(|(_, id)| *id).find(|id| self.states[*id as usize] == state)
    }

    /// The player's moves of a shortest line from the start to a position.
    pub fn line_to(&self, position: u32) -> Option<Vec<G::Move>> {
        let (mut state, mut line) = (self.start.clone(), Vec::new());
        for step in self.map.way_to(position).into_iter().skip(1) {
            let mv = G::legal_moves(&self.level, &state).into_iter().nth(self.by[step as usize] as usize)?;
            make::<G>(&self.level, &mut state, &mv)?;
            line.push(mv);
        }
        (self.find(&state) == Some(position)).then_some(line)
    }
}

fn hash<T: std::hash::Hash>(state: &T) -> u64 {
    FxBuildHasher.hash_one(state)
}

/// Makes a move and the opponent's replies; the nodes of their thoughts, `None` if it is refused. An opponent is never cut short: it would answer otherwise.
fn make<G: Game>(level: &G::Level, state: &mut G::State, mv: &G::Move) -> Option<u64> {
    if G::versus().is_none() {
        return G::play(level, state, mv).ok().map(|()| 0);
    }
    let mut thoughts = Probe::new(Limits::default());
    advance_with::<G>(level, state, mv, &mut thoughts).ok()?;
    Some(thoughts.progress.nodes)
}

/// The enumeration, while it runs.
struct Search<'a, G: Game> {
    level: &'a G::Level,
    most: usize,
    /// What a position takes in memory, by an estimate from the size of the board.
    bytes: u64,
    known: FxHashMap<G::State, u32>,
    by: Vec<u32>,
    graph: Graph,
    /// The positions to look at next, in the order of their numbers, and the number of the first of them.
    frontier: Vec<G::State>,
    begins: u32,
    /// Whether distances are sampled from now on.
    sampling: bool,
}

/// Positions as numbers.
#[derive(Default)]
struct Graph {
    depth: Vec<u32>,
    from: Vec<u32>,
    won: Vec<bool>,
    /// Whether neighbours were left out.
    open: Vec<bool>,
    ends: Vec<u32>,
    targets: Vec<u32>,
}

impl<'a, G: Game> Search<'a, G> {
    fn new(level: &'a G::Level, start: &G::State, most: usize) -> Search<'a, G> {
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

    fn run(&mut self, probe: &mut Probe) -> Result<(), Stop> {
        let half = probe.progress.nodes + probe.nodes_left() / 2;
        while !self.frontier.is_empty() {
            let layer = std::mem::take(&mut self.frontier);
            let begins = self.by.len() as u32 - layer.len() as u32;
            self.begins = self.by.len() as u32;
            let mut too_many = false;
            for (state, id) in layer.iter().zip(begins..) {
                match self.look_at(state, id, probe) {
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

    /// Makes all moves of a position.
    fn look_at(&mut self, state: &G::State, id: u32, probe: &mut Probe) -> Result<(), Stop> {
        let first = self.graph.targets.len();
        let moves = if self.graph.won[id as usize] { Vec::new() } else { G::legal_moves(self.level, state) };
        self.graph.open[id as usize] = !G::lists_all(self.level, state, &moves);
        let depth = self.graph.depth[id as usize] + 1;
        for (mv, by) in moves.iter().zip(0..) {
            let mut next = state.clone();
            let Some(thoughts) = make::<G>(self.level, &mut next, mv) else { continue };
            probe.progress.nodes += thoughts;
            if let Err(stop) = probe.tick() {
                self.graph.open[id as usize] = true;
                return Err(stop);
            }
            G::forget(self.level, &mut next);
            let to = match self.known.get(&next) {
                Some(known) => *known,
                None => {
                    self.count_memory(probe);
                    self.add(next, id, by, depth)
                }
            };
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
    fn close(&mut self) {
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
    fn map(self, probe: &mut Probe) -> Result<PositionMap, Stop> {
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
