//! Endless runs: board after board from a fresh seed, the score carried on, until a board cannot be cleared.
//!
//! A run is its own thing: it uses the values that the game names for it ([`crate::game::Generate::runs`]), not those of the Generate panel, and only boards
//! made for it count.

use super::{
    campaign::Making,
    workshop::{OpenLevel, Workshop},
};
use crate::{
    document::{AnyGame, Digest},
    game::{Meta, Status},
    games,
    job::{Job, Limits, Probe},
    memory::Records,
};
use std::{hash::BuildHasher as _, time::SystemTime};

/// A run, on the board that it has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Its place among the game's runs.
    pub kind: usize,
    /// The seed of this board.
    seed: u64,
    /// Boards cleared so far.
    pub score: u32,
    /// Whether this board is among them.
    counted: bool,
    /// Whether a board was stranded: the score is final.
    pub over: bool,
    /// The board as it was made: one that was edited does not count.
    board: Option<Digest>,
}

impl Run {
    /// The run on a board that was made for it.
    pub(super) fn on_board(self, board: Option<Digest>) -> Run {
        Run { board, ..self }
    }

    /// Under what name its best score is kept.
    fn record(self, game: &'static dyn AnyGame) -> String {
        record(game, self.kind)
    }
}

/// Under what name the best score of a run is kept. That of the first has the game's own.
fn record(game: &'static dyn AnyGame, kind: usize) -> String {
    match (kind, game.runs().get(kind)) {
        (1.., Some((name, _))) => format!("{} {}", game.info().id, name.to_lowercase()),
        _ => game.info().id.into(),
    }
}

/// A seed that was not used before.
fn fresh_seed() -> u64 {
    std::collections::hash_map::RandomState::new().hash_one(SystemTime::now())
}

impl Workshop {
    /// Begins a run of a game.
    pub fn start_run(&mut self, game: &'static str, kind: usize) {
        let instead_of = self.session.current().filter(|o| o.run.is_some()).map(|o| o.id);
        let run = Run { kind, seed: fresh_seed(), score: 0, counted: false, over: false, board: None };
        self.make_board(game, run, instead_of);
    }

    /// The run of a game that is open and not over: the level it has come to, and its score.
    pub fn run_under_way(&self, game: &str, kind: usize) -> Option<(usize, u32)> {
        let is_it = |o: &OpenLevel| o.run.filter(|r| r.kind == kind && !r.over && o.doc.game().info().id == game);
        self.session.open.iter().enumerate().find_map(|(i, o)| Some((i, is_it(o)?.score)))
    }

    /// Goes on with the run in front: to its next board, or to a new run once it is over. False if there is none.
    pub(super) fn next_of_run(&mut self) -> bool {
        let Some((open, run)) = self.session.current().and_then(|o| Some((o, o.run?))) else { return false };
        let (game, id, status) = (open.doc.game().info().id, open.id, open.doc.status());
        if run.over {
            self.start_run(game, run.kind);
        } else if status == Status::Won {
            let run = Run { seed: run.seed.wrapping_add(1), counted: false, ..run };
            self.make_board(game, run, Some(id));
        } else {
            self.say("clear this board first");
        }
        true
    }

    fn make_board(&mut self, game: &'static str, run: Run, instead_of: Option<u64>) {
        let Some(game) = games::by_id(game) else { return };
        let Some((name, values)) = game.runs().into_iter().nth(run.kind) else { return };
        let wake = self.services.wake.clone();
        // Named by its place in the run: a seed says nothing to a player.
        let title = format!("{name}, board {}", run.score + 1);
        let work = move |probe: &mut Probe| {
            let mut doc = game.generate("", &values, run.seed, probe)?.doc;
            let meta = Meta { title, ..doc.meta().clone() };
            doc.set_meta(meta);
            doc.mark_saved();
            Ok(doc)
        };
        let job = Job::spawn(Limits::default(), move || wake(), work);
        self.services.making = Some(Making::of_run(run, instead_of, job));
    }

    /// Counts cleared boards, and ends runs that are stranded.
    pub(super) fn tick_runs(&mut self) {
        for open in &mut self.session.open {
            let Some(run) = open.run.as_mut().filter(|r| !r.over && !r.counted) else { continue };
            let status = open.doc.status();
            if status == Status::Playing || open.doc.played_level() != run.board {
                continue;
            }
            match status {
                Status::Won if !open.doc.taken_over() => {
                    run.counted = true;
                    run.score += 1;
                    let record = run.record(open.doc.game());
                    self.services.keeper.add(&Records::of_score(&record, run.score));
                }
                Status::Lost => run.over = true,
                _ => {}
            }
        }
    }

    /// The best score of a run.
    pub fn best_of_run(&self, game: &'static dyn AnyGame, kind: usize) -> u32 {
        self.services.keeper.records().score(&record(game, kind))
    }

    /// "score 3 · best 7" for the run in front.
    pub fn run_words(&self, open: &OpenLevel) -> Option<String> {
        let run = open.run?;
        let best = self.best_of_run(open.doc.game(), run.kind);
        let what = if run.over { "final score" } else { "score" };
        Some(format!("{what} {} · best {best}", run.score))
    }
}
