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
    bounds::{Base, Bounds, Freeze, Share},
    corral::Corral,
    map::{Map, NONE},
};
use crate::{
    grid::Dir,
    job::{Probe, Stop},
    search::best_first::{Space, Successors},
};
use std::sync::Arc;

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
        // A flood may count two rounds.
        if self.round > u32::MAX - 2 {
            self.stamp.fill(0);
            self.round = 0;
        }
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
pub struct Pushes {
    /// The level, and what is known of it.
    pub base: Share,
    bounds: Bounds,
    count: Count,
    freeze: Freeze,
    frozen: Vec<u16>,
    walk: Walk,
    box_at: Vec<u16>,
    open: Vec<bool>,
    /// Whether corrals may prune.
    corrals: bool,
    corral: Corral,
    /// Whether pairs of boxes in each other's way are looked at.
    conflicts: bool,
}

impl Pushes {
    /// The space for the boxes of a level.
    pub fn new(base: Arc<Base>, count: Count) -> Pushes {
        let map = &base.position.map;
        Pushes {
            bounds: Bounds::default(),
            count,
            freeze: Freeze::default(),
            frozen: Vec::new(),
            walk: Walk::default(),
            box_at: vec![0; map.len()],
            open: vec![false; map.buttons.len()],
            corrals: count == Count::Pushes && base.is_plain(),
            corral: Corral::default(),
            conflicts: false,
            base: Share::new(base),
        }
    }

    /// The same with pairs of boxes in each other's way looked at, where they may be: that takes longer and is worth it in proofs.
    pub fn with_conflicts(self) -> Pushes {
        let conflicts = self.base.is_plain() && self.base.is_matched();
        Pushes { conflicts, ..self }
    }

    /// The fewest pushes that would take some box, not one of those on `done`, to a goal, were it alone.
    pub fn nearest(&self, state: &[u16], goal: usize, done: &[u16]) -> u32 {
        let n = state.len() - 1;
        let far = |(slot, c): (usize, &u16)| self.base.lone(self.base.kinds[slot] as usize, goal, *c, state[n]);
        let boxes = state[..n].iter().enumerate().filter(|(_, c)| !done.contains(c));
        boxes.map(far).min().unwrap_or(0).min(1000)
    }

    /// The position in which the level begins, packed.
    pub fn start(&mut self) -> Vec<u16> {
        self.named(self.base.position.boxes.iter().map(|b| b.1).collect(), self.base.position.player)
    }

    /// The position with these boxes, in the order of their kinds and sorted within a kind, and the player here.
    pub fn named(&mut self, mut state: Vec<u16>, player: u16) -> Vec<u16> {
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
            let map = &self.base.position.map;
            *open = map.buttons[i].iter().any(held) || map.doors[i].iter().any(held);
        }
    }

    /// The player's cell as the state holds it.
    fn settle(&mut self, player: u16) -> u16 {
        match self.count {
            Count::Moves => player,
            Count::Pushes => {
                let map = &self.base.position.map;
                self.walk.flood(map, player, &self.box_at, &self.open);
                self.walk.least_of_part(map, player, &self.box_at, &self.open)
            }
        }
    }

    fn is_frozen_lost(&mut self, boxes: &[u16], slot: usize, probe: &mut Probe) -> Result<bool, Stop> {
        let frozen = self.freeze.frozen_with(&self.base, slot, boxes, &self.box_at, probe)?;
        let is_goal = &self.base.position.map.is_goal;
        Ok(frozen.iter().filter(|s| !is_goal[boxes[**s as usize] as usize]).count() > self.base.spare)
    }

    /// A lower bound on the pushes left, or nothing if the position, whose boxes are in `box_at`, is lost.
    fn bound(&mut self, state: &[u16], most: u32, probe: &mut Probe) -> Result<Option<u32>, Stop> {
        let (boxes, player) = (&state[..state.len() - 1], state[state.len() - 1]);
        self.freeze.all_frozen(&self.base, boxes, &self.box_at, &mut self.frozen, probe)?;
        let least = self.bounds.least_pushes(&self.base, boxes, player, &self.frozen, probe)?;
        match least {
            Some(pushes) if self.conflicts && pushes <= most => {
                let waste = self.bounds.waste(&self.base, boxes, &self.box_at, player, &self.frozen, probe)?;
                Ok(waste.map(|w| pushes + w))
            }
            least => Ok(least),
        }
    }

    /// Whether the box on `at` may be pushed in direction `d` now; gives where it goes. The player must have been flooded.
    fn target(&self, kind: usize, at: u16, d: usize) -> Option<(u16, u16)> {
        let map = &self.base.position.map;
        let (behind, _) = map.behind[at as usize][d];
        let to = map.push[kind][at as usize][d];
        if behind == NONE || to == NONE || to == behind || to == at || self.box_at[to as usize] > 0 {
            return None;
        }
        if !self.walk.reached(behind) {
            return None;
        }
        let door = map.door[to as usize];
        if door != NONE && !self.open[door as usize] && map.opens[behind as usize] != door {
            return None;
        }
        Some((to, behind))
    }
}

/// To be called between floods of a board with so many cells: on a large one each takes long enough to look at the clock.
pub fn look_at_clock(cells: usize, probe: &mut Probe) -> Result<(), Stop> {
    if cells > 1000 { probe.check() } else { probe.step() }
}

/// A step of the space as one number: the box's cell and the direction it is pushed in.
pub fn step_name(at: u16, d: usize) -> u32 {
    u32::from(at) * 4 + d as u32
}

impl Space for Pushes {
    type Word = u16;
    fn expand(&mut self, state: &[u16], out: &mut Successors<u16>, probe: &mut Probe) -> Result<(), Stop> {
        let n = state.len() - 1;
        self.occupy(state);
        self.walk.flood(&self.base.position.map, state[n], &self.box_at, &self.open);
        let mut found: Vec<(usize, usize, u16, u32)> = Vec::new();
        for (slot, &at) in state[..n].iter().enumerate() {
            let kind = self.base.kinds[slot] as usize;
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
            let (map, dead) = (&self.base.position.map, &self.base.dead[0]);
            let reached = |c| walk.reached(c);
            if let Some(fence) = self.corral.prune(map, &state[..n], &self.box_at, dead, reached, probe)? {
                found.retain(|(slot, ..)| fence[*slot]);
            }
        }
        let mut kid = state.to_vec();
        for (slot, d, to, cost) in found {
            look_at_clock(self.box_at.len(), probe)?;
            let at = state[slot];
            let kind = self.base.kinds[slot] as usize;
            if self.base.spare == 0 && self.base.dead[kind][to as usize] {
                continue;
            }
            self.box_at[at as usize] = 0;
            self.box_at[to as usize] = slot as u16 + 1;
            kid[slot] = to;
            if !self.is_frozen_lost(&kid[..n], slot, probe)? {
                if !self.open.is_empty() {
                    self.read_doors();
                }
                kid[n] = self.settle(at);
                // Sorted within the kind: one box is out of place.
                let mut i = slot;
                while i > 0 && self.base.kinds[i - 1] == self.base.kinds[i] && kid[i - 1] > kid[i] {
                    kid.swap(i - 1, i);
                    i -= 1;
                }
                while i + 1 < n && self.base.kinds[i + 1] == self.base.kinds[i] && kid[i + 1] < kid[i] {
                    kid.swap(i, i + 1);
                    i += 1;
                }
                out.push(&kid, cost, step_name(at, d), probe)?;
                kid.copy_from_slice(state);
            }
            kid[slot] = at;
            self.box_at[to as usize] = 0;
            self.box_at[at as usize] = slot as u16 + 1;
        }
        self.vacate(state);
        Ok(())
    }

    fn estimate(&mut self, state: &[u16], probe: &mut Probe) -> Result<Option<u32>, Stop> {
        self.estimate_up_to(state, u32::MAX, probe)
    }

    fn estimate_up_to(&mut self, state: &[u16], most: u32, probe: &mut Probe) -> Result<Option<u32>, Stop> {
        self.occupy(state);
        let least = self.bound(state, most, probe);
        // Also where a limit has stopped it: a search may be taken up again.
        self.vacate(state);
        least
    }

    fn is_goal(&self, state: &[u16]) -> bool {
        let n = state.len() - 1;
        let covered = state[..n].iter().filter(|c| self.base.position.map.is_goal[**c as usize]).count();
        covered == self.base.position.map.goals.len()
    }

    fn visited(&self, state: &[u16], probe: &mut Probe) {
        if probe.heat.is_some() {
            let map = &self.base.position.map;
            for c in state {
                probe.visit(map.number.size().index(map.cells[*c as usize]));
            }
        }
    }

    fn bytes(&mut self) -> u64 {
        self.base.bytes() + self.bounds.bytes()
    }
}
