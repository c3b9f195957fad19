//! What an export will look like, before it is written: a small picture, or the first lines of the text.

use super::{Options, SaveAs, make, raster, sheet};
use crate::{
    document::{Board, Doc},
    game::NotMade,
    job::Probe,
    picture::Colours,
};
use std::path::Path;
use tiny_skia::Pixmap;

/// Pixels of a picture.
const MOST_PIXELS: u64 = 320 * 320;
/// Lines of a text, and letters of a line.
const LINES: usize = 40;
const LETTERS: usize = 120;

/// What is shown.
#[derive(Clone, PartialEq, Debug)]
pub enum Shown {
    /// Width, height, and red, green, blue, opacity of each pixel, row by row.
    Picture([usize; 2], Vec<u8>),
    /// The beginning of the file.
    Text(String),
}

/// What an export will look like.
#[derive(Clone, PartialEq, Debug)]
pub struct Preview {
    /// The picture or the text.
    pub shown: Shown,
    /// What it shows, in a few words.
    pub caption: String,
    /// What will be left out of these levels in particular, a sentence each, as far as that is known without looking for solutions.
    pub dropped: Vec<String>,
}

/// Makes a preview. It looks for no solution, so it is there soon; what is refused here would be refused when it is written.
pub fn preview(docs: &[Box<dyn Doc>], what: SaveAs, options: &Options, probe: &mut Probe) -> Result<Preview, NotMade> {
    let Some(first) = docs.first() else { return Err(NotMade::Refused("there is no level to export".into())) };
    let among = if docs.len() > 1 { format!(", the first of {}", docs.len()) } else { String::new() };
    let picture = |colours: &Colours, words: &str| {
        let caption = format!("{words}{among}");
        Ok(Preview { shown: pixels(&board(&**first, colours)?), caption, dropped: Vec::new() })
    };
    match what.id() {
        "png" | "svg" => picture(&options.colours, "The board"),
        "gif" => picture(&options.colours, "The film's first picture"),
        "tiled" | "tmx" => picture(&Colours::light(), "The map"),
        "page" => {
            // It refuses what cannot be played.
            make(docs, Path::new("page"), what, options, probe).map_err(|e| without_path(e, "page: "))?;
            picture(&Colours::light(), "The board in the page")
        }
        "sheet" => {
            let page = sheet::first_page(docs, options)?;
            let pages = docs.len().div_ceil(options.per_page.max(1) as usize);
            let caption = if pages > 1 {
                format!("The first of {pages} pages, before the answers")
            } else {
                "The page before the answers".into()
            };
            Ok(Preview { shown: pixels(&page), caption, dropped: Vec::new() })
        }
        _ => {
            let made = make(docs, Path::new("level"), what, options, probe).map_err(|e| without_path(e, "level: "))?;
            let (_, bytes) = made.files.last().ok_or_else(|| NotMade::Refused("nothing is written".into()))?;
            let size = made.files.iter().map(|(_, bytes)| bytes.len()).sum();
            let files = if made.files.len() > 1 { format!("{} files, ", made.files.len()) } else { String::new() };
            let caption = format!("How the text begins ({files}{})", bytes_text(size));
            let dropped = made.dropped.into_iter().filter(|d| !what.drops().contains(&d.as_str())).collect();
            Ok(Preview { shown: Shown::Text(beginning(bytes)), caption, dropped })
        }
    }
}

/// A refusal names the path; here there is none yet.
fn without_path(e: NotMade, path: &str) -> NotMade {
    match e {
        NotMade::Refused(text) => NotMade::Refused(text.strip_prefix(path).map_or(text.clone(), Into::into)),
        stopped => stopped,
    }
}

fn bytes_text(bytes: usize) -> String {
    if bytes < 1000 { format!("{bytes} bytes") } else { format!("{:.1} kB", bytes as f64 / 1000.0) }
}

fn beginning(bytes: &[u8]) -> String {
    // A share code is one long line.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LINES * LETTERS)]);
    let cut = |line: &str| match line.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_string(),
    };
    text.lines().take(LINES).map(cut).collect::<Vec<_>>().join("\n")
}

fn board(doc: &dyn Doc, colours: &Colours) -> Result<Pixmap, NotMade> {
    let extent = doc.extent(Board::Draft);
    let cell = raster::Frame::fitting(extent, 64, MOST_PIXELS);
    let frame = raster::Frame::new(extent, cell).map_err(NotMade::Refused)?;
    raster::draw(&doc.opening(colours, cell as f32), &frame, colours.back).map_err(NotMade::Refused)
}

fn pixels(pixmap: &Pixmap) -> Shown {
    Shown::Picture([pixmap.width() as usize, pixmap.height() as usize], raster::rgba(pixmap))
}
