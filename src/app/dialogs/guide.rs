//! A page for designers: how a level comes about, what the panels are for, the keys, and the rules of each game. All of it is put together from texts that are
//! used elsewhere (tour, table of keys, the games' own words), so it cannot say something else than they do.

use super::default_button;
use crate::{
    app::{
        dock::Pane,
        keys::{self, Action, Scope},
        tour,
    },
    game::Info,
    games,
};
use egui::{RichText, Ui};

/// The page. True when it is to be closed.
pub(in crate::app) fn show(ui: &mut Ui) -> bool {
    let height = (ui.ctx().content_rect().height() - 180.0).max(120.0);
    let area = egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height);
    area.auto_shrink([false, true]).show(ui, |ui| {
        heading(ui, "A level in two minutes");
        for (i, step) in steps(ui.ctx()).iter().enumerate() {
            ui.label(format!("{}. {step}", i + 1));
        }
        heading(ui, "Panels");
        for pane in Pane::ALL {
            let key = keys::key_of(ui.ctx(), Action::Show(pane));
            ui.label(RichText::new(format!("{} ({key})", pane.title())).strong());
            ui.label(tour::words(ui.ctx(), pane).1);
        }
        for (scope, title) in Scope::TITLES {
            heading(ui, &format!("Keys: {}", title.to_lowercase()));
            keys_of(ui, scope);
        }
        for game in games::offered() {
            heading(ui, game.info().name);
            rules(ui, game.info());
        }
    });
    ui.add_space(6.0);
    default_button(ui, "Close")
}

fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(10.0);
    ui.heading(text);
}

fn steps(ctx: &egui::Context) -> [String; 6] {
    let key = |act| keys::key_of(ctx, act);
    [
        format!("{} makes an empty board: choose a game and a size.", key(Action::New)),
        "Choose from the palette beside the board and paint with the pointer; the right button erases.".into(),
        "Read the line below the board after each stroke: what is missing, whether the level can be solved, in how many moves, how hard it is."
            .into(),
        format!(
            "{} tints each cell by what one edit there would do; {} suggests the smallest edits that make an unsolvable level solvable.",
            key(Action::WhatIf),
            key(Action::Mend)
        ),
        format!("{} plays it, {} shows a shortest solution, step by step.", key(Action::PlayStart), key(Action::Solve)),
        format!("{} saves it; {} exports it: a page to play in a browser, a picture, a sheet to print.", key(Action::Save), key(Action::Export)),
    ]
}

fn keys_of(ui: &mut Ui, scope: Scope) {
    egui::Grid::new(("guide", scope as u8)).num_columns(2).spacing([14.0, 3.0]).show(ui, |ui| {
        for line in keys::table().iter().filter(|l| l.scope == scope) {
            let key = keys::key_text(ui.ctx(), line);
            if !key.is_empty() {
                ui.label(RichText::new(key).strong());
                ui.label(line.name);
                ui.end_row();
            }
        }
    });
}

/// What a game says about itself to players.
pub(super) fn rules(ui: &mut Ui, info: &Info) {
    ui.label(info.summary);
    ui.add_space(4.0);
    ui.label(info.rules);
    for (key, what) in info.keys {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(*key).strong());
            ui.label(*what);
        });
    }
    ui.add_space(4.0);
    ui.weak(format!("Moves are written as {}", info.notation));
}
