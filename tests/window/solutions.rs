//! Solutions in the window: kept, compared side by side, stale after an edit; and the difficulty beside them.

use crate::stage::Stage;
use egui::Key;

#[test]
fn a_solution_is_kept_compared_and_marked_stale_after_an_edit() {
    let mut stage = Stage::new();
    stage.click("Two of a kind");
    stage.settle();
    stage.keys(&[Key::F6]);
    stage.settle();
    stage.click("Keep with the level");
    assert!(stage.sees("Kept solutions"), "the list of kept solutions");
    stage.click_like("steps: ");
    stage.settle();
    stage.reach("Compare");
    assert!(stage.sees("the line beside it") && stage.sees("Close"), "two boards");
    stage.picture("solutions-beside");
    stage.reach("Close");
    assert!(!stage.sees("the line beside it"));
    // An empty board has no solution.
    stage.keys(&[Key::F5]);
    stage.chord(egui::Modifiers::COMMAND, Key::A);
    stage.keys(&[Key::Delete]);
    stage.settle();
    assert!(stage.sees("stale"), "the kept solution does not solve the draft any more");
}

#[test]
fn the_difficulty_of_the_level_in_front_is_shown_and_follows_edits() {
    let mut stage = Stage::new();
    stage.workshop().settings.rate_live = true;
    stage.settle();
    assert!(stage.sees("Difficulty "), "a number");
    stage.click("Measurements");
    assert!(stage.sees("moves to choose from"));
    let rating = stage.doc().rating().and_then(|r| r.difficulty).expect("rated");
    assert!(stage.sees(&format!("Difficulty {rating:.0}")));
}
