//! `convert`: levels in another format. The ending of OUT chooses it.

use super::{Exit, Shell, Style, Use, levels::Files};
use crate::{
    document::{AnyGame, Doc, FormatInfo},
    formats::pack::{self, Pack},
    game::Written,
    library,
};
use clap::Args;
use serde::Serialize;
use std::{
    num::NonZero,
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
};

#[derive(Args)]
pub(super) struct ConvertArgs {
    /// A level, a collection, a pack or a folder
    r#in: PathBuf,
    /// A file whose ending says the format (.ron is our own), or a folder: then a .ron a level and a pack.ron that lists them
    out: PathBuf,
    /// Only the N-th level, from 1
    #[arg(long, value_name = "N")]
    index: Option<NonZero<usize>>,
    /// The format, where the ending does not say it (see `games`; `native` is our own)
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    #[command(flatten)]
    style: Style,
}

#[derive(Serialize)]
struct Line {
    r#in: String,
    out: String,
    levels: usize,
    dropped: Vec<String>,
}

/// What OUT asks for.
enum Target {
    Native,
    Folder(PathBuf),
    Foreign(FormatInfo),
}

fn ending(path: &Path) -> String {
    path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn target(args: &ConvertArgs, game: &dyn AnyGame) -> Use<Target> {
    let out = &args.out;
    let ending = ending(out);
    if args.to.is_none() {
        if out.file_name().is_some_and(|n| n == pack::FILE_NAME) {
            return Ok(Target::Folder(out.parent().unwrap_or(Path::new("")).into()));
        }
        let slash = out.as_os_str().to_string_lossy().ends_with(['/', '\\']);
        if out.is_dir() || slash || ending.is_empty() {
            return Ok(Target::Folder(out.clone()));
        }
    }
    let native = args.to.as_ref().map_or(ending == "ron", |to| to == "native");
    if native {
        return Ok(Target::Native);
    }
    let formats = game.formats();
    let fits = |f: &&FormatInfo| match &args.to {
        Some(to) => f.id.eq_ignore_ascii_case(to),
        None => f.extensions.contains(&ending.as_str()),
    };
    let asked = args.to.clone().unwrap_or_else(|| format!(".{ending}"));
    // Several formats may share an ending (.json, .txt): one that can be written is meant.
    let fitting: Vec<_> = formats.iter().filter(fits).collect();
    match (fitting.iter().find(|f| f.writes), fitting.first()) {
        (Some(format), _) => Ok(Target::Foreign(**format)),
        (None, Some(format)) => Err(format!("{} can be read but not written", format.name)),
        (None, None) => {
            let known = formats.iter().filter(|f| f.writes).flat_map(|f| f.extensions).map(|e| format!(", .{e}"));
            Err(format!(
                "levels of {} are not written as {asked}; they are written as .ron{}",
                game.info().name,
                known.collect::<String>()
            ))
        }
    }
}

fn write_folder(folder: &Path, title: String, docs: &[Box<dyn Doc>]) -> Use<()> {
    let told = |e: library::Trouble| e.to_string();
    library::make_folder(folder).map_err(told)?;
    let width = docs.len().to_string().len().max(4);
    let names: Vec<_> = (1..=docs.len()).map(|n| format!("{n:0width$}.ron")).collect();
    for (name, doc) in names.iter().zip(docs) {
        library::write_atomic(&folder.join(name), doc.native().as_bytes()).map_err(told)?;
    }
    let pack = Pack { title, levels: names };
    library::write_atomic(&folder.join(pack::FILE_NAME), pack::write(&pack).as_bytes()).map_err(told)
}

pub(super) fn run(args: &ConvertArgs, cancel: &Arc<AtomicBool>) -> Use<Exit> {
    let mut shell = Shell::new(args.style, cancel);
    let files = Files { files: vec![args.r#in.clone()], index: args.index };
    // All of it is read before anything is written: a bad file in the middle leaves OUT as it was.
    let mut docs = Vec::new();
    for level in files.levels() {
        docs.push(level.map_err(|e| e.to_string())?.doc);
    }
    let out = args.out.display().to_string();
    let Some(first) = docs.first() else { return Err(format!("{}: there is no level in it", args.r#in.display())) };
    let game = first.game();
    let mut dropped = Vec::new();
    match target(args, game).map_err(|e| format!("{out}: {e}"))? {
        Target::Native if docs.len() > 1 => {
            let n = docs.len();
            return Err(format!(
                "{out}: a .ron file holds one level and these are {n}: give a folder, or choose one with --index"
            ));
        }
        Target::Native => library::write_atomic(&args.out, first.native().as_bytes()).map_err(|e| e.to_string())?,
        Target::Folder(folder) => {
            let title = args.r#in.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
            write_folder(&folder, title, &docs)?;
        }
        Target::Foreign(format) => {
            if let Some(other) = docs.iter().find(|d| d.game().info().id != game.info().id) {
                let (a, b) = (game.info().name, other.game().info().name);
                return Err(format!("{out}: levels of {a} and {b} cannot be in one file of this format"));
            }
            let natives: Vec<_> = docs.iter().map(|d| d.native()).collect();
            let written = game.write_format(format.id, &natives).map_err(|e| format!("{out}: {e}"))?;
            let Written { text, dropped: left_out } = written;
            library::write_atomic(&args.out, text.as_bytes()).map_err(|e| e.to_string())?;
            dropped = left_out;
        }
    }
    let line = Line { r#in: args.r#in.display().to_string(), out, levels: docs.len(), dropped };
    shell.result(&line, || {
        let s = if line.levels == 1 { "" } else { "s" };
        let dropped: String = line.dropped.iter().map(|d| format!("\n    left out: {d}")).collect();
        format!("{} → {}: {} level{s}{dropped}", line.r#in, line.out, line.levels)
    });
    Ok(shell.exit)
}
