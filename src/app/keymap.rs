//! The keys the user has chosen, over the usual ones of [`keys::table`].
//!
//! The settings hold them as text, by the action's name in files: `"undo": ["Ctrl+Z", "Z"]`; an empty list is an action without a key. What cannot be
//! read there is left out and named, and the action keeps its usual keys. The map in force lives in egui's context, since every tooltip and menu line
//! asks for it and all of them have the context at hand.
//!
//! Two actions may share a key when they never mean something at the same time ([`Scope`]). Where they would, the sheet of keys says so, and the
//! action that had the key loses it.

use super::keys::{self, Line, Scope};
use egui::{Id, Key, KeyboardShortcut, Modifiers};
use std::{collections::BTreeMap, sync::Arc};

/// The chosen keys as text, as the settings hold them.
pub type Chosen = BTreeMap<String, Vec<String>>;

/// The keys in force.
#[derive(Clone, Debug, Default)]
pub struct Keymap {
    chosen: BTreeMap<String, Vec<KeyboardShortcut>>,
}

/// More keys for one action than this are of no use, and a damaged file may hold any number.
const MOST_KEYS: usize = 4;

impl Keymap {
    /// Reads them; what cannot be read, as sentences.
    pub fn read(chosen: &Chosen) -> (Keymap, Vec<String>) {
        let mut map = Keymap::default();
        let mut troubles = Vec::new();
        for (id, texts) in chosen {
            if !keys::table().iter().any(|l| l.id == *id) {
                troubles.push(format!("the settings have a key for \"{id}\", which is not an action"));
                continue;
            }
            let mut read = Vec::new();
            for text in texts.iter().take(MOST_KEYS) {
                match parse(text) {
                    Some(key) if !read.contains(&key) => read.push(key),
                    Some(_) => {}
                    None => {
                        troubles.push(format!("\"{text}\" in the settings is not a key, so {id} keeps its default"))
                    }
                }
            }
            // All of them unreadable is damage; an empty list is a wish.
            if !read.is_empty() || texts.is_empty() {
                map.chosen.insert(id.clone(), read);
            }
        }
        (map, troubles)
    }

    /// The keys of an action.
    pub fn keys<'a>(&'a self, line: &'a Line) -> &'a [KeyboardShortcut] {
        self.chosen.get(&line.id).unwrap_or(&line.keys)
    }

    /// Whether the user has chosen this action's keys.
    pub fn is_chosen(&self, line: &Line) -> bool {
        self.chosen.contains_key(&line.id)
    }

    /// The other actions that have this key at a time when this one would have it too.
    pub fn conflicts(&self, line: &Line, key: KeyboardShortcut) -> Vec<&'static Line> {
        let same = |l: &&Line| l.act != line.act && meet(l.scope, line.scope) && self.keys(l).contains(&key);
        keys::table().iter().filter(same).collect()
    }
}

/// Whether keys of these two scopes can be meant at the same time. The library's go before all others while its list has the keyboard.
fn meet(a: Scope, b: Scope) -> bool {
    a == b || ((a == Scope::Always || b == Scope::Always) && a != Scope::Library && b != Scope::Library)
}

fn place() -> Id {
    Id::unique("tilewright keymap")
}

/// Puts chosen keys into force; what could not be read, as sentences.
pub fn install(ctx: &egui::Context, chosen: &Chosen) -> Vec<String> {
    let (map, troubles) = Keymap::read(chosen);
    ctx.data_mut(|d| d.insert_temp(place(), Arc::new(map)));
    troubles
}

/// The keys in force.
pub fn of(ctx: &egui::Context) -> Arc<Keymap> {
    ctx.data(|d| d.get_temp(place())).unwrap_or_default()
}

/// Writes down an action's keys; its usual ones need no line.
pub fn choose(chosen: &mut Chosen, line: &Line, keys: &[KeyboardShortcut]) {
    if keys == line.keys {
        chosen.remove(&line.id);
    } else {
        chosen.insert(line.id.clone(), keys.iter().map(|k| text(*k)).collect());
    }
}

/// A key as the settings hold it: `Ctrl+Shift+Z`. `Ctrl` is the command key where a system has one.
pub fn text(key: KeyboardShortcut) -> String {
    held(key) + key.logical_key.name()
}

/// A key as it is printed on a keyboard: `Ctrl+,`.
pub fn label(key: KeyboardShortcut) -> String {
    held(key)
        + match key.logical_key {
            Key::Comma => ",",
            Key::Period => ".",
            Key::Questionmark => "?",
            Key::Plus => "+",
            Key::Minus => "-",
            Key::Equals => "=",
            Key::Slash => "/",
            Key::Backslash => "\\",
            Key::Semicolon => ";",
            Key::Colon => ":",
            Key::Quote => "'",
            Key::Backtick => "`",
            Key::OpenBracket => "[",
            Key::CloseBracket => "]",
            Key::PageUp => "Page Up",
            Key::PageDown => "Page Down",
            Key::ArrowLeft => "Left",
            Key::ArrowRight => "Right",
            Key::ArrowUp => "Up",
            Key::ArrowDown => "Down",
            other => other.name(),
        }
}

/// The keys to hold, each with its plus sign.
fn held(key: KeyboardShortcut) -> String {
    let mut text = String::new();
    for (held, name) in
        [(is_command(key.modifiers), "Ctrl+"), (key.modifiers.alt, "Alt+"), (key.modifiers.shift, "Shift+")]
    {
        if held {
            text += name;
        }
    }
    text
}

fn is_command(m: Modifiers) -> bool {
    m.command || m.ctrl
}

/// Reads what [`text`] writes.
pub fn parse(text: &str) -> Option<KeyboardShortcut> {
    let mut modifiers = Modifiers::NONE;
    let mut rest = text.trim();
    loop {
        let (held, after) = [(Modifiers::COMMAND, "Ctrl+"), (Modifiers::ALT, "Alt+"), (Modifiers::SHIFT, "Shift+")]
            .into_iter()
            .find_map(|(m, name)| rest.strip_prefix(name).map(|after| (m, after)))
            .unwrap_or((Modifiers::NONE, rest));
        if after == rest {
            break;
        }
        (modifiers, rest) = (modifiers | held, after);
    }
    Key::from_name(rest).map(|key| KeyboardShortcut::new(modifiers, key))
}

/// Modifiers without a Shift that some layouts need to type the key at all (`+`, `?`): it says nothing there.
pub fn meant(key: Key, modifiers: Modifiers) -> Modifiers {
    let typed_with_shift = matches!(key, Key::Plus | Key::Questionmark | Key::Exclamationmark | Key::Colon | Key::Pipe);
    Modifiers { shift: modifiers.shift && !typed_with_shift, ..modifiers }
}

/// The key of an event as it stands in the table.
pub fn pressed(key: Key, modifiers: Modifiers) -> KeyboardShortcut {
    let modifiers = meant(key, modifiers);
    let mut held = Modifiers::NONE;
    for (on, m) in [
        (is_command(modifiers), Modifiers::COMMAND),
        (modifiers.alt, Modifiers::ALT),
        (modifiers.shift, Modifiers::SHIFT),
    ] {
        if on {
            held |= m;
        }
    }
    KeyboardShortcut::new(held, key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::keys::Action;

    fn line(act: Action) -> &'static Line {
        keys::line(act).expect("it is in the table")
    }

    #[test]
    fn every_action_has_a_name_of_its_own_in_files_and_no_key_means_two_things() {
        let map = Keymap::default();
        for (i, line) in keys::table().iter().enumerate() {
            assert!(!line.id.is_empty() && line.id.chars().all(|c| c.is_alphanumeric() || c == '-'), "{}", line.id);
            assert!(keys::table()[..i].iter().all(|l| l.id != line.id), "{}", line.id);
            for key in &line.keys {
                let others: Vec<_> = map.conflicts(line, *key).iter().map(|l| l.name).collect();
                assert!(others.is_empty(), "{} and {others:?} share {}", line.name, text(*key));
            }
        }
        assert_eq!(line(Action::StepNext).id, "step-next");
        assert_eq!(line(Action::Show(crate::app::dock::Pane::Library)).id, "show-library");
    }

    #[test]
    fn every_usual_key_is_read_as_it_is_written() {
        for key in keys::table().iter().flat_map(|l| &l.keys) {
            assert_eq!(parse(&text(*key)), Some(*key), "{}", text(*key));
        }
        for wrong in ["", "Ctrl+", "Hyper+A", "Ctrl+Nothing", "++"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_named_and_left_out() {
        let chosen = Chosen::from([
            ("undo".to_string(), vec!["Ctrl+U".to_string()]),
            ("redo".to_string(), vec!["Hyper+Q".to_string()]),
            ("hint".to_string(), vec![]),
            ("fly".to_string(), vec!["F".to_string()]),
        ]);
        let (map, troubles) = Keymap::read(&chosen);
        assert_eq!(troubles.len(), 2, "{troubles:?}");
        assert_eq!(map.keys(line(Action::Undo)), [KeyboardShortcut::new(Modifiers::COMMAND, Key::U)]);
        assert_eq!(map.keys(line(Action::Redo)), line(Action::Redo).keys, "the usual ones");
        assert!(map.keys(line(Action::Hint)).is_empty(), "an action may have no key");
    }

    #[test]
    fn a_key_is_shared_only_by_actions_that_never_meet() {
        let map = Keymap::default();
        let r = KeyboardShortcut::new(Modifiers::NONE, Key::R);
        assert_eq!(map.conflicts(line(Action::Hint), r).len(), 1, "in play, R restarts");
        assert_eq!(map.conflicts(line(Action::Save), r).len(), 2, "a key for all times meets those of every time");
        assert!(map.conflicts(line(Action::Autoplay), r).is_empty());
    }
}
