//! Levels by the seed's reverse scramble ([`super::scramble`]), its table as parameters and its tiers as presets.
//!
//! Every level is solved before it is shown. Plain scrambles come out far easier than their length suggests, so two parameters that the
//! presets leave off search on: keep the hardest of many by proven drags, and drop locks that change nothing about that. Where tandems are asked
//! for, a level is kept only if each of them matters: without its link the fewest drags are others, or there is no solution. All limits
//! are nodes, so a seed gives the same level everywhere.

use super::{
    Cats, Finished, Level, Step,
    level::{Colour, MOST_CATS},
    rules,
    scramble::{Recipe, scramble},
};
use crate::{
    game::{Campaign, Generate, Made, NotMade, Outcome, Param, Preset, Rules, Solve, Values, rng},
    grid::Size,
    job::{Probe, Stop},
};
use std::collections::BTreeMap;

/// Boards laid out for one level before giving up.
const MOST_BOARDS: usize = 400;
/// Nodes for measuring steps, for measuring drags, and for comparing candidates.
const STEP_NODES: u64 = 10_000;
const DRAG_NODES: u64 = 1_000;
const COMPARE_NODES: u64 = 20_000;

impl Generate for Cats {
    const VERSION: u32 = 1;

    fn params() -> Vec<Param> {
        let number = Param::number;
        vec![
            number("width", "Width", "Columns, with a border of void on both sides.", (4, 64), 6),
            number("height", "Height", "Rows, with a border of void above and below.", (4, 64), 8),
            number("colours", "Colours", "How many colours there are.", (1, Colour::ALL.len() as i64), 2),
            number("cats", "Cats per colour", "Cats of each colour, blocker-cats aside.", (1, 16), 2),
            number("shapes", "Shapes per colour", "Shapes of each colour, those of blocker-cats aside.", (1, 8), 2),
            number("blockers", "Blockers", "Single blockers on random cells.", (0, 400), 4),
            number("max_shape", "Largest shape", "Cells of the largest shape.", (1, 4), 2),
            number(
                "scramble",
                "Scramble",
                "The fewest steps of the scramble; it goes on until no cat is covered.",
                (1, 2000),
                15,
            ),
            number("blocker_cats", "Blocker-cats", "Cats on blockers; each adds a shape of one cell.", (0, 16), 0),
            number("conditional", "Locked shapes", "How many shapes are locked.", (0, 16), 0),
            number("threshold", "Lock", "Cats that must be found before a locked shape moves.", (0, 16), 0),
            number(
                "tandems",
                "Tandems",
                "Pairs of shapes that are linked and move as one. Only levels in which every link matters are kept.",
                (0, 8),
                0,
            ),
            number(
                "candidates",
                "Keep the hardest of",
                "Levels made, of which the one with most proven drags is kept.",
                (1, 500),
                1,
            ),
            Param::switch(
                "drop_locks",
                "Remove unneeded locks",
                "Remove the locks without which the level takes no fewer drags.",
                false,
            ),
            Param::choice(
                "finished_shapes",
                "Finished shapes",
                "Whether the shapes of a colour stay or leave when their last cat is found.",
                Finished::WORDS,
            ),
        ]
    }

    fn presets() -> Vec<Preset> {
        let names = [
            "width",
            "height",
            "colours",
            "cats",
            "shapes",
            "blockers",
            "max_shape",
            "scramble",
            "blocker_cats",
            "conditional",
            "threshold",
        ];
        let preset = |id, name, table: [i64; 11]| {
            let values = names.iter().zip(table).fold(Values::default(), |v, (n, x)| v.with(n, x));
            Preset { id, name, values }
        };
        vec![
            preset("normal", "Normal", [6, 8, 2, 2, 2, 4, 2, 15, 0, 0, 0]),
            preset("hard", "Hard", [7, 9, 3, 2, 2, 8, 3, 30, 2, 0, 0]),
            preset("very-hard", "Very hard", [10, 12, 3, 4, 2, 12, 4, 60, 2, 1, 2]),
        ]
    }

    /// The campaign of the game that Cats came from: a hundred levels, the three tiers in turn.
    fn campaign() -> Option<Campaign> {
        const TIERS: [&str; 3] = ["normal", "hard", "very-hard"];
        let recipe = |level: u32| (TIERS[(level.saturating_sub(1) % 3) as usize], u64::from(level));
        Some(Campaign { levels: 100, recipe })
    }

    fn about_values(values: &Values) -> Option<String> {
        recipe(values).err().or_else(|| {
            let (cats, shapes) = totals(values);
            Some(format!("{cats} cats and {shapes} shapes"))
        })
    }

    fn generate(values: &Values, seed: u64, probe: &mut Probe) -> Result<Made<Cats>, NotMade> {
        let recipe = recipe(values).map_err(NotMade::Refused)?;
        let mut rng = rng(seed);
        let wanted = values.number("candidates").unwrap_or(1).max(1) as usize;
        let leave = values.word("finished_shapes") == Finished::Leave.word();
        let mut best: Option<Candidate> = None;
        let mut made = 0;
        for _ in 0..MOST_BOARDS * wanted {
            let Some(mut level) = scramble(&recipe, &mut rng, probe)? else { continue };
            level.finished = if leave { Finished::Leave } else { Finished::Stay };
            if values.switch("drop_locks") {
                drop_idle_locks(&mut level, probe)?;
            }
            if !links_matter(&level, probe)? {
                continue;
            }
            let nodes = if wanted > 1 { COMPARE_NODES } else { DRAG_NODES };
            let Some(candidate) = Candidate::measure(level, nodes, probe)? else { continue };
            made += 1;
            probe.progress.fraction = Some(made as f32 / wanted as f32);
            if best.as_ref().is_none_or(|b| b.hardness() < candidate.hardness()) {
                best = Some(candidate);
            }
            if made == wanted {
                break;
            }
        }
        best.map(Candidate::made).ok_or_else(|| {
            NotMade::Refused("no board could be made with these values: make it larger, or ask for less on it".into())
        })
    }
}

/// Cats and shapes in all.
fn totals(values: &Values) -> (i64, i64) {
    let n = |name: &str| values.number(name).unwrap_or(0);
    let each = |of: &str| n("colours") * n(of) + n("blocker_cats");
    (each("cats"), each("shapes"))
}

fn recipe(values: &Values) -> Result<Recipe, String> {
    let n = |name: &str| values.number(name).unwrap_or(0).max(0) as usize;
    let (cats, shapes) = totals(values);
    let cells = (n("width").max(2) - 2) * (n("height").max(2) - 2);
    if cats > MOST_CATS as i64 {
        return Err(format!("{cats} cats are too many: a level holds at most {MOST_CATS}"));
    }
    if n("blocker_cats") > n("blockers") {
        return Err(format!("{} blocker-cats need as many blockers, not {}", n("blocker_cats"), n("blockers")));
    }
    if 2 * n("tandems") > shapes as usize {
        return Err(format!("{} tandems need {} shapes, not {shapes}", n("tandems"), 2 * n("tandems")));
    }
    if n("blockers") + n("colours") * n("cats") + n("blocker_cats") > cells {
        return Err(format!("blockers and cats do not fit on {cells} cells"));
    }
    Ok(Recipe {
        size: Size::new(n("width") as u16, n("height") as u16),
        colours: n("colours"),
        cats: n("cats"),
        shapes: n("shapes"),
        blockers: n("blockers"),
        largest_shape: n("max_shape"),
        scramble: n("scramble") as u64,
        blocker_cats: n("blocker_cats"),
        locked: n("conditional"),
        lock: n("threshold") as u32,
        tandems: n("tandems"),
    })
}

/// A level with what is known about it.
struct Candidate {
    level: Level,
    line: Vec<Step>,
    steps_proven: bool,
    drags: u32,
    drags_proven: bool,
    nodes: u64,
}

impl Candidate {
    /// Solves a level for both goals; nothing if no solution is found within the nodes.
    fn measure(level: Level, drag_nodes: u64, probe: &mut Probe) -> Result<Option<Candidate>, Stop> {
        let before = probe.progress.nodes;
        let Some((line, steps_proven)) = solved(&level, 0, STEP_NODES, probe)? else { return Ok(None) };
        let (drag_line, drags_proven) = solved(&level, 1, drag_nodes, probe)?.unwrap_or((line.clone(), false));
        let drags = rules::drags(&level, &drag_line).min(rules::drags(&level, &line));
        let nodes = probe.progress.nodes - before;
        Ok(Some(Candidate { level, line, steps_proven, drags, drags_proven, nodes }))
    }

    /// Proven drags first; what is only known from above counts less than anything proven.
    fn hardness(&self) -> (bool, u32, usize) {
        (self.drags_proven, self.drags, self.line.len())
    }

    fn made(self) -> Made<Cats> {
        let measured = BTreeMap::from([
            ("cost".to_string(), self.line.len() as f64),
            ("optimal".to_string(), f64::from(u8::from(self.steps_proven))),
            ("drags".to_string(), f64::from(self.drags)),
            ("drags_optimal".to_string(), f64::from(u8::from(self.drags_proven))),
            ("nodes".to_string(), self.nodes as f64),
        ]);
        Made { level: self.level, line: self.line, measured }
    }
}

/// What a solve within some nodes tells.
enum Known {
    /// The best line, and whether it is proven best.
    Line(Vec<Step>, bool),
    Unsolvable,
    Nothing,
}

/// The best line within the nodes, and whether it is proven best.
fn solved(level: &Level, goal: usize, nodes: u64, probe: &mut Probe) -> Result<Option<(Vec<Step>, bool)>, Stop> {
    Ok(match proven(level, goal, nodes, probe)? {
        Known::Line(line, best) => Some((line, best)),
        Known::Unsolvable | Known::Nothing => None,
    })
}

fn proven(level: &Level, goal: usize, nodes: u64, probe: &mut Probe) -> Result<Known, Stop> {
    let Ok(state) = Cats::start(level) else { return Ok(Known::Nothing) };
    let mut part = probe.part(nodes);
    let outcome = Cats::solve(level, &state, goal, &mut part, &mut |_| ());
    probe.absorb(&part);
    match outcome {
        // Only the nodes may cut a measurement short: anything else would not be the same everywhere.
        Outcome::Solved { stopped: Some(stop), .. } | Outcome::Stopped { by: stop, .. } if stop != Stop::Nodes => {
            Err(stop)
        }
        Outcome::Solved { line, optimal, .. } => Ok(Known::Line(line, optimal)),
        Outcome::Unsolvable => Ok(Known::Unsolvable),
        Outcome::Stopped { .. } => Ok(Known::Nothing),
    }
}

/// The fewest drags, if they are proven within the nodes; that there is no solution, if that is.
fn fewest_drags(level: &Level, probe: &mut Probe) -> Result<Option<Option<u32>>, Stop> {
    Ok(match proven(level, 1, COMPARE_NODES, probe)? {
        Known::Line(line, true) => Some(Some(rules::drags(level, &line))),
        Known::Unsolvable => Some(None),
        Known::Line(..) | Known::Nothing => None,
    })
}

/// Whether each tandem changes the fewest drags or whether there is a solution, proven with and without its link.
fn links_matter(level: &Level, probe: &mut Probe) -> Result<bool, Stop> {
    let tandems = level.shapes.iter().map(|s| s.tandem).max().unwrap_or(0);
    if tandems == 0 {
        return Ok(true);
    }
    let Some(linked) = fewest_drags(level, probe)? else { return Ok(false) };
    for tandem in 1..=tandems {
        let mut apart = level.clone();
        apart.shapes.iter_mut().filter(|s| s.tandem == tandem).for_each(|s| s.tandem = 0);
        if fewest_drags(&apart, probe)?.is_none_or(|apart| apart == linked) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Drops every lock without which the fewest drags, proven both times, are the same.
fn drop_idle_locks(level: &mut Level, probe: &mut Probe) -> Result<(), Stop> {
    for i in 0..level.shapes.len() {
        if level.shapes[i].lock == 0 {
            continue;
        }
        let mut without = level.clone();
        without.shapes[i].lock = 0;
        let (locked, free) = (fewest_drags(level, probe)?, fewest_drags(&without, probe)?);
        if locked.is_some_and(|drags| drags.is_some()) && locked == free {
            *level = without;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{game::Draft as _, job::Limits};

    fn make(values: &Values, seed: u64) -> Result<Made<Cats>, NotMade> {
        let values = values.checked(&Cats::params()).expect("values");
        Cats::generate(&values, seed, &mut Probe::new(Limits::default()))
    }

    #[test]
    fn the_presets_have_the_counts_of_the_table() {
        let counts = [(4, 4, 6, 8), (8, 8, 7, 9), (14, 8, 10, 12)];
        for (preset, (cats, shapes, w, h)) in Cats::presets().iter().zip(counts) {
            let level = make(&preset.values, 7).expect("a level").level;
            assert_eq!((level.cats.len(), level.shapes.len()), (cats, shapes), "{}", preset.id);
            assert_eq!(level.size(), Size::new(w, h));
            assert!(Cats::problems(&level).is_empty());
        }
    }

    #[test]
    fn what_cannot_be_met_is_refused_in_words() {
        for (name, value) in [("cats", 16), ("blocker_cats", 9), ("blockers", 400)] {
            let values = Values::default().with("colours", 8).with(name, value);
            assert!(matches!(make(&values, 1), Err(NotMade::Refused(_))), "{name}");
        }
    }

    #[test]
    fn the_hardest_of_many_is_no_easier_than_one() {
        let preset = &Cats::presets()[0].values;
        let one = make(preset, 5).expect("a level");
        let many = make(&preset.clone().with("candidates", 8), 5).expect("a level");
        assert!(many.measured["drags"] >= one.measured["drags"]);
    }

    #[test]
    fn tandems_come_linked_and_each_link_matters() {
        for (seed, tandems) in [(1, 1), (2, 2), (3, 1)] {
            let level = make(&Cats::presets()[0].values.clone().with("tandems", tandems), seed).expect("a level").level;
            let linked = level.shapes.iter().filter(|s| s.tandem > 0).count();
            assert_eq!(linked as i64, 2 * tandems);
            assert!(links_matter(&level, &mut Probe::new(Limits::default())).expect("no limit"));
        }
        assert!(matches!(make(&Values::default().with("tandems", 8), 1), Err(NotMade::Refused(_))));
    }

    #[test]
    fn a_lock_that_changes_nothing_is_dropped() {
        let values =
            Cats::presets()[0].values.clone().with("conditional", 1).with("threshold", 1).with("drop_locks", true);
        let locked = (0..20).filter(|s| make(&values, *s).expect("a level").level.shapes.iter().any(|s| s.lock > 0));
        assert!(locked.count() < 20);
    }
}
