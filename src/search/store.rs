//! The states a search has met: each a fixed number of words, numbered in the order of meeting, found again by hashing.

/// A state that is not in the store.
const NONE: u32 = u32::MAX;

/// States of `width` words, each with a cost and the state it was reached from.
#[derive(Clone, Debug)]
pub struct Store {
    width: usize,
    words: Vec<u32>,
    cost: Vec<u32>,
    parent: Vec<u32>,
    /// Open addressing: numbers of states, a power of two of places, at most five eighths full.
    table: Vec<u32>,
}

/// What became of a state handed to [`Store::reach`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reached {
    /// It was not known.
    New(u32),
    /// It was known at a higher cost, which has been lowered.
    Better(u32),
    /// It was known at this cost or less.
    Known,
}

fn hash(words: &[u32]) -> u64 {
    let mut h = 0x9E37_79B9_7F4A_7C15u64;
    for w in words {
        h = (h.rotate_left(23) ^ u64::from(*w)).wrapping_mul(0xF135_7AEA_2E62_A9C5);
    }
    h ^ (h >> 29)
}

impl Store {
    /// An empty store for states of this many words.
    pub fn new(width: usize) -> Store {
        Store { width, words: Vec::new(), cost: Vec::new(), parent: Vec::new(), table: vec![NONE; 1024] }
    }

    /// How many states it holds.
    pub fn len(&self) -> usize {
        self.cost.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.cost.is_empty()
    }

    /// Forgets all states.
    pub fn clear(&mut self) {
        self.words.clear();
        self.cost.clear();
        self.parent.clear();
        self.table.fill(NONE);
    }

    /// The words of a state.
    #[inline]
    pub fn state(&self, i: u32) -> &[u32] {
        let at = i as usize * self.width;
        &self.words[at..at + self.width]
    }

    /// The least cost at which a state has been reached.
    #[inline]
    pub fn cost(&self, i: u32) -> u32 {
        self.cost[i as usize]
    }

    /// The states from the beginning to this one.
    pub fn path(&self, i: u32) -> Vec<u32> {
        let mut path = vec![i];
        let mut at = i;
        while self.parent[at as usize] != NONE {
            at = self.parent[at as usize];
            path.push(at);
        }
        path.reverse();
        path
    }

    #[inline]
    fn place(&self, words: &[u32]) -> usize {
        let mask = self.table.len() - 1;
        let mut at = hash(words) as usize & mask;
        loop {
            let i = self.table[at];
            if i == NONE || self.state(i) == words {
                return at;
            }
            at = (at + 1) & mask;
        }
    }

    /// The number of a state, if it is known.
    pub fn find(&self, words: &[u32]) -> Option<u32> {
        let i = self.table[self.place(words)];
        (i != NONE).then_some(i)
    }

    /// Meets a state at a cost, from another (`None` at the beginning).
    #[inline]
    pub fn reach(&mut self, words: &[u32], cost: u32, parent: Option<u32>) -> Reached {
        debug_assert_eq!(words.len(), self.width);
        let at = self.place(words);
        let parent = parent.unwrap_or(NONE);
        let i = self.table[at];
        if i != NONE {
            if self.cost[i as usize] <= cost {
                return Reached::Known;
            }
            self.cost[i as usize] = cost;
            self.parent[i as usize] = parent;
            return Reached::Better(i);
        }
        let i = self.cost.len() as u32;
        self.table[at] = i;
        self.words.extend_from_slice(words);
        self.cost.push(cost);
        self.parent.push(parent);
        if self.cost.len() * 8 > self.table.len() * 5 {
            self.grow();
        }
        Reached::New(i)
    }

    fn grow(&mut self) {
        self.table = vec![NONE; self.table.len() * 2];
        for i in 0..self.cost.len() as u32 {
            let at = self.place(self.state(i));
            self.table[at] = i;
        }
    }

    /// Bytes in use, and what the next growth will need beside them.
    pub fn memory(&self) -> usize {
        4 * (self.words.capacity() + self.cost.capacity() + self.parent.capacity() + self.table.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_found_again_at_their_least_cost() {
        let mut store = Store::new(2);
        assert_eq!(store.reach(&[7, 8], 0, None), Reached::New(0));
        for i in 0..5000u32 {
            assert_eq!(store.reach(&[i, i * i], 9, Some(0)), Reached::New(i + 1));
        }
        assert_eq!(store.reach(&[4999, 4999 * 4999], 9, None), Reached::Known);
        assert_eq!(store.reach(&[10, 100], 3, Some(1)), Reached::Better(11));
        assert_eq!(store.find(&[10, 100]), Some(11));
        assert_eq!(store.find(&[10, 101]), None);
        assert_eq!(store.path(11), [0, 1, 11]);
        assert_eq!(store.cost(11), 3);
        assert!(store.memory() > 5000 * 16);
    }
}
