//! The variant shelf: snapshots of the level in front with what was measured about each; two of them side by side; back to one of them.
//!
//! A variant is measured in the background by the same rating as everywhere. To return to one is a change of the draft like any other, so undo takes it back.

use super::nothing_open;
use crate::{
    analysis::{rate, singular},
    app::{
        canvas::{self, View},
        keys::{Action, tip},
        theme::egui_colour,
        workshop::{OpenLevel, Workshop},
    },
    disk::LevelId,
    document::{AnyGame, Board, Doc, Wake},
    grid::Spot,
    job::{Job, Limits},
    memory::variants::{MOST, Measured, Variant, Variants},
    picture::{Area, Colours, Picture},
};
use egui::{Color32, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};
use std::{collections::HashSet, path::Path};

/// A variant with its picture.
struct Card {
    id: u64,
    variant: Variant,
    doc: Box<dyn Doc>,
    picture: Option<(Colours, Picture, Area)>,
}

/// The variants of one open level.
#[derive(Default)]
pub struct VariantShelf {
    cards: Vec<Card>,
    next: u64,
    /// Which level it was when its variants were last looked for: another one after it was saved under a name.
    filed_for: Option<LevelId>,
    reading: Option<Job<(Vec<Variant>, Option<String>)>>,
    rating: Option<(u64, Job<Measured>)>,
    /// Those that are compared, at most two; one alone is compared with the draft.
    compared: Vec<u64>,
    /// Where those differ, and for what that was found out.
    differing: Option<(u64, Vec<u64>, Vec<Spot>)>,
}

impl VariantShelf {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.cards.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cards.is_empty()
    }

    /// Whether something is being read or measured.
    pub fn busy(&self) -> bool {
        self.reading.is_some() || self.rating.is_some()
    }

    fn add(&mut self, game: &'static dyn AnyGame, variant: Variant) -> bool {
        let Ok(doc) = game.read_native(&variant.text) else { return false };
        self.next += 1;
        self.cards.push(Card { id: self.next, variant, doc, picture: None });
        true
    }

    fn card(&self, id: u64) -> Option<&Card> {
        self.cards.iter().find(|c| c.id == id)
    }

    /// Where the draft differs from the variant that it is compared with.
    pub fn differing_from_draft(&self, revision: u64) -> &[Spot] {
        match (&self.differing, self.compared.len()) {
            (Some((r, _, spots)), 1) if *r == revision => spots,
            _ => &[],
        }
    }
}

/// Takes in what was read and measured, and begins what is next.
pub fn tick(w: &mut Workshop) {
    let (folder, wake) = (w.services.variants_folder.clone(), w.services.wake.clone());
    let mut told = Vec::new();
    let mut write = Vec::new();
    for (i, open) in w.session.open.iter_mut().enumerate() {
        let game = open.doc.game();
        if let Some(done) = open.variants.reading.as_ref().and_then(Job::poll) {
            open.variants.reading = None;
            match done {
                Ok((variants, message)) => {
                    told.extend(message);
                    // What was kept meanwhile comes after what was there.
                    let new = std::mem::take(&mut open.variants.cards);
                    for variant in variants {
                        open.variants.add(game, variant);
                    }
                    open.variants.cards.extend(new);
                }
                Err(message) => told.push(message),
            }
        }
        if let Some((id, done)) = open.variants.rating.as_ref().and_then(|(id, job)| Some((*id, job.poll()?))) {
            open.variants.rating = None;
            match done {
                Ok(measured) => {
                    if let Some(card) = open.variants.cards.iter_mut().find(|c| c.id == id) {
                        card.variant.measured = Some(measured);
                        write.push(i);
                    }
                }
                Err(message) => told.push(message),
            }
        }
        if open.variants.rating.is_none() {
            rate_next(open, &wake);
        }
    }
    for i in write {
        store(w, i);
    }
    for message in told {
        w.complain(message);
    }
    if let Some(folder) = folder {
        load(w, &folder);
    }
}

/// Reads the variants of the level in front, once. A level that has got a file of its own since takes its variants along.
fn load(w: &mut Workshop, folder: &Path) {
    let (wake, active) = (w.services.wake.clone(), w.session.active);
    let Some(open) = w.session.open.get_mut(active) else { return };
    if open.variants.reading.is_some() || open.variants.filed_for.as_ref() == Some(&open.level) {
        return;
    }
    open.variants.filed_for = Some(open.level.clone());
    let Some(of) = open.level.filed_under() else { return };
    if !open.variants.is_empty() {
        store(w, active);
        return;
    }
    let folder = folder.to_path_buf();
    let read = move |_: &mut crate::job::Probe| Variants::read(&folder, &of);
    open.variants.reading = Some(Job::spawn(Limits::default(), move || wake(), read));
}

fn rate_next(open: &mut OpenLevel, wake: &Wake) {
    let Some(card) = open.variants.cards.iter().find(|c| c.variant.measured.is_none()) else { return };
    let (id, doc, wake) = (card.id, card.doc.duplicate(), wake.clone());
    let par = doc.game().info().par_goal;
    let limits = Limits { memory: Some(1 << 30), ..Limits::default() };
    let work = move |probe: &mut crate::job::Probe| Measured::of(&doc.rate_now(rate::NODES, probe), par);
    open.variants.rating = Some((id, Job::spawn(limits, move || wake(), work)));
}

/// Writes the variants of a level in the background.
fn store(w: &mut Workshop, index: usize) {
    let (Some(folder), Some(open)) = (w.services.variants_folder.clone(), w.session.open.get(index)) else { return };
    let Some(of) = open.level.filed_under() else { return };
    let variants: Vec<_> = open.variants.cards.iter().map(|c| c.variant.clone()).collect();
    w.services.chores.add(&w.services.wake, (), move || Variants::write(&folder, &of, &variants));
}

/// Keeps the draft as a variant.
pub fn keep(w: &mut Workshop) {
    let active = w.session.active;
    let Some(open) = w.session.open.get_mut(active) else { return };
    if open.variants.len() >= MOST {
        w.complain(format!("this level already has {MOST} variants: delete one first"));
        return;
    }
    let text = open.doc.bare();
    if let Some(same) = open.variants.cards.iter().find(|c| c.variant.text == text) {
        let name = same.variant.name.clone();
        w.say(format!("this is already kept, as {name}"));
        return;
    }
    let taken = |n: &String| open.variants.cards.iter().any(|c| c.variant.name == *n);
    let name = (1..).map(|i| format!("variant {i}")).find(|n| !taken(n)).unwrap_or_default();
    let game = open.doc.game();
    if open.variants.add(game, Variant { name: name.clone(), text, measured: None }) {
        w.say(format!("kept as {name}"));
        store(w, active);
    }
}

/// What a row asks for.
enum Asked {
    Return(u64),
    Compare(u64),
    Delete(u64),
    Renamed,
}

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    if w.session.open.is_empty() {
        nothing_open(ui, "Variants of the open level are kept here.");
        return;
    }
    let colours = w.colours.clone();
    ui.horizontal_wrapped(|ui| {
        if ui.button("Keep this variant").on_hover_text(tip(ui.ctx(), Action::KeepVariant)).clicked() {
            w.ask(Action::KeepVariant);
        }
    });
    let active = w.session.active;
    let Some(open) = w.session.open.get_mut(active) else { return };
    if open.variants.is_empty() {
        ui.weak("Keep the level as it is now, change it, and come back to compare: variants are listed with their measurements.");
        return;
    }
    let mut asked = None;
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        comparison(ui, open, &colours);
        let compared = open.variants.compared.clone();
        for card in &mut open.variants.cards {
            ui.push_id(card.id, |ui| {
                if let Some(this) = row(ui, card, compared.contains(&card.id), &colours) {
                    asked = Some(this);
                }
            });
        }
    });
    let shelf = &mut open.variants;
    match asked {
        Some(Asked::Return(id)) => {
            let back = shelf.card(id).map(|c| (c.variant.text.clone(), c.variant.name.clone()));
            if let Some((text, name)) = back {
                open.edit.selection = None;
                open.edit.cursor = None;
                open.edit.lit.clear();
                match open.doc.replace_draft(&text, &format!("back to {name}")) {
                    Ok(()) => w.say(format!("back to {name}; undo brings back what was there")),
                    Err(message) => w.complain(message),
                }
            }
        }
        Some(Asked::Compare(id)) => {
            if shelf.compared.contains(&id) {
                shelf.compared.retain(|c| *c != id);
            } else {
                shelf.compared.push(id);
                if shelf.compared.len() > 2 {
                    shelf.compared.remove(0);
                }
            }
        }
        Some(Asked::Delete(id)) => {
            shelf.cards.retain(|c| c.id != id);
            shelf.compared.retain(|c| *c != id);
            if shelf.rating.as_ref().is_some_and(|(r, _)| *r == id) {
                shelf.rating = None;
            }
            store(w, active);
        }
        Some(Asked::Renamed) => store(w, active),
        None => {}
    }
}

fn row(ui: &mut Ui, card: &mut Card, compared: bool, colours: &Colours) -> Option<Asked> {
    let mut asked = None;
    let id = card.id;
    ui.horizontal(|ui| {
        let side = ui.spacing().interact_size.y * 3.0;
        let (rect, response) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
        let what = format!("picture of {}", card.variant.name);
        response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &what));
        if ui.is_rect_visible(rect) {
            board(ui, card, rect, colours);
            if compared {
                ui.painter().rect_stroke(rect, 5.0, (2.0, egui_colour(colours.accent)), StrokeKind::Inside);
            }
        }
        ui.vertical(|ui| {
            let name = card.variant.name.clone();
            let field =
                egui::TextEdit::singleline(&mut card.variant.name).desired_width(ui.available_width().max(40.0));
            let field = ui.add(field).accessible_name(format!("name of {name}"));
            if field.lost_focus() {
                asked = Some(Asked::Renamed);
            }
            let (words, tip) = match &card.variant.measured {
                Some(m) => (summary(m), details(m)),
                None => ("measuring …".into(), String::new()),
            };
            let label = ui.add(egui::Label::new(RichText::new(words).small()).wrap());
            if !tip.is_empty() {
                label.on_hover_text(tip);
            }
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 3.0;
                if ui.small_button("Return").accessible_name(format!("return to {name}")).clicked() {
                    asked = Some(Asked::Return(id));
                }
                let compare = egui::Button::new("Compare").selected(compared).small();
                let compare = ui.add(compare).accessible_name(format!("compare {name}"));
                if compare.on_hover_text("Select one to compare it with the draft, or two to compare them").clicked() {
                    asked = Some(Asked::Compare(id));
                }
                if ui.small_button("Delete").accessible_name(format!("delete {name}")).clicked() {
                    asked = Some(Asked::Delete(id));
                }
            });
        });
    });
    asked
}

fn board(ui: &Ui, card: &mut Card, rect: egui::Rect, colours: &Colours) {
    if card.picture.as_ref().is_none_or(|(c, ..)| c != colours) {
        let picture = card.doc.picture(Board::Draft, colours, 8.0);
        card.picture = Some((colours.clone(), picture, card.doc.extent(Board::Draft)));
    }
    ui.painter().rect_filled(rect, 5.0, egui_colour(colours.back));
    if let Some((_, picture, extent)) = &card.picture {
        canvas::fit(ui.painter(), rect.shrink(3.0), *extent, picture);
    }
}

/// "solvable · 12 drags · difficulty 41.3".
fn summary(m: &Measured) -> String {
    let mut parts = vec![m.verdict.clone()];
    if let Some((n, name, proven)) = &m.par {
        let most = if *proven { "" } else { " or fewer" };
        parts.push(format!("{n} {}{most}", singular(name, *n)));
    }
    if let Some(d) = m.difficulty {
        let least = if m.at_least { "at least " } else { "" };
        parts.push(format!("difficulty {least}{d:.1}"));
    }
    parts.join(" · ")
}

fn details(m: &Measured) -> String {
    let mut lines = Vec::new();
    if let Some(b) = m.branching {
        lines.push(format!("{b:.1} legal moves per position of the solution"));
    }
    if let Some(d) = m.dead_ends {
        lines.push(format!("{:.0} % of other moves tried lose", d * 100.0));
    }
    lines.join("\n")
}

/// Where two boards look different; cells that only one of them has count too.
fn differing(a: &dyn Doc, b: &dyn Doc) -> Vec<Spot> {
    let (sa, sb) = (a.spots(Board::Draft), b.spots(Board::Draft));
    let (in_a, in_b): (HashSet<_>, HashSet<_>) = (sa.iter().copied().collect(), sb.iter().copied().collect());
    let look =
        |d: &dyn Doc, has: &HashSet<Spot>, s: Spot| has.contains(&s).then(|| (d.describe(Board::Draft, s), d.pick(s)));
    let all = sa.into_iter().chain(sb.into_iter().filter(|s| !in_a.contains(s)));
    all.filter(|s| look(a, &in_a, *s) != look(b, &in_b, *s)).collect()
}

/// The two boards side by side, and what differs.
fn comparison(ui: &mut Ui, open: &mut OpenLevel, colours: &Colours) {
    let ids = open.variants.compared.clone();
    let Some(first) = ids.first().and_then(|id| open.variants.card(*id)) else {
        open.variants.differing = None;
        return;
    };
    let second = ids.get(1).and_then(|id| open.variants.card(*id));
    let other: &dyn Doc = second.map_or(&*open.doc, |c| &*c.doc);
    let revision = open.doc.revision();
    let known =
        open.variants.differing.as_ref().filter(|(r, i, _)| *r == revision && *i == ids).map(|(_, _, s)| s.clone());
    let spots = known.unwrap_or_else(|| differing(&*first.doc, other));
    let names = (first.variant.name.as_str(), second.map_or("the draft", |c| c.variant.name.as_str()));
    ui.label(RichText::new(format!("{} against {}", names.0, names.1)).strong());
    let side = ((ui.available_width() - 6.0) / 2.0).clamp(40.0, 220.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        for doc in [&*first.doc, other] {
            pair_board(ui, doc, side, &spots, colours);
        }
    });
    let s = if spots.len() == 1 { "cell differs" } else { "cells differ" };
    ui.label(format!("{} {s}", spots.len()));
    if let (Some(a), Some(b)) = (&first.variant.measured, second.and_then(|c| c.variant.measured.as_ref())) {
        for line in differences(a, b) {
            ui.label(RichText::new(line).small());
        }
    }
    ui.separator();
    open.variants.differing = Some((revision, ids, spots));
}

/// "difficulty 41.3 → 45.0 (+3.7)", a line for each number.
fn differences(a: &Measured, b: &Measured) -> Vec<String> {
    let mut lines = Vec::new();
    if a.verdict != b.verdict {
        lines.push(format!("{} → {}", a.verdict, b.verdict));
    }
    let mut number = |name: &str, x: Option<f64>, y: Option<f64>, digits: usize| {
        if let (Some(x), Some(y)) = (x, y) {
            let change = y - x;
            lines.push(format!("{name} {x:.digits$} → {y:.digits$} ({change:+.digits$})"));
        }
    };
    let par = |m: &Measured| m.par.as_ref().map(|(n, ..)| f64::from(*n));
    let name = a.par.as_ref().map_or("par", |(_, name, _)| name.as_str());
    number(name, par(a), par(b), 0);
    number("difficulty", a.difficulty, b.difficulty, 1);
    number("legal moves", a.branching, b.branching, 1);
    number("losing moves, %", a.dead_ends.map(|d| d * 100.0), b.dead_ends.map(|d| d * 100.0), 0);
    lines
}

fn pair_board(ui: &mut Ui, doc: &dyn Doc, side: f32, spots: &[Spot], colours: &Colours) {
    let (rect, _) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
    if !ui.is_rect_visible(rect) {
        return;
    }
    ui.painter().rect_filled(rect, 5.0, egui_colour(colours.back));
    let (extent, inside) = (doc.extent(Board::Draft), rect.shrink(4.0));
    canvas::fit(ui.painter(), inside, extent, &doc.picture(Board::Draft, colours, 8.0));
    let (view, has) = (View::fitted(inside, extent), doc.spots(Board::Draft));
    let stroke = Stroke::new(2.0, egui_colour(colours.warn));
    for spot in spots.iter().filter(|s| has.contains(s)) {
        view.spot(ui.painter(), doc, Board::Draft, *spot, 2.0, Color32::TRANSPARENT, stroke);
    }
}
