//! Cells, directions, the eight symmetries of a rectangle, and a rectangular table.
//!
//! `x` grows to the right and `y` downwards, both from 0. A [`Cell`] is signed so that a step off the board is a value like any
//! other and [`Size::contains`] is the one place that says what is on it. A [`Spot`] is what a problem, a hint or a brush points
//! at: a cell, or a numbered part of one (the triangles of Shards).

use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};

/// One square of a board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Cell {
    /// Column, from 0 at the left.
    pub x: i16,
    /// Row, from 0 at the top.
    pub y: i16,
}

/// Short for `Cell { x, y }`.
pub const fn cell(x: i16, y: i16) -> Cell {
    Cell { x, y }
}

impl Cell {
    /// The neighbour one step away; it may lie off the board.
    pub const fn step(self, dir: Dir) -> Cell {
        let (dx, dy) = dir.delta();
        self.offset(dx, dy)
    }

    /// This cell moved by an offset. Wild numbers from outside stop at the edge of what can be counted, which is off every board.
    pub const fn offset(self, dx: i16, dy: i16) -> Cell {
        Cell { x: self.x.saturating_add(dx), y: self.y.saturating_add(dy) }
    }

    /// The four neighbours, in the order of [`Dir::ALL`].
    pub fn neighbours(self) -> [Cell; 4] {
        Dir::ALL.map(|d| self.step(d))
    }

    /// Steps between two cells on an empty board.
    pub fn distance(self, other: Cell) -> u32 {
        u32::from(self.x.abs_diff(other.x)) + u32::from(self.y.abs_diff(other.y))
    }

    /// "b3", as on the axes of a board: the column as a letter, after z aa, ab and so on; the row counted from 1.
    pub fn name(self) -> String {
        let mut column = String::new();
        let mut left = u32::try_from(self.x).unwrap_or(0) + 1;
        while left > 0 {
            column.insert(0, char::from(b'a' + ((left - 1) % 26) as u8));
            left = (left - 1) / 26;
        }
        format!("{column}{}", i32::from(self.y) + 1)
    }
}

/// A cell, or a numbered part of one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default, Serialize, Deserialize)]
pub struct Spot {
    /// The cell.
    pub cell: Cell,
    /// The part within the cell, for games whose cells are divided.
    pub part: Option<u8>,
}

impl Spot {
    /// As in JSON: x, y and, where there is one, the part.
    pub fn numbers(self) -> Vec<i32> {
        let cell = [i32::from(self.cell.x), i32::from(self.cell.y)];
        cell.into_iter().chain(self.part.map(i32::from)).collect()
    }
}

impl From<Cell> for Spot {
    fn from(cell: Cell) -> Spot {
        Spot { cell, part: None }
    }
}

/// A direction on the board. The order (up, right, down, left) is the order in which ties are broken everywhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Dir {
    /// Towards row 0.
    Up,
    /// Towards larger columns.
    Right,
    /// Towards larger rows.
    Down,
    /// Towards column 0.
    Left,
}

impl Dir {
    /// All four, in tie-breaking order.
    pub const ALL: [Dir; 4] = [Dir::Up, Dir::Right, Dir::Down, Dir::Left];

    /// The step as `(dx, dy)`.
    pub const fn delta(self) -> (i16, i16) {
        match self {
            Dir::Up => (0, -1),
            Dir::Right => (1, 0),
            Dir::Down => (0, 1),
            Dir::Left => (-1, 0),
        }
    }

    /// The way back.
    pub const fn opposite(self) -> Dir {
        match self {
            Dir::Up => Dir::Down,
            Dir::Right => Dir::Left,
            Dir::Down => Dir::Up,
            Dir::Left => Dir::Right,
        }
    }

    /// `U`, `R`, `D` or `L`.
    pub const fn letter(self) -> char {
        match self {
            Dir::Up => 'U',
            Dir::Right => 'R',
            Dir::Down => 'D',
            Dir::Left => 'L',
        }
    }

    /// The direction of a letter, in either case.
    pub const fn from_letter(letter: char) -> Option<Dir> {
        match letter.to_ascii_uppercase() {
            'U' => Some(Dir::Up),
            'R' => Some(Dir::Right),
            'D' => Some(Dir::Down),
            'L' => Some(Dir::Left),
            _ => None,
        }
    }

    /// "up", "right", "down" or "left".
    pub const fn name(self) -> &'static str {
        match self {
            Dir::Up => "up",
            Dir::Right => "right",
            Dir::Down => "down",
            Dir::Left => "left",
        }
    }

    /// An arrow pointing that way.
    pub const fn arrow(self) -> &'static str {
        match self {
            Dir::Up => "↑",
            Dir::Right => "→",
            Dir::Down => "↓",
            Dir::Left => "←",
        }
    }

    /// The direction of a step between two neighbouring cells.
    pub fn between(from: Cell, to: Cell) -> Option<Dir> {
        Dir::ALL.into_iter().find(|d| from.step(*d) == to)
    }
}

/// Width and height of a board, in cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Size {
    /// Columns.
    pub w: u16,
    /// Rows.
    pub h: u16,
}

impl Size {
    /// Short for `Size { w, h }`.
    pub const fn new(w: u16, h: u16) -> Size {
        Size { w, h }
    }

    /// How many cells there are.
    pub const fn area(self) -> usize {
        self.w as usize * self.h as usize
    }

    /// Whether a cell is on the board.
    pub const fn contains(self, c: Cell) -> bool {
        c.x >= 0 && c.y >= 0 && (c.x as u16) < self.w && (c.y as u16) < self.h
    }

    /// Row-major number of a cell on the board.
    pub const fn index(self, c: Cell) -> usize {
        c.y as usize * self.w as usize + c.x as usize
    }

    /// The cell with a row-major number.
    pub const fn cell(self, index: usize) -> Cell {
        Cell { x: (index % self.w as usize) as i16, y: (index / self.w as usize) as i16 }
    }

    /// All cells, row by row.
    pub fn cells(self) -> impl Iterator<Item = Cell> + Clone {
        (0..self.area()).map(move |i| self.cell(i))
    }
}

/// One of the eight symmetries of a square: mirror left-right first (or not), then turn clockwise by quarter turns.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct Sym {
    /// Mirror left and right before turning.
    pub mirror: bool,
    /// Clockwise quarter turns, 0 to 3.
    pub turns: u8,
}

impl Sym {
    /// Leaves everything as it is.
    pub const IDENTITY: Sym = Sym { mirror: false, turns: 0 };
    /// A quarter turn clockwise.
    pub const TURN: Sym = Sym { mirror: false, turns: 1 };
    /// Half a turn.
    pub const HALF: Sym = Sym { mirror: false, turns: 2 };
    /// Left and right exchanged.
    pub const FLIP_H: Sym = Sym { mirror: true, turns: 0 };
    /// Top and bottom exchanged.
    pub const FLIP_V: Sym = Sym { mirror: true, turns: 2 };
    /// Rows and columns exchanged (mirrored in the main diagonal).
    pub const TRANSPOSE: Sym = Sym { mirror: true, turns: 3 };
    /// All eight.
    pub const ALL: [Sym; 8] = [
        Sym::IDENTITY,
        Sym::TURN,
        Sym::HALF,
        Sym { mirror: false, turns: 3 },
        Sym::FLIP_H,
        Sym { mirror: true, turns: 1 },
        Sym::FLIP_V,
        Sym::TRANSPOSE,
    ];

    /// The size of a board after the symmetry.
    pub const fn size(self, size: Size) -> Size {
        if self.turns % 2 == 1 { Size { w: size.h, h: size.w } } else { size }
    }

    /// Where a cell of a board of the given (old) size goes.
    pub fn cell(self, c: Cell, size: Size) -> Cell {
        let (mut w, mut h) = (size.w as i16, size.h as i16);
        let mut c = if self.mirror { Cell { x: w - 1 - c.x, y: c.y } } else { c };
        for _ in 0..self.turns % 4 {
            c = Cell { x: h - 1 - c.y, y: c.x };
            (w, h) = (h, w);
        }
        c
    }

    /// Where a direction goes.
    pub fn dir(self, d: Dir) -> Dir {
        let i = d as usize;
        let i = if self.mirror { (4 - i) % 4 } else { i };
        Dir::ALL[(i + self.turns as usize) % 4]
    }

    /// An offset (a polyomino's cell, say) turned about the origin.
    pub fn offset(self, (dx, dy): (i16, i16)) -> (i16, i16) {
        let (mut x, mut y) = if self.mirror { (-dx, dy) } else { (dx, dy) };
        for _ in 0..self.turns % 4 {
            (x, y) = (-y, x);
        }
        (x, y)
    }

    /// First this one, then `next`.
    pub fn then(self, next: Sym) -> Sym {
        let turns = if next.mirror { (4 - self.turns % 4) % 4 } else { self.turns };
        Sym { mirror: self.mirror ^ next.mirror, turns: (turns + next.turns) % 4 }
    }

    /// The symmetry that undoes this one.
    pub fn inverse(self) -> Sym {
        if self.mirror { self } else { Sym { mirror: false, turns: (4 - self.turns % 4) % 4 } }
    }
}

/// A rectangular table with one value a cell.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Grid<T> {
    size: Size,
    items: Vec<T>,
}

impl<T> Grid<T> {
    /// A table filled by a function of the cell.
    pub fn from_fn(size: Size, f: impl FnMut(Cell) -> T) -> Grid<T> {
        Grid { size, items: size.cells().map(f).collect() }
    }

    /// Its size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The value at a cell, or nothing off the board.
    pub fn get(&self, c: Cell) -> Option<&T> {
        self.size.contains(c).then(|| &self.items[self.size.index(c)])
    }

    /// The value at a cell to change, or nothing off the board.
    pub fn get_mut(&mut self, c: Cell) -> Option<&mut T> {
        self.size.contains(c).then(|| &mut self.items[self.size.index(c)])
    }

    /// Cells with their values, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &T)> {
        self.size.cells().zip(&self.items)
    }

    /// The values, row by row.
    pub fn values(&self) -> &[T] {
        &self.items
    }
}

impl<T: Clone> Grid<T> {
    /// A table with the same value everywhere.
    pub fn filled(size: Size, value: T) -> Grid<T> {
        Grid { size, items: vec![value; size.area()] }
    }

    /// The table as a symmetry shows it. Values that hold directions must be turned by the caller.
    pub fn turned(&self, sym: Sym) -> Grid<T> {
        let back = sym.inverse();
        let size = sym.size(self.size);
        Grid::from_fn(size, |c| self[back.cell(c, size)].clone())
    }

    /// The table on a board of another size: old cell `c` lands on `c + (dx, dy)`, new cells get `fill`.
    pub fn resized(&self, size: Size, (dx, dy): (i16, i16), fill: T) -> Grid<T> {
        Grid::from_fn(size, |c| {
            self.get(c.offset(dx.saturating_neg(), dy.saturating_neg())).cloned().unwrap_or_else(|| fill.clone())
        })
    }
}

impl<T> Index<Cell> for Grid<T> {
    type Output = T;
    fn index(&self, c: Cell) -> &T {
        &self.items[self.size.index(c)]
    }
}

impl<T> IndexMut<Cell> for Grid<T> {
    fn index_mut(&mut self, c: Cell) -> &mut T {
        &mut self.items[self.size.index(c)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_form_a_group_and_act_alike_on_cells_directions_and_offsets() {
        let size = Size::new(3, 5);
        for a in Sym::ALL {
            assert_eq!(a.then(a.inverse()), Sym::IDENTITY);
            for b in Sym::ALL {
                for c in size.cells() {
                    let two = b.cell(a.cell(c, size), a.size(size));
                    assert_eq!(a.then(b).cell(c, size), two);
                }
            }
            for c in size.cells() {
                for d in Dir::ALL {
                    assert_eq!(a.cell(c.step(d), size), a.cell(c, size).step(a.dir(d)));
                    assert_eq!(a.offset(d.delta()), a.dir(d).delta());
                }
            }
        }
    }

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        let size = Size::new(4, 2);
        for c in size.cells() {
            assert_eq!(Sym::TRANSPOSE.cell(c, size), cell(c.y, c.x));
        }
    }

    #[test]
    fn a_grid_turned_and_turned_back_is_the_same() {
        let g = Grid::from_fn(Size::new(4, 3), |c| c.x * 10 + c.y);
        for s in Sym::ALL {
            assert_eq!(g.turned(s).turned(s.inverse()), g);
        }
    }
}
