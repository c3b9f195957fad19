//! The rules of a game: its level, its state, its moves.

use super::{BoardFault, Fault, Format, Info, NOWHERE, Param, Problem, Refusal, Severity, Status, Value, Values};
use crate::{
    grid::{Cell, Size, Sym},
    job::Probe,
};
use serde::{Serialize, de::DeserializeOwned};
use std::{fmt::Debug, hash::Hash};

/// The rules of a game. All functions are pure.
pub trait Game: Sized + Send + Sync + 'static {
    /// What it says about itself.
    const INFO: Info;
    /// A draft: board, pieces, rule switches.
    type Level: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// Everything undo must restore.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// The smallest thing that is legal or refused as a whole.
    type Move: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// A level as it stands in a file: made to be read and edited by hand. Rule switches are kept beside it, not in it.
    type File: Serialize + DeserializeOwned;

    /// The size of the board in cells.
    fn size(level: &Self::Level) -> Size;

    /// All that is wrong with a draft, errors first.
    fn problems(level: &Self::Level) -> Vec<Problem>;

    /// The state in which play begins, as far as the draft makes sense of one, even if [`Game::problems`] names errors.
    fn arrange(level: &Self::Level) -> Option<Self::State>;

    /// The gate from draft to play.
    fn start(level: &Self::Level) -> Result<Self::State, Vec<Problem>> {
        let problems: Vec<_> = Self::problems(level).into_iter().filter(|p| p.severity == Severity::Error).collect();
        match Self::arrange(level) {
            Some(state) if problems.is_empty() => Ok(state),
            None if problems.is_empty() => Err(vec![Problem::error(NOWHERE, "this draft cannot be played")]),
            _ => Err(problems),
        }
    }

    /// All legal moves; for a game with too many to list ([`Game::ENDLESS`]) a finite canonical set. None once the game is over.
    fn legal_moves(level: &Self::Level, state: &Self::State) -> Vec<Self::Move>;

    /// Whether there are moves beside the listed ones that lead to positions which none of those leads to.
    const ENDLESS: bool = false;

    /// Makes a move, or refuses it and leaves the state as it was.
    fn play(level: &Self::Level, state: &mut Self::State, mv: &Self::Move) -> Result<(), Refusal>;

    /// How the game stands.
    fn status(level: &Self::Level, state: &Self::State) -> Status;

    /// What a line of moves counts, in the order of [`Info::counts`].
    fn counts(level: &Self::Level, from: &Self::State, line: &[Self::Move]) -> Vec<u32>;

    /// Stars for a won game, by the count that par is about.
    fn stars(count: u32, par: u32) -> u8 {
        if count <= par {
            3
        } else if count <= par + 2 {
            2
        } else {
            1
        }
    }

    /// Points of a won game for the record table, for games that have them; ties go by fewer moves, then by time.
    fn points(_level: &Self::Level, _state: &Self::State) -> Option<u32> {
        None
    }

    /// Writes a line of moves as one string.
    fn write_line(level: &Self::Level, line: &[Self::Move]) -> String;

    /// Reads what [`Game::write_line`] writes.
    fn read_line(level: &Self::Level, text: &str) -> Result<Vec<Self::Move>, Fault>;

    /// One move for the move list ("right", "a3 b3"), without the name of its piece.
    fn write_move(level: &Self::Level, mv: &Self::Move) -> String;

    /// The piece a move moves: a number that is the same for the same piece, and its name ("red domino a"). Neighbouring moves of one
    /// piece form a group in the move list.
    fn piece(level: &Self::Level, state: &Self::State, mv: &Self::Move) -> (u32, String);

    /// Where the named objects are, for `replay --json`.
    fn objects(level: &Self::Level, state: &Self::State) -> Vec<(String, Cell)>;

    /// The position as rows of characters, for `replay --json` and logs.
    fn board_text(level: &Self::Level, state: &Self::State) -> String;

    /// The rule switches a level of this game stores.
    fn rules() -> Vec<Param> {
        Vec::new()
    }

    /// The rule switches of this level.
    fn rule_values(_level: &Self::Level) -> Values {
        Values::default()
    }

    /// Sets a rule switch to a value that its [`Param`] accepts.
    fn set_rule(_level: &mut Self::Level, _name: &str, _value: &Value) {}

    /// The symmetries that keep verdict and minimum, beside the identity.
    fn symmetries() -> &'static [Sym];

    /// The draft under a symmetry of [`Game::symmetries`], directions and links turning along; `None` where it does not apply to this level.
    fn turned(level: &Self::Level, sym: Sym) -> Option<Self::Level>;

    /// A part of a cell under a symmetry (Shards' triangles).
    fn turned_part(part: u8, _sym: Sym) -> u8 {
        part
    }

    /// The level as it stands in a file.
    fn to_file(level: &Self::Level) -> Self::File;

    /// Reads it back. Rejects nonsense (unknown letters, rows of unequal length, a board too large), accepts unplayable drafts.
    fn from_file(file: Self::File) -> Result<Self::Level, BoardFault>;

    /// Files of other programs that this game reads or writes.
    fn formats() -> Vec<Format<Self>> {
        Vec::new()
    }

    /// Whether the opponent is to move.
    fn opponents_turn(_level: &Self::Level, _state: &Self::State) -> bool {
        false
    }

    /// The opponent's move: deterministic, cut off by nodes and never by the clock.
    fn reply(_level: &Self::Level, _state: &Self::State, _probe: &mut Probe) -> Option<Self::Move> {
        None
    }

    /// The opponents' names, for games that have one.
    const OPPONENTS: &'static [&'static str] = &[];

    /// Plays a whole game of a model player, who errs at this rate, against an opponent: to measure the balance.
    fn simulate(_level: &Self::Level, _opponent: &str, _error: f64, _seed: u64) -> Option<SimulatedGame> {
        None
    }
}

/// The end of a simulated game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SimulatedGame {
    /// Won, lost or drawn, for the player.
    pub status: Status,
    /// Whether the opponent lost although it could have stopped the last move.
    pub stoppable: bool,
    /// The opponent's slowest reply.
    pub slowest: std::time::Duration,
}

/// Makes a player's move and then the opponent's replies, until the player is to move again.
pub fn advance<G: Game>(level: &G::Level, state: &mut G::State, mv: &G::Move) -> Result<(), Refusal> {
    advance_with::<G>(level, state, mv, &mut Probe::new(crate::job::Limits::default())).map(|_| ())
}

/// Replies in a row after which the player is taken to be shut out for good: a player who cannot move passes within the opponent's moves, and without a
/// limit on turns that can go on for ever.
pub(crate) const MOST_REPLIES: u32 = 1_000;

/// The same with a probe that counts the nodes of the replies and has no limit; how many replies there were.
pub(crate) fn advance_with<G: Game>(
    level: &G::Level,
    state: &mut G::State,
    mv: &G::Move,
    probe: &mut Probe,
) -> Result<u32, Refusal> {
    let (mut next, mut replies) = (state.clone(), 0);
    G::play(level, &mut next, mv)?;
    while G::status(level, &next) == Status::Playing && G::opponents_turn(level, &next) {
        let Some(answer) = G::reply(level, &next, probe) else { break };
        G::play(level, &mut next, &answer)?;
        replies += 1;
        if replies == MOST_REPLIES {
            return Err(Refusal::new("endless", "after this the player could never move again"));
        }
    }
    *state = next;
    Ok(replies)
}
