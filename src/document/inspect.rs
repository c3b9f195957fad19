//! The solver's line: run, stop, step through, take over.
//!
//! The solver's first line is shown as soon as it has one, marked as not proven; better ones replace it. Every line is replayed through the rules
//! before it is shown, and the states of that replay are what is stepped through.

use super::{
    Document, Pace, any_game::outcome_name, counts_text, named_counts, play, replay, solutions::replayed, stage,
};
use crate::{
    game::{Hint, Motion, Outcome, Puzzle, Scene, Solution, Status, Tally},
    grid::Spot,
    job::{Job, Limits, Progress, Stop},
    picture::{Colours, Picture},
};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// What the solver is doing.
#[derive(Clone, PartialEq, Debug)]
pub enum SolveState {
    /// Nothing was asked yet.
    Idle,
    /// Searching.
    Running,
    /// Done.
    Done,
    /// It failed: an error of ours, in words.
    Failed(String),
}

/// What came of a search, in numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Summary {
    /// The goal's id.
    pub goal: &'static str,
    /// "solved", "unsolvable" or "stopped".
    pub outcome: &'static str,
    /// What stopped it.
    pub stopped_by: Option<Stop>,
    /// Whether the line is proven best.
    pub optimal: bool,
    /// The line's cost for the goal.
    pub cost: Option<u32>,
    /// All counts of the line.
    pub counts: Vec<(&'static str, u32)>,
    /// The proven lower bound.
    pub bound: u32,
    /// The number of solutions, where asked for.
    pub tally: Option<Tally>,
    /// The work.
    pub progress: Progress,
}

impl Summary {
    /// The outcome as a headline.
    pub fn headline(&self) -> String {
        match (self.outcome, self.stopped_by) {
            ("solved", _) if self.optimal => "solved, optimal".into(),
            ("solved", Some(stop)) => format!("solved, not proven best (stopped: {})", stop.name()),
            ("solved", None) => "solved".into(),
            ("unsolvable", _) => "proven unsolvable".into(),
            (_, Some(stop)) => format!("not known (stopped: {})", stop.name()),
            (other, None) => other.into(),
        }
    }

    /// "23 steps · 7 drags".
    pub fn counts_text(&self) -> String {
        counts_text(self.counts.iter().copied())
    }
}

/// A row of the move list: neighbouring moves of one piece.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveRow {
    /// Number of the first move, from 1.
    pub first: usize,
    /// The piece.
    pub piece: String,
    /// The moves.
    pub moves: Vec<String>,
}

/// What Inspect does.
pub trait Inspecting {
    /// Starts the solver for a goal, from the start or from the position in play; false if there is nothing to solve.
    fn solve(&mut self, goal: usize, limits: Limits, from_position: bool) -> bool;
    /// Stops it; what it has by then stays.
    fn stop_solving(&mut self);
    /// What it is doing.
    fn solve_state(&self) -> SolveState;
    /// Live counters.
    fn solve_progress(&self) -> Progress;
    /// What came of it (or has come so far).
    fn summary(&self) -> Option<Summary>;
    /// Whether the draft has changed since the line was found.
    fn stale(&self) -> bool;
    /// Moves in the line being shown.
    fn line_len(&self) -> usize;
    /// The line in the game's notation.
    fn line_text(&self) -> String;
    /// The move list.
    fn move_rows(&self) -> Vec<MoveRow>;
    /// Where one is in the line.
    fn step(&self) -> usize;
    /// Goes to a step.
    fn set_step(&mut self, step: usize);
    /// The board of the line on its way to a step: `t` from 0 (the step before) to 1 (the step itself).
    fn frame(&self, step: usize, t: f32, colours: &Colours, cell_px: f32) -> Picture;
    /// How long the move to a step takes to show, in seconds.
    fn frame_seconds(&self, step: usize) -> f32;
    /// What remains after each move, or the game's evaluation: one value a step, the start included.
    fn graph(&self) -> Vec<f32>;
    /// The next move of the line, to draw.
    fn next_move(&self) -> Option<Hint>;
    /// Plays the line up to the step, as moves that can be undone.
    fn take_over(&mut self) -> bool;
    /// Shows a solution kept with the level.
    fn show_kept(&mut self, index: usize) -> Result<(), String>;
    /// The line being shown as a solution to keep.
    fn as_solution(&self) -> Option<Solution>;
    /// Spots of an overlay for the step, with weights.
    fn overlay(&self, index: usize) -> Vec<(Spot, f32)>;
    /// The visited cells, with weights from 0 to 1.
    fn heat(&self) -> Vec<(Spot, f32)>;
}

struct Answer<M> {
    outcome: Outcome<M>,
    progress: Progress,
    heat: Option<Vec<u32>>,
}

/// A line with its replay.
pub(super) struct Line<G: Puzzle> {
    pub(super) goal: usize,
    pub(super) level: G::Level,
    pub(super) states: Vec<G::State>,
    pub(super) moves: Vec<G::Move>,
    pub(super) found: String,
}

/// The move list of a line: neighbouring moves of one piece are one row.
pub(super) fn move_rows<G: Puzzle>(line: &Line<G>) -> Vec<MoveRow> {
    let mut rows: Vec<(u32, MoveRow)> = Vec::new();
    for (i, mv) in line.moves.iter().enumerate() {
        let (key, piece) = G::piece(&line.level, &line.states[i], mv);
        let text = G::write_move(&line.level, mv);
        match rows.last_mut() {
            Some((last, row)) if *last == key => row.moves.push(text),
            _ => rows.push((key, MoveRow { first: i + 1, piece, moves: vec![text] })),
        }
    }
    rows.into_iter().map(|(_, row)| row).collect()
}

pub(super) struct Inspect<G: Puzzle> {
    job: Option<Job<Answer<G::Move>>>,
    early: Arc<Mutex<Option<Vec<G::Move>>>>,
    asked: Option<(usize, G::Level, G::Level, G::State)>,
    state: SolveState,
    progress: Progress,
    answer: Option<(&'static str, Option<Stop>, bool, u32, Option<Tally>)>,
    line: Option<Line<G>>,
    /// The draft the line was found for.
    draft: Option<G::Level>,
    step: usize,
    stepped: Option<Instant>,
    heat: Option<Vec<u32>>,
}

impl<G: Puzzle> Default for Inspect<G> {
    fn default() -> Inspect<G> {
        Inspect {
            job: None,
            early: Arc::default(),
            asked: None,
            state: SolveState::Idle,
            progress: Progress::default(),
            answer: None,
            line: None,
            draft: None,
            step: 0,
            stepped: None,
            heat: None,
        }
    }
}

impl<G: Puzzle> Inspect<G> {
    pub(super) fn busy(&self) -> bool {
        self.job.is_some()
    }

    pub(super) fn line(&self) -> Option<&Line<G>> {
        self.line.as_ref()
    }

    pub(super) fn in_motion(&self, pace: Pace) -> bool {
        self.stepped.is_some_and(|s| pace.part(s, self.motion_seconds()).is_some())
    }

    /// How long the move to the current step takes to show.
    fn motion_seconds(&self) -> f32 {
        match (&self.line, self.step.checked_sub(1)) {
            (Some(line), Some(before)) => G::motion_seconds(&line.level, &line.states[before], &line.moves[before]),
            _ => 0.0,
        }
    }

    pub(super) fn tick(&mut self) -> bool {
        let Some(job) = &self.job else { return false };
        self.progress = job.progress();
        let answer = job.poll();
        let early = self.early.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(line) = early {
            self.show(line, "solver, not proven best");
        }
        match answer {
            None => {}
            Some(Ok(answer)) => {
                self.job = None;
                self.state = SolveState::Done;
                self.finish(answer);
            }
            Some(Err(message)) => {
                self.job = None;
                self.state = SolveState::Failed(message);
            }
        }
        true
    }

    fn finish(&mut self, answer: Answer<G::Move>) {
        let name = outcome_name(&answer.outcome);
        self.progress = answer.progress;
        self.heat = answer.heat;
        match answer.outcome {
            Outcome::Solved { line, optimal, bound, stopped, tally } => {
                let found = format!("solver, {} nodes", self.progress.nodes);
                self.answer = Some((name, stopped, optimal, bound, tally));
                self.show(line, &found);
            }
            Outcome::Unsolvable => self.answer = Some((name, None, true, 0, None)),
            Outcome::Stopped { by, bound } => self.answer = Some((name, Some(by), false, bound, None)),
        }
    }

    /// Replays a line and, if it wins, shows it.
    fn show(&mut self, moves: Vec<G::Move>, found: &str) {
        let Some((goal, draft, level, from)) = self.asked.clone() else { return };
        if self.line.as_ref().is_some_and(|l| l.moves == moves && l.goal == goal) {
            if let Some(line) = &mut self.line {
                line.found = found.into();
            }
            return;
        }
        let states = replay::<G>(&level, &from, &moves);
        match states {
            Some(states) if G::status(&level, &states[states.len() - 1]) == Status::Won => {
                self.step = 0;
                self.stepped = None;
                self.draft = Some(draft);
                self.line = Some(Line { goal, level, states, moves, found: found.into() });
            }
            _ => {
                self.state = SolveState::Failed("the solver's line does not win when replayed: not shown".into());
                self.answer = None;
            }
        }
    }

    pub(super) fn scene<'a>(
        &'a self,
        step: usize,
        colours: &'a Colours,
        cell_px: f32,
        pace: Pace,
    ) -> Option<Scene<'a, G>> {
        let line = self.line.as_ref()?;
        let step = step.min(line.moves.len());
        let motion = self.stepped.filter(|_| step > 0 && step == self.step).and_then(|s| {
            let t = pace.part(s, self.motion_seconds())?;
            Some(Motion { from: &line.states[step - 1], mv: &line.moves[step - 1], t })
        });
        Some(Scene { level: &line.level, state: Some(&line.states[step]), ui: None, motion, colours, cell_px })
    }
}

impl<G: Puzzle> Inspecting for Document<G> {
    fn solve(&mut self, goal: usize, limits: Limits, from_position: bool) -> bool {
        let position = self.play.as_ref().filter(|_| from_position).map(|p| (p.level().clone(), p.state().clone()));
        let (draft, from) = match position {
            Some(position) => position,
            None => match G::start(self.level()) {
                Ok(start) => (self.level().clone(), start),
                Err(_) => return false,
            },
        };
        let (level, replay_from) = stage::<G>(&draft, &from, goal);
        let early = Arc::new(Mutex::new(None));
        self.beside = None;
        self.inspect = Inspect {
            early: early.clone(),
            asked: Some((goal, draft.clone(), level, replay_from)),
            state: SolveState::Running,
            ..Inspect::default()
        };
        let wake = self.wake.clone();
        self.inspect.job = Some(Job::spawn(
            limits,
            move || wake(),
            move |probe| {
                probe.heat = Some(vec![0; G::size(&draft).area()]);
                let mut found = |line: &[G::Move]| {
                    *early.lock().unwrap_or_else(PoisonError::into_inner) = Some(line.to_vec());
                };
                let outcome = G::solve(&draft, &from, goal, probe, &mut found);
                probe.publish();
                Answer { outcome, progress: probe.progress.clone(), heat: probe.heat.take() }
            },
        ));
        true
    }
    fn stop_solving(&mut self) {
        if let Some(job) = &self.inspect.job {
            job.cancel();
        }
    }
    fn solve_state(&self) -> SolveState {
        self.inspect.state.clone()
    }
    fn solve_progress(&self) -> Progress {
        self.inspect.progress.clone()
    }
    fn summary(&self) -> Option<Summary> {
        let inspect = &self.inspect;
        let goal = inspect.line.as_ref().map(|l| l.goal).or(inspect.asked.as_ref().map(|a| a.0))?;
        let counts =
            inspect.line.as_ref().map(|l| named_counts::<G>(&l.level, &l.states[0], &l.moves)).unwrap_or_default();
        let (outcome, stopped_by, optimal, bound, tally) = match inspect.answer {
            Some(answer) => answer,
            None if inspect.line.is_some() => ("solved", None, false, inspect.progress.bound, None),
            None => return None,
        };
        Some(Summary {
            goal: G::GOALS[goal].id,
            outcome,
            stopped_by,
            optimal,
            cost: counts.get(G::GOALS[goal].count).map(|c| c.1),
            counts,
            bound,
            tally,
            progress: inspect.progress.clone(),
        })
    }
    fn stale(&self) -> bool {
        self.inspect.draft.as_ref().is_some_and(|d| d != self.level())
    }
    fn line_len(&self) -> usize {
        self.inspect.line.as_ref().map_or(0, |l| l.moves.len())
    }
    fn line_text(&self) -> String {
        self.inspect.line.as_ref().map_or_else(String::new, |l| G::write_line(&l.level, &l.moves))
    }
    fn move_rows(&self) -> Vec<MoveRow> {
        self.inspect.line.as_ref().map(move_rows).unwrap_or_default()
    }
    fn step(&self) -> usize {
        self.inspect.step
    }
    fn set_step(&mut self, step: usize) {
        let step = step.min(self.line_len());
        let forward = step == self.inspect.step + 1;
        if step != self.inspect.step {
            self.inspect.step = step;
            self.inspect.stepped = forward.then(Instant::now);
        }
    }
    fn frame(&self, step: usize, t: f32, colours: &Colours, cell_px: f32) -> Picture {
        let mut picture = Picture::default();
        let Some(line) = &self.inspect.line else { return picture };
        let step = step.min(line.moves.len());
        let before = step.checked_sub(1).filter(|_| t < 1.0);
        let motion = before.map(|i| Motion { from: &line.states[i], mv: &line.moves[i], t: t.max(0.0) });
        let state = Some(&line.states[step]);
        G::draw(&mut picture, &Scene { level: &line.level, state, ui: None, motion, colours, cell_px });
        picture
    }
    fn frame_seconds(&self, step: usize) -> f32 {
        match (&self.inspect.line, step.checked_sub(1)) {
            (Some(line), Some(i)) if i < line.moves.len() => {
                G::motion_seconds(&line.level, &line.states[i], &line.moves[i])
            }
            _ => 0.0,
        }
    }
    fn graph(&self) -> Vec<f32> {
        let Some(line) = &self.inspect.line else { return Vec::new() };
        if let Some(values) = line.states.iter().map(|s| G::evaluate(&line.level, s)).collect::<Option<Vec<_>>>() {
            return values;
        }
        let count = G::GOALS[line.goal].count;
        let cost = |moves: &[G::Move]| G::counts(&line.level, &line.states[0], moves).get(count).copied().unwrap_or(0);
        let total = cost(&line.moves);
        (0..=line.moves.len()).map(|k| total.saturating_sub(cost(&line.moves[..k])) as f32).collect()
    }
    fn next_move(&self) -> Option<Hint> {
        let line = self.inspect.line.as_ref()?;
        let mv = line.moves.get(self.inspect.step)?;
        Some(G::hint(&line.level, &line.states[self.inspect.step], mv, 2))
    }
    fn take_over(&mut self) -> bool {
        let Some(line) = &self.inspect.line else { return false };
        let moves = &line.moves[..self.inspect.step];
        let Some((states, moves)) = play::played::<G>(&line.level, &line.states[0], moves) else { return false };
        let level = line.level.clone();
        self.take_over_line(level, states, moves);
        true
    }
    fn show_kept(&mut self, index: usize) -> Result<(), String> {
        let Some(kept) = self.kept.get(index).cloned() else { return Err("there is no such solution".into()) };
        let draft = self.level().clone();
        let line = replayed::<G>(&draft, &kept)?;
        self.beside = None;
        self.inspect = Inspect {
            state: SolveState::Done,
            answer: Some(("solved", None, false, 0, None)),
            draft: Some(draft),
            line: Some(line),
            ..Inspect::default()
        };
        Ok(())
    }
    fn as_solution(&self) -> Option<Solution> {
        let line = self.inspect.line.as_ref()?;
        let counts = named_counts::<G>(&line.level, &line.states[0], &line.moves);
        Some(Solution {
            goal: G::GOALS[line.goal].id.into(),
            moves: G::write_line(&line.level, &line.moves),
            counts: counts.into_iter().map(|(n, c)| (n.to_string(), c)).collect(),
            optimal: self.inspect.answer.is_some_and(|a| a.2),
            found: line.found.clone(),
        })
    }
    fn overlay(&self, index: usize) -> Vec<(Spot, f32)> {
        match &self.inspect.line {
            Some(line) => G::overlay(&line.level, &line.states[self.inspect.step], index),
            None => G::arrange(self.level()).map_or_else(Vec::new, |state| G::overlay(self.level(), &state, index)),
        }
    }
    fn heat(&self) -> Vec<(Spot, f32)> {
        let Some(heat) = &self.inspect.heat else { return Vec::new() };
        let Some((_, _, level, _)) = &self.inspect.asked else { return Vec::new() };
        let most = heat.iter().copied().max().unwrap_or(0).max(1) as f32;
        let size = G::size(level);
        let weight = |n: u32| (n as f32).ln_1p() / most.ln_1p();
        heat.iter().enumerate().filter(|(_, n)| **n > 0).map(|(i, n)| (size.cell(i).into(), weight(*n))).collect()
    }
}
