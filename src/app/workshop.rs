//! What all panels share: the open levels, the settings, what was said, and what was asked for.

use super::{
    campaign::{Making, Won},
    canvas::Camera,
    chores::Chores,
    dialogs::{
        Dialog,
        export::{Copying, ExportChoices},
        key_sheet::KeySheet,
    },
    dock::Pane,
    finder::Finder,
    keys::Action,
    panels::{
        self,
        edit::{
            EditUi,
            stamps::{Placing, StampShelf},
            strokes,
        },
        generate::GenerateUi,
        inspect::words,
        library::LibraryUi,
        start::StartUi,
        variants::VariantShelf,
    },
    rescue::Rescue,
    settings::Settings,
    tour::Tour,
};
use crate::{
    catalogue::Reader,
    disk::{self, LevelId},
    document::{AnyGame, Digest, Doc, Wake},
    formats,
    game::{Origin, Solution, Status, Values},
    games,
    job::{Job, Limits, Stop},
    memory::{Keeper, Records},
    picture::Colours,
};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

/// Whether one plays or draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Playing (or stepping).
    Play,
    /// Drawing.
    Edit,
}

/// An open level.
pub struct Open {
    /// The level.
    pub doc: Box<dyn Doc>,
    /// Which level it is: what "next level" means, and where it is saved.
    pub level: LevelId,
    /// Where one looks.
    pub camera: Camera,
    /// Points a cell at the moment.
    pub scale: f32,
    /// Tools and selection.
    pub edit: EditUi,
    /// The stamp in hand.
    pub stamp: Option<Placing>,
    /// Its variants.
    pub variants: VariantShelf,
    /// Whether the Play panel shows the line's steps.
    pub stepping: bool,
    /// Whether the win banner was put away.
    pub banner_closed: bool,
    /// Boards cleared in this run, for games played as an endless run.
    pub score: u32,
    /// Whether the board as it was won has been counted already.
    pub counted: bool,
    /// The win that is on the board now, and what it was measured against.
    pub won: Option<Won>,
    /// The campaign's level that it was when it was opened: game, number, and the level itself. Only that one counts.
    pub campaign: Option<(&'static str, u32, Digest)>,
    /// A number that is never used twice.
    pub id: u64,
}

impl Open {
    /// The file that it is saved to, if it has one of its own.
    pub fn path(&self) -> Option<&Path> {
        self.level.own_file()
    }

    /// The title to show.
    pub fn title(&self) -> String {
        let title = &self.doc.meta().title;
        if !title.is_empty() {
            return title.clone();
        }
        match self.level.path().and_then(Path::file_stem) {
            Some(stem) => stem.to_string_lossy().into_owned(),
            None => format!("Untitled {}", self.doc.game().info().name),
        }
    }
}

/// Said when a game begins again because the level has been edited.
pub const LEVEL_CHANGED: &str = "level changed: this is the level as it is now";

/// A message in the status bar.
pub struct Message {
    /// The words.
    pub text: String,
    /// Whether it is bad news.
    pub bad: bool,
    /// What can be done about it: a word, and what it asks for.
    pub offer: Option<(&'static str, Action)>,
    at: Instant,
}

/// Everything the panels share.
pub struct Workshop {
    /// Wishes.
    pub settings: Settings,
    /// What was won, and how well.
    pub keeper: Keeper,
    /// Copies of unsaved drafts, and those that a crash left.
    pub rescue: Rescue,
    /// Where earlier versions of saved files are kept.
    pub backups: Option<PathBuf>,
    /// The level that is being made and will be opened.
    pub making: Option<Making>,
    /// The colours of the theme.
    pub colours: Colours,
    /// Open levels.
    pub open: Vec<Open>,
    /// The one in front.
    pub active: usize,
    /// Playing or drawing.
    pub mode: Mode,
    /// Autoplay of the line: when the next step is due.
    pub autoplay: Option<Instant>,
    /// The goal chosen in Inspect.
    pub goal: usize,
    /// The overlay shown while stepping and editing: `Some(usize::MAX)` is the visited heat.
    pub overlay: Option<usize>,
    /// The library panel.
    pub library: LibraryUi,
    /// The start page.
    pub start: StartUi,
    /// The generator panel.
    pub generate: GenerateUi,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// What was chosen in the last export.
    pub export: ExportChoices,
    /// A picture on its way to the clipboard.
    pub(super) copying: Option<Copying>,
    /// The command palette.
    pub finder: Finder,
    /// The sheet of keys.
    pub(super) key_sheet: KeySheet,
    /// The tour, while it is under way.
    pub tour: Option<Tour>,
    /// All stamps.
    pub stamps: StampShelf,
    /// Where variants are kept.
    pub variants_folder: Option<PathBuf>,
    /// Small things being written.
    pub chores: Chores,
    /// The last message.
    pub said: Option<Message>,
    /// Actions asked for by panels, carried out once a frame.
    pub asked: Vec<Action>,
    /// Panels to bring to the front.
    pub show_panes: Vec<Pane>,
    /// Whether the Play panel is in front.
    pub play_in_front: bool,
    /// Whether the start page is in front.
    pub start_in_front: bool,
    /// Whether the Edit panel is in front.
    pub edit_in_front: bool,
    /// The boards that were shown: keys are theirs when one of them has the focus.
    pub boards: Vec<egui::Id>,
    /// What a game computes once so that its solver is at its best: its words, and the work.
    pub preparing: Option<(&'static str, Job<Result<(), Stop>>)>,
    prepared: Vec<&'static str>,
    /// Whether that may be done at all: it takes time and room in the user's cache.
    pub may_prepare: bool,
    /// Set when the user has agreed to leave.
    pub leaving: bool,
    /// Where background work reports.
    pub wake: Wake,
    next_id: u64,
}

impl Workshop {
    /// A workshop with nothing open.
    pub fn new(settings: Settings, wake: Wake) -> Workshop {
        let colours = settings.colours();
        Workshop {
            settings,
            keeper: Keeper::default(),
            rescue: Rescue::default(),
            backups: None,
            making: None,
            colours,
            open: Vec::new(),
            active: 0,
            mode: Mode::Play,
            autoplay: None,
            goal: 0,
            overlay: None,
            library: LibraryUi::default(),
            start: StartUi::default(),
            generate: GenerateUi::default(),
            dialog: None,
            export: ExportChoices::default(),
            copying: None,
            finder: Finder::default(),
            key_sheet: KeySheet::default(),
            tour: None,
            stamps: StampShelf::default(),
            variants_folder: None,
            chores: Chores::default(),
            said: None,
            asked: Vec::new(),
            show_panes: Vec::new(),
            play_in_front: true,
            start_in_front: false,
            edit_in_front: false,
            boards: Vec::new(),
            preparing: None,
            prepared: Vec::new(),
            may_prepare: false,
            leaving: false,
            wake,
            next_id: 1,
        }
    }

    /// The level in front.
    pub fn current(&mut self) -> Option<&mut Open> {
        self.open.get_mut(self.active)
    }

    /// The open level with this id.
    pub fn level(&self, id: u64) -> Option<&Open> {
        self.open.iter().find(|o| o.id == id)
    }

    /// The same, to change it.
    pub fn level_mut(&mut self, id: u64) -> Option<&mut Open> {
        self.open.iter_mut().find(|o| o.id == id)
    }

    /// Tells the user something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.said = Some(Message { text: text.into(), bad: false, offer: None, at: Instant::now() });
    }

    /// Tells the user bad news.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.said = Some(Message { text: text.into(), bad: true, offer: None, at: Instant::now() });
    }

    /// Tells the user something that can be answered with one click.
    pub fn offer(&mut self, text: impl Into<String>, word: &'static str, act: Action) {
        self.said = Some(Message { text: text.into(), bad: false, offer: Some((word, act)), at: Instant::now() });
    }

    /// Forgets a message that has been read; how long until then.
    pub fn forget_old_words(&mut self) -> Option<Duration> {
        let said = self.said.as_ref()?;
        let stay = Duration::from_secs(if said.bad { 20 } else { 8 });
        match stay.checked_sub(said.at.elapsed()) {
            Some(left) if !left.is_zero() => Some(left),
            _ => {
                self.said = None;
                None
            }
        }
    }

    /// Asks for an action.
    pub fn ask(&mut self, act: Action) {
        self.asked.push(act);
    }

    /// Brings a level to the front if it is open; whether it is.
    pub fn bring(&mut self, level: &LevelId) -> bool {
        let open = self.open.iter().position(|o| o.level == *level).filter(|_| *level != LevelId::New);
        if let Some(index) = open {
            self.activate(index);
            self.enter(self.mode);
        }
        open.is_some()
    }

    /// Closes a level in favour of the one in front, unless there is something in it to lose or a dialog is about it.
    pub(super) fn make_room(&mut self, id: u64) {
        let Some(front) = self.current().map(|o| o.id) else { return };
        if id != front && self.dialog.as_ref().and_then(Dialog::level) != Some(id) {
            self.open.retain_mut(|o| o.id != id || o.doc.dirty());
            self.active = self.open.iter().position(|o| o.id == front).unwrap_or(0);
        }
    }

    /// Opens a level in front.
    pub fn add(&mut self, mut doc: Box<dyn Doc>, level: LevelId, mode: Mode) {
        self.end_strokes();
        doc.set_wake(self.wake.clone());
        doc.set_animate(self.settings.animate);
        doc.set_speed(self.settings.motion_speed);
        let game = doc.game().info().id;
        if self.current().is_none_or(|o| o.doc.game().info().id != game) {
            self.goal = 0;
            self.overlay = None;
        }
        if self.may_prepare && doc.gains_from_preparing(doc.game().info().verdict_goal) {
            self.prepare(doc.game());
        }
        let playable = doc.play_from_start();
        let id = self.next_id;
        self.next_id += 1;
        self.open.push(Open {
            doc,
            level,
            camera: Camera::default(),
            scale: 32.0,
            edit: EditUi::default(),
            stamp: None,
            variants: VariantShelf::default(),
            stepping: false,
            banner_closed: false,
            score: 0,
            counted: false,
            won: None,
            campaign: None,
            id,
        });
        self.active = self.open.len() - 1;
        self.autoplay = None;
        self.enter(if playable { mode } else { Mode::Edit });
    }

    /// Starts what a game prepares in the background, once.
    fn prepare(&mut self, game: &'static dyn AnyGame) {
        let id = game.info().id;
        let Some(words) = game.prepares() else { return };
        if self.preparing.is_none() && !self.prepared.contains(&id) {
            self.prepared.push(id);
            let wake = self.wake.clone();
            self.preparing = Some((words, Job::spawn(Limits::default(), move || wake(), move |p| game.prepare(p))));
        }
    }

    /// Takes in the end of a preparation and counts cleared boards of a run.
    pub fn tick(&mut self) {
        if let Some(done) = self.preparing.as_ref().and_then(|(_, job)| job.poll()) {
            self.preparing = None;
            if let Err(message) = done {
                self.complain(message);
            }
        }
        for open in &mut self.open {
            let won = open.doc.status() == Status::Won && open.doc.next_board().is_some();
            if won && !open.counted && !open.doc.taken_over() {
                open.counted = true;
                open.score += 1;
                self.keeper.add(&Records::of_score(open.doc.game().info().id, open.score));
            }
        }
        self.tick_records();
        self.tick_making();
    }

    /// Keeps a solution with the level in front, and says what became of it.
    pub fn keep(&mut self, solution: Solution, only_if_better: bool) {
        let Some(open) = self.current() else { return };
        let kept = open.doc.keep(solution, only_if_better);
        self.say(words(&kept));
    }

    /// Goes to Play or Edit and brings that panel to the front.
    pub fn enter(&mut self, mode: Mode) {
        self.mode = mode;
        self.show_panes.push(match mode {
            Mode::Play => Pane::Play,
            Mode::Edit => Pane::Edit,
        });
    }

    /// Has the level in front play its draft as it stands: from the start, if that is not what is being played. False if it cannot be played.
    pub fn play_draft(&mut self) -> bool {
        let Some(open) = self.current() else { return false };
        if open.doc.plays_draft() {
            return true;
        }
        let changed = open.doc.in_play();
        let playable = open.doc.play_from_start();
        if playable {
            open.stepping = false;
            if changed {
                self.say(LEVEL_CHANGED);
            }
        }
        playable
    }

    /// Ends the strokes under way: what comes next finds whole drafts.
    pub fn end_strokes(&mut self) {
        self.open.iter_mut().for_each(strokes::finish);
    }

    /// Puts an open level in front, with the panel it is played or edited in.
    pub fn activate(&mut self, index: usize) {
        self.end_strokes();
        if index >= self.open.len() {
            return;
        }
        if index != self.active {
            self.active = index;
            (self.goal, self.overlay, self.autoplay) = (0, None, None);
        }
        self.enter(self.mode);
    }

    /// Opens a file; a collection opens its first level and joins the library.
    pub fn open_path(&mut self, path: &Path) {
        let path = disk::absolute(path);
        if self.bring(&LevelId::File(path.clone())) {
            return;
        }
        let levels = match disk::open_path(&path) {
            Ok(levels) => levels,
            Err(trouble) => {
                self.complain(trouble.to_string());
                return;
            }
        };
        let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        if levels.len() > 1 {
            panels::library::add_collection(self, &path);
            self.say(format!("{name}: {} levels, listed in the Library", levels.len()));
        } else {
            self.say(format!("opened {name}"));
        }
        self.settings.recent.retain(|p| *p != path);
        self.settings.recent.insert(0, path);
        self.settings.recent.truncate(12);
        if let Some(first) = levels.into_iter().next()
            && !self.bring(&first.id)
        {
            self.add(first.doc, first.id, Mode::Play);
        }
    }

    /// Opens levels from a text (clipboard).
    pub fn open_text(&mut self, text: &str) {
        match formats::read(text.as_bytes()) {
            Ok(docs) => {
                let count = docs.len();
                for doc in docs.into_iter().take(20) {
                    self.add(doc, LevelId::New, Mode::Edit);
                }
                self.say(if count == 1 { "pasted as a new level".into() } else { format!("pasted {count} levels") });
            }
            Err(fault) => self.complain(format!("the clipboard holds no level: {fault}")),
        }
    }

    /// Opens a shipped level.
    pub fn open_shipped(&mut self, game: &'static str, index: usize) {
        let level = LevelId::Shipped(game, index);
        if self.bring(&level) {
            return;
        }
        match Reader::default().load(&level) {
            Ok(doc) => self.add(doc, level, Mode::Play),
            Err(text) => self.say(text),
        }
    }

    /// Opens the level after the current one, where there is one.
    pub fn open_next(&mut self) {
        let Some(open) = self.current() else { return };
        if let Some((game, level, _)) = open.campaign {
            self.next_of_campaign(game, level);
            return;
        }
        if let Some(values) = open.doc.next_board() {
            self.next_of_run(&values);
            return;
        }
        let id = open.id;
        match open.level.clone() {
            LevelId::Shipped(game, index) => {
                self.open_shipped(game, index + 1);
                self.make_room(id);
            }
            LevelId::Generated(_) => {
                let (origin, game) = (open.doc.origin().cloned(), open.doc.game());
                if let Some(origin) = origin {
                    self.make_next(game, origin, None, 0);
                }
            }
            _ if panels::library::open_after(self) => {}
            _ => self.say("this level stands alone: open a pack for a next one"),
        }
    }

    /// The next board of an endless run: the seed is the one after this board's, or, for a drawn board, a number of its own.
    fn next_of_run(&mut self, values: &Values) {
        let Some(open) = self.current() else { return };
        if open.doc.status() != Status::Won {
            self.say("clear this board first");
            return;
        }
        let seed = open.doc.origin().map_or(open.id, |o| o.seed);
        let origin = Origin { preset: String::new(), params: values.clone(), seed, version: 0 };
        let (game, score) = (open.doc.game(), open.score);
        // A board of the run makes room for the next; one that was drawn or opened stays.
        let board = matches!(open.level, LevelId::Generated(_)).then_some(open.id);
        self.make_next(game, origin, board, score);
    }

    /// Closes a level without asking.
    pub fn close_now(&mut self, index: usize) {
        if index < self.open.len() {
            self.open.remove(index);
            if self.active >= index {
                self.active = self.active.saturating_sub(usize::from(self.active > 0));
            }
            (self.goal, self.overlay, self.autoplay) = (0, None, None);
        }
    }

    /// Closes a level; asks first if it has changes.
    pub fn close(&mut self, index: usize) {
        self.end_strokes();
        let Some(open) = self.open.get_mut(index) else { return };
        if open.doc.dirty() {
            let level = open.id;
            self.activate(index);
            self.dialog = Some(Dialog::SaveChanges { level, quit: false });
        } else {
            self.close_now(index);
        }
    }

    /// Asks to leave the program: at once, or after asking about changes.
    pub fn quit(&mut self) {
        self.end_strokes();
        match self.open.iter_mut().position(|o| o.doc.dirty()) {
            Some(index) => {
                let level = self.open[index].id;
                self.activate(index);
                self.dialog = Some(Dialog::SaveChanges { level, quit: true });
            }
            None => self.leaving = true,
        }
    }

    /// Whether anything is under way in the background that somebody waits for.
    pub fn busy(&self) -> bool {
        let exporting = matches!(&self.dialog, Some(Dialog::Export(d)) if d.busy()) || self.copying.is_some();
        exporting
            || self.generate.busy()
            || self.making.is_some()
            || self.finder.busy()
            || self.chores.busy()
            || self.open.iter().any(|o| o.doc.busy() || o.variants.busy())
    }

    /// Whether a board has the keyboard's focus.
    pub fn board_focused(&self, ctx: &egui::Context) -> bool {
        ctx.memory(|m| m.focused()).is_some_and(|id| self.boards.contains(&id))
    }

    /// Remembers that this is a board.
    pub fn is_board(&mut self, id: egui::Id) {
        if !self.boards.contains(&id) {
            self.boards.push(id);
        }
    }

    /// The game in front, or the first one offered.
    pub fn game(&mut self) -> Option<&'static dyn AnyGame> {
        self.current().map(|o| o.doc.game()).or_else(|| games::offered().first().copied())
    }

    /// A wake callback that repaints a window.
    pub fn wake_of(ctx: &egui::Context) -> Wake {
        let ctx = ctx.clone();
        Arc::new(move || ctx.request_repaint())
    }
}
