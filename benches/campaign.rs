//! How long a campaign's level takes to open, for every game: made or read, started, and drawn nowhere.
//!
//! `cargo bench --no-default-features --bench campaign`. A new level is to open within half a second; the exit code says whether all did.

use std::{process::ExitCode, time::Instant};
use tilewright::{
    games,
    job::{Limits, Probe},
};

fn main() -> ExitCode {
    println!("{:10} {:>6} {:>12} {:>12} {:>8}", "game", "levels", "mean ms", "slowest ms", "level");
    let mut late = false;
    for game in games::offered().iter().filter(|g| g.campaign_len() > 0) {
        let times: Vec<(f64, u32)> = (1..=game.campaign_len())
            .map(|n| {
                let begin = Instant::now();
                let doc = game.campaign_level(n, &mut Probe::new(Limits::default()));
                assert!(doc.is_ok_and(|mut d| d.play_from_start()), "{} {n}", game.info().id);
                (begin.elapsed().as_secs_f64() * 1e3, n)
            })
            .collect();
        let mean = times.iter().map(|t| t.0).sum::<f64>() / times.len() as f64;
        let slowest = times.iter().fold((0.0, 0), |a, b| if b.0 > a.0 { *b } else { a });
        late |= slowest.0 > 500.0;
        println!("{:10} {:>6} {mean:>12.2} {:>12.2} {:>8}", game.info().id, times.len(), slowest.0, slowest.1);
    }
    if late { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
