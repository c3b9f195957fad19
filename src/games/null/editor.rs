//! Painting lamps.

use super::{Level, Null, level::LARGEST};
use crate::{
    game::{Edit, Gesture, Ink, Palette, Swatch},
    grid::{Cell, Grid, Size, Spot},
};

impl Edit for Null {
    const SIZES: (Size, Size) = (Size::new(1, 1), LARGEST);
    const NEW: Size = Size::new(4, 3);

    fn blank(size: Size) -> Level {
        Level { lamps: Grid::filled(size, false), cross: false }
    }

    fn palette(_: &Level) -> Palette {
        let swatch = |id, name: &str, help| Swatch {
            id,
            name: name.into(),
            group: "Lamps",
            coloured: false,
            turns: false,
            gesture: Gesture::Spots,
            help,
        };
        Palette {
            swatches: vec![swatch("empty", "Empty", "No lamp."), swatch("lamp", "Lamp", "A burning lamp.")],
            colours: Vec::new(),
        }
    }

    fn paint(level: &mut Level, ink: Ink, spots: &[Spot]) {
        for spot in spots {
            if let Some(lamp) = level.lamps.get_mut(spot.cell) {
                *lamp = ink.swatch == 1;
            }
        }
    }

    fn pick(level: &Level, spot: Spot) -> Ink {
        Ink { swatch: usize::from(level.lamps.get(spot.cell) == Some(&true)), ..Ink::default() }
    }

    fn resized(level: &Level, size: Size, shift: (i16, i16)) -> Level {
        Level { lamps: level.lamps.resized(size, shift, false), ..*level }
    }

    fn stamp(level: &mut Level, part: &Level, at: Cell) {
        for (c, lamp) in part.lamps.iter() {
            if let Some(here) = level.lamps.get_mut(c.offset(at.x, at.y)) {
                *here = *lamp;
            }
        }
    }
}
