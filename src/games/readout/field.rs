//! The board as the searches see it: squares as numbers, tiles as ranks, neighbours as bit masks.
//!
//! A [`Field`] is what slides never change: which squares are open, where each tile belongs, how many gaps there are. A [`Board`] is
//! where the tiles are. Tiles are numbered by the rank of their digit from 0, so a board with the digits 2, 5, 9 is a field like any
//! other. At most 36 squares, so a set of squares is a `u64`.

use super::level::{LARGEST, Square};
use crate::grid::{Dir, Grid, Size};

/// The most squares there are.
pub(super) const CELLS: usize = LARGEST.area();
/// In a [`Board`]: no tile here.
pub(super) const NONE: u8 = u8::MAX;

/// Where the tiles are: the tile on each square, or [`NONE`] (a gap or a fixed tile).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Board(pub [u8; CELLS]);

/// What slides never change.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Field {
    pub size: Size,
    /// The squares that are not fixed.
    pub open: u64,
    /// The open neighbours of each square.
    pub near: Vec<u64>,
    /// The square where each tile belongs.
    pub homes: Vec<u8>,
    /// How many gaps there are.
    pub gaps: u32,
    /// The digit of each tile.
    pub digits: Vec<u8>,
}

/// The squares of a mask, ascending.
pub(super) fn squares(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let i = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            i
        })
    })
}

impl Field {
    /// Field and board of some squares; `None` if a digit is there twice or the board is too large.
    pub fn of(grid: &Grid<Square>) -> Option<(Field, Board)> {
        let size = grid.size();
        if size.area() > CELLS {
            return None;
        }
        let digits = super::level::digits(grid);
        if digits.windows(2).any(|w| w[0] == w[1]) {
            return None;
        }
        let mut open = 0;
        let mut gaps = 0;
        let mut board = Board([NONE; CELLS]);
        for (i, square) in grid.values().iter().enumerate() {
            open |= u64::from(*square != Square::Fixed) << i;
            gaps += u32::from(*square == Square::Gap);
            if let Square::Digit(d) = square {
                board.0[i] = digits.binary_search(d).ok()? as u8;
            }
        }
        let near = size.cells().map(|c| near(size, c, open)).collect();
        let homes = squares(open).take(digits.len()).map(|i| i as u8).collect();
        Some((Field { size, open, near, homes, gaps, digits }, board))
    }

    /// How many squares there are, fixed ones too.
    pub fn cells(&self) -> usize {
        self.size.area()
    }

    /// The squares that are gaps once all is in order.
    pub fn gap_homes(&self) -> u64 {
        self.homes.iter().fold(self.open, |mask, h| mask & !(1 << h))
    }

    /// The gaps of a board.
    pub fn gaps_of(&self, board: &Board) -> u64 {
        squares(self.open).filter(|i| board.0[*i] == NONE).fold(0, |mask, i| mask | 1 << i)
    }

    /// The board in order.
    pub fn goal(&self) -> Board {
        let mut board = Board([NONE; CELLS]);
        for (tile, home) in self.homes.iter().enumerate() {
            board.0[usize::from(*home)] = tile as u8;
        }
        board
    }

    /// The sum of the tiles' ways home over free squares: the plainest lower bound on the slides. On a board with fixed tiles the
    /// straight way may be barred; it is a lower bound all the same.
    pub fn manhattan(&self, board: &Board) -> u32 {
        let far = |(i, tile): (usize, &u8)| {
            let home = self.homes.get(usize::from(*tile))?;
            Some(self.size.cell(i).distance(self.size.cell(usize::from(*home))))
        };
        board.0[..self.cells()].iter().enumerate().filter_map(far).sum()
    }

    /// Whether exchanging rows and columns maps this field onto itself, so that every bound holds for the mirror image too.
    pub fn mirrors(&self) -> bool {
        let flip = |mask: u64| squares(mask).fold(0, |m, i| m | 1 << self.mirrored(i));
        self.size.w == self.size.h && flip(self.open) == self.open && flip(self.gap_homes()) == self.gap_homes()
    }

    /// The square at the mirror image of a square, on a square board.
    pub fn mirrored(&self, i: usize) -> usize {
        let c = self.size.cell(i);
        self.size.index(crate::grid::cell(c.y, c.x))
    }

    /// The puzzles this one falls into: the parts that hold a gap and a tile, each a field of its own on the same board.
    pub fn split(&self, board: &Board) -> Vec<(Field, Board)> {
        let gaps = self.gaps_of(board);
        let mut out = Vec::new();
        for part in self.parts().into_iter().filter(|p| p & gaps != 0 && p & !gaps != 0) {
            let mut tiles: Vec<u8> = squares(part).map(|i| board.0[i]).filter(|t| *t != NONE).collect();
            tiles.sort_unstable();
            let mut own = Board([NONE; CELLS]);
            for i in squares(part) {
                own.0[i] = tiles.binary_search(&board.0[i]).map_or(NONE, |rank| rank as u8);
            }
            let field = Field {
                size: self.size,
                open: part,
                near: self.near.iter().map(|n| n & part).collect(),
                homes: tiles.iter().map(|t| self.homes[usize::from(*t)]).collect(),
                gaps: (gaps & part).count_ones(),
                digits: tiles.iter().map(|t| self.digits[usize::from(*t)]).collect(),
            };
            out.push((field, own));
        }
        out
    }

    /// The connected parts of the open squares.
    pub fn parts(&self) -> Vec<u64> {
        let mut left = self.open;
        let mut out = Vec::new();
        while left != 0 {
            let part = self.flood(1 << left.trailing_zeros(), left);
            left &= !part;
            out.push(part);
        }
        out
    }

    /// All squares of `within` that are connected with `from` inside it.
    pub fn flood(&self, from: u64, within: u64) -> u64 {
        let mut all = from & within;
        let mut new = all;
        while new != 0 {
            let next = squares(new).fold(0, |m, i| m | self.near[i]) & within & !all;
            all |= next;
            new = next;
        }
        all
    }
}

fn near(size: Size, c: crate::grid::Cell, open: u64) -> u64 {
    let here = open >> size.index(c) & 1 == 1;
    let neighbours = Dir::ALL.map(|d| c.step(d)).into_iter().filter(|n| size.contains(*n));
    neighbours.filter(|_| here).fold(0, |m, n| m | 1 << size.index(n)) & open
}
