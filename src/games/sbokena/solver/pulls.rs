//! The search backwards: from all goals covered, pulling boxes to where they start. Plain levels without spare boxes only.
//!
//! Where the goals are cramped, it is hard to see from the front in which order to fill them, and easy from the back: what is pulled
//! out first was put in last. A pull is a push undone, so a line of pulls to the starting boxes, with the player where they can walk
//! to from the start, read backwards is a solution. A position holds the boxes and the least cell the player can reach. The lower bound
//! matches starting cells to boxes by the pushes between them with no other box on the board.

use super::{
    bounds::{Base, Share},
    map::NONE,
    pushes::{Walk, look_at_clock, step_name},
};
use crate::{
    job::{Probe, Stop},
    search::{
        assignment::{Assignment, FORBIDDEN},
        best_first::{Space, Successors, claim},
    },
};
use std::{collections::VecDeque, sync::Arc};

/// The space of pulls of one level.
pub struct Pulls {
    base: Share,
    /// The boxes at the start, sorted, and the player's least cell among them.
    pub wanted: Vec<u16>,
    /// For each starting box and cell, the pushes from the one to the other.
    pub far: Vec<u32>,
    walk: Walk,
    box_at: Vec<u16>,
    assignment: Assignment,
}

impl Pulls {
    /// The space that leads back to where the level begins.
    pub fn new(base: Arc<Base>, probe: &mut Probe) -> Result<Pulls, Stop> {
        let map = &base.position.map;
        let boxes: Vec<u16> = base.position.boxes.iter().map(|b| b.1).collect();
        let n = map.len();
        claim(boxes.len() * n * 4, probe)?;
        let mut far = vec![FORBIDDEN; boxes.len() * n];
        for (start, far) in boxes.iter().zip(far.chunks_exact_mut(n)) {
            far[*start as usize] = 0;
            let mut queue = VecDeque::from([*start]);
            while let Some(c) = queue.pop_front() {
                probe.step()?;
                for d in 0..4 {
                    let (to, (behind, _)) = (map.push[0][c as usize][d], map.behind[c as usize][d]);
                    if to != NONE && behind != NONE && far[to as usize] == FORBIDDEN {
                        far[to as usize] = far[c as usize] + 1;
                        queue.push_back(to);
                    }
                }
            }
        }
        let mut space = Pulls {
            wanted: boxes.clone(),
            far,
            walk: Walk::default(),
            box_at: vec![0; n],
            assignment: Assignment::default(),
            base: Share::new(base),
        };
        space.occupy(&boxes);
        let player = space.least(space.base.position.player);
        space.vacate(&boxes);
        space.wanted.push(player);
        Ok(space)
    }

    /// All ways the end can look: the boxes on the goals, and the player in any part of the floor that is left.
    pub fn starts(&mut self, probe: &mut Probe) -> Result<Vec<Vec<u16>>, Stop> {
        let goals = self.base.position.map.goals.clone();
        self.occupy(&goals);
        let mut starts: Vec<Vec<u16>> = Vec::new();
        let mut seen: Vec<bool> = self.box_at.iter().map(|b| *b > 0).collect();
        for c in 0..seen.len() {
            if seen[c] {
                continue;
            }
            let mut state = goals.clone();
            state.push(self.least(c as u16));
            claim(state.len() * 2, probe)?;
            starts.push(state);
            for (x, seen) in seen.iter_mut().enumerate() {
                *seen |= self.walk.reached(x as u16);
            }
            probe.step()?;
        }
        self.vacate(&goals);
        Ok(starts)
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

    fn least(&mut self, player: u16) -> u16 {
        self.walk.flood(&self.base.position.map, player, &self.box_at, &[]);
        self.walk.least()
    }
}

impl Space for Pulls {
    type Word = u16;
    const BACKWARDS: bool = true;

    fn expand(&mut self, state: &[u16], out: &mut Successors<u16>, probe: &mut Probe) -> Result<(), Stop> {
        let n = state.len() - 1;
        self.occupy(&state[..n]);
        let map = &self.base.position.map;
        self.walk.flood(map, state[n], &self.box_at, &[]);
        let mut found = Vec::new();
        for (slot, &at) in state[..n].iter().enumerate() {
            for d in 0..4 {
                let near = map.hop[at as usize][d].0;
                if near == NONE || !self.walk.reached(near) {
                    continue;
                }
                let back = map.hop[near as usize][d].0;
                if back != NONE && self.box_at[back as usize] == 0 {
                    found.push((slot, d, near, back));
                }
            }
        }
        let mut kid = state.to_vec();
        for (slot, d, near, back) in found {
            look_at_clock(self.box_at.len(), probe)?;
            self.box_at[state[slot] as usize] = 0;
            self.box_at[near as usize] = 1;
            kid.copy_from_slice(state);
            kid[slot] = near;
            kid[n] = self.least(back);
            kid[..n].sort_unstable();
            // Undone it is a push of the box from `near` the other way.
            out.push(&kid, 1, step_name(near, (d + 2) % 4), probe)?;
            self.box_at[near as usize] = 0;
            self.box_at[state[slot] as usize] = 1;
        }
        self.vacate(&state[..n]);
        Ok(())
    }

    fn estimate(&mut self, state: &[u16], probe: &mut Probe) -> Result<Option<u32>, Stop> {
        let (n, cells) = (state.len() - 1, self.box_at.len());
        let far = &self.far;
        self.assignment.cheapest(n, n, |i, b| far[i * cells + state[b] as usize], probe)
    }

    fn is_goal(&self, state: &[u16]) -> bool {
        state == self.wanted
    }

    fn bytes(&mut self) -> u64 {
        self.base.bytes() + self.far.len() as u64 * 4
    }
}
