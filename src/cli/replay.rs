//! `replay`: a line of moves through the rules, one by one.

use super::{Exit, Shell, Style, Use, levels, parse_setting};
use crate::document::ReplayRow;
use clap::Args;
use serde::Serialize;
use std::{
    num::NonZero,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

#[derive(Args)]
pub(super) struct ReplayArgs {
    /// The level, or a collection with --index
    file: PathBuf,
    /// Which level of a collection, from 1
    #[arg(long, value_name = "N")]
    index: Option<NonZero<usize>>,
    /// The moves in the game's notation (see `games`)
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: String,
    /// Go on after a refused move
    #[arg(long)]
    keep_going: bool,
    /// Override a rule switch of the level
    #[arg(long = "set", value_name = "RULE=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    /// Replay as the solver's lines for this goal are meant (without an opponent, say)
    #[arg(long, value_name = "G")]
    goal: Option<String>,
    #[command(flatten)]
    style: Style,
}

#[derive(Serialize)]
struct Line {
    n: usize,
    r#move: String,
    ok: bool,
    reason: Option<&'static str>,
    status: &'static str,
    pieces: Vec<(String, i16, i16)>,
    board: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

fn line(n: usize, row: ReplayRow) -> Line {
    let (reason, text) = row.refused.map_or((None, None), |(reason, text)| (Some(reason), Some(text)));
    let pieces = row.objects.into_iter().map(|(name, c)| (name, c.x, c.y)).collect();
    Line {
        n,
        r#move: row.text,
        ok: reason.is_none(),
        reason,
        status: row.status.name(),
        pieces,
        board: row.board,
        text,
    }
}

fn text(line: &Line) -> String {
    match &line.text {
        Some(why) => format!("{:>4}. {}  refused: {why}", line.n, line.r#move),
        None if line.status == "playing" => format!("{:>4}. {}", line.n, line.r#move),
        None => format!("{:>4}. {}  {}", line.n, line.r#move, line.status),
    }
}

pub(super) fn run(args: &ReplayArgs, cancel: &Arc<AtomicBool>) -> Use<Exit> {
    let mut shell = Shell::new(args.style, cancel);
    let mut level = levels::one(&args.file, args.index)?;
    let at = |text: String| format!("{}: {text}", args.file.display());
    levels::set_rules(&mut *level.doc, &args.settings).map_err(at)?;
    if args.goal.is_some() {
        let goal = levels::goal(&*level.doc, args.goal.as_deref()).map_err(at)?;
        if let Some(other) = level.doc.replay_level(goal) {
            level.doc = other;
        }
    }
    let rows = level.doc.replay_now(&args.moves, args.keep_going).map_err(at)?;
    let mut last = None;
    for (i, row) in rows.into_iter().enumerate() {
        let line = line(i + 1, row);
        shell.worsen(if line.ok { Exit::Done } else { Exit::No });
        shell.result(&line, || text(&line));
        last = Some(line);
    }
    if !args.style.json
        && let Some(last) = last
    {
        shell.print(&format!("\n{}\n{}", last.board, last.status));
    }
    Ok(shell.exit)
}
