//! Edit for real work: finding things, one's own keys, history, stamps, variants, the what-if map, mending.

use super::{CTRL, blank, stage::Stage};
use egui::{Key, Modifiers};
use tilewright::{
    analysis::Verdict,
    analysis::what_if::Effect,
    app::{dock::Pane, panels::edit::what_if::Shown, theme::Theme, workshop::Mode},
    document::Board,
    picture::{Area, Figure, point},
};

/// The same home again, as after a restart.
fn restarted(mut stage: Stage) -> Stage {
    stage.harness.state_mut().save_settings();
    // It ends properly: a draft that was copied away is not offered.
    stage.workshop().services.rescue.end();
    let Stage { harness, home } = stage;
    drop(harness);
    Stage::at_home(home, 1280.0, 800.0)
}

#[test]
fn the_box_that_finds_everything_runs_what_is_chosen_and_says_why_not() {
    let mut stage = Stage::new();
    stage.chord(CTRL, Key::K);
    stage.settle();
    stage.picture("craft-find");
    stage.type_text("dark lig");
    stage.key(Key::Enter);
    assert_eq!(stage.workshop().settings.theme, Theme::Light);
    assert!(!stage.workshop().finder.is_open());

    // What cannot be done now is there, with the reason, and does nothing.
    stage.chord(CTRL, Key::P);
    stage.settle();
    stage.type_text("turn the board");
    assert!(stage.sees("Turn the board (only in Edit)"));
    stage.key(Key::Enter);
    assert!(stage.workshop().finder.is_open(), "it stays open");
    stage.picture("craft-find-light");
    stage.key(Key::Escape);
    assert!(!stage.workshop().finder.is_open());

    // A shipped level by its title; the keys work at once afterwards.
    stage.chord(CTRL, Key::K);
    stage.settle();
    stage.type_text("doorstop");
    stage.key(Key::Enter);
    stage.settle();
    assert_eq!(stage.doc().meta().title, "Doorstop");
    stage.key(Key::F5);
    assert!(stage.workshop().session.mode == Mode::Edit);

    // What was used last comes first.
    stage.chord(CTRL, Key::K);
    stage.settle();
    stage.keys(&[Key::ArrowDown, Key::Enter]);
    assert_eq!(stage.workshop().settings.theme, Theme::Dark, "the last but one again");
}

#[test]
fn a_key_is_chosen_taken_over_after_asking_and_kept_after_a_restart() {
    let mut stage = Stage::new();
    stage.key(Key::F1);
    stage.settle();
    stage.click("search the keys");
    stage.type_text("dark");
    // The sheet has become smaller: it must have come to rest before anything on it is aimed at.
    stage.frames(4);
    stage.click("Dark / light: F9");
    assert!(stage.sees("press a key"));
    // The key of another action is asked about first.
    stage.chord(CTRL, Key::N);
    assert!(stage.sees("is already the key for \"New level…\""));
    stage.frames(4);
    stage.click("Leave it");
    stage.frames(4);
    stage.click("Dark / light: F9");
    stage.chord(CTRL, Key::N);
    stage.frames(4);
    stage.click("Give it to \"Dark / light\"");
    assert!(stage.sees("Dark / light: Ctrl+N"));
    stage.click_in_dialog("Close");

    let mut stage = restarted(stage);
    stage.chord(CTRL, Key::N);
    assert_eq!(stage.workshop().settings.theme, Theme::Light, "the new key");
    assert!(stage.workshop().dialog.is_none(), "the old meaning is gone");
    stage.key(Key::F9);
    assert_eq!(stage.workshop().settings.theme, Theme::Light, "the old key too");

    // Back to the usual keys, and unknown ones in the file are named.
    stage.key(Key::F1);
    stage.settle();
    stage.picture("craft-keys");
    stage.click_in_dialog("Reset all");
    stage.click_in_dialog("Close");
    stage.key(Key::F9);
    assert_eq!(stage.workshop().settings.theme, Theme::Dark);
    stage.workshop().settings.keys.insert("fly".into(), vec!["F".into()]);
    let stage = restarted(stage);
    assert!(stage.sees("\"fly\", which is not an action"));
}

#[test]
fn wishes_are_in_one_dialog_and_in_force_at_once() {
    let mut stage = Stage::sized(1024.0, 700.0);
    stage.chord(CTRL, Key::Comma);
    stage.click("light");
    assert_eq!(stage.workshop().settings.theme, Theme::Light);
    stage.click("opens a menu");
    stage.picture("craft-preferences");
    stage.click_in_dialog("Close");
    blank(&mut stage, "Match");
    stage.right_click_cell(1, 1);
    assert!(stage.sees("Pick up as brush"));
    stage.click_like("Fill with");
    assert!(!stage.cell_name(0, 0).contains("empty"), "{}", stage.cell_name(0, 0));
}

/// A shipped level in the editor.
fn shipped(stage: &mut Stage, game: &'static str, index: usize) {
    stage.workshop().open_shipped(game, index);
    stage.frames(3);
    stage.key(Key::F5);
    stage.settle();
    assert!(stage.workshop().session.mode == Mode::Edit);
}

#[test]
fn every_change_is_listed_by_name_and_a_click_goes_there() {
    let mut stage = Stage::new();
    blank(&mut stage, "Match");
    let empty = stage.doc().bare();
    stage.click("Green 5");
    stage.drag_cells(&[(0, 0), (1, 0), (2, 0)]);
    stage.chord(CTRL, Key::R);
    stage.click("Orange 1");
    stage.click_cell(0, 0);
    let drawn = stage.doc().bare();
    stage.chord(Modifiers::ALT, Key::Num8);
    stage.settle();
    assert!(stage.sees("history 1: paint green 5: 3 cells"));
    assert!(stage.sees("history 2: turn the board"));
    assert!(stage.sees("history 3: paint orange 1: 1 cell"));
    stage.click_like("history 1:");
    assert_eq!(stage.doc().history_len(), (1, 2), "the rest can be done again");
    stage.settle();
    stage.picture("craft-history");
    stage.click_like("history 0:");
    assert_eq!(stage.doc().bare(), empty);
    stage.click_like("history 3:");
    assert_eq!(stage.doc().bare(), drawn);
    stage.chord(CTRL, Key::Z);
    assert_eq!(stage.doc().history_len(), (2, 1), "undo as ever");
}

#[test]
fn a_stamp_is_made_of_a_selection_and_placed_in_another_level_turned_and_after_a_restart() {
    let mut stage = Stage::new();
    blank(&mut stage, "Match");
    stage.click("Green 5");
    stage.click_cell(0, 0);
    stage.click("Orange 1");
    stage.click_cell(1, 0);
    let (green, red) = (stage.cell_name(0, 0), stage.cell_name(1, 0));
    stage.key(Key::V);
    stage.drag_cells(&[(0, 0), (1, 0)]);
    stage.chord(CTRL, Key::T);
    stage.settle();

    // Another level of the same game, another day.
    let mut stage = restarted(stage);
    blank(&mut stage, "Match");
    stage.reach("stamp 2x1");
    stage.click_cell(2, 2);
    assert_eq!((stage.cell_name(2, 2), stage.cell_name(3, 2)), (green.clone(), red.clone()));
    stage.key(Key::R);
    stage.click_cell(0, 0);
    assert_eq!((stage.cell_name(0, 0), stage.cell_name(0, 1)), (green, red), "turned");
    assert_eq!(stage.doc().history_label(1), Some("stamp 2x1"));
    stage.key(Key::Escape);
    stage.reach("stamp 2x1");
    stage.click("delete the stamp");
    stage.settle();
    assert!(!stage.sees("stamp 2x1"));
}

#[test]
fn variants_are_kept_measured_compared_and_returned_to() {
    let mut stage = Stage::new();
    shipped(&mut stage, "match", 3);
    let first = stage.doc().bare();
    stage.chord(CTRL, Key::D);
    stage.click("Green 5");
    stage.click_cell(1, 1);
    let second = stage.doc().bare();
    stage.chord(CTRL, Key::D);
    stage.chord(Modifiers::ALT, Key::Num9);
    stage.settle();
    assert!(stage.sees("solvable · 2 drags · difficulty"));
    assert!(stage.sees("unsolvable"));
    stage.click("compare variant 1");
    assert!(stage.sees("variant 1 against the draft"));
    stage.click("compare variant 2");
    stage.settle();
    assert!(stage.sees("variant 1 against variant 2"));
    assert!(stage.sees("1 cell differs"));
    stage.picture("craft-variants");
    stage.click("return to variant 1");
    assert_eq!(stage.doc().bare(), first);
    stage.chord(CTRL, Key::Z);
    assert_eq!(stage.doc().bare(), second, "to return is a change like any other");
    stage.settle();

    let mut stage = restarted(stage);
    shipped(&mut stage, "match", 3);
    stage.chord(Modifiers::ALT, Key::Num9);
    stage.settle();
    assert!(stage.sees("name of variant 2"), "they are there again with their level");
    stage.click("delete variant 2");
    assert!(!stage.sees("name of variant 2"));
}

#[test]
fn the_what_if_map_shows_what_each_edit_does_and_a_click_does_it() {
    let mut stage = Stage::new();
    shipped(&mut stage, "cats", 3);
    stage.click("Blocker");
    stage.key(Key::W);
    stage.settle();
    let effects: Vec<_> = stage.doc().all_findings().iter().flat_map(|(_, f)| f.iter().map(|f| f.effect)).collect();
    for effect in [Effect::Harder, Effect::Same, Effect::Unsolvable] {
        assert!(effects.contains(&effect), "{} is on the map", effect.name());
    }
    stage.picture("craft-what-if");
    // A click on a cell that makes it harder, and the level is as much harder as the map said.
    let doc = stage.doc();
    let harder = |doc: &dyn tilewright::document::Doc| {
        let all = doc.all_findings();
        let found = all.iter().find(|(_, f)| f[0].effect == Effect::Harder).map(|(s, f)| (s.cell, f[0].words.clone()));
        found.expect("one cell makes it harder")
    };
    let (cell, words) = harder(doc);
    stage.click_cell(cell.x, cell.y);
    stage.settle();
    let steps = words.split(' ').next().expect("a number").to_string();
    assert!(stage.sees(&format!("solvable: {steps} steps")), "{words}");
    assert_eq!(stage.doc().history_label(0), Some("what if: blocker"));
    // Easier by one, in a small light window: the map looks at all brushes.
    stage.chord(CTRL, Key::ArrowDown);
    stage.settle();
    assert_eq!(stage.doc().history_len().0, 2, "an edit was made");
    assert!(stage.doc().history_label(1).is_some_and(|l| l.starts_with("easier by one")));
    let active = stage.workshop().session.active;
    assert_eq!(stage.workshop().session.open[active].edit.what_if.shown, Some(Shown::Easiest));
    stage.key(Key::W);
    assert!(stage.doc().all_findings().is_empty(), "off again");
}

#[test]
fn the_what_if_map_fits_a_small_light_window_with_large_text() {
    let mut stage = Stage::sized(1024.0, 700.0);
    shipped(&mut stage, "cats", 3);
    stage.key(Key::F9);
    for _ in 0..3 {
        stage.chord(CTRL, Key::Plus);
    }
    stage.click("Blocker");
    stage.key(Key::W);
    stage.settle();
    stage.picture("craft-what-if-small");
}

#[test]
fn an_unsolvable_level_is_fixed_by_a_click() {
    let mut stage = Stage::new();
    shipped(&mut stage, "match", 3);
    stage.click("Green 5");
    stage.click_cell(1, 1);
    stage.settle();
    assert_eq!(stage.doc().verdict().verdict, Some(Verdict::Unsolvable));
    stage.click("Suggest fixes");
    stage.settle();
    assert!(!stage.all_like("fix: ").is_empty());
    stage.picture("craft-fixes");
    stage.click_like("fix: ");
    stage.settle();
    assert!(matches!(stage.doc().verdict().verdict, Some(Verdict::Solved { .. })));
    assert_eq!(stage.doc().history_len().0, 2, "one step that undo takes back");
}

#[test]
fn a_wall_beside_the_frame_leaves_its_corner_a_wall_to_be_seen() {
    let mut stage = Stage::new();
    blank(&mut stage, "Sbokena");
    stage.click("Wall");
    for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        stage.click_cell(x, y);
    }
    let colours = stage.workshop().colours.clone();
    let picture = stage.doc().picture(Board::Draft, &colours, 30.0);
    let corner = Area::of(tilewright::grid::Cell::default());
    let fills = picture.figures.iter().filter_map(|f| match f {
        Figure::Rect { area, fill, .. } if *area == corner => Some(*fill),
        _ => None,
    });
    assert_eq!(fills.collect::<Vec<_>>(), [colours.wall], "it touches no floor, and is a wall all the same");
}

#[test]
fn the_first_stroke_of_a_stranger_adds_something_and_a_board_of_nothing_can_be_seen() {
    for game in tilewright::games::offered() {
        let mut stage = Stage::new();
        blank(&mut stage, game.info().name);
        let ink = stage.workshop().session.open.last().map(|o| o.edit.ink(&*o.doc)).expect("a level");
        let swatch = &stage.doc().palette().swatches[ink.swatch];
        assert!(ink.swatch > 0 && !["void", "hole", "gap"].contains(&swatch.id), "{}: {}", game.info().id, swatch.id);
    }
    for (game, nothing) in [("Cats", "Void"), ("Shards", "Remove cell")] {
        let mut stage = Stage::new();
        blank(&mut stage, game);
        stage.click(nothing);
        stage.key(Key::U);
        let spots = stage.doc().spots(Board::Draft);
        let way = [spots[0], spots[spots.len() - 1]].map(|s| stage.spot(&super::stage::spot_name(s)));
        stage.drag(&way);
        stage.settle();
        let colours = stage.workshop().colours.clone();
        assert!(!stage.doc().picture(Board::Draft, &colours, 30.0).figures.is_empty(), "{game}");
    }
}

#[test]
fn a_proof_about_the_level_before_an_undo_is_marked_and_solved_again() {
    let mut stage = Stage::new();
    shipped(&mut stage, "match", 3);
    stage.click("Green 5");
    stage.click_cell(1, 1);
    stage.key(Key::F6);
    stage.settle();
    assert!(stage.sees("proven unsolvable") && !stage.sees("Solve again"));
    stage.chord(Modifiers::ALT, Key::Num3);
    stage.chord(CTRL, Key::Z);
    stage.settle();
    assert!(stage.sees("from before the last edit"), "the proof is about another draft");
    stage.click("Solve again");
    stage.settle();
    assert!(stage.sees("solved, optimal") && !stage.sees("Solve again"));
}

#[test]
fn a_spot_is_marked_with_its_own_outline() {
    for (game, corners) in [("sbokena", 4), ("shards", 3)] {
        let mut stage = Stage::with(game, 0);
        let doc = stage.doc();
        for spot in doc.spots(Board::Draft) {
            let outline = doc.spot_outline(Board::Draft, spot);
            assert_eq!(outline.len(), corners, "{game}");
            // Just inside of each corner is the spot itself, and nothing of its neighbours.
            let n = outline.len() as f32;
            let (x, y) = outline.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.x / n, sum.1 + p.y / n));
            let inside = outline.iter().map(|p| p.towards(point(x, y), 0.1));
            assert!(inside.into_iter().all(|p| doc.spot_at(Board::Draft, p) == Some(spot)), "{game}: {spot:?}");
        }
    }
}

/// Where the palette has digits a digit means itself, and not a place in the palette.
#[test]
fn a_digit_chooses_the_digit() {
    for (game, keys) in [("Match", [Key::Num1, Key::Num5]), ("Readout", [Key::Num1, Key::Num8])] {
        let mut stage = Stage::new();
        blank(&mut stage, game);
        let palette = stage.doc().palette();
        for key in keys {
            stage.workshop().session.current_mut().expect("it is open").edit.ink = None;
            stage.key(key);
            let ink = stage.workshop().session.current().expect("it is open").edit.ink.expect("chosen");
            assert_eq!(palette.swatches[ink.swatch].id, key.name(), "{game}");
        }
    }
}

/// A brush that leads from one cell to another has an answer for each of its ends, and is dragged there as without the map.
#[test]
fn the_what_if_map_says_what_a_move_to_each_side_does() {
    let mut stage = Stage::new();
    stage.harness.ctx.all_styles_mut(|style| style.interaction.tooltip_delay = 0.0);
    shipped(&mut stage, "sbokena", 3);
    stage.click("Move");
    stage.key(Key::W);
    stage.settle();
    let all = stage.doc().all_findings();
    let (spot, found) = all.iter().find(|(_, f)| f.len() > 2).expect("a box with three ways");
    let (cell, lines): (_, Vec<_>) = (spot.cell, found.iter().map(|f| format!("{}: {}", f.what, f.words)).collect());
    let at = stage.cell(cell.x, cell.y);
    stage.move_to(at);
    stage.frames(20);
    for line in lines {
        assert!(stage.sees(&line), "{line}");
    }
    let draft = stage.doc().native();
    stage.click_at(at);
    assert_eq!(stage.doc().native(), draft, "a click chooses what is moved, not whereto");
}

#[test]
fn a_triangle_that_differs_is_marked_as_a_triangle_on_both_boards() {
    let mut stage = Stage::new();
    shipped(&mut stage, "shards", 3);
    stage.chord(CTRL, Key::D);
    stage.settle();
    let at = stage.spot("c1.0");
    stage.click("No piece");
    stage.click_at(at);
    stage.click_tab("Variants", Pane::Inspect);
    stage.frames(3);
    stage.click("compare variant 1");
    stage.settle();
    assert!(stage.sees("1 cell differs"));
    stage.picture_of(Pane::Variants, "variants-shards");
}

#[test]
fn a_large_window_shows_more_than_two_fixes() {
    let mut stage = Stage::sized(1600.0, 1000.0);
    shipped(&mut stage, "match", 3);
    stage.click("Green 5");
    stage.click_cell(1, 1);
    stage.settle();
    stage.click("Suggest fixes");
    stage.settle();
    let pane = stage.harness.state_mut().layout().place(Pane::Edit).expect("it is in sight");
    let shown = stage.all_like("fix: ").iter().filter(|at| pane.shrink(10.0).contains(**at)).count();
    assert!(shown >= 5, "{shown}");
}
