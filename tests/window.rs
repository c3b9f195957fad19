//! The window, used as a person uses it: found by the names of things, clicked, dragged, typed into, looked at.
//!
//! Pictures are compared with those in `tests/golden/window`; `UPDATE_SNAPSHOTS=1 cargo test --test window` records them anew: look at them before
//! they are committed.
#![cfg(feature = "gui")]

#[path = "window/campaign.rs"]
mod campaign;
#[path = "window/comfort.rs"]
mod comfort;
#[path = "window/craft.rs"]
mod craft;
#[path = "window/dialogs.rs"]
mod dialogs;
#[path = "window/export.rs"]
mod export;
#[path = "window/film.rs"]
mod film;
#[path = "window/finding.rs"]
mod finding;
#[path = "window/interrupted.rs"]
mod interrupted;
#[path = "window/library.rs"]
mod library;
#[path = "window/map.rs"]
mod map;
#[path = "window/moves.rs"]
mod moves;
#[path = "window/painter.rs"]
mod painter;
#[path = "window/pictures.rs"]
mod pictures;
#[path = "window/random.rs"]
mod random;
#[path = "window/readable.rs"]
mod readable;
#[path = "window/readout.rs"]
mod readout;
#[path = "window/sbokena.rs"]
mod sbokena;
#[path = "window/seeds.rs"]
mod seeds;
#[path = "window/solutions.rs"]
mod solutions;
#[path = "window/stage.rs"]
mod stage;
#[path = "window/still.rs"]
mod still;
#[path = "window/tandems.rs"]
mod tandems;
#[path = "window/walk.rs"]
mod walk;

use egui::{Key, Modifiers};
use stage::Stage;
use tilewright::{
    app::{dock::Pane, theme::Theme, workshop::Mode},
    document::SolveState,
    game::Status,
    games,
    picture::point,
};

const CTRL: Modifiers = Modifiers::COMMAND;

/// A new board of a game, in the editor.
fn blank(stage: &mut Stage, game: &str) {
    stage.chord(CTRL, Key::N);
    stage.click(game);
    stage.click("Create");
    stage.settle();
    assert!(stage.workshop().session.mode == Mode::Edit, "{game}");
}

/// Saves the level in front under the name that is offered, closes it and opens it again: it is the same, byte by byte.
fn save_and_reopen(stage: &mut Stage) {
    stage.chord(CTRL, Key::S);
    stage.frames(3);
    stage.click_in_dialog("Save");
    stage.settle();
    let path =
        stage.workshop().session.open.last().and_then(|o| Some(o.path()?.to_path_buf())).expect("it has a file now");
    assert!(!stage.doc().dirty());
    let bytes = std::fs::read(&path).expect("the file is there");
    stage.chord(CTRL, Key::W);
    stage.chord(CTRL, Key::O);
    stage.type_text(&path.display().to_string());
    stage.click_in_dialog("Open");
    stage.settle();
    assert_eq!(stage.doc().native().into_bytes(), bytes);
    assert_eq!(stage.workshop().session.open.last().and_then(|o| o.path()), Some(path.as_path()));
}

#[test]
fn a_level_is_drawn_from_blank_judged_played_solved_stepped_saved_and_reopened() {
    let mut stage = Stage::new();
    blank(&mut stage, "Cats");
    assert!(stage.sees("not playable"), "an empty board has problems");
    assert!(stage.sees("problem"), "and names them");

    // A red cat, and a red single on its row: solvable in three steps.
    stage.click("red cat");
    stage.click_cell(6, 2);
    assert_eq!(stage.cell_name(6, 2), "red cat");
    stage.click("red single");
    stage.click_cell(3, 2);
    stage.settle();
    assert!(stage.sees("solvable: 3 steps, 1 drag"), "the live verdict counts: {}", stage.doc().verdict().text);

    // A wall of stones between them makes the way longer; the verdict says what changed, and the stroke is one undo step.
    stage.click("Blocker");
    stage.drag_cells(&[(5, 1), (5, 2), (5, 3)]);
    stage.settle();
    assert!(stage.sees("steps 3 → "), "what changed since the last stroke");
    assert_eq!(stage.cell_name(5, 2), "blocker");
    stage.chord(CTRL, Key::Z);
    stage.settle();
    assert_eq!(stage.cell_name(5, 1), "floor");
    assert!(stage.sees("solvable: 3 steps, 1 drag"));
    stage.picture("cats-edit");

    // Played to a win with the pointer; the draft stays as it is.
    let draft = stage.doc().native();
    stage.key(Key::F5);
    stage.settle();
    stage.drag_cells(&[(3, 2), (4, 2), (5, 2), (6, 2)]);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won);
    assert!(stage.sees("LEVEL COMPLETE!"));
    assert!(stage.sees("3 of 3 stars"));
    stage.picture("cats-won");
    assert_eq!(stage.doc().native(), draft, "playing never touches the draft");

    // Again with the keyboard: the next shape, pick it up, three steps; undo and redo go over them.
    stage.key(Key::R);
    assert_eq!(stage.doc().progress().0, 0);
    stage.keys(&[Key::PageDown, Key::Space, Key::ArrowRight, Key::D, Key::ArrowRight]);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won);
    stage.key(Key::Z);
    assert_eq!(stage.doc().status(), Status::Playing);
    stage.chord(Modifiers::SHIFT, Key::Z);
    assert_eq!(stage.doc().status(), Status::Won);

    // Solve, step to the end.
    stage.key(Key::F6);
    stage.settle();
    assert_eq!(stage.doc().solve_state(), SolveState::Done);
    assert!(stage.sees("solved, optimal"));
    stage.click_like("Last step");
    assert_eq!(stage.doc().step(), 3);
    stage.key(Key::ArrowLeft);
    assert_eq!(stage.doc().step(), 2);
    // Nodes and seconds in Inspect differ from run to run: another panel in front for the picture.
    stage.chord(Modifiers::ALT, Key::Num5);
    stage.settle();
    stage.picture("cats-stepped");

    save_and_reopen(&mut stage);
}

#[test]
fn every_shipped_first_level_can_be_solved_stepped_and_taken_over_to_a_win() {
    for game in games::offered().iter().filter(|g| !g.info().levels.is_empty()) {
        let mut stage = Stage::new();
        let id = game.info().id;
        stage.workshop().open_shipped(id, 0);
        stage.frames(4);
        stage.settle();
        stage.picture(&format!("{id}-first-level"));
        stage.key(Key::F6);
        stage.settle();
        assert_eq!(stage.doc().solve_state(), SolveState::Done, "{id}");
        let steps = stage.doc().line_len();
        assert!(steps > 0, "{id}");
        stage.click_like("Last step");
        stage.settle();
        assert_eq!(stage.doc().step(), steps);
        stage.click("Take over here");
        stage.settle();
        assert_eq!(stage.doc().status(), Status::Won, "{id}");
        assert!(stage.sees("LEVEL COMPLETE!"), "{id}");
        // Back by one and on again: taken over as moves that can be undone.
        stage.key(Key::Z);
        assert_eq!(stage.doc().status(), Status::Playing, "{id}");
    }
}

#[test]
fn every_swatch_of_every_game_paints_and_undoes() {
    for game in games::offered() {
        let mut stage = Stage::new();
        blank(&mut stage, game.info().name);
        let draft = stage.doc().native();
        let swatches = stage.doc().palette().swatches.len();
        let spots = stage.doc().spots(tilewright::document::Board::Draft);
        let (a, b) = (stage::spot_name(spots[spots.len() / 2]), stage::spot_name(spots[spots.len() / 3]));
        for swatch in 0..swatches {
            let active = stage.workshop().session.active;
            let open = &mut stage.workshop().session.open[active];
            open.edit.ink = Some(tilewright::game::Ink { swatch, ..Default::default() });
            let way = [stage.spot(&a), stage.spot(&b)];
            stage.drag(&way);
            stage.click_at(way[0]);
        }
        stage.settle();
        while stage.doc().undo_edit().is_some() {}
        assert_eq!(stage.doc().native(), draft, "{}", game.info().id);
    }
}

#[test]
fn the_window_is_whole_when_small_light_and_with_large_text() {
    let mut stage = Stage::sized(1024.0, 700.0);
    stage.key(Key::F9);
    assert_eq!(stage.workshop().settings.theme, Theme::Light);
    stage.settle();
    stage.picture("small-light");
    stage.key(Key::F5);
    stage.settle();
    stage.picture("small-light-edit");
    for _ in 0..10 {
        stage.chord(CTRL, Key::Plus);
    }
    assert_eq!(stage.workshop().settings.text_scale, 2.0);
    stage.settle();
    stage.picture("small-large-text");
}

#[test]
fn panels_close_come_back_pop_out_and_are_remembered() {
    let mut stage = Stage::new();
    stage.harness.state_mut().layout().close(Pane::Timeline);
    stage.frames(2);
    assert!(!stage.harness.state_mut().layout().is_open(Pane::Timeline));
    stage.click("Inspect in its own window");
    assert!(stage.sees("Dock again"));
    stage.harness.state_mut().save_settings();
    let Stage { harness, home } = stage;
    drop(harness);

    let mut stage = Stage::at_home(home, 1280.0, 800.0);
    assert!(!stage.harness.state_mut().layout().is_open(Pane::Timeline), "a closed panel stays closed");
    assert!(stage.sees("Dock again"), "a panel in its own window stays there");
    stage.click("Dock again");
    assert!(!stage.sees("Dock again"));
    stage.chord(Modifiers::ALT, Key::Num6);
    assert!(stage.harness.state_mut().layout().is_open(Pane::Timeline));
    stage.chord(Modifiers::ALT, Key::Num0);
    for pane in Pane::ALL {
        assert!(stage.harness.state_mut().layout().is_open(pane), "{pane:?}");
    }
}

#[test]
fn changes_are_asked_about_before_they_are_lost() {
    let mut stage = Stage::new();
    blank(&mut stage, games::offered()[0].info().name);
    assert!(!stage.harness.state().title().starts_with("* "));
    stage.key(Key::ArrowRight);
    stage.keys(&[Key::Num3, Key::Space]);
    stage.settle();
    assert!(stage.harness.state().title().starts_with("* "), "the dirty mark");
    stage.chord(CTRL, Key::W);
    assert!(stage.sees("Save changes?"));
    stage.click("Cancel");
    let open = stage.workshop().session.open.len();
    stage.chord(CTRL, Key::W);
    stage.click("Discard");
    assert_eq!(stage.workshop().session.open.len(), open - 1);
    stage.chord(CTRL, Key::Q);
    assert!(stage.workshop().leaving, "nothing is left to lose");
}

#[test]
fn nothing_is_painted_while_nothing_changes() {
    let mut stage = Stage::new();
    stage.settle();
    stage.workshop().message = None;
    stage.frames(20);
    let delay = stage.harness.output().viewport_output.values().map(|v| v.repaint_delay).min();
    assert!(delay.is_some_and(|d| d > std::time::Duration::from_secs(1)), "{delay:?}");
}

#[test]
fn a_board_of_matches_is_cleared_by_pointer_and_by_keys() {
    let mut stage = Stage::with("match", 0);
    stage.drag_cells(&[(0, 0), (1, 0), (1, 1), (0, 1)]);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won, "cleared by the pointer");
    assert!(!stage.sees("score"), "a level is no run");
    stage.key(Key::R);
    assert_eq!(stage.doc().status(), Status::Playing);
    // The next tile after none is the first; pick it up, walk round, let go.
    stage.keys(&[Key::PageDown, Key::Space, Key::ArrowRight, Key::ArrowDown, Key::ArrowLeft, Key::Space]);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won, "cleared by the keyboard");
}

/// Makes the moves of the solution with the document's own input: a win by hand.
fn clear_by_hand(stage: &mut Stage) {
    let board = tilewright::document::Board::Play;
    let mut probe = tilewright::job::Probe::new(tilewright::job::Limits::default());
    let line = stage.doc().solve_now(0, &mut probe).moves.unwrap_or_default();
    assert!(!line.is_empty() && stage.doc().board_size(board).area() == 25);
    stage.doc().play_line(&line).expect("it can be played");
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won);
}

#[test]
fn a_stranded_tile_is_named_and_undo_brings_it_back() {
    let mut stage = Stage::with("match", 3);
    stage.drag_cells(&[(0, 0), (1, 0), (2, 0), (1, 1), (0, 2)]);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Lost);
    assert!(stage.sees("stranded: "), "why it is lost");
    stage.picture("match-stranded");
    stage.click("Take a move back");
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Playing);
    // In the editor: a tile that matches nothing makes the board unclearable, and the verdict says what changed.
    stage.key(Key::F5);
    stage.settle();
    assert!(stage.sees("solvable: 2 drags"));
    stage.click("Green 5");
    stage.click_cell(1, 1);
    stage.settle();
    assert!(stage.sees("unsolvable"));
    assert!(stage.sees("was solvable before this change"));
}

/// The moves of the level in front as its solver has them, one text each.
fn solution(stage: &mut Stage) -> Vec<String> {
    stage.key(Key::F6);
    stage.settle();
    let line = stage.doc().line_text().to_string();
    stage.doc().set_step(0);
    line.split_whitespace().map(str::to_string).collect()
}

#[test]
fn pieces_are_dragged_from_the_tray_to_a_win_and_an_overlap_is_refused() {
    let mut stage = Stage::with("shards", 0);
    let wanted = solution(&mut stage);
    // Where pieces lie in the tray is the view's affair: a person sees them, the test feels for them.
    let extent = stage.doc().extent(tilewright::document::Board::Play);
    let feel = |n: usize, from: f32, to: f32| move |i: usize| from + (to - from) * (i as f32 + 0.5) / n as f32;
    let (tx, ty) = (feel(12, 2.0, extent.x + extent.w), feel(8, extent.y, extent.y + extent.h));
    let (bx, by) = (feel(8, 0.0, 2.0), feel(8, 0.0, 2.0));
    let mut refused = false;
    'pieces: while stage.doc().status() == Status::Playing {
        let placed = stage.doc().progress().0;
        for t in 0..96 {
            let from = point(tx(t % 12), ty(t / 12));
            if !stage.takes_up(from) {
                continue;
            }
            for b in 0..64 {
                stage.drag_points(from, point(bx(b % 8), by(b / 8)));
                if stage.doc().progress().0 == placed {
                    refused |= stage.workshop().message.as_ref().is_some_and(|s| s.text.contains("would lie over"));
                    continue;
                }
                let last = stage.doc().played_line().split_whitespace().last().unwrap_or_default().to_string();
                if wanted.contains(&last) {
                    continue 'pieces;
                }
                stage.doc().undo();
            }
        }
        panic!("no piece could be placed");
    }
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won);
    assert!(stage.sees("LEVEL COMPLETE!"));
    assert!(refused, "a drop onto a placed piece is refused and says so");
}

#[test]
fn a_level_of_shards_is_cut_counted_turned_and_stepped() {
    let mut stage = Stage::new();
    blank(&mut stage, "Shards");
    stage.reach("Cut at random");
    stage.settle();
    assert!(stage.sees("solvable: "), "a cut board can be filled");
    // Pieces that may be turned fit in more ways: sooner or later, with one cut or another, the count changes and the verdict says so.
    let changed = (0..20).any(|_| {
        stage.reach("Rotation");
        stage.settle();
        let changed = stage.doc().verdict().change.clone();
        stage.reach("Rotation");
        stage.reach("Cut at random");
        stage.settle();
        changed.is_some_and(|c| c.starts_with("solutions 1 → "))
    });
    assert!(changed, "the number of solutions changes with the rules");
    stage.key(Key::F6);
    stage.settle();
    stage.click_like("Last step");
    assert_eq!(stage.doc().step(), stage.doc().line_len());

    // Where the rules allow it, T turns the piece in hand: its placing is written with a turn.
    let turning =
        games::by_id("shards").expect("it is there").info().levels.iter().position(|l| l.contains("\"rotate\": true"));
    stage.open("shards", turning.expect("one shipped level turns"));
    stage.keys(&[Key::PageDown, Key::T]);
    for key in [
        Key::Space,
        Key::ArrowLeft,
        Key::Space,
        Key::ArrowUp,
        Key::Space,
        Key::ArrowLeft,
        Key::Space,
        Key::ArrowUp,
        Key::Space,
    ] {
        if stage.doc().progress().0 == 0 {
            stage.key(key);
        }
    }
    let line = stage.doc().played_line();
    assert!(line.contains("r:"), "placed turned: {line}");
}
