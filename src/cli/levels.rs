//! The levels that a command is about, as an iterator that opens files as it goes.

use super::batch::Spread;
use crate::{
    analysis::Report,
    disk::{FileError, Levels, Loaded},
    document::{AnyGame, Doc},
    game::{Param, Problem, Severity, Value},
    grid::Spot,
    job::{Job, Mode, Probe, Stop},
};
use clap::Args;
use std::{
    collections::BTreeSet,
    io::IsTerminal as _,
    num::NonZero,
    path::{Path, PathBuf},
    sync::Mutex,
    time::Duration,
};

/// Files and the level in them.
#[derive(Args)]
pub(super) struct Files {
    /// Levels, collections, packs or folders
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Only the N-th level (from 1) of each file
    #[arg(long, value_name = "N")]
    pub(super) index: Option<NonZero<usize>>,
}

pub(super) type Level = Result<Loaded, FileError>;

/// Levels that are read one after the other, and the name for them in messages.
pub(super) struct Piece {
    pub(super) name: String,
    pub(super) levels: Box<dyn Iterator<Item = Level> + Send>,
}

impl Files {
    /// The levels, in order.
    pub(super) fn levels(&self) -> impl Iterator<Item = Level> + Send {
        let index = self.index.map(NonZero::get);
        self.files.clone().into_iter().flat_map(move |path| -> Box<dyn Iterator<Item = Level> + Send> {
            match index {
                None => Box::new(Levels::new([path])),
                Some(index) => Box::new(picked(path, index)),
            }
        })
    }

    /// The levels that are this run's, in pieces that can be read at the same time. Levels are numbered through where a run takes only some of them, so that
    /// each is a piece of its own there, read in its turn.
    pub(super) fn pieces<'a>(&'a self, spread: &'a Spread) -> Box<dyn Iterator<Item = Piece> + Send + 'a> {
        if self.index.is_none() && spread.shard.is_none() {
            let of_file = |levels: Levels| Piece {
                name: levels.next_file().map_or_else(String::new, |f| f.display().to_string()),
                levels: Box::new(levels),
            };
            Box::new(Levels::new(self.files.clone()).in_pieces().map(of_file))
        } else {
            let alone = |level| Piece { name: name(&level), levels: Box::new(std::iter::once(level)) };
            Box::new(self.shared(spread).map(alone))
        }
    }

    /// The levels that are this run's.
    pub(super) fn shared(&self, spread: &Spread) -> impl Iterator<Item = Level> + Send {
        let spread = spread.clone();
        (0..).zip(self.levels()).filter(move |(n, _)| spread.mine(*n)).map(|(_, level)| level)
    }
}

/// The level with this number, or the trouble that there is none.
fn picked(path: PathBuf, index: usize) -> impl Iterator<Item = Level> + Send {
    let mut levels = Levels::new([path.clone()]);
    let (mut found, mut most, mut over) = (false, 0, false);
    std::iter::from_fn(move || {
        if over {
            return None;
        }
        for level in levels.by_ref() {
            match &level {
                Ok(loaded) => most = most.max(loaded.index),
                // A bad file of a pack matters only if it is the one asked for.
                Err(e) if e.path != path && !path.is_dir() && most + 1 != index => {
                    most += 1;
                    continue;
                }
                Err(_) => {}
            }
            if level.as_ref().map_or(true, |l| l.index == index) {
                found = true;
                // A folder goes on with its next file; anything else has no second level of this number.
                over = !path.is_dir();
                return Some(level);
            }
        }
        over = true;
        let text = format!("there is no level {index} in it: it has {most}");
        (!found).then(|| Err(FileError::new(&path, text)))
    })
}

/// The one level that a command is about.
pub(super) fn one(path: &Path, index: Option<NonZero<usize>>) -> Result<Loaded, String> {
    let files = Files { files: vec![path.into()], index };
    let mut levels = files.levels();
    let first = levels.next().ok_or_else(|| format!("{}: there is no level in it", path.display()))?;
    let first = first.map_err(|e| e.to_string())?;
    if index.is_none() && levels.next().is_some() {
        return Err(format!("{}: it holds several levels: choose one with --index", path.display()));
    }
    Ok(first)
}

/// How a level is named in messages.
pub(super) fn name(level: &Level) -> String {
    match level {
        Ok(l) if l.index == 1 => l.file.display().to_string(),
        Ok(l) => format!("{}, level {}", l.file.display(), l.index),
        Err(e) => e.path.display().to_string(),
    }
}

/// The heading of a level in text for people.
pub(super) fn heading(file: &str, index: usize, title: &str) -> String {
    match title {
        "" => format!("{file} #{index}"),
        title => format!("{file} #{index} \"{title}\""),
    }
}

/// Finds a parameter and reads its value.
pub(super) fn parse_value(params: &[Param], name: &str, value: &str, what: &str) -> Result<Value, String> {
    let Some(param) = params.iter().find(|p| p.name == name) else {
        let known: Vec<_> = params.iter().map(|p| p.name).collect();
        let known = if known.is_empty() { "none".into() } else { known.join(", ") };
        return Err(format!("there is no {what} \"{name}\"; there are {known}"));
    };
    param.parse(value)
}

/// Overrides rule switches of a level.
pub(super) fn set_rules(doc: &mut dyn Doc, settings: &[(String, String)]) -> Result<(), String> {
    for (name, value) in settings {
        let value = parse_value(&doc.game().rules(), name, value, "rule")?;
        doc.set_rule(name, &value)?;
    }
    Ok(())
}

/// The number of a goal; the first unless one is named.
pub(super) fn goal(doc: &dyn Doc, name: Option<&str>) -> Result<usize, String> {
    let goals = doc.game().goals();
    let Some(name) = name else { return Ok(0) };
    goals.iter().position(|g| g.id.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let known: Vec<_> = goals.iter().map(|g| g.id).collect();
        format!("{} has no goal \"{name}\"; it has {}", doc.game().info().name, known.join(", "))
    })
}

/// Problems for people, a line each.
pub(super) fn problem_text(problems: &[Problem]) -> String {
    let mut text = String::new();
    for p in problems {
        let severity = if p.severity == Severity::Error { "error" } else { "warning" };
        text += &format!("\n    {severity}: {}", p.text);
        let place = |s: &Spot| s.numbers().iter().map(i32::to_string).collect::<Vec<_>>().join(",");
        let cells: Vec<_> = p.spots.iter().take(8).map(place).collect();
        if !cells.is_empty() {
            let more = if p.spots.len() > 8 { " …" } else { "" };
            text += &format!(" (at {}{more})", cells.join("  "));
        }
    }
    text
}

/// What games prepare once before their solvers are at their best. It is kept by the game, so the next run has it at once.
#[derive(Args)]
pub(super) struct Preparing {
    /// Do not compute what a game's solver keeps for later runs (large tables); answers are right without it, but slower
    #[arg(long)]
    no_prepare: bool,
    #[arg(skip)]
    tried: Mutex<BTreeSet<&'static str>>,
}

/// Nodes of the search that decides whether preparing is worth it.
const SHORT: u64 = 50_000;

impl Preparing {
    /// Solves a level. Where it would be better off with what its game prepares, a short search comes first; only if that leaves the question open,
    /// and the limits can hold it, it is prepared, on the level's clock. Levels that are solved at the same time do without.
    pub(super) fn solve(&self, doc: &dyn Doc, goal: usize, probe: &mut Probe) -> Report {
        let wanted = !self.no_prepare && probe.mode() != Mode::Reproducible && doc.gains_from_preparing(goal);
        if wanted && let Ok(mut tried) = self.tried.try_lock() {
            let mut part = probe.part(SHORT);
            let report = doc.solve_now(goal, &mut part);
            if report.stopped_by() != Some(Stop::Nodes) {
                return report;
            }
            probe.absorb(&part);
            if tried.insert(doc.game().info().id) {
                prepare(doc.game(), probe);
            }
        }
        doc.solve_now(goal, probe)
    }
}

/// Prepares what a game keeps, and says so to people once it has really begun. It is never needed for a right answer: if it is stopped, or not begun
/// because the limits cannot hold it, the solver does without.
fn prepare(game: &'static dyn AnyGame, probe: &mut Probe) {
    let mut limits = probe.limits();
    limits.time = limits.time.map(|t| t.saturating_sub(probe.elapsed()));
    let job = Job::spawn(limits, || (), move |p| game.prepare(p));
    let mut said = !std::io::stderr().is_terminal();
    while !job.ended() {
        if probe.check().is_err() {
            job.cancel();
        }
        if !said && !job.progress().note.is_empty() {
            said = true;
            eprintln!("building {}, once", game.prepares().unwrap_or("tables"));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
