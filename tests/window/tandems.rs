//! Tandems in Cats: two shapes drawn, linked, played, solved, stepped, saved and opened again.

use super::{blank, save_and_reopen, stage::Stage};
use egui::Key;
use tilewright::{app::dock::Pane, document::SolveState, game::Status};

#[test]
fn two_shapes_are_drawn_linked_played_solved_stepped_saved_and_reopened() {
    let mut stage = Stage::new();
    blank(&mut stage, "Cats");
    for (colour, row) in [("red", 2), ("blue", 5)] {
        stage.click(colour);
        stage.click(&format!("{colour} cat"));
        stage.click_cell(6, row);
        stage.click(&format!("{colour} single"));
        stage.click_cell(1, row);
    }
    stage.click("Blocker");
    stage.click_cell(4, 5);
    stage.settle();
    assert!(stage.sees("solvable: 12 steps, 2 drags"), "apart: {}", stage.doc().verdict().text);

    // The link tool joins by a drag and cuts by a click; the verdict follows.
    stage.click("Link");
    stage.drag_cells(&[(1, 2), (1, 3), (1, 4), (1, 5)]);
    stage.settle();
    assert_eq!(stage.cell_name(1, 5), "blue single b, linked to a");
    assert!(stage.sees("solvable: 7 steps, 1 drag"), "together: {}", stage.doc().verdict().text);
    stage.click_cell(1, 5);
    assert_eq!(stage.cell_name(1, 2), "red single a");
    stage.drag_cells(&[(1, 5), (1, 2)]);
    stage.settle();
    assert_eq!(stage.cell_name(1, 2), "red single a, linked to b");
    stage.picture("cats-tandem-edit");
    let draft = stage.doc().native();
    assert!(draft.contains("tilewright: 2") && draft.contains("tandem: 1"), "{draft}");

    // Dragging either moves both; where one is stopped, both are, and what stops it is said and marked.
    stage.key(Key::F5);
    stage.settle();
    stage.drag_cells(&[(1, 5), (2, 5), (3, 5)]);
    stage.settle();
    assert_eq!(stage.cell_name(3, 2), "red single a, linked to b");
    assert_eq!(stage.doc().progress().0, 2, "a step of both is one step");
    stage.keys(&[Key::PageDown, Key::Space, Key::ArrowRight]);
    assert!(stage.sees("blue single b: a blocker is in the way"));
    assert_eq!(stage.cell_name(3, 2), "red single a, linked to b");
    stage.picture_of(Pane::Play, "cats-tandem-stopped");
    stage.keys(&[Key::ArrowDown, Key::ArrowRight, Key::ArrowRight, Key::ArrowUp]);
    assert_eq!(stage.doc().status(), Status::Playing);
    stage.key(Key::ArrowRight);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won);
    assert!(stage.sees("LEVEL COMPLETE!") && stage.sees("3 of 3 stars"));
    assert_eq!(stage.doc().native(), draft, "playing never touches the draft");

    // A hint names and marks both; the solution is one drag of seven steps.
    stage.key(Key::R);
    stage.key(Key::H);
    stage.settle();
    assert!(stage.sees("move the tandem with the red single at "), "{:?}", stage.doc().hint().map(|h| h.text));
    stage.key(Key::F6);
    stage.settle();
    assert_eq!(stage.doc().solve_state(), SolveState::Done);
    assert!(stage.sees("solved, optimal"));
    assert_eq!(stage.doc().line_len(), 7);
    assert_eq!(stage.doc().move_rows().len(), 1, "one row for the drag");
    stage.key(Key::Period);
    stage.picture_of(Pane::Play, "cats-tandem-stepped");
    stage.click_like("Last step");
    assert_eq!(stage.doc().step(), 7);

    save_and_reopen(&mut stage);
    assert!(stage.doc().playable() && stage.doc().native().contains("tandem: 1"));
    assert_eq!(stage.cell_name(1, 2), "red single a, linked to b");
}
