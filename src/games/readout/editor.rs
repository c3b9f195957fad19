//! Placing digits, gaps and fixed tiles, and the commands that mend.
//!
//! A digit that is painted where another thing is comes from where it was, and that thing goes there: the two change places. So painting
//! digits never makes a digit appear twice or vanish; only gaps and fixed tiles do away with what they are painted over.

use super::{
    Level, Readout, Square,
    field::Field,
    generator,
    level::{LARGEST, SMALLEST, Switches},
    reach,
};
use crate::{
    game::{Command, Edit, Gesture, Ink, Palette, Swatch},
    grid::{Cell, Grid, Size, Spot},
};

/// Swatches before the digits: gap, fixed tile, swap.
const BEFORE: usize = 3;
const SWAP: usize = 2;

/// Names of the digits' swatches.
const DIGITS: [&str; 36] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20",
    "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "33", "34", "35", "36",
];

impl Edit for Readout {
    const SIZES: (Size, Size) = (SMALLEST, LARGEST);
    const NEW: Size = Size::new(5, 5);

    fn blank(size: Size) -> Level {
        Level::in_order(size, 1)
    }

    fn palette(level: &Level) -> Palette {
        let swatch = |id, name: String, group, gesture, help| Swatch {
            id,
            name,
            group,
            coloured: false,
            turns: false,
            gesture,
            help,
        };
        let mut swatches = vec![
            swatch("gap", "Gap".into(), "Squares", Gesture::Spots, "An empty square that a tile can slide into."),
            swatch("fixed", "Fixed tile".into(), "Squares", Gesture::Spots, "A neutral tile that never moves."),
            swatch(
                "swap",
                "Swap".into(),
                "Squares",
                Gesture::FromTo,
                "Click two squares, or drag from one to the other: they swap.",
            ),
        ];
        let digits = DIGITS.iter().take(level.squares.size().area());
        swatches.extend(digits.map(|d| {
            let help = "Puts this digit here and swaps it with what was here.";
            swatch(*d, format!("Digit {d}"), "Digits", Gesture::Once, help)
        }));
        Palette { swatches, colours: Vec::new() }
    }

    fn paint(level: &mut Level, ink: Ink, spots: &[Spot]) {
        let squares = &mut level.squares;
        let on_board = |spot: &Spot, squares: &Grid<Square>| squares.size().contains(spot.cell);
        match ink.swatch {
            SWAP => {
                if let (Some(a), Some(b)) = (spots.first(), spots.last())
                    && on_board(a, squares)
                    && on_board(b, squares)
                {
                    exchange(squares, a.cell, b.cell);
                }
            }
            0 | 1 => {
                let square = if ink.swatch == 0 { Square::Gap } else { Square::Fixed };
                for spot in spots.iter().filter(|s| on_board(s, &level.squares)).collect::<Vec<_>>() {
                    level.squares[spot.cell] = square;
                }
            }
            digit => {
                let digit = Square::Digit((digit - BEFORE + 1).min(DIGITS.len()) as u8);
                for spot in spots.iter().filter(|s| on_board(s, &level.squares)).collect::<Vec<_>>() {
                    place(&mut level.squares, digit, spot.cell);
                }
            }
        }
    }

    fn pick(level: &Level, spot: Spot) -> Ink {
        let swatch = match level.squares.get(spot.cell) {
            Some(Square::Digit(d)) => BEFORE + usize::from(*d) - 1,
            Some(Square::Fixed) => 1,
            Some(Square::Gap) | None => 0,
        };
        Ink { swatch, ..Ink::default() }
    }

    fn resized(level: &Level, size: Size, shift: (i16, i16)) -> Level {
        Level { squares: level.squares.resized(size, shift, Square::Gap), rules: level.rules }
    }

    fn stamp(level: &mut Level, part: &Level, at: Cell) {
        for (c, square) in part.squares.iter() {
            if let Some(here) = level.squares.get_mut(c.offset(at.x, at.y)) {
                *here = *square;
            }
        }
    }

    fn commands() -> &'static [Command] {
        &[
            Command {
                id: "swap",
                name: "Make it solvable",
                help: "Swaps two tiles so that the board can be put in order, or raises a move limit that is too low for it.",
            },
            Command { id: "shuffle", name: "Shuffle", help: "Scrambles the tiles with many random slides." },
            Command { id: "order", name: "Put in order", help: "Sets every digit to its place in the target." },
            Command {
                id: "renumber",
                name: "Renumber",
                help: "Numbers the tiles from 1, without gaps or doubles, keeping their order.",
            },
            Command { id: "fill-up", name: "Fill up", help: "Puts new digits into all gaps but the last." },
            Command { id: "default-rules", name: "Default rules", help: "Resets all rules." },
        ]
    }

    fn command(level: &mut Level, id: &str, seed: u64) -> Result<String, String> {
        match id {
            "swap" => mend(level),
            "shuffle" => {
                let slides = 20 * level.squares.size().area() as u32;
                let doubles = || "a digit occurs twice: renumber first".to_string();
                let mut shuffled = generator::shuffled(level, slides, seed).ok_or_else(doubles)?;
                // A walk may come home again on a small board.
                if shuffled == level.target() {
                    shuffled = generator::shuffled(level, slides + 3, seed ^ 1).ok_or_else(doubles)?;
                }
                level.squares = shuffled;
                Ok(format!("shuffled by {slides} slides"))
            }
            "order" => {
                level.squares = level.target();
                Ok("put in order".into())
            }
            "renumber" => {
                renumber(&mut level.squares);
                Ok(format!("numbered from 1 to {}", level.digits().len()))
            }
            "fill-up" => fill_up(&mut level.squares),
            "default-rules" => {
                level.rules = Switches::default();
                Ok("all rules reset".into())
            }
            other => Err(format!("there is no editor command {other}")),
        }
    }
}

fn exchange(squares: &mut Grid<Square>, a: Cell, b: Cell) {
    let kept = squares[a];
    squares[a] = squares[b];
    squares[b] = kept;
}

fn place(squares: &mut Grid<Square>, digit: Square, at: Cell) {
    let was = squares.iter().find(|(_, s)| **s == digit).map(|(c, _)| c);
    match was {
        Some(from) => exchange(squares, from, at),
        None => squares[at] = digit,
    }
}

fn mend(level: &mut Level) -> Result<String, String> {
    let (field, board) = Field::of(&level.squares).ok_or("a digit occurs twice: renumber first")?;
    if reach::verdict(&field, &board) == reach::Verdict::Yes {
        // Twice what the tiles have to go is enough for nearly every board.
        let enough = (2 * field.manhattan(&board)).next_multiple_of(10).min(9999) as u16;
        return match level.rules.move_limit {
            Some(limit) if limit < enough => {
                level.rules.move_limit = Some(enough);
                Ok(format!("raised the move limit from {limit} to {enough}"))
            }
            _ => Err("this board can already be put in order".into()),
        };
    }
    let (a, b) =
        reach::mending_swap(&field, &board).ok_or("no swap of two tiles makes this board solvable: shuffle it")?;
    let (a, b) = (field.size.cell(a), field.size.cell(b));
    exchange(&mut level.squares, a, b);
    let name = |c| super::level::word(level.squares[c]);
    Ok(format!("swapped {} and {}", name(b), name(a)))
}

fn renumber(squares: &mut Grid<Square>) {
    let size = squares.size();
    let mut tiles: Vec<(u8, Cell)> = Vec::new();
    for c in size.cells() {
        if let Square::Digit(d) = squares[c] {
            tiles.push((d, c));
        }
    }
    // By digit, and a double after its first by place.
    tiles.sort_by_key(|(d, c)| (*d, size.index(*c)));
    for (i, (_, c)) in tiles.into_iter().enumerate() {
        squares[c] = Square::Digit(i as u8 + 1);
    }
}

fn fill_up(squares: &mut Grid<Square>) -> Result<String, String> {
    let mut gaps: Vec<Cell> = squares.iter().filter(|(_, s)| **s == Square::Gap).map(|(c, _)| c).collect();
    gaps.pop();
    if gaps.is_empty() {
        return Err("there is no gap to spare".into());
    }
    let count = gaps.len();
    for gap in gaps {
        let used = super::level::digits(squares);
        let Some(free) = (1..=super::level::MOST).find(|d| !used.contains(d)) else { break };
        squares[gap] = Square::Digit(free);
    }
    Ok(format!("{count} gaps filled"))
}
