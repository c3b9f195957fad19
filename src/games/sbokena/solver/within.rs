//! A look for a line that costs no more than is proven to be needed: what A* cannot find soon although its bound is the answer already.
//!
//! A* goes through the last layer of positions blindly. This search knows how much a line may cost, drops every position through which none of that
//! cost can lead, and goes through the rest as `packing.rs` does: goals in order, classes in turns. What it finds is the best there is; if it runs
//! dry there is no line of that cost, and the bound rises to the least that was dropped. Where nothing was dropped there is no line at all.

use super::{
    packing::Packing,
    pushes::{Count, Pushes},
    stages::Question,
};
use crate::{
    grid::Dir,
    job::{Probe, Stop},
    search::{
        best_first::{End, Plan, Search, Space, Successors},
        driver::{Flow, Known, Stage},
    },
};
use std::sync::Arc;

/// Nodes in the first turn; the next are twice as long.
const TURN: u64 = 30_000;
const MOST_DOUBLINGS: u32 = 4;

/// The space of `packing.rs` with estimates that never exceed the cost.
struct Ordered(Packing);

impl Space for Ordered {
    type Word = u16;
    fn expand(&mut self, state: &[u16], out: &mut Successors<u16>, probe: &mut Probe) -> Result<(), Stop> {
        self.0.expand(state, out, probe)
    }
    fn estimate(&mut self, state: &[u16], probe: &mut Probe) -> Result<Option<u32>, Stop> {
        self.0.inner.estimate(state, probe)
    }
    fn estimate_up_to(&mut self, state: &[u16], most: u32, probe: &mut Probe) -> Result<Option<u32>, Stop> {
        self.0.inner.estimate_up_to(state, most, probe)
    }
    fn is_goal(&self, state: &[u16]) -> bool {
        self.0.is_goal(state)
    }
    fn class(&mut self, state: &[u16]) -> usize {
        self.0.class(state)
    }
    fn visited(&self, state: &[u16], probe: &mut Probe) {
        self.0.visited(state, probe);
    }
    fn bytes(&mut self) -> u64 {
        self.0.bytes()
    }
}

/// The search as a stage, for fewest pushes.
pub struct Within {
    question: Arc<Question>,
    plan: Plan,
    /// What a line may cost.
    cost: u32,
    turns: u32,
    search: Option<Search<Ordered>>,
}

impl Within {
    /// A stage that has not begun; the plan ends with the first line.
    pub fn new(question: Arc<Question>, plan: Plan) -> Within {
        Within { question, plan, cost: 0, turns: 0, search: None }
    }
}

impl Stage<Dir> for Within {
    fn name(&self) -> &'static str {
        "within the bound"
    }

    fn proves(&self) -> bool {
        true
    }

    fn turn(&self) -> u64 {
        TURN << self.turns.min(MOST_DOUBLINGS)
    }

    fn run(&mut self, known: &mut Known<'_, Dir>, probe: &mut Probe) -> Result<Flow, Stop> {
        let base = self.question.base(probe)?;
        if let Some(line) = self.question.line_at_once() {
            self.question.keep(line, known, probe);
            return Ok(Flow::Proven);
        }
        if base.position.goes_nowhere() {
            return Ok(Flow::Proven);
        }
        if !base.is_matched() {
            return Ok(Flow::Done);
        }
        self.turns += 1;
        if self.search.is_none() || known.bound() > self.cost {
            let mut space = Pushes::new(base.clone(), Count::Pushes).with_conflicts();
            let start = space.start();
            self.cost = known.bound().max(space.estimate(&start, probe)?.unwrap_or(0));
            let plan = Plan { below: self.cost + 1, ..self.plan };
            // The room of the search before is given back first.
            self.search = None;
            self.search = Some(Search::new(Ordered(Packing::new(space, probe)?), vec![start], plan));
        }
        let Some(search) = &mut self.search else { return Ok(Flow::Done) };
        let question = &self.question;
        let end = search.run(probe, &mut |_, steps, probe| question.keep(base.position.line(steps), known, probe))?;
        match (end, search.least_dropped()) {
            (End::Exhausted, Some(least)) => {
                known.raise_bound(least, probe);
                Ok(Flow::Paused)
            }
            // A line of the proven cost, or none at all.
            _ => Ok(Flow::Proven),
        }
    }
}
