//! Additive pattern databases: lower bounds on the slides, from tables.
//!
//! The tiles are shared out among groups. For each group a table holds, for every placing of its tiles, the least number of *its own*
//! slides that brings them home, all other tiles being air. A slide moves one tile, which belongs to one group, so the sums over the
//! groups never count a slide twice: the sum is a lower bound (Korf and Felner, 2002).
//!
//! With one gap the tables know where it is as far as it matters: the gap wanders through air at no cost, so a node of the table's
//! breadth-first search is a placing together with the connected piece of free squares that holds the gap, and the table keeps the least over
//! the pieces. With several gaps they are ignored, which is a bound all the same. Where the field is its own mirror image in the main diagonal the
//! same tables bound the mirror image, and the larger of the two sums counts.
//!
//! A bound that counts each tile's own slides has the parity of the sum of the ways home, which is the parity of the true distance: rounds of
//! IDA* go up by twos by themselves.

use super::super::field::{Board, CELLS, Field, NONE, squares};
use crate::{
    job::{Probe, Stop},
    search::parts::{in_parts, threads},
};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

/// The most groups there can be: 35 tiles by threes.
pub(in super::super) const GROUPS: usize = 12;
/// A placing no slide leads to (a wall of fixed tiles between): beyond any cost.
const FAR: u8 = u8::MAX;

/// The tables of a field.
#[derive(Debug)]
pub(in super::super) struct Patterns {
    cells: usize,
    groups: usize,
    /// All tables, one after another.
    pub(super) bytes: Vec<u8>,
    /// The group of each tile.
    group: [u8; CELLS],
    /// What a tile's square counts in the index of its group's table.
    weight: [u32; CELLS],
    /// Where each group's table begins.
    base: [u32; GROUPS],
    mirror: Option<Mirror>,
}

/// The mirror image: of squares, and of tiles by their homes.
#[derive(Clone, Debug)]
struct Mirror {
    cell: [u8; CELLS],
    tile: [u8; CELLS],
}

/// Two indices and two sums: the board's and its mirror image's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in super::super) struct Sums {
    index: [u32; GROUPS],
    mirror: [u32; GROUPS],
    plain: u16,
    mirrored: u16,
}

/// What a slide changed in the sums.
pub(in super::super) struct Before {
    index: u32,
    mirror: u32,
    plain: u16,
    mirrored: u16,
}

impl Sums {
    /// The lower bound.
    #[inline]
    pub fn bound(&self) -> u32 {
        u32::from(self.plain.max(self.mirrored))
    }
}

/// The tiles of a field shared out into groups of at most `most`, by homes that lie together.
pub(in super::super) fn share(field: &Field, most: usize) -> Vec<Vec<u8>> {
    let tiles = field.homes.len();
    let count = tiles.div_ceil(most).max(1);
    // Along the rows in bands two high, snaking, so that a group is a compact piece.
    let mut order: Vec<u8> = (0..tiles as u8).collect();
    let w = i32::from(field.size.w);
    order.sort_by_key(|t| {
        let home = i32::from(field.homes[usize::from(*t)]);
        let (x, y) = (home % w, home / w);
        let band = y / 2;
        (band, if band % 2 == 0 { x } else { w - 1 - x }, y)
    });
    let mut groups = vec![Vec::new(); count];
    for (i, tile) in order.into_iter().enumerate() {
        groups[i * count / tiles].push(tile);
    }
    groups
}

impl Patterns {
    /// Lays out the tables of these groups, all still empty.
    pub fn layout(field: &Field, groups: &[Vec<u8>]) -> Patterns {
        let cells = field.cells();
        let mut out = Patterns {
            cells,
            groups: groups.len().min(GROUPS),
            bytes: Vec::new(),
            group: [0; CELLS],
            weight: [0; CELLS],
            base: [0; GROUPS],
            mirror: None,
        };
        let mut base = 0;
        for (g, tiles) in groups.iter().enumerate().take(GROUPS) {
            out.base[g] = base as u32;
            let mut weight = 1;
            for tile in tiles {
                out.group[usize::from(*tile)] = g as u8;
                out.weight[usize::from(*tile)] = weight as u32;
                weight *= cells;
            }
            base += weight;
        }
        if field.mirrors() {
            let mut mirror = Mirror { cell: [0; CELLS], tile: [0; CELLS] };
            for i in 0..cells {
                mirror.cell[i] = field.mirrored(i) as u8;
            }
            for (tile, home) in field.homes.iter().enumerate() {
                let there = mirror.cell[usize::from(*home)];
                let twin = field.homes.iter().position(|h| *h == there).unwrap_or(tile);
                mirror.tile[tile] = twin as u8;
            }
            out.mirror = Some(mirror);
        }
        out
    }

    /// Builds all tables, one after another.
    pub fn build(field: &Field, groups: &[Vec<u8>], probe: &mut Probe) -> Result<Patterns, Stop> {
        let mut out = Patterns::layout(field, groups);
        for tiles in groups.iter().take(GROUPS) {
            out.bytes.extend(build_table(field, tiles, probe)?);
        }
        Ok(out)
    }

    /// The sums of a board.
    pub fn sums(&self, board: &Board) -> Sums {
        let mut s = Sums { index: self.base, mirror: self.base, plain: 0, mirrored: 0 };
        for (i, tile) in board.0[..self.cells].iter().enumerate().filter(|(_, t)| **t != NONE) {
            let t = usize::from(*tile);
            s.index[usize::from(self.group[t])] += self.weight[t] * i as u32;
            if let Some(m) = &self.mirror {
                let twin = usize::from(m.tile[t]);
                s.mirror[usize::from(self.group[twin])] += self.weight[twin] * u32::from(m.cell[i]);
            }
        }
        for g in 0..self.groups {
            s.plain += u16::from(self.bytes[s.index[g] as usize]);
            if self.mirror.is_some() {
                s.mirrored += u16::from(self.bytes[s.mirror[g] as usize]);
            }
        }
        s
    }

    /// The sums after a tile's slide, if the bound stays within `limit` (what they were comes back); else the bound.
    #[inline]
    pub fn slid(&self, s: &mut Sums, tile: u8, from: usize, to: usize, limit: u32) -> Result<Before, u32> {
        let t = usize::from(tile);
        let g = usize::from(self.group[t]);
        let new_plain = s.index[g].wrapping_add(self.weight[t].wrapping_mul((to as u32).wrapping_sub(from as u32)));
        let plain = s.plain - u16::from(self.bytes[s.index[g] as usize]) + u16::from(self.bytes[new_plain as usize]);
        if u32::from(plain) > limit {
            return Err(plain.into());
        }
        if let Some(m) = &self.mirror {
            let twin = usize::from(m.tile[t]);
            let h = usize::from(self.group[twin]);
            let step = u32::from(m.cell[to]).wrapping_sub(m.cell[from].into());
            let new = s.mirror[h].wrapping_add(self.weight[twin].wrapping_mul(step));
            let mirrored =
                s.mirrored - u16::from(self.bytes[s.mirror[h] as usize]) + u16::from(self.bytes[new as usize]);
            if u32::from(mirrored) > limit {
                return Err(mirrored.into());
            }
            let before = Before { index: s.index[g], mirror: s.mirror[h], plain: s.plain, mirrored: s.mirrored };
            s.mirror[h] = new;
            s.mirrored = mirrored;
            s.index[g] = new_plain;
            s.plain = plain;
            return Ok(before);
        }
        let before = Before { index: s.index[g], mirror: 0, plain: s.plain, mirrored: 0 };
        s.index[g] = new_plain;
        s.plain = plain;
        Ok(before)
    }

    /// Both sums after a tile's slide. Together they are a finer rank than the bound.
    #[inline]
    pub fn peek(&self, s: &Sums, tile: u8, from: usize, to: usize) -> (u16, u16) {
        let t = usize::from(tile);
        let after = |sum: u16, index: u32, weight: u32, from: u32, to: u32| {
            let new = index.wrapping_add(weight.wrapping_mul(to.wrapping_sub(from)));
            sum - u16::from(self.bytes[index as usize]) + u16::from(self.bytes[new as usize])
        };
        let index = s.index[usize::from(self.group[t])];
        let plain = after(s.plain, index, self.weight[t], from as u32, to as u32);
        let Some(m) = &self.mirror else { return (plain, 0) };
        let twin = usize::from(m.tile[t]);
        let index = s.mirror[usize::from(self.group[twin])];
        (plain, after(s.mirrored, index, self.weight[twin], m.cell[from].into(), m.cell[to].into()))
    }

    /// Puts back the sums before a tile's slide.
    #[inline]
    pub fn unslid(&self, s: &mut Sums, tile: u8, before: Before) {
        let t = usize::from(tile);
        s.index[usize::from(self.group[t])] = before.index;
        s.plain = before.plain;
        if let Some(m) = &self.mirror {
            s.mirror[usize::from(self.group[usize::from(m.tile[t])])] = before.mirror;
            s.mirrored = before.mirrored;
        }
    }
}

/// Fills one group's table by breadth-first search from home, layer by layer, each large layer on all threads. What a table holds does not
/// depend on the order within a layer.
pub(super) fn build_table(field: &Field, tiles: &[u8], probe: &mut Probe) -> Result<Vec<u8>, Stop> {
    let cells = field.cells();
    let size = cells.pow(tiles.len() as u32);
    let threads = threads(probe.mode());
    probe.check()?;
    probe.allow(size as u64 * 9)?;
    let table: Vec<AtomicU8> = (0..size).map(|_| AtomicU8::new(FAR)).collect();
    // For each placing, the squares where the gap has been.
    let been: Vec<AtomicU64> = (0..size).map(|_| AtomicU64::new(0)).collect();
    let spread = Placings { field, air: Air::new(field), tiles: tiles.len(), table: &table, been: &been };
    let homes = tiles.iter().map(|t| usize::from(field.homes[usize::from(*t)]));
    let start = homes.clone().rev().fold(0, |index, home| index * cells + home);
    let free = homes.fold(field.open, |m, h| m & !(1 << h));
    let first = spread.piece(field.gap_homes(), free);
    table[start].store(0, Ordering::Relaxed);
    been[start].store(first, Ordering::Relaxed);
    let mut layer = vec![(start as u32, first)];
    let mut cost = 0u8;
    while !layer.is_empty() && cost < FAR - 1 {
        cost += 1;
        let mut next = Vec::with_capacity(layer.len());
        for slice in layer.chunks(PART * threads) {
            let parts = in_parts(slice, threads, PART / 4, |_, part| {
                let mut out = Vec::with_capacity(part.len() * 2);
                spread.expand(part, cost, &mut out);
                out
            });
            parts.into_iter().for_each(|part| next.extend(part));
            probe.check()?;
        }
        layer = next;
    }
    Ok(table.into_iter().map(AtomicU8::into_inner).collect())
}

/// Placings for one thread between two looks at the clock.
const PART: usize = 1 << 14;

struct Placings<'a> {
    field: &'a Field,
    air: Air,
    tiles: usize,
    table: &'a [AtomicU8],
    been: &'a [AtomicU64],
}

impl Placings<'_> {
    /// Where the gap can be: the piece it is in, or anywhere if there are several.
    fn piece(&self, from: u64, free: u64) -> u64 {
        if self.field.gaps == 1 { self.air.piece(from, free) } else { free }
    }

    /// Makes every slide of the group from these nodes (a placing and the gap's piece) and notes what is new.
    fn expand(&self, nodes: &[(u32, u64)], cost: u8, next: &mut Vec<(u32, u64)>) {
        let cells = self.field.cells();
        for &(index, gap) in nodes {
            let mut rest = index as usize;
            let mut places = [0usize; 8];
            let mut taken = 0u64;
            for place in &mut places[..self.tiles] {
                *place = rest % cells;
                rest /= cells;
                taken |= 1 << *place;
            }
            let mut weight = 1;
            for &from in &places[..self.tiles] {
                for to in squares(self.field.near[from] & gap) {
                    let moved = (index as usize + to * weight) - from * weight;
                    if self.been[moved].load(Ordering::Relaxed) >> from & 1 == 1 {
                        continue;
                    }
                    let piece = self.piece(1 << from, self.field.open & !(taken ^ (1 << from | 1 << to)));
                    // Whoever enters a piece first takes it on; a piece is entered as a whole.
                    if self.been[moved].fetch_or(piece, Ordering::Relaxed) & piece == 0 {
                        self.table[moved].fetch_min(cost, Ordering::Relaxed);
                        next.push((moved as u32, piece));
                    }
                }
                weight *= cells;
            }
        }
    }
}

/// Flooding by shifts.
struct Air {
    width: u32,
    not_left: u64,
    not_right: u64,
}

impl Air {
    fn new(field: &Field) -> Air {
        let w = u32::from(field.size.w);
        let column = |x: u32| (0..u32::from(field.size.h)).fold(0u64, |m, y| m | 1 << (y * w + x));
        Air { width: w, not_left: !column(0), not_right: !column(w - 1) }
    }

    /// The connected piece of `free` that holds `from`.
    #[inline]
    fn piece(&self, from: u64, free: u64) -> u64 {
        let mut all = from & free;
        loop {
            let next = (all
                | ((all << 1) & self.not_left)
                | ((all >> 1) & self.not_right)
                | (all << self.width)
                | (all >> self.width))
                & free;
            if next == all {
                return all;
            }
            all = next;
        }
    }
}
