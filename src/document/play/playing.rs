//! What a player does with the game under way, and what is found out for them in the background: par (by the study, see `study.rs`), whether the position can
//! still be won and why not, and, on request, a hint or a review.

use super::Play;
use crate::{
    analysis::{
        Report, Verdict, played_goal,
        review::{self, Review, review},
        solve,
        why::{self, why},
    },
    clock::Instant,
    document::{Digest, Document, Studied as _, identity},
    game::{Game, HINT_STAGES, Hint, Input, Offer, Reaction, Reason, Rules, Status, opponents_turn},
    job::{Limits, Probe},
};
use std::{sync::Arc, time::Duration};

/// What became of an input.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Feedback {
    /// Whether it meant something.
    pub used: bool,
    /// Whether a move was made.
    pub moved: bool,
    /// What to tell the player.
    pub say: Option<String>,
}

/// What a player does.
pub trait Playing {
    /// Begins a new game on the draft as it is; false if it cannot be played.
    fn play_from_start(&mut self) -> bool;
    /// Goes on where play was left. If the draft has changed since, the moves made so far are replayed on it as far as they go.
    fn play_from_here(&mut self) -> bool;
    /// Whether there is a game under way.
    fn in_play(&self) -> bool;
    /// Whether that game is on the draft as it is now.
    fn plays_draft(&self) -> bool;
    /// Pointer and keys.
    fn input(&mut self, input: &Input) -> Feedback;
    /// Takes back what the last gesture did, the opponent's answers too; false if there is nothing to take back.
    fn undo(&mut self) -> bool;
    /// Makes it again.
    fn redo(&mut self) -> bool;
    /// Goes back to the last position that is not proven lost, once that is found out in the background.
    fn back_to_winnable(&mut self);
    /// Whether that is being found out, or was and there is none (`Some(false)`).
    fn going_back(&self) -> Option<bool>;
    /// Back to the start, with the choice that was offered and made last. Redo undoes it, unless that choice had to be made again.
    fn restart(&mut self);
    /// How the game stands.
    fn status(&self) -> Status;
    /// What was counted so far.
    fn counts(&self) -> Vec<(&'static str, u32)>;
    /// Time since the first move from the start, until the game was over.
    fn play_time(&self) -> Duration;
    /// Moves made, and moves made or undone.
    fn progress(&self) -> (usize, usize);
    /// The moves made, in the game's notation.
    fn played_line(&self) -> String;
    /// The same with the opponent's moves: what leads to the position without the opponent having to think again.
    fn whole_line(&self) -> String;
    /// Asks for par and for whether the position can still be won.
    fn ask_outlook(&mut self);
    /// Stars for the game as it was won.
    fn stars(&self) -> Option<u8>;
    /// Whether the position is proven lost (`Some(true)`), winnable (`Some(false)`) or not known.
    fn lost_cause(&self) -> Option<bool>;
    /// Why the position cannot be won, once it is known to be lost and that is found out.
    fn lost_reason(&self) -> Option<&Reason>;
    /// Whether the position is seen to be lost without a search. Takes a few milliseconds.
    fn seen_lost(&self) -> bool;
    /// Asks for a hint, or for the next stage of it.
    fn ask_hint(&mut self);
    /// Puts the hint away.
    fn drop_hint(&mut self);
    /// The hint for the position, once it is there.
    fn hint(&self) -> Option<Hint>;
    /// Whether a hint is being worked out.
    fn hint_pending(&self) -> bool;
    /// Positions for which a hint was asked for since the start.
    fn hints_used(&self) -> usize;
    /// Whether a solution of the level was shown before the game was over.
    fn solution_seen(&self) -> bool;
    /// Reviews the game as far as it was played, also what was taken back of it: see [`crate::analysis::review`].
    fn ask_review(&mut self);
    /// The review of these moves, once it is there.
    fn review(&self) -> Option<&Review>;
    /// Whether that is being made.
    fn review_pending(&self) -> bool;
    /// Puts it away.
    fn close_review(&mut self);
    /// Goes to a position of the game by its place, as [`ReviewRow::after`](crate::analysis::review::ReviewRow::after) has it.
    fn go_to(&mut self, at: usize);
    /// Shows the line that was better than the first mistake, to be stepped through; false if there is none.
    fn show_better(&mut self) -> bool;
    /// Sentences about the position.
    fn notices(&self) -> Vec<String>;
    /// Choices offered: label and whether it is chosen.
    fn offers(&self) -> Vec<(String, bool)>;
    /// Takes one.
    fn take_offer(&mut self, index: usize) -> Feedback;
    /// Seconds left for this turn, in games played against a clock; makes the move of an expired turn. To be called while play is shown.
    fn tick_clock(&mut self) -> Option<f32>;
    /// The [`super::Identity::exact`] digest of the level in play, which is a copy of the draft as it was then.
    fn played_level(&self) -> Option<Digest>;
    /// Whether the position was reached with moves that were taken over from a line: then it is nobody's record.
    fn taken_over(&self) -> bool;
    /// Points of a won game, in games that have them.
    fn points(&self) -> Option<u32>;
    /// Whether the opponent is thinking.
    fn thinking(&self) -> bool;
    /// How long the opponent waits before it answers.
    fn set_reply_delay(&mut self, delay: Duration);
    /// Whether moves are shown moving.
    fn set_animate(&mut self, on: bool);
    /// How fast they move: 1 is the usual speed.
    fn set_speed(&mut self, speed: f32);
}

const HINT_LIMITS: Limits =
    Limits { nodes: Some(2_000_000), time: Some(Duration::from_secs(10)), memory: Some(1 << 30) };
/// The review has node limits of its own.
const REVIEW_LIMITS: Limits = Limits { nodes: None, time: Some(Duration::from_secs(60)), memory: Some(1 << 30) };
const LOST_LIMITS: Limits =
    Limits { nodes: Some(300_000), time: Some(Duration::from_secs(3)), memory: Some(512 << 20) };

impl<G: Game> Playing for Document<G> {
    fn play_from_start(&mut self) -> bool {
        let Ok(start) = G::start(self.level()) else { return false };
        self.set_play(Play::new(self.draft().clone(), start));
        true
    }
    fn play_from_here(&mut self) -> bool {
        let Ok(start) = G::start(self.level()) else { return false };
        let Some(play) = &self.play else { return self.play_from_start() };
        if self.plays_draft() {
            return true;
        }
        let mut again = Play::<G>::new(self.draft().clone(), start);
        for (mv, gesture) in play.moves[..play.at].iter().zip(&play.gestures) {
            again.gesture = *gesture;
            if again.make(mv.clone()).is_err() {
                break;
            }
        }
        again.moving = None;
        // It is the same game: its time runs on, moves that were taken over stay so, and help stays help.
        (again.taken, again.hints, again.timer) = (play.taken.min(again.at), play.hints, play.timer);
        again.solution_seen = play.solution_seen;
        again.keep_time();
        self.set_play(again);
        true
    }
    fn in_play(&self) -> bool {
        self.play.is_some()
    }
    fn plays_draft(&self) -> bool {
        self.play.as_ref().is_some_and(|p| p.draft == self.draft().version)
    }
    fn input(&mut self, input: &Input) -> Feedback {
        self.with_play(|play, _| {
            if play.opponents_turn() && !matches!(input, Input::Hover(_)) {
                return Feedback::default();
            }
            if matches!(input, Input::Press(_) | Input::Key(_) | Input::Wheel(_)) {
                play.gesture += 1;
            }
            let Reaction { moves, used, say, nudge } =
                G::input(&play.level, &play.states[play.at], &mut play.ui, input);
            let made = play.make_all(moves);
            if let Some(nudge) = nudge {
                play.nudge = Some((nudge, Instant::now()));
            }
            Feedback { used, moved: made.moved, say: made.say.or(say) }
        })
    }
    fn undo(&mut self) -> bool {
        self.with_play(|play, _| {
            if play.back_to_replaced() {
                return true;
            }
            let Some(mut at) = play.at.checked_sub(1) else { return false };
            let gesture = play.gestures[at];
            let together =
                |at: usize| play.gestures[at - 1] == gesture || opponents_turn::<G>(&play.level, &play.states[at]);
            while at > 0 && together(at) {
                at -= 1;
            }
            play.jump(at);
            true
        })
    }
    fn redo(&mut self) -> bool {
        self.with_play(|play, _| {
            if play.at == play.moves.len() {
                return false;
            }
            let mut at = play.at + 1;
            let gesture = play.gestures[play.at];
            let together =
                |at: usize| play.gestures[at] == gesture || opponents_turn::<G>(&play.level, &play.states[at]);
            while at < play.moves.len() && together(at) {
                at += 1;
            }
            play.jump(at);
            true
        })
    }
    fn back_to_winnable(&mut self) {
        self.with_play(|play, wake| {
            let (level, states) = (play.level.clone(), play.states[..play.at].to_vec());
            play.winnable.ask(Limits::default(), wake, move |probe| last_winnable::<G>(&level, &states, probe));
        });
    }
    fn going_back(&self) -> Option<bool> {
        let play = self.play.as_ref()?;
        if play.winnable.slot.busy() { Some(true) } else { play.winnable.known.as_ref().map(|_| false) }
    }
    fn restart(&mut self) {
        self.with_play(|play, _| {
            play.gesture += 1;
            // A game that is over offers nothing, so the last choice is looked for.
            let made =
                play.states[..=play.at].iter().rev().map(|s| offers::<G>(&play.level, s)).find(|o| !o.is_empty());
            let chosen = made.and_then(|offers| offers.into_iter().position(|o| o.chosen));
            play.review.forget();
            play.jump(0);
            (play.ui, play.hints) = (G::Ui::default(), 0);
            let offers = offers::<G>(&play.level, play.state());
            let again = chosen.and_then(|i| offers.into_iter().nth(i)).filter(|o| !o.chosen);
            if again.is_some_and(|o| play.make(o.mv).is_ok()) {
                // The choice is made, but nothing is played yet.
                play.timer.reset();
            }
        });
    }
    fn status(&self) -> Status {
        self.play.as_ref().map_or(Status::Playing, Play::status)
    }
    fn counts(&self) -> Vec<(&'static str, u32)> {
        match &self.play {
            Some(p) => {
                let counts = G::counts(&p.level, &p.states[0], &p.own_moves());
                G::INFO.counts.iter().copied().zip(counts).collect()
            }
            None => G::INFO.counts.iter().map(|n| (*n, 0)).collect(),
        }
    }
    fn play_time(&self) -> Duration {
        self.play.as_ref().filter(|p| p.at > 0).map_or(Duration::ZERO, |p| p.timer.time())
    }
    fn progress(&self) -> (usize, usize) {
        self.play.as_ref().map_or((0, 0), |p| (p.at, p.moves.len()))
    }
    fn played_line(&self) -> String {
        self.play.as_ref().map_or_else(String::new, |p| G::write_line(&p.level, &p.own_moves()))
    }
    fn whole_line(&self) -> String {
        self.play.as_ref().map_or_else(String::new, |p| G::write_line(&p.level, &p.moves[..p.at]))
    }
    fn ask_outlook(&mut self) {
        self.study.par_asked = self.play.as_ref().map(Play::version);
        self.with_play(|play, wake| {
            if play.status() == Status::Playing && !play.opponents_turn() {
                let (level, state) = (play.level.clone(), play.state().clone());
                play.lost.ask(LOST_LIMITS, wake, move |probe| {
                    if G::seen_lost(&level, &state) {
                        return Some(true);
                    }
                    let goal = played_goal::<G>(&level, &state);
                    solve::<G>(&level, Some(&state), goal, probe, &mut |_| ()).report.lost()
                });
            }
            if play.status() == Status::Lost || matches!(play.lost.known, Some(Some(Some(true)))) {
                let (level, state) = (play.level.clone(), play.state().clone());
                let limits = Limits { memory: Some(512 << 20), ..Limits::default() };
                play.why.ask(limits, wake, move |probe| {
                    let report = Report::new::<G>(played_goal::<G>(&level, &state), Verdict::Unsolvable);
                    let found = why::<G>(&level, Some(&state), &report, why::Effort::default(), probe);
                    found.ok().flatten().map(|found| found.reason)
                });
            }
        });
    }
    fn stars(&self) -> Option<u8> {
        let par = self.par()?;
        let (_, count) = *self.counts().get(G::GOALS[G::INFO.par_goal].count)?;
        (self.status() == Status::Won).then(|| <G as Rules>::stars(count, par.count))
    }
    fn lost_cause(&self) -> Option<bool> {
        self.play.as_ref()?.lost.known??
    }
    fn lost_reason(&self) -> Option<&Reason> {
        self.play.as_ref()?.why.known.as_ref()?.as_ref()?.as_ref()
    }
    fn seen_lost(&self) -> bool {
        self.play.as_ref().is_some_and(|p| G::seen_lost(&p.level, p.state()))
    }
    fn ask_hint(&mut self) {
        self.with_play(|play, wake| {
            if play.status() != Status::Playing || play.opponents_turn() {
                return;
            }
            play.hints += usize::from(play.hint_stage == 0);
            if let Some(known) = &play.hint.known {
                if let (0, Some(Some(line))) = (play.hint_stage, known) {
                    play.hint_left = G::gesture(&play.level, &play.states[play.at], line);
                }
                play.hint_stage = (play.hint_stage + 1).min(HINT_STAGES);
            } else {
                let (level, state) = (play.level.clone(), play.state().clone());
                play.hint.ask(HINT_LIMITS, wake, move |p| G::advise(&level, &state, p));
                play.hint_stage = 1;
            }
        });
    }
    fn drop_hint(&mut self) {
        self.with_play(|play, _| {
            play.hint_stage = 0;
            if play.hint.slot.busy() {
                play.hint.forget();
            }
        });
    }
    fn hint(&self) -> Option<Hint> {
        let play = self.play.as_ref()?;
        let stage = play.hint_stage.checked_sub(1)?;
        match play.hint.known.as_ref()? {
            Some(Some(line)) => Some(G::hint(&play.level, play.state(), line, stage)),
            _ => Some(Hint { spots: Vec::new(), text: "no winning line was found from here".into() }),
        }
    }
    fn hint_pending(&self) -> bool {
        self.play.as_ref().is_some_and(|p| p.hint.slot.busy())
    }
    fn hints_used(&self) -> usize {
        self.play.as_ref().map_or(0, |p| p.hints)
    }
    fn solution_seen(&self) -> bool {
        self.play.as_ref().is_some_and(|p| p.solution_seen)
    }
    fn ask_review(&mut self) {
        self.with_play(|play, wake| {
            let (level, states, moves) = (play.level.clone(), play.states.clone(), play.moves.clone());
            play.review.ask(REVIEW_LIMITS, wake, move |probe| {
                review::<G>(&level, &states, &moves, review::Effort::default(), probe).ok()
            });
        });
    }
    fn review(&self) -> Option<&Review> {
        self.play.as_ref()?.reviewed().map(|r| &r.review)
    }
    fn review_pending(&self) -> bool {
        self.play.as_ref().is_some_and(|p| p.review.slot.busy())
    }
    fn close_review(&mut self) {
        self.with_play(|play, _| play.review.forget());
    }
    fn go_to(&mut self, at: usize) {
        self.with_play(|play, _| play.jump(at.min(play.moves.len())));
    }
    fn show_better(&mut self) -> bool {
        let better = self.play.as_ref().filter(|_| self.plays_draft()).and_then(|p| p.reviewed()?.better.clone());
        let Some(line) = better else { return false };
        let report = Report::of_line(&line);
        self.show_line(line, report, "review".into());
        true
    }
    fn notices(&self) -> Vec<String> {
        self.play.as_ref().map_or_else(Vec::new, |p| G::about_position(&p.level, p.state()))
    }
    fn offers(&self) -> Vec<(String, bool)> {
        let offers = self.play.as_ref().map_or_else(Vec::new, |p| offers::<G>(&p.level, p.state()));
        offers.into_iter().map(|o| (o.label, o.chosen)).collect()
    }
    fn take_offer(&mut self, index: usize) -> Feedback {
        self.with_play(|play, _| {
            play.gesture += 1;
            let offers = offers::<G>(&play.level, play.state());
            offers.into_iter().nth(index).map_or_else(Feedback::default, |o| play.make_all(vec![o.mv]))
        })
    }
    fn tick_clock(&mut self) -> Option<f32> {
        self.with_play(|play, _| {
            let (seconds, mv) = (G::versus()?.clock)(&play.level, play.state())?;
            if play.status() != Status::Playing || play.opponents_turn() {
                return None;
            }
            let left = seconds - play.turn.elapsed().as_secs_f32();
            if left <= 0.0 {
                play.gesture += 1;
                play.make_all(vec![mv]);
            }
            Some(left.max(0.0))
        })
    }
    fn played_level(&self) -> Option<Digest> {
        self.play.as_ref().map(|p| *p.digest.get_or_init(|| identity::exact::<G>(&p.level)))
    }
    fn taken_over(&self) -> bool {
        self.play.as_ref().is_some_and(|p| p.taken.min(p.at) > 0)
    }
    fn points(&self) -> Option<u32> {
        self.play.as_ref().and_then(|p| (G::versus()?.points)(&p.level, p.state()))
    }
    fn thinking(&self) -> bool {
        self.play.as_ref().is_some_and(Play::opponents_turn)
    }
    fn set_reply_delay(&mut self, delay: Duration) {
        self.with_play(|play, _| play.reply_delay = delay);
    }
    fn set_animate(&mut self, on: bool) {
        self.pace.on = on;
    }
    fn set_speed(&mut self, speed: f32) {
        self.pace.speed = speed.clamp(0.1, 10.0);
    }
}

/// The last of these positions, which followed one another, that is not proven lost. All positions after a lost one are lost, so halving finds it.
fn last_winnable<G: Game>(level: &Arc<G::Level>, states: &[G::State], probe: &mut Probe) -> Option<usize> {
    let own: Vec<usize> = (0..states.len()).filter(|i| !opponents_turn::<G>(level, &states[*i])).collect();
    let mut lost = |i: &usize| {
        let mut part = probe.part(LOST_LIMITS.nodes.unwrap_or(u64::MAX));
        let goal = played_goal::<G>(level, &states[*i]);
        let report = solve::<G>(level, Some(&states[*i]), goal, &mut part, &mut |_| ()).report;
        probe.absorb(&part);
        report.lost() == Some(true)
    };
    let winnable = own.partition_point(|i| !lost(i));
    winnable.checked_sub(1).map(|k| own[k])
}

fn offers<G: Game>(level: &G::Level, state: &G::State) -> Vec<Offer<G::Move>> {
    G::versus().map_or_else(Vec::new, |v| (v.offers)(level, state))
}
