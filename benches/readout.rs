//! Readout measured: fewest slides, on boards near and far and on Korf and Felner's fifty, two threads against one, the opponents' balance. Beside each
//! the naive way: IDA* and a beam that know only the sum of the ways home.
//!
//! `cargo bench --no-default-features --bench readout -- near far korf threads balance`. Further arguments: `seconds=1` `threads=2` `nodes=0` (instead of
//! seconds, reproducibly: the same on a busy machine) `boards=60` `naive=300000` (its nodes on a board) `list` (a line a board).

use rand::RngExt as _;
use std::{
    collections::HashSet,
    path::Path,
    time::{Duration, Instant},
};
use tilewright::{
    game::{Draft, Generate, Outcome, Rules, Solve, Status, Values, rng},
    games::readout::{File, Level, Opponent, Readout},
    job::{Limits, Mode, Probe},
};

struct Options {
    seconds: f64,
    threads: usize,
    nodes: u64,
    boards: usize,
    naive: u64,
    list: bool,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let number = |name: &str, default: f64| {
        let text = args.iter().find_map(|a| a.strip_prefix(name)?.strip_prefix('='));
        text.and_then(|t| t.parse().ok()).unwrap_or(default)
    };
    let parts: Vec<&str> = args.iter().map(String::as_str).filter(|a| !a.contains('=') && *a != "list").collect();
    let wanted = |name: &str| parts.is_empty() || parts.contains(&name);
    let o = Options {
        seconds: number("seconds", 1.0),
        threads: number("threads", std::thread::available_parallelism().map_or(1, |n| n.get()) as f64) as usize,
        nodes: number("nodes", 0.0) as u64,
        boards: number("boards", 60.0) as usize,
        naive: number("naive", 300_000.0) as u64,
        list: args.iter().any(|a| a == "list"),
    };
    let begin = Instant::now();
    let mut probe = Probe::new(Limits::default());
    let ready = (Readout::tables().expect("tables").prepare)(&mut probe).is_ok();
    println!("tables ready: {ready}, {:.2} s{}{}", secs(begin), peak(), load());
    if wanted("near") {
        proven(51, 60, &o);
    }
    if wanted("far") {
        proven(61, 70, &o);
    }
    if wanted("korf") {
        korf(&o);
    }
    if wanted("threads") {
        threads(&o);
    }
    if wanted("balance") {
        balance();
    }
}

fn secs(since: Instant) -> f64 {
    since.elapsed().as_secs_f64()
}

/// What came of a board.
struct Run {
    length: Option<u32>,
    proven: bool,
    bound: u32,
    nodes: u64,
    seconds: f64,
    /// Seconds of processor time.
    work: f64,
}

fn solve(level: &Level, o: &Options) -> Run {
    let state = Readout::arrange(level).expect("no doubles");
    let (limits, mode) = match o.nodes {
        0 => {
            let time = Some(Duration::from_secs_f64(o.seconds));
            (Limits { time, ..Limits::default() }, Mode::Fast { threads: o.threads })
        }
        nodes => (Limits::nodes(nodes), Mode::Reproducible),
    };
    let mut probe = Probe::new(limits).with_mode(mode);
    let (begin, before) = (Instant::now(), work());
    let outcome = Readout::solve(level, &state, 0, &mut probe, &mut |_| ());
    let (nodes, seconds, work) = (probe.progress.nodes, secs(begin), work() - before);
    let (proven, bound) = match &outcome {
        Outcome::Solved { optimal, bound, .. } => (*optimal, *bound),
        Outcome::Unsolvable => (true, 0),
        Outcome::Stopped { bound, .. } => (false, *bound),
    };
    Run { length: outcome.line().map(|l| l.len() as u32), proven, bound, nodes, seconds, work }
}

type Cells = Vec<u8>;

/// A board some random slides from home, none of which undoes the one before.
fn walked(slides: u32, seed: u64) -> Cells {
    let mut rng = rng(seed);
    let mut cells: Cells = (1..25).chain([0]).collect();
    let (mut gap, mut before) = (24usize, usize::MAX);
    for _ in 0..slides {
        let ways: Vec<usize> = near(gap).filter(|to| *to != before).collect();
        let to = ways[rng.random_range(0..ways.len())];
        cells.swap(gap, to);
        (before, gap) = (gap, to);
    }
    cells
}

fn near(gap: usize) -> impl Iterator<Item = usize> {
    let (x, y) = (gap % 5, gap / 5);
    let near = [(x > 0, gap.wrapping_sub(1)), (x < 4, gap + 1), (y > 0, gap.wrapping_sub(5)), (y < 4, gap + 5)];
    near.into_iter().filter(|(fits, _)| *fits).map(|n| n.1)
}

/// The level of 25 digits, row by row, 0 for the gap.
fn board(cells: &[u8]) -> Level {
    let cells: Vec<String> = cells.iter().map(|w| if *w == 0 { ".".into() } else { w.to_string() }).collect();
    let file = File { board: cells.chunks(5).map(|row| row.join(" ")).collect() };
    Readout::from_file(file).unwrap_or_else(|e| panic!("{}", e.text))
}

// ------------------------------------------------------------------------------------------------------------------- the naive way

/// How far a digit on a square is from home.
fn far(digit: u8, at: usize) -> u32 {
    let home = usize::from(digit).wrapping_sub(1);
    if digit == 0 { 0 } else { ((at % 5).abs_diff(home % 5) + (at / 5).abs_diff(home / 5)) as u32 }
}

fn ways_home(cells: &[u8]) -> u32 {
    cells.iter().enumerate().map(|(at, digit)| far(*digit, at)).sum()
}

/// IDA* with the sum of the ways home; the nodes it took, and the length if they sufficed.
fn naive_proof(cells: &Cells, most: u64) -> (u64, Option<u32>) {
    fn descend(cells: &mut Cells, gap: usize, before: usize, h: u32, left: u32, nodes: &mut u64, most: u64) -> bool {
        *nodes += 1;
        if h == 0 || *nodes >= most {
            return true;
        }
        for to in near(gap).filter(|to| *to != before) {
            let after = h + far(cells[to], gap) - far(cells[to], to);
            if after < left {
                cells.swap(gap, to);
                let found = descend(cells, to, gap, after, left - 1, nodes, most);
                cells.swap(gap, to);
                if found {
                    return true;
                }
            }
        }
        false
    }
    let (mut limit, mut nodes) = (ways_home(cells), 0);
    let gap = cells.iter().position(|c| *c == 0).expect("a gap");
    loop {
        if descend(&mut cells.clone(), gap, usize::MAX, ways_home(cells), limit, &mut nodes, most) {
            return (nodes, (nodes < most).then_some(limit));
        }
        limit += 2;
    }
}

/// A beam by the sum of the ways home: the length of its line.
fn naive_beam(cells: &Cells, width: usize) -> u32 {
    let (mut layer, mut seen) = (vec![cells.clone()], HashSet::from([cells.clone()]));
    for length in 0.. {
        if layer.iter().any(|c| ways_home(c) == 0) {
            return length;
        }
        let mut next = Vec::new();
        for cells in &layer {
            let gap = cells.iter().position(|c| *c == 0).expect("a gap");
            for to in near(gap) {
                let mut after = cells.clone();
                after.swap(gap, to);
                if seen.insert(after.clone()) {
                    next.push(after);
                }
            }
        }
        next.sort_by_key(|c| ways_home(c));
        next.truncate(width);
        layer = next;
        if layer.is_empty() || length == 999 {
            break;
        }
    }
    1000
}

// ------------------------------------------------------------------------------------------------------------------- tables

/// Boards from fixed seeds, in the order of the seeds.
fn boards(least: u32) -> impl Iterator<Item = (u64, Cells)> {
    // Random walks that often lead as far as is wanted.
    (1..).map(move |seed| (seed, walked(least * 3 / 2 + seed as u32 * 7 % 40, seed)))
}

/// How many boards of a distance are proven. One that is not proven counts by its best line, which hardly ever is longer than need be here.
fn proven(least: u32, most: u32, o: &Options) {
    let (mut runs, mut naive, mut ratio) = (Vec::new(), 0, 0.0);
    for (seed, cells) in boards(least) {
        if runs.len() == o.boards {
            break;
        }
        let run = solve(&board(&cells), o);
        if !run.length.is_some_and(|l| (least..=most).contains(&l)) {
            continue;
        }
        if o.list {
            let Run { length, bound, nodes, seconds, work, .. } = &run;
            println!("  {seed}: {length:?}, at least {bound}, {nodes} nodes, {seconds:.3} s, work {work:.2} s");
        }
        let (nodes, found) = naive_proof(&cells, o.naive);
        assert!(!run.proven || found.is_none() || found == run.length, "seed {seed}: {found:?}, {:?}", run.length);
        naive += u32::from(found.is_some());
        ratio += (nodes as f64 / run.nodes as f64).ln();
        runs.push(run);
    }
    let n = runs.len();
    runs.sort_by_key(|r| r.nodes);
    let nodes = |part: usize| runs[n * part / 100].nodes;
    let [all, busy] = [|r: &Run| r.nodes as f64, |r: &Run| r.work].map(|f| runs.iter().map(f).sum::<f64>());
    println!(
        "optimum {least} to {most}, {} on {} threads: proven {} of {n}; nodes median {}, p85 {}, p90 {}; {:.2} million nodes in a second of processor time; naive, {} nodes: {naive} of {n}, {:.1} times our nodes{}",
        limit(o),
        o.threads,
        runs.iter().filter(|r| r.proven).count(),
        nodes(50),
        nodes(85),
        nodes(90),
        all / 1e6 / busy,
        o.naive,
        (ratio / n as f64).exp(),
        load()
    );
}

fn limit(o: &Options) -> String {
    if o.nodes > 0 { format!("{} nodes", o.nodes) } else { format!("{} s", o.seconds) }
}

/// Two threads against one, on the boards that one proves in 1 to 30 seconds.
fn threads(o: &Options) {
    let (mut sum, mut count) = (0.0, 0);
    for (seed, cells) in boards(61).take(o.boards) {
        let level = board(&cells);
        let [one, two] = [1, 2].map(|threads| solve(&level, &Options { seconds: 30.0, threads, nodes: 0, ..*o }));
        if !one.proven || one.seconds < 1.0 {
            continue;
        }
        assert!(two.proven && one.length == two.length, "seed {seed}: {:?}, {:?}", one.length, two.length);
        if o.list {
            println!("  {seed}: {:.2} s and {:.2} s; nodes {} and {}", one.seconds, two.seconds, one.nodes, two.nodes);
        }
        sum += (one.seconds / two.seconds).ln();
        count += 1;
    }
    println!(
        "two threads against one: {:.2} times as fast, geometric mean of {count} boards{}",
        (sum / f64::from(count)).exp(),
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
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in brackets; the clock of these figures ticks a hundred times a second. Threads that have ended count too.
    let words: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    words.iter().skip(11).take(2).filter_map(|w| w.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The most memory this process has had so far, where the system says so.
fn peak() -> String {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let kib = text.lines().find_map(|l| l.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.map_or(String::new(), |k| format!(", peak memory {} MB", k / 1024))
}

/// Korf and Felner's fifty boards: how much longer lines are than the fewest slides.
fn korf(o: &Options) {
    let path = Path::new("../shared/reference/readout/korf50.txt");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("korf50.txt is not there: left out");
        return;
    };
    let (mut over, mut naive, mut count, mut nodes, mut work) = (0u32, 0, 0u32, 0, 0.0);
    for line in text.lines().filter(|l| !l.starts_with('#')).take(o.boards) {
        let mut words = line.split(' ').skip(1);
        let (Some(optimum), Some(digits)) = (words.next().and_then(|w| w.parse::<u32>().ok()), words.next()) else {
            continue;
        };
        let cells: Cells = digits.split(',').filter_map(|d| d.parse().ok()).collect();
        let run = solve(&board(&cells), o);
        let length = run.length.unwrap_or(1000);
        if o.list {
            println!("  {optimum}: {length}, {} nodes, work {:.2} s", run.nodes, run.work);
        }
        nodes += run.nodes;
        work += run.work;
        count += 1;
        over += length - optimum;
        naive += naive_beam(&cells, (o.naive / 200) as usize) - optimum;
    }
    let mean = |sum: u32| f64::from(sum) / f64::from(count);
    println!(
        "korf50, {} on {} threads: {:.2} over the optimum on average, {} nodes and {:.2} s of processor time a board; naive, {} nodes: {:.1} over, {:.1} times as much{}{}",
        limit(o),
        o.threads,
        mean(over),
        nodes / u64::from(count),
        work / f64::from(count),
        o.naive,
        mean(naive),
        mean(naive) / mean(over),
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
