//! The rules: pieces lie in a tray or on the board, never over one another; the board is won when it is covered.
//!
//! A move places a piece (from the tray, or from where it lies) or lifts one back into the tray. A piece is placed by an orientation
//! that the level's switches allow and the cell of the top left corner of its bounding box. Orientations that give the same form are one
//! placing: the state keeps the first of them.

use super::{
    Shards,
    level::{Level, count, letter, number_of, rows},
    triangle::{Tri, laid, turned},
};
use crate::{
    game::{Fault, Refusal, Rules, Status},
    grid::{Cell, Grid, Size, Sym, cell},
};

/// How a piece lies on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placing {
    /// Its orientation.
    pub sym: Sym,
    /// The cell of the top left corner of its bounding box.
    pub at: Cell,
}

/// Where the pieces are: on the board, or in the tray.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) placed: Vec<Option<Placing>>,
}

impl State {
    /// How each piece (in the order of [`Level::pieces`]) lies on the board; `None` in the tray.
    pub fn placed(&self) -> &[Option<Placing>] {
        &self.placed
    }
}

/// A move. Pieces are named by their place in [`Level::pieces`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Puts a piece onto the board, or to another place on it.
    Place {
        /// The piece.
        piece: usize,
        /// How it will lie.
        placing: Placing,
    },
    /// Takes a piece back into the tray.
    Lift {
        /// The piece.
        piece: usize,
    },
}

impl Move {
    /// The piece it moves.
    pub fn piece(&self) -> usize {
        match self {
            Move::Place { piece, .. } | Move::Lift { piece } => *piece,
        }
    }
}

impl Rules for Shards {
    type State = State;
    type Move = Move;

    /// All pieces in the tray.
    fn arrange(level: &Level) -> Option<State> {
        Some(in_tray(level))
    }

    fn legal_moves(level: &Level, state: &State) -> Vec<Move> {
        if Self::status(level, state) == Status::Won {
            return Vec::new();
        }
        let taken = taken(level, state);
        let mut moves = Vec::new();
        for (piece, placed) in state.placed.iter().enumerate() {
            if placed.is_some() {
                moves.push(Move::Lift { piece });
            }
            let places = placings_among(level, &taken, piece).into_iter().filter(|p| *placed != Some(*p));
            moves.extend(places.map(|placing| Move::Place { piece, placing }));
        }
        moves
    }

    fn play(level: &Level, state: &mut State, mv: &Move) -> Result<(), Refusal> {
        if Self::status(level, state) == Status::Won {
            return Err(Refusal::new("over", "the board is covered: the game is won"));
        }
        match *mv {
            Move::Place { piece, placing } => {
                let placing = check(level, state, piece, placing)?;
                if state.placed[piece] == Some(placing) {
                    return Err(Refusal::new("same", "it is there already"));
                }
                state.placed[piece] = Some(placing);
            }
            Move::Lift { piece } => match state.placed.get_mut(piece) {
                Some(place @ Some(_)) => *place = None,
                Some(None) => return Err(Refusal::new("in-tray", "that piece is in the tray")),
                None => return Err(Refusal::new("no-piece", "there is no such piece")),
            },
        }
        Ok(())
    }

    /// Won when every triangle of the board is covered. Placed pieces never overlap, so it is covered exactly once.
    fn status(level: &Level, state: &State) -> Status {
        let placed = |i: usize| state.placed[i].map_or(0, |_| level.pieces.get(i).map_or(0, |p| p.triangles.len()));
        let covered: usize = (0..state.placed.len()).map(placed).sum();
        if covered == 0 || covered < level.area() {
            return Status::Playing;
        }
        let over = coverage(level, state);
        let all = level.triangles().all(|t| over[t.cell][t.k as usize].is_some());
        if all { Status::Won } else { Status::Playing }
    }

    fn counts(_: &Level, _: &State, line: &[Move]) -> Vec<u32> {
        vec![line.len() as u32]
    }

    /// `a:2,1` places piece a as drawn, `arr:2,1` turned twice, `amr:2,1` flipped and then turned once; `-a` lifts it.
    fn write_line(level: &Level, line: &[Move]) -> String {
        let word = |mv: &Move| {
            let letter = level.pieces.get(mv.piece()).map_or('?', |p| letter(p.id));
            match mv {
                Move::Lift { .. } => format!("-{letter}"),
                Move::Place { placing: Placing { sym, at }, .. } => {
                    let flip = if sym.mirror { "m" } else { "" };
                    let turns = "r".repeat(sym.turns as usize % 4);
                    format!("{letter}{flip}{turns}:{},{}", at.x, at.y)
                }
            }
        };
        line.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    fn read_line(level: &Level, text: &str) -> Result<Vec<Move>, Fault> {
        text.split_whitespace().map(|word| read(level, word)).collect()
    }

    fn write_move(_: &Level, mv: &Move) -> String {
        match mv {
            Move::Lift { .. } => "back into the tray".into(),
            Move::Place { placing, .. } => {
                let flip = if placing.sym.mirror { ", flipped" } else { "" };
                let turn = ["", ", turned right", ", turned round", ", turned left"][placing.sym.turns as usize % 4];
                format!("to {}{flip}{turn}", placing.at.name())
            }
        }
    }

    /// Named by its colour, since letters are not on the board.
    fn piece(level: &Level, _: &State, mv: &Move) -> (u32, String) {
        let piece = level.pieces.get(mv.piece());
        piece.map_or((u32::MAX, "no piece".into()), |p| (u32::from(p.id), format!("{} piece", p.colour_name())))
    }

    fn objects(level: &Level, state: &State) -> Vec<(String, Cell)> {
        let on_board = level.pieces.iter().zip(&state.placed);
        on_board.filter_map(|(p, placing)| Some((letter(p.id).to_string(), placing.as_ref()?.at))).collect()
    }

    fn board_text(level: &Level, state: &State) -> String {
        let over = coverage(level, state);
        let letters = |c: Cell| match level.board[c] {
            false => ['-'; 4],
            true => over[c].map(|p| p.map_or('.', |p| letter(level.pieces[p].id))),
        };
        rows(level.board.size(), letters).join("\n")
    }
}

/// The position with all pieces in the tray.
pub(super) fn in_tray(level: &Level) -> State {
    State { placed: vec![None; level.pieces.len()] }
}

/// The triangles a piece covers when it lies so. The corner must be on or near the board.
pub(super) fn covered(level: &Level, piece: usize, placing: Placing) -> Vec<Tri> {
    let form = level.form(piece, placing.sym);
    form.into_iter().map(|t| t.shifted(placing.at)).collect()
}

/// The same in any order, without a list.
fn lying(level: &Level, piece: usize, placing: Placing) -> impl Iterator<Item = Tri> + Clone {
    let triangles = level.pieces.get(piece).map_or(&[][..], |p| &p.triangles);
    laid(triangles, placing.sym, placing.at)
}

/// Which piece covers each triangle of the board's rectangle.
pub(super) fn coverage(level: &Level, state: &State) -> Grid<[Option<usize>; 4]> {
    let mut over = Grid::filled(level.board.size(), [None; 4]);
    for (i, placing) in state.placed.iter().enumerate() {
        for t in placing.iter().flat_map(|p| lying(level, i, *p)) {
            if let Some(cell) = over.get_mut(t.cell) {
                cell[t.k as usize] = Some(i);
            }
        }
    }
    over
}

/// A triangle that no piece covers, and one that is not on the board, in [`taken`].
const FREE: u16 = u16::MAX;
const OFF: u16 = u16::MAX - 1;

/// What covers each triangle of the board's rectangle, by its number. The same as [`coverage`] in a small list: the rules ask for it at every move.
fn taken(level: &Level, state: &State) -> Vec<u16> {
    let size = level.board.size();
    let cells = level.board.values().iter();
    let mut taken: Vec<u16> = cells.flat_map(|there| [if *there { FREE } else { OFF }; 4]).collect();
    for (i, placing) in state.placed.iter().enumerate() {
        for t in placing.iter().flat_map(|p| lying(level, i, *p)).filter(|t| size.contains(t.cell)) {
            taken[t.index(size)] = i as u16;
        }
    }
    taken
}

/// The first allowed orientation that gives the same form.
fn plain(level: &Level, piece: usize, sym: Sym) -> Sym {
    if level.orientations().first() == Some(&sym) {
        return sym;
    }
    let size = box_of(level, piece, sym);
    let mut own = vec![false; 4 * size.area()];
    form(level, piece, sym).for_each(|t| own[t.index(size)] = true);
    let same = |s: &Sym| *s == sym || form(level, piece, *s).all(|t| size.contains(t.cell) && own[t.index(size)]);
    level.orientations().iter().copied().find(same).unwrap_or(sym)
}

/// The form of a piece in an orientation, without a list.
fn form(level: &Level, piece: usize, sym: Sym) -> impl Iterator<Item = Tri> + Clone {
    lying(level, piece, Placing { sym, at: cell(0, 0) })
}

/// The bounding box of that form.
fn box_of(level: &Level, piece: usize, sym: Sym) -> Size {
    let far = form(level, piece, sym).fold((0, 0), |(w, h), t| (t.cell.x.max(w - 1) + 1, t.cell.y.max(h - 1) + 1));
    Size::new(far.0 as u16, far.1 as u16)
}

/// Whether a piece can lie so; the placing as the state keeps it.
pub(super) fn check(level: &Level, state: &State, piece: usize, placing: Placing) -> Result<Placing, Refusal> {
    let name = match level.pieces.get(piece) {
        Some(p) if piece < state.placed.len() && !p.triangles.is_empty() => || p.seen(),
        _ => return Err(Refusal::new("no-piece", "there is no such piece")),
    };
    if !level.orientations().contains(&placing.sym) {
        let what = if placing.sym.mirror && !level.mirror { "flipped" } else { "turned" };
        return Err(Refusal::new("not-allowed", format!("pieces cannot be {what} in this level")));
    }
    if !level.board.size().contains(placing.at) {
        return Err(Refusal::new("off-board", format!("{} would not be on the board", name())));
    }
    let triangles = lying(level, piece, placing);
    let off = triangles.clone().filter(|t| !level.has(*t)).count();
    if off > 0 {
        return Err(Refusal::new(
            "off-board",
            format!("{} of {} would be off the board", count(off, "triangle"), name()),
        ));
    }
    let (taken, size) = (taken(level, state), level.board.size());
    let by = |t: Tri| Some(taken[t.index(size)]).filter(|by| *by != FREE && *by != piece as u16);
    if let Some((_, other)) = triangles.filter_map(|t| Some((t, by(t)?))).min() {
        let other = level.pieces[usize::from(other)].seen();
        return Err(Refusal::new("overlap", format!("{} would lie over {other}", name())));
    }
    Ok(Placing { sym: plain(level, piece, placing.sym), at: placing.at })
}

/// The forms a piece can take, each with the first orientation that gives it.
pub(super) fn forms(level: &Level, piece: usize) -> Vec<(Sym, Vec<Tri>)> {
    let mut forms: Vec<(Sym, Vec<Tri>)> = Vec::new();
    let triangles = level.pieces.get(piece).map_or(&[][..], |p| &p.triangles);
    for sym in level.orientations() {
        let form = turned(triangles, *sym);
        if !form.is_empty() && forms.iter().all(|(_, f)| *f != form) {
            forms.push((*sym, form));
        }
    }
    forms
}

/// Every way in which a piece can be placed now.
pub(super) fn placings(level: &Level, state: &State, piece: usize) -> Vec<Placing> {
    placings_among(level, &taken(level, state), piece)
}

fn placings_among(level: &Level, taken: &[u16], piece: usize) -> Vec<Placing> {
    let size = level.board.size();
    let mut placings = Vec::new();
    let mut numbers = Vec::new();
    for sym in level.orientations().iter().copied().filter(|s| plain(level, piece, *s) == *s) {
        let Size { w, h } = box_of(level, piece, sym);
        if w == 0 || w > size.w || h > size.h {
            continue;
        }
        numbers.clear();
        numbers.extend(form(level, piece, sym).map(|t| t.index(size)));
        for at in (0..=size.h - h).flat_map(|y| (0..=size.w - w).map(move |x| cell(x as i16, y as i16))) {
            let here = &taken[4 * size.index(at)..];
            if numbers.iter().all(|n| here[*n] == FREE || here[*n] == piece as u16) {
                placings.push(Placing { sym, at });
            }
        }
    }
    placings
}

fn read(level: &Level, word: &str) -> Result<Move, Fault> {
    let fault =
        || Fault::new(format!("\"{word}\" is not a move: write a:2,1 or amr:2,1 to place piece a, -a to lift it"));
    let (lift, rest) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
    let mut letters = rest.chars();
    let letter = letters.next().ok_or_else(fault)?;
    let number = number_of(letter).ok_or_else(fault)?;
    let piece = level.pieces.iter().position(|p| p.id == number);
    let piece = piece.ok_or_else(|| Fault::new(format!("\"{word}\": there is no piece {letter}")))?;
    if lift {
        return if letters.next().is_none() { Ok(Move::Lift { piece }) } else { Err(fault()) };
    }
    let (turn, at) = letters.as_str().split_once(':').ok_or_else(fault)?;
    let (mirror, turns) = turn.strip_prefix('m').map_or((false, turn), |turns| (true, turns));
    let (x, y) = at.split_once(',').ok_or_else(fault)?;
    if turns.len() > 3 || turns.chars().any(|c| c != 'r') {
        return Err(fault());
    }
    let at = Cell { x: x.parse().map_err(|_| fault())?, y: y.parse().map_err(|_| fault())? };
    Ok(Move::Place { piece, placing: Placing { sym: Sym { mirror, turns: turns.len() as u8 }, at } })
}
