//! Readout's solver against plain search: every stage alone, boards, duels, limits.

use rand::{RngExt as _, seq::SliceRandom as _};
use rayon::prelude::*;
use std::collections::{HashMap, VecDeque};
use tilewright::{
    game::{Draft, Generate, Outcome, Rules, Severity, Solve, Status, Values, advance, reply, rng},
    games::readout::{Budget, Ending, File, Kind, Level, Move, Opponent, Readout, Square, State},
    grid::{Dir, Grid, Size, Sym},
    job::{Limits, Mode, Probe, Stop},
    search::driver::{Flow, Known},
};

fn level(rows: &[&str]) -> Level {
    let file = File { board: rows.iter().map(|r| r.to_string()).collect() };
    Readout::from_file(file).expect("a readable board")
}

fn start(level: &Level) -> State {
    Readout::start(level).expect("a playable level")
}

fn slide(tile: u8, dir: Dir) -> Move {
    Move::Slide { tile, dir }
}

/// Plays the moves of both sides as written.
fn play(level: &Level, state: &mut State, moves: &str) {
    for mv in Readout::read_line(level, moves).expect("notation") {
        Readout::play(level, state, &mv).unwrap_or_else(|r| panic!("{mv:?}: {}", r.text));
    }
}

fn solve(level: &Level, goal: usize, nodes: u64) -> Outcome<Move> {
    let state = Readout::arrange(level).expect("no doubles");
    Readout::solve(level, &state, goal, &mut Probe::new(Limits::nodes(nodes)), &mut |_| ())
}

/// Replays a line of a goal as the program does.
fn replayed(level: &Level, goal: usize, line: &[Move]) -> Status {
    let state = Readout::arrange(level).expect("no doubles");
    let (level, mut state) = Readout::replay_on(level, &state, goal).unwrap_or((level.clone(), state));
    for mv in line {
        advance::<Readout>(&level, &mut state, mv).unwrap_or_else(|r| panic!("{mv:?}: {}", r.text));
    }
    Readout::status(&level, &state)
}

/// Two slides from home: 23 and 24 to the left.
fn nearly() -> Level {
    level(&[" 1  2  3  4  5", " 6  7  8  9 10", "11 12 13 14 15", "16 17 18 19 20", "21 22  . 23 24"])
}

fn three() -> Level {
    level(&["1 2 3", "4 5 6", "7 . 8"])
}

fn literal() -> Level {
    Level::in_order(Size::new(5, 5), 1).with_rules(|r| {
        r.obstacle = Kind::Fill;
        r.life = 0;
        r.budget = Budget::Unlimited;
    })
}

fn generated(seed: u64) -> Level {
    let values = Values::default().checked(&Readout::params()).expect("defaults");
    let made = Readout::generate(&values, seed, &mut Probe::new(Limits::default()));
    made.unwrap_or_else(|_| panic!("seed {seed}")).level
}

type Plain = Vec<Square>;

/// All boards that slides lead to from one, with their distances: plain breadth-first search.
fn plain(size: Size, from: &Plain) -> HashMap<Plain, u32> {
    let mut known = HashMap::from([(from.clone(), 0)]);
    let mut queue = VecDeque::from([from.clone()]);
    while let Some(board) = queue.pop_front() {
        let cost = known[&board];
        for (i, square) in board.iter().enumerate() {
            if *square != Square::Gap {
                continue;
            }
            for n in size.cell(i).neighbours().into_iter().filter(|n| size.contains(*n)) {
                let j = size.index(n);
                if let Square::Digit(_) = board[j] {
                    let mut next = board.clone();
                    next.swap(i, j);
                    if !known.contains_key(&next) {
                        known.insert(next.clone(), cost + 1);
                        queue.push_back(next);
                    }
                }
            }
        }
    }
    known
}

fn board_level(size: Size, board: &Plain) -> Level {
    let squares = Grid::from_fn(size, |c| board[size.index(c)]);
    Level { squares, rules: three().rules }
}

fn agrees(size: Size, board: &Plain, expected: Option<u32>) {
    let level = board_level(size, board);
    match (solve(&level, 0, 5_000_000), expected) {
        (Outcome::Unsolvable, None) => (),
        (Outcome::Solved { line, optimal: true, bound, .. }, Some(cost)) => {
            assert_eq!((line.len() as u32, bound), (cost, cost), "{board:?}");
            assert_eq!(replayed(&level, 0, &line), Status::Won, "{board:?}");
        }
        (outcome, expected) => panic!("{board:?}: {outcome:?}, expected {expected:?}"),
    }
}

fn permutations(n: usize) -> Vec<Vec<u8>> {
    let mut out = vec![Vec::new()];
    for k in 0..n as u8 {
        out = out
            .into_iter()
            .flat_map(|p: Vec<u8>| {
                (0..=p.len()).map(move |i| {
                    let mut q = p.clone();
                    q.insert(i, k);
                    q
                })
            })
            .collect();
    }
    out
}

#[test]
fn all_181440_sortable_3x3_boards_are_solved_optimally_and_all_others_reported_unsolvable() {
    let size = Size::new(3, 3);
    let square = |n: u8| if n == 8 { Square::Gap } else { Square::Digit(n + 1) };
    let goal: Plain = (0..9).map(square).collect();
    let table = plain(size, &goal);
    assert_eq!(table.len(), 181_440);
    let boards = permutations(9);
    assert_eq!(boards.len(), 362_880);
    boards.par_iter().for_each(|p| {
        let board: Plain = p.iter().map(|n| square(*n)).collect();
        agrees(size, &board, table.get(&board).copied());
    });
}

#[test]
fn boards_with_two_gaps_agree_with_plain_search() {
    let size = Size::new(3, 3);
    let square = |n: u8| if n >= 7 { Square::Gap } else { Square::Digit(n + 1) };
    let goal: Plain = (0..9).map(square).collect();
    let table = plain(size, &goal);
    assert_eq!(table.len(), 181_440, "with two gaps everything can be reached");
    let mut random = rng(2);
    let boards: Vec<Plain> = (0..2000)
        .map(|_| {
            let mut board = goal.clone();
            board.shuffle(&mut random);
            board
        })
        .collect();
    boards.par_iter().for_each(|board| agrees(size, board, table.get(board).copied()));
}

#[test]
fn boards_with_fixed_tiles_and_any_number_of_gaps_agree_with_plain_search() {
    let mut random = rng(3);
    let mut cases = Vec::new();
    for _ in 0..260 {
        let size = if random.random_bool(0.3) { Size::new(4, 3) } else { Size::new(3, 3) };
        let fixed = random.random_range(if size.w == 4 { 3..=5 } else { 1..=4 });
        let gaps = random.random_range(1..=3);
        let digits = (size.area() - fixed - gaps) as u8;
        let mut board: Plain = vec![Square::Fixed; fixed];
        board.extend(vec![Square::Gap; gaps]);
        board.extend((1..=digits).map(Square::Digit));
        board.shuffle(&mut random);
        cases.push((size, board));
    }
    let tally: Vec<bool> = cases
        .par_iter()
        .map(|(size, board)| {
            let target = board_level(*size, board).target().values().to_vec();
            let reached = plain(*size, board).get(&target).copied();
            agrees(*size, board, reached);
            reached.is_some()
        })
        .collect();
    assert!(
        tally.iter().filter(|t| **t).count() > 20 && tally.iter().filter(|t| !**t).count() > 20,
        "both kinds occur"
    );
}

#[test]
fn with_the_centre_of_a_3x3_fixed_only_56_boards_can_be_sorted() {
    let size = Size::new(3, 3);
    let all = permutations(8);
    let sortable = all
        .par_iter()
        .filter(|p| {
            let mut tiles = p.iter().map(|n| if *n == 7 { Square::Gap } else { Square::Digit(n + 1) });
            let board: Plain =
                (0..9).map(|i| if i == 4 { Square::Fixed } else { tiles.next().expect("eight") }).collect();
            !Readout::problems(&board_level(size, &board)).iter().any(|p| p.severity == Severity::Error)
        })
        .count();
    assert_eq!((all.len(), sortable), (40_320, 56));
}

#[test]
fn larger_boards_are_solved_as_short_as_the_walk_that_made_them_or_shorter() {
    for (w, h) in [(4, 4), (5, 4), (5, 5), (6, 6), (3, 6)] {
        for seed in 0..4 {
            let values = Values::default().with("width", w).with("height", h).with("walk", 20 + 2 * seed as i64);
            let values = values.checked(&Readout::params()).expect("in range");
            let made = Readout::generate(&values, seed, &mut Probe::new(Limits::default())).expect("easy to make");
            let Outcome::Solved { line, optimal: true, .. } = solve(&made.level, 0, 20_000_000) else {
                panic!("not proven")
            };
            assert!(line.len() as u64 <= 20 + 2 * seed && line.len() % 2 == 0);
            assert_eq!(replayed(&made.level, 0, &line), Status::Won);
        }
    }
}

#[test]
fn a_board_in_order_is_distance_0() {
    let practice = Level::in_order(Size::new(5, 5), 1);
    assert_eq!(solve(&practice, 0, 1000), Outcome::optimal(Vec::new(), 0));
    assert_eq!(replayed(&practice, 0, &[]), Status::Won, "on its stage nothing is left to do");
}

#[test]
fn a_stopped_search_says_what_stopped_it_and_keeps_a_proven_bound() {
    let hard = level(&["12 3 9 22 1", "18 24 4 14 19", "21 5 15 . 10", "8 13 6 2 17", "7 23 16 20 11"]);
    match solve(&hard, 0, 400_000) {
        Outcome::Solved { line, optimal: false, bound, stopped: Some(stop), .. } => {
            assert_eq!(stop.name(), "nodes");
            assert!(bound <= 95 && line.len() >= 95 && line.len() < 150, "its optimum is 95");
            assert_eq!(replayed(&hard, 0, &line), Status::Won, "the move limit of 60 does not count here");
        }
        other => panic!("{other:?}"),
    }
    let mut probe = Probe::new(Limits::nodes(10));
    let state = Readout::arrange(&hard).expect("no doubles");
    assert!(matches!(Readout::solve(&hard, &state, 0, &mut probe, &mut |_| ()), Outcome::Stopped { .. }));
}

#[test]
fn a_duel_is_won_by_a_line_of_the_players_moves_alone() {
    let mut wins = 0;
    for (seed, opponent) in [(1, Opponent::Easy), (2, Opponent::Medium), (3, Opponent::Medium), (4, Opponent::Easy)] {
        let values = Values::default().with("distance", 10).with("width", 4).with("height", 4);
        let values = values.checked(&Readout::params()).expect("in range");
        let made = Readout::generate(&values, seed, &mut Probe::new(Limits::default())).expect("easy to make");
        let level = made.level.with_rules(|r| r.opponent = opponent);
        if let Outcome::Solved { line, bound, .. } = solve(&level, 1, 3_000_000) {
            assert!(line.iter().all(|m| matches!(m, Move::Slide { .. })));
            assert!(line.len() as u32 >= bound && bound >= 10);
            assert_eq!(replayed(&level, 1, &line), Status::Won);
            wins += 1;
        }
    }
    assert_eq!(wins, 4);
}

#[test]
fn advice_in_a_duel_is_a_legal_slide_even_where_the_next_one_home_is_pinned() {
    // One slide from home, and that one is pinned: fewest slides would still name it.
    let level = nearly().with_rules(|r| r.opponent = Opponent::Hard);
    let mut state = start(&level);
    play(&level, &mut state, "23L pin24");
    let advice = |level: &Level, state: &State| {
        let advice = Readout::advise(level, state, &mut Probe::new(Limits::nodes(50_000))).expect("some slide");
        assert!(state.slides().contains(&advice[0]), "{advice:?} is legal in {state:?}");
        advice[0]
    };
    assert_ne!(advice(&level, &state), slide(24, Dir::Left));

    // Whole duels by advice alone: every slide is legal, and small boards are won against each opponent.
    for opponent in [Opponent::Easy, Opponent::Medium, Opponent::Hard] {
        let level = self::level(&["1 2 3", "4 6 .", "7 5 8"]).with_rules(|r| r.opponent = opponent);
        let mut state = start(&level);
        let mut pinned = 0;
        while Readout::status(&level, &state) == Status::Playing {
            pinned += usize::from(!state.obstacles.is_empty());
            let mv = advice(&level, &state);
            advance::<Readout>(&level, &mut state, &mv).expect("legal");
        }
        assert!(pinned > 0, "{opponent:?} has put something in the way");
        assert_eq!(Readout::status(&level, &state), Status::Won, "{opponent:?}");
    }
    // With the opponent off it is the whole way.
    let alone = three().with_rules(|r| r.opponent = Opponent::None);
    assert_eq!(
        Readout::advise(&alone, &start(&alone), &mut Probe::new(Limits::nodes(50_000))),
        Some(vec![slide(8, Dir::Left)])
    );
}

#[test]
fn a_duel_against_nobody_is_the_slides_within_the_limit() {
    let alone = nearly().with_rules(|r| r.opponent = Opponent::None);
    assert!(matches!(solve(&alone, 1, 1000), Outcome::Solved { line, optimal: true, .. } if line.len() == 2));
    let short = alone.with_rules(|r| r.move_limit = Some(1));
    assert_eq!(solve(&short, 1, 1000), Outcome::Unsolvable);
    assert!(matches!(solve(&short, 0, 1000), Outcome::Solved { .. }), "slides ignores the limit");
}

#[test]
fn a_duel_nobody_can_win_is_proven_hopeless() {
    let level = nearly().with_rules(|r| r.move_limit = Some(2));
    assert_eq!(solve(&level, 1, 100_000), Outcome::Unsolvable, "Medium pins 24 at the last turn");
    assert_eq!(solve(&literal(), 1, 100_000), Outcome::Unsolvable, "the literal game is a draw at best");
}

#[test]
fn duels_on_tiny_boards_agree_with_plain_search_over_all_lines() {
    fn shortest(level: &Level, states: Vec<State>, turns: u32) -> Option<u32> {
        let mut layer = states;
        for turn in 1..=turns {
            let mut next = Vec::new();
            for state in &layer {
                for mv in Readout::legal_moves(level, state) {
                    let mut after = state.clone();
                    advance::<Readout>(level, &mut after, &mv).expect("legal");
                    match after.ending {
                        Some(Ending::Won) => return Some(turn),
                        None => next.push(after),
                        _ => (),
                    }
                }
            }
            layer = next;
        }
        None
    }
    let mut random = rng(8);
    for seed in 0..24u64 {
        let opponent = [Opponent::Easy, Opponent::Medium, Opponent::Hard][seed as usize % 3];
        let values = Values::default().with("width", 3).with("height", 3).with("walk", random.random_range(2..8));
        let values = values.checked(&Readout::params()).expect("in range");
        let made = Readout::generate(&values, seed, &mut Probe::new(Limits::default())).expect("easy to make");
        let level = made.level.with_rules(|r| {
            r.opponent = opponent;
            r.move_limit = Some(9);
            r.obstacle = if seed % 2 == 0 { Kind::Pin } else { Kind::Fill };
        });
        let expected = shortest(&level, vec![start(&level)], 9);
        match (solve(&level, 1, 10_000_000), expected) {
            (Outcome::Unsolvable, None) => (),
            (Outcome::Solved { line, optimal: true, .. }, Some(turns)) => {
                // Turns count passes too, the cost only slides; both are least together where there are no passes.
                assert!(line.len() as u32 <= turns);
                assert_eq!(replayed(&level, 1, &line), Status::Won);
            }
            (outcome, expected) => panic!("seed {seed}: {outcome:?}, expected {expected:?}"),
        }
    }
}

#[test]
fn the_mirror_image_needs_as_many_slides() {
    for seed in 0..5 {
        let level = generated(seed).with_rules(|r| r.opponent = Opponent::None);
        let mirrored = Readout::turned(&level, Sym::TRANSPOSE).expect("a square board with one gap");
        assert_eq!(Readout::turned(&mirrored, Sym::TRANSPOSE).as_ref(), Some(&level));
        let cost = |l: &Level| solve(l, 0, 10_000_000).line().map(<[Move]>::len);
        assert_eq!(cost(&level), cost(&mirrored));
    }
    let two = level(&["1 2 3", "4 5 6", "7 . ."]).with_rules(|r| r.opponent = Opponent::None);
    assert_eq!(Readout::turned(&two, Sym::TRANSPOSE), None, "the places of two gaps do not mirror");
}

// ------------------------------------------------------------------------------------------------------------ stages alone, limits

const SLIDES: usize = 0;
const DUEL: usize = 1;

/// Runs each proving stage by itself, with nothing known, in turns of the driver's length and in short ones, reproducibly and on two threads: what it proves is this.
fn proves_alone(level: &Level, goal: usize, expected: Option<u32>) {
    let state = Readout::arrange(level).expect("no doubles");
    let plan = Readout::stages(level, &state, goal, Mode::Reproducible);
    let modes = [Mode::Reproducible, Mode::Fast { threads: 2 }];
    let names: Vec<_> = plan.stages.iter().filter(|s| s.proves()).map(|s| s.name()).collect();
    assert!(!names.is_empty());
    for name in names {
        for (turn, mode) in [u64::MAX, 50].into_iter().flat_map(|turn| modes.map(|mode| (turn, mode))) {
            let plan = Readout::stages(level, &state, goal, mode);
            let mut stage = plan.stages.into_iter().find(|s| s.name() == name).expect("the same stages");
            let mut probe = Probe::new(Limits::nodes(20_000_000)).with_mode(mode);
            let mut report = |_: u32, _: &[Move]| ();
            let mut known = Known::nothing(&mut report);
            let mut nodes = turn;
            let end = loop {
                match probe.turn(nodes, |p| known.run(&mut *stage, p)).expect("enough nodes") {
                    Some(end) => break end,
                    // A duel's turn must be long enough for one thought.
                    None => nodes = nodes.saturating_mul(2),
                }
            };
            assert_eq!(end, Flow::Proven, "{name}: {level:?}");
            let line = known.line().map(<[Move]>::to_vec);
            assert_eq!(line.as_ref().map(|l| l.len() as u32), expected, "{name}: {level:?}");
            assert!(known.bound() <= expected.unwrap_or(u32::MAX), "{name}: {level:?}");
            if let Some(line) = line {
                assert_eq!(replayed(level, goal, &line), Status::Won, "{name}: {level:?}");
            }
        }
    }
}

/// The fewest slides that win against the opponent, by plain search over the contract.
fn plain_duel(level: &Level) -> Option<u32> {
    let mut seen = std::collections::HashSet::new();
    let mut layer = vec![Readout::arrange(level).expect("no doubles")];
    for slides in 0.. {
        let mut next = Vec::new();
        for state in &layer {
            match Readout::status(level, state) {
                Status::Won => return Some(slides),
                Status::Playing => {}
                _ => continue,
            }
            for mv in Readout::legal_moves(level, state) {
                let mut after = state.clone();
                advance::<Readout>(level, &mut after, &mv).expect("legal");
                (after.last, after.slid, after.forced) = (None, None, false);
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

/// A board of the game itself, some random slides from home, none of which undoes the one before.
fn walked(slides: u32, seed: u64) -> Level {
    let mut level = Level::in_order(Size::new(5, 5), 1).with_rules(|r| r.opponent = Opponent::None);
    let mut state = start(&level);
    let (mut random, mut last) = (rng(seed), 0);
    for _ in 0..slides {
        let tile = |mv: &Move| if let Move::Slide { tile, .. } = mv { *tile } else { 0 };
        let legal = Readout::legal_moves(&level, &state);
        let legal: Vec<&Move> = legal.iter().filter(|mv| tile(mv) != last).collect();
        let mv = legal[random.random_range(0..legal.len())];
        last = tile(mv);
        Readout::play(&level, &mut state, mv).expect("legal");
        state.ending = None;
    }
    level.squares = state.squares;
    level
}

#[test]
fn the_proof_that_leaves_out_detours_and_shares_out_its_rounds_agrees_with_the_plain_one() {
    let mut shared = 0;
    for seed in 0..24 {
        let level = walked(90, seed);
        let state = Readout::arrange(&level).expect("no doubles");
        let alone = |mode| {
            let plan = Readout::stages(&level, &state, SLIDES, mode);
            let mut stage = plan.stages.into_iter().find(|s| s.name() == "proof").expect("a proof");
            let mut probe = Probe::new(Limits::nodes(2_000_000)).with_mode(mode);
            let mut report = |_: u32, _: &[Move]| ();
            let mut known = Known::nothing(&mut report);
            let end = known.run(&mut *stage, &mut probe);
            let line = known.line().map(<[Move]>::to_vec);
            (end, line, known.bound(), probe.progress.nodes)
        };
        let (end, line, bound, nodes) = alone(Mode::Reproducible);
        let fast = alone(Mode::Fast { threads: 2 });
        let Ok(Flow::Proven) = end else {
            assert!(fast.2 >= bound, "seed {seed}: a bound of {} instead of {bound}", fast.2);
            continue;
        };
        assert_eq!((fast.0, fast.2), (end, bound), "seed {seed}");
        assert_eq!(fast.1.as_ref().map(Vec::len), line.map(|l| l.len()), "seed {seed}");
        assert_eq!(replayed(&level, SLIDES, &fast.1.expect("a line")), Status::Won, "seed {seed}");
        shared += u32::from(nodes > 20_000);
    }
    assert!(shared >= 6, "only {shared} boards were far enough for rounds to be shared out");
}

/// Threads, and pauses in the middle of windows, change what is looked at next but nothing else.
#[test]
fn windows_shorten_the_line_of_a_narrow_beam_and_what_they_give_wins() {
    for (threads, pause) in [(1, u64::MAX), (1, 1_000), (2, u64::MAX), (2, 10_000), (3, 5_000)] {
        let mut shorter = 0;
        for seed in 0..6 {
            let level = walked(200, seed);
            let state = Readout::arrange(&level).expect("no doubles");
            let mode = Mode::Fast { threads };
            let mut plan = Readout::stages(&level, &state, SLIDES, mode);
            let mut probe = Probe::new(Limits::nodes(4_000_000)).with_mode(mode);
            let mut lines: Vec<Vec<Move>> = Vec::new();
            let mut report = |_: u32, line: &[Move]| lines.push(line.to_vec());
            let mut known = Known::nothing(&mut report);
            let stage = |name: &str| plan.stages.iter().position(|s| s.name() == name).expect("such a stage");
            let (beams, windows) = (stage("beams"), stage("windows"));
            while known.line().is_none() {
                assert_eq!(plan.stages[beams].run(&mut known, &mut probe), Ok(Flow::Paused));
            }
            let (before, mut turns) = (known.below(), 0);
            while turns < 3 {
                match probe.turn(pause, |p| plan.stages[windows].run(&mut known, p)) {
                    Ok(None) => assert!(pause < u64::MAX, "enough nodes"),
                    end => {
                        assert_eq!(end, Ok(Some(Flow::Paused)));
                        turns += 1;
                    }
                }
            }
            shorter += u32::from(known.below() < before);
            assert!(lines.windows(2).all(|two| two[1].len() < two[0].len()), "each line beats the one before");
            for line in &lines {
                assert_eq!(replayed(&level, SLIDES, line), Status::Won, "seed {seed}");
            }
        }
        assert!(shorter >= 4, "{shorter} of 6 lines became shorter with {threads} threads");
    }
}

#[test]
fn the_proof_of_the_fewest_slides_is_right_alone() {
    let mut random = rng(11);
    let mut cases = Vec::new();
    for n in 0..90 {
        let (w, h) = [(3, 3), (4, 3), (3, 4)][n % 3];
        let size = Size::new(w, h);
        let fixed = random.random_range(if w * h == 12 { 3..=5 } else { 0..=4 });
        let gaps = random.random_range(1..=3);
        let mut board: Plain = vec![Square::Fixed; fixed];
        board.extend(vec![Square::Gap; gaps]);
        board.extend((1..=(size.area() - fixed - gaps) as u8).map(Square::Digit));
        board.shuffle(&mut random);
        cases.push((size, board));
    }
    let solvable: usize = cases
        .par_iter()
        .map(|(size, board)| {
            let level = board_level(*size, board);
            let least = plain(*size, board).get(level.target().values()).copied();
            proves_alone(&level, SLIDES, least);
            // Against nobody, a limit on the moves counts, and a board in order must be left.
            for limit in [Some(4), least.map(|l| l.max(1) as u16)] {
                let alone = level.clone().with_rules(|r| (r.opponent, r.move_limit) = (Opponent::None, limit));
                if least != Some(0) {
                    proves_alone(&alone, DUEL, least.filter(|l| limit.is_none_or(|m| *l <= u32::from(m))));
                }
            }
            usize::from(least.is_some())
        })
        .sum();
    assert!((5..85).contains(&solvable), "{solvable} of 90 are solvable");
}

#[test]
fn the_proof_of_a_walk_on_5x5_is_right_alone() {
    for seed in 0..18 {
        let (walk, gaps) = if seed < 12 { (1 + seed as i64, 1) } else { (seed as i64 - 11, 2) };
        let values = Values::default().with("walk", walk).with("gaps", gaps);
        let values = values.checked(&Readout::params()).expect("in range");
        let made = Readout::generate(&values, seed, &mut Probe::new(Limits::default())).expect("easy to make");
        let alone = made.level.clone().with_rules(|r| (r.opponent, r.move_limit) = (Opponent::None, Some(walk as u16)));
        proves_alone(&made.level, SLIDES, plain_duel(&alone));
    }
}

#[test]
fn the_proof_of_a_duel_is_right_alone() {
    let mut random = rng(12);
    let cases: Vec<(u64, i64, i64)> =
        (0..120).map(|n| (n, random.random_range(1..9), random.random_range(1..=2))).collect();
    let won: usize = cases
        .par_iter()
        .map(|&(seed, walk, gaps)| {
            let values = Values::default().with("width", 3).with("height", 3).with("walk", walk).with("gaps", gaps);
            let values = values.checked(&Readout::params()).expect("in range");
            let made = Readout::generate(&values, seed, &mut Probe::new(Limits::default())).expect("easy to make");
            let level = made.level.with_rules(|r| {
                r.opponent = [Opponent::Easy, Opponent::Medium, Opponent::Hard][seed as usize % 3];
                r.move_limit = Some(if gaps == 1 { 9 } else { 6 });
                r.obstacle = if seed / 3 % 2 == 0 { Kind::Pin } else { Kind::Fill };
                r.at_once = 1 + seed as u16 / 6 % 2;
                r.life = seed as u16 / 12 % 3;
            });
            let least = plain_duel(&level);
            proves_alone(&level, DUEL, least);
            usize::from(least.is_some())
        })
        .sum();
    assert!((20..110).contains(&won), "{won} of 120 can be won");
}

#[test]
fn a_duel_without_a_move_limit_comes_to_an_end() {
    // A pin on the winning tile every turn: nobody wins, and no turn is the last one.
    let pinned = three().with_rules(|r| {
        (r.opponent, r.move_limit) = (Opponent::Medium, None);
        (r.budget, r.cooldown, r.turn_clock) = (Budget::Unlimited, Some(0), 30);
    });
    let ring = level(&["1 2 3", "4 # 5", ". 6 7"]).with_rules(|r| r.clone_from(&pinned.rules));
    assert_eq!(solve(&ring, DUEL, 3_000_000), Outcome::Unsolvable);
    // On a larger board the beams widen and the proof has its turns although no beam runs dry.
    let level = nearly().with_rules(|r| r.clone_from(&pinned.rules));
    match solve(&level, DUEL, 1_000_000) {
        Outcome::Stopped { bound, .. } | Outcome::Solved { bound, .. } => assert!(bound > 2, "{bound}"),
        Outcome::Unsolvable => {}
    }
}

#[test]
fn a_duel_counts_the_opponents_nodes_and_keeps_the_limit_to_the_node() {
    for opponent in [Opponent::Medium, Opponent::Hard] {
        let level = generated(5).with_rules(|r| r.opponent = opponent);
        let state = start(&level);
        for nodes in [1, 50, 777, 20_000] {
            let mut probe = Probe::new(Limits::nodes(nodes));
            let outcome = Readout::solve(&level, &state, DUEL, &mut probe, &mut |_| ());
            assert_eq!(probe.progress.nodes, nodes, "{outcome:?}");
            let mut probe = Probe::new(Limits::nodes(nodes));
            Readout::advise(&level, &state, &mut probe).expect("some slide");
            assert!(probe.progress.nodes <= nodes);
        }
        // A reply that the limit cuts off is none; one that it does not cut off is the same as without a limit.
        let mut after = state.clone();
        Readout::play(&level, &mut after, &state.slides()[0]).expect("legal");
        let mut whole = Probe::new(Limits::default());
        let answer = reply::<Readout>(&level, &after, &mut whole);
        assert!(whole.progress.nodes > 20);
        for nodes in 0..whole.progress.nodes.min(3_000) {
            let reply = reply::<Readout>(&level, &after, &mut Probe::new(Limits::nodes(nodes)));
            assert!(reply.is_none() || nodes > whole.progress.nodes, "{opponent:?} answers with {nodes} nodes");
        }
        let enough = Limits::nodes(whole.progress.nodes + 1);
        assert_eq!(reply::<Readout>(&level, &after, &mut Probe::new(enough)), answer);
    }
}

#[test]
fn small_limits_are_kept_while_tables_are_built() {
    let level = level(&["1 2 3 4 5 6", "7 8 9 10 11 12", "13 14 15 16 . 17"]);
    let state = Readout::arrange(&level).expect("no doubles");
    let stopped = |limits: Limits| {
        let outcome = Readout::solve(&level, &state, SLIDES, &mut Probe::new(limits), &mut |_| ());
        match outcome {
            Outcome::Stopped { by, .. } => Some(by),
            _ => None,
        }
    };
    let memory = |bytes| Limits { memory: Some(bytes), ..Limits::default() };
    assert_eq!(stopped(memory(1000)), Some(Stop::Memory));
    assert_eq!(stopped(Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() }), Some(Stop::Time));
    assert_eq!(stopped(memory(64 << 20)), None);
}

#[test]
fn opponents_go_by_tile_numbers_so_only_boards_without_one_have_a_mirror_image() {
    let easy = |seed| {
        let values = Values::default().with("width", 3).with("height", 3).with("walk", 9);
        let values = values.checked(&Readout::params()).expect("in range");
        let made = Readout::generate(&values, seed, &mut Probe::new(Limits::default())).expect("easy to make");
        made.level.with_rules(|r| (r.opponent, r.move_limit) = (Opponent::Easy, Some(14)))
    };
    let against_nobody = |level: &Level| level.clone().with_rules(|r| r.opponent = Opponent::None);
    let differs = |level: &Level| {
        let mirrored = Readout::turned(&against_nobody(level), Sym::TRANSPOSE).expect("one gap");
        let mirrored = mirrored.with_rules(|r| r.opponent = Opponent::Easy);
        solve(level, DUEL, 1_000_000).line().map(<[_]>::len) != solve(&mirrored, DUEL, 1_000_000).line().map(<[_]>::len)
    };
    assert!((0..40).map(easy).any(|level| differs(&level)), "the duel's minimum does not survive the mirror");
    let level = easy(1);
    assert_eq!(Readout::turned(&level, Sym::TRANSPOSE), None);
    let harmless = level.with_rules(|r| r.budget = Budget::Count(0));
    assert!(Readout::turned(&harmless, Sym::TRANSPOSE).is_some(), "an opponent without obstacles is none");
}
