//! A queue for small whole-number priorities: a stack for each, least first. Classes of items have stacks of their own and take turns.

use std::collections::BTreeMap;

const NONE: u32 = u32::MAX;

/// Items by class and priority; among equals the last in is the first out, which keeps a search going deep.
pub struct Queue {
    classes: BTreeMap<usize, Stacks>,
    /// The class that was last served.
    turn: usize,
    /// Items, each with the place of the one below it in its stack.
    items: Vec<(u32, u32)>,
    /// The top of the stack of places that are free again.
    free: u32,
    len: usize,
}

impl Default for Queue {
    fn default() -> Self {
        Queue { classes: BTreeMap::new(), turn: 0, items: Vec::new(), free: NONE, len: 0 }
    }
}

/// The stacks of a class: for each priority the place of its top item.
#[derive(Default)]
struct Stacks {
    tops: Vec<u32>,
    /// No item has a lower priority.
    least: usize,
    len: usize,
}

impl Queue {
    /// Puts an item in.
    #[inline]
    pub fn push(&mut self, class: usize, priority: u32, item: u32) {
        let stacks = self.classes.entry(class).or_default();
        let p = priority as usize;
        if p >= stacks.tops.len() {
            stacks.tops.resize(p + 1, NONE);
        }
        let entry = (item, stacks.tops[p]);
        stacks.tops[p] = match self.items.get_mut(self.free as usize) {
            Some(place) => {
                let next = std::mem::replace(place, entry).1;
                std::mem::replace(&mut self.free, next)
            }
            None => {
                self.items.push(entry);
                self.items.len() as u32 - 1
            }
        };
        stacks.least = stacks.least.min(p);
        stacks.len += 1;
        self.len += 1;
    }

    /// Takes out the latest item of the least priority that is wanted, and drops those before it that are not: from the next lower class than the
    /// last time that has any, or else from the highest.
    #[inline]
    pub fn pop(&mut self, mut is_wanted: impl FnMut(u32) -> bool) -> Option<(u32, u32)> {
        loop {
            let lower = self.classes.range(..self.turn).rev().find(|(_, stacks)| stacks.len > 0);
            let next = lower.or_else(|| self.classes.iter().rev().find(|(_, stacks)| stacks.len > 0));
            self.turn = *next?.0;
            let stacks = self.classes.get_mut(&self.turn)?;
            while stacks.len > 0 {
                let top = stacks.tops[stacks.least];
                let Some(entry) = self.items.get_mut(top as usize) else {
                    stacks.least += 1;
                    continue;
                };
                let item = entry.0;
                stacks.tops[stacks.least] = std::mem::replace(&mut entry.1, self.free);
                self.free = top;
                stacks.len -= 1;
                self.len -= 1;
                if is_wanted(item) {
                    return Some((stacks.least as u32, item));
                }
            }
        }
    }

    /// How many items are in it.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Empties it and keeps its room.
    pub fn clear(&mut self) {
        self.classes.clear();
        self.items.clear();
        (self.turn, self.free, self.len) = (0, NONE, 0);
    }

    /// Bytes that [`Queue::make_room`] would allocate now.
    #[inline]
    pub fn growth(&self) -> usize {
        if self.is_full() { self.more() * size_of::<(u32, u32)>() } else { 0 }
    }

    /// Makes room for two items more.
    #[inline]
    pub fn make_room(&mut self) {
        if self.is_full() {
            self.items.reserve_exact(self.more());
        }
    }

    fn is_full(&self) -> bool {
        self.items.capacity() - self.len < 2
    }

    fn more(&self) -> usize {
        (self.items.len() / 4).max(64)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let tops: usize = self.classes.values().map(|stacks| stacks.tops.capacity() * size_of::<u32>()).sum();
        self.items.capacity() * size_of::<(u32, u32)>() + tops
    }
}
