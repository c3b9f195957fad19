//! Anything from outside may be damaged or hostile: whole files of every format, damaged; levels made from a game's own letters; and what the program keeps for itself
//! (settings, layouts, records, stamps, variants, recovery copies, caches), damaged too. Each input is a number: it makes the same bytes everywhere.
//!
//! Whatever comes: no panic, at most two seconds of processor time, at most 300 MiB, and what was read can be drawn, described and written again. Inputs run in a
//! process of their own with a limit on its memory, which names the input it is at, so that an abort is a finding like any other.
//!
//! The long run is one command: `FUZZ_INPUTS=1000000 cargo test --test fuzz -- --ignored --nocapture`. `FUZZ_FROM` begins with another number; `FUZZ_ONE=N` looks at one
//! input and writes it to the temporary folder. What was found is kept in `tests/golden/damaged`, made as small as it goes, and looked at in every run.

mod damage;

use damage::{Damage, WHOLE, apply, check_fault, look_at};
use rand::{RngExt as _, SeedableRng as _, rngs::ChaCha8Rng};
use std::{
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, LazyLock},
    thread,
    time::{Duration, SystemTime},
};
use tilewright::{
    catalogue::{Event, Librarian, Places, Query, RatingRequest, Request, Sort},
    disk::{self, LevelId},
    formats::{self, pack},
    games,
    memory::{Keeper, recovery, stamps::Stamps, variants},
};

/// Inputs in CI.
const SHORT: u64 = 6_000;
/// Processor time for one input; a development build takes several times as long as the program that people have.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 8 } else { 2 });
/// Memory for one input, in MiB.
const MOST_MEMORY: u64 = 300;
/// What the process may have of addresses, in MiB: a reader that asks for more is stopped by the system.
const ADDRESSES: u64 = 3_000;
/// Memory is looked at after this many inputs, and after each of them again if there was too much.
const TOGETHER: u64 = 64;

/// What an input is read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Level,
    Pack,
    Settings,
    /// Settings with which a window is opened: what is damaged is mostly its layout.
    Layout,
    Records,
    Stamps,
    Variants,
    Recovery,
    Library,
    Ratings,
}

const KINDS: [(Kind, &str); 10] = [
    (Kind::Level, "level"),
    (Kind::Pack, "pack"),
    (Kind::Settings, "settings"),
    (Kind::Layout, "layout"),
    (Kind::Records, "records"),
    (Kind::Stamps, "stamps"),
    (Kind::Variants, "variants"),
    (Kind::Recovery, "recovery"),
    (Kind::Library, "library"),
    (Kind::Ratings, "ratings"),
];

/// Stands for the folder in which a cache is read: it has absolute paths.
const HERE: &str = "@HERE@";

/// The program's own files, as an earlier version wrote them.
static OWN: LazyLock<Vec<(Kind, Vec<u8>)>> = LazyLock::new(|| {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v1");
    let read = |file: &str| fs::read(kept.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let in_folder = |folder: &str, kind| {
        let names = disk::file_names(&kept.join(folder)).unwrap_or_default();
        names
            .into_iter()
            .filter(|n| n.ends_with(".ron"))
            .map(|n| (kind, read(&format!("{folder}/{n}"))))
            .collect::<Vec<_>>()
    };
    let sessions = disk::file_names(&kept.join("recovery")).unwrap_or_default();
    let mut all = vec![
        (Kind::Settings, read("settings.ron")),
        (Kind::Records, read("records.ron")),
        (Kind::Stamps, read("stamps.ron")),
        (Kind::Pack, read("levels/pack.ron")),
    ];
    let home = tempfile::tempdir().expect("a folder");
    look_around(home.path(), true);
    for (kind, file) in [(Kind::Library, "library.jsonl"), (Kind::Ratings, "ratings.jsonl")] {
        let text = fs::read_to_string(home.path().join("cache").join(file)).expect("a cache");
        all.push((kind, text.replace(&home.path().display().to_string(), HERE).into_bytes()));
    }
    all.extend(in_folder("variants", Kind::Variants));
    all.extend(sessions.iter().flat_map(|s| in_folder(&format!("recovery/{s}"), Kind::Recovery)));
    all
});

/// Lets the library look at a home with one level, and use the caches there.
fn look_around(home: &Path, rate: bool) {
    let file = home.join("levels/a.ron");
    fs::create_dir_all(home.join("levels")).expect("a folder");
    let level = "(tilewright: 1, game: \"null\", title: \"A\", level: (board: [\"*.\"]))";
    fs::write(&file, level).expect("a level");
    // What a cache says about a file holds while its time is the same.
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
    fs::File::options().write(true).open(&file).and_then(|f| f.set_modified(time)).expect("a time");
    let places = Places { own: Some(home.join("levels")), cache: Some(home.join("cache")), ..Places::default() };
    let query = Query { sort: Sort::Hardest, ..Query::default() };
    let mut librarian = Librarian::start(places, Vec::new(), query, Arc::new(|| ()));
    if rate {
        librarian.ask(Request::Rate(RatingRequest { first: Some(LevelId::File(file)), ..RatingRequest::default() }));
    }
    while librarian.busy() {
        thread::sleep(Duration::from_millis(1));
    }
    let stopped = librarian.news().into_iter().any(|n| matches!(n, Event::FileError(text) if text.contains("stopped")));
    assert!(!stopped, "the library has stopped");
    let listing = librarian.listing();
    listing.ratings.values().for_each(|r| drop(r.text()));
    librarian.finish(Duration::from_secs(10));
}

fn random_damage(rng: &mut ChaCha8Rng) -> Damage {
    let at: u16 = rng.random();
    match rng.random_range(0..11) {
        0 => Damage::Truncate(at),
        1 => Damage::FlipByte(at, rng.random_range(1..=255)),
        2 => Damage::Insert(at, (0..rng.random_range(1..6)).map(|_| rng.random()).collect()),
        3 => Damage::DoubleLine(at),
        4 => Damage::DropLine(at),
        5 => Damage::SwapLines(at, rng.random()),
        6 => Damage::Nest(at, rng.random_range(0..4), rng.random()),
        7 => Damage::HugeNumber(at, rng.random_range(0..6)),
        8 => Damage::WrongType(at, rng.random_range(0..7)),
        9 => Damage::NewerVersion,
        _ => Damage::ManyLines(at),
    }
}

/// A native level whose boards are made at random from the letters that the level itself has, its legend and all.
fn from_letters(text: &str, rng: &mut ChaCha8Rng) -> String {
    let rows: Vec<&str> = text.lines().filter(|l| l.trim_start().starts_with('"')).collect();
    let mut letters: Vec<char> = rows.iter().flat_map(|r| r.trim().trim_matches([',', '"']).chars()).collect();
    letters.extend([' ', '.', '#', '?', 'é']);
    let odd = rng.random_bool(0.2);
    let line = |line: &str, rng: &mut ChaCha8Rng| {
        let inside = line.trim().trim_end_matches(',').trim_matches('"');
        let is_row = line.trim_start().starts_with('"') && !inside.contains('"');
        if !is_row || rng.random_bool(0.3) {
            return line.to_string();
        }
        let mut width = inside.chars().count();
        if odd && rng.random_bool(0.2) {
            width = rng.random_range(0..200);
        }
        let row: String = (0..width).map(|_| letters[rng.random_range(0..letters.len())]).collect();
        format!("\"{row}\",")
    };
    text.lines().map(|l| line(l, rng)).collect::<Vec<_>>().join("\n")
}

/// The input with this number.
fn input(number: u64) -> (Kind, Vec<u8>) {
    let rng = &mut ChaCha8Rng::seed_from_u64(number);
    let (kind, mut bytes) = match rng.random_range(0..10) {
        0..3 => OWN[rng.random_range(0..OWN.len())].clone(),
        3 | 4 => {
            let native: Vec<_> = WHOLE.iter().filter(|w| w.0.ends_with("native") || w.0.ends_with("shipped")).collect();
            (Kind::Level, from_letters(&native[rng.random_range(0..native.len())].1, rng).into_bytes())
        }
        _ => (Kind::Level, WHOLE[rng.random_range(0..WHOLE.len())].1.clone().into_bytes()),
    };
    for _ in 0..rng.random_range(0..4) {
        apply(&mut bytes, &random_damage(rng));
    }
    // A window takes its time.
    let kind = if kind == Kind::Settings && rng.random_ratio(1, 8) { Kind::Layout } else { kind };
    (kind, bytes)
}

/// Reads an input as the program would; a panic is a finding.
fn read(kind: Kind, bytes: &[u8], folder: &Path) {
    let file = folder.join(pack::FILE_NAME);
    let text = formats::text(bytes).ok();
    match kind {
        Kind::Level => match formats::read(bytes) {
            Err(fault) => check_fault(&fault, text.as_deref()),
            Ok(docs) => docs.iter().take(3).for_each(|d| look_at(&**d)),
        },
        Kind::Pack => {
            fs::write(&file, bytes).expect("a pack");
            for level in disk::Levels::new([&file]).take(100).flatten() {
                assert!(level.id.path().is_some_and(|p| p.starts_with(folder)), "a pack reaches out of its folder");
            }
        }
        Kind::Settings => {
            fs::write(&file, bytes).expect("settings");
            #[cfg(feature = "gui")]
            {
                let loaded = tilewright::app::settings::Settings::load(Some(&file));
                assert!(loaded.settings.text_scale.is_finite(), "a window that nobody can read");
            }
        }
        Kind::Layout => {
            fs::write(folder.join("settings.ron"), bytes).expect("settings");
            #[cfg(feature = "gui")]
            {
                use tilewright::app::{App, Home};
                let home = Home::below(folder);
                // As the program does: what no font has is drawn as a box.
                let window = egui_kittest::Harness::builder().with_size([800.0, 600.0]).allow_missing_glyphs();
                window.build_eframe(|cc| App::new(&cc.egui_ctx, home, None)).run_steps(2);
            }
        }
        Kind::Library | Kind::Ratings => {
            let name = if kind == Kind::Library { "library.jsonl" } else { "ratings.jsonl" };
            let here = folder.display().to_string();
            let text = std::str::from_utf8(bytes).map(|t| t.replace(HERE, &here));
            let text = text.map_or_else(|_| bytes.to_vec(), String::into_bytes);
            fs::create_dir_all(folder.join("cache")).expect("a folder");
            fs::write(folder.join("cache").join(name), text).expect("a cache");
            look_around(folder, false);
        }
        Kind::Records => {
            fs::write(&file, bytes).expect("records");
            let mut keeper = Keeper::open(Some(file.clone()), Arc::new(|| ()));
            let _ = (keeper.records().to_text(), keeper.messages());
        }
        Kind::Stamps => {
            fs::write(&file, bytes).expect("stamps");
            let (stamps, _) = Stamps::read(&file);
            assert!(games::all().iter().all(|g| stamps.of(g.info().id).count() < 100_000));
        }
        Kind::Variants => {
            fs::write(folder.join("x.ron"), bytes).expect("variants");
            let _ = variants::Variants::read(folder, "x");
        }
        Kind::Recovery => {
            let session = folder.join("recovery/20261116-173641-30046");
            fs::create_dir_all(&session).expect("a folder");
            fs::write(session.join("1.ron"), bytes).expect("a recovery copy");
            let found = recovery::left_behind(&folder.join("recovery"));
            for left in found.drafts {
                let _ = formats::read(left.draft.text.as_bytes())
                    .map(|docs| docs.iter().take(1).for_each(|d| look_at(&**d)));
            }
        }
    }
    // What the program set aside.
    for name in disk::file_names(folder).unwrap_or_default() {
        let _ = fs::remove_file(folder.join(&name)).or_else(|_| fs::remove_dir_all(folder.join(&name)));
    }
}

/// Processor time of this process, in hundredths of a second as Linux counts.
fn used() -> Duration {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may have spaces.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    Duration::from_millis(10 * fields.filter_map(|n| n.parse::<u64>().ok()).sum::<u64>())
}

/// The most memory this process had since it was last asked, in MiB.
fn memory_since() -> u64 {
    let most = damage::most_memory().unwrap_or(0);
    let _ = fs::write("/proc/self/clear_refs", "5");
    most
}

/// How long an input takes, and what is wrong with it.
fn fault(kind: Kind, bytes: &[u8], folder: &Path) -> (Duration, Option<String>) {
    let before = used();
    let panic = catch_unwind(AssertUnwindSafe(|| read(kind, bytes, folder))).err();
    let took = used().saturating_sub(before);
    let slow = (took > LONGEST).then(|| format!("{took:?} of processor time"));
    (took, panic.map(|p| format!("a panic: {}", tilewright::job::panic_text(&*p))).or(slow))
}

/// The work of a child: inputs from one number to another, the one at hand in a file, findings in another.
fn work(from: u64, to: u64, folder: &Path) {
    std::panic::set_hook(Box::new(|_| ()));
    let (at, found, place) = (folder.join("at"), folder.join("found"), folder.join("place"));
    fs::create_dir_all(&place).expect("a folder");
    let say = |number: u64, what: &str| {
        use std::io::Write as _;
        let mut file = fs::OpenOptions::new().append(true).create(true).open(&found).expect("a file");
        writeln!(file, "{number} {}", what.replace('\n', " ")).expect("room on the disk");
    };
    LazyLock::force(&WHOLE);
    let base = memory_since();
    let (mut next, mut slowest) = (from, (Duration::ZERO, from));
    while next < to {
        let end = (next + TOGETHER).min(to);
        for number in next..end {
            fs::write(&at, number.to_string()).expect("room on the disk");
            let (kind, bytes) = input(number);
            let (took, what) = fault(kind, &bytes, &place);
            slowest = slowest.max((took, number));
            if let Some(what) = what {
                say(number, &what);
            }
        }
        if memory_since() > base + MOST_MEMORY {
            for number in next..end {
                let (kind, bytes) = input(number);
                let _ = fault(kind, &bytes, &place);
                let more = memory_since().saturating_sub(base);
                if more > MOST_MEMORY {
                    say(number, &format!("{more} MiB"));
                }
            }
        }
        next = end;
    }
    fs::write(&at, to.to_string()).expect("room on the disk");
    fs::write(folder.join("slowest"), format!("{} took {:?}", slowest.1, slowest.0)).expect("room on the disk");
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().and_then(|v| v.parse().ok())
}

/// Runs inputs in children, one after the other where one was ended by the system; what was found.
fn run(from: u64, to: u64) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let (at, mut next, mut found) = (folder.path().join("at"), from, Vec::new());
    while next < to {
        let me = std::env::current_exe().expect("this program");
        let limited = format!("ulimit -v {} 2>/dev/null; exec \"$0\" a_child --exact --ignored", ADDRESSES << 10);
        let mut command = Command::new("sh");
        command.arg("-c").arg(limited).arg(me).stdout(Stdio::null()).stderr(Stdio::null());
        command.env("FUZZ_CHILD", folder.path()).env("FUZZ_NEXT", next.to_string()).env("FUZZ_END", to.to_string());
        let ended = command.status().expect("a child can be started");
        let reached: u64 = fs::read_to_string(&at).ok().and_then(|t| t.parse().ok()).unwrap_or(next);
        if reached < to {
            found.push(format!("{reached} the process ended: {ended}"));
        }
        next = if reached < to { reached + 1 } else { to };
    }
    let slowest = fs::read_to_string(folder.path().join("slowest")).unwrap_or_default();
    println!("inputs {from} to {to}: the slowest, {slowest} of processor time");
    found.extend(fs::read_to_string(folder.path().join("found")).unwrap_or_default().lines().map(String::from));
    found
}

#[test]
#[ignore = "the work of a process of its own"]
fn a_child() {
    if let (Some(folder), Some(from), Some(to)) =
        (std::env::var_os("FUZZ_CHILD"), number("FUZZ_NEXT"), number("FUZZ_END"))
    {
        work(from, to, &PathBuf::from(folder));
    }
}

#[test]
fn damaged_and_hostile_inputs_do_no_harm() {
    let found = run(0, SHORT);
    assert!(found.is_empty(), "FUZZ_ONE=number shows one of these:\n{}", found.join("\n"));
}

/// A share of the long run on each core.
#[test]
#[ignore = "the long run: a million inputs"]
fn very_many_damaged_and_hostile_inputs_do_no_harm() {
    if std::env::var_os("FUZZ_CHILD").is_some() {
        return;
    }
    if let Some(one) = number("FUZZ_ONE") {
        let (kind, bytes) = input(one);
        let file = std::env::temp_dir().join(format!("fuzz-{one}"));
        fs::write(&file, &bytes).expect("a file");
        println!("{kind:?}, {} bytes, in {}", bytes.len(), file.display());
        println!("{:?}", run(one, one + 1));
        return;
    }
    let (from, inputs) = (number("FUZZ_FROM").unwrap_or(1_000_000), number("FUZZ_INPUTS").unwrap_or(1_000_000));
    let threads = thread::available_parallelism().map_or(1, |n| n.get() as u64);
    let share = inputs.div_ceil(threads);
    let found: Vec<String> = thread::scope(|scope| {
        let parts = (0..threads).map(|i| {
            scope.spawn(move || {
                let mut found = Vec::new();
                for begin in (from + i * share..(from + (i + 1) * share).min(from + inputs)).step_by(10_000) {
                    let end = (begin + 10_000).min(from + (i + 1) * share).min(from + inputs);
                    found.extend(run(begin, end));
                    println!("inputs {begin} to {end}: {} findings so far in this part", found.len());
                }
                found
            })
        });
        let parts: Vec<_> = parts.collect();
        parts.into_iter().flat_map(|p| p.join().expect("a thread")).collect()
    });
    println!("{inputs} inputs from {from}: {} findings", found.len());
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn what_was_found_before_stays_fixed() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/damaged");
    let place = tempfile::tempdir().expect("a folder");
    for name in disk::file_names(&kept).unwrap_or_default() {
        let kind = KINDS
            .iter()
            .find(|(_, word)| name.starts_with(word))
            .unwrap_or_else(|| panic!("{name}: begin it with its kind"));
        let bytes = fs::read(kept.join(&name)).expect("a file");
        assert_eq!(fault(kind.0, &bytes, place.path()).1, None, "{name}");
    }
}
