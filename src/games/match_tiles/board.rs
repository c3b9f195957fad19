//! A level as sets of cells, one bit a cell: what matches what, what is stranded, what a pointer can reach.
//!
//! Every playable board fits into 8 x 8, so cell (x, y) is bit `8 y + x` whatever the board's own width, and a king's step of a whole set
//! is a few shifts. A drag passes freely over cells that hold no match of the dragged tile; the plane outside the board counts as one
//! more free place next to every cell of the rim, because the pointer may leave and come back anywhere there.

use super::level::{LARGEST, Level, SIDES, Tile};
use crate::grid::{Cell, Size};

/// A set of cells.
pub(super) type Mask = u64;

const LEFT: Mask = 0x0101_0101_0101_0101;
const RIGHT: Mask = LEFT << 7;

/// The bit of a cell that is on the board.
pub(super) const fn bit(c: Cell) -> Mask {
    1 << (c.y * 8 + c.x)
}

/// The cell of the lowest bit.
pub(super) const fn first(mask: Mask) -> Cell {
    let i = mask.trailing_zeros() as i16;
    Cell { x: i % 8, y: i / 8 }
}

/// The bits of a set, one by one, row by row.
pub(super) fn bits(mut mask: Mask) -> impl Iterator<Item = Mask> {
    std::iter::from_fn(move || {
        let low = mask & mask.wrapping_neg();
        mask ^= low;
        (low != 0).then_some(low)
    })
}

/// The cells of a set, row by row.
pub(super) fn cells(mask: Mask) -> impl Iterator<Item = Cell> {
    bits(mask).map(first)
}

/// King's steps between two cells.
pub(super) const fn king(a: Cell, b: Cell) -> u16 {
    let (dx, dy) = (a.x.abs_diff(b.x), a.y.abs_diff(b.y));
    if dx > dy { dx } else { dy }
}

/// The straight king's path from one cell to another, diagonal steps first; without the first cell, with the last.
pub(super) fn straight(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    let mut at = from;
    std::iter::from_fn(move || {
        if at == to {
            return None;
        }
        at = Cell { x: at.x + (to.x - at.x).signum(), y: at.y + (to.y - at.y).signum() };
        Some(at)
    })
}

/// A playable level as sets of cells.
#[derive(Clone, Debug)]
pub(super) struct Board {
    /// Its size.
    pub size: Size,
    /// All its cells.
    pub all: Mask,
    /// The cells on its rim.
    pub rim: Mask,
    /// The cells that hold a tile at the start.
    pub tiles: Mask,
    /// Kinds by bit number; meaningless where there is no tile.
    kinds: [u8; 64],
    colours: [Mask; SIDES],
    numbers: [Mask; SIDES],
}

impl Board {
    /// The sets of a level, unless it is too large (or has no cells) and so cannot be played.
    pub fn of(level: &Level) -> Option<Board> {
        let size = level.tiles.size();
        if size.area() == 0 || size.w > LARGEST.w || size.h > LARGEST.h {
            return None;
        }
        let none = [0; SIDES];
        let mut b = Board { size, all: 0, rim: 0, tiles: 0, kinds: [0; 64], colours: none, numbers: none };
        for (c, tile) in level.tiles.iter() {
            b.all |= bit(c);
            if c.x == 0 || c.y == 0 || c.x as u16 == size.w - 1 || c.y as u16 == size.h - 1 {
                b.rim |= bit(c);
            }
            if let Some(tile) = tile {
                b.tiles |= bit(c);
                b.kinds[bit(c).trailing_zeros() as usize] = tile.kind() as u8;
                b.colours[tile.colour()] |= bit(c);
                b.numbers[tile.number() - 1] |= bit(c);
            }
        }
        Some(b)
    }

    /// The tile that stands (or stood) at a bit of [`Board::tiles`].
    pub fn tile(&self, at: Mask) -> Tile {
        Tile::of_kind(self.kinds[at.trailing_zeros() as usize % 64] as usize)
    }

    /// All living tiles that match the tile at a bit, itself left out.
    pub fn matches(&self, alive: Mask, at: Mask) -> Mask {
        let tile = self.tile(at);
        (self.colours[tile.colour()] | self.numbers[tile.number() - 1]) & alive & !at
    }

    /// All living tiles that match no other living tile.
    pub fn stranded(&self, alive: Mask) -> Mask {
        let lone = |sides: &[Mask; SIDES]| {
            sides.iter().map(|m| m & alive).filter(|m| m.count_ones() == 1).fold(0, |all, m| all | m)
        };
        lone(&self.colours) & lone(&self.numbers)
    }

    /// The kinds among some tiles: bit `n` of entry `c` is set where a tile of colour `c` and number `n` is there.
    pub fn kinds(&self, alive: Mask) -> [u8; SIDES] {
        let mut rows = [0; SIDES];
        for (row, colour) in rows.iter_mut().zip(&self.colours) {
            for (n, number) in self.numbers.iter().enumerate() {
                *row |= u8::from(colour & number & alive != 0) << n;
            }
        }
        rows
    }

    /// The cells a king's step away from a set, and the set itself.
    pub fn spread(&self, set: Mask) -> Mask {
        let row = set | (set & !RIGHT) << 1 | (set & !LEFT) >> 1;
        (row | row << 8 | row >> 8) & self.all
    }

    /// The cells that a pointer can come to from a set without leaving `open`, except by way of the outside.
    pub fn reach(&self, from: Mask, open: Mask) -> Mask {
        let mut seen = from;
        loop {
            let outside = if seen & self.rim != 0 { self.rim } else { 0 };
            let next = (self.spread(seen) | outside) & open | seen;
            if next == seen {
                return seen;
            }
            seen = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::cell;

    #[test]
    fn a_kings_step_stays_on_the_board() {
        let level = Level::from_fn(Size::new(8, 3), |_| None);
        let b = Board::of(&level).unwrap();
        assert_eq!(b.spread(bit(cell(7, 1))).count_ones(), 6);
        assert_eq!(b.spread(bit(cell(0, 0))).count_ones(), 4);
        assert_eq!(b.spread(bit(cell(3, 1))).count_ones(), 9);
        assert_eq!(b.rim.count_ones(), 18);
    }

    #[test]
    fn the_pointer_gets_around_a_wall_by_the_outside_but_not_into_a_ring() {
        let b = Board::of(&Level::from_fn(Size::new(5, 5), |_| None)).unwrap();
        let wall: Mask = (0..5).map(|y| bit(cell(2, y))).sum();
        assert_eq!(b.reach(bit(cell(0, 2)), b.all & !wall), b.all & !wall);
        let middle = bit(cell(2, 2));
        let ring = b.spread(middle) & !middle;
        assert_eq!(b.reach(bit(cell(0, 0)), b.all & !ring), b.all & !ring & !middle);
        assert_eq!(b.reach(middle, b.all & !ring), middle);
    }

    #[test]
    fn the_straight_path_takes_its_diagonal_steps_first() {
        let path: Vec<_> = straight(cell(0, 0), cell(3, 1)).collect();
        assert_eq!(path, [cell(1, 1), cell(2, 1), cell(3, 1)]);
        assert_eq!(straight(cell(2, 2), cell(2, 2)).count(), 0);
    }
}
