//! Making levels: presets, sliders, seed, count, progress, and the results with what was asked against what was measured.

use super::{choice, params};
use crate::{
    analysis::{rate, singular},
    app::{
        campaign::Making,
        canvas,
        workshop::{Mode, Workshop},
    },
    catalogue::Operation,
    disk::LevelId,
    document::{AnyGame, Board, Digest, Doc, MadeDoc, Wake},
    game::{NotMade, Values},
    games,
    job::{Job, Limits, Progress},
};
use egui::{RichText, Ui, vec2};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};
use xxhash_rust::xxh3::xxh3_64;

/// A generated level in the list.
struct Offer {
    doc: Box<dyn Doc>,
    /// To know it again.
    level: Digest,
    measured: BTreeMap<String, f64>,
    seed: u64,
    chosen: bool,
}

type Arrived = Arc<Mutex<Vec<(u64, Result<MadeDoc, NotMade>)>>>;

/// A run of the generator.
struct Run {
    job: Job<()>,
    arrived: Arrived,
    asked: u64,
    got: u64,
    /// How many were in the list already.
    again: u64,
}

/// What the panel remembers.
#[derive(Default)]
pub struct GenerateUi {
    game: Option<&'static dyn AnyGame>,
    preset: usize,
    values: Values,
    /// The game in front that the panel has followed to.
    followed: Option<&'static str>,
    seed: u64,
    /// The seed after the last one used, by game: it outlives the program, so that a new day brings new levels.
    pub next_seeds: BTreeMap<String, u64>,
    /// Whether every press makes the levels of this seed again.
    locked: bool,
    count: u64,
    run: Option<Run>,
    /// Those of all games; the panel shows those of its game.
    results: Vec<Offer>,
    /// What was not made, and why.
    notice: Option<String>,
}

impl Offer {
    fn is_of(&self, game: &'static dyn AnyGame) -> bool {
        self.doc.game().info().id == game.info().id
    }
}

impl GenerateUi {
    fn choose(&mut self, game: &'static dyn AnyGame) {
        if self.game.is_none_or(|g| g.info().id != game.info().id) {
            self.game = Some(game);
            self.use_preset(0);
            self.seed = self.next_seeds.get(game.info().id).copied().unwrap_or(1);
            self.count = 6;
            self.notice = None;
        }
    }

    fn use_preset(&mut self, index: usize) {
        let Some(game) = self.game else { return };
        self.preset = index;
        self.values = Values::defaults(&game.params());
        if let Some(preset) = game.presets().get(index) {
            for (name, value) in &preset.values.0 {
                self.values.set(name, value.clone());
            }
        }
    }

    /// Which preset these values are, if they are one.
    fn preset_id(&self) -> &'static str {
        let Some(game) = self.game else { return "" };
        let mut all = Values::defaults(&game.params());
        let Some(preset) = game.presets().into_iter().nth(self.preset) else { return "" };
        for (name, value) in &preset.values.0 {
            all.set(name, value.clone());
        }
        if all == self.values { preset.id } else { "" }
    }

    fn start(&mut self, wake: &Wake) {
        let Some(game) = self.game else { return };
        let preset = self.preset_id().to_string();
        let (values, seed, count) = (self.values.clone(), self.seed, self.count.max(1));
        let arrived: Arrived = Arc::default();
        let (into, wake) = (arrived.clone(), wake.clone());
        let work = move |probe: &mut crate::job::Probe| {
            for i in 0..count {
                probe.progress.fraction = Some(i as f32 / count as f32);
                probe.progress.note = format!("level {} of {count}", i + 1);
                probe.publish();
                let made = game.generate(&preset, &values, seed.wrapping_add(i), probe).map(|mut made| {
                    let rating = made.doc.rate_now(rate::NODES, probe);
                    made.measured.extend(rating.difficulty.map(|d| ("difficulty".to_string(), d.round())));
                    made
                });
                let stop = matches!(made, Err(NotMade::Stopped(_)));
                into.lock().unwrap_or_else(PoisonError::into_inner).push((seed.wrapping_add(i), made));
                if stop {
                    return;
                }
            }
        };
        let job = Job::spawn(Limits::default(), move || wake(), work);
        self.notice = None;
        if !self.locked {
            self.seed = seed.wrapping_add(count);
            self.next_seeds.insert(game.info().id.into(), self.seed);
        }
        self.run = Some(Run { job, arrived, asked: count, got: 0, again: 0 });
    }

    /// Makes levels with a preset.
    pub fn make_preset(&mut self, game: &'static dyn AnyGame, index: usize, wake: &Wake) {
        self.choose(game);
        self.use_preset(index);
        self.start(wake);
    }

    /// The seed that the next press uses: for tests.
    pub fn seed_shown(&self) -> u64 {
        self.seed
    }

    /// Whether it is making levels.
    pub fn busy(&self) -> bool {
        self.run.is_some()
    }

    /// Takes in what was made.
    pub fn tick(&mut self) {
        let Some(run) = &mut self.run else { return };
        let done = run.job.poll();
        let made = std::mem::take(&mut *run.arrived.lock().unwrap_or_else(PoisonError::into_inner));
        for (seed, result) in made {
            run.got += 1;
            match result {
                Ok(mut made) => {
                    let level = made.doc.identity().exact;
                    if self.results.iter().any(|r| r.level == level) {
                        run.again += 1;
                        let levels = singular("levels", run.again as u32);
                        self.notice = Some(format!("{} {levels} left out: in the list already", run.again));
                        continue;
                    }
                    made.doc.play_from_start();
                    let (doc, measured) = (made.doc, made.measured);
                    self.results.insert(0, Offer { doc, level, measured, seed, chosen: false });
                }
                Err(NotMade::Refused(why)) => self.notice = Some(format!("seed {seed}: {why}")),
                Err(NotMade::Stopped(_)) => {}
            }
        }
        match done {
            Some(Ok(())) => self.run = None,
            Some(Err(message)) => {
                self.notice = Some(message);
                self.run = None;
            }
            None => {}
        }
        self.results.truncate(500);
    }

    fn progress(&self) -> Option<(Progress, u64, u64)> {
        self.run.as_ref().map(|r| (r.job.progress(), r.got, r.asked))
    }
}

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    if let Some(game) = w.game()
        && w.generate.followed.replace(game.info().id) != Some(game.info().id)
    {
        w.generate.choose(game);
    }
    let Some(mut game) = w.generate.game else {
        ui.label("There is no game.");
        return;
    };
    let wake = w.services.wake.clone();
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let g = &mut w.generate;
        ui.horizontal_wrapped(|ui| {
            let label = ui.label("Game");
            let list = egui::ComboBox::from_id_salt("generate game").selected_text(game.info().name);
            let mut id = game.info().id;
            let all = games::offered().iter().map(|g| (g.info().id, g.info().name));
            choice(ui, list, &mut id, all).labelled_by(label.id);
            game = games::by_id(id).unwrap_or(game);
        });
        g.choose(game);
        ui.horizontal_wrapped(|ui| {
            let now = g.preset_id();
            for (i, preset) in game.presets().iter().enumerate() {
                if ui.selectable_label(now == preset.id, preset.name).clicked() {
                    g.use_preset(i);
                }
            }
        });
        ui.horizontal_wrapped(|ui| {
            let label = ui.label("Seed");
            ui.add(egui::DragValue::new(&mut g.seed)).labelled_by(label.id);
            ui.checkbox(&mut g.locked, "lock").on_hover_text("Make the same levels every time");
            let label = ui.label("Count");
            ui.add(egui::DragValue::new(&mut g.count).range(1..=500)).labelled_by(label.id);
        });
        match g.progress() {
            None => {
                if ui
                    .button("Generate")
                    .on_hover_text("The same seed and values always give the same levels.")
                    .clicked()
                {
                    g.start(&wake);
                }
            }
            Some((p, got, asked)) => {
                let share = got as f32 / asked.max(1) as f32;
                // One row, as the button was.
                ui.horizontal(|ui| {
                    if ui.button("Cancel").clicked() {
                        g.run = None;
                    }
                    ui.add(egui::ProgressBar::new(share).text(format!("{got} of {asked} · {}", p.note)));
                });
            }
        }
        // Below the button, so that what is made is in sight with it.
        ui.collapsing("Parameters", |ui| {
            params::show(ui, &game.params(), &mut g.values);
            if let Some(remark) = game.remark(&g.values) {
                ui.collapsing("Details", |ui| ui.label(RichText::new(remark).weak()));
            }
        });
        if w.services.making.as_ref().is_some_and(Making::is_generated) && ui.button("Cancel the next level").clicked()
        {
            w.services.making = None;
        }
        if let Some(why) = &g.notice {
            ui.colored_label(ui.visuals().warn_fg_color, why);
        }
        ui.separator();
        results(ui, w, game);
    });
}

fn results(ui: &mut Ui, w: &mut Workshop, game: &'static dyn AnyGame) {
    if !w.generate.results.iter().any(|r| r.is_of(game)) {
        ui.weak("New levels appear here.");
        return;
    }
    let colours = w.colours.clone();
    let (mut open, mut save) = (None, None);
    ui.horizontal_wrapped(|ui| {
        let chosen = w.generate.results.iter().filter(|r| r.chosen && r.is_of(game)).count();
        if ui.add_enabled(chosen > 0, egui::Button::new(format!("Save chosen ({chosen})"))).clicked() {
            save = Some(false);
        }
        if ui.button("Save all").clicked() {
            save = Some(true);
        }
        if ui.button("Clear").clicked() {
            w.generate.results.retain(|r| !r.is_of(game));
        }
    });
    for (i, r) in w.generate.results.iter_mut().enumerate().filter(|(_, r)| r.is_of(game)) {
        ui.push_id((i, r.seed), |ui| {
            ui.horizontal(|ui| {
                let (rect, response) = ui.allocate_exact_size(vec2(72.0, 72.0), egui::Sense::click());
                let name = format!("open the level with seed {}", r.seed);
                response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
                if ui.is_rect_visible(rect) {
                    ui.painter().rect_filled(rect, 5.0, crate::app::theme::egui_colour(colours.back));
                    canvas::fit(
                        ui.painter(),
                        rect.shrink(3.0),
                        r.doc.extent(Board::Play),
                        &r.doc.picture(Board::Play, &colours, 8.0),
                    );
                }
                if response.on_hover_text(&name).clicked() {
                    open = Some(i);
                }
                ui.vertical(|ui| {
                    ui.horizontal(|ui| {
                        ui.checkbox(&mut r.chosen, "").accessible_name(format!("choose seed {}", r.seed));
                        ui.label(RichText::new(format!("seed {}", r.seed)).strong());
                    });
                    let (first, rest) = measured(&*r.doc, &r.measured);
                    ui.label(RichText::new(first).small()).on_hover_text(rest);
                });
            });
        });
    }
    if let Some(i) = open {
        let doc = w.generate.results[i].doc.duplicate();
        let level = LevelId::generated(&*doc);
        if !w.bring(&level) {
            w.add(doc, level, Mode::Play);
        }
    }
    if let Some(all) = save {
        save_results(w, game, all);
    }
}

/// What a designer looks for first (difficulty, the cost of the solution, what was asked for), and all that was measured.
fn measured(doc: &dyn Doc, all: &BTreeMap<String, f64>) -> (String, String) {
    let (info, goals) = (doc.game().info(), doc.game().goals());
    // A generator's solution is for the first goal, whatever par counts.
    let unit = info.counts[goals[0].count];
    let mut first = Vec::new();
    first.extend(all.get("difficulty").map(|d| format!("difficulty {}", number(*d))));
    let cost = all.get("cost").map(|c| format!("{} {}", number(*c), singular(unit, *c as u32)));
    let proven = all.get("optimal").map(|o| if *o == 1.0 { "proven" } else { "not proven" });
    match all.get("winnable") {
        // That solution knows no opponent; whether the level can be won against one is measured apart.
        Some(winnable) => {
            let proven = proven.map_or_else(String::new, |p| format!(" ({p})"));
            first.extend(cost.map(|c| format!("{c} without the opponent{proven}")));
            first.extend((*winnable == 0.0).then(|| "not known whether it can be won against the opponent".into()));
        }
        None => first.extend(cost.into_iter().chain(proven.map(String::from))),
    }
    let asked = |name: String| doc.origin().and_then(|o| o.params.number(&name));
    let mut rest = Vec::new();
    for (name, value) in all {
        let least = asked(name.clone()).or_else(|| asked(format!("{name}_min"))).map(|n| n as f64);
        let most = asked(format!("{name}_most")).or_else(|| asked(format!("{name}_max"))).map(|n| n as f64);
        let words = format!("{} {}", name.replace('_', " "), number(*value));
        let missed = match (least, most) {
            (Some(a), Some(b)) if *value < a || *value > b => Some(format!("{words} (target {a} to {b})")),
            (Some(a), None) if *value < a => Some(format!("{words} (target {a})")),
            _ => None,
        };
        first.extend(missed);
        rest.push(words);
    }
    (first.join(" · "), rest.join("\n"))
}

fn number(v: f64) -> String {
    if v.fract() == 0.0 { format!("{v:.0}") } else { format!("{v:.2}") }
}

/// Levels go to the library's own folder, written in the background.
fn save_results(w: &mut Workshop, game: &'static dyn AnyGame, all: bool) {
    let file = |r: &Offer| {
        let origin = r.doc.origin();
        // Parameters without a name are told apart by a digest of them.
        let preset = match origin.map(|o| o.preset.as_str()) {
            None | Some("") => {
                let params = origin.map(|o| format!("{:?}", o.params)).unwrap_or_default();
                format!("custom-{:04x}", xxh3_64(params.as_bytes()) & 0xffff)
            }
            Some(preset) => preset.into(),
        };
        (format!("{}-{preset}-{:06}.ron", r.doc.game().info().id, r.seed), r.doc.native())
    };
    let files = w.generate.results.iter().filter(|r| r.is_of(game) && (all || r.chosen)).map(file).collect();
    w.library.do_it(Operation::Add(files));
}
