//! Whole files of all kinds, ways to damage them, and what must hold for whatever comes out.

use std::{fs, sync::LazyLock};
use tilewright::{
    document::{Board, Doc},
    formats::{self, native, pack},
    game::Fault,
    games,
    job::{Limits, Probe},
    picture::Colours,
};

/// Whole files of all kinds: what they are and their text.
pub static WHOLE: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for game in games::all() {
        let id = game.info().id;
        let mut docs: Vec<Box<dyn Doc>> = vec![game.blank(game.sizes().2)];
        for text in game.info().levels.iter().take(3) {
            all.push((format!("{id} shipped"), (*text).to_string()));
            docs.extend(formats::read(text.as_bytes()).unwrap_or_default());
        }
        for preset in game.presets().iter().take(2) {
            let made = game.generate(preset.id, &preset.values, 3, &mut Probe::new(Limits::default()));
            docs.extend(made.ok().map(|m| m.doc));
        }
        for doc in docs {
            let text = doc.native();
            for format in game.formats().iter().filter(|f| f.writes) {
                if let Ok(written) = game.write_format(format.id, std::slice::from_ref(&text)) {
                    all.push((format!("{id} {}", format.id), written.text));
                }
            }
            for exporter in tilewright::export::ALL.iter().filter(|e| e.reads) {
                let mut probe = Probe::new(Limits::default());
                let copy = [doc.duplicate()];
                let written = tilewright::export::write(exporter, &copy, &Default::default(), &mut probe);
                if let Ok(text) = written.map(|w| String::from_utf8(w.bytes).expect("exports that are read are text")) {
                    all.push((format!("{id} {}", exporter.id), text));
                }
            }
            all.push((format!("{id} native"), text));
        }
    }
    let list = pack::Pack { title: "A pack".into(), levels: vec!["0001.ron".into(), "more/0002.ron".into()] };
    all.push(("pack".into(), pack::write(&list)));
    all
});

#[derive(Clone, Debug)]
pub enum Damage {
    Truncate(u16),
    FlipByte(u16, u8),
    Insert(u16, Vec<u8>),
    DoubleLine(u16),
    DropLine(u16),
    SwapLines(u16, u16),
    Nest(u16, u8, bool),
    HugeNumber(u16, u8),
    WrongType(u16, u8),
    NewerVersion,
    ManyLines(u16),
}

/// The most bytes that repeated lines add.
const MANY_BYTES: usize = 4 << 20;

/// The `at`-th of `n`, spread evenly over the range of `at`.
pub fn nth(at: u16, n: usize) -> usize {
    (usize::from(at) * n) >> 16
}

fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.split_inclusive(|b| *b == b'\n').map(<[u8]>::to_vec).collect()
}

/// Stretches of a text that a test holds for all bytes.
fn runs(bytes: &[u8], inside: impl Fn(u8) -> bool) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut start = None;
    for (i, b) in bytes.iter().chain(std::iter::once(&0)).enumerate() {
        match (inside(*b), start) {
            (true, None) => start = Some(i),
            (false, Some(from)) => {
                found.push((from, i));
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn replace(bytes: &mut Vec<u8>, at: (usize, usize), with: &str) {
    bytes.splice(at.0..at.1, with.bytes());
}

pub fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    let len = bytes.len();
    match damage {
        Damage::Truncate(at) => bytes.truncate(nth(*at, len + 1)),
        Damage::FlipByte(at, x) => {
            if let Some(b) = bytes.get_mut(nth(*at, len)) {
                *b ^= x;
            }
        }
        Damage::Insert(at, more) => {
            let at = nth(*at, len + 1);
            bytes.splice(at..at, more.iter().copied());
        }
        Damage::DoubleLine(at) => {
            let mut all = lines(bytes);
            if !all.is_empty() {
                let at = nth(*at, all.len());
                all.insert(at, all[at].clone());
            }
            *bytes = all.concat();
        }
        Damage::DropLine(at) => {
            let mut all = lines(bytes);
            if !all.is_empty() {
                all.remove(nth(*at, all.len()));
            }
            *bytes = all.concat();
        }
        Damage::SwapLines(a, b) => {
            let mut all = lines(bytes);
            if !all.is_empty() {
                let (a, b) = (nth(*a, all.len()), nth(*b, all.len()));
                all.swap(a, b);
            }
            *bytes = all.concat();
        }
        Damage::Nest(at, kind, close) => {
            let at = nth(*at, len + 1);
            let (open, shut) = [("(", ")"), ("[", "]"), ("{", "}"), ("Some(", ")")][usize::from(*kind)];
            let text = if *close { open.repeat(5000) + &shut.repeat(5000) } else { open.repeat(5000) };
            bytes.splice(at..at, text.into_bytes());
        }
        Damage::HugeNumber(at, kind) => {
            let numbers = runs(bytes, |b| b.is_ascii_digit());
            if !numbers.is_empty() {
                let with = ["99999", "-1", "4294967296", "18446744073709551616", "1e308", "0.5"][usize::from(*kind)];
                replace(bytes, numbers[nth(*at, numbers.len())], with);
            }
        }
        Damage::WrongType(at, kind) => {
            let words = runs(bytes, |b| b.is_ascii_alphanumeric() || b == b'"' || b == b'_');
            if !words.is_empty() {
                let with = ["7", "\"seven\"", "true", "()", "[]", "{}", "None"][usize::from(*kind)];
                replace(bytes, words[nth(*at, words.len())], with);
            }
        }
        Damage::NewerVersion => {
            let text = String::from_utf8_lossy(bytes).replace("tilewright: 1", "tilewright: 4000000000");
            *bytes = text.into_bytes();
        }
        Damage::ManyLines(at) => {
            let mut all = lines(bytes);
            if !all.is_empty() {
                let at = nth(*at, all.len());
                let line = all[at].clone();
                // A page has lines of a megabyte: thousands of them would take more memory than any reader may.
                let times = (MANY_BYTES / line.len()).clamp(2, 3000);
                all.splice(at..at, std::iter::repeat_n(line, times));
            }
            *bytes = all.concat();
        }
    }
}

/// A fault is a sentence; where the text is meant to be native, it says where.
pub fn check_fault(fault: &Fault, text: Option<&str>) {
    assert!(!fault.text.trim().is_empty());
    if text.is_some_and(native::looks_native) {
        assert!(fault.line.is_some() && fault.column.is_some(), "no place: {fault}\n{text:?}");
        let lines = text.map_or(0, |t| t.lines().count()) + 1;
        assert!(fault.line.is_some_and(|l| (1..=lines).contains(&l)), "line {:?} of {lines}", fault.line);
    }
}

/// A draft that could be read can be shown and written.
pub fn look_at(doc: &dyn Doc) {
    let text = doc.native();
    let again = formats::read(text.as_bytes()).unwrap_or_else(|e| panic!("what was read is written as {e}\n{text}"));
    assert_eq!(again[0].native(), text);
    doc.picture(Board::Draft, &Colours::dark(), 20.0);
    for spot in doc.spots(Board::Draft) {
        doc.describe(Board::Draft, spot);
    }
    if let Some(here) = doc.position(true) {
        let _ = (here.board(), here.objects(), here.status());
    }
}

/// The most memory this process ever had, in MiB, where the system tells.
pub fn most_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kb| kb >> 10)
}
