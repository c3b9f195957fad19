//! The draft: a board of tiles, each with a colour and a number; its problems and its file form.

use super::Match;
use crate::{
    game::{BoardFault, Draft, Info, NOWHERE, Problem},
    grid::{Cell, Grid, Size, Sym},
};
use serde::{Deserialize, Serialize};

/// How many colours there are, and how many numbers.
pub const SIDES: usize = 5;
/// The names of the colours, by index.
pub const COLOURS: [&str; SIDES] = ["orange", "brown", "green", "blue", "yellow"];
/// Their letters in files: `n` is browN, since `b` is blue.
const LETTERS: [char; SIDES] = ['o', 'n', 'g', 'b', 'y'];

pub(super) const SMALLEST: Size = Size::new(2, 2);
pub(super) const LARGEST: Size = Size::new(8, 8);

/// A tile: a colour and a number, both kept from 0 to 4 (people see the number one higher).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Tile {
    colour: u8,
    number: u8,
}

impl Tile {
    /// A tile of a colour (0 to 4) and a number (1 to 5), if these are in range.
    pub fn new(colour: usize, number: usize) -> Option<Tile> {
        let good = colour < SIDES && (1..=SIDES).contains(&number);
        good.then(|| Tile { colour: colour as u8, number: number as u8 - 1 })
    }

    /// The tile of a kind, counted row by row through the table of colours and numbers; kinds beyond the last begin again.
    pub(super) const fn of_kind(kind: usize) -> Tile {
        Tile { colour: (kind / SIDES % SIDES) as u8, number: (kind % SIDES) as u8 }
    }

    /// Its kind, from 0 to 24.
    pub(super) const fn kind(self) -> usize {
        self.colour as usize * SIDES + self.number as usize
    }

    /// Its colour, an index into [`COLOURS`].
    pub const fn colour(self) -> usize {
        self.colour as usize
    }

    /// Its number, 1 to 5.
    pub const fn number(self) -> usize {
        self.number as usize + 1
    }

    /// Whether one can remove the other: the same colour or the same number.
    pub const fn matches(self, other: Tile) -> bool {
        self.colour == other.colour || self.number == other.number
    }

    /// "orange 3".
    pub fn name(self) -> String {
        format!("{} {}", COLOURS[self.colour()], self.number())
    }
}

/// A board of tiles and empty cells.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    pub(super) tiles: Grid<Option<Tile>>,
}

/// The level in a file. Each row is a text of cells with spaces between: a colour's letter (`o` orange, `n` brown, `g` green,
/// `b` blue, `y` yellow) with a number from 1 to 5, or `..` for an empty cell.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub(super) board: Vec<String>,
}

impl Level {
    /// A board from a function of the cell. Sizes beyond 8 x 8 can be held but not played.
    pub fn from_fn(size: Size, f: impl FnMut(Cell) -> Option<Tile>) -> Level {
        Level { tiles: Grid::from_fn(size, f) }
    }

    /// The tile at a cell, if the cell is on the board and holds one.
    pub fn tile(&self, c: Cell) -> Option<Tile> {
        self.tiles.get(c).copied().flatten()
    }

    /// The cells whose tile matches no other tile of the draft.
    pub(super) fn stranded(&self) -> Vec<Cell> {
        let (mut colours, mut numbers) = ([0; SIDES], [0; SIDES]);
        for tile in self.tiles.values().iter().flatten() {
            colours[tile.colour()] += 1;
            numbers[tile.number as usize] += 1;
        }
        let alone = |t: Tile| colours[t.colour()] == 1 && numbers[t.number as usize] == 1;
        self.tiles.iter().filter(|(_, t)| t.is_some_and(alone)).map(|(c, _)| c).collect()
    }
}

impl Draft for Match {
    const INFO: Info = super::INFO;
    type Level = Level;
    type File = File;

    fn size(level: &Level) -> Size {
        level.tiles.size()
    }

    fn problems(level: &Level) -> Vec<Problem> {
        let size = level.tiles.size();
        let mut problems = Vec::new();
        if size.w < SMALLEST.w || size.h < SMALLEST.h || size.w > LARGEST.w || size.h > LARGEST.h {
            let text = format!("a board has from 2 x 2 to 8 x 8 cells, not {} x {}", size.w, size.h);
            problems.push(Problem::error(NOWHERE, text));
        }
        if level.tiles.values().iter().all(Option::is_none) {
            problems.push(Problem::error(NOWHERE, "there is no tile: paint at least two that match"));
        }
        let stranded = level.stranded();
        if !stranded.is_empty() {
            let text = match stranded.len() {
                1 => "this tile matches no other, so the board cannot be cleared".to_string(),
                n => format!("{n} tiles match no other, so the board cannot be cleared"),
            };
            problems.push(Problem::warning(stranded, text).mended_by("partner"));
        }
        problems
    }

    fn symmetries() -> &'static [Sym] {
        &Sym::ALL
    }
    fn turned(level: &Level, sym: Sym) -> Option<Level> {
        Some(Level { tiles: level.tiles.turned(sym) })
    }
    fn to_file(level: &Level) -> File {
        File { board: rows(level.tiles.size(), |c| level.tile(c)) }
    }
    fn from_file(file: File) -> Result<Level, BoardFault> {
        from_rows(&file.board)
    }
}

/// A cell as it stands in files and logs.
fn word(tile: Option<Tile>) -> String {
    tile.map_or_else(|| "..".into(), |t| format!("{}{}", LETTERS[t.colour()], t.number()))
}

/// The rows of a board, with `tile` saying what is seen at a cell.
pub(super) fn rows(size: Size, tile: impl Fn(Cell) -> Option<Tile>) -> Vec<String> {
    let row = |y: u16| (0..size.w).map(|x| word(tile(Cell { x: x as i16, y: y as i16 }))).collect::<Vec<_>>().join(" ");
    (0..size.h).map(row).collect()
}

fn read_word(word: &str) -> Option<Option<Tile>> {
    if word == ".." {
        return Some(None);
    }
    let mut letters = word.chars();
    let (letter, digit) = (letters.next()?.to_ascii_lowercase(), letters.next()?.to_digit(10)?);
    let colour = LETTERS.iter().position(|l| *l == letter)?;
    letters.next().is_none().then_some(Some(Tile::new(colour, digit as usize)?))
}

pub(super) fn from_rows(rows: &[String]) -> Result<Level, BoardFault> {
    let width = |row: &String| row.split_whitespace().take(LARGEST.w as usize + 1).count();
    let w = rows.first().map_or(0, width);
    if w == 0 {
        return Err(BoardFault::new("the board has no cells"));
    }
    if w > LARGEST.w as usize || rows.len() > LARGEST.h as usize {
        return Err(BoardFault::at(0, 0, "the board is too large: at most 8 x 8 cells"));
    }
    let mut tiles = Grid::filled(Size::new(w as u16, rows.len() as u16), None);
    for (y, row) in rows.iter().enumerate() {
        let n = width(row);
        if n != w {
            let text = format!("this row has {n} cells, the first has {w}");
            return Err(BoardFault::at(y, row.chars().count(), text));
        }
        for (x, word) in row.split_whitespace().enumerate() {
            let Some(tile) = read_word(word) else {
                // The words are parts of the row, so the distance between their beginnings is where this one stands.
                let before = &row[..word.as_ptr() as usize - row.as_ptr() as usize];
                let shown: String = word.chars().take(12).collect();
                let text =
                    format!("\"{shown}\" is neither a tile (o, n, g, b or y with 1 to 5: \"o3\") nor empty \"..\"");
                return Err(BoardFault::at(y, before.chars().count(), text));
            };
            tiles[Cell { x: x as i16, y: y as i16 }] = tile;
        }
    }
    Ok(Level { tiles })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rows: &[&str]) -> Result<Level, BoardFault> {
        from_rows(&rows.iter().map(|r| r.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn a_board_is_read_and_written_back() {
        let text = ["o1 n2 ..", "g3 b4 y5"];
        let level = read(&text).unwrap();
        assert_eq!(rows(level.tiles.size(), |c| level.tile(c)), text);
        assert_eq!(level.tile(Cell { x: 1, y: 1 }).unwrap().name(), "blue 4");
    }

    #[test]
    fn nonsense_is_named_with_its_place() {
        assert_eq!(read(&["o1 n2", "g3 x4"]).unwrap_err().at, Some((1, 3)));
        assert_eq!(read(&["o1 n6"]).unwrap_err().at, Some((0, 3)));
        assert_eq!(read(&["o1 n12"]).unwrap_err().at, Some((0, 3)));
        assert_eq!(read(&["ö1 é"]).unwrap_err().at, Some((0, 0)));
        assert_eq!(read(&["o1 n2", "g3"]).unwrap_err().at, Some((1, 2)));
        assert!(read(&[]).is_err() && read(&[""]).is_err());
        assert!(read(&["o1 ".repeat(1_000_000).as_str()]).is_err());
        assert!(read(&["o1"; 9]).is_err());
    }

    #[test]
    fn problems_name_what_is_wrong() {
        assert!(Match::problems(&read(&[".. ..", ".. .."]).unwrap())[0].text.contains("no tile"));
        assert!(Match::problems(&read(&["o1 o2 o3"]).unwrap())[0].text.contains("2 x 2"));
        let lone = Match::problems(&read(&["o1 o2", "b3 .."]).unwrap());
        assert_eq!((lone.len(), lone[0].spots.len()), (1, 1));
        assert_eq!(lone[0].spots[0].cell, Cell { x: 0, y: 1 });
        assert!(Match::problems(&read(&["o1 o2", "b2 .."]).unwrap()).is_empty());
    }
}
