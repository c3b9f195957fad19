//! The JSON of the game that Cats came from: one level a file (or an array of levels).
//!
//! `grid` holds rows of `#` (floor) and anything else (void); `shapes` have cells relative to an origin, and one that is not draggable is
//! a blocker; `unlockThreshold` is the lock; a cat with `onBlocker` is a blocker-cat. `minimumMoves` is the origin's count of drags
//! with shapes that leave; it is kept as a note, not believed.

use super::{
    Cats,
    level::{Cat, Colour, Finished, Ground, LARGEST, Level, Shape},
};
use crate::{
    formats::check_count,
    game::{Fault, Format, Item, Written},
    grid::{Cell, Grid, Size},
};
use serde_json::{Map, Value, json};

/// The formats of other programs.
pub(super) fn formats() -> Vec<Format<Cats>> {
    vec![Format {
        id: "cats-json",
        name: "TilePuzzle level (JSON)",
        extensions: &["json"],
        recognises,
        read,
        write: Some(write),
    }]
}

fn recognises(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[']) && text.contains("\"gridWidth\"") && text.contains("\"cats\"")
}

fn read(text: &str) -> Result<Vec<Item<Cats>>, Fault> {
    let value: Value = serde_json::from_str(text).map_err(|e| {
        let words = e.to_string();
        // serde_json repeats the place at the end of its sentence.
        let words = words.split(" at line ").next().unwrap_or_default();
        Fault::at(e.line().max(1), e.column().max(1), words)
    })?;
    let levels = match &value {
        Value::Array(levels) => levels.as_slice(),
        other => std::slice::from_ref(other),
    };
    if levels.is_empty() {
        return Err(Fault::new("there is no level in this file"));
    }
    check_count(levels.len())?;
    let item = |(i, v): (usize, &Value)| {
        read_level(v).map_err(|text| {
            if levels.len() == 1 { Fault::new(text) } else { Fault::new(format!("level {}: {text}", i + 1)) }
        })
    };
    levels.iter().enumerate().map(item).collect()
}

fn read_level(value: &Value) -> Result<Item<Cats>, String> {
    let object = value.as_object().ok_or("a level must be an object { … }")?;
    let mut level = Level { ground: read_ground(object)?, ..Level::blank(Size::new(1, 1)) };
    let size = level.size();
    let shapes = list(object, "shapes")?;
    // More than this cannot be told apart, and no board has room for them.
    if shapes.len() > size.area() {
        return Err(format!("{} shapes are too many for a board of {} x {}", shapes.len(), size.w, size.h));
    }
    for (i, shape) in shapes.iter().enumerate() {
        read_shape(shape, &mut level).map_err(|text| format!("shapes[{i}]: {text}"))?;
    }
    let cats = list(object, "cats")?;
    if cats.len() > size.area() {
        return Err(format!("{} cats are too many for a board of {} x {}", cats.len(), size.w, size.h));
    }
    for (i, cat) in cats.iter().enumerate() {
        let cat = read_cat(cat, &level).map_err(|text| format!("cats[{i}]: {text}"))?;
        level.cats.push(cat);
    }
    level.tidy();
    let mut item = Item::new("", level);
    if let Some(n) = object.get("minimumMoves").and_then(Value::as_u64) {
        item.meta.notes = format!("The file gives a minimum of {n} drags.");
    }
    Ok(item)
}

fn read_ground(object: &Map<String, Value>) -> Result<Grid<Ground>, String> {
    let (w, h) = (whole(object, "gridWidth")?, whole(object, "gridHeight")?);
    if !(1..=i64::from(LARGEST.w)).contains(&w) || !(1..=i64::from(LARGEST.h)).contains(&h) {
        return Err(format!("a board of {w} x {h} is not possible: from 1 x 1 to {} x {}", LARGEST.w, LARGEST.h));
    }
    let size = Size::new(w as u16, h as u16);
    let rows = list(object, "grid")?;
    if rows.len() != size.h as usize {
        return Err(format!("grid has {} rows, but gridHeight is {h}", rows.len()));
    }
    let mut ground = Grid::filled(size, Ground::Void);
    for (y, row) in rows.iter().enumerate() {
        let row = row.as_str().ok_or_else(|| format!("grid[{y}] is not a text"))?;
        if row.chars().count() != size.w as usize {
            return Err(format!("grid[{y}] has {} characters, but gridWidth is {w}", row.chars().count()));
        }
        for (x, _) in row.chars().enumerate().filter(|(_, c)| *c == '#') {
            ground[Cell { x: x as i16, y: y as i16 }] = Ground::Floor;
        }
    }
    Ok(ground)
}

fn read_shape(value: &Value, level: &mut Level) -> Result<(), String> {
    let object = value.as_object().ok_or("a shape must be an object { … }")?;
    let origin = (whole(object, "originX")?, whole(object, "originY")?);
    let pairs = list(object, "cells")?;
    if pairs.is_empty() || pairs.len() > level.size().area() {
        return Err(format!("a shape of {} cells is not possible here", pairs.len()));
    }
    let cell = |pair: &Value| {
        let pair = pair.as_array().filter(|p| p.len() == 2).ok_or("a cell must be [x, y]")?;
        let (x, y) = (pair[0].as_i64(), pair[1].as_i64());
        let (x, y) = x.zip(y).ok_or("a cell must be two whole numbers [x, y]")?;
        on_board(x.saturating_add(origin.0), y.saturating_add(origin.1), level.size())
    };
    let cells: Vec<Cell> = pairs.iter().map(cell).collect::<Result<_, String>>()?;
    let draggable = match object.get("draggable") {
        None => true,
        Some(v) => v.as_bool().ok_or("draggable must be true or false")?,
    };
    if !draggable {
        for c in cells {
            level.ground[c] = Ground::Blocker;
        }
        return Ok(());
    }
    let lock = match object.get("unlockThreshold") {
        None => 0,
        Some(v) => {
            v.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or("unlockThreshold must be a whole number from 0 up")?
        }
    };
    level.shapes.push(Shape::new(colour(object)?, lock, cells));
    Ok(())
}

fn read_cat(value: &Value, level: &Level) -> Result<Cat, String> {
    let object = value.as_object().ok_or("a cat must be an object { … }")?;
    let at = on_board(whole(object, "gridX")?, whole(object, "gridY")?, level.size())?;
    let cat = Cat { colour: colour(object)?, at };
    let said = match object.get("onBlocker") {
        None => level.is_blocker_cat(&cat),
        Some(v) => v.as_bool().ok_or("onBlocker must be true or false")?,
    };
    match (said, level.is_blocker_cat(&cat)) {
        (true, false) => Err(format!("it says onBlocker, but there is no blocker at {},{}", at.x, at.y)),
        (false, true) => Err(format!("it stands on the blocker at {},{}, but does not say onBlocker", at.x, at.y)),
        _ => Ok(cat),
    }
}

fn on_board(x: i64, y: i64, size: Size) -> Result<Cell, String> {
    let inside = (0..i64::from(size.w)).contains(&x) && (0..i64::from(size.h)).contains(&y);
    if inside { Ok(Cell { x: x as i16, y: y as i16 }) } else { Err(format!("{x},{y} is not on the board")) }
}

fn whole(object: &Map<String, Value>, key: &str) -> Result<i64, String> {
    let value = object.get(key).ok_or_else(|| format!("{key} is missing"))?;
    value.as_i64().ok_or_else(|| format!("{key} must be a whole number"))
}

fn list<'a>(object: &'a Map<String, Value>, key: &str) -> Result<&'a [Value], String> {
    let value = object.get(key).ok_or_else(|| format!("{key} is missing"))?;
    value.as_array().map(Vec::as_slice).ok_or_else(|| format!("{key} must be a list [ … ]"))
}

fn colour(object: &Map<String, Value>) -> Result<Colour, String> {
    let name = object.get("color").and_then(Value::as_str).ok_or("color is missing")?;
    Colour::from_name(name).ok_or_else(|| format!("the colour \"{name}\" is not known"))
}

// --------------------------------------------------------------------------------------------------------------------- writing

fn write(items: &[Item<Cats>]) -> Result<Written, Fault> {
    let mut written = Written::default();
    let levels: Vec<Value> = items.iter().map(|item| level_json(item, &mut written.dropped)).collect();
    let value = if levels.len() == 1 { levels.into_iter().next().unwrap_or_default() } else { Value::Array(levels) };
    written.text = format!("{value:#}\n");
    Ok(written)
}

fn level_json(item: &Item<Cats>, dropped: &mut Vec<String>) -> Value {
    let (level, size) = (&item.level, item.level.size());
    if level.finished == Finished::Leave {
        dropped.push("finished_shapes: leave (this JSON has no rules)".into());
    }
    let tandems = level.shapes.iter().map(|s| s.tandem).max().unwrap_or(0);
    if tandems > 0 {
        let links =
            if tandems == 1 { "the link of 1 tandem".into() } else { format!("the links of {tandems} tandems") };
        dropped.push(format!("{links}: in this JSON every shape moves alone"));
    }
    if !item.meta.title.is_empty() {
        dropped.push(format!("the title \"{}\"", item.meta.title));
    }
    let row = |y: u16| -> String {
        let floor = |x: u16| level.ground[Cell { x: x as i16, y: y as i16 }] != Ground::Void;
        (0..size.w).map(|x| if floor(x) { '#' } else { '.' }).collect()
    };
    let blockers =
        level.ground.iter().filter(|(_, g)| **g == Ground::Blocker).map(
            |(c, _)| json!({"color": "None", "originX": c.x, "originY": c.y, "draggable": false, "cells": [[0, 0]]}),
        );
    let shapes = level.shapes.iter().map(shape_json);
    let cats = level.cats.iter().map(|c| {
        let on_blocker = level.is_blocker_cat(c);
        json!({"color": title(c.colour), "gridX": c.at.x, "gridY": c.at.y, "onBlocker": on_blocker})
    });
    json!({
        "gridWidth": size.w,
        "gridHeight": size.h,
        "grid": (0..size.h).map(row).collect::<Vec<_>>(),
        "shapes": blockers.chain(shapes).collect::<Vec<_>>(),
        "cats": cats.collect::<Vec<_>>(),
    })
}

fn shape_json(shape: &Shape) -> Value {
    let x0 = shape.cells.iter().map(|c| c.x).min().unwrap_or(0);
    let y0 = shape.cells.iter().map(|c| c.y).min().unwrap_or(0);
    let cells: Vec<_> = shape.cells.iter().map(|c| [c.x - x0, c.y - y0]).collect();
    let mut value =
        json!({"color": title(shape.colour), "originX": x0, "originY": y0, "draggable": true, "cells": cells});
    if shape.lock > 0 {
        value["unlockThreshold"] = shape.lock.into();
    }
    value
}

/// "Red", as the origin writes its colours.
fn title(colour: Colour) -> String {
    format!("{colour:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r####"{"gridWidth":3,"gridHeight":2,"minimumMoves":1,"grid":[".##","###"],
        "shapes":[{"color":"None","originX":2,"originY":1,"draggable":false,"cells":[[0,0]]},
                  {"color":"Red","originX":0,"originY":1,"draggable":true,"cells":[[0,0]],"unlockThreshold":0}],
        "cats":[{"color":"Red","gridX":1,"gridY":0,"onBlocker":false},{"color":"Red","gridX":2,"gridY":1,"onBlocker":true}]}"####;

    #[test]
    fn what_is_written_reads_back_the_same() {
        assert!(recognises(TEXT));
        let items = read(TEXT).expect("a level");
        let text = write(&items).expect("written").text;
        assert_eq!(read(&text).expect("a level")[0].level, items[0].level);
        assert_eq!(items[0].level.cats.len(), 2);
        let two = [Item::new("", items[0].level.clone()), Item::new("", items[0].level.clone())];
        assert_eq!(read(&write(&two).expect("written").text).expect("levels").len(), 2);
    }

    #[test]
    fn links_are_dropped_and_it_says_so() {
        let mut items = read(TEXT).expect("a level");
        let level = &mut items[0].level;
        level.shapes.push(Shape::new(Colour::Red, 0, [Cell { x: 2, y: 0 }]));
        assert!(write(&items).expect("written").dropped.is_empty());
        items[0].level.shapes.iter_mut().for_each(|s| s.tandem = 1);
        let written = write(&items).expect("written");
        assert_eq!(written.dropped, ["the link of 1 tandem: in this JSON every shape moves alone"]);
        assert!(read(&written.text).expect("a level")[0].level.shapes.iter().all(|s| s.tandem == 0));
    }

    #[test]
    fn damage_is_named() {
        let faults = [
            ("\"gridWidth\":3", "\"gridWidth\":-3", "not possible"),
            ("\"gridWidth\":3", "\"gridWidth\":4", "gridWidth is 4"),
            ("\"gridHeight\":2", "\"gridHeight\":1e99", "whole number"),
            ("\"originX\":2", "\"originX\":9223372036854775807", "not on the board"),
            ("[[0,0]]", "[[0]]", "[x, y]"),
            ("\"gridX\":1", "\"gridX\":17", "not on the board"),
            ("\"onBlocker\":true", "\"onBlocker\":false", "onBlocker"),
            ("\"color\":\"Red\"", "\"color\":\"Mauve\"", "Mauve"),
            ("\"unlockThreshold\":0", "\"unlockThreshold\":-1", "unlockThreshold"),
        ];
        for (from, to, word) in faults {
            let fault = read(&TEXT.replacen(from, to, 1)).err().expect("a fault");
            assert!(fault.text.contains(word), "{} for {to}", fault.text);
        }
        let cut = read(&TEXT[..40]).err().expect("a fault");
        assert_eq!(cut.line, Some(1));
    }
}
