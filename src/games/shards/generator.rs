//! Generating: cut a board, prove what the cut is worth.
//!
//! A cut is its own solution, so every level is solvable; the solver then counts. With `unique` on, a cut with a second solution, or one whose
//! count needs more than [`NODES`] nodes, is thrown away and the next is tried, from the same stream of random numbers: limits are
//! node counts, so a seed gives the same level everywhere. The grade (forced placements, branching, dead ends) comes from the
//! same search and is stated with the level.

use super::{
    Level, Move, Placing, Shards, cut, rules,
    solver::{self, Grade},
    triangle::Tri,
};
use crate::{
    game::{Generate, Kind, Made, NotMade, Param, Preset, Values, rng},
    grid::{Grid, Size, Sym, cell},
    job::{Probe, Stop},
};
use rand::{RngExt as _, rngs::ChaCha8Rng};
use std::collections::BTreeMap;

/// Nodes one candidate may cost.
const NODES: u64 = 100_000;
/// Candidates counted before giving up.
const COUNTED: u32 = 300;
/// Cuts made before giving up.
const CUTS: u32 = 6000;
/// Solutions counted where they need not be unique.
const SOLUTIONS: u64 = 1000;

/// What is asked for.
struct Order {
    size: Size,
    pieces: (usize, usize),
    sizes: (usize, usize),
    seeds_way: bool,
    rotate: bool,
    mirror: bool,
    unique: bool,
}

impl Order {
    fn from(values: &Values) -> Order {
        let n = |name: &str| values.number(name).unwrap_or(1).max(1) as usize;
        let size = Size::new(n("columns") as u16, n("rows") as u16);
        let area = size.area() * 4;
        let largest = values.number("largest").map_or(area, |l| (l.max(1) as usize).min(area));
        Order {
            size,
            pieces: (n("pieces"), n("pieces_most").max(n("pieces"))),
            sizes: (n("smallest"), largest),
            seeds_way: values.word("cut") != "balanced",
            rotate: values.switch("rotate"),
            mirror: values.switch("mirror"),
            unique: values.switch("unique"),
        }
    }

    /// The numbers of pieces that can be met, or why none can.
    fn possible(&self) -> Result<(usize, usize), String> {
        let area = self.size.area() * 4;
        let (least, most) = self.sizes;
        if least > most {
            return Err(format!("the smallest piece cannot have {least} triangles and the largest {most}"));
        }
        let (few, many) = (self.pieces.0.max(area.div_ceil(most)), self.pieces.1.min(area / least));
        if few > many {
            return Err(format!(
                "{} triangles cannot be cut into {} to {} pieces of {least} to {most} triangles",
                area, self.pieces.0, self.pieces.1
            ));
        }
        Ok((few, many))
    }
}

impl Generate for Shards {
    const VERSION: u32 = 1;

    fn params() -> Vec<Param> {
        let mut largest =
            Param::number("largest", "Largest piece", "The most triangles a piece may have.", (1, 576), 1);
        largest.kind = Kind::Number { min: 1, max: 576, words: &["any"] };
        largest.default = "any".into();
        vec![
            Param::number("columns", "Columns", "Columns of the board.", (1, 12), 4),
            Param::number("rows", "Rows", "Rows of the board.", (1, 12), 4),
            Param::number("pieces", "Pieces, at least", "The fewest pieces.", (1, 60), 5),
            Param::number(
                "pieces_most",
                "Pieces, at most",
                "The most pieces; where it is less than the fewest, exactly that many.",
                (1, 60),
                7,
            ),
            Param {
                names: &[("seed", "wild")],
                ..Param::choice(
                    "cut",
                    "Cut",
                    "Wild: random sizes, some of them tiny or huge. Balanced: pieces of similar size.",
                    &["seed", "balanced"],
                )
            },
            Param::number("smallest", "Smallest piece", "The fewest triangles a piece may have.", (1, 144), 1),
            largest,
            Param::switch("rotate", "Rotation", "Pieces may be turned by quarter turns.", false),
            Param::switch("mirror", "Mirror", "Pieces may be flipped.", false),
            Param::switch("unique", "Unique", "The level has exactly one solution.", true),
        ]
    }

    fn presets() -> Vec<Preset> {
        let preset = |id, name, side: i64, few: i64, many: i64| {
            let values = Values::default().with("columns", side).with("rows", side);
            Preset { id, name, values: values.with("pieces", few).with("pieces_most", many) }
        };
        vec![preset("easy", "Easy", 4, 5, 7), preset("medium", "Medium", 5, 8, 10), preset("hard", "Hard", 6, 11, 12)]
    }

    fn about_values(values: &Values) -> Option<String> {
        let order = Order::from(values);
        let area = order.size.area() * 4;
        Some(match order.possible() {
            Err(why) => why,
            Ok((few, _)) if order.rotate && order.unique && area / few < 8 => {
                format!(
                    "{area} triangles; small pieces that turn rarely fit in one way only: this may take a while or fail"
                )
            }
            Ok((few, many)) => format!("{area} triangles, {} to {} a piece on average", area / many, area / few),
        })
    }

    fn generate(values: &Values, seed: u64, probe: &mut Probe) -> Result<Made<Shards>, NotMade> {
        let order = Order::from(values);
        let pieces = order.possible().map_err(NotMade::Refused)?;
        let board = Grid::filled(order.size, true);
        let mut rng = rng(seed);
        let (mut cuts, mut counted) = (0, 0);
        while cuts < CUTS && counted < COUNTED {
            probe.tick()?;
            cuts += 1;
            let Some(pieces) = one_cut(&board, &order, pieces, &mut rng) else { continue };
            let level = Level { rotate: order.rotate, mirror: order.mirror, ..Level::new(board.clone(), pieces) };
            counted += 1;
            let mut part = probe.part(NODES);
            let graded = solver::graded(&level, &mut part);
            probe.absorb(&part);
            match graded {
                Ok(Some((line, grade, tally))) if !order.unique || (tally.found == 1 && tally.all) => {
                    return made(level, line, Some(grade), &order, cuts, probe);
                }
                Err(Stop::Nodes) if !order.unique => {
                    let line = as_drawn(&level);
                    return made(level, line, None, &order, cuts, probe);
                }
                Ok(_) | Err(Stop::Nodes) => (),
                Err(stop) => return Err(stop.into()),
            }
        }
        Err(NotMade::Refused(if counted == 0 {
            format!("no cut among {cuts} met the sizes asked for: try the balanced cut, or wider bounds")
        } else {
            format!("none of {counted} cuts has exactly one solution: try fewer pieces, a larger board, or no rotation")
        }))
    }
}

/// One candidate; nothing if its sizes are not as ordered.
fn one_cut(
    board: &Grid<bool>,
    order: &Order,
    (few, many): (usize, usize),
    rng: &mut ChaCha8Rng,
) -> Option<Vec<Vec<Tri>>> {
    let faces = cut::Faces::new(board);
    let count = rng.random_range(few..=many);
    let total = faces.triangles.len();
    let (least, most) = order.sizes;
    let pieces = if order.seeds_way {
        let sizes = cut::seed_sizes(total, count, rng);
        cut::seed_pieces(&faces, &sizes)
    } else {
        cut::balanced(&faces, count, balanced_bounds(total, count, order.sizes), rng)?
    };
    let good = pieces.len() == count && pieces.iter().all(|p| (least..=most).contains(&p.len()));
    good.then_some(pieces)
}

/// Sizes from about half to one and a half times the mean, within what is asked.
pub(super) fn balanced_bounds(total: usize, count: usize, (least, most): (usize, usize)) -> (usize, usize) {
    let low = (total * 11 / (count * 20)).max(least).min(total / count);
    let high = (total * 8 / (count * 5)).min(most).max(total.div_ceil(count));
    (low, high)
}

/// The line that puts every piece where it was cut.
pub(super) fn as_drawn(level: &Level) -> Vec<Move> {
    let corner = |p: &super::Piece| {
        let x = p.triangles.iter().map(|t| t.cell.x).min().unwrap_or(0);
        let y = p.triangles.iter().map(|t| t.cell.y).min().unwrap_or(0);
        cell(x, y)
    };
    let place = |(piece, p): (usize, &super::Piece)| Move::Place {
        piece,
        placing: Placing { sym: Sym::IDENTITY, at: corner(p) },
    };
    level.pieces().iter().enumerate().map(place).collect()
}

fn made(
    level: Level,
    line: Vec<Move>,
    grade: Option<Grade>,
    order: &Order,
    cuts: u32,
    probe: &mut Probe,
) -> Result<Made<Shards>, NotMade> {
    let sizes: Vec<usize> = level.pieces().iter().map(|p| p.triangles.len()).collect();
    let mut measured = BTreeMap::new();
    let mut put = |name: &str, value: f64| {
        measured.insert(name.to_string(), value);
    };
    put("cost", line.len() as f64);
    put("optimal", 1.0);
    put("pieces", sizes.len() as f64);
    put("smallest", sizes.iter().min().copied().unwrap_or(0) as f64);
    put("largest", sizes.iter().max().copied().unwrap_or(0) as f64);
    put("cuts", f64::from(cuts));
    if let Some(g) = grade {
        put("nodes", g.nodes as f64);
        put("forced", g.forced as f64);
        put("branching", g.branching);
        put("dead_ends", g.dead_ends as f64);
        put("bits", g.bits);
    }
    if order.unique {
        put("solutions", 1.0);
        put("all_found", 1.0);
    } else {
        let mut part = probe.part(NODES);
        let count = super::packing::Packing::new(&level, &rules::in_tray(&level))
            .map(|p| p.count(SOLUTIONS, &mut part, &mut |_| true));
        probe.absorb(&part);
        if let Some(count) = count {
            match count.stopped {
                Some(stop) if stop != Stop::Nodes => return Err(stop.into()),
                _ => (),
            }
            // The cut itself is a solution, whether or not the search came that far.
            put("solutions", count.tally.found.max(1) as f64);
            put("all_found", f64::from(u8::from(count.tally.all)));
        }
    }
    Ok(Made { level, line, measured })
}
