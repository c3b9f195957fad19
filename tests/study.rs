//! What a document finds out about its level: every answer checked by the rules, about a version, one question at a time.
//!
//! `Trick` is the null game with a solver that misbehaves by the width of the board.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};
use tilewright::{
    analysis::Verdict,
    document::{Doc, Document, SolveState},
    export,
    game::*,
    games::null::{self, Null},
    grid::{Cell, Size, Spot, Sym},
    job::{Limits, Mode, Probe},
    picture::{Colours, Picture},
    search::driver::{Driver, Flow, Plan, Whole},
};

struct Trick;

/// Its solver returns a line that does not win.
const LIES: u16 = 2;
/// Its solver finds a line and then says that there is none.
const DENIES: u16 = 3;
/// Its solver runs until it is cancelled, and notices late.
const ENDLESS: u16 = 4;
/// Counting is counted.
const COUNTED: u16 = 5;
const HONEST: u16 = 6;

static RUNNING: AtomicUsize = AtomicUsize::new(0);
static MOST_RUNNING: AtomicUsize = AtomicUsize::new(0);
static COUNTS: AtomicUsize = AtomicUsize::new(0);

impl Draft for Trick {
    const INFO: Info = Info { id: "trick", ..Null::INFO };
    type Level = null::Level;
    type File = null::File;

    fn size(level: &Self::Level) -> Size {
        Null::size(level)
    }
    fn problems(level: &Self::Level) -> Vec<Problem> {
        Null::problems(level)
    }
    fn symmetries() -> &'static [Sym] {
        Null::symmetries()
    }
    fn turned(level: &Self::Level, sym: Sym) -> Option<Self::Level> {
        Null::turned(level, sym)
    }
    fn to_file(level: &Self::Level) -> null::File {
        Null::to_file(level)
    }
    fn from_file(file: null::File) -> Result<Self::Level, BoardFault> {
        Null::from_file(file)
    }
}

impl Rules for Trick {
    type State = null::State;
    type Move = Cell;

    fn arrange(level: &Self::Level) -> Option<Self::State> {
        Null::arrange(level)
    }
    fn legal_moves(level: &Self::Level, state: &Self::State) -> Vec<Cell> {
        Null::legal_moves(level, state)
    }
    fn play(level: &Self::Level, state: &mut Self::State, mv: &Cell) -> Result<(), Refusal> {
        Null::play(level, state, mv)
    }
    fn status(level: &Self::Level, state: &Self::State) -> Status {
        Null::status(level, state)
    }
    fn counts(level: &Self::Level, from: &Self::State, line: &[Cell]) -> Vec<u32> {
        if Null::size(level).w == COUNTED {
            COUNTS.fetch_add(1, Ordering::SeqCst);
        }
        Null::counts(level, from, line)
    }
    fn write_line(level: &Self::Level, line: &[Cell]) -> String {
        Null::write_line(level, line)
    }
    fn read_line(level: &Self::Level, text: &str) -> Result<Vec<Cell>, Fault> {
        Null::read_line(level, text)
    }
    fn write_move(level: &Self::Level, mv: &Cell) -> String {
        Null::write_move(level, mv)
    }
    fn piece(level: &Self::Level, state: &Self::State, mv: &Cell) -> (u32, String) {
        Null::piece(level, state, mv)
    }
    fn objects(level: &Self::Level, state: &Self::State) -> Vec<(String, Cell)> {
        Null::objects(level, state)
    }
    fn board_text(level: &Self::Level, state: &Self::State) -> String {
        Null::board_text(level, state)
    }
}

impl Solve for Trick {
    const GOALS: &'static [Goal] = Null::GOALS;

    fn stages(level: &Self::Level, from: &Self::State, goal: usize, mode: Mode) -> Plan<Cell> {
        let first = Null::legal_moves(level, from)[..1].to_vec();
        match Null::size(level).w {
            LIES => Plan::best(vec![Whole::stage("lies", true, move |known, probe| {
                known.better(1, first.clone(), probe);
                Ok(Flow::Proven)
            })]),
            ENDLESS => Plan::best(vec![Whole::stage("never ends", false, |_, probe| {
                MOST_RUNNING.fetch_max(RUNNING.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                let by = loop {
                    std::thread::sleep(Duration::from_millis(1));
                    if let Err(by) = probe.check() {
                        break by;
                    }
                };
                std::thread::sleep(Duration::from_millis(10));
                RUNNING.fetch_sub(1, Ordering::SeqCst);
                Err(by)
            })]),
            _ => Null::stages(level, from, goal, mode),
        }
    }

    fn solve(
        level: &Self::Level,
        from: &Self::State,
        goal: usize,
        probe: &mut Probe,
        found: &mut dyn FnMut(&[Cell]),
    ) -> Outcome<Cell> {
        let outcome = Driver::new(Self::stages(level, from, goal, probe.mode())).run(probe, found);
        if Null::size(level).w == DENIES { Outcome::Unsolvable } else { outcome }
    }
}

impl Generate for Trick {
    const VERSION: u32 = 1;

    fn params() -> Vec<Param> {
        Vec::new()
    }
    fn presets() -> Vec<Preset> {
        Vec::new()
    }
    fn generate(_: &Values, _: u64, _: &mut Probe) -> Result<Made<Trick>, NotMade> {
        Err(NotMade::Refused("none".into()))
    }
}

impl Edit for Trick {
    const SIZES: (Size, Size) = Null::SIZES;
    const NEW: Size = Null::NEW;

    fn blank(size: Size) -> Self::Level {
        Null::blank(size)
    }
    fn palette(level: &Self::Level) -> Palette {
        Null::palette(level)
    }
    fn paint(level: &mut Self::Level, ink: Ink, spots: &[Spot]) {
        Null::paint(level, ink, spots);
    }
    fn pick(level: &Self::Level, spot: Spot) -> Ink {
        Null::pick(level, spot)
    }
    fn resized(level: &Self::Level, size: Size, shift: (i16, i16)) -> Self::Level {
        Null::resized(level, size, shift)
    }
    fn stamp(level: &mut Self::Level, part: &Self::Level, at: Cell) {
        Null::stamp(level, part, at);
    }
}

impl View for Trick {
    type Ui = ();

    fn draw(_: &mut Picture, _: &Scene<'_, Trick>) {}
    fn draw_ink(_: &mut Picture, _: &Self::Level, _: Ink, _: &Colours) {}
    fn describe(level: &Self::Level, state: Option<&Self::State>, spot: Spot) -> String {
        Null::describe(level, state, spot)
    }
    fn input(_: &Self::Level, _: &Self::State, (): &mut (), _: &Input) -> Reaction<Cell> {
        Reaction::ignored()
    }
    fn hint(level: &Self::Level, state: &Self::State, moves: &[Cell], stage: u8) -> Hint {
        Null::hint(level, state, moves, stage)
    }
}

const LAMP: Ink = Ink { swatch: 1, colour: 0, sym: Sym::IDENTITY };

/// A board of this width with lamps in its first row.
fn lamps(width: u16) -> Box<dyn Doc> {
    let mut level = Null::blank(Size::new(width, 3));
    let row: Vec<Spot> = Size::new(width, 1).cells().map(Spot::from).collect();
    Null::paint(&mut level, LAMP, &row);
    Box::new(Document::<Trick>::new(Item::new("", level)))
}

/// A lamp more, or one less.
fn toggle(doc: &mut dyn Doc, cell: Cell) {
    let ink = Ink { swatch: 1 - doc.pick(cell.into()).swatch, ..LAMP };
    doc.paint(ink, &[cell.into()], &[], "toggle");
}

fn settle(doc: &mut dyn Doc) {
    for _ in 0..10_000 {
        doc.tick();
        if !doc.busy() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("background work does not end");
}

const BELOW: Cell = Cell { x: 0, y: 1 };

#[test]
fn a_solver_s_line_that_does_not_win_is_a_fault_everywhere_and_shown_nowhere() {
    for width in [LIES, DENIES] {
        let mut doc = lamps(width);
        let report = doc.solve_now(0, &mut Probe::new(Limits::default()));
        assert!(matches!(report.verdict, Verdict::Fault(_)), "{report:?}");
        assert_eq!((report.outcome(), report.moves), ("stopped", None));
        assert!(doc.play_from_start() && doc.solve(0, Limits::default(), false));
        doc.ask_verdict();
        doc.ask_outlook();
        doc.ask_rating();
        settle(&mut *doc);
        assert!(matches!(doc.report().expect("an answer").verdict, Verdict::Fault(_)));
        assert_eq!((doc.line_len(), doc.as_solution()), (0, None));
        assert!(matches!(doc.verdict().verdict, Some(Verdict::Fault(_))), "the live verdict was replayed");
        assert_eq!((doc.par(), doc.lost_cause()), (None, None), "and so was par");
        assert_eq!(doc.rating().expect("rated").difficulty, None);
    }
}

#[test]
fn twelve_quick_edits_leave_one_running_job() {
    let mut doc = lamps(ENDLESS);
    for x in 0..12 {
        toggle(&mut *doc, Cell { x: x % 4, y: 1 });
        doc.ask_verdict();
        doc.ask_rating();
        doc.tick();
        std::thread::sleep(Duration::from_millis(3));
        doc.tick();
    }
    assert!(doc.busy() && RUNNING.load(Ordering::SeqCst) <= 1);
    doc.resize(Size::new(HONEST, 3), (0, 0));
    doc.ask_verdict();
    settle(&mut *doc);
    assert!(matches!(doc.verdict().verdict, Some(Verdict::Solved { optimal: true, .. })));
    assert_eq!((RUNNING.load(Ordering::SeqCst), MOST_RUNNING.load(Ordering::SeqCst)), (0, 1));
}

#[test]
fn reading_starts_nothing_and_a_tick_starts_only_what_was_asked_for() {
    let mut doc = lamps(HONEST);
    assert!(doc.play_from_start());
    for _ in 0..3 {
        assert_eq!(doc.verdict().verdict, None);
        assert_eq!((doc.par(), doc.stars(), doc.lost_cause()), (None, None, None));
        assert!(doc.rating().is_none() && doc.report().is_none() && doc.standing().is_empty());
        assert!(!doc.tick() && !doc.busy());
    }
    doc.ask_verdict();
    settle(&mut *doc);
    assert!(doc.verdict().verdict.is_some() && doc.rating().is_none());
}

#[test]
fn the_verdict_comes_before_the_rating() {
    let mut doc = lamps(HONEST);
    for x in 0..6 {
        toggle(&mut *doc, Cell { x, y: 2 });
        doc.ask_rating();
        doc.ask_verdict();
        doc.tick();
        while doc.busy() {
            assert!(doc.rating().is_none() || doc.verdict().verdict.is_some());
            doc.tick();
        }
        assert!(doc.rating().is_some() && doc.harder_by().is_none_or(|d| d > 0.0));
    }
}

#[test]
fn answers_belong_to_a_version_and_undo_returns_to_them() {
    let mut doc = lamps(HONEST);
    doc.solve(0, Limits::default(), false);
    doc.ask_verdict();
    doc.ask_rating();
    settle(&mut *doc);
    let (version, verdict, rating) = (doc.version(), doc.verdict(), doc.rating().cloned());
    assert!(!doc.stale() && verdict.verdict.is_some());
    doc.paint(LAMP, &[BELOW.into()], &[], "a lamp");
    assert_eq!((doc.verdict().verdict, doc.rating()), (None, None), "nothing is known of this draft");
    assert!(doc.stale() && doc.version() != version);
    assert_eq!((doc.solve_state(), doc.as_solution()), (SolveState::Done, None), "not of this draft");
    doc.ask_verdict();
    settle(&mut *doc);
    assert_eq!(doc.verdict().change.as_deref(), Some("touches 6 → 7"));
    doc.undo_edit();
    assert!(!doc.stale() && doc.as_solution().is_some());
    assert_eq!((doc.version(), doc.verdict().text, doc.rating().cloned()), (version, verdict.text, rating));
    toggle(&mut *doc, BELOW);
    doc.ask_verdict();
    doc.tick();
    doc.undo_edit();
    settle(&mut *doc);
    assert_eq!(doc.verdict().verdict, verdict.verdict, "whatever arrives late is about its own version");
}

#[test]
fn only_a_line_from_the_start_becomes_a_solution() {
    let mut doc = lamps(HONEST);
    assert!(doc.play_from_start());
    doc.play_line("0,0").expect("a lamp burns there");
    doc.solve(0, Limits::default(), true);
    settle(&mut *doc);
    assert_eq!(doc.line_len(), 5, "from the position in play");
    assert!(!doc.keepable() && doc.as_solution().is_none());
    assert_eq!(export::copy(&*doc).line_len(), 0, "it solves no level");
    doc.set_step(5);
    assert!(doc.take_over() && doc.status() == Status::Won);
    assert_eq!(doc.played(), None, "nor does it after it was taken over");
    doc.solve(0, Limits::default(), false);
    settle(&mut *doc);
    assert!(doc.as_solution().is_some_and(|s| s.optimal));
    let copy = export::copy(&*doc);
    assert_eq!((copy.line_len(), copy.kept().len()), (6, 0), "shown, and kept by nobody");
    assert_eq!(copy.native(), doc.native());
}

#[test]
fn list_and_graph_of_a_line_are_made_once() {
    let mut doc = lamps(COUNTED);
    doc.solve(0, Limits::default(), false);
    settle(&mut *doc);
    assert_eq!(doc.graph(), [5.0, 4.0, 3.0, 2.0, 1.0, 0.0]);
    let (counted, rows) = (COUNTS.load(Ordering::SeqCst), doc.move_rows().as_ptr());
    for _ in 0..60 {
        doc.tick();
        assert_eq!((doc.graph().len(), doc.move_rows().as_ptr()), (6, rows));
    }
    assert_eq!(COUNTS.load(Ordering::SeqCst), counted, "no frame counts again");
}

#[test]
fn moves_that_were_taken_over_stay_so_when_play_goes_on_after_an_edit() {
    let mut doc = lamps(HONEST);
    doc.solve(0, Limits::default(), false);
    settle(&mut *doc);
    doc.set_step(6);
    assert!(doc.take_over() && doc.taken_over() && doc.status() == Status::Won);
    toggle(&mut *doc, BELOW);
    assert!(doc.play_from_here() && doc.taken_over() && doc.status() == Status::Playing);
    doc.undo_edit();
    assert!(doc.play_from_here() && doc.taken_over() && doc.status() == Status::Won, "nobody's record");
}

#[test]
fn the_clock_of_a_won_game_stands_still_also_when_the_win_is_undone_and_made_again() {
    let mut doc = lamps(HONEST);
    assert!(doc.play_from_start());
    doc.play_line("0,0 1,0 2,0 3,0 4,0 5,0").expect("lamps burn there");
    let won = doc.play_time();
    assert!(doc.undo() && doc.redo());
    let time = doc.play_time();
    assert!(time >= won, "time that was played on counts");
    std::thread::sleep(Duration::from_millis(5));
    assert_eq!((doc.status(), doc.play_time()), (Status::Won, time));
}
