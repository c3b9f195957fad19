//! `rate`: how hard levels are.

use super::{
    Exit, Shell, Style, Use, batch, grouped,
    levels::{self, Files, Level},
    parse_count,
};
use crate::{
    analysis::{
        Verdict,
        rate::{self, Rating},
    },
    game::Problem,
    job::{Limits, Probe, Stop},
};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::sync::{Arc, atomic::AtomicBool};

#[derive(Args)]
pub(super) struct RateArgs {
    #[command(flatten)]
    files: Files,
    /// Nodes a goal: ratings are cut off by nodes alone, so they are the same on every machine
    #[arg(long, value_name = "N", value_parser = parse_count, default_value_t = rate::NODES)]
    nodes: u64,
    /// Megabytes of search tables a level
    #[arg(long, value_name = "MB", value_parser = parse_count, default_value = "2048")]
    memory: u64,
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
    difficulty: Option<f64>,
    at_least: bool,
    metrics: Map<String, Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    problems: Vec<Problem>,
    #[serde(skip)]
    exit: Exit,
    #[serde(skip)]
    rating: Rating,
}

fn share(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

fn metrics(rating: &Rating) -> Map<String, Value> {
    let mut all = Map::new();
    let goals: Map<_, _> = rating
        .goals
        .iter()
        .map(|g| {
            let found = json!({
                "outcome": g.outcome(), "cost": g.cost, "optimal": g.optimal(), "bound": g.bound.unwrap_or(0),
                "nodes": g.nodes, "stopped_by": g.stopped_by().map(Stop::name),
            });
            (g.goal.to_string(), found)
        })
        .collect();
    all.insert("goals".into(), goals.into());
    if let Some(m) = &rating.metrics {
        for (name, value) in [
            ("moves", json!(m.moves)),
            ("minimum", json!(m.minimum)),
            ("positions", json!(m.positions.round())),
            ("branching", json!(share(m.branching))),
            ("forced", json!(share(m.forced))),
            ("dead_ends", json!(m.dead_ends.map(share))),
            ("dead_ends_sampled", json!(m.sampled)),
            ("dead_ends_judged", json!(m.judged)),
            ("pieces", json!(m.pieces)),
            ("pieces_never_moved", json!(m.pieces_never_moved)),
            ("cells_used", json!(m.cells_used)),
            ("cells_never_used", json!(m.cells_never_used)),
        ] {
            all.insert(name.into(), value);
        }
    }
    all
}

fn rate(args: &RateArgs, cancel: &Arc<AtomicBool>, level: Level) -> Result<Line, String> {
    let level = level.map_err(|e| e.to_string())?;
    let limits = Limits { memory: Some(args.memory.saturating_mul(1 << 20)), ..Limits::default() };
    let mut probe = Probe::cancelled_by(limits, cancel.clone());
    let rating = level.doc.rate_now(args.nodes, &mut probe);
    let unsolvable = rating.goals.iter().any(|g| g.verdict == Verdict::Unsolvable) || !rating.problems.is_empty();
    let exit = match rating.difficulty {
        Some(_) if !rating.cancelled => Exit::Done,
        None if unsolvable => Exit::No,
        _ => Exit::Stopped,
    };
    Ok(Line {
        file: level.file.display().to_string(),
        index: level.index,
        title: level.doc.meta().title.clone(),
        game: level.doc.game().info().id,
        difficulty: rating.difficulty.map(rate::tenths),
        at_least: rating.at_least,
        metrics: metrics(&rating),
        problems: rating.problems.clone(),
        exit,
        rating,
    })
}

fn percent(x: f64) -> String {
    format!("{:.0} %", x * 100.0)
}

fn text(line: &Line) -> String {
    let mut text = match line.difficulty {
        Some(d) => format!("{}{d:>5.1}  ", if line.at_least { "≥" } else { " " }),
        None => "    –   ".into(),
    };
    text += &levels::heading(&line.file, line.index, &line.title);
    text += &levels::problem_text(&line.problems);
    for g in &line.rating.goals {
        text += &format!("\n    {}: {} ({} nodes)", g.goal, g.cost_text(), grouped(g.nodes));
    }
    if let Some(m) = &line.rating.metrics {
        text += &format!("\n    {:.1} moves to choose from, {} forced", m.branching, percent(m.forced));
        if let Some(dead) = m.dead_ends {
            text += &format!(", {} of wrong turns are dead ends ({} of {} judged)", percent(dead), m.judged, m.sampled);
        }
        text += &format!("\n    {} of {} pieces never move", m.pieces_never_moved, m.pieces);
        if let Some(cells) = m.cells_never_used {
            text += &format!(", {cells} cells within reach are never used");
        }
    }
    text
}

pub(super) fn run(args: &RateArgs, cancel: &Arc<AtomicBool>) -> Use<Exit> {
    let mut shell = Shell::new(args.style, cancel);
    let items = args.files.shared(&args.spread);
    let work = |level| rate(args, cancel, level);
    batch::run(&mut shell, &args.spread, items, None, levels::name, work, |shell, line| match line {
        Err(text) => shell.complain(&text),
        Ok(line) => {
            shell.worsen(line.exit);
            shell.result(&line, || text(&line));
        }
    });
    Ok(shell.exit)
}
