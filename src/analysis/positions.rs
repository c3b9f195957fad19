//! The map of positions: every position that can be reached from the start, how far it is from the start and from an end, which ones are lost, and which ones
//! every solution passes through.
//!
//! A distance is a number of the player's moves, an opponent's replies included. Positions that go on alike
//! ([`Solve::forget`](crate::game::Solve::forget)) are one. A position is **lost** if no won position can be reached from it, and a **bottleneck** if every
//! way from the start to any won position passes through it. `enumerate.rs` finds them; here is what readers ask.
//!
//! A level with more positions than asked for is **sampled**: the distances near the start are kept whole, and from each one after them a few positions
//! drawn at random with a fixed seed. Positions that have neighbours which were left out are *open*. Distances are then upper bounds; a position counts
//! as lost only if neither a won nor an open position can be reached from it, which is a proof all the same; and no bottlenecks are named.

mod enumerate;

use super::line::grouped;
use crate::{
    game::{Game, advance_with},
    job::{Limits, Probe, Stop},
};
use enumerate::Search;
use rustc_hash::FxBuildHasher;
use std::{hash::BuildHasher as _, sync::Arc};

/// Positions up to which a level is shown whole.
pub const MOST: usize = 200_000;

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
