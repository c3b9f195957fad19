//! What can be said about a level by solving it, or levels like it.
//!
//! | file | what |
//! |---|---|
//! | `solve.rs` | the one place that asks a solver |
//! | `report.rs` | an answer without the game's types, its JSON and its words |
//! | `line.rs` | a line replayed through the rules |
//! | `rate.rs` | how hard a level is |
//! | `what_if.rs` | what one edit would do to it |
//! | `mend.rs` | the smallest edits that make it solvable |
//! | `why.rs` | why it cannot be solved |
//! | `shortest.rs` | all its shortest solutions |
//! | `review.rs` | a game that was played: its value at each move, its first mistake |
//! | `positions.rs` | the map of all its positions |
//! | `choices.rs` | the choices along a line, where there are too many positions for a map |
//! | `plain.rs` | plain search over the rules, which every proof is tested against |

pub mod choices;
pub mod line;
pub mod mend;
pub mod plain;
pub mod positions;
pub mod rate;
pub mod report;
pub mod review;
pub mod shortest;
pub mod solve;
pub mod what_if;
pub mod why;

pub use line::{MoveRow, Replayed, counts_text, grouped, singular, stage};
pub use report::{Measure, Report, Verdict};
pub use solve::{Answer, played_goal, solve, solve_on_all_cores};
