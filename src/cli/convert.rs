//! `convert`: levels in another format. The ending of OUT chooses it: our own, one of the game's (XSB, say), or one of the exporters that every game has.

use super::{Exit, Shell, Style, Use, levels::Files};
use crate::{
    export::{Options, SaveAs, save_as},
    game::NotMade,
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
    /// For every game: .ron is our own; .html is a page that plays the levels in a browser, offline; .png and .svg are pictures, .gif a film of a solution, .pdf a
    /// sheet of levels to print with the answers on the last page; .ldtk, .tmj and .tmx are maps for LDtk and Tiled, .code is a share code. Pages, maps and
    /// share codes can be read again. A game may have formats of its own: see `games`.
    out: PathBuf,
    /// Only the N-th level, from 1
    #[arg(long, value_name = "N")]
    index: Option<NonZero<usize>>,
    /// The format, where the ending does not say it: `native` is our own, then png, svg, gif, sheet, ldtk, tiled, tmx, page, code, and the game's (see `games`)
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
    fn options(&self, what: SaveAs, levels: usize) -> Use<Options> {
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
            // One level has a title of its own, a pack needs one.
            title: if levels > 1 || matches!(what, SaveAs::Folder) { stem(&self.r#in) } else { String::new() },
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
    let what = SaveAs::of(&args.out, args.to.as_deref(), first.game()).map_err(|e| format!("{out}: {e}"))?;
    let mut probe = Probe::cancelled_by(Limits::default(), cancel.clone());
    let dropped = match save_as(&docs, &args.out, what, &args.options(what, docs.len())?, None, &mut probe) {
        Ok(saved) => saved.dropped,
        Err(NotMade::Refused(text)) => return Err(text),
        Err(NotMade::Stopped(stop)) => {
            shell.note(&format!("{out}: not written, stopped ({})", stop.name()));
            return Ok(Exit::Stopped);
        }
    };
    let line = Line { r#in: args.r#in.display().to_string(), out, levels: docs.len(), dropped };
    shell.result(&line, || {
        let s = if line.levels == 1 { "" } else { "s" };
        let dropped: String = line.dropped.iter().map(|d| format!("\n    left out: {d}")).collect();
        format!("{} → {}: {} level{s}{dropped}", line.r#in, line.out, line.levels)
    });
    Ok(shell.exit)
}
