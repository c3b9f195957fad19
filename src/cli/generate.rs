//! `generate`: levels from seeds.

use super::{
    Exit, Shell, Style, Use, batch, grouped, levels::parse_value, parse_count, parse_seconds, parse_setting, rounded,
};
use crate::{
    disk::{self, FileError},
    document::AnyGame,
    formats::pack::{self, Pack},
    game::{NotMade, Values},
    games,
    job::{Limits, Probe},
};
use clap::Args;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};

#[derive(Args)]
pub(super) struct GenerateArgs {
    /// The game (see `games`)
    game: String,
    /// A named set of parameters; the game's first unless given
    #[arg(long, value_name = "P")]
    preset: Option<String>,
    /// Set a parameter
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    /// Seed of the first level; level i has the seed after it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many levels
    #[arg(long, value_name = "K", value_parser = parse_count, default_value = "1")]
    count: u64,
    /// Write the levels into this folder, with a pack.ron that lists them; without it they go to standard output
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Give a level up after this many seconds (which levels that hits depends on the machine)
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    time: Option<f64>,
    #[command(flatten)]
    style: Style,
    #[command(flatten)]
    spread: batch::Spread,
}

#[derive(Serialize)]
struct Line {
    file: Option<String>,
    game: &'static str,
    seed: u64,
    params: Values,
    measured: Map<String, Value>,
    seconds: f64,
    preset: String,
    /// The level itself, where it is not written to a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<String>,
}

struct Order<'a> {
    game: &'static dyn AnyGame,
    preset: &'static str,
    values: Values,
    args: &'a GenerateArgs,
    cancel: &'a Arc<AtomicBool>,
}

enum Failed {
    Not(NotMade),
    Disk(FileError),
}

/// Whole numbers are printed as such, and "optimal" is a yes or no as it is in `solve`.
fn number(name: &str, x: f64) -> Value {
    if ["optimal", "winnable"].contains(&name) {
        json!(x != 0.0)
    } else if x.fract() == 0.0 && x.abs() < 1e15 {
        json!(x as i64)
    } else {
        json!(x)
    }
}

/// File names sort in the order of the levels.
fn file_name(number: u64, count: u64) -> String {
    let width = count.to_string().len().max(4);
    format!("{number:0width$}.ron")
}

impl Order<'_> {
    fn make(&self, i: u64) -> (u64, Result<Line, Failed>) {
        // That no seed overflows was checked at the start.
        let seed = self.args.seed.wrapping_add(i);
        (seed, self.made(i, seed))
    }

    fn made(&self, i: u64, seed: u64) -> Result<Line, Failed> {
        let began = Instant::now();
        let limits = Limits { time: self.args.time.map(Duration::from_secs_f64), ..Limits::default() };
        let mut probe = Probe::cancelled_by(limits, self.cancel.clone());
        let made = self.game.generate(self.preset, &self.values, seed, &mut probe).map_err(Failed::Not)?;
        let seconds = rounded(began.elapsed().as_secs_f64());
        let level = made.doc.native();
        let path = self.args.out.as_ref().map(|dir| dir.join(file_name(i + 1, self.args.count)));
        if let Some(path) = &path {
            disk::write_atomic(path, level.as_bytes()).map_err(Failed::Disk)?;
        }
        let mut measured: Map<_, _> = made.measured.iter().map(|(k, v)| (k.clone(), number(k, *v))).collect();
        let counts = made.doc.kept().first().map(|s| s.counts.clone()).unwrap_or_default();
        for (name, n) in counts {
            measured.entry(name).or_insert_with(|| json!(n));
        }
        Ok(Line {
            level: path.is_none().then_some(level),
            file: path.map(|p| p.display().to_string()),
            game: self.game.info().id,
            seed,
            params: made.doc.origin().map(|o| o.params.clone()).unwrap_or_default(),
            measured,
            seconds,
            preset: self.preset.into(),
        })
    }
}

fn order<'a>(args: &'a GenerateArgs, cancel: &'a Arc<AtomicBool>) -> Use<Order<'a>> {
    let game = games::by_id(&args.game).ok_or_else(|| {
        let known: Vec<_> = games::offered().iter().map(|g| g.info().id).collect();
        format!("there is no game \"{}\"; there are {}", args.game, known.join(", "))
    })?;
    let presets = game.presets();
    let preset = match &args.preset {
        None => presets.first(),
        Some(asked) => {
            let found = presets.iter().find(|p| p.id.eq_ignore_ascii_case(asked));
            Some(found.ok_or_else(|| {
                let known: Vec<_> = presets.iter().map(|p| p.id).collect();
                format!("{} has no preset \"{asked}\"; it has {}", game.info().name, known.join(", "))
            })?)
        }
    };
    let params = game.params();
    let mut values = preset.map(|p| p.values.clone()).unwrap_or_default();
    for (name, value) in &args.settings {
        values.set(name, parse_value(&params, name, value, "parameter")?);
    }
    let values = values.checked(&params)?;
    if args.seed.checked_add(args.count).is_none() {
        return Err("these seeds go beyond the largest number".into());
    }
    Ok(Order { game, preset: preset.map_or("", |p| p.id), values, args, cancel })
}

fn text(line: &Line) -> String {
    let measured: Vec<_> = line.measured.iter().map(|(k, v)| format!("{k} {v}")).collect();
    let about = format!("seed {}: {} ({:.3} s)", line.seed, measured.join(", "), line.seconds);
    match (&line.file, &line.level) {
        (Some(file), _) => format!("{file}  {about}"),
        (None, level) => format!("// {about}\n{}", level.as_deref().unwrap_or_default()),
    }
}

/// The names that are there of all that this order makes, in order. Shards share a folder: whoever comes last finds all.
fn there(dir: &Path, count: u64) -> Result<Vec<String>, FileError> {
    let mut names = disk::file_names(dir)?;
    names.retain(|name| {
        let number = name.strip_suffix(".ron").and_then(|n| n.parse().ok());
        number.is_some_and(|n| (1..=count).contains(&n) && *name == file_name(n, count))
    });
    names.sort_unstable();
    Ok(names)
}

fn write_pack(dir: &Path, title: &str, count: u64) -> Result<usize, FileError> {
    loop {
        let pack = Pack { title: title.into(), levels: there(dir, count)? };
        disk::write_atomic(&dir.join(pack::FILE_NAME), pack::write(&pack).as_bytes())?;
        // Another shard may have written levels between our look and our pack: then its pack was replaced by ours.
        if there(dir, count)? == pack.levels {
            return Ok(pack.levels.len());
        }
    }
}

pub(super) fn run(args: &GenerateArgs, cancel: &Arc<AtomicBool>) -> Use<Exit> {
    let order = order(args, cancel)?;
    let mut shell = Shell::new(args.style, cancel);
    if let Some(dir) = &args.out {
        disk::make_folder(dir).map_err(|e| e.to_string())?;
    }
    let items = (0..args.count).filter(|n| args.spread.mine(*n));
    let name = |i: &u64| format!("{} seed {}", args.game, args.seed.wrapping_add(*i));
    let work = |i| order.make(i);
    batch::run(
        &mut shell,
        &args.spread,
        items,
        Some(args.spread.share(args.count)),
        name,
        work,
        |shell, (seed, made)| match made {
            Ok(line) => shell.result(&line, || text(&line)),
            Err(Failed::Disk(trouble)) => shell.complain(&trouble.to_string()),
            Err(Failed::Not(NotMade::Refused(why))) => {
                shell.no_result(Exit::No, &format!("{} seed {seed}: {why}", args.game));
            }
            Err(Failed::Not(NotMade::Stopped(by))) => {
                let text = format!("{} seed {seed}: not made, stopped by {}", args.game, by.name());
                shell.no_result(Exit::Stopped, &text);
            }
        },
    );
    if let Some(dir) = &args.out {
        let title = format!("{} {}, seed {}", order.game.info().name, order.preset, args.seed);
        let levels = write_pack(dir, &title, args.count).map_err(|e| e.to_string())?;
        if !args.style.json {
            shell.note(&format!("{} levels in {}", grouped(levels as u64), dir.join(pack::FILE_NAME).display()));
        }
    }
    Ok(shell.exit)
}
