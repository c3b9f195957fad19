//! A line that wins against the opponent.
//!
//! The opponent is deterministic, so a duel is a search like any other: a step is the player's move together with the answer to it. A position
//! is all that the rules know (obstacles, what was spent, the turns used), so it is a tree of turns rather than a board to walk about in, and each
//! step costs a thought of the opponent, whose nodes count too.
//!
//! Two stages. **Beams**, layer by layer over the player's turns, keep the positions with the fewest slides to go and the fewest obstacles still
//! to come. The **proof** goes through all positions whose slides so far and solo distance stay within a limit, the
//! limit growing. The solo distance never exceeds the slides a duel still needs, since obstacles only ever forbid slides; so a
//! limit that leaves no position is a proof that no line is that short, and a limit beyond the last turn, or one that cut nothing off, is a proof that
//! nobody can win.

use super::super::{
    Readout,
    level::{Level, Opponent},
    opponent::{self, Gauge},
    rules::{Ending, Move, Side, State},
};
use crate::{
    game::{MOST_REPLIES, Rules as _},
    job::{Probe, Stop},
    search::driver::{Flow, Known, Plan, Stage},
};
use rustc_hash::FxHashMap;

/// The widths of the beams, one a turn.
const WIDTHS: [usize; 4] = [4, 24, 120, 500];
/// With this width a line is good enough to leave the rest to the proof.
const WIDE_ENOUGH: usize = 24;
/// Nodes of the proof's first turn; each turn is longer than the one before, up to the last number, so that even one that begins with a long
/// thought gets through it.
const FIRST_TURN: u64 = 20_000;
const LONGEST_TURN: u64 = 4_000_000;
/// Nodes for the solo distance of one position.
const DISTANCE: u64 = 3_000;
/// Bytes of a position in a layer.
const ENTRY: usize = 800;

/// The stages for a duel.
pub(super) fn plan(level: &Level, from: &State) -> Plan<Move> {
    let search = || Search { level: level.clone(), from: from.clone(), judged: None, begun: None, turns: 0 };
    Plan::best(vec![Box::new(Beams(search())), Box::new(Proof(search()))])
}

/// What both stages do.
struct Search {
    level: Level,
    from: State,
    /// What the opponent's thoughts have found out.
    judged: Option<Gauge>,
    begun: Option<Begun>,
    turns: u32,
}

/// A search whose start is known.
struct Begun {
    /// The player is to move.
    start: State,
    gauge: Gauge,
    /// No line is shorter.
    bound: u32,
    /// No line is longer: the turns that are left.
    most: u32,
    layers: Option<Layers>,
}

impl Search {
    /// Makes it ready; what is said at once ends it: whether it is won, or nobody can win it any more.
    fn begin(&mut self, probe: &mut Probe) -> Result<Option<Ending>, Stop> {
        if self.begun.is_some() {
            return Ok(None);
        }
        let mut start = self.from.clone();
        // The line begins after the answer that is due.
        answered(&self.level, &mut start, &mut self.judged, probe)?;
        if start.ending.is_some() {
            return Ok(start.ending);
        }
        let Some(mut gauge) = Gauge::new(&start, probe)? else { return Ok(Some(Ending::Lost)) };
        gauge.limit(DISTANCE, u64::MAX);
        // The start in order is no win: the way away and back takes two slides.
        let bound = match gauge.distance(&start, probe)? {
            0 => 2,
            distance => distance,
        };
        let most = self.level.rules.move_limit.map_or(u32::MAX, |l| u32::from(l).saturating_sub(start.move_count));
        normalise(&self.level, &mut start);
        self.begun = Some(Begun { start, gauge, bound, most, layers: None });
        Ok(None)
    }

    /// Goes through the layers within a limit: a line, or whether anything was cut off on the way.
    fn layers(&mut self, width: usize, limit: u32, probe: &mut Probe) -> Result<Result<Vec<Move>, bool>, Stop> {
        let Some(begun) = &mut self.begun else { return Ok(Err(true)) };
        let layers = begun.layers.get_or_insert_with(|| Layers::new(&begun.start, width, limit));
        let line = layers.run(&self.level, &mut begun.gauge, &mut self.judged, probe)?;
        let cut = layers.cut;
        begun.layers = None;
        probe.progress.memory = 0;
        Ok(line.ok_or(cut))
    }
}

fn slides(line: &[Move]) -> u32 {
    line.iter().filter(|m| matches!(m, Move::Slide { .. })).count() as u32
}

struct Beams(Search);

impl Stage<Move> for Beams {
    fn name(&self) -> &'static str {
        "beams"
    }
    fn proves(&self) -> bool {
        false
    }
    fn run(&mut self, known: &mut Known<'_, Move>, probe: &mut Probe) -> Result<Flow, Stop> {
        if self.0.begin(probe)?.is_some() {
            return Ok(Flow::Done);
        }
        let (Some(begun), Some(&width)) = (&self.0.begun, WIDTHS.get(self.0.turns as usize)) else {
            return Ok(Flow::Done);
        };
        known.raise_bound(begun.bound, probe);
        // Without a last turn a beam could go round for ever: no line worth showing is as long as this.
        let limit = known.below().saturating_sub(1).min(begun.most).min(3 * begun.bound + 100);
        // Too few turns are left: no thought of the opponent's is needed to see that.
        if begun.bound > limit {
            return Ok(Flow::Done);
        }
        if let Ok(line) = self.0.layers(width, limit, probe)? {
            known.better(slides(&line), line, probe);
        }
        self.0.turns += 1;
        let enough = known.line().is_some() && width >= WIDE_ENOUGH;
        Ok(if enough { Flow::Done } else { Flow::Paused })
    }
}

struct Proof(Search);

impl Stage<Move> for Proof {
    fn name(&self) -> &'static str {
        "proof"
    }
    fn proves(&self) -> bool {
        true
    }
    fn turn(&self) -> u64 {
        (FIRST_TURN << (2 * self.0.turns).min(20)).min(LONGEST_TURN)
    }
    fn run(&mut self, known: &mut Known<'_, Move>, probe: &mut Probe) -> Result<Flow, Stop> {
        self.0.turns += 1;
        match self.0.begin(probe)? {
            Some(Ending::Won) => known.better(0, Vec::new(), probe),
            Some(_) => {}
            None => self.search(known, probe)?,
        }
        Ok(Flow::Proven)
    }
}

impl Proof {
    /// Raises the limit until there is a line, or can be none below the one known.
    fn search(&mut self, known: &mut Known<'_, Move>, probe: &mut Probe) -> Result<(), Stop> {
        while let Some(Begun { bound, most, gauge, .. }) = &self.0.begun {
            let bound = *bound;
            if bound > *most || bound >= known.below() {
                break;
            }
            known.raise_bound(bound, probe);
            // One slide more changes the parity of a board with one gap, so its distances differ by twos.
            let by = if gauge.gaps() == 1 { 2 } else { 1 };
            match self.0.layers(usize::MAX, bound, probe)? {
                Ok(line) => {
                    known.better(slides(&line), line, probe);
                    break;
                }
                Err(false) => break,
                Err(true) => self.0.begun.iter_mut().for_each(|b| b.bound = bound + by),
            }
        }
        Ok(())
    }
}

/// Lets the opponent answer until the player is to move again or it is over. A player who is shut out for good has not won.
fn answered(level: &Level, state: &mut State, judged: &mut Option<Gauge>, probe: &mut Probe) -> Result<(), Stop> {
    let mut replies = 0;
    while state.ending.is_none() && state.turn == Side::Opponent && state.opponent != Opponent::None {
        probe.step()?;
        match opponent::answer(level, state, judged, probe)? {
            Some(mv) if Readout::play(level, state, &mv).is_ok() => (),
            _ => return Err(Stop::Cancelled),
        }
        replies += 1;
        if replies > MOST_REPLIES {
            state.ending = Some(Ending::Drawn);
        }
    }
    Ok(())
}

/// Leaves out of a position what does not matter from now on, so that equal positions are equal.
pub(super) fn normalise(level: &Level, state: &mut State) {
    (state.last, state.slid, state.forced, state.pieces_played) = (None, None, false, 0);
    if level.rules.move_limit.is_none() {
        state.move_count = 0;
    }
    if level.rules.budget_of(state.opponent).is_none() {
        state.spent = 0;
    }
    state.idle = state.idle.map(|n| n.min(level.rules.cooldown_of(state.opponent)));
}

struct Step {
    parent: usize,
    mv: Move,
}

/// A position in a layer, the slides to it, and the step that led to it.
struct Entry {
    state: State,
    made: u32,
    step: usize,
}

/// Layers of the player's turns, on their way. Where a limit stops them, they go on with the same move the next time.
struct Layers {
    width: usize,
    /// The slides of a line at most.
    limit: u32,
    layer: Vec<Entry>,
    /// The position of the layer that is at hand, and how many of its moves are done.
    at: usize,
    moves: usize,
    next: Vec<(u64, Entry)>,
    /// The positions met, with the fewest slides to them: in this layer, or in all layers if turns are not counted.
    seen: FxHashMap<State, u32>,
    steps: Vec<Step>,
    /// Whether anything was cut off that might still have won.
    cut: bool,
}

impl Layers {
    fn new(start: &State, width: usize, limit: u32) -> Layers {
        Layers {
            width,
            limit,
            layer: vec![Entry { state: start.clone(), made: 0, step: usize::MAX }],
            at: 0,
            moves: 0,
            next: Vec::new(),
            seen: FxHashMap::default(),
            steps: Vec::new(),
            cut: false,
        }
    }

    /// A line, or `None` when no position is left.
    fn run(
        &mut self,
        level: &Level,
        gauge: &mut Gauge,
        judged: &mut Option<Gauge>,
        probe: &mut Probe,
    ) -> Result<Option<Vec<Move>>, Stop> {
        while !self.layer.is_empty() {
            while let Some(entry) = self.layer.get(self.at) {
                let Some(&mv) = Readout::legal_moves(level, &entry.state).get(self.moves) else {
                    (self.at, self.moves) = (self.at + 1, 0);
                    continue;
                };
                if self.step(mv, level, gauge, judged, probe)? {
                    return Ok(Some(self.line()));
                }
                self.moves += 1;
            }
            if self.next.len() > self.width {
                self.cut = true;
                // Stable: among equals the first found stays.
                self.next.sort_by_key(|(rank, _)| *rank);
                self.next.truncate(self.width);
            }
            self.layer = self.next.drain(..).map(|(_, entry)| entry).collect();
            self.at = 0;
            if level.rules.move_limit.is_some() {
                self.seen.clear();
            }
        }
        Ok(None)
    }

    /// Makes a move of the position at hand; whether it wins.
    fn step(
        &mut self,
        mv: Move,
        level: &Level,
        gauge: &mut Gauge,
        judged: &mut Option<Gauge>,
        probe: &mut Probe,
    ) -> Result<bool, Stop> {
        let positions = self.layer.len() + self.next.len() + self.seen.len() / 2;
        probe.progress.frontier = self.next.len() as u64;
        probe.progress.memory = (positions * ENTRY + self.steps.len() * size_of::<Step>()) as u64;
        probe.tick()?;
        let entry = &self.layer[self.at];
        let (parent, made) = (entry.step, entry.made + u32::from(matches!(mv, Move::Slide { .. })));
        let mut state = entry.state.clone();
        if Readout::play(level, &mut state, &mv).is_err() {
            return Ok(false);
        }
        answered(level, &mut state, judged, probe)?;
        if state.ending == Some(Ending::Won) && made <= self.limit {
            self.steps.push(Step { parent, mv });
            return Ok(true);
        }
        if state.ending.is_some() {
            self.cut |= state.ending == Some(Ending::Won);
            return Ok(false);
        }
        let distance = gauge.distance(&state, probe)?;
        if level.rules.move_limit.is_some_and(|l| state.move_count + distance > l.into()) {
            return Ok(false);
        }
        if made + distance > self.limit {
            self.cut = true;
            return Ok(false);
        }
        normalise(level, &mut state);
        if self.seen.get(&state).is_none_or(|least| made < *least) {
            let rank = opponent::outlook(level, &state, distance);
            self.seen.insert(state.clone(), made);
            self.next.push((rank, Entry { state, made, step: self.steps.len() }));
            self.steps.push(Step { parent, mv });
        }
        Ok(false)
    }

    /// The moves to the last step.
    fn line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = self.steps.len() - 1;
        while let Some(Step { parent, mv }) = self.steps.get(at) {
            line.push(*mv);
            at = *parent;
        }
        line.reverse();
        line
    }
}
