//! Solutions in the window: kept, compared side by side, stale after an edit; and the difficulty beside them.

use crate::{moves::open_text, stage::Stage};
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use tilewright::app::dock::Pane;

#[test]
fn a_solution_is_kept_compared_and_marked_stale_after_an_edit() {
    let mut stage = Stage::new();
    stage.click("Two of a kind");
    stage.settle();
    stage.keys(&[Key::F6]);
    stage.settle();
    stage.click("Keep with the level");
    assert!(stage.sees("Kept solutions"), "the list of kept solutions");
    stage.click_like("Solution 1: ");
    stage.settle();
    // Even a narrow panel has a row for each.
    let (forget, show) = (stage.place("Forget solution 1"), stage.all_like("Solution 1: ")[0]);
    let compare = stage.place("Compare");
    assert!((forget.y - show.y).abs() < 2.0 && (compare.y - show.y).abs() < 2.0, "{forget} {show} {compare}");
    stage.reach("Compare");
    assert!(stage.sees("the line beside it") && stage.sees("Stop comparing"), "two boards");
    stage.picture("solutions-beside");
    stage.reach("Stop comparing");
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

#[test]
fn shortest_solutions_are_counted_and_leafed_through() {
    let mut stage = Stage::new();
    let text = r#"(tilewright: 1, game: "cats", title: "Two ways", level: (board: ["a...", "..R.", "...b", "B..."], legend: {'a': Shape(colour: red), 'b': Shape(colour: blue), 'R': Cat(red), 'B': Cat(blue)}))"#;
    open_text(&mut stage, "ways.ron", text);
    stage.keys(&[Key::F6]);
    stage.settle();
    assert!(stage.sees("shortest solutions; "), "how many there are");
    let (shown, listed) = stage.doc().solution_shown().expect("listed");
    assert!(listed > 1);
    let line = stage.doc().line_text().to_string();
    stage.click(if shown == 0 { "Next solution" } else { "Previous solution" });
    stage.settle();
    assert_ne!(stage.doc().line_text(), line, "another one is shown");
    assert!(stage.sees(&format!("({listed} listed)")), "there are more than are listed");
    stage.picture("shortest");
    // A solution that is replaced takes its count with it.
    stage.doc().solve(0, tilewright::job::Limits::default(), false);
    assert_eq!(stage.doc().solution_shown(), None);
    stage.settle();
}

#[test]
fn a_lost_game_is_reviewed_and_tried_again_from_the_mistake() {
    let mut stage = Stage::new();
    open_text(&mut stage, "lost.xsb", "########\n#      #\n# @$ . #\n#      #\n########\n");
    stage.keys(&[Key::ArrowDown, Key::ArrowRight, Key::ArrowUp]);
    stage.settle();
    stage.keys(&[Key::F8]);
    stage.settle();
    assert!(stage.sees("Move 3 lost the game. Better: "), "it is named");
    stage.picture("review");
    stage.click("Show the better line");
    stage.settle();
    assert!(stage.sees("Step 0 of"), "the better line is stepped through");
    stage.click("Back to play");
    stage.settle();
    stage.click("Try again from there");
    stage.settle();
    assert_eq!(stage.doc().progress(), (2, 3), "before the mistake, which redo makes again");
    assert!(stage.doc().review().is_some(), "the review stays while the line does");
    stage.keys(&[Key::ArrowLeft]);
    stage.settle();
    assert!(stage.doc().review().is_none(), "another line has no review");
    // A move while the review is under way: its answer belongs to another line.
    stage.doc().ask_review();
    stage.keys(&[Key::ArrowLeft]);
    stage.settle();
    assert!(stage.doc().review().is_none() && !stage.doc().review_pending());
}

#[test]
fn where_there_are_too_many_positions_the_choices_at_each_turn_are_shown() {
    let mut stage = Stage::sized(1280.0, 1100.0);
    stage.open("cats", 7);
    stage.keys(&[Key::F6]);
    stage.settle();
    stage.reach("Details");
    stage.settle();
    assert!(stage.doc().position_map().is_some_and(|m| !m.is_whole()), "too many for a map");
    // They are asked for when the map has ended: in the frame after it nothing is at work.
    stage.wait_for("the choices are counted", |stage| stage.doc().choices().is_some());
    stage.frames(2);
    let choices = stage.doc().choices().cloned().expect("counted after the map");
    assert!(stage.sees(&choices.text(0)), "{}", choices.text(0));
    let (step, counted) = choices.turns[choices.turns.len() - 1];
    assert!(counted.is_some_and(|c| c.keep > 0 && c.open == 0), "the last turn is easy: {counted:?}");
    stage.doc().set_step(step);
    stage.frames(3);
    assert!(stage.sees(&choices.text(choices.turns.len() - 1)));
    // The graph is above what ends the details.
    stage.harness.get_by_label("Overlay").scroll_to_me();
    stage.frames(30);
    // Without the time that the search took.
    let inspect = stage.harness.state_mut().layout().place(Pane::Inspect).expect("it is in sight");
    let first = stage.harness.get_by_label_contains("Choices at each turn").rect().top();
    let last = stage.harness.get_by_label("Overlay").rect().top();
    let graph = egui::Rect::from_x_y_ranges(inspect.x_range(), first..=last);
    stage.picture_at(graph, "choices-cats");
}

#[test]
fn a_solution_kept_for_two_goals_has_one_row_that_names_both() {
    let mut stage = Stage::new();
    let text = r#"(tilewright: 1, game: "cats", title: "One way", level: (board: ["a.R."], legend: {'a': Shape(colour: red), 'R': Cat(red)}))"#;
    open_text(&mut stage, "way.ron", text);
    for goal in 0..2 {
        stage.workshop().inspect.goal = goal;
        stage.key(Key::F6);
        stage.settle();
        stage.click("Keep with the level");
    }
    stage.settle();
    assert_eq!(stage.doc().kept().len(), 2);
    assert!(stage.sees("Kept solutions (1)") && stage.sees("both goals"));
    stage.reach("Forget solution 1");
    stage.settle();
    assert!(stage.doc().kept().is_empty());
}

/// The mistake that a review names need not be the move that lost.
#[test]
fn a_review_of_a_lost_game_keeps_the_way_back_where_it_leads_elsewhere() {
    let mut stage = Stage::new();
    open_text(&mut stage, "lost.xsb", "########\n#      #\n# @$ . #\n#      #\n########\n");
    // Back with the box, which costs pushes, then against the wall.
    use Key::{ArrowDown as D, ArrowLeft as L, ArrowRight as R, ArrowUp as U};
    stage.keys(&[D, R, R, U, L, D, L, U]);
    stage.settle();
    stage.key(Key::F8);
    stage.settle();
    assert!(stage.sees("Move 8 lost the game. First mistake: move 5"));
    assert!(stage.sees("Try again from there"));
    stage.click("Back to before the loss");
    stage.settle();
    assert_eq!(stage.doc().progress(), (7, 8));
    assert!(!stage.sees("Back to before the loss"), "it is not lost here");
}
