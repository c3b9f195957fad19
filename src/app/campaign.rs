//! What a win is worth: records of every level; and the level after it, of a campaign or from the generator.

use super::{
    run::Run,
    workshop::{Mode, OpenLevel, Workshop},
};
use crate::{
    analysis::singular,
    disk::LevelId,
    document::{AnyGame, Digest, Doc},
    game::{NotMade, Origin, Status},
    games,
    job::{Job, Limits},
    memory::{Best, Campaign, Chapters, Keeper, Place, Ranked, Records},
};
use std::path::Path;

/// A win on the board, and what it is measured against.
pub struct Won {
    /// The level as it was played.
    level: Digest,
    /// What was done now. Stars are 0 until par is known.
    now: Best,
    /// The best before this.
    before: Option<Best>,
    /// The names of the counts, in the game's order.
    names: Vec<&'static str>,
    /// Where it stands among the ranked games of this level, and how many those are.
    ranked: Option<(usize, usize)>,
}

impl Won {
    /// "best 12 steps, yours 14", a line for each count.
    pub fn compared(&self) -> Vec<String> {
        if let Some((place, of)) = self.ranked.filter(|(_, of)| *of > 1) {
            return vec![format!("number {place} of your {of} best games")];
        }
        let Some(before) = &self.before else { return Vec::new() };
        let line = |name: &&'static str| {
            let (old, new) = (*before.counts.get(*name)?, *self.now.counts.get(*name)?);
            Some(match new.cmp(&old) {
                std::cmp::Ordering::Less => format!("new best: {new} {} (was {old})", singular(name, new)),
                std::cmp::Ordering::Equal => format!("as good as your best: {old} {}", singular(name, old)),
                std::cmp::Ordering::Greater => format!("your best: {old} {}", singular(name, old)),
            })
        };
        self.names.iter().filter_map(line).collect()
    }

    /// What was done now.
    pub fn now(&self) -> &Best {
        &self.now
    }
}

/// A level that is being made and will be opened: one of a campaign, or the generator's next.
pub struct Making {
    /// The campaign's game and the number of the level, if it is one of a campaign.
    campaign: Option<(&'static str, u32)>,
    /// The level that makes room for it.
    instead_of: Option<u64>,
    /// The run that it is part of.
    run: Option<Run>,
    job: Job<Result<Box<dyn Doc>, NotMade>>,
}

impl Making {
    /// A board of a run.
    pub(super) fn of_run(run: Run, instead_of: Option<u64>, job: Job<Result<Box<dyn Doc>, NotMade>>) -> Making {
        Making { campaign: None, instead_of, run: Some(run), job }
    }

    /// Whether the generator was asked for it.
    pub fn is_generated(&self) -> bool {
        self.campaign.is_none() && self.run.is_none()
    }
}

impl Workshop {
    /// Keeps records below this folder.
    pub fn keep_records(&mut self, data: Option<&Path>) {
        self.services.keeper = Keeper::open(data.map(|d| d.join("records.ron")), self.services.wake.clone());
        for (game, score) in std::mem::take(&mut self.settings.best_scores) {
            self.services.keeper.add(&Records::of_score(&game, score));
        }
        self.tell_records();
    }

    fn tell_records(&mut self) {
        for message in self.services.keeper.messages() {
            self.warn(message);
        }
    }

    /// Writes down what was won.
    pub(super) fn tick_records(&mut self) {
        self.services.keeper.tick();
        for open in &mut self.session.open {
            if open.doc.status() != Status::Won {
                open.won = None;
                continue;
            }
            if open.won.is_none() && !open.doc.taken_over() {
                note_win(open, &mut self.services.keeper);
            }
            note_stars(open, &mut self.services.keeper);
        }
        self.tell_records();
    }

    /// The best games of the level that is played, in games with points.
    pub fn ranked(&self, open: &OpenLevel) -> Vec<Ranked> {
        let info = open.doc.game().info();
        let best = open.doc.played_level().and_then(|level| self.services.keeper.records().level(info.id, level));
        best.map_or_else(Vec::new, |b| b.ranked(info.counts.first().unwrap_or(&"")))
    }

    /// Takes in a level that was made.
    pub(super) fn tick_making(&mut self) {
        let Some(done) = self.services.making.as_ref().and_then(|m| m.job.poll()) else { return };
        let Some(making) = self.services.making.take() else { return };
        match done {
            Ok(Ok(doc)) => self.open_made(making, doc),
            Ok(Err(NotMade::Refused(why))) => self.complain(why),
            Ok(Err(NotMade::Stopped(_))) => {}
            Err(message) => self.complain(message),
        }
    }

    fn open_made(&mut self, making: Making, doc: Box<dyn Doc>) {
        let level = making.campaign.map_or_else(|| LevelId::generated(&*doc), |(game, n)| LevelId::Campaign(game, n));
        self.add(doc, level, Mode::Play);
        if let Some(open) = self.session.current_mut() {
            let played = open.doc.played_level();
            open.run = making.run.map(|run| run.on_board(played));
            open.campaign = making.campaign.zip(played).map(|((game, n), played)| (game, Place::Level(n), played));
        }
        if let Some(id) = making.instead_of {
            self.make_room(id);
        }
        if let Some((game, level)) = making.campaign {
            self.choose_place(game, Place::Level(level));
        }
    }

    /// Makes the generator's level after the one with this origin.
    pub(super) fn make_next(&mut self, game: &'static dyn AnyGame, origin: Origin) {
        let (wake, seed) = (self.services.wake.clone(), origin.seed.wrapping_add(1));
        self.say(format!("making the level with seed {seed}"));
        let work = move |probe: &mut crate::job::Probe| {
            game.generate(&origin.preset, &origin.params, seed, probe).map(|made| made.doc)
        };
        let job = Job::spawn(Limits::default(), move || wake(), work);
        self.services.making = Some(Making { campaign: None, instead_of: None, run: None, job });
    }

    /// Whether a level of a campaign may be played.
    pub fn is_open(&self, game: &'static dyn AnyGame, place: Place) -> bool {
        is_open(self.services.keeper.records(), game, place)
    }

    /// The level that a campaign goes on with.
    pub fn campaign_place(&self, game: &'static dyn AnyGame) -> Place {
        let known = self.services.keeper.records().campaign(game.info().id);
        known.unwrap_or(&Campaign::default()).place(chapters(game))
    }

    /// Opens a level of a campaign, if it is open to play.
    pub fn open_campaign(&mut self, game: &'static str, place: Place) {
        self.make_campaign(game, place, None);
    }

    fn choose_place(&mut self, game: &str, place: Place) {
        let more = self.services.keeper.records().choosing(game, place);
        self.services.keeper.add(&more);
    }

    fn make_campaign(&mut self, game: &'static str, place: Place, instead_of: Option<u64>) {
        let Some(any) = games::by_id(game) else { return };
        if !self.is_open(any, place) {
            self.say("this level is locked: solve or skip one before it");
            return;
        }
        let level = match place {
            Place::Lesson(n) => {
                self.open_lesson(game, n);
                instead_of.into_iter().for_each(|id| self.make_room(id));
                return;
            }
            Place::Level(level) => level,
        };
        if self.bring(&LevelId::Campaign(game, level)) {
            self.enter(Mode::Play);
            self.choose_place(game, place);
            return;
        }
        let wake = self.services.wake.clone();
        let work = move |probe: &mut crate::job::Probe| any.campaign_level(level, probe);
        let job = Job::spawn(Limits::default(), move || wake(), work);
        self.services.making = Some(Making { campaign: Some((game, level)), instead_of, run: None, job });
    }

    /// Opens a lesson, which is a shipped level: the same one that the Library lists.
    fn open_lesson(&mut self, game: &'static str, number: u32) {
        let index = number as usize - 1;
        self.open_shipped(game, index);
        self.enter(Mode::Play);
        let Some(open) = self.session.current_mut().filter(|o| o.level == LevelId::Shipped(game, index)) else {
            return;
        };
        if open.doc.status() != Status::Playing {
            open.doc.play_from_start();
        }
        if open.campaign.is_none() && !open.doc.dirty() {
            open.campaign = open.doc.played_level().map(|played| (game, Place::Lesson(number), played));
        }
        self.choose_place(game, Place::Lesson(number));
    }

    /// Goes on to the next level of a campaign.
    pub(super) fn next_of_campaign(&mut self, game: &'static str, place: Place) {
        let id = self.session.current_mut().map(|o| o.id);
        let Some(any) = games::by_id(game) else { return };
        let campaign = self.services.keeper.records().campaign(game);
        let passed = campaign.is_some_and(|c| c.completed(place) || c.skipped.contains(&place));
        match chapters(any).after(place) {
            None => self.say("that was the last level of this campaign"),
            Some(_) if !passed => self.say("complete this level first, or skip it"),
            Some(next) => self.make_campaign(game, next, id),
        }
    }

    /// Whether the level in front is one of a campaign that can be skipped.
    pub fn can_skip(&self, open: &OpenLevel) -> bool {
        let Some((game, place, _)) = open.campaign else { return false };
        let last = games::by_id(game).is_none_or(|any| chapters(any).after(place).is_none());
        let campaign = self.services.keeper.records().campaign(game);
        !last && !campaign.is_some_and(|c| c.completed(place))
    }

    /// Leaves the level in front unsolved and goes on to the next one of its campaign.
    pub fn skip(&mut self) {
        let Some((game, place, _)) = self.session.current().and_then(|o| o.campaign) else { return };
        let Some(any) = games::by_id(game) else { return };
        let more = self.services.keeper.records().skipping(game, place, chapters(any));
        self.services.keeper.add(&more);
        self.next_of_campaign(game, place);
    }

    /// Starts a campaign over; the records as they were are kept beside the file.
    pub fn new_game(&mut self, game: &'static str) {
        let kept = match self.services.keeper.back_up() {
            Ok(kept) => kept,
            Err(trouble) => {
                // What cannot be kept is not given up.
                self.complain(format!("no new game: the old records could not be backed up: {trouble}"));
                return;
            }
        };
        let more = self.services.keeper.records().beginning(game);
        self.services.keeper.add(&more);
        // What is still open of the old game is no longer part of the campaign.
        for open in &mut self.session.open {
            open.campaign.take_if(|(g, ..)| *g == game);
            if matches!(open.level, LevelId::Campaign(g, _) if g == game) {
                open.level = LevelId::New;
            }
        }
        if let Some(any) = games::by_id(game) {
            self.open_campaign(game, self.campaign_place(any));
        }
        if let Some(path) = kept {
            self.say(format!("new game started; the old records are in {}", path.display()));
        }
    }
}

/// The chapters of a game's campaign.
pub fn chapters(game: &'static dyn AnyGame) -> Chapters {
    Chapters { lessons: game.lessons(), levels: game.campaign_len() }
}

/// The place of a shipped level in its game's campaign: a lesson, where the levels of the campaign are made by number.
fn place_of_shipped(game: &'static dyn AnyGame, index: usize) -> Place {
    let number = index as u32 + 1;
    if game.lessons() > 0 { Place::Lesson(number) } else { Place::Level(number) }
}

/// Which shipped level a place of a campaign is, if it is one.
pub(super) fn shipped_at(game: &'static dyn AnyGame, place: Place) -> Option<usize> {
    match place {
        Place::Lesson(n) => Some(n as usize - 1),
        Place::Level(n) => (game.lessons() == 0).then(|| n as usize - 1),
    }
}

/// Whether a level of a campaign may be played.
fn is_open(records: &Records, game: &'static dyn AnyGame, place: Place) -> bool {
    records.campaign(game.info().id).unwrap_or(&Campaign::default()).is_open(chapters(game), place)
}

fn note_win(open: &mut OpenLevel, keeper: &mut Keeper) {
    let Some(level) = open.doc.played_level() else { return };
    let game = open.doc.game().info().id;
    let counts = open.doc.counts();
    let now = Best::won(&counts, open.doc.play_time(), open.doc.points());
    let before = keeper.records().level(game, level).filter(|b| b.solved).cloned();
    write_down(open, level, now.clone(), keeper);
    let names: Vec<_> = counts.into_iter().map(|c| c.0).collect();
    let games = keeper.records().level(game, level).map_or_else(Vec::new, |b| b.ranked(names.first().unwrap_or(&"")));
    let ranked = now.place_in(&games).map(|place| (place, games.len()));
    open.won = Some(Won { level, now, before, names, ranked });
}

/// Stars come when par is known, which may be later than the win.
fn note_stars(open: &mut OpenLevel, keeper: &mut Keeper) {
    if open.won.as_ref().is_none_or(|w| w.now.stars > 0) {
        return;
    }
    let Some(stars) = open.doc.stars() else { return };
    let Some(won) = &mut open.won else { return };
    won.now.stars = stars;
    let (level, now) = (won.level, won.now.clone());
    write_down(open, level, now, keeper);
}

fn write_down(open: &OpenLevel, level: Digest, best: Best, keeper: &mut Keeper) {
    let game = open.doc.game().info().id;
    let mut more = Records::of_level(game, level, best.clone());
    if let Some((game, place)) = place_of(open, level, keeper.records()) {
        more.merge(&keeper.records().completing(game, place, chapters(open.doc.game()), best));
    }
    keeper.add(&more);
}

/// Where a level that was won stands in a campaign: it was opened there, or it is a shipped level as it is shipped, wherever it was opened, and not locked.
fn place_of(open: &OpenLevel, level: Digest, records: &Records) -> Option<(&'static str, Place)> {
    if let Some((game, place, opened)) = open.campaign {
        return (opened == level).then_some((game, place));
    }
    let LevelId::Shipped(game, index) = open.level else { return None };
    let any = open.doc.game();
    let place = place_of_shipped(any, index);
    if !is_open(records, any, place) {
        return None;
    }
    let mut shipped = any.read_native(any.info().levels.get(index)?).ok()?;
    shipped.play_from_start();
    (shipped.played_level() == Some(level)).then_some((game, place))
}
