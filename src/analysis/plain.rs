//! Plain search: every position that the rules allow, cheapest first. No bound, no reduction, nothing that could be wrong beside the rules themselves.
//!
//! It answers small questions exactly, and every proof of a clever search is tested against it (`tests/proofs.rs`).

use crate::game::{Game, Status, advance};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// How a plain search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Plain {
    /// The least cost of a win.
    Least(u32),
    /// No position that can be reached is won.
    None,
    /// There are more positions, or far more moves, than were asked for.
    TooLarge,
}

/// A position with the move that led to it, where the cost of the next move depends on that.
struct Node<G: Game> {
    state: G::State,
    before: Option<(G::State, G::Move)>,
}

/// What a move adds to a count.
fn added<G: Game>(level: &G::Level, node: &Node<G>, mv: &G::Move, count: usize) -> u32 {
    let cost = |from: &G::State, line: &[G::Move]| G::counts(level, from, line).get(count).copied().unwrap_or(0);
    match &node.before {
        Some((from, last)) => {
            cost(from, &[last.clone(), mv.clone()]).saturating_sub(cost(from, std::slice::from_ref(last)))
        }
        None => cost(&node.state, std::slice::from_ref(mv)),
    }
}

/// Pairs of moves looked at to see whether moves cost by groups.
const SAMPLE: usize = 1_000;

/// Whether what a move costs depends on the piece moved before it, as in a drag of several steps: seen from the first moves of one piece in a row.
fn is_grouped<G: Game>(level: &G::Level, from: &G::State, count: usize) -> bool {
    let mut states: Vec<G::State> = vec![from.clone()];
    let (mut next, mut pairs) = (0, 0);
    while next < states.len() && pairs < SAMPLE {
        for first in G::legal_moves(level, &states[next]).into_iter().take(20) {
            let (before, mut state) = (states[next].clone(), states[next].clone());
            if advance::<G>(level, &mut state, &first).is_err() {
                continue;
            }
            let piece = G::piece(level, &before, &first).0;
            let alone = Node::<G> { state: state.clone(), before: None };
            let after = Node::<G> { state, before: Some((before, first)) };
            for mv in G::legal_moves(level, &alone.state).iter().take(100) {
                pairs += 1;
                if G::piece(level, &alone.state, mv).0 == piece
                    && added(level, &after, mv, count) != added(level, &alone, mv, count)
                {
                    return true;
                }
            }
            if states.len() < SAMPLE {
                states.push(alone.state);
            }
        }
        next += 1;
    }
    false
}

/// Moves that may be made for each position: where there are thousands in every position, the positions alone would not bound the work.
const MOVES: usize = 8;

/// The least cost of a goal from a state, looking at no more than `most` positions.
pub fn plain<G: Game>(level: &G::Level, from: &G::State, goal: usize, most: usize) -> Plain {
    let (level, from) = G::replay_on(level, from, goal).unwrap_or_else(|| (level.clone(), from.clone()));
    let count = G::GOALS[goal].count;
    // The piece moved last then belongs to the position.
    let grouped = is_grouped::<G>(&level, &from, count);
    let mut least: FxHashMap<(G::State, u32), u32> = FxHashMap::default();
    let mut queue: BTreeMap<u32, Vec<((G::State, u32), Option<(G::State, G::Move)>)>> = BTreeMap::new();
    let mut moves = 0;
    least.insert((from.clone(), u32::MAX), 0);
    queue.insert(0, vec![((from, u32::MAX), None)]);
    while let Some(mut entry) = queue.first_entry() {
        let cost = *entry.key();
        let Some((position, before)) = entry.get_mut().pop() else {
            entry.remove();
            continue;
        };
        if least.get(&position).is_some_and(|c| *c < cost) {
            continue;
        }
        let node = Node::<G> { state: position.0, before };
        if G::status(&level, &node.state) == Status::Won {
            return Plain::Least(cost);
        }
        if least.len() > most || moves > MOVES * most {
            return Plain::TooLarge;
        }
        for mv in G::legal_moves(&level, &node.state) {
            let mut next = node.state.clone();
            moves += 1;
            if advance::<G>(&level, &mut next, &mv).is_err() {
                continue;
            }
            let cost = cost + added(&level, &node, &mv, count);
            let position = (next, if grouped { G::piece(&level, &node.state, &mv).0 } else { 0 });
            if least.get(&position).is_none_or(|known| cost < *known) {
                least.insert(position.clone(), cost);
                let before = grouped.then(|| (node.state.clone(), mv));
                queue.entry(cost).or_default().push((position, before));
            }
        }
    }
    Plain::None
}
