//! The level as tables: cells numbered without gaps, the places of every form, what each place touches, and how far it is from
//! each place to any set of cats.

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
    /// The cats of its colour (numbered within the colour) that it takes at each place.
    pub touch: Vec<u64>,
    /// The neighbouring place in each direction, or [`NOWHERE`].
    pub moves: Vec<[u16; 4]>,
    /// The number of a place by the least column and row of its cells.
    by_corner: FxHashMap<(i16, i16), u16>,
    /// For each chunk of cats: steps from a place to having taken a set of them, at `set * places + place`.
    walks: Vec<Vec<u16>>,
}

/// A shape that is still on the board.
pub(super) struct Piece {
    /// Its number in the level.
    pub shape: usize,
    /// Its row of [`Layout::places`].
    pub places: usize,
    /// It moves once this many cats are gone.
    pub lock: u32,
}

/// A run of cats of one colour that a walk table covers.
#[derive(Clone, Copy)]
struct Chunk {
    first: u32,
    len: u32,
}

/// All shapes and living cats of one colour.
pub(super) struct Group {
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
        for colour in Colour::ALL {
            layout.add_group(level, state, colour, &number, probe)?;
        }
        Ok(layout)
    }

    fn add_group(
        &mut self,
        level: &Level,
        state: &State,
        colour: Colour,
        number: &[usize],
        probe: &mut Probe,
    ) -> Result<(), Stop> {
        let cats: Vec<usize> =
            (0..level.cats.len()).filter(|k| level.cats[*k].colour == colour && !rules::is_gone(state, *k)).collect();
        let mut shapes: Vec<usize> = (0..level.shapes.len())
            .filter(|i| level.shapes[*i].colour == colour && state.shift[*i].is_some())
            .collect();
        if shapes.is_empty() {
            self.hopeless |= !cats.is_empty();
            return Ok(());
        }
        let lock = |i: usize| if level.shapes[i].lock <= self.gone { 0 } else { level.shapes[i].lock };
        let kind = |i: usize| (level.shapes[i].outline(), lock(i));
        shapes.sort_by_key(|i| kind(*i));
        let cat_cell = cats
            .iter()
            .map(|k| Some(number[level.size().index(level.cats[*k].at)]).filter(|c| *c != usize::MAX))
            .collect();
        let mut group = Group { pieces: Vec::new(), class: Vec::new(), chunks: Vec::new(), cats, cat_cell };
        let mut forms: Vec<Vec<(i16, i16)>> = Vec::new();
        let first_table = self.places.len();
        for (slot, shape) in shapes.iter().enumerate() {
            let (outline, lock) = kind(*shape);
            let form = forms.iter().position(|f| *f == outline).unwrap_or_else(|| {
                forms.push(outline.clone());
                forms.len() - 1
            });
            let same = slot > 0 && kind(shapes[slot - 1]) == kind(*shape);
            group.class.push(if same { group.class[slot - 1] } else { slot });
            group.pieces.push(Piece { shape: *shape, places: first_table + form, lock });
        }
        for outline in &forms {
            let starts: Vec<_> = shapes
                .iter()
                .filter(|i| level.shapes[**i].outline() == *outline)
                .map(|i| corner(level, state, *i))
                .collect();
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

    /// Cuts the cats of a colour into runs whose tables stay small. One run, unless there are very many cats.
    fn chunks(&self, group: &Group, first_table: usize) -> Vec<Chunk> {
        let most = self.places[first_table..].iter().map(|p| p.cells.len()).max().unwrap_or(1);
        let sharing = |len: u32| 3usize.pow(len) * (group.pieces.len() - 1);
        let len = (1..=12).rev().find(|l| (most << l) <= TABLE && sharing(*l) <= SHARING).unwrap_or(1);
        let cats = group.cats.len() as u32;
        (0..cats).step_by(len as usize).map(|first| Chunk { first, len: len.min(cats - first) }).collect()
    }

    /// A lower bound on the steps of a colour: for the dearest chunk of its cats, the cheapest way to share it among the pieces, each
    /// walking alone. `frozen` is a piece that may not walk.
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
        let mut pieces = (0..place.len()).filter(|i| Some(*i) != frozen).peekable();
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

/// The least column and row of a shape's cells.
fn corner(level: &Level, state: &State, shape: usize) -> (i16, i16) {
    let (x, y) = rules::cells(level, state, shape).fold((i16::MAX, i16::MAX), |(x, y), c| (x.min(c.x), y.min(c.y)));
    (x, y)
}

impl<const W: usize> Places<W> {
    /// All places that can be walked to from the starts if nothing but the ground stops it.
    fn new(
        level: &Level,
        number: &[usize],
        outline: &[(i16, i16)],
        starts: &[(i16, i16)],
        cats: &[usize],
        probe: &mut Probe,
    ) -> Result<Places<W>, Stop> {
        let size = level.size();
        let mut places = Places {
            cells: Vec::new(),
            touch: Vec::new(),
            moves: Vec::new(),
            by_corner: FxHashMap::default(),
            walks: Vec::new(),
        };
        let fits = |(x, y): (i16, i16)| {
            let mut bits = Bits::EMPTY;
            for (dx, dy) in outline {
                let c = crate::grid::cell(x + dx, y + dy);
                if !size.contains(c) || number[size.index(c)] == usize::MAX {
                    return None;
                }
                bits.insert(number[size.index(c)]);
            }
            Some(bits)
        };
        let touch = |(x, y): (i16, i16)| {
            let mut bits = 0;
            for (dx, dy) in outline {
                let c = crate::grid::cell(x + dx, y + dy);
                for (k, cat) in cats.iter().enumerate() {
                    let cat = &level.cats[*cat];
                    let taken = if level.is_blocker_cat(cat) { c.distance(cat.at) == 1 } else { c == cat.at };
                    bits |= u64::from(taken) << k;
                }
            }
            bits
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
            places.touch.push(touch(at));
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
        self.cells.len() * (8 * W + 8 + 8 + 16) + self.walks.iter().map(|w| 2 * w.len()).sum::<usize>()
    }
}

fn put(layers: &mut Vec<Vec<u16>>, d: u16, p: u16) {
    if layers.len() <= d as usize {
        layers.resize_with(d as usize + 1, Vec::new);
    }
    layers[d as usize].push(p);
}
