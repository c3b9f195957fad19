//! XSB and SOK: collections of plain Sokoban levels as text.
//!
//! A file is boards with text between them. Text after a board belongs to it: `Title:`, `Author:`, `Comment:` (one line, or several up to
//! `Comment-End:`), and `Solution` followed by LURD lines. Without a `Title:` the last line of text before a board is its title. `::`
//! begins a comment of the file. What stands before the first board is about the collection. Where every board has its `Title:` above it,
//! the text from there on is the board's instead. Rows may be run-length encoded, `|` ends a row.
//!
//! Spaces outside a closed board are not floor but nothing; here they become wall, and walls that touch nothing are left out again when
//! writing, so a board comes back as it was.

use super::{
    super::{
        Sbokena,
        file::fixed_letter,
        level::{LARGEST, Level, Object, Tile},
        rules,
    },
    rle,
};
use crate::{
    formats::check_count,
    game::{Fault, Item, Meta, Rules as _, Solution, Status, Written},
    grid::{Cell, Grid, Size},
};
use std::{borrow::Cow, collections::BTreeMap, fmt::Write as _};

/// A row of the largest board, run lengths and all rows on one line included.
const LONGEST_LINE: usize = LARGEST.area() * 2;

/// The rows in a line, if it is part of a board.
fn rows_of(line: &str) -> Option<Vec<Cow<'_, str>>> {
    let line = line.trim_end();
    let letter = |c: char| "#@+$*.-_ ".contains(c);
    let coded = |c: char| c.is_ascii_digit() || "()|".contains(c);
    if !line.contains('#') || !line.chars().all(|c| letter(c) || coded(c)) {
        return None;
    }
    if !line.contains(coded) {
        return Some(vec![line.into()]);
    }
    let whole = rle::expand(line, LONGEST_LINE).ok()?;
    let rows: Vec<Cow<str>> = whole.split('|').map(|r| r.trim_end().to_string().into()).collect();
    rows.iter().any(|r| r.starts_with(['#', ' ', '-', '_'])).then_some(rows)
}

pub(super) fn recognises(text: &str) -> bool {
    text.lines().any(|line| rows_of(line).is_some())
}

/// A piece of a file: a board, or the lines of text between boards.
enum Block<'a> {
    Board(Vec<Cow<'a, str>>),
    Text(Vec<&'a str>),
}

fn blocks(text: &str) -> Result<Vec<Block<'_>>, Fault> {
    let (mut blocks, mut boards) = (Vec::new(), 0);
    let mut board: Option<(usize, Vec<Cow<str>>)> = None;
    let mut words: Vec<&str> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let n = i + 1;
        if let Some(rows) = rows_of(line) {
            if !words.is_empty() {
                blocks.push(Block::Text(std::mem::take(&mut words)));
            }
            if board.is_none() {
                boards += 1;
                check_count(boards)?;
            }
            let (first, all) = board.get_or_insert((n, Vec::new()));
            all.extend(rows);
            let width = all.iter().map(|r| r.len()).max().unwrap_or(0);
            if width > LARGEST.w as usize || all.len() > LARGEST.h as usize {
                let text =
                    format!("the board that begins on line {first} is larger than {} x {} cells", LARGEST.w, LARGEST.h);
                return Err(Fault::at(n, 1, text));
            }
            continue;
        }
        let trimmed = line.trim();
        if board.is_some() && trimmed.len() > 1 && trimmed.starts_with('#') && trimmed.ends_with('#') {
            let strange = line.char_indices().find(|(_, c)| !"#@+$*.-_ ".contains(*c));
            let (at, c) = strange.unwrap_or((0, '#'));
            let column = line[..at].chars().count() + 1;
            return Err(Fault::at(
                n,
                column,
                format!("'{c}' is not a letter of a Sokoban board (# @ + $ * . space - _)"),
            ));
        }
        if let Some((_, rows)) = board.take() {
            blocks.push(Block::Board(rows));
        }
        words.push(line);
    }
    if let Some((_, rows)) = board.take() {
        blocks.push(Block::Board(rows));
    }
    if !words.is_empty() {
        blocks.push(Block::Text(words));
    }
    // A ruler of `####` is decoration, not a level.
    let ruler =
        |b: &Block| matches!(b, Block::Board(rows) if rows.len() == 1 && rows[0].trim().chars().all(|c| c == '#'));
    blocks.retain(|b| !ruler(b));
    Ok(blocks)
}

/// What the text after a board says.
#[derive(Default)]
struct Words {
    title: Option<String>,
    /// The line of the title.
    title_at: Option<usize>,
    author: Option<String>,
    collection: Option<String>,
    notes: Vec<String>,
    solutions: Vec<String>,
    /// The last line of plain text with its place in the notes: it may be the next board's title.
    last: Option<(usize, String)>,
}

fn words_of(lines: &[&str]) -> Words {
    let mut w = Words::default();
    let mut in_comment = false;
    let mut in_solution = false;
    for (i, line) in lines.iter().enumerate() {
        let line = line.trim();
        let lower = line.to_ascii_lowercase();
        if in_comment {
            if lower.starts_with("comment-end") || lower.starts_with("comment_end") {
                in_comment = false;
            } else {
                w.notes.push(line.to_string());
            }
            continue;
        }
        if line.is_empty() || line.starts_with("::") {
            continue;
        }
        let is_lurd = line.chars().all(|c| "lurdLURD0123456789() \t".contains(c))
            && line.contains(|c: char| c.is_ascii_alphabetic());
        if in_solution && is_lurd {
            if let Some(s) = w.solutions.last_mut() {
                s.push_str(line);
            }
            continue;
        }
        in_solution = false;
        if lower == "solution"
            || lower.starts_with("solution:")
            || lower.starts_with("solution/")
            || lower.starts_with("solution ")
        {
            // "Solution: LURD" on one line, or "Solution/Moves" as a heading.
            let rest = line.split_once(':').map_or("", |(_, r)| r.trim());
            let rest = if rest.chars().all(|c| "lurdLURD0123456789()".contains(c)) { rest } else { "" };
            w.solutions.push(rest.to_string());
            in_solution = true;
            continue;
        }
        match lower.split_once(':') {
            Some((key @ ("title" | "author" | "collection" | "comment"), _)) => {
                let value = line.split_once(':').map_or("", |(_, v)| v.trim()).to_string();
                match key {
                    "title" => {
                        w.title = Some(value);
                        w.title_at.get_or_insert(i);
                    }
                    "author" => w.author = Some(value),
                    "collection" => w.collection = Some(value),
                    _ if value.is_empty() => in_comment = true,
                    _ => w.notes.push(value),
                }
            }
            _ => {
                let plain = line.trim_start_matches([';', '\'']).trim();
                if !plain.is_empty() {
                    w.last = Some((w.notes.len(), plain.to_string()));
                    w.notes.push(plain.to_string());
                }
            }
        }
    }
    while w.notes.last().is_some_and(String::is_empty) {
        w.notes.pop();
    }
    w.solutions.retain(|s| !s.is_empty());
    w
}

/// Puts titles that stand above their boards below them, with what follows each up to its board. A file has them above if every board has a title above
/// it and the last none below it: a title above the first board only is the collection's.
fn with_titles_below(blocks: Vec<Block<'_>>) -> Vec<Block<'_>> {
    let above = blocks.chunks(2).all(|pair| match pair {
        [Block::Text(lines), Block::Board(_)] => words_of(lines).title.is_some(),
        [Block::Text(lines)] => words_of(lines).title.is_none(),
        _ => false,
    });
    if !above {
        return blocks;
    }
    let mut below = Vec::new();
    let mut moved = Vec::new();
    for block in blocks {
        match block {
            Block::Board(rows) => below.push(Block::Board(rows)),
            Block::Text(mut lines) => {
                let next = words_of(&lines).title_at.map_or_else(Vec::new, |at| lines.split_off(at));
                let mut text = std::mem::replace(&mut moved, next);
                text.append(&mut lines);
                below.push(Block::Text(text));
            }
        }
    }
    if !moved.is_empty() {
        below.push(Block::Text(moved));
    }
    below
}

/// The level on these rows.
fn level_of(rows: &[Cow<str>]) -> Level {
    let w = rows.iter().map(|r| r.len()).max().unwrap_or(1).max(1);
    let size = Size::new(w as u16, rows.len() as u16);
    let mut level = Level::walls(size);
    let mut floor = Grid::filled(size, false);
    for (y, row) in rows.iter().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            let c = Cell { x: x as i16, y: y as i16 };
            let (tile, object) = match letter {
                '#' => (Tile::Wall, None),
                '.' => (Tile::Goal, None),
                '@' => (Tile::Floor, Some(Object::Player)),
                '+' => (Tile::Goal, Some(Object::Player)),
                '$' => (Tile::Floor, Some(Object::Box)),
                '*' => (Tile::Goal, Some(Object::Box)),
                _ => {
                    floor[c] = true;
                    (Tile::Floor, None)
                }
            };
            level.set_tile(c, tile);
            level.set_object(c, object);
        }
        for x in row.len()..w {
            floor[Cell { x: x as i16, y: y as i16 }] = true;
        }
    }
    let outside = flood_from_edge(&floor);
    // In a board that is not closed the spaces are floor after all: nothing there can be told from the outside.
    let player = level.objects_where(|o| o == Object::Player);
    let open = player.first().is_some_and(|p| {
        let inside = flood(size, vec![*p], |c| floor[c] || level.tile(c) != Tile::Wall);
        size.cells().any(|c| inside[c] && outside[c])
    });
    for c in size.cells() {
        let padding = c.x as usize >= rows[c.y as usize].len();
        if outside[c] && (!open || padding) {
            level.set_tile(c, Tile::Wall);
        }
    }
    cropped(&level)
}

/// Without the columns at the right and the rows at the bottom that hold nothing but wall which touches nothing. Those at the left
/// and at the top stay, so that cells have the file's own coordinates.
fn cropped(level: &Level) -> Level {
    let size = level.size();
    let bare = |c: &Cell| level.tile(*c) != Tile::Wall || level.object(*c).is_some();
    let far = size.cells().filter(bare).fold((0, 0), |(x, y), c| (c.x.max(x), c.y.max(y)));
    let size = Size::new(size.w.min(far.0 as u16 + 2), size.h.min(far.1 as u16 + 2));
    let tiles = level.tiles.resized(size, (0, 0), Tile::Wall);
    let objects = level.objects.resized(size, (0, 0), None);
    Level { tiles, objects, sbk: level.sbk.clone() }
}

fn flood(size: Size, mut stack: Vec<Cell>, passable: impl Fn(Cell) -> bool) -> Grid<bool> {
    let mut seen = Grid::filled(size, false);
    for c in &stack {
        seen[*c] = true;
    }
    while let Some(c) = stack.pop() {
        for next in c.neighbours() {
            if size.contains(next) && !seen[next] && passable(next) {
                seen[next] = true;
                stack.push(next);
            }
        }
    }
    seen
}

fn flood_from_edge(passable: &Grid<bool>) -> Grid<bool> {
    let size = passable.size();
    let edge = |c: &Cell| c.neighbours().iter().any(|n| !size.contains(*n));
    let start = size.cells().filter(|c| edge(c) && passable[*c]).collect();
    flood(size, start, |c| passable[c])
}

fn solution_of(level: &Level, moves: &str) -> Option<Solution> {
    let mut line = Sbokena::read_line(level, moves).ok()?;
    let start = Sbokena::arrange(level)?;
    let mut state = start.clone();
    let on_goal = |c: Cell| usize::from(level.tile(c) == Tile::Goal);
    let goals = level.goals().len();
    let mut covered: usize = state.boxes().iter().map(|b| on_goal(b.at)).sum();
    let mut played = 0;
    // Whatever follows a win is left out.
    while played == 0 || covered < goals {
        let step = rules::step(level, &state, *line.get(played)?).ok()?;
        rules::apply(&mut state, &step);
        covered = step.pushed.map_or(covered, |push| covered + on_goal(push.to) - on_goal(push.from));
        played += 1;
    }
    if Sbokena::status(level, &state) != Status::Won {
        return None;
    }
    line.truncate(played);
    let (moves, pushes) = rules::counts(level, &start, &line);
    Some(Solution {
        goal: "any".into(),
        moves: Sbokena::write_line(level, &line),
        counts: BTreeMap::from([("moves".to_string(), moves), ("pushes".to_string(), pushes)]),
        optimal: false,
        found: "collection".into(),
    })
}

pub(super) fn read(text: &str) -> Result<Vec<Item<Sbokena>>, Fault> {
    let text = text.trim_start_matches('\u{feff}');
    let mut blocks = with_titles_below(blocks(text)?);
    let mut items: Vec<Item<Sbokena>> = Vec::new();
    let mut author = String::new();
    let mut tags: Vec<String> = Vec::new();
    let mut waiting_title: Option<String> = None;
    let mut i = 0;
    while i < blocks.len() {
        match &mut blocks[i] {
            Block::Text(lines) => {
                // Only the text before the first board comes here: it is about the whole collection.
                let w = words_of(lines);
                author = w.author.unwrap_or_default();
                waiting_title = w.last.map(|(_, t)| t);
                tags = w.collection.or(w.title).into_iter().filter(|t| !t.is_empty()).collect();
                i += 1;
            }
            Block::Board(rows) => {
                let level = level_of(&std::mem::take(rows));
                let mut w = match blocks.get(i + 1) {
                    Some(Block::Text(lines)) => words_of(lines),
                    _ => Words::default(),
                };
                let next_names_itself = match blocks.get(i + 3) {
                    Some(Block::Text(lines)) => words_of(lines).title.is_some(),
                    _ => false,
                };
                let title = w.title.take().or(waiting_title.take());
                if blocks.len() > i + 2
                    && !next_names_itself
                    && let Some((at, last)) = w.last.take()
                    && at + 1 == w.notes.len()
                {
                    w.notes.pop();
                    waiting_title = Some(last);
                }
                let mut solutions = Vec::new();
                for moves in &w.solutions {
                    match solution_of(&level, moves) {
                        Some(s) => solutions.push(s),
                        None => w.notes.push(format!("A solution in the file does not solve it: {moves}")),
                    }
                }
                let meta = Meta {
                    title: title.unwrap_or_else(|| format!("Level {}", items.len() + 1)),
                    author: w.author.unwrap_or_else(|| author.clone()),
                    notes: w.notes.join("\n"),
                    tags: tags.clone(),
                };
                items.push(Item { meta, level, solutions, origin: None });
                i += if matches!(blocks.get(i + 1), Some(Block::Text(_))) { 2 } else { 1 };
            }
        }
    }
    if items.is_empty() {
        return Err(Fault::new("there is no board in this text"));
    }
    Ok(items)
}

/// The rows of a plain level; true if a wall had to be put around it.
fn rows(level: &Level) -> (Vec<String>, bool) {
    let size = level.size();
    let bare = |c: Cell| level.tile(c) != Tile::Wall || level.object(c).is_some();
    let edge = |c: &Cell| c.neighbours().iter().any(|n| !size.contains(*n));
    let ring = size.cells().any(|c| edge(&c) && bare(c));
    let (size, level) = if ring {
        let grown = Size::new(size.w + 2, size.h + 2);
        let tiles = level.tiles.resized(grown, (1, 1), Tile::Wall);
        let objects = level.objects.resized(grown, (1, 1), None);
        (grown, Level { tiles, objects, sbk: level.sbk.clone() })
    } else {
        (size, level.clone())
    };
    let idle = Grid::from_fn(size, |c| {
        let near = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| c.offset(dx, dy)));
        near.into_iter().all(|n| level.tile(n) == Tile::Wall)
    });
    let dropped = flood_from_edge(&idle);
    let letter = |c: Cell| if dropped[c] { ' ' } else { fixed_letter((level.tile(c), level.object(c))).unwrap_or('#') };
    let row = |y: u16| (0..size.w).map(|x| letter(Cell { x: x as i16, y: y as i16 })).collect::<String>();
    let mut rows: Vec<String> = (0..size.h).map(|y| row(y).trim_end().to_string()).collect();
    while rows.last().is_some_and(String::is_empty) {
        rows.pop();
    }
    // A blank row would end the board: it is written as wall.
    for row in rows.iter_mut().filter(|r| r.is_empty()) {
        *row = "#".repeat(size.w as usize);
    }
    (rows, ring)
}

pub(super) fn write(items: &[Item<Sbokena>]) -> Result<Written, Fault> {
    let mut out = Written::default();
    let collection = items.first().and_then(|i| i.meta.tags.first());
    if let Some(name) = collection.filter(|n| items.iter().all(|i| i.meta.tags.first() == Some(*n))) {
        let _ = writeln!(out.text, "Collection: {}\n", name.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    for (i, item) in items.iter().enumerate() {
        let name = || format!("level {} \"{}\"", i + 1, item.meta.title);
        let specials = item.level.specials();
        if !specials.is_empty() {
            let cells: Vec<_> = specials.iter().take(12).map(|c| c.name()).collect();
            let more = if specials.len() > 12 { format!(" and {} more", specials.len() - 12) } else { String::new() };
            let text = format!(
                "{} cannot be written as XSB: it has doors, buttons, portals or one-way cells at {}{more}",
                name(),
                cells.join(" ")
            );
            return Err(Fault::new(text));
        }
        let level = &item.level;
        let in_wall = level.objects_where(|_| true).into_iter().find(|c| level.tile(*c) == Tile::Wall);
        if let Some(c) = in_wall {
            return Err(Fault::new(format!(
                "{} cannot be written as XSB: something stands in the wall at {}",
                name(),
                c.name()
            )));
        }
        if level.tiles.values().iter().all(|t| *t == Tile::Wall) {
            return Err(Fault::new(format!("{} cannot be written as XSB: it is all wall", name())));
        }
        let (rows, ring) = rows(&item.level);
        if ring {
            out.dropped.push(format!("{}: a wall was put around the board", name()));
        }
        let one_line = |s: &str| s.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = &mut out.text;
        if i > 0 {
            text.push('\n');
        }
        let _ = writeln!(text, "{}", rows.join("\n"));
        let _ = writeln!(text, "Title: {}", one_line(&item.meta.title));
        if !item.meta.author.is_empty() {
            let _ = writeln!(text, "Author: {}", one_line(&item.meta.author));
        }
        if !item.meta.notes.is_empty() {
            let _ = writeln!(text, "Comment:");
            for line in item.meta.notes.lines() {
                let line = line.trim();
                // A line that looks like a board or ends the comment would be taken for one.
                let strange = rows_of(line).is_some() || line.to_ascii_lowercase().starts_with("comment");
                let _ = writeln!(text, "{}{line}", if strange { "> " } else { "" });
            }
            let _ = writeln!(text, "Comment-End:");
        }
        for s in &item.solutions {
            let _ = writeln!(text, "Solution\n{}", s.moves);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_above_boards_and_below_them_are_told_apart() {
        let board = "#####\n#@$.#\n#####\n";
        let words = |text: String| {
            let items = read(&text).unwrap();
            items.into_iter().map(|i| (i.meta.title, i.meta.tags.join(","))).collect::<Vec<_>>()
        };
        let named = |title: &str, tag: &str| (title.to_string(), tag.to_string());
        assert_eq!(words(format!("Title: Alone\n\n{board}")), [named("Alone", "")]);
        assert_eq!(words(format!("Title: All\n\n{board}\nTitle: One\n")), [named("One", "All")]);
        let two = words(format!("Title: All\n\n{board}\nTitle: One\n\n{board}\nTitle: Two\n"));
        assert_eq!(two, [named("One", "All"), named("Two", "All")]);
        let above =
            words(format!("Collection: All\n\nTitle: One\n\n{board}\nTitle: Two\n{board}Title: Three\n{board}"));
        assert_eq!(above, [named("One", "All"), named("Two", "All"), named("Three", "All")]);
        let plain = words(format!("All\n\nOne\n{board}\nTwo\n{board}"));
        assert_eq!(plain, [named("One", ""), named("Two", "")]);
        let some = words(format!("{board}\nTitle: One\n\n{board}\n{board}Title: Three\n"));
        assert_eq!(some, [named("One", ""), named("Level 2", ""), named("Three", "")]);
    }

    #[test]
    fn what_stands_with_a_title_above_a_board_is_about_that_board() {
        let board = "#####\n#@$.#\n#####\n";
        let text = format!(
            "A header\n\nTitle: One\nAuthor: me\n{board}Solution\nR\n\nTitle: Two\nAuthor: you\nComment: small\n{board}Solution\nR\n"
        );
        let items = read(&text).unwrap();
        let seen: Vec<_> = items.iter().map(|i| (&*i.meta.title, &*i.meta.author, &*i.meta.notes)).collect();
        assert_eq!(seen, [("One", "me", ""), ("Two", "you", "small")]);
        assert!(items.iter().all(|i| i.solutions.len() == 1), "solutions stand below");
    }
}
