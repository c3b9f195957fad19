//! Every touch puts out exactly one lamp, so any order of all burning lamps is a shortest line.

use super::{Level, Null, State, rules};
use crate::{
    game::{Goal, Solve},
    grid::Cell,
    job::Mode,
    search::driver::{Flow, Plan, Whole},
};

impl Solve for Null {
    const GOALS: &'static [Goal] = &[Goal { id: "touches", name: "fewest touches", count: 0 }];

    fn stages(_: &Level, from: &State, _: usize, _: Mode) -> Plan<Cell> {
        let line = rules::burning(from);
        Plan::best(vec![Whole::stage("all lamps", true, move |known, probe| {
            probe.tick()?;
            known.better(line.len() as u32, line.clone(), probe);
            Ok(Flow::Proven)
        })])
    }
}
