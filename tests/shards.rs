//! Shards through its public doors: reference files, generated levels against a second solver, play by pointer and keys, bad files.

use rand::{RngExt as _, rngs::ChaCha8Rng, seq::IndexedRandom as _};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
};
use tilewright::{
    analysis::shortest::shortest,
    game::{
        Draft as _, Edit as _, Format, Generate as _, Ink, Input, Item, Key, Outcome, Rules as _, Solve as _, Status,
        Value, Values, View as _, rng,
    },
    games::shards::{
        Level, Move, Placing, Shards, State, Tri, Ui, count, letter, orientations, parts, solutions, turned,
    },
    grid::{Dir, Grid, Size, Sym, cell},
    job::{Limits, Probe},
    picture::{Area, Colours, Figure, Picture, Point, point},
};

fn probe() -> Probe {
    Probe::new(Limits::nodes(5_000_000))
}

fn json() -> Format<Shards> {
    Shards::formats().into_iter().next().expect("a format")
}

fn read(text: &str) -> Vec<Item<Shards>> {
    (json().read)(text).unwrap_or_else(|f| panic!("{f}"))
}

// -------------------------------------------------------------------------------------------------------- a second, naive solver

/// Counts ways to cut the board into the level's forms by plain backtracking: the first open triangle is covered by every piece in every
/// orientation and position. Knows nothing of the solver's ideas; a cut met twice is counted once by being remembered.
fn naive(level: &Level, stop_at: usize) -> usize {
    let pieces: Vec<Vec<Vec<Tri>>> = (0..level.pieces().len())
        .map(|p| {
            let all = level.orientations().iter().map(|s| turned(&level.pieces()[p].triangles, *s));
            all.collect::<BTreeSet<_>>().into_iter().collect()
        })
        .collect();
    let board: Vec<Tri> = level.triangles().collect();
    let mut search = Naive { level, pieces, board, used: Vec::new(), cuts: HashSet::new(), stop_at };
    search.used = vec![false; search.pieces.len()];
    search.go(&mut Vec::new(), &mut HashSet::new());
    search.cuts.len()
}

type Cut = Vec<Vec<Tri>>;

struct Naive<'a> {
    level: &'a Level,
    pieces: Vec<Vec<Vec<Tri>>>,
    board: Vec<Tri>,
    used: Vec<bool>,
    cuts: HashSet<Cut>,
    stop_at: usize,
}

impl Naive<'_> {
    fn go(&mut self, cut: &mut Cut, covered: &mut HashSet<Tri>) {
        if self.cuts.len() >= self.stop_at {
            return;
        }
        let Some(first) = self.board.iter().copied().find(|t| !covered.contains(t)) else {
            self.cuts.insert(self.canonical(cut));
            return;
        };
        for p in 0..self.pieces.len() {
            if self.used[p] {
                continue;
            }
            for form in self.pieces[p].clone() {
                for anchor in form.iter().filter(|t| t.k == first.k) {
                    let by = cell(first.cell.x - anchor.cell.x, first.cell.y - anchor.cell.y);
                    let there: Vec<Tri> = form.iter().map(|t| t.shifted(by)).collect();
                    if there.iter().all(|t| self.level.has(*t) && !covered.contains(t)) {
                        self.used[p] = true;
                        covered.extend(&there);
                        cut.push(there);
                        self.go(cut, covered);
                        for t in cut.pop().expect("pushed") {
                            covered.remove(&t);
                        }
                        self.used[p] = false;
                    }
                }
            }
        }
    }

    /// The least of a cut's images under the allowed symmetries that keep the outline.
    fn canonical(&self, cut: &Cut) -> Cut {
        let turn = |t: &Tri, sym: Sym| {
            let (x, y) = sym.offset((t.cell.x, t.cell.y));
            Tri { cell: cell(x, y), k: Shards::turned_part(t.k, sym) }
        };
        let corner = |tris: &[Tri]| {
            let least = |v: fn(&Tri) -> i16| tris.iter().map(v).min().unwrap_or(0);
            (least(|t| t.cell.x), least(|t| t.cell.y))
        };
        let (left, top) = corner(&self.board);
        let image = |sym: Sym| -> Option<Cut> {
            let (x, y) = corner(&self.board.iter().map(|t| turn(t, sym)).collect::<Vec<_>>());
            let go = |t: &Tri| turn(t, sym).shifted(cell(left - x, top - y));
            let kept = self.board.iter().all(|t| self.level.has(go(t)));
            kept.then(|| sorted(cut.iter().map(|p| p.iter().map(go).collect()).collect()))
        };
        self.level.orientations().iter().filter_map(|s| image(*s)).min().expect("the identity")
    }
}

fn sorted(mut cut: Cut) -> Cut {
    cut.iter_mut().for_each(|p| p.sort());
    cut.sort();
    cut
}

fn all_of(level: &Level) -> (u64, bool) {
    let start = Shards::start(level).unwrap_or_else(|p| panic!("{p:?}"));
    match Shards::solve(level, &start, 1, &mut probe(), &mut |_| ()) {
        Outcome::Solved { line, tally, .. } => {
            assert_eq!(replayed(level, &line), Status::Won);
            let tally = tally.expect("counted");
            (tally.found, tally.all)
        }
        Outcome::Unsolvable => (0, true),
        Outcome::Stopped { .. } => (0, false),
    }
}

fn replayed(level: &Level, line: &[Move]) -> Status {
    let mut state = Shards::start(level).expect("playable");
    for mv in line {
        Shards::play(level, &mut state, mv).unwrap_or_else(|r| panic!("{}", r.text));
    }
    Shards::status(level, &state)
}

// ----------------------------------------------------------------------------------------------------------------- the reference

#[test]
fn each_level_of_the_reference_file_has_exactly_one_solution() {
    let Ok(text) = std::fs::read_to_string("../shared/reference/shards/levels.json") else {
        println!("no reference data here");
        return;
    };
    assert!((json().recognises)(&text));
    let items = read(&text);
    assert_eq!(items.len(), 4);
    for item in &items {
        assert_eq!(Shards::problems(&item.level), [], "{}", item.meta.title);
        assert_eq!(all_of(&item.level), (1, true), "{}", item.meta.title);
    }
    let written = (json().write.expect("writes"))(&items).expect("square boards");
    let again = read(&written.text);
    assert!(items.iter().zip(&again).all(|(a, b)| a.level == b.level));
}

// ------------------------------------------------------------------------------------------------------------------ the generator

fn two_hundred(preset: &str) {
    let preset = Shards::presets().into_iter().find(|p| p.id == preset).expect("a preset");
    let values = preset.values.checked(&Shards::params()).expect("good values");
    let range = values.number("pieces").unwrap() as usize..=values.number("pieces_most").unwrap() as usize;
    for seed in 0..200 {
        let made = Shards::generate(&values, seed, &mut Probe::new(Limits::default())).expect("a level");
        let level = made.level;
        assert_eq!(Shards::problems(&level), [], "seed {seed}");
        assert!(range.contains(&level.pieces().len()), "seed {seed}");
        assert!(level.pieces().iter().all(|p| parts(&p.triangles).len() == 1), "seed {seed}");
        assert_eq!(level.pieces().iter().map(|p| p.triangles.len()).sum::<usize>(), level.area(), "seed {seed}");
        assert_eq!(replayed(&level, &made.line), Status::Won, "seed {seed}");
        assert_eq!(naive(&level, 2), 1, "seed {seed} has one solution");
        assert_eq!(made.measured["solutions"], 1.0);
        assert!(made.measured.contains_key("forced") && made.measured.contains_key("branching"));
    }
}

#[test]
fn two_hundred_easy_levels_are_whole_and_unique() {
    two_hundred("easy");
}

#[test]
fn two_hundred_medium_levels_are_whole_and_unique() {
    two_hundred("medium");
}

#[test]
fn two_hundred_hard_levels_are_whole_and_unique() {
    two_hundred("hard");
}

#[test]
fn balanced_levels_keep_the_sizes_asked_for_and_turning_ones_are_unique_too() {
    let base = Values::default().with("cut", "balanced").with("smallest", 6).with("largest", 16);
    for (rotate, mirror) in [(false, false), (true, false), (false, true), (true, true)] {
        let values = base.clone().with("columns", 3).with("rows", 3).with("pieces", 4).with("pieces_most", 4);
        let values = values.with("rotate", rotate).with("mirror", mirror).checked(&Shards::params()).unwrap();
        for seed in 0..10 {
            let level = Shards::generate(&values, seed, &mut Probe::new(Limits::default())).expect("made").level;
            assert!(level.pieces().iter().all(|p| (6..=16).contains(&p.triangles.len())));
            assert_eq!(naive(&level, 2), 1, "seed {seed}, rotate {rotate}, mirror {mirror}");
        }
    }
}

#[test]
fn what_cannot_be_cut_is_refused_in_words() {
    for values in [
        Values::default().with("columns", 1).with("rows", 1).with("pieces", 9),
        Values::default().with("smallest", 100),
        Values::default().with("smallest", 9).with("largest", 3),
    ] {
        let values = values.checked(&Shards::params()).unwrap();
        assert!(Shards::generate(&values, 1, &mut probe()).is_err());
    }
}

// --------------------------------------------------------------------------------------------------------------------- the solver

/// A random small level: an outline with holes, cut anywhere, with random switches.
fn small(seed: u64) -> Level {
    let mut rng = rng(seed);
    let size = Size::new(rng.random_range(1..=3), rng.random_range(1..=3));
    let board = Grid::from_fn(size, |_| rng.random_bool(0.85));
    let mut level = Level::new(board, []);
    let bare: Vec<Tri> = level.triangles().collect();
    for _ in 0..rng.random_range(1..=6) {
        if let Some(t) = bare.choose(&mut rng) {
            let ink = Ink { swatch: 1, colour: rng.random_range(0..12), ..Ink::default() };
            Shards::paint(&mut level, ink, &[t.spot()]);
        }
    }
    let _ = Shards::command(&mut level, "share", seed);
    Shards::set_rule(&mut level, "rotate", &Value::Switch(rng.random_bool(0.5)));
    Shards::set_rule(&mut level, "mirror", &Value::Switch(rng.random_bool(0.5)));
    level
}

#[test]
fn the_number_of_solutions_agrees_with_plain_search_on_many_small_levels() {
    let (mut checked, mut several) = (0, 0);
    for seed in 0..8000 {
        let level = small(seed);
        if Shards::start(&level).is_err() || checked == 2_000 {
            continue;
        }
        let plain = naive(&level, 200);
        if plain >= 200 {
            continue;
        }
        let found = all_of(&level);
        assert_eq!(found, (plain as u64, true), "seed {seed}: {:?}", Shards::board_text(&level, &laid(&level)));
        // The same ones can be leafed through.
        let listed = shortest::<Shards>(&Arc::new(level), 1, None, 200, &mut probe()).expect("no limit");
        let lines: HashSet<String> = listed.iter().flat_map(|l| &l.lines).map(|l| l.text.clone()).collect();
        assert_eq!((lines.len(), listed.map_or(0, |l| l.about.tally.found)), (plain, plain as u64), "seed {seed}");
        checked += 1;
        several += usize::from(plain > 1);
    }
    assert!(checked == 2_000 && several > 100, "{checked} checked, {several} with several solutions");
}

/// The position in which every piece lies as drawn.
fn laid(level: &Level) -> State {
    let mut state = Shards::arrange(level).expect("a state");
    for (piece, p) in level.pieces().iter().enumerate() {
        let x = p.triangles.iter().map(|t| t.cell.x).min().unwrap();
        let y = p.triangles.iter().map(|t| t.cell.y).min().unwrap();
        let placing = Placing { sym: Sym::IDENTITY, at: cell(x, y) };
        let _ = Shards::play(level, &mut state, &Move::Place { piece, placing });
    }
    state
}

#[test]
fn a_level_as_drawn_is_won_and_anything_less_is_not() {
    for seed in 0..500 {
        let level = small(seed);
        let Ok(mut state) = Shards::start(&level) else { continue };
        assert_eq!(Shards::status(&level, &laid(&level)), Status::Won);
        // Random play: won exactly when every triangle is covered once, counted apart from the rules.
        let mut rng = rng(seed);
        for _ in 0..30 {
            let moves = Shards::legal_moves(&level, &state);
            let Some(mv) = moves.choose(&mut rng) else { break };
            Shards::play(&level, &mut state, mv).expect("legal");
            let mut over: Vec<Tri> = Vec::new();
            for (piece, placing) in state.placed().iter().enumerate() {
                over.extend(
                    placing.iter().flat_map(|p| {
                        level.form(piece, p.sym).into_iter().map(|t| t.shifted(p.at)).collect::<Vec<_>>()
                    }),
                );
            }
            let once: BTreeSet<_> = over.iter().collect();
            assert_eq!(once.len(), over.len(), "no two pieces overlap");
            assert!(over.iter().all(|t| level.has(*t)), "nothing hangs over");
            assert_eq!(Shards::status(&level, &state) == Status::Won, over.len() == level.area());
        }
    }
}

#[test]
fn from_any_position_the_solver_finds_a_way_and_claims_no_more_than_it_proves() {
    for seed in 0..300 {
        let level = small(seed);
        let Ok(mut state) = Shards::start(&level) else { continue };
        let mut rng = rng(seed);
        for _ in 0..rng.random_range(0..4) {
            if let Some(mv) = Shards::legal_moves(&level, &state).choose(&mut rng) {
                Shards::play(&level, &mut state, mv).expect("legal");
            }
        }
        let outcome = Shards::solve(&level, &state, 0, &mut probe(), &mut |_| ());
        let Outcome::Solved { line, optimal, bound, .. } = outcome else { panic!("seed {seed}: {outcome:?}") };
        let mut end = state.clone();
        for mv in &line {
            Shards::play(&level, &mut end, mv).unwrap_or_else(|r| panic!("seed {seed}: {}", r.text));
        }
        assert_eq!(Shards::status(&level, &end), Status::Won, "seed {seed}");
        assert!(bound as usize <= line.len());
        if optimal && line.len() <= 2 {
            // No shorter line: plain search over all moves.
            assert!(!wins_within(&level, &state, line.len().saturating_sub(1)) || line.is_empty(), "seed {seed}");
        }
    }
}

fn wins_within(level: &Level, state: &State, moves: usize) -> bool {
    Shards::status(level, state) == Status::Won
        || moves > 0
            && Shards::legal_moves(level, state).iter().any(|mv| {
                let mut next = state.clone();
                Shards::play(level, &mut next, mv).is_ok() && wins_within(level, &next, moves - 1)
            })
}

#[test]
fn identical_pieces_and_mirror_images_of_the_whole_are_not_counted_twice() {
    // Four equal quarters of one cell: without turning each has its place; with turning they are identical.
    let quarters = (0..4).map(|k| vec![Tri::new(0, 0, k)]);
    let mut level = Level::new(Grid::filled(Size::new(1, 1), true), quarters);
    assert_eq!(all_of(&level), (1, true));
    level.rotate = true;
    assert_eq!(all_of(&level), (1, true));
    // Two halves of a cell, cut along a diagonal: turned, the same cut along the other diagonal.
    let halves = [vec![Tri::new(0, 0, 0), Tri::new(0, 0, 1)], vec![Tri::new(0, 0, 2), Tri::new(0, 0, 3)]];
    let mut level = Level::new(Grid::filled(Size::new(1, 1), true), halves);
    assert_eq!(all_of(&level), (1, true));
    level.rotate = true;
    assert_eq!(all_of(&level), (1, true), "both diagonals are one solution, turned");
    assert_eq!(solutions(&level, 10, &mut probe()).map(|s| s.len()), Ok(1));
}

#[test]
fn loose_pieces_may_have_no_solution_and_that_is_proven() {
    let mut level = Level::new(
        Grid::filled(Size::new(2, 1), true),
        [(0..4).map(|k| Tri::new(0, 0, k)).collect::<Vec<_>>(), (0..4).map(|k| Tri::new(1, 0, k)).collect()],
    );
    assert!(Shards::command(&mut level, "loosen", 0).is_ok());
    assert_eq!(all_of(&level), (1, true));
    // The same pieces on an outline of the same area on which they do not fit.
    let mut three = Level::new(Grid::from_fn(Size::new(3, 1), |_| true), []);
    Shards::paint(&mut three, Ink { swatch: 2, ..Ink::default() }, &[cell(0, 0).into(), cell(1, 0).into()]);
    Shards::paint(&mut three, Ink { swatch: 2, colour: 1, ..Ink::default() }, &[cell(2, 0).into()]);
    Shards::command(&mut three, "loosen", 0).unwrap();
    Shards::paint(&mut three, Ink { swatch: 4, ..Ink::default() }, &[cell(1, 0).into()]);
    let taller = Shards::resized(&three, Size::new(3, 2), (0, 0));
    let mut taller = taller;
    Shards::paint(&mut taller, Ink { swatch: 4, ..Ink::default() }, &[cell(0, 1).into(), cell(2, 1).into()]);
    assert!(Shards::start(&taller).is_ok(), "{:?}", Shards::problems(&taller));
    assert_eq!(all_of(&taller), (0, true));
    assert!(Shards::command(&mut taller, "lay", 0).is_err());
}

#[test]
fn dead_ends_are_the_triangles_that_nothing_in_the_tray_can_cover() {
    // A cell, and a cell cut in two: the halves laid over the first cell leave the second to the whole piece.
    let whole: Vec<Tri> = (0..4).map(|k| Tri::new(0, 0, k)).collect();
    let halves = [vec![Tri::new(1, 0, 0), Tri::new(1, 0, 1)], vec![Tri::new(1, 0, 2), Tri::new(1, 0, 3)]];
    let [a, b] = halves;
    let level = Level::new(Grid::filled(Size::new(2, 1), true), [whole, a, b]);
    let mut state = Shards::start(&level).unwrap();
    assert_eq!(Shards::overlay(&level, &state, 0), []);
    let place = |piece, x| Move::Place { piece, placing: Placing { sym: Sym::IDENTITY, at: cell(x, 0) } };
    Shards::play(&level, &mut state, &place(1, 0)).unwrap();
    Shards::play(&level, &mut state, &place(2, 1)).unwrap();
    let dead = Shards::overlay(&level, &state, 0);
    assert_eq!(dead.len(), 4, "the whole cell fits nowhere any more");
    assert!(dead.iter().all(|(spot, w)| spot.part.is_some() && *w == 1.0));
}

// ------------------------------------------------------------------------------------------------------------------------- files

#[test]
fn bad_files_are_named_problems_and_never_a_panic() {
    let texts = |level: &Level| Shards::problems(level).into_iter().map(|p| p.text).collect::<Vec<_>>().join("; ");
    let one = |pieces: &str| format!("{{\"Levels\":[{{\"gridSize\":1,\"pieces\":[{pieces}]}}]}}");
    let overlap = &read(&one("{\"vertices\":[0,1,2]},{\"vertices\":[2,3]}"))[0].level;
    assert!(texts(overlap).contains("overlap in 1 triangle"), "{}", texts(overlap));
    let small = &read(&one("{\"vertices\":[0,1,2]}"))[0].level;
    assert!(texts(small).contains("1 missing"), "{}", texts(small));
    let off = &read(&one("{\"vertices\":[0,1,2,3,5]}"))[0].level;
    assert!(texts(off).contains("1 triangle off the board"), "{}", texts(off));
    let apart = &read(&one("{\"vertices\":[0,2]},{\"vertices\":[1,3]}"))[0].level;
    assert!(texts(apart).contains("in 2 parts"), "{}", texts(apart));
    let empty = &read(&one("{\"vertices\":[]},{\"vertices\":[0,1,2,3]}"))[0].level;
    assert!(texts(empty).contains("has no triangles"), "{}", texts(empty));
    for level in [overlap, small, off, apart, empty] {
        assert!(Shards::start(level).is_err());
        let back = Shards::from_file(Shards::to_file(level)).expect("reads back");
        assert_eq!(back, *level, "a draft with problems is written and read back");
        let state = Shards::arrange(level).expect("a state");
        Shards::legal_moves(level, &state);
        let mut picture = Picture::default();
        let colours = Colours::dark();
        for state in [None, Some(&state)] {
            let scene = tilewright::game::Scene {
                level,
                state,
                ui: None,
                motion: None,
                nudge: None,
                colours: &colours,
                cell_px: 40.0,
            };
            Shards::draw(&mut picture, &scene);
        }
        for goal in 0..2 {
            let _ = Shards::solve(level, &state, goal, &mut probe(), &mut |_| ());
        }
    }
    let many = vec!["{\"vertices\":[0]}"; 10_000].join(",");
    let faults = [
        one(&many),
        one("{\"vertices\":[99999999999]}"),
        one("{\"vertices\":[-1]}"),
        one("{\"vertices\":[0,0]}"),
        one("{\"vertices\":[1.5]}"),
        "{\"Levels\":[{\"gridSize\":0,\"pieces\":[]}]}".into(),
        "{\"Levels\":[{\"gridSize\":1000000000,\"pieces\":[]}]}".into(),
        "{\"Levels\":[{\"gridSize\":4}]}".into(),
        "{\"Levels\":".into(),
        "[]".into(),
    ];
    for text in faults {
        let fault = (json().read)(&text).err().unwrap_or_else(|| panic!("accepted: {}", &text[..text.len().min(80)]));
        assert!(!fault.text.is_empty());
    }
    assert!((json().read)(&one(&many)).err().is_some_and(|f| f.text.contains("10000 pieces")));
}

#[test]
fn any_text_of_moves_is_read_or_refused() {
    let level = small(3);
    let mut rng = rng(9);
    let signs: Vec<char> = "abcmr:,-0123456789 zZ\u{100}é".chars().collect();
    for _ in 0..5000 {
        let text: String = (0..rng.random_range(0..10)).filter_map(|_| signs.choose(&mut rng)).collect();
        if let Ok(line) = Shards::read_line(&level, &text) {
            let mut state = Shards::arrange(&level).unwrap();
            for mv in line {
                let _ = Shards::play(&level, &mut state, &mv);
            }
        }
    }
    for wild in ["a:32767,32767", "a:-32768,0", "arrr:0,-32768", "a:99999,0", "-", "a", ":", "arrrr:0,0"] {
        if let Ok(line) = Shards::read_line(&level, wild) {
            let mut state = Shards::arrange(&level).unwrap();
            assert!(Shards::play(&level, &mut state, &line[0]).is_err());
        }
    }
}

#[test]
fn every_piece_number_has_a_letter_of_its_own() {
    let letters: BTreeSet<char> = (0..644).map(letter).collect();
    assert_eq!(letters.len(), 644);
    assert!(letters.iter().all(|l| l.is_alphabetic()));
}

// -------------------------------------------------------------------------------------------------------------------- the editor

#[test]
fn drawing_splitting_and_merging_change_the_count_of_solutions() {
    let mut level = Shards::blank(Size::new(2, 2));
    assert!(Shards::start(&level).is_err());
    let whole = |colour| Ink { swatch: 2, colour, ..Ink::default() };
    Shards::paint(&mut level, whole(0), &[cell(0, 0).into(), cell(1, 0).into()]);
    assert!(Shards::problems(&level)[0].text.contains("8 missing"));
    assert!(Shards::problems(&level)[0].spots.iter().all(|s| s.part.is_some()));
    Shards::paint(&mut level, whole(1), &[cell(0, 1).into(), cell(1, 1).into()]);
    assert_eq!(all_of(&level), (1, true), "two equal halves are identical");
    // Split the lower half into two cells: the cells can lie above or below the rest.
    let split = Ink { swatch: 6, ..Ink::default() };
    Shards::paint(&mut level, split, &[Tri::new(0, 1, 0).spot(), Tri::new(1, 1, 2).spot()]);
    assert_eq!(level.pieces().len(), 3);
    assert_eq!(all_of(&level), (2, true));
    let merge = Ink { swatch: 5, ..Ink::default() };
    Shards::paint(&mut level, merge, &[Tri::new(0, 1, 0).spot(), Tri::new(1, 1, 2).spot()]);
    assert_eq!(level.pieces().len(), 2);
    assert_eq!(all_of(&level), (1, true));
    // A piece cut through by another colour is in parts, and a command mends it.
    let red = Ink { swatch: 1, colour: 5, ..Ink::default() };
    for k in 0..4 {
        Shards::paint(&mut level, red, &[Tri::new(0, 0, k).spot()]);
    }
    assert_eq!(level.pieces().len(), 3);
    Shards::paint(&mut level, merge, &[cell(1, 0).into(), cell(0, 1).into()]);
    assert_eq!(level.pieces().len(), 2, "what is left above, and what is below, are one piece now");
    Shards::command(&mut level, "cut", 4).expect("cuts");
    assert_eq!(level.pieces().len(), 2);
    assert_eq!(Shards::problems(&level), []);
}

#[test]
fn cutting_at_random_fills_any_outline() {
    for seed in 0..40 {
        let mut rng = rng(seed);
        let size = Size::new(rng.random_range(1..=7), rng.random_range(1..=7));
        let mut level = Level::new(Grid::from_fn(size, |_| rng.random_bool(0.8)), []);
        if level.area() == 0 {
            assert!(Shards::command(&mut level, "cut", seed).is_err());
            continue;
        }
        Shards::command(&mut level, "cut", seed).expect("cuts");
        assert!(Shards::start(&level).is_ok(), "seed {seed}: {:?}", Shards::problems(&level));
    }
}

// ---------------------------------------------------------------------------------------------------------------------- the view

fn sample(rotate: bool) -> (Level, Vec<Move>) {
    let values =
        Values::default().with("cut", "balanced").with("pieces", 6).with("pieces_most", 6).with("rotate", rotate);
    let values = values.with("unique", false).checked(&Shards::params()).unwrap();
    let made = Shards::generate(&values, 11, &mut Probe::new(Limits::default())).expect("made");
    (made.level, made.line)
}

/// Makes what an input asks for.
fn act(level: &Level, state: &mut State, ui: &mut Ui, input: Input) -> Option<String> {
    let reaction = Shards::input(level, state, ui, &input);
    for mv in &reaction.moves {
        Shards::play(level, state, mv).expect("the view proposes legal moves");
    }
    reaction.say
}

fn polygons(level: &Level, state: &State, ui: &Ui) -> Vec<Vec<Point>> {
    let colours = Colours::light();
    let mut picture = Picture::default();
    let scene = tilewright::game::Scene {
        level,
        state: Some(state),
        ui: Some(ui),
        motion: None,
        nudge: None,
        colours: &colours,
        cell_px: 10.0,
    };
    Shards::draw(&mut picture, &scene);
    let polygon = |f: Figure| match f {
        Figure::Polygon { points, .. } => Some(points),
        _ => None,
    };
    picture.figures.into_iter().filter_map(polygon).collect()
}

/// Where the facets of each piece in the tray are drawn: those right of the board, in the order of the pieces.
fn in_tray(level: &Level, state: &State, ui: &Ui) -> Vec<Area> {
    let edge = f32::from(Shards::size(level).w) + 0.2;
    let mut facets = polygons(level, state, ui).into_iter().filter(|p| p.iter().all(|q| q.x > edge));
    let waiting = (0..level.pieces().len()).filter(|i| state.placed()[*i].is_none());
    waiting
        .map(|i| {
            let points: Vec<Point> = facets.by_ref().take(level.pieces()[i].triangles.len()).flatten().collect();
            let x = points.iter().fold(f32::MAX, |m, p| m.min(p.x));
            let y = points.iter().fold(f32::MAX, |m, p| m.min(p.y));
            let (r, b) = points.iter().fold((0f32, 0f32), |m, p| (m.0.max(p.x), m.1.max(p.y)));
            Area::new(x, y, r - x, b - y)
        })
        .collect()
}

#[test]
fn pieces_in_the_tray_never_lie_over_one_another_and_stay_in_the_picture() {
    for rotate in [false, true] {
        let (level, _) = sample(rotate);
        let state = Shards::start(&level).unwrap();
        let mut ui = Ui::default();
        for round in 0..4 {
            let areas = in_tray(&level, &state, &ui);
            assert_eq!(areas.len(), level.pieces().len());
            let extent = Shards::extent(&level);
            for (i, a) in areas.iter().enumerate() {
                assert!(
                    a.x + a.w <= extent.x + extent.w && a.y + a.h <= extent.y + extent.h && a.y >= extent.y,
                    "{a:?}"
                );
                for b in &areas[i + 1..] {
                    let apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
                    assert!(apart, "round {round}: {a:?} over {b:?}");
                }
            }
            // Turn every piece once more, where that is allowed.
            for _ in 0..level.pieces().len() {
                Shards::input(&level, &state, &mut ui, &Input::Key(Key::Next(true)));
                Shards::input(&level, &state, &mut ui, &Input::Key(Key::Turn(true)));
            }
            Shards::input(&level, &state, &mut ui, &Input::Key(Key::Cancel));
        }
    }
}

/// Drags a piece from the tray to a place; what was said.
fn drag(level: &Level, state: &mut State, ui: &mut Ui, piece: usize, to: Point) -> Option<String> {
    let waiting = (0..piece).filter(|i| state.placed()[*i].is_none()).count();
    let area = in_tray(level, state, ui)[waiting];
    // Held by the corner of its bounds, which is the corner of its form or half a cell from it.
    act(level, state, ui, Input::Press(point(area.x - 0.01, area.y - 0.01)));
    act(level, state, ui, Input::Drag(to.shift(-0.5, 0.3)));
    act(level, state, ui, Input::Release(to))
}

/// The corner of a form's bounds, to the half cell.
fn bounds_corner(form: &[Tri]) -> Point {
    let x = form.iter().map(|t| f32::from(t.cell.x) + if t.k == 2 { 0.5 } else { 0.0 }).fold(f32::MAX, f32::min);
    let y = form.iter().map(|t| f32::from(t.cell.y) + if t.k == 3 { 0.5 } else { 0.0 }).fold(f32::MAX, f32::min);
    point(x, y)
}

#[test]
fn pieces_are_dragged_to_a_win_an_overlap_is_refused_and_a_drop_beside_the_board_lifts() {
    let (level, line) = sample(false);
    let mut state = Shards::start(&level).unwrap();
    let mut ui = Ui::default();
    let mut first = None;
    for mv in &line {
        let Move::Place { piece, placing } = *mv else { panic!("a solution only places") };
        let corner = bounds_corner(&level.form(piece, placing.sym));
        let to = corner.shift(f32::from(placing.at.x) + 0.2, f32::from(placing.at.y) - 0.3);
        if let Some(at) = first {
            let at: Point = at;
            // Onto the first piece: refused where it fits on the board but lies over it.
            let before = state.clone();
            let said = drag(&level, &mut state, &mut ui, piece, corner.shift(at.x, at.y));
            if state == before {
                assert!(said.is_none_or(|s| s.contains("over")), "refused, and said so");
            } else {
                Shards::play(&level, &mut state, &Move::Lift { piece }).expect("it fitted there");
            }
        }
        drag(&level, &mut state, &mut ui, piece, to);
        assert_eq!(state.placed()[piece].map(|p| p.at), Some(placing.at));
        if first.is_none() {
            first = Some(point(f32::from(placing.at.x), f32::from(placing.at.y)));
            // Picked up and dropped far away it is in the tray again; then it is put back.
            let t = level.form(piece, placing.sym)[0].shifted(placing.at);
            let middle = Shards::spot_area(&level, t.spot()).middle();
            act(&level, &mut state, &mut ui, Input::Press(middle));
            act(&level, &mut state, &mut ui, Input::Release(point(-9.0, 40.0)));
            assert_eq!(state.placed()[piece], None);
            drag(&level, &mut state, &mut ui, piece, to);
        }
    }
    assert_eq!(Shards::status(&level, &state), Status::Won);
}

#[test]
fn a_level_is_won_by_keys_alone() {
    for rotate in [false, true] {
        let (level, line) = sample(rotate);
        let mut state = Shards::start(&level).unwrap();
        let mut ui = Ui::default();
        for mv in &line {
            let Move::Place { piece, placing } = *mv else { panic!("a solution only places") };
            let name = level.pieces()[piece].seen();
            let mut said = None;
            for _ in 0..level.pieces().len() {
                said = act(&level, &mut state, &mut ui, Input::Key(Key::Next(true)));
                if said.as_deref() == Some(&name) {
                    break;
                }
            }
            assert_eq!(said.as_deref(), Some(name.as_str()));
            for _ in 0..placing.sym.turns {
                act(&level, &mut state, &mut ui, Input::Key(Key::Turn(true)));
            }
            for _ in 0..12 {
                act(&level, &mut state, &mut ui, Input::Key(Key::Dir(Dir::Left)));
                act(&level, &mut state, &mut ui, Input::Key(Key::Dir(Dir::Up)));
            }
            for _ in 0..placing.at.x {
                act(&level, &mut state, &mut ui, Input::Key(Key::Dir(Dir::Right)));
            }
            for _ in 0..placing.at.y {
                act(&level, &mut state, &mut ui, Input::Key(Key::Dir(Dir::Down)));
            }
            act(&level, &mut state, &mut ui, Input::Key(Key::Activate));
            assert!(state.placed()[piece].is_some(), "{name}");
        }
        assert_eq!(Shards::status(&level, &state), Status::Won);
    }
}

#[test]
fn turning_is_refused_in_words_where_the_level_forbids_it() {
    let (level, _) = sample(false);
    let state = Shards::start(&level).unwrap();
    let mut ui = Ui::default();
    Shards::input(&level, &state, &mut ui, &Input::Key(Key::Next(true)));
    let said = Shards::input(&level, &state, &mut ui, &Input::Key(Key::Turn(true))).say;
    assert!(said.is_some_and(|s| s.contains("cannot be turned")));
    let said = Shards::input(&level, &state, &mut ui, &Input::Key(Key::Mirror)).say;
    assert!(said.is_some_and(|s| s.contains("cannot be flipped")));
    assert!(!Shards::input(&level, &state, &mut ui, &Input::Wheel(1.0)).used, "the wheel is left to the window");
    assert_eq!(orientations(false, false).len(), 1);
    assert!(count(&level, 5, &mut probe()).is_ok());
}

// ---------------------------------------------------------------------------------------------------------------------- counting

/// A connected set of `size` triangles, grown at random within 3 x 3 cells.
fn grown(size: usize, rng: &mut ChaCha8Rng) -> Vec<Tri> {
    let mut piece = vec![Tri::new(1, 1, rng.random_range(0..4))];
    while piece.len() < size {
        let next = piece[rng.random_range(0..piece.len())].neighbours()[rng.random_range(0..3)];
        if (0..3).contains(&next.cell.x) && (0..3).contains(&next.cell.y) && !piece.contains(&next) {
            piece.push(next);
        }
    }
    piece
}

/// How many triangles of each side lie on light and on dark cells.
type Counts = [i32; 8];

fn counts(triangles: impl Iterator<Item = (i32, i32, u8)>) -> Counts {
    let mut counts = [0; 8];
    triangles.for_each(|(x, y, k)| counts[usize::from(k) * 2 + (x + y).rem_euclid(2) as usize] += 1);
    counts
}

/// Whether the pieces can be turned and shifted so that their counts add up to the board's: by going through all ways, without any theory.
fn counts_can_agree(level: &Level) -> bool {
    let board = counts(level.triangles().map(|t| (t.cell.x.into(), t.cell.y.into(), t.k)));
    let mut sums = HashSet::from([[0; 8]]);
    for piece in level.pieces() {
        let mut ways = HashSet::new();
        for turn in 0..if level.rotate { 4 } else { 1 } {
            for flip in 0..=u8::from(level.mirror) {
                for shift in 0..2 {
                    ways.insert(counts(piece.triangles.iter().map(|t| {
                        let (mut x, mut y, mut k) = (i32::from(t.cell.x), i32::from(t.cell.y), t.k);
                        if flip == 1 {
                            (x, k) = (-x, if k % 2 == 0 { 2 - k } else { k });
                        }
                        for _ in 0..turn {
                            (x, y, k) = (-y, x, (k + 1) % 4);
                        }
                        (x + shift, y, k)
                    })));
                }
            }
        }
        let add = |sum: &Counts| ways.iter().map(|w| std::array::from_fn(|i| sum[i] + w[i])).collect::<Vec<Counts>>();
        sums = sums.iter().flat_map(add).filter(|s| (0..8).all(|i| s[i] <= board[i])).collect();
    }
    sums.contains(&board)
}

#[test]
fn reasons_by_counting_are_confirmed_by_counting_every_way() {
    let find = Shards::reasons().expect("reasons").find;
    let mut reasons = BTreeMap::new();
    for seed in 0..3_000 {
        let rng = &mut rng(seed);
        let size = Size::new(rng.random_range(1..=3), rng.random_range(1..=3));
        let mut left = size.area() * 4;
        let mut pieces = Vec::new();
        while left > 0 {
            let n = rng.random_range(1..=left.min(7));
            pieces.push(grown(n, rng));
            left -= n;
        }
        let mut level = Level::new(Grid::filled(size, true), pieces);
        (level.rotate, level.mirror) = (rng.random_bool(0.5), rng.random_bool(0.5));
        let Some(start) = Shards::arrange(&level) else { continue };
        let mut probe = Probe::new(Limits { nodes: Some(2_000), ..Limits::default() });
        let Ok(Some(found)) = find(&level, &start, 0, &mut probe) else { continue };
        if matches!(found.reason.kind, "count" | "colouring") {
            assert!(!counts_can_agree(&level), "seed {seed}: {:?}\n{level:?}", found.reason);
            *reasons.entry((found.reason.kind, level.rotate, level.mirror)).or_insert(0) += 1;
        }
    }
    println!("{reasons:?}");
    assert!(reasons.len() >= 6 && reasons.values().all(|n| *n >= 10), "{reasons:?}");
}

#[test]
fn a_rectangle_of_triangles_is_one_piece() {
    let piece = Shards::palette(&Shards::blank(Size::new(4, 4))).swatches.iter().position(|s| s.id == "piece");
    let ink = Ink { swatch: piece.expect("a brush"), ..Ink::default() };
    for (w, h) in [(1, 1), (3, 1), (1, 3), (2, 2), (4, 3)] {
        let mut level = Shards::blank(Size::new(4, 4));
        // In the order of the rows, as the rectangle tool has them.
        let cells = Size::new(w, h).cells();
        let spots: Vec<_> = cells.flat_map(|c| (0..4).map(move |k| Tri::new(c.x, c.y, k).spot())).collect();
        Shards::paint(&mut level, ink, &spots);
        let sizes: Vec<usize> = level.pieces().iter().map(|p| p.triangles.len()).collect();
        assert_eq!(sizes, [usize::from(w) * usize::from(h) * 4], "{w} x {h}");
    }
}
