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
//! | `reasons.rs` | why a position cannot be won |
//! | `solver/` | fewest slides, and winning a duel |
//! | `generator.rs` `editor.rs` `view.rs` | as in every game |

mod editor;
mod field;
mod generator;
mod level;
mod opponent;
mod reach;
mod reasons;
mod rules;
mod solver;
mod view;

pub use level::{Budget, File, Kind, Level, Opponent, Square, Switches};
pub use rules::{Ending, Move, Obstacle, Side, State};
pub use view::Ui;

use crate::game::Info;

/// The game.
pub struct Readout;

const INFO: Info = Info {
    id: "readout",
    name: "Readout",
    summary: "Put the digits in order while an opponent blocks you.",
    rules: "Slide a digit tile into a neighbouring gap. You win when the digits stand in order, row by row, with the gap at the \
            bottom right, right after a slide of yours.\n\n\
            After each of your turns the opponent may put down an obstacle or wait. A pin holds a tile beside a gap; a fill closes a \
            gap. Obstacles leave after some of your turns. The opponent has a limited number of them, and must wait some turns \
            between two.\n\n\
            If you have no slide you pass, and that is a turn too. If the digits are not in order after the last \
            turn, you lose; two passes in a row are a draw. The fewer turns, the more points.",
    notation: "the tile and where it goes, U R D or L, separated by spaces; @none @easy @medium @hard changes the opponent: \
               \"12R 7U @hard 8L\"",
    counts: &["slides"],
    par_goal: 0,
    verdict_goal: 0,
    levels: super::levels("readout"),
    keys: &[
        ("Arrows", "slide a tile that way into the gap"),
        ("Page Down", "choose among the tiles that can slide"),
        ("Space", "slide the chosen tile"),
    ],
};
