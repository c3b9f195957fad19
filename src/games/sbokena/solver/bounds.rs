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
//! square need not be counted as a way out either. A position's frozen boxes are as good as walls, so its distances are taken from
//! tables with those walls: a box set down in the mouth of a goal room shows at once. Tables are kept for the sets met so far.

use super::map::{KINDS, Map, NONE};
use crate::search::assignment::{Assignment, FORBIDDEN};
use rustc_hash::FxHashMap;
use std::rc::Rc;

const FAR: u16 = u16::MAX;

/// Boards with more cells than this do without [`Bounds::ways`]: its table would be too large.
const MOST_CELLS_FOR_WAYS: usize = 1500;

/// Boards with more cells than this share one table of ways among all sets of frozen boxes.
const MOST_CELLS_FOR_OWN_WAYS: usize = 200;

/// Tables for other sets of frozen boxes are thrown away when they reach this many bytes together.
const MOST_CACHED_BYTES: usize = 48 << 20;

/// Distances on a board with some cells shut off by boxes that will never move.
struct Tables {
    /// For each box cell and player cell: a bit for each direction in which the player could push, were this the only box. Empty: all.
    ways: Rc<[u8]>,
    /// For each kind that occurs, then goal, cell, direction of the first push: pushes to the goal.
    far: [Vec<u16>; KINDS],
    cells: usize,
}

impl Tables {
    fn new(map: &Map, kinds: &[bool; KINDS], shut: &[bool], ways: Rc<[u8]>) -> Tables {
        let mut tables = Tables { ways, far: std::array::from_fn(|_| Vec::new()), cells: map.len() };
        for kind in (0..KINDS).filter(|k| kinds[*k]) {
            tables.far[kind] = tables.distances(map, kind, shut);
        }
        tables
    }

    fn bytes(&self) -> usize {
        self.ways.len() + self.far.iter().map(|f| f.len() * 2).sum::<usize>()
    }

    /// The directions in which a lone box could be pushed by a player who stands here, as bits.
    fn ways(&self, at: u16, player: u16) -> u8 {
        if self.ways.is_empty() { 15 } else { self.ways[at as usize * self.cells + player as usize] }
    }

    fn distances(&self, map: &Map, kind: usize, shut: &[bool]) -> Vec<u16> {
        let n = self.cells;
        let mut arrivals: Vec<Vec<(u16, u8)>> = vec![Vec::new(); n];
        let free = |c: u16| c != NONE && !shut[c as usize];
        for c in (0..n as u16).filter(|c| free(*c)) {
            for d in 0..4 {
                let (to, (behind, _)) = (map.push[kind][c as usize][d], map.behind[c as usize][d]);
                // The player's own cell and the box's own cell are occupied: nothing lands there.
                if free(to) && free(behind) && to != behind && to != c {
                    arrivals[to as usize].push((c, d as u8));
                }
            }
        }
        let mut far = vec![FAR; map.goals.len() * n * 4];
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
}

/// What is known of a level without searching.
pub struct Bounds {
    kinds: [bool; KINDS],
    base: Rc<Tables>,
    /// Tables with these boxes (by cell, sorted) as walls.
    cache: FxHashMap<Vec<u16>, Rc<Tables>>,
    cached_bytes: usize,
    assignment: Assignment,
    table: Vec<u32>,
    shut: Vec<bool>,
}

impl Bounds {
    /// Bytes that the tables of a level would need.
    pub fn bytes(map: &Map, kinds: &[bool; KINDS]) -> usize {
        let n = map.len();
        let ways = if n <= MOST_CELLS_FOR_WAYS { n * n } else { 0 };
        ways + kinds.iter().filter(|k| **k).count() * map.goals.len() * n * 8
    }

    /// Works out the tables for the kinds of box that occur. Without `exact_ways` the player's side of a box does not count: cheaper
    /// and weaker.
    pub fn new(map: &Map, kinds: &[bool; KINDS], exact_ways: bool) -> Bounds {
        let n = map.len();
        let shut = vec![false; n];
        let ways = if exact_ways && n <= MOST_CELLS_FOR_WAYS { ways(map, &shut) } else { Vec::new() };
        let base = Rc::new(Tables::new(map, kinds, &shut, ways.into()));
        Bounds {
            kinds: *kinds,
            base,
            cache: FxHashMap::default(),
            cached_bytes: 0,
            assignment: Assignment::default(),
            table: Vec::new(),
            shut,
        }
    }

    /// Whether a box of this kind can never reach any goal from here, wherever the player is.
    pub fn is_dead(&self, map: &Map, kind: usize, at: u16) -> bool {
        !map.is_goal[at as usize] && (0..map.goals.len()).all(|g| self.base.pushes(kind, g, at, 15) == FAR)
    }

    /// The pushes that take a box of this kind from a cell to a goal, were it alone.
    pub fn lone(&self, kind: usize, goal: usize, at: u16, player: u16) -> u32 {
        u32::from(self.base.pushes(kind, goal, at, self.base.ways(at, player)))
    }

    /// The tables with these cells as walls.
    fn tables(&mut self, map: &Map, frozen: &[u16]) -> Rc<Tables> {
        if frozen.is_empty() {
            return self.base.clone();
        }
        if let Some(known) = self.cache.get(frozen) {
            return known.clone();
        }
        for c in frozen {
            self.shut[*c as usize] = true;
        }
        let own = !self.base.ways.is_empty() && map.len() <= MOST_CELLS_FOR_OWN_WAYS;
        let ways = if own { ways(map, &self.shut).into() } else { self.base.ways.clone() };
        let tables = Rc::new(Tables::new(map, &self.kinds, &self.shut, ways));
        for c in frozen {
            self.shut[*c as usize] = false;
        }
        self.cached_bytes += tables.bytes();
        if self.cached_bytes > MOST_CACHED_BYTES {
            self.cache.clear();
            self.cached_bytes = tables.bytes();
        }
        self.cache.insert(frozen.to_vec(), tables.clone());
        tables
    }

    /// A lower bound on the pushes to a win, or nothing if there is none to be had. `frozen` are the cells, sorted, of boxes that will
    /// never move.
    pub fn least_pushes(
        &mut self,
        map: &Map,
        boxes: &[u16],
        kind_of: &[u8],
        player: u16,
        frozen: &[u16],
    ) -> Option<u32> {
        let tables = self.tables(map, frozen);
        let goals = map.goals.len();
        let mut table = std::mem::take(&mut self.table);
        table.clear();
        for (slot, &at) in boxes.iter().enumerate() {
            let ways = tables.ways(at, player);
            let kind = kind_of[slot] as usize;
            let stays = !frozen.is_empty() && frozen.binary_search(&at).is_ok();
            for g in 0..goals {
                table.push(if map.goals[g] == at {
                    0
                } else if stays {
                    FORBIDDEN
                } else {
                    match tables.pushes(kind, g, at, ways) {
                        FAR => FORBIDDEN,
                        pushes => u32::from(pushes),
                    }
                });
            }
        }
        let least = self.assignment.cheapest(goals, boxes.len(), |g, b| table[b * goals + g]);
        self.table = table;
        least
    }
}

/// For each box cell and player cell, the directions in which the player could push: for each cell behind the box, everyone who can
/// walk there past the box, with all doors open.
fn ways(map: &Map, shut: &[bool]) -> Vec<u8> {
    let n = map.len();
    let mut ways = vec![0u8; n * n];
    let mut stack = Vec::new();
    let mut seen = vec![0u32; n];
    let mut round = 0u32;
    for at in (0..n as u16).filter(|c| !shut[*c as usize]) {
        let row = &mut ways[at as usize * n..(at as usize + 1) * n];
        for d in 0..4usize {
            let (stand, _) = map.behind[at as usize][d];
            if stand == NONE || stand == at || shut[stand as usize] {
                continue;
            }
            round += 1;
            seen[stand as usize] = round;
            stack.push(stand);
            while let Some(c) = stack.pop() {
                row[c as usize] |= 1 << d;
                for (from, _) in map.behind[c as usize] {
                    if from != NONE && from != at && !shut[from as usize] && seen[from as usize] != round {
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
    /// The cells, sorted, of all boxes that can never move again.
    pub fn all_frozen(
        &mut self,
        map: &Map,
        boxes: &[u16],
        kind_of: &[u8],
        box_at: &[u16],
        dead: impl Fn(usize, u16) -> bool,
        frozen: &mut Vec<u16>,
    ) {
        self.set.clear();
        self.set.extend(0..boxes.len() as u16);
        self.inside.clear();
        self.inside.resize(boxes.len(), true);
        self.settle(map, boxes, kind_of, box_at, dead, None);
        frozen.clear();
        frozen.extend(self.set.iter().map(|s| boxes[*s as usize]));
        frozen.sort_unstable();
    }

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
        self.settle(map, boxes, kind_of, box_at, dead, Some(slot));
        &self.set
    }

    /// Takes away from the set what can move, until nothing changes; gives up with an empty set once `wanted` can.
    fn settle(
        &mut self,
        map: &Map,
        boxes: &[u16],
        kind_of: &[u8],
        box_at: &[u16],
        dead: impl Fn(usize, u16) -> bool,
        wanted: Option<usize>,
    ) {
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
            if wanted.is_some_and(|w| !self.inside[w]) {
                self.set.clear();
                return;
            }
            if self.set.len() == before {
                return;
            }
        }
    }
}
