//! Sbokena in the window: a level with a door and a pair of portals, from blank to a file and back.

use super::{blank, moves::open_text, save_and_reopen, stage::Stage};
use egui::Key;
use tilewright::{document::SolveState, game::Status};

/// A room cut in two by a wall with a door in it. Left the player, a button, a goal and two boxes; right a box and its goal, and a niche with
/// a goal that only the portals lead to. Each of the three boxes has its own way: five pushes.
fn draw(stage: &mut Stage) {
    stage.click("Wall");
    stage.drag_cells(&[(5, 1), (5, 2), (5, 3), (5, 4), (5, 5), (5, 6)]);
    stage.drag_cells(&[(7, 4), (7, 5), (7, 6)]);
    stage.click_cell(8, 4);
    stage.click_cell(8, 6);
    stage.click("Button");
    stage.click_cell(3, 2);
    stage.settle();
    assert!(stage.sees("this button opens nothing"), "a button alone is a problem");
    stage.click("Door");
    stage.click_cell(5, 2);
    // A portal aims where it is dragged: both are entered moving right, so one comes out of the other moving left.
    stage.click("Portal");
    stage.drag_cells(&[(5, 5), (6, 5)]);
    stage.settle();
    assert!(stage.sees("has no partner"), "a portal alone is a problem");
    stage.click_cell(9, 5);
    for (name, cells) in
        [("Goal", &[(3, 1), (8, 2), (8, 5)][..]), ("Box", &[(3, 3), (7, 2), (3, 5)]), ("Player", &[(2, 4)])]
    {
        stage.click(name);
        for (x, y) in cells {
            stage.click_cell(*x, *y);
        }
    }
    stage.settle();
}

#[test]
fn a_door_and_a_portal_are_drawn_linked_played_solved_stepped_saved_and_reopened() {
    let mut stage = Stage::new();
    blank(&mut stage, "Sbokena");
    draw(&mut stage);
    for (x, y) in [(5, 5), (9, 5)] {
        assert_eq!(stage.cell_name(x, y), "portal 2, entered moving right");
    }

    // Links are cut by a click and made by a drag with the link tool; in between the level has problems.
    stage.click("Link");
    stage.click_cell(3, 2);
    stage.click_cell(5, 5);
    stage.settle();
    assert!(stage.sees("has no button") && stage.sees("has no partner"), "both are loose");
    stage.drag_cells(&[(3, 2), (4, 2), (5, 2)]);
    stage.drag_cells(&[(5, 5), (7, 5), (9, 5)]);
    stage.settle();
    assert!(!stage.sees("has no button") && !stage.sees("has no partner"), "both are linked again");
    assert!(stage.sees("solvable: ") && stage.sees("5 pushes"), "the live verdict counts");
    stage.picture("sbokena-drawn");
    let draft = stage.doc().native();

    // Played with the keyboard: the button held, through the door, back, the box home, the last one through the portal.
    use Key::{ArrowDown as D, ArrowLeft as L, ArrowRight as R, ArrowUp as U};
    stage.key(Key::F5);
    stage.settle();
    stage.keys(&[R, U]);
    assert_eq!(stage.cell_name(5, 2), "open door 1");
    stage.keys(&[R, U, R, R, R, L, L, L]);
    assert_eq!(stage.cell_name(8, 2), "box on goal");
    stage.keys(&[D, L, U]);
    assert_eq!(stage.cell_name(5, 2), "open door 1", "the player stands on the button now");
    stage.key(L);
    assert_eq!(stage.cell_name(5, 2), "closed door 1");
    stage.keys(&[D, D, D, R]);
    assert_eq!(stage.doc().status(), Status::Playing);
    stage.key(R);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won);
    assert!(stage.sees("LEVEL COMPLETE!"));
    assert_eq!(stage.cell_name(8, 5), "box on goal", "thrown out of the other portal");

    // And with the pointer: boxes are dragged to where they should be, a click on floor walks there.
    stage.key(Key::R);
    stage.drag_cells(&[(3, 3), (3, 2)]);
    stage.click_cell(6, 2);
    stage.settle();
    assert_eq!(stage.cell_name(6, 2), "player", "walked through the open door");
    stage.click_cell(7, 2);
    stage.drag_cells(&[(3, 2), (3, 1)]);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Playing);
    stage.drag_cells(&[(3, 5), (8, 5)]);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won);
    assert_eq!(stage.doc().native(), draft, "playing never touches the draft");

    // Solve, step to the end and back.
    stage.key(Key::F6);
    stage.settle();
    assert_eq!(stage.doc().solve_state(), SolveState::Done);
    assert!(stage.sees("solved, optimal"));
    let steps = stage.doc().line_len();
    stage.click_like("Last step");
    assert_eq!(stage.doc().step(), steps);
    stage.key(L);
    assert_eq!(stage.doc().step(), steps - 1);

    save_and_reopen(&mut stage);
    assert!(stage.doc().playable());
}

#[test]
fn a_fix_moves_a_box_out_of_its_corner() {
    let mut stage = Stage::new();
    open_text(&mut stage, "corner.xsb", "######\n#$ . #\n# @  #\n#    #\n######\n");
    stage.key(Key::F5);
    stage.settle();
    stage.click("Suggest fixes");
    stage.settle();
    let fix = stage.all_like("fix: move from b2 to c2");
    assert!(!fix.is_empty(), "one cell along the wall, and it can be pushed");
    assert!(stage.all_like("fix: ").len() > 1, "and there are others");
    stage.click_at(fix[0]);
    stage.settle();
    assert!(stage.sees("solvable: "));
    assert_eq!((stage.cell_name(1, 1), stage.cell_name(2, 1)), ("floor".into(), "box".into()));
    assert_eq!(stage.doc().history_len().0, 1);
    // Here only a cell off both walls will do; and a level that is won as it begins is no fix.
    open_text(&mut stage, "far-corner.xsb", "#######\n#@   $#\n#     #\n#  .  #\n#     #\n#######\n");
    stage.key(Key::F5);
    stage.settle();
    stage.click("Suggest fixes");
    stage.settle();
    assert!(!stage.all_like("fix: move from f2 to e3").is_empty());
    assert!(stage.all_like("0 pushes").is_empty());
}

#[test]
fn an_object_is_moved_and_leaves_the_ground_as_it_was() {
    let mut stage = Stage::new();
    open_text(&mut stage, "room.xsb", "######\n#*.$ #\n# @  #\n######\n");
    stage.key(Key::F5);
    stage.settle();
    stage.click("Move");
    stage.drag_cells(&[(1, 1), (2, 1), (3, 1), (4, 1)]);
    assert_eq!((stage.cell_name(1, 1), stage.cell_name(4, 1)), ("goal".into(), "box".into()));
    // Onto a wall or another object nothing moves.
    let draft = stage.doc().native();
    stage.drag_cells(&[(4, 1), (3, 1)]);
    stage.drag_cells(&[(4, 1), (5, 1)]);
    assert_eq!(stage.doc().native(), draft);
}
