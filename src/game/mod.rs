//! The contract: what a game is.
//!
//! A game is a type without values that implements [`Draft`] (its levels), [`Rules`], [`Solve`], [`Generate`], [`Edit`] and [`View`] (how
//! it is drawn and how pointer and keys become moves). Everything else in the program — panels, commands, files, tests — works through
//! these traits and never asks which game it has. There is no egui in here and none in any game: a game draws into a
//! [`Picture`](crate::picture::Picture) and reads plain [`Input`], so the same code serves the window, a PNG and a test.
//!
//! **Level** is a *draft*: anything an editor can hold, with its rule switches. [`Draft::problems`] says what is wrong with it, and
//! only a draft without errors can be started. **State** is all that undo must restore. **Move** is the smallest thing a player
//! can do that the rules accept or refuse: a step, a push, a placing, a whole drag along a path. What belongs to neither (cursor,
//! hover, a piece in hand) is the view's `Ui`. An opponent's turn (Readout) is a state in which [`opponents_turn`] holds; its
//! moves are moves like any other, but a written line holds only the player's, since [`reply`] is deterministic.
//!
//! | file | what |
//! |---|---|
//! | `words.rs` | The small words of the contract: what a game says about itself, what is wrong with a draft, how a game stands, why something was refused. |
//! | `params.rs` | Rule switches and generator parameters: their kinds, their values, and checking one against the other. |
//! | `draft.rs` | A draft: anything an editor can hold, what is wrong with it, its rule switches, its symmetries, its form in files. |
//! | `rules.rs` | The rules of a game: its states, its moves, how it ends. |
//! | `files.rs` | What stands in files: a level with its title, solutions and origin, and the formats of other programs. |
//! | `solve.rs` | Solving: goals, stages, overlays. |
//! | `generate.rs` | Generating: presets, what was made, and the seeds. |
//! | `edit.rs` | Editing: palettes, inks, commands. |
//! | `optional.rs` | What only some games have: an opponent, tables, a campaign, equal pieces. |
//! | `reasons.rs` | Why a position cannot be won: reasons, smaller questions, what a level can do without. |
//! | `view.rs` | How a game is drawn, and how pointer and keys become moves. |

mod draft;
mod edit;
mod files;
mod generate;
mod optional;
mod params;
mod reasons;
mod rules;
mod solve;
mod view;
mod words;

pub use crate::search::outcome::{Outcome, Tally};
pub use draft::Draft;
pub use edit::{Command, Edit, Gesture, Ink, Palette, Swatch, Thing};
pub use files::{Format, Item, Meta, Origin, Solution, Written, board_size};
pub use generate::{Generate, Made, NotMade, Preset, rng};
pub use optional::{Campaign, Counting, Listed, SimulatedGame, Tables, Versus, opponents_turn, reply};
pub use params::{Kind, Param, Value, Values};
pub use reasons::{Easier, Found, Part, Reason, Reasons, capital, list};
pub(crate) use rules::{MOST_REPLIES, advance_with};
pub use rules::{Rules, advance};
pub use solve::{Apart, Goal, Overlay, Solve};
pub use view::{Ahead, HINT_STAGES, Hint, Input, Key, Motion, Nudge, NudgeKind, Offer, Reaction, Scene, View};
pub use words::{BoardFault, Fault, Info, NOWHERE, Problem, Refusal, Severity, Status};

/// A whole game.
pub trait Game: Solve + Generate + Edit + View {}
impl<G: Solve + Generate + Edit + View> Game for G {}
