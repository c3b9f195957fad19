//! Levels leave the window: as files through the dialog, as a share code and a picture on the clipboard; and a code comes back in.

use super::{CTRL, stage::Stage};
use egui::{Event, Key, Modifiers, OutputCommand};
use std::path::PathBuf;
use tilewright::{export, games};

const CTRL_SHIFT: Modifiers = Modifiers { shift: true, ..CTRL };

fn level(stage: &mut Stage) {
    stage.open(games::offered()[0].info().id, 2);
}

/// The one file with this ending in the folder for exports.
fn exported(stage: &Stage, ending: &str) -> PathBuf {
    let folder = std::fs::read_dir(stage.home.path().join("exported")).expect("the folder for exports");
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
        stage.chord(CTRL_SHIFT, Key::E);
        // A dialog finds its place in its first frames.
        stage.frames(4);
        assert!(stage.sees("Not included"));
        stage.click(exporter.name);
        assert!(stage.sees(exporter.about) && stage.sees(exporter.drops[0]), "{}", exporter.id);
        stage.click_in_dialog("Export");
        stage.settle();
        assert!(stage.sees("exported "), "{}", exporter.id);
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
            stage.chord(CTRL_SHIFT, Key::E);
            stage.frames(4);
            stage.click_in_dialog("Export");
            assert!(stage.sees("exists: press again"));
            stage.click_in_dialog("Replace it");
            stage.settle();
            assert!(!stage.sees("Not included"));
        }
    }
}

#[test]
fn a_whole_pack_goes_to_one_sheet() {
    let mut stage = Stage::new();
    level(&mut stage);
    stage.chord(CTRL_SHIFT, Key::E);
    stage.frames(4);
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
