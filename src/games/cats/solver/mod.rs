//! Solving: fewest steps and fewest drags, both with proof.
//!
//! **There are no dead ends.** A step that takes no cat can be taken back, and a cat that is gone (a shape that has left) only makes room. So
//! whatever could be reached once can still be reached, as far as it matters, and a level that can be won can be won from everywhere.
//! The first solution is therefore found cat by cat ([`Searching::first`]), each time from where the last one left the board; and if no further cat
//! can be taken from some position, exhausting that position's surroundings, with the cats as they are, proves the level unsolvable.
//!
//! **Steps** then: the limit is raised one by one from the bound ([`Layers`], with the reductions of [`steps`]) until there is a solution, or
//! none below the one known. On two threads two limits are searched side by side: what has nothing within the higher one has nothing within the
//! lower one either. Where the limit climbs far above the bound without the search growing much (crowded boards, where
//! shapes must make way over and over), the layers repeat each other's work, and plain A* takes over.
//! **Drags**: A* over whole drags ([`drags`]).
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
    job::{Mode, Probe, Stop, lock},
    search::{
        best_first::{self, End, Search, Space},
        driver::{Flow, Known, Lazy, Plan, Stage, Whole},
        parts::threads,
    },
};
use drags::Drags;
use layout::Layout;
use line::Beginning;
use std::{
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use steps::Steps;

/// Nodes spent on bettering the first solution before the proof begins.
const BETTERING: u64 = 20_000;
/// A* takes over when the limit is this far above the bound and a layer is less than twice the one before.
const FAR_ABOVE: u32 = 8;
/// Nodes after which a proof looks at what the one on the other thread has shown.
const TURN_BESIDE: u64 = 5_000;
/// How often the proof beside waits at most, a millisecond each, for the other one to turn out long.
const WAITS: u32 = 1_000;

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

    fn stages(level: &Level, from: &State, goal: usize, mode: Mode) -> Plan<Step> {
        match layout::floor_cells(level) {
            0..=64 => plan::<1>(level, from, goal == 1, mode),
            65..=128 => plan::<2>(level, from, goal == 1, mode),
            129..=512 => plan::<8>(level, from, goal == 1, mode),
            _ => plan::<64>(level, from, goal == 1, mode),
        }
    }
}

fn plan<const W: usize>(level: &Level, from: &State, drags: bool, mode: Mode) -> Plan<Step> {
    let question = Arc::new(Question::<W> { level: level.clone(), from: from.clone(), drags, layout: Lazy::default() });
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
        let under_way = UnderWay::default();
        for (name, waits) in [("proof", 0), ("proof beside", WAITS)].into_iter().take(threads(mode)) {
            let mut layers = Layers { under_way: under_way.clone(), waits, ..Layers::default() };
            let turn = if threads(mode) > 1 { TURN_BESIDE } else { u64::MAX };
            let work = move |s: &mut Searching<W, Steps<W>>, k: &mut Known<'_, Step>, p: &mut Probe| {
                s.prove_steps(&mut layers, k, p)
            };
            stages.push(question.stage_in_turns(name, steps, cheapest, turn, work));
        }
    }
    Plan::best(stages)
}

/// What is asked, and the tables that all stages share.
struct Question<const W: usize> {
    level: Level,
    from: State,
    drags: bool,
    layout: Lazy<Layout<W>>,
}

impl<const W: usize> Question<W> {
    /// A stage that makes its search ready in the first turn and goes on with `work` in each.
    fn stage<S: Positions<W>>(
        self: &Arc<Self>,
        name: &'static str,
        make: fn(Steps<W>) -> S,
        plan: best_first::Plan,
        work: impl FnMut(&mut Searching<W, S>, &mut Known<'_, Step>, &mut Probe) -> Result<Flow, Stop> + Send + 'static,
    ) -> Box<dyn Stage<Step>> {
        self.stage_in_turns(name, make, plan, u64::MAX, work)
    }

    /// As [`Question::stage`], in turns of `turn` nodes.
    fn stage_in_turns<S: Positions<W>>(
        self: &Arc<Self>,
        name: &'static str,
        make: fn(Steps<W>) -> S,
        plan: best_first::Plan,
        turn: u64,
        mut work: impl FnMut(&mut Searching<W, S>, &mut Known<'_, Step>, &mut Probe) -> Result<Flow, Stop> + Send + 'static,
    ) -> Box<dyn Stage<Step>> {
        let question = self.clone();
        let mut searching = None;
        Whole::in_turns(name, true, turn, move |known, probe| {
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
    /// The line of a way through it.
    fn line(&mut self, level: &Level, begin: &[Beginning], way: &[Vec<u32>]) -> Option<Vec<Step>>;
}

impl<const W: usize> Positions<W> for Steps<W> {
    fn line(&mut self, level: &Level, begin: &[Beginning], way: &[Vec<u32>]) -> Option<Vec<Step>> {
        line::of_steps(level, self, begin, way)
    }
}

impl<const W: usize> Positions<W> for Drags<W> {
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

/// The proofs on all threads.
#[derive(Clone, Default)]
struct UnderWay {
    /// The limits they are at.
    limits: Arc<Mutex<Vec<u32>>>,
    /// Whether one of them has paused, so that a second one is worth while.
    is_long: Arc<AtomicBool>,
}

impl UnderWay {
    fn limits(&self) -> MutexGuard<'_, Vec<u32>> {
        lock(&self.limits)
    }

    /// Takes the least limit, from this one on and below the other, that no thread is at.
    fn take(&self, from: u32, below: u32) -> Option<u32> {
        let mut limits = self.limits();
        let limit = (from..below).find(|limit| !limits.contains(limit))?;
        limits.push(limit);
        Some(limit)
    }

    fn leave(&self, limit: u32) {
        self.limits().retain(|l| *l != limit);
    }
}

/// The limit of a proof, raised layer by layer.
#[derive(Default)]
struct Layers {
    under_way: UnderWay,
    /// How often it still waits for another proof to turn out long. The same line is found for an easy level then, however many threads there are.
    waits: u32,
    /// The bound it began with.
    first: Option<u32>,
    /// The limit of the layer under way.
    limit: Option<u32>,
    /// Nodes of this layer so far.
    nodes: u64,
    /// The limit of the last layer that was searched to its end, and its nodes.
    last: (u32, u64),
    /// Whether A* has taken over.
    cheapest: bool,
}

impl Layers {
    /// Gives up the layer under way.
    fn leave(&mut self) {
        self.limit.take().into_iter().for_each(|limit| self.under_way.leave(limit));
        self.nodes = 0;
    }
}

impl<const W: usize, S: Positions<W>> Searching<W, S> {
    fn keep(&mut self, way: &[Vec<u32>], known: &mut Known<'_, Step>, probe: &mut Probe) {
        let line = self.search.space.line(&self.question.level, &self.begin, way);
        let line = line.expect("a way of the search replays through the rules");
        let cost = if self.question.drags { rules::drags(&self.question.level, &line) } else { line.len() as u32 };
        known.better(cost, line, probe);
    }

    /// Searches on for solutions below the one known. What it has found and proven counts even where it was stopped.
    fn advance(&mut self, known: &mut Known<'_, Step>, probe: &mut Probe) -> Result<End, Stop> {
        let end = self.search.run(probe, &mut |_, _, _| ());
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
        layers: &mut Layers,
        known: &mut Known<'_, Step>,
        probe: &mut Probe,
    ) -> Result<Flow, Stop> {
        if layers.waits > 0 && !layers.under_way.is_long.load(Ordering::Relaxed) {
            probe.check()?;
            layers.waits -= 1;
            std::thread::sleep(Duration::from_millis(1));
            return Ok(Flow::Paused);
        }
        let least = self.starts.iter().map(|s| self.head + self.search.space.bound(s)).min().unwrap_or(0);
        known.raise_bound(least, probe);
        let first = *layers.first.get_or_insert(known.bound());
        while known.bound() < known.below() {
            if layers.cheapest {
                self.set_below(known);
                self.advance(known, probe)?;
                return Ok(Flow::Proven);
            }
            // Another thread may have shown meanwhile that there is nothing here, or that nothing here is of interest.
            if layers.limit.is_some_and(|limit| limit < known.bound() || limit >= known.below()) {
                layers.leave();
            }
            let limit = match layers.limit {
                Some(limit) => limit,
                None => {
                    let limit = layers.under_way.take(known.bound(), known.below());
                    // All that are left are taken.
                    let Some(limit) = limit else { return Ok(Flow::Done) };
                    let below = limit + 1 - self.head;
                    let first = best_first::Plan::first(|_, estimate| estimate);
                    self.search.restart(self.starts.clone(), best_first::Plan { below, slack: true, ..first });
                    *layers.limit.insert(limit)
                }
            };
            let before = probe.progress.nodes;
            let end = self.advance(known, probe);
            layers.nodes += probe.progress.nodes - before;
            if end.is_err() {
                layers.under_way.is_long.store(true, Ordering::Relaxed);
            }
            if end == Err(Stop::Memory) {
                layers.leave();
            }
            if end? == End::Exhausted {
                known.raise_bound(limit + 1, probe);
                let (last, nodes) = layers.last;
                layers.cheapest = limit >= first + FAR_ABOVE && layers.nodes >> (limit - last).min(63) < nodes;
                layers.last = (limit, layers.nodes);
                if layers.cheapest {
                    self.search.restart(self.starts.clone(), best_first::Plan::cheapest());
                }
            }
            layers.leave();
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
        self.set_below(known);
        self.advance(known, probe)?;
        Ok(Flow::Proven)
    }
}
