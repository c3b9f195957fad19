//! `.sbk`: one level as JSON. Tiles and objects are lists of `[position, thing]`; a missing tile is wall.
//!
//! Name, theme, difficulty, numbers of doors and portals, and coordinates survive a round trip. Coordinates that fit on a board from
//! (0, 0) stay as they are; others are moved, and the corner is remembered.

use super::super::{
    Sbokena,
    file::FARTHEST,
    level::{LARGEST, Level, Object, Sbk, Tile},
};
use crate::{
    game::{Fault, Item, Value, Written},
    grid::{Cell, Dir, Size},
};
use serde::Deserialize;
use std::{collections::BTreeSet, fmt::Write as _};

/// The largest board written as generously as JSON allows is smaller than this.
const LONGEST: usize = 16 << 20;

#[derive(Deserialize)]
struct Whole {
    #[serde(default)]
    name: String,
    #[serde(default)]
    theme: String,
    diff: Option<Scalar>,
    tiles: Vec<(Place, TileJson)>,
    objects: Vec<(Place, ObjectJson)>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Number(i64),
    Word(String),
}

#[derive(Deserialize, Clone, Copy)]
struct Place {
    x: i64,
    y: i64,
}

#[derive(Deserialize)]
struct TileJson {
    #[serde(rename = "type")]
    kind: i64,
    door_id: Option<u32>,
    portal_id: Option<u32>,
    in_dir: Option<DirJson>,
    dir: Option<DirJson>,
}

#[derive(Deserialize)]
struct ObjectJson {
    #[serde(rename = "type")]
    kind: i64,
    dir: Option<DirJson>,
}

#[derive(Deserialize, Clone, Copy)]
enum DirJson {
    Up,
    Down,
    Left,
    Right,
}

impl From<DirJson> for Dir {
    fn from(d: DirJson) -> Dir {
        match d {
            DirJson::Up => Dir::Up,
            DirJson::Down => Dir::Down,
            DirJson::Left => Dir::Left,
            DirJson::Right => Dir::Right,
        }
    }
}

fn dir_word(d: Dir) -> &'static str {
    match d {
        Dir::Up => "Up",
        Dir::Down => "Down",
        Dir::Left => "Left",
        Dir::Right => "Right",
    }
}

pub(super) fn recognises(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    text.starts_with('{') && text.contains("\"tiles\"") && text.contains("\"objects\"")
}

fn tile_of(p: Place, t: &TileJson) -> Result<Tile, Fault> {
    let missing = |what: &str| Fault::new(format!("the tile at {},{} has no {what}", p.x, p.y));
    Ok(match t.kind {
        0 => Tile::Floor,
        1 => Tile::Button(t.door_id.ok_or_else(|| missing("door_id"))?),
        2 => Tile::Door(t.door_id.ok_or_else(|| missing("door_id"))?),
        3 => Tile::Portal(
            t.portal_id.ok_or_else(|| missing("portal_id"))?,
            t.in_dir.ok_or_else(|| missing("in_dir"))?.into(),
        ),
        4 => Tile::OneWay(t.dir.ok_or_else(|| missing("dir"))?.into()),
        5 => Tile::Goal,
        other => return Err(Fault::new(format!("the tile at {},{} has the unknown type {other}", p.x, p.y))),
    })
}

fn object_of(p: Place, o: &ObjectJson) -> Result<Object, Fault> {
    Ok(match o.kind {
        0 => Object::Player,
        1 => Object::Box,
        2 => match o.dir {
            Some(dir) => Object::OneWayBox(dir.into()),
            None => return Err(Fault::new(format!("the one-way box at {},{} has no dir", p.x, p.y))),
        },
        other => return Err(Fault::new(format!("the object at {},{} has the unknown type {other}", p.x, p.y))),
    })
}

/// The board's size and the file's coordinates of its top left cell.
fn frame(places: &[Place]) -> Result<(Size, (i64, i64)), Fault> {
    if let Some(p) = places.iter().find(|p| p.x.abs() > FARTHEST || p.y.abs() > FARTHEST) {
        return Err(Fault::new(format!("{},{} lies farther out than {FARTHEST} cells", p.x, p.y)));
    }
    let span = |of: fn(&Place) -> i64, largest: u16| {
        let (low, high) = (places.iter().map(of).min()?, places.iter().map(of).max()?);
        // From 0 where that fits, so that cells have the file's own coordinates.
        let low = if low >= 0 && high < i64::from(largest) { 0 } else { low };
        Some((low, high - low + 1))
    };
    let (Some((x, w)), Some((y, h))) = (span(|p| p.x, LARGEST.w), span(|p| p.y, LARGEST.h)) else {
        return Err(Fault::new("the level has no tiles"));
    };
    if w > i64::from(LARGEST.w) || h > i64::from(LARGEST.h) {
        let text = format!("a board of {w} x {h} is too large: at most {} x {}", LARGEST.w, LARGEST.h);
        return Err(Fault::new(text));
    }
    // A missing tile is wall: one row and column of it, where there is room, makes the board look closed.
    let more = |n: i64, largest: u16| (n + 1).min(i64::from(largest)) as u16;
    Ok((Size::new(more(w, LARGEST.w), more(h, LARGEST.h)), (x, y)))
}

pub(super) fn read(text: &str) -> Result<Vec<Item<Sbokena>>, Fault> {
    if text.len() > LONGEST {
        return Err(Fault::new(format!("a .sbk file of {} MB is too large", text.len() >> 20)));
    }
    let whole: Whole = serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|e| {
        let words = e.to_string();
        let words = words.split(" at line ").next().unwrap_or("not JSON").to_string();
        if e.line() == 0 { Fault::new(words) } else { Fault::at(e.line(), e.column().max(1), words) }
    })?;
    let places: Vec<Place> = whole.tiles.iter().map(|(p, _)| *p).chain(whole.objects.iter().map(|(p, _)| *p)).collect();
    let (size, (x0, y0)) = frame(&places)?;
    let cell = |p: Place| Cell { x: (p.x - x0) as i16, y: (p.y - y0) as i16 };
    let mut level = Level::walls(size);
    let mut seen = BTreeSet::new();
    let mut doors = BTreeSet::new();
    for (p, t) in &whole.tiles {
        if !seen.insert(cell(*p)) {
            return Err(Fault::new(format!("there are two tiles at {},{}", p.x, p.y)));
        }
        let tile = tile_of(*p, t)?;
        if let Tile::Door(n) = tile
            && !doors.insert(n)
        {
            return Err(Fault::new(format!("the door at {},{} is the second with door_id {n}", p.x, p.y)));
        }
        level.set_tile(cell(*p), tile);
    }
    for (p, o) in &whole.objects {
        if level.object(cell(*p)).is_some() {
            return Err(Fault::new(format!("there are two objects at {},{}", p.x, p.y)));
        }
        level.set_object(cell(*p), Some(object_of(*p, o)?));
    }
    let diff = match whole.diff {
        None => Sbk::default().diff,
        Some(Scalar::Number(n)) => Value::Number(n),
        Some(Scalar::Word(w)) => Value::Word(w),
    };
    level.sbk = Sbk { theme: whole.theme, diff, corner: (x0 as i16, y0 as i16) };
    Ok(vec![Item::new(whole.name, level)])
}

pub(super) fn write(items: &[Item<Sbokena>]) -> Result<Written, Fault> {
    let [item] = items else {
        return Err(Fault::new(format!("a .sbk file holds exactly one level, not {}: choose one", items.len())));
    };
    let level = &item.level;
    let (dx, dy) = level.sbk.corner;
    let quoted = |s: &str| serde_json::Value::from(s).to_string();
    let diff = match &level.sbk.diff {
        Value::Number(n) => n.to_string(),
        other => quoted(&other.to_string()),
    };
    let mut tiles = Vec::new();
    let mut objects = Vec::new();
    for c in level.size().cells() {
        let at = format!("{{\"x\": {}, \"y\": {}}}", c.x.saturating_add(dx), c.y.saturating_add(dy));
        let tile = match level.tile(c) {
            Tile::Wall => None,
            Tile::Floor => Some("\"type\": 0".to_string()),
            Tile::Button(n) => Some(format!("\"type\": 1, \"door_id\": {n}")),
            Tile::Door(n) => Some(format!("\"type\": 2, \"door_id\": {n}")),
            Tile::Portal(n, d) => Some(format!("\"type\": 3, \"portal_id\": {n}, \"in_dir\": \"{}\"", dir_word(d))),
            Tile::OneWay(d) => Some(format!("\"type\": 4, \"dir\": \"{}\"", dir_word(d))),
            Tile::Goal => Some("\"type\": 5".to_string()),
        };
        tiles.extend(tile.map(|t| format!("    [{at}, {{{t}}}]")));
        let object = level.object(c).map(|o| match o {
            Object::Player => "\"type\": 0".to_string(),
            Object::Box => "\"type\": 1".to_string(),
            Object::OneWayBox(d) => format!("\"type\": 2, \"dir\": \"{}\"", dir_word(d)),
        });
        objects.extend(object.map(|o| format!("    [{at}, {{{o}}}]")));
    }
    let mut text = String::new();
    let _ = writeln!(text, "{{\n  \"name\": {},", quoted(&item.meta.title));
    let _ = writeln!(text, "  \"theme\": {},\n  \"diff\": {diff},", quoted(&level.sbk.theme));
    let _ = writeln!(text, "  \"tiles\": [\n{}\n  ],", tiles.join(",\n"));
    let _ = writeln!(text, "  \"objects\": [\n{}\n  ]\n}}", objects.join(",\n"));
    // What is written must be read again: boards without tiles or with two doors of a number cannot.
    let again = read(&text).map_err(|fault| Fault::new(format!("this level cannot be a .sbk file: {}", fault.text)))?;
    let mut dropped = Vec::new();
    let size = again[0].level.size();
    if size != level.size() {
        dropped.push(format!("the board's size: .sbk has no place for it, and it is read as {}x{}", size.w, size.h));
    }
    if !item.meta.author.is_empty() {
        dropped.push("the author: .sbk has no place for it".to_string());
    }
    if !item.meta.notes.is_empty() || !item.meta.tags.is_empty() {
        dropped.push("notes and tags: .sbk has no place for them".to_string());
    }
    if !item.solutions.is_empty() {
        dropped.push(format!("{} solution(s): .sbk has no place for them", item.solutions.len()));
    }
    Ok(Written { text, dropped })
}
