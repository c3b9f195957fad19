//! The what-if map over the board: each cell says what one edit there would do to the level.
//!
//! A symbol stands beside every colour. The pointer on a cell reads the numbers; a click makes the edit, and what leads from one cell to another is dragged
//! there as without the map. The map is for the brush in use, or for the edit that
//! makes the level hardest, or easiest, among all swatches; with a selection, only that part of the board is tried, so what must stay can be left out.

use super::Tool;
use crate::{
    analysis::what_if::{Brushes, Effect, change_with_place, hardness},
    app::{
        canvas::Canvas,
        keys::{Action, tip},
        panels::choice,
        theme::egui_colour,
        workshop::{OpenLevel, Workshop},
    },
    document::{Board, Finding, WhatIf, by_one, notable},
    grid::Spot,
    picture::{Colours, Rgba},
};
use egui::{Align2, Color32, FontId, Pos2, RichText, Stroke, Ui, epaint::PathShape, pos2};

/// Which edit of each cell the map shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shown {
    /// That of the brush in use.
    Brush,
    /// The one that makes the level hardest.
    Hardest,
    /// The one that makes it easiest.
    Easiest,
}

impl Shown {
    const ALL: [Shown; 3] = [Shown::Brush, Shown::Hardest, Shown::Easiest];

    const fn name(self) -> &'static str {
        match self {
            Shown::Brush => "with this brush",
            Shown::Hardest => "hardest of all brushes",
            Shown::Easiest => "easiest of all brushes",
        }
    }
}

/// What the user wants of the map.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WhatIfUi {
    /// The map, if it is on.
    pub shown: Option<Shown>,
    /// An edit that makes the level harder (`true`) or easier is wanted as soon as the map is whole.
    pub by_one: Option<bool>,
}

/// Asks the documents for what is wanted: the one in front alone, so that there are never more than its two workers.
pub fn ask(w: &mut Workshop) {
    let active = w.session.active;
    for (i, open) in w.session.open.iter_mut().enumerate() {
        let shown = open.edit.what_if.shown.filter(|_| i == active);
        if shown.is_none() && open.doc.what_if().is_none() {
            continue;
        }
        let ink = open.edit.ink(&*open.doc);
        let asked = shown.map(|shown| {
            let brushes = if shown == Shown::Brush { Brushes::One(ink) } else { Brushes::All(ink) };
            // While it is being dragged, a selection would start the work again and again.
            let within = open.edit.selection.filter(|_| open.edit.at_rest());
            WhatIf { within, ..WhatIf::of(brushes) }
        });
        let dragging = !open.edit.at_rest() && shown.is_some();
        if !dragging {
            open.doc.ask_what_if(asked);
        }
    }
    wanted_edit(w);
}

/// Makes the edit that was wanted as soon as the map is whole.
fn wanted_edit(w: &mut Workshop) {
    let Some(open) = w.session.current_mut() else { return };
    let Some(harder) = open.edit.what_if.by_one else { return };
    let progress = open.doc.what_if_progress();
    if open.doc.what_if_base().is_none() || progress.done < progress.all {
        return;
    }
    open.edit.what_if.by_one = None;
    let found = by_one(&open.doc.all_findings(), harder).cloned();
    let word = if harder { "harder" } else { "easier" };
    match found {
        Some(f) => {
            let said = format!("{word}: {}, {}", change_with_place(&open.doc.palette(), &f.change), f.words);
            open.doc.apply_changes(std::slice::from_ref(&f.change), &format!("{word} by one: {}", f.what));
            w.say(said);
        }
        None => w.complain(format!("no single edit is known to make it {word}")),
    }
}

/// Asks for an edit that makes the level harder or easier; the map is switched on for it.
pub fn want(open: &mut OpenLevel, harder: bool) {
    let shown = open.edit.what_if.shown;
    if shown.is_none_or(|s| s == Shown::Brush) {
        open.edit.what_if.shown = Some(if harder { Shown::Hardest } else { Shown::Easiest });
    }
    open.edit.what_if.by_one = Some(harder);
}

/// The rows below the board: which edits, how far it is, the legend.
pub fn bar(ui: &mut Ui, w: &mut Workshop, colours: &Colours) {
    let Some(open) = w.session.current_mut() else { return };
    let Some(mut shown) = open.edit.what_if.shown else { return };
    let mut acts = Vec::new();
    let (mut off, before) = (false, shown);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("What if").strong());
        let list = egui::ComboBox::from_id_salt("what if").width(150.0).selected_text(shown.name());
        choice(ui, list, &mut shown, Shown::ALL.map(|s| (s, s.name()))).accessible_name("what if: which edits");
        for (name, act) in [("Harder", Action::Harder), ("Easier", Action::Easier)] {
            let waits = open.edit.what_if.by_one == Some(act == Action::Harder);
            if ui.add(egui::Button::new(name).selected(waits)).on_hover_text(tip(ui.ctx(), act)).clicked() {
                acts.push(act);
            }
        }
        off = ui.small_button("Off").accessible_name("no what-if map").clicked();
        let p = open.doc.what_if_progress();
        if p.done < p.all {
            ui.weak(format!("{} of {} tried", p.done, p.all));
        } else if let Some(base) = open.doc.what_if_base() {
            ui.weak(format!("now: {}", base.measure_text()));
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        for effect in Effect::ALL {
            legend(ui, effect, colours);
        }
    });
    if shown != before {
        open.edit.what_if.shown = Some(shown);
    }
    if off {
        open.edit.what_if = WhatIfUi::default();
    }
    for act in acts {
        w.ask(act);
    }
}

/// A symbol with its meaning, never parted by the end of a line.
fn legend(ui: &mut Ui, effect: Effect, colours: &Colours) {
    let font = egui::TextStyle::Small.resolve(ui.style());
    let words = ui.painter().layout_no_wrap(effect.name().into(), font, ui.visuals().text_color());
    let side = words.size().y + 2.0;
    let (rect, response) = ui.allocate_exact_size(egui::vec2(side + words.size().x + 11.0, side), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, effect.name()));
    chip(ui.painter(), rect.left_center() + egui::vec2(side / 2.0, 0.0), side / 2.0, effect, colours);
    ui.painter().galley(rect.min + egui::vec2(side + 3.0, 1.0), words, ui.visuals().text_color());
}

/// What the map shows for a spot.
fn shown_at(open: &OpenLevel, spot: Spot) -> Option<&Finding> {
    let findings = open.doc.findings(spot);
    match open.edit.what_if.shown? {
        // Several where the brush leads to another spot.
        Shown::Brush => notable(findings, true),
        Shown::Hardest => notable(findings, true),
        Shown::Easiest => notable(findings, false),
    }
}

/// Tints the board.
pub fn draw(open: &OpenLevel, canvas: &Canvas, colours: &Colours) {
    if open.edit.what_if.shown.is_none() {
        return;
    }
    for (spot, _) in open.doc.all_findings() {
        let Some(finding) = shown_at(open, spot) else { continue };
        let rect = canvas.view.rect(open.doc.spot_area(Board::Draft, spot));
        let side = rect.width().min(rect.height());
        let colour = colour(finding.effect, colours);
        if spot.part.is_none() && finding.effect != Effect::Same {
            canvas.painter.rect_filled(rect.shrink(1.0), 3.0, egui_colour(colour.faded(0.28)));
        }
        // In the corner of a cell, so that what is in it can be seen; in the middle of a part of one.
        let radius = (side * 0.2).clamp(3.0, 11.0);
        let at = if spot.part.is_none() && finding.effect != Effect::Same {
            rect.right_top() + egui::vec2(-radius - 2.0, radius + 2.0)
        } else {
            rect.center()
        };
        chip(&canvas.painter, at, radius, finding.effect, colours);
    }
}

fn colour(effect: Effect, c: &Colours) -> Rgba {
    match effect {
        Effect::Harder => c.accent,
        Effect::Easier | Effect::Solvable => c.good,
        Effect::Same => c.ink_soft,
        Effect::Unsolvable => c.bad,
        Effect::Unplayable => c.warn,
        Effect::Unknown => c.ink_soft,
    }
}

/// A disc with the symbol of an effect. What changes nothing is a dot, so that the others stand out.
fn chip(painter: &egui::Painter, at: Pos2, radius: f32, effect: Effect, colours: &Colours) {
    let fill = egui_colour(colour(effect, colours));
    let ink = egui_colour(colours.back);
    if effect == Effect::Same {
        painter.circle_filled(at, 2.0, fill);
        return;
    }
    painter.circle(at, radius, fill, Stroke::new(1.0, ink));
    let r = radius * 0.55;
    let pen = Stroke::new((radius * 0.26).max(1.2), ink);
    let triangle = |up: f32| {
        let points =
            vec![at + egui::vec2(0.0, -r * up), at + egui::vec2(r, r * up * 0.8), at + egui::vec2(-r, r * up * 0.8)];
        painter.add(PathShape::convex_polygon(points, ink, Stroke::NONE));
    };
    let line = |x0: f32, y0: f32, x1: f32, y1: f32| {
        painter.line_segment([pos2(at.x + x0 * r, at.y + y0 * r), pos2(at.x + x1 * r, at.y + y1 * r)], pen);
    };
    match effect {
        Effect::Harder => triangle(1.0),
        Effect::Easier => triangle(-1.0),
        Effect::Same => {}
        Effect::Unsolvable => {
            line(-0.75, -0.75, 0.75, 0.75);
            line(-0.75, 0.75, 0.75, -0.75);
        }
        Effect::Solvable => {
            line(-0.8, 0.05, -0.2, 0.7);
            line(-0.2, 0.7, 0.85, -0.6);
        }
        Effect::Unplayable => text(painter, at, radius, "!", ink),
        Effect::Unknown => text(painter, at, radius, "?", ink),
    }
}

fn text(painter: &egui::Painter, at: Pos2, radius: f32, words: &str, ink: Color32) {
    let size = (radius * 1.7).round().max(6.0);
    painter.text(at, Align2::CENTER_CENTER, words, FontId::proportional(size), ink);
}

/// The numbers under the pointer.
pub fn hover(open: &OpenLevel, canvas: &Canvas) {
    let Some(pointer) = canvas.response.hover_pos().filter(|_| open.edit.what_if.shown.is_some()) else { return };
    let Some(spot) = open.doc.spot_at(Board::Draft, canvas.view.board(pointer)) else { return };
    let Some(first) = shown_at(open, spot) else { return };
    let line = |f: &Finding| {
        let here = if f.change.spots.len() == 1 { " here" } else { "" };
        format!("{}{here}: {}", f.what, f.words)
    };
    let mut lines = vec![line(first)];
    let mut others: Vec<&Finding> = open.doc.findings(spot).iter().filter(|f| f.change != first.change).collect();
    others.sort_by_key(|f| std::cmp::Reverse((f.effect == Effect::Harder, hardness(&f.answer))));
    lines.extend(others.iter().take(6).map(|f| line(f)));
    if others.len() > 6 {
        lines.push(format!("and {} more", others.len() - 6));
    }
    canvas.response.clone().on_hover_text_at_pointer(lines.join("\n"));
}

/// Makes the edit that the map shows for a spot; false if it shows none there.
pub fn apply(open: &mut OpenLevel, spot: Spot) -> bool {
    if open.edit.tool == Tool::Select || open.edit.tool == Tool::Pick {
        return false;
    }
    let Some(finding) = shown_at(open, spot).cloned() else { return false };
    if open.edit.what_if.shown == Some(Shown::Brush) && finding.change.spots.len() > 1 {
        return false;
    }
    open.doc.apply_changes(std::slice::from_ref(&finding.change), &format!("what if: {}", finding.what));
    true
}
