//! What is on disk: reading with a bound, atomic writes, packs and folders of levels, and where the program keeps its own things.
//!
//! | file | what |
//! |---|---|
//! | `files.rs` | reading with a bound; [`write_atomic`]: a reader sees the old file or the new one, never a half |
//! | `levels.rs` | [`Levels`]: everything that comes in, one file at a time, so that a batch over thousands holds one of them in memory |
//! | `folders.rs` | the user's folders |
//! | `lock.rs` | a lock file, for what several running copies share |
//! | `kept.rs` | a versioned file of the program's own: set aside when damaged, left alone when newer |
//! | `records.rs` | what was won, how well, and how far a campaign has come |
//! | `stamps.rs` | pieces of board kept for use in any level of their game |
//! | `variants.rs` | what a level was before it became what it is: snapshots kept beside it |
//! | `keeper.rs` | records on disk, shared by all running copies |
//! | `recovery.rs` | copies of unsaved drafts, offered again after a crash |
//! | `backups.rs` | the last ten versions of every saved file |

pub mod backups;
mod files;
mod folders;
mod keeper;
pub mod kept;
mod levels;
mod lock;
pub mod records;
pub mod recovery;
pub mod stamps;
pub mod variants;

pub use files::{Trouble, clean, file_names, free_name, make_folder, read_bounded, read_bytes, write_atomic};
pub use folders::{Folders, folders};
pub use keeper::{Keeper, date};
pub use levels::{Levels, Loaded, open_path};
pub use lock::Lock;
pub use records::{Best, Campaign, Records};
