//! The number of shortest solutions is that of a plain enumeration: every line of moves up to the length of the first that wins, written here another way than in
//! `analysis/shortest.rs`, one sequence after the other and with nothing remembered but the sequences themselves.
//!
//! The long run: `CARGO_PROFILE_DEV_OPT_LEVEL=3 cargo test --test shortest -- --ignored --nocapture`.

#[allow(dead_code, reason = "other tests use the rest of it")]
mod levels;

use levels::{drawn, room};
use rand::{RngExt as _, rngs::ChaCha8Rng};
use std::{collections::HashSet, sync::Arc};
use tilewright::{
    analysis::{
        Replayed,
        choices::{self, Counted},
        plain::{Plain, plain},
        shortest::{AllShortest, shortest},
    },
    document::AnyGame,
    formats::native,
    game::{Game, Rules as _, Solve as _, Status, Tally, rng},
    games::{self, cats::Cats, match_tiles::Match, readout::Readout, sbokena::Sbokena},
    job::{Limits, Probe, Stop},
};

/// What two solutions are compared by, in words.
type Look<G> = fn(&<G as tilewright::game::Draft>::Level, &<G as tilewright::game::Rules>::State) -> String;

/// How the enumeration goes on from a position: all that one turn can lead to.
type Turn<G> = fn(&Lines<'_, G>, &<G as tilewright::game::Rules>::State) -> Vec<<G as tilewright::game::Rules>::State>;

struct Lines<'a, G: Game> {
    level: &'a G::Level,
    look: Look<G>,
    turn: Turn<G>,
    count: usize,
    /// Positions that may still be visited.
    left: usize,
    found: HashSet<Vec<String>>,
}

impl<G: Game> Lines<'_, G> {
    fn made(&self, state: &G::State, mv: &G::Move) -> G::State {
        let mut next = state.clone();
        G::play(self.level, &mut next, mv).expect("listed as legal");
        next
    }

    /// Every sequence of this many turns that wins.
    fn all(&mut self, state: &G::State, turns: u32, so_far: &mut Vec<String>) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        if G::status(self.level, state) == Status::Won {
            if turns == 0 {
                self.found.insert(so_far.clone());
            }
            return Some(());
        }
        if turns == 0 {
            // What is won by moves that cost nothing takes no turn.
            let free = |mv: &&G::Move| G::counts(self.level, state, std::slice::from_ref(*mv))[self.count] == 0;
            let wins = |mv: &G::Move| G::status(self.level, &self.made(state, mv)) == Status::Won;
            if G::legal_moves(self.level, state).iter().filter(free).any(wins) {
                self.found.insert(so_far.clone());
            }
            return Some(());
        }
        let next = (self.turn)(self, state);
        self.left = self.left.checked_sub(next.len())?;
        for next in next {
            so_far.push((self.look)(self.level, &next));
            self.all(&next, turns - 1, so_far)?;
            so_far.pop();
        }
        Some(())
    }
}

/// Every move is a turn.
fn moves<G: Game>(lines: &Lines<'_, G>, state: &G::State) -> Vec<G::State> {
    G::legal_moves(lines.level, state).iter().map(|mv| lines.made(state, mv)).collect()
}

/// A turn is any number of steps of one shape.
fn drags(
    lines: &Lines<'_, Cats>,
    state: &<Cats as tilewright::game::Rules>::State,
) -> Vec<<Cats as tilewright::game::Rules>::State> {
    type State = <Cats as tilewright::game::Rules>::State;
    fn go(lines: &Lines<'_, Cats>, shape: usize, state: &State, met: &mut Vec<State>) {
        for step in Cats::legal_moves(lines.level, state).iter().filter(|s| s.shape == shape) {
            let next = lines.made(state, step);
            if !met.contains(&next) {
                met.push(next.clone());
                go(lines, shape, &next, met);
            }
        }
    }
    let mut all = Vec::new();
    for shape in 0..lines.level.shapes.len() {
        let mut met = vec![state.clone()];
        go(lines, shape, state, &mut met);
        all.extend(met.into_iter().skip(1));
    }
    all
}

/// A turn is any walk and a push.
fn pushes(lines: &Lines<'_, Sbokena>, state: &games::sbokena::State) -> Vec<games::sbokena::State> {
    let (mut all, mut walked) = (Vec::new(), vec![state.clone()]);
    let mut at = 0;
    while let Some(here) = walked.get(at).cloned() {
        for dir in Sbokena::legal_moves(lines.level, &here) {
            let next = lines.made(&here, &dir);
            if next.boxes() != here.boxes() {
                all.push(next);
            } else if !walked.contains(&next) {
                walked.push(next);
            }
        }
        at += 1;
    }
    all
}

/// The fewest turns that win, and every sequence of that length that does; `None` if that takes too long.
fn enumerated<G: Game>(
    level: &G::Level,
    start: &G::State,
    look: Look<G>,
    turn: Turn<G>,
    count: usize,
    left: usize,
) -> Option<(u32, HashSet<Vec<String>>)> {
    let mut lines = Lines { level, look, turn, count, left, found: HashSet::new() };
    for turns in 0..40 {
        lines.all(start, turns, &mut Vec::new())?;
        if !lines.found.is_empty() {
            return Some((turns, lines.found));
        }
    }
    None
}

#[derive(Default, Debug)]
struct Seen {
    /// Positions that an enumeration may visit.
    budget: usize,
    levels: u32,
    several: u32,
    most: usize,
}

fn agree<G: Game>(level: G::Level, goal: usize, look: Look<G>, turn: Turn<G>, seen: &mut Seen, at: &str) {
    const LISTED: usize = 60;
    let Ok(start) = G::start(&level) else { return };
    let (on, from) = G::replay_on(&level, &start, goal).unwrap_or((level.clone(), start));
    let Some((cost, all)) = enumerated::<G>(&on, &from, look, turn, G::GOALS[goal].count, seen.budget) else { return };
    let level = Arc::new(level);
    let probe = || Probe::new(Limits { memory: Some(256 << 20), ..Limits::nodes(2_000_000) });
    let both = [None, Some(cost), Some(cost + 2)].map(|known| {
        let found: Option<AllShortest<G>> =
            shortest::<G>(&level, goal, known, LISTED, &mut probe()).expect("within limits");
        found.unwrap_or_else(|| panic!("{at}: none found"))
    });
    for found in &both {
        let about = &found.about;
        let text = native::write(&tilewright::game::Item::<G> {
            meta: Default::default(),
            level: (*level).clone(),
            solutions: Vec::new(),
            origin: None,
        });
        assert_eq!(
            (about.cost, about.tally),
            (cost, Tally { found: all.len() as u64, all: true }),
            "{at}\n{text}\n{all:?}"
        );
        let of = |i: usize| all.iter().map(|s| (i.checked_sub(1).map(|i| &s[i]), &s[i])).collect::<HashSet<_>>().len();
        let after = |i: usize| all.iter().map(|s| &s[i]).collect::<HashSet<_>>().len();
        let turns = 0..cost as usize;
        assert_eq!(about.common, Some(turns.clone().filter(|i| of(*i) == 1).count() as u32), "{at}");
        assert_eq!(about.part, turns.clone().find(|i| after(*i) > 1).map(|i| i as u32 + 1), "{at}");
        assert_eq!(found.lines.len(), all.len().min(LISTED), "{at}");
        let texts: HashSet<&str> = found.lines.iter().map(|l| l.text.as_str()).collect();
        assert_eq!(texts.len(), found.lines.len(), "{at}: a line is listed twice");
        assert!(found.lines.iter().all(|l| l.cost() == cost && l.from_start), "{at}");
    }
    if let Some(line) = both[0].lines.first().filter(|_| seen.levels < 40) {
        choices_agree::<G>(line, look, turn, at);
    }
    // A search that is stopped claims nothing.
    if cost > 0 {
        let stopped = shortest::<G>(&level, goal, None, 1, &mut Probe::new(Limits::nodes(1)));
        assert!(matches!(stopped, Err(Stop::Nodes)), "{at}");
    }
    seen.levels += 1;
    seen.several += u32::from(all.len() > 1);
    seen.most = seen.most.max(all.len());
}

/// The choices along a line are those of the enumeration, and plain search says which of them keep the optimum. With few nodes less is known, and nothing else.
fn choices_agree<G: Game>(line: &Replayed<G>, look: Look<G>, turn: Turn<G>, at: &str) {
    let count = G::GOALS[line.goal].count;
    let lines = Lines { level: &*line.level, look, turn, count, left: 0, found: HashSet::new() };
    let with = |nodes, each| {
        let effort = choices::Effort { nodes, each };
        choices::choices::<G>(line, effort, &mut Probe::new(Limits::default())).expect("nobody cancels it").turns
    };
    let (all, few) = (with(1 << 30, 1 << 20), with(400, 8));
    assert_eq!((all.len(), few.len()), (line.cost() as usize, line.cost() as usize), "{at}: a row for each turn");
    for (i, ((step, counted), (_, less))) in all.iter().zip(few).enumerate() {
        let left = line.cost() - i as u32;
        let mut met = HashSet::new();
        let mut after = turn(&lines, &line.states[*step]);
        after.retain(|s| met.insert(look(&line.level, s)));
        let least = |s: &G::State| plain::<G>(&line.level, s, line.goal, 100_000, true).end;
        let keep = after.iter().filter(|s| matches!(least(s), Plain::Least(n) if n < left)).count() as u32;
        let expected = Counted { all: after.len() as u32, more: false, keep, open: 0 };
        assert_eq!(*counted, Some(expected), "{at}: turn {}", i + 1);
        if let Some(less) = less {
            assert_eq!(less.all, expected.all, "{at}");
            assert!(less.keep <= keep && keep <= less.keep + less.open, "{at}: {less:?} of {expected:?}");
        }
    }
}

fn game(id: &str) -> &'static dyn AnyGame {
    games::offered().iter().copied().find(|g| g.info().id == id).expect("offered")
}

fn random<G: Game>(rng: &mut ChaCha8Rng) -> Option<G::Level> {
    let doc = drawn(game(G::INFO.id), 6 + rng.random_range(0..24), rng)?;
    Some(native::read::<G>(&doc.bare()).expect("a level").level)
}

/// A board of 3 x 3 or 3 x 4 a few slides from its target, with one or two gaps.
fn near_board(rng: &mut ChaCha8Rng) -> Option<<Readout as tilewright::game::Draft>::Level> {
    let (w, h) = (3, rng.random_range(3..=4));
    let gaps = rng.random_range(1..=2);
    let mut cells: Vec<usize> = (1..=w * h - gaps).chain(std::iter::repeat_n(0, gaps)).collect();
    for _ in 0..rng.random_range(0..14) {
        let holes: Vec<usize> = (0..w * h).filter(|i| cells[*i] == 0).collect();
        let to = holes[rng.random_range(0..holes.len())];
        let near: Vec<usize> =
            (0..w * h).filter(|i| (i % w).abs_diff(to % w) + (i / w).abs_diff(to / w) == 1 && cells[*i] != 0).collect();
        if !near.is_empty() {
            cells.swap(to, near[rng.random_range(0..near.len())]);
        }
    }
    let word = |n: &usize| if *n == 0 { ".".to_string() } else { n.to_string() };
    let rows: Vec<String> =
        cells.chunks(w).map(|r| format!("\"{}\"", r.iter().map(word).collect::<Vec<_>>().join(" "))).collect();
    let clock = rng.random_range(0..2) * 30;
    let text = format!(
        "(tilewright: 1, game: \"readout\", rules: {{\"turn_clock\": {clock}}}, level: (board: [{}]))",
        rows.join(", ")
    );
    Some(native::read::<Readout>(&text).expect("a level").level)
}

/// Which cells each shape or tandem covers, with its colours and locks, whichever shape it is; and the cats.
fn cats_look(
    level: &<Cats as tilewright::game::Draft>::Level,
    state: &<Cats as tilewright::game::Rules>::State,
) -> String {
    let mut things = std::collections::BTreeMap::new();
    for (i, shape) in level.shapes.iter().enumerate() {
        let key = if shape.tandem == 0 { (1, i as u32) } else { (0, shape.tandem) };
        let cells = state.shift[i].map(|(x, y)| shape.cells.iter().map(|c| (c.x + x, c.y + y)).collect::<Vec<_>>());
        let (parts, lock): &mut (Vec<_>, u32) = things.entry(key).or_default();
        parts.push(format!("{:?} {cells:?}", shape.colour));
        *lock = (*lock).max(shape.lock);
    }
    let mut things: Vec<_> = things
        .into_values()
        .map(|(mut parts, lock)| {
            parts.sort();
            (parts, lock)
        })
        .collect();
    things.sort();
    format!("{things:?} {:b}", state.gone)
}

/// The boxes, wherever the player stands.
fn boxes_only(_: &<Sbokena as tilewright::game::Draft>::Level, state: &games::sbokena::State) -> String {
    format!("{:?}", state.boxes().iter().map(|b| (b.at, b.kind)).collect::<Vec<_>>())
}

fn hold(levels: u32, first: u64, most: usize) {
    let only = std::env::var("SHORTEST_GAME").ok();
    let wanted = |id: &str| only.as_deref().is_none_or(|o| o == id);
    fn run(
        name: &str,
        (levels, budget): (u32, usize),
        first: u64,
        mut one: impl FnMut(&mut ChaCha8Rng, &mut Seen, &str),
    ) {
        let mut seen = Seen { budget, ..Seen::default() };
        for seed in first..first + 60 * u64::from(levels) {
            if seen.levels >= levels {
                break;
            }
            one(&mut rng(seed), &mut seen, &format!("{name}, seed {seed}"));
        }
        println!("{name}: {seen:?}");
        assert!(seen.levels >= levels && seen.several * 8 >= levels, "{name}: {seen:?}");
    }
    if wanted("cats") {
        for (goal, name, turn) in [(0, "cats, steps", moves::<Cats> as Turn<Cats>), (1, "cats, drags", drags)] {
            run(name, (levels, most), first, |rng, seen, at| {
                if let Some(level) = random::<Cats>(rng) {
                    agree::<Cats>(level, goal, cats_look, turn, seen, at);
                }
            });
        }
    }
    if wanted("sbokena") {
        run("sbokena", (levels, most), first, |rng, seen, at| {
            let doc = rng.random_bool(0.7).then(|| room(game("sbokena"), rng));
            let level = doc.map(|d| native::read::<Sbokena>(&d.bare()).expect("a level").level);
            if let Some(level) = level.or_else(|| random::<Sbokena>(rng)) {
                agree::<Sbokena>(level, 0, boxes_only, pushes, seen, at);
            }
        });
    }
    if wanted("match") {
        run("match", (levels, most), first, |rng, seen, at| {
            if let Some(level) = random::<Match>(rng) {
                agree::<Match>(level, 0, Match::board_text, moves::<Match>, seen, at);
            }
        });
    }
    if wanted("readout") {
        run("readout", (levels, most), first, |rng, seen, at| {
            if let Some(level) = near_board(rng) {
                let slides: Turn<Readout> = |lines, s| s.slides().iter().map(|mv| lines.made(s, mv)).collect();
                agree::<Readout>(level, 0, Readout::board_text, slides, seen, at);
            }
        });
    }
}

#[test]
fn the_number_of_shortest_solutions_is_that_of_a_plain_enumeration() {
    hold(12, 0, 6_000);
}

#[test]
#[ignore = "the long run: 2,000 levels a game"]
fn the_number_of_shortest_solutions_is_right_on_many_levels() {
    hold(2_000, 500_000, 10_000);
}

#[test]
fn equal_shapes_are_alike_and_pushes_are_counted_without_the_walk() {
    // Either of two equal shapes takes both cats and ends on either of them.
    let text = r#"(tilewright: 1, game: "cats", level: (board: ["a.R", "b.R"], legend: {'a': Shape(colour: red), 'b': Shape(colour: red), 'R': Cat(red)}))"#;
    let level = Arc::new(native::read::<Cats>(text).expect("a level").level);
    let found =
        shortest::<Cats>(&level, 1, None, 10, &mut Probe::new(Limits::default())).expect("small").expect("solvable");
    assert_eq!((found.about.cost, found.about.tally.found), (1, 4), "{:?}", found.about);
    let rows = ["######", "#    #", "#@$ .#", "#    #", "######"];
    let text = format!("(tilewright: 1, game: \"sbokena\", level: (board: {rows:?}))");
    let level = Arc::new(native::read::<Sbokena>(&text).expect("a level").level);
    let found =
        shortest::<Sbokena>(&level, 0, None, 10, &mut Probe::new(Limits::default())).expect("small").expect("solvable");
    assert_eq!(found.about.text(), "exactly one shortest solution");
    assert_eq!(Sbokena::GOALS[1].apart, None);
}

#[test]
fn a_push_that_every_solution_has_counts_wherever_the_player_stands_before_it() {
    // The box comes to one cell by two ways, and the player stands on another side of it after each.
    let rows = ["#######", "#    @#", "# $   #", "#   # #", "#   . #", "#######"];
    let text = format!("(tilewright: 1, game: \"sbokena\", level: (board: {rows:?}))");
    let level = native::read::<Sbokena>(&text).expect("a level").level;
    let mut seen = Seen { budget: 100_000, ..Seen::default() };
    agree::<Sbokena>(level, 0, boxes_only, pushes, &mut seen, "one box");
    assert!(seen.levels == 1 && seen.several == 1, "{seen:?}");
}
