//! Macro moves: one box pushed any number of times while all others stand.
//!
//! Where walking works both ways, which sides of a box the player can get to while it is on its way is a matter of *blocks* (biconnected
//! parts) of the free floor: with the box taken off the board, two neighbours of a cell are joined past that cell exactly if the edges
//! from the cell to them lie in one block. So a state of the box is a cell and the block the player is in, and the number of blocks that meet in a cell
//! tells into how many regions the floor falls with the box there.
//!
//! The blocks are found once for a position, with all its boxes on the board (Tarjan and Hopcroft). Taking one box off adds its cell to the floor, and all
//! blocks between its neighbours become one: those on the way from one neighbour to the other in the tree of blocks.
//! With doors or one-way floors every push is followed by a flood instead.
//!
//! Pulls, which are pushes undone, work the same way; they need a board on which walking works both ways.

use super::{
    map::{Map, NONE},
    pushes::Walk,
};

/// A box brought to a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Carried {
    /// Where it is now.
    pub to: u16,
    /// Where the player stands: beside it.
    pub player: u16,
    /// Pushes or pulls made.
    pub steps: u16,
    /// Into how many parts the floor around it falls with the box there, counting those that the box alone keeps apart.
    pub parts: u8,
}

/// Which way a box is moved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Pushing.
    Push,
    /// Pulling.
    Pull,
}

impl By {
    /// What undoes it.
    pub fn undone(self) -> By {
        match self {
            By::Push => By::Pull,
            By::Pull => By::Push,
        }
    }

    /// For a plain box that comes to a cell in this direction: where it comes from, and the cell besides that the player needs free for it.
    pub fn before(self, map: &Map, to: u16, d: usize) -> Option<(u16, u16)> {
        let (from, press) = map.behind[to as usize][d];
        let behind = map.behind.get(from as usize)?[press as usize].0;
        // Who pushed stood behind it, who pulled is ahead of it now.
        let stand = match self {
            By::Push => behind,
            By::Pull => map.hop[to as usize][d].0,
        };
        (stand != NONE).then_some((from, stand))
    }
}

/// Finds macro moves; keeps its working memory.
#[derive(Default)]
pub struct Macros {
    /// For each cell of the free floor: when it was first come to in the walk over the floor, from 1.
    number: Vec<u32>,
    low: Vec<u32>,
    /// The cell that the walk over its part of the floor began with.
    root: Vec<u16>,
    /// The block in which a cell was come to; 0 for a cell that the walk began with. An edge lies in the block of that end which was come to later.
    up: Vec<u32>,
    /// For each block: the cell from which it was entered.
    top: Vec<u16>,
    frames: Vec<(u16, u8, u8)>,
    path: Vec<u16>,
    /// The blocks that the box at hand keeps apart: since when, and what they are together.
    joined: Vec<(u32, u32)>,
    round: u32,
    /// The cell of the box at hand, and the blocks of its edges without the box.
    at: u16,
    own: [u32; 4],
    /// For each cell and side: when it was come to.
    seen: Vec<u32>,
    /// What was come to, in order: the cell, a direction that leads to the player's side, steps, and from which entry by which direction.
    queue: Vec<(u16, u8, u16, u32, u8)>,
    walk: Walk,
    /// What the last call found, nearest first.
    pub found: Vec<Carried>,
}

const NOBODY: u32 = u32::MAX;

impl Macros {
    fn begin(&mut self, cells: usize) {
        if self.seen.len() != cells * 4 {
            self.seen.clear();
            self.seen.resize(cells * 4, 0);
        }
        if self.round == u32::MAX {
            self.seen.fill(0);
            self.joined.fill((0, 0));
            self.round = 0;
        }
        self.round += 1;
        self.queue.clear();
        self.found.clear();
    }

    /// Finds the blocks of the free floor of a position, for [`Macros::spread`].
    pub fn survey(&mut self, map: &Map, box_at: &[u16]) {
        let n = map.len();
        self.number.clear();
        self.number.resize(n, 0);
        self.low.resize(n, 0);
        self.root.resize(n, 0);
        self.up.resize(n, 0);
        self.top.clear();
        self.top.push(NONE);
        let mut time = 0;
        for c in 0..n as u16 {
            if self.number[c as usize] == 0 && box_at[c as usize] == 0 {
                self.survey_part(map, box_at, c, &mut time);
            }
        }
        // Every block has an edge by which it was entered, so there are fewer blocks than cells.
        self.joined.resize(n + 1, (0, 0));
    }

    fn enter(&mut self, c: u16, root: u16, back: u8, time: &mut u32) {
        *time += 1;
        (self.number[c as usize], self.low[c as usize]) = (*time, *time);
        (self.root[c as usize], self.up[c as usize]) = (root, 0);
        self.frames.push((c, 0, back));
        self.path.push(c);
    }

    /// Walks over the part of the floor around `root`.
    fn survey_part(&mut self, map: &Map, box_at: &[u16], root: u16, time: &mut u32) {
        self.enter(root, root, 4, time);
        while let Some(frame) = self.frames.last_mut() {
            let (c, d, back) = *frame;
            if d < 4 {
                frame.1 += 1;
                let (to, arrives) = map.hop[c as usize][d as usize];
                if d == back || to == NONE || to == c || box_at[to as usize] > 0 {
                    continue;
                }
                match self.number[to as usize] {
                    0 => self.enter(to, root, (arrives + 2) % 4, time),
                    number => self.low[c as usize] = self.low[c as usize].min(number),
                }
                continue;
            }
            self.frames.pop();
            let Some(&(above, ..)) = self.frames.last() else { break };
            let low = self.low[c as usize];
            self.low[above as usize] = self.low[above as usize].min(low);
            if low >= self.number[above as usize] {
                let block = self.top.len() as u32;
                self.top.push(above);
                while let Some(inside) = self.path.pop() {
                    self.up[inside as usize] = block;
                    if inside == c {
                        break;
                    }
                }
            }
        }
        self.path.clear();
    }

    /// Takes the box on `at` off the board: the blocks between its neighbours become one.
    fn take_off(&mut self, map: &Map, box_at: &[u16], at: u16) {
        self.at = at;
        self.own = [0; 4];
        let free = |c: u16| c != NONE && c != at && box_at[c as usize] == 0;
        let beside = map.hop[at as usize].map(|h| if free(h.0) { h.0 } else { NONE });
        for d in (0..4).filter(|d| beside[*d] != NONE) {
            let same_part =
                |e: &usize| beside[*e] != NONE && self.root[beside[*e] as usize] == self.root[beside[d] as usize];
            // What was no block yet has a number after all that are.
            let first = (0..d).find(same_part).unwrap_or(d);
            let block = (self.top.len() + first) as u32;
            self.own[d] = block;
            let (mut a, mut b) = (beside[first], beside[d]);
            while a != b {
                let later = if self.number[a as usize] > self.number[b as usize] { &mut a } else { &mut b };
                let passed = self.up[*later as usize] as usize;
                self.joined[passed] = (self.round, block);
                *later = self.top[passed];
            }
        }
    }

    /// The block of an edge of the free floor without the box at hand, 0 for none.
    fn block(&self, map: &Map, box_at: &[u16], c: u16, d: usize) -> u32 {
        let (to, arrives) = map.hop[c as usize][d];
        if to == NONE || to == c || box_at[to as usize] > 0 {
            return 0;
        }
        if c == self.at {
            return self.own[d];
        }
        if to == self.at {
            return self.own[(arrives as usize + 2) % 4];
        }
        let later = if self.number[c as usize] > self.number[to as usize] { c } else { to };
        let block = self.up[later as usize];
        match self.joined[block as usize] {
            (round, whole) if round == self.round => whole,
            _ => block,
        }
    }

    /// Notes that the box can be on a cell with the player in a block, and from which entry of the queue by which direction.
    fn come(&mut self, map: &Map, box_at: &[u16], (to, block): (u16, u32), steps: u16, (from, by): (u32, usize)) {
        let blocks: [u32; 4] = std::array::from_fn(|d| self.block(map, box_at, to, d));
        let Some(side) = blocks.iter().position(|b| *b == block) else { return };
        let key = to as usize * 4 + side;
        if self.seen[key] == self.round {
            return;
        }
        self.seen[key] = self.round;
        self.queue.push((to, side as u8, steps, from, by as u8));
        let player = map.hop[to as usize][side].0;
        let parts = (0..4).filter(|&d| blocks[d] > 0 && !blocks[..d].contains(&blocks[d])).count() as u8;
        self.found.push(Carried { to, player, steps, parts });
    }

    /// Finds every cell to which the box on `at` can be brought, for each side of it the player can be on in the end; the first is where it stands.
    /// `reached` says where the player can walk now, `avoid` where the box must not go. Walking must work both ways, and the position must be the one of the
    /// last [`Macros::survey`].
    pub fn spread(
        &mut self,
        map: &Map,
        (kind, at): (usize, u16),
        box_at: &mut [u16],
        reached: impl Fn(u16) -> bool,
        avoid: impl Fn(u16) -> bool,
        by: By,
    ) {
        self.begin(map.len());
        let slot = std::mem::take(&mut box_at[at as usize]);
        self.take_off(map, box_at, at);
        for d in 0..4 {
            let (side, _) = map.hop[at as usize][d];
            if side != NONE && side != at && box_at[side as usize] == 0 && reached(side) {
                self.come(map, box_at, (at, self.own[d]), 0, (NOBODY, 0));
            }
        }
        let mut next = 0;
        while let Some(&(c, side, steps, ..)) = self.queue.get(next) {
            let blocks: [u32; 4] = std::array::from_fn(|d| self.block(map, box_at, c, d));
            let block = blocks[side as usize];
            for d in 0..4 {
                let back = (d + 2) % 4;
                // Pushed in direction d the player stands behind; pulled in direction d, ahead, with room to step back.
                match by {
                    By::Push => {
                        let to = map.push[kind][c as usize][d];
                        let free = to != NONE && to != c && box_at[to as usize] == 0;
                        if free && blocks[back] == block && to != map.behind[c as usize][d].0 && !avoid(to) {
                            self.come(map, box_at, (to, blocks[d]), steps + 1, (next as u32, d));
                        }
                    }
                    By::Pull => {
                        let (to, arrives) = map.hop[c as usize][d];
                        if to == NONE || to == c || blocks[d] != block || avoid(to) {
                            continue;
                        }
                        let stand = map.hop[to as usize][arrives as usize].0;
                        if stand != NONE && stand != to && stand != c && box_at[stand as usize] == 0 {
                            let side = self.block(map, box_at, to, arrives as usize);
                            self.come(map, box_at, (to, side), steps + 1, (next as u32, d));
                        }
                    }
                }
            }
            next += 1;
        }
        box_at[at as usize] = slot;
    }

    /// The same for pushes where walking may be possible one way only: each push is followed by a flood. `room` is the most floods.
    pub fn spread_slowly(
        &mut self,
        map: &Map,
        (kind, at): (usize, u16),
        player: u16,
        box_at: &mut [u16],
        avoid: impl Fn(u16) -> bool,
        room: usize,
    ) {
        self.begin(map.len());
        let slot = box_at[at as usize];
        self.queue.push((at, 0, 0, NOBODY, 0));
        self.found.push(Carried { to: at, player, steps: 0, parts: 1 });
        let mut next = 0;
        while let Some(&(c, _, steps, ..)) = self.queue.get(next).filter(|_| next < room) {
            let player = self.found[next].player;
            box_at[at as usize] = 0;
            box_at[c as usize] = slot;
            let open = map.open_doors(box_at);
            self.walk.flood(map, player, box_at, &open);
            for d in 0..4 {
                let (behind, _) = map.behind[c as usize][d];
                let to = map.push[kind][c as usize][d];
                if behind == NONE || to == NONE || to == behind || to == c || box_at[to as usize] > 0 || avoid(to) {
                    continue;
                }
                let door = map.door[to as usize];
                let shut = door != NONE && !open[door as usize] && map.opens[behind as usize] != door;
                let key = to as usize * 4 + d;
                if !shut && self.walk.reached(behind) && self.seen[key] != self.round {
                    self.seen[key] = self.round;
                    self.queue.push((to, d as u8, steps + 1, next as u32, d as u8));
                    self.found.push(Carried { to, player: c, steps: steps + 1, parts: 1 });
                }
            }
            box_at[c as usize] = 0;
            box_at[at as usize] = slot;
            next += 1;
        }
    }

    /// The cells and directions of the single steps to the `i`-th find.
    pub fn steps_to(&self, mut i: usize) -> Vec<(u16, u8)> {
        let mut steps = Vec::new();
        while let Some(&(_, _, _, from, d)) = self.queue.get(i)
            && from != NOBODY
        {
            steps.push((self.queue[from as usize].0, d));
            i = from as usize;
        }
        steps.reverse();
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::{super::super::level_of, *};
    use rand::RngExt as _;
    use std::collections::BTreeSet;

    #[test]
    fn blocks_and_floods_find_the_same_moves() {
        let rows = [
            "##########",
            "#   ##   #",
            "# # #  # #",
            "#        #",
            "##.# ### #",
            "#@   #   #",
            "#  #   # #",
            "##########",
        ];
        let map = Map::new(&level_of(&rows, &[]).expect("a level"));
        let mut rng = crate::game::rng(3);
        let (mut fast, mut slow, mut walk) = (Macros::default(), Macros::default(), Walk::default());
        let mut compared = 0;
        for _ in 0..2_000 {
            let mut box_at = vec![0u16; map.len()];
            for slot in 1..=rng.random_range(1..9) {
                box_at[rng.random_range(0..map.len())] = slot;
            }
            let player = rng.random_range(0..map.len() as u16);
            if box_at[player as usize] > 0 {
                continue;
            }
            for at in (0..map.len() as u16).filter(|c| box_at[*c as usize] > 0).collect::<Vec<_>>() {
                walk.flood(&map, player, &box_at, &[]);
                fast.survey(&map, &box_at);
                fast.spread(&map, (0, at), &mut box_at, |c| walk.reached(c), |_| false, By::Push);
                slow.spread_slowly(&map, (0, at), player, &mut box_at, |_| false, usize::MAX);
                let mut ends = |macros: &Macros| -> BTreeSet<(u16, u16)> {
                    let end = |f: &Carried| {
                        let slot = std::mem::take(&mut box_at[at as usize]);
                        box_at[f.to as usize] = slot;
                        walk.flood(&map, f.player, &box_at, &[]);
                        box_at[f.to as usize] = 0;
                        box_at[at as usize] = slot;
                        (f.to, walk.least())
                    };
                    macros.found.iter().filter(|f| f.steps > 0).map(end).collect()
                };
                // Back where it began, with the player on the side they came from, is no move; only the slow way lists it.
                let (fast_ends, mut slow_ends) = (ends(&fast), ends(&slow));
                walk.flood(&map, player, &box_at, &[]);
                slow_ends.remove(&(at, walk.least()));
                assert_eq!(fast_ends, slow_ends);
                compared += slow_ends.len();
            }
        }
        assert!(compared > 5_000, "{compared}");
    }
}
