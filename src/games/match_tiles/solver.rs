//! Clearable or not, the fewest drags, and the paths to draw: exact on every board, without a search through positions.
//!
//! **The match graph.** Tiles are points, joined where they match. Put differently: colours and numbers are the two sides of a small table, a
//! tile is an *edge* from its colour to its number, and two tiles match when their edges share an end. A drag removes a *star*: a tile
//! with at least one neighbour. In what follows N(d) are the living neighbours of d, without d.
//!
//! **What cannot be done.** A tile without neighbour never gets one, since tiles are only ever taken away, and it can neither be dragged nor
//! removed: the board is not clearable. And when a line of k drags clears the board, every tile was dragged or matched a dragged one, so
//! the k dragged tiles *dominate* the graph: no line is shorter than the domination number γ.
//!
//! **What can be done: if no tile is alone, γ drags are enough.** By induction it suffices to find one drag after which no tile is alone
//! and the domination number is γ − 1.
//!
//! 1. *There is a dominating set D of γ tiles no two of which match.* Take any D of γ tiles with the fewest matching pairs. If two of
//!    its edges, uv and vw, share v, then D without vw misses some edge wz (or D was not least; likewise if they share both ends). No edge of D
//!    but vw touches w or z, for it would cover wz. Putting wz for vw keeps D dominating (what vw covered touches v, still covered by uv, or w)
//!    and has fewer matching pairs: a contradiction. So D is a least maximal matching of the table.
//! 2. Let d in D be dragged and S, part of N(d), be removed with it. D without d still dominates the rest if S holds everything that only d
//!    dominated. Every tile of the rest outside D has a neighbour in D without d; so a tile can only be alone if it is some d' in D with
//!    N(d') inside S.
//! 3. *The full sweep*, S = N(d), can always be drawn: nothing is in the way when all matches may be passed. It serves unless some d' in
//!    D has N(d') inside N(d). Suppose that every d in D has such a d' = f(d). The edges of N(d') run between the ends of d and of d'. Those of
//!    N(f(d')), a part of N(d'), also touch f(d'), and an edge cannot touch three disjoint edges: so f(d') = d, and N(d) = N(d').
//!    So d, d' and this common neighbourhood are a part of the graph on their own. All of it lies on the four edges between two colours
//!    and two numbers; d and d' are opposite corners, without doubles (a double of d would match d only), and *both* other corners are there, for if only
//!    one were, a tile of it would dominate the part alone and D were not least.
//! 4. In that case let d be dragged straight towards any match and released on the first match z it meets: S = {z} can always be drawn. Of the
//!    part there are left d', which matches everything left in it, and at least the other corner: no tile is alone, and D without d dominates.
//!
//! So a board is clearable exactly when no tile is alone, and the fewest drags are γ, at most five. The solver does not lean on this for its
//! answers. It computes γ, tries full sweeps and drags to a first match, keeps one that lowers γ and strands nothing (the theorem says
//! there is one), and draws it; a line it returns was played through the rules as it was found, and is optimal because it is as long as
//! the lower bound. The tests compare it with a plain search over all sets that drags can remove.
//!
//! **Two first drags.** The same reasoning shows that a board which needs two drags or more has at least two best first drags that remove
//! different sets of tiles. Two tiles of D whose sweeps both serve give two. If no sweep serves (4), dragging d and dragging d' differ. If only
//! that of d₁ does, every other d has an f(d): either it is in a part as in (3), which has two good drags of its own, or f(d) = d₁, which
//! can be so for one d only. Then γ = 2 and N(d₁) is inside N(d). If N(d₁) has several tiles, d₁ may take all or just the first it meets; if
//! it is a single x, dragging d over N(d) without x is another good beginning (one cell never cuts the board). Hence a single best first drag, as a set, exists
//! only on boards that one drag clears.
//!
//! **γ** is found by branching on an uncovered edge of the table: some edge of the matching touches its colour or its number. At most five levels
//! deep, a few hundred steps at the worst.

use super::{
    Drag, Level, Match, State,
    board::{Board, Mask, bits, first},
    casual, draw,
    level::SIDES,
    rules,
};
use crate::{
    analysis::rate::{self, Metrics},
    game::{Apart, Counting, Goal, Overlay, Rules as _, Solve, Status},
    grid::Spot,
    job::{Mode, Probe, Stop},
    search::driver::{Flow, Plan, Whole},
};

/// The least size of a maximal matching of a table of kinds: the domination number of the match graph.
pub(super) fn least_drags(kinds: [u8; SIDES]) -> u32 {
    (0..SIDES as u32).find(|k| covered(kinds, *k)).unwrap_or(SIDES as u32)
}

/// Whether `k` edges, no two sharing an end, can touch every edge. `kinds` holds the edges not yet touched; a colour or number is used up when an
/// edge of the matching takes it, and since all edges at it are then touched, what is left holds exactly the unused ones.
fn covered(kinds: [u8; SIDES], k: u32) -> bool {
    let Some(c) = kinds.iter().position(|row| *row != 0) else { return true };
    if k == 0 {
        return false;
    }
    let n = kinds[c].trailing_zeros();
    let take = |c: usize, n: u32| {
        let mut left = kinds.map(|row| row & !(1 << n));
        left[c] = 0;
        covered(left, k - 1)
    };
    (0..SIDES as u32).any(|m| kinds[c] >> m & 1 == 1 && take(c, m))
        || (0..SIDES).any(|b| b != c && kinds[b] >> n & 1 == 1 && take(b, n))
}

/// The fewest drags that clear a position, or `None` if it cannot be cleared.
pub(super) fn par(board: &Board, alive: Mask) -> Option<u32> {
    (board.stranded(alive) == 0).then(|| least_drags(board.kinds(alive)))
}

/// A path, and everything it removes.
type Drawn = (Vec<crate::grid::Cell>, Mask);

/// A drag after which the position needs one drag less, with what it removes: a full sweep if one serves (the largest; of these
/// the shortest), else one to a first match.
fn best_drag(board: &Board, alive: Mask, least: u32, probe: &mut Probe) -> Result<Option<Drawn>, Stop> {
    let serves = |gone: Mask| par(board, alive & !gone) == Some(least - 1);
    let mut best: Option<Drawn> = None;
    let mut judged = [None; SIDES * SIDES];
    for tile in bits(alive) {
        let gone = board.matches(alive, tile) | tile;
        // Doubles remove the same set: whether it serves is asked once.
        let verdict = &mut judged[board.tile(tile).kind()];
        if verdict.is_none() {
            probe.tick()?;
            *verdict = Some(serves(gone));
        }
        let size = gone.count_ones();
        if *verdict == Some(true) && best.as_ref().is_none_or(|(_, m)| m.count_ones() <= size) {
            let path = draw::sweep(board, alive, tile);
            if best.as_ref().is_none_or(|(p, m)| m.count_ones() < size || path.len() < p.len()) {
                best = Some((path, gone));
            }
        }
    }
    if best.is_some() {
        return Ok(best);
    }
    for tile in bits(alive) {
        for one in bits(draw::singles(board, alive, tile)) {
            probe.tick()?;
            if serves(one | tile) {
                return Ok(draw::path(board, alive, tile, one).map(|path| (path, one | tile)));
            }
        }
    }
    Ok(None)
}

/// More than any line has, where a tile is alone.
fn at_least(level: &Level, state: &State) -> u32 {
    Board::of(level).and_then(|board| par(&board, state.alive)).unwrap_or(u32::MAX)
}

/// Positions after one drag that are listed: all of a board of 25 tiles of any kinds, but not of one colour.
const MOST_NEXT: usize = 1 << 17;

fn next(level: &Level, state: &State) -> Option<Vec<State>> {
    let board = Board::of(level)?;
    let mut all = Vec::new();
    if rules::status_of(&board, state.alive) != Status::Playing {
        return Some(all);
    }
    for tile in bits(state.alive) {
        let sets = draw::sets(&board, state.alive, tile, MOST_NEXT);
        all.extend(sets.iter().map(|set| State { alive: state.alive & !(set | tile) }));
        // A list as long as that may have been cut short.
        if all.len() >= MOST_NEXT {
            return None;
        }
    }
    Some(all)
}

fn move_to(level: &Level, from: &State, to: &State) -> Option<Drag> {
    let board = Board::of(level)?;
    let gone = from.alive & !to.alive;
    let drawn = |tile: Mask| {
        let set = gone & !tile;
        (set != 0 && set & !board.matches(from.alive, tile) == 0).then(|| draw::path(&board, from.alive, tile, set))?
    };
    bits(gone).find_map(drawn).map(Drag)
}

impl Solve for Match {
    const GOALS: &'static [Goal] = &[Goal { id: "drags", name: "fewest drags", count: 0, apart: Some(Apart::Moves) }];

    fn stages(level: &Level, from: &State, _: usize, _: Mode) -> Plan<Drag> {
        let (level, from) = (level.clone(), *from);
        Plan::best(vec![Whole::stage("stars", true, move |known, probe| {
            let Some(board) = Board::of(&level) else { return Ok(Flow::Proven) };
            let Some(least) = par(&board, from.alive) else { return Ok(Flow::Proven) };
            known.raise_bound(least, probe);
            let mut state = from;
            let mut line = Vec::new();
            while rules::status_of(&board, state.alive) == Status::Playing {
                bits(state.alive).for_each(|t| probe.visit(board.size.index(first(t))));
                let left = least.saturating_sub(line.len() as u32);
                // The theorem above says that there always is such a drag; if there were none, nothing would be claimed.
                let Some((path, _)) = best_drag(&board, state.alive, left.max(1), probe)? else {
                    return Ok(Flow::Done);
                };
                let drag = Drag(path);
                if Match::play(&level, &mut state, &drag).is_err() {
                    return Ok(Flow::Done);
                }
                line.push(drag);
            }
            // As long as the bound, so it is optimal.
            known.better(line.len() as u32, line, probe);
            Ok(Flow::Done)
        })])
    }

    fn about_level(level: &Level, from: &State, probe: &mut Probe) -> Vec<String> {
        let Some(board) = Board::of(level) else { return Vec::new() };
        if rules::status_of(&board, from.alive) != Status::Playing {
            return Vec::new();
        }
        let Ok(cleared) = casual::clears(&board, from.alive, casual::GAMES, probe) else { return Vec::new() };
        let rate = f64::from(cleared) * 100.0 / f64::from(casual::GAMES);
        vec![format!("casual play clears it {rate:.1} % of the time ({cleared} of {} games)", casual::GAMES)]
    }

    fn difficulty(_level: &Level, metrics: &Metrics, _: &mut Probe) -> Result<Option<f64>, Stop> {
        // The solver hardly searches, so its nodes say nothing here; what makes a board hard is how many drags must be right, and among
        // boards with equally many, how many of the others ruin it.
        let effort = f64::from(metrics.minimum) + 2.0 * metrics.dead_ends.unwrap_or(0.0);
        Ok(Some(rate::scale(effort, 6.0)))
    }

    fn reasons() -> Option<crate::game::Reasons<Match>> {
        Some(super::reasons::reasons())
    }

    fn counting() -> Counting<Match> {
        Counting { at_least, next, move_to, ..Counting::default() }
    }

    fn overlays() -> &'static [Overlay] {
        &[
            Overlay {
                id: "lonely",
                name: "Few partners",
                help: "The fewer tiles match a tile, the brighter it is: those are the ones that get stranded.",
            },
            Overlay { id: "openers", name: "Good sweeps", help: "Tiles whose full sweep is a best first drag." },
        ]
    }

    fn overlay(level: &Level, state: &State, index: usize) -> Vec<(Spot, f32)> {
        let Some(board) = Board::of(level) else { return Vec::new() };
        let alive = state.alive;
        let weight = |tile: Mask| match index {
            0 => 1.0 / board.matches(alive, tile).count_ones().max(1) as f32,
            _ => {
                let least = par(&board, alive).unwrap_or(0);
                let after = par(&board, alive & !board.matches(alive, tile) & !tile);
                if least > 0 && after == Some(least - 1) { 1.0 } else { 0.0 }
            }
        };
        bits(alive).map(|t| (Spot::from(first(t)), weight(t))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{Outcome, rng},
        games::match_tiles::level::Tile,
        grid::Size,
        job::Limits,
    };
    use rand::RngExt as _;
    use std::collections::HashMap;

    /// The fewest drags by trying every set that any drag can remove, in every position that comes of it. Nothing clever.
    fn plain(board: &Board, alive: Mask, known: &mut HashMap<Mask, Option<u32>>) -> Option<u32> {
        if alive == 0 {
            return Some(0);
        }
        if let Some(&k) = known.get(&alive) {
            return k;
        }
        let mut best = None;
        for tile in bits(alive) {
            for set in draw::sets(board, alive, tile, usize::MAX) {
                let rest = plain(board, alive & !set & !tile, known);
                best = [best, rest.map(|n| n + 1)].into_iter().flatten().min();
            }
        }
        known.insert(alive, best);
        best
    }

    fn random(rng: &mut impl rand::Rng, size: Size, most: usize, kinds: usize) -> Level {
        let mut cells: Vec<_> = size.cells().collect();
        rand::seq::SliceRandom::shuffle(&mut cells[..], rng);
        cells.truncate(most.min(size.area()));
        let mut level = Level::from_fn(size, |_| None);
        for c in cells {
            level.tiles[c] = Some(Tile::of_kind(rng.random_range(0..kinds)));
        }
        level
    }

    #[test]
    fn five_thousand_small_boards_have_the_par_that_plain_search_finds() {
        let mut rng = rng(20);
        let mut clearable = 0;
        for round in 0..5_000 {
            let size = Size::new(rng.random_range(2..=6), rng.random_range(2..=6));
            let kinds = [25, 25, 12, 7][round % 4];
            let most = rng.random_range(2..=if round % 20 == 0 { 12 } else { 9 });
            let level = random(&mut rng, size, most, kinds);
            let board = Board::of(&level).unwrap();
            let start = State { alive: board.tiles };
            let expected = plain(&board, board.tiles, &mut HashMap::new());
            let outcome = Match::solve(&level, &start, 0, &mut Probe::new(Limits::default()), &mut |_| ());
            match expected {
                None => assert_eq!(outcome, Outcome::Unsolvable),
                Some(n) => {
                    clearable += 1;
                    let Outcome::Solved { line, optimal: true, .. } = outcome else { panic!("{outcome:?}") };
                    assert_eq!(line.len() as u32, n);
                    let mut s = start;
                    line.iter().for_each(|d| Match::play(&level, &mut s, d).unwrap());
                    assert_eq!(s.alive, 0);
                }
            }
        }
        assert!(clearable > 1_000, "{clearable}");
    }

    #[test]
    fn boards_that_need_two_drags_have_at_least_two_best_first_drags() {
        let mut rng = rng(21);
        for round in 0..3_000 {
            let size = Size::new(rng.random_range(2..=5), rng.random_range(2..=5));
            let level = random(&mut rng, size, 4 + round % 8, [25, 12, 7][round % 3]);
            let board = Board::of(&level).unwrap();
            let Some(least) = par(&board, board.tiles).filter(|n| *n >= 2) else { continue };
            let firsts: std::collections::HashSet<Mask> = bits(board.tiles)
                .flat_map(|t| draw::sets(&board, board.tiles, t, usize::MAX).into_iter().map(move |s| s | t))
                .filter(|gone| par(&board, board.tiles & !gone) == Some(least - 1))
                .collect();
            assert!(firsts.len() >= 2);
        }
    }

    #[test]
    fn full_tables_need_five_drags_and_single_lines_one() {
        assert_eq!(least_drags([0; SIDES]), 0);
        assert_eq!(least_drags([0b11111, 0, 0, 0, 0]), 1);
        assert_eq!(least_drags([0b11111, 1, 1, 1, 1]), 1);
        assert_eq!(least_drags([0b11111; SIDES]), 5);
        assert_eq!(least_drags([1, 2, 4, 8, 16]), 5);
        assert_eq!(least_drags([0b00011, 0b00011, 0, 0, 0]), 2);
    }

    #[test]
    fn squares_of_four_kinds_are_cleared_by_drags_to_the_first_match() {
        let rows = ["o1 o2 g3 g4", "n1 n2 b3 b4"].map(String::from);
        let level = super::super::level::from_rows(&rows).unwrap();
        let start = Match::arrange(&level).unwrap();
        let outcome = Match::solve(&level, &start, 0, &mut Probe::new(Limits::default()), &mut |_| ());
        assert!(matches!(outcome, Outcome::Solved { optimal: true, bound: 4, .. }), "{outcome:?}");
    }

    #[test]
    fn limits_are_kept() {
        let level = random(&mut rng(3), Size::new(8, 8), 64, 25);
        let start = Match::arrange(&level).unwrap();
        let outcome = Match::solve(&level, &start, 0, &mut Probe::new(Limits::nodes(3)), &mut |_| ());
        assert!(matches!(outcome, Outcome::Stopped { by: Stop::Nodes, bound: 2.. }), "{outcome:?}");
    }
}
