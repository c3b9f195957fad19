//! The map of positions of the draft: asked for while it is in sight, made last in the queue of `study.rs`, drawn by the window, and a way to any position
//! on it.
//!
//! The map of another version stays until the one of this version is there: the window greys it. Only the map of this version is pointed at.

use super::{Document, Editing as _, explore::drawn, play, slot::Slot};
use crate::{
    analysis::positions::{PositionMap, Positions},
    game::{Game, Rules, opponents_turn},
    job::{Job, Limits},
    picture::{Area, Colours, Picture},
};
use std::sync::{Arc, Mutex, PoisonError};

/// Two lines on the map, as numbers of positions; a position that is not on the map (in a sample) has none.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Threads {
    /// The line that is stepped through.
    pub line: Vec<Option<u32>>,
    /// The game as it was played so far.
    pub play: Vec<Option<u32>>,
}

/// The map of positions.
pub trait Mapping {
    /// Asks for the map of the draft as it is.
    fn ask_positions(&mut self);
    /// The map that was made last.
    fn position_map(&self) -> Option<&Arc<PositionMap>>;
    /// Whether that is the map of the draft as it is.
    fn map_is_current(&self) -> bool;
    /// Whether the map of the draft as it is could not be made.
    fn map_failed(&self) -> bool;
    /// Positions found so far, while the map is being made.
    fn positions_so_far(&self) -> Option<u64>;
    /// The lines on the map.
    fn threads(&mut self) -> Threads;
    /// Draws a position.
    fn position_picture(&self, position: u32, colours: &Colours, cell_px: f32) -> Option<(Area, Picture)>;
    /// Goes to a position in play: along the moves made so far if it is among them, else, as soon as it is found in the background, by a shortest line from the
    /// start, which undo takes back as one. False if the map is that of another version.
    fn go_to_position(&mut self, position: u32) -> bool;
}

/// A version, and its map unless that could not be made.
type Made<G> = (u64, Option<Positions<G>>);

/// Positions and moves of a line from the start, the opponent's included.
type Way<G> = (Vec<<G as Rules>::State>, Vec<<G as Rules>::Move>);

/// What was found last on the map, with what it was found for.
type Traced<K> = Option<(K, Vec<Option<u32>>)>;

pub(super) struct Mapped<G: Game> {
    /// Where the worker leaves the map.
    pub(super) pot: Arc<Mutex<Option<Made<G>>>>,
    made: Option<(u64, Arc<Positions<G>>)>,
    /// The way to a position, with the version and the number of the play's last change when it was asked for: after another change nobody wants it.
    way: Slot<Option<Way<G>>>,
    going: Option<(u64, u64)>,
    /// For the version of the map and the line's address; for the version and the number of the play's last change.
    line: Traced<(u64, usize)>,
    play: Traced<(u64, u64)>,
}

impl<G: Game> Default for Mapped<G> {
    fn default() -> Mapped<G> {
        Mapped { pot: Arc::default(), made: None, way: Slot::default(), going: None, line: None, play: None }
    }
}

impl<G: Game> Mapped<G> {
    /// Takes in the map of a version.
    pub(super) fn take(&mut self, version: u64) {
        let found = self.pot.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((_, map)) = found.filter(|(v, _)| *v == version) {
            (self.line, self.play) = (None, None);
            self.made = map.map(|map| (version, Arc::new(map)));
        }
    }

    pub(super) fn busy(&self) -> bool {
        self.way.busy()
    }
}

impl<G: Game> Document<G> {
    fn mapped(&self) -> Option<&Arc<Positions<G>>> {
        self.mapped.made.as_ref().filter(|(v, _)| *v == self.draft().version).map(|(_, map)| map)
    }

    /// What a way to a position is for.
    fn now(&self) -> (u64, u64) {
        (self.draft().version, self.play.as_ref().map_or(0, play::Play::changes))
    }

    /// Takes in the way to a position, if nothing has happened since it was asked for.
    pub(super) fn tick_way(&mut self) -> bool {
        let Some(found) = self.mapped.way.poll() else { return false };
        let wanted = self.mapped.going.take() == Some(self.now());
        if let (true, Ok(Some((states, moves))), Some(map)) = (wanted, found, self.mapped()) {
            let level = map.level.clone();
            self.play_instead(level, states, moves);
        }
        true
    }

    fn line_thread(&mut self) -> Vec<Option<u32>> {
        let Mapped { made: Some((version, map)), line: traced, .. } = &mut self.mapped else { return Vec::new() };
        let Some(line) =
            self.inspect.line_shown().filter(|l| Arc::ptr_eq(&l.level, &map.level) || l.level == map.level)
        else {
            return Vec::new();
        };
        let key = (*version, Arc::as_ptr(line) as usize);
        if traced.as_ref().is_none_or(|(k, _)| *k != key) {
            *traced = Some((key, line.states.iter().map(|s| map.find(s)).collect()));
        }
        traced.as_ref().map_or_else(Vec::new, |(_, found)| found.clone())
    }

    fn play_thread(&mut self) -> Vec<Option<u32>> {
        let Mapped { made: Some((version, map)), play: traced, .. } = &mut self.mapped else { return Vec::new() };
        let Some(play) = self.play.as_ref().filter(|p| p.version() == *version) else { return Vec::new() };
        let key = (*version, play.changes());
        if traced.as_ref().is_none_or(|(k, _)| *k != key) {
            let own = play.made().iter().filter(|s| !opponents_turn::<G>(&map.level, s));
            *traced = Some((key, own.map(|s| map.find(s)).collect()));
        }
        traced.as_ref().map_or_else(Vec::new, |(_, found)| found.clone())
    }
}

impl<G: Game> Mapping for Document<G> {
    fn ask_positions(&mut self) {
        self.study.positions_asked = Some(self.draft().version);
    }
    fn position_map(&self) -> Option<&Arc<PositionMap>> {
        self.mapped.made.as_ref().map(|(_, map)| &map.map)
    }
    fn map_is_current(&self) -> bool {
        self.mapped().is_some()
    }
    fn map_failed(&self) -> bool {
        self.playable() && self.study.positions_done == Some(self.draft().version) && !self.map_is_current()
    }
    fn positions_so_far(&self) -> Option<u64> {
        self.study.counting_positions()
    }
    fn threads(&mut self) -> Threads {
        if !self.map_is_current() {
            return Threads::default();
        }
        Threads { line: self.line_thread(), play: self.play_thread() }
    }
    fn position_picture(&self, position: u32, colours: &Colours, cell_px: f32) -> Option<(Area, Picture)> {
        let map = self.mapped()?;
        let picture = drawn::<G>(&map.level, Some(map.state(position)?), colours, cell_px);
        Some((G::extent(&map.level), picture))
    }
    fn go_to_position(&mut self, position: u32) -> bool {
        let Some(map) = self.mapped() else { return false };
        let on_own_line = self.play.as_ref().filter(|p| p.version() == self.draft().version);
        let own = on_own_line.and_then(|p| p.place_of(|s| map.find(s) == Some(position)));
        if let Some(at) = own {
            self.play.iter_mut().for_each(|play| play.jump(at));
            return true;
        }
        let (map, wake) = (map.clone(), self.wake.clone());
        self.mapped.going = Some(self.now());
        // An opponent thinks about each of its replies again.
        let way = move || {
            let start = G::start(&map.level).ok()?;
            play::played::<G>(&map.level, &start, &map.line_to(position)?)
        };
        self.mapped.way.start(move || Job::named("way", Limits::default(), move || wake(), move |_| way()));
        true
    }
}
