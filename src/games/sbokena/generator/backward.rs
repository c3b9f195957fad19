//! Every position of a room by its distance from a win, worked out backwards from all solved positions at once.
//!
//! Layer by layer: the positions from which one push leads into the layer before. A push is undone by looking for the cell the box came
//! from, the cell the player pushed from, and whether the doors were then as they had to be; the player may have come to the next push
//! from anywhere that can walk there. So the distance of a position is its proven minimum of pushes, as far as the layers are complete.

use super::super::solver::{
    map::{Map, NONE},
    pushes::Walk,
};
use crate::job::{Probe, Stop};
use rustc_hash::FxHashMap;

/// Positions by distance. A position is the boxes (sorted within their kinds) and the player's least equivalent cell.
pub struct Backward {
    distance: FxHashMap<Box<[u16]>, u16>,
    /// Every position nearer than this is in the table.
    pub complete_below: u16,
}

impl Backward {
    /// The distance of a position, if it was met.
    pub fn get(&self, state: &[u16]) -> Option<u16> {
        self.distance.get(state).copied()
    }

    /// All positions with their distances.
    pub fn iter(&self) -> impl Iterator<Item = (&[u16], u16)> {
        self.distance.iter().map(|(s, d)| (&**s, *d))
    }

    /// Explores up to this many positions.
    pub fn explore(map: &Map, kinds: &[u8], most: usize, probe: &mut Probe) -> Result<Backward, Stop> {
        let mut board = Board::new(map, kinds);
        let mut distance: FxHashMap<Box<[u16]>, u16> = FxHashMap::default();
        let mut layer: Vec<Box<[u16]>> = Vec::new();
        for goals in arrangements(&map.goals, kinds) {
            board.occupy(&goals);
            for c in 0..map.len() as u16 {
                if board.box_at[c as usize] == 0 && board.settle(c) == c {
                    let mut state = goals.clone();
                    state.push(c);
                    layer.push(state.into());
                }
            }
            board.vacate(&goals);
        }
        for state in &layer {
            distance.insert(state.clone(), 0);
        }
        let mut depth = 0u16;
        let mut origins = Vec::new();
        while !layer.is_empty() && distance.len() < most && depth < u16::MAX - 1 {
            depth += 1;
            let mut next = Vec::new();
            for state in &layer {
                probe.tick()?;
                origins.clear();
                board.origins(state, &mut origins);
                for origin in origins.drain(..) {
                    if !distance.contains_key(&origin) {
                        distance.insert(origin.clone(), depth);
                        next.push(origin);
                    }
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

/// A board with boxes on it.
pub struct Board<'a> {
    map: &'a Map,
    kinds: &'a [u8],
    /// For each kind that occurs and each cell, the pushes that end there: from where, in which direction.
    arrivals: Vec<Vec<Vec<(u16, u8)>>>,
    box_at: Vec<u16>,
    walk: Walk,
}

impl<'a> Board<'a> {
    /// An empty board for boxes of these kinds (sorted).
    pub fn new(map: &'a Map, kinds: &'a [u8]) -> Board<'a> {
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
        Board { map, kinds, arrivals, box_at: vec![0; n], walk: Walk::default() }
    }

    fn occupy(&mut self, boxes: &[u16]) {
        for c in boxes {
            self.box_at[*c as usize] = 1;
        }
    }

    fn vacate(&mut self, boxes: &[u16]) {
        for c in boxes {
            self.box_at[*c as usize] = 0;
        }
    }

    fn settle(&mut self, player: u16) -> u16 {
        let open = self.map.open_doors(&self.box_at);
        self.walk.flood(self.map, player, &self.box_at, &open);
        self.walk.least_of_part(self.map, player, &self.box_at, &open)
    }

    /// The position of these boxes (any order within a kind) with the player here, as the tables name it.
    pub fn name(&mut self, boxes: &[u16], player: u16) -> Vec<u16> {
        self.occupy(boxes);
        let player = self.settle(player);
        self.vacate(boxes);
        let mut state = boxes.to_vec();
        self.sort(&mut state);
        state.push(player);
        state
    }

    /// The cells in which the player may as well stand.
    pub fn same_part(&mut self, state: &[u16]) -> Vec<u16> {
        let n = state.len() - 1;
        self.occupy(&state[..n]);
        let open = self.map.open_doors(&self.box_at);
        self.walk.flood(self.map, state[n], &self.box_at, &open);
        let there: Vec<u16> = (0..self.map.len() as u16).filter(|c| self.walk.reached(*c)).collect();
        self.walk.flood_back(self.map, state[n], &self.box_at, &open);
        let same = there.into_iter().filter(|c| self.walk.reached(*c)).collect();
        self.vacate(&state[..n]);
        same
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
    fn origins(&mut self, state: &[u16], out: &mut Vec<Box<[u16]>>) {
        let n = state.len() - 1;
        self.occupy(&state[..n]);
        let open = self.map.open_doors(&self.box_at);
        self.walk.flood_back(self.map, state[n], &self.box_at, &open);
        let mut pulls = Vec::new();
        for (slot, &to) in state[..n].iter().enumerate() {
            for &(c, d) in &self.arrivals[self.kinds[slot] as usize][to as usize] {
                let (behind, _) = self.map.behind[c as usize][d as usize];
                // The player ends where the box was; the place they pushed from was free.
                let free = self.box_at[behind as usize] == 0 && behind != c;
                if self.box_at[c as usize] == 0 && free && self.walk.reached(c) {
                    pulls.push((slot, to, c, behind));
                }
            }
        }
        for (slot, to, c, behind) in pulls {
            self.box_at[to as usize] = 0;
            self.box_at[c as usize] = 1;
            let door = self.map.door[to as usize];
            let passable = door == NONE
                || self.map.opens[behind as usize] == door
                || self.map.open_doors(&self.box_at)[door as usize];
            if passable {
                let mut origin = state.to_vec();
                origin[slot] = c;
                origin[n] = self.settle(behind);
                self.sort(&mut origin[..n]);
                out.push(origin.into());
            }
            self.box_at[to as usize] = 1;
            self.box_at[c as usize] = 0;
        }
        self.vacate(&state[..n]);
    }
}
