//! The built program, run over all commands: the keys of its JSON, its exit codes, its order, its shards. No game is named but the template
//! that is always built.

use serde_json::Value;
use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
};
use tilewright::{
    formats::{self, pack},
    games,
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_tilewright");

struct Ran {
    code: i32,
    out: String,
    err: String,
}

impl Ran {
    fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|l| serde_json::from_str(l).unwrap_or_else(|e| panic!("{e}: {l}"))).collect()
    }

    /// The one line.
    fn line(&self) -> Value {
        let mut lines = self.lines();
        assert_eq!(lines.len(), 1, "{}{}", self.out, self.err);
        lines.remove(0)
    }
}

fn run<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Ran {
    let args: Vec<_> = args.into_iter().map(|a| a.as_ref().to_os_string()).collect();
    let home = std::env::temp_dir().join("tilewright-test-home");
    let out = Command::new(PROGRAM).args(&args).env("TILEWRIGHT_HOME", home).output().expect("the program starts");
    let code = out.status.code().unwrap_or_else(|| panic!("{args:?} was killed"));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let ran = Ran { code, out: text(out.stdout), err: text(out.stderr) };
    assert!(!ran.err.contains("panicked"), "{args:?}: {}", ran.err);
    ran
}

/// `run` with words, some of which are paths.
macro_rules! tilewright {
    ($($arg:expr),* $(,)?) => { run([$(std::ffi::OsString::from($arg)),*]) };
}

fn has_keys(line: &Value, keys: &[&str]) {
    let object = line.as_object().unwrap_or_else(|| panic!("no object: {line}"));
    for key in keys {
        assert!(object.contains_key(*key), "\"{key}\" is missing in {line}");
    }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, text).expect("written");
        path
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

fn lamps(title: &str, board: &str) -> String {
    format!("(tilewright: 1, game: \"null\", title: \"{title}\", level: (board: [{board}]))")
}

const SOLVE_KEYS: &[&str] = &[
    "file",
    "index",
    "title",
    "game",
    "goal",
    "outcome",
    "stopped_by",
    "optimal",
    "cost",
    "costs",
    "bound",
    "nodes",
    "seconds",
    "first_seconds",
    "moves",
];

#[test]
fn games_lists_what_is_offered_and_all_on_demand() {
    let offered = tilewright!("games", "--json");
    assert_eq!(offered.code, 0);
    let ids: Vec<_> = offered.lines().iter().map(|l| l["game"].as_str().unwrap_or("").to_string()).collect();
    assert_eq!(ids, games::offered().iter().map(|g| g.info().id).collect::<Vec<_>>());
    let all = tilewright!("games", "--all", "--json").lines();
    assert_eq!(all.len(), games::all().len());
    for line in &all {
        has_keys(line, &["game", "name", "goals", "presets", "notation", "params"]);
        for param in line["params"].as_array().expect("a list") {
            has_keys(param, &["name", "kind", "min", "max", "values", "default"]);
            let kind = param["kind"].as_str().expect("a word");
            assert!(["number", "switch", "choice"].contains(&kind), "{param}");
            assert_eq!(kind == "number", param["min"].is_i64() && param["max"].is_i64(), "{param}");
            assert!(kind != "choice" || param["values"].is_array(), "{param}");
        }
    }
    assert!(tilewright!("games", "--all").out.contains("notation"));
}

#[test]
fn every_game_goes_through_every_command() {
    for game in games::all() {
        let folder = Folder::new();
        let id = game.info().id;
        let out = folder.path().join("made");
        let made = tilewright!("generate", id, "--seed", "5", "--count", "2", "--out", &out, "--json");
        assert_eq!(made.code, 0, "{id}: {}", made.err);
        assert_eq!(made.lines().len(), 2);
        for (i, line) in made.lines().iter().enumerate() {
            has_keys(line, &["file", "game", "seed", "params", "measured", "seconds"]);
            has_keys(&line["measured"], &["cost", "optimal"]);
            assert_eq!((line["seed"].as_u64(), line["game"].as_str()), (Some(5 + i as u64), Some(id)));
            assert_eq!(line["file"].as_str(), out.join(format!("000{}.ron", i + 1)).to_str());
            assert_eq!(line["params"].as_object().map(|p| p.len()), Some(game.params().len()), "{id}");
        }
        let alone = folder.path().join("alone");
        assert_eq!(tilewright!("generate", id, "--seed", "6", "--out", &alone).code, 0);
        let bytes = |p: PathBuf| fs::read(p).expect("a level");
        assert_eq!(bytes(alone.join("0001.ron")), bytes(out.join("0002.ron")), "{id}: level i is seed N + i");

        let pack = out.join("pack.ron");
        let checked = tilewright!("check", &pack, "--json");
        assert_eq!(checked.code, 0, "{id}: {}", checked.err);
        for (i, line) in checked.lines().iter().enumerate() {
            has_keys(line, &["file", "index", "title", "game", "playable", "problems"]);
            assert_eq!((line["index"].as_u64(), line["playable"].as_bool()), (Some(1 + i as u64), Some(true)));
        }

        for goal in game.goals() {
            let solved = tilewright!(
                "solve",
                &pack,
                "--index",
                "1",
                "--goal",
                goal.id,
                "--nodes",
                "20000",
                "--no-prepare",
                "--json"
            );
            let line = solved.line();
            has_keys(&line, SOLVE_KEYS);
            let outcome = line["outcome"].as_str().expect("a word");
            let code = ["solved", "unsolvable", "", "stopped"].iter().position(|o| *o == outcome);
            assert_eq!(Some(solved.code as usize), code, "{id} {line}");
            assert_eq!((line["goal"].as_str(), line["index"].as_u64()), (Some(goal.id), Some(1)));
            if let Some(moves) = line["moves"].as_str() {
                assert!(line["cost"].is_u64() && line["bound"].is_u64() && line["first_seconds"].is_f64(), "{line}");
                let replayed =
                    tilewright!("replay", &pack, "--index", "1", "--goal", goal.id, "--moves", moves, "--json");
                assert_eq!(replayed.code, 0, "{id}: {}", replayed.err);
                for (n, line) in replayed.lines().iter().enumerate() {
                    has_keys(line, &["n", "move", "ok", "reason", "status", "pieces", "board"]);
                    assert_eq!((line["n"].as_u64(), line["ok"].as_bool()), (Some(1 + n as u64), Some(true)));
                    assert!(
                        line["pieces"].as_array().is_some_and(|p| p.iter().all(|p| p[0].is_string() && p[2].is_i64()))
                    );
                }
                assert_eq!(replayed.lines().last().map(|l| l["status"].clone()), Some("won".into()), "{id} {moves}");
            }
        }

        let rated = tilewright!("rate", &pack, "--nodes", "2000", "--index", "2", "--json");
        has_keys(&rated.line(), &["file", "index", "difficulty", "metrics"]);
        assert!(rated.line()["metrics"]["goals"].is_object());
        assert!([0, 3].contains(&rated.code), "{id}: {}", rated.err);

        let copy = folder.path().join("copy.ron");
        let converted = tilewright!("convert", &pack, &copy, "--index", "2", "--json");
        has_keys(&converted.line(), &["in", "out", "levels", "dropped"]);
        assert_eq!(bytes(copy), bytes(out.join("0002.ron")), "{id}: a native file is copied byte by byte");
        for format in game.formats().into_iter().filter(|f| f.writes) {
            let foreign = folder.path().join(format!("copy.{}", format.extensions[0]));
            let converted = tilewright!("convert", &pack, &foreign, "--to", format.id, "--json");
            if converted.code == 0 {
                assert_eq!(tilewright!("check", &foreign, "--json").lines().len(), 2, "{id} as {}", format.id);
            } else {
                assert_eq!(converted.code, 2, "{id} as {}: {}", format.id, converted.err);
            }
        }

        let played = tilewright!("play", &pack, "--games", "2", "--human", "0.5", "--seed", "3", "--json");
        if game.opponents().is_empty() {
            assert_eq!((played.code, played.out.as_str()), (2, ""), "{id}");
        } else {
            assert_eq!(played.code, 0, "{id}: {}", played.err);
            let line = played.line();
            let keys = ["opponent", "human", "games", "won", "lost", "drawn", "stoppable_losses", "slowest_reply_ms"];
            has_keys(&line, &keys);
            let sum: u64 = ["won", "lost", "drawn"].iter().filter_map(|k| line[*k].as_u64()).sum();
            assert_eq!((sum, line["games"].as_u64()), (2, Some(2)), "{line}");
        }
    }
}

#[test]
fn exit_codes_say_the_worst_in_the_order_2_3_1_0() {
    let folder = Folder::new();
    let good = folder.file("good.ron", &lamps("good", "\"*.\""));
    let dark = folder.file("dark.ron", &lamps("dark", "\"..\""));
    let bad = folder.file("bad.ron", "(tilewright: 1, game: \"null\",\n  level: (board: [\"*x\"]))");
    assert_eq!(tilewright!("solve", &good).code, 0);
    let unplayable = tilewright!("solve", &good, &dark, "--json");
    assert_eq!(unplayable.code, 1);
    assert_eq!(unplayable.lines()[1]["outcome"], "unsolvable");
    has_keys(&unplayable.lines()[1], SOLVE_KEYS);
    assert_eq!(unplayable.lines()[1]["problems"][0]["severity"], "error");
    let stopped = tilewright!("solve", &good, &dark, "--nodes", "0", "--json");
    assert_eq!(stopped.code, 3);
    assert_eq!(
        (&stopped.lines()[0]["outcome"], &stopped.lines()[0]["stopped_by"]),
        (&"stopped".into(), &"nodes".into())
    );
    let all = tilewright!("solve", &good, &bad, &dark, "--nodes", "0", "--json");
    assert_eq!((all.code, all.lines().len()), (2, 2), "the readable ones are answered all the same");
    assert_eq!(all.err.lines().count(), 1, "{}", all.err);
    assert!(all.err.contains("bad.ron: line 2, column "), "{}", all.err);
    assert_eq!(tilewright!("check", &good).code, 0);
    let problems = tilewright!("check", &dark, "--json");
    assert_eq!((problems.code, problems.line()["playable"].as_bool()), (1, Some(false)));
    has_keys(&problems.line()["problems"][0], &["severity", "cells", "text"]);
    assert_eq!(tilewright!("rate", &dark, "--json").code, 1);
    assert_eq!(tilewright!("rate", &good, "--nodes", "0", "--json").code, 3);
}

#[test]
fn bad_use_is_one_sentence_and_exit_code_2() {
    let folder = Folder::new();
    let good = folder.file("good.ron", &lamps("good", "\"*.\""));
    let empty = folder.file("empty.ron", "");
    let missing = folder.path().join("missing.ron");
    let two = folder.path().join("two");
    assert_eq!(tilewright!("generate", "null", "--count", "2", "--out", &two).code, 0);
    for ran in [
        tilewright!("solve", &missing),
        tilewright!("check", &empty),
        tilewright!("solve", &good, "--index", "2"),
        tilewright!("solve", &good, "--goal", "fame"),
        tilewright!("solve", &good, "--set", "colour=red"),
        tilewright!("replay", &good, "--moves", "up"),
        tilewright!("replay", &two, "--moves", "0,0"),
        tilewright!("generate", "no-such-game"),
        tilewright!("generate", "null", "--preset", "many"),
        tilewright!("generate", "null", "--set", "lamps=0"),
        tilewright!("generate", "null", "--set", "cats=1"),
        tilewright!("generate", "null", "--seed", "18446744073709551615", "--count", "9"),
        tilewright!("convert", &good, folder.path().join("good.xyz")),
        tilewright!("convert", &two, folder.path().join("two.ron")),
        tilewright!("convert", &good, "--to", "none", folder.path().join("x")),
        tilewright!("play", &good),
        tilewright!("dance"),
    ] {
        assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (2, "", 1), "{}", ran.err);
        assert!(ran.err.starts_with("tilewright: "), "{}", ran.err);
    }
    for ran in [
        tilewright!("solve"),
        tilewright!("solve", &good, "--time", "-1"),
        tilewright!("solve", &good, "--shard", "3/2"),
        tilewright!("solve", &good, "--index", "0"),
        tilewright!("solve", &good, "--threads", "0"),
        tilewright!("play", &good, "--human", "2"),
    ] {
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
    }
    assert_eq!(tilewright!("--help").code, 0);
    assert!(tilewright!("--version").out.starts_with("tilewright "));
}

#[test]
fn replay_stops_at_the_first_refused_move_unless_told_to_go_on() {
    let folder = Folder::new();
    let level = folder.file("a.ron", &lamps("a", "\"**.\", \"..*\""));
    let stopped = tilewright!("replay", &level, "--moves", "0,0 2,0 1,0", "--json");
    assert_eq!(stopped.code, 1);
    let oks = |ran: &Ran| ran.lines().iter().map(|l| l["ok"].as_bool()).collect::<Vec<_>>();
    assert_eq!(oks(&stopped), [Some(true), Some(false)]);
    assert_eq!(stopped.lines()[1]["reason"], "dark");
    let gone_on = tilewright!("replay", &level, "--moves", "0,0 2,0 1,0 2,1", "--keep-going", "--json");
    assert_eq!((gone_on.code, oks(&gone_on).len()), (1, 4));
    let last = &gone_on.lines()[3];
    assert_eq!((&last["status"], last["pieces"].as_array().map(Vec::len)), (&"won".into(), Some(0)));
    assert_eq!(gone_on.lines()[0]["board"], ".*.\n..*");
    assert_eq!(gone_on.lines()[0]["pieces"], serde_json::json!([["lamp", 1, 0], ["lamp", 2, 1]]));
    // A draft that `check` faults is replayed as far as the moves make sense.
    let dark = folder.file("dark.ron", &lamps("dark", "\"..\""));
    assert_eq!(tilewright!("replay", &dark, "--moves", "", "--json").code, 0);
    assert_eq!(tilewright!("replay", &dark, "--moves", "0,0", "--json").lines()[0]["reason"], "dark");
}

#[test]
fn lines_come_in_input_order_whatever_the_thread_count_and_shards_join_to_the_whole() {
    let folder = Folder::new();
    let made = folder.path().join("made");
    tilewright!("generate", "null", "--count", "60", "--seed", "9", "--out", &made);
    let extra = folder.file("extra.ron", &lamps("extra", "\"*\""));
    let whole = tilewright!("check", &made, &extra, "--json", "--threads", "1");
    assert_eq!((whole.code, whole.lines().len()), (0, 61));
    let order: Vec<_> = whole.lines().iter().map(|l| l["index"].as_u64().unwrap_or(0)).collect();
    assert_eq!(order, (1..=60).chain([1]).collect::<Vec<_>>());
    assert_eq!(tilewright!("check", &made, &extra, "--json", "--threads", "7").out, whole.out);
    let solved =
        |ran: Ran| -> Vec<_> { ran.lines().iter().map(|l| (l["title"].clone(), l["moves"].clone())).collect() };
    let one = solved(tilewright!("solve", &made, "--json", "--threads", "1"));
    assert_eq!(solved(tilewright!("solve", &made, "--json", "--threads", "5")), one);

    let shards: Vec<Vec<String>> = (1..=4)
        .map(|i| {
            let shard = format!("{i}/4");
            tilewright!("check", &made, &extra, "--json", "--shard", shard).out.lines().map(String::from).collect()
        })
        .collect();
    // Taking a line from each in turn gives the whole again.
    let longest = shards.iter().map(Vec::len).max().unwrap_or(0);
    let joined: Vec<_> = (0..longest).flat_map(|k| shards.iter().filter_map(move |s| s.get(k).cloned())).collect();
    assert_eq!(joined, whole.out.lines().collect::<Vec<_>>());

    let parts = folder.path().join("parts");
    for i in ["2/3", "1/3", "3/3"] {
        let ran = tilewright!("generate", "null", "--count", "60", "--seed", "9", "--out", &parts, "--shard", i);
        assert_eq!(ran.code, 0);
    }
    for name in fs::read_dir(&made).expect("a folder").flatten().map(|e| e.file_name()) {
        let read = |dir: &Path| fs::read(dir.join(&name)).unwrap_or_else(|e| panic!("{name:?}: {e}"));
        assert_eq!(read(&made), read(&parts), "{name:?}, the pack too");
    }
}

#[test]
fn generate_prints_levels_that_can_be_read_when_it_has_no_folder() {
    let line = tilewright!("generate", "null", "--json", "--set", "width=7", "--set", "lamps=2").line();
    assert!(line["file"].is_null());
    assert_eq!(line["params"]["width"], 7);
    let level = formats::read(line["level"].as_str().expect("a level").as_bytes()).expect("readable");
    assert_eq!(level.len(), 1);
    let refused = tilewright!("generate", "null", "--json", "--set", "lamps=200");
    assert_eq!((refused.code, refused.out.as_str(), refused.err.lines().count()), (1, "", 1));
    let text = tilewright!("generate", "null").out;
    assert!(formats::read(text.as_bytes()).is_ok(), "{text}");
}

#[test]
fn convert_makes_packs_and_leaves_everything_when_a_file_is_bad() {
    let folder = Folder::new();
    let made = folder.path().join("made");
    tilewright!("generate", "null", "--count", "3", "--out", &made);
    let copy = folder.path().join("copy");
    let line = tilewright!("convert", &made, &copy, "--json").line();
    assert_eq!((line["levels"].as_u64(), line["dropped"].as_array().map(Vec::len)), (Some(3), Some(0)));
    assert_eq!(tilewright!("check", copy.join("pack.ron"), "--json").lines().len(), 3);
    fs::write(made.join("0002.ron"), "(").expect("written");
    let target = folder.file("target.ron", "mine");
    let failed = tilewright!("convert", &made, &target);
    assert_eq!((failed.code, fs::read_to_string(&target).ok()), (2, Some("mine".into())));
}

#[cfg(not(feature = "gui"))]
#[test]
fn without_a_window_it_says_so() {
    for ran in [tilewright!("open", "x.ron"), run([""; 0])] {
        assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (2, "", 1), "{}", ran.err);
    }
}

#[cfg(all(feature = "gui", target_os = "linux"))]
#[test]
fn without_a_display_it_says_so_in_one_line_and_names_what_works_without_one() {
    let dir = Folder::new();
    let level = dir.file("a.ron", &lamps("x", "\"*.\""));
    let mut command = Command::new(PROGRAM);
    command.arg("open").arg(level).env("TILEWRIGHT_HOME", dir.path().join("home"));
    let out = command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().expect("the program starts");
    let err = String::from_utf8(out.stderr).expect("UTF-8");
    assert_eq!((out.status.code(), err.lines().count()), (Some(2), 1), "{err}");
    assert!(err.contains("DISPLAY") && err.contains("`tilewright help`") && !err.contains(".rs"), "{err}");
}

/// Stacks of threads are larger than what is left of the addresses: none can be started.
#[cfg(target_os = "linux")]
#[test]
fn where_no_second_thread_can_be_started_the_first_does_the_work() {
    let dir = Folder::new();
    let level = dir.file("a.ron", &lamps("x", "\"*.\""));
    let run = |mib: u64, command: &str| {
        let script = format!("ulimit -v {}; exec \"$0\" {command}", mib << 10);
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(script).arg(PROGRAM).arg(&level).env("TILEWRIGHT_HOME", dir.path().join("home"));
        shell.output().expect("a shell")
    };
    let least = (16..2000).step_by(16).find(|mib| run(*mib, "games").status.success()).expect("enough to begin with");
    for command in
        ["check \"$1\" --threads 4 --json", "solve \"$1\" --threads 4 --json", "rate \"$1\" --threads 4 --json"]
    {
        let out = run(least + 24, command);
        assert!(out.status.success(), "{command}: {}", String::from_utf8_lossy(&out.stderr));
        assert_eq!(String::from_utf8_lossy(&out.stdout).lines().count(), 1, "{command}");
    }
}

/// A command that would run for a very long time, with its output piped.
fn endless(generate: &[&str]) -> std::process::Child {
    Command::new(PROGRAM)
        .arg("generate")
        .args(generate)
        .args(["--json", "--count", "1000000000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

#[test]
fn a_reader_that_has_seen_enough_ends_it_quietly() {
    // Levels that take long to make: some are under way when the reader goes, and are cut off.
    for generate in [&["null"][..], &["cats", "--preset", "hard", "--threads", "4"]] {
        let mut child = endless(generate);
        let mut out = BufReader::new(child.stdout.take().expect("piped"));
        let mut line = String::new();
        out.read_line(&mut line).expect("a line");
        drop(out);
        let mut err = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut err).expect("text");
        let code = child.wait().expect("it ends").code();
        assert_eq!((code, err.as_str()), (Some(0), ""), "{generate:?}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_what_is_known_and_exits_3() {
    let mut child = endless(&["null"]);
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    out.read_line(&mut line).expect("a line");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    if !sent.is_ok_and(|s| s.success()) {
        println!("no kill command here: not tested");
        let _ = child.kill();
        let _ = child.wait();
        return;
    }
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(3));
    for line in rest.lines() {
        serde_json::from_str::<Value>(line).unwrap_or_else(|e| panic!("half a line: {e}: {line}"));
    }
}

#[test]
fn control_characters_from_files_are_shown_and_never_sent_to_the_terminal() {
    let dir = Folder::new();
    let title = "a\u{1b}[31mb\u{7}c\u{202e}d";
    let level = dir.file("strange.ron", &lamps(&title.escape_unicode().to_string(), "\"*.\""));
    let bad = dir.file("bad.ron", &lamps("x", "\"*.\"").replace("null", "\\u{1b}[2Jgame"));
    for args in [["check", "strange.ron"], ["solve", "strange.ron"], ["rate", "strange.ron"], ["check", "bad.ron"]] {
        let ran = tilewright!(args[0], dir.path().join(args[1]));
        for text in [&ran.out, &ran.err] {
            assert!(!text.contains(|c: char| c != '\n' && (c.is_control() || c == '\u{202e}')), "{args:?}: {text:?}");
        }
    }
    assert!(tilewright!("check", &level).out.contains("\\u{1b}[31m"), "it is to be seen");
    assert!(!tilewright!("check", &bad).err.contains("null"), "the template is no game to name");
    assert_eq!(tilewright!("check", &level, "--json").line()["title"], title, "JSON has escapes of its own");
}

#[test]
fn a_collection_of_too_many_boards_is_refused_in_one_sentence() {
    let dir = Folder::new();
    let many = dir.file("many.xsb", &"####\n#@$.\n####\n\n".repeat(300_000));
    let begun = std::time::Instant::now();
    let ran = tilewright!("check", &many);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("more than 10,000 levels"), "{}", ran.err);
    println!("300,000 boards: {:.2} s", begun.elapsed().as_secs_f32());
    let most = memory_for(&many);
    assert!(most < 150, "{most} MiB");
}

#[cfg(unix)]
#[test]
fn a_pipe_gets_a_sentence_by_its_name_through_a_link_in_a_folder_and_in_a_pack() {
    let dir = Folder::new();
    let pipe = dir.path().join("a.ron");
    if !Command::new("mkfifo").arg(&pipe).status().is_ok_and(|s| s.success()) {
        println!("skipped: no mkfifo here");
        return;
    }
    let link = dir.path().join("link.ron");
    std::os::unix::fs::symlink(&pipe, &link).expect("a link");
    let list = dir.file("pack.ron", &pack::write(&pack::Pack { title: "p".into(), levels: vec!["a.ron".into()] }));
    for path in [pipe.as_path(), &link, &list, dir.path(), Path::new("/dev/zero")] {
        let ran = tilewright!("check", path);
        assert!(ran.code == 2 && ran.err.contains("this is a pipe or a device"), "{}: {}", path.display(), ran.err);
    }
}

/// The most memory that `check` has for a file, in MiB, looked at every millisecond; nothing where the system does not tell.
fn memory_for(file: &Path) -> u64 {
    let child = Command::new(PROGRAM).arg("check").arg(file).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let (mut child, mut most) = (child.expect("the program starts"), 0);
    while child.try_wait().expect("a child").is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let now = line.and_then(|l| l.split_whitespace().next()?.parse::<u64>().ok());
        most = most.max(now.unwrap_or(0) >> 10);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    most
}

/// As many as are read, each of the size of a usual small level.
#[test]
fn a_large_collection_takes_a_small_multiple_of_its_size() {
    let dir = Folder::new();
    let board = "; 17\n\n  #####\n###   #\n# $ # ##\n# #  . #\n#    # #\n## #   #\n #@  ###\n #####\n\n";
    // So short a run may end between two looks: the most of several is what the program takes by itself.
    let one = dir.file("one.xsb", board);
    let small = (0..8).map(|_| memory_for(&one)).max().unwrap_or(0);
    let large = dir.file("large.xsb", &board.repeat(10_000));
    let (size, most) = (fs::metadata(&large).expect("a file").len() >> 10, memory_for(&large));
    println!("10,000 boards in {size} KiB: {most} MiB, one board: {small} MiB");
    assert!(most.saturating_sub(small) << 10 < 30 * size, "{most} MiB");
}

#[test]
fn a_file_that_is_nested_too_deeply_is_named_in_words_of_levels() {
    let dir = Folder::new();
    let deep = dir.file("deep.ron", &lamps("x", "\"*.\"").replace("level: ", &format!("notes: {}", "[".repeat(500))));
    let ran = tilewright!("check", &deep);
    assert!(ran.code == 2 && !ran.err.contains("ron::") && !ran.err.contains("Options"), "{}", ran.err);
}
