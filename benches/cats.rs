//! Cats, fewest steps with proof, on 30 generated levels a tier; beside it plain breadth-first search on the same levels.
//!
//! `cargo bench --no-default-features --bench cats`. Arguments after `--`: `seeds=30` `from=1` `seconds=10` `bfs=300000` `list`
//! (a line a level), `reference` (also the levels of ../shared/reference/cats, both goals and rules).

use rustc_hash::FxHashSet;
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};
use tilewright::{
    game::{Draft, Generate, Outcome, Rules, Solve, Value},
    games::cats::{Cats, Level},
    job::{Limits, Probe},
};

struct Options {
    seeds: u64,
    from: u64,
    seconds: f64,
    bfs: usize,
    list: bool,
    reference: bool,
}

fn options() -> Options {
    let args: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: f64| {
        let text = args.iter().find_map(|a| a.strip_prefix(name)?.strip_prefix('='));
        text.and_then(|t| t.parse().ok()).unwrap_or(default)
    };
    let has = |name: &str| args.iter().any(|a| a == name);
    Options {
        seeds: number("seeds", 30.0) as u64,
        from: number("from", 1.0) as u64,
        seconds: number("seconds", 10.0),
        bfs: number("bfs", 300_000.0) as usize,
        list: has("list"),
        reference: has("reference"),
    }
}

struct Run {
    seconds: f64,
    first: f64,
    nodes: u64,
    memory: u64,
    proven: bool,
    cost: Option<u32>,
}

fn run(level: &Level, goal: usize, seconds: f64) -> Run {
    let state = Cats::start(level).expect("a playable level");
    let limits = Limits { time: Some(Duration::from_secs_f64(seconds)), memory: Some(2 << 30), nodes: None };
    let mut probe = Probe::new(limits);
    let outcome = Cats::solve(level, &state, goal, &mut probe, &mut |_| ());
    let (proven, cost) = match &outcome {
        Outcome::Solved { line, optimal, .. } => (*optimal, Some(Cats::counts(level, &state, line)[goal])),
        Outcome::Unsolvable => (true, None),
        Outcome::Stopped { .. } => (false, None),
    };
    let p = &probe.progress;
    let first = p.first.map_or(f64::INFINITY, |f| f.as_secs_f64());
    Run { seconds: probe.elapsed().as_secs_f64(), first, nodes: p.nodes, memory: p.memory, proven, cost }
}

/// Plain breadth-first search over the rules: states expanded, and the fewest steps unless the cap came first.
fn breadth_first(level: &Level, cap: usize) -> (usize, Option<u32>) {
    let start = Cats::start(level).expect("a playable level");
    let mut seen = FxHashSet::from_iter([start.clone()]);
    let mut queue = VecDeque::from([(start, 0)]);
    let mut expanded = 0;
    while let Some((state, depth)) = queue.pop_front() {
        if expanded == cap {
            return (expanded, None);
        }
        expanded += 1;
        for mv in Cats::legal_moves(level, &state) {
            let mut next = state.clone();
            if Cats::play(level, &mut next, &mv).is_err() || !seen.insert(next.clone()) {
                continue;
            }
            if Cats::status(level, &next) == tilewright::game::Status::Won {
                return (expanded, Some(depth + 1));
            }
            queue.push_back((next, depth + 1));
        }
    }
    (expanded, None)
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() {
    let o = options();
    println!(
        "steps, {} seeds a tier from {}, {} s and 2 GB each; breadth-first capped at {} states",
        o.seeds, o.from, o.seconds, o.bfs
    );
    println!(
        "{:<10} {:>6} {:>6} {:>9} {:>10} {:>11} {:>8} {:>8} {:>8} {:>7} | {:>7} {:>11}",
        "tier",
        "in 1 s",
        "in all",
        "nodes med",
        "nodes max",
        "first max s",
        "s med",
        "s max",
        "gen ms",
        "MB max",
        "bfs in",
        "states med"
    );
    for preset in Cats::presets() {
        let values = preset.values.checked(&Cats::params()).expect("a preset is valid");
        let (mut runs, mut plain, mut making) = (Vec::new(), Vec::new(), Vec::new());
        for seed in o.from..o.from + o.seeds {
            let begun = Instant::now();
            let made = Cats::generate(&values, seed, &mut Probe::new(Limits::default())).expect("a level");
            making.push(begun.elapsed().as_secs_f64() * 1000.0);
            let r = run(&made.level, 0, o.seconds);
            if o.list {
                println!(
                    "  {} {seed}: {:?} proven {} in {:.3} s, first {:.3} s, {} nodes, {} MB",
                    preset.id,
                    r.cost,
                    r.proven,
                    r.seconds,
                    r.first,
                    r.nodes,
                    r.memory >> 20
                );
            }
            let b = breadth_first(&made.level, o.bfs);
            assert!(
                !r.proven || b.1.is_none() || b.1 == r.cost,
                "{} {seed}: {:?} against {:?}",
                preset.id,
                r.cost,
                b.1
            );
            runs.push(r);
            plain.push(b);
        }
        let most = |f: fn(&Run) -> f64| runs.iter().map(f).fold(0.0, f64::max);
        println!(
            "{:<10} {:>6} {:>6} {:>9} {:>10} {:>11.3} {:>8.3} {:>8.3} {:>8.1} {:>7} | {:>7} {:>11}",
            preset.id,
            runs.iter().filter(|r| r.proven && r.seconds <= 1.0).count(),
            runs.iter().filter(|r| r.proven).count(),
            median(runs.iter().map(|r| r.nodes as f64).collect()),
            most(|r| r.nodes as f64),
            most(|r| r.first),
            median(runs.iter().map(|r| r.seconds).collect()),
            most(|r| r.seconds),
            median(making),
            most(|r| (r.memory >> 20) as f64),
            plain.iter().filter(|b| b.1.is_some()).count(),
            median(plain.iter().map(|b| b.0 as f64).collect()),
        );
    }
    if o.reference {
        reference();
    }
}

fn reference() {
    let Ok(expected) = std::fs::read_to_string("../shared/reference/cats/expected.txt") else {
        println!("no reference levels here");
        return;
    };
    for row in expected.lines().skip(1) {
        let words: Vec<&str> = row.split_whitespace().collect();
        let Some(text) =
            words.first().and_then(|w| std::fs::read_to_string(format!("../shared/reference/cats/{w}.json")).ok())
        else {
            continue;
        };
        let mut level = (Cats::formats()[0].read)(&text).expect("a level").remove(0).level;
        for (i, want) in words[1..].iter().enumerate() {
            let (rule, goal) = (["leave", "stay"][i % 2], 1 - i / 2);
            Cats::set_rule(&mut level, "finished_shapes", &Value::from(rule));
            let r = run(&level, goal, 60.0);
            let got = r.cost.map_or("-1".into(), |c| c.to_string());
            let right = if r.proven && got == **want { "right" } else { "WRONG" };
            println!(
                "{} {rule} {}: {got} {right}, {} nodes, {:.3} s, first {:.3} s, {} MB",
                words[0],
                ["steps", "drags"][goal],
                r.nodes,
                r.seconds,
                r.first,
                r.memory >> 20
            );
        }
    }
}
