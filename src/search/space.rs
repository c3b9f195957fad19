//! A question given as positions and moves, and plain search through all of them.
//!
//! For small questions that are no levels of a game: some duties are lifted, some pieces are alike. Every position that can be reached is met
//! once; the only cleverness is in what a game leaves out of the question.

use super::states::States;
use crate::job::{Probe, Stop};

/// Positions and moves. All positions of one question have the same number of words.
pub trait Space: Send {
    /// The first position.
    fn start(&self) -> Vec<u32>;
    /// Whether a position answers the question with yes.
    fn won(&self, at: &[u32]) -> bool;
    /// Calls `to` with each position that a move leads to.
    fn next(&self, at: &[u32], to: &mut dyn FnMut(&[u32]));
}

/// Visits every position that can be reached, the last one found first, until `visit` answers `true`; whether it did. One tick a position.
pub fn explore(space: &dyn Space, probe: &mut Probe, visit: &mut dyn FnMut(&[u32]) -> bool) -> Result<bool, Stop> {
    let before = probe.progress.memory;
    let end = all_of(space, before, probe, visit);
    probe.progress.memory = before;
    end
}

fn all_of(
    space: &dyn Space,
    before: u64,
    probe: &mut Probe,
    visit: &mut dyn FnMut(&[u32]) -> bool,
) -> Result<bool, Stop> {
    let start = space.start();
    let mut states: States<u32> = States::new(start.len());
    states.make_room();
    let mut open = Vec::new();
    if let Err(place) = states.find(&start) {
        open.push(states.insert(place, &start));
    }
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        probe.tick()?;
        let at = states.get(id).to_vec();
        if visit(&at) {
            return Ok(true);
        }
        found.clear();
        space.next(&at, &mut |next| found.extend_from_slice(next));
        for next in found.chunks_exact(start.len()) {
            probe.allow(states.growth() as u64)?;
            states.make_room();
            if let Err(place) = states.find(next) {
                open.push(states.insert(place, next));
            }
        }
        probe.progress.frontier = open.len() as u64;
        probe.progress.memory = before + (states.bytes() + open.capacity() * size_of::<u32>()) as u64;
    }
    Ok(false)
}

/// Whether the answer is yes.
pub fn solvable(space: &dyn Space, probe: &mut Probe) -> Result<bool, Stop> {
    explore(space, probe, &mut |at| space.won(at))
}
