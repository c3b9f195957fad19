//! Minimax of a fixed depth for two sides, with alpha-beta pruning if wanted.
//!
//! Pruning never changes the value or the move: at the root a later move replaces an earlier one only if it is strictly better, so among equals
//! the first in order is played, and the order is the game's own.

use crate::job::Stop;

/// A game of two sides, as the search sees it.
pub trait Duel {
    /// A position.
    type State;
    /// A move.
    type Move: Clone;

    /// The moves of whoever is to move, the likeliest first; none when it is over.
    fn moves(&mut self, state: &Self::State) -> Vec<Self::Move>;

    /// The position after a move.
    fn after(&mut self, state: &Self::State, mv: &Self::Move) -> Self::State;

    /// Whether the side that wants a large value is to move.
    fn maximises(&self, state: &Self::State) -> bool;

    /// How good a position is where the search ends. Called once a leaf; may say that it has had enough.
    fn value(&mut self, state: &Self::State) -> Result<i32, Stop>;
}

/// The best move and its value after `depth` moves; `None` if there is no move.
pub fn best<D: Duel>(duel: &mut D, state: &D::State, depth: u32, prune: bool) -> Result<Option<(D::Move, i32)>, Stop> {
    let maximises = duel.maximises(state);
    let mut best: Option<(D::Move, i32)> = None;
    for mv in duel.moves(state) {
        let next = duel.after(state, &mv);
        let (alpha, beta) = match &best {
            Some((_, v)) if prune && maximises => (*v, i32::MAX),
            Some((_, v)) if prune => (i32::MIN, *v),
            _ => (i32::MIN, i32::MAX),
        };
        let value = visit(duel, &next, depth.saturating_sub(1), alpha, beta, prune)?;
        let better = best.as_ref().is_none_or(|(_, v)| if maximises { value > *v } else { value < *v });
        if better {
            best = Some((mv, value));
        }
    }
    Ok(best)
}

fn visit<D: Duel>(
    duel: &mut D,
    state: &D::State,
    depth: u32,
    mut alpha: i32,
    mut beta: i32,
    prune: bool,
) -> Result<i32, Stop> {
    let moves = if depth == 0 { Vec::new() } else { duel.moves(state) };
    if moves.is_empty() {
        return duel.value(state);
    }
    let maximises = duel.maximises(state);
    let mut best = if maximises { i32::MIN } else { i32::MAX };
    for mv in moves {
        let next = duel.after(state, &mv);
        let value = visit(duel, &next, depth - 1, alpha, beta, prune)?;
        if maximises {
            best = best.max(value);
            alpha = alpha.max(value);
        } else {
            best = best.min(value);
            beta = beta.min(value);
        }
        if prune && alpha >= beta {
            break;
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree given by arithmetic: three moves everywhere, values scattered.
    struct Tree {
        leaves: u32,
    }

    impl Duel for Tree {
        type State = (u32, u32);
        type Move = u32;
        fn moves(&mut self, _: &(u32, u32)) -> Vec<u32> {
            vec![0, 1, 2]
        }
        fn after(&mut self, &(path, depth): &(u32, u32), mv: &u32) -> (u32, u32) {
            (path * 3 + mv + 1, depth + 1)
        }
        fn maximises(&self, &(_, depth): &(u32, u32)) -> bool {
            depth % 2 == 0
        }
        fn value(&mut self, &(path, _): &(u32, u32)) -> Result<i32, Stop> {
            self.leaves += 1;
            Ok((path.wrapping_mul(2_654_435_761) >> 24) as i32)
        }
    }

    #[test]
    fn pruning_changes_the_work_and_not_the_answer() {
        for seed in 0..200 {
            let (mut plain, mut pruned) = (Tree { leaves: 0 }, Tree { leaves: 0 });
            let start = (seed * 7919, 0);
            assert_eq!(best(&mut plain, &start, 5, false), best(&mut pruned, &start, 5, true));
            assert_eq!(plain.leaves, 243);
            assert!(pruned.leaves < plain.leaves);
        }
    }
}
