//! Cats: slide coloured polyominoes over cats of their colour.
//!
//! | room | holds |
//! |---|---|
//! | `level.rs` | the draft, its problems, its file form, its symmetries |
//! | `rules.rs` | state, step, what is legal, what is won |
//! | `editor.rs` | palette and painting |
//! | `view/` | how it looks, how pointer and keys become steps |
//! | `formats.rs` | the JSON of the game that Cats came from |
//! | `shipped.rs` | tests of the levels in `levels/cats` |
//! | `solver/` | fewest steps and fewest drags, with proof |
//! | `scramble.rs`, `generator.rs` | the seed's reverse scramble, and its table as parameters |

mod editor;
mod formats;
mod generator;
pub mod level;
pub mod rules;
mod scramble;
#[cfg(test)]
mod shipped;
mod solver;
mod view;

pub use level::{Cat, Colour, File, Finished, Form, Ground, Level, Shape};
pub use rules::{State, Step};

use crate::{
    game::{BoardFault, Fault, Format, Game, Info, Param, Problem, Refusal, Status, Value, Values},
    grid::{Cell, Size, Sym},
};

/// The game.
pub struct Cats;

/// The name of the rule switch.
const FINISHED: &str = "finished_shapes";

impl Game for Cats {
    const INFO: Info = Info {
        id: "cats",
        name: "Cats",
        summary: "Slide shapes onto the cats of their colour.",
        rules: "Move a shape by one cell at a time: up, right, down or left. It cannot enter walls, blockers, other shapes or cats of \
                another colour.\n\n\
                A cat under a shape of its own colour is gone for good. A cat that sits on a blocker goes when a shape of its colour \
                stops beside it or passes it.\n\n\
                A shape with a number is locked until that many cats are gone.\n\n\
                The level is won when every cat is gone. Par is the fewest drags: moving one shape any distance is one drag.",
        notation: "drags as the shape's letter and its steps, separated by spaces: \"a:RRD b:U\"",
        counts: &["steps", "drags"],
        par_goal: 1,
        verdict_goal: 0,
        levels: super::levels("cats"),
        keys: &[("Arrows or WASD", "move the cursor or the selected shape"), ("Space", "select a shape or let go")],
    };
    type Level = Level;
    type State = State;
    type Move = Step;
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
    fn legal_moves(level: &Level, state: &State) -> Vec<Step> {
        rules::legal(level, state)
    }
    fn play(level: &Level, state: &mut State, mv: &Step) -> Result<(), Refusal> {
        rules::play(level, state, *mv)
    }
    fn status(level: &Level, state: &State) -> Status {
        rules::status(level, state)
    }
    fn counts(_: &Level, _: &State, line: &[Step]) -> Vec<u32> {
        vec![line.len() as u32, rules::drags(line)]
    }
    fn write_line(_: &Level, line: &[Step]) -> String {
        rules::write_line(line)
    }
    fn read_line(level: &Level, text: &str) -> Result<Vec<Step>, Fault> {
        rules::read_line(level, text)
    }
    fn write_move(_: &Level, mv: &Step) -> String {
        mv.dir.arrow().into()
    }
    fn piece(level: &Level, _: &State, mv: &Step) -> (u32, String) {
        let name = if mv.shape < level.shapes.len() { level.shape_name(mv.shape) } else { "no shape".into() };
        (mv.shape as u32, name)
    }
    fn objects(level: &Level, state: &State) -> Vec<(String, Cell)> {
        let shapes = (0..level.shapes.len())
            .filter_map(|i| Some((format!("shape {}", level::shape_letter(i)), rules::cells(level, state, i).next()?)));
        let cats = level.cats.iter().enumerate().filter(|(k, _)| !rules::is_gone(state, *k));
        let named = cats.map(|(_, c)| {
            let kind = if level.is_blocker_cat(c) { "blocker-cat" } else { "cat" };
            (format!("{} {kind}", c.colour.name()), c.at)
        });
        shapes.chain(named).collect()
    }
    fn board_text(level: &Level, state: &State) -> String {
        rules::board_text(level, state)
    }
    fn rules() -> Vec<Param> {
        let help = "Whether the shapes of a colour stay on the board or leave it when their last cat is gone.";
        vec![Param::choice(FINISHED, "Finished shapes", help, Finished::WORDS)]
    }
    fn rule_values(level: &Level) -> Values {
        Values::default().with(FINISHED, level.finished.word())
    }
    fn set_rule(level: &mut Level, name: &str, value: &Value) {
        if name == FINISHED {
            level.finished = if *value == Value::from("leave") { Finished::Leave } else { Finished::Stay };
        }
    }
    fn symmetries() -> &'static [Sym] {
        &Sym::ALL
    }
    fn turned(level: &Level, sym: Sym) -> Option<Level> {
        Some(level.turned(sym))
    }
    fn to_file(level: &Level) -> File {
        level::to_file(level)
    }
    fn from_file(file: File) -> Result<Level, BoardFault> {
        level::from_file(file)
    }
    fn formats() -> Vec<Format<Cats>> {
        formats::formats()
    }
}
