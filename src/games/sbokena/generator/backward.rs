//! Every position of a room by its distance from a win, worked out backwards from all solved positions at once.
//!
//! Layer by layer: the positions from which one push leads into the layer before. A push is undone by looking for the cell the box came
//! from, the cell the player pushed from, and whether the doors were then as they had to be; the player may have come to the next push
//! from anywhere that can walk there. So the distance of a position is its proven minimum of pushes, as far as the layers are complete.
//!
//! Most of the time goes into floods of the player's walk, so cells are bits of `W` words: one word for all rooms of up to 64 cells.

use super::super::solver::map::{Map, NONE};
use crate::job::{Probe, Stop};
use rustc_hash::FxHashMap;

/// The most boxes, and the bits for a cell: a position fits into one number.
const MOST_BOXES: usize = 8;
const CELL_BITS: usize = 9;
/// Words for the largest room.
pub const LARGE: usize = (1 << CELL_BITS) / 64;

/// A position: the boxes, sorted within their kinds, and the player's least equivalent cell, the first in the highest bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Packed(u128);

impl Packed {
    fn new(boxes: &[u16], player: u16) -> Packed {
        Packed(boxes.iter().chain([&player]).fold(0, |n, c| n << CELL_BITS | u128::from(*c)))
    }

    /// The cells of its boxes, of which there are `boxes`, and of the player.
    pub fn parts(self, boxes: usize) -> ([u16; MOST_BOXES], u16) {
        let cell = |place: usize| (self.0 >> (place * CELL_BITS)) as u16 & ((1 << CELL_BITS) - 1);
        let mut cells = [0; MOST_BOXES];
        (0..boxes).for_each(|i| cells[i] = cell(boxes - i));
        (cells, cell(0))
    }
}

/// Positions by distance.
pub struct Backward {
    distance: FxHashMap<Packed, u16>,
    /// Every position nearer than this is in the table.
    pub complete_below: u16,
}

impl Backward {
    /// The distance of a position, if it was met.
    pub fn get(&self, state: Packed) -> Option<u16> {
        self.distance.get(&state).copied()
    }

    /// All positions with their distances.
    pub fn iter(&self) -> impl Iterator<Item = (Packed, u16)> {
        self.distance.iter().map(|(s, d)| (*s, *d))
    }

    /// Explores up to this many positions.
    pub fn explore<const W: usize>(map: &Map, kinds: &[u8], most: usize, probe: &mut Probe) -> Result<Backward, Stop> {
        let mut board = Board::<W>::new(map, kinds);
        let mut distance: FxHashMap<Packed, u16> = FxHashMap::default();
        let mut layer: Vec<Packed> = Vec::new();
        for goals in arrangements(&map.goals, kinds) {
            board.occupy(&goals);
            for c in 0..map.len() as u16 {
                if !board.boxes.has(c) && board.settle(c) == c {
                    layer.push(Packed::new(&goals, c));
                }
            }
            board.vacate(&goals);
        }
        distance.extend(layer.iter().map(|state| (*state, 0)));
        let mut depth = 0u16;
        let mut origins = Vec::new();
        while !layer.is_empty() && distance.len() < most && depth < u16::MAX - 1 {
            depth += 1;
            let mut next = Vec::new();
            for state in &layer {
                probe.tick()?;
                board.origins(*state, &mut origins);
                for origin in origins.drain(..) {
                    distance.entry(origin).or_insert_with(|| {
                        next.push(origin);
                        depth
                    });
                }
            }
            layer = next;
        }
        let complete_below = if layer.is_empty() { u16::MAX } else { depth + 1 };
        Ok(Backward { distance, complete_below })
    }
}

/// The ways to put boxes of these kinds (sorted) on the goals, each sorted within its kinds.
fn arrangements(goals: &[u16], kinds: &[u8]) -> Vec<Vec<u16>> {
    fn place(goals: &[u16], kinds: &[u8], state: &mut Vec<u16>, all: &mut Vec<Vec<u16>>) {
        let i = state.len();
        if i == kinds.len() {
            all.push(state.clone());
            return;
        }
        for g in goals {
            let ordered = i == 0 || kinds[i - 1] != kinds[i] || state[i - 1] < *g;
            if ordered && !state.contains(g) {
                state.push(*g);
                place(goals, kinds, state, all);
                state.pop();
            }
        }
    }
    let mut all = Vec::new();
    place(goals, kinds, &mut Vec::new(), &mut all);
    all
}

/// A set of cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Set<const W: usize>([u64; W]);

impl<const W: usize> Set<W> {
    const EMPTY: Set<W> = Set([0; W]);

    fn of(cells: impl IntoIterator<Item = u16>) -> Set<W> {
        let mut set = Set::EMPTY;
        cells.into_iter().filter(|c| *c != NONE).for_each(|c| set.insert(c));
        set
    }

    fn has(&self, c: u16) -> bool {
        self.0[c as usize / 64] >> (c % 64) & 1 == 1
    }

    fn insert(&mut self, c: u16) {
        self.0[c as usize / 64] |= 1 << (c % 64);
    }

    fn remove(&mut self, c: u16) {
        self.0[c as usize / 64] &= !(1 << (c % 64));
    }

    fn and(mut self, other: Set<W>) -> Set<W> {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
        self
    }

    fn or(mut self, other: Set<W>) -> Set<W> {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
        self
    }

    fn without(mut self, other: Set<W>) -> Set<W> {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= !b);
        self
    }

    fn first(&self) -> Option<u16> {
        let word = self.0.iter().position(|w| *w != 0)?;
        Some((word * 64) as u16 + self.0[word].trailing_zeros() as u16)
    }

    /// What is met from a cell, going from each to those that `next` names.
    fn flood(from: u16, next: impl Fn(u16) -> Set<W>) -> Set<W> {
        let mut met = Set::of([from]);
        let mut waiting = met;
        while let Some(c) = waiting.first() {
            waiting.remove(c);
            let new = next(c).without(met);
            met = met.or(new);
            waiting = waiting.or(new);
        }
        met
    }
}

/// A board with boxes on it.
pub struct Board<'a, const W: usize> {
    map: &'a Map,
    kinds: &'a [u8],
    /// For each kind that occurs and each cell, the pushes that end there: from where, in which direction.
    arrivals: Vec<Vec<Vec<(u16, u8)>>>,
    boxes: Set<W>,
    /// Where the player can go from a cell and where they can come from, doors and boxes apart.
    after: Vec<Set<W>>,
    before: Vec<Set<W>>,
    /// The door cells that the button on a cell opens while the player stands on it.
    opened_from: Vec<Set<W>>,
    /// For each door its cells and its buttons.
    doors: Vec<(Set<W>, Set<W>)>,
    /// What [`Board::part`] found for boxes on these cells: the same boxes are met with the player in many places.
    parts: FxHashMap<Set<W>, Vec<Set<W>>>,
}

impl<'a, const W: usize> Board<'a, W> {
    /// An empty board for boxes of these kinds (sorted).
    pub fn new(map: &'a Map, kinds: &'a [u8]) -> Board<'a, W> {
        let n = map.len();
        let mut arrivals = vec![vec![Vec::new(); n]; map.push.len()];
        for (kind, arrivals) in arrivals.iter_mut().enumerate().filter(|(k, _)| kinds.contains(&(*k as u8))) {
            for c in 0..n {
                for d in 0..4 {
                    let (to, (behind, _)) = (map.push[kind][c][d], map.behind[c][d]);
                    if to != NONE && behind != NONE && to != behind && to != c as u16 {
                        arrivals[to as usize].push((c as u16, d as u8));
                    }
                }
            }
        }
        let cells = |list: &Vec<[(u16, u8); 4]>| list.iter().map(|to| Set::of(to.map(|(c, _)| c))).collect();
        let doors: Vec<(Set<W>, Set<W>)> = map
            .doors
            .iter()
            .zip(&map.buttons)
            .map(|(doors, buttons)| (Set::of(doors.iter().copied()), Set::of(buttons.iter().copied())))
            .collect();
        let opened = |door: &u16| if *door == NONE { Set::EMPTY } else { doors[*door as usize].0 };
        Board {
            map,
            kinds,
            arrivals,
            boxes: Set::EMPTY,
            after: cells(&map.hop),
            before: cells(&map.behind),
            opened_from: map.opens.iter().map(opened).collect(),
            doors,
            parts: FxHashMap::default(),
        }
    }

    fn occupy(&mut self, boxes: &[u16]) {
        boxes.iter().for_each(|c| self.boxes.insert(*c));
    }

    fn vacate(&mut self, boxes: &[u16]) {
        boxes.iter().for_each(|c| self.boxes.remove(*c));
    }

    /// Door cells that no box holds open.
    fn closed(&self) -> Set<W> {
        let open = |(cells, buttons): &&(Set<W>, Set<W>)| cells.or(*buttons).and(self.boxes) != Set::EMPTY;
        self.doors.iter().filter(|door| !open(door)).fold(Set::EMPTY, |all, (cells, _)| all.or(*cells))
    }

    /// Cells that the player can walk to.
    fn reach(&self, from: u16, closed: Set<W>) -> Set<W> {
        Set::flood(from, |c| {
            let shut = closed.without(self.opened_from[c as usize]);
            self.after[c as usize].without(self.boxes).without(shut)
        })
    }

    /// Cells from which the player can walk to this one.
    fn reach_back(&self, to: u16, closed: Set<W>) -> Set<W> {
        Set::flood(to, |c| {
            let from = self.before[c as usize].without(self.boxes);
            if closed.has(c) { from.and(self.doors[self.map.door[c as usize] as usize].1) } else { from }
        })
    }

    /// The cells in which the player may as well stand: those they can walk to and back from.
    fn part(&self, player: u16) -> Set<W> {
        let closed = self.closed();
        let there = self.reach(player, closed);
        if self.map.directed { there.and(self.reach_back(player, closed)) } else { there }
    }

    fn settle(&mut self, player: u16) -> u16 {
        let known = self.parts.get(&self.boxes).and_then(|parts| parts.iter().find(|p| p.has(player)));
        let part = known.copied().unwrap_or_else(|| {
            let part = self.part(player);
            self.parts.entry(self.boxes).or_default().push(part);
            part
        });
        part.first().unwrap_or(player)
    }

    /// The position of these boxes (any order within a kind) with the player here, as the tables name it.
    pub fn name(&mut self, boxes: &[u16], player: u16) -> Packed {
        self.occupy(boxes);
        let player = self.settle(player);
        self.vacate(boxes);
        let mut boxes = boxes.to_vec();
        self.sort(&mut boxes);
        Packed::new(&boxes, player)
    }

    /// The cells in which the player may as well stand.
    pub fn same_part(&mut self, state: Packed) -> Vec<u16> {
        let (boxes, player) = state.parts(self.kinds.len());
        self.occupy(&boxes[..self.kinds.len()]);
        let part = self.part(player);
        self.vacate(&boxes[..self.kinds.len()]);
        (0..self.map.len() as u16).filter(|c| part.has(*c)).collect()
    }

    fn sort(&self, boxes: &mut [u16]) {
        let mut from = 0;
        for i in 1..=self.kinds.len() {
            if i == self.kinds.len() || self.kinds[i] != self.kinds[from] {
                boxes[from..i].sort_unstable();
                from = i;
            }
        }
    }

    /// The positions from which one push leads here.
    fn origins(&mut self, state: Packed, out: &mut Vec<Packed>) {
        let n = self.kinds.len();
        let (cells, player) = state.parts(n);
        let state = &cells[..n];
        self.occupy(state);
        let all = self.boxes;
        let reached = self.reach_back(player, self.closed());
        for (slot, &to) in state.iter().enumerate() {
            for arrival in 0..self.arrivals[self.kinds[slot] as usize][to as usize].len() {
                let (c, d) = self.arrivals[self.kinds[slot] as usize][to as usize][arrival];
                let (behind, _) = self.map.behind[c as usize][d as usize];
                // The player ends where the box was; the place they pushed from was free.
                if all.has(c) || all.has(behind) || behind == c || !reached.has(c) {
                    continue;
                }
                self.boxes.remove(to);
                self.boxes.insert(c);
                let door = self.map.door[to as usize];
                if door == NONE || self.map.opens[behind as usize] == door || !self.closed().has(to) {
                    let mut origin = cells;
                    origin[slot] = c;
                    let player = self.settle(behind);
                    self.sort(&mut origin[..n]);
                    out.push(Packed::new(&origin[..n], player));
                }
                self.boxes = all;
            }
        }
        self.boxes = Set::EMPTY;
    }
}
