//! A game on a copy of the draft.
//!
//! The history holds every state, so undo restores exactly, over the opponent's turns too. While one plays, three things are found out in the
//! background: par (by the study, see `study.rs`), whether the position can still be won and why not, and, on request, a hint.

use super::{Digest, Document, Pace, Studied as _, Wake, edit::Draft, identity, slot::Asked};
use crate::{
    analysis::{
        Report, Verdict, played_goal,
        review::{self, Review, Reviewed, review},
        solve,
        why::{self, why},
    },
    clock::Instant,
    game::{
        Ahead, Game, HINT_STAGES, Hint, Input, MOST_REPLIES, Motion, Nudge, Offer, Reaction, Reason, Rules, Scene,
        Status, opponents_turn, reply,
    },
    job::{Limits, Probe},
    picture::Colours,
};
use std::{
    collections::VecDeque,
    sync::{Arc, OnceLock},
    time::Duration,
};

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
    /// Starts anew on the draft as it is; false if it cannot be played.
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
    /// The hint for the position, once it is there.
    fn hint(&self) -> Option<Hint>;
    /// Whether a hint is being worked out.
    fn hint_pending(&self) -> bool;
    /// Positions for which a hint was asked for since the start.
    fn hints_used(&self) -> usize;
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
    /// Choices offered: label and whether it is in force.
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

/// A move shown on its way.
struct Moving {
    since: Instant,
    seconds: f32,
}

/// A game that was left for another position.
struct Replaced<G: Game> {
    states: Vec<G::State>,
    moves: Vec<G::Move>,
    gestures: Vec<u32>,
    at: usize,
    taken: usize,
    began: Option<Instant>,
    hints: usize,
    /// Where the way that replaced it ends.
    until: usize,
}

pub(super) struct Play<G: Game> {
    level: Arc<G::Level>,
    /// What the level is, once it was asked for: the window asks in every frame.
    digest: OnceLock<Digest>,
    /// The version of the level in play.
    version: u64,
    /// The version of the draft that the game is about: another one where a line of a goal with a level of its own was taken over.
    draft: u64,
    states: Vec<G::State>,
    moves: Vec<G::Move>,
    /// For each move the number of the gesture that made it, in rising order; an answer has that of what it answers.
    gestures: Vec<u32>,
    gesture: u32,
    at: usize,
    /// How many of the first moves were taken over from a line.
    taken: usize,
    /// The game that a way to another position has replaced: undo at the end of that way goes back to it.
    replaced: Option<Box<Replaced<G>>>,
    /// Counts every change of the position.
    changes: u64,
    ui: G::Ui,
    /// Moves of one gesture that wait for the opponent's answer in between.
    waiting: Vec<G::Move>,
    moving: Option<Moving>,
    nudge: Option<(Nudge, Instant)>,
    began: Option<Instant>,
    took: Option<Duration>,
    /// How long the clock has stood still before that.
    idle: Duration,
    turn: Instant,
    lost: Asked<Option<bool>>,
    /// Why the position cannot be won.
    why: Asked<Option<Reason>>,
    /// The number of the last position that is not lost.
    winnable: Asked<Option<usize>>,
    hint: Asked<Option<Vec<G::Move>>>,
    /// What there is to say about the moves, whichever of the positions is shown.
    review: Asked<Option<Reviewed<G>>>,
    /// How many stages of the hint are shown.
    hint_stage: u8,
    /// How many moves of the hinted gesture are still to be made.
    hint_left: usize,
    hints: usize,
    reply: Asked<Option<G::Move>>,
    reply_asked: Option<Instant>,
    reply_delay: Duration,
}

impl<G: Game> Play<G> {
    fn new(draft: Draft<G>, start: G::State) -> Play<G> {
        Play {
            level: draft.level,
            digest: OnceLock::new(),
            version: draft.version,
            draft: draft.version,
            states: vec![start],
            moves: Vec::new(),
            gestures: Vec::new(),
            gesture: 0,
            at: 0,
            taken: 0,
            replaced: None,
            changes: 0,
            ui: G::Ui::default(),
            waiting: Vec::new(),
            moving: None,
            nudge: None,
            began: None,
            took: None,
            idle: Duration::ZERO,
            turn: Instant::now(),
            lost: Asked::default(),
            why: Asked::default(),
            winnable: Asked::default(),
            hint: Asked::default(),
            review: Asked::default(),
            hint_stage: 0,
            hint_left: 0,
            hints: 0,
            reply: Asked::default(),
            reply_asked: None,
            reply_delay: Duration::from_millis(500),
        }
    }

    /// A game whose moves have been made already.
    fn replayed(draft: Draft<G>, states: Vec<G::State>, moves: Vec<G::Move>) -> Play<G> {
        let at = moves.len();
        let mut play = Play::new(draft, states[0].clone());
        play.gestures = vec![0; at];
        (play.states, play.moves, play.at, play.taken) = (states, moves, at, at);
        play.divide(0);
        play
    }

    /// Divides the moves from one on into gestures as a player would make them: they came as a line.
    fn divide(&mut self, mut from: usize) {
        while from < self.moves.len() {
            let mut end = from + G::gesture(&self.level, &self.states[from], &self.moves[from..]).max(1);
            while end < self.moves.len() && opponents_turn::<G>(&self.level, &self.states[end]) {
                end += 1;
            }
            self.gesture += 1;
            let end = end.min(self.moves.len());
            self.gestures[from..end].fill(self.gesture);
            from = end;
        }
    }

    /// Makes the moves of a written line.
    pub(super) fn make_line(&mut self, moves: Vec<G::Move>) -> Feedback {
        let from = self.at;
        let feedback = self.make_all(moves);
        // An opponent's answer belongs to the gesture before it.
        let answers = (from..self.at).take_while(|i| opponents_turn::<G>(&self.level, &self.states[*i])).count();
        self.divide(from + answers);
        feedback
    }

    pub(super) fn state(&self) -> &G::State {
        &self.states[self.at]
    }

    /// The game as it was won: its level, its first position and the player's moves.
    pub(super) fn won(&self) -> Option<(&Arc<G::Level>, &G::State, Vec<G::Move>)> {
        (self.status() == Status::Won).then(|| (&self.level, &self.states[0], self.own_moves()))
    }

    fn reviewed(&self) -> Option<&Reviewed<G>> {
        self.review.known.as_ref()?.as_ref()?.as_ref()
    }

    pub(super) fn level(&self) -> &Arc<G::Level> {
        &self.level
    }

    /// The version of the draft that is played.
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    fn status(&self) -> Status {
        G::status(&self.level, self.state())
    }

    /// The player's own moves up to the position: what a written line holds and what is counted.
    fn own_moves(&self) -> Vec<G::Move> {
        let made = self.states.iter().zip(&self.moves).take(self.at);
        made.filter(|(s, _)| !opponents_turn::<G>(&self.level, s)).map(|(_, m)| m.clone()).collect()
    }

    /// The positions so far.
    pub(super) fn made(&self) -> &[G::State] {
        &self.states[..=self.at]
    }

    /// How often the position has changed.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// The place of a position of the player's among the moves made or undone: the last one made, else the next one undone.
    pub(super) fn place_of(&self, is: impl Fn(&G::State) -> bool) -> Option<usize> {
        let own = |i: &usize| !opponents_turn::<G>(&self.level, &self.states[*i]) && is(&self.states[*i]);
        (0..=self.at).rev().find(own).or_else(|| (self.at + 1..self.states.len()).find(own))
    }

    /// Back to the game that a way to another position has replaced; false if there is none, or moves were made or taken back since.
    fn back_to_replaced(&mut self) -> bool {
        let Some(old) = self.replaced.take_if(|r| r.until == self.at) else { return false };
        let Replaced { states, moves, gestures, at, taken, began, hints, .. } = *old;
        (self.states, self.moves, self.gestures, self.taken, self.began) = (states, moves, gestures, taken, began);
        self.hints = hints;
        self.review.forget();
        self.jump(at);
        true
    }

    fn opponents_turn(&self) -> bool {
        self.status() == Status::Playing && opponents_turn::<G>(&self.level, self.state())
    }

    /// The position is another one: what was being found out about the old one is stale.
    fn moved(&mut self) {
        self.changes += 1;
        self.lost.forget();
        self.why.forget();
        self.winnable.forget();
        self.hint.forget();
        self.reply.forget();
        self.reply_asked = None;
        self.turn = Instant::now();
    }

    fn make(&mut self, mv: G::Move) -> Result<(), crate::game::Refusal> {
        let mut next = self.state().clone();
        G::play(&self.level, &mut next, &mv)?;
        let seconds = G::motion_seconds(&self.level, self.state(), &mv);
        let hinted = match &self.hint.known {
            Some(Some(Some(line))) if line.first() == Some(&mv) && line.len() > 1 => Some(line[1..].to_vec()),
            _ => None,
        };
        // The hint stays in sight while the gesture that it shows is being made.
        self.hint_left = self.hint_left.saturating_sub(1);
        if hinted.is_none() || self.hint_left == 0 {
            self.hint_stage = 0;
        }
        if self.at == 0 {
            self.began = None;
        }
        self.review.forget();
        self.states.truncate(self.at + 1);
        self.moves.truncate(self.at);
        self.gestures.truncate(self.at);
        self.taken = self.taken.min(self.at);
        self.replaced.take_if(|r| r.until > self.at);
        self.states.push(next);
        self.moves.push(mv);
        self.gestures.push(self.gesture);
        self.at += 1;
        self.moved();
        // A hint that was followed goes on from there without another search.
        if let Some(rest) = hinted.filter(|_| !self.opponents_turn()) {
            self.hint.known = Some(Some(Some(rest)));
        }
        self.moving = Some(Moving { since: Instant::now(), seconds });
        self.began.get_or_insert_with(Instant::now);
        self.stop_clock();
        Ok(())
    }

    /// The clock stands still while the game is over.
    fn stop_clock(&mut self) {
        let over = self.status() != Status::Playing;
        match (over, self.took) {
            (true, None) => self.took = self.began.map(|b| b.elapsed().saturating_sub(self.idle)),
            // A move was taken back: what has passed since the end was not played.
            (false, Some(took)) => {
                self.idle = self.began.map_or(Duration::ZERO, |b| b.elapsed().saturating_sub(took));
                self.took = None;
            }
            _ => {}
        }
    }

    /// Makes moves, and then those that waited for the opponent, until one is refused. What is left when it is the opponent's turn waits for the answer; the
    /// opponent's moves may be among the others, as in [`Playing::whole_line`]. A gesture that begins in the opponent's turn is refused as a whole.
    pub(super) fn make_all(&mut self, moves: Vec<G::Move>) -> Feedback {
        let mut feedback = Feedback { used: true, ..Feedback::default() };
        let new = moves.len();
        let mut moves: VecDeque<_> = moves.into_iter().chain(std::mem::take(&mut self.waiting)).collect();
        while let Some(mv) = moves.front() {
            match self.make(mv.clone()) {
                Ok(()) => feedback.moved = true,
                Err(_) if self.opponents_turn() && feedback.moved => {
                    self.waiting = moves.into();
                    break;
                }
                Err(refusal) => {
                    if self.opponents_turn() {
                        self.waiting = moves.split_off(new).into();
                    }
                    feedback.say = Some(refusal.text);
                    break;
                }
            }
            moves.pop_front();
        }
        feedback
    }

    pub(super) fn jump(&mut self, at: usize) {
        self.at = at;
        self.moved();
        self.hint_stage = 0;
        self.waiting.clear();
        (self.moving, self.nudge) = (None, None);
        self.stop_clock();
    }

    pub(super) fn scene<'a>(&'a self, colours: &'a Colours, cell_px: f32, pace: Pace) -> Scene<'a, G> {
        let motion = self.moving.as_ref().filter(|_| self.at > 0).and_then(|m| {
            let t = pace.part(m.since, m.seconds)?;
            Some(Motion { from: &self.states[self.at - 1], mv: &self.moves[self.at - 1], t })
        });
        let nudge = self.nudge.and_then(|(n, since)| Some((n, pace.part(since, n.seconds())?)));
        Scene { level: &self.level, state: Some(self.state()), ui: Some(&self.ui), motion, nudge, colours, cell_px }
    }

    /// What the hint shows, as far as it was asked for.
    pub(super) fn ahead(&self) -> Option<Ahead<'_, G>> {
        let stage = self.hint_stage.checked_sub(1)?;
        let Some(Some(Some(moves))) = &self.hint.known else { return None };
        (!moves.is_empty()).then_some(Ahead { moves, after: None, stage })
    }

    pub(super) fn in_motion(&self, pace: Pace) -> bool {
        self.moving.as_ref().is_some_and(|m| pace.part(m.since, m.seconds).is_some())
            || self.nudge.is_some_and(|(n, since)| pace.part(since, n.seconds()).is_some())
    }

    pub(super) fn busy(&self) -> bool {
        self.lost.slot.busy()
            || self.why.slot.busy()
            || self.winnable.slot.busy()
            || self.hint.slot.busy()
            || self.review.slot.busy()
            || self.reply_asked.is_some()
    }

    pub(super) fn tick(&mut self, wake: &Wake) -> bool {
        let found = self.lost.poll() | self.why.poll() | self.hint.poll() | self.reply.poll() | self.winnable.poll();
        let found = found | self.review.poll();
        if let Some(Some(Some(at))) = self.winnable.known {
            self.jump(at);
        }
        if let (true, Some(Some(Some(line)))) = (found && self.hint_stage > 0, &self.hint.known) {
            self.hint_left = G::gesture(&self.level, self.state(), line);
        }
        found | self.tick_opponent(wake)
    }

    fn tick_opponent(&mut self, wake: &Wake) -> bool {
        if !self.opponents_turn() {
            return false;
        }
        let Some(since) = self.reply_asked else {
            let (level, state) = (self.level.clone(), self.state().clone());
            self.reply.ask(Limits::default(), wake, move |p| reply::<G>(&level, &state, p));
            self.reply_asked = Some(Instant::now());
            return true;
        };
        if since.elapsed() < self.reply_delay {
            return false;
        }
        let Some(Some(Some(answer))) = self.reply.known.clone() else { return false };
        // A refused answer would be an error of the opponent's: the human then simply stays to move nothing, and the game shows it.
        if self.make(answer).is_ok() {
            self.make_all(Vec::new());
        }
        true
    }
}

impl<G: Game> Document<G> {
    fn with_play<T: Default>(&mut self, act: impl FnOnce(&mut Play<G>, &Wake) -> T) -> T {
        self.play.as_mut().map(|p| act(p, &self.wake)).unwrap_or_default()
    }

    /// What the old game leaves to a new one.
    fn set_play(&mut self, mut play: Play<G>) {
        play.draft = self.draft().version;
        if let Some(old) = self.play.take() {
            play.reply_delay = old.reply_delay;
            play.changes = old.changes;
            // With the jobs that are still ending.
            (play.lost, play.winnable, play.hint, play.reply) = (old.lost, old.winnable, old.hint, old.reply);
            (play.why, play.review) = (old.why, old.review);
            play.review.forget();
            play.moved();
        }
        self.play = Some(play);
    }

    /// Plays on from the end of moves that were made on a level: the draft, or a stage of it.
    pub(super) fn take_over_line(&mut self, level: Arc<G::Level>, states: Vec<G::State>, moves: Vec<G::Move>) {
        let draft = self.edit.naming(level);
        self.set_play(Play::replayed(draft, states, moves));
    }

    /// The same, and undo takes it back as one.
    pub(super) fn play_instead(&mut self, level: Arc<G::Level>, states: Vec<G::State>, moves: Vec<G::Move>) {
        let draft = self.edit.naming(level);
        let mut play = Play::replayed(draft, states, moves);
        if let Some(old) = self.play.as_mut().filter(|p| p.version == play.version) {
            play.gesture = play.gesture.max(old.gesture);
            play.replaced = Some(Box::new(Replaced {
                states: std::mem::take(&mut old.states),
                moves: std::mem::take(&mut old.moves),
                gestures: std::mem::take(&mut old.gestures),
                at: old.at,
                taken: old.taken,
                began: old.began,
                hints: old.hints,
                until: play.at,
            }));
        }
        self.set_play(play);
    }
}

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
        // It is the same game, so the clock runs on, and moves that were taken over stay so.
        (again.taken, again.hints, again.began) = (play.taken.min(again.at), play.hints, play.began);
        again.stop_clock();
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
                play.began = None;
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
        let Some(play) = self.play.as_ref().filter(|p| p.at > 0) else { return Duration::ZERO };
        play.took.or_else(|| play.began.map(|b| b.elapsed().saturating_sub(play.idle))).unwrap_or_default()
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

/// Used by `inspect.rs` to hand a line over to play.
pub(super) fn played<G: Game>(
    level: &G::Level,
    from: &G::State,
    line: &[G::Move],
) -> Option<(Vec<G::State>, Vec<G::Move>)> {
    // A line holds the player's moves only; the history needs the opponent's as well.
    let mut states = vec![from.clone()];
    let mut moves = Vec::new();
    for mv in line {
        let mut state = states[states.len() - 1].clone();
        G::play(level, &mut state, mv).ok()?;
        moves.push(mv.clone());
        states.push(state.clone());
        let before = moves.len();
        while G::status(level, &state) == Status::Playing && opponents_turn::<G>(level, &state) {
            let mut probe = Probe::new(Limits::default());
            let answer =
                reply::<G>(level, &state, &mut probe).filter(|_| moves.len() - before < MOST_REPLIES as usize)?;
            G::play(level, &mut state, &answer).ok()?;
            moves.push(answer);
            states.push(state.clone());
        }
    }
    Some((states, moves))
}
