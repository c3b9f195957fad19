//! A level compiled for search: cells by number, and where every step and push leads once portals and one-way floors are worked out.
//!
//! Only two things about a step depend on the position: which cells are occupied, and which doors are open. All else is worked out here
//! by the same order of checks as in the rules. Each landing has at most one origin per direction of arrival, since the way through
//! portals can be traced back; so "where must the player stand to push this box that way" has one answer at most ([`Map::behind`]).

use super::super::{
    level::{Level, Object, Tile},
    rules::State,
};
use crate::grid::{Cell, Dir, Grid, Size};

/// No cell.
pub const NONE: u16 = u16::MAX;

/// The kinds of box: plain, and one for each direction.
pub const KINDS: usize = 5;

/// The kind of a box as a number.
pub fn kind_of(object: Object) -> usize {
    match object {
        Object::OneWayBox(d) => 1 + d as usize,
        _ => 0,
    }
}

/// A compiled level.
pub struct Map {
    /// The cells on which things can rest, row by row.
    pub cells: Vec<Cell>,
    /// Their numbers.
    pub number: Grid<u16>,
    /// Where a player (or plain box) that leaves a cell in a direction comes to rest, and the direction it arrives in.
    pub hop: Vec<[(u16, u8); 4]>,
    /// Where a box of a kind on a cell goes when pushed in a direction.
    pub push: [Vec<[u16; 4]>; KINDS],
    /// Where the player must stand to arrive on a cell in a direction, and which way they must walk.
    pub behind: Vec<[(u16, u8); 4]>,
    /// The door on a cell, as an index into `buttons`.
    pub door: Vec<u16>,
    /// The door that the button on a cell opens.
    pub opens: Vec<u16>,
    /// The buttons of each door.
    pub buttons: Vec<Vec<u16>>,
    /// The door cells of each door (one, in a level that can be played).
    pub doors: Vec<Vec<u16>>,
    /// The goals.
    pub goals: Vec<u16>,
    /// Whether a cell is a goal.
    pub is_goal: Vec<bool>,
    /// Whether walking may be possible one way and not back.
    pub directed: bool,
    /// Whether there is nothing but walls, floor and goals.
    pub plain: bool,
}

impl Map {
    /// Compiles a level.
    pub fn new(level: &Level) -> Map {
        let size = level.size();
        let cells: Vec<Cell> = level.tiles_where(Tile::holds_objects);
        let mut number = Grid::filled(size, NONE);
        for (i, c) in cells.iter().enumerate() {
            number[*c] = i as u16;
        }
        let partners = partners(level);
        let n = cells.len();
        let mut names: Vec<u32> = Vec::new();
        let mut index_of = |name: u32| {
            names.iter().position(|d| *d == name).unwrap_or_else(|| {
                names.push(name);
                names.len() - 1
            }) as u16
        };
        let mut map = Map {
            hop: vec![[(NONE, 0); 4]; n],
            push: std::array::from_fn(|_| vec![[NONE; 4]; n]),
            behind: vec![[(NONE, 0); 4]; n],
            door: vec![NONE; n],
            opens: vec![NONE; n],
            buttons: Vec::new(),
            doors: Vec::new(),
            goals: Vec::new(),
            is_goal: vec![false; n],
            directed: false,
            plain: level.tiles.values().iter().all(|t| !t.is_special()),
            number,
            cells,
        };
        for i in 0..n {
            let c = map.cells[i];
            match level.tile(c) {
                Tile::Door(name) => {
                    map.door[i] = index_of(name);
                    map.directed = true;
                }
                Tile::Button(name) => map.opens[i] = index_of(name),
                Tile::Goal => {
                    map.goals.push(i as u16);
                    map.is_goal[i] = true;
                }
                Tile::OneWay(_) => map.directed = true,
                _ => (),
            }
            for d in Dir::ALL {
                let Some((to, arrives, turned)) = travel(level, &partners, c, d) else { continue };
                let to = map.number[to];
                map.hop[i][d as usize] = (to, arrives as u8);
                map.behind[to as usize][arrives as usize] = (i as u16, d as u8);
                map.push[0][i][d as usize] = to;
                // A one-way box leaves only in its direction, and every portal on its way must let it out in that direction.
                if !turned {
                    map.push[1 + d as usize][i][d as usize] = to;
                }
            }
        }
        map.buttons.resize(names.len(), Vec::new());
        map.doors.resize(names.len(), Vec::new());
        for i in 0..n {
            if let Some(list) = map.buttons.get_mut(map.opens[i] as usize) {
                list.push(i as u16);
            }
            if let Some(list) = map.doors.get_mut(map.door[i] as usize) {
                list.push(i as u16);
            }
        }
        map
    }

    /// Bytes that the map of a board of this size needs at most.
    pub fn most_bytes(size: Size) -> usize {
        let cell = size_of::<Cell>() + (KINDS + 4) * 8 + 6;
        size.area() * (cell + size_of::<Option<(Cell, Dir)>>())
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Which doors boxes hold open; `box_at` is above zero where a box stands.
    pub fn open_doors(&self, box_at: &[u16]) -> Vec<bool> {
        let held = |c: &u16| box_at[*c as usize] > 0;
        (0..self.buttons.len()).map(|i| self.buttons[i].iter().any(held) || self.doors[i].iter().any(held)).collect()
    }

    /// The boxes of a position as (kind, cell), sorted; those that stand where nothing can rest are left out.
    pub fn boxes(&self, state: &State) -> Vec<(usize, u16)> {
        let mut boxes: Vec<(usize, u16)> = state
            .boxes()
            .iter()
            .filter_map(|b| Some((kind_of(b.kind), *self.number.get(b.at)?)))
            .filter(|(_, c)| *c != NONE)
            .collect();
        boxes.sort_unstable();
        boxes
    }
}

/// The other end of every portal, worked out once.
fn partners(level: &Level) -> Grid<Option<(Cell, Dir)>> {
    let mut ends: std::collections::BTreeMap<u32, Vec<(Cell, Dir)>> = Default::default();
    for (c, tile) in level.tiles.iter() {
        if let Tile::Portal(pair, dir) = *tile {
            ends.entry(pair).or_default().push((c, dir));
        }
    }
    let mut partners = Grid::filled(level.size(), None);
    for pair in ends.values() {
        if let [a, b] = pair[..] {
            partners[a.0] = Some(b);
            partners[b.0] = Some(a);
        }
    }
    partners
}

/// Where a thing that leaves a cell comes to rest, in which direction, and whether a portal let it out in another than it left.
fn travel(level: &Level, partners: &Grid<Option<(Cell, Dir)>>, from: Cell, first: Dir) -> Option<(Cell, Dir, bool)> {
    if matches!(level.tile(from), Tile::OneWay(only) if only != first) {
        return None;
    }
    let (mut to, mut dir, mut thrown, mut turned) = (from.step(first), first, false, false);
    for _ in 0..=level.size().area() {
        match level.tile(to) {
            Tile::Wall => return None,
            Tile::OneWay(only) if only != dir && !thrown => return None,
            Tile::Portal(_, entry) => {
                if entry != dir {
                    return None;
                }
                let (exit, exit_entry) = (*partners.get(to)?)?;
                dir = exit_entry.opposite();
                to = exit.step(dir);
                thrown = true;
                turned |= dir != first;
            }
            _ => return Some((to, dir, turned)),
        }
    }
    None
}
