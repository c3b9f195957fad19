//! The draft: an outline of cells, and pieces made of triangles.
//!
//! A piece is ordinarily *laid*: its triangles are those of the board it was cut from, so a drawn level shows one of its own
//! solutions. A *loose* piece has a form only; a designer lifts pieces off to change the outline under them, and a file can name pieces
//! without giving a solution away. A piece has a number, written as a letter; its colour is the number modulo twelve. In a
//! draft pieces may overlap, hang over the edge or fall apart; [`Draft::problems`] says so.
//!
//! In a file each cell is four letters, left top right bottom: `aabb` is a cell whose left and top triangles belong to piece a. `.` belongs
//! to no piece, `----` is a cell that is not there, and spaces are free.

use super::{
    Shards,
    triangle::{Tri, extent, form, orientations, parts, triangles_of, turned, turned_part},
};
use crate::{
    game::{BoardFault, Draft, Format, Info, NOWHERE, Param, Problem, Value, Values},
    grid::{Cell, Grid, Size, Sym, cell},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The largest board.
pub const LARGEST: Size = Size::new(12, 12);
/// No level has more pieces than the largest board has triangles.
pub const MOST_PIECES: usize = 576;
/// The most triangles a single piece of a draft may name: more than any board has, so that mistakes can be shown and nonsense cannot.
pub(super) const MOST_TRIANGLES: usize = 2304;
/// How far off the board a draft may place a triangle.
const FARTHEST: i16 = 1000;

/// The names of the piece colours.
pub const COLOURS: [&str; 12] =
    ["red", "green", "blue", "yellow", "purple", "orange", "teal", "pink", "brown", "lime", "sky", "grey"];

/// A piece of a draft.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its number: its letter, and modulo twelve its colour.
    pub id: u16,
    /// Its triangles, sorted: on the board if it is laid, else from (0, 0).
    pub triangles: Vec<Tri>,
    /// Whether it has a place on the board.
    pub laid: bool,
}

impl Piece {
    /// Its colour, an index into the piece colours of the theme.
    pub fn colour(&self) -> usize {
        self.id as usize % COLOURS.len()
    }

    /// "red".
    pub fn colour_name(&self) -> &'static str {
        COLOURS[self.colour()]
    }

    /// "the red piece": what can be seen of it, as its letter cannot.
    pub fn seen(&self) -> String {
        format!("the {} piece", self.colour_name())
    }

    /// "red piece a", for those who have the letters: in a file, or read out.
    pub fn name(&self) -> String {
        format!("{} piece {}", COLOURS[self.colour()], letter(self.id))
    }
}

/// The letter of a piece number: a to z, A to Z, then accented letters and ideographs.
pub fn letter(id: u16) -> char {
    let code = match u32::from(id) {
        n @ 0..=25 => u32::from('a') + n,
        n @ 26..=51 => u32::from('A') + n - 26,
        n @ 52..=387 => 0x100 + n - 52,
        n => 0x4e00 + n - 388,
    };
    char::from_u32(code).unwrap_or('?')
}

/// The piece number of a letter.
pub fn number_of(letter: char) -> Option<u16> {
    let code = u32::from(letter);
    let n = match letter {
        'a'..='z' => code - u32::from('a'),
        'A'..='Z' => code - u32::from('A') + 26,
        '\u{100}'..='\u{24f}' => code - 0x100 + 52,
        '\u{4e00}'..='\u{4eff}' => code - 0x4e00 + 388,
        _ => return None,
    };
    u16::try_from(n).ok()
}

/// The numbers that have letters.
const NUMBERS: u16 = 644;

/// A draft: outline, pieces, rule switches.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    pub(super) board: Grid<bool>,
    /// In the order of their numbers.
    pub(super) pieces: Vec<Piece>,
    /// Pieces may be turned by quarter turns.
    pub rotate: bool,
    /// Pieces may be flipped left to right.
    pub mirror: bool,
}

impl Level {
    /// A level on an outline, its pieces (in place) numbered from 0. Pieces beyond [`MOST_PIECES`] are left out.
    pub fn new(board: Grid<bool>, pieces: impl IntoIterator<Item = Vec<Tri>>) -> Level {
        let pieces = (0u16..).zip(pieces.into_iter().take(MOST_PIECES));
        let sorted = |mut t: Vec<Tri>| {
            t.sort_unstable();
            t.dedup();
            t
        };
        let pieces = pieces.map(|(id, t)| Piece { id, triangles: sorted(t), laid: true }).collect();
        Level { board, pieces, rotate: false, mirror: false }
    }

    /// The outline: which cells are there.
    pub fn board(&self) -> &Grid<bool> {
        &self.board
    }

    /// The pieces, in the order of their numbers.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Whether a triangle is on the board.
    pub fn has(&self, t: Tri) -> bool {
        self.board.get(t.cell) == Some(&true)
    }

    /// All triangles of the board, row by row.
    pub fn triangles(&self) -> impl Iterator<Item = Tri> {
        self.board.iter().filter(|(_, there)| **there).flat_map(|(c, _)| triangles_of(c))
    }

    /// How many triangles the board has.
    pub fn area(&self) -> usize {
        4 * self.board.values().iter().filter(|there| **there).count()
    }

    /// The orientations its rule switches allow.
    pub fn orientations(&self) -> &'static [Sym] {
        orientations(self.rotate, self.mirror)
    }

    /// The form of a piece (by its place in [`Level::pieces`]) in an orientation.
    pub fn form(&self, piece: usize, sym: Sym) -> Vec<Tri> {
        self.pieces.get(piece).map_or_else(Vec::new, |p| turned(&p.triangles, sym))
    }

    /// For every cell of the board's rectangle, which laid piece holds each triangle (the first, where they overlap).
    pub(super) fn owners(&self) -> Grid<[Option<usize>; 4]> {
        let mut owners = Grid::filled(self.board.size(), [None; 4]);
        for (i, piece) in self.pieces.iter().enumerate().filter(|(_, p)| p.laid) {
            for t in &piece.triangles {
                if let Some(cell) = owners.get_mut(t.cell) {
                    cell[t.k as usize].get_or_insert(i);
                }
            }
        }
        owners
    }

    /// The least unused number of a colour, if any is left.
    pub(super) fn free_number(&self, colour: usize) -> Option<u16> {
        let used = |n: &u16| self.pieces.iter().any(|p| p.id == *n);
        (colour as u16 % 12..NUMBERS).step_by(COLOURS.len()).find(|n| !used(n))
    }

    /// Adds a piece in its place among the numbers.
    pub(super) fn insert(&mut self, piece: Piece) {
        let at = self.pieces.partition_point(|p| p.id < piece.id);
        self.pieces.insert(at, piece);
    }

    /// "the red piece", and where others have its colour, its place in the draft, or its size if it has none.
    pub(super) fn seen(&self, i: usize) -> String {
        let piece = &self.pieces[i];
        let alike = self.pieces.iter().filter(|p| p.colour() == piece.colour()).count() > 1;
        match piece.triangles.iter().find(|t| piece.laid && self.has(**t)) {
            _ if !alike => piece.seen(),
            Some(first) => format!("{} at {}", piece.seen(), first.cell.name()),
            None => format!("{} of {}", piece.seen(), count(piece.triangles.len(), "triangle")),
        }
    }

    fn problems_of(&self, i: usize, piece: &Piece, errors: &mut Vec<Problem>, warnings: &mut Vec<Problem>) {
        if piece.triangles.is_empty() {
            // There is nothing of it to be seen.
            errors.push(Problem::error(NOWHERE, format!("{} has no triangles", piece.name())));
            return;
        }
        let name = self.seen(i);
        let on: Vec<Tri> = piece.triangles.iter().copied().filter(|t| piece.laid && self.has(*t)).collect();
        let off = piece.triangles.len() - on.len();
        if piece.laid && off > 0 {
            let text = format!("{name} has {} off the board", count(off, "triangle"));
            errors.push(Problem::error(on.iter().map(|t| t.spot()), text));
        }
        let parts = parts(&piece.triangles);
        if parts.len() > 1 {
            let spots = parts[1..].iter().flatten().filter(|t| piece.laid && self.has(**t)).map(|t| t.spot());
            let text = format!("{name} is in {} parts that do not touch", parts.len());
            errors.push(Problem::error(spots, text).mended_by("apart"));
        }
        if !piece.laid && !self.fits_somewhere(i) {
            warnings.push(Problem::warning(NOWHERE, format!("{name} fits nowhere on the board")));
        }
    }

    fn fits_somewhere(&self, piece: usize) -> bool {
        let size = self.board.size();
        self.orientations().iter().any(|sym| {
            let form = self.form(piece, *sym);
            size.cells().any(|at| form.iter().all(|t| self.has(t.shifted(at))))
        })
    }

    fn overlaps(&self, errors: &mut Vec<Problem>) {
        let owners = self.owners();
        let mut shared: BTreeMap<(usize, usize), Vec<Tri>> = BTreeMap::new();
        for (i, piece) in self.pieces.iter().enumerate().filter(|(_, p)| p.laid) {
            for t in &piece.triangles {
                if let Some(first) = owners.get(t.cell).and_then(|c| c[t.k as usize])
                    && first != i
                {
                    shared.entry((first, i)).or_default().push(*t);
                }
            }
        }
        for ((a, b), triangles) in shared {
            let text =
                format!("{} and {} overlap in {}", self.seen(a), self.seen(b), count(triangles.len(), "triangle"));
            errors.push(Problem::error(triangles.iter().map(|t| t.spot()), text));
        }
    }

    fn areas(&self, errors: &mut Vec<Problem>) {
        let (board, pieces) = (self.area(), self.pieces.iter().map(|p| p.triangles.len()).sum::<usize>());
        let owners = self.owners();
        let bare: Vec<Tri> = self.triangles().filter(|t| owners[t.cell][t.k as usize].is_none()).collect();
        if board != pieces && !self.pieces.is_empty() {
            let text = format!(
                "the pieces have {} together, the board has {board}: {}",
                count(pieces, "triangle"),
                if pieces < board {
                    format!("{} missing", board - pieces)
                } else {
                    format!("{} too many", pieces - board)
                }
            );
            let spots = if pieces < board { bare.iter().map(|t| t.spot()).collect() } else { Vec::new() };
            let problem = Problem::error(spots, text);
            // Free triangles go to pieces beside them: there must be one on the board.
            let can_share = pieces < board && !bare.is_empty() && bare.len() < board;
            errors.push(if can_share { problem.mended_by("share") } else { problem });
        }
    }
}

/// "1 triangle", "5 triangles".
pub(super) fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

// ------------------------------------------------------------------------------------------------------------------- in a file

/// The level in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// One row of cells a line, four letters a cell: left, top, right, bottom.
    pub(super) board: Vec<String>,
    /// Pieces that are not drawn on the board, by their letters.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) apart: BTreeMap<char, Apart>,
}

/// A piece drawn by itself, with the letters of the board.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Apart {
    /// Its rows.
    rows: Vec<String>,
    /// Where its corner lies on the board, if it is laid (overlapping another piece, or hanging over the edge).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<(i16, i16)>,
}

/// What a letter of a board says about a triangle.
#[derive(Clone, Copy, PartialEq)]
enum Mark {
    Missing,
    Bare,
    Of(u16),
}

fn marks(rows: &[String], most: (usize, usize)) -> Result<Vec<Vec<[Mark; 4]>>, BoardFault> {
    if rows.len() > most.1 {
        return Err(BoardFault::new(format!("{} rows are too many: at most {}", rows.len(), most.1)));
    }
    let mut cells: Vec<Vec<[Mark; 4]>> = Vec::new();
    for (y, row) in rows.iter().enumerate() {
        let letters: Vec<(usize, char)> =
            row.chars().enumerate().filter(|(_, l)| *l != ' ').take(most.0 * 4 + 1).collect();
        if letters.len() > most.0 * 4 {
            return Err(BoardFault::at(y, letters[most.0 * 4].0, format!("a row has at most {} cells", most.0)));
        }
        if letters.len() % 4 != 0 {
            let at = letters.last().map_or(0, |l| l.0);
            return Err(BoardFault::at(y, at, "this cell does not have all four letters: left, top, right, bottom"));
        }
        let mut line = Vec::new();
        for four in letters.chunks(4) {
            let mut marks = [Mark::Bare; 4];
            for (mark, (x, l)) in marks.iter_mut().zip(four) {
                *mark = match (l, number_of(*l)) {
                    ('.', _) => Mark::Bare,
                    ('-', _) => Mark::Missing,
                    (_, Some(n)) => Mark::Of(n),
                    _ => {
                        let text = format!("'{l}' is neither a piece's letter nor '.' (no piece) nor '-' (no cell)");
                        return Err(BoardFault::at(y, *x, text));
                    }
                };
            }
            if marks.contains(&Mark::Missing) && marks != [Mark::Missing; 4] {
                return Err(BoardFault::at(y, four[0].0, "a cell is missing as a whole, ----, or not at all"));
            }
            line.push(marks);
        }
        if let Some(first) = cells.first()
            && first.len() != line.len()
        {
            let text = format!("this row has {}, the first has {}", count(line.len(), "cell"), first.len());
            return Err(BoardFault::at(y, 0, text));
        }
        cells.push(line);
    }
    Ok(cells)
}

impl Draft for Shards {
    const INFO: Info = super::INFO;
    type Level = Level;
    type File = File;

    fn size(level: &Level) -> Size {
        level.board.size()
    }

    fn problems(level: &Level) -> Vec<Problem> {
        let mut problems = Vec::new();
        if level.area() == 0 {
            problems.push(Problem::error(NOWHERE, "the board has no cells: add some"));
        }
        if level.pieces.is_empty() {
            problems.push(Problem::error(NOWHERE, "there are no pieces: cut the board").mended_by("cut"));
        }
        let mut warnings = Vec::new();
        for (i, piece) in level.pieces.iter().enumerate() {
            level.problems_of(i, piece, &mut problems, &mut warnings);
        }
        level.overlaps(&mut problems);
        level.areas(&mut problems);
        let outline = parts(&level.triangles().collect::<Vec<_>>());
        if let [_, small @ ..] = outline.as_slice()
            && !small.is_empty()
        {
            let spots = small.iter().flatten().map(|t| t.spot());
            warnings
                .push(Problem::warning(spots, format!("the board is in {} parts that do not touch", outline.len())));
        }
        problems.extend(warnings);
        problems
    }

    fn rules() -> Vec<Param> {
        vec![
            Param::switch("rotate", "Rotation", "Pieces may be turned by quarter turns.", false),
            Param::switch("mirror", "Mirror", "Pieces may be flipped left to right.", false),
        ]
    }

    fn rule_values(level: &Level) -> Values {
        Values::default().with("rotate", level.rotate).with("mirror", level.mirror)
    }

    fn set_rule(level: &mut Level, name: &str, value: &Value) {
        match (name, value) {
            ("rotate", Value::Switch(on)) => level.rotate = *on,
            ("mirror", Value::Switch(on)) => level.mirror = *on,
            _ => (),
        }
    }

    fn symmetries() -> &'static [Sym] {
        &Sym::ALL
    }

    /// A quarter turn of a level whose pieces may only be flipped would change its rules, so there is none.
    fn turned(level: &Level, sym: Sym) -> Option<Level> {
        if level.mirror && !level.rotate && sym.turns % 2 == 1 {
            return None;
        }
        let size = level.board.size();
        let turn = |p: &Piece| {
            let mut triangles = if p.laid {
                p.triangles
                    .iter()
                    .map(|t| Tri { cell: sym.cell(t.cell, size), k: turned_part(t.k, sym) })
                    .collect::<Vec<_>>()
            } else {
                turned(&p.triangles, sym)
            };
            triangles.sort_unstable();
            Piece { triangles, ..*p }
        };
        Some(Level { board: level.board.turned(sym), pieces: level.pieces.iter().map(turn).collect(), ..*level })
    }

    fn turned_part(part: u8, sym: Sym) -> u8 {
        turned_part(part, sym)
    }

    fn to_file(level: &Level) -> File {
        let owners = level.owners();
        let mut apart = BTreeMap::new();
        let mut on_board = vec![false; level.pieces.len()];
        for (i, p) in level.pieces.iter().enumerate() {
            let mine = |t: &Tri| level.has(*t) && owners[t.cell][t.k as usize] == Some(i);
            on_board[i] = p.laid && !p.triangles.is_empty() && p.triangles.iter().all(mine);
            if !on_board[i] {
                apart.insert(letter(p.id), drawn_apart(p));
            }
        }
        let letters = |c: Cell| {
            triangles_of(c).map(|t| match owners[c][t.k as usize] {
                _ if !level.has(t) => '-',
                Some(i) if on_board[i] => letter(level.pieces[i].id),
                _ => '.',
            })
        };
        File { board: rows(level.board.size(), letters), apart }
    }

    fn from_file(file: File) -> Result<Level, BoardFault> {
        let cells = marks(&file.board, (LARGEST.w as usize, LARGEST.h as usize))?;
        let width = cells.first().map_or(0, Vec::len);
        if width == 0 {
            return Err(BoardFault::new("the board has no cells"));
        }
        if file.apart.len() > MOST_PIECES {
            return Err(BoardFault::new(format!("{} pieces are too many: at most {MOST_PIECES}", file.apart.len())));
        }
        let size = Size::new(width as u16, cells.len() as u16);
        let board = Grid::from_fn(size, |c| cells[c.y as usize][c.x as usize][0] != Mark::Missing);
        let mut pieces: BTreeMap<u16, Piece> = BTreeMap::new();
        for (id, t) in drawn(&cells) {
            pieces.entry(id).or_insert(Piece { id, triangles: Vec::new(), laid: true }).triangles.push(t);
        }
        for (l, apart) in &file.apart {
            let fault = |text: String| BoardFault::new(format!("piece {l}, drawn apart: {text}"));
            let id = number_of(*l).ok_or_else(|| fault("its letter cannot be a piece's".into()))?;
            if pieces.contains_key(&id) {
                return Err(fault("it is drawn on the board too".into()));
            }
            let most = (FARTHEST as usize * 2, FARTHEST as usize * 2);
            let cells = marks(&apart.rows, most).map_err(|f| {
                let place = f.at.map_or_else(String::new, |(y, x)| format!("row {}, column {}: ", y + 1, x + 1));
                fault(format!("{place}{}", f.text))
            })?;
            let triangles: Vec<Tri> = drawn(&cells).map(|(_, t)| t).collect();
            if triangles.len() > MOST_TRIANGLES {
                return Err(fault("it has too many triangles".into()));
            }
            let mut triangles = form(&triangles);
            if let Some((x, y)) = apart.at {
                if x.abs() > FARTHEST || y.abs() > FARTHEST {
                    return Err(fault(format!("it lies too far off the board, at {x}, {y}")));
                }
                triangles.iter_mut().for_each(|t| *t = t.shifted(cell(x, y)));
            }
            pieces.insert(id, Piece { id, triangles, laid: apart.at.is_some() });
        }
        let mut pieces: Vec<Piece> = pieces.into_values().collect();
        pieces.iter_mut().for_each(|p| p.triangles.sort_unstable());
        if pieces.len() > MOST_PIECES {
            return Err(BoardFault::new(format!("{} pieces are too many: at most {MOST_PIECES}", pieces.len())));
        }
        Ok(Level { board, pieces, rotate: false, mirror: false })
    }

    fn formats() -> Vec<Format<Shards>> {
        vec![super::formats::triangle_blocks()]
    }
}

fn drawn(cells: &[Vec<[Mark; 4]>]) -> impl Iterator<Item = (u16, Tri)> {
    cells.iter().enumerate().flat_map(|(y, row)| {
        row.iter().enumerate().flat_map(move |(x, marks)| {
            marks.iter().enumerate().filter_map(move |(k, mark)| match mark {
                Mark::Of(id) => Some((*id, Tri::new(x as i16, y as i16, k as u8))),
                _ => None,
            })
        })
    })
}

fn drawn_apart(piece: &Piece) -> Apart {
    let shape = form(&piece.triangles);
    let (w, h) = extent(&shape);
    let mark = |c: Cell| triangles_of(c).map(|t| if shape.contains(&t) { letter(piece.id) } else { '.' });
    let corner = || {
        let x = piece.triangles.iter().map(|t| t.cell.x).min().unwrap_or(0);
        let y = piece.triangles.iter().map(|t| t.cell.y).min().unwrap_or(0);
        (x, y)
    };
    Apart { rows: rows(Size::new(w as u16, h as u16), mark), at: piece.laid.then(corner) }
}

/// Rows of cells, four letters each, with spaces between.
pub(super) fn rows(size: Size, letters: impl Fn(Cell) -> [char; 4]) -> Vec<String> {
    let word = |x: u16, y: u16| letters(cell(x as i16, y as i16)).iter().collect::<String>();
    (0..size.h).map(|y| (0..size.w).map(|x| word(x, y)).collect::<Vec<_>>().join(" ")).collect()
}

/// Whether a triangle of an outside file lies near enough to the board to be drawn and named.
pub(super) fn near(t: i64, columns: usize) -> bool {
    t >= 0 && t < 4 * columns as i64 * i64::from(FARTHEST)
}
