//! Editing: palettes, inks, commands.

use super::Draft;
use crate::grid::{Cell, Size, Spot, Sym};

/// One entry of the palette.
#[derive(Clone, PartialEq, Debug)]
pub struct Swatch {
    /// Short name, unique within the game.
    pub id: &'static str,
    /// Name for people.
    pub name: String,
    /// Its heading in the palette.
    pub group: &'static str,
    /// Whether it comes in the palette's colours.
    pub coloured: bool,
    /// Whether turning and mirroring (R, Shift+R) changes it.
    pub turns: bool,
    /// How it is used.
    pub gesture: Gesture,
    /// A sentence of explanation.
    pub help: &'static str,
}

/// How a swatch takes a stroke.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gesture {
    /// Each spot of the stroke on its own: brush, line, rectangle and fill all work.
    Spots,
    /// All spots of the stroke become one thing (a free-form shape), with any of these tools.
    Whole,
    /// Once, at the spot pressed (a stamp, a lock).
    Once,
    /// From the first spot to the last (a link, a swap, a direction).
    FromTo,
}

/// A swatch with its colour and orientation, ready to paint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ink {
    /// Index into the palette's swatches.
    pub swatch: usize,
    /// Index into the palette's colours.
    pub colour: usize,
    /// How it is turned.
    pub sym: Sym,
}

/// The palette, as data.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Palette {
    /// Its entries. The first is what the eraser paints.
    pub swatches: Vec<Swatch>,
    /// Names of its colours; indices into [`Colours::pieces`].
    pub colours: Vec<String>,
}

/// A one-shot command of a game's editor ("Cut at random", "Swap two tiles").
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Command {
    /// Short name.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
}

/// Something that lies on the ground of a draft, as files with layers show it: a box, a cat, a whole piece.
#[derive(Clone, PartialEq, Debug)]
pub struct Thing {
    /// What it is, in a word or two: "box".
    pub name: &'static str,
    /// The ink that paints it.
    pub ink: Ink,
    /// The spots of the stroke that paints it.
    pub spots: Vec<Spot>,
    /// What else there is to know about it, as a name and a value: ("lock", "2").
    pub facts: Vec<(&'static str, String)>,
}

/// Editing.
pub trait Edit: Draft {
    /// The least and the greatest size of a board.
    const SIZES: (Size, Size);

    /// An empty board to draw on, ordinarily of this size.
    fn blank(size: Size) -> Self::Level;

    /// The size a new board has.
    const NEW: Size;

    /// What can be painted, as data.
    fn palette(level: &Self::Level) -> Palette;

    /// Paints a stroke: the spots in order, each once, all on the board. The eraser is swatch 0.
    fn paint(level: &mut Self::Level, ink: Ink, spots: &[Spot]);

    /// The ink that would paint what is seen at a spot.
    fn pick(level: &Self::Level, spot: Spot) -> Ink;

    /// The same for many spots. A game that has to look for what is at a spot finds all of it at once.
    fn picks(level: &Self::Level, spots: &[Spot]) -> Vec<Ink> {
        spots.iter().map(|s| Self::pick(level, *s)).collect()
    }

    /// The ink of the ground at a cell, under whatever [`Edit::things`] lists there: what a map's tile layer shows. A game whose cells hold one
    /// thing each has nothing to add.
    fn ground(level: &Self::Level, cell: Cell) -> Ink {
        Self::pick(level, cell.into())
    }

    /// What lies on the ground, in an order in which it can be painted: what a map's object layer shows.
    fn things(_level: &Self::Level) -> Vec<Thing> {
        Vec::new()
    }

    /// Spots that a flood fill goes on to.
    fn neighbours(level: &Self::Level, spot: Spot) -> Vec<Spot> {
        let size = Self::size(level);
        spot.cell.neighbours().into_iter().filter(|c| size.contains(*c)).map(Spot::from).collect()
    }

    /// Where strokes of an ink with [`Gesture::FromTo`] that begin at a spot are tried to end, when edits are tried out.
    fn ends(level: &Self::Level, _ink: Ink, spot: Spot) -> Vec<Spot> {
        Self::neighbours(level, spot)
    }

    /// Strokes that only move a thing to a cell around it: tried first when a level is mended. Those that change nothing may be among them.
    fn moves(_level: &Self::Level) -> Vec<(Ink, Vec<Spot>)> {
        Vec::new()
    }

    /// The draft on a board of another size; what was at `c` is at `c + shift`, what falls off is gone.
    fn resized(level: &Self::Level, size: Size, shift: (i16, i16)) -> Self::Level;

    /// Puts `part` into `level` with its corner at `at`, replacing what is there. (A selection is copied by [`Edit::resized`].)
    fn stamp(level: &mut Self::Level, part: &Self::Level, at: Cell);

    /// The game's own editor commands for this draft.
    fn commands() -> &'static [Command] {
        &[]
    }

    /// Runs one; says what it did, or why not.
    fn command(_level: &mut Self::Level, id: &str, _seed: u64) -> Result<String, String> {
        Err(format!("there is no editor command {id}"))
    }
}
