//! The fewest slides, with nobody in the way.
//!
//! Tiles never leave their connected part of the open squares, so each part is a puzzle of its own and the fewest slides add up.
//! [`reach`] says at once, as a proof, that a part with one gap cannot be put in order; what is left to search has a solution.
//!
//! **One gap.** IDA* with the pattern tables ([`super::patterns`]) as far as a few thousand nodes go: that answers most boards a person
//! would play. Beyond, narrow beams give a first line in milliseconds, and from then on IDA* (which proves) and wider and wider beams
//! (which improve) take turns by node counts. Where the proof looks within reach, that is, where the best line is not much longer than
//! the first bound, IDA* gets the larger share; on a board such as Korf's, whose proof takes hours, the beams do. A line as
//! long as the proven bound is optimal whoever found it.
//!
//! **Several gaps.** Slides into different gaps commute, so a depth-first search would meet every board many times over: A* with a table of
//! boards instead, first a little of it, then beams, then all of it. When it runs dry there is no solution: the proof where [`reach`] cannot tell.

use super::{
    super::{
        field::{Board, Field},
        reach::{self, Verdict},
    },
    patterns::Patterns,
    tables,
    walk::{Boards, Node, Slide, Walker},
};
use crate::{
    job::{Limits, Probe, Stop},
    search::{beam, beam::Spread as _, ida},
};
use rustc_hash::FxHashMap;

/// Nodes of the first attempt.
const FIRST: u64 = 20_000;
/// The widest beam: some 200 MB.
const WIDEST: usize = 400_000;
/// How much longer than the first bound a line may be for its proof to look within reach. A round costs about seven times the one
/// before, two slides less: this is some ten to a hundred million nodes.
const WITHIN_REACH: u32 = 18;
/// How many times what was spent so far the next rounds get where the proof looks within reach. A round that runs out of nodes is begun anew
/// the next time, so few long turns waste less than many short ones; by then a beam has mostly found the best line there is.
const PROOF_SHARE: u64 = 16;
/// What A* may use where no limit is set.
const MEMORY: u64 = 2 << 30;

/// What is known about a part, or the sum over the parts.
pub(in super::super) struct Known {
    /// The best line so far.
    pub line: Option<Vec<Slide>>,
    /// No line is shorter: proven.
    pub bound: u32,
    /// Why it ended before the two met.
    pub stop: Option<Stop>,
    /// There is no line: proven.
    pub none: bool,
}

/// Which tables to use.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Tables {
    /// The small ones only: the same answers within the same nodes on every machine.
    Small,
    /// The best at hand.
    Best,
}

/// Solves a board; tells of every better line.
pub(in super::super) fn solve(
    field: &Field,
    board: &Board,
    tables: Tables,
    probe: &mut Probe,
    found: &mut dyn FnMut(&[Slide]),
) -> Known {
    if let Verdict::No(_) = reach::verdict(field, board) {
        return Known { line: None, bound: 0, stop: None, none: true };
    }
    let parts = field.split(board);
    if let [(field, board)] = parts.as_slice() {
        return part(field, board, tables, probe, found);
    }
    let mut all = Known { line: Some(Vec::new()), bound: 0, stop: None, none: false };
    for (field, board) in &parts {
        let known = part(field, board, tables, probe, &mut |_| ());
        if known.none {
            return known;
        }
        all.bound += known.bound;
        all.stop = all.stop.or(known.stop);
        all.line = all.line.zip(known.line).map(|(mut line, more)| {
            line.extend(more);
            line
        });
    }
    if let Some(line) = &all.line {
        probe.found(line.len() as u32);
        found(line);
    }
    all
}

fn part(field: &Field, board: &Board, tables: Tables, probe: &mut Probe, found: &mut dyn FnMut(&[Slide])) -> Known {
    let patterns = if tables == Tables::Best { tables::best(field) } else { tables::small(field) };
    let mut search = Search {
        field,
        patterns: &patterns,
        space: Boards::new(field, &patterns),
        board: *board,
        best: None,
        bound: 0,
        probe,
        found,
    };
    let (stop, none) = match if field.gaps == 1 { search.one_gap() } else { search.several_gaps() } {
        Ok(any) => (None, !any),
        Err(stop) => (Some(stop), false),
    };
    Known { line: search.best, bound: search.bound, stop, none }
}

struct Search<'a> {
    field: &'a Field,
    patterns: &'a Patterns,
    space: Boards<'a>,
    board: Board,
    best: Option<Vec<Slide>>,
    bound: u32,
    probe: &'a mut Probe,
    found: &'a mut dyn FnMut(&[Slide]),
}

impl Search<'_> {
    fn better(&mut self, line: Vec<Slide>) {
        if self.best.as_ref().is_none_or(|b| line.len() < b.len()) {
            self.probe.found(line.len() as u32);
            (self.found)(&line);
            self.best = Some(line);
        }
    }

    fn proven(&self) -> bool {
        self.best.as_ref().is_some_and(|b| b.len() as u32 <= self.bound)
    }

    fn raise(&mut self, bound: u32) {
        self.bound = self.bound.max(bound);
        self.probe.progress.bound = self.bound;
    }

    /// The best line is shorter than this.
    fn below(&self) -> u32 {
        self.best.as_ref().map_or(u32::MAX, |b| b.len() as u32)
    }

    /// Rounds of IDA* within some nodes. A stop of the whole search is an error; running out of these nodes is not.
    fn rounds(&mut self, nodes: u64) -> Result<(), Stop> {
        let mut walker = Walker::new(self.field, self.patterns, &self.board);
        let end = self.probe.progress.nodes.saturating_add(nodes);
        let own = self.probe.limits().nodes;
        while !self.proven() {
            let limit = self.bound.max(ida::Walk::bound(&walker));
            match ida::round(&mut walker, limit, end, self.probe) {
                Ok(ida::Round::Found(line)) => {
                    self.raise(line.len() as u32);
                    self.better(line);
                }
                Ok(ida::Round::Next(next)) => self.raise(next),
                Err(Stop::Nodes) if own.is_none_or(|own| end < own) => return Ok(()),
                Err(stop) => return Err(stop),
            }
        }
        Ok(())
    }

    fn beam(&mut self, width: usize) -> Result<(), Stop> {
        let start = self.space.node(&self.board);
        // A narrow beam can go round in circles: no line worth showing is as long as this.
        let below = self.below().min(3 * start.sums.bound() + 300);
        let line = beam::search(&self.space, &start, width, below, self.probe)?;
        if let Some(line) = line {
            self.better(line);
        }
        Ok(())
    }

    fn one_gap(&mut self) -> Result<bool, Stop> {
        self.raise(self.patterns.sums(&self.board).bound());
        let first = self.bound;
        self.rounds(FIRST)?;
        let mut width = 100;
        let mut spent = FIRST;
        while !self.proven() {
            let before = self.probe.progress.nodes;
            if width <= WIDEST {
                self.beam(width)?;
            }
            let beam = self.probe.progress.nodes - before;
            spent += beam;
            let near = self.below() <= first + WITHIN_REACH;
            let nodes = match (width <= WIDEST, near) {
                (false, _) => u64::MAX,
                (true, true) => spent.saturating_mul(PROOF_SHARE),
                (true, false) => beam / 8,
            };
            spent = spent.saturating_add(nodes);
            self.rounds(nodes)?;
            width = width.saturating_mul(if width < 10_000 { 10 } else { 3 });
        }
        Ok(true)
    }

    fn several_gaps(&mut self) -> Result<bool, Stop> {
        let start = self.space.node(&self.board);
        self.raise(start.sums.bound());
        if let Some(any) = self.astar(start, FIRST)? {
            return Ok(any);
        }
        for width in [100, 1000, 10_000] {
            // A beam never ends on a space without a goal; a node limit of its own sees to that.
            let mut part = self.probe.part(width as u64 * 400);
            let line = beam::search(&self.space, &start, width, self.below(), &mut part);
            self.probe.absorb(&part);
            self.probe.check()?;
            match line {
                Ok(Some(line)) => self.better(line),
                Ok(None) | Err(Stop::Nodes) => (),
                Err(stop) => return Err(stop),
            }
            if self.proven() {
                return Ok(true);
            }
        }
        Ok(self.astar(start, u64::MAX)?.unwrap_or(true))
    }

    /// A* over boards; whether there is a line, or `None` if that is not known after so many nodes.
    fn astar(&mut self, start: Node, nodes: u64) -> Result<Option<bool>, Stop> {
        let end = self.probe.progress.nodes.saturating_add(nodes);
        let memory = self.probe.limits().memory.unwrap_or(MEMORY);
        let mut known: FxHashMap<Board, (u16, Option<Slide>)> = FxHashMap::default();
        let mut queue: Vec<Vec<(Node, u16)>> = Vec::new();
        known.insert(start.board, (0, None));
        push(&mut queue, start.sums.bound(), (start, 0));
        let mut f = 0;
        let mut waiting = 1u64;
        while f < queue.len() {
            let Some((node, cost)) = queue[f].pop() else {
                f += 1;
                continue;
            };
            waiting -= 1;
            if known.get(&node.board).is_some_and(|(least, _)| *least < cost) {
                continue;
            }
            self.raise(f as u32);
            if self.proven() {
                return Ok(Some(true));
            }
            if self.space.done(&node) {
                let line = way(&known, node.board);
                self.better(line);
                return Ok(Some(true));
            }
            if self.probe.progress.nodes >= end {
                return Ok(None);
            }
            self.probe.tick()?;
            self.space.places(&node).for_each(|cell| self.probe.visit(cell));
            let entry = size_of::<(Board, (u16, Option<Slide>))>() as u64 + 1;
            self.probe.progress.frontier = waiting;
            self.probe.progress.memory =
                known.capacity() as u64 * entry * 8 / 7 + waiting * size_of::<(Node, u16)>() as u64;
            if self.probe.progress.memory > memory {
                return Err(Stop::Memory);
            }
            for slide in self.space.slides(&node) {
                let child = self.space.child(&node, slide);
                let reached = cost + 1;
                let total = u32::from(reached) + child.sums.bound();
                let better = known.get(&child.board).is_none_or(|(least, _)| reached < *least);
                if better && total < self.below() {
                    known.insert(child.board, (reached, Some(slide)));
                    push(&mut queue, total, (child, reached));
                    waiting += 1;
                }
            }
        }
        // Nothing shorter than the best line is left.
        self.raise(self.best.as_ref().map_or(0, |b| b.len() as u32));
        Ok(Some(self.best.is_some()))
    }
}

fn push<T>(queue: &mut Vec<Vec<T>>, f: u32, item: T) {
    let f = f as usize;
    queue.resize_with(queue.len().max(f + 1), Vec::new);
    queue[f].push(item);
}

/// The way to a board, by taking back the slides that led to it.
fn way(known: &FxHashMap<Board, (u16, Option<Slide>)>, mut board: Board) -> Vec<Slide> {
    let mut line = Vec::new();
    while let Some((_, Some(slide))) = known.get(&board) {
        board.0.swap(slide.from.into(), slide.to.into());
        line.push(*slide);
    }
    line.reverse();
    line
}

/// The exact distance of a board with one gap, or as near as some nodes get: never more than the true one. Uses only the small tables, so the
/// answer is the same on every machine.
pub(in super::super) fn distance(field: &Field, patterns: &Patterns, board: &Board, nodes: u64) -> (u32, bool, u64) {
    let mut walker = Walker::new(field, patterns, board);
    let mut probe = Probe::new(Limits::nodes(nodes));
    match ida::search(&mut walker, &mut probe) {
        Ok(Some(line)) => (line.len() as u32, true, probe.progress.nodes),
        _ => (probe.progress.bound, false, probe.progress.nodes),
    }
}
