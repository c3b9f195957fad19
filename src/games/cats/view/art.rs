//! The things on a board, drawn: bodies of joined cells, cats, stones, padlocks. They know colours and places, and no rules.

use crate::{
    grid::{Cell, Dir},
    picture::{Area, Colours, Figure, Pen, Picture, Point, Rgba, point},
};

pub(super) const WHITE: Rgba = Rgba::hex(0xff_ffff);
pub(super) const BLACK: Rgba = Rgba::hex(0x00_0000);
/// The yellow of locks: on their own dark ground, so the same in every theme.
const LOCK_YELLOW: Rgba = Rgba::hex(0xff_d257);

// --------------------------------------------------------------------------------------------------------------------- bodies

/// A set of cells, prepared to be drawn as one body in several layers.
///
/// It is put together from long rectangles that overlap rather than meet, so that no seam shows where a renderer softens edges, and so that
/// a whole board is a few hundred figures. The fill must be opaque for the same reason.
pub(super) struct Body {
    /// Rectangles of cells: column, row, columns, rows.
    runs: Vec<[i16; 4]>,
    /// Where four cells meet: the insets of the runs would leave a hole. Column and row of the first, and how many in a row.
    knots: Vec<[i16; 3]>,
    /// Concave corners: the corner of the grid, and the direction in which the body is missing.
    nooks: Vec<(Cell, f32, f32)>,
}

impl Body {
    /// The body of these cells; `has` knows them too, and quickly.
    pub(super) fn new(cells: impl Iterator<Item = Cell>, has: impl Fn(Cell) -> bool) -> Body {
        let mut body = Body { runs: Vec::new(), knots: Vec::new(), nooks: Vec::new() };
        let full = |c: Cell| [(0, 0), (1, 0), (0, 1), (1, 1)].iter().all(|(x, y)| has(c.offset(*x, *y)));
        let length = |from: Cell, dir: Dir, is: &dyn Fn(Cell) -> bool| {
            let mut n = 1;
            let mut c = from.step(dir);
            while is(c) {
                n += 1;
                c = c.step(dir);
            }
            n
        };
        for c in cells {
            let [up, right, down, left] = Dir::ALL.map(|d| has(c.step(d)));
            if !left && right {
                body.runs.push([c.x, c.y, length(c, Dir::Right, &has), 1]);
            }
            if !up && down {
                body.runs.push([c.x, c.y, 1, length(c, Dir::Down, &has)]);
            }
            if ![up, right, down, left].contains(&true) {
                body.runs.push([c.x, c.y, 1, 1]);
            }
            if full(c) && !full(c.offset(-1, 0)) {
                body.knots.push([c.x, c.y, length(c, Dir::Right, &full)]);
            }
            for (dx, dy, joined) in
                [(1, -1, up && right), (1, 1, right && down), (-1, 1, down && left), (-1, -1, left && up)]
            {
                if joined && !has(c.offset(dx, dy)) {
                    let corner = c.offset((dx + 1) / 2, (dy + 1) / 2);
                    body.nooks.push((corner, f32::from(dx), f32::from(dy)));
                }
            }
        }
        body
    }

    /// The same with sharp inner corners, for when they are too small to be seen.
    pub(super) fn plain(mut self) -> Body {
        self.nooks.clear();
        self
    }

    /// Fills it: edges stand back by `inset`, outer corners are rounded, inner ones a little.
    pub(super) fn fill(&self, picture: &mut Picture, (dx, dy): (f32, f32), inset: f32, round: f32, fill: Rgba) {
        let at = |x: i16, y: i16| (f32::from(x) + dx, f32::from(y) + dy);
        for [x, y, w, h] in &self.runs {
            let (left, top) = at(*x, *y);
            let area = Area::new(left, top, f32::from(*w), f32::from(*h)).inset(inset);
            picture.rect(area, round.min(area.w / 2.0).min(area.h / 2.0), fill, Pen::NONE);
        }
        let half = inset.max(0.0) + 0.06;
        for [x, y, n] in &self.knots {
            let (left, top) = at(x + 1, y + 1);
            let area = Area::new(left - half, top - half, f32::from(n - 1) + 2.0 * half, 2.0 * half);
            picture.rect(area, 0.0, fill, Pen::NONE);
        }
        if round <= 0.0 {
            return;
        }
        // An inner corner is rounded by two triangles up to the arc and a square over their seam, all reaching into the body.
        let leg = round * 0.7;
        let mid = leg * (1.0 - std::f32::consts::FRAC_1_SQRT_2);
        for (corner, sx, sy) in &self.nooks {
            let (x, y) = at(corner.x, corner.y);
            let p = |u: f32, v: f32| point(x + sx * (u - inset), y + sy * (v - inset));
            let inside = p(-0.04, -0.04);
            picture.polygon([inside, p(leg, 0.0), p(mid, mid)], fill, Pen::NONE);
            picture.polygon([inside, p(mid, mid), p(0.0, leg)], fill, Pen::NONE);
            picture.polygon([inside, p(mid, -0.04), p(mid, mid), p(-0.04, mid)], fill, Pen::NONE);
        }
    }
}

/// The three layers that make a body a thing: a dark lower edge, a light upper one, and the face between.
pub(super) fn relief(picture: &mut Picture, body: &Body, at: (f32, f32), inset: f32, face: Rgba) {
    const ROUND: f32 = 0.2;
    let thick = 0.045;
    body.fill(picture, (at.0, at.1 + thick), inset, ROUND, face.mix(BLACK, 0.34));
    body.fill(picture, (at.0, at.1 - thick), inset, ROUND, face.mix(WHITE, 0.38));
    body.fill(picture, at, inset, ROUND, face);
}

// --------------------------------------------------------------------------------------------------------------- small pictures

/// Puts a picture into another, smaller and elsewhere.
pub(super) fn place(picture: &mut Picture, part: Picture, scale: f32, (dx, dy): (f32, f32)) {
    let spot = |p: Point| point(p.x * scale + dx, p.y * scale + dy);
    let pen = |p: Pen| Pen::new(p.colour, p.width * scale);
    picture.figures.extend(part.figures.into_iter().map(|figure| match figure {
        Figure::Rect { area, round, fill, pen: p } => {
            let corner = spot(point(area.x, area.y));
            let area = Area::new(corner.x, corner.y, area.w * scale, area.h * scale);
            Figure::Rect { area, round: round.map(|r| r * scale), fill, pen: pen(p) }
        }
        Figure::Circle { at, radius, fill, pen: p } => {
            Figure::Circle { at: spot(at), radius: radius * scale, fill, pen: pen(p) }
        }
        Figure::Polygon { points, fill, pen: p } => {
            Figure::Polygon { points: points.into_iter().map(spot).collect(), fill, pen: pen(p) }
        }
        Figure::Line { points, pen: p } => Figure::Line { points: points.into_iter().map(spot).collect(), pen: pen(p) },
        Figure::Text { at, size, text, colour } => Figure::Text { at: spot(at), size: size * scale, text, colour },
    }));
}

/// How much of a cat is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Detail {
    /// Head, ears and eyes: for boards seen from afar.
    Least,
    /// All but whiskers and mouth.
    Some,
    /// Everything.
    All,
}

/// How a cat looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Mood {
    Awake,
    /// Found: it closes its eyes and curls up, as far as this, from 0 to 1.
    Curled(f32),
}

/// A cat's face around `at`, as large as a cell at `scale` 1; its fur has one of the colours of pieces.
pub(super) fn cat(
    picture: &mut Picture,
    at: Point,
    scale: f32,
    (colour, colours): (usize, &Colours),
    opacity: f32,
    (detail, mood): (Detail, Mood),
) {
    let curled = if let Mood::Curled(t) = mood { t } else { 0.0 };
    let fur = colours.pieces[colour % 12];
    let shade = |c: Rgba| c.faded(opacity);
    // A cat that curls up becomes lower and a little wider, down to the floor.
    let (wide, high) = (scale * (1.0 + 0.12 * curled), scale * (1.0 - 0.32 * curled));
    let down = 0.32 * (scale - high);
    let p = |u: f32, v: f32| point(at.x + u * wide, at.y + v * high + down);
    let area = |u: f32, v: f32, w: f32, h: f32| Area::new(at.x + u * wide, at.y + v * high + down, w * wide, h * high);
    let rim = shade(fur.mix(BLACK, 0.5));
    let ear = |side: f32| [p(side * 0.335, -0.37), p(side * 0.06, -0.23), p(side * 0.33, 0.0)];
    let head = area(-0.36, -0.255, 0.72, 0.58);
    let eyes = Rgba::hex(0x1c_2027);

    if detail > Detail::Least {
        let line = Pen::new(rim, 0.05 * scale);
        for side in [-1.0, 1.0] {
            picture.polygon(ear(side), rim, line);
        }
        picture.rect(head, 0.28 * scale, rim, line);
    }
    for side in [-1.0, 1.0] {
        picture.polygon(ear(side), shade(fur.mix(BLACK, 0.08)), Pen::NONE);
        if detail > Detail::Least {
            let inner = [p(side * 0.295, -0.295), p(side * 0.15, -0.215), p(side * 0.29, -0.1)];
            picture.polygon(inner, shade(fur.mix(Rgba::hex(0xff_dcd8), 0.62)), Pen::NONE);
        }
    }
    picture.rect(head, 0.28 * scale, shade(fur), Pen::NONE);
    if detail == Detail::Least {
        for side in [-1.0, 1.0] {
            picture.rect(area(side * 0.16 - 0.065, -0.06, 0.13, 0.2), 0.06 * scale, shade(eyes), Pen::NONE);
        }
        return;
    }
    // The colour's sign on the forehead, then cheeks, eyes, nose.
    let mut sign = Picture::default();
    sign.pattern(colour, (-0.5, -0.5), shade(fur.mix(fur.mark(), 0.62)));
    place(picture, sign, 0.42 * high, (at.x, at.y - 0.155 * high + down));
    let cream = shade(fur.mix(WHITE, 0.74));
    for side in [-1.0, 1.0] {
        picture.rect(area(side * 0.085 - 0.115, 0.085, 0.23, 0.19), 0.095 * scale, cream, Pen::NONE);
    }
    for side in [-1.0, 1.0] {
        if mood == Mood::Awake {
            picture.rect(area(side * 0.185 - 0.062, -0.055, 0.124, 0.16), 0.062 * scale, shade(eyes), Pen::NONE);
            picture.circle(p(side * 0.185 + 0.022, -0.012), 0.026 * scale, shade(WHITE), Pen::NONE);
        } else {
            let lid = [(-0.075, 0.05), (-0.04, 0.005), (0.0, -0.01), (0.04, 0.005), (0.075, 0.05)];
            let lid = lid.map(|(u, v)| p(side * 0.185 + u, v));
            picture.line(lid, Pen::new(shade(eyes), 0.045 * scale));
        }
    }
    let nose = [p(-0.048, 0.095), p(0.048, 0.095), p(0.0, 0.148)];
    picture.polygon(nose, shade(Rgba::hex(0xb8_4a5a)), Pen::NONE);
    if detail < Detail::All {
        return;
    }
    let thin = Pen::new(shade(eyes.mix(fur, 0.25)), 0.024 * scale);
    picture.line([p(-0.09, 0.185), p(-0.05, 0.213), p(0.0, 0.183), p(0.05, 0.213), p(0.09, 0.185)], thin);
    picture.line([p(0.0, 0.13), p(0.0, 0.185)], thin);
    // Bright on the fur and on dark floor, with a dark edge for bright floor.
    for (colour, width) in [(fur.mix(BLACK, 0.6), 0.04), (fur.mix(WHITE, 0.82), 0.02)] {
        let whisker = Pen::new(shade(colour), width * scale);
        for side in [-1.0, 1.0] {
            picture.line([p(side * 0.235, 0.155), p(side * 0.45, 0.115)], whisker);
            picture.line([p(side * 0.23, 0.205), p(side * 0.44, 0.225)], whisker);
        }
    }
}

/// A padlock in the middle of a cell, with how many cats it waits for.
pub(super) fn padlock(picture: &mut Picture, middle: Point, waits: Option<u32>) {
    let (x, y) = (middle.x, middle.y + 0.02);
    let dark = Rgba::hex(0x1b_1f27);
    let bow: Vec<_> = (0..=10)
        .map(|i| {
            let angle = std::f32::consts::PI * (1.0 + i as f32 / 10.0);
            point(x + 0.145 * angle.cos(), y - 0.12 + 0.17 * angle.sin())
        })
        .collect();
    let bow: Vec<_> = std::iter::once(point(x - 0.145, y)).chain(bow).chain([point(x + 0.145, y)]).collect();
    picture.line(bow.clone(), Pen::new(dark, 0.14));
    picture.line(bow, Pen::new(LOCK_YELLOW, 0.065));
    let plate = Area::new(x - 0.27, y - 0.1, 0.54, 0.42);
    picture.rect(plate, 0.11, dark, Pen::new(LOCK_YELLOW, 0.04));
    match waits {
        Some(n) => {
            let size = if n > 99 { 0.22 } else { 0.36 };
            picture.text(point(x, y + 0.11), size, n.to_string(), LOCK_YELLOW);
        }
        None => {
            picture.circle(point(x, y + 0.07), 0.06, LOCK_YELLOW, Pen::NONE);
            picture.line([point(x, y + 0.08), point(x, y + 0.2)], Pen::new(LOCK_YELLOW, 0.05));
        }
    }
}

/// Chips and a crack on the face of a stone, different from cell to cell and always the same.
pub(super) fn stone_marks(picture: &mut Picture, c: Cell, colours: &Colours) {
    let n = (c.x as u16 as u32)
        .wrapping_mul(73)
        .wrapping_add((c.y as u16 as u32).wrapping_mul(151))
        .wrapping_mul(2_654_435_761);
    let unit = |shift: u32| ((n >> shift) & 15) as f32 / 15.0;
    let (x, y) = (f32::from(c.x), f32::from(c.y));
    let dark = colours.wall.mix(BLACK, 0.2);
    let from = point(x + 0.25 + 0.12 * unit(4), y + 0.28 + 0.2 * unit(8));
    let bend = from.shift(0.13, 0.1 + 0.06 * unit(12));
    picture.line([from, bend, bend.shift(0.12 * unit(16), 0.13)], Pen::new(dark, 0.035));
    picture.circle(point(x + 0.66 + 0.1 * unit(20), y + 0.3 + 0.1 * unit(24)), 0.035, dark, Pen::NONE);
    picture.circle(point(x + 0.3 + 0.3 * unit(10), y + 0.75), 0.026, dark, Pen::NONE);
}
