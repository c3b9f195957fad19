//! Solving: the exact cover of [`super::packing`], asked for one solution or for their number.
//!
//! Every solution places every piece once, so from the empty board any solution is a shortest line and its length is known beforehand. From a
//! position with pieces on the board the solver first tries to complete it as it lies, then with any single piece moved, and only then
//! takes any solution of the level and lifts what is in its way. The first two are shortest lines by proof, the last is not claimed to be one.
//!
//! The number of solutions belongs to the level, not to the position: pieces can always be lifted again. It is counted up to
//! [`MOST_COUNTED`], which keeps a careless draft (thirty equal pieces) from counting for ever.

use super::{Level, Move, Placing, Shards, State, Tri, choices, packing::Packing, rules};
use crate::{
    analysis::rate::{self, Metrics},
    game::{Apart, Counting, Goal, Listed, Overlay, Rules as _, Solve, Status, Tally},
    grid::Spot,
    job::{Mode, Probe, Stop},
    search::driver::{Flow, Plan, Stage, Whole},
};
use std::{collections::BTreeSet, sync::Arc};

/// Counting ends here.
pub const MOST_COUNTED: u64 = 1_000_000;

/// How hard a level is for a person, as far as the search tells.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Grade {
    /// Pieces.
    pub pieces: usize,
    /// Placements of the solution that were forced: one way left for some triangle or piece.
    pub forced: usize,
    /// The mean number of ways at the best place to look, over the placements of the solution.
    pub branching: f64,
    /// Dead ends met while proving how many solutions there are.
    pub dead_ends: u64,
    /// Nodes of that search.
    pub nodes: u64,
    /// One number: the bits of choice along the solution, and the size of the search that has to be ruled out.
    pub bits: f64,
}

/// The goal `all`, by its place in [`Solve::GOALS`].
const ALL: usize = 1;

impl Solve for Shards {
    const TALLIES: bool = true;

    const GOALS: &'static [Goal] = &[
        Goal { id: "first", name: "a solution", count: 0, apart: Some(Apart::Listed) },
        Goal { id: "all", name: "all solutions, counted", count: 0, apart: Some(Apart::Listed) },
    ];

    fn stages(level: &Level, from: &State, goal: usize, _: Mode) -> Plan<Move> {
        let level = Arc::new(level.clone());
        let mut stages = Vec::new();
        if goal == ALL {
            stages.push(count_all(level.clone(), *from == rules::in_tray(&level)));
        }
        if goal != ALL || *from != rules::in_tray(&level) {
            stages.extend([complete(&level, from), move_one(&level, from), take_any(&level, from)]);
        }
        Plan::best(stages)
    }

    fn difficulty(level: &Level, metrics: &Metrics, probe: &mut Probe) -> Result<Option<f64>, Stop> {
        // Every piece is one decision, and each doubling of the search for a solution weighs as much as one piece more.
        let positions = choices::positions(level, probe)?;
        Ok(Some(rate::scale(f64::from(metrics.minimum) + (1.0 + positions).log2(), 20.0)))
    }

    fn reasons() -> Option<crate::game::Reasons<Shards>> {
        Some(super::reasons::reasons())
    }

    fn counting() -> Counting<Shards> {
        Counting { list, ..Counting::default() }
    }

    fn overlays() -> &'static [Overlay] {
        &[
            Overlay {
                id: "dead-ends",
                name: "Dead ends",
                help: "Open triangles that no piece in the tray can cover any more: something on the board is wrong.",
            },
            Overlay {
                id: "choices",
                name: "Fewest ways",
                help: "Open triangles by how few ways there are to cover them: the brightest are the best place to look.",
            },
        ]
    }

    fn overlay(level: &Level, state: &State, index: usize) -> Vec<(Spot, f32)> {
        let ways = ways(level, state);
        let weight = |n: u32| match (index, n) {
            (0, 0) => Some(1.0),
            (0, _) | (_, 0) => None,
            (_, n) => Some(1.0 / n as f32),
        };
        ways.into_iter().filter_map(|(spot, n)| Some((spot, weight(n)?))).collect()
    }

    fn about_level(level: &Level, from: &State, probe: &mut Probe) -> Vec<String> {
        let empty = rules::in_tray(level);
        if *from != empty {
            return Vec::new();
        }
        let Some(g) = grade(level, probe) else { return Vec::new() };
        vec![
            format!("{} of {} placements are forced", g.forced, g.pieces),
            format!("{:.1} ways to cover the best place to begin with, {} dead ends", g.branching, g.dead_ends),
        ]
    }
}

/// For each open triangle, the number of placings of pieces in the tray that cover it.
fn ways(level: &Level, state: &State) -> Vec<(Spot, u32)> {
    let size = level.board().size();
    let mut counts = vec![0u32; size.area() * 4];
    for piece in (0..level.pieces().len()).filter(|p| state.placed().get(*p) == Some(&None)) {
        for placing in rules::placings(level, state, piece) {
            rules::covered(level, piece, placing).iter().for_each(|t| counts[t.index(size)] += 1);
        }
    }
    let over = rules::coverage(level, state);
    let open = level.triangles().filter(|t| over[t.cell][t.k as usize].is_none());
    open.map(|t| (t.spot(), counts[t.index(size)])).collect()
}

/// A solution of the level from the empty board.
fn any(level: &Level, from: &State, probe: &mut Probe) -> Result<Option<Vec<Move>>, Stop> {
    let Some(packing) = Packing::new(level, from) else { return Ok(None) };
    let mut line = None;
    let count = packing.count(1, probe, &mut |l| {
        line = Some(l.moves);
        false
    });
    match (line, count.stopped) {
        (None, Some(stop)) => Err(stop),
        (line, _) => Ok(line),
    }
}

fn waiting(state: &State) -> u32 {
    state.placed().iter().filter(|p| p.is_none()).count() as u32
}

/// Completes the position as it lies: a shortest line. On the empty board it is the whole question.
fn complete(level: &Arc<Level>, from: &State) -> Box<dyn Stage<Move>> {
    let (level, from) = (level.clone(), from.clone());
    Whole::stage("complete", true, move |known, probe| {
        if Shards::status(&level, &from) == Status::Won {
            known.better(0, Vec::new(), probe);
            return Ok(Flow::Proven);
        }
        known.raise_bound(waiting(&from), probe);
        match any(&level, &from, probe)? {
            Some(line) => known.better(line.len() as u32, line, probe),
            None if from.placed().iter().all(Option::is_none) => return Ok(Flow::Proven),
            None => known.raise_bound(waiting(&from) + 1, probe),
        }
        Ok(Flow::Done)
    })
}

/// Completes it with one piece moved: a shortest line where it cannot be completed as it lies.
fn move_one(level: &Arc<Level>, from: &State) -> Box<dyn Stage<Move>> {
    let (level, from) = (level.clone(), from.clone());
    Whole::stage("move one", false, move |known, probe| {
        for p in (0..from.placed().len()).filter(|p| from.placed()[*p].is_some()) {
            let mut without = from.clone();
            without.placed[p] = None;
            if let Some(mut line) = any(&level, &without, probe)? {
                // The moved piece goes first, while the place it leaves is still its own; it may also stay.
                line.sort_by_key(|mv| mv.piece() != p);
                line.retain(|mv| !lies(&level, &from, mv));
                known.better(line.len() as u32, line, probe);
                return Ok(Flow::Done);
            }
        }
        if known.bound() > waiting(&from) {
            known.raise_bound(waiting(&from) + 2, probe);
        }
        Ok(Flow::Done)
    })
}

/// Takes any solution of the level and lifts what is in its way; without one there is none from any position.
fn take_any(level: &Arc<Level>, from: &State) -> Box<dyn Stage<Move>> {
    let (level, from) = (level.clone(), from.clone());
    Whole::stage("take any", true, move |known, probe| {
        let Some(line) = any(&level, &rules::in_tray(&level), probe)? else { return Ok(Flow::Proven) };
        let line = around(&level, &from, &line);
        known.better(line.len() as u32, line, probe);
        Ok(Flow::Done)
    })
}

/// Counts the solutions of the level; the first is a shortest line from the empty board.
fn count_all(level: Arc<Level>, empty: bool) -> Box<dyn Stage<Move>> {
    Whole::stage("count", true, move |known, probe| {
        let Some(packing) = Packing::new(&level, &rules::in_tray(&level)) else { return Ok(Flow::Proven) };
        let mut first: Option<Vec<Move>> = None;
        let count = packing.count(MOST_COUNTED, probe, &mut |line| {
            first.get_or_insert(line.moves);
            true
        });
        let Some(line) = first else { return count.stopped.map_or(Ok(Flow::Proven), Err) };
        known.count(count.tally);
        if empty {
            known.better(line.len() as u32, line, probe);
        }
        match count.stopped {
            Some(stop) => Err(stop),
            None if empty => Ok(Flow::Proven),
            None => Ok(Flow::Done),
        }
    })
}

/// Whether a piece lies where a move would place it.
fn lies(level: &Level, from: &State, mv: &Move) -> bool {
    let Move::Place { piece, placing } = *mv else { return false };
    let same = |p: Placing| p == placing || rules::covered(level, piece, p) == rules::covered(level, piece, placing);
    from.placed()[piece].is_some_and(same)
}

/// A solution made from a position: keeps the pieces that lie as it has them, lifts the rest, places.
fn around(level: &Level, from: &State, line: &[Move]) -> Vec<Move> {
    let places: Vec<Move> = line.iter().filter(|mv| !lies(level, from, mv)).copied().collect();
    let on_board = |mv: &&Move| from.placed()[mv.piece()].is_some();
    places.iter().filter(on_board).map(|mv| Move::Lift { piece: mv.piece() }).chain(places.iter().copied()).collect()
}

/// The number of solutions of a level, up to a limit; `Err` if the search was stopped before it knew. A level whose areas do not agree has none.
pub fn count(level: &Level, limit: u64, probe: &mut Probe) -> Result<Tally, Stop> {
    let Some(packing) = Packing::new(level, &rules::in_tray(level)) else { return Ok(Tally { found: 0, all: true }) };
    let count = packing.count(limit, probe, &mut |_| true);
    count.stopped.map_or(Ok(count.tally), Err)
}

/// All solutions, the first `most` of them as lines, and how many pieces lie the same in all of them. Where turning the whole outline gives another solution that
/// counts as the same, no piece has a place of its own.
fn list(level: &Level, most: usize, probe: &mut Probe) -> Result<Listed<Move>, Stop> {
    let none = Listed { tally: Tally { found: 0, all: true }, lines: Vec::new(), common: None };
    let Some(packing) = Packing::new(level, &rules::in_tray(level)) else { return Ok(none) };
    let cover = |mv: &Move| match *mv {
        Move::Place { piece, placing } => rules::covered(level, piece, placing).into_iter().collect(),
        Move::Lift { .. } => BTreeSet::new(),
    };
    let mut lines = Vec::new();
    let mut common: Option<BTreeSet<BTreeSet<Tri>>> = None;
    let count = packing.count(MOST_COUNTED, probe, &mut |line| {
        if common.as_ref().is_none_or(|c| !c.is_empty()) {
            let cut: BTreeSet<BTreeSet<Tri>> = line.moves.iter().map(cover).collect();
            common = Some(common.take().map_or_else(|| cut.clone(), |c| c.intersection(&cut).cloned().collect()));
        }
        if lines.len() < most {
            lines.push(line.moves);
        }
        true
    });
    let common = common.filter(|_| !packing.has_images()).map(|c| c.len() as u32);
    count.stopped.map_or(Ok(Listed { tally: count.tally, lines, common }), Err)
}

/// The solutions of a level as lines of placings, up to a limit.
pub fn solutions(level: &Level, limit: u64, probe: &mut Probe) -> Result<Vec<Vec<Move>>, Stop> {
    let mut lines = Vec::new();
    let Some(packing) = Packing::new(level, &rules::in_tray(level)) else { return Ok(lines) };
    let count = packing.count(limit, probe, &mut |l| {
        lines.push(l.moves);
        true
    });
    count.stopped.map_or(Ok(lines), Err)
}

/// Grades a level: counts up to two solutions and looks at how the first was found. `None` if it has none or the search was stopped.
pub fn grade(level: &Level, probe: &mut Probe) -> Option<Grade> {
    graded(level, probe).ok().flatten().map(|(_, grade, _)| grade)
}

/// A solution, its grade, and the tally up to two.
pub(super) fn graded(level: &Level, probe: &mut Probe) -> Result<Option<(Vec<Move>, Grade, Tally)>, Stop> {
    let Some(packing) = Packing::new(level, &rules::in_tray(level)) else { return Ok(None) };
    let mut first = None;
    let count = packing.count(2, probe, &mut |l| {
        first.get_or_insert(l);
        true
    });
    let stats = match (count.stats, count.stopped) {
        (Some(stats), _) => stats,
        (None, stop) => return Err(stop.unwrap_or(Stop::Cancelled)),
    };
    let Some(line) = first else { return Ok(None) };
    let pieces = line.widths.len();
    let sum: u32 = line.widths.iter().sum();
    let bits: f64 = line.widths.iter().map(|w| f64::from(*w).log2()).sum();
    let grade = Grade {
        pieces,
        forced: line.widths.iter().filter(|w| **w == 1).count(),
        branching: f64::from(sum) / pieces.max(1) as f64,
        dead_ends: stats.dead_ends,
        nodes: stats.nodes,
        bits: bits + (1.0 + stats.dead_ends as f64).log2(),
    };
    Ok(Some((line.moves, grade, count.tally)))
}
