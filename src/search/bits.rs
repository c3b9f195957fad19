//! A set of small numbers as bits, of a size fixed at compile time.

/// A set of numbers below `64 * W`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Default for Bits<W> {
    fn default() -> Self {
        Bits([0; W])
    }
}

impl<const W: usize> Bits<W> {
    /// The empty set.
    pub const EMPTY: Bits<W> = Bits([0; W]);

    /// Puts a number in.
    #[inline]
    pub fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    /// Whether a number is in it.
    #[inline]
    pub fn contains(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    /// Whether two sets share a number.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        let mut all = 0;
        for (a, b) in self.0.iter().zip(&other.0) {
            all |= a & b;
        }
        all != 0
    }

    /// What is in either.
    #[inline]
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
        self
    }

    /// What is in this one and not in the other.
    #[inline]
    #[must_use]
    pub fn without(mut self, other: &Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= !b;
        }
        self
    }

    /// Whether nothing is in it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|w| *w == 0)
    }

    /// How many numbers are in it.
    pub fn len(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }

    /// The numbers in it, rising.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                (word != 0).then(|| {
                    let bit = word.trailing_zeros() as usize;
                    word &= word - 1;
                    i * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_bits_are_sets() {
        let mut a = Bits::<2>::EMPTY;
        let mut b = Bits::<2>::EMPTY;
        for i in [0, 63, 64, 127] {
            a.insert(i);
        }
        b.insert(64);
        assert!(a.meets(&b) && a.contains(127) && !a.contains(1));
        assert_eq!(a.iter().collect::<Vec<_>>(), [0, 63, 64, 127]);
        assert_eq!(a.without(&b).len(), 3);
        assert!(!a.without(&b).meets(&b) && a.without(&a).is_empty());
        assert_eq!(a.without(&b).or(&b), a);
    }
}
