//! Random sequences of everything a user can do, with what must hold after each action: strokes cut short by keys, tabs and levels that arrive, dialogs
//! opened and answered, undo, play, solving, taking over, generating, mending, exporting, saving, closing, reopening, quitting. All of it is pointer and
//! keyboard, and the window's close button.
//!
//! An action is data that means something in every situation, or nothing, so that a sequence that fails can be shortened: parts of it are left out and
//! the rest is run again from the start. Seeds are printed. Each game has a process of its own, so that its threads can be counted and whatever is written
//! to a relative path lands in a temporary folder. The long run: `cargo test --test window random -- --ignored --nocapture`.

use super::{
    CTRL,
    stage::{PRESSABLE, Stage, spot_name, threads},
};
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng, seq::IndexedRandom as _};

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    process::Command,
    time::Duration,
};
use tilewright::{
    analysis::Verdict,
    app::{dock::Pane, keys, workshop::Mode},
    disk::{self, LevelId},
    document::{AnyGame, Board, Digest, Doc},
    games,
    grid::Size,
    job::{Limits, Probe, panic_text},
};

/// What a user does. Numbers choose among what is to be seen at that moment.
#[derive(Clone, Debug)]
enum Act {
    /// A key of the table of actions, or one that a board understands.
    Key(Modifiers, Key),
    /// Presses the pointer's button on a cell of the board.
    Press(usize),
    /// Moves the pointer to a cell of the board.
    Move(usize),
    Release,
    /// Clicks anything that can be clicked.
    Click(usize),
    /// Clicks the last thing of this name: a dialog lies over all else.
    Name(&'static str),
    /// Clicks one of the things whose names begin like this.
    Like(&'static str, usize),
    Type(&'static str),
    /// Pastes a level: of this game, or of another one.
    Paste(bool),
    Copy,
    Cut,
    /// Opens one of the files that were saved.
    Reopen(usize),
    /// The window's close button.
    CloseWindow,
    /// Lets background work end.
    Wait,
}

/// Words that are clicked more often than by chance.
const NAMES: [&str; 26] = [
    "Play",
    "Edit",
    "Start",
    "Inspect",
    "History",
    "Variants",
    "Library",
    "Save",
    "Save",
    "Discard",
    "Discard",
    "Cancel",
    "Create",
    "Close",
    "Take over here",
    "Next level",
    "Again",
    "Solve",
    "What if",
    "Resize",
    "Generate",
    "Generate",
    "Export",
    "Suggest fixes",
    "Harder",
    "Easier",
];

const STARTS: [&str; 4] = ["open the level with seed", "fix: ", "open ", "Generate "];

/// What is never clicked: the system's file dialogs.
fn left_out(name: &str) -> bool {
    name.contains("Browse")
}

fn keys() -> Vec<(Modifiers, Key)> {
    keys::table().iter().flat_map(|l| &l.keys).map(|k| (k.modifiers, k.logical_key)).collect()
}

/// A random sequence.
fn sequence(seed: u64, len: usize) -> Vec<Act> {
    const BOARD: [Key; 10] = [
        Key::ArrowUp,
        Key::ArrowRight,
        Key::ArrowDown,
        Key::ArrowLeft,
        Key::Space,
        Key::Enter,
        Key::PageDown,
        Key::Num2,
        Key::Num4,
        Key::D,
    ];
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let table = keys();
    let cut = [
        (Modifiers::NONE, Key::F5),
        (Modifiers::NONE, Key::Escape),
        (CTRL, Key::Z),
        (CTRL, Key::PageDown),
        (CTRL, Key::W),
        (Modifiers::ALT, Key::Num2),
        (Modifiers::ALT, Key::Num7),
        (Modifiers::SHIFT, Key::F5),
    ];
    let mut acts = Vec::new();
    while acts.len() < len {
        let random = &mut random;
        let cell = random.random_range(0..10_000);
        let key = |k: (Modifiers, Key)| Act::Key(k.0, k.1);
        match random.random_range(0..100) {
            0..27 => {
                // A stroke; often something comes in between, and now and then the button stays down.
                acts.push(Act::Press(cell));
                for _ in 0..random.random_range(0..3) {
                    acts.push(Act::Move(random.random_range(0..10_000)));
                }
                match random.random_range(0..8) {
                    0 => acts.push(key(*cut.choose(random).expect("some"))),
                    1 => acts.push(key(*table.choose(random).expect("some"))),
                    2 => acts.push(Act::Paste(random.random_bool(0.5))),
                    _ => {}
                }
                acts.push(Act::Release);
            }
            27..35 => acts.push(Act::Move(cell)),
            35..46 => acts.push(Act::Key(Modifiers::NONE, *BOARD.choose(random).expect("some"))),
            46..54 => acts.push(key(*cut.choose(random).expect("some"))),
            54..64 => acts.push(key(*table.choose(random).expect("some"))),
            64..75 => acts.push(Act::Name(NAMES.choose(random).expect("some"))),
            75..78 => acts.push(Act::Like(STARTS.choose(random).expect("some"), cell)),
            78..88 => acts.push(Act::Click(cell)),
            88 => acts.push(Act::Type("a")),
            89..92 => acts.push(Act::Paste(random.random_bool(0.5))),
            92 => acts.push(Act::Copy),
            93 => acts.push(Act::Cut),
            94 => acts.push(Act::Reopen(cell)),
            95 => acts.push(Act::CloseWindow),
            96 => acts.push(key((CTRL, Key::S))),
            _ => acts.push(Act::Wait),
        }
    }
    acts.truncate(len);
    acts
}

/// The smallest board on which there is something to do.
fn small(game: &'static dyn AnyGame) -> Box<dyn Doc> {
    let least = game.sizes().0;
    game.blank(Size::new(least.w.max(4), least.h.max(4)))
}

/// What is known about the levels before an action.
#[derive(Default)]
struct Before {
    /// Levels with changes, and what would be saved of them.
    dirty: Vec<(u64, String)>,
    asked_about: Option<u64>,
    changes: BTreeMap<u64, (usize, usize)>,
    wanted_edit: bool,
}

struct Run {
    stage: Stage,
    game: &'static dyn AnyGame,
    /// Each level as it was when it was first seen.
    first: BTreeMap<u64, String>,
    /// What may be in play, by level and version of the draft: the draft, or the level on which lines of one of its goals are played.
    playable: BTreeMap<(u64, u64), Vec<Digest>>,
    pressed: bool,
    at: Pos2,
}

impl Run {
    /// A window at a home, new or used before.
    fn begin(home: tempfile::TempDir, game: &'static dyn AnyGame) -> Run {
        let mut stage = Stage::at_home(home, 1000.0, 620.0);
        stage.harness.state_mut().layout().show(Pane::History);
        stage.workshop().settings.reply_delay_ms = 0;
        stage.workshop().settings.solve_seconds = 1;
        stage.workshop().close_now(0);
        if !game.info().levels.is_empty() {
            stage.workshop().open_shipped(game.info().id, 0);
        }
        stage.workshop().add(small(game), LevelId::New, Mode::Edit);
        stage.frames(3);
        Run { stage, game, first: BTreeMap::new(), playable: BTreeMap::new(), pressed: false, at: Pos2::ZERO }
    }

    /// A cell of the board in sight.
    fn cell(&self, n: usize) -> Option<Pos2> {
        let cells = self.stage.harness.query_all_by(|node| node.role() == Role::GridCell);
        let cells: Vec<_> = cells.map(|c| c.rect().center()).collect();
        (!cells.is_empty()).then(|| cells[n % cells.len()])
    }

    fn button(&mut self, pressed: bool) {
        let (pos, button, modifiers) = (self.at, PointerButton::Primary, Modifiers::NONE);
        self.stage.harness.event(Event::PointerButton { pos, button, pressed, modifiers });
        self.stage.frames(1);
        self.pressed = pressed;
    }

    fn move_to(&mut self, at: Pos2) {
        self.at = at;
        self.stage.move_to(at);
    }

    fn click(&mut self, at: Pos2) {
        if self.pressed {
            self.button(false);
        }
        self.move_to(at);
        self.button(true);
        self.button(false);
    }

    fn act(&mut self, act: &Act) {
        match act {
            Act::Key(modifiers, key) => self.stage.harness.key_press_modifiers(*modifiers, *key),
            Act::Press(n) => {
                if let Some(at) = self.cell(*n).filter(|_| !self.pressed) {
                    self.move_to(at);
                    self.button(true);
                }
            }
            Act::Move(n) => {
                if let Some(at) = self.cell(*n) {
                    self.move_to(at);
                }
            }
            Act::Release if self.pressed => self.button(false),
            Act::Release => {}
            Act::Click(n) => {
                let fits = |node: &egui_kittest::kittest::AccessKitNode<'_>| {
                    let name = node.label().unwrap_or_default();
                    PRESSABLE.contains(&node.role()) && !node.is_disabled() && !name.is_empty() && !left_out(&name)
                };
                let places: Vec<_> = self.stage.harness.query_all_by(fits).map(|n| n.rect().center()).collect();
                if !places.is_empty() {
                    self.click(places[n % places.len()]);
                }
            }
            Act::Name(name) => {
                let named = self
                    .stage
                    .harness
                    .query_all_by(|n| PRESSABLE.contains(&n.role()) && n.label().is_some_and(|l| l == *name));
                if let Some(at) = named.last().map(|n| n.rect().center()) {
                    self.click(at);
                }
            }
            Act::Like(start, n) => {
                let places = self.stage.all_like(start);
                if !places.is_empty() {
                    self.click(places[n % places.len()]);
                }
            }
            Act::Type(text) => self.stage.harness.event(Event::Text((*text).into())),
            Act::Paste(same) => {
                let other = games::offered().iter().find(|g| g.info().id != self.game.info().id);
                let game = if *same { self.game } else { *other.expect("there are several games") };
                self.stage.harness.event(Event::Paste(small(game).native()));
            }
            Act::Copy => self.stage.harness.event(Event::Copy),
            Act::Cut => self.stage.harness.event(Event::Cut),
            Act::Reopen(n) => self.reopen(*n),
            Act::CloseWindow => {
                let windows = &mut self.stage.harness.input_mut().viewports;
                windows.entry(egui::ViewportId::ROOT).or_default().events.push(egui::ViewportEvent::Close);
            }
            Act::Wait => {
                for _ in 0..10 {
                    if !self.stage.workshop().busy() {
                        break;
                    }
                    std::thread::sleep(Duration::from_millis(3));
                    self.stage.frames(1);
                }
            }
        }
        // What was done is shown in the frame after.
        self.stage.frames(1);
    }

    /// Opens a file by its path, as one types it.
    fn reopen(&mut self, n: usize) {
        let folder = self.stage.home.path().join("levels");
        let files = disk::file_names(&folder).unwrap_or_default();
        if !files.is_empty() {
            self.stage.chord(CTRL, Key::O);
            self.stage.type_text(&folder.join(&files[n % files.len()]).display().to_string());
            self.stage.key(Key::Enter);
        }
    }

    fn look(&mut self) -> Before {
        let w = self.stage.workshop();
        Before {
            dirty: w.session.open.iter_mut().filter_map(|o| o.doc.dirty().then(|| (o.id, o.doc.native()))).collect(),
            asked_about: w.dialog.as_ref().and_then(tilewright::app::dialogs::Dialog::level),
            changes: w.session.open.iter().map(|o| (o.id, o.doc.history_len())).collect(),
            wanted_edit: w.session.open.iter().any(|o| o.edit.what_if.by_one.is_some()),
        }
    }

    /// What must hold after an action.
    fn check(&mut self, act: &Act, before: &Before, pressed: bool) -> Result<(), String> {
        let folder = self.stage.home.path().join("levels");
        let w = self.stage.workshop();
        let open: Vec<u64> = w.session.open.iter().map(|o| o.id).collect();
        for (id, text) in &before.dirty {
            // A save may have been under way: then it is on the disk by now.
            if !open.contains(id) && before.asked_about != Some(*id) && !holds(&folder, text) {
                return Err(format!("level {id} had changes and was closed unasked"));
            }
        }
        if w.leaving && w.session.open.iter_mut().any(|o| o.doc.dirty()) {
            return Err("the program is left with unsaved changes".into());
        }
        if !w.session.open.is_empty() && w.session.active >= w.session.open.len() {
            return Err(format!("level {} of {} is in front", w.session.active, w.session.open.len()));
        }
        if matches!(act, Act::Move(_)) && !pressed && !before.wanted_edit {
            for o in &w.session.open {
                if before.changes.get(&o.id).is_some_and(|n| *n != o.doc.history_len()) {
                    return Err("a bare movement of the pointer has painted".into());
                }
            }
        }
        for o in &w.session.open {
            self.first.entry(o.id).or_insert_with(|| o.doc.bare());
        }
        if !w.services.rescue.left.is_empty() {
            return Err("something is left to recover, though nothing was killed".into());
        }
        at_most_one_verdict_job()?;
        // What an action changed at the end of its frame is to be seen in one of the next.
        let mut seen = Ok(());
        for _ in 0..3 {
            seen = self.play_shows_the_draft().and_then(|()| self.answers_are_of_this_version());
            if seen.is_ok() {
                break;
            }
            self.stage.frames(1);
        }
        seen
    }

    /// The game in play is one on the draft as it is, and its position is what can be seen.
    fn play_shows_the_draft(&mut self) -> Result<(), String> {
        let w = self.stage.workshop();
        let (in_front, beside) = (w.is_front(Pane::Play), w.is_front(Pane::Edit));
        let Some(open) = w.session.current().filter(|o| in_front && !o.stepping) else { return Ok(()) };
        if !open.doc.plays_draft() {
            let said = self.stage.sees("This draft cannot be played yet");
            return if said { Ok(()) } else { Err("Play shows another level than the draft".into()) };
        }
        let playable = self.playable.entry((open.id, open.doc.version())).or_insert_with(|| {
            let goals = 0..open.doc.game().goals().len();
            let stages = goals.filter_map(|g| open.doc.replay_level(g));
            let levels = std::iter::once(open.doc.duplicate()).chain(stages);
            levels.filter_map(|mut l| l.play_from_start().then(|| l.played_level()).flatten()).collect()
        });
        if !open.doc.played_level().is_some_and(|l| playable.contains(&l)) {
            return Err("the level in play is not the draft".into());
        }
        let spots = open.doc.spots(Board::Play).into_iter();
        let mut cells: Vec<_> =
            spots.map(|s| format!("{} {}", spot_name(s), open.doc.describe(Board::Play, s))).collect();
        if beside {
            // The panels were dragged apart, so the draft is in sight too.
            let spots = open.doc.spots(Board::Draft).into_iter();
            cells.extend(spots.map(|s| format!("{} {}", spot_name(s), open.doc.describe(Board::Draft, s))));
        }
        let other = |n: &egui_kittest::kittest::AccessKitNode<'_>| {
            n.role() == Role::GridCell && n.label().is_some_and(|l| !cells.contains(&l))
        };
        match self.stage.harness.query_all_by(other).next().and_then(|n| n.accesskit_node().label()) {
            Some(label) => {
                let spot = label.split(' ').next().unwrap_or_default().to_string();
                let game = cells.iter().find(|c| c.starts_with(&spot)).cloned().unwrap_or_default();
                Err(format!("Play shows \"{label}\", the game has \"{game}\""))
            }
            None => Ok(()),
        }
    }

    /// Everything found out about the level is about its present version, or says that it is not.
    fn answers_are_of_this_version(&mut self) -> Result<(), String> {
        let inspect = self.stage.harness.state_mut().layout().is_front(Pane::Inspect);
        let w = self.stage.workshop();
        let (edit, play) = (w.is_front(Pane::Edit), w.is_front(Pane::Play));
        let Some(open) = w.session.current() else { return Ok(()) };
        let (stale, stepping) = (open.doc.stale() && open.doc.report().is_some(), open.stepping);
        let verdict = open.doc.verdict().text;
        if stale && inspect && !self.stage.sees("from before the last edit") {
            return Err("a line from before the last edit is shown without saying so".into());
        }
        if stale && play && stepping && !self.stage.sees("from before the last edit") {
            return Err("a line from before the last edit is stepped through without saying so".into());
        }
        if edit && !self.stage.sees(&verdict) {
            return Err(format!("the verdict of this version, \"{verdict}\", is not to be seen"));
        }
        Ok(())
    }

    /// The verdict about the level in front is what its solver says when it is asked here and now.
    fn check_verdict(&mut self) -> Result<(), String> {
        let w = self.stage.workshop();
        let Some(open) = w.session.current().filter(|o| o.doc.playable()) else { return Ok(()) };
        let shown = open.doc.verdict();
        if !shown
            .verdict
            .as_ref()
            .is_some_and(|v| matches!(v, Verdict::Solved { optimal: true, .. } | Verdict::Unsolvable))
        {
            return Ok(());
        }
        let goals = open.doc.game().goals();
        let goal = goals.iter().position(|g| g.id == shown.goal).ok_or("a verdict about no goal")?;
        let report = open.doc.solve_now(goal, &mut Probe::new(Limits::nodes(400_000)));
        // Against an opponent one speaks of winning, and an opponent may be all that is in the way.
        // Where there is an opponent the same is said about winning.
        let words = shown.text.replacen("winnable:", "solvable:", 1);
        let fewest = format!("(fewest {})", report.unit);
        let same_words = report.live_text() == words.replacen("(fewest against the opponent)", &fewest, 1);
        let both_unsolvable = report.verdict == Verdict::Unsolvable && shown.verdict == Some(Verdict::Unsolvable);
        // The window has more nodes for a duel than there is time for here.
        if same_words || both_unsolvable || matches!(report.verdict, Verdict::Stopped(_)) {
            Ok(())
        } else {
            Err(format!("the verdict is \"{}\", not \"{}\"", shown.text, report.live_text()))
        }
    }

    /// Undo goes back to the first bytes of each level, and redo to the present ones.
    fn check_undo(&mut self) -> Result<(), String> {
        for o in &mut self.stage.workshop().session.open {
            let (now, (done, ahead)) = (o.doc.bare(), o.doc.history_len());
            o.doc.go_to_edit(0);
            if self.first.get(&o.id).is_some_and(|f| *f != o.doc.bare()) {
                return Err(format!("undo all the way does not return the first bytes of {}", o.title()));
            }
            o.doc.go_to_edit(done);
            if o.doc.bare() != now || o.doc.history_len() != (done, ahead) {
                return Err(format!("redo does not return {}", o.title()));
            }
        }
        Ok(())
    }

    /// Levels that have piled up would only make it slow.
    fn tidy(&mut self) {
        let w = self.stage.workshop();
        while w.session.open.len() > 6 && w.dialog.is_none() {
            w.close_now(0);
        }
    }
}

/// Whether a level file below a folder has this text.
fn holds(folder: &Path, text: &str) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path()));
    entries.into_iter().any(|path| match path.is_dir() {
        true => holds(&path, text),
        false => std::fs::read(&path).is_ok_and(|bytes| bytes == text.as_bytes()),
    })
}

/// One that was given up may take a moment to end.
fn at_most_one_verdict_job() -> Result<(), String> {
    for _ in 0..400 {
        if threads("verdict") <= 1 {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Err(format!("{} verdict jobs are running", threads("verdict")))
}

/// Runs a sequence from the start; which action failed, and how.
fn run(game: &'static dyn AnyGame, acts: &[Act]) -> Result<(), (usize, String)> {
    let mut at = 0;
    let whole = catch_unwind(AssertUnwindSafe(|| {
        let mut run = Run::begin(tempfile::tempdir().expect("a temporary folder"), game);
        run.check(&Act::Wait, &Before::default(), false).map_err(|e| (0, e))?;
        for (i, act) in acts.iter().enumerate() {
            at = i;
            let (before, pressed) = (run.look(), run.pressed);
            run.act(act);
            run.check(act, &before, pressed).map_err(|e| (i, e))?;
            if i % 40 == 39 || i + 1 == acts.len() {
                run.check_verdict().map_err(|e| (i, e))?;
                run.check_undo().map_err(|e| (i, e))?;
                run.tidy();
            }
            if run.stage.workshop().leaving {
                let Stage { harness, home } = run.stage;
                drop(harness);
                run = Run::begin(home, game);
            }
        }
        Ok(())
    }));
    whole.unwrap_or_else(|panic| Err((at, format!("panic: {}", panic_text(&*panic)))))
}

/// Leaves out parts of a failing sequence for as long as the rest fails in the same way.
fn shortened(game: &'static dyn AnyGame, mut acts: Vec<Act>, fault: &str) -> Vec<Act> {
    let kind = |text: &str| text.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let (mut part, mut tries) = (acts.len().div_ceil(2), 150);
    while part > 0 {
        let mut from = 0;
        while from < acts.len() && tries > 0 {
            tries -= 1;
            let mut fewer = acts.clone();
            fewer.drain(from..(from + part).min(acts.len()));
            match run(game, &fewer) {
                Err((i, text)) if kind(&text) == kind(fault) => {
                    fewer.truncate(i + 1);
                    acts = fewer;
                }
                _ => from += part,
            }
        }
        part = if part == 1 || tries == 0 { 0 } else { part.div_ceil(2) };
    }
    acts
}

/// Runs sequences of one game until so many actions are done.
fn try_out(game: &'static dyn AnyGame, seed: u64, actions: usize) {
    for (i, done) in (0..actions).step_by(LENGTH).enumerate() {
        let seed = seed + i as u64;
        let acts = sequence(seed, LENGTH.min(actions - done));
        if let Err((at, fault)) = run(game, &acts) {
            let few = shortened(game, acts[..=at].to_vec(), &fault);
            panic!("{}, seed {seed}, action {at}: {fault}\nshortened to {few:#?}", game.info().id);
        }
    }
    println!("{}: {actions} actions from seed {seed}", game.info().id);
}

/// Actions in one window: a failing sequence starts here.
const LENGTH: usize = 200;

/// Set for the process of one game: its id, the first seed, and how many actions.
const ONE_GAME: &str = "TILEWRIGHT_RANDOM";

#[test]
fn one_game_has_a_process_of_its_own() {
    let Ok(order) = std::env::var(ONE_GAME) else { return };
    let words: Vec<_> = order.split(' ').collect();
    let number = |i: usize| words[i].parse::<u64>().expect("a number");
    try_out(games::by_id(words[0]).expect("a game"), number(1), number(2) as usize);
}

fn all_games(seed: u64, actions: usize) {
    let start = |game: &&'static dyn AnyGame| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let child = Command::new(std::env::current_exe().expect("this test"))
            .args(["random::one_game_has_a_process_of_its_own", "--exact", "--nocapture"])
            .env(ONE_GAME, format!("{} {seed} {actions}", game.info().id))
            .current_dir(folder.path())
            .spawn();
        (folder, child.expect("it starts"))
    };
    let running: Vec<_> = games::offered().iter().map(start).collect();
    let ended: Vec<_> = running.into_iter().map(|(_folder, mut child)| child.wait()).collect();
    assert!(ended.into_iter().all(|e| e.is_ok_and(|e| e.success())), "see above");
}

#[test]
fn whatever_is_done_nothing_is_lost_and_play_is_the_draft() {
    all_games(1, 600);
}

#[test]
#[ignore = "the long run"]
fn whatever_is_done_for_long_nothing_is_lost_and_play_is_the_draft() {
    let seed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |d| d.as_secs());
    all_games(seed, 20_000);
}
