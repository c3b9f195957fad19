//! Everything that version 1 wrote still opens: `golden/v1` is a home folder as that program left it (levels with kept solutions, generated levels, a pack,
//! settings with another layout, records, stamps, variants, backups, recovery copies of a killed program, a level in the bin).
//!
//! Paths in it begin with `@HOME@`; what is named by the digest of a path gets its name when the folder is copied.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tilewright::{
    catalogue::{Event, Librarian, Operation, Places, Query, Request},
    disk::{self, LevelId},
    formats, games,
    memory::{Best, Chapters, Keeper, Place, Records, backups, recovery, stamps::Stamps, variants::Variants},
};
use xxhash_rust::xxh3::xxh3_128;

struct Home {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

impl Home {
    fn new() -> Home {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().canonicalize().expect("a path");
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v1"), &path, &path);
        // Version 1 named these by a digest of where the level came from.
        for name in disk::file_names(&path.join("variants")).expect("variants") {
            let file = path.join("variants").join(name);
            let text = fs::read_to_string(&file).expect("a text");
            let of = text.lines().find_map(|l| l.trim().strip_prefix("of: ")?.strip_suffix(',')).expect("of what");
            let of: String = ron::from_str(of).expect("a string");
            fs::rename(&file, digest(&path.join("variants"), &of).with_extension("ron")).expect("renamed");
        }
        for name in disk::file_names(&path.join("backups")).expect("backups") {
            let folder = path.join("backups").join(name);
            let of = fs::read_to_string(folder.join("of.txt")).expect("a text");
            fs::rename(&folder, digest(&path.join("backups"), of.trim())).expect("renamed");
        }
        Home { _folder: folder, path }
    }

    fn level(&self, name: &str) -> PathBuf {
        self.path.join("levels").join(name)
    }
}

fn digest(folder: &Path, of: &str) -> PathBuf {
    folder.join(format!("{:032x}", xxh3_128(of.as_bytes())))
}

fn copy(from: &Path, to: &Path, home: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the corpus").flatten() {
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to, home);
        } else {
            let text = fs::read_to_string(entry.path()).expect("a text");
            fs::write(to, text.replace("@HOME@", &home.display().to_string())).expect("a file");
        }
    }
}

#[test]
fn levels_open_with_all_their_words_solutions_and_origins_and_are_written_as_they_were() {
    let home = Home::new();
    for game in games::offered() {
        let id = game.info().id;
        let file = home.level(&format!("{id}.ron"));
        let mut doc = disk::open_path(&file).expect(id).remove(0).doc;
        assert_eq!(doc.meta().author, "an author");
        assert_eq!(doc.meta().notes, "notes\nin two lines");
        assert_eq!(doc.meta().tags, ["first", "v1"]);
        assert!(!doc.kept().is_empty() && doc.show_kept(0).is_ok(), "{id}: its solution still solves it");
        assert_eq!(doc.native(), fs::read_to_string(&file).expect("a text"), "{id}");
        let made = disk::open_path(&home.level(&format!("made/{id}.ron"))).expect(id).remove(0).doc;
        assert!(made.origin().is_some_and(|o| o.seed == 7), "{id}");
    }
    let pack = disk::open_path(&home.level("pack.ron")).expect("a pack");
    let order: Vec<_> = pack.iter().map(|l| l.doc.game().info().id).collect();
    assert_eq!(order, ["match", "sbokena", "readout", "shards", "cats"]);
    assert_eq!(disk::open_path(&home.level("collection.xsb")).expect("a collection").len(), 2);
}

#[test]
fn stars_and_bests_stay_whatever_par_or_a_difficulty_is_now() {
    let home = Home::new();
    let file = home.path.join("records.ron");
    let mut keeper = Keeper::open(Some(file.clone()), Arc::new(|| ()));
    assert_eq!(keeper.messages(), Vec::<String>::new());
    for game in games::offered() {
        let id = game.info().id;
        let doc = disk::open_path(&home.level(&format!("{id}.ron"))).expect(id).remove(0).doc;
        let level = doc.identity().exact;
        // Another win, after par has become better: one star is all it is worth now.
        let again = Best { solved: true, stars: 1, millis: Some(90_000), ..Best::default() };
        keeper.add(&Records::of_level(id, level, again));
        let best = keeper.records().level(id, level).expect("the level is known by what it is");
        assert!(best.solved && best.stars == 3 && best.millis == Some(61_500) && best.points == Some(1234), "{id}");
        assert!(game.info().counts.iter().all(|c| best.counts.get(*c) == Some(&99)), "{id}");
        let campaign = keeper.records().campaign(id).expect("a campaign");
        let of = Chapters { lessons: game.lessons(), levels: game.campaign_len() };
        assert!(campaign.completed(Place::Level(1)) && campaign.place(of) == Place::Level(2));
        assert!(
            of.places().take(of.lessons as usize + 5).all(|p| campaign.is_open(of, p)),
            "lessons and what was open"
        );
        assert!(!campaign.is_open(of, Place::Level(6)));
        // Points from before games were ranked are in the table.
        let table = best.ranked(game.info().counts[0]);
        assert_eq!((table.len(), table[0].points, table[0].moves, table[0].time()), (1, 1234, 99, None), "{id}");
        assert_eq!(keeper.records().score(id), 17);
    }
    assert!(keeper.flush());
    assert_eq!(Keeper::open(Some(file), Arc::new(|| ())).records(), keeper.records());
}

#[test]
fn backups_variants_stamps_and_recovery_copies_are_found() {
    let home = Home::new();
    let cats = home.level("cats.ron");
    let versions = backups::versions(&home.path.join("backups"), &cats);
    let authors = versions.iter().map(|v| disk::open_path(&v.file).expect("a level")[0].doc.meta().author.clone());
    assert_eq!(authors.collect::<Vec<_>>(), ["author 1", "author 0", "an author"]);

    let folder = home.path.join("variants");
    let made = disk::open_path(&home.level("made/cats.ron")).expect("a level").remove(0).doc;
    for (level, count) in [
        (LevelId::File(cats.clone()), 2),
        (LevelId::Member(home.level("collection.xsb"), 1), 1),
        (LevelId::Shipped("cats", 3), 1),
        (LevelId::Campaign("cats", 3), 1),
        (LevelId::generated(&*made), 1),
    ] {
        let of = level.filed_under().expect("a name");
        assert_eq!(Variants::read(&folder, &of).0.len(), count, "{level:?}");
    }
    let (variants, message) = Variants::read(&folder, &cats.display().to_string());
    assert!(message.is_none() && formats::read(variants[0].text.as_bytes()).is_ok());
    assert_eq!(variants[0].measured.as_ref().and_then(|m| m.difficulty), Some(12.5));

    let (stamps, message) = Stamps::read(&home.path.join("stamps.ron"));
    assert_eq!((stamps.of("cats").count(), message), (1, None));

    let found = recovery::left_behind(&home.path.join("recovery"));
    assert!(found.errors.is_empty());
    let mut drafts: Vec<_> = found.drafts.iter().map(|l| (l.draft.title.as_str(), l.draft.from.clone())).collect();
    drafts.sort();
    assert_eq!(drafts, [("Changed", Some(cats)), ("New", None)]);
    assert!(found.drafts.iter().all(|l| formats::read(l.draft.text.as_bytes()).is_ok()));
}

#[test]
fn a_level_comes_back_from_the_bin_to_its_place_in_its_pack() {
    let home = Home::new();
    let below = |name: &str| Some(home.path.join(name));
    let places = Places { own: below("levels"), bin: below("bin"), memory: None, cache: below("cache"), tables: false };
    let mut librarian = Librarian::start(places, Vec::new(), Query::default(), Arc::new(|| ()));
    let item = disk::file_names(&home.path.join("bin")).expect("a bin").remove(0);
    let binned = LevelId::File(home.path.join("bin").join(item).join("first-step-copy.ron"));
    librarian.ask(Request::Operation(Operation::Restore(vec![binned])));
    while librarian.busy() {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(librarian.news().iter().all(|n| matches!(n, Event::Done { .. })));
    assert_eq!(disk::open_path(&home.level("pack.ron")).expect("a pack").len(), 6);
}

#[cfg(feature = "gui")]
#[test]
fn settings_and_layout_are_as_they_were_left() {
    use tilewright::app::{dock::Pane, settings::Settings, theme::Theme};
    let home = Home::new();
    let loaded = Settings::load(Some(&home.path.join("settings.ron")));
    assert!(loaded.ours && loaded.message.is_none());
    let settings = loaded.settings;
    assert!(settings.theme == Theme::Light && settings.toured && settings.author == "an author");
    assert_eq!(settings.recent, [home.level("cats.ron"), home.level("collection.xsb")]);
    assert_eq!(settings.keys["Solve"], ["Ctrl+J"]);
    assert!(!settings.layout.is_open(Pane::Inspect) && settings.layout.is_open(Pane::Variants));
    // A panel that there was not yet is opened when it is asked for.
    let mut layout = settings.layout;
    assert!(!layout.is_open(Pane::Map));
    layout.show(Pane::Map);
    assert!(layout.is_front(Pane::Map) && layout.is_open(Pane::Library));
}
