//! Thumbnails: drawn in the background for what is in sight, a little ahead, and a bounded number of them kept.
//!
//! The window writes what it would like to see, in order, onto a slate that the worker looks at whenever it has finished one: what has been scrolled
//! past meanwhile is simply no longer on it.

use crate::{
    catalogue::{Entry, Key, Reader, Stamp},
    document::{Board, Wake},
    job::{Job, Limits},
    picture::{Area, Colours, Picture},
};
use std::{
    collections::{HashMap, VecDeque},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        mpsc::{Receiver, Sender, channel},
    },
};

/// How many are kept.
const KEPT: usize = 600;
/// Points a cell: games draw less where it would not be seen.
const CELL: f32 = 6.0;

type Name = (Key, Stamp);

/// A board to be shown small.
pub(super) struct Thumb {
    pub picture: Picture,
    pub extent: Area,
}

#[derive(Default)]
struct Slate {
    wanted: VecDeque<Name>,
    colours: Option<Colours>,
    /// Counts up when colours change, so that a picture in old ones is known as such.
    generation: u64,
    working: bool,
    closed: bool,
}

#[derive(Default)]
struct Shared {
    slate: Mutex<Slate>,
    news: Condvar,
}

/// All thumbnails.
#[derive(Default)]
pub(super) struct Thumbs {
    kept: HashMap<Name, (Option<Thumb>, u64)>,
    /// Counts frames, to know what was not seen for long.
    now: u64,
    asked: Vec<Name>,
    shared: Arc<Shared>,
    done: Option<Receiver<(Name, u64, Option<Thumb>)>>,
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
        let slate = self.shared.slate.lock().unwrap_or_else(PoisonError::into_inner);
        slate.working || !slate.wanted.is_empty()
    }

    /// Begins a frame.
    pub fn begin(&mut self, colours: &Colours) {
        self.now += 1;
        self.asked.clear();
        let mut slate = self.shared.slate.lock().unwrap_or_else(PoisonError::into_inner);
        if slate.colours.as_ref() != Some(colours) {
            slate.colours = Some(colours.clone());
            slate.generation += 1;
            slate.wanted.clear();
            self.kept.clear();
        }
        let generation = slate.generation;
        drop(slate);
        for (name, made_for, thumb) in self.done.iter().flat_map(Receiver::try_iter) {
            if made_for == generation {
                self.kept.insert(name, (thumb, self.now));
            }
        }
        if self.kept.len() > KEPT {
            let mut ages: Vec<_> = self.kept.values().map(|(_, seen)| *seen).collect();
            ages.sort_unstable();
            let oldest = ages[ages.len() - KEPT * 3 / 4];
            self.kept.retain(|_, (_, seen)| *seen >= oldest);
        }
    }

    /// The thumbnail of a level, or a wish for it.
    pub fn get(&mut self, entry: &Entry) -> Option<&Thumb> {
        let name = (entry.key.clone(), entry.stamp);
        match self.kept.get_mut(&name) {
            Some((thumb, seen)) => {
                *seen = self.now;
                thumb.as_ref()
            }
            None => {
                self.asked.push(name);
                None
            }
        }
    }

    /// Ends a frame: what was asked for is wanted, nothing else.
    pub fn end(&mut self) {
        let mut slate = self.shared.slate.lock().unwrap_or_else(PoisonError::into_inner);
        let same = slate.wanted.len() == self.asked.len() && slate.wanted.iter().eq(self.asked.iter());
        if !same {
            slate.wanted = self.asked.drain(..).collect();
            self.shared.news.notify_one();
        }
    }
}

impl Drop for Thumbs {
    fn drop(&mut self) {
        self.shared.slate.lock().unwrap_or_else(PoisonError::into_inner).closed = true;
        self.shared.news.notify_one();
    }
}

fn work(shared: &Shared, done: &Sender<(Name, u64, Option<Thumb>)>, wake: &Wake) {
    let mut reader = Reader::default();
    // The slate names a level until its picture was taken in: it is not drawn twice meanwhile.
    let mut last: VecDeque<(Name, u64)> = VecDeque::new();
    let mut slate = shared.slate.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        if slate.closed {
            return;
        }
        let generation = slate.generation;
        let next = slate.wanted.pop_front();
        let (Some(name), Some(colours)) = (next, slate.colours.clone()) else {
            if slate.working {
                slate.working = false;
                drop(slate);
                wake();
                slate = shared.slate.lock().unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            slate = shared.news.wait(slate).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        if last.iter().any(|(n, g)| *n == name && *g == generation) {
            continue;
        }
        slate.working = true;
        drop(slate);
        let thumb = catch_unwind(AssertUnwindSafe(|| draw(&mut reader, &name.0, &colours))).ok().flatten();
        last.push_back((name.clone(), generation));
        if last.len() > 8 {
            last.pop_front();
        }
        if done.send((name, generation, thumb)).is_err() {
            return;
        }
        wake();
        slate = shared.slate.lock().unwrap_or_else(PoisonError::into_inner);
    }
}

fn draw(reader: &mut Reader, key: &Key, colours: &Colours) -> Option<Thumb> {
    let mut doc = reader.load(key).ok()?;
    doc.set_animate(false);
    // As play begins: a draft may show the solution (Shards).
    let board = if doc.play_from_start() { Board::Play } else { Board::Draft };
    Some(Thumb { picture: doc.picture(board, colours, CELL), extent: doc.extent(board) })
}
