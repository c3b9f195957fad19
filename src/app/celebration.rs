//! A win on the board: a short burst of confetti over it. The board stays in sight, and nothing waits for it to end.

use super::{canvas::Canvas, theme::egui_colour};
use crate::picture::{Area, Colours, Point, point};
use egui::{Shape, Stroke, epaint::PathShape};
use std::time::Instant;

/// How long it takes, in seconds.
const SECONDS: f32 = 1.3;
const PIECES: u32 = 56;

/// Whether a board was won when it was last seen, and since when that is celebrated.
#[derive(Clone, Copy, Debug, Default)]
pub struct Celebration {
    won: bool,
    since: Option<Instant>,
}

impl Celebration {
    /// Takes note of how the board is now. A win that was not there before is celebrated, if motion is shown at all.
    pub fn see(&mut self, won: bool, animate: bool) {
        if won && !self.won {
            self.since = Some(Instant::now());
        }
        self.won = won;
        self.since = self.since.filter(|s| won && animate && s.elapsed().as_secs_f32() < SECONDS);
    }

    /// Whether it is going on.
    pub fn is_on(&self) -> bool {
        self.since.is_some()
    }

    /// Draws it over a board.
    pub fn draw(&self, canvas: &Canvas, extent: Area, colours: &Colours) {
        let Some(since) = self.since else { return };
        let t = (since.elapsed().as_secs_f32() / SECONDS).clamp(0.0, 1.0);
        for piece in 0..PIECES {
            let corners = confetti(piece, t, extent).map(|p| canvas.view.screen(p)).to_vec();
            let colour = colours.pieces[piece as usize % colours.pieces.len()].faded((2.0 - 2.0 * t).min(1.0));
            let shape = PathShape::convex_polygon(corners, egui_colour(colour), Stroke::NONE);
            canvas.painter.add(Shape::Path(shape));
        }
    }
}

/// The corners of a piece of confetti: thrown up from the middle of the board, turning, falling.
fn confetti(piece: u32, t: f32, extent: Area) -> [Point; 4] {
    let mixed = piece.wrapping_add(1).wrapping_mul(2_654_435_761);
    let part = |shift: u32| ((mixed >> shift) & 255) as f32 / 255.0;
    let reach = extent.w.min(extent.h);
    let (across, up) = ((part(0) - 0.5) * 1.3 * reach, (0.35 + part(8)) * reach);
    let start = extent.middle();
    let at = point(start.x + across * t, start.y - up * t + 1.25 * reach * t * t);
    let (turn, size) = (part(16) * 6.0 + t * (4.0 + 8.0 * part(4)), reach * 0.016);
    let (sin, cos) = turn.sin_cos();
    // Seen from the side and from the front in turn.
    let flat = (turn * 1.7).cos().abs().max(0.15);
    [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(u, v): (f32, f32)| {
        let (u, v) = (u * size * 1.6, v * size * flat);
        at.shift(u * cos - v * sin, u * sin + v * cos)
    })
}
