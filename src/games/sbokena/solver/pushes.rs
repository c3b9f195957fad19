//! The space that is searched: positions just after a push.
//!
//! A state is the cells of the boxes (by kind, sorted within a kind, since boxes of a kind are alike) and the player's cell. In between
//! the player walks; walking changes no box and no door except by where the player stands, so what they can reach is one flood.
//!
//! For fewest **pushes** walking is free, and player cells that can reach each other are the same state: the state holds the least cell of
//! the player's strongly connected part. (With one-way floors and doors, "everything reachable" would be wrong: reachable is not
//! reachable back.) For fewest **moves** the cell is kept as it is and a step costs the walk and the push.
//!
//! In plain levels with no box to spare, **corrals** prune pushes: an area the player cannot reach, whose fence of boxes can only be
//! pushed inwards, all of those pushes being possible now, and which must be opened to win. Whatever happens first elsewhere can as
//! well happen later, so only the pushes into the corral need to be tried. This keeps the fewest pushes, not the fewest moves.

use super::{
    bounds::{Bounds, Freeze},
    map::{KINDS, Map, NONE},
};
use crate::{
    grid::Dir,
    job::Probe,
    search::packed::{Kids, Space},
};

/// What a step of the space costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// Pushes.
    Pushes,
    /// Player moves.
    Moves,
}

/// Floods of the player's walk; keeps its working memory.
#[derive(Default)]
pub struct Walk {
    stamp: Vec<u32>,
    round: u32,
    queue: Vec<u16>,
    /// Steps from the start of the last flood, where it came.
    pub steps: Vec<u16>,
    /// The last step to a cell: from where, and in which direction.
    came: Vec<(u16, u8)>,
}

impl Walk {
    /// Whether the last flood reached a cell.
    pub fn reached(&self, c: u16) -> bool {
        self.stamp[c as usize] == self.round
    }

    fn begin(&mut self, n: usize) {
        self.stamp.resize(n, 0);
        self.steps.resize(n, 0);
        self.came.resize(n, (NONE, 0));
        self.round += 1;
        self.queue.clear();
    }

    /// Marks every cell the player can walk to, nearest first.
    pub fn flood(&mut self, map: &Map, from: u16, box_at: &[u16], open: &[bool]) {
        self.begin(map.len());
        self.stamp[from as usize] = self.round;
        self.steps[from as usize] = 0;
        self.queue.push(from);
        let mut next = 0;
        while let Some(&c) = self.queue.get(next) {
            next += 1;
            for (d, (to, _)) in map.hop[c as usize].iter().enumerate() {
                let to = *to;
                if to == NONE || self.stamp[to as usize] == self.round || box_at[to as usize] > 0 {
                    continue;
                }
                let door = map.door[to as usize];
                if door != NONE && !open[door as usize] && map.opens[c as usize] != door {
                    continue;
                }
                self.stamp[to as usize] = self.round;
                self.steps[to as usize] = self.steps[c as usize] + 1;
                self.came[to as usize] = (c, d as u8);
                self.queue.push(to);
            }
        }
    }

    /// Marks every cell from which the player can walk to this one.
    pub fn flood_back(&mut self, map: &Map, to: u16, box_at: &[u16], open: &[bool]) {
        self.begin(map.len());
        self.stamp[to as usize] = self.round;
        self.queue.push(to);
        let mut next = 0;
        while let Some(&c) = self.queue.get(next) {
            next += 1;
            let door = map.door[c as usize];
            for (from, _) in map.behind[c as usize] {
                if from == NONE || self.stamp[from as usize] == self.round || box_at[from as usize] > 0 {
                    continue;
                }
                if door != NONE && !open[door as usize] && map.opens[from as usize] != door {
                    continue;
                }
                self.stamp[from as usize] = self.round;
                self.queue.push(from);
            }
        }
    }

    /// The steps of the last flood, which began at `from`, to a cell.
    pub fn line_to(&self, from: u16, to: u16) -> Vec<Dir> {
        let mut line = Vec::new();
        let mut c = to;
        while c != from && self.reached(c) {
            let (before, dir) = self.came[c as usize];
            line.push(Dir::ALL[dir as usize]);
            c = before;
        }
        line.reverse();
        line
    }

    /// The least cell of the last flood.
    pub fn least(&self) -> u16 {
        self.queue.iter().copied().min().unwrap_or(NONE)
    }

    /// The least cell from which and to which the player can walk; the last flood must have begun at `at`.
    pub fn least_of_part(&mut self, map: &Map, at: u16, box_at: &[u16], open: &[bool]) -> u16 {
        if !map.directed {
            return self.queue.iter().copied().min().unwrap_or(at);
        }
        // Backwards from here, staying within what was reached: what is met can walk here.
        let reached = self.round;
        self.round += 1;
        let mut least = at;
        self.queue.clear();
        self.queue.push(at);
        self.stamp[at as usize] = self.round;
        while let Some(c) = self.queue.pop() {
            least = least.min(c);
            let door = map.door[c as usize];
            for (from, _) in map.behind[c as usize] {
                if from == NONE || self.stamp[from as usize] != reached || box_at[from as usize] > 0 {
                    continue;
                }
                if door != NONE && !open[door as usize] && map.opens[from as usize] != door {
                    continue;
                }
                self.stamp[from as usize] = self.round;
                self.queue.push(from);
            }
        }
        least
    }
}

/// The space of pushes of one level.
pub struct Pushes<'a> {
    map: &'a Map,
    bounds: Bounds,
    count: Count,
    /// The kind of the box in each slot.
    kinds: Vec<u8>,
    /// Boxes that no goal needs.
    spare: usize,
    dead: [Vec<bool>; KINDS],
    freeze: Freeze,
    frozen: Vec<u16>,
    walk: Walk,
    box_at: Vec<u16>,
    open: Vec<bool>,
    /// Whether corrals may prune.
    corrals: bool,
    corral: super::corral::Corral,
    /// The board's number of each cell, for heat maps.
    place: Vec<u32>,
}

impl<'a> Pushes<'a> {
    /// The space for boxes of these kinds (sorted).
    pub fn new(map: &'a Map, kinds: Vec<u8>, count: Count) -> Pushes<'a> {
        Pushes::with_ways(map, kinds, count, true)
    }

    /// The same with cheaper, weaker bounds: for a look at a position rather than a search.
    pub fn light(map: &'a Map, kinds: Vec<u8>) -> Pushes<'a> {
        Pushes::with_ways(map, kinds, Count::Pushes, map.len() <= 120)
    }

    fn with_ways(map: &'a Map, kinds: Vec<u8>, count: Count, exact_ways: bool) -> Pushes<'a> {
        let mut used = [false; KINDS];
        for k in &kinds {
            used[*k as usize] = true;
        }
        let bounds = Bounds::new(map, &used, exact_ways);
        let n = map.len();
        let spare = kinds.len().saturating_sub(map.goals.len());
        let dead = std::array::from_fn(|k| {
            if used[k] { (0..n as u16).map(|c| bounds.is_dead(map, k, c)).collect() } else { Vec::new() }
        });
        let corrals = count == Count::Pushes && map.plain && spare == 0 && used == [true, false, false, false, false];
        let size = map.number.size();
        Pushes {
            bounds,
            count,
            kinds,
            spare,
            dead,
            freeze: Freeze::default(),
            frozen: Vec::new(),
            walk: Walk::default(),
            box_at: vec![0; n],
            open: vec![false; map.buttons.len()],
            corrals,
            corral: Default::default(),
            place: map.cells.iter().map(|c| size.index(*c) as u32).collect(),
            map,
        }
    }

    /// Bytes of its tables.
    pub fn bytes(map: &Map, kinds: &[u8]) -> usize {
        let mut used = [false; KINDS];
        for k in kinds {
            used[*k as usize] = true;
        }
        Bounds::bytes(map, &used)
    }

    /// Whether a cell is dead for a kind of box that occurs.
    pub fn is_dead(&self, kind: usize, c: u16) -> bool {
        self.dead[kind].get(c as usize).copied().unwrap_or(false)
    }

    /// The fewest pushes that would take some box, not one of those on `done`, to a goal, were it alone.
    pub fn nearest(&self, state: &[u16], goal: usize, done: &[u16]) -> u32 {
        let n = state.len() - 1;
        let far = |(slot, c): (usize, &u16)| self.bounds.lone(self.kinds[slot] as usize, goal, *c, state[n]);
        let boxes = state[..n].iter().enumerate().filter(|(_, c)| !done.contains(c));
        boxes.map(far).min().unwrap_or(0).min(1000)
    }

    /// The packed state of these boxes (sorted by kind and cell) with the player here.
    pub fn pack(&mut self, boxes: &[(usize, u16)], player: u16) -> Vec<u16> {
        let mut state: Vec<u16> = boxes.iter().map(|b| b.1).collect();
        state.push(player);
        self.occupy(&state);
        let last = state.len() - 1;
        state[last] = self.settle(player);
        self.vacate(&state);
        state
    }

    fn occupy(&mut self, state: &[u16]) {
        let n = state.len() - 1;
        for (slot, &c) in state[..n].iter().enumerate() {
            self.box_at[c as usize] = slot as u16 + 1;
        }
        self.read_doors();
    }

    fn vacate(&mut self, state: &[u16]) {
        let n = state.len() - 1;
        for &c in &state[..n] {
            self.box_at[c as usize] = 0;
        }
    }

    fn read_doors(&mut self) {
        for (i, open) in self.open.iter_mut().enumerate() {
            let held = |c: &u16| self.box_at[*c as usize] > 0;
            *open = self.map.buttons[i].iter().any(held) || self.map.doors[i].iter().any(held);
        }
    }

    /// The player's cell as the state holds it.
    fn settle(&mut self, player: u16) -> u16 {
        match self.count {
            Count::Moves => player,
            Count::Pushes => {
                self.walk.flood(self.map, player, &self.box_at, &self.open);
                self.walk.least_of_part(self.map, player, &self.box_at, &self.open)
            }
        }
    }

    fn is_frozen_lost(&mut self, boxes: &[u16], slot: usize) -> bool {
        let dead = &self.dead;
        let tight = self.spare == 0;
        let frozen = self
            .freeze
            .frozen_with(self.map, slot, boxes, &self.kinds, &self.box_at, |k, c| tight && dead[k][c as usize]);
        let off = frozen.iter().filter(|s| !self.map.is_goal[boxes[**s as usize] as usize]).count();
        off > self.spare
    }

    /// Whether the box on `at` may be pushed in direction `d` now; gives where it goes. The player must have been flooded.
    fn target(&self, kind: usize, at: u16, d: usize) -> Option<(u16, u16)> {
        let (behind, _) = self.map.behind[at as usize][d];
        let to = self.map.push[kind][at as usize][d];
        if behind == NONE || to == NONE || to == behind || to == at || self.box_at[to as usize] > 0 {
            return None;
        }
        if !self.walk.reached(behind) {
            return None;
        }
        let door = self.map.door[to as usize];
        if door != NONE && !self.open[door as usize] && self.map.opens[behind as usize] != door {
            return None;
        }
        Some((to, behind))
    }
}

/// A step of the space as one number: the box's cell and the direction it is pushed in.
pub fn step_name(at: u16, d: usize) -> u32 {
    u32::from(at) * 4 + d as u32
}

impl Space for Pushes<'_> {
    fn expand(&mut self, state: &[u16], kids: &mut Kids) {
        let n = state.len() - 1;
        self.occupy(state);
        self.walk.flood(self.map, state[n], &self.box_at, &self.open);
        let mut found: Vec<(usize, usize, u16, u32)> = Vec::new();
        for (slot, &at) in state[..n].iter().enumerate() {
            let kind = self.kinds[slot] as usize;
            for d in 0..4 {
                if let Some((to, behind)) = self.target(kind, at, d) {
                    let cost = match self.count {
                        Count::Pushes => 1,
                        Count::Moves => u32::from(self.walk.steps[behind as usize]) + 1,
                    };
                    found.push((slot, d, to, cost));
                }
            }
        }
        if self.corrals && found.len() > 1 {
            let walk = &self.walk;
            let only = self.corral.prune(self.map, &state[..n], &self.box_at, &self.dead[0], |c| walk.reached(c));
            if let Some(fence) = only {
                found.retain(|(slot, ..)| fence[*slot]);
            }
        }
        let mut kid = state.to_vec();
        for (slot, d, to, cost) in found {
            let at = state[slot];
            let kind = self.kinds[slot] as usize;
            if self.spare == 0 && self.dead[kind][to as usize] {
                continue;
            }
            self.box_at[at as usize] = 0;
            self.box_at[to as usize] = slot as u16 + 1;
            kid[slot] = to;
            if !self.is_frozen_lost(&kid[..n], slot) {
                if !self.open.is_empty() {
                    self.read_doors();
                }
                kid[n] = self.settle(at);
                // Sorted within the kind: one box is out of place.
                let mut i = slot;
                while i > 0 && self.kinds[i - 1] == self.kinds[i] && kid[i - 1] > kid[i] {
                    kid.swap(i - 1, i);
                    i -= 1;
                }
                while i + 1 < n && self.kinds[i + 1] == self.kinds[i] && kid[i + 1] < kid[i] {
                    kid.swap(i, i + 1);
                    i += 1;
                }
                kids.push(&kid, cost, step_name(at, d));
                kid.copy_from_slice(state);
            }
            kid[slot] = at;
            self.box_at[to as usize] = 0;
            self.box_at[at as usize] = slot as u16 + 1;
        }
        self.vacate(state);
    }

    fn estimate(&mut self, state: &[u16]) -> Option<u32> {
        let n = state.len() - 1;
        for (slot, &c) in state[..n].iter().enumerate() {
            self.box_at[c as usize] = slot as u16 + 1;
        }
        let (dead, tight) = (&self.dead, self.spare == 0);
        let hopeless = |k: usize, c: u16| tight && dead[k][c as usize];
        self.freeze.all_frozen(self.map, &state[..n], &self.kinds, &self.box_at, hopeless, &mut self.frozen);
        self.vacate(state);
        self.bounds.least_pushes(self.map, &state[..n], &self.kinds, state[n], &self.frozen)
    }

    fn is_goal(&self, state: &[u16]) -> bool {
        let n = state.len() - 1;
        let covered = state[..n].iter().filter(|c| self.map.is_goal[**c as usize]).count();
        covered == self.map.goals.len()
    }

    fn visited(&self, state: &[u16], probe: &mut Probe) {
        if probe.heat.is_some() {
            for c in state {
                probe.visit(self.place[*c as usize] as usize);
            }
        }
    }
}
