//! What the games came from says (`review/window.md`, "Against the seeds"): one test for each sentence. The opponent's replies in the move list are in `moves.rs`.

use super::{clear_by_hand, moves::open_text, stage::Stage};
use egui::{Key, Modifiers};
use tilewright::{
    app::settings::MOST_REPLY_DELAY_MS,
    document::Board,
    game::Status,
    games,
    memory::Place,
    picture::{Colours, Figure, Rgba},
};

fn at_start() -> Stage {
    Stage::at_start(tempfile::tempdir().expect("a temporary folder"), 1280.0, 800.0)
}

/// Begins a run from the start page.
fn run(stage: &mut Stage, name: &str) {
    stage.reach(name);
    stage.settle();
}

/// Makes moves until a tile is stranded.
pub fn strand(stage: &mut Stage) {
    for _ in 0..40 {
        let Some(mut here) = stage.doc().position(false) else { break };
        for mv in stage.doc().played_line().split_whitespace() {
            here.try_move(mv);
        }
        // Some of the moves are enough: there are thousands. Those that do not win leave something to strand.
        let legal: Vec<String> = here.legal().into_iter().take(60).collect();
        let after = |mv: &String| {
            let mut next = here.fork();
            next.try_move(mv);
            next.status()
        };
        let lost = legal.iter().position(|mv| after(mv) == Status::Lost);
        let goes_on = legal.iter().position(|mv| after(mv) == Status::Playing);
        let Some(mv) = lost.or(goes_on) else { panic!("this board cannot be lost: {}", stage.doc().played_line()) };
        stage.doc().play_line(&legal[mv]).expect("it is legal");
        stage.settle();
        if stage.doc().status() == Status::Lost {
            return;
        }
    }
    panic!("nothing is stranded after forty drags");
}

// -------------------------------------------------------------------------------------------------------------------- Match

#[test]
fn match_has_an_endless_run_on_the_start_page_that_carries_its_score() {
    let mut stage = at_start();
    run(&mut stage, "Endless run");
    assert!(stage.sees("score 0 · best 0"));
    assert_eq!(stage.doc().board_size(Board::Play).area(), 25);
    let first = stage.doc().native();
    clear_by_hand(&mut stage);
    assert!(stage.sees("score 1 · best 1") && stage.sees("Next board"));
    // Undone and won again, it counts once; one key goes on.
    stage.key(Key::Z);
    stage.chord(Modifiers::SHIFT, Key::Z);
    stage.settle();
    assert!(stage.sees("score 1 · best 1"));
    stage.key(Key::Enter);
    stage.settle();
    assert_ne!(stage.doc().native(), first, "another board");
    assert!(stage.sees("score 1 · best 1") && stage.doc().status() == Status::Playing);
}

#[test]
fn a_level_of_the_campaign_of_match_shows_no_score() {
    let mut stage = at_start();
    stage.workshop().open_campaign("match", Place::Level(1));
    stage.settle();
    assert!(!stage.sees("score"));
    stage.drag_cells(&[(0, 0), (1, 0), (1, 1), (0, 1)]);
    stage.settle();
    assert!(stage.sees("LEVEL COMPLETE!") && !stage.sees("score"));
}

#[test]
fn clearing_a_board_of_a_new_run_scores_one() {
    let mut stage = at_start();
    run(&mut stage, "Endless run");
    for _ in 0..2 {
        clear_by_hand(&mut stage);
        stage.key(Key::Enter);
        stage.settle();
    }
    assert!(stage.sees("score 2 · best 2"));
    stage.click("New run");
    stage.settle();
    assert!(stage.sees("score 0 · best 2"));
    clear_by_hand(&mut stage);
    assert!(stage.sees("score 1 · best 2"));
}

#[test]
fn a_board_of_a_run_that_was_taken_over_does_not_score() {
    let mut stage = at_start();
    run(&mut stage, "Endless run");
    stage.take_over_solution();
    assert_eq!(stage.doc().status(), Status::Won);
    assert!(stage.sees("score 0 · best 0"));
}

#[test]
fn a_run_goes_on_with_boards_of_its_own_kind() {
    let mut stage = at_start();
    run(&mut stage, "Graded run");
    let first = stage.doc().origin().cloned().expect("it was generated");
    assert_eq!(first.params.word("algorithm"), "graded");
    clear_by_hand(&mut stage);
    stage.key(Key::Enter);
    stage.settle();
    let second = stage.doc().origin().cloned().expect("it was generated");
    assert!(second.params == first.params && second.seed != first.seed);
}

#[test]
fn a_run_after_a_restart_has_other_boards() {
    let boards: Vec<String> = (0..2)
        .map(|_| {
            let mut stage = at_start();
            run(&mut stage, "Endless run");
            stage.doc().native()
        })
        .collect();
    assert_ne!(boards[0], boards[1]);
}

#[test]
fn a_run_leaves_the_generate_panel_alone() {
    let mut stage = at_start();
    let panel = stage.workshop().generate.seed_shown();
    run(&mut stage, "Graded run");
    clear_by_hand(&mut stage);
    stage.key(Key::Enter);
    stage.settle();
    assert_eq!(stage.workshop().generate.seed_shown(), panel);
}

#[test]
fn a_stranded_run_shows_its_final_score() {
    let mut stage = at_start();
    run(&mut stage, "Endless run");
    clear_by_hand(&mut stage);
    stage.key(Key::Enter);
    stage.settle();
    assert_eq!(stage.doc().meta().title, "Endless run, board 2");
    strand(&mut stage);
    assert!(stage.sees("Stranded") && stage.sees("final score 1 · best 1"));
    stage.key(Key::Enter);
    stage.settle();
    assert!(stage.sees("score 0 · best 1"), "a new run");
}

// ------------------------------------------------------------------------------------------------------------------ Readout

fn duel(stage: &mut Stage, opponent: &str) {
    let text = format!(
        r#"(tilewright: 1, game: "readout", title: "A duel", rules: {{ "opponent": "{opponent}", "move_limit": 20 }}, level: (board: ["1 2 3", "4 . 6", "7 5 8"]))"#
    );
    open_text(stage, "duel.ron", &text);
}

#[test]
fn whether_the_opponent_is_shown_thinking_is_a_setting() {
    let mut stage = Stage::new();
    duel(&mut stage, "easy");
    for shown in [true, false] {
        stage.workshop().settings.show_thinking = shown;
        stage.workshop().settings.reply_delay_ms = 1000;
        stage.key(Key::R);
        stage.key(Key::ArrowUp);
        assert!(stage.doc().thinking(), "it waits out its pause");
        assert_eq!(stage.sees("the opponent is thinking"), shown);
        stage.settle();
    }
    stage.chord(super::CTRL, Key::Comma);
    stage.click("Opponent");
    assert!(stage.workshop().settings.show_thinking, "it is in the preferences");
}

/// Whether something on the board is drawn in the gold of the opponent's last act.
fn gold(stage: &mut Stage) -> usize {
    let gold = Rgba::hex(0xffcc00);
    let picture = stage.doc().picture(Board::Play, &Colours::dark(), 40.0);
    let is_gold = |f: &&Figure| format!("{f:?}").contains(&format!("{gold:?}"));
    picture.figures.iter().filter(is_gold).count()
}

#[test]
fn the_opponents_last_act_is_marked_in_gold_and_a_wait_too() {
    let mut stage = Stage::new();
    stage.workshop().settings.reply_delay_ms = 0;
    duel(&mut stage, "easy");
    assert_eq!(gold(&mut stage), 0);
    stage.key(Key::ArrowUp);
    stage.settle();
    assert!(stage.cell_name(1, 1).contains("pinned"));
    let pinned = gold(&mut stage);
    assert!(pinned > 0, "a ring around what it pinned");
    // Easy has to rest after a pin: it waits.
    stage.key(Key::ArrowRight);
    stage.settle();
    assert!(!stage.cell_name(1, 1).contains("pinned") && gold(&mut stage) > 0, "a pause sign");
}

#[test]
fn a_slide_takes_180_milliseconds_and_the_pause_of_the_opponent_stays_below_two_seconds() {
    let mut stage = Stage::new();
    duel(&mut stage, "none");
    stage.doc().set_animate(true);
    let before = std::time::Instant::now();
    stage.doc().input(&tilewright::game::Input::Key(tilewright::game::Key::Dir(tilewright::grid::Dir::Up)));
    assert!(stage.doc().in_motion(Board::Play));
    while stage.doc().in_motion(Board::Play) {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    assert!(before.elapsed().as_millis() >= 180, "{:?}", before.elapsed());
    const { assert!(MOST_REPLY_DELAY_MS < 2000) };
}

#[test]
fn points_moves_and_time_are_one_ranked_table() {
    let mut stage = Stage::new();
    stage.workshop().settings.reply_delay_ms = 0;
    duel(&mut stage, "none");
    assert!(!stage.sees("Best games"));
    // A detour first, then the straight way: 16 points, then 18.
    for (keys, place) in [
        (&[Key::ArrowUp, Key::ArrowDown, Key::ArrowUp, Key::ArrowLeft][..], "16"),
        (&[Key::ArrowUp, Key::ArrowLeft], "number 1 of your 2 best games"),
        (&[Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowLeft], "of your 3 best games"),
    ] {
        stage.key(Key::R);
        stage.settle();
        for key in keys {
            stage.key(*key);
            stage.settle();
        }
        assert_eq!(stage.doc().status(), Status::Won);
        assert!(stage.sees("Best games") && stage.sees(place), "{place}");
    }
    let w = stage.workshop();
    let table = w.ranked(w.session.current().expect("it is open"));
    let rows: Vec<_> = table.iter().map(|g| (g.points, g.moves, g.time().is_some())).collect();
    assert_eq!(rows, [(18, 2, true), (16, 4, true), (16, 4, true)]);
    // It is there when the level is opened again.
    stage.key(Key::R);
    stage.settle();
    assert!(stage.sees("Best games"));
}

// --------------------------------------------------------------------------------------------------------------------- Cats

#[test]
fn n_waits_until_a_level_of_the_library_is_complete() {
    let mut stage = Stage::with("cats", 0);
    let first = stage.doc().native();
    stage.key(Key::N);
    stage.settle();
    assert!(stage.doc().native() == first && stage.sees("complete this level first"));
    let line = stage.doc().kept()[0].moves.clone();
    stage.doc().play_line(&line).expect("its solution");
    stage.settle();
    stage.key(Key::N);
    stage.settle();
    assert_eq!(stage.doc().meta().title, "Around the corner");
}

#[test]
fn escape_leads_to_the_menu_whatever_was_listed_there() {
    let mut stage = at_start();
    stage.click("Levels of Cats");
    stage.click_like("Lesson 1, ");
    stage.settle();
    stage.key(Key::Escape);
    assert!(stage.sees("Continue") || stage.sees("Play Cats at lesson 1"), "the menu, not the list of levels");
    assert!(!stage.sees("Lesson 1, First step: "));
}

#[test]
fn a_locked_shape_shakes() {
    let cats = games::by_id("cats").expect("it is there").info();
    let locked = cats.levels.iter().position(|l| l.contains("title: \"Patience\"")).expect("a level with a lock");
    let mut stage = Stage::with("cats", locked);
    stage.doc().set_animate(true);
    let locked = |stage: &Stage, s: &tilewright::grid::Spot| stage.cell_name(s.cell.x, s.cell.y).contains("locked");
    let spots = stage.doc().spots(Board::Play);
    let at = spots.iter().find(|s| locked(&stage, s)).expect("a locked shape").cell;
    stage.click_cell(at.x, at.y);
    assert!(stage.doc().in_motion(Board::Play), "it shakes");
    assert_eq!(stage.doc().progress().0, 0);
}
