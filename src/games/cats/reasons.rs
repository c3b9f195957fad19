//! Why a position cannot be won: cats that no shape can get to, locks, shapes in the way.
//!
//! What can only help, and so may be left out of the question:
//!
//! - **A lock is lifted.**
//! - **A cat goes**, with all locks lifted (they count cats that are gone) and while its colour keeps at least one cat: with `finished_shapes: leave` its shapes
//!   then leave no later than before, and shapes that have left are in nobody's way.
//! - **A colour goes**, its shapes and its last cats together, with all locks lifted. A shape that goes with its colour leaves the others of its tandem linked.
//! - **A colour without cats goes**: its shapes are only ever in the way.
//!
//! What goes might have made the first step, after which cats that are covered from the start are taken; so where something goes, they are taken at once.
//!
//! The parts are the locks, the colours without cats, and the cats; a colour goes with the last of its cats.

use super::{
    Cats,
    level::{Colour, Level, Shape},
    rules::{State, is_gone, waits_for},
};
use crate::{
    game::{Easier, Found, Part, Reason, Reasons, capital, list},
    grid::{Cell, Spot},
    job::{Probe, Stop},
};

pub(super) fn reasons() -> Reasons<Cats> {
    Reasons { find, parts, without, tell, keeps, unplayable: |_| None }
}

/// What a part stands for.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// The lock of a shape.
    Lock(usize),
    /// The shapes of a colour without cats.
    Shapes(Colour),
    /// A cat.
    Cat(usize),
}

fn living(level: &Level, state: &State) -> Vec<usize> {
    (0..level.cats.len()).filter(|k| !is_gone(state, *k)).collect()
}

/// The shapes of a colour that are on the board.
fn shapes_of(level: &Level, state: &State, colour: Colour) -> Vec<usize> {
    let here = |i: &usize| level.shapes[*i].colour == colour && state.shift.get(*i).copied().flatten().is_some();
    (0..level.shapes.len()).filter(here).collect()
}

fn kinds(level: &Level, state: &State) -> Vec<Kind> {
    let cats = living(level, state);
    // The lock of a shape itself, not that of another in its tandem.
    let gone = state.gone.count_ones();
    let locked = |i: &usize| level.shapes[*i].lock > gone && state.shift.get(*i).copied().flatten().is_some();
    let locks = (0..level.shapes.len()).filter(locked).map(Kind::Lock);
    let idle =
        |c: &Colour| !cats.iter().any(|k| level.cats[*k].colour == *c) && !shapes_of(level, state, *c).is_empty();
    let idle = Colour::ALL.into_iter().filter(idle).map(Kind::Shapes);
    locks.chain(idle).chain(cats.iter().map(|k| Kind::Cat(*k))).collect()
}

fn cells_of(level: &Level, state: &State, kind: Kind) -> Vec<Cell> {
    match kind {
        Kind::Lock(i) => super::rules::cells(level, state, i).collect(),
        Kind::Shapes(c) => {
            shapes_of(level, state, c).into_iter().flat_map(|i| super::rules::cells(level, state, i)).collect()
        }
        Kind::Cat(k) => vec![level.cats[k].at],
    }
}

fn parts(level: &Level, state: &State) -> Vec<Part> {
    let group = |kind: Kind| match kind {
        Kind::Lock(_) => 0,
        Kind::Shapes(_) => 1,
        Kind::Cat(_) => 2,
    };
    let part = |kind: Kind| Part {
        group: group(kind),
        spots: cells_of(level, state, kind).into_iter().map(Spot::from).collect(),
    };
    kinds(level, state).into_iter().map(part).collect()
}

fn split(level: &Level, state: &State, left_out: &[bool]) -> (Vec<Kind>, Vec<Kind>) {
    let (mut out, mut kept) = (Vec::new(), Vec::new());
    for (kind, left_out) in kinds(level, state).into_iter().zip(left_out) {
        if *left_out { &mut out } else { &mut kept }.push(kind);
    }
    (out, kept)
}

fn kept_cats(kept: &[Kind]) -> Vec<usize> {
    kept.iter().filter_map(|k| if let Kind::Cat(k) = k { Some(*k) } else { None }).collect()
}

fn without(level: &Level, state: &State, left_out: &[bool]) -> Option<Easier<Cats>> {
    let (out, kept) = split(level, state, left_out);
    let locked = kept.iter().any(|k| matches!(k, Kind::Lock(_)));
    let cats = kept_cats(&kept);
    if cats.is_empty() || (locked && out.iter().any(|k| matches!(k, Kind::Cat(_)))) {
        return None;
    }
    let stays = |c: Colour| cats.iter().any(|k| level.cats[*k].colour == c) || kept.contains(&Kind::Shapes(c));
    let (mut eased, mut from) =
        (Level { shapes: Vec::new(), ..level.clone() }, State { shift: Vec::new(), gone: state.gone });
    for (i, (shape, shift)) in level.shapes.iter().zip(&state.shift).enumerate() {
        // What has left the board is in nobody's way and is not needed any more.
        if shift.is_some() && stays(shape.colour) {
            let lock = if out.contains(&Kind::Lock(i)) { 0 } else { shape.lock };
            eased.shapes.push(Shape { lock, ..shape.clone() });
            from.shift.push(*shift);
        }
    }
    if out.iter().any(|k| matches!(k, Kind::Cat(_))) {
        // Cats that are gone already stay in the list: what a tandem of several colours waits for before it leaves may be among them.
        let listed: Vec<usize> = (0..level.cats.len()).filter(|k| is_gone(state, *k) || cats.contains(k)).collect();
        eased.cats = listed.iter().map(|k| level.cats[*k]).collect();
        let gone = listed.iter().enumerate().filter(|(_, k)| is_gone(state, **k));
        from.gone = gone.fold(0, |bits, (i, _)| bits | 1 << i);
        eased.shapes.iter_mut().for_each(|s| s.lock = 0);
    }
    if out.iter().any(|k| !matches!(k, Kind::Lock(_))) {
        // A step of what is left out, the first of all, would have taken the cats that are covered already.
        super::rules::take_covered(&eased, &mut from);
    }
    Some(Easier::Level(Box::new(eased), from, 0))
}

/// "the red cat at c4".
fn cat(level: &Level, k: usize) -> String {
    let cat = &level.cats[k];
    let kind = if level.is_blocker_cat(cat) { "blocker-cat" } else { "cat" };
    format!("the {} {kind} at {}", cat.colour.name(), cat.at.name())
}

fn find(level: &Level, state: &State, _: usize, _: &mut Probe) -> Result<Option<Found<Cats>>, Stop> {
    let counted = |reason| Ok(Some(Found::new(reason, Vec::new())));
    let cats = living(level, state);
    for colour in Colour::ALL {
        let own: Vec<usize> = cats.iter().copied().filter(|k| level.cats[*k].colour == colour).collect();
        if !own.is_empty() && shapes_of(level, state, colour).is_empty() {
            let name = colour.name();
            let text = match own.as_slice() {
                [k] => format!("No shape is {name}, so {} can never be cleared.", cat(level, *k)),
                _ => format!("No shape is {name}, so the {name} cats can never be cleared."),
            };
            let at = own.iter().map(|k| level.cats[*k].at);
            return counted(Reason::new("colour", text, at, format!("the {name} cats")));
        }
    }
    let on_board = |i: &usize| state.shift.get(*i).copied().flatten().is_some();
    let shapes: Vec<usize> = (0..level.shapes.len()).filter(on_board).collect();
    if !shapes.is_empty() && shapes.iter().all(|i| waits_for(level, state, *i) > 0) {
        let at = shapes.iter().flat_map(|i| super::rules::cells(level, state, *i));
        return counted(Reason::new("locked", "Every shape is locked, so nothing can move.", at, "the locks"));
    }
    Ok(None)
}

fn keeps(level: &Level, state: &State, left_out: &[bool]) -> String {
    let (out, kept) = split(level, state, left_out);
    let cats = kept_cats(&kept);
    let mut words = Vec::new();
    if cats.len() == living(level, state).len() {
        words.push("all cats and their shapes".to_string());
    } else {
        words.push(list(&cats.iter().map(|k| cat(level, *k)).collect::<Vec<_>>()));
        let mut colours: Vec<Colour> = cats.iter().map(|k| level.cats[*k].colour).collect();
        colours.sort_unstable();
        colours.dedup();
        let colours: Vec<String> = colours.iter().map(|c| c.name().to_string()).collect();
        words.push(format!("the {} shapes", list(&colours)));
    }
    for kind in &kept {
        if let Kind::Shapes(c) = kind {
            words.push(format!("the {} shapes in the way", c.name()));
        }
    }
    if out.iter().any(|k| matches!(k, Kind::Lock(_))) {
        let all = !kept.iter().any(|k| matches!(k, Kind::Lock(_)));
        words.push(if all { "all locks lifted" } else { "the other locks lifted" }.into());
    }
    words.join(", ")
}

fn tell(level: &Level, state: &State, left_out: &[bool]) -> Option<Reason> {
    let (_, kept) = split(level, state, left_out);
    let cats = kept_cats(&kept);
    let keeps = keeps(level, state, left_out);
    let locks: Vec<usize> = kept.iter().filter_map(|k| if let Kind::Lock(i) = k { Some(*i) } else { None }).collect();
    // By where they stand: their letters are not on the board.
    let name = |i: &usize| {
        let cells: Vec<Cell> = super::rules::cells(level, state, *i).collect();
        let place = super::rules::grip(&cells).map_or_else(String::new, |at| format!(" at {}", at.name()));
        format!("the {}{place}", level.shapes[*i].name())
    };
    let named = |shapes: &[usize]| list(&shapes.iter().map(name).collect::<Vec<_>>());
    let spots: Vec<Cell> = kept
        .iter()
        .filter(|k| locks.is_empty() || matches!(k, Kind::Lock(_)))
        .flat_map(|k| cells_of(level, state, *k))
        .collect();
    if !locks.is_empty() {
        let text = match locks.as_slice() {
            [i] => format!("The lock of {} is in the way: without it the level could be solved.", name(i)),
            many => {
                format!("The locks of {} are in the way: without any of them the level could be solved.", named(many))
            }
        };
        return Some(Reason::new("lock", text, spots, keeps));
    }
    let idle: Vec<String> =
        kept.iter().filter_map(|k| if let Kind::Shapes(c) = k { Some(c.name().to_string()) } else { None }).collect();
    let behind = if idle.is_empty() { String::new() } else { format!(", with the {} shapes in the way", list(&idle)) };
    let (kind, text) = match cats.as_slice() {
        [k] => ("cat", format!("No {} shape can get to {}{behind}.", level.cats[*k].colour.name(), cat(level, *k))),
        _ if cats.len() > 1 && !left_out.contains(&true) => return None,
        [a, b] => {
            ("cats", format!("{} and {} cannot both be cleared{behind}.", capital(&cat(level, *a)), cat(level, *b)))
        }
        three @ [_, _, _] => {
            let names: Vec<String> = three.iter().map(|k| cat(level, *k)).collect();
            ("cats", format!("{} cannot all be cleared{behind}.", capital(&list(&names))))
        }
        _ => return None,
    };
    Some(Reason::new(kind, text, spots, keeps))
}
