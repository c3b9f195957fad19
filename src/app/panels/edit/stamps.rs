//! Stamps in the editor: pieces of board made from a selection, shown as small pictures, placed by a click, turned and mirrored like a brush.

use super::Tool;
use crate::{
    app::{
        canvas::{self, Canvas, View},
        icons::{self, Icon},
        keys::{Action, tip},
        theme::egui_colour,
        workshop::{OpenLevel, Workshop},
    },
    document::{Board, Doc},
    games,
    grid::{Cell, Sym},
    memory::stamps::{Change, Stamp, Stamps},
    picture::{Area, Colours, Picture, Point},
};
use egui::{RichText, Role, Sense, StrokeKind, Ui, WidgetInfo, vec2};
use std::path::PathBuf;

/// The stamp in hand.
pub struct Placing {
    /// Its name.
    pub name: String,
    doc: Box<dyn Doc>,
    /// The name being typed.
    typed: String,
}

/// A stamp with its picture.
struct Card {
    stamp: Stamp,
    picture: Picture,
    extent: Area,
}

/// All stamps, and where they are kept.
#[derive(Default)]
pub struct StampShelf {
    stamps: Stamps,
    path: Option<PathBuf>,
    /// The pictures of one game's stamps in the colours of one theme.
    cards: Option<(&'static str, Colours, Vec<Card>)>,
}

impl StampShelf {
    /// Reads them from here, and keeps them here; what the user should know.
    pub fn keep_in(&mut self, path: Option<PathBuf>) -> Option<String> {
        let (stamps, message) = path.as_deref().map_or_else(Default::default, Stamps::read);
        self.stamps = stamps;
        self.path = path;
        self.cards = None;
        message
    }

    fn cards(&mut self, game: &'static str, colours: &Colours) -> &[Card] {
        if self.cards.as_ref().is_none_or(|(g, c, _)| *g != game || c != colours) {
            let cards = self.stamps.of(game).filter_map(|stamp| {
                let doc = read(stamp)?;
                let picture = doc.picture(Board::Draft, colours, 8.0);
                Some(Card { stamp: stamp.clone(), picture, extent: doc.extent(Board::Draft) })
            });
            self.cards = Some((game, colours.clone(), cards.collect()));
        }
        self.cards.as_ref().map_or(&[], |(_, _, cards)| cards.as_slice())
    }
}

fn read(stamp: &Stamp) -> Option<Box<dyn Doc>> {
    games::by_id(&stamp.game)?.read_native(&stamp.text).ok()
}

/// Changes the stamps, here at once and on disk in the background.
fn change(w: &mut Workshop, change: Change) {
    if let Err(why) = w.stamps.stamps.change(&change) {
        w.complain(why);
        return;
    }
    w.stamps.cards = None;
    if let Some(path) = w.stamps.path.clone() {
        w.services.chores.add(&w.services.wake, (), move || Stamps::write(&path, &change));
    }
}

/// Makes a stamp of the selection.
pub fn make(w: &mut Workshop) {
    let Some(open) = w.session.current() else { return };
    let Some(part) = open.edit.selection else {
        w.complain("select a part of the board first");
        return;
    };
    let game = open.doc.game().info().id.to_string();
    let name = format!("{}x{}", part.size.w, part.size.h);
    let text = open.doc.copy_part(part);
    let before = w.stamps.stamps.stamps.len();
    change(w, Change::Add(Stamp { game, name, text }));
    if w.stamps.stamps.stamps.len() > before {
        w.say("new stamp: it is below the palette, for every level of this game");
    }
}

/// Turns or mirrors the stamp in hand; false if there is none.
pub fn turn(w: &mut Workshop, sym: Sym) -> bool {
    let Some(placing) = w.session.current_mut().and_then(|o| o.stamp.as_mut()) else { return false };
    match placing.doc.turned(sym) {
        Some(turned) => placing.doc = turned,
        None => w.complain("this piece cannot be turned that way"),
    }
    true
}

/// The stamps below the palette.
pub fn show(ui: &mut Ui, w: &mut Workshop, colours: &Colours) {
    let Some(open) = w.session.current() else { return };
    let game = open.doc.game().info().id;
    let in_hand = open.stamp.as_ref().map(|p| p.name.clone());
    let selected = open.edit.selection.is_some();
    ui.label(RichText::new("Stamps").strong());
    let mut chosen = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(3.0, 3.0);
        for card in w.stamps.cards(game, colours) {
            let here = in_hand.as_ref() == Some(&card.stamp.name);
            if thumbnail(ui, card, here, colours).clicked() {
                chosen = Some((!here).then(|| card.stamp.clone()));
            }
        }
        let make = ui.add_enabled(selected, egui::Button::new("+ selection"));
        let why = if selected { "" } else { ": select a part first" };
        if make
            .on_hover_text(tip(ui.ctx(), Action::MakeStamp))
            .on_disabled_hover_text(format!("Make a stamp{why}"))
            .clicked()
        {
            w.frame.asked.push(Action::MakeStamp);
        }
    });
    if let (Some(chosen), Some(open)) = (chosen, w.session.current_mut()) {
        let doc = chosen.as_ref().and_then(read);
        open.stamp = chosen.zip(doc).map(|(s, doc)| Placing { typed: s.name.clone(), name: s.name, doc });
        open.edit.selection = None;
    }
    in_hand_row(ui, w, game);
}

/// What can be done with the stamp in hand.
fn in_hand_row(ui: &mut Ui, w: &mut Workshop, game: &str) {
    let Some(placing) = w.session.current_mut().and_then(|o| o.stamp.as_mut()) else { return };
    let mut asked = None;
    ui.horizontal_wrapped(|ui| {
        let width = (ui.available_width() - 8.0).min(110.0);
        let field = ui.add(egui::TextEdit::singleline(&mut placing.typed).desired_width(width));
        let field = field.accessible_name("name of the stamp");
        if field.lost_focus() && placing.typed.trim() != placing.name {
            asked = Some(Change::Rename(game.into(), placing.name.clone(), placing.typed.trim().into()));
        }
        for (icon, act) in [(Icon::Turn, Action::TurnInk), (Icon::FlipH, Action::MirrorInk)] {
            if icons::button(ui, icon, &tip(ui.ctx(), act), false, true).clicked() {
                w.frame.asked.push(act);
            }
        }
        if ui.small_button("Delete").accessible_name("delete the stamp").clicked() {
            asked = Some(Change::Remove(game.into(), placing.name.clone()));
        }
    });
    ui.label(RichText::new("Click on the board to place it; Esc puts it back.").weak().small());
    if let Some(asked) = asked {
        if let Some(open) = w.session.current_mut() {
            open.stamp = None;
        }
        change(w, asked);
    }
}

fn thumbnail(ui: &mut Ui, card: &Card, here: bool, colours: &Colours) -> egui::Response {
    let side = ui.spacing().interact_size.y * 2.0;
    let (rect, response) = ui.allocate_exact_size(vec2(side, side), Sense::click());
    let name = format!("stamp {}", card.stamp.name);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, here, &name));
    if ui.is_rect_visible(rect) {
        ui.painter().rect_filled(rect, 5.0, egui_colour(colours.back));
        canvas::fit(ui.painter(), rect.shrink(3.0), card.extent, &card.picture);
        let lit = here || response.hovered() || response.has_focus();
        let stroke = if lit { (2.0, egui_colour(colours.accent)) } else { (1.0, egui_colour(colours.line)) };
        ui.painter().rect_stroke(rect, 5.0, stroke, StrokeKind::Inside);
    }
    response.on_hover_text(&card.stamp.name)
}

/// The cell where the stamp's corner goes when the pointer is here: its middle is under the pointer.
fn corner(placing: &Placing, at: Point) -> Cell {
    let size = placing.doc.board_size(Board::Draft);
    let cell = at.cell();
    cell.offset(-((size.w as i16 - 1) / 2), -((size.h as i16 - 1) / 2))
}

/// Places the stamp in hand; false if there is none.
pub fn place(open: &mut OpenLevel, at: Point) -> bool {
    let Some(placing) = &open.stamp else { return false };
    let (at, text, label) = (corner(placing, at), placing.doc.bare(), format!("stamp {}", placing.name));
    // It was read from this very text, so it can be read.
    let _ = open.doc.stamp(&text, at, &label);
    true
}

/// Shows the stamp in hand where it would go.
pub fn ghost(open: &OpenLevel, canvas: &Canvas, colours: &Colours) {
    let (Some(placing), Some(pointer)) = (&open.stamp, canvas.response.hover_pos()) else { return };
    let at = corner(placing, canvas.view.board(pointer));
    let origin = canvas.view.screen(Point { x: f32::from(at.x), y: f32::from(at.y) });
    let size = placing.doc.board_size(Board::Draft);
    let rect = egui::Rect::from_min_size(origin, vec2(f32::from(size.w), f32::from(size.h)) * canvas.view.scale);
    let picture = placing.doc.picture(Board::Draft, colours, canvas.view.scale);
    let painter = canvas.painter.with_clip_rect(rect.intersect(canvas.painter.clip_rect()));
    canvas::draw(&painter, &View { origin, scale: canvas.view.scale }, &picture);
    canvas.painter.rect_filled(rect, 2.0, egui_colour(colours.accent.faded(0.15)));
    canvas.painter.rect_stroke(rect, 2.0, (2.0, egui_colour(colours.accent)), StrokeKind::Middle);
}

/// Lets go of the stamp; false if there was none.
pub fn let_go(open: &mut OpenLevel) -> bool {
    let held = open.stamp.take().is_some();
    if held {
        open.edit.tool = Tool::Brush;
    }
    held
}
