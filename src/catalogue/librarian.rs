//! The job that keeps the catalogue: it alone touches the disk, and it works in small steps, so that a request never waits for long.
//!
//! It looks at the folders, reads what the cache does not know a few files at a time, and puts out a listing now and then while it does. When nothing is
//! left to do it sleeps. Ratings take seconds each and run in a job of their own beside it, one at a time, the level that is looked at first.

use super::{
    Entry, Kind, LevelId, Listing, Operation, Query, Rated, Reader, Stamp, State,
    cache::{self, Read},
    facts,
    operations::Disk,
    query::Everything,
    scan::{self, Found, Shelf},
    undo::{Done, Step, UndoStack},
};
use crate::{
    disk::is_native,
    document::{Digest, Doc, Wake},
    formats,
    game::Meta,
    job::{Job, Limits, Probe, panic_text},
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, Sender, TryRecvError, channel},
    },
    time::{Duration, Instant},
};

/// Where everything is. `None` where the user has no home, and in tests.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The user's levels.
    pub own: Option<PathBuf>,
    /// The bin.
    pub bin: Option<PathBuf>,
    /// Backups and variants of levels, which go where their level goes.
    pub memory: Option<PathBuf>,
    /// What can be computed again.
    pub cache: Option<PathBuf>,
    /// Whether a game's tables may be computed for a rating, as `rate` does.
    pub tables: bool,
}

/// A request to the librarian.
#[derive(Debug)]
pub enum Request {
    /// Another filter or order.
    Query(Query),
    /// A look at the disk.
    Rescan,
    /// These collections are opened.
    Collections(Vec<PathBuf>),
    /// Something done to levels.
    Operation(Operation),
    /// The last operation taken back.
    Undo,
    /// Levels to be rated; replaces the request before.
    Rate(RatingRequest),
    /// A level to be opened.
    Open(LevelId),
    /// A rating is there (`None`: it failed).
    #[doc(hidden)]
    Rated(Digest, Option<Rated>),
    /// Nothing more.
    #[doc(hidden)]
    Stop,
}

/// Which levels are to be rated.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RatingRequest {
    /// This one before all others.
    pub first: Option<LevelId>,
    /// All that are listed on these shelves.
    pub shelves: Vec<Kind>,
    /// All that are listed.
    pub all: bool,
}

/// What the librarian reports.
pub enum Event {
    /// Something was done.
    Done {
        /// In words.
        words: String,
        /// Whether it can be taken back.
        undo: bool,
        /// What is to be selected now.
        select: Vec<LevelId>,
        /// Files that have moved.
        moved: Vec<(PathBuf, PathBuf)>,
        /// Files whose title or tags have changed: what they were and what they are now.
        changed: Vec<(PathBuf, Meta, Meta)>,
    },
    /// Something went wrong.
    FileError(String),
    /// A level that was to be opened.
    Opened(LevelId, Box<dyn Doc>),
}

/// How long a step may take before the librarian listens again.
const STEP: Duration = Duration::from_millis(20);
/// How often a listing is put out while files are read.
const PUBLISH: Duration = Duration::from_millis(120);

/// How often the cache is written, at most.
const CACHE: Duration = Duration::from_secs(10);

/// The window's end of the job.
pub struct Librarian {
    asks: Sender<Request>,
    news: Receiver<Event>,
    listing: Arc<Mutex<Arc<Listing>>>,
    asked: u64,
    /// How many asks had been dealt with when the librarian last went to sleep; ratings still to come count as awake.
    slept_at: Arc<AtomicU64>,
    /// `None` when it has died.
    job: Option<Job<()>>,
}

impl Librarian {
    /// Begins to look around. `wake` is called when there is something new.
    pub fn start(places: Places, collections: Vec<PathBuf>, query: Query, wake: Wake) -> Librarian {
        let (asks, inbox) = channel();
        let (tell, news) = channel();
        let listing = Arc::<Mutex<Arc<Listing>>>::default();
        let slept_at = Arc::new(AtomicU64::new(u64::MAX));
        let worker = Worker {
            disk: Disk { own: places.own.clone(), bin: places.bin.clone(), memory: places.memory.clone() },
            places,
            collections,
            query,
            inbox,
            own_asks: asks.clone(),
            tell,
            wake: wake.clone(),
            out: listing.clone(),
            slept_at: slept_at.clone(),
            heard: 0,
            version: 0,
            shelves: Vec::new(),
            files: FxHashMap::default(),
            made: FxHashMap::default(),
            to_read: VecDeque::new(),
            reader: Arc::default(),
            everything: Everything::default(),
            ratings: Arc::default(),
            wish: RatingRequest::default(),
            wanted: VecDeque::new(),
            rater: None,
            undo_stack: UndoStack::default(),
            scan: true,
            stale: Stale::Everything,
            published: None,
            cache_facts: false,
            cache_ratings: false,
            cached: None,
        };
        let job = Job::spawn(Limits::default(), move || wake(), move |probe| worker.run(probe));
        Librarian { asks, news, listing, asked: 0, slept_at, job: Some(job) }
    }

    /// Asks for something.
    pub fn ask(&mut self, ask: Request) {
        self.asked += 1;
        // If the job has ended, the next look at the news says so.
        let _ = self.asks.send(ask);
    }

    /// The latest listing.
    pub fn listing(&self) -> Arc<Listing> {
        self.listing.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What there is to tell.
    pub fn news(&mut self) -> Vec<Event> {
        let mut news: Vec<_> = self.news.try_iter().collect();
        if let Some(Err(text)) = self.job.as_ref().and_then(Job::poll) {
            self.job = None;
            news.push(Event::FileError(format!("the library has stopped: {text}")));
        }
        news
    }

    /// Ends the job after all that was asked for, and waits for that: before the program ends. A disk that does not answer is not
    /// waited for longer than this.
    pub fn finish(&mut self, longest: Duration) {
        self.ask(Request::Stop);
        let begun = Instant::now();
        while self.job.as_ref().is_some_and(|job| job.poll().is_none()) && begun.elapsed() < longest {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.job = None;
    }

    /// Whether anything is under way.
    pub fn busy(&self) -> bool {
        self.job.is_some() && self.slept_at.load(Ordering::Acquire) != self.asked
    }
}

impl Drop for Librarian {
    fn drop(&mut self) {
        let _ = self.asks.send(Request::Stop);
    }
}

/// What of the listing is no longer right.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stale {
    Nothing,
    Query,
    Everything,
}

/// The rating under way.
struct Rater {
    now: Digest,
    _job: Job<()>,
}

struct Worker {
    places: Places,
    disk: Disk,
    collections: Vec<PathBuf>,
    query: Query,
    inbox: Receiver<Request>,
    own_asks: Sender<Request>,
    tell: Sender<Event>,
    wake: Wake,
    out: Arc<Mutex<Arc<Listing>>>,
    slept_at: Arc<AtomicU64>,
    heard: u64,
    version: u64,
    shelves: Vec<Shelf>,
    files: FxHashMap<PathBuf, (Stamp, Read)>,
    /// Entries made from files, so that they are made once.
    made: FxHashMap<LevelId, (Stamp, bool, Vec<Arc<Entry>>)>,
    to_read: VecDeque<Found>,
    /// Shared with ratings, so that a collection is not read once more for each of its levels.
    reader: Arc<Mutex<Reader>>,
    everything: Everything,
    ratings: Arc<FxHashMap<Digest, Rated>>,
    wish: RatingRequest,
    wanted: VecDeque<(Digest, LevelId)>,
    rater: Option<Rater>,
    undo_stack: UndoStack,
    scan: bool,
    stale: Stale,
    published: Option<Instant>,
    cache_facts: bool,
    cache_ratings: bool,
    cached: Option<Instant>,
}

impl Worker {
    fn run(mut self, probe: &mut Probe) {
        // What one sees first needs no disk: the shipped packs.
        self.shelves = scan::shipped();
        self.read_shipped();
        self.publish();
        if let Some(folder) = self.places.cache.clone() {
            self.files = cache::load_facts(&folder);
            self.ratings = Arc::new(cache::load_ratings(&folder, self.places.tables));
        }
        loop {
            loop {
                match self.inbox.try_recv() {
                    Ok(Request::Stop) | Err(TryRecvError::Disconnected) => return self.leave(),
                    Ok(ask) => self.hear(ask),
                    Err(TryRecvError::Empty) => break,
                }
            }
            if probe.check().is_err() {
                return self.leave();
            }
            if std::mem::take(&mut self.scan) {
                self.look_around();
                self.publish();
            }
            if !self.to_read.is_empty() {
                self.read_some();
            }
            let due = self.published.is_none_or(|p| p.elapsed() >= PUBLISH);
            if self.stale != Stale::Nothing && (due || self.to_read.is_empty()) {
                self.publish();
            }
            if !self.to_read.is_empty() {
                continue;
            }
            self.rate_next();
            if self.rater.is_none() {
                self.keep_cache();
                self.slept_at.store(self.heard, Ordering::Release);
                (self.wake)();
            }
            match self.inbox.recv() {
                Ok(Request::Stop) | Err(_) => return self.leave(),
                Ok(ask) => self.hear(ask),
            }
        }
    }

    fn hear(&mut self, ask: Request) {
        if !matches!(ask, Request::Rated(..)) {
            self.heard += 1;
        }
        match ask {
            Request::Query(query) => {
                if query != self.query {
                    self.query = query;
                    self.stale = self.stale.max(Stale::Query);
                }
            }
            Request::Rescan => self.scan = true,
            Request::Collections(paths) => {
                self.collections = paths;
                self.scan = true;
            }
            Request::Operation(operation) => self.carry_out(operation),
            Request::Undo => self.undo(),
            Request::Rate(wish) => {
                self.wish = wish;
                self.stale = self.stale.max(Stale::Query);
            }
            Request::Open(key) => {
                let read = catch_unwind(AssertUnwindSafe(|| load(&self.reader, &key)))
                    .unwrap_or_else(|p| Err(format!("internal error while reading: {}", panic_text(&*p))));
                self.say(match read {
                    Ok(doc) => Event::Opened(key, doc),
                    Err(text) => Event::FileError(text),
                });
            }
            Request::Rated(level, rated) => {
                if self.rater.as_ref().is_some_and(|r| r.now == level) {
                    self.rater = None;
                }
                // A level whose rating failed is not tried again and again.
                let none = Rated { difficulty: None, at_least: false, par: None, unsolvable: false };
                Arc::make_mut(&mut self.ratings).insert(level, rated.unwrap_or(none));
                self.cache_ratings |= rated.is_some();
                self.stale = self.stale.max(Stale::Query);
            }
            Request::Stop => {}
        }
    }

    fn say(&self, news: Event) {
        let _ = self.tell.send(news);
        (self.wake)();
    }

    // ------------------------------------------------------------------------------------------------------ looking and reading

    fn look_around(&mut self) {
        // The user's own come first.
        let mut shelves = self.places.own.as_ref().map(|own| scan::own(own)).unwrap_or_default();
        shelves.extend(scan::shipped());
        for path in &self.collections {
            shelves.extend(scan::collection(path));
        }
        if let Some(bin) = &self.places.bin {
            shelves.push(scan::bin(bin));
        }
        self.shelves = shelves;
        let known: FxHashSet<&Path> = self.shelves.iter().flat_map(|s| &s.found).filter_map(|f| f.key.path()).collect();
        let before = self.files.len();
        self.files.retain(|path, _| known.contains(path.as_path()));
        self.made.retain(|key, _| key.path().is_none_or(|p| known.contains(p)));
        self.cache_facts |= self.files.len() != before;
        let unread =
            |f: &&Found| f.key.path().is_some_and(|p| self.files.get(p).is_none_or(|(stamp, _)| *stamp != f.stamp));
        self.to_read = self.shelves.iter().flat_map(|s| &s.found).filter(unread).cloned().collect();
        self.stale = Stale::Everything;
    }

    fn read_shipped(&mut self) {
        let mut reader = Reader::default();
        for found in self.shelves.iter().flat_map(|s| &s.found) {
            let state = match reader.load(&found.key) {
                Ok(doc) => State::Read(Arc::new(facts::Facts::of(&*doc, false))),
                Err(text) => State::Bad(text),
            };
            let entry = Arc::new(Entry::new(found.key.clone(), found.stamp, state));
            self.made.insert(found.key.clone(), (found.stamp, true, vec![entry]));
        }
    }

    fn read_some(&mut self) {
        let begun = Instant::now();
        while begun.elapsed() < STEP {
            let Some(Found { key, stamp }) = self.to_read.pop_front() else { break };
            let Some(path) = key.path() else { continue };
            let read = if stamp == Stamp::default() && !path.exists() {
                Err("the pack lists it, but there is no such file".into())
            } else {
                catch_unwind(|| facts::read(path))
                    .unwrap_or_else(|p| Err(format!("internal error while reading: {}", panic_text(&*p))))
            };
            let read = read.map(|levels| levels.into_iter().map(Arc::new).collect());
            self.files.insert(path.into(), (stamp, read));
            self.cache_facts = true;
        }
        self.stale = Stale::Everything;
    }

    /// The entries of a file as far as it is known.
    fn entries(&mut self, found: &Found) -> Vec<Arc<Entry>> {
        let read = found.key.path().and_then(|p| self.files.get(p)).filter(|(stamp, _)| *stamp == found.stamp);
        if let Some((stamp, was_read, entries)) = self.made.get(&found.key)
            && *stamp == found.stamp
            && (*was_read || read.is_none())
        {
            return entries.clone();
        }
        let entry = |key: LevelId, state| Arc::new(Entry::new(key, found.stamp, state));
        let entries = match (read.map(|(_, read)| read), &found.key) {
            (Some(Ok(levels)), LevelId::File(path)) if levels.len() > 1 => {
                let members = levels.iter().enumerate();
                members.map(|(i, f)| entry(LevelId::Member(path.clone(), i), State::Read(f.clone()))).collect()
            }
            (Some(Ok(levels)), key) => levels.iter().map(|f| entry(key.clone(), State::Read(f.clone()))).collect(),
            // Any text may have another program's ending: only our own files are expected to hold levels.
            (Some(Err(_)), LevelId::File(path)) if !is_native(path) => Vec::new(),
            (Some(Err(text)), key) => vec![entry(key.clone(), State::Bad(text.clone()))],
            (None, key) => vec![entry(key.clone(), State::Unread)],
        };
        self.made.insert(found.key.clone(), (found.stamp, read.is_some(), entries.clone()));
        entries
    }

    fn publish(&mut self) {
        if self.stale == Stale::Everything {
            let shelves = std::mem::take(&mut self.shelves);
            let all = shelves.iter().map(|shelf| {
                let entries = shelf.found.iter().flat_map(|f| self.entries(f)).collect();
                (shelf.clone(), entries)
            });
            let all: Vec<_> = all.collect();
            self.shelves = shelves;
            self.everything = Everything::new(all);
        }
        let mut listing = self.everything.listing(&self.query, &self.ratings);
        self.want(&listing);
        self.version += 1;
        listing.version = self.version;
        let files = self.shelves.iter().map(|s| s.found.len()).sum::<usize>();
        listing.reading = (!self.to_read.is_empty()).then(|| (files - self.to_read.len().min(files), files));
        listing.rating = self.wanted.len() + usize::from(self.rater.is_some());
        *self.out.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(listing);
        self.stale = Stale::Nothing;
        self.published = Some(Instant::now());
        (self.wake)();
    }

    fn leave(&mut self) {
        self.cached = None;
        self.keep_cache();
    }

    fn keep_cache(&mut self) {
        let Some(folder) = &self.places.cache else { return };
        // After each change of a single file this would be much ado about little: what is lost is read again.
        if !(self.cache_facts || self.cache_ratings) || self.cached.is_some_and(|c| c.elapsed() < CACHE) {
            return;
        }
        self.cached = Some(Instant::now());
        if std::mem::take(&mut self.cache_facts) {
            cache::save_facts(folder, self.files.iter());
        }
        if std::mem::take(&mut self.cache_ratings) {
            cache::save_ratings(folder, self.places.tables, &self.ratings);
        }
    }

    // -------------------------------------------------------------------------------------------------------------------- operations

    fn carry_out(&mut self, operation: Operation) {
        let order = |folder: &Path| -> Vec<PathBuf> {
            let shelf = self.shelves.iter().find(|s| matches!(&s.kind, Kind::Own(f) if f == folder));
            let mut files: Vec<PathBuf> = Vec::new();
            for path in shelf.into_iter().flat_map(|s| &s.found).filter_map(|f| f.key.path()) {
                files.push(path.into());
            }
            files
        };
        let done = catch_unwind(AssertUnwindSafe(|| self.disk.carry_out(operation, &order)))
            .unwrap_or_else(|p| Err(format!("internal error: {}", panic_text(&*p))));
        match done {
            Ok(out) => {
                self.tell_of(&out.done, out.select, out.undo && !out.done.steps.is_empty(), false);
                self.undo_stack.keep(out.done);
            }
            Err(text) => self.say(Event::FileError(text)),
        }
    }

    fn undo(&mut self) {
        match self.undo_stack.undo() {
            Ok(Some(done)) => {
                let back: Vec<_> = done
                    .steps
                    .iter()
                    .filter_map(|s| match s {
                        Step::Moved { from, .. } => Some(LevelId::File(from.clone())),
                        Step::Wrote { .. } => None,
                    })
                    .collect();
                self.tell_of(&done, back, false, true);
            }
            Ok(None) => self.say(Event::FileError("there is nothing to undo in the library".into())),
            Err(text) => {
                self.scan = true;
                self.say(Event::FileError(text));
            }
        }
    }

    fn tell_of(&mut self, done: &Done, select: Vec<LevelId>, undo: bool, taken_back: bool) {
        // Scanned before the event is sent: event and listing belong together.
        self.look_around();
        let begun = Instant::now();
        while !self.to_read.is_empty() && begun.elapsed() < 5 * STEP {
            self.read_some();
        }
        self.publish();
        let (mut moved, mut changed) = (Vec::new(), Vec::new());
        for (i, step) in done.steps.iter().enumerate() {
            match step {
                Step::Moved { from, to } if taken_back => moved.push((to.clone(), from.clone())),
                Step::Moved { from, to } => moved.push((from.clone(), to.clone())),
                Step::Wrote { path, before, after } => {
                    // It may have been moved afterwards.
                    let later = done.steps[i..].iter().filter(|_| !taken_back);
                    let path = later.fold(path, |path, step| match step {
                        Step::Moved { from, to } if from == path => to,
                        _ => path,
                    });
                    let (old, new) = if taken_back { (after, before) } else { (before, after) };
                    changed.extend(words(old).zip(words(new)).map(|(old, new)| (path.clone(), old, new)));
                }
            }
        }
        let words = if taken_back { format!("undone: {}", done.words) } else { done.words.clone() };
        if !words.is_empty() {
            self.say(Event::Done { words, undo, select, moved, changed });
        }
    }

    // ------------------------------------------------------------------------------------------------------------------ ratings

    /// Which levels of a listing are to be rated, in order.
    fn want(&mut self, listing: &Listing) {
        let wish = &self.wish;
        let mut seen = FxHashSet::default();
        let mut wanted = VecDeque::new();
        if wish.all || !wish.shelves.is_empty() || wish.first.is_some() {
            for section in &listing.sections {
                let shown = wish.all || wish.shelves.contains(&section.kind);
                for entry in section.entries.iter().filter(|e| shown || wish.first.as_ref() == Some(&e.key)) {
                    let Some(level) = entry.facts().map(|f| f.exact) else { continue };
                    let first = wish.first.as_ref() == Some(&entry.key);
                    if self.ratings.contains_key(&level) || !(seen.insert(level) || first) {
                        continue;
                    }
                    if first {
                        wanted.push_front((level, entry.key.clone()));
                    } else {
                        wanted.push_back((level, entry.key.clone()));
                    }
                }
            }
        }
        // Whoever is no longer wanted is stopped; so is one that keeps the level at the cursor waiting.
        let first = wanted.front().filter(|(_, key)| wish.first.as_ref() == Some(key)).map(|(level, _)| *level);
        if let Some(rater) = &self.rater
            && (!seen.contains(&rater.now) || first.is_some_and(|f| f != rater.now))
        {
            self.rater = None;
        }
        let now = self.rater.as_ref().map(|r| r.now);
        wanted.retain(|(level, _)| Some(*level) != now);
        self.wanted = wanted;
    }

    fn rate_next(&mut self) {
        if self.rater.is_some() {
            return;
        }
        let known = |(level, key)| (!self.ratings.contains_key(&level)).then_some((level, key));
        let Some((level, key)) = std::iter::from_fn(|| self.wanted.pop_front()).find_map(known) else { return };
        let (asks, tables, reader) = (self.own_asks.clone(), self.places.tables, self.reader.clone());
        let job = Job::spawn(
            Limits::default(),
            || (),
            move |probe| {
                let rated = catch_unwind(AssertUnwindSafe(|| rate(&reader, &key, tables, probe)));
                // Cancelled: nothing is known.
                if probe.check().is_ok() {
                    let _ = asks.send(Request::Rated(level, rated.ok().flatten()));
                }
            },
        );
        self.rater = Some(Rater { now: level, _job: job });
    }
}

/// The words about the level that a file held.
fn words(file: &Option<Vec<u8>>) -> Option<Meta> {
    let docs = formats::read(file.as_deref()?).ok()?;
    docs.first().map(|d| d.meta().clone())
}

fn load(reader: &Mutex<Reader>, key: &LevelId) -> Result<Box<dyn Doc>, String> {
    reader.lock().unwrap_or_else(PoisonError::into_inner).load(key)
}

/// Rates a level as the command does.
fn rate(reader: &Mutex<Reader>, key: &LevelId, tables: bool, probe: &mut Probe) -> Option<Rated> {
    let doc = load(reader, key).ok()?;
    let game = doc.game();
    if tables && (0..game.goals().len()).any(|goal| doc.gains_from_preparing(goal)) {
        game.prepare(probe).ok()?;
    }
    Rated::of(&*doc, probe)
}
