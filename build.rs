//! Lists the shipped levels for `src/games/mod.rs`, and names the commit for `--version`.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// `git archive` puts the commit into this file (`.gitattributes`): a source archive has no `.git`.
const ARCHIVED: &str = "packaging/commit";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=levels");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("levels.rs"), levels()?)?;

    let commit = commit().map_or(String::new(), |c| format!(" ({c})"));
    println!("cargo::rustc-env=TILEWRIGHT_VERSION={}{commit}", env!("CARGO_PKG_VERSION"));
    Ok(())
}

/// A function from a game's id to the texts of `levels/<id>/*.ron`, in the order of their names.
fn levels() -> io::Result<String> {
    let mut code = "const fn levels(game: &str) -> &'static [&'static str] {\n    match game.as_bytes() {\n".to_owned();
    for game in names(Path::new("levels"))? {
        code += &format!("        b{game:?} => &[\n");
        for file in names(&Path::new("levels").join(&game))?.iter().filter(|f| f.ends_with(".ron")) {
            let path = format!("/levels/{game}/{file}");
            code += &format!("            include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path:?})),\n");
        }
        code += "        ],\n";
    }
    Ok(code + "        _ => &[],\n    }\n}\n")
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.extend(entry?.file_name().into_string().ok().filter(|name| !name.starts_with('.')));
    }
    names.sort();
    Ok(names)
}

/// The commit a release is built from, if git can tell, or the archive that git made. Other builds do without: each commit would build the whole crate again.
fn commit() -> Option<String> {
    if env::var("PROFILE").ok()? != "release" {
        return None;
    }
    if !Path::new(".git").exists() {
        println!("cargo::rerun-if-changed={ARCHIVED}");
        let commit = fs::read_to_string(ARCHIVED).ok()?;
        return Some(commit.trim().to_owned()).filter(|c| !c.is_empty() && c.chars().all(|c| c.is_ascii_hexdigit()));
    }
    // The log of HEAD grows with each commit and checkout.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]).filter(|log| Path::new(log).exists())?;
    println!("cargo::rerun-if-changed={log}");
    git(&["rev-parse", "--short", "HEAD"])
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok().filter(|o| o.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
