//! Corrals that are proven lost, and the sets of boxes learned from them. Plain levels without spare boxes only.
//!
//! Take a region the player cannot reach and the boxes on its rim. All other boxes are taken off the board, which only helps; and a box that can be pushed
//! to a cell that is neither in the region nor was on its rim is taken off too, which helps again. If a small search then shows that the boxes that are
//! left can neither be taken off nor all stand on goals, no line can win, whatever else is on the board: without spare boxes each of them
//! must come to a goal. Where the search is cut short nothing is concluded.
//!
//! A set of boxes found in this way, with the part of the floor in which the player was, is kept: any position that has boxes on all its cells and the player in that part
//! is lost as well.

use super::{
    bounds::{Base, Freeze},
    map::{Map, NONE},
    pushes::Walk,
};
use crate::job::{Probe, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

/// Positions of the small search.
const MOST_NODES: usize = 120;
/// Corrals with more boxes are not looked at.
const MOST_BOXES: usize = 14;
/// Sets kept, and answers remembered.
const MOST_SETS: usize = 20_000;
const MOST_ANSWERS: usize = 400_000;

struct Set {
    boxes: Vec<u16>,
    /// Where the player was, as bits by cell.
    player: Vec<u64>,
}

/// What is known of corrals; keeps its working memory.
#[derive(Default)]
pub struct Locks {
    sets: Vec<Set>,
    /// The sets that hold a cell.
    on: Vec<Vec<u32>>,
    /// Corrals looked at: the boxes and the least cell of the player.
    answers: FxHashMap<u64, bool>,
    walk: Walk,
    freeze: Freeze,
    box_at: Vec<u16>,
    zone: Vec<bool>,
    seen: Vec<bool>,
}

impl Locks {
    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let cells = self.box_at.len() / 8 + 80;
        (self.sets.len() * cells + self.answers.capacity() * 10) as u64
    }

    /// Whether the position holds a learned set that the box on `moved` is part of.
    pub fn holds_set(&self, moved: u16, box_at: &[u16], player: u16) -> bool {
        let Some(on) = self.on.get(moved as usize) else { return false };
        on.iter().map(|s| &self.sets[*s as usize]).any(|set| {
            set.player[player as usize / 64] >> (player % 64) & 1 == 1
                && set.boxes.iter().all(|c| box_at[*c as usize] > 0)
        })
    }

    /// Whether some region that the player cannot reach is lost. `reached` says where they can walk.
    pub fn has_lost_corral(
        &mut self,
        base: &Base,
        boxes: &[u16],
        box_at: &[u16],
        player: u16,
        reached: impl Fn(u16) -> bool,
        probe: &mut Probe,
    ) -> Result<bool, Stop> {
        let map = &base.position.map;
        let n = map.len();
        if self.box_at.len() != n {
            self.box_at.resize(n, 0);
            self.zone.resize(n, false);
            self.on.resize(n, Vec::new());
        }
        self.seen.clear();
        self.seen.resize(n, false);
        for &at in boxes {
            for (seed, _) in map.hop[at as usize] {
                if seed == NONE || box_at[seed as usize] > 0 || reached(seed) || self.seen[seed as usize] {
                    continue;
                }
                let (area, rim) = self.corral(map, box_at, seed);
                if rim.len() <= MOST_BOXES
                    && rim.iter().any(|c| !map.is_goal[*c as usize])
                    && self.is_lost(base, &area, &rim, player, probe)?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The cells of the region around `seed` and the boxes on its rim, sorted.
    fn corral(&mut self, map: &Map, box_at: &[u16], seed: u16) -> (Vec<u16>, Vec<u16>) {
        let (mut area, mut rim) = (vec![seed], Vec::new());
        self.seen[seed as usize] = true;
        let mut next = 0;
        while let Some(&c) = area.get(next) {
            next += 1;
            for (to, _) in map.hop[c as usize] {
                if to == NONE {
                } else if box_at[to as usize] > 0 {
                    rim.push(to);
                } else if !self.seen[to as usize] {
                    self.seen[to as usize] = true;
                    area.push(to);
                }
            }
        }
        rim.sort_unstable();
        rim.dedup();
        (area, rim)
    }

    fn occupy(&mut self, boxes: &[u16], with: bool) {
        for (slot, c) in boxes.iter().enumerate() {
            self.box_at[*c as usize] = if with { slot as u16 + 1 } else { 0 };
        }
    }

    fn is_lost(
        &mut self,
        base: &Base,
        area: &[u16],
        rim: &[u16],
        player: u16,
        probe: &mut Probe,
    ) -> Result<bool, Stop> {
        let map = &base.position.map;
        self.occupy(rim, true);
        self.walk.flood(map, player, &self.box_at, &[]);
        self.occupy(rim, false);
        let key = hash(rim, self.walk.least());
        if let Some(known) = self.answers.get(&key) {
            return Ok(*known);
        }
        let mut part = vec![0u64; map.len().div_ceil(64)];
        for c in (0..map.len()).filter(|c| self.walk.reached(*c as u16)) {
            part[c / 64] |= 1 << (c % 64);
        }
        for c in area.iter().chain(rim) {
            self.zone[*c as usize] = true;
        }
        let lost = self.search(base, rim, player, probe);
        for c in area.iter().chain(rim) {
            self.zone[*c as usize] = false;
        }
        let lost = lost?;
        if self.answers.len() >= MOST_ANSWERS {
            self.answers.clear();
        }
        self.answers.insert(key, lost);
        if lost && self.sets.len() < MOST_SETS {
            for c in rim {
                self.on[*c as usize].push(self.sets.len() as u32);
            }
            self.sets.push(Set { boxes: rim.to_vec(), player: part });
        }
        Ok(lost)
    }

    /// Whether these boxes, alone on the board, can neither leave the zone nor all come to goals.
    fn search(&mut self, base: &Base, rim: &[u16], player: u16, probe: &mut Probe) -> Result<bool, Stop> {
        let map = &base.position.map;
        let mut known = FxHashSet::default();
        let mut stack = vec![(rim.to_vec(), player)];
        let mut looked_at = 0;
        while let Some((mut boxes, mut player)) = stack.pop() {
            looked_at += 1;
            if looked_at > MOST_NODES {
                return Ok(false);
            }
            // Take off what can leave, as long as something can.
            loop {
                probe.step()?;
                self.occupy(&boxes, true);
                self.walk.flood(map, player, &self.box_at, &[]);
                let mut leaves = None;
                'boxes: for (slot, &at) in boxes.iter().enumerate() {
                    for d in 0..4 {
                        let (behind, to) = (map.behind[at as usize][d].0, map.push[0][at as usize][d]);
                        if behind == NONE || to == NONE || base.dead[0][to as usize] || self.box_at[to as usize] > 0 {
                            continue;
                        }
                        if self.walk.reached(behind) && !self.zone[to as usize] {
                            leaves = Some(slot);
                            break 'boxes;
                        }
                    }
                }
                self.occupy(&boxes, false);
                let Some(slot) = leaves else { break };
                player = boxes.swap_remove(slot);
            }
            if boxes.iter().all(|c| map.is_goal[*c as usize]) {
                return Ok(false);
            }
            boxes.sort_unstable();
            if !known.insert(hash(&boxes, self.walk.least())) {
                continue;
            }
            self.occupy(&boxes, true);
            self.walk.flood(map, player, &self.box_at, &[]);
            for slot in 0..boxes.len() {
                let at = boxes[slot];
                for d in 0..4 {
                    let (behind, to) = (map.behind[at as usize][d].0, map.push[0][at as usize][d]);
                    if behind == NONE
                        || to == NONE
                        || base.dead[0][to as usize]
                        || self.box_at[to as usize] > 0
                        || !self.walk.reached(behind)
                    {
                        continue;
                    }
                    let mut kid = boxes.clone();
                    kid[slot] = to;
                    self.box_at[at as usize] = 0;
                    self.box_at[to as usize] = slot as u16 + 1;
                    let frozen = self.freeze.frozen_with(base, slot, &kid, &self.box_at, probe)?;
                    let stuck = frozen.iter().any(|s| !map.is_goal[kid[*s as usize] as usize]);
                    self.box_at[to as usize] = 0;
                    self.box_at[at as usize] = slot as u16 + 1;
                    if !stuck {
                        stack.push((kid, at));
                    }
                }
            }
            self.occupy(&boxes, false);
        }
        Ok(true)
    }
}

fn hash(boxes: &[u16], player: u16) -> u64 {
    super::features::hash_of(boxes, player)
}
