//! How hard a level is, and what about it: measured over the contract, so for every game alike.
//!
//! **The difficulty** is one number from 0 to 100. With `c` the proven minimum for the game's par (see [`Info::par_goal`](crate::game::Info)) and
//! `p` the positions that [plain search](super::plain) meets before it comes to that cost,
//!
//! ```text
//! effort     = log2(1 + c) + 0.25 · log2(1 + p)
//! difficulty = 100 · (1 − exp(−effort / 12))
//! ```
//!
//! so it grows with the length of the shortest solution and with the logarithm of a search for it, each step of it ever smaller, and never
//! reaches 100. Nothing in it depends on our solvers beyond what they have proven: a better solver leaves the number as it is. A plain search that is
//! cut off after [`POSITIONS`] at a cost of `k` is taken to go on with as many positions for each unit of cost: `p · (1 + c) / (1 + k)`. The number compares
//! levels of one game; between games it says little. When the node limit ends the proof, `c` is the lower bound proven by then, and the
//! difficulty is "at least" ([`Rating::at_least`]). A level that is not known to be
//! solvable has none. A game that knows better overrides the effort with [`Solve::difficulty`](crate::game::Solve::difficulty), which is handed everything else
//! measured here: Cats weighs the steps beside the drags, Shards the pieces, Readout the opponent's obstacles, Match the moves that ruin a board. `cargo bench --bench difficulty` prints how well the number
//! follows the proven minimum and what plain searches need, over generated levels of every game.
//!
//! **The metrics** walk along the solution for par: how many moves were legal at each position (*branching*), how often there was no choice
//! (*forced*), how often a wrong turn ruins the level (*dead ends*: other moves than the solution's, sampled with a fixed seed, each followed by a
//! small solve that proves the level lost or finds a way), which pieces could have moved and never did, and which cells the search went
//! through but the solution never touches.
//!
//! Everything is cut off by nodes and sampled with fixed seeds, so a rating is the same on every machine. Not attempted: a model of how people
//! see a level. The number orders levels for a designer to try; it does not replace trying them.

use super::{
    Replayed, Report, Verdict,
    plain::{Plain, plain_within},
    solve,
};
use crate::{
    game::{Game, Problem, Status, advance, rng},
    job::{Probe, Stop},
};
use rand::seq::SliceRandom as _;
use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

/// What was measured along the solution for par.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Metrics {
    /// Moves in the solution.
    pub moves: usize,
    /// Cost of the solution for par; where it is not proven best, the proven lower bound.
    pub minimum: u32,
    /// For each goal the proven minimum, or the lower bound known; 0 without either.
    pub least: Vec<u32>,
    /// Positions that plain search meets before it comes to the minimum; an estimate where that search was cut off.
    pub positions: f64,
    /// Legal moves at a position of the solution, on average.
    pub branching: f64,
    /// Share of the solution's positions with one legal move only.
    pub forced: f64,
    /// Share of the sampled other moves that lose the level for good; `None` if none could be judged.
    pub dead_ends: Option<f64>,
    /// Other moves that were sampled.
    pub sampled: usize,
    /// Those of them that the small solves could judge.
    pub judged: usize,
    /// Pieces that could be moved somewhere along the solution.
    pub pieces: usize,
    /// Those of them that the solution never moves.
    pub pieces_never_moved: usize,
    /// Cells that the search went through but the solution never changes; `None` for games whose search does not count visits.
    pub cells_never_used: Option<usize>,
    /// Cells that the solution changes.
    pub cells_used: usize,
}

/// A rating.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rating {
    /// From 0 to 100; `None` if the level is not known to be solvable.
    pub difficulty: Option<f64>,
    /// Whether the proof was cut off, so that the level may be harder than this.
    pub at_least: bool,
    /// What is known for each goal. Without times: a rating is the same everywhere.
    pub goals: Vec<Report>,
    /// What was measured along the solution, if there is one.
    pub metrics: Option<Metrics>,
    /// Why the level cannot be played, if it cannot.
    pub problems: Vec<Problem>,
    /// Whether somebody stopped it; what is there was measured before.
    pub cancelled: bool,
}

/// A difficulty for people. Rounded as the catalogue keeps it, in tenths, so that all places show the same number.
pub fn shown(difficulty: f64) -> String {
    format!("{:.0}", tenths(difficulty))
}

/// A difficulty as it is kept.
pub fn tenths(difficulty: f64) -> f64 {
    (difficulty * 10.0).round() / 10.0
}

/// The nodes a goal that a level is rated with unless somebody asks for another number: the same everywhere, so that the number is.
pub const NODES: u64 = 200_000;

/// Positions that the plain search may look at, and the bytes they may take by an estimate from the size of the board.
pub const POSITIONS: usize = 10_000;
const POSITION_BYTES: usize = 64 << 20;

/// How many positions of the solution are left by other moves, and by how many each.
const SAMPLED_POSITIONS: usize = 16;
const SAMPLED_MOVES: usize = 3;

/// The share of the node limit that one of those small solves gets.
const SAMPLE_SHARE: u64 = 20;

/// The formula of this module's header.
pub fn default_difficulty(minimum: u32, positions: f64) -> f64 {
    let effort = (1.0 + f64::from(minimum)).log2() + 0.25 * (1.0 + positions).log2();
    scale(effort, 12.0)
}

/// Puts an effort on the scale from 0 to 100: 63 where it equals `unit`, 86 at twice that, never quite 100.
pub fn scale(effort: f64, unit: f64) -> f64 {
    100.0 * (1.0 - (-effort / unit).exp())
}

/// Rates a level with at most `nodes` nodes a goal. Of the probe's limits only clock, memory and cancel count.
pub fn rate<G: Game>(level: &Arc<G::Level>, nodes: u64, probe: &mut Probe) -> Rating {
    let mut rating = Rating::default();
    let mut along_par = None;
    let mut least = Vec::new();
    for goal in 0..G::GOALS.len() {
        let mut part = probe.part(nodes);
        part.heat = Some(vec![0; G::size(level).area()]);
        let answer = solve::<G>(level, None, goal, &mut part, &mut |_| ());
        probe.absorb(&part);
        if let Verdict::Unplayable(problems) = answer.report.verdict {
            return Rating { problems, ..rating };
        }
        rating.cancelled |= answer.report.stopped_by() == Some(Stop::Cancelled);
        let report = answer.report.timeless();
        least.push(if report.optimal() { report.cost } else { report.bound }.unwrap_or(0));
        if goal == G::INFO.par_goal
            && let Some(line) = answer.line
        {
            along_par = Some((line, report.optimal(), part.heat.take()));
        }
        rating.goals.push(report);
    }
    let Some((line, proven, heat)) = along_par else { return rating };
    let minimum = least[G::INFO.par_goal];
    let mut metrics = Metrics { minimum, least, ..along(&line) };
    cells(&line, heat.as_deref(), &mut metrics);
    rating.cancelled |= dead_ends(&line, nodes / SAMPLE_SHARE, probe, &mut metrics).is_err();
    let difficulty = positions::<G>(&line, minimum, probe).and_then(|positions| {
        metrics.positions = positions;
        Ok(G::difficulty(level, &metrics, probe)?.unwrap_or_else(|| default_difficulty(minimum, positions)))
    });
    match difficulty {
        Ok(difficulty) => rating.difficulty = Some(difficulty.clamp(0.0, 100.0)),
        Err(_) => rating.cancelled = true,
    }
    rating.at_least = !proven;
    rating.metrics = Some(metrics);
    rating
}

/// Positions that plain search meets before it comes to the cost `minimum`, from where the line starts.
fn positions<G: Game>(line: &Replayed<G>, minimum: u32, probe: &mut Probe) -> Result<f64, Stop> {
    // A state is a few bytes a cell at most, and the search holds each about twice.
    let most = POSITIONS.min(POSITION_BYTES / (16 * G::size(&line.level).area() + 256));
    let mut part = probe.part(u64::MAX);
    let searched = plain_within::<G>(&line.level, &line.states[0], G::INFO.par_goal, most, true, &mut part);
    probe.absorb(&part);
    let searched = searched?;
    let met = searched.positions as f64;
    Ok(match searched.end {
        Plain::TooLarge if searched.cost < minimum => met * f64::from(minimum + 1) / f64::from(searched.cost + 1),
        _ => met,
    })
}

/// Branching, forced moves and pieces along the line.
fn along<G: Game>(line: &Replayed<G>) -> Metrics {
    let level = &line.level;
    let mut metrics = Metrics { moves: line.moves.len(), ..Metrics::default() };
    let (mut could, mut did) = (BTreeSet::new(), BTreeSet::new());
    let mut choices = 0;
    for (state, mv) in line.states.iter().zip(&line.moves) {
        let legal = G::legal_moves(level, state);
        choices += legal.len();
        metrics.forced += if legal.len() == 1 { 1.0 } else { 0.0 };
        could.extend(legal.iter().map(|m| G::piece(level, state, m).0));
        did.insert(G::piece(level, state, mv).0);
    }
    could.extend(&did);
    let positions = line.moves.len().max(1) as f64;
    metrics.branching = choices as f64 / positions;
    metrics.forced /= positions;
    metrics.pieces = could.len();
    metrics.pieces_never_moved = could.difference(&did).count();
    metrics
}

/// Cells by whether what is seen there changes along the line.
fn cells<G: Game>(line: &Replayed<G>, heat: Option<&[u32]>, metrics: &mut Metrics) {
    let (level, states) = (&line.level, &line.states);
    let size = G::size(level);
    let mut used = BTreeSet::new();
    for spot in G::spots(level) {
        let first = G::describe(level, Some(&states[0]), spot);
        if states[1..].iter().any(|s| G::describe(level, Some(s), spot) != first) {
            used.insert(spot.cell);
        }
    }
    metrics.cells_used = used.len();
    let visited = |heat: &&[u32]| heat.iter().any(|n| *n > 0);
    metrics.cells_never_used = heat.filter(visited).map(|heat| {
        let cells = heat.iter().enumerate().filter(|(_, n)| **n > 0).map(|(i, _)| size.cell(i));
        cells.filter(|c| !used.contains(c)).count()
    });
}

/// Other moves than the line's, each followed by a small solve. `Err` if it was cancelled.
fn dead_ends<G: Game>(line: &Replayed<G>, nodes: u64, probe: &mut Probe, metrics: &mut Metrics) -> Result<(), Stop> {
    let (level, states, line) = (&line.level, &line.states, &line.moves);
    let mut rng = rng(0);
    let known: HashSet<&G::State> = states.iter().collect();
    let stride = line.len().div_ceil(SAMPLED_POSITIONS).max(1);
    let mut dead = 0;
    for at in (0..line.len()).step_by(stride) {
        let mut others: Vec<_> = G::legal_moves(level, &states[at]).into_iter().filter(|m| *m != line[at]).collect();
        others.shuffle(&mut rng);
        for mv in others.into_iter().take(SAMPLED_MOVES) {
            probe.check()?;
            let mut state = states[at].clone();
            if advance::<G>(level, &mut state, &mv).is_err() {
                continue;
            }
            metrics.sampled += 1;
            // A way back onto the line, or another way to win at once.
            let verdict = match G::status(level, &state) {
                Status::Won => Some(false),
                Status::Lost | Status::Drawn => Some(true),
                Status::Playing if known.contains(&state) => Some(false),
                Status::Playing => {
                    let mut part = probe.part(nodes.max(1));
                    let report = solve::<G>(level, Some(&state), G::INFO.verdict_goal, &mut part, &mut |_| ()).report;
                    probe.absorb(&part);
                    report.lost()
                }
            };
            if let Some(lost) = verdict {
                metrics.judged += 1;
                dead += usize::from(lost);
            }
        }
    }
    metrics.dead_ends = (metrics.judged > 0).then(|| dead as f64 / metrics.judged as f64);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game::Edit as _, games::null::Null, grid::Size, job::Limits};

    fn lamps(n: usize) -> <Null as crate::game::Draft>::Level {
        let mut level = Null::blank(Size::new(5, 3));
        let spots: Vec<_> = Size::new(5, 3).cells().take(n).map(Into::into).collect();
        Null::paint(&mut level, crate::game::Ink { swatch: 1, ..Default::default() }, &spots);
        level
    }

    #[test]
    fn the_difficulty_grows_with_the_minimum_and_with_the_positions_and_stays_below_100() {
        let mut last = -1.0;
        for n in [0, 1, 10, 1000, u32::MAX] {
            let d = default_difficulty(n, 50.0);
            assert!(d > last && d < 100.0);
            last = d;
        }
        assert!(default_difficulty(10, 1000.0) > default_difficulty(10, 999.0));
    }

    #[test]
    fn a_board_of_lamps_is_rated_by_what_is_on_it() {
        let rate = |n| rate::<Null>(&Arc::new(lamps(n)), 1000, &mut Probe::new(Limits::default()));
        let rating = rate(4);
        let m = rating.metrics.clone().unwrap();
        assert_eq!((m.moves, m.minimum, m.branching, m.forced), (4, 4, 2.5, 0.25));
        assert_eq!((m.pieces, m.pieces_never_moved, m.cells_used, m.cells_never_used), (4, 0, 4, None));
        assert_eq!((m.dead_ends, m.sampled), (Some(0.0), m.judged));
        assert!(rate(5).difficulty > rating.difficulty);
        assert_eq!(rate(4), rating, "the same every time");
    }

    #[test]
    fn a_draft_that_cannot_be_played_has_problems_instead_of_a_number() {
        let rating = rate::<Null>(&Arc::new(lamps(0)), 1000, &mut Probe::new(Limits::default()));
        assert_eq!(rating.difficulty, None);
        assert_eq!(rating.problems.len(), 1);
    }
}
