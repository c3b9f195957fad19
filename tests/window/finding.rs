//! Finding and starting: the box that finds every level, the list that follows, the generator that follows, the way to the menu.

use super::{CTRL, stage::Stage};
use egui::{Key, Modifiers};
use tilewright::{
    app::{dock::Pane, workshop::Mode},
    disk::LevelId,
    games,
    grid::Size,
    memory::Place,
};

#[test]
fn the_levels_of_an_opened_collection_are_found_by_name_and_exact_titles_come_first() {
    let mut stage = Stage::new();
    let room = |title: &str| format!("#####\n#@$.#\n#####\nTitle: {title}\n\n");
    let text: String = ["Far door", "The door again", "Door"].iter().map(|t| room(t)).collect();
    super::moves::open_text(&mut stage, "doors.xsb", &text);
    stage.settle();
    stage.chord(CTRL, Key::K);
    stage.settle();
    stage.type_text("door");
    stage.frames(2);
    stage.key(Key::Enter);
    stage.settle();
    assert_eq!(stage.doc().meta().title, "Door", "not what begins so, and not what has it somewhere");
    // The list has followed: what is in front is selected there.
    let front = stage.workshop().session.current().expect("it is open").level.clone();
    assert!(stage.workshop().library.is_chosen(&front));
}

#[test]
fn generated_levels_are_listed_with_their_game_and_each_of_them_once() {
    let mut stage = Stage::with("match", 0);
    stage.chord(Modifiers::ALT, Key::Num5);
    stage.frames(3);
    let listed = |stage: &Stage| stage.all_like("open the level with seed").len();
    stage.click_in_dialog("Generate");
    stage.settle();
    assert_eq!(listed(&stage), 6);
    stage.open("readout", 0);
    stage.frames(3);
    assert_eq!(listed(&stage), 0, "those of another game are not in sight");
    // The board in order: there is but one.
    stage.click("Literal");
    stage.click_in_dialog("Generate");
    stage.settle();
    assert_eq!(listed(&stage), 1);
    assert!(stage.sees("5 levels left out: in the list already"));
    stage.click("Clear");
    assert_eq!(listed(&stage), 0);
    stage.open("match", 1);
    stage.frames(3);
    assert_eq!(listed(&stage), 6, "they are there again with their game");
}

#[test]
fn the_generator_follows_the_game_in_front_and_makes_new_levels_unless_the_seed_is_locked() {
    let mut stage = Stage::with("match", 0);
    stage.chord(Modifiers::ALT, Key::Num5);
    stage.frames(3);
    stage.click("Parameters");
    stage.settle();
    assert!(stage.sees("Columns"), "Match has columns");
    let seed = stage.workshop().generate.seed_shown();
    // The tab has the same name.
    stage.click_in_dialog("Generate");
    stage.settle();
    let next = stage.workshop().generate.seed_shown();
    assert!(next > seed, "the next press makes others");
    stage.reach("lock");
    stage.click_in_dialog("Generate");
    stage.settle();
    assert_eq!(stage.workshop().generate.seed_shown(), next, "a locked seed stays");
    stage.open("sbokena", 0);
    stage.chord(Modifiers::ALT, Key::Num5);
    stage.frames(3);
    assert!(stage.sees("Boxes"), "Sbokena has boxes");
    stage.harness.state_mut().save_settings();
    let Stage { harness, home } = stage;
    drop(harness);
    let mut stage = Stage::at_home(home, 1280.0, 800.0);
    stage.open("match", 0);
    stage.chord(Modifiers::ALT, Key::Num5);
    stage.frames(3);
    assert_eq!(stage.workshop().generate.seed_shown(), next, "another day goes on");
}

#[test]
fn in_a_small_window_the_generator_shows_its_button_and_what_it_makes() {
    let mut stage = Stage::sized(1024.0, 700.0);
    stage.chord(Modifiers::ALT, Key::Num5);
    stage.frames(3);
    stage.click_in_dialog("Generate");
    stage.settle();
    let panel = stage.harness.state_mut().layout().place(Pane::Generate).expect("it is in sight");
    let made = stage.all_like("open the level with seed");
    assert!(made.len() == 6 && panel.contains(made[0]) && panel.contains(made[1]), "{made:?} in {panel}");
    assert!(panel.contains(stage.place("Parameters")));
}

#[test]
fn the_library_shows_the_level_in_front_however_it_was_opened() {
    let mut stage = Stage::with("sbokena", 0);
    stage.settle();
    assert!(stage.workshop().library.is_chosen(&LevelId::Shipped("sbokena", 0)));
    stage.workshop().open_campaign("match", Place::Level(1));
    stage.settle();
    assert!(stage.workshop().library.is_chosen(&LevelId::Shipped("match", 0)), "a level of a campaign");
    let blank = games::offered()[0].blank(Size::new(4, 4));
    stage.workshop().add(blank, LevelId::New, Mode::Edit);
    stage.settle();
    assert!(!stage.workshop().library.is_chosen(&LevelId::Shipped("match", 0)), "one that is not listed");
}

#[test]
fn escape_leads_to_the_menu_and_all_levels_close_at_once() {
    let mut stage = Stage::with("cats", 0);
    stage.open("cats", 1);
    stage.key(Key::Escape);
    stage.click("Levels of Cats");
    stage.frames(3);
    stage.key(Key::Escape);
    stage.key(Key::Escape);
    assert!(stage.workshop().is_front(Pane::Play));
    stage.key(Key::Escape);
    stage.frames(2);
    assert!(stage.sees("New level…"), "the front of the start page, not the list that was left there");
    stage.key(Key::Escape);
    // One of them has changes: the others close, and it is asked about.
    stage.key(Key::F5);
    assert!(stage.workshop().session.mode == Mode::Edit);
    stage.keys(&[Key::ArrowRight, Key::Num3, Key::Space]);
    stage.settle();
    stage.chord(CTRL | Modifiers::SHIFT, Key::W);
    stage.frames(2);
    assert_eq!(stage.workshop().session.open.len(), 1);
    assert!(stage.sees("Save changes?"));
    stage.click("Discard");
    assert!(stage.workshop().session.open.is_empty());
}
