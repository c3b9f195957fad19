//! The draft: squares with digits, gaps and fixed tiles, and the rule switches.
//!
//! A draft may hold anything: no gap, a digit twice, a digit missing. [`Draft::problems`] says what is wrong with it. The target is
//! not stored, it follows from the draft: the digits in ascending order over the squares that are not fixed, row by row, gaps last.
//! In a file a row is written as words: a digit, `.` for a gap, `#` for a fixed tile.

use super::{
    Readout,
    field::Field,
    reach::{self, Verdict},
};
use crate::{
    game::{BoardFault, Draft, Info, NOWHERE, Param, Problem, Value, Values},
    grid::{Cell, Grid, Size, Sym, cell},
};
use serde::{Deserialize, Serialize};

/// The smallest board that can be played.
pub(super) const SMALLEST: Size = Size::new(3, 3);
/// The largest board, drafts included.
pub(super) const LARGEST: Size = Size::new(6, 6);
/// The largest digit there can be.
pub(super) const MOST: u8 = 36;

/// What a square holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Square {
    /// Nothing: a neighbouring tile can slide in.
    Gap,
    /// A neutral tile that the designer painted. It never moves.
    Fixed,
    /// A digit tile.
    Digit(u8),
}

/// What the opponent puts down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// On a digit tile beside a gap: it cannot slide.
    Pin,
    /// Into a gap: it is closed.
    Fill,
}

/// Who plays against the player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Opponent {
    /// Nobody.
    None,
    /// A rule of thumb.
    Easy,
    /// Minimax of depth 4.
    Medium,
    /// Alpha-beta with proven distances.
    Hard,
}

impl Opponent {
    /// All of them, from nobody to the strongest.
    pub const ALL: [Opponent; 4] = [Opponent::None, Opponent::Easy, Opponent::Medium, Opponent::Hard];
    /// Their names in files and commands, in the same order.
    pub const NAMES: [&'static str; 4] = ["none", "easy", "medium", "hard"];

    /// The name in files and commands.
    pub const fn name(self) -> &'static str {
        Opponent::NAMES[self as usize]
    }

    /// The opponent of a name, in any case.
    pub fn from_name(name: &str) -> Option<Opponent> {
        Opponent::ALL.into_iter().find(|o| o.name().eq_ignore_ascii_case(name))
    }

    /// How many obstacles it has, unless the level says otherwise.
    pub const fn budget(self) -> u16 {
        match self {
            Opponent::None => 0,
            Opponent::Easy => 4,
            Opponent::Medium => 8,
            Opponent::Hard => 12,
        }
    }

    /// How many of its turns lie between two obstacles, unless the level says otherwise.
    pub const fn cooldown(self) -> u16 {
        match self {
            Opponent::None => 0,
            Opponent::Easy => 4,
            Opponent::Medium => 3,
            Opponent::Hard => 1,
        }
    }
}

/// How many obstacles the opponent has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Budget {
    /// As many as are its own.
    Own,
    /// As many as it likes.
    Unlimited,
    /// This many.
    Count(u16),
}

/// The rule switches of a level.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Switches {
    /// What the opponent puts down.
    pub obstacle: Kind,
    /// How many of the player's turns an obstacle stays; 0: for ever.
    pub life: u16,
    /// How many obstacles the opponent has in the whole game.
    pub budget: Budget,
    /// How many of its turns must lie between two obstacles; `None` is the opponent's own number.
    pub cooldown: Option<u16>,
    /// How many obstacles may be on the board at once.
    pub at_once: u16,
    /// The player's last turn; `None` is without limit.
    pub move_limit: Option<u16>,
    /// Who plays against the player at the start.
    pub opponent: Opponent,
    /// Seconds for a turn of the player; 0 is without a clock.
    pub turn_clock: u16,
}

impl Default for Switches {
    fn default() -> Switches {
        Switches {
            obstacle: Kind::Pin,
            life: 1,
            budget: Budget::Own,
            cooldown: None,
            at_once: 1,
            move_limit: Some(60),
            opponent: Opponent::Medium,
            turn_clock: 0,
        }
    }
}

impl Switches {
    /// How many obstacles this opponent has; `None` is without limit.
    pub fn budget_of(&self, opponent: Opponent) -> Option<u16> {
        match self.budget {
            Budget::Own => Some(opponent.budget()),
            Budget::Unlimited => None,
            Budget::Count(n) => Some(n),
        }
    }

    /// How many turns of this opponent lie between two obstacles.
    pub fn cooldown_of(&self, opponent: Opponent) -> u16 {
        self.cooldown.unwrap_or(opponent.cooldown())
    }

    /// Whether there is an opponent that can put down an obstacle.
    pub(super) fn blocks(&self) -> bool {
        self.opponent != Opponent::None && self.budget_of(self.opponent) != Some(0)
    }

    /// The switches as parameters.
    pub(super) fn params() -> Vec<Param> {
        let number = |name, label, help, range: (i64, i64), words, default: Value| Param {
            kind: crate::game::Kind::Number { min: range.0, max: range.1, words },
            default,
            ..Param::number(name, label, help, range, range.0)
        };
        vec![
            Param {
                default: "medium".into(),
                ..Param::choice("opponent", "Opponent", "Who blocks the player at the start.", &Opponent::NAMES)
            },
            Param::choice(
                "obstacle",
                "Obstacle",
                "A pin holds a tile beside a gap; a fill closes a gap.",
                &["pin", "fill"],
            ),
            Param::number("life", "Life", "How many of the player's turns an obstacle stays; 0: for ever.", (0, 99), 1),
            number(
                "budget",
                "Budget",
                "How many obstacles the opponent has in the whole game; by default 4 (Easy), 8 (Medium) or 12 (Hard).",
                (0, 999),
                &["own", "unlimited"],
                "own".into(),
            ),
            number(
                "cooldown",
                "Cooldown",
                "How many turns the opponent must wait between two obstacles; by default 4 (Easy), 3 (Medium) or 1 (Hard).",
                (0, 99),
                &["own"],
                "own".into(),
            ),
            Param::number("at_once", "At once", "How many obstacles may be on the board at once.", (1, 36), 1),
            number(
                "move_limit",
                "Move limit",
                "The player's last turn: the board must be in order after it.",
                (1, 9999),
                &["unlimited"],
                60.into(),
            ),
            Param::number(
                "turn_clock",
                "Turn clock",
                "Seconds for a turn; after that the turn is a pass. 0: no clock.",
                (0, 600),
                0,
            ),
        ]
    }

    /// The switches as values.
    pub(super) fn values(&self) -> Values {
        let number = |n: u16| Value::Number(n.into());
        Values::default()
            .with("opponent", self.opponent.name())
            .with("obstacle", if self.obstacle == Kind::Pin { "pin" } else { "fill" })
            .with("life", number(self.life))
            .with(
                "budget",
                match self.budget {
                    Budget::Own => "own".into(),
                    Budget::Unlimited => "unlimited".into(),
                    Budget::Count(n) => number(n),
                },
            )
            .with("cooldown", self.cooldown.map_or("own".into(), number))
            .with("at_once", number(self.at_once))
            .with("move_limit", self.move_limit.map_or("unlimited".into(), number))
            .with("turn_clock", number(self.turn_clock))
    }

    /// Sets a switch. A name or value that is none of its own changes nothing.
    pub(super) fn set(&mut self, name: &str, value: &Value) {
        let fits = Switches::params().iter().any(|p| p.name == name && p.check(value).is_ok());
        if !fits {
            return;
        }
        // What the parameter accepts lies within 0..=9999.
        let number = match value {
            Value::Number(n) => Some(*n as u16),
            _ => None,
        };
        let word = match value {
            Value::Word(w) => w.as_str(),
            _ => "",
        };
        match name {
            "opponent" => self.opponent = Opponent::from_name(word).unwrap_or(self.opponent),
            "obstacle" => self.obstacle = if word == "fill" { Kind::Fill } else { Kind::Pin },
            "life" => self.life = number.unwrap_or(self.life),
            "budget" => {
                self.budget = match number {
                    Some(n) => Budget::Count(n),
                    None if word == "unlimited" => Budget::Unlimited,
                    None => Budget::Own,
                }
            }
            "cooldown" => self.cooldown = number,
            "at_once" => self.at_once = number.unwrap_or(self.at_once),
            "move_limit" => self.move_limit = number,
            "turn_clock" => self.turn_clock = number.unwrap_or(self.turn_clock),
            _ => (),
        }
    }
}

/// A draft: the squares and the rule switches.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    /// What each square holds at the start.
    pub squares: Grid<Square>,
    /// The rule switches.
    pub rules: Switches,
}

/// The level in a file: rows of words, each a digit, `.` (a gap) or `#` (a fixed tile).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The rows, from the top.
    pub board: Vec<String>,
}

impl Level {
    /// The board in target order: digits 1 to n row by row, the gaps last.
    pub fn in_order(size: Size, gaps: usize) -> Level {
        let digits = size.area().saturating_sub(gaps);
        let squares = Grid::from_fn(size, |c| match size.index(c) {
            i if i < digits => Square::Digit(i as u8 + 1),
            _ => Square::Gap,
        });
        Level { squares, rules: Switches::default() }
    }

    /// The digits of the draft in ascending order, each as often as it is there.
    pub fn digits(&self) -> Vec<u8> {
        digits(&self.squares)
    }

    /// The board it is to become.
    pub fn target(&self) -> Grid<Square> {
        target(&self.squares)
    }

    /// The same with other switches.
    pub fn with_rules(mut self, change: impl FnOnce(&mut Switches)) -> Level {
        change(&mut self.rules);
        self
    }

    fn cells_of(&self, digit: u8) -> Vec<Cell> {
        self.squares.iter().filter(|(_, s)| **s == Square::Digit(digit)).map(|(c, _)| c).collect()
    }

    fn twice(&self) -> Option<Problem> {
        let digits = self.digits();
        let mut again: Vec<u8> = digits.windows(2).filter(|w| w[0] == w[1]).map(|w| w[0]).collect();
        again.dedup();
        let cells: Vec<Cell> = again.iter().flat_map(|d| self.cells_of(*d)).collect();
        let text = format!("more than one tile has the digit {}", list(&again));
        (!again.is_empty()).then(|| Problem::error(cells, text).mended_by("renumber"))
    }

    fn missing(&self, digits: &[u8]) -> Option<Problem> {
        let n = digits.len() as u8;
        let missing: Vec<u8> = (1..=n).filter(|d| !digits.contains(d)).collect();
        let beyond: Vec<u8> = digits.iter().copied().filter(|d| *d > n).collect();
        let cells: Vec<Cell> = beyond.iter().flat_map(|d| self.cells_of(*d)).collect();
        let text = format!("{n} tiles need the digits 1 to {n}: {} missing", are(&missing));
        (!missing.is_empty()).then(|| Problem::error(cells, text).mended_by("renumber"))
    }

    fn unsortable(&self) -> Option<Problem> {
        let (field, board) = Field::of(&self.squares)?;
        let Verdict::No(why) = reach::verdict(&field, &board) else { return None };
        let cells: Vec<Cell> = match why {
            reach::Why::Parity => {
                let swap = super::reasons::plainest_swap(&field, &board);
                swap.into_iter().flat_map(|(a, b)| [field.size.cell(a), field.size.cell(b)]).collect()
            }
            _ => self
                .squares
                .iter()
                .zip(self.target().values())
                .filter(|((_, a), b)| a != b)
                .map(|((c, _), _)| c)
                .collect(),
        };
        let mend = if reach::mending_swap(&field, &board).is_some() { "swap" } else { "shuffle" };
        Some(Problem::error(cells, format!("these tiles can never be put in order: {}", why.text())).mended_by(mend))
    }

    fn warnings(&self) -> Vec<Problem> {
        let mut out = Vec::new();
        if self.squares == self.target() {
            let text = "the board is in order already: a practice board, won only by sliding away and back";
            out.push(Problem::warning(NOWHERE, text).mended_by("shuffle"));
        }
        let least = Field::of(&self.squares).map_or(0, |(field, board)| field.manhattan(&board));
        if self.rules.move_limit.is_some_and(|limit| u32::from(limit) < least) {
            let text = format!("the tiles have {least} squares to go, more than the move limit allows");
            out.push(Problem::warning(displaced(&self.squares), text).mended_by("swap"));
        }
        let gaps: Vec<Cell> = self.squares.iter().filter(|(_, s)| **s == Square::Gap).map(|(c, _)| c).collect();
        let Switches { obstacle, life, opponent, .. } = self.rules;
        let room = self.rules.budget_of(opponent).is_none_or(|b| usize::from(b) >= gaps.len());
        let freezes = room && usize::from(self.rules.at_once) >= gaps.len();
        if obstacle == Kind::Fill && life == 0 && opponent != Opponent::None && freezes {
            let text = "the opponent can close every gap for ever: then both pass and it is a draw";
            out.push(Problem::warning(gaps, text));
        }
        out
    }

    /// The draft in the mirror of the main diagonal, its digits renamed so that the target is the target again.
    fn transposed(&self) -> Option<Level> {
        let size = self.squares.size();
        if size.w != size.h {
            return None;
        }
        // Digits are renamed by home: the tile at home on c becomes the tile at home on c's mirror image. That is a renaming only if
        // the places of the gaps go over into themselves.
        let target = self.target();
        let there = super::level::target(&self.squares.turned(Sym::TRANSPOSE));
        let mut names = [None; 256];
        for (c, square) in target.iter() {
            match (*square, there[Sym::TRANSPOSE.cell(c, size)]) {
                (Square::Digit(a), Square::Digit(b)) => names[usize::from(a)] = Some(b),
                (a, b) if a == b => (),
                _ => return None,
            }
        }
        let renamed = Grid::from_fn(size, |c| match self.squares[c] {
            Square::Digit(d) => names[usize::from(d)].map(Square::Digit),
            other => Some(other),
        });
        if renamed.values().contains(&None) {
            return None;
        }
        let squares = renamed.turned(Sym::TRANSPOSE);
        let squares = Grid::from_fn(size, |c| squares[c].unwrap_or(Square::Gap));
        Some(Level { squares, rules: self.rules })
    }
}

/// The tiles that are not where they belong.
pub(super) fn displaced(squares: &Grid<Square>) -> Vec<Cell> {
    let target = target(squares);
    squares.iter().filter(|(c, s)| matches!(s, Square::Digit(_)) && target[*c] != **s).map(|(c, _)| c).collect()
}

impl Draft for Readout {
    const INFO: Info = super::INFO;
    type Level = Level;
    type File = File;

    fn size(level: &Level) -> Size {
        level.squares.size()
    }

    fn problems(level: &Level) -> Vec<Problem> {
        let size = level.squares.size();
        let mut errors = Vec::new();
        if size.w < SMALLEST.w || size.h < SMALLEST.h {
            let text = format!("a board of {} x {} is too small: at least 3 x 3", size.w, size.h);
            errors.push(Problem::error(NOWHERE, text));
        }
        if !level.squares.values().contains(&Square::Gap) {
            errors.push(Problem::error(NOWHERE, "there is no gap: no tile can slide"));
        }
        let digits = level.digits();
        if digits.is_empty() {
            errors.push(Problem::error(NOWHERE, "there is no digit tile"));
        }
        errors.extend(level.twice());
        errors.extend(level.missing(&digits));
        if !errors.is_empty() {
            return errors;
        }
        errors.extend(level.unsortable());
        let mut warnings = level.warnings();
        errors.append(&mut warnings);
        errors
    }

    fn rules() -> Vec<Param> {
        Switches::params()
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
        File { board: rows(level.squares.size(), |c| word(level.squares[c])) }
    }
    fn from_file(file: File) -> Result<Level, BoardFault> {
        from_rows(&file.board).map(|squares| Level { squares, rules: Switches::default() })
    }
}

/// The digits on a board in ascending order.
pub(super) fn digits(squares: &Grid<Square>) -> Vec<u8> {
    let digit = |s: &Square| if let Square::Digit(d) = s { Some(*d) } else { None };
    let mut digits: Vec<u8> = squares.values().iter().filter_map(digit).collect();
    digits.sort_unstable();
    digits
}

/// What a board is to become: digits ascending over the squares that are not fixed, gaps last.
pub(super) fn target(squares: &Grid<Square>) -> Grid<Square> {
    let mut digits = digits(squares).into_iter();
    Grid::from_fn(squares.size(), |c| match squares[c] {
        Square::Fixed => Square::Fixed,
        _ => digits.next().map_or(Square::Gap, Square::Digit),
    })
}

/// Whether a board without doubles is its own target: digits ascending, then gaps.
pub(super) fn is_in_order(squares: &Grid<Square>) -> bool {
    let mut last = 0;
    squares.values().iter().all(|square| match square {
        Square::Fixed => true,
        Square::Gap => {
            last = u8::MAX;
            true
        }
        Square::Digit(d) => std::mem::replace(&mut last, *d) < *d,
    })
}

fn list(digits: &[u8]) -> String {
    digits.iter().map(u8::to_string).collect::<Vec<_>>().join(", ")
}

fn are(digits: &[u8]) -> String {
    format!("{} {}", list(digits), if digits.len() == 1 { "is" } else { "are" })
}

/// A square as a word of a file.
pub(super) fn word(square: Square) -> String {
    match square {
        Square::Gap => ".".into(),
        Square::Fixed => "#".into(),
        Square::Digit(d) => d.to_string(),
    }
}

/// Rows of words, right-aligned in columns.
pub(super) fn rows(size: Size, word: impl Fn(Cell) -> String) -> Vec<String> {
    let width = size.cells().map(|c| word(c).chars().count()).max().unwrap_or(1);
    let row = |y| (0..size.w as i16).map(|x| format!("{:>width$}", word(cell(x, y)))).collect::<Vec<_>>().join(" ");
    (0..size.h as i16).map(row).collect()
}

/// The words of a row with the column (in characters) at which each begins.
fn words(row: &str) -> Vec<(usize, &str)> {
    let mut out = Vec::new();
    let mut start = None;
    for (column, (at, letter)) in row.char_indices().enumerate() {
        match (letter.is_whitespace(), start) {
            (false, None) => start = Some((column, at)),
            (true, Some((c, from))) => {
                out.push((c, &row[from..at]));
                start = None;
            }
            _ => (),
        }
    }
    if let Some((c, from)) = start {
        out.push((c, &row[from..]));
    }
    out
}

/// Reads rows of words.
pub(super) fn from_rows(rows: &[String]) -> Result<Grid<Square>, BoardFault> {
    // A row of a board that fits is short, however generously it is spaced; looked at before anything is split or allocated.
    if rows.len() > usize::from(LARGEST.h) {
        return Err(BoardFault::at(usize::from(LARGEST.h), 0, format!("a board has at most {} rows", LARGEST.h)));
    }
    if let Some(y) = rows.iter().position(|r| r.len() > 400) {
        return Err(BoardFault::at(y, 0, "this row is too long"));
    }
    let split: Vec<_> = rows.iter().map(|r| words(r)).collect();
    let w = split.first().map_or(0, Vec::len);
    if w == 0 {
        return Err(BoardFault::new("the board has no cells"));
    }
    let mut squares = Grid::filled(Size::new(w.min(usize::from(LARGEST.w)) as u16, rows.len() as u16), Square::Gap);
    for (y, row) in split.iter().enumerate() {
        if row.len() > usize::from(LARGEST.w) {
            let (column, _) = row[usize::from(LARGEST.w)];
            return Err(BoardFault::at(y, column, format!("a row has at most {} squares", LARGEST.w)));
        }
        if row.len() != w {
            let column = row.get(w).map_or_else(|| rows[y].chars().count(), |(c, _)| *c);
            return Err(BoardFault::at(y, column, format!("this row has {} squares, the first has {w}", row.len())));
        }
        for (x, (column, word)) in row.iter().enumerate() {
            squares[cell(x as i16, y as i16)] = match *word {
                "." => Square::Gap,
                "#" => Square::Fixed,
                digits => match digits.parse::<u8>() {
                    Ok(d @ 1..=MOST) => Square::Digit(d),
                    _ => {
                        let text = format!(
                            "\"{digits}\" is neither a digit from 1 to {MOST}, nor a gap '.', nor a fixed tile '#'"
                        );
                        return Err(BoardFault::at(y, *column, text));
                    }
                },
            };
        }
    }
    Ok(squares)
}
