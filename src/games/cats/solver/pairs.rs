//! What is known about one colour or two by themselves: that they need at least so much, and at most so much.
//!
//! Asked far more often than anything else, so a colour alone is looked up by its number, and only pairs are hashed.

use rustc_hash::FxHashMap;

/// As many words as there are colours at most.
pub(super) type Words = [u32; 8];

/// A set of colours, a bit each.
pub(super) type Colours = u32;

/// What is not known to be enough.
const UNKNOWN: u8 = u8::MAX;

/// What is needed: at least the first, at most the second.
type Known = (u8, u8);

/// The tables.
pub(super) struct Pairs {
    /// Of each colour, by its number.
    alone: Vec<Vec<Known>>,
    /// Of each pair of colours, by the numbers of both.
    both: Vec<FxHashMap<u64, Known>>,
    /// What is needed at least where nothing is known.
    least: u8,
}

impl Pairs {
    /// Empty tables for this many colours. `least` is needed in any case.
    pub fn new(colours: usize, least: u8) -> Pairs {
        Pairs { alone: vec![Vec::new(); colours], both: vec![FxHashMap::default(); colours * colours], least }
    }

    /// The table of two colours, and the key of their numbers.
    fn place(&self, words: &Words, colours: Colours) -> (usize, u64) {
        let a = colours.trailing_zeros() as usize;
        let b = 31 - colours.leading_zeros() as usize;
        (a * self.alone.len() + b, u64::from(words[a]) << 32 | u64::from(words[b]))
    }

    /// What is known of one colour or two: at least, at most.
    #[inline]
    pub fn get(&self, words: &Words, colours: Colours) -> Known {
        let known = if colours.is_power_of_two() {
            let g = colours.trailing_zeros() as usize;
            self.alone[g].get(words[g] as usize)
        } else {
            let (table, key) = self.place(words, colours);
            self.both[table].get(&key)
        };
        known.copied().unwrap_or((self.least, UNKNOWN))
    }

    /// Whether so much is enough for one colour or two, if that is known.
    #[inline]
    pub fn is_enough(&self, words: &Words, colours: Colours, amount: u32) -> Option<bool> {
        let (least, most) = self.get(words, colours);
        if amount < u32::from(least) { Some(false) } else { (amount >= u32::from(most)).then_some(true) }
    }

    /// Notes whether so much is enough for one colour or two.
    pub fn note(&mut self, words: &Words, colours: Colours, amount: u32, enough: bool) {
        let nothing = (self.least, UNKNOWN);
        let (least, most) = if colours.is_power_of_two() {
            let g = colours.trailing_zeros() as usize;
            let (all, id) = (&mut self.alone[g], words[g] as usize);
            if all.len() <= id {
                all.resize(id + 1, nothing);
            }
            &mut all[id]
        } else {
            let (table, key) = self.place(words, colours);
            self.both[table].entry(key).or_insert(nothing)
        };
        if enough {
            *most = (*most).min(amount as u8);
        } else {
            *least = (*least).max(amount as u8 + 1);
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let alone: usize = self.alone.iter().map(|a| a.capacity() * size_of::<Known>()).sum();
        let both: usize = self.both.iter().map(|t| t.capacity() * (size_of::<(u64, Known)>() + 1)).sum();
        (alone + both) as u64
    }
}
