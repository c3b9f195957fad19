//! Whether the difficulty number means something: over generated levels of every game, its rank correlation with the solver's proven minimum and
//! with what plain searches need, and the mean of every preset in the game's order.
//!
//! `cargo bench --bench difficulty -- [levels a game] [game]`; 200 levels a game without arguments, dealt out over the presets. Nothing here is
//! timed: the table is the same on every machine. Correlations are Spearman's, ties sharing their ranks. A plain search that is cut off counts
//! as if it needed one state more than the limit; the share of those is printed beside it, because where it is high the number says little.

use rayon::prelude::*;
use std::collections::{HashSet, VecDeque};
use tilewright::{
    document::{AnyGame, Doc, Position},
    game::Status,
    games,
    job::{Limits, Probe},
};
use xxhash_rust::xxh3::xxh3_128;

/// The node limit of `rate`, unless told otherwise.
const RATED: u64 = 200_000;
/// The states a plain search may look at.
const PLAIN: usize = 5_000;

struct Row {
    preset: usize,
    difficulty: f64,
    proven: Option<u32>,
    breadth: usize,
    depth: usize,
}

/// States that a search without any cleverness looks at until it sees a win: breadth first, or depth first.
fn plain(start: &dyn Position, depth_first: bool) -> usize {
    let digest = |p: &dyn Position| xxh3_128(p.state().as_bytes());
    let mut seen = HashSet::from([digest(start)]);
    let mut waiting = VecDeque::from([start.fork()]);
    while let Some(here) = if depth_first { waiting.pop_back() } else { waiting.pop_front() } {
        for next in here.after_each().into_iter().flatten() {
            if next.status() == Status::Won {
                return seen.len();
            }
            if seen.len() > PLAIN {
                return PLAIN + 1;
            }
            if next.status() == Status::Playing && seen.insert(digest(&*next)) {
                waiting.push_back(next);
            }
        }
    }
    PLAIN + 1
}

fn measure(game: &dyn AnyGame, n: u64) -> Option<Row> {
    let presets = game.presets();
    let preset = n as usize % presets.len();
    let made = game.generate(presets[preset].id, &presets[preset].values, n, &mut Probe::new(Limits::default()));
    let doc: Box<dyn Doc> = made.ok()?.doc;
    let rating = doc.rate_now(RATED, &mut Probe::new(Limits::default()));
    let goal = game.info().par_goal;
    let par = rating.goals.iter().find(|g| g.goal == game.goals()[goal].id)?;
    let staged = doc.replay_level(goal);
    let start = staged.as_ref().unwrap_or(&doc).position(false)?;
    Some(Row {
        preset,
        difficulty: rating.difficulty?,
        proven: par.cost.filter(|_| par.optimal()),
        breadth: plain(&*start, false),
        depth: plain(&*start, true),
    })
}

/// Ranks from 1; equal values share the mean of theirs.
fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    let mut at = 0;
    while at < order.len() {
        let end = (at..order.len()).find(|i| values[order[*i]] > values[order[at]]).unwrap_or(order.len());
        for i in &order[at..end] {
            ranks[*i] = (at + 1 + end) as f64 / 2.0;
        }
        at = end;
    }
    ranks
}

/// Spearman's rank correlation; `None` where one of the two does not vary.
fn correlation(a: &[f64], b: &[f64]) -> Option<f64> {
    let (a, b) = (ranks(a), ranks(b));
    let mean = (a.len() as f64 + 1.0) / 2.0;
    let product = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - mean) * (y - mean)).sum::<f64>();
    let (xx, yy) = (product(&a, &a), product(&b, &b));
    (xx > 0.0 && yy > 0.0).then(|| product(&a, &b) / (xx * yy).sqrt())
}

fn report(game: &dyn AnyGame, rows: &[Row]) {
    let show = |c: Option<f64>| c.map_or("  -".into(), |c| format!("{c:5.2}"));
    let proven: Vec<&Row> = rows.iter().filter(|r| r.proven.is_some()).collect();
    let minimum = correlation(
        &proven.iter().map(|r| r.difficulty).collect::<Vec<_>>(),
        &proven.iter().map(|r| f64::from(r.proven.unwrap_or(0))).collect::<Vec<_>>(),
    );
    let difficulty: Vec<f64> = rows.iter().map(|r| r.difficulty).collect();
    let against = |needed: &dyn Fn(&Row) -> usize| {
        let values: Vec<f64> = rows.iter().map(|r| needed(r) as f64).collect();
        let cut = rows.iter().filter(|r| needed(r) > PLAIN).count() * 100 / rows.len().max(1);
        format!("{} ({cut:2} % cut off)", show(correlation(&difficulty, &values)))
    };
    println!(
        "{:8} {:3} levels, {:3} proven | minimum {} | breadth first {} | depth first {}",
        game.info().id,
        rows.len(),
        proven.len(),
        show(minimum),
        against(&|r| r.breadth),
        against(&|r| r.depth),
    );
    let presets = game.presets();
    let means = presets.iter().enumerate().map(|(i, p)| {
        let of: Vec<f64> = rows.iter().filter(|r| r.preset == i).map(|r| r.difficulty).collect();
        let least = of.iter().copied().fold(f64::INFINITY, f64::min);
        let most = of.iter().copied().fold(0.0, f64::max);
        format!("{} {:.1} ({least:.0}-{most:.0})", p.id, of.iter().sum::<f64>() / of.len().max(1) as f64)
    });
    println!("         {}", means.collect::<Vec<_>>().join(" · "));
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let levels: u64 = args.first().and_then(|a| a.parse().ok()).unwrap_or(200);
    for game in games::offered().iter().filter(|g| args.get(1).is_none_or(|id| id == g.info().id)) {
        let rows: Vec<Row> = (0..levels).into_par_iter().filter_map(|n| measure(*game, n)).collect();
        report(*game, &rows);
    }
}
