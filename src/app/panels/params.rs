//! Sliders, switches and choices made from [`Param`]s: rule switches in Edit, parameters in Generate.

use crate::game::{Kind, Param, Value, Values};
use egui::Ui;

/// Shows one control a parameter; true if a value was changed.
pub fn show(ui: &mut Ui, params: &[Param], values: &mut Values) -> Option<(&'static str, Value)> {
    let mut changed = None;
    for p in params {
        let value = values.0.get(p.name).cloned().unwrap_or_else(|| p.default.clone());
        let mut next = value.clone();
        match &p.kind {
            Kind::Switch => {
                let mut on = value == Value::Switch(true);
                ui.checkbox(&mut on, p.label).on_hover_text(p.help);
                next = Value::Switch(on);
            }
            Kind::Choice(words) => {
                ui.horizontal(|ui| {
                    let label = ui.label(p.label).on_hover_text(p.help);
                    words_box(ui, p, words, &mut next, label.id);
                });
            }
            Kind::Number { min, max, words } => {
                ui.horizontal(|ui| {
                    let label = ui.label(p.label).on_hover_text(p.help);
                    if !words.is_empty() {
                        let mut all = vec!["number"];
                        all.extend(*words);
                        let mut word = match &value {
                            Value::Word(_) => value.clone(),
                            _ => "number".into(),
                        };
                        words_box(ui, p, &all, &mut word, label.id);
                        next = match (&word, &value) {
                            (Value::Word(w), Value::Word(_)) if w == "number" => Value::Number(*min),
                            (Value::Word(w), _) if w == "number" => value.clone(),
                            _ => word,
                        };
                    }
                    if let Value::Number(n) = &mut next {
                        ui.spacing_mut().slider_width = (ui.available_width() - 64.0).clamp(40.0, 160.0);
                        let slider = egui::Slider::new(n, *min..=*max).clamping(egui::SliderClamping::Always);
                        ui.add(slider).labelled_by(label.id).on_hover_text(p.help);
                    }
                });
            }
        }
        if next != value {
            values.set(p.name, next.clone());
            changed = Some((p.name, next));
        }
    }
    changed
}

fn words_box(ui: &mut Ui, p: &Param, words: &[&str], value: &mut Value, label: egui::Id) {
    let shown = value.to_string();
    let combo = egui::ComboBox::from_id_salt(p.name).selected_text(shown).show_ui(ui, |ui| {
        for word in words {
            ui.selectable_value(value, Value::Word((*word).to_string()), *word);
        }
    });
    combo.response.labelled_by(label).on_hover_text(p.help);
}
