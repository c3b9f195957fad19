//! The small words of the contract: what a game says about itself, what is wrong with a draft, how a game stands, why something was refused.

use crate::grid::{Cell, Spot};
use serde::{Serialize, Serializer};

/// What a game says about itself.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// The name in files and commands.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// One sentence: what one does in it.
    pub summary: &'static str,
    /// The rules for a player, a few short paragraphs.
    pub rules: &'static str,
    /// How a line of moves is written, in one sentence with an example.
    pub notation: &'static str,
    /// What is counted in play ("steps", "drags"), in the order of [`Rules::counts`](super::Rules::counts).
    pub counts: &'static [&'static str],
    /// The goal (an index into [`Solve::GOALS`](super::Solve::GOALS)) whose proven minimum is par.
    pub par_goal: usize,
    /// The goal that the editor's live verdict asks for.
    pub verdict_goal: usize,
    /// The shipped levels in order: the texts of `levels/<id>/*.ron`, which the build finds.
    pub levels: &'static [&'static str],
    /// Keys of this game in play beside the common ones, for the key sheet: ("Space", "pick up or let go").
    pub keys: &'static [(&'static str, &'static str)],
}

/// How serious a [`Problem`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The draft cannot be played.
    Error,
    /// It can, but it is probably not meant.
    Warning,
}

/// Something wrong with a draft, with its places; serialised as in `check --json`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Problem {
    /// How serious.
    pub severity: Severity,
    /// Where.
    #[serde(rename = "cells", serialize_with = "cells")]
    pub spots: Vec<Spot>,
    /// A sentence a designer understands.
    pub text: String,
    /// The editor command (see [`Edit::commands`](super::Edit::commands)) that mends it, if one does.
    #[serde(skip)]
    pub mend: Option<&'static str>,
}

fn cells<S: Serializer>(spots: &[Spot], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(spots.iter().map(|s| s.numbers()))
}

impl Problem {
    /// A problem that keeps the draft from being played.
    pub fn error(spots: impl IntoIterator<Item = impl Into<Spot>>, text: impl Into<String>) -> Problem {
        let spots = spots.into_iter().map(Into::into).collect();
        Problem { severity: Severity::Error, spots, text: text.into(), mend: None }
    }

    /// A problem that does not.
    pub fn warning(spots: impl IntoIterator<Item = impl Into<Spot>>, text: impl Into<String>) -> Problem {
        Problem { severity: Severity::Warning, ..Problem::error(spots, text) }
    }

    /// The same problem with the editor command that mends it.
    pub fn mended_by(self, command: &'static str) -> Problem {
        Problem { mend: Some(command), ..self }
    }
}

/// No places: for problems of the level as a whole.
pub const NOWHERE: [Cell; 0] = [];

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Going on.
    Playing,
    /// Won by the player.
    Won,
    /// Lost.
    Lost,
    /// Neither, and over.
    Drawn,
}

impl Status {
    /// "playing", "won", "lost" or "drawn".
    pub const fn name(self) -> &'static str {
        match self {
            Status::Playing => "playing",
            Status::Won => "won",
            Status::Lost => "lost",
            Status::Drawn => "drawn",
        }
    }
}

/// Why a move was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// A word for machines ("wall").
    pub reason: &'static str,
    /// A sentence for people.
    pub text: String,
}

impl Refusal {
    /// Puts the two together.
    pub fn new(reason: &'static str, text: impl Into<String>) -> Refusal {
        Refusal { reason, text: text.into() }
    }
}

/// What is wrong with a text that came from outside, and where. Lines and columns count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fault {
    /// Line, where known.
    pub line: Option<usize>,
    /// Column (in characters), where known.
    pub column: Option<usize>,
    /// A sentence.
    pub text: String,
}

impl Fault {
    /// A fault whose place is not known.
    pub fn new(text: impl Into<String>) -> Fault {
        Fault { line: None, column: None, text: text.into() }
    }

    /// A fault at a line and column, both from 1.
    pub fn at(line: usize, column: usize, text: impl Into<String>) -> Fault {
        Fault { line: Some(line), column: Some(column), text: text.into() }
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.line, self.column) {
            (Some(l), Some(c)) => write!(f, "line {l}, column {c}: {}", self.text),
            (Some(l), None) => write!(f, "line {l}: {}", self.text),
            _ => f.write_str(&self.text),
        }
    }
}

/// A fault in the rows of a board: the row and column (from 0) within them. The file reader turns it into line and column of the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoardFault {
    /// Row and column of the offending character, where there is one.
    pub at: Option<(usize, usize)>,
    /// A sentence.
    pub text: String,
}

impl BoardFault {
    /// A fault of the level as a whole.
    pub fn new(text: impl Into<String>) -> BoardFault {
        BoardFault { at: None, text: text.into() }
    }

    /// A fault at a character of the board's rows.
    pub fn at(row: usize, column: usize, text: impl Into<String>) -> BoardFault {
        BoardFault { at: Some((row, column)), text: text.into() }
    }
}
