//! Boards on the move: the position that IDA* changes with one gap, and the space of beams and A* with any number of gaps.

use super::{
    super::field::{Board, CELLS, Field, NONE, squares},
    detours::Detours,
    patterns::{Before, Patterns, Sums},
};
use crate::{
    job::{Probe, Stop},
    search::{
        beam::Spread,
        best_first::{Space, Successors},
        ida::Position,
    },
};
use std::sync::Arc;

/// A slide: the tile's square, and the gap it goes into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Slide {
    pub from: u8,
    pub to: u8,
}

impl Slide {
    /// Its name as a step of a search.
    fn step(self) -> u32 {
        u32::from(self.from) << 8 | u32::from(self.to)
    }

    /// The slide of a step.
    pub fn of(step: u32) -> Slide {
        Slide { from: (step >> 8) as u8, to: step as u8 }
    }
}

/// The slides into one gap, from each of some squares.
pub(in super::super) struct Slides {
    from: u64,
    to: u8,
}

impl Iterator for Slides {
    type Item = Slide;

    #[inline]
    fn next(&mut self) -> Option<Slide> {
        let from = self.from.trailing_zeros() as u8;
        (self.from != 0).then(|| {
            self.from &= self.from - 1;
            Slide { from, to: self.to }
        })
    }
}

/// A board with one gap and its lower bound.
#[derive(Clone)]
pub(in super::super) struct Walker<'a> {
    field: &'a Field,
    patterns: &'a Patterns,
    pub board: Board,
    gap: usize,
    sums: Sums,
    detours: &'static Detours,
    /// The state of the gap's walk so far.
    walk: u16,
    /// For each set of directions the squares they lead to from the first square of the second row, edges ignored.
    near: [u64; 16],
}

impl<'a> Walker<'a> {
    pub fn new(field: &'a Field, patterns: &'a Patterns, board: &Board, detours: &'static Detours) -> Walker<'a> {
        let gap = field.gaps_of(board).trailing_zeros() as usize;
        let w = u64::from(field.size.w);
        let ways = [0, w - 1, w + 1, 2 * w];
        let near = std::array::from_fn(|set| (0..4).filter(|i| set >> i & 1 == 1).fold(0, |m, i| m | 1 << ways[i]));
        let sums = patterns.sums(board);
        Walker { field, patterns, board: *board, gap, sums, detours, walk: Detours::START, near }
    }
}

impl Position for Walker<'_> {
    type Step = Slide;
    type Undo = (Before, u16);
    type Steps = Slides;

    /// The tables know the gap, so a bound of 0 means that all is in order.
    #[inline]
    fn done(&self) -> bool {
        self.sums.bound() == 0
    }

    #[inline]
    fn bound(&self) -> u32 {
        self.sums.bound()
    }

    /// Every slide with which the gap ends no detour; one that undoes the last always does.
    #[inline]
    fn steps(&self, _: Option<Slide>) -> Slides {
        let ways = self.near[usize::from(self.detours.free(self.walk))];
        let free = (ways << self.gap) >> self.field.size.w;
        Slides { from: self.field.near[self.gap] & free, to: self.gap as u8 }
    }

    /// Where the gap is.
    fn place(&self) -> Option<usize> {
        Some(self.gap)
    }

    #[inline]
    fn step(&mut self, step: Slide, limit: u32) -> Result<(Before, u16), u32> {
        let (from, to) = (usize::from(step.from), usize::from(step.to));
        let tile = self.board.0[from];
        let before = self.patterns.slid(&mut self.sums, tile, from, to, limit)?;
        self.board.0[to] = tile;
        self.board.0[from] = NONE;
        self.gap = from;
        // The gap goes where the tile comes from: up, left, right or down.
        let way = if from > to { 2 + usize::from(from > to + 1) } else { usize::from(from + 1 == to) };
        let walk = self.walk;
        self.walk = self.detours.after(walk, way);
        Ok((before, walk))
    }

    #[inline]
    fn back(&mut self, step: Slide, (before, walk): (Before, u16)) {
        self.walk = walk;
        let (from, to) = (usize::from(step.from), usize::from(step.to));
        let tile = self.board.0[to];
        self.patterns.unslid(&mut self.sums, tile, before);
        self.board.0[from] = tile;
        self.board.0[to] = NONE;
        self.gap = to;
    }
}

/// What a beam goes by: the sums of the board and of its mirror image. Where there is none all of these put boards in the same order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) enum Rank {
    /// Added.
    Sum,
    /// The larger one: the bound.
    Larger,
    /// All three added.
    Both,
}

/// The space of all boards of a field.
pub(in super::super) struct Boards {
    field: Field,
    rank: Rank,
    patterns: Arc<Patterns>,
    goal: Board,
    /// A random number for each tile on each square: their exclusive or is a board's hash.
    marks: Vec<[u64; CELLS]>,
}

/// A board with its gaps, bound and hash, and the slide that led to it.
#[derive(Clone, Copy)]
pub(in super::super) struct Node {
    board: Board,
    last: Option<Slide>,
    gaps: u64,
    pub sums: Sums,
    key: u64,
}

impl Boards {
    pub fn new(field: &Field, patterns: Arc<Patterns>) -> Boards {
        // SplitMix64: well spread, the same everywhere.
        let mut state = 0u64;
        let mut mark = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        let marks = field.homes.iter().map(|_| std::array::from_fn(|_| mark())).collect();
        Boards { field: field.clone(), rank: Rank::Sum, patterns, goal: field.goal(), marks }
    }

    /// The same with beams that go by this.
    pub fn ranked(self, rank: Rank) -> Boards {
        Boards { rank, ..self }
    }

    pub fn field(&self) -> &Field {
        &self.field
    }

    pub fn node(&self, board: &Board) -> Node {
        let tiles = board.0.iter().enumerate().filter(|(_, t)| **t != NONE);
        let key = tiles.fold(0, |key, (i, t)| key ^ self.marks[usize::from(*t)][i]);
        Node { board: *board, last: None, gaps: self.field.gaps_of(board), sums: self.patterns.sums(board), key }
    }

    /// The slides of a board with these gaps.
    fn slides(&self, board: Board, gaps: u64) -> impl Iterator<Item = Slide> {
        let near = &self.field.near;
        squares(gaps).flat_map(move |to| {
            let tiles = squares(near[to]).filter(move |from| board.0[*from] != NONE);
            tiles.map(move |from| Slide { from: from as u8, to: to as u8 })
        })
    }

    fn unpack(state: &[u8]) -> Board {
        let mut board = Board([NONE; CELLS]);
        board.0[..state.len()].copy_from_slice(state);
        board
    }

    /// What a slide changes in the hash.
    #[inline]
    fn change(&self, tile: u8, slide: Slide) -> u64 {
        let marks = &self.marks[usize::from(tile)];
        marks[usize::from(slide.from)] ^ marks[usize::from(slide.to)]
    }
}

impl Spread for Boards {
    type Node = Node;
    type Step = Slide;

    fn look(&self, node: &Node, mut each: impl FnMut(Slide, u16, u32, u64)) {
        let back = node.last.map(|last| Slide { from: last.to, to: last.from });
        for slide in self.slides(node.board, node.gaps).filter(|slide| Some(*slide) != back) {
            let tile = node.board.0[usize::from(slide.from)];
            let (plain, mirrored) = self.patterns.peek(&node.sums, tile, slide.from.into(), slide.to.into());
            let larger = plain.max(mirrored);
            let rank = match self.rank {
                Rank::Sum => plain + mirrored,
                Rank::Larger => larger,
                Rank::Both => plain + mirrored + larger,
            };
            each(slide, rank, larger.into(), node.key ^ self.change(tile, slide));
        }
    }

    fn take(&self, node: &mut Node, slide: Slide) {
        let (from, to) = (usize::from(slide.from), usize::from(slide.to));
        let tile = node.board.0[from];
        // No limit, so it is never refused.
        let _ = self.patterns.slid(&mut node.sums, tile, from, to, u32::MAX);
        node.board.0.swap(from, to);
        node.key ^= self.change(tile, slide);
        node.gaps ^= 1 << from | 1 << to;
        node.last = Some(slide);
    }

    fn done(&self, node: &Node) -> bool {
        node.board == self.goal
    }
}

/// A state is the tile on each square.
impl Space for Boards {
    type Word = u8;
    const CHEAP_ESTIMATE: bool = true;

    fn expand(&mut self, state: &[u8], out: &mut Successors<u8>, probe: &mut Probe) -> Result<(), Stop> {
        let board = Self::unpack(state);
        let mut next = state.to_vec();
        for slide in self.slides(board, self.field.gaps_of(&board)) {
            next.swap(slide.from.into(), slide.to.into());
            out.push(&next, 1, slide.step(), probe)?;
            next.swap(slide.from.into(), slide.to.into());
        }
        Ok(())
    }

    fn estimate(&mut self, state: &[u8], _: &mut Probe) -> Result<Option<u32>, Stop> {
        Ok(Some(self.patterns.sums(&Self::unpack(state)).bound()))
    }

    fn is_goal(&self, state: &[u8]) -> bool {
        self.goal.0[..state.len()] == *state
    }

    /// Counts where the gaps are.
    fn visited(&self, state: &[u8], probe: &mut Probe) {
        squares(self.field.gaps_of(&Self::unpack(state))).for_each(|cell| probe.visit(cell));
    }

    fn bytes(&mut self) -> u64 {
        self.patterns.bytes.len() as u64
    }
}
