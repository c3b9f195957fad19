//! Playing, and stepping through a line: the same canvas, the same camera.

use super::{AroundBoard, inspect::Overlay, lines, nothing_open, one_line, par_alone, tip_aside};
use crate::{
    analysis::{Report, singular},
    app::{
        campaign::Won,
        canvas,
        icons::{self, Icon},
        keys::{Action, key_of, tip},
        theme::{egui_colour, text_colour},
        workshop::{Mode, OpenLevel, Workshop},
    },
    document::Board,
    game::{Input, Status},
    memory::Ranked,
    picture::Colours,
};
use egui::{RichText, Ui, vec2};

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    if w.session.open.is_empty() {
        let key = key_of(ui.ctx(), Action::New);
        nothing_open(ui, &format!("Choose one in the Library, or make a new one with {key}."));
        return;
    }
    let playable = w.play_draft();
    let Some(open) = w.session.current_mut() else { return };
    if open.stepping && open.doc.line_len() == 0 && open.doc.report().is_none() {
        open.stepping = false;
    }
    if !open.stepping && !playable {
        ui.vertical_centered(|ui| {
            ui.add_space(ui.available_height() * 0.3);
            ui.heading("This draft cannot be played yet");
            for problem in open.doc.problems().iter().take(4) {
                ui.label(&problem.text);
            }
            if ui.button("Back to Edit").clicked() {
                w.frame.asked.push(Action::PlayStart);
            }
        });
        return;
    }
    AroundBoard { column, strip, board }.show(ui, w);
}

fn action(ui: &mut Ui, label: &str, act: Action) -> Option<Action> {
    ui.button(label).on_hover_text(tip(ui.ctx(), act)).clicked().then_some(act)
}

/// Controls and counts.
fn column(ui: &mut Ui, w: &mut Workshop) {
    let run = w.session.current().and_then(|o| w.run_words(o));
    let can_skip = w.session.current().is_some_and(|o| w.can_skip(o));
    let ranked = w.session.current().map(|o| w.ranked(o)).unwrap_or_default();
    let Some(open) = w.session.current_mut() else { return };
    let (mut ask, mut new_run, mut skip) = (None, None, false);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        let (made, known) = open.doc.progress();
        ui.horizontal_wrapped(|ui| {
            ui.add_enabled_ui(!open.stepping, |ui| {
                for (icon, act, on) in [(Icon::Undo, Action::Undo, made > 0), (Icon::Redo, Action::Redo, made < known)]
                {
                    if icons::button(ui, icon, &tip(ui.ctx(), act), false, on).clicked() {
                        ask = Some(act);
                    }
                }
            });
            ask = ask.or(action(ui, "Restart", Action::Restart)).or(action(ui, "Hint", Action::Hint));
        });
        for (name, n) in open.doc.counts() {
            ui.label(format!("{name} {n}"));
        }
        if let Some(par) = open.doc.par() {
            let goal = open.doc.game().goals()[open.doc.game().info().par_goal];
            let count = singular(open.doc.game().info().counts[goal.count], par.count);
            let known = if par.proven { "" } else { ", best known" };
            let text = format!("par {} {count}{}{known}", par.count, par_alone(open.doc.game()));
            let about = format!("Par: {}. Three stars for par or fewer, two up to two more.", goal.name);
            ui.label(text).on_hover_text(about);
        }
        if w.settings.clock {
            ui.label(minutes(open.doc.play_time()));
        }
        if let Some(left) = open.doc.tick_clock() {
            ui.label(format!("{left:.0} s for this turn"));
            ui.ctx().request_repaint_after(std::time::Duration::from_millis(250));
        }
        if let Some(words) = &run {
            ui.label(words).on_hover_text("Boards cleared in this run");
            if ui.button("New run").clicked() {
                new_run = open.run.map(|r| (open.doc.game().info().id, r.kind));
            }
        }
        let offers = open.doc.offers();
        for (i, (label, chosen)) in offers.iter().enumerate() {
            if ui.selectable_label(*chosen, label).clicked() && !chosen {
                open.doc.take_offer(i);
            }
        }
        if can_skip {
            skip = ui.button("Skip level").on_hover_text("Go on to the next level; this one stays open").clicked();
        }
        ranking(ui, open, &ranked);
        review(ui, open);
    });
    if skip {
        w.skip();
        return;
    }
    if let Some((game, kind)) = new_run {
        w.start_run(game, kind);
    }
    if let Some(act) = ask {
        w.ask(act);
    }
}

/// The game that was played, with what was still possible after each turn. A click goes there.
fn review(ui: &mut Ui, open: &mut OpenLevel) {
    if open.doc.review_pending() {
        ui.separator();
        ui.horizontal(|ui| {
            ui.spinner();
            ui.label("reviewing …");
        });
    }
    let Some(review) = open.doc.review() else { return };
    let (at, _) = open.doc.progress();
    let stepping = open.stepping;
    let (mut go, mut close) = (None, false);
    ui.separator();
    ui.horizontal_wrapped(|ui| {
        ui.strong("Review")
            .on_hover_text(format!("Beside each turn: the fewest {} still possible after it", review.unit));
        close = ui.small_button("Close").clicked();
    });
    let mut row = |ui: &mut Ui, text: String, after: usize, value: String, mark: bool, hover: &str| {
        let here = !stepping && after == at;
        let colour = if mark { ui.visuals().warn_fg_color } else { ui.visuals().weak_text_color() };
        let value = RichText::new(if mark { format!("?! {value}") } else { value }).color(colour);
        let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
        let button = egui::Button::selectable(here, &text).right_text(value).truncate().min_size(size);
        let button = ui.add(button);
        if tip_aside(ui, button, hover).clicked() {
            go = Some(after);
        }
    };
    let (begins, earlier) = review.begins;
    let start = if earlier == 0 { "start".into() } else { "the opponent was changed".to_string() };
    row(ui, start, begins, review.start.text(), false, "");
    for (i, r) in review.rows.iter().enumerate() {
        let mut turn = format!("{} {}", r.piece, r.moves.join(" "));
        if !r.replies.is_empty() {
            turn += &format!(" · {}", r.replies.join(", "));
        }
        let mistake = review.mistake.as_ref().filter(|m| m.row == i);
        let hover = mistake.map_or_else(|| turn.clone(), |m| format!("{turn}: {}", m.text));
        row(ui, format!("{}. {turn}", r.first), r.after, r.value.text(), r.mistake, &hover);
    }
    if close {
        open.doc.close_review();
    } else if let Some(after) = go {
        open.stepping = false;
        open.doc.go_to(after);
    }
}

/// What the review says, in one line.
fn verdict(open: &OpenLevel) -> Option<String> {
    let review = open.doc.review()?;
    Some(match &review.mistake {
        Some(mistake) => {
            let lost = review.lost_by.map(|row| format!("Move {} lost the game", review.rows[row].first));
            let which = if mistake.first { "First mistake" } else { "A mistake" };
            let other = (review.lost_by != Some(mistake.row))
                .then(|| format!("{which}: move {}, {}", mistake.number, mistake.text));
            let better = mistake.better.as_ref().map(|b| format!("Better: {b}"));
            [lost, other, better].into_iter().flatten().collect::<Vec<_>>().join(". ")
        }
        None if review.start.lost() => "It could not be won from the start".into(),
        None if review.rows.iter().all(|r| r.value.known()) => "No mistake".into(),
        None => "No mistake is proven, but not every turn could be judged".into(),
    })
}

/// What to do about the first mistake.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Again {
    TryFrom(usize),
    Better,
}

/// The buttons below a review: what to do about the mistake, and the way back where that leads elsewhere.
fn after_review(ui: &mut Ui, open: &OpenLevel) -> (Option<Again>, Option<Action>) {
    let Some(review) = open.doc.review() else { return (None, None) };
    let mut chosen = None;
    if let Some(mistake) = &review.mistake {
        if ui.button("Try again from there").on_hover_text("Back to the position before the mistake").clicked() {
            chosen = Some(Again::TryFrom(mistake.before));
        }
        if mistake.better.is_some()
            && ui.button("Show the better line").on_hover_text("Step through what was better here").clicked()
        {
            chosen = Some(Again::Better);
        }
    }
    let same = review.mistake.as_ref().is_some_and(|m| review.lost_by == Some(m.row));
    let lost = open.doc.status() == Status::Lost || open.doc.lost_cause() == Some(true);
    let back = if lost && !same && !review.start.lost() { go_back(ui, open) } else { None };
    (chosen, back)
}

fn act_on(open: &mut OpenLevel, again: Option<Again>) {
    match again {
        Some(Again::TryFrom(at)) => open.doc.go_to(at),
        Some(Again::Better) => open.stepping = open.doc.show_better(),
        None => {}
    }
}

/// The best games of this level: points, moves and time, the one on the board in bold.
fn ranking(ui: &mut Ui, open: &OpenLevel, ranked: &[Ranked]) {
    if ranked.is_empty() {
        return;
    }
    let here = open.won.as_ref().and_then(|w| w.now().place_in(ranked));
    let moves = open.doc.game().info().counts.first().copied().unwrap_or("moves");
    ui.add_space(6.0);
    ui.label(RichText::new("Best games").strong());
    egui::Grid::new("best games").num_columns(4).spacing(vec2(8.0, 2.0)).show(ui, |ui| {
        for head in ["", "points", moves, "time"] {
            ui.weak(head);
        }
        ui.end_row();
        for (i, game) in ranked.iter().enumerate() {
            let time = game.time().map_or_else(|| "–".to_string(), minutes);
            for text in [format!("{}.", i + 1), game.points.to_string(), game.moves.to_string(), time] {
                let text = RichText::new(text);
                ui.label(if here == Some(i + 1) { text.strong() } else { text });
            }
            ui.end_row();
        }
    });
}

/// What is going on: the step, the hint, the opponent, the end.
fn strip(ui: &mut Ui, w: &mut Workshop) {
    let Some(open) = w.session.current() else { return };
    let mut again = None;
    let ask = if open.stepping {
        step(ui, open)
    } else if open.doc.status() != Status::Playing {
        return ended(ui, w);
    } else {
        under_way(ui, open, w.settings.show_thinking, &mut again)
    };
    if let Some(act) = ask {
        w.ask(act);
    }
    if let Some(open) = w.session.current_mut() {
        act_on(open, again);
    }
}

fn step(ui: &mut Ui, open: &OpenLevel) -> Option<Action> {
    ui.horizontal(|ui| {
        ui.label(RichText::new(format!("Step {} of {}", open.doc.step(), open.doc.line_len())).strong());
        if open.doc.stale() {
            one_line(ui, RichText::new("from before the last edit").color(ui.visuals().warn_fg_color));
        }
    });
    let next = open.doc.next_move().map(|n| n.text).filter(|t| !t.is_empty());
    one_line(ui, next.map_or_else(String::new, |text| format!("next: {text}")));
    let buttons = ui.horizontal(|ui| {
        action(ui, "Take over here", Action::TakeOver).or(action(ui, "Back to play", Action::LeaveSteps))
    });
    buttons.inner
}

fn under_way(ui: &mut Ui, open: &OpenLevel, show_thinking: bool, again: &mut Option<Again>) -> Option<Action> {
    let mut ask = None;
    let reviewed = verdict(open);
    // The caption gives way to what is said about the position: there is no room for both.
    let alone = reviewed.is_none() && open.doc.lost_reason().is_none();
    ui.horizontal(|ui| {
        // As high when it is empty: the lines below stay where they are while an opponent thinks.
        ui.set_min_height(ui.spacing().interact_size.y);
        if reviewed.is_some() {
            (*again, ask) = after_review(ui, open);
        } else if open.doc.lost_cause() == Some(true) {
            let what = if open.doc.progress().0 == 0 { "This level" } else { "This position" };
            let words = RichText::new(format!("{what} cannot be won")).strong();
            ui.label(words.color(ui.visuals().warn_fg_color));
            ask = go_back(ui, open);
            if open.doc.progress().0 > 0 && !open.doc.review_pending() {
                ask = ask.or(action(ui, "Review", Action::Review));
            }
        } else if open.doc.thinking() && show_thinking {
            ui.spinner();
            ui.label("the opponent is thinking");
        }
    });
    if let Some(words) = reviewed {
        one_line(ui, words);
    }
    if let Some(reason) = open.doc.lost_reason() {
        one_line(ui, RichText::new(&reason.text).strong());
    }
    if let Some(hint) = open.doc.hint().filter(|h| !h.text.is_empty()) {
        // The way of a drag may be long.
        lines(ui, RichText::new(hint.text).strong(), if alone { 2 } else { 1 });
    } else if open.doc.hint_pending() {
        ui.label("looking for a hint …");
    } else if let Some(caption) = open.doc.meta().notes.lines().next().filter(|_| alone) {
        one_line(ui, caption);
    }
    ui.weak(open.doc.notices().join(" · "));
    ask
}

/// The way back to the last position that is not proven lost.
fn go_back(ui: &mut Ui, open: &OpenLevel) -> Option<Action> {
    match open.doc.going_back() {
        _ if open.doc.progress().0 == 0 => None,
        None => action(ui, "Back to before the loss", Action::BackToWinnable),
        Some(true) => {
            ui.spinner();
            one_line(ui, "looking for where it was lost …");
            None
        }
        Some(false) => {
            one_line(ui, "lost from the start");
            None
        }
    }
}

/// How the game ended: a slim bar below the board, which stays in sight.
fn ended(ui: &mut Ui, w: &mut Workshop) {
    let colours = w.colours.clone();
    let Some(open) = w.session.current() else { return };
    let status = open.doc.status();
    let run = w.run_words(open);
    let (title, colour, default) = match status {
        Status::Won if run.is_some() => ("Cleared!", colours.good, ("Next board", Action::NextLevel)),
        Status::Won => ("LEVEL COMPLETE!", colours.good, ("Next level", Action::NextLevel)),
        Status::Lost if run.is_some() => ("Stranded", colours.bad, ("New run", Action::NextLevel)),
        Status::Lost => ("Lost", colours.bad, ("Take a move back", Action::Undo)),
        _ => ("A draw", colours.warn, ("Take a move back", Action::Undo)),
    };
    let (mut ask, mut keep) = (None, false);
    ui.horizontal(|ui| {
        ui.label(RichText::new(title).heading().strong().color(text_colour(colour, &colours)));
        if let Some(words) = run {
            ui.label(RichText::new(words).strong());
            if status == Status::Won && open.doc.taken_over() {
                one_line(ui, "with moves of a solution: not counted");
            }
        } else if status == Status::Won && open.doc.taken_over() {
            one_line(ui, "with moves of a solution: not counted");
        } else if status == Status::Won {
            star_row(ui, open.doc.stars(), &colours);
        } else if let Some(why) = open.doc.notices().into_iter().next() {
            one_line(ui, why);
        } else if let Some(reason) = open.doc.lost_reason() {
            one_line(ui, &reason.text);
        }
    });
    let words = |ui: &mut Ui| {
        let reviewed = verdict(open);
        // Below a lost game that is reviewed there may be two rows of buttons.
        if reviewed.is_none() || status == Status::Won {
            one_line(ui, result(open, w.settings.clock).join(" · "));
        }
        let compared = open.won.as_ref().map(Won::compared).unwrap_or_default();
        one_line(ui, reviewed.map_or_else(|| RichText::new(compared.join(" · ")).weak(), RichText::new));
    };
    // Where the text is too large for both, the buttons come first.
    let buttons_first = ui.available_height() < 3.0 * ui.spacing().interact_size.y;
    if !buttons_first {
        words(ui);
    }
    let mut again = None;
    ui.horizontal_wrapped(|ui| {
        let (label, act) = default;
        let button = egui::Button::new(RichText::new(label).strong()).shortcut_text("Enter");
        let button = ui.add(button.selected(true)).on_hover_text(tip(ui.ctx(), act)).accessible_name(label);
        ask = button.clicked().then_some(act);
        if open.run.is_some() && status == Status::Lost {
            ask = ask.or(action(ui, "Take a move back", Action::Undo));
        }
        ask = ask.or(action(ui, "Again", Action::Restart));
        if open.doc.review().is_some() {
            let (chosen, back) = after_review(ui, open);
            (again, ask) = (chosen, ask.or(back));
        } else if open.doc.review_pending() {
            ui.spinner();
        } else {
            if status == Status::Lost {
                ask = ask.or(go_back(ui, open));
            }
            ask = ask.or(action(ui, "Review", Action::Review));
        }
        keep = status == Status::Won
            && ui.button("Keep solution").on_hover_text("Save this solution with the level").clicked();
    });
    if buttons_first {
        words(ui);
    }
    if keep && let Some(solution) = open.doc.played() {
        w.keep(solution, w.settings.keep_only_better);
    }
    if let Some(act) = ask {
        w.ask(act);
    }
    if let Some(open) = w.session.current_mut() {
        act_on(open, again);
    }
}

/// "14 steps (par 12)", the time, the help.
fn result(open: &OpenLevel, clock: bool) -> Vec<String> {
    let doc = &open.doc;
    let par_count = doc.game().goals()[doc.game().info().par_goal].count;
    let par = doc.par().filter(|_| doc.status() == Status::Won);
    let count = |(i, (name, n)): (usize, (&'static str, u32))| match &par {
        Some(par) if i == par_count => {
            format!("{n} {} (par {}{})", singular(name, n), par.count, par_alone(doc.game()))
        }
        _ => format!("{n} {}", singular(name, n)),
    };
    let mut parts: Vec<String> = doc.counts().into_iter().enumerate().map(count).collect();
    parts.extend(clock.then(|| minutes(doc.play_time())));
    parts.extend(doc.points().map(|p| format!("{p} points")));
    match doc.hints_used() {
        0 if doc.taken_over() || doc.solution_seen() => {}
        0 => parts.push("no hints".into()),
        1 => parts.push("with one hint".into()),
        n => parts.push(format!("with {n} hints")),
    }
    if doc.solution_seen() && !doc.taken_over() {
        parts.push("after seeing the solution".into());
    }
    parts
}

fn board(ui: &mut Ui, w: &mut Workshop) {
    let colours = &w.colours.clone();
    let clock_runs = w.session.mode == Mode::Play && w.settings.clock;
    let (overlay, animate, axes) = (w.inspect.overlay, w.settings.animate, w.settings.axes);
    let Some(open) = w.session.current_mut() else { return };
    if open.stepping && open.doc.comparison().is_some() {
        side_by_side(ui, open, colours);
        return;
    }
    let board = if open.stepping { Board::Step(open.doc.step()) } else { Board::Play };
    // The wheel turns a piece in hand where the game wants that; else it zooms.
    let notches = ui.input(|i| i.smooth_scroll_delta().y / 50.0);
    let over = ui.rect_contains_pointer(ui.available_rect_before_wrap());
    let wheel_taken =
        board == Board::Play && over && notches != 0.0 && open.doc.input(&Input::Wheel(notches.signum())).used;
    let canvas = canvas::show(ui, "play board", open.doc.extent(board), &mut open.camera, wheel_taken, colours);
    open.scale = canvas.view.scale;
    let mut say = None;
    if board == Board::Play {
        say = pointer(ui, open, &canvas);
    }
    if canvas.response.clicked() || canvas.response.drag_started() {
        canvas.response.request_focus();
    }
    hold_focus(ui, &canvas.response);
    let took_part = canvas.response.is_pointer_button_down_on();
    canvas.draw(&open.doc.picture(board, colours, canvas.view.scale));
    if axes {
        canvas.axes(&*open.doc, board, colours);
    }
    if open.stepping {
        let spots = match overlay {
            Overlay::None => Vec::new(),
            Overlay::Visited => open.doc.heat().to_vec(),
            Overlay::OfGame(index) => open.doc.overlay(board, index).to_vec(),
        };
        canvas.tint(&*open.doc, board, &spots, colours.warn);
    }
    if let Some(reason) = open.doc.lost_reason().filter(|_| board == Board::Play) {
        canvas.explain(&*open.doc, board, reason, colours);
    }
    if let Some(ahead) = open.doc.ahead(board, colours, canvas.view.scale) {
        canvas.draw(&ahead);
    }
    let won = board == Board::Play && open.doc.status() == Status::Won && !open.doc.taken_over();
    open.celebration.see(won, animate);
    open.celebration.draw(&canvas, open.doc.extent(board), colours);
    canvas.name_spots(ui, &*open.doc, board);
    if open.doc.in_motion(board) || open.celebration.is_on() {
        ui.ctx().request_repaint();
    }
    if board == Board::Play && open.doc.status() == Status::Playing && clock_runs && open.doc.progress().0 > 0 {
        // The clock moves on once a second.
        ui.ctx().request_repaint_after(std::time::Duration::from_secs(1));
    }
    if let Some(text) = say {
        w.say(text);
    }
    w.frame.is_board(canvas.response.id);
    if took_part && w.session.mode != Mode::Play {
        w.session.mode = Mode::Play;
    }
}

/// Two lines, each on its board after as many moves as have been stepped; they are the same up to where they part.
fn side_by_side(ui: &mut Ui, open: &mut OpenLevel, colours: &Colours) {
    let Some(other) = open.doc.comparison().cloned() else { return };
    let (step, all) = (open.doc.step(), open.doc.line_len());
    let shown = open.doc.report().map_or_else(String::new, Report::counts_text);
    let size = ui.available_size();
    // Beside each other where the panel is wide, else below each other.
    let wide = size.x >= size.y;
    let half = if wide { vec2((size.x - 8.0) / 2.0, size.y) } else { vec2(size.x, (size.y - 8.0) / 2.0) };
    let halves = [
        (Board::Step(step), all, format!("shown: {shown}"), "the line shown"),
        (Board::Beside(step), other.len, format!("beside: {}", other.name), "the line beside it"),
    ];
    let layout =
        if wide { egui::Layout::left_to_right(egui::Align::Min) } else { egui::Layout::top_down(egui::Align::Min) };
    ui.with_layout(layout, |ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
        for (board, len, name, accessible) in halves {
            ui.allocate_ui_with_layout(half, egui::Layout::top_down(egui::Align::Min), |ui| {
                ui.set_min_size(half);
                let at = if step <= len { format!("move {step} of {len}") } else { format!("done after {len}") };
                let parted = if step <= other.parted { " · the same so far" } else { "" };
                ui.add(egui::Label::new(RichText::new(name).strong()).truncate());
                ui.label(format!("{at}{parted}"));
                let (rect, response) = ui.allocate_exact_size(ui.available_size(), egui::Sense::hover());
                response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Canvas, true, accessible));
                ui.painter().rect_filled(rect, 6.0, egui_colour(colours.back));
                let scale = (rect.width() / open.doc.extent(board).w).min(rect.height() / open.doc.extent(board).h);
                canvas::fit(
                    ui.painter(),
                    rect.shrink(8.0),
                    open.doc.extent(board),
                    &open.doc.picture(board, colours, scale),
                );
            });
        }
    });
}

/// Keeps arrow keys with a focused board instead of moving the focus away.
pub fn hold_focus(ui: &Ui, response: &egui::Response) {
    if response.has_focus() {
        let filter = egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, escape: true, tab: false };
        ui.memory_mut(|m| m.set_focus_lock_filter(response.id, filter));
    }
}

fn pointer(ui: &Ui, open: &mut OpenLevel, canvas: &canvas::Canvas) -> Option<String> {
    let view = canvas.view;
    let mut say = None;
    let mut feed = |doc: &mut dyn crate::document::Doc, input: Input| {
        if let Some(text) = doc.input(&input).say {
            say = Some(text);
        }
    };
    let response = &canvas.response;
    let primary = egui::PointerButton::Primary;
    let held = response.is_pointer_button_down_on() && ui.input(|i| i.pointer.button_down(primary));
    let mut inside = held || response.hovered();
    for event in ui.input(|i| i.events.clone()) {
        match event {
            egui::Event::PointerButton { pos, button, pressed: true, .. }
                if button == primary && response.rect.contains(pos) && response.contains_pointer() =>
            {
                feed(&mut *open.doc, Input::Press(view.board(pos)));
                inside = true;
            }
            egui::Event::PointerMoved(pos) if held => feed(&mut *open.doc, Input::Drag(view.board(pos))),
            egui::Event::PointerMoved(pos) if response.hovered() => {
                feed(&mut *open.doc, Input::Hover(Some(view.board(pos))));
            }
            egui::Event::PointerButton { pos, button, pressed: false, .. } if button == primary => {
                feed(&mut *open.doc, Input::Release(view.board(pos)));
            }
            egui::Event::PointerGone => feed(&mut *open.doc, Input::Hover(None)),
            _ => {}
        }
    }
    if !inside {
        feed(&mut *open.doc, Input::Hover(None));
    }
    say
}

/// 75 seconds as 1:15.
fn minutes(time: std::time::Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

fn star_row(ui: &mut Ui, stars: Option<u8>, colours: &Colours) {
    let Some(stars) = stars else {
        ui.label("stars: par is not known yet");
        return;
    };
    let size = ui.spacing().interact_size.y;
    let (rect, response) = ui.allocate_exact_size(vec2(size * 3.6, size), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, format!("{stars} of 3 stars")));
    for i in 0..3u8 {
        let at = egui::Rect::from_min_size(rect.min + vec2(size * 1.25 * f32::from(i), 0.0), vec2(size, size));
        let colour = if i < stars { colours.warn } else { colours.ink_soft.faded(0.4) };
        icons::paint(ui.painter(), at, Icon::Star, egui_colour(colour));
    }
}
