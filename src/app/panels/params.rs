//! Sliders, switches and choices made from [`Param`]s: rule switches in Edit, parameters in Generate.

use super::choice;
use crate::game::{Kind, Param, Value, Values};
use egui::Ui;

/// The room of a slider with its value, and of the choice between words and a number before it.
const SLIDER: f32 = 110.0;
const WORDS: f32 = 110.0;

/// Shows one control a parameter; what was changed.
pub fn show(ui: &mut Ui, params: &[Param], values: &mut Values) -> Option<(&'static str, Value)> {
    let mut changed = None;
    // In a narrow column a control stands below its name.
    let name = |p: &Param| {
        egui::WidgetText::from(p.label).into_galley(ui, None, f32::INFINITY, egui::TextStyle::Body).size().x
    };
    let longest = params.iter().map(name).fold(0.0, f32::max);
    let words = params.iter().any(|p| matches!(&p.kind, Kind::Number { words, .. } if !words.is_empty()));
    let narrow = ui.available_width() < longest + SLIDER + if words { WORDS } else { 0.0 };
    let columns = if narrow { 1 } else { 2 };
    egui::Grid::new("parameters").num_columns(columns).spacing([6.0, 3.0]).show(ui, |ui| {
        if narrow {
            ui.spacing_mut().combo_width = 64.0;
        }
        for p in params {
            let value = values.0.get(p.name).cloned().unwrap_or_else(|| p.default.clone());
            let next = control(ui, p, &value, narrow);
            ui.end_row();
            if next != value {
                values.set(p.name, next.clone());
                changed = Some((p.name, next));
            }
        }
    });
    changed
}

fn control(ui: &mut Ui, p: &Param, value: &Value, narrow: bool) -> Value {
    let mut next = value.clone();
    let label = ui.label(p.label).on_hover_text(p.help);
    if narrow {
        ui.end_row();
    }
    match &p.kind {
        Kind::Switch => {
            let mut on = *value == Value::Switch(true);
            ui.checkbox(&mut on, "").labelled_by(label.id).on_hover_text(p.help);
            next = Value::Switch(on);
        }
        Kind::Choice(words) => words_box(ui, p, words, &mut next, label.id),
        Kind::Number { min, max, words } => {
            ui.horizontal(|ui| {
                if !words.is_empty() {
                    let all: Vec<_> = std::iter::once("number").chain(words.iter().copied()).collect();
                    let mut word = match value {
                        Value::Word(_) => value.clone(),
                        _ => "number".into(),
                    };
                    words_box(ui, p, &all, &mut word, label.id);
                    next = match (&word, value) {
                        (Value::Word(w), Value::Word(_)) if w == "number" => Value::Number(*min),
                        (Value::Word(w), _) if w == "number" => value.clone(),
                        _ => word,
                    };
                }
                if let Value::Number(n) = &mut next {
                    ui.spacing_mut().slider_width = (ui.available_width() - 62.0).clamp(30.0, 150.0);
                    let slider = egui::Slider::new(n, *min..=*max).clamping(egui::SliderClamping::Always);
                    // Where usual values are a small part of the range, they get a larger part of the slider.
                    let slider = slider.logarithmic(usual(p, *min) * 6 < *max - *min);
                    ui.add(slider).labelled_by(label.id).on_hover_text(p.help);
                }
            });
        }
    }
    next
}

/// How far the usual value of a parameter is from its least; half the range if that is not known.
fn usual(p: &Param, min: i64) -> i64 {
    match (&p.default, &p.kind) {
        (Value::Number(n), _) => (n - min).max(1),
        (_, Kind::Number { max, .. }) => (max - min) / 2,
        _ => 1,
    }
}

fn words_box(ui: &mut Ui, p: &Param, words: &[&str], value: &mut Value, label: egui::Id) {
    let shown = p.shown(&value.to_string()).to_string();
    let list = egui::ComboBox::from_id_salt(p.name).selected_text(shown);
    let all = words.iter().map(|word| (Value::Word((*word).to_string()), p.shown(word)));
    choice(ui, list, value, all).labelled_by(label).on_hover_text(p.help);
}
