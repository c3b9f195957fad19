//! Sbokena's solver against plain breadth-first search over the rules, and against proven minima.

use rand::{RngExt as _, seq::IndexedRandom as _, seq::SliceRandom as _};
use rustc_hash::FxHashMap;
use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, atomic::AtomicBool},
};
use tilewright::{
    game::{Draft, Outcome, Rules, Solve, Status, rng},
    games::sbokena::{Level, Object, Sbokena, State, Tile, level_of, step},
    grid::{Cell, Dir, Size, cell},
    job::{Limits, Mode, Probe, Stop},
    search::driver::{Flow, Known},
};

const PUSHES: usize = 0;
const MOVES: usize = 1;
const ANY: usize = 2;

/// The least cost to a win over single moves through the rules, where a step costs 1 if `counted` says so and else 0.
fn plain(level: &Level, start: &State, pushes: bool) -> Option<u32> {
    let mut best: FxHashMap<State, u32> = FxHashMap::default();
    let mut queue = VecDeque::from([(start.clone(), 0u32)]);
    best.insert(start.clone(), 0);
    while let Some((state, cost)) = queue.pop_front() {
        if best.get(&state) != Some(&cost) {
            continue;
        }
        if Sbokena::status(level, &state) == Status::Won {
            return Some(cost);
        }
        for d in Dir::ALL {
            let Ok(s) = step(level, &state, d) else { continue };
            let mut next = state.clone();
            Sbokena::play(level, &mut next, &d).expect("legal");
            let price = u32::from(!pushes || s.pushed.is_some());
            let total = cost + price;
            if best.get(&next).is_none_or(|b| total < *b) {
                best.insert(next.clone(), total);
                if price == 0 { queue.push_front((next, total)) } else { queue.push_back((next, total)) }
            }
        }
    }
    None
}

/// A small random level with some of everything.
fn random_level(rng: &mut impl rand::Rng) -> Level {
    let size = Size::new(rng.random_range(3..8), rng.random_range(2..6));
    let mut level = Level::walls(size);
    let walls = rng.random_range(0.0..0.25);
    for c in size.cells() {
        if !rng.random_bool(walls) {
            level.set_tile(c, Tile::Floor);
        }
    }
    let floor = |level: &Level| level.tiles_where(|t| t == Tile::Floor);
    let dir = |rng: &mut dyn rand::Rng| Dir::ALL[rng.random_range(0..4usize)];
    let take = |level: &Level, rng: &mut dyn rand::Rng| -> Option<Cell> { floor(level).choose(rng).copied() };
    for door in 0..rng.random_range(0..3u32) {
        let Some(c) = take(&level, rng) else { break };
        level.set_tile(c, Tile::Door(door));
        for _ in 0..rng.random_range(1..3) {
            if let Some(c) = take(&level, rng) {
                level.set_tile(c, Tile::Button(door));
            }
        }
    }
    for pair in 0..rng.random_range(0..3u32) {
        // Portals mostly stand in walls, but may stand anywhere.
        let mut spots: Vec<Cell> =
            size.cells().filter(|c| matches!(level.tile(*c), Tile::Wall | Tile::Floor)).collect();
        spots.shuffle(rng);
        if let [a, b, ..] = spots[..] {
            for c in [a, b] {
                let d = dir(rng);
                level.set_tile(c, Tile::Portal(pair, d));
            }
        }
    }
    for _ in 0..rng.random_range(0..4) {
        if let Some(c) = take(&level, rng) {
            let d = dir(rng);
            level.set_tile(c, Tile::OneWay(d));
        }
    }
    let goals = if rng.random_bool(0.2) { 3 } else { rng.random_range(1..3) };
    for _ in 0..goals {
        if let Some(c) = take(&level, rng) {
            level.set_tile(c, Tile::Goal);
        }
    }
    let goals = level.goals().len();
    let boxes = goals + if rng.random_bool(0.3) { rng.random_range(1..3usize) } else { 0 };
    let boxes = boxes.min(3);
    let mut free: Vec<Cell> = level.tiles_where(Tile::holds_objects);
    free.shuffle(rng);
    for i in 0..=boxes {
        let Some(c) = free.pop() else { break };
        let object = if i == 0 {
            Object::Player
        } else if rng.random_bool(0.35) {
            Object::OneWayBox(dir(rng))
        } else {
            Object::Box
        };
        level.set_object(c, Some(object));
    }
    level
}

fn solve(level: &Level, start: &State, goal: usize) -> Outcome<Dir> {
    Sbokena::solve(level, start, goal, &mut Probe::new(Limits::nodes(2_000_000)), &mut |line| {
        let mut state = start.clone();
        assert!(line.iter().all(|d| Sbokena::play(level, &mut state, d).is_ok()), "every line found is legal");
        assert_eq!(Sbokena::status(level, &state), Status::Won, "and wins");
    })
}

fn cost(level: &Level, start: &State, outcome: &Outcome<Dir>, goal: usize) -> Option<u32> {
    match outcome {
        Outcome::Solved { line, optimal, bound, .. } => {
            let counts = Sbokena::counts(level, start, line);
            let cost = counts[Sbokena::GOALS[goal].count];
            assert!(goal == ANY || *optimal, "proven");
            assert!(*bound <= cost);
            Some(cost)
        }
        Outcome::Unsolvable => None,
        Outcome::Stopped { .. } => panic!("small levels are always decided"),
    }
}

fn show(level: &Level) -> String {
    let file = ron::ser::to_string_pretty(&Sbokena::to_file(level), ron::ser::PrettyConfig::default());
    file.unwrap_or_default()
}

#[test]
fn verdict_and_both_minima_agree_with_plain_search_on_3000_random_levels_with_every_special() {
    let mut rng = rng(20_261_116);
    let (mut tried, mut solvable, mut covered) = (0, 0, 0);
    let mut seen = [0u32; 6];
    while tried < 3_000 {
        let level = random_level(&mut rng);
        let Ok(start) = Sbokena::start(&level) else { continue };
        // Levels that one can see to be hopeless are part of the mix, but not most of it.
        let pushes = plain(&level, &start, true);
        let keep = match pushes {
            None => 0.02,
            Some(0) => 0.1,
            Some(1) => 0.25,
            Some(_) => 1.0,
        };
        if !rng.random_bool(keep) {
            continue;
        }
        tried += 1;
        let moves = plain(&level, &start, false);
        for (goal, want) in [(PUSHES, pushes), (MOVES, moves)] {
            let outcome = solve(&level, &start, goal);
            assert_eq!(cost(&level, &start, &outcome, goal), want, "{}\n{}", Sbokena::GOALS[goal].id, show(&level));
        }
        let any = solve(&level, &start, ANY);
        let any = cost(&level, &start, &any, ANY);
        assert_eq!(any.is_some(), pushes.is_some(), "any\n{}", show(&level));
        assert!(any >= pushes);
        if let Some(pushes) = pushes.filter(|p| *p > 1) {
            let has = |test: &dyn Fn(Tile) -> bool| !level.tiles_where(test).is_empty();
            let boxes = level.objects_where(Object::is_box).len();
            let marks = [
                has(&|t| matches!(t, Tile::Door(_))),
                has(&|t| matches!(t, Tile::Portal(..))),
                has(&|t| matches!(t, Tile::OneWay(_))),
                !level.objects_where(|o| matches!(o, Object::OneWayBox(_))).is_empty(),
                boxes > level.goals().len(),
                pushes > 5,
            ];
            for (n, mark) in seen.iter_mut().zip(marks) {
                *n += u32::from(mark);
            }
        }
        solvable += u32::from(pushes.is_some());
        covered += u32::from(pushes == Some(0));
    }
    println!(
        "{solvable} of {tried} solvable, {covered} start covered; doors, portals, one-way floors, one-way boxes, spare boxes, long: {seen:?}"
    );
    assert!(seen.iter().all(|n| *n >= 100), "no special case is left out: {seen:?}");
    assert!(solvable > 2000 && tried - solvable > 200 && covered > 20);
}

/// A small random level without special cells and without spare boxes, with the fewest pushes that solve it.
fn random_plain_level(rng: &mut impl rand::Rng) -> (Level, State, Option<u32>) {
    loop {
        let size = Size::new(rng.random_range(4..7), rng.random_range(4..7));
        let mut level = Level::walls(size);
        for c in size.cells() {
            if !rng.random_bool(0.15) {
                level.set_tile(c, Tile::Floor);
            }
        }
        let mut free = level.tiles_where(|t| t == Tile::Floor);
        free.shuffle(rng);
        if free.len() < 10 {
            continue;
        }
        let n = rng.random_range(2..4);
        for (i, c) in free.iter().enumerate().take(n + 1) {
            level.set_object(*c, Some(if i == 0 { Object::Player } else { Object::Box }));
        }
        free.shuffle(rng);
        for c in free.iter().take(n) {
            level.set_tile(*c, Tile::Goal);
        }
        let start = Sbokena::start(&level).expect("playable");
        let pushes = plain(&level, &start, true);
        if pushes.is_some_and(|w| w >= 4) || rng.random_bool(0.1) {
            return (level, start, pushes);
        }
    }
}

#[test]
fn plain_levels_agree_with_plain_search_where_corrals_prune() {
    let mut rng = rng(77);
    for _ in 0..400 {
        let (level, start, want) = random_plain_level(&mut rng);
        let outcome = solve(&level, &start, PUSHES);
        assert_eq!(cost(&level, &start, &outcome, PUSHES), want, "{}", show(&level));
    }
}

/// Two counts for each stage.
type Counts = BTreeMap<String, [u32; 2]>;

/// Runs every stage of every goal by itself, with nothing known, on one thread and on two, and holds what it says against the minima. Counts in `seen` the
/// answers and, among them, the proofs of stages that prove; in `finds` the solvable levels that need a push and, among them, the lines found of those that do not:
/// the best ones, of the stage that goes on until it finds no shorter one.
fn stages_alone(level: &Level, start: &State, minima: [Option<u32>; 2], seen: &mut Counts, finds: &mut Counts) {
    let modes = [Mode::Reproducible, Mode::Fast { threads: 2 }];
    for ((goal, info), mode) in Sbokena::GOALS.iter().enumerate().flat_map(|g| modes.map(|m| (g, m))) {
        for mut stage in Sbokena::stages(level, start, goal, mode).stages {
            let name = format!("{}: {}", info.id, stage.name());
            let report = &mut |_: u32, _: &[Dir]| ();
            let mut known = Known::nothing(report);
            let mut probe = Probe::new(Limits::nodes(2_000_000)).with_mode(mode);
            let flow = known.run(&mut *stage, &mut probe).expect("within the nodes");
            let want = minima[usize::from(goal == MOVES)];
            let got = known.line().map(|line| {
                let mut state = start.clone();
                assert!(line.iter().all(|d| Sbokena::play(level, &mut state, d).is_ok()), "{name}\n{}", show(level));
                assert_eq!(Sbokena::status(level, &state), Status::Won, "{name}\n{}", show(level));
                Sbokena::counts(level, start, line)[info.count]
            });
            assert!(known.bound() <= want.unwrap_or(u32::MAX), "{name}\n{}", show(level));
            if !stage.proves() {
                assert!(flow == Flow::Done && (got.is_none() || want.is_some()), "{name}\n{}", show(level));
                // What begins with all goals covered is answered without a search.
                if minima[0].is_some_and(|pushes| pushes > 0) {
                    let [solvable, found] = finds.entry(name).or_default();
                    *solvable += 1;
                    let wanted = if stage.name() == "fewer pushes" { got == minima[0] } else { got.is_some() };
                    *found += u32::from(wanted);
                }
                continue;
            }
            assert_eq!(got.is_some(), want.is_some(), "{name}\n{}", show(level));
            assert!(flow == Flow::Proven || got.is_some(), "{name}");
            if flow == Flow::Proven {
                assert_eq!(got, want, "{name}\n{}", show(level));
            }
            let [answers, proofs] = seen.entry(name).or_default();
            *answers += 1;
            *proofs += u32::from(flow == Flow::Proven);
        }
    }
}

#[test]
fn every_stage_alone_with_nothing_known_agrees_with_plain_search() {
    let mut rng = rng(11);
    let (mut seen, mut finds) = (BTreeMap::new(), BTreeMap::new());
    let mut special = 0;
    while special < 500 {
        let level = random_level(&mut rng);
        let Ok(start) = Sbokena::start(&level) else { continue };
        let pushes = plain(&level, &start, true);
        if rng.random_bool(if pushes.is_none_or(|p| p < 2) { 0.1 } else { 1.0 }) {
            stages_alone(&level, &start, [pushes, plain(&level, &start, false)], &mut seen, &mut finds);
            special += 1;
        }
    }
    for _ in 0..300 {
        let (level, start, pushes) = random_plain_level(&mut rng);
        stages_alone(&level, &start, [pushes, plain(&level, &start, false)], &mut seen, &mut finds);
    }
    println!("answers and proofs: {seen:?}");
    assert_eq!(seen.len(), 13);
    assert!(seen.values().all(|[answers, proofs]| *answers >= 200 && *proofs >= 20), "{seen:?}");
    // They drop only what is lost, so on small boards they miss next to nothing.
    println!("solvable levels and lines found: {finds:?}");
    let is_by_features = |name: &str| name.starts_with("any: features") || name.ends_with("fewer pushes");
    let by_features: Vec<_> = finds.iter().filter(|f| is_by_features(f.0)).collect();
    assert_eq!(by_features.len(), 9);
    assert!(
        by_features.iter().all(|(_, [solvable, found])| *solvable >= 100 && found * 50 >= solvable * 49),
        "{finds:?}"
    );
}

#[test]
fn a_proof_that_is_given_a_line_on_its_way_agrees_with_plain_search() {
    let mut rng = rng(23);
    let mode = Mode::Fast { threads: 2 };
    let mut given = 0;
    for _ in 0..300 {
        let (level, start, pushes) = random_plain_level(&mut rng);
        let any = solve(&level, &start, ANY);
        for (goal, want) in [(PUSHES, pushes), (MOVES, plain(&level, &start, false))] {
            let mut stages = Sbokena::stages(&level, &start, goal, mode).stages.into_iter();
            let mut proof = stages.find(|s| s.name() == "proof").expect("a proof");
            let report = &mut |_: u32, _: &[Dir]| ();
            let mut known = Known::nothing(report);
            let mut probe = Probe::new(Limits::nodes(2_000_000)).with_mode(mode);
            // On one thread at first; from the line on, in batches on two.
            let nodes = rng.random_range(1..6);
            loop {
                let end = probe.turn(nodes, |p| proof.run(&mut known, p)).expect("within the nodes");
                if end.is_some_and(|end| end != Flow::Paused) {
                    break;
                }
                if let Some(line) = any.line()
                    && known.line().is_none()
                    && rng.random_bool(0.5)
                {
                    let cost = Sbokena::counts(&level, &start, line)[Sbokena::GOALS[goal].count];
                    known.better(cost, line.to_vec(), &mut probe);
                    given += 1;
                }
            }
            let got = known.line().map(|line| Sbokena::counts(&level, &start, line)[Sbokena::GOALS[goal].count]);
            assert_eq!(got, want, "{}", show(&level));
        }
    }
    assert!(given > 150, "{given}");
}

/// A staircase on which up and right in turn push a box each: `steps` times two boxes, each a cell from its goal.
fn staircase(steps: i16) -> Level {
    let mut level = Level::walls(Size::new(steps as u16 + 5, steps as u16 + 5));
    let at = |x: i16, y: i16| cell(x + 1, steps + 3 - y);
    level.set_tile(at(0, 0), Tile::Floor);
    for k in 0..steps {
        for (from, to) in [(at(k, k + 1), at(k, k + 2)), (at(k + 1, k + 1), at(k + 2, k + 1))] {
            level.set_tile(from, Tile::Floor);
            level.set_object(from, Some(Object::Box));
            level.set_tile(to, Tile::Goal);
        }
    }
    level.set_object(at(0, 0), Some(Object::Player));
    level
}

#[test]
fn runs_of_two_keys_solve_staircases_of_boxes() {
    for steps in [4, 9, 20] {
        let level = staircase(steps);
        let start = Sbokena::start(&level).expect("playable");
        let mut stages = Sbokena::stages(&level, &start, ANY, Mode::Reproducible).stages.into_iter();
        let mut runs = stages.find(|s| s.name() == "runs").expect("a plain level");
        let report = &mut |_: u32, _: &[Dir]| ();
        let mut known = Known::nothing(report);
        let mut probe = Probe::new(Limits::nodes(100));
        // A turn of few nodes at a time: it goes on where it was.
        while known.line().is_none() && probe.progress.nodes < 100 {
            let _ = probe.turn(1, |probe| runs.run(&mut known, probe));
        }
        let line = known.line().expect("a line").to_vec();
        assert_eq!(line, [Dir::Up, Dir::Right].repeat(steps as usize), "{}", show(&level));
    }
}

/// An open floor with walls around it, and as many boxes and goals on random cells. Boxes do not begin at a wall, where most would be lost.
fn open_floor(side: u16, boxes: usize) -> (Level, State) {
    let mut rng = rng(u64::from(side) + boxes as u64);
    let mut level = Level::walls(Size::new(side, side));
    let inner = |c: &Cell| (1..side as i16 - 1).contains(&c.x) && (1..side as i16 - 1).contains(&c.y);
    let mut cells: Vec<Cell> = level.size().cells().filter(inner).collect();
    cells.shuffle(&mut rng);
    cells.iter().for_each(|c| level.set_tile(*c, Tile::Floor));
    cells[..boxes].iter().for_each(|c| level.set_tile(*c, Tile::Goal));
    let off_walls = |c: &Cell| (2..side as i16 - 2).contains(&c.x) && (2..side as i16 - 2).contains(&c.y);
    cells.retain(off_walls);
    cells.shuffle(&mut rng);
    cells[..boxes].iter().for_each(|c| level.set_object(*c, Some(Object::Box)));
    level.set_object(cells[boxes], Some(Object::Player));
    let start = Sbokena::start(&level).expect("playable");
    (level, start)
}

#[test]
fn a_cancelled_search_on_a_large_board_expands_nothing() {
    for (side, boxes) in [(64, 200), (128, 500)] {
        let (level, start) = open_floor(side, boxes);
        for goal in [PUSHES, MOVES, ANY] {
            let mut probe = Probe::cancelled_by(Limits::default(), Arc::new(AtomicBool::new(true)));
            let outcome = Sbokena::solve(&level, &start, goal, &mut probe, &mut |_| ());
            assert!(matches!(outcome, Outcome::Stopped { by: Stop::Cancelled, .. }), "{outcome:?}");
            assert_eq!(probe.progress.nodes, 0);
        }
    }
}

#[test]
fn a_small_memory_limit_is_kept_on_large_boards_by_weaker_tables() {
    let (level, start) = open_floor(64, 200);
    for goal in [PUSHES, ANY] {
        // Too little for a table of distances for each goal, enough for one and a few nodes.
        let limits = Limits { memory: Some(4 << 20), ..Limits::nodes(5) };
        let mut probe = Probe::new(limits);
        let outcome = Sbokena::solve(&level, &start, goal, &mut probe, &mut |_| ());
        assert!(matches!(outcome, Outcome::Stopped { bound: 1.., .. }), "{outcome:?}");
        assert!(probe.progress.nodes > 0 && probe.progress.memory <= 4 << 20, "{:?}", probe.progress);
    }
    // Too little even for the map.
    let limits = Limits { memory: Some(1 << 17), ..Limits::default() };
    let outcome = Sbokena::solve(&level, &start, PUSHES, &mut Probe::new(limits), &mut |_| ());
    assert_eq!(outcome, Outcome::Stopped { by: Stop::Memory, bound: 0 });
}

#[test]
fn a_crowded_board_that_is_lost_at_once_is_proven_so() {
    // Four boxes in a square off the goals never move again.
    let (level, start) = open_floor(128, 4000);
    for goal in [PUSHES, MOVES, ANY] {
        assert_eq!(solve(&level, &start, goal), Outcome::Unsolvable);
    }
}

#[test]
fn a_level_that_starts_covered_wants_one_step_or_a_way_back() {
    let level = level_of(&["#####", "#@ *#", "#####"], &[]).unwrap();
    let start = Sbokena::start(&level).unwrap();
    assert_eq!(cost(&level, &start, &solve(&level, &start, PUSHES), PUSHES), Some(0));
    assert_eq!(cost(&level, &start, &solve(&level, &start, MOVES), MOVES), Some(1));
    // No free step: the box must leave its goal, and cannot come back.
    let level = level_of(&["#####", "#@* #", "#####"], &[]).unwrap();
    let start = Sbokena::start(&level).unwrap();
    assert_eq!(solve(&level, &start, PUSHES), Outcome::Unsolvable);
    // Here it can: out, around, and back.
    let level = level_of(&["######", "#@* ##", "#### #", "######"], &[]).unwrap();
    let start = Sbokena::start(&level).unwrap();
    assert_eq!(cost(&level, &start, &solve(&level, &start, PUSHES), PUSHES), plain(&level, &start, true));
}

#[test]
fn limits_stop_the_search_by_name_and_keep_what_is_known() {
    let rows = ["#########", "#       #", "# $ $ $ #", "#   @   #", "# .$.$. #", "#  . .  #", "#########"];
    let level = level_of(&rows, &[]).unwrap();
    let start = Sbokena::start(&level).unwrap();
    let mut lines = 0;
    let outcome = Sbokena::solve(&level, &start, MOVES, &mut Probe::new(Limits::nodes(400)), &mut |_| lines += 1);
    match outcome {
        Outcome::Solved { optimal, bound, stopped, line, .. } => {
            assert!(!optimal && stopped.is_some() && lines > 0 && (bound as usize) < line.len());
        }
        Outcome::Stopped { bound, .. } => assert!(bound > 0),
        Outcome::Unsolvable => panic!("it is solvable"),
    }
    let again = |n| {
        let mut probe = Probe::new(Limits::nodes(n));
        Sbokena::solve(&level, &start, PUSHES, &mut probe, &mut |_| ())
    };
    assert_eq!(again(300), again(300), "the same limit gives the same answer");
}

#[test]
fn the_easy_half_of_microban_has_its_proven_minima() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/reference/sokoban");
    let (Ok(text), Ok(known)) = (
        std::fs::read_to_string(folder.join("microban1.xsb")),
        std::fs::read_to_string(folder.join("microban1.optimal-pushes.txt")),
    ) else {
        println!("reference microban1 is not here: skipped");
        return;
    };
    let format = Sbokena::formats().into_iter().find(|f| f.id == "sok").expect("the format");
    let items = (format.read)(&text).unwrap_or_else(|e| panic!("{e}"));
    let mut proven = 0;
    for line in known.lines() {
        let Some((n, Ok(want))) = line.split_once(' ').map(|(n, w)| (n, w.parse::<u32>())) else { continue };
        let level = &items[n.parse::<usize>().unwrap() - 1].level;
        let start = Sbokena::start(level).unwrap();
        let mut probe = Probe::new(Limits::nodes(8_000));
        if let Outcome::Solved { line, optimal: true, .. } =
            Sbokena::solve(level, &start, PUSHES, &mut probe, &mut |_| ())
        {
            assert_eq!(Sbokena::counts(level, &start, &line)[1], want, "Microban {n}");
            proven += 1;
        }
    }
    println!("{proven} proven within 8,000 nodes");
    assert!(proven >= 100, "{proven}");
}

/// A win by random moves, if one comes of them.
fn stumble(level: &Level, start: &State, rng: &mut impl rand::Rng) -> Option<Vec<Dir>> {
    let (mut state, mut line) = (start.clone(), Vec::new());
    for _ in 0..3_000 {
        let moves = Sbokena::legal_moves(level, &state);
        let dir = *moves.choose(rng)?;
        Sbokena::play(level, &mut state, &dir).ok()?;
        line.push(dir);
        if Sbokena::status(level, &state) == Status::Won {
            return Some(line);
        }
    }
    None
}

#[test]
fn a_line_is_shortened_step_by_step_to_one_that_wins_and_is_never_worse() {
    let mut rng = rng(23);
    let (mut lines, mut fewest, mut pushes, mut saved) = (0, 0, 0, 0);
    while lines < 120 {
        let level = if lines % 2 == 0 { random_level(&mut rng) } else { random_plain_level(&mut rng).0 };
        let Ok(start) = Sbokena::start(&level) else { continue };
        let pushes_of = |line: &[Dir]| Sbokena::counts(&level, &start, line)[Sbokena::GOALS[ANY].count];
        let Some(line) = stumble(&level, &start, &mut rng).filter(|l| pushes_of(l) > 0) else { continue };
        let least = plain(&level, &start, true).expect("it was won");
        let stages = Sbokena::stages(&level, &start, ANY, Mode::Fast { threads: 1 }).stages;
        let mut shorten = stages.into_iter().find(|s| s.improves()).expect("a stage that shortens");
        let first = pushes_of(&line);
        let mut last = u32::MAX;
        let mut report = |cost: u32, line: &[Dir]| {
            let mut state = start.clone();
            assert!(line.iter().all(|d| Sbokena::play(&level, &mut state, d).is_ok()), "{}", show(&level));
            assert_eq!(Sbokena::status(&level, &state), Status::Won, "{}", show(&level));
            assert_eq!(pushes_of(line), cost, "{}", show(&level));
            assert!(cost < last, "never worse");
            last = cost;
        };
        let mut probe = Probe::new(Limits::nodes(20_000));
        let mut known = Known::nothing(&mut report);
        known.better(first, line, &mut probe);
        let _ = known.run(&mut *shorten, &mut probe);
        let end = known.below();
        assert!(end >= least && end <= first, "{}", show(&level));
        lines += 1;
        fewest += u32::from(end == least);
        (pushes, saved) = (pushes + first, saved + first - end);
    }
    println!("{lines} lines of {pushes} pushes: {saved} saved; {fewest} have the fewest pushes there can be");
    assert!(fewest > 90, "{fewest} of {lines}");
}
