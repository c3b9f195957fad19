//! Readout in the window: whole duels by pointer and by keyboard, undo over the opponent's turn, another opponent in mid-game, the mend.

use super::{CTRL, stage::Stage};
use egui::Key;
use tilewright::{
    app::{dock::Pane, workshop::Mode},
    document::SolveState,
    game::Status,
    grid::cell,
};

/// Opens a small board with these rules; the opponent answers without a delay.
fn open(stage: &mut Stage, rows: [&str; 3], rules: &str) {
    let rows = rows.map(|r| format!("{r:?}")).join(", ");
    let text = format!(
        r#"(tilewright: 1, game: "readout", title: "A small duel", rules: {{ {rules} }}, level: (board: [{rows}]))"#
    );
    let path = stage.home.path().join("duel.ron");
    std::fs::write(&path, text).expect("the home can be written");
    stage.workshop().settings.reply_delay_ms = 0;
    stage.chord(CTRL, Key::O);
    stage.type_text(&path.display().to_string());
    stage.click_in_dialog("Open");
    stage.settle();
}

#[test]
fn a_duel_is_won_with_the_pointer_and_undo_goes_back_over_the_opponents_turn() {
    let mut stage = Stage::new();
    open(&mut stage, ["1 2 3", "4 . 6", "7 5 8"], r#""opponent": "easy", "move_limit": 9"#);
    assert!(stage.sees("Your turn") && stage.sees("9 moves left") && stage.sees("Easy: 4 obstacles left"));
    assert_eq!(stage.cell_name(1, 2), "tile 5, can slide up");

    stage.click_cell(1, 2);
    stage.settle();
    assert_eq!(stage.cell_name(1, 1), "tile 5, pinned for 1 more turn", "Easy pins the lowest tile beside the gap");
    assert!(stage.sees("Your turn") && stage.sees("8 moves left") && stage.sees("Easy: 3 obstacles left"));
    assert!(stage.sees("One slide wins"));
    stage.picture("readout-duel");

    // One step back is before the slide, not before the answer to it: the player has the turn again, and all is as it was.
    stage.key(Key::Z);
    stage.settle();
    assert_eq!(stage.cell_name(1, 2), "tile 5, can slide up");
    assert!(stage.sees("9 moves left") && stage.sees("Easy: 4 obstacles left"));
    // The same slide gets the same answer.
    stage.click_cell(1, 2);
    stage.settle();
    assert_eq!(stage.cell_name(1, 1), "tile 5, pinned for 1 more turn");

    // A pinned tile says so and stays; the other one wins.
    stage.click_cell(1, 1);
    assert_eq!(stage.cell_name(1, 1), "tile 5, pinned for 1 more turn");
    let at = [stage.cell(2, 2), stage.cell(1, 2)];
    stage.drag(&at);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won);
    assert!(stage.sees("LEVEL COMPLETE!") && stage.sees("7 points"));
}

#[test]
fn nothing_is_said_of_turns_where_nobody_else_plays() {
    let mut stage = Stage::new();
    open(&mut stage, ["1 2 3", "4 5 6", "7 . 8"], r#""opponent": "none", "move_limit": 1"#);
    assert!(stage.sees("1 move left") && !stage.sees("Your turn") && !stage.sees("slides made"));
    stage.click_cell(0, 2);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Lost);
    assert!(stage.sees("that was the last move") && !stage.sees("No opponent wins"));
}

#[test]
fn a_duel_is_lost_with_the_keyboard_after_the_opponent_was_changed_in_mid_game() {
    let mut stage = Stage::new();
    open(&mut stage, ["1 2 3", "4 . 6", "7 5 8"], r#""opponent": "medium", "move_limit": 3"#);
    assert!(stage.sees("Medium: 8 obstacles left") && stage.sees("3 moves left"));
    // Away from home: what is left of the limit is too little now.
    stage.key(Key::ArrowDown);
    stage.settle();
    assert!(stage.sees("2 moves left") && stage.sees("Your turn"));
    let spent = !stage.sees("Medium: 8 obstacles left");

    stage.click("Hard");
    stage.settle();
    assert!(
        stage.sees(if spent { "Hard: 11 obstacles left" } else { "Hard: 12 obstacles left" }),
        "what was spent counts"
    );
    assert!(stage.sees("2 moves left"), "that was no turn");
    for left in ["1 move left", "that was the last turn"] {
        let before = stage.doc().progress().0;
        for key in [Key::ArrowLeft, Key::ArrowUp, Key::ArrowRight, Key::ArrowDown] {
            if stage.doc().progress().0 == before {
                stage.key(key);
            }
        }
        stage.settle();
        assert!(stage.sees(left));
    }
    assert_eq!(stage.doc().status(), Status::Lost);
    assert!(stage.sees("Lost") && stage.sees("Hard wins: that was the last turn"), "the card says why");
    // It can be taken back like any move, and played again.
    stage.key(Key::Z);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Playing);
    assert!(stage.sees("1 move left"));
    stage.key(Key::R);
    stage.settle();
    assert!(
        stage.sees("3 moves left") && stage.sees("Hard: 12 obstacles left"),
        "from the start, against the same opponent"
    );
}

#[test]
fn two_clicks_swap_two_squares_in_one_step_and_escape_forgets_the_first() {
    let mut stage = Stage::new();
    open(&mut stage, ["1 2 3", "4 5 6", "7 . 8"], r#""opponent": "none""#);
    stage.key(Key::F5);
    stage.settle();
    let draft = stage.doc().native();
    stage.click("Swap");
    stage.click_cell(0, 0);
    assert_eq!(stage.doc().history_len().0, 0, "it waits for the other square");
    stage.click_cell(2, 1);
    assert!(stage.cell_name(0, 0).starts_with("tile 6") && stage.cell_name(2, 1).starts_with("tile 1"));
    assert_eq!(stage.doc().history_len().0, 1);
    stage.chord(CTRL, Key::Z);
    assert_eq!(stage.doc().native(), draft);
    // What comes in between: Escape, the same square again, another brush, the keyboard.
    stage.click_cell(0, 0);
    stage.key(Key::Escape);
    stage.click_cell(1, 1);
    stage.click_cell(1, 1);
    stage.click_cell(2, 1);
    stage.click("Gap");
    stage.click("Swap");
    assert_eq!(stage.doc().native(), draft);
    stage.click_cell(0, 0);
    stage.keys(&[Key::ArrowRight, Key::ArrowRight, Key::ArrowLeft, Key::Space]);
    assert!(stage.cell_name(0, 0).starts_with("tile 2") && stage.cell_name(1, 0).starts_with("tile 1"));
}

#[test]
fn an_unsortable_board_is_mended_by_one_click_solved_and_stepped() {
    let mut stage = Stage::new();
    open(&mut stage, ["1 2 3", "4 5 6", "8 7 ."], r#""opponent": "none""#);
    if stage.workshop().session.mode != Mode::Edit {
        stage.key(Key::F5);
        stage.settle();
    }
    assert!(stage.sees("these tiles can never be put in order"), "the verdict is there at once");
    assert!(!stage.doc().playable());
    let problem = stage.doc().problems()[0].clone();
    assert_eq!(problem.spots, [cell(0, 2).into(), cell(1, 2).into()], "the two tiles that are the wrong way round");
    stage.chord(CTRL, Key::M);
    stage.settle();
    assert!(!stage.all_like("fix: ").is_empty() && stage.sees(&problem.text), "what is wrong stays with the fixes");
    stage.key(Key::Escape);
    stage.click("Make it solvable");
    stage.settle();
    assert!(stage.doc().playable() && !stage.sees("these tiles can never be put in order"));
    // One more stroke makes it a board to solve: 8 and the gap change places.
    stage.click("Swap");
    stage.drag_cells(&[(1, 2), (2, 2)]);
    stage.settle();
    stage.key(Key::F6);
    stage.settle();
    assert_eq!(stage.doc().solve_state(), SolveState::Done);
    assert!(stage.sees("solved, optimal"));
    let steps = stage.doc().line_len();
    assert!(steps > 0);
    stage.click_like("Last step");
    assert_eq!(stage.doc().step(), steps);
    stage.key(Key::ArrowLeft);
    assert_eq!(stage.doc().step(), steps - 1);
    stage.click("Take over here");
    stage.settle();
    assert_eq!(stage.doc().progress().0, steps - 1);
}

#[test]
fn the_review_of_a_duel_has_a_row_for_each_turn_and_escape_closes_it() {
    let mut stage = Stage::new();
    open(&mut stage, ["1 2 3", "4 . 6", "7 5 8"], r#""opponent": "medium", "move_limit": 3"#);
    stage.click("Easy");
    stage.settle();
    // 5 up is right and gets pinned; 7 to the right gives the game away.
    for (x, y) in [(1, 2), (0, 2)] {
        stage.click_cell(x, y);
        stage.settle();
    }
    let before = stage.doc().progress().0;
    for key in [Key::ArrowLeft, Key::ArrowUp, Key::ArrowRight, Key::ArrowDown] {
        if stage.doc().progress().0 == before {
            stage.key(key);
        }
    }
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Lost);
    stage.key(Key::F8);
    stage.settle();
    let review = stage.doc().review().expect("a review").clone();
    assert_eq!(review.rows.iter().map(|r| r.first).collect::<Vec<_>>(), [1, 2, 3], "{review:?}");
    assert!(review.rows.iter().all(|r| r.moves.len() == 1), "{review:?}");
    assert!(stage.sees("1. tile 5 ↑ · pins 5"), "the opponent's answer is in the row: {review:?}");
    assert_eq!(review.begins, (1, 0), "from the choice of the opponent on");
    assert!(stage.sees("Move 2 lost the game. Better: slide tile 8"), "{review:?}");
    stage.picture_of(Pane::Play, "readout-review");
    // Escape closes the review alone; only then does it lead to the start page.
    stage.key(Key::Escape);
    stage.settle();
    assert!(stage.doc().review().is_none() && stage.workshop().is_front(Pane::Play));
    stage.key(Key::Escape);
    stage.settle();
    assert!(stage.workshop().is_front(Pane::Start));
}

#[test]
fn a_made_board_says_what_is_proven_and_par_that_it_knows_no_opponent() {
    let mut stage = Stage::with("readout", 3);
    assert!(stage.sees("slides, no opponent"), "par");
    stage.click_tab("Generate", Pane::Inspect);
    stage.frames(2);
    stage.click("Literal");
    stage.click_in_dialog("Generate");
    stage.settle();
    assert!(
        stage.sees("0 slides without the opponent (proven) · not known whether it can be won against the opponent")
    );
}
