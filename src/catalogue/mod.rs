//! The catalogue: all levels there are to open, found, read, filtered, sorted and put in order. No window in here.
//!
//! A library may hold ten thousand files, so the window's thread never touches it. A [`Librarian`] runs as a job of its own: it alone touches
//! the disk, in small steps, and puts out finished [`Listing`]s that the window only reads. Whoever wants something (another filter, a level in the
//! bin, a rating) says so with an [`Request`] and hears of it in a [`Event`].
//!
//! | file | what |
//! |---|---|
//! | `facts.rs` | what is read from a level: title, tags, identity; and how hard it is |
//! | `scan.rs` | which files there are: shipped packs, the user's folder, opened collections, the bin |
//! | `cache.rs` | what was read and rated before, kept in the user's cache |
//! | `query.rs` | search, filter, sort: from everything to a listing |
//! | `undo.rs` | changes on disk that can be taken back |
//! | `operations.rs` | rename, duplicate, bin, restore, move, reorder, title and tags |
//! | `librarian.rs` | the job that does all this, and the one beside it that rates |

mod cache;
mod facts;
mod librarian;
mod operations;
mod query;
mod scan;
mod undo;

pub use facts::{Facts, Rated, Reader};
pub use librarian::{Event, Librarian, Places, RatingRequest, Request};
pub use operations::Operation;
pub use query::{Listing, Query, Section, Solved, Sort};
pub use scan::Kind;

use crate::disk::LevelId;
use std::{path::Path, sync::Arc};

/// When a file was last changed and how large it is: if both are as they were, so is the file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stamp {
    /// Nanoseconds since 1970.
    pub modified: u64,
    /// Bytes.
    pub size: u64,
}

/// How far a level is known.
#[derive(Clone, PartialEq, Debug)]
pub enum State {
    /// Its file is there and will be read.
    Unread,
    /// It was read.
    Read(Arc<Facts>),
    /// It cannot be read: a sentence.
    Bad(String),
}

/// A level in the catalogue.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Which.
    pub key: LevelId,
    /// Its title, or the name of its file.
    pub title: String,
    /// When its file was changed.
    pub stamp: Stamp,
    /// What is known of it.
    pub state: State,
    /// Everything one can search for, in lower case.
    hay: String,
}

impl Entry {
    fn new(key: LevelId, stamp: Stamp, state: State) -> Entry {
        let stem =
            || key.path().and_then(Path::file_stem).map_or("Untitled".into(), |s| s.to_string_lossy().into_owned());
        let title = match (&state, &key) {
            (State::Read(facts), _) if !facts.title.is_empty() => facts.title.clone(),
            (_, LevelId::Member(_, index)) => format!("{} {}", stem(), index + 1),
            _ => stem(),
        };
        let mut hay = format!("{title} {}", stem());
        if let State::Read(facts) = &state {
            for words in [&facts.author, &facts.notes, &facts.tags.join(" ")] {
                hay.push(' ');
                hay.push_str(words);
            }
        }
        Entry { hay: hay.to_lowercase(), key, title, stamp, state }
    }

    /// What was read, if it was.
    pub fn facts(&self) -> Option<&Facts> {
        match &self.state {
            State::Read(facts) => Some(facts),
            _ => None,
        }
    }
}
