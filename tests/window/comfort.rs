//! The tour of the first start, colours for all eyes, and what the program is built from.

use crate::{CTRL, blank, stage::Stage};
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable as _;
use tilewright::app::{dock::Pane, keys::Action, tour::Tour, workshop::Mode};

#[test]
fn the_tour_has_five_steps_can_be_skipped_and_is_not_shown_again() {
    let mut stage = Stage::new();
    stage.workshop().tour = Some(Tour::BEGIN);
    stage.frames(4);
    for (step, title) in ["Choose a level", "Play it", "Draw your own", "Solve it", "Make more"].iter().enumerate() {
        assert!(stage.sees(title) && stage.sees(&format!("{} of 5", step + 1)), "{title}");
        if step == 1 {
            stage.picture("tour");
            let card = stage.harness.get_by_label("Next").rect();
            assert!(!stage.on_a_board(card.center()), "the board that is spoken of stays in sight");
        }
        if step < 4 {
            stage.click("Next");
            stage.frames(3);
        }
    }
    stage.click("Back");
    stage.frames(3);
    assert!(stage.sees("Solve it"));
    stage.keys(&[Key::Escape]);
    assert!(!stage.sees("Solve it"), "Escape ends it");
    assert!(stage.workshop().settings.toured);
    stage.harness.state_mut().save_settings();
    let Stage { home, harness } = stage;
    drop(harness);
    let mut again = Stage::at_home(home, 1280.0, 800.0);
    assert!(again.workshop().settings.toured, "it is not offered again");
}

#[test]
fn keys_during_the_tour_are_the_tours_and_it_ends_where_the_user_was() {
    let mut stage = Stage::new();
    stage.key(Key::F5);
    stage.settle();
    let draft = stage.doc().native();
    stage.keys(&[Key::ArrowRight, Key::ArrowDown]);
    stage.workshop().ask(Action::Tour);
    stage.frames(4);
    for title in ["Choose a level", "Play it", "Draw your own"] {
        assert!(stage.sees(title), "{title}");
        stage.keys(&[Key::Num4, Key::B, Key::F5]);
        if title == "Draw your own" {
            let verdict = stage.harness.get_by_label_contains("solvable").rect();
            let card = stage.harness.get_by_label("Next").rect();
            assert!(card.bottom() < verdict.top(), "the card does not cover the verdict");
        }
        stage.keys(&[Key::Enter]);
        stage.frames(3);
    }
    assert_eq!(stage.doc().native(), draft, "nothing was painted behind the tour");
    assert!(stage.sees("Solve it"));
    stage.click("Next");
    stage.frames(3);
    stage.keys(&[Key::Enter]);
    assert!(!stage.sees("Make more"), "Enter on the last card ends it");
    let layout = stage.harness.state_mut().layout();
    assert!(layout.is_front(Pane::Edit) && layout.is_front(Pane::Inspect) && !layout.is_front(Pane::Generate));
}

#[test]
fn colours_for_all_eyes_are_chosen_in_the_preferences() {
    let mut stage = Stage::new();
    let usual = stage.workshop().colours.clone();
    stage.chord(Modifiers::COMMAND, Key::Comma);
    stage.click("Colours");
    assert_ne!(stage.workshop().colours.pieces, usual.pieces);
    stage.click_in_dialog("Close");
    stage.picture("all-eyes");
}

#[test]
fn about_names_what_the_program_is_built_from() {
    let mut stage = Stage::new();
    stage.workshop().ask(Action::About);
    stage.frames(4);
    assert!(stage.sees("MIT OR Apache-2.0"));
}

#[test]
fn everything_that_was_wrong_at_the_start_is_shown_until_it_is_read() {
    let home = tempfile::tempdir().expect("a folder");
    for name in ["settings.ron", "records.ron", "stamps.ron"] {
        std::fs::write(home.path().join(name), "(damaged").expect("written");
    }
    let mut stage = Stage::at_home(home, 1280.0, 800.0);
    let count = stage.workshop().warnings.len();
    assert!(count >= 2, "{:?}", stage.workshop().warnings);
    for left in (0..count).rev() {
        stage.workshop().message = None;
        stage.frames(2);
        stage.click_like("OK");
        stage.frames(2);
        assert_eq!(stage.workshop().warnings.len(), left);
    }
    assert!(!stage.sees("OK"));
}

/// With Play in a window of its own, what was brought to the front has the keys all the same.
#[test]
fn the_editor_has_the_keys_while_play_is_in_its_own_window() {
    let mut stage = Stage::with("cats", 0);
    stage.click("Play in its own window");
    stage.frames(4);
    let layout = stage.harness.state_mut().layout();
    assert!(layout.is_front(Pane::Play) && !layout.is_front(Pane::Edit));
    for round in 0..3 {
        // From the start page, by a key; then from play, by the tab.
        match round {
            0 => stage.chord(Modifiers::ALT, Key::Num7),
            _ => stage.workshop().session.mode = Mode::Play,
        }
        stage.frames(2);
        stage.chord(Modifiers::ALT, Key::Num3);
        stage.frames(2);
        assert!(stage.workshop().session.mode == Mode::Edit, "round {round}");
    }
    let before = stage.doc().native();
    stage.keys(&[Key::Num3, Key::ArrowRight, Key::Space]);
    stage.settle();
    assert_ne!(stage.doc().native(), before, "it was painted");
}

#[test]
fn with_large_text_in_a_small_window_the_drawing_tools_are_above_the_palette() {
    let mut stage = Stage::sized(1024.0, 700.0);
    stage.open("cats", 3);
    stage.key(Key::F5);
    (0..10).for_each(|_| stage.chord(CTRL, Key::Plus));
    assert_eq!(stage.workshop().settings.text_scale, 2.0);
    stage.settle();
    let pane = stage.harness.state_mut().layout().place(Pane::Edit).expect("it is in sight");
    let first_colour = stage.place("red");
    for tool in ["Brush (", "Line (", "Rectangle (", "Fill (", "Eraser (", "Eyedropper (", "Select ("] {
        let places = stage.all_like(tool);
        assert!(places.iter().any(|at| pane.contains(*at) && at.y < first_colour.y), "{tool}: {places:?}");
    }
    assert!(pane.contains(first_colour), "and the palette begins in sight");
}

#[test]
fn a_tab_that_holds_several_panels_is_called_after_them() {
    let mut stage = Stage::new();
    let (tab, play) = (stage.tab("Generate").center(), stage.harness.state_mut().layout().place(Pane::Play));
    // The middle of the panel itself, a little below that of its tabs.
    let onto = play.expect("it is in sight").center() + egui::vec2(0.0, 12.0);
    stage.drag(&[tab, tab + egui::vec2(-30.0, 60.0), onto]);
    stage.frames(4);
    assert!(stage.sees("Play + Generate"), "one tab for both");
    assert!(!stage.sees("Tabs"));
}

#[test]
fn with_text_twice_as_large_the_result_has_its_buttons_in_sight_and_open_levels_whole_rows() {
    let mut stage = Stage::sized(1024.0, 700.0);
    for _ in 0..10 {
        stage.chord(CTRL, Key::Plus);
    }
    for index in 0..4 {
        stage.open("cats", index);
    }
    let rows = stage.harness.query_all_by(|n| n.label().is_some_and(|l| l.starts_with("Close ")));
    let rows: Vec<_> = rows.map(|n| n.rect()).collect();
    let head = stage.harness.get_by_label("Open (4)").rect();
    let first = rows.iter().find(|r| r.top() >= head.bottom() - 1.0).expect("a row in sight");
    assert!(first.top() - head.bottom() < 0.3 * first.height(), "the first one is not cut off: {head} {rows:?}");
    stage.take_over_solution();
    let pane = stage.harness.state_mut().layout().place(Pane::Play).expect("it is in sight");
    for name in ["Next level", "Again", "Review", "Keep solution"] {
        let rect = stage.harness.get_by_role_and_label(egui::Role::Button, name).rect();
        assert!(pane.contains_rect(rect), "{name}: {rect} in {pane}");
    }
    stage.picture_of(Pane::Play, "won-large-text");
}

#[test]
fn the_start_page_of_a_small_window_needs_no_scrolling() {
    let mut stage = Stage::at_start(tempfile::tempdir().expect("a folder"), 1024.0, 700.0);
    stage.settle();
    let pane = stage.harness.state_mut().layout().place(Pane::Start).expect("it is in sight");
    assert!(pane.contains_rect(stage.harness.get_by_label("Generate levels").rect()));
}

/// egui_tiles would make the whole workspace one tab beside it.
#[test]
fn a_tab_dropped_in_the_middle_of_the_window_joins_the_tabs_there() {
    let mut stage = Stage::new();
    let tab = stage.tab("Generate").center();
    let layout = stage.harness.state_mut().layout();
    let all = Pane::ALL.into_iter().filter_map(|p| layout.place(p)).fold(egui::Rect::NOTHING, egui::Rect::union);
    for down in [-30.0, -15.0, 0.0, 15.0, 30.0] {
        stage.workshop().ask(Action::ResetLayout);
        stage.frames(4);
        stage.drag(&[tab, tab + egui::vec2(-30.0, 60.0), all.center() + egui::vec2(0.0, down)]);
        stage.frames(4);
        let layout = stage.harness.state_mut().layout();
        for pane in [Pane::Library, Pane::Inspect, Pane::Timeline, Pane::Generate] {
            assert!(layout.is_front(pane), "{pane:?} is in sight, {down}");
        }
    }
}

#[test]
fn keys_in_the_frame_that_ends_the_tour_are_for_what_lies_behind() {
    let mut stage = Stage::with("cats", 0);
    stage.workshop().tour = Some(Tour::BEGIN);
    stage.frames(4);
    for key in [Key::Escape, Key::F5] {
        stage.harness.key_press(key);
    }
    stage.frames(4);
    assert!(stage.workshop().tour.is_none() && stage.workshop().session.mode == Mode::Edit);
}

#[test]
fn the_start_page_is_at_its_top_when_one_comes_back_to_it() {
    let home = tempfile::tempdir().expect("a folder");
    let mut stage = Stage::at_start(home, 900.0, 500.0);
    stage.settle();
    let top = stage.harness.get_by_label("Make").rect().top();
    stage.harness.get_by_label("Generate levels").scroll_to_me();
    stage.frames(30);
    assert!(stage.harness.get_by_label("Make").rect().top() < top, "it is scrolled");
    stage.click_tab("Play", Pane::Start);
    stage.frames(2);
    stage.click_tab("Start", Pane::Play);
    stage.frames(4);
    assert_eq!(stage.harness.get_by_label("Make").rect().top(), top);
}

#[test]
fn a_list_begins_at_what_is_chosen_and_enter_closes_it() {
    let mut stage = Stage::with("shards", 0);
    stage.click_tab("Generate", Pane::Inspect);
    stage.frames(4);
    let list = stage.harness.get_by_role_and_label(egui::Role::ComboBox, "Game").rect().center();
    stage.click_at(list);
    stage.frames(4);
    stage.keys(&[Key::ArrowDown, Key::Enter]);
    stage.frames(4);
    let names: Vec<_> = tilewright::games::offered().iter().map(|g| g.info().name).collect();
    let next = names[names.iter().position(|n| *n == "Shards").expect("offered") + 1];
    let shown = stage.harness.get_by_role_and_label(egui::Role::ComboBox, "Game").value();
    assert_eq!(shown.as_deref(), Some(next));
    assert!(!egui::Popup::is_any_open(&stage.harness.ctx));
}

#[test]
fn a_level_without_a_title_is_called_by_the_name_of_its_first_file() {
    let mut stage = Stage::new();
    blank(&mut stage, "Cats");
    stage.chord(CTRL, Key::S);
    stage.frames(4);
    // What is typed takes the place of the proposed name, not of its ending.
    stage.type_text("gate cats");
    stage.key(Key::Enter);
    stage.settle();
    assert_eq!(stage.doc().meta().title, "gate cats");
    assert!(!stage.doc().dirty());
    let path = stage.workshop().session.current().and_then(|o| o.path().map(std::path::Path::to_path_buf));
    let path = path.expect("it has a file");
    assert!(path.ends_with("gate cats.ron"), "{}", path.display());
    assert!(std::fs::read_to_string(path).expect("a file").contains("title: \"gate cats\""));
}

#[test]
fn a_run_that_is_open_goes_on_from_the_start_page() {
    let mut stage = Stage::new();
    stage.workshop().start_run("match", 0);
    stage.settle();
    let board = stage.doc().native();
    stage.open("cats", 0);
    stage.key(Key::Escape);
    stage.frames(2);
    stage.click("Continue: Endless run, score 0");
    stage.settle();
    assert_eq!(stage.doc().native(), board);
    assert!(stage.workshop().is_front(Pane::Play));
}

#[test]
fn what_inspect_says_is_about_the_solution_that_is_shown() {
    let mut stage = Stage::with("cats", 3);
    stage.key(Key::F6);
    stage.settle();
    let (_, listed) = stage.doc().solution_shown().expect("all shortest solutions are counted");
    for index in 0..listed {
        stage.doc().show_solution(index);
        let line = stage.doc().line_text().to_string();
        assert_eq!(stage.doc().report().and_then(|r| r.moves.clone()), Some(line));
    }
}
