//! Why a level cannot be solved: golden drafts, and the laws that reasons keep.
//!
//! The long run is one command: `cargo test --release --no-default-features --test why -- --ignored --nocapture`; `WHY_GAME` asks for one game only,
//! `WHY_LEVELS` changes its size, and `WHY_SHOW` shows some levels of each kind of reason.

mod levels;

use levels::{drawn, generated, walk};
use rand::{RngExt as _, rngs::ChaCha8Rng};
use std::collections::BTreeMap;
use tilewright::{
    analysis::{Verdict, plain::Plain, why::Effort},
    document::{AnyGame, Doc, Position},
    game::{Reason, rng},
    games,
    job::{Limits, Probe},
};

// ---------------------------------------------------------------------------------------------------------------------- golden

/// A case: its lines by their first word.
struct Case {
    name: String,
    given: Vec<(String, String)>,
}

impl Case {
    fn get(&self, key: &str) -> Option<&str> {
        self.given.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }
}

fn cases(text: &str) -> Vec<Case> {
    let mut all: Vec<Case> = Vec::new();
    for line in text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with('#')) {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        match (key, all.last_mut()) {
            ("case", _) => all.push(Case { name: value.into(), given: Vec::new() }),
            (_, Some(case)) => case.given.push((key.into(), value.into())),
            _ => panic!("a line before the first case: {line}"),
        }
    }
    all
}

fn reason_of(game: &'static dyn AnyGame, case: &Case) -> Option<Reason> {
    let rules = case.get("rules").unwrap_or("{}");
    let text = format!(
        "(tilewright: 1, game: \"{}\", rules: {rules}, level: {})",
        game.info().id,
        case.get("level").expect("a level")
    );
    let doc = game.read_native(&text).unwrap_or_else(|e| panic!("{}: {e}", case.name));
    let goal = case.get("goal").map_or(game.info().verdict_goal, |id| {
        game.goals().iter().position(|g| g.id == id).expect("a goal of this game")
    });
    if let Some(moves) = case.get("after") {
        let mut here = doc.position(false).expect("playable");
        assert!(here.follow(moves, 0), "{}: a move is refused", case.name);
        return here.why(goal, Effort::default(), 0).map(|e| e.reason);
    }
    let report = doc.solve_now(goal, &mut Probe::new(Limits::nodes(400_000)));
    doc.why_now(&report, &mut Probe::new(Limits::default()))
}

/// How many of the drafts there are of each kind.
fn golden_kinds(cases: &[Case]) -> BTreeMap<&str, usize> {
    let mut kinds = BTreeMap::new();
    cases
        .iter()
        .filter_map(|c| c.get("is"))
        .for_each(|is| *kinds.entry(is.split(',').next().unwrap_or(is)).or_default() += 1);
    kinds
}

fn written(reason: &Reason) -> Vec<(String, String)> {
    let cells: Vec<String> = reason
        .spots
        .iter()
        .map(|s| s.numbers().iter().map(ToString::to_string).collect::<Vec<_>>().join(","))
        .collect();
    let lines = [
        ("is", format!("{}{}", reason.kind, if reason.minimal { "" } else { ", perhaps not minimal" })),
        ("at", cells.join(" ")),
        ("says", reason.text.clone()),
        ("keeps", reason.keeps.clone()),
    ];
    lines.map(|(k, v)| (k.to_string(), v)).into()
}

#[test]
fn golden_drafts_have_the_reasons_that_were_recorded() {
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for game in games::offered().iter().copied() {
        let path = format!("tests/golden/{}/why.txt", game.info().id);
        let text = std::fs::read_to_string(&path).expect("a golden file for each game");
        let cases = cases(&text);
        assert!(cases.len() >= 12, "{path} has {} cases", cases.len());
        println!("{}: {} drafts, {:?}", game.info().id, cases.len(), golden_kinds(&cases));
        let mut out: String = text.lines().take_while(|l| l.starts_with('#')).map(|l| format!("{l}\n")).collect();
        for case in &cases {
            let reason = reason_of(game, case).map(|r| written(&r));
            let expected = |k: &str| case.get(k).unwrap_or("").to_string();
            match &reason {
                None => wrong.push(format!("{path}, {}: it can be solved, or that is not known", case.name)),
                Some(lines) => wrong.extend(
                    lines
                        .iter()
                        .filter(|(k, v)| *v != expected(k))
                        .map(|(k, v)| format!("{path}, {}: {k} {v}\n    instead of {}", case.name, expected(k))),
                ),
            }
            out += &format!("\ncase {}\n", case.name);
            let given =
                case.given.iter().filter(|(k, _)| !["is", "at", "says", "keeps"].contains(&k.as_str())).cloned();
            for (k, v) in given.chain(reason.unwrap_or_default()).filter(|(_, v)| !v.is_empty()) {
                out += &format!("{k} {v}\n");
            }
        }
        if update {
            std::fs::write(&path, out).expect("written");
        }
    }
    assert!(wrong.is_empty() || update, "{}", wrong.join("\n"));
    println!("{}", wrong.join("\n"));
}

// ------------------------------------------------------------------------------------------------------------------------ laws

/// Positions that plain search looks at.
const FEW: usize = 3_000;
/// And in the smaller questions, which are asked often.
const SMALL: usize = 20_000;

/// A small level of a game, and a position of it in which the player is to move.
fn some_level(
    game: &'static dyn AnyGame,
    pool: &[(String, String)],
    rng: &mut ChaCha8Rng,
) -> Option<Box<dyn Position>> {
    if !pool.is_empty() && rng.random_bool(0.2) {
        let (text, line) = &pool[rng.random_range(0..pool.len())];
        let mut here = game.read_native(text).ok()?.position(false)?;
        here.follow(line, rng.random_range(1..=6));
        return Some(walk(here, rng.random_range(0..3), rng));
    }
    let doc = drawn(game, 8 + rng.random_range(0..20), rng)?;
    let steps = if rng.random_bool(0.3) { rng.random_range(1..=5) } else { 0 };
    Some(walk(doc.position(false)?, steps, rng))
}

#[derive(Default)]
struct Laws {
    solvable: u64,
    unsolvable: u64,
    not_proven: u64,
    eased: u64,
    checked: u64,
    irreducible: u64,
    kinds: BTreeMap<&'static str, u64>,
}

fn random_parts(parts: usize, rng: &mut ChaCha8Rng) -> Vec<bool> {
    let share = [0.2, 0.5, 0.9][rng.random_range(0..3)];
    let whole = rng.random_range(0..=parts);
    // What may be left out only together stands at the beginning.
    (0..parts).map(|i| (rng.random_bool(0.7) && i < whole) || rng.random_bool(share)).collect()
}

/// A reason must rest on what plain search confirms, and its rest must be irreducible.
fn judge(here: &dyn Position, goal: usize, laws: &mut Laws, at: &str) {
    laws.unsolvable += 1;
    // The solver's searches take turns, and the one that proves may not have had enough of them.
    let Some(why) = here.why(goal, Effort::default(), SMALL) else {
        laws.not_proven += 1;
        return;
    };
    *laws.kinds.entry(why.reason.kind).or_default() += 1;
    for plain in &why.plain {
        assert_ne!(*plain, Some(true), "{at}: {:?} rests on a solvable question\n{}", why.reason, here.board());
        laws.checked += u64::from(plain.is_some());
    }
    let Reason { spots, aside, .. } = &why.reason;
    assert!(aside.iter().all(|s| !spots.contains(s)), "{at}: {:?} greys what it is about", why.reason);
    assert!(aside.is_empty() || why.left_out.is_some(), "{at}: {:?} greys what was not left out", why.reason);
    if let (Some(left_out), true) = (why.left_out, why.reason.minimal) {
        for i in (0..left_out.len()).filter(|i| !left_out[*i]) {
            let mut less = left_out.clone();
            less[i] = true;
            if let Some(Some(answer)) = here.without(&less, SMALL) {
                assert!(answer, "{at}: part {i} can be left out of {:?} too\n{}", why.reason, here.board());
                laws.irreducible += 1;
            }
        }
    }
}

fn laws_of(game: &'static dyn AnyGame, solvable: u64, first: u64) -> Laws {
    let pool = generated(game, 8);
    let mut laws = Laws::default();
    for seed in first..first + 80 * solvable {
        if laws.solvable >= solvable && laws.unsolvable >= solvable / 4 {
            break;
        }
        let rng = &mut rng(seed);
        let Some(here) = some_level(game, &pool, rng) else { continue };
        let at = format!("{}, seed {seed}", game.info().id);
        // Where an opponent answers, every move takes a search.
        let most = if game.opponents().is_empty() { FEW } else { FEW / 10 };
        let ends: Vec<_> = (0..game.goals().len()).map(|goal| here.plain(goal, most, true).end).collect();
        for (goal, end) in ends.iter().enumerate() {
            match end {
                Plain::Least(_) if laws.solvable >= solvable => {}
                Plain::Least(_) => {
                    laws.solvable += u64::from(goal == 0);
                    // That an opponent is too strong is only ever said of a duel that is proven lost.
                    let own = here.own_reason(goal).filter(|r| r.kind != "opponent");
                    assert_eq!(own, None, "{at}: a reason for what can be solved\n{}", here.board());
                    for _ in 0..3 {
                        let parts = here.parts();
                        let mut left_out = random_parts(parts.len(), rng);
                        // The questions are about the game as it is played. A goal that is easier than that knows nothing of its rules.
                        if ends.iter().any(|end| !matches!(end, Plain::Least(_))) {
                            left_out.iter_mut().zip(&parts).for_each(|(out, is_rule)| *out |= is_rule);
                        }
                        if let Some(Some(answer)) = here.without(&left_out, SMALL) {
                            assert!(answer, "{at}: unsolvable without {left_out:?}\n{}", here.board());
                            laws.eased += 1;
                        }
                    }
                }
                Plain::None if laws.unsolvable < solvable => judge(&*here, goal, &mut laws, &at),
                _ => {}
            }
        }
    }
    println!(
        "{}: {} solvable levels, {} easier questions about them; {} unsolvable positions, {:?}; {} questions confirmed, {} times irreducible",
        game.info().id,
        laws.solvable,
        laws.eased,
        laws.unsolvable,
        laws.kinds,
        laws.checked,
        laws.irreducible
    );
    let path = format!("tests/golden/{}/why.txt", game.info().id);
    let golden = std::fs::read_to_string(&path).expect("a golden file for each game");
    let (golden, found) = (cases(&golden), laws.kinds.keys());
    let missing: Vec<_> = found.filter(|k| !golden_kinds(&golden).contains_key(**k)).collect();
    assert!(missing.is_empty(), "{path} has no draft of {missing:?}");
    laws
}

fn hold(solvable: u64, first: u64) {
    let solvable = std::env::var("WHY_LEVELS").ok().and_then(|n| n.parse().ok()).unwrap_or(solvable);
    let only = std::env::var("WHY_GAME").ok();
    for game in games::offered().iter().copied().filter(|g| only.as_deref().is_none_or(|o| o == g.info().id)) {
        let laws = laws_of(game, solvable, first);
        assert!(laws.solvable >= solvable, "{}: only {} solvable levels", game.info().id, laws.solvable);
        assert!(laws.eased >= solvable / 2, "{}: only {} easier questions", game.info().id, laws.eased);
        assert!(laws.unsolvable >= solvable / 10, "{}: only {} unsolvable", game.info().id, laws.unsolvable);
        assert!(laws.not_proven * 10 <= laws.unsolvable, "{}: {} not proven", game.info().id, laws.not_proven);
    }
}

#[test]
fn what_is_left_out_only_helps_and_reasons_rest_on_what_plain_search_confirms() {
    hold(80, 0);
}

#[test]
#[ignore = "the long run: 10,000 solvable levels a game"]
fn what_is_left_out_only_helps_on_many_levels() {
    hold(10_000, 1_000_000);
}

// ---------------------------------------------------------------------------------------------------------------------- shares

/// A Readout board with its digits in any order, a few gaps and fixed tiles, and rules under which it is a short game.
fn shuffled_readout(rng: &mut ChaCha8Rng) -> Box<dyn Doc> {
    use rand::seq::SliceRandom as _;
    let game = games::offered().iter().copied().find(|g| g.info().id == "readout").expect("offered");
    let fixed = if rng.random_bool(0.3) { rng.random_range(1..=2) } else { 0 };
    let gaps = if rng.random_bool(0.3) { 2 } else { 1 };
    let mut words: Vec<String> = (1..=9 - fixed - gaps).map(|d| d.to_string()).collect();
    words.extend((0..gaps).map(|_| ".".to_string()));
    words.extend((0..fixed).map(|_| "#".to_string()));
    words.shuffle(rng);
    let rows: Vec<String> = words.chunks(3).map(|r| format!("\"{}\"", r.join(" "))).collect();
    let opponent = ["none", "easy", "medium"][rng.random_range(0..3)];
    let limit = rng.random_range(4..=30);
    let text = format!(
        "(tilewright: 1, game: \"readout\", rules: {{\"opponent\": \"{opponent}\", \"move_limit\": {limit}}}, level: (board: [{}]))",
        rows.join(", ")
    );
    game.read_native(&text).expect("a level")
}

/// The kinds of reasons of so many random unsolvable levels.
fn shares(game: &'static dyn AnyGame, levels: u64) -> BTreeMap<&'static str, u64> {
    let mut kinds = BTreeMap::new();
    let mut found = 0;
    for seed in 0.. {
        let rng = &mut rng(5_000_000 + seed);
        let readout = game.info().id == "readout";
        let doc = if readout { Some(shuffled_readout(rng)) } else { drawn(game, 8 + rng.random_range(0..28), rng) };
        let Some(doc) = doc else { continue };
        // A duel's verdict is about the game that is played.
        let goal = if readout { 1 } else { 0 };
        let report = doc.solve_now(goal, &mut Probe::new(Limits::nodes(50_000)));
        if !matches!(report.verdict, Verdict::Unsolvable | Verdict::Unplayable(_)) {
            continue;
        }
        let reason = doc.why_now(&report, &mut Probe::new(Limits::default())).expect("a reason");
        let of_kind = kinds.entry(reason.kind).or_default();
        *of_kind += 1;
        if std::env::var_os("WHY_SHOW").is_some() && *of_kind <= 4 {
            println!("{}{} {:?}", doc.bare(), reason.text, reason.spots.len());
        }
        found += 1;
        if found == levels {
            break;
        }
    }
    kinds
}

fn at_least_half(levels: u64) {
    for game in games::offered().iter().copied().filter(|g| ["sbokena", "shards", "readout"].contains(&g.info().id)) {
        let kinds = shares(game, levels);
        println!("{}: {levels} unsolvable levels, {kinds:?}", game.info().id);
        let search = kinds.get("search").copied().unwrap_or(0);
        assert!(2 * search <= levels, "{}: {search} of {levels} have no reason but a search", game.info().id);
    }
}

#[test]
fn at_least_half_of_random_unsolvable_levels_have_a_reason_other_than_a_search() {
    at_least_half(120);
}

#[test]
#[ignore = "the long run: 1,000 levels a game"]
fn at_least_half_of_many_random_unsolvable_levels_have_a_reason() {
    at_least_half(1_000);
}

// ------------------------------------------------------------------------------------------------------------------ the live verdict

fn judged(game: &str, rules: &str, level: &str) -> tilewright::document::LiveVerdict {
    let game = games::offered().iter().copied().find(|g| g.info().id == game).expect("offered");
    let text = format!("(tilewright: 1, game: \"{}\", rules: {rules}, level: {level})", game.info().id);
    let mut doc = game.read_native(&text).expect("a level");
    doc.ask_verdict();
    for _ in 0..6_000 {
        doc.tick();
        if !doc.busy() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    doc.verdict()
}

#[test]
fn the_live_verdict_has_the_reason_of_an_unsolvable_draft() {
    let board = |rows: [&str; 4]| format!("(board: {rows:?})");
    let verdict = judged("sbokena", "{}", &board(["#######", "#@$ #.#", "#   ###", "#######"]));
    assert_eq!(verdict.verdict, Some(Verdict::Unsolvable));
    let reason = verdict.reason.expect("a reason");
    assert_eq!((reason.kind, reason.spots.len()), ("goal", 1));
    let solvable = judged("sbokena", "{}", &board(["#####", "#@$.#", "#   #", "#####"]));
    assert_eq!(solvable.reason, None);
}

#[test]
fn readouts_verdict_is_about_the_game_that_is_played() {
    let near = r#"(board: ["1 2 3", "4 5 6", ". 7 8"])"#;
    let won = judged("readout", r#"{"opponent": "easy", "move_limit": 30}"#, near);
    assert!(won.text.starts_with("winnable:"), "{}", won.text);
    assert!(matches!(won.verdict, Some(Verdict::Solved { .. })));
    let alone = judged("readout", r#"{"opponent": "hard", "move_limit": 2}"#, near);
    assert_eq!(alone.text, "winnable without an opponent only");
    assert!(alone.reason.is_some_and(|r| r.is_opponent()));
    let far = r#"(board: ["8 6 7", "2 5 4", "3 . 1"])"#;
    let never = judged("readout", r#"{"opponent": "medium", "move_limit": 10}"#, far);
    assert_eq!((never.text.as_str(), never.reason.map(|r| r.kind)), ("unsolvable", Some("limit")));
}

/// A Readout board so many slides from its target, with the fewest slides home.
fn walked(size: usize, slides: usize, rng: &mut ChaCha8Rng) -> (Vec<usize>, u32) {
    let mut cells: Vec<usize> = (1..size * size).chain([0]).collect();
    let mut last = None;
    for _ in 0..slides {
        let to = cells.iter().position(|n| *n == 0).expect("a gap");
        let near = |i: &usize| (i % size).abs_diff(to % size) + (i / size).abs_diff(to / size) == 1 && Some(*i) != last;
        let near: Vec<usize> = (0..size * size).filter(near).collect();
        let from = near[rng.random_range(0..near.len())];
        cells.swap(to, from);
        last = Some(to);
    }
    let report = duel(&cells, size, "none", 60).solve_now(0, &mut Probe::new(Limits::nodes(400_000)));
    let least = report.cost.filter(|_| report.optimal()).unwrap_or(slides as u32);
    (cells, least)
}

fn duel(cells: &[usize], size: usize, opponent: &str, limit: u32) -> Box<dyn Doc> {
    let game = games::offered().iter().copied().find(|g| g.info().id == "readout").expect("offered");
    let word = |n: &usize| if *n == 0 { ".".to_string() } else { n.to_string() };
    let row = |r: &[usize]| format!("\"{}\"", r.iter().map(word).collect::<Vec<_>>().join(" "));
    let rows: Vec<String> = cells.chunks(size).map(row).collect();
    let rules = format!("{{\"opponent\": \"{opponent}\", \"move_limit\": {limit}}}");
    let text = format!("(tilewright: 1, game: \"readout\", rules: {rules}, level: (board: [{}]))", rows.join(", "));
    game.read_native(&text).expect("a level")
}

/// The verdict about a duel against the proof by itself, for so many boards of 3 x 3 and 4 x 4 together and of 5 x 5.
fn duels(small: usize, large: usize, nodes: u64) -> (u32, u32) {
    let (mut won, mut lost, mut undecided, mut checked) = (0, 0, 0, 0);
    for i in 0..small + large {
        let rng = &mut rng(9_000_000 + i as u64);
        let size = if i < small { 3 + i % 2 } else { 5 };
        let (cells, least) = walked(size, rng.random_range(10..=40), rng);
        if least == 0 {
            continue;
        }
        let limit = rng.random_range(least..=2 * least);
        for opponent in ["easy", "medium", "hard"] {
            let doc = duel(&cells, size, opponent, limit);
            let at = format!("board {i} of {size} x {size}, {opponent}, {limit} turns");
            let report = doc.solve_now(1, &mut Probe::new(Limits::nodes(nodes)));
            match report.verdict {
                Verdict::Solved { .. } => won += 1,
                Verdict::Unsolvable => lost += 1,
                _ => undecided += 1,
            }
            let here = doc.position(false).expect("playable");
            let proof = here.stages(1).iter().position(|(_, proves)| *proves).expect("one proves");
            let exact = here.run_stage(1, proof, &mut Probe::new(Limits::nodes(nodes))).expect("a stage");
            let cost = exact.cost.expect("its line wins");
            if exact.end.is_err() && cost.is_none() {
                continue;
            }
            checked += 1;
            match (&report.verdict, cost) {
                (Verdict::Solved { .. }, None) => panic!("{at}: green, and proven lost"),
                (Verdict::Unsolvable, Some(_)) => panic!("{at}: red, and it can be won"),
                (Verdict::Solved { optimal: true, .. }, Some(cost)) => assert!(report.cost <= Some(cost), "{at}"),
                _ => {}
            }
            if report.solved() {
                let mut here = doc.position(false).expect("playable");
                assert!(here.follow(report.moves.as_deref().expect("a line"), 0), "{at}");
                assert_eq!(here.status(), tilewright::game::Status::Won, "{at}: green, and the line does not win");
            }
        }
    }
    println!("duels: {won} won, {lost} proven lost, {undecided} undecided; the proof by itself ended in {checked}");
    assert!(checked > 0);
    (won, lost)
}

#[test]
fn verdicts_about_duels_agree_with_the_proof_by_itself() {
    duels(8, 1, 20_000);
}

#[test]
#[ignore = "the long run: 200 boards of 3 x 3 and 4 x 4, 100 of 5 x 5"]
fn verdicts_about_many_duels_agree_with_the_proof_by_itself() {
    let (won, lost) = duels(200, 100, 400_000);
    let decided = won + lost;
    assert!(4 * won >= decided && 4 * lost >= decided, "{won} won, {lost} lost");
}

#[test]
fn an_irreducible_part_of_a_level_with_six_boxes_is_found_within_its_nodes() {
    let rows = [
        "##########",
        "#  . . . #",
        "#  .  .  #",
        "#  $$  $ #",
        "#  $#@   #",
        "# $   .$ #",
        "#        #",
        "##########",
    ];
    let game = games::offered().iter().copied().find(|g| g.info().id == "sbokena").expect("offered");
    let text = format!("(tilewright: 1, game: \"sbokena\", level: (board: {rows:?}))");
    let here = game.read_native(&text).expect("a level").position(false).expect("playable");
    let why = here.why(0, Effort::default(), SMALL).expect("unsolvable");
    assert!(why.reason.minimal && why.nodes < 1_000_000, "{why:?}");
    assert_eq!(why.reason.spots.len(), 3, "{why:?}");
    // The window greys the boxes and goals that have no part in it.
    let left_out_boxes = 3;
    assert!(why.reason.aside.len() >= left_out_boxes, "{why:?}");
    let left_out = why.left_out.expect("a rest of parts");
    for i in (0..left_out.len()).filter(|i| !left_out[*i]) {
        let mut less = left_out.clone();
        less[i] = true;
        assert_eq!(here.without(&less, 200_000), Some(Some(true)), "part {i} can be left out too");
    }
    println!("{} nodes", why.nodes);
    // Where a question stops at its limit, the rest may not be irreducible, and that is said.
    let hurried = here.why(0, Effort { each: 20, ..Effort::default() }, SMALL).expect("unsolvable");
    assert!(!hurried.reason.minimal, "{hurried:?}");
}

// ------------------------------------------------------------------------------------------------------------------ counting again

#[test]
fn parity_is_given_as_a_reason_exactly_where_counting_inversions_says_so() {
    use rand::seq::SliceRandom as _;
    let mut odd = 0;
    for seed in 0..300 {
        let rng = &mut rng(seed);
        let size = rng.random_range(3..=5);
        let mut cells: Vec<usize> = (0..size * size).collect();
        cells.shuffle(rng);
        // Pairs out of order, and on an even board the rows that the gap has to go.
        let is_odd = |cells: &[usize]| {
            let digits: Vec<usize> = cells.iter().copied().filter(|n| *n > 0).collect();
            let pairs = (0..digits.len()).flat_map(|i| (0..i).map(move |j| (j, i)));
            let inversions = pairs.filter(|(j, i)| digits[*j] > digits[*i]).count();
            let rows = size - 1 - cells.iter().position(|n| *n == 0).expect("a gap") / size;
            (inversions + if size % 2 == 0 { rows } else { 0 }) % 2 == 1
        };
        let doc = duel(&cells, size, "none", 60);
        let problem = doc.position(false).is_none();
        assert_eq!(problem, is_odd(&cells), "{cells:?}");
        if !problem {
            continue;
        }
        odd += 1;
        let report = doc.solve_now(0, &mut Probe::new(Limits::nodes(1)));
        let reason = doc.why_now(&report, &mut Probe::new(Limits::default())).expect("a reason");
        assert_eq!((reason.kind, reason.spots.len()), ("parity", 2), "{cells:?}");
        let [a, b] = [0, 1].map(|i| reason.spots[i].cell).map(|c| c.y as usize * size + c.x as usize);
        cells.swap(a, b);
        assert!(!is_odd(&cells), "the exchange it suggests puts that right: {reason:?}");
    }
    assert!(odd > 100, "{odd}");
}

#[test]
fn colours_without_shapes_and_locked_boards_are_given_as_reasons_exactly_where_there_are_such() {
    use tilewright::{formats::native, games::cats::Cats};
    let game = games::offered().iter().copied().find(|g| g.info().id == "cats").expect("offered");
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..1_500 {
        let rng = &mut rng(seed);
        let Some(doc) = drawn(game, 8 + rng.random_range(0..20), rng) else { continue };
        let (Some(here), Ok(item)) = (doc.position(false), native::read::<Cats>(&doc.bare())) else { continue };
        let level = item.level;
        let has_shape = |c: &_| level.shapes.iter().any(|s| s.colour == *c);
        let lock = |i: usize| {
            let (own, all) = (&level.shapes[i], level.shapes.iter());
            let together = all.filter(|s| own.tandem != 0 && s.tandem == own.tandem).map(|s| s.lock);
            together.chain([own.lock]).max().unwrap_or(0)
        };
        let expected = if level.cats.iter().any(|c| !has_shape(&c.colour)) {
            "colour"
        } else if !level.shapes.is_empty() && (0..level.shapes.len()).all(|i| lock(i) > 0) {
            "locked"
        } else {
            "none"
        };
        assert_eq!(here.own_reason(0).map_or("none", |r| r.kind), expected, "seed {seed}\n{}", here.board());
        *seen.entry(expected).or_default() += 1;
    }
    println!("{seen:?}");
    assert!(seen.len() == 3 && seen.values().all(|n| *n >= 5), "{seen:?}");
}
