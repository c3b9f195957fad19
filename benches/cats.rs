//! Cats, fewest steps or drags with proof, on generated levels; beside it the naive way, plain breadth-first search over the rules, on the same levels.
//!
//! `cargo bench --no-default-features --bench cats`. Arguments after `--`: `tier=very-hard` (all without it) `goal=drags` (else steps) `seeds=30` `from=1`
//! `seconds=10` `threads=2` `memory=1024` (MB) `bfs=100000` (its positions) `list` (a line a level), `against=1` (the same on so many threads, compared on levels
//! that take those at least a second), `reference` (only the levels of ../shared/reference/cats, both goals and rules).

use rustc_hash::FxHashSet;
use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};
use tilewright::{
    game::{Draft, Generate, Outcome, Rules, Solve, Value},
    games::cats::{Cats, Level},
    job::{Limits, Mode, Probe},
};

struct Options {
    tier: Option<String>,
    goal: usize,
    seeds: u64,
    from: u64,
    seconds: f64,
    threads: usize,
    against: usize,
    memory: u64,
    bfs: usize,
    list: bool,
    reference: bool,
}

fn options() -> Options {
    let args: Vec<String> = std::env::args().collect();
    let word = |name: &str| args.iter().find_map(|a| a.strip_prefix(name)?.strip_prefix('='));
    let number = |name: &str, default: f64| word(name).and_then(|t| t.parse().ok()).unwrap_or(default);
    let has = |name: &str| args.iter().any(|a| a == name);
    Options {
        tier: word("tier").map(String::from),
        goal: usize::from(word("goal") == Some("drags")),
        seeds: number("seeds", 30.0) as u64,
        from: number("from", 1.0) as u64,
        seconds: number("seconds", 10.0),
        threads: number("threads", std::thread::available_parallelism().map_or(1, |n| n.get()) as f64) as usize,
        against: number("against", 0.0) as usize,
        memory: number("memory", 1024.0) as u64,
        bfs: number("bfs", 100_000.0) as usize,
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
    /// Seconds of processor time.
    work: f64,
}

fn run(level: &Level, goal: usize, threads: usize, o: &Options) -> Run {
    let state = Cats::start(level).expect("a playable level");
    let time = Some(Duration::from_secs_f64(o.seconds));
    let limits = Limits { time, memory: Some(o.memory << 20), nodes: None };
    let mut probe = Probe::new(limits).with_mode(Mode::Fast { threads });
    let before = work();
    let outcome = Cats::solve(level, &state, goal, &mut probe, &mut |_| ());
    let (proven, cost) = match &outcome {
        Outcome::Solved { line, optimal, .. } => (*optimal, Some(Cats::counts(level, &state, line)[goal])),
        Outcome::Unsolvable => (true, None),
        Outcome::Stopped { .. } => (false, None),
    };
    let p = &probe.progress;
    let first = p.first.map_or(f64::INFINITY, |f| f.as_secs_f64());
    let (seconds, work) = (probe.elapsed().as_secs_f64(), work() - before);
    Run { seconds, first, nodes: p.nodes, memory: p.memory, proven, cost, work }
}

/// Seconds of processor time so far, of all threads, where the system says so.
fn work() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in brackets; the clock of these figures ticks a hundred times a second.
    let words: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    words.iter().skip(11).take(2).filter_map(|w| w.parse::<f64>().ok()).sum::<f64>() / 100.0
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

fn median(all: impl Iterator<Item = f64>) -> f64 {
    let mut all: Vec<f64> = all.collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

fn main() {
    let o = options();
    if o.reference {
        return reference(&o);
    }
    println!(
        "{}, {} seeds a tier from {}, {} s and {} MB each on {} threads; breadth-first to {} positions",
        Cats::GOALS[o.goal].id,
        o.seeds,
        o.from,
        o.seconds,
        o.memory,
        o.threads,
        o.bfs
    );
    let presets = Cats::presets();
    for preset in presets.iter().filter(|p| o.tier.as_deref().is_none_or(|tier| tier == p.id)) {
        let values = preset.values.checked(&Cats::params()).expect("a preset is valid");
        let (mut runs, mut plain, mut making, mut speedups) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for seed in o.from..o.from + o.seeds {
            let begun = Instant::now();
            let made = Cats::generate(&values, seed, &mut Probe::new(Limits::default())).expect("a level");
            making.push(begun.elapsed().as_secs_f64() * 1000.0);
            let r = run(&made.level, o.goal, o.threads, &o);
            if o.list {
                println!(
                    "  {} {seed}: {:?} proven {} in {:.3} s, work {:.2} s, first {:.3} s, {} nodes, {} MB",
                    preset.id,
                    r.cost,
                    r.proven,
                    r.seconds,
                    r.work,
                    r.first,
                    r.nodes,
                    r.memory >> 20
                );
            }
            if o.against > 0 {
                let other = run(&made.level, o.goal, o.against, &o);
                assert!(!r.proven || !other.proven || r.cost == other.cost, "{seed}: {:?}, {:?}", r.cost, other.cost);
                if other.proven && other.seconds >= 1.0 {
                    speedups.push((other.seconds / r.seconds).ln());
                }
            }
            let b = breadth_first(&made.level, o.bfs);
            let differ = o.goal == 0 && r.proven && b.1.is_some() && b.1 != r.cost;
            assert!(!differ, "{} {seed}: {:?} against {:?}", preset.id, r.cost, b.1);
            runs.push(r);
            plain.push(b);
        }
        let most = |f: fn(&Run) -> f64| runs.iter().map(f).fold(0.0, f64::max);
        let [nodes, naive] = [median(runs.iter().map(|r| r.nodes as f64)), median(plain.iter().map(|b| b.0 as f64))];
        println!(
            "{:<10} proven {} in 1 s, {} in all; nodes median {nodes}, most {}; first line within {:.3} s; seconds median {:.3}, most {:.3}; {} MB; made in {:.1} ms | breadth-first: {} in all, positions median {naive}, at least {:.0} times our nodes",
            preset.id,
            runs.iter().filter(|r| r.proven && r.seconds <= 1.0).count(),
            runs.iter().filter(|r| r.proven).count(),
            most(|r| r.nodes as f64),
            most(|r| r.first),
            median(runs.iter().map(|r| r.seconds)),
            most(|r| r.seconds),
            most(|r| (r.memory >> 20) as f64),
            median(making.iter().copied()),
            plain.iter().filter(|b| b.1.is_some()).count(),
            naive / nodes,
        );
        if o.against > 0 {
            let mean = (speedups.iter().sum::<f64>() / speedups.len() as f64).exp();
            let (n, threads) = (speedups.len(), o.threads);
            println!("{threads} threads against {}: {mean:.2} times as fast, geometric mean of {n} levels", o.against);
        }
    }
}

fn reference(o: &Options) {
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
            let r = run(&level, goal, o.threads, o);
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
