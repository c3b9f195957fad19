//! The panels and where they are: docked with egui_tiles, or popped out into windows of their own.

use super::{actions, icons, panels, workshop::Workshop};
use egui_tiles::{Container, Linear, LinearDir, SimplificationOptions, Tile, TileId, Tiles, Tree, UiResponse};
use serde::{Deserialize, Serialize};

/// A panel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Pane {
    /// What is on disk.
    Library,
    /// Campaigns, new and recent levels.
    Start,
    /// Playing, and stepping through a line.
    Play,
    /// Drawing.
    Edit,
    /// The solver.
    Inspect,
    /// The generator.
    Generate,
    /// The steps of the line.
    Timeline,
    /// The changes of the draft.
    History,
    /// Snapshots of the level.
    Variants,
    /// All positions of the level.
    Map,
}

impl Pane {
    /// All panels.
    pub const ALL: [Pane; 10] = [
        Pane::Library,
        Pane::Start,
        Pane::Play,
        Pane::Edit,
        Pane::Inspect,
        Pane::Generate,
        Pane::Timeline,
        Pane::History,
        Pane::Variants,
        Pane::Map,
    ];

    /// Its title.
    pub const fn title(self) -> &'static str {
        match self {
            Pane::Library => "Library",
            Pane::Start => "Start",
            Pane::Play => "Play",
            Pane::Edit => "Edit",
            Pane::Inspect => "Inspect",
            Pane::Generate => "Generate",
            Pane::Timeline => "Timeline",
            Pane::History => "History",
            Pane::Variants => "Variants",
            Pane::Map => "Map",
        }
    }
}

/// Where the panels are.
#[derive(Clone, Serialize, Deserialize)]
pub struct Layout {
    tree: Tree<Pane>,
    popped: Vec<Pane>,
    /// How high the timeline is: it keeps its height when the window grows, since it has no use for more.
    #[serde(default = "timeline_height")]
    timeline: f32,
    /// The height of all panels and the least height of the timeline when it was last set.
    #[serde(skip)]
    measured_at: (f32, f32),
}

fn timeline_height() -> f32 {
    74.0
}

impl Default for Layout {
    fn default() -> Layout {
        let mut tiles = Tiles::default();
        let mut tabs = |panes: &[Pane]| {
            let children: Vec<_> = panes.iter().map(|p| tiles.insert_pane(*p)).collect();
            let first = children.first().copied();
            let id = tiles.insert_tab_tile(children);
            if let (Some(first), Some(Tile::Container(Container::Tabs(tabs)))) = (first, tiles.get_mut(id)) {
                tabs.set_active(first);
            }
            id
        };
        let left = tabs(&[Pane::Library, Pane::History, Pane::Map]);
        let middle = tabs(&[Pane::Start, Pane::Play, Pane::Edit]);
        let right = tabs(&[Pane::Inspect, Pane::Generate, Pane::Variants]);
        let bottom = tabs(&[Pane::Timeline]);
        let mut row = Linear::new(LinearDir::Horizontal, vec![left, middle, right]);
        for (id, share) in [(left, 0.21), (middle, 0.54), (right, 0.25)] {
            row.shares.set_share(id, share);
        }
        let row = tiles.insert_container(row);
        let mut column = Linear::new(LinearDir::Vertical, vec![row, bottom]);
        column.shares.set_share(row, 0.87);
        column.shares.set_share(bottom, 0.13);
        let root = tiles.insert_container(column);
        Layout {
            tree: Tree::new(egui::Id::unique("panels"), root, tiles),
            popped: Vec::new(),
            timeline: timeline_height(),
            measured_at: (0.0, 0.0),
        }
    }
}

impl Layout {
    /// A layout read from a file may be damaged: such a one is replaced. One from before there was a start page gets it, beside Play.
    pub fn mend(&mut self) {
        if !self.is_sound() {
            *self = Layout::default();
            return;
        }
        self.tree.tiles.recompute_next_tile_id();
        if self.find(Pane::Start).is_none() && !self.popped.contains(&Pane::Start) {
            let beside = self.find(Pane::Play).or_else(|| self.find(Pane::Edit));
            if let Some(home) = beside.and_then(|id| self.tree.tiles.parent_of(id)) {
                // What is moved comes to the front, which it must not: what was there goes back.
                let front = if self.is_front(Pane::Edit) { Pane::Edit } else { Pane::Play };
                let id = self.tree.tiles.insert_pane(Pane::Start);
                self.tree.move_tile_to_container(id, home, 0, false);
                self.tree.make_active(|_, tile| matches!(tile, Tile::Pane(p) if *p == front));
            }
        }
    }

    /// Whether the tiles are a tree, of lengths that can be shown, with every panel once at most, and with those that are always there.
    fn is_sound(&self) -> bool {
        let length = |x: &f32| (0.0..=1e6).contains(x);
        let (mut panes, mut seen) = (self.popped.clone(), Vec::new());
        let mut next: Vec<TileId> = self.tree.root().into_iter().collect();
        while let Some(id) = next.pop() {
            // More tiles than this, nested, would be too deep to show; and there is no next number after the last.
            if seen.contains(&id) || seen.len() == 200 || id.0 == u64::MAX {
                return false;
            }
            seen.push(id);
            match self.tree.tiles.get(id) {
                None => return false,
                Some(Tile::Pane(pane)) => panes.push(*pane),
                Some(Tile::Container(container)) => {
                    next.extend(container.children());
                    let lengths = match container {
                        Container::Tabs(_) => true,
                        Container::Linear(linear) => linear.shares.iter().all(|(_, share)| length(share)),
                        Container::Grid(grid) => grid.col_shares.iter().chain(&grid.row_shares).all(length),
                    };
                    if !lengths {
                        return false;
                    }
                }
            }
        }
        let times = |pane: &Pane| panes.iter().filter(|p| *p == pane).count();
        length(&self.timeline)
            && seen.len() == self.tree.tiles.len()
            && Pane::ALL.iter().all(|pane| times(pane) <= 1)
            && [Pane::Play, Pane::Edit].iter().all(|pane| times(pane) == 1)
    }

    /// Where a docked panel is on the screen.
    pub fn place(&self, pane: Pane) -> Option<egui::Rect> {
        self.find(pane).and_then(|id| self.tree.tiles.rect(id))
    }

    fn find(&self, pane: Pane) -> Option<TileId> {
        self.tree.tiles.find_pane(&pane)
    }

    /// Keeps the timeline's height in a window whose height has changed; takes over the height the user has given it else.
    fn keep_timeline(&mut self, height: f32, least: f32) {
        let Some(tabs) = self.find(Pane::Timeline).and_then(|id| self.tree.tiles.parent_of(id)) else { return };
        let Some(parent) = self.tree.tiles.parent_of(tabs) else { return };
        let now = self.tree.tiles.rect(tabs).map(|r| r.height());
        let Some(Tile::Container(Container::Linear(linear))) = self.tree.tiles.get_mut(parent) else { return };
        if linear.dir != LinearDir::Vertical || linear.children.len() < 2 {
            return;
        }
        let low = now.is_some_and(|n| n < least - 1.0);
        if self.measured_at == (height, least) && !low {
            // A height that the size of the text has forced is not the user's.
            self.timeline = now.filter(|n| (n - self.timeline.max(least)).abs() > 1.0).unwrap_or(self.timeline);
            return;
        }
        let others: f32 = linear.children.iter().filter(|c| **c != tabs).map(|c| linear.shares[*c]).sum();
        let want = self.timeline.max(least).min(height * 0.6);
        linear.shares.set_share(tabs, others * want / (height - want).max(1.0));
        self.measured_at = (height, least);
    }

    /// Whether a panel is to be seen somewhere (perhaps behind another tab).
    pub fn is_open(&self, pane: Pane) -> bool {
        self.popped.contains(&pane) || self.find(pane).is_some_and(|id| self.tree.is_visible(id))
    }

    /// Whether it is in front.
    pub fn is_front(&self, pane: Pane) -> bool {
        self.popped.contains(&pane) || self.find(pane).is_some_and(|id| self.tree.active_tiles().contains(&id))
    }

    /// The panels that are in front.
    pub fn front(&self) -> Vec<Pane> {
        Pane::ALL.into_iter().filter(|p| self.is_front(*p)).collect()
    }

    /// Brings a panel to the front; opens it if it was closed.
    pub fn show(&mut self, pane: Pane) {
        if self.popped.contains(&pane) {
            return;
        }
        match self.find(pane) {
            Some(id) => self.tree.set_visible(id, true),
            None => {
                let id = self.tree.tiles.insert_pane(pane);
                // Beside its usual companion, or anywhere in the root.
                let companion = match pane {
                    Pane::Start => Pane::Play,
                    Pane::Play => Pane::Edit,
                    Pane::Edit => Pane::Play,
                    Pane::Inspect => Pane::Generate,
                    Pane::Generate | Pane::Variants => Pane::Inspect,
                    Pane::History | Pane::Map => Pane::Library,
                    Pane::Library | Pane::Timeline => pane,
                };
                let home = self.find(companion).filter(|c| *c != id).and_then(|c| self.tree.tiles.parent_of(c));
                let (home, index) = match (home, self.tree.root(), pane) {
                    (Some(home), _, _) => (Some(home), usize::MAX),
                    (None, root, Pane::Library) => (root, 0),
                    (None, root, _) => (root, usize::MAX),
                };
                match home {
                    Some(home) => self.tree.move_tile_to_container(id, home, index, false),
                    None => {
                        let tiles = std::mem::take(&mut self.tree.tiles);
                        self.tree = Tree::new(egui::Id::unique("panels"), id, tiles);
                    }
                }
            }
        }
        self.tree.make_active(|_, tile| matches!(tile, Tile::Pane(p) if *p == pane));
    }

    /// Puts a panel that was dropped in the middle of others with the tabs below the pointer: egui_tiles would make those others one tab beside it.
    fn drop_at(&mut self, id: TileId, at: Option<egui::Pos2>) {
        let Some(Tile::Pane(pane)) = self.tree.tiles.get(id).cloned() else { return };
        let below = |id: &TileId| self.tree.tiles.rect(*id).zip(at).is_some_and(|(rect, at)| rect.contains(at));
        let tabs = self.tree.tiles.iter().filter(|(_, tile)| matches!(tile, Tile::Container(Container::Tabs(_))));
        let home = tabs.map(|(id, _)| *id).find(below);
        if let Some(home) = home.filter(|home| self.tree.tiles.parent_of(id) != Some(*home)) {
            self.tree.move_tile_to_container(id, home, usize::MAX, false);
            self.show(pane);
        }
    }

    /// Closes a panel; it can be brought back from the View menu.
    pub fn close(&mut self, pane: Pane) {
        self.popped.retain(|p| *p != pane);
        if let Some(id) = self.find(pane) {
            self.tree.set_visible(id, false);
        }
    }

    /// Moves a panel into a window of its own.
    pub fn pop_out(&mut self, pane: Pane) {
        if let Some(id) = self.find(pane) {
            self.tree.remove_recursively(id);
        }
        if !self.popped.contains(&pane) {
            self.popped.push(pane);
        }
    }

    /// Puts a popped-out panel back.
    pub fn dock_again(&mut self, pane: Pane) {
        self.popped.retain(|p| *p != pane);
        self.show(pane);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_layout_is_replaced() {
        let whole = ron::to_string(&Layout::default()).unwrap();
        let root = Layout::default().tree.root().unwrap().0;
        for (what, with) in [
            // A container that holds itself, a child that is not there, a share and a height that are no number, a panel twice.
            ("children:[(1)", format!("children:[({root})")),
            ("children:[(1)", "children:[(77)".into()),
            (":0.54", ":NaN".into()),
            ("timeline:74.0", "timeline:-inf".into()),
            ("popped:[]", "popped:[Map,Map]".into()),
            ("Pane(Edit)", "Pane(Play)".into()),
        ] {
            assert!(whole.contains(what), "{what} in {whole}");
            let mut layout: Layout = ron::from_str(&whole.replace(what, &with)).unwrap();
            layout.mend();
            assert!(layout.is_sound(), "{with}");
            assert!(Pane::ALL.into_iter().all(|pane| layout.is_open(pane)), "{with}");
        }
    }

    #[test]
    fn a_layout_from_before_there_was_a_start_page_gets_one() {
        let mut old = Layout::default();
        let id = old.find(Pane::Start).unwrap();
        old.tree.remove_recursively(id);
        assert!(!old.is_open(Pane::Start));
        old.mend();
        assert!(old.is_open(Pane::Start) && !old.is_front(Pane::Start), "there, but behind what was in front");
        for pane in Pane::ALL {
            assert!(old.is_open(pane), "{pane:?}");
        }
    }
}

/// Shows all panels.
pub fn show(ui: &mut egui::Ui, layout: &mut Layout, workshop: &mut Workshop) {
    let mut asked = Asked::default();
    // A tab bar and a row of buttons must fit, whatever the size of the text.
    let least = 2.0 * ui.spacing().interact_size.y + 30.0;
    layout.keep_timeline(ui.available_height(), least);
    let dragged = layout.tree.dragged_id(ui.ctx()).map(|id| (id, layout.tree.clone()));
    let mut behaviour = Behaviour { workshop, asked: &mut asked };
    layout.tree.ui(&mut behaviour, ui);
    if let Some((id, before)) = dragged.filter(|(_, before)| folds(before, &layout.tree)) {
        layout.tree = before;
        layout.drop_at(id, ui.ctx().pointer_latest_pos());
        ui.ctx().request_repaint();
    }
    for pane in layout.popped.clone() {
        let id = egui::ViewportId::from_hash_of(("tilewright panel", pane.title()));
        let builder = egui::ViewportBuilder::default()
            .with_title(format!("{} - Tilewright", pane.title()))
            .with_inner_size([560.0, 520.0]);
        let back = ui.ctx().show_viewport_immediate(id, builder, |ui, _| {
            let mut back = ui.ctx().input(|i| i.viewport().close_requested());
            // A window of its own has its own keys.
            let acts = actions::keyboard(ui.ctx(), workshop);
            workshop.frame.asked.extend(acts);
            egui::CentralPanel::default().show(ui, |ui| {
                ui.horizontal(|ui| back |= ui.button("Dock again").clicked());
                panels::show(ui, pane, workshop);
            });
            back
        });
        if back {
            layout.dock_again(pane);
        }
    }
    if let Some(pane) = asked.pop_out {
        layout.pop_out(pane);
    }
    if let Some(pane) = asked.close {
        layout.close(pane);
    }
    for pane in std::mem::take(&mut workshop.frame.show_panes) {
        layout.show(pane);
    }
    workshop.frame.front = layout.front();
    if !workshop.is_front(Pane::Edit) {
        workshop.session.end_strokes();
    }
}

/// Whether a row or column of panels has become a single tab: one that was dropped in its middle would hide all of it.
fn folds(before: &Tree<Pane>, after: &Tree<Pane>) -> bool {
    let row = |tree: &Tree<Pane>, id| matches!(tree.tiles.get(id), Some(Tile::Container(Container::Linear(_))));
    let in_tab = |tree: &Tree<Pane>, id| {
        let parent = tree.tiles.parent_of(id).and_then(|parent| tree.tiles.get(parent));
        matches!(parent, Some(Tile::Container(Container::Tabs(_))))
    };
    before.tiles.tile_ids().any(|id| row(before, id) && row(after, id) && !in_tab(before, id) && in_tab(after, id))
}

#[derive(Default)]
struct Asked {
    pop_out: Option<Pane>,
    close: Option<Pane>,
}

/// The panels of a tile that are not closed.
fn panes_in(tiles: &Tiles<Pane>, id: TileId) -> Vec<Pane> {
    match tiles.get(id) {
        Some(Tile::Pane(pane)) => vec![*pane],
        Some(Tile::Container(container)) => {
            let shown = container.children().filter(|child| tiles.is_visible(**child));
            shown.flat_map(|child| panes_in(tiles, *child)).collect()
        }
        None => Vec::new(),
    }
}

struct Behaviour<'a> {
    workshop: &'a mut Workshop,
    asked: &'a mut Asked,
}

impl egui_tiles::Behavior<Pane> for Behaviour<'_> {
    fn pane_ui(&mut self, ui: &mut egui::Ui, _: TileId, pane: &mut Pane) -> UiResponse {
        ui.painter().rect_filled(ui.max_rect(), 0.0, ui.visuals().panel_fill);
        egui::Frame::new().inner_margin(6.0).show(ui, |ui| panels::show(ui, *pane, self.workshop));
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> egui::WidgetText {
        pane.title().into()
    }

    /// A tab may hold several panels beside each other, and is called after them.
    fn tab_title_for_tile(&mut self, tiles: &Tiles<Pane>, id: TileId) -> egui::WidgetText {
        panes_in(tiles, id).iter().map(|p| p.title()).collect::<Vec<_>>().join(" + ").into()
    }

    fn is_tab_closable(&self, tiles: &Tiles<Pane>, id: TileId) -> bool {
        // Whether a tab is in front makes no difference: its width stays.
        tiles.get_pane(&id).is_some_and(|p| !matches!(p, Pane::Start | Pane::Play | Pane::Edit))
    }

    fn tab_title_spacing(&self, _: &egui::Visuals) -> f32 {
        5.0
    }

    fn on_tab_close(&mut self, tiles: &mut Tiles<Pane>, id: TileId) -> bool {
        // A closed panel is only hidden, so that it comes back where it was.
        if let Some(Tile::Pane(pane)) = tiles.get(id) {
            self.asked.close = Some(*pane);
        }
        false
    }

    fn top_bar_right_ui(
        &mut self,
        tiles: &Tiles<Pane>,
        ui: &mut egui::Ui,
        _: TileId,
        tabs: &egui_tiles::Tabs,
        _: &mut f32,
    ) {
        let active = tabs.active.and_then(|id| tiles.get_pane(&id)).copied();
        if let Some(pane) = active
            && icons::button(ui, icons::Icon::PopOut, &format!("{} in its own window", pane.title()), false, true)
                .clicked()
        {
            self.asked.pop_out = Some(pane);
        }
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions { all_panes_must_have_tabs: true, ..SimplificationOptions::default() }
    }

    fn tab_bar_height(&self, style: &egui::Style) -> f32 {
        style.spacing.interact_size.y + 6.0
    }

    fn gap_width(&self, _: &egui::Style) -> f32 {
        3.0
    }
}
