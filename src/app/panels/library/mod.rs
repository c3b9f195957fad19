//! What there is to open: open levels, shipped packs, one's own levels, opened collections, the bin.
//!
//! All that is known comes from the catalogue's [`Librarian`], which works in the background; this panel shows its latest listing and lays out only what
//! is in sight. It owns what a listing does not: what is selected, folded, dragged, being renamed.
//!
//! | file | what |
//! |---|---|
//! | `list.rs` | the rows: where they are, which are in sight, headings, dragging |
//! | `card.rs` | one level: thumbnail, title, badges |
//! | `thumbs.rs` | thumbnails, made in the background for what is in sight |
//! | `choice.rs` | which levels are selected, and where the cursor is |
//! | `bar.rs` | search, filter, order |
//! | `details.rs` | what is known of the selected level, with the words about it to be changed |
//! | `curve.rs` | a pack's difficulty as a curve |
//! | `menu.rs` | what can be done to the selected levels, and the questions it asks |

mod bar;
mod card;
mod choice;
mod curve;
mod details;
mod list;
mod menu;
mod thumbs;

pub use menu::{Prompt, prompt};

use crate::{
    app::{
        dialogs::export,
        dock::Pane,
        keys::Action,
        workshop::{Mode, Workshop},
    },
    catalogue::{Event, Kind, Librarian, Listing, Operation, Places, Query, RatingRequest, Request, Solved},
    disk::LevelId,
    document::{AnyGame, Doc, Wake},
    game::Meta,
    games,
};
use choice::Choice;
use egui::{Pos2, Ui};
use std::{
    collections::{BTreeSet, HashSet},
    path::Path,
    sync::Arc,
    time::Duration,
};

/// How long quitting waits for a slow disk.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Something one can ask for in the library, by key or menu.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// To the search field.
    Find,
    /// Open the level at the cursor.
    Open,
    /// Rename it.
    Rename,
    /// Copies of what is selected.
    Duplicate,
    /// Into the bin.
    Bin,
    /// Out of the bin.
    Restore,
    /// Take the last change in the library back.
    Undo,
    /// Earlier in the pack's order.
    Earlier,
    /// Later in it.
    Later,
    /// Copies elsewhere.
    Export,
    /// The selected levels as text on the clipboard.
    Copy,
    /// A new pack of what is selected.
    NewPack,
    /// Select all levels of the section.
    SelectAll,
    /// The menu of the selected levels.
    Menu,
    /// Show the bin, or everything else again.
    ShowBin,
    /// Look at the disk again.
    Refresh,
}

/// What the panel remembers.
#[derive(Default)]
pub struct LibraryUi {
    librarian: Option<Librarian>,
    places: Places,
    listing: Arc<Listing>,
    /// What is shown.
    pub query: Query,
    asked: Query,
    /// What is selected.
    choice: Choice,
    folded: HashSet<Kind>,
    curves: BTreeSet<Kind>,
    thumbs: thumbs::Thumbs,
    details: details::Details,
    renaming: Option<(LevelId, String)>,
    drag: Option<list::Drag>,
    /// Dragging along a curve: which level.
    curve_drag: Option<LevelId>,
    menu_at: Option<Pos2>,
    /// Scroll to the cursor.
    reveal: bool,
    /// The level in front that the list has followed to.
    followed: Option<u64>,
    /// Put the cursor into the search field.
    find: bool,
    /// Give the list the keyboard.
    focus: bool,
    has_focus: bool,
    clicked: bool,
    /// Whether the panel was to be seen in the last frame.
    shown: bool,
    /// Whether the user was asked about emptying the bin.
    emptying: bool,
    wish: RatingRequest,
    /// The level opened last from here: it makes room for the next one while nothing was done to it.
    preview: Option<u64>,
    /// The next level that was asked for, and the one that was played and makes room for it.
    next: Option<(LevelId, u64)>,
    focused_window: bool,
    open_folded: bool,
    /// The level in front that the list of open ones was last scrolled to.
    open_in_front: Option<u64>,
}

impl LibraryUi {
    /// Begins to look around.
    pub fn start(&mut self, places: Places, collections: &[std::path::PathBuf], wake: &Wake) {
        self.places = places.clone();
        self.asked = self.query.clone();
        self.focused_window = true;
        self.thumbs.start(wake);
        let librarian = Librarian::start(places, collections.to_vec(), self.query.clone(), wake.clone());
        self.librarian = Some(librarian);
    }

    /// The folder of one's own levels.
    pub fn own_folder(&self) -> Option<std::path::PathBuf> {
        self.places.own.clone()
    }

    /// Looks at the disk again.
    pub fn refresh(&mut self) {
        self.ask(Request::Rescan);
    }

    /// Whether anything is under way, thumbnails included.
    pub fn busy(&self) -> bool {
        self.librarian.as_ref().is_some_and(Librarian::busy) || self.thumbs.busy()
    }

    /// Whether a level is the one that the list shows as chosen: for tests.
    pub fn is_chosen(&self, level: &LevelId) -> bool {
        self.choice.cursor.as_ref() == Some(level)
    }

    /// Whether the list has the keyboard.
    pub fn has_focus(&self) -> bool {
        self.has_focus
    }

    /// Whether the last thing that was done is a click here that opens a level: the keys that no board has a use for are the list's then.
    pub fn was_clicked(&self) -> bool {
        self.clicked
    }

    /// Something else was done since.
    pub fn forget_click(&mut self) {
        self.clicked = false;
    }

    /// Gives it the keys.
    pub fn give_keys(&mut self) {
        self.focus = true;
    }

    /// What is listed: for tests and benches.
    pub fn listing(&self) -> &Listing {
        &self.listing
    }

    fn ask(&mut self, ask: Request) {
        if let Some(librarian) = &mut self.librarian {
            librarian.ask(ask);
        }
    }

    /// Asks for an operation on levels.
    pub fn do_it(&mut self, operation: Operation) {
        self.ask(Request::Operation(operation));
    }

    /// The level after this one where it is listed.
    fn after(&self, key: &LevelId) -> Option<LevelId> {
        self.listing.sections.iter().find_map(|s| {
            let at = s.entries.iter().position(|e| e.key == *key)?;
            s.entries.get(at + 1).map(|e| e.key.clone())
        })
    }

    /// Par of a shipped level in words, once it is rated.
    pub fn par_of_shipped(&self, game: &'static dyn AnyGame, index: usize) -> Option<String> {
        let id = game.info().id;
        let section = self.listing.sections.iter().find(|s| s.kind == Kind::Shipped(id))?;
        let entry = section.entries.iter().find(|e| e.key == LevelId::Shipped(id, index))?;
        details::par_text(game, self.listing.rated(entry)?)
    }

    /// Whether a level has a file of its own in the user's folder.
    fn is_own(&self, level: &LevelId) -> bool {
        let own = self.places.own.as_ref();
        matches!(level, LevelId::File(path) if own.is_some_and(|own| path.starts_with(own)))
    }

    /// The pack (or folder) that a level is in.
    fn section_of(&self, key: &LevelId) -> Option<usize> {
        self.listing.sections.iter().position(|s| s.entries.iter().any(|e| e.key == *key))
    }
}

/// Takes in what the librarian has found. Called once a frame.
pub fn tick(ctx: &egui::Context, w: &mut Workshop) {
    let focused = ctx.input(|i| i.focused);
    if focused && !w.library.focused_window {
        // Whoever comes back from another program may have changed files there.
        w.library.refresh();
    }
    w.library.focused_window = focused;
    if !std::mem::take(&mut w.library.shown) {
        // A panel that is closed or behind another one has no keyboard.
        (w.library.has_focus, w.library.clicked) = (false, false);
    }
    let Some(librarian) = &mut w.library.librarian else { return };
    w.library.listing = librarian.listing();
    for news in librarian.news() {
        hear(w, news);
    }
    if w.library.query.solved != Solved::Any {
        let won = w.services.keeper.records().solved();
        let known = &w.library.query.won;
        if won.count() != known.len() {
            w.library.query.won = Arc::new(w.services.keeper.records().solved().collect());
        }
    }
    let front = w.session.current().map(|o| (o.id, listed_as(&o.level)));
    let library = &mut w.library;
    if let Some((id, level)) = front
        && library.followed != Some(id)
    {
        if library.listing.sections.iter().flat_map(|s| &s.entries).any(|e| e.key == level) {
            library.followed = Some(id);
            if library.choice.cursor.as_ref() != Some(&level) {
                library.choice.follow(&level);
                library.reveal = true;
            }
        } else if library.followed.take().is_some() {
            // What is listed about the level before is not about this one.
            library.choice.clear();
        }
    }
    if library.query != library.asked {
        library.asked = library.query.clone();
        library.ask(Request::Query(library.query.clone()));
    }
}

/// What a level is listed as: a campaign without lessons is made of the shipped levels.
fn listed_as(level: &LevelId) -> LevelId {
    match *level {
        LevelId::Campaign(game, n) if n > 0 && games::by_id(game).is_some_and(|g| g.lessons() == 0) => {
            LevelId::Shipped(game, n as usize - 1)
        }
        _ => level.clone(),
    }
}

fn hear(w: &mut Workshop, news: Event) {
    match news {
        Event::FileError(text) => w.complain(text),
        Event::Opened(key, doc) => show_level(w, key, doc),
        Event::Done { words, undo, select, moved, changed } => {
            for (from, to) in moved {
                let binned = w.library.places.bin.as_ref().is_some_and(|b| to.starts_with(b));
                for open in w.session.open.iter_mut().filter(|o| o.level == LevelId::File(from.clone())) {
                    open.level = if binned { LevelId::New } else { LevelId::File(to.clone()) };
                }
                for recent in w.settings.recent.iter_mut().filter(|p| **p == from) {
                    recent.clone_from(&to);
                }
            }
            for (path, before, after) in changed {
                for open in w.session.open.iter_mut().filter(|o| o.level == LevelId::File(path.clone())) {
                    let clean = !open.doc.dirty();
                    let meta = changed_words(open.doc.meta(), &before, &after);
                    open.doc.set_meta(meta);
                    if clean {
                        open.doc.mark_saved();
                    }
                }
            }
            if !select.is_empty() {
                w.library.choice.set(select);
                w.library.reveal = true;
            }
            if undo {
                w.offer(words, "Undo", Action::Library(Task::Undo));
            } else {
                w.say(words);
            }
        }
    }
}

/// The words about an open level after a file's were changed: what was changed and not saved in the open one stays.
fn changed_words(now: &Meta, before: &Meta, after: &Meta) -> Meta {
    fn choose<T: Clone + PartialEq>(now: &T, before: &T, after: &T) -> T {
        if now == before { after.clone() } else { now.clone() }
    }
    Meta {
        title: choose(&now.title, &before.title, &after.title),
        author: choose(&now.author, &before.author, &after.author),
        notes: choose(&now.notes, &before.notes, &after.notes),
        tags: choose(&now.tags, &before.tags, &after.tags),
    }
}

/// Opens a level of the catalogue, or brings it to the front if it is open.
pub fn open(w: &mut Workshop, level: &LevelId) {
    let bin = w.library.places.bin.as_ref();
    if level.path().zip(bin).is_some_and(|(path, bin)| path.starts_with(bin)) {
        w.say("this level is in the bin: restore it first");
    } else if !w.bring(level) {
        w.library.ask(Request::Open(level.clone()));
    }
}

fn show_level(w: &mut Workshop, level: LevelId, doc: Box<dyn Doc>) {
    let played = w.library.next.take().filter(|(next, _)| *next == level).map(|(_, id)| id);
    // One that was only looked at makes room.
    let preview = w.library.preview.and_then(|id| w.session.level(id));
    let preview = preview.filter(|o| o.doc.progress().0 == 0 && o.doc.line_len() == 0).map(|o| o.id);
    if !w.bring(&level) {
        w.add(doc, level, Mode::Play);
        w.library.preview = w.session.current_mut().map(|o| o.id);
    }
    for id in [played, preview].into_iter().flatten() {
        w.make_room(id);
    }
}

/// Opens the level after the one in front, if there is one in its collection or where it is listed; whether there may be.
pub fn open_after(w: &mut Workshop) -> bool {
    let Some((level, id)) = w.session.current_mut().map(|o| (o.level.clone(), o.id)) else { return false };
    let next = match level {
        LevelId::Member(path, index) => Some(LevelId::Member(path, index + 1)),
        level => w.library.after(&level),
    };
    let Some(next) = next else { return false };
    if w.bring(&next) {
        w.make_room(id);
    } else {
        w.library.next = Some((next.clone(), id));
        open(w, &next);
    }
    true
}

/// Applies what is still in a text field and waits until the disk has all that was asked for: before the program ends.
pub fn finish(w: &mut Workshop) {
    let library = &mut w.library;
    let rename = library.renaming.take().map(|(level, title)| Operation::Rename(level, title));
    let words = library.details.write();
    for operation in rename.into_iter().chain(words) {
        library.do_it(operation);
    }
    if let Some(librarian) = &mut library.librarian {
        librarian.finish(LONGEST_WAIT);
    }
}

/// Lists a collection from now on.
pub fn add_collection(w: &mut Workshop, path: &Path) {
    let own = w.library.places.own.as_ref().is_some_and(|own| path.starts_with(own));
    if own {
        w.library.refresh();
        return;
    }
    w.settings.collections.retain(|p| p != path);
    w.settings.collections.push(path.to_path_buf());
    w.library.ask(Request::Collections(w.settings.collections.clone()));
}

/// No longer lists a collection.
fn forget_collection(w: &mut Workshop, path: &Path) {
    w.settings.collections.retain(|p| p != path);
    w.library.ask(Request::Collections(w.settings.collections.clone()));
}

/// Carries out what was asked for by key or menu.
pub fn perform(ctx: &egui::Context, w: &mut Workshop, task: Task) {
    if task == Task::Find {
        w.show(Pane::Library);
        w.library.find = true;
        return;
    }
    let listing = w.library.listing.clone();
    let library = &mut w.library;
    // A button took the keyboard: the list has it back.
    library.focus = !matches!(task, Task::Rename | Task::NewPack | Task::Export);
    match task {
        Task::Undo => return library.ask(Request::Undo),
        Task::Refresh => return library.refresh(),
        Task::ShowBin => {
            library.query.bin = !library.query.bin;
            library.emptying = false;
            library.choice.clear();
            return w.show(Pane::Library);
        }
        _ => {}
    }
    let keys = library.choice.in_order(&listing);
    let cursor = library.choice.cursor.clone().filter(|c| keys.contains(c));
    let Some(cursor) = cursor.or_else(|| keys.first().cloned()) else {
        return w.say("select a level in the Library first");
    };
    match task {
        Task::Open => open(w, &cursor),
        Task::Rename if !library.is_own(&cursor) => {
            library.focus = true;
            w.offer(only_own(&cursor, "renamed"), "Copy to My levels", Action::Library(Task::Duplicate));
        }
        Task::Rename => {
            let title = library.listing.sections.iter().flat_map(|s| &s.entries).find(|e| e.key == cursor);
            library.renaming = title.map(|e| (cursor, e.title.clone()));
            library.reveal = true;
            w.show(Pane::Library);
        }
        Task::Duplicate => library.do_it(Operation::Duplicate(keys)),
        Task::Bin if library.query.bin => w.say("this is already in the bin: empty the bin to delete it for good"),
        Task::Bin if !keys.iter().all(|k| library.is_own(k)) => {
            let other = keys.iter().find(|k| !library.is_own(k)).unwrap_or(&cursor);
            w.say(only_own(other, "moved to the bin"));
        }
        Task::Bin => {
            library.choice.step_off(&listing);
            library.do_it(Operation::Bin(keys));
        }
        Task::Restore => library.do_it(Operation::Restore(keys)),
        Task::Earlier | Task::Later => shift(w, &keys, task == Task::Later),
        Task::Export => export::open_for(w, keys),
        Task::Copy => menu::copy_text(ctx, w, &keys),
        Task::NewPack => menu::ask_new_pack(w, keys),
        Task::SelectAll => {
            if let Some(section) = library.section_of(&cursor) {
                library.choice.all_of(&listing.sections[section]);
            }
        }
        Task::Menu => {
            library.reveal = true;
            library.menu_at = library.choice.seen_at;
        }
        _ => {}
    }
}

/// Why something cannot be done to a level that is not the user's.
fn only_own(level: &LevelId, done: &str) -> String {
    match level {
        LevelId::Shipped(..) => format!("shipped levels cannot be {done}"),
        _ => format!("only levels with a file of their own in My levels can be {done}"),
    }
}

/// One place earlier or later in a pack's own order.
fn shift(w: &mut Workshop, keys: &[LevelId], later: bool) {
    use crate::catalogue::Sort;
    let Some(section) = keys.first().and_then(|k| w.library.section_of(k)) else { return };
    let listing = w.library.listing.clone();
    let section = &listing.sections[section];
    let Some(folder) = section.own() else {
        return w.say("only your own packs can be reordered");
    };
    if w.library.query.sort != Sort::Own {
        return w.say("show the pack in its own order first");
    }
    let at = |key: &LevelId| section.entries.iter().position(|e| e.key == *key);
    let places: Vec<_> = keys.iter().filter_map(at).collect();
    let (Some(first), Some(last)) = (places.iter().min(), places.iter().max()) else { return };
    let before = if later {
        if last + 1 >= section.entries.len() {
            return;
        }
        section.entries.get(last + 2).map(|e| e.key.clone())
    } else {
        let Some(earlier) = first.checked_sub(1) else { return };
        Some(section.entries[earlier].key.clone())
    };
    w.library.do_it(Operation::Place(keys.to_vec(), folder.to_path_buf(), before));
}

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    bar::show(ui, w);
    w.library.shown = true;
    details::show(ui, w);
    list::show(ui, w);
    menu::show(ui, w);
    want_ratings(w);
}

/// Ratings take seconds each, so only what is looked at is rated: the level at the cursor, packs whose curve is shown or whose levels the start page lists,
/// and everything while it is to be sorted by difficulty.
fn want_ratings(w: &mut Workshop) {
    let listed = w.start.listed().filter(|_| w.is_front(Pane::Start)).map(Kind::Shipped);
    let library = &mut w.library;
    // While a game prepares its tables, a rating would make them a second time.
    let looking = !library.query.bin && w.services.preparing.running.is_none();
    let wish = RatingRequest {
        first: library.choice.cursor.clone().filter(|_| looking),
        shelves: library.curves.iter().cloned().chain(listed).filter(|_| looking).collect(),
        all: library.query.sort.by_difficulty() && looking,
    };
    if wish != library.wish {
        library.wish = wish.clone();
        library.ask(Request::Rate(wish));
    }
}
