//! The tour of the first start, colours for all eyes, and what the program is built from.

use crate::stage::Stage;
use egui::Key;
use tilewright::app::{keys::Action, tour::Tour};

#[test]
fn the_tour_has_five_steps_can_be_skipped_and_is_not_shown_again() {
    let mut stage = Stage::new();
    stage.workshop().tour = Some(Tour::BEGIN);
    stage.frames(4);
    for (step, title) in ["Choose a level", "Play it", "Draw your own", "Solve it", "Make more"].iter().enumerate() {
        assert!(stage.sees(title) && stage.sees(&format!("{} of 5", step + 1)), "{title}");
        if step == 1 {
            stage.picture("tour");
        }
        if step < 4 {
            stage.click("Next");
            stage.frames(3);
        }
    }
    stage.click("Back");
    stage.frames(3);
    assert!(stage.sees("Solve it"));
    stage.keys(&[Key::Escape]);
    assert!(!stage.sees("Solve it"), "Escape ends it");
    assert!(stage.workshop().settings.toured);
    stage.harness.state_mut().save_settings();
    let Stage { home, harness } = stage;
    drop(harness);
    let mut again = Stage::at_home(home, 1280.0, 800.0);
    assert!(again.workshop().settings.toured, "it is not offered again");
}

#[test]
fn colours_for_all_eyes_are_chosen_in_the_preferences() {
    let mut stage = Stage::new();
    let usual = stage.workshop().colours.clone();
    stage.chord(egui::Modifiers::COMMAND, Key::Comma);
    stage.click("Colours");
    assert_ne!(stage.workshop().colours.pieces, usual.pieces);
    stage.click_in_dialog("Close");
    stage.picture("all-eyes");
}

#[test]
fn about_names_what_the_program_is_built_from() {
    let mut stage = Stage::new();
    stage.workshop().ask(Action::About);
    stage.frames(4);
    assert!(stage.sees("MIT OR Apache-2.0"));
}
