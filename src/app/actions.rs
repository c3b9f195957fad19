//! What each action does, and how keys become actions or a game's input.

use super::{
    canvas,
    dialogs::{Dialog, Then, asking::Versions, export},
    dock::{Layout, Pane},
    finder, keymap,
    keys::{self, Action, Scope},
    panels::{
        edit::{
            self, stamps, strokes,
            what_if::{self, Shown},
        },
        inspect, library, variants,
    },
    theme::{self, Theme},
    tour::Tour,
    workshop::{LEVEL_CHANGED, Mode, OpenLevel, Workshop},
};
use crate::{
    document::{Board, Selection},
    game::{Input, Key, Status},
    games,
    grid::{Cell, Dir, Sym},
};
use egui::Modifiers;
use std::{path::Path, time::Instant};

/// Carries out an action.
pub fn perform(ctx: &egui::Context, w: &mut Workshop, layout: &mut Layout, act: Action) {
    if act == Action::Undo && w.session.current_mut().is_some_and(strokes::cancel) {
        return;
    }
    if act != Action::Deselect {
        w.session.end_strokes();
    }
    // What was said about a change is not so any more.
    if matches!(act, Action::Undo | Action::Redo) {
        w.message.take_if(|said| said.may_go());
    }
    match act {
        Action::New => {
            if let Some(game) = w.game() {
                w.dialog = Some(Dialog::New { game, size: game.sizes().2 });
            }
        }
        Action::Open => w.dialog = Some(Dialog::Open { path: String::new(), browse: None, note: None, reading: None }),
        Action::Save | Action::SaveAs => {
            let Some(level) = w.session.current_mut().map(|o| o.id) else { return };
            if act == Action::Save { w.save(level, Then::Stay) } else { export::open_to_save(w, level, Then::Stay) }
        }
        Action::Export => export::open(w),
        Action::OpenFolder => export::open_folder(w),
        Action::CopyCode => export::copy_code(ctx, w),
        Action::CopyPicture => export::copy_picture(w),
        Action::Earlier => earlier_versions(w),
        Action::Start if w.focused() => w.focus = false,
        Action::Start => start_or_back(w),
        Action::Focus => {
            w.focus = !w.focused() && !w.session.open.is_empty();
            if w.focus {
                w.enter(Mode::Play);
            }
        }
        Action::CloseLevel => w.close(w.session.active),
        Action::CloseAll => w.close_all(),
        Action::NextOpen => w.activate((w.session.active + 1) % w.session.open.len().max(1)),
        Action::Quit => w.quit(),
        Action::Show(pane) => show_pane(w, layout, pane),
        Action::ResetLayout => {
            let front = w.frame.front.clone();
            *layout = Layout::default();
            let boards = [Pane::Start, Pane::Play, Pane::Edit];
            front.into_iter().filter(|pane| boards.contains(pane)).for_each(|pane| layout.show(pane));
        }
        Action::ToggleTheme => {
            w.settings.theme = if w.settings.theme == Theme::Dark { Theme::Light } else { Theme::Dark };
            restyle(ctx, w);
        }
        Action::TextLarger | Action::TextSmaller => {
            let step = if act == Action::TextLarger { 0.1 } else { -0.1 };
            w.settings.text_scale = ((w.settings.text_scale + step) * 10.0).round().clamp(7.0, 20.0) / 10.0;
            restyle(ctx, w);
        }
        Action::ToggleMotion => {
            w.settings.animate = !w.settings.animate;
            restyle(ctx, w);
            w.say(if w.settings.animate { "animation is on" } else { "animation is off" });
        }
        Action::ToggleClock => w.settings.clock = !w.settings.clock,
        Action::Palette => finder::open(w),
        Action::Preferences => w.dialog = Some(Dialog::Preferences),
        Action::KeysHere => w.dialog = Some(Dialog::KeysHere),
        Action::Keys => w.dialog = Some(Dialog::Keys(Box::default())),
        Action::Guide => w.dialog = Some(Dialog::Guide),
        Action::Rules => w.dialog = w.game().map(Dialog::Rules),
        Action::Tour => w.tour = Some(Tour::BEGIN),
        Action::About => w.dialog = Some(Dialog::About),
        Action::Generate => w.show(Pane::Generate),
        Action::Library(task) => library::perform(ctx, w, task),
        _ => on_level(w, act),
    }
}

/// Puts looks and motion into force everywhere.
pub fn restyle(ctx: &egui::Context, w: &mut Workshop) {
    w.colours = w.settings.colours();
    theme::apply(ctx, &w.settings);
    for open in &mut w.session.open {
        open.doc.set_animate(w.settings.animate);
        open.doc.set_speed(w.settings.motion_speed);
    }
}

fn show_pane(w: &mut Workshop, layout: &mut Layout, pane: Pane) {
    layout.show(pane);
    w.focus &= pane == Pane::Play;
    match pane {
        Pane::Play => w.session.mode = Mode::Play,
        Pane::Edit => w.session.mode = Mode::Edit,
        // Its keys are the level's after a click that opened one.
        Pane::Library => w.library.give_keys(),
        _ => {}
    }
}

/// To the start page; from a list of levels back to its front; from there back to the level.
fn start_or_back(w: &mut Workshop) {
    if !w.is_front(Pane::Start) {
        // To its front, whatever was listed there when it was left.
        w.start.back();
        w.show(Pane::Start);
    } else if !w.start.back() && !w.session.open.is_empty() {
        w.enter(w.session.mode);
    }
}

fn earlier_versions(w: &mut Workshop) {
    let path = w.session.current().and_then(|o| o.path()).map(Path::to_path_buf);
    match (path, w.services.backups.clone()) {
        (Some(path), Some(root)) => {
            let list = Versions::look(&root, &path, w.colours.clone(), w.services.wake.clone());
            w.dialog = Some(Dialog::Versions(Box::new(list)));
        }
        (None, _) => w.say("this level has not been saved yet, so it has no earlier versions"),
        (_, None) => w.say("there is no folder for earlier versions"),
    }
}

/// Actions that need an open level.
fn on_level(w: &mut Workshop, act: Action) {
    let editing = w.session.mode == Mode::Edit;
    let limits = inspect::limits(w);
    let goal = w.inspect.goal;
    let Some(open) = w.session.current_mut() else {
        w.say("open a level first");
        return;
    };
    let doc = &mut open.doc;
    match act {
        Action::Undo if editing => drop(doc.undo_edit()),
        Action::Redo if editing => drop(doc.redo_edit()),
        Action::Undo => drop(doc.undo()),
        Action::Redo => drop(doc.redo()),
        Action::Delete => {
            if let Some(s) = open.edit.selection {
                doc.clear_part(s, "empty the selection");
            }
        }
        Action::SelectAll => {
            let at = Cell::default();
            open.edit.selection = Some(Selection { at, size: doc.board_size(Board::Draft) });
            open.edit.tool = edit::Tool::Select;
        }
        Action::Deselect => strokes::escape(open),
        Action::TurnBoard | Action::FlipH | Action::FlipV => {
            let sym = match act {
                Action::TurnBoard => Sym::TURN,
                Action::FlipH => Sym::FLIP_H,
                _ => Sym::FLIP_V,
            };
            open.edit.selection = None;
            open.edit.lit.clear();
            open.edit.cursor = None;
            if !doc.transform(sym) {
                w.say("boards of this game cannot be turned that way");
            }
        }
        Action::Resize => {
            let (level, size) = (open.id, doc.board_size(Board::Draft));
            w.dialog = Some(Dialog::Resize { level, size, anchor: (0, 0) });
        }
        Action::Tool(tool) => {
            open.edit.tool = tool;
            open.stamp = None;
            if tool != edit::Tool::Select {
                open.edit.selection = None;
            }
        }
        Action::KeepVariant => variants::keep(w),
        Action::MakeStamp => stamps::make(w),
        Action::WhatIf => {
            let what_if = &mut open.edit.what_if;
            what_if.shown = if what_if.shown.is_some() { None } else { Some(Shown::Brush) };
            what_if.by_one = None;
        }
        Action::Harder | Action::Easier => what_if::want(open, act == Action::Harder),
        Action::Mend => doc.ask_mends(),
        Action::TurnInk | Action::MirrorInk if open.stamp.is_some() => {
            stamps::turn(w, if act == Action::TurnInk { Sym::TURN } else { Sym::FLIP_H });
        }
        Action::TurnInk | Action::MirrorInk => {
            let mut ink = open.edit.ink(&**doc);
            ink.sym = ink.sym.then(if act == Action::TurnInk { Sym::TURN } else { Sym::FLIP_H });
            open.edit.ink = Some(ink);
        }
        Action::PlayStart | Action::PlayHere => play_or_edit(w, act == Action::PlayHere),
        Action::Restart => {
            doc.restart();
            open.stepping = false;
        }
        Action::BackToWinnable => {
            open.stepping = false;
            doc.back_to_winnable();
        }
        Action::Review => {
            open.stepping = false;
            doc.ask_review();
        }
        Action::NextLevel => w.open_next(),
        Action::Hint => {
            open.stepping = false;
            doc.ask_hint();
        }
        Action::Solve | Action::SolveHere => {
            let ok = doc.solve(goal, limits, act == Action::SolveHere);
            // The whole solution takes the place of its next move.
            doc.drop_hint();
            w.show(Pane::Inspect);
            if !ok {
                w.complain("this draft cannot be played, so there is nothing to solve: see its problems in Edit");
            }
        }
        Action::StopSolver => doc.stop_solving(),
        Action::StepFirst | Action::StepBack | Action::StepNext | Action::StepLast => {
            let (step, all) = (doc.step(), doc.line_len());
            if all == 0 {
                return;
            }
            doc.set_step(match act {
                Action::StepFirst => 0,
                Action::StepBack => step.saturating_sub(1),
                Action::StepNext => step + 1,
                _ => all,
            });
            enter_steps(w);
            w.session.autoplay = None;
        }
        Action::Autoplay if doc.line_len() > 0 => {
            if doc.step() == doc.line_len() {
                doc.set_step(0);
            }
            enter_steps(w);
            w.session.autoplay = if w.session.autoplay.is_some() { None } else { Some(Instant::now()) };
        }
        Action::TakeOver if doc.stale() => w.say("the level has changed since this line was found: solve it again"),
        Action::TakeOver if doc.take_over() => {
            open.stepping = false;
            w.session.autoplay = None;
            w.enter(Mode::Play);
        }
        Action::LeaveSteps => {
            open.stepping = false;
            w.session.autoplay = None;
        }
        Action::ZoomIn | Action::ZoomOut => {
            let factor = if act == Action::ZoomIn { 1.25 } else { 0.8 };
            canvas::zoom_by(&mut open.camera, open.scale, factor);
        }
        Action::Fit => open.camera.zoom = None,
        _ => {}
    }
}

fn enter_steps(w: &mut Workshop) {
    w.play_draft();
    if let Some(open) = w.session.current_mut() {
        open.stepping = true;
    }
    w.enter(Mode::Play);
}

fn play_or_edit(w: &mut Workshop, here: bool) {
    let mode = w.session.mode;
    let Some(open) = w.session.current_mut() else { return };
    if mode == Mode::Play {
        w.enter(Mode::Edit);
        return;
    }
    open.stepping = false;
    let changed = open.doc.in_play() && !open.doc.plays_draft();
    let ok = if here { open.doc.play_from_here() } else { open.doc.play_from_start() };
    if ok {
        w.enter(Mode::Play);
        if changed {
            w.say(LEVEL_CHANGED);
        }
    } else {
        let why = open.doc.problems().first().map(|p| p.text.clone()).unwrap_or_default();
        w.complain(format!("this draft cannot be played yet: {why}"));
    }
}

/// Turns this frame's keys into actions and a game's input.
pub fn keyboard(ctx: &egui::Context, w: &mut Workshop) -> Vec<Action> {
    if ctx.input(|i| i.pointer.any_pressed()) {
        w.library.forget_click();
    }
    let mut events = std::mem::take(&mut w.frame.late_keys);
    if w.in_modal() {
        return Vec::new();
    }
    let typing = ctx.text_edit_focused();
    if !typing {
        clipboard(ctx, w);
    }
    // A focused button keeps Space, Enter and the arrows; the board has them when it or nothing is focused.
    let board_has_keys = !typing && (ctx.memory(|m| m.focused().is_none()) || w.frame.board_focused(ctx));
    let (table, keymap) = (keys::table(), keymap::of(ctx));
    let mut acts = Vec::new();
    events.extend(ctx.input(|i| i.events.clone()));
    for event in events {
        let egui::Event::Key { key, pressed: true, modifiers, repeat, .. } = event else { continue };
        let plain = !modifiers.command && !modifiers.alt && !modifiers.ctrl;
        let function = matches!(key.name().as_bytes(), [b'F', b'1'..=b'9', ..]);
        let leaves_field = w.frame.typing && key == egui::Key::Escape;
        // It closes the menu that is open, and nothing else.
        if key == egui::Key::Escape && egui::Popup::is_any_open(ctx) {
            continue;
        }
        if (typing || leaves_field) && plain && !function {
            continue;
        }
        let stepping = w.session.current().is_some_and(|o| o.stepping) && w.session.mode == Mode::Play;
        let line_there = w.session.current().is_some_and(|o| o.doc.line_len() > 0);
        let moving = matches!(
            key,
            egui::Key::ArrowUp
                | egui::Key::ArrowDown
                | egui::Key::ArrowLeft
                | egui::Key::ArrowRight
                | egui::Key::Space
                | egui::Key::Enter
        );
        let meant = keymap::meant(key, modifiers);
        let here =
            |l: &&keys::Line| keymap.keys(l).iter().any(|k| k.logical_key == key && meant.matches_exact(k.modifiers));
        let for_library = w.library.has_focus() || (w.library.was_clicked() && plain && !moving);
        if for_library
            && !typing
            && let Some(line) = table.iter().filter(|l| l.scope == Scope::Library).find(here)
        {
            acts.push(line.act);
            continue;
        }
        w.library.forget_click();
        if moving && plain && !board_has_keys {
            continue;
        }
        // A board that is hidden behind the start page has no keys.
        let hidden = w.is_front(Pane::Start) && !w.is_front(Pane::Play) && !w.is_front(Pane::Edit);
        if hidden && plain && key == egui::Key::Escape {
            acts.push(Action::Start);
            continue;
        }
        let ended = w.session.current().filter(|_| !hidden && !stepping && w.session.mode == Mode::Play);
        let ended = ended.filter(|o| o.doc.status() != Status::Playing);
        if let Some(open) = ended
            && plain
            && key == egui::Key::Enter
        {
            if !repeat {
                let on = open.doc.status() == Status::Won || open.run.is_some_and(|r| r.over);
                acts.push(if on { Action::NextLevel } else { Action::Undo });
            }
            continue;
        }
        if plain && !hidden && !stepping && w.session.mode == Mode::Play && play_key(w, key, modifiers) {
            continue;
        }
        // It closes what is on top: a review before it leaves the level.
        let playing = !hidden && !stepping && w.session.mode == Mode::Play;
        if plain && playing && key == egui::Key::Escape && close_review(w) {
            continue;
        }
        let fits = |l: &keys::Line| match l.scope {
            Scope::Always => true,
            _ if hidden => false,
            Scope::Editing => w.session.mode == Mode::Edit,
            Scope::Playing => w.session.mode == Mode::Play && !stepping,
            Scope::Library => false,
            // Comma and period step at any time; the other keys only where they mean nothing else.
            Scope::Stepping => stepping || (line_there && matches!(key, egui::Key::Comma | egui::Key::Period)),
        };
        let hit = table.iter().filter(|l| fits(l)).find(here);
        if let Some(line) = hit {
            let once = matches!(
                line.act,
                Action::PlayStart | Action::PlayHere | Action::Autoplay | Action::Solve | Action::NextLevel
            );
            if !(repeat && once) {
                acts.push(line.act);
            }
        } else if plain && !hidden && w.session.mode == Mode::Edit {
            edit_key(w, key);
        }
    }
    acts
}

fn clipboard(ctx: &egui::Context, w: &mut Workshop) {
    for event in ctx.input(|i| i.events.clone()) {
        if matches!(event, egui::Event::Copy | egui::Event::Cut | egui::Event::Paste(_)) {
            w.session.end_strokes();
        }
        let editing = w.session.mode == Mode::Edit;
        let Some(open) = w.session.current_mut() else {
            if let egui::Event::Paste(text) = event {
                w.open_text(&text);
            }
            continue;
        };
        match event {
            egui::Event::Copy | egui::Event::Cut if editing => {
                let all = Selection { at: Cell::default(), size: open.doc.board_size(Board::Draft) };
                let part = open.edit.selection.unwrap_or(all);
                ctx.copy_text(open.doc.copy_part(part));
                if matches!(event, egui::Event::Cut) && open.edit.selection.is_some() {
                    open.doc.clear_part(part, "cut");
                }
                w.say("copied as text");
            }
            egui::Event::Copy => {
                let line = if open.stepping { open.doc.line_text().into() } else { open.doc.played_line() };
                ctx.copy_text(line);
                w.say("moves copied as text");
            }
            egui::Event::Paste(text) if editing => {
                let at = open.edit.selection.map(|s| s.at).or(open.edit.cursor.map(|c| c.cell)).unwrap_or_default();
                match open.doc.paste(&text, at) {
                    Ok(part) => {
                        open.edit.selection = part.clipped(open.doc.board_size(Board::Draft));
                        open.edit.tool = edit::Tool::Select;
                    }
                    // A level of another game opens beside this one.
                    Err(_) => w.open_text(&text),
                }
            }
            egui::Event::Paste(text) => w.open_text(&text),
            _ => {}
        }
    }
}

/// Offers a key to the game; true if it meant something there.
fn play_key(w: &mut Workshop, key: egui::Key, modifiers: Modifiers) -> bool {
    let Some(open) = w.session.current_mut().filter(|o| o.doc.plays_draft()) else { return false };
    let shift = modifiers.shift;
    let letter = key.name().chars().next().filter(|_| key.name().len() == 1).map(|c| c.to_ascii_lowercase());
    let first = match key {
        egui::Key::ArrowUp => Key::Dir(Dir::Up),
        egui::Key::ArrowRight => Key::Dir(Dir::Right),
        egui::Key::ArrowDown => Key::Dir(Dir::Down),
        egui::Key::ArrowLeft => Key::Dir(Dir::Left),
        egui::Key::Space | egui::Key::Enter => Key::Activate,
        egui::Key::Escape => Key::Cancel,
        egui::Key::PageDown => Key::Next(true),
        egui::Key::PageUp => Key::Next(false),
        egui::Key::T => Key::Turn(!shift),
        egui::Key::F if !shift => Key::Mirror,
        egui::Key::W => Key::Dir(Dir::Up),
        egui::Key::D => Key::Dir(Dir::Right),
        egui::Key::S => Key::Dir(Dir::Down),
        egui::Key::A => Key::Dir(Dir::Left),
        _ => match letter.filter(|_| !shift) {
            Some(c) => Key::Char(c),
            None => return false,
        },
    };
    let feedback = open.doc.input(&Input::Key(first));
    if let Some(text) = feedback.say {
        w.say(text);
    }
    feedback.used
}

/// Puts the review of the game in front away; false if there is none.
fn close_review(w: &mut Workshop) -> bool {
    let reviewed = |o: &&mut OpenLevel| o.doc.review().is_some() || o.doc.review_pending();
    let Some(open) = w.session.current_mut().filter(reviewed) else { return false };
    open.doc.close_review();
    true
}

fn edit_key(w: &mut Workshop, key: egui::Key) {
    let Some(open) = w.session.current_mut() else { return };
    match key {
        egui::Key::ArrowUp => strokes::move_cursor(open, Dir::Up),
        egui::Key::ArrowRight => strokes::move_cursor(open, Dir::Right),
        egui::Key::ArrowDown => strokes::move_cursor(open, Dir::Down),
        egui::Key::ArrowLeft => strokes::move_cursor(open, Dir::Left),
        egui::Key::Space | egui::Key::Enter => strokes::paint_at_cursor(open),
        _ => {
            let Some(digit) = key.name().parse::<usize>().ok().filter(|d| (1..=9).contains(d)) else { return };
            // Where there are digits in the palette a digit means itself, else the place.
            let swatches = open.doc.palette().swatches;
            let swatch = match swatches.iter().any(|s| s.id == "1") {
                true => swatches.iter().position(|s| s.id == key.name()),
                false => Some(digit - 1).filter(|i| *i < swatches.len()),
            };
            if let Some(swatch) = swatch {
                let ink = open.edit.ink(&*open.doc);
                open.edit.ink = Some(crate::game::Ink { swatch, ..ink });
            }
        }
    }
}

/// The first level a new user sees.
pub fn welcome(w: &mut Workshop) {
    let first = games::offered().iter().find(|g| !g.info().levels.is_empty());
    if let Some(game) = first {
        w.open_shipped(game.info().id, 0);
    }
}
