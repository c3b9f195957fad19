//! A picture as a list of simple figures, in board units.
//!
//! Games draw into a [`Picture`]; the window, the PNG and SVG writers and the thumbnails each know how to show one. Units are cells:
//! (0, 0) is the top left corner of the board and lines are as thick as a fraction of a cell. Filled polygons must be convex (all
//! renderers can do those); bodies of several cells are put together from rectangles with the right corners rounded.

use crate::grid::{Cell, Dir};

/// A point in board units.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

/// Short for `Point { x, y }`.
pub const fn point(x: f32, y: f32) -> Point {
    Point { x, y }
}

impl Point {
    /// The cell that holds this point.
    pub fn cell(self) -> Cell {
        // A float cast saturates, so a wild pointer stays a cell off the board.
        Cell { x: self.x.floor() as i16, y: self.y.floor() as i16 }
    }

    /// The middle of a cell.
    pub fn middle(cell: Cell) -> Point {
        Point { x: f32::from(cell.x) + 0.5, y: f32::from(cell.y) + 0.5 }
    }

    /// Moved by an offset.
    pub fn shift(self, dx: f32, dy: f32) -> Point {
        Point { x: self.x + dx, y: self.y + dy }
    }

    /// Part of the way to another point.
    pub fn towards(self, to: Point, t: f32) -> Point {
        Point { x: self.x + (to.x - self.x) * t, y: self.y + (to.y - self.y) * t }
    }

    /// Straight distance.
    pub fn distance(self, to: Point) -> f32 {
        (to.x - self.x).hypot(to.y - self.y)
    }
}

/// An upright rectangle in board units.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Area {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub w: f32,
    /// Height.
    pub h: f32,
}

impl Area {
    /// Short for the struct.
    pub const fn new(x: f32, y: f32, w: f32, h: f32) -> Area {
        Area { x, y, w, h }
    }

    /// The square of a cell.
    pub fn of(cell: Cell) -> Area {
        Area::new(f32::from(cell.x), f32::from(cell.y), 1.0, 1.0)
    }

    /// Smaller by `by` on all sides.
    pub fn inset(self, by: f32) -> Area {
        Area::new(self.x + by, self.y + by, self.w - 2.0 * by, self.h - 2.0 * by)
    }

    /// Its corners, clockwise from the top left.
    pub fn corners(self) -> [Point; 4] {
        let (right, bottom) = (self.x + self.w, self.y + self.h);
        [point(self.x, self.y), point(right, self.y), point(right, bottom), point(self.x, bottom)]
    }

    /// Its middle.
    pub fn middle(self) -> Point {
        Point { x: self.x + self.w / 2.0, y: self.y + self.h / 2.0 }
    }

    /// Whether a point is inside.
    pub fn contains(self, p: Point) -> bool {
        p.x >= self.x && p.y >= self.y && p.x < self.x + self.w && p.y < self.y + self.h
    }
}

/// A colour with opacity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rgba(pub u8, pub u8, pub u8, pub u8);

impl Rgba {
    /// Nothing at all.
    pub const CLEAR: Rgba = Rgba(0, 0, 0, 0);

    /// From `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Rgba {
        Rgba((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8, 255)
    }

    /// The same colour, fainter.
    pub fn faded(self, opacity: f32) -> Rgba {
        Rgba(self.0, self.1, self.2, (f32::from(self.3) * opacity.clamp(0.0, 1.0)).round() as u8)
    }

    /// Whether it is so dark that a darker mark on it would not show.
    pub fn is_dark(self) -> bool {
        0.299 * f32::from(self.0) + 0.587 * f32::from(self.1) + 0.114 * f32::from(self.2) < 90.0
    }

    /// What a mark on this colour is mixed towards: black, or white where black would not show.
    pub fn mark(self) -> Rgba {
        if self.is_dark() { Rgba::hex(0xff_ffff) } else { Rgba::hex(0) }
    }

    /// Part of the way to another colour.
    pub fn mix(self, to: Rgba, t: f32) -> Rgba {
        let m = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * t).round() as u8;
        Rgba(m(self.0, to.0), m(self.1, to.1), m(self.2, to.2), m(self.3, to.3))
    }
}

/// A line's colour and thickness (in cells).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Pen {
    /// Colour.
    pub colour: Rgba,
    /// Thickness.
    pub width: f32,
}

impl Pen {
    /// No line.
    pub const NONE: Pen = Pen { colour: Rgba::CLEAR, width: 0.0 };

    /// Short for the struct.
    pub const fn new(colour: Rgba, width: f32) -> Pen {
        Pen { colour, width }
    }
}

/// One figure.
#[derive(Clone, PartialEq, Debug)]
pub enum Figure {
    /// A rectangle; `round` holds the corner radii: top left, top right, bottom right, bottom left.
    Rect {
        /// Where.
        area: Area,
        /// Corner radii.
        round: [f32; 4],
        /// Inside.
        fill: Rgba,
        /// Edge, drawn centred on the rim.
        pen: Pen,
    },
    /// A circle.
    Circle {
        /// Middle.
        at: Point,
        /// Radius.
        radius: f32,
        /// Inside.
        fill: Rgba,
        /// Edge.
        pen: Pen,
    },
    /// A convex polygon.
    Polygon {
        /// Its corners.
        points: Vec<Point>,
        /// Inside.
        fill: Rgba,
        /// Edge.
        pen: Pen,
    },
    /// An open line through points.
    Line {
        /// The points.
        points: Vec<Point>,
        /// Colour and thickness.
        pen: Pen,
    },
    /// A short text, centred.
    Text {
        /// Its middle.
        at: Point,
        /// Height of a line, in cells.
        size: f32,
        /// The words: letters, digits and common signs only (no emoji).
        text: String,
        /// Colour.
        colour: Rgba,
    },
}

/// Figures in drawing order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Picture {
    /// The figures.
    pub figures: Vec<Figure>,
}

impl Picture {
    /// A filled rectangle with all corners rounded alike.
    pub fn rect(&mut self, area: Area, round: f32, fill: Rgba, pen: Pen) {
        self.figures.push(Figure::Rect { area, round: [round; 4], fill, pen });
    }

    /// A circle.
    pub fn circle(&mut self, at: Point, radius: f32, fill: Rgba, pen: Pen) {
        self.figures.push(Figure::Circle { at, radius, fill, pen });
    }

    /// A convex polygon.
    pub fn polygon(&mut self, points: impl Into<Vec<Point>>, fill: Rgba, pen: Pen) {
        self.figures.push(Figure::Polygon { points: points.into(), fill, pen });
    }

    /// An open line.
    pub fn line(&mut self, points: impl Into<Vec<Point>>, pen: Pen) {
        self.figures.push(Figure::Line { points: points.into(), pen });
    }

    /// A centred text.
    pub fn text(&mut self, at: Point, size: f32, text: impl Into<String>, colour: Rgba) {
        self.figures.push(Figure::Text { at, size, text: text.into(), colour });
    }

    /// A straight arrow, its head at `to`.
    pub fn arrow(&mut self, from: Point, to: Point, pen: Pen) {
        self.route(&[from, to], pen);
    }

    /// An arrow through points, its head at the last of them.
    pub fn route(&mut self, points: &[Point], pen: Pen) {
        self.headed(points, pen, (pen.width * 3.0, pen.width * 1.8));
    }

    /// The arrow of a move that has not been made, with an edge that sets it off from whatever it crosses.
    pub fn move_arrow(&mut self, points: &[Point], colours: &Colours) {
        let Some((end, way)) = points.split_last() else { return };
        let Some(from) = way.last() else { return };
        // The edge is a wider arrow that ends a little further on.
        let len = from.distance(*end).max(1e-3);
        let tip = end.shift((end.x - from.x) / len * 0.06, (end.y - from.y) / len * 0.06);
        let edge: Vec<Point> = way.iter().copied().chain([tip]).collect();
        self.headed(&edge, Pen::new(colours.back, 0.16), (0.4, 0.24));
        self.headed(points, Pen::new(colours.accent, 0.1), (0.3, 0.18));
    }

    /// An arrow with a head of this length and half width.
    fn headed(&mut self, points: &[Point], pen: Pen, (head, side): (f32, f32)) {
        let [before @ .., from, to] = points else { return };
        let len = from.distance(*to).max(1e-3);
        let (ux, uy) = ((to.x - from.x) / len, (to.y - from.y) / len);
        let side = side * (len / head).min(1.0);
        let head = head.min(len);
        let neck = to.shift(-ux * head, -uy * head);
        self.line(before.iter().chain([from, &neck]).copied().collect::<Vec<_>>(), pen);
        self.polygon(
            vec![*to, neck.shift(-uy * side, ux * side), neck.shift(uy * side, -ux * side)],
            pen.colour,
            Pen::NONE,
        );
    }

    /// A body of one or more cells, shifted by `(dx, dy)`: free edges stand back by `inset`, outer corners are rounded.
    pub fn body(&mut self, cells: &[Cell], (dx, dy): (f32, f32), inset: f32, round: f32, fill: Rgba) {
        let has = |c: Cell| cells.contains(&c);
        for &c in cells {
            let [up, right, down, left] = Dir::ALL.map(|d| has(c.step(d)));
            let gap = |joined: bool| if joined { 0.0 } else { inset };
            let (x, y) = (f32::from(c.x) + dx + gap(left), f32::from(c.y) + dy + gap(up));
            let w = f32::from(c.x) + dx + 1.0 - gap(right) - x;
            let h = f32::from(c.y) + dy + 1.0 - gap(down) - y;
            let corner = |a: bool, b: bool| if a || b { 0.0 } else { round };
            let round = [corner(up, left), corner(up, right), corner(down, right), corner(down, left)];
            self.figures.push(Figure::Rect { area: Area::new(x, y, w, h), round, fill, pen: Pen::NONE });
            // Where two neighbours meet around a concave corner, their own insets leave a notch that belongs to the gap: nothing to mend.
        }
    }

    /// The outline of such a body, as line segments along its free edges.
    pub fn body_outline(&mut self, cells: &[Cell], (dx, dy): (f32, f32), inset: f32, pen: Pen) {
        let has = |c: Cell| cells.contains(&c);
        for &c in cells {
            let (x, y) = (f32::from(c.x) + dx, f32::from(c.y) + dy);
            for d in Dir::ALL {
                if has(c.step(d)) {
                    continue;
                }
                // Along the edge, from its left to its right as seen from inside; pulled in or pushed out at corners.
                let (ux, uy) = d.delta();
                let (ux, uy) = (f32::from(ux), f32::from(uy));
                let (sx, sy) = (-uy, ux);
                let end = |sign: f32, side: Cell| {
                    let convex = !has(side);
                    let along = if convex {
                        0.5 - inset
                    } else if has(side.step(d)) {
                        0.5 + inset
                    } else {
                        0.5
                    };
                    point(
                        x + 0.5 + ux * (0.5 - inset) + sx * sign * along,
                        y + 0.5 + uy * (0.5 - inset) + sy * sign * along,
                    )
                };
                let (dxs, dys) = (sx as i16, sy as i16);
                let a = end(1.0, c.offset(dxs, dys));
                let b = end(-1.0, c.offset(-dxs, -dys));
                self.line(vec![a, b], pen);
            }
        }
    }

    /// The pattern that belongs to a piece colour, drawn over a cell at `(x, y)`, so that colour is never the only sign.
    pub fn pattern(&mut self, colour: usize, (x, y): (f32, f32), ink: Rgba) {
        let p = |u: f32, v: f32| point(x + u, y + v);
        let pen = Pen::new(ink, 0.06);
        match colour % 12 {
            0 => self.circle(p(0.5, 0.5), 0.13, ink, Pen::NONE),
            1 => self.line(vec![p(0.3, 0.7), p(0.7, 0.3)], Pen::new(ink, 0.09)),
            2 => {
                self.line(vec![p(0.5, 0.3), p(0.5, 0.7)], pen);
                self.line(vec![p(0.3, 0.5), p(0.7, 0.5)], pen);
            }
            3 => self.polygon(vec![p(0.5, 0.32), p(0.68, 0.66), p(0.32, 0.66)], ink, Pen::NONE),
            4 => self.rect(Area::new(x + 0.36, y + 0.36, 0.28, 0.28), 0.0, ink, Pen::NONE),
            5 => self.circle(p(0.5, 0.5), 0.17, Rgba::CLEAR, pen),
            6 => {
                self.line(vec![p(0.34, 0.34), p(0.66, 0.66)], pen);
                self.line(vec![p(0.34, 0.66), p(0.66, 0.34)], pen);
            }
            7 => {
                self.line(vec![p(0.3, 0.42), p(0.7, 0.42)], pen);
                self.line(vec![p(0.3, 0.58), p(0.7, 0.58)], pen);
            }
            8 => self.polygon(vec![p(0.5, 0.3), p(0.7, 0.5), p(0.5, 0.7), p(0.3, 0.5)], ink, Pen::NONE),
            9 => {
                self.circle(p(0.38, 0.5), 0.08, ink, Pen::NONE);
                self.circle(p(0.62, 0.5), 0.08, ink, Pen::NONE);
            }
            10 => self.line(vec![p(0.3, 0.58), p(0.5, 0.38), p(0.7, 0.58)], pen),
            _ => self.rect(Area::new(x + 0.35, y + 0.35, 0.3, 0.3), 0.0, Rgba::CLEAR, pen),
        }
    }
}

/// The colours of a theme, for boards. The window's own widgets have theirs.
#[derive(Clone, PartialEq, Debug)]
pub struct Colours {
    /// Behind everything.
    pub back: Rgba,
    /// Floor cells.
    pub floor: Rgba,
    /// Every other floor cell, a shade apart.
    pub floor_alt: Rgba,
    /// Lines between cells.
    pub line: Rgba,
    /// Walls and blockers.
    pub wall: Rgba,
    /// The lit edge of walls.
    pub wall_edge: Rgba,
    /// Text and symbols.
    pub ink: Rgba,
    /// Fainter text.
    pub ink_soft: Rgba,
    /// Cursor, selection, the next move.
    pub accent: Rgba,
    /// Good news.
    pub good: Rgba,
    /// Warnings and locks.
    pub warn: Rgba,
    /// Bad news.
    pub bad: Rgba,
    /// The colours of pieces, by index.
    pub pieces: [Rgba; 12],
}

impl Colours {
    /// The calm dark theme.
    pub const fn dark() -> Colours {
        Colours {
            back: Rgba::hex(0x16191f),
            floor: Rgba::hex(0x272c36),
            floor_alt: Rgba::hex(0x2b313c),
            line: Rgba::hex(0x1d2129),
            wall: Rgba::hex(0x5a6375),
            wall_edge: Rgba::hex(0x77829a),
            ink: Rgba::hex(0xe8ebf0),
            ink_soft: Rgba::hex(0x9aa3b2),
            accent: Rgba::hex(0x6cb6ff),
            good: Rgba::hex(0x63c174),
            warn: Rgba::hex(0xf2c14e),
            bad: Rgba::hex(0xf0716c),
            pieces: PIECES,
        }
    }

    /// The light theme.
    pub const fn light() -> Colours {
        Colours {
            back: Rgba::hex(0xe9ebef),
            floor: Rgba::hex(0xffffff),
            floor_alt: Rgba::hex(0xf5f6f9),
            line: Rgba::hex(0xd5d9e0),
            wall: Rgba::hex(0x8b94a5),
            wall_edge: Rgba::hex(0x6d7687),
            ink: Rgba::hex(0x1f242d),
            ink_soft: Rgba::hex(0x5f6876),
            accent: Rgba::hex(0x1a6fd0),
            good: Rgba::hex(0x2c8a43),
            warn: Rgba::hex(0xb57b05),
            bad: Rgba::hex(0xc93c37),
            pieces: PIECES,
        }
    }
}

impl Colours {
    /// The same theme with colours that stay apart for eyes that see red and green, or blue and yellow, alike. They were found by a search over all
    /// pairs as such eyes see them, within the hues that the names of the colours promise; symbols and patterns stay as they are.
    pub const fn for_all_eyes(self) -> Colours {
        let dark = self.back.0 < 0x80;
        let (good, warn, bad) = if dark { (0x4fb3ff, 0xf2c14e, 0xe2653a) } else { (0x0a6bb5, 0x9a6a00, 0xa82a05) };
        Colours {
            good: Rgba::hex(good),
            warn: Rgba::hex(warn),
            bad: Rgba::hex(bad),
            pieces: PIECES_FOR_ALL_EYES,
            ..self
        }
    }
}

/// As [`PIECES`], by the same names, for [`Colours::for_all_eyes`].
const PIECES_FOR_ALL_EYES: [Rgba; 12] = [
    Rgba::hex(0xaf300b),
    Rgba::hex(0x54a261),
    Rgba::hex(0x102b7c),
    Rgba::hex(0xfbf110),
    Rgba::hex(0x9416e7),
    Rgba::hex(0xe48610),
    Rgba::hex(0x07d6e9),
    Rgba::hex(0xa3598d),
    Rgba::hex(0x5d230c),
    Rgba::hex(0xd9ff89),
    Rgba::hex(0x23a3f4),
    Rgba::hex(0xa5a5a5),
];

/// Red, green, blue, yellow, purple, orange, teal, pink, brown, lime, sky, grey.
const PIECES: [Rgba; 12] = [
    Rgba::hex(0xe5534b),
    Rgba::hex(0x3fa65a),
    Rgba::hex(0x3f82e0),
    Rgba::hex(0xe3b431),
    Rgba::hex(0x9a63d6),
    Rgba::hex(0xe8853a),
    Rgba::hex(0x2fa8a0),
    Rgba::hex(0xe07aa8),
    Rgba::hex(0xa06b45),
    Rgba::hex(0x93b83a),
    Rgba::hex(0x63b7dd),
    Rgba::hex(0x8d95a3),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A colour in CIE L*a*b*, as an eye sees it whose sight is this matrix over linear light (Machado, Oliveira and Fernandes 2009).
    fn seen(c: Rgba, sight: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = [c.0, c.1, c.2].map(|v| {
            let v = f64::from(v) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        });
        let dot = |row: [f64; 3], v: [f64; 3]| row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
        let light = sight.map(|row| dot(row, linear).clamp(0.0, 1.0));
        let part = |row, white: f64| {
            let t = dot(row, light) / white;
            if t > 0.008856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 }
        };
        let x = part([0.4124, 0.3576, 0.1805], 0.95047);
        let y = part([0.2126, 0.7152, 0.0722], 1.0);
        let z = part([0.0193, 0.1192, 0.9505], 1.08883);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    const SIGHTS: [(&str, [[f64; 3]; 3]); 4] = [
        ("full", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        ("no red", [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
        (
            "no green",
            [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        ),
        (
            "no blue",
            [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
        ),
    ];

    /// The least distance between two of the first `among` piece colours over all kinds of colour vision.
    fn least_apart(colours: &Colours, among: usize) -> f64 {
        let mut least = f64::INFINITY;
        for (_, sight) in SIGHTS {
            let seen: Vec<_> = colours.pieces[..among].iter().map(|c| seen(*c, sight)).collect();
            for (i, a) in seen.iter().enumerate() {
                for b in &seen[..i] {
                    let d = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                    least = least.min(d);
                }
            }
        }
        least
    }

    #[test]
    fn the_colours_for_all_eyes_stay_apart_for_all_kinds_of_sight() {
        let (usual, for_all) = (Colours::dark(), Colours::dark().for_all_eyes());
        assert!(least_apart(&for_all, 8) > 25.0, "{}", least_apart(&for_all, 8));
        assert!(least_apart(&for_all, 12) > 17.0, "{}", least_apart(&for_all, 12));
        assert!(least_apart(&for_all, 12) > 2.0 * least_apart(&usual, 12), "more than twice as far as the usual ones");
    }
}
