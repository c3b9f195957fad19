//! What was won and how well: of every level, of every campaign, of endless runs.
//!
//! [`Records`] is plain data with one operation, [`Records::merge`]: the best of both. It is commutative, associative and idempotent, so records may be
//! merged in any order and as often as one likes, and several running copies of the program (or a file copied from another machine) never take
//! anything away from each other. Two things are not a "best of both" by themselves and are made one: the level that a campaign goes on
//! with is the one set last, and a new game counts [`Campaign::run`] up, so that it wins over the old one instead of being filled by it.
//!
//! A level is known by its game and its [`crate::document::Identity::exact`] digest, whatever it is called and wherever it came from; a campaign's level by its number.

use crate::document::Digest;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// The version written, and the newest one read. Counted up with every change of what follows.
pub const VERSION: u32 = 1;

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
        Best {
            solved: true,
            counts: counts.iter().map(|(n, c)| ((*n).to_string(), *c)).collect(),
            millis: Some(time.as_millis().try_into().unwrap_or(u64::MAX)),
            stars: 0,
            points,
            first: Some(now()),
            last: Some(now()),
        }
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
        self.first = least(self.first, other.first);
        self.last = self.last.max(other.last);
    }

    /// The least time.
    pub fn time(&self) -> Option<Duration> {
        self.millis.map(Duration::from_millis)
    }
}

/// How far a campaign has come. Levels count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Campaign {
    /// Which game of it this is: counted up by "new game". A later one replaces an earlier one.
    pub run: u64,
    /// When the current level was chosen (milliseconds since 1970), and which it is. The later choice wins.
    pub current: (u64, u32),
    /// The highest level that was open to play; 0 if none was yet.
    pub reached: u32,
    /// The best of each level.
    pub levels: BTreeMap<u32, Best>,
}

impl Campaign {
    /// The later run; of the same run, the best of both.
    pub fn merge(&mut self, other: &Campaign) {
        match self.run.cmp(&other.run) {
            std::cmp::Ordering::Greater => {}
            std::cmp::Ordering::Less => *self = other.clone(),
            std::cmp::Ordering::Equal => {
                self.current = self.current.max(other.current);
                self.reached = self.reached.max(other.reached);
                for (n, best) in &other.levels {
                    self.levels.entry(*n).or_default().merge(best);
                }
            }
        }
    }

    /// Whether a level may be played: the first one, one that was reached, and the one after a level that was won.
    pub fn unlocked(&self, level: u32) -> bool {
        level == 1 || level <= self.reached || self.completed(level.saturating_sub(1))
    }

    /// Whether a level was won.
    pub fn completed(&self, level: u32) -> bool {
        self.levels.get(&level).is_some_and(|b| b.solved)
    }

    /// How many levels were won.
    pub fn done(&self) -> usize {
        self.levels.values().filter(|b| b.solved).count()
    }

    /// The level to go on with, of so many.
    pub fn level(&self, of: u32) -> u32 {
        self.current.1.clamp(1, of.max(1))
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

    /// To be merged in when a campaign's level is chosen: it is the current one from now on.
    pub fn choosing(&self, game: &str, level: u32) -> Records {
        let run = self.campaign(game).map_or(0, |c| c.run);
        let campaign = Campaign { run, current: (now_millis(), level), reached: level, ..Campaign::default() };
        Records::of_campaign(game, campaign)
    }

    /// To be merged in when a campaign's level is won; the next one, if there is one, is open from now on.
    pub fn completing(&self, game: &str, level: u32, of: u32, best: Best) -> Records {
        let run = self.campaign(game).map_or(0, |c| c.run);
        let levels = BTreeMap::from([(level, best)]);
        let reached = level.saturating_add(1).min(of);
        // One goes on with the highest level that is open: an old one that was played again does not lead back.
        let furthest = self.campaign(game).map_or(0, |c| c.reached).max(reached);
        Records::of_campaign(game, Campaign { run, reached, levels, current: (now_millis(), furthest) })
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
                first,
                last: first.map(|f| f + 1),
            })
    }

    fn campaign() -> impl Strategy<Value = Campaign> {
        let levels = prop::collection::btree_map(1..4u32, best(), 0..3);
        (0..3u64, (0..3u64, 0..4u32), 0..5u32, levels).prop_map(|(run, current, reached, levels)| Campaign {
            run,
            current,
            reached,
            levels,
        })
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

    #[test]
    fn levels_open_one_after_another_and_a_new_game_closes_them() {
        let mut r = Records::default();
        assert!(r.campaign("x").is_none());
        r.merge(&r.completing("x", 1, 3, Best::won(&[("steps", 9)], Duration::from_secs(1), None)));
        r.merge(&r.choosing("x", 2));
        let c = r.campaign("x").unwrap();
        assert!(c.unlocked(1) && c.unlocked(2) && !c.unlocked(3));
        assert_eq!((c.level(3), c.done()), (2, 1));
        let old = r.clone();
        r.merge(&r.beginning("x"));
        r.merge(&old);
        let c = r.campaign("x").unwrap();
        assert!(c.unlocked(1) && !c.unlocked(2), "the old game does not come back");
        assert_eq!((c.level(3), c.done()), (1, 0));
        r.merge(&r.completing("x", 3, 3, Best::default()));
        assert_eq!(r.campaign("x").unwrap().reached, 3, "there is none after the last");
    }
}
