//! The contract: what a game is.
//!
//! A game is a type without values that implements [`Game`] (its rules), [`Solve`], [`Generate`], [`Edit`] and [`View`] (how it is
//! drawn and how pointer and keys become moves). Everything else in the program — panels, commands, files, tests — works through
//! these traits and never asks which game it has. There is no egui in here and none in any game: a game draws into a
//! [`Picture`] and reads plain [`Input`], so the same code serves the window, a PNG and a test.
//!
//! **Level** is a *draft*: anything an editor can hold, with its rule switches. [`Game::problems`] says what is wrong with it, and
//! only a draft without errors can be started. **State** is all that undo must restore. **Move** is the smallest thing a player
//! can do that the rules accept or refuse: a step, a push, a placing, a whole drag along a path. What belongs to neither (cursor,
//! hover, a piece in hand) is the view's `Ui`. An opponent's turn (Readout) is a state in which [`Game::opponents_turn`] holds; its
//! moves are moves like any other, but a written line holds only the player's, since [`Game::reply`] is deterministic.

use crate::{
    grid::{Cell, Size, Spot, Sym},
    job::{Probe, Stop},
    picture::{Area, Colours, Picture, Point},
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::{collections::BTreeMap, fmt::Debug, hash::Hash};

// ---------------------------------------------------------------------------------------------------------------- small words

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
    /// What is counted in play ("steps", "drags"), in the order of [`Game::counts`].
    pub counts: &'static [&'static str],
    /// The goal (an index into [`Solve::GOALS`]) whose proven minimum is par.
    pub par_goal: usize,
    /// The goal that the editor's live verdict asks for.
    pub verdict_goal: usize,
    /// The shipped levels in order: the texts of `levels/<game>/*.ron`, by `include_str!`.
    pub levels: &'static [&'static str],
    /// Keys of this game in play beside the common ones, for the key sheet: ("Space", "pick up or let go").
    pub keys: &'static [(&'static str, &'static str)],
}

/// How serious a [`Problem`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// The draft cannot be played.
    Error,
    /// It can, but it is probably not meant.
    Warning,
}

/// Something wrong with a draft, with its places.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// How serious.
    pub severity: Severity,
    /// Where.
    pub spots: Vec<Spot>,
    /// A sentence a designer understands.
    pub text: String,
    /// The editor command (see [`Edit::commands`]) that mends it, if one does.
    pub mend: Option<&'static str>,
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

// ------------------------------------------------------------------------------------------------- rule switches and parameters

/// A value of a parameter or rule switch.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// On or off.
    Switch(bool),
    /// A whole number.
    Number(i64),
    /// One of several words.
    Word(String),
}

impl From<i64> for Value {
    fn from(n: i64) -> Value {
        Value::Number(n)
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Switch(b)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Value {
        Value::Word(s.into())
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Switch(b) => write!(f, "{b}"),
            Value::Number(n) => write!(f, "{n}"),
            Value::Word(w) => f.write_str(w),
        }
    }
}

/// What values a parameter takes.
#[derive(Clone, PartialEq, Debug)]
pub enum Kind {
    /// A whole number from `min` to `max`, or one of `words` ("unlimited").
    Number {
        /// Least.
        min: i64,
        /// Greatest.
        max: i64,
        /// Words accepted in place of a number.
        words: &'static [&'static str],
    },
    /// On or off.
    Switch,
    /// One of these words.
    Choice(&'static [&'static str]),
}

/// A parameter of a generator or a rule switch of a level, as data: panels make sliders of it, commands read `name=value`.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// The name in files and commands: `finished_shapes`.
    pub name: &'static str,
    /// The name for people.
    pub label: &'static str,
    /// A sentence of explanation.
    pub help: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// What it is unless set.
    pub default: Value,
}

impl Param {
    /// A number from `min` to `max`.
    pub fn number(
        name: &'static str,
        label: &'static str,
        help: &'static str,
        range: (i64, i64),
        default: i64,
    ) -> Param {
        let kind = Kind::Number { min: range.0, max: range.1, words: &[] };
        Param { name, label, help, kind, default: default.into() }
    }

    /// A switch.
    pub fn switch(name: &'static str, label: &'static str, help: &'static str, default: bool) -> Param {
        Param { name, label, help, kind: Kind::Switch, default: default.into() }
    }

    /// A choice among words; the first is the default.
    pub fn choice(
        name: &'static str,
        label: &'static str,
        help: &'static str,
        words: &'static [&'static str],
    ) -> Param {
        Param { name, label, help, kind: Kind::Choice(words), default: words[0].into() }
    }

    /// Whether a value is one this parameter takes; else a sentence that says what it takes.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        let good = match (&self.kind, value) {
            (Kind::Number { min, max, .. }, Value::Number(n)) => (min..=max).contains(&n),
            (Kind::Number { words, .. }, Value::Word(w)) => words.contains(&w.as_str()),
            (Kind::Switch, Value::Switch(_)) => true,
            (Kind::Choice(words), Value::Word(w)) => words.contains(&w.as_str()),
            _ => false,
        };
        if good { Ok(()) } else { Err(format!("{} takes {}, not {value}", self.name, self.takes())) }
    }

    fn takes(&self) -> String {
        match &self.kind {
            Kind::Number { min, max, words: [] } => format!("a number from {min} to {max}"),
            Kind::Number { min, max, words } => format!("a number from {min} to {max}, or {}", words.join(" or ")),
            Kind::Switch => "true or false".into(),
            Kind::Choice(words) => words.join(" or "),
        }
    }

    /// Reads a value from text (a command's `name=value`), in any case.
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        let text = text.trim().to_lowercase();
        let value = match text.as_str() {
            "true" | "on" | "yes" if self.kind == Kind::Switch => Value::Switch(true),
            "false" | "off" | "no" if self.kind == Kind::Switch => Value::Switch(false),
            _ => text.parse().map_or_else(|_| Value::Word(text.clone()), Value::Number),
        };
        self.check(&value).map(|()| value)
    }
}

/// Values by name. A missing name has its parameter's default.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Values(pub BTreeMap<String, Value>);

impl Values {
    /// The defaults of some parameters.
    pub fn defaults(params: &[Param]) -> Values {
        Values(params.iter().map(|p| (p.name.to_string(), p.default.clone())).collect())
    }

    /// Sets a value.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.into(), value.into());
    }

    /// The same with a value set.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Values {
        self.set(name, value);
        self
    }

    /// A number, if it is set and a number.
    pub fn number(&self, name: &str) -> Option<i64> {
        match self.0.get(name) {
            Some(Value::Number(n)) => Some(*n),
            _ => None,
        }
    }

    /// A switch; off if it is not set.
    pub fn switch(&self, name: &str) -> bool {
        matches!(self.0.get(name), Some(Value::Switch(true)))
    }

    /// A word; empty if it is not set.
    pub fn word(&self, name: &str) -> &str {
        match self.0.get(name) {
            Some(Value::Word(w)) => w,
            _ => "",
        }
    }

    /// Every value named by a parameter and within what it takes, the missing ones filled with defaults; else a sentence.
    pub fn checked(&self, params: &[Param]) -> Result<Values, String> {
        let mut all = Values::defaults(params);
        for (name, value) in &self.0 {
            let Some(p) = params.iter().find(|p| p.name == name) else {
                let known: Vec<_> = params.iter().map(|p| p.name).collect();
                return Err(format!("there is no parameter {name} here; there are {}", known.join(", ")));
            };
            p.check(value)?;
            all.set(name, value.clone());
        }
        Ok(all)
    }
}

// ------------------------------------------------------------------------------------------------------------------- the rules

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
    fn simulate(_level: &Self::Level, _opponent: &str, _error: f64, _seed: u64) -> Option<Bout> {
        None
    }
}

/// The end of a simulated game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bout {
    /// Won, lost or drawn, for the player.
    pub status: Status,
    /// Whether the opponent lost although it could have stopped the last move.
    pub stoppable: bool,
    /// The opponent's slowest reply.
    pub slowest: std::time::Duration,
}

/// Makes a player's move and then the opponent's replies, until the player is to move again.
pub fn advance<G: Game>(level: &G::Level, state: &mut G::State, mv: &G::Move) -> Result<(), Refusal> {
    let mut next = state.clone();
    G::play(level, &mut next, mv)?;
    while G::status(level, &next) == Status::Playing && G::opponents_turn(level, &next) {
        let mut probe = Probe::new(crate::job::Limits::default());
        let Some(answer) = G::reply(level, &next, &mut probe) else { break };
        G::play(level, &mut next, &answer)?;
    }
    *state = next;
    Ok(())
}

// ------------------------------------------------------------------------------------------------------------ files and formats

/// What a level says about itself, beside its board.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Meta {
    /// Its title.
    pub title: String,
    /// Who made it.
    pub author: String,
    /// Anything else.
    pub notes: String,
    /// Words to find it by.
    pub tags: Vec<String>,
}

/// A solution kept with a level.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solution {
    /// The goal it was found for.
    pub goal: String,
    /// Its moves, in the game's notation.
    pub moves: String,
    /// What it counts.
    pub counts: BTreeMap<String, u32>,
    /// Whether it is proven best for its goal.
    pub optimal: bool,
    /// How it was found, for people: "solver, 4,711 nodes", "played", "microban.sok".
    pub found: String,
}

/// How a level was generated, so that it can be made again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// The preset, or empty.
    pub preset: String,
    /// All parameters.
    pub params: Values,
    /// The seed.
    pub seed: u64,
    /// The generator's version.
    pub version: u32,
}

/// A level with what is known about it.
pub struct Item<G: Game> {
    /// Title and the like.
    pub meta: Meta,
    /// The level.
    pub level: G::Level,
    /// Known solutions.
    pub solutions: Vec<Solution>,
    /// How it was made.
    pub origin: Option<Origin>,
}

impl<G: Game> Item<G> {
    /// A level of which only the title is known.
    pub fn new(title: impl Into<String>, level: G::Level) -> Item<G> {
        let meta = Meta { title: title.into(), ..Meta::default() };
        Item { meta, level, solutions: Vec::new(), origin: None }
    }
}

/// What a writer made, and what it had to leave out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Written {
    /// The file's text.
    pub text: String,
    /// What was dropped, one sentence each.
    pub dropped: Vec<String>,
}

/// A file format of another program, for one game.
pub struct Format<G: Game> {
    /// Short name.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// File name endings, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether a text looks like this format. The native format has been ruled out before this is asked.
    pub recognises: fn(text: &str) -> bool,
    /// Reads a collection of levels.
    pub read: fn(text: &str) -> Result<Vec<Item<G>>, Fault>,
    /// Writes a collection, or says (naming the cells) why it cannot be expressed.
    pub write: Option<fn(items: &[Item<G>]) -> Result<Written, Fault>>,
}

// --------------------------------------------------------------------------------------------------------------------- solving

/// Something a solver can be asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Goal {
    /// The name in commands.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// Which count (an index into [`Info::counts`]) is its cost.
    pub count: usize,
}

/// How many solutions there are (Shards).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tally {
    /// Solutions found.
    pub found: u64,
    /// Whether these are all.
    pub all: bool,
}

/// What came of a search.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome<M> {
    /// There is a solution.
    Solved {
        /// Its moves (the player's).
        line: Vec<M>,
        /// Whether no line costs less, proven.
        optimal: bool,
        /// No line costs less than this, proven.
        bound: u32,
        /// What stopped the proof, if it is not optimal.
        stopped: Option<Stop>,
        /// The number of solutions, where that was asked for.
        tally: Option<Tally>,
    },
    /// There is none: proven.
    Unsolvable,
    /// Not known.
    Stopped {
        /// What stopped it.
        by: Stop,
        /// No line costs less than this, proven.
        bound: u32,
    },
}

impl<M> Outcome<M> {
    /// A line with the proof that none is better.
    pub fn optimal(line: Vec<M>, cost: u32) -> Outcome<M> {
        Outcome::Solved { line, optimal: true, bound: cost, stopped: None, tally: None }
    }

    /// The line, if there is one.
    pub fn line(&self) -> Option<&[M]> {
        match self {
            Outcome::Solved { line, .. } => Some(line),
            _ => None,
        }
    }
}

/// An overlay for Inspect: spots with a weight from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Overlay {
    /// Name in settings.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What it shows.
    pub help: &'static str,
}

/// Solving.
pub trait Solve: Game {
    /// What it can be asked for; the first is the default.
    const GOALS: &'static [Goal];

    /// Solves from a state. Calls `found` whenever it has a better line than before (the first as early as it can), ticks the probe
    /// once a node, and keeps its limits. The caller replays every line through the rules.
    fn solve(
        level: &Self::Level,
        from: &Self::State,
        goal: usize,
        probe: &mut Probe,
        found: &mut dyn FnMut(&[Self::Move]),
    ) -> Outcome<Self::Move>;

    /// The level and the state on which a line of this goal is replayed, where these are not the level and the state it was asked for: Readout
    /// counts the fewest slides with the opponent off. A line is made by [`Solve::solve`] for `level` and `from` as they stand and replayed
    /// with [`advance`] on what this returns; a generator's line is one of the first goal.
    fn stage(_level: &Self::Level, _from: &Self::State, _goal: usize) -> Option<(Self::Level, Self::State)> {
        None
    }

    /// A line to hint at from a position in play; its first move is legal there. The line of the goal that verdicts are about, unless that goal
    /// leaves out something that is in play: Readout's fewest slides know nothing of pins.
    fn advise(level: &Self::Level, from: &Self::State, probe: &mut Probe) -> Option<Vec<Self::Move>> {
        let outcome = Self::solve(level, from, Self::INFO.verdict_goal, probe, &mut |_| ());
        outcome.line().filter(|l| !l.is_empty()).map(<[_]>::to_vec)
    }

    /// Overlays this game can compute beside the visited heat that every search counts through [`Probe::visit`].
    fn overlays() -> &'static [Overlay] {
        &[]
    }

    /// What must be computed once before the solver is at its best (large tables), as words for a progress bar.
    const PREPARES: Option<&'static str> = None;

    /// Whether solving this level for this goal is better off with it.
    fn gains(_level: &Self::Level, _goal: usize) -> bool {
        Self::PREPARES.is_some()
    }

    /// Computes it, in the background; it is never needed for a right answer.
    fn prepare(_probe: &mut Probe) -> Result<(), Stop> {
        Ok(())
    }

    /// Facts beside the verdict while editing ("casual play clears it 12 % of the time").
    fn remarks(_level: &Self::Level, _from: &Self::State, _probe: &mut Probe) -> Vec<String> {
        Vec::new()
    }

    /// How good a position is for the player, drawn over the moves in Inspect instead of the remaining cost (duels).
    fn evaluate(_level: &Self::Level, _state: &Self::State) -> Option<f32> {
        None
    }

    /// How hard a level is, from 0 to 100, where the game knows better than the common formula (see [`crate::rate`]).
    fn difficulty(_level: &Self::Level, _metrics: &crate::rate::Metrics) -> Option<f64> {
        None
    }

    /// Whether its searches count solutions: then every report has their number, also where a goal asks for the first one only.
    const TALLIES: bool = false;

    /// Computes an overlay.
    fn overlay(_level: &Self::Level, _state: &Self::State, _index: usize) -> Vec<(Spot, f32)> {
        Vec::new()
    }
}

// ------------------------------------------------------------------------------------------------------------------ generating

/// A named set of parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Preset {
    /// The name in commands.
    pub id: &'static str,
    /// The name for people.
    pub name: &'static str,
    /// What it sets; the rest keeps its default.
    pub values: Values,
}

/// What a generator made.
pub struct Made<G: Game> {
    /// The level, proven solvable.
    pub level: G::Level,
    /// A solution for the first goal, replayed by the caller.
    pub line: Vec<G::Move>,
    /// What was measured, for people and `--json`: "cost", "optimal" (0 or 1), "nodes" and the game's own.
    pub measured: BTreeMap<String, f64>,
}

/// Why nothing was made.
#[derive(Clone, PartialEq, Debug)]
pub enum NotMade {
    /// Stopped from outside.
    Stopped(Stop),
    /// The request cannot be met: a sentence.
    Refused(String),
}

impl From<Stop> for NotMade {
    fn from(stop: Stop) -> NotMade {
        NotMade::Stopped(stop)
    }
}

/// Generating.
pub trait Generate: Game {
    /// Counted up whenever the same seed would give another level.
    const VERSION: u32;

    /// All parameters.
    fn params() -> Vec<Param>;

    /// The presets; the first is the default.
    fn presets() -> Vec<Preset>;

    /// A sentence about what these values mean (how many levels there are, what cannot be met).
    fn remark(_values: &Values) -> Option<String> {
        None
    }

    /// For games played as an endless run, board after board: the values with which the board after this one is generated (the seed is the
    /// caller's choice). The score of a run is the number of boards cleared in it; restarting a board keeps it, a new run sets it to 0.
    fn next_board(_level: &Self::Level) -> Option<Values> {
        None
    }

    /// How many levels the game's own campaign has, made from their number alone by [`Generate::campaign`]. A game without one (0) plays its
    /// shipped pack in order.
    const CAMPAIGN: u32 = 0;

    /// The preset and the seed of the campaign's level with this number, from 1.
    fn campaign(_level: u32) -> (&'static str, u64) {
        ("", 0)
    }

    /// Makes a level. The values are checked and complete. The same values and seed give the same level on every machine: limits inside are
    /// node counts ([`Probe::part`]); the probe's own limits only ever stop it.
    fn generate(values: &Values, seed: u64, probe: &mut Probe) -> Result<Made<Self>, NotMade>;
}

/// The random generator that carries seeds: the same stream on every machine.
pub fn rng(seed: u64) -> rand::rngs::ChaCha8Rng {
    rand::SeedableRng::seed_from_u64(seed)
}

// --------------------------------------------------------------------------------------------------------------------- editing

/// One entry of the palette.
#[derive(Clone, PartialEq, Debug)]
pub struct Swatch {
    /// Short name, unique within the game.
    pub id: &'static str,
    /// Name for people.
    pub name: String,
    /// Its heading in the palette.
    pub group: &'static str,
    /// Whether it comes in the palette's colours.
    pub coloured: bool,
    /// Whether turning and mirroring (R, Shift+R) changes it.
    pub turns: bool,
    /// How it is used.
    pub gesture: Gesture,
    /// A sentence of explanation.
    pub help: &'static str,
}

/// How a swatch takes a stroke.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gesture {
    /// Each spot of the stroke on its own: brush, line, rectangle and fill all work.
    Spots,
    /// All spots of the stroke become one thing (a free-form shape).
    Whole,
    /// Once, at the spot pressed (a stamp, a lock).
    Once,
    /// From the first spot to the last (a link, a swap, a direction).
    FromTo,
}

/// A swatch with its colour and orientation, ready to paint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ink {
    /// Index into the palette's swatches.
    pub swatch: usize,
    /// Index into the palette's colours.
    pub colour: usize,
    /// How it is turned.
    pub sym: Sym,
}

/// The palette, as data.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Palette {
    /// Its entries. The first is what the eraser paints.
    pub swatches: Vec<Swatch>,
    /// Names of its colours; indices into [`Colours::pieces`].
    pub colours: Vec<String>,
}

/// A one-shot command of a game's editor ("Cut at random", "Swap two tiles").
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Command {
    /// Short name.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
}

/// Something that lies on the ground of a draft, as files with layers show it: a box, a cat, a whole piece.
#[derive(Clone, PartialEq, Debug)]
pub struct Thing {
    /// What it is, in a word or two: "box".
    pub name: &'static str,
    /// The ink that paints it.
    pub ink: Ink,
    /// The spots of the stroke that paints it.
    pub spots: Vec<Spot>,
    /// What else there is to know about it, as a name and a value: ("lock", "2").
    pub facts: Vec<(&'static str, String)>,
}

/// Editing.
pub trait Edit: Game {
    /// The least and the greatest size of a board.
    const SIZES: (Size, Size);

    /// An empty board to draw on, ordinarily of this size.
    fn blank(size: Size) -> Self::Level;

    /// The size a new board has.
    const NEW: Size;

    /// What can be painted, as data.
    fn palette(level: &Self::Level) -> Palette;

    /// Paints a stroke: the spots in order, each once, all on the board. The eraser is swatch 0.
    fn paint(level: &mut Self::Level, ink: Ink, spots: &[Spot]);

    /// The ink that would paint what is seen at a spot.
    fn pick(level: &Self::Level, spot: Spot) -> Ink;

    /// The ink of the ground at a cell, under whatever [`Edit::things`] lists there: what a map's tile layer shows. A game whose cells hold one
    /// thing each has nothing to add.
    fn ground(level: &Self::Level, cell: Cell) -> Ink {
        Self::pick(level, cell.into())
    }

    /// What lies on the ground, in an order in which it can be painted: what a map's object layer shows.
    fn things(_level: &Self::Level) -> Vec<Thing> {
        Vec::new()
    }

    /// Spots that a flood fill goes on to.
    fn neighbours(level: &Self::Level, spot: Spot) -> Vec<Spot> {
        let size = Self::size(level);
        spot.cell.neighbours().into_iter().filter(|c| size.contains(*c)).map(Spot::from).collect()
    }

    /// The draft on a board of another size; what was at `c` is at `c + shift`, what falls off is gone.
    fn resized(level: &Self::Level, size: Size, shift: (i16, i16)) -> Self::Level;

    /// Puts `part` into `level` with its corner at `at`, replacing what is there. (A selection is copied by [`Edit::resized`].)
    fn stamp(level: &mut Self::Level, part: &Self::Level, at: Cell);

    /// The game's own editor commands for this draft.
    fn commands() -> &'static [Command] {
        &[]
    }

    /// Runs one; says what it did, or why not.
    fn command(_level: &mut Self::Level, id: &str, _seed: u64) -> Result<String, String> {
        Err(format!("there is no editor command {id}"))
    }
}

// -------------------------------------------------------------------------------------------------------------------- the view

/// A key as a game sees it. The window maps arrows and WASD to `Dir`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// An arrow key or one of WASD.
    Dir(crate::grid::Dir),
    /// Space or Enter: pick up, let go, choose.
    Act,
    /// Escape: let go of what is in hand.
    Cancel,
    /// Tab-like: the next (`true`) or previous piece.
    Next(bool),
    /// Turn the piece in hand clockwise (`true`) or back.
    Turn(bool),
    /// Mirror the piece in hand.
    Mirror,
    /// Another letter or digit.
    Char(char),
}

/// What the player does, in board units: cell (x, y) is the square from (x, y) to (x+1, y+1).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Input {
    /// The pointer moves with no button down; `None` when it leaves.
    Hover(Option<Point>),
    /// The main button goes down.
    Press(Point),
    /// The pointer moves while it is down. Several may come in one frame.
    Drag(Point),
    /// The button is let go.
    Release(Point),
    /// The wheel is turned by this many notches.
    Wheel(f32),
    /// A key goes down.
    Key(Key),
}

/// What became of an input.
#[derive(Clone, PartialEq, Debug)]
pub struct Reaction<M> {
    /// Moves to make, in order; the first refused one ends the list.
    pub moves: Vec<M>,
    /// Whether the input meant something here. An unused key may mean something to the window.
    pub used: bool,
    /// A short sentence for the player ("locked: 2 more cats").
    pub say: Option<String>,
}

impl<M> Reaction<M> {
    /// It meant nothing.
    pub fn ignored() -> Reaction<M> {
        Reaction { moves: Vec::new(), used: false, say: None }
    }

    /// It changed the view's own state only.
    pub fn used() -> Reaction<M> {
        Reaction { moves: Vec::new(), used: true, say: None }
    }

    /// It makes moves.
    pub fn moves(moves: Vec<M>) -> Reaction<M> {
        Reaction { moves, used: true, say: None }
    }

    /// It says something.
    pub fn say(text: impl Into<String>) -> Reaction<M> {
        Reaction { moves: Vec::new(), used: true, say: Some(text.into()) }
    }
}

/// A move on its way.
pub struct Motion<'a, G: Game> {
    /// The state before it.
    pub from: &'a G::State,
    /// The move.
    pub mv: &'a G::Move,
    /// How far, from 0 to 1.
    pub t: f32,
}

/// All that goes into a picture of a board.
pub struct Scene<'a, G: View> {
    /// The level.
    pub level: &'a G::Level,
    /// The position; `None` draws the draft as the editor shows it.
    pub state: Option<&'a G::State>,
    /// Cursor, hover, piece in hand; `None` in thumbnails and exports.
    pub ui: Option<&'a G::Ui>,
    /// The move being shown, if it is still on its way.
    pub motion: Option<Motion<'a, G>>,
    /// The colours of the theme.
    pub colours: &'a Colours,
    /// Pixels a cell: small pictures leave out detail.
    pub cell_px: f32,
}

/// A hint: places to light, and words.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Hint {
    /// Where to look.
    pub spots: Vec<Spot>,
    /// What to say.
    pub text: String,
}

/// A choice offered beside the board in play (an opponent's strength): a move with a label.
#[derive(Clone, PartialEq, Debug)]
pub struct Offer<M> {
    /// What the button says.
    pub label: String,
    /// Whether it is the one in force.
    pub chosen: bool,
    /// The move it makes.
    pub mv: M,
}

/// How a game is drawn, and how pointer and keys become moves. No egui here.
pub trait View: Game {
    /// What belongs neither to the file nor to undo: cursor, hover, piece in hand.
    type Ui: Clone + Debug + Default + Send + 'static;

    /// The part of the plane that a board needs, in board units; a tray beside the board is within it.
    fn extent(level: &Self::Level) -> Area {
        let size = Self::size(level);
        Area::new(0.0, 0.0, f32::from(size.w), f32::from(size.h))
    }

    /// Draws a scene.
    fn draw(picture: &mut Picture, scene: &Scene<'_, Self>);

    /// Draws an ink in the unit square, for the palette and under the brush.
    fn draw_ink(picture: &mut Picture, level: &Self::Level, ink: Ink, colours: &Colours);

    /// The spot under a point of the board.
    fn spot_at(level: &Self::Level, point: Point) -> Option<Spot> {
        let cell = point.cell();
        Self::size(level).contains(cell).then(|| cell.into())
    }

    /// All spots, in the order a screen reader meets them.
    fn spots(level: &Self::Level) -> Vec<Spot> {
        Self::size(level).cells().map(Spot::from).collect()
    }

    /// The square around a spot that is lit when something points at it.
    fn spot_area(_level: &Self::Level, spot: Spot) -> Area {
        Area::new(f32::from(spot.cell.x), f32::from(spot.cell.y), 1.0, 1.0)
    }

    /// What is at a spot, in words: "red domino a, locked".
    fn describe(level: &Self::Level, state: Option<&Self::State>, spot: Spot) -> String;

    /// Turns an input into moves or a change of the view's own state.
    fn input(level: &Self::Level, state: &Self::State, ui: &mut Self::Ui, input: &Input) -> Reaction<Self::Move>;

    /// How long a move takes to show, in seconds.
    fn motion_seconds(_level: &Self::Level, _from: &Self::State, _mv: &Self::Move) -> f32 {
        0.12
    }

    /// What to say and light for the next good move: stage 0 the area, 1 the piece, 2 the move itself.
    fn hint(level: &Self::Level, state: &Self::State, mv: &Self::Move, stage: u8) -> Hint;

    /// Short sentences about the position beside the counts ("your turn", "12 moves left").
    fn notices(_level: &Self::Level, _state: &Self::State) -> Vec<String> {
        Vec::new()
    }

    /// The move that is made for a player who takes longer than this many seconds over a turn, in games played against a clock.
    fn clock(_level: &Self::Level, _state: &Self::State) -> Option<(f32, Self::Move)> {
        None
    }

    /// Choices offered in play.
    fn offers(_level: &Self::Level, _state: &Self::State) -> Vec<Offer<Self::Move>> {
        Vec::new()
    }
}

/// A whole game.
pub trait Puzzle: Solve + Generate + Edit + View {}
impl<G: Solve + Generate + Edit + View> Puzzle for G {}

/// The size of a board given as rows of characters, or what is wrong with them: none, unequal, too large.
pub fn board_size(rows: &[String], largest: Size) -> Result<Size, BoardFault> {
    let w = rows.first().map_or(0, |r| r.chars().count());
    if w == 0 {
        return Err(BoardFault::new("the board has no cells"));
    }
    if w > largest.w as usize || rows.len() > largest.h as usize {
        let text = format!("a board of {w} x {} is too large: at most {} x {}", rows.len(), largest.w, largest.h);
        return Err(BoardFault::at(0, 0, text));
    }
    for (y, row) in rows.iter().enumerate() {
        let len = row.chars().count();
        if len != w {
            return Err(BoardFault::at(y, len.min(w), format!("this row has {len} cells, the first has {w}")));
        }
    }
    Ok(Size::new(w as u16, rows.len() as u16))
}
