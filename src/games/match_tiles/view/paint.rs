//! Tiles with number and symbol, the trail of a drag, and everything lit around it.

use super::{
    super::{
        Match,
        board::{Board, Mask, bit, king},
        editor::Paint,
        level::{SIDES, Tile},
        rules,
    },
    hand::Hold,
};
use crate::{
    game::{Ahead, Draft, Ink, Motion, Scene, Status},
    grid::{Cell, Size},
    picture::{Area, Colours, Pen, Picture, Point, Rgba, point},
};

/// The room around the board, in cells: for its frame and for trails that go around outside.
pub(super) const MARGIN: f32 = 0.62;

/// How far outside the board such trails run.
const OUTSIDE: f32 = 0.38;

/// The places of our colours (orange, brown, green, blue, yellow) among the theme's.
const PIECES: [usize; SIDES] = [5, 8, 1, 2, 3];

const BLACK: Rgba = Rgba::hex(0x000000);
const WHITE: Rgba = Rgba::hex(0xffffff);

/// How a tile is shown.
#[derive(Clone, Copy)]
struct Look {
    /// 1 is as large as its cell allows.
    scale: f32,
    /// 1 is in full colour, 0 fades into the floor.
    strength: f32,
    /// A rim in this colour.
    rim: Option<Rgba>,
}

const PLAIN: Look = Look { scale: 1.0, strength: 1.0, rim: None };
/// One that does not match what is dragged: nothing happens to it.
const ASIDE: Look = Look { strength: 0.38, ..PLAIN };

/// Draws with the theme's colours, leaving out detail in small pictures.
struct Brush<'a> {
    picture: &'a mut Picture,
    colours: &'a Colours,
    cell_px: f32,
}

pub(super) fn draw(picture: &mut Picture, scene: &Scene<'_, Match>) {
    let size = Match::size(scene.level);
    let mut brush = Brush { picture, colours: scene.colours, cell_px: scene.cell_px };
    brush.board(size);
    let board = Board::of(scene.level);
    let (Some(board), Some(state)) = (board, scene.state) else {
        // A draft, perhaps one too large to be played.
        for c in size.cells() {
            if let Some(tile) = scene.level.tile(c) {
                brush.tile(tile, Point::middle(c), PLAIN);
            }
        }
        return;
    };
    let hold = scene.ui.and_then(|ui| ui.hold.as_ref()).filter(|h| h.fits(&board, state.alive));
    match (hold, &scene.motion) {
        (Some(hold), _) => brush.held(&board, state.alive, hold),
        (None, Some(motion)) => {
            let by_hand = scene.ui.is_some_and(|ui| ui.made.as_ref() == Some(&motion.mv.0));
            brush.moving(&board, motion, by_hand);
        }
        (None, None) => brush.resting(&board, state.alive, scene),
    }
    if let Some(c) = scene.ui.and_then(|ui| ui.cursor) {
        brush.cursor(size, c);
    }
}

pub(super) fn draw_ink(picture: &mut Picture, ink: Ink, colours: &Colours) {
    let mut brush = Brush { picture, colours, cell_px: 32.0 };
    let at = point(0.5, 0.5);
    brush.socket(Area::new(0.0, 0.0, 1.0, 1.0));
    match Paint::of(ink.swatch) {
        Paint::Empty => {}
        Paint::Colour(c) => {
            brush.body(at, brush.fill(c), PLAIN);
            let ink = contrast(brush.fill(c));
            brush.symbol(c, at, 0.24, ink);
        }
        Paint::Number(n) => {
            brush.picture.rect(
                Area::of(Cell::default()).inset(0.1),
                0.2,
                Rgba::CLEAR,
                Pen::new(colours.ink_soft, 0.05),
            );
            brush.picture.text(at, 0.62, n.to_string(), colours.ink);
        }
        Paint::Whole(tile) => brush.tile(tile, at, PLAIN),
    }
}

/// A drag that has not been made: its trail, with the order in which tiles are passed.
pub(super) fn draw_ahead(picture: &mut Picture, scene: &Scene<'_, Match>, ahead: &Ahead<'_, Match>) {
    let (Some(board), Some(state), Some(mv)) = (Board::of(scene.level), scene.state, ahead.moves.first()) else {
        return;
    };
    let path = &mv.0;
    let Some(from) = path.first() else { return };
    let mut brush = Brush { picture, colours: scene.colours, cell_px: scene.cell_px };
    brush.picture.rect(Area::of(*from).inset(0.04), 0.22, Rgba::CLEAR, Pen::new(scene.colours.accent, 0.08));
    if ahead.stage == 0 {
        return;
    }
    // The tiles on its way give up their faces to the trail and get them back over it, smaller: their digits can be read and the trail followed. Those
    // that stay step back, as they do while the tile is in hand.
    let passed = rules::passed(&board, state.alive, path);
    let look = |c: Cell| if bit(c) & (passed | bit(*from)) == 0 { ASIDE } else { PLAIN };
    let standing = |c: &&Cell| bit(**c) & state.alive != 0;
    for c in path.iter().filter(standing) {
        brush.body(Point::middle(*c), brush.fill(board.tile(bit(*c)).colour()), look(*c));
    }
    let glow = brush.fill(board.tile(bit(*from)).colour());
    brush.trail(&route(board.size, path), glow, 0.75);
    brush.tile(board.tile(bit(*from)), Point::middle(*from), Look { rim: Some(scene.colours.accent), ..PLAIN });
    let mut seen = bit(*from);
    let mut number = 0;
    for c in path.iter().filter(standing) {
        if bit(*c) & seen != 0 {
            continue;
        }
        seen |= bit(*c);
        brush.tile(board.tile(bit(*c)), Point::middle(*c), Look { scale: 0.7, ..look(*c) });
        if bit(*c) & passed == 0 {
            continue;
        }
        number += 1;
        let at = Point::middle(*c).shift(-0.36, -0.36);
        brush.picture.circle(at, 0.16, scene.colours.back, Pen::new(scene.colours.accent, 0.035));
        brush.picture.text(at, if number > 9 { 0.19 } else { 0.23 }, number.to_string(), scene.colours.ink);
    }
}

/// Dark or light ink, whichever is easier to read on a colour.
fn contrast(fill: Rgba) -> Rgba {
    let light = 0.299 * f32::from(fill.0) + 0.587 * f32::from(fill.1) + 0.114 * f32::from(fill.2);
    if light > 140.0 { Rgba::hex(0x2b2115) } else { Rgba::hex(0xfdfaf3) }
}

impl Brush<'_> {
    fn fill(&self, colour: usize) -> Rgba {
        self.colours.pieces[PIECES[colour % SIDES]]
    }

    fn board(&mut self, size: Size) {
        let all = Area::new(0.0, 0.0, f32::from(size.w), f32::from(size.h));
        self.picture.rect(all.inset(-0.12), 0.3, self.colours.floor, Pen::new(self.colours.line, 0.04));
        for c in size.cells() {
            self.socket(Area::of(c));
        }
    }

    fn socket(&mut self, area: Area) {
        let dark = self.colours.floor.mix(self.colours.line, 0.55);
        self.picture.rect(area.inset(0.07), 0.2, dark, Pen::NONE);
    }

    /// The bare body of a tile.
    fn body(&mut self, at: Point, fill: Rgba, look: Look) {
        let side = 0.86 * look.scale;
        let area = Area::new(at.x - side / 2.0, at.y - side / 2.0, side, side);
        let (round, s) = (0.2 * look.scale, look.strength);
        let back = self.colours.floor.mix(self.colours.line, 0.55);
        let shade = |c: Rgba| back.mix(c, s);
        if self.cell_px >= 14.0 {
            // A darker foot below and a lighter brow above make it a thing one can take hold of.
            self.picture.rect(area, round, shade(fill.mix(BLACK, 0.38)), Pen::NONE);
            let face = Area { h: area.h - 0.07 * look.scale, ..area };
            self.picture.rect(face, round, shade(fill.mix(WHITE, 0.28)), Pen::NONE);
            let face = Area { y: face.y + 0.035 * look.scale, h: face.h - 0.035 * look.scale, ..face };
            self.picture.rect(face, round, shade(fill), Pen::NONE);
        } else {
            self.picture.rect(area, round, shade(fill), Pen::NONE);
        }
        if let Some(rim) = look.rim {
            self.picture.rect(area.inset(-0.02), round + 0.02, Rgba::CLEAR, Pen::new(rim, 0.055));
        }
    }

    fn tile(&mut self, tile: Tile, at: Point, look: Look) {
        if look.scale < 0.02 {
            return;
        }
        let fill = self.fill(tile.colour());
        self.body(at, fill, look);
        let ink = self.colours.floor.mix(contrast(fill), look.strength);
        let s = look.scale;
        if self.cell_px >= 14.0 {
            self.picture.text(at.shift(-0.08 * s, -0.02 * s), 0.56 * s, tile.number().to_string(), ink);
            self.symbol(tile.colour(), at.shift(0.25 * s, 0.19 * s), 0.1 * s, ink.faded(0.9));
        } else {
            self.picture.text(at, 0.66 * s, tile.number().to_string(), ink);
        }
    }

    /// The symbol of a colour: disc, square, triangle, diamond, star.
    fn symbol(&mut self, colour: usize, at: Point, r: f32, ink: Rgba) {
        let p = |x: f32, y: f32| at.shift(x * r, y * r);
        match colour {
            0 => self.picture.circle(at, r, ink, Pen::NONE),
            1 => {
                let side = 1.72 * r;
                self.picture.rect(Area::new(at.x - side / 2.0, at.y - side / 2.0, side, side), 0.1 * r, ink, Pen::NONE);
            }
            2 => self.picture.polygon(vec![p(0.0, -1.1), p(1.15, 0.88), p(-1.15, 0.88)], ink, Pen::NONE),
            3 => self.picture.polygon(vec![p(0.0, -1.3), p(1.0, 0.0), p(0.0, 1.3), p(-1.0, 0.0)], ink, Pen::NONE),
            _ => {
                // Two triangles; opaque, since they overlap.
                let ink = Rgba(ink.0, ink.1, ink.2, 255);
                self.picture.polygon(vec![p(0.0, -1.25), p(1.08, 0.62), p(-1.08, 0.62)], ink, Pen::NONE);
                self.picture.polygon(vec![p(0.0, 1.25), p(-1.08, -0.62), p(1.08, -0.62)], ink, Pen::NONE);
            }
        }
    }

    /// The tiles of a set, each with its look.
    fn tiles(&mut self, board: &Board, set: Mask, look: impl Fn(Mask) -> Look) {
        for c in super::cells(set) {
            self.tile(board.tile(bit(c)), Point::middle(c), look(bit(c)));
        }
    }

    /// Nobody drags: all tiles, the stranded ones marked once the game is lost.
    fn resting(&mut self, board: &Board, alive: Mask, scene: &Scene<'_, Match>) {
        let hover = scene.ui.and_then(|ui| ui.hover).filter(|c| board.size.contains(*c)).map_or(0, bit);
        let lost = rules::status_of(board, alive) == Status::Lost;
        let stranded = board.stranded(alive);
        let (bad, accent) = (self.colours.bad, self.colours.accent);
        for c in super::cells(alive) {
            let t = bit(c);
            let look = match (lost, stranded & t != 0) {
                (true, true) => Look { rim: Some(bad), ..PLAIN },
                (true, false) => Look { strength: 0.5, ..PLAIN },
                _ if hover == t => Look { rim: Some(accent.faded(0.6)), ..PLAIN },
                _ => PLAIN,
            };
            let (dx, dy) = scene.nudged(board.size.index(c));
            self.tile(board.tile(t), Point::middle(c).shift(dx, dy), look);
        }
        if lost {
            for c in super::cells(stranded) {
                self.badge(Point::middle(c).shift(0.36, -0.36));
            }
        }
    }

    /// A cross on a disc: this tile is stranded.
    fn badge(&mut self, at: Point) {
        self.picture.circle(at, 0.15, self.colours.bad, Pen::new(self.colours.back, 0.03));
        let pen = Pen::new(WHITE, 0.045);
        self.picture.line(vec![at.shift(-0.06, -0.06), at.shift(0.06, 0.06)], pen);
        self.picture.line(vec![at.shift(-0.06, 0.06), at.shift(0.06, -0.06)], pen);
    }

    /// A tile is in hand: its matches are lit, the others step back, what it passed is all but gone.
    fn held(&mut self, board: &Board, alive: Mask, hold: &Hold) {
        let tile = bit(hold.path[0]);
        let (matches, passed) = (board.matches(alive, tile), hold.passed(board, alive));
        let glow = self.fill(board.tile(tile).colour());
        let accent = self.colours.accent;
        self.home(hold.path[0]);
        self.tiles(board, alive & !tile & !passed, |t| match matches & t != 0 {
            true => Look { rim: Some(accent), ..PLAIN },
            false => ASIDE,
        });
        self.tiles(board, passed, |_| Look { scale: 0.42, strength: 0.75, rim: None });
        let mut points = route(board.size, &hold.path);
        points.push(hold.at);
        self.trail(&points, glow, 1.0);
        self.tile(
            board.tile(tile),
            hold.at,
            Look { scale: in_hand(board.size, hold.at), rim: Some(WHITE.faded(0.85)), ..PLAIN },
        );
    }

    /// Where the dragged tile came from.
    fn home(&mut self, c: Cell) {
        let pen = Pen::new(self.colours.accent.faded(0.7), 0.04);
        self.picture.rect(Area::of(c).inset(0.1), 0.18, Rgba::CLEAR, pen);
    }

    /// A drag on its way: the tile runs along its path, and what it passes shrinks away.
    fn moving(&mut self, board: &Board, motion: &Motion<'_, Match>, by_hand: bool) {
        let (alive, path) = (motion.from.alive, &motion.mv.0);
        let Some(&from) = path.first() else { return };
        let (tile, glow) = (bit(from), self.fill(board.tile(bit(from)).colour()));
        let passed = rules::passed(board, alive, path);
        self.tiles(board, alive & !tile & !passed, |_| PLAIN);
        let points = route(board.size, path);
        // A path drawn by hand has been seen: only its end is shown, and quickly.
        let (run, end) = if by_hand {
            (1.0, (motion.t * 5.0).min(1.0))
        } else {
            ((motion.t / 0.86).min(1.0), ((motion.t - 0.86) / 0.14).clamp(0.0, 1.0))
        };
        if !by_hand {
            self.home(from);
        }
        let (done, at) = along(&points, run);
        let gone = |c: Cell| done.iter().position(|p| *p == Point::middle(c));
        for c in super::cells(passed) {
            let scale = match gone(c) {
                None => 1.0,
                Some(_) if by_hand => 0.42 * (1.0 - end),
                // It shrinks while the tile runs on through the next cell or two.
                Some(_) => (1.0 - Point::middle(c).distance(at) / 1.2).clamp(0.0, 0.8) * (1.0 - end),
            };
            self.tile(board.tile(bit(c)), Point::middle(c), Look { scale, ..PLAIN });
        }
        let mut trail = done;
        trail.push(at);
        self.trail(&trail, glow, 1.0 - end);
        self.tile(board.tile(tile), at, Look { scale: in_hand(board.size, at) * (1.0 - end), ..PLAIN });
    }

    /// A glowing line through points: soft and wide below, bright and narrow above.
    fn trail(&mut self, points: &[Point], glow: Rgba, strength: f32) {
        if points.len() < 2 || strength <= 0.0 {
            return;
        }
        let smooth = rounded(points);
        let layers = [(0.46, glow, 0.16), (0.3, glow, 0.3), (0.17, glow.mix(WHITE, 0.25), 0.85), (0.06, WHITE, 0.75)];
        for (width, colour, opacity) in layers {
            let colour = colour.faded(opacity * strength);
            self.picture.line(smooth.clone(), Pen::new(colour, width));
        }
        if let [first, ..] = points {
            self.picture.circle(*first, 0.12, glow.mix(WHITE, 0.25).faded(0.85 * strength), Pen::NONE);
        }
    }

    fn cursor(&mut self, size: Size, c: Cell) {
        let pen = Pen::new(self.colours.accent, 0.06);
        if size.contains(c) {
            self.picture.rect(Area::of(c).inset(0.02), 0.24, Rgba::CLEAR, pen);
        } else {
            self.picture.circle(outside(size, Point::middle(c)), 0.1, self.colours.accent, Pen::NONE);
        }
    }
}

/// The nearest point on the line that trails follow around the board.
fn outside(size: Size, p: Point) -> Point {
    let (w, h) = (f32::from(size.w) + OUTSIDE, f32::from(size.h) + OUTSIDE);
    let (left, right, up, down) = (p.x + OUTSIDE, w - p.x, p.y + OUTSIDE, h - p.y);
    let least = left.min(right).min(up).min(down);
    let (x, y) = (p.x.clamp(-OUTSIDE, w), p.y.clamp(-OUTSIDE, h));
    match least {
        d if d == left => point(-OUTSIDE, y),
        d if d == right => point(w, y),
        d if d == up => point(x, -OUTSIDE),
        _ => point(x, h),
    }
}

/// A path as a line to draw: from middle to middle, and around the board where the pointer was outside.
fn route(size: Size, path: &[Cell]) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::with_capacity(path.len() + 1);
    for (i, c) in path.iter().enumerate() {
        if i > 0 && king(path[i - 1], *c) > 1 {
            points.extend(around(size, Point::middle(path[i - 1]), Point::middle(*c)));
        }
        points.push(Point::middle(*c));
    }
    points
}

/// The shorter way around the board between two places on its rim.
fn around(size: Size, from: Point, to: Point) -> Vec<Point> {
    let (w, h) = (f32::from(size.w) + 2.0 * OUTSIDE, f32::from(size.h) + 2.0 * OUTSIDE);
    let round = 2.0 * (w + h);
    // Places along the line around the board, clockwise from its top left corner.
    let place = |p: Point| match outside(size, p) {
        q if q.y == -OUTSIDE => q.x + OUTSIDE,
        q if q.x == f32::from(size.w) + OUTSIDE => w + q.y + OUTSIDE,
        q if q.y == f32::from(size.h) + OUTSIDE => w + h + (w - q.x - OUTSIDE),
        q => 2.0 * w + h + (h - q.y - OUTSIDE),
    };
    let (a, b) = (place(from), place(to));
    let clockwise = (b - a).rem_euclid(round);
    let forward = clockwise <= round / 2.0;
    let length = if forward { clockwise } else { round - clockwise };
    // The corners on the way, in the order they are met.
    let corners = [0.0, w, w + h, 2.0 * w + h].into_iter().zip([
        point(-OUTSIDE, -OUTSIDE),
        point(w - OUTSIDE, -OUTSIDE),
        point(w - OUTSIDE, h - OUTSIDE),
        point(-OUTSIDE, h - OUTSIDE),
    ]);
    let mut met: Vec<(f32, Point)> = corners
        .map(|(s, p)| (if forward { s - a } else { a - s }.rem_euclid(round), p))
        .filter(|(s, _)| *s > 0.0 && *s < length)
        .collect();
    met.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut points = vec![outside(size, from)];
    points.extend(met.into_iter().map(|(_, p)| p));
    points.push(outside(size, to));
    points
}

/// The same line with its corners rounded, so that sharp turns have no spikes.
fn rounded(points: &[Point]) -> Vec<Point> {
    let mut smooth = Vec::with_capacity(points.len() * 5);
    smooth.extend(points.first());
    for w in points.windows(3) {
        let near = |to: Point| w[1].towards(to, (0.3 / w[1].distance(to).max(1e-3)).min(0.5));
        let (a, b) = (near(w[0]), near(w[2]));
        for t in [0.0, 0.25, 0.5, 0.75, 1.0] {
            smooth.push(a.towards(w[1], t).towards(w[1].towards(b, t), t));
        }
    }
    smooth.extend(points.last());
    smooth
}

/// How large a tile in hand is: small where it goes around outside.
fn in_hand(size: Size, at: Point) -> f32 {
    let board = Area::new(0.0, 0.0, f32::from(size.w), f32::from(size.h));
    if board.contains(at) { 1.08 } else { 0.55 }
}

/// The points of a line that lie behind a part (0 to 1) of its length, and the place reached.
fn along(points: &[Point], part: f32) -> (Vec<Point>, Point) {
    let length: f32 = points.windows(2).map(|w| w[0].distance(w[1])).sum();
    let mut left = length * part.clamp(0.0, 1.0);
    let mut done = Vec::new();
    for w in points.windows(2) {
        done.push(w[0]);
        let step = w[0].distance(w[1]);
        if left < step {
            return (done, w[0].towards(w[1], left / step));
        }
        left -= step;
    }
    let last = points.last().copied().unwrap_or_default();
    done.push(last);
    (done, last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::Rules as _,
        games::match_tiles::{level::from_rows, rules::Drag},
        grid::cell,
        picture::Figure,
    };

    #[test]
    fn trails_outside_go_the_shorter_way_around() {
        let size = Size::new(5, 5);
        let points = around(size, Point::middle(cell(0, 2)), Point::middle(cell(2, 0)));
        assert_eq!(points.len(), 3);
        assert_eq!(points[1], point(-OUTSIDE, -OUTSIDE));
        let across = around(size, Point::middle(cell(0, 2)), Point::middle(cell(4, 3)));
        assert_eq!(across.len(), 4, "two corners");
        assert!(across.iter().all(|p| !Area::new(0.0, 0.0, 5.0, 5.0).contains(*p)));
        assert_eq!(around(size, Point::middle(cell(0, 1)), Point::middle(cell(0, 3))).len(), 2);
    }

    #[test]
    fn a_tile_that_a_drag_passes_without_a_match_steps_back_in_a_hint() {
        let level = from_rows(&["o1 b2 o3".to_string()]).unwrap();
        let (state, colours) = (Match::arrange(&level).unwrap(), Colours::dark());
        let scene = Scene {
            level: &level,
            state: Some(&state),
            ui: None,
            motion: None,
            nudge: None,
            colours: &colours,
            cell_px: 40.0,
        };
        let moves = [Drag((0..3).map(|x| cell(x, 0)).collect())];
        let mut picture = Picture::default();
        draw_ahead(&mut picture, &scene, &Ahead { moves: &moves, after: None, stage: 1 });
        let (floor, board) = (colours.floor.mix(colours.line, 0.55), Board::of(&level).unwrap());
        let full = |x: i16| colours.pieces[PIECES[board.tile(bit(cell(x, 0))).colour()]];
        let drawn =
            |colour: Rgba| picture.figures.iter().any(|f| matches!(f, Figure::Rect { fill, .. } if *fill == colour));
        assert!(drawn(full(2)), "the last one goes");
        assert!(drawn(floor.mix(full(1), ASIDE.strength)) && !drawn(full(1)), "the one between them stays");
    }

    #[test]
    fn a_line_is_followed_from_its_beginning_to_its_end() {
        let line = [point(0.0, 0.0), point(2.0, 0.0), point(2.0, 2.0)];
        assert_eq!(along(&line, 0.0), (vec![line[0]], line[0]));
        assert_eq!(along(&line, 0.75), (line[..2].to_vec(), point(2.0, 1.0)));
        assert_eq!(along(&line, 1.0), (line.to_vec(), line[2]));
        assert_eq!(along(&line[..1], 0.5), (vec![line[0]], line[0]));
    }
}
