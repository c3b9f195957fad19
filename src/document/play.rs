//! A game on a copy of the draft.
//!
//! The history holds every state, so undo restores exactly, over the opponent's turns too. What a player does with it is in `playing.rs`.

mod playing;

pub use playing::{Feedback, Playing};

use super::{Digest, Document, Inspecting as _, Pace, Wake, edit::Draft, slot::Asked, timer::Timer};
use crate::{
    analysis::review::Reviewed,
    clock::Instant,
    game::{Ahead, Game, MOST_REPLIES, Motion, Nudge, Reason, Refusal, Scene, Status, opponents_turn, reply},
    job::{Limits, Probe},
    picture::Colours,
};
use std::{
    collections::VecDeque,
    sync::{Arc, OnceLock},
    time::Duration,
};

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
    timer: Timer,
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
    timer: Timer,
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
    /// Whether a solution of the level has been shown.
    solution_seen: bool,
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
            timer: Timer::default(),
            turn: Instant::now(),
            lost: Asked::default(),
            why: Asked::default(),
            winnable: Asked::default(),
            hint: Asked::default(),
            review: Asked::default(),
            hint_stage: 0,
            hint_left: 0,
            hints: 0,
            solution_seen: false,
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
        let Replaced { states, moves, gestures, at, taken, timer, hints, .. } = *old;
        (self.states, self.moves, self.gestures, self.taken, self.timer) = (states, moves, gestures, taken, timer);
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

    fn make(&mut self, mv: G::Move) -> Result<(), Refusal> {
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
            self.timer.reset();
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
        self.timer.start();
        self.keep_time();
        Ok(())
    }

    /// The timer runs from the first move on, and stands still while the game is over.
    fn keep_time(&mut self) {
        if self.status() != Status::Playing {
            self.timer.stop();
        } else if self.at > 0 {
            self.timer.start();
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
        self.keep_time();
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
            play.solution_seen |= old.solution_seen && old.version == play.version;
            // With the jobs that are still ending.
            (play.lost, play.winnable, play.hint, play.reply) = (old.lost, old.winnable, old.hint, old.reply);
            (play.why, play.review) = (old.why, old.review);
            play.review.forget();
            play.moved();
        }
        self.play = Some(play);
    }

    /// A line that is shown while the game goes on is help, played or found by the solver.
    pub(super) fn note_solution_seen(&mut self) {
        let shown = self.inspect.line().is_some() && !self.stale();
        if let Some(play) = self.play.as_mut().filter(|p| shown && p.draft == self.edit.draft().version) {
            play.solution_seen |= play.status() == Status::Playing;
        }
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
                timer: old.timer,
                hints: old.hints,
                until: play.at,
            }));
        }
        self.set_play(play);
    }
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
