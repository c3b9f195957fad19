//! Lamps as circles; a click or Space puts one out.

use super::{Level, Null, State};
use crate::{
    game::{Draft, Hint, Ink, Input, Key, Reaction, Rules, Scene, View},
    grid::{Cell, Spot},
    picture::{Area, Colours, Pen, Picture, Point, point},
};

/// The keyboard cursor.
#[derive(Clone, Debug, Default)]
pub struct Ui {
    cursor: Option<Cell>,
}

impl View for Null {
    type Ui = Ui;

    fn draw(picture: &mut Picture, scene: &Scene<'_, Null>) {
        let lamps = scene.state.map_or(&scene.level.lamps, |s| &s.0);
        for (c, burns) in lamps.iter() {
            let floor = if (c.x + c.y) % 2 == 0 { scene.colours.floor } else { scene.colours.floor_alt };
            picture.rect(Area::of(c), 0.0, floor, Pen::NONE);
            if *burns {
                picture.circle(Point::middle(c), 0.3, scene.colours.warn, Pen::NONE);
            }
        }
        if let Some(c) = scene.ui.and_then(|ui| ui.cursor) {
            picture.rect(
                Area::of(c).inset(0.04),
                0.1,
                crate::picture::Rgba::CLEAR,
                Pen::new(scene.colours.accent, 0.06),
            );
        }
    }

    fn draw_ink(picture: &mut Picture, _: &Level, ink: Ink, colours: &Colours) {
        picture.rect(Area::new(0.0, 0.0, 1.0, 1.0), 0.1, colours.floor, Pen::NONE);
        if ink.swatch == 1 {
            picture.circle(point(0.5, 0.5), 0.3, colours.warn, Pen::NONE);
        }
    }

    fn describe(level: &Level, state: Option<&State>, spot: Spot) -> String {
        let lamps = state.map_or(&level.lamps, |s| &s.0);
        if lamps.get(spot.cell) == Some(&true) { "lamp".into() } else { "empty".into() }
    }

    fn input(level: &Level, state: &State, ui: &mut Ui, input: &Input) -> Reaction<Cell> {
        let touch = |at: Cell| match Null::play(level, &mut state.clone(), &at) {
            Ok(()) => Reaction::moves(vec![at]),
            Err(refusal) => Reaction::say(refusal.text),
        };
        match input {
            Input::Press(p) if Null::size(level).contains(p.cell()) => touch(p.cell()),
            Input::Key(Key::Dir(d)) => {
                let next = ui.cursor.map_or(Cell::default(), |c| c.step(*d));
                if Null::size(level).contains(next) {
                    ui.cursor = Some(next);
                }
                Reaction::used()
            }
            Input::Key(Key::Activate) => ui.cursor.map_or(Reaction::ignored(), touch),
            _ => Reaction::ignored(),
        }
    }

    fn hint(_: &Level, _: &State, moves: &[Cell], _: u8) -> Hint {
        Hint { spots: moves.iter().take(1).map(|c| (*c).into()).collect(), text: "touch this lamp".into() }
    }
}
