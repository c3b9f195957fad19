//! Figures as outlines: what the raster and the page writers draw.
//!
//! Every figure of a [`Picture`](crate::picture::Picture), letters included, becomes one outline with a filling and a pen, still in board units. Letters come
//! from the fonts that the window uses (Ubuntu Light, then Hack for what it lacks), so that a picture looks the same on every machine and needs no
//! font where it is shown. No kerning, no right-to-left: figures hold short words and digits.

use crate::picture::{Area, Figure, Pen, Point, Rgba, point};
use skrifa::{
    FontRef, GlyphId, MetadataProvider as _,
    instance::{LocationRef, Size},
    outline::{DrawSettings, OutlinePen},
};

/// A piece of an outline.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Seg {
    /// Lift the pen and go there.
    Move(Point),
    /// A straight line.
    Line(Point),
    /// A quadratic curve: its handle, its end.
    Quad(Point, Point),
    /// A cubic curve: its two handles, its end.
    Cubic(Point, Point, Point),
    /// Back to where the pen was put down.
    Close,
}

impl Seg {
    /// The same, moved and scaled: `p` becomes `p * scale + (dx, dy)`.
    pub fn placed(self, scale: f32, (dx, dy): (f32, f32)) -> Seg {
        let f = |p: Point| point(p.x * scale + dx, p.y * scale + dy);
        match self {
            Seg::Move(a) => Seg::Move(f(a)),
            Seg::Line(a) => Seg::Line(f(a)),
            Seg::Quad(a, b) => Seg::Quad(f(a), f(b)),
            Seg::Cubic(a, b, c) => Seg::Cubic(f(a), f(b), f(c)),
            Seg::Close => Seg::Close,
        }
    }
}

/// An outline with its filling and its pen; either may be invisible.
#[derive(Clone, PartialEq, Debug)]
pub struct Shape {
    /// The outline.
    pub path: Vec<Seg>,
    /// Inside.
    pub fill: Rgba,
    /// The line along it.
    pub pen: Pen,
}

/// How far the handles of a quarter circle lie from its ends.
const KAPPA: f32 = 0.552_284_8;

/// A figure as an outline.
pub fn shape(figure: &Figure) -> Shape {
    match figure {
        Figure::Rect { area, round, fill, pen } => Shape { path: rect(*area, *round), fill: *fill, pen: *pen },
        Figure::Circle { at, radius, fill, pen } => {
            let area = Area::new(at.x - radius, at.y - radius, 2.0 * radius, 2.0 * radius);
            Shape { path: rect(area, [*radius; 4]), fill: *fill, pen: *pen }
        }
        Figure::Polygon { points, fill, pen } => Shape { path: through(points, true), fill: *fill, pen: *pen },
        Figure::Line { points, pen } => Shape { path: through(points, false), fill: Rgba::CLEAR, pen: *pen },
        Figure::Text { at, size, text, colour } => {
            let left = at.x - width(Face::Words, text, *size) / 2.0;
            let path = words(Face::Words, text, point(left, at.y + Face::Words.drop() * size), *size);
            Shape { path, fill: *colour, pen: Pen::NONE }
        }
    }
}

fn through(points: &[Point], closed: bool) -> Vec<Seg> {
    let mut path: Vec<_> =
        points.iter().enumerate().map(|(i, p)| if i == 0 { Seg::Move(*p) } else { Seg::Line(*p) }).collect();
    if closed && !path.is_empty() {
        path.push(Seg::Close);
    }
    path
}

fn rect(a: Area, round: [f32; 4]) -> Vec<Seg> {
    let most = (a.w.min(a.h) / 2.0).max(0.0);
    let [tl, tr, br, bl] = round.map(|r| r.clamp(0.0, most));
    let (right, bottom) = (a.x + a.w, a.y + a.h);
    // Each corner: where its rounding begins, the corner itself, where it ends.
    let corners = [
        [point(right - tr, a.y), point(right, a.y), point(right, a.y + tr)],
        [point(right, bottom - br), point(right, bottom), point(right - br, bottom)],
        [point(a.x + bl, bottom), point(a.x, bottom), point(a.x, bottom - bl)],
        [point(a.x, a.y + tl), point(a.x, a.y), point(a.x + tl, a.y)],
    ];
    let mut path = vec![Seg::Move(point(a.x + tl, a.y))];
    for [from, by, to] in corners {
        path.push(Seg::Line(from));
        if from != to {
            path.push(Seg::Cubic(from.towards(by, KAPPA), to.towards(by, KAPPA), to));
        }
    }
    path.push(Seg::Close);
    path
}

/// Which letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Face {
    /// Ordinary text.
    Words,
    /// All letters equally wide: for lines of moves.
    Code,
}

impl Face {
    fn fonts(self) -> [&'static [u8]; 2] {
        use epaint_default_fonts::{HACK_REGULAR, UBUNTU_LIGHT};
        match self {
            Face::Words => [UBUNTU_LIGHT, HACK_REGULAR],
            Face::Code => [HACK_REGULAR, UBUNTU_LIGHT],
        }
    }

    /// How far below the middle of a line its letters stand, for letters of height 1.
    fn drop(self) -> f32 {
        let Ok(font) = FontRef::new(self.fonts()[0]) else { return 0.35 };
        let m = font.metrics(Size::new(1.0), LocationRef::default());
        (m.ascent + m.descent) / 2.0
    }
}

/// The font that has a character, and its number there; one that none has is shown as the first font's empty box.
fn find<'a>(fonts: &[FontRef<'a>], c: char) -> Option<(FontRef<'a>, GlyphId)> {
    let found = fonts.iter().find_map(|f| f.charmap().map(c).map(|id| (f.clone(), id)));
    found.or_else(|| fonts.first().map(|f| (f.clone(), GlyphId::NOTDEF)))
}

fn open(face: Face) -> Vec<FontRef<'static>> {
    // The fonts are part of the program: they can be read.
    face.fonts().iter().filter_map(|bytes| FontRef::new(bytes).ok()).collect()
}

/// How wide a text is.
pub fn width(face: Face, text: &str, size: f32) -> f32 {
    let fonts = open(face);
    let advance = |c: char| {
        let (font, id) = find(&fonts, c)?;
        font.glyph_metrics(Size::new(size), LocationRef::default()).advance_width(id)
    };
    text.chars().filter_map(advance).sum()
}

/// The outlines of a text that begins at a point of its base line.
pub fn words(face: Face, text: &str, from: Point, size: f32) -> Vec<Seg> {
    let fonts = open(face);
    let mut hand = Hand { path: Vec::new(), at: from };
    for c in text.chars() {
        let Some((font, id)) = find(&fonts, c) else { continue };
        if let Some(glyph) = font.outline_glyphs().get(id) {
            let settings = DrawSettings::unhinted(Size::new(size), LocationRef::default());
            // A glyph that cannot be drawn leaves a gap: nothing better can be done about it here.
            let _ = glyph.draw(settings, &mut hand);
        }
        let metrics = font.glyph_metrics(Size::new(size), LocationRef::default());
        hand.at.x += metrics.advance_width(id).unwrap_or(0.0);
    }
    hand.path
}

/// Fonts count upwards, pictures downwards.
struct Hand {
    path: Vec<Seg>,
    at: Point,
}

impl Hand {
    fn p(&self, x: f32, y: f32) -> Point {
        point(self.at.x + x, self.at.y - y)
    }
}

impl OutlinePen for Hand {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.push(Seg::Move(self.p(x, y)));
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.path.push(Seg::Line(self.p(x, y)));
    }
    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.path.push(Seg::Quad(self.p(cx, cy), self.p(x, y)));
    }
    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.path.push(Seg::Cubic(self.p(cx0, cy0), self.p(cx1, cy1), self.p(x, y)));
    }
    fn close(&mut self) {
        self.path.push(Seg::Close);
    }
}
