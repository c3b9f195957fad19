//! What can be said about a level by solving it, or levels like it.
//!
//! | file | what |
//! |---|---|
//! | `rate.rs` | how hard a level is |
//! | `what_if.rs` | what one edit would do to it |
//! | `mend.rs` | the smallest edits that make it solvable |

pub mod mend;
pub mod rate;
pub mod what_if;
