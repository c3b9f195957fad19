//! How a game is drawn, and how pointer and keys become moves.

use super::{Ink, Rules};
use crate::{
    grid::{Dir, Spot},
    picture::{Area, Colours, Pen, Picture, Point},
};
use std::fmt::Debug;

/// A key as a game sees it. The window maps arrows and WASD to `Dir`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// An arrow key or one of WASD.
    Dir(Dir),
    /// Space or Enter: pick up, let go, choose.
    Activate,
    /// Escape: let go of what is in hand.
    Cancel,
    /// Tab-like: the next (`true`) or previous piece.
    Next(bool),
    /// Turn the piece in hand clockwise (`true`) or back.
    Turn(bool),
    /// Mirror the piece in hand.
    Mirror,
    /// Another letter or digit.
    Char(char),
}

/// What the player does, in board units: cell (x, y) is the square from (x, y) to (x+1, y+1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Input {
    /// The pointer moves with no button down; `None` when it leaves.
    Hover(Option<Point>),
    /// The main button goes down.
    Press(Point),
    /// The pointer moves while it is down. Several may come in one frame.
    Drag(Point),
    /// The button is let go.
    Release(Point),
    /// The wheel is turned by this many notches.
    Wheel(f32),
    /// A key goes down.
    Key(Key),
}

/// What became of an input.
#[derive(Clone, PartialEq, Debug)]
pub struct Reaction<M> {
    /// Moves to make, in order; the first refused one ends the list.
    pub moves: Vec<M>,
    /// Whether the input meant something here. An unused key may mean something to the window.
    pub used: bool,
    /// A short sentence for the player ("locked: 2 more cats").
    pub say: Option<String>,
    /// A motion that is no move.
    pub nudge: Option<Nudge>,
}

impl<M> Reaction<M> {
    /// It meant nothing.
    pub fn ignored() -> Reaction<M> {
        Reaction { moves: Vec::new(), used: false, say: None, nudge: None }
    }

    /// It changed the view's own state only.
    pub fn used() -> Reaction<M> {
        Reaction { moves: Vec::new(), used: true, say: None, nudge: None }
    }

    /// It makes moves.
    pub fn moves(moves: Vec<M>) -> Reaction<M> {
        Reaction { moves, used: true, say: None, nudge: None }
    }

    /// It says something.
    pub fn say(text: impl Into<String>) -> Reaction<M> {
        Reaction { moves: Vec::new(), used: true, say: Some(text.into()), nudge: None }
    }

    /// The same with a motion that is no move.
    pub fn nudged(self, nudge: Nudge) -> Reaction<M> {
        Reaction { nudge: Some(nudge), ..self }
    }
}

/// A short motion of a piece that is no move: it answers an input that led nowhere.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Nudge {
    /// The piece, by a number of the game's choice.
    pub piece: usize,
    /// What it does.
    pub kind: NudgeKind,
}

/// What a nudged piece does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NudgeKind {
    /// Runs a little way and comes back: something is in its way there.
    Bump(Dir),
    /// Shakes its head: it cannot be moved.
    Shake,
    /// Comes to rest from this far off, in cells: it was let go between two places.
    Settle(f32, f32),
}

impl Nudge {
    /// A piece that cannot go there.
    pub const fn bump(piece: usize, dir: Dir) -> Nudge {
        Nudge { piece, kind: NudgeKind::Bump(dir) }
    }

    /// A piece that cannot be moved.
    pub const fn shake(piece: usize) -> Nudge {
        Nudge { piece, kind: NudgeKind::Shake }
    }

    /// How long it takes, in seconds.
    pub const fn seconds(self) -> f32 {
        match self.kind {
            NudgeKind::Bump(_) => 0.16,
            NudgeKind::Shake => 0.3,
            NudgeKind::Settle(..) => 0.1,
        }
    }

    /// How far off its place the piece is at a part, from 0 to 1, of that time.
    pub fn offset(self, t: f32) -> (f32, f32) {
        use std::f32::consts::PI;
        match self.kind {
            NudgeKind::Bump(dir) => {
                let ((dx, dy), far) = (dir.delta(), 0.14 * (PI * t).sin());
                (f32::from(dx) * far, f32::from(dy) * far)
            }
            NudgeKind::Shake => (0.09 * (6.0 * PI * t).sin() * (1.0 - t), 0.0),
            NudgeKind::Settle(x, y) => (x * (1.0 - t).powi(2), y * (1.0 - t).powi(2)),
        }
    }
}

/// A move on its way.
pub struct Motion<'a, G: Rules> {
    /// The state before it.
    pub from: &'a G::State,
    /// The move.
    pub mv: &'a G::Move,
    /// How far, from 0 to 1.
    pub t: f32,
}

/// All that goes into a picture of a board.
pub struct Scene<'a, G: View> {
    /// The level.
    pub level: &'a G::Level,
    /// The position; `None` draws the draft as the editor shows it.
    pub state: Option<&'a G::State>,
    /// Cursor, hover, piece in hand; `None` in thumbnails and exports.
    pub ui: Option<&'a G::Ui>,
    /// The move being shown, if it is still on its way.
    pub motion: Option<Motion<'a, G>>,
    /// The motion of a piece that is no move, and how far it has come, from 0 to 1.
    pub nudge: Option<(Nudge, f32)>,
    /// The colours of the theme.
    pub colours: &'a Colours,
    /// Pixels a cell: small pictures leave out detail.
    pub cell_px: f32,
}

impl<G: View> Scene<'_, G> {
    /// How far off its place a piece is drawn.
    pub fn nudged(&self, piece: usize) -> (f32, f32) {
        self.nudge.filter(|(n, _)| n.piece == piece).map_or((0.0, 0.0), |(n, t)| n.offset(t))
    }
}

/// What comes next from a position: what a hint advises, or the line that is stepped through.
pub struct Ahead<'a, G: Rules> {
    /// The moves to come, the first one at least. The opponent's are not among them.
    pub moves: &'a [G::Move],
    /// The position after the first of them and the opponent's answer to it, where that is known.
    pub after: Option<&'a G::State>,
    /// How much of it is given away: 0 only the piece, 1 the whole gesture.
    pub stage: u8,
}

/// How many stages a hint has: the piece, then its move.
pub const HINT_STAGES: u8 = 2;

/// A hint: places to light, and words.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Hint {
    /// Where to look.
    pub spots: Vec<Spot>,
    /// What to say.
    pub text: String,
}

/// A choice offered beside the board in play (an opponent's strength): a move with a label.
#[derive(Clone, PartialEq, Debug)]
pub struct Offer<M> {
    /// What the button says.
    pub label: String,
    /// Whether it is the one in force.
    pub chosen: bool,
    /// The move it makes.
    pub mv: M,
}

/// How a game is drawn, and how pointer and keys become moves. No egui here.
pub trait View: Rules {
    /// What belongs neither to the file nor to undo: cursor, hover, piece in hand.
    type Ui: Clone + Debug + Default + Send + 'static;

    /// The part of the plane that a board needs, in board units; a tray beside the board is within it.
    fn extent(level: &Self::Level) -> Area {
        let size = Self::size(level);
        Area::new(0.0, 0.0, f32::from(size.w), f32::from(size.h))
    }

    /// Draws a scene.
    fn draw(picture: &mut Picture, scene: &Scene<'_, Self>);

    /// Draws an ink in the unit square, for the palette and under the brush.
    fn draw_ink(picture: &mut Picture, level: &Self::Level, ink: Ink, colours: &Colours);

    /// The spot under a point of the board.
    fn spot_at(level: &Self::Level, point: Point) -> Option<Spot> {
        let cell = point.cell();
        Self::size(level).contains(cell).then(|| cell.into())
    }

    /// All spots, in the order a screen reader meets them.
    fn spots(level: &Self::Level) -> Vec<Spot> {
        Self::size(level).cells().map(Spot::from).collect()
    }

    /// The square around a spot that is lit when something points at it.
    fn spot_area(_level: &Self::Level, spot: Spot) -> Area {
        Area::new(f32::from(spot.cell.x), f32::from(spot.cell.y), 1.0, 1.0)
    }

    /// The outline of a spot, a convex polygon.
    fn spot_outline(level: &Self::Level, spot: Spot) -> Vec<Point> {
        Self::spot_area(level, spot).corners().to_vec()
    }

    /// What is at a spot, in words: "red domino a, locked".
    fn describe(level: &Self::Level, state: Option<&Self::State>, spot: Spot) -> String;

    /// Turns an input into moves or a change of the view's own state.
    fn input(level: &Self::Level, state: &Self::State, ui: &mut Self::Ui, input: &Input) -> Reaction<Self::Move>;

    /// How long a move takes to show, in seconds.
    fn motion_seconds(_level: &Self::Level, _from: &Self::State, _mv: &Self::Move) -> f32 {
        0.12
    }

    /// How many of the moves to come, at least one, a player makes in one gesture: the steps of a drag, a walk with the push it leads to.
    fn gesture(_level: &Self::Level, _state: &Self::State, _moves: &[Self::Move]) -> usize {
        1
    }

    /// What to say and light for the gesture that the moves to come begin with: stage 0 the piece, 1 where it goes. The spots are for where
    /// [`View::draw_ahead`] cannot be used.
    fn hint(level: &Self::Level, state: &Self::State, moves: &[Self::Move], stage: u8) -> Hint;

    /// Draws the gesture that the moves to come begin with over the position from which it is made. This is the one way in which a game shows a move that
    /// has not been made: in hints and while a line is stepped through.
    fn draw_ahead(picture: &mut Picture, scene: &Scene<'_, Self>, ahead: &Ahead<'_, Self>) {
        let Some(state) = scene.state else { return };
        for spot in Self::hint(scene.level, state, ahead.moves, ahead.stage).spots {
            let area = Self::spot_area(scene.level, spot).inset(0.04);
            picture.rect(area, 0.08, scene.colours.accent.faded(0.18), Pen::new(scene.colours.accent, 0.05));
        }
    }

    /// Whether a position is seen at a glance to be lost: proven without a search, in a few milliseconds.
    fn seen_lost(_level: &Self::Level, _state: &Self::State) -> bool {
        false
    }

    /// Short sentences about the position beside the counts ("your turn", "12 moves left").
    fn about_position(_level: &Self::Level, _state: &Self::State) -> Vec<String> {
        Vec::new()
    }
}
