//! The film and the pictures of the README, made from the window and the exporters themselves: `cargo test --test window film -- --ignored` makes them again. Look at
//! them before they are kept.

use super::{CTRL, stage::Stage};
use egui::{Event, Key, Pos2};
use image::RgbaImage;
use std::path::PathBuf;
use tilewright::{
    app::workshop::Mode,
    export::{self, Options},
    formats, games,
};

/// Hundredths of a second that a picture on the way stays.
const STEP: u16 = 6;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/readme")
}

/// Pictures with how long each stays, in hundredths of a second.
struct Film {
    stage: Stage,
    shots: Vec<(RgbaImage, u16)>,
    at: Pos2,
}

impl Film {
    fn shoot(&mut self, stay: u16) {
        let picture = self.stage.drawn();
        match self.shots.last_mut() {
            Some((last, before)) if *last == picture => *before += stay,
            _ => self.shots.push((picture, stay)),
        }
    }

    /// The pointer goes somewhere, and not in a leap.
    fn go(&mut self, to: Pos2) {
        let from = self.at;
        for i in 1..=6 {
            self.at = from + (to - from) * (i as f32 / 6.0);
            self.stage.harness.event(Event::PointerMoved(self.at));
            self.stage.frames(1);
            self.shoot(STEP);
        }
    }

    fn paint(&mut self, x: i16, y: i16, verdict: &str) {
        let to = self.stage.cell(x, y);
        self.go(to);
        self.stage.click_at(to);
        self.shoot(STEP);
        self.stage.settle();
        assert!(self.stage.sees(verdict), "{verdict} after {x}, {y}");
        self.shoot(200);
    }

    /// Each frame holds only what has changed.
    fn write(&self, path: &PathBuf) {
        let (w, h) = self.shots[0].0.dimensions();
        let mut bytes = Vec::new();
        let mut encoder = gif::Encoder::new(&mut bytes, w as u16, h as u16, &[]).expect("an encoder");
        encoder.set_repeat(gif::Repeat::Infinite).expect("it repeats");
        let mut before: Option<&RgbaImage> = None;
        for (picture, stay) in &self.shots {
            let changed = |x: &u32, y: &u32| before.is_none_or(|b| b.get_pixel(*x, *y) != picture.get_pixel(*x, *y));
            let columns: Vec<_> = (0..w).filter(|x| (0..h).any(|y| changed(x, &y))).collect();
            let rows: Vec<_> = (0..h).filter(|y| (0..w).any(|x| changed(&x, y))).collect();
            let (left, top) = (columns[0], rows[0]);
            let (wide, high) = (columns[columns.len() - 1] - left + 1, rows[rows.len() - 1] - top + 1);
            let mut part = image::imageops::crop_imm(picture, left, top, wide, high).to_image().into_raw();
            let mut frame = gif::Frame::from_rgba_speed(wide as u16, high as u16, &mut part, 10);
            (frame.left, frame.top, frame.delay) = (left as u16, top as u16, *stay);
            frame.dispose = gif::DisposalMethod::Keep;
            encoder.write_frame(&frame).expect("a frame");
            before = Some(picture);
        }
        drop(encoder);
        assert!(bytes.len() < 1_500_000, "the film has {} bytes", bytes.len());
        std::fs::write(path, bytes).expect("a file");
    }
}

#[test]
#[ignore = "writes the README's film"]
fn film_of_a_stroke_that_changes_the_verdict() {
    let mut stage = Stage::sized(1000.0, 620.0);
    stage.open("sbokena", 3);
    stage.key(Key::F5);
    stage.settle();
    assert!(stage.workshop().session.mode == Mode::Edit);
    stage.workshop().message = None;
    let at = egui::pos2(560.0, 430.0);
    let mut film = Film { stage, shots: Vec::new(), at };
    film.stage.harness.event(Event::PointerMoved(at));
    film.stage.frames(2);
    assert!(film.stage.sees("7 pushes (fewest"));
    film.shoot(150);
    let wall = film.stage.place("Wall");
    film.go(wall);
    film.stage.click("Wall");
    film.shoot(40);
    film.paint(7, 4, "9 pushes (fewest");
    film.paint(6, 3, "unsolvable");
    film.stage.chord(CTRL, Key::Z);
    film.stage.settle();
    film.stage.workshop().message = None;
    film.stage.frames(2);
    assert!(film.stage.sees("9 pushes (fewest"));
    film.shoot(200);
    std::fs::create_dir_all(folder()).expect("a folder");
    film.write(&folder().join("film.gif"));
}

#[test]
#[ignore = "writes the README's pictures"]
fn film_has_a_picture_of_each_game_beside_it() {
    std::fs::create_dir_all(folder()).expect("a folder");
    for game in games::offered() {
        let info = game.info();
        let text = info.levels[info.levels.len() - 3];
        let doc = formats::read(text.as_bytes()).expect("a shipped level").remove(0);
        let cell = if info.id == "shards" { 24 } else { 32 };
        let (width, height, pixels) =
            export::png::pixels(&*doc, &Options { cell: Some(cell), ..Options::default() }).expect("a picture");
        let picture = RgbaImage::from_raw(width, height, pixels).expect("as many as it says");
        picture.save(folder().join(format!("{}.png", info.id))).expect("a file");
    }
}
