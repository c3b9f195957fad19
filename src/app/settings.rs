//! What the program remembers about the user's preferences: looks, limits, layout. One small file, written atomically.

use super::{dock::Layout, theme::Theme};
use crate::disk::{
    self,
    versioned::{Stored, read_stored, read_values, set_aside},
};
use crate::{catalogue::Sort, picture::Colours};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

/// With its thinking, an opponent answers within two seconds.
pub const MOST_REPLY_DELAY_MS: u32 = 1500;

/// What the right mouse button does while editing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum RightClick {
    /// Erases.
    #[default]
    Erase,
    /// Picks up the ink.
    Pick,
    /// Opens a menu of both, and what else can be done there.
    Menu,
}

/// All of it. A field that an older file lacks has its default.
#[derive(Clone, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Version of this file.
    pub version: u32,
    /// Dark or light.
    pub theme: Theme,
    /// Size of the text, 1 is normal.
    pub text_scale: f32,
    /// Whether pieces have the colours that stay apart for all eyes.
    pub all_eyes: bool,
    /// Whether moves are shown moving.
    pub animate: bool,
    /// How fast they move; 1 is usual.
    pub motion_speed: f32,
    /// Whether the tour of the first start was seen or skipped.
    pub toured: bool,
    /// Whether the time taken is shown in play.
    pub clock: bool,
    /// Whether columns and rows are named along a board.
    pub axes: bool,
    /// Whether it is shown that an opponent is thinking.
    pub show_thinking: bool,
    /// Steps a second while a line is played.
    pub speed: f32,
    /// What the right button does while editing.
    pub right_click: RightClick,
    /// How long an opponent waits before it answers, in milliseconds.
    pub reply_delay_ms: u32,
    /// The solver's time limit in Inspect, in seconds; 0 is none.
    pub solve_seconds: u32,
    /// Its memory limit, in megabytes.
    pub solve_megabytes: u32,
    /// Whether the level in front is rated after every change.
    pub rate_live: bool,
    /// Whether a solution is kept with a level only if none kept already is as good.
    pub keep_only_better: bool,
    /// Files opened lately, the last first.
    pub recent: Vec<PathBuf>,
    /// Where levels were saved last.
    pub save_folder: Option<PathBuf>,
    /// Where something was exported to last.
    pub export_folder: Option<PathBuf>,
    /// The name put into new levels.
    pub author: String,
    /// Scores of endless runs were kept here once; they move to the records.
    #[serde(skip_serializing)]
    pub best_scores: BTreeMap<String, u32>,
    /// The keys the user has chosen, by the action's name in files; what is not here has the usual keys.
    pub keys: BTreeMap<String, Vec<String>>,
    /// What was chosen last in the box that finds everything, the last first.
    pub found_lately: Vec<String>,
    /// Collections that are listed in the library.
    pub collections: Vec<PathBuf>,
    /// The order of the library.
    pub library_sort: Sort,
    /// Whether the library shows what is known of the selected level.
    pub library_details: bool,
    /// The seed that Generate goes on with, by game.
    pub next_seeds: BTreeMap<String, u64>,
    /// The panels.
    pub layout: Layout,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            version: VERSION,
            theme: Theme::Dark,
            text_scale: 1.0,
            all_eyes: false,
            animate: true,
            motion_speed: 1.0,
            toured: false,
            clock: true,
            axes: true,
            show_thinking: true,
            speed: 4.0,
            right_click: RightClick::Erase,
            reply_delay_ms: 500,
            solve_seconds: 60,
            solve_megabytes: 2048,
            rate_live: true,
            keep_only_better: true,
            recent: Vec::new(),
            save_folder: None,
            export_folder: None,
            author: String::new(),
            best_scores: BTreeMap::new(),
            keys: BTreeMap::new(),
            found_lately: Vec::new(),
            collections: Vec::new(),
            library_sort: Sort::Own,
            library_details: true,
            next_seeds: BTreeMap::new(),
            layout: Layout::default(),
        }
    }
}

/// The version written, and the newest one read.
const VERSION: u32 = 1;

/// What was read.
pub struct Loaded {
    /// The settings, or the defaults.
    pub settings: Settings,
    /// What the user should know about the file.
    pub message: Option<String>,
    /// Whether the file may be written.
    pub ours: bool,
}

impl Settings {
    /// The colours of boards and signs.
    pub fn colours(&self) -> Colours {
        let colours = self.theme.colours();
        if self.all_eyes { colours.for_all_eyes() } else { colours }
    }

    /// The same with every number where it may be.
    fn checked(mut self) -> Settings {
        let default = Settings::default();
        let within = |x: f32, least, most, or| if x.is_finite() { x.clamp(least, most) } else { or };
        self.text_scale = within(self.text_scale, 0.7, 2.0, default.text_scale);
        self.motion_speed = within(self.motion_speed, 0.25, 4.0, default.motion_speed);
        self.speed = within(self.speed, 0.5, 32.0, default.speed);
        self.reply_delay_ms = self.reply_delay_ms.min(MOST_REPLY_DELAY_MS);
        self.layout.mend();
        self.version = VERSION;
        self
    }

    /// Reads them. Of a damaged file, which is set aside and named, what can be read is used; a file of a newer program is left alone. Whatever is missing
    /// has its default.
    pub fn load(path: Option<&Path>) -> Loaded {
        let found = path.map_or(Stored::Absent, |p| read_stored::<Settings>(p, VERSION));
        let mut settings = Settings::default();
        let (message, ours) = match (found, path) {
            (Stored::Good(found), _) => {
                settings = found;
                (None, true)
            }
            (Stored::Damaged(why), Some(path)) => {
                let mut what = format!("the settings could not be read ({why})");
                if let Some((found, bad)) = read_values::<Settings>(path) {
                    settings = found;
                    what = format!("of the settings, {} could not be read", bad.join(", "));
                }
                match set_aside(path) {
                    Ok(aside) => (Some(format!("{what}; the old file is kept as {}", aside.display())), true),
                    Err(trouble) => (Some(format!("{what}, and {trouble}")), false),
                }
            }
            (Stored::Newer(version), Some(path)) => {
                let path = path.display();
                let text = format!(
                    "{path} was written by a newer Tilewright (version {version}): it is left alone, and settings are kept only until this program ends"
                );
                (Some(text), false)
            }
            (Stored::Unreadable(trouble), _) => (Some(trouble.to_string()), false),
            _ => (None, true),
        };
        Loaded { settings: settings.checked(), message, ours }
    }

    /// Writes them.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::new()).map_err(|e| e.to_string())?;
        if let Some(folder) = path.parent() {
            disk::make_folder(folder).map_err(|t| t.to_string())?;
        }
        // Another copy, perhaps a newer one, may have written it since this one began: the last writer wins, but not over a newer one.
        if let Stored::Newer(_) = read_stored::<serde::de::IgnoredAny>(path, VERSION) {
            return Err("a newer Tilewright has written them since".into());
        }
        disk::write_atomic(path, text.as_bytes()).map_err(|t| t.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_a_newer_program_are_left_alone_and_damaged_ones_set_aside() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.ron");
        let newer = "(version: 7, theme: Sepia, wishes: {})";
        std::fs::write(&path, newer).unwrap();
        let loaded = Settings::load(Some(&path));
        assert!(!loaded.ours && loaded.message.is_some_and(|m| m.contains("newer")));
        assert!(loaded.settings.save(&path).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), newer);
        for name in ["settings.damaged.ron", "settings.damaged-2.ron"] {
            std::fs::write(&path, "(version: 1, theme").unwrap();
            let loaded = Settings::load(Some(&path));
            assert!(loaded.ours && loaded.message.is_some_and(|m| m.contains(name)));
            assert!(dir.path().join(name).exists() && !path.exists());
        }
        Settings { author: "me".into(), ..Settings::default() }.save(&path).unwrap();
        assert_eq!(Settings::load(Some(&path)).settings.author, "me");
    }

    #[test]
    fn a_bad_value_falls_back_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.ron");
        std::fs::write(&path, "(version: 1, author: \"me\", text_scale: NaN, speed: inf, reply_delay_ms: 90000)")
            .unwrap();
        let (settings, default) = (Settings::load(Some(&path)).settings, Settings::default());
        assert_eq!((settings.text_scale, settings.speed), (default.text_scale, default.speed));
        assert_eq!((settings.reply_delay_ms, settings.author.as_str()), (MOST_REPLY_DELAY_MS, "me"));
        let damaged =
            "(version: 1, theme: Sepia, author: \"me\", speed: 8.0, speed: 9.0, recent: 7, layout: (tree: ()))";
        std::fs::write(&path, damaged).unwrap();
        let Loaded { settings, message, ours } = Settings::load(Some(&path));
        assert_eq!((settings.author.as_str(), settings.theme, settings.speed), ("me", default.theme, 9.0));
        let message = message.unwrap();
        assert!(
            ours && message.contains("layout, recent, theme") && message.contains("settings.damaged.ron"),
            "{message}"
        );
    }
}
