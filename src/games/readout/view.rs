//! How it looks, and how pointer and keys become slides.
//!
//! Tiles are the player's blue, obstacles the opponent's gold. Colour is never the only sign: a tile that can slide has an arrowhead at the
//! edge it would cross, a pinned tile carries a pin with the turns it stays, a filled gap a barred plate, a tile at home a dot.
//!
//! A click on a tile beside one gap slides it. A tile beside several is chosen by the click, and a click on a gap sends it there. Since some
//! people click the tile and then the gap in any case, a click on the very tile that a click has just moved is not taken as a wish to move
//! it back until it is repeated. A drag pulls the line of tiles between the pressed one and the gap; each is a turn of its own.

use super::{Level, Move, Opponent, Readout, Side, Square, State, level, opponent, rules};
use crate::{
    game::{Ahead, Draft, Hint, Ink, Input, Key, Nudge, Offer, Reaction, Scene, View},
    grid::{Cell, Dir, Spot},
    picture::{Area, Colours, Pen, Picture, Point, Rgba, point},
};

const TILE: Rgba = Rgba::hex(0x1e90ff);
const OBSTACLE: Rgba = Rgba::hex(0xffd700);
const OUTLINE: Rgba = Rgba::hex(0xaaaaaa);
const LINES: Rgba = Rgba::hex(0x333333);
const VALID: Rgba = Rgba::hex(0x66ccff);
const LAST: Rgba = Rgba::hex(0xffcc00);
const DIGIT: Rgba = Rgba::hex(0xffffff);
const DARK: Rgba = Rgba::hex(0x222222);
/// A drag shorter than this is a click.
const CLICK: f32 = 0.3;

/// Pointer, chosen tile, drag.
#[derive(Clone, Debug, Default)]
pub struct Ui {
    hover: Option<Cell>,
    chosen: Option<u8>,
    pressed: Option<(Point, Point)>,
    /// The tile that a click has just moved.
    moved: Option<u8>,
}

impl View for Readout {
    type Ui = Ui;

    fn draw(picture: &mut Picture, scene: &Scene<'_, Readout>) {
        Painter { picture, scene }.draw();
    }

    fn draw_ink(picture: &mut Picture, _: &Level, ink: Ink, colours: &Colours) {
        let at = point(0.0, 0.0);
        picture.rect(Area::new(0.0, 0.0, 1.0, 1.0), 0.1, colours.floor, Pen::NONE);
        match ink.swatch {
            0 => picture.rect(Area::new(0.2, 0.2, 0.6, 0.6), 0.05, Rgba::CLEAR, Pen::new(colours.ink_soft, 0.03)),
            1 => fixed(picture, at, colours),
            2 => {
                let pen = Pen::new(colours.ink, 0.07);
                picture.arrow(point(0.15, 0.35), point(0.85, 0.35), pen);
                picture.arrow(point(0.85, 0.65), point(0.15, 0.65), pen);
            }
            digit => tile(picture, at, 1.0, (digit - 2).min(99) as u8, TILE),
        }
    }

    fn describe(level: &Level, state: Option<&State>, spot: Spot) -> String {
        let squares = state.map_or(&level.squares, |s| &s.squares);
        let Some(square) = squares.get(spot.cell) else { return "off the board".into() };
        let stays = |state: Option<&State>| match state.and_then(|s| s.obstacle(spot.cell)).map(|o| o.left) {
            None => None,
            Some(None) => Some("for ever".to_string()),
            Some(Some(1)) => Some("for 1 more turn".to_string()),
            Some(Some(n)) => Some(format!("for {n} more turns")),
        };
        match (square, stays(state)) {
            (Square::Gap, None) => "gap".into(),
            (Square::Gap, Some(stays)) => format!("filled gap, {stays}"),
            (Square::Fixed, _) => "fixed tile".into(),
            (Square::Digit(d), Some(stays)) => format!("tile {d}, pinned {stays}"),
            (Square::Digit(d), None) => {
                let ways: Vec<&str> =
                    state.map_or(Vec::new(), |s| directions(s, *d)).iter().map(|d| d.name()).collect();
                let home = level::target(squares)[spot.cell] == *square;
                let place = if home { ", at home" } else { "" };
                let can = if ways.is_empty() { String::new() } else { format!(", can slide {}", ways.join(" or ")) };
                format!("tile {d}{place}{can}")
            }
        }
    }

    fn input(level: &Level, state: &State, ui: &mut Ui, input: &Input) -> Reaction<Move> {
        match *input {
            Input::Hover(at) => {
                ui.hover = at.map(Point::cell).filter(|c| Readout::size(level).contains(*c));
                Reaction::used()
            }
            Input::Press(at) => {
                let on_board = Readout::size(level).contains(at.cell());
                ui.pressed = on_board.then_some((at, at));
                ui.hover = None;
                if on_board { Reaction::used() } else { Reaction::ignored() }
            }
            Input::Drag(at) => match &mut ui.pressed {
                Some((_, now)) => {
                    *now = at;
                    Reaction::used()
                }
                None => Reaction::ignored(),
            },
            Input::Release(at) => match ui.pressed.take() {
                Some((from, _)) if from.distance(at) < CLICK => on_turn(state, || click(state, ui, from.cell())),
                Some((from, _)) => on_turn(state, || drag(state, ui, from, at)),
                None => Reaction::ignored(),
            },
            Input::Key(key) => press(state, ui, key),
            Input::Wheel(_) => Reaction::ignored(),
        }
    }

    fn motion_seconds(_: &Level, _: &State, mv: &Move) -> f32 {
        match mv {
            Move::Slide { .. } | Move::Pin { .. } | Move::Fill { .. } => 0.18,
            _ => 0.0,
        }
    }

    fn hint(level: &Level, state: &State, moves: &[Move], stage: u8) -> Hint {
        let (tile, dir) = match moves.first() {
            Some(Move::Slide { tile, dir }) => (*tile, *dir),
            Some(mv) => return Hint { spots: Vec::new(), text: rules::say(mv) },
            None => return Hint::default(),
        };
        let Some(at) = state.find(tile) else { return Hint::default() };
        let size = Readout::size(level);
        if stage == 0 {
            return Hint { spots: vec![at.into()], text: format!("slide tile {tile}") };
        }
        let spots = [at, at.step(dir)].into_iter().filter(|c| size.contains(*c)).map(Spot::from).collect();
        Hint { spots, text: format!("slide tile {tile} {} to {}", dir.name(), at.step(dir).name()) }
    }

    fn draw_ahead(picture: &mut Picture, scene: &Scene<'_, Readout>, ahead: &Ahead<'_, Readout>) {
        let (Some(state), Some(Move::Slide { tile, dir })) = (scene.state, ahead.moves.first()) else { return };
        let Some(at) = state.find(*tile) else { return };
        picture.rect(Area::of(at).inset(0.05), 0.12, Rgba::CLEAR, Pen::new(scene.colours.accent, 0.07));
        if ahead.stage == 0 {
            return;
        }
        let to = at.step(*dir);
        self::tile(picture, corner(to), 1.0, *tile, TILE.faded(0.5));
        picture.rect(Area::of(to).inset(0.05), 0.12, Rgba::CLEAR, Pen::new(scene.colours.accent, 0.07));
        // Between the digits, so that both can be read.
        let (from, end) = (Point::middle(at), Point::middle(to));
        picture.move_arrow(&[from.towards(end, 0.28), from.towards(end, 0.8)], scene.colours);
        if let Some(after) = ahead.after {
            Painter { picture, scene }.answer(after);
        }
    }

    fn about_position(level: &Level, state: &State) -> Vec<String> {
        notices(level, state)
    }
}

pub(super) fn clock(level: &Level, state: &State) -> Option<(f32, Move)> {
    let running = level.rules.turn_clock > 0 && state.ending.is_none() && state.turn == Side::Player;
    running.then(|| (level.rules.turn_clock.into(), Move::TimeUp))
}

pub(super) fn offers(_: &Level, state: &State) -> Vec<Offer<Move>> {
    if state.ending.is_some() {
        return Vec::new();
    }
    let offer = |o: Opponent| Offer { label: title(o).into(), chosen: o == state.opponent, mv: Move::SetOpponent(o) };
    Opponent::ALL.map(offer).into()
}

const fn title(opponent: Opponent) -> &'static str {
    match opponent {
        Opponent::None => "No opponent",
        Opponent::Easy => "Easy",
        Opponent::Medium => "Medium",
        Opponent::Hard => "Hard",
    }
}

fn count(n: u32, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

fn notices(level: &Level, state: &State) -> Vec<String> {
    let mut out = Vec::new();
    let alone = state.opponent == Opponent::None;
    out.extend(match state.ending {
        Some(super::Ending::Won) => Some(match rules::points(level, state) {
            Some(points) => format!("You have won, with {}", count(points, "point", "points")),
            None => "You have won".into(),
        }),
        Some(super::Ending::Lost) if alone => Some("that was the last move".into()),
        Some(super::Ending::Lost) => Some(format!("{} wins: that was the last turn", title(state.opponent))),
        Some(super::Ending::Drawn) => Some("A draw: both had to pass".into()),
        None if alone => None,
        None if state.turn == Side::Player => Some("Your turn".into()),
        None => Some(format!("{}'s turn", title(state.opponent))),
    });
    if state.forced && state.ending.is_none() {
        out.push("No tile could slide: you passed".into());
    }
    if let Some(limit) = level.rules.move_limit {
        out.push(format!("{} left", count(u32::from(limit).saturating_sub(state.move_count), "move", "moves")));
    }
    if !alone {
        out.push(format!("{} made", count(state.pieces_played, "slide", "slides")));
        let left = rules::obstacles_left(level, state);
        let left = left.map_or("unlimited obstacles".into(), |n| format!("{} left", count(n, "obstacle", "obstacles")));
        let rest = state.idle.map_or(0, |idle| level.rules.cooldown_of(state.opponent).saturating_sub(idle));
        let rest =
            if rest > 0 { format!(", the next after {}", count(rest.into(), "turn", "turns")) } else { String::new() };
        out.push(format!("{}: {left}{rest}", title(state.opponent)));
    }
    for o in &state.obstacles {
        let what = match state.squares[o.at] {
            Square::Digit(d) => format!("{d} is pinned"),
            _ => "a gap is filled".into(),
        };
        out.push(match o.left {
            None => format!("{what} for ever"),
            Some(n) => format!("{what} for {}", count(n.into(), "more turn", "more turns")),
        });
    }
    if state.ending.is_none() && state.turn == Side::Player && opponent::winning_slide(state).is_some() {
        out.push("One slide wins".into());
    }
    out
}

// ------------------------------------------------------------------------------------------------------------- input into moves

/// The ways a tile can slide now.
fn directions(state: &State, tile: u8) -> Vec<Dir> {
    let way = |mv: Move| match mv {
        Move::Slide { tile: t, dir } if t == tile => Some(dir),
        _ => None,
    };
    state.slides().into_iter().filter_map(way).collect()
}

/// Only in the player's turn.
fn on_turn(state: &State, act: impl FnOnce() -> Reaction<Move>) -> Reaction<Move> {
    if state.ending.is_some() {
        Reaction::say("the game is over")
    } else if state.turn != Side::Player {
        Reaction::say(format!("it is {}'s turn", title(state.opponent)))
    } else {
        act()
    }
}

fn click(state: &State, ui: &mut Ui, at: Cell) -> Reaction<Move> {
    let moved = ui.moved.take();
    match state.squares.get(at) {
        Some(Square::Digit(tile)) => {
            // Unless that slide was taken back.
            if moved == Some(*tile) && state.slid == moved {
                ui.chosen = None;
                return Reaction::say(format!("{tile} has just moved here; click again to move it back"));
            }
            match directions(state, *tile).as_slice() {
                [dir] => {
                    ui.chosen = None;
                    ui.moved = Some(*tile);
                    Reaction::moves(vec![Move::Slide { tile: *tile, dir: *dir }])
                }
                [] if state.obstacle(at).is_some() => {
                    Reaction::say(format!("{tile} is pinned")).nudged(Nudge::shake(usize::from(*tile)))
                }
                [] => {
                    ui.chosen = Some(*tile);
                    Reaction::say(format!("there is no gap beside {tile}")).nudged(Nudge::shake(usize::from(*tile)))
                }
                _ => {
                    ui.chosen = Some(*tile);
                    Reaction::say(format!("{tile} chosen: click the gap it should go to"))
                }
            }
        }
        Some(Square::Gap) => {
            let slide = ui.chosen.and_then(|tile| {
                let dir = Dir::between(state.find(tile)?, at)?;
                Some(Move::Slide { tile, dir })
            });
            match slide {
                Some(mv) => {
                    ui.chosen = None;
                    Reaction::moves(vec![mv])
                }
                None if state.obstacle(at).is_some() => Reaction::say("this gap is filled"),
                None => Reaction::say("choose a tile beside this gap"),
            }
        }
        Some(Square::Fixed) => Reaction::say("a fixed tile never moves"),
        None => Reaction::ignored(),
    }
}

/// The way a drag goes, if it is long enough.
fn heading(from: Point, to: Point) -> Option<(Dir, f32)> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let dir = match dx.abs() > dy.abs() {
        true if dx > 0.0 => Dir::Right,
        true => Dir::Left,
        false if dy > 0.0 => Dir::Down,
        false => Dir::Up,
    };
    let far = dx.abs().max(dy.abs());
    (far >= CLICK).then_some((dir, far))
}

/// The tiles from a square to the nearest gap that way, the one beside the gap first; empty if something else is between.
fn line(state: &State, from: Cell, dir: Dir) -> Vec<u8> {
    let mut tiles = Vec::new();
    let mut at = from;
    loop {
        match state.squares.get(at) {
            Some(Square::Digit(tile)) => tiles.push(*tile),
            Some(Square::Gap) if !tiles.is_empty() && state.is_open_gap(at) => {
                tiles.reverse();
                return tiles;
            }
            _ => return Vec::new(),
        }
        at = at.step(dir);
    }
}

fn drag(state: &State, ui: &mut Ui, from: Point, to: Point) -> Reaction<Move> {
    ui.moved = None;
    ui.chosen = None;
    let Some((dir, _)) = heading(from, to) else { return Reaction::used() };
    let tiles = line(state, from.cell(), dir);
    if tiles.is_empty() {
        return match state.squares.get(from.cell()) {
            Some(Square::Digit(tile)) => Reaction::say(format!("there is no gap {} of {tile}", dir.name()))
                .nudged(Nudge::bump(usize::from(*tile), dir)),
            _ => Reaction::used(),
        };
    }
    Reaction::moves(tiles.into_iter().map(|tile| Move::Slide { tile, dir }).collect())
}

fn press(state: &State, ui: &mut Ui, key: Key) -> Reaction<Move> {
    match key {
        Key::Dir(dir) => on_turn(state, || {
            ui.moved = None;
            let slides: Vec<Move> =
                state.slides().into_iter().filter(|m| matches!(m, Move::Slide { dir: d, .. } if *d == dir)).collect();
            let chosen = slides.iter().find(|m| matches!(m, Move::Slide { tile, .. } if Some(*tile) == ui.chosen));
            match (slides.as_slice(), chosen) {
                (_, Some(mv)) => Reaction::moves(vec![*mv]),
                ([mv], None) => Reaction::moves(vec![*mv]),
                ([], None) => {
                    // The tile that would slide is pinned, or there is none.
                    let pinned =
                        state.squares.iter().find_map(|(gap, s)| match state.squares.get(gap.step(dir.opposite())) {
                            Some(Square::Digit(tile)) if *s == Square::Gap => Some(usize::from(*tile)),
                            _ => None,
                        });
                    let refused = Reaction::say(format!("no tile can slide {}", dir.name()));
                    let nudge = pinned.or(state.slid.map(usize::from)).map(|tile| Nudge::bump(tile, dir));
                    Reaction { nudge, ..refused }
                }
                _ => Reaction::say(format!("several tiles can slide {}: choose one with Page Down", dir.name())),
            }
        }),
        Key::Next(forward) => {
            let mut tiles: Vec<u8> = state
                .slides()
                .iter()
                .filter_map(|m| if let Move::Slide { tile, .. } = m { Some(*tile) } else { None })
                .collect();
            tiles.dedup();
            let at = tiles.iter().position(|t| Some(*t) == ui.chosen);
            let next = match (at, forward, tiles.len()) {
                (_, _, 0) => None,
                (Some(i), true, n) => Some(tiles[(i + 1) % n]),
                (Some(i), false, n) => Some(tiles[(i + n - 1) % n]),
                (None, true, _) => Some(tiles[0]),
                (None, false, n) => Some(tiles[n - 1]),
            };
            ui.chosen = next;
            next.map_or(Reaction::ignored(), |tile| Reaction::say(format!("tile {tile}")))
        }
        Key::Activate => on_turn(state, || match ui.chosen.map(|tile| (tile, directions(state, tile))) {
            Some((tile, ways)) if ways.len() == 1 => Reaction::moves(vec![Move::Slide { tile, dir: ways[0] }]),
            Some((tile, ways)) if ways.is_empty() => Reaction::say(format!("{tile} cannot slide")),
            Some((tile, _)) => Reaction::say(format!("{tile} can go more than one way: use an arrow key")),
            None => Reaction::say("choose a tile with Page Down"),
        }),
        Key::Cancel => {
            let had = ui.chosen.take().is_some() | ui.pressed.take().is_some();
            if had { Reaction::used() } else { Reaction::ignored() }
        }
        _ => Reaction::ignored(),
    }
}

// ---------------------------------------------------------------------------------------------------------------------- drawing

struct Painter<'a, 'b> {
    picture: &'a mut Picture,
    scene: &'a Scene<'b, Readout>,
}

impl Painter<'_, '_> {
    fn draw(&mut self) {
        let Scene { level, state, motion, colours, .. } = self.scene;
        // A move on its way is drawn from the position before it.
        let state = motion.as_ref().map(|m| m.from).or(*state);
        let squares = state.map_or(&level.squares, |s| &s.squares);
        self.floor(squares.size());
        let target = level::target(squares);
        for (c, square) in squares.iter() {
            match square {
                Square::Gap => (),
                Square::Fixed => fixed(self.picture, corner(c), colours),
                Square::Digit(d) => {
                    let at = self.place(c, *d, state);
                    tile(self.picture, at, 1.0, *d, TILE);
                    if self.detailed() && target[c] == *square {
                        self.picture.circle(at.shift(0.5, 0.86), 0.035, DIGIT.faded(0.8), Pen::NONE);
                    }
                }
            }
        }
        if let Some(state) = state {
            self.last(state);
            self.obstacles(state);
            self.choices(state);
        }
    }

    fn detailed(&self) -> bool {
        self.scene.cell_px >= 20.0
    }

    fn floor(&mut self, size: crate::grid::Size) {
        let (w, h) = (f32::from(size.w), f32::from(size.h));
        self.picture.rect(Area::new(0.0, 0.0, w, h), 0.06, self.scene.colours.floor, Pen::NONE);
        let pen = Pen::new(LINES, 0.03);
        for x in 0..=size.w {
            let x = f32::from(x);
            self.picture.line(vec![point(x, 0.0), point(x, h)], pen);
        }
        for y in 0..=size.h {
            let y = f32::from(y);
            self.picture.line(vec![point(0.0, y), point(w, y)], pen);
        }
    }

    /// Where a tile is drawn: on its square, on its way, or under the pointer that drags it.
    fn place(&self, c: Cell, digit: u8, state: Option<&State>) -> Point {
        let at = corner(c);
        if let Some(motion) = &self.scene.motion {
            return match motion.mv {
                Move::Slide { tile, dir } if *tile == digit => at.towards(corner(c.step(*dir)), motion.t),
                _ => at,
            };
        }
        let dragged = self.scene.ui.and_then(|ui| ui.pressed).zip(state).and_then(|((from, to), state)| {
            let (dir, far) = heading(from, to)?;
            let pulled = state.turn == Side::Player && line(state, from.cell(), dir).contains(&digit);
            pulled.then(|| at.towards(corner(c.step(dir)), far.min(1.0)))
        });
        let (dx, dy) = self.scene.nudged(usize::from(digit));
        dragged.unwrap_or(at).shift(dx, dy)
    }

    /// What the opponent did last, in gold. Before its first act, or without one, a thin ring marks the tile that slid last.
    fn last(&mut self, state: &State) {
        if self.scene.motion.is_some() || self.scene.ui.is_none() && state.opponent == Opponent::None {
            return;
        }
        if !self.answer(state)
            && let Some(c) = state.slid.and_then(|tile| state.find(tile))
        {
            self.picture.rect(Area::of(c).inset(0.05), 0.14, Rgba::CLEAR, Pen::new(DIGIT.faded(0.7), 0.03));
        }
    }

    /// Marks the opponent's act that led to a position, if one did: a gold ring around what it pinned or filled, a gold pause sign in a gap if it waited.
    fn answer(&mut self, state: &State) -> bool {
        let Some(mv) = state.last else { return false };
        match mv {
            Move::Pin { .. } | Move::Fill { .. } => {
                let Some(at) = rules::target_of(state, &mv) else { return false };
                // It may be gone again where the player had to pass.
                if self.scene.state.is_none_or(|s| s.obstacle(at).is_none()) {
                    self.obstacle(state.squares[at], at, state.obstacle(at).and_then(|o| o.left), 0.8);
                }
                self.picture.rect(Area::of(at).inset(-0.03), 0.18, Rgba::CLEAR, Pen::new(DARK, 0.09));
                self.picture.rect(Area::of(at).inset(-0.03), 0.18, Rgba::CLEAR, Pen::new(LAST, 0.06));
            }
            Move::Wait | Move::Pass => {
                let open = state.squares.iter().find(|(c, s)| **s == Square::Gap && state.obstacle(*c).is_none());
                let Some((at, _)) = open else { return false };
                let middle = Point::middle(at);
                self.picture.circle(middle, 0.24, DARK, Pen::new(LAST, 0.06));
                for side in [-0.08, 0.08] {
                    let pen = Pen::new(LAST, 0.08);
                    self.picture.line(vec![middle.shift(side, -0.11), middle.shift(side, 0.11)], pen);
                }
            }
            _ => return false,
        }
        true
    }

    fn obstacles(&mut self, state: &State) {
        for o in &state.obstacles {
            self.obstacle(state.squares[o.at], o.at, o.left, 1.0);
        }
        // One that is being put down grows into its place.
        let Some(motion) = &self.scene.motion else { return };
        let life = self.scene.level.rules.life;
        if let Move::Pin { .. } | Move::Fill { .. } = motion.mv
            && let Some(at) = rules::target_of(state, motion.mv)
        {
            self.obstacle(state.squares[at], at, (life > 0).then_some(life), motion.t);
        }
    }

    fn obstacle(&mut self, on: Square, at: Cell, left: Option<u16>, grown: f32) {
        let middle = Point::middle(at);
        if on == Square::Gap {
            let half = 0.44 * grown;
            let area = Area::new(middle.x - half, middle.y - half, 2.0 * half, 2.0 * half);
            self.picture.rect(area, 0.1 * grown, OBSTACLE, Pen::new(OUTLINE, 0.03));
            let bar = 0.3 * grown;
            let pen = Pen::new(DARK, 0.05 * grown);
            self.picture.line(vec![middle.shift(-bar, -bar), middle.shift(bar, bar)], pen);
            self.picture.line(vec![middle.shift(-bar, bar), middle.shift(bar, -bar)], pen);
            self.life(middle, 0.19 * grown, left);
        } else {
            // A gold frame with a bolt in three corners and the pin's head, with its life, in the fourth.
            let frame = Area::of(at).inset(0.07);
            self.picture.rect(frame, 0.12, Rgba::CLEAR, Pen::new(OBSTACLE, 0.08 * grown));
            for (x, y) in [(-0.38, -0.38), (-0.38, 0.38), (0.38, 0.38)] {
                self.picture.circle(middle.shift(x, y), 0.07 * grown, OBSTACLE, Pen::new(DARK, 0.025));
            }
            self.life(middle.shift(0.3, -0.3), 0.19 * grown, left);
        }
    }

    /// A gold disc with the turns an obstacle stays; two rings for ever.
    fn life(&mut self, at: Point, radius: f32, left: Option<u16>) {
        self.picture.circle(at, radius, OBSTACLE, Pen::new(DARK, 0.03));
        if !self.detailed() {
            return;
        }
        match left {
            Some(n) => self.picture.text(at, radius * 1.5, n.to_string(), DARK),
            None => {
                for side in [-0.4, 0.4] {
                    self.picture.circle(at.shift(side * radius, 0.0), radius * 0.36, Rgba::CLEAR, Pen::new(DARK, 0.03));
                }
            }
        }
    }

    /// What can be done: the tiles that can slide, the chosen one, the slide under the pointer.
    fn choices(&mut self, state: &State) {
        let Some(ui) = self.scene.ui else { return };
        let at_work = state.ending.is_none() && state.turn == Side::Player && self.scene.motion.is_none();
        if let Some(c) = ui.chosen.and_then(|tile| state.find(tile)) {
            self.picture.rect(Area::of(c).inset(0.02), 0.16, Rgba::CLEAR, Pen::new(self.scene.colours.accent, 0.07));
        }
        let dragging = ui.pressed.is_some_and(|(from, to)| from.distance(to) >= CLICK);
        if !at_work || dragging {
            return;
        }
        for mv in state.slides() {
            let Move::Slide { tile: digit, dir } = mv else { continue };
            let Some(c) = state.find(digit) else { continue };
            self.picture.rect(Area::of(c).inset(0.1), 0.1, Rgba::CLEAR, Pen::new(VALID, 0.045));
            let (dx, dy) = dir.delta();
            let (dx, dy) = (f32::from(dx), f32::from(dy));
            let tip = Point::middle(c).shift(dx * 0.47, dy * 0.47);
            let base = tip.shift(-dx * 0.13, -dy * 0.13);
            let points = vec![tip, base.shift(-dy * 0.12, dx * 0.12), base.shift(dy * 0.12, -dx * 0.12)];
            self.picture.polygon(points, VALID, Pen::new(DARK, 0.015));
            // Under the pointer: the tile where it would go.
            if ui.hover == Some(c) && directions(state, digit).len() == 1
                || ui.hover == Some(c.step(dir)) && ui.chosen == Some(digit)
            {
                tile(self.picture, corner(c.step(dir)), 1.0, digit, TILE.faded(0.35));
            }
        }
    }
}

fn corner(c: Cell) -> Point {
    point(f32::from(c.x), f32::from(c.y))
}

fn tile(picture: &mut Picture, at: Point, scale: f32, digit: u8, colour: Rgba) {
    let area = Area::new(at.x, at.y, scale, scale).inset(0.05);
    picture.rect(area, 0.12, colour, Pen::new(OUTLINE.faded(f32::from(colour.3) / 255.0), 0.025));
    let size = if digit < 10 { 0.55 } else { 0.48 };
    picture.text(area.middle(), size, digit.to_string(), DIGIT.faded(f32::from(colour.3) / 255.0));
}

fn fixed(picture: &mut Picture, at: Point, colours: &Colours) {
    let area = Area::new(at.x, at.y, 1.0, 1.0).inset(0.04);
    picture.rect(area, 0.08, colours.wall, Pen::new(colours.wall_edge, 0.04));
    let pen = Pen::new(colours.wall_edge, 0.04);
    for k in [0.3, 0.55, 0.8] {
        picture.line(vec![at.shift(0.12, k), at.shift(k, 0.12)], pen);
    }
}
