//! Corrals: areas shut off by boxes that can only be opened by pushing inwards.
//!
//! Take a part of the board the player cannot reach, and the boxes on its rim (the fence), together with every box that only its other
//! boxes touch. If no box of the fence can be pushed out of the area or along it now — every push the board would allow ends inside — and
//! all the pushes that end inside and are not hopeless are possible now, and some box inside or on the fence is not on a goal, then a
//! solution must at some time push one of these boxes inwards. Until then nothing inside changes, and pushes elsewhere neither
//! need nor hinder that push: it can be made first. So no other push need be tried in this position.

use super::map::{Map, NONE};
use crate::job::{Probe, Stop};

/// Working memory of the search for corrals.
#[derive(Default)]
pub struct Corral {
    area: Vec<u32>,
    round: u32,
    stack: Vec<u16>,
    fence: Vec<bool>,
    best: Vec<bool>,
}

impl Corral {
    /// The boxes to which pushes can be confined, if a corral allows it: the smallest such fence. Plain levels only.
    pub fn prune(
        &mut self,
        map: &Map,
        boxes: &[u16],
        box_at: &[u16],
        dead: &[bool],
        reached: impl Fn(u16) -> bool,
        probe: &mut Probe,
    ) -> Result<Option<&[bool]>, Stop> {
        let n = map.len();
        self.area.resize(n, 0);
        if self.round > u32::MAX - n as u32 {
            self.area.fill(0);
            self.round = 0;
        }
        let first = self.round + 1;
        let mut best: Option<usize> = None;
        for &at in boxes {
            for d in 0..4 {
                let (seed, _) = map.hop[at as usize][d];
                if seed == NONE || box_at[seed as usize] > 0 || reached(seed) || self.area[seed as usize] >= first {
                    continue;
                }
                probe.step()?;
                self.round += 1;
                if let Some(size) = self.examine(map, boxes, box_at, dead, &reached, seed)
                    && best.is_none_or(|b| size < b)
                {
                    best = Some(size);
                    self.best.clear();
                    self.best.extend_from_slice(&self.fence);
                }
            }
        }
        Ok(best.map(|_| self.best.as_slice()))
    }

    /// Looks at the corral around a cell: how many pushes lead into it if it confines the search.
    fn examine(
        &mut self,
        map: &Map,
        boxes: &[u16],
        box_at: &[u16],
        dead: &[bool],
        reached: &impl Fn(u16) -> bool,
        seed: u16,
    ) -> Option<usize> {
        let round = self.round;
        self.fence.clear();
        self.fence.resize(boxes.len(), false);
        // The area: cells the player cannot reach, and the boxes met on the way, through which it goes on. So boxes deep inside and
        // areas joined by a box are one corral.
        self.stack.clear();
        self.stack.push(seed);
        self.area[seed as usize] = round;
        let mut unsolved = false;
        while let Some(c) = self.stack.pop() {
            let here = box_at[c as usize];
            if here > 0 {
                self.fence[here as usize - 1] = true;
                unsolved |= !map.is_goal[c as usize];
            }
            for (to, _) in map.hop[c as usize] {
                if to != NONE && self.area[to as usize] != round && !reached(to) {
                    self.area[to as usize] = round;
                    self.stack.push(to);
                }
            }
        }
        if !unsolved {
            return None;
        }
        let mut inwards = 0;
        for (slot, &at) in boxes.iter().enumerate() {
            if !self.fence[slot] {
                continue;
            }
            for d in 0..4 {
                let (behind, _) = map.behind[at as usize][d];
                let to = map.push[0][at as usize][d];
                if behind == NONE || to == NONE || dead[to as usize] {
                    continue;
                }
                let from_outside = self.area[behind as usize] != round;
                let into = self.area[to as usize] == round;
                match (from_outside, into) {
                    // Nobody can stand inside before a push inwards has opened it.
                    (false, _) => (),
                    // A push from outside that ends outside: not shut.
                    (true, false) => return None,
                    (true, true) => {
                        if box_at[to as usize] > 0 {
                            // Blocked by a box of the corral itself: it becomes possible only after a push into the corral.
                            continue;
                        }
                        inwards += 1;
                    }
                }
            }
        }
        // None at all: the corral can never be opened, and an empty list of pushes says so.
        Some(inwards)
    }
}
