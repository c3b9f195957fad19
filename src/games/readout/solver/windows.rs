//! Making a line shorter by searching around it.
//!
//! A beam's line is rarely wasteful on a short stretch and often on a long one. So stretches of the best line, *windows*, are searched again, by beams
//! whose goal is the board at the window's end: whatever is shorter takes the stretch's place. Only boards that can still be on a shorter way are kept,
//! so these beams stay narrow by themselves and see far more of what is near the line than a beam from start to end.
//!
//! The tables know the way to one target, with the gap in the last corner. A window is therefore one that ends with the gap in a corner (or begins so,
//! and is searched backwards): the board is turned over so that the corner is the last one, and the tiles are renamed by where they are to be.
//! That needs a board without fixed tiles and one gap.

use super::{
    super::field::{Board, CELLS, Field, NONE},
    walk::Slide,
};

/// A stretch of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    /// How many slides come before it, and before its end.
    pub from: usize,
    pub to: usize,
    /// Whether it is searched from its end to its beginning.
    pub backwards: bool,
}

impl Window {
    /// The boards at its ends, in the order of the search: what is the same here is the same question.
    pub fn ends(&self, boards: &[Board]) -> [Board; 2] {
        let ends = [boards[self.from], boards[self.to]];
        if self.backwards { [ends[1], ends[0]] } else { ends }
    }
}

/// Whether windows can be searched on a field.
pub(super) fn possible(field: &Field) -> bool {
    field.gaps == 1 && field.homes.len() + 1 == field.cells()
}

/// The boards of a line, the first one too.
pub(super) fn boards(start: &Board, line: &[Slide]) -> Vec<Board> {
    let mut all = vec![*start];
    for slide in line {
        let mut next = all[all.len() - 1];
        next.0.swap(slide.from.into(), slide.to.into());
        all.push(next);
    }
    all
}

/// The windows of a line with at most `length` slides, those at its end first. A shorter one is there only where the line ends.
pub(super) fn windows(field: &Field, boards: &[Board], length: usize) -> Vec<Window> {
    let last = boards.len() - 1;
    let mut all = Vec::new();
    for at in (0..=last).rev().filter(|at| is_corner(field, gap(field, &boards[*at]))) {
        all.push(Window { from: at.saturating_sub(length), to: at, backwards: false });
        all.push(Window { from: at, to: (at + length).min(last), backwards: true });
    }
    all.retain(|w| w.to - w.from > length / 2);
    all
}

fn gap(field: &Field, board: &Board) -> usize {
    field.gaps_of(board).trailing_zeros() as usize
}

fn is_corner(field: &Field, cell: usize) -> bool {
    let c = field.size.cell(cell);
    (c.x == 0 || c.x + 1 == field.size.w as i16) && (c.y == 0 || c.y + 1 == field.size.h as i16)
}

/// A window's question, as one about the field's own target.
pub(super) struct Turned {
    pub start: Board,
    backwards: bool,
    /// Where each square goes; the same map leads back.
    cells: [u8; CELLS],
}

impl Turned {
    pub fn new(field: &Field, boards: &[Board], window: Window) -> Turned {
        let [start, end] = window.ends(boards);
        let (w, h) = (field.size.w as i16, field.size.h as i16);
        let corner = field.size.cell(gap(field, &end));
        let mut cells = [0; CELLS];
        for (i, to) in cells.iter_mut().enumerate().take(field.cells()) {
            let c = field.size.cell(i);
            let x = if corner.x == 0 { w - 1 - c.x } else { c.x };
            let y = if corner.y == 0 { h - 1 - c.y } else { c.y };
            *to = field.size.index(crate::grid::cell(x, y)) as u8;
        }
        // On a full board with one gap the tiles are numbered as their homes.
        let mut names = [NONE; CELLS];
        for (i, tile) in end.0[..field.cells()].iter().enumerate().filter(|(_, t)| **t != NONE) {
            names[usize::from(*tile)] = cells[i];
        }
        let mut turned = Board([NONE; CELLS]);
        for (i, tile) in start.0[..field.cells()].iter().enumerate().filter(|(_, t)| **t != NONE) {
            turned.0[usize::from(cells[i])] = names[usize::from(*tile)];
        }
        Turned { start: turned, backwards: window.backwards, cells }
    }

    /// The line with what was found in the window's place, if it still passes through both ends of the window and gets shorter. `boards` are the line's.
    pub fn put(&self, ends: &[Board; 2], found: &[Slide], line: &[Slide], boards: &[Board]) -> Option<Vec<Slide>> {
        let [a, b] = ends.each_ref().map(|end| boards.iter().position(|board| board == end));
        let (from, to) = if self.backwards { (b?, a?) } else { (a?, b?) };
        if to < from + found.len() + 1 {
            return None;
        }
        let back = |slide: &Slide| {
            let [from, to] = [slide.from, slide.to].map(|c| self.cells[usize::from(c)]);
            if self.backwards { Slide { from: to, to: from } } else { Slide { from, to } }
        };
        let mut stretch: Vec<Slide> = found.iter().map(back).collect();
        if self.backwards {
            stretch.reverse();
        }
        Some([&line[..from], &stretch, &line[to..]].concat())
    }
}
