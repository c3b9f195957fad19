//! Levels for other people and other programs: pictures, films, sheets of paper, map editors, a line to paste into a chat.
//!
//! Every exporter works for every game, through [`Doc`] alone. [`ALL`] is the list that commands and the window offer; [`write`] is the one way in. A game's own
//! foreign formats (XSB, say) are a different thing: they are in the game's folder and hold levels for play. Four of the exporters can be read
//! again ([`read`]): share codes, playable pages, LDtk projects and Tiled maps.
//!
//! | file | what |
//! |---|---|
//! | `png.rs`, `svg.rs` | a picture of a level |
//! | `gif.rs` | a film of its solution |
//! | `sheet.rs`, `pdf.rs` | pages with several levels, their answers at the end |
//! | `ldtk.rs`, `tiled.rs` | maps; what they have in common is in `layers.rs` |
//! | `code.rs` | the share code |
//! | `page.rs` | a playable web page |
//! | `save.rs` | [`save_as`]: levels to a path, whose ending chooses the format |
//! | `preview.rs` | [`preview()`]: what an export will look like |
//! | `path.rs`, `raster.rs` | figures and letters as outlines, outlines as pixels |

mod code;
mod gif;
mod layers;
mod ldtk;
mod page;
mod path;
mod pdf;
pub mod png;
mod preview;
pub(crate) mod raster;
mod save;
mod sheet;
mod svg;
mod tiled;

pub use code::{PREFIX, code};
pub use preview::{Preview, Shown, preview};
pub use save::{Made, SaveAs, Saved, make, save_as};

use crate::{
    analysis::{Verdict, counts_text},
    document::Doc,
    game::{Fault, NotMade, Solution},
    job::Probe,
    picture::{Area, Colours},
};

/// What an exporter takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// One level.
    One,
    /// One level and a solution of it.
    Solution,
    /// One level or several of the same game.
    Several,
    /// One level or several of any games.
    Any,
}

/// An exporter, as data.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exporter {
    /// Short name, for `--to`.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What one gets, in a sentence.
    pub about: &'static str,
    /// File name endings, without the dot; the first is the usual one.
    pub extensions: &'static [&'static str],
    /// What it takes.
    pub takes: Takes,
    /// Whether the program reads it again.
    pub reads: bool,
    /// What it always leaves out, a sentence each.
    pub drops: &'static [&'static str],
    /// Whether the colours and the size of a cell matter to it.
    pub looks: bool,
    /// Whether it fills pages.
    pub pages: bool,
}

const PICTURE_DROPS: &[&str] = &["the level itself: a picture cannot be opened again"];
const RULES_DROPPED: &str = "the rules of the game: the other program can show and edit the map, but not play it";

/// All exporters, in the order in which they are offered.
pub const ALL: &[Exporter] = &[
    Exporter {
        id: "png",
        name: "Picture (PNG)",
        about: "The board as a picture.",
        extensions: &["png"],
        takes: Takes::One,
        reads: false,
        drops: PICTURE_DROPS,
        looks: true,
        pages: false,
    },
    Exporter {
        id: "svg",
        name: "Drawing (SVG)",
        about: "The board as shapes that stay sharp at any size.",
        extensions: &["svg"],
        takes: Takes::One,
        reads: false,
        drops: PICTURE_DROPS,
        looks: true,
        pages: false,
    },
    Exporter {
        id: "gif",
        name: "Film of a solution (GIF)",
        about: "A solution, move by move. If none is known, one is looked for.",
        extensions: &["gif"],
        takes: Takes::Solution,
        reads: false,
        drops: &[
            "the level itself: a film cannot be opened again",
            "colours beyond 256, which become the nearest ones",
        ],
        looks: true,
        pages: false,
    },
    Exporter {
        id: "sheet",
        name: "Sheet to print (PDF)",
        about: "Levels on pages of A4 with titles and counts, answers on the last page.",
        extensions: &["pdf"],
        takes: Takes::Any,
        reads: false,
        drops: &["notes and tags; a sheet cannot be opened again"],
        looks: false,
        pages: true,
    },
    Exporter {
        id: "ldtk",
        name: "LDtk project",
        about: "A map for the LDtk level editor: the ground as an IntGrid layer, what lies on it as entities.",
        extensions: &["ldtk"],
        takes: Takes::Several,
        reads: true,
        drops: &[RULES_DROPPED, "the picture of the board: the map has plain colours"],
        looks: false,
        pages: false,
    },
    Exporter {
        id: "tiled",
        name: "Tiled map (JSON)",
        about: "A map for the Tiled editor that looks like the level: tiles and tile objects, with their pictures in PNG files beside it.",
        extensions: &["tmj"],
        takes: Takes::One,
        reads: true,
        drops: &[RULES_DROPPED],
        looks: false,
        pages: false,
    },
    Exporter {
        id: "tmx",
        name: "Tiled map (XML)",
        about: "The same map for programs that only read Tiled's XML.",
        extensions: &["tmx"],
        takes: Takes::One,
        reads: true,
        drops: &[RULES_DROPPED],
        looks: false,
        pages: false,
    },
    Exporter {
        id: "page",
        name: "Playable page (HTML)",
        about: "One file that plays the levels in any browser, offline: with undo, hints, stars and solutions.",
        extensions: &["html", "htm"],
        takes: Takes::Any,
        reads: true,
        drops: &["drawing and generating: the page only plays levels"],
        looks: false,
        pages: false,
    },
    Exporter {
        id: "code",
        name: "Share code",
        about: "The whole level as a line of letters, to paste into a chat and back into the window.",
        extensions: &["code"],
        takes: Takes::Any,
        reads: true,
        drops: &["the solutions kept with the level: the code holds only the level"],
        looks: false,
        pages: false,
    },
];

/// The exporter of this name.
pub fn by_id(id: &str) -> Option<&'static Exporter> {
    ALL.iter().find(|e| e.id.eq_ignore_ascii_case(id))
}

/// The exporter that a file name ending (without the dot, in small letters) asks for.
pub fn by_ending(ending: &str) -> Option<&'static Exporter> {
    ALL.iter().find(|e| e.extensions.contains(&ending))
}

/// Wishes.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The colours of boards.
    pub colours: Colours,
    /// Pixels a cell; `None` chooses what suits the board.
    pub cell: Option<u32>,
    /// Whether a film shows moves on their way, too.
    pub animate: bool,
    /// Seconds a film stays on each position.
    pub pause: f32,
    /// Levels on a page of a sheet.
    pub per_page: u32,
    /// The name of the file without folder and ending: files beside it are called after it.
    pub stem: String,
    /// The title of a sheet.
    pub title: String,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            colours: Colours::light(),
            cell: None,
            animate: false,
            pause: 0.4,
            per_page: 6,
            stem: "level".into(),
            title: String::new(),
        }
    }
}

/// The sizes of a cell that can be asked for, in pixels.
pub const CELLS: std::ops::RangeInclusive<u32> = 4..=512;
/// How many levels can be put on a page.
pub const PER_PAGE: std::ops::RangeInclusive<u32> = 1..=20;

impl Options {
    /// The size of a cell: the one asked for, else the largest up to `wish` with which the board has no more than so many pixels.
    fn cell_px(&self, extent: Area, wish: u32, most_pixels: u64) -> Result<u32, NotMade> {
        match self.cell {
            None => Ok(raster::Frame::fitting(extent, wish, most_pixels)),
            Some(px) if CELLS.contains(&px) => Ok(px),
            Some(px) => {
                let (least, most) = CELLS.into_inner();
                Err(NotMade::Refused(format!("a cell can have {least} to {most} pixels, not {px}")))
            }
        }
    }
}

/// What an exporter made.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Exported {
    /// The file.
    pub bytes: Vec<u8>,
    /// Files that belong beside it: name and content.
    pub beside: Vec<(String, Vec<u8>)>,
    /// What was left out, a sentence each.
    pub dropped: Vec<String>,
}

impl Exported {
    fn new(bytes: Vec<u8>) -> Exported {
        Exported { bytes, ..Exported::default() }
    }
}

/// Exports levels. The probe is asked whether to go on, and told how far the work has come.
pub fn write(
    exporter: &Exporter,
    docs: &[Box<dyn Doc>],
    options: &Options,
    probe: &mut Probe,
) -> Result<Exported, NotMade> {
    let refuse = |text: String| Err(NotMade::Refused(text));
    let Some(first) = docs.first() else { return refuse("there is no level to export".into()) };
    let several = docs.len() > 1;
    match exporter.takes {
        Takes::One | Takes::Solution if several => {
            return refuse(format!("{} holds one level and these are {}: choose one", exporter.name, docs.len()));
        }
        Takes::Several => {
            let game = first.game().info();
            if let Some(other) = docs.iter().find(|d| d.game().info().id != game.id) {
                let b = other.game().info().name;
                return refuse(format!("levels of {} and {b} cannot be in one {}", game.name, exporter.name));
            }
        }
        _ => {}
    }
    let mut exported = match exporter.id {
        "png" => png::write(&**first, options),
        "svg" => svg::write(&**first, options),
        "gif" => gif::write(&**first, options, probe),
        "sheet" => sheet::write(docs, options, probe),
        "ldtk" => ldtk::write(docs),
        "tiled" => tiled::write(&**first, options, tiled::Spelling::Json),
        "tmx" => tiled::write(&**first, options, tiled::Spelling::Xml),
        "page" => page::write(docs, options),
        "code" => Ok(code::write(docs)),
        other => return refuse(format!("there is no exporter {other}")),
    }?;
    let mut dropped: Vec<String> = exporter.drops.iter().map(|d| (*d).to_string()).collect();
    dropped.append(&mut exported.dropped);
    exported.dropped = dropped;
    Ok(exported)
}

/// Whether a text is meant to be one of the exports that can be read, and if so, its levels.
pub fn read(text: &str) -> Option<Result<Vec<Box<dyn Doc>>, Fault>> {
    if code::recognises(text) {
        return Some(code::read(text));
    }
    if page::recognises(text) {
        return Some(page::read(text));
    }
    if ldtk::recognises(text) {
        return Some(ldtk::read(text));
    }
    tiled::recognises(text).then(|| tiled::read(text))
}

/// Whether [`read`] would try.
pub fn recognises(text: &str) -> bool {
    code::recognises(text) || page::recognises(text) || ldtk::recognises(text) || tiled::recognises(text)
}

/// The title of a level, or a few words instead.
fn title(doc: &dyn Doc) -> String {
    let title = doc.meta().title.trim();
    if title.is_empty() { format!("{} level", doc.game().info().name) } else { title.into() }
}

/// "23 steps · 7 drags".
fn counts(doc: &dyn Doc, solution: &Solution) -> String {
    // In the order of the game, which a map of counts does not keep.
    let names = doc.game().info().counts.iter();
    counts_text(names.filter_map(|name| Some((*name, *solution.counts.get(*name)?))))
}

/// A copy of a level for work in the background. It shows the same solution as the level itself, if that one is up to date.
pub fn copy(doc: &dyn Doc) -> Box<dyn Doc> {
    doc.duplicate_with_line()
}

/// A copy of the level that shows a solution: the one in Inspect if it is up to date, else one that is kept with the level and still solves it, else one
/// that is searched for now with so many nodes.
fn with_line(doc: &dyn Doc, nodes: u64, probe: &mut Probe) -> Result<(Box<dyn Doc>, Solution), NotMade> {
    let refuse = |text: String| Err(NotMade::Refused(text));
    let mut copy = copy(doc);
    copy.set_animate(false);
    if let Some(shown) = copy.as_solution() {
        return Ok((copy, shown));
    }
    for i in 0..copy.kept().len() {
        if copy.show_kept(i).is_ok() {
            let solution = copy.kept()[i].clone();
            return Ok((copy, solution));
        }
    }
    probe.progress.note = format!("looking for a solution of {}", title(doc));
    probe.check()?;
    let goal = doc.game().info().verdict_goal;
    let mut part = probe.part(nodes);
    let report = copy.solve_and_show(goal, &mut part);
    probe.absorb(&part);
    probe.check()?;
    if let Some(problem) = report.problems().first() {
        return refuse(format!("\"{}\" cannot be played: {}", title(doc), problem.text));
    }
    match copy.as_solution() {
        Some(solution) => Ok((copy, solution)),
        None => {
            let known = if report.verdict == Verdict::Unsolvable { "it has none" } else { "none was found" };
            refuse(format!("\"{}\" has no solution to show: {known}", title(doc)))
        }
    }
}

/// What is wrong with a text that should have been JSON.
fn json_fault(what: &str, e: &serde_json::Error) -> Fault {
    let text = e.to_string();
    let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
    let text = format!("this is not {what} as it should be: {text}");
    if e.line() > 0 { Fault::at(e.line(), e.column().max(1), text) } else { Fault::new(text) }
}
