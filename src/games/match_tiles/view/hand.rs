//! The tile in hand: how pointer and keys become the path of a drag.
//!
//! **The pointer** is sampled now and then; between two samples it is taken to have gone straight, and every cell on that line is passed. A
//! hand that means to go diagonally clips the corners of the cells beside its way, so a cell is not passed while the pointer has only
//! been within [`CORNER`] of a corner which it shares with the cell before: the round corner of a tile is not the tile. Off the board
//! the pointer passes nothing, and where it comes back, the path goes on.
//!
//! **Keys** walk the tile a king's step at a time, also through a ring of places around the board, from where it can come back anywhere
//! on the rim.

use super::super::{
    Drag, State,
    board::{Board, Mask, bit, bits, first, king},
    rules,
};
use crate::{
    game::{Input, Key, Nudge, Reaction, Status},
    grid::{Cell, Size},
    picture::{Point, point},
};

/// How near to a common corner a pointer only grazes a cell.
const CORNER: f32 = 0.2;

/// Pointers farther off than this (in cells) are taken to be here.
const FAR: f32 = 10_000.0;

/// Cursor, hover, the tile in hand.
#[derive(Clone, Debug, Default)]
pub struct Ui {
    /// The tile in hand, with its path so far.
    pub(super) hold: Option<Hold>,
    /// The keyboard's cursor, once keys have been used.
    pub(super) cursor: Option<Cell>,
    /// The cell under the pointer.
    pub(super) hover: Option<Cell>,
    /// The last path that was drawn by hand: it has been seen and is not shown again.
    pub(super) made: Option<Vec<Cell>>,
}

/// A tile in hand.
#[derive(Clone, Debug)]
pub(super) struct Hold {
    /// The cells passed so far; the first is that of the tile. All are on the board.
    pub path: Vec<Cell>,
    /// Where the tile is.
    pub at: Point,
    /// Whether it is off the board.
    off: bool,
    /// A cell that was only grazed so far, and the corner.
    grazed: Option<(Cell, Point)>,
    /// Whether keys move it.
    keys: bool,
}

impl Hold {
    fn new(from: Cell, at: Point, keys: bool) -> Hold {
        Hold { path: vec![from], at, off: false, grazed: None, keys }
    }

    fn last(&self) -> Cell {
        self.path[self.path.len() - 1]
    }

    fn push(&mut self, c: Cell) {
        (self.off, self.grazed) = (false, None);
        if c != self.last() {
            self.path.push(c);
        }
    }

    /// The pointer goes straight to a point.
    fn move_to(&mut self, size: Size, to: Point) {
        if !(to.x.is_finite() && to.y.is_finite()) {
            return;
        }
        let to = point(to.x.clamp(-FAR, FAR), to.y.clamp(-FAR, FAR));
        // Only the part of the line near the board is walked: beyond a margin there is nothing to pass.
        if let Some((a, b)) = clipped(size, self.at, to) {
            for piece in pieces(a, b) {
                self.pass(size, piece);
            }
        }
        self.at = to;
    }

    fn pass(&mut self, size: Size, Piece { cell, enter, leave }: Piece) {
        if !size.contains(cell) {
            (self.off, self.grazed) = (true, None);
        } else if self.off || cell == self.last() {
            self.push(cell);
        } else if let Some((c, corner)) = self.grazed.filter(|g| g.0 == cell) {
            if leave.distance(corner) > CORNER {
                self.push(c);
            }
        } else {
            let corner = point(enter.x.round(), enter.y.round());
            let beside = cell.distance(self.last()) == 1;
            if beside && enter.distance(corner) <= CORNER && leave.distance(corner) <= CORNER {
                self.grazed = Some((cell, corner));
                return;
            }
            // A line through a grazed cell comes out next to the cell before it; should it not, the grazed cell was passed.
            if let Some((c, _)) = self.grazed.filter(|_| king(cell, self.last()) > 1) {
                self.push(c);
            }
            self.push(cell);
        }
    }

    /// The tile is walked by a key.
    fn step(&mut self, size: Size, (dx, dy): (i16, i16)) {
        let to = self.at.cell().offset(dx, dy);
        let ring = Size::new(size.w + 2, size.h + 2);
        if !ring.contains(to.offset(1, 1)) {
            return;
        }
        if size.contains(to) {
            self.push(to);
        } else {
            self.off = true;
        }
        self.at = Point::middle(to);
    }

    /// What it has passed and matches, as long as it belongs to this board.
    pub fn passed(&self, board: &Board, alive: Mask) -> Mask {
        if self.fits(board, alive) { rules::passed(board, alive, &self.path) } else { 0 }
    }

    /// Whether the tile and its path are there on this board.
    pub fn fits(&self, board: &Board, alive: Mask) -> bool {
        self.path.iter().all(|c| board.size.contains(*c)) && alive & bit(self.path[0]) != 0
    }
}

/// The part of a line that lies on the board or in the cells around it.
fn clipped(size: Size, from: Point, to: Point) -> Option<(Point, Point)> {
    let (mut first, mut last) = (0.0f32, 1.0f32);
    for (a, d, most) in [(from.x, to.x - from.x, size.w), (from.y, to.y - from.y, size.h)] {
        let (low, high) = (-1.0 - a, f32::from(most) + 1.0 - a);
        if d == 0.0 {
            if low > 0.0 || high < 0.0 {
                return None;
            }
            continue;
        }
        let (s, t) = (low / d, high / d);
        (first, last) = (first.max(s.min(t)), last.min(s.max(t)));
    }
    (first <= last).then(|| (from.towards(to, first), from.towards(to, last)))
}

/// A part of a straight line that lies in one cell.
struct Piece {
    cell: Cell,
    enter: Point,
    leave: Point,
}

/// The cells along a straight line, the first one too. A line exactly through a corner goes over diagonally.
fn pieces(from: Point, to: Point) -> Vec<Piece> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let mut cell = from.cell();
    let mut enter = from;
    let mut list = Vec::new();
    // How far along the line (0 to 1) the next upright and the next level grid line are.
    let next = |at: i16, d: f32, from: f32| match d {
        d if d > 0.0 => (f32::from(at) + 1.0 - from) / d,
        d if d < 0.0 => (f32::from(at) - from) / d,
        _ => f32::INFINITY,
    };
    loop {
        let (tx, ty) = (next(cell.x, dx, from.x), next(cell.y, dy, from.y));
        let t = tx.min(ty);
        // Both ends lie within a small area, so the line crosses few grid lines; the count is a rail for rounding.
        if t >= 1.0 || cell == to.cell() || list.len() > 64 {
            list.push(Piece { cell, enter, leave: to });
            return list;
        }
        let leave = from.towards(to, t);
        list.push(Piece { cell, enter, leave });
        if tx - t < 1e-5 {
            cell.x += if dx > 0.0 { 1 } else { -1 };
        }
        if ty - t < 1e-5 {
            cell.y += if dy > 0.0 { 1 } else { -1 };
        }
        enter = leave;
    }
}

/// The step of a key that walks.
fn walk(key: Key) -> Option<(i16, i16)> {
    match key {
        Key::Dir(d) => Some(d.delta()),
        Key::Char(c) => match c.to_ascii_lowercase() {
            'q' => Some((-1, -1)),
            'e' => Some((1, -1)),
            'z' => Some((-1, 1)),
            'c' => Some((1, 1)),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn input(board: &Board, state: &State, ui: &mut Ui, input: &Input) -> Reaction<Drag> {
    // A tile in hand that is no longer there (undo in the middle of a drag) is let go.
    if ui.hold.as_ref().is_some_and(|h| !h.fits(board, state.alive)) {
        ui.hold = None;
    }
    match *input {
        Input::Hover(at) => {
            ui.hover = at.map(Point::cell).filter(|c| board.size.contains(*c));
            Reaction::ignored()
        }
        Input::Press(at) => press(board, state, ui, at),
        Input::Drag(at) => match ui.hold.as_mut().filter(|h| !h.keys) {
            Some(hold) => {
                hold.move_to(board.size, at);
                Reaction::used()
            }
            None => Reaction::ignored(),
        },
        Input::Release(at) => match ui.hold.take_if(|h| !h.keys) {
            Some(mut hold) => {
                hold.move_to(board.size, at);
                release(board, state, ui, hold)
            }
            None => Reaction::ignored(),
        },
        Input::Wheel(_) => Reaction::ignored(),
        Input::Key(key) => press_key(board, state, ui, key),
    }
}

fn press(board: &Board, state: &State, ui: &mut Ui, at: Point) -> Reaction<Drag> {
    let c = at.cell();
    (ui.cursor, ui.hold) = (None, None);
    if !(at.x.is_finite() && at.y.is_finite() && board.size.contains(c)) || state.alive & bit(c) == 0 {
        return Reaction::ignored();
    }
    if rules::status_of(board, state.alive) != Status::Playing {
        return Reaction::say(OVER);
    }
    ui.hold = Some(Hold::new(c, at, false));
    Reaction::used()
}

const OVER: &str = "a tile is stranded: take a drag back, or start again";

fn release(board: &Board, state: &State, ui: &mut Ui, hold: Hold) -> Reaction<Drag> {
    match rules::removed(board, state.alive, &hold.path) {
        Ok(_) => {
            ui.made = Some(hold.path.clone());
            Reaction::moves(vec![Drag(hold.path)])
        }
        Err(_) if hold.path.len() == 1 => Reaction::used(),
        Err(refusal) => Reaction::say(refusal.text).nudged(Nudge::shake(board.size.index(hold.path[0]))),
    }
}

fn press_key(board: &Board, state: &State, ui: &mut Ui, key: Key) -> Reaction<Drag> {
    // Without a tile in hand the letters are the window's (Z is undo).
    let letter = matches!(key, Key::Char(_));
    if let Some(step) = walk(key).filter(|_| !letter || ui.hold.is_some()) {
        match &mut ui.hold {
            Some(hold) if hold.keys => {
                hold.step(board.size, step);
                ui.cursor = Some(hold.at.cell());
            }
            Some(_) => return Reaction::ignored(),
            None => {
                // It appears on a tile, on the side of the board that the key says.
                let next = match ui.cursor {
                    Some(c) => c.offset(step.0, step.1),
                    None => nearest(state.alive, middle(board.size).offset(step.0, step.1)),
                };
                if board.size.contains(next) {
                    ui.cursor = Some(next);
                }
            }
        }
        return Reaction::used();
    }
    match key {
        Key::Activate => match ui.hold.take() {
            Some(hold) => {
                ui.cursor = Some(hold.last());
                release(board, state, ui, hold)
            }
            None => pick_up(board, state, ui),
        },
        Key::Cancel => match ui.hold.take() {
            Some(hold) => {
                ui.cursor = hold.keys.then(|| hold.path[0]);
                Reaction::used()
            }
            None => Reaction::ignored(),
        },
        Key::Next(forward) if ui.hold.is_none() => {
            ui.cursor = next_tile(board, state.alive, ui.cursor, forward);
            Reaction::used()
        }
        _ => Reaction::ignored(),
    }
}

fn middle(size: Size) -> Cell {
    Cell { x: (size.w / 2) as i16, y: (size.h / 2) as i16 }
}

/// The living tile that is nearest to a cell, or the cell if there is none.
fn nearest(alive: Mask, to: Cell) -> Cell {
    bits(alive).map(first).min_by_key(|c| c.distance(to)).unwrap_or(to)
}

fn pick_up(board: &Board, state: &State, ui: &mut Ui) -> Reaction<Drag> {
    let Some(c) = ui.cursor else {
        ui.cursor = Some(nearest(state.alive, middle(board.size)));
        return Reaction::used();
    };
    if !board.size.contains(c) || state.alive & bit(c) == 0 {
        return Reaction::say("there is no tile to pick up here");
    }
    if rules::status_of(board, state.alive) != Status::Playing {
        return Reaction::say(OVER);
    }
    ui.hold = Some(Hold::new(c, Point::middle(c), true));
    Reaction::used()
}

/// The next living tile after the cursor, row by row, beginning again at the end; or the one before.
fn next_tile(board: &Board, alive: Mask, cursor: Option<Cell>, forward: bool) -> Option<Cell> {
    let tiles: Vec<Cell> = bits(alive).map(first).collect();
    let place = |c: Cell| (c.y, c.x);
    let here = cursor.filter(|c| board.size.contains(*c)).map(place);
    let (first, last) = (tiles.first().copied(), tiles.last().copied());
    match here {
        None => first,
        Some(here) if forward => tiles.iter().copied().find(|c| place(*c) > here).or(first),
        Some(here) => tiles.iter().copied().rev().find(|c| place(*c) < here).or(last),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{Rules as _, View as _},
        games::match_tiles::{
            Match,
            level::{Level, from_rows},
        },
        grid::{Dir, cell},
    };

    const ROWS: [&str; 3] = ["o1 b2 o3", "g1 g2 o2", "y1 y4 y5"];

    fn level(rows: &[&str]) -> Level {
        from_rows(&rows.iter().map(|r| r.to_string()).collect::<Vec<_>>()).unwrap()
    }

    /// What comes of a press, some samples of the pointer, and a release at the last one.
    fn drawn(l: &Level, points: &[(f32, f32)]) -> Option<String> {
        let state = Match::arrange(l).unwrap();
        let mut ui = Ui::default();
        let p = |i: usize| point(points[i].0, points[i].1);
        Match::input(l, &state, &mut ui, &Input::Press(p(0)));
        for i in 1..points.len() {
            Match::input(l, &state, &mut ui, &Input::Drag(p(i)));
        }
        let reaction = Match::input(l, &state, &mut ui, &Input::Release(p(points.len() - 1)));
        assert!(ui.hold.is_none());
        reaction.moves.first().map(rules::write)
    }

    fn keyed(l: &Level, ui: &mut Ui, keys: &[Key]) -> Vec<Reaction<Drag>> {
        let state = Match::arrange(l).unwrap();
        keys.iter().map(|k| Match::input(l, &state, ui, &Input::Key(*k))).collect()
    }

    #[test]
    fn no_cell_between_two_samples_is_skipped() {
        let l = level(&ROWS);
        assert_eq!(drawn(&l, &[(0.5, 0.5), (2.5, 0.5)]).as_deref(), Some("a1-c1"));
        assert_eq!(drawn(&l, &[(0.5, 0.5), (2.5, 1.5)]).as_deref(), Some("a1-b1-b2-c2"));
        assert_eq!(drawn(&l, &[(0.5, 0.5), (0.5, 2.5), (2.5, 2.5)]).as_deref(), Some("a1-a3-c3"));
    }

    #[test]
    fn the_corner_of_a_cell_is_only_grazed() {
        let l = level(&["o1 b2 g2", "g3 o3 b3", "y1 y1 y1"]);
        assert_eq!(drawn(&l, &[(0.5, 0.5), (1.5, 1.5)]).as_deref(), Some("a1-b2"), "exactly through the corner");
        assert_eq!(drawn(&l, &[(0.5, 0.5), (1.4, 1.55)]).as_deref(), Some("a1-b2"), "a little off it");
        assert_eq!(
            drawn(&l, &[(0.5, 0.5), (0.9, 0.95), (1.05, 0.96), (1.06, 1.06), (1.5, 1.5)]).as_deref(),
            Some("a1-b2"),
            "in several samples"
        );
        assert_eq!(drawn(&l, &[(0.5, 0.5), (1.5, 0.6), (1.5, 1.5)]).as_deref(), Some("a1-b1-b2"), "not the corner");
        assert_eq!(drawn(&l, &[(0.5, 0.5), (1.1, 0.95)]), None, "released on the corner");
    }

    #[test]
    fn the_pointer_leaves_the_board_and_comes_back_elsewhere() {
        let l = level(&ROWS);
        assert_eq!(drawn(&l, &[(0.5, 0.5), (-0.7, 0.5), (-0.7, 2.5), (0.5, 2.5)]).as_deref(), Some("a1~a3"));
        assert_eq!(
            drawn(&l, &[(0.5, 0.5), (0.5, -900.0), (3.5, -5.0), (3.5, 1.5), (2.5, 1.5)]).as_deref(),
            Some("a1~c2")
        );
        assert_eq!(
            drawn(&l, &[(0.5, 0.5), (0.5, -900.0), (3.5, -5.0), (3.5, 0.5), (2.5, 0.5)]).as_deref(),
            Some("a1~c1")
        );
        assert_eq!(drawn(&l, &[(0.5, 0.5), (f32::NAN, f32::INFINITY), (0.5, 1.5)]).as_deref(), Some("a1-a2"));
        assert_eq!(drawn(&l, &[(0.5, 0.5), (1e30, -1e30), (2.5, -2.0), (2.5, 0.5)]).as_deref(), Some("a1~c1"));
        let fast = drawn(&l, &[(0.5, 2.5), (90.5, 2.5), (-90.0, 0.5), (0.5, 0.5)]);
        assert_eq!(fast.as_deref(), Some("a3-c3-c2-a2-a1"), "samples far apart: straight lines all the same");
    }

    #[test]
    fn a_drag_that_matches_nothing_says_so_and_a_click_is_silent() {
        let l = level(&ROWS);
        let state = Match::arrange(&l).unwrap();
        let mut ui = Ui::default();
        let p = Point::middle(cell(0, 0));
        Match::input(&l, &state, &mut ui, &Input::Press(p));
        let r = Match::input(&l, &state, &mut ui, &Input::Release(p));
        assert!(r.moves.is_empty() && r.say.is_none());
        Match::input(&l, &state, &mut ui, &Input::Press(p));
        let r = Match::input(&l, &state, &mut ui, &Input::Release(Point::middle(cell(1, 0))));
        assert!(r.moves.is_empty() && r.say.unwrap().contains("orange 1"));
    }

    #[test]
    fn keys_pick_up_walk_and_let_go() {
        let l = level(&ROWS);
        let mut ui = Ui { cursor: Some(cell(0, 0)), ..Ui::default() };
        use Key::{Activate, Cancel, Char};
        let right = Key::Dir(Dir::Right);
        let last = keyed(&l, &mut ui, &[Activate, right, right, Activate]).pop().unwrap();
        assert_eq!(last.moves.first().map(rules::write).as_deref(), Some("a1-c1"));
        let mut ui = Ui { cursor: Some(cell(0, 0)), ..Ui::default() };
        let last = keyed(&l, &mut ui, &[Activate, Char('c'), Char('E'), Activate]).pop().unwrap();
        assert_eq!(last.moves.first().map(rules::write).as_deref(), Some("a1-b2-c1"));
        let mut ui = Ui { cursor: Some(cell(0, 0)), ..Ui::default() };
        let up = Key::Dir(Dir::Up);
        let down = Key::Dir(Dir::Down);
        let last = keyed(&l, &mut ui, &[Activate, up, up, right, right, down, Activate]).pop().unwrap();
        assert_eq!(last.moves.first().map(rules::write).as_deref(), Some("a1~c1"), "around the outside");
        let all = keyed(&l, &mut ui, &[Activate, right, Cancel, Cancel]);
        assert!(ui.hold.is_none() && all.iter().all(|r| r.moves.is_empty()));
        assert!(all[2].used && !all[3].used);
    }

    #[test]
    fn tab_goes_round_the_living_tiles() {
        let l = level(&["o1 ..", ".. o2"]);
        let mut ui = Ui::default();
        for expected in [cell(0, 0), cell(1, 1), cell(0, 0)] {
            keyed(&l, &mut ui, &[Key::Next(true)]);
            assert_eq!(ui.cursor, Some(expected));
        }
        keyed(&l, &mut ui, &[Key::Next(false)]);
        assert_eq!(ui.cursor, Some(cell(1, 1)));
    }

    #[test]
    fn the_first_arrow_brings_up_the_cursor_on_a_tile() {
        let l = level(&["o1 .. ..", ".. .. ..", ".. .. o2"]);
        for (dir, tile) in [(Dir::Left, cell(0, 0)), (Dir::Right, cell(2, 2)), (Dir::Down, cell(2, 2))] {
            let mut ui = Ui::default();
            keyed(&l, &mut ui, &[Key::Dir(dir)]);
            assert_eq!(ui.cursor, Some(tile));
        }
        let mut ui = Ui::default();
        keyed(&l, &mut ui, &[Key::Activate]);
        assert!(ui.cursor.is_some_and(|c| [cell(0, 0), cell(2, 2)].contains(&c)));
    }

    #[test]
    fn every_path_of_a_wild_pointer_is_legal() {
        use rand::RngExt as _;
        let mut rng = crate::game::rng(9);
        let l = level(&["o1 o1 o1 o1", "o1 o1 o1 o1", "o1 o1 o1 o1", "o1 o1 o1 o1"]);
        let state = Match::arrange(&l).unwrap();
        for _ in 0..3_000 {
            let mut ui = Ui::default();
            let mut p = point(rng.random_range(0.0..4.0), rng.random_range(0.0..4.0));
            Match::input(&l, &state, &mut ui, &Input::Press(p));
            let wild = rng.random_range(0.05..3.0);
            for _ in 0..40 {
                p = p.shift(rng.random_range(-wild..wild), rng.random_range(-wild..wild));
                p = point(p.x.clamp(-3.0, 7.0), p.y.clamp(-3.0, 7.0));
                Match::input(&l, &state, &mut ui, &Input::Drag(p));
            }
            let path = ui.hold.as_ref().unwrap().path.clone();
            let r = Match::input(&l, &state, &mut ui, &Input::Release(p));
            assert!(path.len() < 2 || r.moves.len() == 1, "{path:?} {:?}", r.say);
        }
    }
}
