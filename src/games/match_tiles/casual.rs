//! The casual player: how often a board is cleared by somebody who does not think ahead.
//!
//! Each turn a uniformly random living tile that has a match, a uniformly random match of it as target, and the straight king's path there
//! (diagonal steps first), removing what it passes. The number of cleared games of 1,000 with a fixed seed is the board's *clear rate*.
//! The games are one stream of random numbers, so a rate measured over fewer games is that of the first ones of the thousand.

use super::{
    board::{Board, Mask, bit, bits, first, straight},
    rules,
};
use crate::{
    game::{Status, rng},
    job::{Probe, Stop},
};
use rand::RngExt as _;

/// How many games make a clear rate.
pub const GAMES: u32 = 1_000;
const SEED: u64 = 1_000;

/// The n-th bit of a set.
fn nth(set: Mask, n: u32) -> Mask {
    bits(set).nth(n as usize).unwrap_or(0)
}

/// How many of this many casual games clear the position.
pub(super) fn clears(board: &Board, alive: Mask, games: u32, probe: &mut Probe) -> Result<u32, Stop> {
    let mut rng = rng(SEED);
    let mut cleared = 0;
    for _ in 0..games {
        probe.tick()?;
        let mut left = alive;
        while rules::status_of(board, left) == Status::Playing {
            // As long as the game goes on, every living tile has a match.
            let tile = nth(left, rng.random_range(0..left.count_ones()));
            let matches = board.matches(left, tile);
            let target = nth(matches, rng.random_range(0..matches.count_ones()));
            let path = straight(first(tile), first(target)).fold(0, |m, c| m | bit(c));
            left &= !(path & matches | tile);
        }
        cleared += u32::from(left == 0);
    }
    Ok(cleared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{games::match_tiles::level::from_rows, job::Limits};

    fn rate(rows: &[&str]) -> u32 {
        let level = from_rows(&rows.iter().map(|r| r.to_string()).collect::<Vec<_>>()).unwrap();
        let board = Board::of(&level).unwrap();
        clears(&board, board.tiles, GAMES, &mut Probe::new(Limits::default())).unwrap()
    }

    #[test]
    fn certain_boards_are_always_or_never_cleared() {
        assert_eq!(rate(&["o1 o2", ".. .."]), 1_000);
        assert_eq!(rate(&["o1 o2", "n3 n4"]), 1_000);
        // Three tiles of one colour that no straight path joins: two go, one stays.
        assert_eq!(rate(&["o1 .. o2", ".. .. ..", ".. o3 .."]), 0);
        // In a row the outer two pass the middle one: pressing it leaves one, the outer ones have the nearer target or the farther.
        let row = rate(&["o1 o2 o3", ".. .. .."]);
        assert!((280..390).contains(&row), "a third: {row}");
    }

    #[test]
    fn the_same_board_has_the_same_rate() {
        let rows = ["o1 n2 g3 o2", "y5 y1 g1 n5"];
        assert_eq!(rate(&rows), rate(&rows));
    }
}
