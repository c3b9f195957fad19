//! The draft: which cells hold a burning lamp, and what a touch does.

use super::Null;
use crate::{
    game::{BoardFault, Draft, Info, NOWHERE, Param, Problem, Value, Values},
    grid::{Cell, Grid, Size, Sym},
};
use serde::{Deserialize, Serialize};

/// A board of lamps: `true` burns.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    pub(super) lamps: Grid<bool>,
    /// Whether a touch switches the neighbours too.
    pub(super) cross: bool,
}

/// The level in a file: rows of `*` (a burning lamp) and `.` (none).
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub(super) board: Vec<String>,
}

/// The rule switch.
const CROSS: &str = "cross";

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

    fn rules() -> Vec<Param> {
        vec![Param::switch(CROSS, "Cross", "Whether a touch also switches the four neighbours.", false)]
    }
    fn rule_values(level: &Level) -> Values {
        Values::default().with(CROSS, level.cross)
    }
    fn set_rule(level: &mut Level, name: &str, value: &Value) {
        if name == CROSS {
            level.cross = *value == Value::Switch(true);
        }
    }
    fn symmetries() -> &'static [Sym] {
        &Sym::ALL
    }
    fn turned(level: &Level, sym: Sym) -> Option<Level> {
        Some(Level { lamps: level.lamps.turned(sym), ..*level })
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
        Ok(Level { lamps, cross: false })
    }
}

pub(super) fn rows(lamps: &Grid<bool>) -> Vec<String> {
    let size = lamps.size();
    let letter = |x: u16, y: u16| if lamps[Cell { x: x as i16, y: y as i16 }] { '*' } else { '.' };
    (0..size.h).map(|y| (0..size.w).map(|x| letter(x, y)).collect()).collect()
}
