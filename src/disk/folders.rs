//! Where the program keeps its own things.

use std::path::{Path, PathBuf};

/// Where the program keeps its own things.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folders {
    /// Levels, records, recovery copies.
    pub data: PathBuf,
    /// Settings and layout.
    pub config: PathBuf,
    /// What can be computed again.
    pub cache: PathBuf,
    /// The user's documents.
    pub documents: Option<PathBuf>,
}

/// The folders of this user; `TILEWRIGHT_HOME` puts them all below one folder. `None` where the user has no home.
pub fn folders() -> Option<Folders> {
    match std::env::var_os("TILEWRIGHT_HOME") {
        Some(home) if !home.is_empty() => Some(folders_in(Path::new(&home))),
        _ => {
            let dirs = directories::ProjectDirs::from("", "", "Tilewright")?;
            Some(Folders {
                data: dirs.data_dir().into(),
                config: dirs.config_dir().into(),
                cache: dirs.cache_dir().into(),
                documents: directories::UserDirs::new()
                    .map(|user| user.document_dir().map_or_else(|| user.home_dir().join("Documents"), Into::into)),
            })
        }
    }
}

fn folders_in(home: &Path) -> Folders {
    Folders {
        data: home.join("data"),
        config: home.join("config"),
        cache: home.join("cache"),
        documents: Some(home.join("Documents")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_folder_can_stand_for_all() {
        let here = folders_in(Path::new("/x"));
        assert_eq!(here.cache, Path::new("/x/cache"));
    }
}
