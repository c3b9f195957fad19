//! The level files of the seed's game: square boards, pieces as lists of triangle numbers.
//!
//! `{"Levels":[{"gridSize":4,"pieces":[{"vertices":[0,1,3]}, …]}, …]}`. A number is `4 * (row * gridSize + column) + k`. What the format cannot say
//! (outlines that are no full square, loose pieces) is refused by name; titles, notes and rule switches are dropped, and said to be.

use super::{
    Level, Shards,
    level::{LARGEST, MOST_PIECES, MOST_TRIANGLES, near},
    triangle::Tri,
};
use crate::{
    formats::check_count,
    game::{Fault, Format, Item, Written},
    grid::{Grid, Size},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Serialize, Deserialize)]
struct Collection {
    #[serde(rename = "Levels")]
    levels: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    #[serde(rename = "gridSize")]
    grid_size: i64,
    pieces: Vec<Faces>,
}

#[derive(Serialize, Deserialize)]
struct Faces {
    vertices: Vec<i64>,
}

pub(super) fn triangle_blocks() -> Format<Shards> {
    Format {
        id: "triangle-blocks",
        name: "Triangle blocks levels (JSON)",
        extensions: &["json"],
        recognises: |text| {
            text.trim_start_matches('\u{feff}').trim_start().starts_with('{') && text.contains("\"gridSize\"")
        },
        read,
        write: Some(write),
    }
}

fn read(text: &str) -> Result<Vec<Item<Shards>>, Fault> {
    let text = text.trim_start_matches('\u{feff}');
    let collection: Collection =
        serde_json::from_str(text).map_err(|e| Fault::at(e.line(), e.column(), e.to_string()))?;
    check_count(collection.levels.len())?;
    let entries = collection.levels.iter().enumerate();
    entries.map(|(i, e)| Ok(Item::new(format!("Level {}", i + 1), level(i + 1, e)?))).collect()
}

fn level(n: usize, entry: &Entry) -> Result<Level, Fault> {
    let columns = match entry.grid_size {
        n if (1..=i64::from(LARGEST.w)).contains(&n) => n as usize,
        other => return Err(Fault::new(format!("level {n}: a grid of size {other} is not from 1 to {}", LARGEST.w))),
    };
    if entry.pieces.len() > MOST_PIECES {
        let text = format!("level {n}: {} pieces are too many: at most {MOST_PIECES}", entry.pieces.len());
        return Err(Fault::new(text));
    }
    let mut pieces = Vec::with_capacity(entry.pieces.len());
    for (p, faces) in entry.pieces.iter().enumerate() {
        let fault = |text: String| Fault::new(format!("level {n}, piece {}: {text}", p + 1));
        if faces.vertices.len() > MOST_TRIANGLES {
            return Err(fault(format!("{} triangles are too many: at most {MOST_TRIANGLES}", faces.vertices.len())));
        }
        let mut seen = BTreeSet::new();
        for &v in &faces.vertices {
            if !near(v, columns) {
                return Err(fault(format!("triangle {v} is off the board, which has {}", 4 * columns * columns)));
            }
            if !seen.insert(v) {
                return Err(fault(format!("it names triangle {v} twice")));
            }
        }
        pieces.push(faces.vertices.iter().map(|v| Tri::from_index(*v as usize, columns)).collect());
    }
    let size = Size::new(columns as u16, columns as u16);
    Ok(Level::new(Grid::filled(size, true), pieces))
}

fn write(items: &[Item<Shards>]) -> Result<Written, Fault> {
    let mut dropped = BTreeSet::new();
    let mut levels = Vec::new();
    for (i, item) in items.iter().enumerate() {
        let level = &item.level;
        let size = level.board().size();
        let fault = |text: &str| Err(Fault::new(format!("level {}: {text}", i + 1)));
        if size.w != size.h {
            return fault(&format!("a board of {} x {} is not square", size.w, size.h));
        }
        if let Some((c, _)) = level.board().iter().find(|(_, there)| !**there) {
            return fault(&format!("cell {}, {} is missing, and this format has no holes", c.x, c.y));
        }
        for piece in level.pieces() {
            if !piece.laid || piece.triangles.iter().any(|t| !level.has(*t)) {
                return fault(&format!("{} has no place on the board", piece.name()));
            }
        }
        if level.rotate || level.mirror {
            dropped.insert("the switches rotate and mirror".to_string());
        }
        if item.meta != Default::default() {
            dropped.insert("titles, authors, notes and tags".to_string());
        }
        if !item.solutions.is_empty() || item.origin.is_some() {
            dropped.insert("stored solutions and how levels were generated".to_string());
        }
        let numbers = |triangles: &[Tri]| {
            let mut numbers: Vec<i64> = triangles.iter().map(|t| t.index(size) as i64).collect();
            numbers.sort_unstable();
            Faces { vertices: numbers }
        };
        let pieces = level.pieces().iter().map(|p| numbers(&p.triangles)).collect();
        levels.push(Entry { grid_size: i64::from(size.w), pieces });
    }
    let lines: Result<Vec<String>, _> = levels.iter().map(serde_json::to_string).collect();
    let lines = lines.map_err(|e| Fault::new(e.to_string()))?;
    let text = format!("{{\"Levels\":[\n{}\n]}}\n", lines.join(",\n"));
    Ok(Written { text, dropped: dropped.into_iter().collect() })
}
