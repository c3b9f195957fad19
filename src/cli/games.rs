//! `games`: what there is.

use super::{Exit, Shell, Style, Use};
use crate::{
    document::AnyGame,
    game::{Kind, Param, Value},
    games,
};
use clap::Args;
use serde::Serialize;
use std::sync::{Arc, atomic::AtomicBool};

#[derive(Args)]
pub(super) struct GamesArgs {
    #[command(flatten)]
    style: Style,
    /// Also the games that are built but not offered (templates)
    #[arg(long)]
    all: bool,
}

#[derive(Serialize)]
struct Line {
    game: &'static str,
    name: &'static str,
    goals: Vec<&'static str>,
    presets: Vec<&'static str>,
    notation: &'static str,
    params: Vec<ParamLine>,
    rules: Vec<ParamLine>,
    counts: &'static [&'static str],
    opponents: &'static [&'static str],
    formats: Vec<FormatLine>,
    summary: &'static str,
    levels: usize,
}

#[derive(Serialize)]
struct ParamLine {
    name: &'static str,
    kind: &'static str,
    min: Option<i64>,
    max: Option<i64>,
    values: Option<Vec<&'static str>>,
    default: Value,
    label: &'static str,
    help: &'static str,
}

#[derive(Serialize)]
struct FormatLine {
    format: &'static str,
    name: &'static str,
    extensions: &'static [&'static str],
    writes: bool,
}

fn param(p: &Param) -> ParamLine {
    let (kind, min, max, values) = match &p.kind {
        Kind::Number { min, max, words } => {
            ("number", Some(*min), Some(*max), (!words.is_empty()).then(|| words.to_vec()))
        }
        Kind::Switch => ("switch", None, None, None),
        Kind::Choice(words) => ("choice", None, None, Some(words.to_vec())),
    };
    let default = p.default.clone();
    ParamLine { name: p.name, kind, min, max, values, default, label: p.label, help: p.help }
}

fn line(game: &dyn AnyGame) -> Line {
    let info = game.info();
    let format = |f: crate::document::FormatInfo| FormatLine {
        format: f.id,
        name: f.name,
        extensions: f.extensions,
        writes: f.writes,
    };
    Line {
        game: info.id,
        name: info.name,
        goals: game.goals().iter().map(|g| g.id).collect(),
        presets: game.presets().iter().map(|p| p.id).collect(),
        notation: info.notation,
        params: game.params().iter().map(param).collect(),
        rules: game.rules().iter().map(param).collect(),
        counts: info.counts,
        opponents: game.opponents(),
        formats: game.formats().into_iter().map(format).collect(),
        summary: info.summary,
        levels: info.levels.len(),
    }
}

fn param_text(p: &ParamLine) -> String {
    let takes = match (p.min, p.max, &p.values) {
        (Some(min), Some(max), None) => format!("{min} to {max}"),
        (Some(min), Some(max), Some(words)) => format!("{min} to {max}, {}", words.join(", ")),
        (_, _, Some(words)) => words.join(", "),
        _ => "true, false".into(),
    };
    format!("\n      {:<18} {takes} (default {})  {}", p.name, p.default, p.help)
}

fn text(line: &Line) -> String {
    let mut text = format!("{:<10} {}: {}", line.game, line.name, line.summary);
    let mut row = |what: &str, words: String| {
        if !words.is_empty() {
            text.push_str(&format!("\n    {what:<10} {words}"));
        }
    };
    row("goals", line.goals.join(", "));
    row("presets", line.presets.join(", "));
    row("notation", line.notation.into());
    row("opponents", line.opponents.join(", "));
    row("files", line.formats.iter().map(|f| f.name).collect::<Vec<_>>().join(", "));
    for (what, params) in [("generate --set", &line.params), ("solve --set", &line.rules)] {
        if !params.is_empty() {
            text.push_str(&format!("\n    {what}"));
            text.extend(params.iter().map(param_text));
        }
    }
    text.push('\n');
    text
}

pub(super) fn run(args: &GamesArgs, cancel: &Arc<AtomicBool>) -> Use<Exit> {
    let mut shell = Shell::new(args.style, cancel);
    let all = games::all();
    let listed = if args.all { all.as_slice() } else { games::offered() };
    for game in listed {
        let line = line(*game);
        shell.result(&line, || text(&line));
    }
    Ok(shell.exit)
}
