//! A level as map editors see it: a grid of ground and a list of things on it.
//!
//! The ground of each cell and the things on it come from the game ([`crate::game::Edit::ground`], [`crate::game::Edit::things`]) as inks of its palette, and the palette gives them names and
//! colours: so the map is readable to somebody who has never seen this program. A map cannot hold all of a level (links between doors and buttons, locks, rule
//! switches, notes), so the level's own text goes along with it.
//!
//! **What is read back.** The text is read first. Then the board is given the map's size, and wherever the map's ground or things differ from those of
//! the text, the map wins: what is no longer there is erased, what is new is painted with its ink, as the editor would do it. So a map that was not
//! changed gives back exactly the level it was made from, and one that was changed gives that level with these changes. The facts beside a thing
//! (`number`, `lock`, `letter`) are for the reader: to change them, use this program.

use crate::{
    document::{AnyGame, Board, Doc},
    formats::native,
    game::{Fault, Ink, Palette, Thing},
    games,
    grid::{Cell, Size, Spot, Sym},
    picture::{Colours, Rgba},
};
use std::collections::HashMap;

/// Something that occurs on maps of a game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Entry {
    /// The ink that paints it. Things of one swatch share an entry, whatever their colour and turn.
    pub ink: Ink,
    /// Its name for programs: letters and digits, unique.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Its colour on a map.
    pub colour: Rgba,
}

/// All that can occur on maps of a game.
#[derive(Clone)]
pub(super) struct Catalogue {
    palette: Palette,
    /// Kinds of ground.
    pub ground: Vec<Entry>,
    /// Kinds of things.
    pub things: Vec<Entry>,
}

/// "One-way floor" → "OneWayFloor".
fn camel(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
    let id: String = words.map(|w| w[..1].to_ascii_uppercase() + &w[1..]).collect();
    if id.starts_with(|c: char| c.is_ascii_alphabetic()) { id } else { format!("N{id}") }
}

/// Where a symmetry stands among the eight.
fn turn_number(sym: Sym) -> usize {
    Sym::ALL.iter().position(|s| *s == sym).unwrap_or(0)
}

impl Catalogue {
    /// What these levels have, and what else could be painted on a board of that size.
    pub fn new(docs: &[&dyn Doc]) -> Option<Catalogue> {
        let first = docs.first()?;
        let sizes = docs.iter().map(|d| d.board_size(Board::Draft));
        let size = sizes.fold(Size::new(1, 1), |a, b| Size::new(a.w.max(b.w), a.h.max(b.h)));
        let mut found = Catalogue::paintable(first.game(), size);
        docs.iter().for_each(|d| found.add_used(*d));
        Some(found)
    }

    /// What can be painted on a board of that size.
    fn paintable(game: &'static dyn AnyGame, size: Size) -> Catalogue {
        let mut blank = game.blank(size);
        let size = blank.board_size(Board::Draft);
        let palette = blank.palette();
        let middle = Cell { x: (size.w / 2) as i16, y: (size.h / 2) as i16 };
        let mut found = Catalogue { palette: palette.clone(), ground: Vec::new(), things: Vec::new() };
        for (swatch, entry) in palette.swatches.iter().enumerate() {
            let colours = if entry.coloured { palette.colours.len() } else { 1 };
            let syms = if entry.turns { &Sym::ALL[..] } else { &Sym::ALL[..1] };
            for colour in 0..colours {
                for sym in syms {
                    let ink = Ink { swatch, colour, sym: *sym };
                    // Whether an ink is ground, or makes a thing, is found out by painting it.
                    blank.paint(ink, &[middle.into()], &[], "");
                    let (ground, things) = (blank.ground(middle), blank.things());
                    blank.undo_edit();
                    if ground == ink {
                        found.add_ground(&*blank, ink);
                    } else if let Some(thing) = things.iter().find(|t| t.ink.swatch == swatch) {
                        found.add_thing(&*blank, thing);
                    }
                }
            }
        }
        found
    }

    /// What a level has beside that.
    fn add_used(&mut self, doc: &dyn Doc) {
        for cell in doc.board_size(Board::Draft).cells() {
            self.add_ground(doc, doc.ground(cell));
        }
        for thing in doc.things() {
            self.add_thing(doc, &thing);
        }
    }

    /// A kind of ground in words: the palette's short name where it is one ("hole"), else its long one ("Digit 7").
    fn ground_name(&self, ink: Ink) -> String {
        let Some(swatch) = self.palette.swatches.get(ink.swatch) else { return format!("Ink {}", ink.swatch) };
        let word = swatch.id.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
        self.name(if word { swatch.id } else { &swatch.name }, ink)
    }

    /// A name with the colour and the turn of its ink.
    fn name(&self, name: &str, ink: Ink) -> String {
        let mut letters = name.chars();
        let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        let mut name = first + &letters.as_str().replace('-', " ");
        let Some(swatch) = self.palette.swatches.get(ink.swatch) else { return name };
        if swatch.coloured
            && let Some(colour) = self.palette.colours.get(ink.colour)
        {
            name = format!("{name} {colour}");
        }
        let Sym { mirror, turns } = ink.sym;
        if mirror {
            name += " mirrored";
        }
        if turns > 0 {
            name += &format!(" turned {}", u32::from(turns) * 90);
        }
        name
    }

    fn add_ground(&mut self, blank: &dyn Doc, ink: Ink) {
        if !self.ground.iter().any(|e| e.ink == ink) {
            let name = self.ground_name(ink);
            let id = unique(&self.ground, camel(&name));
            self.ground.push(Entry { ink, id, name, colour: colour(blank, ink) });
        }
    }

    fn add_thing(&mut self, blank: &dyn Doc, thing: &Thing) {
        let ink = thing.ink;
        if !self.things.iter().any(|e| e.ink.swatch == ink.swatch) {
            let plain = Ink { swatch: ink.swatch, ..Ink::default() };
            let id = unique(&self.things, camel(thing.name));
            self.things.push(Entry { ink: plain, id, name: thing.name.into(), colour: colour(blank, ink) });
        }
    }

    /// The number of a kind of ground on maps, from 1.
    pub fn ground_number(&self, ink: Ink) -> usize {
        self.ground.iter().position(|e| e.ink == ink).map_or(0, |i| i + 1)
    }

    /// The kind of a thing.
    pub fn kind(&self, thing: &Thing) -> Option<(usize, &Entry)> {
        self.things.iter().enumerate().find(|(_, e)| e.ink.swatch == thing.ink.swatch)
    }

    /// A thing as maps write it.
    pub fn put(&self, thing: &Thing) -> Option<Placed> {
        let (kind, entry) = self.kind(thing)?;
        let (xs, ys) = (thing.spots.iter().map(|s| s.cell.x), thing.spots.iter().map(|s| s.cell.y));
        let (x, y) = (xs.clone().min()?, ys.clone().min()?);
        let (w, h) = (xs.max()? - x + 1, ys.max()? - y + 1);
        let swatch = self.palette.swatches.get(thing.ink.swatch)?;
        let offset = |s: &Spot| {
            let part = s.part.map_or_else(String::new, |p| format!(".{p}"));
            format!("{},{}{part}", s.cell.x - x, s.cell.y - y)
        };
        let mut fields = Vec::new();
        if swatch.coloured {
            fields.push(("colour", self.palette.colours.get(thing.ink.colour)?.clone()));
        }
        if swatch.turns {
            fields.push(("turn", turn_number(thing.ink.sym).to_string()));
        }
        if thing.spots.len() > 1 || thing.spots.iter().any(|s| s.part.is_some()) {
            fields.push(("cells", thing.spots.iter().map(offset).collect::<Vec<_>>().join(" ")));
        }
        fields.extend(thing.facts.iter().cloned());
        let name = self.name(thing.name, thing.ink);
        Some(Placed { kind, id: entry.id.clone(), name, at: (x, y), size: (w as u16, h as u16), fields })
    }
}

fn unique(taken: &[Entry], id: String) -> String {
    let free = |id: &String| !taken.iter().any(|e| e.id == *id);
    if free(&id) {
        return id;
    }
    (2..).map(|n| format!("{id}_{n}")).find(free).unwrap_or(id)
}

/// An ink in one colour: the mean of its picture on a light floor.
fn colour(blank: &dyn Doc, ink: Ink) -> Rgba {
    const SIDE: u32 = 16;
    let colours = Colours::light();
    let Some(mut pixmap) = tiny_skia::Pixmap::new(SIDE, SIDE) else { return colours.floor };
    let Rgba(r, g, b, _) = colours.floor_alt;
    pixmap.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
    super::raster::add(&mut pixmap, &blank.draw_ink(ink, &colours), SIDE as f32, (0.0, 0.0));
    let sum = pixmap
        .pixels()
        .iter()
        .fold([0u32; 3], |s, p| [s[0] + u32::from(p.red()), s[1] + u32::from(p.green()), s[2] + u32::from(p.blue())]);
    let [r, g, b] = sum.map(|s| (s / (SIDE * SIDE)) as u8);
    Rgba(r, g, b, 255)
}

/// A thing at its place on a map, in cells.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Placed {
    /// The number of its kind in [`Catalogue::things`].
    pub kind: usize,
    /// Its kind's name for programs.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Its top left cell.
    pub at: (i16, i16),
    /// Cells across and down.
    pub size: (u16, u16),
    /// What makes it what it is (`colour`, `turn`, `cells`), and its facts.
    pub fields: Vec<(&'static str, String)>,
}

/// All names of fields that a kind of thing has in these levels.
pub(super) fn field_names(catalogue: &Catalogue, docs: &[&dyn Doc], kind: usize) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for doc in docs {
        for placed in doc.things().iter().filter_map(|t| catalogue.put(t)).filter(|p| p.kind == kind) {
            for (name, _) in placed.fields {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
    }
    names
}

/// A map as it was read.
#[derive(Default)]
pub(super) struct Map {
    /// The level's own text.
    pub native: String,
    /// Columns and rows.
    pub size: (usize, usize),
    /// The names of the ground's kinds, row by row; `None` where the map is empty, which is what the eraser leaves.
    pub ground: Vec<Option<String>>,
    /// The things: kind, top left cell, fields.
    pub things: Vec<(String, (i64, i64), HashMap<String, String>)>,
}

/// No map has more things than this.
const MOST_THINGS: usize = 20_000;

/// What can be painted, by game and size: a project of many levels asks again and again.
pub(super) type Known = HashMap<(&'static str, Size), Catalogue>;

/// The level that a map shows.
pub(super) fn restore(map: &Map, known: &mut Known) -> Result<Box<dyn Doc>, Fault> {
    let inside = |f: Fault| Fault::new(format!("the level text in this map cannot be read: {f}"));
    let game = native::head(&map.native).map_err(inside)?;
    let game = games::by_id(&game).ok_or_else(|| Fault::new(format!("this map is for an unknown game, {game:?}")))?;
    let mut doc = game.read_native(&map.native).map_err(inside)?;
    let (least, most, _) = game.sizes();
    let (w, h) = map.size;
    let fits = |n: usize, least: u16, most: u16| (usize::from(least)..=usize::from(most)).contains(&n);
    if !fits(w, least.w, most.w) || !fits(h, least.h, most.h) {
        let (a, b) = (format!("{} x {}", least.w, least.h), format!("{} x {}", most.w, most.h));
        return Err(Fault::new(format!(
            "boards of {} have {a} to {b} cells, and this map has {w} x {h}",
            game.info().name
        )));
    }
    let size = Size::new(w as u16, h as u16);
    if map.ground.len() != size.area() {
        return Err(Fault::new(format!("the ground of this map has {} cells instead of {w} x {h}", map.ground.len())));
    }
    if map.things.len() > MOST_THINGS {
        return Err(Fault::new(format!("this map has more than {MOST_THINGS} things")));
    }
    if doc.board_size(Board::Draft) != size {
        doc.resize(size, (0, 0));
    }
    let mut catalogue = known.entry((game.info().id, size)).or_insert_with(|| Catalogue::paintable(game, size)).clone();
    catalogue.add_used(&*doc);
    let wanted = map.things.iter().map(|t| thing(&catalogue, size, t)).collect::<Result<Vec<_>, _>>()?;
    let key = |t: &Thing| {
        let mut spots: Vec<_> = t.spots.iter().map(|s| (s.cell.y, s.cell.x, s.part)).collect();
        spots.sort_unstable();
        (t.ink.swatch, t.ink.colour, turn_number(t.ink.sym), spots)
    };
    // What the map no longer has. Equal things are told apart by their number.
    let mut left: HashMap<_, usize> = HashMap::new();
    for t in &wanted {
        *left.entry(key(t)).or_default() += 1;
    }
    let mut gone = Vec::new();
    for t in doc.things() {
        match left.get_mut(&key(&t)) {
            Some(n) if *n > 0 => *n -= 1,
            _ => gone.push((Ink::default(), t.spots)),
        }
    }
    doc.paint_all(&gone, "from the map");
    let mut ground = Vec::new();
    for (i, name) in map.ground.iter().enumerate() {
        let cell = size.cell(i);
        let Some(name) = name else {
            ground.push((Ink::default(), vec![cell.into()]));
            continue;
        };
        let Some(entry) = catalogue.ground.iter().find(|e| e.id == *name) else {
            return Err(Fault::new(format!(
                "this map has ground called {name:?}, which {} does not have",
                game.info().name
            )));
        };
        if doc.ground(cell) != entry.ink {
            ground.push((entry.ink, vec![cell.into()]));
        }
    }
    doc.paint_all(&ground, "from the map");
    // What the map has and the level has not, or has lost on the way.
    let mut there: HashMap<_, usize> = HashMap::new();
    for t in doc.things() {
        *there.entry(key(&t)).or_default() += 1;
    }
    let mut new = Vec::new();
    for t in wanted {
        match there.get_mut(&key(&t)) {
            Some(n) if *n > 0 => *n -= 1,
            _ => new.push((t.ink, t.spots)),
        }
    }
    doc.paint_all(&new, "from the map");
    // A fresh document: what was painted here is no history of the user's.
    if doc.dirty() { game.read_native(&doc.native()).map_err(inside) } else { Ok(doc) }
}

fn thing(
    catalogue: &Catalogue,
    size: Size,
    (kind, (x, y), fields): &(String, (i64, i64), HashMap<String, String>),
) -> Result<Thing, Fault> {
    let fault = |text: String| Fault::new(format!("the {kind} at {x},{y} of this map {text}"));
    let entry = catalogue.things.iter().find(|e| e.id == *kind);
    let entry = entry
        .ok_or_else(|| Fault::new(format!("this map has a thing called {kind:?}, which this game does not have")))?;
    let swatch = catalogue.palette.swatches.get(entry.ink.swatch);
    let (coloured, turns) = swatch.map_or((false, false), |s| (s.coloured, s.turns));
    let colour = match fields.get("colour").filter(|_| coloured) {
        Some(name) => {
            let found = catalogue.palette.colours.iter().position(|c| c.eq_ignore_ascii_case(name.trim()));
            found.ok_or_else(|| {
                fault(format!("has the colour {name:?}; there are {}", catalogue.palette.colours.join(", ")))
            })?
        }
        None => 0,
    };
    let sym = match fields.get("turn").filter(|t| turns && !t.trim().is_empty()) {
        Some(turn) => {
            let sym = turn.trim().parse::<usize>().ok().and_then(|n| Sym::ALL.get(n).copied());
            sym.ok_or_else(|| fault(format!("is turned by {turn:?} instead of a number from 0 to 7")))?
        }
        None => Sym::IDENTITY,
    };
    let cells = fields.get("cells").map_or("", |c| c.trim());
    let cells = if cells.is_empty() { "0,0" } else { cells };
    let mut spots = Vec::new();
    for word in cells.split_whitespace() {
        let spot = || {
            let (place, part) = word.split_once('.').map_or((word, None), |(a, b)| (a, Some(b)));
            let (dx, dy) = place.split_once(',')?;
            let part = part.map(str::parse).transpose().ok()?;
            let at = |from: i64, d: &str| i16::try_from(from.checked_add(d.parse::<i64>().ok()?)?).ok();
            Some(Spot { cell: Cell { x: at(*x, dx)?, y: at(*y, dy)? }, part })
        };
        let spot = spot().ok_or_else(|| fault(format!("has a cell {word:?}, which is not a place")))?;
        spots.push(spot);
        if spots.len() > size.area() * 8 {
            return Err(fault("has more cells than the board".into()));
        }
    }
    Ok(Thing { name: "", ink: Ink { swatch: entry.ink.swatch, colour, sym }, spots, facts: Vec::new() })
}
