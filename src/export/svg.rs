//! A level as an SVG picture: each figure of the board as one element, so that it can be taken apart in a drawing program. Letters are outlines
//! and need no font.

use super::{
    Exported, Options,
    path::{self, Seg},
    raster::Frame,
};
use crate::{
    document::{Board, Doc},
    game::NotMade,
    picture::{Figure, Pen, Point, Rgba},
};
use std::fmt::Write as _;

/// A number with at most three places, and no more of them than it needs.
pub(super) fn number(x: f32) -> String {
    let text = format!("{x:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// Text between tags.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // Control characters are not allowed in XML at all.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

struct Page {
    text: String,
    scale: f32,
    origin: (f32, f32),
}

impl Page {
    fn n(&self, length: f32) -> String {
        number(length * self.scale)
    }

    fn x(&self, x: f32) -> String {
        number(x * self.scale + self.origin.0)
    }

    fn y(&self, y: f32) -> String {
        number(y * self.scale + self.origin.1)
    }

    fn points(&self, points: &[Point]) -> String {
        let all: Vec<_> = points.iter().map(|p| format!("{},{}", self.x(p.x), self.y(p.y))).collect();
        all.join(" ")
    }

    fn paint(&self, fill: Rgba, pen: Pen) -> String {
        let mut out = String::new();
        let mut colour = |name: &str, c: Rgba| {
            let _ = write!(out, " {name}=\"#{:02x}{:02x}{:02x}\"", c.0, c.1, c.2);
            if c.3 < 255 {
                let _ = write!(out, " {name}-opacity=\"{}\"", number(f32::from(c.3) / 255.0));
            }
        };
        if fill.3 > 0 {
            colour("fill", fill);
        }
        let drawn = pen.colour.3 > 0 && pen.width > 0.0;
        if drawn {
            colour("stroke", pen.colour);
        }
        if fill.3 == 0 {
            out.push_str(" fill=\"none\"");
        }
        if drawn {
            let _ = write!(out, " stroke-width=\"{}\"", self.n(pen.width));
        }
        out
    }

    fn path(&self, segs: &[Seg]) -> String {
        let p = |a: Point| format!("{} {}", number(a.x), number(a.y));
        let placed = segs.iter().map(|s| s.placed(self.scale, self.origin));
        let parts = placed.map(|s| match s {
            Seg::Move(a) => format!("M{}", p(a)),
            Seg::Line(a) => format!("L{}", p(a)),
            Seg::Quad(a, b) => format!("Q{} {}", p(a), p(b)),
            Seg::Cubic(a, b, c) => format!("C{} {} {}", p(a), p(b), p(c)),
            Seg::Close => "Z".into(),
        });
        parts.collect()
    }

    fn figure(&mut self, figure: &Figure) {
        let visible = |c: &Rgba| c.3 > 0;
        let element = match figure {
            Figure::Rect { area: a, round, fill, pen } if round.iter().all(|r| *r == round[0]) => {
                let most = a.w.min(a.h) / 2.0;
                let r = round[0].min(most);
                let round = if r > 0.0 { format!(" rx=\"{}\"", self.n(r)) } else { String::new() };
                let (x, y, w, h) = (self.x(a.x), self.y(a.y), self.n(a.w), self.n(a.h));
                let paint = self.paint(*fill, *pen);
                format!("<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"{round}{paint}/>")
            }
            Figure::Circle { at, radius, fill, pen } => {
                let (x, y, r) = (self.x(at.x), self.y(at.y), self.n(*radius));
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"{}/>", self.paint(*fill, *pen))
            }
            Figure::Polygon { points, fill, pen } => {
                format!("<polygon points=\"{}\"{}/>", self.points(points), self.paint(*fill, *pen))
            }
            Figure::Line { points, pen } => {
                format!("<polyline points=\"{}\"{}/>", self.points(points), self.paint(Rgba::CLEAR, *pen))
            }
            Figure::Text { text, colour, .. } => {
                let path = self.path(&path::shape(figure).path);
                let label = escaped(text).replace('"', "&quot;");
                let paint = self.paint(*colour, Pen::NONE);
                format!("<path aria-label=\"{label}\" d=\"{path}\"{paint}/>")
            }
            Figure::Rect { fill, pen, .. } => {
                format!("<path d=\"{}\"{}/>", self.path(&path::shape(figure).path), self.paint(*fill, *pen))
            }
        };
        let shown = match figure {
            Figure::Rect { fill, pen, .. } | Figure::Circle { fill, pen, .. } | Figure::Polygon { fill, pen, .. } => {
                visible(fill) || visible(&pen.colour)
            }
            Figure::Line { pen, .. } => visible(&pen.colour),
            Figure::Text { colour, .. } => visible(colour),
        };
        if shown {
            let _ = writeln!(self.text, "  {element}");
        }
    }
}

pub(super) fn write(doc: &dyn Doc, options: &Options) -> Result<Exported, NotMade> {
    let extent = doc.extent(Board::Draft);
    let cell_px = options.cell_px(extent, 64, u64::MAX)?;
    let frame = Frame::new(extent, cell_px).map_err(NotMade::Refused)?;
    let picture = doc.opening(&options.colours, cell_px as f32);
    let (w, h) = (frame.w, frame.h);
    let mut page = Page { text: String::new(), scale: cell_px as f32, origin: frame.origin };
    let _ = writeln!(
        page.text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
         role=\"img\" stroke=\"none\">"
    );
    let _ = writeln!(page.text, "  <title>{}</title>", escaped(&super::title(doc)));
    let back = page.paint(options.colours.back, Pen::NONE);
    let _ = writeln!(page.text, "  <rect width=\"{w}\" height=\"{h}\"{back}/>");
    for figure in &picture.figures {
        page.figure(figure);
    }
    page.text.push_str("</svg>\n");
    Ok(Exported::new(page.text.into_bytes()))
}
