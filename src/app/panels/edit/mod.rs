//! Drawing: tools and palette in the column; the live verdict with problems or fixes, and the what-if map's rows, in the strip.
//!
//! A tool turns the pointer's way into spots (`strokes.rs`); the game paints them. So the tools know no game, and a game knows no tools.

mod fixes;
mod ghost;
mod spot_menu;
pub mod stamps;
pub mod strokes;
pub mod what_if;

use super::{
    AroundBoard, choice, cramped, inspect::Overlay, nothing_open, one_line, params, play::hold_focus, tip_above,
    tip_aside,
};
use crate::{
    analysis::Verdict,
    app::{
        canvas::{self, Canvas},
        dialogs::preferences,
        icons::{self, Icon},
        keys::{Action, key_of, tip},
        settings::RightClick,
        theme::{egui_colour, text_colour},
        workshop::{Mode, OpenLevel, Workshop},
    },
    document::{Board, Doc, Selection},
    game::{Ink, Reason, Severity},
    grid::{Cell, Spot, Sym},
    picture::{Area, Colours, Picture, Point, Rgba},
};
use egui::{Color32, RichText, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};
use what_if::WhatIfUi;

/// What the pointer does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tool {
    /// Paints where it goes.
    #[default]
    Brush,
    /// A straight line.
    Line,
    /// A filled rectangle.
    Rectangle,
    /// The connected region.
    Fill,
    /// Erases where it goes.
    Eraser,
    /// Picks up the ink.
    Pick,
    /// Selects a rectangle, and moves it.
    Select,
}

/// Symmetry painting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mirror {
    /// None.
    #[default]
    Off,
    /// Left and right.
    H,
    /// Top and bottom.
    V,
    /// Both.
    Both,
    /// Half a turn.
    Half,
    /// Quarter turns (square boards).
    Quarter,
}

impl Mirror {
    const ALL: [Mirror; 6] = [Mirror::Off, Mirror::H, Mirror::V, Mirror::Both, Mirror::Half, Mirror::Quarter];

    fn name(self) -> &'static str {
        match self {
            Mirror::Off => "off",
            Mirror::H => "left-right",
            Mirror::V => "top-bottom",
            Mirror::Both => "both",
            Mirror::Half => "half turn",
            Mirror::Quarter => "quarter turns",
        }
    }

    fn syms(self) -> Vec<Sym> {
        match self {
            Mirror::Off => vec![],
            Mirror::H => vec![Sym::FLIP_H],
            Mirror::V => vec![Sym::FLIP_V],
            Mirror::Both => vec![Sym::FLIP_H, Sym::FLIP_V, Sym::HALF],
            Mirror::Half => vec![Sym::HALF],
            Mirror::Quarter => vec![Sym::TURN, Sym::HALF, Sym { mirror: false, turns: 3 }],
        }
    }
}

/// The stroke under way.
#[derive(Clone, Debug)]
pub(in crate::app::panels) struct Painting {
    pub(in crate::app::panels) ink: Ink,
    pub(in crate::app::panels) tool: Tool,
    pub(in crate::app::panels) spots: Vec<Spot>,
    pub(in crate::app::panels) last: Point,
    pub(in crate::app::panels) start: Point,
    pub(in crate::app::panels) label: String,
    /// Drawn with single keys or clicks: no button is held down for it.
    pub(in crate::app::panels) stepwise: bool,
    /// Its first spot was clicked, and the cursor put there.
    pub(in crate::app::panels) clicked: bool,
}

/// The picture on the board, kept while it stays the same, and what it is of: draft, scale, colours, stroke.
#[derive(Clone, Debug)]
struct Drawn {
    of: (u64, u32, Colours, Option<(Ink, Vec<Spot>, Mirror)>),
    picture: Picture,
}

/// Tools and selection of one open level.
#[derive(Clone, Debug, Default)]
pub struct EditUi {
    /// The tool.
    pub tool: Tool,
    /// The ink.
    pub ink: Option<Ink>,
    /// Symmetry painting.
    pub mirror: Mirror,
    /// The selection.
    pub selection: Option<Selection>,
    /// Spots of the problem that was clicked.
    pub lit: Vec<Spot>,
    /// The keyboard's cursor.
    pub cursor: Option<Spot>,
    /// The what-if map.
    pub what_if: WhatIfUi,
    /// The fix that the pointer is on: the board shows it.
    pub previewed: Option<usize>,
    /// The spot that the right button's menu is about.
    pub menu_at: Option<Spot>,
    ghost: Option<ghost::Ghost>,
    drawn: Option<Drawn>,
    pub(in crate::app::panels) stroke: Option<Painting>,
    pub(in crate::app::panels) grab: Option<(Cell, Cell)>,
}

impl EditUi {
    /// The ink in use: the second swatch at first, since the first is the eraser.
    pub fn ink(&self, doc: &dyn Doc) -> Ink {
        let swatches = doc.palette().swatches.len();
        let ink = self.ink.unwrap_or(Ink { swatch: 1, ..Ink::default() });
        Ink { swatch: ink.swatch.min(swatches.saturating_sub(1)), ..ink }
    }

    /// Whether no stroke and no selection is being drawn.
    pub fn at_rest(&self) -> bool {
        self.stroke.is_none() && self.grab.is_none()
    }

    /// Whether the pointer is drawing or moving something.
    fn dragging(&self) -> bool {
        self.grab.is_some() || self.stroke.as_ref().is_some_and(|s| !s.stepwise)
    }

    pub(in crate::app::panels) fn mirrors(&self, doc: &dyn Doc) -> Vec<Sym> {
        let can = doc.painting_symmetries();
        self.mirror.syms().into_iter().filter(|s| can.contains(s)).collect()
    }
}

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    if w.session.open.is_empty() {
        let key = key_of(ui.ctx(), Action::New);
        nothing_open(ui, &format!("Make a new level with {key}."));
        return;
    }
    AroundBoard { column, strip, board }.show(ui, w);
}

fn column(ui: &mut Ui, w: &mut Workshop) {
    let colours = w.colours.clone();
    // Another level begins at the top of its palette.
    let level = w.session.current().map(|open| open.id);
    let height = ui.available_height();
    egui::ScrollArea::vertical().id_salt(level).auto_shrink(false).show(ui, |ui| {
        // What does not draw gives way to the palette where not all of it can be in sight.
        let palette_early = cramped(ui, height);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            tools(ui, w);
            if !palette_early {
                ui.separator();
                other_buttons(ui, w);
            }
        });
        palette(ui, w, &colours);
        if palette_early {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                other_buttons(ui, w);
            });
        }
    });
}

/// The tools that draw.
fn tools(ui: &mut Ui, w: &mut Workshop) {
    let Some(now) = w.session.current().map(|open| open.edit.tool) else { return };
    for (icon, tool) in [
        (Icon::Brush, Tool::Brush),
        (Icon::Line, Tool::Line),
        (Icon::Rectangle, Tool::Rectangle),
        (Icon::Fill, Tool::Fill),
        (Icon::Eraser, Tool::Eraser),
        (Icon::Pick, Tool::Pick),
        (Icon::Select, Tool::Select),
    ] {
        if icons::button(ui, icon, &tip(ui.ctx(), Action::Tool(tool)), now == tool, true).clicked() {
            w.ask(Action::Tool(tool));
        }
    }
}

/// What else is done with the draft as a whole.
fn other_buttons(ui: &mut Ui, w: &mut Workshop) {
    let Some(open) = w.session.current_mut() else { return };
    let mut ask = None;
    let (past, future) = open.doc.history_len();
    for (icon, act, on) in [(Icon::Undo, Action::Undo, past > 0), (Icon::Redo, Action::Redo, future > 0)] {
        if icons::button(ui, icon, &tip(ui.ctx(), act), false, on).clicked() {
            ask = Some(act);
        }
    }
    ui.separator();
    let turns = !open.doc.game().symmetries().is_empty();
    for (icon, act) in [(Icon::Turn, Action::TurnBoard), (Icon::FlipH, Action::FlipH), (Icon::FlipV, Action::FlipV)] {
        if icons::button(ui, icon, &tip(ui.ctx(), act), false, turns).clicked() {
            ask = Some(act);
        }
    }
    if ui.button("Resize…").on_hover_text(tip(ui.ctx(), Action::Resize)).clicked() {
        ask = Some(Action::Resize);
    }
    let what_if = egui::Button::new("What if").selected(open.edit.what_if.shown.is_some());
    if ui.add(what_if).on_hover_text(tip(ui.ctx(), Action::WhatIf)).clicked() {
        ask = Some(Action::WhatIf);
    }
    if ui.button("Play").on_hover_text(tip(ui.ctx(), Action::PlayStart)).clicked() {
        ask = Some(Action::PlayStart);
    }
    let list = egui::ComboBox::from_id_salt("symmetry painting").width(130.0);
    let list = list.selected_text(format!("symmetry: {}", open.edit.mirror.name()));
    let shown = choice(ui, list, &mut open.edit.mirror, Mirror::ALL.map(|m| (m, m.name())));
    shown.accessible_name("symmetry painting").on_hover_text("Paint the mirror images too");
    if let Some(act) = ask {
        w.ask(act);
    }
}

/// The live verdict, and below it the problems or the fixes.
fn strip(ui: &mut Ui, w: &mut Workshop) {
    let colours = w.colours.clone();
    let Some(open) = w.session.current_mut() else { return };
    let verdict = open.doc.verdict();
    let (colour, bad) = match verdict.verdict {
        Some(Verdict::Solved { .. }) => (colours.good, false),
        Some(Verdict::Unsolvable) if verdict.reason.as_ref().is_some_and(Reason::is_opponent) => (colours.warn, true),
        Some(Verdict::Unsolvable | Verdict::Unplayable(_)) => (colours.bad, true),
        Some(Verdict::Stopped(_) | Verdict::Fault(_)) | None => (colours.ink_soft, false),
    };
    let row = vec2(ui.available_width(), ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(row, egui::Layout::right_to_left(egui::Align::Center), |ui| {
        fixes::button(ui, open, bad, &mut w.frame.asked);
        ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 12.0), Sense::hover());
            ui.painter().circle_filled(rect.center(), 5.0, egui_colour(colour));
            let font = egui::TextStyle::Body.resolve(ui.style());
            let mut text = egui::text::LayoutJob::default();
            let mut add = |words: &str, space, colour| {
                text.append(words, space, egui::TextFormat::simple(font.clone(), text_colour(colour, &colours)));
            };
            add(&verdict.text, 0.0, colour);
            verdict.change.iter().for_each(|c| add(c, 8.0, colours.accent));
            one_line(ui, text);
        });
    });
    // The what-if map has the rows below the first, so that it moves nothing when it is switched on.
    let (what_if, fixes) = (open.edit.what_if.shown.is_some(), open.doc.mends().is_some());
    let row = ui.spacing().interact_size.y + ui.spacing().item_spacing.y;
    let height = if what_if { row } else { ui.available_height() };
    let area = |name| egui::ScrollArea::vertical().id_salt(name).min_scrolled_height(0.0).auto_shrink(false);
    area("problems").max_height(height).show(ui, |ui| {
        let reason = match &verdict.verdict {
            // The row is there before the reason is, so that what stands below moves only where the reason is longer than a row.
            Some(Verdict::Unsolvable) => {
                Some(verdict.reason.as_ref().map_or("looking for the reason …", |r| r.text.as_str()))
            }
            // Fixes take the place of the problems.
            Some(Verdict::Unplayable(problems)) if fixes => problems.first().map(|p| p.text.as_str()),
            _ => None,
        };
        reason.into_iter().for_each(|words| drop(ui.label(RichText::new(words).strong())));
        if !fixes::show(ui, w) {
            verdict.remarks.iter().for_each(|r| drop(ui.weak(r)));
            problems(ui, w, &colours);
        }
    });
    if what_if {
        area("what if").show(ui, |ui| what_if::bar(ui, w, &colours));
    }
}

/// Problems that are listed: those of a board full of loose ends would take longer to lay out than the board.
const MOST_PROBLEMS: usize = 40;

fn problems(ui: &mut Ui, w: &mut Workshop, colours: &Colours) {
    let mut result = None;
    let Some(open) = w.session.current_mut() else { return };
    let all = open.doc.problems().len();
    for problem in open.doc.problems().iter().take(MOST_PROBLEMS).cloned().collect::<Vec<_>>() {
        ui.horizontal(|ui| {
            let (word, colour) = match problem.severity {
                Severity::Error => ("problem", colours.bad),
                Severity::Warning => ("warning", colours.warn),
            };
            ui.label(RichText::new(word).color(text_colour(colour, colours)));
            if let Some(fix) = problem.mend {
                let name = open.doc.commands().iter().find(|c| c.id == fix).map_or("Fix it", |c| c.name);
                if ui.button(name).clicked() {
                    result = Some(open.doc.run_command(fix, 0));
                }
            }
            if problem.spots.is_empty() {
                ui.add(egui::Label::new(&problem.text).wrap());
                return;
            }
            let chosen = open.edit.lit == problem.spots;
            let line = ui.add(egui::Button::selectable(chosen, &problem.text).wrap());
            if tip_above(line, "Click to show where.").clicked() {
                open.edit.lit = if chosen { Vec::new() } else { problem.spots.clone() };
            }
        });
    }
    if all > MOST_PROBLEMS {
        ui.weak(format!("and {} more", all - MOST_PROBLEMS));
    }
    if let Some(result) = result {
        w.report(result);
    }
}

fn palette(ui: &mut Ui, w: &mut Workshop, colours: &Colours) {
    let mut said = None;
    let Some(open) = w.session.current_mut() else { return };
    let palette = open.doc.palette();
    let mut ink = open.edit.ink(&*open.doc);
    let before = ink;
    if !palette.colours.is_empty() {
        ui.label(RichText::new("Colour").strong());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
            for (i, name) in palette.colours.iter().enumerate() {
                if colour_button(ui, name, i, ink.colour == i, colours).clicked() {
                    ink.colour = i;
                }
            }
        });
    }
    let mut groups: Vec<&str> = palette.swatches.iter().map(|s| s.group).collect();
    let mut seen = std::collections::HashSet::new();
    groups.retain(|g| seen.insert(*g));
    for group in groups {
        ui.label(RichText::new(group).strong());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
            for (i, swatch) in palette.swatches.iter().enumerate().filter(|(_, s)| s.group == group) {
                let this = Ink { swatch: i, ..ink };
                let name = match palette.colours.get(ink.colour) {
                    // A letter is the name of a form: T, not t.
                    Some(colour) if swatch.coloured && swatch.name.len() == 1 => format!("{colour} {}", swatch.name),
                    Some(colour) if swatch.coloured => format!("{colour} {}", swatch.name.to_lowercase()),
                    _ => swatch.name.clone(),
                };
                let picture = open.doc.draw_ink(this, colours);
                if swatch_button(ui, &name, swatch.help, &picture, ink.swatch == i).clicked() {
                    ink.swatch = i;
                }
            }
        });
    }
    let turns = palette.swatches.get(ink.swatch).is_some_and(|s| s.turns);
    ui.horizontal(|ui| {
        for (icon, act, sym) in
            [(Icon::Turn, Action::TurnInk, Sym::TURN), (Icon::FlipH, Action::MirrorInk, Sym::FLIP_H)]
        {
            if icons::button(ui, icon, &tip(ui.ctx(), act), false, turns).clicked() {
                ink.sym = ink.sym.then(sym);
            }
        }
    });
    if ink != before {
        open.edit.ink = Some(ink);
        open.stamp = None;
        if matches!(open.edit.tool, Tool::Eraser | Tool::Pick | Tool::Select) {
            open.edit.tool = Tool::Brush;
        }
    }
    let commands = open.doc.commands();
    if !commands.is_empty() {
        ui.label(RichText::new("Commands").strong());
        for command in commands {
            if ui.button(command.name).on_hover_text(command.help).clicked() {
                let seed = open.doc.history_len().0 as u64;
                said = Some(open.doc.run_command(command.id, seed));
            }
        }
    }
    stamps::show(ui, w, colours);
    let Some(open) = w.session.current_mut() else { return };
    let (rules, mut values) = open.doc.rule_values();
    if !rules.is_empty() {
        ui.label(RichText::new("Rules").strong());
        if let Some((name, value)) = params::show(ui, &rules, &mut values) {
            said = open.doc.set_rule(name, &value).err().map(Err);
        }
    }
    meta(ui, open);
    ui.label(RichText::new("Right button").strong());
    ui.horizontal_wrapped(|ui| {
        preferences::right_button(ui, &mut w.settings);
    });
    if let Some(result) = said {
        w.report(result);
    }
}

fn meta(ui: &mut Ui, open: &mut OpenLevel) {
    ui.label(RichText::new("About this level").strong());
    let mut meta = open.doc.meta().clone();
    let before = meta.clone();
    let mut tags = meta.tags.join(", ");
    for (name, text) in [("Title", &mut meta.title), ("Author", &mut meta.author), ("Tags", &mut tags)] {
        let label = ui.label(name);
        ui.add(egui::TextEdit::singleline(text).desired_width(f32::INFINITY)).labelled_by(label.id);
    }
    let label = ui.label("Notes");
    ui.add(egui::TextEdit::multiline(&mut meta.notes).desired_rows(2).desired_width(f32::INFINITY))
        .labelled_by(label.id);
    let tags: Vec<String> = tags.split(',').map(|t| t.trim().to_string()).collect();
    // A comma being typed must not vanish: only the last, empty tag is kept while it is new.
    meta.tags = if tags.len() == 1 && tags[0].is_empty() { Vec::new() } else { tags };
    if meta != before {
        open.doc.set_meta(meta);
    }
}

fn colour_button(ui: &mut Ui, name: &str, index: usize, chosen: bool, colours: &Colours) -> egui::Response {
    let side = ui.spacing().interact_size.y;
    let (rect, response) = ui.allocate_exact_size(vec2(side, side), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, chosen, name));
    let fill = colours.pieces[index % colours.pieces.len()];
    ui.painter().rect_filled(rect.shrink(2.0), 4.0, egui_colour(fill));
    let mut pattern = Picture::default();
    pattern.pattern(index, (0.0, 0.0), Rgba(255, 255, 255, 200));
    canvas::fit(ui.painter(), rect.shrink(2.0), Area::new(0.0, 0.0, 1.0, 1.0), &pattern);
    ring(ui, rect, &response, chosen, colours);
    tip_aside(ui, response, name)
}

fn swatch_button(ui: &mut Ui, name: &str, help: &str, picture: &Picture, chosen: bool) -> egui::Response {
    let side = ui.spacing().interact_size.y * 1.5;
    let (rect, response) = ui.allocate_exact_size(vec2(side, side), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, chosen, name));
    if ui.is_rect_visible(rect) {
        canvas::fit(ui.painter(), rect.shrink(3.0), Area::new(0.0, 0.0, 1.0, 1.0), picture);
        let visuals = ui.visuals();
        let stroke = if chosen {
            Stroke::new(2.0, visuals.selection.stroke.color)
        } else if response.hovered() || response.has_focus() {
            visuals.widgets.hovered.bg_stroke
        } else {
            visuals.widgets.noninteractive.bg_stroke
        };
        ui.painter().rect_stroke(rect.shrink(1.0), 5.0, stroke, StrokeKind::Inside);
    }
    tip_aside(ui, response, format!("{name}: {help}"))
}

fn ring(ui: &Ui, rect: egui::Rect, response: &egui::Response, chosen: bool, colours: &Colours) {
    if chosen || response.has_focus() {
        ui.painter().rect_stroke(rect, 5.0, (2.0, egui_colour(colours.ink)), StrokeKind::Inside);
    }
}

fn board(ui: &mut Ui, w: &mut Workshop) {
    let colours = &w.colours.clone();
    let right = w.settings.right_click;
    let (overlay, axes) = (w.inspect.overlay, w.settings.axes);
    let Some(open) = w.session.current_mut() else { return };
    let canvas = canvas::show(ui, "editor board", open.doc.extent(Board::Draft), &mut open.camera, false, colours);
    open.scale = canvas.view.scale;
    if canvas.response.clicked() || canvas.response.drag_started() {
        canvas.response.request_focus();
    }
    hold_focus(ui, &canvas.response);
    let took_part = canvas.response.is_pointer_button_down_on();
    strokes::pointer(ui, open, &canvas, right);
    if right == RightClick::Menu {
        spot_menu::show(&canvas.response, open);
    }
    let preview = open.edit.previewed.and_then(|i| open.doc.mend_picture(i, colours, canvas.view.scale));
    match &preview {
        Some((picture, _)) => canvas.draw(picture),
        None => canvas.draw(drawn(open, colours, canvas.view.scale)),
    }
    if let Overlay::OfGame(index) = overlay {
        let spots = open.doc.overlay(Board::Draft, index).to_vec();
        canvas.tint(&*open.doc, Board::Draft, &spots, colours.warn);
    }
    if axes {
        canvas.axes(&*open.doc, Board::Draft, colours);
    }
    ghost::draw(open, &canvas, colours);
    what_if::draw(open, &canvas, colours);
    decorate(open, &canvas, colours);
    let fixed = preview.map_or_else(Vec::new, |(_, spots)| spots);
    canvas.light(&*open.doc, Board::Draft, &fixed, colours.accent, 0.0);
    stamps::ghost(open, &canvas, colours);
    what_if::hover(open, &canvas);
    canvas.name_spots(ui, &*open.doc, Board::Draft);
    w.frame.is_board(canvas.response.id);
    if took_part && w.session.mode != Mode::Edit {
        w.session.mode = Mode::Edit;
    }
}

/// The draft with the stroke under way.
fn drawn<'a>(open: &'a mut OpenLevel, colours: &Colours, cell_px: f32) -> &'a Picture {
    let stroke = open.edit.stroke.as_ref().map(|s| (s.ink, s.spots.clone(), open.edit.mirror));
    let of = (open.doc.version(), cell_px.to_bits(), colours.clone(), stroke);
    let known = open.edit.drawn.take().filter(|d| d.of == of);
    let made = known.unwrap_or_else(|| {
        let picture = strokes::picture(open, colours, cell_px);
        let picture = picture.unwrap_or_else(|| open.doc.picture(Board::Draft, colours, cell_px));
        Drawn { of, picture }
    });
    &open.edit.drawn.insert(made).picture
}

/// Selection, cursor, symmetry axes and lit spots, over the board.
fn decorate(open: &OpenLevel, canvas: &Canvas, colours: &Colours) {
    let doc = &*open.doc;
    let size = doc.board_size(Board::Draft);
    let (sw, sh) = (f32::from(size.w), f32::from(size.h));
    let axis = Stroke::new(1.5, egui_colour(colours.accent.faded(0.8)));
    let edge = |x0: f32, y0: f32, x1: f32, y1: f32| {
        let at = |x, y| canvas.view.screen(Point { x, y });
        canvas.painter.line_segment([at(x0, y0), at(x1, y1)], axis);
    };
    if matches!(open.edit.mirror, Mirror::H | Mirror::Both) {
        edge(sw / 2.0, -0.3, sw / 2.0, sh + 0.3);
    }
    if matches!(open.edit.mirror, Mirror::V | Mirror::Both) {
        edge(-0.3, sh / 2.0, sw + 0.3, sh / 2.0);
    }
    if matches!(open.edit.mirror, Mirror::Half | Mirror::Quarter) {
        canvas.painter.circle_stroke(canvas.view.screen(Point { x: sw / 2.0, y: sh / 2.0 }), 6.0, axis);
    }
    if let Some(reason) = doc.reason() {
        canvas.explain(doc, Board::Draft, reason, colours);
    }
    canvas.light(doc, Board::Draft, &open.edit.lit, colours.bad, 0.25);
    canvas.light(doc, Board::Draft, open.variants.differing_from_draft(doc.revision()), colours.warn, 0.12);
    if let Some(s) = open.edit.selection {
        let shift = open.edit.grab.map_or((0, 0), |(from, to)| (to.x - from.x, to.y - from.y));
        let at = s.at.offset(shift.0, shift.1);
        let area = Area::new(f32::from(at.x), f32::from(at.y), f32::from(s.size.w), f32::from(s.size.h));
        let rect = canvas.view.rect(area);
        canvas.painter.rect_filled(rect, 2.0, egui_colour(colours.accent.faded(0.15)));
        canvas.painter.rect_stroke(rect, 2.0, (2.0, egui_colour(colours.accent)), StrokeKind::Middle);
    }
    if let Some(cursor) = open.edit.cursor {
        let stroke = Stroke::new(2.0, egui_colour(colours.ink));
        canvas.spot(doc, Board::Draft, cursor, 3.0, Color32::TRANSPARENT, stroke);
    }
}
