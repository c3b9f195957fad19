//! The shipped levels of Sbokena: playable, solvable, with these minima, teaching what they say.

use serde::Deserialize;
use tilewright::{
    game::{Draft, Outcome, Rules, Solve, Status},
    games::sbokena::{Element, Level, Sbokena, elements, without},
    job::{Limits, Probe},
};

#[derive(Deserialize)]
struct Whole {
    title: String,
    level: <Sbokena as Draft>::File,
}

fn shipped() -> Vec<(String, Level)> {
    let read = |text: &&str| {
        // Only what this test needs; the frame reads the rest.
        let options = ron::Options::default();
        let value: ron::Value = options.from_str(text).expect("RON");
        let whole: Whole = value.into_rust().expect("a level");
        let level = Sbokena::from_file(whole.level).unwrap_or_else(|e| panic!("{}: {}", whole.title, e.text));
        (whole.title, level)
    };
    Sbokena::INFO.levels.iter().map(read).collect()
}

fn minimum(level: &Level) -> Option<u32> {
    let start = Sbokena::start(level).ok()?;
    let outcome = Sbokena::solve(level, &start, 0, &mut Probe::new(Limits::nodes(200_000)), &mut |line| {
        let mut state = start.clone();
        assert!(line.iter().all(|d| Sbokena::play(level, &mut state, d).is_ok()));
        assert_eq!(Sbokena::status(level, &state), Status::Won);
    });
    match outcome {
        Outcome::Solved { optimal: true, bound, .. } => Some(bound),
        Outcome::Unsolvable => None,
        other => panic!("not decided: {other:?}"),
    }
}

#[test]
fn the_fifteen_shipped_levels_are_solvable_with_these_minima() {
    let levels = shipped();
    let found: Vec<_> = levels.iter().map(|(title, level)| (title.as_str(), minimum(level))).collect();
    for (title, level) in &levels {
        assert!(Sbokena::problems(level).is_empty(), "{title}: {:?}", Sbokena::problems(level));
    }
    let want: [(&str, u32); 15] = [
        ("First push", 2),
        ("Mind the corner", 3),
        ("Hold the door", 5),
        ("Doorstop", 7),
        ("Through the wall", 3),
        ("Turned around", 7),
        ("Slipway", 8),
        ("Stubborn boxes", 10),
        ("Two ways in", 8),
        ("No way back", 9),
        ("Straight on", 8),
        ("Roundabout", 14),
        ("Airlock", 11),
        ("Long jump", 9),
        ("Everything in its place", 12),
    ];
    assert_eq!(found, want.map(|(t, n)| (t, Some(n))));
}

#[test]
fn every_special_element_of_every_shipped_level_matters() {
    let mut kinds = [0; 4];
    for (title, level) in shipped() {
        let least = minimum(&level);
        for element in elements(&level) {
            assert_ne!(minimum(&without(&level, element)), least, "{title}: {element:?} changes nothing");
            kinds[match element {
                Element::Door(_) => 0,
                Element::Portals(_) => 1,
                Element::OneWay(_) => 2,
                Element::OneWayBox(_) => 3,
            }] += 1;
        }
    }
    assert!(kinds.iter().all(|n| *n >= 3), "each kind is taught alone, in a pair, and among all: {kinds:?}");
}
