//! Triangles: where they lie, which touch, and how a set of them turns.
//!
//! A cell is cut by its diagonals into four triangles, numbered 0 left, 1 top, 2 right, 3 bottom. A triangle touches the two beside it in its
//! own cell and the one across the cell's edge. A *form* is a set of triangles moved so that its bounding box of cells begins at
//! (0, 0), sorted: two sets are the same form exactly when they are equal up to a shift by whole cells.

use crate::grid::{Cell, Dir, Size, Spot, Sym, cell};

/// One triangle.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Tri {
    /// Its cell.
    pub cell: Cell,
    /// Which of the four: 0 left, 1 top, 2 right, 3 bottom.
    pub k: u8,
}

/// The side of the cell on which each triangle lies.
const SIDES: [Dir; 4] = [Dir::Left, Dir::Up, Dir::Right, Dir::Down];

impl Tri {
    /// Short for the struct; `k` is taken modulo 4.
    pub const fn new(x: i16, y: i16, k: u8) -> Tri {
        Tri { cell: cell(x, y), k: k % 4 }
    }

    /// The triangle with this number on a board with so many columns: `4 * (row * columns + column) + k`.
    pub fn from_index(index: usize, columns: usize) -> Tri {
        let (c, k) = (index / 4, index % 4);
        Tri::new((c % columns) as i16, (c / columns) as i16, k as u8)
    }

    /// Its number on a board of this size, on which it must lie.
    pub const fn index(self, size: Size) -> usize {
        4 * size.index(self.cell) + self.k as usize
    }

    /// The three it touches; those across an edge may lie off the board.
    pub fn neighbours(self) -> [Tri; 3] {
        let across = self.cell.step(SIDES[self.k as usize]);
        [
            Tri { k: (self.k + 1) % 4, ..self },
            Tri { k: (self.k + 3) % 4, ..self },
            Tri { cell: across, k: (self.k + 2) % 4 },
        ]
    }

    /// Moved by whole cells.
    pub fn shifted(self, by: Cell) -> Tri {
        Tri { cell: self.cell.offset(by.x, by.y), k: self.k }
    }

    /// As a spot.
    pub const fn spot(self) -> Spot {
        Spot { cell: self.cell, part: Some(self.k) }
    }
}

/// All triangles of a cell.
pub fn triangles_of(cell: Cell) -> [Tri; 4] {
    [0, 1, 2, 3].map(|k| Tri { cell, k })
}

/// Where triangle `k` of a cell goes under a symmetry.
pub const fn turned_part(k: u8, sym: Sym) -> u8 {
    let k = if sym.mirror { (6 - k % 4) % 4 } else { k };
    (k + sym.turns) % 4
}

/// The form of a set of triangles: shifted to the origin, sorted.
pub fn form(triangles: &[Tri]) -> Vec<Tri> {
    let x = triangles.iter().map(|t| t.cell.x).min().unwrap_or(0);
    let y = triangles.iter().map(|t| t.cell.y).min().unwrap_or(0);
    let mut form: Vec<Tri> = triangles.iter().map(|t| t.shifted(cell(-x, -y))).collect();
    if !form.is_sorted() {
        form.sort_unstable();
    }
    form.dedup();
    form
}

/// The form of a set of triangles turned by a symmetry.
pub fn turned(triangles: &[Tri], sym: Sym) -> Vec<Tri> {
    form(&laid(triangles, sym, cell(0, 0)).collect::<Vec<_>>())
}

/// A set of triangles turned by a symmetry and moved so that its bounding box begins at a cell; in the order of the set, and without a list of its own: the
/// rules ask for this at every move.
pub fn laid(triangles: &[Tri], sym: Sym, at: Cell) -> impl Iterator<Item = Tri> + Clone {
    // Where a step to the right, a step down and the four triangles of a cell go.
    let (right, down) = (sym.offset((1, 0)), sym.offset((0, 1)));
    let parts = [0, 1, 2, 3].map(|k| turned_part(k, sym));
    let turn = move |c: Cell| cell(right.0 * c.x + down.0 * c.y, right.1 * c.x + down.1 * c.y);
    let least = triangles.iter().map(|t| turn(t.cell)).reduce(|a, b| cell(a.x.min(b.x), a.y.min(b.y)));
    let by = least.map_or(at, |c| at.offset(-c.x, -c.y));
    triangles.iter().map(move |t| Tri { cell: turn(t.cell), k: parts[usize::from(t.k % 4)] }.shifted(by))
}

/// Width and height of a form, in cells.
pub fn extent(form: &[Tri]) -> (i16, i16) {
    let w = form.iter().map(|t| t.cell.x + 1).max().unwrap_or(0);
    let h = form.iter().map(|t| t.cell.y + 1).max().unwrap_or(0);
    (w, h)
}

/// The orientations that the rule switches allow, the drawn one first.
pub fn orientations(rotate: bool, mirror: bool) -> &'static [Sym] {
    const MIRRORED: [Sym; 2] = [Sym::IDENTITY, Sym::FLIP_H];
    match (rotate, mirror) {
        (false, false) => &Sym::ALL[..1],
        (true, false) => &Sym::ALL[..4],
        (false, true) => &MIRRORED,
        (true, true) => &Sym::ALL,
    }
}

/// The connected parts of a set of triangles, each sorted, the largest first.
pub fn parts(triangles: &[Tri]) -> Vec<Vec<Tri>> {
    let mut rest: std::collections::BTreeSet<Tri> = triangles.iter().copied().collect();
    let mut parts = Vec::new();
    while let Some(first) = rest.pop_first() {
        let mut part = vec![first];
        let mut next = 0;
        while next < part.len() {
            part.extend(part[next].neighbours().into_iter().filter(|t| rest.remove(t)).collect::<Vec<_>>());
            next += 1;
        }
        part.sort_unstable();
        parts.push(part);
    }
    parts.sort_by_key(|p| std::cmp::Reverse(p.len()));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(columns: u16, index: usize) -> Vec<usize> {
        let size = Size::new(columns, columns);
        let near = Tri::from_index(index, columns as usize).neighbours();
        let mut on: Vec<_> = near.into_iter().filter(|t| size.contains(t.cell)).map(|t| t.index(size)).collect();
        on.sort();
        on
    }

    #[test]
    fn the_checked_neighbour_values_hold() {
        let checked: [(u16, usize, &[usize]); 10] = [
            (4, 0, &[1, 3]),
            (4, 14, &[13, 15]),
            (4, 55, &[52, 54]),
            (4, 41, &[27, 40, 42]),
            (4, 9, &[8, 10]),
            (5, 16, &[14, 17, 19]),
            (5, 20, &[21, 23]),
            (6, 24, &[25, 27]),
            (6, 5, &[4, 6]),
            (6, 143, &[140, 142]),
        ];
        for (columns, index, expected) in checked {
            assert_eq!(numbers(columns, index), expected, "{columns} x {columns}, triangle {index}");
        }
    }

    /// The seed's formulas as it writes them, for the state it spells out.
    #[test]
    fn the_seeds_formula_for_left_triangles_holds() {
        for columns in 1..=8u16 {
            let count = 4 * columns as usize * columns as usize;
            for index in (0..count).step_by(4) {
                let mut expected = vec![index + 1, index + 3];
                if index > 0 && index % (columns as usize * 4) != 0 {
                    expected.insert(0, index - 2);
                }
                assert_eq!(numbers(columns, index), expected);
            }
        }
    }

    #[test]
    fn touching_goes_both_ways_and_turns_along() {
        let size = Size::new(3, 4);
        for c in size.cells() {
            for t in triangles_of(c) {
                for n in t.neighbours() {
                    assert!(n.neighbours().contains(&t));
                    for sym in Sym::ALL {
                        let go = |t: Tri| Tri { cell: sym.cell(t.cell, size), k: turned_part(t.k, sym) };
                        assert!(go(t).neighbours().contains(&go(n)), "{t:?} {n:?} {sym:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn turning_back_gives_the_form_again() {
        let set = form(&[Tri::new(4, 2, 0), Tri::new(4, 2, 1), Tri::new(3, 2, 2), Tri::new(4, 1, 3)]);
        for sym in Sym::ALL {
            assert_eq!(turned(&turned(&set, sym), sym.inverse()), set);
            assert_eq!(parts(&turned(&set, sym)).len(), 1);
        }
    }
}
