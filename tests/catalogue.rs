//! The catalogue without a window: what the librarian finds, does and remembers.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tilewright::{
    catalogue::{Event, Kind, Librarian, Operation, Places, Query, RatingRequest, Request, State},
    disk::LevelId,
    formats::pack::{self, Pack},
    memory::{
        backups,
        variants::{Variant, Variants},
    },
};

fn level(title: &str, row: &str) -> String {
    format!("(tilewright: 1, game: \"null\", title: \"{title}\", level: (board: [\"{row}\"]))")
}

struct Shop {
    home: tempfile::TempDir,
    librarian: Librarian,
}

impl Shop {
    /// A home with files of one's own.
    fn new(files: &[(&str, String)]) -> Shop {
        let home = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(home.path().join("levels")).expect("a folder");
        for (name, text) in files {
            let path = home.path().join("levels").join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        Shop::at(home)
    }

    fn at(home: tempfile::TempDir) -> Shop {
        let below = |name: &str| Some(home.path().join(name));
        let places = Places {
            own: below("levels"),
            bin: below("bin"),
            memory: Some(home.path().into()),
            cache: below("cache"),
            tables: false,
        };
        let librarian = Librarian::start(places, Vec::new(), Query::default(), Arc::new(|| ()));
        let mut shop = Shop { home, librarian };
        shop.wait();
        shop
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join("levels").join(name)
    }

    fn key(&self, name: &str) -> LevelId {
        LevelId::File(self.path(name))
    }

    fn wait(&mut self) -> Vec<Event> {
        for _ in 0..20_000 {
            if !self.librarian.busy() {
                return self.librarian.news();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("the librarian never came to rest");
    }

    /// Does something; the words about it, or what went wrong.
    fn ask(&mut self, ask: Request) -> Result<String, String> {
        self.librarian.ask(ask);
        let mut news = self.wait();
        match news.pop() {
            Some(Event::Done { words, .. }) => Ok(words),
            Some(Event::FileError(text)) => Err(text),
            _ => Ok(String::new()),
        }
    }

    /// One's own shelves: title, and the titles on it.
    fn shelves(&self) -> Vec<(String, Vec<String>)> {
        let listing = self.librarian.listing();
        let own = listing.sections.iter().filter(|s| matches!(s.kind, Kind::Own(_) | Kind::Bin));
        own.map(|s| (s.title.clone(), s.entries.iter().map(|e| e.title.clone()).collect())).collect()
    }

    fn pack(&self, name: &str) -> Pack {
        pack::read(&fs::read_to_string(self.path(name)).expect("a pack")).expect("a pack")
    }
}

fn pack_text(title: &str, levels: &[&str]) -> String {
    pack::write(&Pack { title: title.into(), levels: levels.iter().map(|l| (*l).to_string()).collect() })
}

fn small() -> Vec<(&'static str, String)> {
    vec![
        ("loose.ron", level("Loose", "*..")),
        ("p/pack.ron", pack_text("Lamps", &["b.ron", "gone.ron", "a.ron"])),
        ("p/a.ron", level("A", "**.")),
        ("p/b.ron", level("B", "***")),
        ("p/c.ron", level("", "*.*")),
        ("notes.txt", "not a level at all".into()),
        ("damaged.ron", "(tilewright: 1, ga".into()),
    ]
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|w| (*w).to_string()).collect()
}

#[test]
fn a_pack_gives_title_and_order_and_hides_nothing() {
    let shop = Shop::new(&small());
    let shelves = shop.shelves();
    assert_eq!(shelves[0], ("My levels".into(), words(&["damaged", "Loose"])));
    assert_eq!(shelves[1], ("Lamps".into(), words(&["B", "gone", "A", "c"])));
    let listing = shop.librarian.listing();
    let gone = listing.sections.iter().flat_map(|s| &s.entries).find(|e| e.title == "gone").expect("it is listed");
    assert!(matches!(&gone.state, State::Bad(text) if text.contains("no such file")), "{:?}", gone.state);
}

#[test]
fn the_bin_knows_where_a_level_was_and_a_wild_note_leads_nowhere_else() {
    let mut shop = Shop::new(&small());
    let b = shop.key("p/b.ron");
    shop.ask(Request::Operation(Operation::Bin(vec![b]))).expect("into the bin");
    assert_eq!(shop.pack("p/pack.ron").levels, ["gone.ron", "a.ron"]);
    let item = fs::read_dir(shop.home.path().join("bin")).expect("a bin").flatten().next().expect("one").path();
    let binned = LevelId::File(item.join("b.ron"));
    shop.ask(Request::Operation(Operation::Restore(vec![binned.clone()]))).expect("back");
    assert_eq!(shop.pack("p/pack.ron").levels, ["b.ron", "gone.ron", "a.ron"], "where it was");
    assert!(!item.exists());

    // The same again, with a note that was tampered with.
    let b = shop.key("p/b.ron");
    shop.ask(Request::Operation(Operation::Bin(vec![b]))).expect("into the bin");
    let item = fs::read_dir(shop.home.path().join("bin")).expect("a bin").flatten().next().expect("one").path();
    let out = shop.home.path().join("elsewhere/b.ron");
    fs::write(item.join(".binned.ron"), format!("(from: {out:?}, packs: [({out:?}, 9)])")).expect("a note");
    shop.ask(Request::Operation(Operation::Restore(vec![LevelId::File(item.join("b.ron"))]))).expect("back");
    assert!(!out.exists() && shop.path("b.ron").is_file(), "it comes to the top of one's own folder");
}

#[test]
fn deeds_stay_within_ones_own_folder_and_replace_nothing() {
    let mut shop = Shop::new(&small());
    let outside = shop.home.path().join("outside.ron");
    fs::write(&outside, level("Outside", "*")).expect("a file");
    let outside = LevelId::File(outside);
    for operation in [
        Operation::Bin(vec![outside.clone()]),
        Operation::Rename(outside.clone(), "x".into()),
        Operation::Move(vec![outside.clone()], shop.path("p")),
        Operation::Bin(vec![LevelId::Shipped("cats", 0)]),
        Operation::Move(vec![shop.key("loose.ron")], shop.path("../elsewhere")),
        Operation::Rename(shop.key("loose.ron"), "   ".into()),
    ] {
        assert!(shop.ask(Request::Operation(operation.clone())).is_err(), "{operation:?}");
    }
    // A operation that fails half way leaves nothing half done.
    let both = vec![shop.key("p/a.ron"), outside];
    assert!(shop.ask(Request::Operation(Operation::Bin(both))).is_err());
    assert!(shop.path("p/a.ron").is_file());
    assert_eq!(shop.pack("p/pack.ron").levels, ["b.ron", "gone.ron", "a.ron"]);
    // A name that is taken is not taken twice.
    let loose = shop.key("loose.ron");
    shop.ask(Request::Operation(Operation::Rename(loose, "Damaged".into()))).expect("renamed");
    assert!(shop.path("damaged.ron").is_file() && shop.path("damaged-2.ron").is_file());
    assert!(fs::read_to_string(shop.path("damaged.ron")).expect("a file").ends_with("ga"));
}

#[test]
fn levels_move_between_packs() {
    let mut shop = Shop::new(&small());
    let (loose, c) = (shop.key("loose.ron"), shop.key("p/c.ron"));
    let before = Some(shop.key("p/a.ron"));
    shop.ask(Request::Operation(Operation::Place(vec![loose, c], shop.path("p"), before))).expect("placed");
    assert_eq!(shop.pack("p/pack.ron").levels, ["b.ron", "gone.ron", "loose.ron", "c.ron", "a.ron"]);
    assert!(!shop.path("loose.ron").exists() && shop.path("p/loose.ron").is_file());
    shop.ask(Request::Undo).expect("taken back");
    assert_eq!(shop.pack("p/pack.ron").levels, ["b.ron", "gone.ron", "a.ron"]);
    assert!(shop.path("loose.ron").is_file());
}

#[test]
fn titles_that_differ_only_in_case_get_files_that_no_system_takes_for_one() {
    let files =
        [("Upper.ron", level("Upper", "*.")), ("upper two.RON", level("CON", ".*")), ("a.ron", level("nul", "**"))];
    let mut shop = Shop::new(&files);
    let keys: Vec<_> = files.iter().map(|(name, _)| shop.key(name)).collect();
    // In another case only, the name stays: where case is ignored, it is this very file's.
    shop.ask(Request::Operation(Operation::Rename(keys[0].clone(), "UPPER".into()))).expect("renamed");
    assert!(shop.path("Upper.ron").is_file());
    shop.ask(Request::Operation(Operation::Duplicate(keys))).expect("duplicated");
    let names = tilewright::disk::file_names(&shop.path("")).expect("a folder");
    let mut lower: Vec<_> = names.iter().map(|n| n.to_lowercase()).collect();
    lower.sort();
    assert_eq!(lower, ["a.ron", "con-copy.ron", "nul-copy.ron", "upper two.ron", "upper-copy.ron", "upper.ron"]);
    let add = Operation::Add(vec![("same.ron".into(), level("a", "*")), ("same.ron".into(), level("A", "."))]);
    shop.ask(Request::Operation(add)).expect("added");
    let read = |name: &str| fs::read_to_string(shop.path(name)).expect("a file");
    assert!(read("same.ron").contains("\"a\"") && read("same-2.ron").contains("\"A\""), "neither is overwritten");
    shop.ask(Request::Operation(Operation::Rename(shop.key("same.ron"), "Aux".into()))).expect("renamed");
    assert!(shop.path("aux-level.ron").is_file(), "not the name of a device");
    shop.ask(Request::Operation(Operation::Rename(shop.key("upper two.RON"), "Third".into()))).expect("renamed");
    assert!(fs::read_to_string(shop.path("third.RON")).expect("a file").contains("Third"), "an ending in capitals");
}

/// A link stands for a file system that ignores case: two spellings, one file.
#[cfg(unix)]
#[test]
fn a_file_that_a_pack_spells_in_another_case_is_listed_once() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a.ron"), level("a", "*.")).expect("a file");
    std::os::unix::fs::symlink("a.ron", dir.path().join("A.ron")).expect("a link");
    let pack = Pack { title: "p".into(), levels: vec!["A.ron".into()] };
    fs::write(dir.path().join(pack::FILE_NAME), pack::write(&pack)).expect("a file");
    let found = tilewright::disk::walk(dir.path()).remove(0);
    assert_eq!((found.listed, found.files), (vec![dir.path().join("A.ron")], Vec::new()));
    // Two files where case matters stay two.
    fs::remove_file(dir.path().join("A.ron")).expect("removed");
    fs::write(dir.path().join("A.ron"), level("A", ".*")).expect("a file");
    let found = tilewright::disk::walk(dir.path()).remove(0);
    assert_eq!((found.listed.len(), found.files), (1, vec![dir.path().join("a.ron")]));
}

#[test]
fn what_was_read_and_rated_is_remembered_and_a_damaged_cache_is_made_anew() {
    let mut shop = Shop::new(&small());
    shop.ask(Request::Rate(RatingRequest { first: Some(shop.key("p/a.ron")), ..RatingRequest::default() }))
        .expect("rated");
    let rated = shop.librarian.listing().ratings.clone();
    assert!(rated.values().any(|r| r.difficulty.is_some()), "{rated:?}");
    let before = shop.shelves();
    let Shop { home, librarian } = shop;
    drop(librarian);
    let cache = home.path().join("cache");
    wait_for(&cache.join("ratings.jsonl"));
    let shop = Shop::at(home);
    assert_eq!(shop.shelves(), before);
    assert_eq!(shop.librarian.listing().ratings, rated);
    let Shop { home, librarian } = shop;
    drop(librarian);
    for file in ["library.jsonl", "ratings.jsonl"] {
        fs::write(cache.join(file), [0xff, 0, 10, b'{']).expect("a file");
    }
    let shop = Shop::at(home);
    assert_eq!(shop.shelves(), before);
}

#[test]
fn backups_and_variants_go_where_their_level_goes_and_a_later_file_inherits_nothing() {
    let mut shop = Shop::new(&small());
    let (kept, variants) = (shop.home.path().join("backups"), shop.home.path().join("variants"));
    let remembered = |path: &Path| {
        let of = LevelId::file(path).filed_under().expect("a name");
        (backups::versions(&kept, path).len(), Variants::read(&variants, &of).0.len())
    };
    let (old, new) = (shop.path("loose.ron"), shop.path("other.ron"));
    backups::replace(Some(&kept), &old, level("Loose", "**.").as_bytes()).expect("saved");
    let variant = Variant { name: "v".into(), text: level("", "*"), measured: None };
    Variants::write(&variants, &old.display().to_string(), &[variant]).expect("written");
    assert_eq!(remembered(&old), (1, 1));

    shop.ask(Request::Operation(Operation::Rename(LevelId::File(old.clone()), "Other".into()))).expect("renamed");
    assert_eq!((remembered(&old), remembered(&new)), ((0, 0), (1, 1)));
    fs::write(&old, level("Later", "*..")).expect("a file");
    assert_eq!(remembered(&old), (0, 0), "a later file has no past");
    fs::remove_file(&old).expect("it was there");
    shop.ask(Request::Undo).expect("taken back");
    assert_eq!((remembered(&old), remembered(&new)), ((1, 1), (0, 0)));

    let moved = shop.path("p/loose.ron");
    shop.ask(Request::Operation(Operation::Move(vec![LevelId::File(old.clone())], shop.path("p")))).expect("moved");
    assert_eq!(remembered(&moved), (1, 1));
    shop.ask(Request::Operation(Operation::Bin(vec![LevelId::File(moved.clone())]))).expect("binned");
    assert_eq!(remembered(&moved), (0, 0));
    shop.ask(Request::Undo).expect("taken back");
    assert_eq!(remembered(&moved), (1, 1));
}

#[test]
fn a_collection_is_parsed_once_for_all_of_its_levels_that_are_opened_or_rated() {
    let corridor = |n: usize| format!("{0}\n#@${1}.#\n{0}\n\n", "#".repeat(n + 5), " ".repeat(n));
    let text: String = (1..=30).map(corridor).collect();
    let mut shop = Shop::new(&[("many.xsb", text.clone())]);
    let path = shop.path("many.xsb");
    let member = |i| LevelId::Member(path.clone(), i);
    assert!(matches!(open(&mut shop, member(0)), Event::Opened(..)));
    // The file is changed under the same stamp: parsing it again would find no levels.
    let file = fs::File::options().write(true).open(&path).expect("a file");
    let written = file.metadata().and_then(|m| m.modified()).expect("a time");
    fs::write(&path, " ".repeat(text.len())).expect("written");
    file.set_modified(written).expect("a time");
    for i in 1..30 {
        match open(&mut shop, member(i)) {
            Event::Opened(id, _) => assert_eq!(id, member(i)),
            Event::FileError(text) => panic!("level {i}: {text}"),
            Event::Done { words, .. } => panic!("level {i}: {words}"),
        }
    }
    let shelf = Kind::Own(shop.home.path().join("levels"));
    shop.ask(Request::Rate(RatingRequest { shelves: vec![shelf], ..RatingRequest::default() })).expect("rated");
    let listing = shop.librarian.listing();
    let own = listing.sections.iter().filter(|s| matches!(s.kind, Kind::Own(_))).flat_map(|s| &s.entries);
    let rated = own.filter_map(|e| listing.ratings.get(&e.facts()?.exact)).filter(|r| r.par.is_some());
    assert_eq!(rated.count(), 30, "every level was read to be rated");
}

/// Opens a level; what is said about it.
fn open(shop: &mut Shop, key: LevelId) -> Event {
    shop.librarian.ask(Request::Open(key));
    shop.wait().pop().expect("an answer")
}

#[test]
fn the_librarian_ends_after_everything_that_was_asked_for() {
    let files: Vec<_> = (0..40).map(|i| (format!("l{i}.ron"), level(&format!("L{i}"), "*."))).collect();
    let files: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.clone())).collect();
    let mut shop = Shop::new(&files);
    for (name, _) in &files {
        let key = shop.key(name);
        shop.librarian.ask(Request::Operation(Operation::Bin(vec![key])));
    }
    shop.librarian.finish(Duration::from_secs(60));
    assert_eq!(fs::read_dir(shop.home.path().join("levels")).expect("a folder").count(), 0);
}

#[test]
fn levels_saved_together_replace_nothing_and_only_our_folders_leave_the_bin() {
    let mut shop = Shop::new(&small());
    let add = |text: &str| Request::Operation(Operation::Add(vec![("loose.ron".into(), text.into())]));
    shop.ask(add(&level("New", "**"))).expect("saved");
    shop.ask(add(&level("Loose", "*.."))).expect("saved");
    assert_eq!(fs::read_to_string(shop.path("loose.ron")).expect("a file"), level("Loose", "*.."));
    assert_eq!(fs::read_to_string(shop.path("loose-2.ron")).expect("a file"), level("New", "**"));
    assert!(!shop.path("loose-3.ron").exists(), "the same level is not saved twice");

    let foreign = shop.home.path().join("bin/holiday/photo.txt");
    fs::create_dir_all(foreign.parent().expect("a folder")).expect("a folder");
    fs::write(&foreign, "x").expect("a file");
    let loose = shop.key("loose.ron");
    shop.ask(Request::Operation(Operation::Bin(vec![loose]))).expect("binned");
    shop.ask(Request::Operation(Operation::EmptyBin)).expect("emptied");
    assert_eq!(fs::read_dir(shop.home.path().join("bin")).expect("a bin").count(), 1);
    assert!(foreign.is_file());
}

fn wait_for(path: &Path) {
    for _ in 0..5000 {
        if path.is_file() {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("{} was never written", path.display());
}
