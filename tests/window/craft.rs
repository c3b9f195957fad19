//! Edit for real work: finding things, one's own keys, history, stamps, variants, the what-if map, mending.

use super::{CTRL, blank, stage::Stage};
use egui::{Key, Modifiers};
use tilewright::app::{theme::Theme, workshop::Mode};

/// The same home again, as after a restart.
fn restarted(mut stage: Stage) -> Stage {
    stage.harness.state_mut().save_settings();
    let Stage { harness, home } = stage;
    drop(harness);
    Stage::at_home(home, 1280.0, 800.0)
}

#[test]
fn the_box_that_finds_everything_runs_what_is_chosen_and_says_why_not() {
    let mut stage = Stage::new();
    stage.chord(CTRL, Key::K);
    stage.settle();
    stage.picture("craft-find");
    stage.type_text("dark lig");
    stage.key(Key::Enter);
    assert_eq!(stage.workshop().settings.theme, Theme::Light);
    assert!(!stage.workshop().palette.is_open());

    // What cannot be done now is there, with the reason, and does nothing.
    stage.chord(CTRL, Key::P);
    stage.settle();
    stage.type_text("turn the board");
    assert!(stage.sees("Turn the board (only in Edit)"));
    stage.key(Key::Enter);
    assert!(stage.workshop().palette.is_open(), "it stays open");
    stage.picture("craft-find-light");
    stage.key(Key::Escape);
    assert!(!stage.workshop().palette.is_open());

    // A shipped level by its title; the keys work at once afterwards.
    stage.chord(CTRL, Key::K);
    stage.settle();
    stage.type_text("doorstop");
    stage.key(Key::Enter);
    stage.settle();
    assert_eq!(stage.doc().meta().title, "Doorstop");
    stage.key(Key::F5);
    assert!(stage.workshop().mode == Mode::Edit);

    // What was used last comes first.
    stage.chord(CTRL, Key::K);
    stage.settle();
    stage.keys(&[Key::ArrowDown, Key::Enter]);
    assert_eq!(stage.workshop().settings.theme, Theme::Dark, "the last but one again");
}

#[test]
fn a_key_is_chosen_taken_over_after_asking_and_kept_after_a_restart() {
    let mut stage = Stage::new();
    stage.key(Key::F1);
    stage.click("search the keys");
    stage.type_text("dark");
    stage.click("Dark / light: F9");
    assert!(stage.sees("press a key"));
    // The key of another action is asked about first.
    stage.chord(CTRL, Key::N);
    assert!(stage.sees("is the key of \"New level…\""));
    stage.click("Leave it");
    stage.click("Dark / light: F9");
    stage.chord(CTRL, Key::N);
    stage.click("Give it to \"Dark / light\"");
    assert!(stage.sees("Dark / light: Ctrl+N"));
    stage.click_in_dialog("Close");

    let mut stage = restarted(stage);
    stage.chord(CTRL, Key::N);
    assert_eq!(stage.workshop().settings.theme, Theme::Light, "the new key");
    assert!(stage.workshop().dialog.is_none(), "the old meaning is gone");
    stage.key(Key::F9);
    assert_eq!(stage.workshop().settings.theme, Theme::Light, "the old key too");

    // Back to the usual keys, and unknown ones in the file are named.
    stage.chord(Modifiers::SHIFT, Key::Slash);
    stage.settle();
    stage.picture("craft-keys");
    stage.click_in_dialog("All as usual");
    stage.click_in_dialog("Close");
    stage.key(Key::F9);
    assert_eq!(stage.workshop().settings.theme, Theme::Dark);
    stage.workshop().settings.keys.insert("fly".into(), vec!["F".into()]);
    let stage = restarted(stage);
    assert!(stage.sees("\"fly\", which is no action"));
}

#[test]
fn wishes_are_in_one_dialog_and_in_force_at_once() {
    let mut stage = Stage::sized(1024.0, 700.0);
    stage.chord(CTRL, Key::Comma);
    stage.click("light");
    assert_eq!(stage.workshop().settings.theme, Theme::Light);
    stage.click("opens a menu");
    stage.picture("craft-preferences");
    stage.click_in_dialog("Close");
    blank(&mut stage, "Match");
    stage.right_click_cell(1, 1);
    assert!(stage.sees("Pick up as brush"));
    stage.click_like("Fill with");
    assert!(!stage.cell_name(0, 0).contains("empty"), "{}", stage.cell_name(0, 0));
}
