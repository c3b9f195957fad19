//! Generating: random rooms, solved positions, and from there backwards to the hardest start.
//!
//! For each room [`backward`] knows the distance of every position (up to a limit) from a win. The same is worked out for the room with each
//! special element taken away. A position is a candidate if every element matters in it: without the element it is unsolvable, or its
//! minimum of pushes is another. The hardest candidate of several rooms is kept, or the one nearest to the pushes asked for; the solver
//! then proves its minimum, and once more that each element matters.
//!
//! All limits are counts, so a seed gives the same level everywhere.

pub(super) mod backward;
mod room;

use self::{
    backward::{Backward, Board, LARGE, Packed},
    room::{Wish, room},
};
use super::{
    Sbokena,
    level::{Level, Object, Tile},
    solver::map::{KINDS, Map},
};
use crate::{
    game::{Generate, Made, NotMade, Outcome, Param, Preset, Rules as _, Solve as _, Values, rng},
    grid::{Cell, Dir, Size},
    job::{Probe, Stop},
};
use rand::{RngExt as _, rngs::ChaCha8Rng, seq::IndexedRandom as _};
use std::collections::{BTreeMap, BTreeSet};

/// Positions looked at in one room.
const MOST_POSITIONS: usize = 12_000;
/// Rooms thrown away before the wish is given up.
const MOST_ROOMS: usize = 3_000;
/// Nodes for each proof.
const PROOF_NODES: u64 = 60_000;
/// Candidates of one room that are tried against the room without its elements.
const MOST_CANDIDATES: usize = 2_500;
/// Candidates of one room that the solver is asked to prove.
const MOST_PROOFS: usize = 4;

impl Generate for Sbokena {
    const VERSION: u32 = 1;

    fn params() -> Vec<Param> {
        vec![
            Param::number("width", "Width", "Columns, walls included.", (5, 20), 8),
            Param::number("height", "Height", "Rows, walls included.", (5, 20), 7),
            Param::number("boxes", "Boxes", "Boxes and goals.", (1, 8), 2),
            Param::number("walls", "Walls", "Share of the floor that becomes wall, in percent.", (0, 60), 15),
            Param::number("doors", "Doors", "Doors with their buttons.", (0, 3), 0),
            Param::number("portals", "Portals", "Pairs of portals.", (0, 3), 0),
            Param::number("one_way", "One-way floors", "Cells entered and left in one direction.", (0, 5), 0),
            Param::number("one_way_boxes", "One-way boxes", "How many of the boxes move only one way.", (0, 4), 0),
            Param::number("pushes", "Pushes", "The fewest pushes to aim for; 0: as many as possible.", (0, 200), 0),
            Param::number("rooms", "Rooms", "How many good rooms are compared; more is harder and slower.", (1, 40), 3),
        ]
    }

    fn presets() -> Vec<Preset> {
        let preset = |id, name, values: &[(&str, i64)]| Preset {
            id,
            name,
            values: values.iter().fold(Values::default(), |v, (n, x)| v.with(n, *x)),
        };
        vec![
            preset("plain", "Plain", &[("boxes", 3)]),
            preset("doors", "Doors", &[("boxes", 3), ("doors", 1), ("walls", 8)]),
            preset("portals", "Portals", &[("boxes", 3), ("portals", 1), ("walls", 8)]),
            preset("one-way", "One-way", &[("boxes", 3), ("one_way", 2), ("one_way_boxes", 1), ("walls", 12)]),
            preset(
                "mixed",
                "Mixed",
                &[
                    ("width", 10),
                    ("height", 8),
                    ("boxes", 3),
                    ("walls", 8),
                    ("doors", 1),
                    ("portals", 1),
                    ("one_way", 1),
                    ("one_way_boxes", 1),
                    ("rooms", 1),
                ],
            ),
        ]
    }

    fn about_values(values: &Values) -> Option<String> {
        refusal(values).or_else(|| {
            let n = |name| values.number(name).unwrap_or(0);
            let cells = (n("width") - 2) * (n("height") - 2);
            (n("boxes") > 4 && cells > 60).then(|| {
                "too many boxes for this much floor to search every position: hard, but perhaps not the hardest".into()
            })
        })
    }

    fn generate(values: &Values, seed: u64, probe: &mut Probe) -> Result<Made<Sbokena>, NotMade> {
        if let Some(text) = refusal(values) {
            return Err(NotMade::Refused(text));
        }
        let n = |name: &str| values.number(name).unwrap_or(0).max(0) as usize;
        let wish = Wish {
            size: Size::new(n("width") as u16, n("height") as u16),
            boxes: n("boxes"),
            walls: n("walls") as f64 / 100.0,
            doors: n("doors"),
            portals: n("portals"),
            one_way: n("one_way"),
        };
        let target = Some(n("pushes") as u32).filter(|t| *t > 0);
        let mut rng = rng(seed);
        let mut best: Option<Found> = None;
        let mut good = 0;
        for tried in 0..MOST_ROOMS {
            probe.progress.fraction = Some(good as f32 / n("rooms") as f32);
            probe.check()?;
            let Some(found) = in_room(wish, n("one_way_boxes"), target, &mut rng, probe)? else { continue };
            good += 1;
            if best.as_ref().is_none_or(|b| found.score(target) > b.score(target)) {
                best = Some(found);
            }
            // Where good rooms are rare the wish is met by fewer of them.
            if good >= n("rooms") || tried > MOST_ROOMS / 8 {
                break;
            }
        }
        let found = best.ok_or_else(|| {
            NotMade::Refused(format!(
                "no room in {MOST_ROOMS} made every element matter: try fewer elements, more floor or fewer walls"
            ))
        })?;
        let (moves, _) = super::rules::counts(&found.level, &found.start(), &found.line);
        let measured = BTreeMap::from([
            ("cost".to_string(), f64::from(found.pushes)),
            ("optimal".to_string(), 1.0),
            ("pushes".to_string(), f64::from(found.pushes)),
            ("moves".to_string(), f64::from(moves)),
            ("nodes".to_string(), found.nodes as f64),
        ]);
        Ok(Made { level: found.level, line: found.line, measured })
    }
}

/// Why these values cannot be met, if that can be seen beforehand.
fn refusal(values: &Values) -> Option<String> {
    let n = |name: &str| values.number(name).unwrap_or(0);
    let cells = (n("width") - 2) * (n("height") - 2);
    let wanted = n("boxes") * 2 + n("doors") * 2 + n("one_way") + 4;
    if n("one_way_boxes") > n("boxes") {
        return Some(format!("{} one-way boxes are more than {} boxes", n("one_way_boxes"), n("boxes")));
    }
    if (n("doors") + n("portals") > 0) && n("width") < 6 && n("height") < 6 {
        return Some("a room with doors or portals needs six columns or rows".into());
    }
    (wanted > cells).then(|| format!("{wanted} cells of floor are needed, and there are at most {cells}"))
}

struct Found {
    level: Level,
    line: Vec<Dir>,
    pushes: u32,
    nodes: u64,
}

impl Found {
    fn start(&self) -> super::State {
        // A level that was solved has a start.
        Sbokena::arrange(&self.level).unwrap_or_else(|| super::State::new(Cell::default(), false, Vec::new()))
    }

    fn score(&self, target: Option<u32>) -> i64 {
        score(self.pushes, target)
    }
}

fn score(pushes: u32, target: Option<u32>) -> i64 {
    target.map_or(i64::from(pushes), |t| -i64::from(pushes.abs_diff(t)))
}

/// The best start in one random room, proven.
fn in_room(
    wish: Wish,
    one_way_boxes: usize,
    target: Option<u32>,
    rng: &mut ChaCha8Rng,
    probe: &mut Probe,
) -> Result<Option<Found>, Stop> {
    let Some(bare) = room(wish, rng) else { return Ok(None) };
    let mut kinds: Vec<u8> = vec![0; wish.boxes];
    for kind in kinds.iter_mut().take(one_way_boxes) {
        *kind = rng.random_range(1..KINDS as u8);
    }
    kinds.sort_unstable();
    let map = Map::new(&bare);
    match map.len() {
        0..=64 => best_start::<1>(&bare, &map, &kinds, target, rng, probe),
        _ => best_start::<LARGE>(&bare, &map, &kinds, target, rng, probe),
    }
}

/// The best start for boxes of these kinds (sorted), its cells in sets of `W` words.
fn best_start<const W: usize>(
    bare: &Level,
    map: &Map,
    kinds: &[u8],
    target: Option<u32>,
    rng: &mut ChaCha8Rng,
    probe: &mut Probe,
) -> Result<Option<Found>, Stop> {
    let table = Backward::explore::<W>(map, kinds, MOST_POSITIONS, probe)?;
    // Hardest (or nearest to the target) first; ties in the order of the positions themselves, which no hash table knows.
    let mut candidates: Vec<(Packed, u16)> = table.iter().filter(|(_, d)| *d > 1).collect();
    candidates.sort_unstable_by_key(|(s, d)| (std::cmp::Reverse(score(u32::from(*d), target)), *s));
    let deepest = candidates.first().map_or(0, |c| c.1);
    if target.is_none() {
        candidates.retain(|c| c.1 * 3 >= deepest);
    }
    if candidates.len() > MOST_CANDIDATES {
        // Neighbouring positions differ by little: an even sample of them will do.
        let step = candidates.len().div_ceil(MOST_CANDIDATES);
        candidates = candidates.into_iter().step_by(step).collect();
    }
    // The room without one of its elements, one after the other; those that rarely matter first, since a room fails at the first
    // element that matters nowhere.
    let mut rooms: Vec<(Level, Vec<u8>)> = Vec::new();
    for kind in kinds.iter().copied().filter(|k| *k > 0).collect::<BTreeSet<u8>>() {
        let mut plain = kinds.to_vec();
        if let Some(i) = plain.iter().position(|k| *k == kind) {
            plain.remove(i);
            plain.insert(0, 0);
        }
        rooms.push((bare.clone(), plain));
    }
    rooms.extend(elements(bare).into_iter().rev().map(|e| (without(bare, e), kinds.to_vec())));
    rooms.sort_by_key(|(level, _)| level.tiles_where(|t| matches!(t, Tile::OneWay(_))).len());
    for (level, other_kinds) in &rooms {
        if candidates.is_empty() {
            return Ok(None);
        }
        let map = Map::new(level);
        let other = Backward::explore::<W>(&map, other_kinds, MOST_POSITIONS, probe)?;
        let mut board = Board::<W>::new(&map, other_kinds);
        candidates.retain(|(state, distance)| {
            let (boxes, player) = state.parts(kinds.len());
            one_plain(kinds, other_kinds, &boxes[..kinds.len()]).into_iter().all(|boxes| {
                match other.get(board.name(&boxes, player)) {
                    Some(d) => d != *distance,
                    None => other.complete_below > *distance,
                }
            })
        });
    }
    for (state, _) in candidates.into_iter().take(MOST_PROOFS) {
        probe.tick()?;
        if let Some(found) = proven::<W>(bare, map, kinds, state, rng, probe)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The boxes of a position in the order of other kinds: the same, or for each box of the kind that lost one, that box as a plain one.
fn one_plain(kinds: &[u8], other: &[u8], boxes: &[u16]) -> Vec<Vec<u16>> {
    if kinds == other {
        return vec![boxes.to_vec()];
    }
    let count = |list: &[u8], k: u8| list.iter().filter(|x| **x == k).count();
    let lost = (1..KINDS as u8).find(|k| count(kinds, *k) > count(other, *k));
    let slots = (0..kinds.len()).filter(|i| Some(kinds[*i]) == lost);
    slots
        .map(|i| {
            let mut boxes = boxes.to_vec();
            let b = boxes.remove(i);
            boxes.insert(0, b);
            boxes
        })
        .collect()
}

/// A special element of a room.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Element {
    /// A door with all its buttons.
    Door(u32),
    /// A pair of portals.
    Portals(u32),
    /// One cell of one-way floor.
    OneWay(Cell),
    /// One one-way box.
    OneWayBox(Cell),
}

/// The special elements of a level.
pub fn elements(level: &Level) -> Vec<Element> {
    let mut doors = BTreeSet::new();
    let mut pairs = BTreeSet::new();
    let mut all = Vec::new();
    for (c, tile) in level.tiles.iter() {
        match *tile {
            Tile::Door(n) | Tile::Button(n) if doors.insert(n) => all.push(Element::Door(n)),
            Tile::Portal(n, _) if pairs.insert(n) => all.push(Element::Portals(n)),
            Tile::OneWay(_) => all.push(Element::OneWay(c)),
            _ => (),
        }
    }
    all.extend(level.objects_where(|o| matches!(o, Object::OneWayBox(_))).into_iter().map(Element::OneWayBox));
    all
}

/// The level with an element taken away: one-way floor and one-way box become plain, portals become wall, a door and its buttons floor.
pub fn without(level: &Level, element: Element) -> Level {
    let mut level = level.clone();
    for c in level.size().cells() {
        match (level.tile(c), element) {
            (Tile::Door(n) | Tile::Button(n), Element::Door(gone)) if n == gone => level.set_tile(c, Tile::Floor),
            (Tile::Portal(n, _), Element::Portals(gone)) if n == gone => level.set_tile(c, Tile::Wall),
            (Tile::OneWay(_), Element::OneWay(gone)) if c == gone => level.set_tile(c, Tile::Floor),
            (_, Element::OneWayBox(gone)) if c == gone => level.set_object(c, Some(Object::Box)),
            _ => (),
        }
    }
    level
}

/// The level of a position, if the solver proves its minimum and that every element matters.
fn proven<const W: usize>(
    bare: &Level,
    map: &Map,
    kinds: &[u8],
    state: Packed,
    rng: &mut ChaCha8Rng,
    probe: &mut Probe,
) -> Result<Option<Found>, Stop> {
    let mut level = bare.clone();
    let (boxes, player) = state.parts(kinds.len());
    for (kind, at) in kinds.iter().zip(boxes) {
        let object = if *kind == 0 { Object::Box } else { Object::OneWayBox(Dir::ALL[*kind as usize - 1]) };
        level.set_object(map.cells[at as usize], Some(object));
    }
    let part = Board::<W>::new(map, kinds).same_part(state);
    let player = part.choose(rng).copied().unwrap_or(player);
    level.set_object(map.cells[player as usize], Some(Object::Player));
    let Some((Some((pushes, line)), nodes)) = least_pushes(&level, probe)? else { return Ok(None) };
    for element in elements(&level) {
        match least_pushes(&without(&level, element), probe)? {
            Some((other, _)) if other.as_ref().map(|o| o.0) != Some(pushes) => (),
            _ => return Ok(None),
        }
    }
    Ok(Some(Found { level, line, pushes, nodes }))
}

/// The proven minimum of pushes with its line (none if the level is unsolvable) and the nodes it took; nothing if the proof is too long.
#[allow(clippy::type_complexity)]
fn least_pushes(level: &Level, probe: &mut Probe) -> Result<Option<(Option<(u32, Vec<Dir>)>, u64)>, Stop> {
    let Some(start) = Sbokena::arrange(level) else { return Ok(None) };
    let mut part = probe.part(PROOF_NODES);
    let outcome = Sbokena::solve(level, &start, 0, &mut part, &mut |_| ());
    probe.absorb(&part);
    let nodes = part.progress.nodes;
    match outcome {
        Outcome::Solved { line, optimal: true, bound, .. } => Ok(Some((Some((bound, line)), nodes))),
        Outcome::Unsolvable => Ok(Some((None, nodes))),
        Outcome::Solved { stopped: Some(stop), .. } | Outcome::Stopped { by: stop, .. } if stop != Stop::Nodes => {
            Err(stop)
        }
        _ => Ok(None),
    }
}
