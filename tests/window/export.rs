//! Levels leave the window: as files through the dialog, as a share code and a picture on the clipboard; and a code comes back in.

use super::{CTRL, stage::Stage};
use egui::{Event, Key, Modifiers, OutputCommand};
use std::path::PathBuf;
use tilewright::{
    app::{keys::Action, panels::library::Task, theme::Theme},
    export, games,
};

const CTRL_SHIFT: Modifiers = Modifiers { shift: true, ..CTRL };

/// Opens the dialog, which finds its place in its first frames, and waits for its preview.
fn open(stage: &mut Stage) {
    stage.chord(CTRL_SHIFT, Key::E);
    stage.frames(4);
    stage.settle();
}

fn level(stage: &mut Stage) {
    stage.open(games::offered()[0].info().id, 2);
}

/// The one file with this ending in the folder for exports.
fn exported(stage: &Stage, ending: &str) -> PathBuf {
    let folder = std::fs::read_dir(stage.home.path().join("Documents")).expect("the folder for exports");
    let paths = folder.map(|f| f.expect("a file").path());
    paths.into_iter().find(|p| p.extension().is_some_and(|e| e == ending)).unwrap_or_else(|| panic!("no .{ending}"))
}

/// A key with Ctrl and Shift, in a single frame: what goes to the clipboard is only seen in the frame in which it goes there.
fn press(stage: &mut Stage, key: Key) {
    let event = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: CTRL_SHIFT };
    stage.harness.event(event);
}

/// The texts and the number of pictures that went to the clipboard in so many frames.
fn copied(stage: &mut Stage, frames: usize) -> (Vec<String>, usize) {
    let (mut texts, mut pictures) = (Vec::new(), 0);
    for _ in 0..frames {
        stage.frames(1);
        for command in &stage.harness.output().platform_output.commands {
            match command {
                OutputCommand::CopyText(text) => texts.push(text.clone()),
                OutputCommand::CopyImage(_) => pictures += 1,
                _ => {}
            }
        }
    }
    (texts, pictures)
}

#[test]
fn a_level_is_exported_from_the_dialog_in_every_format() {
    let mut stage = Stage::new();
    level(&mut stage);
    for (i, exporter) in export::ALL.iter().enumerate() {
        open(&mut stage);
        assert!(stage.sees("Not included"));
        stage.click(exporter.name);
        stage.settle();
        let again = if exporter.reads { "Can be opened again." } else { "Cannot be opened again." };
        assert!(stage.sees(exporter.about) && stage.sees(exporter.drops[0]) && stage.sees(again), "{}", exporter.id);
        assert!(stage.sees("preview: ") || stage.sees("How the text begins"), "{}", exporter.id);
        stage.click_in_dialog("Export");
        stage.settle();
        assert!(stage.sees("exported ") && stage.sees("Open folder"), "{}", exporter.id);
        let bytes = std::fs::read(exported(&stage, exporter.extensions[0])).expect("the file");
        assert!(!bytes.is_empty());
        match exporter.id {
            "png" => drop(image::load_from_memory(&bytes).expect("a picture")),
            _ if exporter.reads => {
                let read = tilewright::formats::read(&bytes).expect("it reads").remove(0);
                assert_eq!(read.identity(), stage.doc().identity(), "{}", exporter.id);
            }
            _ => {}
        }
        if i == 0 {
            // A second time it asks before it replaces.
            open(&mut stage);
            stage.click_in_dialog("Export");
            assert!(stage.sees("exists."));
            stage.click_in_dialog("Replace");
            stage.settle();
            assert!(!stage.sees("Not included"));
        }
    }
}

#[test]
fn a_whole_pack_goes_to_one_sheet() {
    let mut stage = Stage::new();
    level(&mut stage);
    open(&mut stage);
    stage.click("Sheet to print (PDF)");
    stage.click_like("the whole pack");
    stage.click_in_dialog("Export");
    stage.settle();
    let bytes = std::fs::read(exported(&stage, "pdf")).expect("the file");
    let pages = String::from_utf8_lossy(&bytes).matches("/Type /Page\n").count();
    let levels = games::offered()[0].info().levels.len();
    assert!(pages > levels.div_ceil(6), "{pages} pages for {levels} levels and their answers");
}

#[test]
fn a_share_code_is_copied_and_pasted_back_and_a_picture_is_copied() {
    let mut stage = Stage::new();
    level(&mut stage);
    let identity = stage.doc().identity();
    press(&mut stage, Key::C);
    let (texts, _) = copied(&mut stage, 6);
    let [code] = texts.as_slice() else { panic!("{texts:?}") };
    assert!(code.starts_with(export::PREFIX));
    let open = stage.workshop().session.open.len();
    stage.harness.event(Event::Paste(code.clone()));
    stage.frames(3);
    stage.settle();
    assert_eq!(stage.workshop().session.open.len(), open + 1);
    assert_eq!(stage.doc().identity(), identity);
    // What is no code any more is said, and nothing opens.
    stage.harness.event(Event::Paste(code[..code.len() - 3].to_string()));
    stage.frames(3);
    assert!(stage.sees("damaged"));
    assert_eq!(stage.workshop().session.open.len(), open + 1);

    press(&mut stage, Key::I);
    // Frame by frame: what was copied is in the output of one frame only.
    let mut copies = (0..4000).map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(2));
        copied(&mut stage, 1).1
    });
    assert!(copies.any(|pictures| pictures == 1), "a picture is copied");
}

#[test]
fn the_dialog_fits_small_and_large_windows() {
    for (name, w, h, theme) in
        [("export-small", 1024.0, 700.0, Theme::Dark), ("export-large", 1600.0, 1000.0, Theme::Light)]
    {
        let mut stage = Stage::sized(w, h);
        if stage.workshop().settings.theme != theme {
            stage.key(Key::F9);
        }
        stage.open("sbokena", 2);
        stage.workshop().message = None;
        open(&mut stage);
        if theme == Theme::Light {
            stage.click("Sheet to print (PDF)");
            stage.settle();
        }
        // The path of a test's folder is another one every time.
        stage.workshop().export.documents = None;
        hide_folder(&mut stage);
        stage.picture(name);
    }
}

/// Puts a short path into the field of the folder.
fn hide_folder(stage: &mut Stage) {
    fill(stage, "Folder", "/home/ada/Documents");
    let field = stage.place("Name");
    stage.click_at(field + egui::vec2(120.0, 0.0));
    stage.settle();
}

#[test]
fn a_games_own_formats_are_in_the_dialog_and_an_ending_chooses_its_format() {
    let mut stage = Stage::with("sbokena", 0);
    open(&mut stage);
    for format in games::by_id("sbokena").expect("it is there").formats().iter().filter(|f| f.writes) {
        stage.click(format.name);
        stage.settle();
        assert!(stage.sees("Can be opened again.") && stage.sees("How the text begins"), "{}", format.id);
    }
    assert!(stage.sees(".sbk"), "the name has the ending of what was clicked last");
    fill(&mut stage, "Name", "mine.xsb");
    stage.settle();
    assert!(stage.sees("How the text begins") && stage.sees("#"), "the board as text");
    stage.click_in_dialog("Export");
    stage.settle();
    let text = std::fs::read_to_string(exported(&stage, "xsb")).expect("the file");
    let read = tilewright::formats::read(text.as_bytes()).expect("it reads").remove(0);
    assert_eq!(read.identity(), stage.doc().identity());
    assert!(stage.sees("mine.xsb"));
    // A pack's folder is offered too, and saving from here gives the level its file.
    open(&mut stage);
    stage.click("Tilewright level");
    stage.settle();
    assert!(stage.sees("Nothing is left out."));
    stage.click_in_dialog("Save");
    stage.settle();
    let path = stage.workshop().session.current().and_then(|o| o.path().map(PathBuf::from)).expect("a file");
    assert!(path.starts_with(stage.home.path().join("levels")) && path.is_file() && !stage.doc().dirty());
}

/// Replaces what stands in a field.
fn fill(stage: &mut Stage, field: &str, text: &str) {
    let label = stage.place(field);
    stage.click_at(label + egui::vec2(120.0, 0.0));
    stage.chord(CTRL, Key::A);
    stage.type_text(text);
}

#[test]
fn nothing_is_replaced_unasked_not_even_a_picture_beside_a_map() {
    let mut stage = Stage::new();
    level(&mut stage);
    let documents = stage.home.path().join("Documents");
    std::fs::create_dir_all(&documents).expect("a folder");
    let mine = documents.join("map-tiles.png");
    std::fs::write(&mine, "mine").expect("a file");
    open(&mut stage);
    stage.click("Tiled map (JSON)");
    stage.settle();
    fill(&mut stage, "Name", "map.tmj");
    stage.click_in_dialog("Export");
    stage.settle();
    assert!(stage.sees("map-tiles.png exists."), "it is named");
    assert!(std::fs::read(&mine).expect("it is there") == b"mine" && !documents.join("map.tmj").exists());
    stage.click_in_dialog("Replace");
    stage.settle();
    assert!(documents.join("map.tmj").is_file() && image::open(&mine).is_ok());
}

#[test]
fn the_dialog_keeps_to_its_level_and_remembers_its_folder() {
    let mut stage = Stage::new();
    level(&mut stage);
    let (front, name) = (stage.doc().native(), "kept");
    open(&mut stage);
    stage.click("Share code");
    let other = stage.home.path().join("elsewhere");
    fill(&mut stage, "Folder", &other.display().to_string());
    fill(&mut stage, "Name", name);
    // Another level comes to the front meanwhile.
    stage.workshop().open_campaign("cats", tilewright::memory::Place::Lesson(1));
    stage.settle();
    assert_ne!(stage.doc().native(), front);
    stage.click_in_dialog("Export");
    stage.settle();
    let read = tilewright::formats::read(&std::fs::read(other.join("kept.code")).expect("the file")).expect("it reads");
    let identity = tilewright::formats::read(front.as_bytes()).expect("it reads")[0].identity();
    assert_eq!(read[0].identity(), identity);
    open(&mut stage);
    assert!(stage.sees(&other.display().to_string()), "the folder is remembered");
    stage.key(Key::Escape);
    assert!(stage.workshop().dialog.is_none());
    // A level that is closed meanwhile closes its dialog.
    open(&mut stage);
    let index = stage.workshop().session.active;
    stage.workshop().close_now(index);
    stage.frames(2);
    assert!(stage.workshop().dialog.is_none() && stage.sees("no longer open"));
}

#[cfg(unix)]
#[test]
fn the_folder_is_opened_by_the_desktop_and_a_desktop_without_that_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut stage = Stage::new();
    level(&mut stage);
    let (opener, seen) = (stage.home.path().join("opener"), stage.home.path().join("seen"));
    std::fs::write(&opener, format!("#!/bin/sh\nprintf %s \"$1\" > '{}'\n", seen.display())).expect("a script");
    std::fs::set_permissions(&opener, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let open_it = |stage: &mut Stage, with: Option<String>| {
        stage.workshop().export.opener = with;
        stage.workshop().ask(Action::OpenFolder);
        stage.frames(2);
    };
    open_it(&mut stage, None);
    assert!(stage.sees("nothing has been saved or exported yet"));
    open(&mut stage);
    stage.click_in_dialog("Export");
    stage.settle();
    stage.workshop().export.opener = Some(opener.display().to_string());
    stage.click("Open folder");
    let documents = stage.home.path().join("Documents");
    stage.wait_for("the program was started", |_| {
        std::fs::read_to_string(&seen).is_ok_and(|s| s == documents.display().to_string())
    });
    open_it(&mut stage, Some("no-such-program".into()));
    stage.wait_for("a sentence", |stage| stage.sees("no-such-program could not open"));
    open_it(&mut stage, None);
    assert!(stage.sees("the folder could not be opened"));
}

#[test]
fn levels_selected_in_the_library_leave_together() {
    let mut stage = Stage::new();
    stage.chord(CTRL, Key::F);
    stage.type_text("the");
    stage.settle();
    stage.key(Key::Enter);
    for task in [Task::SelectAll, Task::Export] {
        stage.workshop().ask(Action::Library(task));
        stage.frames(4);
    }
    stage.settle();
    assert!(stage.sees("Tilewright pack (folder)") && stage.sees("files, "), "a pack is offered for several");
    // What holds one level cannot be chosen.
    stage.click("Picture (PNG)");
    assert!(stage.sees("A folder with a file for each level"));
    stage.click_in_dialog("Export");
    stage.settle();
    let pack = stage.home.path().join("levels/levels");
    let count = tilewright::disk::open_path(&pack).expect("a pack").len();
    assert!(count > 1, "{count} levels");
    stage.workshop().ask(Action::Library(Task::Export));
    stage.frames(4);
    stage.settle();
    stage.click("Playable page (HTML)");
    stage.settle();
    stage.click_in_dialog("Export");
    stage.settle();
    let page = std::fs::read(exported(&stage, "html")).expect("the page");
    assert_eq!(tilewright::formats::read(&page).expect("it reads").len(), count);
}

/// Enter was just pressed to save: once more must not replace a file.
#[test]
fn enter_goes_to_a_free_name_where_a_file_exists() {
    let mut stage = Stage::new();
    level(&mut stage);
    let folder = stage.home.path().join("levels");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("mine.ron"), "mine").expect("a file");
    stage.chord(CTRL_SHIFT, Key::S);
    stage.frames(3);
    fill(&mut stage, "Name", "mine.ron");
    for _ in 0..2 {
        stage.key(Key::Enter);
        stage.settle();
    }
    assert!(!stage.sees("Replace") && stage.sees("mine-2.ron"), "a name that is free is proposed");
    stage.key(Key::Enter);
    stage.settle();
    assert_eq!(std::fs::read(folder.join("mine.ron")).expect("it is there"), b"mine");
    assert!(folder.join("mine-2.ron").is_file() && stage.workshop().dialog.is_none());
}
