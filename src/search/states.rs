//! Packed states: each a fixed number of words, numbered in the order of meeting, found again by hashing.

/// A part of a packed state.
pub trait Word: Copy + PartialEq + Default + Into<u64> + Send + Sync {}

impl<T: Copy + PartialEq + Default + Into<u64> + Send + Sync> Word for T {}

const NONE: u64 = u64::MAX;

/// The half of a hash that is kept. The other half says where to look.
const TAG: u64 = u32::MAX as u64;

/// States of one width, in one long vector.
#[derive(Clone, Debug)]
pub struct States<W> {
    width: usize,
    words: Vec<W>,
    len: u32,
    /// Open addressing: a power of two of places, at most seven tenths full. Beside the number of a state half of its hash: so what is compared word by word, far
    /// away in memory, is nearly always the same state.
    table: Vec<u64>,
}

impl<W: Word> States<W> {
    /// No states yet; all will have this many words.
    pub fn new(width: usize) -> States<W> {
        States { width, words: Vec::new(), len: 0, table: vec![NONE; 1 << 10] }
    }

    /// Forgets all states and keeps their room.
    pub fn clear(&mut self) {
        self.words.clear();
        self.len = 0;
        self.table.fill(NONE);
    }

    /// The words of a state.
    #[inline]
    pub fn get(&self, id: u32) -> &[W] {
        let at = id as usize * self.width;
        &self.words[at..at + self.width]
    }

    /// The number of a state; if it is not known, the place of the table where it belongs.
    #[inline]
    pub fn find(&self, state: &[W]) -> Result<u32, usize> {
        let hash = Self::hash(state);
        let mask = self.table.len() - 1;
        let mut place = (hash >> 32) as usize & mask;
        loop {
            let entry = self.table[place];
            if entry == NONE {
                return Err(place);
            }
            // Word by word: for so few of them a call that compares memory takes longer.
            let id = entry as u32;
            if entry >> 32 == hash & TAG && self.get(id).iter().zip(state).all(|(a, b)| a == b) {
                return Ok(id);
            }
            place = (place + 1) & mask;
        }
    }

    #[inline]
    fn hash(state: &[W]) -> u64 {
        let mut hash = 0x9e37_79b9_7f4a_7c15u64;
        for &word in state {
            hash = (hash.rotate_left(23) ^ word.into()).wrapping_mul(0xf135_7aea_2e62_a9c5);
        }
        hash
    }

    /// Adds a state at the place that [`States::find`] gave, and gives its number. There must be room: see [`States::make_room`].
    #[inline]
    pub fn insert(&mut self, place: usize, state: &[W]) -> u32 {
        self.table[place] = (Self::hash(state) & TAG) << 32 | u64::from(self.len);
        self.append(state)
    }

    /// Adds a state that is not to be found again.
    pub fn append(&mut self, state: &[W]) -> u32 {
        debug_assert_eq!(state.len(), self.width);
        self.words.extend_from_slice(state);
        self.len += 1;
        self.len - 1
    }

    /// Bytes that [`States::make_room`] would allocate now. While the table grows, the old one is there too.
    #[inline]
    pub fn growth(&self) -> usize {
        let words = if self.words.capacity() - self.words.len() < self.width { self.more_words() } else { 0 };
        let table = if self.is_table_full() { self.table.len() * 2 } else { 0 };
        words * size_of::<W>() + table * size_of::<u64>()
    }

    /// Makes room for one state more. Places found before no longer hold.
    #[inline]
    pub fn make_room(&mut self) {
        if self.words.capacity() - self.words.len() < self.width {
            self.words.reserve_exact(self.more_words());
        }
        if self.is_table_full() {
            let entries = std::mem::take(&mut self.table);
            self.table = vec![NONE; entries.len() * 2];
            for entry in entries.into_iter().filter(|entry| *entry != NONE) {
                if let Err(place) = self.find(self.get(entry as u32)) {
                    self.table[place] = entry;
                }
            }
        }
    }

    fn is_table_full(&self) -> bool {
        self.len as usize * 10 >= self.table.len() * 7
    }

    /// Grows by a quarter only: a limit is often reached in the middle of a doubling.
    fn more_words(&self) -> usize {
        (self.words.len() / 4).max(64 * self.width)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * size_of::<W>() + self.table.len() * size_of::<u64>()
    }
}
