//! A pack's difficulty as a curve: order from left to right, difficulty upwards. Levels can be opened from it, and in a pack of one's own dragged along it.

use super::open;
use crate::{
    app::{theme::egui_colour, workshop::Workshop},
    catalogue::{Listing, Operation, Section, Sort},
};
use egui::{Align2, FontId, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, epaint::PathShape, pos2, vec2};

/// Its height in the list.
pub(super) const HEIGHT: f32 = 112.0;
const RADIUS: f32 = 3.5;

pub(super) fn show(ui: &mut Ui, w: &mut Workshop, listing: &Listing, section: &Section, rect: Rect) {
    let n = section.entries.len();
    let colours = w.colours.clone();
    let id = egui::Id::unique("library curve").with(&section.kind);
    let response = ui.interact(rect, id, Sense::CLICK | Sense::DRAG);
    let rated = |i: usize| listing.rated(&section.entries[i]).and_then(|r| r.difficulty);
    let known = (0..n).filter(|i| rated(*i).is_some()).count();
    let name = format!("difficulty of {}, {known} of {n} levels rated", section.title);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, &name));
    let plot = Rect::from_min_max(rect.min + vec2(24.0, 8.0), rect.max - vec2(8.0, 25.0));
    let x = |at: f32| plot.left() + plot.width() * (at + 0.5) / n as f32;
    let y = |difficulty: f64| plot.bottom() - plot.height() * (difficulty / 100.0).clamp(0.0, 1.0) as f32;
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect.shrink2(vec2(0.0, 2.0)), 5.0, egui_colour(colours.back));
    let soft = egui_colour(colours.ink_soft);
    for mark in [0.0, 50.0, 100.0] {
        let line = Stroke::new(1.0, egui_colour(colours.line.mix(colours.ink_soft, 0.25)));
        painter.hline(plot.x_range(), y(mark), line);
        let font = FontId::proportional(9.0);
        painter.text(pos2(plot.left() - 5.0, y(mark)), Align2::RIGHT_CENTER, format!("{mark:.0}"), font, soft);
    }
    let index = |px: f32| {
        let at = ((px - plot.left()) / plot.width() * n as f32).floor();
        (at.max(0.0) as usize).min(n - 1)
    };
    let pointer = response.interact_pointer_pos().or(response.hover_pos());
    let dragged = w.library.curve_drag.clone().and_then(|k| section.entries.iter().position(|e| e.key == k));
    // The order as it would be.
    let mut order: Vec<usize> = (0..n).collect();
    if let (Some(from), Some(p)) = (dragged, pointer) {
        let moving = order.remove(from);
        order.insert(index(p.x), moving);
    }
    let accent = egui_colour(colours.accent);
    let mut line = Vec::new();
    // More levels than points to paint: the highest and the lowest of each point stand for all.
    let stride = n.div_ceil((plot.width() as usize).max(1) * 2).max(1);
    for (at, i) in order.iter().enumerate().step_by(stride) {
        line.extend(rated(*i).map(|d| pos2(x(at as f32), y(d))));
    }
    painter.add(Shape::Path(PathShape::line(line, Stroke::new(1.5, accent))));
    let near = pointer.map(|p| index(p.x));
    if n <= 120 {
        for (at, i) in order.iter().enumerate() {
            let hot = near == Some(at);
            match rated(*i) {
                Some(d) => {
                    let r = if hot { RADIUS + 1.5 } else { RADIUS };
                    painter.circle(pos2(x(at as f32), y(d)), r, accent, Stroke::new(1.0, egui_colour(colours.back)));
                }
                None => {
                    painter.circle_stroke(pos2(x(at as f32), plot.bottom()), RADIUS - 1.0, Stroke::new(1.0, soft));
                }
            }
        }
    }
    let words = match near.filter(|_| response.hovered() || dragged.is_some()) {
        Some(at) => {
            let entry = &section.entries[order[at]];
            let hard = listing.rated(entry).map_or_else(|| "not rated yet".into(), |r| r.text());
            format!("{}. {}: {hard}", at + 1, entry.title)
        }
        None if known < n => format!("{known} of {n} rated"),
        None => format!("{n} levels in order"),
    };
    let mut job = egui::text::LayoutJob::simple_singleline(words, FontId::proportional(10.5), soft);
    job.wrap = egui::text::TextWrapping::truncate_at_width(rect.width() - 12.0);
    let galley = painter.layout_job(job);
    painter.galley(pos2(rect.left() + 6.0, rect.bottom() - 17.0), galley, soft);
    let Some(p) = pointer else { return };
    let here = &section.entries[index(p.x)];
    if response.clicked() {
        let key = here.key.clone();
        w.library.choice.only(&key);
        w.library.reveal = true;
        open(w, &key);
    }
    if response.drag_started() && section.own().is_some() && w.library.query.sort == Sort::Own {
        let from = ui.input(|i| i.pointer.press_origin()).map_or(p.x, |o| o.x);
        w.library.curve_drag = Some(section.entries[index(from)].key.clone());
    }
    if response.drag_stopped()
        && let (Some(key), Some(from), Some(folder)) = (w.library.curve_drag.take(), dragged, section.own())
    {
        let to = index(p.x);
        w.library.focus = true;
        if to != from {
            // Before the level that will stand after it.
            let after = if to > from { to + 1 } else { to };
            let before = section.entries.get(after).map(|e| e.key.clone());
            w.library.do_it(Operation::Place(vec![key], folder.to_path_buf(), before));
        }
    }
}
