//! The solutions kept with the level: keep, show, compare, forget.

use crate::{
    analysis::counts_text,
    app::{
        icons::{self, Icon},
        workshop::{OpenLevel, Workshop},
    },
    document::{Comparison, Kept, Standing},
    game::Solution,
};
use egui::{RichText, Ui};

/// What a row asks for.
enum Request {
    Show(usize),
    Compare(Option<usize>),
    Forget(Vec<usize>),
}

/// The kept solutions by their moves: one that was found for several goals is kept for each of them, and has one row.
fn by_moves(kept: &[Solution]) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for (i, solution) in kept.iter().enumerate() {
        match rows.iter_mut().find(|row| kept[row[0]].moves == solution.moves) {
            Some(row) => row.push(i),
            None => rows.push(vec![i]),
        }
    }
    rows
}

/// The list of them.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    let Some(open) = w.session.current_mut() else { return };
    let kept = open.doc.kept();
    if kept.is_empty() {
        return;
    }
    let mut request = None;
    let rows = by_moves(kept);
    egui::CollapsingHeader::new(format!("Kept solutions ({})", rows.len())).id_salt("kept").default_open(true).show(
        ui,
        |ui| {
            for number in 0..rows.len() {
                row(ui, open, &rows, number, &mut request);
            }
            if let Some(other) = open.doc.comparison() {
                ui.separator();
                compared(ui, open, other, &mut request);
            }
        },
    );
    let done = match request {
        Some(Request::Show(i)) => open.doc.show_kept(i).map(|()| open.stepping = true),
        Some(Request::Compare(i)) => open.doc.compare_with(i).map(|()| open.stepping = true),
        Some(Request::Forget(same)) => {
            same.into_iter().rev().for_each(|i| open.doc.forget(i));
            Ok(())
        }
        None => Ok(()),
    };
    if let Err(message) = done {
        w.complain(message);
    }
}

/// Copies or keeps the solution shown.
pub fn keep_row(ui: &mut Ui, w: &mut Workshop) {
    let only_better = w.settings.keep_only_better;
    let Some(open) = w.session.current_mut() else { return };
    let text = open.doc.line_text();
    if text.is_empty() {
        return;
    }
    let mut keep = false;
    ui.horizontal_wrapped(|ui| {
        if ui.button("Copy the moves").clicked() {
            ui.ctx().copy_text(text.into());
        }
        let button = ui.add_enabled(open.doc.keepable(), egui::Button::new("Keep with the level"));
        keep = button.on_disabled_hover_text("Only a solution of the draft as it is, from its start").clicked();
        ui.checkbox(&mut w.settings.keep_only_better, "only if better")
            .on_hover_text("Keep a solution only if no kept one is as good in every count");
    });
    if keep && let Some(solution) = w.session.current_mut().and_then(|o| o.doc.as_solution()) {
        w.keep(solution, only_better);
    }
}

fn row(ui: &mut Ui, open: &OpenLevel, rows: &[Vec<usize>], number: usize, request: &mut Option<Request>) {
    let i = rows[number][0];
    ui.horizontal(|ui| {
        if icons::button(ui, Icon::Close, &format!("Forget solution {}", number + 1), false, true).clicked() {
            *request = Some(Request::Forget(rows[number].clone()));
        }
        // From the right end inwards; the solution itself has what is left.
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let solves = matches!(open.doc.standing().get(i), Some(Standing::Solves(_)));
            if solves
                && open.doc.line_len() > 0
                && ui.button("Compare").on_hover_text("Side by side with the solution shown").clicked()
            {
                *request = Some(Request::Compare(Some(i)));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                solution_button(ui, open, rows, number, request);
            });
        });
    });
}

/// "12 steps · 3 drags", and by which of these no other is better, or the goals if it was found for several.
fn solution_button(ui: &mut Ui, open: &OpenLevel, rows: &[Vec<usize>], number: usize, request: &mut Option<Request>) {
    let (i, all) = (rows[number][0], open.doc.standing());
    let solution = &open.doc.kept()[i];
    // One of each row; they stand there only once all are known.
    let standing: Vec<&Standing> = rows.iter().filter_map(|row| all.get(row[0])).collect();
    // In the game's order, as everywhere else.
    let names = open.doc.game().info().counts;
    let counts = counts_text(names.iter().filter_map(|n| Some((*n, *solution.counts.get(*n)?))));
    let (stale, best) = match all.get(i) {
        Some(Standing::Stale(why)) => (Some(why), Vec::new()),
        Some(Standing::Solves(counts)) => (None, best_by(&standing, counts)),
        None => (None, Vec::new()),
    };
    let goal = |i: &usize| {
        let id = open.doc.kept()[*i].goal.as_str();
        open.doc.game().goals().iter().find(|g| g.id == id).map_or(id, |g| g.name)
    };
    let goals: Vec<&str> = rows[number].iter().map(goal).collect();
    let best = match best.len() {
        0 => String::new(),
        n if n == names.len() => "best".into(),
        _ => format!("fewest {}", best.join(", ")),
    };
    let button = ui.add_enabled(stale.is_none(), egui::Button::new(&counts).truncate());
    let button = button.accessible_name(format!("Solution {}: {counts}", number + 1));
    let also = if best.is_empty() { String::new() } else { format!(" Of those kept: {best}.") };
    let label = match goals.len() {
        2 if best != "best" => "both goals".into(),
        3.. if best != "best" => format!("{} goals", goals.len()),
        _ => best,
    };
    let goals = format!("{}: {}", if goals.len() > 1 { "Goals" } else { "Goal" }, goals.join(", "));
    if button.on_hover_text(format!("Step through it. {goals}.{also} Found by: {}", solution.found)).clicked() {
        *request = Some(Request::Show(i));
    }
    if let Some(why) = stale {
        ui.label(RichText::new("stale").color(ui.visuals().warn_fg_color)).on_hover_text(why);
    } else if !label.is_empty() {
        // Where it does not fit, the tooltip says it.
        let text = egui::WidgetText::from(RichText::new(label).weak());
        let text = text.into_galley(ui, None, f32::INFINITY, egui::TextStyle::Body);
        if text.size().x <= ui.available_width() {
            ui.label(text);
        }
    }
}

/// The counts by which no other kept solution is better, where there is another one.
fn best_by<'a>(all: &[&Standing], counts: &[(&'a str, u32)]) -> Vec<&'a str> {
    let others: Vec<_> = all.iter().filter_map(|s| if let Standing::Solves(c) = s { Some(c) } else { None }).collect();
    if others.len() < 2 {
        return Vec::new();
    }
    let best = |name: &str, n: u32| others.iter().flat_map(|c| c.iter()).all(|(other, m)| *other != name || n <= *m);
    counts.iter().filter(|(name, n)| best(name, *n)).map(|(name, _)| *name).collect()
}

fn compared(ui: &mut Ui, open: &OpenLevel, other: &Comparison, request: &mut Option<Request>) {
    let Comparison { parted, len, .. } = *other;
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("Beside").strong());
        ui.label(&other.name);
        if ui.button("Stop comparing").clicked() {
            *request = Some(Request::Compare(None));
        }
    });
    ui.label(if parted == len && len == open.doc.line_len() {
        "both solutions are the same".to_string()
    } else if parted == open.doc.line_len().min(len) {
        "the shorter one is the beginning of the other".to_string()
    } else {
        format!("they differ from move {} on", parted + 1)
    });
}

/// Says what became of a request to keep a solution.
pub fn words(kept: &Kept) -> String {
    match kept {
        Kept::Kept => "kept with the level; save the level to keep it for good".into(),
        Kept::There => "this solution is already kept".into(),
        Kept::NoBetter(counts) => format!("not kept: a kept one is as good ({counts})"),
    }
}
