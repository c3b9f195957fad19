//! Why a board cannot be filled: counting, pieces that do not fit, cells that cannot be covered.
//!
//! Filling the board is made of duties: every triangle is to be covered, every piece is to be placed. **What can only help: a duty is dropped**, so a triangle may
//! stay bare and a piece may stay in the tray. A cell asks for its own triangles only; some pieces ask for a place only. Pieces can always be
//! lifted, so the position makes no difference.
//!
//! **Counting.** Colour the triangles in two colours, the same for every placing of a piece up to exchanging them. A piece has `d` more triangles of one
//! colour than of the other, and contributes `+d` or `-d` however it is placed; the signs must add up to the board's own difference. The
//! colourings are: cells black and white as on a chessboard (a shift by one cell exchanges them), for all triangles or for one kind of them where
//! pieces cannot turn it into another; and, where pieces can be rotated, left and right triangles against top and bottom ones (a quarter turn exchanges them). Where
//! pieces cannot be rotated, a kind of triangle stays a kind, and each must be there as often as the board has it.

use super::{
    Level, Shards, State,
    level::count,
    rules,
    triangle::{Tri, triangles_of},
};
use crate::{
    game::{Easier, Found, Part, Reason, Reasons, capital, list},
    grid::Spot,
    job::{Probe, Stop},
    search::space::{Space, solvable},
};
use std::{collections::BTreeSet, sync::Arc};

pub(super) fn reasons() -> Reasons<Shards> {
    Reasons { find, parts, without, tell, keeps, unplayable: |_| None }
}

// ------------------------------------------------------------------------------------------------------------------------ duties

type Mask = Vec<u64>;

fn set(mask: &mut Mask, i: usize) {
    mask[i / 64] |= 1 << (i % 64);
}

fn has(mask: &Mask, i: usize) -> bool {
    mask[i / 64] >> (i % 64) & 1 == 1
}

fn meet(a: &Mask, b: &Mask) -> bool {
    a.iter().zip(b).any(|(a, b)| a & b != 0)
}

/// All placings of all pieces, each with the triangles it covers.
struct Placings {
    words: usize,
    /// For each piece, what each of its placings covers.
    of: Vec<Vec<Mask>>,
}

impl Placings {
    fn new(level: &Level) -> Placings {
        let (size, empty) = (level.board().size(), rules::in_tray(level));
        let words = (size.area() * 4).div_ceil(64);
        let masked = |piece: usize, placing| {
            let mut mask = vec![0; words];
            rules::covered(level, piece, placing).iter().for_each(|t| set(&mut mask, t.index(size)));
            mask
        };
        let all = |p: usize| rules::placings(level, &empty, p).into_iter().map(|at| masked(p, at)).collect();
        Placings { words, of: (0..level.pieces().len()).map(all).collect() }
    }
}

/// Some duties. A position holds for each piece 0 (in the tray) or the number of its placing from 1.
struct Duties {
    placings: Arc<Placings>,
    /// The triangles that are to be covered.
    triangles: Vec<usize>,
    /// The pieces that are to be placed.
    pieces: Vec<usize>,
}

impl Duties {
    fn covered(&self, at: &[u32]) -> Mask {
        let mut mask = vec![0; self.placings.words];
        for (piece, placing) in at.iter().enumerate().filter(|(_, n)| **n > 0) {
            mask.iter_mut().zip(&self.placings.of[piece][*placing as usize - 1]).for_each(|(m, p)| *m |= p);
        }
        mask
    }
}

impl Space for Duties {
    fn start(&self) -> Vec<u32> {
        vec![0; self.placings.of.len()]
    }

    fn won(&self, at: &[u32]) -> bool {
        let covered = self.covered(at);
        self.triangles.iter().all(|t| has(&covered, *t)) && self.pieces.iter().all(|p| at[*p] > 0)
    }

    /// One duty after the other, the one with the fewest ways first: any way to meet all duties meets this one in one of these ways.
    fn next(&self, at: &[u32], to: &mut dyn FnMut(&[u32])) {
        let covered = self.covered(at);
        let mut ways: Vec<(usize, u32)> = Vec::new();
        let mut by_triangle: Vec<u32> = vec![0; self.placings.words * 64];
        let mut by_piece = vec![0u32; at.len()];
        for (piece, all) in self.placings.of.iter().enumerate().filter(|(piece, _)| at[*piece] == 0) {
            for (n, mask) in all.iter().enumerate().filter(|(_, mask)| !meet(mask, &covered)) {
                ways.push((piece, n as u32 + 1));
                by_piece[piece] += 1;
                for t in self.triangles.iter().filter(|t| has(mask, **t)) {
                    by_triangle[*t] += 1;
                }
            }
        }
        let triangle = self.triangles.iter().filter(|t| !has(&covered, **t)).min_by_key(|t| by_triangle[**t]);
        let piece = self.pieces.iter().filter(|p| at[**p] == 0).min_by_key(|p| by_piece[**p]);
        let by_piece_first = match (triangle, piece) {
            (Some(t), Some(p)) => by_piece[*p] < by_triangle[*t],
            (triangle, _) => triangle.is_none(),
        };
        let mut next = at.to_vec();
        for (p, n) in ways {
            let serves = match (by_piece_first, triangle, piece) {
                (true, _, Some(duty)) => p == *duty,
                (false, Some(t), _) => has(&self.placings.of[p][n as usize - 1], *t),
                _ => false,
            };
            if serves {
                next[p] = n;
                to(&next);
                next[p] = 0;
            }
        }
    }
}

fn duties(placings: &Arc<Placings>, triangles: Vec<usize>, pieces: Vec<usize>) -> Easier<Shards> {
    Easier::Space(Box::new(Duties { placings: placings.clone(), triangles, pieces }))
}

// ---------------------------------------------------------------------------------------------------------------------- counting

/// Whether signs can be put before these numbers so that they add up to a sum.
fn signs_reach(differences: &[i64], sum: i64) -> bool {
    let mut sums = BTreeSet::from([0i64]);
    for d in differences {
        sums = sums.iter().flat_map(|s| [s + d, s - d]).collect();
    }
    sums.contains(&sum)
}

const KIND: [&str; 4] = ["left", "top", "right", "bottom"];

fn difference<'a>(triangles: impl Iterator<Item = &'a Tri>, light: impl Fn(&Tri) -> Option<bool>) -> i64 {
    triangles.filter_map(light).map(|light| if light { 1 } else { -1 }).sum()
}

/// What counting says. The level can be played, so the areas agree.
fn counted(level: &Level) -> Option<Reason> {
    let board: Vec<Tri> = level.triangles().collect();
    let pieces = || level.pieces().iter().map(|p| &p.triangles);
    let cells = board.len() / 4;
    if !level.rotate {
        for (k, kind) in KIND.iter().enumerate() {
            // Flipping a piece exchanges its left and right triangles.
            if level.mirror && k % 2 == 0 {
                continue;
            }
            let have = pieces().flatten().filter(|t| usize::from(t.k) == k).count();
            if have != cells {
                let needed = if cells == 1 { "1 triangle is".into() } else { format!("{cells} triangles are") };
                let text = format!("{needed} needed on the {kind} side of their cells, and the pieces have {have}.");
                let spots = board.iter().filter(|t| usize::from(t.k) == k).map(|t| t.spot());
                return Some(Reason::new("count", text, spots, "the number of triangles of each kind"));
            }
        }
    }
    let chess = |t: &Tri| (t.cell.x + t.cell.y) % 2 == 0;
    let impossible = |light: &dyn Fn(&Tri) -> Option<bool>| {
        let own: Vec<i64> = pieces().map(|p| difference(p.iter(), light)).collect();
        !signs_reach(&own, difference(board.iter(), light))
    };
    let colours = "Colour the cells black and white as on a chessboard:";
    let keeps = "how many triangles of each colour the pieces can have";
    if level.rotate && impossible(&|t| Some(t.k % 2 == 0)) {
        let text = "Turn the pieces as you like: they never have as many left and right triangles as top and bottom ones, which the board needs.";
        return Some(Reason::new("colouring", text, [] as [Spot; 0], keeps));
    }
    if impossible(&|t| Some(chess(t))) {
        let text =
            format!("{colours} however the pieces lie, they never have as many triangles of each colour as the board.");
        return Some(Reason::new("colouring", text, board.iter().filter(|t| chess(t)).map(|t| t.spot()), keeps));
    }
    if !level.rotate {
        for (k, kind) in KIND.iter().enumerate().filter(|(k, _)| !level.mirror || k % 2 == 1) {
            if impossible(&|t| (usize::from(t.k) == k).then(|| chess(t))) {
                let text = format!(
                    "{colours} however the pieces lie, their {kind} triangles never have the colours that the board's have."
                );
                let spots = board.iter().filter(|t| usize::from(t.k) == k && chess(t)).map(|t| t.spot());
                return Some(Reason::new("colouring", text, spots, keeps));
            }
        }
    }
    None
}

// -------------------------------------------------------------------------------------------------------------------- the questions

/// Where a piece lies in the draft, if it does.
fn laid(level: &Level, piece: usize) -> Vec<Spot> {
    let piece = &level.pieces()[piece];
    piece.triangles.iter().filter(|t| piece.laid && level.has(**t)).map(|t| t.spot()).collect()
}

fn names(level: &Level, pieces: &[usize]) -> String {
    list(&pieces.iter().map(|p| level.seen(*p)).collect::<Vec<_>>())
}

fn find(level: &Level, _: &State, _: usize, probe: &mut Probe) -> Result<Option<Found<Shards>>, Stop> {
    if let Some(reason) = counted(level) {
        return Ok(Some(Found::new(reason, Vec::new())));
    }
    let size = level.board().size();
    let placings = Arc::new(Placings::new(level));
    let misfits: Vec<usize> = (0..level.pieces().len()).filter(|p| placings.of[*p].is_empty()).collect();
    if !misfits.is_empty() {
        let fit = if misfits.len() == 1 { "fits" } else { "fit" };
        let text = format!("{} {fit} nowhere on the board.", capital(&names(level, &misfits)));
        let spots = misfits.iter().flat_map(|p| laid(level, *p));
        let reason = Reason::new("piece", text, spots, "one piece alone");
        let rests_on = misfits.iter().map(|p| duties(&placings, Vec::new(), vec![*p])).collect();
        return Ok(Some(Found::new(reason, rests_on)));
    }
    for (at, _) in level.board().iter().filter(|(_, there)| **there) {
        let whole: Vec<usize> = triangles_of(at).iter().map(|t| t.index(size)).collect();
        let space = Duties { placings: placings.clone(), triangles: whole.clone(), pieces: Vec::new() };
        let Some(false) = probe.turn(CELL, |p| solvable(&space, p))? else { continue };
        // Less than the whole cell, if that is enough.
        let mut least = whole;
        let mut i = 0;
        while i < least.len() {
            let mut fewer = least.clone();
            fewer.remove(i);
            let space = Duties { placings: placings.clone(), triangles: fewer.clone(), pieces: Vec::new() };
            match probe.turn(CELL, |p| solvable(&space, p))? {
                Some(false) => least = fewer,
                _ => i += 1,
            }
        }
        let spots: Vec<Spot> = least.iter().map(|t| Tri::from_index(*t, size.w.into()).spot()).collect();
        let text = match least.len() {
            1 => format!("No piece can cover this triangle of {}.", at.name()),
            4 => format!("The pieces cannot cover the cell {}.", at.name()),
            n => format!("The pieces cannot cover these {n} triangles of {} at once.", at.name()),
        };
        let reason = Reason::new("cell", text, spots, "these triangles, any pieces");
        return Ok(Some(Found::new(reason, vec![duties(&placings, least, Vec::new())])));
    }
    Ok(None)
}

/// Nodes for one cell.
const CELL: u64 = 20_000;

/// The pieces. Placing all of them covers the board, so the duty to cover triangles is left out of these questions altogether.
fn parts(level: &Level, _: &State) -> Vec<Part> {
    (0..level.pieces().len()).map(|p| Part { group: 0, spots: laid(level, p) }).collect()
}

fn kept(left_out: &[bool]) -> Vec<usize> {
    (0..left_out.len()).filter(|p| !left_out[*p]).collect()
}

fn without(level: &Level, _: &State, left_out: &[bool]) -> Option<Easier<Shards>> {
    Some(duties(&Arc::new(Placings::new(level)), Vec::new(), kept(left_out)))
}

fn keeps(level: &Level, _: &State, left_out: &[bool]) -> String {
    match kept(left_out).len() {
        n if n == level.pieces().len() => "all pieces".into(),
        n => format!("{} to place, the others may stay in the tray", count(n, "piece")),
    }
}

fn tell(level: &Level, state: &State, left_out: &[bool]) -> Option<Reason> {
    let pieces = kept(left_out);
    let text = match pieces.as_slice() {
        [_] => format!("{} fits nowhere on the board.", capital(&names(level, &pieces))),
        [_, _] => format!("{} cannot both lie on the board.", capital(&names(level, &pieces))),
        [_, _, _] => format!("{} cannot all lie on the board.", capital(&names(level, &pieces))),
        _ => return None,
    };
    let spots: Vec<Spot> = pieces.iter().flat_map(|p| laid(level, *p)).collect();
    let kind = if pieces.len() == 1 { "piece" } else { "pieces" };
    Some(Reason::new(kind, text, spots, keeps(level, state, left_out)))
}
