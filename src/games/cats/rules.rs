//! The rules: which step is legal, what it does, what is won. Pure, and asks nobody.
//!
//! A step moves one shape by one cell. It is legal if the shape is unlocked and each of its cells lands on floor without a blocker, another
//! shape or a living cat of another colour. After every step, whoever moved: a cat under a shape of its colour is gone, and so is a
//! blocker-cat beside one. With `finished_shapes: leave` the shapes of a colour go with its last cat. Two counts: steps, and
//! drags, which are longest runs of steps by one shape.
//!
//! Shapes linked into a tandem move as one: all by the same step or none, each stopped by what would stop it alone but never by another
//! member, and only once the locks of all are met. With `leave` they go together, when each of their colours had cats and has none left. A
//! step may name any member; lines name the first ([`Level::mover`]).

use super::{
    Cats,
    level::{Colour, Finished, Ground, Level, MOST_CATS, shape_letter, shape_of_letter},
};
use crate::{
    game::{Fault, Refusal, Rules, Status},
    grid::{Cell, Dir},
};
use std::collections::{HashMap, VecDeque};

/// Where the shapes are and which cats are gone.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// How far each shape is from its place in the draft; `None` once it has left the board.
    pub shift: Vec<Option<(i16, i16)>>,
    /// A bit for each cat that is gone.
    pub gone: u64,
}

/// One cell's worth of moving: which shape (and with it its tandem), and where to.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The number of the shape.
    pub shape: usize,
    /// The direction.
    pub dir: Dir,
}

impl Rules for Cats {
    type State = State;
    type Move = Step;

    /// Nothing if there are too many cats to keep count of.
    fn arrange(level: &Level) -> Option<State> {
        (level.cats.len() <= MOST_CATS).then(|| State { shift: vec![Some((0, 0)); level.shapes.len()], gone: 0 })
    }

    fn legal_moves(level: &Level, state: &State) -> Vec<Step> {
        steps(level).filter(|s| hindrance(level, state, *s).is_none()).collect()
    }

    fn play(level: &Level, state: &mut State, mv: &Step) -> Result<(), Refusal> {
        check(level, state, *mv)?;
        make(level, state, *mv);
        Ok(())
    }

    /// Won once every cat is gone. A level without cats is never won.
    fn status(level: &Level, state: &State) -> Status {
        let all = all_cats(level);
        if all != 0 && state.gone & all == all { Status::Won } else { Status::Playing }
    }

    fn counts(level: &Level, _: &State, line: &[Step]) -> Vec<u32> {
        vec![line.len() as u32, drags(level, line)]
    }

    /// Drags as a letter and directions, "a:RRD b:U"; a tandem has the letter of its first member.
    fn write_line(level: &Level, line: &[Step]) -> String {
        let drag = |run: &[Step]| {
            let dirs: String = run.iter().map(|s| s.dir.letter()).collect();
            format!("{}:{dirs}", shape_letter(level.mover(run[0].shape)))
        };
        runs(level, line).map(drag).collect::<Vec<_>>().join(" ")
    }

    /// The letter of any member names its tandem.
    fn read_line(level: &Level, text: &str) -> Result<Vec<Step>, Fault> {
        let mut steps = Vec::new();
        let mut shape = None;
        let mut colon = false;
        for (row, line) in text.lines().enumerate() {
            for (column, letter) in line.chars().enumerate() {
                let fault = |text: String| Fault::at(row + 1, column + 1, text);
                if letter.is_whitespace() {
                    if shape.is_some() && !colon {
                        return Err(fault("a shape's letter is followed by ':' and directions, as in a:RRD".into()));
                    }
                    (shape, colon) = (None, false);
                    continue;
                }
                match shape {
                    None => match shape_of_letter(letter).filter(|i| *i < level.shapes.len()) {
                        Some(i) => shape = Some(level.mover(i)),
                        None => return Err(fault(format!("there is no shape '{letter}' here"))),
                    },
                    Some(_) if !colon => {
                        if letter != ':' {
                            return Err(fault(
                                "a shape's letter is followed by ':' and directions, as in a:RRD".into(),
                            ));
                        }
                        colon = true;
                    }
                    Some(shape) => match Dir::from_letter(letter) {
                        Some(dir) => steps.push(Step { shape, dir }),
                        None => return Err(fault(format!("'{letter}' is not a direction: U, R, D or L"))),
                    },
                }
            }
            if shape.is_some() && !colon {
                return Err(Fault::at(
                    row + 1,
                    line.chars().count() + 1,
                    "a shape's letter is followed by ':' and directions",
                ));
            }
            (shape, colon) = (None, false);
        }
        Ok(steps)
    }

    fn write_move(_: &Level, mv: &Step) -> String {
        mv.dir.arrow().into()
    }

    /// "red domino at b4", or "tandem at b4": where it stands before the move, since letters are not on the board.
    fn piece(level: &Level, state: &State, mv: &Step) -> (u32, String) {
        let mover = level.mover(mv.shape);
        if mv.shape >= level.shapes.len() {
            return (mover as u32, "no shape".into());
        }
        let held: Vec<Cell> = cells(level, state, mover).collect();
        let place = grip(&held).map_or_else(String::new, |at| format!(" at {}", at.name()));
        (mover as u32, level.mover_name(mover) + &place)
    }

    fn objects(level: &Level, state: &State) -> Vec<(String, Cell)> {
        let shapes = (0..level.shapes.len())
            .filter_map(|i| Some((format!("shape {}", shape_letter(i)), cells(level, state, i).next()?)));
        let cats = level.cats.iter().enumerate().filter(|(k, _)| !is_gone(state, *k));
        let named = cats.map(|(_, c)| {
            let kind = if level.is_blocker_cat(c) { "blocker-cat" } else { "cat" };
            (format!("{} {kind}", c.colour.name()), c.at)
        });
        shapes.chain(named).collect()
    }

    /// As in a file, with living cats above shapes and capital letters.
    fn board_text(level: &Level, state: &State) -> String {
        let size = level.size();
        let mut text: Vec<char> = level
            .ground
            .values()
            .iter()
            .map(|g| match g {
                Ground::Void => ' ',
                Ground::Floor => '.',
                Ground::Blocker => '#',
            })
            .collect();
        for i in 0..level.shapes.len() {
            for c in cells(level, state, i).filter(|c| size.contains(*c)) {
                text[size.index(c)] = shape_letter(i);
            }
        }
        for (k, cat) in level.cats.iter().enumerate() {
            if !is_gone(state, k) && size.contains(cat.at) {
                let blocker = level.is_blocker_cat(cat);
                text[size.index(cat.at)] =
                    if blocker { cat.colour.blocker_cat_letter() } else { cat.colour.cat_letter() };
            }
        }
        text.chunks(size.w as usize).map(|r| r.iter().collect::<String>()).collect::<Vec<_>>().join("\n")
    }
}

/// The bits of all cats.
pub fn all_cats(level: &Level) -> u64 {
    if level.cats.len() >= 64 { u64::MAX } else { (1 << level.cats.len()) - 1 }
}

/// The cells a shape covers now; none if it has left.
pub fn cells<'a>(level: &'a Level, state: &State, shape: usize) -> impl Iterator<Item = Cell> + use<'a> {
    let at = state.shift.get(shape).copied().flatten().zip(level.shapes.get(shape));
    at.into_iter().flat_map(|((dx, dy), s)| s.cells.iter().map(move |c| c.offset(dx, dy)))
}

/// The cell by which a shape is named and held: the one nearest to its middle.
pub fn grip(cells: &[Cell]) -> Option<Cell> {
    let n = cells.len().max(1) as f32;
    let sum = cells.iter().fold((0.0, 0.0), |s, c| (s.0 + f32::from(c.x), s.1 + f32::from(c.y)));
    let off = |c: &Cell| (f32::from(c.x) - sum.0 / n).hypot(f32::from(c.y) - sum.1 / n);
    cells.iter().copied().min_by(|a, b| off(a).total_cmp(&off(b)))
}

/// The shape that covers a cell now.
pub fn shape_at(level: &Level, state: &State, at: Cell) -> Option<usize> {
    (0..level.shapes.len()).find(|i| cells(level, state, *i).any(|c| c == at))
}

/// The living cat on a cell.
pub fn cat_at(level: &Level, state: &State, at: Cell) -> Option<usize> {
    level.cats.iter().enumerate().position(|(i, c)| c.at == at && !is_gone(state, i))
}

/// Whether a cat is gone.
pub fn is_gone(state: &State, cat: usize) -> bool {
    cat < 64 && state.gone >> cat & 1 == 1
}

/// How many cats a locked shape, or what it is linked to, still waits for; 0 if it is free to move.
pub fn waits_for(level: &Level, state: &State, shape: usize) -> u32 {
    let lock = level.members(shape).filter_map(|m| level.shapes.get(m)).map(|s| s.lock).max();
    lock.unwrap_or(0).saturating_sub(state.gone.count_ones())
}

/// Every step that could be tried, legal or not: each tandem's as its first member's.
pub fn steps(level: &Level) -> impl Iterator<Item = Step> + use<'_> {
    let movers = (0..level.shapes.len()).filter(|i| level.mover(*i) == *i);
    movers.flat_map(|shape| Dir::ALL.map(|dir| Step { shape, dir }))
}

/// Why a step cannot be made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hindrance {
    Over,
    NoShape,
    Left,
    Locked(u32),
    /// What stops a member, and at which cell.
    Stopped(usize, Cell, Obstacle),
}

/// What a cell holds that a shape cannot enter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Obstacle {
    Blocker,
    Edge,
    Shape(usize),
    Cat(Colour),
}

/// What keeps a step from being made. (Searches ask often: the words are put together only where a person reads them.)
fn hindrance(level: &Level, state: &State, step: Step) -> Option<Hindrance> {
    if Cats::status(level, state) != Status::Playing {
        return Some(Hindrance::Over);
    }
    if step.shape >= level.shapes.len() {
        return Some(Hindrance::NoShape);
    }
    if state.shift.get(step.shape).copied().flatten().is_none() {
        return Some(Hindrance::Left);
    }
    let waits = waits_for(level, state, step.shape);
    if waits > 0 {
        return Some(Hindrance::Locked(waits));
    }
    let mover = level.mover(step.shape);
    level.members(step.shape).find_map(|member| {
        let mut to = cells(level, state, member).map(|c| c.step(step.dir));
        to.find_map(|c| Some(Hindrance::Stopped(member, c, obstacle(level, state, mover, member, c)?)))
    })
}

/// What keeps a shape from entering a cell, the shapes that move with it aside.
fn obstacle(level: &Level, state: &State, mover: usize, shape: usize, to: Cell) -> Option<Obstacle> {
    match level.ground.get(to) {
        Some(Ground::Floor) => (),
        Some(Ground::Blocker) => return Some(Obstacle::Blocker),
        _ => return Some(Obstacle::Edge),
    }
    let mut shapes = 0..level.shapes.len();
    let other = shapes.find(|i| cells(level, state, *i).any(|c| c == to) && level.mover(*i) != mover);
    if let Some(other) = other {
        return Some(Obstacle::Shape(other));
    }
    let colour = level.shapes[shape].colour;
    let mut cats = level.cats.iter().enumerate();
    let stranger = cats.find(|(i, cat)| cat.at == to && cat.colour != colour && !is_gone(state, *i));
    stranger.map(|(_, cat)| Obstacle::Cat(cat.colour))
}

/// The member of a tandem that cannot make a step, and the cell that it cannot enter: what a player wants to see.
pub fn stopped(level: &Level, state: &State, step: Step) -> Option<(usize, Cell)> {
    match hindrance(level, state, step)? {
        Hindrance::Stopped(member, at, _) => Some((member, at)),
        _ => None,
    }
}

/// Whether a step can be made, or why not.
pub fn check(level: &Level, state: &State, step: Step) -> Result<(), Refusal> {
    let Some(hindrance) = hindrance(level, state, step) else { return Ok(()) };
    let (reason, mut text) = match hindrance {
        Hindrance::Over => ("over", "the level is already won".into()),
        Hindrance::NoShape => ("no-shape", "there is no such shape".into()),
        Hindrance::Left => ("left", format!("{} has left the board", level.shape_name(step.shape))),
        Hindrance::Locked(1) => ("locked", "locked: 1 more cat".into()),
        Hindrance::Locked(waits) => ("locked", format!("locked: {waits} more cats")),
        Hindrance::Stopped(.., obstacle) => match obstacle {
            Obstacle::Blocker => ("blocker", "a blocker is in the way".into()),
            Obstacle::Edge => ("edge", "there is no floor that way".to_string()),
            Obstacle::Shape(other) => ("shape", format!("{} is in the way", level.shape_name(other))),
            Obstacle::Cat(colour) => ("cat", format!("a {} cat is in the way", colour.name())),
        },
    };
    if let Hindrance::Stopped(member, ..) = hindrance
        && level.members(member).count() > 1
    {
        text = format!("{}: {text}", level.shape_name(member));
    }
    Err(Refusal::new(reason, text))
}

/// The state after a step, if that is legal: for searches, which read no refusals.
pub fn after(level: &Level, state: &State, step: Step) -> Option<State> {
    hindrance(level, state, step).is_none().then(|| {
        let mut next = state.clone();
        make(level, &mut next, step);
        next
    })
}

fn make(level: &Level, state: &mut State, step: Step) {
    let (dx, dy) = step.dir.delta();
    for member in level.members(step.shape) {
        if let Some(Some(shift)) = state.shift.get_mut(member) {
            *shift = (shift.0 + dx, shift.1 + dy);
        }
    }
    take_covered(level, state);
}

/// Takes every cat that is covered now, as any step does after it is made.
pub(super) fn take_covered(level: &Level, state: &mut State) {
    let taken = covered(level, state) & !state.gone;
    state.gone |= taken;
    if level.finished == Finished::Leave && taken != 0 {
        leave(level, state);
    }
}

/// The cats (gone or not) that shapes of their colour cover now; of blocker-cats, those with such a shape beside them.
pub fn covered(level: &Level, state: &State) -> u64 {
    let mut bits = 0;
    for i in 0..level.shapes.len() {
        for c in cells(level, state, i) {
            for (k, cat) in level.cats.iter().enumerate().take(MOST_CATS) {
                if cat.colour != level.shapes[i].colour {
                    continue;
                }
                let here = if level.is_blocker_cat(cat) { c.distance(cat.at) == 1 } else { c == cat.at };
                if here {
                    bits |= 1 << k;
                }
            }
        }
    }
    bits
}

/// Takes off the shapes whose colour had cats and has none left; a tandem once that is so for all of its members.
fn leave(level: &Level, state: &mut State) {
    let finished = Colour::ALL.map(|colour| {
        let mut cats = level.cats.iter().enumerate().filter(|(_, c)| c.colour == colour).peekable();
        cats.peek().is_some() && cats.all(|(k, _)| is_gone(state, k))
    });
    for i in 0..level.shapes.len() {
        if level.members(i).all(|m| finished[level.shapes[m].colour.index()]) {
            state.shift[i] = None;
        }
    }
}

/// The drags of a line: longest runs of steps by one shape or tandem.
fn runs<'a>(level: &Level, line: &'a [Step]) -> impl Iterator<Item = &'a [Step]> {
    line.chunk_by(|a, b| a.shape == b.shape || level.mover(a.shape) == level.mover(b.shape))
}

/// How many drags there are in a line.
pub fn drags(level: &Level, line: &[Step]) -> u32 {
    runs(level, line).count() as u32
}

/// How many positions [`way`] looks at before it gives up: only boards with many cats of one colour and `leave` come near.
const WAY_LIMIT: usize = 100_000;

/// The shortest legal way of a shape to a place (its shift from the draft), for pointer drags; among equally short ones the first in the
/// order up, right, down, left. Empty if it is there already, nothing if there is no way.
pub fn way(level: &Level, state: &State, shape: usize, to: (i16, i16)) -> Option<Vec<Dir>> {
    let start = state.shift.get(shape).copied().flatten()?;
    if start == to {
        return Some(Vec::new());
    }
    // A shape is never stopped by cats of its own colour, so with `stay` what it takes on the way changes nothing about the way.
    // With `leave` the last cat of a colour ends it, and a tandem of several colours clears the way for itself: then two ways to one place
    // differ by the cats they took.
    let mut colours = level.members(shape).map(|m| level.shapes[m].colour);
    let first = colours.next();
    let by_gone = level.finished == Finished::Leave || colours.any(|c| Some(c) != first);
    let key = |s: &State| Some((s.shift[shape]?, if by_gone { s.gone } else { 0 }));
    let mut from = HashMap::new();
    let mut queue = VecDeque::from([state.clone()]);
    from.insert(key(state)?, None);
    while let Some(here) = queue.pop_front() {
        let before = key(&here)?;
        for dir in Dir::ALL {
            let Some(next) = after(level, &here, Step { shape, dir }) else { continue };
            let (dx, dy) = dir.delta();
            let arrived = (before.0.0 + dx, before.0.1 + dy) == to;
            if !arrived {
                // A shape that has left goes no further.
                let Some(k) = key(&next) else { continue };
                if from.contains_key(&k) || from.len() >= WAY_LIMIT || Cats::status(level, &next) != Status::Playing {
                    continue;
                }
                from.insert(k, Some((before, dir)));
                queue.push_back(next);
                continue;
            }
            let mut dirs = vec![dir];
            let mut at = before;
            while let Some(Some((k, d))) = from.get(&at) {
                dirs.push(*d);
                at = *k;
            }
            dirs.reverse();
            return Some(dirs);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Draft as _;

    fn read(text: &str) -> Level {
        Cats::from_file(ron::from_str(text).expect("RON")).expect("a level")
    }

    fn run(level: &Level, text: &str) -> Result<State, Refusal> {
        let mut state = Cats::arrange(level).expect("not too many cats");
        for step in Cats::read_line(level, text).expect("notation") {
            Cats::play(level, &mut state, &step)?;
        }
        Ok(state)
    }

    #[test]
    fn a_line_is_written_as_it_is_read() {
        let level = read("(board: [\"a..b\"], legend: {'a': Shape(colour: red), 'b': Shape(colour: blue)})");
        let line = Cats::read_line(&level, " a:rR\nB:L b:l").expect("notation");
        assert_eq!(Cats::write_line(&level, &line), "a:RR b:LL");
        assert_eq!((line.len(), drags(&level, &line)), (4, 2));
        for bad in ["c:R", "a", "a R", "aR", "a:X", ":", "a:R b"] {
            assert!(Cats::read_line(&level, bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn shapes_leave_with_the_last_cat_of_their_colour_and_never_without_cats() {
        let text = "(board: [\"aR.b.c.B\"], legend: {'a': Shape(colour: red), 'b': Shape(colour: red), 'c': Shape(colour: green), \
                    'R': Cat(red), 'B': Cat(blue)})";
        let mut level = read(text);
        assert_eq!(run(&level, "a:RR").expect("legal").shift, [Some((2, 0)), Some((0, 0)), Some((0, 0))]);
        level.finished = Finished::Leave;
        let state = run(&level, "a:R").expect("legal");
        assert_eq!(state.shift, [None, None, Some((0, 0))]);
        assert_eq!(run(&level, "a:RR").expect_err("it has left").reason, "left");
    }

    #[test]
    fn a_way_takes_the_first_of_the_shortest() {
        let level = read("(board: [\"....\", \"a#..\", \"...R\"], legend: {'a': Shape(colour: red), 'R': Cat(red)})");
        let state = Cats::arrange(&level).expect("state");
        assert_eq!(way(&level, &state, 0, (2, 0)), Some(vec![Dir::Up, Dir::Right, Dir::Right, Dir::Down]));
        assert_eq!(way(&level, &state, 0, (0, 0)), Some(vec![]));
        assert_eq!(way(&level, &state, 0, (1, 0)), None);
        assert_eq!(way(&level, &state, 0, (i16::MAX, i16::MIN)), None);
    }
}
