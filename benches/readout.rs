//! Readout measured: tables, fewest slides, the opponents' balance. Prints a table; run one part by its name:
//! `cargo bench --no-default-features --bench readout -- tables slides korf balance`.

use rand::RngExt as _;
use std::{
    path::Path,
    time::{Duration, Instant},
};
use tilewright::{
    game::{Draft, Generate, Outcome, Rules, Solve, Status, Values, rng},
    games::readout::{File, Level, Opponent, Readout},
    job::{Limits, Mode, Probe},
};

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let wanted = |name: &str| asked.is_empty() || asked.iter().any(|a| a == name);
    let begin = Instant::now();
    let mut probe = Probe::new(Limits::default());
    let ready = (Readout::tables().expect("tables").prepare)(&mut probe).is_ok();
    println!("tables ready: {ready}, {:.2} s{}{}", secs(begin), peak(), load());
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

fn solve(level: &Level, limits: Limits) -> (Outcome<<Readout as Rules>::Move>, u64, f64) {
    let Some(state) = Readout::arrange(level) else { return (Outcome::Unsolvable, 0, 0.0) };
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mode = if limits.nodes.is_some() { Mode::Reproducible } else { Mode::Fast { threads } };
    let mut probe = Probe::new(limits).with_mode(mode);
    let begin = Instant::now();
    let outcome = Readout::solve(level, &state, 0, &mut probe, &mut |_| ());
    (outcome, probe.progress.nodes, secs(begin))
}

/// A board some random slides from home, none of which undoes the one before.
fn walked(slides: i64, seed: u64) -> Level {
    let mut rng = rng(seed);
    let mut cells: Vec<u8> = (1..25).chain([0]).collect();
    let (mut gap, mut before) = (24usize, usize::MAX);
    for _ in 0..slides {
        let (x, y) = (gap % 5, gap / 5);
        let near = [(x > 0, gap.wrapping_sub(1)), (x < 4, gap + 1), (y > 0, gap.wrapping_sub(5)), (y < 4, gap + 5)];
        let ways: Vec<usize> = near.into_iter().filter(|(fits, to)| *fits && *to != before).map(|n| n.1).collect();
        let to = ways[rng.random_range(0..ways.len())];
        cells.swap(gap, to);
        (before, gap) = (gap, to);
    }
    board(cells.iter().map(u8::to_string))
}

/// The level of 25 words, row by row, 0 for the gap.
fn board(words: impl Iterator<Item = String>) -> Level {
    let cells: Vec<String> = words.map(|w| if w == "0" { ".".into() } else { w }).collect();
    let file = File { board: cells.chunks(5).map(|row| row.join(" ")).collect() };
    Readout::from_file(file).unwrap_or_else(|e| panic!("{}", e.text))
}

/// A hundred boards whose optimum lies in a range. How far to walk for that is learned on the way: each board found too far shortens the next walk,
/// each found too near lengthens it.
fn slides(least: u32, most: u32, name: &str, limits: Limits) {
    let (mut proven, mut seconds, mut nodes, mut seed) = (0, Vec::new(), Vec::new(), 1000);
    let (mut walk, mut elsewhere, mut undecided, mut processor) = (i64::from(least + most), 0, 0, 0.0);
    let begin = Instant::now();
    while seconds.len() < 100 {
        seed += 1;
        let level = walked(walk, seed);
        // Aim all over the range.
        let aim = least + (seed as u32 * 7) % (most - least + 1);
        let before = work();
        let (outcome, n, s) = solve(&level, limits);
        let worked = work() - before;
        let Outcome::Solved { line, optimal, bound, .. } = outcome else { continue };
        let (mut low, mut high) = (bound, line.len() as u32);
        walk += if low > aim { -3 } else { 3 };
        // The optimum lies between the two. Where that leaves open whether it is in the range, many more nodes decide.
        let open = |low: u32, high: u32| (low < least || high > most) && high >= least && low <= most;
        if open(low, high)
            && let Outcome::Solved { line, bound, .. } = solve(&level, Limits::nodes(300_000_000)).0
        {
            (low, high) = (bound, line.len() as u32);
        }
        if open(low, high) {
            undecided += 1;
            println!("  undecided: seed {seed}, walk {walk}, {low} to {high}");
        } else if high < least || low > most {
            elsewhere += 1;
        } else {
            proven += u32::from(optimal);
            seconds.push(s);
            nodes.push(n);
            processor += worked;
            if seconds.len() % 20 == 0 {
                println!("  {} boards, {proven} proven, {elsewhere} elsewhere, {:.0} s", seconds.len(), secs(begin));
            }
        }
    }
    let rate = nodes.iter().sum::<u64>() as f64 / 1e6 / processor;
    seconds.sort_by(f64::total_cmp);
    nodes.sort_unstable();
    println!(
        "optimum {least} to {most}: proven in {name} {proven} of 100 ({undecided} more undecided and left out)\n  seconds median {:.4}, p90 {:.3}; nodes median {}, p85 {}, p90 {}; {rate:.2} million nodes in a second of processor time{}",
        seconds[50],
        seconds[90],
        nodes[50],
        nodes[85],
        nodes[90],
        load()
    );
}

/// How busy the machine is, where it says so: times mean little without it.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().filter(|l| !l.is_empty()).map_or(String::new(), |l| format!("; load average {l}"))
}

/// Seconds of processor time so far, where the system says so: what an idle machine would have taken, more or less.
fn work() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|w| w.parse::<f64>().ok()).map_or(0.0, |ns| ns / 1e9)
}

/// The most memory this process has had so far, where the system says so.
fn peak() -> String {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = text.lines().find_map(|l| l.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.map_or(String::new(), |k| format!(", peak memory {} MB", k / 1024))
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
        let level = self::board(board.split(',').map(str::to_string));
        let (outcome, n, _) = solve(&level, limits);
        nodes += n;
        count += 1;
        over += outcome.line().map_or(1000, |l| l.len() as u32) - optimum;
    }
    println!(
        "korf50, {name} each: {:.2} over the optimum on average, {} nodes a board{}{}",
        f64::from(over) / f64::from(count),
        nodes / u64::from(count),
        load(),
        peak()
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
                let Some(bout) =
                    (Readout::versus().expect("an opponent").simulate)(&made.level, opponent.name(), error, game)
                else {
                    continue;
                };
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
