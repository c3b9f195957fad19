//! Shards: our exact cover against the crate `exact-covers` (dancing links), the same instances in one run.
//!
//! All solutions, 6 x 6 with 12 pieces, translation only: both get the same list of options and are timed from there, building and
//! searching apart; the numbers of solutions must agree. Then the first solution where pieces turn, and where they turn and flip, with a limit.
//! `cargo bench --no-default-features --bench shards [-- INSTANCES]`

use exact_covers::{DlSolver, Solver as _};
use std::{
    collections::BTreeSet,
    hint::black_box,
    ops::ControlFlow,
    time::{Duration, Instant},
};
use tilewright::{
    game::{Draft as _, Generate as _, Outcome, Rules as _, Solve as _, Values},
    games::shards::{Level, Shards, Tri},
    job::{Limits, Probe},
    search::exact_cover::Cover,
};

/// Triangles, and for each placing its piece and triangles: what both solvers are given.
struct Instance {
    cells: usize,
    pieces: usize,
    options: Vec<(usize, Vec<usize>)>,
}

fn instance(level: &Level) -> Instance {
    let size = Shards::size(level);
    let number = |t: Tri| level.has(t).then(|| t.index(size));
    let mut options = BTreeSet::new();
    for piece in 0..level.pieces().len() {
        for sym in level.orientations() {
            let form = level.form(piece, *sym);
            for at in size.cells() {
                let cells: Option<Vec<usize>> = form.iter().map(|t| number(t.shifted(at))).collect();
                options.extend(cells.map(|mut c| {
                    c.sort();
                    (piece, c)
                }));
            }
        }
    }
    Instance { cells: level.area(), pieces: level.pieces().len(), options: options.into_iter().collect() }
}

/// The best of a few runs (the machine may be busy): building, searching, and the number of solutions.
fn best(runs: u32, mut run: impl FnMut() -> (Duration, Duration, u64)) -> (f64, f64, u64) {
    let (mut build, mut search, mut count) = (f64::MAX, f64::MAX, 0);
    for _ in 0..runs {
        let (b, s, n) = run();
        build = build.min(b.as_secs_f64() * 1e3);
        search = search.min(s.as_secs_f64() * 1e3);
        count = n;
    }
    (build, search, count)
}

fn ours(i: &Instance) -> (Duration, Duration, u64) {
    let start = Instant::now();
    let mut cover = Cover::new(i.cells, &vec![1; i.pieces]).expect("small enough");
    i.options.iter().for_each(|(k, cells)| cover.add(*k, cells.iter().copied()));
    let built = start.elapsed();
    let mut count = 0;
    let done = cover.search(&mut Probe::new(Limits::default()), &mut |f| {
        black_box(f.options);
        count += 1;
        true
    });
    assert!(done.is_ok());
    (built, start.elapsed() - built, count)
}

fn theirs(i: &Instance) -> (Duration, Duration, u64) {
    let items: Vec<usize> = (0..i.cells + i.pieces).collect();
    let options: Vec<Vec<usize>> =
        i.options.iter().map(|(k, cells)| cells.iter().copied().chain([i.cells + k]).collect()).collect();
    let start = Instant::now();
    let mut solver: DlSolver<'_, usize, ()> = DlSolver::new(&items, &[]);
    options.iter().for_each(|o| solver.add_option(o, []));
    let built = start.elapsed();
    let mut count = 0;
    solver.solve(|s| {
        black_box(s.option_count());
        count += 1;
        ControlFlow::Continue(())
    });
    (built, start.elapsed() - built, count)
}

fn whole(level: &Level) -> (Duration, Duration, u64) {
    let from = Shards::start(level).expect("playable");
    let start = Instant::now();
    let mut probe = Probe::new(Limits::default());
    let found = match Shards::solve(level, &from, 1, &mut probe, &mut |_| ()) {
        Outcome::Solved { tally, .. } => tally.map_or(0, |t| t.found),
        _ => 0,
    };
    (Duration::ZERO, start.elapsed(), found)
}

fn levels(values: &Values, count: usize, keep: impl Fn(&Level) -> bool) -> Vec<Level> {
    let values = values.checked(&Shards::params()).expect("good values");
    let make = |seed| Shards::generate(&values, seed, &mut Probe::new(Limits::default())).ok().map(|m| m.level);
    (0..).filter_map(make).filter(keep).take(count).collect()
}

/// Identical pieces would make the other solver count every exchange of them.
fn all_differ(level: &Level) -> bool {
    let forms: BTreeSet<_> = (0..level.pieces().len()).map(|p| level.form(p, Default::default())).collect();
    forms.len() == level.pieces().len()
}

fn at(sorted: &[f64], share: f64) -> f64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

fn spread(mut v: Vec<f64>) -> String {
    v.sort_by(f64::total_cmp);
    format!("median {:9.3}  p95 {:9.3}  max {:9.3}", at(&v, 0.5), at(&v, 0.95), at(&v, 1.0))
}

fn main() {
    let count = std::env::args().filter_map(|a| a.parse().ok()).next().unwrap_or(100);
    let base = Values::default().with("columns", 6).with("rows", 6).with("pieces", 12).with("pieces_most", 12);
    let base = base.with("unique", false);
    println!("all solutions, 6 x 6, 12 pieces, translation only, {count} instances, milliseconds");
    for cut in ["seed", "balanced"] {
        let mut rows: [Vec<f64>; 7] = Default::default();
        for level in levels(&base.clone().with("cut", cut), count, all_differ) {
            let i = instance(&level);
            let (build, search, n) = best(7, || ours(&i));
            let (their_build, their_search, m) = best(7, || theirs(&i));
            let (_, all, l) = best(7, || whole(&level));
            assert!(n == m && n == l, "the numbers of solutions agree");
            let ratio = (their_build + their_search) / (build + search);
            let values = [build, search, their_build, their_search, their_search / search, ratio, all];
            rows.iter_mut().zip(values).for_each(|(row, v)| row.push(v));
        }
        let names = [
            "ours, building",
            "ours, searching",
            "exact-covers, building",
            "exact-covers, searching",
            "times faster, searching",
            "times faster, with building",
            "whole `solve --goal all`",
        ];
        names.iter().zip(rows).for_each(|(name, row)| println!("  {cut:8}  {name:28} {}", spread(row)));
    }
    println!("first solution, 6 x 6, 12 pieces, limit 10 s, milliseconds");
    for (cut, mirror) in [("seed", false), ("balanced", false), ("seed", true), ("balanced", true)] {
        let values = base.clone().with("cut", cut);
        let (mut times, mut nodes, mut stopped) = (Vec::new(), Vec::new(), 0);
        for mut level in levels(&values, count, |_| true) {
            level.rotate = true;
            level.mirror = mirror;
            let start = Shards::start(&level).expect("playable");
            let mut probe = Probe::new(Limits { time: Some(Duration::from_secs(10)), ..Limits::default() });
            let clock = Instant::now();
            let outcome = Shards::solve(&level, &start, 0, &mut probe, &mut |_| ());
            times.push(clock.elapsed().as_secs_f64() * 1e3);
            nodes.push(probe.progress.nodes as f64);
            match outcome {
                Outcome::Solved { .. } => (),
                Outcome::Stopped { .. } => stopped += 1,
                Outcome::Unsolvable => panic!("a cut board has a solution"),
            }
        }
        let what = if mirror { "rotation and mirror" } else { "rotation" };
        println!("  {cut:8}  {what:20}  {}  stopped {stopped}", spread(times));
        println!("  {cut:8}  {:20}  {}", "  nodes", spread(nodes));
    }
}
