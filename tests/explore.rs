//! The what-if map and mending, over every game in the registry: what they say is what plain solving says.

use std::time::Duration;
use tilewright::{
    analysis::what_if::{Brushes, Effect},
    document::{Board, Doc, Finding, WhatIf},
    formats, games,
    grid::Spot,
    job::{Limits, Probe},
};

const NODES: u64 = 2_000;

fn wait(doc: &mut dyn Doc) {
    doc.tick();
    while doc.busy() {
        std::thread::sleep(Duration::from_millis(2));
        doc.tick();
    }
}

/// The shipped levels of a game that are small enough to be tried all over.
fn small_levels(game: &dyn tilewright::document::AnyGame) -> Vec<Box<dyn Doc>> {
    let docs = game.info().levels.iter().filter_map(|t| formats::read(t.as_bytes()).ok()?.into_iter().next());
    docs.filter(|d| d.board_size(Board::Draft).area() <= 48).take(3).collect()
}

fn findings(doc: &dyn Doc) -> Vec<(Spot, Finding)> {
    doc.all_findings().into_iter().flat_map(|(s, f)| f.iter().map(move |f| (s, f.clone()))).collect()
}

fn mapped(doc: &mut dyn Doc) -> Vec<(Spot, Finding)> {
    let ink = doc.palette().swatches.len().min(2) - 1;
    let ink = tilewright::game::Ink { swatch: ink, ..Default::default() };
    doc.ask_what_if(Some(WhatIf { nodes: NODES, ..WhatIf::of(Brushes::All(ink)) }));
    wait(doc);
    let progress = doc.what_if_progress();
    assert_eq!(progress.done, progress.all, "the map comes to its end");
    findings(doc)
}

/// The level after the edit of a finding.
fn after(doc: &dyn Doc, finding: &Finding) -> Box<dyn Doc> {
    let mut other = doc.duplicate();
    other.paint(finding.change.ink, &finding.change.spots, &[], "try");
    other
}

#[test]
fn the_map_says_what_solving_each_changed_level_says() {
    let mut seen = std::collections::BTreeSet::new();
    for game in games::offered() {
        for mut doc in small_levels(*game) {
            let all = mapped(&mut *doc);
            assert!(!all.is_empty(), "{}", doc.meta().title);
            // Every so many of them: the rest is the same code.
            for (spot, finding) in all.iter().step_by(all.len().div_ceil(40)) {
                assert_eq!(finding.change.spots[0], *spot);
                seen.insert(finding.effect);
                let other = after(&*doc, finding);
                // The answer names what it is about: the game as it is played.
                let goal = game.goals().iter().position(|g| g.id == finding.answer.goal).expect("a goal of the game");
                let report = other.solve_now(goal, &mut Probe::new(Limits::nodes(NODES)));
                let place = format!("{}: {} at {:?}", doc.meta().title, finding.what, spot.cell);
                assert_eq!(finding.answer, report.timeless(), "{place}");
            }
        }
    }
    for effect in [Effect::Unsolvable, Effect::Easier, Effect::Same, Effect::Harder, Effect::Unplayable] {
        assert!(seen.contains(&effect), "no {} among them", effect.name());
    }
}

#[test]
fn a_map_begins_anew_when_the_draft_changes_and_ends_when_it_is_not_wanted() {
    let game = games::by_id("null").expect("the null game is always there");
    let mut doc = game.blank(tilewright::grid::Size::new(3, 2));
    let lamp = tilewright::game::Ink { swatch: 1, ..Default::default() };
    doc.ask_what_if(Some(WhatIf::of(Brushes::One(lamp))));
    wait(&mut *doc);
    assert_eq!(findings(&*doc).len(), 6, "a lamp in every cell");
    let first = doc.spots(Board::Draft)[0];
    assert_eq!(doc.findings(first)[0].effect, Effect::Solvable, "an empty board is not playable, one lamp is");
    doc.paint(lamp, &[first], &[], "paint");
    wait(&mut *doc);
    assert_eq!(findings(&*doc).len(), 5);
    assert!(findings(&*doc).iter().all(|(_, f)| f.effect == Effect::Harder), "two lamps are more than one");
    doc.ask_what_if(None);
    doc.tick();
    assert!(findings(&*doc).is_empty() && !doc.busy());
}

#[test]
fn a_level_broken_by_one_edit_is_mended_by_one() {
    let mut broken_games = 0;
    for game in games::offered() {
        let mut broken = 0;
        for mut doc in small_levels(*game) {
            let all = mapped(&mut *doc);
            let unsolvable = all.iter().filter(|(_, f)| f.effect == Effect::Unsolvable);
            for (_, finding) in unsolvable.take(2) {
                let mut other = after(&*doc, finding);
                other.ask_mends();
                wait(&mut *other);
                let mends = other.mends().expect("they were asked for").clone();
                let place = format!("{}: {} at {:?}", doc.meta().title, finding.what, finding.change.spots);
                assert!(!mends.found.is_empty(), "{place}");
                assert!(mends.found.iter().all(|(m, ..)| m.changes.len() <= 1), "{place}: one edit suffices");
                let (index, (mend, what, _)) = mends
                    .found
                    .iter()
                    .enumerate()
                    .find(|(_, (m, ..))| m.answer.solved())
                    .expect("one of them solves it");
                assert!(mend.command.is_some() || !mend.changes.is_empty());
                let before = other.history_len().0;
                other.apply_mend(index).expect("it belongs to this draft");
                assert_eq!(other.history_len().0, before + 1, "one step of undo");
                let report = other.solve_now(game.info().verdict_goal, &mut Probe::new(Limits::nodes(1_000_000)));
                assert_eq!(report.outcome(), "solved", "{place}, mended by {what}");
                other.undo_edit();
                broken += 1;
            }
        }
        broken_games += usize::from(broken > 0);
    }
    assert!(broken_games >= 3, "levels of {broken_games} games could be broken");
}

#[test]
fn a_draft_with_problems_is_mended_and_a_good_one_needs_none() {
    let game = games::by_id("null").expect("the null game is always there");
    let mut doc = game.blank(tilewright::grid::Size::new(2, 2));
    doc.ask_mends();
    wait(&mut *doc);
    let mends = doc.mends().expect("they were asked for").clone();
    assert_eq!(mends.found.len(), 4, "a lamp anywhere");
    doc.apply_mend(0).expect("it belongs to this draft");
    doc.tick();
    assert!(doc.mends().is_none(), "mends belong to one draft");
    doc.ask_mends();
    wait(&mut *doc);
    assert_eq!(doc.mends().and_then(|m| m.ended), Some(tilewright::analysis::mend::Ended::NotNeeded));
    for game in games::offered() {
        for doc in &mut small_levels(*game) {
            for mend in doc.problems().iter().filter_map(|p| p.mend) {
                assert!(doc.commands().iter().any(|c| c.id == mend), "{mend}");
            }
        }
    }
}

#[test]
fn where_one_edit_does_not_suffice_two_do() {
    // A box alone in a room: there is neither a player nor a goal.
    let game = games::by_id("sbokena").expect("it is in the registry");
    let mut doc = game.blank(tilewright::grid::Size::new(5, 5));
    let swatch = doc.palette().swatches.iter().position(|s| s.id == "box").expect("boxes can be painted");
    let middle = doc.spots(Board::Draft)[12];
    doc.paint(tilewright::game::Ink { swatch, ..Default::default() }, &[middle], &[], "a box");
    doc.ask_mends();
    wait(&mut *doc);
    let mends = doc.mends().expect("they were asked for").clone();
    let pair = mends.found.iter().position(|(m, ..)| m.changes.len() == 2).expect("a player and a goal");
    assert!(mends.found.iter().all(|(m, ..)| m.changes.len() != 1), "no single edit would do");
    doc.apply_mend(pair).expect("it belongs to this draft");
    let report = doc.solve_now(game.info().verdict_goal, &mut Probe::new(Limits::nodes(100_000)));
    assert_eq!(report.outcome(), "solved", "mended by {}", mends.found[pair].1);
}
