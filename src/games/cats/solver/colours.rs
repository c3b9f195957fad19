//! What one colour can do, by itself: its shapes' places and its living cats as one number.
//!
//! A position of the whole board is one such number a colour. Colours meet only where their cells do, so everything else (the bound, the
//! steps, what they take) is worked out once for each number and looked up ever after. Colours that tandems link are one here
//! ([`super::layout::Group`]): "colour" means the group, and "shape" a tandem too.
//!
//! Shapes that cannot be told apart are kept in the order of their places. Shapes of one colour may overlap here: such a position
//! never arises in play, but the corridor of a shape (below) is worked out with the others standing still.
//!
//! Threads that search together share the numbers ([`Numbers`]), so that a position of the board is the same words to all of them. What is worked out for
//! a number each has for itself: that is looked up far too often to be locked.

use super::layout::{Layout, NOWHERE, Scratch};
use crate::{
    grid::Dir,
    job::lock,
    search::{bits::Bits, states::States},
};
use rustc_hash::FxHashMap;
use std::{
    collections::hash_map::Entry,
    sync::{Arc, Mutex},
};

/// A step of one shape within its colour.
#[derive(Clone, Copy)]
pub(super) struct Op<const W: usize> {
    /// The colour's number after it.
    pub next: u32,
    /// Which piece moves, and which number it has afterwards.
    pub slot: u16,
    pub after: u16,
    /// By how much it raises cost plus bound: 0, 1 or 2.
    pub waste: u8,
    /// Whether it runs into a shape of its own colour, or into a living cat (which is then of another colour of the group).
    pub collides: bool,
    /// Whether a living cat of the group is in the way.
    pub cat: bool,
    /// The cells it enters.
    pub fresh: Bits<W>,
}

/// The numbers of one colour's positions. The words of a position are its pieces' places, two a word, and two words of living cats.
struct Numbers(Mutex<States<u32>>);

impl Numbers {
    fn of(&self, words: &[u32]) -> u32 {
        let mut states = lock(&self.0);
        states.make_room();
        match states.find(words) {
            Ok(id) => id,
            Err(place) => states.insert(place, words),
        }
    }

    fn read(&self, id: u32, words: &mut Vec<u32>) {
        words.clear();
        words.extend_from_slice(lock(&self.0).get(id));
    }

    fn bytes(&self) -> usize {
        lock(&self.0).bytes()
    }
}

/// The positions of one colour that were met, by their numbers.
pub(super) struct Colour<const W: usize> {
    group: usize,
    pieces: usize,
    numbers: Arc<Numbers>,
    /// The words of the numbers met.
    keys: Vec<u32>,
    width: usize,
    /// Cells of all its shapes.
    pub occupied: Vec<Bits<W>>,
    /// Cells of its living cats that others cannot enter.
    pub cats: Vec<Bits<W>>,
    /// Lower bound on its steps.
    pub bound: Vec<u16>,
    /// How many of its cats live; [`NOT_MET`] of a number that only other threads have met.
    pub living: Vec<u8>,
    /// Where the steps of a number begin in `ops`, and how many there are.
    ops_at: Vec<(u32, u32)>,
    ops: Vec<Op<W>>,
    /// Per number and piece: what the bound would be if the piece stood still.
    frozen: FxHashMap<u32, Vec<u16>>,
    corridors: FxHashMap<u64, Bits<W>>,
    /// Per number and piece: where its row begins in `moved`. A row holds, for each place of the piece, the number once it stands there and all else is
    /// as it was, or [`NO_NUMBER`] if that was not worked out yet.
    rows: FxHashMap<u64, u32>,
    moved: Vec<u32>,
    scratch: Scratch,
    words: Vec<u32>,
    place: Vec<u16>,
}

const NO_NUMBER: u32 = u32::MAX;
const NOT_MET: u8 = u8::MAX;
/// Rows have this many entries at most, all together.
const MOST_MOVED: usize = 1 << 23;
const NOT_YET: (u32, u32) = (u32::MAX, 0);
/// Beyond this length a corridor is not worked out but taken to be everything: the work goes as deep as the walk is long, and large
/// boards have large sets.
const fn longest(words: usize) -> u32 {
    if words <= 8 { 400 } else { 60 }
}

impl<const W: usize> Colour<W> {
    pub fn new(layout: &Layout<W>, group: usize) -> Colour<W> {
        let pieces = layout.groups[group].pieces.len();
        let width = pieces.div_ceil(2) + 2;
        Colour::with_numbers(Arc::new(Numbers(Mutex::new(States::new(width)))), group, pieces, width)
    }

    /// The same colour for another thread.
    pub fn beside(&self) -> Colour<W> {
        Colour::with_numbers(self.numbers.clone(), self.group, self.pieces, self.width)
    }

    fn with_numbers(numbers: Arc<Numbers>, group: usize, pieces: usize, width: usize) -> Colour<W> {
        Colour {
            group,
            pieces,
            numbers,
            keys: Vec::new(),
            width,
            occupied: Vec::new(),
            cats: Vec::new(),
            bound: Vec::new(),
            living: Vec::new(),
            ops_at: Vec::new(),
            ops: Vec::new(),
            frozen: FxHashMap::default(),
            corridors: FxHashMap::default(),
            rows: FxHashMap::default(),
            moved: Vec::new(),
            scratch: Scratch::default(),
            words: Vec::new(),
            place: Vec::new(),
        }
    }

    /// The number of a position. `place` must be in order among interchangeable pieces; those that have left are [`NOWHERE`].
    pub fn number(&mut self, layout: &Layout<W>, place: &[u16], living: u64) -> u32 {
        self.words.clear();
        for pair in place.chunks(2) {
            self.words.push(u32::from(pair[0]) | u32::from(pair.get(1).copied().unwrap_or(0)) << 16);
        }
        self.words.push(living as u32);
        self.words.push((living >> 32) as u32);
        let id = self.numbers.of(&self.words);
        if !self.has_met(id) {
            self.take_in(layout, id, place, living);
        }
        id
    }

    #[inline]
    fn has_met(&self, id: u32) -> bool {
        self.living.get(id as usize).is_some_and(|living| *living != NOT_MET)
    }

    /// Takes in a number that another thread may have given.
    #[inline]
    pub fn learn(&mut self, layout: &Layout<W>, id: u32) {
        if !self.has_met(id) {
            self.numbers.read(id, &mut self.words);
            let place = places(&self.words, self.pieces).collect::<Vec<_>>();
            self.take_in(layout, id, &place, living(&self.words));
        }
    }

    /// Notes what belongs to a number; its words are at hand.
    fn take_in(&mut self, layout: &Layout<W>, id: u32, place: &[u16], living: u64) {
        let group = &layout.groups[self.group];
        let mut occupied = Bits::EMPTY;
        for (piece, p) in group.pieces.iter().zip(place).filter(|(_, p)| **p != NOWHERE) {
            occupied = occupied.or(&layout.places[piece.places].cells[*p as usize]);
        }
        let mut cats = Bits::EMPTY;
        for (k, cell) in group.cat_cell.iter().enumerate() {
            if living >> k & 1 == 1
                && let Some(c) = cell
            {
                cats.insert(*c);
            }
        }
        let bound = if living == 0 { 0 } else { layout.bound(self.group, place, living, None, &mut self.scratch) };
        let id = id as usize;
        if id >= self.living.len() {
            self.keys.resize((id + 1) * self.width, 0);
            self.occupied.resize(id + 1, Bits::EMPTY);
            self.cats.resize(id + 1, Bits::EMPTY);
            self.bound.resize(id + 1, 0);
            self.living.resize(id + 1, NOT_MET);
            self.ops_at.resize(id + 1, NOT_YET);
        }
        self.keys[id * self.width..][..self.width].copy_from_slice(&self.words);
        (self.occupied[id], self.cats[id]) = (occupied, cats);
        (self.bound[id], self.living[id]) = (bound, living.count_ones() as u8);
    }

    /// Where the numbers are that one piece's moves from a number lead to, by its place afterwards; nowhere if there are too many.
    pub fn row(&mut self, layout: &Layout<W>, id: u32, slot: usize) -> Option<usize> {
        let places = layout.places[layout.groups[self.group].pieces[slot].places].cells.len();
        let end = self.moved.len();
        let row = match self.rows.entry(u64::from(id) << 16 | slot as u64) {
            Entry::Occupied(row) => *row.get(),
            Entry::Vacant(_) if end + places > MOST_MOVED => return None,
            Entry::Vacant(row) => {
                self.moved.resize(end + places, NO_NUMBER);
                *row.insert(end as u32)
            }
        };
        Some(row as usize)
    }

    /// The number in a row, if it was noted.
    #[inline]
    pub fn in_row(&self, row: usize, place: u16) -> Option<u32> {
        Some(self.moved[row + usize::from(place)]).filter(|id| *id != NO_NUMBER)
    }

    /// Notes a number in a row.
    pub fn note(&mut self, row: usize, place: u16, id: u32) {
        self.moved[row + usize::from(place)] = id;
    }

    /// The words of a number.
    #[inline]
    fn key(&self, id: u32) -> &[u32] {
        &self.keys[id as usize * self.width..][..self.width]
    }

    /// The places of a number's pieces.
    pub fn places(&self, id: u32, out: &mut Vec<u16>) {
        out.clear();
        out.extend(places(self.key(id), self.pieces));
    }

    /// The place of one piece.
    #[inline]
    pub fn place_of(&self, id: u32, slot: usize) -> u16 {
        (self.key(id)[slot / 2] >> (16 * (slot % 2))) as u16
    }

    /// The living cats, as bits within the colour.
    pub fn living_set(&self, id: u32) -> u64 {
        living(self.key(id))
    }

    /// The steps from a number, those of one piece together. Works them out the first time.
    pub fn prepare(&mut self, layout: &Layout<W>, id: u32) {
        if self.ops_at[id as usize] != NOT_YET {
            return;
        }
        let group = &layout.groups[self.group];
        let living = self.living_set(id);
        let mut place = std::mem::take(&mut self.place);
        self.places(id, &mut place);
        let mut found: Vec<Op<W>> = Vec::new();
        for slot in (0..self.pieces).filter(|slot| place[*slot] != NOWHERE) {
            let table = &layout.places[group.pieces[slot].places];
            let from = place[slot] as usize;
            let siblings = layout.siblings(self.group, &place, slot);
            for dir in Dir::ALL {
                let to = table.moves[from][dir as usize];
                if to == NOWHERE {
                    continue;
                }
                let left = living & !table.touch[to as usize];
                let mut moved = place.clone();
                moved[slot] = to;
                group.take_off(&mut moved, living, left);
                let after = settle(&mut moved, &group.class, slot);
                let next = self.number(layout, &moved, left);
                let waste = 1 + self.bound[next as usize] - self.bound[id as usize].min(1 + self.bound[next as usize]);
                let cat = table.stops[to as usize] & living != 0;
                found.push(Op {
                    next,
                    slot: slot as u16,
                    after: after as u16,
                    waste: waste as u8,
                    collides: cat || table.cells[to as usize].meets(&siblings),
                    cat,
                    fresh: table.cells[to as usize].without(&table.cells[from]),
                });
            }
        }
        self.place = place;
        self.ops_at[id as usize] = (self.ops.len() as u32, found.len() as u32);
        self.ops.extend(found);
    }

    /// The steps from a prepared number.
    #[inline]
    pub fn ops(&self, id: u32) -> &[Op<W>] {
        let (at, count) = self.ops_at[id as usize];
        &self.ops[at as usize..][..count as usize]
    }

    /// What the bound would be if a piece stood still from here on.
    pub fn frozen(&mut self, layout: &Layout<W>, id: u32, slot: usize) -> u16 {
        if let Some(all) = self.frozen.get(&id) {
            return all[slot];
        }
        let mut place = Vec::new();
        self.places(id, &mut place);
        let living = self.living_set(id);
        let all: Vec<u16> =
            (0..self.pieces).map(|i| layout.bound(self.group, &place, living, Some(i), &mut self.scratch)).collect();
        let answer = all[slot];
        self.frozen.insert(id, all);
        answer
    }

    /// The cells a piece may ever cover in a solution that wastes at most `slack` from here on: those of all its walks that, with the
    /// other pieces of its colour still to go their best ways, raise cost plus bound by no more. (Walks of different pieces of a
    /// colour can be put in any order as far as the bound is concerned, since it ignores that they are in each other's way; so a
    /// piece's own walk may be thought to come first.)
    pub fn corridor(&mut self, layout: &Layout<W>, id: u32, slot: usize, slack: u32) -> Bits<W> {
        let key = u64::from(id) << 32 | (slot as u64) << 16 | u64::from(slack.min(0xFFFF));
        if let Some(cells) = self.corridors.get(&key) {
            return *cells;
        }
        let place = self.place_of(id, slot);
        if place == NOWHERE {
            return Bits::EMPTY;
        }
        let table = &layout.places[layout.groups[self.group].pieces[slot].places];
        let mut cells = table.cells[place as usize];
        if u32::from(self.bound[id as usize]) + slack > longest(W) {
            cells = table.cells.iter().fold(cells, |all, c| all.or(c));
        } else {
            self.prepare(layout, id);
            for i in 0..self.ops(id).len() {
                let op = self.ops(id)[i];
                if op.slot as usize == slot && u32::from(op.waste) <= slack {
                    cells = cells.or(&op.fresh);
                    cells = cells.or(&self.corridor(layout, op.next, op.after as usize, slack - u32::from(op.waste)));
                }
            }
        }
        self.corridors.insert(key, cells);
        cells
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let per_state = 2 * 8 * W + 2 + 1 + 8 + 4 * self.width;
        self.numbers.bytes()
            + self.bound.capacity() * per_state
            + self.ops.capacity() * size_of::<Op<W>>()
            + self.moved.capacity() * size_of::<u32>()
            + self.rows.capacity() * (size_of::<(u64, u32)>() + 1)
            + self.corridors.capacity() * (size_of::<(u64, Bits<W>)>() + 1)
            + self.frozen.capacity() * (size_of::<(u32, Vec<u16>)>() + 2 * self.pieces + 17)
    }
}

/// The places of the pieces in the words of a position.
fn places(words: &[u32], pieces: usize) -> impl Iterator<Item = u16> {
    words.iter().flat_map(|w| [*w as u16, (w >> 16) as u16]).take(pieces)
}

/// The living cats in the words of a position.
fn living(words: &[u32]) -> u64 {
    let [.., low, high] = words else { return 0 };
    u64::from(*low) | u64::from(*high) << 32
}

/// Puts a moved piece back in order among those it is interchangeable with; its new number.
pub(super) fn settle(place: &mut [u16], class: &[usize], slot: usize) -> usize {
    let mut at = slot;
    while at > class[slot] && place[at - 1] > place[at] {
        place.swap(at - 1, at);
        at -= 1;
    }
    while at + 1 < place.len() && class[at + 1] == class[slot] && place[at + 1] < place[at] {
        place.swap(at, at + 1);
        at += 1;
    }
    at
}
