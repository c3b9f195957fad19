//! How hard the level is: one number, and what it was made of.

use crate::{
    analysis::{
        grouped,
        rate::{self, Metrics, Rating},
    },
    app::{theme::egui_colour, workshop::Workshop},
    game::Severity,
    picture::Colours,
};
use egui::{RichText, Ui, vec2};

const MEANING: &str = "From 0 to 100, for comparing levels of one game: it grows with the shortest solution, the search for it and the wrong turns on the way. \
The same number as in the Library, in Generate and in the command rate.";

/// The section of the panel.
pub fn show(ui: &mut Ui, w: &mut Workshop, colours: &Colours) {
    let live = w.settings.rate_live;
    let Some(open) = w.session.current_mut() else { return };
    let playable = !open.doc.problems().iter().any(|p| p.severity == Severity::Error);
    let Some(rating) = open.doc.rating() else {
        if playable && !live && ui.button("Rate").on_hover_text("How hard is this level?").clicked() {
            open.doc.ask_rating();
        } else if playable && live {
            ui.weak("measuring the difficulty …");
        }
        return;
    };
    // What cannot be won as it is played is not hard but impossible, although it may have a line for par (Readout, without its opponent and its limit).
    let impossible = open.doc.is_unsolvable();
    match rating.difficulty.filter(|_| !impossible) {
        Some(difficulty) => {
            headline(ui, difficulty, rating, open.doc.harder_by(), colours);
            let counts = open.doc.game().info().counts;
            if let Some(m) = &rating.metrics {
                ui.label(reasons(m));
            }
            egui::CollapsingHeader::new("Measurements").show(ui, |ui| metrics(ui, rating, counts));
        }
        None if playable => {
            ui.weak("no difficulty: no solution is known");
        }
        None => {}
    }
}

fn headline(ui: &mut Ui, difficulty: f64, rating: &Rating, change: Option<f64>, colours: &Colours) {
    ui.horizontal(|ui| {
        let at_least = if rating.at_least { "at least " } else { "" };
        let text = format!("Difficulty {at_least}{}", rate::shown(difficulty));
        ui.label(RichText::new(text).strong()).on_hover_text(MEANING);
        if let Some(change) = change.filter(|c| c.abs() >= 0.5) {
            ui.label(format!("({change:+.0})")).on_hover_text("Since the last change");
        }
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width().max(20.0), 8.0), egui::Sense::hover());
        let full = egui::Rect::from_min_size(rect.min, vec2(rect.width() * difficulty as f32 / 100.0, rect.height()));
        ui.painter().rect_filled(rect, 4.0, ui.visuals().widgets.inactive.bg_fill);
        ui.painter().rect_filled(full, 4.0, egui_colour(colours.accent));
        response.on_hover_text(MEANING);
    });
}

/// Of fewer moves it is not said that none of them loses.
const FEW: usize = 10;

/// What makes a level hard or easy, in a sentence.
fn reasons(m: &Metrics) -> String {
    let percent = |x: f64| format!("{:.0} %", x * 100.0);
    let mut parts = vec![match m.branching.round() as u64 {
        0 | 1 => "hardly a move to choose from".into(),
        n => format!("about {} moves to choose from", grouped(n)),
    }];
    if m.forced > 0.0 {
        parts.push(format!("{} of the moves are forced", percent(m.forced)));
    }
    // That none of a handful loses says nothing about the others.
    if let Some(dead) = m.dead_ends.filter(|d| *d > 0.0 || m.judged >= FEW) {
        parts.push(match (dead * m.judged as f64).round() as usize {
            0 => format!("none of {} other moves tried loses", m.judged),
            1 => format!("1 of {} other moves tried loses", m.judged),
            lost => format!("{lost} of {} other moves tried lose", m.judged),
        });
    }
    parts.join(", ")
}

fn metrics(ui: &mut Ui, rating: &Rating, counts: &[&str]) {
    egui::Grid::new("metrics").num_columns(2).striped(true).show(ui, |ui| {
        let mut row = |name: &str, value: String, help: &str| {
            ui.label(RichText::new(name).small()).on_hover_text(help);
            ui.label(RichText::new(value).small());
            ui.end_row();
        };
        for goal in &rating.goals {
            let proven = if goal.optimal() { ", proven" } else { "" };
            let help = format!("{} of a best solution for this goal", counts.join(" or "));
            row(goal.goal, format!("{}{proven}", goal.cost_text()), &help);
        }
        let Some(m) = &rating.metrics else { return };
        for (name, value, help) in lines(m) {
            row(name, value, help);
        }
    });
}

fn lines(m: &Metrics) -> Vec<(&'static str, String, &'static str)> {
    let percent = |x: f64| format!("{:.0} %", x * 100.0);
    let mut lines = vec![
        ("moves to choose from", format!("{:.1}", m.branching), "Legal moves per position of the solution, on average"),
        ("forced", percent(m.forced), "Positions of the solution with only one legal move"),
    ];
    if let Some(dead) = m.dead_ends {
        let value = format!("{} ({} of {} judged)", percent(dead), m.judged, m.sampled);
        lines.push((
            "wrong moves that lose",
            value,
            "Share of sampled moves off the solution after which the level is lost",
        ));
    }
    lines.push((
        "pieces that never move",
        format!("{} of {}", m.pieces_never_moved, m.pieces),
        "They could move, but need not",
    ));
    if let Some(cells) = m.cells_never_used {
        lines.push(("cells never used", cells.to_string(), "Cells the search reached that the solution does not need"));
    }
    lines
}
