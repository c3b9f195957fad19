//! Why a position cannot be won: what boxes can reach, doors that never open, boxes that hold each other.
//!
//! What can only help, and so may be left out of the question:
//!
//! - **A door counts as open** (its cell is plain floor).
//! - **A one-way floor or box is made plain.** Whatever was refused for its direction is allowed, nothing else changes.
//! - **A box is dropped**, but only with all doors open, since it may have held a button or wedged a door. The player walks where they pushed it.
//!   When k boxes are dropped, any k goals may stay empty.
//! - **One goal with one box.** In a won position some box stands on each goal. If no box, alone on the board and with the doors open, can be
//!   pushed onto a goal, that goal stays empty.
//!
//! **Doors that never open.** A door opens for the first time when something stands on one of its buttons. Until then it is a wall. Beginning with all
//! doors closed but those that are open at the start, a door is taken to open as soon as the player, with all boxes gone, or some box, alone on the board, can come
//! onto a button of it past the doors that open; what is left over when nothing more opens can never be opened, and is as good as a wall.

use super::{
    Level, Object, Placed, Sbokena, State, Tile,
    rules::{apply, is_open, step},
};
use crate::{
    game::{Easier, Found, Part, Reason, Reasons, list},
    grid::{Cell, Dir, Spot},
    job::{Probe, Stop},
    search::space::{Space, explore},
};
use std::{collections::BTreeSet, sync::Arc};

/// The goal `any`, by its place in [`crate::game::Solve::GOALS`].
const ANY: usize = 2;

pub(super) fn reasons() -> Reasons<Sbokena> {
    Reasons { find, parts, without, tell, keeps, unplayable: |_| None }
}

// ------------------------------------------------------------------------------------------------------------------ pushing boxes

/// What is asked for.
#[derive(Clone)]
enum Wanted {
    /// Boxes on this many goals, after a move.
    Covered(usize),
    /// Anything on one of these cells.
    On(Vec<Cell>),
}

/// Some of the boxes on a board with some of its duties.
struct Pushing {
    level: Arc<Level>,
    start: State,
    wanted: Wanted,
    /// Whether every step without a push can be taken back: then only pushes matter, and the player's place counts as the first cell they can walk to.
    walks_back: bool,
}

impl Pushing {
    fn new(level: &Arc<Level>, start: State, wanted: Wanted) -> Pushing {
        let one_way = |t: &Tile| matches!(t, Tile::OneWay(_) | Tile::Portal(..) | Tile::Door(_));
        let walks_back = !level.tiles.values().iter().any(one_way) && matches!(wanted, Wanted::Covered(_));
        Pushing { level: level.clone(), start, wanted, walks_back }
    }

    /// Player and whether a move was made, then cell and kind of each box.
    fn key(&self, state: &State) -> Vec<u32> {
        let size = self.level.size();
        let number = |c: Cell| size.index(c) as u32;
        let kind = |object: Object| match object {
            Object::OneWayBox(dir) => 1 + dir as u32,
            _ => 0,
        };
        let player = 2 * number(state.player) + u32::from(state.moved);
        std::iter::once(player).chain(state.boxes().iter().map(|b| 8 * number(b.at) + kind(b.kind))).collect()
    }

    fn state(&self, key: &[u32]) -> State {
        let size = self.level.size();
        let boxed = |word: &u32| {
            let kind = if word % 8 == 0 { Object::Box } else { Object::OneWayBox(Dir::ALL[(word % 8) as usize - 1]) };
            Placed { at: size.cell((word / 8) as usize), kind, number: 0 }
        };
        State::new(size.cell((key[0] / 2) as usize), key[0] % 2 == 1, key[1..].iter().map(boxed).collect())
    }

    /// The cells that the player can walk to without pushing, their own included.
    fn walk(&self, state: &State) -> Vec<Cell> {
        let size = self.level.size();
        let mut here = state.clone();
        let (mut cells, mut seen) = (vec![state.player], BTreeSet::from([size.index(state.player)]));
        let mut next = 0;
        while let Some(&at) = cells.get(next) {
            here.player = at;
            for dir in Dir::ALL {
                if let Ok(done) = step(&self.level, &here, dir)
                    && done.pushed.is_none()
                    && seen.insert(size.index(done.player.to))
                {
                    cells.push(done.player.to);
                }
            }
            next += 1;
        }
        cells
    }
}

impl Space for Pushing {
    fn start(&self) -> Vec<u32> {
        self.key(&self.start)
    }

    fn won(&self, at: &[u32]) -> bool {
        let state = self.state(at);
        match &self.wanted {
            Wanted::Covered(count) => {
                let on_goal = state.boxes().iter().filter(|b| self.level.tile(b.at) == Tile::Goal);
                state.moved && on_goal.count() >= *count
            }
            Wanted::On(cells) => cells.iter().any(|c| state.object_at(*c).is_some()),
        }
    }

    fn next(&self, at: &[u32], to: &mut dyn FnMut(&[u32])) {
        let mut state = self.state(at);
        let places = if self.walks_back { self.walk(&state) } else { vec![state.player] };
        if self.walks_back && places.len() > 1 && !state.moved {
            let mut next = state.clone();
            next.moved = true;
            to(&self.key(&next));
        }
        for place in places {
            state.player = place;
            for dir in Dir::ALL {
                let Ok(done) = step(&self.level, &state, dir) else { continue };
                if self.walks_back && done.pushed.is_none() {
                    continue;
                }
                let mut next = state.clone();
                apply(&mut next, &done);
                if self.walks_back {
                    next.player = self.walk(&next).into_iter().min().unwrap_or(next.player);
                }
                to(&self.key(&next));
            }
        }
    }
}

/// The position with some of its boxes only.
fn with_boxes(state: &State, keep: impl Fn(usize) -> bool) -> State {
    let boxes = state.boxes().iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, b)| *b).collect();
    State::new(state.player, state.moved, boxes)
}

/// The level with some doors open for good and some closed for good.
fn with_doors(level: &Level, open: impl Fn(u32) -> bool, shut: impl Fn(u32) -> bool) -> Level {
    let mut out = level.clone();
    for at in level.tiles_where(|t| matches!(t, Tile::Door(_))) {
        if let Tile::Door(n) = level.tile(at) {
            if shut(n) {
                out.set_tile(at, Tile::Wall);
            } else if open(n) {
                out.set_tile(at, Tile::Floor);
            }
        }
    }
    out
}

// ------------------------------------------------------------------------------------------------------- what boxes and doors allow

/// The numbers of the doors that can never be opened.
fn shut_doors(level: &Level, state: &State, probe: &mut Probe) -> Result<BTreeSet<u32>, Stop> {
    let doors = level.tiles_where(|t| matches!(t, Tile::Door(_)));
    let number = |at: &Cell| if let Tile::Door(n) = level.tile(*at) { n } else { 0 };
    let closed = doors.iter().filter(|at| !is_open(level, state, number(at), **at)).map(number);
    let mut shut: BTreeSet<u32> = closed.collect();
    while !shut.is_empty() {
        let mut held = BTreeSet::new();
        let mut see = |at: Cell| {
            if let Tile::Button(n) = level.tile(at) {
                held.insert(n);
            }
        };
        let seen = Arc::new(with_doors(level, |_| true, |n| shut.contains(&n)));
        // Each box alone; the player's own ways are those with no box at all.
        for kept in (0..state.boxes().len()).map(Some).chain([None]) {
            let space = Pushing::new(&seen, with_boxes(state, |i| Some(i) == kept), Wanted::On(Vec::new()));
            explore(&space, probe, &mut |at| {
                let here = space.state(at);
                see(here.player);
                here.boxes().iter().for_each(|b| see(b.at));
                false
            })?;
        }
        let before = shut.len();
        shut.retain(|n| !held.contains(n));
        if shut.len() == before {
            break;
        }
    }
    Ok(shut)
}

/// For each box the cells it can come to when it is alone on the board.
fn reaches(level: &Arc<Level>, state: &State, probe: &mut Probe) -> Result<Vec<BTreeSet<Cell>>, Stop> {
    let mut all = Vec::new();
    for kept in 0..state.boxes().len() {
        let space = Pushing::new(level, with_boxes(state, |i| i == kept), Wanted::Covered(1));
        let mut cells = BTreeSet::new();
        explore(&space, probe, &mut |at| {
            cells.extend(space.state(at).boxes().iter().map(|b| b.at));
            false
        })?;
        all.push(cells);
    }
    Ok(all)
}

/// The least set of goals that can be reached by too few boxes, the goals in the order of their boxes: goals as numbers.
///
/// Alternating paths from a goal that no box is left for lead to goals whose boxes are all taken: those goals together have one box too few.
fn too_few_boxes(goals: &[Cell], reach: &[BTreeSet<Cell>]) -> Option<Vec<usize>> {
    let boxes_of = |g: usize| (0..reach.len()).filter(move |b| reach[*b].contains(&goals[g]));
    let mut goal_of: Vec<Option<usize>> = vec![None; reach.len()];
    let mut best: Option<Vec<usize>> = None;
    for first in 0..goals.len() {
        // Breadth first from this goal to a free box.
        let mut came_from: Vec<Option<usize>> = vec![None; reach.len()];
        let mut tree = vec![first];
        let mut at = 0;
        let mut free = None;
        while let Some(&g) = tree.get(at) {
            at += 1;
            for b in boxes_of(g) {
                if came_from[b].is_none() {
                    came_from[b] = Some(g);
                    match goal_of[b] {
                        Some(other) => tree.push(other),
                        None => free = free.or(Some(b)),
                    }
                }
            }
        }
        match free {
            Some(mut b) => {
                // Along the path every goal takes the box it came to; the first goal had none.
                while let Some(g) = came_from[b] {
                    let before = goal_of.iter().position(|taken| *taken == Some(g));
                    goal_of[b] = Some(g);
                    match before {
                        Some(old) if g != first => b = old,
                        _ => break,
                    }
                }
            }
            None if best.as_ref().is_none_or(|b| tree.len() < b.len()) => {
                tree.sort_unstable();
                best = Some(tree);
            }
            None => {}
        }
    }
    best
}

/// "The boxes at c3 and d4" and the like.
fn at_cells(cells: &[Cell]) -> String {
    list(&cells.iter().map(|c| c.name()).collect::<Vec<_>>())
}

fn find(level: &Level, state: &State, _: usize, probe: &mut Probe) -> Result<Option<Found<Sbokena>>, Stop> {
    let open = Arc::new(with_doors(level, |_| true, |_| false));
    let (walkable, start) = made_plain(&open, &with_boxes(state, |_| false));
    if Dir::ALL.into_iter().all(|dir| step(&walkable, &start, dir).is_err()) {
        let keeps = "no boxes, all doors open, everything one-way made plain";
        let rests_on = vec![Easier::Space(Box::new(Pushing::new(&walkable, start, Wanted::Covered(0))))];
        return Ok(Some(Found::new(Reason::new("stuck", "The player cannot move.", [state.player], keeps), rests_on)));
    }
    let reach = reaches(&open, state, probe)?;
    if let Some(mut found) = unreachable(&open, state, &reach, "alone on the board, all doors open", "") {
        let (plain, start) = made_plain(&open, state);
        let one_way = *plain != *open || start != *state;
        if one_way && unreachable(&plain, &start, &reaches(&plain, &start, probe)?, "", "").is_none() {
            let text = found.reason.text.trim_end_matches('.').to_string();
            let cells = level.tiles_where(|t| matches!(t, Tile::OneWay(_)));
            let boxes = state.boxes().iter().filter(|b| b.kind != Object::Box).map(|b| b.at);
            let places = found.reason.spots.into_iter().chain(cells.into_iter().chain(boxes).map(Spot::from));
            let text = format!("{text}: one-way floors or boxes are in the way.");
            found.reason = Reason::new("one-way", text, places, found.reason.keeps);
        }
        return Ok(Some(found));
    }
    let shut = shut_doors(level, state, probe)?;
    if shut.is_empty() {
        return Ok(None);
    }
    let walled = Arc::new(with_doors(level, |_| true, |n| shut.contains(&n)));
    let reach = reaches(&walled, state, probe)?;
    let doors = level.tiles_where(|t| matches!(t, Tile::Door(n) if shut.contains(&n)));
    let buttons = level.tiles_where(|t| matches!(t, Tile::Button(n) if shut.contains(&n)));
    let keeps = "alone on the board, all other doors open";
    let without = if doors.len() == 1 { " without it" } else { " without them" };
    let Some(found) = unreachable(&walled, state, &reach, keeps, without) else { return Ok(None) };
    let alone = |kept: Option<usize>| {
        let wanted = Wanted::On(buttons.clone());
        Easier::Space(Box::new(Pushing::new(&walled, with_boxes(state, |i| Some(i) == kept), wanted)))
    };
    let mut rests_on: Vec<Easier<Sbokena>> = (0..state.boxes().len()).map(Some).chain([None]).map(alone).collect();
    rests_on.extend(found.rests_on);
    let why = match doors.as_slice() {
        [door] => {
            // With this door open the player can come onto its button: it is behind the door.
            let through = Pushing::new(&open, with_boxes(state, |_| false), Wanted::On(buttons.clone()));
            let behind = explore(&through, probe, &mut |at| through.won(at))?;
            let how = if behind { "opens only from behind itself" } else { "can never be opened" };
            format!("The door at {} {how}", door.name())
        }
        many => format!("The doors at {} can never be opened", at_cells(many)),
    };
    let mut letters = found.reason.text.chars();
    let small = letters.next().map(|l| l.to_ascii_lowercase());
    let text = format!("{why}, and {}", small.into_iter().chain(letters).collect::<String>());
    let places = found.reason.spots.into_iter().chain(doors.into_iter().chain(buttons).map(Spot::from));
    Ok(Some(Found::new(Reason::new("door", text, places, found.reason.keeps), rests_on)))
}

/// The level and the position with nothing one-way in them.
fn made_plain(level: &Arc<Level>, state: &State) -> (Arc<Level>, State) {
    let mut plain = Level::clone(level);
    level.tiles_where(|t| matches!(t, Tile::OneWay(_))).into_iter().for_each(|at| plain.set_tile(at, Tile::Floor));
    let boxes = state.boxes().iter().map(|b| Placed { kind: Object::Box, ..*b }).collect();
    (Arc::new(plain), State::new(state.player, state.moved, boxes))
}

/// A goal that no box can reach, boxes that can reach no goal, or goals that too few boxes can reach; each box as `keeps` says.
fn unreachable(
    level: &Arc<Level>,
    state: &State,
    reach: &[BTreeSet<Cell>],
    keeps: &str,
    without: &str,
) -> Option<Found<Sbokena>> {
    let all = level.goals();
    let few = too_few_boxes(&all, reach)?.into_iter().map(|g| all[g]);
    let out_of_reach: Vec<Cell> = all.iter().copied().filter(|g| !reach.iter().any(|r| r.contains(g))).collect();
    let few: Vec<Cell> = if out_of_reach.is_empty() { few.collect() } else { out_of_reach.clone() };
    let dead: Vec<usize> = (0..reach.len()).filter(|b| !all.iter().any(|g| reach[*b].contains(g))).collect();
    let left = reach.len() - dead.len();
    // Boxes are the reason if without them too few are left; but a goal that no box can reach says more, unless no box moves at all.
    let moves = reach.iter().any(|r| r.len() > 1);
    if !dead.is_empty() && left < all.len() && (out_of_reach.is_empty() || !moves) {
        let at: Vec<Cell> = dead.iter().map(|b| state.boxes()[*b].at).collect();
        let whom = if at.len() == 1 { "The box at" } else { "The boxes at" };
        let rest = match (left, reach.len() == all.len()) {
            (_, true) => String::new(),
            (1, _) => format!(", and one box is left for {} goals", all.len()),
            (n, _) => format!(", and {n} boxes are left for {} goals", all.len()),
        };
        let text = format!("{whom} {} can reach no goal{without}{rest}.", at_cells(&at));
        let rests_on = dead.iter().map(|b| alone_for(level, state, *b, &all)).collect();
        return Some(Found::new(Reason::new("box", text, at, format!("each of these boxes {keeps}")), rests_on));
    }
    let able: Vec<usize> = (0..reach.len()).filter(|b| few.iter().any(|g| reach[*b].contains(g))).collect();
    let (kind, text) = match (few.as_slice(), able.len()) {
        ([goal], _) => ("goal", format!("No box can reach the goal at {}{without}.", goal.name())),
        (many, 0) => ("goal", format!("No box can reach the goals at {}{without}.", at_cells(many))),
        (many, 1) => ("too-few", format!("Only one box can reach the goals at {}{without}.", at_cells(many))),
        (many, n) => {
            ("too-few", format!("Only {n} boxes can reach the {} goals at {}{without}.", many.len(), at_cells(many)))
        }
    };
    let rests_on = (0..reach.len()).filter(|b| !able.contains(b)).map(|b| alone_for(level, state, b, &few)).collect();
    let places: Vec<Cell> = few.iter().copied().chain(able.iter().map(|b| state.boxes()[*b].at)).collect();
    let keeps = format!("each box {keeps}, for {}", if few.len() == 1 { "this goal" } else { "these goals" });
    Some(Found::new(Reason::new(kind, text, places, keeps), rests_on))
}

/// One box alone on the board, to be brought to one of some goals.
fn alone_for(level: &Level, state: &State, kept: usize, goals: &[Cell]) -> Easier<Sbokena> {
    let mut one = level.clone();
    level.goals().into_iter().filter(|g| !goals.contains(g)).for_each(|g| one.set_tile(g, Tile::Floor));
    let start = with_boxes(state, |i| i == kept);
    Easier::Space(Box::new(Pushing::new(&Arc::new(one), start, Wanted::Covered(1))))
}

// ------------------------------------------------------------------------------------------------------------------------- parts

/// What a part stands for.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Door(u32),
    /// A one-way floor.
    Floor(Cell),
    /// The direction of a one-way box, by its place among the boxes.
    Turn(usize),
    /// A box.
    Box(usize),
}

fn kinds(level: &Level, state: &State) -> Vec<Kind> {
    let doors: BTreeSet<u32> =
        level.tiles.values().iter().filter_map(|t| if let Tile::Door(n) = t { Some(*n) } else { None }).collect();
    let floors = level.tiles_where(|t| matches!(t, Tile::OneWay(_)));
    let boxes = state.boxes().iter().enumerate();
    let one_way = boxes.clone().filter(|(_, b)| b.kind != Object::Box).map(|(i, _)| Kind::Turn(i));
    let doors = doors.into_iter().map(Kind::Door);
    doors.chain(floors.into_iter().map(Kind::Floor)).chain(one_way).chain(boxes.map(|(i, _)| Kind::Box(i))).collect()
}

fn cells_of(level: &Level, state: &State, kind: Kind) -> Vec<Cell> {
    match kind {
        Kind::Door(n) => level.tiles_where(|t| matches!(t, Tile::Door(m) | Tile::Button(m) if m == n)),
        Kind::Floor(at) => vec![at],
        Kind::Turn(i) | Kind::Box(i) => vec![state.boxes()[i].at],
    }
}

fn parts(level: &Level, state: &State) -> Vec<Part> {
    let group = |kind: Kind| match kind {
        Kind::Door(_) => 0,
        Kind::Floor(_) | Kind::Turn(_) => 1,
        Kind::Box(_) => 2,
    };
    let part = |kind: Kind| Part {
        group: group(kind),
        spots: cells_of(level, state, kind).into_iter().map(Spot::from).collect(),
    };
    kinds(level, state).into_iter().map(part).collect()
}

/// The kinds that were left out, and those that were kept.
fn split(level: &Level, state: &State, left_out: &[bool]) -> (Vec<Kind>, Vec<Kind>) {
    let all = kinds(level, state).into_iter().zip(left_out);
    let (out, kept): (Vec<_>, Vec<_>) = all.partition(|(_, out)| **out);
    let only = |of: Vec<(Kind, &bool)>| of.into_iter().map(|(kind, _)| kind).collect();
    (only(out), only(kept))
}

fn without(level: &Level, state: &State, left_out: &[bool]) -> Option<Easier<Sbokena>> {
    let (out, kept) = split(level, state, left_out);
    let dropped = out.iter().filter(|k| matches!(k, Kind::Box(_))).count();
    if dropped > 0 && kept.iter().any(|k| matches!(k, Kind::Door(_))) {
        return None;
    }
    let mut eased = with_doors(level, |n| out.contains(&Kind::Door(n)), |_| false);
    for kind in &out {
        if let Kind::Floor(at) = kind {
            eased.set_tile(*at, Tile::Floor);
        }
    }
    let plain =
        |i: usize, b: &Placed| if out.contains(&Kind::Turn(i)) { Placed { kind: Object::Box, ..*b } } else { *b };
    let boxes = state.boxes().iter().enumerate().filter(|(i, _)| !out.contains(&Kind::Box(*i)));
    let start = State::new(state.player, state.moved, boxes.map(|(i, b)| plain(i, b)).collect());
    if dropped == 0 {
        return Some(Easier::Level(Box::new(eased), start, ANY));
    }
    let need = level.goals().len().saturating_sub(dropped);
    Some(Easier::Space(Box::new(Pushing::new(&Arc::new(eased), start, Wanted::Covered(need)))))
}

/// Whether no box can be pushed however the player walks.
fn none_moves(level: &Level, mut at: State) -> bool {
    let here = Pushing::new(&Arc::new(level.clone()), at.clone(), Wanted::Covered(0));
    here.walk(&at).into_iter().all(|player| {
        at.player = player;
        Dir::ALL.into_iter().all(|dir| step(level, &at, dir).map_or(true, |s| s.pushed.is_none()))
    })
}

fn keeps(level: &Level, state: &State, left_out: &[bool]) -> String {
    let (out, kept) = split(level, state, left_out);
    let boxes: Vec<Cell> =
        kept.iter().filter(|k| matches!(k, Kind::Box(_))).flat_map(|k| cells_of(level, state, *k)).collect();
    let dropped = state.boxes().len() - boxes.len();
    let mut words = match (boxes.len(), dropped) {
        (_, 0) => vec!["all boxes".to_string()],
        (0, _) => vec!["no boxes".to_string()],
        (1, _) => vec![format!("the box at {} alone", at_cells(&boxes))],
        _ => vec![format!("the boxes at {}", at_cells(&boxes))],
    };
    if out.iter().any(|k| matches!(k, Kind::Door(_))) {
        let all = !kept.iter().any(|k| matches!(k, Kind::Door(_)));
        words.push(if all { "all doors open" } else { "the other doors open" }.into());
    }
    if out.iter().any(|k| matches!(k, Kind::Floor(_) | Kind::Turn(_))) {
        let all = !kept.iter().any(|k| matches!(k, Kind::Floor(_) | Kind::Turn(_)));
        words.push(
            if all { "everything one-way made plain" } else { "other one-way floors and boxes made plain" }.into(),
        );
    }
    match dropped {
        0 => {}
        1 => words.push("one goal may stay empty".into()),
        n => words.push(format!("{} goals may stay empty", n.min(level.goals().len()))),
    }
    words.join(", ")
}

fn tell(level: &Level, state: &State, left_out: &[bool]) -> Option<Reason> {
    let (_, kept) = split(level, state, left_out);
    let of = |test: fn(&Kind) -> bool| -> Vec<Cell> {
        kept.iter().filter(|k| test(k)).flat_map(|k| cells_of(level, state, *k)).collect()
    };
    let doors: Vec<u32> = kept.iter().filter_map(|k| if let Kind::Door(n) = k { Some(*n) } else { None }).collect();
    let one_way = of(|k| matches!(k, Kind::Floor(_) | Kind::Turn(_)));
    let boxes = of(|k| matches!(k, Kind::Box(_)));
    let keeps = keeps(level, state, left_out);
    if !doors.is_empty() {
        let at = level.tiles_where(|t| matches!(t, Tile::Door(n) if doors.contains(&n)));
        let text = match at.as_slice() {
            [door] => {
                format!("The door at {} is in the way: with it open for good the level could be solved.", door.name())
            }
            many => format!(
                "The doors at {} are in the way: with any of them open for good the level could be solved.",
                at_cells(many)
            ),
        };
        return Some(Reason::new("door", text, of(|k| matches!(k, Kind::Door(_))), keeps));
    }
    let spots: Vec<Cell> = one_way.iter().chain(&boxes).copied().collect();
    let text = match (one_way.as_slice(), boxes.as_slice()) {
        ([], []) => return Some(Reason::new("stuck", "The player cannot move.", [state.player], keeps)),
        ([], [one]) => format!("The box at {} can reach no goal.", one.name()),
        ([], two @ [_, _]) => {
            let pair = with_boxes(state, |i| two.contains(&state.boxes()[i].at));
            let open = with_doors(level, |_| true, |_| false);
            if none_moves(&open, pair) {
                format!("The boxes at {} hold each other.", at_cells(two))
            } else if state.boxes().len() == 2 {
                return None;
            } else {
                format!("The boxes at {} cannot both be brought to goals.", at_cells(two))
            }
        }
        ([], some @ [_, _, _]) if state.boxes().len() > 3 => {
            format!("The boxes at {} cannot all be brought to goals.", at_cells(some))
        }
        ([], _) => return None,
        (some, boxes) => {
            let cells =
                format!("With the one-way {} at {}", if some.len() == 1 { "cell" } else { "cells" }, at_cells(some));
            let text = match boxes {
                [] => format!("{cells} the player cannot move."),
                [b] if state.boxes().len() > 1 => format!("{cells} the box at {} can reach no goal.", b.name()),
                _ if boxes.len() == state.boxes().len() => {
                    let plain = if some.len() == 1 { "with it plain" } else { "with any of them plain" };
                    format!("{cells} the level cannot be solved; {plain} it could be.")
                }
                many => format!("{cells} the boxes at {} cannot all be brought to goals.", at_cells(many)),
            };
            return Some(Reason::new("one-way", text, spots, keeps));
        }
    };
    let kind = if boxes.len() == 1 { "box" } else { "boxes" };
    Some(Reason::new(kind, text, spots, keeps))
}
