//! Which pattern tables there are, and where they are kept.
//!
//! *Small* tables (groups of three to five tiles, at most a few megabytes) are built for any field when they are first wanted, in a fraction
//! of a second, and held in memory. The opponent and the model player use only these, so nothing they do depends on what is cached.
//!
//! The *large* tables are for the game itself, 5x5 with one gap: groups 5-5-5-5-4, 39 MB. They are built once on all cores, kept
//! in the user's cache folder, and make the solver faster; no answer depends on them. A kept file begins with a magic word, the fingerprint of
//! its groups, its length and a checksum: a file that is damaged, cut off or of another version is not used but built anew.

use super::{
    super::{field::Field, level::Level},
    patterns::{self, Patterns},
};
use crate::{
    grid::Size,
    job::{Limits, Probe, Stop},
};
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
};

/// The groups of the large tables, a letter a tile in target order: the rows. (Their mirror image is the columns, so that both kinds of linear conflict are seen.)
const GROUPS: &str = "aaabb aacbb ddccb ddcce deee";
const MAGIC: &[u8; 8] = b"TWREAD01";
const HEADER: usize = 32;
/// Small tables kept in memory for this many fields.
const KEPT: usize = 12;

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The small tables of a field.
pub(in super::super) fn small(field: &Field) -> Arc<Patterns> {
    type Shelf = Mutex<Vec<(Field, Arc<Patterns>)>>;
    static SHELF: OnceLock<Shelf> = OnceLock::new();
    let shelf = SHELF.get_or_init(Shelf::default);
    // Tables depend on shape, homes and number of gaps, not on what the tiles are called.
    let named = field.digits.iter().enumerate().all(|(i, d)| usize::from(*d) == i + 1);
    let renamed;
    let field = if named {
        field
    } else {
        renamed = Field { digits: (1..=field.digits.len() as u8).collect(), ..field.clone() };
        &renamed
    };
    let mut shelf = lock(shelf);
    if let Some(i) = shelf.iter().position(|(f, _)| f == field) {
        // The latest used stays longest.
        if i + 1 < shelf.len() {
            let found = shelf.remove(i);
            shelf.push(found);
        }
        return shelf[shelf.len() - 1].1.clone();
    }
    let most = match field.cells() {
        ..=10 => 4,
        11..=16 => 5,
        17..=25 => 4,
        _ => 3,
    };
    let groups = patterns::share(field, most);
    let built = match Patterns::build(field, &groups, &mut Probe::new(Limits::default())) {
        Ok(built) => Arc::new(built),
        Err(stop) => unreachable!("nothing limits it, and yet it stopped: {stop:?}"),
    };
    if shelf.len() >= KEPT {
        shelf.remove(0);
    }
    shelf.push((field.clone(), built.clone()));
    built
}

/// The field of the game itself: 5x5, 24 digits, one gap.
pub(in super::super) fn standard() -> &'static Field {
    static FIELD: OnceLock<Field> = OnceLock::new();
    FIELD.get_or_init(|| {
        let level = Level::in_order(Size::new(5, 5), 1);
        match Field::of(&level.squares) {
            Some((field, _)) => field,
            None => unreachable!("the digits 1 to 24 are all different"),
        }
    })
}

fn groups() -> Vec<Vec<u8>> {
    let letters: Vec<u8> = GROUPS.bytes().filter(|b| *b != b' ').collect();
    let mut groups: Vec<Vec<u8>> = Vec::new();
    for (tile, letter) in letters.iter().enumerate() {
        let g = usize::from(letter - b'a');
        groups.resize_with(groups.len().max(g + 1), Vec::new);
        groups[g].push(tile as u8);
    }
    groups
}

type Slot = Mutex<Option<Arc<Patterns>>>;

fn slot() -> &'static Slot {
    static LARGE: Slot = Mutex::new(None);
    &LARGE
}

/// The large tables, if they are in memory or can be read from the cache folder; looked for there only once.
pub(in super::super) fn large() -> Option<Arc<Patterns>> {
    static LOOKED: OnceLock<()> = OnceLock::new();
    if let Some(ready) = lock(slot()).clone() {
        return Some(ready);
    }
    LOOKED.get_or_init(|| {
        if let Some(found) = folder().and_then(|dir| load(&dir)) {
            *lock(slot()) = Some(Arc::new(found));
        }
    });
    lock(slot()).clone()
}

/// The best tables there are for a field without waiting long.
pub(in super::super) fn best(field: &Field) -> Arc<Patterns> {
    match *field == *standard() {
        true => large().unwrap_or_else(|| small(field)),
        false => small(field),
    }
}

/// Makes the large tables ready: from the cache folder, or built and kept there.
pub(in super::super) fn prepare(probe: &mut Probe) -> Result<(), Stop> {
    if lock(slot()).is_some() {
        return Ok(());
    }
    let tables = match folder() {
        Some(dir) => prepare_in(&dir, probe)?,
        None => build(probe)?,
    };
    *lock(slot()) = Some(Arc::new(tables));
    Ok(())
}

fn folder() -> Option<PathBuf> {
    crate::disk::folders().map(|f| f.cache)
}

fn file(dir: &Path) -> PathBuf {
    dir.join("readout-5-5-5-5-4.tables")
}

/// Reads the tables from a folder, or builds them and keeps them there. That they cannot be kept is no failure.
fn prepare_in(dir: &Path, probe: &mut Probe) -> Result<Patterns, Stop> {
    if let Some(tables) = load(dir) {
        return Ok(tables);
    }
    let tables = build(probe)?;
    let _ = save(dir, &tables);
    Ok(tables)
}

fn build(probe: &mut Probe) -> Result<Patterns, Stop> {
    let groups = groups();
    let mut out = Patterns::layout(standard(), &groups);
    for (i, tiles) in groups.iter().enumerate() {
        probe.progress.fraction = Some(i as f32 / groups.len() as f32);
        probe.progress.note = format!("pattern table {} of {}", i + 1, groups.len());
        probe.publish();
        out.bytes.extend(patterns::build_table(standard(), tiles, probe)?);
    }
    probe.progress.fraction = Some(1.0);
    Ok(out)
}

/// Order-dependent, and every word changes every later state: any damaged byte shows.
fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = 0xcbf2_9ce4_8422_2325u64 ^ bytes.len() as u64;
    let mut mix = |word: u64| {
        sum = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sum ^= sum >> 32;
    };
    let (words, rest) = bytes.as_chunks::<8>();
    words.iter().for_each(|w| mix(u64::from_le_bytes(*w)));
    rest.iter().for_each(|b| mix(u64::from(*b)));
    sum
}

fn header(tables: &Patterns) -> [u8; HEADER] {
    let mut out = [0; HEADER];
    out[..8].copy_from_slice(MAGIC);
    out[8..16].copy_from_slice(&checksum(GROUPS.as_bytes()).to_le_bytes());
    out[16..24].copy_from_slice(&(tables.bytes.len() as u64).to_le_bytes());
    out[24..].copy_from_slice(&checksum(&tables.bytes).to_le_bytes());
    out
}

/// Reads the kept tables; `None` if there are none or they are not what they should be.
fn load(dir: &Path) -> Option<Patterns> {
    let groups = groups();
    let size: usize = groups.iter().map(|g| standard().cells().pow(g.len() as u32)).sum();
    // Looked at before it is read: it may be anything.
    if fs::metadata(file(dir)).ok()?.len() != (size + HEADER) as u64 {
        return None;
    }
    let mut bytes = fs::read(file(dir)).ok()?;
    if bytes.len() != size + HEADER {
        return None;
    }
    let head: Vec<u8> = bytes.drain(..HEADER).collect();
    let mut tables = Patterns::layout(standard(), &groups);
    tables.bytes = bytes;
    (head == header(&tables)).then_some(tables)
}

/// Keeps the tables: written beside the place and moved there, so that nobody ever reads half a file.
fn save(dir: &Path, tables: &Patterns) -> std::io::Result<()> {
    fs::create_dir_all(dir)?;
    let mut temporary = tempfile::NamedTempFile::new_in(dir)?;
    temporary.write_all(&header(tables))?;
    temporary.write_all(&tables.bytes)?;
    temporary.persist(file(dir)).map_err(|e| e.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_cut_or_stale_table_file_is_noticed_and_built_anew() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let mut probe = Probe::new(Limits::default());
        assert!(load(dir.path()).is_none(), "nothing is there yet");
        let built = prepare_in(dir.path(), &mut probe).expect("no limit");
        let nodes = probe.progress.nodes;
        assert!(nodes > 0 && file(dir.path()).exists());
        let again = prepare_in(dir.path(), &mut probe).expect("no limit");
        assert_eq!(probe.progress.nodes, nodes, "the second time they are read");
        assert!(built.bytes == again.bytes);

        let whole = fs::read(file(dir.path())).expect("just written");
        let broken = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = whole.clone();
            change(&mut bytes);
            fs::write(file(dir.path()), &bytes).expect("writable");
            load(dir.path()).is_none()
        };
        assert!(broken(&|b| b[HEADER + 4_000_000] ^= 1), "one bit of a table");
        assert!(broken(&|b| *b.last_mut().expect("long") ^= 0x80), "the last byte");
        assert!(broken(&|b| b.truncate(b.len() - 1)), "cut off");
        assert!(broken(&|b| b.push(0)), "too long");
        assert!(broken(&|b| b[0] = b'X'), "another kind of file");
        assert!(broken(&|b| b[7] += 1), "another version");
        assert!(broken(&|b| b[9] ^= 4), "other groups");
        assert!(
            broken(&|b| b.swap(HEADER + 3, HEADER + 700)) || whole[HEADER + 3] == whole[HEADER + 700],
            "two bytes exchanged"
        );
        assert!(broken(&|b| b.clear()), "empty");

        // What is found broken is built anew, here up to the point where it would take long.
        let mut little = Probe::new(Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() });
        assert_eq!(prepare_in(dir.path(), &mut little).err(), Some(Stop::Time));
        fs::write(file(dir.path()), &whole).expect("writable");
        assert!(load(dir.path()).is_some_and(|t| t.bytes == built.bytes), "a whole file is good again");
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_failure() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let blocked = dir.path().join("a file, not a folder");
        fs::write(&blocked, "x").expect("writable");
        assert!(save(&blocked, &Patterns::layout(standard(), &groups())).is_err());
        assert!(load(&blocked).is_none());
    }
}
