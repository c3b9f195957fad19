//! The rules: turns of the player and of the opponent, obstacles, passes, how a game ends.
//!
//! Everything undo must restore is in the [`State`], the opponent's strength too, since it can be changed in mid-game. The player's
//! pass with no slide to make is never a move of its own: it happens inside the move that brings the turn to a player who cannot
//! slide, so the state after any move is one in which somebody has a choice, or the game is over. With nobody as opponent its turns are
//! skipped in the same way.

use super::{
    Readout,
    level::{self, Kind, Level, Opponent, Square},
    opponent, view,
};
use crate::{
    game::{Draft, Fault, Refusal, Rules, Status, Versus},
    grid::{Cell, Dir, Grid, Size},
    job::{Limits, Probe},
};

/// Whose turn it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// The one who slides.
    Player,
    /// The one who blocks.
    Opponent,
}

/// An obstacle on the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Obstacle {
    /// The pinned tile's square, or the filled gap.
    pub at: Cell,
    /// At the end of how many more turns of the player it leaves; `None` stays for ever.
    pub left: Option<u16>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// In order right after a slide.
    Won,
    /// Not in order after the last turn.
    Lost,
    /// Two passes in a row.
    Drawn,
}

/// What a player or the opponent does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// The player slides a tile into the gap beside it.
    Slide {
        /// Its digit.
        tile: u8,
        /// Where it goes.
        dir: Dir,
    },
    /// The player's clock has run out: a pass.
    TimeUp,
    /// The opponent pins a tile.
    Pin {
        /// Its digit.
        tile: u8,
    },
    /// The opponent fills a gap.
    Fill {
        /// The gap.
        at: Cell,
    },
    /// The opponent puts nothing down.
    Wait,
    /// The opponent can do nothing at all.
    Pass,
    /// Another opponent from now on. Not a turn; possible at any time.
    SetOpponent(Opponent),
}

/// A position with all that belongs to it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// What each square holds.
    pub squares: Grid<Square>,
    /// The obstacles, in the order in which they came.
    pub obstacles: Vec<Obstacle>,
    /// Whose turn it is.
    pub turn: Side,
    /// Who plays against the player now.
    pub opponent: Opponent,
    /// The player's turns so far, passes too.
    pub move_count: u32,
    /// The player's slides so far.
    pub pieces_played: u32,
    /// Obstacles put down so far.
    pub spent: u32,
    /// The opponent's turns since its last obstacle; `None` before the first.
    pub idle: Option<u16>,
    /// Passes in a row.
    pub passes: u8,
    /// How it ended, if it did.
    pub ending: Option<Ending>,
    /// The last move of either side.
    pub last: Option<Move>,
    /// The tile that slid last.
    pub slid: Option<u8>,
    /// Whether the player, without a slide to make, passed after that.
    pub forced: bool,
}

impl State {
    /// The square of a digit.
    pub fn find(&self, tile: u8) -> Option<Cell> {
        self.squares.iter().find(|(_, s)| **s == Square::Digit(tile)).map(|(c, _)| c)
    }

    /// The obstacle on a square.
    pub fn obstacle(&self, at: Cell) -> Option<&Obstacle> {
        self.obstacles.iter().find(|o| o.at == at)
    }

    /// A gap that is not filled.
    pub fn is_open_gap(&self, at: Cell) -> bool {
        self.squares.get(at) == Some(&Square::Gap) && self.obstacle(at).is_none()
    }

    /// The player's slides in this position, by digit, whichever side is to move.
    pub fn slides(&self) -> Vec<Move> {
        let mut out: Vec<(u8, Dir)> = Vec::with_capacity(4);
        for (gap, square) in self.squares.iter() {
            if *square != Square::Gap || self.obstacle(gap).is_some() {
                continue;
            }
            for dir in Dir::ALL {
                let from = gap.step(dir.opposite());
                if let Some(Square::Digit(tile)) = self.squares.get(from)
                    && self.obstacle(from).is_none()
                {
                    out.push((*tile, dir));
                }
            }
        }
        out.sort_unstable();
        out.into_iter().map(|(tile, dir)| Move::Slide { tile, dir }).collect()
    }

    /// Whether any tile can slide.
    pub fn can_slide(&self) -> bool {
        let open = self.squares.iter().filter(|(c, s)| **s == Square::Gap && self.obstacle(*c).is_none());
        open.flat_map(|(c, _)| c.neighbours())
            .any(|n| matches!(self.squares.get(n), Some(Square::Digit(_))) && self.obstacle(n).is_none())
    }

    fn in_order(&self) -> bool {
        level::is_in_order(&self.squares)
    }
}

impl Rules for Readout {
    type State = State;
    type Move = Move;

    /// Nothing if a digit is there twice.
    fn arrange(level: &Level) -> Option<State> {
        if level.digits().windows(2).any(|w| w[0] == w[1]) {
            return None;
        }
        let mut state = State {
            squares: level.squares.clone(),
            obstacles: Vec::new(),
            turn: Side::Player,
            opponent: level.rules.opponent,
            move_count: 0,
            pieces_played: 0,
            spent: 0,
            idle: None,
            passes: 0,
            ending: None,
            last: None,
            slid: None,
            forced: false,
        };
        settle(level, &mut state);
        Some(state)
    }

    /// The moves of the side to move. Changing the opponent is no turn and not among them.
    fn legal_moves(level: &Level, state: &State) -> Vec<Move> {
        if state.ending.is_some() {
            return Vec::new();
        }
        match state.turn {
            Side::Player => {
                let mut moves = state.slides();
                if level.rules.turn_clock > 0 {
                    moves.push(Move::TimeUp);
                }
                moves
            }
            Side::Opponent => {
                let mut moves = obstacles(level, state);
                if may_wait(state) {
                    moves.push(Move::Wait);
                } else if moves.is_empty() {
                    moves.push(Move::Pass);
                }
                moves
            }
        }
    }

    fn play(level: &Level, state: &mut State, mv: &Move) -> Result<(), Refusal> {
        if state.ending.is_some() {
            return Err(Refusal::new("over", "the game is over"));
        }
        if let Move::SetOpponent(opponent) = mv {
            state.opponent = *opponent;
            settle(level, state);
            return Ok(());
        }
        let side = match mv {
            Move::Slide { .. } | Move::TimeUp => Side::Player,
            _ => Side::Opponent,
        };
        if side != state.turn {
            let whose =
                if state.turn == Side::Player { "it is the player's turn" } else { "it is the opponent's turn" };
            return Err(Refusal::new("turn", whose));
        }
        match *mv {
            Move::Slide { tile, dir } => slide(level, state, tile, dir)?,
            Move::TimeUp if level.rules.turn_clock == 0 => {
                return Err(Refusal::new("no-clock", "there is no clock here"));
            }
            Move::TimeUp => {
                state.passes += 1;
                end_turn(level, state);
            }
            Move::Pin { .. } | Move::Fill { .. } => block(level, state, mv)?,
            Move::Wait if may_wait(state) => hand_over(state, 0),
            Move::Wait => {
                return Err(Refusal::new("wait", "the opponent cannot wait: nothing can slide and nothing will leave"));
            }
            Move::Pass if may_wait(state) || !obstacles(level, state).is_empty() => {
                return Err(Refusal::new("pass", "you can pass only when nothing else is possible"));
            }
            _ => hand_over(state, state.passes + 1),
        }
        state.last = Some(*mv);
        state.forced = false;
        settle(level, state);
        Ok(())
    }

    fn status(_: &Level, state: &State) -> Status {
        match state.ending {
            None => Status::Playing,
            Some(Ending::Won) => Status::Won,
            Some(Ending::Lost) => Status::Lost,
            Some(Ending::Drawn) => Status::Drawn,
        }
    }

    fn counts(_: &Level, _: &State, line: &[Move]) -> Vec<u32> {
        vec![line.iter().filter(|m| matches!(m, Move::Slide { .. })).count() as u32]
    }
    fn write_line(_: &Level, line: &[Move]) -> String {
        line.iter().map(write).collect::<Vec<_>>().join(" ")
    }

    /// Words in either case, separated by spaces.
    fn read_line(level: &Level, text: &str) -> Result<Vec<Move>, Fault> {
        let size = Self::size(level);
        let mut out = Vec::new();
        for (y, line) in text.lines().enumerate() {
            let mut column = 1;
            for piece in line.split(char::is_whitespace) {
                if !piece.is_empty() {
                    let fault = || {
                        Fault::at(
                            y + 1,
                            column,
                            format!("\"{}\" is not a move here: write 12R, or @hard", short(piece)),
                        )
                    };
                    out.push(read_word(size, &piece.to_lowercase()).ok_or_else(fault)?);
                }
                column += piece.chars().count() + 1;
            }
        }
        Ok(out)
    }

    fn write_move(_: &Level, mv: &Move) -> String {
        match mv {
            Move::Slide { dir, .. } => dir.arrow().into(),
            Move::TimeUp => "time is up".into(),
            Move::Pin { tile } => format!("pins {tile}"),
            Move::Fill { at } => format!("fills {}", at.name()),
            Move::Wait => "waits".into(),
            Move::Pass => "passes".into(),
            Move::SetOpponent(_) => say(mv),
        }
    }

    fn piece(_: &Level, _: &State, mv: &Move) -> (u32, String) {
        match mv {
            Move::Slide { tile, .. } => ((*tile).into(), format!("tile {tile}")),
            Move::TimeUp => (1001, "clock".into()),
            Move::SetOpponent(_) => (1002, "setting".into()),
            _ => (1000, "opponent".into()),
        }
    }

    fn objects(level: &Level, state: &State) -> Vec<(String, Cell)> {
        let obstacle = if level.rules.obstacle == Kind::Pin { "pin" } else { "fill" };
        let name = |square: &Square| match square {
            Square::Gap => "gap".to_string(),
            Square::Fixed => "fixed".to_string(),
            Square::Digit(d) => d.to_string(),
        };
        let mut out: Vec<(String, Cell)> = state.squares.iter().map(|(c, s)| (name(s), c)).collect();
        out.extend(state.obstacles.iter().map(|o| (obstacle.to_string(), o.at)));
        out
    }

    fn board_text(level: &Level, state: &State) -> String {
        let word = |c: Cell| match (state.squares[c], state.obstacle(c)) {
            (Square::Gap, Some(_)) => "x".to_string(),
            (square, Some(_)) => format!("!{}", level::word(square)),
            (square, None) => level::word(square),
        };
        level::rows(Self::size(level), word).join("\n")
    }

    fn versus() -> Option<Versus<Readout>> {
        Some(Versus {
            opponents: &["easy", "medium", "hard"],
            turn: |_, state| state.ending.is_none() && state.turn == Side::Opponent,
            reply: opponent::reply,
            simulate: |level, opponent, error, seed| {
                opponent::simulate(level, opponent, error, seed, &mut Probe::new(Limits::default()))
            },
            evaluate: opponent::spare,
            points,
            clock: view::clock,
            offers: view::offers,
        })
    }
}

/// The turns that were left when the game was won.
pub(super) fn points(level: &Level, state: &State) -> Option<u32> {
    let limit = u32::from(level.rules.move_limit?);
    (state.ending == Some(Ending::Won)).then(|| limit.saturating_sub(state.move_count))
}

/// The state in which a line of slides with nobody in the way begins: the tiles as they are, no obstacle, no opponent, no turn used. A
/// board in order counts as won here, since no slide is needed.
pub(super) fn alone(state: &State) -> State {
    State {
        squares: state.squares.clone(),
        obstacles: Vec::new(),
        turn: Side::Player,
        opponent: Opponent::None,
        move_count: 0,
        pieces_played: 0,
        spent: 0,
        idle: None,
        passes: 0,
        ending: state.in_order().then_some(Ending::Won),
        last: None,
        slid: None,
        forced: false,
    }
}

/// How many obstacles the opponent still has; `None` is without limit.
pub(super) fn obstacles_left(level: &Level, state: &State) -> Option<u32> {
    level.rules.budget_of(state.opponent).map(|b| u32::from(b).saturating_sub(state.spent))
}

/// Whether budget, cooldown and `at_once` let the opponent put down an obstacle in its next turn, wherever it be.
fn may_block(level: &Level, state: &State) -> Result<(), Refusal> {
    if state.opponent == Opponent::None || obstacles_left(level, state) == Some(0) {
        return Err(Refusal::new("budget", "the opponent has no obstacle left"));
    }
    if state.idle.is_some_and(|n| n < level.rules.cooldown_of(state.opponent)) {
        return Err(Refusal::new("cooldown", "the opponent must let a turn pass first"));
    }
    if state.obstacles.len() >= usize::from(level.rules.at_once) {
        return Err(Refusal::new("at-once", "no further obstacle may be on the board"));
    }
    Ok(())
}

/// The obstacles the opponent may put down: pins by digit, fills by square.
pub(super) fn obstacles(level: &Level, state: &State) -> Vec<Move> {
    if may_block(level, state).is_err() {
        return Vec::new();
    }
    match level.rules.obstacle {
        Kind::Fill => {
            state.squares.iter().filter(|(c, _)| state.is_open_gap(*c)).map(|(at, _)| Move::Fill { at }).collect()
        }
        Kind::Pin => {
            let mut tiles: Vec<u8> = Vec::new();
            for (c, square) in state.squares.iter() {
                if let Square::Digit(tile) = square
                    && pinnable(state, c)
                {
                    tiles.push(*tile);
                }
            }
            tiles.sort_unstable();
            tiles.into_iter().map(|tile| Move::Pin { tile }).collect()
        }
    }
}

fn pinnable(state: &State, at: Cell) -> bool {
    state.obstacle(at).is_none() && at.neighbours().iter().any(|n| state.squares.get(*n) == Some(&Square::Gap))
}

/// Whether the opponent may put nothing down: some slide exists, or some obstacle will leave by itself.
fn may_wait(state: &State) -> bool {
    state.can_slide() || state.obstacles.iter().any(|o| o.left.is_some())
}

fn slide(level: &Level, state: &mut State, tile: u8, dir: Dir) -> Result<(), Refusal> {
    let Some(from) = state.find(tile) else {
        return Err(Refusal::new("no-tile", format!("there is no tile {tile}")));
    };
    if state.obstacle(from).is_some() {
        return Err(Refusal::new("pinned", format!("tile {tile} is pinned")));
    }
    let to = from.step(dir);
    match state.squares.get(to) {
        Some(Square::Gap) if state.obstacle(to).is_some() => Err(Refusal::new("filled", "that gap is filled")),
        Some(Square::Gap) => {
            state.squares[to] = Square::Digit(tile);
            state.squares[from] = Square::Gap;
            state.pieces_played += 1;
            state.slid = Some(tile);
            state.passes = 0;
            if state.in_order() {
                state.ending = Some(Ending::Won);
            }
            end_turn(level, state);
            Ok(())
        }
        Some(_) => Err(Refusal::new("no-gap", format!("there is no gap {} of tile {tile}", dir_of(dir)))),
        None => Err(Refusal::new("edge", format!("tile {tile} is at the edge"))),
    }
}

const fn dir_of(dir: Dir) -> &'static str {
    match dir {
        Dir::Up => "above",
        Dir::Right => "to the right",
        Dir::Down => "below",
        Dir::Left => "to the left",
    }
}

fn block(level: &Level, state: &mut State, mv: &Move) -> Result<(), Refusal> {
    may_block(level, state)?;
    let at = match (*mv, level.rules.obstacle) {
        (Move::Pin { tile }, Kind::Pin) => match state.find(tile) {
            Some(at) if pinnable(state, at) => at,
            Some(_) => return Err(Refusal::new("no-gap", format!("tile {tile} is not a free tile beside a gap"))),
            None => return Err(Refusal::new("no-tile", format!("there is no tile {tile}"))),
        },
        (Move::Fill { at }, Kind::Fill) if state.is_open_gap(at) => at,
        (Move::Fill { .. }, Kind::Fill) => return Err(Refusal::new("no-gap", "there is no open gap")),
        _ => return Err(Refusal::new("kind", "this level has the other kind of obstacle")),
    };
    let left = (level.rules.life > 0).then_some(level.rules.life);
    state.obstacles.push(Obstacle { at, left });
    state.spent += 1;
    hand_over(state, 0);
    state.idle = Some(0);
    Ok(())
}

/// The opponent's turn ends.
fn hand_over(state: &mut State, passes: u8) {
    state.passes = passes;
    state.idle = state.idle.map(|n| n.saturating_add(1));
    if passes >= 2 {
        state.ending = Some(Ending::Drawn);
    }
    state.turn = Side::Player;
}

/// The player's turn ends: it is counted, obstacles age, and the last turn decides. A win stands whatever the count says.
fn end_turn(level: &Level, state: &mut State) {
    state.move_count += 1;
    for o in &mut state.obstacles {
        o.left = o.left.map(|n| n.saturating_sub(1));
    }
    state.obstacles.retain(|o| o.left != Some(0));
    state.turn = Side::Opponent;
    if state.ending.is_some() {
        return;
    }
    if level.rules.move_limit.is_some_and(|limit| state.move_count >= u32::from(limit)) {
        state.ending = Some(Ending::Lost);
    } else if state.passes >= 2 {
        state.ending = Some(Ending::Drawn);
    }
}

/// Passes for a player who cannot slide, and skips the turns of nobody, until somebody has a choice or the game is over.
///
/// It ends: without a slide either an obstacle will leave, and each pass brings that nearer, or two passes follow one another.
fn settle(level: &Level, state: &mut State) {
    while state.ending.is_none() {
        match state.turn {
            Side::Player if state.can_slide() => return,
            Side::Player => {
                state.passes += 1;
                state.forced = true;
                end_turn(level, state);
            }
            Side::Opponent if state.opponent != Opponent::None => return,
            Side::Opponent => {
                let passes = if may_wait(state) { 0 } else { state.passes + 1 };
                hand_over(state, passes);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------------------------ notation

/// A move as a word.
pub(super) fn write(mv: &Move) -> String {
    match mv {
        Move::Slide { tile, dir } => format!("{tile}{}", dir.letter()),
        Move::TimeUp => "timeout".into(),
        Move::Pin { tile } => format!("pin{tile}"),
        Move::Fill { at } => format!("fill{},{}", at.x, at.y),
        Move::Wait => "wait".into(),
        Move::Pass => "pass".into(),
        Move::SetOpponent(o) => format!("@{}", o.name()),
    }
}

/// What the opponent does, as words after "would".
pub(super) fn say(mv: &Move) -> String {
    match mv {
        Move::Pin { tile } => format!("pin {tile}"),
        Move::Fill { at } => format!("fill the gap at {}", at.name()),
        Move::Wait => "wait".into(),
        Move::Pass => "pass".into(),
        other => write(other),
    }
}

/// The square a move is about: where the tile is, or the gap that is filled.
pub(super) fn target_of(state: &State, mv: &Move) -> Option<Cell> {
    match mv {
        Move::Slide { tile, .. } | Move::Pin { tile } => state.find(*tile),
        Move::Fill { at } => Some(*at),
        _ => None,
    }
}

fn short(word: &str) -> String {
    word.chars().take(20).collect()
}

fn read_word(size: Size, word: &str) -> Option<Move> {
    let tile = |digits: &str| {
        let plain = digits.bytes().all(|b| b.is_ascii_digit());
        digits.parse::<u8>().ok().filter(|d| plain && (1..=level::MOST).contains(d))
    };
    match word {
        "wait" => return Some(Move::Wait),
        "pass" => return Some(Move::Pass),
        "timeout" => return Some(Move::TimeUp),
        _ => (),
    }
    if let Some(name) = word.strip_prefix('@') {
        return Opponent::from_name(name).map(Move::SetOpponent);
    }
    if let Some(digits) = word.strip_prefix("pin") {
        return tile(digits).map(|tile| Move::Pin { tile });
    }
    if let Some(at) = word.strip_prefix("fill") {
        let (x, y) = at.split_once(',')?;
        let at = Cell { x: x.parse().ok()?, y: y.parse().ok()? };
        return size.contains(at).then_some(Move::Fill { at });
    }
    let letter = word.chars().next_back()?;
    let dir = Dir::from_letter(letter)?;
    tile(&word[..word.len() - letter.len_utf8()]).map(|tile| Move::Slide { tile, dir })
}
