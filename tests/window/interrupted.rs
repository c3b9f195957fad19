//! What arrives while something else is in hand: keys, tabs and levels in mid-stroke, levels behind dialogs, edits before play.

use super::{CTRL, blank, stage::Stage};
use egui::{Event, Key, Modifiers};
use std::{
    path::Path,
    sync::mpsc::{Sender, channel},
};
use tilewright::{
    app::{dialogs::Then, dock::Pane, transfers::Saving, workshop::Mode},
    document::{Board, SolveState},
    game::Status,
    games,
    grid::Cell,
};

/// A blank board of Sbokena with walls as brush, and a stroke under way over two of its cells.
fn in_mid_stroke() -> Stage {
    let mut stage = Stage::new();
    blank(&mut stage, "Sbokena");
    stage.click("Wall");
    begin_stroke(&mut stage);
    stage
}

fn begin_stroke(stage: &mut Stage) {
    let (from, to) = (stage.cell(2, 2), stage.cell(3, 2));
    stage.press(from);
    stage.move_to(to);
}

/// The cells of the draft that hold this, in reading order.
fn holding(stage: &mut Stage, what: &str) -> Vec<Cell> {
    let doc = stage.doc();
    let spots = doc.spots(Board::Draft).into_iter().filter(|s| doc.describe(Board::Draft, *s) == what);
    spots.map(|s| s.cell).collect()
}

fn title(stage: &mut Stage) -> String {
    let w = stage.workshop();
    w.session.open[w.session.active].title()
}

#[test]
fn f5_in_mid_stroke_ends_it_and_bare_pointer_movement_paints_nothing_afterwards() {
    let mut stage = in_mid_stroke();
    stage.key(Key::F5);
    stage.key(Key::F5);
    stage.settle();
    if stage.workshop().session.mode == Mode::Play {
        stage.key(Key::F5);
    }
    let end = stage.cell(3, 2);
    stage.release(end);
    assert_eq!(
        (stage.cell_name(2, 2), stage.cell_name(3, 2)),
        ("wall".into(), "wall".into()),
        "what was painted stays"
    );
    let draft = stage.doc().native();
    for (x, y) in [(3, 3), (4, 4), (5, 3)] {
        let at = stage.cell(x, y);
        stage.move_to(at);
    }
    assert_eq!(stage.doc().native(), draft);
    assert_eq!(stage.doc().history_len().0, 1, "one stroke, one undo step");
}

#[test]
fn a_tab_clicked_in_mid_stroke_ends_it() {
    let mut stage = in_mid_stroke();
    // The button is let go over another panel, where the editor is no longer to be seen.
    stage.chord(Modifiers::ALT, Key::Num7);
    let away = stage.place("New level…");
    stage.release(away);
    stage.chord(Modifiers::ALT, Key::Num3);
    stage.settle();
    assert_eq!(stage.doc().history_len().0, 1);
    let at = stage.cell(5, 5);
    stage.move_to(at);
    assert_eq!(stage.cell_name(5, 5), "floor");
}

#[test]
fn another_level_brought_to_the_front_in_mid_stroke_leaves_the_old_one_whole_judged_and_asked_about() {
    let mut stage = in_mid_stroke();
    let drawn = stage.front();
    stage.chord(CTRL, Key::PageDown);
    assert_ne!(stage.front(), drawn);
    let other = stage.doc().native();
    let at = egui::pos2(640.0, 400.0);
    stage.move_to(at);
    stage.release(at);
    assert_eq!(stage.doc().native(), other, "the stroke does not go on in the level that came to the front");
    while stage.front() != drawn {
        stage.chord(CTRL, Key::PageDown);
    }
    stage.settle();
    assert!(stage.doc().dirty());
    assert!(stage.sees("not playable"), "the verdict is about what was painted");
    stage.chord(CTRL, Key::W);
    assert!(stage.sees("Save changes?"));
}

#[test]
fn a_level_that_arrives_in_mid_stroke_ends_it() {
    let mut stage = in_mid_stroke();
    let drawn = stage.front();
    stage.harness.event(Event::Paste(games::by_id("cats").expect("it is there").info().levels[0].into()));
    stage.frames(3);
    // Text of another game opens beside the level.
    assert_ne!(stage.front(), drawn);
    let at = egui::pos2(640.0, 400.0);
    stage.move_to(at);
    stage.release(at);
    stage.settle();
    let w = stage.workshop();
    let old = w.session.level_mut(drawn).expect("it is still open");
    assert!(old.doc.dirty() && old.doc.history_len().0 == 1);
}

#[test]
fn undo_and_escape_in_mid_stroke_drop_the_stroke_and_nothing_else() {
    for (modifiers, key) in [(CTRL, Key::Z), (Modifiers::NONE, Key::Escape)] {
        let mut stage = Stage::new();
        blank(&mut stage, "Sbokena");
        stage.click("Goal");
        stage.click_cell(5, 5);
        stage.click("Wall");
        begin_stroke(&mut stage);
        stage.chord(modifiers, key);
        assert_eq!((stage.cell_name(2, 2), stage.cell_name(5, 5)), ("floor".into(), "goal".into()), "{key:?}");
        let at = stage.cell(4, 4);
        stage.move_to(at);
        stage.release(at);
        assert_eq!(stage.cell_name(4, 4), "floor", "{key:?}: a dropped stroke does not go on");
        assert_eq!(stage.doc().history_len(), (1, 0), "{key:?}");
    }
}

#[test]
fn a_press_elsewhere_ends_a_stroke_of_the_keyboard() {
    let mut stage = Stage::new();
    blank(&mut stage, "Cats");
    stage.click("red free shape");
    stage.keys(&[Key::ArrowRight, Key::Space, Key::ArrowRight]);
    assert_eq!(stage.doc().history_len().0, 0, "the shape is still being drawn");
    stage.click("Blocker");
    assert_eq!(stage.doc().history_len().0, 1);
    stage.chord(CTRL, Key::Z);
    assert_eq!(stage.doc().history_len().0, 0);
}

#[test]
fn play_shows_the_draft_by_whatever_way_it_is_entered_and_says_that_the_level_changed() {
    let ways: [(&str, fn(&mut Stage)); 4] = [
        ("tab", |s| s.click_tab("Play", Pane::Edit)),
        ("panel key", |s| s.chord(Modifiers::ALT, Key::Num2)),
        ("F5", |s| s.key(Key::F5)),
        ("Start and back", |s| {
            s.chord(Modifiers::ALT, Key::Num7);
            s.chord(Modifiers::ALT, Key::Num2);
        }),
    ];
    for (name, enter) in ways {
        let mut stage = Stage::with("sbokena", 0);
        stage.key(Key::ArrowRight);
        stage.key(Key::F5);
        stage.click("Wall");
        let cell = holding(&mut stage, "floor")[0];
        stage.click_cell(cell.x, cell.y);
        stage.workshop().message = None;
        enter(&mut stage);
        stage.frames(2);
        assert_eq!(stage.workshop().session.mode, Mode::Play, "{name}");
        assert_eq!(stage.cell_name(cell.x, cell.y), "wall", "{name}");
        assert!(stage.sees("level changed"), "{name}");
    }
}

#[test]
fn an_unplayable_draft_is_named_in_play_instead_of_an_old_board_and_undo_brings_the_game_back() {
    let mut stage = Stage::with("sbokena", 0);
    let keys = [Key::ArrowRight, Key::ArrowLeft, Key::ArrowUp, Key::ArrowDown];
    stage.keys(&keys);
    let made = stage.doc().progress().0;
    assert!(made > 0);
    stage.key(Key::F5);
    let cell = holding(&mut stage, "player")[0];
    stage.click("Wall");
    stage.click_cell(cell.x, cell.y);
    stage.click_tab("Play", Pane::Edit);
    assert!(stage.sees("This draft cannot be played yet"));
    stage.chord(Modifiers::ALT, Key::Num3);
    stage.chord(CTRL, Key::Z);
    stage.chord(Modifiers::ALT, Key::Num2);
    assert!(!stage.sees("This draft cannot be played yet"));
    assert_eq!(stage.doc().progress().0, made, "the same level again: its game goes on");
}

#[test]
fn a_line_found_before_an_edit_is_not_taken_over() {
    let mut stage = Stage::with("sbokena", 0);
    stage.key(Key::F6);
    stage.settle();
    assert_eq!(stage.doc().solve_state(), SolveState::Done);
    stage.key(Key::F5);
    stage.click("Wall");
    stage.click_cell(0, 0);
    let cell = holding(&mut stage, "floor")[0];
    stage.click_cell(cell.x, cell.y);
    stage.click("Take over here");
    assert!(stage.sees("solve it again"));
    assert_eq!(stage.doc().progress().0, 0);
}

/// An endless run of Match from the start page, beside a drawing that is not saved.
fn run_beside_a_drawing() -> (Stage, u64) {
    let mut stage = Stage::new();
    blank(&mut stage, "Match");
    stage.click("Orange");
    stage.drag_cells(&[(1, 1), (2, 1), (3, 1)]);
    stage.key(Key::F5);
    stage.settle();
    stage.drag_cells(&[(1, 1), (2, 1), (3, 1)]);
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won);
    assert!(!stage.sees("score"), "a drawing is no run");
    let drawn = stage.front();
    stage.key(Key::Escape);
    stage.click("Endless run");
    stage.settle();
    assert!(stage.front() != drawn && stage.sees("score 0"));
    (stage, drawn)
}

#[test]
fn the_next_board_of_a_run_never_closes_a_drawing_or_whatever_is_in_front_by_then() {
    let (mut stage, drawn) = run_beside_a_drawing();
    let first = stage.front();
    // Not before it is cleared; a board that was taken over leads on, and does not count.
    stage.key(Key::N);
    stage.settle();
    assert_eq!(stage.front(), first);
    stage.take_over_solution();
    stage.key(Key::N);
    stage.chord(CTRL, Key::PageDown);
    stage.settle();
    let w = stage.workshop();
    assert!(w.session.level(first).is_none(), "the cleared board of the run made room");
    assert!(w.session.level_mut(drawn).is_some_and(|o| o.doc.dirty()), "and nothing else");
    let run = |o: &tilewright::app::session::OpenLevel| o.run;
    assert!(w.session.open.iter().filter_map(run).all(|r| r.score == 0), "a win that was taken over does not count");
}

#[test]
fn a_generator_that_is_cancelled_leaves_nothing_behind() {
    let (mut stage, drawn) = run_beside_a_drawing();
    let open = stage.workshop().session.open.len();
    stage.take_over_solution();
    stage.key(Key::N);
    stage.workshop().services.making = None;
    stage.settle();
    let w = stage.workshop();
    assert!(w.session.open.len() == open && w.session.level(drawn).is_some());
}

#[test]
fn a_level_that_arrives_behind_a_dialog_does_not_change_what_the_dialog_is_about() {
    let mut stage = Stage::new();
    blank(&mut stage, "Sbokena");
    stage.click("Wall");
    stage.click_cell(3, 3);
    let drawn = stage.front();
    stage.chord(CTRL, Key::W);
    assert!(stage.sees("Save changes?"));
    stage.workshop().open_campaign("cats", tilewright::memory::Place::Lesson(1));
    stage.settle();
    assert_ne!(stage.front(), drawn, "a level of the campaign has come to the front");
    let arrived = stage.front();
    stage.click_in_dialog("Discard");
    let w = stage.workshop();
    assert!(w.session.level(drawn).is_none() && w.session.level(arrived).is_some());
}

#[test]
fn resizing_and_saving_go_to_the_level_they_were_asked_for() {
    let mut stage = Stage::new();
    blank(&mut stage, "Sbokena");
    let drawn = stage.front();
    stage.chord(CTRL, Key::E);
    stage.workshop().open_campaign("cats", tilewright::memory::Place::Lesson(1));
    stage.settle();
    let (front, size) = (stage.front(), stage.doc().board_size(Board::Draft));
    stage.click_in_dialog("Resize");
    assert_ne!(front, drawn);
    assert_eq!(stage.doc().board_size(Board::Draft), size);

    // A dialog whose level is closed meanwhile closes too, and says so.
    stage.chord(CTRL | Modifiers::SHIFT, Key::S);
    assert!(stage.sees("Save as"));
    let index = stage.workshop().session.active;
    stage.workshop().close_now(index);
    stage.frames(2);
    assert!(stage.sees("no longer open") && stage.workshop().dialog.is_none(), "{}", title(&mut stage));
}

#[test]
fn moves_that_were_taken_over_stay_so_when_they_are_replayed_on_an_edited_level() {
    let mut stage = Stage::with("sbokena", 0);
    stage.take_over_solution();
    assert!(stage.doc().status() == Status::Won && stage.doc().taken_over());
    stage.key(Key::F5);
    stage.click("Wall");
    // A wall in a corner that is wall already changes nothing; one outside the way does.
    let floor = holding(&mut stage, "floor");
    let cell = floor[floor.len() - 1];
    stage.click_cell(cell.x, cell.y);
    stage.chord(Modifiers::SHIFT, Key::F5);
    stage.key(Key::F5);
    stage.chord(CTRL, Key::Z);
    stage.chord(Modifiers::SHIFT, Key::F5);
    stage.settle();
    assert!(stage.doc().progress().0 == 0 || stage.doc().taken_over(), "nobody's record");
}

#[test]
fn a_taken_over_win_does_not_score_and_a_new_run_counts_its_boards_again() {
    let (mut stage, _) = run_beside_a_drawing();
    stage.take_over_solution();
    assert_eq!(stage.doc().status(), Status::Won);
    assert!(stage.sees("score 0"), "a win that was taken over scores nothing");
    let line = stage.doc().line_text().to_string();
    stage.key(Key::R);
    stage.doc().play_line(&line).expect("it can be played");
    stage.settle();
    assert!(stage.sees("score 1 · best 1"), "won by hand it does");
    stage.click("New run");
    stage.settle();
    assert!(stage.sees("score 0 · best 1"));
}

#[test]
fn the_clock_stands_still_on_a_win_that_was_reached_by_redo() {
    let mut stage = Stage::with("match", 0);
    stage.drag_cells(&[(0, 0), (1, 0), (1, 1), (0, 1)]);
    stage.settle();
    stage.key(Key::R);
    while stage.doc().status() != Status::Won {
        stage.chord(CTRL, Key::Y);
    }
    let time = stage.doc().play_time();
    assert!(!time.is_zero(), "the moves were made in some time");
    std::thread::sleep(std::time::Duration::from_millis(30));
    assert_eq!(stage.doc().play_time(), time);
}

#[test]
fn a_click_in_the_open_list_brings_the_levels_panel_to_the_front() {
    let mut stage = Stage::with("cats", 1);
    let wanted = title(&mut stage);
    stage.open("match", 0);
    stage.chord(Modifiers::ALT, Key::Num7);
    assert!(stage.sees("New level…"));
    stage.click(&wanted);
    assert_eq!(title(&mut stage), wanted);
    assert!(!stage.sees("New level…"), "Start is no longer in front");
}

#[test]
fn a_win_with_hints_says_so() {
    let mut stage = Stage::with("match", 0);
    stage.key(Key::H);
    stage.settle();
    stage.drag_cells(&[(0, 0), (1, 0), (1, 1), (0, 1)]);
    stage.settle();
    assert!(stage.sees("with one hint"));
}

#[test]
fn a_win_after_the_solution_was_shown_is_not_called_one_without_help() {
    let win = |stage: &mut Stage| {
        stage.drag_cells(&[(0, 0), (1, 0), (1, 1), (0, 1)]);
        stage.settle();
        assert!(stage.sees("LEVEL COMPLETE!"));
    };
    let mut stage = Stage::with("match", 0);
    win(&mut stage);
    assert!(stage.sees("no hints"));
    // What is looked at after the win was no help with it.
    stage.key(Key::F6);
    stage.settle();
    assert!(stage.sees("no hints") && !stage.sees("after seeing the solution"));
    // It is with the next one.
    stage.key(Key::R);
    stage.settle();
    win(&mut stage);
    assert!(stage.sees("after seeing the solution") && !stage.sees("no hints"));
}

/// A drawn level with a file, and a disk on which saving takes until it is released.
fn saved_on_a_slow_disk() -> (Stage, Sender<()>) {
    let mut stage = Stage::new();
    blank(&mut stage, "Sbokena");
    let (file, level) = (stage.home.path().join("slow.ron"), stage.front());
    stage.workshop().save_to(level, file.clone(), Then::Stay);
    stage.settle();
    assert!(!stage.doc().dirty() && file.exists());
    let (release, gate) = channel();
    let services = &mut stage.workshop().services;
    let before = Saving { level: 0, file, text: String::new(), then: Then::Stay };
    services.saving.add(&services.wake, before, move || {
        let _ = gate.recv();
        Err("the disk is slow".into())
    });
    stage.click("Wall");
    stage.click_cell(2, 2);
    (stage, release)
}

fn file_of(stage: &Stage) -> String {
    std::fs::read_to_string(stage.home.path().join("slow.ron")).expect("the file")
}

#[test]
fn what_is_drawn_while_a_level_is_saved_is_not_saved() {
    let (mut stage, release) = saved_on_a_slow_disk();
    let wanted = stage.doc().native();
    stage.chord(CTRL, Key::S);
    stage.click_cell(3, 2);
    stage.frames(30);
    assert!(stage.doc().dirty() && file_of(&stage) != wanted, "the window goes on, the disk has nothing yet");
    stage.wait_for("it is named", |s| s.sees("saving slow.ron"));
    // Closing asks, since that stroke is in no file and on no way there.
    stage.chord(CTRL, Key::W);
    assert!(stage.sees("Save changes?"));
    stage.click("Cancel");
    release.send(()).expect("it waits");
    stage.wait_for("it is saved", |s| !s.workshop().services.saving.busy());
    assert_eq!(file_of(&stage), wanted);
    assert!(stage.doc().dirty());
    stage.chord(CTRL, Key::Z);
    assert!(!stage.doc().dirty(), "back to what the file holds");
}

#[test]
fn closing_and_leaving_wait_for_a_save_that_is_under_way() {
    let (mut stage, release) = saved_on_a_slow_disk();
    let (wanted, open) = (stage.doc().native(), stage.workshop().session.open.len());
    stage.chord(CTRL, Key::S);
    stage.chord(CTRL, Key::W);
    stage.frames(5);
    assert!(stage.workshop().dialog.is_none(), "nothing to ask");
    assert_eq!(stage.workshop().session.open.len(), open, "nor closed before it is on disk");
    stage.chord(CTRL, Key::Q);
    assert!(!stage.workshop().leaving && stage.workshop().dialog.is_none());
    release.send(()).expect("it waits");
    stage.wait_for("it is left", |s| s.workshop().leaving);
    assert_eq!(file_of(&stage), wanted);
}

#[test]
fn a_save_that_fails_closes_nothing() {
    let (mut stage, release) = saved_on_a_slow_disk();
    stage.chord(CTRL, Key::S);
    stage.chord(CTRL, Key::W);
    let file = stage.home.path().join("slow.ron");
    std::fs::remove_file(&file).expect("it was there");
    std::fs::create_dir(&file).expect("a folder in its place");
    let level = stage.front();
    release.send(()).expect("it waits");
    stage.wait_for("it has failed", |s| !s.workshop().services.saving.busy());
    assert!(stage.front() == level && stage.doc().dirty());
    assert!(stage.workshop().message.as_ref().is_some_and(|m| m.bad));
}

#[test]
fn a_file_is_read_in_the_background_and_opened_once() {
    let mut stage = Stage::new();
    let file = stage.home.path().join("one.ron");
    std::fs::write(&file, games::offered()[0].info().levels[2]).expect("a file");
    let (release, gate) = channel::<()>();
    let services = &mut stage.workshop().services;
    services.reading.add(&services.wake, "slow.ron".into(), move || {
        let _ = gate.recv();
        Err("slow.ron is damaged".into())
    });
    let before = stage.workshop().session.open.len();
    stage.workshop().open_path(&file);
    stage.workshop().open_path(&file);
    stage.frames(30);
    assert_eq!(stage.workshop().session.open.len(), before);
    release.send(()).expect("it waits");
    stage.settle();
    assert_eq!(stage.workshop().session.open.len(), before + 1);
    assert_eq!(stage.workshop().session.current().and_then(|o| o.path()), Some(file.as_path()));
}

#[test]
fn a_file_that_cannot_be_read_is_named_in_the_dialog_which_tries_again() {
    let mut stage = Stage::new();
    let type_path = |stage: &mut Stage, path: &Path| {
        stage.chord(CTRL, Key::O);
        stage.type_text(&path.display().to_string());
        stage.key(Key::Enter);
    };
    let file = stage.home.path().join("bad.ron");
    std::fs::write(&file, "(tilewright: 1, game: \"cats\"").expect("a file");
    type_path(&mut stage, &file);
    stage.settle();
    assert!(stage.sees("Open a level") && stage.sees("bad.ron"));
    std::fs::write(&file, games::offered()[0].info().levels[2]).expect("a file");
    let open = stage.workshop().session.open.len();
    stage.click_in_dialog("Open");
    stage.settle();
    assert!(stage.workshop().dialog.is_none());
    assert_eq!(stage.workshop().session.open.len(), open + 1);
}

#[test]
fn escape_after_the_first_of_two_clicks_leaves_no_frame() {
    let mut stage = Stage::with("sbokena", 0);
    stage.key(Key::F5);
    stage.settle();
    stage.click("Move");
    let at = holding(&mut stage, "box").first().copied().expect("a box");
    stage.click_cell(at.x, at.y);
    let edit = |stage: &mut Stage| stage.workshop().session.current().map(|o| (o.edit.at_rest(), o.edit.cursor));
    assert_eq!(edit(&mut stage), Some((false, Some(at.into()))), "it waits for the second click");
    stage.key(Key::Escape);
    assert_eq!(edit(&mut stage), Some((true, None)));
    // The keyboard's own cursor stays where it is.
    stage.keys(&[Key::ArrowRight, Key::Space, Key::Escape]);
    assert!(edit(&mut stage).is_some_and(|(rest, cursor)| rest && cursor.is_some()));
}
