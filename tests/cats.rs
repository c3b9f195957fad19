//! Cats from outside: golden rule cases, solvers against plain search, the reference levels, generated levels, damaged files.

use proptest::prelude::*;
use rand::Rng;
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap, VecDeque};
use tilewright::{
    formats::native,
    game::{Draft, Generate, Item, Outcome, Rules, Severity, Solve, Status, Value, rng},
    games::cats::{self, Cat, Cats, Colour, File, Finished, Ground, Level, Shape, State, Step},
    grid::{Cell, Size, Sym, cell},
    job::{Limits, Mode, Probe, Stop},
    search::driver::{Flow, Known},
};

// ------------------------------------------------------------------------------------------------------------- golden cases

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    rule: String,
    level: File,
    moves: String,
    reason: String,
    board: Vec<String>,
    gone: u32,
    status: String,
    #[serde(default)]
    line: Option<String>,
    #[serde(default)]
    counts: Option<(u32, u32)>,
}

#[test]
fn the_golden_cases_of_the_rules_hold() {
    let files = [include_str!("golden/cats/rules.ron"), include_str!("golden/cats/tandems.ron")];
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    for case in files.iter().flat_map(|text| options.from_str::<Vec<Case>>(text).expect("golden cases")) {
        let mut level = Cats::from_file(case.level).expect("a level");
        Cats::set_rule(&mut level, "finished_shapes", &Value::from(case.rule.as_str()));
        let mut state = Cats::start(&level).expect("a playable level");
        let line = Cats::read_line(&level, &case.moves).expect("moves");
        let (mut reason, mut legal) = ("", line.as_slice());
        for (i, step) in line.iter().enumerate() {
            let before = state.clone();
            if let Err(refusal) = Cats::play(&level, &mut state, step) {
                assert_eq!(i + 1, line.len(), "{}: move {i} was refused: {}", case.name, refusal.text);
                assert_eq!(state, before, "{}: a refused move changed something", case.name);
                reason = refusal.reason;
                legal = &line[..i];
            }
        }
        let start = Cats::start(&level).expect("a playable level");
        let counts = Cats::counts(&level, &start, legal);
        assert!(case.counts.is_none_or(|(steps, drags)| counts == [steps, drags]), "{}: {counts:?}", case.name);
        assert!(case.line.is_none_or(|l| l == Cats::write_line(&level, legal)), "{}", case.name);
        assert_eq!(reason, case.reason, "{}", case.name);
        assert_eq!(Cats::board_text(&level, &state), case.board.join("\n"), "{}", case.name);
        assert_eq!(state.gone.count_ones(), case.gone, "{}", case.name);
        assert_eq!(Cats::status(&level, &state).name(), case.status, "{}", case.name);
    }
}

// ------------------------------------------------------------------------------------------------------------------ tandems

fn read(text: &str) -> Level {
    Cats::from_file(ron::from_str(text).expect("RON")).expect("a level")
}

const PAIR: &str = "(board: [\"a.R\", \"b..\"], legend: {'a': Shape(colour: red, tandem: 1), 'b': Shape(colour: blue, tandem: 1), 'R': Cat(red)})";

#[test]
fn a_tandem_of_one_is_an_error() {
    let level = read(&PAIR.replacen("tandem: 1", "tandem: 2", 1));
    let errors: Vec<_> = Cats::problems(&level).into_iter().filter(|p| p.severity == Severity::Error).collect();
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors.iter().all(|p| p.text.contains("linked to no other shape")), "{errors:?}");
    assert!(Cats::start(&level).is_err());
    assert!(Cats::problems(&read(PAIR)).is_empty());
}

#[test]
fn tandems_are_numbered_by_the_letters_and_written_as_version_2() {
    let text = "(board: [\"abcde.R\"], legend: {'a': Shape(colour: red), 'b': Shape(colour: red, tandem: 9), 'c': Shape(colour: red, tandem: 4), \
                'd': Shape(colour: red, tandem: 4), 'e': Shape(colour: red, lock: 1, tandem: 9), 'R': Cat(red)})";
    let level = read(text);
    assert_eq!(level.shapes.iter().map(|s| s.tandem).collect::<Vec<_>>(), [0, 1, 2, 2, 1]);
    let written = native::write(&Item::<Cats>::new("", level.clone()));
    assert!(written.contains("tilewright: 2,"), "{written}");
    assert!(written.replace([' ', '\n'], "").contains("'e':Shape(colour:red,lock:1,tandem:1,)"), "{written}");
    assert_eq!(native::read::<Cats>(&written).expect("a level").level, level);
    let newer = native::read::<Cats>(&written.replace("tilewright: 2", "tilewright: 3")).err().expect("a fault");
    assert!(newer.text.contains("a newer Tilewright wrote it"), "{newer}");
    let mut apart = level;
    apart.shapes.iter_mut().for_each(|s| s.tandem = 0);
    let written = native::write(&Item::<Cats>::new("", apart));
    assert!(written.contains("tilewright: 1,") && !written.contains("tandem"), "{written}");
}

#[test]
fn symmetries_carry_the_links_along() {
    let level = read(PAIR);
    for sym in Sym::ALL {
        let turned = Cats::turned(&level, sym).expect("all eight");
        assert!(turned.shapes.iter().all(|s| s.tandem == 1));
        assert_eq!(Cats::turned(&turned, sym.inverse()), Some(level.clone()));
    }
}

/// `a` is the equal of `b`, but linked to `c`, and so cannot take its place: `a` alone would need one step, `b` needs three.
#[test]
fn a_linked_shape_is_not_interchangeable_with_an_equal_one() {
    let text = "(board: [\"Ra..b\", \" c   \"], legend: {'a': Shape(colour: red, tandem: 1), 'b': Shape(colour: red), \
                'c': Shape(colour: red, tandem: 1), 'R': Cat(red)})";
    assert_eq!(compare(&read(text), 10_000), 2);
    let start = Cats::start(&read(text)).expect("playable");
    let outcome = Cats::solve(&read(text), &start, 0, &mut Probe::new(Limits::default()), &mut |_| ());
    assert_eq!(outcome, Outcome::Unsolvable, "a is in the way and cannot go");
}

#[test]
fn whole_tandems_that_are_equal_are_interchangeable() {
    let text = "(board: [\"a.c.R\", \"b.d.B\", \".....\"], legend: {'a': Shape(colour: red, tandem: 1), 'b': Shape(colour: blue, tandem: 1), \
                'c': Shape(colour: red, tandem: 2), 'd': Shape(colour: blue, tandem: 2), 'R': Cat(red), 'B': Cat(blue)})";
    for rule in ["stay", "leave"] {
        let mut level = read(text);
        Cats::set_rule(&mut level, "finished_shapes", &Value::from(rule));
        assert_eq!(compare(&level, 10_000), 2);
    }
}

#[test]
fn the_presets_have_no_tandems() {
    for preset in Cats::presets() {
        let values = preset.values.checked(&Cats::params()).expect("a preset");
        assert_eq!(values.number("tandems"), Some(0));
        let level = Cats::generate(&values, 3, &mut Probe::new(Limits::default())).expect("a level").level;
        assert!(level.shapes.iter().all(|s| s.tandem == 0));
    }
}

// ---------------------------------------------------------------------------------------------------- solvers against plain search

/// A shape in the way need not move: it leaves when another of its colour takes the last cat. A proof that overlooked this said 23.
#[test]
fn a_shape_that_leaves_with_its_colour_makes_way() {
    let text = "(board: [\"  b   R\", \" .c   .\", \"  ..a..\", \" ..    \", \"GR2    \"], legend: {\
                'a': Shape(colour: green), 'b': Shape(colour: red), 'c': Shape(colour: green), 'R': Cat(red), 'G': Cat(green), \
                '2': BlockerCat(green)})";
    let mut level = Cats::from_file(ron::from_str(text).expect("RON")).expect("a level");
    Cats::set_rule(&mut level, "finished_shapes", &Value::from("leave"));
    let start = Cats::start(&level).expect("a playable level");
    let outcome = Cats::solve(&level, &start, 0, &mut Probe::new(Limits::nodes(100_000)), &mut |_| ());
    assert!(matches!(&outcome, Outcome::Solved { line, optimal: true, .. } if line.len() == 21), "{outcome:?}");
}

/// A small random level: void holes, blockers, one to three colours, identical shapes, locks, blocker-cats, covered cats.
fn random_level(seed: u64) -> Level {
    let mut rng = rng(seed);
    // Every fourth is a crowd of three colours, where shapes are in each other's way; that takes plain search longest.
    let crowd = seed.is_multiple_of(4);
    let least = if crowd { 3 } else { 2 };
    let size = Size::new(rng.random_range(least..=5), rng.random_range(least..=5));
    let mut level = Level::blank(size);
    let chance = |rng: &mut dyn Rng, percent: u32| rng.random_range(0..100) < percent;
    for c in size.cells() {
        level.ground[c] = match rng.random_range(0..100) {
            0..8 if !crowd => Ground::Void,
            8..18 => Ground::Blocker,
            _ => Ground::Floor,
        };
    }
    let colours = if crowd { 3 } else { rng.random_range(1..=3usize) };
    let any = |rng: &mut dyn Rng| cell(rng.random_range(0..size.w as i16), rng.random_range(0..size.h as i16));
    let mut owned: Vec<Cell> = Vec::new();
    for _ in 0..rng.random_range(1..=if crowd { 9 } else { 4 }) {
        let mut cells = vec![any(&mut rng)];
        for _ in 0..rng.random_range(0..3) {
            let from = cells[rng.random_range(0..cells.len())];
            cells.push(from.neighbours()[rng.random_range(0..4)]);
        }
        let free = |c: &Cell| level.ground.get(*c) == Some(&Ground::Floor) && !owned.contains(c);
        if cells.iter().all(free) {
            owned.extend(&cells);
            let lock = if chance(&mut rng, 25) { rng.random_range(1..=2) } else { 0 };
            level.shapes.push(Shape::new(Colour::ALL[rng.random_range(0..colours)], lock, cells));
        }
    }
    // Every third has tandems of two or three members.
    if seed % 3 == 1 {
        for tandem in 1..=rng.random_range(1..=2u32) {
            let shapes = level.shapes.len().max(1);
            let members: Vec<usize> = (0..rng.random_range(2..=3)).map(|_| rng.random_range(0..shapes)).collect();
            let free = |i: &usize| level.shapes.get(*i).is_some_and(|s| s.tandem == 0);
            let members: BTreeSet<usize> = members.into_iter().filter(free).collect();
            if members.len() > 1 {
                members.iter().for_each(|i| level.shapes[*i].tandem = tandem);
            }
        }
    }
    for _ in 0..rng.random_range(1..=if crowd { 7 } else { 5 }) {
        let (at, colour) = (any(&mut rng), Colour::ALL[rng.random_range(0..colours)]);
        let stranger = level.shapes.iter().any(|s| s.colour != colour && s.cells.contains(&at));
        let covered = level.shapes.iter().any(|s| s.colour == colour && s.cells.contains(&at));
        if level.ground[at] == Ground::Void || level.cats.iter().any(|c| c.at == at) || stranger {
            continue;
        }
        if !covered || chance(&mut rng, 20) {
            level.cats.push(Cat { colour, at });
        }
    }
    level.finished = if chance(&mut rng, 50) { Finished::Leave } else { Finished::Stay };
    level.tidy();
    level
}

/// The fewest steps or drags by looking at everything: `Some(None)` is unsolvable, `None` too large to say.
fn plainly(level: &Level, start: &State, drags: bool, cap: usize) -> Option<Option<u32>> {
    let mut least: HashMap<(State, usize), u32> = HashMap::from([((start.clone(), usize::MAX), 0)]);
    let mut queue = VecDeque::from([(start.clone(), usize::MAX, 0)]);
    while let Some((state, last, cost)) = queue.pop_front() {
        if least[&(state.clone(), last)] < cost {
            continue;
        }
        if Cats::status(level, &state) == Status::Won {
            return Some(Some(cost));
        }
        if least.len() > cap {
            return None;
        }
        for step in Cats::legal_moves(level, &state) {
            let mut next = state.clone();
            Cats::play(level, &mut next, &step).expect("a legal move");
            // Steps cost 1 each; a drag costs 1 when another shape begins to move.
            let (mark, more) = if drags { (step.shape, u32::from(step.shape != last)) } else { (0, 1) };
            let known = least.entry((next.clone(), mark)).or_insert(u32::MAX);
            if cost + more < *known {
                *known = cost + more;
                let item = (next, mark, cost + more);
                if more == 0 { queue.push_front(item) } else { queue.push_back(item) }
            }
        }
    }
    Some(None)
}

fn replayed(level: &Level, start: &State, line: &[Step]) -> State {
    let mut state = start.clone();
    for step in line {
        Cats::play(level, &mut state, step).expect("a line of the solver is legal");
    }
    assert_eq!(Cats::status(level, &state), Status::Won);
    state
}

/// Compares one level for both goals; how many comparisons were made.
fn compare(level: &Level, cap: usize) -> u32 {
    let Ok(start) = Cats::start(level) else { return 0 };
    let mut made = 0;
    for goal in 0..2 {
        let Some(expected) = plainly(level, &start, goal == 1, cap) else { continue };
        made += 1;
        let mut probe = Probe::new(Limits::nodes(5_000_000));
        let mut costs: Vec<u32> = Vec::new();
        let outcome = Cats::solve(level, &start, goal, &mut probe, &mut |line| {
            replayed(level, &start, line);
            costs.push(Cats::counts(level, &start, line)[goal]);
        });
        let board = Cats::board_text(level, &start);
        match outcome {
            Outcome::Solved { line, optimal, bound, stopped, .. } => {
                replayed(level, &start, &line);
                let cost = Cats::counts(level, &start, &line)[goal];
                assert!(optimal && stopped.is_none() && bound == cost);
                assert_eq!(Some(cost), expected, "goal {goal}, {:?}\n{board}\n{level:?}", level.finished);
                assert_eq!(costs.last(), Some(&cost), "the last line found is the best");
                assert!(costs.is_sorted_by(|a, b| a > b), "each line found is better than the last");
            }
            Outcome::Unsolvable => assert_eq!(None, expected, "goal {goal}, {:?}\n{board}\n{level:?}", level.finished),
            Outcome::Stopped { .. } => panic!("stopped on a small level\n{board}"),
        }
    }
    made
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn both_goals_agree_with_plain_search_on_thousands_of_small_levels() {
    // CATS_LEVELS=100000 CATS_FROM=4000 CATS_CAP=100000 looks further.
    let (levels, first, cap) = (number("CATS_LEVELS", 4000), number("CATS_FROM", 0), number("CATS_CAP", 2000));
    let compared: u32 = (first..first + levels).map(|seed| compare(&random_level(seed), cap as usize)).sum();
    println!("{compared} comparisons");
    assert!(u64::from(compared) > levels / 2, "only {compared} comparisons");
}

/// Proofs that go on on all threads at once, with nothing known from other stages, in turns of any length.
#[test]
fn proofs_on_several_threads_agree_with_plain_search() {
    // CATS_LEVELS=100000 CATS_FROM=4000 CATS_CAP=20000 looks further.
    let (levels, first, cap) = (number("CATS_LEVELS", 3000), number("CATS_FROM", 0), number("CATS_CAP", 2000));
    let mut compared = [0; 2];
    for seed in first..first + levels {
        let level = random_level(seed);
        let Ok(start) = Cats::start(&level) else { continue };
        let (goal, threads) = (seed as usize % 2, 2 + seed as usize / 2 % 2);
        let Some(least) = plainly(&level, &start, goal == 1, cap as usize) else { continue };
        let stages = cats::stages(&level, &start, goal, seed % 3).stages;
        let mut proof = stages.into_iter().find(|s| s.name() == "proof").expect("a proof");
        let mode = Mode::Fast { threads };
        let mut probe = Probe::new(Limits::nodes(5_000_000)).with_mode(mode);
        let mut report = |_: u32, _: &[Step]| ();
        let mut known = Known::nothing(&mut report);
        let mut random = rng(seed);
        for turn in 0.. {
            // Longer with time: work beside the search begins again where a turn was too short for it.
            let nodes = u64::from(random.next_u32() % 4 + 1) << (turn / 4).min(16);
            match probe.turn(nodes, |p| proof.run(&mut known, p)).expect("enough nodes") {
                None | Some(Flow::Paused) => {}
                Some(Flow::Proven) => break,
                Some(Flow::Done) => panic!("a proof has not ended"),
            }
        }
        let line = known.line().map(<[Step]>::to_vec);
        let cost = line.map(|line| {
            replayed(&level, &start, &line);
            Cats::counts(&level, &start, &line)[goal]
        });
        assert_eq!(cost, least, "goal {goal}, {level:?}");
        assert!(least.is_none_or(|least| known.bound() <= least), "{level:?}");
        compared[goal] += 1;
    }
    println!("{compared:?} levels");
    assert!(compared.iter().all(|n| *n > levels / 8), "{compared:?}");
}

#[test]
fn solving_goes_on_from_the_middle_of_a_game() {
    for seed in 0..200 {
        let level = random_level(seed);
        let Ok(mut state) = Cats::start(&level) else { continue };
        for _ in 0..3 {
            let moves = Cats::legal_moves(&level, &state);
            let Some(step) = moves.get(seed as usize % moves.len().max(1)) else { break };
            Cats::play(&level, &mut state, step).expect("a legal move");
        }
        let Some(expected) = plainly(&level, &state, false, 3000) else { continue };
        let outcome = Cats::solve(&level, &state, 0, &mut Probe::new(Limits::nodes(1_000_000)), &mut |_| ());
        assert_eq!(outcome.line().map(|l| l.len() as u32), expected, "seed {seed}");
    }
}

#[test]
fn every_symmetry_keeps_both_minima() {
    for seed in 0..60 {
        let level = random_level(seed);
        let minima = |level: &Level| {
            let start = Cats::start(level).ok()?;
            Some([0, 1].map(|goal| {
                let outcome = Cats::solve(level, &start, goal, &mut Probe::new(Limits::nodes(1_000_000)), &mut |_| ());
                outcome.line().map(|l| Cats::counts(level, &start, l)[goal])
            }))
        };
        let own = minima(&level);
        for sym in Sym::ALL {
            assert_eq!(minima(&Cats::turned(&level, sym).expect("all eight")), own, "seed {seed} {sym:?}");
        }
    }
}

#[test]
fn limits_stop_the_solver_with_what_it_has() {
    let values = Cats::presets()[2].values.checked(&Cats::params()).expect("a preset");
    let level = Cats::generate(&values, 14, &mut Probe::new(Limits::default())).expect("a level").level;
    let start = Cats::start(&level).expect("playable");
    let mut probe = Probe::new(Limits::nodes(3000));
    let outcome = Cats::solve(&level, &start, 0, &mut probe, &mut |_| ());
    let Outcome::Solved { line, optimal: false, bound, stopped: Some(Stop::Nodes), .. } = outcome else {
        panic!("a line without its proof was expected");
    };
    assert!(bound > 20 && bound <= line.len() as u32);
    assert!(probe.progress.memory > 0 && probe.progress.nodes < 3010);
    let mut probe = Probe::new(Limits { memory: Some(300_000), nodes: Some(1_000_000), time: None });
    let outcome = Cats::solve(&level, &start, 0, &mut probe, &mut |_| ());
    assert!(matches!(
        outcome,
        Outcome::Solved { stopped: Some(Stop::Memory), .. } | Outcome::Stopped { by: Stop::Memory, .. }
    ));
}

// --------------------------------------------------------------------------------------------------------------- reference levels

#[test]
fn the_reference_levels_have_their_four_minima() {
    let Ok(expected) = std::fs::read_to_string("../shared/reference/cats/expected.txt") else {
        println!("no reference levels here: nothing compared");
        return;
    };
    for row in expected.lines().skip(1) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let text = std::fs::read_to_string(format!("../shared/reference/cats/{}.json", words[0])).expect("a level");
        let format = &Cats::formats()[0];
        assert!((format.recognises)(&text));
        let mut level = (format.read)(&text).expect("a level").remove(0).level;
        assert!(Cats::problems(&level).iter().all(|p| p.severity != Severity::Error));
        for (i, want) in words[1..].iter().enumerate() {
            let (rule, goal) = (["leave", "stay"][i % 2], 1 - i / 2);
            Cats::set_rule(&mut level, "finished_shapes", &Value::from(rule));
            let start = Cats::start(&level).expect("playable");
            let outcome = Cats::solve(&level, &start, goal, &mut Probe::new(Limits::nodes(3_000_000)), &mut |_| ());
            let got = match &outcome {
                Outcome::Solved { line, optimal: true, .. } => {
                    replayed(&level, &start, line);
                    Cats::counts(&level, &start, line)[goal].to_string()
                }
                Outcome::Unsolvable => "-1".into(),
                other => format!("{other:?}"),
            };
            assert_eq!(got, *want, "{} {rule} goal {goal}", words[0]);
        }
    }
}

// --------------------------------------------------------------------------------------------------------------- generated levels

fn generated_are_good(counts: [u64; 3]) {
    for (preset, count) in Cats::presets().iter().zip(counts) {
        let values = preset.values.checked(&Cats::params()).expect("a preset");
        for seed in 0..count {
            let make = || Cats::generate(&values, seed, &mut Probe::new(Limits::default())).expect("a level");
            let made = make();
            let start = Cats::start(&made.level).expect("playable");
            assert_eq!(Cats::problems(&made.level), [], "{} {seed}", preset.id);
            assert_eq!(Cats::status(&made.level, &start), Status::Playing);
            replayed(&made.level, &start, &made.line);
            assert_eq!(made.measured["cost"] as usize, made.line.len());
            if seed % 16 == 0 {
                assert_eq!(make().level, made.level, "{} {seed} twice", preset.id);
            }
        }
    }
}

#[test]
fn generated_levels_are_solved_and_the_same_every_time() {
    generated_are_good([100, 30, 8]);
}

#[test]
#[ignore = "minutes; run in release"]
fn a_thousand_levels_a_tier_are_solved() {
    generated_are_good([1000, 1000, 1000]);
}

#[test]
fn a_seed_is_a_level_forever() {
    // Changes here mean that Generate::VERSION must be counted up.
    let boards: Vec<String> = Cats::presets()
        .iter()
        .map(|p| {
            let values = p.values.checked(&Cats::params()).expect("a preset");
            let made = Cats::generate(&values, 1, &mut Probe::new(Limits::default())).expect("a level");
            Cats::board_text(&made.level, &Cats::start(&made.level).expect("playable"))
        })
        .collect();
    assert_eq!(boards.join("\n\n"), include_str!("golden/cats/seed-1.txt").trim_end_matches('\n'));
}

// ----------------------------------------------------------------------------------------------------------------- damaged files

const JSON: &str = r####"{"gridWidth":3,"gridHeight":2,"minimumMoves":1,"grid":[".##","###"],"shapes":[{"color":"None","originX":2,"originY":1,"draggable":false,"cells":[[0,0]]},{"color":"Red","originX":0,"originY":1,"draggable":true,"cells":[[0,0]],"unlockThreshold":1}],"cats":[{"color":"Red","gridX":1,"gridY":0,"onBlocker":false},{"color":"Red","gridX":2,"gridY":1,"onBlocker":true}]}"####;
const RON: &str = "(board: [\" .aa.\", \".R#1.\"], legend: {'a': Shape(colour: red, lock: 2), 'R': Cat(red), '1': BlockerCat(blue)}, over: [[\".R...\", \".....\"]])";

/// Replaces a stretch of a text, on character boundaries.
fn damaged(text: &str, at: usize, len: usize, with: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let at = at % letters.len();
    let end = (at + len).min(letters.len());
    letters[..at].iter().copied().chain(with.chars()).chain(letters[end..].iter().copied()).collect()
}

/// Whatever was read must bear being looked at, played and solved a little.
fn use_it(level: &Level) {
    let _ = Cats::problems(level);
    let again = Cats::from_file(Cats::to_file(level)).expect("what was read can be written and read");
    assert_eq!(again, Level { finished: Finished::Stay, ..level.clone() });
    if let Some(mut state) = Cats::arrange(level) {
        for step in Cats::legal_moves(level, &state) {
            let _ = Cats::play(level, &mut state, &step);
        }
        let _ = Cats::board_text(level, &state);
    }
    if let Ok(state) = Cats::start(level) {
        for goal in 0..2 {
            let _ = Cats::solve(level, &state, goal, &mut Probe::new(Limits::nodes(200)), &mut |_| ());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn damaged_json_never_panics(at in 0usize..600, len in 0usize..12, with in "[0-9\\-{}\\[\\]\",.:a-zA-Z#é]{0,6}") {
        let text = damaged(JSON, at, len, &with);
        let format = &Cats::formats()[0];
        let _ = (format.recognises)(&text);
        if let Ok(items) = (format.read)(&text) {
            items.iter().for_each(|i| use_it(&i.level));
        }
    }

    #[test]
    fn damaged_ron_never_panics(at in 0usize..200, len in 0usize..8, with in "[0-9\\-{}()\\[\\]\"',.: aR1#é]{0,4}") {
        if let Ok(file) = ron::from_str::<File>(&damaged(RON, at, len, &with))
            && let Ok(level) = Cats::from_file(file)
        {
            use_it(&level);
        }
    }

    #[test]
    fn wild_notation_never_panics(text in "[a-cA-C:URDLurdl \n0-9é]{0,20}") {
        let file = ron::from_str::<File>(RON).expect("RON");
        let level = Cats::from_file(file).expect("a level");
        if let Ok(line) = Cats::read_line(&level, &text) {
            let again = Cats::read_line(&level, &Cats::write_line(&level, &line));
            prop_assert_eq!(again, Ok(line));
        }
    }
}
