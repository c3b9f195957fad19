//! Sbokena: Sokoban with buttons and doors, portals, one-way floors and one-way boxes.
//!
//! | room | holds |
//! |---|---|
//! | `level.rs` | the draft, its problems, its symmetries |
//! | `file.rs` | the draft in a native file |
//! | `rules.rs` | state, move, what is legal, what is won; pure, and asks nobody |
//! | `solver/` | searches for fewest pushes, fewest moves and any solution; drags and dead squares |
//! | `generator/` | random rooms, searched backwards from solved positions |
//! | `editor.rs` | tools, palette, links of doors and portals |
//! | `view.rs`, `art.rs` | the board as figures, and what a click or a drag means |
//! | `formats/` | XSB/SOK collections, `.sbk`, PuzzleScript, run lengths |

mod art;
mod editor;
mod file;
mod formats;
mod generator;
mod level;
mod rules;
mod solver;
mod view;

pub use file::{File, level_of};
pub use generator::{Element, elements, without};
pub use level::{LARGEST, Level, Object, Sbk, Tile};
pub use rules::{Placed, Reason, State, Step, Track, step};

use crate::{
    game::{BoardFault, Fault, Format, Game, Info, Problem, Refusal, Status},
    grid::{Cell, Dir, Size, Sym},
};

/// The game.
pub struct Sbokena;

impl Game for Sbokena {
    const INFO: Info = Info {
        id: "sbokena",
        name: "Sbokena",
        summary: "Push boxes onto all goals, past doors, portals and one-way floors.",
        rules: "Walk with the arrow keys and push boxes by walking into them; one at a time, and never pull. The level is won when every \
                goal holds a box.\n\n\
                A button opens its door while you or a box stand on it. A door with something in it stays open.\n\n\
                A portal is entered in the direction of its arrow. What goes in comes out of its partner, against the partner's arrow, \
                and may come out turned. Nothing rests in a portal.\n\n\
                A one-way floor is entered and left along its arrow only, unless a portal throws you there. A one-way box moves along its \
                arrow only, through portals too.",
        notation: "LURD: one letter a step (l, u, r, d), capitals for pushes: \"rrDDlU\"",
        counts: &["moves", "pushes"],
        par_goal: 0,
        verdict_goal: 0,
        levels: super::levels("sbokena"),
        keys: &[("Click", "walk there, or push the box beside you"), ("Drag a box", "push it where you let go")],
    };
    type Level = Level;
    type State = State;
    type Move = Dir;
    type File = File;

    fn size(level: &Level) -> Size {
        level.size()
    }
    fn problems(level: &Level) -> Vec<Problem> {
        level.problems()
    }
    fn arrange(level: &Level) -> Option<State> {
        rules::arrange(level)
    }
    fn legal_moves(level: &Level, state: &State) -> Vec<Dir> {
        rules::legal_moves(level, state)
    }
    fn play(level: &Level, state: &mut State, mv: &Dir) -> Result<(), Refusal> {
        if rules::status(level, state) == Status::Won {
            return Err(Refusal::new("over", "the level is won already"));
        }
        let done = step(level, state, *mv)?;
        rules::apply(state, &done);
        Ok(())
    }
    fn status(level: &Level, state: &State) -> Status {
        rules::status(level, state)
    }
    fn counts(level: &Level, from: &State, line: &[Dir]) -> Vec<u32> {
        let (moves, pushes) = rules::counts(level, from, line);
        vec![moves, pushes]
    }
    fn write_line(level: &Level, line: &[Dir]) -> String {
        rules::write_line(level, line)
    }
    fn read_line(_: &Level, text: &str) -> Result<Vec<Dir>, Fault> {
        rules::read_line(text)
    }
    fn write_move(_: &Level, mv: &Dir) -> String {
        mv.arrow().into()
    }
    fn piece(level: &Level, state: &State, mv: &Dir) -> (u32, String) {
        let pushed = step(level, state, *mv).ok().and_then(|s| s.pushed).and_then(|p| state.box_at(p.from));
        match pushed {
            Some(b) => (b.number, format!("{} {}", b.kind.name(), b.number)),
            None => (0, "player".into()),
        }
    }
    fn objects(level: &Level, state: &State) -> Vec<(String, Cell)> {
        let (dx, dy) = level.sbk.corner;
        let place = |c: Cell| Cell { x: c.x.saturating_add(dx), y: c.y.saturating_add(dy) };
        let player = (Object::Player.name().to_string(), place(state.player));
        let boxes = state.boxes().iter().map(|b| (b.kind.name().to_string(), place(b.at)));
        std::iter::once(player).chain(boxes).collect()
    }
    fn board_text(level: &Level, state: &State) -> String {
        rules::board_text(level, state)
    }
    fn symmetries() -> &'static [Sym] {
        &Sym::ALL
    }
    fn turned(level: &Level, sym: Sym) -> Option<Level> {
        Some(level.turned(sym))
    }
    fn to_file(level: &Level) -> File {
        file::to_file(level)
    }
    fn from_file(file: File) -> Result<Level, BoardFault> {
        file::from_file(file)
    }
    fn formats() -> Vec<Format<Sbokena>> {
        formats::formats()
    }
}
