//! The start page: go on with a campaign, choose a level of it, start it over; new and recent levels; what a crash left.

use crate::{
    analysis::singular,
    app::{
        campaign::{chapters, shipped_at},
        canvas,
        dialogs::Dialog,
        dialogs::asking::{self, Discard},
        dock::Pane,
        icons::{self, Icon},
        keys::{Action, tip},
        theme::egui_colour,
        workshop::{Mode, Workshop},
    },
    disk,
    document::{AnyGame, Board, Doc, Wake},
    game::capital,
    games,
    job::{Job, Limits},
    memory::{Best, Campaign, Chapters, Place},
    picture::{Area, Colours, Picture},
};
use egui::{Align2, RichText, Sense, Ui, vec2};
use std::{collections::BTreeMap, sync::Arc};

/// Levels on a page of the level select. Shipped levels are on one page.
const PAGE: u32 = 25;
/// Pixels of a cell for which small boards are drawn.
const PLAIN_PX: f32 = 12.0;

/// What the panel remembers.
#[derive(Default)]
pub struct StartUi {
    /// The game whose levels are listed, and the page, from 0.
    select: Option<(&'static str, u32)>,
    /// What was in sight, and in which pass: something else, or what comes back, begins at its top. egui remembers how far the page was scrolled, from run to
    /// run even.
    shown_last: Option<(u64, Option<(&'static str, u32)>)>,
    /// A board of each game, plain and with the detail that large ones have.
    emblems: BTreeMap<(&'static str, bool), (Picture, Area)>,
    drawn_for: Option<Colours>,
    /// Levels of campaigns, as far as they were in sight.
    shown: BTreeMap<(&'static str, Place), Arc<Shown>>,
    /// Levels made by number that are on the page and have no picture yet, and the one that is being made.
    wanted: Vec<(&'static dyn AnyGame, u32)>,
    making: Option<(&'static str, u32, Job<Option<Shown>>)>,
}

/// What is shown of a level of a campaign.
#[derive(Clone, Default)]
struct Shown {
    title: String,
    caption: String,
    par: Option<String>,
    picture: Option<(Picture, Area)>,
}

impl Shown {
    fn shipped(game: &'static dyn AnyGame, index: usize, colours: &Colours, cell_px: f32) -> Shown {
        let text = game.info().levels.get(index).copied().unwrap_or_default();
        game.read_native(text).map_or_else(|_| Shown::default(), |doc| Shown::of(doc, colours, cell_px))
    }

    fn of(mut doc: Box<dyn Doc>, colours: &Colours, cell_px: f32) -> Shown {
        let game = doc.game();
        let par = doc.kept().iter().find(|k| k.goal == game.goals()[game.info().par_goal].id).and_then(|k| {
            let name = game.info().counts[game.goals()[game.info().par_goal].count];
            let count = *k.counts.get(name)?;
            Some(format!("par {count} {}", singular(name, count)))
        });
        let drawn = doc.play_from_start();
        let picture = drawn.then(|| (doc.picture(Board::Play, colours, cell_px), doc.extent(Board::Play)));
        Shown { title: doc.meta().title.clone(), caption: doc.meta().notes.clone(), par, picture }
    }
}

impl StartUi {
    /// Lists a game's levels, beginning with the page of this one.
    pub fn choose(&mut self, game: &'static dyn AnyGame, place: Place) {
        let page = pages(game).iter().position(|p| p.contains(&place)).unwrap_or(0);
        self.select = Some((game.info().id, page as u32));
    }

    /// The game whose levels are listed.
    pub fn listed(&self) -> Option<&'static str> {
        self.select.map(|(game, _)| game)
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
        self.shown.clear();
        self.making = None;
        for game in games::offered() {
            // One from the middle of the pack: there is more to see than in the first.
            for (large, cell_px) in [(false, PLAIN_PX), (true, 20.0)] {
                let shown = Shown::shipped(*game, game.info().levels.len() / 2, colours, cell_px);
                if let Some(picture) = shown.picture {
                    self.emblems.insert((game.info().id, large), picture);
                }
            }
        }
    }

    /// What is shown of a level. One that is made by number comes later: see [`StartUi::tick`].
    fn shown(&mut self, game: &'static dyn AnyGame, place: Place, colours: &Colours) -> Arc<Shown> {
        let key = (game.info().id, place);
        if let Some(known) = self.shown.get(&key) {
            return known.clone();
        }
        match (shipped_at(game, place), place) {
            (Some(index), _) => {
                let shown = Arc::new(Shown::shipped(game, index, colours, PLAIN_PX));
                self.shown.insert(key, shown.clone());
                shown
            }
            (None, Place::Level(number) | Place::Lesson(number)) => {
                self.wanted.push((game, number));
                Arc::default()
            }
        }
    }

    /// Takes in a level that was made for its picture, and begins with the next one of the page.
    pub fn tick(&mut self, wake: &Wake) {
        if let Some((game, number, job)) = &self.making
            && let Some(made) = job.poll()
        {
            // Why one could not be made is said when it is opened.
            let shown = made.ok().flatten().unwrap_or_default();
            self.shown.insert((*game, Place::Level(*number)), Arc::new(shown));
            self.making = None;
        }
        let wanted = std::mem::take(&mut self.wanted);
        let (Some((game, number)), Some(colours), None) = (wanted.first().copied(), &self.drawn_for, &self.making)
        else {
            return;
        };
        let (wake, colours) = (wake.clone(), colours.clone());
        let job = Job::spawn(
            Limits::default(),
            move || wake(),
            move |probe| {
                let doc = game.campaign_level(number, probe).ok()?;
                let caption = doc.origin().and_then(|origin| game.remark(&origin.params)).unwrap_or_default();
                Some(Shown { caption, ..Shown::of(doc, &colours, PLAIN_PX) })
            },
        );
        self.making = Some((game.info().id, number, job));
    }

    /// Whether a picture is being made.
    pub fn busy(&self) -> bool {
        self.making.is_some() || !self.wanted.is_empty()
    }
}

/// The pages of the level select: a chapter of shipped levels is one, and so are a few levels that are made by number.
fn pages(game: &'static dyn AnyGame) -> Vec<Vec<Place>> {
    let mut pages: Vec<Vec<Place>> = Vec::new();
    for place in chapters(game).places() {
        let begins = match place {
            Place::Lesson(n) => n == 1,
            Place::Level(n) => n == 1 || (game.lessons() > 0 && n % PAGE == 1),
        };
        match pages.last_mut().filter(|_| !begins) {
            Some(page) => page.push(place),
            None => pages.push(vec![place]),
        }
    }
    pages
}

/// "lesson 3" or "level 3".
fn place_name(place: Place) -> String {
    match place {
        Place::Lesson(n) => format!("lesson {n}"),
        Place::Level(n) => format!("level {n}"),
    }
}

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    let colours = w.colours.clone();
    w.start.make(&colours);
    let mut area = egui::ScrollArea::vertical().auto_shrink(false);
    let pass = ui.ctx().cumulative_pass_nr();
    let last = w.start.shown_last.replace((pass, w.start.select));
    if last.is_none_or(|(then, what)| what != w.start.select || then + 1 < pass) {
        area = area.vertical_scroll_offset(0.0);
    }
    area.show(ui, |ui| match w.start.select {
        Some((game, page)) => level_select(ui, w, game, page, &colours),
        None => front(ui, w, &colours),
    });
}

fn front(ui: &mut Ui, w: &mut Workshop, colours: &Colours) {
    recovered(ui, w);
    ui.add_space(2.0);
    ui.heading("Play");
    // As large as lets all games and what is below them be in sight at once.
    let shown: Vec<_> = games::offered().iter().filter(|g| !chapters(**g).is_empty()).collect();
    let rest = ui.text_style_height(&egui::TextStyle::Heading) * 7.0;
    let side = (ui.clip_rect().height() - rest) / shown.len().max(1) as f32 - 24.0;
    for (i, game) in shown.into_iter().enumerate() {
        campaign(ui, w, *game, i == 0, side.clamp(66.0, 132.0), colours);
    }
    ui.add_space(8.0);
    let mut ask = None;
    ui.horizontal_wrapped(|ui| {
        ui.heading("Make");
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
            let name = disk::last_part(path);
            if ui.button(name).on_hover_text(path.display().to_string()).clicked() {
                chosen = Some(path.clone());
            }
        }
    });
    if let Some(path) = chosen {
        w.open_path(&path);
    }
}

/// Where nothing has the focus, an arrow key gives it to what to do next: the first key acts.
fn focus_by_arrow(ui: &Ui, w: &Workshop, next: &egui::Response) {
    use egui::Key::{ArrowDown, ArrowLeft, ArrowRight, ArrowUp};
    let alone = !w.is_front(Pane::Play) && !w.is_front(Pane::Edit) && w.dialog.is_none() && w.tour.is_none();
    let arrow = |i: &egui::InputState| [ArrowUp, ArrowDown, ArrowLeft, ArrowRight].iter().any(|k| i.key_pressed(*k));
    if alone && ui.memory(|m| m.focused().is_none()) && ui.input(arrow) {
        next.request_focus();
        next.scroll_to_me(None);
    }
}

/// One game: its emblem, how far one has come, and what can be done.
fn campaign(ui: &mut Ui, w: &mut Workshop, game: &'static dyn AnyGame, first: bool, side: f32, colours: &Colours) {
    let info = game.info();
    let of = chapters(game).len();
    let known = w.services.keeper.records().campaign(info.id);
    let done = known.map_or(0, |c| c.won().count());
    let stars = known.map_or(0, |c| c.won().map(|b| u32::from(b.stars)).sum::<u32>());
    let begun = known.is_some_and(Campaign::begun);
    let place = w.campaign_place(game);
    let level = place_name(place);
    let title = shipped_at(game, place).map(|_| w.start.shown(game, place, colours).title.clone()).unwrap_or_default();
    egui::Frame::group(ui.style()).inner_margin(6.0).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
            ui.painter().rect_filled(rect, 5.0, egui_colour(colours.back));
            if let Some((picture, extent)) = w.start.emblems.get(&(info.id, side > 90.0)) {
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
                    let go = egui::Button::new(RichText::new(format!("{verb}: {level}{about}")).strong());
                    let name = format!("{verb} {} at {level}{about}", info.name);
                    let go = ui.add(go).on_hover_text(&name).accessible_name(&name);
                    if first {
                        focus_by_arrow(ui, w, &go);
                    }
                    if go.clicked() {
                        w.open_campaign(info.id, place);
                    }
                    let name = format!("Levels of {}", info.name);
                    if ui.button("Levels").on_hover_text(&name).accessible_name(&name).clicked() {
                        w.start.choose(game, place);
                    }
                    for (kind, (run, _)) in game.runs().iter().enumerate() {
                        let best = w.best_of_run(game, kind);
                        let name = format!("{run}: board after board until one is stranded; best {best}");
                        // One that is open goes on; a new one is begun beside its board.
                        let (label, open) = match w.run_under_way(info.id, kind) {
                            Some((open, score)) => (format!("Continue: {run}, score {score}"), Some(open)),
                            None => ((*run).to_string(), None),
                        };
                        if ui.button(label).on_hover_text(name).clicked() {
                            match open {
                                Some(open) => {
                                    w.activate(open);
                                    w.enter(Mode::Play);
                                }
                                None => w.start_run(info.id, kind),
                            }
                        }
                    }
                    let name = format!("New game of {}", info.name);
                    if begun && ui.button("New game…").on_hover_text(&name).accessible_name(&name).clicked() {
                        w.dialog = Some(Dialog::NewGame { game: info.id });
                    }
                });
            });
        });
    });
}

fn level_select(ui: &mut Ui, w: &mut Workshop, id: &'static str, page: u32, colours: &Colours) {
    let Some(game) = games::by_id(id) else { return };
    let of = chapters(game);
    let pages = pages(game);
    let page = (page as usize).min(pages.len().saturating_sub(1));
    ui.horizontal_wrapped(|ui| {
        if ui.button("Back").on_hover_text("Back to the start page (Escape)").clicked() {
            w.start.select = None;
        }
        ui.heading(format!("Levels of {}", game.info().name));
        let done = w.services.keeper.records().campaign(id).map_or(0, |c| c.won().count());
        ui.weak(format!("{done} of {} won", of.len()));
    });
    ui.weak("Three levels are open after the last one you solved or skipped.");
    let mut turn_to = None;
    if pages.len() > 1 {
        ui.horizontal_wrapped(|ui| {
            for (i, places) in pages.iter().enumerate() {
                if ui.selectable_label(i == page, page_name(places)).clicked() {
                    turn_to = Some(i as u32);
                }
            }
        });
    }
    ui.add_space(4.0);
    let tiles = tiles(w, game, of, pages.get(page).map_or(&[], Vec::as_slice));
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 6.0);
        for tile in tiles {
            let index = shipped_at(game, tile.place);
            // One that is made by number takes a while, and a locked one is not wanted yet.
            let known = index.is_some() || tile.open;
            let shown = if known { w.start.shown(game, tile.place, colours) } else { Arc::default() };
            let par = shown.par.clone().or_else(|| w.library.par_of_shipped(game, index?)).unwrap_or_default();
            let card = tile.show(ui, game, &shown, &par, colours);
            if tile.here {
                focus_by_arrow(ui, w, &card);
            }
            if card.clicked() {
                chosen = Some(tile.place);
            }
        }
    });
    if let Some(to) = turn_to {
        w.start.select = Some((id, to));
    }
    if let Some(place) = chosen {
        w.open_campaign(id, place);
    }
}

/// "Lessons" or "Levels 26–50".
fn page_name(places: &[Place]) -> String {
    match (places.first(), places.last()) {
        (Some(Place::Level(a)), Some(Place::Level(b))) => format!("Levels {a}–{b}"),
        _ => "Lessons".into(),
    }
}

fn tiles(w: &Workshop, game: &'static dyn AnyGame, of: Chapters, places: &[Place]) -> Vec<Tile> {
    let here = w.campaign_place(game);
    let none = Campaign::default();
    let known = w.services.keeper.records().campaign(game.info().id).unwrap_or(&none);
    let tile = |place: &Place| Tile {
        place: *place,
        open: known.is_open(of, *place),
        here: *place == here,
        skipped: known.skipped.contains(place),
        best: known.best(*place).filter(|b| b.solved).cloned(),
    };
    places.iter().map(tile).collect()
}

/// A level in the level select.
struct Tile {
    place: Place,
    open: bool,
    here: bool,
    skipped: bool,
    best: Option<Best>,
}

impl Tile {
    /// The place where there is no title, the title where that names the place already ("Level 12"), else both as they are joined.
    fn name(&self, title: &str, join: impl FnOnce(&str) -> String) -> String {
        let place = capital(&place_name(self.place));
        match title {
            "" => place,
            named if named.starts_with(&place) => named.into(),
            _ => join(&place),
        }
    }

    /// What it says to those who cannot see it, and to everybody as a tooltip.
    fn words(&self, game: &'static dyn AnyGame, title: &str) -> String {
        let mut text = self.name(title, |place| format!("{place}, {title}"));
        if !self.open {
            return format!("{text}: locked");
        }
        let Some(best) = &self.best else {
            return format!("{text}: {}", if self.skipped { "skipped" } else { "not won yet" });
        };
        text += &match best.stars {
            0 => ": won".to_string(),
            stars => format!(": {stars} of 3 stars"),
        };
        for part in self.bests(game) {
            text += &format!(", best {part}");
        }
        text
    }

    /// "12 steps", for each count, and the time.
    fn bests(&self, game: &'static dyn AnyGame) -> Vec<String> {
        let Some(best) = &self.best else { return Vec::new() };
        let count = |name: &&str| best.counts.get(*name).map(|n| format!("{n} {}", singular(name, *n)));
        let time = best.time().map(|t| format!("time {}:{:02}", t.as_secs() / 60, t.as_secs() % 60));
        game.info().counts.iter().filter_map(count).chain(time).collect()
    }

    fn show(
        &self,
        ui: &mut Ui,
        game: &'static dyn AnyGame,
        shown: &Shown,
        par: &str,
        colours: &Colours,
    ) -> egui::Response {
        let line = ui.text_style_height(&egui::TextStyle::Heading);
        let size = vec2(card_width(ui, line * 15.0), line * 5.4);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click());
        let words = self.words(game, &shown.title);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, self.open, &words));
        if ui.is_rect_visible(rect) {
            self.frame(ui, rect, &response, colours);
            self.paint(ui, rect, game, shown, par, colours);
        }
        let tip = if shown.caption.is_empty() { words } else { format!("{words}\n{}", shown.caption) };
        response.on_hover_text(tip)
    }

    fn frame(&self, ui: &Ui, rect: egui::Rect, response: &egui::Response, colours: &Colours) {
        let fill = if self.open { ui.style().interact(response).weak_bg_fill } else { ui.visuals().faint_bg_color };
        let lit = self.here || (self.open && (response.hovered() || response.has_focus()));
        let ring = if lit { colours.accent } else { colours.line };
        let width = if self.here { 2.0 } else { 1.0 };
        ui.painter().rect(rect, 6.0, fill, (width, egui_colour(ring)), egui::StrokeKind::Inside);
    }

    /// Picture, title, caption, stars, par and best.
    fn paint(
        &self,
        ui: &Ui,
        rect: egui::Rect,
        game: &'static dyn AnyGame,
        shown: &Shown,
        par: &str,
        colours: &Colours,
    ) {
        let inner = rect.shrink(6.0);
        let side = inner.height();
        let board = egui::Rect::from_min_size(inner.min, vec2(side, side));
        ui.painter().rect_filled(board, 4.0, egui_colour(colours.back));
        if let Some((picture, extent)) = &shown.picture {
            canvas::fit(ui.painter(), board.shrink(3.0), *extent, picture);
        }
        let text = egui::Rect::from_min_max(inner.min + vec2(side + 8.0, 0.0), inner.max);
        let ink = if self.open { ui.visuals().text_color() } else { ui.visuals().weak_text_color() };
        let row = text.height() / 4.0;
        let (Place::Lesson(number) | Place::Level(number)) = self.place;
        let title = self.name(&shown.title, |_| format!("{number}. {}", shown.title));
        let line = |n: f32| egui::Rect::from_min_size(text.min + vec2(0.0, n * row), vec2(text.width(), row));
        text_in(ui, line(0.0), 1, RichText::new(title).strong().color(ink));
        let caption = RichText::new(&shown.caption).color(ui.visuals().weak_text_color());
        text_in(ui, line(1.0).union(line(2.0)), 2, caption);
        let star = row * 0.8;
        let cell = |i: f32| {
            let min = line(3.0).left_center() + vec2(i * star * 1.2, -star / 2.0);
            egui::Rect::from_min_size(min, vec2(star, star))
        };
        let mut rest = line(3.0);
        if !self.open && shown.picture.is_none() {
            let middle = egui::Rect::from_center_size(board.center(), vec2(side, side) * 0.3);
            icons::paint(ui.painter(), middle, Icon::Lock, ink);
        } else if !self.open {
            icons::paint(ui.painter(), cell(0.0), Icon::Lock, ink);
            rest.min.x += star * 1.6;
        } else if self.best.is_some() || self.skipped {
            self.stars(ui, cell, colours);
            rest.min.x += star * 4.2;
        }
        let name = game.info().counts[game.goals()[game.info().par_goal].count];
        let best = self.best.as_ref().and_then(|b| b.counts.get(name));
        let mut words: Vec<String> = (!par.is_empty()).then(|| par.to_string()).into_iter().collect();
        words.extend(best.map(|best| format!("best {best}")));
        words.extend((self.skipped && self.best.is_none()).then(|| "skipped".into()));
        text_in(ui, rest, 1, RichText::new(words.join(" · ")).color(ui.visuals().weak_text_color()));
    }

    fn stars(&self, ui: &Ui, cell: impl Fn(f32) -> egui::Rect, colours: &Colours) {
        let won = self.best.as_ref().map_or(0, |b| b.stars);
        for i in 0..3u8 {
            let colour = if i < won { colours.warn } else { colours.line };
            icons::paint(ui.painter(), cell(f32::from(i)), Icon::Star, egui_colour(colour));
        }
    }
}

/// As many cards in a row as fit, of the same width.
fn card_width(ui: &Ui, least: f32) -> f32 {
    let room = ui.max_rect().width();
    let columns = (room / least).floor().max(1.0);
    ((room - (columns - 1.0) * ui.spacing().item_spacing.x) / columns).floor() - 1.0
}

/// Text in the rows of a card, cut off where it does not fit.
fn text_in(ui: &Ui, rect: egui::Rect, rows: usize, text: RichText) {
    let wrapping = egui::text::TextWrapping { max_width: rect.width(), max_rows: rows, ..Default::default() };
    let font = egui::TextStyle::Body.into();
    let galley =
        egui::WidgetText::from(text).into_galley_impl(ui.ctx(), ui.style(), wrapping, font, egui::Align::Center);
    let at = Align2::LEFT_CENTER.align_size_within_rect(galley.size(), rect).min;
    ui.painter().galley(at, galley, ui.visuals().text_color());
}
