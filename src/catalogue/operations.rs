//! What can be done to levels on disk. Each operation is one thing to take back; one that fails half way is taken back at once.
//!
//! Only files below the user's folder are renamed, moved or put into the bin. Whatever a pack lists is kept in its list: under the new name, at the old
//! place, or no longer.

use super::{LevelId, Reader, undo::Done};
use crate::{
    disk::{self, below, file_name, is_native},
    document::Doc,
    formats::pack::{self, Pack},
    game::Meta,
};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// A change to levels on disk.
#[derive(Clone, PartialEq, Debug)]
pub enum Operation {
    /// Another title, and a file name to fit.
    Rename(LevelId, String),
    /// Other words about the level: title, author, notes, tags. The file keeps its name.
    Meta(LevelId, Meta),
    /// New levels in the user's folder: a file name for each, and the file. A name that is taken gets a number.
    Add(Vec<(String, String)>),
    /// A copy beside each; copies of shipped and foreign levels go into the user's folder.
    Duplicate(Vec<LevelId>),
    /// Into the bin.
    Bin(Vec<LevelId>),
    /// Out of the bin, to where they were.
    Restore(Vec<LevelId>),
    /// All that is in the bin is removed for good.
    EmptyBin,
    /// Into another of the user's folders.
    Move(Vec<LevelId>, PathBuf),
    /// Into this order: in this folder, before this level, or at the end.
    Place(Vec<LevelId>, PathBuf, Option<LevelId>),
    /// A new pack with these levels in it.
    NewPack(String, Vec<LevelId>),
    /// Another title for a pack.
    RenamePack(PathBuf, String),
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub done: Done,
    /// What is to be selected afterwards.
    pub select: Vec<LevelId>,
    /// Whether taking it back makes sense.
    pub undo: bool,
}

/// Where things are.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk {
    pub own: Option<PathBuf>,
    pub bin: Option<PathBuf>,
    pub memory: Option<PathBuf>,
}

/// The note beside a file in the bin.
pub(super) const BIN_NOTE: &str = ".binned.ron";

#[derive(Serialize, Deserialize, Default)]
struct BinNote {
    from: PathBuf,
    /// The packs that listed it, and where.
    packs: Vec<(PathBuf, usize)>,
}

type Result<T> = std::result::Result<T, String>;

fn ending(path: &Path) -> String {
    path.extension().map_or_else(String::new, |e| e.to_string_lossy().into_owned())
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned())
}

/// "the level", "3 levels".
fn count(n: usize, one: &str) -> String {
    if n == 1 { one.into() } else { format!("{n} levels") }
}

impl Disk {
    /// Carries out an operation. `order` lists the files of one of the user's folders in their present order.
    pub(super) fn carry_out(&self, operation: Operation, order: &dyn Fn(&Path) -> Vec<PathBuf>) -> Result<Outcome> {
        let done = Done { memory: self.memory.clone(), ..Done::default() };
        let mut out = Outcome { done, undo: true, ..Outcome::default() };
        let result = match operation {
            Operation::Rename(key, title) => self.rename(&key, &title, &mut out),
            Operation::Meta(key, meta) => self.meta(&key, meta, &mut out),
            Operation::Add(levels) => self.add(levels, &mut out),
            Operation::Duplicate(keys) => self.duplicate(&keys, &mut out),
            Operation::Bin(keys) => self.put_in_bin(&keys, &mut out),
            Operation::Restore(keys) => self.restore(&keys, &mut out),
            Operation::EmptyBin => self.empty_bin(&mut out),
            Operation::Move(keys, folder) => self.move_to(&keys, &folder, &mut out),
            Operation::Place(keys, folder, before) => self.place(&keys, &folder, before.as_ref(), order, &mut out),
            Operation::NewPack(title, keys) => self.new_pack(&title, &keys, &mut out),
            Operation::RenamePack(folder, title) => self.rename_pack(&folder, &title, order, &mut out),
        };
        match result {
            Ok(()) => Ok(out),
            Err(text) => match out.done.back() {
                Ok(()) => Err(text),
                Err(more) => Err(format!("{text}; and {more}")),
            },
        }
    }

    fn root(&self) -> Result<&Path> {
        self.own.as_deref().ok_or_else(|| "there is no folder for your own levels here".into())
    }

    /// The file of one of the user's levels.
    fn own_file<'a>(&self, key: &'a LevelId) -> Result<&'a Path> {
        let root = self.root()?;
        match key {
            LevelId::File(path) if path.starts_with(root) => Ok(path),
            LevelId::Member(path, _) if path.starts_with(root) => {
                Err(format!("{} holds several levels: this only works for files with one level", disk::last_part(path)))
            }
            _ => Err("this only works for your own levels: duplicate it first".into()),
        }
    }

    fn own_folder(&self, folder: &Path) -> Result<()> {
        let inside = folder.starts_with(self.root()?) && folder.components().all(|c| c.as_os_str() != "..");
        if inside { Ok(()) } else { Err("this only works for your own folders".into()) }
    }

    /// The packs above a file that list it, and where.
    fn listed_in(&self, path: &Path) -> Vec<(PathBuf, Pack, usize)> {
        let Some(root) = &self.own else { return Vec::new() };
        let folders = path.ancestors().skip(1).take_while(|f| f.starts_with(root));
        let hit = folders.filter_map(|folder| {
            let file = folder.join(pack::FILE_NAME);
            // A damaged pack is left alone: it is named in the list.
            let pack = disk::read_pack(&file).ok().flatten()?;
            let index = pack.levels.iter().position(|n| below(folder, n) == path)?;
            Some((file, pack, index))
        });
        hit.collect()
    }

    /// Puts another name, or nothing, where packs list a file.
    fn relist(&self, old: &Path, new: Option<&Path>, done: &mut Done) -> Result<()> {
        for (file, mut pack, index) in self.listed_in(old) {
            let folder = file.parent().unwrap_or(Path::new(""));
            match new.and_then(|n| relative(folder, n)) {
                Some(name) => pack.levels[index] = name,
                None => drop(pack.levels.remove(index)),
            }
            done.write(&file, Some(pack::write(&pack).into_bytes()))?;
        }
        Ok(())
    }

    fn rename(&self, key: &LevelId, title: &str, out: &mut Outcome) -> Result<()> {
        let path = self.own_file(key)?;
        let title = title.trim();
        if title.is_empty() {
            return Err("a level needs a name".into());
        }
        let ending = ending(path);
        if is_native(path) {
            let mut doc = native(path)?;
            let meta = Meta { title: title.into(), ..doc.meta().clone() };
            doc.set_meta(meta);
            out.done.write(path, Some(doc.native().into_bytes()))?;
        }
        // A number in front of the name stays: it is there for the order.
        let old = stem(path);
        let digits: String = old.chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
        let number = if digits.len() > 1 && digits.ends_with('-') { digits.as_str() } else { "" };
        let new = format!("{number}{}", file_name(title));
        let mut to = path.to_path_buf();
        // Where case is ignored, a name in another case is taken by this very file.
        if new != old.to_lowercase() {
            to = disk::free_name(&path.with_file_name(format!("{new}.{ending}")));
            out.done.move_file(path, &to)?;
            self.relist(path, Some(&to), &mut out.done)?;
        }
        out.done.words = format!("renamed to \"{title}\"");
        out.select = vec![LevelId::File(to)];
        Ok(())
    }

    fn meta(&self, key: &LevelId, meta: Meta, out: &mut Outcome) -> Result<()> {
        let LevelId::File(path) = key else {
            return Err("only a .ron file with one level can hold this".into());
        };
        let mut doc = native(path)?;
        if *doc.meta() == meta {
            return Ok(());
        }
        doc.set_meta(meta);
        out.done.write(path, Some(doc.native().into_bytes()))?;
        out.done.words = format!("saved {}", disk::last_part(path));
        Ok(())
    }

    fn add(&self, levels: Vec<(String, String)>, out: &mut Outcome) -> Result<()> {
        let root = self.root()?;
        out.done.words = format!("saved {} to {}", count(levels.len(), "the level"), root.display());
        for (name, text) in levels {
            let path = root.join(name);
            // The same level saved once more needs no second file.
            let same = disk::read_bytes(&path).is_ok_and(|bytes| bytes == text.as_bytes());
            let path = if same { path } else { disk::free_name(&path) };
            out.done.write(&path, Some(text.into_bytes()))?;
            out.select.push(LevelId::File(path));
        }
        Ok(())
    }

    fn duplicate(&self, keys: &[LevelId], out: &mut Outcome) -> Result<()> {
        let root = self.root()?.to_path_buf();
        let mut reader = Reader::default();
        for key in keys {
            let mut doc = reader.load(key)?;
            let own = self.own_file(key).ok();
            let mut meta = doc.meta().clone();
            if meta.title.is_empty() {
                meta.title = key.path().map(stem).unwrap_or_default();
            }
            if own.is_some() {
                meta.title = format!("{} copy", meta.title);
            }
            let folder = own.and_then(Path::parent).unwrap_or(&root);
            let to = disk::free_name(&folder.join(format!("{}.ron", file_name(&meta.title))));
            doc.set_meta(meta);
            out.done.write(&to, Some(doc.native().into_bytes()))?;
            for (file, mut pack, index) in own.map(|p| self.listed_in(p)).unwrap_or_default() {
                if let Some(name) = relative(file.parent().unwrap_or(Path::new("")), &to) {
                    pack.levels.insert(index + 1, name);
                    out.done.write(&file, Some(pack::write(&pack).into_bytes()))?;
                }
            }
            out.select.push(LevelId::File(to));
        }
        out.done.words = format!("duplicated {}", count(keys.len(), "the level"));
        Ok(())
    }

    fn put_in_bin(&self, keys: &[LevelId], out: &mut Outcome) -> Result<()> {
        let bin = self.bin.as_ref().ok_or("there is no bin here")?;
        disk::make_folder(bin).map_err(|t| t.to_string())?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_millis());
        for key in keys {
            let path = self.own_file(key)?;
            let item = (0..10_000)
                .map(|n| bin.join(format!("{now:015}-{n:04}")))
                .find(|item| fs::create_dir(item).is_ok())
                .ok_or("the bin cannot be written")?;
            let packs = self.listed_in(path).into_iter().map(|(file, _, index)| (file, index)).collect();
            let note = BinNote { from: path.into(), packs };
            let note = ron::to_string(&note).map_err(|e| e.to_string())?;
            self.relist(path, None, &mut out.done)?;
            out.done.write(&item.join(BIN_NOTE), Some(note.into_bytes()))?;
            out.done.move_file(path, &item.join(disk::last_part(path)))?;
        }
        out.done.words = format!("{} moved to the bin", count(keys.len(), "the level"));
        Ok(())
    }

    fn restore(&self, keys: &[LevelId], out: &mut Outcome) -> Result<()> {
        let (root, bin) = (self.root()?, self.bin.as_deref().ok_or("there is no bin here")?);
        for key in keys {
            let path = key.path().filter(|p| p.starts_with(bin)).ok_or("this is not in the bin")?;
            let note_file = path.parent().unwrap_or(bin).join(BIN_NOTE);
            let note = disk::read_bytes(&note_file).ok();
            let note: BinNote = note.and_then(|b| ron::de::from_bytes(&b).ok()).unwrap_or_default();
            // Without a readable note the level goes to the top of the user's folder.
            let from = if self.own_folder(&note.from).is_ok() && note.from != root {
                note.from.clone()
            } else {
                root.join(disk::last_part(path))
            };
            let to = disk::free_name(&from);
            out.done.move_file(path, &to)?;
            for (file, index) in note.packs.iter().filter(|(file, _)| self.own_folder(file).is_ok()) {
                let folder = file.parent().unwrap_or(root);
                if let (Ok(Some(mut pack)), Some(name)) = (disk::read_pack(file), relative(folder, &to))
                    && !pack.levels.contains(&name)
                {
                    pack.levels.insert((*index).min(pack.levels.len()), name);
                    out.done.write(file, Some(pack::write(&pack).into_bytes()))?;
                }
            }
            if note_file.exists() {
                out.done.write(&note_file, None)?;
            }
            let _ = fs::remove_dir(path.parent().unwrap_or(bin));
            out.select.push(LevelId::File(to));
        }
        out.done.words = format!("restored {}", count(keys.len(), "the level"));
        Ok(())
    }

    fn empty_bin(&self, out: &mut Outcome) -> Result<()> {
        let bin = self.bin.as_ref().ok_or("there is no bin here")?;
        let fail = |e: std::io::Error| format!("the bin cannot be emptied: {e}");
        // Only what was put there: folders with our note in them.
        for name in disk::file_names(bin).unwrap_or_default() {
            let item = bin.join(name);
            if item.join(BIN_NOTE).is_file() && !item.is_symlink() {
                fs::remove_dir_all(&item).map_err(fail)?;
            }
        }
        out.undo = false;
        out.done.words = "the bin is empty".into();
        Ok(())
    }

    fn move_to(&self, keys: &[LevelId], folder: &Path, out: &mut Outcome) -> Result<()> {
        self.own_folder(folder)?;
        let list = folder.join(pack::FILE_NAME);
        let mut names = Vec::new();
        for key in keys {
            let path = self.own_file(key)?;
            if path.parent() == Some(folder) {
                continue;
            }
            let to = disk::free_name(&folder.join(disk::last_part(path)));
            self.relist(path, None, &mut out.done)?;
            out.done.move_file(path, &to)?;
            names.extend(relative(folder, &to));
            out.select.push(LevelId::File(to));
        }
        if let Some(mut pack) = disk::read_pack(&list).map_err(|t| t.to_string())? {
            pack.levels.extend(names);
            out.done.write(&list, Some(pack::write(&pack).into_bytes()))?;
        }
        out.done.words = format!("moved {}", count(out.select.len(), "the level"));
        Ok(())
    }

    fn place(
        &self,
        keys: &[LevelId],
        folder: &Path,
        before: Option<&LevelId>,
        order: &dyn Fn(&Path) -> Vec<PathBuf>,
        out: &mut Outcome,
    ) -> Result<()> {
        self.own_folder(folder)?;
        let list = folder.join(pack::FILE_NAME);
        let title = disk::read_pack(&list)
            .map_err(|t| t.to_string())?
            .map(|p| p.title)
            .unwrap_or_else(|| self.title_of(folder));
        let mut files = order(folder);
        let mut moving = Vec::new();
        for key in keys {
            match key.path() {
                Some(path) if files.iter().any(|f| f == path) => moving.push((path.to_path_buf(), path.to_path_buf())),
                _ => {
                    let path = self.own_file(key)?;
                    let to = disk::free_name(&folder.join(disk::last_part(path)));
                    self.relist(path, None, &mut out.done)?;
                    out.done.move_file(path, &to)?;
                    moving.push((path.to_path_buf(), to));
                }
            }
        }
        // Before the first of the levels that stay, counted from the one pointed at.
        let at = before.and_then(LevelId::path).and_then(|b| files.iter().position(|f| f == b)).unwrap_or(files.len());
        let stays = |f: &PathBuf| !moving.iter().any(|(old, _)| old == f);
        let at = files[..at].iter().filter(|f| stays(f)).count();
        files.retain(stays);
        files.splice(at..at, moving.iter().map(|(_, new)| new.clone()));
        let levels = files.iter().filter_map(|f| relative(folder, f)).collect();
        out.done.write(&list, Some(pack::write(&Pack { title, levels }).into_bytes()))?;
        out.select = moving.into_iter().map(|(_, new)| LevelId::File(new)).collect();
        out.done.words = "reordered".into();
        Ok(())
    }

    fn title_of(&self, folder: &Path) -> String {
        if self.own.as_deref() == Some(folder) { "My levels".into() } else { disk::last_part(folder) }
    }

    fn new_pack(&self, title: &str, keys: &[LevelId], out: &mut Outcome) -> Result<()> {
        let root = self.root()?;
        let title = title.trim();
        if title.is_empty() {
            return Err("a pack needs a name".into());
        }
        let folder = disk::free_name(&root.join(file_name(title)));
        let pack = Pack { title: title.into(), levels: Vec::new() };
        out.done.write(&folder.join(pack::FILE_NAME), Some(pack::write(&pack).into_bytes()))?;
        self.move_to(keys, &folder, out)?;
        out.done.words = format!("made the pack \"{title}\"");
        Ok(())
    }

    fn rename_pack(
        &self,
        folder: &Path,
        title: &str,
        order: &dyn Fn(&Path) -> Vec<PathBuf>,
        out: &mut Outcome,
    ) -> Result<()> {
        self.own_folder(folder)?;
        let list = folder.join(pack::FILE_NAME);
        let levels = match disk::read_pack(&list).map_err(|t| t.to_string())? {
            Some(pack) => pack.levels,
            None => order(folder).iter().filter_map(|f| relative(folder, f)).collect(),
        };
        let pack = Pack { title: title.trim().into(), levels };
        out.done.write(&list, Some(pack::write(&pack).into_bytes()))?;
        out.done.words = format!("renamed the pack to \"{}\"", pack.title);
        Ok(())
    }
}

/// A path below a folder as a pack writes it.
fn relative(folder: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<_>> = path.strip_prefix(folder).ok()?.iter().map(|p| p.to_str()).collect();
    parts.map(|p| p.join("/"))
}

fn native(path: &Path) -> Result<Box<dyn Doc>> {
    if !is_native(path) {
        return Err(format!("{} is in another program's format: save it as .ron first", disk::last_part(path)));
    }
    Reader::default().load(&LevelId::File(path.into()))
}
