//! The choices at each turn of the line, in place of what remains, where there are too many positions for a map.

use crate::{analysis::choices::Choices, app::theme::egui_colour, picture::Colours};
use egui::Ui;
use egui_plot::{Bar, BarChart, Plot, VLine};

/// A bar for each turn: below what keeps the optimum, then what was not decided, then what loses it. By logarithms, so that one of a hundred is seen.
/// The step of a turn that was clicked.
pub fn show(ui: &mut Ui, choices: &Choices, step: usize, colours: &Colours) -> Option<usize> {
    let here = choices.turn_at(step);
    ui.label("Choices at each turn; the lower part keeps the optimum (click to jump)");
    ui.label(here.map_or_else(String::new, |turn| choices.text(turn)));
    let height = |n: u32| f64::from(n + 1).log2();
    let part = |from: u32, to: u32, turn: usize| {
        Bar::new(turn as f64, height(to) - height(from)).base_offset(height(from)).width(0.8)
    };
    let counted = || choices.turns.iter().enumerate().filter_map(|(turn, (_, counted))| Some((turn, (*counted)?)));
    let keep = counted().map(|(turn, c)| part(0, c.keep, turn)).collect();
    let undecided = counted().map(|(turn, c)| part(c.keep, c.keep + c.open, turn)).collect();
    let rest = counted().map(|(turn, c)| part(c.keep + c.open, c.all, turn)).collect();
    let plot = Plot::new("choices")
        .height(90.0)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show_grid(false)
        .show_axes(false)
        .show_x(false)
        .show_y(false)
        .include_x(-0.5)
        .include_x(choices.turns.len() as f64 - 0.5)
        .include_y(0.0);
    let response = plot.show(ui, |p| {
        let bars = [("keep the optimum", keep, colours.good), ("not decided", undecided, colours.warn)];
        for (name, bars, colour) in bars.into_iter().chain([("cost more", rest, colours.ink_soft)]) {
            p.bar_chart(BarChart::new(name, bars).color(egui_colour(colour)).allow_hover(false));
        }
        if let Some(turn) = here {
            p.vline(VLine::new("turn", turn as f64).color(egui_colour(colours.ink)));
        }
        p.pointer_coordinate()
    });
    let pointed = response.inner.filter(|_| response.response.hovered());
    let pointed = pointed.map(|at| at.x.round().max(0.0) as usize).filter(|turn| *turn < choices.turns.len());
    let turn = pointed?;
    response.response.on_hover_text_at_pointer(choices.text(turn)).clicked().then(|| choices.turns[turn].0)
}
