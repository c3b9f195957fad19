//! What the program remembers about the user's wishes: looks, limits, layout. One small file, written atomically.

use super::{dock::Layout, theme::Theme};
use crate::library;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, path::PathBuf};

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
    /// Whether moves are shown moving.
    pub animate: bool,
    /// Whether the time taken is shown in play.
    pub clock: bool,
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
    /// Files opened lately, the last first.
    pub recent: Vec<PathBuf>,
    /// The name put into new levels.
    pub author: String,
    /// The best score of an endless run, by game.
    pub best_scores: BTreeMap<String, u32>,
    /// The keys the user has chosen, by the action's name in files; what is not here has the usual keys.
    pub keys: BTreeMap<String, Vec<String>>,
    /// What was chosen last in the box that finds everything, the last first.
    pub found_lately: Vec<String>,
    /// The panels.
    pub layout: Layout,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            version: 1,
            theme: Theme::Dark,
            text_scale: 1.0,
            animate: true,
            clock: true,
            speed: 4.0,
            right_click: RightClick::Erase,
            reply_delay_ms: 500,
            solve_seconds: 60,
            solve_megabytes: 2048,
            recent: Vec::new(),
            author: String::new(),
            best_scores: BTreeMap::new(),
            keys: BTreeMap::new(),
            found_lately: Vec::new(),
            layout: Layout::default(),
        }
    }
}

impl Settings {
    /// Reads them; a damaged file is set aside and named, and the defaults are used.
    pub fn load(path: Option<PathBuf>) -> (Settings, Option<String>) {
        let Some(path) = path else { return (Settings::default(), None) };
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(_) => return (Settings::default(), None),
        };
        match ron::from_str::<Settings>(&text) {
            Ok(mut settings) => {
                settings.text_scale = settings.text_scale.clamp(0.7, 2.0);
                settings.layout.mend();
                (settings, None)
            }
            Err(e) => {
                let aside = path.with_extension("damaged.ron");
                let kept = std::fs::rename(&path, &aside).is_ok();
                let place = if kept { format!("; the old file is kept as {}", aside.display()) } else { String::new() };
                (Settings::default(), Some(format!("the settings could not be read ({e}){place}")))
            }
        }
    }

    /// Writes them.
    pub fn save(&self, path: &std::path::Path) -> Result<(), String> {
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::new()).map_err(|e| e.to_string())?;
        if let Some(folder) = path.parent() {
            library::make_folder(folder).map_err(|t| t.to_string())?;
        }
        library::write_atomic(path, text.as_bytes()).map_err(|t| t.to_string())
    }
}
