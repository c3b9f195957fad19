//! Pages in a headless Chromium, driven over its DevTools protocol through a pipe: real pointer, touch and key events.
//!
//! Skips with a printed reason where there is no Chromium. Pictures of the boards are left in `target/page`.

use super::{SCRIPTS, doc, html, shipped};
use base64::Engine as _;
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};
use tilewright::games;

struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: String,
    number: u64,
    profile: PathBuf,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("page");
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

impl Browser {
    /// `None`, after a printed reason, where there is no browser.
    fn start(name: &str) -> Option<Browser> {
        let there = |program: &&str| Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success());
        let Some(program) = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(there) else {
            println!("skipped: there is no Chromium to open pages in");
            return None;
        };
        let profile = folder().join(format!("profile-{name}-{}", std::process::id()));
        // The protocol's pipes are 3 and 4: the shell makes them of ours.
        let line = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut process = Command::new("sh")
            .args(["-c", line, program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"])
            .args(["--no-first-run", "--disable-extensions", "--disable-background-networking", "--mute-audio"])
            .args(["--disable-dev-shm-usage", "--window-size=1000,800"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let to = process.stdin.take().expect("a pipe");
        let from = BufReader::new(process.stdout.take().expect("a pipe"));
        let mut browser = Browser { process, to, from, session: String::new(), number: 0, profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().expect("a session").into();
        Some(browser)
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        loop {
            let mut answer = Vec::new();
            self.from.read_until(0, &mut answer).expect("the browser answers");
            assert!(answer.pop().is_some(), "the browser has ended");
            let mut answer: Value = serde_json::from_slice(&answer).expect("JSON");
            if answer["id"] == json!(self.number) {
                // What was asked of a page that is being loaded again has no answer.
                let gone = answer["error"]["message"].as_str().is_some_and(|m| m.contains("navigated"));
                assert!(gone || answer["error"].is_null(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
        }
    }

    fn eval(&mut self, script: &str) -> Value {
        let params = json!({ "expression": script, "returnByValue": true, "awaitPromise": true });
        let mut result = self.call("Runtime.evaluate", params);
        assert!(result["exceptionDetails"].is_null(), "{script}: {}", result["exceptionDetails"]);
        result["result"]["value"].take()
    }

    fn text(&mut self, id: &str) -> String {
        self.eval(&format!("$('{id}').textContent")).as_str().unwrap_or_default().into()
    }

    fn wait(&mut self, condition: &str) {
        let begin = Instant::now();
        while self.eval(&format!("Boolean({condition})")) != json!(true) {
            if begin.elapsed() > Duration::from_secs(60) {
                self.shot("waited-in-vain");
                panic!("waited in vain for {condition}; the page says {:?}", self.eval("document.body.innerText"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens a page; the milliseconds from its loading to its first board.
    fn open(&mut self, path: &Path) -> f64 {
        self.call("Page.navigate", json!({ "url": format!("file://{}", path.display()) }));
        self.wait("document.readyState === 'complete' && typeof $ === 'function' && document.body.dataset.status");
        self.wait("!asked");
        self.eval("performance.now()").as_f64().unwrap_or(f64::MAX)
    }

    fn reload(&mut self) {
        self.eval("window.before = true; location.reload()");
        self.wait("!window.before && typeof $ === 'function' && document.body?.dataset.status");
    }

    /// The place of a point of the board in the page.
    fn place(&mut self, (x, y): (f32, f32)) -> (f64, f64) {
        let at = self.eval(&format!(
            "(b => [b.left + ({x} - extent[0]) * cell, b.top + ({y} - extent[1]) * cell])(canvas.getBoundingClientRect())"
        ));
        (at[0].as_f64().expect("x"), at[1].as_f64().expect("y"))
    }

    fn mouse(&mut self, kind: &str, at: (f32, f32)) {
        let (x, y) = self.place(at);
        let buttons = if kind == "mouseReleased" { 0 } else { 1 };
        let params = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1 });
        self.call("Input.dispatchMouseEvent", params);
    }

    fn finger(&mut self, kind: &str, at: (f32, f32)) {
        let (x, y) = self.place(at);
        let points = if kind == "touchEnd" { json!([]) } else { json!([{ "x": x, "y": y }]) };
        self.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }));
    }

    /// Presses along a way with the mouse or a finger.
    fn draw(&mut self, way: &[(f32, f32)], touch: bool) {
        let [down, moved, up] = if touch {
            ["touchStart", "touchMove", "touchEnd"]
        } else {
            ["mousePressed", "mouseMoved", "mouseReleased"]
        };
        let send = |b: &mut Browser, kind: &str, at| if touch { b.finger(kind, at) } else { b.mouse(kind, at) };
        send(self, down, way[0]);
        for pair in way.windows(2) {
            for i in 1..=4 {
                let t = i as f32 / 4.0;
                let at = (pair[0].0 + (pair[1].0 - pair[0].0) * t, pair[0].1 + (pair[1].1 - pair[0].1) * t);
                send(self, moved, at);
            }
        }
        send(self, up, way[way.len() - 1]);
    }

    fn key(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key }));
        }
    }

    fn click(&mut self, id: &str) {
        self.eval(&format!("$('{id}').click()"));
    }

    fn scheme(&mut self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    fn shot(&mut self, name: &str) {
        self.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        let picture = self.call("Page.captureScreenshot", json!({ "format": "png" }));
        let bytes = base64::engine::general_purpose::STANDARD.decode(picture["data"].as_str().expect("a picture"));
        fs::write(folder().join(format!("{name}.png")), bytes.expect("base 64")).expect("writable");
    }
}

#[test]
fn the_first_level_of_each_game_is_won_by_pointer_and_progress_is_found_again() {
    let Some(mut browser) = Browser::start("pointer") else { return };
    for script in &SCRIPTS {
        let game = script.game;
        let file = folder().join(format!("{game}.html"));
        let docs: Vec<_> = (1..=2).map(|n| doc(shipped(game, n))).collect();
        fs::write(&file, html(&docs, game)).expect("writable");
        let first_board = browser.open(&file);
        println!("{game}: the first board after {first_board:.0} ms");
        for scheme in ["dark", "light"] {
            browser.scheme(scheme);
            browser.shot(&format!("{game}-{scheme}"));
        }
        for way in script.ways {
            browser.draw(way, false);
        }
        browser.wait("document.body.dataset.status === 'won' && !$('banner').hidden && now.stars !== null");
        browser.shot(&format!("{game}-won"));
        assert_eq!(browser.text("verdict"), "Level complete!");
        browser.click("back");
        browser.reload();
        let option = browser.eval("$('which').options[0].textContent");
        assert!(option.as_str().is_some_and(|t| t.contains('★')), "{game}: {option}");
        browser.eval("open(1)");
        assert_eq!(browser.text("title"), docs[1].meta().title);
        assert_eq!(browser.eval("$('code').value"), json!(tilewright::export::code(&*docs[1])));
    }
}

#[test]
fn a_level_is_won_by_touch_and_one_by_keyboard_and_a_game_goes_on_after_a_reload() {
    let Some(mut browser) = Browser::start("touch") else { return };
    let file = folder().join("touch.html");
    fs::write(&file, html(&[doc(shipped("cats", 1))], "")).expect("writable");
    browser.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": true }));
    let phone = json!({ "width": 390, "height": 780, "deviceScaleFactor": 2, "mobile": true });
    browser.call("Emulation.setDeviceMetricsOverride", phone);
    browser.open(&file);
    browser.shot("phone");
    browser.draw(SCRIPTS[0].ways[0], true);
    browser.wait("document.body.dataset.status === 'won' && now.stars !== null");
    browser.shot("phone-won");
    browser.call("Emulation.clearDeviceMetricsOverride", json!({}));
    browser.call("Emulation.setTouchEmulationEnabled", json!({ "enabled": false }));

    let file = folder().join("keys.html");
    fs::write(&file, html(&[doc(shipped("sbokena", 1))], "")).expect("writable");
    browser.open(&file);
    browser.key("ArrowRight");
    browser.wait("now.moves === 1");
    browser.reload();
    browser.wait("now.moves === 1");
    browser.key("z");
    browser.wait("now.moves === 0 && now.known === 1");
    browser.key("Z");
    browser.wait("now.moves === 1");
    browser.key("ArrowRight");
    browser.wait("document.body.dataset.status === 'won'");
    browser.key("r");
    browser.wait("document.body.dataset.status === 'playing' && $('banner').hidden");
}

#[test]
fn hints_solutions_and_opponents_come_from_the_worker_and_a_failure_is_told() {
    let Some(mut browser) = Browser::start("worker") else { return };
    let file = folder().join("worker.html");
    let duel = games::by_id("readout").expect("a game").info().levels.iter().find(|t| t.contains("\"easy\""));
    let levels = [shipped("cats", 1), shipped("sbokena", 2), duel.expect("a duel")];
    let docs: Vec<_> = levels.iter().map(|t| doc(t)).collect();
    fs::write(&file, html(&docs, "Worker")).expect("writable");
    browser.open(&file);
    // The stored solution, step by step.
    browser.click("solution");
    browser.wait("step === 0 && now.steps > 0");
    let steps = browser.eval("now.steps").as_u64().expect("a number");
    for _ in 0..steps {
        browser.key("ArrowRight");
    }
    browser.wait("step === now.steps");
    browser.shot("solution");
    browser.key("Escape");
    browser.wait("step === -1 && now.moves === 0");
    // None is stored: it is searched for. A hint comes in stages.
    browser.eval("open(1)");
    browser.click("hint");
    browser.wait("hint && hint.shown === 1");
    browser.key("h");
    browser.wait("hint.shown === 2 && $('say').textContent === hint.stages[1].text");
    browser.shot("hint");
    browser.click("solution");
    browser.wait("step === 0 && now.steps > 0");
    browser.click("forward");
    browser.click("take");
    browser.wait("step === -1 && now.moves === 1 && now.taken");
    // The opponent answers; undo while it thinks takes the move back and no answer comes after it.
    browser.eval("open(2)");
    browser.eval("['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft'].some(key => { document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })); return now.moves; })");
    browser.wait("now.moves >= 2 && !now.thinking");
    browser.shot("duel");
    browser.click("undo");
    browser.wait("now.moves === 0 || !now.thinking");
    // A module that traps says so.
    browser.eval("guarded(() => { throw new WebAssembly.RuntimeError('unreachable'); })()");
    browser.wait("$('banner').className === 'lost'");
    assert!(browser.text("score").contains("Load the page again"));
    browser.shot("failed");
}
