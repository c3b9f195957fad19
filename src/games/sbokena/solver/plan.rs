//! A plan for filling the wanted cells, with parking: found backwards, by taking boxes off a board on which all of them are covered.
//!
//! Only the boxes on wanted cells are on the board; those still to come are thought of as away. A box that can be moved back to a cell where one stood
//! in the beginning is taken off, and that cell is used up. Where no box can be, one is moved aside: read forwards, a box that is parked first
//! and brought to its place later. What is taken off last is to be filled first. The search is greedy (most boxes off first, then fewest pulled aside) and
//! bounded. Where it does not come to an end, a wider one may: the player may have to be elsewhere in the end, or many boxes to be parked before one can be
//! taken off (see [`Queue`]). Boxes that are left after that are to be placed first, in any order.
//!
//! Where walking may be possible one way only, boxes are taken out one at a time without parking (`packing.rs`).
//!
//! A plan only orders a search. Nothing is concluded from there being none.

use super::{
    bounds::Base,
    macros::{By, Macros},
    map::NONE,
    packing::order,
    pushes::{Walk, look_at_clock},
};
use crate::job::{Probe, Stop};
use rustc_hash::FxHashSet;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
};

/// One thing done to the board backwards.
#[derive(Clone, Copy, Debug)]
enum Undo {
    /// The box on this cell is taken off.
    Off(u16),
    /// The box on the first cell is moved to the second.
    Aside(u16, u16),
}

struct Node {
    /// The position that this line began with: all boxes in place, the player in one part of the floor.
    root: usize,
    boxes: Vec<u16>,
    /// The cells where boxes begin that are not used up.
    sources: Vec<u16>,
    player: u16,
    parent: usize,
    undo: Undo,
    aside: u16,
}

/// Positions looked at for a plan, by the greedy search and by the wide one.
const MOST_NODES: usize = 600;
const MOST_NODES_WIDE: usize = 20_000;
/// Cells walked over for a plan.
const MOST_WORK: usize = 1 << 25;
/// What it costs to take off a box that was not moved.
const UNMOVED: usize = 1000;
/// Ways of moving a box aside that are kept of each position.
const MOST_ASIDE: usize = 48;

/// What boxes are moved for: those on `from` are to come to `to`.
pub struct Task {
    /// How they are moved.
    pub by: By,
    /// Where they begin, sorted.
    pub from: Vec<u16>,
    /// Where they are wanted, sorted.
    pub to: Vec<u16>,
    /// The same by cell.
    pub wanted: Vec<bool>,
}

impl Task {
    /// To push the boxes of a level to its goals, or to pull them from there to where they begin.
    pub fn new(base: &Base, by: By) -> Task {
        let map = &base.position.map;
        let mut starts: Vec<u16> = base.position.boxes.iter().map(|b| b.1).collect();
        starts.sort_unstable();
        let (from, to) = match by {
            By::Push => (starts, map.goals.clone()),
            By::Pull => (map.goals.clone(), starts),
        };
        let mut wanted = vec![false; map.len()];
        to.iter().for_each(|c| wanted[*c as usize] = true);
        Task { by, from, to, wanted }
    }
}

/// The cells that are to be filled after each step, first to last; the first has none. With `wide`, the wide search has its turn where the greedy one fails.
pub fn plan(base: &Base, task: &Task, wide: bool, probe: &mut Probe) -> Result<Vec<Vec<u16>>, Stop> {
    let map = &base.position.map;
    if map.directed {
        let starts: Vec<u16> = base.position.boxes.iter().map(|b| b.1).collect();
        let cells: Vec<u16> = order(map, &starts, probe)?.into_iter().map(|g| map.goals[g]).collect();
        return Ok((0..=cells.len()).map(|k| cells[..k].to_vec()).collect());
    }
    let mut best = undo_all(base, task, Way { use_up: true, wide: false }, probe)?;
    for way in [Way { use_up: true, wide: true }, Way { use_up: false, wide: false }] {
        if best.1 > 0 && (wide || !way.wide) {
            let other = undo_all(base, task, way, probe)?;
            if other.1 < best.1 {
                best = other;
            }
        }
    }
    let (undone, _) = best;
    let mut now: Vec<u16> = Vec::new();
    let mut sets = vec![Vec::new()];
    for undo in undone.into_iter().rev() {
        match undo {
            Undo::Off(c) => now.push(c),
            Undo::Aside(from, to) => {
                now.retain(|c| *c != to);
                now.push(from);
            }
        }
        sets.push(now.clone());
    }
    Ok(sets)
}

/// How a plan is looked for.
#[derive(Clone, Copy)]
struct Way {
    /// Whether a cell where a box begins serves one box only.
    use_up: bool,
    /// Whether boxes are also moved aside where others can be taken off, and the positions take turns.
    wide: bool,
}

/// Most boxes off, fewest moved aside, least cost, first come.
type Entry = (usize, Reverse<u16>, Reverse<usize>, Reverse<usize>);
/// Boxes off, and how many of the others stand where they are wanted.
type CellKey = (usize, Reverse<usize>);

/// The positions of a search for a plan that were not looked at yet.
///
/// A greedy search always takes the best one. A wide one takes in turns, for each root: the best one; one of the best cell, which has as many boxes off as any
/// and the fewest in place; and one of the next cell below that of the last time.
struct Queue {
    wide: bool,
    roots: Vec<OfRoot>,
    next_root: usize,
    /// Whether a position was looked at: a wide search has each in two queues.
    taken: Vec<bool>,
}

#[derive(Default)]
struct OfRoot {
    all: BinaryHeap<Entry>,
    cells: BTreeMap<CellKey, BinaryHeap<Entry>>,
    turns: usize,
    /// The cell that had the last turn of its own.
    cell: Option<CellKey>,
}

impl Queue {
    fn push(&mut self, root: usize, in_place: usize, entry: Entry) {
        let (off, .., Reverse(node)) = entry;
        let root = if self.wide { root } else { 0 };
        if self.roots.len() <= root {
            self.roots.resize_with(root + 1, OfRoot::default);
        }
        if self.taken.len() <= node {
            self.taken.resize(node + 1, false);
        }
        let of_root = &mut self.roots[root];
        of_root.all.push(entry);
        if self.wide {
            of_root.cells.entry((off, Reverse(in_place))).or_default().push(entry);
        }
    }

    /// The next position, and how many boxes are off in it.
    fn pop(&mut self) -> Option<(usize, usize)> {
        for _ in 0..self.roots.len() {
            let root = self.next_root % self.roots.len();
            self.next_root = root + 1;
            let of_root = &mut self.roots[root];
            of_root.turns += 1;
            while let Some((off, .., Reverse(node))) = of_root.pop(self.wide) {
                if !std::mem::replace(&mut self.taken[node], true) {
                    return Some((off, node));
                }
            }
        }
        None
    }
}

impl OfRoot {
    fn pop(&mut self, wide: bool) -> Option<Entry> {
        if !wide || self.turns % 3 == 0 {
            return self.all.pop();
        }
        let best = *self.cells.last_key_value()?.0;
        let mut key = best;
        if self.turns % 3 == 1 {
            let below = self.cell.and_then(|last| self.cells.range(..last).next_back());
            key = below.map_or(best, |c| *c.0);
            self.cell = Some(key);
        }
        let cell = self.cells.get_mut(&key)?;
        let entry = cell.pop();
        if cell.is_empty() {
            self.cells.remove(&key);
        }
        entry
    }
}

/// What was done to empty the board, and how many boxes could not be taken off.
fn undo_all(base: &Base, task: &Task, way: Way, probe: &mut Probe) -> Result<(Vec<Undo>, usize), Stop> {
    let map = &base.position.map;
    let n = map.len();
    let (walk, macros) = (Walk::default(), Macros::default());
    let mut search = Search { base, task, box_at: vec![0; n], walk, macros, way, work: 0 };
    let most_nodes = if way.wide { MOST_NODES_WIDE } else { MOST_NODES };
    // With the lists that it owns, its key, and its places in the queue.
    let node_bytes = (size_of::<Node>() + 2 * (2 * task.to.len() + task.from.len()) + 160) as u64;
    let mut nodes: Vec<Node> = Vec::new();
    let mut queue = Queue { wide: way.wide, roots: Vec::new(), next_root: 0, taken: Vec::new() };
    let mut known = FxHashSet::default();
    let mut seen = task.wanted.clone();
    for c in 0..n as u16 {
        if seen[c as usize] {
            continue;
        }
        search.occupy(&task.to, 1);
        search.walk.flood(map, c, &search.box_at, &[]);
        search.occupy(&task.to, 0);
        let area = (0..n).filter(|x| search.walk.reached(*x as u16)).inspect(|x| seen[*x] = true).count();
        // Where the level begins the player stands in one part of the floor.
        if task.by == By::Pull && !search.walk.reached(base.position.player) {
            continue;
        }
        let root = nodes.len();
        queue.push(root, task.to.len(), (0, Reverse(0), Reverse(n - area), Reverse(root)));
        let undo = Undo::Off(NONE);
        nodes.push(Node {
            root,
            boxes: task.to.clone(),
            sources: task.from.clone(),
            player: c,
            parent: usize::MAX,
            undo,
            aside: 0,
        });
    }
    let mut best = 0;
    let mut looked_at = 0;
    while let Some((off, i)) = queue.pop() {
        probe.step()?;
        if nodes[i].boxes.len() < nodes[best].boxes.len() {
            best = i;
        }
        if nodes[i].boxes.is_empty() || looked_at >= most_nodes || search.work > MOST_WORK {
            break;
        }
        looked_at += 1;
        // A search that may not grow ends with the best it has.
        if probe.allow(nodes.len() as u64 * node_bytes).is_err() {
            break;
        }
        for (kid, cost) in search.kids(&nodes[i], i, probe)? {
            look_at_clock(n, probe)?;
            search.work += n;
            if known.insert((kid.boxes.clone(), search.normal(&kid))) {
                let off = off + usize::from(kid.boxes.len() < nodes[i].boxes.len());
                let in_place = kid.boxes.iter().filter(|c| task.wanted[**c as usize]).count();
                let entry = (off, Reverse(kid.aside), Reverse(cost), Reverse(nodes.len()));
                queue.push(kid.root, in_place, entry);
                nodes.push(kid);
            }
        }
    }
    let mut undone = Vec::new();
    let left = nodes.get(best).map_or(0, |b| b.boxes.len());
    if let Some(node) = nodes.get(best) {
        // Placed first, so undone last.
        undone.extend(node.boxes.iter().map(|c| Undo::Off(*c)));
    }
    let mut i = best;
    while let Some(node) = nodes.get(i).filter(|n| n.parent != usize::MAX) {
        undone.push(node.undo);
        i = node.parent;
    }
    undone.reverse();
    Ok((undone, left))
}

struct Search<'a> {
    base: &'a Base,
    task: &'a Task,
    box_at: Vec<u16>,
    walk: Walk,
    macros: Macros,
    way: Way,
    /// Cells walked over so far.
    work: usize,
}

impl Search<'_> {
    fn occupy(&mut self, boxes: &[u16], with: u16) {
        for c in boxes {
            self.box_at[*c as usize] = with;
        }
    }

    fn normal(&mut self, node: &Node) -> u16 {
        self.occupy(&node.boxes, 1);
        self.walk.flood(&self.base.position.map, node.player, &self.box_at, &[]);
        self.occupy(&node.boxes, 0);
        self.walk.least()
    }

    /// What can be done next, each with what it costs: boxes off if any can be, else boxes aside; in a wide search both.
    fn kids(&mut self, node: &Node, number: usize, probe: &mut Probe) -> Result<Vec<(Node, usize)>, Stop> {
        let base = self.base;
        let map = &base.position.map;
        let undone_by = self.task.by.undone();
        // What is pushed there never comes to a goal.
        let dead = |c: u16| undone_by == By::Push && base.dead[0][c as usize];
        self.occupy(&node.boxes, 1);
        self.walk.flood(map, node.player, &self.box_at, &[]);
        let walk = std::mem::take(&mut self.walk);
        self.macros.survey(map, &self.box_at);
        let mut off = Vec::new();
        // Cost, which box, where to, and the player beside it.
        let mut aside: Vec<(usize, usize, u16, u16)> = Vec::new();
        let kid = |i: usize, to: Option<u16>, sources: Vec<u16>, player: u16| {
            let (mut boxes, at) = (node.boxes.clone(), node.boxes[i]);
            boxes.swap_remove(i);
            boxes.extend(to);
            boxes.sort_unstable();
            let undo = to.map_or(Undo::Off(at), |to| Undo::Aside(at, to));
            Node {
                root: node.root,
                boxes,
                sources,
                player,
                parent: number,
                undo,
                aside: node.aside + u16::from(to.is_some()),
            }
        };
        for (i, &at) in node.boxes.iter().enumerate() {
            look_at_clock(map.len(), probe)?;
            self.work += map.len();
            self.macros.spread(map, (0, at), &mut self.box_at, |c| walk.reached(c), dead, undone_by);
            let source = |c: u16| node.sources.binary_search(&c).ok();
            let out = self.macros.found.iter().find(|f| f.steps > 0 && source(f.to).is_some());
            // Without a move only if there is nothing else: a box that stands where it begins may be stuck there.
            let ends = out.map(|f| (f.steps as usize, f.to, f.player)).or_else(|| {
                source(at)?;
                self.macros.found.first().map(|f| (UNMOVED, at, f.player))
            });
            if let Some((cost, to, player)) = ends {
                let mut sources = node.sources.clone();
                if let Some(used) = source(to).filter(|_| self.way.use_up) {
                    sources.remove(used);
                }
                off.push((kid(i, None, sources, player), cost));
                if !self.way.wide {
                    continue;
                }
            }
            for f in self.macros.found.iter().filter(|f| f.steps > 0 && f.to != at) {
                let cost = 200 * usize::from(self.task.wanted[f.to as usize]) + 20 * usize::from(f.parts) + 40
                    - usize::from(f.steps).min(40);
                aside.push((cost, i, f.to, f.player));
            }
            if aside.len() > 64 * MOST_ASIDE {
                aside.sort_unstable();
                aside.truncate(MOST_ASIDE);
            }
        }
        self.walk = walk;
        self.occupy(&node.boxes, 0);
        if !self.way.wide && off.iter().any(|o| o.1 < UNMOVED) || aside.is_empty() {
            return Ok(off);
        }
        aside.sort_unstable();
        aside.truncate(MOST_ASIDE);
        off.extend(
            aside.into_iter().map(|(cost, i, to, player)| (kid(i, Some(to), node.sources.clone(), player), cost)),
        );
        Ok(off)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{super::level_of, Position, bounds::Detail},
        *,
    };
    use crate::{game::Rules as _, games::sbokena::Sbokena, job::Limits};

    /// Two rooms and a passage of goals between them. The two boxes of the larger room have to go through the passage and come back into it from the other
    /// side: with one of them placed from where it begins, the player is shut out of the smaller room.
    #[test]
    fn a_wide_search_finds_where_the_player_has_to_be_in_the_end() {
        let rows = [
            "########################",
            "#        ########      #",
            "#  $     ########  $$$ #",
            "#        ........      #",
            "#  $     ########  $$$ #",
            "#        ########     @#",
            "########################",
        ];
        let level = level_of(&rows, &[]).expect("a level");
        let start = Sbokena::start(&level).expect("it can be played");
        let mut probe = Probe::new(Limits::default());
        let base = Base::new(Position::new(&level, &start), Detail::Search, &mut probe).expect("no limit");
        let task = Task::new(&base, By::Push);
        let left = |wide| undo_all(&base, &task, Way { use_up: true, wide }, &mut Probe::new(Limits::default()));
        assert!(left(false).expect("no limit").1 > 0, "greedy, it begins in the larger room and stays there");
        let (undone, left) = left(true).expect("no limit");
        assert_eq!(left, 0);
        let aside = undone.iter().filter(|u| matches!(u, Undo::Aside(..))).count();
        assert!(aside >= 1, "the first of the two that goes through is parked");
        let sets = plan(&base, &task, true, &mut probe).expect("no limit");
        let mut last = sets.last().expect("steps").clone();
        last.sort_unstable();
        assert_eq!(last, task.to);
    }
}
