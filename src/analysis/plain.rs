//! Plain search: every position that the rules allow, cheapest first. No bound, no reduction, nothing that could be wrong beside the rules themselves.
//!
//! It answers small questions exactly, and every proof of a clever search is tested against it (`tests/proofs.rs`).

use crate::{
    game::{Game, Status, advance_with},
    job::{Limits, Probe, Stop},
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How a plain search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plain {
    /// The least cost of a win.
    Least(u32),
    /// No position that can be reached is won.
    None,
    /// There are more positions, far more moves, or longer thoughts of an opponent than were asked for.
    TooLarge,
}

/// The end of a plain search, and what it took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Searched {
    /// How it ended.
    pub end: Plain,
    /// Positions it met.
    pub positions: usize,
    /// The cost it had come to: all positions that cost less were looked at.
    pub cost: u32,
    /// Whether an opponent answered a move.
    pub answered: bool,
}

/// What a move adds to a count, after the move that led to its position or by itself.
fn added<G: Game>(
    level: &G::Level,
    state: &G::State,
    before: Option<&(G::State, G::Move)>,
    mv: &G::Move,
    count: usize,
) -> u32 {
    let cost = |from: &G::State, line: &[G::Move]| G::counts(level, from, line).get(count).copied().unwrap_or(0);
    match before {
        Some((from, last)) => {
            cost(from, &[last.clone(), mv.clone()]).saturating_sub(cost(from, std::slice::from_ref(last)))
        }
        None => cost(state, std::slice::from_ref(mv)),
    }
}

/// Moves at which it is looked whether moves cost by groups.
const SAMPLE: usize = 1_000;
/// Moves that may be made for each position: where there are thousands in every position, the positions alone would not bound the work.
const MOVES: usize = 8;
/// Nodes of an opponent's thoughts for each position.
const THOUGHTS: usize = 400;

/// The least cost of a goal from a state, looking at no more than `most` positions. With `merge`, positions that the game says go on alike
/// ([`Solve::forget`](crate::game::Solve::forget)) are one.
pub fn plain<G: Game>(level: &G::Level, from: &G::State, goal: usize, most: usize, merge: bool) -> Searched {
    let too_large = Searched { end: Plain::TooLarge, positions: 0, cost: 0, answered: false };
    plain_within::<G>(level, from, goal, most, merge, &mut Probe::new(Limits::default())).unwrap_or(too_large)
}

/// The same, ended by the probe's clock and cancel flag. Of what the probe counts only opponents' thoughts are nodes.
pub fn plain_within<G: Game>(
    level: &G::Level,
    from: &G::State,
    goal: usize,
    most: usize,
    merge: bool,
    probe: &mut Probe,
) -> Result<Searched, Stop> {
    let (level, mut from) = G::replay_on(level, from, goal).unwrap_or_else(|| (level.clone(), from.clone()));
    if merge {
        G::forget(&level, &mut from);
    }
    let count = G::GOALS[goal].count;
    if let Some(searched) = search::<G>(&level, &from, count, most, merge, false, probe)? {
        return Ok(searched);
    }
    // What a move costs depends on the piece moved before it, as in a drag of several steps. Then that piece belongs to the position.
    let grouped = search::<G>(&level, &from, count, most, merge, true, probe)?;
    Ok(grouped.unwrap_or(Searched { end: Plain::TooLarge, positions: 0, cost: 0, answered: false }))
}

/// `None` if moves turn out to cost by groups and `grouped` does not say so.
fn search<G: Game>(
    level: &G::Level,
    from: &G::State,
    count: usize,
    most: usize,
    merge: bool,
    grouped: bool,
    probe: &mut Probe,
) -> Result<Option<Searched>, Stop> {
    let begun_at = probe.progress.nodes;
    let mut least: FxHashMap<(G::State, u32), u32> = FxHashMap::default();
    let mut queue: BTreeMap<u32, Vec<((G::State, u32), Option<(G::State, G::Move)>)>> = BTreeMap::new();
    let (mut moves, mut answered) = (0, false);
    least.insert((from.clone(), u32::MAX), 0);
    queue.insert(0, vec![((from.clone(), u32::MAX), None)]);
    while let Some(mut entry) = queue.first_entry() {
        let cost = *entry.key();
        let Some((position, before)) = entry.get_mut().pop() else {
            entry.remove();
            continue;
        };
        if least.get(&position).is_some_and(|c| *c < cost) {
            continue;
        }
        let state = position.0;
        let searched = |end| Ok(Some(Searched { end, positions: least.len(), cost, answered }));
        if G::status(level, &state) == Status::Won {
            return searched(Plain::Least(cost));
        }
        let too_long = (probe.progress.nodes - begun_at) as usize > THOUGHTS * most;
        if least.len() > most || moves > MOVES * most || too_long {
            return searched(Plain::TooLarge);
        }
        for mv in G::legal_moves(level, &state) {
            probe.step()?;
            let mut next = state.clone();
            moves += 1;
            match advance_with::<G>(level, &mut next, &mv, probe) {
                Ok(replies) => answered |= !replies.is_empty(),
                Err(_) => continue,
            }
            let before = before.as_ref();
            let more = added::<G>(level, &state, before.filter(|_| grouped), &mv, count);
            if !grouped && before.is_some() && added::<G>(level, &state, before, &mv, count) != more {
                return Ok(None);
            }
            if merge {
                G::forget(level, &mut next);
            }
            let cost = cost + more;
            let position = (next, if grouped { G::piece(level, &state, &mv).0 } else { 0 });
            if least.get(&position).is_none_or(|known| cost < *known) {
                least.insert(position.clone(), cost);
                let before = (grouped || moves < SAMPLE).then(|| (state.clone(), mv));
                queue.entry(cost).or_default().push((position, before));
            }
        }
    }
    Ok(Some(Searched { end: Plain::None, positions: least.len(), cost: u32::MAX, answered }))
}
