//! What tells progress in a position: the features by which the search over macro moves sorts positions.
//!
//! - **level**: the furthest step of the plan of which all cells are filled;
//! - **astray**: boxes that the next step of the plan will cut off from all goals that are left;
//! - **regions**: parts into which boxes cut the floor;
//! - **contacts**: pairs of boxes side by side; it orders moves and does not tell cells apart;
//! - **blocked**: boxes in the way of the next one to be placed (`opening.rs`);
//! - **links**: passages between rooms (open areas that hold a block of two by three cells) with a box in them.

use super::{
    bounds::Base,
    macros::By,
    map::{Map, NONE},
    plan::{self, Task},
};
use crate::job::{Probe, Stop};

/// The features of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// Steps of the plan that are done.
    pub level: u8,
    /// Boxes that stand where the next step will cut them off.
    pub astray: u8,
    /// Parts of the free floor.
    pub regions: u8,
    /// Passages with a box in them.
    pub links: u8,
    /// Pairs of neighbouring boxes, of which neither stands where the plan has it: each is in the way of the other.
    pub contacts: u8,
    /// Boxes in the way of the next one to be placed.
    pub blocked: u8,
}

impl Features {
    /// One number, higher for positions nearer to the end.
    pub fn rank(self) -> u64 {
        let less = |n: u8| u8::MAX - n;
        let parts = [
            self.level,
            less(self.astray),
            less(self.blocked),
            less(self.regions),
            less(self.links),
            less(self.contacts),
        ];
        parts.into_iter().fold(0, |rank, part| rank << 8 | u64::from(part))
    }

    /// The same with differences among bad positions left out.
    pub fn cell(self) -> u64 {
        let (astray, regions, links) = (self.astray.min(4), self.regions.min(9), self.links.min(4));
        Features { level: self.level, astray, blocked: self.blocked.min(6), regions, links, contacts: 0 }.rank()
    }
}

/// The most steps of a plan that are distinguished.
const MOST_LEVELS: usize = 127;

/// The plan and the rooms, by cell.
pub struct Guide {
    /// What the plan is for.
    pub task: Task,
    /// The steps (as bits) that want a box here.
    pub within: Vec<u128>,
    /// The steps after which a box here is astray.
    pub cut_off: Vec<u128>,
    /// The passage that the cell is in, from 1; 0 for none.
    pub link: Vec<u8>,
    /// For each step, how many boxes it wants.
    pub wants: Vec<u16>,
    /// The cells of each step.
    pub sets: Vec<Vec<u16>>,
}

impl Guide {
    /// Makes a plan for boxes moved in this way, with a wide search for it if need be, and looks for the level's rooms.
    pub fn new(base: &Base, by: By, wide: bool, probe: &mut Probe) -> Result<Guide, Stop> {
        let task = Task::new(base, by);
        let map = &base.position.map;
        let mut sets = plan::plan(base, &task, wide, probe)?;
        while sets.len() > MOST_LEVELS {
            let last = sets.len() - 1;
            let mut i = 0;
            sets.retain(|_| {
                i += 1;
                i % 2 == 1 || i > last
            });
        }
        let n = map.len();
        let (mut within, mut cut_off) = (vec![0u128; n], vec![0u128; n]);
        for (level, set) in sets.iter().enumerate() {
            for c in set {
                within[*c as usize] |= 1 << level;
            }
        }
        for level in 0..sets.len().saturating_sub(1) {
            let later = !0u128 << (level + 1) & ((1u128 << sets.len()) - 1);
            let walls: Vec<bool> = (0..n).map(|c| task.wanted[c] && within[c] & later == later).collect();
            let reaches = reaches_wanted(map, &task, &walls, probe)?;
            for c in (0..n).filter(|c| !walls[*c] && !reaches[*c]) {
                cut_off[c] |= 1 << level;
            }
        }
        let wants = sets.iter().map(|s| s.len() as u16).collect();
        Ok(Guide { task, within, cut_off, link: links(map), wants, sets })
    }

    /// The steps of which nothing is missing and of which one cell is, as bits.
    pub fn filled(&self, boxes: &[u16]) -> (u128, u128) {
        let mut missing = self.wants.clone();
        for c in boxes {
            let mut steps = self.within[*c as usize];
            while steps != 0 {
                missing[steps.trailing_zeros() as usize] -= 1;
                steps &= steps - 1;
            }
        }
        let with = |k: u16| missing.iter().enumerate().filter(|m| *m.1 == k).fold(0u128, |a, m| a | 1 << m.0);
        (with(0), with(1))
    }

    /// The boxes astray when `level` steps are done.
    pub fn astray(&self, level: u8, boxes: impl Iterator<Item = u16>) -> u8 {
        let bit = 1u128 << level;
        boxes.filter(|c| self.cut_off[*c as usize] & bit != 0 && self.within[*c as usize] & bit == 0).count().min(250)
            as u8
    }
}

/// The cells from which a lone box can be moved to a wanted cell that is no wall, were the player everywhere.
fn reaches_wanted(map: &Map, task: &Task, walls: &[bool], probe: &mut Probe) -> Result<Vec<bool>, Stop> {
    let mut reaches: Vec<bool> = (0..map.len()).map(|c| task.wanted[c] && !walls[c]).collect();
    let mut stack: Vec<u16> = (0..map.len() as u16).filter(|c| reaches[*c as usize]).collect();
    let free = |c: u16| !walls[c as usize];
    while let Some(to) = stack.pop() {
        probe.step()?;
        for d in 0..4 {
            let Some((from, stand)) = task.by.before(map, to, d) else { continue };
            if free(from) && free(stand) && !reaches[from as usize] {
                reaches[from as usize] = true;
                stack.push(from);
            }
        }
    }
    Ok(reaches)
}

/// The passages between rooms: for each cell its number, or 0.
fn links(map: &Map) -> Vec<u8> {
    let n = map.len();
    let next = |c: usize, d: usize| map.hop[c][d].0;
    let mut room = vec![false; n];
    for c in 0..n {
        for d in 0..2 {
            // A block of two by three: along d two steps, and the same beside it.
            let e = if d == 0 { 1 } else { 2 };
            let mut block = Vec::with_capacity(6);
            let mut at = c as u16;
            for _ in 0..3 {
                if at == NONE {
                    break;
                }
                block.push(at);
                let beside = next(at as usize, e);
                if beside != NONE {
                    block.push(beside);
                }
                at = next(at as usize, d);
            }
            if block.len() == 6 {
                block.into_iter().for_each(|b| room[b as usize] = true);
            }
        }
    }
    let mut part = vec![0u16; n];
    let mut parts = 0;
    let mut stack = Vec::new();
    for c in 0..n {
        if part[c] == 0 {
            parts += 1;
            part[c] = parts;
            stack.push(c);
            while let Some(x) = stack.pop() {
                for d in 0..4 {
                    let to = next(x, d);
                    if to != NONE && part[to as usize] == 0 && room[to as usize] == room[c] {
                        part[to as usize] = parts;
                        stack.push(to as usize);
                    }
                }
            }
        }
    }
    let mut link = vec![0u8; n];
    let mut count = 0u8;
    for p in 1..=parts {
        let cells: Vec<usize> = (0..n).filter(|c| part[*c] == p).collect();
        if cells.iter().any(|c| room[*c]) {
            continue;
        }
        let mut rooms: Vec<u16> = cells
            .iter()
            .flat_map(|c| (0..4).map(move |d| next(*c, d)))
            .filter(|to| *to != NONE && room[*to as usize])
            .map(|to| part[to as usize])
            .collect();
        rooms.sort_unstable();
        rooms.dedup();
        if rooms.len() > 1 && count < u8::MAX {
            count += 1;
            cells.into_iter().for_each(|c| link[c] = count);
        }
    }
    link
}
