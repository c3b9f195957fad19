//! How large the search is that a level asks of a person, by the level alone and not by what our solver needs.
//!
//! The search meant looks at the triangle, or kind of piece, that has the fewest ways left and tries them in turn. The number of its positions is estimated as Knuth did
//! (1975): walk down at random and multiply the numbers of ways on the path; the sums of these products have the size of the tree as their
//! mean, and the products at full boards the number of solutions. With `t` positions and `s` solutions in any order, the first solution is met after
//! about `t / (1 + s)`.

use super::{Level, rules};
use crate::{
    game::rng,
    job::{Probe, Stop},
};
use rand::RngExt as _;

/// Random walks from the empty board.
const WALKS: usize = 256;
/// Triangles of all placings together; a board with more is not estimated.
const LARGEST: usize = 1 << 20;

/// A placing of one of several equal pieces: the triangles it covers.
struct Placed {
    kind: usize,
    covers: Vec<u32>,
}

/// Positions that a person has to look at until the first solution. Boards that are too large for an estimate count as one position.
pub(super) fn positions(level: &Level, probe: &mut Probe) -> Result<f64, Stop> {
    let (placings, copies) = placings(level, probe)?;
    if placings.iter().map(|p| p.covers.len()).sum::<usize>() > LARGEST {
        return Ok(1.0);
    }
    let area = level.area();
    let mut rng = rng(0);
    let (mut positions, mut solutions) = (0.0, 0.0);
    for _ in 0..WALKS {
        let mut left = copies.clone();
        let mut open = vec![true; level.board().size().area() * 4];
        let mut still_open = area;
        let mut fits: Vec<&Placed> = placings.iter().collect();
        let mut paths = 1.0;
        while still_open > 0 {
            positions += paths;
            let mut ways = vec![0u32; open.len() + left.len()];
            for placed in &fits {
                probe.step()?;
                placed.covers.iter().for_each(|t| ways[*t as usize] += 1);
                ways[open.len() + placed.kind] += 1;
            }
            let of_triangle = level.triangles().map(|t| t.index(level.board().size())).filter(|t| open[*t]);
            let of_kind = (0..left.len()).filter(|k| left[*k] > 0).map(|k| open.len() + k);
            let Some(item) = of_triangle.chain(of_kind).min_by_key(|item| ways[*item]) else { break };
            if ways[item] == 0 {
                break;
            }
            let here = |p: &&Placed| p.covers.contains(&(item as u32)) || item == open.len() + p.kind;
            let pick = rng.random_range(0..ways[item] as usize);
            let Some(placed) = fits.iter().copied().filter(here).nth(pick) else { break };
            paths *= f64::from(ways[item]);
            left[placed.kind] -= 1;
            placed.covers.iter().for_each(|t| open[*t as usize] = false);
            still_open -= placed.covers.len();
            fits.retain(|p| left[p.kind] > 0 && p.covers.iter().all(|t| open[*t as usize]));
        }
        if still_open == 0 {
            solutions += paths;
        }
    }
    let walks = WALKS as f64;
    Ok(positions / walks / (1.0 + solutions / walks))
}

/// All placings on the empty board, and how many copies there are of each kind of piece.
fn placings(level: &Level, probe: &mut Probe) -> Result<(Vec<Placed>, Vec<usize>), Stop> {
    let size = level.board().size();
    let empty = rules::in_tray(level);
    let mut kinds: Vec<(Vec<_>, usize)> = Vec::new();
    let mut placings = Vec::new();
    for piece in 0..level.pieces().len() {
        probe.check()?;
        let mut forms: Vec<_> = rules::forms(level, piece).into_iter().map(|(_, form)| form).collect();
        forms.sort();
        if let Some((_, copies)) = kinds.iter_mut().find(|(f, _)| *f == forms) {
            *copies += 1;
            continue;
        }
        let kind = kinds.len();
        kinds.push((forms, 1));
        for placing in rules::placings(level, &empty, piece) {
            let covers = rules::covered(level, piece, placing).iter().map(|t| t.index(size) as u32).collect();
            placings.push(Placed { kind, covers });
        }
        if placings.len() > LARGEST {
            break;
        }
    }
    Ok((placings, kinds.into_iter().map(|(_, copies)| copies).collect()))
}
