//! From the search's states back to steps of the level's own shapes, through the rules.

use super::steps::Steps;
use crate::{
    game::{Rules as _, Status},
    games::cats::{Cats, Level, State, Step, rules},
    grid::Dir,
};
use std::collections::{HashSet, VecDeque};

/// A state to search from, with the steps that lead to it.
pub(super) type Beginning = (State, Vec<Step>);

/// The states to search from: the state itself or, since cats that are covered at the beginning go with the first step whoever makes it,
/// all states one step on; for drags, all ends of a drag that begins so.
pub(super) fn beginnings(level: &Level, from: &State, drags: bool) -> Vec<Beginning> {
    if rules::covered(level, from) & !from.gone == 0 {
        return vec![(from.clone(), Vec::new())];
    }
    let mut all = Vec::new();
    for step in Cats::legal_moves(level, from) {
        let Some(mut next) = rules::after(level, from, step) else { continue };
        let mut line = vec![step];
        if drags {
            sweep(level, &mut next, step.shape, &mut line);
            flood(level, &next, step.shape, |end, way| {
                all.push((end.clone(), [line.as_slice(), way].concat()));
                false
            });
        } else {
            all.push((next, line));
        }
    }
    all
}

/// Walks a shape over all its places in order of distance, itself first, until told to stop; whether it was.
fn flood(level: &Level, from: &State, shape: usize, mut stop: impl FnMut(&State, &[Step]) -> bool) -> bool {
    let mut seen = HashSet::from([from.shift[shape]]);
    let mut queue = VecDeque::from([(from.clone(), Vec::new())]);
    while let Some((state, line)) = queue.pop_front() {
        if stop(&state, &line) {
            return true;
        }
        for dir in Dir::ALL {
            let step = Step { shape, dir };
            if let Some(next) = rules::after(level, &state, step)
                && seen.insert(next.shift[shape])
            {
                queue.push_back((next, [line.as_slice(), &[step]].concat()));
            }
        }
    }
    false
}

/// Takes every cat within a shape's reach, the nearest first, as long as it stays on the board.
fn sweep(level: &Level, state: &mut State, shape: usize, line: &mut Vec<Step>) {
    loop {
        let mut taken = None;
        let gone = state.gone;
        flood(level, state, shape, |next, way| {
            let more = next.gone != gone;
            if more {
                taken = Some((next.clone(), way.to_vec()));
            }
            more
        });
        let Some((next, way)) = taken else { return };
        *state = next;
        line.extend(way);
    }
}

fn begin<'a, const W: usize>(
    level: &Level,
    space: &mut Steps<W>,
    begin: &'a [Beginning],
    way: &[Vec<u32>],
) -> Option<&'a Beginning> {
    begin.iter().find(|(s, _)| way.first() == Some(&space.pack(level, s)))
}

/// A way of steps: at each state, the legal step that leads to the next one.
pub(super) fn of_steps<const W: usize>(
    level: &Level,
    space: &mut Steps<W>,
    from: &[Beginning],
    way: &[Vec<u32>],
) -> Option<Vec<Step>> {
    let (mut state, mut line) = begin(level, space, from, way)?.clone();
    for words in &way[1..] {
        let (step, next) = rules::steps(level)
            .filter_map(|step| Some((step, rules::after(level, &state, step)?)))
            .find(|(_, next)| space.pack(level, next) == *words)?;
        line.push(step);
        state = next;
    }
    (Cats::status(level, &state) == Status::Won).then_some(line)
}

/// A way of drags: at each state, the shape that can sweep and then end so that the next one is reached.
pub(super) fn of_drags<const W: usize>(
    level: &Level,
    space: &mut Steps<W>,
    from: &[Beginning],
    way: &[Vec<u32>],
) -> Option<Vec<Step>> {
    let (mut state, mut line) = begin(level, space, from, way)?.clone();
    for words in &way[1..] {
        let mut movers = (0..level.shapes.len()).filter(|i| level.mover(*i) == *i);
        let drag = movers.find_map(|shape| {
            let mut swept = state.clone();
            let mut drag = Vec::new();
            sweep(level, &mut swept, shape, &mut drag);
            if Cats::status(level, &swept) == Status::Won {
                return Some((swept, drag));
            }
            let mut end = None;
            flood(level, &swept, shape, |next, way| {
                let there = space.pack(level, next) == *words;
                if there {
                    end = Some((next.clone(), way.to_vec()));
                }
                there
            });
            let (next, way) = end?;
            drag.extend(way);
            Some((next, drag))
        });
        let (next, drag) = drag?;
        line.extend(drag);
        state = next;
    }
    (Cats::status(level, &state) == Status::Won).then_some(line)
}
