//! The seed's reverse scramble: start from a solved board, walk the shapes away at random, and call the end the level.
//!
//! Every step of the walk can be taken back, and whatever was covered on the way is gone by the time a player going backwards
//! passes there. So the walk read backwards solves the level, **provided** locks are looked at as that player meets them: going
//! backwards he makes the step with at least the cats gone that are covered *after* the walk's step. The seed looks at the cats
//! covered before it, and so lets a locked shape go where it cannot come back from; this is the one thing mended here.

use super::level::{Cat, Colour, FORMS, Finished, Ground, Level, Shape};
use crate::{
    grid::{Cell, Dir, Grid, Size, Sym},
    job::{Probe, Stop},
};
use rand::{RngExt as _, rngs::ChaCha8Rng, seq::SliceRandom as _};

/// The parameters of the seed's table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Recipe {
    pub size: Size,
    pub colours: usize,
    pub cats: usize,
    pub shapes: usize,
    pub blockers: usize,
    pub largest_shape: usize,
    pub scramble: u64,
    pub blocker_cats: usize,
    pub locked: usize,
    pub lock: u32,
    /// Pairs of shapes that are linked.
    pub tandems: usize,
}

/// Steps tried on one board before another is laid out; a walk of the hardest tier tries some ten thousand.
const MOST_TRIES: u64 = 60_000;
/// Tries to put a chosen form over its cat before a single cell does.
const FORM_TRIES: usize = 20;
/// Tries to walk a locked shape off its cats.
const LOCKED_TRIES: usize = 200;

/// One board laid out and scrambled, or nothing if it did not come out (no room, or the walk never uncovers all cats).
pub(super) fn scramble(recipe: &Recipe, rng: &mut ChaCha8Rng, probe: &mut Probe) -> Result<Option<Level>, Stop> {
    let Some(solved) = lay_out(recipe, rng) else { return Ok(None) };
    let mut walk = Walk::new(solved);
    walk.free_locked(rng);
    if walk.run(recipe.scramble, rng, probe)? { Ok(Some(walk.level())) } else { Ok(None) }
}

// ------------------------------------------------------------------------------------------------------------ the solved board

fn lay_out(recipe: &Recipe, rng: &mut ChaCha8Rng) -> Option<Level> {
    let size = recipe.size;
    let inside = |c: &Cell| c.x > 0 && c.y > 0 && (c.x as u16) < size.w - 1 && (c.y as u16) < size.h - 1;
    let mut level = Level {
        ground: Grid::from_fn(size, |c| if inside(&c) { Ground::Floor } else { Ground::Void }),
        shapes: Vec::new(),
        cats: Vec::new(),
        finished: Finished::Stay,
    };
    let mut free: Vec<Cell> = size.cells().filter(inside).collect();
    free.shuffle(rng);
    let blockers: Vec<Cell> = (0..recipe.blockers).map(|_| free.pop()).collect::<Option<_>>()?;
    for c in &blockers {
        level.ground[*c] = Ground::Blocker;
    }
    // Cats in the order of their colours, so that shape i of a colour goes over cat i of it.
    let mut order = Vec::new();
    for colour in &Colour::ALL[..recipe.colours] {
        for _ in 0..recipe.cats {
            order.push(Cat { colour: *colour, at: free.pop()? });
        }
    }
    level.cats.clone_from(&order);
    let mut owned = Grid::filled(size, false);
    for colour in &Colour::ALL[..recipe.colours] {
        let mut cats = order.iter().filter(|c| c.colour == *colour);
        for _ in 0..recipe.shapes {
            let at = cats.next().map(|c| c.at);
            place(&mut level, &mut owned, *colour, at, recipe.largest_shape, rng)?;
        }
    }
    for at in &blockers[..recipe.blocker_cats] {
        let colour = Colour::ALL[rng.random_range(0..recipe.colours)];
        level.cats.push(Cat { colour, at: *at });
        let mut beside = at.neighbours();
        beside.shuffle(rng);
        let spot = beside.into_iter().find(|c| fits(&level, &owned, colour, *c))?;
        owned[spot] = true;
        level.shapes.push(Shape::new(colour, 0, [spot]));
    }
    let mut all: Vec<usize> = (0..level.shapes.len()).collect();
    all.shuffle(rng);
    for i in all.into_iter().take(recipe.locked) {
        level.shapes[i].lock = recipe.lock;
    }
    if recipe.tandems > 0 {
        let mut all: Vec<usize> = (0..level.shapes.len()).collect();
        all.shuffle(rng);
        for (pair, tandem) in all.chunks_exact(2).take(recipe.tandems).zip(1..) {
            pair.iter().for_each(|i| level.shapes[*i].tandem = tandem);
        }
    }
    level.tidy();
    Some(level)
}

fn fits(level: &Level, owned: &Grid<bool>, colour: Colour, c: Cell) -> bool {
    level.ground.get(c) == Some(&Ground::Floor)
        && !owned[c]
        && level.cats.iter().all(|cat| cat.at != c || cat.colour == colour)
}

/// Puts a shape of a random form so that one of its cells is `at` (or, where there are more shapes than cats, anywhere).
fn place(
    level: &mut Level,
    owned: &mut Grid<bool>,
    colour: Colour,
    at: Option<Cell>,
    largest: usize,
    rng: &mut ChaCha8Rng,
) -> Option<()> {
    // The size first, then the form: else the many forms of four cells would crowd out the small ones.
    let len = rng.random_range(1..=largest);
    let forms: Vec<_> = FORMS.iter().filter(|f| f.cells.len() == len).collect();
    let form = forms[rng.random_range(0..forms.len())];
    let anywhere: Vec<Cell> = match at {
        Some(c) => vec![c],
        None => level.size().cells().filter(|c| fits(level, owned, colour, *c)).collect(),
    };
    if anywhere.is_empty() {
        return None;
    }
    for attempt in 0..=FORM_TRIES {
        let over = anywhere[rng.random_range(0..anywhere.len())];
        let cells = if attempt == FORM_TRIES { vec![(0, 0)] } else { form.turned(Sym::ALL[rng.random_range(0..8)]) };
        let (ax, ay) = cells[rng.random_range(0..cells.len())];
        let cells: Vec<Cell> = cells.iter().map(|(x, y)| over.offset(x - ax, y - ay)).collect();
        if cells.iter().all(|c| fits(level, owned, colour, *c)) {
            for c in &cells {
                owned[*c] = true;
            }
            level.shapes.push(Shape::new(colour, 0, cells));
            return Some(());
        }
    }
    None
}

// --------------------------------------------------------------------------------------------------------------------- the walk

/// Shapes walking on a board whose cells are numbered, so that a step is a few additions and the covered cats a few bits.
struct Walk {
    level: Level,
    /// Per cell: the shape on it, `FREE`, or `WALL` (void and blockers).
    owner: Vec<u16>,
    /// Per cell: the colour of the cat on it, or `NO_CAT`.
    cat: Vec<u8>,
    /// Per colour and cell: the cats that a shape of this colour covers from there.
    touch: Vec<Vec<u64>>,
    /// Per shape: the shapes that move with it, itself among them.
    members: Vec<Vec<usize>>,
    /// Per shape: its cells now.
    cells: Vec<Vec<usize>>,
    /// Per shape: the cats it covers now.
    covers: Vec<u64>,
}

const FREE: u16 = u16::MAX;
const WALL: u16 = u16::MAX - 1;
const NO_CAT: u8 = u8::MAX;

impl Walk {
    fn new(level: Level) -> Walk {
        let size = level.size();
        let mut owner: Vec<u16> =
            level.ground.values().iter().map(|g| if *g == Ground::Floor { FREE } else { WALL }).collect();
        let mut cat = vec![NO_CAT; size.area()];
        let mut touch = vec![vec![0u64; size.area()]; Colour::ALL.len()];
        for (k, c) in level.cats.iter().enumerate() {
            if level.is_blocker_cat(c) {
                for n in c.at.neighbours().into_iter().filter(|n| size.contains(*n)) {
                    touch[c.colour.index()][size.index(n)] |= 1 << k;
                }
            } else {
                cat[size.index(c.at)] = c.colour.index() as u8;
                touch[c.colour.index()][size.index(c.at)] |= 1 << k;
            }
        }
        let cells: Vec<Vec<usize>> =
            level.shapes.iter().map(|s| s.cells.iter().map(|c| size.index(*c)).collect()).collect();
        for (i, cells) in cells.iter().enumerate() {
            for c in cells {
                owner[*c] = i as u16;
            }
        }
        let members = (0..cells.len()).map(|i| level.members(i).collect()).collect();
        let mut walk = Walk { covers: vec![0; cells.len()], level, owner, cat, touch, members, cells };
        for i in 0..walk.cells.len() {
            walk.covers[i] = walk.cover(i);
        }
        walk
    }

    fn cover(&self, i: usize) -> u64 {
        let touch = &self.touch[self.level.shapes[i].colour.index()];
        self.cells[i].iter().fold(0, |bits, c| bits | touch[*c])
    }

    fn covered(&self) -> u64 {
        self.covers.iter().fold(0, |all, c| all | c)
    }

    /// Moves shape `i`, and what it is linked to, if the rules allow it with the cats gone that are covered after the step.
    fn step(&mut self, i: usize, dir: Dir) -> bool {
        let members = std::mem::take(&mut self.members[i]);
        let moved = self.step_all(&members, dir);
        self.members[i] = members;
        moved
    }

    fn step_all(&mut self, members: &[usize], dir: Dir) -> bool {
        // A border of void keeps every step on the board.
        let (dx, dy) = dir.delta();
        let delta = isize::from(dx) + isize::from(dy) * self.level.size().w as isize;
        let to = |c: usize| c.wrapping_add_signed(delta);
        for i in members {
            let colour = self.level.shapes[*i].colour.index() as u8;
            for c in &self.cells[*i] {
                let t = to(*c);
                let blocked = self.owner[t] != FREE && !members.contains(&(self.owner[t] as usize));
                // A covered cat has its shape on it, so a cat on a free cell is a living one.
                if blocked || (self.cat[t] != NO_CAT && self.cat[t] != colour) {
                    return false;
                }
            }
        }
        self.shift(members, delta);
        let lock = members.iter().map(|i| self.level.shapes[*i].lock).max();
        if self.covered().count_ones() < lock.unwrap_or(0) {
            self.shift(members, -delta);
            return false;
        }
        true
    }

    fn shift(&mut self, members: &[usize], delta: isize) {
        for c in members.iter().flat_map(|i| &self.cells[*i]) {
            self.owner[*c] = FREE;
        }
        for i in members {
            for c in &mut self.cells[*i] {
                *c = c.wrapping_add_signed(delta);
                self.owner[*c] = *i as u16;
            }
            self.covers[*i] = self.cover(*i);
        }
    }

    /// Walks the locked shapes off their cats while many cats are still covered.
    fn free_locked(&mut self, rng: &mut ChaCha8Rng) {
        for i in 0..self.cells.len() {
            if self.level.shapes[i].lock == 0 {
                continue;
            }
            for _ in 0..LOCKED_TRIES {
                if self.covers[i] == 0 {
                    break;
                }
                self.step(i, Dir::ALL[rng.random_range(0..4)]);
            }
        }
    }

    /// Walks at random until every cat has been covered, none is, and enough steps are made.
    fn run(&mut self, steps: u64, rng: &mut ChaCha8Rng, probe: &mut Probe) -> Result<bool, Stop> {
        let all = super::rules::all_cats(&self.level);
        let mut ever = self.covered();
        let mut made = 0;
        for tries in 0..MOST_TRIES {
            if tries % 4096 == 0 {
                probe.check()?;
            }
            let i = rng.random_range(0..self.cells.len());
            if self.step(i, Dir::ALL[rng.random_range(0..4)]) {
                made += 1;
                let covered = self.covered();
                ever |= covered;
                if covered == 0 && ever == all && made >= steps {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The board as it stands, as a draft.
    fn level(self) -> Level {
        let size = self.level.size();
        let mut level = self.level;
        for (shape, cells) in level.shapes.iter_mut().zip(&self.cells) {
            let moved = Shape::new(shape.colour, shape.lock, cells.iter().map(|c| size.cell(*c)));
            *shape = Shape { tandem: shape.tandem, ..moved };
        }
        level
    }
}
