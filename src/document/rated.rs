//! How hard the draft is: rated in the background, with the limits that `rate` has, so that the number is the same everywhere.

use super::Document;
use crate::{
    analysis::rate::{self, Rating},
    game::Puzzle,
    job::{Job, Limits},
};

/// What there is to know about how hard a level is.
pub trait Rated {
    /// Rates the draft as it is, in the background, unless that is done or under way.
    fn rate(&mut self);
    /// The rating of the draft as it is, once it is there.
    fn rating(&self) -> Option<&Rating>;
    /// How much harder the draft has become by the last change, where both were rated.
    fn harder_by(&self) -> Option<f64>;
}

pub(super) struct Rate<G: Puzzle> {
    of: Option<G::Level>,
    job: Option<Job<Rating>>,
    rating: Option<Rating>,
    before: Option<f64>,
}

impl<G: Puzzle> Default for Rate<G> {
    fn default() -> Rate<G> {
        Rate { of: None, job: None, rating: None, before: None }
    }
}

impl<G: Puzzle> Rate<G> {
    pub(super) fn busy(&self) -> bool {
        self.job.is_some()
    }

    pub(super) fn tick(&mut self) -> bool {
        let Some(answer) = self.job.as_ref().and_then(Job::poll) else { return false };
        self.job = None;
        // A rating that failed is an error of ours; the level simply has no number then.
        self.rating = Some(answer.unwrap_or_default());
        true
    }
}

impl<G: Puzzle> Rated for Document<G> {
    fn rate(&mut self) {
        if self.rate.of.as_ref() == Some(self.level()) {
            return;
        }
        let level = self.level().clone();
        let wake = self.wake.clone();
        let before = self.rate.rating.as_ref().map_or(self.rate.before, |r| r.difficulty);
        let asked = level.clone();
        let job =
            Job::spawn(Limits::default(), move || wake(), move |probe| rate::rate::<G>(&asked, rate::NODES, probe));
        self.rate = Rate { of: Some(level), job: Some(job), rating: None, before };
    }
    fn rating(&self) -> Option<&Rating> {
        self.rate.rating.as_ref().filter(|_| self.rate.of.as_ref() == Some(self.level()))
    }
    fn harder_by(&self) -> Option<f64> {
        Some(self.rating()?.difficulty? - self.rate.before?)
    }
}
