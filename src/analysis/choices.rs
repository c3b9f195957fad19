//! The choices along a line: what each of its positions leads to, and how many of these choices keep the optimum.
//!
//! For levels with too many positions for a map. A choice is a *turn* as `shortest.rs` counts them, or a move where the goal has no turns; turns that lead to
//! one position are one choice. It keeps the optimum if a win from there costs no more than the line had left. Each is asked of the solver with few
//! nodes, the end of the line first, since it is the easiest. What they do not decide is counted as open, so nothing is said that was not shown.

use super::{line::Replayed, shortest::Turns, singular, solve::solve};
use crate::{
    game::{Apart, Game, Status, advance},
    job::{Mode, Probe, Stop},
};
use rustc_hash::FxHashMap;

/// How much is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// Nodes in all.
    pub nodes: u64,
    /// Nodes for one choice.
    pub each: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { nodes: 3_000_000, each: 20_000 }
    }
}

/// The choices before a turn of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// How many there are.
    pub all: u32,
    /// Whether there may be more.
    pub more: bool,
    /// How many keep the optimum, as far as that was shown; the line's own is among them.
    pub keep: u32,
    /// Of how many it was not decided.
    pub open: u32,
}

impl Counted {
    /// "14 choices, 2 keep the optimum".
    pub fn text(&self) -> String {
        let Counted { all, more, keep, open } = *self;
        let choices = match (all, more) {
            (1, false) => "1 choice".to_string(),
            (n, false) => format!("{n} choices"),
            (n, true) => format!("at least {n} choices"),
        };
        let least = if more || open > 0 { "at least " } else { "" };
        format!("{choices}, {least}{keep} {} the optimum", if keep == 1 { "keeps" } else { "keep" })
    }
}

/// The choices along a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choices {
    /// What its turns are called ("pushes").
    pub unit: &'static str,
    /// For each turn the number of moves before it and what is known of its choices; `None` where the nodes did not reach it.
    pub turns: Vec<(usize, Option<Counted>)>,
}

impl Choices {
    /// The turn that a step of the line is in.
    pub fn turn_at(&self, step: usize) -> Option<usize> {
        self.turns.partition_point(|(first, _)| *first <= step).checked_sub(1)
    }

    /// "push 5: 14 choices, 2 keep the optimum".
    pub fn text(&self, turn: usize) -> String {
        let known = self.turns.get(turn).and_then(|(_, counted)| *counted);
        let known = known.map_or_else(|| "not looked at, its search would take too long".to_string(), |c| c.text());
        format!("{} {}: {known}", singular(self.unit, 1), turn + 1)
    }
}

/// Counts the choices along a line that is proven to be optimal. `Err` if nobody wants to know any more.
pub fn choices<G: Game>(line: &Replayed<G>, effort: Effort, probe: &mut Probe) -> Result<Choices, Stop> {
    let goal = &G::GOALS[line.goal];
    let apart = goal.apart.unwrap_or(Apart::Listed);
    let turns = Turns { level: &*line.level, apart, count: goal.count, counting: G::counting() };
    let mut search = Search { line, turns, effort, known: FxHashMap::default() };
    let begins = search.begins();
    // The line is optimal: its own positions are known.
    for (step, left) in &begins {
        search.known.insert(search.turns.compared(&line.states[*step]), (*left, *left));
    }
    let mut found: Vec<(usize, Option<Counted>)> = begins.iter().map(|(step, _)| (*step, None)).collect();
    let mut part = probe.part(effort.nodes);
    part.set_mode(Mode::Reproducible);
    let mut ended = Ok(());
    for (i, (step, left)) in begins.iter().enumerate().rev() {
        match search.count(*step, *left, &mut part) {
            Ok(counted) => found[i].1 = Some(counted),
            Err(stop) => {
                ended = Err(stop);
                break;
            }
        }
    }
    probe.absorb(&part);
    match ended {
        Err(Stop::Cancelled) => Err(Stop::Cancelled),
        _ => Ok(Choices { unit: G::INFO.counts[goal.count], turns: found }),
    }
}

struct Search<'a, G: Game> {
    line: &'a Replayed<G>,
    turns: Turns<'a, G>,
    effort: Effort,
    /// What a win from a position costs: at least and at most.
    known: FxHashMap<G::State, (u32, u32)>,
}

/// Stands for what cannot be won.
const NEVER: u32 = u32::MAX;

impl<G: Game> Search<'_, G> {
    /// The moves before each turn of the line, and what it has left to spend.
    fn begins(&self) -> Vec<(usize, u32)> {
        let Replayed { level, states, moves, .. } = self.line;
        let cost = |k: usize| G::counts(level, &states[0], &moves[..k]).get(self.turns.count).copied().unwrap_or(0);
        let costs: Vec<u32> = (0..=moves.len()).map(cost).collect();
        let total = costs[moves.len()];
        let begins = |k: &usize| match self.turns.apart {
            // A turn begins with the walk to a push.
            Apart::Costs => *k == 0 || costs[*k] > costs[*k - 1],
            _ => costs[*k + 1] > costs[*k],
        };
        (0..moves.len()).filter(begins).map(|k| (k, total - costs[k])).filter(|(_, left)| *left > 0).collect()
    }

    fn count(&mut self, step: usize, left: u32, probe: &mut Probe) -> Result<Counted, Stop> {
        let (after, whole) = self.after(&self.line.states[step], probe)?;
        let mut counted = Counted { all: after.len() as u32, more: !whole, ..Counted::default() };
        for (state, cost) in after {
            match self.wins_within(&state, left.checked_sub(cost), probe)? {
                Some(true) => counted.keep += 1,
                Some(false) => {}
                None => counted.open += 1,
            }
        }
        Ok(counted)
    }

    /// The positions that one choice leads to with what it costs, each once, and whether these are all.
    fn after(&self, state: &G::State, probe: &mut Probe) -> Result<(Vec<(G::State, u32)>, bool), Stop> {
        let Turns { level, apart, count, .. } = self.turns;
        let next = match apart {
            Apart::Runs | Apart::Costs => Some(self.turns.next(state, probe)?.0),
            Apart::Moves => (self.turns.counting.next)(level, state),
            Apart::Listed => None,
        };
        let (next, whole): (Vec<(G::State, u32)>, bool) = match next {
            Some(next) => (next.into_iter().map(|next| (next, 1)).collect(), true),
            None => {
                let moves = G::legal_moves(level, state);
                let made = |mv: &G::Move| {
                    let mut next = state.clone();
                    advance::<G>(level, &mut next, mv).ok()?;
                    Some((next, G::counts(level, state, std::slice::from_ref(mv)).get(count).copied()?))
                };
                (moves.iter().filter_map(made).collect(), G::lists_all(level, state, &moves))
            }
        };
        let mut met: FxHashMap<G::State, usize> = FxHashMap::default();
        let mut each: Vec<(G::State, u32)> = Vec::new();
        for (next, cost) in next {
            match met.entry(self.turns.compared(&next)) {
                std::collections::hash_map::Entry::Vacant(new) => {
                    new.insert(each.len());
                    each.push((next, cost));
                }
                std::collections::hash_map::Entry::Occupied(old) => {
                    let known = &mut each[*old.get()];
                    known.1 = known.1.min(cost);
                }
            }
        }
        Ok((each, whole))
    }

    /// Whether a win from a position costs no more than this; `None` if that was not decided.
    fn wins_within(&mut self, state: &G::State, left: Option<u32>, probe: &mut Probe) -> Result<Option<bool>, Stop> {
        let Some(left) = left else { return Ok(Some(false)) };
        let level = &self.line.level;
        let key = self.turns.compared(state);
        let (low, high) = match (self.known.get(&key), G::status(level, state)) {
            (Some(known), _) => *known,
            (None, Status::Won) => (0, 0),
            (None, Status::Lost | Status::Drawn) => (NEVER, NEVER),
            (None, Status::Playing) => {
                let mut part = probe.part(self.effort.each);
                let report = solve::<G>(level, Some(state), self.line.goal, &mut part, &mut |_| ()).report;
                probe.absorb(&part);
                if report.stopped_by() == Some(Stop::Cancelled) {
                    return Err(Stop::Cancelled);
                }
                probe.check()?;
                // What the last nodes in all have cut short counts as not looked at.
                if probe.nodes_left() == 0 {
                    return Err(Stop::Nodes);
                }
                match (report.lost(), report.cost) {
                    (Some(true), _) => (NEVER, NEVER),
                    (_, Some(cost)) if report.optimal() => (cost, cost),
                    (_, cost) => (report.bound.unwrap_or(0).min(cost.unwrap_or(NEVER)), cost.unwrap_or(NEVER)),
                }
            }
        };
        self.known.insert(key, (low, high));
        Ok(if high <= left {
            Some(true)
        } else if low > left {
            Some(false)
        } else {
            None
        })
    }
}
