//! One level: thumbnail, title, and badges, each a sign and not only a colour.

use crate::{
    app::{icons, theme::egui_colour},
    catalogue::{Entry, Rated, State},
    picture::{Colours, Rgba},
};
use egui::{
    Align2, FontId, Painter, Pos2, Rect, RichText, Shape, Stroke, StrokeKind, Ui, epaint::PathShape, pos2, vec2,
};

/// Points between a board and the rim of its card.
pub(super) const RIM: f32 = 4.0;

/// What is shown on a card beside the board.
pub(super) struct Look<'a> {
    pub entry: &'a Entry,
    pub thumb: Option<&'a egui::TextureHandle>,
    pub selected: bool,
    pub cursor: bool,
    /// It is the level in front.
    pub open: bool,
    pub solved: bool,
    pub stars: u8,
    pub twin: bool,
    /// Shown while sorted by it.
    pub rated: Option<&'a Rated>,
    /// The title is being changed elsewhere.
    pub renaming: bool,
}

/// Paints a card: a square board with the title below it.
pub(super) fn paint(ui: &Ui, rect: Rect, hovered: bool, look: &Look<'_>, colours: &Colours) {
    let painter = ui.painter();
    let board = Rect::from_min_size(rect.min, vec2(rect.width(), rect.width()));
    painter.rect_filled(board, 5.0, egui_colour(colours.back));
    match (&look.entry.state, look.thumb) {
        (State::Bad(_), _) => {
            let ink = egui_colour(colours.bad);
            painter.text(board.center(), Align2::CENTER_CENTER, "!", FontId::proportional(board.width() * 0.4), ink);
        }
        (_, Some(thumb)) => {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(thumb.id(), board.shrink(RIM), whole, egui::Color32::WHITE);
        }
        (_, None) => {}
    }
    badges(painter, board, look, colours);
    if look.selected {
        painter.rect_filled(board, 5.0, egui_colour(colours.accent.faded(0.16)));
    }
    let rim = |width: f32, colour: Rgba| {
        painter.rect_stroke(board, 5.0, Stroke::new(width, egui_colour(colour)), StrokeKind::Inside);
    };
    if look.selected || look.cursor || hovered {
        rim(2.0, colours.accent);
    } else if look.open {
        rim(1.0, colours.accent);
    }
    if look.renaming {
        return;
    }
    let text = RichText::new(&look.entry.title).small();
    let text = if look.open { text.strong() } else { text };
    let galley = egui::WidgetText::from(text).into_galley(
        ui,
        Some(egui::TextWrapMode::Truncate),
        rect.width(),
        egui::TextStyle::Small,
    );
    let at = pos2(board.center().x - galley.size().x / 2.0, board.bottom() + 2.0);
    painter.galley(at, galley, ui.visuals().text_color());
}

fn badges(painter: &Painter, board: Rect, look: &Look<'_>, colours: &Colours) {
    let side = (board.width() * 0.2).clamp(12.0, 18.0);
    let corner = |x: f32, y: f32| Rect::from_center_size(pos2(x, y), vec2(side, side));
    let (left, right) = (board.left() + side * 0.62, board.right() - side * 0.62);
    let (top, bottom) = (board.top() + side * 0.62, board.bottom() - side * 0.62);
    let disc = |rect: Rect, fill: Rgba| {
        painter.circle_filled(rect.center(), side * 0.52, egui_colour(colours.back));
        painter.circle_filled(rect.center(), side * 0.45, egui_colour(fill));
    };
    if look.solved {
        let rect = corner(right, bottom);
        disc(rect, colours.good);
        check(painter, rect.shrink(side * 0.24), egui_colour(colours.back));
        for i in 0..look.stars.min(3) {
            let at = corner(left + f32::from(i) * side * 0.72, bottom).shrink(side * 0.14);
            painter.circle_filled(at.center(), side * 0.42, egui_colour(colours.back.faded(0.8)));
            icons::paint(painter, at, icons::Icon::Star, egui_colour(colours.warn));
        }
    }
    if look.twin {
        let rect = corner(right, top);
        disc(rect, colours.ink_soft);
        let ink = Stroke::new((side * 0.11).max(1.2), egui_colour(colours.back));
        for y in [-0.12, 0.12] {
            let y = rect.center().y + y * side;
            painter.line_segment([pos2(rect.left() + side * 0.28, y), pos2(rect.right() - side * 0.28, y)], ink);
        }
    }
    if let Some(rated) = look.rated {
        let text = rated.text();
        let font = FontId::proportional(side * 0.72);
        let galley = painter.layout_no_wrap(text, font, egui_colour(colours.ink));
        let at = pos2(board.left() + 5.0, board.top() + 3.0);
        let back = Rect::from_min_size(at, galley.size()).expand2(vec2(3.0, 0.5));
        painter.rect_filled(back, 4.0, egui_colour(colours.back.faded(0.85)));
        painter.galley(at, galley, egui_colour(colours.ink));
    }
}

/// A check mark.
fn check(painter: &Painter, rect: Rect, ink: egui::Color32) {
    let p = |x: f32, y: f32| -> Pos2 { pos2(rect.left() + x * rect.width(), rect.top() + y * rect.height()) };
    let stroke = Stroke::new((rect.width() * 0.24).max(1.4), ink);
    painter.add(Shape::Path(PathShape::line(vec![p(0.02, 0.52), p(0.38, 0.88), p(1.0, 0.12)], stroke)));
}
