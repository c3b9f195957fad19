//! The draft: ground, shapes and their links, cats, and the one rule switch; what is wrong with it; its form in a file; its symmetries.
//!
//! A draft may hold anything: shapes that overlap, cats in the void, a shape in two parts. In a file the board is a drawing with a
//! legend; whatever has no room on it (a cat under a shape, the lower of two overlapping shapes) is drawn in further layers above.

use super::Cats;
use crate::{
    game::{BoardFault, Draft, Format, Info, NOWHERE, Param, Problem, Value, Values, board_size},
    grid::{Cell, Grid, Size, Sym},
};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, Visitor},
};
use std::{collections::BTreeMap, fmt};

/// The largest board.
pub const LARGEST: Size = Size::new(64, 64);

/// The most cats a playable level holds: a bit each.
pub const MOST_CATS: usize = 64;

/// The colour of shapes and cats; its number indexes [`crate::picture::Colours::pieces`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Colour {
    Red,
    Green,
    Blue,
    Yellow,
    Purple,
    Orange,
    Teal,
    Pink,
}

impl Colour {
    /// All of them, in the order of their numbers.
    pub const ALL: [Colour; 8] = [
        Colour::Red,
        Colour::Green,
        Colour::Blue,
        Colour::Yellow,
        Colour::Purple,
        Colour::Orange,
        Colour::Teal,
        Colour::Pink,
    ];

    /// Its number, from 0.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its name for people: "red".
    pub const fn name(self) -> &'static str {
        ["red", "green", "blue", "yellow", "purple", "orange", "teal", "pink"][self.index()]
    }

    /// The colour of a name, in any case.
    pub fn from_name(name: &str) -> Option<Colour> {
        Colour::ALL.into_iter().find(|c| c.name().eq_ignore_ascii_case(name))
    }

    /// The letter of a cat of this colour on a written board.
    pub const fn cat_letter(self) -> char {
        ['R', 'G', 'B', 'Y', 'P', 'O', 'T', 'K'][self.index()]
    }

    /// The digit of a blocker-cat of this colour on a written board.
    pub const fn blocker_cat_letter(self) -> char {
        ['1', '2', '3', '4', '5', '6', '7', '8'][self.index()]
    }
}

/// What a cell is before anything stands on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Ground {
    /// Nothing: no shape can be here.
    #[default]
    Void,
    /// Free to move on.
    Floor,
    /// Floor with a blocker that never moves.
    Blocker,
}

/// A polyomino that can be moved.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shape {
    /// Its colour.
    pub colour: Colour,
    /// It moves only once this many cats are gone.
    pub lock: u32,
    /// The number of its tandem, the same for all members, from 1; 0 if it moves alone.
    pub tandem: u32,
    /// Its cells on the board, row by row, each once.
    pub cells: Vec<Cell>,
}

impl Shape {
    /// A shape of these cells, in any order, that moves alone.
    pub fn new(colour: Colour, lock: u32, cells: impl IntoIterator<Item = Cell>) -> Shape {
        let mut cells: Vec<_> = cells.into_iter().collect();
        sort_cells(&mut cells);
        Shape { colour, lock, tandem: 0, cells }
    }

    /// Whether its cells hang together.
    pub fn is_connected(&self) -> bool {
        let Some(first) = self.cells.first() else { return true };
        let mut seen = vec![false; self.cells.len()];
        let mut open = vec![*first];
        seen[0] = true;
        while let Some(c) = open.pop() {
            for n in c.neighbours() {
                // Cells are sorted by row, then column.
                if let Ok(i) = self.cells.binary_search_by_key(&(n.y, n.x), |c| (c.y, c.x))
                    && !seen[i]
                {
                    seen[i] = true;
                    open.push(n);
                }
            }
        }
        !seen.contains(&false)
    }

    /// Its cells moved so that the least row and column are 0.
    pub fn outline(&self) -> Vec<(i16, i16)> {
        outline(self.cells.iter().map(|c| (c.x, c.y)))
    }

    /// The name of its form: "domino", "T", "piece of 5".
    pub fn form_name(&self) -> String {
        let outline = self.outline();
        // Turns before mirror images, since S and Z are each other's.
        let known = [false, true].into_iter().find_map(|mirror| {
            let fits = |f: &&Form| (0..4).any(|turns| f.turned(Sym { mirror, turns }) == outline);
            FORMS.iter().find(fits)
        });
        known.map_or_else(|| format!("piece of {}", self.cells.len()), |f| f.name.to_string())
    }

    /// What it is called where its place is named too: "red domino".
    pub fn name(&self) -> String {
        format!("{} {}", self.colour.name(), self.form_name())
    }
}

/// A cat. One that stands on a blocker is a blocker-cat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cat {
    /// Its colour.
    pub colour: Colour,
    /// Its cell.
    pub at: Cell,
}

/// What becomes of the shapes of a colour whose last cat is gone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Finished {
    /// They stay on the board.
    #[default]
    Stay,
    /// They are taken off at once.
    Leave,
}

impl Finished {
    /// The words of the rule switch, the default first.
    pub const WORDS: &'static [&'static str] = &["stay", "leave"];

    /// Its word.
    pub const fn word(self) -> &'static str {
        Finished::WORDS[self as usize]
    }
}

/// A named form to build with, in any turn and mirror image.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Form {
    /// Its name: "domino", "T".
    pub name: &'static str,
    /// Its cells, `(x, y)` from (0, 0).
    pub cells: &'static [(i16, i16)],
}

/// The named forms, by size.
pub const FORMS: &[Form] = &[
    Form { name: "single", cells: &[(0, 0)] },
    Form { name: "domino", cells: &[(0, 0), (1, 0)] },
    Form { name: "I", cells: &[(0, 0), (1, 0), (2, 0)] },
    Form { name: "L", cells: &[(0, 0), (0, 1), (0, 2), (1, 2)] },
    Form { name: "T", cells: &[(0, 0), (1, 0), (2, 0), (1, 1)] },
    Form { name: "S", cells: &[(1, 0), (2, 0), (0, 1), (1, 1)] },
    Form { name: "Z", cells: &[(0, 0), (1, 0), (1, 1), (2, 1)] },
    Form { name: "O", cells: &[(0, 0), (1, 0), (0, 1), (1, 1)] },
];

impl Form {
    /// Its cells under a symmetry, moved so that the least row and column are 0.
    pub fn turned(&self, sym: Sym) -> Vec<(i16, i16)> {
        outline(self.cells.iter().map(|c| sym.offset(*c)))
    }
}

fn outline(cells: impl Iterator<Item = (i16, i16)> + Clone) -> Vec<(i16, i16)> {
    let x0 = cells.clone().map(|c| c.0).min().unwrap_or(0);
    let y0 = cells.clone().map(|c| c.1).min().unwrap_or(0);
    let mut all: Vec<_> = cells.map(|(x, y)| (x - x0, y - y0)).collect();
    all.sort_unstable_by_key(|&(x, y)| (y, x));
    all
}

fn sort_cells(cells: &mut Vec<Cell>) {
    cells.sort_unstable_by_key(|c| (c.y, c.x));
    cells.dedup();
}

/// A draft. A change of `cats` or of links is followed by [`Level::tidy`].
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    /// The ground of every cell.
    pub ground: Grid<Ground>,
    /// The shapes; the first is called `a`.
    pub shapes: Vec<Shape>,
    /// The cats, row by row.
    pub cats: Vec<Cat>,
    /// The rule switch `finished_shapes`.
    pub finished: Finished,
}

impl Level {
    /// An empty floor.
    pub fn blank(size: Size) -> Level {
        Level {
            ground: Grid::filled(size, Ground::Floor),
            shapes: Vec::new(),
            cats: Vec::new(),
            finished: Finished::Stay,
        }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.ground.size()
    }

    /// Brings cats and the cells of shapes into order, drops shapes without cells and numbers the tandems by their first letters, so that equal
    /// drafts compare equal.
    pub fn tidy(&mut self) {
        for shape in &mut self.shapes {
            sort_cells(&mut shape.cells);
        }
        self.shapes.retain(|s| !s.cells.is_empty());
        self.cats.sort_by_key(|c| (c.at.y, c.at.x, c.colour));
        let mut tandems = Vec::new();
        for shape in self.shapes.iter_mut().filter(|s| s.tandem != 0) {
            let known = tandems.iter().position(|t| *t == shape.tandem);
            let i = known.unwrap_or_else(|| {
                tandems.push(shape.tandem);
                tandems.len() - 1
            });
            shape.tandem = i as u32 + 1;
        }
    }

    /// The shapes that move with one, itself among them, in the order of their letters.
    pub fn members(&self, shape: usize) -> impl Iterator<Item = usize> + use<'_> {
        let tandem = self.shapes.get(shape).map_or(0, |s| s.tandem);
        let alone = (tandem == 0).then_some(shape);
        let linked = self.shapes.iter().enumerate().filter(move |(_, s)| tandem != 0 && s.tandem == tandem);
        alone.into_iter().chain(linked.map(|(i, _)| i))
    }

    /// The first of the shapes that move with one: steps are counted, written and searched as its own.
    pub fn mover(&self, shape: usize) -> usize {
        match self.shapes.get(shape) {
            Some(s) if s.tandem != 0 => self.shapes.iter().position(|other| other.tandem == s.tandem).unwrap_or(shape),
            _ => shape,
        }
    }

    /// Whether a cat stands on a blocker.
    pub fn is_blocker_cat(&self, cat: &Cat) -> bool {
        self.ground.get(cat.at) == Some(&Ground::Blocker)
    }

    /// The shape (the first, if several overlap) whose cells in the draft hold this cell.
    pub fn shape_at(&self, at: Cell) -> Option<usize> {
        self.shapes.iter().position(|s| s.cells.contains(&at))
    }

    /// The cat (the first, if there are several) at a cell of the draft.
    pub fn cat_at(&self, at: Cell) -> Option<usize> {
        self.cats.iter().position(|c| c.at == at)
    }

    fn errors(&self) -> Vec<Problem> {
        let mut all = Vec::new();
        if self.cats.is_empty() {
            all.push(Problem::error(NOWHERE, "there is no cat: place at least one"));
        }
        if self.cats.len() > MOST_CATS {
            let text = format!("there are {} cats; a level holds at most {MOST_CATS}", self.cats.len());
            all.push(Problem::error(self.cats[MOST_CATS..].iter().map(|c| c.at), text));
        }
        for pair in self.cats.windows(2).filter(|p| p[0].at == p[1].at) {
            all.push(Problem::error([pair[0].at], "two cats stand on one cell"));
        }
        let adrift = |c: &Cat| !matches!(self.ground.get(c.at), Some(Ground::Floor | Ground::Blocker));
        for cat in self.cats.iter().filter(|c| adrift(c)) {
            all.push(Problem::error([cat.at], format!("this {} cat is not on the floor", cat.colour.name())));
        }
        let mut owner: Grid<Option<usize>> = Grid::filled(self.size(), None);
        for (i, shape) in self.shapes.iter().enumerate() {
            self.shape_errors(i, shape, &mut owner, &mut all);
        }
        for (i, shape) in self.shapes.iter().enumerate() {
            if shape.tandem != 0 && self.members(i).count() == 1 {
                let text =
                    format!("{} is linked to no other shape: link it to one, or cut the link", self.shape_name(i));
                all.push(Problem::error(shape.cells.iter().copied(), text));
            }
        }
        for cat in &self.cats {
            if let Some(Some(i)) = owner.get(cat.at)
                && self.shapes[*i].colour != cat.colour
                && !self.is_blocker_cat(cat)
            {
                let text = format!("this {} cat is under {}", cat.colour.name(), self.shape_name(*i));
                all.push(Problem::error([cat.at], text));
            }
        }
        all
    }

    fn shape_errors(&self, i: usize, shape: &Shape, owner: &mut Grid<Option<usize>>, all: &mut Vec<Problem>) {
        let name = self.shape_name(i);
        let off: Vec<_> = shape.cells.iter().copied().filter(|c| self.ground.get(*c) != Some(&Ground::Floor)).collect();
        let (on_blocker, adrift): (Vec<_>, Vec<_>) =
            off.into_iter().partition(|c| self.ground.get(*c) == Some(&Ground::Blocker));
        if !adrift.is_empty() {
            all.push(Problem::error(adrift, format!("{name} lies partly where there is no floor")));
        }
        if !on_blocker.is_empty() {
            all.push(Problem::error(on_blocker, format!("{name} lies on a blocker")));
        }
        if !shape.is_connected() {
            all.push(Problem::error(shape.cells.iter().copied(), format!("{name} is not in one piece")));
        }
        let mut shared = Vec::new();
        let mut other = None;
        for c in &shape.cells {
            match owner.get_mut(*c) {
                Some(free @ None) => *free = Some(i),
                Some(Some(j)) => {
                    shared.push(*c);
                    other = Some(*j);
                }
                None => (),
            }
        }
        if let Some(j) = other {
            all.push(Problem::error(shared, format!("{name} and {} overlap", self.shape_name(j))));
        }
    }

    fn warnings(&self) -> Vec<Problem> {
        let mut all = Vec::new();
        let covers = |s: &Shape, c: &Cat| {
            s.colour == c.colour
                && if self.is_blocker_cat(c) {
                    c.at.neighbours().iter().any(|n| s.cells.contains(n))
                } else {
                    s.cells.contains(&c.at)
                }
        };
        for cat in &self.cats {
            if self.shapes.iter().any(|s| covers(s, cat)) {
                let text = format!("this {} cat is covered already: the first step takes it away", cat.colour.name());
                all.push(Problem::warning([cat.at], text));
            }
        }
        for colour in Colour::ALL {
            let cats: Vec<_> = self.cats.iter().filter(|c| c.colour == colour).map(|c| c.at).collect();
            if !cats.is_empty() && self.shapes.iter().all(|s| s.colour != colour) {
                all.push(Problem::warning(cats, format!("no shape is {}, so this can never be won", colour.name())));
            }
        }
        for (i, shape) in self.shapes.iter().enumerate() {
            if shape.lock as usize > self.cats.len() && !self.cats.is_empty() {
                let text = format!(
                    "{} waits for {} cats, but there are only {}",
                    self.shape_name(i),
                    shape.lock,
                    self.cats.len()
                );
                all.push(Problem::warning(shape.cells.iter().copied(), text));
            }
        }
        all
    }

    /// What a shape is called: "red domino a".
    pub fn shape_name(&self, i: usize) -> String {
        format!("{} {}", self.shapes[i].name(), shape_letter(i))
    }

    /// What moves when a shape does: "red domino" or "tandem".
    pub fn mover_name(&self, i: usize) -> String {
        if self.members(i).count() > 1 { "tandem".into() } else { self.shapes[i].name() }
    }
}

// -------------------------------------------------------------------------------------------------------------------- letters

/// The letters of shapes on boards and in notation, rising: a to z, then further alphabets for crowded boards.
const LETTERS: [(u32, u32); 4] = [('a' as u32, 26), (0x00E0, 23), (0x0100, 0x150), (0x4E00, 0x4000)];

/// The letter of a shape by its number.
pub fn shape_letter(i: usize) -> char {
    let mut i = i as u32;
    for (first, count) in LETTERS {
        if i < count {
            return char::from_u32(first + i).unwrap_or('?');
        }
        i -= count;
    }
    '?'
}

/// The number of a shape by its letter; a capital does for a small letter.
pub fn shape_of_letter(letter: char) -> Option<usize> {
    let code = letter.to_ascii_lowercase() as u32;
    let mut before = 0;
    for (first, count) in LETTERS {
        if (first..first + count).contains(&code) {
            return Some((before + code - first) as usize);
        }
        before += count;
    }
    None
}

// ----------------------------------------------------------------------------------------------------------------- the file form

/// The level in a file: a drawing and the legend of its letters.
///
/// `.` is floor, `#` a blocker, a blank is void. Every other character stands in the legend; a thing drawn on the board has floor under
/// it (a blocker-cat: a blocker). `over` holds further drawings of the same size for what lies on top of something else; there a
/// blank or `.` is nothing.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    board: Vec<String>,
    #[serde(deserialize_with = "read_legend")]
    legend: BTreeMap<char, Entry>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    over: Vec<Vec<String>>,
}

/// What a letter of the drawing means.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
enum Entry {
    /// All cells with this letter are one shape.
    Shape {
        colour: Colour,
        #[serde(default, skip_serializing_if = "is_zero")]
        lock: u32,
        #[serde(default, skip_serializing_if = "is_zero")]
        tandem: u32,
    },
    /// A cat on each of these cells.
    Cat(Colour),
    /// A blocker with a cat on each of these cells.
    BlockerCat(Colour),
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// A map that refuses to hold a letter twice, which an ordinary one would swallow.
fn read_legend<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<char, Entry>, D::Error> {
    struct Legend;
    impl<'de> Visitor<'de> for Legend {
        type Value = BTreeMap<char, Entry>;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a legend: letters and what they mean")
        }
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut all = BTreeMap::new();
            while let Some(letter) = map.next_key::<char>()? {
                if all.contains_key(&letter) {
                    return Err(serde::de::Error::custom(format!("the letter '{letter}' is in the legend twice")));
                }
                all.insert(letter, map.next_value()?);
            }
            Ok(all)
        }
    }
    from.deserialize_map(Legend)
}

/// A drawing with a place for each cell, or nothing there yet.
struct Layers {
    size: Size,
    layers: Vec<Vec<char>>,
}

impl Layers {
    /// Draws on the lowest layer that has room. The first layer is the board: it has room where `on_board`.
    fn draw(&mut self, at: Cell, letter: char, on_board: bool) {
        if !self.size.contains(at) {
            return;
        }
        let i = self.size.index(at);
        if on_board && self.layers[0][i] == '.' {
            self.layers[0][i] = letter;
            return;
        }
        match self.layers[1..].iter_mut().find(|l| l[i] == '.') {
            Some(layer) => layer[i] = letter,
            None => {
                let mut layer = vec!['.'; self.size.area()];
                layer[i] = letter;
                self.layers.push(layer);
            }
        }
    }

    fn rows(&self, layer: usize) -> Vec<String> {
        self.layers[layer].chunks(self.size.w as usize).map(|r| r.iter().collect()).collect()
    }
}

/// The name of the rule switch.
const FINISHED: &str = "finished_shapes";

impl Draft for Cats {
    const INFO: Info = super::INFO;
    type Level = Level;
    type File = File;

    fn size(level: &Level) -> Size {
        level.size()
    }

    fn problems(level: &Level) -> Vec<Problem> {
        let mut all = level.errors();
        all.extend(level.warnings());
        all
    }

    fn rules() -> Vec<Param> {
        let help = "Whether the shapes of a colour stay on the board or leave it when their last cat is found.";
        vec![Param::choice(FINISHED, "Finished shapes", help, Finished::WORDS)]
    }

    fn rule_values(level: &Level) -> Values {
        Values::default().with(FINISHED, level.finished.word())
    }

    fn set_rule(level: &mut Level, name: &str, value: &Value) {
        if name == FINISHED {
            level.finished = if *value == Value::from("leave") { Finished::Leave } else { Finished::Stay };
        }
    }

    fn symmetries() -> &'static [Sym] {
        &Sym::ALL
    }

    fn turned(level: &Level, sym: Sym) -> Option<Level> {
        let size = level.size();
        let mut turned = Level {
            ground: level.ground.turned(sym),
            shapes: level.shapes.clone(),
            cats: level.cats.clone(),
            finished: level.finished,
        };
        for c in turned.shapes.iter_mut().flat_map(|s| &mut s.cells) {
            *c = sym.cell(*c, size);
        }
        for cat in &mut turned.cats {
            cat.at = sym.cell(cat.at, size);
        }
        turned.tidy();
        Some(turned)
    }

    /// Tandems came with the second version.
    fn file_version(level: &Level) -> u32 {
        if level.shapes.iter().any(|s| s.tandem != 0) { 2 } else { 1 }
    }

    fn to_file(level: &Level) -> File {
        let size = level.size();
        let ground = level.ground.values().iter().map(|g| match g {
            Ground::Void => ' ',
            Ground::Floor => '.',
            Ground::Blocker => '#',
        });
        let mut layers = Layers { size, layers: vec![ground.collect()] };
        let mut legend = BTreeMap::new();
        for (i, shape) in level.shapes.iter().enumerate() {
            let Shape { colour, lock, tandem, .. } = *shape;
            legend.insert(shape_letter(i), Entry::Shape { colour, lock, tandem });
            for c in &shape.cells {
                layers.draw(*c, shape_letter(i), true);
            }
        }
        for cat in &level.cats {
            let i = if size.contains(cat.at) { size.index(cat.at) } else { continue };
            let blocker = level.is_blocker_cat(cat);
            let (letter, entry) = if blocker {
                (cat.colour.blocker_cat_letter(), Entry::BlockerCat(cat.colour))
            } else {
                (cat.colour.cat_letter(), Entry::Cat(cat.colour))
            };
            legend.insert(letter, entry);
            if blocker && layers.layers[0][i] == '#' {
                layers.layers[0][i] = letter;
            } else {
                layers.draw(cat.at, letter, true);
            }
        }
        let over = (1..layers.layers.len()).map(|l| layers.rows(l)).collect();
        File { board: layers.rows(0), legend, over }
    }

    fn from_file(file: File) -> Result<Level, BoardFault> {
        let size = board_size(&file.board, LARGEST)?;
        let mut level = Level::blank(size);
        let mut shapes: BTreeMap<char, Vec<Cell>> = BTreeMap::new();
        for letter in file.legend.keys() {
            if [' ', '.', '#'].contains(letter) || letter.is_control() {
                return Err(BoardFault::new(format!("'{letter}' cannot be in the legend: it already has a meaning")));
            }
        }
        for (layer, rows) in std::iter::once(&file.board).chain(&file.over).enumerate() {
            if board_size(rows, LARGEST)? != size {
                return Err(BoardFault::new("a drawing in `over` is not as large as the board"));
            }
            for (y, row) in rows.iter().enumerate() {
                for (x, letter) in row.chars().enumerate() {
                    let c = Cell { x: x as i16, y: y as i16 };
                    let fault = |text: String| {
                        if layer == 0 {
                            BoardFault::at(y, x, text)
                        } else {
                            BoardFault::new(format!("over, row {y}: {text}"))
                        }
                    };
                    match (letter, file.legend.get(&letter)) {
                        (' ', _) if layer == 0 => level.ground[c] = Ground::Void,
                        ('#', _) if layer == 0 => level.ground[c] = Ground::Blocker,
                        ('.' | ' ', _) => (),
                        (_, Some(Entry::Shape { .. })) => shapes.entry(letter).or_default().push(c),
                        (_, Some(Entry::Cat(colour))) => level.cats.push(Cat { colour: *colour, at: c }),
                        (_, Some(Entry::BlockerCat(colour))) => {
                            level.ground[c] = Ground::Blocker;
                            level.cats.push(Cat { colour: *colour, at: c });
                        }
                        (_, None) => {
                            let text = format!("'{letter}' is neither '.', '#' nor a blank, and not in the legend");
                            return Err(fault(text));
                        }
                    }
                }
            }
        }
        for (letter, entry) in &file.legend {
            if let Entry::Shape { colour, lock, tandem } = entry {
                let Some(cells) = shapes.remove(letter) else {
                    return Err(BoardFault::new(format!("the shape '{letter}' of the legend is not on the board")));
                };
                level.shapes.push(Shape { tandem: *tandem, ..Shape::new(*colour, *lock, cells) });
            }
        }
        level.tidy();
        Ok(level)
    }

    fn formats() -> Vec<Format<Cats>> {
        super::formats::formats()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::cell;

    fn read(text: &str) -> Level {
        Cats::from_file(ron::from_str(text).expect("RON")).expect("a level")
    }

    fn again(level: &Level) -> Level {
        let text = ron::ser::to_string_pretty(&Cats::to_file(level), ron::ser::PrettyConfig::default()).expect("RON");
        read(&text)
    }

    const SMALL: &str = "(board: [\".aa.\", \" R#1\"], legend: {'a': Shape(colour: red, lock: 2), 'R': Cat(red), '1': BlockerCat(red)})";

    #[test]
    fn a_drawing_with_its_legend_is_a_level() {
        let level = read(SMALL);
        assert_eq!(level.shapes, [Shape::new(Colour::Red, 2, [cell(1, 0), cell(2, 0)])]);
        assert_eq!(level.cats.len(), 2);
        assert!(level.is_blocker_cat(&level.cats[1]));
        assert_eq!(level.ground[cell(0, 1)], Ground::Void);
        assert_eq!(again(&level), level);
        assert_eq!(level.shape_name(0), "red domino a");
    }

    #[test]
    fn what_lies_on_top_of_each_other_survives_the_file() {
        let mut level = read(SMALL);
        level.shapes.push(Shape::new(Colour::Blue, 0, [cell(2, 0), cell(2, 1), cell(0, 1)]));
        level.cats.push(Cat { colour: Colour::Pink, at: cell(1, 0) });
        level.cats.push(Cat { colour: Colour::Pink, at: cell(3, 1) });
        level.cats.push(Cat { colour: Colour::Teal, at: cell(0, 1) });
        level.tidy();
        assert_eq!(again(&level), level);
        let errors = Cats::problems(&level).iter().filter(|p| p.severity == crate::game::Severity::Error).count();
        assert_eq!(errors, 8, "{:?}", Cats::problems(&level));
    }

    #[test]
    fn a_letter_stands_for_one_thing() {
        let twice = "(board: [\"a\"], legend: {'a': Cat(red), 'a': Cat(blue)})";
        assert!(ron::from_str::<File>(twice).is_err());
        let unknown = ron::from_str("(board: [\"x\"], legend: {})").expect("RON");
        assert_eq!(Cats::from_file(unknown).err().and_then(|f| f.at), Some((0, 0)));
        let missing = ron::from_str("(board: [\".\"], legend: {'a': Shape(colour: red)})").expect("RON");
        assert!(Cats::from_file(missing).is_err());
    }

    #[test]
    fn turning_there_and_back_changes_nothing() {
        let level = read(SMALL);
        for sym in Sym::ALL {
            let turned = Cats::turned(&level, sym).expect("all eight");
            assert_eq!(Cats::turned(&turned, sym.inverse()).as_ref(), Some(&level));
            assert_eq!(again(&turned), turned);
        }
    }

    #[test]
    fn letters_and_numbers_of_shapes_agree() {
        for i in 0..5000 {
            assert_eq!(shape_of_letter(shape_letter(i)), Some(i));
            assert!(shape_letter(i) < shape_letter(i + 1));
        }
    }
}
