//! Shortening a solution: the same boxes by shorter ways.
//!
//! A line found by macro moves brings boxes to places where they wait and fetches them later; one found greedily makes detours. Two things are tried in turn,
//! each with more effort than the time before, as long as there is time:
//!
//! - **One move of a box instead of several.** Two runs of pushes of the same box, and those between them, become one way straight from where the first began to
//!   where the last ended, made at the time of one of them. The rest of the line must still be possible.
//! - **Leaving the line and coming back.** From a position of the line a search over single pushes, of those boxes only that the line moves soon, looks for a later
//!   position of the line by fewer pushes.
//!
//! A changed line is pushed through from the change to the end before it takes the place of the old one, so a line is never worse than the one before. Nothing
//! here proves anything.

use super::{
    bounds::Base,
    macros::{By, Macros},
    map::{Map, NONE},
    pushes::{Count, Pushes, Walk, step_name},
};
use crate::{
    grid::Dir,
    job::{Probe, Stop},
    search::best_first::{Space as _, Successors, claim},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How many runs of a box are made one at most, and at how many times that is tried.
const MOST_RUNS: usize = 4;
const MOST_TIMES: usize = 6;
/// Positions of the first searches away from the line; four times as many in each round after it.
const FIRST_POSITIONS: usize = 250;
/// Rounds without a gain after which there is no more to hope for.
const LAST_ROUND: u32 = 3;
/// How many pushes of the line ahead say which boxes a search moves.
const AHEAD: usize = 48;

/// A board on which pushes are made.
#[derive(Clone)]
struct Board {
    /// The kind of the box on a cell, from 1.
    box_at: Vec<u16>,
    player: u16,
}

/// Pushes of one box in a row.
#[derive(Clone, Copy)]
struct Run {
    /// The first push and the one after the last.
    from: usize,
    to: usize,
    /// Where the box is before and after.
    start: u16,
    end: u16,
}

/// A line that is being shortened.
pub struct Shorten {
    base: Arc<Base>,
    walk: Walk,
    macros: Macros,
    steps: Vec<u32>,
    /// The board before each push, and after the last.
    boards: Vec<Board>,
    /// The first of these positions as the space of pushes names them.
    names: Vec<Vec<u16>>,
    round: u32,
    /// Which of a round's trials is next.
    at: usize,
    gained: bool,
}

impl Shorten {
    /// Begins with a line of moves; nothing if it cannot be made on the map.
    pub fn new(base: Arc<Base>, line: &[Dir], probe: &mut Probe) -> Result<Option<Shorten>, Stop> {
        let position = &base.position;
        let mut box_at = vec![0; position.map.len()];
        position.boxes.iter().for_each(|(kind, c)| box_at[*c as usize] = *kind as u16 + 1);
        let first = Board { box_at, player: position.player };
        let Some(steps) = pushes_of(&position.map, first.clone(), line) else { return Ok(None) };
        let (walk, macros) = Default::default();
        let (steps_now, names, boards) = (Vec::new(), Vec::new(), vec![first]);
        let mut shorten =
            Shorten { base, walk, macros, steps: steps_now, boards, names, round: 0, at: 0, gained: false };
        Ok(shorten.replace(0, steps, probe)?.then_some(shorten))
    }

    /// The pushes of the line as it is now.
    pub fn steps(&self) -> &[u32] {
        &self.steps
    }

    /// Nodes that the next trial may need.
    pub fn next_nodes(&self) -> u64 {
        (20_000 + FIRST_POSITIONS as u64) << (2 * self.round)
    }

    /// Looks for a shorter line: true if there is one now, false if nothing more is to be hoped for.
    pub fn run(&mut self, probe: &mut Probe) -> Result<bool, Stop> {
        loop {
            let runs = self.runs();
            // After all runs a search from every few pushes: the further they look, the fewer they are.
            let from = self.at.saturating_sub(runs.len()) * (1 + self.round as usize);
            if from < self.steps.len() {
                let shorter = if self.at < runs.len() {
                    self.join(&runs, self.at, probe)?
                } else {
                    let before = probe.progress.memory;
                    let shorter = self.leave_and_return(from, probe);
                    // Also where it was cut short.
                    probe.progress.memory = before;
                    shorter?
                };
                // Only now: a trial that was cut short is made again.
                self.at += 1;
                self.gained |= shorter;
                if shorter {
                    return Ok(true);
                }
                continue;
            }
            if !self.gained {
                self.round += 1;
            }
            if self.round > LAST_ROUND {
                return Ok(false);
            }
            (self.at, self.gained) = (0, false);
        }
    }

    /// All runs, in the order of the line.
    fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for (i, step) in self.steps.iter().enumerate() {
            let (at, d) = parts(*step);
            let end = self.target(i, at, d);
            match runs.last_mut() {
                Some(run) if run.end == at => (run.to, run.end) = (i + 1, end),
                _ => runs.push(Run { from: i, to: i + 1, start: at, end }),
            }
        }
        runs
    }

    fn target(&self, i: usize, at: u16, d: usize) -> u16 {
        let kind = self.boards[i].box_at[at as usize] as usize - 1;
        self.base.position.map.push[kind][at as usize][d]
    }

    /// Tries to make a run and the next ones of the same box one way.
    fn join(&mut self, runs: &[Run], first: usize, probe: &mut Probe) -> Result<bool, Stop> {
        let mut chain = vec![first];
        let mut removed = 0;
        while let Some(run) = chain.last().map(|r| runs[*r]) {
            removed += run.to - run.from;
            if removed > 1 && self.join_chain(runs, &chain, removed, probe)? {
                return Ok(true);
            }
            if chain.len() == MOST_RUNS {
                break;
            }
            let Some(next) = (chain[chain.len() - 1] + 1..runs.len()).find(|r| runs[*r].start == run.end) else {
                break;
            };
            chain.push(next);
        }
        Ok(false)
    }

    fn join_chain(&mut self, runs: &[Run], chain: &[usize], removed: usize, probe: &mut Probe) -> Result<bool, Stop> {
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        let between = last - first;
        for k in 0..=between.min(MOST_TIMES) {
            // The time: before this run.
            let before = first + k * between / between.clamp(1, MOST_TIMES);
            let rest = |from: usize, to: usize| {
                let kept = (from..to).filter(|r| !chain.contains(r));
                kept.flat_map(|r| self.steps[runs[r].from..runs[r].to].iter().copied()).collect::<Vec<u32>>()
            };
            let (early, late) = (rest(first, before), rest(before, runs.len()));
            let mut board = self.boards[runs[first].from].clone();
            let mut possible = true;
            for step in &early {
                possible = possible && self.push(&mut board, *step, probe)?;
            }
            if !possible {
                continue;
            }
            for way in self.ways(&mut board, runs[first].start, runs[last].end, removed, probe)? {
                let steps = early.iter().copied().chain(way).chain(late.iter().copied()).collect();
                if self.replace(runs[first].from, steps, probe)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The ways of a box to a cell by fewer pushes than these, one for each side of it the player can end on.
    fn ways(
        &mut self,
        board: &mut Board,
        from: u16,
        to: u16,
        below: usize,
        probe: &mut Probe,
    ) -> Result<Vec<Vec<u32>>, Stop> {
        let map = &self.base.position.map;
        let kind = (board.box_at[from as usize] as usize).wrapping_sub(1);
        if from == to {
            return Ok(vec![Vec::new()]);
        }
        if kind >= map.push.len() || board.box_at[to as usize] > 0 {
            return Ok(Vec::new());
        }
        probe.tick()?;
        if map.directed || !map.doors.is_empty() {
            let room = 4 * map.len();
            self.macros.spread_slowly(map, (kind, from), board.player, &mut board.box_at, |_| false, room);
        } else {
            self.walk.flood(map, board.player, &board.box_at, &[]);
            let walk = &self.walk;
            self.macros.survey(map, &board.box_at);
            self.macros.spread(map, (kind, from), &mut board.box_at, |c| walk.reached(c), |_| false, By::Push);
        }
        let found = self.macros.found.iter().enumerate();
        let short = found.filter(|(_, f)| f.to == to && (f.steps as usize) < below).map(|(i, _)| i);
        let name = |i: usize| self.macros.steps_to(i).into_iter().map(|(c, d)| step_name(c, d as usize)).collect();
        Ok(short.map(name).collect())
    }

    /// Searches from a position of the line for a later one by fewer pushes.
    fn leave_and_return(&mut self, from: usize, probe: &mut Probe) -> Result<bool, Stop> {
        let most = FIRST_POSITIONS << (2 * self.round);
        let mut space = Pushes::new(self.base.clone(), Count::Pushes);
        for i in self.names.len()..self.boards.len() {
            probe.step()?;
            self.names.push(self.packed(i, &mut space));
        }
        // Of equal positions the last.
        let later: FxHashMap<&[u16], usize> = (from..self.names.len()).map(|i| (&*self.names[i], i)).collect();
        // Boxes that the line leaves alone for a while stay where they are.
        let mut moves_soon = vec![false; self.base.position.map.len()];
        let mut came_from: FxHashMap<u16, u16> = FxHashMap::default();
        for i in from..self.steps.len().min(from + AHEAD) {
            let (at, d) = parts(self.steps[i]);
            let first = came_from.remove(&at).unwrap_or(at);
            moves_soon[first as usize] = true;
            came_from.insert(self.target(i, at, d), first);
        }
        let stays = |c: u16| self.boards[from].box_at[c as usize] > 0 && !moves_soon[c as usize];
        let start = self.names[from].clone();
        let mut known: FxHashSet<Vec<u16>> = FxHashSet::from_iter([start.clone()]);
        // The states in the order they were met, with where each came from, its step, and its pushes.
        let mut met = vec![(start, 0u32, 0u32, 0u32)];
        let mut best: Option<(usize, u32, usize)> = None;
        let mut next = 0;
        let mut successors = Successors::default();
        while next < met.len() && met.len() < most {
            probe.tick()?;
            let (state, _, _, pushes) = met[next].clone();
            successors.clear();
            space.expand(&state, &mut successors, probe)?;
            for (kid, _, step) in successors.iter(state.len()) {
                if stays(parts(step).0) || known.contains(kid) {
                    continue;
                }
                claim(kid.len() * 4 + 64, probe)?;
                known.insert(kid.to_vec());
                if let Some(&to) = later.get(kid) {
                    let gain = (to - from).saturating_sub(pushes as usize + 1);
                    if gain > best.map_or(0, |b| b.0) {
                        best = Some((gain, met.len() as u32, to));
                    }
                }
                met.push((kid.to_vec(), next as u32, step, pushes + 1));
            }
            next += 1;
        }
        let Some((_, mut node, to)) = best else { return Ok(false) };
        let mut way = Vec::new();
        while node > 0 {
            let (_, parent, step, _) = &met[node as usize];
            way.push(*step);
            node = *parent;
        }
        way.reverse();
        way.extend(&self.steps[to..]);
        self.replace(from, way, probe)
    }

    /// A position of the line as the space of pushes names it.
    fn packed(&self, i: usize, space: &mut Pushes) -> Vec<u16> {
        let board = &self.boards[i];
        let boxes = board.box_at.iter().enumerate().filter(|(_, b)| **b > 0).map(|(c, b)| (*b, c as u16));
        let mut boxes: Vec<(u16, u16)> = boxes.collect();
        boxes.sort_unstable();
        space.named(boxes.into_iter().map(|(_, c)| c).collect(), board.player)
    }

    /// Puts these pushes in the place of all from one on, if they can be made, win, and are fewer. A line without pushes yet takes any that win.
    fn replace(&mut self, from: usize, steps: Vec<u32>, probe: &mut Probe) -> Result<bool, Stop> {
        if !self.steps.is_empty() && from + steps.len() >= self.steps.len() {
            return Ok(false);
        }
        let mut board = self.boards[from].clone();
        let mut boards = vec![board.clone()];
        let mut taken = Vec::new();
        let mut won = false;
        for step in steps {
            if !self.push(&mut board, step, probe)? {
                return Ok(false);
            }
            taken.push(step);
            boards.push(board.clone());
            won = self.base.position.map.goals.iter().all(|g| board.box_at[*g as usize] > 0);
            if won {
                break;
            }
        }
        if !won {
            return Ok(false);
        }
        self.steps.truncate(from);
        self.steps.extend(taken);
        self.boards.truncate(from);
        self.boards.extend(boards);
        self.names.truncate(from);
        Ok(true)
    }

    /// Makes a push, if it is possible.
    fn push(&mut self, board: &mut Board, step: u32, probe: &mut Probe) -> Result<bool, Stop> {
        probe.step()?;
        let map = &self.base.position.map;
        let (at, d) = parts(step);
        let Some(kind) = (board.box_at[at as usize] as usize).checked_sub(1) else { return Ok(false) };
        let (behind, to) = (map.behind[at as usize][d].0, map.push[kind][at as usize][d]);
        if behind == NONE || to == NONE || to == behind || to == at || board.box_at[to as usize] > 0 {
            return Ok(false);
        }
        let open = map.open_doors(&board.box_at);
        let door = map.door[to as usize];
        if door != NONE && !open[door as usize] && map.opens[behind as usize] != door {
            return Ok(false);
        }
        if behind != board.player {
            self.walk.flood(map, board.player, &board.box_at, &open);
            if !self.walk.reached(behind) {
                return Ok(false);
            }
        }
        board.box_at[to as usize] = std::mem::take(&mut board.box_at[at as usize]);
        board.player = at;
        Ok(true)
    }
}

fn parts(step: u32) -> (u16, usize) {
    ((step / 4) as u16, (step % 4) as usize)
}

/// The pushes of a line of moves.
fn pushes_of(map: &Map, mut board: Board, line: &[Dir]) -> Option<Vec<u32>> {
    let mut steps = Vec::new();
    for dir in line {
        let (to, arrives) = *map.hop.get(board.player as usize)?.get(*dir as usize)?;
        if to == NONE {
            return None;
        }
        let kind = board.box_at[to as usize] as usize;
        if kind > 0 {
            let next = map.push[kind - 1][to as usize][arrives as usize];
            if next == NONE {
                return None;
            }
            board.box_at[next as usize] = std::mem::take(&mut board.box_at[to as usize]);
            steps.push(step_name(to, arrives as usize));
        }
        board.player = to;
    }
    Some(steps)
}
