//! The window, used as a person uses it: found by the names of things, clicked, dragged, typed into, looked at.
#![cfg(feature = "window-tests")]

#[path = "window/painter.rs"]
mod painter;
#[path = "window/stage.rs"]
mod stage;

use egui::Key;
use stage::Stage;
use tilewright::{document::SolveState, game::Status, games};

#[test]
fn every_shipped_first_level_can_be_solved_stepped_and_taken_over_to_a_win() {
    for game in games::offered().iter().filter(|g| !g.info().levels.is_empty()) {
        let mut stage = Stage::new();
        stage.workshop().open_shipped(game.info().id, 0);
        stage.frames(4);
        stage.key(Key::F6);
        stage.settle();
        assert_eq!(stage.doc().solve_state(), SolveState::Done, "{}", game.info().id);
        let steps = stage.doc().line_len();
        assert!(steps > 0, "{}", game.info().id);
        stage.click_like("Last step");
        stage.settle();
        assert_eq!(stage.doc().step(), steps);
        stage.click("Take over here");
        stage.settle();
        assert_eq!(stage.doc().status(), Status::Won, "{}", game.info().id);
        assert!(stage.sees("LEVEL COMPLETE!"), "{}", game.info().id);
    }
}
