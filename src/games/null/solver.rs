//! Every touch puts out exactly one lamp, so any order of all burning lamps is a shortest line.

use super::{Level, Null, State, rules};
use crate::{
    game::{Goal, Outcome, Solve},
    grid::Cell,
    job::Probe,
};

impl Solve for Null {
    const GOALS: &'static [Goal] = &[Goal { id: "touches", name: "fewest touches", count: 0 }];

    fn solve(_: &Level, from: &State, _: usize, probe: &mut Probe, found: &mut dyn FnMut(&[Cell])) -> Outcome<Cell> {
        if let Err(by) = probe.tick() {
            return Outcome::Stopped { by, bound: 0 };
        }
        let line = rules::burning(from);
        let cost = line.len() as u32;
        probe.found(cost);
        found(&line);
        Outcome::optimal(line, cost)
    }
}
