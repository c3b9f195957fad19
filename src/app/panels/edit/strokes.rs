//! Strokes: the pointer's way, or the keyboard's, as spots that a tool makes of it. The game paints them; the tools know no game.
//!
//! A stroke under way is in [`EditUi::stroke`](super::EditUi) and nowhere else: the draft changes when it ends ([`finish`]). It ends when the button is
//! let go, and before anything else happens: an action, a tab, another level. Escape and undo drop it ([`cancel`]) and do nothing else.

use super::{Painting, Tool, stamps, what_if};
use crate::{
    app::{canvas::Canvas, settings::RightClick, workshop::OpenLevel},
    document::{Board, Doc, Selection},
    game::{Gesture, Ink},
    grid::{Dir, Spot, Sym},
    picture::{Colours, Picture, Point},
};
use egui::{PointerButton, Ui};

/// The spots from one point to another, none skipped.
fn way(doc: &dyn Doc, from: Point, to: Point) -> Vec<Spot> {
    let steps = (from.distance(to) / 0.15).ceil().clamp(1.0, 4096.0) as usize;
    let mut spots: Vec<Spot> = Vec::new();
    for i in 0..=steps {
        let p = from.towards(to, i as f32 / steps as f32);
        if let Some(s) = doc.spot_at(Board::Draft, p)
            && spots.last() != Some(&s)
        {
            spots.push(s);
        }
    }
    spots
}

/// Turns this frame's pointer events into strokes.
pub(in crate::app::panels) fn pointer(ui: &Ui, open: &mut OpenLevel, canvas: &Canvas, right: RightClick) {
    let response = &canvas.response;
    for event in ui.input(|i| i.events.clone()) {
        match event {
            egui::Event::PointerButton { pos, button, pressed: true, .. } if button != PointerButton::Middle => {
                let at = canvas.view.board(pos);
                let inside = response.contains_pointer() && response.rect.contains(pos);
                let ended = inside && button == PointerButton::Primary && end_stepwise(open, at);
                // A stroke of the keyboard, or of another button.
                finish(open);
                if inside && !ended {
                    press(open, at, button, right);
                }
            }
            egui::Event::PointerMoved(pos) if open.edit.dragging() => {
                if let Some((_, to)) = &mut open.edit.grab {
                    *to = canvas.view.board(pos).cell();
                } else {
                    grow(open, canvas.view.board(pos));
                }
            }
            egui::Event::PointerButton { pressed: false, button, .. }
                if button != PointerButton::Middle && open.edit.dragging() =>
            {
                release(open);
            }
            _ => {}
        }
    }
    // The button may have been let go where nobody saw it.
    if open.edit.dragging() && !ui.input(|i| i.pointer.any_down()) {
        finish(open);
    }
}

fn press(open: &mut OpenLevel, at: Point, button: PointerButton, right: RightClick) {
    let spot = open.doc.spot_at(Board::Draft, at);
    let mut tool = open.edit.tool;
    let mut ink = open.edit.ink(&*open.doc);
    if button == PointerButton::Secondary {
        match right {
            RightClick::Erase => tool = Tool::Eraser,
            RightClick::Pick => tool = Tool::Pick,
            RightClick::Menu => {
                open.edit.menu_at = spot;
                return;
            }
        }
    }
    open.edit.lit.clear();
    open.edit.cursor = None;
    if button == PointerButton::Primary {
        if stamps::place(open, at) {
            return;
        }
        if open.edit.what_if.shown.is_some() && spot.is_some_and(|s| what_if::apply(open, s)) {
            return;
        }
    }
    match tool {
        Tool::Pick => {
            if let Some(spot) = spot {
                open.edit.ink = Some(open.doc.pick(spot));
                open.edit.tool = if open.edit.tool == Tool::Pick { Tool::Brush } else { open.edit.tool };
            }
            return;
        }
        Tool::Select => {
            let cell = at.cell();
            match open.edit.selection {
                Some(s) if s.contains(cell) => open.edit.grab = Some((cell, cell)),
                _ => {
                    let (spots, label) = (Vec::new(), String::new());
                    open.edit.stroke = Some(Painting {
                        ink,
                        tool,
                        spots,
                        last: at,
                        start: at,
                        label,
                        stepwise: false,
                        clicked: false,
                    });
                    open.edit.selection =
                        Some(Selection::between(cell, cell)).and_then(|s| s.clipped(open.doc.board_size(Board::Draft)));
                }
            }
            return;
        }
        Tool::Eraser => ink = Ink::default(),
        _ => {}
    }
    let palette = open.doc.palette();
    let gesture = palette.swatches.get(ink.swatch).map_or(Gesture::Spots, |s| s.gesture);
    let name = palette.swatches.get(ink.swatch).map_or_else(String::new, |s| s.name.to_lowercase());
    // What is not made of the spots it covers follows the pointer whatever the tool.
    let tool = if matches!(gesture, Gesture::Spots | Gesture::Whole) { tool } else { Tool::Brush };
    let label = if tool == Tool::Eraser { "erase".into() } else { format!("paint {name}") };
    let spots = match (tool, spot) {
        (Tool::Fill, Some(spot)) => open.doc.region(spot),
        (_, Some(spot)) => vec![spot],
        (_, None) => Vec::new(),
    };
    open.edit.stroke = Some(Painting { ink, tool, spots, last: at, start: at, label, stepwise: false, clicked: false });
}

/// The button is let go. A stroke from one spot to another that has not left its first spot, and does nothing there, waits for a click on the other.
fn release(open: &mut OpenLevel) {
    let click = open.edit.stroke.clone().filter(|s| s.spots.len() == 1 && from_to(open, s.ink));
    let before = open.doc.version();
    finish(open);
    if let Some(stroke) = click.filter(|_| open.doc.version() == before) {
        open.edit.cursor = stroke.spots.first().copied();
        open.edit.stroke = Some(Painting { stepwise: true, clicked: true, ..stroke });
    }
}

/// A click on the other end of a stroke that waits for it; false if none does.
fn end_stepwise(open: &mut OpenLevel, at: Point) -> bool {
    let Some(spot) = open.doc.spot_at(Board::Draft, at) else { return false };
    let ink = open.edit.stroke.as_ref().filter(|s| s.stepwise).map(|s| s.ink);
    let waits = ink.is_some_and(|ink| from_to(open, ink));
    if let Some(stroke) = open.edit.stroke.as_mut().filter(|_| waits) {
        go_to(&mut stroke.spots, spot);
        open.edit.cursor = None;
    }
    waits
}

/// A stroke from one spot to another ends here, even if it has been here before.
fn go_to(spots: &mut Vec<Spot>, spot: Spot) {
    match spots.iter().position(|s| *s == spot) {
        Some(i) => spots.truncate(i + 1),
        None => spots.push(spot),
    }
}

fn grow(open: &mut OpenLevel, to: Point) {
    let Some(mut stroke) = open.edit.stroke.take() else { return };
    match stroke.tool {
        Tool::Select => {
            let s = Selection::between(stroke.start.cell(), to.cell());
            open.edit.selection = s.clipped(open.doc.board_size(Board::Draft));
        }
        Tool::Fill => {}
        Tool::Line => stroke.spots = way(&*open.doc, stroke.start, to),
        Tool::Rectangle => {
            let s = Selection::between(stroke.start.cell(), to.cell());
            stroke.spots = open.doc.spots(Board::Draft).into_iter().filter(|p| s.contains(p.cell)).collect();
        }
        Tool::Brush | Tool::Eraser | Tool::Pick => {
            let from_to = from_to(open, stroke.ink);
            for s in way(&*open.doc, stroke.last, to) {
                if from_to {
                    go_to(&mut stroke.spots, s);
                } else if !stroke.spots.contains(&s) {
                    stroke.spots.push(s);
                }
            }
        }
    }
    stroke.last = to;
    open.edit.stroke = Some(stroke);
}

/// How an ink takes a stroke.
fn gesture(open: &OpenLevel, ink: Ink) -> Gesture {
    open.doc.palette().swatches.get(ink.swatch).map_or(Gesture::Spots, |s| s.gesture)
}

fn from_to(open: &OpenLevel, ink: Ink) -> bool {
    gesture(open, ink) == Gesture::FromTo
}

/// What a stroke paints: its ink, its spots and the mirror images in force.
fn paints<'a>(open: &OpenLevel, stroke: &'a Painting) -> (Ink, &'a [Spot], Vec<Sym>) {
    let spots = match gesture(open, stroke.ink) {
        Gesture::Once => &stroke.spots[..stroke.spots.len().min(1)],
        _ => &stroke.spots[..],
    };
    (stroke.ink, spots, open.edit.mirrors(&*open.doc))
}

/// The draft with the stroke under way, if there is one.
pub(super) fn picture(open: &OpenLevel, colours: &Colours, cell_px: f32) -> Option<Picture> {
    let stroke = open.edit.stroke.as_ref().filter(|s| s.tool != Tool::Select)?;
    let (ink, spots, mirrors) = paints(open, stroke);
    Some(open.doc.picture_painted(ink, spots, &mirrors, colours, cell_px))
}

/// Ends the stroke or drag under way: what it has come to so far is one change of the draft.
pub(in crate::app) fn finish(open: &mut OpenLevel) {
    if let Some((from, to)) = open.edit.grab.take()
        && let Some(s) = open.edit.selection
        && from != to
    {
        let at = s.at.offset(to.x - from.x, to.y - from.y);
        open.doc.move_part(s, at);
        open.edit.selection = Selection { at, ..s }.clipped(open.doc.board_size(Board::Draft));
    }
    if let Some(stroke) = open.edit.stroke.take().filter(|s| s.tool != Tool::Select) {
        let (ink, spots, mirrors) = paints(open, &stroke);
        open.doc.paint(ink, spots, &mirrors, &stroke.label);
    }
}

/// Drops the stroke or drag under way, as if it had never begun; false if there was none.
pub(in crate::app) fn cancel(open: &mut OpenLevel) -> bool {
    let stroke = open.edit.stroke.take();
    // The frame of a first click would look like a stroke that goes on.
    if stroke.as_ref().is_some_and(|s| s.clicked) {
        open.edit.cursor = None;
    }
    stroke.is_some() | open.edit.grab.take().is_some()
}

/// Arrow keys: moves the cursor to the nearest spot in that direction.
pub fn move_cursor(open: &mut OpenLevel, dir: Dir) {
    let spots = open.doc.spots(Board::Draft);
    let Some(cursor) = open.edit.cursor else {
        open.edit.cursor = spots.first().copied();
        return;
    };
    let middle = |s: Spot| open.doc.spot_area(Board::Draft, s).middle();
    let (from, (dx, dy)) = (middle(cursor), dir.delta());
    let (dx, dy) = (f32::from(dx), f32::from(dy));
    let best = spots
        .iter()
        .filter(|s| **s != cursor)
        .filter_map(|s| {
            let to = middle(*s);
            let (vx, vy) = (to.x - from.x, to.y - from.y);
            let (along, aside) = (vx * dx + vy * dy, (vx * dy - vy * dx).abs());
            (along > 0.1 && aside <= along + 0.01).then_some((along + 2.0 * aside, *s))
        })
        .min_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((_, spot)) = best {
        open.edit.cursor = Some(spot);
        let from_to = open.edit.stroke.as_ref().is_some_and(|s| from_to(open, s.ink));
        if let Some(stroke) = open.edit.stroke.as_mut().filter(|s| s.stepwise) {
            if !from_to {
                stroke.spots.retain(|s| *s != spot);
            }
            go_to(&mut stroke.spots, spot);
        }
    }
}

/// Space: paints at the cursor; for things drawn over several spots, begins and ends the stroke.
pub fn paint_at_cursor(open: &mut OpenLevel) {
    let Some(cursor) = open.edit.cursor else {
        open.edit.cursor = open.doc.spots(Board::Draft).first().copied();
        return;
    };
    if !open.edit.at_rest() {
        finish(open);
        return;
    }
    let at = open.doc.spot_area(Board::Draft, cursor).middle();
    let erasing = open.edit.tool == Tool::Eraser;
    press(open, at, PointerButton::Primary, RightClick::Erase);
    open.edit.cursor = Some(cursor);
    let several = |s: &Painting| matches!(gesture(open, s.ink), Gesture::Whole | Gesture::FromTo) && !erasing;
    if open.edit.stroke.as_ref().is_some_and(several)
        && let Some(stroke) = &mut open.edit.stroke
    {
        stroke.stepwise = true;
    } else {
        finish(open);
    }
}

/// Escape: drops the stamp, the stroke, the suggested fixes, or the selection, cursor and marks, in that order.
pub fn escape(open: &mut OpenLevel) {
    if stamps::let_go(open) || cancel(open) {
        return;
    }
    if open.doc.mends().is_some() {
        return open.doc.drop_mends();
    }
    if open.edit.selection.take().is_none() {
        open.edit.cursor = None;
    }
    open.edit.lit.clear();
}
