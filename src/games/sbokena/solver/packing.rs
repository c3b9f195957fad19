//! Filling the goals in an order that works: for `any` only, since it orders the search and drops nothing.
//!
//! **The order** is found backwards. With a box on every goal, boxes are pulled out one at a time, the others staying where they are, to
//! where a box starts or at least off all goals, and taken away; what could be taken out first is filled last. Doors count as open. Where
//! no box comes free any more the rest is put first, in any order.
//!
//! **The classes** of the search ([`Space::class`]) are how many goals at the head of that order are filled, and into how many parts boxes
//! cut the floor: progress in either is followed, in turns. Within a class what counts is the pushes to the next goal of the order,
//! then the matching bound.

use super::{
    map::{Map, NONE},
    pushes::{Pushes, Walk, look_at_clock},
};
use crate::{
    job::{Probe, Stop},
    search::best_first::{Space, Successors},
};

/// More parts than this are one class.
const MOST_PARTS: usize = 6;

/// The order is looked for in this many floods of the player's walk times cells; what is not ordered by then goes first.
const ORDER_WORK: usize = 1 << 25;

/// The space of pushes, with the goals in order.
pub struct Packing {
    /// The space of pushes.
    pub inner: Pushes,
    /// The goals, as numbers among the goals, first to fill first.
    order: Vec<usize>,
    taken: Vec<bool>,
    seen: Vec<bool>,
    stack: Vec<u16>,
}

impl Packing {
    /// The same space as `inner`, searched towards the goals in an order.
    pub fn new(inner: Pushes, probe: &mut Probe) -> Result<Packing, Stop> {
        let position = &inner.base.position;
        let starts: Vec<u16> = position.boxes.iter().map(|b| b.1).collect();
        let order = order(&position.map, &starts, probe)?;
        let taken = vec![false; position.map.len()];
        Ok(Packing { inner, order, taken, seen: Vec::new(), stack: Vec::new() })
    }

    fn map(&self) -> &Map {
        &self.inner.base.position.map
    }

    fn occupy(&mut self, state: &[u16], with: bool) {
        for c in &state[..state.len() - 1] {
            self.taken[*c as usize] = with;
        }
    }

    /// How many goals at the head of the order are filled. The boxes must be marked.
    fn filled(&self) -> usize {
        self.order.iter().take_while(|g| self.taken[self.map().goals[**g] as usize]).count()
    }

    /// Into how many parts the boxes cut the floor. The boxes must be marked.
    fn parts(&mut self) -> usize {
        let map = &self.inner.base.position.map;
        let mut parts = 0;
        self.seen.clear();
        self.seen.extend_from_slice(&self.taken);
        for c in 0..map.len() as u16 {
            if self.seen[c as usize] {
                continue;
            }
            parts += 1;
            self.seen[c as usize] = true;
            self.stack.push(c);
            while let Some(c) = self.stack.pop() {
                for (to, _) in map.hop[c as usize] {
                    if to != NONE && !self.seen[to as usize] {
                        self.seen[to as usize] = true;
                        self.stack.push(to);
                    }
                }
            }
        }
        parts
    }
}

impl Space for Packing {
    type Word = u16;
    fn expand(&mut self, state: &[u16], out: &mut Successors<u16>, probe: &mut Probe) -> Result<(), Stop> {
        self.inner.expand(state, out, probe)
    }

    fn estimate(&mut self, state: &[u16], probe: &mut Probe) -> Result<Option<u32>, Stop> {
        let Some(bound) = self.inner.estimate(state, probe)? else { return Ok(None) };
        self.occupy(state, true);
        let filled = self.filled();
        let ahead = self.order.get(filled).map_or(0, |next| {
            let done: Vec<u16> = self.order[..filled].iter().map(|g| self.map().goals[*g]).collect();
            self.inner.nearest(state, *next, &done)
        });
        self.occupy(state, false);
        Ok(Some(bound + 2 * ahead))
    }

    fn is_admissible(&self) -> bool {
        false
    }

    fn is_goal(&self, state: &[u16]) -> bool {
        self.inner.is_goal(state)
    }

    fn class(&mut self, state: &[u16]) -> usize {
        self.occupy(state, true);
        let filled = self.filled();
        let parts = self.parts().min(MOST_PARTS);
        self.occupy(state, false);
        filled * (MOST_PARTS + 1) + MOST_PARTS - parts
    }

    fn visited(&self, state: &[u16], probe: &mut Probe) {
        self.inner.visited(state, probe);
    }

    fn bytes(&mut self) -> u64 {
        self.inner.bytes()
    }
}

/// An order in which the goals can be filled, as far as it can be told by taking boxes out one at a time.
pub fn order(map: &Map, starts: &[u16], probe: &mut Probe) -> Result<Vec<usize>, Stop> {
    let n = map.len();
    let mut box_at = vec![0u16; n];
    for g in &map.goals {
        box_at[*g as usize] = 1;
    }
    let open = vec![true; map.buttons.len()];
    let mut from_start = vec![false; n];
    for c in starts.iter().filter(|c| !map.is_goal[**c as usize]) {
        from_start[*c as usize] = true;
    }
    let mut left: Vec<usize> = (0..map.goals.len()).collect();
    let mut last_first = Vec::new();
    let mut pull = Pull::new(map);
    // The player may end anywhere; where they can be only grows as boxes go.
    let mut players: Vec<u16> = (0..n as u16).filter(|c| box_at[*c as usize] == 0).collect();
    while !left.is_empty() {
        let wanted = |c: u16| from_start[c as usize];
        let off = |c: u16| !map.is_goal[c as usize];
        let mut out = None;
        'search: for test in [&wanted as &dyn Fn(u16) -> bool, &off] {
            for (i, g) in left.iter().enumerate() {
                if let Some(player) = pull.out(map.goals[*g], &players, &mut box_at, &open, test, probe)? {
                    out = Some((i, player));
                    break 'search;
                }
            }
        }
        let Some((i, player)) = out else { break };
        let g = left.remove(i);
        box_at[map.goals[g] as usize] = 0;
        pull.walk.flood_back(map, player, &box_at, &open);
        players = (0..n as u16).filter(|c| pull.walk.reached(*c)).collect();
        last_first.push(g);
    }
    left.extend(last_first.into_iter().rev());
    Ok(left)
}

/// Pulls one box about, the others standing still.
struct Pull<'a> {
    map: &'a Map,
    /// For each cell, the pushes of a plain box that end there: from where, in which direction.
    arrivals: Vec<Vec<(u16, u8)>>,
    walk: Walk,
    /// Cells flooded so far.
    work: usize,
}

impl<'a> Pull<'a> {
    fn new(map: &'a Map) -> Pull<'a> {
        let mut arrivals = vec![Vec::new(); map.len()];
        for c in 0..map.len() as u16 {
            for d in 0..4 {
                let (to, (behind, _)) = (map.push[0][c as usize][d], map.behind[c as usize][d]);
                if to != NONE && behind != NONE && to != behind && to != c {
                    arrivals[to as usize].push((c, d as u8));
                }
            }
        }
        Pull { map, arrivals, walk: Walk::default(), work: 0 }
    }

    /// Where the player ends up if the box on `goal` can be pulled to a cell that passes the test, and that is found in time.
    fn out(
        &mut self,
        goal: u16,
        players: &[u16],
        box_at: &mut [u16],
        open: &[bool],
        test: &dyn Fn(u16) -> bool,
        probe: &mut Probe,
    ) -> Result<Option<u16>, Stop> {
        let n = self.map.len();
        box_at[goal as usize] = 0;
        // Where the box is and where the player stands just after a pull; at first, anywhere they may be.
        let mut seen = vec![false; n * 4];
        let mut queue: Vec<(u16, u16)> = Vec::new();
        let mut can_stand = vec![false; n];
        for p in players {
            can_stand[*p as usize] = true;
        }
        let mut found = None;
        let mut next = 0;
        let mut at = goal;
        loop {
            for &(c, d) in &self.arrivals[at as usize] {
                let (behind, _) = self.map.behind[c as usize][d as usize];
                let free = |x: u16| box_at[x as usize] == 0 && x != at;
                if can_stand[c as usize] && free(c) && free(behind) && !seen[c as usize * 4 + d as usize] {
                    seen[c as usize * 4 + d as usize] = true;
                    queue.push((c, behind));
                }
            }
            let Some(&(c, player)) = queue.get(next).filter(|_| self.work < ORDER_WORK) else { break };
            look_at_clock(n, probe)?;
            next += 1;
            self.work += n;
            if test(c) {
                found = Some(player);
                break;
            }
            at = c;
            box_at[c as usize] = 1;
            self.walk.flood_back(self.map, player, box_at, open);
            box_at[c as usize] = 0;
            for (x, can) in can_stand.iter_mut().enumerate() {
                *can = self.walk.reached(x as u16);
            }
        }
        box_at[goal as usize] = 1;
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::level_of, *};
    use crate::job::Limits;

    #[test]
    fn a_blind_alley_of_goals_is_filled_from_its_end() {
        let level = level_of(&["#########", "#...  $ #", "#####$$@#", "#####   #", "#########"], &[]).expect("a level");
        let map = Map::new(&level);
        let boxes: Vec<u16> = level.objects_where(|o| o.is_box()).iter().map(|c| map.number[*c]).collect();
        let order = order(&map, &boxes, &mut Probe::new(Limits::default())).expect("no limit");
        let cells: Vec<u16> = order.into_iter().map(|g| map.goals[g]).collect();
        assert_eq!(cells, [0, 1, 2], "cells are numbered row by row");
    }

    #[test]
    fn goals_that_no_box_can_be_taken_from_are_in_the_order_all_the_same() {
        let level = level_of(&["######", "#*#@$#", "### .#", "#   ##", "######"], &[]).expect("a level");
        let map = Map::new(&level);
        let mut order = order(&map, &[], &mut Probe::new(Limits::default())).expect("no limit");
        order.sort_unstable();
        assert_eq!(order, [0, 1]);
    }
}
