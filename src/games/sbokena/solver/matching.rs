//! Whether every wanted cell can have a box of its own, by which boxes can come to which cells.

use super::bounds::MOST_MATCHED;
use crate::{
    job::{Probe, Stop},
    search::bits::Bits,
};

/// A set of wanted cells, by their numbers.
pub type CellSet = Bits<{ MOST_MATCHED / 64 }>;

/// A matching; keeps its working memory.
#[derive(Default)]
pub struct Matching {
    /// For each box, the cells it can come to.
    pub sets: Vec<CellSet>,
    box_of: Vec<u16>,
}

impl Matching {
    /// Whether each of `wanted` cells can have one of the boxes in `sets`.
    pub fn covers(&mut self, wanted: usize, probe: &mut Probe) -> Result<bool, Stop> {
        let spare = self.sets.len().saturating_sub(wanted);
        self.box_of.clear();
        self.box_of.resize(wanted, u16::MAX);
        // Each box that can takes a cell, others moving along; a box to spare may go without.
        let mut placed = 0;
        for slot in 0..self.sets.len() {
            probe.step()?;
            let mut tried = CellSet::EMPTY;
            placed += usize::from(place(slot, &self.sets, &mut self.box_of, &mut tried));
            if slot + 1 - placed > spare {
                return Ok(false);
            }
        }
        Ok(placed == wanted)
    }
}

/// Gives a box a cell that is free or that another can leave for a third.
fn place(slot: usize, sets: &[CellSet], box_of: &mut [u16], tried: &mut CellSet) -> bool {
    let open = sets[slot].without(tried);
    if let Some(free) = open.iter().find(|c| box_of[*c] == u16::MAX) {
        box_of[free] = slot as u16;
        return true;
    }
    for cell in open.iter() {
        if tried.contains(cell) {
            continue;
        }
        tried.insert(cell);
        if place(box_of[cell] as usize, sets, box_of, tried) {
            box_of[cell] = slot as u16;
            return true;
        }
    }
    false
}
