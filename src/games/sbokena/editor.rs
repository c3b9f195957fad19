//! Painting tiles and objects, and linking buttons to doors and portals to each other.
//!
//! Links are numbers. Where a new button, door or portal meets one that still lacks its counterpart, it takes its number; else it
//! gets a fresh one. The link tool drags from one to the other. Directions come from the ink (R turns it), or from the drag: a straight
//! stroke of one-way floor points along the stroke, a portal points the way it is dragged.

use super::{
    Sbokena,
    level::{LARGEST, Level, Object, Tile},
};
use crate::{
    game::{Command, Edit, Gesture, Ink, Palette, Swatch, Thing},
    grid::{Cell, Dir, Size, Spot, Sym},
};
use std::collections::BTreeMap;

/// The swatches in the palette's order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tool {
    Floor,
    Wall,
    Goal,
    Player,
    Box,
    OneWayBox,
    OneWay,
    Portal,
    Door,
    Button,
    Link,
    Move,
}

pub(super) const TOOLS: [Tool; 12] = [
    Tool::Floor,
    Tool::Wall,
    Tool::Goal,
    Tool::Player,
    Tool::Box,
    Tool::OneWayBox,
    Tool::OneWay,
    Tool::Portal,
    Tool::Door,
    Tool::Button,
    Tool::Link,
    Tool::Move,
];

impl Tool {
    pub(super) fn of(ink: Ink) -> Tool {
        TOOLS.get(ink.swatch).copied().unwrap_or(Tool::Floor)
    }

    fn swatch(self) -> Swatch {
        let (id, name, group, turns, gesture, help) = match self {
            Tool::Floor => {
                ("floor", "Floor", "Ground", false, Gesture::Spots, "Plain floor; removes what stands there.")
            }
            Tool::Wall => ("wall", "Wall", "Ground", false, Gesture::Spots, "Nothing passes."),
            Tool::Goal => ("goal", "Goal", "Ground", false, Gesture::Spots, "Needs a box, of either kind."),
            Tool::Player => {
                ("player", "Player", "Objects", false, Gesture::Once, "Where the player starts; there is one.")
            }
            Tool::Box => ("box", "Box", "Objects", false, Gesture::Spots, "Can be pushed in any direction."),
            Tool::OneWayBox => (
                "one-way-box",
                "One-way box",
                "Objects",
                true,
                Gesture::Spots,
                "Can only be pushed along its arrow. R turns it; a straight stroke points along itself.",
            ),
            Tool::OneWay => (
                "one-way",
                "One-way floor",
                "Ground",
                true,
                Gesture::Spots,
                "Entered and left along its arrow only. R turns it; a straight stroke points along itself.",
            ),
            Tool::Portal => (
                "portal",
                "Portal",
                "Links",
                true,
                Gesture::FromTo,
                "Entered along its arrow, leads to its partner. Drag to aim it, or R. Pairs with a portal that has no partner.",
            ),
            Tool::Door => ("door", "Door", "Links", false, Gesture::Once, "Open while one of its buttons is held."),
            Tool::Button => (
                "button",
                "Button",
                "Links",
                false,
                Gesture::Spots,
                "Opens its door while something stands on it. Takes the door that lacks a button, else the nearest.",
            ),
            Tool::Link => (
                "link",
                "Link",
                "Links",
                false,
                Gesture::FromTo,
                "Drag from a button to its door, or from a portal to its partner. A click on one end cuts its link.",
            ),
            Tool::Move => (
                "move",
                "Move",
                "Objects",
                false,
                Gesture::FromTo,
                "Drag a box or the player to a free cell; what they stood on stays.",
            ),
        };
        Swatch { id, name: name.into(), group, coloured: false, turns, gesture, help }
    }
}

/// Where an ink points.
pub(super) fn ink_dir(ink: Ink) -> Dir {
    ink.sym.dir(Dir::Right)
}

fn ink(tool: Tool, dir: Option<Dir>) -> Ink {
    let swatch = TOOLS.iter().position(|t| *t == tool).unwrap_or(0);
    let sym = Sym::ALL.into_iter().find(|s| !s.mirror && s.dir(Dir::Right) == dir.unwrap_or(Dir::Right));
    Ink { swatch, colour: 0, sym: sym.unwrap_or_default() }
}

/// The direction of a straight stroke of at least two neighbouring cells.
fn stroke_dir(spots: &[Spot]) -> Option<Dir> {
    let mut dirs = spots.windows(2).map(|w| Dir::between(w[0].cell, w[1].cell));
    let first = dirs.next()??;
    dirs.all(|d| d == Some(first)).then_some(first)
}

/// The main direction from one cell to another.
fn aim(from: Cell, to: Cell) -> Option<Dir> {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    match (dx.abs() >= dy.abs(), dx, dy) {
        (_, 0, 0) => None,
        (true, 1.., _) => Some(Dir::Right),
        (true, ..) => Some(Dir::Left),
        (false, _, 1..) => Some(Dir::Down),
        (false, ..) => Some(Dir::Up),
    }
}

impl Level {
    fn put_object(&mut self, at: Cell, object: Object) {
        if !self.tile(at).holds_objects() {
            self.set_tile(at, Tile::Floor);
        }
        if object == Object::Player {
            for c in self.objects_where(|o| o == Object::Player) {
                self.set_object(c, None);
            }
        }
        self.set_object(at, Some(object));
    }

    fn put_tile(&mut self, at: Cell, tile: Tile) {
        self.set_tile(at, tile);
        if !tile.holds_objects() {
            self.set_object(at, None);
        }
    }

    fn counts(&self) -> BTreeMap<u32, (usize, usize, usize)> {
        let mut counts: BTreeMap<u32, (usize, usize, usize)> = BTreeMap::new();
        for tile in self.tiles.values() {
            match tile {
                Tile::Door(n) => counts.entry(*n).or_default().0 += 1,
                Tile::Button(n) => counts.entry(*n).or_default().1 += 1,
                Tile::Portal(n, _) => counts.entry(*n).or_default().2 += 1,
                _ => (),
            }
        }
        counts
    }

    /// The number for a new door: that of buttons without a door, else a fresh one.
    fn door_number(&self) -> u32 {
        let orphan = self.counts().into_iter().find(|(_, (doors, buttons, _))| *doors == 0 && *buttons > 0);
        orphan.map_or_else(|| self.fresh_number(), |(n, _)| n)
    }

    /// The number for a new button: that of a door without a button, else of the nearest door, else a fresh one.
    fn button_number(&self, at: Cell) -> u32 {
        let counts = self.counts();
        let bare = counts.iter().find(|(_, (doors, buttons, _))| *doors > 0 && *buttons == 0);
        let nearest = || {
            let doors = self.tiles_where(|t| matches!(t, Tile::Door(_)));
            let door = doors.into_iter().min_by_key(|d| d.distance(at))?;
            if let Tile::Door(n) = self.tile(door) { Some(n) } else { None }
        };
        bare.map(|(n, _)| *n).or_else(nearest).unwrap_or_else(|| self.fresh_number())
    }

    /// The number for a new portal: that of a portal without a partner, else a fresh one.
    fn portal_number(&self) -> u32 {
        let lone = self.counts().into_iter().find(|(_, (.., ends))| *ends == 1);
        lone.map_or_else(|| self.fresh_number(), |(n, _)| n)
    }

    /// Links what stands on two cells; a click on one cuts its link.
    fn link(&mut self, from: Cell, to: Cell) {
        match (self.tile(from), self.tile(to)) {
            (Tile::Button(_), Tile::Button(_)) if from == to => {
                let n = self.fresh_number();
                self.set_tile(from, Tile::Button(n));
            }
            (Tile::Portal(_, dir), Tile::Portal(..)) if from == to => {
                let n = self.fresh_number();
                self.set_tile(from, Tile::Portal(n, dir));
            }
            (Tile::Button(_), Tile::Door(n)) => self.set_tile(from, Tile::Button(n)),
            (Tile::Door(n) | Tile::Button(n), Tile::Button(_)) => self.set_tile(to, Tile::Button(n)),
            (Tile::Portal(a, a_dir), Tile::Portal(b, b_dir)) if a != b => {
                let n = self.fresh_number();
                self.set_tile(from, Tile::Portal(n, a_dir));
                self.set_tile(to, Tile::Portal(n, b_dir));
            }
            _ => (),
        }
    }

    fn move_object(&mut self, from: Cell, to: Cell) {
        if self.object(to).is_none() && self.tile(to).holds_objects() {
            let object = self.object(from);
            self.set_object(from, None);
            self.set_object(to, object);
        }
    }

    /// Takes away what can be no part of a level: players but the first, objects where none can rest, loose ends.
    fn tidy(&mut self) -> usize {
        let before = self.clone();
        for c in self.objects_where(|o| o == Object::Player).into_iter().skip(1) {
            self.set_object(c, None);
        }
        let counts = self.counts();
        for c in self.size().cells() {
            match self.tile(c) {
                Tile::Door(n) if counts[&n].1 == 0 => self.set_tile(c, Tile::Floor),
                Tile::Button(n) if counts[&n].0 == 0 => self.set_tile(c, Tile::Floor),
                Tile::Portal(n, _) if counts[&n].2 != 2 => self.set_tile(c, Tile::Wall),
                _ => (),
            }
            if !self.tile(c).holds_objects() {
                self.set_object(c, None);
            }
        }
        let changed = |c: &Cell| self.tile(*c) != before.tile(*c) || self.object(*c) != before.object(*c);
        self.size().cells().filter(changed).count()
    }

    /// Numbers doors and portals from 1 in reading order.
    fn renumber(&mut self) {
        let mut names: BTreeMap<u32, u32> = BTreeMap::new();
        for c in self.size().cells() {
            let mut name = |n: u32| {
                let next = names.len() as u32 + 1;
                *names.entry(n).or_insert(next)
            };
            let tile = match self.tile(c) {
                Tile::Door(n) => Tile::Door(name(n)),
                Tile::Button(n) => Tile::Button(name(n)),
                Tile::Portal(n, d) => Tile::Portal(name(n), d),
                other => other,
            };
            self.set_tile(c, tile);
        }
    }
}

impl Edit for Sbokena {
    const SIZES: (Size, Size) = (Size::new(1, 1), LARGEST);
    const NEW: Size = Size::new(10, 8);

    fn blank(size: Size) -> Level {
        let mut level = Level::walls(size);
        for c in size.cells().filter(|c| c.neighbours().iter().all(|n| size.contains(*n))) {
            level.set_tile(c, Tile::Floor);
        }
        level
    }

    fn palette(_: &Level) -> Palette {
        Palette { swatches: TOOLS.iter().map(|t| t.swatch()).collect(), colours: Vec::new() }
    }

    fn paint(level: &mut Level, ink: Ink, spots: &[Spot]) {
        let (Some(first), Some(last)) = (spots.first(), spots.last()) else { return };
        let (first, last) = (first.cell, last.cell);
        let tool = Tool::of(ink);
        let dir = match tool {
            Tool::Portal => aim(first, last),
            _ => stroke_dir(spots),
        }
        .unwrap_or_else(|| ink_dir(ink));
        match tool {
            Tool::Player => level.put_object(first, Object::Player),
            Tool::Door => {
                if !matches!(level.tile(first), Tile::Door(_)) {
                    level.set_tile(first, Tile::Wall);
                    let n = level.door_number();
                    level.put_tile(first, Tile::Door(n));
                }
            }
            Tool::Portal => {
                let n = match level.tile(first) {
                    Tile::Portal(n, _) => n,
                    _ => {
                        level.set_tile(first, Tile::Wall);
                        level.portal_number()
                    }
                };
                level.put_tile(first, Tile::Portal(n, dir));
            }
            Tool::Link => level.link(first, last),
            Tool::Move => level.move_object(first, last),
            Tool::Button => {
                let mut number = None;
                for c in spots.iter().map(|s| s.cell) {
                    if !matches!(level.tile(c), Tile::Button(_)) {
                        level.set_tile(c, Tile::Floor);
                        let n = *number.get_or_insert_with(|| level.button_number(c));
                        level.put_tile(c, Tile::Button(n));
                    }
                }
            }
            _ => {
                for c in spots.iter().map(|s| s.cell) {
                    match tool {
                        Tool::Wall => level.put_tile(c, Tile::Wall),
                        Tool::Goal => level.put_tile(c, Tile::Goal),
                        Tool::OneWay => level.put_tile(c, Tile::OneWay(dir)),
                        Tool::Box => level.put_object(c, Object::Box),
                        Tool::OneWayBox => level.put_object(c, Object::OneWayBox(dir)),
                        _ => {
                            level.set_object(c, None);
                            level.put_tile(c, Tile::Floor);
                        }
                    }
                }
            }
        }
    }

    fn pick(level: &Level, spot: Spot) -> Ink {
        match (level.object(spot.cell), level.tile(spot.cell)) {
            (Some(Object::Player), _) => ink(Tool::Player, None),
            (Some(Object::Box), _) => ink(Tool::Box, None),
            (Some(Object::OneWayBox(d)), _) => ink(Tool::OneWayBox, Some(d)),
            (None, Tile::Wall) => ink(Tool::Wall, None),
            (None, Tile::Floor) => ink(Tool::Floor, None),
            (None, Tile::Goal) => ink(Tool::Goal, None),
            (None, Tile::Button(_)) => ink(Tool::Button, None),
            (None, Tile::Door(_)) => ink(Tool::Door, None),
            (None, Tile::Portal(_, d)) => ink(Tool::Portal, Some(d)),
            (None, Tile::OneWay(d)) => ink(Tool::OneWay, Some(d)),
        }
    }

    fn ground(level: &Level, at: Cell) -> Ink {
        match level.tile(at) {
            Tile::Wall => ink(Tool::Wall, None),
            Tile::Goal => ink(Tool::Goal, None),
            Tile::OneWay(d) => ink(Tool::OneWay, Some(d)),
            Tile::Floor | Tile::Button(_) | Tile::Door(_) | Tile::Portal(..) => ink(Tool::Floor, None),
        }
    }

    fn things(level: &Level) -> Vec<Thing> {
        let thing = |tool: Tool, dir: Option<Dir>, at: Cell, number: Option<u32>| Thing {
            name: tool.swatch().id,
            ink: ink(tool, dir),
            spots: vec![at.into()],
            facts: number.map(|n| ("number", n.to_string())).into_iter().collect(),
        };
        // Doors before their buttons, since a painted button looks for a door; what moves stands on all of these.
        let doors = level.tiles.iter().filter_map(|(c, t)| match t {
            Tile::Door(n) => Some(thing(Tool::Door, None, c, Some(*n))),
            _ => None,
        });
        let others = level.tiles.iter().filter_map(|(c, t)| match t {
            Tile::Button(n) => Some(thing(Tool::Button, None, c, Some(*n))),
            Tile::Portal(n, d) => Some(thing(Tool::Portal, Some(*d), c, Some(*n))),
            _ => None,
        });
        let objects = level.objects.iter().filter_map(|(c, o)| match o.as_ref()? {
            Object::Player => Some(thing(Tool::Player, None, c, None)),
            Object::Box => Some(thing(Tool::Box, None, c, None)),
            Object::OneWayBox(d) => Some(thing(Tool::OneWayBox, Some(*d), c, None)),
        });
        doors.chain(others).chain(objects).collect()
    }

    fn moves(level: &Level) -> Vec<(Ink, Vec<Spot>)> {
        let boxes = level.objects_where(Object::is_box);
        let around = |at: Cell| {
            at.neighbours().into_iter().chain([(-1, -1), (1, -1), (-1, 1), (1, 1)].map(|(x, y)| at.offset(x, y)))
        };
        let steps = boxes.into_iter().flat_map(|at| around(at).map(move |to| vec![at.into(), to.into()]));
        steps.map(|spots| (ink(Tool::Move, None), spots)).collect()
    }

    fn resized(level: &Level, size: Size, shift: (i16, i16)) -> Level {
        let tiles = level.tiles.resized(size, shift, Tile::Wall);
        let objects = level.objects.resized(size, shift, None);
        Level { tiles, objects, sbk: level.sbk.clone() }
    }

    fn stamp(level: &mut Level, part: &Level, at: Cell) {
        let target = |c: Cell| Cell { x: c.x.saturating_add(at.x), y: c.y.saturating_add(at.y) };
        for c in part.size().cells() {
            level.set_tile(target(c), Tile::Wall);
            level.set_object(target(c), None);
        }
        // A copy of a door or of a whole pair of portals is a new one; a copied button still opens the door it opened.
        let (outside, inside) = (level.counts(), part.counts());
        let mut next = outside.keys().chain(inside.keys()).max().map_or(1, |n| n.saturating_add(1));
        let mut fresh: BTreeMap<(bool, u32), u32> = BTreeMap::new();
        for (n, (doors, _, ends)) in &inside {
            let (doors_out, _, ends_out) = outside.get(n).copied().unwrap_or_default();
            for (is_portal, clash) in [(false, *doors > 0 && doors_out > 0), (true, *ends > 0 && ends + ends_out > 2)] {
                if clash {
                    fresh.insert((is_portal, *n), next);
                    next = next.saturating_add(1);
                }
            }
        }
        let name = |portal: bool, n: u32| fresh.get(&(portal, n)).copied().unwrap_or(n);
        for (c, tile) in part.tiles.iter() {
            let tile = match *tile {
                Tile::Door(n) => Tile::Door(name(false, n)),
                Tile::Button(n) => Tile::Button(name(false, n)),
                Tile::Portal(n, d) => Tile::Portal(name(true, n), d),
                other => other,
            };
            level.set_tile(target(c), tile);
            level.set_object(target(c), part.object(c));
        }
    }

    fn commands() -> &'static [Command] {
        &[
            Command {
                id: "tidy",
                name: "Tidy up",
                help: "Removes loose buttons, doors and portals, surplus players, and objects in walls.",
            },
            Command {
                id: "renumber",
                name: "Renumber links",
                help: "Numbers doors and portals from 1 in reading order.",
            },
        ]
    }

    fn command(level: &mut Level, id: &str, _: u64) -> Result<String, String> {
        match id {
            "tidy" => match level.tidy() {
                0 => Err("there is nothing to tidy up".into()),
                1 => Ok("tidied up 1 cell".into()),
                n => Ok(format!("tidied up {n} cells")),
            },
            "renumber" => {
                level.renumber();
                Ok("doors and portals renumbered from 1".into())
            }
            other => Err(format!("there is no editor command {other}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{Draft, Rules},
        grid::cell,
    };

    fn stroke(level: &mut Level, tool: Tool, cells: &[(i16, i16)]) {
        let spots: Vec<Spot> = cells.iter().map(|(x, y)| cell(*x, *y).into()).collect();
        Sbokena::paint(level, ink(tool, None), &spots);
    }

    #[test]
    fn a_level_with_a_door_and_a_portal_is_drawn_from_blank_and_links_itself() {
        let mut level = Sbokena::blank(Size::new(9, 5));
        stroke(&mut level, Tool::Player, &[(1, 1)]);
        stroke(&mut level, Tool::Box, &[(2, 2)]);
        stroke(&mut level, Tool::Goal, &[(6, 2)]);
        stroke(&mut level, Tool::Door, &[(4, 1)]);
        assert!(Sbokena::problems(&level).iter().any(|p| p.text.contains("no button")));
        stroke(&mut level, Tool::Button, &[(2, 3)]);
        stroke(&mut level, Tool::Portal, &[(4, 0), (4, 3)]);
        assert!(Sbokena::problems(&level).iter().any(|p| p.text.contains("no partner")));
        stroke(&mut level, Tool::Portal, &[(6, 4), (6, 4)]);
        assert_eq!(Sbokena::problems(&level), Vec::new());
        assert_eq!(level.tile(cell(4, 0)), Tile::Portal(2, Dir::Down), "aimed by the drag");
        assert_eq!(level.tile(cell(6, 4)), Tile::Portal(2, Dir::Right), "as the ink points");
        assert!(Sbokena::start(&level).is_ok());
    }

    #[test]
    fn the_link_tool_joins_and_cuts() {
        let mut level = Sbokena::blank(Size::new(9, 5));
        stroke(&mut level, Tool::Door, &[(2, 2)]);
        stroke(&mut level, Tool::Button, &[(1, 1)]);
        stroke(&mut level, Tool::Door, &[(4, 2)]);
        stroke(&mut level, Tool::Link, &[(1, 1), (4, 2)]);
        assert_eq!(level.tile(cell(1, 1)), level.tile(cell(4, 2)).button());
        stroke(&mut level, Tool::Link, &[(2, 2), (3, 2), (1, 1)]);
        assert_eq!(level.tile(cell(1, 1)), level.tile(cell(2, 2)).button());
        stroke(&mut level, Tool::Link, &[(1, 1)]);
        assert!(Sbokena::problems(&level).iter().any(|p| p.text.contains("opens nothing")));
        for x in [1, 3, 5, 7] {
            stroke(&mut level, Tool::Portal, &[(x, 0)]);
        }
        stroke(&mut level, Tool::Link, &[(1, 0), (7, 0)]);
        assert_eq!(level.partner(cell(1, 0)).map(|p| p.0), Some(cell(7, 0)));
    }

    impl Tile {
        fn button(self) -> Tile {
            if let Tile::Door(n) = self { Tile::Button(n) } else { self }
        }
    }

    #[test]
    fn straight_strokes_point_along_themselves_and_others_as_the_ink() {
        let mut level = Sbokena::blank(Size::new(9, 5));
        stroke(&mut level, Tool::OneWay, &[(3, 3), (3, 2), (3, 1)]);
        assert_eq!(level.tile(cell(3, 2)), Tile::OneWay(Dir::Up));
        let turned = Ink { sym: Sym::TURN, ..ink(Tool::OneWayBox, None) };
        Sbokena::paint(&mut level, turned, &[cell(5, 2).into()]);
        assert_eq!(level.object(cell(5, 2)), Some(Object::OneWayBox(Dir::Down)));
    }

    #[test]
    fn what_is_picked_paints_the_same_again() {
        let mut level = Sbokena::blank(Size::new(9, 5));
        stroke(&mut level, Tool::OneWay, &[(3, 3), (3, 2)]);
        stroke(&mut level, Tool::Portal, &[(5, 0), (5, 2)]);
        stroke(&mut level, Tool::OneWayBox, &[(6, 2), (5, 2)]);
        stroke(&mut level, Tool::Player, &[(1, 1)]);
        for c in level.size().cells() {
            let mut copy = level.clone();
            Sbokena::paint(&mut copy, Sbokena::pick(&level, c.into()), &[c.into()]);
            assert_eq!(copy, level, "{c:?}");
        }
    }

    #[test]
    fn a_copy_of_a_door_or_a_pair_gets_its_own_number() {
        let mut level = Sbokena::blank(Size::new(12, 6));
        stroke(&mut level, Tool::Door, &[(2, 2)]);
        stroke(&mut level, Tool::Button, &[(1, 1)]);
        stroke(&mut level, Tool::Portal, &[(3, 1)]);
        stroke(&mut level, Tool::Portal, &[(3, 3)]);
        let part = Sbokena::resized(&level, Size::new(4, 4), (0, 0));
        let mut same = level.clone();
        Sbokena::stamp(&mut same, &part, cell(0, 0));
        assert_eq!(same, level, "back where it came from nothing changes");
        Sbokena::stamp(&mut level, &part, cell(5, 1));
        let wrong: Vec<_> = Sbokena::problems(&level)
            .into_iter()
            .filter(|p| p.text.contains("door") || p.text.contains("portal"))
            .collect();
        assert_eq!(wrong, Vec::new());
        Sbokena::stamp(&mut level, &part, cell(i16::MAX, i16::MIN));
    }

    #[test]
    fn tidying_up_leaves_no_problem_it_can_mend() {
        let mut level = Sbokena::blank(Size::new(9, 5));
        for x in 1..5 {
            level.set_object(cell(x, 1), Some(Object::Player));
        }
        level.set_object(cell(0, 0), Some(Object::Box));
        level.set_tile(cell(3, 3), Tile::Door(4));
        level.set_tile(cell(4, 3), Tile::Button(5));
        level.set_tile(cell(5, 3), Tile::Portal(6, Dir::Up));
        assert!(Sbokena::command(&mut level, "tidy", 0).is_ok());
        assert!(Sbokena::problems(&level).iter().all(|p| p.mend.is_none()), "{:?}", Sbokena::problems(&level));
        assert!(Sbokena::command(&mut level, "tidy", 0).is_err());
        assert!(Sbokena::command(&mut level, "nonsense", 0).is_err());
    }
}
