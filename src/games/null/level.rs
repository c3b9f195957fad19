//! The draft: which cells hold a burning lamp.

use super::Null;
use crate::{
    game::{BoardFault, Draft, Info, NOWHERE, Problem},
    grid::{Cell, Grid, Size, Sym},
};
use serde::{Deserialize, Serialize};

/// A board of lamps: `true` burns.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    pub(super) lamps: Grid<bool>,
}

/// The level in a file: rows of `*` (a burning lamp) and `.` (none).
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub(super) board: Vec<String>,
}

pub(super) const LARGEST: Size = Size::new(16, 16);

impl Draft for Null {
    const INFO: Info = super::INFO;
    type Level = Level;
    type File = File;

    fn size(level: &Level) -> Size {
        level.lamps.size()
    }

    fn problems(level: &Level) -> Vec<Problem> {
        if level.lamps.values().contains(&true) {
            Vec::new()
        } else {
            vec![Problem::error(NOWHERE, "no lamp burns: paint at least one")]
        }
    }

    fn symmetries() -> &'static [Sym] {
        &Sym::ALL
    }
    fn turned(level: &Level, sym: Sym) -> Option<Level> {
        Some(Level { lamps: level.lamps.turned(sym) })
    }
    fn to_file(level: &Level) -> File {
        File { board: rows(&level.lamps) }
    }

    fn from_file(file: File) -> Result<Level, BoardFault> {
        let size = crate::game::board_size(&file.board, LARGEST)?;
        let mut lamps = Grid::filled(size, false);
        for (y, row) in file.board.iter().enumerate() {
            for (x, letter) in row.chars().enumerate() {
                lamps[Cell { x: x as i16, y: y as i16 }] = match letter {
                    '*' => true,
                    '.' => false,
                    other => {
                        return Err(BoardFault::at(y, x, format!("'{other}' is neither a lamp '*' nor empty '.'")));
                    }
                };
            }
        }
        Ok(Level { lamps })
    }
}

pub(super) fn rows(lamps: &Grid<bool>) -> Vec<String> {
    let size = lamps.size();
    let letter = |x: u16, y: u16| if lamps[Cell { x: x as i16, y: y as i16 }] { '*' } else { '.' };
    (0..size.h).map(|y| (0..size.w).map(|x| letter(x, y)).collect()).collect()
}
