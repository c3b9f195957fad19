//! Pairs of boxes in each other's way: what they cost beyond the matching bound. Plain levels without spare boxes only.
//!
//! The matching bound sums what each box needs when it is alone. Two boxes side by side in a corridor, or one in front of the other at a wall, need more: one
//! must make way first. For a pair, all other boxes are taken off the board, which only helps, and a small search finds the least *waste* with which the two
//! can go on: the pushes beyond what each needs alone, for whatever goals they head for. A pair has been let go, without more waste, once the boxes
//! are well apart, both on goals, or the search has used up what it may: that can only make the waste smaller.
//!
//! In any solution both boxes of a pair are pushed to some goals, so their pushes are at least what they need alone to these goals and the waste of the
//! pair. Pairs that share no box can be added up, and the sum can be added to the matching bound, which is the least of what all boxes need alone, for
//! whatever goals. That is a lower bound still; it is not consistent. If a pair can never be let go, the position is lost.
//!
//! Boxes that are frozen count as walls here as in the matching bound, and the distances are taken from the same tables: else the two could not be added.

use super::{
    bounds::Tables,
    map::{Map, NONE},
    pushes::Walk,
};
use crate::job::{Probe, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

/// Pairs of boxes are looked at that are at most this many steps from each other.
const NEAR: usize = 4;
/// Boxes this far from each other, in columns or in rows, are let go.
const APART: i32 = 6;
/// Pushes after which a pair is let go, and positions looked at.
const MOST_PUSHES: u16 = 40;
const MOST_NODES: usize = 2000;
/// Waste is not looked for beyond this. On a board of squares it is even: a box that comes to a goal makes an even or an odd number of pushes, whatever its way.
const MOST_WASTE: usize = 8;
/// Answers kept, and sets of frozen boxes they are kept for.
const MOST_KNOWN: usize = 1 << 20;
const MOST_SETS: usize = u16::MAX as usize;

/// What is kept for a pair that can never be let go.
const LOST: u8 = u8::MAX;

/// A position.
#[derive(Clone, Copy)]
pub struct Boxes<'a> {
    /// The boxes, by cell.
    pub boxes: &'a [u16],
    /// For each cell, whether a box is there: 0 if not.
    pub box_at: &'a [u16],
    /// Where the player is.
    pub player: u16,
    /// The cells, sorted, of boxes that will never move.
    pub frozen: &'a [u16],
}

/// A position of two boxes alone.
#[derive(Clone, Copy)]
struct Node {
    boxes: [u16; 2],
    player: u16,
    /// How often each was pushed.
    pushes: [u16; 2],
}

/// The waste of pairs; keeps what it has found, and its working memory.
#[derive(Default)]
pub struct Conflicts {
    /// For each cell, the cells near it with a higher number.
    near: Vec<Vec<u16>>,
    /// Sets of frozen boxes (by cell, sorted) and their numbers.
    sets: FxHashMap<Vec<u16>, u64>,
    /// By number of the set, cells of the boxes, cell of the player.
    known: FxHashMap<u64, u8>,
    box_at: Vec<u16>,
    walk: Walk,
    /// The boxes, how often each was pushed, and the least cell of the player.
    seen: FxHashSet<([u16; 2], [u16; 2], u16)>,
    open: [Vec<Node>; MOST_WASTE / 2 + 1],
    /// What each box needs alone at first, by goal.
    alone: [Vec<u16>; 2],
    pairs: Vec<(u8, u16, u16)>,
}

impl Conflicts {
    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        (self.known.capacity() * 17 + self.sets.len() * 64) as u64
    }

    /// The pushes that pairs of boxes cost beyond the matching bound; nothing if the position is lost. The tables are those for the frozen boxes.
    pub fn waste(
        &mut self,
        map: &Map,
        tables: &Tables,
        position: Boxes<'_>,
        probe: &mut Probe,
    ) -> Result<Option<u32>, Stop> {
        let Boxes { boxes, box_at, player, frozen } = position;
        if self.near.is_empty() {
            self.near = (0..map.len() as u16).map(|c| near(map, c)).collect();
            self.box_at.resize(map.len(), 0);
        }
        if self.known.len() >= MOST_KNOWN || self.sets.len() >= MOST_SETS {
            self.known.clear();
            self.sets.clear();
        }
        let set = match self.sets.get(frozen) {
            Some(set) => *set,
            None => {
                let set = self.sets.len() as u64;
                self.sets.insert(frozen.to_vec(), set);
                set
            }
        };
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.clear();
        for &a in boxes {
            if frozen.binary_search(&a).is_ok() {
                continue;
            }
            for i in 0..self.near[a as usize].len() {
                let b = self.near[a as usize][i];
                if box_at[b as usize] == 0 || frozen.binary_search(&b).is_ok() {
                    continue;
                }
                let key = set << 48 | u64::from(a) << 32 | u64::from(b) << 16 | u64::from(player);
                let waste = match self.known.get(&key) {
                    Some(waste) => *waste,
                    None => {
                        let waste = self.waste_of(map, tables, [a, b], player, frozen, probe)?;
                        self.known.insert(key, waste);
                        waste
                    }
                };
                match waste {
                    0 => {}
                    LOST => {
                        self.pairs = pairs;
                        return Ok(None);
                    }
                    _ => pairs.push((waste, a, b)),
                }
            }
        }
        let sum = most_of_disjoint(&mut pairs);
        self.pairs = pairs;
        Ok(Some(sum))
    }

    /// The least waste with which two boxes alone can be let go.
    fn waste_of(
        &mut self,
        map: &Map,
        tables: &Tables,
        boxes: [u16; 2],
        player: u16,
        frozen: &[u16],
        probe: &mut Probe,
    ) -> Result<u8, Stop> {
        for (alone, at) in self.alone.iter_mut().zip(boxes) {
            alone.clear();
            alone.extend((0..map.goals.len()).map(|g| tables.alone(map, g, at, player)));
        }
        for c in frozen {
            self.box_at[*c as usize] = 1;
        }
        self.seen.clear();
        self.open.iter_mut().for_each(Vec::clear);
        self.open[0].push(Node { boxes, player, pushes: [0, 0] });
        let waste = self.search(map, tables, probe);
        for c in frozen {
            self.box_at[*c as usize] = 0;
        }
        waste
    }

    fn search(&mut self, map: &Map, tables: &Tables, probe: &mut Probe) -> Result<u8, Stop> {
        let (mut looked_at, mut beyond) = (0, false);
        for waste in 0..self.open.len() {
            while let Some(node) = self.open[waste].pop() {
                probe.step()?;
                looked_at += 1;
                if looked_at > MOST_NODES || is_let_go(map, &node) {
                    return Ok(2 * waste as u8);
                }
                for c in node.boxes {
                    self.box_at[c as usize] = 1;
                }
                self.walk.flood(map, node.player, &self.box_at, &[]);
                if self.seen.insert((node.boxes, node.pushes, self.walk.least())) {
                    beyond |= self.push_on(map, tables, &node);
                }
                for c in node.boxes {
                    self.box_at[c as usize] = 0;
                }
            }
        }
        Ok(if beyond { MOST_WASTE as u8 } else { LOST })
    }

    /// Puts the positions after one more push in; says whether some were left out for their waste.
    fn push_on(&mut self, map: &Map, tables: &Tables, node: &Node) -> bool {
        let mut beyond = false;
        for (i, at) in node.boxes.into_iter().enumerate() {
            for d in 0..4 {
                let (behind, to) = (map.behind[at as usize][d].0, map.push[0][at as usize][d]);
                if behind == NONE || to == NONE || self.box_at[to as usize] > 0 || !self.walk.reached(behind) {
                    continue;
                }
                let mut next = Node { player: at, ..*node };
                next.boxes[i] = to;
                next.pushes[i] += 1;
                let Some(waste) = self.waste_at(map, tables, &next) else { continue };
                match self.open.get_mut(waste / 2) {
                    Some(open) => open.push(next),
                    None => beyond = true,
                }
            }
        }
        beyond
    }

    /// The pushes of both boxes so far beyond what they need alone, for the goals for which they are least; nothing if one can come to no goal.
    fn waste_at(&self, map: &Map, tables: &Tables, node: &Node) -> Option<usize> {
        let mut sum = 0;
        for i in 0..2 {
            let waste = |(goal, before): (usize, &u16)| {
                let now = tables.alone(map, goal, node.boxes[i], node.player);
                (now != Tables::FAR && *before != Tables::FAR)
                    .then(|| usize::from((node.pushes[i] + now).saturating_sub(*before)))
            };
            sum += self.alone[i].iter().enumerate().filter_map(waste).min()?;
        }
        Some(sum)
    }
}

fn is_let_go(map: &Map, node: &Node) -> bool {
    let [a, b] = node.boxes.map(|c| map.cells[c as usize]);
    let apart = (i32::from(a.x) - i32::from(b.x)).abs().max((i32::from(a.y) - i32::from(b.y)).abs());
    apart >= APART
        || node.pushes[0] + node.pushes[1] >= MOST_PUSHES
        || node.boxes.iter().all(|c| map.is_goal[*c as usize])
}

/// The cells at most [`NEAR`] steps from a cell that have a higher number.
fn near(map: &Map, from: u16) -> Vec<u16> {
    let mut found = vec![from];
    let mut begin = 0;
    for _ in 0..NEAR {
        let end = found.len();
        for i in begin..end {
            for (to, _) in map.hop[found[i] as usize] {
                if to != NONE && !found.contains(&to) {
                    found.push(to);
                }
            }
        }
        begin = end;
    }
    found.retain(|c| *c > from);
    found
}

/// The waste of pairs of which no two share a box, summed; the most wasteful first.
fn most_of_disjoint(pairs: &mut [(u8, u16, u16)]) -> u32 {
    pairs.sort_unstable_by(|a, b| b.cmp(a));
    let mut sum = 0;
    for i in 0..pairs.len() {
        let (waste, a, b) = pairs[i];
        if pairs[..i].iter().all(|p| p.0 == 0 || ![p.1, p.2].iter().any(|c| *c == a || *c == b)) {
            sum += u32::from(waste);
        } else {
            pairs[i].0 = 0;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            super::level_of,
            Position,
            bounds::{Base, Detail},
            pushes::{Count, Pushes},
        },
        *,
    };
    use crate::{job::Limits, search::best_first::Space as _};
    use rand::RngExt as _;
    use std::{collections::VecDeque, sync::Arc};

    /// A walled room with walls inside, boxes, as many goals, and a player; the rows of a level.
    fn random_rows(rng: &mut impl rand::Rng) -> Vec<String> {
        let (w, h) = (rng.random_range(5..8), rng.random_range(4..7));
        let mut rows = vec![vec!['#'; w + 2]; h + 2];
        let mut free = Vec::new();
        for (y, row) in rows.iter_mut().enumerate().take(h + 1).skip(1) {
            for (x, c) in row.iter_mut().enumerate().take(w + 1).skip(1) {
                if rng.random_range(0..100) >= 30 {
                    *c = ' ';
                    free.push((x, y));
                }
            }
        }
        let boxes = rng.random_range(2..4).min(free.len().saturating_sub(1));
        for (what, count) in [('.', boxes), ('$', boxes), ('@', 1)] {
            for _ in 0..count {
                loop {
                    let (x, y) = free[rng.random_range(0..free.len())];
                    let c = &mut rows[y][x];
                    *c = match (*c, what) {
                        (' ', _) => what,
                        ('.', '$') => '*',
                        ('.', '@') => '+',
                        _ => continue,
                    };
                    break;
                }
            }
        }
        rows.into_iter().map(|r| r.into_iter().collect()).collect()
    }

    /// The fewest pushes to a win from every position that has one, by pulling and walking backwards from the goals. Written from the rules, without
    /// anything of the solver but the numbers of the cells.
    fn all_distances(map: &Map) -> FxHashMap<(Vec<u16>, u16), u32> {
        let step = |c: u16, d: usize| {
            let (dx, dy) = [(0, -1), (1, 0), (0, 1), (-1, 0)][d];
            let at = map.cells[c as usize];
            let to = crate::grid::Cell { x: at.x + dx, y: at.y + dy };
            map.number.get(to).copied().filter(|n| *n != NONE)
        };
        let mut far = FxHashMap::default();
        let mut queue = VecDeque::new();
        for player in (0..map.len() as u16).filter(|c| !map.is_goal[*c as usize]) {
            far.insert((map.goals.clone(), player), 0);
            queue.push_back((map.goals.clone(), player, 0));
        }
        while let Some((boxes, player, cost)) = queue.pop_front() {
            if far[&(boxes.clone(), player)] < cost {
                continue;
            }
            for d in 0..4 {
                let Some(back) = step(player, d).filter(|c| !boxes.contains(c)) else { continue };
                let mut reach = |boxes: Vec<u16>, cost: u32, last: bool| {
                    let known = far.entry((boxes.clone(), back)).or_insert(u32::MAX);
                    if cost < *known {
                        *known = cost;
                        if last { queue.push_back((boxes, back, cost)) } else { queue.push_front((boxes, back, cost)) }
                    }
                };
                reach(boxes.clone(), cost, false);
                let pulled = step(player, (d + 2) % 4).and_then(|c| boxes.iter().position(|b| *b == c));
                if let Some(i) = pulled {
                    let mut boxes = boxes.clone();
                    boxes[i] = player;
                    boxes.sort_unstable();
                    reach(boxes, cost + 1, true);
                }
            }
        }
        far
    }

    #[test]
    fn the_bound_with_conflicts_never_exceeds_the_fewest_pushes_from_any_position() {
        hold_against_truth(11, 150);
    }

    #[test]
    #[ignore = "the long run: 6,000 levels"]
    fn the_bound_with_conflicts_holds_on_many_levels() {
        hold_against_truth(12, 6_000);
    }

    fn hold_against_truth(seed: u64, levels: usize) {
        let mut rng = crate::game::rng(seed);
        let mut probe = Probe::new(Limits::default());
        let (mut positions, mut raised, mut lost) = (0, 0, 0);
        for _ in 0..levels {
            let rows = random_rows(&mut rng);
            let lines: Vec<&str> = rows.iter().map(String::as_str).collect();
            let Ok(level) = level_of(&lines, &[]) else { continue };
            let Ok(state) = <super::super::Sbokena as crate::game::Rules>::start(&level) else { continue };
            let position = Position::new(&level, &state);
            let base = Arc::new(Base::new(position, Detail::Search, &mut probe).expect("no limit"));
            let map = &base.position.map;
            let mut space = Pushes::new(base.clone(), Count::Pushes).with_conflicts();
            let mut without = Pushes::new(base.clone(), Count::Pushes);
            let far = all_distances(map);
            let n = map.goals.len();
            for _ in 0..400 {
                let mut cells: Vec<u16> = Vec::new();
                while cells.len() < n + 1 && cells.len() < map.len() {
                    // Near each other more often than by chance.
                    let beside = cells.last().map(|c: &u16| map.hop[*c as usize][rng.random_range(0..4)].0);
                    let c = match beside.filter(|c| *c != NONE && rng.random_range(0..3) > 0) {
                        Some(c) => c,
                        None => rng.random_range(0..map.len() as u16),
                    };
                    if !cells.contains(&c) {
                        cells.push(c);
                    }
                }
                let Some(player) = cells.pop().filter(|_| cells.len() == n) else { continue };
                cells.sort_unstable();
                let truth = far.get(&(cells.clone(), player)).copied();
                let mut state = cells;
                state.push(player);
                let bound = space.estimate(&state, &mut probe).expect("no limit");
                let plain = without.estimate(&state, &mut probe).expect("no limit");
                positions += 1;
                raised += usize::from(bound > plain && bound.is_some());
                lost += usize::from(bound.is_none() && plain.is_some());
                let fits = truth.is_none_or(|t| bound.is_some_and(|b| b <= t));
                assert!(fits, "{bound:?} (without {plain:?}) of {truth:?}: {:?}\n{}", state, rows.join("\n"));
            }
        }
        println!("{positions} positions, the bound of {raised} raised, {lost} more seen to be lost");
        assert!(raised > 100 && lost > 300, "{raised} raised, {lost} lost");
    }
}
