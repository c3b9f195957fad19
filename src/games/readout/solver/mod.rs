//! Solving: the fewest slides with nobody in the way, and a line that beats the opponent.
//!
//! | file | holds |
//! |---|---|
//! | `patterns.rs` | lower bounds from tables, and why they are lower bounds |
//! | `tables.rs` | which tables there are, how they are built and kept |
//! | `walk.rs` | boards on the move, for IDA* and beams |
//! | `detours.rs` | walks of the gap that need not be searched |
//! | `slides.rs` | goal `slides` |
//! | `windows.rs` | stretches of a line that are searched again |
//! | `duel.rs` | goal `duel` |
//!
//! A line of `slides` is one for a board without an opponent, without obstacles and without a move limit:
//! [`Solve::stage`] says so to whoever replays it. A board in order already is solved by the empty line.

mod detours;
mod duel;
pub(super) mod patterns;
pub(super) mod slides;
pub(super) mod tables;
pub(super) mod walk;
mod windows;

use super::{
    Readout,
    field::Field,
    level::{Level, Opponent, Square},
    opponent,
    rules::{self, Move, Side, State},
};
use crate::{
    analysis::rate::{self, Metrics},
    game::{Apart, Counting, Goal, Overlay, Rules as _, Solve, Tables},
    grid::{Dir, Spot},
    job::{Limits, Mode, Probe, Stop},
    search::driver::{Flow, Plan, Whole},
};
use walk::Slide;

/// The goal `duel`, by its place in [`Solve::GOALS`].
const DUEL: usize = 1;
/// Nodes for the way home that a hint in a duel goes by.
const ADVICE: u64 = 1_000_000;

impl Solve for Readout {
    const GOALS: &'static [Goal] = &[
        Goal { id: "slides", name: "fewest slides, no opponent", count: 0, apart: Some(Apart::Costs) },
        Goal { id: "duel", name: "win against the opponent", count: 0, apart: None },
    ];

    fn difficulty(level: &Level, metrics: &Metrics, _: &mut Probe) -> Result<Option<f64>, Stop> {
        // The slides that are needed alone, and a slide of detour for each obstacle that the opponent can put down in so many turns; placed by
        // a rule of thumb, half of them are in nobody's way.
        let rules = &level.rules;
        let slides = f64::from(metrics.minimum);
        let turns = slides / f64::from(rules.cooldown_of(rules.opponent) + 1);
        let obstacles = rules.budget_of(rules.opponent).map_or(turns, |budget| turns.min(f64::from(budget)));
        let detour = match rules.opponent {
            Opponent::None => 0.0,
            Opponent::Easy => 0.5,
            Opponent::Medium | Opponent::Hard => 1.0,
        };
        Ok(Some(rate::scale(slides + detour * obstacles, 40.0)))
    }

    fn tables() -> Option<Tables<Readout>> {
        let wanted = |level: &Level, goal| {
            goal != DUEL && Field::of(&level.squares).is_some_and(|(field, _)| field == *tables::standard())
        };
        Some(Tables { name: "pattern tables for 5 x 5", wanted, prepare: tables::prepare })
    }

    fn stages(level: &Level, from: &State, goal: usize, mode: Mode) -> Plan<Move> {
        if goal == DUEL && !(from.opponent == Opponent::None && from.obstacles.is_empty() && from.ending.is_none()) {
            return duel::plan(level, from);
        }
        let mut most = u32::MAX;
        if goal == DUEL {
            // Against nobody it is the slides within the move limit, but a board in order must be left and come back.
            most = level.rules.move_limit.map_or(most, |l| u32::from(l).saturating_sub(from.move_count));
            if super::level::is_in_order(&from.squares) {
                return there_and_back(from, most);
            }
        }
        let Some((field, board)) = Field::of(&from.squares) else {
            return Plan::best(vec![Whole::stage("proof", true, |_, _| Ok(Flow::Proven))]);
        };
        let from = from.clone();
        slides::plan(&field, &board, most, mode, move |line| moves(&from, line))
    }

    fn replay_on(level: &Level, from: &State, goal: usize) -> Option<(Level, State)> {
        let mut level = level.clone();
        level.rules.opponent = Opponent::None;
        level.rules.move_limit = None;
        (goal != DUEL).then(|| (level, rules::alone(from)))
    }

    fn forget(level: &Level, state: &mut State) {
        duel::normalise(level, state);
    }

    /// In a duel, the next slide of the shortest way home if it can be made, as the model player has it; where a pin or a plug forbids it, what
    /// the opponent's own search would do in the player's place. The opponent answers in between, so it is one move at a time.
    fn advise(level: &Level, from: &State, probe: &mut Probe) -> Option<Vec<Move>> {
        if from.opponent == Opponent::None && from.obstacles.is_empty() {
            let outcome = Readout::solve(level, from, 0, probe, &mut |_| ());
            return outcome.line().filter(|l| !l.is_empty()).map(<[_]>::to_vec);
        }
        let mut part = probe.part(probe.limits().nodes.map_or(ADVICE, |n| ADVICE.min(n / 2)));
        let outcome = Readout::solve(level, from, 0, &mut part, &mut |_| ());
        probe.absorb(&part);
        let legal = from.slides();
        let next = outcome.line().and_then(|l| l.first()).copied().filter(|mv| legal.contains(mv));
        next.or_else(|| opponent::advice(level, from, probe)).map(|mv| vec![mv])
    }

    fn reasons() -> Option<crate::game::Reasons<Readout>> {
        Some(super::reasons::reasons())
    }

    fn counting() -> Counting<Readout> {
        let manhattan =
            |_: &Level, state: &State| Field::of(&state.squares).map_or(0, |(f, board)| f.manhattan(&board));
        Counting { at_least: manhattan, ..Counting::default() }
    }

    fn overlays() -> &'static [Overlay] {
        &[
            Overlay {
                id: "answers",
                name: "The opponent's answers",
                help: "Where the opponent would put its obstacle: after each slide of yours, or now if it is its turn.",
            },
            Overlay { id: "displaced", name: "Displaced tiles", help: "How far each tile is from its place." },
        ]
    }

    fn overlay(level: &Level, state: &State, index: usize) -> Vec<(Spot, f32)> {
        if index == 0 { answers(level, state) } else { displaced(state) }
    }

    fn about_level(level: &Level, from: &State, probe: &mut Probe) -> Vec<String> {
        let mut out = Vec::new();
        if from.opponent == Opponent::None || from.ending.is_some() {
            return out;
        }
        for (slide, answer) in opponent::answers(level, from, probe) {
            if answer != Move::Wait {
                let after = slide.map_or(String::new(), |s| format!(" after {}", rules::write(&s)));
                out.push(format!("{} would {}{after}", from.opponent.name(), rules::say(&answer)));
            }
        }
        out
    }
}

/// Slides as moves: the tiles named by their digits.
pub(super) fn moves(from: &State, line: &[Slide]) -> Vec<Move> {
    let size = from.squares.size();
    let mut squares = from.squares.clone();
    let mut out = Vec::with_capacity(line.len());
    for slide in line {
        let (a, b) = (size.cell(slide.from.into()), size.cell(slide.to.into()));
        if let (Square::Digit(tile), Some(dir)) = (squares[a], Dir::between(a, b)) {
            out.push(Move::Slide { tile, dir });
            squares[a] = Square::Gap;
            squares[b] = Square::Digit(tile);
        }
    }
    out
}

/// The way away from a board in order and back, if there are so many turns.
fn there_and_back(from: &State, most: u32) -> Plan<Move> {
    let line = from.slides().first().and_then(|there| match there {
        Move::Slide { tile, dir } => Some(vec![*there, Move::Slide { tile: *tile, dir: dir.opposite() }]),
        _ => None,
    });
    Plan::best(vec![Whole::stage("proof", true, move |known, probe| {
        if let Some(line) = line.clone().filter(|_| most >= 2) {
            known.better(2, line, probe);
        }
        Ok(Flow::Proven)
    })])
}

fn answers(level: &Level, state: &State) -> Vec<(Spot, f32)> {
    if state.ending.is_some() || (state.turn == Side::Player && state.opponent == Opponent::None) {
        return Vec::new();
    }
    let all = opponent::answers(level, state, &mut Probe::new(Limits::default()));
    let share = 1.0 / all.len().max(1) as f32;
    let mut out: Vec<(Spot, f32)> = Vec::new();
    for (slide, answer) in all {
        let mut after = state.clone();
        if let Some(slide) = slide
            && Readout::play(level, &mut after, &slide).is_err()
        {
            continue;
        }
        let Some(spot) = rules::target_of(&after, &answer).map(Spot::from) else { continue };
        match out.iter_mut().find(|(s, _)| *s == spot) {
            Some((_, weight)) => *weight += share,
            None => out.push((spot, share)),
        }
    }
    out
}

fn displaced(state: &State) -> Vec<(Spot, f32)> {
    let size = state.squares.size();
    let target = super::level::target(&state.squares);
    let furthest = f32::from(size.w + size.h).max(3.0) - 2.0;
    let far = |(c, square): (crate::grid::Cell, &Square)| {
        let Square::Digit(_) = square else { return None };
        let home = target.iter().find(|(_, s)| *s == square)?.0;
        let steps = c.distance(home);
        (steps > 0).then(|| (Spot::from(c), steps as f32 / furthest))
    };
    state.squares.iter().filter_map(far).collect()
}
