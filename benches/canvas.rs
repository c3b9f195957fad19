//! How long a frame of the window takes on a 64x64 board while one paints and pans: our own CPU time, without a screen.
//!
//! The bar is 2 ms a frame for our own code, at p95. `frame` is everything egui and we do to lay a frame out, `shapes` is turning it into triangles (egui's
//! part, for comparison). A still window is measured too: it must not ask to be painted again. Then a window with the map of the largest shipped level of
//! Readout that is mapped in full, while the pointer moves over it: the bar is 4 ms. Last, stepping through a long line against a short one.

use egui::{Context, Event, Modifiers, PointerButton, Pos2, RawInput, Rect, pos2, vec2};
use std::time::{Duration, Instant};
use tilewright::{
    app::{App, Home, workshop::Mode},
    document::{Board, Doc},
    game::Ink,
    games,
    grid::{Size, Sym},
};

struct Bench {
    ctx: Context,
    app: App,
    time: f64,
}

impl Bench {
    fn frame(&mut self, events: Vec<Event>) -> (Duration, Duration, Duration) {
        self.time += 1.0 / 60.0;
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 800.0));
        let input = RawInput { screen_rect: Some(screen), time: Some(self.time), events, ..RawInput::default() };
        let begin = Instant::now();
        let mut output = self.ctx.run_ui(input, |ui| self.app.show(ui));
        let frame = begin.elapsed();
        // Nobody paints them here.
        output.textures_delta.clear();
        let wait = output.viewport_output.values().map(|v| v.repaint_delay).min().unwrap_or(Duration::MAX);
        let begin = Instant::now();
        std::hint::black_box(self.ctx.tessellate(output.shapes, output.pixels_per_point));
        (frame, begin.elapsed(), wait)
    }
}

fn report(name: &str, frames: &mut [(Duration, Duration, Duration)]) {
    frames.sort_by_key(|f| f.0);
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    let at = |q: usize| frames[(frames.len() - 1) * q / 100];
    let shapes: Duration = frames.iter().map(|f| f.1).sum::<Duration>() / frames.len() as u32;
    println!(
        "{name:10} {:5} frames   frame p50 {:6.2} ms   p95 {:6.2} ms   max {:6.2} ms   shapes {:6.2} ms",
        frames.len(),
        ms(at(50).0),
        ms(at(95).0),
        ms(at(100).0),
        ms(shapes)
    );
}

fn button(pos: Pos2, pressed: bool, button: PointerButton) -> Event {
    Event::PointerButton { pos, button, pressed, modifiers: Modifiers::NONE }
}

fn main() {
    let large = Size::new(64, 64);
    let Some(game) = games::offered().iter().find(|g| g.sizes().1.w >= 64 && g.sizes().1.h >= 64) else {
        println!("no game has boards of 64x64");
        return;
    };
    let mut bench = Bench::new();
    let mut doc = game.blank(large);
    // A busy board: every swatch here and there.
    let spots = doc.spots(Board::Draft);
    let swatches = doc.palette().swatches.len();
    for (i, chunk) in spots.chunks(3).enumerate() {
        let ink = Ink { swatch: (i * 7) % swatches, colour: i % 5, sym: Sym::ALL[i % 8] };
        doc.paint(ink, chunk, &[], "bench");
    }
    bench.app.workshop().add(doc, tilewright::disk::LevelId::New, Mode::Edit);
    for _ in 0..20 {
        bench.frame(Vec::new());
    }
    println!("{} 64x64, 1280x800", game.info().name);
    let path = |i: usize| pos2(520.0 + (i as f32 * 0.05).cos() * 120.0, 400.0 + (i as f32 * 0.031).sin() * 160.0);
    let primary = PointerButton::Primary;
    let mut frames = vec![bench.frame(vec![Event::PointerMoved(path(0)), button(path(0), true, primary)])];
    frames.extend((1..300).map(|i| bench.frame(vec![Event::PointerMoved(path(i))])));
    frames.push(bench.frame(vec![button(path(299), false, primary)]));
    report("painting", &mut frames);
    let middle = PointerButton::Middle;
    let mut frames = vec![bench.frame(vec![Event::PointerMoved(path(0)), button(path(0), true, middle)])];
    frames.extend((1..300).map(|i| bench.frame(vec![Event::PointerMoved(path(i))])));
    frames.push(bench.frame(vec![button(path(299), false, middle)]));
    report("panning", &mut frames);
    // Left alone, it comes to rest: wait for the live verdict, then nothing may ask for another frame.
    bench.settle();
    bench.app.workshop().message = None;
    for _ in 0..30 {
        bench.frame(Vec::new());
    }
    let mut frames: Vec<_> = (0..60).map(|_| bench.frame(Vec::new())).collect();
    report("still", &mut frames);
    let rest = frames.iter().all(|f| f.2 > Duration::from_secs(1));
    println!("at rest: {}", if rest { "asks for no further frame" } else { "STILL ASKS FOR FRAMES" });
    map();
    steps();
}

fn key(key: egui::Key, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers }
}

impl Bench {
    /// A window without a level.
    fn new() -> Bench {
        let ctx = Context::default();
        let mut app = App::new(&ctx, Home::default(), None);
        app.workshop().tour = None;
        Bench { ctx, app, time: 0.0 }
    }

    /// Frames until nothing is being worked out.
    fn settle(&mut self) {
        for _ in 0..20 {
            self.frame(Vec::new());
        }
        let begin = Instant::now();
        while self.app.workshop().session.open.iter().any(|o| o.doc.busy()) && begin.elapsed() < Duration::from_secs(60)
        {
            self.frame(Vec::new());
            std::thread::sleep(Duration::from_millis(5));
        }
        self.frame(Vec::new());
    }
}

fn map() {
    let mut bench = Bench::new();
    bench.app.workshop().open_shipped("readout", 3);
    bench.settle();
    let begin = Instant::now();
    bench.frame(vec![key(egui::Key::M, Modifiers::ALT)]);
    bench.settle();
    let took = begin.elapsed();
    let workshop = bench.app.workshop();
    let Some(map) = workshop.session.current().and_then(|o| o.doc.position_map()) else {
        println!("there is no map");
        return;
    };
    println!("{} ({:.2} s, with the window's other work)", map.sentence(), took.as_secs_f64());
    let path = |i: usize| pos2(20.0 + (i * 7 % 230) as f32, 120.0 + (i * 13 % 420) as f32);
    let mut frames: Vec<_> = (0..300).map(|i| bench.frame(vec![Event::PointerMoved(path(i))])).collect();
    report("map", &mut frames);
}

/// A corridor that winds through the board, with a box and its goal at its end and the player at its beginning, or beside the box.
fn corridor(far: bool) -> Box<dyn Doc> {
    let (w, h) = (40, 23);
    let mut rows = vec![vec!['#'; w]; h];
    for y in (1..h - 1).step_by(2) {
        rows[y][1..w - 1].fill(' ');
        if y + 2 < h - 1 {
            rows[y + 1][if y % 4 == 1 { w - 2 } else { 1 }] = ' ';
        }
    }
    let last = h - 2;
    (rows[last][w - 4], rows[last][w - 2]) = ('$', '.');
    let (x, y) = if far { (1, 1) } else { (w - 6, last) };
    rows[y][x] = '@';
    let rows: Vec<String> = rows.into_iter().map(|r| r.into_iter().collect()).collect();
    let text = format!("(tilewright: 1, game: \"sbokena\", level: (board: {rows:?}))");
    games::by_id("sbokena").expect("a game").read_native(&text).expect("a level")
}

/// Steps through the solution of a level, over and over.
fn stepping(doc: Box<dyn Doc>) -> (usize, Vec<(Duration, Duration, Duration)>) {
    let mut bench = Bench::new();
    bench.app.workshop().add(doc, tilewright::disk::LevelId::New, Mode::Play);
    bench.settle();
    bench.frame(vec![key(egui::Key::F6, Modifiers::NONE)]);
    bench.settle();
    let steps = bench.app.workshop().session.current().map_or(0, |o| o.doc.line_len());
    let mut frames = Vec::new();
    for i in 0..600 {
        let back = i / steps.max(1) % 2 == 1;
        frames.push(bench.frame(vec![key(if back { egui::Key::Comma } else { egui::Key::Period }, Modifiers::NONE)]));
    }
    (steps, frames)
}

fn steps() {
    for far in [false, true] {
        let (steps, mut frames) = stepping(corridor(far));
        report(&format!("{steps} steps"), &mut frames);
    }
}
