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
    memory::{Best, Keeper, Records},
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
}

impl Won {
    /// "best 12 steps, yours 14", a line for each count.
    pub fn compared(&self) -> Vec<String> {
        let Some(before) = &self.before else { return Vec::new() };
        let line = |name: &&'static str| {
            let (old, new) = (*before.counts.get(*name)?, *self.now.counts.get(*name)?);
            Some(match new.cmp(&old) {
                std::cmp::Ordering::Less => format!("new best: {new} {}, before {old}", singular(name, new)),
                std::cmp::Ordering::Equal => format!("as good as your best: {old} {}", singular(name, old)),
                std::cmp::Ordering::Greater => format!("best {old} {}, yours {new}", singular(name, old)),
            })
        };
        self.names.iter().filter_map(line).collect()
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
            open.campaign = making.campaign.zip(played).map(|((game, n), played)| (game, n, played));
        }
        if let Some(id) = making.instead_of {
            self.make_room(id);
        }
        if let Some((game, level)) = making.campaign {
            let more = self.services.keeper.records().choosing(game, level);
            self.services.keeper.add(&more);
        }
    }

    /// Makes the generator's level after the one with this origin.
    pub(super) fn make_next(&mut self, game: &'static dyn AnyGame, origin: Origin) {
        let (wake, seed) = (self.services.wake.clone(), origin.seed.wrapping_add(1));
        self.say(format!("making the level of seed {seed}"));
        let work = move |probe: &mut crate::job::Probe| {
            game.generate(&origin.preset, &origin.params, seed, probe).map(|made| made.doc)
        };
        let job = Job::spawn(Limits::default(), move || wake(), work);
        self.services.making = Some(Making { campaign: None, instead_of: None, run: None, job });
    }

    /// How many levels a game's campaign has.
    fn campaign_len(game: &str) -> u32 {
        games::by_id(game).map_or(0, |g| g.campaign_len())
    }

    /// Whether a level of a campaign may be played.
    pub fn unlocked(&self, game: &str, level: u32) -> bool {
        level == 1 || self.services.keeper.records().campaign(game).is_some_and(|c| c.unlocked(level))
    }

    /// The level that a campaign goes on with.
    pub fn campaign_level(&self, game: &str) -> u32 {
        self.services.keeper.records().campaign(game).map_or(1, |c| c.level(Workshop::campaign_len(game)))
    }

    /// Opens a level of a campaign, if it is open to play.
    pub fn open_campaign(&mut self, game: &'static str, level: u32) {
        self.make_campaign(game, level, None);
    }

    fn make_campaign(&mut self, game: &'static str, level: u32, instead_of: Option<u64>) {
        let Some(any) = games::by_id(game) else { return };
        if !self.unlocked(game, level) {
            self.say(format!("level {level} is locked: complete level {} first", level.saturating_sub(1)));
            return;
        }
        if self.bring(&LevelId::Campaign(game, level)) {
            self.enter(Mode::Play);
            let more = self.services.keeper.records().choosing(game, level);
            self.services.keeper.add(&more);
            return;
        }
        let wake = self.services.wake.clone();
        let work = move |probe: &mut crate::job::Probe| any.campaign_level(level, probe);
        let job = Job::spawn(Limits::default(), move || wake(), work);
        self.services.making = Some(Making { campaign: Some((game, level)), instead_of, run: None, job });
    }

    /// Goes on to the next level of a campaign.
    pub(super) fn next_of_campaign(&mut self, game: &'static str, level: u32) {
        let id = self.session.current_mut().map(|o| o.id);
        if level >= Workshop::campaign_len(game) {
            self.say("that was the last level of this campaign");
        } else if self.unlocked(game, level + 1) {
            self.make_campaign(game, level + 1, id);
        } else {
            self.say(format!("complete this level first: it opens level {}", level + 1));
        }
    }

    /// Begins a campaign anew; the records as they were are kept beside the file.
    pub fn new_game(&mut self, game: &'static str) {
        let kept = match self.services.keeper.back_up() {
            Ok(kept) => kept,
            Err(trouble) => {
                // What cannot be kept is not given up.
                self.complain(format!("no new game was begun, because the old records could not be kept: {trouble}"));
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
        self.open_campaign(game, 1);
        if let Some(path) = kept {
            self.say(format!("a new game; the old records are kept as {}", path.display()));
        }
    }
}

fn note_win(open: &mut OpenLevel, keeper: &mut Keeper) {
    let Some(level) = open.doc.played_level() else { return };
    let game = open.doc.game().info().id;
    let counts = open.doc.counts();
    let now = Best::won(&counts, open.doc.play_time(), open.doc.points());
    let before = keeper.records().level(game, level).filter(|b| b.solved).cloned();
    open.won = Some(Won { level, now: now.clone(), before, names: counts.into_iter().map(|c| c.0).collect() });
    write_down(open, level, now, keeper);
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
    if let Some((game, number, _)) = open.campaign.filter(|(.., opened)| *opened == level) {
        let of = Workshop::campaign_len(game);
        more.merge(&keeper.records().completing(game, number, of, best));
    }
    keeper.add(&more);
}
