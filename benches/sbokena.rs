//! How many levels of a collection are solved within a time, and at what cost in nodes.
//!
//! `cargo bench --bench sbokena -- [collection] [goal] [seconds] [from-to] [threads] [first] [nodes=N]`, for example `-- microban1 pushes 10`. Without
//! arguments: Microban I, `any`, one second a level, all threads. A collection is a name in `../shared/reference/sokoban`, or the beginning of the
//! paths of files with one level each, as Debian's cavepacker-data has them: `/usr/share/games/cavepacker/maps/xsokoban`. With `first`, a level ends
//! with its first solution. Times depend on the machine; node counts do not, with one thread.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use tilewright::{
    game::{Draft, Outcome, Rules, Solve, Status},
    games::sbokena::{Level, Sbokena},
    job::{Limits, Mode, Probe},
};

/// The levels of a collection, and the fewest pushes of those where they are known.
fn collection(name: &str) -> Option<(Vec<Level>, std::collections::BTreeMap<usize, u32>)> {
    let format = Sbokena::formats().into_iter().find(|f| f.id == "sok").expect("the format");
    let levels = |text: String| {
        let read = (format.read)(&text).unwrap_or_else(|e| panic!("{e}"));
        read.into_iter().map(|item| item.level).collect::<Vec<_>>()
    };
    if let (Some(folder), Some(begin)) =
        (Path::new(name).parent().filter(|f| f.is_absolute()), Path::new(name).file_name())
    {
        let begin = begin.to_string_lossy();
        let all = std::fs::read_dir(folder).ok()?.filter_map(|e| Some(e.ok()?.path()));
        let fits = |p: &PathBuf| {
            let name = p.file_name().unwrap_or_default().to_string_lossy();
            let number = name.strip_prefix(&*begin).and_then(|n| n.strip_suffix(".sok"));
            number.is_some_and(|n| n.bytes().all(|b| b.is_ascii_digit()))
        };
        let mut files: Vec<PathBuf> = all.filter(fits).collect();
        files.sort();
        let texts = files.iter().filter_map(|f| std::fs::read_to_string(f).ok());
        return Some((texts.flat_map(levels).collect(), Default::default()))
            .filter(|(l, _): &(Vec<_>, _)| !l.is_empty());
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/reference/sokoban");
    let text = std::fs::read_to_string(folder.join(format!("{name}.xsb"))).ok()?;
    let known = std::fs::read_to_string(folder.join(format!("{name}.optimal-pushes.txt"))).unwrap_or_default();
    let known = known.lines().filter_map(|l| l.split_once(' '));
    Some((levels(text), known.filter_map(|(n, c)| Some((n.parse().ok()?, c.parse().ok()?))).collect()))
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let word = |i: usize, default: &str| args.get(i).cloned().unwrap_or_else(|| default.to_string());
    let (name, goal, seconds) = (word(0, "microban1"), word(1, "any"), word(2, "1"));
    let range = word(3, "1-9999");
    let (low, high) = range.split_once('-').unwrap_or((&range, &range));
    let (low, high): (usize, usize) = (low.parse().unwrap_or(1), high.parse().unwrap_or(9999));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = args.get(4).and_then(|t| t.parse().ok()).unwrap_or(cores);
    let only_first = args.iter().any(|a| a == "first");
    // The same on a busy machine.
    let most_nodes = args.iter().find_map(|a| a.strip_prefix("nodes=")?.parse().ok());
    let Some((levels, known)) = collection(&name) else {
        println!("{name} is not here: nothing to measure");
        return;
    };
    let Some(index) = Sbokena::GOALS.iter().position(|g| g.id == goal) else {
        println!("there is no goal {goal}");
        return;
    };
    let time = Duration::from_secs_f64(seconds.parse().unwrap_or(1.0));
    let (mut solved, mut proven, mut wrong, mut tried, mut nodes) = (0, 0, 0, 0, 0);
    // Pushes of the first lines and of the last.
    let (mut begun, mut ended) = (0, 0);
    let whole = Instant::now();
    for (i, level) in levels.iter().enumerate().filter(|(i, _)| (low..=high).contains(&(i + 1))) {
        let n = i + 1;
        tried += 1;
        let limits = Limits { time: Some(time), memory: Some(2 << 30), nodes: most_nodes };
        let enough = Arc::new(AtomicBool::new(false));
        let mut probe = Probe::cancelled_by(limits, enough.clone()).with_mode(Mode::Fast { threads });
        let Ok(start) = Sbokena::start(level) else {
            println!("{n:4} cannot be played");
            continue;
        };
        let begin = Instant::now();
        let mut first = None;
        let outcome = Sbokena::solve(level, &start, index, &mut probe, &mut |line| {
            let cost = || Sbokena::counts(level, &start, line)[Sbokena::GOALS[index].count];
            first.get_or_insert_with(|| (begin.elapsed().as_secs_f64(), cost()));
            enough.store(only_first, Ordering::Relaxed);
        });
        let took = begin.elapsed().as_secs_f64();
        nodes += probe.progress.nodes;
        match &outcome {
            Outcome::Solved { line, optimal, bound, .. } => {
                let mut state = start.clone();
                let fine = line.iter().all(|d| Sbokena::play(level, &mut state, d).is_ok());
                let won = fine && Sbokena::status(level, &state) == Status::Won;
                let counts = Sbokena::counts(level, &start, line);
                let cost = counts[Sbokena::GOALS[index].count];
                let (first_at, first_cost) = first.unwrap_or((took, cost));
                (begun, ended) = (begun + first_cost, ended + cost);
                wrong += usize::from(cost > first_cost);
                solved += usize::from(won);
                proven += usize::from(won && *optimal);
                let contradicts =
                    goal == "pushes" && known.get(&n).is_some_and(|k| (*optimal && *k != cost) || cost < *k);
                wrong += usize::from(contradicts || !won);
                if took > 1.0 || contradicts || !won {
                    println!(
                        "{n:4} cost {cost} (first {first_cost} at {first_at:.2} s) optimal {optimal} bound {bound} nodes {} {took:.2} s {}",
                        probe.progress.nodes,
                        if contradicts || !won { "WRONG" } else { "" }
                    );
                }
            }
            Outcome::Unsolvable => {
                wrong += 1;
                println!("{n:4} unsolvable?");
            }
            Outcome::Stopped { by, bound } => {
                println!("{n:4} stopped by {} bound {bound} nodes {} {took:.2} s", by.name(), probe.progress.nodes);
            }
        }
    }
    println!(
        "{name} {goal}, {seconds} s, {threads} threads: {solved}/{tried} solved, {proven} proven, {wrong} wrong, {nodes} nodes, {:.1} s; costs {begun} -> {ended}",
        whole.elapsed().as_secs_f64()
    );
}
