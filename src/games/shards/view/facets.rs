//! The look of a piece: facets with a gap around the piece and rounded corners, as convex polygons.
//!
//! Every triangle of a form is one polygon, cut from the full triangle by half-planes: free edges stand back by [`GAP`], edges towards the
//! same piece reach over a little so that no seam shows, and corners of the piece sharper than a straight line are rounded by
//! tangents of a circle. A corner of a piece may be made of several triangles; all of them are cut by the same tangents, so the
//! rounding runs on from one to the next.

use super::super::triangle::Tri;
use crate::{
    grid::{Cell, cell},
    picture::{Figure, Pen, Point, point},
};
use std::{collections::BTreeSet, f32::consts::PI};

const GAP: f32 = 0.022;
const OVERLAP: f32 = 0.006;
const ROUND: f32 = 0.085;
const TANGENTS: usize = 5;

/// Keeps the points with `normal · p <= limit`.
struct Half {
    x: f32,
    y: f32,
    limit: f32,
}

impl Half {
    /// The side of the line through `at` away from `normal` (an angle), moved outwards by `by`.
    fn new(at: Point, normal: f32, by: f32) -> Half {
        let (y, x) = normal.sin_cos();
        Half { x, y, limit: x * at.x + y * at.y + by }
    }

    fn over(&self, p: Point) -> f32 {
        self.x * p.x + self.y * p.y - self.limit
    }

    fn cut(&self, polygon: &[Point]) -> Vec<Point> {
        let mut kept = Vec::with_capacity(polygon.len() + 1);
        for (i, &a) in polygon.iter().enumerate() {
            let b = polygon[(i + 1) % polygon.len()];
            let (da, db) = (self.over(a), self.over(b));
            if da <= 0.0 {
                kept.push(a);
            }
            if (da < 0.0 && db > 0.0) || (da > 0.0 && db < 0.0) {
                kept.push(a.towards(b, da / (da - db)));
            }
        }
        kept
    }
}

/// The corners of a triangle: the middle of its cell, then the ends of its outer edge, clockwise.
pub(super) fn corners(t: Tri) -> [Point; 3] {
    let (x, y) = (f32::from(t.cell.x), f32::from(t.cell.y));
    let corner = [point(x, y + 1.0), point(x, y), point(x + 1.0, y), point(x + 1.0, y + 1.0)];
    let k = t.k as usize;
    [point(x + 0.5, y + 0.5), corner[k], corner[(k + 1) % 4]]
}

/// The middle of a triangle's incircle, where a mark has most room.
pub(super) fn heart(t: Tri) -> Point {
    let [middle, a, b] = corners(t);
    middle.towards(a.towards(b, 0.5), 0.56)
}

/// The eight triangles around a grid point, clockwise from straight up.
fn around(at: Cell) -> [Tri; 8] {
    let of = |dx: i16, dy: i16, k: u8| Tri { cell: at.offset(dx, dy), k };
    [of(0, -1, 0), of(0, -1, 3), of(0, 0, 1), of(0, 0, 0), of(-1, 0, 2), of(-1, 0, 1), of(-1, -1, 3), of(-1, -1, 2)]
}

/// The polygons of a form's triangles, in its order, in cell units.
pub(super) fn facets(form: &[Tri]) -> Vec<Vec<Point>> {
    let own: BTreeSet<Tri> = form.iter().copied().collect();
    form.iter().map(|t| facet(*t, &own)).collect()
}

fn facet(t: Tri, own: &BTreeSet<Tri>) -> Vec<Point> {
    let mut halves = Vec::new();
    let [middle, a, b] = corners(t);
    let side = PI * (1.0 + f32::from(t.k) * 0.5);
    let [next, previous, across] = t.neighbours();
    let by = |n: Tri| if own.contains(&n) { OVERLAP } else { -GAP };
    halves.push(Half::new(a, side, by(across)));
    halves.push(Half::new(middle, side - 0.75 * PI, by(previous)));
    halves.push(Half::new(middle, side + 0.75 * PI, by(next)));
    let ring: Vec<Tri> = (0..4).map(|k| Tri { k, ..t }).collect();
    round(&ring, t.k as usize, 0.75 * PI, middle, own, &mut halves);
    for corner in [a, b] {
        let ring = around(cell(corner.x as i16, corner.y as i16));
        if let Some(i) = ring.iter().position(|r| *r == t) {
            round(&ring, i, -0.5 * PI, corner, own, &mut halves);
        }
    }
    halves.iter().fold(vec![middle, a, b], |polygon, half| half.cut(&polygon))
}

/// What the corner at `at` takes from triangle `i` of the ring around it, whose first sector begins at angle `zero`.
fn round(ring: &[Tri], i: usize, zero: f32, at: Point, own: &BTreeSet<Tri>, halves: &mut Vec<Half>) {
    let n = ring.len();
    let sector = 2.0 * PI / n as f32;
    let mine = |j: usize| own.contains(&ring[j % n]);
    let back = (0..n).take_while(|s| mine(i + n - s)).count();
    let on = (0..n).take_while(|s| mine(i + s)).count();
    if back >= n {
        return;
    }
    let count = back + on - 1;
    let start = zero + (i as f32 - (back as f32 - 1.0)) * sector;
    let angle = count as f32 * sector;
    let middle = start + angle / 2.0;
    if angle > PI + 0.01 {
        // A notch: the triangles between its ends leave the gap too.
        if back > 1 && on > 1 {
            let bisector = zero + (i as f32 + 0.5) * sector;
            halves.push(Half::new(at, bisector + PI, -GAP));
        }
        return;
    }
    halves.push(Half::new(at, start - PI / 2.0, -GAP));
    halves.push(Half::new(at, start + angle + PI / 2.0, -GAP));
    if angle > PI - 0.01 {
        return;
    }
    let far = (ROUND + GAP) / (angle / 2.0).sin();
    let centre = at.shift(middle.cos() * far, middle.sin() * far);
    let spread = PI / 2.0 - angle / 2.0;
    for j in 1..TANGENTS {
        let turn = (j as f32 / TANGENTS as f32 * 2.0 - 1.0) * spread;
        halves.push(Half::new(centre, middle + PI + turn, ROUND));
    }
}

/// A figure moved and scaled.
pub(super) fn scaled(figure: &Figure, by: f32, place: impl Fn(Point) -> Point) -> Figure {
    let pen = |p: &Pen| Pen { width: p.width * by, ..*p };
    match figure {
        Figure::Rect { area, round, fill, pen: p } => {
            let corner = place(point(area.x, area.y));
            let area = crate::picture::Area::new(corner.x, corner.y, area.w * by, area.h * by);
            Figure::Rect { area, round: round.map(|r| r * by), fill: *fill, pen: pen(p) }
        }
        Figure::Circle { at, radius, fill, pen: p } => {
            Figure::Circle { at: place(*at), radius: radius * by, fill: *fill, pen: pen(p) }
        }
        Figure::Polygon { points, fill, pen: p } => {
            Figure::Polygon { points: points.iter().map(|p| place(*p)).collect(), fill: *fill, pen: pen(p) }
        }
        Figure::Line { points, pen: p } => {
            Figure::Line { points: points.iter().map(|p| place(*p)).collect(), pen: pen(p) }
        }
        Figure::Text { at, size, text, colour } => {
            Figure::Text { at: place(*at), size: size * by, text: text.clone(), colour: *colour }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(polygon: &[Point]) -> f32 {
        let n = polygon.len();
        (0..n).map(|i| (polygon[i], polygon[(i + 1) % n])).map(|(a, b)| a.x * b.y - b.x * a.y).sum::<f32>() / 2.0
    }

    #[test]
    fn facets_stay_in_their_triangle_and_keep_most_of_it() {
        let forms: [&[Tri]; 4] = [
            &[Tri::new(0, 0, 2)],
            &[Tri::new(0, 0, 0), Tri::new(0, 0, 1), Tri::new(0, 0, 2), Tri::new(0, 0, 3)],
            &[Tri::new(0, 0, 2), Tri::new(1, 0, 0), Tri::new(1, 0, 3), Tri::new(1, 1, 1), Tri::new(1, 1, 0)],
            &[Tri::new(0, 0, 3), Tri::new(0, 1, 1), Tri::new(0, 1, 2), Tri::new(1, 1, 0)],
        ];
        for form in forms {
            for (t, polygon) in form.iter().zip(facets(form)) {
                assert!(polygon.len() >= 3);
                assert!(polygon.iter().all(|p| p.x.is_finite() && p.y.is_finite()));
                let share = area(&polygon).abs() / 0.25;
                assert!((0.6..1.06).contains(&share), "{t:?} keeps {share}");
                let c = corners(*t).iter().fold((0.0, 0.0), |c, p| (c.0 + p.x / 3.0, c.1 + p.y / 3.0));
                assert!(polygon.iter().all(|p| p.distance(point(c.0, c.1)) < 0.62));
            }
        }
    }
}
