//! The library, used as a person uses it.

use crate::stage::Stage;
use egui::{Key, Modifiers};
use std::path::{Path, PathBuf};
use tilewright::{
    catalogue::Kind,
    formats::{self, pack},
    game::Meta,
    games,
    grid::Sym,
    memory::{Best, Records},
};

const CTRL: Modifiers = Modifiers::COMMAND;

/// Shipped levels of the first game, under other titles, as files of one's own.
fn home_with(titles: &[&str]) -> tempfile::TempDir {
    let home = tempfile::tempdir().expect("a temporary folder");
    let folder = home.path().join("levels");
    std::fs::create_dir_all(&folder).expect("a folder");
    for (i, title) in titles.iter().enumerate() {
        let text = games::offered()[0].info().levels[i];
        let mut doc = formats::read(text.as_bytes()).expect("a shipped level").remove(0);
        doc.set_meta(Meta { title: (*title).into(), tags: vec!["a".into()], ..Meta::default() });
        std::fs::write(folder.join(format!("{title}.ron")), doc.native()).expect("a file");
    }
    home
}

/// A click opens a level, which has the keys then; Alt+1 gives them to the Library.
fn choose(stage: &mut Stage, title: &str) {
    stage.click(title);
    stage.settle();
    assert!(!stage.workshop().library.has_focus());
    stage.chord(Modifiers::ALT, Key::Num1);
    stage.settle();
    assert!(stage.workshop().library.has_focus());
}

fn open(home: tempfile::TempDir) -> Stage {
    let mut stage = Stage::at_home(home, 1280.0, 800.0);
    // The shipped packs folded, so that one's own levels are in sight.
    for game in games::offered().iter().filter(|g| !g.info().levels.is_empty()) {
        stage.settle();
        stage.click_like(&format!("{} (", game.info().name));
    }
    stage.settle();
    stage
}

/// Titles of one's own levels as they are listed, pack by pack.
fn own(stage: &mut Stage) -> Vec<String> {
    let listing = stage.workshop().library.listing();
    let sections = listing.sections.iter().filter(|s| matches!(s.kind, Kind::Own(_) | Kind::Bin));
    sections.flat_map(|s| s.entries.iter().map(|e| e.title.clone())).collect()
}

fn listed(stage: &mut Stage) -> usize {
    stage.workshop().library.listing().sections.iter().map(|s| s.entries.len()).sum()
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .map(|d| d.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    names.sort();
    names
}

fn levels(stage: &Stage) -> PathBuf {
    stage.home.path().join("levels")
}

#[test]
fn levels_are_searched_filtered_and_opened_by_keyboard() {
    let mut stage = open(home_with(&["Zebra", "Yak", "Xerus"]));
    let all = listed(&mut stage);
    assert!(all > 60 && own(&mut stage) == ["Xerus", "Yak", "Zebra"], "{:?}", own(&mut stage));
    stage.chord(CTRL, Key::F);
    stage.type_text("yak");
    stage.settle();
    assert_eq!(listed(&mut stage), 1);
    assert!(stage.sees("1 found"));
    // Enter goes on to what was found, and once more opens it.
    stage.key(Key::Enter);
    assert!(stage.workshop().library.has_focus());
    stage.key(Key::Enter);
    stage.settle();
    assert_eq!(stage.doc().meta().title, "Yak");
    stage.click("Show everything");
    stage.settle();
    assert_eq!(listed(&mut stage), all);
    // By tag, and by what was solved.
    stage.click("Filter the library");
    stage.click("a (3)");
    stage.settle();
    assert_eq!(listed(&mut stage), 3);
    let won = stage.doc().identity().exact;
    let game = games::offered()[0].info().id;
    let best = Best { solved: true, stars: 2, ..Best::default() };
    stage.workshop().services.keeper.add(&Records::of_level(game, won, best));
    stage.click("solved");
    stage.settle();
    assert_eq!(own(&mut stage), ["Yak"]);
    stage.click("not solved");
    stage.settle();
    assert_eq!(own(&mut stage), ["Xerus", "Zebra"]);
    stage.key(Key::Escape);
    // Arrows move the cursor; the order goes by name downwards too.
    stage.click("Show everything");
    stage.settle();
    choose(&mut stage, "Zebra");
    assert_eq!(stage.doc().meta().title, "Zebra");
    stage.key(Key::ArrowLeft);
    stage.key(Key::Enter);
    stage.settle();
    assert_eq!(stage.doc().meta().title, "Yak");
}

#[test]
fn levels_are_renamed_duplicated_binned_and_all_of_it_is_taken_back() {
    let mut stage = open(home_with(&["Zebra", "Yak"]));
    choose(&mut stage, "Yak");
    stage.key(Key::F2);
    stage.chord(CTRL, Key::A);
    stage.type_text("Wild Ass");
    stage.key(Key::Enter);
    stage.settle();
    assert_eq!(files(&levels(&stage)), ["Zebra.ron", "wild-ass.ron"]);
    assert_eq!(stage.doc().meta().title, "Wild Ass", "the open level goes along");
    let path = levels(&stage).join("wild-ass.ron");
    let active = stage.workshop().session.active;
    assert_eq!(stage.workshop().session.open[active].path(), Some(path.as_path()));
    assert!(!stage.doc().dirty());

    stage.chord(CTRL, Key::D);
    stage.settle();
    assert_eq!(own(&mut stage), ["Wild Ass", "Wild Ass copy", "Zebra"]);
    // Both copies are the same level, and that is said.
    assert!(stage.workshop().library.listing().twins.len() == 2, "and both are shipped, too");

    stage.key(Key::Delete);
    stage.settle();
    assert_eq!(own(&mut stage), ["Wild Ass", "Zebra"]);
    assert_eq!(stage.workshop().library.listing().binned, 1);
    assert!(stage.sees("moved to the bin"));
    stage.click("Undo");
    stage.settle();
    assert_eq!(own(&mut stage), ["Wild Ass", "Wild Ass copy", "Zebra"]);
    assert_eq!(stage.workshop().library.listing().binned, 0);

    // Two at once, by Ctrl+click and the menu; back by key.
    stage.click("Zebra");
    stage.settle();
    let other = stage.place("Wild Ass");
    stage.click_with(other, CTRL);
    assert!(stage.sees("2 levels selected"));
    stage.click("To the bin");
    stage.settle();
    assert_eq!(own(&mut stage), ["Wild Ass copy"]);
    stage.chord(CTRL, Key::Z);
    stage.settle();
    assert_eq!(own(&mut stage).len(), 3);
    stage.chord(CTRL, Key::Z);
    stage.settle();
    assert_eq!(own(&mut stage), ["Wild Ass", "Zebra"], "the duplicate is gone again");
    stage.chord(CTRL, Key::Z);
    stage.settle();
    assert_eq!(own(&mut stage), ["Yak", "Zebra"]);
    assert_eq!(files(&levels(&stage)), ["Yak.ron", "Zebra.ron"]);
}

#[test]
fn the_bin_gives_back_and_is_emptied_only_after_asking() {
    let mut stage = open(home_with(&["Zebra", "Yak"]));
    for name in ["Yak", "Zebra"] {
        choose(&mut stage, name);
        stage.key(Key::Delete);
        stage.settle();
    }
    assert!(own(&mut stage).is_empty());
    stage.click("Order and more");
    stage.click("Bin (2)");
    stage.settle();
    assert_eq!(own(&mut stage).len(), 2);
    let at = stage.place("Yak");
    stage.click_with(at, CTRL);
    stage.click("Restore");
    stage.settle();
    assert_eq!(own(&mut stage), ["Zebra"]);
    assert_eq!(files(&levels(&stage)), ["Yak.ron"]);
    stage.click("Empty the bin");
    stage.click("Keep");
    assert_eq!(files(&stage.home.path().join("bin")).len(), 1);
    stage.click("Empty the bin");
    stage.click("Delete");
    stage.settle();
    assert!(files(&stage.home.path().join("bin")).is_empty());
    stage.click("Show everything");
    stage.settle();
    assert_eq!(own(&mut stage), ["Yak"]);
}

#[test]
fn the_order_of_a_pack_is_changed_by_keys_and_by_dragging_and_is_kept() {
    let mut stage = open(home_with(&["A", "B", "C"]));
    choose(&mut stage, "A");
    stage.chord(Modifiers::ALT, Key::ArrowDown);
    stage.settle();
    assert_eq!(own(&mut stage), ["B", "A", "C"]);
    let text = std::fs::read_to_string(levels(&stage).join(pack::FILE_NAME)).expect("the order is written");
    assert_eq!(pack::read(&text).expect("a pack").levels, ["B.ron", "A.ron", "C.ron"]);
    // C in front of all, by dragging it to the left half of the first.
    let (from, to) = (stage.place("C"), stage.place("B"));
    stage.drag(&[from, from - egui::vec2(20.0, 0.0), to, to - egui::vec2(24.0, 0.0)]);
    stage.settle();
    assert_eq!(own(&mut stage), ["C", "B", "A"]);
    let Stage { harness, home } = stage;
    drop(harness);
    let mut stage = open(home);
    assert_eq!(own(&mut stage), ["C", "B", "A"], "after a restart, too");
    // The middle one of three, dragged along the curve to the end, and back by the same way.
    stage.click("Difficulty of My levels as a curve");
    stage.frames(2);
    let middle = stage.all_like("difficulty of My levels, ")[0];
    stage.drag(&[middle, middle + egui::vec2(30.0, 0.0), middle + egui::vec2(90.0, 0.0)]);
    stage.settle();
    assert_eq!(own(&mut stage), ["C", "A", "B"]);
    stage.chord(CTRL, Key::Z);
    stage.settle();
    assert_eq!(own(&mut stage), ["C", "B", "A"]);
    stage.click("Difficulty of My levels as a curve");
    stage.click("C");
    stage.settle();
    // A new pack takes the level along, and Next goes through one's own pack.
    stage.click("Library");
    stage.click_like("New pack of the selected");
    stage.type_text("Hard ones");
    stage.click_in_dialog("Create");
    stage.settle();
    assert!(levels(&stage).join("hard-ones/C.ron").is_file());
    assert!(stage.sees("Hard ones (1)"));
    stage.click("B");
    stage.settle();
    stage.key(Key::N);
    stage.settle();
    assert_eq!(stage.doc().meta().title, "B", "not before it is complete");
    stage.take_over_solution();
    stage.key(Key::N);
    stage.settle();
    assert_eq!(stage.doc().meta().title, "A");
}

#[test]
fn the_words_about_a_level_are_changed_in_place() {
    let mut stage = open(home_with(&["Zebra", "Yak"]));
    stage.click("Yak");
    stage.settle();
    stage.click("tags of the level");
    stage.key(Key::End);
    stage.type_text(", easy");
    stage.click("notes of the level");
    stage.type_text("a first try");
    stage.click("author of the level");
    stage.settle();
    let text = std::fs::read(levels(&stage).join("Yak.ron")).expect("the file");
    let doc = formats::read(&text).expect("a level").remove(0);
    assert_eq!((doc.meta().tags.join("|"), doc.meta().notes.as_str()), ("a|easy".into(), "a first try"));
    assert_eq!(stage.doc().meta(), doc.meta(), "the open level holds the same");
    assert!(!stage.doc().dirty());
    assert!(stage.sees("difficulty "), "and its difficulty is known by now");
}

#[test]
fn a_level_that_is_another_one_turned_is_pointed_out() {
    let home = home_with(&["Zebra"]);
    let text = games::offered()[0].info().levels[3];
    let doc = formats::read(text.as_bytes()).expect("a level").remove(0);
    let turned = doc.turned(Sym::TURN).expect("it can be turned");
    std::fs::write(home.path().join("levels/turned.ron"), turned.native()).expect("a file");
    std::fs::write(home.path().join("levels/damaged.ron"), "(tilewright: 1, game: \"cats\", title:").expect("a file");
    let mut stage = open(home);
    let title = doc.meta().title.clone();
    let at = stage.place(&title);
    stage.click_with(at, CTRL);
    stage.settle();
    assert!(stage.sees(&format!("= {title} turned")));
    stage.click("Filter the library");
    stage.click("duplicates only");
    stage.settle();
    // Zebra is a shipped level under another name, so four of them are duplicates.
    assert_eq!(listed(&mut stage), 4);
    stage.key(Key::Escape);
    stage.click("Show everything");
    stage.settle();
    stage.click("damaged");
    stage.settle();
    assert!(stage.sees("Expected") || stage.sees("expected") || stage.sees("Unexpected"), "what is wrong with it");
}

#[test]
fn collections_are_remembered_and_one_that_is_gone_is_named() {
    let other = tempfile::tempdir().expect("a folder");
    let file = other.path().join("two.xsb");
    std::fs::write(&file, "; one\n#####\n#@$.#\n#####\n\n; two\n######\n#@ $.#\n######\n").expect("a file");
    let mut stage = open(tempfile::tempdir().expect("a home"));
    stage.workshop().open_path(&file);
    stage.settle();
    assert!(stage.sees("two.xsb (2)"));
    stage.harness.state_mut().save_settings();
    let Stage { harness, home } = stage;
    drop(harness);
    std::fs::remove_file(&file).expect("it was there");
    let mut stage = open(home);
    assert!(stage.sees("two.xsb (0)") && stage.sees("no longer there"));
    stage.click("Forget");
    stage.settle();
    assert!(!stage.sees("two.xsb"));
}

#[test]
fn some_thousand_levels_are_listed_at_once_and_only_those_in_sight_are_laid_out() {
    let home = home_with(&[]);
    let text = games::offered()[0].info().levels[0];
    for i in 0..1500 {
        let text = text.replacen("First step", &format!("Level {i}"), 1);
        std::fs::write(home.path().join(format!("levels/level-{i:05}.ron")), text).expect("a file");
    }
    let mut stage = Stage::at_home(home, 1280.0, 800.0);
    // They are listed by name long before all are read: the window does not wait for that.
    stage.wait_for("they are listed", |s| s.workshop().library.listing().all >= 1500);
    let reading = stage.workshop().library.listing().reading;
    assert!(reading.is_some_and(|(done, all)| done < all), "still reading: {reading:?}");
    let cards = stage.all_like("Level ").len() + stage.all_like("level-").len();
    assert!(cards < 60, "{cards} cards are laid out");
    stage.settle();
    assert_eq!(own(&mut stage).len(), 1500);
}

#[test]
fn the_menu_of_a_level_opens_by_key_and_copies_a_shipped_level() {
    let home = home_with(&["Zebra"]);
    let mut stage = Stage::at_home(home, 1600.0, 1000.0);
    stage.settle();
    let title =
        formats::read(games::offered()[0].info().levels[1].as_bytes()).expect("a level")[0].meta().title.clone();
    let at = stage.place(&title);
    stage.click_with(at, CTRL);
    stage.workshop().settings.library_details = false;
    stage.chord(Modifiers::SHIFT, Key::F10);
    stage.frames(3);
    assert!(stage.sees("Copy to My levels") && stage.sees("Move to the bin"));
    stage.settle();
    stage.picture("library-wide-menu");
    stage.click_like("Copy to My levels");
    stage.settle();
    assert_eq!(own(&mut stage), [title.as_str(), "Zebra"]);
    assert!(stage.sees("duplicated the level"));
}

#[test]
fn the_library_looks_right_with_badges_and_a_curve() {
    let home = home_with(&["Ant", "Bee", "Cricket", "Dragonfly", "Earwig"]);
    let mut stage = open(home);
    let game = games::offered()[0].info().id;
    for (i, stars) in [(0, 3), (1, 1), (3, 0)] {
        let text = games::offered()[0].info().levels[i];
        let doc = formats::read(text.as_bytes()).expect("a level").remove(0);
        let counts = [("steps".to_string(), 9)].into();
        let best = Best { solved: true, stars, counts, ..Best::default() };
        stage.workshop().services.keeper.add(&Records::of_level(game, doc.identity().exact, best));
    }
    stage.click("Bee");
    stage.click("Difficulty of My levels as a curve");
    stage.settle();
    stage.workshop().message = None;
    stage.picture("library");
    stage.key(Key::F9);
    stage.settle();
    let Stage { harness, home } = stage;
    drop(harness);
    let mut narrow = Stage::at_home(home, 1095.0, 1000.0);
    narrow.key(Key::F9);
    narrow.settle();
    // One after the other comes into sight as those above it are folded.
    narrow.click_like("My levels (");
    for game in games::offered().iter().filter(|g| !g.info().levels.is_empty()) {
        narrow.click_like(&format!("{} (", game.info().name));
    }
    narrow.click_like("My levels (");
    narrow.click("Order and more");
    narrow.click("hardest first");
    narrow.settle();
    narrow.click("Dragonfly");
    narrow.settle();
    narrow.workshop().message = None;
    narrow.picture("library-narrow-light");
}

#[test]
fn a_file_is_one_level_however_it_is_opened() {
    let home = home_with(&["Zebra", "Yak"]);
    std::fs::write(home.path().join("levels/one.xsb"), "######\n#@$ .#\n######\n").expect("a file");
    let mut stage = open(home);
    let open_levels = |stage: &mut Stage| stage.workshop().session.open.len();
    stage.click("Yak");
    stage.settle();
    let count = open_levels(&mut stage);
    stage.key(Key::F6);
    stage.settle();
    let line = stage.doc().line_len();
    assert!(line > 0);
    stage.click("Zebra");
    stage.settle();
    // The card, its file by Ctrl+O, and by a way around: all bring the one to the front that was solved.
    let file = levels(&stage).join("Yak.ron");
    let around = levels(&stage).join("../levels/Yak.ron");
    for way in [None, Some(file), Some(around)] {
        match &way {
            None => stage.click("Yak"),
            Some(path) => {
                stage.chord(CTRL, Key::O);
                stage.type_text(&path.display().to_string());
                stage.click_in_dialog("Open");
            }
        }
        stage.settle();
        assert_eq!(stage.doc().meta().title, "Yak", "{way:?}");
        assert_eq!(stage.doc().line_len(), line, "{way:?}");
        assert_eq!(open_levels(&mut stage), count + 1, "{way:?}");
        stage.click("Zebra");
        stage.settle();
    }
    // Another program's file with one level is one level, too.
    let foreign = levels(&stage).join("one.xsb");
    stage.workshop().open_path(&foreign);
    stage.settle();
    let count = open_levels(&mut stage);
    stage.click("Level 1");
    stage.settle();
    assert_eq!(open_levels(&mut stage), count);
    // And so is a shipped one.
    stage.workshop().open_shipped("cats", 4);
    let count = open_levels(&mut stage);
    stage.workshop().open_shipped("cats", 5);
    stage.workshop().open_shipped("cats", 4);
    assert_eq!(open_levels(&mut stage), count + 1);
}

#[test]
fn a_level_of_a_pack_is_saved_to_its_file() {
    let other = tempfile::tempdir().expect("a folder");
    let texts = &games::offered()[0].info().levels[..2];
    for (i, text) in texts.iter().enumerate() {
        std::fs::write(other.path().join(format!("{i}.ron")), text).expect("a file");
    }
    let list = pack::Pack { title: "Two".into(), levels: vec!["1.ron".into(), "0.ron".into()] };
    let file = other.path().join(pack::FILE_NAME);
    std::fs::write(&file, pack::write(&list)).expect("a file");
    let mut stage = open(tempfile::tempdir().expect("a home"));
    stage.workshop().open_path(&file);
    stage.settle();
    let meta = Meta { author: "me".into(), ..stage.doc().meta().clone() };
    stage.doc().set_meta(meta);
    stage.chord(CTRL, Key::S);
    stage.settle();
    assert!(stage.workshop().dialog.is_none() && !stage.doc().dirty());
    let saved = std::fs::read(other.path().join("1.ron")).expect("the file");
    assert_eq!(formats::read(&saved).expect("a level")[0].meta().author, "me");
}

#[test]
fn words_changed_in_the_library_leave_unsaved_ones_of_the_open_level_alone() {
    let mut stage = open(home_with(&["Zebra", "Yak"]));
    stage.click("Yak");
    stage.settle();
    let meta = Meta { author: "unsaved".into(), ..stage.doc().meta().clone() };
    stage.doc().set_meta(meta);
    stage.click("tags of the level");
    stage.key(Key::End);
    stage.type_text(", easy");
    stage.click("notes of the level");
    stage.settle();
    let meta = stage.doc().meta().clone();
    assert_eq!((meta.author.as_str(), meta.tags.join("|")), ("unsaved", "a|easy".into()));
    assert!(stage.doc().dirty());
}

#[test]
fn quitting_applies_what_is_still_in_a_field_and_waits_for_the_disk() {
    let mut stage = open(home_with(&["Zebra", "Yak"]));
    choose(&mut stage, "Zebra");
    stage.key(Key::Delete);
    stage.settle();
    stage.click("Yak");
    stage.settle();
    stage.click("notes of the level");
    stage.type_text("a last word");
    stage.chord(CTRL, Key::Q);
    assert_eq!(files(&levels(&stage)), ["Yak.ron"]);
    let text = std::fs::read(levels(&stage).join("Yak.ron")).expect("the file");
    assert_eq!(formats::read(&text).expect("a level")[0].meta().notes, "a last word");
}

/// A level that was opened by a click is played with the keys at once: they are not the Library's.
#[test]
fn a_level_opened_by_a_click_has_the_keys() {
    let mut stage = open(home_with(&["Zebra", "Yak"]));
    choose(&mut stage, "Zebra");
    stage.click("Yak");
    stage.settle();
    for key in [Key::ArrowRight, Key::ArrowDown, Key::Delete, Key::Enter] {
        stage.key(key);
        stage.settle();
    }
    assert_eq!(stage.doc().meta().title, "Yak");
    assert_eq!(files(&levels(&stage)), ["Yak.ron", "Zebra.ron"]);
}

#[test]
fn shipped_levels_say_at_once_that_they_cannot_be_renamed_or_binned() {
    let mut stage = Stage::new();
    stage.settle();
    let listing = stage.workshop().library.listing();
    let pack = listing.sections.iter().find(|s| matches!(s.kind, Kind::Shipped(_))).expect("a shipped pack");
    let (key, title) = (pack.entries[1].key.clone(), pack.entries[1].title.clone());
    choose(&mut stage, &title);
    stage.key(Key::F2);
    stage.frames(3);
    assert!(stage.sees("shipped levels cannot be renamed"));
    assert!(!stage.sees("new name") && stage.workshop().library.has_focus(), "there is nothing to type into");
    stage.key(Key::Delete);
    stage.settle();
    assert!(stage.sees("shipped levels cannot be moved to the bin"));
    assert!(stage.workshop().library.is_chosen(&key), "the selection stays");
    // What can be done instead is offered with the words.
    stage.key(Key::F2);
    stage.frames(3);
    stage.click("Copy to My levels");
    stage.settle();
    assert_eq!(own(&mut stage), [title]);
}

/// After a click the board has the keys that play; F2 and Delete mean nothing to it and stay the Library's, until the level is played.
#[test]
fn f2_and_delete_are_the_librarys_after_a_click() {
    let mut stage = open(home_with(&["Zebra", "Yak"]));
    stage.click("Yak");
    stage.settle();
    assert!(!stage.workshop().library.has_focus());
    stage.key(Key::F2);
    assert!(stage.sees("new name"));
    stage.key(Key::Escape);
    // The card: it is among the open levels now, too.
    stage.click_in_dialog("Yak");
    stage.settle();
    assert!(!stage.workshop().library.has_focus());
    stage.key(Key::Delete);
    stage.settle();
    assert_eq!(files(&levels(&stage)), ["Zebra.ron"]);
    // A click elsewhere ends it.
    stage.click("Zebra");
    stage.settle();
    let board = stage.place("play board");
    stage.click_at(board);
    stage.key(Key::Delete);
    stage.settle();
    assert_eq!(files(&levels(&stage)), ["Zebra.ron"]);
}

/// What the details are about is what the keys act on: Ctrl takes a level out of the selection, and the cursor goes to what is left.
#[test]
fn the_details_are_those_of_the_level_that_keys_act_on() {
    let mut stage = open(home_with(&["Zebra", "Yak", "Xerus"]));
    stage.click("Zebra");
    stage.settle();
    let yak = stage.place("Yak");
    stage.click_with(yak, CTRL);
    stage.click_with(yak, CTRL);
    stage.settle();
    let zebra = levels(&stage).join("Zebra.ron");
    assert!(stage.workshop().library.is_chosen(&tilewright::disk::LevelId::File(zebra)));
    stage.key(Key::Delete);
    stage.settle();
    assert_eq!(files(&levels(&stage)), ["Xerus.ron", "Yak.ron"]);
    // A level that came to the front by itself has its details shown, and can be renamed without being selected first.
    stage.chord(CTRL, Key::O);
    stage.type_text(&levels(&stage).join("Xerus.ron").display().to_string());
    stage.click_in_dialog("Open");
    stage.settle();
    stage.chord(Modifiers::ALT, Key::Num1);
    stage.key(Key::F2);
    assert!(stage.sees("new name"));
}
