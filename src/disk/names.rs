//! File names that mean the same on every system.
//!
//! Names made from titles are portable by construction ([`file_name`]). Names that people type or that come in packs may be anything the system allows; on
//! Windows some of them are devices or silently mean another file, so reading and writing ask [`windows_fault`] there first.

use std::path::{Path, PathBuf};

/// The most bytes of a name made from a title: with a number in front and an ending, it stays below the 255 that file systems allow.
const LONGEST: usize = 120;

/// A file name, without an ending, for a title: lower case, so that titles that differ only in case give the same name on every file system; words joined by
/// dashes; never one that Windows keeps for a device.
pub fn file_name(title: &str) -> String {
    let mut name = String::new();
    for c in title.chars().take(60) {
        if c.is_alphanumeric() {
            name.extend(c.to_lowercase());
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    name.truncate(name.floor_char_boundary(LONGEST));
    match name.trim_matches('-') {
        "" => "level".into(),
        name if is_device(name) => format!("{name}-level"),
        name => name.into(),
    }
}

/// Whether Windows takes a file name for a device, whatever ending follows.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    if ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&stem.as_str()) {
        return true;
    }
    let number = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    number.is_some_and(|n| matches!(n.chars().next(), Some('0'..='9' | '¹' | '²' | '³')) && n.chars().count() == 1)
}

/// Why Windows would not use a file name as it is written.
pub(super) fn windows_fault(name: &str) -> Option<String> {
    if is_device(name) {
        return Some(format!("\"{name}\" is the name of a device on Windows"));
    }
    if name.ends_with(['.', ' ']) {
        return Some(format!("\"{name}\" ends in a dot or a space, which Windows leaves away"));
    }
    let refused = name.chars().find(|c| c.is_control() || r#"<>:"/\|?*"#.contains(*c));
    refused.map(|c| format!("\"{}\" cannot be in a file name on Windows", c.escape_debug()))
}

/// A file that a pack lists, with the system's own separators.
pub fn below(folder: &Path, name: &str) -> PathBuf {
    let mut path = folder.to_path_buf();
    path.extend(name.split('/'));
    path
}

/// The last part of a path, as it is shown.
pub fn last_part(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned())
}

/// Said of a pack that lists files behind such a link.
pub(super) const NOT_FOLLOWED: &str = "this is a link to a folder: a pack cannot list what is behind it";

/// A link to a folder on the way from a folder to a file below it: it could lead anywhere, so it is not followed.
pub(super) fn linked_folder(folder: &Path, file: &Path) -> Option<PathBuf> {
    file.ancestors().skip(1).take_while(|a| *a != folder).find(|a| a.is_symlink()).map(Path::to_path_buf)
}

/// A path with the system's own separators where people wrote `/`, so that messages do not mix the two.
pub(super) fn separated(path: PathBuf) -> PathBuf {
    if std::path::MAIN_SEPARATOR == '/' { path } else { with_separator(path, std::path::MAIN_SEPARATOR_STR) }
}

fn with_separator(path: PathBuf, separator: &str) -> PathBuf {
    path.to_str().map(|p| PathBuf::from(p.replace('/', separator))).unwrap_or(path)
}

/// Whether a file is in our own format, by its ending.
pub fn is_native(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("ron"))
}

/// Whether two paths are one file by two spellings: on a file system that ignores case, or through a link.
pub(super) fn same_file(a: &Path, b: &Path) -> bool {
    a == b || std::fs::canonicalize(a).is_ok_and(|a| std::fs::canonicalize(b).is_ok_and(|b| a == b))
}

/// A path without the prefix `\\?\` that Windows puts before a path that it has resolved: people cannot read it, and a path with it is not equal to the
/// one without.
pub(super) fn without_prefix(path: PathBuf) -> PathBuf {
    let plain = path.to_str().and_then(|p| p.strip_prefix(r"\\?\"));
    // Only a drive: a share or a volume needs its prefix.
    let drive =
        plain.filter(|p| p.as_bytes().get(..3).is_some_and(|d| d[0].is_ascii_alphabetic() && &d[1..] == br":\"));
    drive.map(PathBuf::from).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_becomes_a_name_that_windows_takes_too() {
        let devices = ["CON", "nul", "Aux", "PRN", "COM1", "LPT9", "com¹", "lpt0", "?con?"];
        let others = [
            "a/b\\c",
            "a:b",
            "<>|*\"",
            "end. ",
            "...",
            "tab\tline\n",
            "",
            "Straße 12",
            "conin$",
            ".hidden",
            "é".repeat(99).leak(),
        ];
        for title in devices.into_iter().chain(others) {
            let name = file_name(title);
            assert!(!name.is_empty() && name.len() <= LONGEST, "{title:?}: {name:?}");
            for whole in [name.clone(), format!("{name}.ron"), format!("{name}-2.tmj")] {
                assert_eq!(windows_fault(&whole), None, "{title:?}");
            }
        }
        assert_eq!(file_name("Con"), "con-level");
        assert_eq!(file_name("Console 1"), "console-1");
        assert_eq!(file_name("The CAT"), file_name("the cat"), "a number tells them apart, on every system");
    }

    #[test]
    fn names_that_windows_would_change_or_refuse_are_known() {
        for name in
            ["con", "CON.ron", "nul.tar.gz", "com3 .txt", "LPT².ron", "a.ron.", "a ", "a:b.ron", "what?.png", "a\u{7}"]
        {
            assert!(windows_fault(name).is_some(), "{name:?}");
        }
        for name in ["a.ron", "com.ron", "com10.ron", "console.ron", ".hidden", "größe 1.ron", "lpt-1.ron", "a.con"] {
            assert_eq!(windows_fault(name), None, "{name:?}");
        }
    }

    #[test]
    fn a_resolved_path_is_shown_without_its_prefix() {
        let plain = |path: &str| without_prefix(path.into()).display().to_string();
        assert_eq!(plain(r"\\?\C:\levels\a.ron"), r"C:\levels\a.ron");
        assert_eq!(plain(r"\\?\UNC\host\share"), r"\\?\UNC\host\share");
        assert_eq!(plain("/levels/a.ron"), "/levels/a.ron");
    }

    #[test]
    fn a_name_of_a_pack_is_a_path_of_this_system() {
        let path = below(Path::new("pack"), "more/a.ron");
        assert_eq!(with_separator("levels/cats/01.ron".into(), "\\").display().to_string(), r"levels\cats\01.ron");
        assert_eq!(separated(path.clone()), path);
        assert_eq!(path.display().to_string(), ["pack", "more", "a.ron"].join(std::path::MAIN_SEPARATOR_STR));
    }
}
