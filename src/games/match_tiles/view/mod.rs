//! How a board looks, and how pointer and keys become drags.

mod hand;
mod paint;

pub use hand::Ui;

use super::{
    Drag, Level, Match, State,
    board::{Board, bit, bits, cells, first},
    level::Tile,
    rules,
};
use crate::{
    game::{Ahead, Draft, Hint, Ink, Input, Reaction, Scene, Status, View},
    grid::Spot,
    picture::{Area, Colours, Picture},
};

impl View for Match {
    type Ui = Ui;

    fn extent(level: &Level) -> Area {
        let size = Match::size(level);
        Area::new(0.0, 0.0, f32::from(size.w), f32::from(size.h)).inset(-paint::MARGIN)
    }

    fn draw(picture: &mut Picture, scene: &Scene<'_, Match>) {
        paint::draw(picture, scene);
    }

    fn draw_ink(picture: &mut Picture, _: &Level, ink: Ink, colours: &Colours) {
        paint::draw_ink(picture, ink, colours);
    }

    fn describe(level: &Level, state: Option<&State>, spot: Spot) -> String {
        let standing = state.is_none_or(|s| s.stands(spot.cell));
        let Some(tile) = level.tile(spot.cell).filter(|_| standing) else { return "empty".into() };
        let stranded = |s: &State| Board::of(level).is_some_and(|b| b.stranded(s.alive) & bit(spot.cell) != 0);
        if state.is_some_and(stranded) { tile.name() + ", stranded" } else { tile.name() }
    }

    fn input(level: &Level, state: &State, ui: &mut Ui, input: &Input) -> Reaction<Drag> {
        Board::of(level).map_or_else(Reaction::ignored, |board| hand::input(&board, state, ui, input))
    }

    fn motion_seconds(_: &Level, _: &State, mv: &Drag) -> f32 {
        (0.25 + 0.07 * mv.0.len() as f32).min(1.6)
    }

    fn hint(level: &Level, state: &State, moves: &[Drag], stage: u8) -> Hint {
        let Some(mv) = moves.first() else { return Hint::default() };
        let (Some(board), Some(from)) = (Board::of(level), mv.0.first()) else { return Hint::default() };
        let Ok(gone) = rules::removed(&board, state.alive, &mv.0) else { return Hint::default() };
        let piece = format!("the {} at {}", board.tile(bit(*from)).name(), from.name());
        if stage == 0 {
            return Hint { spots: vec![(*from).into()], text: format!("drag {piece}: {} tiles go", gone.count_ones()) };
        }
        let text = format!("drag {piece} along {}", rules::write(mv));
        Hint { spots: mv.0.iter().map(|c| Spot::from(*c)).collect(), text }
    }

    fn draw_ahead(picture: &mut Picture, scene: &Scene<'_, Match>, ahead: &Ahead<'_, Match>) {
        paint::draw_ahead(picture, scene, ahead);
    }

    fn about_position(level: &Level, state: &State) -> Vec<String> {
        let Some(board) = Board::of(level) else { return Vec::new() };
        let left = match state.left() {
            1 => "1 tile left".to_string(),
            n => format!("{n} tiles left"),
        };
        match rules::status_of(&board, state.alive) {
            Status::Playing => vec![left],
            Status::Lost => {
                let lone = bits(board.stranded(state.alive));
                let names: Vec<_> = lone.map(|t| format!("{} at {}", name(&board, t), first(t).name())).collect();
                let verb = if names.len() == 1 { "matches" } else { "match" };
                vec![format!("stranded: {} {verb} nothing that is left", names.join(", ")), left]
            }
            _ => Vec::new(),
        }
    }
}

fn name(board: &Board, at: super::board::Mask) -> String {
    Tile::name(board.tile(at))
}
