//! How fast a library of ten thousand levels opens and scrolls: our own CPU time, without a screen.
//!
//! The bars: listed in under a second, and no frame over 16 ms while scrolling (4 ms is the bar for the whole window at rest). A first start has nothing in its cache
//! and reads every file in the background; a second one knows them all.

use egui::{Context, Event, Modifiers, MouseWheelUnit, Pos2, RawInput, Rect, pos2, vec2};
use std::{
    path::Path,
    time::{Duration, Instant},
};
use tilewright::{
    app::{App, Home},
    document::Board,
    formats,
    game::{Ink, Meta, rng},
    games,
};

const LEVELS: usize = 10_000;

struct Bench {
    ctx: Context,
    app: App,
    time: f64,
}

impl Bench {
    fn frame(&mut self, events: Vec<Event>) -> Duration {
        self.time += 1.0 / 60.0;
        let screen = Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 800.0));
        let input = RawInput { screen_rect: Some(screen), time: Some(self.time), events, ..RawInput::default() };
        let begin = Instant::now();
        let output = self.ctx.run_ui(input, |ui| self.app.show(ui));
        std::hint::black_box(self.ctx.tessellate(output.shapes, output.pixels_per_point));
        begin.elapsed()
    }
}

/// Levels that are all a little different: shipped ones with a few strokes painted over them.
fn write_levels(folder: &Path) {
    use rand::RngExt as _;
    let mut rng = rng(7);
    let texts: Vec<&str> = games::offered().iter().flat_map(|g| g.info().levels).copied().collect();
    for i in 0..LEVELS {
        let mut doc = formats::read(texts[i % texts.len()].as_bytes()).expect("a shipped level").remove(0);
        let spots = doc.spots(Board::Draft);
        let swatches = doc.palette().swatches.len();
        for _ in 0..3 {
            let ink = Ink { swatch: rng.random_range(0..swatches), ..Ink::default() };
            doc.paint(ink, &[spots[rng.random_range(0..spots.len())]], &[], "bench");
        }
        let tags = vec![format!("tag {}", i % 17)];
        doc.set_meta(Meta { title: format!("Level {i}"), tags, ..Meta::default() });
        let pack = folder.join(format!("pack-{:02}", i % 10));
        std::fs::create_dir_all(&pack).expect("a folder");
        std::fs::write(pack.join(format!("level-{i:05}.ron")), doc.native()).expect("a file");
    }
}

fn ms(d: Duration) -> f64 {
    d.as_secs_f64() * 1e3
}

fn report(name: &str, mut frames: Vec<Duration>) {
    frames.sort();
    let at = |q: usize| ms(frames[(frames.len() - 1) * q / 100]);
    println!(
        "{name:34} {:5} frames   p50 {:6.2} ms   p95 {:6.2} ms   max {:6.2} ms",
        frames.len(),
        at(50),
        at(95),
        at(100)
    );
}

fn start(home: &Path, name: &str) -> Bench {
    let begin = Instant::now();
    let ctx = Context::default();
    let app = App::new(&ctx, Home::below(home), None);
    let mut bench = Bench { ctx, app, time: 0.0 };
    bench.frame(Vec::new());
    println!("{name}: first frame after {:.1} ms", ms(begin.elapsed()));
    let mut frames = Vec::new();
    while bench.app.workshop().library.listing().all < LEVELS {
        frames.push(bench.frame(Vec::new()));
        std::thread::sleep(Duration::from_millis(2));
    }
    println!("{name}: all {LEVELS} listed after {:.1} ms", ms(begin.elapsed()));
    while bench.app.workshop().library.listing().reading.is_some() {
        frames.push(bench.frame(Vec::new()));
        std::thread::sleep(Duration::from_millis(8));
    }
    println!("{name}: all read after {:.1} ms", ms(begin.elapsed()));
    report(&format!("{name}: frames meanwhile"), frames);
    bench
}

fn scroll(bench: &mut Bench, name: &str, step: f32) {
    let at = pos2(130.0, 500.0);
    let wheel = |y: f32| Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, y),
        phase: egui::TouchPhase::Move,
        modifiers: Modifiers::NONE,
        source: egui::MouseWheelSource::Wheel,
    };
    bench.frame(vec![Event::PointerMoved(at)]);
    let mut frames = Vec::new();
    for _ in 0..400 {
        frames.push(bench.frame(vec![wheel(-step)]));
        std::thread::sleep(Duration::from_millis(3));
    }
    report(name, frames);
}

fn main() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let begin = Instant::now();
    write_levels(&home.path().join("levels"));
    println!("{LEVELS} levels written in {:.1} s; 1280x800", begin.elapsed().as_secs_f64());
    let bench = start(home.path(), "first start");
    let begin = Instant::now();
    // The cache is written when the librarian comes to rest.
    let mut bench = bench;
    while bench.app.workshop().library.busy() && begin.elapsed() < Duration::from_secs(60) {
        bench.frame(Vec::new());
        std::thread::sleep(Duration::from_millis(8));
    }
    drop(bench);
    let mut bench = start(home.path(), "second start");
    scroll(&mut bench, "scrolling slowly", 30.0);
    scroll(&mut bench, "scrolling fast", 600.0);
    let mut frames = Vec::new();
    for c in ["l", "e", "v", "e", "l", " ", "9"] {
        bench.app.workshop().library.query.text.push_str(c);
        frames.extend((0..12).map(|_| {
            std::thread::sleep(Duration::from_millis(4));
            bench.frame(Vec::new())
        }));
    }
    report("typing into the search", frames);
    let found: usize = bench.app.workshop().library.listing().sections.iter().map(|s| s.entries.len()).sum();
    println!("{found} found");
}
