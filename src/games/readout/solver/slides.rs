//! The fewest slides, with nobody in the way.
//!
//! Tiles never leave their connected part of the open squares, so each part is a puzzle of its own and the fewest slides add up.
//! [`reach`] says at once, as a proof, that a part with one gap cannot be put in order; what is left to search has a solution.
//!
//! Stages take turns, with one gap each on all threads: a **proof**; **beams** that widen from turn to turn and give a first line in milliseconds and shorter ones
//! later; and **windows** ([`windows`]), which search around the best line.
//!
//! With **one gap** the proof is IDA* with the pattern tables ([`super::patterns`]), without walks of the gap that lead nowhere new
//! ([`super::detours`]). Its first turn answers most boards a person would play. Later,
//! where the proof looks within reach, that is, where the best line is not much longer than the first bound, it gets the larger share; on a
//! board such as Korf's, whose proof takes hours, the others do. A line as long as the proven bound is optimal, whichever stage found it.
//!
//! What must be reproducible (ratings, generators) does without windows and keeps all walks of the gap but those straight back: a stronger solver is
//! to change no rating.
//!
//! With **several gaps** slides into different gaps commute, so a depth-first search would meet every board many times over: A* with a table of
//! boards instead. When it runs dry there is no solution: the proof where [`reach`] cannot tell.

use super::{
    super::{
        field::{Board, Field},
        reach::{self, Verdict},
    },
    detours::Detours,
    patterns::Patterns,
    tables,
    walk::{Boards, Rank, Slide, Walker},
    windows::{self, Turned, Window},
};
use crate::{
    job::{Mode, Probe, Stop, lock},
    search::{
        beam::Beam,
        best_first::{self, Search},
        driver::{Flow, Known, Plan, Stage},
        ida::{Ida, Position as _},
        parts::{in_parts, threads},
    },
};
use rustc_hash::FxHashSet;
use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

/// Nodes of the proof's first turn.
const FIRST: u64 = 20_000;
/// The widths of the beams, one a turn.
const WIDTHS: [usize; 6] = [100, 1000, 10_000, 30_000, 90_000, 270_000];
/// How many of them are used where windows are searched: windows make better use of the time than wider beams.
const WIDTHS_BEFORE_WINDOWS: usize = 4;
/// The windows, one kind a turn: their length, and the width and the rank of their beams. Another rank sees other boards: what stays as long as it was in the
/// beams of one is often made shorter in those of another.
const WINDOWS: [(usize, usize, Rank); 12] = [
    (30, 300, Rank::Sum),
    (40, 1000, Rank::Sum),
    (50, 3000, Rank::Sum),
    (70, 30_000, Rank::Sum),
    (90, 60_000, Rank::Larger),
    (100, 60_000, Rank::Both),
    (120, 100_000, Rank::Larger),
    (120, 100_000, Rank::Sum),
    (120, 100_000, Rank::Both),
    (200, 300_000, Rank::Larger),
    (200, 300_000, Rank::Sum),
    (200, 300_000, Rank::Both),
];
/// Nodes of each thread that searches windows, between two looks at what came of them.
const SLICE: u64 = 1 << 17;
/// How much longer than the first bound a line may be for its proof to look within reach. A round of IDA* costs about seven times the one
/// before, two slides less: this is some ten to a hundred million nodes.
const WITHIN_REACH: u32 = 18;
/// Nodes of the proof for each unit of the width of the beam or the windows before it, where the proof looks within reach and where it does not. A beam of
/// width 1 expands 100 to 200 nodes.
const NEAR_SHARE: u64 = 5_000;
const FAR_SHARE: u64 = 20;
/// The longest turn of the proof where the beams run beside it: what both know is exchanged between turns.
const PARALLEL_TURN: u64 = 200_000;

/// How slides are written as moves.
type Write<M> = dyn Fn(&[Slide]) -> Vec<M> + Send + Sync;

/// What is asked.
struct Question<M> {
    /// The puzzles that the board falls into; `None` if one of them can never be put in order.
    parts: Option<Vec<(Field, Board)>>,
    /// Lines longer than this do not count.
    most: u32,
    /// Whether windows are searched.
    windows: bool,
    write: Box<Write<M>>,
    /// The best line's slides.
    line: Mutex<Vec<Slide>>,
}

/// The stages for a board: lines of at most `most` slides.
pub(in super::super) fn plan<M: 'static>(
    field: &Field,
    board: &Board,
    most: u32,
    mode: Mode,
    write: impl Fn(&[Slide]) -> Vec<M> + Send + Sync + 'static,
) -> Plan<M> {
    let parts = (!matches!(reach::verdict(field, board), Verdict::No(_))).then(|| field.split(board));
    let proofs = parts.iter().flatten().map(|(field, _)| Proof::new(field)).collect();
    let possible = parts.as_deref().is_some_and(|parts| parts.len() == 1 && windows::possible(&parts[0].0));
    let windows = possible && mode != Mode::Reproducible;
    let question = Arc::new(Question { parts, most, windows, write: Box::new(write), line: Mutex::default() });
    let mut stages: Vec<Box<dyn Stage<M>>> = vec![
        Box::new(Proofs { question: question.clone(), proofs, first: None, turns: 0 }),
        Box::new(Beams {
            question: question.clone(),
            turns: 0,
            lines: Vec::new(),
            running: None,
            took: Duration::ZERO,
            pace: None,
        }),
    ];
    if windows {
        stages.push(Box::new(Windows {
            question: question.clone(),
            turns: 0,
            line: Vec::new(),
            futile: FxHashSet::default(),
            running: Vec::new(),
        }));
    }
    let plan = Plan::best(stages);
    if question.has_one_gap() { plan.in_turns() } else { plan }
}

impl<M> Question<M> {
    /// Whether every search for it uses all threads.
    fn has_one_gap(&self) -> bool {
        self.parts.iter().flatten().all(|(field, _)| field.gaps == 1)
    }

    /// The widths of the beams.
    fn widths(&self) -> &'static [usize] {
        if self.windows { &WIDTHS[..WIDTHS_BEFORE_WINDOWS] } else { &WIDTHS }
    }

    /// The width that the beams or the windows had in their `n`-th turn.
    fn width_of(&self, n: usize) -> Option<usize> {
        let wide = WINDOWS.get(n).filter(|_| self.windows).map(|w| w.1);
        self.widths().get(n).copied().or(wide)
    }

    /// Only lines shorter than this are of interest.
    fn below(&self, known: &Known<'_, M>) -> u32 {
        known.below().min(self.most.saturating_add(1))
    }

    fn keep(&self, lines: &[Vec<Slide>], known: &mut Known<'_, M>, probe: &mut Probe) {
        let line = lines.concat();
        if (line.len() as u32) < self.below(known) {
            known.better(line.len() as u32, (self.write)(&line), probe);
            *self.line() = line;
        }
    }

    fn line(&self) -> MutexGuard<'_, Vec<Slide>> {
        lock(&self.line)
    }
}

/// The proof: one search for each part of the board.
struct Proofs<M> {
    question: Arc<Question<M>>,
    proofs: Vec<Proof>,
    /// The bound it began with.
    first: Option<u32>,
    turns: usize,
}

impl<M> Proofs<M> {
    /// Nodes of this turn.
    fn share(&self, known: &Known<'_, M>, mode: Mode) -> u64 {
        let near = self.first.is_some_and(|first| known.below() <= first + WITHIN_REACH);
        let share = match self.turns {
            0 => FIRST,
            n => {
                let of_width = if near { NEAR_SHARE } else { FAR_SHARE };
                self.question.width_of(n - 1).map_or(u64::MAX, |w| w as u64 * of_width)
            }
        };
        let beside = matches!(mode, Mode::Fast { threads: 2.. }) && !self.question.has_one_gap();
        if beside { share.min(PARALLEL_TURN) } else { share }
    }

    fn search(&mut self, known: &mut Known<'_, M>, probe: &mut Probe) -> Result<Flow, Stop> {
        let question = self.question.clone();
        let Some(parts) = &question.parts else { return Ok(Flow::Proven) };
        for (i, (field, board)) in parts.iter().enumerate() {
            // What the other parts need at least leaves so much for this one.
            let others: u32 = self.bound() - self.proofs[i].bound;
            let below = match question.below(known) {
                u32::MAX => u32::MAX,
                below => below.saturating_sub(others),
            };
            let first = &mut self.first;
            let mut raised = |bound: u32, probe: &mut Probe| {
                first.get_or_insert(others + bound);
                known.raise_bound(others + bound, probe);
            };
            if !self.proofs[i].search(field, board, below, &mut raised, probe)? {
                return Ok(Flow::Proven);
            }
        }
        let lines: Vec<Vec<Slide>> = self.proofs.iter().filter_map(|p| p.line.clone()).collect();
        question.keep(&lines, known, probe);
        Ok(Flow::Proven)
    }

    fn bound(&self) -> u32 {
        self.proofs.iter().map(|p| p.bound).sum()
    }
}

impl<M: 'static> Stage<M> for Proofs<M> {
    fn name(&self) -> &'static str {
        "proof"
    }
    fn proves(&self) -> bool {
        true
    }
    fn run(&mut self, known: &mut Known<'_, M>, probe: &mut Probe) -> Result<Flow, Stop> {
        let nodes = self.share(known, probe.mode());
        let end = probe.turn(nodes, |p| self.search(known, p))?;
        self.turns += 1;
        Ok(end.unwrap_or(Flow::Paused))
    }
}

/// The proof of one part.
struct Proof {
    method: Method,
    bound: u32,
    /// A shortest line, once it is found.
    line: Option<Vec<Slide>>,
}

enum Method {
    OneGap(Ida<Slide>),
    SeveralGaps(Option<Box<Search<Boards>>>),
}

impl Proof {
    fn new(field: &Field) -> Proof {
        let method = if field.gaps == 1 { Method::OneGap(Ida::default()) } else { Method::SeveralGaps(None) };
        Proof { method, bound: 0, line: None }
    }

    /// Looks for a shortest line; false if there is none below `below`. Calls `raised` with each bound that is proven.
    fn search(
        &mut self,
        field: &Field,
        board: &Board,
        below: u32,
        raised: &mut dyn FnMut(u32, &mut Probe),
        probe: &mut Probe,
    ) -> Result<bool, Stop> {
        if self.line.is_some() {
            return Ok(true);
        }
        let line = match &mut self.method {
            Method::OneGap(ida) => {
                probe.progress.memory = 0;
                let patterns = tables::best(field, probe)?;
                probe.progress.memory = patterns.bytes.len() as u64;
                let detours = match probe.mode() {
                    Mode::Reproducible => Detours::back_and_forth(),
                    Mode::Fast { .. } => Detours::all(),
                };
                let (mut walker, threads) = (Walker::new(field, &patterns, board, detours), threads(probe.mode()));
                raised(walker.bound(), probe);
                loop {
                    if ida.bound >= below {
                        break None;
                    }
                    let line = ida.round_on(threads, &mut walker, probe);
                    if ida.bound < u32::MAX {
                        self.bound = ida.bound;
                        raised(ida.bound, probe);
                    }
                    if let Some(line) = line? {
                        break Some(line).filter(|l| (l.len() as u32) < below);
                    }
                }
            }
            Method::SeveralGaps(search) => {
                let search = match search {
                    Some(search) => search,
                    None => {
                        let boards = Boards::new(field, tables::small(field, probe)?);
                        let start = board.0[..field.cells()].to_vec();
                        search.insert(Box::new(Search::new(boards, vec![start], best_first::Plan::cheapest())))
                    }
                };
                search.set_below(below);
                let end = search.run(probe, &mut |_, _, _| ());
                self.bound = search.bound();
                raised(self.bound, probe);
                end?;
                search
                    .solution()
                    .filter(|(cost, _)| *cost < below)
                    .map(|(_, steps)| steps.into_iter().map(Slide::of).collect())
            }
        };
        self.line = line;
        Ok(self.line.is_some())
    }
}

/// Beams, each wider than the one before.
struct Beams<M> {
    question: Arc<Question<M>>,
    turns: usize,
    /// The lines of the parts that the present width has been through.
    lines: Vec<Vec<Slide>>,
    /// The beam on its way, and how long it has been.
    running: Option<(Boards, Beam<Boards>)>,
    took: Duration,
    /// The last width, and how long it took.
    pace: Option<(usize, Duration)>,
}

impl<M> Beams<M> {
    /// Whether a beam of this width would be through before the time is over, going by the one before. One that is cut off gives nothing: the windows make
    /// more of the time that is left.
    fn fits(&self, width: usize, probe: &Probe) -> bool {
        let (Some((before, took)), Some(time)) = (self.pace, probe.limits().time) else { return true };
        let left = time.saturating_sub(probe.elapsed());
        let any_time = probe.mode() == Mode::Reproducible || self.running.is_some();
        any_time || took.as_secs_f64() * width as f64 <= left.as_secs_f64() * before as f64
    }

    /// One width through all parts; whether it found a line for each.
    fn search(&mut self, width: usize, below: u32, probe: &mut Probe) -> Result<bool, Stop> {
        let question = self.question.clone();
        let parts = question.parts.as_deref().unwrap_or_default();
        while let Some((field, board)) = parts.get(self.lines.len()) {
            let (space, beam) = match &mut self.running {
                Some(running) => running,
                none => {
                    probe.progress.memory = 0;
                    let space = Boards::new(field, tables::best(field, probe)?);
                    let start = space.node(board);
                    // A narrow beam can go round in circles: no line worth showing is as long as this.
                    let below = below.min(3 * start.sums.bound() + 300);
                    let beam = Beam::new(start, width, below, probe)?;
                    none.insert((space, beam))
                }
            };
            let line = beam.run(space, probe)?;
            self.running = None;
            match line {
                Some(line) => self.lines.push(line),
                None => return Ok(false),
            }
        }
        Ok(true)
    }
}

impl<M: 'static> Stage<M> for Beams<M> {
    fn name(&self) -> &'static str {
        "beams"
    }
    fn proves(&self) -> bool {
        false
    }
    fn run(&mut self, known: &mut Known<'_, M>, probe: &mut Probe) -> Result<Flow, Stop> {
        let question = self.question.clone();
        let width = question.widths().get(self.turns).filter(|_| question.parts.is_some());
        let Some(width) = width.filter(|w| self.fits(**w, probe)) else { return Ok(Flow::Done) };
        let began = probe.elapsed();
        let end = self.search(*width, question.below(known), probe);
        self.took += probe.elapsed().saturating_sub(began);
        match end {
            Ok(true) => question.keep(&self.lines, known, probe),
            Ok(false) => {}
            // A wider one would need still more.
            Err(Stop::Memory) => return Ok(Flow::Done),
            Err(stop) => return Err(stop),
        }
        self.turns += 1;
        self.pace = Some((*width, std::mem::take(&mut self.took)));
        self.lines.clear();
        probe.progress.memory = 0;
        Ok(Flow::Paused)
    }
}

/// Stretches of the best line, searched again, longer and with wider beams from turn to turn; on each thread one at a time.
struct Windows<M> {
    question: Arc<Question<M>>,
    turns: usize,
    /// The line that is cut into windows.
    line: Vec<Slide>,
    /// The windows that could not be made shorter in this turn, as [`Window::ends`] has them.
    futile: FxHashSet<[Board; 2]>,
    running: Vec<Running>,
}

/// A window that is being searched, or has been.
struct Running {
    turned: Turned,
    ends: [Board; 2],
    beam: Beam<Boards>,
    /// A shorter stretch, none, or why it stopped.
    end: Result<Option<Vec<Slide>>, Stop>,
}

impl Running {
    fn new(window: Window, boards: &[Board], width: usize, space: &Boards, probe: &Probe) -> Result<Running, Stop> {
        let turned = Turned::new(space.field(), boards, window);
        let beam = Beam::new(space.node(&turned.start), width, (window.to - window.from) as u32, probe)?;
        Ok(Running { turned, ends: window.ends(boards), beam, end: Err(Stop::Nodes) })
    }
}

impl<M> Windows<M> {
    /// Goes through the windows until none is left that can be made shorter.
    fn search(
        &mut self,
        (length, width, rank): (usize, usize, Rank),
        known: &mut Known<'_, M>,
        probe: &mut Probe,
    ) -> Result<(), Stop> {
        let question = self.question.clone();
        let Some((field, start)) = question.parts.as_ref().and_then(|parts| parts.first()) else { return Ok(()) };
        probe.progress.memory = 0;
        let space = Boards::new(field, tables::best(field, probe)?).ranked(rank);
        let mut boards = windows::boards(start, &self.line);
        while known.below() > known.bound() {
            let mut windows = windows::windows(field, &boards, length);
            windows.retain(|w| !self.futile.contains(&w.ends(&boards)));
            if windows.is_empty() {
                break;
            }
            let running = std::mem::take(&mut self.running);
            let mut stopped = None;
            for mut running in run_slice(running, &windows, &boards, width, &space, probe)? {
                match std::mem::replace(&mut running.end, Ok(None)) {
                    Ok(None) => drop(self.futile.insert(running.ends)),
                    Ok(Some(found)) => {
                        // Another window may have changed the line meanwhile.
                        let put = running.turned.put(&running.ends, &found, &self.line, &boards);
                        let Some(line) = put else { continue };
                        self.line = line;
                        boards = windows::boards(start, &self.line);
                        question.keep(std::slice::from_ref(&self.line), known, probe);
                    }
                    Err(Stop::Nodes) => self.running.push(running),
                    Err(stop) => stopped = Some(stop),
                }
            }
            if let Some(stop) = stopped {
                return Err(stop);
            }
            // What the line no longer passes through is of no use.
            self.running.retain(|r| r.ends.iter().all(|end| boards.contains(end)));
            probe.check()?;
            if probe.nodes_left() == 0 {
                return Err(Stop::Nodes);
            }
        }
        Ok(())
    }
}

/// Searches the windows that have begun and then others, one at a time on each thread, until none is left or each thread has expanded its nodes. What was searched
/// comes back, to its end or not.
fn run_slice(
    running: Vec<Running>,
    windows: &[Window],
    boards: &[Board],
    width: usize,
    space: &Boards,
    probe: &mut Probe,
) -> Result<Vec<Running>, Stop> {
    let threads = threads(probe.mode());
    let nodes = (probe.nodes_left() / threads as u64).clamp(1, SLICE);
    let begun: Vec<[Board; 2]> = running.iter().map(|r| r.ends).collect();
    let others = windows.iter().filter(|w| !begun.contains(&w.ends(boards)));
    let waiting = Mutex::new((running, others));
    // Each counts its own.
    probe.progress.memory = 0;
    let whole: &Probe = probe;
    let parts = in_parts(&vec![(); threads], threads, 1, |_, _| {
        let mut part = whole.part(nodes).with_mode(Mode::Fast { threads: 1 }).with_share(threads as u64);
        let mut ended: Vec<Running> = Vec::new();
        while ended.last().is_none_or(|last| last.end.is_ok()) {
            let (begun, other) = {
                let (running, others) = &mut *lock(&waiting);
                let begun = running.pop();
                let other = if begun.is_none() { others.next() } else { None };
                (begun, other)
            };
            let begin = |window: &Window| Running::new(*window, boards, width, space, &part);
            let Some(next) = begun.map(Ok).or_else(|| other.map(begin)) else { break };
            let mut running = match next {
                Ok(running) => running,
                Err(stop) => return Err(stop),
            };
            running.end = running.beam.run(space, &mut part);
            ended.push(running);
        }
        Ok((ended, part))
    });
    let mut all = Vec::new();
    for part in parts {
        let (ended, part) = part?;
        probe.absorb(&part);
        probe.progress.memory += part.progress.memory;
        all.extend(ended);
    }
    all.extend(waiting.into_inner().unwrap_or_else(PoisonError::into_inner).0);
    Ok(all)
}

impl<M: 'static> Stage<M> for Windows<M> {
    fn name(&self) -> &'static str {
        "windows"
    }
    fn proves(&self) -> bool {
        false
    }
    fn improves(&self) -> bool {
        true
    }
    fn run(&mut self, known: &mut Known<'_, M>, probe: &mut Probe) -> Result<Flow, Stop> {
        let Some(setting) = WINDOWS.get(self.turns) else { return Ok(Flow::Done) };
        if self.running.is_empty() {
            self.line.clone_from(&self.question.line());
        }
        match self.search(*setting, known, probe) {
            Ok(()) => {}
            // A wider one would need still more.
            Err(Stop::Memory) => return Ok(Flow::Done),
            Err(stop) => return Err(stop),
        }
        self.turns += 1;
        self.futile.clear();
        self.running.clear();
        probe.progress.memory = 0;
        Ok(Flow::Paused)
    }
}

/// The distance of a board with one gap, exact if these nodes suffice (then true), else a lower bound. Errors are the caller's limits.
pub(in super::super) fn distance(
    field: &Field,
    patterns: &Patterns,
    board: &Board,
    nodes: u64,
    probe: &mut Probe,
) -> Result<(u32, bool), Stop> {
    let mut walker = Walker::new(field, patterns, board, Detours::back_and_forth());
    let mut ida = Ida::default();
    // The heat map is about the search that asks.
    let heat = probe.heat.take();
    let exact = probe.turn(nodes, |p| {
        while ida.bound < u32::MAX {
            if ida.round(&mut walker, p)?.is_some() {
                break;
            }
        }
        Ok(())
    });
    probe.heat = heat;
    let exact = exact?.is_some();
    // On a board without crossings the rounds end even if there is no line.
    Ok(if ida.bound == u32::MAX { (walker.bound(), true) } else { (ida.bound, exact) })
}
