//! Thumbnails: drawn in the background for what is in sight, a little ahead, and a bounded number of them kept.
//!
//! The window writes what it would like to see, in order, onto a queue that the worker looks at whenever it has finished one: what has been scrolled
//! past meanwhile is simply no longer on it. What comes back is a picture of pixels, by the same code that writes PNGs: a few hundred figures on each of
//! twenty cards would cost more than all the rest of a frame.

use crate::{
    catalogue::{Entry, Reader, Stamp},
    disk::LevelId,
    document::{Board, Wake},
    export::raster,
    job::{Job, Limits},
    picture::Colours,
};
use egui::{ColorImage, TextureHandle, TextureOptions};
use std::{
    collections::{HashMap, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
};

/// How many are kept.
const KEPT: usize = 400;
/// And how many are taken in a frame, at most.
const A_FRAME: usize = 24;

type Name = (LevelId, Stamp);

/// A thumbnail that was made: which, of how many pixels across, for which colours, and the picture if there is one.
type Made = (Name, u32, u64, Option<ColorImage>);

/// One that is kept.
struct Kept {
    texture: Option<TextureHandle>,
    px: u32,
    /// The frame in which it was last in sight.
    seen: u64,
}

#[derive(Default)]
struct Queue {
    wanted: VecDeque<(Name, u32)>,
    colours: Option<Colours>,
    /// Counts up when colours change, so that a picture in old ones is known as such.
    generation: u64,
    working: bool,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    news: Condvar,
}

/// All thumbnails.
#[derive(Default)]
pub(super) struct Thumbs {
    kept: HashMap<Name, Kept>,
    /// Counts frames, to know what was not seen for long.
    now: u64,
    asked: Vec<(Name, u32)>,
    shared: Arc<Shared>,
    done: Option<Receiver<Made>>,
    _job: Option<Job<()>>,
}

impl Thumbs {
    pub fn start(&mut self, wake: &Wake) {
        let (send, done) = channel();
        let (shared, wake) = (self.shared.clone(), wake.clone());
        let ready = wake.clone();
        self.done = Some(done);
        self._job = Some(Job::spawn(Limits::default(), move || wake(), move |_| work(&shared, &send, &ready)));
    }

    /// Whether some are still to come.
    pub fn busy(&self) -> bool {
        let queue = self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.working || !queue.wanted.is_empty()
    }

    /// Begins a frame.
    pub fn begin(&mut self, ctx: &egui::Context, colours: &Colours) {
        self.now += 1;
        self.asked.clear();
        let mut queue = self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.colours.as_ref() != Some(colours) {
            queue.colours = Some(colours.clone());
            queue.generation += 1;
            queue.wanted.clear();
            self.kept.clear();
        }
        let generation = queue.generation;
        drop(queue);
        for (name, px, made_for, image) in self.done.iter().flat_map(Receiver::try_iter).take(A_FRAME) {
            if made_for == generation {
                let texture = image.map(|i| ctx.load_texture("thumbnail", i, TextureOptions::LINEAR));
                self.kept.insert(name, Kept { texture, px, seen: self.now });
            }
        }
        if self.kept.len() > KEPT {
            let mut ages: Vec<_> = self.kept.values().map(|k| k.seen).collect();
            ages.sort_unstable();
            let oldest = ages[ages.len() - KEPT * 3 / 4];
            self.kept.retain(|_, k| k.seen >= oldest);
        }
    }

    /// The thumbnail of a level, or a wish for it. One of another size serves until the right one is there.
    pub fn get(&mut self, entry: &Entry, px: u32) -> Option<&TextureHandle> {
        let name = (entry.key.clone(), entry.stamp);
        let kept = self.kept.get_mut(&name);
        if kept.as_ref().is_none_or(|k| k.px != px) {
            self.asked.push((name, px));
        }
        let kept = kept?;
        kept.seen = self.now;
        kept.texture.as_ref()
    }

    /// Ends a frame: what was asked for is wanted, nothing else.
    pub fn end(&mut self) {
        let mut queue = self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let same = queue.wanted.len() == self.asked.len() && queue.wanted.iter().eq(self.asked.iter());
        if !same {
            queue.wanted = self.asked.drain(..).collect();
            self.shared.news.notify_one();
        }
    }
}

impl Drop for Thumbs {
    fn drop(&mut self) {
        self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.shared.news.notify_one();
    }
}

fn work(shared: &Shared, done: &Sender<Made>, wake: &Wake) {
    let mut reader = Reader::default();
    // The queue names a level until its picture was taken in: it is not drawn twice meanwhile.
    let mut last: VecDeque<(Name, u32, u64)> = VecDeque::new();
    let mut queue = shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if queue.closed {
            return;
        }
        let generation = queue.generation;
        let next = queue.wanted.pop_front();
        let (Some((name, px)), Some(colours)) = (next, queue.colours.clone()) else {
            if queue.working {
                queue.working = false;
                drop(queue);
                wake();
                queue = shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            queue = shared.news.wait(queue).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        let this = (name, px, generation);
        if last.contains(&this) {
            continue;
        }
        queue.working = true;
        drop(queue);
        let image = catch_unwind(AssertUnwindSafe(|| draw(&mut reader, &this.0.0, px, &colours))).ok().flatten();
        last.push_back(this.clone());
        if last.len() > 2 * A_FRAME {
            last.pop_front();
        }
        let (name, px, generation) = this;
        if done.send((name, px, generation, image)).is_err() {
            return;
        }
        wake();
        queue = shared.queue.lock().unwrap_or_else(PoisonError::into_inner);
    }
}

/// Draws a level into a square of so many pixels.
fn draw(reader: &mut Reader, key: &LevelId, px: u32, colours: &Colours) -> Option<ColorImage> {
    let mut doc = reader.load(key).ok()?;
    doc.set_animate(false);
    // As play begins: a draft may show the solution (Shards).
    let board = if doc.play_from_start() { Board::Play } else { Board::Draft };
    let extent = doc.extent(board);
    let side = px as f32;
    let scale = (side / extent.w.max(0.01)).min(side / extent.h.max(0.01));
    let picture = doc.picture(board, colours, scale);
    let mut pixels = tiny_skia::Pixmap::new(px, px)?;
    // In whole pixels, so that lines between cells stay crisp.
    let corner = |from: f32, length: f32| ((side - length * scale) / 2.0 - from * scale).round();
    raster::add(&mut pixels, &picture, scale, (corner(extent.x, extent.w), corner(extent.y, extent.h)));
    Some(ColorImage::from_rgba_premultiplied([px as usize, px as usize], pixels.data()))
}
