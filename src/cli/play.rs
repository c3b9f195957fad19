//! `play`: a model player against an opponent, many times, to measure the balance.

use super::{
    Exit, Shell, Style, Use, batch,
    levels::{self, Files},
    parse_count,
};
use crate::{document::Doc, game::Status};
use clap::Args;
use serde::Serialize;
use std::{
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    time::Duration,
};

#[derive(Args)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    files: Files,
    /// The opponent's strength (see `games`); the first unless given
    #[arg(long, value_name = "L")]
    opponent: Option<String>,
    /// The model player's rate of random moves, from 0 to 1
    #[arg(long, value_name = "E", value_parser = parse_rate, default_value = "0.2")]
    human: f64,
    /// How many games, spread over the levels
    #[arg(long, value_name = "K", value_parser = parse_count, default_value = "100")]
    games: u64,
    /// Seed of the first game; game i has the seed after it
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    style: Style,
    #[command(flatten)]
    spread: batch::Spread,
}

fn parse_rate(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(e) if (0.0..=1.0).contains(&e) => Ok(e),
        _ => Err("this takes a number from 0 to 1".into()),
    }
}

#[derive(Serialize, Default)]
struct Line {
    opponent: &'static str,
    human: f64,
    games: u64,
    won: u64,
    lost: u64,
    drawn: u64,
    stoppable_losses: u64,
    slowest_reply_ms: f64,
}

fn opponent(doc: &dyn Doc, asked: Option<&str>) -> Result<&'static str, String> {
    let known = doc.game().opponents();
    let name = doc.game().info().name;
    let Some(first) = known.first() else { return Err(format!("{name} has no opponent to play against")) };
    let Some(asked) = asked else { return Ok(first) };
    let found = known.iter().find(|o| o.eq_ignore_ascii_case(asked));
    found.copied().ok_or_else(|| format!("{name} has no opponent \"{asked}\"; it has {}", known.join(", ")))
}

pub(super) fn run(args: &PlayArgs, cancel: &Arc<AtomicBool>) -> Use<Exit> {
    let mut shell = Shell::new(args.style, cancel);
    let mut boards: Vec<(String, Mutex<Box<dyn Doc>>)> = Vec::new();
    let mut line = Line { human: args.human, ..Line::default() };
    for level in args.files.levels() {
        let name = levels::name(&level);
        let level = level.map_err(|e| e.to_string())?;
        line.opponent = opponent(&*level.doc, args.opponent.as_deref()).map_err(|e| format!("{name}: {e}"))?;
        if !level.doc.playable() {
            let problems = levels::problem_text(level.doc.problems());
            return Err(format!("{name}: it cannot be played:{problems}"));
        }
        boards.push((name, Mutex::new(level.doc)));
    }
    let (opponent, count) = (line.opponent, boards.len() as u64);
    let items = (0..args.games).filter(|n| args.spread.mine(*n));
    let name = |n: &u64| format!("game {} on {}", n + 1, boards[(n % count) as usize].0);
    let work = |n: u64| {
        // A document is not shared between threads; a copy is small beside a game.
        let board = boards[(n % count) as usize].1.lock().unwrap_or_else(PoisonError::into_inner).duplicate();
        board.simulate(opponent, args.human, args.seed.wrapping_add(n)).ok_or(n)
    };
    let mut slowest = Duration::ZERO;
    batch::run(&mut shell, &args.spread, items, Some(args.spread.share(args.games)), name, work, |shell, bout| {
        match bout {
            Err(n) => shell.complain(&format!("{}: no game could be played on it", boards[(n % count) as usize].0)),
            Ok(bout) => {
                line.games += 1;
                match bout.status {
                    Status::Won => line.won += 1,
                    Status::Lost => line.lost += 1,
                    Status::Drawn | Status::Playing => line.drawn += 1,
                }
                line.stoppable_losses += u64::from(bout.stoppable);
                slowest = slowest.max(bout.slowest);
            }
        }
    });
    line.slowest_reply_ms = (slowest.as_secs_f64() * 1e6).round() / 1e3;
    shell.result(&line, || {
        let share = |n: u64| format!("{n} ({:.0} %)", 100.0 * n as f64 / line.games.max(1) as f64);
        format!(
            "{} games against {}, {:.0} % random moves\n    won {}, lost {}, drawn {}\n    {} losses of the opponent could have been stopped; slowest reply {} ms",
            line.games,
            line.opponent,
            line.human * 100.0,
            share(line.won),
            share(line.lost),
            share(line.drawn),
            line.stoppable_losses,
            line.slowest_reply_ms
        )
    });
    Ok(shell.exit)
}
