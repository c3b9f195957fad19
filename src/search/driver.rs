//! Stages, and the driver that runs them.
//!
//! A game answers a question ("the fewest steps from here") with several searches: one that finds some line soon, others that find better ones,
//! others that prove. Each is a [`Stage`]; the [`Driver`] gives them turns, measured in nodes, and alone keeps what they have in common: the best line,
//! the proven bound, node sums, memory, the cancel flag, and what the answer is in the end.
//!
//! A stage is built lightly: tables are made in its first turn, ticking. It can be paused at any tick of its last turn and goes on where it was, or
//! begins that turn's work again.
//!
//! There are two ways to run. *Reproducible*: one thread, turns in the order of the list, so the same nodes give the same answer everywhere. *Fast*:
//! as many stages at a time as there are threads, each taking the next stage that waits; what is known is handed on at each turn. A stage that leads
//! ([`Stage::leads`]) stays on its thread. Where stages use all threads themselves, they take turns ([`Plan::in_turns`]). [`Driver::turn`] can also be
//! called from outside, where there are neither threads nor a clock.

use super::{
    outcome::{Outcome, Tally},
    parts::search_thread,
};
use crate::job::{Mode, Probe, Stop, lock};
use std::{
    collections::VecDeque,
    sync::{
        Arc, Mutex, MutexGuard, TryLockError,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::Duration,
};

/// How a stage's turn ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It has more to do.
    Paused,
    /// It has no more to do.
    Done,
    /// It has settled the question: the best line known is optimal, or there is no line at all.
    Proven,
}

/// One search among several for the same question.
pub trait Stage<M>: Send {
    /// A short name, unique among the stages of its goal.
    fn name(&self) -> &'static str;

    /// Whether it can end with [`Flow::Proven`].
    fn proves(&self) -> bool;

    /// Whether it only makes a known line better. Such a stage waits for a line, and where any line will do it alone goes on when there is one.
    fn improves(&self) -> bool {
        false
    }

    /// Whether it keeps its thread after a turn, while others share the rest: for one that may use more threads than its own.
    fn leads(&self) -> bool {
        false
    }

    /// Nodes of its next turn.
    fn turn(&self) -> u64 {
        u64::MAX
    }

    /// Searches on. Running out of the turn's nodes (`Stop::Nodes`) only pauses it. `probe.progress.memory` is what it has in use.
    fn run(&mut self, known: &mut Known<'_, M>, probe: &mut Probe) -> Result<Flow, Stop>;
}

/// The stages for a question.
pub struct Plan<M> {
    /// In the order of their first turns.
    pub stages: Vec<Box<dyn Stage<M>>>,
    /// Whether the first line ends the search, best or not, stages that improve it apart.
    pub any_line: bool,
    /// Whether one stage runs at a time, since those that take long use all threads themselves.
    pub in_turns: bool,
}

impl<M> Plan<M> {
    /// Stages that look for the best line.
    pub fn best(stages: Vec<Box<dyn Stage<M>>>) -> Plan<M> {
        Plan { stages, any_line: false, in_turns: false }
    }

    /// Stages that look for some line.
    pub fn any(stages: Vec<Box<dyn Stage<M>>>) -> Plan<M> {
        Plan { stages, any_line: true, in_turns: false }
    }

    /// The same stages, one at a time.
    pub fn in_turns(self) -> Plan<M> {
        Plan { in_turns: true, ..self }
    }
}

/// What is known so far, as a stage sees it.
pub struct Known<'a, M> {
    best: Option<(u32, Vec<M>)>,
    bound: u32,
    tally: Option<Tally>,
    alone: bool,
    report: &'a mut dyn FnMut(u32, &[M]),
}

impl<'a, M> Known<'a, M> {
    /// Nothing known yet; `report` is called with the cost and the moves of each line that beats the one before.
    pub fn nothing(report: &'a mut dyn FnMut(u32, &[M])) -> Known<'a, M> {
        Known { best: None, bound: 0, tally: None, alone: false, report }
    }

    /// Only a line that costs less than this is of interest.
    pub fn below(&self) -> u32 {
        self.best.as_ref().map_or(u32::MAX, |b| b.0)
    }

    /// No line costs less than this: proven.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// Whether no other stage runs at the same time.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// The best line.
    pub fn line(&self) -> Option<&[M]> {
        self.best.as_ref().map(|b| b.1.as_slice())
    }

    /// Takes in a line, if it is the best so far.
    pub fn better(&mut self, cost: u32, line: Vec<M>, probe: &mut Probe) {
        if cost < self.below() {
            probe.found(cost);
            (self.report)(cost, &line);
            self.best = Some((cost, line));
        }
    }

    /// Takes in a proof that no line costs less.
    pub fn raise_bound(&mut self, bound: u32, probe: &mut Probe) {
        self.bound = self.bound.max(bound);
        probe.progress.bound = self.bound;
    }

    /// Takes in the number of solutions.
    pub fn count(&mut self, tally: Tally) {
        self.tally = Some(tally);
    }

    /// Runs a stage alone, on nothing but what is known here, to its end: for tests of single stages.
    pub fn run(&mut self, stage: &mut dyn Stage<M>, probe: &mut Probe) -> Result<Flow, Stop> {
        loop {
            match probe.turn(stage.turn(), |p| stage.run(self, p))? {
                None | Some(Flow::Paused) => {}
                Some(end) => return Ok(end),
            }
        }
    }
}

/// A stage made of a function. After a pause it is called again: it begins its work again, or goes on from what it has kept.
pub struct Whole<F> {
    name: &'static str,
    proves: bool,
    turn: u64,
    work: F,
}

impl<F> Whole<F> {
    /// A boxed stage of this name.
    pub fn stage<M>(name: &'static str, proves: bool, work: F) -> Box<dyn Stage<M>>
    where
        F: FnMut(&mut Known<'_, M>, &mut Probe) -> Result<Flow, Stop> + Send + 'static,
    {
        Whole::in_turns(name, proves, u64::MAX, work)
    }

    /// As [`Whole::stage`], in turns of `turn` nodes: for work that goes on from what it has kept.
    pub fn in_turns<M>(name: &'static str, proves: bool, turn: u64, work: F) -> Box<dyn Stage<M>>
    where
        F: FnMut(&mut Known<'_, M>, &mut Probe) -> Result<Flow, Stop> + Send + 'static,
    {
        Box::new(Whole { name, proves, turn, work })
    }
}

impl<M, F: FnMut(&mut Known<'_, M>, &mut Probe) -> Result<Flow, Stop> + Send> Stage<M> for Whole<F> {
    fn name(&self) -> &'static str {
        self.name
    }
    fn proves(&self) -> bool {
        self.proves
    }
    fn turn(&self) -> u64 {
        self.turn
    }
    fn run(&mut self, known: &mut Known<'_, M>, probe: &mut Probe) -> Result<Flow, Stop> {
        (self.work)(known, probe)
    }
}

/// Tables that several stages need: the first that asks makes them.
pub struct Lazy<T>(Mutex<Option<Arc<T>>>);

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Lazy(Mutex::new(None))
    }
}

impl<T> Lazy<T> {
    /// The tables, made now if they are not yet.
    pub fn get(&self, probe: &mut Probe, make: impl FnOnce(&mut Probe) -> Result<T, Stop>) -> Result<Arc<T>, Stop> {
        let mut made = wait_for(&self.0, probe)?;
        match &*made {
            Some(tables) => Ok(tables.clone()),
            None => Ok(made.insert(Arc::new(make(probe)?)).clone()),
        }
    }
}

/// Locks what another thread may hold while it builds tables, keeping time and cancel.
pub fn wait_for<'a, T>(m: &'a Mutex<T>, probe: &mut Probe) -> Result<MutexGuard<'a, T>, Stop> {
    loop {
        match m.try_lock() {
            Ok(free) => return Ok(free),
            Err(TryLockError::Poisoned(e)) => return Ok(e.into_inner()),
            Err(TryLockError::WouldBlock) => {
                probe.check()?;
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Stages at a time where one leads: each has a share of the memory, and the leader needs most.
const WITH_LEADER: usize = 4;

/// A stage with the memory it had after its last turn.
struct Slot<M> {
    stage: Box<dyn Stage<M>>,
    bytes: u64,
    /// The least nodes of its next turn: a stage that was cut short from outside gets twice as many, so that one which begins again gets through.
    least: u64,
}

/// What all turns have found together.
struct Shared<M> {
    waiting: VecDeque<Slot<M>>,
    /// Threads that take stages.
    workers: usize,
    /// Stages that improve a line and have not ended.
    improving: usize,
    best: Option<(u32, Vec<M>)>,
    bound: u32,
    tally: Option<Tally>,
    any_line: bool,
    proven: bool,
    /// Why a stage gave up, if one did.
    gave_up: Option<Stop>,
    /// Why all of it stopped.
    stopped: Option<Stop>,
    nodes: u64,
}

/// Runs the stages of one question.
pub struct Driver<M> {
    shared: Shared<M>,
    in_turns: bool,
}

impl<M: Clone + Send> Driver<M> {
    /// A driver that has not begun.
    pub fn new(plan: Plan<M>) -> Driver<M> {
        let improving = plan.stages.iter().filter(|s| s.improves()).count();
        let waiting = plan.stages.into_iter().map(|stage| Slot { stage, bytes: 0, least: 0 }).collect();
        Driver {
            in_turns: plan.in_turns,
            shared: Shared {
                waiting,
                workers: 0,
                improving,
                best: None,
                bound: 0,
                tally: None,
                any_line: plan.any_line,
                proven: false,
                gave_up: None,
                stopped: None,
                nodes: 0,
            },
        }
    }

    /// Gives the next stage a turn of about this many nodes. True when there is nothing more to do.
    pub fn turn(&mut self, nodes: u64, probe: &mut Probe, found: &mut dyn FnMut(&[M])) -> bool {
        if self.shared.over() {
            return true;
        }
        let Some(mut slot) = self.shared.next() else { return true };
        let held = self.shared.held();
        probe.hold(held);
        probe.progress.memory = slot.bytes;
        let mut report = |_: u32, line: &[M]| found(line);
        let mut known = self.shared.known(&mut report);
        let nodes = nodes.max(slot.least).min(slot.stage.turn());
        let end = probe.turn(nodes, |p| slot.stage.run(&mut known, p));
        let Known { best, bound, tally, .. } = known;
        slot.bytes = probe.progress.memory;
        slot.least = nodes.saturating_mul(2);
        probe.hold(0);
        self.shared.take_in(best, bound, tally);
        let slot = self.shared.after_turn(slot, end);
        self.shared.waiting.extend(slot);
        probe.progress.bound = self.shared.bound;
        probe.progress.memory += held;
        self.shared.over()
    }

    /// Runs to the end, or to a limit.
    pub fn run(mut self, probe: &mut Probe, found: &mut dyn FnMut(&[M])) -> Outcome<M> {
        match probe.mode() {
            Mode::Fast { threads } if threads > 1 && self.shared.waiting.len() > 1 && !self.in_turns => {
                let leads = self.shared.waiting.iter().any(|s| s.stage.leads());
                let most = if leads { WITH_LEADER } else { threads };
                self.run_threads(threads.min(most).min(self.shared.waiting.len()), probe, found);
            }
            _ => while !self.turn(u64::MAX, probe, found) {},
        }
        self.outcome()
    }

    /// What has come of it.
    pub fn outcome(self) -> Outcome<M> {
        let Shared { best, bound, tally, any_line, proven, gave_up, stopped, .. } = self.shared;
        // A line that answers the question was not stopped, whatever might still have come of it.
        let stopped = stopped.or(gave_up);
        match best {
            Some((cost, line)) if proven || cost <= bound => {
                Outcome::Solved { line, optimal: true, bound: cost, stopped: None, tally }
            }
            Some((cost, line)) => {
                let stopped = stopped.filter(|_| !any_line);
                Outcome::Solved { line, optimal: false, bound: bound.min(cost), stopped, tally }
            }
            None if proven => Outcome::Unsolvable,
            None => Outcome::Stopped { by: stopped.unwrap_or(Stop::Memory), bound },
        }
    }

    /// As many stages at a time as there are threads.
    fn run_threads(&mut self, threads: usize, probe: &mut Probe, found: &mut dyn FnMut(&[M])) {
        let flags = Flags::default();
        let shared = Mutex::new(&mut self.shared);
        let (send, lines) = mpsc::channel::<(u32, Vec<M>)>();
        let heat = probe.heat.as_ref().map(Vec::len);
        let mut heats = Vec::new();
        std::thread::scope(|scope| {
            let mut workers = Vec::new();
            for _ in 0..threads {
                // Each has its share of the memory: none knows how much the others take while they run.
                let mut part = probe.part(u64::MAX).with_share(threads as u64);
                part.heat = heat.map(|n| vec![0; n]);
                let (shared, flags, send) = (&shared, &flags, send.clone());
                let work = move || worker(shared, flags, part, threads as u64, &send);
                match search_thread().spawn_scoped(scope, work) {
                    Ok(worker) => workers.push(worker),
                    // One thread serves where no second can be started; where none can, this one does the work below.
                    Err(_) => break,
                }
            }
            drop(send);
            let mut least = u32::MAX;
            loop {
                match lines.recv_timeout(Duration::from_millis(20)) {
                    Ok((cost, line)) if cost < least => {
                        least = cost;
                        probe.found(cost);
                        found(&line);
                    }
                    Err(mpsc::RecvTimeoutError::Disconnected) => break,
                    _ => {}
                }
                let now = lock(&shared);
                (probe.progress.nodes, probe.progress.bound, probe.progress.memory) =
                    (now.nodes, now.bound, now.held());
                drop(now);
                // The workers keep the limits themselves; this publishes.
                let _ = probe.check();
            }
            heats.extend(workers.into_iter().filter_map(|w| w.join().ok()).filter_map(|p| p.heat));
        });
        probe.progress.nodes = probe.progress.nodes.max(self.shared.nodes);
        for (i, n) in heats.iter().flat_map(|h| h.iter().enumerate()) {
            probe.visit_often(i, *n);
        }
        while !self.turn(u64::MAX, probe, found) {}
    }
}

/// What ends the turns of all threads.
#[derive(Default)]
struct Flags {
    /// There is a line.
    found: Arc<AtomicBool>,
    /// There is nothing more to do.
    settled: Arc<AtomicBool>,
}

/// Turns of one thread among several; returns its probe.
fn worker<M: Clone + Send>(
    shared: &Mutex<&mut Shared<M>>,
    flags: &Flags,
    mut probe: Probe,
    threads: u64,
    lines: &mpsc::Sender<(u32, Vec<M>)>,
) -> Probe {
    let limit = probe.limits().nodes;
    // A stage that leads. The last thread keeps none: others wait for it.
    let mut kept = None;
    lock(shared).workers += 1;
    loop {
        let mut now = lock(shared);
        let left = limit.map_or(u64::MAX, |n| n.saturating_sub(now.nodes));
        // The limit is one for all threads: no probe alone can see that it is reached.
        if left == 0 && !now.over() {
            now.stopped = Some(Stop::Nodes);
        }
        let slot = if now.over() { None } else { kept.take().or_else(|| now.next()) };
        let Some(mut slot) = slot else {
            now.workers -= 1;
            return probe;
        };
        // Where any line will do, one that is found ends every search for another.
        let for_any = now.any_line && !slot.stage.improves();
        probe.set_settled(if for_any { flags.found.clone() } else { flags.settled.clone() });
        let mut report = |cost: u32, line: &[M]| drop(lines.send((cost, line.to_vec())));
        let held = now.held();
        let mut known = now.known(&mut report);
        drop(now);
        probe.hold(held / threads);
        probe.progress.memory = slot.bytes;
        let before = probe.progress.nodes;
        let end = probe.turn(slot.stage.turn().min(left), |p| slot.stage.run(&mut known, p));
        let Known { best, bound, tally, .. } = known;
        slot.bytes = probe.progress.memory;
        let mut now = lock(shared);
        now.nodes += probe.progress.nodes - before;
        now.take_in(best, bound, tally);
        match now.after_turn(slot, end) {
            Some(slot) if now.workers > 1 && slot.stage.leads() => kept = Some(slot),
            slot => now.waiting.extend(slot),
        }
        if now.best.is_some() {
            flags.found.store(true, Ordering::Relaxed);
        }
        if now.over() {
            flags.found.store(true, Ordering::Relaxed);
            flags.settled.store(true, Ordering::Relaxed);
        }
    }
}

impl<M: Clone> Shared<M> {
    /// Bytes of the stages that wait.
    fn held(&self) -> u64 {
        self.waiting.iter().map(|s| s.bytes).sum()
    }

    fn known<'a>(&self, report: &'a mut dyn FnMut(u32, &[M])) -> Known<'a, M> {
        Known { best: self.best.clone(), bound: self.bound, tally: self.tally, alone: self.workers < 2, report }
    }

    fn take_in(&mut self, best: Option<(u32, Vec<M>)>, bound: u32, tally: Option<Tally>) {
        if let Some((cost, line)) = best
            && self.best.as_ref().is_none_or(|b| cost < b.0)
        {
            self.best = Some((cost, line));
        }
        self.bound = self.bound.max(bound);
        self.tally = tally.or(self.tally);
    }

    /// The next stage that has something to do.
    fn next(&mut self) -> Option<Slot<M>> {
        let line = self.best.is_some();
        if line && self.any_line {
            self.waiting.retain(|s| s.stage.improves());
        }
        let place = self.waiting.iter().position(|s| line || !s.stage.improves())?;
        self.waiting.remove(place)
    }

    /// Takes in how a stage's turn ended, and gives the stage back if it has more to do.
    fn after_turn(&mut self, slot: Slot<M>, end: Result<Option<Flow>, Stop>) -> Option<Slot<M>> {
        let improves = slot.stage.improves();
        let paused = matches!(end, Ok(None | Some(Flow::Paused)));
        if improves && !paused {
            self.improving -= 1;
        }
        match end {
            // It searched for any line while another stage found one.
            _ if self.any_line && self.best.is_some() && !improves && end != Ok(Some(Flow::Proven)) => return None,
            Ok(None | Some(Flow::Paused | Flow::Done)) => {}
            Ok(Some(Flow::Proven)) => self.proven = true,
            // Others may need less.
            Err(Stop::Memory) => self.gave_up = Some(Stop::Memory),
            Err(stop) => {
                if !self.over() {
                    self.stopped = Some(stop);
                }
            }
        }
        paused.then_some(slot)
    }

    fn over(&self) -> bool {
        let enough = |cost: u32| cost <= self.bound || (self.any_line && self.improving == 0);
        let enough = self.best.as_ref().is_some_and(|b| enough(b.0));
        self.proven || enough || self.stopped.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Limits;

    /// Counts to `end`, ten nodes a turn, and then says what it found.
    struct Count {
        name: &'static str,
        at: u32,
        end: u32,
        finds: Option<u32>,
        proves: bool,
    }

    impl Stage<u32> for Count {
        fn name(&self) -> &'static str {
            self.name
        }
        fn proves(&self) -> bool {
            self.proves
        }
        fn turn(&self) -> u64 {
            10
        }
        fn run(&mut self, known: &mut Known<'_, u32>, probe: &mut Probe) -> Result<Flow, Stop> {
            probe.progress.memory = 100;
            while self.at < self.end {
                probe.tick()?;
                self.at += 1;
            }
            if let Some(cost) = self.finds {
                known.better(cost, vec![cost], probe);
            }
            Ok(if self.proves { Flow::Proven } else { Flow::Done })
        }
    }

    fn stage(name: &'static str, end: u32, finds: Option<u32>, proves: bool) -> Box<dyn Stage<u32>> {
        Box::new(Count { name, at: 0, end, finds, proves })
    }

    fn run(plan: Plan<u32>, limits: Limits, mode: Mode) -> (Outcome<u32>, u64, Vec<u32>) {
        let mut probe = Probe::new(limits).with_mode(mode);
        let mut lines = Vec::new();
        let outcome = Driver::new(plan).run(&mut probe, &mut |line| lines.push(line[0]));
        (outcome, probe.progress.nodes, lines)
    }

    const MODES: [Mode; 2] = [Mode::Reproducible, Mode::Fast { threads: 2 }];

    #[test]
    fn a_proof_ends_it_and_the_best_line_is_kept() {
        for mode in MODES {
            // Of two threads the first may begin so late that the proof comes before its line.
            let plan = Plan::best(vec![stage("finds", 25, Some(7), false), stage("proves", 95, Some(7), true)]);
            let (outcome, nodes, lines) = run(plan, Limits::default(), mode);
            assert_eq!((outcome, lines), (Outcome::optimal(vec![7], 7), vec![7]));
            assert!(nodes == 120 || mode != Mode::Reproducible && nodes < 120, "{nodes}");
        }
    }

    #[test]
    fn without_a_line_a_proof_says_unsolvable() {
        for mode in MODES {
            let plan = Plan::best(vec![stage("gives up", 5, None, false), stage("proves", 30, None, true)]);
            assert_eq!(run(plan, Limits::default(), mode).0, Outcome::Unsolvable);
        }
    }

    #[test]
    fn the_node_limit_is_kept_to_the_node_in_one_thread() {
        let plan = || Plan::best(vec![stage("a", 1000, Some(3), false), stage("b", 1000, Some(3), true)]);
        let (outcome, nodes, _) = run(plan(), Limits::nodes(57), Mode::Reproducible);
        assert_eq!((outcome, nodes), (Outcome::Stopped { by: Stop::Nodes, bound: 0 }, 57));
        for nodes in [57, 400, 1_500] {
            let (outcome, ..) = run(plan(), Limits::nodes(nodes), Mode::Fast { threads: 2 });
            assert!(
                matches!(outcome, Outcome::Stopped { by: Stop::Nodes, .. } | Outcome::Solved { .. }),
                "{outcome:?}"
            );
        }
    }

    #[test]
    fn paused_stages_count_towards_the_memory_limit() {
        let plan = Plan::best(vec![stage("a", 1000, Some(3), false), stage("b", 1000, Some(2), false)]);
        let limits = Limits { memory: Some(150), ..Limits::default() };
        // The second gives up, since the first holds 100 of 150 bytes; the first goes on alone.
        let mut probe = Probe::new(limits);
        let outcome = Driver::new(plan).run(&mut probe, &mut |_| ());
        assert_eq!(outcome.line(), Some(&[3][..]));
        assert!(matches!(outcome, Outcome::Solved { stopped: Some(Stop::Memory), .. }));
    }

    /// A stage that leads, and notes on which threads it has its turns.
    struct Leading(Count, Arc<Mutex<Vec<std::thread::ThreadId>>>);

    impl Stage<u32> for Leading {
        fn name(&self) -> &'static str {
            self.0.name
        }
        fn proves(&self) -> bool {
            true
        }
        fn leads(&self) -> bool {
            true
        }
        fn turn(&self) -> u64 {
            10
        }
        fn run(&mut self, known: &mut Known<'_, u32>, probe: &mut Probe) -> Result<Flow, Stop> {
            lock(&self.1).push(std::thread::current().id());
            self.0.run(known, probe)
        }
    }

    #[test]
    fn a_stage_that_leads_keeps_its_thread_and_the_others_have_their_turns() {
        for mode in MODES {
            let turns = Arc::default();
            let leading = Count { name: "leads", at: 0, end: 100_000, finds: Some(5), proves: true };
            let plan = Plan::best(vec![
                Box::new(Leading(leading, Arc::clone(&turns))),
                stage("first", 2_000, Some(7), false),
                stage("second", 3_000, Some(6), false),
            ]);
            let (outcome, ..) = run(plan, Limits::default(), mode);
            assert_eq!(outcome, Outcome::optimal(vec![5], 5));
            let turns = lock(&turns);
            assert!((10_000..=10_001).contains(&turns.len()), "{}", turns.len());
            // From one thread to the other while only one has begun, or has more to do, and nothing else.
            assert!(turns.windows(2).filter(|w| w[0] != w[1]).count() <= 2);
        }
    }

    #[test]
    fn the_first_line_is_enough_where_any_will_do() {
        for mode in MODES {
            // The slow one is ended by the line: on its own it would count for minutes, however late the other thread begins.
            let plan = Plan::any(vec![stage("slow", u32::MAX, None, true), stage("finds", 20, Some(9), false)]);
            let (outcome, _, lines) = run(plan, Limits::default(), mode);
            assert!(matches!(outcome, Outcome::Solved { optimal: false, stopped: None, .. }), "{outcome:?}");
            assert_eq!(lines, [9]);
        }
    }
}
