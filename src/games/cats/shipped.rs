//! Tests of the shipped levels: twelve that teach the rules one by one and then grow hard, and three about tandems.

use crate::{
    game::{Draft, Rules, Solution, Solve as _, Status, Values},
    games::cats::{Cats, File, Finished, Level, State},
    job::{Limits, Probe},
};
use std::collections::HashSet;

const LEVELS: &[&str] = Cats::INFO.levels;
/// The last ones.
const TANDEMS: usize = 3;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Shipped {
    #[serde(rename = "tilewright")]
    version: u32,
    game: String,
    title: String,
    author: String,
    notes: String,
    tags: Vec<String>,
    rules: Values,
    level: File,
    solutions: Vec<Solution>,
}

fn read(text: &str) -> (Shipped, Level) {
    let mut file: Shipped = ron::from_str(text).expect("a native file");
    let empty = ron::from_str("(board: [\".\"], legend: {})").expect("RON");
    let mut level = Cats::from_file(std::mem::replace(&mut file.level, empty)).expect("a level");
    for (name, value) in &file.rules.0 {
        Cats::set_rule(&mut level, name, value);
    }
    (file, level)
}

#[test]
fn every_level_has_its_words_and_no_problems() {
    let mut titles = HashSet::new();
    assert_eq!(LEVELS.len(), 12 + TANDEMS);
    for (file, level) in LEVELS.iter().map(|t| read(t)) {
        let version = if file.tags.iter().any(|t| t == "tandems") { 2 } else { 1 };
        assert_eq!((file.version, file.game.as_str(), file.author.as_str()), (version, "cats", "Tilewright"));
        assert!(!file.notes.is_empty() && !file.tags.is_empty());
        assert_eq!(Cats::problems(&level), [], "{}", file.title);
        assert!(titles.insert(file.title));
    }
}

#[test]
fn their_solutions_win_with_the_counts_they_state_and_drags_grow() {
    let mut last = 0;
    for (i, (file, level)) in LEVELS.iter().map(|t| read(t)).enumerate() {
        if i == 12 {
            // A new lesson begins easily again.
            assert!(last > 12);
            last = 0;
        }
        for solution in &file.solutions {
            let line = Cats::read_line(&level, &solution.moves).expect("notation");
            let start = Cats::start(&level).expect("playable");
            let mut state = start.clone();
            for step in &line {
                Cats::play(&level, &mut state, step).expect("legal");
            }
            assert_eq!(Cats::status(&level, &state), Status::Won);
            assert_eq!(
                Cats::counts(&level, &start, &line),
                [solution.counts["steps"], solution.counts["drags"]],
                "{}",
                file.title
            );
        }
        let drags = file.solutions.iter().find(|s| s.goal == "drags").expect("a line of fewest drags").counts["drags"];
        assert!(drags >= last, "{} is easier than the one before", file.title);
        last = drags;
    }
}

/// Fewest drags as stated, with its links and without them.
#[test]
fn a_tandem_is_a_help_then_a_hindrance_then_the_key() {
    let drags = |level: &Level| {
        let start = Cats::start(level).expect("playable");
        let outcome = Cats::solve(level, &start, 1, &mut Probe::new(Limits::default()), &mut |_| ());
        outcome.line().map(|line| Cats::counts(level, &start, line)[1])
    };
    let found = LEVELS[12..].iter().map(|t| read(t)).map(|(_, mut level)| {
        let linked = drags(&level);
        level.shapes.iter_mut().for_each(|s| s.tandem = 0);
        (linked, drags(&level))
    });
    assert_eq!(found.collect::<Vec<_>>(), [(Some(1), Some(2)), (Some(3), Some(2)), (Some(5), None)]);
}

/// The fewest steps to a win, by looking at every position; nothing if there is none.
fn fewest_steps(level: &Level) -> Option<u32> {
    let start = Cats::start(level).expect("playable");
    let mut seen: HashSet<State> = HashSet::from([start.clone()]);
    let mut layer = vec![start];
    for steps in 1.. {
        let mut next = Vec::new();
        for state in &layer {
            for step in Cats::legal_moves(level, state) {
                let mut after = state.clone();
                Cats::play(level, &mut after, &step).expect("legal");
                if Cats::status(level, &after) == Status::Won {
                    return Some(steps);
                }
                if seen.insert(after.clone()) {
                    next.push(after);
                }
            }
        }
        if next.is_empty() {
            return None;
        }
        layer = next;
    }
    None
}

#[test]
fn their_fewest_steps_are_what_plain_search_finds() {
    for (file, level) in LEVELS.iter().map(|t| read(t)) {
        let stated = file.solutions.iter().find(|s| s.goal == "steps").expect("a line of fewest steps").counts["steps"];
        assert_eq!(fewest_steps(&level), Some(stated), "{}", file.title);
    }
}

#[test]
fn making_room_needs_the_shapes_to_leave() {
    let (file, mut level) = read(LEVELS[8]);
    assert_eq!((file.title.as_str(), level.finished), ("Making room", Finished::Leave));
    level.finished = Finished::Stay;
    assert_eq!(fewest_steps(&level), None);
}
