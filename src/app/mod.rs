//! The window. Names no game.
//!
//! [`App`] is what eframe runs: a menu bar, the dock with its panels, a status bar, a dialog now and then. All panels work on one
//! [`workshop::Workshop`]; what they want done they ask for as [`keys::Action`], carried out once a frame in `actions.rs`. Nothing here waits: documents run
//! their own jobs, which wake the window when there is something new, and while nothing changes nothing is painted.

pub mod actions;
pub mod campaign;
pub mod canvas;
pub mod celebration;
pub mod dialogs;
pub mod dock;
pub mod files;
pub mod finder;
pub mod icons;
pub mod keymap;
pub mod keys;
pub mod panels;
pub mod queue;
pub mod rescue;
pub mod run;
pub mod services;
pub mod session;
pub mod settings;
pub mod theme;
pub mod tour;
pub mod transfers;
pub mod workshop;

use crate::{catalogue::Places, disk};
use dock::Pane;
use egui::{RichText, Ui};
use keys::{Action, Menu};
use panels::one_line;
use settings::Settings;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use workshop::{Mode, Workshop};

/// Where the program keeps its things. `None` keeps nothing (tests).
#[derive(Clone, Debug, Default)]
pub struct Home {
    /// The settings file.
    pub settings: Option<PathBuf>,
    /// The folder of one's own levels.
    pub levels: Option<PathBuf>,
    /// The folder of records, recovery copies and backups.
    pub data: Option<PathBuf>,
    /// The folder of what can be computed again.
    pub cache: Option<PathBuf>,
    /// The folder that exports go to at first.
    pub documents: Option<PathBuf>,
    /// The desktop's program that opens folders.
    pub opener: Option<String>,
    /// Whether games may compute large tables and keep them in the user's cache.
    pub tables: bool,
}

impl Home {
    /// This user's folders.
    pub fn of_user() -> Home {
        match disk::folders() {
            Some(f) => Home {
                settings: Some(f.config.join("settings.ron")),
                levels: Some(f.data.join("levels")),
                data: Some(f.data),
                cache: Some(f.cache),
                documents: f.documents,
                opener: Some(files::OPENER.into()),
                tables: true,
            },
            None => Home::default(),
        }
    }

    /// Everything below one folder.
    pub fn below(home: &Path) -> Home {
        Home {
            settings: Some(home.join("settings.ron")),
            levels: Some(home.join("levels")),
            data: Some(home.to_path_buf()),
            cache: Some(home.join("cache")),
            documents: Some(home.join("Documents")),
            opener: None,
            tables: false,
        }
    }
}

/// The program's window.
pub struct App {
    workshop: Workshop,
    layout: dock::Layout,
    home: Home,
    title: String,
    saved: String,
    /// Whether Play and Edit were in front when that was last looked at.
    boards: (bool, bool),
}

impl App {
    /// Sets the window up.
    pub fn new(ctx: &egui::Context, mut home: Home, open: Option<&Path>) -> App {
        theme::fonts(ctx);
        // The text scale is ours; egui's own zoom keys would fight with it.
        ctx.options_mut(|o| o.zoom_with_keyboard = false);
        let loaded = Settings::load(home.settings.as_deref());
        if !loaded.ours {
            home.settings = None;
        }
        let layout = loaded.settings.layout.clone();
        let mut workshop = Workshop::new(loaded.settings, Workshop::wake_of(ctx));
        workshop.keep_records(home.data.as_deref());
        workshop.services.rescue = rescue::Rescue::open(home.data.as_deref(), &workshop.services.wake);
        workshop.services.backups = home.data.as_ref().map(|d| d.join("backups"));
        (workshop.export.documents, workshop.export.opener) = (home.documents.clone(), home.opener.clone());
        workshop.library.query.sort = workshop.settings.library_sort;
        workshop.generate.next_seeds.clone_from(&workshop.settings.next_seeds);
        let places = Places {
            own: home.levels.clone(),
            bin: home.data.as_ref().map(|d| d.join("bin")),
            memory: home.data.clone(),
            cache: home.cache.clone(),
            tables: home.tables,
        };
        workshop.library.start(places, &workshop.settings.collections, &workshop.services.wake);
        let stamps = workshop.stamps.keep_in(home.data.as_ref().map(|d| d.join("stamps.ron")));
        workshop.services.variants_folder = home.data.as_ref().map(|d| d.join("variants"));
        workshop.services.preparing.allowed = home.tables;
        let mut troubles = keymap::install(ctx, &workshop.settings.keys);
        troubles.extend(loaded.message);
        troubles.extend(stamps);
        actions::restyle(ctx, &mut workshop);
        match open {
            Some(path) => {
                workshop.open_path(path);
                workshop.wait_for_files(Duration::from_millis(200));
            }
            None => {
                actions::welcome(&mut workshop);
                workshop.show(Pane::Start);
                workshop.tour = (!workshop.settings.toured).then_some(tour::Tour::BEGIN);
            }
        }
        troubles.into_iter().for_each(|text| workshop.warn(text));
        App { workshop, layout, home, title: String::new(), saved: String::new(), boards: (false, false) }
    }

    /// The open levels and all that: for tests.
    pub fn workshop(&mut self) -> &mut Workshop {
        &mut self.workshop
    }

    /// Where the panels are: for tests.
    pub fn layout(&mut self) -> &mut dock::Layout {
        &mut self.layout
    }

    /// One frame.
    pub fn show(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.tick(&ctx);
        let mut acts = actions::keyboard(&ctx, &mut self.workshop);
        let behind = if self.workshop.in_modal() { keys_after_escape(&ctx) } else { Vec::new() };
        if self.workshop.focused() {
            egui::CentralPanel::default().show(ui, |ui| panels::show(ui, Pane::Play, &mut self.workshop));
        } else {
            egui::Panel::top("menu").show(ui, |ui| self.menu(ui));
            egui::Panel::bottom("status").show(ui, |ui| self.status(ui));
            egui::CentralPanel::no_frame().show(ui, |ui| dock::show(ui, &mut self.layout, &mut self.workshop));
        }
        dialogs::show(&ctx, &mut self.workshop);
        finder::show(&ctx, &mut self.workshop);
        tour::show(&ctx, &mut self.workshop, &mut self.layout);
        if !behind.is_empty() && !self.workshop.in_modal() {
            self.workshop.frame.late_keys = behind;
            ctx.request_repaint();
        }
        self.workshop.frame.typing = ctx.text_edit_focused();
        acts.append(&mut self.workshop.frame.asked);
        let mut moved = !acts.is_empty();
        for act in acts {
            actions::perform(&ctx, &mut self.workshop, &mut self.layout, act);
        }
        for pane in std::mem::take(&mut self.workshop.frame.show_panes) {
            // What is asked for must be seen.
            self.workshop.focus &= pane == Pane::Play;
            self.layout.show(pane);
            moved = true;
        }
        if moved {
            self.workshop.frame.front = self.layout.front();
            ctx.request_repaint();
        }
        self.follow_tabs();
        self.update_title(&ctx);
        self.closing(&ctx);
    }

    /// Takes in what background work has found, dropped files, time.
    fn tick(&mut self, ctx: &egui::Context) {
        let w = &mut self.workshop;
        let delay = Duration::from_millis(u64::from(w.settings.reply_delay_ms));
        // Painting starts nothing: what the level in front shows is asked for here, and what is not in sight is no longer wanted.
        let (editing, playing) = (w.is_front(Pane::Edit), w.is_front(Pane::Play));
        let stepped = w.is_front(Pane::Inspect) && w.inspect.details;
        let mapping = (w.is_front(Pane::Map) || stepped) && !w.focused();
        w.session.open.iter_mut().for_each(|o| o.doc.ask_nothing());
        if let Some(open) = w.session.current_mut() {
            if editing {
                open.doc.ask_verdict();
            }
            if playing && !open.stepping {
                open.doc.ask_outlook();
            }
            if mapping {
                open.doc.ask_positions();
            }
            if stepped {
                open.doc.ask_choices();
            }
            if w.settings.rate_live {
                open.doc.ask_rating();
            }
        }
        for open in &mut w.session.open {
            open.doc.set_reply_delay(delay);
            open.doc.tick();
            if open.doc.thinking() {
                ctx.request_repaint_after(Duration::from_millis(60));
            }
        }
        w.generate.tick();
        w.start.tick(&w.services.wake);
        w.tick();
        dialogs::export::tick(ctx, w);
        panels::edit::what_if::ask(w);
        panels::variants::tick(w);
        w.tick_files();
        if w.services.reading.busy() || w.services.saving.busy() {
            // So that the status bar says it when one takes long.
            ctx.request_repaint_after(Duration::from_millis(400));
        }
        if let Some(wait) = w.tick_rescue() {
            ctx.request_repaint_after(wait);
        }
        panels::library::tick(ctx, w);
        panels::timeline::tick(ctx, w);
        if let Some(left) = w.forget_old_words() {
            ctx.request_repaint_after(left);
        }
        for file in ctx.input(|i| i.raw.dropped_files.clone()) {
            w.open_path(file.path());
        }
    }

    /// A tab that the user brought to the front decides whether one plays or edits. Where both are in front (one in a window of its own), the one that has just
    /// come there does.
    fn follow_tabs(&mut self) {
        let w = &mut self.workshop;
        let front = (w.is_front(Pane::Play), w.is_front(Pane::Edit));
        match (front, std::mem::replace(&mut self.boards, front)) {
            ((true, false), _) | ((true, true), (false, true)) => w.session.mode = Mode::Play,
            ((false, true), _) | ((true, true), (true, false)) => w.session.mode = Mode::Edit,
            _ => {}
        }
    }

    fn menu(&mut self, ui: &mut Ui) {
        let table = keys::table();
        egui::MenuBar::new().ui(ui, |ui| {
            for (menu, name) in [
                (Menu::File, "File"),
                (Menu::Edit, "Edit"),
                (Menu::Play, "Play"),
                (Menu::Solve, "Solve"),
                (Menu::Library, "Library"),
                (Menu::View, "View"),
                (Menu::Help, "Help"),
            ] {
                ui.menu_button(name, |ui| {
                    ui.set_min_width(220.0);
                    for line in table.iter().filter(|l| l.menu == menu) {
                        let key = keys::key_text(ui.ctx(), line);
                        let mut button = egui::Button::new(line.name).shortcut_text(key);
                        if let Action::Show(pane) = line.act {
                            button = button.selected(self.layout.is_open(pane));
                        }
                        if ui.add(button).clicked() {
                            self.workshop.ask(line.act);
                            ui.close();
                        }
                        if line.act == Action::Open {
                            self.recent_files(ui);
                        }
                    }
                });
            }
            if let Some(open) = self.workshop.session.current() {
                ui.separator();
                ui.label(RichText::new(format!("{}: {}", open.doc.game().info().name, open.title())).strong());
            }
        });
    }

    /// A submenu of the files opened lately.
    fn recent_files(&mut self, ui: &mut Ui) {
        let recent = self.workshop.settings.recent.clone();
        ui.add_enabled_ui(!recent.is_empty(), |ui| {
            ui.menu_button("Recent files", |ui| {
                for path in recent {
                    let name = disk::last_part(&path);
                    if ui.button(name).on_hover_text(path.display().to_string()).clicked() {
                        self.workshop.open_path(&path);
                        ui.close();
                    }
                }
            });
        });
    }

    fn status(&mut self, ui: &mut Ui) {
        let w = &self.workshop;
        let (mut ask, mut read) = (None, false);
        ui.horizontal(|ui| {
            if let Some((name, act)) = w.message.as_ref().and_then(|s| s.offer)
                && ui.small_button(name).on_hover_text(keys::tip(ui.ctx(), act)).clicked()
            {
                ask = Some(act);
            }
            let warning = w.warnings.first().filter(|_| w.message.is_none());
            if let Some(text) = warning {
                let more = w.warnings.len() - 1;
                let label = if more == 0 { "OK".into() } else { format!("OK ({more} more)") };
                read = ui.small_button(label).clicked();
                let words = RichText::new(text).color(ui.visuals().error_fg_color);
                one_line(ui, words);
            }
            match &w.message {
                _ if warning.is_some() => {}
                Some(said) if said.bad => {
                    one_line(ui, RichText::new(&said.text).color(ui.visuals().error_fg_color));
                }
                Some(said) => drop(one_line(ui, &said.text)),
                None if w.is_front(Pane::Start) && !w.is_front(Pane::Play) && !w.is_front(Pane::Edit) => {
                    ui.weak("Escape goes back to the level, ? shows the keys.");
                }
                None => {
                    let (play, find) =
                        (keys::key_of(ui.ctx(), Action::PlayStart), keys::key_of(ui.ctx(), Action::Palette));
                    ui.weak(match w.session.mode {
                        Mode::Play => format!("Playing. {play} edits, {find} finds everything."),
                        Mode::Edit => format!("Editing. {play} plays, {find} finds everything."),
                    });
                }
            }
            let busy = w.busy();
            if let Some((words, job)) = &w.services.preparing.running {
                let p = job.progress();
                ui.add(egui::ProgressBar::new(p.fraction.unwrap_or(0.0)).desired_width(160.0).text(*words));
            } else if busy {
                let words = w.slow_file().unwrap_or_else(|| "working …".into());
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.weak(words);
                });
            }
        });
        if read {
            self.workshop.warnings.remove(0);
        }
        if let Some(act) = ask {
            self.workshop.message = None;
            self.workshop.ask(act);
        }
    }

    fn update_title(&mut self, ctx: &egui::Context) {
        let w = &mut self.workshop;
        let title = match w.session.current_mut() {
            Some(open) => {
                let mark = if open.doc.dirty() { "* " } else { "" };
                format!("{mark}{} - Tilewright", open.title())
            }
            None => "Tilewright".into(),
        };
        if title != self.title {
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    /// The window's title: for tests.
    pub fn title(&self) -> &str {
        &self.title
    }

    fn closing(&mut self, ctx: &egui::Context) {
        let w = &mut self.workshop;
        if ctx.input(|i| i.viewport().close_requested()) && !w.leaving {
            w.quit();
            if !w.leaving {
                ctx.send_viewport_cmd(egui::ViewportCommand::CancelClose);
            }
        }
        if w.leaving {
            panels::library::finish(w);
            w.services.chores.finish();
            w.services.saving.finish();
            w.services.keeper.flush();
            w.services.rescue.end();
            self.save_settings();
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }

    /// Writes settings and layout, if they have changed.
    pub fn save_settings(&mut self) {
        let Some(path) = &self.home.settings else { return };
        self.workshop.settings.layout = self.layout.clone();
        self.workshop.settings.next_seeds.clone_from(&self.workshop.generate.next_seeds);
        let now = ron::to_string(&self.workshop.settings).unwrap_or_default();
        if now == self.saved {
            return;
        }
        // What cannot be written is told once, and tried again when there is something new to write.
        self.saved = now;
        if let Err(message) = self.workshop.settings.save(path) {
            self.workshop.warn(format!("the settings could not be saved: {message}"));
        }
    }
}

/// The keys of this frame that came after Escape.
fn keys_after_escape(ctx: &egui::Context) -> Vec<egui::Event> {
    let pressed = |e: &&egui::Event| matches!(e, egui::Event::Key { pressed: true, .. });
    let escape = |e: &&egui::Event| matches!(e, egui::Event::Key { key: egui::Key::Escape, .. });
    ctx.input(|i| i.events.iter().filter(pressed).skip_while(|e| !escape(e)).skip(1).cloned().collect())
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        self.show(ui);
    }

    fn save(&mut self, _: &mut dyn eframe::Storage) {
        self.save_settings();
    }

    fn auto_save_interval(&self) -> Duration {
        Duration::from_secs(20)
    }
}

/// The icon of `assets/tilewright.svg`, for desktops that ask the window for it (a program that was not installed as a package).
const ICON: &[u8] = include_bytes!("../../assets/tilewright.png");

/// Opens the window; the exit code.
pub fn run(open: Vec<PathBuf>) -> i32 {
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Tilewright")
            .with_app_id("tilewright")
            .with_icon(eframe::icon_data::from_png_bytes(ICON).unwrap_or_default())
            .with_inner_size([1280.0, 800.0])
            .with_min_inner_size([640.0, 420.0]),
        ..eframe::NativeOptions::default()
    };
    let home = Home::of_user();
    let started = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        eframe::run_native(
            "tilewright",
            options,
            Box::new(move |cc| {
                let mut app = App::new(&cc.egui_ctx, home, open.first().map(PathBuf::as_path));
                open.iter().skip(1).for_each(|path| app.workshop.open_path(path));
                Ok(Box::new(app))
            }),
        )
    }));
    match started {
        Ok(Ok(())) => 0,
        Ok(Err(e)) => {
            // What a library says about it may have paths of the machine that built the program in it.
            let why = if has_display() { format!(" ({})", plain_words(&e.to_string())) } else { String::new() };
            eprintln!("tilewright: the window could not be opened{why}: {NEEDS}");
            2
        }
        Err(_) if !has_display() => {
            eprintln!("tilewright: the window could not be opened: {NEEDS}");
            2
        }
        Err(_) => {
            eprintln!("tilewright: the window ended because of an internal error. If it never opened: {NEEDS}");
            2
        }
    }
}

/// Whether the environment names a display; elsewhere than on Linux there is no telling, and it counts as there.
fn has_display() -> bool {
    !cfg!(target_os = "linux") || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some())
}

/// An error's words without those that are paths.
fn plain_words(text: &str) -> String {
    text.split_whitespace().filter(|word| !word.contains('/')).collect::<Vec<_>>().join(" ")
}

const NEEDS: &str = "a desktop (DISPLAY or WAYLAND_DISPLAY) is needed, and on Debian these packages: \
libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon-x11-0 libgl1. The commands need none of this: see `tilewright help`.";
