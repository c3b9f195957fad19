//! How many levels of the reference collections are solved within a time, and at what cost in nodes.
//!
//! `cargo bench --bench sbokena -- [collection] [goal] [seconds] [from-to]`, for example `-- microban1 pushes 10`. Without arguments:
//! Microban I, `any`, one second a level. Times depend on the machine, node counts do not.

use std::time::{Duration, Instant};
use tilewright::{
    game::{Draft, Outcome, Rules, Solve, Status},
    games::sbokena::Sbokena,
    job::{Limits, Probe},
};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let word = |i: usize, default: &str| args.get(i).cloned().unwrap_or_else(|| default.to_string());
    let (collection, goal, seconds) = (word(0, "microban1"), word(1, "any"), word(2, "1"));
    let range = word(3, "1-9999");
    let (low, high) = range.split_once('-').unwrap_or((&range, &range));
    let (low, high): (usize, usize) = (low.parse().unwrap_or(1), high.parse().unwrap_or(9999));
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/reference/sokoban");
    let Ok(text) = std::fs::read_to_string(folder.join(format!("{collection}.xsb"))) else {
        println!("reference {collection}.xsb is not here: nothing to measure");
        return;
    };
    let known = std::fs::read_to_string(folder.join(format!("{collection}.optimal-pushes.txt"))).unwrap_or_default();
    let known: std::collections::BTreeMap<usize, u32> = known
        .lines()
        .filter_map(|l| l.split_once(' '))
        .filter_map(|(n, c)| Some((n.parse().ok()?, c.parse().ok()?)))
        .collect();
    let format = Sbokena::formats().into_iter().find(|f| f.id == "sok").expect("the format");
    let items = (format.read)(&text).unwrap_or_else(|e| panic!("{e}"));
    let Some(index) = Sbokena::GOALS.iter().position(|g| g.id == goal) else {
        println!("there is no goal {goal}");
        return;
    };
    let time = Duration::from_secs_f64(seconds.parse().unwrap_or(1.0));
    let (mut solved, mut proven, mut wrong, mut tried, mut nodes) = (0, 0, 0, 0, 0);
    let whole = Instant::now();
    for (i, item) in items.iter().enumerate().filter(|(i, _)| (low..=high).contains(&(i + 1))) {
        let n = i + 1;
        tried += 1;
        let limits = Limits { time: Some(time), memory: Some(2 << 30), nodes: None };
        let mut probe = Probe::new(limits);
        let Ok(start) = Sbokena::start(&item.level) else {
            println!("{n:4} cannot be played");
            continue;
        };
        let begin = Instant::now();
        let outcome = Sbokena::solve(&item.level, &start, index, &mut probe, &mut |_| ());
        let took = begin.elapsed().as_secs_f64();
        nodes += probe.progress.nodes;
        match &outcome {
            Outcome::Solved { line, optimal, bound, .. } => {
                let mut state = start.clone();
                let fine = line.iter().all(|d| Sbokena::play(&item.level, &mut state, d).is_ok());
                let won = fine && Sbokena::status(&item.level, &state) == Status::Won;
                let counts = Sbokena::counts(&item.level, &start, line);
                let cost = counts[Sbokena::GOALS[index].count];
                solved += usize::from(won);
                proven += usize::from(won && *optimal);
                let contradicts =
                    goal == "pushes" && known.get(&n).is_some_and(|k| (*optimal && *k != cost) || cost < *k);
                wrong += usize::from(contradicts || !won);
                if took > 1.0 || contradicts || !won {
                    println!(
                        "{n:4} cost {cost} optimal {optimal} bound {bound} nodes {} {took:.2} s {}",
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
        "{collection} {goal}: {solved}/{tried} solved, {proven} proven, {wrong} wrong, {nodes} nodes, {:.1} s",
        whole.elapsed().as_secs_f64()
    );
}
