//! A line of moves that was replayed through the rules, and the words for what it counts.
//!
//! Nothing else turns moves into something to show or to keep: a [`Replayed`] exists only for a line whose every move is legal and which wins.

use crate::{
    game::{Game, Solution, Status, advance_with},
    job::{Limits, Probe},
};
use std::sync::{Arc, OnceLock};

/// A winning line with its replay.
pub struct Replayed<G: Game> {
    /// The goal it was found for, an index into [`Solve::GOALS`](crate::game::Solve::GOALS).
    pub goal: usize,
    /// The level it is replayed on: see [`stage`].
    pub level: Arc<G::Level>,
    /// The positions, the first one included. An opponent's replies are made within a step.
    pub states: Vec<G::State>,
    /// The player's moves.
    pub moves: Vec<G::Move>,
    /// The opponent's replies to each of them.
    replies: Vec<Vec<G::Move>>,
    /// What it counts, by name, in the game's order.
    pub counts: Vec<(&'static str, u32)>,
    /// The moves in the game's notation.
    pub text: String,
    /// Whether it begins where play begins. Only such a line is a solution of its level.
    pub from_start: bool,
    rows: OnceLock<Vec<MoveRow>>,
    longest_piece: OnceLock<usize>,
    graph: OnceLock<Vec<f32>>,
}

/// A row of the move list: neighbouring moves of one piece, or an opponent's replies to one move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveRow {
    /// Number of the first move, from 1.
    pub first: usize,
    /// The piece's name; that of the opponent.
    pub piece: String,
    /// The moves in words.
    pub moves: Vec<String>,
    /// Whether these are replies: they belong to the step of the move before them.
    pub reply: bool,
}

/// The level and the state on which lines of a goal are replayed: those given, or what the game puts in their place.
pub fn stage<G: Game>(level: &Arc<G::Level>, from: &G::State, goal: usize) -> (Arc<G::Level>, G::State) {
    match G::replay_on(level, from, goal) {
        Some((level, from)) => (Arc::new(level), from),
        None => (level.clone(), from.clone()),
    }
}

/// All states of a line, the first one included. `None` if a move is refused.
pub(crate) fn replay<G: Game>(level: &G::Level, from: &G::State, line: &[G::Move]) -> Option<Vec<G::State>> {
    replay_with_replies::<G>(level, from, line).map(|(states, _)| states)
}

/// The same, and the opponent's replies to each move.
#[expect(clippy::type_complexity, reason = "two lists that belong to a line")]
fn replay_with_replies<G: Game>(
    level: &G::Level,
    from: &G::State,
    line: &[G::Move],
) -> Option<(Vec<G::State>, Vec<Vec<G::Move>>)> {
    let (mut states, mut replies) = (vec![from.clone()], Vec::with_capacity(line.len()));
    for mv in line {
        let mut next = states[states.len() - 1].clone();
        replies.push(advance_with::<G>(level, &mut next, mv, &mut Probe::new(Limits::default())).ok()?);
        states.push(next);
    }
    Some((states, replies))
}

impl<G: Game> Replayed<G> {
    /// Replays moves on a [`stage`]; `None` if one is refused or the last does not win.
    pub fn new(
        (level, from): (Arc<G::Level>, G::State),
        goal: usize,
        moves: Vec<G::Move>,
        from_start: bool,
    ) -> Option<Replayed<G>> {
        let (states, replies) = replay_with_replies::<G>(&level, &from, &moves)?;
        if G::status(&level, &states[moves.len()]) != Status::Won {
            return None;
        }
        let counts = G::INFO.counts.iter().copied().zip(G::counts(&level, &from, &moves)).collect();
        let text = G::write_line(&level, &moves);
        let (rows, longest_piece, graph) = Default::default();
        Some(Replayed { goal, level, states, moves, replies, counts, text, from_start, rows, longest_piece, graph })
    }

    /// Reads a kept solution and replays it from the start of a level; else why it does not solve it.
    pub fn kept(level: &Arc<G::Level>, kept: &Solution) -> Result<Replayed<G>, String> {
        let goal = G::GOALS.iter().position(|g| g.id == kept.goal).unwrap_or(0);
        let start = G::start(level).map_err(|p| format!("this draft cannot be played: {}", p[0].text))?;
        let stage = stage::<G>(level, &start, goal);
        let moves = G::read_line(&stage.0, &kept.moves).map_err(|e| e.to_string())?;
        Replayed::new(stage, goal, moves, true).ok_or_else(|| "this solution no longer solves the level".into())
    }

    /// The line as a solution to keep, if it is one of the whole level.
    pub fn solution(&self, optimal: bool, found: &str) -> Option<Solution> {
        self.from_start.then(|| Solution {
            goal: G::GOALS[self.goal].id.into(),
            moves: self.text.clone(),
            counts: self.counts.iter().map(|(n, c)| (n.to_string(), *c)).collect(),
            optimal,
            found: found.into(),
        })
    }

    /// The cost for its goal.
    pub fn cost(&self) -> u32 {
        self.counts.get(G::GOALS[self.goal].count).map_or(0, |c| c.1)
    }

    /// The move list. Made once.
    pub fn rows(&self) -> &[MoveRow] {
        self.rows.get_or_init(|| {
            let mut rows: Vec<(u32, MoveRow)> = Vec::new();
            for (i, mv) in self.moves.iter().enumerate() {
                let (key, piece) = G::piece(&self.level, &self.states[i], mv);
                let text = G::write_move(&self.level, mv);
                match rows.last_mut() {
                    Some((last, row)) if *last == key && !row.reply => row.moves.push(text),
                    _ => rows.push((key, MoveRow { first: i + 1, piece, moves: vec![text], reply: false })),
                }
                if let Some(first) = self.replies[i].first() {
                    let (key, piece) = G::piece(&self.level, &self.states[i], first);
                    let moves = self.replies[i].iter().map(|m| G::write_move(&self.level, m)).collect();
                    rows.push((key, MoveRow { first: i + 1, piece, moves, reply: true }));
                }
            }
            rows.into_iter().map(|(_, row)| row).collect()
        })
    }

    /// The longest name of a piece in the move list. Looked up once.
    pub fn longest_piece(&self) -> &str {
        let rows = self.rows();
        let longest = || (0..rows.len()).max_by_key(|i| rows[*i].piece.chars().count()).unwrap_or(0);
        rows.get(*self.longest_piece.get_or_init(longest)).map_or("", |r| &r.piece)
    }

    /// What remains after each move, or the game's evaluation: one value a position. Made once, since it counts every beginning of the line.
    pub fn graph(&self) -> &[f32] {
        self.graph.get_or_init(|| {
            let evaluate = G::versus().map(|v| v.evaluate);
            let values = self.states.iter().map(|s| evaluate?(&self.level, s));
            if let Some(values) = values.collect::<Option<Vec<_>>>() {
                return values;
            }
            let count = G::GOALS[self.goal].count;
            let cost = |k: usize| G::counts(&self.level, &self.states[0], &self.moves[..k]).get(count).copied();
            let total = self.cost();
            (0..=self.moves.len()).map(|k| total.saturating_sub(cost(k).unwrap_or(0)) as f32).collect()
        })
    }
}

/// "23 steps · 7 drags".
pub fn counts_text<'a>(counts: impl IntoIterator<Item = (&'a str, u32)>) -> String {
    let parts: Vec<_> = counts.into_iter().map(|(name, n)| format!("{n} {}", singular(name, n))).collect();
    parts.join(" · ")
}

/// "1 drag", "2 drags": the counts' names are plurals.
pub fn singular(name: &str, n: u32) -> &str {
    if n != 1 {
        return name;
    }
    match name.strip_suffix("es") {
        Some(stem) if stem.ends_with(['s', 'h', 'x']) => stem,
        _ => name.strip_suffix('s').unwrap_or(name),
    }
}

/// "1,234,567".
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
