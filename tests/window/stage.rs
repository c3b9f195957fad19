//! The window on a stage: open it, use it by the names of things, look at it.
// Two test programs share it, and neither uses all of it.
#![allow(dead_code)]

use super::painter::Painter;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Role};
use egui_kittest::{
    Harness, Node,
    kittest::{NodeT as _, Queryable as _},
};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use tilewright::{
    app::{App, Home, dock::Pane, workshop::Workshop},
    game::Input,
    grid::{Spot, cell},
    picture::Point,
};

/// The roles of what can be clicked.
pub const PRESSABLE: [Role; 6] =
    [Role::Button, Role::RadioButton, Role::CheckBox, Role::MenuItem, Role::Tab, Role::ListItem];

/// A number of this process as Linux has it ("VmRSS" in kB, "Threads"); nothing elsewhere.
pub fn process(what: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with(what))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// How the name of a spot on the screen begins.
pub fn spot_name(spot: Spot) -> String {
    let part = spot.part.map_or_else(String::new, |p| format!(".{p}"));
    format!("{}{part}:", spot.cell.name())
}

/// How many threads of this process have this name; none where that cannot be found out.
pub fn threads(name: &str) -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let names = tasks.filter_map(|t| std::fs::read_to_string(t.path().join("comm")).ok());
    names.filter(|n| n.trim_end() == name).count()
}

/// The window, with a home folder of its own.
pub struct Stage {
    pub harness: Harness<'static, App>,
    pub home: tempfile::TempDir,
}

impl Stage {
    /// Opens the window in the size of a small laptop.
    pub fn new() -> Stage {
        Stage::sized(1280.0, 800.0)
    }

    /// The same with a shipped level in front.
    pub fn with(game: &'static str, index: usize) -> Stage {
        let mut stage = Stage::new();
        stage.open(game, index);
        stage
    }

    pub fn sized(w: f32, h: f32) -> Stage {
        let home = tempfile::tempdir().expect("a temporary folder");
        Stage::at_home(home, w, h)
    }

    /// Opens the window with a home that has been used before.
    pub fn at_home(home: tempfile::TempDir, w: f32, h: f32) -> Stage {
        Stage::opened(home, w, h, false)
    }

    /// The same, with the start page in front as a user sees it.
    pub fn at_start(home: tempfile::TempDir, w: f32, h: f32) -> Stage {
        Stage::opened(home, w, h, true)
    }

    fn opened(home: tempfile::TempDir, w: f32, h: f32, at_start: bool) -> Stage {
        let folder = home.path().to_path_buf();
        Stage { home, ..Stage::built(&folder, w, h, at_start) }
    }

    /// Opens the window with a home that belongs to somebody else.
    pub fn in_folder(folder: &Path, w: f32, h: f32) -> Stage {
        Stage::built(folder, w, h, false)
    }

    fn built(folder: &Path, w: f32, h: f32, at_start: bool) -> Stage {
        let home = tempfile::tempdir().expect("a temporary folder");
        let at = folder.to_path_buf();
        let harness =
            Harness::builder().with_size([w, h]).with_max_steps(64).renderer(Painter::default()).build_eframe(
                move |cc| {
                    let mut app = App::new(&cc.egui_ctx, Home::below(&at), None);
                    // Pictures and clicks must not depend on how far an animation has come.
                    app.workshop().settings.animate = false;
                    app.workshop().settings.clock = false;
                    app.workshop().tour = None;
                    // Rating takes a moment after each change; tests that are about it ask for it.
                    app.workshop().settings.rate_live = false;
                    for open in &mut app.workshop().session.open {
                        open.doc.set_animate(false);
                    }
                    if !at_start {
                        app.workshop().show(Pane::Play);
                    }
                    app
                },
            );
        let mut stage = Stage { harness, home };
        stage.frames(3);
        stage
    }

    /// Runs a few frames.
    pub fn frames(&mut self, n: usize) {
        self.harness.run_steps(n);
    }

    /// Runs frames until something is so.
    pub fn wait_for(&mut self, what: &str, mut done: impl FnMut(&mut Stage) -> bool) {
        for _ in 0..4000 {
            self.frames(2);
            if done(self) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("{what}: not so after a long time");
    }

    /// Runs frames until no background work is left.
    pub fn settle(&mut self) {
        self.wait_for("background work has ended", |stage| {
            let w = stage.workshop();
            !w.busy() && !w.library.busy() && w.frame.asked.is_empty()
        });
        self.frames(2);
    }

    /// Opens a shipped level and lets everything come to rest.
    pub fn open(&mut self, game: &'static str, index: usize) {
        self.workshop().open_shipped(game, index);
        self.settle();
    }

    /// Solves the level in front and takes the whole line over.
    pub fn take_over_solution(&mut self) {
        self.key(Key::F6);
        self.settle();
        self.click_like("Last step");
        self.click("Take over here");
        self.settle();
    }

    pub fn workshop(&mut self) -> &mut Workshop {
        self.harness.state_mut().workshop()
    }

    /// The level in front.
    pub fn doc(&mut self) -> &mut dyn tilewright::document::Doc {
        let w = self.workshop();
        let active = w.session.active;
        &mut *w.session.open[active].doc
    }

    /// The id of the level in front.
    pub fn front(&mut self) -> u64 {
        let w = self.workshop();
        w.session.open[w.session.active].id
    }

    /// Clicks a button, a tab or a menu by its name.
    pub fn click(&mut self, name: &str) {
        let at = self.named(name).rect().center();
        self.click_at(at);
    }

    /// Scrolls to a button, then clicks it.
    pub fn reach(&mut self, name: &str) {
        self.named(name).scroll_to_me();
        self.frames(30);
        self.click(name);
    }

    /// Clicks a button whose name begins like this (tooltips name keys in brackets).
    pub fn click_like(&mut self, start: &str) {
        let at = *self.all_like(start).first().unwrap_or_else(|| panic!("nothing is called {start}…"));
        self.click_at(at);
    }

    /// Clicks the tab of a panel: it stands above the panel that is in front of it.
    pub fn click_tab(&mut self, name: &str, front: Pane) {
        let below = self.harness.state_mut().layout().place(front).expect("it is in sight").top();
        let above = |n: &Node<'_>| (below - 32.0..below).contains(&n.rect().center().y);
        let tab = self.harness.query_all_by_label(name).find(above).map(|n| n.rect().center());
        self.click_at(tab.unwrap_or_else(|| panic!("no tab is called {name}")));
    }

    /// Where the tab of a panel is: below the menu bar and above everything else.
    pub fn tab(&self, name: &str) -> egui::Rect {
        let tabs =
            self.harness.query_all_by_role_and_label(Role::Button, name).map(|n| n.rect()).filter(|r| r.top() > 24.0);
        tabs.min_by(|a, b| a.top().total_cmp(&b.top())).unwrap_or_else(|| panic!("no tab is called {name}"))
    }

    /// Whether a point is on a board or on a picture of one: what is written there grows and shrinks with it.
    pub fn on_a_board(&self, at: Pos2) -> bool {
        let boards = self.harness.query_all_by(|n| matches!(n.role(), Role::Canvas | Role::GridCell | Role::Image));
        boards.map(|n| n.rect()).any(|r| r.contains(at))
    }

    /// Where the middle of a thing is.
    pub fn place(&self, name: &str) -> Pos2 {
        self.named(name).rect().center()
    }

    /// Clicks with keys held down.
    pub fn click_with(&mut self, at: Pos2, modifiers: Modifiers) {
        self.harness.event(Event::PointerMoved(at));
        self.frames(1);
        for pressed in [true, false] {
            let button = PointerButton::Primary;
            self.harness.event_modifiers(Event::PointerButton { pos: at, button, pressed, modifiers }, modifiers);
            self.frames(1);
        }
        self.frames(2);
    }

    /// Where everything is whose name begins like this.
    pub fn all_like(&self, start: &str) -> Vec<Pos2> {
        let all = self.harness.query_all_by(|n| n.label().is_some_and(|l| l.starts_with(start)));
        all.map(|n| n.rect().center()).collect()
    }

    pub fn click_at(&mut self, at: Pos2) {
        self.press(at);
        self.release(at);
        self.frames(2);
    }

    fn named<'a>(&'a self, name: &'a str) -> Node<'a> {
        PRESSABLE
            .into_iter()
            .find_map(|role| self.harness.query_all_by_role_and_label(role, name).next())
            .or_else(|| self.harness.query_all_by_label(name).next())
            .unwrap_or_else(|| panic!("nothing is called {name}"))
    }

    /// Whether something of that name, or a text that holds these words, is to be seen.
    pub fn sees(&self, words: &str) -> bool {
        let hit = |n: &egui_kittest::kittest::AccessKitNode<'_>| {
            n.label().is_some_and(|l| l.contains(words)) || n.value().is_some_and(|v| v.contains(words))
        };
        self.harness.query_all_by(hit).next().is_some()
    }

    /// The middle of a cell on the board in front.
    pub fn cell(&self, x: i16, y: i16) -> Pos2 {
        self.spot(&spot_name(cell(x, y).into()))
    }

    /// The middle of a spot, by the start of its name.
    pub fn spot(&self, start: &str) -> Pos2 {
        self.harness
            .query_all_by(|n| n.role() == Role::GridCell && n.label().is_some_and(|l| l.starts_with(start)))
            .next()
            .unwrap_or_else(|| panic!("no {start} in sight"))
            .rect()
            .center()
    }

    /// What a cell holds, in words.
    pub fn cell_name(&self, x: i16, y: i16) -> String {
        let start = spot_name(cell(x, y).into()) + " ";
        let node = self.harness.query_all_by(|n| n.label().is_some_and(|l| l.starts_with(&start))).next();
        let label = node.and_then(|n| n.accesskit_node().label()).unwrap_or_default();
        label.strip_prefix(&start).unwrap_or_default().to_string()
    }

    fn button(&mut self, pos: Pos2, pressed: bool) {
        let modifiers = Modifiers::NONE;
        self.harness.event(Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers });
        self.frames(1);
    }

    pub fn press(&mut self, at: Pos2) {
        self.harness.event(Event::PointerMoved(at));
        self.frames(1);
        self.button(at, true);
    }

    pub fn release(&mut self, at: Pos2) {
        self.button(at, false);
    }

    pub fn move_to(&mut self, at: Pos2) {
        self.harness.event(Event::PointerMoved(at));
        self.frames(1);
    }

    /// Drags through points.
    pub fn drag(&mut self, way: &[Pos2]) {
        let (first, last) = (way[0], way[way.len() - 1]);
        self.press(first);
        for at in &way[1..] {
            self.harness.event(Event::PointerMoved(*at));
            self.frames(1);
        }
        self.release(last);
        self.frames(2);
    }

    /// Where a point of a board is on the screen.
    pub fn on_screen(&mut self, board: &str, p: Point) -> Pos2 {
        let middle = self.named(board).rect().center();
        let w = self.workshop();
        let open = &w.session.open[w.session.active];
        let (x, y) = open.camera.middle;
        middle + egui::vec2(p.x - x, p.y - y) * open.scale
    }

    /// Whether a press at a point of the board takes something up; it is put back at once.
    pub fn takes_up(&mut self, p: Point) -> bool {
        let used = self.doc().input(&Input::Press(p)).used;
        self.doc().input(&Input::Key(tilewright::game::Key::Cancel));
        used
    }

    /// Drags from one point of the board to another.
    pub fn drag_points(&mut self, from: Point, to: Point) {
        let (from, to) = (self.on_screen("play board", from), self.on_screen("play board", to));
        self.press(from);
        self.harness.event(Event::PointerMoved(to));
        self.frames(1);
        self.release(to);
    }

    /// Drags from cell to cell.
    pub fn drag_cells(&mut self, cells: &[(i16, i16)]) {
        let way: Vec<_> = cells.iter().map(|(x, y)| self.cell(*x, *y)).collect();
        self.drag(&way);
    }

    pub fn click_cell(&mut self, x: i16, y: i16) {
        let at = self.cell(x, y);
        self.click_at(at);
    }

    /// Presses and lets go the right button on a cell.
    pub fn right_click_cell(&mut self, x: i16, y: i16) {
        let pos = self.cell(x, y);
        self.harness.event(Event::PointerMoved(pos));
        self.frames(1);
        for pressed in [true, false] {
            let (button, modifiers) = (PointerButton::Secondary, Modifiers::NONE);
            self.harness.event(Event::PointerButton { pos, button, pressed, modifiers });
            self.frames(2);
        }
    }

    /// Clicks the last thing of that name: a dialog lies over everything else.
    pub fn click_in_dialog(&mut self, name: &str) {
        let nodes = self.harness.query_all_by_role_and_label(Role::Button, name);
        let at = nodes.last().unwrap_or_else(|| panic!("no dialog has {name}")).rect().center();
        self.click_at(at);
    }

    pub fn keys(&mut self, keys: &[Key]) {
        for key in keys {
            self.key(*key);
        }
    }

    pub fn key(&mut self, key: Key) {
        self.chord(Modifiers::NONE, key);
    }

    pub fn chord(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.frames(3);
    }

    /// Types into the field that has the focus.
    pub fn type_text(&mut self, text: &str) {
        self.harness.event(Event::Text(text.into()));
        self.frames(2);
    }

    /// Compares the window with the picture kept in tests/golden/window.
    pub fn picture(&mut self, name: &str) {
        let image = self.drawn();
        compare(&image, name);
    }

    /// The window as it is drawn, with all thumbnails there and a text cursor that does not blink.
    pub fn drawn(&mut self) -> image::RgbaImage {
        self.harness.ctx.all_styles_mut(|style| style.visuals.text_cursor.blink = false);
        // Thumbnails are asked for while a frame is painted and taken over a few a frame, so the library may be idle in between.
        let mut idle = 0;
        self.wait_for("the library's thumbnails are there", |stage| {
            idle = if stage.workshop().library.busy() { 0 } else { idle + 1 };
            idle == 3
        });
        self.harness.render().expect("the window can be drawn")
    }

    /// Compares one panel with its picture, without the panels around it.
    pub fn picture_of(&mut self, pane: Pane, name: &str) {
        let place = self.harness.state_mut().layout().place(pane).expect("it is in sight");
        self.picture_at(place, name);
    }

    /// Compares a part of the window with its picture.
    pub fn picture_at(&mut self, place: egui::Rect, name: &str) {
        let image = self.drawn();
        let (x, y) = (place.left().ceil() as u32, place.top().ceil() as u32);
        let (w, h) = (place.width().floor() as u32 - 1, place.height().floor() as u32 - 1);
        compare(&image::imageops::crop_imm(&image, x, y, w, h).to_image(), name);
    }
}

fn compare(image: &image::RgbaImage, name: &str) {
    let options = egui_kittest::SnapshotOptions::new()
        .output_path(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden/window"));
    // Not through the harness: a test may look at several windows.
    if let Err(e) = egui_kittest::try_image_snapshot_options(image, name, &options) {
        panic!("{e}");
    }
}
