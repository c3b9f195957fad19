//! The drawings: ground, crates, the player, wires. All in cell units; small pictures leave out what would only be noise.

use super::{
    level::{Level, Object, Tile},
    rules::{State, is_open},
};
use crate::{
    grid::{Cell, Dir},
    picture::{Area, Colours, Figure, Pen, Picture, Point, Rgba, point},
};

/// How an object is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub on_goal: bool,
    pub facing: Option<Dir>,
    pub opacity: f32,
    pub scale: f32,
}

impl Default for Look {
    fn default() -> Look {
        Look { on_goal: false, facing: None, opacity: 1.0, scale: 1.0 }
    }
}

/// A brush on a picture.
pub(super) struct Art<'a> {
    picture: &'a mut Picture,
    colours: &'a Colours,
    /// Whether there is room for planks and faces.
    fine: bool,
}

/// How far from the middle of a sign its wire ends.
const CLEAR_OF_SIGN: f32 = 0.3;
/// Dots of a walk that are drawn, beside its end: a long walk costs as much as a short one.
const MOST_DOTS: usize = 60;
const WHITE: Rgba = Rgba::hex(0xffffff);
const BLACK: Rgba = Rgba::hex(0x000000);

fn unit(d: Dir) -> (f32, f32) {
    let (x, y) = d.delta();
    (f32::from(x), f32::from(y))
}

/// A point given along a direction and to its right, from a middle.
fn along(at: Point, d: Dir, ahead: f32, right: f32) -> Point {
    let (ux, uy) = unit(d);
    at.shift(ux * ahead - uy * right, uy * ahead + ux * right)
}

impl<'a> Art<'a> {
    pub(super) fn new(picture: &'a mut Picture, colours: &'a Colours, cell_px: f32) -> Art<'a> {
        Art { picture, colours, fine: cell_px >= 14.0 }
    }

    /// The colour of a door or a pair of portals.
    fn link_colour(&self, number: u32) -> (usize, Rgba) {
        // In an order that keeps neighbours in number far apart in hue, and away from wood.
        const ORDER: [usize; 10] = [2, 0, 1, 4, 5, 6, 7, 3, 9, 10];
        let index = ORDER[(number.wrapping_sub(1) % 10) as usize];
        (index, self.colours.pieces[index])
    }

    fn wood(&self, on_goal: bool) -> Rgba {
        let wood = self.colours.pieces[8].mix(self.colours.pieces[3], 0.35);
        if on_goal { wood.mix(self.colours.good, 0.5) } else { wood }
    }

    // ------------------------------------------------------------------------------------------------------------- ground

    /// Everything that does not move.
    pub(super) fn ground(&mut self, level: &Level, state: Option<&State>) {
        let floor = |c: Cell| level.tile(c) != Tile::Wall;
        for c in level.size().cells().filter(|c| floor(*c)) {
            let shade = if (c.x + c.y) % 2 == 0 { self.colours.floor } else { self.colours.floor_alt };
            self.picture.rect(Area::of(c), 0.0, shade, Pen::NONE);
        }
        for c in level.size().cells() {
            if floor(c) {
                self.shade(level, c);
            } else {
                self.wall(level, c, state.is_none());
            }
        }
        for c in level.size().cells().filter(|c| floor(*c)) {
            let occupied = match state {
                Some(s) => s.object_at(c).is_some(),
                None => level.object(c).is_some(),
            };
            let open = match (level.tile(c), state) {
                (Tile::Door(n), Some(s)) => is_open(level, s, n, c),
                _ => occupied,
            };
            self.feature(level, c, occupied, open);
        }
    }

    /// The shadow a wall throws on the floor below it and to its right.
    fn shade(&mut self, level: &Level, c: Cell) {
        if !self.fine {
            return;
        }
        let wall = |d: Dir| level.tile(c.step(d)) == Tile::Wall && level.size().contains(c.step(d));
        let (x, y) = (f32::from(c.x), f32::from(c.y));
        for (i, depth) in [0.16, 0.1, 0.05].into_iter().enumerate() {
            let dark = BLACK.faded(0.05 + 0.02 * i as f32);
            if wall(Dir::Up) {
                self.picture.rect(Area::new(x, y, 1.0, depth), 0.0, dark, Pen::NONE);
            }
            if wall(Dir::Left) {
                self.picture.rect(Area::new(x, y, depth * 0.6, 1.0), 0.0, dark, Pen::NONE);
            }
        }
    }

    /// A wall cell: joined to its neighbours, soft at free corners. Walls that touch no floor are only shown while editing.
    fn wall(&mut self, level: &Level, c: Cell, editing: bool) {
        let size = level.size();
        let is_wall = |c: Cell| size.contains(c) && level.tile(c) == Tile::Wall;
        let touches = |c: Cell| (-1..=1).any(|dx| (-1..=1).any(|dy| level.tile(c.offset(dx, dy)) != Tile::Wall));
        if !touches(c) && !editing {
            return;
        }
        let fill = self.colours.wall;
        let solid = |d: Dir| {
            let n = c.step(d);
            is_wall(n) && (editing || touches(n))
        };
        let [up, right, down, left] = Dir::ALL.map(solid);
        let corner = |a: bool, b: bool| if a || b || !self.fine { 0.0 } else { 0.26 };
        let round = [corner(up, left), corner(up, right), corner(down, right), corner(down, left)];
        let mut part = |area: Area, round: [f32; 4], fill: Rgba| {
            self.picture.figures.push(Figure::Rect { area, round, fill, pen: Pen::NONE });
        };
        part(Area::of(c), round, fill);
        if !self.fine {
            return;
        }
        // Light from above: a bright rim where the wall ends upwards, a dark foot where it ends downwards. Both are the wall's own outline, which shows
        // beyond its face, so that they follow the corners.
        let (x, y) = (f32::from(c.x), f32::from(c.y));
        let [nw, ne, se, sw] = round;
        let (top, bottom) = (if up { 0.0 } else { 0.1 }, if down { 1.0 } else { 0.87 });
        if !up {
            part(Area::new(x, y, 1.0, 0.5), [nw, ne, 0.0, 0.0], fill.mix(self.colours.wall_edge, 0.8));
        }
        if !down {
            part(Area::new(x, y + 0.5, 1.0, 0.5), [0.0, 0.0, se, sw], fill.mix(BLACK, 0.28));
        }
        if !up || !down {
            part(Area::new(x, y + top, 1.0, bottom - top), round, fill);
        }
        // Two courses of bricks, joined to those of the cells around.
        let line = Pen::new(self.colours.wall.mix(BLACK, 0.12), 0.025);
        let (l, r) = (if left { 0.0 } else { 0.04 }, if right { 1.0 } else { 0.96 });
        let middle = (top + bottom) / 2.0;
        self.picture.line(vec![point(x + l, y + middle), point(x + r, y + middle)], line);
        self.picture.line(vec![point(x + 0.5, y + top), point(x + 0.5, y + middle)], line);
        if left {
            self.picture.line(vec![point(x, y + middle), point(x, y + bottom)], line);
        }
        if down {
            self.picture.line(vec![point(x + l, y + 1.0), point(x + r, y + 1.0)], line);
        }
    }

    /// What is special about a floor cell.
    fn feature(&mut self, level: &Level, c: Cell, occupied: bool, open: bool) {
        match level.tile(c) {
            Tile::Goal => self.goal(c),
            Tile::OneWay(d) => self.one_way(c, d),
            Tile::Button(n) => self.button(c, n, occupied),
            Tile::Door(n) => {
                let wall = |d: Dir| level.tile(c.step(d)) == Tile::Wall;
                let upright = wall(Dir::Up) && wall(Dir::Down) || !(wall(Dir::Left) && wall(Dir::Right));
                self.door(c, n, open, upright);
            }
            Tile::Portal(n, d) => self.portal(c, n, d),
            Tile::Floor | Tile::Wall => (),
        }
    }

    /// A tile by itself, for the palette.
    pub(super) fn tile_alone(&mut self, c: Cell, tile: Tile) {
        let mut level = Level::walls(crate::grid::Size::new(1, 1));
        level.set_tile(c, tile);
        if tile == Tile::Wall {
            self.picture.rect(Area::of(c).inset(0.04), 0.22, self.colours.wall, Pen::NONE);
            self.picture.rect(Area::new(0.14, 0.06, 0.72, 0.1), 0.04, self.colours.wall_edge, Pen::NONE);
            return;
        }
        self.picture.rect(Area::of(c), 0.12, self.colours.floor, Pen::NONE);
        self.feature(&level, c, false, false);
    }

    fn goal(&mut self, c: Cell) {
        let at = Point::middle(c);
        let ring = self.colours.good;
        self.picture.circle(at, 0.31, ring.faded(0.14), Pen::new(ring.faded(0.9), 0.055));
        if self.fine {
            self.picture.circle(at, 0.17, Rgba::CLEAR, Pen::new(ring.faded(0.5), 0.035));
        }
        self.picture.circle(at, 0.06, ring, Pen::NONE);
    }

    fn one_way(&mut self, c: Cell, d: Dir) {
        let at = Point::middle(c);
        let accent = self.colours.accent;
        self.picture.rect(Area::of(c).inset(0.05), 0.14, accent.faded(0.1), Pen::new(accent.faded(0.28), 0.03));
        for (ahead, strength) in [(-0.17, 0.45), (0.09, 0.8)] {
            let tip = along(at, d, ahead + 0.15, 0.0);
            let wings = [along(at, d, ahead - 0.05, -0.22), tip, along(at, d, ahead - 0.05, 0.22)];
            self.picture.line(wings.to_vec(), Pen::new(accent.faded(strength), 0.085));
        }
    }

    fn button(&mut self, c: Cell, number: u32, held: bool) {
        let (index, colour) = self.link_colour(number);
        let at = Point::middle(c);
        let plate = self.colours.wall.mix(self.colours.floor, 0.45);
        self.picture.rect(Area::of(c).inset(0.14), 0.16, plate, Pen::new(plate.mix(BLACK, 0.25), 0.03));
        let (radius, lift) = if held { (0.22, 0.0) } else { (0.25, 0.05) };
        self.picture.circle(at.shift(0.0, 0.03), radius, colour.mix(BLACK, 0.45), Pen::NONE);
        let top = if held { colour.mix(WHITE, 0.25) } else { colour };
        self.picture.circle(at.shift(0.0, -lift), radius, top, Pen::new(colour.mix(BLACK, 0.25), 0.025));
        if self.fine {
            self.symbol(index, at.shift(0.0, -lift), 0.62);
        }
    }

    fn door(&mut self, c: Cell, number: u32, open: bool, upright: bool) {
        let (index, colour) = self.link_colour(number);
        let (x, y) = (f32::from(c.x), f32::from(c.y));
        // Drawn as if one walks through it left to right, then turned.
        let put = |u: f32, v: f32, w: f32, h: f32| {
            if upright { Area::new(x + u, y + v, w, h) } else { Area::new(x + v, y + u, h, w) }
        };
        let frame = self.colours.wall.mix(BLACK, 0.2);
        let leaf = colour.mix(self.colours.wall, 0.25);
        let edge = Pen::new(leaf.mix(BLACK, 0.4), 0.03);
        if open {
            self.picture.rect(put(0.0, 0.0, 1.0, 1.0), 0.0, colour.faded(0.1), Pen::NONE);
            self.picture.rect(put(0.3, 0.0, 0.4, 0.15), 0.05, leaf, edge);
            self.picture.rect(put(0.3, 0.85, 0.4, 0.15), 0.05, leaf, edge);
        } else {
            self.picture.rect(put(0.24, 0.0, 0.52, 0.5), 0.05, leaf, edge);
            self.picture.rect(put(0.24, 0.5, 0.52, 0.5), 0.05, leaf.mix(BLACK, 0.08), edge);
            if self.fine {
                for v in [0.16, 0.3, 0.66, 0.8] {
                    self.picture.rect(put(0.3, v, 0.4, 0.045), 0.02, leaf.mix(BLACK, 0.22), Pen::NONE);
                }
                let at = Point::middle(c);
                self.picture.circle(at, 0.15, leaf.mix(BLACK, 0.5), Pen::NONE);
                self.symbol(index, at, 0.5);
            }
        }
        for v in [0.0, 0.94] {
            self.picture.rect(put(0.2, v, 0.6, 0.06), 0.02, frame, Pen::NONE);
        }
    }

    fn portal(&mut self, c: Cell, number: u32, d: Dir) {
        let (index, colour) = self.link_colour(number);
        let at = Point::middle(c);
        let deep = colour.mix(BLACK, 0.62);
        self.picture.rect(Area::of(c).inset(0.03), 0.24, self.colours.wall.mix(BLACK, 0.25), Pen::NONE);
        self.picture.circle(at, 0.4, deep, Pen::new(colour, 0.07));
        if self.fine {
            self.picture.circle(at, 0.3, colour.mix(BLACK, 0.4), Pen::NONE);
            self.picture.circle(along(at, d, 0.06, 0.0), 0.2, colour.mix(BLACK, 0.15), Pen::NONE);
            self.symbol(index, along(at, d, 0.1, 0.0), 0.55);
        }
        // The mouth: open towards the side one comes from, with the way in drawn as an arrow.
        let mouth = [
            along(at, d, -0.5, -0.24),
            along(at, d, -0.5, 0.24),
            along(at, d, -0.22, 0.16),
            along(at, d, -0.22, -0.16),
        ];
        self.picture.polygon(mouth.to_vec(), deep, Pen::NONE);
        let arrow = [along(at, d, -0.47, -0.15), along(at, d, -0.22, 0.0), along(at, d, -0.47, 0.15)];
        self.picture.polygon(arrow.to_vec(), colour.mix(WHITE, 0.55), Pen::NONE);
    }

    /// The sign that goes with a link's colour.
    fn symbol(&mut self, index: usize, at: Point, scale: f32) {
        let mut sign = Picture::default();
        sign.pattern(index, (-0.5, -0.5), WHITE.faded(0.92));
        let place = |p: Point| at.shift(p.x * scale, p.y * scale);
        for figure in sign.figures {
            let thin = |pen: Pen| Pen::new(pen.colour, pen.width * scale.max(0.7));
            self.picture.figures.push(match figure {
                Figure::Rect { area, round, fill, pen } => {
                    let corner = place(point(area.x, area.y));
                    let area = Area::new(corner.x, corner.y, area.w * scale, area.h * scale);
                    Figure::Rect { area, round: round.map(|r| r * scale), fill, pen: thin(pen) }
                }
                Figure::Circle { at, radius, fill, pen } => {
                    Figure::Circle { at: place(at), radius: radius * scale, fill, pen: thin(pen) }
                }
                Figure::Polygon { points, fill, pen } => {
                    Figure::Polygon { points: points.into_iter().map(place).collect(), fill, pen: thin(pen) }
                }
                Figure::Line { points, pen } => {
                    Figure::Line { points: points.into_iter().map(place).collect(), pen: thin(pen) }
                }
                text => text,
            });
        }
    }

    // ------------------------------------------------------------------------------------------------------------ objects

    /// A box or the player with its middle here.
    pub(super) fn object(&mut self, object: Object, at: Point, look: Look) {
        match object {
            Object::Player => self.player(at, look),
            Object::Box => self.crate_(at, look, None),
            Object::OneWayBox(d) => self.crate_(at, look, Some(d)),
        }
    }

    fn crate_(&mut self, at: Point, look: Look, only: Option<Dir>) {
        let s = look.scale;
        let area = |u: f32, v: f32, w: f32, h: f32| Area::new(at.x + u * s, at.y + v * s, w * s, h * s);
        let fade = |c: Rgba| c.faded(look.opacity);
        let wood = self.wood(look.on_goal);
        let dark = wood.mix(BLACK, 0.42);
        self.picture.rect(area(-0.37, -0.33, 0.78, 0.78), 0.12 * s, fade(BLACK.faded(0.22)), Pen::NONE);
        self.picture.rect(area(-0.4, -0.4, 0.8, 0.8), 0.1 * s, fade(wood), Pen::new(fade(dark), 0.05 * s));
        if self.fine {
            // Planks, then the frame over their ends.
            for (i, v) in [-0.27, -0.09, 0.09].into_iter().enumerate() {
                let tone = if i == 1 { wood.mix(WHITE, 0.1) } else { wood.mix(WHITE, 0.04) };
                self.picture.rect(area(-0.27, v, 0.54, 0.165), 0.02, fade(tone), Pen::NONE);
                self.picture.rect(area(-0.27, v + 0.155, 0.54, 0.025), 0.0, fade(wood.mix(BLACK, 0.3)), Pen::NONE);
            }
            let frame = wood.mix(BLACK, 0.13);
            for (u, v, w, h) in [
                (-0.38, -0.38, 0.76, 0.13),
                (-0.38, 0.25, 0.76, 0.13),
                (-0.38, -0.25, 0.13, 0.5),
                (0.25, -0.25, 0.13, 0.5),
            ] {
                self.picture.rect(area(u, v, w, h), 0.03, fade(frame), Pen::NONE);
            }
            self.picture.rect(area(-0.36, -0.38, 0.72, 0.035), 0.015, fade(wood.mix(WHITE, 0.35)), Pen::NONE);
            for (u, v) in [(-0.315, -0.315), (0.315, -0.315), (-0.315, 0.315), (0.315, 0.315)] {
                self.picture.circle(at.shift(u * s, v * s), 0.03 * s, fade(dark), Pen::NONE);
            }
        }
        let p = |d: Dir, ahead: f32, right: f32| along(at, d, ahead * s, right * s);
        match only {
            Some(d) => {
                let mark = self.colours.accent;
                let disc = mark.mix(BLACK, 0.55);
                self.picture.circle(at, 0.27 * s, fade(disc), Pen::new(fade(mark), 0.04 * s));
                self.picture.polygon(vec![p(d, 0.23, 0.0), p(d, 0.0, 0.17), p(d, 0.0, -0.17)], fade(WHITE), Pen::NONE);
                let shaft = vec![p(d, 0.02, 0.065), p(d, -0.2, 0.065), p(d, -0.2, -0.065), p(d, 0.02, -0.065)];
                self.picture.polygon(shaft, fade(WHITE), Pen::NONE);
            }
            None if self.fine => {
                let brace = Pen::new(fade(wood.mix(BLACK, 0.2)), 0.09 * s);
                self.picture.line(vec![at.shift(-0.23 * s, 0.23 * s), at.shift(0.23 * s, -0.23 * s)], brace);
            }
            None => (),
        }
        if look.on_goal && self.fine {
            // A tick, so that the colour is not the only sign.
            let ok = self.colours.good.mix(WHITE, 0.55);
            let tick = vec![at.shift(-0.13 * s, 0.0), at.shift(-0.03 * s, 0.11 * s), at.shift(0.16 * s, -0.12 * s)];
            if only.is_none() {
                self.picture.circle(at, 0.23 * s, fade(self.colours.good.mix(BLACK, 0.4)), Pen::NONE);
                self.picture.line(tick, Pen::new(fade(ok), 0.075 * s));
            } else {
                let corner = at.shift(0.27 * s, 0.27 * s);
                self.picture.circle(
                    corner,
                    0.12 * s,
                    fade(ok),
                    Pen::new(fade(self.colours.good.mix(BLACK, 0.5)), 0.03),
                );
            }
        }
    }

    /// What a box hides, as a small sign in its corner.
    pub(super) fn under_box(&mut self, tile: Tile, c: Cell) {
        if !self.fine {
            return;
        }
        let at = Point::middle(c).shift(0.25, 0.25);
        match tile {
            Tile::Button(n) => {
                let (index, colour) = self.link_colour(n);
                self.picture.circle(at, 0.17, colour, Pen::new(colour.mix(BLACK, 0.5), 0.035));
                self.symbol(index, at, 0.42);
            }
            Tile::OneWay(d) => {
                self.picture.circle(at, 0.15, self.colours.floor, Pen::new(self.colours.accent, 0.035));
                let wings = [along(at, d, -0.04, -0.08), along(at, d, 0.05, 0.0), along(at, d, -0.04, 0.08)];
                self.picture.line(wings.to_vec(), Pen::new(self.colours.accent, 0.05));
            }
            _ => (),
        }
    }

    fn player(&mut self, at: Point, look: Look) {
        let s = look.scale;
        let fade = |c: Rgba| c.faded(look.opacity);
        let coat = self.colours.accent.mix(self.colours.pieces[2], 0.5);
        let skin = Rgba::hex(0xf3cfa5);
        let go = |u: f32, v: f32| at.shift(u * s, v * s);
        let (fx, fy) = look.facing.map_or((0.0, 0.0), unit);
        self.picture.circle(go(0.0, 0.3), 0.22 * s, fade(BLACK.faded(0.2)), Pen::NONE);
        // Feet, coat, hands.
        for side in [-1.0, 1.0] {
            self.picture.circle(go(side * 0.12 + fx * 0.03, 0.36), 0.085 * s, fade(coat.mix(BLACK, 0.5)), Pen::NONE);
        }
        let body = Area::new(at.x - 0.22 * s, at.y - 0.02 * s, 0.44 * s, 0.38 * s);
        self.picture.rect(body, 0.15 * s, fade(coat), Pen::new(fade(coat.mix(BLACK, 0.35)), 0.03 * s));
        for side in [-1.0, 1.0] {
            let reach = 0.25 - 0.05 * fy.abs();
            self.picture.circle(
                go(side * reach + fx * 0.06, 0.14 + fy * 0.05),
                0.075 * s,
                fade(skin),
                Pen::new(fade(coat.mix(BLACK, 0.35)), 0.02),
            );
        }
        // Head and hair.
        let head = go(fx * 0.03, -0.16);
        self.picture.circle(
            head.shift(0.0, -0.03 * s),
            0.265 * s,
            fade(self.colours.pieces[8].mix(BLACK, 0.45)),
            Pen::NONE,
        );
        if look.facing == Some(Dir::Up) {
            return;
        }
        self.picture.circle(head.shift(fx * 0.04 * s, 0.025 * s), 0.225 * s, fade(skin), Pen::NONE);
        if !self.fine {
            return;
        }
        // A face that looks where it goes.
        let gaze = head.shift((fx * 0.075) * s, (0.02 + fy * 0.035) * s);
        for side in [-1.0, 1.0] {
            let eye = gaze.shift(side * 0.085 * s, 0.0);
            self.picture.circle(eye, 0.05 * s, fade(WHITE), Pen::NONE);
            self.picture.circle(
                eye.shift(fx * 0.02 * s, fy * 0.015 * s),
                0.03 * s,
                fade(Rgba::hex(0x2a2f3a)),
                Pen::NONE,
            );
            self.picture.circle(
                gaze.shift(side * 0.14 * s, 0.08 * s),
                0.03 * s,
                fade(Rgba::hex(0xe79a86).faded(0.7)),
                Pen::NONE,
            );
        }
        let smile = (-3..=3).map(|i| {
            let u = i as f32 / 3.0;
            gaze.shift(u * 0.055 * s, (0.1 + 0.025 * (1.0 - u * u)) * s)
        });
        self.picture.line(smile.collect::<Vec<_>>(), Pen::new(fade(Rgba::hex(0x8a4b3a)), 0.024 * s));
    }

    // ------------------------------------------------------------------------------------------------- wires, ways, ghosts

    /// The wires of the link under a cell, or all of them.
    pub(super) fn wires(&mut self, level: &Level, only: Option<Cell>) {
        let number_at = |c: Cell| match level.tile(c) {
            Tile::Button(n) | Tile::Door(n) => Some((false, n)),
            Tile::Portal(n, _) => Some((true, n)),
            _ => None,
        };
        let wanted = only.map(number_at);
        if wanted == Some(None) || !self.fine {
            return;
        }
        let mut ends: std::collections::BTreeMap<(bool, u32), (Vec<Cell>, Vec<Cell>)> = Default::default();
        for (c, tile) in level.tiles.iter() {
            match *tile {
                Tile::Door(n) => ends.entry((false, n)).or_default().0.push(c),
                Tile::Button(n) => ends.entry((false, n)).or_default().1.push(c),
                Tile::Portal(n, _) => {
                    let pair = ends.entry((true, n)).or_default();
                    if pair.0.is_empty() { pair.0.push(c) } else { pair.1.push(c) }
                }
                _ => (),
            }
        }
        for (key, (to, from)) in ends {
            if wanted.is_some_and(|w| w != Some(key)) {
                continue;
            }
            let (_, colour) = self.link_colour(key.1);
            for a in &from {
                for b in &to {
                    self.wire(Point::middle(*a), Point::middle(*b), colour, key.0);
                }
            }
        }
    }

    /// A hanging wire from the rim of one sign to the rim of another; dashed between portals, which carry things both ways.
    fn wire(&mut self, a: Point, b: Point, colour: Rgba, dashed: bool) {
        let sag = (a.distance(b) * 0.14).min(0.9);
        let steps = 48;
        let curve: Vec<Point> = (0..=steps)
            .map(|i| {
                let t = i as f32 / steps as f32;
                a.towards(b, t).shift(0.0, sag * 4.0 * t * (1.0 - t))
            })
            .filter(|p| p.distance(a) >= CLEAR_OF_SIGN && p.distance(b) >= CLEAR_OF_SIGN)
            .collect();
        let (Some(first), Some(last)) = (curve.first().copied(), curve.last().copied()) else { return };
        let parts: Vec<Vec<Point>> = if dashed {
            curve.chunks(4).map(|p| p[..p.len().min(3)].to_vec()).filter(|p| p.len() > 1).collect()
        } else {
            vec![curve]
        };
        for part in parts {
            self.picture.line(part.clone(), Pen::new(self.colours.back.faded(0.7), 0.11));
            self.picture.line(part, Pen::new(colour.mix(self.colours.ink, 0.15), 0.055));
        }
        for end in [first, last] {
            self.picture.circle(
                end,
                0.06,
                colour.mix(self.colours.ink, 0.15),
                Pen::new(self.colours.back.faded(0.7), 0.03),
            );
        }
    }

    /// Dots where a click would walk, from the player on, and at the end.
    pub(super) fn way(&mut self, cells: &[Cell]) {
        let dot = self.colours.accent;
        let most = MOST_DOTS.min(cells.len().saturating_sub(1));
        for (i, c) in cells.iter().enumerate().take(most).chain(cells.iter().enumerate().next_back()) {
            let last = i + 1 == cells.len();
            let (radius, opacity) = if last { (0.14, 0.8) } else { (0.08, 0.7) };
            self.picture.circle(Point::middle(*c), radius, dot.faded(opacity), Pen::NONE);
        }
    }

    /// Where a box in hand would go.
    pub(super) fn ghost(&mut self, at: Cell, fits: bool) {
        let colour = if fits { self.colours.accent } else { self.colours.bad };
        self.picture.rect(Area::of(at).inset(0.1), 0.1, colour.faded(0.18), Pen::new(colour, 0.06));
        if !fits {
            let m = Point::middle(at);
            for side in [-1.0, 1.0] {
                self.picture
                    .line(vec![m.shift(-0.16, -0.16 * side), m.shift(0.16, 0.16 * side)], Pen::new(colour, 0.07));
            }
        }
    }

    /// The move tool's sign.
    pub(super) fn move_tool(&mut self, c: Cell) {
        self.picture.rect(Area::of(c), 0.12, self.colours.floor, Pen::NONE);
        let pen = Pen::new(self.colours.accent, 0.07);
        self.picture.rect(Area::new(0.1, 0.35, 0.3, 0.3), 0.05, self.wood(false), Pen::NONE);
        self.picture.line(vec![point(0.5, 0.5), point(0.88, 0.5)], pen);
        self.picture.line(vec![point(0.72, 0.34), point(0.88, 0.5), point(0.72, 0.66)], pen);
    }

    /// The link tool's sign.
    pub(super) fn link_tool(&mut self, c: Cell) {
        self.picture.rect(Area::of(c), 0.12, self.colours.floor, Pen::NONE);
        let colour = self.colours.accent;
        let wire = (0..=8).map(|i| i as f32 / 8.0).map(|t| point(0.22 + 0.56 * t, 0.34 + 0.6 * t * (1.0 - t)));
        self.picture.line(wire.collect::<Vec<_>>(), Pen::new(colour, 0.055));
        self.picture.circle(point(0.22, 0.34), 0.13, colour, Pen::NONE);
        self.picture.rect(Area::new(0.66, 0.22, 0.24, 0.24), 0.05, colour, Pen::NONE);
    }
}
