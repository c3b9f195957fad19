//! Solving: fewest steps and fewest drags, both with proof.
//!
//! **There are no dead ends.** A step that takes no cat can be taken back, and a cat that is gone (a shape that has left) only makes room. So
//! whatever could be reached once can still be reached, as far as it matters, and a level that can be won can be won from everywhere.
//! The first solution is therefore found cat by cat ([`Searching::first`]), each time from where the last one left the board; and if no further cat
//! can be taken from some position, exhausting that position's surroundings, with the cats as they are, proves the level unsolvable.
//!
//! **Steps** then: the limit is raised one by one from the bound ([`Layers`], with the reductions of [`steps`]) until there is a solution, or
//! none below the one known. Where the limit climbs far above the bound without the search growing much (crowded boards, where
//! shapes must make way over and over), the layers repeat each other's work, and plain A* takes over.
//! **Drags**: A* over whole drags ([`drags`]).
//! A proof that turns out long goes on on all threads, which share the numbers of positions ([`colours`]).
//!
//! Every line is found again step by step through the rules before it is given out ([`line`]).
//!
//! Not attempted: dominance between positions that differ only in the cats gone, bounds from three colours, symmetric boards.

mod colours;
mod drags;
mod layout;
mod line;
mod pairs;
mod steps;

use super::{Cats, Level, State, Step, rules};
use crate::{
    analysis::rate::{self, Metrics},
    game::{Apart, Counting, Goal, Rules as _, Solve, Status},
    job::{Mode, Probe, Stop},
    search::{
        best_first::{self, End, Search, Space, Team},
        driver::{Flow, Known, Lazy, Plan, Stage, Whole},
        parts::threads,
    },
};
use drags::Drags;
use layout::Layout;
use line::Beginning;
use std::sync::Arc;
use steps::Steps;

/// Nodes spent on bettering the first solution before the proof begins.
const BETTERING: u64 = 20_000;
/// A* takes over when the limit is this far above the bound and a layer is less than twice the one before.
const FAR_ABOVE: u32 = 8;
/// An easy level is proven on one thread: sooner so, and with the same line however many there are.
const ALONE: u64 = 5_000;

impl Solve for Cats {
    const GOALS: &'static [Goal] = &[
        Goal { id: "steps", name: "fewest steps", count: 0, apart: Some(Apart::Moves) },
        Goal { id: "drags", name: "fewest drags", count: 1, apart: Some(Apart::Runs) },
    ];

    fn difficulty(_level: &Level, metrics: &Metrics, _: &mut Probe) -> Result<Option<f64>, Stop> {
        // Drags are what a person decides on, but a drag around corners is more to see than a push: so the fewest steps weigh in too, by half, and the
        // positions of a plain search by a quarter.
        let part = |n: f64| (1.0 + n).log2();
        let [steps, drags] = [0, 1].map(|goal| f64::from(metrics.least.get(goal).copied().unwrap_or(0)));
        let effort = part(drags) + 0.5 * part(steps) + 0.25 * part(metrics.positions);
        Ok(Some(rate::scale(effort, 12.0)))
    }

    fn reasons() -> Option<crate::game::Reasons<Cats>> {
        Some(super::reasons::reasons())
    }

    fn counting() -> Counting<Cats> {
        Counting { alike: layout::in_order, ..Counting::default() }
    }

    fn stages(level: &Level, from: &State, goal: usize, _: Mode) -> Plan<Step> {
        stages(level, from, goal, ALONE)
    }
}

/// The stages of a goal. A proof goes on on all threads after this many nodes on one: tests of small levels ask for fewer.
pub fn stages(level: &Level, from: &State, goal: usize, alone: u64) -> Plan<Step> {
    match layout::floor_cells(level) {
        0..=64 => plan::<1>(level, from, goal == 1, alone),
        65..=128 => plan::<2>(level, from, goal == 1, alone),
        129..=512 => plan::<8>(level, from, goal == 1, alone),
        _ => plan::<64>(level, from, goal == 1, alone),
    }
}

fn plan<const W: usize>(level: &Level, from: &State, drags: bool, alone: u64) -> Plan<Step> {
    let (level, from, layout) = (level.clone(), from.clone(), Lazy::default());
    let question = Arc::new(Question::<W> { level, from, drags, alone, layout });
    let weighted = best_first::Plan::first(|cost, estimate| cost + 2 * estimate);
    let cheapest = best_first::Plan::cheapest();
    let steps: fn(Steps<W>) -> Steps<W> = |steps| steps;
    let mut way = Vec::new();
    let mut left = if drags { BETTERING / 10 } else { BETTERING };
    let mut stages = vec![question.stage("cat by cat", steps, weighted, move |s, k, p| s.first(&mut way, k, p))];
    if drags {
        stages.push(question.stage("weighted", Drags::by_cats, weighted, move |s, k, p| {
            // The first solution is often the best, and the bound shows it.
            s.raise_to_starts(k, p)?;
            s.better(&mut left, k, p)
        }));
        stages.push(question.stage("proof", Drags::new, cheapest, |s, k, p| s.prove_drags(k, p)));
    } else {
        stages.push(question.stage("weighted", steps, weighted, move |s, k, p| s.better(&mut left, k, p)));
        let mut layers = Layers::<W>::default();
        stages.push(question.stage("proof", steps, cheapest, move |s, k, p| s.prove_steps(&mut layers, k, p)));
    }
    Plan::best(stages).in_turns()
}

/// What is asked, and the tables that all stages share.
struct Question<const W: usize> {
    level: Level,
    from: State,
    drags: bool,
    /// Nodes of a proof on one thread before it goes on on all.
    alone: u64,
    layout: Lazy<Layout<W>>,
}

impl<const W: usize> Question<W> {
    /// A stage that makes its search ready in the first turn and goes on with `work` in each.
    fn stage<S: Positions<W>>(
        self: &Arc<Self>,
        name: &'static str,
        make: fn(Steps<W>) -> S,
        plan: best_first::Plan,
        mut work: impl FnMut(&mut Searching<W, S>, &mut Known<'_, Step>, &mut Probe) -> Result<Flow, Stop> + Send + 'static,
    ) -> Box<dyn Stage<Step>> {
        let question = self.clone();
        let mut searching = None;
        Whole::stage(name, true, move |known, probe| {
            if searching.is_none() {
                searching = question.begin(make, plan, known, probe)?;
            }
            match &mut searching {
                Some(searching) => work(searching, known, probe),
                None => Ok(Flow::Proven),
            }
        })
    }

    /// Makes a search ready, or answers what can be answered without one.
    fn begin<S: Positions<W>>(
        self: &Arc<Self>,
        make: fn(Steps<W>) -> S,
        plan: best_first::Plan,
        known: &mut Known<'_, Step>,
        probe: &mut Probe,
    ) -> Result<Option<Searching<W, S>>, Stop> {
        if Cats::status(&self.level, &self.from) == Status::Won {
            known.better(0, Vec::new(), probe);
            return Ok(None);
        }
        let begin = line::beginnings(&self.level, &self.from, self.drags);
        let layout = self.layout.get(probe, |probe| Layout::new(&self.level, &self.from, probe))?;
        let mut steps = Steps::new(layout);
        let start = steps.pack(&self.level, &self.from);
        if begin.is_empty() || steps.hopeless(&start) {
            return Ok(None);
        }
        let starts: Vec<Vec<u32>> = begin.iter().map(|(state, _)| steps.pack(&self.level, state)).collect();
        let head = u32::from(begin.iter().any(|(_, line)| !line.is_empty()));
        let search = Search::new(make(steps), starts.clone(), plan);
        Ok(Some(Searching { question: self.clone(), begin, starts, head, search }))
    }
}

/// A space of positions of the whole board.
trait Positions<const W: usize>: Space<Word = u32> + Send + 'static {
    /// The same space for another thread: a position has the same words in both.
    fn beside(&mut self) -> Self;

    /// The line of a way through it.
    fn line(&mut self, level: &Level, begin: &[Beginning], way: &[Vec<u32>]) -> Option<Vec<Step>>;
}

impl<const W: usize> Positions<W> for Steps<W> {
    fn beside(&mut self) -> Self {
        Steps::beside(self)
    }

    fn line(&mut self, level: &Level, begin: &[Beginning], way: &[Vec<u32>]) -> Option<Vec<Step>> {
        line::of_steps(level, self, begin, way)
    }
}

impl<const W: usize> Positions<W> for Drags<W> {
    fn beside(&mut self) -> Self {
        Drags::beside(self)
    }

    fn line(&mut self, level: &Level, begin: &[Beginning], way: &[Vec<u32>]) -> Option<Vec<Step>> {
        line::of_drags(level, &mut self.steps, begin, way)
    }
}

/// A stage on its way.
struct Searching<const W: usize, S: Space<Word = u32>> {
    question: Arc<Question<W>>,
    begin: Vec<Beginning>,
    /// The beginnings, packed.
    starts: Vec<Vec<u32>>,
    /// What leads to each of them costs this.
    head: u32,
    search: Search<S>,
}

/// The limit of a proof, raised layer by layer.
#[derive(Default)]
struct Layers<const W: usize> {
    /// All threads, once it has turned out long.
    team: Option<Team<Steps<W>>>,
    /// Whether there was no memory for them.
    stays_alone: bool,
    /// The bound it began with, and nodes since then.
    first: Option<u32>,
    all_nodes: u64,
    /// The limit of the layer under way, and its nodes so far.
    limit: Option<u32>,
    nodes: u64,
    /// Nodes of the layer before.
    last: u64,
    /// Whether A* has taken over.
    cheapest: bool,
}

impl<const W: usize, S: Positions<W>> Searching<W, S> {
    /// A*, on all threads after this many nodes on one.
    fn prove_cheapest(&mut self, alone: u64, known: &mut Known<'_, Step>, probe: &mut Probe) -> Result<Flow, Stop> {
        self.set_below(known);
        let threads = threads(probe.mode());
        if threads > 1 && !self.search.has_helpers() {
            if probe.turn(alone, |p| self.advance(known, p))?.is_some() {
                return Ok(Flow::Proven);
            }
            let helpers = (1..threads).map(|_| self.search.space.beside()).collect();
            self.search.set_helpers(helpers);
        }
        self.advance(known, probe)?;
        Ok(Flow::Proven)
    }

    fn keep(&mut self, way: &[Vec<u32>], known: &mut Known<'_, Step>, probe: &mut Probe) {
        let line = self.search.space.line(&self.question.level, &self.begin, way);
        let line = line.expect("a way of the search replays through the rules");
        let cost = if self.question.drags { rules::drags(&self.question.level, &line) } else { line.len() as u32 };
        known.better(cost, line, probe);
    }

    /// Searches on for solutions below the one known. What it has found and proven counts even where it was stopped.
    fn advance(&mut self, known: &mut Known<'_, Step>, probe: &mut Probe) -> Result<End, Stop> {
        let end = self.search.run_batches(probe, &mut |_, _, _| ());
        known.raise_bound(self.head + self.search.bound(), probe);
        if self.search.solution().is_some_and(|(cost, _)| self.head + cost < known.below()) {
            let way = self.search.path();
            self.keep(&way, known, probe);
        }
        end
    }

    fn set_below(&mut self, known: &Known<'_, Step>) {
        self.search.set_below(known.below().saturating_sub(self.head));
    }

    /// A better solution, within a few nodes.
    fn better(&mut self, left: &mut u64, known: &mut Known<'_, Step>, probe: &mut Probe) -> Result<Flow, Stop> {
        if known.bound() >= known.below() {
            return Ok(Flow::Proven);
        }
        self.set_below(known);
        let before = probe.progress.nodes;
        let end = probe.turn(*left, |p| self.advance(known, p));
        *left -= (probe.progress.nodes - before).min(*left);
        match end? {
            Some(End::Exhausted) => Ok(Flow::Proven),
            None if *left > 0 => Ok(Flow::Paused),
            _ => Ok(Flow::Done),
        }
    }
}

impl<const W: usize> Searching<W, Steps<W>> {
    /// A first solution; without one the level is proven unsolvable. `way` is the way to the last cat taken.
    fn first(&mut self, way: &mut Vec<Vec<u32>>, known: &mut Known<'_, Step>, probe: &mut Probe) -> Result<Flow, Stop> {
        loop {
            if self.search.space.milestone.is_none() {
                self.search.space.milestone = self.starts.iter().map(|s| self.search.space.living(s)).min();
            }
            if self.search.run(probe, &mut |_, _, _| ())? == End::Exhausted {
                return Ok(Flow::Proven);
            }
            way.extend(self.search.path());
            let Some(last) = way.last().cloned() else { return Ok(Flow::Done) };
            let living = self.search.space.living(&last);
            if living == 0 {
                self.keep(way, known, probe);
                return Ok(Flow::Done);
            }
            way.pop();
            self.search.space.milestone = Some(living);
            self.search.restart(vec![last], self.search.plan());
        }
    }

    /// The best, with its proof.
    fn prove_steps(
        &mut self,
        layers: &mut Layers<W>,
        known: &mut Known<'_, Step>,
        probe: &mut Probe,
    ) -> Result<Flow, Stop> {
        let least = self.starts.iter().map(|s| self.head + self.search.space.bound(s)).min().unwrap_or(0);
        known.raise_bound(least, probe);
        let first = *layers.first.get_or_insert(known.bound());
        let alone = if threads(probe.mode()) > 1 { self.question.alone } else { u64::MAX };
        while known.bound() < known.below() {
            if layers.cheapest {
                return self.prove_cheapest(if layers.stays_alone { u64::MAX } else { 0 }, known, probe);
            }
            let limit = known.bound();
            if layers.limit != Some(limit) {
                let plan = best_first::Plan::first(|_, estimate| estimate);
                let plan = best_first::Plan { below: limit + 1 - self.head, slack: true, ..plan };
                match &mut layers.team {
                    Some(team) => team.restart(&self.starts, plan),
                    None => self.search.restart(self.starts.clone(), plan),
                }
                (layers.limit, layers.nodes) = (Some(limit), 0);
            }
            let before = probe.progress.nodes;
            let end = match &mut layers.team {
                Some(team) => team.run(probe).map(Some),
                None if layers.stays_alone => self.advance(known, probe).map(Some),
                None => probe.turn(alone.saturating_sub(layers.all_nodes), |p| self.advance(known, p)),
            };
            layers.nodes += probe.progress.nodes - before;
            layers.all_nodes += probe.progress.nodes - before;
            if end == Err(Stop::Memory) && layers.team.is_some() {
                // Each thread has tables of its own; one alone needs less.
                (layers.team, layers.limit, layers.stays_alone) = (None, None, true);
                probe.progress.memory = self.search.bytes();
                continue;
            }
            match (end?, &layers.team) {
                (Some(End::Found), Some(team)) => self.keep(&team.path(), known, probe),
                (Some(End::Found), None) => {}
                (Some(End::Exhausted), _) => {
                    known.raise_bound(limit + 1, probe);
                    layers.cheapest = limit >= first + FAR_ABOVE && layers.nodes / 2 < layers.last;
                    layers.last = layers.nodes;
                    if layers.cheapest {
                        layers.team = None;
                        self.search.restart(self.starts.clone(), best_first::Plan::cheapest());
                    }
                }
                // It is long: all threads begin this layer again.
                (None, _) => {
                    let spaces = (0..threads(probe.mode())).map(|_| self.search.space.beside()).collect();
                    layers.team = Some(Team::new(spaces, &self.starts, self.search.plan()));
                    layers.nodes = 0;
                }
            }
        }
        Ok(Flow::Proven)
    }
}

impl<const W: usize> Searching<W, Drags<W>> {
    fn raise_to_starts(&mut self, known: &mut Known<'_, Step>, probe: &mut Probe) -> Result<(), Stop> {
        let mut least = drags::MOST_DRAGS;
        for start in &self.starts {
            least = least.min(self.search.space.bound(start, drags::MOST_DRAGS, probe)?);
        }
        known.raise_bound(self.head + least, probe);
        Ok(())
    }

    /// The best, with its proof.
    fn prove_drags(&mut self, known: &mut Known<'_, Step>, probe: &mut Probe) -> Result<Flow, Stop> {
        self.prove_cheapest(self.question.alone, known, probe)
    }
}
