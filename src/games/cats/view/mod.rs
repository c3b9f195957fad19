//! How the board looks and how pointer and keys become steps.
//!
//! | file | holds |
//! |---|---|
//! | `mod.rs` | words for what is seen, hints, and the doors of the contract |
//! | `ahead.rs` | a drag that has not been made |
//! | `hand.rs` | cursor, selection, dragging: input into steps |
//! | `draw.rs` | the board as a picture |
//! | `art.rs` | cats, stones, padlocks, bodies of joined cells |

mod ahead;
mod art;
mod draw;
mod hand;

pub use hand::Ui;

use super::{Cats, Ground, Level, State, Step, level::shape_letter, rules};
use crate::{
    game::{Ahead, Draft, Hint, Ink, Input, Reaction, Rules, Scene, Status, View},
    grid::{Cell, Spot},
    picture::{Area, Colours, Picture},
};

/// How long a shape slides from cell to cell.
const SLIDE_SECONDS: f32 = 0.12;
/// How long an eliminated cat fades.
const FADE_SECONDS: f32 = 0.3;

fn motion_seconds(level: &Level, from: &State, step: Step) -> f32 {
    let mut next = from.clone();
    let taken = Cats::play(level, &mut next, &step).is_ok() && next.gone != from.gone;
    if taken { FADE_SECONDS } else { SLIDE_SECONDS }
}

/// "1 more cat", "2 more cats".
fn more_cats(n: u32) -> String {
    if n == 1 { "1 more cat".into() } else { format!("{n} more cats") }
}

/// How many more cats a shape, or what it is linked to, waits for; in the editor, from none gone.
fn waits_for(level: &Level, state: Option<&State>, shape: usize) -> u32 {
    match state {
        Some(state) => rules::waits_for(level, state, shape),
        None => level.members(shape).filter_map(|m| level.shapes.get(m)).map(|s| s.lock).max().unwrap_or(0),
    }
}

fn shape_words(level: &Level, state: Option<&State>, shape: usize) -> String {
    let waits = waits_for(level, state, shape);
    let mut name = level.shape_name(shape);
    let others: Vec<_> = level.members(shape).filter(|m| *m != shape).map(|m| shape_letter(m).to_string()).collect();
    if !others.is_empty() {
        name += &format!(", linked to {}", others.join(" and "));
    }
    if waits > 0 { format!("{name}, locked: {}", more_cats(waits)) } else { name }
}

impl View for Cats {
    type Ui = Ui;

    /// The plate on which the board lies reaches a little beyond its cells.
    fn extent(level: &Level) -> Area {
        let size = Cats::size(level);
        Area::new(0.0, 0.0, f32::from(size.w), f32::from(size.h)).inset(-0.2)
    }

    fn draw(picture: &mut Picture, scene: &Scene<'_, Cats>) {
        draw::draw(picture, scene);
    }

    fn draw_ink(picture: &mut Picture, _: &Level, ink: Ink, colours: &Colours) {
        draw::draw_ink(picture, ink, colours);
    }

    fn describe(level: &Level, state: Option<&State>, spot: Spot) -> String {
        let at = spot.cell;
        let shape = match state {
            Some(state) => rules::shape_at(level, state, at),
            None => level.shape_at(at),
        };
        let cat = match state {
            Some(state) => rules::cat_at(level, state, at),
            None => level.cat_at(at),
        };
        let cat = cat.map(|k| {
            let kind = if level.is_blocker_cat(&level.cats[k]) { "cat on a blocker" } else { "cat" };
            format!("{} {kind}", level.cats[k].colour.name())
        });
        match (shape.map(|i| shape_words(level, state, i)), cat) {
            (Some(shape), Some(cat)) => format!("{shape}, over a {cat}"),
            (Some(words), None) | (None, Some(words)) => words,
            (None, None) => match level.ground.get(at) {
                Some(Ground::Floor) => "floor".into(),
                Some(Ground::Blocker) => "blocker".into(),
                Some(Ground::Void) | None => "void".into(),
            },
        }
    }

    fn input(level: &Level, state: &State, ui: &mut Ui, input: &Input) -> Reaction<Step> {
        hand::input(level, state, ui, input)
    }

    fn motion_seconds(level: &Level, from: &State, mv: &Step) -> f32 {
        motion_seconds(level, from, *mv)
    }

    fn gesture(level: &Level, _: &State, moves: &[Step]) -> usize {
        ahead::gesture(level, moves)
    }

    fn hint(level: &Level, state: &State, moves: &[Step], stage: u8) -> Hint {
        let Some(first) = moves.first() else { return Hint::default() };
        let cells: Vec<Cell> = rules::cells(level, state, first.shape).collect();
        let (Some(grip), Some(shape)) = (rules::grip(&cells), level.shapes.get(first.shape)) else {
            return Hint::default();
        };
        let linked = if level.members(first.shape).count() > 1 { "tandem with the " } else { "" };
        let piece = format!("the {linked}{} at {}", shape.name(), grip.name());
        if stage == 0 {
            let held = level.members(first.shape).flat_map(|m| rules::cells(level, state, m));
            return Hint { spots: held.map(Spot::from).collect(), text: format!("move {piece}") };
        }
        let way: Vec<String> = ahead::way(level, grip, moves).into_iter().map(Cell::name).collect();
        let text = match &way[1..] {
            [turns @ .., to] if !turns.is_empty() => format!("move {piece} to {to} via {}", turns.join(", ")),
            to => format!("move {piece} to {}", to.join("")),
        };
        Hint { spots: ahead::spots(level, state, moves), text }
    }

    fn draw_ahead(picture: &mut Picture, scene: &Scene<'_, Cats>, ahead: &Ahead<'_, Cats>) {
        ahead::draw(picture, scene, ahead);
    }

    fn about_position(level: &Level, state: &State) -> Vec<String> {
        let left = (rules::all_cats(level) & !state.gone).count_ones();
        vec![match (left, Cats::status(level, state)) {
            (_, Status::Won) => "all cats found".into(),
            (1, _) => "1 cat left".into(),
            (n, _) => format!("{n} cats left"),
        }]
    }
}

#[cfg(test)]
mod tests;
