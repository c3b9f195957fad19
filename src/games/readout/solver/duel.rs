//! A line that wins against the opponent.
//!
//! The opponent is deterministic, so a duel is a search like any other: a step is the player's move together with the answer to it. A position
//! is all that the rules know (obstacles, what was spent, the turns used), so it is a tree of turns rather than a board to walk about in, and each
//! step costs a thought of the opponent.
//!
//! First beams, layer by layer over the player's turns, keeping the positions with the fewest slides to go and the fewest obstacles still
//! to come. When a line is found (or the widest beam found none), the proof: all positions whose slides so far and solo distance stay within a limit, the
//! limit growing. The solo distance never exceeds the slides a duel still needs, since obstacles only ever forbid slides; so a
//! limit that leaves no position is a proof that no line is that short, and a limit beyond the last turn is a proof that nobody can win.

use super::super::{
    level::{Level, Opponent},
    opponent::{self, Gauge},
    rules::{self, Ending, Move, Side, State},
};
use crate::job::{Probe, Stop};
use rustc_hash::FxHashSet;

/// The widths of the beams.
const WIDTHS: [usize; 4] = [4, 24, 120, 500];
/// Positions kept in one layer of a proof.
const MOST: usize = 400_000;
/// Nodes for the solo distance of one position, and in a beam's rank.
const EXACT: u64 = 300_000;
const RANK: u64 = 3_000;

/// What came of it.
pub(super) enum Duel {
    /// A line that wins, and whether none is shorter.
    Won { line: Vec<Move>, bound: u32, stop: Option<Stop> },
    /// Nobody wins this: proven.
    Hopeless,
    /// Not known.
    Open { bound: u32, stop: Stop },
}

struct Step {
    parent: usize,
    mv: Move,
}

/// A position in a layer, with the step that led to it.
struct Entry {
    state: State,
    step: usize,
}

enum Layered {
    Won(Vec<Move>),
    /// Nothing is left; whether anything was cut away on the way.
    Dry {
        cut: bool,
    },
}

pub(super) fn solve(level: &Level, from: &State, probe: &mut Probe, found: &mut dyn FnMut(&[Move])) -> Duel {
    let mut start = from.clone();
    if start.ending.is_none() && start.turn == Side::Opponent {
        // The line begins after the answer that is due.
        match answered(level, &mut start, probe) {
            Ok(()) => (),
            Err(stop) => return Duel::Open { bound: 0, stop },
        }
    }
    match start.ending {
        Some(Ending::Won) => return Duel::Won { line: Vec::new(), bound: 0, stop: None },
        Some(_) => return Duel::Hopeless,
        None => (),
    }
    let Some((gauge, _)) = Gauge::new(&start, EXACT, u64::MAX) else { return Duel::Hopeless };
    let mut search = Search { level, first: start.pieces_played, gauge, steps: Vec::new(), probe };
    // The start in order is no win: the way away and back takes two slides at least.
    let mut bound = search.gauge.distance(&start).max(1);
    let limit = level.rules.move_limit.map(|l| u32::from(l).saturating_sub(start.move_count));
    if limit.is_some_and(|limit| bound > limit) {
        return Duel::Hopeless;
    }
    search.probe.progress.bound = bound;
    let mut best: Option<Vec<Move>> = None;
    for width in WIDTHS {
        let below = best.as_ref().map_or(u32::MAX, |b| b.len() as u32);
        match search.layers(&start, width, below - 1) {
            Ok(Layered::Won(line)) => {
                if slides(&line) < best.as_ref().map_or(u32::MAX, |b| slides(b)) {
                    search.probe.found(slides(&line));
                    found(&line);
                    best = Some(line);
                }
            }
            Ok(Layered::Dry { cut: false }) if best.is_none() => return Duel::Hopeless,
            Ok(Layered::Dry { .. }) => (),
            Err(stop) => return ended(best, bound, stop),
        }
        if best.as_ref().is_some_and(|b| slides(b) <= bound || width >= 24) {
            break;
        }
    }
    // One slide more changes the parity of a board with one gap, so its distances differ by twos.
    let by = if search.gauge.gaps() == 1 { 2 } else { 1 };
    loop {
        if let Some(line) = best.as_ref().filter(|b| slides(b) <= bound) {
            return Duel::Won { line: line.clone(), bound, stop: None };
        }
        match search.layers(&start, MOST, bound) {
            Ok(Layered::Won(line)) => {
                search.probe.found(slides(&line));
                found(&line);
                return Duel::Won { bound: slides(&line), line, stop: None };
            }
            Ok(Layered::Dry { .. }) => bound += by,
            Err(stop) => return ended(best, bound, stop),
        }
        search.probe.progress.bound = bound;
        if limit.is_some_and(|limit| bound > limit) && best.is_none() {
            return Duel::Hopeless;
        }
    }
}

fn ended(best: Option<Vec<Move>>, bound: u32, stop: Stop) -> Duel {
    match best {
        Some(line) => Duel::Won { line, bound, stop: Some(stop) },
        None => Duel::Open { bound, stop },
    }
}

fn slides(line: &[Move]) -> u32 {
    line.iter().filter(|m| matches!(m, Move::Slide { .. })).count() as u32
}

/// Lets the opponent answer until the player is to move again or it is over.
fn answered(level: &Level, state: &mut State, probe: &mut Probe) -> Result<(), Stop> {
    while state.ending.is_none() && state.turn == Side::Opponent && state.opponent != Opponent::None {
        // The positions it judges are nodes of this search. An answer that ran out of them is none: it might be another with more.
        let left = probe.limits().nodes.map_or(u64::MAX, |n| n.saturating_sub(probe.progress.nodes));
        let mut part = probe.part(left);
        let answer = opponent::reply(level, state, &mut part);
        probe.absorb(&part);
        probe.check()?;
        if part.progress.nodes > left {
            return Err(Stop::Nodes);
        }
        match answer {
            Some(mv) if rules::play(level, state, &mv).is_ok() => (),
            _ => return Err(Stop::Cancelled),
        }
    }
    Ok(())
}

struct Search<'a> {
    level: &'a Level,
    /// Slides made before the search.
    first: u32,
    gauge: Gauge,
    steps: Vec<Step>,
    probe: &'a mut Probe,
}

impl Search<'_> {
    /// Goes through the layers, keeping `width` positions of each that can still win within `limit` slides.
    fn layers(&mut self, start: &State, width: usize, limit: u32) -> Result<Layered, Stop> {
        self.steps.clear();
        let proof = width == MOST;
        self.gauge.each(if proof { EXACT } else { RANK });
        let mut layer = vec![Entry { state: start.clone(), step: usize::MAX }];
        let mut cut = false;
        while !layer.is_empty() {
            let mut next: Vec<(u64, Entry)> = Vec::new();
            let mut seen: FxHashSet<State> = FxHashSet::default();
            for entry in &layer {
                for mv in rules::legal_moves(self.level, &entry.state) {
                    self.probe.tick()?;
                    let Some(state) = self.after(&entry.state, mv)? else { continue };
                    self.steps.push(Step { parent: entry.step, mv });
                    let step = self.steps.len() - 1;
                    if state.ending == Some(Ending::Won) {
                        if state.pieces_played - self.first <= limit {
                            return Ok(Layered::Won(self.line(step)));
                        }
                        cut = true;
                        continue;
                    }
                    let distance = self.gauge.distance(&state);
                    let made = state.pieces_played - self.first;
                    let late = self.level.rules.move_limit.is_some_and(|l| state.move_count + distance > l.into());
                    if state.ending.is_some() || late {
                        continue;
                    }
                    if made + distance > limit {
                        cut = true;
                        continue;
                    }
                    if seen.insert(state.clone()) {
                        let rank = opponent::outlook(self.level, &state, distance);
                        next.push((rank, Entry { state, step }));
                    }
                }
            }
            if next.len() > width {
                if proof {
                    return Err(Stop::Memory);
                }
                cut = true;
                // Stable: among equals the first found stays.
                next.sort_by_key(|(rank, _)| *rank);
                next.truncate(width);
            }
            self.probe.progress.frontier = next.len() as u64;
            self.probe.progress.memory = (next.len() * 400 + self.steps.len() * size_of::<Step>()) as u64;
            layer = next.into_iter().map(|(_, entry)| entry).collect();
        }
        Ok(Layered::Dry { cut })
    }

    /// The position after a move and the answers to it, without what does not matter from then on.
    fn after(&mut self, state: &State, mv: Move) -> Result<Option<State>, Stop> {
        let mut next = state.clone();
        if rules::play(self.level, &mut next, &mv).is_err() {
            return Ok(None);
        }
        answered(self.level, &mut next, self.probe)?;
        next.last = None;
        next.slid = None;
        next.forced = false;
        Ok(Some(next))
    }

    fn line(&self, mut step: usize) -> Vec<Move> {
        let mut line = Vec::new();
        while let Some(Step { parent, mv }) = self.steps.get(step) {
            line.push(*mv);
            step = *parent;
        }
        line.reverse();
        line
    }
}
