//! One open level: its draft, the game being played on it, the solution being inspected, and the work under way for it.
//!
//! [`Document`] is generic and typed. The window and the commands hold it as `Box<dyn Doc>`: eight object-safe traits, one for each
//! thing people do with a level, each in a file of its own:
//!
//! | trait | file | what |
//! |---|---|---|
//! | [`Editing`] | `edit.rs` | the draft: strokes, undo, problems |
//! | [`Playing`] | `play.rs` | a game on a copy of the draft: input, undo, hints, the opponent's turn |
//! | [`Inspecting`] | `inspect.rs` | the solver's line: run, stop, step, take over |
//! | [`Solutions`] | `solutions.rs` | the kept solutions: keep, check, compare |
//! | [`Studied`] | `study.rs` | what is known about the draft: verdict, par, rating; the queue of questions |
//! | [`Mapping`] | `positions.rs` | the map of positions, and the way to any of them |
//! | [`Exploring`] | `explore.rs` | what could be: the what-if map, and mends |
//! | [`Headless`] | `headless.rs` | the same, waited for: what commands and tests need |
//!
//! Playing works on a copy, so it never touches the draft. Work in the background carries the version of the draft it is about; `study.rs` queues it, one
//! question at a time. [`AnyGame`] is the game itself without its types, for the registry.

mod any_game;
mod edit;
mod explore;
mod headless;
mod identity;
mod inspect;
mod play;
mod position;
mod positions;
mod proofs;
mod slot;
mod solutions;
mod study;
mod timer;

pub use any_game::{AnyGame, Docs, Erased, FormatInfo, MadeDoc};
pub use edit::{Editing, Selection};
pub use explore::{Exploring, Finding, MapProgress, Mends, WhatIf, by_one, notable};
pub use headless::{Headless, ReplayRow};
pub use identity::{Digest, Identity};
pub use inspect::{Counted, Inspecting, SolveState};
pub use play::{Feedback, Playing};
pub use position::{Position, Tried};
pub use positions::{Mapping, Threads};
pub use proofs::{Alone, Explained, Proofs};
pub use solutions::{Comparison, Kept, Solutions, Standing};
pub use study::{LiveVerdict, Par, Studied};

use crate::{
    clock::Instant,
    game::{Game, Item, Meta, Origin, Scene, Solution},
    grid::{Size, Spot},
    picture::{Area, Colours, Picture, Point},
};
use std::sync::Arc;

/// Which board of a document is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Board {
    /// The draft in the editor.
    Draft,
    /// The position being played.
    Play,
    /// The inspected line, after so many moves.
    Step(usize),
    /// The line that stands beside it for comparison, after so many moves.
    Beside(usize),
}

/// Called by background work when there is something new to see.
pub type Wake = Arc<dyn Fn() + Send + Sync>;

/// One open level, with its types forgotten.
pub trait Doc: Editing + Playing + Inspecting + Solutions + Studied + Mapping + Exploring + Headless + Send {
    /// The game.
    fn game(&self) -> &'static dyn AnyGame;
    /// Title and the like.
    fn meta(&self) -> &Meta;
    /// Changes them.
    fn set_meta(&mut self, meta: Meta);
    /// What the level is, whatever it is called: for records and for finding duplicates.
    fn identity(&self) -> Identity;
    /// How it was generated, if it was.
    fn origin(&self) -> Option<&Origin>;
    /// The level as a native file.
    fn native(&self) -> String;
    /// The same in one line and without its solutions: what is handed on where room is short.
    fn compact(&self) -> String;
    /// Whether the level differs from what was last saved.
    fn dirty(&mut self) -> bool;
    /// Says that the level as it is now is saved.
    fn mark_saved(&mut self);
    /// Says that the level is saved as it was when this was its native file.
    fn set_saved(&mut self, native: String);
    /// Says that the level as it is now is saved nowhere (a recovered draft, an earlier version).
    fn mark_unsaved(&mut self);
    /// A number that changes with everything a file would hold.
    fn revision(&self) -> u64;
    /// Where background work reports.
    fn set_wake(&mut self, wake: Wake);
    /// Takes in what background work has found. Called once a frame; true if something changed.
    fn tick(&mut self) -> bool;
    /// Whether anything runs for this document.
    fn busy(&self) -> bool;
    /// The part of the plane a board needs.
    fn extent(&self, board: Board) -> Area;
    /// The size of a board in cells.
    fn board_size(&self, board: Board) -> Size;
    /// Draws a board.
    fn picture(&self, board: Board, colours: &Colours, cell_px: f32) -> Picture;
    /// Draws what comes next on a board over its picture: the hint as far as it was asked for, or the next gesture of the line; nothing while a move is shown moving.
    fn ahead(&self, board: Board, colours: &Colours, cell_px: f32) -> Option<Picture>;
    /// Draws the level as a player finds it: the position in which play begins, or the draft if it cannot be played.
    fn opening(&self, colours: &Colours, cell_px: f32) -> Picture;
    /// How far the last move of a board has come, for animation: seconds since it was made and seconds it takes.
    fn in_motion(&self, board: Board) -> bool;
    /// All spots of a board, in reading order.
    fn spots(&self, board: Board) -> Vec<Spot>;
    /// What is at a spot, in words.
    fn describe(&self, board: Board, spot: Spot) -> String;
    /// The spot at a point.
    fn spot_at(&self, board: Board, point: Point) -> Option<Spot>;
    /// The square around a spot.
    fn spot_area(&self, board: Board, spot: Spot) -> Area;
    /// The outline of a spot, a convex polygon.
    fn spot_outline(&self, board: Board, spot: Spot) -> Vec<Point>;
    /// A second, independent document of the same level.
    fn duplicate(&self) -> Box<dyn Doc>;
    /// The same, showing the line shown here if that is a solution of the level as it is.
    fn duplicate_with_line(&self) -> Box<dyn Doc>;
}

/// How moves are shown moving.
#[derive(Clone, Copy)]
struct Pace {
    on: bool,
    speed: f32,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { on: true, speed: 1.0 }
    }
}

impl Pace {
    /// How far a motion has come that takes so many seconds at the usual speed, from 0 to 1; `None` when it is over or not shown.
    fn part(self, since: Instant, seconds: f32) -> Option<f32> {
        let part = since.elapsed().as_secs_f32() * self.speed / seconds.max(1e-3);
        (self.on && part < 1.0).then_some(part)
    }
}

/// One open level.
pub struct Document<G: Game> {
    meta: Meta,
    origin: Option<Origin>,
    kept: Vec<Solution>,
    /// The native file that was last saved; `None` while that is the level as it is, so that the thousands of levels of a collection are not all written out.
    saved: Option<String>,
    /// Counts every change of what a file would hold, so that `dirty` is compared only when something changed.
    revision: u64,
    dirty_at: Option<(u64, bool)>,
    wake: Wake,
    pace: Pace,
    edit: edit::Edit<G>,
    play: Option<play::Play<G>>,
    inspect: inspect::Inspect<G>,
    beside: Option<solutions::Beside<G>>,
    study: study::Study,
    mapped: positions::Mapped<G>,
    mending: explore::Mending<G>,
}

impl<G: Game> Document<G> {
    /// Opens a level.
    pub fn new(item: Item<G>) -> Document<G> {
        Document {
            meta: item.meta,
            origin: item.origin,
            kept: item.solutions,
            saved: None,
            revision: 0,
            dirty_at: None,
            wake: Arc::new(|| ()),
            pace: Pace::default(),
            edit: edit::Edit::new(item.level),
            play: None,
            inspect: inspect::Inspect::default(),
            beside: None,
            study: study::Study::default(),
            mapped: positions::Mapped::default(),
            mending: explore::Mending::default(),
        }
    }

    /// What a file would hold is about to change.
    fn will_change(&mut self) {
        if self.saved.is_none() {
            self.saved = Some(self.native());
        }
        self.revision += 1;
    }

    fn level(&self) -> &G::Level {
        &self.draft().level
    }

    fn draft(&self) -> &edit::Draft<G> {
        self.edit.draft()
    }

    fn item(&self) -> Item<G> {
        Item {
            meta: self.meta.clone(),
            level: self.level().clone(),
            solutions: self.kept.clone(),
            origin: self.origin.clone(),
        }
    }

    /// The level, position and motion that belong to a board.
    fn scene<'a>(&'a self, board: Board, colours: &'a Colours, cell_px: f32) -> Scene<'a, G> {
        let draft = Scene { level: self.level(), state: None, ui: None, motion: None, nudge: None, colours, cell_px };
        match board {
            Board::Draft => draft,
            Board::Play => self.play.as_ref().map_or(draft, |p| p.scene(colours, cell_px, self.pace)),
            Board::Step(k) => self.inspect.scene(k, colours, cell_px, self.pace).unwrap_or(draft),
            Board::Beside(k) => self.beside(k, colours, cell_px).unwrap_or(draft),
        }
    }
}

impl<G: Game> Doc for Document<G> {
    fn game(&self) -> &'static dyn AnyGame {
        Erased::<G>::get()
    }
    fn meta(&self) -> &Meta {
        &self.meta
    }
    fn set_meta(&mut self, meta: Meta) {
        self.will_change();
        self.meta = meta;
    }
    fn identity(&self) -> Identity {
        identity::of::<G>(self.level())
    }
    fn origin(&self) -> Option<&Origin> {
        self.origin.as_ref()
    }
    fn native(&self) -> String {
        crate::formats::native::write(&self.item())
    }
    fn compact(&self) -> String {
        crate::formats::native::compact(&Item { solutions: Vec::new(), ..self.item() })
    }
    fn dirty(&mut self) -> bool {
        match self.dirty_at {
            Some((revision, dirty)) if revision == self.revision => dirty,
            _ => {
                let dirty = self.saved.as_ref().is_some_and(|saved| *saved != self.native());
                self.dirty_at = Some((self.revision, dirty));
                dirty
            }
        }
    }
    fn mark_saved(&mut self) {
        self.saved = None;
        self.dirty_at = None;
    }
    fn set_saved(&mut self, native: String) {
        self.saved = Some(native);
        self.dirty_at = None;
    }
    fn mark_unsaved(&mut self) {
        self.set_saved(String::new());
    }
    fn revision(&self) -> u64 {
        self.revision
    }
    fn set_wake(&mut self, wake: Wake) {
        self.wake = wake;
    }
    fn tick(&mut self) -> bool {
        let play = self.play.as_mut().is_some_and(|p| p.tick(&self.wake));
        let changed = play | self.tick_way() | self.tick_inspect() | self.tick_mends() | self.tick_study();
        self.note_solution_seen();
        changed
    }
    fn busy(&self) -> bool {
        self.studying()
            || self.play.as_ref().is_some_and(play::Play::busy)
            || self.inspect.busy()
            || self.mending.busy()
            || self.mapped.busy()
    }
    fn extent(&self, board: Board) -> Area {
        G::extent(self.scene(board, &Colours::dark(), 1.0).level)
    }
    fn board_size(&self, board: Board) -> Size {
        G::size(self.scene(board, &Colours::dark(), 1.0).level)
    }
    fn picture(&self, board: Board, colours: &Colours, cell_px: f32) -> Picture {
        let mut picture = Picture::default();
        G::draw(&mut picture, &self.scene(board, colours, cell_px));
        picture
    }
    fn ahead(&self, board: Board, colours: &Colours, cell_px: f32) -> Option<Picture> {
        let ahead = match board {
            Board::Draft | Board::Beside(_) => None,
            Board::Play => self.play.as_ref().and_then(play::Play::ahead),
            Board::Step(k) => self.inspect.ahead(k),
        }?;
        let scene = self.scene(board, colours, cell_px);
        let mut picture = Picture::default();
        if scene.motion.is_none() {
            G::draw_ahead(&mut picture, &scene, &ahead);
        }
        Some(picture)
    }
    fn opening(&self, colours: &Colours, cell_px: f32) -> Picture {
        let mut picture = Picture::default();
        let state = G::start(self.level()).ok();
        let scene = Scene { state: state.as_ref(), ..self.scene(Board::Draft, colours, cell_px) };
        G::draw(&mut picture, &scene);
        picture
    }
    fn in_motion(&self, board: Board) -> bool {
        match board {
            Board::Draft | Board::Beside(_) => false,
            Board::Play => self.play.as_ref().is_some_and(|p| p.in_motion(self.pace)),
            Board::Step(_) => self.inspect.in_motion(self.pace),
        }
    }
    fn spots(&self, board: Board) -> Vec<Spot> {
        G::spots(self.scene(board, &Colours::dark(), 1.0).level)
    }
    fn describe(&self, board: Board, spot: Spot) -> String {
        let colours = Colours::dark();
        let scene = self.scene(board, &colours, 1.0);
        G::describe(scene.level, scene.state, spot)
    }
    fn spot_at(&self, board: Board, point: Point) -> Option<Spot> {
        G::spot_at(self.scene(board, &Colours::dark(), 1.0).level, point)
    }
    fn spot_area(&self, board: Board, spot: Spot) -> Area {
        G::spot_area(self.scene(board, &Colours::dark(), 1.0).level, spot)
    }
    fn spot_outline(&self, board: Board, spot: Spot) -> Vec<Point> {
        G::spot_outline(self.scene(board, &Colours::dark(), 1.0).level, spot)
    }
    fn duplicate(&self) -> Box<dyn Doc> {
        Box::new(Document::<G>::new(self.item()))
    }
    fn duplicate_with_line(&self) -> Box<dyn Doc> {
        let mut copy = Document::<G>::new(self.item());
        if self.keepable() {
            copy.inspect = self.inspect.shown_again(copy.draft().version);
        }
        Box::new(copy)
    }
}
