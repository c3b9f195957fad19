//! A queue for small whole-number priorities: a stack for each, least first.

/// Items by priority; among equals the last in is the first out, which keeps a search going deep.
#[derive(Clone, Debug, Default)]
pub struct Buckets {
    stacks: Vec<Vec<u32>>,
    least: usize,
    len: usize,
}

impl Buckets {
    /// Puts an item in.
    #[inline]
    pub fn push(&mut self, priority: u32, item: u32) {
        let p = priority as usize;
        if p >= self.stacks.len() {
            self.stacks.resize_with(p + 1, Vec::new);
        }
        self.stacks[p].push(item);
        self.least = self.least.min(p);
        self.len += 1;
    }

    /// Takes out the latest item of the least priority.
    #[inline]
    pub fn pop(&mut self) -> Option<(u32, u32)> {
        while let Some(stack) = self.stacks.get_mut(self.least) {
            if let Some(item) = stack.pop() {
                self.len -= 1;
                return Some((self.least as u32, item));
            }
            self.least += 1;
        }
        None
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
        self.stacks.iter_mut().for_each(Vec::clear);
        self.least = 0;
        self.len = 0;
    }

    /// Bytes in use.
    pub fn memory(&self) -> usize {
        // Room for growth counts: half again of what is held is near enough, and cheap to know.
        self.len * 6 + self.stacks.len() * 24
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_priority_comes_first_and_the_latest_of_equals() {
        let mut q = Buckets::default();
        for (p, i) in [(5, 1), (3, 2), (5, 3), (9, 4)] {
            q.push(p, i);
        }
        assert_eq!(q.pop(), Some((3, 2)));
        q.push(1, 7);
        let rest: Vec<_> = std::iter::from_fn(|| q.pop()).collect();
        assert_eq!(rest, [(1, 7), (5, 3), (5, 1), (9, 4)]);
        assert!(q.is_empty());
    }
}
