//! Playing, and stepping through a line: the same canvas, the same camera.

use super::{inspect::Overlay, nothing_open};
use crate::{
    analysis::{Report, singular},
    app::{
        campaign::Won,
        canvas,
        icons::{self, Icon},
        keys::{Action, key_of, tip},
        theme::egui_colour,
        workshop::{Mode, OpenLevel, Workshop},
    },
    document::Board,
    game::{Input, Status},
    picture::Colours,
};
use egui::{Align2, Color32, RichText, Ui, vec2};

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    if w.session.open.is_empty() {
        let key = key_of(ui.ctx(), Action::New);
        nothing_open(ui, &format!("Choose one in the Library, or make a new one with {key}."));
        return;
    }
    let colours = w.colours.clone();
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
    top_row(ui, w);
    ui.add_space(2.0);
    board(ui, w, &colours);
}

fn top_row(ui: &mut Ui, w: &mut Workshop) {
    let Some(open) = w.session.current_mut() else { return };
    let mut ask = None;
    ui.horizontal_wrapped(|ui| {
        if open.stepping {
            let (step, all) = (open.doc.step(), open.doc.line_len());
            ui.label(RichText::new("Stepping").strong());
            ui.label(format!("step {step} / {all}"));
            if open.doc.stale() {
                ui.label(RichText::new("stale: the draft has changed").color(ui.visuals().warn_fg_color));
            }
            if ui.button("Take over here").on_hover_text(tip(ui.ctx(), Action::TakeOver)).clicked() {
                ask = Some(Action::TakeOver);
            }
            if ui.button("Back to play").on_hover_text(tip(ui.ctx(), Action::LeaveSteps)).clicked() {
                ask = Some(Action::LeaveSteps);
            }
            return;
        }
        let (made, known) = open.doc.progress();
        for (icon, act, on) in [(Icon::Undo, Action::Undo, made > 0), (Icon::Redo, Action::Redo, made < known)] {
            if icons::button(ui, icon, &tip(ui.ctx(), act), false, on).clicked() {
                ask = Some(act);
            }
        }
        for (label, act) in [("Restart", Action::Restart), ("Hint", Action::Hint)] {
            if ui.button(label).on_hover_text(tip(ui.ctx(), act)).clicked() {
                ask = Some(act);
            }
        }
        for (name, n) in open.doc.counts() {
            ui.label(format!("{name} {n}"));
        }
        if w.settings.clock {
            ui.label(minutes(open.doc.play_time()));
        }
        if let Some(par) = open.doc.par() {
            let goal = open.doc.game().goals()[open.doc.game().info().par_goal];
            let count = singular(open.doc.game().info().counts[goal.count], par.count);
            let text = if par.proven {
                format!("par {} {count}", par.count)
            } else {
                format!("par {} {count}, best known", par.count)
            };
            ui.label(text).on_hover_text("Three stars for par or fewer, two up to two more.");
        }
        if open.doc.next_board().is_some() {
            let best = w.services.keeper.records().score(open.doc.game().info().id);
            ui.label(format!("score {} · best {best}", open.score)).on_hover_text("Boards cleared in this run");
            if open.score > 0 && ui.button("New run").clicked() {
                (open.score, open.counted) = (0, false);
                ask = Some(Action::Restart);
            }
        }
        if let Some(left) = open.doc.tick_clock() {
            ui.label(format!("{left:.0} s for this turn"));
            ui.ctx().request_repaint_after(std::time::Duration::from_millis(250));
        }
        // Why a game was lost stands on its card.
        let on_card = usize::from(matches!(open.doc.status(), Status::Lost | Status::Drawn) && !open.banner_closed);
        for notice in open.doc.notices().into_iter().skip(on_card) {
            ui.label(RichText::new(notice).weak());
        }
        if open.doc.thinking() {
            ui.spinner();
            ui.label("the opponent is thinking");
        }
        let offers = open.doc.offers();
        for (i, (label, chosen)) in offers.iter().enumerate() {
            if ui.selectable_label(*chosen, label).clicked() && !chosen {
                open.doc.take_offer(i);
            }
        }
        if open.doc.lost_cause() == Some(true) {
            let text = RichText::new("This position can no longer be won").strong().color(ui.visuals().warn_fg_color);
            ui.label(text);
            if ui.button("Take a move back").clicked() {
                ask = Some(Action::Undo);
            }
        }
    });
    if let Some(act) = ask {
        w.ask(act);
    }
}

fn board(ui: &mut Ui, w: &mut Workshop, colours: &Colours) {
    let clock_runs = w.session.mode == Mode::Play && w.settings.clock;
    let overlay = w.inspect.overlay;
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
    if open.stepping {
        let spots = match overlay {
            Overlay::None => Vec::new(),
            Overlay::Visited => open.doc.heat().to_vec(),
            Overlay::OfGame(index) => open.doc.overlay(board, index).to_vec(),
        };
        canvas.tint(&*open.doc, board, &spots, colours.warn);
        if let Some(next) = open.doc.next_move() {
            canvas.light(&*open.doc, board, &next.spots, colours.accent, 0.12);
            words_on(&canvas, &next.text, colours);
        }
    } else if let Some(hint) = open.doc.hint() {
        canvas.light(&*open.doc, board, &hint.spots, colours.warn, 0.22);
        words_on(&canvas, &hint.text, colours);
    } else if open.doc.hint_pending() {
        words_on(&canvas, "thinking about a hint …", colours);
    }
    canvas.name_spots(ui, &*open.doc, board);
    if open.doc.in_motion(board) {
        ui.ctx().request_repaint();
    }
    if board == Board::Play && open.doc.status() != Status::Playing {
        banner(ui, w, canvas.response.rect);
    } else if board == Board::Play {
        open.banner_closed = false;
        if clock_runs && open.doc.progress().0 > 0 {
            // The clock moves on once a second.
            ui.ctx().request_repaint_after(std::time::Duration::from_secs(1));
        }
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

/// A line of words at the foot of the canvas.
fn words_on(canvas: &canvas::Canvas, text: &str, colours: &Colours) {
    if text.is_empty() {
        return;
    }
    let rect = canvas.response.rect;
    let at = rect.center_bottom() - vec2(0.0, 12.0);
    let font = egui::TextStyle::Body.resolve(&canvas.painter.ctx().global_style());
    let galley = canvas.painter.layout(text.to_string(), font, egui_colour(colours.ink), rect.width() - 32.0);
    let frame = Align2::CENTER_BOTTOM.anchor_size(at, galley.size() + vec2(16.0, 8.0));
    canvas.painter.rect_filled(frame, 6.0, egui_colour(colours.floor.mix(colours.back, 0.3)));
    canvas.painter.rect_stroke(frame, 6.0, (1.0, egui_colour(colours.accent)), egui::StrokeKind::Inside);
    canvas.painter.galley(frame.min + vec2(8.0, 4.0), galley, Color32::WHITE);
}

/// 75 seconds as 1:15.
fn minutes(time: std::time::Duration) -> String {
    format!("{}:{:02}", time.as_secs() / 60, time.as_secs() % 60)
}

fn banner(ui: &Ui, w: &mut Workshop, over: egui::Rect) {
    let colours = w.colours.clone();
    let Some(open) = w.session.current_mut() else { return };
    if open.banner_closed {
        return;
    }
    let status = open.doc.status();
    let stars = open.doc.stars();
    let counts: Vec<_> = open.doc.counts().into_iter().map(|(n, c)| format!("{c} {}", singular(n, c))).collect();
    let time = if w.settings.clock { format!(" in {}", minutes(open.doc.play_time())) } else { String::new() };
    // A lost position is worth looking at: the banner stands below it.
    let (pivot, place) = match status {
        Status::Won => (Align2::CENTER_CENTER, over.center()),
        _ => (Align2::CENTER_BOTTOM, over.center_bottom() - vec2(0.0, 8.0)),
    };
    let (mut ask, mut keep) = (None, false);
    let area = egui::Area::new(egui::Id::unique("win banner"))
        .order(egui::Order::Middle)
        .pivot(pivot)
        .fixed_pos(place)
        .constrain_to(over);
    area.show(ui.ctx(), |ui| {
        egui::Frame::popup(ui.style()).inner_margin(16.0).show(ui, |ui| {
            ui.set_max_width(340.0);
            ui.vertical_centered(|ui| {
                let (text, colour) = match status {
                    Status::Won => ("LEVEL COMPLETE!", colours.good),
                    Status::Lost => ("Lost", colours.bad),
                    _ => ("A draw", colours.warn),
                };
                ui.label(RichText::new(text).heading().strong().color(egui_colour(colour)));
                if status == Status::Won {
                    star_row(ui, stars, &colours);
                }
                if status != Status::Won
                    && let Some(why) = open.doc.notices().first()
                {
                    ui.label(why);
                }
                ui.label(format!("{}{time}", counts.join(", ")));
                match open.doc.hints_used() {
                    0 => {}
                    1 => drop(ui.label("with one hint")),
                    n => drop(ui.label(format!("with {n} hints"))),
                }
                if let Some(points) = open.doc.points() {
                    ui.label(format!("{points} points"));
                }
                for line in open.won.as_ref().map(Won::compared).unwrap_or_default() {
                    ui.label(RichText::new(line).weak());
                }
                ui.add_space(4.0);
                ui.horizontal(|ui| {
                    let on = match status {
                        Status::Won => ("Next level", Action::NextLevel),
                        _ => ("Take a move back", Action::Undo),
                    };
                    for (label, act) in [("Again", Action::Restart), on] {
                        if ui.button(label).on_hover_text(tip(ui.ctx(), act)).clicked() {
                            ask = Some(act);
                        }
                    }
                    if ui.button("Look at the board").clicked() {
                        open.banner_closed = true;
                    }
                    keep = status == Status::Won
                        && ui.button("Keep").on_hover_text("Keep this solution with the level").clicked();
                });
            });
        });
    });
    if keep && let Some(solution) = open.doc.played() {
        w.keep(solution, w.settings.keep_only_better);
    }
    if let Some(act) = ask {
        w.ask(act);
    }
}

fn star_row(ui: &mut Ui, stars: Option<u8>, colours: &Colours) {
    let Some(stars) = stars else {
        ui.label("stars: par is not known yet");
        return;
    };
    let size = 26.0;
    let (rect, response) = ui.allocate_exact_size(vec2(size * 3.6, size), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, format!("{stars} of 3 stars")));
    for i in 0..3u8 {
        let at = egui::Rect::from_min_size(rect.min + vec2(size * 1.25 * f32::from(i), 0.0), vec2(size, size));
        let colour = if i < stars { colours.warn } else { colours.line };
        icons::paint(ui.painter(), at, Icon::Star, egui_colour(colour));
    }
}
