//! Moves are shown as the game shows them: hints, steps, undo by gesture, the way back to before a loss.

use super::{CTRL, stage::Stage};
use egui::Key;
use egui_kittest::kittest::Queryable as _;
use tilewright::{
    app::dock::Pane,
    document::Board,
    game::Status,
    games,
    picture::{Colours, Figure},
};

/// Opens a level given as text.
pub fn open_text(stage: &mut Stage, name: &str, text: &str) {
    let path = stage.home.path().join(name);
    std::fs::write(&path, text).expect("the home can be written");
    stage.chord(CTRL, Key::O);
    stage.type_text(&path.display().to_string());
    stage.click_in_dialog("Open");
    stage.settle();
}

#[test]
fn a_narrow_list_of_moves_shows_as_many_as_there_is_room_for() {
    let mut stage = Stage::sized(900.0, 700.0);
    stage.open("sbokena", 11);
    stage.key(Key::F6);
    stage.settle();
    let walk = stage.doc().move_rows()[0].moves.len();
    assert!(walk > 3, "it begins with a walk");
    // The arrows of the first row, before any step and in the middle of the walk.
    for step in [0, walk / 2] {
        stage.doc().set_step(step);
        stage.frames(3);
        let mut arrows: Vec<_> = ["←", "→", "↑", "↓"].iter().flat_map(|a| stage.all_like(a)).collect();
        arrows.sort_by(|a, b| a.y.total_cmp(&b.y));
        let shown = arrows.iter().filter(|at| at.y < arrows[0].y + 6.0).count();
        assert!(shown >= 3, "{shown} of {walk} moves after step {step}");
    }
}

/// How many figures lie over the board for what comes next.
fn drawn_ahead(stage: &mut Stage, board: Board) -> Vec<Figure> {
    stage.doc().ahead(board, &Colours::dark(), 40.0).map_or_else(Vec::new, |p| p.figures)
}

#[test]
fn hints_name_the_piece_and_then_its_move_and_draw_it_in_every_game() {
    for (id, level, first, second) in [
        ("cats", 4, "move the ", " to "),
        ("shards", 4, "place the ", " with its top left corner at "),
        ("readout", 2, "slide tile ", " to "),
        ("sbokena", 2, "push the box at ", " to "),
        ("match", 4, "drag the ", " along "),
    ] {
        let mut stage = Stage::with(id, level);
        stage.key(Key::H);
        stage.settle();
        let words = stage.doc().hint().expect("a hint").text;
        assert!(words.starts_with(first) && !words.contains(second), "{id}: {words}");
        assert!(stage.sees(&words), "{id}: it is said");
        let piece = drawn_ahead(&mut stage, Board::Play);
        assert!(!piece.is_empty(), "{id}: the piece is marked");
        stage.key(Key::H);
        stage.settle();
        let words = stage.doc().hint().expect("a hint").text;
        assert!(words.starts_with(first) && words.contains(second), "{id}: {words}");
        assert!(!words.contains("walk"), "{id}: {words}");
        assert!(drawn_ahead(&mut stage, Board::Play).len() > piece.len(), "{id}: the move is drawn");
        assert_eq!(stage.doc().hints_used(), 1, "{id}: two stages of one hint");
        stage.workshop().message = None;
        stage.frames(2);
        stage.picture_of(Pane::Play, &format!("hint-{id}"));
        // The same while stepping; the last step has nothing to come.
        stage.key(Key::F6);
        stage.settle();
        stage.key(Key::Period);
        let step = stage.doc().step();
        assert!(!drawn_ahead(&mut stage, Board::Step(step)).is_empty(), "{id}");
        stage.picture_of(Pane::Play, &format!("step-{id}"));
        stage.click_like("Last step");
        let end = stage.doc().line_len();
        assert!(drawn_ahead(&mut stage, Board::Step(end)).is_empty(), "{id}");
    }
}

#[test]
fn a_hint_stays_in_sight_while_its_gesture_is_made_and_counts_once() {
    let mut stage = Stage::with("sbokena", 2);
    stage.key(Key::F6);
    stage.settle();
    let moves: Vec<char> = stage.doc().line_text().chars().filter(|c| c.is_ascii_alphabetic()).collect();
    stage.key(Key::H);
    stage.settle();
    stage.key(Key::H);
    let line = stage.doc().hint().expect("a hint").text;
    // Along the advised way, step by step: the words stay until the push is made.
    let walk = moves.iter().position(|c| c.is_uppercase()).expect("something is pushed");
    for c in &moves[..walk] {
        stage.key(match c.to_ascii_lowercase() {
            'u' => Key::ArrowUp,
            'd' => Key::ArrowDown,
            'l' => Key::ArrowLeft,
            _ => Key::ArrowRight,
        });
        assert_eq!(stage.doc().hint().map(|h| h.text), Some(line.clone()));
    }
    assert_eq!((stage.doc().progress().0, stage.doc().hints_used()), (walk, 1));
}

const ROOM: &str = "########\n#      #\n# @$ . #\n#      #\n########\n";

#[test]
fn undo_takes_back_what_one_gesture_did() {
    let mut stage = Stage::new();
    open_text(&mut stage, "room.xsb", ROOM);
    // A click walks four steps; one undo takes them back, one redo makes them again.
    stage.click_cell(6, 3);
    stage.settle();
    let walked = stage.doc().progress().0;
    assert!(walked > 3, "{walked}");
    stage.key(Key::ArrowLeft);
    assert_eq!(stage.doc().progress().0, walked + 1);
    stage.key(Key::Z);
    assert_eq!(stage.doc().progress().0, walked, "a key is a gesture");
    stage.key(Key::Z);
    assert_eq!(stage.doc().progress().0, 0, "so is the whole walk");
    stage.chord(egui::Modifiers::SHIFT, Key::Z);
    assert_eq!(stage.doc().progress().0, walked);
    // A drag of several cells in Cats, crossing by crossing.
    stage.open("cats", 0);
    let made = stage.doc().progress().0;
    stage.key(Key::F6);
    stage.settle();
    stage.click_like("Last step");
    stage.click("Take over here");
    stage.settle();
    assert_eq!(stage.doc().status(), Status::Won);
    let gestures = std::iter::from_fn(|| stage.doc().undo().then_some(())).count();
    let drags = stage.doc().report().and_then(|r| r.counts.iter().find(|(n, _)| *n == "drags").map(|c| c.1));
    assert_eq!((Some(gestures as u32), made), (drags, 0), "a line taken over is undone drag by drag");
}

#[test]
fn a_lost_position_is_said_once_and_leads_back_to_before_the_loss() {
    let mut stage = Stage::new();
    open_text(&mut stage, "room.xsb", ROOM);
    stage.keys(&[Key::ArrowDown, Key::ArrowRight, Key::ArrowUp]);
    stage.settle();
    // On along the wall: lost all the same.
    stage.keys(&[Key::ArrowDown, Key::ArrowLeft]);
    stage.settle();
    assert!(stage.sees("This position cannot be won") && !stage.sees("lost: undo"), "said once");
    stage.picture_of(Pane::Play, "lost-sbokena");
    stage.click("Back to before the loss");
    stage.settle();
    assert_eq!(stage.doc().progress(), (2, 5), "before the push; the rest can be made again");
    assert!(!stage.sees("cannot be won"));
    // A level that is lost from the start offers no way back.
    open_text(&mut stage, "lost.xsb", "######\n#$  .#\n#   @#\n######\n");
    stage.settle();
    assert!(stage.sees("This level cannot be won") && !stage.sees("Back to before the loss"));
}

#[test]
fn the_move_list_of_a_duel_has_the_opponents_replies() {
    let mut stage = Stage::new();
    let text = r#"(tilewright: 1, game: "readout", title: "A duel", rules: { "opponent": "easy", "move_limit": 20 }, level: (board: ["1 2 3", "4 . 6", "7 5 8"]))"#;
    open_text(&mut stage, "duel.ron", text);
    stage.workshop().inspect.goal = 1;
    stage.key(Key::F6);
    stage.settle();
    let rows = stage.doc().move_rows().to_vec();
    assert!(rows.iter().any(|r| r.reply && r.piece == "opponent"), "{rows:?}");
    let own: usize = rows.iter().filter(|r| !r.reply).map(|r| r.moves.len()).sum();
    assert_eq!(own, stage.doc().line_len());
    assert!(stage.sees("opponent"), "the list shows them");
}

#[test]
fn the_move_list_names_pieces_so_that_they_are_found_on_the_board() {
    let mut stage = Stage::with("cats", 4);
    let rows = |stage: &mut Stage| {
        stage.key(Key::F6);
        stage.settle();
        let rows = stage.doc().move_rows().iter();
        rows.map(|r| (r.piece.clone(), r.moves.join(" "))).collect::<Vec<_>>()
    };
    let cats = rows(&mut stage);
    assert!(cats.iter().all(|(piece, _)| piece.contains(" at ")), "{cats:?}");
    // The place is that before the move, as the hint names it.
    let hint = stage.doc().next_move().expect("there is a line").text;
    assert!(hint.contains(&cats[0].0), "{hint}: {cats:?}");
    stage.open("sbokena", 2);
    let pushes = rows(&mut stage);
    assert!(pushes.iter().any(|(piece, _)| piece == "box at c4"), "{pushes:?}");
    stage.open("readout", 2);
    let slides = rows(&mut stage);
    assert_eq!(slides[0], ("tile 7".into(), "↓".into()));
    stage.open("shards", 3);
    let pieces = rows(&mut stage);
    assert!(pieces.iter().all(|(piece, _)| piece.ends_with(" piece")), "{pieces:?}");
}

#[test]
fn a_row_of_many_moves_has_buttons_for_those_in_sight_around_the_step() {
    let mut stage = Stage::new();
    let (wall, floor) = ("#".repeat(80), " ".repeat(74));
    open_text(&mut stage, "corridor.xsb", &format!("{wall}\n#@{floor}$.  #\n{wall}\n"));
    stage.key(Key::F6);
    stage.settle();
    assert!(stage.doc().line_len() > 70);
    for step in [1, 40, 70] {
        stage.doc().set_step(step);
        stage.frames(3);
        let inspect = stage.harness.state_mut().layout().place(Pane::Inspect).expect("it is in sight");
        let arrows: Vec<_> = stage.all_like("→").into_iter().filter(|at| inspect.contains(*at)).collect();
        assert!((5..40).contains(&arrows.len()), "step {step}: {arrows:?}");
        let here = stage.harness.query_all_by(|n| {
            n.label().is_some_and(|l| l == "→") && n.toggled() == Some(egui::accesskit::Toggled::True)
        });
        let here: Vec<_> = here.map(|n| n.rect()).collect();
        assert!(here.len() == 1 && inspect.contains_rect(here[0]), "step {step}: {here:?}");
    }
}

#[test]
fn a_win_with_moves_of_a_solution_has_no_stars() {
    let mut stage = Stage::with("cats", 0);
    stage.take_over_solution();
    assert!(stage.sees("LEVEL COMPLETE!") && stage.sees("not counted"));
    assert!(!stage.sees("of 3 stars") && !stage.sees("no hints"));
}

#[test]
fn every_game_is_listed_above() {
    let mut ids: Vec<&str> = games::offered().iter().map(|g| g.info().id).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["cats", "match", "readout", "sbokena", "shards"]);
}

#[test]
fn a_win_is_celebrated_on_the_board_unless_motion_is_off() {
    for animate in [true, false] {
        let mut stage = Stage::new();
        open_text(&mut stage, "room.xsb", "#####\n#@$.#\n#####\n");
        stage.workshop().settings.animate = animate;
        stage.frames(2);
        stage.key(Key::ArrowRight);
        assert_eq!(stage.doc().status(), Status::Won);
        let w = stage.workshop();
        assert_eq!(w.session.current().expect("it is open").celebration.is_on(), animate);
        assert!(stage.sees("LEVEL COMPLETE!"), "the bar is there at once");
        // It ends by itself, and undo ends it too.
        stage.key(Key::Z);
        let w = stage.workshop();
        assert!(!w.session.current().expect("it is open").celebration.is_on());
    }
}

#[test]
fn the_brush_shows_what_it_would_paint_and_paints_nothing() {
    let mut stage = Stage::new();
    super::blank(&mut stage, "Cats");
    stage.click("red L");
    let draft = stage.doc().native();
    let at = stage.cell(3, 3);
    stage.move_to(at);
    stage.frames(2);
    stage.picture_of(Pane::Edit, "ghost-cats");
    assert_eq!(stage.doc().native(), draft, "nothing is painted");
    let ink = stage.workshop().session.current().expect("it is open").edit.ink.expect("chosen");
    let (_, spots) = stage.doc().try_paint(ink, &[tilewright::grid::cell(3, 3).into()], &[], &Colours::dark(), 40.0);
    stage.click_at(at);
    let red = |s: &tilewright::grid::Spot| stage.cell_name(s.cell.x, s.cell.y).starts_with("red ");
    assert!(spots.len() > 2 && spots.iter().all(red), "what was shown is what is painted: {spots:?}");
}

#[test]
fn one_key_hides_everything_but_the_board_and_brings_it_back() {
    let mut stage = Stage::with("cats", 0);
    assert!(stage.sees("Library") && stage.sees("File"));
    stage.key(Key::F11);
    stage.frames(2);
    assert!(!stage.sees("Library") && !stage.sees("File") && stage.sees("play board"));
    stage.keys(&[Key::PageDown, Key::Space]);
    stage.key(Key::H);
    stage.settle();
    assert!(stage.doc().hint().is_some(), "the game goes on");
    // Asking for another panel, or Escape, or the key again.
    stage.key(Key::F6);
    stage.settle();
    assert!(stage.sees("Library"), "Inspect must be seen");
    stage.key(Key::Escape);
    stage.key(Key::F11);
    stage.frames(2);
    assert!(!stage.sees("Library"));
    stage.keys(&[Key::Escape, Key::Escape]);
    stage.frames(2);
    assert!(stage.sees("Library"), "what is in hand is let go first, then the panels come back");
    stage.key(Key::F11);
    stage.key(Key::F11);
    stage.frames(2);
    assert!(stage.sees("Library"));
}

#[test]
fn the_caption_of_a_lesson_stays_while_it_is_played() {
    let mut stage = Stage::with("cats", 2);
    let caption = stage.doc().meta().notes.lines().next().expect("a caption").to_string();
    // The Library has these words too.
    let shown = |stage: &mut Stage| {
        let play = stage.harness.state_mut().layout().place(Pane::Play).expect("it is in sight");
        let mut named = stage.harness.query_all_by(|n| n.value().is_some_and(|v| v == caption));
        named.any(|n| play.contains_rect(n.rect()))
    };
    assert!(shown(&mut stage));
    let mut probe = tilewright::job::Probe::new(tilewright::job::Limits::default());
    let line = stage.doc().solve_now(0, &mut probe).moves.expect("it can be solved");
    stage.doc().play_line(&line).expect("it can be played");
    while stage.doc().status() != Status::Playing {
        stage.doc().undo();
    }
    stage.settle();
    assert!(stage.doc().progress().0 > 0 && shown(&mut stage), "after {line}");
    // A hint takes its line, and gives it back.
    stage.key(Key::H);
    stage.settle();
    assert!(!shown(&mut stage));
    stage.key(Key::Z);
    stage.settle();
    assert!(shown(&mut stage));
}

#[test]
fn a_hint_goes_when_the_solution_is_asked_for() {
    let mut stage = Stage::with("shards", 3);
    stage.key(Key::H);
    stage.settle();
    assert!(stage.sees("place the red piece"));
    stage.key(Key::F6);
    stage.settle();
    assert!(!stage.sees("place the red piece"));
    // One that is still being looked for does not come later.
    stage.doc().ask_hint();
    stage.key(Key::F6);
    stage.settle();
    assert!(!stage.sees("place the red piece") && !stage.sees("looking for a hint"));
}

#[test]
fn the_whole_of_a_shortened_line_appears_at_the_pointer() {
    let mut stage = Stage::sized(1024.0, 700.0);
    stage.harness.ctx.all_styles_mut(|style| style.interaction.tooltip_delay = 0.0);
    stage.open("match", 11);
    for _ in 0..2 {
        stage.key(Key::H);
        stage.settle();
    }
    let words = stage.doc().hint().expect("a hint").text;
    let line = stage.harness.get_by_label(&words).rect();
    let pointer = line.right_bottom() - egui::vec2(20.0, 5.0);
    stage.move_to(pointer);
    stage.frames(20);
    let tips: Vec<_> = stage.harness.query_all_by_label(&words).map(|n| n.rect()).collect();
    assert!(tips.len() == 2 && tips.iter().any(|r| *r != line && r.distance_to_pos(pointer) < 30.0), "{tips:?}");
}
