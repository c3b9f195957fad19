//! The solver. Above: the answer in a sentence, how hard the level is and why, the solutions kept with it; limits and counters under Details. Below: the list of
//! moves, which follows the step.

mod choices;
mod kept;
mod rating;

pub use kept::words;

use super::{choice, nothing_open, one_line};
use crate::{
    analysis::{MoveRow, Report, Verdict},
    app::{
        icons::{self, Icon},
        keys::{Action, key_of, tip},
        theme::{egui_colour, text_colour},
        workshop::Workshop,
    },
    document::{Counted, SolveState},
    job::{Limits, Progress},
    picture::Colours,
};
use egui::{RichText, Ui};
use egui_extras::{Column, TableBuilder};
use egui_plot::{Line, Plot, PlotPoints, Points, VLine};
use std::time::Duration;

/// The goal and the overlay chosen in the panel.
#[derive(Default)]
pub struct InspectUi {
    /// The place of the goal among the game's.
    pub goal: usize,
    /// What is laid over the board while stepping and editing.
    pub overlay: Overlay,
    /// Whether the details were in sight: they show the map of positions.
    pub details: bool,
    /// The level and the step that the list of moves was last scrolled to.
    followed: Option<(u64, usize)>,
}

/// What is laid over the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Overlay {
    /// Nothing.
    #[default]
    None,
    /// The cells that the search was busy with.
    Visited,
    /// One of the game's overlays.
    OfGame(usize),
}

/// The limits the user has set.
pub fn limits(w: &Workshop) -> Limits {
    let seconds = w.settings.solve_seconds;
    Limits {
        nodes: None,
        time: (seconds > 0).then(|| Duration::from_secs(u64::from(seconds))),
        memory: Some(u64::from(w.settings.solve_megabytes) << 20),
    }
}

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    if w.session.open.is_empty() {
        nothing_open(ui, "The solver works on the open level.");
        return;
    }
    let colours = w.colours.clone();
    controls(ui, w);
    ui.separator();
    // The list of moves has the lower half to itself.
    let listed = w.session.current().is_some_and(|o| !o.doc.move_rows().is_empty());
    let height = ui.available_height() * if listed { 0.5 } else { 1.0 };
    egui::ScrollArea::vertical().id_salt("answer").max_height(height).auto_shrink(false).show(ui, |ui| {
        outcome(ui, w, &colours);
        // Above what is found out after the solution, so that the buttons stay where they are.
        kept::keep_row(ui, w);
        all_shortest(ui, w);
        rating::show(ui, w, &colours);
        kept::show(ui, w);
        let details = egui::CollapsingHeader::new("Details").show(ui, |ui| {
            details(ui, w);
            graph(ui, w, &colours);
            overlays(ui, w);
        });
        w.inspect.details = details.body_returned.is_some();
    });
    if listed {
        ui.separator();
        moves(ui, w);
    }
}

fn controls(ui: &mut Ui, w: &mut Workshop) {
    let Some(open) = w.session.current() else { return };
    let goals = open.doc.game().goals();
    let running = open.doc.solve_state() == SolveState::Running;
    let mut ask = None;
    w.inspect.goal = w.inspect.goal.min(goals.len() - 1);
    ui.horizontal_wrapped(|ui| {
        let label = ui.label("Goal");
        let list = egui::ComboBox::from_id_salt("goal").selected_text(goals[w.inspect.goal].name);
        let all = goals.iter().map(|goal| goal.name).enumerate();
        choice(ui, list, &mut w.inspect.goal, all).labelled_by(label.id);
        if running {
            if ui.button("Stop").on_hover_text(tip(ui.ctx(), Action::StopSolver)).clicked() {
                ask = Some(Action::StopSolver);
            }
            ui.spinner();
        } else {
            if ui.button("Solve").on_hover_text(tip(ui.ctx(), Action::Solve)).clicked() {
                ask = Some(Action::Solve);
            }
            if ui.button("From here").on_hover_text(tip(ui.ctx(), Action::SolveHere)).clicked() {
                ask = Some(Action::SolveHere);
            }
        }
    });
    if let Some(act) = ask {
        w.ask(act);
    }
}

/// Limits, what the search has done, what it has proven.
fn details(ui: &mut Ui, w: &mut Workshop) {
    ui.horizontal_wrapped(|ui| {
        let label = ui.label("Time");
        let seconds = egui::DragValue::new(&mut w.settings.solve_seconds).range(0..=36_000).suffix(" s");
        ui.add(seconds).labelled_by(label.id).on_hover_text("0: no limit");
        let label = ui.label("Memory");
        let memory = egui::DragValue::new(&mut w.settings.solve_megabytes).range(16..=65_536).suffix(" MB");
        ui.add(memory).labelled_by(label.id);
    });
    let Some(open) = w.session.current() else { return };
    if let Some(report) = open.doc.report() {
        if let Some(t) = report.tally {
            let all = if t.all { "in all" } else { "at least" };
            ui.label(format!("{} solutions {all}", t.found));
        }
        report.bound_text().into_iter().for_each(|bound| drop(ui.label(bound)));
    }
    counters(ui, &open.doc.solve_progress());
}

fn outcome(ui: &mut Ui, w: &mut Workshop, colours: &Colours) {
    let Some(open) = w.session.current() else { return };
    let doc = &open.doc;
    if doc.solve_state() == SolveState::Idle {
        let key = key_of(ui.ctx(), Action::Solve);
        ui.weak(format!("Press Solve ({key}) for a solution and, if time allows, proof that none is shorter."));
        return;
    }
    let (running, stale) = (doc.solve_state() == SolveState::Running, doc.stale());
    let mut again = false;
    if stale {
        ui.horizontal_wrapped(|ui| {
            ui.colored_label(ui.visuals().warn_fg_color, "from before the last edit");
            again = ui.button("Solve again").on_hover_text(tip(ui.ctx(), Action::Solve)).clicked();
        });
    }
    // What is about another draft is shown greyed.
    ui.scope(|ui| {
        if stale {
            ui.set_opacity(0.5);
        }
        match doc.report() {
            Some(report) => answer(ui, report, running, colours),
            None if running => {
                ui.label(RichText::new("searching").heading());
            }
            None => {}
        }
    });
    if again {
        w.ask(Action::Solve);
    }
}

/// How many shortest solutions there are, and the way from one to the next. Two rows, counted or not: what stands below does not move.
fn all_shortest(ui: &mut Ui, w: &mut Workshop) {
    let Some(open) = w.session.current_mut() else { return };
    let Some(counted) = open.doc.shortest() else { return };
    ui.scope(|ui| {
        if open.doc.stale() {
            ui.set_opacity(0.5);
        }
        match &counted {
            Counted::Running => drop(one_line(ui, RichText::new("counting the shortest solutions …").weak())),
            Counted::Stopped(stop) => {
                let text = RichText::new("shortest solutions: too many positions to count them").weak();
                one_line(ui, text).on_hover_text(format!("Stopped by the limit of {}.", stop.name()));
            }
            Counted::Known(about) => drop(one_line(ui, about.text())),
        }
    });
    let (shown, listed) = open.doc.solution_shown().unwrap_or((0, 0));
    let all = matches!(&counted, Counted::Known(about) if about.tally.found == listed as u64);
    let mut go = None;
    ui.horizontal(|ui| {
        if icons::button(ui, Icon::Back, "Previous solution", false, shown > 0).clicked() {
            go = Some(shown - 1);
        }
        let more = if all { format!(" of {listed}") } else { format!(" ({listed} listed)") };
        ui.label(format!("solution {}{}", shown + 1, if listed > 0 { more.as_str() } else { "" }));
        if icons::button(ui, Icon::Next, "Next solution", false, shown + 1 < listed).clicked() {
            go = Some(shown + 1);
        }
    });
    if let Some(index) = go {
        open.doc.show_solution(index);
        open.stepping = true;
    }
}

fn answer(ui: &mut Ui, report: &Report, running: bool, colours: &Colours) {
    let colour = match &report.verdict {
        Verdict::Solved { optimal: true, .. } => colours.good,
        Verdict::Unsolvable | Verdict::Unplayable(_) | Verdict::Fault(_) => colours.bad,
        Verdict::Solved { .. } | Verdict::Stopped(_) => colours.warn,
    };
    let headline = if running { "solved, looking for better".into() } else { report.headline() };
    let counts = if report.counts.is_empty() { String::new() } else { format!(": {}", report.counts_text()) };
    ui.label(RichText::new(headline + &counts).heading().color(text_colour(colour, colours)));
}

fn counters(ui: &mut Ui, p: &Progress) {
    if p.nodes == 0 && p.elapsed.is_zero() {
        // A kept solution is shown: nothing was searched for.
        return;
    }
    let seconds = p.elapsed.as_secs_f64();
    let rate = if seconds > 0.05 { p.nodes as f64 / seconds } else { 0.0 };
    let mut parts = vec![format!("{} nodes", short(p.nodes as f64)), format!("{seconds:.2} s")];
    if p.frontier > 0 {
        parts.push(format!("{} queued", short(p.frontier as f64)));
    }
    if p.bound > 0 {
        parts.push(format!("bound {}", p.bound));
    }
    if rate > 0.0 {
        parts.push(format!("{} nodes/s", short(rate)));
    }
    if p.memory > 0 {
        parts.push(format!("{} MB", p.memory >> 20));
    }
    if let Some(first) = p.first {
        parts.push(format!("first line after {:.2} s", first.as_secs_f64()));
    }
    ui.label(RichText::new(parts.join(" · ")).weak());
}

/// 41 k, 1.2 M.
pub fn short(n: f64) -> String {
    match n {
        n if n < 10_000.0 => format!("{n:.0}"),
        n if n < 1e6 => format!("{:.0} k", n / 1e3),
        n => format!("{:.1} M", n / 1e6),
    }
}

fn graph(ui: &mut Ui, w: &mut Workshop, colours: &Colours) {
    let Some(open) = w.session.current_mut() else { return };
    let values = open.doc.graph();
    if values.len() < 2 {
        return;
    }
    // What remains is a straight line for every best solution: the map shows more, where there is one, and else the choices.
    if open.doc.map_is_current()
        && let Some(map) = open.doc.position_map().filter(|m| m.is_whole()).cloned()
    {
        ui.label(map.sentence());
        super::map::funnel(ui, w, &map, egui::vec2(ui.available_width(), 110.0));
        return;
    }
    let step = open.doc.step();
    if let Some(found) = open.doc.choices() {
        if let Some(to) = choices::show(ui, found, step, colours) {
            open.doc.set_step(to);
            open.stepping = true;
        }
        return;
    }
    let line: PlotPoints<'static> = bends(values).into_iter().map(|i| [i as f64, f64::from(values[i])]).collect();
    let here = Points::new("here", vec![[step as f64, f64::from(values[step.min(values.len() - 1)])]]);
    ui.label("Remaining over the moves (click to jump)");
    let plot = Plot::new("distance")
        .height(90.0)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show_grid([false, true])
        .show_axes([false, true])
        .include_y(0.0);
    let response = plot.show(ui, |p| {
        p.line(Line::new("remaining", line).color(egui_colour(colours.accent)).width(2.0).fill(0.0));
        p.vline(VLine::new("step", step as f64).color(egui_colour(colours.ink_soft)));
        p.points(here.radius(4.0).color(egui_colour(colours.warn)));
        p.pointer_coordinate()
    });
    if response.response.clicked()
        && let Some(at) = response.inner
    {
        open.doc.set_step(at.x.round().max(0.0) as usize);
        open.stepping = true;
    }
}

/// The places where a line through these values changes its slope, its ends among them: a long line with few bends is drawn as fast as a short one.
fn bends(values: &[f32]) -> Vec<usize> {
    let straight = |i: usize| i > 0 && i + 1 < values.len() && values[i] - values[i - 1] == values[i + 1] - values[i];
    (0..values.len()).filter(|i| !straight(*i)).collect()
}

fn overlays(ui: &mut Ui, w: &mut Workshop) {
    let Some(open) = w.session.current() else { return };
    let infos = open.doc.game().overlays();
    let heat = !open.doc.heat().is_empty();
    if infos.is_empty() && !heat {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.label("Overlay");
        ui.selectable_value(&mut w.inspect.overlay, Overlay::None, "none");
        if heat {
            ui.selectable_value(&mut w.inspect.overlay, Overlay::Visited, "visited")
                .on_hover_text("Cells that the search visited");
        }
        for (i, info) in infos.iter().enumerate() {
            ui.selectable_value(&mut w.inspect.overlay, Overlay::OfGame(i), info.name).on_hover_text(info.help);
        }
    });
}

fn moves(ui: &mut Ui, w: &mut Workshop) {
    let Some(open) = w.session.current_mut() else { return };
    let rows = open.doc.move_rows();
    if rows.is_empty() {
        return;
    }
    let step = open.doc.step();
    let current = rows[..rows.partition_point(|r| r.first <= step)].iter().rposition(|r| !r.reply);
    let mut go = None;
    let height = ui.spacing().interact_size.y;
    let available = ui.available_height();
    // As wide as the longest name, in sight or not: a column that grows while one scrolls moves the others.
    let longest = open.doc.longest_piece();
    let name = egui::WidgetText::from(longest).into_galley(ui, None, f32::INFINITY, egui::TextStyle::Body).size().x;
    // With some room, since a name of fewer letters may be wider; in a narrow panel the moves come first.
    let name = (name * 1.1 + 6.0).clamp(70.0, (ui.available_width() - 6.0 * height).max(70.0)).ceil();
    let mut table = TableBuilder::new(ui);
    if w.inspect.followed.replace((open.id, step)) != Some((open.id, step)) {
        table = table.scroll_to_row(current.unwrap_or(0), None);
    }
    table
        .id_salt(("moves", name as u32))
        .striped(true)
        .vscroll(true)
        .auto_shrink(false)
        .max_scroll_height(available)
        .column(Column::auto().at_least(34.0))
        .column(Column::initial(name).at_least(70.0).clip(true).resizable(true))
        .column(Column::remainder().clip(true))
        .header(height, |mut header| {
            for title in ["#", "piece", "moves"] {
                header.col(|ui| {
                    ui.strong(title);
                });
            }
        })
        .body(|body| {
            body.rows(height, rows.len(), |mut row| {
                let row_index = row.index();
                let r = &rows[row_index];
                row.set_selected(current == Some(row_index));
                row.col(|ui| {
                    ui.label(if r.reply { String::new() } else { r.first.to_string() });
                });
                row.col(|ui| drop(one_line(ui, &r.piece)));
                if r.reply {
                    row.col(|ui| {
                        ui.label(RichText::new(r.moves.join(" ")).weak());
                    });
                    return;
                }
                row.col(|ui| {
                    let at = (current == Some(row_index)).then(|| step - r.first);
                    go = go.or(row_of_moves(ui, r, at));
                });
            });
        });
    if let Some(n) = go {
        open.doc.set_step(n);
        open.stepping = true;
    }
}

/// Buttons for as many moves of a row as there is room for, around the one at `at`: a walk may have hundreds. The step that was clicked.
fn row_of_moves(ui: &mut Ui, row: &MoveRow, at: Option<usize>) -> Option<usize> {
    let mut go = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 1.0;
        ui.spacing_mut().button_padding.x = 3.0;
        let room = ui.max_rect().right().min(ui.clip_rect().right()) - ui.cursor().left();
        let width = |text: &str, ui: &Ui| {
            let text = egui::WidgetText::from(text);
            text.into_galley(ui, None, f32::INFINITY, egui::TextStyle::Button).size().x
        };
        // Where a row has more than one move they are arrows, of nearly one width.
        let one = row.moves.iter().take(8).map(|m| width(m, ui)).fold(0.0, f32::max) + 7.0;
        let fit = |room: f32| ((room / one) as usize).clamp(1, row.moves.len());
        // With room for the dots, which may be at both ends, unless all of them fit.
        let dots = (width("…", ui) + 1.0) * if at.is_some() { 2.0 } else { 1.0 };
        let shown = if fit(room) == row.moves.len() { fit(room) } else { fit(room - dots) };
        let begin = at.map_or(0, |at| at.saturating_sub(shown / 2).min(row.moves.len() - shown));
        let whole = || row.moves.join(" ");
        if begin > 0 {
            ui.weak("…").on_hover_ui(|ui| drop(ui.label(whole())));
        }
        for (i, text) in row.moves.iter().enumerate().skip(begin).take(shown) {
            let button = ui.add(egui::Button::selectable(at == Some(i), text).small().truncate());
            if button.clicked() {
                go = Some(row.first + i);
            }
            if shown < row.moves.len() {
                button.on_hover_ui(|ui| drop(ui.label(whole())));
            }
        }
        if begin + shown < row.moves.len() {
            ui.weak("…").on_hover_ui(|ui| drop(ui.label(whole())));
        }
    });
    go
}
