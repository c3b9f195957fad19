//! A versioned file of the program's own (records, settings): read with care, never overwritten when it is not understood.
//!
//! Every such file has a field `version`. One that cannot be read is set aside under a free name, so that it can be looked at and mended; one that
//! a newer program wrote is left alone, because writing it in the old shape would lose what the new one put there.

use super::{FileError, Lock, free_name, read_bounded, write_atomic};
use crate::formats;
use ron::value::RawValue;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{DeserializeOwned, MapAccess, Visitor},
};
use std::{
    collections::BTreeMap,
    fmt,
    path::{Path, PathBuf},
    time::Duration,
};

/// Nothing larger is read: room for the records of hundreds of thousands of levels.
const LARGEST: u64 = 64 << 20;

/// What was found.
#[derive(Debug, PartialEq)]
pub enum Stored<T> {
    /// There is no file.
    Absent,
    /// What it holds.
    Good(T),
    /// A newer program wrote it: its version.
    Newer(u32),
    /// It cannot be read: why.
    Damaged(String),
    /// It is there, but the system does not let us read it.
    Unreadable(FileError),
}

#[derive(Deserialize)]
struct Head {
    version: u32,
}

/// Reads a file whose newest known version is `version`.
pub fn read_stored<T: DeserializeOwned>(path: &Path, version: u32) -> Stored<T> {
    // A dangling link counts as there: it is not ours to replace.
    if !path.exists() && !path.is_symlink() {
        return Stored::Absent;
    }
    let bytes = match read_bounded(path, LARGEST) {
        Ok(bytes) => bytes,
        Err(error) => return Stored::Unreadable(error),
    };
    let text = match formats::text(&bytes) {
        Ok(text) => text,
        Err(fault) => return Stored::Damaged(fault.to_string()),
    };
    let options = ron::Options::default().with_recursion_limit(64);
    match options.from_str::<Head>(&text) {
        Ok(head) if head.version > version => return Stored::Newer(head.version),
        Ok(_) => {}
        Err(e) => return Stored::Damaged(e.to_string()),
    }
    options.from_str(&text).map_or_else(|e| Stored::Damaged(e.to_string()), Stored::Good)
}

/// The values of a file, by their names, as they are written.
struct Values(BTreeMap<String, Box<RawValue>>);

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Values, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Values;
            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("named values")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Values, A::Error> {
                let mut values = BTreeMap::new();
                while let Some((name, value)) = map.next_entry()? {
                    values.insert(name, value);
                }
                Ok(Values(values))
            }
        }
        deserializer.deserialize_struct("", &[], Each)
    }
}

/// Reads a damaged file value by value, for what has a default for each: the names of those that cannot be read. `None` if there are no values to be seen.
pub fn read_values<T: DeserializeOwned>(path: &Path) -> Option<(T, Vec<String>)> {
    let bytes = read_bounded(path, LARGEST).ok()?;
    let options = ron::Options::default().with_recursion_limit(64);
    let Values(values) = options.from_str(&formats::text(&bytes).ok()?).ok()?;
    let written = |(name, value): (String, Box<RawValue>)| (format!("{name}: {}\n,", value.get_ron()), name);
    let (good, bad): (Vec<_>, Vec<_>) =
        values.into_iter().map(written).partition(|(text, _)| options.from_str::<T>(&format!("({text})")).is_ok());
    let text: String = good.into_iter().map(|(text, _)| text).collect();
    let whole = options.from_str(&format!("({text})")).ok()?;
    Some((whole, bad.into_iter().map(|(_, name)| name).collect()))
}

/// How long a change waits for another copy of the program.
const PATIENCE: Duration = Duration::from_secs(5);

/// Changes a file: under a lock, reads it as it is now, changes that, and writes it back, so that two running copies do not undo each other's changes.
/// Returns what was written, and what the user should know. A damaged file is set aside first; one of a newer program is left alone.
pub fn change_stored<T: Serialize + DeserializeOwned + Default>(
    path: &Path,
    version: u32,
    change: impl FnOnce(&mut T),
) -> Result<(T, Option<String>), String> {
    let _lock = Lock::take(&path.with_extension("lock"), PATIENCE).map_err(|t| t.to_string())?;
    let (mut content, message) = match read_stored::<T>(path, version) {
        Stored::Absent => (T::default(), None),
        Stored::Good(content) => (content, None),
        Stored::Newer(newer) => {
            let path = path.display();
            return Err(format!("{path} was written by a newer Tilewright (version {newer}) and is left alone"));
        }
        Stored::Unreadable(error) => return Err(error.to_string()),
        Stored::Damaged(why) => {
            let aside = set_aside(path).map_err(|t| t.to_string())?;
            let (path, aside) = (path.display(), aside.display());
            (T::default(), Some(format!("{path} could not be read ({why}) and is kept as {aside}")))
        }
    };
    change(&mut content);
    let text = ron::ser::to_string_pretty(&content, ron::ser::PrettyConfig::new()).map_err(|e| e.to_string())?;
    write_atomic(path, text.as_bytes()).map_err(|t| t.to_string())?;
    Ok((content, message))
}

/// Moves a damaged file to a free name beside it, which is returned.
pub fn set_aside(path: &Path) -> Result<PathBuf, FileError> {
    let aside = free_name(&path.with_extension("damaged.ron"));
    match std::fs::rename(path, &aside) {
        Ok(()) => Ok(aside),
        Err(e) => Err(FileError::io(path, "cannot be set aside", &e)),
    }
}
