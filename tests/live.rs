//! The short version in a real window under Xvfb: the built program, a real X server, real key presses.
#![cfg(feature = "gui")]

mod screen;

use screen::{Screen, Window, missing, wait_for};

#[test]
fn a_level_is_opened_drawn_on_saved_and_solved_in_a_real_window() {
    if let Some(program) = missing() {
        println!("skipped: there is no {program} on this machine");
        return;
    }
    let home = tempfile::tempdir().expect("a temporary folder");
    let level = home.path().join("lamps.ron");
    let before = "(tilewright: 1, game: \"null\", title: \"Live\", level: (board: [\"*.\", \"..\"]))";
    std::fs::write(&level, before).expect("the level is written");
    let screen = Screen::start(&home.path().join("display"));
    let mut window = Window::open(&screen, &home.path().join("home"), Some(&level), &home.path().join("said"));
    window.wait_for_title("Live - ");
    // Into the editor; paint a second lamp with the keyboard: cursor to the last cell of the first row, then Space.
    for key in ["F5", "2", "Right", "Right", "space"] {
        window.key(key);
    }
    window.wait_for_title("* Live");
    window.key("ctrl+s");
    window.wait_for_title("Live");
    let saved = std::fs::read_to_string(&level).expect("the level is there");
    assert!(saved.contains("\"**\""), "{saved}");
    // Solve, step to the end, take over: the level is won, and leaving needs no question.
    for key in ["F6", "period", "End", "t", "ctrl+q"] {
        window.key(key);
    }
    let status = wait_for("the end", || window.program.0.try_wait().ok().flatten());
    assert!(status.success(), "{status}");
    assert!(home.path().join("home/config/settings.ron").exists(), "settings and layout are remembered");
}
