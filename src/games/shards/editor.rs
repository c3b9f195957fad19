//! Editing: the outline by cells, pieces by triangles.
//!
//! A triangle painted with a colour joins the laid piece of that colour which it touches; where it touches none, it begins a new piece of that colour.
//! So a stroke makes one piece, a stroke of the same colour elsewhere another, and there is no end of pieces although there are twelve
//! colours. Loose pieces are left alone by the brush.

use super::{
    Level, Move, Piece, Shards, cut,
    generator::balanced_bounds,
    level::{COLOURS, LARGEST, count},
    rules, solver,
    triangle::{Tri, form, parts},
};
use crate::{
    game::{Command, Edit, Gesture, Ink, Palette, Swatch, Thing, rng},
    grid::{Cell, Grid, Size, Spot, cell},
    job::{Limits, Probe},
};
use std::collections::BTreeSet;

const BARE: usize = 0;
const PIECE: usize = 1;
const ONE_PIECE: usize = 2;
const CELL: usize = 3;
const HOLE: usize = 4;
const MERGE: usize = 5;
const SPLIT: usize = 6;

/// What a command may cost: it runs while the designer waits.
const NODES: u64 = 50_000;

impl Edit for Shards {
    const SIZES: (Size, Size) = (Size::new(1, 1), LARGEST);
    const NEW: Size = Size::new(4, 4);

    fn blank(size: Size) -> Level {
        Level::new(Grid::filled(size, true), [])
    }

    fn palette(_: &Level) -> Palette {
        let swatch = |id, name: &str, group, coloured, gesture, help| Swatch {
            id,
            name: name.into(),
            group,
            coloured,
            turns: false,
            gesture,
            help,
        };
        Palette {
            swatches: vec![
                swatch("bare", "No piece", "Pieces", false, Gesture::Spots, "The triangle belongs to no piece."),
                swatch(
                    "piece",
                    "Piece",
                    "Pieces",
                    true,
                    Gesture::Spots,
                    "The triangle joins the piece of this colour that it touches, or begins a new one.",
                ),
                swatch(
                    "whole",
                    "New piece",
                    "Pieces",
                    true,
                    Gesture::Whole,
                    "All triangles of the stroke become one new piece.",
                ),
                swatch("cell", "Add cell", "Outline", false, Gesture::Spots, "The cell belongs to the board."),
                swatch(
                    "hole",
                    "Remove cell",
                    "Outline",
                    false,
                    Gesture::Spots,
                    "The cell does not belong to the board.",
                ),
                swatch(
                    "merge",
                    "Merge",
                    "Change",
                    false,
                    Gesture::FromTo,
                    "Drag from one piece to another: they become one.",
                ),
                swatch(
                    "split",
                    "Split",
                    "Change",
                    false,
                    Gesture::FromTo,
                    "Drag from one end of a piece to the other: each triangle goes to the nearer end.",
                ),
            ],
            colours: COLOURS.iter().map(|c| (*c).to_string()).collect(),
        }
    }

    fn paint(level: &mut Level, ink: Ink, spots: &[Spot]) {
        let tris: Vec<Tri> = spots.iter().flat_map(|s| triangles(*s)).collect();
        let on_board: Vec<Tri> = tris.into_iter().filter(|t| level.has(*t)).collect();
        match ink.swatch {
            BARE => on_board.iter().for_each(|t| release(level, *t)),
            PIECE => touching_order(on_board).into_iter().for_each(|t| join(level, t, ink.colour)),
            ONE_PIECE => {
                on_board.iter().for_each(|t| release(level, *t));
                begin(level, ink.colour, on_board);
            }
            CELL | HOLE => spots.iter().for_each(|s| set_cell(level, s.cell, ink.swatch == CELL)),
            MERGE => merge(level, spots),
            SPLIT => split(level, spots),
            _ => (),
        }
    }

    fn pick(level: &Level, spot: Spot) -> Ink {
        if level.board.get(spot.cell) != Some(&true) {
            return Ink { swatch: HOLE, ..Ink::default() };
        }
        let owner = triangles(spot).into_iter().find_map(|t| owner(level, t));
        owner.map_or(Ink { swatch: BARE, ..Ink::default() }, |p| Ink {
            swatch: PIECE,
            colour: level.pieces[p].colour(),
            ..Ink::default()
        })
    }

    fn ground(level: &Level, at: Cell) -> Ink {
        let swatch = if level.board.get(at) == Some(&true) { CELL } else { HOLE };
        Ink { swatch, ..Ink::default() }
    }

    fn things(level: &Level) -> Vec<Thing> {
        let laid = level.pieces.iter().filter(|p| p.laid);
        laid.map(|p| Thing {
            name: "piece",
            ink: Ink { swatch: ONE_PIECE, colour: p.colour(), ..Ink::default() },
            spots: p.triangles.iter().map(|t| t.spot()).collect(),
            facts: vec![("letter", super::level::letter(p.id).to_string())],
        })
        .collect()
    }

    fn neighbours(level: &Level, spot: Spot) -> Vec<Spot> {
        let size = level.board.size();
        let own = triangles(spot);
        let near = own.iter().flat_map(|t| t.neighbours()).filter(|t| size.contains(t.cell) && !own.contains(t));
        near.map(|t| if spot.part.is_some() { t.spot() } else { t.cell.into() }).collect()
    }

    fn resized(level: &Level, size: Size, shift: (i16, i16)) -> Level {
        let board = level.board.resized(size, shift, true);
        let mut new = Level { board, pieces: Vec::new(), ..*level };
        for piece in &level.pieces {
            let mut piece = piece.clone();
            if piece.laid {
                piece.triangles.iter_mut().for_each(|t| *t = t.shifted(cell(shift.0, shift.1)));
                piece.triangles.retain(|t| size.contains(t.cell));
            }
            if !piece.triangles.is_empty() {
                new.pieces.push(piece);
            }
        }
        new
    }

    fn stamp(level: &mut Level, part: &Level, at: Cell) {
        for (c, there) in part.board.iter() {
            let here = c.offset(at.x, at.y);
            if let Some(cell) = level.board.get_mut(here) {
                *cell = *there;
                super::triangle::triangles_of(here).iter().for_each(|t| release(level, *t));
            }
        }
        for piece in part.pieces.iter().filter(|p| p.laid) {
            let mut triangles: Vec<Tri> = piece.triangles.iter().map(|t| t.shifted(at)).collect();
            triangles.retain(|t| level.has(*t));
            // A piece put back where it was cut through grows together again.
            let same = level.pieces.iter().position(|p| p.id == piece.id);
            match same {
                Some(old) if level.pieces[old].laid && touch(&level.pieces[old].triangles, &triangles) => {
                    let old = &mut level.pieces[old].triangles;
                    old.extend(triangles);
                    old.sort_unstable();
                }
                Some(_) => begin(level, piece.colour(), triangles),
                None if triangles.is_empty() => (),
                None => {
                    triangles.sort_unstable();
                    level.insert(Piece { id: piece.id, triangles, laid: true });
                }
            }
        }
    }

    fn commands() -> &'static [Command] {
        &[
            Command {
                id: "cut",
                name: "Cut at random",
                help: "Cuts the whole outline again, into as many pieces as there are now, if possible with one solution.",
            },
            Command {
                id: "share",
                name: "Assign free triangles",
                help: "Joins triangles without a piece to the smallest piece they touch.",
            },
            Command {
                id: "apart",
                name: "Split separate parts",
                help: "Makes every separate part of a piece a new piece.",
            },
            Command {
                id: "loosen",
                name: "Lift all pieces off",
                help: "Keeps the forms and forgets where they lay, so that the outline can be changed under them.",
            },
            Command {
                id: "lay",
                name: "Lay the pieces",
                help: "Lays loose pieces onto the board as a solution has them.",
            },
        ]
    }

    fn command(level: &mut Level, id: &str, seed: u64) -> Result<String, String> {
        match id {
            "cut" => cut_at_random(level, seed),
            "share" => share(level),
            "apart" => apart(level),
            "loosen" => loosen(level),
            "lay" => lay(level),
            _ => Err(format!("there is no editor command {id}")),
        }
    }
}

/// The triangles a spot names: one, or all of its cell.
fn triangles(spot: Spot) -> Vec<Tri> {
    match spot.part {
        Some(k) if k < 4 => vec![Tri { cell: spot.cell, k }],
        _ => super::triangle::triangles_of(spot.cell).to_vec(),
    }
}

/// The laid piece that holds a triangle.
fn owner(level: &Level, t: Tri) -> Option<usize> {
    level.pieces.iter().position(|p| p.laid && p.triangles.binary_search(&t).is_ok())
}

fn touch(a: &[Tri], b: &[Tri]) -> bool {
    b.iter().any(|t| t.neighbours().iter().any(|n| a.binary_search(n).is_ok()))
}

/// Takes a triangle from every laid piece that holds it; a piece left without any is gone.
fn release(level: &mut Level, t: Tri) {
    for piece in level.pieces.iter_mut().filter(|p| p.laid) {
        piece.triangles.retain(|own| *own != t);
    }
    level.pieces.retain(|p| !p.triangles.is_empty());
}

fn begin(level: &mut Level, colour: usize, mut triangles: Vec<Tri>) {
    triangles.sort_unstable();
    triangles.dedup();
    if let Some(id) = level.free_number(colour)
        && !triangles.is_empty()
    {
        level.insert(Piece { id, triangles, laid: true });
    }
}

/// The triangles of a stroke, each but the first next to one before it wherever that is possible: what is connected becomes one piece.
fn touching_order(stroke: Vec<Tri>) -> Vec<Tri> {
    let mut left: BTreeSet<Tri> = stroke.iter().copied().collect();
    let mut order = Vec::with_capacity(stroke.len());
    for first in stroke {
        let mut next = order.len();
        if left.remove(&first) {
            order.push(first);
        }
        while let Some(t) = order.get(next).copied() {
            next += 1;
            order.extend(t.neighbours().into_iter().filter(|n| left.remove(n)));
        }
    }
    order
}

fn join(level: &mut Level, t: Tri, colour: usize) {
    let colour = colour % COLOURS.len();
    if owner(level, t).is_some_and(|p| level.pieces[p].colour() == colour) {
        return;
    }
    release(level, t);
    let near = t.neighbours().into_iter().filter_map(|n| owner(level, n));
    let joined = near.filter(|p| level.pieces[*p].colour() == colour).max_by_key(|p| level.pieces[*p].triangles.len());
    match joined {
        Some(p) => {
            let triangles = &mut level.pieces[p].triangles;
            let at = triangles.partition_point(|own| *own < t);
            triangles.insert(at, t);
        }
        None => begin(level, colour, vec![t]),
    }
}

fn set_cell(level: &mut Level, c: Cell, there: bool) {
    if let Some(cell) = level.board.get_mut(c) {
        *cell = there;
        if !there {
            super::triangle::triangles_of(c).iter().for_each(|t| release(level, *t));
        }
    }
}

fn merge(level: &mut Level, spots: &[Spot]) {
    let [first, .., last] = spots else { return };
    let at = |s: &Spot| triangles(*s).into_iter().find_map(|t| owner(level, t));
    if let (Some(a), Some(b)) = (at(first), at(last))
        && a != b
    {
        let moved = level.pieces[b].triangles.clone();
        level.pieces[a].triangles.extend(moved);
        level.pieces[a].triangles.sort_unstable();
        level.pieces[a].triangles.dedup();
        level.pieces.remove(b);
    }
}

/// Divides a piece between two of its triangles: each goes with the one that is fewer steps away inside the piece.
fn split(level: &mut Level, spots: &[Spot]) {
    let [first, .., last] = spots else { return };
    let (Some(from), Some(to)) = (triangles(*first).first().copied(), triangles(*last).last().copied()) else { return };
    let (Some(piece), true) = (owner(level, from), from != to) else { return };
    if owner(level, to) != Some(piece) {
        return;
    }
    let mut rest: BTreeSet<Tri> = level.pieces[piece].triangles.iter().copied().collect();
    rest.remove(&from);
    rest.remove(&to);
    let mut queue = vec![(from, false), (to, true)];
    let mut next = 0;
    while next < queue.len() {
        let (t, far) = queue[next];
        next += 1;
        queue.extend(t.neighbours().into_iter().filter(|n| rest.remove(n)).map(|n| (n, far)).collect::<Vec<_>>());
    }
    let new: Vec<Tri> = queue.iter().filter(|(_, far)| *far).map(|(t, _)| *t).collect();
    level.pieces[piece].triangles.retain(|t| !new.contains(t));
    // The next colour that no piece has, so that the cut is seen.
    let used: BTreeSet<usize> = level.pieces.iter().map(Piece::colour).collect();
    let own = level.pieces[piece].colour();
    let colour = (1..COLOURS.len()).map(|i| (own + i) % COLOURS.len()).find(|c| !used.contains(c));
    begin(level, colour.unwrap_or((own + 1) % COLOURS.len()), new);
}

fn cut_at_random(level: &mut Level, seed: u64) -> Result<String, String> {
    let faces = cut::Faces::new(&level.board);
    let total = faces.triangles.len();
    if total == 0 {
        return Err("the board has no cells to cut".into());
    }
    let pieces = if level.pieces.is_empty() { (total / 10).max(2).min(total) } else { level.pieces.len().min(total) };
    let mut rng = rng(seed);
    let mut probe = Probe::new(Limits::nodes(NODES));
    let mut best: Option<Level> = None;
    for _ in 0..40 {
        let bounds = balanced_bounds(total, pieces, (1, total));
        let cut = cut::balanced(&faces, pieces, bounds, &mut rng)
            .or_else(|| cut::balanced(&faces, pieces, (1, total), &mut rng))
            .unwrap_or_else(|| cut::seed_pieces(&faces, &cut::seed_sizes(total, pieces, &mut rng)));
        let new = Level { rotate: level.rotate, mirror: level.mirror, ..Level::new(level.board.clone(), cut) };
        let tally = solver::count(&new, 2, &mut probe);
        let unique = tally.is_ok_and(|t| t.found == 1 && t.all);
        if unique || best.is_none() {
            best = Some(new);
        }
        if unique {
            *level = best.unwrap_or_else(|| level.clone());
            return Ok(format!("cut into {}, with one solution", count(level.pieces.len(), "piece")));
        }
        if tally.is_err() {
            break;
        }
    }
    if let Some(new) = best {
        *level = new;
    }
    Ok(format!("cut into {}; there may be more than one solution", count(level.pieces.len(), "piece")))
}

fn share(level: &mut Level) -> Result<String, String> {
    let before: usize = level.pieces.iter().map(|p| p.triangles.len()).sum();
    if !level.pieces.iter().any(|p| p.laid) {
        return Err("no piece lies on the board: cut it, or paint one".into());
    }
    loop {
        let bare: Vec<Tri> = level.triangles().filter(|t| owner(level, *t).is_none()).collect();
        let near = |t: &Tri| t.neighbours().into_iter().filter_map(|n| owner(level, n));
        let smallest = |t: &Tri| near(t).min_by_key(|p| level.pieces[*p].triangles.len());
        let next = bare.iter().find_map(|t| Some((*t, smallest(t)?)));
        let Some((t, p)) = next else { break };
        level.pieces[p].triangles.push(t);
        level.pieces[p].triangles.sort_unstable();
    }
    let shared = level.pieces.iter().map(|p| p.triangles.len()).sum::<usize>() - before;
    if shared == 0 {
        Err("no free triangle touches a piece".into())
    } else {
        Ok(format!("{} assigned", count(shared, "triangle")))
    }
}

fn apart(level: &mut Level) -> Result<String, String> {
    let mut new = 0;
    for piece in level.pieces.clone() {
        let mut own = piece.triangles.clone();
        for part in parts(&piece.triangles).into_iter().skip(1) {
            // Numbers can run out; then what is left stays together.
            let Some(id) = level.free_number(piece.colour()) else { break };
            own.retain(|t| !part.contains(t));
            let triangles = if piece.laid { part } else { form(&part) };
            level.insert(Piece { id, triangles, laid: piece.laid });
            new += 1;
        }
        if let Some(old) = level.pieces.iter_mut().find(|p| p.id == piece.id) {
            old.triangles = if piece.laid { own } else { form(&own) };
        }
    }
    if new == 0 { Err("no piece has separate parts".into()) } else { Ok(format!("{} more", count(new, "piece"))) }
}

fn loosen(level: &mut Level) -> Result<String, String> {
    let laid = level.pieces.iter().filter(|p| p.laid).count();
    for piece in &mut level.pieces {
        piece.triangles = form(&piece.triangles);
        piece.laid = false;
    }
    if laid == 0 {
        Err("no piece lies on the board".into())
    } else {
        Ok(format!("{} lifted off", count(laid, "piece")))
    }
}

fn lay(level: &mut Level) -> Result<String, String> {
    if level.pieces.iter().all(|p| p.laid) {
        return Err("no piece is loose".into());
    }
    let mut probe = Probe::new(Limits::nodes(NODES * 4));
    let lines = solver::solutions(level, 1, &mut probe).map_err(|_| "no solution was found in time")?;
    let line = lines.first().ok_or("these pieces do not fill the board")?;
    for mv in line {
        if let Move::Place { piece, placing } = *mv {
            let mut triangles = rules::covered(level, piece, placing);
            triangles.sort_unstable();
            level.pieces[piece].triangles = triangles;
            level.pieces[piece].laid = true;
        }
    }
    Ok(format!("{} laid", count(line.len(), "piece")))
}
