//! How Shards looks: a board of faint triangles, pieces as facets of coloured glass, the tray beside it.
//!
//! Light falls from the top left, so the four triangles of a cell have four shades and a piece looks cut. Each colour has its
//! own small mark on every triangle. White dots are the anchors of the seed: the middles of the cells, on the board and on the pieces, which come to lie
//! over one another when a piece snaps.

mod facets;
mod hand;
mod tray;

pub use hand::Ui;

use self::{
    facets::{corners, facets, heart, scaled},
    tray::Tray,
};
use super::{
    Level, Move, Piece, Placing, Shards, State, rules,
    triangle::{Tri, triangles_of},
};
use crate::{
    game::{Ahead, Hint, Ink, Input, Reaction, Scene, View},
    grid::{Cell, Spot, Sym},
    picture::{Area, Colours, Pen, Picture, Point, Rgba, point},
};
use std::collections::BTreeSet;

const WHITE: Rgba = Rgba::hex(0xffffff);
const BLACK: Rgba = Rgba::hex(0x10131a);
/// Below this many pixels a cell, marks and anchors are left out.
const DETAIL: f32 = 20.0;

impl View for Shards {
    type Ui = Ui;

    fn extent(level: &Level) -> Area {
        let size = level.board.size();
        let (w, h) = (f32::from(size.w), f32::from(size.h));
        let tray = tray::area(size);
        let top = tray.y.min(0.0);
        Area::new(0.0, top, w.max(tray.x + tray.w), h.max(tray.y + tray.h) - top)
    }

    fn draw(picture: &mut Picture, scene: &Scene<'_, Shards>) {
        let mut artist = Artist { picture, colours: scene.colours, detail: scene.cell_px >= DETAIL };
        artist.board(scene.level);
        match scene.state {
            Some(state) => artist.position(scene, state),
            None => {
                // The editor marks cells that are no board, so that an empty one can be found.
                for (c, _) in scene.level.board.iter().filter(|(_, there)| !**there) {
                    artist.picture.circle(Point::middle(c), 0.06, scene.colours.line, Pen::NONE);
                }
                artist.draft(scene.level);
            }
        }
    }

    fn draw_ink(picture: &mut Picture, _: &Level, ink: Ink, colours: &Colours) {
        let mut artist = Artist { picture, colours, detail: true };
        artist.ink(ink);
    }

    fn spot_at(level: &Level, point: Point) -> Option<Spot> {
        hand::triangle_at(point).filter(|t| level.board.size().contains(t.cell)).map(Tri::spot)
    }

    fn spots(level: &Level) -> Vec<Spot> {
        level.board.size().cells().flat_map(triangles_of).map(Tri::spot).collect()
    }

    fn spot_area(_: &Level, spot: Spot) -> Area {
        let a = Area::of(spot.cell);
        match spot.part {
            Some(0) => Area::new(a.x, a.y, 0.5, 1.0),
            Some(1) => Area::new(a.x, a.y, 1.0, 0.5),
            Some(2) => Area::new(a.x + 0.5, a.y, 0.5, 1.0),
            Some(3) => Area::new(a.x, a.y + 0.5, 1.0, 0.5),
            _ => a,
        }
    }

    fn spot_outline(level: &Level, spot: Spot) -> Vec<Point> {
        match spot.part {
            Some(k @ 0..4) => corners(Tri { cell: spot.cell, k }).to_vec(),
            _ => Self::spot_area(level, spot).corners().to_vec(),
        }
    }

    fn describe(level: &Level, state: Option<&State>, spot: Spot) -> String {
        let side = match spot.part {
            Some(k) if k < 4 => ["left", "top", "right", "bottom"][k as usize],
            _ => "cell",
        };
        if level.board.get(spot.cell) != Some(&true) {
            return format!("{side}: no board");
        }
        let over = state.map_or_else(|| level.owners(), |s| rules::coverage(level, s));
        let owner = match spot.part {
            Some(k) if k < 4 => over[spot.cell][k as usize],
            _ => over[spot.cell].into_iter().flatten().next(),
        };
        owner.map_or_else(|| format!("{side}: empty"), |p| format!("{side}: {}", level.pieces[p].name()))
    }

    fn input(level: &Level, state: &State, ui: &mut Ui, input: &Input) -> Reaction<Move> {
        hand::input(level, state, ui, input)
    }

    fn motion_seconds(_: &Level, _: &State, _: &Move) -> f32 {
        0.2
    }

    fn hint(level: &Level, state: &State, moves: &[Move], stage: u8) -> Hint {
        let Some(mv) = moves.first() else { return Hint::default() };
        let Some(name) = level.pieces.get(mv.piece()).map(Piece::seen) else {
            return Hint::default();
        };
        let lies = state.placed().get(mv.piece()).copied().flatten();
        let lying = || lies.map(|p| rules::covered(level, mv.piece(), p)).unwrap_or_default();
        let spots = |on: Vec<Tri>| on.into_iter().map(Tri::spot).collect();
        match *mv {
            Move::Lift { .. } => {
                let text =
                    if stage == 0 { format!("{name} is in the way") } else { format!("put {name} back into the tray") };
                Hint { spots: spots(lying()), text }
            }
            Move::Place { .. } if stage == 0 => {
                let text =
                    if lies.is_some() { format!("{name} lies in the wrong place") } else { format!("place {name}") };
                Hint { spots: spots(lying()), text }
            }
            Move::Place { piece, placing } => {
                let covered = rules::covered(level, piece, placing);
                let text = format!("place {name} with its top left corner at {}", placing.at.name());
                Hint { spots: spots(covered), text }
            }
        }
    }

    fn draw_ahead(picture: &mut Picture, scene: &Scene<'_, Shards>, ahead: &Ahead<'_, Shards>) {
        let (Some(state), Some(mv)) = (scene.state, ahead.moves.first()) else { return };
        let mut artist = Artist { picture, colours: scene.colours, detail: scene.cell_px >= DETAIL };
        artist.outline(scene, state, mv.piece());
        if ahead.stage > 0 {
            artist.ahead(scene, state, mv);
        }
    }

    fn about_position(level: &Level, state: &State) -> Vec<String> {
        let placed = state.placed().iter().flatten().count();
        vec![format!("{placed} of {} pieces placed", level.pieces.len())]
    }
}

/// How a piece is drawn.
#[derive(Clone, Copy)]
struct Look {
    opacity: f32,
    /// A line around it.
    rim: Option<Pen>,
    shadow: bool,
}

const PLAIN: Look = Look { opacity: 1.0, rim: None, shadow: false };

struct Artist<'a> {
    picture: &'a mut Picture,
    colours: &'a Colours,
    detail: bool,
}

impl Artist<'_> {
    /// The empty board: cells, their diagonals, anchors, rim.
    fn board(&mut self, level: &Level) {
        let cells: Vec<Cell> = level.board.iter().filter(|(_, there)| **there).map(|(c, _)| c).collect();
        self.picture.body(&cells, (0.0, 0.0), -0.07, 0.16, self.colours.line);
        for &c in &cells {
            let [x, y] = [f32::from(c.x), f32::from(c.y)];
            for t in triangles_of(c) {
                // Two shades a cell make the triangles visible without a line.
                let fill = if t.k % 2 == 0 { self.colours.floor } else { self.colours.floor_alt };
                self.picture.polygon(corners(t), fill, Pen::NONE);
            }
            let pen = Pen::new(self.colours.line, 0.018);
            self.picture.line(vec![point(x, y), point(x + 1.0, y + 1.0)], pen);
            self.picture.line(vec![point(x + 1.0, y), point(x, y + 1.0)], pen);
            let pen = Pen::new(self.colours.line, 0.03);
            self.picture.line(vec![point(x, y), point(x + 1.0, y), point(x + 1.0, y + 1.0)], pen);
        }
        if self.detail {
            for &c in &cells {
                self.anchor(Point::middle(c), 0.05, 0.55);
            }
        }
        self.picture.body_outline(&cells, (0.0, 0.0), -0.035, Pen::new(self.colours.wall, 0.035));
    }

    fn anchor(&mut self, at: Point, radius: f32, opacity: f32) {
        self.picture.circle(at, radius, WHITE.faded(opacity), Pen::new(BLACK.faded(0.22 * opacity), radius * 0.35));
    }

    /// A piece's form with its origin at a point.
    fn piece(&mut self, form: &[Tri], colour: usize, origin: Point, scale: f32, look: Look) {
        let at = |p: Point| point(origin.x + p.x * scale, origin.y + p.y * scale);
        let base = self.colours.pieces[colour % 12].mix(WHITE, 0.08);
        let polygons = facets(form);
        if look.shadow {
            for polygon in &polygons {
                let points: Vec<Point> = polygon.iter().map(|p| at(*p).shift(0.05, 0.09)).collect();
                self.picture.polygon(points, Rgba::hex(0).faded(0.25), Pen::NONE);
            }
        }
        for (t, polygon) in form.iter().zip(&polygons) {
            let shade = match t.k {
                0 => base.mix(WHITE, 0.10),
                1 => base.mix(WHITE, 0.24),
                2 => base.mix(BLACK, 0.03),
                _ => base.mix(BLACK, 0.13),
            };
            let points: Vec<Point> = polygon.iter().map(|p| at(*p)).collect();
            self.picture.polygon(points, shade.faded(look.opacity), Pen::NONE);
        }
        if self.detail {
            let ink = if self.colours.pieces[colour % 12].is_dark() { WHITE } else { BLACK };
            let ink = ink.faded(0.34 * look.opacity);
            let mut mark = Picture::default();
            mark.pattern(colour, (0.0, 0.0), ink);
            for t in form {
                let heart = heart(*t);
                let by = 0.42 * scale;
                let place = |p: Point| at(heart).shift((p.x - 0.5) * by, (p.y - 0.5) * by);
                self.picture.figures.extend(mark.figures.iter().map(|f| scaled(f, by, place)));
            }
        }
        if let Some(pen) = look.rim {
            self.rim(form, &at, pen);
        }
        if self.detail {
            let cells: BTreeSet<Cell> = form.iter().map(|t| t.cell).collect();
            for c in cells {
                self.anchor(at(Point::middle(c)), 0.062 * scale, look.opacity);
            }
        }
    }

    /// A line along the free edges of a form.
    fn rim(&mut self, form: &[Tri], at: &dyn Fn(Point) -> Point, pen: Pen) {
        let own: BTreeSet<Tri> = form.iter().copied().collect();
        for t in form {
            let [middle, a, b] = corners(*t);
            let [next, previous, across] = t.neighbours();
            for (n, from, to) in [(across, a, b), (previous, middle, a), (next, middle, b)] {
                if !own.contains(&n) {
                    self.picture.line(vec![at(from), at(to)], pen);
                }
            }
        }
    }

    fn tray(&mut self, tray: &Tray) {
        let fill = self.colours.floor.mix(self.colours.back, 0.55);
        self.picture.rect(tray.area, 0.25, fill, Pen::new(self.colours.line, 0.03));
    }

    /// The draft: laid pieces on the board, all pieces in the tray, those that lie on the board faint.
    fn draft(&mut self, level: &Level) {
        for piece in level.pieces.iter().filter(|p| p.laid) {
            // Bounded by what a file may say; off the board is drawn too, so that it can be seen.
            self.piece(&piece.triangles, piece.colour(), point(0.0, 0.0), 1.0, PLAIN);
        }
        let tray = Tray::new(level);
        self.tray(&tray);
        for (i, piece) in level.pieces.iter().enumerate() {
            let form = level.form(i, Sym::IDENTITY);
            let look = Look { opacity: if piece.laid { 0.45 } else { 1.0 }, ..PLAIN };
            self.piece(&form, piece.colour(), tray.origin(i, &form), tray.scale, look);
        }
    }

    fn position(&mut self, scene: &Scene<'_, Shards>, state: &State) {
        let level = scene.level;
        let tray = Tray::new(level);
        self.tray(&tray);
        let hand = scene.ui.and_then(|ui| ui.hand.as_ref()).filter(|h| h.piece < level.pieces.len());
        let chosen = scene.ui.and_then(|ui| ui.chosen).filter(|c| c.piece < level.pieces.len());
        let motion = scene.motion.as_ref().filter(|m| m.mv.piece() < level.pieces.len());
        let state = motion.map_or(state, |m| m.from);
        let absent = |i: usize| hand.is_some_and(|h| h.piece == i) || motion.is_some_and(|m| m.mv.piece() == i);
        let in_tray = |ui: Option<&Ui>, i: usize| ui.map_or(Sym::IDENTITY, |ui| ui.sym(level, i));
        for (i, placed) in state.placed().iter().enumerate().take(level.pieces.len()) {
            let colour = level.pieces[i].colour();
            let lit = chosen.is_some_and(|c| c.piece == i);
            let rim = lit.then(|| Pen::new(self.colours.accent, 0.05));
            match placed {
                _ if absent(i) => self.slot(level, &tray, i),
                Some(p) => {
                    self.slot(level, &tray, i);
                    let (dx, dy) = scene.nudged(i);
                    let at = point(f32::from(p.at.x) + dx, f32::from(p.at.y) + dy);
                    self.piece(&level.form(i, p.sym), colour, at, 1.0, Look { rim, ..PLAIN });
                }
                None => {
                    let form = level.form(i, in_tray(scene.ui, i));
                    let hovered = hand.is_none() && scene.ui.is_some_and(|ui| ui.hover == Some(i));
                    let rim = rim.or(hovered.then(|| Pen::new(self.colours.ink.faded(0.6), 0.03)));
                    let (dx, dy) = scene.nudged(i);
                    let at = tray.origin(i, &form).shift(dx, dy);
                    self.piece(&form, colour, at, tray.scale, Look { rim, ..PLAIN });
                }
            }
        }
        if let Some(c) = chosen {
            self.ghost(level, state, c.piece, c.placing);
        }
        if let Some(m) = motion {
            let i = m.mv.piece();
            let at_rest = |placing: Option<Placing>, form: &[Tri]| match placing {
                Some(p) => (point(f32::from(p.at.x), f32::from(p.at.y)), 1.0),
                None => (tray.origin(i, form), tray.scale),
            };
            let before = m.from.placed().get(i).copied().flatten();
            let (after, sym) = match m.mv {
                Move::Place { placing, .. } => (Some(*placing), placing.sym),
                Move::Lift { .. } => (None, before.map_or(Sym::IDENTITY, |p| p.sym)),
            };
            let form = level.form(i, sym);
            let ((a, from), (b, to)) = (at_rest(before, &form), at_rest(after, &form));
            let t = m.t.clamp(0.0, 1.0);
            let ease = t * t * (3.0 - 2.0 * t);
            let look = Look { shadow: true, ..PLAIN };
            self.piece(&form, level.pieces[i].colour(), a.towards(b, ease), from + (to - from) * ease, look);
        }
        if let Some(h) = hand {
            if let Some(placing) = hand::snap(level, h) {
                self.ghost(level, state, h.piece, placing);
            }
            let origin = h.at.shift(-h.grab.x, -h.grab.y);
            let look = Look { shadow: true, opacity: 0.94, rim: None };
            self.piece(&level.form(h.piece, h.sym), level.pieces[h.piece].colour(), origin, 1.0, look);
        }
    }

    /// Where a piece lies now: the origin of its form, its scale, and the form. In the tray as the player has turned it.
    fn lies(scene: &Scene<'_, Shards>, state: &State, tray: &Tray, piece: usize) -> (Point, f32, Vec<Tri>) {
        match state.placed().get(piece).copied().flatten() {
            Some(p) => (point(f32::from(p.at.x), f32::from(p.at.y)), 1.0, scene.level.form(piece, p.sym)),
            None => {
                let form = scene.level.form(piece, scene.ui.map_or(Sym::IDENTITY, |ui| ui.sym(scene.level, piece)));
                (tray.origin(piece, &form), tray.scale, form)
            }
        }
    }

    /// A line around a piece where it lies.
    fn outline(&mut self, scene: &Scene<'_, Shards>, state: &State, piece: usize) {
        if piece >= scene.level.pieces.len() {
            return;
        }
        let (origin, scale, form) = Self::lies(scene, state, &Tray::new(scene.level), piece);
        let at = |p: Point| point(origin.x + p.x * scale, origin.y + p.y * scale);
        self.rim(&form, &at, Pen::new(self.colours.accent, 0.07));
    }

    /// A move that has not been made: the piece in its colours where it would lie, and an arrow from where it lies.
    fn ahead(&mut self, scene: &Scene<'_, Shards>, state: &State, mv: &Move) {
        let (level, piece) = (scene.level, mv.piece());
        if piece >= level.pieces.len() {
            return;
        }
        let tray = Tray::new(level);
        let (from, scale, form) = Self::lies(scene, state, &tray, piece);
        let middle = |origin: Point, scale: f32, form: &[Tri]| {
            let m = tray::bounds(form).middle();
            point(origin.x + m.x * scale, origin.y + m.y * scale)
        };
        let (to, to_scale, turned) = match mv {
            Move::Place { placing, .. } => {
                (point(f32::from(placing.at.x), f32::from(placing.at.y)), 1.0, level.form(piece, placing.sym))
            }
            Move::Lift { .. } => (tray.origin(piece, &form), tray.scale, form.clone()),
        };
        let look = Look { opacity: 0.6, rim: Some(Pen::new(self.colours.accent, 0.07)), shadow: false };
        self.piece(&turned, level.pieces[piece].colour(), to, to_scale, look);
        self.picture.move_arrow(&[middle(from, scale, &form), middle(to, to_scale, &turned)], self.colours);
    }

    /// The empty place of a piece.
    fn slot(&mut self, level: &Level, tray: &Tray, piece: usize) {
        let form = level.form(piece, Sym::IDENTITY);
        let origin = tray.origin(piece, &form);
        let at = |p: Point| point(origin.x + p.x * tray.scale, origin.y + p.y * tray.scale);
        self.rim(&form, &at, Pen::new(self.colours.ink_soft.faded(0.22), 0.02));
    }

    /// Where a piece would lie: its form, faint, in the colour of the answer.
    fn ghost(&mut self, level: &Level, state: &State, piece: usize, placing: Placing) {
        let good = rules::check(level, state, piece, placing).is_ok();
        let colour = if good { self.colours.accent } else { self.colours.bad };
        let origin = point(f32::from(placing.at.x), f32::from(placing.at.y));
        let look = Look { opacity: 0.4, rim: Some(Pen::new(colour, 0.06)), shadow: false };
        self.piece(&level.form(piece, placing.sym), level.pieces[piece].colour(), origin, 1.0, look);
    }

    fn ink(&mut self, ink: Ink) {
        let all = triangles_of(Cell::default());
        let floor = self.colours.floor;
        let line = Pen::new(self.colours.ink, 0.07);
        match ink.swatch {
            1 => self.piece(&all[..2], ink.colour, point(0.0, 0.0), 1.0, PLAIN),
            2 => self.piece(&all, ink.colour, point(0.0, 0.0), 1.0, PLAIN),
            3 | 4 => {
                self.picture.rect(Area::new(0.08, 0.08, 0.84, 0.84), 0.1, floor, Pen::new(self.colours.wall, 0.05));
                self.picture.line(vec![point(0.3, 0.5), point(0.7, 0.5)], line);
                if ink.swatch == 3 {
                    self.picture.line(vec![point(0.5, 0.3), point(0.5, 0.7)], line);
                }
            }
            5 => {
                self.piece(&[all[0], all[1], all[2]], 2, point(0.0, 0.0), 1.0, PLAIN);
                self.picture.arrow(point(0.5, 0.92), point(0.5, 0.5), line);
            }
            6 => {
                self.piece(&all[..1], 2, point(-0.04, 0.0), 1.0, PLAIN);
                self.piece(&all[2..3], 5, point(0.04, 0.0), 1.0, PLAIN);
                self.picture.line(vec![point(0.5, 0.08), point(0.5, 0.92)], line);
            }
            _ => {
                for t in all {
                    self.picture.polygon(corners(t), floor, Pen::new(self.colours.line, 0.03));
                }
                self.anchor(point(0.5, 0.5), 0.06, 0.7);
            }
        }
    }
}
