//! The short version in a real window under Xvfb: the built program, a real X server, real key presses.
#![cfg(feature = "gui")]

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

/// Ends a process when the test does, however it does.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn there(program: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {program}")])
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|s| s.success())
}

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begin = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "waited in vain for {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

struct Desk {
    display: String,
    window: String,
}

impl Desk {
    fn xdotool(&self, args: &[&str]) -> String {
        let out = Command::new("xdotool").env("DISPLAY", &self.display).args(args).output().expect("xdotool runs");
        String::from_utf8_lossy(&out.stdout).trim().to_string()
    }

    fn key(&self, key: &str) {
        self.xdotool(&["windowfocus", &self.window]);
        self.xdotool(&["key", key]);
        std::thread::sleep(Duration::from_millis(250));
    }

    fn title(&self) -> String {
        self.xdotool(&["getwindowname", &self.window])
    }
}

fn screen(folder: &Path) -> (Running, String) {
    let log = folder.join("display");
    let file = std::fs::File::create(&log).expect("a file for the display number");
    let xvfb = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp"])
        .stdout(file)
        .stderr(Stdio::null())
        .spawn()
        .expect("Xvfb starts");
    let running = Running(xvfb);
    let number = wait_for("the display", || {
        let text = std::fs::read_to_string(&log).ok()?;
        text.ends_with('\n').then(|| text.trim().to_string()).filter(|t| !t.is_empty())
    });
    (running, format!(":{number}"))
}

#[test]
fn a_level_is_opened_drawn_on_saved_and_solved_in_a_real_window() {
    for program in ["Xvfb", "xdotool"] {
        if !there(program) {
            println!("skipped: there is no {program} on this machine");
            return;
        }
    }
    let home = tempfile::tempdir().expect("a temporary folder");
    let level = home.path().join("lamps.ron");
    let before = "(tilewright: 1, game: \"null\", title: \"Live\", level: (board: [\"*.\", \"..\"]))";
    std::fs::write(&level, before).expect("the level is written");
    let (_screen, display) = screen(home.path());
    let program = Command::new(env!("CARGO_BIN_EXE_tilewright"))
        .arg("open")
        .arg(&level)
        .env("DISPLAY", &display)
        .env("TILEWRIGHT_HOME", home.path().join("home"))
        .env_remove("WAYLAND_DISPLAY")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut program = Running(program);
    let desk = Desk { display, window: String::new() };
    let window = wait_for("the window", || {
        if let Ok(Some(status)) = program.0.try_wait() {
            let mut said = String::new();
            if let Some(mut err) = program.0.stderr.take() {
                let _ = std::io::Read::read_to_string(&mut err, &mut said);
            }
            panic!("the program ended with {status}: {said}");
        }
        let found = desk.xdotool(&["search", "--onlyvisible", "--name", "Tilewright"]);
        found.lines().next().map(str::to_string)
    });
    let desk = Desk { window, ..desk };
    wait_for("the title", || desk.title().starts_with("Live - ").then_some(()));
    // Into the editor; paint a second lamp with the keyboard: cursor to the last cell of the first row, then Space.
    desk.key("F5");
    desk.key("2");
    desk.key("Right");
    desk.key("Right");
    desk.key("space");
    wait_for("the dirty mark", || desk.title().starts_with("* Live").then_some(()));
    desk.key("ctrl+s");
    wait_for("the save", || desk.title().starts_with("Live").then_some(()));
    let saved = std::fs::read_to_string(&level).expect("the level is there");
    assert!(saved.contains("\"**\""), "{saved}");
    // Solve, step to the end, take over: the level is won, and leaving needs no question.
    for key in ["F6", "period", "End", "t"] {
        desk.key(key);
    }
    desk.key("ctrl+q");
    let status = wait_for("the end", || program.0.try_wait().ok().flatten());
    assert!(status.success(), "{status}");
    assert!(home.path().join("home/config/settings.ron").exists(), "settings and layout are remembered");
}
