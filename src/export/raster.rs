//! Pictures as pixels, without a window: `tiny-skia` fills the outlines of `path.rs`.

use super::path::{self, Seg};
use crate::picture::{Area, Picture, Rgba};
use tiny_skia::{Color, FillRule, Paint, PathBuilder, Pixmap, Stroke, Transform};

/// No picture has more pixels in a row or column than this.
pub const LONGEST: u32 = 16_384;
/// No picture has more pixels than this.
pub const MOST_PIXELS: u64 = 64 << 20;

/// A board's place on a raster: a margin around its extent, all in whole pixels so that the lines between cells stay crisp.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Frame {
    /// Pixels a cell.
    pub cell_px: u32,
    /// Pixels across.
    pub w: u32,
    /// Pixels down.
    pub h: u32,
    /// Where the board's (0, 0) is, in pixels.
    pub origin: (f32, f32),
}

impl Frame {
    /// Cells around the board that belong to the picture, as a part of a cell.
    const MARGIN: f32 = 0.25;

    /// The frame of a board, or a sentence if it would be too large.
    pub fn new(extent: Area, cell_px: u32) -> Result<Frame, String> {
        let s = cell_px as f32;
        let side = |from: f32, length: f32| {
            let before = ((Frame::MARGIN - from) * s).ceil();
            (before, before + ((from + length + Frame::MARGIN) * s).ceil())
        };
        let ((left, w), (top, h)) = (side(extent.x, extent.w), side(extent.y, extent.h));
        let fits = |n: f32| n.is_finite() && n >= 1.0 && n <= LONGEST as f32;
        if !fits(w) || !fits(h) || (w as u64) * (h as u64) > MOST_PIXELS {
            return Err(format!("a picture of {w} x {h} pixels is too large: choose smaller cells"));
        }
        Ok(Frame { cell_px, w: w as u32, h: h as u32, origin: (left, top) })
    }

    /// The largest cell size up to `wish` with which a board has at most so many pixels, and at least 4.
    pub fn fitting(extent: Area, wish: u32, most_pixels: u64) -> u32 {
        let fits = |px: &u32| Frame::new(extent, *px).is_ok_and(|f| u64::from(f.w) * u64::from(f.h) <= most_pixels);
        (4..=wish.max(4)).rev().find(fits).unwrap_or(4)
    }
}

/// Draws a picture on a ground.
pub fn draw(picture: &Picture, frame: &Frame, back: Rgba) -> Result<Pixmap, String> {
    let mut pixmap = Pixmap::new(frame.w, frame.h).ok_or("there is no memory for this picture")?;
    let Rgba(r, g, b, a) = back;
    pixmap.fill(Color::from_rgba8(r, g, b, a));
    add(&mut pixmap, picture, frame.cell_px as f32, frame.origin);
    Ok(pixmap)
}

/// Red, green, blue and opacity of each pixel, row by row.
pub fn rgba(pixmap: &Pixmap) -> Vec<u8> {
    let bytes = pixmap.pixels().iter().flat_map(|p| {
        let c = p.demultiply();
        [c.red(), c.green(), c.blue(), c.alpha()]
    });
    bytes.collect()
}

/// Draws a picture into a raster, scaled and moved.
pub fn add(pixmap: &mut Pixmap, picture: &Picture, scale: f32, origin: (f32, f32)) {
    for figure in &picture.figures {
        let shape = path::shape(figure);
        let Some(path) = outline(&shape.path, scale, origin) else { continue };
        if shape.fill.3 > 0 {
            pixmap.fill_path(&path, &paint(shape.fill), FillRule::Winding, Transform::identity(), None);
        }
        if shape.pen.colour.3 > 0 && shape.pen.width > 0.0 {
            let stroke = Stroke { width: shape.pen.width * scale, ..Stroke::default() };
            pixmap.stroke_path(&path, &paint(shape.pen.colour), &stroke, Transform::identity(), None);
        }
    }
}

/// Fills an outline, scaled.
pub fn fill(pixmap: &mut Pixmap, segs: &[Seg], colour: Rgba, scale: f32) {
    if let Some(path) = outline(segs, scale, (0.0, 0.0)) {
        pixmap.fill_path(&path, &paint(colour), FillRule::Winding, Transform::identity(), None);
    }
}

fn outline(segs: &[Seg], scale: f32, origin: (f32, f32)) -> Option<tiny_skia::Path> {
    let mut path = PathBuilder::new();
    for seg in segs {
        match seg.placed(scale, origin) {
            Seg::Move(a) => path.move_to(a.x, a.y),
            Seg::Line(a) => path.line_to(a.x, a.y),
            Seg::Quad(a, b) => path.quad_to(a.x, a.y, b.x, b.y),
            Seg::Cubic(a, b, c) => path.cubic_to(a.x, a.y, b.x, b.y, c.x, c.y),
            Seg::Close => path.close(),
        }
    }
    path.finish()
}

fn paint(Rgba(r, g, b, a): Rgba) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, a);
    paint
}
