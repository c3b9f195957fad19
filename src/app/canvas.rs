//! The board on the screen: camera, pictures as egui shapes, and a name for every cell.
//!
//! Play, Edit and the stepping view use this one canvas with one camera. The camera fits the board until the user zooms or pans.

use super::theme::egui_colour;
use crate::{
    document::{Board, Doc},
    game::Reason,
    grid::{Cell, Spot},
    picture::{Area, Colours, Figure, Pen, Picture, Point, Rgba},
};
use egui::{
    Align2, Color32, CornerRadius, FontId, Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo,
    epaint::{CircleShape, PathShape, PathStroke, RectShape},
    pos2, vec2,
};

/// Where on the board one looks, and how near.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Camera {
    /// Points a cell; `None` fits the board.
    pub zoom: Option<f32>,
    /// The board point in the middle of the canvas, when zoomed.
    pub middle: (f32, f32),
}

/// From board units to the screen and back.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// Screen position of the board's (0, 0).
    pub origin: Pos2,
    /// Points a cell.
    pub scale: f32,
}

impl View {
    /// A point on the screen.
    pub fn screen(&self, p: Point) -> Pos2 {
        self.origin + vec2(p.x, p.y) * self.scale
    }

    /// A point on the board.
    pub fn board(&self, p: Pos2) -> Point {
        let v = (p - self.origin) / self.scale;
        Point { x: v.x, y: v.y }
    }

    /// A rectangle on the screen.
    pub fn rect(&self, a: Area) -> Rect {
        Rect::from_min_size(self.screen(Point { x: a.x, y: a.y }), vec2(a.w, a.h) * self.scale)
    }

    /// The view in which a board fills a rectangle, fitted and centred.
    pub fn fitted(rect: Rect, extent: Area) -> View {
        let scale = (rect.width() / extent.w.max(0.01)).min(rect.height() / extent.h.max(0.01));
        let corner = rect.center() - vec2(extent.w, extent.h) * scale / 2.0;
        View { origin: pos2(corner.x - extent.x * scale, corner.y - extent.y * scale), scale }
    }

    /// Paints a spot in its own outline: a cell, with rounded corners, or a part of one.
    #[expect(clippy::too_many_arguments)]
    pub fn spot(
        &self,
        painter: &egui::Painter,
        doc: &dyn Doc,
        board: Board,
        spot: Spot,
        round: f32,
        fill: Color32,
        stroke: Stroke,
    ) {
        if spot.part.is_none() {
            let rect = self.rect(doc.spot_area(board, spot));
            painter.rect_filled(rect, round, fill);
            painter.rect_stroke(rect.shrink(1.0), round, stroke, StrokeKind::Inside);
            return;
        }
        let points = doc.spot_outline(board, spot).into_iter().map(|p| self.screen(p)).collect();
        painter.add(PathShape::convex_polygon(points, fill, PathStroke::from(stroke).inside()));
    }
}

/// A canvas that was laid out: paint over it, listen to it.
pub struct Canvas {
    /// Its response.
    pub response: Response,
    /// Its transform.
    pub view: View,
    /// Its painter, clipped to it.
    pub painter: egui::Painter,
    /// The size of the names of columns and rows.
    label: f32,
}

/// The room for the names of columns and rows around a board that is fitted, as a multiple of their size.
const MARGIN: f32 = 5.0 / 3.0;
/// How far the frame of a board reaches beyond its cells, at most.
const FRAME: f32 = 0.2;
/// The largest cell that a board is fitted with.
const LARGEST_CELL: f32 = 144.0;
const ZOOM: std::ops::RangeInclusive<f32> = 4.0..=256.0;

/// Lays the canvas out in what is left of the panel and handles zoom and pan. `wheel_taken` tells that the wheel was used otherwise.
pub fn show(
    ui: &mut Ui,
    name: &str,
    extent: Area,
    camera: &mut Camera,
    wheel_taken: bool,
    colours: &Colours,
) -> Canvas {
    let size = ui.available_size().max(vec2(40.0, 40.0));
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag() | Sense::focusable_noninteractive());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, name));
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 6.0, egui_colour(colours.back));
    let label = egui::TextStyle::Small.resolve(ui.style()).size;
    let room = rect.size() - Vec2::splat(2.0 * MARGIN * label);
    let fit = (room.x / extent.w).min(room.y / extent.h);
    let fit = fit.clamp(*ZOOM.start(), LARGEST_CELL);
    if camera.zoom.is_none() {
        let m = extent.middle();
        camera.middle = (m.x, m.y);
    }
    let mut view = view_of(rect, camera, fit);
    if response.hovered() && !wheel_taken {
        let (scroll, zoom) = ui.input(|i| (i.smooth_scroll_delta(), i.zoom_delta()));
        let factor = zoom * (scroll.y / 240.0).exp();
        if factor != 1.0
            && let Some(pointer) = response.hover_pos()
        {
            zoom_about(camera, rect, &view, pointer, view.scale * factor);
            view = view_of(rect, camera, fit);
        }
    }
    if response.dragged_by(egui::PointerButton::Middle) {
        let d = response.drag_delta() / view.scale;
        camera.zoom.get_or_insert(view.scale);
        camera.middle = (camera.middle.0 - d.x, camera.middle.1 - d.y);
        view = view_of(rect, camera, fit);
    }
    Canvas { response, view, painter, label }
}

fn view_of(rect: Rect, camera: &Camera, fit: f32) -> View {
    let scale = camera.zoom.unwrap_or(fit);
    let middle: Vec2 = camera.middle.into();
    // Whole points keep grid lines crisp.
    let origin = (rect.center() - middle * scale).round();
    View { origin, scale }
}

fn zoom_about(camera: &mut Camera, rect: Rect, view: &View, pointer: Pos2, scale: f32) {
    let scale = scale.clamp(*ZOOM.start(), *ZOOM.end());
    let at = view.board(pointer);
    let off = (pointer - rect.center()) / scale;
    camera.zoom = Some(scale);
    camera.middle = (at.x - off.x, at.y - off.y);
}

/// Zooms by a factor about the middle (keyboard).
pub fn zoom_by(camera: &mut Camera, current: f32, factor: f32) {
    camera.zoom = Some((camera.zoom.unwrap_or(current) * factor).clamp(*ZOOM.start(), *ZOOM.end()));
}

impl Canvas {
    /// Draws a picture.
    pub fn draw(&self, picture: &Picture) {
        draw(&self.painter, &self.view, picture);
    }

    /// A spot in its own outline.
    pub fn spot(&self, doc: &dyn Doc, board: Board, spot: Spot, round: f32, fill: Color32, stroke: Stroke) {
        self.view.spot(&self.painter, doc, board, spot, round, fill, stroke);
    }

    /// Lights spots.
    pub fn light(&self, doc: &dyn Doc, board: Board, spots: &[Spot], colour: Rgba, fill: f32) {
        let stroke = Stroke::new((self.view.scale * 0.05).max(1.0), egui_colour(colour));
        for spot in spots {
            self.spot(doc, board, *spot, 4.0, egui_colour(colour.faded(fill)), stroke);
        }
    }

    /// Lights the places that a reason is about, and greys what has no part in it.
    pub fn explain(&self, doc: &dyn Doc, board: Board, reason: &Reason, colours: &Colours) {
        for spot in &reason.aside {
            self.spot(doc, board, *spot, 0.0, egui_colour(colours.back.faded(0.6)), Stroke::NONE);
        }
        self.light(doc, board, &reason.spots, colours.bad, 0.1);
    }

    /// Tints spots by weight.
    pub fn tint(&self, doc: &dyn Doc, board: Board, spots: &[(Spot, f32)], colour: Rgba) {
        for (spot, weight) in spots {
            self.spot(doc, board, *spot, 0.0, egui_colour(colour.faded(0.08 + 0.5 * weight)), Stroke::NONE);
        }
    }

    /// Names columns and rows along the board, as [`crate::grid::Cell::name`] does. Where the board's edge is out of sight, along the canvas.
    pub fn axes(&self, doc: &dyn Doc, board: Board, colours: &Colours) {
        let margin = MARGIN * self.label;
        let (extent, size, canvas) = (self.view.rect(doc.extent(board)), doc.board_size(board), self.response.rect);
        let back = egui_colour(colours.back.faded(0.8));
        let label = |at: Pos2, text: String| {
            let font = FontId::proportional(self.label);
            let galley = self.painter.layout_no_wrap(text, font, egui_colour(colours.ink_soft));
            let rect = Rect::from_center_size(at, galley.size());
            if canvas.contains_rect(rect) {
                self.painter.rect_filled(rect.expand(1.0), 3.0, back);
                self.painter.galley(rect.min, galley, egui_colour(colours.ink_soft));
            }
        };
        // Beside the board, and not beside what else the picture holds: a tray may be taller.
        let corner = self.view.screen(Point { x: 0.0, y: 0.0 }) - vec2(FRAME, FRAME) * self.view.scale;
        let left = extent.left().max(corner.x).max(canvas.left() + margin);
        let top = extent.top().max(corner.y).max(canvas.top() + margin);
        // As many as there is room for.
        let every = |room: f32| (room / self.view.scale).ceil().max(1.0) as usize;
        for x in (0..size.w as i16).step_by(every(self.label * 1.6)) {
            let at = self.view.screen(Point::middle(Cell { x, y: 0 }));
            let name = Cell { x, y: 0 }.name();
            label(pos2(at.x, top - margin / 2.0), name.trim_end_matches(char::is_numeric).to_owned());
        }
        for y in (0..size.h as i16).step_by(every(self.label * 1.3)) {
            let at = self.view.screen(Point::middle(Cell { x: 0, y }));
            label(pos2(left - margin / 2.0, at.y), (y + 1).to_string());
        }
    }

    /// Gives every spot in sight a name, for screen readers and tests. Costs nothing where nobody listens.
    pub fn name_spots(&self, ui: &Ui, doc: &dyn Doc, board: Board) {
        let listening = ui.ctx().accesskit_node_builder(self.response.id, |_| ()).is_some();
        if !listening {
            return;
        }
        for spot in doc.spots(board) {
            let rect = self.view.rect(doc.spot_area(board, spot)).intersect(self.response.rect);
            if !rect.is_positive() {
                continue;
            }
            let id = self.response.id.with(spot);
            let what = doc.describe(board, spot);
            let part = spot.part.map_or_else(String::new, |p| format!(".{p}"));
            let name = format!("{}{part}: {what}", spot.cell.name());
            let response = ui.interact(rect, id, Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::GridCell, true, &name));
        }
    }
}

/// Draws a picture with a painter.
pub fn draw(painter: &egui::Painter, view: &View, picture: &Picture) {
    let clip = painter.clip_rect();
    let s = view.scale;
    let stroke = |pen: &Pen| Stroke::new(pen.width * s, egui_colour(pen.colour));
    let (from, to) = (view.board(clip.min), view.board(clip.max));
    let in_sight = |points: &[Point], pen: &Pen| {
        let w = pen.width;
        let any = |is: &dyn Fn(&Point) -> bool| points.iter().any(is);
        any(&|p| p.x + w >= from.x)
            && any(&|p| p.x - w <= to.x)
            && any(&|p| p.y + w >= from.y)
            && any(&|p| p.y - w <= to.y)
    };
    let mut shapes = Vec::with_capacity(picture.figures.len());
    for figure in &picture.figures {
        match figure {
            Figure::Rect { area, round, fill, pen } => {
                let rect = view.rect(*area);
                if rect.intersects(clip) {
                    let r = round.map(|r| (r * s).round().clamp(0.0, 255.0) as u8);
                    let corners = CornerRadius { nw: r[0], ne: r[1], se: r[2], sw: r[3] };
                    let shape = RectShape::new(rect, corners, egui_colour(*fill), stroke(pen), StrokeKind::Middle);
                    shapes.push(Shape::Rect(shape));
                }
            }
            Figure::Circle { at, radius, fill, pen } => {
                let (center, radius) = (view.screen(*at), radius * s);
                if clip.expand(radius).contains(center) {
                    let shape = CircleShape { center, radius, fill: egui_colour(*fill), stroke: stroke(pen) };
                    shapes.push(Shape::Circle(shape));
                }
            }
            Figure::Polygon { points, pen, .. } | Figure::Line { points, pen } if !in_sight(points, pen) => {}
            Figure::Polygon { points, fill, pen } => {
                let points = points.iter().map(|p| view.screen(*p)).collect();
                shapes.push(Shape::Path(PathShape::convex_polygon(points, egui_colour(*fill), stroke(pen))));
            }
            Figure::Line { points, pen } => match points.as_slice() {
                [a, b] => {
                    shapes.push(Shape::LineSegment { points: [view.screen(*a), view.screen(*b)], stroke: stroke(pen) })
                }
                _ => {
                    let points = points.iter().map(|p| view.screen(*p)).collect();
                    shapes.push(Shape::Path(PathShape::line(points, stroke(pen))));
                }
            },
            Figure::Text { at, size, text, colour } => {
                painter.add(std::mem::take(&mut shapes));
                // Whole sizes keep the glyph atlas small while zooming.
                let size = (size * s).round().clamp(4.0, 160.0);
                let at = view.screen(*at);
                if clip.expand(size * 4.0).contains(at) {
                    painter.text(at, Align2::CENTER_CENTER, text, FontId::proportional(size), egui_colour(*colour));
                }
            }
        }
    }
    // As one shape: a list of them would be copied again and again on its way through the frame.
    painter.add(shapes);
}

/// Draws a picture into a rectangle, fitted and centred: thumbnails and swatches.
pub fn fit(painter: &egui::Painter, rect: Rect, extent: Area, picture: &Picture) {
    draw(&painter.with_clip_rect(rect.intersect(painter.clip_rect())), &View::fitted(rect, extent), picture);
}
