//! How long a frame of the window takes on a 64x64 board while one paints and pans: our own CPU time, without a screen.
//!
//! The bar is 2 ms a frame for our own code, at p95. `frame` is everything egui and we do to lay a frame out, `shapes` is turning it into triangles (egui's
//! part, for comparison). A still window is measured too: it must not ask to be painted again.

use egui::{Context, Event, Modifiers, PointerButton, Pos2, RawInput, Rect, pos2, vec2};
use std::time::{Duration, Instant};
use tilewright::{
    app::{App, Home, workshop::Mode},
    document::Board,
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
    let ctx = Context::default();
    let mut app = App::new(&ctx, Home::default(), None);
    let mut doc = game.blank(large);
    // A busy board: every swatch here and there.
    let spots = doc.spots(Board::Draft);
    let swatches = doc.palette().swatches.len();
    for (i, chunk) in spots.chunks(3).enumerate() {
        let ink = Ink { swatch: (i * 7) % swatches, colour: i % 5, sym: Sym::ALL[i % 8] };
        doc.paint(ink, chunk, &[], "bench");
    }
    app.workshop().add(doc, tilewright::disk::LevelId::New, Mode::Edit);
    let mut bench = Bench { ctx, app, time: 0.0 };
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
    let begin = Instant::now();
    while bench.app.workshop().session.open.iter().any(|o| o.doc.busy()) && begin.elapsed() < Duration::from_secs(30) {
        bench.frame(Vec::new());
        std::thread::sleep(Duration::from_millis(5));
    }
    bench.app.workshop().message = None;
    for _ in 0..30 {
        bench.frame(Vec::new());
    }
    let mut frames: Vec<_> = (0..60).map(|_| bench.frame(Vec::new())).collect();
    report("still", &mut frames);
    let rest = frames.iter().all(|f| f.2 > Duration::from_secs(1));
    println!("at rest: {}", if rest { "asks for no further frame" } else { "STILL ASKS FOR FRAMES" });
}
