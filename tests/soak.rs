//! A soak: the real program in real windows, used with real keys and a real pointer for as long as one likes.
//!
//! Two copies share one home. The *steady* one is used at random, with the actions of `window/random.rs`, and lives on: once a minute it closes all levels, and then
//! its memory and its threads must be what they were after the warm-up. The other one is a *victim*: it opens a level, saves it or wins it, and is killed: as soon as
//! that is acknowledged, in the middle of it, or after some random input. What was acknowledged (the title lost its mark of unsaved changes; the records on disk
//! hold the win) must be there afterwards and at the end. Meanwhile folders of the home vanish, and its disk fills up: the home is a small file system of its own
//! where that can be mounted.
//!
//! The long run, half an hour: `cargo test --release --test soak -- --ignored --nocapture`. `SOAK_SECONDS` and `SOAK_SEED` change it.
#![cfg(all(feature = "gui", target_os = "linux"))]

mod screen;

use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng, seq::IndexedRandom as _};
use screen::{Screen, Window, missing, within};
use std::{
    fs::{self, File},
    io::Write as _,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};
use tilewright::{
    app::{
        keys::{self, Action},
        settings::Settings,
    },
    disk::{
        self,
        versioned::{Stored, read_stored},
    },
    document::{Digest, Doc},
    formats, games,
    memory::{self, Records, recovery},
};

fn moment(random: &mut ChaCha8Rng, most_ms: u64) {
    std::thread::sleep(Duration::from_millis(random.random_range(0..most_ms)));
}

fn read(file: &Path) -> Box<dyn Doc> {
    let bytes = fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    formats::read(&bytes).unwrap_or_else(|f| panic!("{} is damaged: {f}", file.display())).remove(0)
}

// ------------------------------------------------------------------------------------------------------------ random input

/// The name of a key for xdotool.
fn keysym(shortcut: &egui::KeyboardShortcut) -> String {
    use egui::Key;
    let key = match shortcut.logical_key {
        Key::ArrowUp => "Up".into(),
        Key::ArrowDown => "Down".into(),
        Key::ArrowLeft => "Left".into(),
        Key::ArrowRight => "Right".into(),
        Key::Enter => "Return".into(),
        Key::Backspace => "BackSpace".into(),
        Key::PageUp => "Prior".into(),
        Key::PageDown => "Next".into(),
        Key::Equals => "equal".into(),
        Key::Questionmark => "question".into(),
        Key::Escape | Key::Delete | Key::Home | Key::End | Key::Menu => shortcut.logical_key.name().to_string(),
        key if key.name().starts_with('F') && key.name().len() > 1 => key.name().to_string(),
        key => key.name().to_lowercase(),
    };
    let held = shortcut.modifiers;
    let held = [(held.ctrl || held.command, "ctrl+"), (held.shift, "shift+"), (held.alt, "alt+")];
    held.iter().filter(|(down, _)| *down).map(|(_, name)| *name).collect::<String>() + &key
}

/// What is done at random: xdotool's commands.
struct Hand {
    keys: Vec<String>,
    levels: Vec<String>,
}

impl Hand {
    fn new() -> Hand {
        // Leaving is what the tests do.
        let keys = keys::table().iter().filter(|l| l.act != Action::Quit).flat_map(|l| &l.keys).map(keysym);
        let shipped = games::offered().iter().flat_map(|g| g.info().levels.iter().take(6));
        let title = |text: &&str| formats::read(text.as_bytes()).map(|d| d[0].meta().title.clone()).ok();
        Hand { keys: keys.collect(), levels: shipped.filter_map(title).collect() }
    }

    fn act(&self, window: &Window, random: &mut ChaCha8Rng) {
        const BOARD: [&str; 9] = ["Up", "Right", "Down", "Left", "space", "Return", "Next", "2", "d"];
        let anywhere = |r: &mut ChaCha8Rng| (r.random_range(0..1280), r.random_range(0..800));
        let board = |r: &mut ChaCha8Rng| (r.random_range(290..950), r.random_range(90..640));
        let to = |(x, y): (u32, u32)| format!("mousemove {x} {y}");
        let any = |of: &[String], r: &mut ChaCha8Rng| of.choose(r).cloned().unwrap_or_default();
        let line = match random.random_range(0..100) {
            0..25 => {
                let between =
                    if random.random_bool(0.2) { format!("key {}", any(&self.keys, random)) } else { String::new() };
                format!(
                    "{} mousedown 1 {} {between} {} mouseup 1",
                    to(board(random)),
                    to(board(random)),
                    to(board(random))
                )
            }
            25..30 => to(board(random)),
            30..50 => format!("{} click 1", to(anywhere(random))),
            50..52 => format!("{} click 3", to(board(random))),
            52..55 => format!("{} click {}", to(anywhere(random)), random.random_range(4..=5)),
            55..75 => format!("key {}", any(&self.keys, random)),
            75..85 => format!("key {}", BOARD.choose(random).expect("some")),
            85..90 => "key Escape".into(),
            90..92 => "type a".into(),
            92..94 => "key ctrl+c key ctrl+v".into(),
            94..96 => "key ctrl+s key Return".into(),
            _ => return self.open_level(window, random),
        };
        window.send(&line.split_whitespace().collect::<Vec<_>>());
    }

    /// Opens a shipped level by its name.
    fn open_level(&self, window: &Window, random: &mut ChaCha8Rng) {
        window.send(&["key", "Escape", "key", "Escape", "key", "ctrl+k"]);
        moment(random, 400);
        window.send(&["type", self.levels.choose(random).map_or("a", String::as_str)]);
        moment(random, 400);
        window.send(&["key", "Return"]);
    }
}

// --------------------------------------------------------------------------------------------------------- the steady copy

/// Resident memory in MB, and threads.
fn size_of(process: u32) -> (u64, u64) {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let number = |name: &str| {
        let line = status.lines().find(|l| l.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    (number("VmRSS").unwrap_or(0) >> 10, number("Threads").unwrap_or(0))
}

/// Closes all levels and lets all work end.
fn rest(window: &mut Window) {
    for _ in 0..60 {
        window.check();
        window.send(&["mouseup", "1", "key", "Escape", "key", "Escape", "key", "Escape", "key", "ctrl+shift+w"]);
        std::thread::sleep(Duration::from_millis(300));
        if window.title() == "Tilewright" {
            std::thread::sleep(Duration::from_secs(2));
            return;
        }
        // The button beside the default one discards the changes.
        window.send(&["key", "Tab", "key", "space"]);
        std::thread::sleep(Duration::from_millis(200));
    }
    panic!("the levels could not be closed: {}", window.title());
}

/// Uses a window until the time is over. Memory and threads at each rest, for every process that there was: somebody may have found Quit in the menu.
fn use_steadily(place: &Place, clock: &Clock, every: Duration, seed: u64) -> Vec<Vec<(u64, u64)>> {
    let (mut random, hand) = (ChaCha8Rng::seed_from_u64(seed), Hand::new());
    let screen = Screen::start(&place.apart.join("steady-display"));
    let mut all = Vec::new();
    let mut actions = 0;
    while clock.runs() {
        let mut window = Window::open(&screen, &place.home, None, &place.apart.join("steady-said"));
        let (mut sizes, mut rested) = (Vec::new(), Instant::now());
        while clock.runs() {
            if window.program.0.try_wait().ok().flatten().is_some_and(|s| s.success()) {
                println!("the steady window was left at random and is opened again");
                break;
            }
            window.check();
            hand.act(&window, &mut random);
            moment(&mut random, 150);
            actions += 1;
            if rested.elapsed() >= every {
                rest(&mut window);
                let (memory, threads) = size_of(window.program.0.id());
                println!("{actions} actions; at rest {memory} MB, {threads} threads");
                sizes.push((memory, threads));
                rested = Instant::now();
                hand.open_level(&window, &mut random);
            }
        }
        all.push(sizes);
    }
    all
}

/// Memory and threads have not grown since the warm-up, the first third.
fn is_flat(sizes: &[(u64, u64)]) {
    let warm = &sizes[..sizes.len().div_ceil(3)];
    let late = &sizes[sizes.len() - warm.len()..];
    let most = |of: &[(u64, u64)]| of.iter().fold((0, 0), |a, b| (a.0.max(b.0), a.1.max(b.1)));
    let least = |of: &[(u64, u64)]| of.iter().fold((u64::MAX, u64::MAX), |a, b| (a.0.min(b.0), a.1.min(b.1)));
    let (before, after) = (most(warm), least(late));
    println!("warm: at most {} MB, {} threads; late: at least {} MB, {} threads", before.0, before.1, after.0, after.1);
    // The allocator keeps what threads had, so that memory comes and goes by tens of megabytes.
    assert!(after.0 <= before.0 + 64, "memory grew");
    assert!(after.1 <= before.1, "threads were left behind");
}

// ---------------------------------------------------------------------------------------------------------------- the victim

/// Where everything is.
struct Place {
    home: PathBuf,
    /// What is not on the disk that fills up.
    apart: PathBuf,
    /// Whether the disk can be filled.
    can_fill: bool,
}

/// How long it all goes on: until the time is over, or one of the two has failed.
struct Clock {
    until: Instant,
    failed: AtomicBool,
}

impl Clock {
    fn runs(&self) -> bool {
        Instant::now() < self.until && !self.failed.load(Ordering::Relaxed)
    }

    /// Does something that may fail; then the other need not go on.
    fn watch<T>(&self, work: impl FnOnce() -> T) -> T {
        catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
            self.failed.store(true, Ordering::Relaxed);
            resume_unwind(panic)
        })
    }
}

/// What was acknowledged.
#[derive(Default)]
struct Known {
    files: Vec<(PathBuf, String)>,
    wins: Vec<Digest>,
    rounds: [u32; 4],
}

/// The level of a round, one of 240 sizes, with one lamp in its corner, or with the next cell painted too.
fn level(round: usize, painted: bool) -> String {
    let (w, h) = (2 + round % 15, 1 + round / 15 % 16);
    let lit = |x: usize, y: usize| y == 0 && x <= usize::from(painted);
    let row = |y: usize| (0..w).map(|x| if lit(x, y) { '*' } else { '.' }).collect::<String>();
    let rows: Vec<_> = (0..h).map(|y| format!("\"{}\"", row(y))).collect();
    format!("(tilewright: 1, game: \"null\", title: \"Round {round}\", level: (board: [{}]))", rows.join(", "))
}

/// The same, as it is compared.
fn bare(round: usize, painted: bool) -> String {
    formats::read(level(round, painted).as_bytes()).expect("a level")[0].bare()
}

struct Victim<'a> {
    place: &'a Place,
    screen: Screen,
    hand: Hand,
    random: ChaCha8Rng,
    round: usize,
    known: Known,
}

impl Victim<'_> {
    /// Opens the level of this round.
    fn open(&mut self) -> (Window, PathBuf) {
        self.round += 1;
        let file = self.place.home.join("files").join(format!("{}.ron", self.round));
        fs::create_dir_all(self.place.home.join("files")).expect("a folder");
        fs::write(&file, level(self.round, false)).expect("room for a level");
        let window = Window::open(&self.screen, &self.place.home, Some(&file), &self.place.apart.join("victim-said"));
        window.wait_for_title(&format!("Round {} - ", self.round));
        (window, file)
    }

    /// Presses keys until something is so. A dialog about recovered levels may come in between.
    fn until(home: &Path, window: &mut Window, keys: &[&str], mut done: impl FnMut(&Window) -> bool) {
        for _ in 0..10 {
            window.check();
            keys.iter().for_each(|k| window.key(k));
            if within(Duration::from_secs(2), || done(window).then_some(())).is_some() {
                return;
            }
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        window.picture(&folder.join("soak.png"));
        let _ = fs::copy(home.join("settings.ron"), folder.join("soak-settings.ron"));
        panic!("{keys:?} had no effect: {}; see soak.png in {}", window.title(), folder.display());
    }

    /// Paints a lamp into the cell after the first.
    fn paint(&self, window: &mut Window) {
        let keys = ["Escape", "alt+3", "2", "Left", "Right", "space"];
        Self::until(&self.place.home, window, &keys, |w| w.title().starts_with("* "));
    }

    /// Paints and saves; killed then, or in the middle, or after some random input.
    fn save(&mut self) {
        let (mut window, file) = self.open();
        self.paint(&mut window);
        let end = self.random.random_range(0..3);
        if end == 0 {
            window.send(&["key", "ctrl+s"]);
            moment(&mut self.random, 120);
            drop(window);
            let now = read(&file).bare();
            assert!(
                [false, true].map(|painted| bare(self.round, painted)).contains(&now),
                "the one or the other: {now}"
            );
            self.known.rounds[0] += 1;
            return;
        }
        window.send(&["key", "ctrl+s"]);
        window.wait_for_title("Round ");
        let saved = read(&file).bare();
        assert_eq!(saved, bare(self.round, true), "the title says it is saved");
        self.known.rounds[1] += 1;
        if end == 1 {
            drop(window);
            self.known.files.push((file, saved));
            return;
        }
        for _ in 0..self.random.random_range(1..20) {
            self.hand.act(&window, &mut self.random);
            moment(&mut self.random, 100);
        }
        window.check_unless_left();
        drop(window);
        if file.exists() {
            read(&file);
        }
    }

    /// Wins a level, and is killed as soon as that is on disk.
    fn win(&mut self) {
        let (mut window, file) = self.open();
        let digest = read(&file).identity().exact;
        let keys = ["Escape", "alt+2", "Left", "Left", "space"];
        let records = self.place.home.join("data/records.ron");
        Self::until(&self.place.home, &mut window, &keys, |_| {
            wins(&records).is_some_and(|r| r.level("null", digest).is_some())
        });
        drop(window);
        self.known.wins.push(digest);
        self.known.rounds[2] += 1;
    }

    /// Saves on a full disk, which must not be said to have worked, and then on one with room.
    fn save_on_a_full_disk(&mut self) {
        let (mut window, file) = self.open();
        self.paint(&mut window);
        let ballast = fill(&self.place.home);
        window.key("ctrl+s");
        let saved = within(Duration::from_secs(2), || window.title().starts_with("Round ").then_some(())).is_some();
        // The other copy may have made room.
        assert_eq!(read(&file).bare(), bare(self.round, saved), "what the title says is what the file holds");
        fs::remove_file(ballast).expect("the ballast");
        if !saved {
            Self::until(&self.place.home, &mut window, &["ctrl+s"], |w| w.title().starts_with("Round "));
        }
        window.check();
        drop(window);
        assert_eq!(read(&file).bare(), bare(self.round, true), "saved once there was room");
        self.known.files.push((file, bare(self.round, true)));
        self.known.rounds[3] += 1;
    }

    /// Everything that was acknowledged is there, and everything can be read.
    fn check(&self) {
        let home = &self.place.home;
        for (file, saved) in &self.known.files {
            assert_eq!(read(file).bare(), *saved, "{} was saved", file.display());
        }
        let records = wins(&home.join("data/records.ron")).unwrap_or_default();
        for digest in &self.known.wins {
            assert!(records.level("null", *digest).is_some(), "a win was lost");
        }
        assert_eq!(recovery::left_behind(&home.join("data/recovery")).errors, []);
        assert_eq!(Settings::load(Some(&home.join("config/settings.ron"))).message, None);
        for folder in ["data", "config"] {
            let names = disk::file_names(&home.join(folder)).unwrap_or_default();
            assert!(!names.iter().any(|n| n.contains("damaged")), "{names:?}");
        }
    }

    /// Takes away a folder that programs expect to be there.
    fn vanish(&mut self) {
        let all = ["cache", "config", "data/recovery", "data/backups", "data/variants", "data/levels"];
        let _ = fs::remove_dir_all(self.place.home.join(all.choose(&mut self.random).expect("some")));
    }
}

impl Window {
    /// Random input may have left the program, which is no fault.
    fn check_unless_left(&mut self) {
        if !self.program.0.try_wait().ok().flatten().is_some_and(|s| s.success()) {
            self.check();
        }
    }
}

/// The records on disk; a damaged file is a fault.
fn wins(file: &Path) -> Option<Records> {
    match read_stored::<Records>(file, memory::records::VERSION) {
        Stored::Good(records) => Some(records),
        Stored::Absent => None,
        other => panic!("the records are damaged: {other:?}"),
    }
}

/// Takes all the room there is; the file that has it.
fn fill(folder: &Path) -> PathBuf {
    let path = folder.join("ballast");
    let mut file = File::create(&path).expect("a file");
    for block in [1 << 16, 1 << 8, 1] {
        let bytes = vec![0; block];
        while file.write_all(&bytes).is_ok() {}
    }
    path
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|v| v.parse().ok())
}

/// Set for the process that has a file system of its own, with its home.
const INSIDE: &str = "TILEWRIGHT_SOAK";

fn soak(seconds: u64, place: &Place) {
    let seed = number("SOAK_SEED").unwrap_or(1);
    let settings = Settings { toured: true, solve_seconds: 2, solve_megabytes: 64, ..Settings::default() };
    settings.save(&place.home.join("config/settings.ron")).expect("settings");
    let clock = Clock { until: Instant::now() + Duration::from_secs(seconds), failed: AtomicBool::new(false) };
    let every = Duration::from_secs((seconds / 6).clamp(5, 60));
    println!("{seconds} s, seed {seed}, {}", if place.can_fill { "with a disk that fills up" } else { "no full disk" });
    let sizes = std::thread::scope(|scope| {
        let steady = scope.spawn(|| clock.watch(|| use_steadily(place, &clock, every, seed)));
        let random = ChaCha8Rng::seed_from_u64(seed + 1);
        let screen = Screen::start(&place.apart.join("victim-display"));
        let mut victim = Victim { place, screen, hand: Hand::new(), random, round: 0, known: Known::default() };
        let round = |victim: &mut Victim| {
            match victim.random.random_range(0..8) {
                0..4 => victim.save(),
                4..6 => victim.win(),
                6 if place.can_fill => victim.save_on_a_full_disk(),
                _ => victim.vanish(),
            }
            victim.check();
        };
        while clock.runs() {
            clock.watch(|| round(&mut victim));
        }
        let [midway, saves, wins, full] = victim.known.rounds;
        println!("{midway} kills while saving, {saves} after a save, {wins} after a win, {full} after a full disk");
        steady.join().unwrap_or_else(|panic| resume_unwind(panic))
    });
    let longest = sizes.iter().max_by_key(|s| s.len()).expect("a window");
    if longest.len() >= 6 {
        is_flat(longest);
    } else {
        println!("too short to tell whether memory is flat");
    }
}

/// In a mount namespace of its own, with a small disk as home; where that is not allowed, without.
fn soak_apart(test: &str, seconds: u64) {
    if let Some(program) = missing() {
        println!("skipped: there is no {program} on this machine");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (home, apart) = (folder.path().join("home"), folder.path().join("apart"));
    [&home, &apart].iter().for_each(|f| fs::create_dir(f).expect("a folder"));
    if let Some(inside) = std::env::var_os(INSIDE) {
        return soak(seconds, &Place { home: inside.into(), apart, can_fill: true });
    }
    let mount = "mount -t tmpfs -o size=96m tmpfs \"$TILEWRIGHT_SOAK\" || exit 99; exec \"$0\" \"$@\"";
    let me = std::env::current_exe().expect("this test");
    let mut inside = Command::new("unshare");
    inside.args(["--map-root-user", "--mount", "sh", "-c", mount]).arg(me);
    inside.args([test, "--exact", "--include-ignored", "--nocapture"]).env(INSIDE, &home);
    match inside.status().map(|s| s.code()) {
        Ok(Some(0)) => {}
        Ok(Some(code)) if code != 99 && code != 1 => panic!("see above: {code}"),
        refused => {
            println!("no disk that fills up: a file system of its own is not allowed here ({refused:?})");
            soak(seconds, &Place { home, apart, can_fill: false });
        }
    }
}

#[test]
fn a_short_soak_loses_nothing() {
    soak_apart("a_short_soak_loses_nothing", 30);
}

#[test]
#[ignore = "long: half an hour"]
fn a_long_soak_loses_nothing_and_is_flat() {
    soak_apart("a_long_soak_loses_nothing_and_is_flat", number("SOAK_SECONDS").unwrap_or(1800));
}
