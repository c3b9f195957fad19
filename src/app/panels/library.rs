//! What there is to open: open levels, shipped packs, one's own levels, opened collections.

use crate::{
    app::{
        canvas,
        icons::{self, Icon},
        keys::{Act, tip},
        theme::egui_colour,
        workshop::{Mode, Source, Workshop},
    },
    document::{Board, Doc},
    formats, games,
    picture::{Area, Colours, Picture},
};
use egui::{RichText, Ui, vec2};
use std::path::{Path, PathBuf};

/// A level in a list.
struct Card {
    title: String,
    game: &'static str,
    tags: String,
    source: Source,
    path: Option<PathBuf>,
    /// Drawn in the colours of one theme; made again when the theme changes.
    picture: Picture,
    extent: Area,
}

/// A list with a heading.
struct Pack {
    title: String,
    cards: Vec<Card>,
}

/// What the panel remembers.
#[derive(Default)]
pub struct LibraryUi {
    search: String,
    game: Option<&'static str>,
    packs: Option<Vec<Pack>>,
    own: Option<Pack>,
    collections: Vec<(PathBuf, Vec<String>)>,
    drawn_for: Option<Colours>,
    folder: Option<PathBuf>,
}

impl LibraryUi {
    /// Uses this folder for one's own levels.
    pub fn set_folder(&mut self, folder: Option<PathBuf>) {
        self.folder = folder;
        self.own = None;
    }

    /// The folder of one's own levels.
    pub fn own_folder(&self) -> Option<PathBuf> {
        self.folder.clone()
    }

    /// Looks at the disk again.
    pub fn refresh(&mut self) {
        self.own = None;
    }

    /// Lists a collection.
    pub fn add_collection(&mut self, path: &Path, docs: &[Box<dyn Doc>]) {
        self.collections.retain(|(p, _)| p != path);
        self.collections.push((path.to_path_buf(), docs.iter().map(|d| d.native()).collect()));
        self.packs = None;
    }

    fn make(&mut self, colours: &Colours) {
        if self.drawn_for.as_ref() != Some(colours) {
            self.drawn_for = Some(colours.clone());
            self.packs = None;
            self.own = None;
        }
        if self.packs.is_none() {
            let mut packs: Vec<Pack> = games::offered()
                .iter()
                .filter(|g| !g.info().levels.is_empty())
                .map(|g| {
                    let id = g.info().id;
                    let cards = g.info().levels.iter().enumerate();
                    let cards = cards.filter_map(|(i, text)| card(text, Source::Shipped(id, i), None, colours));
                    Pack { title: g.info().name.into(), cards: cards.collect() }
                })
                .collect();
            for (path, texts) in &self.collections {
                let cards = texts.iter().enumerate();
                let cards =
                    cards.filter_map(|(i, text)| card(text, Source::Collection(path.clone(), i), None, colours));
                let title = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
                packs.push(Pack { title, cards: cards.collect() });
            }
            self.packs = Some(packs);
        }
        if self.own.is_none() {
            let mut files: Vec<PathBuf> = self
                .folder
                .as_ref()
                .and_then(|f| std::fs::read_dir(f).ok())
                .map(|entries| entries.filter_map(|e| e.ok().map(|e| e.path())).collect())
                .unwrap_or_default();
            files.retain(|p| p.extension().is_some_and(|e| e == "ron"));
            files.sort();
            let cards = files.into_iter().filter_map(|path| {
                let text = std::fs::read_to_string(&path).ok()?;
                card(&text, Source::Own, Some(path), colours)
            });
            self.own = Some(Pack { title: "My levels".into(), cards: cards.collect() });
        }
    }
}

fn card(text: &str, source: Source, path: Option<PathBuf>, colours: &Colours) -> Option<Card> {
    let mut doc = formats::read(text.as_bytes()).ok()?.into_iter().next()?;
    // As play begins: a draft may show the solution (Shards).
    let board = if doc.play_from_start() { Board::Play } else { Board::Draft };
    let meta = doc.meta();
    let title = match (&path, meta.title.is_empty()) {
        (_, false) => meta.title.clone(),
        (Some(path), true) => path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned()),
        (None, true) => "Untitled".into(),
    };
    let tags = meta.tags.join(" ");
    let picture = doc.picture(board, colours, 6.0);
    let extent = doc.extent(board);
    Some(Card { title, game: doc.game().info().id, tags, source, path, picture, extent })
}

/// The panel.
pub fn show(ui: &mut Ui, w: &mut Workshop) {
    let colours = w.colours.clone();
    let mut ask = None;
    ui.horizontal_wrapped(|ui| {
        for (label, act) in [("New", Act::New), ("Open", Act::Open)] {
            if ui.button(label).on_hover_text(tip(ui.ctx(), act)).clicked() {
                ask = Some(act);
            }
        }
        let name = w.library.game.and_then(games::by_id).map_or("all games", |g| g.info().name);
        let combo = egui::ComboBox::from_id_salt("library game").selected_text(name).width(80.0).show_ui(ui, |ui| {
            ui.selectable_value(&mut w.library.game, None, "all games");
            for g in games::offered() {
                ui.selectable_value(&mut w.library.game, Some(g.info().id), g.info().name);
            }
        });
        combo.response.accessible_name("game shown in the library");
    });
    let search = egui::TextEdit::singleline(&mut w.library.search).hint_text("search").desired_width(f32::INFINITY);
    ui.add(search).accessible_name("search the library");
    if let Some(act) = ask {
        w.ask(act);
    }
    w.library.make(&colours);
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        open_levels(ui, w);
        let mut chosen = None;
        let needle = w.library.search.to_lowercase();
        let library = &w.library;
        let packs = library.packs.iter().flatten().chain(&library.own);
        for pack in packs {
            let shown: Vec<_> = pack
                .cards
                .iter()
                .filter(|c| library.game.is_none_or(|g| g == c.game))
                .filter(|c| needle.is_empty() || format!("{} {}", c.title, c.tags).to_lowercase().contains(&needle))
                .collect();
            if shown.is_empty() {
                continue;
            }
            let title = format!("{} ({})", pack.title, shown.len());
            egui::CollapsingHeader::new(title).id_salt(&pack.title).default_open(true).show(ui, |ui| {
                ui.horizontal_wrapped(|ui| {
                    ui.spacing_mut().item_spacing = vec2(5.0, 5.0);
                    for c in shown {
                        if thumbnail(ui, c, &colours).clicked() {
                            chosen = Some((c.source.clone(), c.path.clone()));
                        }
                    }
                });
            });
        }
        match chosen {
            Some((Source::Shipped(game, index), _)) => w.open_shipped(game, index),
            Some((Source::Collection(path, index), _)) => open_from_collection(w, &path, index),
            Some((_, Some(path))) => w.open_path(&path),
            _ => {}
        }
    });
}

fn open_from_collection(w: &mut Workshop, path: &Path, index: usize) {
    let text = w.library.collections.iter().find(|(p, _)| p == path).and_then(|(_, texts)| texts.get(index)).cloned();
    let Some(doc) = text.and_then(|t| formats::read(t.as_bytes()).ok()).and_then(|d| d.into_iter().next()) else {
        return;
    };
    w.add(doc, None, Source::Collection(path.to_path_buf(), index), Mode::Play);
}

fn open_levels(ui: &mut Ui, w: &mut Workshop) {
    if w.open.is_empty() {
        return;
    }
    let (mut go, mut close) = (None, None);
    egui::CollapsingHeader::new(format!("Open ({})", w.open.len())).id_salt("open").default_open(true).show(ui, |ui| {
        for (i, open) in w.open.iter_mut().enumerate() {
            ui.horizontal(|ui| {
                let title = open.title();
                if icons::button(ui, Icon::Close, &format!("Close {title}"), false, true).clicked() {
                    close = Some(i);
                }
                let dirty = if open.doc.dirty() { " *" } else { "" };
                let text = format!("{title}{dirty}");
                let button = egui::Button::selectable(i == w.active, text).truncate();
                if ui.add(button).clicked() {
                    go = Some(i);
                }
            });
        }
    });
    if let Some(i) = go {
        w.activate(i);
    }
    if let Some(i) = close {
        w.close(i);
    }
}

fn thumbnail(ui: &mut Ui, card: &Card, colours: &Colours) -> egui::Response {
    let side = 74.0_f32.min(ui.available_width());
    let line = ui.text_style_height(&egui::TextStyle::Small);
    let (rect, response) = ui.allocate_exact_size(vec2(side, side + line + 2.0), egui::Sense::click());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &card.title));
    if ui.is_rect_visible(rect) {
        let board = egui::Rect::from_min_size(rect.min, vec2(side, side));
        ui.painter().rect_filled(board, 5.0, egui_colour(colours.back));
        canvas::fit(ui.painter(), board.shrink(4.0), card.extent, &card.picture);
        if response.hovered() || response.has_focus() {
            ui.painter().rect_stroke(board, 5.0, (2.0, egui_colour(colours.accent)), egui::StrokeKind::Inside);
        }
        let text = egui::WidgetText::from(RichText::new(&card.title).small());
        let galley = text.into_galley(ui, Some(egui::TextWrapMode::Truncate), side, egui::TextStyle::Small);
        let at = egui::pos2(board.center().x - galley.size().x / 2.0, board.bottom() + 2.0);
        ui.painter().galley(at, galley, ui.visuals().text_color());
    }
    response.on_hover_text(&card.title)
}
