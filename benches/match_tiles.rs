//! Times and nodes of Match: `cargo bench --no-default-features --bench match_tiles`.

use std::time::{Duration, Instant};
use tilewright::{
    game::{Generate, Outcome, Rules, Solve, Values},
    games::match_tiles::{Level, Match},
    job::{Limits, Probe},
};

fn probe() -> Probe {
    Probe::new(Limits::default())
}

fn values(algorithm: &str, side: i64) -> Values {
    let values = Values::default().with("algorithm", algorithm).with("width", side).with("height", side);
    values.checked(&Match::params()).expect("these are parameters of the game")
}

fn boards(values: &Values, count: u64) -> Vec<Level> {
    (0..count).filter_map(|seed| Match::generate(values, seed, &mut probe()).ok()).map(|made| made.level).collect()
}

fn row(name: &str, mut times: Vec<Duration>, note: &str) {
    times.sort();
    let at = |part: usize| times[(times.len() * part / 100).min(times.len() - 1)].as_secs_f64() * 1e3;
    println!("{name:<34} {:>6} {:>9.4} {:>9.4} {:>9.4}  {note}", times.len(), at(50), at(99), at(100));
}

/// Solves boards; every answer must be proven.
fn solve(name: &str, levels: &[Level]) {
    let mut times = Vec::new();
    let (mut nodes, mut pars) = (0, [0; 6]);
    for level in levels {
        let Some(start) = Match::arrange(level) else { continue };
        // The best of three: the pauses of a busy machine are not the solver's.
        let once = || {
            let mut probe = probe();
            let began = Instant::now();
            let outcome = Match::solve(level, &start, 0, &mut probe, &mut |_| ());
            (began.elapsed(), probe.progress.nodes, outcome)
        };
        let (took, spent, outcome) = once();
        times.push(took.min(once().0).min(once().0));
        nodes += spent;
        match outcome {
            Outcome::Solved { line, optimal: true, .. } => pars[line.len()] += 1,
            other => println!("not proven: {other:?}"),
        }
    }
    let note = format!("nodes {}; boards of 1 to 5 drags: {:?}", nodes / levels.len() as u64, &pars[1..]);
    row(name, times, &note);
}

fn main() {
    println!("{:<34} {:>6} {:>9} {:>9} {:>9}", "milliseconds", "boards", "median", "p99", "most");
    for algorithm in ["algorithm-0", "algorithm-1", "algorithm-2"] {
        solve(&format!("solve 5 x 5, {algorithm}"), &boards(&values(algorithm, 5), 1_000));
    }
    let large = boards(&values("algorithm-0", 8), 300);
    solve("solve 8 x 8, algorithm-0", &large);

    let timed = |levels: &[Level], f: &dyn Fn(&Level)| -> Vec<Duration> {
        let one = |level: &Level| {
            let began = Instant::now();
            f(level);
            began.elapsed()
        };
        levels.iter().map(one).collect()
    };
    let five = boards(&values("algorithm-0", 5), 200);
    let remarks = |level: &Level| {
        if let Some(start) = Match::arrange(level) {
            std::hint::black_box(Match::about_level(level, &start, &mut probe()));
        }
    };
    row("1,000 casual games, 5 x 5", timed(&five, &remarks), "");
    row("1,000 casual games, 8 x 8", timed(&large[..100], &remarks), "");
    let moves = |level: &Level| {
        if let Some(start) = Match::arrange(level) {
            std::hint::black_box(Match::legal_moves(level, &start));
        }
    };
    row("list of drags, 5 x 5", timed(&five, &moves), "");
    row("list of drags, 8 x 8", timed(&large[..100], &moves), "");

    for (name, low, high) in [("hard", 0, 115), ("easy", 189, 1_000)] {
        for par in 2..=5i64 {
            let values = values("graded", 5).with("par", par).with("clears_min", low).with("clears_max", high);
            let (mut times, mut refused) = (Vec::new(), 0);
            for seed in 0..20 {
                let began = Instant::now();
                refused += u32::from(Match::generate(&values, seed, &mut probe()).is_err());
                times.push(began.elapsed());
            }
            row(&format!("graded 5 x 5, {par} drags, {name}"), times, &format!("refused {refused}"));
        }
    }
}
