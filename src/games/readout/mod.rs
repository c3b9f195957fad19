//! Readout: put the digits in order while an opponent blocks.
//!
//! The rules are settled in `rules.rs` from the sheet "Tile Readout". Read literally that sheet is no game: the start is the target, so it would be
//! won at move 0; an obstacle in the only empty cell freezes the board for ever; an opponent that may slide undoes every move. Its
//! sentences are kept where they can be kept. Each sentence of its Rules, End Conditions and Acceptance is a named test in `tests/readout.rs`;
//! these are the ones that the settled rules change, and why:
//!
//! | the sheet | here | because |
//! |---|---|---|
//! | the starting layout is the row-major target | a level stores its layout; the target is kept as a practice board, and a win is looked for only after a slide | it would be over before it began |
//! | the AI inserts into "a spot" | on a tile beside a gap (`Pin`), or into a gap (`Fill`), with life, budget and cooldown | filling the one gap for ever ends the game; that reading is the preset `literal` |
//! | "AI can win in 1 move … MUST execute a winning move" | its only win is the player's last turn passing: it stops the winning slide there | the AI makes no slides and has no line of its own |
//! | "If move_count exceeds 60" | the 60th turn is the last | one number, read by players as "60 moves" |
//! | "both players pass consecutively" | a pass is made for who has nothing legal to do, never chosen | else a losing player would pass for a draw |
//! | "Mechanics.validate and capture apply" | nothing is captured: "No capture occurs" says the sheet itself | |
//! | Max Time Seconds: 30 | `turn_clock`, off by default; an expired turn is a pass | a clock is no part of a puzzle one thinks about |
//! | restart only when the game is over | at any time, by the window | |
//! | R1 and the first Acceptance ("Initial state description …") | they are templates without content; every action's input, output and refusals are tested | |
//!
//! | room | holds |
//! |---|---|
//! | `level.rs` | the draft, its rule switches, its problems, its file form, its mirror image |
//! | `field.rs` | the board as searches see it |
//! | `reach.rs` | what can never be put in order, said at once |
//! | `rules.rs` | turns, obstacles, passes, endings, notation |
//! | `opponent.rs` | Easy, Medium, Hard; the model player |
//! | `solver/` | fewest slides, and winning a duel |
//! | `generator.rs` `editor.rs` `view.rs` | as in every game |

mod editor;
mod field;
mod generator;
mod level;
mod opponent;
mod reach;
mod rules;
mod solver;
mod view;

pub use level::{Budget, File, Kind, Level, Opponent, Rules, Square};
pub use rules::{Ending, Move, Obstacle, Side, State};
pub use view::Ui;

use crate::{
    game::{BoardFault, Fault, Game, Info, Param, Problem, Refusal, SimulatedGame, Status, Value, Values},
    grid::{Cell, Size, Sym},
    job::{Limits, Probe},
};

/// The game.
pub struct Readout;

impl Game for Readout {
    const INFO: Info = Info {
        id: "readout",
        name: "Readout",
        summary: "Put the digits in order while an opponent blocks you.",
        rules: "Slide a digit tile into a neighbouring gap. You win when the digits stand in order, row by row, with the gap at the \
                bottom right, right after a slide of yours.\n\n\
                After each of your turns the opponent may put down an obstacle or wait. A pin holds a tile beside a gap; a fill closes a \
                gap. Obstacles leave after some of your turns. The opponent has only so many of them, and must let turns pass \
                between two.\n\n\
                With no slide to make you pass without being asked; that is a turn too. If the digits are not in order after the last \
                turn you have lost; two passes in a row are a draw. The fewer turns, the more points.",
        notation: "the tile and where it goes, U R D or L, separated by spaces; @none @easy @medium @hard changes the opponent: \
                   \"12R 7U @hard 8L\"",
        counts: &["slides"],
        par_goal: 0,
        verdict_goal: 0,
        levels: super::levels("readout"),
        keys: &[
            ("Arrows", "slide a tile that way into the gap"),
            ("Tab", "choose among the tiles that can slide"),
            ("Space", "slide the chosen tile"),
        ],
    };
    type Level = Level;
    type State = State;
    type Move = Move;
    type File = File;

    fn size(level: &Level) -> Size {
        level.squares.size()
    }
    fn problems(level: &Level) -> Vec<Problem> {
        level.problems()
    }
    fn arrange(level: &Level) -> Option<State> {
        rules::arrange(level)
    }
    fn legal_moves(level: &Level, state: &State) -> Vec<Move> {
        rules::legal_moves(level, state)
    }
    fn play(level: &Level, state: &mut State, mv: &Move) -> Result<(), Refusal> {
        rules::play(level, state, mv)
    }
    fn status(_: &Level, state: &State) -> Status {
        rules::status(state)
    }
    fn counts(_: &Level, _: &State, line: &[Move]) -> Vec<u32> {
        vec![line.iter().filter(|m| matches!(m, Move::Slide { .. })).count() as u32]
    }
    fn points(level: &Level, state: &State) -> Option<u32> {
        let limit = u32::from(level.rules.move_limit?);
        (state.ending == Some(Ending::Won)).then(|| limit.saturating_sub(state.move_count))
    }
    fn write_line(level: &Level, line: &[Move]) -> String {
        line.iter().map(|m| Self::write_move(level, m)).collect::<Vec<_>>().join(" ")
    }
    fn read_line(level: &Level, text: &str) -> Result<Vec<Move>, Fault> {
        rules::read(Self::size(level), text)
    }
    fn write_move(_: &Level, mv: &Move) -> String {
        rules::write(mv)
    }
    fn piece(_: &Level, _: &State, mv: &Move) -> (u32, String) {
        match mv {
            Move::Slide { tile, .. } => ((*tile).into(), format!("tile {tile}")),
            Move::TimeUp => (1001, "clock".into()),
            Move::SetOpponent(_) => (1002, "setting".into()),
            _ => (1000, "opponent".into()),
        }
    }
    fn objects(level: &Level, state: &State) -> Vec<(String, Cell)> {
        let obstacle = if level.rules.obstacle == Kind::Pin { "pin" } else { "fill" };
        let name = |square: &Square| match square {
            Square::Gap => "gap".to_string(),
            Square::Fixed => "fixed".to_string(),
            Square::Digit(d) => d.to_string(),
        };
        let mut out: Vec<(String, Cell)> = state.squares.iter().map(|(c, s)| (name(s), c)).collect();
        out.extend(state.obstacles.iter().map(|o| (obstacle.to_string(), o.at)));
        out
    }
    fn board_text(level: &Level, state: &State) -> String {
        let word = |c: Cell| match (state.squares[c], state.obstacle(c)) {
            (Square::Gap, Some(_)) => "x".to_string(),
            (square, Some(_)) => format!("!{}", level::word(square)),
            (square, None) => level::word(square),
        };
        level::rows(Self::size(level), word).join("\n")
    }
    fn rules() -> Vec<Param> {
        Rules::params()
    }
    fn rule_values(level: &Level) -> Values {
        level.rules.values()
    }
    fn set_rule(level: &mut Level, name: &str, value: &Value) {
        level.rules.set(name, value);
    }
    fn symmetries() -> &'static [Sym] {
        &[Sym::TRANSPOSE]
    }
    fn turned(level: &Level, sym: Sym) -> Option<Level> {
        match sym {
            Sym::IDENTITY => Some(level.clone()),
            // The opponent goes by the numbers of the tiles where it has a choice among equals, and these change.
            Sym::TRANSPOSE if !level.rules.blocks() => level.transposed(),
            _ => None,
        }
    }
    fn to_file(level: &Level) -> File {
        File { board: level::rows(level.squares.size(), |c| level::word(level.squares[c])) }
    }
    fn from_file(file: File) -> Result<Level, BoardFault> {
        level::from_rows(&file.board).map(|squares| Level { squares, rules: Rules::default() })
    }
    fn opponents_turn(_: &Level, state: &State) -> bool {
        state.ending.is_none() && state.turn == Side::Opponent
    }
    fn reply(level: &Level, state: &State, probe: &mut Probe) -> Option<Move> {
        opponent::reply(level, state, probe)
    }
    const OPPONENTS: &'static [&'static str] = &["easy", "medium", "hard"];
    fn simulate(level: &Level, opponent: &str, error: f64, seed: u64) -> Option<SimulatedGame> {
        opponent::simulate(level, opponent, error, seed, &mut Probe::new(Limits::default()))
    }
}
