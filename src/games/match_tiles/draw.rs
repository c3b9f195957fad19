//! Drawing drags: which sets of tiles a drag of a tile can remove, and a path that removes exactly such a set.
//!
//! A drag of tile d removes a set S of its matches exactly when every tile of S can be come to from d through cells that hold no match
//! outside S. So the sets grow one tile at a time, each added tile next to what the smaller set can reach; a walk that visits the
//! tiles in that order draws the drag.

use super::board::{Board, Mask, bit, bits, cells, first, king, straight};
use crate::grid::Cell;
use rustc_hash::FxHashSet;

/// The sets that a drag of a tile can remove (the tile itself not counted), those with the fewest tiles first. Where there are more than
/// `limit`, the last one listed is the largest of all: everything that matches.
pub(super) fn sets(board: &Board, alive: Mask, tile: Mask, limit: usize) -> Vec<Mask> {
    let matches = board.matches(alive, tile);
    let mut listed = Vec::new();
    let mut seen = FxHashSet::default();
    let mut next = 0;
    let mut set = 0;
    loop {
        for add in bits(next_to(board, tile, matches, set)) {
            if seen.insert(set | add) {
                listed.push(set | add);
                if listed.len() > limit {
                    listed.truncate(limit);
                    if let Some(last) = listed.last_mut() {
                        *last = matches;
                    }
                    return listed;
                }
            }
        }
        let Some(&larger) = listed.get(next) else { return listed };
        next += 1;
        set = larger;
    }
}

/// The matches a drag can come to next when it has removed `set`.
fn next_to(board: &Board, tile: Mask, matches: Mask, set: Mask) -> Mask {
    let left = matches & !set;
    let inside = board.reach(tile, board.all & !left);
    let outside = if inside & board.rim != 0 { board.rim } else { 0 };
    (board.spread(inside) | outside) & left
}

/// The matches that a drag can remove alone.
pub(super) fn singles(board: &Board, alive: Mask, tile: Mask) -> Mask {
    next_to(board, tile, board.matches(alive, tile), 0)
}

/// A path that removes exactly this set, always going on to the nearest tile of it; `None` if no drag of the tile removes exactly it. The
/// pointer leaves the board only where there is no other way.
pub(super) fn path(board: &Board, alive: Mask, tile: Mask, set: Mask) -> Option<Vec<Cell>> {
    let open = board.all & !(board.matches(alive, tile) & !set);
    let mut path = vec![first(tile)];
    let mut left = set;
    while left != 0 {
        let from = *path.last()?;
        path.extend(walk(board, bit(from), left, open)?);
        left &= !bit(*path.last()?);
    }
    Some(path)
}

/// The shortest walk from a cell to the nearest cell of a set, through open cells; the first cell left out.
fn walk(board: &Board, from: Mask, to: Mask, open: Mask) -> Option<Vec<Cell>> {
    // Rings of cells by distance. When no cell is new, the walk goes on from all the rim, once: by the outside.
    let mut rings = vec![from];
    let mut seen = from;
    let mut outside = None;
    let hit = loop {
        let ring = rings[rings.len() - 1];
        if ring & to != 0 {
            break ring & to;
        }
        let mut next = board.spread(ring) & open & !seen;
        if next == 0 && outside.is_none() && seen & board.rim != 0 {
            outside = Some(rings.len());
            next = board.rim & open & !seen;
        }
        if next == 0 {
            return None;
        }
        seen |= next;
        rings.push(next);
    };
    let mut back = vec![first(hit)];
    let mut i = rings.len() - 1;
    while i > 0 {
        let here = bit(*back.last()?);
        let before = if outside == Some(i) {
            // The pointer left the board at the first cell of the rim that it could.
            i = rings.iter().position(|r| r & board.rim != 0)?;
            rings[i] & board.rim
        } else {
            i -= 1;
            board.spread(here) & rings[i]
        };
        // The first ring is the start itself, which is left out.
        if i > 0 {
            back.push(straightest(before, &back));
        }
    }
    back.reverse();
    Some(back)
}

/// Of the cells to come from, the one that keeps the line straight, if there is one.
fn straightest(choice: Mask, back: &[Cell]) -> Cell {
    if let [.., b, a] = back {
        let on = Cell { x: 2 * a.x - b.x, y: 2 * a.y - b.y };
        if (0..8).contains(&on.x) && (0..8).contains(&on.y) && choice & bit(on) != 0 {
            return on;
        }
    }
    first(choice)
}

/// A path over everything that matches a tile: short, though not always the shortest. Nothing can be in its way.
pub(super) fn sweep(board: &Board, alive: Mask, tile: Mask) -> Vec<Cell> {
    let start = first(tile);
    let mut order = vec![start];
    let mut left: Vec<Cell> = cells(board.matches(alive, tile)).collect();
    while let Some(i) = (0..left.len()).min_by_key(|i| king(order[order.len() - 1], left[*i])) {
        order.push(left.swap_remove(i));
    }
    shorten(&mut order);
    // Tiles passed on the way to others need no visit of their own.
    let mut path = vec![start];
    let mut done = 0;
    for to in order.into_iter().skip(1) {
        if done & bit(to) == 0 {
            let from = path[path.len() - 1];
            path.extend(straight(from, to));
            done = path.iter().fold(0, |m, c| m | bit(*c));
        }
    }
    path
}

/// Turns parts of a tour around as long as that makes it shorter (2-opt on an open path with a fixed beginning).
fn shorten(order: &mut [Cell]) {
    let gap = |order: &[Cell], i: usize| order.get(i + 1).map_or(0, |b| i32::from(king(order[i], *b)));
    loop {
        let mut better = false;
        for i in 0..order.len().saturating_sub(2) {
            for j in i + 2..order.len() {
                let now = gap(order, i) + gap(order, j);
                let then = i32::from(king(order[i], order[j]))
                    + order.get(j + 1).map_or(0, |b| i32::from(king(order[i + 1], *b)));
                if then < now {
                    order[i + 1..=j].reverse();
                    better = true;
                }
            }
        }
        if !better {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::rng,
        games::match_tiles::{
            level::{Level, Tile},
            rules,
        },
        grid::Size,
    };
    use rand::RngExt as _;

    fn random_board(rng: &mut impl rand::Rng, kinds: usize) -> Board {
        let size = Size::new(rng.random_range(2..=6), rng.random_range(2..=6));
        let level = Level::from_fn(size, |_| {
            let kind = rng.random_range(0..kinds + 6);
            (kind < kinds).then(|| Tile::of_kind(kind))
        });
        Board::of(&level).unwrap()
    }

    #[test]
    fn a_path_is_found_for_exactly_the_sets_that_can_be_drawn() {
        let mut rng = rng(1);
        for _ in 0..400 {
            let b = random_board(&mut rng, 12);
            for tile in bits(b.tiles) {
                let matches = b.matches(b.tiles, tile);
                if matches.count_ones() > 9 {
                    continue;
                }
                let listed = sets(&b, b.tiles, tile, 1 << 9);
                // All subsets of the matches, by counting through the mask.
                let mut set = matches;
                while set != 0 {
                    let path = path(&b, b.tiles, tile, set);
                    assert_eq!(path.is_some(), listed.contains(&set));
                    if let Some(path) = path {
                        assert_eq!(path[0], first(tile));
                        assert!(path.windows(2).all(|w| rules::joined(&b, w[0], w[1])));
                        assert_eq!(rules::passed(&b, b.tiles, &path), set);
                    }
                    set = (set - 1) & matches;
                }
            }
        }
    }

    #[test]
    fn a_sweep_takes_everything_that_matches() {
        let mut rng = rng(2);
        for _ in 0..200 {
            let b = random_board(&mut rng, 25);
            for tile in bits(b.tiles) {
                let path = sweep(&b, b.tiles, tile);
                assert!(path.windows(2).all(|w| king(w[0], w[1]) == 1));
                assert_eq!(rules::passed(&b, b.tiles, &path), b.matches(b.tiles, tile));
            }
        }
    }

    #[test]
    fn a_ring_of_matches_is_crossed_or_not_at_all() {
        // The middle of a full board of one kind: any set without a neighbour of it is out of reach.
        let b = Board::of(&Level::from_fn(Size::new(5, 5), |_| Some(Tile::of_kind(0)))).unwrap();
        let middle = bit(Cell { x: 2, y: 2 });
        let ring = b.spread(middle) & !middle;
        assert!(path(&b, b.tiles, middle, b.tiles & !ring & !middle).is_none());
        assert!(path(&b, b.tiles, middle, bit(Cell { x: 0, y: 0 })).is_none());
        let some = sets(&b, b.tiles, middle, 100);
        assert_eq!((some.len(), some[99]), (100, b.tiles & !middle));
    }
}
