//! Drawing levels: ground, cats, shapes by form or free hand, locks, links.
//!
//! A cell shows one thing, and what is painted replaces what was there: a shape loses the cells that something else takes, and goes when
//! it has none left. The one exception is what the rules allow to lie together: a cat and a shape of its own colour, which is also
//! how a designer builds a level backwards from its solved end. The eraser leaves bare floor; void is a paint of its own. A shape whose last
//! partner in a tandem is painted away moves alone again.

use super::{
    Cat, Cats, Colour, Form, Ground, Level, Shape,
    level::{FORMS, LARGEST},
};
use crate::{
    game::{Edit, Gesture, Ink, Palette, Swatch, Thing, capital},
    grid::{Cell, Grid, Size, Spot, Sym},
};
use rustc_hash::FxHashMap;

/// What a swatch paints. Its number is its place in [`Brush::ALL`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Brush {
    Floor,
    Void,
    Blocker,
    Cat,
    BlockerCat,
    Stamp(&'static Form),
    Free,
    Lock,
    Link,
}

impl Brush {
    const BEFORE_FORMS: [Brush; 5] = [Brush::Floor, Brush::Blocker, Brush::Void, Brush::Cat, Brush::BlockerCat];
    const AFTER_FORMS: [Brush; 3] = [Brush::Free, Brush::Lock, Brush::Link];

    /// All brushes, in the order of the palette.
    fn all() -> impl Iterator<Item = Brush> {
        Brush::BEFORE_FORMS.into_iter().chain(FORMS.iter().map(Brush::Stamp)).chain(Brush::AFTER_FORMS)
    }

    /// The brush of a swatch; the eraser's for a number that is none.
    pub(super) fn of(ink: Ink) -> Brush {
        Brush::all().nth(ink.swatch).unwrap_or(Brush::Floor)
    }

    fn number(self) -> usize {
        Brush::all().position(|b| b == self).unwrap_or(0)
    }

    fn swatch(self) -> Swatch {
        let plain = |id, name: &str, group, coloured, gesture, help| Swatch {
            id,
            name: name.into(),
            group,
            coloured,
            turns: false,
            gesture,
            help,
        };
        use Gesture::{FromTo, Once, Spots, Whole};
        match self {
            Brush::Floor => plain("floor", "Floor", "Board", false, Spots, "Bare floor: also what the eraser leaves."),
            Brush::Void => plain("void", "Void", "Board", false, Spots, "No board here: no shape can enter."),
            Brush::Blocker => plain("blocker", "Blocker", "Board", false, Spots, "A stone that never moves."),
            Brush::Cat => plain(
                "cat",
                "Cat",
                "Cats",
                true,
                Spots,
                "Gone once a shape of its colour covers it; in the way of others.",
            ),
            Brush::BlockerCat => plain(
                "blocker-cat",
                "Cat on a blocker",
                "Cats",
                true,
                Spots,
                "Gone once a shape of its colour is beside it: above, below, left or right.",
            ),
            Brush::Stamp(form) => Swatch {
                id: form.name,
                name: capital(form.name),
                group: "Shapes",
                coloured: true,
                turns: form.cells.len() > 1,
                gesture: Once,
                help: "A shape of this form, with a cell under the pointer.",
            },
            Brush::Free => {
                plain("free", "Free shape", "Shapes", true, Whole, "All cells of the stroke become one shape.")
            }
            Brush::Lock => plain(
                "lock",
                "Lock",
                "Shapes",
                false,
                Once,
                "Each click makes the shape wait for one more cat; past the number of cats it is free again.",
            ),
            Brush::Link => plain(
                "tandem",
                "Link",
                "Shapes",
                false,
                FromTo,
                "Drag from one shape to another: they move together, in a tandem. A click on a shape cuts its link.",
            ),
        }
    }
}

pub(super) fn colour_of(ink: Ink) -> Colour {
    Colour::ALL[ink.colour % Colour::ALL.len()]
}

/// Where a stamp of this form goes when the pointer is at `at`: one of its cells is there, and all are on the board if any choice of that
/// cell allows it; in a corner that the form cannot fill it moves inwards as far as it must. The choice follows the form through turns
/// and mirror images, so that symmetry painting stays symmetric.
fn stamped(form: &Form, sym: Sym, at: Cell, size: Size) -> Vec<Cell> {
    let n = form.cells.len() as i32;
    let (sx, sy) = form.cells.iter().fold((0, 0), |s, c| (s.0 + i32::from(c.0), s.1 + i32::from(c.1)));
    let mut grips = form.cells.to_vec();
    grips.sort_by_key(|c| (i32::from(c.0) * n - sx).pow(2) + (i32::from(c.1) * n - sy).pow(2));
    let placed = |grip: &(i16, i16)| -> Vec<Cell> {
        let turned = form.cells.iter().map(|c| sym.offset((c.0 - grip.0, c.1 - grip.1)));
        turned.map(|(dx, dy)| at.offset(dx, dy)).collect()
    };
    let whole = grips.iter().map(placed).find(|cells| cells.iter().all(|c| size.contains(*c)));
    whole.unwrap_or_else(|| {
        let cells = grips.first().map(placed).unwrap_or_default();
        let inwards = |all: Vec<i16>, length: u16| {
            let (least, most) = (all.iter().min().copied().unwrap_or(0), all.iter().max().copied().unwrap_or(0));
            (-least).max(0) + (length as i16 - 1 - most).min(0)
        };
        let dx = inwards(cells.iter().map(|c| c.x).collect(), size.w);
        let dy = inwards(cells.iter().map(|c| c.y).collect(), size.h);
        cells.into_iter().map(|c| c.offset(dx, dy)).collect()
    })
}

/// Makes the cells bare, with this ground, but for cats and shapes of the colours to keep.
fn clear(level: &mut Level, cells: &[Cell], ground: Ground, keep_cats: Option<Colour>, keep_shapes: Option<Colour>) {
    let mut hit = Grid::filled(level.size(), false);
    for c in cells {
        if let Some(here) = hit.get_mut(*c) {
            *here = true;
            level.ground[*c] = ground;
        }
    }
    let is_hit = |c: Cell| hit.get(c) == Some(&true);
    for shape in level.shapes.iter_mut().filter(|s| keep_shapes != Some(s.colour)) {
        shape.cells.retain(|c| !is_hit(*c));
    }
    level.cats.retain(|cat| !is_hit(cat.at) || keep_cats == Some(cat.colour));
}

fn add_cats(level: &mut Level, colour: Colour, cells: &[Cell]) {
    level.cats.retain(|cat| !cells.contains(&cat.at));
    level.cats.extend(cells.iter().map(|at| Cat { colour, at: *at }));
}

fn add_shape(level: &mut Level, colour: Colour, cells: Vec<Cell>) {
    let size = level.size();
    let cells: Vec<_> = cells.into_iter().filter(|c| size.contains(*c)).collect();
    clear(level, &cells, Ground::Floor, Some(colour), None);
    level.shapes.push(Shape::new(colour, 0, cells));
}

/// Links two shapes, with all that each is linked to; a shape with itself: cuts its link.
fn link(level: &mut Level, from: Cell, to: Cell) {
    let (Some(a), Some(b)) = (level.shape_at(from), level.shape_at(to)) else { return };
    if a == b {
        level.shapes[a].tandem = 0;
        return;
    }
    let number = fresh_tandem(level);
    let members: Vec<usize> = level.members(a).chain(level.members(b)).collect();
    for m in members {
        level.shapes[m].tandem = number;
    }
}

/// A number that no tandem has.
fn fresh_tandem(level: &Level) -> u32 {
    // Numbers from a file may be anything until they are put in order.
    let taken = |n: &u32| level.shapes.iter().any(|s| s.tandem == *n);
    (1..).find(|n| !taken(n)).unwrap_or(1)
}

/// Puts a changed draft in order; a shape that was in a tandem of several before and is left alone in it moves alone.
fn finish(level: &mut Level, before: &[u32]) {
    level.shapes.retain(|s| !s.cells.is_empty());
    let after = tandems(level);
    for shape in &mut level.shapes {
        let members = |all: &[u32]| all.iter().filter(|n| **n == shape.tandem).count();
        if members(&after) == 1 && members(before) != 1 {
            shape.tandem = 0;
        }
    }
    level.tidy();
}

/// Links shapes as the part has them that they came with: each by its number and its tandem in the part. The first `kept` were here already: as far as
/// the part says the same of them, their links stay, also to shapes outside.
fn link_landed(level: &mut Level, landed: &[(usize, u32)], kept: usize) {
    let is_kept = |shape: usize| landed[..kept].iter().any(|(i, _)| *i == shape);
    let mut done = Vec::new();
    for (shape, tandem) in landed {
        if *tandem == 0 {
            level.shapes[*shape].tandem = 0;
        }
        if *tandem == 0 || done.contains(tandem) {
            continue;
        }
        done.push(*tandem);
        let members: Vec<usize> = landed.iter().filter(|(_, t)| t == tandem).map(|(i, _)| *i).collect();
        let here = level.shapes[*shape].tandem;
        let among: Vec<usize> = level.members(*shape).filter(|m| is_kept(*m)).collect();
        if here != 0 && among == members {
            continue;
        }
        let number = if members.len() == 1 { 0 } else { fresh_tandem(level) };
        members.iter().for_each(|m| level.shapes[*m].tandem = number);
    }
}

/// The tandem of every shape.
fn tandems(level: &Level) -> Vec<u32> {
    level.shapes.iter().map(|s| s.tandem).collect()
}

/// The ink that paints a cat.
fn cat_ink(level: &Level, cat: &Cat) -> Ink {
    let brush = if level.is_blocker_cat(cat) { Brush::BlockerCat } else { Brush::Cat };
    Ink { swatch: brush.number(), colour: cat.colour.index(), ..Ink::default() }
}

/// The ink that paints a shape: its form, turned, or the free brush.
fn shape_ink(shape: &Shape) -> Ink {
    let outline = shape.outline();
    let colour = shape.colour.index();
    // Turns before mirror images, since S and Z are each other's.
    for mirror in [false, true] {
        for form in FORMS.iter().filter(|f| f.cells.len() == outline.len()) {
            let sym = (0..4).map(|turns| Sym { mirror, turns }).find(|sym| form.turned(*sym) == outline);
            if let Some(sym) = sym {
                return Ink { swatch: Brush::Stamp(form).number(), colour, sym };
            }
        }
    }
    Ink { swatch: Brush::Free.number(), colour, sym: Sym::IDENTITY }
}

/// A cell moved by an offset that may be absurd, if it is on a board of this size then.
fn moved(c: Cell, (dx, dy): (i16, i16), size: Size) -> Option<Cell> {
    let to = Cell { x: c.x.checked_add(dx)?, y: c.y.checked_add(dy)? };
    size.contains(to).then_some(to)
}

impl Edit for Cats {
    const SIZES: (Size, Size) = (Size::new(2, 2), LARGEST);
    const NEW: Size = Size::new(8, 8);

    fn blank(size: Size) -> Level {
        Level::blank(Size::new(size.w.min(LARGEST.w), size.h.min(LARGEST.h)))
    }

    fn palette(_: &Level) -> Palette {
        let colours = Colour::ALL.iter().map(|c| c.name().to_string()).collect();
        Palette { swatches: Brush::all().map(Brush::swatch).collect(), colours }
    }

    fn paint(level: &mut Level, ink: Ink, spots: &[Spot]) {
        let size = level.size();
        let cells: Vec<_> = spots.iter().map(|s| s.cell).filter(|c| size.contains(*c)).collect();
        let (Some(&first), Some(&last)) = (cells.first(), cells.last()) else { return };
        let before = tandems(level);
        let colour = colour_of(ink);
        match Brush::of(ink) {
            Brush::Floor => clear(level, &cells, Ground::Floor, None, None),
            Brush::Void => clear(level, &cells, Ground::Void, None, None),
            Brush::Blocker => clear(level, &cells, Ground::Blocker, None, None),
            Brush::Cat => {
                clear(level, &cells, Ground::Floor, None, Some(colour));
                add_cats(level, colour, &cells);
            }
            Brush::BlockerCat => {
                clear(level, &cells, Ground::Blocker, None, None);
                add_cats(level, colour, &cells);
            }
            Brush::Stamp(form) => add_shape(level, colour, stamped(form, ink.sym, first, size)),
            Brush::Free => add_shape(level, colour, cells),
            Brush::Lock => {
                let most = level.cats.len().max(1) as u32;
                if let Some(i) = level.shape_at(first) {
                    let shape = &mut level.shapes[i];
                    shape.lock = if shape.lock >= most { 0 } else { shape.lock + 1 };
                }
            }
            Brush::Link => link(level, first, last),
        }
        finish(level, &before);
    }

    fn pick(level: &Level, spot: Spot) -> Ink {
        if let Some(k) = level.cat_at(spot.cell) {
            return cat_ink(level, &level.cats[k]);
        }
        if let Some(i) = level.shape_at(spot.cell) {
            return shape_ink(&level.shapes[i]);
        }
        Cats::ground(level, spot.cell)
    }

    fn picks(level: &Level, spots: &[Spot]) -> Vec<Ink> {
        // The first of several things at a cell is seen, so it is entered last.
        let mut inks: FxHashMap<Cell, Ink> = FxHashMap::default();
        for shape in level.shapes.iter().rev() {
            let ink = shape_ink(shape);
            inks.extend(shape.cells.iter().map(|c| (*c, ink)));
        }
        inks.extend(level.cats.iter().rev().map(|cat| (cat.at, cat_ink(level, cat))));
        spots.iter().map(|s| inks.get(&s.cell).copied().unwrap_or_else(|| Cats::ground(level, s.cell))).collect()
    }

    fn ground(level: &Level, at: Cell) -> Ink {
        let brush = match level.ground.get(at) {
            Some(Ground::Floor) => Brush::Floor,
            Some(Ground::Blocker) => Brush::Blocker,
            Some(Ground::Void) | None => Brush::Void,
        };
        Ink { swatch: brush.number(), ..Ink::default() }
    }

    fn things(level: &Level) -> Vec<Thing> {
        let cats = level.cats.iter().map(|cat| {
            let name = if level.is_blocker_cat(cat) { "cat on a blocker" } else { "cat" };
            Thing { name, ink: cat_ink(level, cat), spots: vec![cat.at.into()], facts: Vec::new() }
        });
        let shapes = level.shapes.iter().enumerate().map(|(i, shape)| {
            let ink = Ink { swatch: Brush::Free.number(), colour: shape.colour.index(), ..Ink::default() };
            let mut facts = vec![("letter", super::level::shape_letter(i).to_string())];
            if shape.lock > 0 {
                facts.push(("lock", shape.lock.to_string()));
            }
            if shape.tandem > 0 {
                facts.push(("tandem", shape.tandem.to_string()));
            }
            Thing { name: "shape", ink, spots: shape.cells.iter().map(|c| (*c).into()).collect(), facts }
        });
        cats.chain(shapes).collect()
    }

    /// A link leads to any other shape, or is cut.
    fn ends(level: &Level, _: Ink, spot: Spot) -> Vec<Spot> {
        let Some(from) = level.shape_at(spot.cell) else { return Vec::new() };
        let others = (0..level.shapes.len()).filter(|i| level.mover(*i) == *i && level.mover(from) != *i);
        let ends = others.filter_map(|i| level.shapes[i].cells.first()).copied();
        ends.chain((level.shapes[from].tandem != 0).then_some(spot.cell)).map(Spot::from).collect()
    }

    fn resized(level: &Level, size: Size, shift: (i16, i16)) -> Level {
        let mut next = Cats::blank(size);
        let size = next.size();
        for (c, ground) in level.ground.iter() {
            if let Some(to) = moved(c, shift, size) {
                next.ground[to] = *ground;
            }
        }
        next.shapes = level.shapes.clone();
        for shape in &mut next.shapes {
            shape.cells = shape.cells.iter().filter_map(|c| moved(*c, shift, size)).collect();
        }
        next.cats =
            level.cats.iter().filter_map(|cat| moved(cat.at, shift, size).map(|at| Cat { at, ..*cat })).collect();
        next.finished = level.finished;
        next.tidy();
        next
    }

    /// What of the part is on the board already stays as it is: a shape that reaches out of the stamped rectangle is cut only if the part
    /// holds something else there, and keeps its letter. Links within the part come along, one to something outside of it only where it is there
    /// already.
    fn stamp(level: &mut Level, part: &Level, at: Cell) {
        let (size, shift) = (level.size(), (at.x, at.y));
        let land = |c: Cell| moved(c, shift, size);
        let target: Vec<_> = part.size().cells().filter_map(land).collect();
        let mut inside = Grid::filled(size, false);
        for c in &target {
            inside[*c] = true;
        }
        let is_inside = |c: &Cell| inside.get(*c) == Some(&true);
        let before = tandems(level);
        // Each shape of the part with its tandem there, and then with its number here.
        let coming = part
            .shapes
            .iter()
            .map(|s| (Shape::new(s.colour, s.lock, s.cells.iter().filter_map(|c| land(*c))), s.tandem));
        let mut coming: Vec<_> = coming.filter(|(s, _)| !s.cells.is_empty()).collect();
        let mut landed: Vec<(usize, u32)> = Vec::new();
        for (i, shape) in level.shapes.iter_mut().enumerate() {
            let here = Shape::new(shape.colour, shape.lock, shape.cells.iter().copied().filter(is_inside));
            match coming.iter().position(|(s, _)| *s == here) {
                Some(k) => landed.push((i, coming.remove(k).1)),
                None => shape.cells.retain(|c| !is_inside(c)),
            }
        }
        let kept = landed.len();
        for (shape, tandem) in coming {
            landed.push((level.shapes.len(), tandem));
            level.shapes.push(shape);
        }
        link_landed(level, &landed, kept);
        level.cats.retain(|cat| !is_inside(&cat.at));
        level.cats.extend(part.cats.iter().filter_map(|cat| land(cat.at).map(|at| Cat { at, ..*cat })));
        for (c, ground) in part.ground.iter() {
            if let Some(to) = land(c) {
                level.ground[to] = *ground;
            }
        }
        finish(level, &before);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{Draft as _, Rules, rng},
        grid::cell,
    };
    use rand::RngExt as _;

    fn ink(id: &str, colour: Colour) -> Ink {
        let swatch = Cats::palette(&Cats::blank(Cats::NEW)).swatches.iter().position(|s| s.id == id);
        Ink { swatch: swatch.expect("a swatch"), colour: colour.index(), sym: Sym::IDENTITY }
    }

    fn paint(level: &mut Level, id: &str, colour: Colour, cells: &[(i16, i16)]) {
        let spots: Vec<Spot> = cells.iter().map(|(x, y)| cell(*x, *y).into()).collect();
        Cats::paint(level, ink(id, colour), &spots);
    }

    /// A board on which everything has been painted at random, often over each other.
    fn scribble(seed: u64) -> Level {
        let mut rng = rng(seed);
        let size = Size::new(rng.random_range(2..9), rng.random_range(2..9));
        let mut level = Cats::blank(size);
        let swatches = Cats::palette(&level).swatches.len();
        for _ in 0..rng.random_range(0..30) {
            let ink = Ink {
                swatch: rng.random_range(0..swatches),
                colour: rng.random_range(0..3),
                sym: Sym::ALL[rng.random_range(0..8)],
            };
            let mut spots = Vec::new();
            for _ in 0..rng.random_range(1..4) {
                let c = size.cell(rng.random_range(0..size.area()));
                if !spots.contains(&Spot::from(c)) {
                    spots.push(c.into());
                }
            }
            Cats::paint(&mut level, ink, &spots);
        }
        level
    }

    #[test]
    fn what_is_seen_at_all_spots_is_what_is_seen_at_each() {
        for level in (0..300).map(scribble) {
            let spots: Vec<Spot> = level.size().cells().map(Spot::from).collect();
            let each: Vec<Ink> = spots.iter().map(|s| Cats::pick(&level, *s)).collect();
            assert_eq!(Cats::picks(&level, &spots), each);
        }
    }

    fn check_consistent(level: &Level) {
        let size = level.size();
        let mut tidy = level.clone();
        tidy.tidy();
        assert_eq!(&tidy, level, "kept in order");
        let mut owner = Grid::filled(size, None);
        for shape in &level.shapes {
            for c in &shape.cells {
                assert!(size.contains(*c));
                assert_eq!(owner[*c].replace(shape.colour), None, "shapes never overlap");
                assert_eq!(level.ground[*c], Ground::Floor);
            }
        }
        for (k, cat) in level.cats.iter().enumerate() {
            assert!(size.contains(cat.at));
            assert_eq!(level.cat_at(cat.at), Some(k), "one cat a cell");
            assert_ne!(level.ground[cat.at], Ground::Void);
            assert!(owner[cat.at].is_none_or(|c| c == cat.colour));
        }
    }

    #[test]
    fn each_swatch_paints_what_pick_gives_back() {
        let palette = Cats::palette(&Cats::blank(Cats::NEW));
        assert_eq!((palette.swatches[0].id, palette.colours.len()), ("floor", 8));
        let painted = |s: &Swatch| !["lock", "tandem"].contains(&s.id);
        for (swatch, entry) in palette.swatches.iter().enumerate().filter(|(_, s)| painted(s)) {
            // A mirrored S is a Z, and is picked as one.
            let mirrored = entry.id != "S" && entry.id != "Z";
            for sym in Sym::ALL.into_iter().filter(|s| mirrored || !s.mirror) {
                let mut level = Cats::blank(Cats::NEW);
                let colour = if entry.coloured { 4 } else { 0 };
                let spots: Vec<Spot> = match entry.gesture {
                    Gesture::Whole => [(1, 1), (1, 2), (1, 3), (2, 3), (3, 3)].map(|(x, y)| cell(x, y).into()).to_vec(),
                    _ => vec![cell(3, 3).into()],
                };
                let used = Ink { swatch, colour, sym };
                Cats::paint(&mut level, used, &spots);
                check_consistent(&level);
                let picked = Cats::pick(&level, cell(3, 3).into());
                assert_eq!((picked.swatch, picked.colour), (swatch, colour), "{}", entry.id);
                let mut again = Cats::blank(Cats::NEW);
                Cats::paint(&mut again, picked, &spots);
                let outlines = |l: &Level| l.shapes.iter().map(Shape::outline).collect::<Vec<_>>();
                assert_eq!(outlines(&again), outlines(&level), "{} {sym:?}", entry.id);
            }
        }
    }

    #[test]
    fn painting_over_a_shape_takes_that_cell_from_it_and_the_last_one_drops_it() {
        let mut level = Cats::blank(Cats::NEW);
        paint(&mut level, "domino", Colour::Red, &[(2, 2)]);
        assert_eq!(level.shapes[0].cells, [cell(2, 2), cell(3, 2)]);
        paint(&mut level, "blocker", Colour::Red, &[(3, 2)]);
        assert_eq!(level.shapes[0].cells, [cell(2, 2)]);
        paint(&mut level, "cat", Colour::Blue, &[(2, 2)]);
        assert!(level.shapes.is_empty());
        assert_eq!(level.cats, [Cat { colour: Colour::Blue, at: cell(2, 2) }]);
        paint(&mut level, "floor", Colour::Red, &[(2, 2), (3, 2)]);
        assert_eq!(level, Cats::blank(Cats::NEW));
    }

    #[test]
    fn a_cat_and_a_shape_of_its_colour_lie_together_and_others_do_not() {
        let mut level = Cats::blank(Cats::NEW);
        paint(&mut level, "cat", Colour::Red, &[(2, 2), (3, 2)]);
        paint(&mut level, "single", Colour::Red, &[(2, 2)]);
        paint(&mut level, "single", Colour::Blue, &[(3, 2)]);
        assert_eq!(level.cats.len(), 1);
        assert_eq!(level.shapes.len(), 2);
        paint(&mut level, "cat", Colour::Blue, &[(3, 2)]);
        assert_eq!((level.cats.len(), level.shapes.len()), (2, 2));
        paint(&mut level, "blocker-cat", Colour::Blue, &[(3, 2)]);
        assert_eq!((level.cats.len(), level.shapes.len()), (2, 1));
        assert!(level.is_blocker_cat(&level.cats[1]));
    }

    #[test]
    fn a_stamp_covers_the_pointer_and_stays_on_the_board_where_it_can() {
        for form in FORMS {
            for sym in Sym::ALL {
                for at in Cats::NEW.cells() {
                    let mut level = Cats::blank(Cats::NEW);
                    Cats::paint(&mut level, Ink { sym, ..ink(form.name, Colour::Pink) }, &[at.into()]);
                    assert_eq!(level.shapes[0].outline(), form.turned(sym));
                    let outline = form.turned(sym);
                    let fits = |c: &Cell| outline.iter().all(|(x, y)| Cats::NEW.contains(c.offset(*x, *y)));
                    let covers = |c: &Cell| outline.iter().any(|(x, y)| c.offset(*x, *y) == at);
                    let possible = Cats::NEW.cells().any(|c| fits(&c) && covers(&c));
                    assert_eq!(level.shapes[0].cells.contains(&at), possible);
                }
            }
        }
        let mut small = Cats::blank(Size::new(2, 2));
        paint(&mut small, "I", Colour::Red, &[(0, 1)]);
        assert_eq!(small.shapes[0].cells, [cell(0, 1), cell(1, 1)]);
    }

    #[test]
    fn a_mirrored_stamp_is_the_mirror_image_of_the_stamp() {
        for form in FORMS {
            for (sym, mirror) in Sym::ALL.into_iter().flat_map(|s| Sym::ALL.map(|m| (s, m))) {
                for at in Cats::NEW.cells() {
                    let mut level = Cats::blank(Cats::NEW);
                    let mut image = level.clone();
                    let ink = Ink { sym, ..ink(form.name, Colour::Pink) };
                    Cats::paint(&mut level, ink, &[at.into()]);
                    let there = mirror.cell(at, Cats::NEW).into();
                    Cats::paint(&mut image, Ink { sym: sym.then(mirror), ..ink }, &[there]);
                    assert_eq!(Cats::turned(&level, mirror), Some(image));
                }
            }
        }
    }

    #[test]
    fn a_free_stroke_is_one_shape_even_in_two_parts_and_the_problems_say_so() {
        let mut level = Cats::blank(Cats::NEW);
        paint(&mut level, "free", Colour::Teal, &[(0, 0), (1, 0), (1, 1), (5, 5)]);
        assert_eq!(level.shapes.len(), 1);
        assert!(Cats::problems(&level).iter().any(|p| p.text.contains("not in one piece")));
    }

    #[test]
    fn a_lock_counts_up_to_the_number_of_cats_and_round() {
        let mut level = Cats::blank(Cats::NEW);
        paint(&mut level, "cat", Colour::Red, &[(0, 0), (1, 0)]);
        paint(&mut level, "O", Colour::Red, &[(4, 4)]);
        let mut seen = Vec::new();
        for _ in 0..4 {
            paint(&mut level, "lock", Colour::Red, &[(4, 4)]);
            seen.push(level.shapes[0].lock);
        }
        assert_eq!(seen, [1, 2, 0, 1]);
        level.shapes[0].lock = u32::MAX;
        paint(&mut level, "lock", Colour::Red, &[(4, 4)]);
        paint(&mut level, "lock", Colour::Red, &[(7, 7)]);
        assert_eq!(level.shapes[0].lock, 0);
    }

    #[test]
    fn the_link_tool_joins_shapes_and_a_click_cuts() {
        let mut level = Cats::blank(Cats::NEW);
        for x in [0, 2, 4, 6] {
            paint(&mut level, "single", Colour::Red, &[(x, 0)]);
        }
        let tandems = |level: &Level| level.shapes.iter().map(|s| s.tandem).collect::<Vec<_>>();
        paint(&mut level, "tandem", Colour::Red, &[(6, 0), (5, 0), (4, 0)]);
        assert_eq!(tandems(&level), [0, 0, 1, 1]);
        paint(&mut level, "tandem", Colour::Red, &[(0, 0), (2, 0)]);
        assert_eq!(tandems(&level), [1, 1, 2, 2], "numbered by the letters");
        paint(&mut level, "tandem", Colour::Red, &[(2, 0), (1, 0)]);
        assert_eq!(tandems(&level), [1, 1, 2, 2], "a link to nothing is none");
        paint(&mut level, "tandem", Colour::Red, &[(2, 0), (4, 0)]);
        assert_eq!(tandems(&level), [1, 1, 1, 1], "all that each was linked to comes along");
        paint(&mut level, "tandem", Colour::Red, &[(2, 0)]);
        assert_eq!(tandems(&level), [1, 0, 1, 1]);
        paint(&mut level, "floor", Colour::Red, &[(0, 0)]);
        assert_eq!(tandems(&level), [0, 1, 1]);
        paint(&mut level, "tandem", Colour::Red, &[(4, 0)]);
        assert_eq!(tandems(&level), [0, 0, 0], "the last partner moves alone too");
        assert_eq!(Cats::ends(&level, ink("tandem", Colour::Red), cell(4, 0).into()).len(), 2);
    }

    #[test]
    fn a_stamp_carries_its_links_along() {
        let mut level = Cats::blank(Cats::NEW);
        for at in [(0, 0), (2, 0), (7, 0)] {
            paint(&mut level, "single", Colour::Red, &[at]);
        }
        paint(&mut level, "tandem", Colour::Red, &[(0, 0), (2, 0)]);
        paint(&mut level, "tandem", Colour::Red, &[(0, 0), (7, 0)]);
        let tandems = |level: &Level| level.shapes.iter().map(|s| s.tandem).collect::<Vec<_>>();
        let part = Cats::resized(&level, Size::new(3, 1), (0, 0));
        let mut twice = level.clone();
        Cats::stamp(&mut twice, &part, cell(0, 4));
        assert_eq!(tandems(&twice), [1, 1, 1, 2, 2], "the copies are linked to each other");
        let half = Cats::resized(&level, Size::new(2, 1), (0, 0));
        let mut more = level.clone();
        Cats::stamp(&mut more, &half, cell(0, 4));
        assert_eq!(tandems(&more), [1, 1, 1, 0], "a link out of the part stays behind");
        let bare = Cats::blank(Size::new(3, 1));
        Cats::stamp(&mut level, &bare, cell(0, 0));
        assert_eq!(tandems(&level), [0]);
    }

    #[test]
    fn any_scribble_keeps_cats_and_shapes_apart_and_painting_it_twice_changes_nothing() {
        for seed in 0..500 {
            let level = scribble(seed);
            check_consistent(&level);
            for c in level.size().cells() {
                let mut again = level.clone();
                let picked = Cats::pick(&level, c.into());
                let spots_brush = matches!(Brush::of(picked), Brush::Floor | Brush::Void | Brush::Blocker | Brush::Cat);
                if spots_brush {
                    Cats::paint(&mut again, picked, &[c.into()]);
                    assert_eq!(again, level);
                }
            }
        }
    }

    #[test]
    fn a_part_cut_out_and_stamped_back_changes_nothing() {
        for seed in 0..500 {
            let level = scribble(seed);
            let mut rng = rng(seed);
            let size = level.size();
            let (x, y) = (rng.random_range(0..size.w), rng.random_range(0..size.h));
            let part = Size::new(rng.random_range(1..=size.w - x), rng.random_range(1..=size.h - y));
            let at = cell(x as i16, y as i16);
            let cut = Cats::resized(&level, part, (-at.x, -at.y));
            check_consistent(&cut);
            let mut back = level.clone();
            Cats::stamp(&mut back, &cut, at);
            assert_eq!(back, level);
            let mut moved = level.clone();
            Cats::stamp(&mut moved, &cut, cell(at.y, at.x));
            check_consistent(&moved);
        }
    }

    #[test]
    fn a_larger_board_and_back_is_the_same_and_a_smaller_one_drops_what_falls_off() {
        for seed in 0..200 {
            let level = scribble(seed);
            let size = level.size();
            let larger = Cats::resized(&level, Size::new(size.w + 3, size.h + 2), (2, 1));
            check_consistent(&larger);
            assert_eq!(Cats::resized(&larger, size, (-2, -1)), level);
            check_consistent(&Cats::resized(&level, Size::new(2, 2), (-1, -1)));
        }
    }

    #[test]
    fn absurd_sizes_shifts_and_inks_do_nothing_worse_than_nothing() {
        let mut level = scribble(3);
        let huge = Size::new(u16::MAX, u16::MAX);
        assert_eq!(Cats::blank(huge).size(), LARGEST);
        for shift in [i16::MIN, -1, 0, 1, i16::MAX] {
            for size in [Size::new(0, 0), Size::new(0, 5), Size::new(64, 1), huge] {
                check_consistent(&Cats::resized(&level, size, (shift, shift)));
            }
            let part = level.clone();
            Cats::stamp(&mut level, &part, cell(shift, shift));
            let absurd = Ink { swatch: usize::MAX, colour: usize::MAX, sym: Sym { mirror: true, turns: 255 } };
            Cats::paint(&mut level, absurd, &[cell(shift, shift).into()]);
            Cats::pick(&level, cell(shift, shift).into());
            for swatch in 0..20 {
                Cats::paint(&mut level, Ink { swatch, ..absurd }, &[cell(0, 0).into(), cell(shift, 0).into()]);
            }
            check_consistent(&level);
        }
        assert!(Cats::arrange(&level).is_some());
    }
}
