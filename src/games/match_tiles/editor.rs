//! Painting tiles: whole ones, only their colour, only their number.
//!
//! The palette holds an empty cell, the five colours, the five numbers, and all 25 tiles. A colour painted on an empty cell makes a tile with
//! number 1, a number an orange one, so that a board can be laid out by colour first and numbered afterwards, or the other way round.

use super::{
    Level, Match,
    level::{COLOURS, LARGEST, SIDES, SMALLEST, Tile},
};
use crate::{
    game::{Command, Edit, Gesture, Ink, Palette, Swatch, capital, rng},
    grid::{Cell, Grid, Size, Spot},
};
use rand::{
    RngExt as _,
    seq::{IndexedRandom as _, SliceRandom as _},
};

/// What a swatch paints.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Paint {
    /// An empty cell.
    Empty,
    /// A colour, the number kept.
    Colour(usize),
    /// A number, the colour kept.
    Number(usize),
    /// A whole tile.
    Whole(Tile),
}

const FIRST_NUMBER: usize = 1 + SIDES;
const FIRST_TILE: usize = 1 + 2 * SIDES;

impl Paint {
    /// What the swatch at an index paints; unknown ones erase.
    pub(super) fn of(swatch: usize) -> Paint {
        match swatch {
            1..FIRST_NUMBER => Paint::Colour(swatch - 1),
            FIRST_NUMBER..FIRST_TILE => Paint::Number(swatch - FIRST_NUMBER + 1),
            FIRST_TILE.. if swatch < FIRST_TILE + SIDES * SIDES => Paint::Whole(Tile::of_kind(swatch - FIRST_TILE)),
            _ => Paint::Empty,
        }
    }

    fn over(self, old: Option<Tile>) -> Option<Tile> {
        match self {
            Paint::Empty => None,
            Paint::Colour(c) => Tile::new(c, old.map_or(1, Tile::number)),
            Paint::Number(n) => Tile::new(old.map_or(0, Tile::colour), n),
            Paint::Whole(tile) => Some(tile),
        }
    }
}

const IDS: [&str; FIRST_TILE + SIDES * SIDES] = [
    "empty", "orange", "brown", "green", "blue", "yellow", "1", "2", "3", "4", "5", "orange-1", "orange-2", "orange-3",
    "orange-4", "orange-5", "brown-1", "brown-2", "brown-3", "brown-4", "brown-5", "green-1", "green-2", "green-3",
    "green-4", "green-5", "blue-1", "blue-2", "blue-3", "blue-4", "blue-5", "yellow-1", "yellow-2", "yellow-3",
    "yellow-4", "yellow-5",
];

fn swatch(index: usize) -> Swatch {
    let (name, group, help) = match Paint::of(index) {
        Paint::Empty => ("Empty".into(), "Cells", "A cell without a tile."),
        Paint::Colour(c) => (
            capital(COLOURS[c]),
            "Colour only",
            "Changes the colour and keeps the number; an empty cell gets number 1.",
        ),
        Paint::Number(n) => (
            format!("Number {n}"),
            "Number only",
            "Changes the number and keeps the colour; an empty cell gets an orange tile.",
        ),
        Paint::Whole(tile) => (capital(&tile.name()), "Tiles", "A tile with this colour and this number."),
    };
    Swatch { id: IDS[index], name, group, coloured: false, turns: false, gesture: Gesture::Spots, help }
}

const COMMANDS: &[Command] = &[
    Command { id: "shuffle", name: "Shuffle", help: "The tiles change places at random; empty cells stay empty." },
    Command { id: "scatter", name: "Scatter", help: "The tiles go to random cells of the whole board." },
    Command { id: "fill", name: "Fill up", help: "Every empty cell gets a random tile that matches one on the board." },
    Command {
        id: "partner",
        name: "Give every tile a match",
        help: "Every tile that matches no other gets the number of some other tile.",
    },
];

impl Edit for Match {
    const SIZES: (Size, Size) = (SMALLEST, LARGEST);
    const NEW: Size = Size::new(5, 5);

    fn blank(size: Size) -> Level {
        Level { tiles: Grid::filled(size, None) }
    }

    fn palette(_: &Level) -> Palette {
        Palette { swatches: (0..IDS.len()).map(swatch).collect(), colours: Vec::new() }
    }

    fn paint(level: &mut Level, ink: Ink, spots: &[Spot]) {
        let paint = Paint::of(ink.swatch);
        for spot in spots {
            if let Some(tile) = level.tiles.get_mut(spot.cell) {
                *tile = paint.over(*tile);
            }
        }
    }

    fn pick(level: &Level, spot: Spot) -> Ink {
        let swatch = level.tile(spot.cell).map_or(0, |t| FIRST_TILE + t.kind());
        Ink { swatch, ..Ink::default() }
    }

    fn resized(level: &Level, size: Size, shift: (i16, i16)) -> Level {
        Level { tiles: level.tiles.resized(size, shift, None) }
    }

    fn stamp(level: &mut Level, part: &Level, at: Cell) {
        for (c, tile) in part.tiles.iter() {
            let (Some(x), Some(y)) = (c.x.checked_add(at.x), c.y.checked_add(at.y)) else { continue };
            if let Some(here) = level.tiles.get_mut(Cell { x, y }) {
                *here = *tile;
            }
        }
    }

    fn commands() -> &'static [Command] {
        COMMANDS
    }

    fn command(level: &mut Level, id: &str, seed: u64) -> Result<String, String> {
        match id {
            "shuffle" => shuffle(level, seed, false),
            "scatter" => shuffle(level, seed, true),
            "fill" => fill(level, seed),
            "partner" => partner(level, seed),
            _ => Err(format!("there is no editor command {id}")),
        }
    }
}

fn shuffle(level: &mut Level, seed: u64, everywhere: bool) -> Result<String, String> {
    let mut cells: Vec<Cell> = level.tiles.iter().filter(|(_, t)| everywhere || t.is_some()).map(|(c, _)| c).collect();
    let tiles = level.tiles.values().iter().flatten().count();
    if tiles == 0 || cells.len() < 2 {
        return Err("there is nothing to shuffle".into());
    }
    let from = level.clone();
    let old = cells.clone();
    cells.shuffle(&mut rng(seed));
    for (to, from_cell) in cells.into_iter().zip(old) {
        level.tiles[to] = from.tile(from_cell);
    }
    Ok(format!("{tiles} tiles shuffled"))
}

fn fill(level: &mut Level, seed: u64) -> Result<String, String> {
    let empty: Vec<Cell> = level.tiles.iter().filter(|(_, t)| t.is_none()).map(|(c, _)| c).collect();
    if empty.is_empty() {
        return Err("there is no empty cell".into());
    }
    let mut rng = rng(seed);
    let mut there: Vec<Tile> = level.tiles.values().iter().flatten().copied().collect();
    for c in &empty {
        let mut kinds: Vec<Tile> = (0..SIDES * SIDES).map(Tile::of_kind).collect();
        if !there.is_empty() {
            kinds.retain(|k| there.iter().any(|t| t.matches(*k)));
        }
        let Some(tile) = kinds.choose(&mut rng) else { continue };
        level.tiles[*c] = Some(*tile);
        there.push(*tile);
    }
    Ok(format!("{} cells filled", empty.len()))
}

fn partner(level: &mut Level, seed: u64) -> Result<String, String> {
    let stranded = level.stranded();
    if stranded.is_empty() {
        return Err("every tile has a match".into());
    }
    let mut rng = rng(seed);
    let mut given = 0;
    for c in stranded {
        // An earlier one may have become this one's partner.
        if !level.stranded().contains(&c) {
            continue;
        }
        let others: Vec<Tile> = level.tiles.iter().filter(|(o, _)| *o != c).filter_map(|(_, t)| *t).collect();
        if others.is_empty() {
            return Err("there is only one tile".into());
        }
        let like = others[rng.random_range(0..others.len())];
        level.tiles[c] = level.tile(c).and_then(|t| Tile::new(t.colour(), like.number()));
        given += 1;
    }
    Ok(if given == 1 { "1 tile given a match".into() } else { format!("{given} tiles given a match") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game::Draft, grid::cell};

    fn ink(id: &str) -> Ink {
        Ink { swatch: IDS.iter().position(|i| *i == id).unwrap(), ..Ink::default() }
    }

    fn tiles(level: &Level) -> Vec<Tile> {
        let mut all: Vec<_> = level.tiles.values().iter().flatten().copied().collect();
        all.sort();
        all
    }

    #[test]
    fn colour_and_number_are_painted_separately_or_together() {
        let mut l = Match::blank(Size::new(2, 2));
        let at = [Spot::from(cell(1, 0))];
        let seen = |l: &Level| l.tile(cell(1, 0)).map(Tile::name);
        Match::paint(&mut l, ink("green"), &at);
        assert_eq!(seen(&l).as_deref(), Some("green 1"));
        Match::paint(&mut l, ink("4"), &at);
        assert_eq!(seen(&l).as_deref(), Some("green 4"));
        Match::paint(&mut l, ink("blue-2"), &at);
        assert_eq!(seen(&l).as_deref(), Some("blue 2"));
        assert_eq!(Match::pick(&l, at[0]), ink("blue-2"));
        Match::paint(&mut l, ink("empty"), &at);
        assert_eq!(seen(&l), None);
        Match::paint(&mut l, ink("3"), &at);
        assert_eq!(seen(&l).as_deref(), Some("orange 3"));
    }

    #[test]
    fn swatches_are_named_by_what_they_paint() {
        let palette = Match::palette(&Match::blank(Match::NEW));
        assert_eq!(palette.swatches.len(), 36);
        for (i, s) in palette.swatches.iter().enumerate() {
            let mut l = Match::blank(Size::new(2, 2));
            Match::paint(&mut l, Ink { swatch: i, ..Ink::default() }, &[cell(0, 0).into()]);
            let name = l.tile(cell(0, 0)).map_or("empty".into(), Tile::name);
            assert!(name.contains(&s.id.replace('-', " ")), "{name} {}", s.id);
        }
    }

    #[test]
    fn commands_keep_what_they_promise() {
        let rows = ["o1 n2 ..", "g3 .. y4"].map(String::from);
        let start = super::super::level::from_rows(&rows).unwrap();
        for seed in 0..20 {
            let mut l = start.clone();
            Match::command(&mut l, "shuffle", seed).unwrap();
            assert_eq!(tiles(&l), tiles(&start));
            assert!(l.tile(cell(2, 0)).is_none() && l.tile(cell(1, 1)).is_none());
            Match::command(&mut l, "scatter", seed).unwrap();
            assert_eq!(tiles(&l), tiles(&start));
            Match::command(&mut l, "partner", seed).unwrap();
            assert!(Match::problems(&l).is_empty());
            assert!(Match::command(&mut l, "partner", seed).is_err());
            Match::command(&mut l, "fill", seed).unwrap();
            assert_eq!(tiles(&l).len(), 6);
            assert!(Match::problems(&l).is_empty());
        }
        assert!(Match::command(&mut Match::blank(Size::new(2, 2)), "shuffle", 0).is_err());
        assert!(Match::command(&mut start.clone(), "fly", 0).is_err());
    }
}
