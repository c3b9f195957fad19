//! The tray: a place for every piece beside the board, in which it fits however it is turned.
//!
//! The tray's own size depends on the board alone, so that the picture does not jump while a level is drawn. It is taller than the board, because the space
//! for both on the screen is about as high as it is wide. Pieces lie in it at a smaller scale, the largest at which all their places, put on shelves from
//! tall to low, find room. Places never overlap, so pieces never do.

use super::super::{
    Level,
    triangle::{Tri, turned},
};
use crate::{
    grid::{Size, Sym},
    picture::{Area, Point, point},
};

/// Between the board and the tray, and around the tray's pieces.
const GAP: f32 = 0.5;
const PAD: f32 = 0.14;
const LARGEST_SCALE: f32 = 0.9;

/// The tray, laid out.
pub(super) struct Tray {
    /// All of it.
    pub(super) area: Area,
    /// The scale of its pieces.
    pub(super) scale: f32,
    /// A place for each piece, in the level's order.
    pub(super) slots: Vec<Area>,
}

/// The part of the plane that the tray takes, for a board of this size.
pub(super) fn area(size: Size) -> Area {
    let (w, h) = (f32::from(size.w), f32::from(size.h));
    if w > 1.7 * h {
        Area::new(0.0, h + GAP, w, (w * 0.45).max(h).max(2.0))
    } else {
        let tall = (h * 1.5).max(2.0);
        Area::new(w + GAP, (h - tall) / 2.0, h.max(w * 0.85).max(1.5), tall)
    }
}

/// The bounds of a form in cell units, to the half cell.
pub(super) fn bounds(form: &[Tri]) -> Area {
    let (mut x0, mut y0, mut x1, mut y1) = (f32::MAX, f32::MAX, 0f32, 0f32);
    for t in form {
        let (x, y) = (f32::from(t.cell.x), f32::from(t.cell.y));
        let (l, u, r, d) = match t.k {
            0 => (x, y, x + 0.5, y + 1.0),
            1 => (x, y, x + 1.0, y + 0.5),
            2 => (x + 0.5, y, x + 1.0, y + 1.0),
            _ => (x, y + 0.5, x + 1.0, y + 1.0),
        };
        (x0, y0, x1, y1) = (x0.min(l), y0.min(u), x1.max(r), y1.max(d));
    }
    if form.is_empty() { Area::default() } else { Area::new(x0, y0, x1 - x0, y1 - y0) }
}

impl Tray {
    pub(super) fn new(level: &Level) -> Tray {
        let area = area(level.board.size());
        let room = |piece: &super::super::Piece| {
            let b = bounds(&turned(&piece.triangles, Sym::IDENTITY));
            if level.rotate { (b.w.max(b.h), b.w.max(b.h)) } else { (b.w, b.h) }
        };
        let sizes: Vec<(f32, f32)> = level.pieces.iter().map(room).collect();
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by(|a, b| sizes[*b].1.total_cmp(&sizes[*a].1).then(sizes[*b].0.total_cmp(&sizes[*a].0)));
        let mut scale = LARGEST_SCALE;
        loop {
            let slots = shelves(&sizes, &order, scale, area);
            let bottom = slots.iter().fold(f32::MIN, |b, s| b.max(s.y + s.h));
            let right = slots.iter().fold(f32::MIN, |r, s| r.max(s.x + s.w));
            if (bottom <= area.y + area.h && right <= area.x + area.w) || scale < 1e-3 {
                return Tray { area, scale, slots };
            }
            scale *= 0.95;
        }
    }

    /// Where the origin of a piece's form lies when it rests in the tray: its bounds in the middle of its place.
    pub(super) fn origin(&self, piece: usize, form: &[Tri]) -> Point {
        let slot = self.slots.get(piece).copied().unwrap_or(self.area).middle();
        let middle = bounds(form).middle();
        point(slot.x - middle.x * self.scale, slot.y - middle.y * self.scale)
    }
}

/// Places on shelves, spread so that the rows fill the width.
fn shelves(sizes: &[(f32, f32)], order: &[usize], scale: f32, area: Area) -> Vec<Area> {
    let pad = PAD.min(scale * 0.3);
    let mut slots = vec![Area::default(); sizes.len()];
    let (mut x, mut y, mut tall) = (area.x, area.y, 0f32);
    for &i in order {
        let (w, h) = (sizes[i].0 * scale + 2.0 * pad, sizes[i].1 * scale + 2.0 * pad);
        if x + w > area.x + area.w && x > area.x {
            (x, y, tall) = (area.x, y + tall, 0.0);
        }
        slots[i] = Area::new(x, y, w, h);
        x += w;
        tall = tall.max(h);
    }
    // Low pieces stand in the middle of their shelf's height.
    let mut start = 0;
    while start < order.len() {
        let row = slots[order[start]].y;
        let len = order[start..].iter().take_while(|i| slots[**i].y == row).count();
        let height = order[start..start + len].iter().fold(0f32, |h, i| h.max(slots[*i].h));
        for &i in &order[start..start + len] {
            slots[i].y += (height - slots[i].h) / 2.0;
        }
        start += len;
    }
    slots
}
