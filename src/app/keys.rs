//! Every action has a name, a menu line and a key: this is the one table of them.

use super::{
    dock::Pane,
    keymap,
    panels::{edit::Tool, library::Task},
};
use egui::{Key, KeyboardShortcut, Modifiers};
use std::sync::LazyLock;

/// Something the user can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// A new, empty level.
    New,
    /// Open a file.
    Open,
    /// Save.
    Save,
    /// Save under another name or in another format.
    SaveAs,
    /// Pictures, films, sheets, maps, pages, share codes.
    Export,
    /// The folder of what was saved or exported last, in the desktop's file manager.
    OpenFolder,
    /// The share code on the clipboard.
    CopyCode,
    /// A picture on the clipboard.
    CopyPicture,
    /// The versions of the file that were saved over.
    Earlier,
    /// Close the level.
    CloseLevel,
    /// Close all levels.
    CloseAll,
    /// The next open level.
    NextOpen,
    /// Leave the program.
    Quit,
    /// Undo.
    Undo,
    /// Redo.
    Redo,
    /// Empty the selection.
    Delete,
    /// Select the whole board.
    SelectAll,
    /// Drop the selection.
    Deselect,
    /// Turn the board.
    TurnBoard,
    /// Mirror it left-right.
    FlipH,
    /// Mirror it top-bottom.
    FlipV,
    /// Change its size.
    Resize,
    /// Choose a tool.
    Tool(Tool),
    /// Keep the draft as a variant.
    KeepVariant,
    /// Make a stamp of the selection.
    MakeStamp,
    /// The what-if map on or off.
    WhatIf,
    /// The single edit that makes the level a little harder.
    Harder,
    /// The one that makes it a little easier.
    Easier,
    /// Look for edits that make the level solvable.
    Mend,
    /// Turn the ink.
    TurnInk,
    /// Mirror the ink.
    MirrorInk,
    /// Play from the start, or back to the editor.
    PlayStart,
    /// Play from where one was, or back to the editor.
    PlayHere,
    /// Restart the level.
    Restart,
    /// Back to the last position that could still be won.
    BackToWinnable,
    /// The next level.
    NextLevel,
    /// To the start page, or back from it.
    Start,
    /// A hint.
    Hint,
    /// What was still possible after each move of the game that was played.
    Review,
    /// Solve the draft.
    Solve,
    /// Solve from the position in play.
    SolveHere,
    /// Stop the solver.
    StopSolver,
    /// First step.
    StepFirst,
    /// One step back.
    StepBack,
    /// One step on.
    StepNext,
    /// Last step.
    StepLast,
    /// Play the steps, or pause.
    Autoplay,
    /// Take over into play.
    TakeOver,
    /// Leave the stepping view.
    LeaveSteps,
    /// Make levels.
    Generate,
    /// Show a panel.
    Show(Pane),
    /// The panels as at first.
    ResetLayout,
    /// Hide everything but the board in play, or show it again.
    Focus,
    /// Zoom in.
    ZoomIn,
    /// Zoom out.
    ZoomOut,
    /// Fit the board.
    Fit,
    /// Dark or light.
    ToggleTheme,
    /// Larger text.
    TextLarger,
    /// Smaller text.
    TextSmaller,
    /// Animation on or off.
    ToggleMotion,
    /// The time taken shown or not.
    ToggleClock,
    /// The box that finds everything by its name.
    Palette,
    /// The preferences.
    Preferences,
    /// Something in the library.
    Library(Task),
    /// The keys for the game and the mode at hand.
    KeysHere,
    /// The page for designers.
    Guide,
    /// The sheet of all keys.
    Keys,
    /// The rules of the game.
    Rules,
    /// The tour of the first start.
    Tour,
    /// About the program.
    About,
}

/// The menu an action stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Menu {
    /// Files.
    File,
    /// Editing.
    Edit,
    /// Playing.
    Play,
    /// Solving and stepping.
    Solve,
    /// The library.
    Library,
    /// Panels and looks.
    View,
    /// Help.
    Help,
    /// In none: a tool with a button of its own.
    Tools,
}

/// When a key means this.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Always.
    Always,
    /// While editing.
    Editing,
    /// While playing.
    Playing,
    /// While stepping through a line.
    Stepping,
    /// While the list of the library has the keyboard: before all others.
    Library,
}

impl Scope {
    /// All of them, with their headings.
    pub const TITLES: [(Scope, &str); 5] = [
        (Scope::Always, "Always"),
        (Scope::Editing, "In Edit"),
        (Scope::Playing, "In Play"),
        (Scope::Stepping, "While stepping"),
        (Scope::Library, "In the Library"),
    ];
}

/// A line of the table.
pub struct Line {
    /// What.
    pub act: Action,
    /// Where.
    pub menu: Menu,
    /// Its name.
    pub name: &'static str,
    /// Its name in files: `step-next`, `tool-brush`. It never changes, so that a key the user has chosen stays chosen.
    pub id: String,
    /// Its keys unless the user has chosen others (see [`keymap`](super::keymap)); the first is shown.
    pub keys: Vec<KeyboardShortcut>,
    /// When.
    pub scope: Scope,
}

/// The table, made once: every button asks it for its tooltip in every frame.
pub fn table() -> &'static [Line] {
    static TABLE: LazyLock<Vec<Line>> = LazyLock::new(lines);
    &TABLE
}

/// The name of an action in files, made from its name in the code: an action that is renamed there needs an exception here.
fn id(act: Action) -> String {
    let mut id = String::new();
    for c in format!("{act:?}").chars() {
        if (c.is_uppercase() || c == '(') && !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
        if c.is_alphanumeric() {
            id.extend(c.to_lowercase());
        }
    }
    id
}

fn lines() -> Vec<Line> {
    use Menu as M;
    use Scope::{Always, Editing, Library, Playing, Stepping};
    let (none, ctrl, shift, alt) = (Modifiers::NONE, Modifiers::COMMAND, Modifiers::SHIFT, Modifiers::ALT);
    let ctrl_shift = ctrl | shift;
    let line = |act, menu, name, keys: &[(Modifiers, Key)], scope| Line {
        act,
        menu,
        name,
        id: id(act),
        keys: keys.iter().map(|(m, k)| KeyboardShortcut::new(*m, *k)).collect(),
        scope,
    };
    vec![
        line(Action::New, M::File, "New level…", &[(ctrl, Key::N)], Always),
        line(Action::Open, M::File, "Open…", &[(ctrl, Key::O)], Always),
        line(Action::Save, M::File, "Save", &[(ctrl, Key::S)], Always),
        line(Action::SaveAs, M::File, "Save as…", &[(ctrl_shift, Key::S)], Always),
        line(Action::Export, M::File, "Export…", &[(ctrl_shift, Key::E)], Always),
        line(Action::OpenFolder, M::File, "Open the folder of the last export", &[], Always),
        line(Action::CopyCode, M::File, "Copy share code", &[(ctrl_shift, Key::C)], Always),
        line(Action::CopyPicture, M::File, "Copy as picture", &[(ctrl_shift, Key::I)], Always),
        line(Action::Earlier, M::File, "Earlier versions…", &[(Modifiers::ALT, Key::V)], Always),
        line(Action::CloseLevel, M::File, "Close level", &[(ctrl, Key::W)], Always),
        line(Action::CloseAll, M::File, "Close all levels", &[(ctrl_shift, Key::W)], Always),
        line(Action::NextOpen, M::File, "Next open level", &[(ctrl, Key::PageDown)], Always),
        line(Action::Preferences, M::File, "Preferences…", &[(ctrl, Key::Comma)], Always),
        line(Action::Quit, M::File, "Quit", &[(ctrl, Key::Q)], Always),
        line(Action::Undo, M::Edit, "Undo", &[(ctrl, Key::Z), (none, Key::Z)], Always),
        line(Action::Redo, M::Edit, "Redo", &[(ctrl_shift, Key::Z), (ctrl, Key::Y), (shift, Key::Z)], Always),
        line(Action::Delete, M::Edit, "Clear the selection", &[(none, Key::Delete), (none, Key::Backspace)], Editing),
        line(Action::SelectAll, M::Edit, "Select all", &[(ctrl, Key::A)], Editing),
        line(Action::Deselect, M::Edit, "Select nothing", &[(none, Key::Escape)], Editing),
        line(Action::TurnBoard, M::Edit, "Turn the board", &[(ctrl, Key::R)], Editing),
        line(Action::FlipH, M::Edit, "Mirror left and right", &[(ctrl, Key::H)], Editing),
        line(Action::FlipV, M::Edit, "Mirror top and bottom", &[(ctrl_shift, Key::H)], Editing),
        line(Action::Resize, M::Edit, "Resize…", &[(ctrl, Key::E)], Editing),
        line(Action::TurnInk, M::Edit, "Turn the brush", &[(none, Key::R)], Editing),
        line(Action::MirrorInk, M::Edit, "Mirror the brush", &[(shift, Key::R)], Editing),
        line(Action::MakeStamp, M::Edit, "Make a stamp of the selection", &[(ctrl, Key::T)], Editing),
        line(Action::KeepVariant, M::Edit, "Keep this variant", &[(ctrl, Key::D)], Editing),
        line(Action::WhatIf, M::Edit, "What-if map", &[(none, Key::W)], Editing),
        line(Action::Harder, M::Edit, "Harder by one edit", &[(ctrl, Key::ArrowUp)], Editing),
        line(Action::Easier, M::Edit, "Easier by one edit", &[(ctrl, Key::ArrowDown)], Editing),
        line(Action::Mend, M::Edit, "Suggest fixes", &[(ctrl, Key::M)], Editing),
        line(Action::Tool(Tool::Brush), M::Tools, "Brush", &[(none, Key::B)], Editing),
        line(Action::Tool(Tool::Line), M::Tools, "Line", &[(none, Key::L)], Editing),
        line(Action::Tool(Tool::Rectangle), M::Tools, "Rectangle", &[(none, Key::U)], Editing),
        line(Action::Tool(Tool::Fill), M::Tools, "Fill", &[(none, Key::F)], Editing),
        line(Action::Tool(Tool::Eraser), M::Tools, "Eraser", &[(none, Key::E)], Editing),
        line(Action::Tool(Tool::Pick), M::Tools, "Eyedropper", &[(none, Key::I)], Editing),
        line(Action::Tool(Tool::Select), M::Tools, "Select", &[(none, Key::V)], Editing),
        line(Action::PlayStart, M::Play, "Play from the start / edit", &[(none, Key::F5)], Always),
        line(Action::PlayHere, M::Play, "Play from here / edit", &[(shift, Key::F5)], Always),
        line(Action::Restart, M::Play, "Restart", &[(none, Key::R)], Playing),
        line(Action::Hint, M::Play, "Hint", &[(none, Key::H)], Playing),
        line(Action::BackToWinnable, M::Play, "Back to before the loss", &[(shift, Key::Backspace)], Playing),
        line(Action::Review, M::Play, "Review the game", &[(none, Key::F8)], Playing),
        line(Action::NextLevel, M::Play, "Next level", &[(none, Key::N)], Playing),
        line(Action::Start, M::Play, "Start page", &[(none, Key::Escape)], Playing),
        line(Action::Solve, M::Solve, "Solve the level", &[(none, Key::F6)], Always),
        line(Action::SolveHere, M::Solve, "Solve from the position in play", &[(shift, Key::F6)], Always),
        line(Action::StopSolver, M::Solve, "Stop the solver", &[(ctrl, Key::Period)], Always),
        line(Action::StepFirst, M::Solve, "First step", &[(none, Key::Home)], Stepping),
        line(Action::StepBack, M::Solve, "Step back", &[(none, Key::Comma), (none, Key::ArrowLeft)], Stepping),
        line(Action::StepNext, M::Solve, "Step on", &[(none, Key::Period), (none, Key::ArrowRight)], Stepping),
        line(Action::StepLast, M::Solve, "Last step", &[(none, Key::End)], Stepping),
        line(Action::Autoplay, M::Solve, "Play the steps / pause", &[(none, Key::Space)], Stepping),
        line(Action::TakeOver, M::Solve, "Take over here", &[(none, Key::T)], Stepping),
        line(Action::LeaveSteps, M::Solve, "Stop stepping", &[(none, Key::Escape)], Stepping),
        line(Action::Generate, M::Solve, "Generate levels", &[(none, Key::F7)], Always),
        line(Action::Library(Task::Find), M::Library, "Search the library", &[(ctrl, Key::F)], Always),
        line(Action::Library(Task::Open), M::Library, "Open the selected level", &[(none, Key::Enter)], Library),
        line(Action::Library(Task::Rename), M::Library, "Rename it", &[(none, Key::F2)], Library),
        line(Action::Library(Task::Duplicate), M::Library, "Duplicate", &[(ctrl, Key::D)], Library),
        line(
            Action::Library(Task::Earlier),
            M::Library,
            "Earlier in its pack",
            &[(alt, Key::ArrowUp), (alt, Key::ArrowLeft)],
            Library,
        ),
        line(
            Action::Library(Task::Later),
            M::Library,
            "Later in its pack",
            &[(alt, Key::ArrowDown), (alt, Key::ArrowRight)],
            Library,
        ),
        line(Action::Library(Task::NewPack), M::Library, "New pack of the selected levels…", &[], Library),
        line(
            Action::Library(Task::Export),
            M::Library,
            "Export the selected levels…",
            &[(ctrl_shift, Key::E)],
            Library,
        ),
        line(Action::Library(Task::Copy), M::Library, "Copy as text", &[], Library),
        line(Action::Library(Task::SelectAll), M::Library, "Select the whole pack", &[(ctrl, Key::A)], Library),
        line(Action::Library(Task::Bin), M::Library, "Move to the bin", &[(none, Key::Delete)], Library),
        line(Action::Library(Task::Restore), M::Library, "Restore from the bin", &[], Library),
        line(Action::Library(Task::Undo), M::Library, "Undo in the library", &[(ctrl, Key::Z)], Library),
        line(
            Action::Library(Task::Menu),
            M::Library,
            "Menu of the selected levels",
            &[(none, Key::Menu), (shift, Key::F10)],
            Library,
        ),
        line(Action::Library(Task::ShowBin), M::Library, "Show the bin / everything", &[], Always),
        line(Action::Library(Task::Refresh), M::Library, "Refresh", &[], Always),
        line(Action::Focus, M::View, "Focus mode: only the board", &[(none, Key::F11)], Always),
        line(Action::ZoomIn, M::View, "Zoom in", &[(none, Key::Plus), (none, Key::Equals)], Always),
        line(Action::ZoomOut, M::View, "Zoom out", &[(none, Key::Minus)], Always),
        line(Action::Fit, M::View, "Fit the board", &[(none, Key::Num0)], Always),
        line(Action::ToggleTheme, M::View, "Dark / light", &[(none, Key::F9)], Always),
        line(Action::ToggleMotion, M::View, "Animation on / off", &[(shift, Key::F9)], Always),
        line(Action::ToggleClock, M::View, "Show / hide the time", &[(shift, Key::F8)], Always),
        line(Action::TextLarger, M::View, "Larger text", &[(ctrl, Key::Plus), (ctrl, Key::Equals)], Always),
        line(Action::TextSmaller, M::View, "Smaller text", &[(ctrl, Key::Minus)], Always),
        line(Action::Show(Pane::Library), M::View, "Library", &[(Modifiers::ALT, Key::Num1)], Always),
        line(Action::Show(Pane::Play), M::View, "Play", &[(Modifiers::ALT, Key::Num2)], Always),
        line(Action::Show(Pane::Edit), M::View, "Edit", &[(Modifiers::ALT, Key::Num3)], Always),
        line(Action::Show(Pane::Inspect), M::View, "Inspect", &[(Modifiers::ALT, Key::Num4)], Always),
        line(Action::Show(Pane::Generate), M::View, "Generate", &[(Modifiers::ALT, Key::Num5)], Always),
        line(Action::Show(Pane::Timeline), M::View, "Timeline", &[(Modifiers::ALT, Key::Num6)], Always),
        line(Action::Show(Pane::Start), M::View, "Start", &[(Modifiers::ALT, Key::Num7)], Always),
        line(Action::Show(Pane::History), M::View, "History", &[(Modifiers::ALT, Key::Num8)], Always),
        line(Action::Show(Pane::Variants), M::View, "Variants", &[(Modifiers::ALT, Key::Num9)], Always),
        line(Action::Show(Pane::Map), M::View, "Map", &[(Modifiers::ALT, Key::M)], Always),
        line(Action::ResetLayout, M::View, "Reset layout", &[(Modifiers::ALT, Key::Num0)], Always),
        line(Action::Palette, M::Help, "Find anything…", &[(ctrl, Key::K), (ctrl, Key::P)], Always),
        line(
            Action::KeysHere,
            M::Help,
            "Keys for this game",
            &[(none, Key::Questionmark), (shift, Key::Slash)],
            Always,
        ),
        line(Action::Keys, M::Help, "All keys…", &[(none, Key::F1)], Always),
        line(Action::Guide, M::Help, "Guide for designers", &[(ctrl, Key::F1)], Always),
        line(Action::Rules, M::Help, "Rules of this game", &[(shift, Key::F1)], Always),
        line(Action::Tour, M::Help, "Take the tour", &[], Always),
        line(Action::About, M::Help, "About Tilewright", &[], Always),
    ]
}

/// The line of an action.
pub fn line(act: Action) -> Option<&'static Line> {
    table().iter().find(|l| l.act == act)
}

/// The key of an action as text, for buttons and menus.
pub fn key_text(ctx: &egui::Context, line: &Line) -> String {
    keymap::of(ctx).keys(line).first().map(|k| keymap::label(*k)).unwrap_or_default()
}

/// The key of an action as text; empty if it has none.
pub fn key_of(ctx: &egui::Context, act: Action) -> String {
    line(act).map(|l| key_text(ctx, l)).unwrap_or_default()
}

/// "Undo (Ctrl+Z)": a tooltip that teaches the key.
pub fn tip(ctx: &egui::Context, act: Action) -> String {
    let Some(line) = line(act) else { return String::new() };
    let key = key_text(ctx, line);
    if key.is_empty() { line.name.into() } else { format!("{} ({key})", line.name) }
}
