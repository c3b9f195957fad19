//! Search, filter, sort: from everything there is to what is to be seen.

use super::{Entry, Kind, Rated, scan::Shelf};
use crate::{disk::natural, document::Digest};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::{
    cmp::Ordering,
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The order within a section.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Sort {
    /// The pack's own.
    #[default]
    Own,
    /// By title.
    Name,
    /// The last changed first.
    Newest,
    /// The easiest first; what is not rated comes last.
    Easiest,
    /// The hardest first.
    Hardest,
}

impl Sort {
    /// All of them.
    pub const ALL: [Sort; 5] = [Sort::Own, Sort::Name, Sort::Newest, Sort::Easiest, Sort::Hardest];

    /// Its words.
    pub const fn name(self) -> &'static str {
        match self {
            Sort::Own => "own order",
            Sort::Name => "by name",
            Sort::Newest => "newest first",
            Sort::Easiest => "easiest first",
            Sort::Hardest => "hardest first",
        }
    }

    /// Whether it goes by difficulty.
    pub const fn by_difficulty(self) -> bool {
        matches!(self, Sort::Easiest | Sort::Hardest)
    }
}

/// A filter by what was won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Solved {
    /// All levels.
    #[default]
    Any,
    /// Only those won at least once.
    Yes,
    /// Only those never won.
    No,
}

/// What is to be seen.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Query {
    /// Words, all of which must occur in title, author, tags, notes or file name.
    pub text: String,
    /// Only this game.
    pub game: Option<&'static str>,
    /// Only with this tag.
    pub tag: Option<String>,
    /// Only won ones, or others.
    pub solved: Solved,
    /// Only levels of which there is another one, up to symmetry.
    pub duplicates: bool,
    /// The order.
    pub sort: Sort,
    /// The bin instead of everything else.
    pub bin: bool,
    /// What was won, by [`crate::document::Identity::exact`].
    pub won: Arc<FxHashSet<Digest>>,
}

impl Query {
    /// Whether it leaves anything out.
    pub fn filters(&self) -> bool {
        !self.text.trim().is_empty() || self.game.is_some() || self.filters_more()
    }

    /// Whether it leaves anything out beside words and game.
    pub fn filters_more(&self) -> bool {
        self.tag.is_some() || self.solved != Solved::Any || self.duplicates
    }
}

/// A shelf as it is to be seen.
#[derive(Clone, Debug)]
pub struct Section {
    /// What it is.
    pub kind: Kind,
    /// Its title.
    pub title: String,
    /// Something to say about it: gone, damaged.
    pub note: Option<String>,
    /// How many levels it has, shown or not.
    pub all: usize,
    /// Those that are shown, in order.
    pub entries: Vec<Arc<Entry>>,
}

impl Section {
    /// The folder, if it is the user's.
    pub fn own(&self) -> Option<&Path> {
        match &self.kind {
            Kind::Own(folder) => Some(folder),
            _ => None,
        }
    }
}

/// What there is to be seen.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Counts up with every listing.
    pub version: u64,
    /// The sections in order.
    pub sections: Vec<Section>,
    /// How many levels there are in all, the bin aside.
    pub all: usize,
    /// Files in the bin.
    pub binned: usize,
    /// All tags and how often each occurs.
    pub tags: Arc<Vec<(String, usize)>>,
    /// All of the user's folders with their titles.
    pub folders: Arc<Vec<(PathBuf, String)>>,
    /// Files read so far and files there are, while they are being read.
    pub reading: Option<(usize, usize)>,
    /// Levels waiting to be rated.
    pub rating: usize,
    /// How hard levels are, by what they are.
    pub ratings: Arc<FxHashMap<Digest, Rated>>,
    /// Levels that are the same up to symmetry, by shape.
    pub twins: Arc<FxHashMap<Digest, Vec<Arc<Entry>>>>,
    /// All levels, shown or not, the bin aside: each with the title of its section.
    pub known: Arc<Vec<(Arc<str>, Arc<Entry>)>>,
}

impl Listing {
    /// How hard a level is, if that is known.
    pub fn rated(&self, entry: &Entry) -> Option<&Rated> {
        self.ratings.get(&entry.facts()?.exact)
    }

    /// The other level that this one equals up to symmetry, and whether it equals it as it lies.
    pub fn twin(&self, entry: &Entry) -> Option<(&Entry, bool)> {
        let facts = entry.facts()?;
        let others = self.twins.get(&facts.shape)?;
        let other = others.iter().find(|o| o.key != entry.key)?;
        Some((other, other.facts().is_some_and(|f| f.exact == facts.exact)))
    }
}

/// Everything, in groups: what a query works on. Made again when files change, not when the query does.
#[derive(Default)]
pub(super) struct Everything {
    pub shelves: Vec<(Shelf, Vec<Arc<Entry>>)>,
    pub tags: Arc<Vec<(String, usize)>>,
    pub twins: Arc<FxHashMap<Digest, Vec<Arc<Entry>>>>,
    pub folders: Arc<Vec<(PathBuf, String)>>,
    pub known: Arc<Vec<(Arc<str>, Arc<Entry>)>>,
}

impl Everything {
    pub(super) fn new(shelves: Vec<(Shelf, Vec<Arc<Entry>>)>) -> Everything {
        let mut tags: BTreeMap<String, usize> = BTreeMap::new();
        let mut first: FxHashMap<Digest, &Arc<Entry>> = FxHashMap::default();
        let mut twins: FxHashMap<Digest, Vec<Arc<Entry>>> = FxHashMap::default();
        let (mut folders, mut known) = (Vec::new(), Vec::new());
        for (shelf, entries) in shelves.iter().filter(|(s, _)| s.kind != Kind::Bin) {
            if let Kind::Own(folder) = &shelf.kind {
                folders.push((folder.clone(), shelf.title.clone()));
            }
            let title: Arc<str> = shelf.title.as_str().into();
            known.extend(entries.iter().map(|e| (title.clone(), e.clone())));
            for entry in entries {
                let Some(facts) = entry.facts() else { continue };
                for tag in &facts.tags {
                    *tags.entry(tag.clone()).or_default() += 1;
                }
                match first.get(&facts.shape) {
                    // The same file may stand on two shelves: an opened collection inside the user's folder.
                    Some(one) if one.key != entry.key => {
                        let all = twins.entry(facts.shape).or_insert_with(|| vec![Arc::clone(one)]);
                        all.push(Arc::clone(entry));
                    }
                    Some(_) => {}
                    None => drop(first.insert(facts.shape, entry)),
                }
            }
        }
        let tags = tags.into_iter().collect();
        let (folders, known) = (Arc::new(folders), Arc::new(known));
        Everything { tags: Arc::new(tags), twins: Arc::new(twins), folders, known, shelves }
    }

    /// What a query leaves.
    pub(super) fn listing(&self, query: &Query, ratings: &Arc<FxHashMap<Digest, Rated>>) -> Listing {
        let text = query.text.to_lowercase();
        let words: Vec<_> = text.split_whitespace().collect();
        let fits = |entry: &Entry| {
            if !words.iter().all(|w| entry.hay.contains(w)) {
                return false;
            }
            if query.game.is_none() && !query.filters_more() {
                return true;
            }
            let Some(facts) = entry.facts() else { return false };
            query.game.is_none_or(|g| g == facts.game)
                && query.tag.as_ref().is_none_or(|t| facts.tags.contains(t))
                && match query.solved {
                    Solved::Any => true,
                    Solved::Yes => query.won.contains(&facts.exact),
                    Solved::No => !query.won.contains(&facts.exact),
                }
                && (!query.duplicates || self.twins.contains_key(&facts.shape))
        };
        let mut sections = Vec::new();
        let (mut all, mut binned) = (0, 0);
        for (shelf, entries) in &self.shelves {
            let bin = shelf.kind == Kind::Bin;
            *(if bin { &mut binned } else { &mut all }) += entries.len();
            if bin != query.bin {
                continue;
            }
            let mut shown: Vec<_> = entries.iter().filter(|e| fits(e)).cloned().collect();
            sort(&mut shown, query.sort, ratings);
            // One's own folder is always there, so that there is a place for the first level; so is what needs a word said about it.
            let own = matches!(shelf.kind, Kind::Own(_));
            let keep = !shown.is_empty() || bin || ((own || shelf.note.is_some()) && !query.filters());
            if keep {
                sections.push(Section {
                    kind: shelf.kind.clone(),
                    title: shelf.title.clone(),
                    note: shelf.note.clone(),
                    all: entries.len(),
                    entries: shown,
                });
            }
        }
        Listing {
            sections,
            all,
            binned,
            tags: self.tags.clone(),
            folders: self.folders.clone(),
            ratings: ratings.clone(),
            twins: self.twins.clone(),
            known: self.known.clone(),
            ..Listing::default()
        }
    }
}

fn sort(entries: &mut [Arc<Entry>], sort: Sort, ratings: &FxHashMap<Digest, Rated>) {
    let hard = |e: &Entry| e.facts().and_then(|f| ratings.get(&f.exact)).and_then(|r| r.difficulty);
    let by = |a: Option<f64>, b: Option<f64>, hardest: bool| match (a, b) {
        (Some(a), Some(b)) if hardest => b.total_cmp(&a),
        (Some(a), Some(b)) => a.total_cmp(&b),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    };
    match sort {
        Sort::Own => {}
        // The search text begins with the title in lower case.
        Sort::Name => entries.sort_by(|a, b| natural(&a.hay, &b.hay)),
        Sort::Newest => entries.sort_by_key(|e| std::cmp::Reverse(e.stamp.modified)),
        Sort::Easiest => entries.sort_by(|a, b| by(hard(a), hard(b), false)),
        Sort::Hardest => entries.sort_by(|a, b| by(hard(a), hard(b), true)),
    }
}
