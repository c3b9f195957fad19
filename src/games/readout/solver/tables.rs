//! Which pattern tables there are, and where they are kept.
//!
//! *Small* tables (groups of three to five tiles, at most a few megabytes) are built for any field when they are first wanted, in a fraction
//! of a second, and held in memory. The opponent and the model player use only these, so nothing they do depends on what is cached.
//!
//! The *large* tables are for the game itself, 5x5 with one gap: groups 5-5-5-5-4, 39 MB. They are built once, where the limits allow it, and kept in
//! the user's cache folder, each group as soon as it is finished. They make the solver faster where it may use what is cached
//! ([`Mode::Fast`]); no answer depends on them. A kept file begins with a magic word, the fingerprint of its groups, its length and a checksum:
//! a file that is damaged, cut off or of another version is not used but built again.

use super::{
    super::{field::Field, level::Level},
    patterns::{self, Patterns},
};
use crate::{
    grid::Size,
    job::{Mode, Probe, Stop, lock},
    search::driver::wait_for,
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, Once, OnceLock},
    time::Duration,
};

/// The groups of the large tables, a letter a tile in target order: the rows. (Their mirror image is the columns, so that both kinds of linear conflict are seen.)
const GROUPS: &str = "aaabb aacbb ddccb ddcce deee";
const MAGIC: &[u8; 8] = b"TWREAD01";
const HEADER: usize = 32;
/// Small tables kept in memory for this many fields.
const KEPT: usize = 12;
/// What building the large tables takes: measured, rounded up.
const BUILDING_BYTES: u64 = 256 << 20;
const BUILDING_TIME: Duration = Duration::from_secs(10);

/// The small tables of a field. Building them is no search: it counts no nodes, so that the nodes of a search do not depend on who was here first.
pub(in super::super) fn small(field: &Field, probe: &mut Probe) -> Result<Arc<Patterns>, Stop> {
    type Shelf = Mutex<Vec<(Field, Arc<Patterns>)>>;
    static SHELF: Shelf = Mutex::new(Vec::new());
    // Tables depend on shape, homes and number of gaps, not on what the tiles are called.
    let named = field.digits.iter().enumerate().all(|(i, d)| usize::from(*d) == i + 1);
    let renamed;
    let field = if named {
        field
    } else {
        renamed = Field { digits: (1..=field.digits.len() as u8).collect(), ..field.clone() };
        &renamed
    };
    let mut shelf = wait_for(&SHELF, probe)?;
    if let Some(i) = shelf.iter().position(|(f, _)| f == field) {
        // The latest used stays longest.
        let found = shelf.remove(i);
        let patterns = found.1.clone();
        shelf.push(found);
        return Ok(patterns);
    }
    let most = match field.cells() {
        ..=10 => 4,
        11..=16 => 5,
        17..=25 => 4,
        _ => 3,
    };
    let built = Arc::new(Patterns::build(field, &patterns::share(field, most), probe)?);
    if shelf.len() >= KEPT {
        shelf.remove(0);
    }
    shelf.push((field.clone(), built.clone()));
    Ok(built)
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

static LARGE: Mutex<Option<Arc<Patterns>>> = Mutex::new(None);

/// The large tables, if they are in memory or can be read from the cache folder, and the memory limit holds them; looked for there only once.
fn large(probe: &mut Probe) -> Option<Arc<Patterns>> {
    static LOOKED: Once = Once::new();
    probe.allow(large_bytes()).ok()?;
    LOOKED.call_once(|| {
        if let Some(found) = folder().and_then(|dir| load(&file(&dir))).filter(is_whole) {
            lock(&LARGE).get_or_insert(Arc::new(found));
        }
    });
    lock(&LARGE).clone()
}

/// The best tables there are for a field without waiting long; the small ones where nothing may depend on what is cached.
pub(in super::super) fn best(field: &Field, probe: &mut Probe) -> Result<Arc<Patterns>, Stop> {
    if probe.mode() != Mode::Reproducible
        && *field == *standard()
        && let Some(large) = large(probe)
    {
        return Ok(large);
    }
    small(field, probe)
}

/// Makes the large tables ready: from the cache folder, or built and kept there. It is not begun where the limits cannot hold it.
pub(in super::super) fn prepare(probe: &mut Probe) -> Result<(), Stop> {
    static BUILDING: Mutex<()> = Mutex::new(());
    let _one = wait_for(&BUILDING, probe)?;
    if large(probe).is_some() {
        return Ok(());
    }
    probe.allow(BUILDING_BYTES)?;
    if probe.limits().time.is_some_and(|t| t.saturating_sub(probe.elapsed()) < BUILDING_TIME) {
        return Err(Stop::Time);
    }
    // The tables are the same however many threads build them.
    let mode = probe.mode();
    probe.set_mode(Mode::all_cores());
    let tables = build_in(folder().as_deref(), probe);
    probe.set_mode(mode);
    *lock(&LARGE) = Some(Arc::new(tables?));
    Ok(())
}

#[cfg(not(target_family = "wasm"))]
fn folder() -> Option<PathBuf> {
    crate::disk::folders().map(|f| f.cache)
}

/// A page has no folders.
#[cfg(target_family = "wasm")]
fn folder() -> Option<PathBuf> {
    None
}

fn file(dir: &Path) -> PathBuf {
    dir.join("readout-5-5-5-5-4.tables")
}

/// The groups that are finished while the others are still being built.
fn part_file(dir: &Path) -> PathBuf {
    dir.join("readout-5-5-5-5-4.part")
}

/// Builds the tables, beginning with the groups that a run which was stopped has left in the folder, and keeps them there. That they cannot be
/// kept is no failure.
fn build_in(dir: Option<&Path>, probe: &mut Probe) -> Result<Patterns, Stop> {
    let groups = groups();
    let kept = dir.and_then(|dir| load(&part_file(dir)));
    let mut out = kept.unwrap_or_else(|| Patterns::layout(standard(), &groups));
    for (i, tiles) in groups.iter().enumerate() {
        if out.bytes.len() >= end_of(i) {
            continue;
        }
        probe.progress.fraction = Some(i as f32 / groups.len() as f32);
        probe.progress.note = format!("pattern table {} of {}", i + 1, groups.len());
        probe.publish();
        let table = patterns::build_table(standard(), tiles, probe)?;
        out.bytes.extend(table);
        if let Some(dir) = dir {
            let _ = save(&if is_whole(&out) { file(dir) } else { part_file(dir) }, &out);
        }
    }
    if let Some(dir) = dir {
        let _ = fs::remove_file(part_file(dir));
    }
    probe.progress.fraction = Some(1.0);
    Ok(out)
}

/// Where the table of a group ends among the bytes of all.
fn end_of(group: usize) -> usize {
    groups()[..=group].iter().map(|g| standard().cells().pow(g.len() as u32)).sum()
}

fn large_bytes() -> u64 {
    end_of(groups().len() - 1) as u64
}

fn is_whole(tables: &Patterns) -> bool {
    tables.bytes.len() as u64 == large_bytes()
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

/// Reads kept tables, of all groups or of the first ones; `None` if there are none or they are not what they should be.
fn load(path: &Path) -> Option<Patterns> {
    let groups = groups();
    let fits = |n: u64| (0..groups.len()).any(|g| (end_of(g) + HEADER) as u64 == n);
    // Looked at before it is read: it may be anything.
    if !fs::metadata(path).is_ok_and(|m| m.is_file() && fits(m.len())) {
        return None;
    }
    let mut bytes = fs::read(path).ok()?;
    if !fits(bytes.len() as u64) {
        return None;
    }
    let head: Vec<u8> = bytes.drain(..HEADER).collect();
    let mut tables = Patterns::layout(standard(), &groups);
    tables.bytes = bytes;
    (head == header(&tables)).then_some(tables)
}

/// Keeps the tables: written beside the place and moved there, so that nobody ever reads half a file.
#[cfg(not(target_family = "wasm"))]
fn save(path: &Path, tables: &Patterns) -> std::io::Result<()> {
    use std::io::Write as _;
    let dir = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(dir)?;
    let mut temporary = tempfile::NamedTempFile::new_in(dir)?;
    temporary.write_all(&header(tables))?;
    temporary.write_all(&tables.bytes)?;
    temporary.persist(path).map_err(|e| e.error)?;
    Ok(())
}

#[cfg(target_family = "wasm")]
fn save(_: &Path, _: &Patterns) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Limits;

    #[test]
    fn a_stopped_build_goes_on_and_a_damaged_cut_or_stale_file_is_noticed() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let dir = dir.path();
        assert!(load(&file(dir)).is_none(), "nothing is there yet");
        // The last table is the smallest: all others are given, as a run that was stopped would have left them.
        let mut begun = Patterns::layout(standard(), &groups());
        begun.bytes = (0..end_of(3)).map(|i| (i % 251) as u8).collect();
        save(&part_file(dir), &begun).expect("writable");
        let mut probe = Probe::new(Limits::default());
        let built = build_in(Some(dir), &mut probe).expect("no limit");
        assert!(is_whole(&built) && built.bytes.starts_with(&begun.bytes));
        assert_eq!(probe.progress.nodes, 0, "tables are no search");
        assert!(!part_file(dir).exists());
        assert!(load(&file(dir)).is_some_and(|t| t.bytes == built.bytes));

        let whole = fs::read(file(dir)).expect("just written");
        let broken = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = whole.clone();
            change(&mut bytes);
            fs::write(file(dir), &bytes).expect("writable");
            load(&file(dir)).is_none()
        };
        assert!(broken(&|b| b[HEADER + 4_000_000] ^= 1), "one bit of a table");
        assert!(broken(&|b| *b.last_mut().expect("long") ^= 0x80), "the last byte");
        assert!(broken(&|b| b.truncate(b.len() - 1)), "cut off");
        assert!(broken(&|b| b.truncate(HEADER + end_of(3))), "cut off after a table");
        assert!(broken(&|b| b.push(0)), "too long");
        assert!(broken(&|b| b[0] = b'X'), "another kind of file");
        assert!(broken(&|b| b[7] += 1), "another version");
        assert!(broken(&|b| b[9] ^= 4), "other groups");
        assert!(broken(&|b| b.swap(HEADER + 3, HEADER + 700)), "two bytes exchanged");
        assert!(broken(&|b| b.clear()), "empty");
    }

    #[test]
    fn tables_are_not_begun_where_the_limits_cannot_hold_them_and_building_keeps_the_clock() {
        let stop = |limits| build_in(None, &mut Probe::new(limits)).err();
        assert_eq!(stop(Limits { time: Some(Duration::ZERO), ..Limits::default() }), Some(Stop::Time));
        assert_eq!(stop(Limits { memory: Some(64 << 20), ..Limits::default() }), Some(Stop::Memory));
        let mut probe = Probe::new(Limits { time: Some(Duration::ZERO), ..Limits::default() });
        // A field that no other test asks for.
        let level = Level::in_order(Size::new(6, 3), 1);
        let (field, _) = Field::of(&level.squares).expect("no digit twice");
        assert_eq!(small(&field, &mut probe).err(), Some(Stop::Time));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_no_failure() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let blocked = dir.path().join("a file, not a folder");
        fs::write(&blocked, "x").expect("writable");
        assert!(save(&file(&blocked), &Patterns::layout(standard(), &groups())).is_err());
        assert!(load(&file(&blocked)).is_none());
    }
}
