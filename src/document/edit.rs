//! The draft: strokes, undo, problems.
//!
//! A stroke under way is the window's: the draft changes once, when the stroke ends, and until then only the picture shows it. So whatever
//! interrupts a stroke finds a whole draft.

use super::{Document, explore::drawn};
use crate::{
    analysis::singular,
    formats::native,
    game::{Command, Game, Ink, Item, Palette, Param, Problem, Severity, Thing, Value, Values},
    grid::{Cell, Size, Spot, Sym},
    picture::{Colours, Picture},
};
use std::{collections::HashSet, sync::Arc};

/// A rectangle of cells on a draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    /// Its top left cell.
    pub at: Cell,
    /// Its size.
    pub size: Size,
}

impl Selection {
    /// The rectangle spanned by two cells.
    pub fn between(a: Cell, b: Cell) -> Selection {
        let at = Cell { x: a.x.min(b.x), y: a.y.min(b.y) };
        Selection { at, size: Size::new(a.x.abs_diff(b.x) + 1, a.y.abs_diff(b.y) + 1) }
    }

    /// Whether a cell is inside.
    pub fn contains(self, c: Cell) -> bool {
        self.size.contains(c.offset(-self.at.x, -self.at.y))
    }

    /// What of it lies on a board of this size.
    pub fn clipped(self, board: Size) -> Option<Selection> {
        let right = (self.at.x + self.size.w as i16).min(board.w as i16);
        let bottom = (self.at.y + self.size.h as i16).min(board.h as i16);
        let at = Cell { x: self.at.x.max(0), y: self.at.y.max(0) };
        let (w, h) = (right - at.x, bottom - at.y);
        (w > 0 && h > 0).then(|| Selection { at, size: Size::new(w as u16, h as u16) })
    }
}

/// What the editor does with a draft.
pub trait Editing {
    /// What can be painted.
    fn palette(&self) -> Palette;
    /// Draws an ink in the unit square.
    fn draw_ink(&self, ink: Ink, colours: &Colours) -> Picture;
    /// Paints a stroke and its mirror images: one undo step.
    fn paint(&mut self, ink: Ink, spots: &[Spot], mirrors: &[Sym], label: &str);
    /// The draft as it would be after that stroke: what is shown while a stroke grows.
    fn picture_painted(&self, ink: Ink, spots: &[Spot], mirrors: &[Sym], colours: &Colours, cell_px: f32) -> Picture;
    /// The same, with the spots that would hold something else.
    fn try_paint(
        &self,
        ink: Ink,
        spots: &[Spot],
        mirrors: &[Sym],
        colours: &Colours,
        cell_px: f32,
    ) -> (Picture, Vec<Spot>);
    /// Paints strokes one after the other, as one change.
    fn paint_all(&mut self, strokes: &[(Ink, Vec<Spot>)], label: &str);
    /// The ink that would paint what is at a spot.
    fn pick(&self, spot: Spot) -> Ink;
    /// The ink of the ground at a cell, under the things that lie on it.
    fn ground(&self, cell: Cell) -> Ink;
    /// What lies on the ground.
    fn things(&self) -> Vec<Thing>;
    /// The connected spots that look like this one.
    fn region(&self, spot: Spot) -> Vec<Spot>;
    /// The symmetries that keep the board's size, for symmetry painting.
    fn painting_symmetries(&self) -> Vec<Sym>;
    /// Where a symmetry takes a spot of the draft.
    fn mirrored(&self, spot: Spot, sym: Sym) -> Spot;
    /// Undoes the last change; its label.
    fn undo_edit(&mut self) -> Option<String>;
    /// Does it again.
    fn redo_edit(&mut self) -> Option<String>;
    /// How many changes can be undone, and how many redone.
    fn history_len(&self) -> (usize, usize);
    /// The label of a change, counted from the oldest, done or undone.
    fn history_label(&self, index: usize) -> Option<&str>;
    /// Undoes or redoes until so many changes are done.
    fn go_to_edit(&mut self, done: usize);
    /// Turns or mirrors the draft; false if the game does not allow it.
    fn transform(&mut self, sym: Sym) -> bool;
    /// Changes the size; what was at `c` will be at `c + shift`.
    fn resize(&mut self, size: Size, shift: (i16, i16));
    /// A part of the draft as text for the clipboard.
    fn copy_part(&self, part: Selection) -> String;
    /// Empties a part.
    fn clear_part(&mut self, part: Selection, label: &str);
    /// Puts a text from the clipboard into the draft; where it went, or why not.
    fn paste(&mut self, text: &str, at: Cell) -> Result<Selection, String>;
    /// The same with a label of its own: a stamp.
    fn stamp(&mut self, text: &str, at: Cell, label: &str) -> Result<Selection, String>;
    /// Puts the level of a native text in place of the draft, as a change like any other.
    fn replace_draft(&mut self, text: &str, label: &str) -> Result<(), String>;
    /// The level alone as a native text: no title, no solutions.
    fn bare(&self) -> String;
    /// Moves a part.
    fn move_part(&mut self, part: Selection, to: Cell);
    /// The game's own editor commands.
    fn commands(&self) -> &'static [Command];
    /// Runs one.
    fn run_command(&mut self, id: &str, seed: u64) -> Result<String, String>;
    /// The rule switches and their values.
    fn rule_values(&self) -> (Vec<Param>, Values);
    /// Sets one.
    fn set_rule(&mut self, name: &str, value: &Value) -> Result<(), String>;
    /// Whether the draft can be played.
    fn playable(&self) -> bool;
    /// What is wrong with the draft.
    fn problems(&self) -> &[Problem];
    /// A number that is equal exactly for the same draft, undone to or not.
    fn version(&self) -> u64;
}

/// A level as the editor holds it. The version names what it is: every change gives a new one, undo and redo go back to the one that was, and work in the
/// background carries it, so that an answer about another version is known to be one.
pub(super) struct Draft<G: Game> {
    pub(super) level: Arc<G::Level>,
    pub(super) version: u64,
}

impl<G: Game> Clone for Draft<G> {
    fn clone(&self) -> Draft<G> {
        Draft { level: self.level.clone(), version: self.version }
    }
}

pub(super) struct Edit<G: Game> {
    draft: Draft<G>,
    past: Vec<(String, Draft<G>)>,
    future: Vec<(String, Draft<G>)>,
    problems: Vec<Problem>,
    newest: u64,
}

impl<G: Game> Edit<G> {
    pub(super) fn new(level: G::Level) -> Edit<G> {
        let problems = G::problems(&level);
        let draft = Draft { level: Arc::new(level), version: 0 };
        Edit { draft, past: Vec::new(), future: Vec::new(), problems, newest: 0 }
    }

    pub(super) fn draft(&self) -> &Draft<G> {
        &self.draft
    }

    fn set(&mut self, level: G::Level) {
        self.newest += 1;
        self.draft = Draft { level: Arc::new(level), version: self.newest };
    }

    /// A level with the version it has: the draft's if it is the draft, else one of its own.
    pub(super) fn naming(&mut self, level: Arc<G::Level>) -> Draft<G> {
        if level == self.draft.level {
            return self.draft.clone();
        }
        self.newest += 1;
        Draft { level, version: self.newest }
    }

    /// The draft has become another one, by a change with this label.
    fn changed(&mut self, label: &str, before: Draft<G>) {
        if before.level == self.draft.level {
            self.draft = before;
            return;
        }
        self.past.push((label.to_string(), before));
        self.future.clear();
        self.problems = G::problems(&self.draft.level);
    }
}

/// The spots that look different after a stroke.
pub(super) fn changed<G: Game>(before: &G::Level, now: &G::Level) -> impl Iterator<Item = Spot> {
    let spots = G::spots(now);
    let looks = G::picks(before, &spots).into_iter().zip(G::picks(now, &spots));
    spots.into_iter().zip(looks).filter(|(_, (old, new))| old != new).map(|(spot, _)| spot)
}

/// ": 5 cells", how many look different after a stroke; nothing for strokes that only link.
fn extent<G: Game>(before: &G::Level, now: &G::Level) -> String {
    let spots = G::spots(now);
    let name = if spots.iter().all(|s| s.part.is_none()) { "cells" } else { "places" };
    match changed::<G>(before, now).count() {
        0 => String::new(),
        n => format!(": {n} {}", singular(name, n as u32)),
    }
}

impl<G: Game> Document<G> {
    pub(super) fn change(&mut self, label: &str, act: impl FnOnce(&mut G::Level)) {
        self.will_change();
        let before = self.edit.draft.clone();
        let mut level = G::Level::clone(&before.level);
        act(&mut level);
        self.edit.set(level);
        self.edit.changed(label, before);
    }

    /// The draft after a stroke and its mirror images.
    fn painted(&self, ink: Ink, spots: &[Spot], mirrors: &[Sym]) -> G::Level {
        let mut level = self.level().clone();
        let size = G::size(&level);
        let spots: Vec<_> = spots.iter().copied().filter(|s| size.contains(s.cell)).collect();
        let mut done: Vec<HashSet<Spot>> = Vec::new();
        for sym in std::iter::once(&Sym::IDENTITY).chain(mirrors) {
            let image: Vec<_> = spots.iter().map(|s| self.mirrored(*s, *sym)).collect();
            let set: HashSet<_> = image.iter().copied().collect();
            if !image.is_empty() && !done.contains(&set) {
                G::paint(&mut level, Ink { sym: ink.sym.then(*sym), ..ink }, &image);
                done.push(set);
            }
        }
        level
    }

    fn part(&self, part: Selection) -> G::Level {
        G::resized(self.level(), part.size, (-part.at.x, -part.at.y))
    }

    fn part_spots(&self, part: Selection) -> Vec<Spot> {
        G::spots(self.level()).into_iter().filter(|s| part.contains(s.cell)).collect()
    }
}

/// Farther than any board is large, and near enough that games need not think of overflow.
const FAR: i16 = 4096;

fn near(c: Cell) -> Cell {
    Cell { x: c.x.clamp(-FAR, FAR), y: c.y.clamp(-FAR, FAR) }
}

/// Reads a level of one game from a text in any format of that game.
fn read_part<G: Game>(text: &str) -> Result<G::Level, String> {
    if native::looks_native(text) {
        return native::read::<G>(text).map(|i| i.level).map_err(|e| e.to_string());
    }
    let format = G::formats().into_iter().find(|f| (f.recognises)(text));
    let format = format.ok_or_else(|| format!("the clipboard holds no level of {}", G::INFO.name))?;
    let items: Vec<Item<G>> = (format.read)(text).map_err(|e| e.to_string())?;
    items.into_iter().next().map(|i| i.level).ok_or_else(|| "there is no level in the clipboard".into())
}

impl<G: Game> Editing for Document<G> {
    fn palette(&self) -> Palette {
        G::palette(self.level())
    }
    fn draw_ink(&self, ink: Ink, colours: &Colours) -> Picture {
        let mut picture = Picture::default();
        G::draw_ink(&mut picture, self.level(), ink, colours);
        picture
    }
    fn paint(&mut self, ink: Ink, spots: &[Spot], mirrors: &[Sym], label: &str) {
        let painted = self.painted(ink, spots, mirrors);
        let label = format!("{label}{}", extent::<G>(self.level(), &painted));
        self.change(&label, |level| *level = painted);
    }
    fn picture_painted(&self, ink: Ink, spots: &[Spot], mirrors: &[Sym], colours: &Colours, cell_px: f32) -> Picture {
        drawn::<G>(&self.painted(ink, spots, mirrors), None, colours, cell_px)
    }
    fn try_paint(
        &self,
        ink: Ink,
        spots: &[Spot],
        mirrors: &[Sym],
        colours: &Colours,
        cell_px: f32,
    ) -> (Picture, Vec<Spot>) {
        let level = self.painted(ink, spots, mirrors);
        (drawn::<G>(&level, None, colours, cell_px), changed::<G>(self.level(), &level).collect())
    }
    fn paint_all(&mut self, strokes: &[(Ink, Vec<Spot>)], label: &str) {
        let size = G::size(self.level());
        self.change(label, |level| {
            for (ink, spots) in strokes {
                let spots: Vec<_> = spots.iter().copied().filter(|s| size.contains(s.cell)).collect();
                if !spots.is_empty() {
                    G::paint(level, *ink, &spots);
                }
            }
        });
    }
    fn pick(&self, spot: Spot) -> Ink {
        G::pick(self.level(), spot)
    }
    fn ground(&self, cell: Cell) -> Ink {
        G::ground(self.level(), cell)
    }
    fn things(&self) -> Vec<Thing> {
        G::things(self.level())
    }
    fn region(&self, spot: Spot) -> Vec<Spot> {
        let look = G::pick(self.level(), spot);
        let mut seen = HashSet::from([spot]);
        let mut found = vec![spot];
        let mut next = 0;
        while next < found.len() {
            for s in G::neighbours(self.level(), found[next]) {
                if G::pick(self.level(), s) == look && seen.insert(s) {
                    found.push(s);
                }
            }
            next += 1;
        }
        found
    }
    fn painting_symmetries(&self) -> Vec<Sym> {
        let size = G::size(self.level());
        Sym::ALL.into_iter().filter(|s| *s != Sym::IDENTITY && s.size(size) == size).collect()
    }
    fn mirrored(&self, spot: Spot, sym: Sym) -> Spot {
        let cell = sym.cell(spot.cell, G::size(self.level()));
        Spot { cell, part: spot.part.map(|p| G::turned_part(p, sym)) }
    }
    fn undo_edit(&mut self) -> Option<String> {
        let (label, draft) = self.edit.past.pop()?;
        self.will_change();
        let now = std::mem::replace(&mut self.edit.draft, draft);
        self.edit.future.push((label.clone(), now));
        self.edit.problems = G::problems(self.level());
        Some(label)
    }
    fn redo_edit(&mut self) -> Option<String> {
        let (label, draft) = self.edit.future.pop()?;
        self.will_change();
        let now = std::mem::replace(&mut self.edit.draft, draft);
        self.edit.past.push((label.clone(), now));
        self.edit.problems = G::problems(self.level());
        Some(label)
    }
    fn history_len(&self) -> (usize, usize) {
        (self.edit.past.len(), self.edit.future.len())
    }
    fn history_label(&self, index: usize) -> Option<&str> {
        let (past, future) = (&self.edit.past, &self.edit.future);
        let entry = past.get(index).or_else(|| future.get((past.len() + future.len()).checked_sub(index + 1)?));
        entry.map(|(label, _)| label.as_str())
    }
    fn go_to_edit(&mut self, done: usize) {
        while self.edit.past.len() > done && self.undo_edit().is_some() {}
        while self.edit.past.len() < done && self.redo_edit().is_some() {}
    }
    fn transform(&mut self, sym: Sym) -> bool {
        let Some(turned) = G::turned(self.level(), sym) else { return false };
        let label = match sym {
            Sym::FLIP_H => "mirror left and right",
            Sym::FLIP_V => "mirror top and bottom",
            _ => "turn the board",
        };
        self.change(label, |level| *level = turned);
        true
    }
    fn resize(&mut self, size: Size, shift: (i16, i16)) {
        let (least, most) = G::SIZES;
        let size = Size::new(size.w.clamp(least.w, most.w), size.h.clamp(least.h, most.h));
        let shift = (shift.0.clamp(-FAR, FAR), shift.1.clamp(-FAR, FAR));
        let resized = G::resized(self.level(), size, shift);
        let size = G::size(&resized);
        self.change(&format!("resize to {}x{}", size.w, size.h), |level| *level = resized);
    }
    fn copy_part(&self, part: Selection) -> String {
        match part.clipped(G::size(self.level())) {
            Some(part) => native::write(&Item::<G>::new("", self.part(part))),
            None => String::new(),
        }
    }
    fn clear_part(&mut self, part: Selection, label: &str) {
        let spots = self.part_spots(part);
        self.change(label, |level| G::paint(level, Ink::default(), &spots));
    }
    fn paste(&mut self, text: &str, at: Cell) -> Result<Selection, String> {
        self.stamp(text, at, "paste")
    }
    fn stamp(&mut self, text: &str, at: Cell, label: &str) -> Result<Selection, String> {
        let part = read_part::<G>(text)?;
        let size = G::size(&part);
        let at = near(at);
        self.change(label, |level| G::stamp(level, &part, at));
        Ok(Selection { at, size })
    }
    fn replace_draft(&mut self, text: &str, label: &str) -> Result<(), String> {
        let level = native::read::<G>(text).map_err(|e| e.to_string())?.level;
        self.change(label, |l| *l = level);
        Ok(())
    }
    fn bare(&self) -> String {
        native::write(&Item::<G>::new("", self.level().clone()))
    }
    fn move_part(&mut self, part: Selection, to: Cell) {
        let Some(part) = part.clipped(G::size(self.level())) else { return };
        let (piece, spots) = (self.part(part), self.part_spots(part));
        let to = near(to);
        self.change("move", |level| {
            G::paint(level, Ink::default(), &spots);
            G::stamp(level, &piece, to);
        });
    }
    fn commands(&self) -> &'static [Command] {
        G::commands()
    }
    fn run_command(&mut self, id: &str, seed: u64) -> Result<String, String> {
        let mut level = self.level().clone();
        let said = G::command(&mut level, id, seed)?;
        let label = G::commands().iter().find(|c| c.id == id).map_or(id, |c| c.name);
        self.change(label, |l| *l = level);
        Ok(said)
    }
    fn rule_values(&self) -> (Vec<Param>, Values) {
        (G::rules(), G::rule_values(self.level()))
    }
    fn set_rule(&mut self, name: &str, value: &Value) -> Result<(), String> {
        let rules = G::rules();
        let Some(rule) = rules.iter().find(|r| r.name == name) else {
            let known: Vec<_> = rules.iter().map(|r| r.name).collect();
            let known = if known.is_empty() { "none".into() } else { known.join(", ") };
            return Err(format!("there is no rule {name} in {}; there are {known}", G::INFO.name));
        };
        rule.check(value)?;
        let label = format!("rule {}: {value}", rule.label.to_lowercase());
        self.change(&label, |level| G::set_rule(level, name, value));
        Ok(())
    }
    fn playable(&self) -> bool {
        !self.edit.problems.iter().any(|p| p.severity == Severity::Error)
    }
    fn problems(&self) -> &[Problem] {
        &self.edit.problems
    }
    fn version(&self) -> u64 {
        self.edit.draft.version
    }
}
