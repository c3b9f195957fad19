//! What all panels share: the open levels, the settings, what was said, and what was asked for.

pub use super::session::{Mode, OpenLevel, Session};
use super::{
    dialogs::{Dialog, Then, export::ExportUi},
    dock::Pane,
    finder::Finder,
    keys::Action,
    panels::{
        self,
        edit::stamps::StampShelf,
        generate::GenerateUi,
        inspect::{InspectUi, words},
        library::LibraryUi,
        map::MapUi,
        start::StartUi,
    },
    services::Services,
    settings::Settings,
    tour::Tour,
};
use crate::{
    catalogue::Reader,
    disk::LevelId,
    document::{AnyGame, Doc, Wake},
    formats,
    game::{Solution, Status},
    games,
    picture::Colours,
};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Said when a game begins again because the level has been edited.
pub const LEVEL_CHANGED: &str = "the level changed: the game starts over";

/// A message in the status bar.
pub struct Message {
    /// The words.
    pub text: String,
    /// Whether it is bad news.
    pub bad: bool,
    /// What can be done about it: a word, and what it asks for.
    pub offer: Option<(&'static str, Action)>,
    at: Instant,
    /// The level in front and what is done with it, once the message has been shown with them: it goes when they do.
    beside: Option<(Option<u64>, Mode)>,
    /// The level that was played when it was first shown, and the moves made by then.
    moves: Option<(u64, usize)>,
}

impl Message {
    fn new(text: impl Into<String>, bad: bool, offer: Option<(&'static str, Action)>) -> Message {
        Message { text: text.into(), bad, offer, at: Instant::now(), beside: None, moves: None }
    }

    /// Whether it goes with what it is about: bad news and what can be answered stay for their time.
    pub(super) fn may_go(&self) -> bool {
        !self.bad && self.offer.is_none()
    }
}

/// What panels ask for, and what is known of the last frame.
#[derive(Default)]
pub struct Frame {
    /// Actions asked for by panels, carried out once a frame.
    pub asked: Vec<Action>,
    /// Panels to bring to the front.
    pub show_panes: Vec<Pane>,
    /// The panels that are in front, as the dock has them.
    pub(super) front: Vec<Pane>,
    /// The boards that were shown: keys are theirs when one of them has the focus.
    boards: Vec<egui::Id>,
    /// Whether a dialog was shown.
    pub(super) in_dialog: bool,
    /// Whether a text field had the keyboard at the end of the last frame: Escape leaves it before anybody is asked.
    pub(super) typing: bool,
    /// Keys pressed in the frame in which Escape closed a dialog, after it: they are for what lies behind.
    pub(super) late_keys: Vec<egui::Event>,
    /// How wide the column beside a board is, if the user has chosen it.
    pub(super) column: Option<f32>,
}

impl Frame {
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
}

/// Everything the panels share. Each panel's state is a type of that panel; what outlives a frame without being anybody's is in [`Frame`].
pub struct Workshop {
    /// What the user prefers.
    pub settings: Settings,
    /// The colours of the theme.
    pub colours: Colours,
    /// The open levels.
    pub session: Session,
    /// Whether everything but the board in play is hidden.
    pub focus: bool,
    /// The library panel.
    pub library: LibraryUi,
    /// The start page.
    pub start: StartUi,
    /// The generator panel.
    pub generate: GenerateUi,
    /// The solver panel.
    pub inspect: InspectUi,
    /// The map of positions.
    pub map: MapUi,
    /// The stamps in the editor's palette.
    pub stamps: StampShelf,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// What was chosen in the last export, and the picture on its way to the clipboard.
    pub export: ExportUi,
    /// The command palette.
    pub finder: Finder,
    /// The tour, while it is under way.
    pub tour: Option<Tour>,
    /// What works in the background for all levels.
    pub services: Services,
    /// What panels ask for and the frame hands around.
    pub frame: Frame,
    /// The last message.
    pub message: Option<Message>,
    /// What went wrong with the program's own files, oldest first: kept until each is read.
    pub warnings: Vec<String>,
    /// Set when the user has agreed to leave.
    pub leaving: bool,
}

impl Workshop {
    /// A workshop with nothing open.
    pub fn new(settings: Settings, wake: Wake) -> Workshop {
        Workshop {
            colours: settings.colours(),
            settings,
            session: Session::default(),
            focus: false,
            library: LibraryUi::default(),
            start: StartUi::default(),
            generate: GenerateUi::default(),
            inspect: InspectUi::default(),
            map: MapUi::default(),
            stamps: StampShelf::default(),
            dialog: None,
            export: ExportUi::default(),
            finder: Finder::default(),
            tour: None,
            services: Services::new(wake),
            frame: Frame::default(),
            message: None,
            warnings: Vec::new(),
            leaving: false,
        }
    }

    /// Tells the user something.
    pub fn say(&mut self, text: impl Into<String>) {
        self.message = Some(Message::new(text, false, None));
    }

    /// Tells the user bad news.
    pub fn complain(&mut self, text: impl Into<String>) {
        self.message = Some(Message::new(text, true, None));
    }

    /// Tells the user bad news that must not be missed: it stays until it is read.
    pub fn warn(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }

    /// Tells the user how something went.
    pub fn report(&mut self, result: Result<String, String>) {
        match result {
            Ok(text) => self.say(text),
            Err(text) => self.complain(text),
        }
    }

    /// Tells the user something that can be answered with one click.
    pub fn offer(&mut self, text: impl Into<String>, word: &'static str, act: Action) {
        self.message = Some(Message::new(text, false, Some((word, act))));
    }

    /// Forgets a message that has been read; how long until then.
    pub fn forget_old_words(&mut self) -> Option<Duration> {
        let here = (self.session.current().map(|open| open.id), self.session.mode);
        let playing = self.session.current().filter(|_| self.session.mode == Mode::Play);
        let moves = playing.map(|open| (open.id, open.doc.progress().0));
        let said = self.message.as_mut()?;
        said.moves = said.moves.or(moves);
        // What was said about a move goes with the next one.
        if let (Some(then), Some(now)) = (said.moves, moves)
            && (then.0 == now.0 && then.1 != now.1 && said.may_go())
        {
            self.message = None;
            return None;
        }
        // What is said on the way to another level or mode is about what comes.
        if said.at.elapsed() > Duration::from_millis(500) && *said.beside.get_or_insert(here) != here {
            said.beside = Some(here);
            if said.may_go() {
                self.message = None;
                return None;
            }
        }
        let stay = Duration::from_secs(if said.bad { 20 } else { 8 });
        match stay.checked_sub(said.at.elapsed()) {
            Some(left) if !left.is_zero() => Some(left),
            _ => {
                self.message = None;
                None
            }
        }
    }

    /// Asks for an action.
    pub fn ask(&mut self, act: Action) {
        self.frame.asked.push(act);
    }

    /// Brings a panel to the front.
    pub fn show(&mut self, pane: Pane) {
        self.frame.show_panes.push(pane);
    }

    /// Whether a panel was in front when the panels were last laid out.
    pub fn is_front(&self, pane: Pane) -> bool {
        self.frame.front.contains(&pane)
    }

    /// Whether only the board in play is shown.
    pub fn focused(&self) -> bool {
        self.focus && self.session.mode == Mode::Play && self.is_front(Pane::Play)
    }

    /// Whether a dialog, the finder or the tour has all keys.
    pub(super) fn in_modal(&self) -> bool {
        self.dialog.is_some() || self.finder.is_open() || self.tour.is_some()
    }

    /// Brings a level to the front if it is open; whether it is.
    pub fn bring(&mut self, level: &LevelId) -> bool {
        let open = self.session.find(level);
        if let Some(index) = open {
            self.activate(index);
            self.enter(self.session.mode);
        }
        open.is_some()
    }

    /// Closes a level in favour of the one in front, unless there is something in it to lose or a dialog is about it.
    pub(super) fn make_room(&mut self, id: u64) {
        let Some(front) = self.session.current_mut().map(|o| o.id) else { return };
        if id != front && self.dialog.as_ref().and_then(Dialog::level) != Some(id) {
            self.session.open.retain_mut(|o| o.id != id || o.doc.dirty());
            self.session.active = self.session.open.iter().position(|o| o.id == front).unwrap_or(0);
        }
    }

    /// Opens a level in front.
    pub fn add(&mut self, mut doc: Box<dyn Doc>, level: LevelId, mode: Mode) {
        self.session.end_strokes();
        doc.set_wake(self.services.wake.clone());
        doc.set_animate(self.settings.animate);
        doc.set_speed(self.settings.motion_speed);
        let game = doc.game().info().id;
        if self.session.current_mut().is_none_or(|o| o.doc.game().info().id != game) {
            self.inspect = InspectUi::default();
        }
        if self.services.preparing.allowed && doc.gains_from_preparing(doc.game().info().verdict_goal) {
            self.services.preparing.start(doc.game(), &self.services.wake);
        }
        let playable = doc.play_from_start();
        self.session.push(doc, level);
        self.enter(if playable { mode } else { Mode::Edit });
    }

    /// Takes in the end of a preparation and counts cleared boards of a run.
    pub fn tick(&mut self) {
        if let Some(message) = self.services.preparing.tick() {
            self.complain(message);
        }
        self.tick_runs();
        self.tick_records();
        self.tick_making();
    }

    /// Keeps a solution with the level in front, and says what became of it.
    pub fn keep(&mut self, solution: Solution, only_if_better: bool) {
        let Some(open) = self.session.current_mut() else { return };
        let kept = open.doc.keep(solution, only_if_better);
        self.say(words(&kept));
    }

    /// Goes to Play or Edit and brings that panel to the front.
    pub fn enter(&mut self, mode: Mode) {
        self.session.mode = mode;
        self.show(match mode {
            Mode::Play => Pane::Play,
            Mode::Edit => Pane::Edit,
        });
    }

    /// Has the level in front play its draft as it stands: from the start, if that is not what is being played. False if it cannot be played.
    pub fn play_draft(&mut self) -> bool {
        let Some(open) = self.session.current_mut() else { return false };
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

    /// Puts an open level in front, with the panel it is played or edited in.
    pub fn activate(&mut self, index: usize) {
        self.session.end_strokes();
        if index >= self.session.open.len() {
            return;
        }
        if index != self.session.active {
            self.session.active = index;
            self.session.autoplay = None;
            self.inspect = InspectUi::default();
        }
        self.enter(self.session.mode);
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
            Err(fault) => self.complain(format!("there is no level on the clipboard: {fault}")),
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
        if self.next_of_run() {
            return;
        }
        let Some(open) = self.session.current_mut() else { return };
        if let Some((game, level, _)) = open.campaign {
            self.next_of_campaign(game, level);
            return;
        }
        let id = open.id;
        match open.level.clone() {
            LevelId::Generated(_) | LevelId::New => self.next_generated(),
            _ if open.doc.status() != Status::Won => {
                self.say("complete this level first");
            }
            LevelId::Shipped(game, index) => {
                self.open_shipped(game, index + 1);
                self.make_room(id);
            }
            _ if panels::library::open_after(self) => {}
            _ => self.say("there is no next level: open a pack, or generate levels"),
        }
    }

    /// Closes a level without asking.
    pub fn close_now(&mut self, index: usize) {
        if index < self.session.open.len() {
            self.session.remove(index);
            self.inspect = InspectUi::default();
        }
    }

    /// The generator's level after the one in front.
    fn next_generated(&mut self) {
        let Some(open) = self.session.current() else { return };
        match (open.doc.origin().cloned(), open.doc.game()) {
            (Some(origin), game) => self.make_next(game, origin),
            (None, _) => self.say("there is no next level: open a pack, or generate levels"),
        }
    }

    /// Closes all levels without changes, then asks about the others.
    pub fn close_all(&mut self) {
        self.session.end_strokes();
        for index in (0..self.session.open.len()).rev() {
            if !self.session.open[index].doc.dirty() {
                self.close_now(index);
            }
        }
        self.close(0);
    }

    /// Closes a level; asks first if it has changes.
    pub fn close(&mut self, index: usize) {
        self.session.end_strokes();
        let Some(open) = self.session.open.get_mut(index) else { return };
        let level = open.id;
        if !open.doc.dirty() {
            self.close_now(index);
        } else if !self.after_saving(level, Then::Close) {
            self.activate(index);
            self.dialog = Some(Dialog::SaveChanges { level, quit: false });
        }
    }

    /// Asks to leave the program: at once, or after asking about changes.
    pub fn quit(&mut self) {
        self.session.end_strokes();
        let changed = self.changed();
        if changed.iter().any(|level| self.after_saving(*level, Then::Quit)) {
            return;
        }
        match changed[..] {
            [] => self.leaving = true,
            [level] => {
                self.session.index_of(level).into_iter().for_each(|index| self.activate(index));
                self.dialog = Some(Dialog::SaveChanges { level, quit: true });
            }
            _ => self.dialog = Some(Dialog::SaveAll),
        }
    }

    /// The open levels with changes, by their ids.
    pub(super) fn changed(&mut self) -> Vec<u64> {
        self.session.open.iter_mut().filter_map(|o| o.doc.dirty().then_some(o.id)).collect()
    }

    /// Whether anything is under way in the background that somebody waits for.
    pub fn busy(&self) -> bool {
        let in_dialog = match &self.dialog {
            Some(Dialog::Export(dialog)) => dialog.busy(),
            Some(Dialog::Open { reading, .. }) => reading.is_some(),
            _ => false,
        };
        in_dialog
            || self.export.busy()
            || self.generate.busy()
            || self.start.busy()
            || self.services.making.is_some()
            || self.services.chores.busy()
            || self.services.reading.busy()
            || self.services.saving.busy()
            || self.session.open.iter().any(|o| o.doc.busy() || o.variants.busy())
    }

    /// The game in front, or the first one offered.
    pub fn game(&mut self) -> Option<&'static dyn AnyGame> {
        self.session.current_mut().map(|o| o.doc.game()).or_else(|| games::offered().first().copied())
    }

    /// A wake callback that repaints a window.
    pub fn wake_of(ctx: &egui::Context) -> Wake {
        let ctx = ctx.clone();
        Arc::new(move || ctx.request_repaint())
    }
}
