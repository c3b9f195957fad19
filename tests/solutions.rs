//! Laws about solutions kept with a level and about the rating of an open level, over the whole registry.

use rand::{RngExt as _, seq::IndexedRandom as _};
use tilewright::{
    analysis::rate,
    document::{Board, Doc, Kept, Standing},
    formats,
    game::{Ink, Solution, rng},
    games,
    job::{Limits, Probe},
};

/// The first shipped levels of every game, each with a solver's line.
fn solved(law: impl Fn(&str, Box<dyn Doc>, Solution)) {
    for game in games::all() {
        for (i, text) in game.info().levels.iter().enumerate().take(3) {
            let doc = formats::read(text.as_bytes()).expect("a shipped level").remove(0);
            let limits = Limits { nodes: Some(150_000), ..Limits::default() };
            let report = doc.solve_now(game.info().verdict_goal, &mut Probe::new(limits));
            let Some(moves) = report.moves else { continue };
            let counts = report.counts.iter().map(|(n, c)| (n.to_string(), *c)).collect();
            let solution = Solution { goal: report.goal.into(), moves, counts, optimal: false, found: "test".into() };
            law(&format!("{} shipped {}", game.info().id, i + 1), doc, solution);
        }
    }
}

/// Waits for background work.
fn settle(doc: &mut dyn Doc) {
    for _ in 0..60_000 {
        doc.tick();
        if !doc.busy() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    panic!("background work does not end");
}

fn forget_all(doc: &mut dyn Doc) {
    while !doc.kept().is_empty() {
        doc.forget(0);
    }
}

#[test]
fn a_solution_is_kept_once_and_only_if_better_where_that_is_asked_for() {
    solved(|name, mut doc, solution| {
        forget_all(&mut *doc);
        assert_eq!(doc.keep(solution.clone(), true), Kept::Kept, "{name}");
        assert!(doc.dirty(), "{name}: the file would change");
        assert_eq!(doc.keep(solution.clone(), false), Kept::There, "{name}");
        let worse = Solution { moves: format!("{} ", solution.moves), ..solution.clone() };
        assert!(matches!(doc.keep(worse.clone(), true), Kept::NoBetter(_)), "{name}");
        assert_eq!(doc.keep(worse, false), Kept::Kept, "{name}");
        let better = Solution {
            moves: "x".into(),
            counts: solution.counts.keys().map(|n| (n.clone(), 0)).collect(),
            ..solution
        };
        if better.counts.values().any(|n| *n > 0) || doc.kept()[0].counts.values().any(|n| *n > 0) {
            assert_eq!(doc.keep(better, true), Kept::Kept, "{name}");
        }
    });
}

#[test]
fn a_kept_solution_is_stale_exactly_when_it_does_not_solve_the_draft() {
    solved(|name, mut doc, solution| {
        forget_all(&mut *doc);
        doc.keep(solution, false);
        settle(&mut *doc);
        assert!(matches!(doc.standing(), [Standing::Solves(_)]), "{name}: {:?}", doc.standing());
        let mut rng = rng(5);
        for _ in 0..12 {
            let palette = doc.palette();
            let swatch = rng.random_range(0..palette.swatches.len());
            let spots = doc.spots(Board::Draft);
            let Some(spot) = spots.choose(&mut rng) else { return };
            doc.paint(Ink { swatch, ..Ink::default() }, &[*spot], &[], "paint");
            settle(&mut *doc);
            let solves = doc.duplicate().show_kept(0).is_ok();
            assert_eq!(matches!(doc.standing()[0], Standing::Solves(_)), solves, "{name}: {:?}", doc.standing());
        }
        while doc.undo_edit().is_some() {}
        settle(&mut *doc);
        assert!(matches!(doc.standing(), [Standing::Solves(_)]), "{name}: undone, it solves again");
    });
}

#[test]
fn a_line_beside_itself_never_parts_and_both_boards_are_the_same() {
    let colours = tilewright::picture::Colours::dark();
    solved(|name, mut doc, solution| {
        forget_all(&mut *doc);
        doc.set_animate(false);
        doc.keep(solution, false);
        assert!(doc.compare_with(Some(0)).is_err(), "{name}: nothing is shown yet");
        doc.show_kept(0).unwrap_or_else(|e| panic!("{name}: {e}"));
        doc.compare_with(Some(0)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let beside = doc.comparison().unwrap_or_else(|| panic!("{name}: nothing beside"));
        assert_eq!((beside.parted, beside.len), (doc.line_len(), doc.line_len()), "{name}");
        for step in [0, doc.line_len()] {
            let pictures = [Board::Step(step), Board::Beside(step)].map(|b| doc.picture(b, &colours, 20.0));
            assert_eq!(pictures[0], pictures[1], "{name} after {step}");
        }
        doc.compare_with(None).expect("put away");
        assert!(doc.comparison().is_none(), "{name}");
    });
}

#[test]
fn an_open_level_is_rated_as_the_command_does_it() {
    solved(|name, mut doc, _| {
        doc.ask_rating();
        settle(&mut *doc);
        let alone = doc.rate_now(rate::NODES, &mut Probe::new(Limits::default()));
        assert_eq!(doc.rating(), Some(&alone), "{name}");
        assert_eq!(doc.harder_by(), None, "{name}: there was no change");
    });
}

#[test]
fn the_ratings_of_the_shipped_levels_stay_as_they_are() {
    let mut now = String::new();
    for game in games::all() {
        for text in game.info().levels {
            let doc = formats::read(text.as_bytes()).expect("a shipped level").remove(0);
            let rating = doc.rate_now(rate::NODES, &mut Probe::new(Limits::default()));
            let least = if rating.at_least { "at least " } else { "" };
            let number = rating.difficulty.map_or("none".into(), |d| format!("{d:.1}"));
            now += &format!("{}, {}: {least}{number}\n", game.info().id, doc.meta().title);
        }
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/ratings.txt");
    if std::env::var_os("UPDATE_RATINGS").is_some() {
        std::fs::write(file, &now).expect("it can be written");
    }
    let kept = std::fs::read_to_string(file).expect("it can be read");
    assert!(
        now == kept,
        "a better solver changes no rating; where the formula or a level was changed on purpose, UPDATE_RATINGS=1 writes them:\n{now}"
    );
}
