//! A random room with goals and the special cells asked for. Whether they matter is found out later; here they are only put where they
//! might: doors and portals into walls that divide the room, one-way floors into narrow places.

use super::super::level::{Level, Tile};
use crate::grid::{Cell, Dir, Grid, Size, cell};
use rand::{
    RngExt as _,
    rngs::ChaCha8Rng,
    seq::{IndexedRandom as _, SliceRandom as _},
};

/// What a room should hold.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    pub size: Size,
    pub boxes: usize,
    pub walls: f64,
    pub doors: usize,
    pub portals: usize,
    pub one_way: usize,
}

/// A room without objects, or nothing if this throw of the dice left too little floor.
pub fn room(wish: Wish, rng: &mut ChaCha8Rng) -> Option<Level> {
    let size = wish.size;
    let mut level = Level::walls(size);
    let inner: Vec<Cell> =
        size.cells().filter(|c| c.x > 0 && c.y > 0 && c.x < size.w as i16 - 1 && c.y < size.h as i16 - 1).collect();
    for c in &inner {
        level.set_tile(*c, Tile::Floor);
    }
    let mut links = 0u32;
    let mut number = || {
        links += 1;
        links
    };
    let mut taken: Vec<Cell> = Vec::new();
    let mut openings = Vec::new();
    let lines = (wish.doors + wish.portals).div_ceil(2).min(2);
    for i in 0..lines {
        openings.push(divide(&mut level, rng, i % 2 == 1));
    }
    for c in &inner {
        if level.tile(*c) == Tile::Floor && rng.random_bool(wish.walls * 0.8) {
            level.set_tile(*c, Tile::Wall);
        }
    }
    for i in 0..wish.portals {
        let pair = number();
        let (a, b) = portal_places(&level, openings.get(i).filter(|_| rng.random_bool(0.7)), &taken, rng)?;
        for (c, d) in [a, b] {
            level.set_tile(c, Tile::Portal(pair, d));
            taken.push(c);
        }
    }
    let mut doors = Vec::new();
    for i in 0..wish.doors {
        let line = openings.get((wish.portals + i) % openings.len().max(1));
        let on_line = |line: &Vec<Cell>| {
            let fit: Vec<Cell> =
                line.iter().copied().filter(|c| !taken.contains(c) && is_passage(&level, *c)).collect();
            fit.choose(rng).copied()
        };
        let place = line.and_then(on_line).or_else(|| {
            let narrow: Vec<Cell> = inner
                .iter()
                .copied()
                .filter(|c| level.tile(*c) == Tile::Floor && !taken.contains(c) && is_narrow(&level, *c))
                .collect();
            narrow.choose(rng).copied()
        })?;
        let n = number();
        level.set_tile(place, Tile::Door(n));
        taken.push(place);
        doors.push(n);
    }
    // A line that only portals cross stays shut; one that nothing crosses yet is opened somewhere.
    for line in &openings {
        let crossed = line.iter().any(|c| taken.contains(c));
        let extra = rng.random_bool(0.25);
        if !crossed || extra {
            let fit: Vec<Cell> =
                line.iter().copied().filter(|c| level.tile(*c) == Tile::Wall && is_passage(&level, *c)).collect();
            if let Some(c) = fit.choose(rng) {
                level.set_tile(*c, Tile::Floor);
            }
        }
    }
    let mut floor: Vec<Cell> = level.tiles_where(|t| t == Tile::Floor);
    floor.shuffle(rng);
    // Narrow places first, but not always: a one-way floor in the open matters too, now and then.
    floor.sort_by_key(|c| u8::from(!is_narrow(&level, *c)));
    for i in 0..wish.one_way {
        let wide = floor.iter().rposition(|c| level.tile(*c) == Tile::Floor && rng.random_bool(0.5));
        let pick = if i % 2 == 0 || rng.random_bool(0.5) { Some(0) } else { wide };
        let c = floor.get(pick.unwrap_or(0)).copied()?;
        floor.retain(|f| *f != c);
        // Along a narrow place; across it, it would be a wall.
        let wall = |d: Dir| level.tile(c.step(d)) == Tile::Wall;
        let fit: Vec<Dir> = Dir::ALL.into_iter().filter(|d| !wall(*d) || !wall(d.opposite())).collect();
        level.set_tile(c, Tile::OneWay(fit.choose(rng).copied()?));
    }
    close_unreachable(&mut level)?;
    let mut floor: Vec<Cell> = level.tiles_where(|t| t == Tile::Floor);
    if floor.len() < wish.boxes * 2 + doors.len() * 2 + 4 {
        return None;
    }
    floor.shuffle(rng);
    for n in doors {
        for _ in 0..if rng.random_bool(0.2) { 2 } else { 1 } {
            level.set_tile(floor.pop()?, Tile::Button(n));
        }
    }
    // Goals in one or two groups look meant.
    let heart = floor.pop()?;
    if rng.random_bool(0.7) {
        floor.sort_by_key(|c| std::cmp::Reverse(c.distance(heart)));
    }
    level.set_tile(heart, Tile::Goal);
    for _ in 1..wish.boxes {
        level.set_tile(floor.pop()?, Tile::Goal);
    }
    Some(level)
}

/// Walls off a line across the room; gives its cells.
fn divide(level: &mut Level, rng: &mut ChaCha8Rng, turned: bool) -> Vec<Cell> {
    let size = level.size();
    let upright = (size.w >= size.h) != turned;
    let (long, across) = if upright { (size.h, size.w) } else { (size.w, size.h) };
    if across < 6 {
        return Vec::new();
    }
    let at = rng.random_range(2..across as i16 - 2);
    let line: Vec<Cell> = (1..long as i16 - 1).map(|i| if upright { cell(at, i) } else { cell(i, at) }).collect();
    for c in &line {
        level.set_tile(*c, Tile::Wall);
    }
    line
}

/// Whether a cell joins two floor cells on opposite sides.
fn is_passage(level: &Level, c: Cell) -> bool {
    let floor = |d: Dir| level.tile(c.step(d)) == Tile::Floor;
    floor(Dir::Left) && floor(Dir::Right) || floor(Dir::Up) && floor(Dir::Down)
}

/// Whether a cell has walls on two opposite sides.
fn is_narrow(level: &Level, c: Cell) -> bool {
    let wall = |d: Dir| level.tile(c.step(d)) == Tile::Wall;
    wall(Dir::Left) && wall(Dir::Right) || wall(Dir::Up) && wall(Dir::Down)
}

type End = (Cell, Dir);

/// Two walls with floor before them: on both sides of a dividing line, or anywhere.
fn portal_places(level: &Level, line: Option<&Vec<Cell>>, taken: &[Cell], rng: &mut ChaCha8Rng) -> Option<(End, End)> {
    // A portal in a wall is entered from the floor before it, moving towards the wall.
    let mouths = |c: Cell| {
        let open = move |d: &Dir| level.tile(c.step(d.opposite())) == Tile::Floor;
        Dir::ALL.into_iter().filter(open).map(move |d| (c, d)).collect::<Vec<End>>()
    };
    let walls: Vec<Cell> = match line {
        Some(line) if !line.is_empty() => line.clone(),
        _ => level.tiles_where(|t| t == Tile::Wall),
    };
    let mut ends: Vec<End> = walls.into_iter().filter(|c| !taken.contains(c)).flat_map(mouths).collect();
    ends.shuffle(rng);
    let first = *ends.first()?;
    let across = |e: &&End| e.0 != first.0 && (line.is_none() || e.1 == first.1.opposite());
    let second = *ends.iter().skip(1).find(across).or_else(|| ends.iter().find(|e| e.0 != first.0))?;
    Some((first, second))
}

/// Turns floor that cannot be reached from the largest part, walking through doors and portals, into wall. Fails if a special cell would
/// go with it.
fn close_unreachable(level: &mut Level) -> Option<()> {
    let size = level.size();
    let mut part = Grid::filled(size, 0u32);
    let mut sizes = vec![0usize];
    for start in size.cells() {
        if part[start] != 0 || level.tile(start) == Tile::Wall {
            continue;
        }
        let name = sizes.len() as u32;
        sizes.push(0);
        let mut stack = vec![start];
        part[start] = name;
        while let Some(c) = stack.pop() {
            sizes[name as usize] += 1;
            let through = level.partner(c).map(|p| p.0);
            for n in c.neighbours().into_iter().chain(through) {
                if level.tile(n) != Tile::Wall && part[n] == 0 {
                    part[n] = name;
                    stack.push(n);
                }
            }
        }
    }
    let largest = (1..sizes.len()).max_by_key(|i| sizes[*i])? as u32;
    for c in size.cells() {
        if part[c] != largest && level.tile(c) != Tile::Wall {
            if level.tile(c).is_special() {
                return None;
            }
            level.set_tile(c, Tile::Wall);
        }
    }
    Some(())
}
