//! The tour of the first start: five short steps, each beside the panel it is about. Nothing else reacts meanwhile: Enter
//! goes on, Escape ends it. It ends with the panels in front that were in front before, and can be taken again from the Help menu.

use super::{
    dialogs::default_button,
    dock::{Layout, Pane},
    keys::{self, Action},
    theme::egui_colour,
    workshop::Workshop,
};
use egui::{Align2, Order, Pos2, Rect, RichText, Stroke, StrokeKind, pos2};

/// Where the tour is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tour {
    step: usize,
    /// The panel of this step has been brought to the front.
    shown: bool,
    /// The panels that were in front before the tour.
    before: Option<Vec<Pane>>,
}

impl Tour {
    /// The first step.
    pub const BEGIN: Tour = Tour { step: 0, shown: false, before: None };

    fn go(&mut self, step: usize) {
        (self.step, self.shown) = (step, false);
    }
}

/// The panels, in the order of the steps.
const STOPS: [Pane; 5] = [Pane::Library, Pane::Play, Pane::Edit, Pane::Inspect, Pane::Generate];

/// How wide the card is at the normal size of text.
const WIDTH: f32 = 290.0;

/// A few words about a panel: what one does there, and how.
pub(super) fn words(ctx: &egui::Context, stop: Pane) -> (&'static str, String) {
    let key = |act| keys::key_of(ctx, act);
    match stop {
        Pane::Library => (
            "Choose a level",
            "Five games, their levels, and everything you draw or open. Click a picture to play it.".into(),
        ),
        Pane::Play => (
            "Play it",
            format!(
                "Drag things or use the arrow keys. {} takes a move back, {} gives a hint. Shift+F1 shows the rules.",
                key(Action::Undo),
                key(Action::Hint)
            ),
        ),
        Pane::Edit => (
            "Draw your own",
            format!(
                "{} goes from playing to drawing and back. After every stroke you see whether the level can be solved, and what has changed.",
                key(Action::PlayStart)
            ),
        ),
        Pane::Inspect => (
            "Solve it",
            format!(
                "{} finds a shortest solution and proves it. Step through it below, and take over wherever you like.",
                key(Action::Solve)
            ),
        ),
        Pane::Start => {
            ("Continue", "Each game's campaign where you left it, and the files you opened recently.".into())
        }
        Pane::Timeline => (
            "Step through it",
            format!(
                "The moves of the solution in Inspect, one by one or as a film. {} lets you play on from the position you see.",
                key(Action::TakeOver)
            ),
        ),
        Pane::History => ("Go back", "Every change to the draft; click one to return to it.".into()),
        Pane::Variants => (
            "Compare",
            format!(
                "{} keeps the draft as it is now; compare variants here and return to any of them.",
                key(Action::KeepVariant)
            ),
        ),
        Pane::Map => (
            "See all of it",
            "Every position of a small level by its distance from the start: what is lost, what all solutions pass through, where you are. Point at one to see its board, click to go there."
                .into(),
        ),
        Pane::Generate => (
            "Make more",
            format!(
                "{} shows the generator: choose a kind of level and press Generate. {} saves, {} finds every other action by name.",
                key(Action::Generate),
                key(Action::Save),
                key(Action::Palette)
            ),
        ),
    }
}

fn end(w: &mut Workshop) {
    let tour = w.tour.take();
    w.frame.show_panes.extend(tour.and_then(|t| t.before).unwrap_or_default());
    w.settings.toured = true;
}

/// Shows the card of the step, if the tour is under way.
pub(super) fn show(ctx: &egui::Context, w: &mut Workshop, layout: &mut Layout) {
    let Some(tour) = w.tour.as_mut().filter(|_| w.dialog.is_none()) else { return };
    let step = tour.step.min(STOPS.len() - 1);
    let pane = STOPS[step];
    if !tour.shown {
        tour.before.get_or_insert_with(|| Pane::ALL.into_iter().filter(|p| layout.is_front(*p)).collect());
        layout.show(pane);
        tour.shown = true;
        ctx.memory_mut(|m| m.stop_text_input());
        ctx.request_repaint();
        return;
    }
    let screen = ctx.content_rect();
    let accent = egui_colour(w.colours.accent);
    let around = layout.place(pane).unwrap_or(screen);
    // Below the card, which may reach over it.
    let painter = ctx.layer_painter(egui::LayerId::new(Order::Middle, egui::Id::unique("tour frame")));
    painter.rect_stroke(around.shrink(2.0), 6.0, Stroke::new(2.0, accent), StrokeKind::Inside);
    let width = WIDTH * w.settings.text_scale;
    let (pivot, at) = beside(around, screen, width);
    let card = egui::Area::new(egui::Id::unique("tour"))
        .kind(egui::UiKind::Modal)
        .order(Order::Foreground)
        .pivot(pivot)
        .fixed_pos(at)
        .constrain_to(screen);
    let (title, text) = words(ctx, pane);
    let (mut to, mut done) = (None, false);
    let frame = egui::Frame::popup(&ctx.global_style()).stroke(Stroke::new(1.5, accent)).inner_margin(12.0);
    let modal = egui::Modal::new(egui::Id::unique("tour")).area(card).frame(frame);
    modal.backdrop_color(egui::Color32::from_black_alpha(40)).show(ctx, |ui| {
        ui.set_width(width);
        ui.horizontal(|ui| {
            ui.label(RichText::new(title).heading());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.weak(format!("{} of {}", step + 1, STOPS.len()));
            });
        });
        ui.label(text);
        ui.add_space(4.0);
        ui.horizontal(|ui| {
            let last = step + 1 == STOPS.len();
            if default_button(ui, if last { "Done" } else { "Next" }) {
                if last { done = true } else { to = Some(step + 1) }
            }
            if step > 0 && ui.button("Back").clicked() {
                to = Some(step - 1);
            }
            if !last {
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    done |= ui.button("Skip the tour").on_hover_text("Escape. Help brings it back.").clicked();
                });
            }
        });
    });
    done |= ctx.input_mut(|i| i.consume_key(egui::Modifiers::NONE, egui::Key::Escape));
    if done {
        end(w);
    } else if let (Some(step), Some(tour)) = (to, &mut w.tour) {
        tour.go(step);
    }
}

/// Where the card stands: outside its panel, where it may reach a little into it at a narrow side, or else in its middle: tools and verdict are at its top
/// and foot.
fn beside(around: Rect, screen: Rect, width: f32) -> (Align2, Pos2) {
    let (left, right) = (around.left() - screen.left(), screen.right() - around.right());
    if left.max(right) < 0.7 * width {
        (Align2::CENTER_CENTER, around.center())
    } else if right >= left.min(width + 40.0) {
        (Align2::LEFT_CENTER, pos2(around.right() + 12.0, around.center().y))
    } else {
        (Align2::RIGHT_CENTER, pos2(around.left() - 12.0, around.center().y))
    }
}
