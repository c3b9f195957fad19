//! The rules of a game: its states, its moves, how it ends.

use super::{Draft, Fault, NOWHERE, Problem, Refusal, Severity, Status, Versus, opponents_turn, reply};
use crate::{grid::Cell, job::Probe};
use std::{fmt::Debug, hash::Hash};

/// The rules of a game. All functions are pure.
pub trait Rules: Draft {
    /// Everything undo must restore.
    type State: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// The smallest thing that is legal or refused as a whole.
    type Move: Clone + PartialEq + Debug + Send + Sync + 'static;

    /// The state in which play begins, as far as the draft makes sense of one, even if [`Draft::problems`] names errors.
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

    /// All legal moves; for a game with too many to list ([`Rules::ENDLESS`]) a finite canonical set. None once the game is over.
    fn legal_moves(level: &Self::Level, state: &Self::State) -> Vec<Self::Move>;

    /// Whether there are moves beside the listed ones that lead to positions which none of those leads to.
    const ENDLESS: bool = false;

    /// Whether the moves that [`Rules::legal_moves`] lists for this position lead to every position that follows it.
    fn lists_all(_level: &Self::Level, _state: &Self::State, _listed: &[Self::Move]) -> bool {
        !Self::ENDLESS
    }

    /// Makes a move, or refuses it and leaves the state as it was.
    fn play(level: &Self::Level, state: &mut Self::State, mv: &Self::Move) -> Result<(), Refusal>;

    /// How the game stands.
    fn status(level: &Self::Level, state: &Self::State) -> Status;

    /// What a line of moves counts, in the order of [`Info::counts`](super::Info::counts).
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

    /// Writes a line of moves as one string.
    fn write_line(level: &Self::Level, line: &[Self::Move]) -> String;

    /// Reads what [`Rules::write_line`] writes.
    fn read_line(level: &Self::Level, text: &str) -> Result<Vec<Self::Move>, Fault>;

    /// One move for the move list ("right", "a3 b3"), without the name of its piece.
    fn write_move(level: &Self::Level, mv: &Self::Move) -> String;

    /// The piece a move moves: a number that is the same for the same piece, and its name, by which a reader
    /// finds it on the board ("red domino at b4"). Neighbouring moves of one
    /// piece form a group in the move list.
    fn piece(level: &Self::Level, state: &Self::State, mv: &Self::Move) -> (u32, String);

    /// Where the named objects are, for `replay --json`.
    fn objects(level: &Self::Level, state: &Self::State) -> Vec<(String, Cell)>;

    /// The position as rows of characters, for `replay --json` and logs.
    fn board_text(level: &Self::Level, state: &Self::State) -> String;

    /// The opponent, in games that have one.
    fn versus() -> Option<Versus<Self>> {
        None
    }
}

/// Makes a player's move and then the opponent's replies, until the player is to move again.
pub fn advance<G: Rules>(level: &G::Level, state: &mut G::State, mv: &G::Move) -> Result<(), Refusal> {
    advance_with::<G>(level, state, mv, &mut Probe::new(crate::job::Limits::default())).map(|_| ())
}

/// Replies in a row after which the player is taken to be shut out for good: a player who cannot move passes within the opponent's moves, and without a
/// limit on turns that can go on for ever.
pub(crate) const MOST_REPLIES: u32 = 1_000;

/// The same with a probe that counts the nodes of the replies and has no limit; the replies.
pub(crate) fn advance_with<G: Rules>(
    level: &G::Level,
    state: &mut G::State,
    mv: &G::Move,
    probe: &mut Probe,
) -> Result<Vec<G::Move>, Refusal> {
    let (mut next, mut replies) = (state.clone(), Vec::new());
    G::play(level, &mut next, mv)?;
    while G::status(level, &next) == Status::Playing && opponents_turn::<G>(level, &next) {
        let Some(answer) = reply::<G>(level, &next, probe) else { break };
        G::play(level, &mut next, &answer)?;
        replies.push(answer);
        if replies.len() == MOST_REPLIES as usize {
            return Err(Refusal::new("endless", "after this the player could never move again"));
        }
    }
    *state = next;
    Ok(replies)
}
