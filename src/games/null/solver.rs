//! Without the rule "cross" every touch puts out exactly one lamp, so any order of all burning lamps is a shortest line.
//!
//! With it, the order of touches does not matter and a second touch undoes the first, so a solution is a set of cells. Once the touches of the first row
//! are chosen, all others are forced: a lamp still burning can only be switched by the cell below it. Trying every first row therefore meets every
//! solution, and the shortest one met is proven shortest.

use super::{
    Level, Null, State,
    rules::{burning, switch},
};
use crate::{
    game::{Apart, Goal, Solve},
    grid::{Cell, Grid, cell},
    job::Mode,
    search::driver::{Flow, Plan, Whole},
};

impl Solve for Null {
    const GOALS: &'static [Goal] =
        &[Goal { id: "touches", name: "fewest touches", count: 0, apart: Some(Apart::Moves) }];

    fn stages(level: &Level, from: &State, _: usize, _: Mode) -> Plan<Cell> {
        let from = from.clone();
        let stage = if level.cross {
            Whole::stage("first rows", true, move |known, probe| {
                for row in 0..1 << from.0.size().w {
                    probe.tick()?;
                    if let Some(line) = chase(from.0.clone(), row) {
                        known.better(line.len() as u32, line, probe);
                    }
                }
                Ok(Flow::Proven)
            })
        } else {
            Whole::stage("all lamps", true, move |known, probe| {
                probe.tick()?;
                let line = burning(&from);
                known.better(line.len() as u32, line, probe);
                Ok(Flow::Proven)
            })
        };
        Plan::best(vec![stage])
    }
}

/// The touches that follow from those of the first row, a bit each; `None` if lamps of the last row still burn.
fn chase(mut lamps: Grid<bool>, first_row: u32) -> Option<Vec<Cell>> {
    let mut line = Vec::new();
    for at in lamps.size().cells() {
        let above = cell(at.x, at.y - 1);
        if lamps.get(above).copied().unwrap_or(at.y == 0 && first_row >> at.x & 1 == 1) {
            switch(&mut lamps, at);
            line.push(at);
        }
    }
    burning(&State(lamps)).is_empty().then_some(line)
}
