//! Every dialog and card there is: something has the focus at once, Enter presses the marked default, Escape closes the top thing only, a click outside closes
//! nothing, and nothing behind it reacts.

use super::{
    CTRL, blank,
    campaign::{copied, crash, looked},
    stage::Stage,
};
use egui::{Key, Modifiers, pos2};
use tilewright::app::{
    dialogs::{Dialog, Then},
    keys::Action,
    panels::library::Task,
    tour::Tour,
};

/// How many kinds of dialog there are: a new one does not compile here until it has its place in [`kind`], nor pass until [`open`] opens it.
const KINDS: usize = 16;

fn kind(dialog: &Dialog) -> usize {
    match dialog {
        Dialog::New { .. } => 0,
        Dialog::Open { .. } => 1,
        Dialog::Resize { .. } => 3,
        Dialog::SaveChanges { .. } => 4,
        Dialog::NewGame { .. } => 5,
        Dialog::Recovered { .. } => 6,
        Dialog::Export(_) => 7,
        Dialog::Versions(_) => 8,
        Dialog::Library(_) => 9,
        Dialog::Keys(_) => 10,
        Dialog::Preferences => 11,
        Dialog::Rules(_) => 12,
        Dialog::About => 13,
        Dialog::KeysHere => 2,
        Dialog::Guide => 14,
        Dialog::SaveAll => 15,
    }
}

/// A window with a level that has a file, a draft that a crash has left, and an unsaved change in the editor.
fn prepared() -> Stage {
    let mut stage = Stage::new();
    blank(&mut stage, "Cats");
    stage.keys(&[Key::ArrowRight, Key::Num3, Key::Space]);
    copied(&mut stage);
    let mut stage = Stage::at_home(crash(stage), 1280.0, 800.0);
    looked(&mut stage);
    stage.click("Later");
    blank(&mut stage, "Cats");
    stage.chord(CTRL, Key::S);
    stage.frames(3);
    stage.click_in_dialog("Save");
    stage.settle();
    stage.keys(&[Key::ArrowRight, Key::Num3, Key::Space]);
    stage.settle();
    assert!(stage.doc().dirty());
    stage
}

fn open(stage: &mut Stage, which: usize) {
    let act = match which {
        0 => Action::New,
        1 => Action::Open,
        3 => Action::Resize,
        4 => Action::CloseLevel,
        7 => Action::Export,
        8 => Action::Earlier,
        9 => {
            // What is searched for is selected with Enter.
            let title = stage.workshop().session.open[0].title();
            stage.chord(CTRL, Key::F);
            stage.type_text(&title);
            stage.settle();
            stage.key(Key::Enter);
            Action::Library(Task::NewPack)
        }
        10 => Action::Keys,
        11 => Action::Preferences,
        12 => Action::Rules,
        13 => Action::About,
        2 => Action::KeysHere,
        14 => Action::Guide,
        5 => {
            stage.workshop().dialog = Some(Dialog::NewGame { game: "cats" });
            return stage.frames(3);
        }
        15 => {
            stage.workshop().dialog = Some(Dialog::SaveAll);
            return stage.frames(3);
        }
        _ => {
            stage.workshop().dialog = Some(Dialog::Recovered { discard: None });
            return stage.frames(3);
        }
    };
    stage.workshop().ask(act);
    stage.frames(4);
}

#[test]
fn every_dialog_has_a_first_focus_a_default_on_enter_and_closes_on_escape_alone() {
    let mut stage = prepared();
    for which in 0..KINDS {
        let draft = stage.doc().native();
        let levels = stage.workshop().session.open.len();
        open(&mut stage, which);
        let found = stage.workshop().dialog.as_ref().map(kind);
        assert_eq!(found, Some(which), "dialog {which} is open");
        let focus = stage.harness.ctx.memory(|m| m.focused());
        assert!(focus.is_some(), "dialog {which}: something has the focus");
        let ctx = stage.harness.ctx.clone();
        assert!(!stage.workshop().frame.board_focused(&ctx), "dialog {which}: not the board");
        // Nothing behind it reacts: not to the pointer, not to keys with a meaning in the editor.
        stage.click_at(pos2(640.0, 780.0));
        stage.click_at(pos2(300.0, 300.0));
        for key in [Key::Delete, Key::F5, Key::F9] {
            stage.key(key);
        }
        stage.chord(CTRL, Key::Z);
        assert_eq!(stage.workshop().dialog.as_ref().map(kind), Some(which), "dialog {which} stays");
        assert_eq!(stage.doc().native(), draft, "dialog {which}: the draft behind it");
        stage.key(Key::Escape);
        assert!(stage.workshop().dialog.is_none(), "dialog {which} closes on Escape");
        assert_eq!(stage.workshop().session.open.len(), levels, "dialog {which}: Escape does nothing else");
        assert_eq!(stage.doc().native(), draft, "dialog {which}: the draft after Escape");
    }
}

#[test]
fn enter_presses_the_default_of_every_dialog() {
    let mut stage = prepared();
    // Those that only inform close; those that do something do it.
    for which in [2, 8, 10, 11, 12, 13, 14] {
        open(&mut stage, which);
        stage.key(Key::Enter);
        assert!(stage.workshop().dialog.is_none(), "dialog {which}");
    }
    let levels = stage.workshop().session.open.len();
    open(&mut stage, 0);
    stage.key(Key::Enter);
    stage.settle();
    assert_eq!(stage.workshop().session.open.len(), levels + 1, "Enter creates");
    stage.chord(CTRL, Key::W);
    open(&mut stage, 3);
    stage.key(Key::Enter);
    assert!(stage.workshop().dialog.is_none(), "Enter resizes");
    // A file of that name is asked about once more: Enter replaces it.
    stage.workshop().ask(Action::SaveAs);
    stage.frames(4);
    assert!(stage.sees("Save as"));
    stage.key(Key::Enter);
    stage.settle();
    assert!(stage.workshop().dialog.is_none() && !stage.doc().dirty(), "Enter saves");
    open(&mut stage, 6);
    let left = stage.workshop().services.rescue.left.len();
    stage.key(Key::Enter);
    stage.settle();
    assert!(left > 0 && stage.workshop().services.rescue.left.is_empty(), "Enter restores");
    // What is destroyed is not the default.
    stage.workshop().dialog = None;
}

#[test]
fn a_dialog_over_a_dialog_closes_alone() {
    let mut stage = prepared();
    open(&mut stage, 6);
    stage.click("Discard all…");
    assert!(stage.sees("for good?"));
    stage.key(Key::Escape);
    assert!(stage.sees("Restore all"), "back in the list");
    stage.click("Discard all…");
    stage.key(Key::Enter);
    assert!(!stage.workshop().services.rescue.left.is_empty(), "Enter does not destroy");
}

#[test]
fn typing_in_the_sheet_of_keys_searches_and_plus_zooms_on_every_layout() {
    let mut stage = Stage::new();
    stage.key(Key::F1);
    let before = stage.place("Reset all");
    stage.type_text("eyedropper");
    stage.frames(3);
    assert_eq!(stage.place("Reset all"), before, "the sheet stays where it is while one types");
    assert!(stage.sees("Eyedropper") && !stage.sees("Another key for Brush"));
    assert!(!stage.sees("Rectangle"), "only what was searched for");
    stage.key(Key::Escape);
    assert!(stage.workshop().dialog.is_none());
    let scale = |stage: &mut Stage| stage.workshop().session.current().map_or(0.0, |o| o.scale);
    let before = scale(&mut stage);
    stage.chord(Modifiers::SHIFT, Key::Plus);
    assert!(scale(&mut stage) > before, "Shift is needed to type + on many layouts");
    stage.chord(Modifiers::SHIFT, Key::Questionmark);
    assert!(stage.sees("All keys…") && stage.sees("go to the next shape"), "one page for this game");
    stage.click("All keys…");
    stage.frames(2);
    assert!(stage.sees("Reset all"), "the table is behind it");
}

#[test]
fn escape_in_the_search_of_the_library_leaves_only_the_search() {
    let mut stage = Stage::new();
    stage.chord(CTRL, Key::F);
    stage.type_text("cat");
    stage.key(Key::Escape);
    stage.frames(2);
    assert!(stage.workshop().is_front(tilewright::app::dock::Pane::Play), "not to the start page");
}

#[test]
fn the_tour_and_the_command_palette_keep_everything_else_out() {
    let mut stage = Stage::new();
    let moves = stage.doc().progress();
    stage.workshop().tour = Some(Tour::BEGIN);
    stage.frames(4);
    assert!(stage.sees("1 of 5"));
    stage.click_at(pos2(640.0, 400.0));
    stage.key(Key::Enter);
    stage.frames(3);
    assert!(stage.sees("2 of 5"), "Enter goes on");
    stage.key(Key::ArrowRight);
    assert_eq!(stage.doc().progress(), moves, "the level behind the tour");
    stage.key(Key::Escape);
    assert!(stage.workshop().tour.is_none());
    stage.chord(CTRL, Key::K);
    stage.key(Key::F5);
    assert!(stage.workshop().finder.is_open());
    stage.key(Key::Escape);
    assert!(!stage.workshop().finder.is_open());
    assert!(stage.workshop().is_front(tilewright::app::dock::Pane::Play), "Escape closed the palette alone");
}

#[test]
fn the_guide_names_every_panel_and_game_and_the_keys_as_they_are_now() {
    let mut stage = Stage::sized(1024.0, 700.0);
    stage.workshop().message = None;
    stage.chord(CTRL, Key::F1);
    stage.frames(3);
    for pane in tilewright::app::dock::Pane::ALL {
        assert!(stage.sees(&format!("{} (Alt+", pane.title())), "{}", pane.title());
    }
    for game in tilewright::games::offered() {
        assert!(stage.sees(game.info().rules) && stage.sees(game.info().summary), "{}", game.info().id);
    }
    assert!(stage.sees("Ctrl+N makes an empty board"));
    stage.picture("guide");
}

/// A level with a file and one without, both with changes.
fn two_changed() -> (Stage, std::path::PathBuf) {
    let mut stage = Stage::new();
    blank(&mut stage, "Cats");
    let folder = stage.home.path().join("apart");
    std::fs::create_dir(&folder).expect("a folder");
    let (file, level) = (folder.join("one.ron"), stage.front());
    stage.workshop().save_to(level, file.clone(), Then::Stay);
    stage.settle();
    for game in ["Cats", "Sbokena"] {
        if game != "Cats" {
            blank(&mut stage, game);
        }
        stage.keys(&[Key::ArrowRight, Key::Num3, Key::Space]);
        stage.settle();
        assert!(stage.doc().dirty(), "{game}");
    }
    (stage, file)
}

#[test]
fn quitting_asks_once_about_all_changed_levels_and_saves_them() {
    let (mut stage, file) = two_changed();
    let before = std::fs::read(&file).expect("it was saved");
    let levels = stage.workshop().session.open.len();
    stage.chord(CTRL, Key::Q);
    assert!(stage.sees("2 levels have unsaved changes:") && stage.sees("Cats, one.ron") && stage.sees("never saved"));
    // It names the folder of this run.
    stage.workshop().message = None;
    stage.frames(2);
    stage.picture("quit-unsaved");
    stage.key(Key::Escape);
    assert!(!stage.workshop().leaving && stage.workshop().session.open.len() == levels);
    stage.chord(CTRL, Key::Q);
    stage.key(Key::Enter);
    stage.settle();
    assert_ne!(std::fs::read(&file).expect("it is there"), before, "the one with a file is saved");
    // The other one needs a name: the window stays until it has one.
    assert!(stage.sees("Save as") && stage.sees("has no file yet: give it a name"));
    assert!(!stage.workshop().leaving);
    stage.key(Key::Enter);
    stage.settle();
    assert!(stage.workshop().leaving);
    assert!(stage.home.path().join("levels/untitled-sbokena.ron").exists());
}

#[test]
fn a_level_that_cannot_be_saved_keeps_the_window_open_and_discarding_ends_it() {
    let (mut stage, file) = two_changed();
    let levels = stage.workshop().session.open.len();
    let folder = file.parent().expect("a folder");
    std::fs::remove_dir_all(folder).expect("it is there");
    std::fs::write(folder, "no folder any more").expect("a file");
    stage.chord(CTRL, Key::Q);
    stage.click("Save all");
    stage.settle();
    assert!(stage.sees("the window stays open"));
    assert!(!stage.workshop().leaving && stage.workshop().dialog.is_none());
    assert_eq!(stage.workshop().session.open.len(), levels, "nothing was closed");
    stage.chord(CTRL, Key::Q);
    stage.click("Discard all");
    assert!(stage.workshop().leaving);
}

#[test]
fn save_as_proposes_a_name_that_is_free() {
    let mut stage = Stage::new();
    for name in ["untitled-cats.ron", "untitled-cats-2.ron", "untitled-cats-3.ron"] {
        blank(&mut stage, "Cats");
        stage.chord(CTRL, Key::S);
        stage.frames(3);
        stage.click_in_dialog("Save");
        stage.settle();
        assert!(stage.workshop().dialog.is_none(), "nothing is asked about {name}");
        let path = stage.workshop().session.current().and_then(|o| o.path().map(|p| p.to_path_buf()));
        assert_eq!(path, Some(stage.home.path().join("levels").join(name)));
        assert!(stage.doc().meta().title.is_empty(), "a name that was proposed is no title");
    }
}
