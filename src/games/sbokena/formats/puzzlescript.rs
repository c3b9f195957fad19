//! PuzzleScript: plain levels as a whole game that plays in that engine.
//!
//! Written are the five objects of Sokoban with small pictures, the one rule, and each level after a `message` with its title. What the engine's rules would
//! have to be extended for (doors, portals, one-way cells) is refused by name. Read is what has exactly this rule and win condition, whatever its letters and
//! pictures; other PuzzleScript games are other games.

use super::Sbokena;
use crate::{
    formats::check_count,
    game::{Fault, Item, Meta, Written},
    games::sbokena::level::{LARGEST, Level, Object, Tile},
    grid::{Cell, Size},
};
use std::{collections::BTreeMap, fmt::Write as _};

const HEAD: &str = "\
========
OBJECTS
========

Background
#ffffff #f5f6f9
01010
10101
01010
10101
01010

Target
#2c8a43
.....
.000.
.0.0.
.000.
.....

Wall
#8b94a5 #6d7687
00010
11111
01000
11111
00010

Player
#5a3a22 #f2c9a0 #1a6fd0 #1f242d
.000.
.111.
22222
.222.
.3.3.

Crate
#a06b45 #6b4426
11111
10001
10001
10001
11111

=======
LEGEND
=======

. = Background
# = Wall
@ = Player
$ = Crate
o = Target
* = Crate and Target
+ = Player and Target

=======
SOUNDS
=======

================
COLLISIONLAYERS
================

Background
Target
Player, Wall, Crate

======
RULES
======

[ > Player | Crate ] -> [ > Player | > Crate ]

==============
WINCONDITIONS
==============

All Target on Crate

=======
LEVELS
=======
";

/// The letters that are written.
const LETTERS: [(char, Tile, Option<Object>); 7] = [
    ('.', Tile::Floor, None),
    ('#', Tile::Wall, None),
    ('@', Tile::Floor, Some(Object::Player)),
    ('$', Tile::Floor, Some(Object::Box)),
    ('o', Tile::Goal, None),
    ('*', Tile::Goal, Some(Object::Box)),
    ('+', Tile::Goal, Some(Object::Player)),
];

pub(super) fn write(items: &[Item<Sbokena>]) -> Result<Written, Fault> {
    // Round brackets are comments there.
    let one_line = |s: &str| s.split_whitespace().collect::<Vec<_>>().join(" ").replace('(', "[").replace(')', "]");
    let mut out = Written::default();
    if let [one] = items {
        let _ = writeln!(out.text, "title {}", one_line(&one.meta.title));
    } else {
        let _ = writeln!(out.text, "title {} levels", items.len());
    }
    let author = items.first().map_or("", |i| i.meta.author.as_str());
    if !author.trim().is_empty() && items.iter().all(|i| i.meta.author == author) {
        let _ = writeln!(out.text, "author {}", one_line(author));
    }
    out.text.push('\n');
    out.text.push_str(HEAD);
    let mut more = false;
    for (i, item) in items.iter().enumerate() {
        let level = &item.level;
        let name = format!("level {} \"{}\"", i + 1, item.meta.title);
        let _ = writeln!(out.text, "\nmessage {}\n", one_line(&item.meta.title));
        for y in 0..level.size().h {
            for x in 0..level.size().w {
                let at = Cell { x: x as i16, y: y as i16 };
                let (tile, object) = (level.tile(at), level.object(at));
                let Some((letter, ..)) = LETTERS.iter().find(|(_, t, o)| *t == tile && *o == object) else {
                    let what = crate::games::sbokena::file::words((tile, object));
                    let at = at.name();
                    return Err(Fault::new(format!(
                        "{name} cannot be written as PuzzleScript: it has a {what} at {at}"
                    )));
                };
                out.text.push(*letter);
            }
            out.text.push('\n');
        }
        more |= !item.meta.notes.is_empty() || !item.meta.tags.is_empty() || !item.solutions.is_empty();
    }
    if more {
        out.dropped.push("notes, tags and solutions: PuzzleScript has no place for them".into());
    }
    Ok(out)
}

pub(super) fn recognises(text: &str) -> bool {
    let has = |word: &str| text.lines().any(|l| l.trim().eq_ignore_ascii_case(word));
    has("COLLISIONLAYERS") && has("WINCONDITIONS") && has("LEVELS")
}

const SECTIONS: [&str; 7] = ["OBJECTS", "LEGEND", "SOUNDS", "COLLISIONLAYERS", "RULES", "WINCONDITIONS", "LEVELS"];

/// The lines of each section with their numbers, comments taken out; the first is what stands before all sections.
fn sections(text: &str) -> BTreeMap<String, Vec<(usize, String)>> {
    let mut name = String::new();
    let mut all: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    let mut depth = 0usize;
    for (i, line) in text.lines().enumerate() {
        let mut kept = String::new();
        for c in line.chars() {
            match c {
                '(' => depth += 1,
                ')' if depth > 0 => depth -= 1,
                c if depth == 0 => kept.push(c),
                _ => {}
            }
        }
        let bare = kept.trim();
        if let Some(section) = SECTIONS.iter().find(|s| bare.eq_ignore_ascii_case(s)) {
            name = (*section).into();
        } else if !(bare.len() > 1 && bare.chars().all(|c| c == '=')) {
            all.entry(name.clone()).or_default().push((i + 1, bare.to_string()));
        }
    }
    all
}

/// A line without its spaces, in small letters.
fn squeezed(line: &str) -> String {
    line.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

fn meaning(words: &str) -> Option<(Tile, Option<Object>)> {
    let (mut tile, mut object) = (Tile::Floor, None);
    for word in words.split(" and ") {
        match word.trim() {
            "background" | "floor" => {}
            "wall" => tile = Tile::Wall,
            "target" | "goal" => tile = Tile::Goal,
            "player" => object = Some(Object::Player),
            "crate" | "box" => object = Some(Object::Box),
            _ => return None,
        }
    }
    Some((tile, object))
}

pub(super) fn read(text: &str) -> Result<Vec<Item<Sbokena>>, Fault> {
    let sections = sections(text);
    let section = |name: &str| sections.get(name).map(Vec::as_slice).unwrap_or_default();
    let said =
        |name: &str| section(name).iter().map(|(_, l)| squeezed(l)).filter(|l| !l.is_empty()).collect::<Vec<_>>();
    let push = |a: &str| format!("[>player|{a}]->[>player|>{a}]");
    let plain = [push("crate"), push("box")];
    let wins = ["alltargetoncrate", "allgoaloncrate", "alltargetonbox", "allgoalonbox"];
    let (rules, win) = (said("RULES"), said("WINCONDITIONS"));
    let known = |lines: &[String], all: &dyn Fn(&str) -> bool| matches!(lines, [one] if all(one));
    if !known(&rules, &|r| plain.iter().any(|p| p == r)) || !known(&win, &|w| wins.contains(&w)) {
        return Err(Fault::new("this PuzzleScript game has other rules than plain Sokoban"));
    }
    let mut letters = BTreeMap::new();
    for (line, words) in section("LEGEND") {
        let Some((letter, words)) = words.split_once('=') else { continue };
        let mut letter = letter.trim().chars().flat_map(char::to_lowercase);
        if let (Some(letter), None) = (letter.next(), letter.next()) {
            let meaning = meaning(&words.to_lowercase())
                .ok_or_else(|| Fault::at(*line, 1, format!("{:?} does not occur in plain Sokoban", words.trim())))?;
            letters.insert(letter, meaning);
        }
    }
    let author = section("").iter().find_map(|(_, l)| l.strip_prefix("author ")).unwrap_or_default().to_string();
    let mut items = Vec::new();
    let mut title = None;
    let mut rows: Vec<(usize, &str)> = Vec::new();
    // An empty line ends a board; one more makes sure that the last one is ended.
    let end = (0, String::new());
    for (line, text) in section("LEVELS").iter().chain([&end]) {
        let message = text.get(..7).is_some_and(|w| w.eq_ignore_ascii_case("message"));
        if !text.is_empty() && !message {
            rows.push((*line, text));
            continue;
        }
        if !rows.is_empty() {
            check_count(items.len() + 1)?;
            let level = board(&rows, &letters)?;
            rows.clear();
            let title = title.take().unwrap_or_else(|| format!("Level {}", items.len() + 1));
            let meta = Meta { title, author: author.clone(), ..Meta::default() };
            items.push(Item { meta, level, solutions: Vec::new(), origin: None });
        }
        if message {
            title = Some(text[7..].trim().to_string());
        }
    }
    if items.is_empty() { Err(Fault::new("there is no level in this PuzzleScript game")) } else { Ok(items) }
}

fn board(rows: &[(usize, &str)], letters: &BTreeMap<char, (Tile, Option<Object>)>) -> Result<Level, Fault> {
    let (first, w) = rows.first().map_or((0, 0), |(line, row)| (*line, row.chars().count()));
    if w > usize::from(LARGEST.w) || rows.len() > usize::from(LARGEST.h) {
        let text = format!("a board of {w} x {} is too large: at most {} x {}", rows.len(), LARGEST.w, LARGEST.h);
        return Err(Fault::at(first, 1, text));
    }
    let mut level = Level::walls(Size::new(w as u16, rows.len() as u16));
    for (y, (line, row)) in rows.iter().enumerate() {
        let count = row.chars().count();
        if count != w {
            return Err(Fault::at(*line, count.min(w) + 1, format!("this row has {count} cells, the first has {w}")));
        }
        for (x, c) in row.chars().enumerate() {
            let small = c.to_lowercase().next().unwrap_or(c);
            let Some((tile, object)) = letters.get(&small) else {
                return Err(Fault::at(*line, x + 1, format!("the legend does not say what {:?} is", c)));
            };
            let at = Cell { x: x as i16, y: y as i16 };
            level.set_tile(at, *tile);
            level.set_object(at, *object);
        }
    }
    Ok(level)
}
