//! The opponent: what it answers, and why it is always the same.
//!
//! Everything here is cut off by node counts of its own and measured with the small tables alone, which are built where they are wanted: the same
//! position gives the same answer on every machine, whatever is cached or busy. All nodes are those of the probe given, and where that stops it
//! there is no answer.
//!
//! * **Easy** is a rule of thumb: it pins the lowest-numbered tile beside a gap (fills the first gap) whenever it may.
//! * **Medium** looks four moves ahead by minimax (pruned, which never changes the answer); a position is judged by the tables' lower bound.
//! * **Hard** looks ahead by alpha-beta, two moves deeper at a time while its nodes last, and judges by proven distances as far as
//!   they can be had within a node limit.
//!
//! Both judge a position by the turns the player will have used when it is solved at best, plus a little for every obstacle that can
//! still be used by then. A well-placed pin costs the player two turns (away and back), so an obstacle is worth less than that while it is
//! unspent, and nothing if there will be no time to use it: they spend where it hurts and hold back where it does not. Before
//! all judging comes the rule that they stop a win in one whenever an obstacle can; at the player's last turn that is their own win in one.

use super::{
    Readout,
    field::{Board, Field},
    level::{Level, Opponent, Square},
    rules::{self, Ending, Move, Side, State},
    solver::{patterns::Patterns, slides, tables},
};
use crate::{
    clock::Instant,
    game::{Rules, SimulatedGame, Status, rng},
    job::{Limits, Probe, Stop},
    search::alphabeta::{self, Duel},
};
use rand::{RngExt as _, seq::IndexedRandom as _};
use rustc_hash::FxHashMap;
use std::{sync::Arc, time::Duration};

/// Medium's depth, in moves of either side.
const MEDIUM_DEPTH: u32 = 4;
/// Hard's depths. The first is always gone through, so that there is an answer however many gaps there are.
const HARD_DEPTHS: [u32; 4] = [2, 4, 6, 8];
/// Positions Hard may judge for one answer.
const HARD_POSITIONS: u64 = 3_000;
/// Nodes Hard may spend on distances for one answer, and on one distance.
const HARD_NODES: u64 = 600_000;
const HARD_NODES_EACH: u64 = 20_000;
/// Nodes the model player may spend on one distance.
const MODEL_NODES: u64 = 20_000_000;
/// What a turn, and what an unspent obstacle is worth.
const TURN: i32 = 8;
const UNSPENT: i32 = 6;
/// Beyond every judgement.
const OVER: i32 = 1_000_000;

/// Solo distances, remembered, within node limits.
pub(super) struct Gauge {
    field: Field,
    patterns: Arc<Patterns>,
    /// Nodes for a distance, and those left for all that are asked for now.
    each: u64,
    left: u64,
    /// The distances of this time.
    now: FxHashMap<Board, u32>,
    /// All that were computed, with the nodes they took and whether they are exact. One that is asked for again counts the same nodes against the
    /// limits as the first time, so no answer depends on what was asked before.
    before: FxHashMap<Board, (u32, u64, bool)>,
}

/// Distances remembered at most.
const REMEMBERED: usize = 1 << 19;

impl Gauge {
    /// For the boards that can come from this one; `None` if a digit is there twice.
    pub fn new(state: &State, probe: &mut Probe) -> Result<Option<Gauge>, Stop> {
        let Some((field, _)) = Field::of(&state.squares) else { return Ok(None) };
        let patterns = tables::small(&field, probe)?;
        Ok(Some(Gauge { field, patterns, each: 0, left: 0, now: FxHashMap::default(), before: FxHashMap::default() }))
    }

    /// How many gaps these boards have.
    pub fn gaps(&self) -> u32 {
        self.field.gaps
    }

    /// From now on `each` nodes for a distance and `all` together; with none of them the tables' bound.
    pub fn limit(&mut self, each: u64, all: u64) {
        (self.each, self.left) = (each, all);
        self.now.clear();
        if self.before.len() > REMEMBERED {
            self.before.clear();
        }
    }

    fn board(&self, state: &State) -> Board {
        let mut board = Board([super::field::NONE; super::field::CELLS]);
        for (i, square) in state.squares.values().iter().enumerate() {
            if let Square::Digit(d) = square {
                board.0[i] = self.field.digits.binary_search(d).map_or(super::field::NONE, |rank| rank as u8);
            }
        }
        board
    }

    /// The slides a position needs: exact as far as its nodes go, never too many. An error is a limit of the probe, never one of the gauge.
    pub fn distance(&mut self, state: &State, probe: &mut Probe) -> Result<u32, Stop> {
        let board = self.board(state);
        let nodes = self.each.min(self.left);
        if nodes == 0 || self.field.gaps != 1 {
            return Ok(self.patterns.sums(&board).bound());
        }
        if let Some(known) = self.now.get(&board) {
            return Ok(*known);
        }
        let fits = |(_, used, exact): &&(u32, u64, bool)| if *exact { *used <= nodes } else { *used == nodes };
        let (distance, used, _) = match self.before.get(&board).filter(fits) {
            Some(known) => *known,
            None => {
                let from = probe.progress.nodes;
                let (distance, exact) = slides::distance(&self.field, &self.patterns, &board, nodes, probe)?;
                let computed = (distance, probe.progress.nodes - from, exact);
                // An exact one that takes more nodes stays.
                if exact || self.before.get(&board).is_none_or(|(.., exact)| !exact) {
                    self.before.insert(board, computed);
                }
                computed
            }
        };
        self.left -= used.min(self.left);
        self.now.insert(board, distance);
        Ok(distance)
    }
}

/// The opponent's answer; `None` if it is not its turn, or if nobody wants it any more.
pub(super) fn reply(level: &Level, state: &State, probe: &mut Probe) -> Option<Move> {
    answer(level, state, &mut None, probe).ok().flatten()
}

/// The same; an error is a limit of the probe: then there is no answer, since with more it might have been another. `gauge` is kept from one answer
/// to the next to save nodes.
pub(super) fn answer(
    level: &Level,
    state: &State,
    gauge: &mut Option<Gauge>,
    probe: &mut Probe,
) -> Result<Option<Move>, Stop> {
    if state.ending.is_some() || state.turn != Side::Opponent {
        return Ok(None);
    }
    let moves = Readout::legal_moves(level, state);
    let blocks = moves.iter().any(|m| matches!(m, Move::Pin { .. } | Move::Fill { .. }));
    if moves.len() <= 1 || !blocks {
        return Ok(moves.first().copied());
    }
    match state.opponent {
        Opponent::None => return Ok(None),
        Opponent::Easy => return Ok(moves.first().copied()),
        Opponent::Medium | Opponent::Hard => {}
    }
    if let Some(stopper) = stopper(&moves, state) {
        return Ok(Some(stopper));
    }
    let mut best = None;
    think(level, state, state.opponent == Opponent::Hard, gauge, probe, &mut best)?;
    Ok(best)
}

/// The slide that wins at once, if there is one; there are never two.
pub(super) fn winning_slide(state: &State) -> Option<Move> {
    let wins = |mv: &Move| {
        let Move::Slide { tile, dir } = *mv else { return false };
        let Some(from) = state.find(tile) else { return false };
        let mut squares = state.squares.clone();
        squares[from.step(dir)] = Square::Digit(tile);
        squares[from] = Square::Gap;
        super::level::is_in_order(&squares)
    };
    state.slides().into_iter().find(wins)
}

/// The obstacle that keeps a slide from being made.
fn against(state: &State, slide: &Move, moves: &[Move]) -> Option<Move> {
    let Move::Slide { tile, dir } = *slide else { return None };
    let at = state.find(tile)?.step(dir);
    moves.iter().copied().find(|m| *m == Move::Pin { tile } || *m == Move::Fill { at })
}

fn stopper(moves: &[Move], state: &State) -> Option<Move> {
    against(state, &winning_slide(state)?, moves)
}

/// The player's best slide as Hard's search sees it as far as the probe's limits go, whoever the opponent is; `None` if it is not the player's turn.
pub(super) fn advice(level: &Level, state: &State, probe: &mut Probe) -> Option<Move> {
    if state.ending.is_some() || state.turn != Side::Player {
        return None;
    }
    let mut best = winning_slide(state);
    if best.is_none() {
        // Stopped on the way it is the best move of the last whole depth.
        let _ = think(level, state, true, &mut None, probe, &mut best);
    }
    best.or_else(|| state.slides().first().copied())
}

/// The best move of whoever is to move; with `hard`, first that of a shallow search and then those of deeper ones.
fn think(
    level: &Level,
    state: &State,
    hard: bool,
    gauge: &mut Option<Gauge>,
    probe: &mut Probe,
    best: &mut Option<Move>,
) -> Result<(), Stop> {
    if gauge.is_none() {
        *gauge = Gauge::new(state, probe)?;
    }
    let Some(gauge) = gauge else { return Ok(()) };
    let (each, all) = if hard { (HARD_NODES_EACH, HARD_NODES) } else { (0, 0) };
    gauge.limit(each, all);
    let mut mind = Mind { level, gauge, probe, positions: u64::MAX, enough: false };
    let depths: &[u32] = if hard { &HARD_DEPTHS } else { &[MEDIUM_DEPTH] };
    for depth in depths {
        if best.is_some() {
            mind.positions = mind.positions.min(HARD_POSITIONS);
        }
        match alphabeta::best(&mut mind, state, *depth, true) {
            Ok(found) => *best = found.map(|(mv, _)| mv),
            // The last whole depth stands.
            Err(_) if mind.enough => break,
            Err(stop) => return Err(stop),
        }
    }
    Ok(())
}

struct Mind<'a> {
    level: &'a Level,
    gauge: &'a mut Gauge,
    probe: &'a mut Probe,
    /// Positions it may still judge, and whether it has wanted more.
    positions: u64,
    enough: bool,
}

impl Duel for Mind<'_> {
    type State = State;
    type Move = Move;

    /// Waiting first, so that an obstacle is spent only where it is better.
    fn moves(&mut self, state: &State) -> Vec<Move> {
        let mut moves = Readout::legal_moves(self.level, state);
        moves.sort_by_key(|m| *m != Move::Wait);
        moves.retain(|m| *m != Move::TimeUp);
        moves
    }

    fn after(&mut self, state: &State, mv: &Move) -> State {
        let mut next = state.clone();
        // Only legal moves come here.
        let _ = Readout::play(self.level, &mut next, mv);
        next
    }

    fn maximises(&self, state: &State) -> bool {
        state.turn == Side::Opponent
    }

    fn value(&mut self, state: &State) -> Result<i32, Stop> {
        self.enough = self.positions == 0;
        if self.enough {
            return Err(Stop::Nodes);
        }
        self.positions -= 1;
        self.probe.tick()?;
        let used = state.move_count as i32;
        Ok(match state.ending {
            Some(Ending::Won) => used - OVER,
            Some(Ending::Lost) => OVER - used,
            Some(Ending::Drawn) => OVER / 2 - used,
            None => {
                let distance = self.gauge.distance(state, self.probe)?;
                judge(self.level, state, distance)
            }
        })
    }
}

/// What a position that goes on is worth to the opponent.
fn judge(level: &Level, state: &State, distance: u32) -> i32 {
    let distance = distance as i32;
    TURN * (state.move_count as i32 + distance) + UNSPENT * usable(level, state, distance)
}

/// The same as a rank for a search on the player's side: small is good.
pub(super) fn outlook(level: &Level, state: &State, distance: u32) -> u64 {
    judge(level, state, distance).max(0) as u64
}

/// How many of its obstacles the opponent can still use before the player is home.
fn usable(level: &Level, state: &State, distance: i32) -> i32 {
    let cooldown = i32::from(level.rules.cooldown_of(state.opponent));
    let rest = state.idle.map_or(0, |idle| (cooldown - i32::from(idle)).max(0));
    let time = (distance - 1 - rest).max(0) / (cooldown + 1) + i32::from(distance - 1 > rest);
    match rules::obstacles_left(level, state) {
        Some(left) => time.min(left as i32),
        None => time,
    }
}

/// How many turns the player has to spare: what is left of the limit, less the slides still needed (or a lower bound on them).
pub(super) fn spare(level: &Level, state: &State) -> Option<f32> {
    let limit = level.rules.move_limit?;
    let left = f32::from(limit) - state.move_count as f32;
    let distance = || {
        let mut probe = Probe::new(Limits::default());
        let mut gauge = Gauge::new(state, &mut probe).ok()??;
        gauge.limit(2_000, 2_000);
        Some(gauge.distance(state, &mut probe).ok()? as f32)
    };
    match state.ending {
        Some(Ending::Won) => Some(left),
        Some(Ending::Lost) => distance().map(|d| -d),
        Some(Ending::Drawn) => Some(0.0),
        None => distance().map(|d| left - d),
    }
}

/// Where the opponent would put its obstacle after each of the player's slides, or now if it is its turn.
pub(super) fn answers(level: &Level, state: &State, probe: &mut Probe) -> Vec<(Option<Move>, Move)> {
    if state.turn == Side::Opponent {
        return reply(level, state, probe).map(|mv| (None, mv)).into_iter().collect();
    }
    let mut out = Vec::new();
    for slide in state.slides() {
        let mut next = state.clone();
        if Readout::play(level, &mut next, &slide).is_ok()
            && let Some(mv) = reply(level, &next, probe)
        {
            out.push((Some(slide), mv));
        }
    }
    out
}

// ------------------------------------------------------------------------------------------------------------ the model player

/// Plays a whole game: the model player, who errs at this rate, against an opponent.
pub(super) fn simulate(
    level: &Level,
    opponent: &str,
    error: f64,
    seed: u64,
    probe: &mut Probe,
) -> Option<SimulatedGame> {
    let mut level = level.clone();
    level.rules.opponent = Opponent::from_name(opponent)?;
    let error = if error.is_finite() { error.clamp(0.0, 1.0) } else { return None };
    let mut state = Readout::arrange(&level)?;
    // The player's distances and the opponent's.
    let mut gauge = Gauge::new(&state, probe).ok()??;
    gauge.limit(MODEL_NODES, u64::MAX);
    let mut judged = None;
    let mut rng = rng(seed);
    let mut slowest = Duration::ZERO;
    // The opponent's last turn and the slide after it.
    let mut asked: Option<State> = None;
    let mut last: Option<Move> = None;
    // A game without a limit might never end.
    for _ in 0..4 * u32::from(level.rules.move_limit.unwrap_or(1000)) {
        if state.ending.is_some() {
            break;
        }
        if state.turn == Side::Opponent {
            let begin = Instant::now();
            let mv = answer(&level, &state, &mut judged, probe).ok()??;
            slowest = slowest.max(begin.elapsed());
            asked = Some(state.clone());
            Readout::play(&level, &mut state, &mv).ok()?;
        } else {
            let slides = state.slides();
            let mv = if rng.random_bool(error) {
                *slides.choose(&mut rng)?
            } else {
                model_slide(&level, &state, &slides, &mut gauge, probe)?
            };
            Readout::play(&level, &mut state, &mv).ok()?;
            last = Some(mv);
        }
    }
    let stoppable = state.ending == Some(Ending::Won)
        && asked.zip(last).is_some_and(|(s, mv)| against(&s, &mv, &rules::obstacles(&level, &s)).is_some());
    let status = match Readout::status(&level, &state) {
        Status::Playing => Status::Drawn,
        over => over,
    };
    Some(SimulatedGame { status, stoppable, slowest })
}

/// The slide after which the fewest slides remain; among equals the lowest tile.
fn model_slide(level: &Level, state: &State, slides: &[Move], gauge: &mut Gauge, probe: &mut Probe) -> Option<Move> {
    let mut best: Option<(u32, Move)> = None;
    for mv in slides {
        let mut next = state.clone();
        Readout::play(level, &mut next, mv).ok()?;
        let rest = gauge.distance(&next, probe).ok()?;
        if best.is_none_or(|(least, _)| rest < least) {
            best = Some((rest, *mv));
        }
    }
    best.map(|(_, mv)| mv)
}
