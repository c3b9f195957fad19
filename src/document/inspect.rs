//! The solver's line: run, stop, step through, take over.
//!
//! The solver's first line is shown as soon as it has one, marked as not proven; better ones replace it. Every line was replayed through the rules
//! ([`Replayed`]), and the states of that replay are what is stepped through. Report and line carry the version of the draft they are about.

use super::{
    Board, Document, Mapping as _, Pace, Wake, play,
    slot::{Asked, Slot},
};
use crate::{
    analysis::{
        Answer, MoveRow, Replayed, Report, Verdict,
        choices::{self, Choices, choices},
        shortest::{AllShortest, Shortest, shortest},
        solve_on_all_cores,
    },
    clock::Instant,
    game::{Ahead, Game, HINT_STAGES, Hint, Motion, Scene, Solution},
    grid::{Size, Spot},
    job::{Job, Limits, Probe, Progress, Stop},
    picture::{Colours, Picture},
};
use std::sync::{Arc, Mutex, PoisonError};

/// What the solver is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SolveState {
    /// Nothing was asked yet.
    #[default]
    Idle,
    /// Searching.
    Running,
    /// Done.
    Done,
}

/// What is known about all shortest solutions.
#[derive(Clone, PartialEq, Debug)]
pub enum Counted {
    /// They are being counted.
    Running,
    /// A limit was reached first.
    Stopped(Stop),
    /// How many there are.
    Known(Shortest),
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
    fn report(&self) -> Option<&Report>;
    /// Whether the solver's answer is about another version of the draft.
    fn stale(&self) -> bool;
    /// What is known about all shortest solutions, where a solution of the draft was proven shortest: they are counted after that.
    fn shortest(&self) -> Option<Counted>;
    /// Which of the listed shortest solutions is shown, from 0, and how many are listed.
    fn solution_shown(&self) -> Option<(usize, usize)>;
    /// Shows another of them at the same step.
    fn show_solution(&mut self, index: usize);
    /// Moves in the line being shown.
    fn line_len(&self) -> usize;
    /// The line in the game's notation.
    fn line_text(&self) -> &str;
    /// The move list.
    fn move_rows(&self) -> &[MoveRow];
    /// The longest name of a piece in it.
    fn longest_piece(&self) -> &str;
    /// How many moves of the line are shown.
    fn step(&self) -> usize;
    /// Goes to a step.
    fn set_step(&mut self, step: usize);
    /// The board of the line on its way to a step: `t` from 0 (the step before) to 1 (the step itself).
    fn frame(&self, step: usize, t: f32, colours: &Colours, cell_px: f32) -> Picture;
    /// How long the move to a step takes to show, in seconds.
    fn frame_seconds(&self, step: usize) -> f32;
    /// What remains after each move, or the game's evaluation: one value a step, the start included.
    fn graph(&self) -> &[f32];
    /// Asks for the choices along the line, if it is proven best and nothing else is being found out.
    fn ask_choices(&mut self);
    /// The choices along the line, once they are counted.
    fn choices(&self) -> Option<&Choices>;
    /// The next gesture of the line in words.
    fn next_move(&self) -> Option<Hint>;
    /// Plays the line up to the step, as moves that can be undone.
    fn take_over(&mut self) -> bool;
    /// Shows a solution kept with the level.
    fn show_kept(&mut self, index: usize) -> Result<(), String>;
    /// Whether the line being shown solves the draft as it is from the start.
    fn keepable(&self) -> bool;
    /// The line being shown as a solution to keep, if it is one.
    fn as_solution(&self) -> Option<Solution>;
    /// Spots of an overlay for a step of the line, or for the draft, with weights.
    fn overlay(&mut self, board: Board, index: usize) -> &[(Spot, f32)];
    /// The cells that the search visited, with weights from 0 to 1.
    fn heat(&self) -> &[(Spot, f32)];
}

/// A line, and who found it.
pub(super) struct Shown<G: Game> {
    pub(super) line: Arc<Replayed<G>>,
    pub(super) found: String,
}

impl<G: Game> Clone for Shown<G> {
    fn clone(&self) -> Shown<G> {
        Shown { line: self.line.clone(), found: self.found.clone() }
    }
}

/// What the worker hands back.
struct Ended<G: Game> {
    answer: Answer<G>,
    progress: Progress,
    heat: Vec<(Spot, f32)>,
}

const SHORTEST_LIMITS: Limits =
    Limits { nodes: Some(400_000), time: Some(std::time::Duration::from_secs(20)), memory: Some(512 << 20) };

/// Beside the nodes that choices have of their own.
const CHOICES_LIMITS: Limits =
    Limits { nodes: None, time: Some(std::time::Duration::from_secs(20)), memory: Some(512 << 20) };

/// How many of the shortest solutions are listed.
const LISTED: usize = 100;

pub(super) struct Inspect<G: Game> {
    slot: Slot<Ended<G>>,
    early: Arc<Mutex<Option<Arc<Replayed<G>>>>>,
    state: SolveState,
    progress: Progress,
    goal: usize,
    /// The version of the draft that was asked about.
    version: u64,
    /// The level of that version, where the solver was asked.
    asked: Option<Arc<G::Level>>,
    report: Option<Report>,
    shown: Option<Shown<G>>,
    step: usize,
    stepped: Option<Instant>,
    /// Which of all shortest solutions is shown, once it was looked up.
    chosen: Option<usize>,
    heat: Vec<(Spot, f32)>,
    /// All shortest solutions.
    all: Asked<Result<Option<AllShortest<G>>, Stop>>,
    /// The choices along the line that is shown.
    choices: Asked<Option<Choices>>,
    /// The overlay asked for last, with its board, its number and the version of the draft.
    overlay: Option<((Board, usize, u64), Vec<(Spot, f32)>)>,
}

impl<G: Game> Default for Inspect<G> {
    fn default() -> Inspect<G> {
        Inspect {
            slot: Slot::default(),
            early: Arc::default(),
            state: SolveState::Idle,
            progress: Progress::default(),
            goal: 0,
            version: 0,
            asked: None,
            report: None,
            shown: None,
            step: 0,
            stepped: None,
            chosen: None,
            heat: Vec::new(),
            all: Asked::default(),
            choices: Asked::default(),
            overlay: None,
        }
    }
}

impl<G: Game> Inspect<G> {
    pub(super) fn busy(&self) -> bool {
        self.slot.busy() || self.all.slot.busy() || self.choices.slot.busy()
    }

    fn all(&self) -> Option<&AllShortest<G>> {
        self.all.known.as_ref()?.as_ref()?.as_ref().ok()?.as_ref()
    }

    /// Looks up which of all shortest solutions is shown; the first one if it is not among those listed.
    fn look_up(&mut self) {
        if self.chosen.is_none()
            && let Some((all, shown)) = self.all().zip(self.line())
        {
            self.chosen = Some(all.lines.iter().position(|l| same_turns(l, shown)).unwrap_or(0));
        }
    }

    /// Counts the shortest solutions, once one of them is known to be one.
    fn count_shortest(&mut self, wake: &Wake) {
        let proven = self.report.as_ref().filter(|r| r.optimal()).and_then(|r| r.cost);
        let Some((cost, line)) = proven.zip(self.line()) else { return };
        if !line.from_start || G::GOALS[self.goal].apart.is_none() {
            return;
        }
        let (Some(level), goal) = (self.asked.clone(), self.goal) else { return };
        self.all.ask(SHORTEST_LIMITS, wake, move |probe| {
            let all = shortest::<G>(&level, goal, Some(cost), LISTED, probe);
            // Here and not in the window, as with a line that is found.
            for line in all.iter().flatten().flat_map(|all| &all.lines) {
                line.rows();
                line.graph();
            }
            all
        });
    }

    /// Counts the choices along the line. Against an opponent the graph shows who is winning instead.
    fn count_choices(&mut self, wake: &Wake) {
        let proven = self.state == SolveState::Done && self.report.as_ref().is_some_and(Report::optimal);
        let Some(line) = self.line_shown().filter(|_| proven).cloned() else { return };
        if G::versus().is_none_or(|v| (v.evaluate)(&line.level, &line.states[0]).is_none()) {
            self.choices
                .ask(CHOICES_LIMITS, wake, move |probe| choices::<G>(&line, choices::Effort::default(), probe).ok());
        }
    }

    pub(super) fn line(&self) -> Option<&Replayed<G>> {
        self.line_shown().map(|line| &**line)
    }

    pub(super) fn line_shown(&self) -> Option<&Arc<Replayed<G>>> {
        self.shown.as_ref().map(|s| &s.line)
    }

    pub(super) fn in_motion(&self, pace: Pace) -> bool {
        self.stepped.is_some_and(|s| pace.part(s, self.motion_seconds()).is_some())
    }

    /// How long the move to the current step takes to show.
    fn motion_seconds(&self) -> f32 {
        match (self.line(), self.step.checked_sub(1)) {
            (Some(line), Some(before)) => G::motion_seconds(&line.level, &line.states[before], &line.moves[before]),
            _ => 0.0,
        }
    }

    /// The same line for another document of the same level.
    pub(super) fn shown_again(&self, version: u64) -> Inspect<G> {
        let (report, shown) = (self.report.clone(), self.shown.clone());
        Inspect { state: SolveState::Done, goal: self.goal, version, report, shown, ..Inspect::default() }
    }

    /// Puts something else in place of what is shown. A running search is given up.
    fn replace(&mut self, with: Inspect<G>) {
        let (mut slot, mut all) = (std::mem::take(&mut self.slot), std::mem::take(&mut self.all));
        let mut choices = std::mem::take(&mut self.choices);
        slot.stop();
        all.forget();
        choices.forget();
        *self = Inspect { slot, all, choices, ..with };
    }

    /// Takes in what the search has found; true if the line is another one.
    fn tick(&mut self, wake: &Wake) -> bool {
        self.all.poll();
        self.choices.poll();
        self.look_up();
        let ended = self.slot.poll();
        if self.state != SolveState::Running {
            return false;
        }
        self.progress = self.slot.progress();
        let early = self.early.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut changed = false;
        if let Some(line) = early {
            let mut report = Report::of_line(&line);
            report.bound = Some(self.progress.bound);
            self.report = Some(report);
            changed |= self.show(line, "solver, not proven best".into());
        }
        let Some(ended) = ended else { return changed };
        self.state = SolveState::Done;
        match ended {
            Ok(ended) => {
                (self.progress, self.heat) = (ended.progress, ended.heat);
                self.report = Some(ended.answer.report);
                match ended.answer.line {
                    Some(line) => changed |= self.show(line, format!("solver, {} nodes", self.progress.nodes)),
                    None => changed |= self.shown.take().is_some(),
                }
            }
            Err(message) => self.report = Some(Report::new::<G>(self.goal, Verdict::Fault(message))),
        }
        self.count_shortest(wake);
        changed
    }

    /// Shows a line, from its first step unless it is there already; true if it was not.
    fn show(&mut self, line: Arc<Replayed<G>>, found: String) -> bool {
        let new = self.line().is_none_or(|l| l.moves != line.moves || l.goal != line.goal);
        if new {
            (self.step, self.stepped, self.overlay) = (0, None, None);
            self.choices.forget();
        }
        (self.shown, self.chosen) = (Some(Shown { line, found }), None);
        new
    }

    /// What the line brings after a step.
    pub(super) fn ahead(&self, step: usize) -> Option<Ahead<'_, G>> {
        let line = self.line()?;
        let moves = line.moves.get(step..).filter(|m| !m.is_empty())?;
        Some(Ahead { moves, after: line.states.get(step + 1), stage: HINT_STAGES - 1 })
    }

    pub(super) fn scene<'a>(
        &'a self,
        step: usize,
        colours: &'a Colours,
        cell_px: f32,
        pace: Pace,
    ) -> Option<Scene<'a, G>> {
        let line = self.line()?;
        let step = step.min(line.moves.len());
        let motion = self.stepped.filter(|_| step > 0 && step == self.step).and_then(|s| {
            let t = pace.part(s, self.motion_seconds())?;
            Some(Motion { from: &line.states[step - 1], mv: &line.moves[step - 1], t })
        });
        Some(Scene {
            level: &line.level,
            state: Some(&line.states[step]),
            ui: None,
            motion,
            nudge: None,
            colours,
            cell_px,
        })
    }
}

/// Whether two lines are one solution, perhaps with other walks between the pushes or other ways of a drag.
fn same_turns<G: Game>(a: &Replayed<G>, b: &Replayed<G>) -> bool {
    fn turns<G: Game>(line: &Replayed<G>) -> impl Iterator<Item = &G::State> {
        let left = line.graph();
        let ends = |k: &usize| left.get(k + 1) != left.get(*k);
        (0..line.states.len()).filter(move |k| ends(k)).map(|k| &line.states[k])
    }
    a.moves == b.moves || turns(a).eq(turns(b))
}

/// Visits as weights from 0 to 1, on a logarithmic scale.
fn weights(size: Size, visits: &[u32]) -> Vec<(Spot, f32)> {
    let most = visits.iter().copied().max().unwrap_or(0).max(1) as f32;
    let weight = |n: u32| (n as f32).ln_1p() / most.ln_1p();
    visits.iter().enumerate().filter(|(_, n)| **n > 0).map(|(i, n)| (size.cell(i).into(), weight(*n))).collect()
}

impl<G: Game> Document<G> {
    pub(super) fn tick_inspect(&mut self) -> bool {
        let running = self.inspect.busy();
        if self.inspect.tick(&self.wake) {
            self.compare_again();
        }
        running
    }

    /// Shows a line, which is about the draft as it is.
    pub(super) fn show_line(&mut self, line: Arc<Replayed<G>>, report: Report, found: String) {
        self.beside = None;
        let (goal, version) = (line.goal, self.draft().version);
        let (report, shown) = (Some(report), Some(Shown { line, found }));
        self.inspect.replace(Inspect { state: SolveState::Done, goal, version, report, shown, ..Inspect::default() });
    }
}

impl<G: Game> Inspecting for Document<G> {
    fn solve(&mut self, goal: usize, limits: Limits, from_position: bool) -> bool {
        let played = self.play.as_ref().filter(|_| from_position);
        let (level, version, from) = match played {
            Some(play) => (play.level().clone(), play.version(), Some(play.state().clone())),
            None if G::start(self.level()).is_ok() => (self.draft().level.clone(), self.draft().version, None),
            None => return false,
        };
        self.beside = None;
        let asked = Some(level.clone());
        self.inspect.replace(Inspect { state: SolveState::Running, goal, version, asked, ..Inspect::default() });
        let (early, wake) = (self.inspect.early.clone(), self.wake.clone());
        let work = move |probe: &mut Probe| {
            let size = G::size(&level);
            probe.heat = Some(vec![0; size.area()]);
            let answer = solve_on_all_cores::<G>(&level, from.as_ref(), goal, true, probe, &mut |line| {
                // Here and not in the window: these take a while for long lines.
                line.rows();
                line.graph();
                *early.lock().unwrap_or_else(PoisonError::into_inner) = Some(line.clone());
            });
            if let Some(line) = &answer.line {
                line.rows();
                line.graph();
            }
            probe.publish();
            let heat = weights(size, &probe.heat.take().unwrap_or_default());
            Ended { answer, progress: probe.progress.clone(), heat }
        };
        self.inspect.slot.start(move || Job::spawn(limits, move || wake(), work));
        true
    }
    fn stop_solving(&mut self) {
        self.inspect.slot.cancel();
    }
    fn solve_state(&self) -> SolveState {
        self.inspect.state
    }
    fn solve_progress(&self) -> Progress {
        self.inspect.progress.clone()
    }
    fn report(&self) -> Option<&Report> {
        self.inspect.report.as_ref()
    }
    fn stale(&self) -> bool {
        self.inspect.state != SolveState::Idle && self.inspect.version != self.draft().version
    }
    fn shortest(&self) -> Option<Counted> {
        if self.inspect.all.slot.busy() {
            return Some(Counted::Running);
        }
        match self.inspect.all.known.as_ref()?.as_ref()? {
            Ok(all) => all.as_ref().map(|all| Counted::Known(all.about.clone())),
            Err(stop) => Some(Counted::Stopped(*stop)),
        }
    }
    fn solution_shown(&self) -> Option<(usize, usize)> {
        let (all, shown) = (self.inspect.all()?, self.inspect.line()?);
        let index = self.inspect.chosen.filter(|_| shown.from_start)?;
        Some((index, all.lines.len())).filter(|(_, n)| *n > 0)
    }
    fn show_solution(&mut self, index: usize) {
        let Some(line) = self.inspect.all().and_then(|all| all.lines.get(index)).cloned() else { return };
        let step = self.inspect.step.min(line.moves.len());
        // It costs the same, but may count other things differently.
        if let Some(report) = &mut self.inspect.report {
            report.tell(&line);
        }
        self.inspect.show(line, "solver, all shortest".into());
        (self.inspect.chosen, self.inspect.step) = (Some(index), step);
        self.compare_again();
    }
    fn line_len(&self) -> usize {
        self.inspect.line().map_or(0, |l| l.moves.len())
    }
    fn line_text(&self) -> &str {
        self.inspect.line().map_or("", |l| &l.text)
    }
    fn move_rows(&self) -> &[MoveRow] {
        self.inspect.line().map_or(&[], Replayed::rows)
    }
    fn longest_piece(&self) -> &str {
        self.inspect.line().map_or("", Replayed::longest_piece)
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
        let Some(line) = self.inspect.line() else { return picture };
        let step = step.min(line.moves.len());
        let before = step.checked_sub(1).filter(|_| t < 1.0);
        let motion = before.map(|i| Motion { from: &line.states[i], mv: &line.moves[i], t: t.max(0.0) });
        let state = Some(&line.states[step]);
        G::draw(&mut picture, &Scene { level: &line.level, state, ui: None, motion, nudge: None, colours, cell_px });
        picture
    }
    fn frame_seconds(&self, step: usize) -> f32 {
        match (self.inspect.line(), step.checked_sub(1)) {
            (Some(line), Some(i)) if i < line.moves.len() => {
                G::motion_seconds(&line.level, &line.states[i], &line.moves[i])
            }
            _ => 0.0,
        }
    }
    fn graph(&self) -> &[f32] {
        self.inspect.line().map_or(&[], Replayed::graph)
    }
    fn ask_choices(&mut self) {
        let mapped = self.map_is_current() && self.position_map().is_some_and(|m| m.is_whole());
        if !mapped && !self.stale() && !self.studying() {
            self.inspect.count_choices(&self.wake);
        }
    }
    fn choices(&self) -> Option<&Choices> {
        self.inspect.choices.known.as_ref()?.as_ref()?.as_ref()
    }
    fn next_move(&self) -> Option<Hint> {
        let line = self.inspect.line()?;
        let moves = line.moves.get(self.inspect.step..).filter(|m| !m.is_empty())?;
        Some(G::hint(&line.level, &line.states[self.inspect.step], moves, HINT_STAGES - 1))
    }
    fn take_over(&mut self) -> bool {
        let Some(line) = self.inspect.line() else { return false };
        let moves = &line.moves[..self.inspect.step];
        let Some((states, moves)) = play::played::<G>(&line.level, &line.states[0], moves) else { return false };
        let level = line.level.clone();
        self.take_over_line(level, states, moves);
        true
    }
    fn show_kept(&mut self, index: usize) -> Result<(), String> {
        let Some(kept) = self.kept.get(index) else { return Err("there is no such solution".into()) };
        let (line, found) = (Arc::new(Replayed::kept(&self.draft().level, kept)?), kept.found.clone());
        let report = Report::of_line(&line);
        self.show_line(line, report, found);
        Ok(())
    }
    fn keepable(&self) -> bool {
        !self.stale() && self.inspect.line().is_some_and(|l| l.from_start)
    }
    fn as_solution(&self) -> Option<Solution> {
        let shown = self.inspect.shown.as_ref().filter(|_| self.keepable())?;
        shown.line.solution(self.report().is_some_and(Report::optimal), &shown.found)
    }
    fn overlay(&mut self, board: Board, index: usize) -> &[(Spot, f32)] {
        let key = (board, index, self.draft().version);
        if self.inspect.overlay.as_ref().is_none_or(|(k, _)| *k != key) {
            let spots = match (board, self.inspect.line()) {
                (Board::Step(k), Some(line)) => G::overlay(&line.level, &line.states[k.min(line.moves.len())], index),
                _ => G::arrange(self.level()).map_or_else(Vec::new, |s| G::overlay(self.level(), &s, index)),
            };
            self.inspect.overlay = Some((key, spots));
        }
        self.inspect.overlay.as_ref().map_or(&[], |(_, spots)| spots)
    }
    fn heat(&self) -> &[(Spot, f32)] {
        &self.inspect.heat
    }
}
