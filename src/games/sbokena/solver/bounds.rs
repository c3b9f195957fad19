//! What can be known of a position without searching: how many pushes it needs at least, and whether it is lost.
//!
//! **Distances.** For each kind of box and each goal: the fewest pushes that take a single box there, with no other box on the board and
//! every door open. The player counts: to push in another direction they must walk around the box. That is a search over pairs (cell,
//! direction of the next push), backwards from the goal; [`Tables::ways`] says which directions the player can get behind from where
//! they stand. Other boxes and closed doors only take ways away, so the distance never overestimates. It is infinite on dead squares.
//!
//! **Matching.** Every goal needs a box of its own and every push moves one box, so the cheapest assignment of goals to boxes is a lower
//! bound. Boxes may be left over. Where there are too many goals for that, or too little memory for a table a goal, the pushes to the *nearest*
//! goal are summed instead, over the boxes that have the least of them. One push changes one box's distances by at most one, and the player's walk only takes ways away
//! (what they can reach later they can reach now), so the bound is consistent.
//!
//! **Frozen boxes.** The greatest set of boxes of which none can be the first to move: each of its pushes lacks a place for the player or
//! for the box, or needs a cell that a box of the set stands on. Doors count as open and portals as ways. Such boxes stay for ever; if
//! those that stand off goals leave too few boxes for the goals, the position is lost. If there are no boxes to spare, a push onto a dead
//! square need not be counted as a way out either. A position's frozen boxes are as good as walls, so its distances are taken from
//! tables with those walls: a box set down in the mouth of a goal room shows at once. Tables are kept for the sets met so far; on
//! large boards, where they would take long to make, only the frozen boxes themselves are seen to stay.

use super::{
    Position,
    conflicts::{Boxes, Conflicts},
    map::{KINDS, Map, NONE},
    matching::{CellSet, Matching},
};
use crate::{
    job::{Probe, Stop},
    search::{
        assignment::{Assignment, FORBIDDEN},
        best_first::claim,
    },
};
use rustc_hash::FxHashMap;
use std::{
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

const FAR: u16 = u16::MAX;

/// Boards with more cells than this do without [`Tables::ways`]: the table grows with the square of the cells.
const MOST_CELLS_FOR_WAYS: usize = 1500;

/// Boards with more cells than this share one table of ways among all sets of frozen boxes.
const MOST_CELLS_FOR_OWN_WAYS: usize = 200;

/// More goals than this are not matched to boxes: that would take longer than it saves.
pub const MOST_MATCHED: usize = 256;

/// Sets of frozen boxes have tables of their own up to this many distances.
const MOST_OWN_DISTANCES: usize = 1 << 18;

/// Tables for sets of frozen boxes are thrown away when they reach this many bytes together, or this part of the memory limit.
const MOST_CACHED_BYTES: u64 = 48 << 20;
const CACHED_PART: u64 = 16;

/// Distances on a board with some cells shut off by boxes that will never move.
pub struct Tables {
    /// For each box cell and player cell: a bit for each direction in which the player could push, were this the only box. Empty: all.
    ways: Arc<[u8]>,
    /// For each kind that occurs, then target, cell, direction of the first push: pushes to the target.
    far: [Vec<u16>; KINDS],
    cells: usize,
    /// Each goal is a target; or, if they are not matched, all of them together are one.
    matched: bool,
}

impl Tables {
    /// The distance of a goal that cannot be reached.
    pub const FAR: u16 = FAR;

    fn new(
        map: &Map,
        used: &[bool; KINDS],
        shut: &[bool],
        ways: Arc<[u8]>,
        matched: bool,
        probe: &mut Probe,
    ) -> Result<Tables, Stop> {
        let mut tables = Tables { ways, far: std::array::from_fn(|_| Vec::new()), cells: map.len(), matched };
        for kind in (0..KINDS).filter(|k| used[*k]) {
            tables.far[kind] = tables.distances(map, kind, shut, probe)?;
        }
        Ok(tables)
    }

    fn distances_bytes(map: &Map, used: &[bool; KINDS], matched: bool) -> usize {
        let targets = if matched { map.goals.len() } else { 1 };
        used.iter().filter(|k| **k).count() * targets * map.len() * 8
    }

    fn bytes(&self) -> usize {
        self.far.iter().map(|f| f.len() * 2).sum::<usize>()
    }

    /// The directions in which a lone box could be pushed by a player who stands here, as bits.
    fn ways(&self, at: u16, player: u16) -> u8 {
        if self.ways.is_empty() { 15 } else { self.ways[at as usize * self.cells + player as usize] }
    }

    fn distances(&self, map: &Map, kind: usize, shut: &[bool], probe: &mut Probe) -> Result<Vec<u16>, Stop> {
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
        let targets = if self.matched { map.goals.len() } else { 1 };
        let mut far = vec![FAR; targets * n * 4];
        let mut queue: Vec<(u16, u8)> = Vec::new();
        for (t, table) in far.chunks_exact_mut(n * 4).enumerate() {
            let goals = if self.matched { &map.goals[t..=t] } else { &map.goals[..] };
            queue.clear();
            for &(c, d) in goals.iter().flat_map(|g| &arrivals[*g as usize]) {
                table[c as usize * 4 + d as usize] = 1;
                queue.push((c, d));
            }
            let mut next = 0;
            while let Some(&(c, d)) = queue.get(next) {
                probe.step()?;
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
        Ok(far)
    }

    /// For each kind, cell and direction of the first push, the goals that a lone box can come to. Only where each goal is a target.
    fn goals_in_reach(&self, goals: usize) -> Arc<[CellSet]> {
        let mut reach = vec![CellSet::EMPTY; KINDS * self.cells * 4];
        for (kind, far) in self.far.iter().enumerate().filter(|f| !f.1.is_empty()) {
            let sets = &mut reach[kind * self.cells * 4..(kind + 1) * self.cells * 4];
            for goal in 0..goals {
                let far = &far[goal * self.cells * 4..(goal + 1) * self.cells * 4];
                for (set, far) in sets.iter_mut().zip(far) {
                    if *far != FAR {
                        set.insert(goal);
                    }
                }
            }
        }
        reach.into()
    }

    /// Pushes from a cell to a target for a box of this kind, given the directions the player can push in.
    fn pushes(&self, kind: usize, target: usize, at: u16, ways: u8) -> u16 {
        let i = (target * self.cells + at as usize) * 4;
        let far = &self.far[kind][i..i + 4];
        (0..4).filter(|d| ways & (1 << d) != 0).map(|d| far[d]).min().unwrap_or(FAR)
    }

    /// Pushes from a cell to a goal for a plain box, as matching counts them. Only where each goal is a target.
    pub fn alone(&self, map: &Map, goal: usize, at: u16, player: u16) -> u16 {
        if map.goals[goal] == at { 0 } else { self.pushes(0, goal, at, self.ways(at, player)) }
    }
}

/// What is known of a level and its boxes before any search, made once and shared by all searches.
pub struct Base {
    /// Where they begin.
    pub position: Position,
    /// The kind of the box in each slot, sorted.
    pub kinds: Vec<u8>,
    /// The kinds that occur.
    pub used: [bool; KINDS],
    /// Boxes that no goal needs.
    pub spare: usize,
    /// Whether a cell is dead for a kind: a box of this kind can never reach any goal from here, wherever the player is.
    pub dead: [Vec<bool>; KINDS],
    tables: Arc<Tables>,
    bytes: u64,
    /// Whether some search counts these bytes as its own.
    counted: AtomicBool,
}

/// How good the tables should be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// For a search: as good as the limits allow.
    Search,
    /// For a look at a position: the player's side of a box counts on small boards only.
    Look,
    /// Enough to know dead cells.
    Dead,
}

impl Base {
    /// Bytes of the distances that matching needs.
    pub fn matching_bytes(position: &Position) -> usize {
        Tables::distances_bytes(&position.map, &used(&position.boxes), true)
    }

    /// Works out the tables, or weaker ones where the memory limit says so.
    pub fn new(position: Position, detail: Detail, probe: &mut Probe) -> Result<Base, Stop> {
        let before = probe.progress.memory;
        let map = &position.map;
        claim(Map::most_bytes(map.number.size()), probe)?;
        let (n, goals) = (map.len(), map.goals.len());
        let used = used(&position.boxes);
        let shut = vec![false; n];
        let most_cells = if detail == Detail::Look { 120 } else { MOST_CELLS_FOR_WAYS };
        // The searches need most of the memory, so a table may have a part of it only.
        let ways = if n <= most_cells && probe.allow(4 * (n * n) as u64).is_ok() {
            claim(n * n, probe)?;
            ways(map, &shut, probe)?
        } else {
            Vec::new()
        };
        let matching = Tables::distances_bytes(map, &used, true) + goals * position.boxes.len() * 4;
        let matched = detail != Detail::Dead && goals <= MOST_MATCHED && probe.allow(4 * matching as u64).is_ok();
        claim(Tables::distances_bytes(map, &used, matched), probe)?;
        let tables = Tables::new(map, &used, &shut, ways.into(), matched, probe)?;
        let targets = if matched { goals } else { 1 };
        let is_dead = |kind: usize, c: u16| {
            !map.is_goal[c as usize] && (0..targets).all(|t| tables.pushes(kind, t, c, 15) == FAR)
        };
        let mut dead: [Vec<bool>; KINDS] = Default::default();
        for kind in (0..KINDS).filter(|k| used[*k]) {
            for c in 0..n as u16 {
                probe.step()?;
                dead[kind].push(is_dead(kind, c));
            }
        }
        let kinds: Vec<u8> = position.boxes.iter().map(|b| b.0 as u8).collect();
        let spare = kinds.len().saturating_sub(goals);
        let bytes = probe.progress.memory - before;
        Ok(Base {
            kinds,
            used,
            spare,
            dead,
            tables: Arc::new(tables),
            bytes,
            counted: AtomicBool::new(false),
            position,
        })
    }

    /// Whether this is plain Sokoban with no box to spare: some arguments hold only there.
    pub fn is_plain(&self) -> bool {
        self.position.map.plain && self.spare == 0 && self.used == [true, false, false, false, false]
    }

    /// Whether each goal has distances of its own.
    pub fn is_matched(&self) -> bool {
        self.tables.matched
    }

    /// Where the box in a slot could be pushed, and from where, if nothing else were on the board. A push onto a dead cell does not count if
    /// no box can be spared.
    fn ways_out(&self, boxes: &[u16], slot: usize) -> impl Iterator<Item = (u16, u16)> {
        let (map, at, kind) = (&self.position.map, boxes[slot], self.kinds[slot] as usize);
        (0..4).map(move |d| (map.push[kind][at as usize][d], map.behind[at as usize][d].0)).filter(
            move |&(to, behind)| {
                let leads_on = to != NONE && behind != NONE && to != behind && to != at;
                leads_on && !(self.spare == 0 && self.dead[kind][to as usize])
            },
        )
    }

    /// The pushes that take a box of this kind from a cell to a goal, were it alone. Only where goals are matched.
    pub fn lone(&self, kind: usize, goal: usize, at: u16, player: u16) -> u32 {
        u32::from(self.tables.pushes(kind, goal, at, self.tables.ways(at, player)))
    }
}

fn used(boxes: &[(usize, u16)]) -> [bool; KINDS] {
    std::array::from_fn(|kind| boxes.iter().any(|b| b.0 == kind))
}

/// A search's share in the tables. One of those that share them counts their bytes.
pub struct Share {
    base: Arc<Base>,
    counts: bool,
}

impl Share {
    /// Another share.
    pub fn new(base: Arc<Base>) -> Share {
        Share { base, counts: false }
    }

    /// The tables, on their own.
    pub fn tables(&self) -> Arc<Base> {
        self.base.clone()
    }

    /// The bytes of the tables, if no other search counts them.
    pub fn bytes(&mut self) -> u64 {
        self.counts = self.counts || !self.base.counted.swap(true, Ordering::Relaxed);
        if self.counts { self.base.bytes } else { 0 }
    }
}

impl Deref for Share {
    type Target = Base;

    fn deref(&self) -> &Base {
        &self.base
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if self.counts {
            self.base.counted.store(false, Ordering::Relaxed);
        }
    }
}

/// Lower bounds; keeps tables for sets of frozen boxes, and its working memory.
#[derive(Default)]
pub struct Bounds {
    /// Tables with these boxes (by cell, sorted) as walls.
    cache: FxHashMap<Vec<u16>, Arc<Tables>>,
    cached_bytes: u64,
    assignment: Assignment,
    table: Vec<u32>,
    shut: Vec<bool>,
    /// For the same sets: the goals in reach, for each kind, cell and direction of the first push.
    reach: FxHashMap<Vec<u16>, Arc<[CellSet]>>,
    reach_bytes: u64,
    matching: Matching,
    conflicts: Conflicts,
}

impl Bounds {
    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        self.cached_bytes + self.reach_bytes + self.table.capacity() as u64 * 4 + self.conflicts.bytes()
    }

    /// The tables with these cells as walls, or those without any walls where it would take too much to make them.
    fn tables(&mut self, base: &Base, frozen: &[u16], probe: &mut Probe) -> Result<Arc<Tables>, Stop> {
        let map = &base.position.map;
        if frozen.is_empty() || base.tables.bytes() > 2 * MOST_OWN_DISTANCES {
            return Ok(base.tables.clone());
        }
        if let Some(known) = self.cache.get(frozen) {
            return Ok(known.clone());
        }
        let own_ways = !base.tables.ways.is_empty() && map.len() <= MOST_CELLS_FOR_OWN_WAYS;
        let bytes = (base.tables.bytes() + if own_ways { base.tables.ways.len() } else { 0 }) as u64;
        let most = probe.limits().memory.map_or(MOST_CACHED_BYTES, |m| MOST_CACHED_BYTES.min(m / CACHED_PART));
        if bytes > most {
            return Ok(base.tables.clone());
        }
        if self.cached_bytes + bytes > most {
            self.cache.clear();
            self.cached_bytes = 0;
        }
        self.shut.resize(map.len(), false);
        for c in frozen {
            self.shut[*c as usize] = true;
        }
        let ways = if own_ways { ways(map, &self.shut, probe).map(Arc::from) } else { Ok(base.tables.ways.clone()) };
        let tables = ways.and_then(|ways| Tables::new(map, &base.used, &self.shut, ways, base.tables.matched, probe));
        // Also where a limit has stopped it: a search may be taken up again.
        for c in frozen {
            self.shut[*c as usize] = false;
        }
        let tables = Arc::new(tables?);
        self.cached_bytes += bytes;
        self.cache.insert(frozen.to_vec(), tables.clone());
        Ok(tables)
    }

    /// Whether every goal could have a box of its own, as far as [`Bounds::least_pushes`] sees: the same question without the cost, and so faster.
    /// Only where goals are matched.
    pub fn can_match(
        &mut self,
        base: &Base,
        boxes: &[u16],
        player: u16,
        frozen: &[u16],
        probe: &mut Probe,
    ) -> Result<bool, Stop> {
        let tables = self.tables(base, frozen, probe)?;
        let reach = match self.reach.get(frozen) {
            Some(known) => known.clone(),
            None => {
                let bytes = (KINDS * tables.cells * 4 * size_of::<CellSet>()) as u64;
                if self.reach_bytes + bytes > MOST_CACHED_BYTES {
                    self.reach.clear();
                    self.reach_bytes = 0;
                }
                probe.allow(bytes)?;
                let made = tables.goals_in_reach(base.position.map.goals.len());
                self.reach_bytes += bytes;
                self.reach.insert(frozen.to_vec(), made.clone());
                made
            }
        };
        let goals = &base.position.map.goals;
        self.matching.sets.clear();
        for (slot, &at) in boxes.iter().enumerate() {
            let mut set = CellSet::EMPTY;
            if let Ok(goal) = goals.binary_search(&at) {
                set.insert(goal);
            }
            if frozen.binary_search(&at).is_err() {
                let ways = tables.ways(at, player);
                let i = (base.kinds[slot] as usize * tables.cells + at as usize) * 4;
                for d in (0..4).filter(|d| ways & (1 << d) != 0) {
                    set = set.or(&reach[i + d]);
                }
            }
            self.matching.sets.push(set);
        }
        self.matching.covers(goals.len(), probe)
    }

    /// A lower bound on the pushes to a win, or nothing if there is none to be had. `frozen` are the cells, sorted, of boxes that will
    /// never move.
    pub fn least_pushes(
        &mut self,
        base: &Base,
        boxes: &[u16],
        player: u16,
        frozen: &[u16],
        probe: &mut Probe,
    ) -> Result<Option<u32>, Stop> {
        let tables = self.tables(base, frozen, probe)?;
        let map = &base.position.map;
        let goals = map.goals.len();
        let targets = if tables.matched { goals } else { 1 };
        let mut table = std::mem::take(&mut self.table);
        table.clear();
        for (slot, &at) in boxes.iter().enumerate() {
            let ways = tables.ways(at, player);
            let kind = base.kinds[slot] as usize;
            let stays = !frozen.is_empty() && frozen.binary_search(&at).is_ok();
            for target in 0..targets {
                let is_there = if tables.matched { map.goals[target] == at } else { map.is_goal[at as usize] };
                table.push(if is_there {
                    0
                } else if stays {
                    FORBIDDEN
                } else {
                    match tables.pushes(kind, target, at, ways) {
                        FAR => FORBIDDEN,
                        pushes => u32::from(pushes),
                    }
                });
            }
        }
        let least = if tables.matched {
            self.assignment.cheapest(goals, boxes.len(), |g, b| table[b * goals + g], probe)?
        } else {
            table.sort_unstable();
            let nearest = &table[..goals];
            (!nearest.contains(&FORBIDDEN)).then(|| nearest.iter().sum())
        };
        self.table = table;
        Ok(least)
    }

    /// The pushes beyond [`Bounds::least_pushes`] that boxes in each other's way cost; nothing if the position is lost. Only in plain levels without
    /// spare boxes, where goals are matched. `box_at` gives slot + 1 of the box on a cell.
    pub fn waste(
        &mut self,
        base: &Base,
        boxes: &[u16],
        box_at: &[u16],
        player: u16,
        frozen: &[u16],
        probe: &mut Probe,
    ) -> Result<Option<u32>, Stop> {
        let tables = self.tables(base, frozen, probe)?;
        self.conflicts.waste(&base.position.map, &tables, Boxes { boxes, box_at, player, frozen }, probe)
    }
}

/// For each box cell and player cell, the directions in which the player could push: for each cell behind the box, everyone who can
/// walk there past the box, with all doors open.
fn ways(map: &Map, shut: &[bool], probe: &mut Probe) -> Result<Vec<u8>, Stop> {
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
            probe.step()?;
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
    Ok(ways)
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
        base: &Base,
        boxes: &[u16],
        box_at: &[u16],
        frozen: &mut Vec<u16>,
        probe: &mut Probe,
    ) -> Result<(), Stop> {
        self.set.clear();
        self.set.extend(0..boxes.len() as u16);
        self.inside.clear();
        self.inside.resize(boxes.len(), true);
        self.settle(base, boxes, box_at, None, probe)?;
        frozen.clear();
        frozen.extend(self.set.iter().map(|s| boxes[*s as usize]));
        frozen.sort_unstable();
        Ok(())
    }

    /// The slots of the boxes that are frozen together with the one in `slot`, or none if that one is not frozen. `box_at` gives the
    /// slot + 1 of the box on a cell.
    pub fn frozen_with(
        &mut self,
        base: &Base,
        slot: usize,
        boxes: &[u16],
        box_at: &[u16],
        probe: &mut Probe,
    ) -> Result<&[u16], Stop> {
        self.set.clear();
        self.inside.clear();
        self.inside.resize(boxes.len(), false);
        self.set.push(slot as u16);
        self.inside[slot] = true;
        // First everything that might hold it, and what might hold that; then take away what can move until nothing changes.
        let mut next = 0;
        while let Some(&s) = self.set.get(next) {
            next += 1;
            for (to, behind) in base.ways_out(boxes, s as usize) {
                let blockers = [box_at[to as usize], box_at[behind as usize]];
                if blockers == [0, 0] && s as usize == slot {
                    self.set.clear();
                    return Ok(&self.set);
                }
                for b in blockers.into_iter().filter(|b| *b > 0) {
                    if !self.inside[b as usize - 1] {
                        self.inside[b as usize - 1] = true;
                        self.set.push(b - 1);
                    }
                }
            }
        }
        self.settle(base, boxes, box_at, Some(slot), probe)?;
        Ok(&self.set)
    }

    /// Takes away from the set what can move, until nothing changes; gives up with an empty set once `wanted` can.
    fn settle(
        &mut self,
        base: &Base,
        boxes: &[u16],
        box_at: &[u16],
        wanted: Option<usize>,
        probe: &mut Probe,
    ) -> Result<(), Stop> {
        loop {
            probe.step()?;
            let before = self.set.len();
            let inside = &mut self.inside;
            self.set.retain(|&s| {
                let held = |c: u16| {
                    let b = box_at[c as usize];
                    b > 0 && inside[b as usize - 1]
                };
                let moves = base.ways_out(boxes, s as usize).any(|(to, behind)| !held(to) && !held(behind));
                if moves {
                    inside[s as usize] = false;
                }
                !moves
            });
            if wanted.is_some_and(|w| !self.inside[w]) {
                self.set.clear();
                return Ok(());
            }
            if self.set.len() == before {
                return Ok(());
            }
        }
    }
}
