//! The cheapest way to give every row a column of its own (the assignment problem), by shortest augmenting paths.
//!
//! Rows are at most as many as columns; columns may stay free. A cost of [`FORBIDDEN`] is a pair that cannot be. Row by row the matching
//! grows along the cheapest path in the graph of reduced costs (Dijkstra with potentials), which keeps it optimal for the rows so far:
//! O(rows² · columns) at worst, far less on the small, nearly diagonal tables of a puzzle.

use crate::job::{Probe, Stop};

/// The cost of a pair that is not allowed.
pub const FORBIDDEN: u32 = u32::MAX;

/// Working memory, kept between calls.
#[derive(Default)]
pub struct Assignment {
    row_potential: Vec<i64>,
    column_potential: Vec<i64>,
    row_of: Vec<usize>,
    way: Vec<usize>,
    least: Vec<i64>,
    used: Vec<bool>,
}

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
        // Columns and rows count from 1 here; 0 is the row being placed.
        self.row_potential.clear();
        self.row_potential.resize(rows + 1, 0);
        self.column_potential.clear();
        self.column_potential.resize(columns + 1, 0);
        self.row_of.clear();
        self.row_of.resize(columns + 1, 0);
        self.way.clear();
        self.way.resize(columns + 1, 0);
        for row in 1..=rows {
            if !self.place(row, columns, &cost, probe)? {
                return Ok(None);
            }
        }
        let total: i64 =
            (1..=columns).filter(|j| self.row_of[*j] > 0).map(|j| i64::from(cost(self.row_of[j] - 1, j - 1))).sum();
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
        self.row_of[0] = row;
        self.least.clear();
        self.least.resize(columns + 1, FAR);
        self.used.clear();
        self.used.resize(columns + 1, false);
        let mut column = 0;
        loop {
            probe.step()?;
            self.used[column] = true;
            let here = self.row_of[column];
            let (mut step, mut next) = (FAR, 0);
            for j in 1..=columns {
                if self.used[j] {
                    continue;
                }
                let c = cost(here - 1, j - 1);
                if c != FORBIDDEN {
                    let reduced = i64::from(c) - self.row_potential[here] - self.column_potential[j];
                    if reduced < self.least[j] {
                        self.least[j] = reduced;
                        self.way[j] = column;
                    }
                }
                if self.least[j] < step {
                    (step, next) = (self.least[j], j);
                }
            }
            if step == FAR {
                return Ok(false);
            }
            for j in 0..=columns {
                if self.used[j] {
                    self.row_potential[self.row_of[j]] += step;
                    self.column_potential[j] -= step;
                } else if self.least[j] < FAR {
                    self.least[j] -= step;
                }
            }
            column = next;
            if self.row_of[column] == 0 {
                break;
            }
        }
        while column > 0 {
            let before = self.way[column];
            self.row_of[column] = self.row_of[before];
            column = before;
        }
        Ok(true)
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
        for _ in 0..3000 {
            let rows = rng.random_range(0..5);
            let columns = rng.random_range(0..6);
            let table: Vec<u32> = (0..rows * columns)
                .map(|_| if rng.random_bool(0.3) { FORBIDDEN } else { rng.random_range(0..12) })
                .collect();
            let cost = |i: usize, j: usize| table[i * columns + j];
            let want = if rows > columns { None } else { slow(rows, columns, &cost, 0, 0) };
            assert_eq!(fast.cheapest(rows, columns, cost, &mut probe), Ok(want), "{rows} x {columns}: {table:?}");
        }
    }
}
