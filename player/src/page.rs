//! A level in a page, without anything that only a browser has: the tests run this file natively beside the built module.
//!
//! A page has two instances of the module. One holds the game in play: it takes input and draws, and never searches. The other runs in a worker and
//! answers questions ([`Page::answer`]) about a level and the moves made so far: a hint, the opponent's move, a solution. The page hands the answers to the
//! first instance.

use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};
use tilewright::{
    analysis::{counts_text, singular, solve},
    document::{Board, Doc as _, Document, Feedback, Headless as _, Inspecting as _, Playing as _, Solutions as _},
    formats::native,
    game::{Game, HINT_STAGES, Hint, Input, Rules, Solution, Status, reply},
    games::{self, Visitor},
    job::{Limits, Probe},
    picture::{Area, Colours, Figure, Pen, Picture, Rgba},
};

/// The most bytes that a search may use: browsers end a page that takes too much.
const MEMORY: u64 = 1 << 30;
/// As in the program, so that a hint in the page is the one that the window gives.
const HINT: (u64, u64) = (2_000_000, 10);
/// As in the program: par is the same everywhere.
const PAR_NODES: u64 = 1_000_000;

/// What a page does with the game in play, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    Undo,
    Redo,
    Restart,
    /// Takes the choice of this number.
    Offer,
    /// Makes the moves in the text: a game that was left, or the opponent's answer.
    Moves,
    /// Shows the first stored solution that is one.
    Stored,
    /// Shows the line in the text (a goal, a line break, moves).
    Line,
    /// Goes to this step of the line.
    Step,
    /// Plays on from the step.
    TakeOver,
    /// Shows moves moving (1) or at once (0).
    Animate,
}

impl Act {
    pub const ALL: [Act; 10] = [
        Act::Undo,
        Act::Redo,
        Act::Restart,
        Act::Offer,
        Act::Moves,
        Act::Stored,
        Act::Line,
        Act::Step,
        Act::TakeOver,
        Act::Animate,
    ];
}

/// What the worker is asked, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// The best known line, searched for with the nodes that par is defined by.
    Par,
    /// The best line, until a limit of nodes.
    Solve(u64),
    Hint,
    Reply,
}

/// Called with each better line while the worker searches: what [`Act::Line`] takes.
pub type Found = fn(line: &str);

/// A page's level.
#[derive(Default)]
pub struct Page {
    table: Option<Box<dyn AnyTable>>,
    say: String,
}

impl Page {
    /// Opens a native text, ready to play; false if it cannot be played: then [`Page::about`] says why.
    pub fn open(&mut self, text: &str) -> bool {
        let opened = native::head(text)
            .map_err(|f| f.to_string())
            .and_then(|game| games::visit(&game, Open(text)).ok_or_else(|| format!("there is no game {game}"))?);
        match opened {
            Ok(table) => {
                (self.table, self.say) = (Some(table), String::new());
                true
            }
            Err(why) => {
                (self.table, self.say) = (None, why);
                false
            }
        }
    }

    /// What stays the same while the level is played.
    pub fn about(&self) -> Value {
        self.table.as_ref().map_or_else(|| json!({ "fault": self.say }), |t| t.about())
    }

    /// How the game stands; `par` is the count to play for, once it is known.
    pub fn status(&self, par: Option<u32>) -> Value {
        let mut status = self.table.as_ref().map_or_else(|| json!({}), |t| t.status(par));
        status["say"] = json!(self.say);
        status
    }

    /// The board in words, a line a spot.
    pub fn words(&self) -> Value {
        self.table.as_ref().map_or(Value::Null, |t| t.words())
    }

    /// Takes pointer or key; whether it meant something.
    pub fn input(&mut self, input: &Input) -> bool {
        let Some(table) = &mut self.table else { return false };
        let feedback = table.input(input);
        if feedback.moved || feedback.say.is_some() {
            self.say = feedback.say.unwrap_or_default();
        }
        feedback.used
    }

    /// Does something; whether it could be done.
    pub fn act(&mut self, act: Act, n: usize, text: &str) -> bool {
        self.say.clear();
        self.table.as_mut().is_some_and(|t| t.act(act, n, text))
    }

    /// Draws the game in play, or a step of the line, as numbers: whether it moves; the seconds left for this turn (-1 without a clock); the extent; the figures.
    pub fn draw(&mut self, step: Option<usize>, cell_px: f32, light: bool, out: &mut Vec<f32>) {
        out.clear();
        let Some(table) = &mut self.table else { return };
        let board = step.map_or(Board::Play, Board::Step);
        let clock = if step.is_none() { table.tick_clock() } else { None };
        let colours = if light { Colours::light() } else { Colours::dark() };
        let (picture, area, moving) = table.draw(board, &colours, cell_px);
        out.extend([f32::from(u8::from(moving)), clock.unwrap_or(-1.0), area.x, area.y, area.w, area.h]);
        picture.figures.iter().for_each(|f| write_figure(f, out));
    }

    /// Answers a question about the position after `moves`.
    pub fn answer(&mut self, question: Question, moves: &str, found: Found) -> Value {
        self.table.as_mut().map_or(Value::Null, |t| t.answer(question, moves, found))
    }
}

struct Open<'a>(&'a str);

impl Visitor for Open<'_> {
    type Out = Result<Box<dyn AnyTable>, String>;

    fn visit<G: Game>(self) -> Self::Out {
        let item = native::read::<G>(self.0).map_err(|f| f.to_string())?;
        let level = Arc::new(item.level.clone());
        let mut doc = Document::<G>::new(item);
        if !doc.play_from_start() {
            let problems = G::problems(&level);
            return Err(problems.into_iter().next().map_or_else(|| "it cannot be played".into(), |p| p.text));
        }
        Ok(Box::new(Table::<G> { doc, level, advice: None }))
    }
}

/// The part of a document that a page needs, so that editors, generators, ratings and exporters are not linked.
trait AnyTable: Send {
    fn about(&self) -> Value;
    fn status(&self, par: Option<u32>) -> Value;
    fn words(&self) -> Value;
    fn input(&mut self, input: &Input) -> Feedback;
    fn act(&mut self, act: Act, n: usize, text: &str) -> bool;
    fn tick_clock(&mut self) -> Option<f32>;
    fn draw(&self, board: Board, colours: &Colours, cell_px: f32) -> (Picture, Area, bool);
    fn answer(&mut self, question: Question, moves: &str, found: Found) -> Value;
}

struct Table<G: Game> {
    doc: Document<G>,
    level: Arc<G::Level>,
    /// A position that follows from the last hint, with the rest of its line.
    advice: Option<(G::State, Vec<G::Move>)>,
}

impl<G: Game> Table<G> {
    fn par_count(&self) -> usize {
        G::GOALS[G::INFO.par_goal].count
    }

    /// The position after moves from the start.
    fn after(&self, moves: &str) -> Option<G::State> {
        let mut state = G::start(&self.level).ok()?;
        for mv in G::read_line(&self.level, moves).ok()? {
            G::play(&self.level, &mut state, &mv).ok()?;
        }
        Some(state)
    }

    fn hint(&mut self, state: &G::State) -> Value {
        let line = match self.advice.take() {
            Some((at, line)) if at == *state => Some(line),
            _ => {
                let time = Some(Duration::from_secs(HINT.1));
                let limits = Limits { nodes: Some(HINT.0), time, memory: Some(MEMORY) };
                G::advise(&self.level, state, &mut Probe::new(limits))
            }
        };
        let line = line.unwrap_or_default();
        let Some((mv, rest)) = line.split_first() else {
            return json!([{ "text": "no way to win was found from here", "areas": [] }]);
        };
        let mut next = state.clone();
        if G::play(&self.level, &mut next, mv).is_ok() && !rest.is_empty() {
            self.advice = Some((next, rest.to_vec()));
        }
        let stage = |stage| {
            let Hint { spots, text } = G::hint(&self.level, state, &line, stage);
            let areas = spots.iter().map(|s| G::spot_area(&self.level, *s)).map(|a| [a.x, a.y, a.w, a.h]);
            json!({ "text": text, "areas": areas.collect::<Vec<_>>() })
        };
        Value::Array((0..HINT_STAGES).map(stage).collect())
    }

    fn solve(&self, nodes: u64, found: Found) -> Value {
        let limits = Limits { nodes: Some(nodes), time: None, memory: Some(MEMORY) };
        let mut probe = Probe::new(limits);
        let goal = G::INFO.par_goal;
        let line = |moves: &str| format!("{}\n{moves}", G::GOALS[goal].id);
        let report = solve::<G>(&self.level, None, goal, &mut probe, &mut |l| found(&line(&l.text))).report;
        json!({
            "outcome": report.outcome(), "optimal": report.optimal(), "cost": report.cost, "nodes": report.nodes,
            "text": report.live_text(), "line": report.moves.as_deref().map(line),
        })
    }
}

impl<G: Game> AnyTable for Table<G> {
    fn about(&self) -> Value {
        let (meta, info) = (self.doc.meta(), G::INFO);
        // In a page, Tab goes from button to button.
        let keys: Vec<_> = info.keys.iter().map(|(key, what)| (key.replace("Tab", "Page Down"), what)).collect();
        json!({
            "title": meta.title, "author": meta.author, "notes": meta.notes, "game": info.name, "summary": info.summary,
            "rules": info.rules, "keys": keys, "unit": info.counts[self.par_count()],
            "id": self.doc.played_level().map(|d| d.to_string()), "stored": self.doc.kept().len(),
        })
    }
    fn status(&self, par: Option<u32>) -> Value {
        let doc = &self.doc;
        let (status, counts) = (doc.status(), doc.counts());
        let count = counts.get(self.par_count()).map_or(0, |c| c.1);
        let stars = par.filter(|_| status == Status::Won).map(|par| <G as Rules>::stars(count, par));
        let par = par.map(|n| format!("{n} {}", singular(G::INFO.counts[self.par_count()], n)));
        let mut notices = doc.notices();
        notices.extend(doc.seen_lost().then(|| "this position cannot be won".into()));
        json!({
            "status": status.name(), "counts": counts_text(counts), "count": count, "stars": stars, "par": par,
            "moves": doc.progress().0, "known": doc.progress().1, "notices": notices, "offers": doc.offers(),
            "thinking": doc.thinking(), "taken": doc.taken_over(), "line": doc.whole_line(),
            "steps": doc.line_len(), "next": doc.next_move().map(|h| h.text),
        })
    }
    fn words(&self) -> Value {
        let spots = self.doc.spots(Board::Play);
        spots.iter().map(|s| format!("{}: {}", s.cell.name(), self.doc.describe(Board::Play, *s))).collect()
    }
    fn input(&mut self, input: &Input) -> Feedback {
        self.doc.input(input)
    }
    fn act(&mut self, act: Act, n: usize, text: &str) -> bool {
        let doc = &mut self.doc;
        match act {
            Act::Undo => doc.undo(),
            Act::Redo => doc.redo(),
            Act::Restart => {
                doc.restart();
                true
            }
            Act::Offer => doc.take_offer(n).moved,
            Act::Moves => doc.play_line(text).is_ok_and(|f| f.moved),
            Act::Stored => (0..doc.kept().len()).any(|i| doc.show_kept(i).is_ok()),
            Act::Line => {
                let Some((goal, moves)) = text.split_once('\n') else { return false };
                let (goal, moves, found) = (goal.into(), moves.into(), "solver".into());
                doc.keep(Solution { goal, moves, counts: Default::default(), optimal: false, found }, false);
                doc.show_kept(doc.kept().len() - 1).is_ok()
            }
            Act::Step => {
                doc.set_step(n);
                true
            }
            Act::TakeOver => doc.take_over(),
            Act::Animate => {
                doc.set_animate(n == 1);
                true
            }
        }
    }
    fn tick_clock(&mut self) -> Option<f32> {
        self.doc.tick_clock()
    }
    fn draw(&self, board: Board, colours: &Colours, cell_px: f32) -> (Picture, Area, bool) {
        let mut picture = self.doc.picture(board, colours, cell_px);
        picture.figures.extend(self.doc.ahead(board, colours, cell_px).unwrap_or_default().figures);
        (picture, self.doc.extent(board), self.doc.in_motion(board))
    }
    fn answer(&mut self, question: Question, moves: &str, found: Found) -> Value {
        match question {
            Question::Par => self.solve(PAR_NODES, found),
            Question::Solve(nodes) => self.solve(nodes, found),
            Question::Hint => self.after(moves).map_or(Value::Null, |state| self.hint(&state)),
            Question::Reply => {
                let state = self.after(moves);
                let mut probe = Probe::new(Limits::default());
                let mv = state.and_then(|s| reply::<G>(&self.level, &s, &mut probe));
                json!(mv.map(|mv| G::write_line(&self.level, &[mv])))
            }
        }
    }
}

/// A figure as numbers: its kind, fill and opacity, pen and opacity, the pen's width, then what the kind needs.
fn write_figure(figure: &Figure, out: &mut Vec<f32>) {
    // 24 bits of colour are exact in a float.
    let rgb = |c: Rgba| f32::from(c.0) * 65536.0 + f32::from(c.1) * 256.0 + f32::from(c.2);
    let mut head = |kind: f32, fill: Rgba, pen: Pen| {
        let opacity = |c: Rgba| f32::from(c.3) / 255.0;
        out.extend([kind, rgb(fill), opacity(fill), rgb(pen.colour), opacity(pen.colour), pen.width]);
    };
    match figure {
        Figure::Rect { area, round, fill, pen } => {
            head(0.0, *fill, *pen);
            out.extend([area.x, area.y, area.w, area.h]);
            out.extend(round);
        }
        Figure::Circle { at, radius, fill, pen } => {
            head(1.0, *fill, *pen);
            out.extend([at.x, at.y, *radius]);
        }
        Figure::Polygon { points, fill, pen } => {
            head(2.0, *fill, *pen);
            out.push(points.len() as f32);
            out.extend(points.iter().flat_map(|p| [p.x, p.y]));
        }
        Figure::Line { points, pen } => {
            head(3.0, Rgba::CLEAR, *pen);
            out.push(points.len() as f32);
            out.extend(points.iter().flat_map(|p| [p.x, p.y]));
        }
        Figure::Text { at, size, text, colour } => {
            head(4.0, *colour, Pen::NONE);
            out.extend([at.x, at.y, *size, text.chars().count() as f32]);
            out.extend(text.chars().map(|c| u32::from(c) as f32));
        }
    }
}
