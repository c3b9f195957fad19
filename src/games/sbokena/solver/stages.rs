//! The searches as stages.
//!
//! `pushes` and `moves` first look greedily for some solution, so that there is something to show and a bound to prune with, and then run A*,
//! whose answer is a proof; where that takes long and no solution is known, the feature-space search looks for one. Where answers need not be the same
//! everywhere, most of what `any` has looks for one beside it, and `pushes` has more: a look for a line of the proven cost (`within.rs`), and what makes a line
//! shorter. On several threads A* has one of them to itself, and a part of the others once there is a line to beat.
//!
//! `any` gives turns to searches that weigh the bound against the pushes made in different ways, to one that fills
//! the goals in an order that works, and in plain levels to two that pull backwards from the goals: a level that misleads one is often easy
//! for another. Each drops only positions that are lost, so if one runs dry the level is proven unsolvable. Between them runs the feature-space search over
//! macro moves (`features.rs`), which solves most of what they cannot and proves nothing: six times forwards in other styles, and once backwards; and
//! a short look for staircases of boxes (`runs.rs`). Where time may be spent, a solution that is not known to have the
//! fewest pushes is made shorter: by the feature-space search, which drops what cannot lead to a shorter one, and by changes to the line (`shorten.rs`).

use super::{
    super::{Level, Object, Sbokena, State, rules},
    Position,
    bounds::{Base, Detail, MOST_MATCHED},
    features::{Advice, FeatureSearch, Order, Style},
    guide::Guide,
    macros::By,
    map::Map,
    packing::Packing,
    pulls::Pulls,
    pushes::{Count, Pushes},
    runs::RunSearch,
    shorten::Shorten,
    within::Within,
};
use crate::{
    game::{Rules as _, Status},
    grid::Dir,
    job::{Mode, Probe, Stop},
    search::{
        best_first::{self, End, Search, Space},
        driver::{Flow, Known, Lazy, Plan, Stage},
        parts::threads,
    },
};
use std::sync::Arc;

/// The goals, by their places in `GOALS`.
const PUSHES: usize = 0;
const MOVES: usize = 1;

/// Nodes of the greedy look before the exact search, and the part of the node limit it may use.
const LOOK: u64 = 3_000;
const LOOK_PART: u64 = 4;

/// Nodes in one turn of a search for `any`, at first; they double after this many turns of all searches together.
const TURN: u64 = 4_000;
const TURNS_TO_DOUBLE: usize = 16;
const MOST_DOUBLINGS: usize = 6;

/// Nodes in the first turn of a feature-space search, which solves most of what the others cannot; the next are twice as long.
const FEATURE_TURN: u64 = 32_000;

/// How often the turns of a search for fewer pushes double: between them lines are exchanged.
const MOST_DOUBLINGS_BELOW: u32 = 4;

/// Nodes without a gain after which it ends.
const MOST_IDLE: u64 = 1_000_000;

/// Nodes in the first turn of a proof, after which the feature-space search looks for a line if there is none; the next are twice as long.
const PROOF_TURN: u64 = 60_000;

/// Nodes of a turn of a proof with a thread of its own: after each what is known is exchanged.
const LEAD_TURN: u64 = 10_000;

fn weight_1(g: u32, h: u32) -> u32 {
    g + h
}

fn weight_2(g: u32, h: u32) -> u32 {
    g + 2 * h
}

fn weight_5(g: u32, h: u32) -> u32 {
    g + 5 * h
}

/// The stages for a goal.
pub fn plan(level: &Level, from: &State, goal: usize, mode: Mode) -> Plan<Dir> {
    let covered = rules::all_covered(level, from);
    let question = Arc::new(Question {
        level: level.clone(),
        from: from.clone(),
        goal,
        base: Lazy::default(),
        guide: Lazy::default(),
    });
    // Answers need not be the same everywhere, and time may be spent.
    let fast = mode != Mode::Reproducible;
    let goals = level.goals().len();
    let matched = goals <= MOST_MATCHED;
    let greedy = |priority| best_first::Plan { start_counts: !covered, ..best_first::Plan::first(priority) };
    let plain = level.tiles.values().iter().all(|t| !t.is_special());
    let plain = plain && from.boxes().len() == goals && from.boxes().iter().all(|b| b.kind == Object::Box);
    // A line of pulls may pass other positions with all goals covered; where the level begins with one, a line could go on after a win.
    let pulls = plain && matched && !covered;
    let of = 3 + usize::from(matched) + 2 * usize::from(pulls);
    // What looks for some line beside the plainest search.
    let looks = || {
        let mut stages: Vec<Box<dyn Stage<Dir>>> = Vec::new();
        if matched {
            let styles = [
                (Advice::Contacts, Order::Near),
                (Advice::Contacts, Order::Far),
                (Advice::Openings, Order::Near),
                (Advice::Plain, Order::Near),
                (Advice::Contacts, Order::Patient),
                (Advice::Openings, Order::Patient),
            ];
            stages.extend(styles.map(|(advice, order)| by_features(&question, By::Push, Style { advice, order })));
        }
        if pulls {
            stages.push(by_features(&question, By::Pull, Style::FIRST));
            stages.push(by_runs(&question));
        }
        if matched {
            // What the others cannot do is mostly cramped goals, so the search that orders them has twelve turns in one.
            let turns = Turns::Round { place: 1, of, taken: 0, share: 12 };
            stages.push(stage("goals in order", &question, packing, greedy(weight_5), turns));
        }
        stages
    };
    if goal == PUSHES || goal == MOVES {
        let exact = best_first::Plan { exact: true, ..greedy(weight_1) };
        let proof = if threads(mode) > 1 { Turns::Lead } else { Turns::Proof { taken: 0 } };
        let mut stages = vec![
            stage("look", &question, forward, greedy(weight_5), Turns::Look { left: LOOK }),
            stage("proof", &question, forward, exact, proof),
        ];
        if fast {
            stages.extend(looks());
        } else if matched {
            stages.push(by_features(&question, By::Push, Style::FIRST));
        }
        if fast && goal == PUSHES {
            stages.push(Box::new(Within::new(question.clone(), greedy(weight_5))));
            stages.extend(improving(&question));
        }
        return Plan::best(stages);
    }
    let turns = |place: usize| Turns::Round { place, of, taken: 0, share: 1 };
    let mut stages = vec![stage("weight 5", &question, forward, greedy(weight_5), turns(0))];
    stages.extend(looks());
    for (name, priority) in [("weight 1", weight_1 as fn(u32, u32) -> u32), ("weight 2", weight_2)] {
        stages.push(stage(name, &question, forward, greedy(priority), turns(stages.len())));
    }
    if pulls {
        for (name, priority) in [("pulls, weight 5", weight_5 as fn(u32, u32) -> u32), ("pulls, weight 2", weight_2)] {
            stages.push(stage(name, &question, backward, greedy(priority), turns(stages.len())));
        }
    }
    if fast {
        stages.extend(improving(&question));
    }
    Plan::any(stages)
}

/// The stages that make a solution shorter.
fn improving(question: &Arc<Question>) -> [Box<dyn Stage<Dir>>; 2] {
    let below = Below { question: question.clone(), turns: 0, idle: 0, search: None };
    let shorten = Shortening { question: question.clone(), of: 0, shorten: None };
    [Box::new(below), Box::new(shorten)]
}

fn stage<S: Space + Send + 'static>(
    name: &'static str,
    question: &Arc<Question>,
    make: Make<S>,
    plan: best_first::Plan,
    turns: Turns,
) -> Box<dyn Stage<Dir>> {
    Box::new(Searching { name, question: question.clone(), make, plan, turns, search: None })
}

/// What is asked, and the tables that all stages share.
pub struct Question {
    level: Level,
    from: State,
    goal: usize,
    base: Lazy<Base>,
    guide: Lazy<Guide>,
}

impl Question {
    /// The tables, made now if they are not yet.
    pub fn base(&self, probe: &mut Probe) -> Result<Arc<Base>, Stop> {
        self.base.get(probe, |probe| {
            probe.allow(Map::most_bytes(self.level.size()) as u64)?;
            Base::new(Position::new(&self.level, &self.from), Detail::Search, probe)
        })
    }

    /// The plan for boxes moved in this way. Most searches follow one and the same for pushes. The search without contacts has what the greedy search for a
    /// plan alone comes to: in some levels half a plan leads on where a whole one does not.
    fn guide(&self, by: By, advice: Advice, probe: &mut Probe) -> Result<Arc<Guide>, Stop> {
        let base = self.base(probe)?;
        if by == By::Push && advice != Advice::Plain {
            return self.guide.get(probe, |probe| Guide::new(&base, by, true, probe));
        }
        Guide::new(&base, by, false, probe).map(Arc::new)
    }

    /// The best line where it can be told without a search.
    pub fn line_at_once(&self) -> Option<Vec<Dir>> {
        if Sbokena::status(&self.level, &self.from) == Status::Won {
            return Some(Vec::new());
        }
        if !rules::all_covered(&self.level, &self.from) {
            return None;
        }
        // Nothing was moved yet and all goals are covered: any step that pushes nothing wins.
        let walks = |d: &Dir| rules::step(&self.level, &self.from, *d).is_ok_and(|s| s.pushed.is_none());
        Dir::ALL.into_iter().find(walks).map(|d| vec![d])
    }

    /// The line up to the first position that is won: a macro move may pass one on its way.
    fn until_won(&self, mut line: Vec<Dir>) -> Vec<Dir> {
        let mut state = self.from.clone();
        let won = line.iter().position(|d| {
            if let Ok(step) = rules::step(&self.level, &state, *d) {
                rules::apply(&mut state, &step);
            }
            Sbokena::status(&self.level, &state) == Status::Won
        });
        line.truncate(won.map_or(line.len(), |i| i + 1));
        line
    }

    /// Takes in a line.
    pub fn keep(&self, line: Vec<Dir>, known: &mut Known<'_, Dir>, probe: &mut Probe) {
        let (moves, pushes) = rules::counts(&self.level, &self.from, &line);
        known.better(if self.goal == MOVES { moves } else { pushes }, line, probe);
    }
}

/// Makes a search ready.
type Make<S> = fn(&Question, Arc<Base>, best_first::Plan, &mut Probe) -> Result<Search<S>, Stop>;

fn forward(
    question: &Question,
    base: Arc<Base>,
    plan: best_first::Plan,
    probe: &mut Probe,
) -> Result<Search<Pushes>, Stop> {
    if !plan.exact {
        let mut space = Pushes::new(base, Count::Pushes);
        let start = space.start();
        return Ok(Search::new(space, vec![start], plan));
    }
    let count = if question.goal == MOVES { Count::Moves } else { Count::Pushes };
    let space = || Pushes::new(base.clone(), count).with_conflicts();
    let helpers = (1..threads(probe.mode())).map(|_| space()).collect();
    let start = space().start();
    let mut search = Search::new(space(), vec![start], plan);
    search.set_helpers(helpers);
    Ok(search)
}

fn packing(_: &Question, base: Arc<Base>, plan: best_first::Plan, probe: &mut Probe) -> Result<Search<Packing>, Stop> {
    if !base.is_matched() {
        return Err(Stop::Memory);
    }
    let mut space = Pushes::new(base, Count::Pushes);
    let start = space.start();
    Ok(Search::new(Packing::new(space, probe)?, vec![start], plan))
}

fn backward(_: &Question, base: Arc<Base>, plan: best_first::Plan, probe: &mut Probe) -> Result<Search<Pulls>, Stop> {
    let mut space = Pulls::new(base, probe)?;
    let starts = space.starts(probe)?;
    Ok(Search::new(space, starts, plan))
}

/// How long the turns of a search are.
enum Turns {
    /// Short, one after another on a thread of its own; on the others too once there is a line to beat.
    Lead,
    /// Longer with time.
    Proof { taken: u32 },
    /// So many nodes, and then no more.
    Look { left: u64 },
    /// In a round with others, and longer with time.
    Round { place: usize, of: usize, taken: usize, share: u64 },
}

/// A search as a stage: made in its first turn, taken up again in each.
struct Searching<S: Space> {
    name: &'static str,
    question: Arc<Question>,
    make: Make<S>,
    plan: best_first::Plan,
    turns: Turns,
    search: Option<Search<S>>,
}

impl<S: Space + Send> Stage<Dir> for Searching<S> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn proves(&self) -> bool {
        true
    }

    fn leads(&self) -> bool {
        matches!(self.turns, Turns::Lead)
    }

    fn turn(&self) -> u64 {
        match self.turns {
            Turns::Round { place, of, taken, share } => {
                (share * TURN) << ((taken * of + place) / TURNS_TO_DOUBLE).min(MOST_DOUBLINGS)
            }
            Turns::Lead => LEAD_TURN,
            Turns::Proof { taken } => PROOF_TURN << taken.min(32),
            Turns::Look { .. } => u64::MAX,
        }
    }

    fn run(&mut self, known: &mut Known<'_, Dir>, probe: &mut Probe) -> Result<Flow, Stop> {
        if !self.plan.exact && known.line().is_some() {
            return Ok(Flow::Done);
        }
        if self.search.is_none() {
            if let Some(line) = self.question.line_at_once() {
                self.question.keep(line, known, probe);
                return Ok(Flow::Proven);
            }
            let base = self.question.base(probe)?;
            if base.position.goes_nowhere() {
                return Ok(Flow::Proven);
            }
            self.search = Some((self.make)(&self.question, base, self.plan, probe)?);
        }
        let Some(search) = &mut self.search else { return Ok(Flow::Done) };
        let share = match &mut self.turns {
            Turns::Look { left } => {
                let share = (*left).min((probe.nodes_left() / LOOK_PART).max(1));
                *left -= share;
                share
            }
            Turns::Round { taken, .. } => {
                *taken += 1;
                u64::MAX
            }
            Turns::Proof { taken } => {
                *taken += 1;
                u64::MAX
            }
            Turns::Lead => u64::MAX,
        };
        known.raise_bound(search.bound(), probe);
        if self.plan.exact {
            search.set_below(known.below());
        }
        let (question, base) = (&self.question, self.question.base(probe)?);
        // Without a line the other threads are better used to look for one. With one, what makes it shorter has what the proof leaves.
        let on_all = known.line().is_some() || known.is_alone() || !matches!(self.turns, Turns::Lead);
        let end = probe.turn(share, |probe| {
            let found =
                &mut |_, steps: &[u32], probe: &mut Probe| question.keep(base.position.line(steps), known, probe);
            if on_all { search.run_batches(probe, found) } else { search.run(probe, found) }
        });
        known.raise_bound(search.bound(), probe);
        Ok(match end? {
            None if matches!(self.turns, Turns::Look { left: 0 }) => Flow::Done,
            None => Flow::Paused,
            Some(End::Found) if !self.plan.exact => Flow::Done,
            Some(_) => Flow::Proven,
        })
    }
}

fn by_features(question: &Arc<Question>, by: By, style: Style) -> Box<dyn Stage<Dir>> {
    let name = match (by, style.advice, style.order) {
        (By::Pull, ..) => "features backwards",
        (_, Advice::Plain, _) => "features without contacts",
        (_, Advice::Contacts, Order::Near) => "features",
        (_, Advice::Contacts, Order::Far) => "features, far moves first",
        (_, Advice::Contacts, Order::Patient) => "features, patient",
        (_, Advice::Openings, Order::Patient) => "features with openings, patient",
        (_, Advice::Openings, _) => "features with openings",
    };
    let make = move |question: &Question, base, probe: &mut Probe| {
        let guide = question.guide(by, style.advice, probe)?;
        let mut search = FeatureSearch::new(base, guide, style, probe)?;
        Ok(Box::new(move |probe: &mut Probe| search.run(probe)) as Look)
    };
    Box::new(Looking { name, question: question.clone(), make, turns: 0, look: None })
}

fn by_runs(question: &Arc<Question>) -> Box<dyn Stage<Dir>> {
    let make = |_: &Question, base, _: &mut Probe| {
        let mut search = RunSearch::new(base);
        Ok(Box::new(move |probe: &mut Probe| search.run(probe)) as Look)
    };
    Box::new(Looking { name: "runs", question: question.clone(), make, turns: 0, look: None })
}

/// A search for any line, whose end proves nothing: goes on until there is a solution, as single pushes, or nothing more to look at.
type Look = Box<dyn FnMut(&mut Probe) -> Result<Option<Vec<u32>>, Stop> + Send>;

/// Such a search as a stage: made in its first turn, taken up again in each. For levels with matching.
struct Looking<F> {
    name: &'static str,
    question: Arc<Question>,
    make: F,
    turns: u32,
    look: Option<Look>,
}

impl<F> Stage<Dir> for Looking<F>
where
    F: Fn(&Question, Arc<Base>, &mut Probe) -> Result<Look, Stop> + Send,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn proves(&self) -> bool {
        false
    }

    fn turn(&self) -> u64 {
        FEATURE_TURN << self.turns.min(MOST_DOUBLINGS as u32)
    }

    fn run(&mut self, known: &mut Known<'_, Dir>, probe: &mut Probe) -> Result<Flow, Stop> {
        if known.line().is_some() {
            return Ok(Flow::Done);
        }
        let base = self.question.base(probe)?;
        if self.look.is_none() {
            if base.position.goes_nowhere() || self.question.line_at_once().is_some() {
                return Ok(Flow::Done);
            }
            if !base.is_matched() {
                return Err(Stop::Memory);
            }
            self.look = Some((self.make)(&self.question, base.clone(), probe)?);
        }
        let Some(look) = &mut self.look else { return Ok(Flow::Done) };
        self.turns += 1;
        if let Some(steps) = look(probe)? {
            self.question.keep(self.question.until_won(base.position.line(&steps)), known, probe);
        }
        Ok(Flow::Done)
    }
}

/// Shortening as a stage.
struct Shortening {
    question: Arc<Question>,
    /// The cost of the line that is being shortened.
    of: u32,
    shorten: Option<Shorten>,
}

impl Stage<Dir> for Shortening {
    fn name(&self) -> &'static str {
        "shorten"
    }

    fn proves(&self) -> bool {
        false
    }

    fn improves(&self) -> bool {
        true
    }

    fn turn(&self) -> u64 {
        self.shorten.as_ref().map_or(FEATURE_TURN, Shorten::next_nodes)
    }

    fn run(&mut self, known: &mut Known<'_, Dir>, probe: &mut Probe) -> Result<Flow, Stop> {
        let base = self.question.base(probe)?;
        // Another stage may have found a better line meanwhile.
        if self.shorten.is_none() || known.below() < self.of {
            let Some(line) = known.line() else { return Ok(Flow::Done) };
            self.shorten = Shorten::new(base.clone(), line, probe)?;
            self.of = known.below();
        }
        let Some(shorten) = &mut self.shorten else { return Ok(Flow::Done) };
        if !shorten.run(probe)? {
            return Ok(Flow::Done);
        }
        let line = base.position.line(shorten.steps());
        self.of = shorten.steps().len() as u32;
        self.question.keep(line, known, probe);
        Ok(Flow::Paused)
    }
}

/// The feature-space search once more, for lines with fewer pushes than the best one known, as a stage.
struct Below {
    question: Arc<Question>,
    turns: u32,
    /// Nodes since the last gain.
    idle: u64,
    search: Option<FeatureSearch>,
}

impl Stage<Dir> for Below {
    fn name(&self) -> &'static str {
        "fewer pushes"
    }

    fn proves(&self) -> bool {
        false
    }

    fn improves(&self) -> bool {
        true
    }

    fn turn(&self) -> u64 {
        FEATURE_TURN << self.turns.min(MOST_DOUBLINGS_BELOW)
    }

    fn run(&mut self, known: &mut Known<'_, Dir>, probe: &mut Probe) -> Result<Flow, Stop> {
        let base = self.question.base(probe)?;
        if base.position.goes_nowhere() || self.question.line_at_once().is_some() || !base.is_matched() {
            return Ok(Flow::Done);
        }
        self.turns += 1;
        while known.below() > known.bound() && self.idle < MOST_IDLE {
            if self.search.is_none() {
                let guide = self.question.guide(By::Push, Advice::Contacts, probe)?;
                self.search = Some(FeatureSearch::new(base.clone(), guide, Style::FIRST, probe)?);
            }
            let Some(search) = &mut self.search else { break };
            // It goes on where it was: what was past the old limit is past the new one too.
            search.set_most(known.below() - 1);
            let before = probe.progress.nodes;
            let found = search.run(probe);
            self.idle += probe.progress.nodes - before;
            let Some(steps) = found? else { break };
            self.idle = 0;
            self.question.keep(self.question.until_won(base.position.line(&steps)), known, probe);
        }
        Ok(Flow::Done)
    }
}
