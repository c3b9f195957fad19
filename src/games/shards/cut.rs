//! Cutting an outline into pieces: the seed's stages as they stand, and a balanced way.
//!
//! **The seed's**: random sizes, each up to a third of what is left; a piece grows breadth first from the lowest unused triangle; triangles left
//! over join the first piece they touch. It makes crumbs and giants, which is its character.
//!
//! **Balanced**: all pieces grow at once, the smallest first, each by a random triangle at its rim (rather one that already touches it
//! twice, so that pieces stay stout); then triangles at rims change hands, never splitting their giver, until every size is
//! within bounds.

use super::triangle::{Tri, parts};
use crate::grid::Grid;
use rand::{RngExt as _, rngs::ChaCha8Rng, seq::IndexedRandom as _};

/// The triangles of an outline by number, with who touches whom.
pub(super) struct Faces {
    pub(super) triangles: Vec<Tri>,
    touching: Vec<Vec<usize>>,
}

impl Faces {
    /// Stages 1 and 2: the grid and its neighbours.
    pub(super) fn new(board: &Grid<bool>) -> Faces {
        let size = board.size();
        let there = |t: &Tri| board.get(t.cell) == Some(&true);
        let all = (0..size.area() * 4).map(|i| Tri::from_index(i, size.w as usize));
        let triangles: Vec<Tri> = all.filter(|t| there(t)).collect();
        let mut number = vec![0; size.area() * 4];
        triangles.iter().enumerate().for_each(|(i, t)| number[t.index(size)] = i);
        // In its own cell first and upwards, as the seed lists them; then across the edge.
        let near = |t: &Tri| {
            let [a, b, across] = t.neighbours();
            let own = [a.min(b), a.max(b), across];
            own.into_iter().filter(there).map(|n| number[n.index(size)]).collect()
        };
        let touching = triangles.iter().map(near).collect();
        Faces { triangles, touching }
    }

    fn pieces(&self, owner: &[usize], count: usize) -> Vec<Vec<Tri>> {
        let mut pieces = vec![Vec::new(); count];
        owner.iter().zip(&self.triangles).for_each(|(p, t)| pieces[*p].push(*t));
        pieces
    }
}

const NOBODY: usize = usize::MAX;

/// Stage 3: so many sizes that add up to the number of faces.
pub(super) fn seed_sizes(faces: usize, pieces: usize, rng: &mut ChaCha8Rng) -> Vec<usize> {
    let mut left = faces.saturating_sub(pieces);
    let mut sizes = Vec::with_capacity(pieces);
    for _ in 1..pieces {
        let extra = rng.random_range(0..=left / 3);
        sizes.push(extra + 1);
        left -= extra;
    }
    sizes.push(left + 1);
    sizes
}

/// Stages 4 and 5: pieces of (at most) these sizes by breadth-first search, and the rest joined to them.
pub(super) fn seed_pieces(faces: &Faces, sizes: &[usize]) -> Vec<Vec<Tri>> {
    let mut owner = vec![NOBODY; faces.triangles.len()];
    let mut count = 0;
    for &size in sizes {
        let Some(start) = owner.iter().position(|o| *o == NOBODY) else { break };
        let mut queue = vec![start];
        let mut next = 0;
        while next < queue.len() && next < size {
            let face = queue[next];
            next += 1;
            owner[face] = count;
            for &n in &faces.touching[face] {
                if owner[n] == NOBODY && !queue.contains(&n) {
                    queue.push(n);
                }
            }
        }
        count += 1;
    }
    while let Some(first) = owner.iter().position(|o| *o == NOBODY) {
        let touched = |f: usize| faces.touching[f].iter().map(|n| owner[*n]).filter(|o| *o != NOBODY).min();
        let joined = (first..owner.len()).filter(|f| owner[*f] == NOBODY).find_map(|f| Some((f, touched(f)?)));
        // A part of the outline that no piece reached becomes one.
        let (face, piece) = joined.unwrap_or((first, count));
        count = count.max(piece + 1);
        let mut stack = vec![face];
        while let Some(f) = stack.pop() {
            owner[f] = piece;
            stack.extend(faces.touching[f].iter().filter(|n| owner[**n] == NOBODY));
        }
    }
    faces.pieces(&owner, count)
}

/// So many pieces of sizes within bounds, or nothing if chance was unkind.
pub(super) fn balanced(
    faces: &Faces,
    pieces: usize,
    (least, most): (usize, usize),
    rng: &mut ChaCha8Rng,
) -> Option<Vec<Vec<Tri>>> {
    let total = faces.triangles.len();
    if pieces == 0 || pieces > total {
        return None;
    }
    let mut owner = vec![NOBODY; total];
    let mut sizes = vec![1; pieces];
    for (p, start) in rand::seq::index::sample(rng, total, pieces).into_iter().enumerate() {
        owner[start] = p;
    }
    let mut free = total - pieces;
    let mut stuck = vec![false; pieces];
    while free > 0 {
        // A part of the outline without a piece would be left over.
        let smallest = (0..pieces).filter(|p| !stuck[*p]).min_by_key(|p| sizes[*p] * 4 + rng.random_range(0..8))?;
        match rim(faces, &owner, smallest, rng, |o| o == NOBODY) {
            Some(face) => {
                owner[face] = smallest;
                sizes[smallest] += 1;
                free -= 1;
            }
            None => stuck[smallest] = true,
        }
    }
    even_out(faces, &mut owner, &mut sizes, (least, most), rng).then(|| {
        let mut cut = faces.pieces(&owner, pieces);
        let first = |p: &Vec<Tri>| p.iter().map(|t| (t.cell.y, t.cell.x, t.k)).min();
        cut.sort_by_key(first);
        cut
    })
}

/// A random triangle at the rim of a piece whose owner is as asked; rather one that touches it twice.
fn rim(
    faces: &Faces,
    owner: &[usize],
    piece: usize,
    rng: &mut ChaCha8Rng,
    wanted: impl Fn(usize) -> bool,
) -> Option<usize> {
    let touches = |f: usize| faces.touching[f].iter().filter(|n| owner[**n] == piece).count();
    let near: Vec<usize> = (0..owner.len()).filter(|f| wanted(owner[*f]) && touches(*f) > 0).collect();
    near.choose_weighted(rng, |f| 3 * touches(*f) - 2).ok().copied()
}

fn even_out(
    faces: &Faces,
    owner: &mut [usize],
    sizes: &mut [usize],
    (least, most): (usize, usize),
    rng: &mut ChaCha8Rng,
) -> bool {
    for _ in 0..faces.triangles.len() * 4 {
        let small = (0..sizes.len()).min_by_key(|p| sizes[*p]).unwrap_or(0);
        let large = (0..sizes.len()).max_by_key(|p| sizes[*p]).unwrap_or(0);
        if sizes[small] >= least && sizes[large] <= most {
            return true;
        }
        let change = if sizes[small] < least {
            rim(faces, owner, small, rng, |o| o != small && sizes[o] > least).map(|f| (f, small))
        } else {
            // The largest gives to whomever it touches that has room.
            let takers: Vec<(usize, usize)> = (0..owner.len())
                .filter(|f| owner[*f] == large)
                .flat_map(|f| faces.touching[f].iter().map(move |n| (f, *n)))
                .map(|(f, n)| (f, owner[n]))
                .filter(|(_, taker)| *taker != large && sizes[*taker] < most)
                .collect();
            takers.choose(rng).copied()
        };
        if let Some((face, taker)) = change {
            let giver = owner[face];
            owner[face] = taker;
            let rest: Vec<Tri> = (0..owner.len()).filter(|f| owner[*f] == giver).map(|f| faces.triangles[f]).collect();
            if parts(&rest).len() == 1 {
                sizes[giver] -= 1;
                sizes[taker] += 1;
            } else {
                owner[face] = giver;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game::rng, grid::Size};

    fn connected_cut(cut: &[Vec<Tri>], total: usize) {
        assert_eq!(cut.iter().map(Vec::len).sum::<usize>(), total);
        assert!(cut.iter().all(|p| parts(p).len() == 1));
        let mut all: Vec<_> = cut.iter().flatten().collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), total);
    }

    #[test]
    fn sizes_add_up_and_none_is_empty() {
        let mut rng = rng(1);
        for pieces in 1..=20 {
            let sizes = seed_sizes(64, pieces, &mut rng);
            assert_eq!(sizes.len(), pieces);
            assert_eq!(sizes.iter().sum::<usize>(), 64);
            assert!(sizes.iter().all(|s| *s > 0));
        }
    }

    #[test]
    fn both_ways_cut_everything_into_connected_pieces() {
        let board = Grid::from_fn(Size::new(5, 4), |c| c.x != 2 || c.y == 1);
        let faces = Faces::new(&board);
        let mut rng = rng(2);
        for pieces in 1..=12 {
            let sizes = seed_sizes(faces.triangles.len(), pieces, &mut rng);
            connected_cut(&seed_pieces(&faces, &sizes), faces.triangles.len());
            if let Some(cut) = balanced(&faces, pieces, (1, 68), &mut rng) {
                connected_cut(&cut, faces.triangles.len());
                assert_eq!(cut.len(), pieces);
            }
        }
    }

    #[test]
    fn balanced_sizes_keep_their_bounds() {
        let faces = Faces::new(&Grid::filled(Size::new(6, 6), true));
        let mut rng = rng(3);
        let cuts: Vec<_> = (0..50).filter_map(|_| balanced(&faces, 12, (9, 15), &mut rng)).collect();
        // Bounds this tight are not always met; the caller tries again.
        assert!(!cuts.is_empty());
        assert!(cuts.iter().flatten().all(|p| (9..=15).contains(&p.len())));
    }
}
