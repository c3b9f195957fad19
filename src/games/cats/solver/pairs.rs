//! What is known about one colour or two by themselves: that they need at least so much, and at most so much.
//!
//! Asked far more often than anything else, so a colour alone is looked up by its number, and only pairs are hashed. Threads that search together
//! write what they find into a shared table too, and look there before they search.

use crate::job::lock;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};

/// As many words as there are colours at most.
pub(super) type Words = [u32; 8];

/// A set of colours, a bit each.
pub(super) type Colours = u32;

/// What is not known to be enough.
const UNKNOWN: u8 = u8::MAX;

/// What is needed: at least the first, at most the second.
type Known = (u8, u8);

/// How many are kept that were asked for last.
const RECENT: usize = 256;

/// What threads have found: in many tables, so that two hardly ever want the same at once.
type Shared = [Mutex<FxHashMap<(Colours, u64), Known>>; 64];

/// The tables.
#[derive(Clone)]
pub(super) struct Pairs {
    /// Of each colour, by its number.
    alone: Vec<Vec<Known>>,
    /// Of each pair of colours, by the numbers of both.
    both: Vec<FxHashMap<u64, Known>>,
    /// What is needed at least where nothing is known.
    least: u8,
    /// What was asked for last, of each pair of colours: positions are searched in an order in which little changes.
    recent: Vec<Vec<(u64, Known)>>,
    shared: Option<Arc<Shared>>,
}

impl Pairs {
    /// Empty tables for this many colours. `least` is needed in any case.
    pub fn new(colours: usize, least: u8) -> Pairs {
        let both = vec![FxHashMap::default(); colours * colours];
        Pairs {
            alone: vec![Vec::new(); colours],
            both,
            least,
            recent: vec![Vec::new(); colours * colours],
            shared: None,
        }
    }

    /// The same for another thread. From now on each writes what it finds into a shared table, and asks that before it searches.
    pub fn beside(&mut self) -> Pairs {
        self.shared.get_or_insert_with(|| Arc::new(std::array::from_fn(|_| Mutex::default())));
        self.clone()
    }

    /// The table of two colours, and the key of their numbers.
    fn place(&self, words: &Words, colours: Colours) -> (usize, u64) {
        let a = colours.trailing_zeros() as usize;
        let b = 31 - colours.leading_zeros() as usize;
        (a * self.alone.len() + b, u64::from(words[a]) << 32 | u64::from(words[b]))
    }

    /// What is known of one colour or two: at least, at most.
    #[inline]
    pub fn get(&mut self, words: &Words, colours: Colours) -> Known {
        let nothing = (self.least, UNKNOWN);
        if colours.is_power_of_two() {
            let g = colours.trailing_zeros() as usize;
            return self.alone[g].get(words[g] as usize).copied().unwrap_or(nothing);
        }
        let (table, key) = self.place(words, colours);
        match self.recent[table].get_mut(slot(key)) {
            Some((recent, known)) if *recent == key => *known,
            Some(recent) => {
                *recent = (key, self.both[table].get(&key).copied().unwrap_or(nothing));
                recent.1
            }
            None => nothing,
        }
    }

    /// Whether so much is enough for one colour or two, if that is known.
    #[inline]
    pub fn is_enough(&mut self, words: &Words, colours: Colours, amount: u32) -> Option<bool> {
        let answer = is_enough(self.get(words, colours), amount);
        if answer.is_some() || self.shared.is_none() { answer } else { self.ask(words, colours, amount) }
    }

    /// The same, if another thread knows it.
    fn ask(&mut self, words: &Words, colours: Colours, amount: u32) -> Option<bool> {
        let key = self.place(words, colours).1;
        let known = *lock(table(self.shared.as_ref()?, key)).get(&(colours, key))?;
        self.take_in(words, colours, known);
        is_enough(known, amount)
    }

    /// Notes whether so much is enough for one colour or two.
    pub fn note(&mut self, words: &Words, colours: Colours, amount: u32, enough: bool) {
        let known = if enough { (self.least, amount as u8) } else { (amount as u8 + 1, UNKNOWN) };
        self.take_in(words, colours, known);
        if let Some(shared) = &self.shared {
            let key = self.place(words, colours).1;
            narrow(lock(table(shared, key)).entry((colours, key)).or_insert(known), known);
        }
    }

    fn take_in(&mut self, words: &Words, colours: Colours, known: Known) {
        let nothing = (self.least, UNKNOWN);
        if colours.is_power_of_two() {
            let g = colours.trailing_zeros() as usize;
            let (all, id) = (&mut self.alone[g], words[g] as usize);
            if all.len() <= id {
                all.resize(id + 1, nothing);
            }
            narrow(&mut all[id], known);
        } else {
            let (table, key) = self.place(words, colours);
            let entry = self.both[table].entry(key).or_insert(nothing);
            narrow(entry, known);
            let recent = &mut self.recent[table];
            recent.resize(RECENT, (u64::MAX, nothing));
            recent[slot(key)] = (key, *entry);
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let alone: usize = self.alone.iter().map(|a| a.capacity() * size_of::<Known>()).sum();
        let both: usize = self.both.iter().map(|t| t.capacity() * (size_of::<(u64, Known)>() + 1)).sum();
        // Each counts its part of what is shared.
        let entry = size_of::<((Colours, u64), Known)>() + 1;
        let shared = self.shared.as_ref().map_or(0, |shared| {
            shared.iter().map(|t| lock(t).capacity() * entry).sum::<usize>() / Arc::strong_count(shared)
        });
        (alone + both + shared) as u64
    }
}

/// Whether so much is enough, if that is known.
fn is_enough((least, most): Known, amount: u32) -> Option<bool> {
    if amount < u32::from(least) { Some(false) } else { (amount >= u32::from(most)).then_some(true) }
}

/// Takes in what else is known.
fn narrow(known: &mut Known, (least, most): Known) {
    *known = (known.0.max(least), known.1.min(most));
}

/// Where a key is kept among the recent ones.
fn slot(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % RECENT
}

/// The table that a key belongs to.
fn table(shared: &Shared, key: u64) -> &Mutex<FxHashMap<(Colours, u64), Known>> {
    &shared[(key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize]
}
