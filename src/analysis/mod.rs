//! What can be said about a level by solving it, or levels like it.
//!
//! | file | what |
//! |---|---|
//! | `rate.rs` | how hard a level is |
//! | `what_if.rs` | what one edit would do to it |
//! | `mend.rs` | the smallest edits that make it solvable |
//! | `plain.rs` | plain search over the rules, which every proof is tested against |

pub mod mend;
pub mod plain;
pub mod rate;
pub mod what_if;
