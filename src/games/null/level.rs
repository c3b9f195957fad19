//! The draft: which cells hold a burning lamp.

use crate::{
    game::{BoardFault, NOWHERE, Problem},
    grid::{Cell, Grid, Size},
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

impl Level {
    pub(super) fn problems(&self) -> Vec<Problem> {
        if self.lamps.values().contains(&true) {
            Vec::new()
        } else {
            vec![Problem::error(NOWHERE, "no lamp burns: paint at least one")]
        }
    }
}

pub(super) fn rows(lamps: &Grid<bool>) -> Vec<String> {
    let size = lamps.size();
    let letter = |x: u16, y: u16| if lamps[Cell { x: x as i16, y: y as i16 }] { '*' } else { '.' };
    (0..size.h).map(|y| (0..size.w).map(|x| letter(x, y)).collect()).collect()
}

pub(super) fn from_rows(rows: &[String]) -> Result<Level, BoardFault> {
    let size = crate::game::board_size(rows, LARGEST)?;
    let mut lamps = Grid::filled(size, false);
    for (y, row) in rows.iter().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            lamps[Cell { x: x as i16, y: y as i16 }] = match letter {
                '*' => true,
                '.' => false,
                other => return Err(BoardFault::at(y, x, format!("'{other}' is neither a lamp '*' nor empty '.'"))),
            };
        }
    }
    Ok(Level { lamps })
}
