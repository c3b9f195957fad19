//! What was won and how well: of every level, of every campaign, of endless runs.
//!
//! [`Records`] is plain data with one operation, [`Records::merge`]: the best of both. It is commutative, associative and idempotent, so records may be
//! merged in any order and as often as one likes, and several running copies of the program (or a file copied from another machine) never take
//! anything away from each other. Two things are not a "best of both" by themselves and are made one: the level that a campaign goes on
//! with is the one set last, and a new game counts [`Campaign::run`] up, so that it wins over the old one instead of being filled by it.
//!
//! A level is known by its game and its [`crate::document::Identity::exact`] digest, whatever it is called and wherever it came from; a campaign's level by its
//! [`Place`].
//!
//! Version 2 added lessons, skipped levels and ranked games. Version 1 is read as it is: [`Campaign::reached`] still opens what it opened.

use crate::document::Digest;
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// The version written, and the newest one read. Counted up with every change of what follows.
pub const VERSION: u32 = 2;
/// How many games of a level are ranked.
const RANKED: usize = 10;
/// How many levels of a campaign are open after the last one that was solved or skipped.
const AHEAD: u32 = 3;

/// A game won with points.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ranked {
    /// Its points.
    pub points: u32,
    /// Its moves: the first of the game's counts.
    pub moves: u32,
    /// Its time, in milliseconds; not known of games from before version 2.
    pub millis: Option<u64>,
    /// When it was won, in seconds since 1970.
    pub at: Option<u64>,
}

impl Ranked {
    /// More points first; ties by fewer moves, then by less time, then the earlier game.
    fn rank(&self) -> impl Ord + use<> {
        let last = |n: Option<u64>| n.unwrap_or(u64::MAX);
        (Reverse(self.points), self.moves, last(self.millis), last(self.at), self.millis.is_none(), self.at.is_none())
    }

    /// Its time.
    pub fn time(&self) -> Option<Duration> {
        self.millis.map(Duration::from_millis)
    }
}

/// The best that was done on a level.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Best {
    /// Whether it was won.
    pub solved: bool,
    /// The least of each of the game's counts, each in its own best game.
    pub counts: BTreeMap<String, u32>,
    /// The least time, in milliseconds.
    pub millis: Option<u64>,
    /// The most stars; 0 while par is not known.
    pub stars: u8,
    /// The most points, in games that have them.
    pub points: Option<u32>,
    /// The best games, in games that have points: see [`Best::ranked`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<Ranked>,
    /// When it was first won, in seconds since 1970.
    pub first: Option<u64>,
    /// When it was last won.
    pub last: Option<u64>,
}

fn least<T: Ord + Copy>(a: Option<T>, b: Option<T>) -> Option<T> {
    [a, b].into_iter().flatten().min()
}

impl Best {
    /// A game won now, in this time.
    pub fn won(counts: &[(&'static str, u32)], time: Duration, points: Option<u32>) -> Best {
        let (millis, at) = (Some(time.as_millis().try_into().unwrap_or(u64::MAX)), Some(now()));
        let moves = counts.first().map_or(0, |c| c.1);
        Best {
            solved: true,
            counts: counts.iter().map(|(n, c)| ((*n).to_string(), *c)).collect(),
            millis,
            stars: 0,
            points,
            games: points.map(|points| Ranked { points, moves, millis, at }).into_iter().collect(),
            first: at,
            last: at,
        }
    }

    /// The best games, best first. One from before they were ranked is known by its points, and its moves if it had the fewest.
    pub fn ranked(&self, moves: &str) -> Vec<Ranked> {
        let mut games = self.games.clone();
        if let Some(points) = self.points.filter(|p| games.first().is_none_or(|g| g.points < *p)) {
            let moves = self.counts.get(moves).copied().unwrap_or(0);
            games.insert(0, Ranked { points, moves, ..Ranked::default() });
        }
        games
    }

    /// Where the game of this win stands in a list of ranked games, from 1.
    pub fn place_in(&self, ranked: &[Ranked]) -> Option<usize> {
        let game = self.games.first()?;
        ranked.iter().position(|g| g == game).map(|i| i + 1)
    }

    /// The best of both.
    pub fn merge(&mut self, other: &Best) {
        self.solved |= other.solved;
        for (name, count) in &other.counts {
            self.counts.entry(name.clone()).and_modify(|c| *c = (*c).min(*count)).or_insert(*count);
        }
        self.millis = least(self.millis, other.millis);
        self.stars = self.stars.max(other.stars);
        self.points = self.points.max(other.points);
        if !other.games.is_empty() {
            self.games.extend_from_slice(&other.games);
            self.games.sort_by_key(Ranked::rank);
            self.games.dedup();
            self.games.truncate(RANKED);
        }
        self.first = least(self.first, other.first);
        self.last = self.last.max(other.last);
    }

    /// The least time.
    pub fn time(&self) -> Option<Duration> {
        self.millis.map(Duration::from_millis)
    }
}

/// A level of a campaign, counted from 1 in its chapter. Lessons come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Place {
    /// A hand-made level that teaches the game.
    Lesson(u32),
    /// A level of the campaign proper.
    Level(u32),
}

/// How many levels the chapters of a campaign have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chapters {
    /// Lessons, if they are a chapter apart.
    pub lessons: u32,
    /// Levels of the campaign proper.
    pub levels: u32,
}

impl Chapters {
    /// All levels.
    pub fn len(self) -> u32 {
        self.lessons + self.levels
    }

    /// Whether there is no campaign.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// All places in order.
    pub fn places(self) -> impl Iterator<Item = Place> {
        (1..=self.lessons).map(Place::Lesson).chain((1..=self.levels).map(Place::Level))
    }

    /// How many levels there are up to this one.
    fn index(self, place: Place) -> u32 {
        match place {
            Place::Lesson(n) => n.min(self.lessons),
            Place::Level(n) => self.lessons.saturating_add(n).min(self.len()),
        }
    }

    fn place(self, index: u32) -> Place {
        let index = index.clamp(1, self.len().max(1));
        if index <= self.lessons { Place::Lesson(index) } else { Place::Level(index - self.lessons) }
    }

    /// The level after this one, if there is one.
    pub fn after(self, place: Place) -> Option<Place> {
        let index = self.index(place);
        (index < self.len()).then(|| self.place(index + 1))
    }
}

/// How far a campaign has come.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Campaign {
    /// Which game of it this is: counted up by "new game". A later one replaces an earlier one.
    pub run: u64,
    /// When the current level was chosen (milliseconds since 1970), and which it is. The later choice wins, a lesson's too.
    pub current: (u64, u32),
    /// The same of the current lesson.
    #[serde(skip_serializing_if = "is_zero")]
    pub current_lesson: (u64, u32),
    /// The highest level that version 1 had open; 0 if none.
    pub reached: u32,
    /// The best of each level.
    pub levels: BTreeMap<u32, Best>,
    /// The best of each lesson.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub lessons: BTreeMap<u32, Best>,
    /// What was skipped.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub skipped: BTreeSet<Place>,
}

fn is_zero(chosen: &(u64, u32)) -> bool {
    *chosen == (0, 0)
}

impl Campaign {
    /// The later run; of the same run, the best of both.
    pub fn merge(&mut self, other: &Campaign) {
        match self.run.cmp(&other.run) {
            std::cmp::Ordering::Greater => {}
            std::cmp::Ordering::Less => *self = other.clone(),
            std::cmp::Ordering::Equal => {
                self.current = self.current.max(other.current);
                self.current_lesson = self.current_lesson.max(other.current_lesson);
                self.reached = self.reached.max(other.reached);
                for (n, best) in &other.levels {
                    self.levels.entry(*n).or_default().merge(best);
                }
                for (n, best) in &other.lessons {
                    self.lessons.entry(*n).or_default().merge(best);
                }
                self.skipped.extend(&other.skipped);
            }
        }
    }

    /// What is known of a level.
    pub fn best(&self, place: Place) -> Option<&Best> {
        match place {
            Place::Lesson(n) => self.lessons.get(&n),
            Place::Level(n) => self.levels.get(&n),
        }
    }

    /// How many levels there are up to the last one that was solved, skipped or reached in version 1.
    fn behind(&self, of: Chapters) -> u32 {
        let solved = |(n, best): (&u32, &Best)| best.solved.then_some(*n);
        let lesson = self.lessons.iter().filter_map(solved).max().map(Place::Lesson);
        let level = self.levels.iter().filter_map(solved).max().map(Place::Level);
        let reached = (self.reached > 0).then_some(Place::Level(self.reached));
        let skipped = self.skipped.last().copied();
        [lesson, level, reached, skipped].into_iter().flatten().map(|p| of.index(p)).max().unwrap_or(0)
    }

    /// Whether a level may be played: all up to the last one that was solved, skipped or reached, and the next three.
    pub fn is_open(&self, of: Chapters, place: Place) -> bool {
        of.index(place) <= self.behind(of).saturating_add(AHEAD)
    }

    /// Whether a level was won.
    pub fn completed(&self, place: Place) -> bool {
        self.best(place).is_some_and(|b| b.solved)
    }

    /// The best of every level that was won.
    pub fn won(&self) -> impl Iterator<Item = &Best> {
        self.lessons.values().chain(self.levels.values()).filter(|b| b.solved)
    }

    /// Whether anything of it was played.
    pub fn begun(&self) -> bool {
        self.reached > 0 || !self.skipped.is_empty() || self.won().next().is_some()
    }

    /// The level to go on with.
    pub fn place(&self, of: Chapters) -> Place {
        let place = if self.current_lesson.0 > self.current.0 || self.current.1 == 0 {
            Place::Lesson(self.current_lesson.1.max(1))
        } else {
            Place::Level(self.current.1)
        };
        of.place(of.index(place))
    }

    fn choose(mut self, place: Place) -> Campaign {
        match place {
            Place::Lesson(n) => self.current_lesson = (now_millis(), n),
            Place::Level(n) => self.current = (now_millis(), n),
        }
        self
    }
}

/// All records.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Records {
    version: u32,
    /// By game and level.
    #[serde(default)]
    levels: BTreeMap<String, BTreeMap<Digest, Best>>,
    /// By game.
    #[serde(default)]
    campaigns: BTreeMap<String, Campaign>,
    /// The best score of an endless run, by game.
    #[serde(default)]
    scores: BTreeMap<String, u32>,
}

impl Default for Records {
    fn default() -> Records {
        Records { version: VERSION, levels: BTreeMap::new(), campaigns: BTreeMap::new(), scores: BTreeMap::new() }
    }
}

impl Records {
    /// The best of both.
    pub fn merge(&mut self, other: &Records) {
        self.version = self.version.max(other.version);
        for (game, levels) in &other.levels {
            let mine = self.levels.entry(game.clone()).or_default();
            for (level, best) in levels {
                mine.entry(*level).or_default().merge(best);
            }
        }
        for (game, campaign) in &other.campaigns {
            self.campaigns.entry(game.clone()).or_default().merge(campaign);
        }
        for (game, score) in &other.scores {
            let mine = self.scores.entry(game.clone()).or_default();
            *mine = (*mine).max(*score);
        }
    }

    /// What is known of a level.
    pub fn level(&self, game: &str, exact: Digest) -> Option<&Best> {
        self.levels.get(game)?.get(&exact)
    }

    /// Every level that was won.
    pub fn solved(&self) -> impl Iterator<Item = Digest> {
        self.levels.values().flatten().filter(|(_, best)| best.solved).map(|(level, _)| *level)
    }

    /// How far a game's campaign has come.
    pub fn campaign(&self, game: &str) -> Option<&Campaign> {
        self.campaigns.get(game)
    }

    /// The best score of an endless run.
    pub fn score(&self, game: &str) -> u32 {
        self.scores.get(game).copied().unwrap_or(0)
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty() && self.campaigns.is_empty() && self.scores.is_empty()
    }

    /// Records of one level.
    pub fn of_level(game: &str, exact: Digest, best: Best) -> Records {
        let levels = BTreeMap::from([(game.to_string(), BTreeMap::from([(exact, best)]))]);
        Records { levels, ..Records::default() }
    }

    /// Records of one campaign.
    pub fn of_campaign(game: &str, campaign: Campaign) -> Records {
        Records { campaigns: BTreeMap::from([(game.to_string(), campaign)]), ..Records::default() }
    }

    /// The score of one endless run.
    pub fn of_score(game: &str, score: u32) -> Records {
        Records { scores: BTreeMap::from([(game.to_string(), score)]), ..Records::default() }
    }

    /// A campaign to be merged into the one that is known.
    fn more_of(&self, game: &str) -> Campaign {
        Campaign { run: self.campaign(game).map_or(0, |c| c.run), ..Campaign::default() }
    }

    /// To be merged in when a campaign's level is chosen: it is the current one from now on.
    pub fn choosing(&self, game: &str, place: Place) -> Records {
        Records::of_campaign(game, self.more_of(game).choose(place))
    }

    /// To be merged in when a campaign's level is won.
    pub fn completing(&self, game: &str, place: Place, of: Chapters, best: Best) -> Records {
        let mut more = self.more_of(game);
        match place {
            Place::Lesson(n) => more.lessons.insert(n, best),
            Place::Level(n) => more.levels.insert(n, best),
        };
        Records::of_campaign(game, self.going_on(game, place, of, more))
    }

    /// To be merged in when a campaign's level is skipped.
    pub fn skipping(&self, game: &str, place: Place, of: Chapters) -> Records {
        let more = Campaign { skipped: BTreeSet::from([place]), ..self.more_of(game) };
        Records::of_campaign(game, self.going_on(game, place, of, more))
    }

    /// One goes on after the furthest level: an old one that was played again does not lead back.
    fn going_on(&self, game: &str, place: Place, of: Chapters, more: Campaign) -> Campaign {
        let behind = self.campaign(game).map_or(0, |c| c.behind(of).max(of.index(c.place(of)) - 1));
        more.choose(of.place(behind.max(of.index(place)).saturating_add(1)))
    }

    /// To be merged in for a new game of a campaign.
    pub fn beginning(&self, game: &str) -> Records {
        let run = self.campaign(game).map_or(0, |c| c.run) + 1;
        Records::of_campaign(game, Campaign { run, ..Campaign::default() })
    }

    /// The text of the file.
    pub fn to_text(&self) -> String {
        let pretty = ron::ser::PrettyConfig::new().new_line("\n").indentor(" ").depth_limit(4);
        // Plain data always serialises.
        ron::ser::to_string_pretty(self, pretty).unwrap_or_default() + "\n"
    }
}

/// Seconds since 1970.
pub fn now() -> u64 {
    now_millis() / 1000
}

fn now_millis() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis().try_into().unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn best() -> impl Strategy<Value = Best> {
        let counts = prop::collection::btree_map("[ab]", 0..5u32, 0..3);
        (any::<bool>(), counts, prop::option::of(0..5u64), 0..4u8, prop::option::of(0..5u32), prop::option::of(0..9u64))
            .prop_map(|(solved, counts, millis, stars, points, first)| Best {
                solved,
                counts,
                millis,
                stars,
                points,
                games: points.map(|points| Ranked { points, moves: 3, millis, at: first }).into_iter().collect(),
                first,
                last: first.map(|f| f + 1),
            })
    }

    fn campaign() -> impl Strategy<Value = Campaign> {
        let levels = prop::collection::btree_map(1..4u32, best(), 0..3);
        let lessons = prop::collection::btree_map(1..4u32, best(), 0..3);
        let place = prop_oneof![(1..4u32).prop_map(Place::Lesson), (1..4u32).prop_map(Place::Level)];
        let chosen = || (0..3u64, 0..4u32);
        (0..3u64, chosen(), chosen(), 0..5u32, levels, lessons, prop::collection::btree_set(place, 0..3)).prop_map(
            |(run, current, current_lesson, reached, levels, lessons, skipped)| Campaign {
                run,
                current,
                current_lesson,
                reached,
                levels,
                lessons,
                skipped,
            },
        )
    }

    fn records() -> impl Strategy<Value = Records> {
        let digest = (0..3u128).prop_map(Digest);
        let levels = prop::collection::btree_map("[xy]", prop::collection::btree_map(digest, best(), 0..3), 0..3);
        let campaigns = prop::collection::btree_map("[xy]", campaign(), 0..3);
        let scores = prop::collection::btree_map("[xy]", 0..5u32, 0..3);
        (levels, campaigns, scores).prop_map(|(levels, campaigns, scores)| Records {
            levels,
            campaigns,
            scores,
            ..Records::default()
        })
    }

    fn merged(a: &Records, b: &Records) -> Records {
        let mut a = a.clone();
        a.merge(b);
        a
    }

    proptest! {
        #[test]
        fn merging_takes_the_best_in_any_order_and_any_number_of_times(a in records(), b in records(), c in records()) {
            prop_assert_eq!(merged(&a, &a), a.clone());
            prop_assert_eq!(merged(&a, &b), merged(&b, &a));
            prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
            prop_assert_eq!(merged(&a, &merged(&a, &b)), merged(&a, &b));
            prop_assert_eq!(merged(&a, &Records::default()), a);
        }

        #[test]
        fn records_read_back_as_they_were_written(a in records()) {
            prop_assert_eq!(ron::from_str::<Records>(&a.to_text()).unwrap(), a);
        }
    }

    const OF: Chapters = Chapters { lessons: 2, levels: 9 };

    fn open(r: &Records) -> usize {
        r.campaign("x").map_or(0, |c| OF.places().filter(|p| c.is_open(OF, *p)).count())
    }

    #[test]
    fn three_levels_are_open_after_what_was_solved_or_skipped_and_a_new_game_closes_them() {
        let (mut r, won) = (Records::default(), Best::won(&[("steps", 9)], Duration::from_secs(1), None));
        r.merge(&r.choosing("x", Place::Lesson(1)));
        assert_eq!(open(&r), 3);
        r.merge(&r.completing("x", Place::Lesson(1), OF, won.clone()));
        let c = r.campaign("x").unwrap();
        assert_eq!((c.place(OF), c.won().count(), open(&r)), (Place::Lesson(2), 1, 4));
        r.merge(&r.skipping("x", Place::Lesson(2), OF));
        assert_eq!((r.campaign("x").unwrap().place(OF), open(&r)), (Place::Level(1), 5));
        // Choosing opens nothing.
        r.merge(&r.choosing("x", Place::Level(3)));
        assert_eq!((r.campaign("x").unwrap().place(OF), open(&r)), (Place::Level(3), 5));
        let old = r.clone();
        r.merge(&r.beginning("x"));
        r.merge(&old);
        let c = r.campaign("x").unwrap();
        assert_eq!(
            (open(&r), c.place(OF), c.won().count()),
            (3, Place::Lesson(1), 0),
            "the old game does not come back"
        );
        r.merge(&r.completing("x", Place::Level(9), OF, won));
        assert_eq!(r.campaign("x").unwrap().place(OF), Place::Level(9), "there is none after the last");
    }

    #[test]
    fn games_with_points_are_ranked_by_points_then_moves_then_time() {
        let game = |points, moves, seconds| Best::won(&[("moves", moves)], Duration::from_secs(seconds), Some(points));
        // From before games were ranked.
        let mut best = Best { points: Some(50), counts: BTreeMap::from([("moves".into(), 10)]), ..Best::default() };
        for (points, moves, seconds) in [(40, 20, 9), (48, 12, 30), (48, 12, 20), (48, 11, 90)] {
            best.merge(&game(points, moves, seconds));
        }
        let rows = best.ranked("moves");
        let rows: Vec<_> = rows.iter().map(|g| (g.points, g.moves, g.time().map(|t| t.as_secs()))).collect();
        let ranked = [(48, 11, Some(90)), (48, 12, Some(20)), (48, 12, Some(30)), (40, 20, Some(9))];
        assert_eq!(rows[0], (50, 10, None), "its time is not known");
        assert_eq!(rows[1..], ranked);
        for n in 0..20 {
            best.merge(&game(60 + n, 5, 1));
        }
        assert_eq!((best.ranked("moves").len(), best.ranked("moves")[0].points), (RANKED, 79));
    }
}
