//! What is in the way of the next box that the plan wants placed.
//!
//! For each box that is not placed yet: the fewest other boxes on a way of its own to the next wanted cell, on the cells where the player would have to stand for
//! it, and on the player's walk to the first of them. The player's walks in between are not looked at, so none in the way does not mean that the way is
//! open. The box with the fewest is the one to be placed, and those in its way are to be moved out of it first.

use super::{
    guide::Guide,
    macros::By,
    map::{Map, NONE},
};
use std::collections::VecDeque;

/// What a placed box in the way counts.
const PLACED: u16 = 4;
const FAR: u16 = u16::MAX;

/// The way of the next box; keeps its working memory.
#[derive(Default)]
pub struct Opening {
    /// Boxes in the way.
    pub blocked: u8,
    /// Whether a cell is on the way.
    way: Vec<bool>,
    marked: Vec<u16>,
    /// For each cell: boxes on the player's walk to it, and the cell before it.
    walk: Vec<(u16, u16)>,
    /// For each cell: boxes on the way of a box from it, and the cell after it.
    far: Vec<(u16, u16)>,
    queue: VecDeque<u16>,
}

impl Opening {
    /// Whether a box moved from the one cell to the other leaves the way.
    pub fn opens(&self, from: u16, to: u16) -> bool {
        self.way[from as usize] && !self.way[to as usize]
    }

    /// Looks for it where `level` steps of the plan are done.
    pub fn look(&mut self, map: &Map, guide: &Guide, level: u8, box_at: &[u16], player: u16) {
        let n = map.len();
        self.way.resize(n, false);
        for c in self.marked.drain(..) {
            self.way[c as usize] = false;
        }
        self.blocked = 0;
        let Some(set) = guide.sets.get(level as usize + 1) else { return };
        let bit = 1u128 << (level + 1);
        let placed = |c: u16| guide.within[c as usize] & bit != 0;
        let cost = |c: u16| match box_at[c as usize] {
            0 => 0,
            _ if placed(c) => PLACED,
            _ => 1,
        };
        // The player's walk, through boxes at a cost.
        self.walk.clear();
        self.walk.resize(n, (FAR, NONE));
        self.walk[player as usize] = (0, NONE);
        self.queue.push_back(player);
        while let Some(c) = self.queue.pop_front() {
            let here = self.walk[c as usize].0;
            for (to, _) in map.hop[c as usize] {
                if to != NONE && here + cost(to) < self.walk[to as usize].0 {
                    self.walk[to as usize] = (here + cost(to), c);
                    if cost(to) == 0 { self.queue.push_front(to) } else { self.queue.push_back(to) }
                }
            }
        }
        // The box's way, backwards from where it is wanted.
        self.far.clear();
        self.far.resize(n, (FAR, NONE));
        for &c in set.iter().filter(|c| box_at[**c as usize] == 0) {
            self.far[c as usize] = (0, NONE);
            self.queue.push_back(c);
        }
        // Boxes in the way, the box, where it comes to first, and where the player begins.
        let mut best = (FAR, NONE, NONE, NONE);
        while let Some(to) = self.queue.pop_front() {
            let here = self.far[to as usize].0;
            for d in 0..4 {
                let Some((from, stand)) = By::Push.before(map, to, d) else { continue };
                if box_at[from as usize] > 0 && !placed(from) {
                    best = best.min((here.saturating_add(self.walk[stand as usize].0), from, to, stand));
                }
                let next = here + cost(from) + cost(stand);
                if next < self.far[from as usize].0 {
                    self.far[from as usize] = (next, to);
                    if next == here { self.queue.push_front(from) } else { self.queue.push_back(from) }
                }
            }
        }
        let (blocked, from, to, stand) = best;
        if from == NONE {
            return;
        }
        self.blocked = blocked.min(250) as u8;
        let mut c = stand;
        while c != NONE {
            self.marked.push(c);
            c = self.walk[c as usize].1;
        }
        let (mut at, mut to) = (from, to);
        while to != NONE {
            let stand = (0..4).filter_map(|d| By::Push.before(map, to, d)).find(|b| b.0 == at);
            self.marked.push(to);
            self.marked.extend(stand.map(|b| b.1));
            (at, to) = (to, self.far[to as usize].1);
        }
        self.marked.retain(|c| *c != from);
        for c in &self.marked {
            self.way[*c as usize] = true;
        }
    }
}
