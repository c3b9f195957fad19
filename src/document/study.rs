//! What is being found out about a level, one question after the other.
//!
//! The questions stand in the order of [`Document::wanted`]: verdict, the reason of an unsolvable draft, par, kept solutions, rating, what-if map, map of positions. One of them is worked on at a time, so that the
//! rating never takes time from the verdict; whatever comes earlier in that order interrupts what comes later. The `ask_…` methods only say that an answer is
//! wanted, [`Document::tick_study`] starts the work, and reading starts nothing. Answers are kept by the version of the draft they are about, so an answer
//! about another version is never shown as one about this one, and undo finds the old answers again.

use super::{
    Document, Editing as _, Playing as _, Standing,
    explore::{Map, WhatIf},
    slot::Slot,
};
use crate::{
    analysis::{
        Replayed, Report, Verdict, grouped, played_goal,
        positions::{self, Positions},
        rate::{self, Rating},
        solve, solve_on_all_cores,
        why::{self, why},
    },
    game::{Game, Reason, Severity, Solution, Status},
    job::{Job, Limits, Mode, Probe},
};
use std::{sync::PoisonError, time::Duration};

/// The verdict about the draft as it is.
#[derive(Clone, PartialEq, Debug)]
pub struct LiveVerdict {
    /// What is known; `None` while that is being found out.
    pub verdict: Option<Verdict>,
    /// The id of the goal that it is about.
    pub goal: &'static str,
    /// The same as a sentence.
    pub text: String,
    /// What changed since the last verdict.
    pub change: Option<String>,
    /// The game's own remarks.
    pub remarks: Vec<String>,
    /// Why the draft cannot be solved, once that is found out.
    pub reason: Option<Reason>,
}

/// The count to play for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Par {
    /// What the best known line costs.
    pub count: u32,
    /// Whether that is the proven minimum.
    pub proven: bool,
}

/// What is known about the draft as it is, and about the level in play.
pub trait Studied {
    /// Asks for the verdict about the draft as it is.
    fn ask_verdict(&mut self);
    /// The live verdict, as far as it is known.
    fn verdict(&self) -> LiveVerdict;
    /// Why the draft cannot be solved, once that is found out: [`LiveVerdict::reason`].
    fn reason(&self) -> Option<&Reason>;
    /// Whether the draft is proven unsolvable.
    fn is_unsolvable(&self) -> bool;
    /// Par of the level in play, when it is known.
    fn par(&self) -> Option<Par>;
    /// Takes back what was asked for, but not par of a game that is won: the stars depend on it.
    fn ask_nothing(&mut self);
    /// Asks for the rating of the draft as it is.
    fn ask_rating(&mut self);
    /// The rating of the draft as it is, once it is there.
    fn rating(&self) -> Option<&Rating>;
    /// How much harder the draft has become by the last change, where both were rated.
    fn harder_by(&self) -> Option<f64>;
}

const VERDICT_LIMITS: Limits =
    Limits { nodes: Some(400_000), time: Some(Duration::from_secs(4)), memory: Some(768 << 20) };

/// Nodes where an opponent answers: each of its thoughts is many nodes that cost little, and here the time ends the search.
const DUEL_NODES: u64 = 40_000_000;

fn verdict_limits<G: Game>() -> Limits {
    match G::versus() {
        Some(_) => Limits { nodes: Some(DUEL_NODES), ..VERDICT_LIMITS },
        None => VERDICT_LIMITS,
    }
}

/// Node-limited, so that all machines agree on par.
const PAR_LIMITS: Limits = Limits { nodes: Some(1_000_000), time: None, memory: Some(1 << 30) };

/// The reason has node limits of its own.
const WHY_LIMITS: Limits = Limits { nodes: None, time: None, memory: Some(512 << 20) };

/// Last in the queue, and no more than a sample is lost by stopping it.
const POSITIONS_LIMITS: Limits =
    Limits { nodes: Some(8_000_000), time: Some(Duration::from_secs(20)), memory: Some(512 << 20) };

/// So many versions' answers are kept for undo.
const VERSIONS: usize = 16;

/// A question, with the version it is about; for the kept solutions, the revision of the document.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Question {
    Verdict(u64),
    Why(u64),
    Par(u64),
    Kept(u64),
    Rating(u64),
    Map(u64, WhatIf),
    Positions(u64),
}

/// Files an answer.
type File = Box<dyn FnOnce(&mut Study) + Send>;

/// Answers by version: the latest few, and which was shown last.
struct Known<T> {
    answers: Vec<(u64, T)>,
    shown: Option<u64>,
    shown_before: Option<u64>,
}

impl<T> Default for Known<T> {
    fn default() -> Known<T> {
        Known { answers: Vec::new(), shown: None, shown_before: None }
    }
}

impl<T> Known<T> {
    fn get(&self, version: u64) -> Option<&T> {
        self.answers.iter().find(|(v, _)| *v == version).map(|(_, answer)| answer)
    }

    fn put(&mut self, version: u64, answer: T) {
        self.answers.retain(|(v, _)| *v != version);
        self.answers.push((version, answer));
        if self.answers.len() > VERSIONS {
            self.answers.remove(0);
        }
    }

    /// What was shown before the answer about this version.
    fn before(&self, version: u64) -> Option<&T> {
        let before = if self.shown == Some(version) { self.shown_before } else { self.shown };
        before.and_then(|v| self.get(v))
    }

    fn show(&mut self, version: u64) {
        if self.shown != Some(version) {
            self.shown_before = self.shown.replace(version);
        }
    }
}

#[derive(Default)]
pub(super) struct Study {
    slot: Slot<File>,
    running: Option<Question>,
    verdict_asked: Option<u64>,
    pub(super) par_asked: Option<u64>,
    rating_asked: Option<u64>,
    pub(super) map_asked: Option<WhatIf>,
    pub(super) positions_asked: Option<u64>,
    /// The version whose map of positions was made last, or tried.
    pub(super) positions_done: Option<u64>,
    verdicts: Known<(Report, Vec<String>)>,
    reasons: Known<Option<Reason>>,
    pars: Known<Report>,
    ratings: Known<Rating>,
    pub(super) kept: Option<(u64, Vec<Standing>)>,
    pub(super) map: Option<Map>,
}

impl Study {
    /// A worker failed: an error of ours. Its question is not asked again.
    fn fail<G: Game>(&mut self, question: Question, message: String) {
        let fault = |goal| Report::new::<G>(goal, Verdict::Fault(message));
        match question {
            Question::Verdict(v) => self.verdicts.put(v, (fault(G::INFO.verdict_goal), Vec::new())),
            Question::Why(v) => self.reasons.put(v, None),
            Question::Par(v) => self.pars.put(v, fault(G::INFO.par_goal)),
            Question::Kept(revision) => self.kept = Some((revision, Vec::new())),
            Question::Rating(v) => self.ratings.put(v, Rating::default()),
            Question::Map(..) => self.finish_map(),
            Question::Positions(v) => self.positions_done = Some(v),
        }
    }

    /// Positions found so far, while their map is being made.
    pub(super) fn counting_positions(&self) -> Option<u64> {
        matches!(self.running, Some(Question::Positions(_))).then(|| self.slot.progress().frontier)
    }

    fn finish_map(&mut self) {
        if let Some(map) = &mut self.map {
            map.finished = true;
        }
    }

    /// What is known about par for a version: also from the verdict, if that is final and about the same goal.
    fn par<G: Game>(&self, version: u64) -> Option<&Report> {
        let verdict = self.verdicts.get(version).map(|(report, _)| report);
        let same = |r: &Report| r.goal == G::GOALS[G::INFO.par_goal].id;
        let last_word = verdict.filter(|r| same(r) && (r.optimal() || r.verdict == Verdict::Unsolvable));
        last_word.or_else(|| self.pars.get(version))
    }
}

impl<G: Game> Document<G> {
    /// The question to work on now.
    fn wanted(&self) -> Option<Question> {
        let (study, version) = (&self.study, self.draft().version);
        if study.verdict_asked == Some(version) && self.playable() && study.verdicts.get(version).is_none() {
            return Some(Question::Verdict(version));
        }
        let unsolvable = study.verdicts.get(version).is_some_and(|(report, _)| report.verdict == Verdict::Unsolvable);
        if study.verdict_asked == Some(version) && unsolvable && study.reasons.get(version).is_none() {
            return Some(Question::Why(version));
        }
        if let Some(played) = self.play.as_ref().map(super::play::Play::version)
            && study.par_asked == Some(played)
            && study.par::<G>(played).is_none()
        {
            return Some(Question::Par(played));
        }
        if !self.kept.is_empty() && study.kept.as_ref().is_none_or(|(r, _)| *r != self.revision) {
            return Some(Question::Kept(self.revision));
        }
        if study.rating_asked == Some(version) && study.ratings.get(version).is_none() {
            return Some(Question::Rating(version));
        }
        if let Some(asked) = study.map_asked
            && !study.map.as_ref().is_some_and(|m| m.finished && m.is(version, asked))
        {
            return Some(Question::Map(version, asked));
        }
        let map = study.positions_asked == Some(version) && self.playable() && study.positions_done != Some(version);
        map.then_some(Question::Positions(version))
    }

    /// Whether something is being found out, or will be as soon as something else has ended.
    pub(super) fn studying(&self) -> bool {
        self.study.slot.busy() || self.wanted().is_some()
    }

    /// Takes in what was found, and starts what is wanted now.
    pub(super) fn tick_study(&mut self) -> bool {
        let mut changed = false;
        if let Some(done) = self.study.slot.poll()
            && let Some(question) = self.study.running.take()
        {
            match done {
                Ok(file) => file(&mut self.study),
                Err(message) => self.study.fail::<G>(question, message),
            }
            if let Question::Positions(version) = question {
                self.mapped.take(version);
            }
            changed = true;
        }
        if let Some(map) = &mut self.study.map {
            changed |= map.tick();
        }
        let wanted = self.wanted();
        if self.study.running != wanted {
            self.study.slot.stop();
            self.study.running = wanted;
            if let Some(question) = wanted {
                self.start(question);
            }
        }
        let version = self.draft().version;
        if !self.playable() || self.study.verdicts.get(version).is_some() {
            self.study.verdicts.show(version);
        }
        if self.study.ratings.get(version).is_some() {
            self.study.ratings.show(version);
        }
        changed
    }

    fn start(&mut self, question: Question) {
        let level = self.draft().level.clone();
        match question {
            Question::Verdict(v) => self.run("verdict", verdict_limits::<G>(), move |probe| {
                let start = G::start(&level).ok();
                let goal = start.map_or(G::INFO.verdict_goal, |start| played_goal::<G>(&level, &start));
                let report = solve_on_all_cores::<G>(&level, None, goal, false, probe, &mut |_| ()).report;
                let mut part = probe.part(VERDICT_LIMITS.nodes.unwrap_or(u64::MAX));
                let remarks =
                    G::start(&level).map(|start| G::about_level(&level, &start, &mut part)).unwrap_or_default();
                Box::new(move |s| s.verdicts.put(v, (report, remarks)))
            }),
            Question::Why(v) => {
                let report = self.study.verdicts.get(v).map(|(report, _)| report.clone());
                self.run("reason", WHY_LIMITS, move |probe| {
                    let found = report.map(|r| why::<G>(&level, None, &r, why::Effort::default(), probe));
                    let reason = found.and_then(Result::ok).flatten().map(|found| found.reason);
                    Box::new(move |s| s.reasons.put(v, reason))
                });
            }
            Question::Par(v) => {
                let level = self.play.as_ref().map_or(level, |p| p.level().clone());
                self.run("par", PAR_LIMITS, move |probe| {
                    let report = solve::<G>(&level, None, G::INFO.par_goal, probe, &mut |_| ()).report;
                    Box::new(move |s| s.pars.put(v, report))
                });
            }
            Question::Kept(revision) => {
                let kept = self.kept.clone();
                let standing = move |s: &Solution| match Replayed::<G>::kept(&level, s) {
                    Ok(line) => Standing::Solves(line.counts),
                    Err(why) => Standing::Stale(why),
                };
                self.run("kept", Limits::default(), move |_| {
                    let standing = kept.iter().map(standing).collect();
                    Box::new(move |s| s.kept = Some((revision, standing)))
                });
            }
            Question::Rating(v) => self.run("rating", Limits::default(), move |probe| {
                let rating = rate::rate::<G>(&level, rate::NODES, probe);
                Box::new(move |s| s.ratings.put(v, rating))
            }),
            Question::Map(version, asked) => {
                let (map, work) = Map::begin::<G>(level, version, asked);
                self.study.map = Some(map);
                self.run("what-if", Limits { memory: Some(256 << 20), ..Limits::default() }, move |probe| {
                    work(probe);
                    Box::new(Study::finish_map)
                });
            }
            Question::Positions(v) => {
                let pot = self.mapped.pot.clone();
                self.run("positions", POSITIONS_LIMITS, move |probe| {
                    probe.set_mode(Mode::all_cores());
                    let map = Positions::<G>::of(&level, positions::MOST, probe).ok().flatten();
                    *pot.lock().unwrap_or_else(PoisonError::into_inner) = Some((v, map));
                    Box::new(move |s| s.positions_done = Some(v))
                });
            }
        }
    }

    fn run(&mut self, name: &'static str, limits: Limits, work: impl FnOnce(&mut Probe) -> File + Send + 'static) {
        let wake = self.wake.clone();
        self.study.slot.start(move || Job::named(name, limits, move || wake(), work));
    }
}

impl<G: Game> Studied for Document<G> {
    fn ask_verdict(&mut self) {
        self.study.verdict_asked = Some(self.draft().version);
    }
    fn verdict(&self) -> LiveVerdict {
        let (study, version) = (&self.study, self.draft().version);
        if let Some((report, remarks)) = study.verdicts.get(version) {
            let reason = self.reason().cloned();
            let text = match (&report.verdict, G::versus()) {
                (Verdict::Unsolvable, Some(_)) if reason.as_ref().is_some_and(Reason::is_opponent) => {
                    "winnable without an opponent only".into()
                }
                (Verdict::Stopped(_), Some(_)) => {
                    format!("no winning line found in {} positions", grouped(report.nodes))
                }
                (_, Some(_)) => report.live_text_against::<G>(),
                (_, None) => report.live_text(),
            };
            return LiveVerdict {
                verdict: Some(report.verdict.clone()),
                goal: report.goal,
                text,
                change: study.verdicts.before(version).and_then(|(before, _)| report.change_since(before)),
                remarks: remarks.clone(),
                reason,
            };
        }
        let (goal, change, remarks, reason) = (G::GOALS[G::INFO.verdict_goal].id, None, Vec::new(), None);
        if self.playable() {
            let text = "looking for a solution …".into();
            return LiveVerdict { verdict: None, goal, text, change, remarks, reason };
        }
        let errors = self.problems().iter().filter(|p| p.severity == Severity::Error).cloned().collect();
        let report = Report::new::<G>(G::INFO.verdict_goal, Verdict::Unplayable(errors));
        LiveVerdict { text: report.live_text(), verdict: Some(report.verdict), goal, change, remarks, reason }
    }
    fn reason(&self) -> Option<&Reason> {
        self.study.reasons.get(self.draft().version)?.as_ref()
    }
    fn is_unsolvable(&self) -> bool {
        let known = self.study.verdicts.get(self.draft().version);
        known.is_some_and(|(report, _)| report.verdict == Verdict::Unsolvable)
    }
    fn ask_nothing(&mut self) {
        (self.study.verdict_asked, self.study.rating_asked, self.study.positions_asked) = (None, None, None);
        if self.status() != Status::Won {
            self.study.par_asked = None;
        }
    }
    fn par(&self) -> Option<Par> {
        let report = self.study.par::<G>(self.play.as_ref()?.version())?;
        report.cost.map(|count| Par { count, proven: report.optimal() })
    }
    fn ask_rating(&mut self) {
        self.study.rating_asked = Some(self.draft().version);
    }
    fn rating(&self) -> Option<&Rating> {
        self.study.ratings.get(self.draft().version)
    }
    fn harder_by(&self) -> Option<f64> {
        let before = self.study.ratings.before(self.draft().version)?;
        Some(self.rating()?.difficulty? - before.difficulty?)
    }
}
