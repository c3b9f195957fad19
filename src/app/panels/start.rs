//! The start page: go on with a campaign, choose a level of it, begin anew; new and recent levels; what a crash left.

use crate::{
    analysis::singular,
    app::{
        canvas,
        dialogs::Dialog,
        dialogs::asking::{self, Discard},
        icons::{self, Icon},
        keys::{Action, tip},
        theme::egui_colour,
        workshop::Workshop,
    },
    document::{AnyGame, Board},
    formats::native,
    games,
    memory::Best,
    picture::{Area, Colours, Picture},
};
use egui::{Align2, RichText, Sense, Ui, vec2};
use std::collections::BTreeMap;

/// Levels on a page of the level select.
const PAGE: u32 = 25;

/// What the panel remembers.
#[derive(Default)]
pub struct StartUi {
    /// The game whose levels are listed, and the page, from 0.
    select: Option<(&'static str, u32)>,
    emblems: BTreeMap<&'static str, (Picture, Area)>,
    drawn_for: Option<Colours>,
    /// Titles of levels of shipped packs, by game and number.
    titles: BTreeMap<(&'static str, u32), String>,
}

impl StartUi {
    /// Lists a game's levels, beginning with the page of this one.
    pub fn choose(&mut self, game: &'static str, level: u32) {
        self.select = Some((game, level.saturating_sub(1) / PAGE));
    }

    /// Back from a list of levels; false if there was none.
    pub fn back(&mut self) -> bool {
        self.select.take().is_some()
    }

    fn make(&mut self, colours: &Colours) {
        if self.drawn_for.as_ref() == Some(colours) {
            return;
        }
        self.drawn_for = Some(colours.clone());
        for game in games::offered() {
            // One from the middle of the pack: there is more to see than in the first.
            let levels = game.info().levels;
            let text = levels.get(levels.len() / 2).copied().unwrap_or_default();
            if let Ok(mut doc) = game.read_native(text)
                && doc.play_from_start()
            {
                let picture = doc.picture(Board::Play, colours, 8.0);
                self.emblems.insert(game.info().id, (picture, doc.extent(Board::Play)));
            }
        }
    }

    /// The title of a campaign's level, where it has one beside its number.
    fn title(&mut self, game: &'static dyn AnyGame, level: u32) -> &str {
        let id = game.info().id;
        self.titles.entry((id, level)).or_insert_with(|| {
            // A campaign of the game's own is made by number; a shipped pack has titles.
            let shipped = game.campaign_len() as usize == game.info().levels.len();
            let text = game.info().levels.get(level.saturating_sub(1) as usize).filter(|_| shipped);
            text.map_or_else(String::new, |t| native::title(t))
        })
    }
}

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    let colours = w.colours.clone();
    w.start.make(&colours);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| match w.start.select {
        Some((game, page)) => level_select(ui, w, game, page, &colours),
        None => front(ui, w, &colours),
    });
}

fn front(ui: &mut Ui, w: &mut Workshop, colours: &Colours) {
    recovered(ui, w);
    ui.add_space(2.0);
    ui.heading("Play");
    for game in games::offered().iter().filter(|g| g.campaign_len() > 0) {
        campaign(ui, w, *game, colours);
    }
    ui.add_space(8.0);
    ui.heading("Make");
    ui.weak("Draw a level of your own and see at once whether it can be solved, or open one.");
    let mut ask = None;
    ui.horizontal_wrapped(|ui| {
        for (label, act) in
            [("New level…", Action::New), ("Open…", Action::Open), ("Generate levels", Action::Generate)]
        {
            if ui.button(label).on_hover_text(tip(ui.ctx(), act)).clicked() {
                ask = Some(act);
            }
        }
    });
    if let Some(act) = ask {
        w.ask(act);
    }
    recent(ui, w);
}

fn recovered(ui: &mut Ui, w: &mut Workshop) {
    if w.services.rescue.left.is_empty() {
        return;
    }
    let mut chosen = None;
    egui::Frame::group(ui.style()).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(RichText::new("Not saved when the program ended").strong().color(ui.visuals().warn_fg_color));
        chosen = asking::drafts(ui, w);
    });
    match chosen {
        Some((index, true)) => w.restore(index),
        Some((index, false)) => w.dialog = Some(Dialog::Recovered { discard: Some(Discard::One(index)) }),
        None => {}
    }
}

fn recent(ui: &mut Ui, w: &mut Workshop) {
    if w.settings.recent.is_empty() {
        return;
    }
    ui.add_space(4.0);
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        ui.label("Recent files");
        for path in w.settings.recent.iter().take(8) {
            let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            if ui.button(name).on_hover_text(path.display().to_string()).clicked() {
                chosen = Some(path.clone());
            }
        }
    });
    if let Some(path) = chosen {
        w.open_path(&path);
    }
}

/// One game: its emblem, how far one has come, and what can be done.
fn campaign(ui: &mut Ui, w: &mut Workshop, game: &'static dyn AnyGame, colours: &Colours) {
    let info = game.info();
    let of = game.campaign_len();
    let known = w.services.keeper.records().campaign(info.id);
    let (done, stars) = known.map_or((0, 0), |c| (c.done(), c.levels.values().map(|b| u32::from(b.stars)).sum()));
    let begun = known.is_some_and(|c| c.reached > 0 || done > 0);
    let level = w.campaign_level(info.id);
    let title = w.start.title(game, level).to_string();
    egui::Frame::group(ui.style()).inner_margin(6.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            let side = 66.0;
            let (rect, _) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
            ui.painter().rect_filled(rect, 5.0, egui_colour(colours.back));
            if let Some((picture, extent)) = w.start.emblems.get(info.id) {
                canvas::fit(ui.painter(), rect.shrink(3.0), *extent, picture);
            }
            ui.vertical(|ui| {
                ui.horizontal_wrapped(|ui| {
                    ui.label(RichText::new(info.name).strong());
                    let text = match (done, stars) {
                        (0, _) => format!("{of} levels"),
                        (_, 0) => format!("{done} of {of} won"),
                        _ => format!("{done} of {of} won, {stars} of {} stars", 3 * of),
                    };
                    ui.weak(text);
                });
                ui.add(egui::Label::new(RichText::new(info.summary).weak()).truncate());
                ui.horizontal_wrapped(|ui| {
                    let verb = if begun { "Continue" } else { "Play" };
                    let about = if title.is_empty() { String::new() } else { format!(", {title}") };
                    let go = egui::Button::new(RichText::new(format!("{verb}: level {level}{about}")).strong());
                    let name = format!("{verb} {} at level {level}{about}", info.name);
                    if ui.add(go).on_hover_text(&name).accessible_name(&name).clicked() {
                        w.open_campaign(info.id, level);
                    }
                    let name = format!("Levels of {}", info.name);
                    if ui.button("Levels").on_hover_text(&name).accessible_name(&name).clicked() {
                        w.start.choose(info.id, level);
                    }
                    for (kind, (run, _)) in game.runs().iter().enumerate() {
                        let best = w.best_of_run(game, kind);
                        let name = format!("{run}: board after board until one is stranded; best {best}");
                        if ui.button(*run).on_hover_text(name).clicked() {
                            w.start_run(info.id, kind);
                        }
                    }
                    let name = format!("New game of {}", info.name);
                    let anew = ui.add_enabled(begun, egui::Button::new("New game…")).accessible_name(&name);
                    let why = "No level of this campaign has been won yet.";
                    if anew.on_hover_text(&name).on_disabled_hover_text(why).clicked() {
                        w.dialog = Some(Dialog::NewGame { game: info.id });
                    }
                });
            });
        });
    });
}

fn level_select(ui: &mut Ui, w: &mut Workshop, id: &'static str, page: u32, colours: &Colours) {
    let Some(game) = games::by_id(id) else { return };
    let of = game.campaign_len();
    let pages = of.div_ceil(PAGE).max(1);
    let page = page.min(pages - 1);
    ui.horizontal_wrapped(|ui| {
        if ui.button("Back").on_hover_text("Back to the start page (Escape)").clicked() {
            w.start.select = None;
        }
        ui.heading(format!("Levels of {}", game.info().name));
        let done = w.services.keeper.records().campaign(id).map_or(0, |c| c.done());
        ui.weak(format!("{done} of {of} won"));
    });
    ui.weak("A level opens when the one before it is won.");
    ui.add_space(4.0);
    let here = w.campaign_level(id);
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        for level in page * PAGE + 1..=((page + 1) * PAGE).min(of) {
            let best = w.services.keeper.records().campaign(id).and_then(|c| c.levels.get(&level)).cloned();
            let tile = Tile { level, open: w.unlocked(id, level), here: level == here, best };
            let title = w.start.title(game, level).to_string();
            if tile.show(ui, game, &title, colours).clicked() && tile.open {
                chosen = Some(level);
            }
        }
    });
    ui.add_space(6.0);
    if pages > 1 {
        ui.horizontal(|ui| {
            let mut turn = |ui: &mut Ui, label: &str, to: Option<u32>| {
                if ui.add_enabled(to.is_some(), egui::Button::new(label)).clicked()
                    && let Some(to) = to
                {
                    w.start.select = Some((id, to));
                }
            };
            turn(ui, "Previous page", page.checked_sub(1));
            ui.label(format!("page {} of {pages}", page + 1));
            turn(ui, "Next page", Some(page + 1).filter(|p| *p < pages));
        });
    }
    if let Some(level) = chosen {
        w.open_campaign(id, level);
    }
}

/// A level in the level select.
struct Tile {
    level: u32,
    open: bool,
    here: bool,
    best: Option<Best>,
}

impl Tile {
    /// What it says to those who cannot see it, and to everybody as a tooltip.
    fn words(&self, game: &'static dyn AnyGame, title: &str) -> String {
        let mut text = format!("Level {}", self.level);
        if !title.is_empty() {
            text += &format!(", {title}");
        }
        if !self.open {
            return format!("{text}: locked, complete level {} first", self.level.saturating_sub(1));
        }
        let Some(best) = self.best.as_ref().filter(|b| b.solved) else { return format!("{text}: not won yet") };
        text += &match best.stars {
            0 => ": won".to_string(),
            stars => format!(": {stars} of 3 stars"),
        };
        for name in game.info().counts {
            if let Some(count) = best.counts.get(*name) {
                text += &format!(", best {count} {}", singular(name, *count));
            }
        }
        if let Some(time) = best.time() {
            text += &format!(", best time {}:{:02}", time.as_secs() / 60, time.as_secs() % 60);
        }
        text
    }

    fn show(&self, ui: &mut Ui, game: &'static dyn AnyGame, title: &str, colours: &Colours) -> egui::Response {
        let line = ui.text_style_height(&egui::TextStyle::Heading);
        let size = vec2(line * 4.2, line * 3.4);
        let (rect, response) = ui.allocate_exact_size(size, if self.open { Sense::click() } else { Sense::hover() });
        let words = self.words(game, title);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, self.open, &words));
        if ui.is_rect_visible(rect) {
            self.paint(ui, rect, &response, colours);
        }
        response.on_hover_text(words)
    }

    fn paint(&self, ui: &Ui, rect: egui::Rect, response: &egui::Response, colours: &Colours) {
        let visuals = ui.style().interact(response);
        let fill = if self.open { visuals.weak_bg_fill } else { ui.visuals().faint_bg_color };
        let lit = self.here || (self.open && (response.hovered() || response.has_focus()));
        let ring = if lit { colours.accent } else { colours.line };
        let width = if self.here { 2.0 } else { 1.0 };
        ui.painter().rect(rect, 6.0, fill, (width, egui_colour(ring)), egui::StrokeKind::Inside);
        let ink = if self.open { visuals.text_color() } else { ui.visuals().weak_text_color() };
        let font = egui::TextStyle::Heading.resolve(ui.style());
        let upper = rect.center_top() + vec2(0.0, rect.height() * 0.36);
        ui.painter().text(upper, Align2::CENTER_CENTER, self.level.to_string(), font, ink);
        let lower = rect.center_top() + vec2(0.0, rect.height() * 0.74);
        let side = rect.height() * 0.26;
        let cell = |i: f32| egui::Rect::from_center_size(lower + vec2(i * side * 1.25, 0.0), vec2(side, side));
        let won = self.best.as_ref().filter(|b| b.solved);
        if !self.open {
            icons::paint(ui.painter(), cell(0.0), Icon::Lock, ink);
        } else if let Some(best) = won.filter(|b| b.stars > 0) {
            for i in 0..3u8 {
                let colour = if i < best.stars { colours.warn } else { colours.line };
                icons::paint(ui.painter(), cell(f32::from(i) - 1.0), Icon::Star, egui_colour(colour));
            }
        } else {
            let text = if won.is_some() { "won" } else { "open" };
            let font = egui::TextStyle::Small.resolve(ui.style());
            ui.painter().text(lower, Align2::CENTER_CENTER, text, font, ui.visuals().weak_text_color());
        }
    }
}
