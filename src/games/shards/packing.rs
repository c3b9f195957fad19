//! A level as an exact cover problem: open triangles are the cells, piece forms the kinds, placings the options.
//!
//! **Identical pieces** are copies of one kind: two pieces are identical when an allowed orientation makes their forms equal. A placing is kept
//! once however many orientations give it. So every solution of the cover problem is a different way to cut the board into the
//! given forms.
//!
//! **Symmetric solutions.** Let S be the allowed orientations that map the outline onto itself. They map solutions to solutions, and the
//! solutions of one orbit count as one. Where some kind has a single copy, only one of its placings in each orbit under S is tried (the
//! least); every orbit of solutions has a member with that piece there. Two members can both have it there only if the placing is
//! its own image under some of S; then, and where no kind is single, the solution is compared with its images, and only the least of the orbit
//! counts. Nothing has to be remembered. With pieces already on the board the symmetry is broken, and completions are taken as they are.

use super::{
    Level, Move, Placing, State, rules,
    triangle::{Tri, turned_part},
};
use crate::{
    game::Tally,
    grid::{Cell, Sym, cell},
    job::{Probe, Stop},
    search::exact_cover::{Cover, Found, NO_CELL, Stats},
};
use std::collections::{BTreeMap, BTreeSet};

/// Pieces that are the same.
struct Kind {
    pieces: Vec<usize>,
    forms: Vec<Vec<Tri>>,
}

/// How an option places its kind.
struct Way {
    form: usize,
    at: Cell,
}

/// The cover problem of a position.
pub(super) struct Packing<'a> {
    level: &'a Level,
    pub(super) cover: Cover,
    kinds: Vec<Kind>,
    ways: Vec<Way>,
    items: usize,
    /// S without the identity, as permutations of the items.
    images: Vec<Vec<u32>>,
    /// The kind of which only the least placings are tried.
    fixed: Option<usize>,
    /// The options to search, in the order to try them.
    pub(super) options: Vec<u32>,
}

/// What a count came to.
pub(super) struct Count {
    /// Solutions, and whether these are all.
    pub(super) tally: Tally,
    /// What stopped it.
    pub(super) stopped: Option<Stop>,
    /// How the search went, where it was not stopped.
    pub(super) stats: Option<Stats>,
}

/// A solution as moves, with the number of choices at each.
pub(super) struct Line {
    pub(super) moves: Vec<Move>,
    pub(super) widths: Vec<u32>,
}

impl<'a> Packing<'a> {
    /// The problem of covering what is open in a position with the pieces in the tray. `None` if their areas differ.
    pub(super) fn new(level: &'a Level, state: &State) -> Option<Packing<'a>> {
        let over = rules::coverage(level, state);
        let open: Vec<Tri> = level.triangles().filter(|t| over[t.cell][t.k as usize].is_none()).collect();
        let waiting: Vec<usize> = (0..level.pieces().len()).filter(|i| state.placed()[*i].is_none()).collect();
        let area: usize = waiting.iter().map(|i| level.pieces()[*i].triangles.len()).sum();
        if area != open.len() || waiting.iter().any(|i| level.pieces()[*i].triangles.is_empty()) {
            return None;
        }
        let size = level.board().size();
        let mut item_of = vec![NO_CELL; size.area() * 4];
        for (item, t) in open.iter().enumerate() {
            item_of[t.index(size)] = item as u32;
        }
        let item = |t: Tri| if size.contains(t.cell) { item_of[t.index(size)] } else { NO_CELL };
        let kinds = kinds(level, &waiting);
        let copies: Vec<u32> = kinds.iter().map(|k| k.pieces.len() as u32).collect();
        let mut cover = Cover::new(open.len(), &copies)?;
        let mut ways = Vec::new();
        let mut covered = Vec::new();
        for (k, kind) in kinds.iter().enumerate() {
            for (f, form) in kind.forms.iter().enumerate() {
                for at in size.cells() {
                    covered.clear();
                    covered.extend(form.iter().map(|t| item(t.shifted(at))).take_while(|i| *i != NO_CELL));
                    if covered.len() == form.len() {
                        cover.add(k, covered.iter().map(|i| *i as usize));
                        ways.push(Way { form: f, at });
                    }
                }
            }
        }
        cover.places(open.iter().map(|t| size.index(t.cell)).collect());
        let near = |t: &Tri| {
            let [a, b, c] = t.neighbours().map(item);
            [a, b, c, NO_CELL]
        };
        cover.joins(open.iter().map(near).collect());
        let untouched = state.placed().iter().all(Option::is_none);
        let symmetries = if untouched { &level.orientations()[1..] } else { &[] };
        let images = symmetries.iter().filter_map(|s| image(&open, *s, &item)).collect();
        let options = (0..cover.len() as u32).collect();
        let mut packing = Packing { level, cover, kinds, ways, items: open.len(), images, fixed: None, options };
        packing.fix_one_kind();
        Some(packing)
    }

    /// Of the largest kind with a single copy, keeps one placing an orbit.
    fn fix_one_kind(&mut self) {
        if self.images.is_empty() {
            return;
        }
        let single = (0..self.kinds.len()).filter(|k| self.kinds[*k].pieces.len() == 1);
        self.fixed = single.max_by_key(|k| self.kinds[*k].forms[0].len());
        if let Some(fixed) = self.fixed {
            let least = |o: &u32| {
                let own: Vec<u32> = self.cover.cells_of(*o).map(|c| c as u32).collect();
                self.images.iter().all(|image| own <= moved(&own, image))
            };
            let kept = self.options.iter().copied().filter(|o| self.cover.kind(*o) != fixed || least(o)).collect();
            self.options = kept;
        }
    }

    /// Counts solutions up to a limit; `each` sees them, and may end the count by answering `false`.
    pub(super) fn count(&self, limit: u64, probe: &mut Probe, each: &mut dyn FnMut(Line) -> bool) -> Count {
        let mut found = 0;
        let mut enough = limit == 0;
        let done = self.cover.search_among(&self.options, probe, &mut |f| {
            if self.counts(f.options) {
                found += 1;
                enough = !each(self.line(f)) || found >= limit;
            }
            !enough
        });
        let tally = Tally { found, all: done.is_ok() && !enough };
        Count { tally, stopped: done.err(), stats: done.ok() }
    }

    /// Whether solutions have images that count as the same.
    pub(super) fn has_images(&self) -> bool {
        !self.images.is_empty()
    }

    /// Whether a solution is the least of its orbit.
    fn counts(&self, options: &[u32]) -> bool {
        if self.images.is_empty() {
            return true;
        }
        let parts: Vec<Vec<u32>> =
            options.iter().map(|o| self.cover.cells_of(*o).map(|c| c as u32).collect()).collect();
        let fixed = self.fixed.and_then(|k| options.iter().position(|o| self.cover.kind(*o) == k));
        let own = self.labels(parts.iter().cloned());
        self.images.iter().all(|image| {
            // An image that moves the fixed piece elsewhere is not among the solutions tried.
            let moves_it = fixed.is_some_and(|p| moved(&parts[p], image) != parts[p]);
            moves_it || own <= self.labels(parts.iter().map(|p| moved(p, image)))
        })
    }

    /// A cut of the board as one word: for each triangle the least of its piece.
    fn labels(&self, parts: impl Iterator<Item = Vec<u32>>) -> Vec<u32> {
        let mut labels = vec![0; self.items];
        for part in parts {
            let least = part.iter().min().copied().unwrap_or(0);
            part.iter().for_each(|c| labels[*c as usize] = least);
        }
        labels
    }

    fn line(&self, found: Found<'_>) -> Line {
        let mut used = vec![0; self.kinds.len()];
        let mut moves = Vec::with_capacity(found.options.len());
        for o in found.options {
            let k = self.cover.kind(*o);
            let piece = self.kinds[k].pieces[used[k]];
            used[k] += 1;
            let way = &self.ways[*o as usize];
            let form = &self.kinds[k].forms[way.form];
            let sym = self.level.orientations().iter().copied().find(|s| self.level.form(piece, *s) == *form);
            let placing = Placing { sym: sym.unwrap_or_default(), at: way.at };
            moves.push(Move::Place { piece, placing });
        }
        Line { moves, widths: found.widths.to_vec() }
    }
}

/// The pieces in groups of identical ones, large pieces first.
fn kinds(level: &Level, pieces: &[usize]) -> Vec<Kind> {
    let mut groups: BTreeMap<Vec<Tri>, Kind> = BTreeMap::new();
    for &p in pieces {
        let forms: BTreeSet<Vec<Tri>> = rules::forms(level, p).into_iter().map(|(_, f)| f).collect();
        let Some(least) = forms.first().cloned() else { continue };
        let new = || Kind { pieces: Vec::new(), forms: forms.into_iter().collect() };
        groups.entry(least).or_insert_with(new).pieces.push(p);
    }
    let mut kinds: Vec<Kind> = groups.into_values().collect();
    kinds.sort_by_key(|k| std::cmp::Reverse(k.forms[0].len()));
    kinds
}

/// The permutation of items by which a symmetry maps the outline onto itself, if it does.
fn image(open: &[Tri], sym: Sym, item: &dyn Fn(Tri) -> u32) -> Option<Vec<u32>> {
    let corner = |tris: &[Tri]| {
        let x = tris.iter().map(|t| t.cell.x).min().unwrap_or(0);
        let y = tris.iter().map(|t| t.cell.y).min().unwrap_or(0);
        cell(x, y)
    };
    let turn = |t: &Tri| {
        let (x, y) = sym.offset((t.cell.x, t.cell.y));
        Tri { cell: cell(x, y), k: turned_part(t.k, sym) }
    };
    let turned: Vec<Tri> = open.iter().map(turn).collect();
    let (to, from) = (corner(open), corner(&turned));
    let items: Vec<u32> = turned.iter().map(|t| item(t.shifted(cell(to.x - from.x, to.y - from.y)))).collect();
    items.iter().all(|i| *i != NO_CELL).then_some(items)
}

fn moved(cells: &[u32], image: &[u32]) -> Vec<u32> {
    let mut cells: Vec<u32> = cells.iter().map(|c| image[*c as usize]).collect();
    cells.sort_unstable();
    cells
}
