//! Generating: presets, what was made, and the seeds.

use super::{Campaign, Param, Rules, Values};
use crate::job::{Probe, Stop};
use std::collections::BTreeMap;

/// A named set of parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Preset {
    /// The name in commands.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// What it sets; the rest keeps its default.
    pub values: Values,
}

/// What a generator made.
pub struct Made<G: Rules> {
    /// The level, proven solvable.
    pub level: G::Level,
    /// A solution for the first goal, replayed by the caller.
    pub line: Vec<G::Move>,
    /// What was measured, for people and `--json`: "cost", "optimal" (0 or 1), "nodes", in games with an opponent "winnable" (0 or
    /// 1: shown to be), and the game's own.
    pub measured: BTreeMap<String, f64>,
}

/// Why nothing was made.
#[derive(Clone, PartialEq, Debug)]
pub enum NotMade {
    /// Stopped from outside.
    Stopped(Stop),
    /// The request cannot be met: a sentence.
    Refused(String),
}

impl From<Stop> for NotMade {
    fn from(stop: Stop) -> NotMade {
        NotMade::Stopped(stop)
    }
}

/// Generating.
pub trait Generate: Rules {
    /// Counted up whenever the same seed would give another level.
    const VERSION: u32;

    /// All parameters.
    fn params() -> Vec<Param>;

    /// The presets; the first is the default.
    fn presets() -> Vec<Preset>;

    /// A sentence about what these values mean (how many levels there are, what cannot be met).
    fn about_values(_values: &Values) -> Option<String> {
        None
    }

    /// The endless runs that the game offers, played board after board until one is lost: a name, and the values with which each board is generated. The
    /// score of a run is the number of boards cleared in it.
    fn runs() -> Vec<(&'static str, Values)> {
        Vec::new()
    }

    /// The game's own campaign. A game without one plays its shipped pack in order.
    fn campaign() -> Option<Campaign> {
        None
    }

    /// Makes a level. The values are checked and complete. The same values and seed give the same level on every machine: limits inside are
    /// node counts ([`Probe::part`]); the probe's own limits only ever stop it.
    fn generate(values: &Values, seed: u64, probe: &mut Probe) -> Result<Made<Self>, NotMade>;
}

/// The random generator that carries seeds: the same stream on every machine.
pub fn rng(seed: u64) -> rand::rngs::ChaCha8Rng {
    rand::SeedableRng::seed_from_u64(seed)
}
