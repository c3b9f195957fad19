//! `solve`: a line, a proof, or how far it came.

use super::{
    Exit, Shell, Style, Use, batch, grouped,
    levels::{self, Files, Level},
    parse_count, parse_seconds, parse_setting,
};
use crate::{
    analysis::{Report, Verdict},
    job::{Limits, Mode, Probe},
};
use clap::Args;
use serde::Serialize;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
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
    /// Levels being solved at the moment.
    #[arg(skip)]
    busy: AtomicUsize,
}

#[derive(Serialize)]
struct Line {
    file: String,
    index: usize,
    title: String,
    game: &'static str,
    #[serde(flatten)]
    report: Report,
}

fn solve(args: &SolveArgs, cancel: &Arc<AtomicBool>, level: Level) -> Result<Line, String> {
    let mut level = level.map_err(|e| e.to_string())?;
    let file = level.file.display().to_string();
    let at = |text: String| format!("{file}: {text}");
    levels::set_rules(&mut *level.doc, &args.settings).map_err(at)?;
    let goal = levels::goal(&*level.doc, args.goal.as_deref()).map_err(at)?;
    // Threads that the other levels of a batch leave free go to this one.
    let busy = args.busy.fetch_add(1, Ordering::Relaxed) + 1;
    let mode = match args.limits.nodes {
        Some(_) => Mode::Reproducible,
        None => Mode::Fast { threads: (args.spread.threads() / busy).max(1) },
    };
    let mut probe = Probe::cancelled_by(args.limits.limits(), cancel.clone()).with_mode(mode);
    let mut report = args.preparing.solve(&*level.doc, goal, &mut probe);
    // The reason has node limits of its own; of the time it gets what is left.
    let left = args.limits.limits().time.map(|t| t.saturating_sub(probe.elapsed()));
    let limits = Limits { nodes: None, time: left, ..args.limits.limits() };
    report.reason = level.doc.why_now(&report, &mut Probe::cancelled_by(limits, cancel.clone()));
    args.busy.fetch_sub(1, Ordering::Relaxed);
    let (title, game) = (level.doc.meta().title.clone(), level.doc.game().info().id);
    Ok(Line { file, index: level.index, title, game, report })
}

fn text(line: &Line) -> String {
    let report = &line.report;
    let mut text = format!("{}\n    {}", levels::heading(&line.file, line.index, &line.title), report.headline());
    if report.solved() {
        text += &format!(" for {}: {}", report.goal, report.counts_text());
    }
    if let Some(bound) = report.bound_text() {
        text += &format!("\n    {bound}");
    }
    if let Some(tally) = report.tally {
        let least = if tally.all { "" } else { "at least " };
        text += &format!("\n    solutions: {least}{}", grouped(tally.found));
    }
    text += &levels::problem_text(report.problems());
    if let Some(reason) = report.reason.as_ref().filter(|_| report.problems().is_empty()) {
        text += &format!("\n    {}", reason.text);
    }
    if report.problems().is_empty() {
        text += &format!("\n    {} nodes, {:.3} s", grouped(report.nodes), report.elapsed.as_secs_f64());
        if let Some(first) = report.first {
            text += &format!(", first line after {:.3} s", first.as_secs_f64());
        }
    }
    if let Some(moves) = &report.moves {
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
            shell.worsen(match line.report.verdict {
                Verdict::Solved { .. } => Exit::Done,
                Verdict::Unsolvable | Verdict::Unplayable(_) => Exit::No,
                Verdict::Stopped(_) | Verdict::Fault(_) => Exit::Stopped,
            });
            shell.result(&line, || text(&line));
        }
    });
    Ok(shell.exit)
}
