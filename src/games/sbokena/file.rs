//! The level as it stands in a native file: rows of characters as in XSB, and a legend for everything XSB has no letter for.
//!
//! ```text
//! board: ["#######", "#@ a A.#", …],
//! legend: {'a': "button 1", 'A': "door 1", 'x': "one-way box left on goal"},
//! ```
//! `#` wall, space (or `-`, `_`) floor, `.` goal, `$` box, `*` box on a goal, `@` player, `+` player on a goal, `^ > v <` one-way floor.
//! A legend may use any other letter. Its words are `[object on] tile`.

use super::level::{LARGEST, Level, Object, Sbk, Tile};
use crate::{
    game::{BoardFault, Value},
    grid::{Cell, Dir, Size},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The level in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    board: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    legend: BTreeMap<char, String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    theme: String,
    #[serde(default = "unknown", skip_serializing_if = "is_unknown")]
    diff: Value,
    #[serde(default, skip_serializing_if = "is_origin")]
    corner: (i16, i16),
}

fn unknown() -> Value {
    Sbk::default().diff
}

fn is_unknown(v: &Value) -> bool {
    *v == unknown()
}

fn is_origin(corner: &(i16, i16)) -> bool {
    *corner == (0, 0)
}

/// Coordinates of a `.sbk` file beyond this would not survive sums of cells.
pub(super) const FARTHEST: i64 = 10_000;

type Content = (Tile, Option<Object>);

/// The letter XSB and ours have for a content, if there is one.
pub(super) fn fixed_letter((tile, object): Content) -> Option<char> {
    Some(match (tile, object) {
        (Tile::Wall, None) => '#',
        (Tile::Floor, None) => ' ',
        (Tile::Goal, None) => '.',
        (Tile::Floor, Some(Object::Player)) => '@',
        (Tile::Goal, Some(Object::Player)) => '+',
        (Tile::Floor, Some(Object::Box)) => '$',
        (Tile::Goal, Some(Object::Box)) => '*',
        (Tile::OneWay(Dir::Up), None) => '^',
        (Tile::OneWay(Dir::Right), None) => '>',
        (Tile::OneWay(Dir::Down), None) => 'v',
        (Tile::OneWay(Dir::Left), None) => '<',
        _ => return None,
    })
}

fn fixed_content(letter: char) -> Option<Content> {
    Some(match letter {
        '#' => (Tile::Wall, None),
        ' ' | '-' | '_' => (Tile::Floor, None),
        '.' => (Tile::Goal, None),
        '@' => (Tile::Floor, Some(Object::Player)),
        '+' => (Tile::Goal, Some(Object::Player)),
        '$' => (Tile::Floor, Some(Object::Box)),
        '*' => (Tile::Goal, Some(Object::Box)),
        '^' => (Tile::OneWay(Dir::Up), None),
        '>' => (Tile::OneWay(Dir::Right), None),
        'v' => (Tile::OneWay(Dir::Down), None),
        '<' => (Tile::OneWay(Dir::Left), None),
        _ => return None,
    })
}

/// What a cell holds, in words.
pub(super) fn words((tile, object): Content) -> String {
    let tile = match tile {
        Tile::Wall => "wall".to_string(),
        Tile::Floor => "floor".to_string(),
        Tile::Goal => "goal".to_string(),
        Tile::Button(n) => format!("button {n}"),
        Tile::Door(n) => format!("door {n}"),
        Tile::Portal(n, dir) => format!("portal {n} {}", dir.name()),
        Tile::OneWay(dir) => format!("one-way {}", dir.name()),
    };
    match object {
        None => tile,
        Some(Object::Player) => format!("player on {tile}"),
        Some(Object::Box) => format!("box on {tile}"),
        Some(Object::OneWayBox(dir)) => format!("one-way box {} on {tile}", dir.name()),
    }
}

fn dir_of(word: &str) -> Option<Dir> {
    Dir::ALL.into_iter().find(|d| d.name() == word)
}

fn content_of(text: &str) -> Option<Content> {
    let (object, tile) = match text.split_once(" on ") {
        None => (None, text),
        Some((object, tile)) => {
            let words: Vec<_> = object.split_whitespace().collect();
            let object = match words[..] {
                ["player"] => Object::Player,
                ["box"] => Object::Box,
                ["one-way", "box", dir] => Object::OneWayBox(dir_of(dir)?),
                _ => return None,
            };
            (Some(object), tile)
        }
    };
    let words: Vec<_> = tile.split_whitespace().collect();
    let tile = match words[..] {
        ["wall"] => Tile::Wall,
        ["floor"] => Tile::Floor,
        ["goal"] => Tile::Goal,
        ["button", n] => Tile::Button(n.parse().ok()?),
        ["door", n] => Tile::Door(n.parse().ok()?),
        ["portal", n, dir] => Tile::Portal(n.parse().ok()?, dir_of(dir)?),
        ["one-way", dir] => Tile::OneWay(dir_of(dir)?),
        _ => return None,
    };
    Some((tile, object))
}

/// Letters a reader would guess first, then any other plain one.
fn letters_for(content: Content) -> impl Iterator<Item = char> {
    let nth = |base: u8, n: u32| char::from(base + (n.saturating_sub(1) % 26) as u8);
    let first = match content {
        (Tile::Button(n), None) => Some(nth(b'a', n)),
        (Tile::Door(n), None) => Some(nth(b'A', n)),
        _ => None,
    };
    let pool = match content {
        (Tile::Portal(..), None) => "1234567890",
        (_, Some(Object::OneWayBox(_))) => "wxyzWXYZ",
        (_, Some(Object::Box)) => "mnopqMNOPQ",
        _ => "",
    };
    first
        .into_iter()
        .chain(pool.chars())
        .chain(('a'..='z').filter(|c| *c != 'v'))
        .chain('A'..='Z')
        .chain('0'..='9')
        .filter(|c| fixed_content(*c).is_none())
}

/// The level as its file form.
pub(super) fn to_file(level: &Level) -> File {
    let mut legend: BTreeMap<char, String> = BTreeMap::new();
    let mut chosen: BTreeMap<Content, char> = BTreeMap::new();
    let size = level.size();
    let mut wide = (0xC0u32..).filter_map(char::from_u32).filter(|c| c.is_alphabetic());
    let mut letter = |content: Content| {
        fixed_letter(content).unwrap_or_else(|| {
            *chosen.entry(content).or_insert_with(|| {
                // Beyond the plain letters and digits: there are far more alphabetic characters than cells on the largest board.
                let plain = letters_for(content).find(|c| !legend.contains_key(c));
                let free = plain.or_else(|| wide.next()).unwrap_or('?');
                legend.insert(free, words(content));
                free
            })
        })
    };
    let content = |x: u16, y: u16| {
        let c = Cell { x: x as i16, y: y as i16 };
        (level.tiles[c], level.objects[c])
    };
    let board = (0..size.h).map(|y| (0..size.w).map(|x| letter(content(x, y))).collect()).collect();
    let Sbk { theme, diff, corner } = level.sbk.clone();
    File { board, legend, theme, diff, corner }
}

/// Reads the file form.
pub(super) fn from_file(file: File) -> Result<Level, BoardFault> {
    let size: Size = crate::game::board_size(&file.board, LARGEST)?;
    let mut legend = BTreeMap::new();
    for (letter, text) in &file.legend {
        if fixed_content(*letter).is_some() {
            return Err(BoardFault::new(format!("the legend explains '{letter}', which has its own meaning already")));
        }
        let content = content_of(text).ok_or_else(|| {
            BoardFault::new(format!(
                "the legend's '{letter}' is \"{}\": not words like \"button 1\", \"portal 2 left\" or \"box on door 1\"",
                text.chars().take(60).collect::<String>()
            ))
        })?;
        legend.insert(*letter, content);
    }
    if [file.corner.0, file.corner.1].iter().any(|v| i64::from(*v).abs() > FARTHEST) {
        return Err(BoardFault::new(format!("the corner lies farther out than {FARTHEST} cells")));
    }
    let mut level = Level::walls(size);
    for (y, row) in file.board.iter().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            let content = fixed_content(letter).or_else(|| legend.get(&letter).copied());
            let Some((tile, object)) = content else {
                return Err(BoardFault::at(y, x, format!("'{letter}' has no meaning: explain it in the legend")));
            };
            let c = Cell { x: x as i16, y: y as i16 };
            level.tiles[c] = tile;
            level.objects[c] = object;
        }
    }
    level.sbk = Sbk { theme: file.theme, diff: file.diff, corner: file.corner };
    Ok(level)
}

/// A level from rows and a legend, as in a file: for tests and generators.
pub fn level_of(rows: &[&str], legend: &[(char, &str)]) -> Result<Level, BoardFault> {
    let width = rows.iter().map(|r| r.chars().count()).max().unwrap_or(0);
    let pad = |r: &&str| format!("{r:<width$}");
    from_file(File {
        board: rows.iter().map(pad).collect(),
        legend: legend.iter().map(|(c, t)| (*c, (*t).to_string())).collect(),
        theme: String::new(),
        diff: unknown(),
        corner: (0, 0),
    })
}
