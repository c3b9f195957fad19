//! Icons drawn as vectors (the fonts have none), and the one button that shows them.

use egui::{Color32, Pos2, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, epaint::PathShape, pos2, vec2};

/// What an icon shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Icon {
    /// To the first step.
    First,
    /// One step back.
    Back,
    /// Play.
    Play,
    /// Pause.
    Pause,
    /// One step on.
    Next,
    /// To the last step.
    Last,
    /// Undo.
    Undo,
    /// Redo.
    Redo,
    /// Brush.
    Brush,
    /// Line.
    Line,
    /// Rectangle.
    Rectangle,
    /// Flood fill.
    Fill,
    /// Eraser.
    Eraser,
    /// Eyedropper.
    Pick,
    /// Selection.
    Select,
    /// Turn clockwise.
    Turn,
    /// Mirror left and right.
    FlipH,
    /// Mirror top and bottom.
    FlipV,
    /// Close.
    Close,
    /// A filled star.
    Star,
    /// Out into a window of its own.
    PopOut,
    /// A padlock.
    Lock,
    /// A funnel: what is left out.
    Filter,
    /// Three dots: there is more.
    More,
    /// A rising line: difficulty.
    Curve,
}

/// A square button with an icon. `name` is its accessible name and its tooltip.
pub fn button(ui: &mut Ui, icon: Icon, name: &str, chosen: bool, enabled: bool) -> Response {
    let side = ui.spacing().interact_size.y + 4.0;
    let sense = if enabled { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(side, side), sense);
    response.widget_info(|| WidgetInfo::selected(Role::Button, enabled, chosen, name));
    if ui.is_rect_visible(rect) {
        let visuals = ui.style().interact_selectable(&response, chosen);
        let ink = if enabled { visuals.text_color() } else { visuals.text_color().gamma_multiply(0.35) };
        if chosen || response.hovered() || response.has_focus() {
            let fill = if chosen { ui.visuals().selection.bg_fill } else { visuals.weak_bg_fill };
            ui.painter().rect(rect, 5.0, fill, visuals.bg_stroke, egui::StrokeKind::Inside);
        }
        paint(ui.painter(), rect.shrink(side * 0.22), icon, ink);
    }
    response.on_hover_text(name)
}

/// Paints an icon into a rectangle.
pub fn paint(painter: &egui::Painter, rect: Rect, icon: Icon, ink: Color32) {
    let p = |x: f32, y: f32| pos2(rect.left() + x * rect.width(), rect.top() + y * rect.height());
    let pen = Stroke::new((rect.width() * 0.1).clamp(1.2, 3.0), ink);
    let line = |points: &[Pos2]| painter.add(PathShape::line(points.to_vec(), pen));
    let closed = |points: &[Pos2]| painter.add(PathShape::closed_line(points.to_vec(), pen));
    let fill = |points: &[Pos2]| painter.add(PathShape::convex_polygon(points.to_vec(), ink, Stroke::NONE));
    let tri = |x0: f32, x1: f32| fill(&[p(x0, 0.12), p(x1, 0.5), p(x0, 0.88)]);
    let bar = |x: f32| fill(&[p(x, 0.12), p(x + 0.16, 0.12), p(x + 0.16, 0.88), p(x, 0.88)]);
    match icon {
        Icon::First => {
            bar(0.1);
            tri(0.92, 0.36);
        }
        Icon::Back => {
            tri(0.78, 0.2);
        }
        Icon::Play => {
            tri(0.2, 0.9);
        }
        Icon::Pause => {
            bar(0.2);
            bar(0.62);
        }
        Icon::Next => {
            tri(0.22, 0.8);
        }
        Icon::Last => {
            tri(0.08, 0.64);
            bar(0.74);
        }
        Icon::Undo | Icon::Redo => {
            let m = |x: f32| if icon == Icon::Undo { x } else { 1.0 - x };
            line(&[
                p(m(0.12), 0.36),
                p(m(0.62), 0.36),
                p(m(0.82), 0.5),
                p(m(0.82), 0.66),
                p(m(0.62), 0.82),
                p(m(0.35), 0.82),
            ]);
            line(&[p(m(0.34), 0.12), p(m(0.1), 0.36), p(m(0.34), 0.6)]);
        }
        Icon::Brush => {
            line(&[p(0.92, 0.08), p(0.42, 0.58)]);
            fill(&[p(0.42, 0.5), p(0.52, 0.62), p(0.3, 0.88), p(0.08, 0.92), p(0.16, 0.68)]);
        }
        Icon::Line => {
            line(&[p(0.1, 0.9), p(0.9, 0.1)]);
        }
        Icon::Rectangle => {
            closed(&[p(0.1, 0.2), p(0.9, 0.2), p(0.9, 0.8), p(0.1, 0.8)]);
        }
        Icon::Fill => {
            closed(&[p(0.4, 0.1), p(0.82, 0.5), p(0.44, 0.86), p(0.06, 0.48)]);
            fill(&[p(0.14, 0.5), p(0.74, 0.5), p(0.44, 0.8)]);
            painter.circle_filled(p(0.9, 0.8), rect.width() * 0.09, ink);
        }
        Icon::Eraser => {
            closed(&[p(0.58, 0.12), p(0.92, 0.42), p(0.46, 0.88), p(0.12, 0.58)]);
            line(&[p(0.35, 0.35), p(0.69, 0.65)]);
        }
        Icon::Pick => {
            line(&[p(0.12, 0.88), p(0.56, 0.44)]);
            line(&[p(0.44, 0.32), p(0.68, 0.56)]);
            fill(&[p(0.6, 0.22), p(0.78, 0.06), p(0.94, 0.22), p(0.78, 0.4)]);
        }
        Icon::Select => {
            for (a, b) in [
                ((0.1, 0.1), (0.36, 0.1)),
                ((0.64, 0.1), (0.9, 0.1)),
                ((0.1, 0.9), (0.36, 0.9)),
                ((0.64, 0.9), (0.9, 0.9)),
            ] {
                line(&[p(a.0, a.1), p(b.0, b.1)]);
                line(&[p(a.1, a.0), p(b.1, b.0)]);
            }
        }
        Icon::Turn => {
            let arc: Vec<_> = (0..=12)
                .map(|i| -2.6 + i as f32 * 0.36)
                .map(|a| p(0.5 + 0.36 * a.cos(), 0.54 + 0.36 * a.sin()))
                .collect();
            let end = arc[12];
            line(&arc);
            let d = rect.width() * 0.2;
            line(&[end + vec2(-d * 0.9, -d * 0.5), end, end + vec2(d * 0.6, -d)]);
        }
        Icon::FlipH => {
            line(&[p(0.5, 0.05), p(0.5, 0.95)]);
            fill(&[p(0.38, 0.25), p(0.38, 0.75), p(0.04, 0.75)]);
            closed(&[p(0.62, 0.25), p(0.62, 0.75), p(0.96, 0.75)]);
        }
        Icon::FlipV => {
            line(&[p(0.05, 0.5), p(0.95, 0.5)]);
            fill(&[p(0.25, 0.38), p(0.75, 0.38), p(0.75, 0.04)]);
            closed(&[p(0.25, 0.62), p(0.75, 0.62), p(0.75, 0.96)]);
        }
        Icon::Close => {
            line(&[p(0.2, 0.2), p(0.8, 0.8)]);
            line(&[p(0.8, 0.2), p(0.2, 0.8)]);
        }
        Icon::Star => {
            // Five triangles: a star is not convex.
            for i in 0..5 {
                let a = -std::f32::consts::FRAC_PI_2 + i as f32 * std::f32::consts::TAU / 5.0;
                let at = |a: f32, r: f32| p(0.5 + r * a.cos(), 0.53 + r * a.sin());
                let (l, r) = (a - std::f32::consts::PI / 5.0, a + std::f32::consts::PI / 5.0);
                fill(&[at(a, 0.52), at(r, 0.22), p(0.5, 0.53), at(l, 0.22)]);
            }
        }
        Icon::Lock => {
            fill(&[p(0.14, 0.46), p(0.86, 0.46), p(0.86, 0.94), p(0.14, 0.94)]);
            line(&[p(0.28, 0.48), p(0.28, 0.24), p(0.4, 0.08), p(0.6, 0.08), p(0.72, 0.24), p(0.72, 0.48)]);
        }
        Icon::PopOut => {
            line(&[p(0.45, 0.15), p(0.1, 0.15), p(0.1, 0.9), p(0.85, 0.9), p(0.85, 0.55)]);
            line(&[p(0.4, 0.6), p(0.92, 0.08)]);
            line(&[p(0.6, 0.08), p(0.92, 0.08), p(0.92, 0.4)]);
        }
        Icon::Filter => {
            closed(&[p(0.08, 0.14), p(0.92, 0.14), p(0.58, 0.54), p(0.58, 0.9), p(0.42, 0.8), p(0.42, 0.54)]);
        }
        Icon::More => {
            for x in [0.16, 0.5, 0.84] {
                painter.circle_filled(p(x, 0.5), rect.width() * 0.1, ink);
            }
        }
        Icon::Curve => {
            line(&[p(0.08, 0.05), p(0.08, 0.92), p(0.95, 0.92)]);
            line(&[p(0.22, 0.74), p(0.45, 0.52), p(0.62, 0.6), p(0.92, 0.18)]);
        }
    }
}
