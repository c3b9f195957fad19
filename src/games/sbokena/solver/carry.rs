//! Moving one box to a cell with everything else in place: what a drag of a box means.
//!
//! A breadth-first search over (box cell, player cell) after pushes; the player walks between them. The line has the fewest pushes.

use super::{
    Position,
    map::NONE,
    pushes::{Walk, step_name},
};
use crate::{
    game::Rules as _,
    games::sbokena::{Level, Sbokena, State},
    grid::{Cell, Dir},
};
use rustc_hash::FxHashMap;

/// A drag is an answer to the hand: on a huge board it gives up rather than wait.
const MOST_NODES: usize = 6_000;

/// The moves that push the box at `from` to `to` and move no other, if there is such a line.
pub fn carry(level: &Level, state: &State, from: Cell, to: Cell) -> Option<Vec<Dir>> {
    let position = Position::new(level, state);
    let map = &position.map;
    let (start, target) = (*map.number.get(from)?, *map.number.get(to)?);
    let (kind, _) = *position.boxes.iter().find(|b| b.1 == start)?;
    if position.player == NONE || target == NONE || start == target {
        return None;
    }
    let mut box_at = vec![0u16; map.len()];
    for (_, c) in &position.boxes {
        box_at[*c as usize] = 1;
    }
    let mut walk = Walk::default();
    let mut nodes: Vec<(u16, u16, usize, u32)> = vec![(start, position.player, usize::MAX, 0)];
    let mut seen: FxHashMap<(u16, u16), ()> = FxHashMap::default();
    let mut next = 0;
    while next < nodes.len().min(MOST_NODES) {
        let (at, player, ..) = nodes[next];
        box_at[start as usize] = 0;
        box_at[at as usize] = 1;
        let open = map.open_doors(&box_at);
        walk.flood(map, player, &box_at, &open);
        for d in 0..4 {
            let (behind, _) = map.behind[at as usize][d];
            let goes = map.push[kind][at as usize][d];
            let free = |c: u16| c != NONE && box_at[c as usize] == 0;
            if !free(goes) || behind == NONE || goes == behind || goes == at || !walk.reached(behind) {
                continue;
            }
            let door = map.door[goes as usize];
            if door != NONE && !open[door as usize] && map.opens[behind as usize] != door {
                continue;
            }
            if seen.insert((goes, at), ()).is_some() {
                continue;
            }
            nodes.push((goes, at, next, step_name(at, d)));
            if goes == target {
                let mut steps = Vec::new();
                let mut i = nodes.len() - 1;
                while nodes[i].2 != usize::MAX {
                    steps.push(nodes[i].3);
                    i = nodes[i].2;
                }
                steps.reverse();
                let mut line = position.line(&steps);
                // The drag ends early where a win on the way ends the game.
                let mut played = state.clone();
                line.truncate(line.iter().take_while(|d| Sbokena::play(level, &mut played, d).is_ok()).count());
                return Some(line);
            }
        }
        box_at[at as usize] = 0;
        next += 1;
    }
    None
}
