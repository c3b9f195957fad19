//! The shipped levels of Sbokena: playable, solvable, with these minima, teaching what they say.

use serde::Deserialize;
use tilewright::{
    game::{Game, Outcome, Solve, Status},
    games::sbokena::{Level, Sbokena, elements, without},
    job::{Limits, Probe},
};

#[derive(Deserialize)]
struct Whole {
    title: String,
    level: <Sbokena as Game>::File,
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
        let needed: Vec<_> = elements(level).into_iter().map(|e| (e, minimum(&without(level, e)))).collect();
        println!("{title}: {:?}, without {needed:?}", minimum(level));
    }
    let want: [(&str, u32); 15] = [
        ("First push", 2),
        ("Mind the corner", 3),
        ("Hold the door", 5),
        ("Doorstop", 5),
        ("Through the wall", 3),
        ("Turned around", 7),
        ("Slipway", 8),
        ("Stubborn boxes", 6),
        ("Two ways in", 7),
        ("No way back", 7),
        ("Straight on", 7),
        ("Roundabout", 10),
        ("Airlock", 5),
        ("Long jump", 9),
        ("Everything in its place", 10),
    ];
    assert_eq!(found, want.map(|(t, n)| (t, Some(n))));
}

#[test]
fn special_elements_of_shipped_levels_matter_where_the_lesson_is_about_them() {
    let mut needed = 0;
    for (_, level) in shipped() {
        let least = minimum(&level);
        needed += elements(&level).into_iter().filter(|e| minimum(&without(&level, *e)) != least).count();
    }
    assert!(needed >= 10, "{needed}");
}
