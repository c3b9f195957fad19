//! The law of proofs: on small levels, every stage that can prove something agrees with plain search when it runs by itself, with nothing known.
//!
//! Levels are made for any game by the same means: random strokes with random inks on small boards, random rule switches, and generated levels near
//! their end. `cargo test --release --test proofs -- --ignored --nocapture` is the long run; `PROOF_LEVELS` and `PROOF_SEED` change its size and
//! begin elsewhere, `PROOF_GAME` asks for one game only.

use rand::{RngExt as _, rngs::ChaCha8Rng};
use std::collections::BTreeMap;
use tilewright::{
    analysis::plain::Plain,
    document::{AnyGame, Doc},
    game::{Gesture, Ink, Kind, Severity, Value, rng},
    games,
    grid::{Size, Spot, Sym},
    job::{Limits, Probe},
    search::driver::Flow,
};

/// Positions that plain search looks at, on most levels and on every thirty-second; and nodes that a stage may take.
const FEW: usize = 1_500;
const MANY: usize = 50_000;
const NODES: u64 = 300_000;
/// A proving stage that came to its end on fewer levels is not tested.
const LEAST: u64 = 200;

fn errors(doc: &dyn Doc) -> usize {
    doc.problems().iter().filter(|p| p.severity == Severity::Error).count()
}

fn random_spots(doc: &dyn Doc, gesture: Gesture, rng: &mut ChaCha8Rng) -> Vec<Spot> {
    let all = doc.spots(tilewright::document::Board::Draft);
    let first = all[rng.random_range(0..all.len())];
    let mut spots = vec![first];
    let more = match gesture {
        Gesture::Once => 0,
        Gesture::FromTo => 1,
        Gesture::Spots => rng.random_range(0..3),
        Gesture::Whole => rng.random_range(0..4),
    };
    for _ in 0..more {
        let from = spots[rng.random_range(0..spots.len())];
        let near: Vec<Spot> = all
            .iter()
            .filter(|s| !spots.contains(s) && s.cell.x.abs_diff(from.cell.x) + s.cell.y.abs_diff(from.cell.y) <= 1)
            .copied()
            .collect();
        let far = gesture == Gesture::FromTo && rng.random_bool(0.5);
        let from = if far || near.is_empty() { &all } else { &near };
        let next = from[rng.random_range(0..from.len())];
        if !spots.contains(&next) {
            spots.push(next);
        }
    }
    spots
}

/// A draft drawn at random: strokes that mend more than they break are kept, others now and then.
fn drawn(game: &'static dyn AnyGame, rng: &mut ChaCha8Rng) -> Option<Box<dyn Doc>> {
    let (least, most, _) = game.sizes();
    let side = |rng: &mut ChaCha8Rng, least: u16, most: u16| {
        let from = least.max(3).min(most);
        rng.random_range(from..=(from + 3).min(most))
    };
    let size = Size::new(side(rng, least.w, most.w), side(rng, least.h, most.h));
    let mut doc = game.blank(size);
    for rule in game.rules() {
        let value = match &rule.kind {
            Kind::Switch => Value::from(rng.random_bool(0.5)),
            Kind::Choice(words) => Value::from(words[rng.random_range(0..words.len())]),
            Kind::Number { min, max, .. } => Value::from(rng.random_range(*min..=(*max).min(min + 12))),
        };
        let _ = doc.set_rule(rule.name, &value);
    }
    let commands = doc.commands();
    if !commands.is_empty() && rng.random_bool(0.3) {
        let _ = doc.run_command(commands[rng.random_range(0..commands.len())].id, rng.random_range(0..1 << 32));
    }
    let strokes = rng.random_range(4..(size.area() as u32 / 2).max(8));
    for i in 0..strokes * 6 {
        let before = errors(&*doc);
        if i >= strokes && before == 0 {
            return Some(doc);
        }
        let palette = doc.palette();
        let swatch = rng.random_range(0..palette.swatches.len());
        let about = &palette.swatches[swatch];
        let colour = if palette.colours.is_empty() { 0 } else { rng.random_range(0..palette.colours.len().min(3)) };
        let ink = Ink { swatch, colour, sym: Sym::ALL[rng.random_range(0..8)] };
        let spots = random_spots(&*doc, about.gesture, rng);
        doc.paint_all(&[(ink, spots)], "random");
        let worse = errors(&*doc) > before;
        if worse && (i >= strokes || rng.random_bool(0.5)) {
            doc.undo_edit();
        }
    }
    (errors(&*doc) == 0).then_some(doc)
}

/// Generated levels, with their lines: plain search begins near the end of these.
fn generated(game: &'static dyn AnyGame, count: u64) -> Vec<(Box<dyn Doc>, String)> {
    let presets = game.presets();
    let made = (0..count).filter_map(|seed| {
        let preset = &presets[seed as usize % presets.len()];
        let values = preset.values.checked(&game.params()).ok()?;
        let made = game.generate(preset.id, &values, 7_000 + seed, &mut Probe::new(Limits::nodes(200_000))).ok()?;
        let line = made.doc.kept().first()?.moves.clone();
        Some((made.doc, line))
    });
    made.collect()
}

#[derive(Default)]
struct Tally {
    levels: u64,
    solvable: u64,
    too_large: u64,
    /// For each goal and proving stage: how often it came to its end, and how often it had nothing to solve.
    ended: BTreeMap<(usize, &'static str), (u64, u64)>,
    faults: Vec<String>,
}

fn judge(doc: &dyn Doc, line: &str, but_last: usize, positions: usize, tally: &mut Tally) {
    let game = doc.game();
    let mut counted = false;
    for goal in 0..game.goals().len() {
        // Where an opponent answers, every move takes a search of its own.
        let answered = !game.opponents().is_empty() && doc.replay_level(goal).is_none();
        let positions = if answered { positions / 30 } else { positions };
        let Some(plain) = doc.plain(goal, line, but_last, positions) else { return };
        if plain == Plain::TooLarge {
            tally.too_large += 1;
            continue;
        }
        if !counted {
            counted = true;
            tally.levels += 1;
            tally.solvable += u64::from(plain != Plain::None);
        }
        for (index, (name, proves)) in doc.stages(goal).into_iter().enumerate() {
            let mut probe = Probe::new(Limits::nodes(NODES));
            let Some(alone) = doc.run_stage(goal, index, line, but_last, &mut probe) else { continue };
            let mut wrong = Vec::new();
            let cost = alone.cost.clone().unwrap_or_else(|line| {
                wrong.push(format!("its line does not win, or not at the cost it says: {line}"));
                None
            });
            let least = match plain {
                Plain::Least(n) => Some(n),
                _ => None,
            };
            match (cost, least) {
                (Some(cost), Some(least)) if cost < least => {
                    wrong.push(format!("{cost} is less than plain search has"))
                }
                (Some(_), None) => wrong.push("it solves what plain search does not".into()),
                _ => {}
            }
            if least.is_some_and(|least| alone.bound > least) {
                wrong.push(format!("the bound {} is above the minimum {least:?}", alone.bound));
            }
            if probe.progress.nodes > NODES {
                wrong.push(format!("{} nodes are more than the limit", probe.progress.nodes));
            }
            if alone.end == Ok(Flow::Proven) && cost != least {
                wrong.push(format!("it proves {cost:?}, the minimum is {least:?}"));
            }
            if alone.end == Ok(Flow::Proven) && !proves {
                wrong.push("it proves, and says that it cannot".into());
            }
            if proves && matches!(alone.end, Ok(Flow::Proven | Flow::Done)) {
                let entry = tally.ended.entry((goal, name)).or_default();
                entry.0 += 1;
                entry.1 += u64::from(least.is_none());
            }
            for wrong in wrong {
                let goal = game.goals()[goal].id;
                let level = doc.bare();
                tally.faults.push(format!(
                    "{goal}, stage \"{name}\": {wrong}\n{level}after \"{line}\" but for {but_last} moves"
                ));
            }
        }
    }
}

fn law(game: &'static dyn AnyGame, levels: u64, first_seed: u64) -> Tally {
    let mut tally = Tally::default();
    let pool = generated(game, 12);
    let mut seed = first_seed;
    let mut tries = 0;
    // Where an opponent answers, a level takes much longer.
    let levels = if game.opponents().is_empty() { levels } else { levels / 8 };
    while tally.levels < levels && tries < levels * 40 {
        seed += 1;
        tries += 1;
        let mut rng = rng(seed);
        let positions = if seed % 32 == 1 { MANY } else { FEW };
        if seed % 4 == 0 && !pool.is_empty() {
            let (doc, line) = &pool[rng.random_range(0..pool.len())];
            judge(&**doc, line, rng.random_range(1..=12), positions, &mut tally);
        } else if let Some(doc) = drawn(game, &mut rng) {
            judge(&*doc, "", 0, positions, &mut tally);
        }
        if tally.faults.len() > 3 {
            break;
        }
    }
    let mut report = format!(
        "{}: seeds from {first_seed}: {} levels, {} of them solvable, {} questions too large for plain search, {} faults",
        game.info().name,
        tally.levels,
        tally.solvable,
        tally.too_large,
        tally.faults.len()
    );
    for ((goal, name), (ended, unsolvable)) in &tally.ended {
        report += &format!("\n    {} / {name}: {ended} levels, {unsolvable} unsolvable", game.goals()[*goal].id);
    }
    println!("{report}");
    if tally.levels < levels && tally.faults.is_empty() {
        tally.faults.push(format!("only {} levels of {levels} could be made", tally.levels));
    }
    tally
}

fn hold(levels: u64, first_seed: u64) {
    let only = std::env::var("PROOF_GAME").ok();
    let games: Vec<_> =
        games::offered().iter().filter(|g| only.as_deref().is_none_or(|o| o == g.info().id)).copied().collect();
    let tallies: Vec<Tally> = std::thread::scope(|scope| {
        let runs: Vec<_> = games.iter().map(|g| scope.spawn(|| law(*g, levels, first_seed))).collect();
        runs.into_iter().map(|r| r.join().expect("the law itself does not panic")).collect()
    });
    let mut failed = Vec::new();
    for (game, tally) in games.iter().zip(tallies) {
        failed.extend(tally.faults.iter().take(3).map(|f| format!("{}: {f}", game.info().name)));
        for ((goal, name), (ended, _)) in &tally.ended {
            if *ended < LEAST.min(levels / 50) {
                failed.push(format!(
                    "{}: {} / {name} ended on {ended} levels only",
                    game.info().name,
                    game.goals()[*goal].id
                ));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn every_proving_stage_agrees_with_plain_search_by_itself() {
    hold(320, 0);
}

#[test]
#[ignore = "the long run: 100,000 levels a game"]
fn every_proving_stage_agrees_with_plain_search_on_many_levels() {
    let number = |name: &str, or: u64| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(or);
    hold(number("PROOF_LEVELS", 100_000), number("PROOF_SEED", 1_000_000));
}
