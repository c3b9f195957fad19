//! Exact cover by bitmasks: cover every cell once, using pieces of every kind exactly as often as there are copies.
//!
//! An *option* is one way to place a piece: its kind and the cells it covers. A solution is a set of options that are pairwise
//! disjoint, cover all cells, and use each kind as often as it has copies. Cells and kinds are both *items*, one bit each; an
//! option is the mask of its items. Identical pieces are copies of one kind, so exchanging them is never a second solution.
//!
//! **Search space.** Depth first. A node is the list of options that are still possible. One pass over the parent's list drops what
//! the last choice ruled out (one `and` a word), one over what is left counts, for all items at once, how many options are left: four masks hold the items
//! met at least once, twice, three and four times. An item that is still needed and was never met is a dead end. All options that are the only one
//! for some item are taken together, before the next pass; a node branches only when nothing is forced, on an item with the
//! fewest options, cells before kinds. Nothing is linked, nothing is undone: the child's list lies behind the
//! parent's on one stack and is written over by the next.
//!
//! **Why each solution is met once.** A node branches on an item that every solution below it covers by exactly one option, so the
//! branches share no solution and miss none. A kind with two or more copies left is not such an item and is not branched on; it
//! becomes one when a single copy is left.
//!
//! **Areas** ([`Cover::joins`]): where the caller says which cells touch and every option covers a connected set, the cells still open fall into
//! regions, and the pieces left over must share them out exactly. A region whose size is no sum of sizes of remaining pieces is a
//! dead end however many options its cells have. The sums are a bitmask too.
//!
//! Not attempted: a look ahead for every option before the search (it costs more than the searches it shortens); remembering positions reached twice (the covered set determines little here and the tables grow without
//! bound), colours and secondary items.

use crate::job::{Probe, Stop};
use std::borrow::Cow;

/// A problem: cells, kinds with copies, options.
#[derive(Clone, Debug)]
pub struct Cover {
    cells: usize,
    copies: Vec<u32>,
    words: usize,
    masks: Vec<u64>,
    kinds: Vec<u32>,
    places: Vec<usize>,
    joins: Vec<[u32; 4]>,
}

/// A solution as the search met it.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The options, in the order they were chosen; numbers count from 0 in the order of [`Cover::add`].
    pub options: &'a [u32],
    /// How many options there were for the item on which each was chosen: 1 is a forced placement.
    pub widths: &'a [u32],
}

/// What a search came across beside solutions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Nodes.
    pub nodes: u64,
    /// Nodes at which some item could no longer be covered.
    pub dead_ends: u64,
}

/// The most items (cells and kinds together) a problem may have.
pub const MOST_ITEMS: usize = 2048;

/// No neighbour, in [`Cover::joins`].
pub const NO_CELL: u32 = u32::MAX;

/// A list this short is searched faster than its regions are measured.
const REGIONS_FROM: usize = 24;

impl Cover {
    /// A problem without options yet: so many cells, and for each kind its number of copies (at least 1). `None` if it has more than
    /// [`MOST_ITEMS`] items.
    pub fn new(cells: usize, copies: &[u32]) -> Option<Cover> {
        let items = cells.checked_add(copies.len())?;
        let words = items.div_ceil(64).max(1);
        (items <= MOST_ITEMS && copies.iter().all(|n| *n > 0)).then(|| Cover {
            cells,
            copies: copies.to_vec(),
            words,
            masks: Vec::new(),
            kinds: Vec::new(),
            places: Vec::new(),
            joins: Vec::new(),
        })
    }

    /// Adds an option: a kind, and the cells it covers (each below the number of cells, each once). Options must differ from one another.
    pub fn add(&mut self, kind: usize, cells: impl IntoIterator<Item = usize>) {
        let start = self.masks.len();
        self.masks.resize(start + self.words, 0);
        let mask = &mut self.masks[start..];
        for item in cells.into_iter().chain([self.cells + kind]) {
            mask[item / 64] |= 1 << (item % 64);
        }
        self.kinds.push(kind as u32);
    }

    /// How many options there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The kind of an option.
    pub fn kind(&self, option: u32) -> usize {
        self.kinds[option as usize] as usize
    }

    /// The cells of an option, in order.
    pub fn cells_of(&self, option: u32) -> impl Iterator<Item = usize> {
        let mask = &self.masks[option as usize * self.words..][..self.words];
        (0..self.cells).filter(move |c| mask[c / 64] >> (c % 64) & 1 == 1)
    }

    /// Names a place for each cell, counted in the probe's heat map whenever the search branches on that cell.
    pub fn places(&mut self, places: Vec<usize>) {
        self.places = places;
    }

    /// Says which cells touch (up to four neighbours each, the rest [`NO_CELL`]), and thereby that every option is connected: the search then
    /// also compares the sizes of open regions with the sizes of remaining pieces.
    pub fn joins(&mut self, joins: Vec<[u32; 4]>) {
        debug_assert_eq!(joins.len(), self.cells);
        self.joins = joins;
    }

    /// Visits every solution, until `each` answers `false` or the probe says stop. Ticks once a node.
    pub fn search(&self, probe: &mut Probe, each: &mut dyn FnMut(Found<'_>) -> bool) -> Result<Stats, Stop> {
        let all: Vec<u32> = (0..self.len() as u32).collect();
        self.search_among(&all, probe, each)
    }

    /// The same with only some of the options allowed, in the order in which they are to be tried.
    pub fn search_among(
        &self,
        options: &[u32],
        probe: &mut Probe,
        each: &mut dyn FnMut(Found<'_>) -> bool,
    ) -> Result<Stats, Stop> {
        macro_rules! by_words {
            ($($w:literal)*) => {
                match self.words {
                    $(w if w <= $w => Search::<$w>::new(self, options, probe, each).run(),)*
                    _ => Err(Stop::Memory),
                }
            };
        }
        by_words!(1 2 3 4 5 6 7 8 9 10 12 16 24 32)
    }

    /// The number of cells that an option of each kind covers; empty where it differs, or where nobody asks for areas.
    fn sizes(&self) -> Vec<u32> {
        if self.joins.is_empty() {
            return Vec::new();
        }
        let mut sizes = vec![0; self.copies.len()];
        for (m, k) in self.masks.chunks_exact(self.words).zip(&self.kinds) {
            let size = m.iter().map(|w| w.count_ones()).sum::<u32>() - 1;
            if sizes[*k as usize] != 0 && sizes[*k as usize] != size {
                return Vec::new();
            }
            sizes[*k as usize] = size;
        }
        sizes
    }

    /// The items that are to be covered exactly once: all cells, and kinds of one copy.
    fn needed(&self) -> Vec<u64> {
        let mut need = vec![0u64; self.words];
        let single = self.copies.iter().enumerate().filter(|(_, n)| **n == 1).map(|(k, _)| self.cells + k);
        for item in (0..self.cells).chain(single) {
            need[item / 64] |= 1 << (item % 64);
        }
        need
    }
}

type Mask<const W: usize> = [u64; W];

struct Search<'a, const W: usize> {
    cover: &'a Cover,
    masks: Cow<'a, [Mask<W>]>,
    /// Cells an option of each kind covers; 0 until one is seen.
    sizes: Vec<u32>,
    left: Vec<u32>,
    pieces_left: u32,
    live: Vec<u32>,
    chosen: Vec<u32>,
    widths: Vec<u32>,
    stats: Stats,
    probe: &'a mut Probe,
    each: &'a mut dyn FnMut(Found<'_>) -> bool,
    regions: Regions,
}

enum Flow {
    On,
    Enough,
}

impl<'a, const W: usize> Search<'a, W> {
    fn new(
        cover: &'a Cover,
        options: &[u32],
        probe: &'a mut Probe,
        each: &'a mut dyn FnMut(Found<'_>) -> bool,
    ) -> Search<'a, W> {
        let masks = if cover.words == W {
            Cow::Borrowed(cover.masks.as_chunks().0)
        } else {
            let widen = |m: &[u64]| {
                let mut wide = [0; W];
                wide[..m.len()].copy_from_slice(m);
                wide
            };
            cover.masks.chunks_exact(cover.words).map(widen).collect()
        };
        let sizes = cover.sizes();
        // Without one size a kind, areas say nothing.
        let joins = if sizes.is_empty() { &[] } else { cover.joins.as_slice() };
        let mut live = Vec::with_capacity(options.len() * 4);
        live.extend_from_slice(options);
        Search {
            masks,
            sizes,
            left: cover.copies.clone(),
            pieces_left: cover.copies.iter().sum(),
            live,
            chosen: Vec::with_capacity(32),
            widths: Vec::with_capacity(32),
            stats: Stats::default(),
            probe,
            each,
            regions: Regions::new(joins),
            cover,
        }
    }

    fn run(mut self) -> Result<Stats, Stop> {
        let mut need = [0; W];
        need[..self.cover.words].copy_from_slice(&self.cover.needed());
        let all = self.live.len();
        self.node(need, [0; W], 0, all)?;
        Ok(self.stats)
    }

    /// One node: everything that is forced, and then a branch. `need`: items still to be covered; `block`: what the last choice took;
    /// `from..to`: the parent's list on the stack.
    fn node(&mut self, mut need: Mask<W>, mut block: Mask<W>, mut from: usize, mut to: usize) -> Result<Flow, Stop> {
        self.probe.tick()?;
        self.stats.nodes += 1;
        let depth = self.chosen.len();
        let flow = loop {
            if self.pieces_left == 0 || need.iter().all(|w| *w == 0) {
                break self.leaf(need.iter().all(|w| *w == 0));
            }
            let (met, end) = self.filter(&block, from, to);
            let fits = |s: &mut Self| end - to < REGIONS_FROM || s.regions.fit(&need, &s.sizes, &s.left);
            if (0..W).any(|w| need[w] & !met[0][w] != 0) || !fits(self) {
                self.stats.dead_ends += 1;
                break Flow::On;
            }
            (from, to) = (to, end);
            let mut single = need;
            (0..W).for_each(|w| single[w] &= !met[1][w]);
            if single.iter().all(|w| *w == 0) {
                let item = lowest(&need, &met[2]).or_else(|| lowest(&need, &met[3]));
                let item = item.unwrap_or_else(|| self.fewest(&need, from, to));
                break self.branch(item, &need, from, to)?;
            }
            block = [0; W];
            if !self.take_forced(&single, &mut need, &mut block, from, to) {
                self.stats.dead_ends += 1;
                break Flow::On;
            }
        };
        while self.chosen.len() > depth {
            self.give_back();
        }
        Ok(flow)
    }

    fn leaf(&mut self, covered: bool) -> Flow {
        if !covered || self.pieces_left > 0 {
            self.stats.dead_ends += 1;
            return Flow::On;
        }
        self.probe.found(self.chosen.len() as u32);
        let go_on = (self.each)(Found { options: &self.chosen, widths: &self.widths });
        if go_on { Flow::On } else { Flow::Enough }
    }

    /// Copies what `block` leaves possible behind the list, and counts: the items met at least once, twice, three and four times.
    fn filter(&mut self, block: &Mask<W>, from: usize, to: usize) -> ([Mask<W>; 4], usize) {
        let (mut once, mut twice, mut thrice, mut four) = ([0; W], [0; W], [0; W], [0; W]);
        if self.live.len() < to + (to - from) {
            self.live.resize(to + (to - from), 0);
        }
        let (parents, children) = self.live.split_at_mut(to);
        let mut kept = 0;
        for &o in &parents[from..] {
            let m = &self.masks[o as usize];
            // Whether an option survives is hard to guess for a processor, so nothing here is a jump.
            let keep = (0..W).fold(0, |clash, w| clash | (m[w] & block[w])) == 0;
            children[kept] = o;
            kept += usize::from(keep);
        }
        for &o in &children[..kept] {
            let m = &self.masks[o as usize];
            for w in 0..W {
                four[w] |= thrice[w] & m[w];
                thrice[w] |= twice[w] & m[w];
                twice[w] |= once[w] & m[w];
                once[w] |= m[w];
            }
        }
        ([once, twice, thrice, four], to + kept)
    }

    /// Chooses every option that is the only one for some item; false if two of them exclude each other.
    fn take_forced(
        &mut self,
        single: &Mask<W>,
        need: &mut Mask<W>,
        block: &mut Mask<W>,
        from: usize,
        to: usize,
    ) -> bool {
        for i in from..to {
            let o = self.live[i];
            let m = self.masks[o as usize];
            if (0..W).fold(0, |hit, w| hit | (m[w] & single[w])) == 0 {
                continue;
            }
            if (0..W).any(|w| m[w] & block[w] != 0) {
                return false;
            }
            let taken = self.take(o, 1, need);
            (0..W).for_each(|w| block[w] |= taken[w]);
        }
        true
    }

    /// Chooses an option: what it rules out.
    fn take(&mut self, o: u32, width: u32, need: &mut Mask<W>) -> Mask<W> {
        let mut block = self.masks[o as usize];
        let kind = self.cover.kinds[o as usize] as usize;
        let item = self.cover.cells + kind;
        (0..W).for_each(|w| need[w] &= !block[w]);
        self.left[kind] -= 1;
        if self.left[kind] > 0 {
            block[item / 64] &= !(1 << (item % 64));
        }
        if self.left[kind] == 1 {
            need[item / 64] |= 1 << (item % 64);
        }
        self.pieces_left -= 1;
        self.chosen.push(o);
        self.widths.push(width);
        block
    }

    /// Takes the last choice back.
    fn give_back(&mut self) {
        self.widths.pop();
        if let Some(o) = self.chosen.pop() {
            self.left[self.cover.kinds[o as usize] as usize] += 1;
            self.pieces_left += 1;
        }
    }

    fn branch(&mut self, item: usize, need: &Mask<W>, from: usize, to: usize) -> Result<Flow, Stop> {
        let (word, bit) = (item / 64, 1u64 << (item % 64));
        if let Some(place) = self.cover.places.get(item) {
            self.probe.visit(*place);
        }
        let width = (from..to).filter(|i| self.masks[self.live[*i] as usize][word] & bit != 0).count();
        for i in from..to {
            let o = self.live[i];
            if self.masks[o as usize][word] & bit == 0 {
                continue;
            }
            let mut rest = *need;
            let block = self.take(o, width as u32, &mut rest);
            let flow = self.node(rest, block, from, to)?;
            self.give_back();
            if let Flow::Enough = flow {
                return Ok(Flow::Enough);
            }
        }
        Ok(Flow::On)
    }

    /// The needed item with the fewest options, where all have four or more.
    fn fewest(&self, need: &Mask<W>, from: usize, to: usize) -> usize {
        let mut counts = [[0u32; 64]; W];
        for i in from..to {
            let m = &self.masks[self.live[i] as usize];
            for w in 0..W {
                let mut bits = m[w] & need[w];
                while bits != 0 {
                    counts[w][bits.trailing_zeros() as usize] += 1;
                    bits &= bits - 1;
                }
            }
        }
        let needed = (0..W * 64).filter(|i| need[i / 64] >> (i % 64) & 1 == 1);
        needed.min_by_key(|i| counts[i / 64][i % 64]).unwrap_or(0)
    }
}

/// The lowest needed item that is not in `more`.
fn lowest<const W: usize>(need: &Mask<W>, more: &Mask<W>) -> Option<usize> {
    let word = (0..W).find(|w| need[*w] & !more[*w] != 0)?;
    Some(word * 64 + (need[word] & !more[word]).trailing_zeros() as usize)
}

/// Open regions against piece sizes.
struct Regions {
    joins: Vec<[u32; 4]>,
    stack: Vec<u32>,
    open: Vec<u64>,
    sums: Vec<u64>,
}

impl Regions {
    fn new(joins: &[[u32; 4]]) -> Regions {
        let words = joins.len().div_ceil(64);
        Regions { joins: joins.to_vec(), stack: Vec::new(), open: vec![0; words], sums: vec![0; joins.len() / 64 + 1] }
    }

    /// Whether every open region's size is a sum of sizes of remaining pieces. True where nothing is known.
    fn fit(&mut self, need: &[u64], sizes: &[u32], left: &[u32]) -> bool {
        let cells = self.joins.len();
        if cells == 0 {
            return true;
        }
        let words = self.open.len();
        self.open.copy_from_slice(&need[..words]);
        if cells % 64 != 0 {
            // The last word also holds kinds.
            *self.open.last_mut().expect("there are cells") &= (1 << (cells % 64)) - 1;
        }
        let mut summed = false;
        let total: u32 = self.open.iter().map(|w| w.count_ones()).sum();
        let mut seen = 0;
        while let Some(w) = self.open.iter().position(|w| *w != 0) {
            let size = self.flood(w as u32 * 64 + self.open[w].trailing_zeros());
            seen += size;
            if size == total {
                return true;
            }
            if !summed {
                self.add_up(sizes, left);
                summed = true;
            }
            if self.sums[size as usize / 64] >> (size % 64) & 1 == 0 {
                return false;
            }
            if seen == total {
                break;
            }
        }
        true
    }

    /// Takes a region out of the open cells; its size.
    fn flood(&mut self, start: u32) -> u32 {
        self.open[start as usize / 64] &= !(1 << (start % 64));
        self.stack.push(start);
        let mut size = 0;
        while let Some(c) = self.stack.pop() {
            size += 1;
            for n in self.joins[c as usize] {
                if n != NO_CELL && self.open[n as usize / 64] >> (n % 64) & 1 == 1 {
                    self.open[n as usize / 64] &= !(1 << (n % 64));
                    self.stack.push(n);
                }
            }
        }
        size
    }

    fn add_up(&mut self, sizes: &[u32], left: &[u32]) {
        self.sums.fill(0);
        self.sums[0] = 1;
        for (size, n) in sizes.iter().zip(left) {
            for _ in 0..*n {
                let (words, bits) = (*size as usize / 64, size % 64);
                for i in (words..self.sums.len()).rev() {
                    let low = self.sums[i - words] << bits;
                    let high = if bits > 0 && i > words { self.sums[i - words - 1] >> (64 - bits) } else { 0 };
                    self.sums[i] |= low | high;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Limits;
    use rand::{RngExt as _, seq::SliceRandom as _};
    use std::collections::BTreeSet;

    fn probe() -> Probe {
        Probe::new(Limits::default())
    }

    fn all(cover: &Cover) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        let sorted = |f: Found<'_>| {
            let mut s = f.options.to_vec();
            s.sort();
            s
        };
        let done = cover.search(&mut probe(), &mut |f| {
            found.push(sorted(f));
            true
        });
        assert!(done.is_ok());
        found.sort();
        found
    }

    /// Every subset of options, tried.
    fn naive(cells: usize, copies: &[u32], options: &[(usize, Vec<usize>)]) -> Vec<Vec<u32>> {
        let good = |set: &u32| {
            let chosen: Vec<_> = (0..options.len()).filter(|i| set >> i & 1 == 1).map(|i| &options[i]).collect();
            let covered: Vec<_> = chosen.iter().flat_map(|o| o.1.iter().copied()).collect();
            let once = covered.iter().collect::<BTreeSet<_>>().len() == covered.len() && covered.len() == cells;
            once && (0..copies.len()).all(|k| chosen.iter().filter(|o| o.0 == k).count() == copies[k] as usize)
        };
        let sets = (0..1u32 << options.len()).filter(good);
        let mut found: Vec<_> =
            sets.map(|s| (0..options.len() as u32).filter(|i| s >> i & 1 == 1).collect::<Vec<_>>()).collect();
        found.sort();
        found
    }

    #[test]
    fn it_agrees_with_trying_every_subset_on_thousands_of_small_problems() {
        let mut rng = crate::game::rng(7);
        let mut solvable = 0;
        for _ in 0..4000 {
            let cells = rng.random_range(1..=7);
            let copies: Vec<u32> = (0..rng.random_range(1..=4)).map(|_| rng.random_range(1..=2)).collect();
            let mut options: BTreeSet<(usize, Vec<usize>)> = BTreeSet::new();
            for _ in 0..rng.random_range(1..=11) {
                let mut some: Vec<usize> = (0..cells).collect();
                some.shuffle(&mut rng);
                some.truncate(rng.random_range(1..=3));
                some.sort();
                options.insert((rng.random_range(0..copies.len()), some));
            }
            let options: Vec<_> = options.into_iter().collect();
            let mut cover = Cover::new(cells, &copies).unwrap();
            options.iter().for_each(|(k, c)| cover.add(*k, c.iter().copied()));
            let expected = naive(cells, &copies, &options);
            assert_eq!(all(&cover), expected, "{cells} {copies:?} {options:?}");
            solvable += usize::from(!expected.is_empty());
        }
        assert!(solvable > 100, "the problems are not all hopeless: {solvable}");
    }

    #[test]
    fn dominoes_tile_the_six_by_six_board_in_6728_ways() {
        // The known number of domino tilings of the 6 x 6 board.
        let cell = |x: usize, y: usize| y * 6 + x;
        let mut cover = Cover::new(36, &[18]).unwrap();
        for y in 0..6 {
            for x in 0..6 {
                if x < 5 {
                    cover.add(0, [cell(x, y), cell(x + 1, y)]);
                }
                if y < 5 {
                    cover.add(0, [cell(x, y), cell(x, y + 1)]);
                }
            }
        }
        let near = |x: usize, y: usize| {
            let at = |dx: i32, dy: i32| {
                let (x, y) = (x as i32 + dx, y as i32 + dy);
                if (0..6).contains(&x) && (0..6).contains(&y) { (y * 6 + x) as u32 } else { NO_CELL }
            };
            [at(0, -1), at(1, 0), at(0, 1), at(-1, 0)]
        };
        let mut count = 0;
        let plain = cover.search(&mut probe(), &mut |_| {
            count += 1;
            true
        });
        assert_eq!(count, 6728);
        cover.joins((0..36).map(|i| near(i % 6, i / 6)).collect());
        count = 0;
        let with_areas = cover.search(&mut probe(), &mut |_| {
            count += 1;
            true
        });
        assert_eq!(count, 6728, "areas lose no solution");
        assert!(with_areas.unwrap().nodes <= plain.unwrap().nodes);
    }

    #[test]
    fn it_stops_when_told_and_when_enough_is_found() {
        let mut cover = Cover::new(20, &[20]).unwrap();
        (0..20).for_each(|c| cover.add(0, [c]));
        (0..19).for_each(|c| cover.add(0, [c, c + 1]));
        assert_eq!(cover.search(&mut Probe::new(Limits::nodes(5)), &mut |_| true), Err(Stop::Nodes));
        let mut seen = 0;
        let mut cover = Cover::new(4, &[1, 1, 1, 1]).unwrap();
        (0..4).for_each(|k| (0..4).for_each(|c| cover.add(k, [c])));
        let done = cover.search(&mut probe(), &mut |_| {
            seen += 1;
            seen < 3
        });
        assert!(done.is_ok());
        assert_eq!(seen, 3);
    }

    #[test]
    fn a_problem_too_large_is_no_problem() {
        assert!(Cover::new(MOST_ITEMS, &[1]).is_none());
        assert!(Cover::new(usize::MAX, &[1]).is_none());
        assert!(Cover::new(3, &[0]).is_none(), "a kind without copies");
        assert!(Cover::new(MOST_ITEMS - 1, &[1]).is_some());
    }
}
