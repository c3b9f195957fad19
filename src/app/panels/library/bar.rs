//! The top of the panel: new, open, search, filter, order.

use super::Task;
use crate::{
    app::{
        icons::{self, Icon},
        keys::{Action, tip},
        panels::choice,
        workshop::Workshop,
    },
    catalogue::{Listing, Query, Solved, Sort},
    games,
};
use egui::{RichText, Ui};

pub(super) fn show(ui: &mut Ui, w: &mut Workshop) {
    let mut ask = None;
    ui.horizontal_wrapped(|ui| {
        for (label, act) in [("New", Action::New), ("Open", Action::Open)] {
            if ui.button(label).on_hover_text(tip(ui.ctx(), act)).clicked() {
                ask = Some(act);
            }
        }
        let query = &mut w.library.query;
        let name = query.game.and_then(games::by_id).map_or("all games", |g| g.info().name);
        let width = (ui.available_width() - 18.0).clamp(60.0, 130.0);
        let list = egui::ComboBox::from_id_salt("library game").selected_text(name).width(width);
        let all = games::offered().iter().map(|g| (Some(g.info().id), g.info().name));
        let all = std::iter::once((None, "all games")).chain(all);
        choice(ui, list, &mut query.game, all).accessible_name("game shown in the library");
    });
    search(ui, w);
    if let Some(act) = ask {
        w.ask(act);
    }
}

fn search(ui: &mut Ui, w: &mut Workshop) {
    ui.horizontal(|ui| {
        let listing = w.library.listing.clone();
        let side = ui.spacing().interact_size.y + 4.0;
        let room = ui.available_width() - 2.0 * (side + ui.spacing().item_spacing.x);
        let library = &mut w.library;
        let hint = if library.query.bin { "search the bin" } else { "search" };
        let field = egui::TextEdit::singleline(&mut library.query.text).hint_text(hint).desired_width(room.max(60.0));
        let field = ui.add(field).accessible_name("search the library");
        if std::mem::take(&mut library.find) {
            field.request_focus();
        }
        let (enter, escape) = ui.input(|i| (i.key_pressed(egui::Key::Enter), i.key_pressed(egui::Key::Escape)));
        if field.lost_focus() && enter {
            // On to what was found.
            library.focus = true;
            let first = listing.sections.iter().flat_map(|s| &s.entries).next();
            if let Some(first) = first {
                library.choice.only(&first.key);
                library.reveal = true;
            }
        } else if field.lost_focus() && escape {
            library.query.text.clear();
        }
        let on = library.query.filters_more();
        let filter = icons::button(ui, Icon::Filter, "Filter the library", on, true);
        egui::Popup::menu(&filter).close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
            ui.set_min_width(170.0);
            filters(ui, w, &listing);
        });
        let more = icons::button(ui, Icon::More, "Order and more", w.library.query.sort != Sort::Own, true);
        egui::Popup::menu(&more).show(|ui| {
            ui.set_min_width(170.0);
            orders(ui, w, &listing);
        });
    });
    state(ui, w);
}

/// What is left out, and what is still being read: only where there is something to say.
fn state(ui: &mut Ui, w: &mut Workshop) {
    let listing = w.library.listing.clone();
    let query = &w.library.query;
    let mut words = Vec::new();
    if query.bin {
        words.push("Bin".to_string());
    }
    if let Some(tag) = &query.tag {
        words.push(format!("tag \"{tag}\""));
    }
    match query.solved {
        Solved::Any => {}
        Solved::Yes => words.push("solved".into()),
        Solved::No => words.push("not solved".into()),
    }
    if query.duplicates {
        words.push("duplicates".into());
    }
    if query.sort != Sort::Own {
        words.push(query.sort.name().into());
    }
    let shown: usize = listing.sections.iter().map(|s| s.entries.len()).sum();
    if query.filters() {
        words.push(format!("{shown} found"));
    }
    if let Some((done, all)) = listing.reading {
        words.push(format!("reading {done} of {all}"));
    } else if listing.rating > 0 && (query.sort.by_difficulty() || !w.library.curves.is_empty()) {
        words.push(format!("rating {} more", listing.rating));
    }
    if words.is_empty() {
        return;
    }
    let clear = query.filters() || query.bin || query.sort != Sort::Own;
    ui.horizontal(|ui| {
        if clear && icons::button(ui, Icon::Close, "Show everything", false, true).clicked() {
            let won = w.library.query.won.clone();
            w.library.query = Query { won, ..Default::default() };
            w.settings.library_sort = Sort::Own;
            w.library.emptying = false;
        }
        ui.add(egui::Label::new(RichText::new(words.join(" · ")).small().weak()).truncate());
    });
}

fn filters(ui: &mut Ui, w: &mut Workshop, listing: &Listing) {
    let query = &mut w.library.query;
    for (value, name) in [(Solved::Any, "solved or not"), (Solved::Yes, "solved"), (Solved::No, "not solved")] {
        ui.radio_value(&mut query.solved, value, name);
    }
    ui.separator();
    ui.checkbox(&mut query.duplicates, "duplicates only")
        .on_hover_text("levels that equal another one, turned or mirrored");
    if listing.tags.is_empty() {
        return;
    }
    ui.separator();
    egui::ScrollArea::vertical().max_height(220.0).show(ui, |ui| {
        ui.radio_value(&mut query.tag, None, "any tag");
        for (tag, count) in listing.tags.iter().take(200) {
            ui.radio_value(&mut query.tag, Some(tag.clone()), format!("{tag} ({count})"));
        }
    });
}

fn orders(ui: &mut Ui, w: &mut Workshop, listing: &Listing) {
    for sort in Sort::ALL {
        if ui.radio_value(&mut w.library.query.sort, sort, sort.name()).changed() {
            w.settings.library_sort = sort;
        }
    }
    ui.separator();
    let bin = if w.library.query.bin { "Leave the bin".into() } else { format!("Bin ({})", listing.binned) };
    for (name, task) in [(bin, Task::ShowBin), ("New pack…".into(), Task::NewPack), ("Refresh".into(), Task::Refresh)]
    {
        if ui.button(name).clicked() {
            w.ask(Action::Library(task));
        }
    }
    ui.checkbox(&mut w.settings.library_details, "details of the selected level");
}
