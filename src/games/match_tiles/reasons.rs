//! Why a board cannot be cleared: tiles that match no other.
//!
//! What can only help: the duty to clear a tile is dropped, while the tile stays where it is for good, so that others may match it as often as they like; and lone
//! tiles do not end the game. A tile that has to go is then dragged, or passed by a drag, exactly if it matches another one.

use super::{
    Level, Match, State,
    board::{Board, Mask, bit, bits, first},
};
use crate::{
    game::{Easier, Found, Part, Reason, Reasons, list},
    grid::Cell,
    job::{Probe, Stop},
    search::space::Space,
};

pub(super) fn reasons() -> Reasons<Match> {
    let keeps = |level: &Level, state: &State, left_out: &[bool]| {
        format!("the duty to clear {}", named(level, &kept(state, left_out)))
    };
    Reasons { find, parts, without, tell, keeps, unplayable: |_| None }
}

/// Tiles that have to go, on a board on which no tile is ever removed. A position holds the tiles that are done with.
struct Duties {
    board: Board,
    alive: Mask,
    duty: Mask,
}

impl Space for Duties {
    fn start(&self) -> Vec<u32> {
        vec![0, 0]
    }
    fn won(&self, at: &[u32]) -> bool {
        done(at) == self.duty
    }
    fn next(&self, at: &[u32], to: &mut dyn FnMut(&[u32])) {
        let free = bits(self.duty & !done(at)).filter(|t| self.board.matches(self.alive, *t) != 0);
        // The first that can go goes: since nothing is removed, the order makes no difference.
        if let Some(tile) = free.take(1).next() {
            let next = done(at) | tile;
            to(&[next as u32, (next >> 32) as u32]);
        }
    }
}

fn done(at: &[u32]) -> Mask {
    Mask::from(at[0]) | Mask::from(at[1]) << 32
}

fn duties(level: &Level, state: &State, duty: Mask) -> Option<Easier<Match>> {
    Some(Easier::Space(Box::new(Duties { board: Board::of(level)?, alive: state.alive, duty })))
}

fn named(level: &Level, cells: &[Cell]) -> String {
    let name = |c: &Cell| level.tile(*c).map_or_else(String::new, |t| format!("{} at {}", t.name(), c.name()));
    list(&cells.iter().map(name).collect::<Vec<_>>())
}

fn find(level: &Level, state: &State, _: usize, _: &mut Probe) -> Result<Option<Found<Match>>, Stop> {
    let lone: Vec<Cell> =
        Board::of(level).map(|b| bits(b.stranded(state.alive)).map(first).collect()).unwrap_or_default();
    if lone.is_empty() {
        return Ok(None);
    }
    let text = match lone.len() {
        1 => format!("No other tile matches {}.", named(level, &lone)),
        n => format!("{n} tiles match no other tile: {}.", named(level, &lone)),
    };
    let rests_on = lone.iter().filter_map(|c| duties(level, state, bit(*c))).collect();
    let keeps = if lone.len() == 1 { "the duty to clear this tile" } else { "the duty to clear any of these tiles" };
    Ok(Some(Found::new(Reason::new("alone", text, lone, keeps), rests_on)))
}

fn parts(_: &Level, state: &State) -> Vec<Part> {
    bits(state.alive).map(|t| Part { group: 0, spots: vec![first(t).into()] }).collect()
}

fn kept(state: &State, left_out: &[bool]) -> Vec<Cell> {
    bits(state.alive).zip(left_out).filter(|(_, out)| !**out).map(|(t, _)| first(t)).collect()
}

fn without(level: &Level, state: &State, left_out: &[bool]) -> Option<Easier<Match>> {
    duties(level, state, kept(state, left_out).into_iter().fold(0, |mask, c| mask | bit(c)))
}

fn tell(level: &Level, state: &State, left_out: &[bool]) -> Option<Reason> {
    let kept = kept(state, left_out);
    let text = format!("No other tile matches {}.", named(level, &kept));
    (kept.len() == 1).then(|| Reason::new("alone", text, kept, "the duty to clear this tile"))
}
