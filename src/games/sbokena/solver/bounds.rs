//! What can be known of a position without searching: how many pushes it needs at least, and whether it is lost.
//!
//! **Distances.** For each kind of box and each goal: the fewest pushes that take a single box there, with no other box on the board and
//! every door open. The player counts: to push in another direction they must walk around the box. That is a search over pairs (cell,
//! direction of the next push), backwards from the goal; [`Bounds::ways`] says which directions the player can get behind from where
//! they stand. Other boxes and closed doors only take ways away, so the distance never overestimates. It is infinite on dead squares.
//!
//! **Matching.** Every goal needs a box of its own and every push moves one box, so the cheapest assignment of goals to boxes is a lower
//! bound. Boxes may be left over. One push changes one box's distances by at most one, and the player's walk only takes ways away
//! (what they can reach later they can reach now), so the bound is consistent.
//!
//! **Frozen boxes.** The greatest set of boxes of which none can be the first to move: each of its pushes lacks a place for the player or
//! for the box, or needs a cell that a box of the set stands on. Doors count as open and portals as ways. Such boxes stay for ever; if
//! those that stand off goals leave too few boxes for the goals, the position is lost. If there are no boxes to spare, a push onto a dead
//! square need not be counted as a way out either.

use super::map::{KINDS, Map, NONE};
use crate::search::assignment::{Assignment, FORBIDDEN};

const FAR: u16 = u16::MAX;

/// Boards with more cells than this do without [`Bounds::ways`]: its table would be too large.
const MOST_CELLS_FOR_WAYS: usize = 1500;

/// Tables of a level.
pub struct Bounds {
    /// For each box cell and player cell: a bit for each direction in which the player could push, were this the only box.
    ways: Vec<u8>,
    /// For each kind that occurs, then goal, cell, direction of the first push: pushes to the goal.
    far: [Vec<u16>; KINDS],
    goals: usize,
    cells: usize,
    assignment: Assignment,
    table: Vec<u32>,
}

impl Bounds {
    /// Bytes that the tables of a level would need.
    pub fn bytes(map: &Map, kinds: &[bool; KINDS]) -> usize {
        let n = map.len();
        let ways = if n <= MOST_CELLS_FOR_WAYS { n * n } else { 0 };
        ways + kinds.iter().filter(|k| **k).count() * map.goals.len() * n * 8
    }

    /// Works out the tables for the kinds of box that occur.
    pub fn new(map: &Map, kinds: &[bool; KINDS]) -> Bounds {
        let n = map.len();
        let ways = if n <= MOST_CELLS_FOR_WAYS { ways(map) } else { Vec::new() };
        let mut bounds = Bounds {
            ways,
            far: std::array::from_fn(|_| Vec::new()),
            goals: map.goals.len(),
            cells: n,
            assignment: Assignment::default(),
            table: Vec::new(),
        };
        for kind in (0..KINDS).filter(|k| kinds[*k]) {
            bounds.far[kind] = bounds.distances(map, kind);
        }
        bounds
    }

    /// The directions in which a lone box could be pushed by a player who stands here, as bits.
    fn ways(&self, at: u16, player: u16) -> u8 {
        if self.ways.is_empty() { 15 } else { self.ways[at as usize * self.cells + player as usize] }
    }

    fn distances(&self, map: &Map, kind: usize) -> Vec<u16> {
        let n = self.cells;
        let mut arrivals: Vec<Vec<(u16, u8)>> = vec![Vec::new(); n];
        for c in 0..n {
            for d in 0..4 {
                let (to, (behind, _)) = (map.push[kind][c][d], map.behind[c][d]);
                // The player's own cell and the box's own cell are occupied: nothing lands there.
                if to != NONE && behind != NONE && to != behind && to != c as u16 {
                    arrivals[to as usize].push((c as u16, d as u8));
                }
            }
        }
        let mut far = vec![FAR; self.goals * n * 4];
        let mut queue: Vec<(u16, u8)> = Vec::new();
        for (g, goal) in map.goals.iter().enumerate() {
            let table = &mut far[g * n * 4..(g + 1) * n * 4];
            queue.clear();
            for &(c, d) in &arrivals[*goal as usize] {
                table[c as usize * 4 + d as usize] = 1;
                queue.push((c, d));
            }
            let mut next = 0;
            while let Some(&(c, d)) = queue.get(next) {
                next += 1;
                let here = table[c as usize * 4 + d as usize];
                for &(c0, d0) in &arrivals[c as usize] {
                    let entry = &mut table[c0 as usize * 4 + d0 as usize];
                    if *entry == FAR && self.ways(c, c0) & (1 << d) != 0 {
                        *entry = here.saturating_add(1).min(FAR - 1);
                        queue.push((c0, d0));
                    }
                }
            }
        }
        far
    }

    /// Pushes from a cell to a goal for a box of this kind, given the directions the player can push in.
    fn pushes(&self, kind: usize, goal: usize, at: u16, ways: u8) -> u16 {
        let i = (goal * self.cells + at as usize) * 4;
        let far = &self.far[kind][i..i + 4];
        (0..4).filter(|d| ways & (1 << d) != 0).map(|d| far[d]).min().unwrap_or(FAR)
    }

    /// Whether a box of this kind can never reach any goal from here, wherever the player is.
    pub fn is_dead(&self, map: &Map, kind: usize, at: u16) -> bool {
        !map.is_goal[at as usize] && (0..self.goals).all(|g| self.pushes(kind, g, at, 15) == FAR)
    }

    /// A lower bound on the pushes to a win, or nothing if there is none to be had.
    pub fn least_pushes(&mut self, map: &Map, boxes: &[u16], kind_of: &[u8], player: u16) -> Option<u32> {
        let (goals, n) = (self.goals, boxes.len());
        let mut table = std::mem::take(&mut self.table);
        table.clear();
        for (slot, &at) in boxes.iter().enumerate() {
            let ways = self.ways(at, player);
            let kind = kind_of[slot] as usize;
            for g in 0..goals {
                table.push(if map.goals[g] == at {
                    0
                } else {
                    match self.pushes(kind, g, at, ways) {
                        FAR => FORBIDDEN,
                        pushes => u32::from(pushes),
                    }
                });
            }
        }
        let least = self.assignment.cheapest(goals, n, |g, b| table[b * goals + g]);
        self.table = table;
        least
    }
}

/// For each box cell and player cell, the directions in which the player could push: for each cell behind the box, everyone who can
/// walk there past the box, with all doors open.
fn ways(map: &Map) -> Vec<u8> {
    let n = map.len();
    let mut ways = vec![0u8; n * n];
    let mut stack = Vec::new();
    let mut seen = vec![0u32; n];
    let mut round = 0u32;
    for at in 0..n as u16 {
        let row = &mut ways[at as usize * n..(at as usize + 1) * n];
        for d in 0..4usize {
            let (stand, _) = map.behind[at as usize][d];
            if stand == NONE || stand == at {
                continue;
            }
            round += 1;
            seen[stand as usize] = round;
            stack.push(stand);
            while let Some(c) = stack.pop() {
                row[c as usize] |= 1 << d;
                for (from, _) in map.behind[c as usize] {
                    if from != NONE && from != at && seen[from as usize] != round {
                        seen[from as usize] = round;
                        stack.push(from);
                    }
                }
            }
        }
    }
    ways
}

/// Finds frozen boxes; keeps its working memory.
#[derive(Default)]
pub struct Freeze {
    set: Vec<u16>,
    inside: Vec<bool>,
}

impl Freeze {
    /// The slots of the boxes that are frozen together with the one in `slot`, or none if that one is not frozen. `box_at` gives the
    /// slot + 1 of the box on a cell. `dead` says which cells are as good as wall for a kind.
    pub fn frozen_with(
        &mut self,
        map: &Map,
        slot: usize,
        boxes: &[u16],
        kind_of: &[u8],
        box_at: &[u16],
        dead: impl Fn(usize, u16) -> bool,
    ) -> &[u16] {
        self.set.clear();
        self.inside.clear();
        self.inside.resize(boxes.len(), false);
        self.set.push(slot as u16);
        self.inside[slot] = true;
        // First everything that might hold it, and what might hold that; then take away what can move until nothing changes.
        let mut next = 0;
        while let Some(&s) = self.set.get(next) {
            next += 1;
            let (at, kind) = (boxes[s as usize], kind_of[s as usize] as usize);
            for d in 0..4 {
                let (to, (behind, _)) = (map.push[kind][at as usize][d], map.behind[at as usize][d]);
                if to == NONE || behind == NONE || to == behind || to == at || dead(kind, to) {
                    continue;
                }
                let blockers = [box_at[to as usize], box_at[behind as usize]];
                if blockers == [0, 0] {
                    if s as usize == slot {
                        self.set.clear();
                        return &self.set;
                    }
                    continue;
                }
                for b in blockers.into_iter().filter(|b| *b > 0) {
                    if !self.inside[b as usize - 1] {
                        self.inside[b as usize - 1] = true;
                        self.set.push(b - 1);
                    }
                }
            }
        }
        loop {
            let before = self.set.len();
            let inside = &mut self.inside;
            self.set.retain(|&s| {
                let (at, kind) = (boxes[s as usize], kind_of[s as usize] as usize);
                let moves = (0..4).any(|d| {
                    let (to, (behind, _)) = (map.push[kind][at as usize][d], map.behind[at as usize][d]);
                    let held = |c: u16| {
                        let b = box_at[c as usize];
                        b > 0 && inside[b as usize - 1]
                    };
                    to != NONE
                        && behind != NONE
                        && to != behind
                        && to != at
                        && !dead(kind, to)
                        && !held(to)
                        && !held(behind)
                });
                if moves {
                    inside[s as usize] = false;
                }
                !moves
            });
            if !self.inside[slot] {
                self.set.clear();
                return &self.set;
            }
            if self.set.len() == before {
                return &self.set;
            }
        }
    }
}
