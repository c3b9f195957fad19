//! The start page and the campaign, and what is kept when the program ends badly.

use super::{CTRL, blank, stage::Stage};
use egui::{Key, Modifiers};
use std::{fs, path::Path, time::Duration};
use tilewright::{
    app::{dialogs::Then, dock::Pane, workshop::Mode},
    disk::LevelId,
    game::Status,
    games,
    memory::{Campaign, Place, Records, recovery},
};

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Ends the window as a crash would: nothing is asked, nothing is tidied up. Its home stays.
pub fn crash(stage: Stage) -> tempfile::TempDir {
    let Stage { harness, home } = stage;
    drop(harness);
    home
}

/// Wins the level in front with the solution that is kept with it.
fn win(stage: &mut Stage) {
    let line = stage.doc().kept()[0].moves.clone();
    win_by(stage, &line);
}

fn win_by(stage: &mut Stage, line: &str) {
    stage.doc().play_line(line).expect("a line of this level");
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won);
    assert!(stage.sees("LEVEL COMPLETE!"));
    assert!(stage.sees("of 3 stars"));
}

/// Runs frames until every unsaved change is on disk.
pub fn copied(stage: &mut Stage) {
    stage.workshop().services.rescue.every = Duration::ZERO;
    stage.wait_for("the drafts are copied away", |s| s.workshop().services.rescue.up_to_date());
}

/// Runs frames until the recovery folder has been looked through.
pub fn looked(stage: &mut Stage) {
    stage.wait_for("the recovery folder was looked through", |s| !s.workshop().services.rescue.busy());
}

#[test]
fn a_campaign_is_played_from_the_start_page_and_goes_on_after_a_restart() {
    let mut stage = Stage::at_start(home(), 1280.0, 800.0);
    stage.settle();
    assert!(stage.sees("Play Cats at lesson 1, First step"), "a new user is invited");
    stage.picture_of(Pane::Start, "start");
    stage.click_like("Play Cats at lesson 1");
    stage.settle();
    assert_eq!(stage.doc().meta().title, "First step");
    assert!(stage.sees("Slide the shape onto the cat of its colour."), "with its caption");
    assert!(stage.workshop().is_front(Pane::Play), "a level that is opened is in front");

    stage.key(Key::N);
    assert_eq!(stage.doc().meta().title, "First step", "the next level waits until this one is won or skipped");
    win(&mut stage);
    let of = |stage: &mut Stage| {
        let w = stage.workshop();
        let campaign = w.services.keeper.records().campaign("cats").cloned().expect("the campaign is begun");
        let chapters = tilewright::app::campaign::chapters(games::by_id("cats").expect("it is there"));
        let open = chapters.places().filter(|p| campaign.is_open(chapters, *p)).count();
        (campaign, open)
    };
    let (campaign, open) = of(&mut stage);
    assert!(campaign.completed(Place::Lesson(1)) && open == 4, "the next three are open");
    assert!(campaign.lessons[&1].stars > 0);
    stage.key(Key::R);
    win(&mut stage);
    assert!(stage.sees("as good as your best: "), "measured against what was known");

    stage.click("Next level");
    stage.settle();
    assert_eq!(stage.doc().meta().title, "Around the corner");
    stage.click("Skip level");
    stage.settle();
    assert_eq!(stage.doc().meta().title, "To each their own");
    let (campaign, open) = of(&mut stage);
    assert!(!campaign.completed(Place::Lesson(2)) && open == 5);
    stage.key(Key::Escape);
    assert!(stage.sees("Continue Cats at lesson 3"));
    stage.click("Levels of Cats");
    assert!(stage.sees("Lesson 1, First step: ") && stage.sees("Lesson 2, Around the corner: skipped"));
    assert!(stage.sees("Lesson 5, Two of a kind: not won yet") && stage.sees("Lesson 6, Cats on stones: locked"));
    stage.picture_of(Pane::Start, "level-select");
    stage.click("Levels 26–50");
    assert!(stage.sees("Level 50: locked"));
    stage.keys(&[Key::Escape, Key::Escape]);
    assert!(stage.workshop().is_front(Pane::Play), "Escape leads back, step by step");

    assert!(stage.workshop().services.keeper.flush());
    let mut stage = Stage::at_start(crash(stage), 1280.0, 800.0);
    stage.settle();
    assert!(stage.sees("Continue Cats at lesson 3"), "and it is remembered");
    stage.click("New game of Cats");
    assert!(stage.sees("Start the campaign of Cats over?"));
    stage.click("Cancel");
    assert_eq!(of(&mut stage).0.won().count(), 1);
    stage.click("New game of Cats");
    stage.click("Start over");
    stage.settle();
    assert_eq!(stage.doc().meta().title, "First step");
    let (campaign, open) = of(&mut stage);
    assert!(campaign.won().count() == 0 && open == 3);
    assert!(stage.workshop().services.keeper.flush());
    let is_copy = |name: &String| name.starts_with("records.20") && name.ends_with(".ron");
    let names = tilewright::disk::file_names(stage.home.path()).expect("the home");
    let copy = names.iter().find(|n| is_copy(n)).expect("a copy of the old records");
    assert!(fs::read_to_string(stage.home.path().join(copy)).expect("readable").contains("solved: true"));
}

/// The Library lists the same levels: a win counts wherever the level was opened, but not one of a level that is locked or was changed.
#[test]
fn a_shipped_level_won_from_the_library_counts_in_the_campaign() {
    let mut stage = Stage::at_start(home(), 1280.0, 800.0);
    let won = |stage: &mut Stage, game: &str| {
        let campaign = stage.workshop().services.keeper.records().campaign(game).cloned().unwrap_or_default();
        (campaign.lessons.keys().copied().collect::<Vec<_>>(), campaign.levels.keys().copied().collect::<Vec<_>>())
    };
    stage.open("cats", 1);
    win(&mut stage);
    assert_eq!(won(&mut stage, "cats"), (vec![2], vec![]));
    stage.open("match", 0);
    stage.drag_cells(&[(0, 0), (1, 0), (1, 1), (0, 1)]);
    stage.settle();
    assert_eq!(won(&mut stage, "match"), (vec![], vec![1]));
    stage.open("cats", 12);
    win(&mut stage);
    assert_eq!(won(&mut stage, "cats"), (vec![2], vec![]), "lesson 13 is locked");
    stage.open("cats", 0);
    let line = stage.doc().kept()[0].moves.clone();
    stage.key(Key::F5);
    stage.click("Void");
    stage.click_cell(0, 0);
    stage.key(Key::F5);
    stage.settle();
    win_by(&mut stage, &line);
    assert_eq!(won(&mut stage, "cats"), (vec![2], vec![]), "another level than the one that is shipped");
    stage.key(Key::Escape);
    stage.settle();
    assert!(stage.sees("Continue Cats at lesson 3"), "the start page goes on after it");
}

#[test]
fn levels_made_by_number_have_pictures_and_a_locked_one_says_so() {
    let mut stage = Stage::at_start(home(), 1280.0, 800.0);
    let lessons = games::by_id("cats").expect("it is there").lessons();
    let skipped = (1..=lessons).map(Place::Lesson).collect();
    stage.workshop().services.keeper.add(&Records::of_campaign("cats", Campaign { skipped, ..Campaign::default() }));
    stage.frames(2);
    stage.click("Levels of Cats");
    stage.click("Levels 1–25");
    assert!(stage.sees("Level 1: not won yet"), "at first without a picture");
    stage.settle();
    assert!(stage.sees("Level 1 (Normal): not won yet") && stage.sees("Level 3 (Very hard): not won yet"));
    assert!(stage.sees("Level 4: locked"), "one that is locked is not made");
    stage.picture_of(Pane::Start, "level-select-numbered");
    stage.click_like("Level 4: locked");
    assert!(stage.sees("this level is locked"));
    // Another theme while a picture is being made: nothing of the old one is left.
    stage.key(Key::F9);
    stage.settle();
    assert!(stage.sees("Level 1 (Normal): not won yet"));
    stage.click_like("Level 2 (Hard)");
    stage.settle();
    assert_eq!(stage.doc().meta().title, "Level 2 (Hard)");
}

#[test]
fn the_hundred_come_after_the_lessons_and_records_from_before_the_lessons_open_them() {
    let mut stage = Stage::at_start(home(), 1280.0, 800.0);
    let old = Campaign { current: (1, 2), reached: 2, ..Campaign::default() };
    stage.workshop().services.keeper.add(&Records::of_campaign("cats", old));
    stage.frames(2);
    stage.click_like("Continue Cats at level 2");
    stage.settle();
    assert_eq!(stage.doc().meta().title, "Level 2 (Hard)");
    // From the last lesson to the first of the hundred.
    stage.workshop().open_campaign("cats", Place::Lesson(15));
    stage.settle();
    win(&mut stage);
    stage.key(Key::N);
    stage.settle();
    assert_eq!(stage.doc().meta().title, "Level 1 (Normal)");
    stage.workshop().open_campaign("cats", Place::Level(6));
    stage.frames(2);
    assert!(stage.sees("this level is locked"));
}

#[test]
fn the_other_games_play_their_pack_in_order() {
    let mut stage = Stage::at_start(home(), 1024.0, 700.0);
    stage.click_like("Play Match at level 1");
    stage.settle();
    stage.drag_cells(&[(0, 0), (1, 0), (1, 1), (0, 1)]);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won);
    stage.click("Next level");
    stage.settle();
    assert!(stage.workshop().services.keeper.records().campaign("match").is_some_and(|c| c.completed(Place::Level(1))));
    stage.key(Key::Escape);
    assert!(stage.sees("Continue Match at level 2"));
    stage.key(Key::F9);
    stage.picture_of(Pane::Start, "start-small-light");
}

#[test]
fn a_line_that_was_taken_over_is_nobodys_record() {
    let mut stage = Stage::at_start(home(), 1280.0, 800.0);
    stage.click_like("Play Cats at lesson 1");
    stage.settle();
    stage.take_over_solution();
    assert_eq!(stage.doc().status(), Status::Won);
    assert!(stage.workshop().services.keeper.records().campaign("cats").is_some_and(|c| c.won().count() == 0));
}

#[test]
fn an_unsaved_draft_is_offered_after_a_crash_but_not_while_its_program_lives() {
    let mut stage = Stage::new();
    blank(&mut stage, "Cats");
    stage.key(Key::ArrowRight);
    stage.keys(&[Key::Num3, Key::Space]);
    copied(&mut stage);
    let draft = stage.doc().native();
    let root = stage.home.path().join("recovery");
    assert!(recovery::left_behind(&root).drafts.is_empty(), "its program lives");

    let mut stage = Stage::at_start(crash(stage), 1280.0, 800.0);
    looked(&mut stage);
    assert!(stage.sees("Recovered levels") && stage.sees("Restore Untitled Cats"));
    stage.click("Later");
    assert!(stage.sees("Not saved when the program ended"), "it stays on the start page");
    stage.click("Restore Untitled Cats");
    stage.settle();
    assert_eq!(stage.doc().native(), draft);
    assert!(stage.doc().dirty() && stage.workshop().session.mode == Mode::Edit);
    copied(&mut stage);
    assert!(recovery::left_behind(&root).drafts.is_empty(), "the old copy has made room for the new one");

    let mut stage = Stage::at_start(crash(stage), 1280.0, 800.0);
    looked(&mut stage);
    stage.click("Discard all…");
    assert!(stage.sees("for good?") && stage.workshop().services.rescue.left.len() == 1, "it asks");
    stage.click("Discard for good");
    stage.frames(2);
    assert!(stage.workshop().services.rescue.left.is_empty() && stage.workshop().dialog.is_none());
    assert!(recovery::left_behind(&root).drafts.is_empty());
}

#[test]
fn after_a_crash_the_other_levels_that_were_open_are_open_again() {
    let mut stage = Stage::new();
    stage.workshop().open_shipped("cats", 3);
    stage.workshop().open_shipped("match", 2);
    blank(&mut stage, "Cats");
    stage.key(Key::ArrowRight);
    stage.keys(&[Key::Num3, Key::Space]);
    copied(&mut stage);
    let mut stage = Stage::at_start(crash(stage), 1280.0, 800.0);
    looked(&mut stage);
    assert!(stage.sees("Recovered levels"));
    for level in [LevelId::Shipped("cats", 3), LevelId::Shipped("match", 2)] {
        assert_eq!(stage.workshop().session.open.iter().filter(|o| o.level == level).count(), 1, "{level:?}");
    }
}

#[test]
fn a_draft_that_is_saved_or_closed_leaves_no_copy() {
    let mut stage = Stage::new();
    blank(&mut stage, "Cats");
    stage.key(Key::ArrowRight);
    stage.keys(&[Key::Num3, Key::Space]);
    copied(&mut stage);
    let file = stage.home.path().join("mine.ron");
    let level = stage.front();
    stage.workshop().save_to(level, file, Then::Stay);
    stage.settle();
    copied(&mut stage);
    let root = stage.home.path().join("recovery");
    let copies = |root: &Path| walk(root).into_iter().filter(|p| p.ends_with(".ron")).count();
    assert_eq!(copies(&root), 0);
    stage.chord(CTRL, Key::Q);
    assert!(!root.exists() || walk(&root).is_empty(), "who leaves properly leaves nothing");
}

fn walk(folder: &Path) -> Vec<String> {
    let names = tilewright::disk::file_names(folder).unwrap_or_default();
    names
        .iter()
        .flat_map(|n| {
            let path = folder.join(n);
            if path.is_dir() { walk(&path) } else { vec![n.clone()] }
        })
        .collect()
}

#[test]
fn an_earlier_version_of_a_saved_file_can_be_opened() {
    let mut stage = Stage::new();
    blank(&mut stage, "Cats");
    let file = stage.home.path().join("mine.ron");
    let level = stage.front();
    stage.workshop().save_to(level, file.clone(), Then::Stay);
    stage.settle();
    let first = stage.doc().native();
    stage.key(Key::ArrowRight);
    stage.keys(&[Key::Num3, Key::Space]);
    stage.chord(CTRL, Key::S);
    stage.settle();
    assert_ne!(fs::read_to_string(&file).expect("the file"), first);
    stage.chord(Modifiers::ALT, Key::V);
    stage.wait_for("a version is listed", |s| s.sees("Open version 1 of 1"));
    stage.click("Open version 1 of 1");
    stage.settle();
    assert_eq!(stage.doc().native(), first);
    assert!(stage.doc().dirty(), "a level of its own that is not saved yet");
}

#[test]
fn the_level_after_the_last_seed_is_the_one_of_the_first() {
    let mut stage = Stage::new();
    let game = games::by_id("null").expect("always built");
    let (preset, mut probe) = (game.presets().remove(0), tilewright::job::Probe::new(Default::default()));
    let made = game.generate(preset.id, &preset.values, u64::MAX, &mut probe).expect("a level");
    let level = LevelId::generated(&*made.doc);
    stage.workshop().add(made.doc, level, Mode::Play);
    stage.settle();
    stage.key(Key::N);
    stage.settle();
    assert_eq!(stage.doc().origin().map(|o| o.seed), Some(0));
}

#[test]
fn the_start_page_and_its_lists_begin_at_their_top() {
    let mut stage = Stage::at_start(home(), 1024.0, 600.0);
    stage.settle();
    let top = stage.place("Levels of Cats");
    let scroll = |stage: &mut Stage| {
        stage.move_to(egui::pos2(480.0, 400.0));
        for _ in 0..8 {
            let delta = egui::vec2(0.0, -20.0);
            let (unit, phase, source) =
                (egui::MouseWheelUnit::Point, egui::TouchPhase::Move, egui::MouseWheelSource::Wheel);
            stage.harness.event(egui::Event::MouseWheel { unit, delta, phase, source, modifiers: Modifiers::NONE });
            stage.frames(6);
        }
    };
    scroll(&mut stage);
    assert_ne!(stage.place("Levels of Cats"), top, "at this size there is something to scroll");
    // A list of levels has nothing to do with how far the page before it was scrolled, nor the other way round.
    stage.click("Levels of Sbokena");
    stage.settle();
    let back = stage.place("Back");
    scroll(&mut stage);
    stage.key(Key::Escape);
    stage.settle();
    assert_eq!(stage.place("Levels of Cats"), top);
    stage.click("Levels of Sbokena");
    stage.settle();
    assert_eq!(stage.place("Back"), back);
    stage.key(Key::Escape);
    // Another run has egui's memory of the last one.
    stage.settle();
    scroll(&mut stage);
    stage.workshop().start = tilewright::app::panels::start::StartUi::default();
    stage.settle();
    assert_eq!(stage.place("Levels of Cats"), top);
}
