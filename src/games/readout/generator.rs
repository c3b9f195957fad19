//! Scrambling by a walk that never undoes itself, graded by the proven distance.
//!
//! The walk begins at the target, so whatever it reaches can be put in order. A wish for a distance is met exactly where it can be proven:
//! the walk goes on until the board is at least that far, and then follows a shortest line back until it is as far as wished, since each slide
//! of a shortest line brings it nearer by one. Everything is measured with the small tables and cut off by nodes, so a seed
//! gives the same level on every machine whatever is cached.
//!
//! With an opponent a board should also be winnable against it within the move limit. Whether it is, is asked of the duel's solver within a fixed number
//! of nodes; a board for which that is not shown gives way to the next one. After the last of them the first that is not proven lost is handed out,
//! and `winnable` among what was measured says that it is not known to be.

use super::{
    Readout,
    field::{Board, Field, NONE, squares},
    level::{Level, Opponent, Square, Switches},
    solver::{slides, walk::Slide},
};
use crate::{
    analysis::played_goal,
    game::{Generate, Made, NotMade, Outcome, Param, Preset, Rules, Solve as _, Values, rng},
    grid::{Grid, Size},
    job::{Mode, Probe, Stop},
    search::driver::{Driver, Plan},
};
use rand::{RngExt as _, rngs::ChaCha8Rng, seq::IndexedRandom as _};
use std::collections::BTreeMap;

/// Nodes for grading one board.
const GRADE: u64 = 1_500_000;
/// How often a walk for a wished distance is lengthened, and how often fixed tiles are thrown.
const TRIES: u32 = 60;
/// Boards that are tried for one that can be won against the opponent, and the nodes for finding that out about one.
const BOARDS: usize = 4;
const DUEL_NODES: u64 = 4_000_000;

impl Generate for Readout {
    const VERSION: u32 = 2;

    fn params() -> Vec<Param> {
        let mut params = vec![
            Param::number(
                "walk",
                "Scramble",
                "How many slides the scramble makes; 0 leaves the board in order.",
                (0, 1000),
                32,
            ),
            Param {
                kind: crate::game::Kind::Number { min: 1, max: 80, words: &["any"] },
                default: "any".into(),
                ..Param::number(
                    "distance",
                    "Distance",
                    "The fewest slides to the target, proven; any: whatever the scramble gives.",
                    (1, 80),
                    1,
                )
            },
            Param::number("width", "Columns", "Columns of the board.", (3, 6), 5),
            Param::number("height", "Rows", "Rows of the board.", (3, 6), 5),
            Param::number("gaps", "Gaps", "How many squares are empty.", (1, 6), 1),
            Param::number("fixed", "Fixed tiles", "How many tiles never move.", (0, 8), 0),
        ];
        params.extend(Switches::params());
        params
    }

    fn presets() -> Vec<Preset> {
        let against = |id, name| Preset { id, name, values: Values::default().with("opponent", id) };
        let literal =
            Values::default().with("walk", 0).with("obstacle", "fill").with("life", 0).with("budget", "unlimited");
        vec![
            against("easy", "Easy"),
            against("medium", "Medium"),
            against("hard", "Hard"),
            Preset { id: "literal", name: "Literal", values: literal },
        ]
    }

    fn about_values(values: &Values) -> Option<String> {
        let number = |name| values.number(name).unwrap_or(0);
        if number("walk") == 0 && values.number("distance").is_none() {
            return Some("0 slides leave the board in order: a practice board".into());
        }
        let far = values.number("distance").is_some_and(|d| d > 55);
        let large = number("width") * number("height") > 25;
        (far || large).then(|| "a distance this large can often not be proven: then the best bound is used".into())
    }

    fn generate(values: &Values, seed: u64, probe: &mut Probe) -> Result<Made<Readout>, NotMade> {
        let number = |name: &str| values.number(name).unwrap_or(0);
        let size = Size::new(number("width") as u16, number("height") as u16);
        let (gaps, fixed) = (number("gaps") as usize, number("fixed") as usize);
        let mut rng = rng(seed);
        let target = target(size, gaps, fixed, &mut rng)?;
        let Some((field, goal)) = Field::of(&target) else {
            return Err(NotMade::Refused("this board cannot be laid out".into()));
        };
        let mut rules = Switches::default();
        values.0.iter().for_each(|(name, value)| rules.set(name, value));
        let (mut undecided, mut lost) = (None, None);
        for _ in 0..BOARDS {
            let next = scrambled(values, &field, &goal, &mut rng, probe).and_then(|(board, known)| {
                let level = Level { squares: grid(&field, &board), rules };
                Ok((board, made(level, &known, &field, &board, probe)?))
            });
            let (board, mut made) = match next {
                Ok(next) => next,
                // A wish that was met once is not refused because it cannot be met again.
                Err(NotMade::Refused(_)) if undecided.is_some() || lost.is_some() => break,
                Err(not_made) => return Err(not_made),
            };
            if rules.opponent == Opponent::None {
                return Ok(made);
            }
            let winnable = winnable(&made.level, probe)?;
            made.measured.insert("winnable".into(), f64::from(u8::from(winnable == Some(true))));
            made.measured.insert("nodes".into(), probe.progress.nodes as f64);
            match winnable {
                Some(true) => return Ok(made),
                Some(false) => lost.get_or_insert(made),
                None => undecided.get_or_insert(made),
            };
            // There is but one board in order.
            if board == goal {
                break;
            }
        }
        undecided.or(lost).ok_or_else(|| NotMade::Refused("no board was made".into()))
    }
}

/// A board after a walk, and what is known of it.
fn scrambled(
    values: &Values,
    field: &Field,
    goal: &Board,
    rng: &mut ChaCha8Rng,
    probe: &mut Probe,
) -> Result<(Board, Grade), NotMade> {
    let steps = values.number("walk").unwrap_or(0) as u32;
    let mut walk = Walk { field, board: *goal, last: None };
    // A wish for a distance is approached from below: the nearer the board, the easier its proof.
    let wish = values.number("distance").map(|d| d as u32);
    walk.steps(wish.unwrap_or(u32::MAX).min(steps), rng);
    // A walk may come home again.
    while walk.board == *goal && (steps > 0 || wish.is_some()) {
        walk.steps(2, rng);
    }
    let known = match wish {
        None => grade(field, &walk.board, probe)?,
        Some(wish) => far_enough(&mut walk, wish, rng, probe)?,
    };
    Ok((walk.board, known))
}

/// Whether a level can be won as it is played, by any line; `None` if the nodes for it did not suffice to tell.
fn winnable(level: &Level, probe: &mut Probe) -> Result<Option<bool>, Stop> {
    let Some(start) = Readout::arrange(level) else { return Ok(Some(false)) };
    let goal = played_goal::<Readout>(level, &start);
    let mut part = probe.part(DUEL_NODES).with_mode(Mode::Reproducible);
    let plan = Plan { any_line: true, ..Readout::stages(level, &start, goal, part.mode()) };
    let outcome = Driver::new(plan).run(&mut part, &mut |_| ());
    probe.absorb(&part);
    probe.check()?;
    match outcome {
        Outcome::Solved { .. } => Ok(Some(true)),
        Outcome::Unsolvable => Ok(Some(false)),
        Outcome::Stopped { by: Stop::Nodes, .. } if probe.nodes_left() > 0 => Ok(None),
        Outcome::Stopped { by, .. } => Err(by),
    }
}

fn made(level: Level, known: &Grade, field: &Field, board: &Board, probe: &Probe) -> Result<Made<Readout>, NotMade> {
    let (Some(line), Some(state)) = (&known.line, Readout::arrange(&level)) else {
        return Err(NotMade::Refused("no line was found within the node limit".into()));
    };
    let line = super::solver::moves(&state, line);
    let measured = [
        ("cost", line.len() as f64),
        ("optimal", f64::from(u8::from(line.len() as u32 <= known.bound))),
        ("bound", f64::from(known.bound)),
        ("manhattan", f64::from(field.manhattan(board))),
        ("nodes", probe.progress.nodes as f64),
    ];
    let measured: BTreeMap<String, f64> = measured.into_iter().map(|(k, v)| (k.to_string(), v)).collect();
    Ok(Made { level, line, measured })
}

/// What is known of a board: its best line, and a bound that is proven.
struct Grade {
    line: Option<Vec<Slide>>,
    bound: u32,
}

/// Grades a board within a fixed number of nodes, reproducibly. Only a stop from outside is an error.
fn grade(field: &Field, board: &Board, probe: &mut Probe) -> Result<Grade, Stop> {
    let mut part = probe.part(GRADE).with_mode(Mode::Reproducible);
    let plan = slides::plan(field, board, u32::MAX, Mode::Reproducible, <[Slide]>::to_vec);
    let outcome = Driver::new(plan).run(&mut part, &mut |_| ());
    probe.absorb(&part);
    probe.check()?;
    let (grade, stop) = match outcome {
        Outcome::Solved { line, bound, stopped, .. } => (Grade { line: Some(line), bound }, stopped),
        Outcome::Unsolvable => (Grade { line: None, bound: 0 }, None),
        Outcome::Stopped { by, bound } => (Grade { line: None, bound }, Some(by)),
    };
    match stop {
        Some(stop) if stop != Stop::Nodes || probe.nodes_left() == 0 => Err(stop),
        _ => Ok(grade),
    }
}

/// Walks on until the board is at least as far as wished, then back along a shortest line.
fn far_enough(walk: &mut Walk<'_>, wish: u32, rng: &mut ChaCha8Rng, probe: &mut Probe) -> Result<Grade, NotMade> {
    for _ in 0..TRIES {
        let known = grade(walk.field, &walk.board, probe)?;
        let Some(line) = known.line.clone() else { break };
        if line.len() as u32 > known.bound {
            // Not proven: nearer along the best line it will be.
            let back = line.len().saturating_sub(wish as usize).max(2);
            for slide in line.iter().take(back) {
                walk.board.0.swap(slide.from.into(), slide.to.into());
            }
            walk.last = None;
            continue;
        }
        if line.len() as u32 >= wish {
            let back = line.len() - wish as usize;
            for slide in &line[..back] {
                walk.board.0.swap(slide.from.into(), slide.to.into());
            }
            return Ok(Grade { line: Some(line[back..].to_vec()), bound: wish });
        }
        walk.steps((wish - line.len() as u32).clamp(2, 12), rng);
    }
    Err(NotMade::Refused(format!(
        "no board here is {wish} slides from its target, as far as was searched: ask for less"
    )))
}

/// The board in order, with fixed tiles thrown at random so that every open square stays within reach of every other.
fn target(size: Size, gaps: usize, fixed: usize, rng: &mut ChaCha8Rng) -> Result<Grid<Square>, NotMade> {
    if gaps + fixed + 2 > size.area() {
        let text = format!("{gaps} gaps and {fixed} fixed tiles leave too few digits on {} squares", size.area());
        return Err(NotMade::Refused(text));
    }
    for _ in 0..TRIES * 20 {
        let mut open = Grid::filled(size, Square::Gap);
        for _ in 0..fixed {
            let free: Vec<_> = open.iter().filter(|(_, s)| **s == Square::Gap).map(|(c, _)| c).collect();
            if let Some(c) = free.choose(rng) {
                open[*c] = Square::Fixed;
            }
        }
        let Some((field, _)) = Field::of(&open) else { break };
        let roomy = squares(field.open).all(|i| field.near[i].count_ones() >= 2);
        if field.parts().len() == 1 && roomy {
            let mut digits = 1..=(size.area() - gaps - fixed) as u8;
            return Ok(Grid::from_fn(size, |c| match open[c] {
                Square::Fixed => Square::Fixed,
                _ => digits.next().map_or(Square::Gap, Square::Digit),
            }));
        }
    }
    Err(NotMade::Refused(format!("{fixed} fixed tiles leave no board on which everything can move: ask for fewer")))
}

struct Walk<'a> {
    field: &'a Field,
    board: Board,
    /// Where the last tile went.
    last: Option<usize>,
}

impl Walk<'_> {
    fn steps(&mut self, count: u32, rng: &mut ChaCha8Rng) {
        for _ in 0..count {
            let gaps = self.field.gaps_of(&self.board);
            let slides: Vec<(usize, usize)> = squares(gaps)
                .flat_map(|to| squares(self.field.near[to]).map(move |from| (from, to)))
                .filter(|(from, _)| self.board.0[*from] != NONE && Some(*from) != self.last)
                .collect();
            if slides.is_empty() {
                self.last = None;
                continue;
            }
            let (from, to) = slides[rng.random_range(0..slides.len())];
            self.board.0.swap(from, to);
            self.last = Some(to);
        }
    }
}

/// A walk of some slides from the target of a draft, for the editor's shuffle.
pub(super) fn shuffled(level: &Level, slides: u32, seed: u64) -> Option<Grid<Square>> {
    let (field, goal) = Field::of(&level.target())?;
    let mut walk = Walk { field: &field, board: goal, last: None };
    walk.steps(slides, &mut rng(seed));
    Some(grid(&field, &walk.board))
}

fn grid(field: &Field, board: &Board) -> Grid<Square> {
    Grid::from_fn(field.size, |c| {
        let i = field.size.index(c);
        match field.digits.get(usize::from(board.0[i])) {
            Some(digit) => Square::Digit(*digit),
            None if field.open >> i & 1 == 1 => Square::Gap,
            None => Square::Fixed,
        }
    })
}
