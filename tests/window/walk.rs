//! The way of a new user, in every game: from the first start to a level of one's own that is drawn, judged, tried, saved and exported, without anything but
//! what the window shows.

use super::{CTRL, save_and_reopen, stage::Stage};
use egui::{Key, Modifiers};
use tilewright::{app::workshop::Mode, document::SolveState, games};

/// What is done to draw.
pub enum Draw {
    /// A button: a swatch or a command.
    Click(&'static str),
    /// A stroke.
    Stroke(&'static [(i16, i16)]),
}
use Draw::{Click, Stroke};

/// A small level for each game, in strokes.
pub fn strokes(game: &str) -> &'static [Draw] {
    match game {
        "cats" => &[Click("red cat"), Stroke(&[(6, 2)]), Click("red single"), Stroke(&[(3, 2)])],
        "shards" => &[Click("Cut at random")],
        "readout" => &[Click("Swap"), Stroke(&[(4, 4), (3, 4)])],
        "sbokena" => {
            &[Click("Player"), Stroke(&[(2, 2)]), Click("Box"), Stroke(&[(3, 2)]), Click("Goal"), Stroke(&[(5, 2)])]
        }
        "match" => &[Click("Orange"), Stroke(&[(1, 1), (2, 1), (3, 1)])],
        other => panic!("say how a small level of {other} is drawn"),
    }
}

pub fn draw(stage: &mut Stage, step: &Draw) {
    match step {
        Click(name) => stage.reach(name),
        Stroke([(x, y)]) => stage.click_cell(*x, *y),
        Stroke(cells) => stage.drag_cells(cells),
    }
}

#[test]
fn a_new_user_draws_tries_saves_and_exports_a_level_of_every_game() {
    for game in games::offered() {
        let id = game.info().id;
        let mut stage = Stage::at_start(tempfile::tempdir().expect("a temporary folder"), 1280.0, 800.0);
        stage.click("New level…");
        stage.frames(3);
        stage.click(game.info().name);
        stage.click("Create");
        stage.settle();
        assert!(stage.workshop().session.mode == Mode::Edit, "{id}");
        for step in strokes(id) {
            draw(&mut stage, step);
            stage.settle();
        }
        // Against an opponent a level is won, not solved.
        assert!(stage.sees("solvable: ") || stage.sees("winnable: "), "{id}: the verdict");
        stage.workshop().message = None;
        stage.picture(&format!("walk-{id}"));

        // Tried, and solved.
        stage.key(Key::F5);
        stage.settle();
        assert!(stage.workshop().session.mode == Mode::Play && stage.doc().in_play(), "{id}");
        stage.key(Key::F6);
        stage.settle();
        assert!(stage.doc().solve_state() == SolveState::Done && stage.doc().line_len() > 0, "{id}");

        // Saved, opened again, exported as a picture.
        save_and_reopen(&mut stage);
        stage.chord(CTRL | Modifiers::SHIFT, Key::E);
        stage.frames(4);
        stage.click_in_dialog("Export");
        stage.settle();
        let exported = std::fs::read_dir(stage.home.path().join("Documents")).map_or(0, Iterator::count);
        assert!(exported > 0, "{id}: something was exported");
    }
}
