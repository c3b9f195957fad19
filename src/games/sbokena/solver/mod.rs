//! Solving: fewest pushes, fewest moves, or any solution soon.
//!
//! | room | holds |
//! |---|---|
//! | `map.rs` | the level compiled: where each step and push leads |
//! | `bounds.rs` | distances, the matching bound, frozen boxes |
//! | `conflicts.rs` | what pairs of boxes in each other's way cost |
//! | `corral.rs` | corrals, which confine the pushes worth trying in plain levels |
//! | `carry.rs` | moving one box by hand |
//! | `macros.rs` | moves of one box by any number of pushes or pulls |
//! | `plan.rs` | in which order to fill the goals, with parking |
//! | `guide.rs` | the plan and the rooms as features of a position |
//! | `locks.rs` | corrals that are proven lost, and the sets of boxes learned from them |
//! | `features.rs` | feature-space search over macro moves |
//! | `matching.rs` | whether every goal can have a box |
//! | `opening.rs` | what is in the way of the next box of the plan |
//! | `packing.rs` | the space with its goals in an order to fill them |
//! | `pulls.rs` | the space backwards |
//! | `pushes.rs` | the space of positions after pushes, and the player's walk between them |
//! | `runs.rs` | moves of many boxes by two keys pressed in turn |
//! | `shorten.rs` | a solution made shorter |
//! | `stages.rs` | which searches a goal is given to, and their turns |
//! | `within.rs` | a look for a line of the proven cost |
//!
//! The other searches are [`crate::search::best_first`].
//!
//! Not attempted: tables of small patterns, corrals with special cells, tunnels and goal macros (unsound here), doors in
//! the lower bound and in the order of the goals (they count as open).

mod bounds;
mod carry;
mod conflicts;
mod corral;
mod features;
mod guide;
mod locks;
mod macros;
pub(super) mod map;
mod matching;
mod opening;
mod packing;
mod plan;
mod pulls;
pub(super) mod pushes;
mod runs;
mod shorten;
mod stages;
mod within;

pub use self::carry::carry;

use self::{
    bounds::{Base, Detail},
    map::{Map, NONE},
    pushes::{Count, Pushes, Walk, step_name},
};
use super::{Level, Sbokena, State, rules};
use crate::{
    game::{Apart, Counting, Goal, Overlay, Solve},
    grid::{Cell, Dir, Spot},
    job::{Limits, Mode, Probe},
    search::{best_first::Space as _, driver::Plan},
};
use std::sync::Arc;

impl Solve for Sbokena {
    const GOALS: &'static [Goal] = &[
        Goal { id: "pushes", name: "fewest pushes", count: 1, apart: Some(Apart::Costs) },
        Goal { id: "moves", name: "fewest moves", count: 0, apart: None },
        Goal { id: "any", name: "any solution", count: 1, apart: None },
    ];

    fn stages(level: &Level, from: &State, goal: usize, mode: Mode) -> Plan<Dir> {
        stages::plan(level, from, goal, mode)
    }

    fn counting() -> Counting<Sbokena> {
        Counting { regardless: |_, state| state.player = Cell::default(), ..Counting::default() }
    }

    fn reasons() -> Option<crate::game::Reasons<Sbokena>> {
        Some(super::reasons::reasons())
    }

    fn overlays() -> &'static [Overlay] {
        &[
            Overlay { id: "dead", name: "Dead squares", help: "Cells from which a box can never reach a goal." },
            Overlay { id: "reach", name: "Reachable", help: "Cells the player can walk to now." },
        ]
    }

    fn overlay(level: &Level, state: &State, index: usize) -> Vec<(Spot, f32)> {
        match index {
            0 => dead_cells(level, state).into_iter().map(|c| (c.into(), 1.0)).collect(),
            1 => reachable(level, state).into_iter().map(|c| (c.into(), 1.0)).collect(),
            _ => Vec::new(),
        }
    }
}

/// A position of a level, compiled.
pub struct Position {
    map: Map,
    /// The boxes as (kind, cell), sorted.
    boxes: Vec<(usize, u16)>,
    player: u16,
}

impl Position {
    fn new(level: &Level, state: &State) -> Position {
        let map = Map::new(level);
        let boxes = map.boxes(state);
        let player = map.number.get(state.player).copied().unwrap_or(NONE);
        Position { map, boxes, player }
    }

    /// Whether no line of moves can win, for want of goals, boxes or a place to stand.
    fn goes_nowhere(&self) -> bool {
        self.map.goals.is_empty() || self.boxes.len() < self.map.goals.len() || self.player == NONE
    }

    /// The player's moves for a list of pushes, by the shortest walk to each.
    fn line(&self, steps: &[u32]) -> Vec<Dir> {
        let map = &self.map;
        let mut box_at = vec![0u16; map.len()];
        for (kind, c) in &self.boxes {
            box_at[*c as usize] = *kind as u16 + 1;
        }
        let mut player = self.player;
        let mut walk = Walk::default();
        let mut line = Vec::new();
        for &step in steps {
            let (at, d) = ((step / 4) as u16, (step % 4) as usize);
            debug_assert_eq!(step_name(at, d), step);
            let open = map.open_doors(&box_at);
            walk.flood(map, player, &box_at, &open);
            let (behind, press) = map.behind[at as usize][d];
            line.extend(walk.line_to(player, behind));
            line.push(Dir::ALL[press as usize]);
            let kind = box_at[at as usize].saturating_sub(1) as usize;
            let to = map.push[kind][at as usize][d];
            box_at[at as usize] = 0;
            if let Some(b) = box_at.get_mut(to as usize) {
                *b = kind as u16 + 1;
            }
            player = at;
        }
        line
    }
}

/// Cells from which no box of any kind that is there can reach a goal.
fn dead_cells(level: &Level, state: &State) -> Vec<Cell> {
    let position = Position::new(level, state);
    if position.goes_nowhere() {
        return Vec::new();
    }
    let Ok(base) = Base::new(position, Detail::Dead, &mut Probe::new(Limits::default())) else { return Vec::new() };
    let is_dead = |c: &usize| base.dead.iter().filter(|d| !d.is_empty()).all(|d| d[*c]);
    (0..base.position.map.len()).filter(is_dead).map(|c| base.position.map.cells[c]).collect()
}

/// Tables up to this size are made for a look at a position.
const MOST_LOOK_BYTES: usize = 200_000;

/// Whether the position is provably lost, by means that need no search. Says no where it would take long.
pub fn is_lost(level: &Level, state: &State) -> bool {
    if rules::all_covered(level, state) {
        return false;
    }
    let position = Position::new(level, state);
    let cells = position.map.len();
    if position.goes_nowhere() || cells * cells + Base::matching_bytes(&position) > MOST_LOOK_BYTES {
        return false;
    }
    let mut probe = Probe::new(Limits::default());
    Base::new(position, Detail::Look, &mut probe).is_ok_and(|base| {
        let mut space = Pushes::new(Arc::new(base), Count::Pushes);
        let start = space.start();
        space.estimate(&start, &mut probe) == Ok(None)
    })
}

/// The player's walk from where they stand, flooded.
fn flooded(position: &Position) -> Walk {
    let mut box_at = vec![0u16; position.map.len()];
    for (_, c) in &position.boxes {
        box_at[*c as usize] = 1;
    }
    let mut walk = Walk::default();
    walk.flood(&position.map, position.player, &box_at, &position.map.open_doors(&box_at));
    walk
}

/// The cells the player can walk to without pushing.
fn reachable(level: &Level, state: &State) -> Vec<Cell> {
    let position = Position::new(level, state);
    if position.player == NONE {
        return Vec::new();
    }
    let walk = flooded(&position);
    (0..position.map.len() as u16).filter(|c| walk.reached(*c)).map(|c| position.map.cells[c as usize]).collect()
}

/// A shortest walk to a cell that pushes nothing.
pub fn way_to(level: &Level, state: &State, to: Cell) -> Option<Vec<Dir>> {
    let position = Position::new(level, state);
    let to = *position.map.number.get(to)?;
    if position.player == NONE || to == NONE {
        return None;
    }
    let walk = flooded(&position);
    walk.reached(to).then(|| walk.line_to(position.player, to))
}
