//! The law of proofs: on small levels, every stage that can prove something agrees with plain search when it runs by itself, with nothing known.
//!
//! Levels are made for any game by the same means: random strokes with random inks on small boards, random rule switches and commands, random moves
//! from there, larger boards near the end of their solution. What a level is made of (its *features*: rule values, swatches, what is said of its things, colours
//! that are used on one kind of thing only, solvable or not) is counted by pairs, and every pair must have occurred.
//!
//! The long run is one command: `cargo test --release --no-default-features --test proofs -- --ignored --nocapture`. It says how far it has come; `PROOF_SEED`
//! begins with a seed that it named, `PROOF_LEVELS` changes its size, `PROOF_GAME` asks for one game only, `PROOF_FEATURE` for levels with one feature only.

mod levels;

use levels::{drawn, generated, set_rules, walk};
use rand::{RngExt as _, rngs::ChaCha8Rng};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};
use tilewright::{
    analysis::plain::Plain,
    document::{AnyGame, Board, Doc, Position},
    game::{Ink, Kind, Value, rng},
    games,
    grid::Size,
    job::{Limits, Probe},
    search::driver::Flow,
};

/// Positions that plain search looks at: on most levels, on small boards, on some of the larger boards near their end, and on a few of
/// the smallest boards.
const FEW: usize = 1_500;
const SOME: usize = 6_000;
const MANY: usize = 50_000;
const MOST: usize = 200_000;
/// Nodes that a stage may take, and one that proves nothing: only its lines are looked at.
const NODES: u64 = 300_000;
const NODES_UNPROVEN: u64 = 2_000;
/// A proving stage that came to its end on fewer levels is not tested.
const LEAST: u64 = 200;
/// Seeds that a thread takes at a time.
const BLOCK: u64 = 16;

/// A level, a position of it, and how many positions plain search may look at.
struct Case {
    doc: Box<dyn Doc>,
    here: Box<dyn Position>,
    positions: usize,
}

fn case(run: &Run, seed: u64) -> Option<Case> {
    let (game, rng) = (run.game, &mut rng(seed));
    let mut positions = match seed % 1024 {
        1 => MOST,
        n if n % 256 == 4 || n % 512 == 257 => MANY,
        _ => FEW,
    };
    let pooled = |rng: &mut ChaCha8Rng| {
        let (text, line) = &run.pool[rng.random_range(0..run.pool.len())];
        let doc = game.read_native(text).ok()?;
        let mut here = doc.position(false)?;
        here.follow(line, rng.random_range(1..=8));
        let off = if rng.random_bool(0.3) { rng.random_range(1..=3) } else { 0 };
        let here = walk(here, off, rng);
        Some((doc, here))
    };
    // Boards of one size follow one another, so that a game's tables for it are built once.
    let block = seed / BLOCK;
    let blank = run.blank && block % 5 == 0;
    let (doc, here) = match seed % 4 {
        // A larger board near its end, or a little off the way to it.
        0 if !run.pool.is_empty() && blank == run.blank => pooled(rng)?,
        // Walks from a blank board, where that can be played.
        _ if blank => {
            let (_, most, new) = game.sizes();
            let size = [new, Size::new(4, 4), new, most][block as usize / 5 % 4];
            let mut doc = game.blank(size);
            set_rules(&mut *doc, rng);
            // On a board of this size an opponent thinks for long: as it is for the first goal.
            let doc = doc.replay_level(0).unwrap_or(doc);
            let steps = rng.random_range(1..=if positions > FEW { 12 } else { 8 });
            let here = walk(doc.position(false)?, steps, rng);
            (doc, here)
        }
        kind => {
            let large = if game.opponents().is_empty() || seed % 128 == 7 { 32.0 } else { 4.0 };
            let spots = 8 + (large * rng.random_range(0.0..1.0f64).powi(2)).round() as usize;
            let doc = drawn(game, if positions == MOST { 9 } else { spots }, rng)?;
            // Where there is little room, all of it can be gone through.
            if positions == FEW && doc.spots(Board::Draft).len() <= 9 {
                positions = SOME;
            }
            let here = doc.position(false)?;
            let steps = if kind == 2 { rng.random_range(1..=6) } else { 0 };
            let here = walk(here, steps, rng);
            (doc, here)
        }
    };
    Some(Case { doc, here, positions })
}

// ------------------------------------------------------------------------------------------------------------------- features

/// What a level is made of, as far as rules, palette and things tell.
fn features(doc: &dyn Doc) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    let (rules, values) = doc.rule_values();
    for rule in &rules {
        let value = values.0.get(rule.name).unwrap_or(&rule.default);
        let word = match (&rule.kind, value) {
            (Kind::Number { min, .. }, Value::Number(n)) => if n == min { "least" } else { "more" }.to_string(),
            _ => value.to_string(),
        };
        out.insert(format!("{}={word}", rule.name));
    }
    let palette = doc.palette();
    let mut colours: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    let mut see = |ink: Ink| {
        let Some(swatch) = palette.swatches.get(ink.swatch) else { return };
        out.insert(swatch.id.to_string());
        if swatch.coloured {
            colours.entry(swatch.group).or_default().insert(ink.colour);
        }
    };
    for spot in doc.spots(Board::Draft) {
        see(doc.pick(spot));
        see(doc.ground(spot.cell));
    }
    let things = doc.things();
    things.iter().for_each(|thing| see(thing.ink));
    for (a, of_a) in &colours {
        for (b, of_b) in colours.iter().filter(|(b, _)| *b != a) {
            if !of_a.is_subset(of_b) {
                out.insert(format!("a colour of {a} that {b} lack"));
            }
        }
    }
    out.extend(things.iter().flat_map(|t| &t.facts).map(|(name, _)| (*name).to_string()));
    out
}

/// The features that levels are to have: all rule values, all swatches of the smallest board that can be seen once they are painted, solvable or not.
fn declared(game: &'static dyn AnyGame) -> Vec<String> {
    let mut all = BTreeSet::from(["solvable".to_string()]);
    // The template for a new game need not have levels that cannot be solved.
    if games::offered().iter().any(|g| g.info().id == game.info().id) {
        all.insert("unsolvable".to_string());
    }
    for rule in game.rules() {
        let values: Vec<String> = match &rule.kind {
            Kind::Switch => vec!["true".into(), "false".into()],
            Kind::Choice(words) => words.iter().map(|w| w.to_string()).collect(),
            Kind::Number { words, .. } => words.iter().copied().chain(["least", "more"]).map(String::from).collect(),
        };
        all.extend(values.into_iter().map(|v| format!("{}={v}", rule.name)));
    }
    let swatches: BTreeSet<&str> = game.blank(game.sizes().0).palette().swatches.iter().map(|s| s.id).collect();
    for seed in 0..60 {
        if let Some(doc) = drawn(game, 40, &mut rng(seed)) {
            // Rule values come from the rules themselves.
            all.extend(features(&*doc).into_iter().filter(|f| swatches.contains(f.as_str()) || f.contains(" lack")));
        }
    }
    all.into_iter().collect()
}

/// Whether two features may exclude each other: values of one rule; what is on the board and whether it can be solved.
fn exclude(a: &str, b: &str) -> bool {
    let rule = |f: &str| f.split_once('=').map(|(rule, _)| rule.to_string());
    let same_rule = rule(a).is_some() && rule(a) == rule(b);
    let verdict = |f: &str| f.ends_with("solvable");
    same_rule || (a != b && ((verdict(a) && rule(b).is_none()) || (verdict(b) && rule(a).is_none())))
}

// ------------------------------------------------------------------------------------------------------------------- the law

/// A goal, a proving stage, and whether an opponent answered: it is another search then.
type Stage = (usize, &'static str, bool);

#[derive(Default)]
struct Tally {
    levels: u64,
    solvable: u64,
    seeds: u64,
    too_large: u64,
    /// For each proving stage: how often it came to its end, and how often it had nothing to solve.
    ended: BTreeMap<Stage, (u64, u64)>,
    /// How often features occurred together, by their numbers; a feature with itself is how often it occurred.
    pairs: BTreeMap<(usize, usize), u64>,
    faults: Vec<String>,
    /// Time for making levels, plain search, and stages.
    time: [Duration; 3],
}

impl Tally {
    fn add(&mut self, more: Tally) {
        self.levels += more.levels;
        self.solvable += more.solvable;
        self.seeds += more.seeds;
        self.too_large += more.too_large;
        for (stage, (ended, unsolvable)) in more.ended {
            let entry = self.ended.entry(stage).or_default();
            *entry = (entry.0 + ended, entry.1 + unsolvable);
        }
        more.pairs.into_iter().for_each(|(pair, n)| *self.pairs.entry(pair).or_default() += n);
        self.faults.extend(more.faults);
        self.time.iter_mut().zip(more.time).for_each(|(sum, more)| *sum += more);
    }
}

fn least_of(plain: Plain) -> Option<u32> {
    if let Plain::Least(n) = plain { Some(n) } else { None }
}

fn judge(run: &Run, seed: u64, tally: &mut Tally) {
    let begun = Instant::now();
    let made = case(run, seed);
    tally.seeds += 1;
    tally.time[0] += begun.elapsed();
    let Some(Case { doc, here, positions }) = made else { return };
    if run.only.as_ref().is_some_and(|feature| !features(&*doc).contains(feature)) {
        return;
    }
    let mut first = None;
    for (goal, about) in run.game.goals().iter().enumerate() {
        let mut fault = |what: String| {
            let (level, line) = (doc.bare(), here.line());
            tally.faults.push(format!("seed {seed}, {}, {what}\n{level}after \"{line}\"\n{}", about.id, here.board()));
        };
        // Where an opponent answers, every move takes a search.
        let answers = !run.game.opponents().is_empty() && doc.replay_level(goal).is_none();
        if answers && seed % 2 == 1 {
            continue;
        }
        let positions = if answers { FEW / 10 } else { positions };
        let begun = Instant::now();
        let plain = here.plain(goal, positions, true);
        if plain.end == Plain::TooLarge {
            tally.too_large += 1;
            continue;
        }
        // What the merging of positions rests on is tested too.
        if seed % 4 == 3 {
            let apart = here.plain(goal, positions, false).end;
            if apart != Plain::TooLarge && apart != plain.end {
                fault(format!("plain search: {apart:?}, and {:?} with positions merged", plain.end));
            }
        }
        tally.time[1] += begun.elapsed();
        let least = least_of(plain.end);
        first.get_or_insert(least);
        let begun = Instant::now();
        for (index, (name, proves)) in here.stages(goal).into_iter().enumerate() {
            let nodes = match proves {
                true if plain.answered => NODES / 10,
                true => NODES,
                false => NODES_UNPROVEN,
            };
            let mut probe = Probe::new(Limits::nodes(nodes));
            let Some(alone) = here.run_stage(goal, index, &mut probe) else { continue };
            let mut wrong = Vec::new();
            let cost = alone.cost.clone().unwrap_or_else(|line| {
                wrong.push(format!("its line does not win, or not at the cost it says: {line}"));
                None
            });
            match (cost, least) {
                (Some(cost), Some(least)) if cost < least => {
                    wrong.push(format!("{cost} is less than plain search has, {least}"))
                }
                (Some(_), None) => wrong.push("it solves what plain search does not".into()),
                _ => {}
            }
            if least.is_some_and(|least| alone.bound > least) {
                wrong.push(format!("the bound {} is above the minimum {least:?}", alone.bound));
            }
            if probe.progress.nodes > nodes {
                wrong.push(format!("{} nodes are more than the limit", probe.progress.nodes));
            }
            if alone.end == Ok(Flow::Proven) && cost != least {
                wrong.push(format!("it proves {cost:?}, the minimum is {least:?}"));
            }
            if alone.end == Ok(Flow::Proven) && !proves {
                wrong.push("it proves, and says that it cannot".into());
            }
            if proves {
                let ended = matches!(alone.end, Ok(Flow::Proven | Flow::Done));
                let entry = tally.ended.entry((goal, name, plain.answered)).or_default();
                entry.0 += u64::from(ended);
                entry.1 += u64::from(ended && least.is_none());
            }
            wrong.into_iter().for_each(|wrong| fault(format!("stage \"{name}\": {wrong}")));
        }
        tally.time[2] += begun.elapsed();
    }
    let Some(least) = first else { return };
    tally.levels += 1;
    tally.solvable += u64::from(least.is_some());
    let mut has = features(&*doc);
    has.insert(if least.is_some() { "solvable" } else { "unsolvable" }.into());
    let has: Vec<usize> = (0..run.features.len()).filter(|i| has.contains(&run.features[*i])).collect();
    for (i, a) in has.iter().enumerate() {
        has[i..].iter().for_each(|b| *tally.pairs.entry((*a, *b)).or_default() += 1);
    }
}

/// One game under the law.
struct Run {
    game: &'static dyn AnyGame,
    pool: Vec<(String, String)>,
    /// Whether a blank board can be played.
    blank: bool,
    features: Vec<String>,
    /// The feature that every level is to have.
    only: Option<String>,
    first: u64,
    levels: u64,
    now: Mutex<Now>,
}

/// How far a game has come.
#[derive(Default)]
struct Now {
    tally: Tally,
    /// Blocks of seeds that were begun, and those of them that are not done.
    begun: u64,
    open: BTreeSet<u64>,
    said: u64,
}

impl Run {
    fn new(game: &'static dyn AnyGame, levels: u64, first: u64) -> Run {
        let (pool, features) = (generated(game, 12), declared(game));
        let blank = game.blank(game.sizes().2).playable();
        let only = std::env::var("PROOF_FEATURE").ok();
        Run { game, pool, blank, features, only, first, levels, now: Mutex::default() }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What part of it is done; 1 if nothing is to be begun any more.
    fn part(&self) -> f64 {
        let now = self.lock();
        let over = now.tally.faults.len() > 3
            || now.tally.seeds >= 400 + 20 * self.levels * if self.only.is_some() { 20 } else { 1 };
        if over { 1.0 } else { now.tally.levels as f64 / self.levels as f64 }
    }

    /// The next block of seeds.
    fn work(&self, loud: bool) {
        let block = {
            let mut now = self.lock();
            let block = now.begun;
            now.begun += 1;
            now.open.insert(block);
            block
        };
        let mut tally = Tally::default();
        let first = self.first + block * BLOCK;
        (first..first + BLOCK).for_each(|seed| judge(self, seed, &mut tally));
        let mut now = self.lock();
        now.open.remove(&block);
        now.tally.add(tally);
        let every = (self.levels / 50).max(1);
        if loud && now.tally.levels / every > now.said {
            now.said = now.tally.levels / every;
            let done = now.open.first().copied().unwrap_or(now.begun);
            let Tally { levels, solvable, faults, .. } = &now.tally;
            let (name, seed) = (self.game.info().id, self.first + done * BLOCK);
            println!(
                "{name}: {levels} levels, {solvable} solvable, {} faults; PROOF_SEED={seed} goes on",
                faults.len()
            );
        }
    }

    /// Says what came of it; what is wrong with it.
    fn report(&self) -> Vec<String> {
        let now = self.lock();
        let (tally, goals, name) = (&now.tally, self.game.goals(), self.game.info().name);
        let mut wrong: Vec<String> = tally.faults.iter().take(4).cloned().collect();
        if tally.levels < self.levels {
            wrong.push(format!("only {} levels of {} from {} seeds", tally.levels, self.levels, tally.seeds));
        }
        let mut report = format!(
            "{name}: {} levels from {} seeds, {} solvable, {} questions too large for plain search, {} faults",
            tally.levels,
            tally.seeds,
            tally.solvable,
            tally.too_large,
            tally.faults.len()
        );
        let [making, plain, stages] = tally.time.map(|t| t.as_secs_f64());
        report += &format!("\n    {making:.1} s for making levels, {plain:.1} s plain search, {stages:.1} s stages");
        for ((goal, stage, answered), (ended, unsolvable)) in &tally.ended {
            let against = if *answered { " against an opponent" } else { "" };
            let stage = format!("{} / {stage}{against}: {ended} levels, {unsolvable} unsolvable", goals[*goal].id);
            report += &format!("\n    {stage}");
            if *ended < LEAST.min(self.levels / 10) {
                wrong.push(format!("too few: {stage}"));
            }
        }
        let (mut pairs, mut missing) = (0, Vec::new());
        for (i, a) in self.features.iter().enumerate() {
            for (j, b) in self.features.iter().enumerate().skip(i).filter(|(_, b)| !exclude(a, b)) {
                pairs += 1;
                if !tally.pairs.contains_key(&(i, j)) {
                    missing.push(if i == j { a.clone() } else { format!("{a} with {b}") });
                }
            }
        }
        let features = self.features.len();
        report += &format!("\n    {} of {pairs} pairs of {features} features occurred", pairs - missing.len());
        if !missing.is_empty() {
            wrong.push(format!("never occurred: {}", missing.join("; ")));
        }
        println!("{report}");
        wrong.into_iter().map(|w| format!("{name}: {w}")).collect()
    }
}

fn hold(levels: u64, first: u64, loud: bool) {
    let only = std::env::var("PROOF_GAME").ok();
    let games = games::all().into_iter().filter(|g| only.as_deref().is_none_or(|o| o == g.info().id));
    let runs: Vec<Run> = games.map(|g| Run::new(g, levels, first)).collect();
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                // The game that is furthest behind.
                while let Some(run) =
                    runs.iter().filter(|r| r.part() < 1.0).min_by(|a, b| a.part().total_cmp(&b.part()))
                {
                    run.work(loud);
                }
            });
        }
    });
    let wrong: Vec<String> = runs.iter().flat_map(Run::report).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn number(name: &str, or: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(or)
}

#[test]
fn every_proving_stage_agrees_with_plain_search_by_itself() {
    hold(number("PROOF_LEVELS", 2_000), number("PROOF_SEED", 0), false);
}

#[test]
#[ignore = "the long run: 200,000 levels a game, a million over five games"]
fn every_proving_stage_agrees_with_plain_search_on_many_levels() {
    hold(number("PROOF_LEVELS", 200_000), number("PROOF_SEED", 1_000_000), true);
}
