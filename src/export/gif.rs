//! A film of a solution: a frame a move, or with the moves on their way in between.
//!
//! A GIF has 256 colours. Boards have a few dozen plain ones and many blends along edges, so the palette takes the most frequent colours as they are
//! and then, one by one, the colours that would be missed most; every other colour goes to its nearest. The palette is the same for the whole film, so
//! nothing flickers, and each frame holds only the rectangle that changed. One frame is in memory at a time.

use super::{Exported, Options, raster, with_line};
use crate::{
    document::{Board, Doc},
    game::NotMade,
    job::Probe,
    picture::Colours,
};
use gif::{DisposalMethod, Encoder, Frame as GifFrame, Repeat};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// No frame has more pixels.
const MOST_PIXELS: u64 = 2 << 20;
/// No film has more frames.
const MOST_FRAMES: usize = 4_000;
/// Nodes for finding a solution where none is known.
const SOLVE_NODES: u64 = 2_000_000;
/// Pixels that a frame has unless a size is asked for.
const USUAL_PIXELS: u64 = 360_000;
/// Frames a second while something moves. GIF counts in hundredths.
const RATE: f32 = 20.0;

/// One picture of the film: the step it goes to, how far it has come, and how long it stays in hundredths of a second.
#[derive(Clone, Copy)]
struct Shot {
    step: usize,
    t: f32,
    stay: u16,
}

fn shots(doc: &dyn Doc, options: &Options) -> Vec<Shot> {
    let pause = (options.pause * 100.0).clamp(2.0, 1_000.0) as u16;
    let mut all = vec![Shot { step: 0, t: 1.0, stay: pause.max(100) }];
    let last = doc.line_len();
    for step in 1..=last {
        let between =
            if options.animate { (doc.frame_seconds(step) * RATE).round().clamp(1.0, 24.0) as usize } else { 0 };
        let way = (1..=between).map(|i| i as f32 / (between + 1) as f32);
        all.extend(way.map(|t| Shot { step, t, stay: (100.0 / RATE) as u16 }));
        all.push(Shot { step, t: 1.0, stay: if step == last { pause.max(200) } else { pause } });
    }
    all
}

struct Palette {
    colours: Vec<[u8; 3]>,
    known: FxHashMap<[u8; 3], u8>,
}

fn distance(a: [u8; 3], b: [u8; 3]) -> u32 {
    // Eyes see green best and blue least.
    let d = |i: usize| i32::from(a[i]) - i32::from(b[i]);
    (2 * d(0) * d(0) + 4 * d(1) * d(1) + d(2) * d(2)) as u32
}

impl Palette {
    /// The palette for colours that occur this often.
    fn new(counts: &FxHashMap<[u8; 3], u32>) -> Palette {
        let mut all: Vec<([u8; 3], u32)> = counts.iter().map(|(c, n)| (*c, *n)).collect();
        // By colour where counts are equal, so that the same film has the same bytes on every machine.
        all.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        let sure = if all.len() <= 256 { all.len() } else { 160 };
        let mut colours: Vec<[u8; 3]> = all[..sure].iter().map(|c| c.0).collect();
        // The rest is bounded too: a thousand blends that occur seldom decide nothing.
        let rest = &all[sure..all.len().min(6_000)];
        let near = |c: [u8; 3], all: &[[u8; 3]]| all.iter().map(|p| distance(c, *p)).min().unwrap_or(u32::MAX);
        let mut missed: Vec<u32> = rest.iter().map(|(c, _)| near(*c, &colours)).collect();
        while colours.len() < 256 {
            let weight = |i: usize| u64::from(missed[i]) * u64::from(rest[i].1.min(4_096));
            let Some(worst) = (0..rest.len()).max_by_key(|i| weight(*i)).filter(|i| weight(*i) > 0) else { break };
            let chosen = rest[worst].0;
            colours.push(chosen);
            for (m, (c, _)) in missed.iter_mut().zip(rest) {
                *m = distance(*c, chosen).min(*m);
            }
        }
        let known = colours.iter().enumerate().map(|(i, c)| (*c, i as u8)).collect();
        Palette { colours, known }
    }

    fn index(&mut self, c: [u8; 3]) -> u8 {
        let colours = &self.colours;
        *self.known.entry(c).or_insert_with(|| {
            let nearest = (0..colours.len()).min_by_key(|i| distance(colours[*i], c));
            nearest.unwrap_or(0) as u8
        })
    }

    fn bytes(&self) -> Vec<u8> {
        self.colours.iter().flatten().copied().collect()
    }
}

struct Film<'a> {
    doc: &'a dyn Doc,
    frame: raster::Frame,
    colours: &'a Colours,
}

impl Film<'_> {
    fn pixels(&self, shot: Shot) -> Result<Vec<[u8; 3]>, NotMade> {
        let cell_px = self.frame.cell_px as f32;
        let mut picture = self.doc.frame(shot.step, shot.t, self.colours, cell_px);
        // At rest it shows what comes next, as stepping does. The first picture is the level as it is.
        if shot.step > 0
            && shot.t >= 1.0
            && let Some(ahead) = self.doc.ahead(Board::Step(shot.step), self.colours, cell_px)
        {
            picture.figures.extend(ahead.figures);
        }
        let pixmap = raster::draw(&picture, &self.frame, self.colours.back).map_err(NotMade::Refused)?;
        // The ground is opaque, so there is nothing to divide by.
        Ok(pixmap.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect())
    }
}

/// The smallest rectangle in which two frames differ: left, top, width, height.
fn changed(before: &[u8], now: &[u8], w: usize) -> Option<[usize; 4]> {
    let (mut left, mut right, mut top, mut bottom) = (usize::MAX, 0, usize::MAX, 0);
    for (y, (a, b)) in before.chunks_exact(w).zip(now.chunks_exact(w)).enumerate() {
        if a == b {
            continue;
        }
        let first = a.iter().zip(b).position(|(p, q)| p != q)?;
        let last = a.iter().zip(b).rposition(|(p, q)| p != q)?;
        (left, right) = (left.min(first), right.max(last));
        (top, bottom) = (top.min(y), y);
    }
    (top != usize::MAX).then(|| [left, top, right - left + 1, bottom - top + 1])
}

pub(super) fn write(doc: &dyn Doc, options: &Options, probe: &mut Probe) -> Result<Exported, NotMade> {
    let failed = |e: &dyn std::fmt::Display| NotMade::Refused(format!("the film cannot be written: {e}"));
    let (doc, _) = with_line(doc, SOLVE_NODES, probe)?;
    let extent = doc.extent(Board::Step(0));
    let cell_px = options.cell_px(extent, 48, USUAL_PIXELS)?;
    let frame = raster::Frame::new(extent, cell_px).map_err(NotMade::Refused)?;
    if u64::from(frame.w) * u64::from(frame.h) > MOST_PIXELS {
        let text = format!("a film of {} x {} pixels is too large: choose smaller cells", frame.w, frame.h);
        return Err(NotMade::Refused(text));
    }
    let mut options = options.clone();
    let mut dropped = Vec::new();
    if options.animate && shots(&*doc, &options).len() > MOST_FRAMES {
        options.animate = false;
        dropped.push(format!("moves on their way: the film would have more than {MOST_FRAMES} frames"));
    }
    let shots = shots(&*doc, &options);
    if shots.len() > MOST_FRAMES {
        let text = format!("this solution has {} moves and a film has at most {}", doc.line_len(), MOST_FRAMES - 1);
        return Err(NotMade::Refused(text));
    }
    let film = Film { doc: &*doc, frame, colours: &options.colours };
    // A first look at some of the frames finds the colours: both ends and frames in between, more than half of them in motion.
    let mut counts: FxHashMap<[u8; 3], u32> = FxHashMap::default();
    let looks = shots.len().min(40);
    let total = (looks + shots.len()) as f32;
    for i in 0..looks {
        probe.check()?;
        probe.progress.fraction = Some(i as f32 / total);
        probe.progress.note = "choosing the colours".into();
        for c in film.pixels(shots[i * (shots.len() - 1) / (looks - 1).max(1)])? {
            *counts.entry(c).or_default() += 1;
        }
    }
    let mut palette = Palette::new(&counts);
    let (w, h) = (frame.w as usize, frame.h as usize);
    let mut bytes = Vec::new();
    // Bounded by LONGEST in raster.rs, well within what a GIF can name.
    let mut encoder =
        Encoder::new(&mut bytes, frame.w as u16, frame.h as u16, &palette.bytes()).map_err(|e| failed(&e))?;
    encoder.set_repeat(Repeat::Infinite).map_err(|e| failed(&e))?;
    let mut before: Vec<u8> = Vec::new();
    for (i, shot) in shots.iter().enumerate() {
        probe.check()?;
        probe.progress.fraction = Some((looks + i) as f32 / total);
        probe.progress.note = format!("frame {} of {}", i + 1, shots.len());
        let now: Vec<u8> = film.pixels(*shot)?.into_iter().map(|c| palette.index(c)).collect();
        // A frame that changes nothing still takes its time.
        let [x, y, fw, fh] =
            if before.is_empty() { [0, 0, w, h] } else { changed(&before, &now, w).unwrap_or([0, 0, 1, 1]) };
        let part: Vec<u8> = now.chunks_exact(w).skip(y).take(fh).flat_map(|row| &row[x..x + fw]).copied().collect();
        let [left, top, width, height] = [x, y, fw, fh].map(|n| n as u16);
        let picture = GifFrame {
            delay: shot.stay,
            dispose: DisposalMethod::Keep,
            left,
            top,
            width,
            height,
            buffer: Cow::Owned(part),
            ..GifFrame::default()
        };
        encoder.write_frame(&picture).map_err(|e| failed(&e))?;
        before = now;
    }
    drop(encoder);
    Ok(Exported { bytes, dropped, ..Exported::default() })
}
