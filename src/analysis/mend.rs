//! The smallest edits that make a level solvable, or, in a game that counts solutions, leave it exactly one.
//!
//! First the commands that the draft's own problems offer. Then the moves of single things ([`Edit::moves`](crate::game::Edit::moves)), and every single use of every ink ([`Brushes::Every`]) at every spot. Only if none of these will do,
//! pairs: for a draft with problems, a first edit that leaves fewer of them and then any second one; for a level that is proven unsolvable,
//! two edits near each other, then two anywhere, drawn with a fixed seed. Each candidate is judged, as the game is played, with a small node limit, so a mend
//! that is listed is solvable by the rules, proven by a replayed line; what is not found within the limits may still exist.

use crate::{
    analysis::{
        Report, Verdict,
        what_if::{Brushes, Change, answer_for, changes_at, errors, goal_of, inks},
    },
    game::{Game, rng},
    grid::Spot,
    job::{Probe, Stop},
};
use rand::{RngExt as _, seq::SliceRandom as _};
use std::sync::Arc;

/// What a mend does, and what comes of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Mend {
    /// The edits, in order.
    pub changes: Vec<Change>,
    /// An editor command instead of them.
    pub command: Option<&'static str>,
    /// What is known about the mended level, as it is played.
    pub answer: Report,
}

/// What is wanted of the mended level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Want {
    /// That it can be solved.
    Solvable,
    /// That it has exactly one solution.
    Unique,
}

/// How much is tried.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effort {
    /// Nodes for a candidate.
    pub nodes: u64,
    /// Candidates judged, singles and pairs each.
    pub candidates: usize,
    /// Mends listed.
    pub mends: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { nodes: 20_000, candidates: 6_000, mends: 12 }
    }
}

/// How the search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The level needs no mending.
    NotNeeded,
    /// It is not known whether the level needs mending: its own solve did not end within the nodes.
    NotKnown,
    /// All there was to try at this size, or enough of it.
    Done,
    /// At the limit of candidates, with nothing found.
    GivenUp,
}

/// Looks for mends; `found` is told of each as it is found. `Err` if nobody wants to know any more.
pub fn mend<G: Game>(
    level: &Arc<G::Level>,
    effort: Effort,
    probe: &mut Probe,
    found: &mut dyn FnMut(Mend),
) -> Result<Ended, Stop> {
    let goal = goal_of::<G>(level);
    let now = answer_for::<G>(level, goal, effort.nodes * 10, probe)?;
    let want = match (&now.verdict, now.measure()) {
        (Verdict::Unplayable(_) | Verdict::Unsolvable, _) => Want::Solvable,
        (_, Some(m)) if m.solutions && m.low > 1 => Want::Unique,
        (_, Some(_)) => return Ok(Ended::NotNeeded),
        (_, None) => return Ok(Ended::NotKnown),
    };
    let mut search = Search::<G> { level, goal, want, effort, judged: 0, listed: Vec::new(), found };
    search.commands(probe)?;
    for (ink, spots) in G::moves(level) {
        // Other edits are offered too.
        if search.listed.len() >= effort.mends / 2 {
            break;
        }
        search.judge(&[Change { ink, spots }], probe)?;
    }
    let singles = search.singles(probe)?;
    for single in &singles {
        if search.enough() {
            break;
        }
        search.judge(std::slice::from_ref(single), probe)?;
    }
    if search.listed.is_empty() {
        search.judged = 0;
        search.pairs(&singles, probe)?;
    }
    let out_of_tries = search.judged >= effort.candidates;
    Ok(if search.listed.is_empty() && out_of_tries { Ended::GivenUp } else { Ended::Done })
}

/// Whether an answer is what is wanted.
pub fn good(answer: &Report, want: Want) -> bool {
    // What is won without a move is no puzzle.
    answer.cost != Some(0) && answer.measure().is_some_and(|m| want == Want::Solvable || (m.solutions && m.high == 1))
}

struct Search<'a, G: Game> {
    level: &'a Arc<G::Level>,
    goal: usize,
    want: Want,
    effort: Effort,
    judged: usize,
    /// The mended levels so far: two ways to the same level are one mend.
    listed: Vec<Arc<G::Level>>,
    found: &'a mut dyn FnMut(Mend),
}

impl<G: Game> Search<'_, G> {
    /// The commands that the draft's problems offer.
    fn commands(&mut self, probe: &mut Probe) -> Result<(), Stop> {
        let before = errors::<G>(self.level);
        let mut tried = Vec::new();
        for id in G::problems(self.level).into_iter().filter_map(|p| p.mend) {
            let mut next = G::Level::clone(self.level);
            if tried.contains(&id) || G::command(&mut next, id, 0).is_err() || next == **self.level {
                continue;
            }
            tried.push(id);
            let next = Arc::new(next);
            let answer = answer_for::<G>(&next, self.goal, self.effort.nodes, probe)?;
            let good = good(&answer, self.want);
            // A command need not mend everything at once to be worth offering.
            if good || errors::<G>(&next) < before {
                (self.found)(Mend { changes: Vec::new(), command: Some(id), answer });
            }
            if good {
                self.listed.push(next);
            }
        }
        Ok(())
    }

    /// All single edits, each result once: those at the places that problems name first, and the first swatches first, since what is emptied is the
    /// plainest mend. On a huge board only as many as will be judged.
    fn singles(&self, probe: &mut Probe) -> Result<Vec<Change>, Stop> {
        let inks = inks::<G>(self.level, Brushes::Every);
        let named: Vec<Spot> = G::problems(self.level).into_iter().flat_map(|p| p.spots).collect();
        let mut spots = G::spots(self.level);
        spots.sort_by_key(|s| !named.contains(s));
        let mut all = Vec::new();
        for spot in spots {
            probe.check()?;
            let mut seen = Vec::new();
            for (order, ink) in inks.iter().enumerate() {
                for (change, next) in changes_at::<G>(self.level, *ink, spot) {
                    if !seen.contains(&next) {
                        seen.push(next);
                        all.push((!named.contains(&spot), order, change));
                    }
                }
            }
            if all.len() >= 8 * self.effort.candidates {
                break;
            }
        }
        all.sort_by_key(|(elsewhere, order, _)| (*elsewhere, *order));
        Ok(all.into_iter().map(|(_, _, change)| change).collect())
    }

    fn enough(&self) -> bool {
        self.listed.len() >= self.effort.mends || self.judged >= self.effort.candidates
    }

    fn painted(&self, changes: &[Change]) -> G::Level {
        let mut next = G::Level::clone(self.level);
        for change in changes {
            G::paint(&mut next, change.ink, &change.spots);
        }
        next
    }

    fn judge(&mut self, changes: &[Change], probe: &mut Probe) -> Result<(), Stop> {
        self.judged += 1;
        let next = Arc::new(self.painted(changes));
        if next == *self.level || self.listed.contains(&next) {
            return Ok(());
        }
        let answer = answer_for::<G>(&next, self.goal, self.effort.nodes, probe)?;
        if good(&answer, self.want) {
            self.listed.push(next);
            (self.found)(Mend { changes: changes.to_vec(), command: None, answer });
        }
        Ok(())
    }

    fn pairs(&mut self, singles: &[Change], probe: &mut Probe) -> Result<(), Stop> {
        let before = errors::<G>(self.level);
        if before > 0 {
            for first in singles {
                probe.check()?;
                if errors::<G>(&self.painted(std::slice::from_ref(first))) >= before {
                    continue;
                }
                for second in singles {
                    if self.enough() {
                        return Ok(());
                    }
                    self.judge(&[first.clone(), second.clone()], probe)?;
                }
            }
            return Ok(());
        }
        // Near each other first, in an order that does not begin with one corner of the board.
        let mut rng = rng(0);
        let mut order: Vec<&Change> = singles.iter().collect();
        order.shuffle(&mut rng);
        let half = self.effort.candidates / 2;
        'near: for (i, first) in order.iter().enumerate() {
            for second in order[i + 1..].iter().filter(|c| near(first.spots[0], c.spots[0])) {
                if self.judged >= half || self.enough() {
                    break 'near;
                }
                self.judge(&[(*first).clone(), (*second).clone()], probe)?;
            }
        }
        while !self.enough() && singles.len() > 1 {
            let [first, second] = [0, 1].map(|_| singles[rng.random_range(0..singles.len())].clone());
            self.judge(&[first, second], probe)?;
        }
        Ok(())
    }
}

fn near(a: Spot, b: Spot) -> bool {
    a.cell.x.abs_diff(b.cell.x) <= 1 && a.cell.y.abs_diff(b.cell.y) <= 1
}
