//! Readout measured: tables, fewest slides, the opponents' balance. Prints a table; run one part by its name:
//! `cargo bench --no-default-features --bench readout -- tables slides korf balance`.

use std::{
    path::Path,
    time::{Duration, Instant},
};
use tilewright::{
    game::{Game, Generate, Outcome, Solve, Status, Values},
    games::readout::{File, Level, Opponent, Readout},
    job::{Limits, Probe},
};

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let wanted = |name: &str| asked.is_empty() || asked.iter().any(|a| a == name);
    let begin = Instant::now();
    let mut probe = Probe::new(Limits::default());
    let ready = Readout::prepare(&mut probe).is_ok();
    println!("tables ready: {ready}, {:.2} s, {} nodes (0: read from the cache)", secs(begin), probe.progress.nodes);
    let time = |seconds| Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
    if wanted("slides") {
        slides(31, 50, "1 s", time(1));
        slides(51, 60, "1 s", time(1));
    }
    if asked.iter().any(|a| a == "slides-nodes") {
        // About half of what a second gives on an idle machine; the same on a busy one.
        slides(31, 50, "5 million nodes", Limits::nodes(5_000_000));
        slides(51, 60, "5 million nodes", Limits::nodes(5_000_000));
    }
    if wanted("korf") {
        korf("1 s", time(1));
    }
    if asked.iter().any(|a| a == "korf10") {
        korf("10 s", time(10));
    }
    if asked.iter().any(|a| a == "korf-nodes") {
        // About what a second gives on an idle machine; the same on a busy one.
        korf("4 million nodes", Limits::nodes(4_000_000));
    }
    if wanted("balance") {
        balance();
    }
}

fn secs(since: Instant) -> f64 {
    since.elapsed().as_secs_f64()
}

fn solve(level: &Level, limits: Limits) -> (Outcome<<Readout as Game>::Move>, u64, f64) {
    let Some(state) = Readout::arrange(level) else { return (Outcome::Unsolvable, 0, 0.0) };
    let mut probe = Probe::new(limits);
    let begin = Instant::now();
    let outcome = Readout::solve(level, &state, 0, &mut probe, &mut |_| ());
    (outcome, probe.progress.nodes, secs(begin))
}

/// A hundred boards whose optimum lies in a range.
fn slides(least: i64, most: i64, name: &str, limits: Limits) {
    let params = Readout::params();
    let (mut proven, mut seconds, mut nodes, mut boards) = (0, Vec::new(), Vec::new(), 0u32);
    let mut seed = 1000;
    while boards < 100 {
        seed += 1;
        let walk = 2 * most + (seed as i64 * 7) % most;
        let values = Values::default().with("walk", walk).checked(&params).unwrap_or_default();
        let Ok(made) = Readout::generate(&values, seed, &mut Probe::new(Limits::default())) else { continue };
        // Only boards that turn out to lie in the range count; many more nodes decide.
        let (outcome, n, s) = solve(&made.level, limits);
        let (cost, known, proof) = match &outcome {
            Outcome::Solved { line, optimal, bound, .. } => (line.len() as i64, i64::from(*bound), *optimal),
            _ => continue,
        };
        if cost < least || known > most || proof && cost > most {
            continue;
        }
        if !proof {
            let (outcome, ..) = solve(&made.level, Limits::nodes(100_000_000));
            let decided = matches!(&outcome, Outcome::Solved { line, optimal: true, .. } if (least..=most).contains(&(line.len() as i64)));
            if !decided {
                println!("  undecided: seed {seed}, {known} to {cost}");
                continue;
            }
        }
        boards += 1;
        proven += u32::from(proof);
        seconds.push(s);
        nodes.push(n);
    }
    seconds.sort_by(f64::total_cmp);
    nodes.sort_unstable();
    println!(
        "optimum {least} to {most}: proven in {name} {proven} of {boards}; seconds median {:.4}, p90 {:.3}; nodes median {}, p90 {}",
        seconds[50], seconds[90], nodes[50], nodes[90]
    );
}

/// Korf and Felner's fifty boards.
fn korf(name: &str, limits: Limits) {
    let path = Path::new("../shared/reference/readout/korf50.txt");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("korf50.txt is not there: left out");
        return;
    };
    let (mut over, mut count, mut nodes) = (0u32, 0u32, 0);
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let mut words = line.split(' ').skip(1);
        let (Some(optimum), Some(board)) = (words.next().and_then(|w| w.parse::<u32>().ok()), words.next()) else {
            continue;
        };
        let cells: Vec<&str> = board.split(',').map(|w| if w == "0" { "." } else { w }).collect();
        let file = File { board: cells.chunks(5).map(|row| row.join(" ")).collect() };
        let Ok(level) = Readout::from_file(file) else { continue };
        let (outcome, n, _) = solve(&level, limits);
        nodes += n;
        count += 1;
        over += outcome.line().map_or(1000, |l| l.len() as u32) - optimum;
    }
    println!(
        "korf50, {name} each: {:.2} over the optimum on average, {} nodes a board",
        f64::from(over) / f64::from(count),
        nodes / u64::from(count)
    );
}

fn balance() {
    let params = Readout::params();
    println!("model player, 200 games, walk 32, limit 60, life 1: won % (stoppable losses, slowest reply ms)");
    for error in [0.05, 0.20, 0.35] {
        for opponent in Opponent::ALL.into_iter().skip(1) {
            let (mut won, mut stoppable, mut slowest) = (0, 0, Duration::ZERO);
            let begin = Instant::now();
            for game in 0..200u64 {
                let values = Values::default().checked(&params).unwrap_or_default();
                let Ok(made) = Readout::generate(&values, game % 50, &mut Probe::new(Limits::default())) else {
                    continue;
                };
                let Some(bout) = Readout::simulate(&made.level, opponent.name(), error, game) else { continue };
                won += u32::from(bout.status == Status::Won);
                stoppable += u32::from(bout.stoppable);
                slowest = slowest.max(bout.slowest);
            }
            println!(
                "  error {error:.2} {:<7} {:>5.1} ({stoppable}, {:.1}) in {:.1} s",
                opponent.name(),
                f64::from(won) / 2.0,
                slowest.as_secs_f64() * 1000.0,
                secs(begin)
            );
        }
    }
}
