//! Killed again and again, and used for hours: nothing that was saved is lost, and nothing piles up.
//!
//! **Kills.** The test starts copies of itself as victims: whole windows without a display that edit, save, win campaign levels and copy drafts away in a tight
//! loop, two of them at once in the same home, and kills them (SIGKILL on Unix) at random moments. A victim says on its standard output what it is about to do
//! and what it knows to be done; after each kill the home is looked at, and everything that was said to be done must be there.
//!
//! **Soak.** One window is used by an untiring user: thousands of edits, solves and loads. Memory and threads are what they were after the warm-up, and at
//! rest no frame is asked for.
//!
//! **Quick edits.** A level so large that its verdict takes as long as it may is edited twelve times in quick succession: one job is left.
//!
//! Short versions run with the other tests. The long ones (1,000 kills, or `KILLS` of them, on all cores; 10,000 actions):
//! `cargo test --release --test endurance -- --ignored --nocapture`
#![cfg(feature = "gui")]

#[path = "window/painter.rs"]
#[allow(dead_code)]
mod painter;
#[path = "window/stage.rs"]
mod stage;

use rand::RngExt as _;
use stage::{Stage, process, threads};
use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    time::{Duration, Instant, SystemTime},
};
use tilewright::{
    app::{canvas::Camera, dialogs::Then, keys::Action, settings::Settings, workshop::Mode},
    disk::{self, LevelId, versioned},
    document::{Board, Doc},
    formats,
    game::{Ink, Meta, Status, rng},
    games,
    job::{Limits, Probe},
    memory::{self, Place, Records, backups, recovery},
    picture::point,
};

// ---------------------------------------------------------------------------------------------------------------- the victim

/// Set for a victim: its home, and its number.
const VICTIM: &str = "TILEWRIGHT_VICTIM";

/// What is in version `n` of a file: long enough that a torn write would show.
fn notes(n: u64) -> String {
    (0..400).map(|i| format!("{n}:{i} ")).collect()
}

fn number_in(doc: &dyn Doc) -> Option<u64> {
    let n = doc.meta().notes.split(':').next()?.parse().ok()?;
    (doc.meta().notes == notes(n)).then_some(n)
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    // A parent that is gone has killed us or will.
    let _ = writeln!(out, "#{text}").and_then(|()| out.flush());
}

#[test]
fn a_victim_works_until_it_is_killed() {
    let Ok(order) = std::env::var(VICTIM) else { return };
    let (me, home) = order.split_once(' ').expect("a number and a home");
    let me: u64 = me.parse().expect("a number");
    let mut victim = Victim::new(Path::new(home), me);
    say("ready");
    // Each begins with something else, so that those that are killed early are killed at everything.
    for turn in std::process::id().. {
        match turn % 4 {
            0 => victim.win(),
            1 => victim.draw(),
            2 => victim.save(),
            _ => victim.stage.harness.state_mut().save_settings(),
        }
    }
}

struct Victim {
    stage: Stage,
    home: PathBuf,
    me: u64,
    n: u64,
}

impl Victim {
    fn new(home: &Path, me: u64) -> Victim {
        let mut victim = Victim { stage: Stage::in_folder(home, 800.0, 600.0), home: home.to_path_buf(), me, n: 0 };
        victim.recover();
        victim
    }

    fn title(&self) -> String {
        format!("draft {}", self.me)
    }

    /// Takes up where the last victim of this number was killed: with its draft, or with its file.
    fn recover(&mut self) {
        self.stage.wait_for("the recovery folder was looked through", |s| !s.workshop().services.rescue.busy());
        let (title, file) = (self.title(), saved_file(&self.home, self.me));
        let w = self.stage.workshop();
        w.dialog = None;
        w.services.rescue.every = Duration::ZERO;
        while !w.session.open.is_empty() {
            w.close_now(0);
        }
        // Killed between a new copy and the end of the old one, there may be two: the latest is restored, as a person would.
        while let Some(i) = w.services.rescue.left.iter().position(|l| l.draft.title == title) {
            w.restore(i);
        }
        let newest = (0..w.session.open.len()).max_by_key(|i| number_in(&*w.session.open[*i].doc));
        match newest {
            Some(index) => {
                let keep = w.session.open[index].id;
                while let Some(i) = w.session.open.iter().position(|o| o.id != keep) {
                    w.close_now(i);
                }
                w.session.active = 0;
            }
            None if file.exists() => {
                w.open_path(&file);
                self.stage.wait_for("the file is open", |s| !s.workshop().session.open.is_empty());
            }
            None => w.add(games::all()[games::all().len() - 1].blank(Default::default()), LevelId::New, Mode::Edit),
        }
        let saved = if file.exists() { number_of(&file) } else { 0 };
        let w = self.stage.workshop();
        self.n = number_in(&*w.session.open[0].doc).unwrap_or(0).max(saved);
    }

    /// The index of the draft among the open levels.
    fn draft(&mut self) -> usize {
        let title = self.title();
        let open = &self.stage.workshop().session.open;
        open.iter()
            .position(|o| o.doc.meta().title == title || o.doc.meta().title.is_empty())
            .expect("the draft is open")
    }

    /// Changes the draft and waits until the change is copied away.
    fn draw(&mut self) {
        self.n += 1;
        let (title, n, draft) = (self.title(), self.n, self.draft());
        let doc = &mut self.stage.workshop().session.open[draft].doc;
        doc.set_meta(Meta { title, notes: notes(n), ..Meta::default() });
        say(&format!("drawing {n}"));
        for _ in 0..1000 {
            self.stage.frames(1);
            if self.stage.workshop().services.rescue.up_to_date() {
                say(&format!("drawn {n}"));
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn save(&mut self) {
        if self.n == 0 {
            self.draw();
        }
        let (n, draft, file) = (self.n, self.draft(), saved_file(&self.home, self.me));
        let w = self.stage.workshop();
        w.session.active = draft;
        say(&format!("saving {n}"));
        let level = w.session.open[w.session.active].id;
        w.save_to(level, file, Then::Stay);
        self.stage.wait_for("it is saved", |s| !s.workshop().services.saving.busy());
        let dirty = self.stage.workshop().session.level_mut(level).is_none_or(|o| o.doc.dirty());
        assert!(!dirty, "it can be saved");
        say(&format!("saved {n}"));
        self.stage.frames(1);
    }

    /// Wins the next level of a campaign, all games in turn.
    fn win(&mut self) {
        let games: Vec<_> = games::offered().iter().filter(|g| g.opponents().is_empty()).collect();
        let game = games[(self.n as usize / 2 + self.me as usize) % games.len()];
        let id = game.info().id;
        let w = self.stage.workshop();
        if w.services.keeper.records().campaign(id).is_some_and(|c| c.won().count() >= 4) {
            // Only the first few levels, so that winning them is quick.
            w.new_game(id);
        } else {
            w.open_campaign(id, w.campaign_place(*game));
        }
        self.stage.wait_for("the level is made", |s| s.workshop().services.making.is_none());
        let w = self.stage.workshop();
        // The game that is won: the other victim may begin the next one while this win is being written.
        let run = w.services.keeper.records().campaign(id).map_or(0, |c| c.run);
        let Some(open) = w.session.current_mut() else { return };
        let Some((_, Place::Lesson(level) | Place::Level(level), _)) = open.campaign else { return };
        let line = open.doc.kept().first().map(|s| s.moves.clone());
        let line = line.or_else(|| open.doc.solve_now(0, &mut Probe::new(Limits::nodes(20_000))).moves);
        let won = line.is_some_and(|l| open.doc.play_line(&l).is_ok()) && open.doc.status() == Status::Won;
        self.stage.frames(2);
        let w = self.stage.workshop();
        if won && w.services.keeper.flush() {
            say(&format!("won {id} {run} {level}"));
        }
        let active = w.session.active;
        w.close_now(active);
    }
}

fn saved_file(home: &Path, victim: u64) -> PathBuf {
    home.join("levels").join(format!("mine-{victim}.ron"))
}

/// The version that a file holds; fails if it is none that was ever written.
fn number_of(file: &Path) -> u64 {
    let bytes = fs::read(file).expect("the file is there");
    let docs = formats::read(&bytes).unwrap_or_else(|f| panic!("{} is damaged: {f}", file.display()));
    number_in(&*docs[0]).unwrap_or_else(|| panic!("{} is not a version that was written", file.display()))
}

// ---------------------------------------------------------------------------------------------------------------- the killer

/// What a victim has said.
#[derive(Default)]
struct Message {
    saving: u64,
    saved: u64,
    drawing: u64,
    drawn: u64,
    won: Vec<(String, u64, u32)>,
    ready: bool,
}

impl Message {
    fn hear(&mut self, line: &str) {
        // The harness of the tests may have written the start of the line.
        let Some((_, line)) = line.split_once('#') else { return };
        let words: Vec<_> = line.split(' ').collect();
        let n = || words[1].parse().expect("a number");
        match words[0] {
            "ready" => self.ready = true,
            "saving" => self.saving = n(),
            "saved" => self.saved = n(),
            "drawing" => self.drawing = n(),
            "drawn" => self.drawn = n(),
            "won" => {
                self.won.push((words[1].into(), words[2].parse().expect("a run"), words[3].parse().expect("a level")))
            }
            _ => panic!("{line}"),
        }
    }
}

struct Running {
    child: Child,
    lines: mpsc::Receiver<String>,
    said: Message,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    fn start(home: &Path, me: u64) -> Running {
        // A dead victim cannot take its own temporary folders away: they are in ours.
        let temporary = home.join("tmp");
        fs::create_dir_all(&temporary).expect("a folder");
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["a_victim_works_until_it_is_killed", "--exact", "--nocapture", "--test-threads=1"])
            .env("TMPDIR", &temporary)
            .env(VICTIM, format!("{me} {}", home.display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a victim starts");
        let out = child.stdout.take().expect("its standard output");
        let (send, lines) = mpsc::channel();
        std::thread::spawn(move || BufReader::new(out).lines().map_while(Result::ok).try_for_each(|l| send.send(l)));
        Running { child, lines, said: Message::default() }
    }

    /// Waits until it works.
    fn ready(&mut self) {
        while !self.said.ready {
            let line = self.lines.recv_timeout(Duration::from_secs(120));
            self.said.hear(&line.expect("a victim that works"));
        }
    }

    /// Kills it, and hears what it said last.
    fn kill(mut self) -> Message {
        self.child.kill().expect("it can be killed");
        self.child.wait().expect("it is dead");
        while let Ok(line) = self.lines.recv_timeout(Duration::from_secs(5)) {
            self.said.hear(&line);
        }
        std::mem::take(&mut self.said)
    }
}

/// What must be there after everything that was ever said.
#[derive(Default)]
struct Known {
    saved: u64,
    drawn: u64,
    won: Vec<(String, u64, u32)>,
}

fn kills(rounds: usize, seed: u64) {
    let home = tempfile::tempdir().expect("a home");
    let mut random = rng(seed);
    let mut known: BTreeMap<u64, Known> = BTreeMap::new();
    let (mut killed, mut wins, mut saves) = (0, 0, 0);
    while killed < rounds {
        // Two running copies every other time.
        let count = (1 + killed as u64 % 3 / 2).min((rounds - killed) as u64);
        let mut running: Vec<_> = (0..count).map(|me| Running::start(home.path(), me)).collect();
        running.iter_mut().for_each(Running::ready);
        for (me, victim) in running.into_iter().enumerate() {
            std::thread::sleep(Duration::from_millis(random.random_range(0..1200)));
            let said = victim.kill();
            killed += 1;
            wins += said.won.len();
            saves += said.saved.min(1);
            check(home.path(), me as u64, said, known.entry(me as u64).or_default());
        }
        all_is_whole(home.path(), &known);
    }
    println!("{killed} kills, seed {seed}; {wins} wins and at least {saves} saves acknowledged");
    assert!(wins > 0 && saves > 0, "the victims got something done");
    nothing_piles_up(home.path());
}

/// The file and the draft of one victim, against what it said.
fn check(home: &Path, me: u64, said: Message, known: &mut Known) {
    known.saved = known.saved.max(said.saved);
    known.drawn = known.drawn.max(said.drawn);
    known.won.extend(said.won);
    let file = saved_file(home, me);
    let held = if file.exists() { number_of(&file) } else { 0 };
    assert!(held >= known.saved, "a saved file was lost: {held}, not {}", known.saved);
    assert!(held <= said.saving.max(known.saved), "a version that was never saved");
    known.saved = held;
    // A draft is in its recovery copy, or was saved since.
    let left = recovery::left_behind(&home.join("recovery"));
    assert_eq!(left.errors, []);
    let title = format!("draft {me}");
    let drafts = left.drafts.iter().filter(|l| l.draft.title == title);
    let copied = drafts.map(|l| {
        let docs = formats::read(l.draft.text.as_bytes()).expect("a draft that can be read");
        number_in(&*docs[0]).expect("a draft that was drawn")
    });
    let best = copied.max().unwrap_or(0).max(held);
    assert!(best >= known.drawn, "a draft was lost: {best}, not {}", known.drawn);
    assert!(best <= said.drawing.max(known.drawn), "a draft that was never drawn");
    known.drawn = best;
}

/// Records, settings and backups can be read, and hold everything that was acknowledged.
fn all_is_whole(home: &Path, known: &BTreeMap<u64, Known>) {
    let records = match versioned::read_stored::<Records>(&home.join("records.ron"), memory::records::VERSION) {
        versioned::Stored::Good(records) => records,
        versioned::Stored::Absent => Records::default(),
        other => panic!("the records are damaged: {other:?}"),
    };
    for (game, run, level) in known.values().flat_map(|k| &k.won) {
        let campaign = records.campaign(game).unwrap_or_else(|| panic!("the campaign of {game} was lost"));
        let there = campaign.run > *run
            || (campaign.run == *run
                && [Place::Lesson(*level), Place::Level(*level)].iter().any(|p| campaign.completed(*p)));
        assert!(there, "level {level} of {game} was won in game {run} and lost");
    }
    assert_eq!(Settings::load(Some(&home.join("settings.ron"))).message, None);
    let names = disk::file_names(home).expect("the home");
    assert!(!names.iter().any(|n| n.contains("damaged")), "{names:?}");
    for me in known.keys() {
        let versions = backups::versions(&home.join("backups"), &saved_file(home, *me));
        assert!(versions.len() <= backups::MOST + 1, "{}", versions.len());
        for version in &versions {
            number_of(&version.file);
        }
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = disk::file_names(folder).unwrap_or_default();
    let paths = entries.iter().map(|n| folder.join(n));
    paths.flat_map(|p| if p.is_dir() { files_below(&p) } else { vec![p] }).collect()
}

/// A program that works and ends properly takes away what the dead ones left, once that is old enough.
fn nothing_piles_up(home: &Path) {
    let temporary = |p: &PathBuf| p.extension().is_some_and(|e| e == "tmp");
    let old = SystemTime::now() - Duration::from_secs(60);
    for file in files_below(home).into_iter().filter(temporary) {
        fs::File::options().write(true).open(file).and_then(|f| f.set_modified(old)).expect("it can be aged");
    }
    for me in 0..2 {
        let mut victim = Victim::new(home, me);
        victim.draw();
        victim.save();
        victim.win();
        let app = victim.stage.harness.state_mut();
        app.save_settings();
        let w = app.workshop();
        w.quit();
        assert!(w.leaving, "nothing is unsaved");
        victim.stage.frames(2);
    }
    // An empty folder is left alone until it is a few seconds old: its program might be about to lock it.
    let folders = || disk::file_names(&home.join("recovery")).unwrap_or_default();
    for _ in 0..200 {
        // The list of levels that the last victim had open may still be there, to be told once.
        let found = recovery::left_behind(&home.join("recovery"));
        assert_eq!((found.drafts, found.errors), (Vec::new(), Vec::new()));
        if folders().is_empty() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(folders(), Vec::<String>::new());
    let left: Vec<_> = files_below(home).into_iter().filter(temporary).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn fifteen_kills_lose_nothing_that_was_acknowledged() {
    kills(15, 7);
}

#[test]
#[ignore = "long: a thousand kills"]
fn a_thousand_kills_lose_nothing_that_was_acknowledged() {
    let rounds = std::env::var("KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for core in 0..cores {
            scope.spawn(move || kills(rounds / cores + usize::from(core < rounds % cores), 7 + core as u64));
        }
    });
}

// ------------------------------------------------------------------------------------------------------------------ the soak

fn soak(actions: usize) {
    let mut stage = Stage::sized(800.0, 600.0);
    let mut random = rng(11);
    stage.workshop().services.rescue.every = Duration::from_millis(20);
    stage.workshop().settings.solve_seconds = 5;
    stage.workshop().settings.solve_megabytes = 64;
    let (mut warm, mut done) = (None, [0; 3]);
    // Pictures of letters, tables of the solvers, the allocator's own reserves: all of them grow to a size once.
    let warm_up = (actions / 2).min(3000);
    let begin = Instant::now();
    for i in 0..actions {
        if i % (actions / 10).max(1) == 0 && i > 0 {
            rest(&mut stage);
            println!("after {i} actions: {:?} kB, {:?} threads", process("VmRSS"), process("Threads"));
            if warm.is_none() && i >= warm_up {
                warm = Some((process("VmRSS"), process("Threads")));
            }
        }
        // Mostly edits, as people do it.
        match random.random_range(0..10) {
            0..7 if !stage.workshop().session.open.is_empty() => {
                edit(&mut stage, &mut random);
                done[0] += 1;
            }
            7 => {
                stage.workshop().ask(Action::Solve);
                stage.frames(1);
                // Sometimes the answer is awaited, sometimes the next edit drops the work.
                if random.random_range(0..3) == 0 {
                    stage.settle();
                }
                done[1] += 1;
            }
            _ => {
                load(&mut stage, &mut random);
                done[2] += 1;
            }
        }
    }
    rest(&mut stage);
    let (memory, threads) = (process("VmRSS"), process("Threads"));
    let (warm_memory, warm_threads) = warm.unwrap_or_default();
    println!(
        "{actions} actions ({} edits, {} solves, {} loads) in {:.0} s; memory {warm_memory:?} kB → {memory:?} kB, threads {warm_threads:?} → {threads:?}",
        done[0],
        done[1],
        done[2],
        begin.elapsed().as_secs_f64()
    );
    if let (Some(before), Some(after)) = (warm_memory, memory) {
        // A short run is still in the middle of the warm-up.
        let more = if actions < 3000 { 192 } else { 64 };
        assert!(after < before + more * 1024, "memory grew from {before} kB to {after} kB");
    }
    if let (Some(before), Some(after)) = (warm_threads, threads) {
        assert!(after <= before + 1, "jobs were left behind: {before} threads, then {after}");
    }
    stage.workshop().message = None;
    stage.frames(20);
    let delay = stage.harness.output().viewport_output.values().map(|v| v.repaint_delay).min();
    assert!(delay.is_some_and(|d| d > Duration::from_secs(1)), "at rest, yet a frame is asked for: {delay:?}");
}

/// Closes all but one level and waits for the work under way to end.
fn rest(stage: &mut Stage) {
    while stage.workshop().session.open.len() > 1 {
        stage.workshop().close_now(0);
    }
    stage.settle();
    stage.wait_for("all is on disk", |s| {
        s.workshop().services.rescue.up_to_date() && !s.workshop().services.keeper.busy()
    });
    // Threads whose job was dropped end by themselves, within 50 ms of being asked.
    std::thread::sleep(Duration::from_millis(300));
}

fn edit(stage: &mut Stage, random: &mut impl rand::Rng) {
    let doc = stage.doc();
    match random.random_range(0..8) {
        0 => drop(doc.undo_edit()),
        1 => drop(doc.redo_edit()),
        2 => {
            let syms = doc.painting_symmetries();
            if !syms.is_empty() {
                doc.transform(syms[random.random_range(0..syms.len())]);
            }
        }
        _ => {
            let palette = doc.palette();
            let spots = doc.spots(Board::Draft);
            let swatch = random.random_range(0..palette.swatches.len());
            let colour = random.random_range(0..palette.colours.len().max(1));
            let from = random.random_range(0..spots.len());
            let stroke = &spots[from..(from + random.random_range(1..4)).min(spots.len())];
            doc.paint(Ink { swatch, colour, ..Ink::default() }, stroke, &[], "paint");
        }
    }
    let mode = if random.random_range(0..4) == 0 { Mode::Play } else { Mode::Edit };
    stage.workshop().enter(mode);
    stage.frames(1);
}

fn load(stage: &mut Stage, random: &mut impl rand::Rng) {
    let games = games::offered();
    let game = games[random.random_range(0..games.len())].info();
    let w = stage.workshop();
    w.open_shipped(game.id, random.random_range(0..game.levels.len()));
    while w.session.open.len() > 3 {
        w.close_now(0);
    }
    w.session.active = w.session.open.len() - 1;
    stage.frames(1);
}

// ----------------------------------------------------------------------------------------------------------- quick edits

/// An open floor of Sbokena with boxes and goals at random. No box is so near to the wall that it could never leave it.
fn open_floor(side: usize, boxes: usize) -> String {
    let mut random = rng(side as u64);
    let mut rows = vec![vec![' '; side]; side];
    for (y, row) in rows.iter_mut().enumerate() {
        for (x, cell) in row.iter_mut().enumerate() {
            if x % (side - 1) == 0 || y % (side - 1) == 0 {
                *cell = '#';
            }
        }
    }
    rows[1][1] = '@';
    for thing in ['$', '.'] {
        let mut left = boxes;
        while left > 0 {
            let (x, y) = (random.random_range(4..side - 4), random.random_range(4..side - 4));
            if rows[y][x] == ' ' {
                rows[y][x] = thing;
                left -= 1;
            }
        }
    }
    rows.into_iter().map(|row| row.into_iter().chain(['\n']).collect::<String>()).collect()
}

/// Twelve edits in quick succession through the editor, on a level for which a verdict takes as long as it may.
fn quick_edits(side: usize, boxes: usize) {
    let mut stage = Stage::new();
    stage.workshop().open_text(&open_floor(side, boxes));
    // Only a corner is in sight: naming all cells for screen readers in every frame would take most of the test's time.
    if let Some(open) = stage.workshop().session.current_mut() {
        open.camera = Camera { zoom: Some(32.0), middle: (11.0, 8.0) };
    }
    stage.settle();
    stage.click("Wall");
    let (mut slowest, mut most) = (Duration::ZERO, 0);
    let mut frame = |stage: &mut Stage, most: &mut usize| {
        let begin = Instant::now();
        stage.frames(1);
        slowest = slowest.max(begin.elapsed());
        *most = (*most).max(threads("verdict"));
    };
    // The first edit and its verdict alone: what one job takes.
    let floor = |n: usize| point(n as f32 + 3.5, 1.5);
    let at = stage.on_screen("editor board", floor(0));
    stage.click_at(at);
    stage.settle();
    let (memory, before) = (process("VmHWM"), process("Threads"));
    for n in 1..=12 {
        let at = stage.on_screen("editor board", floor(n));
        stage.press(at);
        stage.release(at);
        frame(&mut stage, &mut most);
    }
    assert_eq!(stage.doc().history_len().0, 13, "every click was an edit");
    // Those that were given up have ended, and one works for the level as it is.
    for _ in 0..10 {
        std::thread::sleep(Duration::from_millis(30));
        frame(&mut stage, &mut most);
    }
    let after = process("Threads");
    let search = threads("search");
    let busy = stage.doc().busy();
    stage.settle();
    let (peak, verdict) = (process("VmHWM"), stage.doc().verdict().text);
    println!(
        "{side}x{side}, {boxes} boxes: at most {most} verdict jobs, threads {before:?} -> {after:?}, peak {memory:?} -> {peak:?} kB, \
         slowest frame {slowest:?}, busy {busy}, then {verdict}"
    );
    assert_eq!(most, 1, "verdict jobs at a time");
    // The one job, and its search on all cores.
    let cores = tilewright::job::cores();
    assert!(search <= cores, "{search} threads search on {cores} cores");
    if let (Some(before), Some(after)) = (before, after) {
        let most = before + 1 + cores as u64;
        assert!(after <= most, "jobs were left behind: {before} threads, then {after}");
    }
    if let (Some(one), Some(all)) = (memory, peak) {
        assert!(all < one + one / 4, "one job takes {one} kB, twelve edits {all} kB");
    }
    assert!(slowest < Duration::from_secs(2), "the window waited for {slowest:?}");
}

/// Set for a process that counts its own memory and threads: how many actions; or the side of a board and its boxes.
const APART: &str = "TILEWRIGHT_APART";

#[test]
fn what_is_counted_by_the_process_has_one_to_itself() {
    let Ok(order) = std::env::var(APART) else { return };
    let numbers: Vec<usize> = order.split(' ').map(|n| n.parse().expect("a number")).collect();
    match numbers[..] {
        [actions] => soak(actions),
        [side, boxes] => quick_edits(side, boxes),
        _ => panic!("{order}"),
    }
}

fn apart(order: &str) {
    let done = Command::new(std::env::current_exe().expect("this test"))
        .args(["what_is_counted_by_the_process_has_one_to_itself", "--exact", "--nocapture"])
        .env(APART, order)
        .status();
    assert!(done.expect("it starts").success());
}

#[test]
fn three_hundred_actions_leave_nothing_behind() {
    apart("300");
}

#[test]
#[ignore = "long: ten thousand edits, solves and loads"]
fn ten_thousand_actions_leave_nothing_behind() {
    apart("10000");
}

#[test]
fn twelve_quick_edits_of_a_large_level_leave_one_job() {
    apart("64 200");
}

#[test]
fn twelve_quick_edits_of_a_very_large_level_leave_one_job() {
    apart("128 500");
}
