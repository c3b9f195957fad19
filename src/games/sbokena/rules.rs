//! The rules: what one step does, and why it may be refused.
//!
//! A step is atomic. [`step`] only reads the position and returns everything that will change ([`Step`]) or the one reason for which
//! nothing does; [`apply`] makes the change. Occupied cells and open doors are therefore those of the moment before the step, which
//! is what the rules ask for: a player may follow a box out of a wedged door, and a box thrown back onto its own cell is blocked.
//!
//! The order of reasons is the order of the checks in [`Mover::leave`] and [`Mover::enter`]: leaving, wall, object, one-way floor,
//! closed door, portal. A push is decided inside the object check, so its reason comes before those of the cell it happens on.

use super::{
    Sbokena,
    level::{Level, Object, Tile},
};
use crate::{
    game::{Fault, Refusal, Rules, Status},
    grid::{Cell, Dir},
};
use std::hash::{Hash, Hasher};

/// A box on its cell. Its number tells boxes apart for the move list and is no part of the position: boxes of a kind are alike.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Where it stands.
    pub at: Cell,
    /// [`Object::Box`] or [`Object::OneWayBox`].
    pub kind: Object,
    /// Its number, from 1, in reading order at the start.
    pub number: u32,
}

impl PartialEq for Placed {
    fn eq(&self, other: &Placed) -> bool {
        (self.at, self.kind) == (other.at, other.kind)
    }
}

impl Eq for Placed {}

impl Hash for Placed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.at, self.kind).hash(state);
    }
}

/// A position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Where the player stands.
    pub player: Cell,
    /// Whether a move has been made: a level is won *after a move*, so one that starts with all goals covered can still be played.
    pub moved: bool,
    boxes: Vec<Placed>,
}

impl State {
    /// A position; the boxes in any order.
    pub fn new(player: Cell, moved: bool, mut boxes: Vec<Placed>) -> State {
        boxes.sort_by_key(|b| (b.at, b.kind));
        State { player, moved, boxes }
    }

    /// The boxes, by cell.
    pub fn boxes(&self) -> &[Placed] {
        &self.boxes
    }

    /// The box on a cell.
    pub fn box_at(&self, at: Cell) -> Option<Placed> {
        self.boxes.binary_search_by_key(&at, |b| b.at).ok().map(|i| self.boxes[i])
    }

    /// Whatever stands on a cell.
    pub fn object_at(&self, at: Cell) -> Option<Object> {
        if at == self.player { Some(Object::Player) } else { self.box_at(at).map(|b| b.kind) }
    }
}

impl Rules for Sbokena {
    type State = State;
    type Move = Dir;

    /// Nothing without a player; of several the first counts.
    fn arrange(level: &Level) -> Option<State> {
        let player = *level.objects_where(|o| o == Object::Player).first()?;
        let boxes = level.objects_where(Object::is_box);
        let place = |(i, at): (usize, Cell)| Some(Placed { at, kind: level.object(at)?, number: i as u32 + 1 });
        let boxes = boxes.into_iter().enumerate().filter_map(place).collect();
        Some(State::new(player, false, boxes))
    }

    fn legal_moves(level: &Level, state: &State) -> Vec<Dir> {
        if Self::status(level, state) == Status::Won {
            return Vec::new();
        }
        Dir::ALL.into_iter().filter(|d| step(level, state, *d).is_ok()).collect()
    }

    fn play(level: &Level, state: &mut State, mv: &Dir) -> Result<(), Refusal> {
        if Self::status(level, state) == Status::Won {
            return Err(Refusal::new("over", "the level is already won"));
        }
        let done = step(level, state, *mv)?;
        apply(state, &done);
        Ok(())
    }

    /// Won after a move with all goals covered; there is no losing.
    fn status(level: &Level, state: &State) -> Status {
        if state.moved && all_covered(level, state) { Status::Won } else { Status::Playing }
    }

    fn counts(level: &Level, from: &State, line: &[Dir]) -> Vec<u32> {
        let (moves, pushes) = counts(level, from, line);
        vec![moves, pushes]
    }

    /// A line as LURD, pushes in capitals as they would happen from the start.
    fn write_line(level: &Level, line: &[Dir]) -> String {
        let mut state = Self::arrange(level);
        line.iter()
            .map(|dir| {
                let done = state.as_ref().and_then(|s| step(level, s, *dir).ok());
                match (&mut state, done) {
                    (Some(s), Some(step)) => {
                        apply(s, &step);
                        if step.pushed.is_some() { dir.letter() } else { dir.letter().to_ascii_lowercase() }
                    }
                    _ => {
                        // The line begins elsewhere than at the start: nothing is known about pushes any more.
                        state = None;
                        dir.letter().to_ascii_lowercase()
                    }
                }
            })
            .collect()
    }

    /// Reads LURD in either case; white space is skipped, and a number or a number before brackets repeats what follows (`3R`, `2(rU)`).
    fn read_line(_: &Level, text: &str) -> Result<Vec<Dir>, Fault> {
        let plain = super::formats::rle::expand(text, LONGEST_LINE)?;
        let mut line = Vec::with_capacity(plain.len());
        for (i, letter) in plain.chars().enumerate() {
            match Dir::from_letter(letter) {
                Some(dir) => line.push(dir),
                None if letter.is_whitespace() => (),
                None => return Err(Fault::at(1, i + 1, format!("'{letter}' is not one of the moves l, u, r, d"))),
            }
        }
        Ok(line)
    }

    fn write_move(_: &Level, mv: &Dir) -> String {
        mv.arrow().into()
    }

    /// "box at d3": where it stands before the push, since its number is not on the board.
    fn piece(level: &Level, state: &State, mv: &Dir) -> (u32, String) {
        let pushed = step(level, state, *mv).ok().and_then(|s| s.pushed).and_then(|p| state.box_at(p.from));
        match pushed {
            Some(b) => (b.number, format!("{} at {}", b.kind.name(), b.at.name())),
            None => (0, "player".into()),
        }
    }

    fn objects(level: &Level, state: &State) -> Vec<(String, Cell)> {
        let (dx, dy) = level.sbk.corner;
        let place = |c: Cell| Cell { x: c.x.saturating_add(dx), y: c.y.saturating_add(dy) };
        let player = (Object::Player.name().to_string(), place(state.player));
        let boxes = state.boxes().iter().map(|b| (b.kind.name().to_string(), place(b.at)));
        std::iter::once(player).chain(boxes).collect()
    }

    /// XSB letters, `o` button, `|` closed and `/` open door, `O` portal, `^>v<` one-way floor, `u r d l` one-way boxes (capitals on a goal).
    fn board_text(level: &Level, state: &State) -> String {
        let letter = |c: Cell| {
            let goal = level.tile(c) == Tile::Goal;
            match (state.object_at(c), level.tile(c)) {
                (Some(Object::Player), _) => {
                    if goal {
                        '+'
                    } else {
                        '@'
                    }
                }
                (Some(Object::Box), _) => {
                    if goal {
                        '*'
                    } else {
                        '$'
                    }
                }
                (Some(Object::OneWayBox(d)), _) => {
                    if goal {
                        d.letter()
                    } else {
                        d.letter().to_ascii_lowercase()
                    }
                }
                (None, Tile::Wall) => '#',
                (None, Tile::Floor) => ' ',
                (None, Tile::Goal) => '.',
                (None, Tile::Button(_)) => 'o',
                (None, Tile::Door(n)) => {
                    if is_open(level, state, n, c) {
                        '/'
                    } else {
                        '|'
                    }
                }
                (None, Tile::Portal(..)) => 'O',
                (None, Tile::OneWay(d)) => match d {
                    Dir::Up => '^',
                    Dir::Right => '>',
                    Dir::Down => 'v',
                    Dir::Left => '<',
                },
            }
        };
        let size = level.size();
        let row = |y: u16| (0..size.w).map(|x| letter(Cell { x: x as i16, y: y as i16 })).collect::<String>();
        (0..size.h).map(row).collect::<Vec<_>>().join("\n")
    }
}

/// Why a move is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A wall is in the way.
    Wall,
    /// A door is closed.
    ClosedDoor,
    /// A one-way floor, a one-way box or a portal does not work in this direction.
    WrongWay,
    /// A box would meet another object.
    Blocked,
    /// The player would come out of a portal onto themself.
    Own,
}

impl Reason {
    /// The word in `replay --json`.
    pub const fn word(self) -> &'static str {
        match self {
            Reason::Wall => "wall",
            Reason::ClosedDoor => "closed-door",
            Reason::WrongWay => "wrong-way",
            Reason::Blocked => "blocked",
            Reason::Own => "self",
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Reason::Wall => "a wall is in the way",
            Reason::ClosedDoor => "the door is closed: something must stand on its button",
            Reason::WrongWay => "this only works in another direction",
            Reason::Blocked => "the box is blocked by something behind it",
            Reason::Own => "the way out of the portal is where you stand",
        }
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Refusal {
        Refusal::new(reason.word(), reason.text())
    }
}

/// Where a thing goes in one step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Track {
    /// From here.
    pub from: Cell,
    /// To here.
    pub to: Cell,
    /// The first portal it went into and the last it came out of.
    pub portals: Option<(Cell, Cell)>,
}

/// All that a legal step changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The player's way.
    pub player: Track,
    /// The way of the box that is pushed.
    pub pushed: Option<Track>,
}

/// Decides a step without making it.
pub fn step(level: &Level, state: &State, dir: Dir) -> Result<Step, Reason> {
    let mut mover = Mover { level, state, object: Object::Player, from: state.player, pushed: None };
    let player = mover.leave(dir)?;
    Ok(Step { player, pushed: mover.pushed })
}

/// Makes a step that [`step`] allowed.
pub fn apply(state: &mut State, step: &Step) {
    if let Some(push) = step.pushed
        && let Some(b) = state.boxes.iter_mut().find(|b| b.at == push.from)
    {
        b.at = push.to;
        state.boxes.sort_by_key(|b| (b.at, b.kind));
    }
    state.player = step.player.to;
    state.moved = true;
}

/// Whether the door of this number at this cell is open: one of its buttons is held, or something stands in it.
pub fn is_open(level: &Level, state: &State, door: u32, at: Cell) -> bool {
    let held = |c: Cell| level.tile(c) == Tile::Button(door);
    state.object_at(at).is_some() || held(state.player) || state.boxes.iter().any(|b| held(b.at))
}

struct Mover<'a> {
    level: &'a Level,
    state: &'a State,
    object: Object,
    from: Cell,
    pushed: Option<Track>,
}

impl Mover<'_> {
    fn leave(&mut self, dir: Dir) -> Result<Track, Reason> {
        match self.level.tile(self.from) {
            Tile::OneWay(only) if only != dir => Err(Reason::WrongWay),
            _ => self.enter(self.from.step(dir), dir),
        }
    }

    /// Follows portals until the object comes to rest. The way through portals can be undone, so it never enters one portal twice in the
    /// same direction unless it began inside one; the counter only guards drafts that put an object there.
    fn enter(&mut self, first: Cell, first_dir: Dir) -> Result<Track, Reason> {
        let (mut to, mut dir) = (first, first_dir);
        let mut portals = None;
        for _ in 0..=4 * self.level.size().area() {
            let tile = self.level.tile(to);
            if tile == Tile::Wall {
                return Err(Reason::Wall);
            }
            self.meet(to, dir)?;
            match tile {
                Tile::OneWay(only) if only != dir && portals.is_none() => return Err(Reason::WrongWay),
                Tile::Door(n) if !is_open(self.level, self.state, n, to) => return Err(Reason::ClosedDoor),
                Tile::Portal(_, entry) => {
                    if entry != dir {
                        return Err(Reason::WrongWay);
                    }
                    // A portal without a partner leads nowhere: in a draft it is as good as a wall.
                    let (exit, exit_entry) = self.level.partner(to).ok_or(Reason::Wall)?;
                    let out = exit_entry.opposite();
                    if matches!(self.object, Object::OneWayBox(only) if only != out) {
                        return Err(Reason::WrongWay);
                    }
                    portals = Some((portals.map_or(to, |(first, _)| first), exit));
                    (to, dir) = (exit.step(out), out);
                }
                _ => return Ok(Track { from: self.from, to, portals }),
            }
        }
        Err(Reason::Own)
    }

    /// What happens when the cell ahead is occupied: the player pushes, a box does not.
    fn meet(&mut self, at: Cell, dir: Dir) -> Result<(), Reason> {
        match (self.object, self.state.object_at(at)) {
            (_, None) => Ok(()),
            (Object::Player, Some(Object::Player)) => Err(Reason::Own),
            (Object::Player, Some(Object::OneWayBox(only))) if only != dir => Err(Reason::WrongWay),
            (Object::Player, Some(object)) => {
                let mut pushed = Mover { object, from: at, ..*self };
                self.pushed = Some(pushed.leave(dir)?);
                Ok(())
            }
            _ => Err(Reason::Blocked),
        }
    }
}

/// Whether every goal holds a box; never for a level without goals.
pub fn all_covered(level: &Level, state: &State) -> bool {
    let goals = level.tiles.values().iter().filter(|t| **t == Tile::Goal).count();
    let on_goals = state.boxes.iter().filter(|b| level.tile(b.at) == Tile::Goal).count();
    goals > 0 && goals == on_goals
}

/// Steps and pushes of a line, as far as it is legal.
pub fn counts(level: &Level, from: &State, line: &[Dir]) -> (u32, u32) {
    let mut state = from.clone();
    let (mut moves, mut pushes) = (0, 0);
    for dir in line {
        let Ok(step) = step(level, &state, *dir) else { break };
        moves += 1;
        pushes += u32::from(step.pushed.is_some());
        apply(&mut state, &step);
    }
    (moves, pushes)
}

/// The longest line that is read: far beyond any solution, and small enough to hold.
pub(super) const LONGEST_LINE: usize = 4_000_000;
