//! The map of positions: a funnel with the start at one end. At each distance from the start it is as broad as there are positions (by the square root, so that
//! a single one is still seen): on the one side of the axis those that can be won, nearest to an end next to the axis, on the other side the lost ones.
//! The solution and the player's own game are threads through it, and what all solutions pass through is marked.
//!
//! The shapes are made once for a map, a size and a theme; a frame adds the threads and what the pointer is on.

use super::nothing_open;
use crate::{
    analysis::positions::{Fate, PositionMap},
    app::{
        canvas,
        theme::egui_colour,
        workshop::{Mode, Workshop},
    },
    document::Threads,
    game::Severity,
    picture::{Colours, Rgba},
};
use egui::{Mesh, Pos2, Rect, Response, RichText, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2};
use std::sync::Arc;

/// What the panel remembers.
#[derive(Default)]
pub struct MapUi {
    /// The level and the position that the keyboard has come to.
    cursor: Option<(u64, u32)>,
    /// Of the panel, and of Inspect.
    drawn: Vec<Drawn>,
}

/// The shapes of a map.
struct Drawn {
    map: Arc<PositionMap>,
    funnel: Funnel,
    colours: Colours,
    mesh: Arc<Mesh>,
}

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    if w.session.open.is_empty() {
        nothing_open(ui, "All positions of the level that is open are drawn here.");
        return;
    }
    let Some(open) = w.session.current() else { return };
    if !open.doc.playable() {
        let error = open.doc.problems().iter().find(|p| p.severity == Severity::Error);
        ui.label("This draft cannot be played yet, so it has no positions.");
        ui.weak(error.map_or("", |p| &p.text));
        return;
    }
    if open.doc.map_failed() {
        ui.label("The map could not be made.");
        return;
    }
    let counting = open.doc.positions_so_far().filter(|n| *n > 0);
    let waiting = counting.map_or_else(
        || "waiting for other work on this level …".to_string(),
        |n| format!("{} positions so far …", crate::analysis::grouped(n)),
    );
    let Some(map) = open.doc.position_map().cloned() else {
        ui.weak(waiting);
        return;
    };
    if open.doc.map_is_current() {
        ui.label(RichText::new(map.sentence()).strong());
        legend(ui, w, &map);
        funnel(ui, w, &map, ui.available_size());
    } else {
        ui.horizontal_wrapped(|ui| {
            ui.colored_label(ui.visuals().warn_fg_color, "from before the last edit");
            ui.weak(waiting);
        });
        let (rect, _) = ui.allocate_exact_size(ui.available_size().max(Vec2::splat(40.0)), Sense::hover());
        let painter = ui.painter_at(rect);
        painter.rect_filled(rect, 6.0, egui_colour(w.colours.back));
        let mesh = w.map.mesh(&map, Funnel::new(&map, rect), &w.colours);
        painter.add(Shape::Mesh(mesh));
        painter.rect_filled(rect, 6.0, egui_colour(w.colours.back.faded(0.65)));
    }
}

/// What the signs mean.
fn legend(ui: &mut Ui, w: &mut Workshop, map: &PositionMap) {
    let colours = w.colours.clone();
    let played = w.session.current_mut().is_some_and(|o| o.doc.threads().play.len() > 1);
    ui.horizontal_wrapped(|ui| {
        let mut sign = |text: &str, help: &str, paint: &dyn Fn(&egui::Painter, Rect)| {
            let (rect, _) = ui.allocate_exact_size(vec2(16.0, ui.spacing().interact_size.y), Sense::hover());
            paint(ui.painter(), Rect::from_center_size(rect.center(), vec2(14.0, 10.0)));
            ui.label(RichText::new(text).small()).on_hover_text(help);
        };
        if map.shortest().is_some() {
            sign("solution", "The line in Inspect, or a shortest one", &|p, r| {
                p.line_segment([r.left_center(), r.right_center()], thread(colours.ink));
            });
        }
        if played {
            sign("your game", "The moves made in Play", &|p, r| {
                p.extend(Shape::dashed_line(&[r.left_center(), r.right_center()], thread(colours.warn), 4.0, 3.0));
            });
        }
        if !map.bottlenecks().is_empty() {
            sign("no way round", "All solutions pass through these positions", &|p, r| {
                diamond(p, r.center(), 4.5, &colours);
            });
        }
        if map.lost() > 0 {
            sign("lost", "No end can be reached from these positions", &|p, r| {
                p.rect_filled(r, 1.0, egui_colour(lost_colour(&colours)));
            });
        }
    });
}

/// The map itself, to point at and to go along; in what room there is.
pub(super) fn funnel(ui: &mut Ui, w: &mut Workshop, map: &Arc<PositionMap>, size: Vec2) {
    let colours = w.colours.clone();
    let playing = w.session.mode == Mode::Play;
    let Some(open) = w.session.current_mut() else { return };
    let (id, stepping, step) = (open.id, open.stepping && playing, open.doc.step());
    let mut threads = open.doc.threads();
    let own = threads.play.last().copied().flatten();
    let (rect, response) = ui.allocate_exact_size(size.max(Vec2::splat(40.0)), Sense::click());
    let funnel = Funnel::new(map, rect);
    let mesh = w.map.mesh(map, funnel, &colours);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 6.0, egui_colour(colours.back));
    painter.add(Shape::Mesh(mesh));
    funnel.axis(&painter, &colours);
    for &narrow in map.bottlenecks() {
        diamond(&painter, funnel.place(map, narrow), (funnel.step * 0.5).clamp(2.5, 4.5), &colours);
    }
    if threads.line.is_empty() {
        threads.line = map.solution().into_iter().map(Some).collect();
    }
    let line = funnel.thread(map, &threads.line);
    painter.add(Shape::line(line.clone(), thread(colours.ink)));
    if threads.play.len() > 1 {
        painter.extend(Shape::dashed_line(&funnel.thread(map, &threads.play), thread(colours.warn), 4.0, 3.0));
    }
    if let Some(at) = own {
        painter.circle(funnel.place(map, at), 4.5, egui_colour(colours.warn), thread(colours.back));
    }
    if stepping && let Some(at) = line.get(step) {
        painter.circle(*at, 5.0, egui_colour(colours.ink), thread(colours.back));
    }
    let here = if stepping { threads.line.get(step).copied().flatten() } else { own };
    let mut cursor = w.map.cursor.filter(|(level, p)| *level == id && (*p as usize) < map.len()).map(|(_, p)| p);
    let mut go = None;
    if response.clicked() {
        response.request_focus();
    }
    if response.has_focus() {
        let filter = egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, escape: false, tab: false };
        ui.memory_mut(|m| m.set_focus_lock_filter(response.id, filter));
        let at = cursor.or(here).unwrap_or(0);
        match ui.input(|i| key(i, funnel.tall)) {
            Some(Key::Along(forward)) => cursor = Some(along(map, at, forward)),
            Some(Key::Across(out)) => cursor = Some(across(map, at, out)),
            Some(Key::Go) => go = cursor,
            None => {}
        }
        painter.rect_stroke(rect, 6.0, ui.visuals().selection.stroke, egui::StrokeKind::Inside);
    } else {
        cursor = None;
    }
    let hovered = response.hover_pos().filter(|_| response.hovered()).map(|at| funnel.pick(map, at, &threads));
    if hovered.is_some() && ui.input(|i| i.pointer.delta() != Vec2::ZERO) {
        cursor = None;
    }
    // Enter and Space count as a click too, but not at the pointer.
    if response.clicked_by(egui::PointerButton::Primary) {
        go = response.interact_pointer_pos().map(|at| funnel.pick(map, at, &threads));
        cursor = None;
    }
    // Two maps may be in sight, the panel's and the one in Inspect: the cursor is where the focus is.
    if response.has_focus() || response.lost_focus() {
        w.map.cursor = cursor.map(|p| (id, p));
    }
    // Whichever was used last: a pointer that rests on the map does not keep the keys from moving along it.
    let pointed = cursor.or(hovered);
    response.widget_info(|| {
        let at = pointed.or(here).map_or_else(String::new, |p| format!("; {}", map.about(p)));
        WidgetInfo::labeled(egui::Role::Canvas, true, format!("map of positions: {}{at}", map.sentence()))
    });
    if let Some(position) = pointed {
        let at = funnel.place(map, position);
        painter.circle_stroke(at, 6.5, Stroke::new(2.0, egui_colour(colours.accent)));
        preview(ui, w, &response, map, position, at);
    }
    if let Some(position) = go {
        go_to(w, position, &threads);
    }
}

/// The board of a position, and what is known about it.
fn preview(ui: &Ui, w: &Workshop, response: &Response, map: &PositionMap, position: u32, at: Pos2) {
    let Some(open) = w.session.current() else { return };
    let mark = Rect::from_center_size(at, Vec2::splat(16.0));
    let tooltip = egui::Tooltip::always_open(ui.ctx().clone(), response.layer_id, response.id, mark);
    tooltip.gap(8.0).show(|ui| {
        ui.set_max_width(220.0);
        let (rect, _) = ui.allocate_exact_size(vec2(200.0, 150.0), Sense::hover());
        ui.painter().rect_filled(rect, 4.0, egui_colour(w.colours.back));
        if let Some((extent, picture)) = open.doc.position_picture(position, &w.colours, 200.0 / 8.0) {
            canvas::fit(ui.painter(), rect.shrink(6.0), extent, &picture);
        }
        ui.label(map.about(position));
        ui.weak("click to go there");
    });
}

/// Goes to a position: a step of the line if the steps are in sight and it is one of them, else in play.
fn go_to(w: &mut Workshop, position: u32, threads: &Threads) {
    let stepping = w.session.mode == Mode::Play;
    let Some(open) = w.session.current_mut() else { return };
    if stepping && open.stepping && open.doc.line_len() > 0 {
        let now = open.doc.step();
        let steps = threads.line.iter().enumerate().filter(|(_, p)| **p == Some(position)).map(|(i, _)| i);
        if let Some(step) = steps.min_by_key(|i| i.abs_diff(now)) {
            open.doc.set_step(step);
            w.session.autoplay = None;
            return;
        }
    }
    let moves = open.doc.progress().0;
    if open.doc.go_to_position(position) {
        open.stepping = false;
        w.session.autoplay = None;
        w.enter(Mode::Play);
        if moves > 0 {
            w.say("at the position chosen on the map: Undo goes back to your game");
        }
    }
}

enum Key {
    Along(bool),
    Across(bool),
    Go,
}

/// What a key means in a map that lies or stands.
fn key(input: &egui::InputState, tall: bool) -> Option<Key> {
    let pressed = |lying, standing| input.key_pressed(if tall { standing } else { lying });
    if pressed(egui::Key::ArrowRight, egui::Key::ArrowDown) {
        Some(Key::Along(true))
    } else if pressed(egui::Key::ArrowLeft, egui::Key::ArrowUp) {
        Some(Key::Along(false))
    } else if pressed(egui::Key::ArrowUp, egui::Key::ArrowRight) {
        Some(Key::Across(true))
    } else if pressed(egui::Key::ArrowDown, egui::Key::ArrowLeft) {
        Some(Key::Across(false))
    } else {
        (input.key_pressed(egui::Key::Enter) || input.key_pressed(egui::Key::Space)).then_some(Key::Go)
    }
}

/// The next position towards an end, or away from the start where there is none; the one before.
fn along(map: &PositionMap, at: u32, forward: bool) -> u32 {
    let deeper = || map.neighbours(at).iter().copied().find(|n| map.depth(*n) > map.depth(at));
    let next = if forward { map.after(at).or_else(deeper) } else { map.before(at) };
    next.unwrap_or(at)
}

/// The next position at the same distance from the start.
fn across(map: &PositionMap, at: u32, out: bool) -> u32 {
    let (depth, rank) = (map.depth(at), map.rank(at));
    let layer = map.layers()[depth as usize];
    let above = layer.winnable + layer.unknown;
    // The lost ones are on the other side of the axis: outwards is the other way there.
    let next = match (rank >= above, out) {
        (false, true) => Some(rank + 1).filter(|r| *r < above),
        (false, false) if rank == 0 => (layer.lost > 0).then_some(above),
        (false, false) => Some(rank - 1),
        (true, true) if rank == above => (above > 0).then_some(0),
        (true, true) => Some(rank - 1),
        (true, false) => Some(rank + 1).filter(|r| *r < layer.len()),
    };
    next.and_then(|r| map.at(depth, r)).unwrap_or(at)
}

fn thread(colour: Rgba) -> Stroke {
    Stroke::new(2.0, egui_colour(colour))
}

fn lost_colour(colours: &Colours) -> Rgba {
    colours.bad.mix(colours.back, 0.55)
}

fn diamond(painter: &egui::Painter, at: Pos2, r: f32, colours: &Colours) {
    let points = vec![at + vec2(0.0, -r), at + vec2(r, 0.0), at + vec2(0.0, r), at + vec2(-r, 0.0)];
    let stroke = Stroke::new(1.0, egui_colour(colours.back));
    painter.add(Shape::convex_polygon(points, egui_colour(colours.accent.mix(colours.ink, 0.4)), stroke));
}

/// Bands of distance to an end, each of one colour.
const BANDS: u32 = 8;
/// Points that a distance has at most, and a single position.
const LARGEST_STEP: f32 = 26.0;
const LARGEST_UNIT: f32 = 12.0;
const MARGIN: f32 = 14.0;
/// The pointer takes hold of a thread or a mark this far off.
const SNAP: f32 = 7.0;

/// Where positions are on the screen.
#[derive(Clone, Copy, PartialEq)]
struct Funnel {
    rect: Rect,
    /// Whether it goes down instead of to the right.
    tall: bool,
    /// Points a distance.
    step: f32,
    /// Points for one position.
    unit: f32,
    /// How far the axis is from the edge on its lost side.
    axis: f32,
    layers: usize,
}

impl Funnel {
    fn new(map: &PositionMap, rect: Rect) -> Funnel {
        let tall = rect.height() > rect.width();
        let room = rect.shrink(MARGIN).size().max(Vec2::splat(8.0));
        let (length, breadth) = if tall { (room.y, room.x) } else { (room.x, room.y) };
        let broadest = |part: fn(&crate::analysis::positions::Layer) -> u32| {
            map.layers().iter().map(part).max().map_or(0.0, |n| (n as f32).sqrt())
        };
        let (above, below) = (broadest(|l| l.winnable + l.unknown), broadest(|l| l.lost));
        let unit = (breadth / (above + below).max(1.0)).min(LARGEST_UNIT);
        let spare = breadth - unit * (above + below);
        let layers = map.layers().len();
        let step = (length / layers.max(1) as f32).min(LARGEST_STEP);
        Funnel { rect, tall, step, unit, axis: MARGIN + spare / 2.0 + unit * below, layers }
    }

    /// A point at a distance from the start and from the axis.
    fn point(&self, along: f32, across: f32) -> Pos2 {
        let along = MARGIN + along * self.step;
        if self.tall {
            pos2(self.rect.left() + self.axis + across, self.rect.top() + along)
        } else {
            pos2(self.rect.left() + along, self.rect.bottom() - self.axis - across)
        }
    }

    /// The way back.
    fn back(&self, at: Pos2) -> (f32, f32) {
        let (along, across) = if self.tall {
            (at.y - self.rect.top(), at.x - self.rect.left() - self.axis)
        } else {
            (at.x - self.rect.left(), self.rect.bottom() - self.axis - at.y)
        };
        ((along - MARGIN) / self.step, across)
    }

    fn breadth(&self, positions: u32) -> f32 {
        self.unit * (positions as f32).sqrt()
    }

    /// Where a place of a layer's order is, from the axis.
    fn across(&self, layer: crate::analysis::positions::Layer, rank: f32) -> f32 {
        let above = layer.winnable + layer.unknown;
        if rank <= above as f32 {
            self.breadth(above) * rank / above.max(1) as f32
        } else {
            -self.breadth(layer.lost) * (rank - above as f32) / layer.lost.max(1) as f32
        }
    }

    fn place(&self, map: &PositionMap, position: u32) -> Pos2 {
        let depth = map.depth(position);
        let across = self.across(map.layers()[depth as usize], map.rank(position) as f32 + 0.5);
        self.point(depth as f32 + 0.5, across)
    }

    /// The points of a line. What is not on the map goes along the axis, a step a move.
    fn thread(&self, map: &PositionMap, line: &[Option<u32>]) -> Vec<Pos2> {
        let last = self.layers.saturating_sub(1);
        let point = |(i, p): (usize, &Option<u32>)| match p {
            Some(p) => self.place(map, *p),
            None => self.point(i.min(last) as f32 + 0.5, 0.0),
        };
        line.iter().enumerate().map(point).collect()
    }

    /// The position nearest to a point: one of a thread or one that is marked, if the pointer is on it.
    fn pick(&self, map: &PositionMap, at: Pos2, threads: &Threads) -> u32 {
        let marked = threads.play.iter().chain(&threads.line).flatten().chain(map.bottlenecks());
        let near = marked.map(|p| (self.place(map, *p).distance(at), *p)).filter(|(far, _)| *far < SNAP);
        if let Some((_, p)) = near.min_by(|a, b| a.0.total_cmp(&b.0)) {
            return p;
        }
        let (along, across) = self.back(at);
        let depth = (along.floor().max(0.0) as usize).min(self.layers.saturating_sub(1));
        let layer = map.layers()[depth];
        let above = layer.winnable + layer.unknown;
        let on_lost_side = layer.lost > 0 && (across < 0.0 || above == 0);
        let (first, count) = if on_lost_side { (above, layer.lost) } else { (0, above) };
        let part = across.abs() / self.breadth(count).max(1e-3) * count as f32;
        let part = if on_lost_side == (across < 0.0) { part } else { 0.0 };
        let rank = first + (part.max(0.0) as u32).min(count.saturating_sub(1));
        map.at(depth as u32, rank).unwrap_or(0)
    }

    fn axis(&self, painter: &egui::Painter, colours: &Colours) {
        let ends = [self.point(-0.2, 0.0), self.point(self.layers as f32 + 0.2, 0.0)];
        painter.line_segment(ends, Stroke::new(1.0, egui_colour(colours.ink_soft.faded(0.5))));
    }

    /// All positions as a few rectangles for each distance.
    fn mesh(&self, map: &PositionMap, colours: &Colours) -> Mesh {
        let mut mesh = Mesh::default();
        let farthest = map.layers().iter().zip(0..).filter(|(l, _)| l.winnable > 0).filter_map(|(l, depth)| match map
            .fate(map.at(depth, l.winnable - 1)?)
        {
            Fate::Winnable(n) => Some(n),
            _ => None,
        });
        let farthest = farthest.max().unwrap_or(0).max(1);
        // Distances that share a point of the screen are drawn as the broadest of them.
        let together = (1.0 / self.step).ceil().max(1.0) as usize;
        let gap = if self.step > 5.0 { 0.5 } else { 0.0 };
        for first in (0..self.layers).step_by(together) {
            let shared = first..(first + together).min(self.layers);
            let (from, to) = (first as f32 + gap / self.step, shared.end as f32 - gap / self.step);
            let Some(depth) = shared.max_by_key(|d| map.layers()[*d].len()) else { continue };
            let layer = map.layers()[depth];
            let mut quad = |ranks: (u32, u32), colour: Rgba| {
                let (a, b) = (self.across(layer, ranks.0 as f32), self.across(layer, ranks.1 as f32));
                // The first lost one begins at the axis.
                let a = if ranks.0 == layer.winnable + layer.unknown { 0.0 } else { a };
                mesh.add_colored_rect(Rect::from_two_pos(self.point(from, a), self.point(to, b)), egui_colour(colour));
            };
            let mut rank = 0;
            for band in 0..BANDS {
                let limit = farthest * (band + 1) / BANDS;
                let within = |r: u32| {
                    let fate = map.at(depth as u32, r).map(|p| map.fate(p));
                    matches!(fate, Some(Fate::Winnable(n)) if n <= limit)
                };
                let end = partition(rank, layer.winnable, within);
                if end > rank {
                    let t = band as f32 / (BANDS - 1) as f32;
                    quad((rank, end), colours.good.mix(colours.accent, t).mix(colours.back, 0.15 + 0.35 * t));
                }
                rank = end;
            }
            if layer.unknown > 0 {
                quad((layer.winnable, layer.winnable + layer.unknown), colours.ink_soft.mix(colours.back, 0.55));
            }
            if layer.lost > 0 {
                quad((layer.winnable + layer.unknown, layer.len()), lost_colour(colours));
            }
        }
        mesh
    }
}

/// The first number of a range for which something is no longer so.
fn partition(mut low: u32, mut high: u32, is_so: impl Fn(u32) -> bool) -> u32 {
    while low < high {
        let middle = low + (high - low) / 2;
        if is_so(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

impl MapUi {
    /// The shapes of a map, made when something about them has changed.
    fn mesh(&mut self, map: &Arc<PositionMap>, funnel: Funnel, colours: &Colours) -> Arc<Mesh> {
        let is_it = |d: &&Drawn| Arc::ptr_eq(&d.map, map) && d.funnel == funnel && d.colours == *colours;
        if let Some(drawn) = self.drawn.iter().find(is_it) {
            return drawn.mesh.clone();
        }
        let mesh = Arc::new(funnel.mesh(map, colours));
        self.drawn.push(Drawn { map: map.clone(), funnel, colours: colours.clone(), mesh: mesh.clone() });
        let too_many = self.drawn.len().saturating_sub(2);
        self.drawn.drain(..too_many);
        mesh
    }
}
