//! Feature-space search (Shoham and Schaeffer, FESS) over macro moves.
//!
//! Positions are sorted into cells by their features (`guide.rs`), and the cells take turns: whatever makes progress is followed, and nothing that
//! makes progress of another kind is starved. Every second turn is the best cell's: where the plan is long there are many cells, and in turns alone its end
//! comes late. In its turn a cell gives the unexpanded move with the least weight among all its positions. The few
//! moves that an *advisor* names for a position weigh nothing, the others one and more, the less promising the more; weights add up along the line. So a line of advised moves is
//! followed to its end before anything else in its cell, and no move is left out for good unless it is lost.
//!
//! In plain levels it can also run backwards, from all goals covered, pulling boxes to where they begin: a tangle at the beginning, which misleads the
//! search from the front, is then the last thing to come to, and its plan says in which order the boxes were taken out of it.
//!
//! The pushes of a line can be limited, and the limit lowered after each line found. Then a position is dropped if the pushes to it and the lower bound from
//! there exceed the limit, and one that is reached again with fewer pushes is searched again.
//!
//! What else is dropped: boxes on dead cells, frozen boxes, positions without a matching, each with the conditions of `bounds.rs`. Positions are
//! distinguished by 64 bits of hash, and the moves of a position are bounded where there are very many, so the end of this search proves nothing.

use super::{
    bounds::{Base, Bounds, Freeze, Share},
    guide::{Features, Guide},
    locks::Locks,
    macros::{By, Carried, Macros},
    map::{Map, NONE},
    matching::{CellSet, Matching},
    opening::Opening,
    pulls::Pulls,
    pushes::{Walk, look_at_clock, step_name},
};
use crate::{
    job::{Probe, Stop},
    search::{assignment::FORBIDDEN, best_first::claim},
};
use rustc_hash::FxHashMap;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap},
    sync::Arc,
};

/// A move of a position: which box, and where it and the player come to.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Move {
    slot: u16,
    to: u16,
    player: u16,
    pushes: u16,
}

#[derive(Clone, Copy)]
struct Node {
    parent: u32,
    came: Move,
    /// To reach it.
    pushes: u32,
    /// A lower bound on the pushes of a line through it; 0 without a limit.
    least: u32,
}

/// Moves of one position that weigh the same, best last.
struct Bundle {
    node: u32,
    moves: Vec<Move>,
    taken: u16,
}

/// After this many moves of a bundle the next ones weigh one more, and where the search is patient.
const TAKEN_TO_WEIGH: u16 = 6;
const TAKEN_TO_WEIGH_PATIENT: u16 = 40;
/// Floods for the moves of one box where walking may be possible one way only.
const MOST_FLOODS: usize = 64;
/// The boxes of a position are not looked at further once there are more moves than this.
const MOST_MOVES: usize = 20_000;
const NOBODY: u32 = u32::MAX;

#[derive(Default)]
struct Cell {
    /// Weight, order of arrival, bundle.
    queue: BinaryHeap<Reverse<(u32, u32, u32)>>,
}

/// What is advised beside what the plan, the regions and the rooms say: in some levels it helps, in others it hurts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// Nothing.
    Plain,
    /// Moves that part boxes from each other.
    Contacts,
    /// These, and moves that make way for the next box of the plan (`opening.rs`), which also tell cells apart.
    Openings,
}

/// Which moves come first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Among equals near ones, and what came first.
    Near,
    /// Among equals far ones, and what came last.
    Far,
    /// The same as `Near`; many moves of a position weigh the same.
    Patient,
}

/// What tells searches of one level apart. None is best everywhere: what misleads one is often easy for another.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// What is advised.
    pub advice: Advice,
    /// Which moves come first.
    pub order: Order,
}

impl Style {
    /// The one that solves the most alone.
    pub const FIRST: Style = Style { advice: Advice::Contacts, order: Order::Near };

    /// What moves that weigh the same are taken by, when this many positions are known.
    fn order_of(self, nodes: usize) -> u32 {
        if self.order == Order::Far { !(nodes as u32) } else { nodes as u32 }
    }

    /// After how many moves of a bundle the next ones weigh one more.
    fn taken_to_weigh(self) -> u16 {
        if self.order == Order::Patient { TAKEN_TO_WEIGH_PATIENT } else { TAKEN_TO_WEIGH }
    }
}

/// What a search backwards knows.
struct Backwards {
    /// For each cell, the boxes of the beginning that can come there, were each alone.
    starts: Vec<CellSet>,
    /// The least cell that the player can walk to in the beginning.
    player: u16,
    matching: Matching,
}

/// The search; it can be taken up again where it stopped.
pub struct FeatureSearch {
    base: Share,
    backwards: Option<Backwards>,
    guide: Arc<Guide>,
    opening: Opening,
    style: Style,
    width: usize,
    words: Vec<u16>,
    nodes: Vec<Node>,
    /// The positions met; with a limit, each by the fewest pushes so far.
    known: FxHashMap<u64, u32>,
    /// The pushes that a line may take; `u32::MAX` for any number.
    most: u32,
    cells: BTreeMap<u64, Cell>,
    /// The cell that had the last turn of its own, and whether the best one is next.
    turn: u64,
    is_best_next: bool,
    bundles: Vec<Bundle>,
    moves: u64,
    // Working memory.
    macros: Macros,
    walk: Walk,
    freeze: Freeze,
    frozen: Vec<u16>,
    bounds: Bounds,
    /// Corrals are looked at in plain levels only.
    locks: Option<Locks>,
    box_at: Vec<u16>,
    open: Vec<bool>,
    region: Vec<u16>,
    stack: Vec<u16>,
    state: Vec<u16>,
    found: Vec<(u64, Features, Move)>,
}

impl FeatureSearch {
    /// A search from where the level begins, by pushes; or by pulls from where it ends: as the guide's plan has it. Lines may take any number of pushes.
    pub fn new(base: Arc<Base>, guide: Arc<Guide>, style: Style, probe: &mut Probe) -> Result<FeatureSearch, Stop> {
        let by = guide.task.by;
        let map = &base.position.map;
        let cells = map.len();
        let locks = (base.is_plain() && by == By::Push).then(Locks::default);
        claim(cells * 64, probe)?;
        let (backwards, starts) = match by {
            By::Push => {
                let mut start: Vec<u16> = base.position.boxes.iter().map(|b| b.1).collect();
                start.push(base.position.player);
                (None, vec![start])
            }
            By::Pull => {
                let (backwards, starts) = Backwards::new(base.clone(), probe)?;
                (Some(backwards), starts)
            }
        };
        let mut search = FeatureSearch {
            guide,
            opening: Opening::default(),
            style,
            width: base.position.boxes.len() + 1,
            words: Vec::new(),
            nodes: Vec::new(),
            known: FxHashMap::default(),
            most: u32::MAX,
            cells: BTreeMap::new(),
            turn: 0,
            is_best_next: false,
            bundles: Vec::new(),
            moves: 0,
            macros: Macros::default(),
            walk: Walk::default(),
            freeze: Freeze::default(),
            frozen: Vec::new(),
            bounds: Bounds::default(),
            locks,
            box_at: vec![0; cells],
            open: vec![false; map.buttons.len()],
            region: vec![0; cells],
            stack: Vec::new(),
            state: Vec::new(),
            found: Vec::new(),
            backwards,
            base: Share::new(base),
        };
        let came = Move { slot: 0, to: NONE, player: NONE, pushes: 0 };
        for start in starts {
            search.state = start;
            search.add(NOBODY, came, 0, probe)?;
        }
        Ok(search)
    }

    /// From now on a line may take at most this many pushes: a limit before the first run, or a lower one after a line.
    pub fn set_most(&mut self, most: u32) {
        self.most = most;
    }

    /// Bytes in use.
    pub fn bytes(&mut self) -> u64 {
        let nodes = self.nodes.capacity() * size_of::<Node>() + self.words.capacity() * 2 + self.known.capacity() * 18;
        let bundles = self.bundles.len() * (size_of::<Bundle>() + 24);
        self.base.bytes()
            + self.bounds.bytes()
            + self.locks.as_ref().map_or(0, Locks::bytes)
            + nodes as u64
            + bundles as u64
            + self.moves * size_of::<Move>() as u64
    }

    fn map_state(&self, node: u32) -> &[u16] {
        let at = node as usize * self.width;
        &self.words[at..at + self.width]
    }

    /// Goes on until there is a solution, as single pushes; nothing if the queue runs dry.
    pub fn run(&mut self, probe: &mut Probe) -> Result<Option<Vec<u32>>, Stop> {
        loop {
            let Some(best) = self.cells.last_key_value().map(|c| *c.0) else { return Ok(None) };
            let turn = if self.is_best_next { best } else { self.next_cell(best) };
            probe.progress.memory = self.bytes();
            probe.tick()?;
            if !self.is_best_next {
                self.turn = turn;
            }
            self.is_best_next = !self.is_best_next;
            let Some(cell) = self.cells.get_mut(&turn) else { return Ok(None) };
            let Some(Reverse((weight, _, id))) = cell.queue.pop() else {
                self.cells.remove(&turn);
                continue;
            };
            let bundle = &mut self.bundles[id as usize];
            let Some(mv) = bundle.moves.pop() else { continue };
            bundle.taken += 1;
            let parent = bundle.node;
            // The limit may be lower than it was when the position was met.
            let is_past = self.nodes[parent as usize].least > self.most;
            if is_past {
                self.moves -= bundle.moves.len() as u64;
                bundle.moves.clear();
            }
            if bundle.moves.is_empty() {
                bundle.moves = Vec::new();
            } else {
                let heavier = u32::from(bundle.taken % self.style.taken_to_weigh() == 0);
                let order = self.style.order_of(self.nodes.len());
                cell.queue.push(Reverse((weight + heavier, order, id)));
            }
            if cell.queue.is_empty() {
                self.cells.remove(&turn);
            }
            self.moves -= 1;
            if is_past {
                continue;
            }
            let at = parent as usize * self.width;
            self.state.clear();
            self.state.extend_from_slice(&self.words[at..at + self.width]);
            self.state[mv.slot as usize] = mv.to;
            self.state[self.width - 1] = mv.player;
            let added = self.add(parent, mv, weight, probe);
            if added.is_err() {
                self.box_at.fill(0);
            }
            if let Some(goal) = added? {
                return Ok(Some(self.line(goal)));
            }
        }
    }

    /// The cell whose turn it is: the next one below the last, and then the best again.
    fn next_cell(&self, best: u64) -> u64 {
        self.cells.range(..self.turn).next_back().map_or(best, |c| *c.0)
    }

    /// Takes in the position in `state`, the box moved last still in its slot; gives its number if it is a solution.
    fn add(&mut self, parent: u32, came: Move, weight: u32, probe: &mut Probe) -> Result<Option<u32>, Stop> {
        let n = self.width - 1;
        let base = &self.base;
        let map = &base.position.map;
        for (slot, c) in self.state[..n].iter().enumerate() {
            self.box_at[*c as usize] = slot as u16 + 1;
        }
        if map.directed {
            self.open = map.open_doors(&self.box_at);
        }
        self.walk.flood(map, self.state[n], &self.box_at, &self.open);
        let player = self.walk.least_of_part(map, self.state[n], &self.box_at, &self.open);
        let mut boxes: Vec<u16> = self.state[..n].to_vec();
        sort_within_kinds(&mut boxes, &base.kinds);
        let hash = hash_of(&boxes, player);
        let before = if parent == NOBODY { 0 } else { self.nodes[parent as usize].pushes };
        let pushes = before + u32::from(came.pushes);
        let is_new = self.known.get(&hash).is_none_or(|least| self.most < u32::MAX && pushes < *least);
        let mut result = None;
        if is_new {
            let start = parent == NOBODY;
            let least = if start { Some(0) } else { self.least(came.slot as usize, pushes, probe)? };
            let id = self.nodes.len() as u32;
            self.known.insert(hash, pushes);
            if let Some(least) = least {
                for (slot, c) in boxes.iter().enumerate() {
                    self.box_at[*c as usize] = slot as u16 + 1;
                }
                self.words.extend_from_slice(&boxes);
                self.words.push(player);
                self.nodes.push(Node { parent, came, pushes, least });
                let covered = boxes.iter().filter(|c| self.guide.task.wanted[**c as usize]).count();
                let stands_right = self.backwards.as_ref().is_none_or(|b| b.player == player);
                if !start && covered == self.guide.task.to.len() && stands_right {
                    result = Some(id);
                } else {
                    self.expand(id, weight, probe)?;
                }
            }
        }
        for c in &boxes {
            self.box_at[*c as usize] = 0;
        }
        Ok(result)
    }

    /// A lower bound on the pushes of a line through the position in `state`, which took `pushes` to reach; 0 without a limit. Nothing if the position is lost,
    /// or the bound exceeds the limit. The box in `slot` was moved last.
    fn least(&mut self, slot: usize, pushes: u32, probe: &mut Probe) -> Result<Option<u32>, Stop> {
        let n = self.width - 1;
        let base = &self.base;
        let boxes = &self.state[..n];
        if let Some(Backwards { starts, matching, .. }) = &mut self.backwards {
            matching.sets.clear();
            matching.sets.extend(boxes.iter().map(|c| starts[*c as usize]));
            return Ok(matching.covers(n, probe)?.then_some(0));
        }
        let is_goal = &base.position.map.is_goal;
        let frozen = self.freeze.frozen_with(base, slot, boxes, &self.box_at, probe)?;
        if frozen.iter().filter(|s| !is_goal[boxes[**s as usize] as usize]).count() > base.spare {
            return Ok(None);
        }
        let player = self.state[n];
        if let Some(locks) = &mut self.locks {
            let reached = |c| self.walk.reached(c);
            if locks.holds_set(boxes[slot], &self.box_at, player)
                || locks.has_lost_corral(base, boxes, &self.box_at, player, reached, probe)?
            {
                return Ok(None);
            }
        }
        self.freeze.all_frozen(base, boxes, &self.box_at, &mut self.frozen, probe)?;
        if self.most == u32::MAX {
            return Ok(self.bounds.can_match(base, boxes, player, &self.frozen, probe)?.then_some(0));
        }
        let least = self.bounds.least_pushes(base, boxes, player, &self.frozen, probe)?;
        let Some(least) = least.map(|l| l + pushes).filter(|l| *l <= self.most) else { return Ok(None) };
        if !base.is_plain() {
            return Ok(Some(least));
        }
        let waste = self.bounds.waste(base, boxes, &self.box_at, player, &self.frozen, probe)?;
        Ok(waste.map(|waste| waste + least).filter(|l| *l <= self.most))
    }

    /// Labels the regions of the floor; gives their number.
    fn label(&mut self) -> u8 {
        let map = &self.base.position.map;
        self.region.fill(0);
        let mut count = 0;
        for c in 0..map.len() as u16 {
            if self.region[c as usize] > 0 || self.box_at[c as usize] > 0 {
                continue;
            }
            count += 1;
            self.region[c as usize] = count;
            self.stack.push(c);
            while let Some(c) = self.stack.pop() {
                for (to, _) in map.hop[c as usize] {
                    if to != NONE && self.region[to as usize] == 0 && self.box_at[to as usize] == 0 {
                        self.region[to as usize] = count;
                        self.stack.push(to);
                    }
                }
            }
        }
        count.min(250) as u8
    }

    /// Finds the moves of a new position, which the player has been flooded through, and puts them in its cell's queue.
    fn expand(&mut self, id: u32, weight: u32, probe: &mut Probe) -> Result<(), Stop> {
        let n = self.width - 1;
        let at = id as usize * self.width;
        self.state.clear();
        self.state.extend_from_slice(&self.words[at..at + self.width]);
        if probe.heat.is_some() {
            let map = &self.base.position.map;
            for c in &self.state {
                probe.visit(map.number.size().index(map.cells[*c as usize]));
            }
        }
        let regions = self.label();
        let base = self.base.tables();
        let map = &base.position.map;
        let (full, but_one) = self.guide.filled(&self.state[..n]);
        let level = 127 - (full | 1).leading_zeros() as u8;
        let astray = self.guide.astray(level, self.state[..n].iter().copied());
        let mut in_link = [0u8; 256];
        for c in &self.state[..n] {
            let l = self.guide.link[*c as usize] as usize;
            in_link[l] = in_link[l].saturating_add(u8::from(l > 0));
        }
        let links = in_link.iter().filter(|l| **l > 0).count() as u8;
        let beside = |c: &u16| u32::from(count_beside(map, &self.guide, &self.box_at, level, *c, *c));
        let contacts = (self.state[..n].iter().map(beside).sum::<u32>() / 2).min(250) as u8;
        if self.style.advice == Advice::Openings {
            self.opening.look(map, &self.guide, level, &self.box_at, self.state[n]);
        }
        let now = Features { level, astray, regions, links, contacts, blocked: self.opening.blocked };
        self.found.clear();
        let player = self.state[n];
        if map.directed {
            self.walk.flood(map, player, &self.box_at, &self.open);
        } else {
            self.macros.survey(map, &self.box_at);
        }
        for slot in 0..n {
            let at = self.state[slot];
            let kind = base.kinds[slot] as usize;
            let movable = (0..4).any(|d| {
                let (stand, to) = match self.guide.task.by {
                    By::Push => (map.behind[at as usize][d].0, map.push[kind][at as usize][d]),
                    By::Pull => {
                        let near = map.hop[at as usize][d].0;
                        (near, if near == NONE { NONE } else { map.hop[near as usize][d].0 })
                    }
                };
                stand != NONE && to != NONE && self.walk.reached(stand) && self.box_at[to as usize] == 0
            });
            if !movable || self.found.len() > MOST_MOVES {
                continue;
            }
            look_at_clock(map.len(), probe)?;
            self.spread(slot, at, player);
            let mut near: Vec<u16> =
                map.hop[at as usize].iter().filter(|h| h.0 != NONE).map(|h| self.region[h.0 as usize]).collect();
            near.retain(|r| *r > 0);
            near.sort_unstable();
            near.dedup();
            let (from_within, from_link) = (self.guide.within[at as usize], self.guide.link[at as usize] as usize);
            let at_old = count_beside(map, &self.guide, &self.box_at, level, at, at);
            for &Carried { to, player, steps, parts } in &self.macros.found {
                if steps == 0 {
                    continue;
                }
                let within = self.guide.within[to as usize];
                let then = (full | but_one & within) & !from_within | full & from_within & within;
                let level = 127 - (then | 1).leading_zeros() as u8;
                let astray = if level == now.level {
                    let bit = 1u128 << level;
                    let counts = |c: u16| {
                        u8::from(self.guide.cut_off[c as usize] & bit != 0 && self.guide.within[c as usize] & bit == 0)
                    };
                    astray + counts(to) - counts(at)
                } else {
                    let others = self.state[..n].iter().enumerate().map(|(s, c)| if s == slot { to } else { *c });
                    self.guide.astray(level, others)
                };
                let regions = if map.directed { regions } else { (regions + parts).saturating_sub(near.len() as u8) };
                let to_link = self.guide.link[to as usize] as usize;
                let mut links = links;
                if to_link != from_link {
                    links += u8::from(to_link > 0 && in_link[to_link] == 0);
                    links -= u8::from(from_link > 0 && in_link[from_link] == 1);
                }
                let at_new = count_beside(map, &self.guide, &self.box_at, now.level.max(level), to, at);
                let contacts = (contacts + at_new).saturating_sub(at_old);
                let blocked = now.blocked - u8::from(now.blocked > 0 && self.opening.opens(at, to));
                let features = Features { level, astray, regions, links, contacts, blocked };
                let shown =
                    if self.style.advice == Advice::Plain { Features { contacts: 0, ..features } } else { features };
                // Among equals, the one with fewer pushes, or with more.
                let near = if self.style.order == Order::Far { steps } else { u16::MAX - steps };
                let key = shown.rank() << 16 | u64::from(near);
                self.found.push((key, features, Move { slot: slot as u16, to, player, pushes: steps }));
            }
        }
        self.queue_moves(id, now, weight);
        Ok(())
    }

    /// Finds where the box in a slot can be moved to. The floor must have been surveyed, or the player flooded where it is directed.
    fn spread(&mut self, slot: usize, at: u16, player: u16) {
        let (base, map) = (&self.base, &self.base.position.map);
        let kind = base.kinds[slot] as usize;
        let avoid = |c: u16| match &self.backwards {
            None => base.spare == 0 && base.dead[kind][c as usize],
            Some(b) => b.starts[c as usize].is_empty(),
        };
        if map.directed {
            self.macros.spread_slowly(map, (kind, at), player, &mut self.box_at, avoid, MOST_FLOODS);
        } else {
            let reached = |c| self.walk.reached(c);
            self.macros.spread(map, (kind, at), &mut self.box_at, reached, avoid, self.guide.task.by);
        }
    }

    /// Asks the advisors, and queues what they name and the rest.
    fn queue_moves(&mut self, id: u32, now: Features, weight: u32) {
        if self.found.is_empty() {
            return;
        }
        // Best last.
        self.found.sort_unstable_by_key(|f| f.0);
        let mut advised: Vec<usize> = Vec::new();
        let mut advise = |helps: &dyn Fn(&Features) -> bool, key: &dyn Fn(&Features) -> u32| {
            let best =
                (0..self.found.len()).filter(|i| helps(&self.found[*i].1)).max_by_key(|i| (key(&self.found[*i].1), *i));
            if let Some(best) = best.filter(|b| !advised.contains(b)) {
                advised.push(best);
            }
        };
        advise(&|f| f.level > now.level, &|f| u32::from(f.level));
        advise(&|f| f.astray < now.astray && f.level >= now.level, &|f| 255 - u32::from(f.astray));
        advise(&|f| f.regions < now.regions, &|f| 255 - u32::from(f.regions));
        advise(&|f| f.links < now.links, &|f| 255 - u32::from(f.links));
        advise(&|f| f.blocked < now.blocked && f.level >= now.level, &|_| 0);
        let calm = |f: &Features| f.level >= now.level && f.regions <= now.regions && f.astray <= now.astray;
        if self.style.advice != Advice::Plain {
            advise(&|f| f.contacts < now.contacts && calm(f), &|f| 255 - u32::from(f.contacts));
        }
        advised.sort_unstable();
        let key = now.cell();
        let order = self.style.order_of(self.nodes.len());
        let first: Vec<Move> = advised.iter().map(|i| self.found[*i].2).collect();
        let mut next = advised.iter().copied().peekable();
        let rest: Vec<Move> =
            self.found.iter().enumerate().filter(|(i, _)| next.next_if_eq(i).is_none()).map(|(_, f)| f.2).collect();
        for (moves, weight) in [(first, weight), (rest, weight + 1)] {
            if moves.is_empty() {
                continue;
            }
            self.moves += moves.len() as u64;
            let cell = self.cells.entry(key).or_default();
            cell.queue.push(Reverse((weight, order, self.bundles.len() as u32)));
            self.bundles.push(Bundle { node: id, moves, taken: 0 });
        }
    }

    /// The single pushes to a position.
    fn line(&mut self, goal: u32) -> Vec<u32> {
        let mut way = vec![goal];
        while let Some(node) = way.last().map(|id| self.nodes[*id as usize])
            && node.parent != NOBODY
        {
            way.push(node.parent);
        }
        way.reverse();
        let n = self.width - 1;
        let mut steps = Vec::new();
        for pair in way.windows(2) {
            let came = self.nodes[pair[1] as usize].came;
            let state = self.map_state(pair[0]).to_vec();
            for (slot, c) in state[..n].iter().enumerate() {
                self.box_at[*c as usize] = slot as u16 + 1;
            }
            let (at, slot) = (state[came.slot as usize], came.slot as usize);
            let base = self.base.tables();
            let map = &base.position.map;
            let open = map.open_doors(&self.box_at);
            self.walk.flood(map, state[n], &self.box_at, &open);
            if !map.directed {
                self.macros.survey(map, &self.box_at);
            }
            self.spread(slot, at, state[n]);
            let is_it = |f: &Carried| f.steps > 0 && (f.to, f.player) == (came.to, came.player);
            if let Some(i) = self.macros.found.iter().position(is_it) {
                let of_push = |(at, d): (u16, u8)| match self.guide.task.by {
                    By::Push => step_name(at, d as usize),
                    By::Pull => step_name(map.hop[at as usize][d as usize].0, (d as usize + 2) % 4),
                };
                steps.extend(self.macros.steps_to(i).into_iter().map(of_push));
            }
            for c in &state[..n] {
                self.box_at[*c as usize] = 0;
            }
        }
        if self.guide.task.by == By::Pull {
            steps.reverse();
        }
        steps
    }
}

impl Backwards {
    /// With the positions that it begins with.
    fn new(base: Arc<Base>, probe: &mut Probe) -> Result<(Backwards, Vec<Vec<u16>>), Stop> {
        let cells = base.position.map.len();
        claim(cells * size_of::<CellSet>(), probe)?;
        let mut pulls = Pulls::new(base, probe)?;
        let mut starts = vec![CellSet::EMPTY; cells];
        for (i, far) in pulls.far.chunks_exact(cells).enumerate() {
            for (set, _) in starts.iter_mut().zip(far).filter(|f| *f.1 != FORBIDDEN) {
                set.insert(i);
            }
        }
        let player = pulls.wanted.last().copied().unwrap_or(NONE);
        Ok((Backwards { starts, player, matching: Matching::default() }, pulls.starts(probe)?))
    }
}

/// The boxes beside a cell, but for the one on `but`, that the plan does not have there yet; none if the plan wants this cell filled.
fn count_beside(map: &Map, guide: &Guide, box_at: &[u16], level: u8, c: u16, but: u16) -> u8 {
    let out = |c: u16| guide.within[c as usize] >> level & 1 == 0;
    let counts = |to: u16| to != NONE && to != but && box_at[to as usize] > 0 && out(to);
    if out(c) { map.hop[c as usize].iter().filter(|h| counts(h.0)).count() as u8 } else { 0 }
}

fn sort_within_kinds(boxes: &mut [u16], kinds: &[u8]) {
    let mut from = 0;
    for to in 1..=boxes.len() {
        if to == boxes.len() || kinds[to] != kinds[from] {
            boxes[from..to].sort_unstable();
            from = to;
        }
    }
}

pub fn hash_of(boxes: &[u16], player: u16) -> u64 {
    let mut hash = u64::from(player).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for &w in boxes {
        hash = (hash ^ u64::from(w)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^= hash >> 32;
    }
    hash
}
