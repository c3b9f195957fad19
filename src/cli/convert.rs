//! `convert`: levels in another format. The ending of OUT chooses it: our own, one of the game's (XSB, say), or one of the exporters that every game has.

use super::{Exit, Shell, Style, Use, levels::Files};
use crate::{
    disk,
    document::{AnyGame, Doc, FormatInfo},
    export::{self, Exporter, Options},
    formats::pack::{self, Pack},
    game::{NotMade, Written},
    job::{Limits, Probe},
    picture::Colours,
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
    /// A file whose ending says the format, or a folder: then a .ron a level and a pack.ron that lists them
    ///
    /// For every game: .ron is our own; .png and .svg are pictures, .gif a film of a solution, .pdf a sheet of levels to print with the answers on the last page;
    /// .ldtk, .tmj and .tmx are maps for LDtk and Tiled, .code is a share code. .ldtk, .tmj and .code can be read again. A game may have formats of its own:
    /// see `games`.
    out: PathBuf,
    /// Only the N-th level, from 1
    #[arg(long, value_name = "N")]
    index: Option<NonZero<usize>>,
    /// The format, where the ending does not say it: `native` is our own, then png, svg, gif, sheet, ldtk, tiled, tmx, code, and the game's (see `games`)
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Pixels a cell in a picture or film, 4 to 512; without it what suits the board
    #[arg(long, value_name = "PIXELS")]
    cell: Option<u32>,
    /// The colours of a picture or film
    #[arg(long, value_enum, default_value_t = Look::Light)]
    theme: Look,
    /// A film shows moves on their way, too
    #[arg(long)]
    animate: bool,
    /// Seconds a film stays on each position
    #[arg(long, value_name = "S", default_value_t = 0.4)]
    pause: f32,
    /// Levels on a page of a sheet, 1 to 20
    #[arg(long, value_name = "N", default_value_t = 6)]
    per_page: u32,
    #[command(flatten)]
    style: Style,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Look {
    Light,
    Dark,
}

impl ConvertArgs {
    fn options(&self, levels: usize) -> Use<Options> {
        if !(self.pause.is_finite() && (0.02..=10.0).contains(&self.pause)) {
            return Err(format!("--pause takes 0.02 to 10 seconds, not {}", self.pause));
        }
        let stem = |path: &Path| path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Options {
            colours: match self.theme {
                Look::Light => Colours::light(),
                Look::Dark => Colours::dark(),
            },
            cell: self.cell,
            animate: self.animate,
            pause: self.pause,
            per_page: self.per_page,
            stem: stem(&self.out),
            // One level has a title of its own.
            title: if levels > 1 { stem(&self.r#in) } else { String::new() },
        })
    }
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
    Export(&'static Exporter),
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
            let exporter = match &args.to {
                Some(to) => export::by_id(to),
                None => export::by_ending(&ending),
            };
            if let Some(exporter) = exporter {
                return Ok(Target::Export(exporter));
            }
            let own = formats.iter().filter(|f| f.writes).flat_map(|f| f.extensions);
            let known = own.chain(export::ALL.iter().flat_map(|e| e.extensions)).map(|e| format!(", .{e}"));
            Err(format!(
                "levels of {} are not written as {asked}; they are written as .ron{}",
                game.info().name,
                known.collect::<String>()
            ))
        }
    }
}

fn write_folder(folder: &Path, title: String, docs: &[Box<dyn Doc>]) -> Use<()> {
    let told = |e: disk::FileError| e.to_string();
    disk::make_folder(folder).map_err(told)?;
    let width = docs.len().to_string().len().max(4);
    let names: Vec<_> = (1..=docs.len()).map(|n| format!("{n:0width$}.ron")).collect();
    for (name, doc) in names.iter().zip(docs) {
        disk::write_atomic(&folder.join(name), doc.native().as_bytes()).map_err(told)?;
    }
    let pack = Pack { title, levels: names };
    disk::write_atomic(&folder.join(pack::FILE_NAME), pack::write(&pack).as_bytes()).map_err(told)
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
        Target::Native => disk::write_atomic(&args.out, first.native().as_bytes()).map_err(|e| e.to_string())?,
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
            disk::write_atomic(&args.out, text.as_bytes()).map_err(|e| e.to_string())?;
            dropped = left_out;
        }
        Target::Export(exporter) => {
            let mut probe = Probe::cancelled_by(Limits::default(), cancel.clone());
            let exported = match export::write(exporter, &docs, &args.options(docs.len())?, &mut probe) {
                Ok(exported) => exported,
                Err(NotMade::Refused(text)) => return Err(format!("{out}: {text}")),
                Err(NotMade::Stopped(stop)) => {
                    shell.note(&format!("{out}: not written, stopped ({})", stop.name()));
                    return Ok(Exit::Stopped);
                }
            };
            exported.save(&args.out).map_err(|e| e.to_string())?;
            dropped = exported.dropped;
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
