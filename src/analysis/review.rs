//! A game that was played, move by move: what could still be reached, where it first got worse, and what was better there.
//!
//! The *value* of a position of the game is the least total still possible: what was counted so far and the fewest that a win takes from there, by the goal
//! that par is about, or, where that leaves out something that is in play, by the one that is about the game as played (Readout's duel, with pins and
//! waits). Lost is worst. A value is an interval, since a search may end before it has proven the least; a move is called a mistake only if everything that
//! is possible after it is worse than something that was possible before it, both proven.
//!
//! Positions are judged between turns: a drag of several steps in Cats is one turn, since its steps after the first cost nothing. The value never falls from
//! turn to turn (a win from the later position is one from the earlier), so what is known of one turn bounds those before and after it, and where both ends of a
//! stretch have one value, nothing between them is searched.

use super::{line::Replayed, played_goal, singular, solve};
use crate::{
    game::{Game, HINT_STAGES, Status, opponents_turn},
    job::{Probe, Stop},
};
use std::sync::Arc;

/// How much is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// Nodes in all.
    pub nodes: u64,
    /// Nodes for one position.
    pub each: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { nodes: 6_000_000, each: 400_000 }
    }
}

/// Stands for a position that cannot be won.
const LOST: u32 = u32::MAX;

/// What is proven about the least total still possible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    low: u32,
    high: u32,
}

impl Value {
    const UNKNOWN: Value = Value { low: 0, high: LOST };

    /// The total, where it is proven.
    pub fn total(self) -> Option<u32> {
        (self.low == self.high && self.low != LOST).then_some(self.low)
    }

    /// Whether it is proven that nothing can be won any more.
    pub fn lost(self) -> bool {
        self.low == LOST
    }

    /// Whether a win is known.
    fn winnable(self) -> bool {
        self.high != LOST
    }

    /// Whether it is proven.
    pub fn known(self) -> bool {
        self.low == self.high
    }

    /// Whether all that is possible here is worse than something that is possible there.
    fn worse_than(self, before: Value) -> bool {
        self.low > before.high
    }

    /// "14", "lost", "at most 14", "?".
    pub fn text(self) -> String {
        match self {
            Value { low: LOST, .. } => "lost".into(),
            Value { high: LOST, .. } => "?".into(),
            Value { low, high } if low == high => low.to_string(),
            Value { high, .. } => format!("at most {high}"),
        }
    }
}

/// A row of the game: neighbouring moves of one piece, or, in games with an opponent, one turn. A mistake stands alone.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewRow {
    /// The number of its first move among the player's, from 1.
    pub first: usize,
    /// The piece's name.
    pub piece: String,
    /// The moves in words.
    pub moves: Vec<String>,
    /// What the opponent did after the last of them, in words.
    pub replies: Vec<String>,
    /// The place of the position after it among those of the game.
    pub after: usize,
    /// What is possible after it.
    pub value: Value,
    /// Whether it is proven to be a mistake.
    pub mistake: bool,
}

/// The first mistake.
#[derive(Clone, PartialEq, Debug)]
pub struct Mistake {
    /// Its row.
    pub row: usize,
    /// The place of the position before it among those of the game.
    pub before: usize,
    /// The number of its first move, from 1.
    pub number: usize,
    /// Whether it is proven that no move before it was one.
    pub first: bool,
    /// What it did: "2 drags more than needed", "after this it could not be won".
    pub text: String,
    /// How the better line begins, in the words of a hint.
    pub better: Option<String>,
}

/// What there is to say about a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Review {
    /// The game.
    pub rows: Vec<ReviewRow>,
    /// The place of the position it begins with, and how many moves of the player's led there: against another opponent than the one it is about.
    pub begins: (usize, usize),
    /// What was possible at its beginning.
    pub start: Value,
    /// The name of what is counted ("drags").
    pub unit: &'static str,
    /// The first mistake that is proven.
    pub mistake: Option<Mistake>,
    /// The row of the turn that lost: proven winnable before it, and proven lost after it.
    pub lost_by: Option<usize>,
}

/// The same with the better line.
pub struct Reviewed<G: Game> {
    /// What there is to say.
    pub review: Review,
    /// The line that was better than the first mistake, from the position before it.
    pub better: Option<Arc<Replayed<G>>>,
}

/// A position between two turns.
struct Point<G: Game> {
    /// The player's moves before it.
    made: usize,
    /// Its place among the states of the game.
    at: usize,
    cost: u32,
    value: Option<Value>,
    better: Option<Arc<Replayed<G>>>,
}

/// Reviews the moves of a game, an opponent's among them, with the position before each of them and the last one. `Err` if nobody wants to know any more.
pub fn review<G: Game>(
    level: &Arc<G::Level>,
    states: &[G::State],
    moves: &[G::Move],
    effort: Effort,
    probe: &mut Probe,
) -> Result<Reviewed<G>, Stop> {
    let own: Vec<usize> = (0..moves.len()).filter(|i| !opponents_turn::<G>(level, &states[*i])).collect();
    // What the rules do not list as a move, such as choosing another opponent, makes another game of it: that one is reviewed.
    let listed = |i: usize| G::ENDLESS || G::legal_moves(level, &states[i]).contains(&moves[i]);
    let begin = own.iter().rposition(|i| !listed(*i)).map_or(0, |i| i + 1);
    let earlier = own[..begin].iter().filter(|i| listed(**i)).count();
    let own = &own[begin..];
    let from = own.first().map_or(moves.len(), |i| *i);
    let goal = match G::replay_on(level, &states[from], G::INFO.par_goal) {
        None => G::INFO.par_goal,
        Some(_) => played_goal::<G>(level, &states[from]),
    };
    let mut game = Played { level, states, goal, points: points::<G>(level, states, moves, own, goal), effort };
    let mut part = probe.part(effort.nodes);
    let last = game.points.len() - 1;
    let ended = game.judge(last, &mut part).and_then(|()| game.judge(0, &mut part)).and_then(|()| {
        game.between(0, last, &mut part)?;
        game.find_better(&mut part)
    });
    probe.absorb(&part);
    match ended {
        // Out of nodes: what is known by then counts.
        Ok(()) | Err(Stop::Nodes | Stop::Time | Stop::Memory) => {}
        Err(stop) => return Err(stop),
    }
    Ok(game.reviewed(moves, own, earlier))
}

/// The positions between the turns of a game. A turn ends where the next move costs what it would cost alone.
fn points<G: Game>(
    level: &G::Level,
    states: &[G::State],
    moves: &[G::Move],
    own: &[usize],
    goal: usize,
) -> Vec<Point<G>> {
    let from = own.first().map_or(moves.len(), |i| *i);
    let line: Vec<G::Move> = own.iter().map(|i| moves[*i].clone()).collect();
    let cost = |from: &G::State, line: &[G::Move]| {
        G::counts(level, from, line).get(G::GOALS[goal].count).copied().unwrap_or(0)
    };
    let mut points = vec![Point { made: 0, at: from, cost: 0, value: None, better: None }];
    for made in 1..=line.len() {
        let so_far = cost(&states[from], &line[..made]);
        let ends = match own.get(made) {
            Some(next) => cost(&states[from], &line[..=made]) - so_far == cost(&states[*next], &line[made..=made]),
            None => true,
        };
        if ends {
            let at = own.get(made).copied().unwrap_or(moves.len());
            points.push(Point { made, at, cost: so_far, value: None, better: None });
        }
    }
    points
}

struct Played<'a, G: Game> {
    level: &'a Arc<G::Level>,
    states: &'a [G::State],
    goal: usize,
    points: Vec<Point<G>>,
    effort: Effort,
}

impl<G: Game> Played<'_, G> {
    fn value(&self, i: usize) -> Value {
        let own = self.points[i].value.unwrap_or(Value::UNKNOWN);
        let before = self.points[..i].iter().filter_map(|p| p.value).map(|v| v.low).max().unwrap_or(0);
        let after = self.points[i + 1..].iter().filter_map(|p| p.value).map(|v| v.high).min().unwrap_or(LOST);
        Value { low: own.low.max(before), high: own.high.min(after) }
    }

    /// Finds out what is possible at a point.
    fn judge(&mut self, i: usize, probe: &mut Probe) -> Result<(), Stop> {
        if self.points[i].value.is_some() {
            return Ok(());
        }
        let (at, cost) = (self.points[i].at, self.points[i].cost);
        let state = &self.states[at];
        let value = match G::status(self.level, state) {
            Status::Won => Value { low: cost, high: cost },
            Status::Lost | Status::Drawn => Value { low: LOST, high: LOST },
            Status::Playing => {
                probe.check()?;
                let mut part = probe.part(self.effort.each);
                let answer = solve::<G>(self.level, Some(state), self.goal, &mut part, &mut |_| ());
                probe.absorb(&part);
                let report = &answer.report;
                if report.stopped_by() == Some(Stop::Cancelled) {
                    return Err(Stop::Cancelled);
                }
                let bound = cost.saturating_add(report.bound.unwrap_or(0));
                let total = report.cost.map(|c| cost + c);
                self.points[i].better = answer.line.clone();
                match (report.lost(), total) {
                    (Some(true), _) => Value { low: LOST, high: LOST },
                    (_, Some(total)) if report.optimal() => Value { low: total, high: total },
                    (_, Some(total)) => Value { low: bound.min(total), high: total },
                    _ => Value { low: bound, high: LOST },
                }
            }
        };
        self.points[i].value = Some(value);
        Ok(())
    }

    /// Judges what is between two points, unless both have one value.
    fn between(&mut self, low: usize, high: usize, probe: &mut Probe) -> Result<(), Stop> {
        let (first, last) = (self.value(low), self.value(high));
        if high - low < 2 || (first == last && first.known()) {
            return Ok(());
        }
        let middle = low.midpoint(high);
        self.judge(middle, probe)?;
        self.between(low, middle, probe)?;
        self.between(middle, high, probe)
    }

    /// The first point that is proven worse than the one before it.
    fn mistake(&self) -> Option<usize> {
        (1..self.points.len()).find(|i| self.value(*i).worse_than(self.value(i - 1)))
    }

    /// The line that was better than the first mistake.
    fn find_better(&mut self, probe: &mut Probe) -> Result<(), Stop> {
        let Some(i) = self.mistake() else { return Ok(()) };
        if self.points[i - 1].better.is_none() {
            self.points[i - 1].value = None;
            self.judge(i - 1, probe)?;
        }
        Ok(())
    }

    /// Rows, values and the first mistake, in words.
    fn reviewed(mut self, moves: &[G::Move], own: &[usize], earlier: usize) -> Reviewed<G> {
        let unit = G::INFO.counts[G::GOALS[self.goal].count];
        let values: Vec<Value> = (0..self.points.len()).map(|i| self.value(i)).collect();
        let wrong = self.mistake();
        let mut rows: Vec<(u32, ReviewRow)> = Vec::new();
        let mut row_of = vec![0; self.points.len()];
        for i in 1..self.points.len() {
            let turn = self.points[i - 1].made..self.points[i].made;
            let mistake = values[i].worse_than(values[i - 1]);
            for made in turn.clone() {
                let (mv, state) = (&moves[own[made]], &self.states[own[made]]);
                let (key, piece) = G::piece(self.level, state, mv);
                let (text, after) = (G::write_move(self.level, mv), self.points[i].at);
                let value = values[i];
                let answered = own.get(made + 1).copied().unwrap_or(moves.len());
                let replies = moves[own[made] + 1..answered].iter().map(|mv| G::write_move(self.level, mv)).collect();
                let alone = mistake || G::versus().is_some();
                match rows.last_mut() {
                    Some((last, row)) if *last == key && (made > turn.start || !(alone || row.mistake)) => {
                        row.moves.push(text);
                        (row.after, row.value, row.replies) = (after, value, replies);
                    }
                    _ => {
                        let (first, moves) = (made + 1, vec![text]);
                        rows.push((key, ReviewRow { first, piece, moves, replies, after, value, mistake }));
                    }
                }
            }
            row_of[i] = rows.len().saturating_sub(1);
        }
        let better = wrong.and_then(|i| self.points[i - 1].better.take());
        let better =
            better.zip(wrong).filter(|(line, i)| self.points[i - 1].cost.saturating_add(line.cost()) < values[*i].low);
        let better = better.map(|(line, _)| line);
        let mistake = wrong.map(|i| Mistake {
            row: row_of[i],
            before: self.points[i - 1].at,
            number: self.points[i - 1].made + 1,
            first: values[i - 1].known() && values[0] == values[i - 1],
            text: worse_by(values[i - 1], values[i], unit),
            better: better
                .as_ref()
                .map(|line| G::hint(&line.level, &line.states[0], &line.moves, HINT_STAGES - 1).text)
                .filter(|text| !text.is_empty()),
        });
        let lost_by = (1..values.len()).find(|i| values[*i].lost() && values[i - 1].winnable()).map(|i| row_of[i]);
        let rows = rows.into_iter().map(|(_, row)| row).collect();
        let begins = (self.points[0].at, earlier);
        Reviewed { review: Review { rows, begins, start: values[0], unit, mistake, lost_by }, better }
    }
}

/// What a mistake did, in words.
fn worse_by(before: Value, after: Value, unit: &str) -> String {
    match (before.total(), after.total()) {
        _ if after.lost() => "it could not be won after this".into(),
        (Some(was), Some(is)) => format!("{} {} more than needed", is - was, singular(unit, is - was)),
        _ => format!("more {unit} than needed"),
    }
}
