//! A drag that has not been made: the shape as it would stand at the end, and an arrow along the whole way.

use super::super::{Cats, Level, State, Step, level::Shape, rules};
use crate::{
    game::{Ahead, Rules as _, Scene},
    grid::{Cell, Spot},
    picture::{Pen, Picture, Point},
};

/// How many of these steps are one drag: all that move the first one's shape or tandem.
pub(super) fn gesture(level: &Level, moves: &[Step]) -> usize {
    moves.iter().take_while(|m| level.mover(m.shape) == level.mover(moves[0].shape)).count()
}

/// The cells of the shapes that a drag moves, at its end, each with the number of its shape. A shape that leaves the board does so where it came last.
pub(super) fn ends(level: &Level, state: &State, moves: &[Step]) -> Vec<(usize, Vec<Cell>)> {
    let mut now = state.clone();
    let mut last: Vec<_> = state.shift.clone();
    for step in &moves[..gesture(level, moves)] {
        let before = now.clone();
        if Cats::play(level, &mut now, step).is_err() {
            break;
        }
        let (dx, dy) = step.dir.delta();
        for (i, shift) in last.iter_mut().enumerate() {
            // The shape that is dragged moves even with the step after which it is gone.
            let moved = now.shift[i].is_some() || level.mover(i) == level.mover(step.shape);
            *shift = match (before.shift[i], now.shift[i]) {
                (_, Some(to)) => Some(to),
                (Some((x, y)), None) if moved => Some((x + dx, y + dy)),
                _ => *shift,
            };
        }
    }
    let moved = (0..last.len()).filter(|i| last[*i] != state.shift[*i]);
    let cells = |(dx, dy): (i16, i16), shape: &Shape| shape.cells.iter().map(|c| c.offset(dx, dy)).collect();
    moved.filter_map(|i| Some((i, cells(last[i]?, level.shapes.get(i)?)))).collect()
}

pub(super) fn draw(picture: &mut Picture, scene: &Scene<'_, Cats>, ahead: &Ahead<'_, Cats>) {
    let moves = ahead.moves;
    let (Some(state), Some(first)) = (scene.state, moves.first()) else { return };
    let level = scene.level;
    let held: Vec<Cell> = rules::cells(level, state, first.shape).collect();
    let Some(grip) = rules::grip(&held) else { return };
    for member in level.members(first.shape) {
        let cells: Vec<Cell> = rules::cells(level, state, member).collect();
        picture.body_outline(&cells, (0.0, 0.0), 0.03, Pen::new(scene.colours.accent, 0.07));
    }
    if ahead.stage == 0 {
        return;
    }
    for (i, cells) in ends(level, state, moves) {
        let colour = level.shapes[i].colour.index();
        let face = scene.colours.pieces[colour];
        picture.body(&cells, (0.0, 0.0), 0.075, 0.2, face.faded(0.4));
        picture.body_outline(&cells, (0.0, 0.0), 0.075, Pen::new(scene.colours.accent, 0.06));
        for c in &cells {
            picture.pattern(colour, (f32::from(c.x), f32::from(c.y)), face.mark().faded(0.35));
        }
    }
    let points: Vec<Point> = way(level, grip, moves).into_iter().map(Point::middle).collect();
    picture.move_arrow(&points, scene.colours);
}

/// The way of a drag from a cell of its shape: where it begins, turns and ends.
pub(super) fn way(level: &Level, from: Cell, moves: &[Step]) -> Vec<Cell> {
    let mut way = vec![from];
    for (k, step) in moves[..gesture(level, moves)].iter().enumerate() {
        let next = way[way.len() - 1].step(step.dir);
        if k > 0 && moves[k - 1].dir == step.dir {
            way.pop();
        }
        way.push(next);
    }
    way
}

/// The spots of a drag's end.
pub(super) fn spots(level: &Level, state: &State, moves: &[Step]) -> Vec<Spot> {
    ends(level, state, moves).into_iter().flat_map(|(_, cells)| cells).map(Spot::from).collect()
}
