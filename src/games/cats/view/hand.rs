//! Cursor, selection and dragging: from what the player does to steps.
//!
//! A drag follows the pointer through every cell it crosses, also between two samples, and to each of them the grabbed shape goes by the
//! shortest legal way or stays. So the steps depend on the line that the pointer draws and not on how often it was looked at. Where
//! that line passes through the corner of four cells it enters none of the two beside it, and the shape's way decides.

use super::{
    super::{Cats, Ground, Level, State, Step, rules},
    more_cats,
};
use crate::{
    game::{Input, Key, Nudge, NudgeKind, Reaction, Rules as _, Status},
    grid::{Cell, Dir},
    picture::{Point, point},
};

/// What the player has in hand, and where the cursor is.
#[derive(Clone, Debug, Default)]
pub struct Ui {
    cursor: Option<Cell>,
    /// Whether the last input was a key: the pointer needs no cursor.
    by_keys: bool,
    hover: Option<Cell>,
    selected: Option<usize>,
    drag: Option<Drag>,
    /// The member of a tandem that could not move when that was last tried, and the cell that it cannot enter.
    stopped: Option<(usize, Cell)>,
}

/// A shape held by the pointer.
#[derive(Clone, Debug)]
struct Drag {
    /// The shape, or the first of its tandem; as in `selected`.
    shape: usize,
    /// The pointer's cell less the shape's shift.
    grip: (i16, i16),
    /// What the pointer needs to be in the middle of the cell it was pressed in: a shape goes on when it is pulled half a cell, wherever it is held.
    lift: Point,
    /// Where the pointer was last, lifted.
    last: Point,
    /// Whether it has left the cell where it was pressed: then it was no click.
    moved: bool,
}

impl Ui {
    /// The shape that glows: dragged or selected.
    pub(super) fn in_hand(&self) -> Option<usize> {
        self.drag.as_ref().map(|d| d.shape).or(self.selected)
    }

    /// How far a dragged shape hangs over from its cells towards the pointer: up to half a cell where it can go on, a touch where something stops it.
    pub(super) fn pulled(&self, level: &Level, state: &State, shape: usize) -> Option<(f32, f32)> {
        let held = self.drag.as_ref().filter(|d| level.mover(d.shape) == level.mover(shape))?;
        let shape = held.shape;
        let (x, y) = state.shift.get(shape).copied().flatten()?;
        let rest = Point::middle(Cell { x: x.saturating_add(held.grip.0), y: y.saturating_add(held.grip.1) });
        let (dx, dy) = (held.last.x - rest.x, held.last.y - rest.y);
        let free = |dir: Dir| rules::check(level, state, Step { shape, dir }).is_ok();
        let hang = |by: f32, less: Dir, more: Dir| match by {
            by if !by.is_finite() || by == 0.0 => 0.0,
            by if free(if by < 0.0 { less } else { more }) => by.clamp(-0.5, 0.5),
            by => (by * 0.12).clamp(-0.07, 0.07),
        };
        let (px, py) = (hang(dx, Dir::Left, Dir::Right), hang(dy, Dir::Up, Dir::Down));
        let aslant = (x + px.signum() as i16, y + py.signum() as i16);
        // Not over the corner of what is in the way: then along one axis.
        Some(match px.abs() > 0.07 && py.abs() > 0.07 && !has_room(level, state, shape, aslant) {
            false => (px, py),
            true if px.abs() > py.abs() => (px, 0.0),
            true => (0.0, py),
        })
    }

    /// Whether the pointer holds this shape, or one that moves with it.
    pub(super) fn drags(&self, level: &Level, shape: usize) -> bool {
        self.drag.as_ref().is_some_and(|d| level.mover(d.shape) == level.mover(shape))
    }

    /// The cursor, while keys are used.
    pub(super) fn shown_cursor(&self) -> Option<Cell> {
        self.cursor.filter(|_| self.by_keys)
    }

    /// Whether the pointer is over this shape or one that moves with it.
    pub(super) fn hovers(&self, level: &Level, state: Option<&State>, shape: usize) -> bool {
        let (Some(at), Some(state)) = (self.hover, state) else { return false };
        level.members(shape).flat_map(|m| rules::cells(level, state, m)).any(|c| c == at)
    }

    /// The member of a tandem that keeps it from moving, and the cell that it cannot enter.
    pub(super) fn stopped(&self) -> Option<(usize, Cell)> {
        self.stopped
    }
}

pub(super) fn input(level: &Level, state: &State, ui: &mut Ui, input: &Input) -> Reaction<Step> {
    if ui.selected.is_some_and(|s| !on_board(state, s)) {
        ui.selected = None;
    }
    if ui.drag.as_ref().is_some_and(|d| !on_board(state, d.shape)) {
        ui.drag = None;
    }
    if !matches!(input, Input::Hover(_)) {
        ui.stopped = None;
    }
    match input {
        Input::Hover(at) => hover(level, ui, *at),
        Input::Press(at) => press(level, state, ui, *at),
        Input::Drag(to) => drag(level, state, ui, *to),
        Input::Release(at) => release(level, state, ui, *at),
        Input::Wheel(_) => Reaction::ignored(),
        Input::Key(key) => {
            let reaction = self::key(level, state, ui, *key);
            if reaction.used {
                ui.by_keys = true;
                ui.hover = None;
            }
            reaction
        }
    }
}

fn on_board(state: &State, shape: usize) -> bool {
    state.shift.get(shape).copied().flatten().is_some()
}

fn locked(level: &Level, state: &State, shape: usize) -> Option<Reaction<Step>> {
    let waits = rules::waits_for(level, state, shape);
    let words = || format!("the {} is locked: {}", level.mover_name(shape), more_cats(waits));
    (waits > 0).then(|| Reaction::say(words()).nudged(Nudge::shake(level.mover(shape))))
}

/// What stops a tandem, where the player may not see it: it may be far from the member in hand.
fn stopped(level: &Level, state: &State, step: Step) -> Option<(usize, Cell)> {
    rules::stopped(level, state, step).filter(|(member, _)| level.members(*member).count() > 1)
}

// ------------------------------------------------------------------------------------------------------------------- the pointer

fn hover(level: &Level, ui: &mut Ui, at: Option<Point>) -> Reaction<Step> {
    let at = at.map(Point::cell).filter(|c| level.size().contains(*c));
    let changed = ui.hover != at;
    ui.hover = at;
    if changed { Reaction::used() } else { Reaction::ignored() }
}

fn press(level: &Level, state: &State, ui: &mut Ui, at: Point) -> Reaction<Step> {
    ui.by_keys = false;
    ui.drag = None;
    let c = at.cell();
    if level.size().contains(c) {
        ui.cursor = Some(c);
    }
    let Some(shape) = rules::shape_at(level, state, c).filter(|_| Cats::status(level, state) == Status::Playing) else {
        // Nothing to take: what was selected is let go, and otherwise the press is the window's.
        return if ui.selected.take().is_some() { Reaction::used() } else { Reaction::ignored() };
    };
    let shape = level.mover(shape);
    if let Some(words) = locked(level, state, shape) {
        ui.selected = None;
        return words;
    }
    if ui.selected != Some(shape) {
        ui.selected = None;
    }
    let (dx, dy) = state.shift.get(shape).copied().flatten().unwrap_or_default();
    let middle = Point::middle(c);
    let lift = point(middle.x - at.x, middle.y - at.y);
    ui.drag = Some(Drag { shape, grip: (c.x - dx, c.y - dy), lift, last: middle, moved: false });
    Reaction::used()
}

fn drag(level: &Level, state: &State, ui: &mut Ui, to: Point) -> Reaction<Step> {
    let Some(held) = &mut ui.drag else { return Reaction::ignored() };
    let to = to.shift(held.lift.x, held.lift.y);
    let cells = crossed(held.last, to);
    held.last = to;
    if cells.is_empty() {
        return Reaction::used();
    }
    held.moved = true;
    ui.selected = None;
    let (shape, grip) = (held.shape, held.grip);
    let mut now = state.clone();
    let mut steps = Vec::new();
    for c in cells {
        let target = (c.x.saturating_sub(grip.0), c.y.saturating_sub(grip.1));
        for dir in way(level, &now, shape, target) {
            let step = Step { shape, dir };
            if Cats::play(level, &mut now, &step).is_err() {
                break;
            }
            steps.push(step);
        }
        if !on_board(&now, shape) || Cats::status(level, &now) != Status::Playing {
            // It has left, or the level is won: there is nothing to hold any more.
            ui.drag = None;
            break;
        }
        ui.stopped = towards(&now, shape, target).and_then(|dir| stopped(level, &now, Step { shape, dir }));
    }
    ui.cursor = Some(to.cell()).filter(|c| level.size().contains(*c)).or(ui.cursor);
    Reaction::moves(steps)
}

fn release(level: &Level, state: &State, ui: &mut Ui, at: Point) -> Reaction<Step> {
    let mut moves = drag(level, state, ui, at);
    let mut end = state.clone();
    let made = moves.moves.iter().all(|step| Cats::play(level, &mut end, step).is_ok());
    let hangs =
        ui.drag.as_ref().filter(|_| made).and_then(|d| Some((level.mover(d.shape), ui.pulled(level, &end, d.shape)?)));
    let Some(held) = ui.drag.take() else { return moves };
    if let Some((piece, (x, y))) = hangs {
        moves = moves.nudged(Nudge { piece, kind: NudgeKind::Settle(x, y) });
    }
    if !held.moved {
        // A click selects, or lets go again.
        ui.selected = if ui.selected == Some(held.shape) { None } else { Some(held.shape) };
    }
    moves
}

/// The way of a shape to a place, empty if there is none. The search is asked only if the place is free and more than a step away.
fn way(level: &Level, state: &State, shape: usize, to: (i16, i16)) -> Vec<Dir> {
    let Some(Some(from)) = state.shift.get(shape) else { return Vec::new() };
    for dir in Dir::ALL {
        let (dx, dy) = dir.delta();
        if (from.0 + dx, from.1 + dy) == to && rules::check(level, state, Step { shape, dir }).is_ok() {
            return vec![dir];
        }
    }
    if *from == to || !has_room(level, state, shape, to) {
        return Vec::new();
    }
    rules::way(level, state, shape, to).unwrap_or_default()
}

/// The direction in which a place is furthest away, if the shape is not there.
fn towards(state: &State, shape: usize, to: (i16, i16)) -> Option<Dir> {
    let from = state.shift.get(shape).copied().flatten()?;
    let (dx, dy) = (i32::from(to.0) - i32::from(from.0), i32::from(to.1) - i32::from(from.1));
    let along = |dir: &Dir| {
        let (x, y) = dir.delta();
        i32::from(x) * dx + i32::from(y) * dy
    };
    Dir::ALL.into_iter().max_by_key(along).filter(|dir| along(dir) > 0)
}

/// Whether the shape, and what moves with it, could stand at a place at all.
fn has_room(level: &Level, state: &State, shape: usize, (dx, dy): (i16, i16)) -> bool {
    let mover = level.mover(shape);
    level.members(shape).filter_map(|m| level.shapes.get(m)).all(|moved| {
        moved.cells.iter().all(|c| {
            let c = Cell { x: c.x.saturating_add(dx), y: c.y.saturating_add(dy) };
            level.ground.get(c) == Some(&Ground::Floor)
                && rules::shape_at(level, state, c).is_none_or(|other| level.mover(other) == mover)
                && rules::cat_at(level, state, c).is_none_or(|k| level.cats[k].colour == moved.colour)
        })
    })
}

/// The cells that a straight line enters, in order, without the one it begins in.
fn crossed(from: Point, to: Point) -> Vec<Cell> {
    /// Nearer than this to a corner is through it.
    const CORNER: f32 = 1e-3;
    let (mut at, end) = (from.cell(), to.cell());
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = from.distance(to);
    let mut cells = Vec::new();
    // How far along the line the next border lies; a coordinate that has arrived has none.
    let border = |here: i16, end: i16, start: f32, delta: f32| match end.cmp(&here) {
        std::cmp::Ordering::Equal => f32::INFINITY,
        std::cmp::Ordering::Greater => (f32::from(here) + 1.0 - start) / delta * length,
        std::cmp::Ordering::Less => (f32::from(here) - start) / delta * length,
    };
    while at != end {
        let (x, y) = (border(at.x, end.x, from.x, dx), border(at.y, end.y, from.y, dy));
        // Each step leads towards the end, whatever odd numbers a pointer may bring.
        let ahead = if (x - y).is_nan() { 0.0 } else { x - y };
        if ahead <= CORNER {
            at.x += end.x.cmp(&at.x) as i16;
        }
        if ahead >= -CORNER {
            at.y += end.y.cmp(&at.y) as i16;
        }
        cells.push(at);
    }
    cells
}

// ---------------------------------------------------------------------------------------------------------------------- the keys

fn key(level: &Level, state: &State, ui: &mut Ui, key: Key) -> Reaction<Step> {
    match key {
        Key::Dir(dir) => match ui.selected {
            Some(shape) => push(level, state, ui, shape, dir),
            None => {
                // Where there is nothing to choose from, the first key moves it.
                if let Some(shape) = only_one(level, state).filter(|_| !ui.by_keys) {
                    ui.cursor = home(level, state);
                    ui.selected = Some(shape);
                    return push(level, state, ui, shape, dir);
                }
                if let Some(c) = ui.cursor {
                    ui.cursor = Some(c.step(dir)).filter(|c| level.size().contains(*c)).or(Some(c));
                    return Reaction::used();
                }
                ui.cursor = on_side(level, state, dir).or_else(|| home(level, state));
                let shape = ui.cursor.and_then(|c| rules::shape_at(level, state, c));
                let words = |i| format!("Space picks up the {}, then the arrows move it", level.mover_name(i));
                Reaction { say: shape.map(words), ..Reaction::used() }
            }
        },
        Key::Activate => act(level, state, ui),
        Key::Cancel => {
            let held = ui.drag.take().is_some() | ui.selected.take().is_some();
            if held { Reaction::used() } else { Reaction::ignored() }
        }
        Key::Next(forward) => {
            let here = ui.cursor.and_then(|c| rules::shape_at(level, state, c));
            ui.selected = None;
            if let Some(c) = next_shape(level, state, here, forward) {
                ui.cursor = Some(c);
            }
            Reaction::used()
        }
        Key::Turn(_) | Key::Mirror | Key::Char(_) => Reaction::ignored(),
    }
}

/// The shape, or the first of a tandem, if no other is on the board.
fn only_one(level: &Level, state: &State) -> Option<usize> {
    let on_board = (0..level.shapes.len()).filter(|i| rules::cells(level, state, *i).next().is_some());
    let mut movers = on_board.map(|i| level.mover(i));
    let first = movers.next()?;
    movers.all(|m| m == first).then_some(first)
}

/// The shape on the side of the board that the first key says: the one nearest to the cell beside the middle.
fn on_side(level: &Level, state: &State, dir: Dir) -> Option<Cell> {
    let size = level.size();
    let beside = Cell { x: (size.w / 2) as i16, y: (size.h / 2) as i16 }.step(dir);
    let cells = (0..level.shapes.len()).flat_map(|i| rules::cells(level, state, i));
    cells.min_by_key(|c| c.distance(beside))
}

/// Where the cursor appears: on the first shape, or else on the first floor.
fn home(level: &Level, state: &State) -> Option<Cell> {
    let floor = || level.ground.iter().find(|(_, g)| **g == Ground::Floor).map(|(c, _)| c);
    next_shape(level, state, None, true).or_else(floor)
}

/// The first cell of the shape before or after one.
fn next_shape(level: &Level, state: &State, here: Option<usize>, forward: bool) -> Option<Cell> {
    let n = level.shapes.len();
    let order = (1..=n).map(|k| match (here, forward) {
        (Some(i), true) => (i + k) % n,
        (Some(i), false) => (i + n - k) % n,
        (None, true) => k - 1,
        (None, false) => n - k,
    });
    order.filter_map(|i| rules::cells(level, state, i).next()).next()
}

fn push(level: &Level, state: &State, ui: &mut Ui, shape: usize, dir: Dir) -> Reaction<Step> {
    let step = Step { shape, dir };
    if let Err(refusal) = rules::check(level, state, step) {
        ui.stopped = stopped(level, state, step);
        return Reaction::say(refusal.text).nudged(Nudge::bump(level.mover(shape), dir));
    }
    // The cursor rides on the shape, also after an undo has moved the shape from under it.
    let mut cells = rules::cells(level, state, shape);
    let on_it = |c: &Cell| rules::shape_at(level, state, *c).is_some_and(|s| level.mover(s) == shape);
    let grip = ui.cursor.filter(on_it).or_else(|| cells.next());
    ui.cursor = grip.map(|c| c.step(dir));
    Reaction::moves(vec![step])
}

fn act(level: &Level, state: &State, ui: &mut Ui) -> Reaction<Step> {
    if ui.selected.take().is_some() {
        return Reaction::used();
    }
    let Some(c) = ui.cursor else {
        ui.cursor = home(level, state);
        return Reaction::used();
    };
    let Some(shape) = rules::shape_at(level, state, c) else { return Reaction::say("there is no shape here") };
    if let Some(words) = locked(level, state, shape) {
        return words;
    }
    ui.selected = Some(level.mover(shape));
    Reaction::used()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{grid::cell, picture::point};

    #[test]
    fn a_line_enters_every_cell_on_its_way_and_corners_straight_across() {
        assert_eq!(crossed(point(0.5, 0.5), point(0.9, 0.1)), []);
        assert_eq!(crossed(point(0.5, 0.5), point(2.5, 0.5)), [cell(1, 0), cell(2, 0)]);
        assert_eq!(crossed(point(0.5, 0.5), point(2.5, 2.5)), [cell(1, 1), cell(2, 2)]);
        assert_eq!(crossed(point(0.5, 0.4), point(1.5, 1.4)), [cell(1, 0), cell(1, 1)]);
        assert_eq!(crossed(point(1.0, 1.0), point(0.5, 0.9)), [cell(0, 0)]);
    }

    #[test]
    fn a_wild_pointer_ends_somewhere() {
        for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30, -7.3] {
            for y in [f32::NAN, f32::INFINITY, -1e30, 3.0] {
                crossed(point(0.5, 0.5), point(x, y));
                crossed(point(x, y), point(0.5, 0.5));
            }
        }
    }
}
