//! The ghost of the brush: what a click would paint, faint, under the pointer or at the keyboard's cursor.

use super::Tool;
use crate::{
    app::{
        canvas::{self, Canvas},
        theme::egui_colour,
        workshop::OpenLevel,
    },
    document::Board,
    game::Ink,
    grid::{Spot, Sym},
    picture::{Colours, Picture, Rgba},
};
use egui::{Color32, Stroke};

/// What a click would paint, worked out once for each place.
#[derive(Clone, Debug)]
pub struct Ghost {
    key: Key,
    picture: Picture,
    spots: Vec<Spot>,
}

/// What it was worked out for: place, ink, mirror images, draft, scale, theme.
type Key = (Spot, Ink, Vec<Sym>, u64, u32, Rgba);

/// Draws it, unless something else is being done.
pub fn draw(open: &mut OpenLevel, canvas: &Canvas, colours: &Colours) {
    let hovered = canvas.response.hover_pos().and_then(|p| open.doc.spot_at(Board::Draft, canvas.view.board(p)));
    let paints = !matches!(open.edit.tool, Tool::Pick | Tool::Select | Tool::Fill);
    let at_rest = open.edit.at_rest() && open.stamp.is_none() && open.edit.previewed.is_none();
    let spot = hovered.or(open.edit.cursor).filter(|_| paints && at_rest && open.edit.what_if.shown.is_none());
    let Some(spot) = spot else {
        open.edit.ghost = None;
        return;
    };
    let ink = if open.edit.tool == Tool::Eraser { Ink::default() } else { open.edit.ink(&*open.doc) };
    let mirrors = open.edit.mirrors(&*open.doc);
    let scale = canvas.view.scale;
    let key = (spot, ink, mirrors, open.doc.revision(), scale.to_bits(), colours.back);
    if open.edit.ghost.as_ref().is_none_or(|g| g.key != key) {
        let (picture, spots) = open.doc.try_paint(ink, &[spot], &key.2, colours, scale);
        open.edit.ghost = Some(Ghost { key, picture, spots });
    }
    let Some(ghost) = &open.edit.ghost else { return };
    for s in &ghost.spots {
        let cell = canvas.view.rect(open.doc.spot_area(Board::Draft, *s));
        let mut painter = canvas.painter.with_clip_rect(cell.intersect(canvas.painter.clip_rect()));
        painter.multiply_opacity(0.6);
        canvas::draw(&painter, &canvas.view, &ghost.picture);
    }
    let stroke = Stroke::new(1.5, egui_colour(colours.accent.faded(0.9)));
    let marked = if ghost.spots.is_empty() { std::slice::from_ref(&spot) } else { &ghost.spots[..] };
    for s in marked {
        canvas.spot(&*open.doc, Board::Draft, *s, 3.0, Color32::TRANSPARENT, stroke);
    }
}
