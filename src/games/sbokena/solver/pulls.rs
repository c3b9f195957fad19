//! The search backwards: from all goals covered, pulling boxes to where they start. Plain levels without spare boxes only.
//!
//! Where the goals are cramped, it is hard to see from the front in which order to fill them, and easy from the back: what is pulled
//! out first was put in last. A pull is a push undone, so a line of pulls to the starting boxes, with the player where they can walk
//! to from the start, read backwards is a solution. A position holds the boxes and the least cell the player can reach. The lower bound
//! matches starting cells to boxes by the pushes between them with no other box on the board.

use super::{
    map::{Map, NONE},
    pushes::{Walk, step_name},
};
use crate::search::{
    assignment::{Assignment, FORBIDDEN},
    packed::{Kids, Space},
};
use std::collections::VecDeque;

/// The space of pulls of one level.
pub struct Pulls<'a> {
    map: &'a Map,
    /// The boxes at the start, sorted, and the player's least cell among them.
    wanted: Vec<u16>,
    /// For each starting box and cell, the pushes from the one to the other.
    far: Vec<u32>,
    walk: Walk,
    box_at: Vec<u16>,
    assignment: Assignment,
}

impl<'a> Pulls<'a> {
    /// The space that leads back to these boxes and this player; `boxes` is sorted.
    pub fn new(map: &'a Map, boxes: &[u16], player: u16) -> Pulls<'a> {
        let n = map.len();
        let mut far = vec![FORBIDDEN; boxes.len() * n];
        for (i, start) in boxes.iter().enumerate() {
            let far = &mut far[i * n..(i + 1) * n];
            far[*start as usize] = 0;
            let mut queue = VecDeque::from([*start]);
            while let Some(c) = queue.pop_front() {
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
            map,
            wanted: boxes.to_vec(),
            far,
            walk: Walk::default(),
            box_at: vec![0; n],
            assignment: Assignment::default(),
        };
        space.occupy(boxes);
        let player = space.least(player);
        space.vacate(boxes);
        space.wanted.push(player);
        space
    }

    /// All ways the end can look: the boxes on the goals, and the player in any part of the floor that is left.
    pub fn starts(&mut self) -> Vec<Vec<u16>> {
        let goals = self.map.goals.clone();
        self.occupy(&goals);
        let mut starts: Vec<Vec<u16>> = Vec::new();
        for c in 0..self.map.len() as u16 {
            if self.box_at[c as usize] == 0 && self.least(c) == c {
                let mut state = goals.clone();
                state.push(c);
                starts.push(state);
            }
        }
        self.vacate(&goals);
        starts
    }

    /// The pushes of a line of pulls.
    pub fn pushes(steps: &[u32]) -> Vec<u32> {
        steps.iter().rev().copied().collect()
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
        self.walk.flood(self.map, player, &self.box_at, &[]);
        self.walk.least()
    }
}

impl Space for Pulls<'_> {
    fn expand(&mut self, state: &[u16], kids: &mut Kids) {
        let n = state.len() - 1;
        self.occupy(&state[..n]);
        self.walk.flood(self.map, state[n], &self.box_at, &[]);
        let mut found = Vec::new();
        for (slot, &at) in state[..n].iter().enumerate() {
            for d in 0..4 {
                let near = self.map.hop[at as usize][d].0;
                if near == NONE || !self.walk.reached(near) {
                    continue;
                }
                let back = self.map.hop[near as usize][d].0;
                if back != NONE && self.box_at[back as usize] == 0 {
                    found.push((slot, d, near, back));
                }
            }
        }
        let mut kid = state.to_vec();
        for (slot, d, near, back) in found {
            self.box_at[state[slot] as usize] = 0;
            self.box_at[near as usize] = 1;
            kid.copy_from_slice(state);
            kid[slot] = near;
            kid[n] = self.least(back);
            kid[..n].sort_unstable();
            // Undone it is a push of the box from `near` the other way.
            kids.push(&kid, 1, step_name(near, (d + 2) % 4));
            self.box_at[near as usize] = 0;
            self.box_at[state[slot] as usize] = 1;
        }
        self.vacate(&state[..n]);
    }

    fn estimate(&mut self, state: &[u16]) -> Option<u32> {
        let (n, cells) = (state.len() - 1, self.map.len());
        let far = &self.far;
        self.assignment.cheapest(n, n, |i, b| far[i * cells + state[b] as usize])
    }

    fn is_goal(&self, state: &[u16]) -> bool {
        state == self.wanted
    }
}
