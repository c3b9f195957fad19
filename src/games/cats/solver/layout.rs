//! The level as tables: cells numbered without gaps, the places of every form, what each place touches, and how far it is from
//! each place to any set of cats.
//!
//! A *piece* is what moves as one: a shape, or all shapes of a tandem, which is then a form in several parts and colours. A *group* is a colour
//! with its pieces and cats or, where tandems link colours, all colours that hang together so; every piece and every cat is in one group. What
//! a tandem needs is therefore counted once, as one walk.

use crate::{
    games::cats::{
        level::{Colour, Finished, Ground, Level},
        rules::{self, State},
    },
    grid::Dir,
    job::{Probe, Stop},
    search::bits::Bits,
};
use rustc_hash::FxHashMap;

/// No place.
pub(super) const NOWHERE: u16 = u16::MAX;
/// No way.
pub(super) const FAR: u16 = u16::MAX;

/// The places where a form can stand, as far as only the ground is asked.
pub(super) struct Places<const W: usize> {
    /// The cells it covers at each place.
    pub cells: Vec<Bits<W>>,
    /// The cats of its group (numbered within it) that it takes at each place.
    pub touch: Vec<u64>,
    /// The cats of its group that keep it from each place while they live: there a part of it would be on a cat of another colour.
    pub stops: Vec<u64>,
    /// The neighbouring place in each direction, or [`NOWHERE`].
    pub moves: Vec<[u16; 4]>,
    /// The number of a place by the least column and row of its cells.
    by_corner: FxHashMap<(i16, i16), u16>,
    /// For each chunk of cats: steps from a place to having taken a set of them, at `set * places + place`.
    walks: Vec<Vec<u16>>,
}

/// A shape or a tandem that is still on the board.
pub(super) struct Piece {
    /// Its number in the level; of a tandem, that of the first member.
    pub shape: usize,
    /// Its row of [`Layout::places`].
    pub places: usize,
    /// It moves once this many cats are gone.
    pub lock: u32,
    /// The cats of its group with the last of which it leaves the board; none if it never does.
    pub leaves: u64,
}

impl Piece {
    /// Whether it goes as the living cats become fewer.
    pub fn leaves(&self, before: u64, after: u64) -> bool {
        self.leaves & before != 0 && self.leaves & after == 0
    }
}

/// The cells of a piece from its least column and row on, each with its colour and the part of the tandem it belongs to.
type Form = Vec<((i16, i16), Colour, usize)>;

/// A run of cats of one group that a walk table covers.
#[derive(Clone, Copy)]
struct Chunk {
    first: u32,
    len: u32,
}

/// All shapes and living cats of one colour, or of colours that tandems link.
pub(super) struct Group {
    /// Whether there is more than one colour: then its cats stop some of its own pieces, and its pieces leave at different times.
    pub mixed: bool,
    /// Its shapes; those that cannot be told apart stand together.
    pub pieces: Vec<Piece>,
    /// For each piece, the first piece that it is interchangeable with.
    pub class: Vec<usize>,
    /// The living cats, by their numbers in the level.
    pub cats: Vec<usize>,
    /// The cell of each cat that stands in the way of other colours; a blocker-cat does not.
    pub cat_cell: Vec<Option<usize>>,
    chunks: Vec<Chunk>,
}

impl Group {
    /// Takes off the pieces that leave as the living cats become fewer. Interchangeable pieces leave together, so they stay in order.
    pub fn take_off(&self, place: &mut [u16], before: u64, after: u64) {
        for (piece, p) in self.pieces.iter().zip(place) {
            if piece.leaves(before, after) {
                *p = NOWHERE;
            }
        }
    }
}

/// A level and a state to solve from, as tables.
pub(super) struct Layout<const W: usize> {
    pub finished: Finished,
    /// The row-major number of each numbered cell.
    pub cells: Vec<usize>,
    pub places: Vec<Places<W>>,
    pub groups: Vec<Group>,
    /// Cats gone at the beginning.
    pub gone: u32,
    /// Whether some living cat has no shape of its colour.
    pub hopeless: bool,
}

/// The size of one walk table, in entries.
const TABLE: usize = 1 << 20;
/// The work of sharing a chunk's cats among the pieces of a colour, in additions.
const SHARING: usize = 1 << 14;

/// How many cells shapes can ever stand on.
pub(super) fn floor_cells(level: &Level) -> usize {
    level.ground.values().iter().filter(|g| **g == Ground::Floor).count()
}

impl<const W: usize> Layout<W> {
    /// Makes the tables. Only a search may be stopped halfway, so this ticks.
    pub fn new(level: &Level, state: &State, probe: &mut Probe) -> Result<Layout<W>, Stop> {
        let size = level.size();
        let mut number = vec![usize::MAX; size.area()];
        let mut cells = Vec::new();
        for (i, g) in level.ground.values().iter().enumerate() {
            if *g == Ground::Floor {
                number[i] = cells.len();
                cells.push(i);
            }
        }
        let mut layout = Layout {
            finished: level.finished,
            cells,
            places: Vec::new(),
            groups: Vec::new(),
            gone: state.gone.count_ones(),
            hopeless: false,
        };
        let mut seen = [false; Colour::ALL.len()];
        for colour in Colour::ALL {
            if !seen[colour.index()] {
                let colours = linked(level, state, colour);
                colours.iter().for_each(|c| seen[c.index()] = true);
                layout.add_group(level, state, &colours, &number, probe)?;
            }
        }
        Ok(layout)
    }

    fn add_group(
        &mut self,
        level: &Level,
        state: &State,
        colours: &[Colour],
        number: &[usize],
        probe: &mut Probe,
    ) -> Result<(), Stop> {
        let cats: Vec<usize> = (0..level.cats.len())
            .filter(|k| colours.contains(&level.cats[*k].colour) && !rules::is_gone(state, *k))
            .collect();
        let mut shapes: Vec<usize> = (0..level.shapes.len())
            .filter(|i| {
                colours.contains(&level.shapes[*i].colour) && state.shift[*i].is_some() && level.mover(*i) == *i
            })
            .collect();
        if shapes.is_empty() {
            self.hopeless |= !cats.is_empty();
            return Ok(());
        }
        let lock =
            |i: usize| level.members(i).map(|m| level.shapes[m].lock).max().filter(|l| *l > self.gone).unwrap_or(0);
        let kind = |i: usize| (form(level, i), lock(i));
        let leaves = |i: usize| leaves(level, i, &cats);
        shapes.sort_by_cached_key(|i| kind(*i));
        let cat_cell = cats
            .iter()
            .map(|k| Some(number[level.size().index(level.cats[*k].at)]).filter(|c| *c != usize::MAX))
            .collect();
        let (mut pieces, mut class) = (Vec::new(), Vec::new());
        let mut forms: Vec<Form> = Vec::new();
        let first_table = self.places.len();
        for (slot, shape) in shapes.iter().enumerate() {
            let (form, lock) = kind(*shape);
            let place = forms.iter().position(|f| *f == form).unwrap_or_else(|| {
                forms.push(form.clone());
                forms.len() - 1
            });
            let same = slot > 0 && kind(shapes[slot - 1]) == (form, lock);
            class.push(if same { class[slot - 1] } else { slot });
            pieces.push(Piece { shape: *shape, places: first_table + place, lock, leaves: leaves(*shape) });
        }
        let mixed = colours.len() > 1;
        let mut group = Group { mixed, pieces, class, chunks: Vec::new(), cats, cat_cell };
        for outline in &forms {
            let starts: Vec<_> =
                shapes.iter().filter(|i| form(level, **i) == *outline).map(|i| corner(level, state, *i)).collect();
            self.places.push(Places::new(level, number, outline, &starts, &group.cats, probe)?);
        }
        group.chunks = self.chunks(&group, first_table);
        for places in &mut self.places[first_table..] {
            for chunk in &group.chunks {
                let table = places.walk(*chunk, probe)?;
                places.walks.push(table);
            }
        }
        self.groups.push(group);
        Ok(())
    }

    /// Cuts the cats of a group into runs whose tables stay small. One run, unless there are very many cats.
    fn chunks(&self, group: &Group, first_table: usize) -> Vec<Chunk> {
        let most = self.places[first_table..].iter().map(|p| p.cells.len()).max().unwrap_or(1);
        let sharing = |len: u32| 3usize.pow(len) * (group.pieces.len() - 1);
        let len = (1..=12).rev().find(|l| (most << l) <= TABLE && sharing(*l) <= SHARING).unwrap_or(1);
        let cats = group.cats.len() as u32;
        (0..cats).step_by(len as usize).map(|first| Chunk { first, len: len.min(cats - first) }).collect()
    }

    /// A lower bound on the steps of a group: for the dearest chunk of its cats, the cheapest way to share it among the pieces, each
    /// walking alone and through everything. `frozen` is a piece that may not walk. (A piece that has left would have had none of these cats to take.)
    pub fn bound(&self, group: usize, place: &[u16], living: u64, frozen: Option<usize>, scratch: &mut Scratch) -> u16 {
        let group = &self.groups[group];
        let mut bound = 0;
        for (c, chunk) in group.chunks.iter().enumerate() {
            let set = (living >> chunk.first) as usize & ((1 << chunk.len) - 1);
            if set != 0 {
                bound = bound.max(self.share(group, c, place, set, frozen, scratch));
            }
        }
        bound
    }

    fn share(
        &self,
        group: &Group,
        chunk: usize,
        place: &[u16],
        set: usize,
        frozen: Option<usize>,
        scratch: &mut Scratch,
    ) -> u16 {
        let walk = |i: usize, s: usize| {
            let places = &self.places[group.pieces[i].places];
            places.walks[chunk][s * places.cells.len() + place[i] as usize]
        };
        let mut pieces = (0..place.len()).filter(|i| Some(*i) != frozen && place[*i] != NOWHERE).peekable();
        let Some(first) = pieces.next() else { return FAR };
        if pieces.peek().is_none() {
            return walk(first, set);
        }
        scratch.best.resize(set + 1, 0);
        scratch.next.resize(set + 1, 0);
        let mut sub = set;
        loop {
            scratch.best[sub] = walk(first, sub);
            if sub == 0 {
                break;
            }
            sub = (sub - 1) & set;
        }
        while let Some(i) = pieces.next() {
            let last = pieces.peek().is_none();
            let mut whole = set;
            loop {
                let mut least = FAR;
                let mut part = whole;
                loop {
                    least = least.min(walk(i, part).saturating_add(scratch.best[whole & !part]));
                    if part == 0 {
                        break;
                    }
                    part = (part - 1) & whole;
                }
                scratch.next[whole] = least;
                if last || whole == 0 {
                    break;
                }
                whole = (whole - 1) & set;
            }
            std::mem::swap(&mut scratch.best, &mut scratch.next);
        }
        scratch.best[set]
    }

    /// The cells of the other pieces of a group.
    pub fn siblings(&self, group: usize, place: &[u16], slot: usize) -> Bits<W> {
        let pieces = self.groups[group].pieces.iter().zip(place).enumerate();
        let others = pieces.filter(|(other, (_, p))| *other != slot && **p != NOWHERE);
        others.fold(Bits::EMPTY, |all, (_, (piece, p))| all.or(&self.places[piece.places].cells[*p as usize]))
    }

    /// The place of a shape in a state.
    pub fn place(&self, level: &Level, state: &State, piece: &Piece) -> Option<u16> {
        state.shift.get(piece.shape).copied().flatten()?;
        self.places[piece.places].by_corner.get(&corner(level, state, piece.shape)).copied()
    }
}

/// Room for [`Layout::bound`] to work in.
#[derive(Default)]
pub(super) struct Scratch {
    best: Vec<u16>,
    next: Vec<u16>,
}

/// The least column and row of the cells of a shape and of what moves with it.
fn corner(level: &Level, state: &State, shape: usize) -> (i16, i16) {
    let cells = level.members(shape).flat_map(|m| rules::cells(level, state, m));
    cells.fold((i16::MAX, i16::MAX), |(x, y), c| (x.min(c.x), y.min(c.y)))
}

/// The form of a shape or of its whole tandem. Pieces are interchangeable only if their forms are equal, so the parts are numbered by where they are.
fn form(level: &Level, shape: usize) -> Form {
    let mut members: Vec<_> = level.members(shape).map(|m| &level.shapes[m]).collect();
    members.sort_by_key(|s| s.cells.first().map(|c| (c.y, c.x)));
    let cells = || members.iter().enumerate().flat_map(|(part, s)| s.cells.iter().map(move |c| (*c, s.colour, part)));
    let x0 = cells().map(|(c, ..)| c.x).min().unwrap_or(0);
    let y0 = cells().map(|(c, ..)| c.y).min().unwrap_or(0);
    let mut form: Form = cells().map(|(c, colour, part)| ((c.x - x0, c.y - y0), colour, part)).collect();
    form.sort_unstable_by_key(|((x, y), ..)| (*y, *x));
    form
}

/// Puts equal shapes, and tandems that are equal as a whole, in the order of their places. Locks tell shapes apart.
pub(super) fn in_order(level: &Level, state: &mut State) {
    let movers = (0..level.shapes.len()).filter(|i| level.mover(*i) == *i);
    let lock = |i: usize| level.members(i).map(|m| level.shapes[m].lock).max();
    let mut kinds: Vec<((Form, Option<u32>), Vec<usize>)> = Vec::new();
    for mover in movers {
        let kind = (form(level, mover), lock(mover));
        match kinds.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, equal)) => equal.push(mover),
            None => kinds.push((kind, vec![mover])),
        }
    }
    for (_, equal) in kinds.into_iter().filter(|(_, equal)| equal.len() > 1) {
        let on_board = |i: &&usize| state.shift.get(**i).copied().flatten().is_some();
        // Equal shapes leave together.
        let equal: Vec<usize> = equal.iter().filter(on_board).copied().collect();
        let mut places: Vec<_> = equal.iter().map(|i| corner(level, state, *i)).collect();
        places.sort_unstable();
        for (mover, (x, y)) in equal.into_iter().zip(places) {
            let (x0, y0) = corner(level, state, mover);
            for member in level.members(mover) {
                if let Some(Some((dx, dy))) = state.shift.get_mut(member) {
                    (*dx, *dy) = (*dx + x - x0, *dy + y - y0);
                }
            }
        }
    }
}

/// A colour and all that tandems on the board link it to, directly or over others.
fn linked(level: &Level, state: &State, colour: Colour) -> Vec<Colour> {
    let mut colours = vec![colour];
    let mut i = 0;
    while i < colours.len() {
        for s in (0..level.shapes.len()).filter(|s| state.shift[*s].is_some()) {
            if level.shapes[s].colour == colours[i] {
                for colour in level.members(s).map(|m| level.shapes[m].colour) {
                    if !colours.contains(&colour) {
                        colours.push(colour);
                    }
                }
            }
        }
        i += 1;
    }
    colours
}

/// The cats, of those of a group, that a shape and what moves with it wait for before they leave; none if they never do.
fn leaves(level: &Level, shape: usize, cats: &[usize]) -> u64 {
    let colours: Vec<_> = level.members(shape).map(|m| level.shapes[m].colour).collect();
    let had_cats = colours.iter().all(|colour| level.cats.iter().any(|c| c.colour == *colour));
    if level.finished == Finished::Stay || !had_cats {
        return 0;
    }
    let waits = cats.iter().enumerate().filter(|(_, k)| colours.contains(&level.cats[**k].colour));
    waits.fold(0, |bits, (i, _)| bits | 1 << i)
}

impl<const W: usize> Places<W> {
    /// All places that can be walked to from the starts if nothing but the ground stops it.
    fn new(
        level: &Level,
        number: &[usize],
        form: &Form,
        starts: &[(i16, i16)],
        cats: &[usize],
        probe: &mut Probe,
    ) -> Result<Places<W>, Stop> {
        let size = level.size();
        let mut places = Places {
            cells: Vec::new(),
            touch: Vec::new(),
            stops: Vec::new(),
            moves: Vec::new(),
            by_corner: FxHashMap::default(),
            walks: Vec::new(),
        };
        let fits = |(x, y): (i16, i16)| {
            let mut bits = Bits::EMPTY;
            for ((dx, dy), ..) in form {
                let c = crate::grid::cell(x + dx, y + dy);
                if !size.contains(c) || number[size.index(c)] == usize::MAX {
                    return None;
                }
                bits.insert(number[size.index(c)]);
            }
            Some(bits)
        };
        let meets = |(x, y): (i16, i16)| {
            let (mut touch, mut stops) = (0, 0);
            for ((dx, dy), colour, _) in form {
                let c = crate::grid::cell(x + dx, y + dy);
                for (k, cat) in cats.iter().enumerate() {
                    let cat = &level.cats[*cat];
                    let met = if level.is_blocker_cat(cat) { c.distance(cat.at) == 1 } else { c == cat.at };
                    if cat.colour == *colour {
                        touch |= u64::from(met) << k;
                    } else if !level.is_blocker_cat(cat) {
                        stops |= u64::from(met) << k;
                    }
                }
            }
            (touch, stops)
        };
        let mut corners = Vec::new();
        let add = |places: &mut Places<W>, corners: &mut Vec<(i16, i16)>, at: (i16, i16)| -> u16 {
            if let Some(i) = places.by_corner.get(&at) {
                return *i;
            }
            let Some(cells) = fits(at) else { return NOWHERE };
            let i = corners.len() as u16;
            places.by_corner.insert(at, i);
            places.cells.push(cells);
            let (touch, stops) = meets(at);
            places.touch.push(touch);
            places.stops.push(stops);
            corners.push(at);
            i
        };
        for start in starts {
            add(&mut places, &mut corners, *start);
        }
        let mut i = 0;
        while i < corners.len() {
            probe.step()?;
            let (x, y) = corners[i];
            let moves = Dir::ALL.map(|d| {
                let (dx, dy) = d.delta();
                add(&mut places, &mut corners, (x + dx, y + dy))
            });
            places.moves.push(moves);
            i += 1;
        }
        Ok(places)
    }

    /// Steps from every place to having taken every set of a chunk's cats: sets by rising number, so that what is left after taking
    /// some is known; each a flood from the places that take some, at what is left from there.
    fn walk(&self, chunk: Chunk, probe: &mut Probe) -> Result<Vec<u16>, Stop> {
        let n = self.cells.len();
        let bytes = (n << chunk.len) as u64 * 2;
        probe.allow(bytes)?;
        probe.progress.memory += bytes;
        let mut table = vec![FAR; n << chunk.len];
        table[..n].fill(0);
        let mut layers: Vec<Vec<u16>> = Vec::new();
        for set in 1..1usize << chunk.len {
            layers.iter_mut().for_each(Vec::clear);
            let (done, here) = table.split_at_mut(set * n);
            let here = &mut here[..n];
            for p in 0..n {
                let taken = (self.touch[p] >> chunk.first) as usize & set;
                if taken != 0 {
                    let left = done[(set & !taken) * n + p];
                    if left != FAR {
                        put(&mut layers, left, p as u16);
                        here[p] = left;
                    }
                }
            }
            let mut d = 0;
            while d < layers.len() {
                probe.step()?;
                while let Some(p) = layers[d].pop() {
                    if here[p as usize] != d as u16 {
                        continue;
                    }
                    for q in self.moves[p as usize] {
                        if q != NOWHERE && here[q as usize] > d as u16 + 1 {
                            here[q as usize] = d as u16 + 1;
                            put(&mut layers, d as u16 + 1, q);
                        }
                    }
                }
                d += 1;
            }
        }
        Ok(table)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.cells.len() * (8 * W + 8 + 8 + 8 + 16) + self.walks.iter().map(|w| 2 * w.len()).sum::<usize>()
    }
}

fn put(layers: &mut Vec<Vec<u16>>, d: u16, p: u16) {
    if layers.len() <= d as usize {
        layers.resize_with(d as usize + 1, Vec::new);
    }
    layers[d as usize].push(p);
}
