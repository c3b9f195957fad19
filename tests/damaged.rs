//! Damaged files, fed to every reader of every registered game: never a panic, memory bounded, and a fault of a native file says where.

mod damage;

use damage::{Damage, WHOLE, apply, check_fault, look_at, most_memory, nth};
use proptest::{prelude::*, test_runner::Config};
use std::{
    fs,
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
};
use tilewright::{
    disk,
    document::Doc,
    formats::{self, pack},
    games,
};

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        any::<u16>().prop_map(Damage::Truncate),
        (any::<u16>(), 1..=255_u8).prop_map(|(at, x)| Damage::FlipByte(at, x)),
        (any::<u16>(), prop::collection::vec(any::<u8>(), 1..6)).prop_map(|(at, b)| Damage::Insert(at, b)),
        any::<u16>().prop_map(Damage::DoubleLine),
        any::<u16>().prop_map(Damage::DropLine),
        any::<(u16, u16)>().prop_map(|(a, b)| Damage::SwapLines(a, b)),
        (any::<u16>(), 0..4_u8, any::<bool>()).prop_map(|(at, kind, close)| Damage::Nest(at, kind, close)),
        (any::<u16>(), 0..6_u8).prop_map(|(at, kind)| Damage::HugeNumber(at, kind)),
        (any::<u16>(), 0..7_u8).prop_map(|(at, kind)| Damage::WrongType(at, kind)),
        Just(Damage::NewerVersion),
        any::<u16>().prop_map(Damage::ManyLines),
    ]
}

fn damaged() -> impl Strategy<Value = (String, Vec<u8>)> {
    (0..WHOLE.len(), prop::collection::vec(damage(), 1..4)).prop_map(|(which, damages)| {
        let (what, text) = &WHOLE[which];
        let mut bytes = text.clone().into_bytes();
        for damage in &damages {
            apply(&mut bytes, damage);
        }
        (what.clone(), bytes)
    })
}

/// One damaged file at a time: the memory that a reader takes is measured for the whole process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, max_shrink_iters: 2000, ..Config::default() }
}

proptest! {
    #![proptest_config(config(1500))]

    #[test]
    fn a_damaged_file_is_read_or_refused_with_a_place((_, bytes) in damaged()) {
        let _alone = alone();
        let before = most_memory();
        let text = formats::text(&bytes).ok();
        match formats::read(&bytes) {
            Err(fault) => check_fault(&fault, text.as_deref()),
            Ok(docs) => docs.iter().take(3).for_each(|d| look_at(&**d)),
        }
        if let Some((before, now)) = before.zip(most_memory()) {
            prop_assert!(now < before + 512, "{} MiB for {} bytes", now - before, bytes.len());
        }
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn no_reader_of_any_game_panics_on_any_text((_, bytes) in damaged()) {
        let _alone = alone();
        let Ok(text) = formats::text(&bytes) else { return Ok(()) };
        let text = &*text;
        let _ = pack::read(text).map_err(|fault| check_fault(&fault, Some(text)));
        for game in games::all() {
            if let Err(fault) = game.read_native(text) {
                check_fault(&fault, Some(text));
            }
            let _ = game.recognise(text);
            for format in game.formats() {
                match game.read_format(format.id, text) {
                    Err(fault) => check_fault(&fault, None),
                    Ok(docs) => docs.take(2).for_each(|d| look_at(&*d)),
                }
                let _ = game.write_format(format.id, &[text.to_string()]);
            }
            let mut draft = game.blank(game.sizes().2);
            let _ = draft.paste(text, tilewright::grid::cell(1, 1));
        }
    }

    #[test]
    fn a_damaged_pack_is_read_or_refused(damages in prop::collection::vec(damage(), 1..4)) {
        let _alone = alone();
        let folder = tempfile::tempdir().unwrap();
        let mut bytes = WHOLE.iter().find(|w| w.0 == "pack").unwrap().1.clone().into_bytes();
        damages.iter().for_each(|d| apply(&mut bytes, d));
        let file = folder.path().join(pack::FILE_NAME);
        fs::write(&file, &bytes).unwrap();
        fs::write(folder.path().join("0001.ron"), &WHOLE[0].1).unwrap();
        match disk::open_path(&file) {
            Ok(levels) => prop_assert!(levels.iter().all(|l| l.id.path().is_some_and(|p| p.starts_with(folder.path())))),
            Err(trouble) => {
                let text = trouble.to_string();
                prop_assert!(!text.contains('\n') && text.starts_with(&folder.path().display().to_string()), "{}", text);
            }
        }
    }
}

/// Playable levels, each with a line of moves that its notation writes.
static LINES: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(|| {
    let playable = |(_, text): &(String, String)| {
        let doc = formats::read(text.as_bytes()).ok()?.into_iter().next()?;
        let legal = doc.position(false)?.legal();
        let line = doc.kept().first().map(|s| s.moves.clone()).unwrap_or_default();
        Some((doc.native(), legal.into_iter().take(20).chain([line]).collect()))
    };
    WHOLE.iter().filter_map(playable).collect()
});

fn moves() -> impl Strategy<Value = (usize, String)> {
    let written =
        (0..LINES.len(), any::<(u16, u16)>(), prop::collection::vec(damage(), 0..3)).prop_map(|(l, (a, b), d)| {
            let some = &LINES[l].1;
            let line = format!("{} {}", some[nth(a, some.len())], some[nth(b, some.len())]);
            let mut bytes = line.into_bytes();
            d.iter().for_each(|d| apply(&mut bytes, d));
            (l, String::from_utf8_lossy(&bytes).into_owned())
        });
    let wild = (0..LINES.len(), "[a-h0-9,;:~>LURDlurd \\-+*/()é]{0,40}");
    let any_text = (0..LINES.len(), any::<String>());
    prop_oneof![3 => written, 2 => wild, 1 => any_text]
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn any_text_is_a_line_of_moves_or_refused((level, text) in moves()) {
        let _alone = alone();
        let doc = formats::read(LINES[level].0.as_bytes()).unwrap().remove(0);
        match doc.rewrite_line(&text) {
            Err(why) => prop_assert!(!why.is_empty()),
            Ok(written) => prop_assert_eq!(doc.rewrite_line(&written), Ok(written), "{}", text),
        }
        // A line of thousands of moves is legal input; replaying all of it is another test's time.
        if text.len() < 400 {
            match doc.replay_now(&text, true) {
                Err(why) => prop_assert!(!why.is_empty()),
                Ok(rows) => prop_assert!(rows.iter().all(|r| r.refused.as_ref().is_none_or(|(word, _)| !word.is_empty()))),
            }
            if let Some(mut here) = doc.position(true) {
                here.try_move(&text);
            }
        }
    }
}

#[test]
fn nothing_larger_than_the_bound_is_looked_at() {
    let large = vec![b'('; formats::LARGEST as usize + 1];
    assert!(formats::read(&large).err().is_some_and(|e| e.text.contains("too large")));
}

#[test]
fn what_is_often_wrong_is_told_in_a_sentence_with_its_place() {
    let (_, good) = WHOLE.iter().find(|w| w.0.ends_with("native")).unwrap();
    let fault = |text: String| formats::read(text.as_bytes()).map(|_| ()).expect_err("this is damaged");
    for (what, text) in [
        ("newer", good.replace("tilewright: 1", "tilewright: 3")),
        ("no game", good.replace("game: \"", "game: \"no-such-")),
        ("truncated", good[..good.len() / 2].to_string()),
        ("wrong type", good.replace("tags: [", "tags: 7, // [")),
        ("unknown key", good.replace("level: (", "nonsense: 1,\n    level: (")),
        ("twice", good.replace("    title:", "    title: \"\",\n    title:")),
    ] {
        let fault = fault(text);
        assert!(fault.line.is_some() && fault.column.is_some() && !fault.text.is_empty(), "{what}: {fault}");
    }
    assert!(fault(good.replace("tilewright: 1", "tilewright: 3")).text.contains("newer"));
}

#[test]
fn files_with_the_line_ends_of_old_macs_and_of_windows_are_read() {
    for (name, text) in WHOLE.iter() {
        let Ok(read) = formats::read(text.as_bytes()) else { continue };
        for end in ["\r", "\r\n"] {
            let other =
                formats::read(text.replace('\n', end).as_bytes()).unwrap_or_else(|e| panic!("{name} {end:?}: {e}"));
            let natives = |docs: &[Box<dyn Doc>]| docs.iter().map(|d| d.native()).collect::<Vec<_>>();
            assert_eq!(natives(&other), natives(&read), "{name} {end:?}");
        }
    }
}
