//! Solving: fewest pushes, fewest moves, or any solution soon.
//!
//! | room | holds |
//! |---|---|
//! | `map.rs` | the level compiled: where each step and push leads |
//! | `bounds.rs` | distances, the matching bound, frozen boxes |
//! | `corral.rs` | corrals, which confine the pushes worth trying in plain levels |
//! | `carry.rs` | moving one box by hand |
//! | `packing.rs` | the space with its goals in an order to fill them |
//! | `pulls.rs` | the space backwards |
//! | `pushes.rs` | the space of positions after pushes, and the player's walk between them |
//!
//! The searches themselves are [`crate::search::packed`]. `pushes` and `moves` first look greedily for some solution, so that there is
//! something to show and a bound to prune with, and then run A*, whose answer is a proof. `any` gives turns to searches that weigh the
//! bound against the pushes made in different ways, to one that fills the goals in an order that works, and in plain levels to two that
//! pull backwards from the goals: a level that misleads one is often easy for another. Each drops only positions that are lost, so if one runs dry the level is proven unsolvable.
//!
//! Not attempted: pattern deadlocks beyond frozen boxes, corrals with special cells, tunnels and goal macros (unsound here), doors in
//! the lower bound and in the order of the goals (they count as open).

mod bounds;
mod carry;
mod corral;
pub(super) mod map;
mod packing;
mod pulls;
pub(super) mod pushes;

pub use self::carry::carry;

use self::{
    map::{Map, NONE},
    packing::Packing,
    pulls::Pulls,
    pushes::{Count, Pushes, Walk, step_name},
};
use super::{Level, Sbokena, State, rules};
use crate::{
    game::{Goal, Outcome, Overlay, Solve, Status},
    grid::{Cell, Dir, Spot},
    job::{Mode, Probe, Stop},
    search::{
        driver::{Flow, Plan, Whole},
        packed::{self, End, Search, Space},
    },
};

const PUSHES: usize = 0;
const MOVES: usize = 1;

/// Tables larger than this are not built: such a board is far beyond solving anyway.
const MOST_TABLE_BYTES: usize = 1 << 30;

/// Nodes for the first greedy look before the exact search.
const FIRST_LOOK: u64 = 3_000;

fn exact(g: u32, h: u32) -> u32 {
    g + h
}

/// Eager for the goal.
fn heavy(g: u32, h: u32) -> u32 {
    g + 5 * h
}

/// Between eager and exact.
fn middling(g: u32, h: u32) -> u32 {
    g + 2 * h
}

/// Nodes in one turn of a search for `any`, at first.
const TURN: u64 = 4_000;

/// A search from the front or from the back.
enum Either<'a> {
    Forward(Box<Search<Pushes<'a>>>),
    Packing(Box<Search<Packing<'a>>>),
    Backward(Box<Search<Pulls<'a>>>),
}

impl Either<'_> {
    fn bytes(&self) -> u64 {
        match self {
            Either::Forward(s) => s.bytes(),
            Either::Packing(s) => s.bytes(),
            Either::Backward(s) => s.bytes(),
        }
    }
}

impl Solve for Sbokena {
    const GOALS: &'static [Goal] = &[
        Goal { id: "pushes", name: "fewest pushes", count: 1 },
        Goal { id: "moves", name: "fewest moves", count: 0 },
        Goal { id: "any", name: "any solution", count: 1 },
    ];

    fn stages(level: &Level, from: &State, goal: usize, _: Mode) -> Plan<Dir> {
        let (level, from) = (level.clone(), from.clone());
        Plan::best(vec![Whole::stage("all", true, move |known, probe| {
            let mut lines = Vec::new();
            let outcome = Sbokena::old_solve(&level, &from, goal, probe, &mut |line| lines.push(line.to_vec()));
            for line in lines {
                let cost = <Sbokena as crate::game::Game>::counts(&level, &from, &line)[Self::GOALS[goal].count];
                known.better(cost, line, probe);
            }
            match outcome {
                Outcome::Solved { line, optimal, bound, stopped, .. } => {
                    let cost = <Sbokena as crate::game::Game>::counts(&level, &from, &line)[Self::GOALS[goal].count];
                    known.better(cost, line, probe);
                    known.raise_bound(bound, probe);
                    stopped.map_or(Ok(if optimal { Flow::Proven } else { Flow::Done }), Err)
                }
                Outcome::Unsolvable => Ok(Flow::Proven),
                Outcome::Stopped { by, bound } => {
                    known.raise_bound(bound, probe);
                    Err(by)
                }
            }
        })])
    }

    fn overlays() -> &'static [Overlay] {
        &[
            Overlay { id: "dead", name: "Dead squares", help: "Cells from which a box can never reach a goal." },
            Overlay { id: "reach", name: "Reachable", help: "Cells the player can walk to now." },
        ]
    }

    fn overlay(level: &Level, state: &State, index: usize) -> Vec<(Spot, f32)> {
        let task = Task::new(level, state);
        let spot = |c: usize| (Spot::from(task.map.cells[c]), 1.0);
        match index {
            0 => {
                if task.goes_nowhere() || task.is_too_large() {
                    return Vec::new();
                }
                let space = Pushes::new(&task.map, task.kinds(), Count::Pushes);
                let mut kinds = task.kinds();
                kinds.dedup();
                let dead = |c: &usize| kinds.iter().all(|k| space.is_dead(*k as usize, *c as u16));
                (0..task.map.len()).filter(dead).map(spot).collect()
            }
            1 => reachable(level, state).into_iter().map(|c| (c.into(), 1.0)).collect(),
            _ => Vec::new(),
        }
    }
}

impl Sbokena {
    fn old_solve(
        level: &Level,
        from: &State,
        goal: usize,
        probe: &mut Probe,
        found: &mut dyn FnMut(&[Dir]),
    ) -> Outcome<Dir> {
        if rules::status(level, from) == Status::Won {
            found(&[]);
            return Outcome::optimal(Vec::new(), 0);
        }
        if rules::all_covered(level, from) {
            // Nothing was moved yet and all goals are covered: any step that pushes nothing wins.
            let walk = |d: &Dir| rules::step(level, from, *d).is_ok_and(|s| s.pushed.is_none());
            if let Some(d) = Dir::ALL.into_iter().find(walk) {
                found(&[d]);
                let cost = u32::from(goal == MOVES);
                probe.found(cost);
                return Outcome::optimal(vec![d], cost);
            }
        }
        Task::new(level, from).run(goal, probe, found)
    }
}

/// A level and a position, made ready.
struct Task<'a> {
    level: &'a Level,
    from: &'a State,
    map: Map,
    boxes: Vec<(usize, u16)>,
    player: u16,
}

impl<'a> Task<'a> {
    fn new(level: &'a Level, from: &'a State) -> Task<'a> {
        let map = Map::new(level);
        let boxes = map.boxes(from);
        let player = map.number.get(from.player).copied().unwrap_or(NONE);
        Task { level, from, map, boxes, player }
    }

    fn kinds(&self) -> Vec<u8> {
        self.boxes.iter().map(|b| b.0 as u8).collect()
    }

    /// Whether no line of moves can win, for want of goals, boxes or a place to stand.
    fn goes_nowhere(&self) -> bool {
        self.map.goals.is_empty() || self.boxes.len() < self.map.goals.len() || self.player == NONE
    }

    fn is_too_large(&self) -> bool {
        Pushes::bytes(&self.map, &self.kinds()) > MOST_TABLE_BYTES
    }

    fn run(&self, goal: usize, probe: &mut Probe, found: &mut dyn FnMut(&[Dir])) -> Outcome<Dir> {
        if self.goes_nowhere() {
            return Outcome::Unsolvable;
        }
        if self.is_too_large() {
            return Outcome::Stopped { by: Stop::Memory, bound: 0 };
        }
        if let Err(by) = probe.check() {
            return Outcome::Stopped { by, bound: 0 };
        }
        match goal {
            PUSHES => self.best(Count::Pushes, probe, found),
            MOVES => self.best(Count::Moves, probe, found),
            _ => self.any(probe, found),
        }
    }

    fn plan(&self, priority: fn(u32, u32) -> u32, exact: bool, below: u32) -> packed::Plan {
        packed::Plan { priority, exact, below, start_counts: !rules::all_covered(self.level, self.from) }
    }

    /// The proven best line.
    fn best(&self, count: Count, probe: &mut Probe, found: &mut dyn FnMut(&[Dir])) -> Outcome<Dir> {
        let mut best: Option<(u32, Vec<Dir>)> = None;
        let mut look = probe.part(FIRST_LOOK.min(probe.limits().nodes.map_or(u64::MAX, |n| n / 4)));
        let end = {
            let mut space = Pushes::new(&self.map, self.kinds(), Count::Pushes);
            let start = space.pack(&self.boxes, self.player);
            Search::new(space, &[start], self.plan(heavy, false, u32::MAX)).run(&mut look, &mut |_, _, _| ())
        };
        probe.absorb(&look);
        match end {
            End::Exhausted => return Outcome::Unsolvable,
            End::Found(_, steps) => {
                let line = self.line(&steps);
                let cost = self.cost(count, &line);
                probe.found(cost);
                found(&line);
                best = Some((cost, line));
            }
            End::Stopped(..) => (),
        }
        let mut space = Pushes::new(&self.map, self.kinds(), count);
        let start = space.pack(&self.boxes, self.player);
        let below = best.as_ref().map_or(u32::MAX, |b| b.0);
        let end = Search::new(space, &[start], self.plan(exact, true, below)).run(probe, &mut |cost, steps, probe| {
            let line = self.line(steps);
            probe.found(cost);
            found(&line);
            best = Some((cost, line));
        });
        let bound = probe.progress.bound;
        match (end, best) {
            (End::Found(..) | End::Exhausted, Some((cost, line))) => Outcome::optimal(line, cost),
            (End::Found(..) | End::Exhausted, None) => Outcome::Unsolvable,
            (End::Stopped(by, _), Some((_, line))) => {
                Outcome::Solved { line, optimal: false, bound, stopped: Some(by), tally: None }
            }
            (End::Stopped(by, _), None) => Outcome::Stopped { by, bound },
        }
    }

    /// Some line, soon: several searches in turns, each going on where it was.
    fn any(&self, probe: &mut Probe, found: &mut dyn FnMut(&[Dir])) -> Outcome<Dir> {
        let forward = |priority: fn(u32, u32) -> u32| {
            let mut space = Pushes::new(&self.map, self.kinds(), Count::Pushes);
            let start = space.pack(&self.boxes, self.player);
            let bound = space.estimate(&start);
            (bound, Search::new(space, &[start], self.plan(priority, false, u32::MAX)))
        };
        let (bound, first) = forward(heavy);
        let Some(bound) = bound else { return Outcome::Unsolvable };
        let mut searches = vec![Either::Forward(Box::new(first))];
        let mut turn = 0;
        loop {
            let n = searches.len();
            let i = turn % n;
            let left = probe.limits().nodes.map_or(u64::MAX, |n| n.saturating_sub(probe.progress.nodes));
            // What the others cannot do is mostly cramped goals, so the search that orders them has two turns in one.
            let share = TURN << ((turn / 16).min(6) + usize::from(matches!(searches[i], Either::Packing(_))));
            let mut part = probe.part(share.min(left));
            part.heat = probe.heat.take();
            let end = match &mut searches[i] {
                Either::Forward(s) => s.run(&mut part, &mut |_, _, _| ()),
                Either::Packing(s) => s.run(&mut part, &mut |_, _, _| ()),
                Either::Backward(s) => s.run(&mut part, &mut |_, _, _| ()),
            };
            probe.heat = part.heat.take();
            probe.absorb(&part);
            probe.progress.bound = bound;
            probe.progress.frontier = part.progress.frontier;
            probe.progress.memory = searches.iter().map(Either::bytes).sum();
            match end {
                End::Exhausted => return Outcome::Unsolvable,
                End::Found(_, steps) => {
                    let backward = matches!(searches[i], Either::Backward(_));
                    let line = self.line(&if backward { Pulls::pushes(&steps) } else { steps });
                    let cost = self.cost(Count::Pushes, &line);
                    probe.found(cost);
                    found(&line);
                    return Outcome::Solved { line, optimal: cost <= bound, bound, stopped: None, tally: None };
                }
                End::Stopped(Stop::Nodes, _) if share < left => (),
                End::Stopped(by, _) => return Outcome::Stopped { by, bound },
            }
            if let Err(by) = probe.check() {
                return Outcome::Stopped { by, bound };
            }
            if turn == 0 {
                searches.push(Either::Packing(Box::new(self.packing())));
                searches.extend([exact, middling].map(|p| Either::Forward(Box::new(forward(p).1))));
                if self.map.plain && self.boxes.len() == self.map.goals.len() && self.boxes.iter().all(|b| b.0 == 0) {
                    let boxes: Vec<u16> = self.boxes.iter().map(|b| b.1).collect();
                    for priority in [heavy, middling] {
                        let mut space = Pulls::new(&self.map, &boxes, self.player);
                        let starts = space.starts();
                        searches.push(Either::Backward(Box::new(Search::new(
                            space,
                            &starts,
                            self.plan(priority, false, u32::MAX),
                        ))));
                    }
                }
            }
            turn += 1;
        }
    }

    /// The search that fills the goals in an order.
    fn packing(&self) -> Search<Packing<'_>> {
        let cells: Vec<u16> = self.boxes.iter().map(|b| b.1).collect();
        let mut space = Packing::new(&self.map, Pushes::new(&self.map, self.kinds(), Count::Pushes), &cells);
        let start = space.inner().pack(&self.boxes, self.player);
        Search::new(space, &[start], self.plan(heavy, false, u32::MAX))
    }

    fn cost(&self, count: Count, line: &[Dir]) -> u32 {
        let (moves, pushes) = rules::counts(self.level, self.from, line);
        if count == Count::Moves { moves } else { pushes }
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

/// Whether the position is provably lost, by means that need no search. Says no where it would take long.
pub fn is_lost(level: &Level, state: &State) -> bool {
    if rules::all_covered(level, state) {
        return false;
    }
    let task = Task::new(level, state);
    if task.goes_nowhere() || Pushes::bytes(&task.map, &task.kinds()) > 200_000 {
        return false;
    }
    let mut space = Pushes::light(&task.map, task.kinds());
    let packed = space.pack(&task.boxes, task.player);
    space.estimate(&packed).is_none()
}

/// The player's walk from where they stand, flooded.
fn flooded(task: &Task<'_>) -> Walk {
    let mut box_at = vec![0u16; task.map.len()];
    for (_, c) in &task.boxes {
        box_at[*c as usize] = 1;
    }
    let mut walk = Walk::default();
    walk.flood(&task.map, task.player, &box_at, &task.map.open_doors(&box_at));
    walk
}

/// The cells the player can walk to without pushing.
fn reachable(level: &Level, state: &State) -> Vec<Cell> {
    let task = Task::new(level, state);
    if task.player == NONE {
        return Vec::new();
    }
    let walk = flooded(&task);
    (0..task.map.len() as u16).filter(|c| walk.reached(*c)).map(|c| task.map.cells[c as usize]).collect()
}

/// A shortest walk to a cell that pushes nothing.
pub fn way_to(level: &Level, state: &State, to: Cell) -> Option<Vec<Dir>> {
    let task = Task::new(level, state);
    let to = *task.map.number.get(to)?;
    if task.player == NONE || to == NONE {
        return None;
    }
    let walk = flooded(&task);
    walk.reached(to).then(|| walk.line_to(task.player, to))
}
