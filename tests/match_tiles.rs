//! Match from outside: generated boards, the naive solver, the graded search, the shipped levels, and games played by pointer and keys.

use rand::RngExt as _;
use std::collections::HashSet;
use tilewright::{
    formats::native,
    game::{Draft, Game, Generate, Input, Key, Made, NotMade, Outcome, Rules, Solve, Status, Values, View, rng},
    games::match_tiles::{Drag, Level, Match, State, TWENTIETHS, Tile, Ui},
    grid::{Cell, Dir, Size, Sym},
    job::{Limits, Probe},
    picture::{Colours, Picture, Point},
};

const ALGORITHMS: [&str; 3] = ["algorithm-0", "algorithm-1", "algorithm-2"];

fn probe() -> Probe {
    Probe::new(Limits::nodes(50_000_000))
}

fn values(algorithm: &str, set: &[(&str, i64)]) -> Values {
    let values = set.iter().fold(Values::default().with("algorithm", algorithm), |v, (name, n)| v.with(name, *n));
    values.checked(&Match::params()).unwrap()
}

fn made(algorithm: &str, set: &[(&str, i64)], seed: u64) -> Result<Made<Match>, NotMade> {
    Match::generate(&values(algorithm, set), seed, &mut probe())
}

/// The proven fewest drags, after the line was replayed through the rules; `None` where the board is proven unclearable.
fn par(level: &Level) -> Option<u32> {
    let start = Match::arrange(level).unwrap();
    match Match::solve(level, &start, 0, &mut probe(), &mut |_| ()) {
        Outcome::Solved { line, optimal: true, bound, .. } => {
            let mut state = start;
            line.iter().for_each(|drag| Match::play(level, &mut state, drag).unwrap());
            assert_eq!(Match::status(level, &state), Status::Won);
            assert_eq!(line.len() as u32, bound);
            Some(bound)
        }
        Outcome::Unsolvable => None,
        other => panic!("{other:?}"),
    }
}

// ------------------------------------------------------------------------------------------------------------ the naive solver

/// A second solver that shares nothing with the first: tiles in a plain list, and drags walked cell by cell in every way there is.
struct Naive {
    /// Cell number, colour and number of each tile.
    tiles: Vec<(usize, usize, usize)>,
    /// For each cell, the cells the pointer can go to next.
    next: Vec<Vec<usize>>,
}

impl Naive {
    fn new(level: &Level) -> Naive {
        let size = Match::size(level);
        let tile = |c: Cell| level.tile(c).map(|t| (size.index(c), t.colour(), t.number()));
        let rim = |c: Cell| c.x == 0 || c.y == 0 || c.x as u16 + 1 == size.w || c.y as u16 + 1 == size.h;
        let step = |a: Cell, b: Cell| (a.x - b.x).abs().max((a.y - b.y).abs()) == 1;
        let joined = |a: Cell, b: Cell| a != b && (step(a, b) || rim(a) && rim(b));
        let next = |a: Cell| size.cells().filter(|b| joined(a, *b)).map(|b| size.index(b)).collect();
        Naive { tiles: size.cells().filter_map(tile).collect(), next: size.cells().map(next).collect() }
    }

    fn matches(&self, a: usize, b: usize) -> bool {
        a != b && (self.tiles[a].1 == self.tiles[b].1 || self.tiles[a].2 == self.tiles[b].2)
    }

    /// All sets (as bits of tile numbers) that dragging tile `d` can leave.
    fn drags(&self, alive: u32, d: usize) -> HashSet<u32> {
        let mut hit = vec![0u32; self.next.len()];
        for t in (0..self.tiles.len()).filter(|t| alive >> t & 1 == 1 && self.matches(*t, d)) {
            hit[self.tiles[t].0] = 1 << t;
        }
        // Which cells have been reached with which tiles removed; sets of removed tiles are at most 2^12.
        let mut seen = vec![0u64; 1 << self.tiles.len()];
        let mut todo = vec![(self.tiles[d].0, 0u32)];
        let mut left = HashSet::new();
        while let Some((at, removed)) = todo.pop() {
            if seen[removed as usize] >> at & 1 == 1 {
                continue;
            }
            seen[removed as usize] |= 1 << at;
            if removed != 0 {
                left.insert(alive & !removed & !(1 << d));
            }
            todo.extend(self.next[at].iter().map(|to| (*to, removed | hit[*to])));
        }
        left
    }

    /// Whether some tile is left that matches no other: then the game is over.
    fn over(&self, alive: u32) -> bool {
        let living: Vec<usize> = (0..self.tiles.len()).filter(|t| alive >> t & 1 == 1).collect();
        living.iter().any(|a| !living.iter().any(|b| self.matches(*a, *b)))
    }

    /// The fewest drags, breadth first over all positions.
    fn par(&self) -> Option<u32> {
        let all = (1u32 << self.tiles.len()) - 1;
        let mut layer = HashSet::from([all]);
        let mut seen = layer.clone();
        for drags in 0.. {
            if layer.contains(&0) {
                return Some(drags);
            }
            if layer.is_empty() {
                return None;
            }
            let mut next = HashSet::new();
            for alive in layer {
                if self.over(alive) {
                    continue;
                }
                for d in (0..self.tiles.len()).filter(|d| alive >> d & 1 == 1) {
                    next.extend(self.drags(alive, d).into_iter().filter(|left| seen.insert(*left)));
                }
            }
            layer = next;
        }
        None
    }
}

fn random_board(rng: &mut impl rand::Rng, most: usize, kinds: usize) -> Level {
    let size = Size::new(rng.random_range(2..=5), rng.random_range(2..=5));
    let mut free: Vec<Cell> = size.cells().collect();
    let mut tiles = Vec::new();
    for _ in 0..rng.random_range(2..=most.min(size.area())) {
        let c = free.swap_remove(rng.random_range(0..free.len()));
        let kind = rng.random_range(0..kinds);
        tiles.push((c, Tile::new(kind / 5, kind % 5 + 1)));
    }
    Level::from_fn(size, |c| tiles.iter().find(|t| t.0 == c).and_then(|t| t.1))
}

#[test]
fn the_fewest_drags_are_those_of_a_naive_solver_on_five_thousand_boards() {
    let mut rng = rng(12);
    let mut by_par = [0; 7];
    for round in 0..5_000 {
        // Few kinds make many matches, and then the naive solver is slow: those boards are smaller.
        let (most, kinds) = [(12, 25), (8, 25), (7, 12), (6, 7)][round % 4];
        let level = random_board(&mut rng, most, kinds);
        let naive = Naive::new(&level).par();
        assert_eq!(par(&level), naive, "{}", Match::to_rows(&level));
        by_par[naive.map_or(6, |n| n as usize)] += 1;
    }
    println!("boards of 0 to 5 drags, and unclearable ones: {by_par:?}");
    assert!(by_par[1] > 200 && by_par[2] > 200 && by_par[3] > 20 && by_par[6] > 200);
}

/// A board as text, for messages.
trait Rows {
    fn to_rows(level: &Level) -> String;
}

impl Rows for Match {
    fn to_rows(level: &Level) -> String {
        Match::arrange(level).map_or(String::new(), |s| Match::board_text(level, &s))
    }
}

// ------------------------------------------------------------------------------------------------------------------ generators

#[test]
fn a_thousand_boards_of_each_algorithm_are_proved_clearable() {
    for algorithm in ALGORITHMS {
        let mut by_par = [0; 6];
        for seed in 0..1_000 {
            let made = made(algorithm, &[], seed).ok().unwrap();
            assert_eq!(Match::arrange(&made.level).unwrap().left(), 25);
            let fewest = par(&made.level).unwrap();
            assert_eq!(made.measured["cost"], f64::from(fewest));
            assert_eq!(made.line.len() as u32, fewest);
            by_par[fewest as usize] += 1;
        }
        println!("{algorithm}: boards of 1 to 5 drags {:?}", &by_par[1..]);
        if algorithm == "algorithm-2" {
            assert_eq!(by_par[5], 1_000, "all 25 tiles need five drags however they lie");
        }
    }
}

#[test]
fn boards_of_all_sizes_are_made_or_refused_with_the_reason() {
    for (w, h) in [(2, 2), (2, 3), (3, 3), (4, 5), (5, 5), (6, 7), (8, 8)] {
        for algorithm in ALGORITHMS {
            match made(algorithm, &[("width", w), ("height", h)], 1) {
                Ok(made) => assert!(par(&made.level).is_some()),
                Err(NotMade::Refused(reason)) => assert!(w * h > 25 && reason.contains("only 25 kinds"), "{reason}"),
                Err(other) => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn the_twentieths_are_those_of_algorithm_0() {
    let mut clears: Vec<u32> =
        (0..1_000).map(|seed| made("algorithm-0", &[], seed).ok().unwrap().measured["clears"] as u32).collect();
    clears.sort_unstable();
    assert_eq!((clears[50], clears[950]), TWENTIETHS);
}

#[test]
fn graded_boards_have_the_par_and_the_clear_rate_that_were_asked_for() {
    let (low, high) = (i64::from(TWENTIETHS.0), i64::from(TWENTIETHS.1));
    for fewest in 2..=5i64 {
        // Below the 5th percentile and above the 95th, 20 boards each over all pars, and any rate.
        for (least, most) in [(0, low - 1), (high + 1, 1_000), (0, 1_000)] {
            for seed in 0..5 {
                let set = [("par", fewest), ("clears_min", least), ("clears_max", most)];
                let made = made("graded", &set, seed).unwrap_or_else(|_| panic!("{set:?}, seed {seed}"));
                assert_eq!(par(&made.level), Some(fewest as u32));
                // The editor's verdict tells the same rate as the generator.
                let start = Match::arrange(&made.level).unwrap();
                let remark = Match::about_level(&made.level, &start, &mut probe()).remove(0);
                let clears = made.measured["clears"] as i64;
                assert!((least..=most).contains(&clears), "{clears}");
                assert!(remark.contains(&format!("({clears} of 1000 games)")), "{remark}");
            }
        }
    }
}

#[test]
fn twenty_boards_below_the_5th_and_twenty_above_the_95th_percentile_are_delivered() {
    let (low, high) = (i64::from(TWENTIETHS.0), i64::from(TWENTIETHS.1));
    for (least, most) in [(0, low - 1), (high + 1, 1_000)] {
        let boards: HashSet<String> = (0..20)
            .map(|seed| made("graded", &[("clears_min", least), ("clears_max", most)], seed).ok().unwrap())
            .inspect(|m| assert!((least..=most).contains(&(m.measured["clears"] as i64))))
            .map(|m| Match::to_rows(&m.level))
            .collect();
        assert_eq!(boards.len(), 20, "all different");
    }
}

#[test]
fn a_request_that_cannot_be_met_is_refused_with_the_reason() {
    let reason = |set: &[(&str, i64)]| match made("graded", set, 1) {
        Err(NotMade::Refused(reason)) => reason,
        Err(other) => panic!("{other:?}"),
        Ok(made) => panic!("{:?} was met: {:?}", set, made.measured),
    };
    assert!(reason(&[("width", 2), ("height", 2), ("par", 3)]).contains("at least two tiles"));
    assert!(reason(&[("clears_min", 700), ("clears_max", 300)]).contains("at least 700 and at most 300"));
    let far = reason(&[("par", 4), ("clears_min", 990)]);
    assert!(far.contains("of 4 drags") && far.contains("the nearest in"), "{far}");
    assert!(values("graded", &[]).with("par", 6).checked(&Match::params()).is_err());
}

#[test]
fn the_boards_of_a_run_are_five_by_five_and_clearable() {
    let runs = Match::runs();
    assert_eq!(runs.len(), 2);
    for (name, values) in runs {
        let values = values.checked(&Match::params()).unwrap();
        for seed in 0..50 {
            let board = Match::generate(&values, seed, &mut probe()).ok().unwrap();
            assert_eq!(Match::size(&board.level), Size::new(5, 5), "{name}");
            assert!(par(&board.level).is_some(), "{name}");
        }
    }
}

#[test]
fn the_same_seeds_give_the_recorded_boards() {
    let mut text = String::from(
        "# preset seed drags clears, then the board. UPDATE_GOLDEN=1 records anew: then count Generate::VERSION up.\n",
    );
    for preset in Match::presets() {
        for seed in [0, 1, u64::MAX] {
            let values = preset.values.checked(&Match::params()).unwrap();
            let made = Match::generate(&values, seed, &mut probe()).ok().unwrap();
            let (cost, clears) = (made.measured["cost"], made.measured["clears"]);
            text += &format!("{} {seed} {cost} {clears}\n{}\n", preset.id, Match::to_rows(&made.level));
        }
    }
    let path = "tests/golden/match/generated.txt";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
}

// ---------------------------------------------------------------------------------------------------------------------- levels

fn shipped() -> Vec<Level> {
    Match::INFO.levels.iter().map(|text| native::read::<Match>(text).unwrap().level).collect()
}

#[test]
fn the_twelve_levels_go_from_2x2_to_8x8_and_each_has_its_par() {
    let levels = shipped();
    let pars: Vec<_> = levels.iter().map(|l| par(l).unwrap()).collect();
    assert_eq!(pars, [1, 1, 2, 2, 2, 3, 3, 4, 5, 5, 1, 1]);
    assert!(levels.iter().all(|l| Match::problems(l).is_empty()));
    assert_eq!((Match::size(&levels[0]), Match::size(&levels[11])), (Size::new(2, 2), Size::new(8, 8)));
}

#[test]
fn the_last_levels_have_a_single_best_first_drag() {
    for level in &shipped()[10..] {
        // One drag clears the board, so the set it removes is the whole board, and a single tile can be dragged.
        assert_eq!(par(level), Some(1));
        let tiles: Vec<Tile> = Match::size(level).cells().filter_map(|c| level.tile(c)).collect();
        assert_eq!(tiles.iter().filter(|key| tiles.iter().all(|t| key.matches(*t))).count(), 1);
    }
}

// ------------------------------------------------------------------------------------------------------------- play and the rest

/// Plays a solver's line by hand: `act` turns a drag into the inputs that make it.
fn cleared_by(level: &Level, act: impl Fn(&Drag) -> Vec<Input>) {
    let mut state = Match::start(level).unwrap();
    let Outcome::Solved { line, .. } = Match::solve(level, &state, 0, &mut probe(), &mut |_| ()) else { panic!() };
    let mut ui = Ui::default();
    for drag in &line {
        let mut moves = Vec::new();
        for input in act(drag) {
            draw(level, &state, &ui);
            moves.extend(Match::input(level, &state, &mut ui, &input).moves);
        }
        assert_eq!(moves, std::slice::from_ref(drag));
        Match::play(level, &mut state, &moves[0]).unwrap();
    }
    assert_eq!(Match::status(level, &state), Status::Won);
}

fn draw(level: &Level, state: &State, ui: &Ui) {
    let scene = tilewright::game::Scene {
        level,
        state: Some(state),
        ui: Some(ui),
        motion: None,
        nudge: None,
        colours: &Colours::dark(),
        cell_px: 40.0,
    };
    let mut picture = Picture::default();
    Match::draw(&mut picture, &scene);
    assert!(!picture.figures.is_empty());
}

#[test]
fn every_level_is_cleared_by_pointer() {
    for level in shipped() {
        cleared_by(&level, |drag| {
            let at: Vec<Point> = drag.0.iter().map(|c| Point::middle(*c)).collect();
            let mut inputs = vec![Input::Press(at[0])];
            inputs.extend(at.iter().map(|p| Input::Drag(*p)));
            inputs.push(Input::Release(at[at.len() - 1]));
            inputs
        });
    }
}

#[test]
fn every_level_is_cleared_by_keys() {
    for level in shipped() {
        let size = Match::size(&level);
        cleared_by(&level, |drag| {
            // To a corner first, then to the tile, then along the path.
            let mut keys: Vec<Key> = Vec::new();
            keys.extend((0..=size.w).map(|_| Key::Dir(Dir::Left)));
            keys.extend((0..=size.h).map(|_| Key::Dir(Dir::Up)));
            keys.extend((0..drag.0[0].x).map(|_| Key::Dir(Dir::Right)));
            keys.extend((0..drag.0[0].y).map(|_| Key::Dir(Dir::Down)));
            keys.push(Key::Activate);
            for w in drag.0.windows(2) {
                keys.push(match (w[1].x - w[0].x, w[1].y - w[0].y) {
                    (-1, -1) => Key::Char('q'),
                    (1, -1) => Key::Char('e'),
                    (-1, 1) => Key::Char('z'),
                    (1, 1) => Key::Char('c'),
                    (0, -1) => Key::Dir(Dir::Up),
                    (1, 0) => Key::Dir(Dir::Right),
                    (0, 1) => Key::Dir(Dir::Down),
                    _ => Key::Dir(Dir::Left),
                });
            }
            keys.push(Key::Activate);
            keys.into_iter().map(Input::Key).collect()
        });
    }
}

#[test]
fn a_lost_game_shows_and_says_what_is_stranded() {
    let level = &shipped()[3];
    let mut state = Match::start(level).unwrap();
    let drag = Match::read_line(level, "a1-c1-c2-b3-a3").unwrap().remove(0);
    Match::play(level, &mut state, &drag).unwrap();
    assert_eq!(Match::status(level, &state), Status::Lost);
    let corner = Cell { x: 2, y: 2 };
    assert_eq!(Match::describe(level, Some(&state), corner.into()), "brown 2, stranded");
    assert!(Match::about_position(level, &state).iter().any(|n| n.contains("stranded: brown 2 at c3")));
    let mut ui = Ui::default();
    let say = Match::input(level, &state, &mut ui, &Input::Press(Point::middle(corner))).say;
    assert!(say.unwrap().contains("stranded"));
    draw(level, &state, &ui);
}

#[test]
fn the_fewest_drags_do_not_change_when_the_board_is_turned() {
    for seed in 0..20 {
        let level = made("algorithm-0", &[("width", 5), ("height", 4)], seed).ok().unwrap().level;
        for sym in Sym::ALL {
            assert_eq!(par(&Match::turned(&level, sym).unwrap()), par(&level));
        }
    }
}

#[test]
fn text_from_outside_never_panics() {
    let level = &shipped()[6];
    let mut rng = rng(4);
    let letters: Vec<char> = "abhi1589-~ .,é\u{0}\n+".chars().collect();
    for _ in 0..20_000 {
        let n = rng.random_range(0..14);
        let text: String = (0..n).map(|_| letters[rng.random_range(0..letters.len())]).collect();
        if let Ok(line) = Match::read_line(level, &text) {
            let mut state = Match::arrange(level).unwrap();
            line.iter().for_each(|drag| drop(Match::play(level, &mut state, drag)));
            assert_eq!(Match::read_line(level, &Match::write_line(level, &line)).unwrap(), line);
        }
    }
    let wild = Drag(vec![Cell { x: i16::MIN, y: i16::MAX }, Cell { x: i16::MAX, y: i16::MIN }]);
    let mut state = Match::arrange(level).unwrap();
    assert!(Match::play(level, &mut state, &wild).is_err());
    assert!(Match::play(level, &mut state, &Drag(Vec::new())).is_err());
}

#[test]
fn match_is_a_whole_game() {
    fn whole<G: Game>() -> &'static str {
        G::INFO.id
    }
    assert_eq!(whole::<Match>(), "match");
}
