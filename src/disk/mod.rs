//! What is on disk: reading with a bound, atomic writes, packs and folders of levels, and where the program keeps its own files.
//!
//! | file | what |
//! |---|---|
//! | `files.rs` | reading with a bound; [`write_atomic`]: a reader sees the old file or the new one, never a half |
//! | `levels.rs` | [`Levels`]: everything that comes in, one file at a time, so that a batch over thousands holds one of them in memory |
//! | `names.rs` | file names that mean the same on every system, and [`file_name`]: a name for a title |
//! | `id.rs` | [`LevelId`]: which level is meant |
//! | `walk.rs` | [`walk`]: the one way through a folder of levels |
//! | `folders.rs` | the user's folders |
//! | `lock.rs` | a lock file, for what several running copies share |
//! | `versioned.rs` | a versioned file of the program's own: set aside when damaged, left alone when newer |

mod files;
mod folders;
mod id;
mod levels;
mod lock;
mod names;
pub mod versioned;
mod walk;

pub use files::{
    FileError, clean, file_names, free_name, make_folder, open_file, read_bounded, read_bytes, write_atomic,
};
pub use folders::{Folders, folders};
pub use id::{LevelId, absolute};
pub use levels::{Levels, Loaded, open_path};
pub use lock::Lock;
pub use names::{below, file_name, is_native, last_part};
pub use walk::{Folder, natural, read_pack, walk};
