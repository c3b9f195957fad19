//! The source's algorithms, and boards graded by the fewest drags and by how often casual play clears them.
//!
//! **Algorithm 0** (the source's own) draws a tile and a match of it, as often as there are pairs of cells; an odd last cell gets a match of any
//! tile there; all is shuffled. **Algorithm 1** draws the first tiles of the pairs without repetition. **Algorithm 2** takes different
//! tiles only: on 5 x 5 all 25. In each every tile has a match, so every board is clearable; it is solved all the same before it is shown.
//!
//! **Graded.** Algorithm 0 has almost no range of difficulty: three or four drags, and nearly every board forgives about as much as the next. So boards
//! are looked for. The fewest drags depend on the *kinds* on the board alone (see `solver.rs`), so the search draws sets of kinds until
//! one has the asked-for par. Full tables of `a` colours by `b` numbers that share nothing need min(a, b) drags each, and exactly the boards made of
//! square ones up to five need five drags, so such sets are drawn beside random ones. Then the board climbs: tiles change places or kinds, the par kept,
//! as long as its clear rate comes nearer to the asked-for band. Everything is counted in boards tried, never in seconds. A request that no
//! board can meet is refused with the proof in a sentence; one that was not met after all tries is refused with the nearest board.

use super::{
    Drag, Level, Match, State,
    board::Board,
    casual,
    level::{SIDES, Tile},
    solver,
};
use crate::{
    game::{Generate, Kind, Made, NotMade, Outcome, Param, Preset, Solve, Values, rng},
    grid::Size,
    job::Probe,
};
use rand::{
    Rng, RngExt as _,
    seq::{IndexedRandom as _, SliceRandom as _},
};
use std::collections::BTreeMap;

const KINDS: usize = SIDES * SIDES;
const ALGORITHMS: &[&str] = &["algorithm-0", "algorithm-1", "algorithm-2", "graded"];
/// What they are called on the screen.
const NAMES: &[(&str, &str)] = &[
    ("algorithm-0", "Classic"),
    ("algorithm-1", "Varied"),
    ("algorithm-2", "All different"),
    ("graded", "By difficulty"),
];

/// How many boards a graded search measures before it gives up, and how many it tries from one beginning.
const TRIES: u32 = 1_200;
const CLIMB: u32 = 150;

/// The 5th and the 95th percentile of the clear rate, in games of 1,000, of 5 x 5 boards of algorithm 0 (measured over seeds 0 to 999; a test holds
/// them to it).
pub const TWENTIETHS: (u32, u32) = (116, 188);

/// What the graded search is asked for.
struct Wish {
    size: Size,
    par: Option<u32>,
    clears: (u32, u32),
}

impl Wish {
    fn of(values: &Values) -> Wish {
        let clears = |name, otherwise| values.number(name).map_or(otherwise, |n| n as u32);
        Wish {
            size: size(values),
            par: values.number("par").map(|n| n as u32),
            clears: (clears("clears_min", 0), clears("clears_max", casual::GAMES)),
        }
    }

    /// How far a clear rate is from the band.
    fn miss(&self, clears: u32) -> u32 {
        self.clears.0.saturating_sub(clears) + clears.saturating_sub(self.clears.1)
    }

    /// Why no board at all can be what is wished for, if that is plain.
    fn impossible(&self) -> Option<String> {
        let (low, high) = self.clears;
        if low > high {
            return Some(format!("no clear rate is at least {low} and at most {high}"));
        }
        let (par, cells) = (self.par?, self.size.area());
        let text = format!("each drag removes at least two tiles, so a board of {cells} cells never needs {par} drags");
        (2 * par as usize > cells).then_some(text)
    }
}

fn size(values: &Values) -> Size {
    let side = |name| values.number(name).map_or(5, |n| n.clamp(2, 8) as u16);
    Size::new(side("width"), side("height"))
}

fn any_kind(rng: &mut impl Rng) -> usize {
    rng.random_range(0..KINDS)
}

/// The nine kinds that match a kind, itself among them.
fn matching(kind: usize) -> impl Iterator<Item = usize> {
    (0..KINDS).filter(move |k| Tile::of_kind(*k).matches(Tile::of_kind(kind)))
}

fn pick(rng: &mut impl Rng, set: &[usize]) -> usize {
    set.choose(rng).copied().unwrap_or(0)
}

/// Pairs that begin with the given tiles, a last one if the number of cells is odd, shuffled: algorithms 0 and 1.
fn paired(rng: &mut impl Rng, cells: usize, firsts: impl IntoIterator<Item = usize>) -> Vec<usize> {
    let mut tiles = Vec::with_capacity(cells);
    for kind in firsts {
        tiles.push(kind);
        tiles.push(pick(rng, &matching(kind).collect::<Vec<_>>()));
    }
    if tiles.len() < cells {
        let set: Vec<_> = (0..KINDS).filter(|k| tiles.iter().any(|t| matching(*t).any(|m| m == *k))).collect();
        tiles.push(pick(rng, &set));
    }
    tiles.shuffle(rng);
    tiles
}

fn algorithm_0(rng: &mut impl Rng, cells: usize) -> Vec<usize> {
    let firsts: Vec<_> = (0..cells / 2).map(|_| any_kind(rng)).collect();
    paired(rng, cells, firsts)
}

fn different(rng: &mut impl Rng, n: usize) -> Vec<usize> {
    let mut kinds: Vec<_> = (0..KINDS).collect();
    kinds.shuffle(rng);
    kinds.truncate(n);
    kinds
}

fn algorithm_1(rng: &mut impl Rng, cells: usize) -> Result<Vec<usize>, String> {
    if cells / 2 > KINDS {
        return Err(format!("{} pairs cannot begin with different tiles: there are only {KINDS} kinds", cells / 2));
    }
    let firsts = different(rng, cells / 2);
    Ok(paired(rng, cells, firsts))
}

fn algorithm_2(rng: &mut impl Rng, cells: usize) -> Result<Vec<usize>, String> {
    if cells > KINDS {
        return Err(format!("{cells} cells cannot all hold different tiles: there are only {KINDS} kinds"));
    }
    // Fewer than all 25 may leave a tile alone: then other ones are drawn.
    for _ in 0..10_000 {
        let tiles = different(rng, cells);
        if none_alone(&tiles) {
            return Ok(tiles);
        }
    }
    Err("no set of different tiles was found in which each has a match".into())
}

fn none_alone(tiles: &[usize]) -> bool {
    let matched = |i: usize| tiles.iter().enumerate().any(|(j, t)| i != j && matching(tiles[i]).any(|m| m == *t));
    (0..tiles.len()).all(matched)
}

fn level(size: Size, tiles: &[usize]) -> Level {
    Level::from_fn(size, |c| tiles.get(size.index(c)).map(|k| Tile::of_kind(*k)))
}

fn par(tiles: &[usize]) -> Option<u32> {
    let mut table = [0; SIDES];
    for t in tiles {
        table[t / SIDES] |= 1 << (t % SIDES);
    }
    none_alone(tiles).then(|| solver::least_drags(table))
}

/// Full tables that share no colour and no number, of random sides.
fn tables(rng: &mut impl Rng) -> Vec<usize> {
    let mut colours: Vec<_> = (0..SIDES).collect();
    let mut numbers = colours.clone();
    colours.shuffle(rng);
    numbers.shuffle(rng);
    let square = rng.random_bool(0.5);
    let mut kinds = Vec::new();
    while !colours.is_empty() && !numbers.is_empty() {
        let a = rng.random_range(1..=colours.len());
        let b = if square { a.min(numbers.len()) } else { rng.random_range(1..=numbers.len()) };
        let (c, n) = (colours.split_off(colours.len() - a), numbers.split_off(numbers.len() - b));
        kinds.extend(c.iter().flat_map(|c| n.iter().map(move |n| c * SIDES + n)));
    }
    kinds
}

/// A random beginning for the climb: as algorithm 0 does it, or with all tiles from a random set of kinds.
fn beginning(rng: &mut impl Rng, cells: usize) -> Vec<usize> {
    let kinds = match rng.random_range(0..3) {
        0 => return algorithm_0(rng, cells),
        1 => {
            let n = rng.random_range(1..=KINDS);
            different(rng, n)
        }
        _ => tables(rng),
    };
    let mut tiles = kinds;
    tiles.shuffle(rng);
    tiles.truncate(cells);
    let some = tiles.clone();
    tiles.extend((some.len()..cells).map(|_| 0).collect::<Vec<_>>());
    for t in &mut tiles[some.len()..] {
        *t = pick(rng, &some);
    }
    tiles.shuffle(rng);
    tiles
}

/// A board near another: two tiles exchanged, or one made like another or like any.
fn neighbour(rng: &mut impl Rng, tiles: &[usize]) -> Vec<usize> {
    let mut next = tiles.to_vec();
    for _ in 0..rng.random_range(1..=3) {
        let (i, j) = (rng.random_range(0..next.len()), rng.random_range(0..next.len()));
        match rng.random_range(0..4) {
            0 | 1 => next.swap(i, j),
            2 => next[i] = next[j],
            _ => next[i] = any_kind(rng),
        }
    }
    next
}

/// A board as wished for, with its clear rate.
fn graded(wish: &Wish, seed: u64, probe: &mut Probe) -> Result<(Vec<usize>, u32), NotMade> {
    if let Some(reason) = wish.impossible() {
        return Err(NotMade::Refused(reason));
    }
    let mut rng = rng(seed);
    let cells = wish.size.area();
    let fits = |tiles: &[usize]| par(tiles).is_some_and(|p| wish.par.is_none_or(|w| w == p));
    let mut nearest: Option<u32> = None;
    let mut tried = 0;
    while tried < TRIES {
        // Kinds cost next to nothing to judge; only boards of the right par are measured.
        let mut tiles = Vec::new();
        for _ in 0..5_000 {
            probe.tick()?;
            tiles = beginning(&mut rng, cells);
            if fits(&tiles) {
                break;
            }
        }
        if !fits(&tiles) {
            break;
        }
        let measure = |tiles: &[usize], probe: &mut Probe| {
            let Some(board) = Board::of(&level(wish.size, tiles)) else { return Ok(0) };
            casual::clears(&board, board.tiles, casual::GAMES, probe)
        };
        let mut clears = measure(&tiles, probe)?;
        for step in 0.. {
            tried += 1;
            if nearest.is_none_or(|n| wish.miss(clears) < wish.miss(n)) {
                nearest = Some(clears);
            }
            if wish.miss(clears) == 0 {
                return Ok((tiles, clears));
            }
            if step == CLIMB || tried == TRIES {
                break;
            }
            let next = (0..100).map(|_| neighbour(&mut rng, &tiles)).find(|t| fits(t));
            let Some(next) = next else { break };
            let its = measure(&next, probe)?;
            if wish.miss(its) <= wish.miss(clears) {
                (tiles, clears) = (next, its);
            }
        }
    }
    let (w, h) = (wish.size.w, wish.size.h);
    let drags = match wish.par {
        None => String::new(),
        Some(1) => " of one drag".into(),
        Some(n) => format!(" of {n} drags"),
    };
    Err(NotMade::Refused(match nearest {
        None => format!("no {w} x {h} board{drags} was found"),
        Some(n) => format!(
            "of {tried} {w} x {h} boards{drags}, none is cleared by casual play in {} to {} of 1,000 games: the nearest in {n}",
            wish.clears.0, wish.clears.1
        ),
    }))
}

impl Generate for Match {
    const VERSION: u32 = 1;

    fn params() -> Vec<Param> {
        let side = |name, label, help| Param::number(name, label, help, (2, 8), 5);
        let games = i64::from(casual::GAMES);
        vec![
            Param {
                names: NAMES,
                ..Param::choice(
                    "algorithm",
                    "Kind of board",
                    "Classic: pairs that match. Varied: pairs that all begin with a different tile. All different: every tile once. \
                     By difficulty: a board with the fewest drags and the clear rate that you ask for.",
                    ALGORITHMS,
                )
            },
            side("width", "Columns", "Columns of the board; the game has 5."),
            side("height", "Rows", "Rows of the board; the game has 5."),
            Param {
                kind: Kind::Number { min: 1, max: SIDES as i64, words: &["any"] },
                default: "any".into(),
                ..Param::number(
                    "par",
                    "Fewest drags",
                    "By difficulty: the fewest drags that clear the board.",
                    (1, 1),
                    1,
                )
            },
            Param::number(
                "clears_min",
                "Least casual wins in 1,000",
                "By difficulty: casual play clears the board in at least this many of 1,000 games.",
                (0, games),
                0,
            ),
            Param::number(
                "clears_max",
                "Most casual wins in 1,000",
                "By difficulty: casual play clears the board in at most this many of 1,000 games.",
                (0, games),
                games,
            ),
        ]
    }

    fn presets() -> Vec<Preset> {
        let algorithm = |id: &str| Values::default().with("algorithm", id);
        vec![
            Preset { id: "algorithm-0", name: NAMES[0].1, values: algorithm("algorithm-0") },
            Preset { id: "algorithm-1", name: NAMES[1].1, values: algorithm("algorithm-1") },
            Preset { id: "algorithm-2", name: NAMES[2].1, values: algorithm("algorithm-2") },
            Preset { id: "graded", name: NAMES[3].1, values: algorithm("graded").with("par", 4) },
        ]
    }

    fn about_values(values: &Values) -> Option<String> {
        Some(remark(values))
    }

    fn runs() -> Vec<(&'static str, Values)> {
        let run = |algorithm: &str| Values::default().with("algorithm", algorithm);
        vec![("Endless run", run("algorithm-0")), ("Graded run", run("graded").with("par", 4))]
    }

    fn generate(values: &Values, seed: u64, probe: &mut Probe) -> Result<Made<Match>, NotMade> {
        probe.tick()?;
        let size = size(values);
        let mut rng = rng(seed);
        let (tiles, clears) = match values.word("algorithm") {
            "algorithm-1" => (algorithm_1(&mut rng, size.area()).map_err(NotMade::Refused)?, None),
            "algorithm-2" => (algorithm_2(&mut rng, size.area()).map_err(NotMade::Refused)?, None),
            "graded" => {
                let (tiles, clears) = graded(&Wish::of(values), seed, probe)?;
                (tiles, Some(clears))
            }
            _ => (algorithm_0(&mut rng, size.area()), None),
        };
        finish(level(size, &tiles), clears, probe)
    }
}

/// Solves a board, measures it, and hands it over.
fn finish(level: Level, clears: Option<u32>, probe: &mut Probe) -> Result<Made<Match>, NotMade> {
    let unsolved = || NotMade::Refused("a board was made that cannot be cleared: please report this seed".into());
    let board = Board::of(&level).ok_or_else(unsolved)?;
    let start = State { alive: board.tiles };
    let line: Vec<Drag> = match Match::solve(&level, &start, 0, probe, &mut |_| ()) {
        Outcome::Solved { line, optimal: true, .. } => line,
        Outcome::Stopped { by, .. } => return Err(by.into()),
        _ => return Err(unsolved()),
    };
    let clears = match clears {
        Some(n) => n,
        None => casual::clears(&board, board.tiles, casual::GAMES, probe)?,
    };
    let measured = BTreeMap::from([
        ("cost".to_string(), line.len() as f64),
        ("optimal".to_string(), 1.0),
        ("nodes".to_string(), probe.progress.nodes as f64),
        ("clears".to_string(), f64::from(clears)),
    ]);
    Ok(Made { level, line, measured })
}

/// A number of many digits as "8.9·10^34".
fn power(log10: f64) -> String {
    if log10 < 6.0 {
        return format!("{:.0}", 10f64.powf(log10));
    }
    let exponent = log10.floor();
    format!("{:.1}·10^{exponent}", 10f64.powf(log10 - exponent))
}

/// How many levels there are, and what is odd about the request.
fn remark(values: &Values) -> String {
    let cells = size(values).area();
    let pairs = cells / 2;
    let log = |n: usize| (n as f64).log10();
    let boards = power(cells as f64 * log(KINDS));
    let all = format!("there are 25^{cells} ≈ {boards} full boards of this size");
    let falling = |n: usize| (0..n).map(|i| log(KINDS - i)).sum::<f64>();
    match values.word("algorithm") {
        "algorithm-1" if pairs <= KINDS => {
            let last = if cells % 2 == 1 { log(KINDS) } else { 0.0 };
            let ways = power(falling(pairs) + pairs as f64 * log(9) + last);
            format!("At most {ways} ways through the generator; {all}.")
        }
        "algorithm-2" if cells == KINDS => {
            format!("25! ≈ {} levels, all with the same 25 tiles; {all}.", power(falling(KINDS)))
        }
        "algorithm-2" if cells < KINDS => format!("At most {} levels; {all}.", power(falling(cells))),
        "algorithm-1" | "algorithm-2" => "There are only 25 different tiles, too few for a board of this size.".into(),
        "graded" => match Wish::of(values).impossible() {
            Some(reason) => format!("Cannot be met: {reason}."),
            None => format!(
                "Of classic 5 x 5 boards three in four need three drags, most others four; casual play clears the hardest twentieth in fewer than \
                 {} of 1,000 games and the easiest in more than {}. Here {all}.",
                TWENTIETHS.0, TWENTIETHS.1
            ),
        },
        _ => {
            let (last, text) = match cells % 2 {
                1 => (log(2 * pairs * 9), format!(" · {} · 9", 2 * pairs)),
                _ => (0.0, String::new()),
            };
            let ways = power(pairs as f64 * (log(KINDS) + log(9)) + last);
            let odd = if cells % 2 == 1 {
                " (it counts ways through the generator, and the last tile really comes from at most 25 kinds)"
            } else {
                " (it counts ways through the generator)"
            };
            format!("The original game's bound: 25^{pairs} · 9^{pairs}{text} ≈ {ways}{odd}; {all}.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn values(set: &[(&str, i64)], algorithm: &str) -> Values {
        let values = set.iter().fold(Values::default(), |v, (name, n)| v.with(name, *n));
        values.with("algorithm", algorithm).checked(&Match::params()).unwrap()
    }

    #[test]
    fn a_kind_has_nine_matches() {
        for kind in 0..KINDS {
            assert_eq!(matching(kind).count(), 9);
            assert!(matching(kind).any(|k| k == kind));
        }
    }

    #[test]
    fn the_algorithms_make_what_they_promise() {
        let mut rng = rng(1);
        for cells in [4, 9, 25, 64] {
            for _ in 0..50 {
                let tiles = algorithm_0(&mut rng, cells);
                assert!(tiles.len() == cells && none_alone(&tiles));
            }
        }
        for _ in 0..100 {
            let tiles = algorithm_1(&mut rng, 25).unwrap();
            assert!(tiles.len() == 25 && none_alone(&tiles));
            assert!(tiles.iter().collect::<HashSet<_>>().len() >= 12);
            let tiles = algorithm_2(&mut rng, 25).unwrap();
            assert_eq!(tiles.iter().collect::<HashSet<_>>().len(), 25);
            let few = algorithm_2(&mut rng, 6).unwrap();
            assert!(few.iter().collect::<HashSet<_>>().len() == 6 && none_alone(&few));
        }
        assert!(algorithm_1(&mut rng, 64).is_err() && algorithm_2(&mut rng, 30).is_err());
    }

    #[test]
    fn the_size_of_the_level_space_is_told() {
        let said = |set: &[(&str, i64)], algorithm| remark(&values(set, algorithm));
        let zero = said(&[], "algorithm-0");
        assert!(zero.contains("original game's bound: 25^12 · 9^12 · 24 · 9 ≈ 3.6·10^30"), "{zero}");
        assert!(zero.contains("at most 25 kinds") && zero.contains("25^25 ≈ 8.9·10^34"), "{zero}");
        let two = said(&[], "algorithm-2");
        assert!(two.contains("25! ≈ 1.6·10^25"), "{two}");
        assert!(said(&[("width", 8)], "algorithm-2").contains("too few"));
        assert!(said(&[("width", 2), ("height", 2), ("par", 3)], "graded").contains("Cannot be met"));
    }
}
