//! The draft: tiles, the objects on them, and what a `.sbk` file says beside its board.
//!
//! A draft holds anything an editor can paint: two players, a portal without a partner, a box in a wall. Buttons name the door they
//! open and portals name their pair by a number, so links survive turning, resizing and copying without any list of cells.

use super::{
    Sbokena,
    file::{self, File},
};
use crate::{
    game::{BoardFault, Draft, Format, Info, NOWHERE, Problem, Value},
    grid::{Cell, Dir, Grid, Size, Sym},
};
use std::collections::BTreeMap;

/// What a cell is made of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Tile {
    /// Nothing enters it. Everything off the board is wall too.
    Wall,
    /// Plain floor.
    Floor,
    /// Wants a box.
    Goal,
    /// Opens the door of this number while something stands on it.
    Button(u32),
    /// Open while one of its buttons is held, or while something stands in it.
    Door(u32),
    /// One end of the pair of this number, entered only when moving in this direction.
    Portal(u32, Dir),
    /// Floor that is entered and left in one direction.
    OneWay(Dir),
}

/// What stands on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Object {
    /// The one who walks and pushes.
    Player,
    /// A box.
    Box,
    /// A box that can be pushed in one direction only.
    OneWayBox(Dir),
}

impl Tile {
    /// Whether it is one of the elements that plain Sokoban does not have.
    pub fn is_special(self) -> bool {
        !matches!(self, Tile::Wall | Tile::Floor | Tile::Goal)
    }

    /// Whether an object can rest on it.
    pub fn holds_objects(self) -> bool {
        !matches!(self, Tile::Wall | Tile::Portal(..))
    }

    /// The tile as a symmetry shows it.
    pub fn turned(self, sym: Sym) -> Tile {
        match self {
            Tile::Portal(pair, dir) => Tile::Portal(pair, sym.dir(dir)),
            Tile::OneWay(dir) => Tile::OneWay(sym.dir(dir)),
            other => other,
        }
    }
}

impl Object {
    /// Whether it is a box of either kind.
    pub fn is_box(self) -> bool {
        self != Object::Player
    }

    /// The object as a symmetry shows it.
    pub fn turned(self, sym: Sym) -> Object {
        match self {
            Object::OneWayBox(dir) => Object::OneWayBox(sym.dir(dir)),
            other => other,
        }
    }

    /// The name in `replay --json`.
    pub const fn name(self) -> &'static str {
        match self {
            Object::Player => "player",
            Object::Box => "box",
            Object::OneWayBox(_) => "one-way box",
        }
    }
}

/// What a `.sbk` file carries beside the board, kept so that writing it again loses nothing.
#[derive(Clone, PartialEq, Debug)]
pub struct Sbk {
    /// The picture theme.
    pub theme: String,
    /// The difficulty its author gave it.
    pub diff: Value,
    /// The file's coordinates of the board's top left cell.
    pub corner: (i16, i16),
}

impl Default for Sbk {
    fn default() -> Sbk {
        Sbk { theme: String::new(), diff: "Unknown".into(), corner: (0, 0) }
    }
}

/// A draft.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    pub(super) tiles: Grid<Tile>,
    pub(super) objects: Grid<Option<Object>>,
    pub(super) sbk: Sbk,
}

/// The largest board. Every cell has a number below 2^16 in the solver's tables, with room to spare.
pub const LARGEST: Size = Size::new(128, 128);

impl Level {
    /// A board that is all wall.
    pub fn walls(size: Size) -> Level {
        Level { tiles: Grid::filled(size, Tile::Wall), objects: Grid::filled(size, None), sbk: Sbk::default() }
    }

    /// Its size.
    pub fn size(&self) -> Size {
        self.tiles.size()
    }

    /// The tile at a cell; wall off the board.
    pub fn tile(&self, at: Cell) -> Tile {
        self.tiles.get(at).copied().unwrap_or(Tile::Wall)
    }

    /// The object at a cell when play begins.
    pub fn object(&self, at: Cell) -> Option<Object> {
        self.objects.get(at).copied().flatten()
    }

    /// Sets a tile; off the board nothing happens.
    pub fn set_tile(&mut self, at: Cell, tile: Tile) {
        if let Some(here) = self.tiles.get_mut(at) {
            *here = tile;
        }
    }

    /// Sets or clears an object; off the board nothing happens.
    pub fn set_object(&mut self, at: Cell, object: Option<Object>) {
        if let Some(here) = self.objects.get_mut(at) {
            *here = object;
        }
    }

    /// The cells whose tile passes a test, row by row.
    pub fn tiles_where(&self, mut test: impl FnMut(Tile) -> bool) -> Vec<Cell> {
        self.tiles.iter().filter(|(_, t)| test(**t)).map(|(c, _)| c).collect()
    }

    /// The cells whose object passes a test, row by row.
    pub fn objects_where(&self, mut test: impl FnMut(Object) -> bool) -> Vec<Cell> {
        self.objects.iter().filter(|(_, o)| o.is_some_and(&mut test)).map(|(c, _)| c).collect()
    }

    /// The goals, row by row.
    pub fn goals(&self) -> Vec<Cell> {
        self.tiles_where(|t| t == Tile::Goal)
    }

    /// The other end of the portal at a cell with its entry direction: none if there is no portal here, or not exactly two of its number.
    pub fn partner(&self, at: Cell) -> Option<(Cell, Dir)> {
        let Tile::Portal(pair, _) = self.tile(at) else { return None };
        let mut other = None;
        for (c, tile) in self.tiles.iter() {
            if let Tile::Portal(p, dir) = *tile
                && (p == pair && c != at)
                && other.replace((c, dir)).is_some()
            {
                return None;
            }
        }
        other
    }

    /// Whether it is plain Sokoban.
    pub fn is_plain(&self) -> bool {
        self.specials().is_empty()
    }

    /// The cells with something that plain Sokoban does not have, row by row.
    pub fn specials(&self) -> Vec<Cell> {
        let size = self.size();
        let special = |c: &Cell| self.tiles[*c].is_special() || matches!(self.objects[*c], Some(Object::OneWayBox(_)));
        size.cells().filter(special).collect()
    }

    /// A number that no door or portal of this draft has yet.
    pub fn fresh_number(&self) -> u32 {
        let used: std::collections::BTreeSet<u32> = self
            .tiles
            .values()
            .iter()
            .filter_map(|t| match t {
                Tile::Button(n) | Tile::Door(n) | Tile::Portal(n, _) => Some(*n),
                _ => None,
            })
            .collect();
        (1..).find(|n| !used.contains(n)).unwrap_or(u32::MAX)
    }

    fn count_problems(&self, found: &mut Vec<Problem>) {
        let players = self.objects_where(|o| o == Object::Player);
        match players.len() {
            0 => found.push(Problem::error(NOWHERE, "there is no player: put one on the floor")),
            1 => (),
            n => found.push(
                Problem::error(players, format!("there are {n} players; there must be exactly one")).mended_by("tidy"),
            ),
        }
        let goals = self.goals();
        let boxes = self.objects_where(Object::is_box);
        if goals.is_empty() {
            found.push(Problem::error(NOWHERE, "there is no goal, so the level can never be won"));
        } else if boxes.len() < goals.len() {
            let text = format!("{} for {}: too few boxes", count(boxes.len(), "box"), count(goals.len(), "goal"));
            found.push(Problem::error(goals, text));
        } else {
            if boxes.len() > goals.len() {
                let text = format!(
                    "{} for {}: some boxes are not needed on goals",
                    count(boxes.len(), "box"),
                    count(goals.len(), "goal")
                );
                found.push(Problem::warning(boxes, text));
            }
            if goals.iter().all(|g| self.object(*g).is_some_and(Object::is_box)) {
                found.push(Problem::warning(
                    goals,
                    "every goal already has its box: any move that leaves them there wins",
                ));
            }
        }
    }

    fn place_problems(&self, found: &mut Vec<Problem>) {
        for (c, object) in self.objects.iter() {
            if let Some(object) = object {
                match self.tiles[c] {
                    Tile::Wall => {
                        found.push(
                            Problem::error([c], format!("the {} stands in a wall", object.name())).mended_by("tidy"),
                        );
                    }
                    Tile::Portal(..) => {
                        found.push(
                            Problem::error(
                                [c],
                                format!("the {} stands on a portal: nothing can rest there", object.name()),
                            )
                            .mended_by("tidy"),
                        );
                    }
                    _ => (),
                }
            }
        }
    }

    fn link_problems(&self, found: &mut Vec<Problem>) {
        let mut doors: BTreeMap<u32, (Vec<Cell>, Vec<Cell>)> = BTreeMap::new();
        let mut portals: BTreeMap<u32, Vec<Cell>> = BTreeMap::new();
        for (c, tile) in self.tiles.iter() {
            match *tile {
                Tile::Door(n) => doors.entry(n).or_default().0.push(c),
                Tile::Button(n) => doors.entry(n).or_default().1.push(c),
                Tile::Portal(n, _) => portals.entry(n).or_default().push(c),
                _ => (),
            }
        }
        for (n, (doors, buttons)) in doors {
            match (doors.len(), buttons.len()) {
                (0, _) => {
                    let text = format!("this button opens nothing: there is no door {n}; link it to a door");
                    found.push(Problem::warning(buttons, text).mended_by("tidy"));
                }
                (1, 0) => {
                    let text = format!("the door at {} has no button: link one to it", doors[0].name());
                    found.push(Problem::error(doors, text).mended_by("tidy"));
                }
                (1, _) => (),
                (many, _) => {
                    found.push(Problem::error(doors, format!("{many} doors have the number {n}; a door has one cell")));
                }
            }
        }
        for (n, ends) in portals {
            match ends.len() {
                2 => (),
                1 => {
                    let text = format!("portal {n} has no partner: link it to another portal");
                    found.push(Problem::error(ends, text).mended_by("tidy"));
                }
                many => {
                    let text = format!("{many} portals have the number {n}; a portal has exactly one partner");
                    found.push(Problem::error(ends, text));
                }
            }
        }
    }
}

impl Draft for Sbokena {
    const INFO: Info = super::INFO;
    type Level = Level;
    type File = File;

    fn size(level: &Level) -> Size {
        level.size()
    }

    fn problems(level: &Level) -> Vec<Problem> {
        let mut found = Vec::new();
        level.count_problems(&mut found);
        level.place_problems(&mut found);
        level.link_problems(&mut found);
        found.sort_by_key(|p| p.severity);
        found
    }

    fn symmetries() -> &'static [Sym] {
        &Sym::ALL
    }

    /// Directions turn along; links are by number and stay.
    fn turned(level: &Level, sym: Sym) -> Option<Level> {
        let mut tiles = level.tiles.turned(sym);
        let mut objects = level.objects.turned(sym);
        for c in tiles.size().cells() {
            tiles[c] = tiles[c].turned(sym);
            objects[c] = objects[c].map(|o| o.turned(sym));
        }
        Some(Level { tiles, objects, sbk: level.sbk.clone() })
    }

    fn to_file(level: &Level) -> File {
        file::to_file(level)
    }
    fn from_file(file: File) -> Result<Level, BoardFault> {
        file::from_file(file)
    }
    fn formats() -> Vec<Format<Sbokena>> {
        super::formats::formats()
    }
}

fn count(n: usize, what: &str) -> String {
    match (n, what) {
        (1, _) => format!("1 {what}"),
        (_, "box") => format!("{n} boxes"),
        _ => format!("{n} {what}s"),
    }
}
