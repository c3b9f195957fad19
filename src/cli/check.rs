//! `check`: what is wrong with levels.

use super::{
    Exit, Shell, Style, Use, batch,
    levels::{self, Files, Level, Piece},
    rendered,
};
use crate::game::Problem;
use clap::Args;
use serde::Serialize;
use std::sync::{Arc, atomic::AtomicBool};

#[derive(Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    files: Files,
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
    playable: bool,
    problems: Vec<Problem>,
}

/// What is printed about a level, and whether it can be played.
fn check(level: Level, json: bool) -> Result<(String, bool), String> {
    let level = level.map_err(|e| e.to_string())?;
    let line = Line {
        file: level.file.display().to_string(),
        index: level.index,
        title: level.doc.meta().title.clone(),
        game: level.doc.game().info().id,
        playable: level.doc.playable(),
        problems: level.doc.problems().to_vec(),
    };
    Ok((rendered(json, &line, || text(&line))?, line.playable))
}

fn text(line: &Line) -> String {
    let mark = match (line.playable, line.problems.is_empty()) {
        (true, true) => "good   ",
        (true, false) => "warning",
        (false, _) => "problem",
    };
    let heading = levels::heading(&line.file, line.index, &line.title);
    format!("{mark}  {heading}{}", levels::problem_text(&line.problems))
}

pub(super) fn run(args: &CheckArgs, cancel: &Arc<AtomicBool>) -> Use<Exit> {
    let mut shell = Shell::new(args.style, cancel);
    let pieces = args.files.pieces(&args.spread);
    let name = |piece: &Piece| piece.name.clone();
    // Most of the work is reading and writing, so that is done by the workers too, and a file's lines are printed at once.
    let json = args.style.json;
    let work = |piece: Piece| piece.levels.map(|level| check(level, json)).collect::<Vec<_>>();
    batch::run(&mut shell, &args.spread, pieces, None, name, work, |shell, lines| {
        let mut print = Vec::with_capacity(lines.len());
        for line in lines {
            match line {
                Err(text) => shell.complain(&text),
                Ok((text, playable)) => {
                    shell.worsen(if playable { Exit::Done } else { Exit::No });
                    print.push(text);
                }
            }
        }
        if !print.is_empty() {
            shell.print(&print.join("\n"));
        }
    });
    Ok(shell.exit)
}
