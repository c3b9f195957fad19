//! The commands: everything the program does without a window. Names no game.
//!
//! One file a command. What they share is here: the arguments, the exit code ([`Exit`]), the way results leave ([`Shell`]: one JSON object a
//! line or text for people on standard output, everything else on standard error) and Ctrl-C. `batch.rs` spreads work over threads and
//! keeps the order. Nothing that comes from outside panics here, and if a game panics all the same, that is one line and exit code 2.

mod batch;
mod check;
mod convert;
mod games;
mod generate;
mod levels;
mod play;
mod rate;
mod replay;
mod solve;

use crate::analysis::grouped;
use clap::{Args, CommandFactory as _, Parser, Subcommand};
use serde::Serialize;
use std::{
    cell::Cell,
    ffi::OsString,
    io::{self, Write as _},
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    process::ExitCode,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// A workshop for tile puzzles: play, draw, generate, solve, and step through the solution.
///
/// Without a command the window opens. FILE is a level, a collection, a pack (pack.ron) or a folder of levels, in any format the program reads.
/// Exit codes: 0 done; 1 the answer is no (unsolvable, problems found, a move refused); 2 bad use or bad input; 3 stopped at a limit.
#[derive(Parser)]
#[command(name = "tilewright", version = env!("TILEWRIGHT_VERSION"), max_term_width = 110)]
#[command(args_conflicts_with_subcommands = true)]
struct Cli {
    /// Files to open in the window
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Open the window, with files
    Open {
        /// The files to open
        #[arg(value_name = "FILE")]
        files: Vec<PathBuf>,
    },
    /// List the games with their goals, presets and parameters
    Games(games::GamesArgs),
    /// Say what is wrong with levels
    Check(check::CheckArgs),
    /// Solve levels
    Solve(solve::SolveArgs),
    /// Replay a line of moves through the rules
    Replay(replay::ReplayArgs),
    /// Make levels from seeds
    Generate(generate::GenerateArgs),
    /// Say how hard levels are
    Rate(rate::RateArgs),
    /// Write levels in another format
    Convert(convert::ConvertArgs),
    /// Let a model player play against an opponent, to measure the balance
    Play(play::PlayArgs),
    /// Print the completions for a shell
    #[command(hide = true)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// How results are printed.
#[derive(Args, Clone, Copy)]
struct Style {
    /// Print one JSON object a line on standard output, and nothing else there
    #[arg(long)]
    json: bool,
}

/// What a command says to whoever started it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Done, and the answer is yes where there was a question.
    Done,
    /// The answer is no.
    No,
    /// Stopped at a limit.
    Stopped,
    /// Bad use or bad input.
    Bad,
}

impl Exit {
    /// The number for the operating system.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::No => 1,
            Exit::Bad => 2,
            Exit::Stopped => 3,
        }
    }

    /// The worse of two, in the order 2, 3, 1, 0.
    pub fn worse(self, other: Exit) -> Exit {
        if self as u8 >= other as u8 { self } else { other }
    }
}

/// Where results go, and what is known about the run as a whole.
struct Shell {
    json: bool,
    exit: Exit,
    cancel: Arc<AtomicBool>,
    /// Nobody reads any more: the rest is not worth computing.
    closed: bool,
    bar: Option<indicatif::ProgressBar>,
}

impl Shell {
    fn new(style: Style, cancel: &Arc<AtomicBool>) -> Shell {
        Shell { json: style.json, exit: Exit::Done, cancel: cancel.clone(), closed: false, bar: None }
    }

    /// Prints a result.
    fn result(&mut self, object: &impl Serialize, text: impl FnOnce() -> String) {
        match rendered(self.json, object, text) {
            Ok(text) => self.print(&text),
            Err(text) => self.complain(&text),
        }
    }

    fn print(&mut self, text: &str) {
        if self.closed {
            return;
        }
        let write = || {
            let mut out = io::stdout().lock();
            writeln!(out, "{text}").and_then(|()| out.flush())
        };
        let written = match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        };
        if let Err(e) = written {
            self.closed = true;
            self.cancel.store(true, Ordering::Relaxed);
            // A reader that has seen enough (`head`) is no fault.
            if e.kind() != io::ErrorKind::BrokenPipe {
                self.complain(&format!("standard output cannot be written: {e}"));
            }
        }
    }

    /// One sentence on standard error; the run is bad from now on.
    fn complain(&mut self, text: &str) {
        self.worsen(Exit::Bad);
        self.note(text);
    }

    /// A piece that has no result, and why. Nothing where nobody reads any more: then the end of the run may be the only reason.
    fn no_result(&mut self, exit: Exit, text: &str) {
        if !self.closed {
            self.worsen(exit);
            self.note(text);
        }
    }

    /// One sentence on standard error.
    fn note(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(text)),
            None => say(text),
        }
    }

    fn worsen(&mut self, exit: Exit) {
        // What was cut off only because nobody reads is not held against the run.
        if !self.closed || exit == Exit::Bad {
            self.exit = self.exit.worse(exit);
        }
    }

    fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

fn say(text: &str) {
    // Standard error may be closed: then there is nobody to tell.
    let _ = writeln!(io::stderr(), "tilewright: {}", visible(text));
}

/// A result as it is printed: an object for machines or a text (of one or more lines) for people.
fn rendered(json: bool, object: &impl Serialize, text: impl FnOnce() -> String) -> Result<String, String> {
    match json {
        true => serde_json::to_string(object).map_err(|e| format!("the result cannot be written as JSON: {e}")),
        false => Ok(visible(&text())),
    }
}

/// A text for a terminal: titles and names from files may hold control characters, which a terminal would carry out.
fn visible(text: &str) -> String {
    let shown =
        |c: char| c == '\n' || !(c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'));
    text.chars().fold(String::with_capacity(text.len()), |mut line, c| {
        if shown(c) {
            line.push(c)
        } else {
            line.extend(c.escape_unicode())
        }
        line
    })
}

/// Bad use of a command, as a sentence.
type Use<T> = Result<T, String>;

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    ExitCode::from(run(std::env::args_os()))
}

/// Runs the program with these arguments, the first of which is its name; the exit code.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(e) => {
            // Help and version go to standard output and are no fault.
            let _ = e.print();
            return if e.use_stderr() { Exit::Bad.code() } else { Exit::Done.code() };
        }
    };
    let command = match cli.command {
        None => {
            // A mistyped command would otherwise open a window to say so.
            if let Some(missing) = cli.files.iter().find(|f| !f.exists()) {
                say(&format!("{} is neither a command nor a file: see `tilewright help`", missing.display()));
                return Exit::Bad.code();
            }
            return window(cli.files);
        }
        Some(Command::Open { files }) => return window(files),
        Some(command) => command,
    };
    quiet_panics();
    let cancel = watch_ctrl_c();
    let ran = catch_unwind(AssertUnwindSafe(|| match command {
        Command::Games(args) => games::run(&args, &cancel),
        Command::Check(args) => check::run(&args, &cancel),
        Command::Solve(args) => solve::run(&args, &cancel),
        Command::Replay(args) => replay::run(&args, &cancel),
        Command::Generate(args) => generate::run(&args, &cancel),
        Command::Rate(args) => rate::run(&args, &cancel),
        Command::Convert(args) => convert::run(&args, &cancel),
        Command::Play(args) => play::run(&args, &cancel),
        Command::Completions { shell } => completions(shell),
        Command::Open { .. } => Ok(Exit::Done),
    }));
    match ran {
        Ok(Ok(exit)) => exit.code(),
        Ok(Err(text)) => {
            say(&text);
            Exit::Bad.code()
        }
        Err(panic) => {
            say(&panic_line(&*panic));
            Exit::Bad.code()
        }
    }
}

fn completions(shell: clap_complete::Shell) -> Use<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tilewright", &mut script);
    io::stdout().write_all(&script).map(|()| Exit::Done).map_err(|e| format!("standard output: {e}"))
}

#[cfg(feature = "gui")]
fn window(files: Vec<PathBuf>) -> u8 {
    u8::try_from(crate::app::run(files)).unwrap_or(Exit::Bad.code())
}

#[cfg(not(feature = "gui"))]
fn window(_files: Vec<PathBuf>) -> u8 {
    say("this build has no window (feature gui); the commands are listed by `tilewright --help`");
    Exit::Bad.code()
}

/// The first Ctrl-C asks for what is known so far, the second does not wait for it.
fn watch_ctrl_c() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = cancel.clone();
    // Without a handler Ctrl-C ends the program as it always does: worse, but no reason not to run.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::SeqCst) {
            std::process::exit(i32::from(Exit::Stopped.code()));
        }
    });
    cancel
}

thread_local! {
    static PANICKED_AT: Cell<Option<String>> = const { Cell::new(None) };
}

/// A panic is caught around each level and told in one line: the place is remembered, the report that Rust prints is not wanted.
fn quiet_panics() {
    std::panic::set_hook(Box::new(|info| {
        PANICKED_AT.set(info.location().map(|l| format!(" ({}:{})", l.file(), l.line())));
    }));
}

fn panic_line(panic: &(dyn std::any::Any + Send)) -> String {
    let text = crate::job::panic_text(panic);
    let words: Vec<_> = text.split_whitespace().collect();
    let place = PANICKED_AT.take().unwrap_or_default();
    format!("internal error, please report it: {}{place}", words.join(" "))
}

/// Seconds as they are printed: microseconds are enough.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// Reads a whole number that may be grouped (`2,000,000`, `2_000_000`) or short (`2e6`).
fn parse_count(text: &str) -> Result<u64, String> {
    let plain: String = text.chars().filter(|c| !matches!(c, ',' | '_')).collect();
    if let Ok(n) = plain.parse() {
        return Ok(n);
    }
    match plain.parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 && x.fract() == 0.0 && x < 1e18 => Ok(x as u64),
        _ => Err("this takes a whole number".into()),
    }
}

/// Reads a number of seconds.
fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() && (0.0..=1e9).contains(&s) => Ok(s),
        _ => Err("this takes a number of seconds from 0".into()),
    }
}

/// Reads `name=value`.
fn parse_setting(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().into(), value.trim().into())),
        _ => Err("this takes name=value".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_worst_exit_wins_in_the_order_2_3_1_0() {
        let order = [Exit::Bad, Exit::Stopped, Exit::No, Exit::Done];
        assert_eq!(order.map(Exit::code), [2, 3, 1, 0]);
        for (i, a) in order.into_iter().enumerate() {
            for b in order.into_iter().skip(i) {
                assert_eq!((a.worse(b), b.worse(a)), (a, a));
            }
        }
    }

    #[test]
    fn numbers_are_grouped_and_read_back() {
        for n in [0, 999, 1000, 1_234_567] {
            assert_eq!(parse_count(&grouped(n)), Ok(n));
        }
        assert_eq!(grouped(1_234_567), "1,234,567");
        assert_eq!(parse_count("2e6"), Ok(2_000_000));
        for bad in ["", "-1", "1.5", "nan", "1e99", "x"] {
            assert!(parse_count(bad).is_err(), "{bad}");
        }
    }
}
