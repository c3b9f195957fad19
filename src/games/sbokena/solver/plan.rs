//! A plan for filling the wanted cells, with parking: found backwards, by taking boxes off a board on which all of them are covered.
//!
//! Only the boxes on wanted cells are on the board; those still to come are thought of as away. A box that can be moved back to a cell where one stood
//! in the beginning is taken off, and that cell is used up. Where no box can be, one is moved aside: read forwards, a box that is parked first
//! and brought to its place later. What is taken off last is to be filled first. The search is greedy (most boxes off first, then fewest pulled aside) and
//! bounded; where it does not come to an end the boxes that are left are to be placed first, in any order.
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
use std::{cmp::Reverse, collections::BinaryHeap};

/// One thing done to the board backwards.
#[derive(Clone, Copy, Debug)]
enum Undo {
    /// The box on this cell is taken off.
    Off(u16),
    /// The box on the first cell is moved to the second.
    Aside(u16, u16),
}

struct Node {
    boxes: Vec<u16>,
    /// The cells where boxes begin that are not used up.
    sources: Vec<u16>,
    player: u16,
    parent: usize,
    undo: Undo,
    aside: u16,
}

/// Positions looked at for a plan.
const MOST_NODES: usize = 600;
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

/// The cells that are to be filled after each step, first to last; the first has none.
pub fn plan(base: &Base, task: &Task, probe: &mut Probe) -> Result<Vec<Vec<u16>>, Stop> {
    let map = &base.position.map;
    if map.directed {
        let starts: Vec<u16> = base.position.boxes.iter().map(|b| b.1).collect();
        let cells: Vec<u16> = order(map, &starts, probe)?.into_iter().map(|g| map.goals[g]).collect();
        return Ok((0..=cells.len()).map(|k| cells[..k].to_vec()).collect());
    }
    let mut best = undo_all(base, task, true, probe)?;
    if best.1 > 0 {
        let other = undo_all(base, task, false, probe)?;
        if other.1 < best.1 {
            best = other;
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

/// What was done to empty the board, and how many boxes could not be taken off.
fn undo_all(base: &Base, task: &Task, use_up: bool, probe: &mut Probe) -> Result<(Vec<Undo>, usize), Stop> {
    let map = &base.position.map;
    let n = map.len();
    let (walk, macros) = (Walk::default(), Macros::default());
    let mut search = Search { base, task, box_at: vec![0; n], walk, macros, use_up, work: 0 };
    let mut nodes: Vec<Node> = Vec::new();
    let mut queue = BinaryHeap::new();
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
        queue.push((0, Reverse(0), Reverse(n - area), Reverse(nodes.len())));
        let undo = Undo::Off(NONE);
        nodes.push(Node {
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
    while let Some((off, _, _, Reverse(i))) = queue.pop() {
        probe.step()?;
        if nodes[i].boxes.len() < nodes[best].boxes.len() {
            best = i;
        }
        if nodes[i].boxes.is_empty() || looked_at >= MOST_NODES || search.work > MOST_WORK {
            break;
        }
        looked_at += 1;
        for (kid, cost) in search.kids(&nodes[i], i, probe)? {
            probe.step()?;
            if known.insert((kid.boxes.clone(), search.normal(&kid))) {
                let off = off + usize::from(kid.boxes.len() < nodes[i].boxes.len());
                queue.push((off, Reverse(kid.aside), Reverse(cost), Reverse(nodes.len())));
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
    use_up: bool,
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

    /// What can be done next, each with what it costs: boxes off if any can be, else boxes aside.
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
            Node { boxes, sources, player, parent: number, undo, aside: node.aside + u16::from(to.is_some()) }
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
                if let Some(used) = source(to).filter(|_| self.use_up) {
                    sources.remove(used);
                }
                off.push((kid(i, None, sources, player), cost));
                continue;
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
        if off.iter().any(|o| o.1 < UNMOVED) || aside.is_empty() {
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
