//! What pointer and keys do: a piece in hand, a piece chosen by keys, and the moves they become.

use super::{
    super::{
        Level, Move, Placing, Shards, State, rules,
        triangle::{Tri, extent},
    },
    tray::{Tray, bounds},
};
use crate::{
    game::{Input, Key, Nudge, Reaction, Rules as _},
    grid::{Cell, Dir, Sym, cell},
    picture::{Point, point},
};
use std::collections::BTreeMap;

/// A piece held by the pointer.
#[derive(Clone, Debug)]
pub(super) struct Hand {
    pub(super) piece: usize,
    pub(super) sym: Sym,
    /// Where it is held, from the origin of its form, in cells.
    pub(super) grab: Point,
    /// The pointer.
    pub(super) at: Point,
    /// Where the button went down.
    pub(super) pressed: Point,
}

/// A piece chosen by keys, its ghost on the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub(super) piece: usize,
    pub(super) placing: Placing,
}

/// The piece in hand, the chosen piece, and how pieces in the tray have been turned.
#[derive(Clone, Debug, Default)]
pub struct Ui {
    pub(super) hand: Option<Hand>,
    pub(super) chosen: Option<Chosen>,
    pub(super) turned: BTreeMap<usize, Sym>,
    pub(super) hover: Option<usize>,
    last: Option<usize>,
}

impl Ui {
    /// How a piece lies in the tray.
    pub(super) fn sym(&self, level: &Level, piece: usize) -> Sym {
        let sym = self.turned.get(&piece).copied().unwrap_or_default();
        if level.orientations().contains(&sym) { sym } else { Sym::IDENTITY }
    }

    /// Forgets what no longer makes sense: another level may be open now.
    fn mend(&mut self, level: &Level) {
        let good = |piece: usize, sym: Sym| piece < level.pieces.len() && level.orientations().contains(&sym);
        self.hand.take_if(|h| !good(h.piece, h.sym));
        self.chosen.take_if(|c| !good(c.piece, c.placing.sym));
        self.last.take_if(|p| *p >= level.pieces.len());
    }
}

/// Where a piece in hand would snap to: the nearest whole cells, if all of it is then on the board.
pub(super) fn snap(level: &Level, hand: &Hand) -> Option<Placing> {
    let (x, y) = ((hand.at.x - hand.grab.x).round(), (hand.at.y - hand.grab.y).round());
    if !(0.0..100.0).contains(&x) || !(0.0..100.0).contains(&y) {
        return None;
    }
    let placing = Placing { sym: hand.sym, at: cell(x as i16, y as i16) };
    rules::covered(level, hand.piece, placing).iter().all(|t| level.has(*t)).then_some(placing)
}

pub(super) fn input(level: &Level, state: &State, ui: &mut Ui, input: &Input) -> Reaction<Move> {
    ui.mend(level);
    match *input {
        Input::Hover(p) => {
            let over = p.and_then(|p| under(level, state, ui, p)).map(|(piece, ..)| piece);
            let changed = over != ui.hover;
            ui.hover = over;
            if changed { Reaction::used() } else { Reaction::ignored() }
        }
        Input::Press(p) => press(level, state, ui, p),
        Input::Drag(p) => ui.hand.as_mut().map_or(Reaction::ignored(), |hand| {
            hand.at = p;
            Reaction::used()
        }),
        Input::Release(p) => release(level, state, ui, p),
        Input::Wheel(notches) => wheel(level, ui, notches),
        Input::Key(key) => keys(level, state, ui, key),
    }
}

/// The piece at a point, its orientation, and the point from the origin of its form.
fn under(level: &Level, state: &State, ui: &Ui, p: Point) -> Option<(usize, Sym, Point)> {
    if let Some(t) = triangle_at(p).filter(|t| level.has(*t)) {
        let piece = rules::coverage(level, state)[t.cell][t.k as usize]?;
        let placing = state.placed()[piece]?;
        let grab = p.shift(-f32::from(placing.at.x), -f32::from(placing.at.y));
        return Some((piece, placing.sym, grab));
    }
    let tray = Tray::new(level);
    let waits = |i: &usize| state.placed().get(*i) == Some(&None);
    let piece = (0..level.pieces.len()).filter(waits).find(|i| tray.slots[*i].contains(p))?;
    let sym = ui.sym(level, piece);
    let form = level.form(piece, sym);
    let origin = tray.origin(piece, &form);
    let b = bounds(&form);
    // A point of its place beside the piece holds it by its rim.
    let x = ((p.x - origin.x) / tray.scale).clamp(b.x, b.x + b.w);
    let y = ((p.y - origin.y) / tray.scale).clamp(b.y, b.y + b.h);
    Some((piece, sym, point(x, y)))
}

/// The triangle that holds a point.
pub(super) fn triangle_at(p: Point) -> Option<Tri> {
    let c = p.cell();
    let (x, y) = (p.x - f32::from(c.x) - 0.5, p.y - f32::from(c.y) - 0.5);
    let k = if x.abs() > y.abs() {
        if x < 0.0 { 0 } else { 2 }
    } else if y < 0.0 {
        1
    } else {
        3
    };
    // Far off any board a cell cannot be stepped from.
    let near = |v: i16| (-1000..1000).contains(&v);
    (near(c.x) && near(c.y)).then_some(Tri { cell: c, k })
}

fn press(level: &Level, state: &State, ui: &mut Ui, p: Point) -> Reaction<Move> {
    ui.chosen = None;
    let Some((piece, sym, grab)) = under(level, state, ui, p) else { return Reaction::ignored() };
    ui.hand = Some(Hand { piece, sym, grab, at: p, pressed: p });
    Reaction::used()
}

fn release(level: &Level, state: &State, ui: &mut Ui, p: Point) -> Reaction<Move> {
    let Some(mut hand) = ui.hand.take() else { return Reaction::ignored() };
    hand.at = p;
    let (piece, sym) = (hand.piece, hand.sym);
    let before = state.placed().get(piece).copied().flatten();
    ui.last = Some(piece);
    if before.is_none() {
        ui.turned.insert(piece, sym);
    }
    if p.distance(hand.pressed) < 0.08 && before.is_none_or(|b| b.sym == sym) {
        // A click chooses, for keys and wheel.
        choose(level, state, ui, piece);
        return Reaction::used();
    }
    match snap(level, &hand) {
        Some(placing) => place(level, state, ui, piece, placing),
        None if before.is_some() => {
            ui.turned.insert(piece, sym);
            Reaction::moves(vec![Move::Lift { piece }])
        }
        None => Reaction::used(),
    }
}

/// Places a piece, or says why not.
fn place(level: &Level, state: &State, ui: &mut Ui, piece: usize, placing: Placing) -> Reaction<Move> {
    match rules::check(level, state, piece, placing) {
        Ok(good) if state.placed()[piece] == Some(good) => Reaction::used(),
        Ok(good) => match Shards::play(level, &mut state.clone(), &Move::Place { piece, placing: good }) {
            Ok(()) => {
                ui.turned.insert(piece, good.sym);
                Reaction::moves(vec![Move::Place { piece, placing: good }])
            }
            Err(refusal) => Reaction::say(refusal.text).nudged(Nudge::shake(piece)),
        },
        Err(refusal) => Reaction::say(refusal.text).nudged(Nudge::shake(piece)),
    }
}

fn wheel(level: &Level, ui: &mut Ui, notches: f32) -> Reaction<Move> {
    let holds = ui.hand.is_some() || ui.chosen.is_some();
    if !holds || notches == 0.0 || !(level.rotate || level.mirror) {
        return Reaction::ignored();
    }
    if level.rotate {
        turn(level, ui, Sym { mirror: false, turns: if notches > 0.0 { 1 } else { 3 } })
    } else {
        turn(level, ui, Sym::FLIP_H)
    }
}

fn turn(level: &Level, ui: &mut Ui, by: Sym) -> Reaction<Move> {
    if let Some(hand) = &mut ui.hand {
        if !level.orientations().contains(&hand.sym.then(by)) {
            return refuse(by);
        }
        // The point by which it is held turns along.
        let (mut w, mut h) = extent(&level.form(hand.piece, hand.sym));
        if by.mirror {
            hand.grab.x = f32::from(w) - hand.grab.x;
        }
        for _ in 0..by.turns {
            hand.grab = point(f32::from(h) - hand.grab.y, hand.grab.x);
            (w, h) = (h, w);
        }
        hand.sym = hand.sym.then(by);
        return Reaction::used();
    }
    let Some(chosen) = &mut ui.chosen else { return Reaction::ignored() };
    let sym = chosen.placing.sym.then(by);
    if !level.orientations().contains(&sym) {
        return refuse(by);
    }
    chosen.placing = Placing { sym, at: within(level, chosen.piece, sym, chosen.placing.at) };
    ui.turned.insert(chosen.piece, sym);
    Reaction::used()
}

fn refuse(by: Sym) -> Reaction<Move> {
    Reaction::say(if by.mirror {
        "pieces cannot be flipped in this level"
    } else {
        "pieces cannot be turned in this level"
    })
}

/// The nearest corner at which the bounding box of a piece is within the board's.
fn within(level: &Level, piece: usize, sym: Sym, at: Cell) -> Cell {
    let (w, h) = extent(&level.form(piece, sym));
    let size = level.board.size();
    let keep = |v: i16, most: i16| v.min(most).max(0);
    cell(keep(at.x, size.w as i16 - w), keep(at.y, size.h as i16 - h))
}

/// Chooses a piece: its ghost lies where it is, or where it first fits.
fn choose(level: &Level, state: &State, ui: &mut Ui, piece: usize) {
    let sym = ui.sym(level, piece);
    let here = state.placed().get(piece).copied().flatten();
    let form = level.form(piece, sym);
    let fits = || rules::placings(level, state, piece).into_iter().find(|p| level.form(piece, p.sym) == form);
    let placing = here
        .or_else(fits)
        .map_or(Placing { sym, at: cell(0, 0) }, |p| Placing { sym: here.map_or(sym, |h| h.sym), at: p.at });
    ui.chosen = Some(Chosen { piece, placing });
    ui.last = Some(piece);
}

fn keys(level: &Level, state: &State, ui: &mut Ui, key: Key) -> Reaction<Move> {
    // The first key chooses a piece, whichever it is.
    let for_a_piece = matches!(key, Key::Dir(_) | Key::Activate | Key::Turn(_) | Key::Mirror);
    let key = if for_a_piece && ui.chosen.is_none() && ui.hand.is_none() { Key::Next(true) } else { key };
    match key {
        Key::Next(forward) => {
            // Pieces in the tray come first, then those on the board.
            let mut order: Vec<usize> = (0..level.pieces.len().min(state.placed().len())).collect();
            order.sort_by_key(|p| state.placed()[*p].is_some());
            if order.is_empty() {
                return Reaction::ignored();
            }
            let n = order.len();
            let held = ui.chosen.map(|c| c.piece);
            // After a piece was placed its place in the order is gone: go on from its number among those that wait.
            let at = match held.or(ui.last) {
                Some(p) if held.is_some() || state.placed()[p].is_none() => order.iter().position(|o| *o == p),
                Some(p) => order.iter().rposition(|o| *o < p && state.placed()[*o].is_none()),
                None => None,
            };
            let next = match (at, forward) {
                (Some(i), true) => (i + 1) % n,
                (Some(i), false) => (i + n - 1) % n,
                (None, true) => 0,
                (None, false) => n - 1,
            };
            ui.hand = None;
            choose(level, state, ui, order[next]);
            let name = level.pieces[order[next]].seen();
            Reaction { say: Some(name), ..Reaction::used() }
        }
        Key::Dir(dir) => step(level, ui, dir),
        Key::Activate => {
            let Some(Chosen { piece, placing }) = ui.chosen else { return Reaction::ignored() };
            let lies = state.placed().get(piece).copied().flatten();
            let same = |l: Placing| rules::covered(level, piece, l) == rules::covered(level, piece, placing);
            if lies.is_some_and(same) {
                ui.turned.insert(piece, placing.sym);
                return Reaction::moves(vec![Move::Lift { piece }]);
            }
            let reaction = place(level, state, ui, piece, placing);
            if !reaction.moves.is_empty() {
                ui.chosen = None;
            }
            reaction
        }
        Key::Cancel if ui.hand.is_some() || ui.chosen.is_some() => {
            (ui.hand, ui.chosen) = (None, None);
            Reaction::used()
        }
        Key::Turn(clockwise) => turn(level, ui, Sym { mirror: false, turns: if clockwise { 1 } else { 3 } }),
        Key::Mirror => turn(level, ui, Sym::FLIP_H),
        _ => Reaction::ignored(),
    }
}

fn step(level: &Level, ui: &mut Ui, dir: Dir) -> Reaction<Move> {
    let Some(chosen) = &mut ui.chosen else { return Reaction::ignored() };
    chosen.placing.at = within(level, chosen.piece, chosen.placing.sym, chosen.placing.at.step(dir));
    Reaction::used()
}
