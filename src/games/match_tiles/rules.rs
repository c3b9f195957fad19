//! The rules: a drag is a path, what it passes and matches is removed, and a tile without a partner ends the game.
//!
//! A [`Drag`] holds every cell the pointer was on, the dragged tile's first. Each cell is a king's step from the one before, or both are
//! on the rim: then the pointer left the board at the one and came back at the other. The match is always against the tile first
//! pressed; tiles that do not match do nothing and block nothing; the dragged tile itself, passed again, is not its own match. A
//! drag that removes nothing has not happened, so it is refused as a move.
//!
//! Written, a path is its corners: `b2-d4-d7` goes diagonally from b2 to d4 and then down to d7 (columns are letters, rows count from 1 at
//! the top), and `a3~h5` leaves the board at a3 and comes back at h5. Drags are separated by spaces.

use super::{
    Match,
    board::{Board, Mask, bit, bits, first, king, straight},
    draw,
    level::{Level, Tile, rows},
};
use crate::{
    game::{Draft, Fault, Refusal, Rules, Status},
    grid::{Cell, Size, cell},
};

/// Which tiles still stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(super) alive: Mask,
}

impl State {
    /// Whether the tile at a cell still stands.
    pub fn stands(&self, c: Cell) -> bool {
        Size::new(8, 8).contains(c) && self.alive & bit(c) != 0
    }

    /// How many tiles still stand.
    pub fn left(&self) -> u32 {
        self.alive.count_ones()
    }
}

/// A whole drag: the cells under the pointer, first that of the dragged tile.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Drag(pub Vec<Cell>);

impl Rules for Match {
    type State = State;
    type Move = Drag;
    const ENDLESS: bool = true;

    fn arrange(level: &Level) -> Option<State> {
        Board::of(level).map(|b| State { alive: b.tiles })
    }

    /// For each tile, one path for each set of tiles that a drag of it can remove; where these are too many (see [`LISTED`]) the sets with the
    /// fewest tiles, and the largest.
    fn legal_moves(level: &Level, state: &State) -> Vec<Drag> {
        let Some(board) = Board::of(level) else { return Vec::new() };
        if status_of(&board, state.alive) != Status::Playing {
            return Vec::new();
        }
        // Tiles with few matches first: what they leave of their share goes to the others.
        let mut tiles: Vec<Mask> = bits(state.alive).collect();
        tiles.sort_by_key(|t| board.matches(state.alive, *t).count_ones());
        let mut listed = Vec::new();
        for (done, &tile) in tiles.iter().enumerate() {
            let share = (LISTED - listed.len()) / (tiles.len() - done);
            let sets = draw::sets(&board, state.alive, tile, share);
            listed.extend(sets.into_iter().map(|set| (tile, set)));
        }
        listed.sort_by_key(|(tile, set)| (*tile, set.count_ones(), *set));
        listed.into_iter().filter_map(|(tile, set)| draw::path(&board, state.alive, tile, set)).map(Drag).collect()
    }

    /// A tile whose drags are fewer than its share has no others. The share never falls below that of the first tile.
    fn lists_all(_: &Level, state: &State, listed: &[Drag]) -> bool {
        let share = LISTED / state.left().max(1) as usize;
        let mut drags = vec![0; 64];
        listed.iter().filter_map(|d| d.0.first()).for_each(|c| drags[Size::new(8, 8).index(*c)] += 1);
        drags.into_iter().all(|n: usize| n + 1 < share)
    }

    fn play(level: &Level, state: &mut State, mv: &Drag) -> Result<(), Refusal> {
        let board = Board::of(level).ok_or_else(|| Refusal::new("size", "a board this large cannot be played"))?;
        state.alive &= !removed(&board, state.alive, &mv.0)?;
        Ok(())
    }

    fn status(level: &Level, state: &State) -> Status {
        Board::of(level).map_or(Status::Lost, |b| status_of(&b, state.alive))
    }
    fn counts(_: &Level, _: &State, line: &[Drag]) -> Vec<u32> {
        vec![line.len() as u32]
    }

    fn stars(count: u32, par: u32) -> u8 {
        match count.saturating_sub(par) {
            0 => 3,
            1 => 2,
            _ => 1,
        }
    }

    fn write_line(_: &Level, line: &[Drag]) -> String {
        line.iter().map(write).collect::<Vec<_>>().join(" ")
    }
    fn read_line(_: &Level, text: &str) -> Result<Vec<Drag>, Fault> {
        text.split_whitespace().map(read).collect()
    }
    fn write_move(_: &Level, mv: &Drag) -> String {
        write(mv)
    }

    fn piece(level: &Level, _: &State, mv: &Drag) -> (u32, String) {
        let size = Self::size(level);
        let Some(from) = mv.0.first().filter(|c| size.contains(**c)) else { return (0, "nothing".into()) };
        let name = level.tile(*from).map_or_else(|| "empty cell".into(), Tile::name);
        (size.index(*from) as u32, name)
    }

    fn objects(level: &Level, state: &State) -> Vec<(String, Cell)> {
        let tile = |c| level.tile(c).map_or_else(String::new, Tile::name);
        bits(state.alive).map(first).map(|c| (tile(c), c)).collect()
    }

    fn board_text(level: &Level, state: &State) -> String {
        let standing = |c: Cell| level.tile(c).filter(|_| state.stands(c));
        rows(Self::size(level), standing).join("\n")
    }
}

/// [`Rules::status`] of a board that is known as sets of cells.
pub(super) fn status_of(board: &Board, alive: Mask) -> Status {
    if alive == 0 {
        Status::Won
    } else if board.stranded(alive) != 0 {
        Status::Lost
    } else {
        Status::Playing
    }
}

/// Whether the pointer can go from one cell to the next: a king's step, or around by the outside.
pub(super) fn joined(board: &Board, a: Cell, b: Cell) -> bool {
    king(a, b) == 1 || a != b && bit(a) & board.rim != 0 && bit(b) & board.rim != 0
}

/// The matches of the dragged tile under a path, the tile itself left out. The path must have been checked.
pub(super) fn passed(board: &Board, alive: Mask, path: &[Cell]) -> Mask {
    let Some(&from) = path.first() else { return 0 };
    path.iter().fold(0, |set, c| set | bit(*c)) & board.matches(alive, bit(from))
}

/// Everything a drag removes, the dragged tile with it; or why it is no move.
pub(super) fn removed(board: &Board, alive: Mask, path: &[Cell]) -> Result<Mask, Refusal> {
    if status_of(board, alive) != Status::Playing {
        return Err(Refusal::new("over", "the game is over"));
    }
    if let Some(c) = path.iter().find(|c| !board.size.contains(**c)) {
        return Err(Refusal::new("off-board", format!("{} is not on the board", c.name())));
    }
    let Some(&from) = path.first() else {
        return Err(Refusal::new("empty", "a drag begins on a tile"));
    };
    if alive & bit(from) == 0 {
        return Err(Refusal::new("empty", format!("there is no tile at {}", from.name())));
    }
    if let Some(w) = path.windows(2).find(|w| !joined(board, w[0], w[1])) {
        let text = format!("the pointer cannot go from {} to {} in one step", w[0].name(), w[1].name());
        return Err(Refusal::new("gap", text));
    }
    match passed(board, alive, path) {
        0 => Err(Refusal::new("nothing", format!("nothing passed matches {}", board.tile(bit(from)).name()))),
        set => Ok(set | bit(from)),
    }
}

/// How many drags [`Rules::legal_moves`] lists at most.
///
/// The positions a drag can lead to grow as two to the number of matches (a full 5 x 5 board of algorithm 0 has some 40,000, one of 25 tiles
/// of one colour 400 million), so only boards of a dozen tiles or so are listed wholly. On others each tile has an even share of
/// this number. The list then still holds all drags that remove one tile and all full sweeps, and so, by the theorem in `solver.rs`, a best drag of
/// every position.
pub const LISTED: usize = 1 << 12;

/// A cell by its name, "b2": column b, row 2 from the top.
fn read_name(word: &str) -> Option<Cell> {
    let (letter, row) = (word.chars().next()?.to_ascii_lowercase(), word.get(1..)?);
    let y = if row.len() == 1 { row.parse::<i16>().ok()? } else { return None };
    (('a'..='h').contains(&letter) && (1..=8).contains(&y)).then(|| cell(letter as i16 - 'a' as i16, y - 1))
}

/// A drag as its corners.
pub(super) fn write(drag: &Drag) -> String {
    let Some(first) = drag.0.first() else { return String::new() };
    let mut text = first.name();
    let step = |a: Cell, b: Cell| (b.x - a.x, b.y - a.y);
    for (i, w) in drag.0.windows(2).enumerate() {
        let goes_on =
            drag.0.get(i + 2).is_some_and(|next| king(w[0], w[1]) == 1 && step(w[0], w[1]) == step(w[1], *next));
        if king(w[0], w[1]) > 1 {
            text = text + "~" + &w[1].name();
        } else if !goes_on {
            text = text + "-" + &w[1].name();
        }
    }
    text
}

/// A drag from its corners; whether it can be made is for [`Rules::play`] to say.
pub(super) fn read(word: &str) -> Result<Drag, Fault> {
    let fault = |text: String| Err(Fault::new(text));
    let mut path: Vec<Cell> = Vec::new();
    let mut rest = word;
    let mut around = false;
    loop {
        let end = rest.find(['-', '~']).unwrap_or(rest.len());
        let Some(to) = read_name(&rest[..end]) else {
            let shown: String = rest[..end].chars().take(12).collect();
            return fault(format!("\"{shown}\" is not a cell: a column a to h and a row 1 to 8, \"b2\""));
        };
        match path.last() {
            Some(&from) if !around => {
                let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
                if dx != dy && dx != 0 && dy != 0 {
                    return fault(format!("{} to {} is not a straight line", from.name(), to.name()));
                }
                path.extend(straight(from, to));
            }
            _ => path.push(to),
        }
        if end == rest.len() {
            return Ok(Drag(path));
        }
        around = rest.as_bytes()[end] == b'~';
        rest = &rest[end + 1..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::match_tiles::level::from_rows;

    fn level(rows: &[&str]) -> Level {
        from_rows(&rows.iter().map(|r| r.to_string()).collect::<Vec<_>>()).unwrap()
    }

    /// The board after a drag, or the reason why it was refused.
    fn after(level: &Level, drag: &str) -> Result<u32, &'static str> {
        let mut state = Match::arrange(level).unwrap();
        Match::play(level, &mut state, &read(drag).unwrap()).map(|()| state.left()).map_err(|r| r.reason)
    }

    #[test]
    fn a_drag_removes_what_it_passes_and_matches_and_then_itself() {
        let l = level(&["o1 b2 o3", "g1 g2 o2", "y1 y4 y5"]);
        assert_eq!(after(&l, "a1-c1"), Ok(7), "b2 is passed and stays");
        assert_eq!(after(&l, "a1-a3"), Ok(6));
        assert_eq!(after(&l, "a1-c1-c2"), Ok(6), "the match is against the tile first pressed");
        assert_eq!(after(&l, "a1-a3-a1-c1-c2-a2"), Ok(4), "passing the dragged tile again changes nothing");
    }

    #[test]
    fn a_drag_that_matches_nothing_has_not_happened() {
        let l = level(&["o1 b2 o3", "g1 g2 o2", "y1 y4 y5"]);
        assert_eq!(after(&l, "a1-b1"), Err("nothing"));
        assert_eq!(after(&l, "a1"), Err("nothing"));
    }

    #[test]
    fn the_pointer_may_leave_the_board_and_come_back_anywhere_on_the_rim_only() {
        let l = level(&["o1 b1 b1 o1", "b1 g2 g2 b1", "b1 g2 g2 b1", "o1 b1 b1 o1"]);
        assert_eq!(after(&l, "a1~d4"), Ok(14));
        assert_eq!(after(&l, "a1~c3"), Err("gap"));
        assert_eq!(after(&l, "b2-c3"), Ok(14));
        assert_eq!(after(&l, "a1~e1"), Err("off-board"));
    }

    #[test]
    fn a_stranded_tile_ends_the_game_on_release() {
        let l = level(&["o1 o2", "b2 .."]);
        let mut state = Match::arrange(&l).unwrap();
        let board = Board::of(&l).unwrap();
        assert_eq!(status_of(&board, state.alive), Status::Playing);
        Match::play(&l, &mut state, &read("a1-b1").unwrap()).unwrap();
        assert_eq!(status_of(&board, state.alive), Status::Lost);
        assert!(Match::legal_moves(&l, &state).is_empty());
        assert_eq!(Match::play(&l, &mut state, &read("a2-b1").unwrap()).unwrap_err().reason, "over");
        assert_eq!(after(&l, "b1-a1-a2"), Ok(0));
        assert_eq!(status_of(&board, 0), Status::Won);
    }

    #[test]
    fn paths_are_written_by_their_corners_and_read_back() {
        for text in ["a1", "a1-b2", "a1-d4-d7-d2", "a1~h8", "c1-a1~h5-h8~a8-c8", "a1-c1-a1"] {
            assert_eq!(write(&read(text).unwrap()), text);
        }
        assert_eq!(read("A1-C3").unwrap().0, [cell(0, 0), cell(1, 1), cell(2, 2)]);
        assert_eq!(write(&read("a1-b1-c1").unwrap()), "a1-c1");
        for text in ["", "-", "a", "a0", "a9", "i1", "a1-", "a1-b3", "a1--b1", "é1", "aé", "a11", "a+1", "a1 b1"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn every_listed_drag_is_legal_and_they_lead_everywhere_random_drags_lead() {
        use crate::game::rng;
        use rand::RngExt as _;
        let mut rng = rng(5);
        for _ in 0..300 {
            let size = Size::new(rng.random_range(2..=5), rng.random_range(2..=4));
            let l = Level::from_fn(size, |_| {
                let kind: usize = rng.random_range(0..40);
                (kind < 25).then(|| Tile::of_kind(kind))
            });
            let state = Match::arrange(&l).unwrap();
            let moves = Match::legal_moves(&l, &state);
            let mut ends = std::collections::HashSet::new();
            for m in &moves {
                let mut s = state;
                Match::play(&l, &mut s, m).unwrap();
                ends.insert(s);
            }
            for _ in 0..200 {
                let mut path = vec![size.cell(rng.random_range(0..size.area()))];
                for _ in 0..rng.random_range(1..20) {
                    path.push(size.cell(rng.random_range(0..size.area())));
                }
                let mut s = state;
                if Match::play(&l, &mut s, &Drag(path)).is_ok() {
                    assert!(ends.contains(&s));
                }
            }
        }
    }
}
