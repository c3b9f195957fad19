//! The built program in a real window on a virtual screen, used with real keys and a real pointer.
// Two test programs share it, and neither uses all of it.
#![allow(dead_code)]

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};
use tilewright::app::dock::Pane;

/// Ends a process when the test does, however it does.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A program that is needed here and not installed.
pub fn missing() -> Option<&'static str> {
    let there = |program: &str| {
        let look = Command::new("sh").args(["-c", &format!("command -v {program}")]).stdout(Stdio::null()).status();
        look.is_ok_and(|s| s.success())
    };
    ["Xvfb", "xdotool"].into_iter().find(|p| !there(p))
}

/// Waits for something for a while.
pub fn within<T>(time: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let begin = Instant::now();
    loop {
        let found = look();
        if found.is_some() || begin.elapsed() > time {
            return found;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits for something that must come.
pub fn wait_for<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    within(Duration::from_secs(60), look).unwrap_or_else(|| panic!("waited in vain for {what}"))
}

/// A virtual screen of 1280x800.
pub struct Screen {
    _server: Running,
    display: String,
}

impl Screen {
    /// Starts one; `log` is a file that it may write.
    pub fn start(log: &Path) -> Screen {
        let file = File::create(log).expect("a file for the display number");
        let server = Command::new("Xvfb")
            // Without a reset: it would begin again whenever xdotool was the only program connected.
            .args(["-displayfd", "1", "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"])
            .stdout(file)
            .stderr(Stdio::null())
            .spawn();
        let server = Running(server.expect("Xvfb starts"));
        let number = wait_for("the display", || {
            let text = fs::read_to_string(log).ok()?;
            text.ends_with('\n').then(|| text.trim().to_string()).filter(|t| !t.is_empty())
        });
        Screen { _server: server, display: format!(":{number}") }
    }
}

/// The program on a screen.
pub struct Window {
    pub program: Running,
    display: String,
    window: String,
    said: PathBuf,
}

impl Window {
    /// Starts the program with a home of its own, and a file to open. What it says on standard error goes to a file.
    pub fn open(screen: &Screen, home: &Path, file: Option<&Path>, said: &Path) -> Window {
        let program = Command::new(env!("CARGO_BIN_EXE_tilewright"))
            .arg("open")
            .args(file)
            .env("DISPLAY", &screen.display)
            .env("TILEWRIGHT_HOME", home)
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::null())
            .stderr(File::create(said).expect("a file"))
            .spawn();
        let program = Running(program.expect("the program starts"));
        let (display, said) = (screen.display.clone(), said.to_path_buf());
        let mut window = Window { program, display, window: String::new(), said };
        window.window = wait_for("the window", || {
            window.check();
            let found = window.xdotool(&["search", "--onlyvisible", "--name", "Tilewright"]);
            // Panels may have windows of their own.
            let panel = |id: &&str| {
                let title = window.xdotool(&["getwindowname", *id]);
                Pane::ALL.iter().any(|pane| title == format!("{} - Tilewright", pane.title()))
            };
            found.lines().find(|id| !panel(id)).map(str::to_string)
        });
        window
    }

    /// Waits for a title that begins like this.
    pub fn wait_for_title(&self, start: &str) {
        let seen = within(Duration::from_secs(60), || self.title().starts_with(start).then_some(()));
        assert!(seen.is_some(), "waited in vain for \"{start}\", the title is \"{}\"", self.title());
    }

    /// Fails if the program has ended, or a thread of it has panicked.
    pub fn check(&mut self) {
        let said = fs::read_to_string(&self.said).unwrap_or_default();
        let ended = self.program.0.try_wait().ok().flatten();
        assert!(ended.is_none() && !said.contains("panicked"), "the program ({ended:?}) said: {said}");
    }

    /// Runs xdotool's commands.
    pub fn xdotool<S: AsRef<std::ffi::OsStr>>(&self, args: &[S]) -> String {
        let out = Command::new("xdotool").env("DISPLAY", &self.display).args(args).output().expect("xdotool runs");
        String::from_utf8_lossy(&out.stdout).trim().to_string()
    }

    /// The same for this window, as it has the focus.
    pub fn send<S: AsRef<str>>(&self, args: &[S]) {
        let focus = ["windowfocus", &self.window].into_iter();
        self.xdotool(&focus.chain(args.iter().map(AsRef::as_ref)).collect::<Vec<_>>());
    }

    /// Presses a key and waits for a moment.
    pub fn key(&self, key: &str) {
        self.send(&["key", key]);
        std::thread::sleep(Duration::from_millis(250));
    }

    /// Writes what the screen shows to a file, to look at after a failure.
    pub fn picture(&self, file: &Path) {
        let _ = Command::new("import").env("DISPLAY", &self.display).args(["-window", "root"]).arg(file).status();
    }

    pub fn title(&self) -> String {
        self.xdotool(&["getwindowname", &self.window])
    }
}
