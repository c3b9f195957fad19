//! The board as a picture: floor, stones, shapes, cats, and what is under way.
//!
//! Layers from below: the plate and its checker, the cursor's light, all shadows, stones, shapes (those in hand last), the bars of tandems, cats,
//! padlocks, the cursor's frame. Joined cells are drawn as one [`Body`], so a full board of 64 x 64 stays within a few thousand figures, and what could not be
//! seen at a small scale is left out.

use super::{
    super::{Cats, Ground, Level, Shape, State, editor, rules},
    Ui,
    art::{BLACK, Body, Detail, Mood, WHITE, cat, padlock, place, relief, stone_marks},
};
use crate::{
    game::{Ink, Motion, Nudge, NudgeKind, Scene},
    grid::Cell,
    picture::{Area, Colours, Pen, Picture, Point, Rgba, point},
};

/// Below this many pixels a cell there are no patterns, edges and shadows.
const PLAIN_PX: f32 = 14.0;
/// From here on there are whiskers and marks on stones.
const FINE_PX: f32 = 22.0;
/// Boards with more cells than this are drawn with less: nobody looks at all of their edges.
const FINE_CELLS: usize = 1_600;
/// How far shapes stand back from the edges of their cells.
const INSET: f32 = 0.075;

/// A shape as it is drawn now.
struct Piece {
    shape: usize,
    /// Its shift from the draft, in cells.
    at: (f32, f32),
    /// 1 is there, 0 has left.
    presence: f32,
    body: Body,
}

pub(super) fn draw(picture: &mut Picture, scene: &Scene<'_, Cats>) {
    let pieces = pieces(scene);
    floor(picture, scene);
    if let Some(c) = cursor(scene) {
        picture.rect(Area::of(c).inset(0.03), 0.16, scene.colours.accent.faded(0.34), Pen::NONE);
    }
    let stones = stones(scene);
    if scene.cell_px >= PLAIN_PX {
        shadows(picture, scene, &stones, &pieces);
    }
    blockers(picture, scene, &stones);
    let in_hand = scene.ui.and_then(Ui::in_hand);
    let held = |p: &Piece| in_hand.is_some_and(|shape| scene.level.mover(p.shape) == scene.level.mover(shape));
    let (last, first): (Vec<_>, Vec<_>) = pieces.iter().partition(|p| held(p));
    for piece in first.into_iter().chain(last) {
        self::piece(picture, scene, piece, held(piece));
    }
    bars(picture, scene, &pieces);
    cats(picture, scene);
    for piece in &pieces {
        lock(picture, scene, piece);
    }
    stopped(picture, scene);
    if let Some(c) = cursor(scene) {
        let pen = Pen::new(scene.colours.accent, 0.06);
        picture.rect(Area::of(c).inset(0.05), 0.15, Rgba::CLEAR, pen);
    }
}

/// Whether small things are drawn.
fn fine(scene: &Scene<'_, Cats>) -> bool {
    scene.cell_px >= FINE_PX && scene.level.size().area() <= FINE_CELLS
}

fn body(scene: &Scene<'_, Cats>, cells: impl Iterator<Item = Cell>, has: impl Fn(Cell) -> bool) -> Body {
    let body = Body::new(cells, has);
    if fine(scene) { body } else { body.plain() }
}

fn cursor(scene: &Scene<'_, Cats>) -> Option<Cell> {
    scene.ui.and_then(Ui::shown_cursor).filter(|c| scene.level.size().contains(*c))
}

/// Where everything is: at its place, on its way, or on its way off the board.
fn pieces(scene: &Scene<'_, Cats>) -> Vec<Piece> {
    let shift_in = |state: Option<&State>, i: usize| match state {
        None => Some((0, 0)),
        Some(s) => s.shift.get(i).copied().flatten(),
    };
    let shapes = scene.level.shapes.iter().enumerate().filter_map(|(i, shape)| {
        let now = shift_in(scene.state, i);
        let mut presence = 1.0;
        let (mut x, mut y) = now.map_or((0.0, 0.0), |(x, y)| (f32::from(x), f32::from(y)));
        if let Some(motion) = &scene.motion {
            let moves = scene.level.mover(motion.mv.shape) == scene.level.mover(i);
            let before = shift_in(Some(motion.from), i);
            if now.is_none() {
                presence = 1.0 - motion.t;
                let (bx, by) = before?;
                let (dx, dy) = if moves { motion.mv.dir.delta() } else { (0, 0) };
                (x, y) = (f32::from(bx + dx), f32::from(by + dy));
            }
            // What follows the pointer, or settles where it was let go, is there already.
            if moves && !follows(scene, i) {
                let (dx, dy) = motion.mv.dir.delta();
                let back = 1.0 - slid(scene.level, motion);
                (x, y) = (x - f32::from(dx) * back, y - f32::from(dy) * back);
            }
        } else {
            now?;
        }
        let pulled = scene.ui.zip(scene.state).and_then(|(ui, state)| ui.pulled(scene.level, state, i));
        let (dx, dy) = pulled.unwrap_or_else(|| scene.nudged(scene.level.mover(i)));
        (x, y) = (x + dx, y + dy);
        let has = |c: Cell| shape.cells.binary_search_by_key(&(c.y, c.x), |c| (c.y, c.x)).is_ok();
        let body = body(scene, shape.cells.iter().copied(), has);
        Some(Piece { shape: i, at: (x, y), presence, body })
    });
    shapes.collect()
}

/// Whether a shape is held by the pointer or has just been let go.
fn follows(scene: &Scene<'_, Cats>, shape: usize) -> bool {
    let settles = |(n, _): (Nudge, f32)| n.piece == scene.level.mover(shape) && matches!(n.kind, NudgeKind::Settle(..));
    scene.ui.is_some_and(|ui| ui.drags(scene.level, shape)) || scene.nudge.is_some_and(settles)
}

/// How far the moving shape has come: a slide takes as long whether or not a cat then fades.
fn slid(level: &Level, motion: &Motion<'_, Cats>) -> f32 {
    let whole = super::motion_seconds(level, motion.from, *motion.mv);
    let t = (motion.t * whole / super::SLIDE_SECONDS).clamp(0.0, 1.0);
    1.0 - (1.0 - t).powi(2)
}

fn floor(picture: &mut Picture, scene: &Scene<'_, Cats>) {
    let (level, colours) = (scene.level, scene.colours);
    let is = |c: Cell| matches!(level.ground.get(c), Some(Ground::Floor | Ground::Blocker));
    let plate = body(scene, level.size().cells().filter(|c| is(*c)), is);
    if scene.cell_px >= PLAIN_PX {
        plate.fill(picture, (0.0, 0.06), -0.1, 0.28, colours.back.mix(BLACK, 0.3));
        plate.fill(picture, (0.0, 0.0), -0.1, 0.28, colours.line);
        plate.fill(picture, (0.0, 0.0), -0.02, 0.2, colours.floor);
        if scene.state.is_none() {
            // The editor marks cells that are no board, so that an empty one can be found.
            for c in level.size().cells().filter(|c| !is(*c)) {
                picture.circle(Point::middle(c), 0.06, colours.line, Pen::NONE);
            }
        }
        let odd = |c: &Cell| (c.x + c.y) % 2 != 0 && level.ground.get(*c) == Some(&Ground::Floor);
        let tile = colours.floor.mix(colours.floor_alt, 2.0);
        for c in level.size().cells().filter(odd) {
            picture.rect(Area::of(c).inset(0.02), 0.16, tile, Pen::NONE);
        }
        return;
    }
    plate.fill(picture, (0.0, 0.0), -0.06, 0.0, colours.floor);
    let size = level.size();
    let pen = Pen::new(colours.line, 0.07);
    // The lines between cells, each as long as the floor on both sides of it.
    for (across, along, flip) in [(size.h, size.w, false), (size.w, size.h, true)] {
        for a in 1..across as i16 {
            let mut start = None;
            for b in 0..=along as i16 {
                let c = if flip { Cell { x: a, y: b } } else { Cell { x: b, y: a } };
                let before = if flip { c.offset(-1, 0) } else { c.offset(0, -1) };
                let inner = is(c) && is(before);
                if inner && start.is_none() {
                    start = Some(b);
                } else if !inner && let Some(s) = start.take() {
                    let [a, s, b] = [a, s, b].map(f32::from);
                    let ends = if flip { [point(a, s), point(a, b)] } else { [point(s, a), point(b, a)] };
                    picture.line(ends, pen);
                }
            }
        }
    }
}

fn stones(scene: &Scene<'_, Cats>) -> Body {
    let level = scene.level;
    let is = |c: Cell| level.ground.get(c) == Some(&Ground::Blocker);
    body(scene, level.size().cells().filter(|c| is(*c)), is)
}

fn shadows(picture: &mut Picture, scene: &Scene<'_, Cats>, stones: &Body, pieces: &[Piece]) {
    let floor = scene.colours.floor;
    // Far off, the inner shadow alone does.
    let layers = [(0.05, 0.12), (0.01, 0.26)];
    for (grow, dark) in layers.into_iter().skip(usize::from(!fine(scene))) {
        let shade = floor.mix(BLACK, dark);
        stones.fill(picture, (0.0, 0.08), 0.05 - grow, 0.2, shade);
        for p in pieces.iter().filter(|p| p.presence >= 1.0) {
            p.body.fill(picture, (p.at.0, p.at.1 + 0.08), INSET - grow, 0.22, shade);
        }
    }
}

fn blockers(picture: &mut Picture, scene: &Scene<'_, Cats>, stones: &Body) {
    let colours = scene.colours;
    if scene.cell_px < PLAIN_PX {
        stones.fill(picture, (0.0, 0.0), 0.04, 0.0, colours.wall);
        return;
    }
    stones.fill(picture, (0.0, 0.045), 0.05, 0.16, colours.wall.mix(BLACK, 0.36));
    if fine(scene) {
        stones.fill(picture, (0.0, -0.035), 0.05, 0.16, colours.wall.mix(WHITE, 0.3));
    }
    stones.fill(picture, (0.0, 0.0), 0.05, 0.16, colours.wall);
    if fine(scene) {
        let bare = |c: &Cell| scene.level.ground.get(*c) == Some(&Ground::Blocker) && scene.level.cat_at(*c).is_none();
        for c in scene.level.size().cells().filter(bare) {
            stone_marks(picture, c, colours);
        }
    }
}

fn piece(picture: &mut Picture, scene: &Scene<'_, Cats>, piece: &Piece, in_hand: bool) {
    let (level, colours) = (scene.level, scene.colours);
    let Some(shape) = level.shapes.get(piece.shape) else { return };
    let mut face = colours.pieces[shape.colour.index()];
    let locked = waits_for(scene, piece.shape) > 0;
    if locked {
        face = face.mix(colours.floor, 0.42);
    }
    if piece.presence < 1.0 {
        // A body cannot be seen through, so one that leaves shrinks and takes on the colour of the floor.
        let left = 1.0 - piece.presence;
        piece.body.fill(picture, piece.at, INSET + left * (0.48 - INSET), 0.2, face.mix(colours.floor, left * left));
        return;
    }
    if scene.cell_px < PLAIN_PX {
        let ring = if in_hand { colours.accent } else { face.mix(BLACK, 0.35) };
        piece.body.fill(picture, piece.at, 0.02, 0.1, ring);
        piece.body.fill(picture, piece.at, 0.12, 0.1, face);
        return;
    }
    let hovered = scene.ui.is_some_and(|ui| ui.hovers(level, scene.state, piece.shape));
    if in_hand {
        piece.body.fill(picture, piece.at, -0.07, 0.32, colours.floor.mix(colours.accent, 0.4));
        piece.body.fill(picture, piece.at, -0.015, 0.28, colours.accent);
        face = face.mix(WHITE, 0.14);
    } else if hovered && !locked {
        face = face.mix(WHITE, 0.1);
    }
    relief(picture, &piece.body, piece.at, INSET, face);
    let ink = face.mix(colours.pieces[shape.colour.index()].mark(), 0.3);
    let padlock = lock_place(shape).filter(|_| own_lock(scene, shape) > 0);
    for c in shape.cells.iter().filter(|c| padlock.is_none_or(|at| at.distance(Point::middle(**c)) > 0.6)) {
        picture.pattern(shape.colour.index(), (f32::from(c.x) + piece.at.0, f32::from(c.y) + piece.at.1), ink);
    }
}

/// The bars of tandems, from each member to the nearest of those before it, middle of cell to middle of cell.
fn bars(picture: &mut Picture, scene: &Scene<'_, Cats>, pieces: &[Piece]) {
    let shapes = &scene.level.shapes;
    for (i, piece) in pieces.iter().enumerate() {
        let tandem = shapes[piece.shape].tandem;
        let before = pieces[..i].iter().filter(|p| tandem != 0 && shapes[p.shape].tandem == tandem);
        let cells = &shapes[piece.shape].cells;
        let ends = before.flat_map(|p| &shapes[p.shape].cells).flat_map(|b| cells.iter().map(|a| (*a, *b)));
        // Straight before slanting, where both are as near.
        let length = |(a, b): &(Cell, Cell)| (a.distance(*b), a.x.abs_diff(b.x).min(a.y.abs_diff(b.y)));
        let Some((a, b)) = ends.min_by_key(length).filter(|_| piece.presence >= 1.0) else { continue };
        let [a, b] = [a, b].map(|c| Point::middle(c).shift(piece.at.0, piece.at.1));
        bar(picture, scene.colours, a, b, scene.cell_px < PLAIN_PX);
    }
}

/// The bar between two members of a tandem.
fn bar(picture: &mut Picture, colours: &Colours, a: Point, b: Point, plain: bool) {
    let (edge, face) = (colours.wall.mix(BLACK, 0.65), colours.wall.mix(WHITE, 0.75));
    for (colour, width, knob) in [(edge, 0.22, 0.19), (face, 0.12, 0.13)] {
        picture.line([a, b], Pen::new(colour, width));
        for end in [a, b] {
            picture.circle(end, knob, colour, Pen::NONE);
        }
    }
    if !plain {
        for end in [a, b] {
            picture.circle(end, 0.045, edge, Pen::NONE);
        }
    }
}

/// What keeps a tandem from moving: the member that is stopped, and the cell that it cannot enter.
fn stopped(picture: &mut Picture, scene: &Scene<'_, Cats>) {
    let Some((member, at)) = scene.ui.and_then(Ui::stopped) else { return };
    let Some(state) = scene.state else { return };
    let pen = Pen::new(scene.colours.bad, 0.07);
    picture.rect(Area::of(at).inset(0.06), 0.18, Rgba::CLEAR, pen);
    let nearest = rules::cells(scene.level, state, member).min_by_key(|c| c.distance(at));
    if let Some(c) = nearest {
        picture.line([Point::middle(c), Point::middle(at)], pen);
        picture.circle(Point::middle(c), 0.1, scene.colours.bad, Pen::NONE);
    }
}

fn waits_for(scene: &Scene<'_, Cats>, shape: usize) -> u32 {
    super::waits_for(scene.level, scene.state, shape)
}

/// How many more cats its own lock waits for, that of what it is linked to aside.
fn own_lock(scene: &Scene<'_, Cats>, shape: &Shape) -> u32 {
    shape.lock.saturating_sub(scene.state.map_or(0, |s| s.gone.count_ones()))
}

/// Where the padlock sits: in the middle of the shape if there is room all around, else on the cell nearest to it.
fn lock_place(shape: &Shape) -> Option<Point> {
    let n = shape.cells.len().max(1) as f32;
    let sum = shape.cells.iter().fold(point(0.0, 0.0), |s, c| s.shift(f32::from(c.x), f32::from(c.y)));
    let middle = point(sum.x / n + 0.5, sum.y / n + 0.5);
    let corners = [(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)];
    if corners.iter().all(|(x, y)| shape.cells.contains(&middle.shift(*x, *y).cell())) {
        return Some(middle);
    }
    let distance = |c: &Point| c.distance(middle);
    shape.cells.iter().map(|c| Point::middle(*c)).min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

fn lock(picture: &mut Picture, scene: &Scene<'_, Cats>, piece: &Piece) {
    let Some(shape) = scene.level.shapes.get(piece.shape) else { return };
    let waits = own_lock(scene, shape);
    if waits == 0 || piece.presence < 1.0 {
        return;
    }
    if let Some(at) = lock_place(shape) {
        padlock(picture, at.shift(piece.at.0, piece.at.1), Some(waits));
    }
}

fn cats(picture: &mut Picture, scene: &Scene<'_, Cats>) {
    let detail = match scene.cell_px {
        px if px < PLAIN_PX => Detail::Least,
        px if px < FINE_PX => Detail::Some,
        _ => Detail::All,
    };
    for (k, c) in scene.level.cats.iter().enumerate() {
        let gone = scene.state.is_some_and(|s| rules::is_gone(s, k));
        let (mut opacity, mut scale, mut mood) = (1.0, 1.0, Mood::Awake);
        if gone {
            // It closes its eyes, curls up and fades.
            let Some(motion) = scene.motion.as_ref().filter(|m| !rules::is_gone(m.from, k)) else { continue };
            let t = motion.t.clamp(0.0, 1.0);
            (opacity, scale, mood) = ((1.6 - 1.6 * t).min(1.0), 1.0 + 0.1 * t, Mood::Curled(t));
        }
        let at = Point::middle(c.at);
        if scene.level.is_blocker_cat(c) {
            let at = at.shift(0.0, -0.03);
            cat(picture, at, 0.94 * scale, (c.colour.index(), scene.colours), opacity, (detail, mood));
        } else {
            let at = at.shift(0.0, 0.02);
            cat(picture, at, 1.1 * scale, (c.colour.index(), scene.colours), opacity, (detail, mood));
        }
    }
}

// ---------------------------------------------------------------------------------------------------------------------- palette

pub(super) fn draw_ink(picture: &mut Picture, ink: Ink, colours: &Colours) {
    use editor::Brush;
    let unit = Area::new(0.0, 0.0, 1.0, 1.0);
    let tile =
        |picture: &mut Picture| picture.rect(unit.inset(0.04), 0.18, colours.floor, Pen::new(colours.line, 0.04));
    let stone = |picture: &mut Picture| {
        let block = unit.inset(0.08);
        picture.rect(
            Area::new(block.x, block.y + 0.045, block.w, block.h),
            0.16,
            colours.wall.mix(BLACK, 0.36),
            Pen::NONE,
        );
        picture.rect(
            Area::new(block.x, block.y - 0.035, block.w, block.h),
            0.16,
            colours.wall.mix(WHITE, 0.3),
            Pen::NONE,
        );
        picture.rect(block, 0.16, colours.wall, Pen::NONE);
    };
    let colour = editor::colour_of(ink);
    match Brush::of(ink) {
        Brush::Floor => tile(picture),
        Brush::Void => {
            let pen = Pen::new(colours.ink_soft, 0.05);
            for i in 0..4 {
                // A dashed frame: nothing is here.
                let (a, b) = (0.1 + 0.22 * i as f32, 0.22 + 0.22 * i as f32);
                picture.line([point(a, 0.08), point(b, 0.08)], pen);
                picture.line([point(a, 0.92), point(b, 0.92)], pen);
                picture.line([point(0.08, a), point(0.08, b)], pen);
                picture.line([point(0.92, a), point(0.92, b)], pen);
            }
        }
        Brush::Blocker => {
            stone(picture);
            stone_marks(picture, Cell { x: 0, y: 0 }, colours);
        }
        Brush::Cat => {
            tile(picture);
            cat(picture, point(0.5, 0.52), 1.08, (colour.index(), colours), 1.0, (Detail::All, Mood::Awake));
        }
        Brush::BlockerCat => {
            stone(picture);
            cat(picture, point(0.5, 0.47), 0.94, (colour.index(), colours), 1.0, (Detail::All, Mood::Awake));
        }
        Brush::Stamp(form) => form_picture(picture, &form.turned(ink.sym), colour.index(), colours),
        Brush::Free => form_picture(picture, &[(0, 0), (0, 1), (1, 1), (1, 2), (2, 2)], colour.index(), colours),
        Brush::Lock => padlock(picture, point(0.5, 0.5), None),
        Brush::Link => {
            let mut part = Picture::default();
            let block = |x| Area::new(x, 0.0, 1.0, 1.0).inset(0.04);
            [0.0, 2.0].into_iter().for_each(|x| part.rect(block(x), 0.2, colours.ink_soft, Pen::NONE));
            bar(&mut part, colours, point(0.5, 0.5), point(2.5, 0.5), false);
            place(picture, part, 0.31, (0.035, 0.345));
        }
    }
}

/// A form in the unit square. Small forms are not blown up to the size of a cell, so that they can be told apart.
fn form_picture(picture: &mut Picture, cells: &[(i16, i16)], colour: usize, colours: &Colours) {
    let cells: Vec<_> = cells.iter().map(|(x, y)| Cell { x: *x, y: *y }).collect();
    let w = cells.iter().map(|c| c.x + 1).max().map_or(1.0, f32::from);
    let h = cells.iter().map(|c| c.y + 1).max().map_or(1.0, f32::from);
    let mut part = Picture::default();
    let face = colours.pieces[colour % 12];
    let body = Body::new(cells.iter().copied(), |c| cells.contains(&c));
    relief(&mut part, &body, (0.0, 0.0), 0.04, face);
    for c in &cells {
        part.pattern(colour, (f32::from(c.x), f32::from(c.y)), face.mix(face.mark(), 0.3));
    }
    let scale = 0.94 / w.max(h).max(1.8);
    place(picture, part, scale, (0.5 - w * scale / 2.0, 0.5 - h * scale / 2.0));
}
