//! Pictures to look at: every game's hint, step, win and lost state, dark and light, in a small and a large window. They are not kept:
//! `cargo test --test window -- --ignored pictures` writes them to `target/tmp/pictures`.

use super::{moves::open_text, seeds::strand, stage::Stage};
use egui::{Key, Modifiers};
use std::path::Path;
use tilewright::{game::Status, games};

/// A level of each game with enough on it to see.
fn middle(id: &str) -> usize {
    match id {
        "cats" => 11,
        "shards" => 6,
        "readout" => 10,
        "sbokena" => 9,
        _ => 6,
    }
}

/// Into a position that cannot be won.
fn lose(stage: &mut Stage, id: &'static str) {
    match id {
        // A shape can always go back, so only a level can be lost, from its start.
        "cats" => {
            let text = r#"(tilewright: 1, game: "cats", title: "Out of reach", level: (board: ["..###", "a.#R#", "..###"], legend: {'a': Shape(colour: red), 'R': Cat(red)}))"#;
            open_text(stage, "lost.ron", text);
        }
        "sbokena" => {
            open_text(stage, "lost.xsb", "########\n#      #\n# @$ . #\n#      #\n########\n");
            stage.keys(&[Key::ArrowDown, Key::ArrowRight, Key::ArrowUp]);
        }
        "readout" => {
            let text = r#"(tilewright: 1, game: "readout", title: "One turn", rules: { "opponent": "easy", "move_limit": 1 }, level: (board: ["1 2 3", "4 . 6", "7 5 8"]))"#;
            open_text(stage, "lost.ron", text);
            stage.key(Key::ArrowDown);
        }
        "match" => {
            // It was won just now.
            stage.open("match", middle(id));
            stage.doc().play_from_start();
            strand(stage);
        }
        other => panic!("say how {other} is lost"),
    }
    stage.settle();
    assert!(stage.doc().status() == Status::Lost || stage.doc().lost_cause() == Some(true), "{id}: it is lost");
}

#[test]
#[ignore = "writes 76 pictures to look at"]
fn of_hints_steps_wins_and_losses() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).expect("a folder");
    for game in games::offered() {
        let id = game.info().id;
        for (light, (w, h)) in
            [(false, (1024.0, 700.0)), (true, (1600.0, 1000.0)), (true, (1024.0, 700.0)), (false, (1600.0, 1000.0))]
        {
            let mut stage = Stage::sized(w, h);
            stage.workshop().settings.reply_delay_ms = 0;
            if light {
                stage.key(Key::F9);
            }
            let name =
                |what: &str| folder.join(format!("{id}-{what}-{w}-{}.png", if light { "light" } else { "dark" }));
            let write = |stage: &mut Stage, what: &str| {
                stage.workshop().message = None;
                stage.frames(2);
                stage.drawn().save(name(what)).expect("a file");
            };
            stage.open(id, middle(id));
            stage.key(Key::H);
            stage.settle();
            stage.key(Key::H);
            stage.settle();
            write(&mut stage, "hint");
            stage.key(Key::F6);
            stage.settle();
            stage.key(Key::Period);
            stage.settle();
            write(&mut stage, "step");
            stage.key(Key::Escape);
            let line = stage.doc().report().and_then(|r| r.moves.clone()).expect("it is solved");
            stage.key(Key::R);
            let offers = stage.doc().offers();
            if !offers.is_empty() {
                stage.doc().take_offer(0);
            }
            stage.doc().play_line(&line).expect("it can be played");
            stage.settle();
            write(&mut stage, "win");
            // Every move of Shards can be taken back: it has no lost position.
            if id != "shards" {
                lose(&mut stage, id);
                write(&mut stage, "lost");
            }
        }
    }
}

#[test]
#[ignore = "writes pictures to look at"]
fn of_text_twice_as_large_in_a_small_window() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    std::fs::create_dir_all(&folder).expect("a folder");
    let home = tempfile::tempdir().expect("a temporary folder");
    let mut stage = Stage::at_start(home, 1024.0, 700.0);
    for _ in 0..10 {
        stage.chord(Modifiers::COMMAND, Key::Plus);
    }
    stage.settle();
    let write = |stage: &mut Stage, what: &str| {
        stage.drawn().save(folder.join(format!("large-text-{what}.png"))).expect("a file");
    };
    write(&mut stage, "start");
    stage.click("Levels of Cats");
    stage.settle();
    write(&mut stage, "levels");
    for game in games::offered() {
        let id = game.info().id;
        stage.open(id, middle(id));
        stage.settle();
        write(&mut stage, &format!("{id}-play"));
        stage.key(Key::F6);
        stage.settle();
        write(&mut stage, &format!("{id}-inspect"));
        stage.key(Key::Escape);
        stage.key(Key::F5);
        stage.settle();
        write(&mut stage, &format!("{id}-edit"));
        stage.key(Key::F7);
        stage.settle();
        write(&mut stage, &format!("{id}-generate"));
    }
}
