//! What the program remembers between runs, beside the levels themselves.
//!
//! | file | what |
//! |---|---|
//! | `records.rs` | what was won, how well, and how far a campaign has come |
//! | `keeper.rs` | records on disk, shared by all running copies |
//! | `recovery.rs` | copies of unsaved drafts, offered again after a crash |
//! | `backups.rs` | the last ten versions of every saved file |
//! | `stamps.rs` | pieces of board kept for use in any level of their game |
//! | `variants.rs` | snapshots of a level, kept beside it |

pub mod backups;
mod keeper;
pub mod records;
pub mod recovery;
pub mod stamps;
pub mod variants;

pub use keeper::{Keeper, date};
pub use records::{Best, Campaign, Chapters, Place, Ranked, Records};

use std::path::Path;

/// Moves what is kept below `data` about a level file after the file was moved, so that a later file at the old path inherits nothing. What cannot be moved
/// stays: the level itself is where it was to go.
pub fn follow(data: &Path, from: &Path, to: &Path) {
    backups::follow(&data.join("backups"), from, to);
    variants::follow(&data.join("variants"), from, to);
}
