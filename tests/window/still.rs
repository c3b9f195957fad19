//! Nothing moves that was not moved: the board stays where it is, whatever happens around it.

use super::{CTRL, blank, stage::Stage, walk};
use egui::{Key, Modifiers, Rect, Role};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use tilewright::{
    app::{dock::Pane, workshop::Mode},
    document::SolveState,
    games,
};

/// Where the canvas in sight is, and where its first cell is drawn.
fn board(stage: &Stage) -> (Rect, Rect) {
    let canvas = ["play board", "editor board"]
        .into_iter()
        .find_map(|name| stage.harness.query_all_by_role_and_label(Role::Canvas, name).next())
        .expect("a board is in sight");
    let cell = stage.harness.query_all_by(|n| n.role() == Role::GridCell).next().expect("it has cells");
    (canvas.rect(), cell.rect())
}

#[track_caller]
fn stays(stage: &Stage, was: &(Rect, Rect), what: &str) {
    let now = board(stage);
    assert_eq!(now.0, was.0, "the canvas moved: {what}");
    assert_eq!(now.1, was.1, "the cells moved: {what}");
}

#[test]
fn the_board_stays_where_it_is_while_one_draws_plays_steps_and_looks_at_fixes() {
    for (game, size) in games::offered().iter().zip([(1280.0, 800.0), (1024.0, 700.0)].into_iter().cycle()) {
        let id = game.info().id;
        let mut stage = Stage::sized(size.0, size.1);
        blank(&mut stage, game.info().name);
        let edit = board(&stage);
        // Strokes, and verdicts of one line and of two.
        for (i, draw) in walk::strokes(id).iter().enumerate() {
            walk::draw(&mut stage, draw);
            stays(&stage, &edit, &format!("{id}: stroke {i}, at once"));
            stage.settle();
            stays(&stage, &edit, &format!("{id}: stroke {i}, judged"));
        }
        // Every swatch: some have more to choose than others.
        for swatch in 0..stage.doc().palette().swatches.len() {
            let w = stage.workshop();
            let open = w.session.current_mut().expect("it is open");
            open.edit.ink = Some(tilewright::game::Ink { swatch, ..Default::default() });
            stage.frames(2);
            stays(&stage, &edit, &format!("{id}: swatch {swatch}"));
        }
        stage.key(Key::W);
        stage.frames(3);
        stays(&stage, &edit, &format!("{id}: what-if map"));
        stage.settle();
        stays(&stage, &edit, &format!("{id}: what-if map, whole"));
        stage.key(Key::W);
        stage.chord(CTRL, Key::M);
        stays(&stage, &edit, &format!("{id}: fixes asked for"));
        stage.settle();
        for at in stage.all_like("fix: ") {
            stage.move_to(at);
            stage.frames(2);
            stays(&stage, &edit, &format!("{id}: a fix hovered"));
            assert!(stage.all_like("fix: ").contains(&at), "{id}: the list stays under the pointer");
        }
        // Played, with a hint; the tabs to and fro.
        stage.key(Key::F5);
        stage.settle();
        let message = stage.workshop().message.as_ref().map(|m| m.text.clone());
        assert!(stage.workshop().session.mode == Mode::Play, "{id}: {message:?}");
        let play = board(&stage);
        assert_eq!(play.0, edit.0, "{id}: the same place in Play and Edit");
        stage.key(Key::H);
        stays(&stage, &play, &format!("{id}: a hint asked for"));
        stage.settle();
        stage.keys(&[Key::H, Key::ArrowRight, Key::Space, Key::ArrowDown, Key::Space]);
        stays(&stage, &play, &format!("{id}: played"));
        let offers = stage.doc().offers();
        for (label, _) in &offers {
            stage.click(label);
            stays(&stage, &play, &format!("{id}: {label}"));
            for key in [Key::ArrowRight, Key::ArrowDown, Key::ArrowLeft] {
                let before = stage.place(&offers[0].0);
                stage.key(key);
                stays(&stage, &play, &format!("{id}: {label} answers"));
                assert_eq!(stage.place(&offers[0].0), before, "{id}: the choice of opponents stays");
            }
        }
        stage.click_tab("Edit", Pane::Play);
        stays(&stage, &edit, &format!("{id}: back in Edit"));
        stage.click_tab("Play", Pane::Edit);
        stays(&stage, &play, &format!("{id}: back in Play"));
        // Solved and stepped to the win.
        stage.key(Key::F6);
        stage.settle();
        stays(&stage, &play, &format!("{id}: solved"));
        for _ in 0..stage.doc().line_len().min(4) {
            stage.key(Key::Period);
            assert_eq!(board(&stage).0, play.0, "{id}: a step");
        }
        stage.chord(Modifiers::NONE, Key::End);
        stage.key(Key::T);
        stage.settle();
        assert_eq!(board(&stage).0, play.0, "{id}: the end");
    }
}

/// What can be pressed in a panel, and where.
fn buttons(stage: &mut Stage, pane: Pane) -> Vec<(String, Rect)> {
    let place = stage.harness.state_mut().layout().place(pane).expect("it is in sight");
    let all = stage.harness.query_all_by(|n| matches!(n.role(), Role::Button | Role::RadioButton | Role::ComboBox));
    let named = all.map(|n| (n.accesskit_node().label().unwrap_or_default(), n.rect()));
    named.filter(|(_, rect)| place.contains_rect(*rect)).collect()
}

#[test]
fn the_what_if_map_moves_nothing_when_it_is_switched_on() {
    for size in [(1280.0, 800.0), (1024.0, 700.0)] {
        let mut stage = Stage::sized(size.0, size.1);
        stage.open("cats", 3);
        stage.key(Key::F5);
        stage.settle();
        let before = buttons(&mut stage, Pane::Edit);
        assert!(before.len() > 20, "{before:?}");
        stage.key(Key::W);
        stage.frames(3);
        for settled in [false, true] {
            let now = buttons(&mut stage, Pane::Edit);
            before.iter().for_each(|b| assert!(now.contains(b), "{b:?} moved, {settled}"));
            stage.settle();
        }
        assert!(stage.sees("now: 10 steps") && stage.sees("not playable"), "its rows are below the board");
    }
}

#[test]
fn what_inspect_finds_out_after_the_solution_moves_none_of_its_buttons() {
    let mut stage = Stage::new();
    stage.workshop().settings.rate_live = true;
    stage.open("cats", 3);
    stage.key(Key::F6);
    stage.wait_for("it is solved", |stage| stage.doc().solve_state() == SolveState::Done);
    let places = |stage: &Stage| ["Copy the moves", "Keep with the level", "Next solution"].map(|b| stage.place(b));
    let before = places(&stage);
    stage.settle();
    assert!(stage.sees("shortest solution") && stage.sees("Difficulty "), "both were counted");
    assert_eq!(places(&stage), before);
}

#[test]
fn a_tab_keeps_its_width_and_the_three_main_ones_have_no_cross() {
    let mut stage = Stage::new();
    let places = |stage: &Stage| ["Start", "Play", "Edit", "Inspect", "Generate", "Variants"].map(|t| stage.tab(t));
    let before = places(&stage);
    for tab in ["Edit", "Start", "Generate", "Variants", "Inspect", "Play"] {
        let at = stage.tab(tab).center();
        stage.click_at(at);
        assert_eq!(places(&stage), before, "{tab} in front");
    }
    let main = before[0].union(before[2]);
    let crosses = stage.all_like("Close");
    assert!(!crosses.is_empty() && crosses.iter().all(|at| !main.contains(*at)), "{crosses:?}");
}
