//! Why a position cannot be won: the limit, the opponent, or tiles that cannot get to their places.
//!
//! What can only help, and so may be left out of the question: **the opponent** (obstacles only ever forbid slides, and a line that wins against it
//! wins alone), then **the move limit**, then **the number on a tile**, which becomes a loose tile like all others without a number. The order is
//! reached when the tiles that still have numbers are at home and the gaps are at the end.

use super::{
    Level, Opponent, Readout, State,
    field::{Board, Field, NONE, squares},
    level::{Square, is_in_order},
    reach, rules,
};
use crate::{
    game::{Easier, Found, Outcome, Part, Reason, Reasons, Solve as _, capital, list},
    grid::{Cell, Spot},
    job::{Probe, Stop},
    search::space::Space,
};

/// The goals of [`crate::game::Solve::GOALS`].
const SLIDES: usize = 0;
const DUEL: usize = 1;

pub(super) fn reasons() -> Reasons<Readout> {
    Reasons { find, parts, without, tell, keeps, unplayable }
}

/// Tiles sliding, most of them alike. A position is the tile on each open square, 0 for a gap, 1 for a loose tile.
struct Loose {
    field: Field,
    start: Vec<u32>,
    goal: Vec<u32>,
    /// The squares of the positions, and for each the places of its neighbours among them.
    near: Vec<Vec<usize>>,
}

impl Loose {
    fn new(field: Field, board: &Board, numbered: &dyn Fn(u8) -> bool) -> Loose {
        let open: Vec<usize> = squares(field.open).collect();
        let word = |tile: u8| match tile {
            NONE => 0,
            tile if numbered(field.digits[usize::from(tile)]) => u32::from(tile) + 2,
            _ => 1,
        };
        let words = |board: &Board| open.iter().map(|i| word(board.0[*i])).collect::<Vec<u32>>();
        let (start, goal) = (words(board), words(&field.goal()));
        let place = |i: usize| open.iter().position(|o| *o == i);
        let near = open.iter().map(|i| squares(field.near[*i]).filter_map(place).collect()).collect();
        Loose { start, goal, near, field }
    }
}

impl Space for Loose {
    fn start(&self) -> Vec<u32> {
        self.start.clone()
    }
    fn won(&self, at: &[u32]) -> bool {
        debug_assert_eq!(at.len(), self.field.open.count_ones() as usize);
        at == self.goal
    }
    fn next(&self, at: &[u32], to: &mut dyn FnMut(&[u32])) {
        let mut next = at.to_vec();
        for gap in (0..at.len()).filter(|i| at[*i] == 0) {
            for &from in self.near[gap].iter().filter(|n| at[**n] != 0) {
                next.swap(gap, from);
                to(&next);
                next.swap(gap, from);
            }
        }
    }
}

/// The tiles that are not where they belong.
fn displaced(state: &State) -> Vec<Cell> {
    super::level::displaced(&state.squares)
}

fn unplayable(level: &Level) -> Option<Reason> {
    let (field, board) = Field::of(&level.squares)?;
    let reach::Verdict::No(reach::Why::Parity) = reach::verdict(&field, &board) else { return None };
    // The draft's first error: only one that has all of its digits is asked for their order.
    let first = <Readout as crate::game::Draft>::problems(level).into_iter().next()?;
    if !first.text.contains(reach::Why::Parity.text()) {
        return None;
    }
    let swap = plainest_swap(&field, &board);
    let at = |i: usize| field.size.cell(i);
    let digit = |i: usize| field.digits[usize::from(board.0[i])];
    let text = match swap {
        Some((a, b)) => {
            let (a, b) = (digit(a).min(digit(b)), digit(a).max(digit(b)));
            format!(
                "The order of these digits cannot be reached: two are swapped (exchanging {a} and {b} would put that right)."
            )
        }
        None => "The order of these digits cannot be reached: two are swapped.".into(),
    };
    let spots: Vec<Cell> = swap.into_iter().flat_map(|(a, b)| [at(a), at(b)]).collect();
    Some(Reason::new("parity", text, spots, "the order of all digits"))
}

/// Two squares whose exchange puts the order right and the most tiles at home.
pub(super) fn plainest_swap(field: &Field, board: &Board) -> Option<(usize, usize)> {
    let tiles: Vec<usize> = squares(field.open).filter(|i| board.0[*i] != NONE).collect();
    let home =
        |board: &Board| tiles.iter().filter(|i| usize::from(field.homes[usize::from(board.0[**i])]) == **i).count();
    let mut best: Option<(usize, usize, usize)> = None;
    for (k, &a) in tiles.iter().enumerate() {
        for &b in &tiles[k + 1..] {
            let mut other = *board;
            other.0.swap(a, b);
            let at_home = home(&other);
            if best.is_none_or(|(most, ..)| at_home > most) && reach::verdict(field, &other) == reach::Verdict::Yes {
                best = Some((at_home, a, b));
            }
        }
    }
    best.map(|(_, a, b)| (a, b))
}

fn alone(level: &Level, state: &State) -> (Level, State) {
    let mut level = level.clone();
    let mut state = state.clone();
    level.rules.opponent = Opponent::None;
    state.opponent = Opponent::None;
    state.obstacles.clear();
    // The turn goes to the player, as it does when nobody answers.
    state.turn = rules::Side::Player;
    (level, state)
}

fn turns_left(level: &Level, state: &State) -> Option<u32> {
    level.rules.move_limit.map(|l| u32::from(l).saturating_sub(state.move_count))
}

/// The end of the game, or the limit against the slides that are needed.
fn find(level: &Level, state: &State, goal: usize, probe: &mut Probe) -> Result<Option<Found<Readout>>, Stop> {
    let counted = |reason| Ok(Some(Found::new(reason, Vec::new())));
    if goal == DUEL && state.ending.is_some() {
        let text = match state.ending {
            Some(rules::Ending::Drawn) => "Both sides have passed, and the game is over.",
            _ => "The last turn is over, and the digits are not in order.",
        };
        return counted(Reason::new("over", text, displaced(state), "the position"));
    }
    if goal != DUEL {
        return Ok(None);
    }
    let left = turns_left(level, state).unwrap_or(u32::MAX);
    let (easy, from) = alone(level, state);
    let mut part = probe.part(probe.nodes_left());
    let outcome = Readout::solve(&easy, &from, SLIDES, &mut part, &mut |_| ());
    probe.absorb(&part);
    // A board in order must be left and come back.
    let there_and_back = |n: u32| if is_in_order(&from.squares) { 2 } else { n };
    let (least, line) = match &outcome {
        Outcome::Solved { line, bound, .. } => (there_and_back(*bound), Some(there_and_back(line.len() as u32))),
        Outcome::Stopped { bound, .. } => (*bound, None),
        Outcome::Unsolvable => return Ok(None),
    };
    if least > left {
        let turns = if left == 1 { "one turn is".into() } else { format!("{left} turns are") };
        let text = format!("Even without an opponent at least {least} slides are needed, and {turns} left.");
        let reason = Reason::new("limit", text, displaced(state), "the move limit, no opponent");
        return Ok(Some(Found::new(reason, vec![Easier::Level(Box::new(easy), from, DUEL)])));
    }
    let Some(slides) = line.filter(|n| *n <= left && state.opponent != Opponent::None) else { return Ok(None) };
    let name = capital(state.opponent.name());
    let within = if left == u32::MAX { String::new() } else { format!(" in the {left} turns left") };
    let text = format!("Without an opponent {slides} slides would do; against {name} no line wins{within}.");
    let rests_on = vec![Easier::Level(Box::new(level.clone()), state.clone(), DUEL)];
    Ok(Some(Found::new(Reason::new(Reason::OPPONENT, text, displaced(state), "the game as it is played"), rests_on)))
}

// ------------------------------------------------------------------------------------------------------------------------- parts

/// Opponent, limit, and then the digits, as they lie.
fn parts(_: &Level, state: &State) -> Vec<Part> {
    let rule = |group| Part { group, spots: Vec::new() };
    let digits = digits(state).into_iter().map(|(c, _)| Part { group: 2, spots: vec![Spot::from(c)] });
    [rule(0), rule(1)].into_iter().chain(digits).collect()
}

fn digits(state: &State) -> Vec<(Cell, u8)> {
    let digit = |(c, s): (Cell, &Square)| if let Square::Digit(d) = s { Some((c, *d)) } else { None };
    state.squares.iter().filter_map(digit).collect()
}

fn without(level: &Level, state: &State, left_out: &[bool]) -> Option<Easier<Readout>> {
    let [opponent, limit, ref loose @ ..] = *left_out else { return None };
    let some_loose = loose.contains(&true);
    if (limit && !opponent) || (some_loose && !limit) {
        return None;
    }
    if !some_loose {
        let (easy, from) = if opponent { alone(level, state) } else { (level.clone(), state.clone()) };
        return Some(Easier::Level(Box::new(easy), from, if limit { SLIDES } else { DUEL }));
    }
    let (field, board) = Field::of(&state.squares)?;
    let numbered: Vec<u8> =
        digits(state).iter().zip(loose).filter(|(_, loose)| !**loose).map(|((_, d), _)| *d).collect();
    Some(Easier::Space(Box::new(Loose::new(field, &board, &|d| numbered.contains(&d)))))
}

fn numbered(state: &State, left_out: &[bool]) -> Vec<(Cell, u8)> {
    digits(state).into_iter().zip(left_out.iter().skip(2)).filter(|(_, loose)| !**loose).map(|(d, _)| d).collect()
}

fn keeps(_: &Level, state: &State, left_out: &[bool]) -> String {
    let kept = numbered(state, left_out);
    let names: Vec<String> = kept.iter().map(|(_, d)| d.to_string()).collect();
    let mut words = Vec::new();
    words.push(match (left_out.first(), left_out.get(1)) {
        (Some(true), Some(true)) => "no opponent, no limit".to_string(),
        (Some(true), _) => "no opponent".to_string(),
        _ => "opponent and limit".to_string(),
    });
    words.push(match names.len() {
        0 => "no tile has a number".into(),
        n if n == digits(state).len() => "all digits".into(),
        1 => format!("only tile {} has a number", names[0]),
        _ => format!("only tiles {} have numbers", list(&names)),
    });
    words.join(", ")
}

fn tell(level: &Level, state: &State, left_out: &[bool]) -> Option<Reason> {
    let keeps = keeps(level, state, left_out);
    if left_out.first() != Some(&true) {
        return None;
    }
    if left_out.get(1) != Some(&true) {
        let left = turns_left(level, state).unwrap_or(0);
        let text = format!("The digits cannot be put in order in {left} {}.", if left == 1 { "turn" } else { "turns" });
        return Some(Reason::new("limit", text, displaced(state), keeps));
    }
    let kept = numbered(state, left_out);
    let names: Vec<String> = kept.iter().map(|(_, d)| d.to_string()).collect();
    let text = match names.as_slice() {
        [one] => format!("Tile {one} cannot get to its place."),
        two @ [_, _] => format!("Tiles {} cannot both get to their places.", list(two)),
        some if (3..digits(state).len()).contains(&some.len()) => {
            format!("Tiles {} cannot all get to their places.", list(some))
        }
        _ => return None,
    };
    Some(Reason::new("order", text, kept.iter().map(|(c, _)| *c), keeps))
}
