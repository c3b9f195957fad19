//! All shortest solutions of a level: how many there are, which moves are in every one, where they part.
//!
//! **What differs.** Two solutions differ if their sequences of positions differ, equal pieces being alike ([`Counting::alike`]). Which positions are
//! compared is the goal's [`Apart`]: those after each move, after each run of moves of one piece (Cats' drags), or after each move that costs something
//! (Sbokena's pushes: how the player walks makes no difference). Each of these is a *turn* here and costs one. Several moves that lead to one position are
//! one turn.
//!
//! **Counting.** Layers of positions, by turns from the start, without any search that could be wrong beside the rules: a shortest solution meets each of its
//! positions at that position's distance, so the solutions are the ways through the layers to the first one in which a position is won. A way through
//! positions is a sequence of what is compared and back: after a push the player stands where the box stood, so the boxes before and after a push
//! determine the whole position. A bound that the game declares ([`Counting::at_least`]) and the known length of a solution leave out positions that are on
//! no shortest solution.
//!
//! A layer whose positions that lead to a win all look the same ([`Counting::regardless`]) is passed in one way by every solution, so a turn is in every one
//! exactly if it leads from such a layer to such a layer. What commutes is not in every one: the positions between differ.
//!
//! Where nodes, memory or time do not suffice, or a position has more moves than can be listed, nothing is claimed. In a game whose solutions are no
//! sequences (Shards) the game lists them ([`Counting::list`]).

use super::line::{Replayed, grouped, singular, stage};
use crate::{
    game::{Apart, Counting, Game, Listed, Status, Tally, advance},
    job::{Probe, Stop},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{collections::VecDeque, rc::Rc, sync::Arc};

/// How many there are, and what they have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shortest {
    /// The name of what the goal counts ("drags").
    pub unit: &'static str,
    /// How many of these each solution has.
    pub cost: u32,
    /// Whether there are no longer ones either.
    pub all_as_long: bool,
    /// How many solutions there are.
    pub tally: Tally,
    /// How many turns are in every one, where that is known.
    pub common: Option<u32>,
    /// The number of the first turn, from 1, that is not the same in all.
    pub part: Option<u32>,
}

/// The same with the first of the solutions.
pub struct AllShortest<G: Game> {
    /// The goal they are about.
    pub goal: usize,
    /// What is known about all of them.
    pub about: Shortest,
    /// The first of them, replayed through the rules.
    pub lines: Vec<Arc<Replayed<G>>>,
}

impl Shortest {
    /// "3 shortest solutions; 12 of 14 drags are in every one; they part at drag 5".
    pub fn text(&self) -> String {
        let Shortest { unit, cost, tally: Tally { found, all }, .. } = *self;
        let what = if self.all_as_long { "solution" } else { "shortest solution" };
        if (found, all) == (1, true) {
            return format!("exactly one {what}");
        }
        let number = if all { grouped(found) } else { format!("more than {}", grouped(found.saturating_sub(1))) };
        let mut parts = vec![format!("{number} {what}s")];
        if let Some(common) = self.common {
            parts.push(match common {
                0 => format!("no {} is in every one", singular(unit, 1)),
                1 => format!("1 of {cost} {} is in every one", singular(unit, cost)),
                n => format!("{n} of {cost} {} are in every one", singular(unit, cost)),
            });
        }
        if let Some(part) = self.part {
            parts.push(format!("they part at {} {part}", singular(unit, 1)));
        }
        parts.join("; ")
    }
}

/// Counts the shortest solutions of a goal from the start, and lists up to `listed` of them. `Ok(None)` if there is none, or the goal does not count them.
/// `known` is the cost of some solution. `Err` if a limit was reached first: then nothing is known.
pub fn shortest<G: Game>(
    level: &Arc<G::Level>,
    goal: usize,
    known: Option<u32>,
    listed: usize,
    probe: &mut Probe,
) -> Result<Option<AllShortest<G>>, Stop> {
    let (Ok(start), Some(apart)) = (G::start(level), G::GOALS[goal].apart) else { return Ok(None) };
    let unit = G::INFO.counts[G::GOALS[goal].count];
    let on = stage::<G>(level, &start, goal);
    if apart == Apart::Listed {
        let Listed { tally, lines, common } = (G::counting().list)(level, listed, probe)?;
        let cost = lines.first().map_or(0, |l| l.len() as u32);
        let replay = |moves| Replayed::new(on.clone(), goal, moves, true).map(Arc::new);
        let lines: Vec<_> = lines.into_iter().filter_map(replay).collect();
        let common = common.filter(|_| tally.all);
        let about = Shortest { unit, cost, all_as_long: true, tally, common, part: None };
        return Ok((tally.found > 0).then_some(AllShortest { goal, about, lines }));
    }
    let before = probe.progress.memory;
    let turns = Turns::<G> { level: &on.0, apart, count: G::GOALS[goal].count, counting: G::counting() };
    let found = Layers::search(&turns, &on.1, known, probe);
    let found = found.and_then(|layers| {
        let Some(layers) = layers else { return Ok(None) };
        let about = layers.about(&turns, unit);
        let mut lines = Vec::new();
        for way in layers.ways(listed) {
            let moves = turns.moves(&on.1, way.iter().map(|id| &*layers.states[*id as usize]), probe)?;
            lines.extend(moves.and_then(|moves| Replayed::new(on.clone(), goal, moves, true)).map(Arc::new));
        }
        Ok(Some(AllShortest { goal, about, lines }))
    });
    probe.progress.memory = before;
    found
}

/// What a turn is on a level.
pub(super) struct Turns<'a, G: Game> {
    pub(super) level: &'a G::Level,
    pub(super) apart: Apart,
    pub(super) count: usize,
    pub(super) counting: Counting<G>,
}

/// A position on the way through one turn: the one before it, and the move that led here.
struct Reached<G: Game> {
    state: G::State,
    from: Option<(usize, G::Move)>,
}

/// What one turn can lead to.
struct After<G: Game> {
    reached: Vec<Reached<G>>,
    /// Which of them end a turn.
    ends: Vec<usize>,
    /// Whether it is won without another turn.
    won: bool,
}

impl<G: Game> Turns<'_, G> {
    /// The position as it is compared.
    pub(super) fn compared(&self, state: &G::State) -> G::State {
        let mut state = state.clone();
        G::forget(self.level, &mut state);
        (self.counting.alike)(self.level, &mut state);
        state
    }

    fn made(&self, state: &G::State, mv: &G::Move) -> Option<G::State> {
        let mut next = state.clone();
        advance::<G>(self.level, &mut next, mv).ok().map(|()| next)
    }

    /// The positions after one turn, each as it is compared, once; and whether it is won already.
    pub(super) fn next(&self, state: &G::State, probe: &mut Probe) -> Result<(Vec<G::State>, bool), Stop> {
        if self.apart == Apart::Moves {
            let next = (self.counting.next)(self.level, state).ok_or(Stop::Nodes)?;
            return Ok((next, G::status(self.level, state) == Status::Won));
        }
        let after = self.after(state, probe)?;
        Ok((after.ends.iter().map(|end| after.reached[*end].state.clone()).collect(), after.won))
    }

    /// The same with the moves.
    fn after(&self, state: &G::State, probe: &mut Probe) -> Result<After<G>, Stop> {
        let won = G::status(self.level, state) == Status::Won;
        let mut after = After { reached: vec![Reached { state: state.clone(), from: None }], ends: Vec::new(), won };
        if self.apart == Apart::Runs {
            self.runs(&mut after, probe)?
        } else {
            self.costs(&mut after, probe)?
        }
        Ok(after)
    }

    /// All that a run of moves of one piece leads to, for each piece.
    fn runs(&self, after: &mut After<G>, probe: &mut Probe) -> Result<(), Stop> {
        let start = after.reached[0].state.clone();
        let piece = |state: &G::State, mv: &G::Move| G::piece(self.level, state, mv).0;
        let first = G::legal_moves(self.level, &start);
        let mut pieces: Vec<u32> = first.iter().map(|mv| piece(&start, mv)).collect();
        pieces.sort_unstable();
        pieces.dedup();
        for one in pieces {
            let mut seen = FxHashSet::from_iter([start.clone()]);
            let mut queue = VecDeque::from([0]);
            while let Some(at) = queue.pop_front() {
                probe.tick()?;
                let here = after.reached[at].state.clone();
                for mv in G::legal_moves(self.level, &here).into_iter().filter(|mv| piece(&here, mv) == one) {
                    let Some(next) = self.made(&here, &mv).filter(|next| !seen.contains(next)) else { continue };
                    seen.insert(next.clone());
                    queue.push_back(after.reached.len());
                    after.ends.push(after.reached.len());
                    after.reached.push(Reached { state: next, from: Some((at, mv)) });
                }
            }
        }
        Ok(())
    }

    /// All that moves without cost and then one that costs something lead to.
    fn costs(&self, after: &mut After<G>, probe: &mut Probe) -> Result<(), Stop> {
        // Counters that no rule reads would make endless walks of the moves that cost nothing.
        let forgetful = |mut state: G::State| {
            G::forget(self.level, &mut state);
            state
        };
        let mut seen = FxHashSet::from_iter([forgetful(after.reached[0].state.clone())]);
        let mut queue = VecDeque::from([0]);
        while let Some(at) = queue.pop_front() {
            probe.tick()?;
            let here = after.reached[at].state.clone();
            after.won |= G::status(self.level, &here) == Status::Won;
            for mv in G::legal_moves(self.level, &here) {
                let free = G::counts(self.level, &here, std::slice::from_ref(&mv)).get(self.count) == Some(&0);
                let Some(next) = self.made(&here, &mv).map(forgetful) else { continue };
                if !free {
                    after.ends.push(after.reached.len());
                } else if seen.insert(next.clone()) {
                    queue.push_back(after.reached.len());
                } else {
                    continue;
                }
                after.reached.push(Reached { state: next, from: Some((at, mv)) });
            }
        }
        Ok(())
    }

    /// The moves of a way through positions; `None` if it cannot be gone, which would be an error of ours.
    fn moves<'s>(
        &self,
        start: &G::State,
        way: impl Iterator<Item = &'s G::State>,
        probe: &mut Probe,
    ) -> Result<Option<Vec<G::Move>>, Stop>
    where
        G::State: 's,
    {
        let (mut at, mut line) = (start.clone(), Vec::new());
        for to in way {
            if self.apart == Apart::Moves {
                // Equal pieces may stand the other way round here.
                let next = (self.counting.next)(self.level, &at).ok_or(Stop::Nodes)?;
                let Some(next) = next.into_iter().find(|s| self.compared(s) == *to) else { return Ok(None) };
                let Some(mv) = (self.counting.move_to)(self.level, &at, &next) else { return Ok(None) };
                line.push(mv);
                at = next;
                continue;
            }
            let after = self.after(&at, probe)?;
            let end = after.ends.iter().copied().find(|end| self.compared(&after.reached[*end].state) == *to);
            let Some(end) = end else { return Ok(None) };
            let (mut turn, mut place) = (Vec::new(), end);
            while let Some((before, mv)) = &after.reached[place].from {
                turn.push(mv.clone());
                place = *before;
            }
            line.extend(turn.into_iter().rev());
            at = after.reached[end].state.clone();
        }
        // Won without another turn, as a board that is in order at the start.
        if G::status(self.level, &at) != Status::Won && self.apart == Apart::Costs {
            let after = self.after(&at, probe)?;
            let won = |i: &usize| G::status(self.level, &after.reached[*i].state) == Status::Won;
            let free = (0..after.reached.len()).filter(|i| !after.ends.contains(i)).find(won);
            if let Some((0, mv)) = free.and_then(|i| after.reached[i].from.as_ref()) {
                line.push(mv.clone());
            }
        }
        Ok(Some(line))
    }
}

/// All positions by their distance from the start, up to the first that is won.
struct Layers<G: Game> {
    states: Vec<Rc<G::State>>,
    /// For each layer but the last, which position leads to which of the next.
    steps: Vec<Vec<(u32, u32)>>,
    /// Positions on a shortest solution.
    on: Vec<bool>,
    /// Ways from the start to each position.
    ways: Vec<u64>,
    /// The won positions of the last layer.
    won: Vec<u32>,
}

impl<G: Game> Layers<G> {
    /// `None` if nothing can be won.
    fn search(
        turns: &Turns<'_, G>,
        start: &G::State,
        known: Option<u32>,
        probe: &mut Probe,
    ) -> Result<Option<Layers<G>>, Stop> {
        // A state, its two pointers with their counters, its place in the table and in the lists. What a state holds elsewhere is not known here: a few hundred
        // bytes in any game.
        let each = (size_of::<G::State>() + 400) as u64;
        let before = probe.progress.memory;
        let start = Rc::new(turns.compared(start));
        let mut ids = FxHashMap::from_iter([(start.clone(), 0u32)]);
        let mut states: Vec<Rc<G::State>> = vec![start];
        let (mut ways, mut won, mut layer) = (vec![1u64], Vec::new(), vec![0u32]);
        let mut all_steps: Vec<Vec<(u32, u32)>> = Vec::new();
        while !layer.is_empty() {
            let first = states.len() as u32;
            let (mut steps, mut next) = (Vec::new(), Vec::new());
            let depth = all_steps.len() as u32 + 1;
            for &id in &layer {
                probe.tick()?;
                let state = states[id as usize].clone();
                let (after, is_won) = turns.next(&state, probe)?;
                if is_won {
                    won.push(id);
                }
                if !won.is_empty() {
                    continue;
                }
                let mut seen = FxHashSet::default();
                for state in after {
                    probe.step()?;
                    let state = turns.compared(&state);
                    let at_least = (turns.counting.at_least)(turns.level, &state);
                    if known.is_some_and(|known| depth.saturating_add(at_least) > known) {
                        continue;
                    }
                    let to = match ids.get(&state) {
                        Some(to) => *to,
                        None => {
                            probe.allow(each)?;
                            probe.progress.memory += each;
                            let (to, state) = (states.len() as u32, Rc::new(state));
                            ids.insert(state.clone(), to);
                            states.push(state);
                            ways.push(0);
                            next.push(to);
                            to
                        }
                    };
                    if to >= first && seen.insert(to) {
                        steps.push((id, to));
                        ways[to as usize] = ways[to as usize].saturating_add(ways[id as usize]);
                    }
                }
                probe.progress.frontier = next.len() as u64;
            }
            if !won.is_empty() {
                let mut layers = Layers { states, steps: all_steps, on: Vec::new(), ways, won };
                layers.mark();
                return Ok(Some(layers));
            }
            probe.progress.memory = before + states.len() as u64 * each + 8 * steps.len() as u64;
            all_steps.push(steps);
            layer = next;
        }
        Ok(None)
    }

    /// Marks what leads to a win.
    fn mark(&mut self) {
        self.on = vec![false; self.states.len()];
        self.won.iter().for_each(|id| self.on[*id as usize] = true);
        for steps in self.steps.iter_mut().rev() {
            steps.retain(|(_, to)| self.on[*to as usize]);
            steps.iter().for_each(|(from, _)| self.on[*from as usize] = true);
        }
    }

    /// Whether positions differ at most in what makes no difference: after two pushes in either order the boxes stand alike and the player does not.
    fn look_alike(&self, turns: &Turns<'_, G>, mut ids: impl Iterator<Item = u32>) -> bool {
        let look = |id: u32| {
            let mut state = G::State::clone(&self.states[id as usize]);
            (turns.counting.regardless)(turns.level, &mut state);
            state
        };
        let Some(first) = ids.next() else { return true };
        let as_first = look(first);
        ids.all(|id| id == first || look(id) == as_first)
    }

    fn about(&self, turns: &Turns<'_, G>, unit: &'static str) -> Shortest {
        let found = self.won.iter().fold(0u64, |sum, id| sum.saturating_add(self.ways[*id as usize]));
        let from = |steps: &[(u32, u32)]| self.look_alike(turns, steps.iter().map(|s| s.0));
        let to = |steps: &[(u32, u32)]| self.look_alike(turns, steps.iter().map(|s| s.1));
        let common = self.steps.iter().filter(|steps| from(steps) && to(steps)).count() as u32;
        let part = self.steps.iter().position(|steps| !to(steps)).map(|i| i as u32 + 1);
        let tally = Tally { found, all: found < u64::MAX };
        let cost = self.steps.len() as u32;
        Shortest { unit, cost, all_as_long: false, tally, common: Some(common), part }
    }

    /// The first ways from the start to a win, in the order in which positions were found; the start is left out.
    fn ways(&self, most: usize) -> Vec<Vec<u32>> {
        let mut ways = Vec::new();
        let mut open = vec![Vec::<u32>::new()];
        while let Some(way) = open.pop() {
            if ways.len() == most {
                break;
            }
            let Some(steps) = self.steps.get(way.len()) else {
                ways.push(way);
                continue;
            };
            let at = way.last().copied().unwrap_or(0);
            let next = steps.iter().filter(|(from, _)| *from == at).map(|(_, to)| [&way[..], &[*to]].concat());
            let at = open.len();
            open.extend(next);
            open[at..].reverse();
        }
        ways
    }
}
