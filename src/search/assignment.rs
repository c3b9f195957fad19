//! The cheapest way to give every row a column of its own (the assignment problem), by shortest augmenting paths.
//!
//! Rows are at most as many as columns; columns may stay free. A cost of [`FORBIDDEN`] is a pair that cannot be. A row whose cheapest column is free
//! takes it. For each of the others the matching grows along the cheapest path in the graph of reduced costs (Dijkstra with a potential for each
//! column, as Jonker and Volgenant do it), which keeps it optimal for the rows so far: O(rows² · columns) at worst, far less on the small, nearly
//! diagonal tables of a puzzle.

use crate::job::{Probe, Stop};

/// The cost of a pair that is not allowed.
pub const FORBIDDEN: u32 = u32::MAX;

/// Working memory, kept between calls.
#[derive(Default)]
pub struct Assignment {
    /// What a column costs less than its table says. Free columns cost what it says.
    potential: Vec<i64>,
    /// The row of each column, and the column of each row.
    row_of: Vec<usize>,
    column_of: Vec<usize>,
    /// The cost of the cheapest path to each column, and the row it comes from.
    least: Vec<(i64, usize)>,
    /// The columns, those whose path is known first.
    order: Vec<usize>,
    /// Rows that found their cheapest column taken.
    waiting: Vec<usize>,
}

const FREE: usize = usize::MAX;
const FAR: i64 = i64::MAX / 4;

impl Assignment {
    /// The least total cost, or nothing if some row must stay without a column. `cost(row, column)` is asked repeatedly.
    pub fn cheapest(
        &mut self,
        rows: usize,
        columns: usize,
        cost: impl Fn(usize, usize) -> u32,
        probe: &mut Probe,
    ) -> Result<Option<u32>, Stop> {
        if rows > columns {
            return Ok(None);
        }
        self.potential.clear();
        self.potential.resize(columns, 0);
        self.row_of.clear();
        self.row_of.resize(columns, FREE);
        self.column_of.clear();
        self.column_of.resize(rows, FREE);
        self.waiting.clear();
        for row in 0..rows {
            probe.step()?;
            match (0..columns).min_by_key(|j| cost(row, *j)) {
                Some(j) if cost(row, j) == FORBIDDEN => return Ok(None),
                Some(j) if self.row_of[j] == FREE => (self.row_of[j], self.column_of[row]) = (row, j),
                _ => self.waiting.push(row),
            }
        }
        while let Some(row) = self.waiting.pop() {
            if !self.place(row, columns, &cost, probe)? {
                return Ok(None);
            }
        }
        let total: i64 = self.column_of.iter().enumerate().map(|(row, j)| i64::from(cost(row, *j))).sum();
        Ok(u32::try_from(total).ok())
    }

    /// Gives a row a column, moving others along; false if there is no way.
    fn place(
        &mut self,
        row: usize,
        columns: usize,
        cost: &impl Fn(usize, usize) -> u32,
        probe: &mut Probe,
    ) -> Result<bool, Stop> {
        self.least.clear();
        self.least.resize(columns, (FAR, FREE));
        self.order.clear();
        self.order.extend(0..columns);
        // The row whose columns are looked at, what the path to it costs, and how many paths are known.
        let (mut here, mut so_far, mut known) = (row, 0, 0);
        let end = loop {
            probe.step()?;
            let mut nearest = (FAR, known);
            for i in known..columns {
                let j = self.order[i];
                let c = cost(here, j);
                if c != FORBIDDEN {
                    let path = so_far + i64::from(c) - self.potential[j];
                    if path < self.least[j].0 {
                        self.least[j] = (path, here);
                    }
                }
                if self.least[j].0 < nearest.0 {
                    nearest = (self.least[j].0, i);
                }
            }
            let (path, i) = nearest;
            if path == FAR {
                return Ok(false);
            }
            self.order.swap(known, i);
            let column = self.order[known];
            known += 1;
            here = self.row_of[column];
            if here == FREE {
                break column;
            }
            // On from there: the path to a row is the one to its column less what the pair itself costs.
            so_far = path - (i64::from(cost(here, column)) - self.potential[column]);
        };
        let whole = self.least[end].0;
        for j in &self.order[..known] {
            self.potential[*j] += self.least[*j].0 - whole;
        }
        let mut column = end;
        loop {
            let taker = self.least[column].1;
            self.row_of[column] = taker;
            let left = std::mem::replace(&mut self.column_of[taker], column);
            if taker == row {
                return Ok(true);
            }
            column = left;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt as _;

    fn slow(rows: usize, columns: usize, cost: &dyn Fn(usize, usize) -> u32, row: usize, used: u32) -> Option<u32> {
        if row == rows {
            return Some(0);
        }
        (0..columns)
            .filter(|j| used & (1 << j) == 0 && cost(row, *j) != FORBIDDEN)
            .filter_map(|j| Some(cost(row, j) + slow(rows, columns, cost, row + 1, used | 1 << j)?))
            .min()
    }

    #[test]
    fn it_agrees_with_trying_everything() {
        let mut rng = crate::game::rng(5);
        let mut fast = Assignment::default();
        let mut probe = Probe::new(crate::job::Limits::default());
        for _ in 0..6000 {
            let rows = rng.random_range(0..7);
            let columns = rng.random_range(0..8);
            let table: Vec<u32> = (0..rows * columns)
                .map(|_| if rng.random_bool(0.3) { FORBIDDEN } else { rng.random_range(0..12) })
                .collect();
            let cost = |i: usize, j: usize| table[i * columns + j];
            let want = if rows > columns { None } else { slow(rows, columns, &cost, 0, 0) };
            assert_eq!(fast.cheapest(rows, columns, cost, &mut probe), Ok(want), "{rows} x {columns}: {table:?}");
        }
    }
}
