//! Walks of the gap that need not be searched.
//!
//! With one gap a line is a walk of the gap, and many walks lead to the same board: three times round a block of four squares is no change at all, so
//! six steps round it one way do what six do the other way. A walk is a *detour* if another one leads to the same board from every board, enters no
//! square that the first does not, and is shorter, or as long and earlier in the alphabet of directions. A step and its reverse are the shortest
//! detour: to stand still is shorter.
//!
//! **Why they may be left out.** Wherever a detour can be walked the other walk can be too, since it enters no other squares. So a line
//! that contains a detour can be exchanged for one that is shorter or earlier. Of the shortest lines of a board the earliest therefore contains none, and
//! a search that cuts off every line in which a detour ends still meets that one; each of its prefixes stays within any limit that its whole
//! length is within, so a failed round proves as much as before.
//!
//! All detours up to some length are found by trying all walks, shortest first, and compiled into an automaton (Taylor and Korf, 1993): its state
//! is the longest end of the walk so far that begins a detour.

use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::VecDeque, sync::OnceLock};

/// The longest detours that are looked for.
const LONGEST: u32 = 8;
/// A walk leads at most this far from where it began in each direction: as far as the largest board allows.
const REACH: usize = 5;
/// The side of the ground on which walks are tried.
const SIDE: usize = 2 * REACH + 1;

/// Directions of the gap: up, left, right, down, so that a direction and its reverse add up to 3.
const WAYS: usize = 4;

/// A walk as a number: a leading 1, then two bits a step.
type Walk = u32;
const EMPTY: Walk = 1;

/// The automaton.
#[derive(Debug)]
pub(in super::super) struct Detours {
    /// For each state and direction the state after it.
    next: Vec<[u16; WAYS]>,
    /// For each state the directions that end no detour, a bit each.
    free: Vec<u8>,
}

impl Detours {
    /// Only steps that undo the one before.
    pub fn back_and_forth() -> &'static Detours {
        static DETOURS: OnceLock<Detours> = OnceLock::new();
        DETOURS.get_or_init(|| Detours::up_to(2))
    }

    /// All that are worth their while. Finding them takes some hundredths of a second, once; twice the length would leave out a tenth more and take seconds.
    pub fn all() -> &'static Detours {
        static DETOURS: OnceLock<Detours> = OnceLock::new();
        DETOURS.get_or_init(|| Detours::up_to(LONGEST))
    }

    /// The state of a walk that has not begun.
    pub const START: u16 = 0;

    /// The directions that may be taken in a state, a bit each.
    #[inline]
    pub fn free(&self, state: u16) -> u8 {
        self.free[usize::from(state)]
    }

    /// The state after a step.
    #[inline]
    pub fn after(&self, state: u16, way: usize) -> u16 {
        self.next[usize::from(state)][way]
    }

    fn up_to(longest: u32) -> Detours {
        compile(&shortest_detours(longest))
    }
}

/// What a walk does: the squares it enters, and what is then where.
struct Effect {
    entered: u128,
    /// Where the gap is, and the squares whose tile is not the one that was there, each with the square its tile came from.
    moved: Vec<(u8, u8)>,
}

fn step(walk: Walk, way: usize) -> Walk {
    walk << 2 | way as Walk
}

fn length(walk: Walk) -> u32 {
    (31 - walk.leading_zeros()) / 2
}

/// The steps of a walk, the first one first.
fn steps(walk: Walk) -> impl Iterator<Item = usize> {
    (0..length(walk)).rev().map(move |i| (walk >> (2 * i)) as usize % WAYS)
}

/// A walk without its first step.
fn tail(walk: Walk) -> Walk {
    let bits = 2 * (length(walk) - 1);
    1 << bits | walk & ((1 << bits) - 1)
}

/// What a walk does, if it fits on a board.
fn effect(walk: Walk) -> Option<Effect> {
    let mut from: [u8; SIDE * SIDE] = std::array::from_fn(|i| i as u8);
    let (mut x, mut y) = (REACH, REACH);
    let (mut left, mut right, mut top, mut bottom) = (x, x, y, y);
    let mut entered = 1u128 << (y * SIDE + x);
    for way in steps(walk) {
        let before = y * SIDE + x;
        match way {
            0 => y = y.checked_sub(1)?,
            1 => x = x.checked_sub(1)?,
            2 => x += 1,
            _ => y += 1,
        }
        (left, right, top, bottom) = (left.min(x), right.max(x), top.min(y), bottom.max(y));
        if right - left > REACH || bottom - top > REACH {
            return None;
        }
        from.swap(before, y * SIDE + x);
        entered |= 1 << (y * SIDE + x);
    }
    let gap = (y * SIDE + x) as u8;
    // Nothing changes but where the gap has been.
    let mut squares = entered;
    let changed = std::iter::from_fn(|| {
        let i = squares.trailing_zeros() as usize;
        (squares != 0).then(|| {
            squares &= squares - 1;
            (i as u8, from[i])
        })
    });
    let changed = changed.filter(|(i, tile)| i != tile);
    Some(Effect { entered, moved: std::iter::once((gap, gap)).chain(changed).collect() })
}

/// The detours that contain no other, up to some length.
fn shortest_detours(longest: u32) -> Vec<Walk> {
    // For each effect the walks that are no detours, with the squares they enter.
    let mut best: FxHashMap<Vec<(u8, u8)>, Vec<u128>> = FxHashMap::default();
    let mut detours = Vec::new();
    let mut cut: FxHashSet<Walk> = FxHashSet::default();
    // Shortest first, and those of one length in the order of the alphabet, so that whatever a walk may be exchanged for is there before it.
    let mut queue = VecDeque::from([EMPTY]);
    while let Some(walk) = queue.pop_front() {
        if walk != EMPTY && cut.contains(&tail(walk)) {
            // It contains a detour.
            cut.insert(walk);
            continue;
        }
        let Some(Effect { entered, moved }) = effect(walk) else { continue };
        let same = best.entry(moved).or_default();
        if same.iter().any(|other| other & !entered == 0) {
            cut.insert(walk);
            detours.push(walk);
            continue;
        }
        same.push(entered);
        if length(walk) < longest {
            queue.extend((0..WAYS).map(|way| step(walk, way)));
        }
    }
    detours
}

/// The automaton that notices where one of these walks ends (Aho and Corasick, 1975).
fn compile(detours: &[Walk]) -> Detours {
    const NONE: u16 = u16::MAX;
    let mut next = vec![[NONE; WAYS]];
    let mut ends = vec![false];
    for walk in detours {
        let mut at = 0;
        for way in steps(*walk) {
            if next[at][way] == NONE {
                next[at][way] = next.len() as u16;
                next.push([NONE; WAYS]);
                ends.push(false);
            }
            at = usize::from(next[at][way]);
        }
        ends[at] = true;
    }
    // Shallow states first: a state without a step of its own does as the longest end of its walk that is a state.
    let mut fall = vec![0u16; next.len()];
    let mut queue = VecDeque::from([0usize]);
    while let Some(at) = queue.pop_front() {
        let shorter = if at == 0 { [0; WAYS] } else { next[usize::from(fall[at])] };
        for (way, shorter) in shorter.into_iter().enumerate() {
            match next[at][way] {
                NONE => next[at][way] = shorter,
                child => {
                    fall[usize::from(child)] = shorter;
                    ends[usize::from(child)] |= ends[usize::from(shorter)];
                    queue.push_back(child.into());
                }
            }
        }
    }
    let free = |state: &[u16; WAYS]| (0..WAYS).filter(|w| !ends[usize::from(state[*w])]).fold(0, |set, w| set | 1 << w);
    let free = next.iter().map(free).collect();
    Detours { next, free }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// The boards that walks of this length lead to from a corner of a board, by the automaton.
    fn boards(detours: &Detours, side: usize, length: usize) -> (HashSet<Vec<u8>>, u64) {
        let start: Vec<u8> = (0..(side * side) as u8).collect();
        let (mut found, mut walks) = (HashSet::from([start.clone()]), 0);
        let mut open = vec![(start, 0usize, Detours::START, 0usize)];
        while let Some((board, gap, state, done)) = open.pop() {
            walks += 1;
            if done == length {
                continue;
            }
            let (x, y) = (gap % side, gap / side);
            for (way, fits) in [y > 0, x > 0, x + 1 < side, y + 1 < side].into_iter().enumerate() {
                if fits && detours.free(state) >> way & 1 == 1 {
                    let to = [gap.wrapping_sub(side), gap.wrapping_sub(1), gap + 1, gap + side][way];
                    let mut next = board.clone();
                    next.swap(gap, to);
                    found.insert(next.clone());
                    open.push((next, to, detours.after(state, way), done + 1));
                }
            }
        }
        (found, walks)
    }

    #[test]
    fn every_board_is_still_reached_in_as_few_steps_by_fewer_walks() {
        let detours = Detours::all();
        for side in [2, 3, 4] {
            for length in 0..=if side == 2 { 12 } else { 13 } {
                let (plain, walks) = boards(Detours::back_and_forth(), side, length);
                let (found, fewer) = boards(detours, side, length);
                assert_eq!(plain, found, "{side} x {side}, {length} steps");
                assert!(fewer <= walks && (length < 6 || fewer < walks));
            }
        }
    }

    #[test]
    fn the_shortest_detours_are_steps_back_and_six_steps_round_a_block() {
        let found = shortest_detours(7);
        assert_eq!(found.iter().filter(|w| length(**w) == 2).count(), 4);
        assert_eq!(found.iter().filter(|w| length(**w) == 6).count(), 4, "one way round, from each of four sides");
        // Seven the way that is kept are five the other way; from two of the sides the last six are a detour themselves.
        assert_eq!(found.iter().filter(|w| length(**w) == 7).count(), 2);
        assert_eq!(found.len(), 10);
    }
}
