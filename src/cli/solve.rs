//! `solve`: a line, a proof, or how far it came.

use super::{
    Exit, Shell, Style, Use, batch, grouped,
    levels::{self, Files, Level, ProblemLine},
    parse_count, parse_seconds, parse_setting, rounded,
};
use crate::{
    document::Report,
    job::{Limits, Mode, Probe},
};
use clap::Args;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    num::NonZero,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

/// What a search may use.
#[derive(Args, Clone, Copy)]
pub(super) struct LimitArgs {
    /// Seconds a level
    #[arg(long, value_name = "S", value_parser = parse_seconds, default_value = "60")]
    time: f64,
    /// Nodes a level: the only limit that is the same on every machine
    #[arg(long, value_name = "N", value_parser = parse_count)]
    nodes: Option<u64>,
    /// Megabytes of search tables a level
    #[arg(long, value_name = "MB", value_parser = parse_count, default_value = "2048")]
    memory: u64,
}

impl LimitArgs {
    fn limits(self) -> Limits {
        let memory = Some(self.memory.saturating_mul(1 << 20));
        Limits { nodes: self.nodes, time: Some(Duration::from_secs_f64(self.time)), memory }
    }
}

#[derive(Args)]
pub(super) struct SolveArgs {
    #[command(flatten)]
    files: Files,
    /// What to solve for (see `games`); the game's first goal unless given
    #[arg(long, value_name = "G")]
    goal: Option<String>,
    /// Override a rule switch of the level
    #[arg(long = "set", value_name = "RULE=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    preparing: levels::Preparing,
    #[command(flatten)]
    style: Style,
    #[command(flatten)]
    spread: batch::Spread,
}

#[derive(Serialize)]
struct Line {
    file: String,
    index: usize,
    title: String,
    game: &'static str,
    goal: &'static str,
    outcome: &'static str,
    stopped_by: Option<&'static str>,
    optimal: bool,
    cost: Option<u32>,
    costs: BTreeMap<&'static str, u32>,
    bound: Option<u32>,
    nodes: u64,
    seconds: f64,
    first_seconds: Option<f64>,
    moves: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    all_found: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<ProblemLine>,
    /// In the game's order, for people.
    #[serde(skip)]
    counts: Vec<(&'static str, u32)>,
}

fn solve(args: &SolveArgs, cancel: &Arc<AtomicBool>, level: Level) -> Result<Line, String> {
    let mut level = level.map_err(|e| e.to_string())?;
    let file = level.file.display().to_string();
    let at = |text: String| format!("{file}: {text}");
    levels::set_rules(&mut *level.doc, &args.settings).map_err(at)?;
    let goal = levels::goal(&*level.doc, args.goal.as_deref()).map_err(at)?;
    let mode = match args.limits.nodes {
        Some(_) => Mode::Reproducible,
        None => Mode::Fast { threads: std::thread::available_parallelism().map_or(1, NonZero::get) },
    };
    let mut probe = Probe::cancelled_by(args.limits.limits(), cancel.clone()).with_mode(mode);
    let Report {
        goal,
        outcome,
        stopped_by,
        optimal,
        cost,
        costs,
        bound,
        nodes,
        seconds,
        first_seconds,
        moves,
        tally,
        problems,
    } = args.preparing.solve(&*level.doc, goal, &mut probe);
    Ok(Line {
        file,
        index: level.index,
        title: level.doc.meta().title.clone(),
        game: level.doc.game().info().id,
        goal,
        outcome,
        stopped_by: stopped_by.map(crate::job::Stop::name),
        optimal,
        cost,
        costs: costs.iter().copied().collect(),
        bound,
        nodes,
        seconds: rounded(seconds),
        first_seconds: first_seconds.map(rounded),
        moves,
        solutions: tally.map(|t| t.found),
        all_found: tally.map(|t| t.all),
        problems: levels::problem_lines(&problems),
        counts: costs,
    })
}

fn text(line: &Line) -> String {
    let counts: Vec<_> =
        line.counts.iter().map(|(name, n)| format!("{n} {}", crate::document::singular(name, *n))).collect();
    let counts = counts.join(" · ");
    let verdict = match (line.outcome, line.stopped_by) {
        _ if !line.problems.is_empty() => "cannot be played".into(),
        ("solved", _) if line.optimal => format!("solved, optimal for {}: {counts}", line.goal),
        ("solved", Some(by)) => {
            let bound = line.bound.unwrap_or(0);
            format!("solved: {counts} (not proven best for {}, at least {bound}; stopped by {by})", line.goal)
        }
        ("solved", None) => format!("solved: {counts}"),
        ("unsolvable", _) => "unsolvable: proven".into(),
        (_, by) => format!(
            "not known: stopped by {}, at least {} {}",
            by.unwrap_or("a limit"),
            line.bound.unwrap_or(0),
            line.goal
        ),
    };
    let mut text = format!("{}\n    {verdict}", levels::heading(&line.file, line.index, &line.title));
    if let (Some(n), Some(all)) = (line.solutions, line.all_found) {
        let least = if all { "" } else { "at least " };
        text += &format!("\n    solutions: {least}{}", grouped(n));
    }
    text += &levels::problem_text(&line.problems);
    if line.problems.is_empty() {
        text += &format!("\n    {} nodes, {:.3} s", grouped(line.nodes), line.seconds);
        if let Some(first) = line.first_seconds {
            text += &format!(", first line after {first:.3} s");
        }
    }
    if let Some(moves) = &line.moves {
        text += &format!("\n    moves: {moves}");
    }
    text
}

pub(super) fn run(args: &SolveArgs, cancel: &Arc<AtomicBool>) -> Use<Exit> {
    let mut shell = Shell::new(args.style, cancel);
    let items = args.files.shared(&args.spread);
    let work = |level| solve(args, cancel, level);
    batch::run(&mut shell, &args.spread, items, None, levels::name, work, |shell, line| match line {
        Err(text) => shell.complain(&text),
        Ok(line) => {
            shell.worsen(match line.outcome {
                "solved" => Exit::Done,
                "unsolvable" => Exit::No,
                _ => Exit::Stopped,
            });
            shell.result(&line, || text(&line));
        }
    });
    Ok(shell.exit)
}
