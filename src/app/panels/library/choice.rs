//! Which levels are selected, and where the keyboard's cursor is.

use crate::{
    catalogue::{Listing, Section},
    disk::LevelId,
};
use egui::{Modifiers, Pos2};
use std::collections::HashSet;

/// What is selected.
#[derive(Default)]
pub(super) struct Choice {
    pub keys: HashSet<LevelId>,
    pub cursor: Option<LevelId>,
    /// Where a range selected with Shift began.
    anchor: Option<LevelId>,
    /// Where the cursor's card was last seen, for a menu opened by key.
    pub seen_at: Option<Pos2>,
}

fn flat(listing: &Listing) -> impl DoubleEndedIterator<Item = &LevelId> {
    listing.sections.iter().flat_map(|s| s.entries.iter().map(|e| &e.key))
}

impl Choice {
    pub fn clear(&mut self) {
        *self = Choice::default();
    }

    pub fn set(&mut self, keys: Vec<LevelId>) {
        self.cursor = keys.first().cloned();
        self.anchor = self.cursor.clone();
        self.keys = keys.into_iter().collect();
    }

    /// Puts the cursor on a level and selects nothing: a Ctrl-click then selects what is clicked alone.
    pub fn follow(&mut self, key: &LevelId) {
        self.set(vec![key.clone()]);
        self.keys.clear();
    }

    pub fn only(&mut self, key: &LevelId) {
        self.set(vec![key.clone()]);
    }

    /// A click, with what was held down: Ctrl adds or takes away, Shift selects up to here. The cursor is always on a selected level, if any is.
    pub fn click(&mut self, key: &LevelId, held: Modifiers, listing: &Listing) {
        if held.shift && self.anchor.is_some() {
            self.reach(key, listing);
        } else if held.command {
            if self.keys.remove(key) {
                self.cursor = flat(listing).find(|k| self.keys.contains(k)).cloned();
            } else {
                self.keys.insert(key.clone());
                self.cursor = Some(key.clone());
            }
            self.anchor = self.cursor.clone();
        } else {
            self.only(key);
        }
    }

    /// Selects all from the anchor to here.
    pub fn reach(&mut self, key: &LevelId, listing: &Listing) {
        let anchor = self.anchor.clone().unwrap_or_else(|| key.clone());
        let mut inside = false;
        self.keys.clear();
        for k in flat(listing) {
            let end = *k == anchor || k == key;
            if end || inside {
                self.keys.insert(k.clone());
            }
            if end && anchor != *key {
                inside = !inside;
            }
        }
        self.cursor = Some(key.clone());
        self.anchor = Some(anchor);
    }

    pub fn all_of(&mut self, section: &Section) {
        self.keys = section.entries.iter().map(|e| e.key.clone()).collect();
    }

    /// What is selected, in the order of the list; the level at the cursor where nothing is, since its details are shown.
    pub fn in_order(&self, listing: &Listing) -> Vec<LevelId> {
        let chosen = |k: &&LevelId| self.keys.contains(k) || (self.keys.is_empty() && self.cursor.as_ref() == Some(k));
        flat(listing).filter(chosen).cloned().collect()
    }

    /// Moves the cursor to the first level after the selected ones, or before them: they are about to go.
    pub fn step_off(&mut self, listing: &Listing) {
        let last = flat(listing).skip_while(|k| !self.keys.contains(k)).find(|k| !self.keys.contains(k));
        let next = last.or_else(|| flat(listing).rev().find(|k| !self.keys.contains(k))).cloned();
        match next {
            Some(next) => self.only(&next),
            None => self.clear(),
        }
    }
}
