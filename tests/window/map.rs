//! The map of positions in the window: drawn for every game, gone to by pointer and keys, greyed after an edit.

use super::{CTRL, blank, stage::Stage};
use egui::{Key, Modifiers, Pos2, Role};
use egui_kittest::kittest::Queryable as _;
use tilewright::{
    app::{dock::Pane, workshop::Mode},
    games,
};

/// A shipped level of each game with a map that has something to show.
fn level(game: &str) -> usize {
    match game {
        "cats" => 3,
        "shards" => 2,
        "readout" => 0,
        "sbokena" => 4,
        "match" => 4,
        other => panic!("name a level of {other}"),
    }
}

/// The middle of the map, and its name.
fn map(stage: &Stage) -> (egui::Rect, String) {
    let node = stage.harness.query_all_by_role(Role::Canvas).find(|n| {
        egui_kittest::kittest::NodeT::accesskit_node(n).label().is_some_and(|l| l.starts_with("map of positions"))
    });
    let node = node.expect("a map is in sight");
    let name = egui_kittest::kittest::NodeT::accesskit_node(&node).label().unwrap_or_default();
    (node.rect(), name)
}

fn with_map(game: &'static str, index: usize) -> Stage {
    let mut stage = Stage::with(game, index);
    stage.chord(Modifiers::ALT, Key::M);
    stage.settle();
    stage
}

#[test]
fn the_map_of_a_level_of_every_game_is_drawn() {
    for game in games::offered() {
        let id = game.info().id;
        let mut stage = with_map(id, level(id));
        // The solution as a thread with the step on it, and the game so far as another.
        stage.key(Key::F6);
        stage.settle();
        let steps = stage.doc().line_len();
        assert!(steps > 0, "{id}");
        stage.doc().set_step(steps / 2);
        assert!(stage.doc().take_over(), "{id}");
        stage.frames(3);
        let sentence = stage.doc().position_map().expect("it is there").sentence();
        assert!(map(&stage).1.contains(&sentence), "{id}: {}", map(&stage).1);
        stage.picture_of(Pane::Map, &format!("map-{id}"));
    }
}

#[test]
fn a_click_on_the_map_goes_there_and_undo_comes_back() {
    let mut stage = with_map("sbokena", level("sbokena"));
    stage.keys(&[Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown]);
    stage.settle();
    let (line, made) = (stage.doc().whole_line(), stage.doc().progress().0);
    assert!(made > 0);
    let (rect, _) = map(&stage);
    let at = Pos2::new(rect.center().x + 30.0, rect.center().y);
    stage.move_to(at);
    stage.frames(3);
    assert!(stage.sees("click to go there") && stage.sees("from the start, "), "its board and what is known of it");
    stage.click_at(at);
    stage.settle();
    assert_ne!(stage.doc().whole_line(), line);
    assert!(stage.doc().taken_over(), "nobody's record");
    let there = stage.doc().threads().play.last().copied().flatten().expect("it is on the map");
    assert!(stage.doc().position_map().is_some_and(|m| m.depth(there) > 0));
    stage.chord(CTRL, Key::Z);
    stage.settle();
    assert_eq!(stage.doc().whole_line(), line, "one undo brings the game back");
    assert_eq!(stage.doc().progress().0, made);
}

#[test]
fn keys_move_along_the_map_when_it_has_the_focus_and_steps_follow() {
    let mut stage = with_map("sbokena", level("sbokena"));
    stage.key(Key::F6);
    stage.settle();
    stage.click_like("Step on");
    let steps = stage.doc().line_len();
    let step = stage.doc().step();
    // A click gives it the focus: along it to the end of the solution.
    let (rect, _) = map(&stage);
    let start = Pos2::new(rect.center().x, rect.top() + 16.0);
    stage.click_at(start);
    stage.settle();
    for _ in 0..steps + 2 {
        stage.key(Key::ArrowDown);
    }
    assert!(map(&stage).1.ends_with(", won"), "{}", map(&stage).1);
    let moves = stage.doc().progress().0;
    stage.key(Key::Enter);
    stage.settle();
    let open = stage.workshop().session.current().map(|o| o.stepping).expect("it is open");
    // Steps while stepping, moves in play: there in either case, and never in the game by an arrow key.
    assert!(if open { stage.doc().step() == steps } else { stage.doc().progress().0 != moves }, "from step {step}");
    stage.key(Key::ArrowUp);
    assert!(map(&stage).1.contains(", 1 from an end"), "{}", map(&stage).1);
    stage.key(Key::Escape);
}

#[test]
fn the_map_says_so_while_there_is_none_and_is_greyed_after_an_edit() {
    let mut stage = with_map("sbokena", level("sbokena"));
    stage.chord(CTRL, Key::W);
    stage.frames(3);
    while !stage.workshop().session.open.is_empty() {
        stage.workshop().close_now(0);
    }
    stage.frames(3);
    assert!(stage.sees("All positions of the level that is open"));
    blank(&mut stage, "Sbokena");
    assert!(stage.sees("This draft cannot be played yet, so it has no positions."));
    for step in super::walk::strokes("sbokena") {
        super::walk::draw(&mut stage, step);
    }
    stage.settle();
    let before = map(&stage).1;
    assert!(before.contains("positions"), "{before}");
    // An edit: the old map is greyed and cannot be pointed at until the new one is there.
    stage.click("Wall");
    stage.click_cell(4, 4);
    assert!(stage.sees("from before the last edit") || map(&stage).1 != before, "never the old map as the new one");
    stage.settle();
    assert_ne!(map(&stage).1, before);
    // Unsolvable: all of it is lost.
    stage.click_cell(4, 2);
    stage.settle();
    assert!(stage.workshop().session.mode == Mode::Edit);
    for (x, y) in [(3, 1), (3, 3)] {
        stage.click_cell(x, y);
    }
    stage.settle();
    assert!(stage.doc().verdict().text.starts_with("unsolvable"), "{}", stage.doc().verdict().text);
    assert!(map(&stage).1.contains("Cannot be won: none of the "), "{}", map(&stage).1);
}
