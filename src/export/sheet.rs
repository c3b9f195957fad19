//! Levels on paper: pages of A4 with a few boards each, titles and counts above them, and the answers at the end, written in the game's notation.
//!
//! One level fills its page. Several stand in columns: as many as make the smallest cell on the page largest, in rows as high as their boards need.
//! The boards are drawn as everywhere, in the light theme on white, as vectors (`pdf.rs`). A solution that is not known is searched for with a fixed number of nodes, so that the same levels give the same pages on every
//! machine; where none is found, the answer says so.

use super::{
    Exported, Options, PER_PAGE, counts,
    path::{self, Face},
    pdf::{PAPER, Paper},
    raster, title, with_line,
};
use crate::{
    analysis::singular,
    document::{Board, Doc},
    game::{NotMade, Solution},
    job::Probe,
    picture::{Colours, Rgba},
};
use tiny_skia::Pixmap;

const MARGIN: f32 = 42.0;
/// A sheet has no more levels than this.
const MOST_LEVELS: usize = 500;
/// Nodes for finding a solution where none is known.
const SOLVE_NODES: u64 = 300_000;
/// Among others, no board is drawn larger than this many points a cell.
const LARGEST_CELL: f32 = 60.0;
/// Points between boards.
const GAP: f32 = 18.0;
/// Longer answers are cut off: nobody reads them from paper.
const LONGEST_ANSWER: usize = 4_000;

/// A text cut off so that it is no wider than this.
fn cut(face: Face, text: &str, size: f32, most: f32) -> String {
    let text: String = text.chars().take(300).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if path::width(face, &text, size) <= most {
        return text;
    }
    let mut short: String = text;
    while short.pop().is_some() {
        let cut = format!("{}…", short.trim_end());
        if path::width(face, &cut, size) <= most {
            return cut;
        }
    }
    short
}

/// A text in lines of at most so many letters, broken at spaces where there are any.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let line = lines.last().map_or(0, |l| l.chars().count());
            let gap = usize::from(line > 0);
            let room = letters.saturating_sub(line + gap);
            // A long word fills lines up; a short one moves to the next.
            if word.len() > room && (word.len() <= letters || room < 8) && line > 0 {
                lines.push(String::new());
                continue;
            }
            let rest = word.split_off(word.len().min(room.max(1)));
            if let Some(last) = lines.last_mut() {
                if gap > 0 {
                    last.push(' ');
                }
                last.extend(word);
            }
            if rest.is_empty() {
                break;
            }
            lines.push(String::new());
            word = rest;
        }
    }
    lines
}

/// How the boards of a page stand on it.
#[derive(Clone, PartialEq, Debug)]
struct Layout {
    columns: usize,
    /// Points across a column.
    wide: f32,
    /// Points from the top of the page's boards to each row, its headings included.
    tops: Vec<f32>,
    /// Points a cell of each board.
    scales: Vec<f32>,
    /// The size of the titles.
    letters: f32,
}

impl Layout {
    /// Headings above a board, in points.
    fn head(letters: f32) -> f32 {
        letters * 2.6
    }

    /// In this many columns, within a page; `boards` are widths and heights in cells.
    fn with(columns: usize, boards: &[(f32, f32)], (wide, high): (f32, f32)) -> Layout {
        let letters = if columns > 2 { 9.5 } else { 12.0 };
        let column = (wide - GAP * (columns - 1) as f32) / columns as f32;
        let most = if boards.len() == 1 { f32::MAX } else { LARGEST_CELL };
        let widest = |b: &(f32, f32)| (column / b.0).min(most);
        let rows: Vec<&[(f32, f32)]> = boards.chunks(columns).collect();
        let needed: Vec<f32> = rows.iter().map(|r| r.iter().map(|b| b.1 * widest(b)).fold(0.0, f32::max)).collect();
        let room = high - (Layout::head(letters) + GAP) * rows.len() as f32 + GAP;
        let part = (room / needed.iter().sum::<f32>().max(1.0)).min(1.0);
        let heights = needed.iter().map(|n| n * part);
        let mut tops = vec![0.0];
        tops.extend(heights.clone().scan(0.0, |y, h| {
            *y += h + Layout::head(letters) + GAP;
            Some(*y)
        }));
        let fits = |(row, h): (&&[(f32, f32)], f32)| row.iter().map(|b| widest(b).min(h / b.1)).collect::<Vec<_>>();
        let scales = rows.iter().zip(heights).flat_map(fits).map(|s| s.max(0.5)).collect();
        Layout { columns, wide: column, tops, scales, letters }
    }

    /// The layout of a page with these levels.
    fn of(docs: &[&dyn Doc]) -> Layout {
        let extents = docs.iter().map(|d| d.extent(Board::Draft));
        let boards: Vec<_> = extents.map(|e| (e.w.max(0.1), e.h.max(0.1))).collect();
        Layout::best(&boards, (PAPER.0 - 2.0 * MARGIN, PAPER.1 - 2.0 * MARGIN - 30.0))
    }

    /// Where the headings of a level begin.
    fn corner(&self, i: usize) -> (f32, f32) {
        let x = MARGIN + (i % self.columns) as f32 * (self.wide + GAP);
        (x, MARGIN + 16.0 + self.tops[i / self.columns])
    }

    /// Points a cell of a level's board, and where the board's (0, 0) is.
    fn board(&self, i: usize, doc: &dyn Doc) -> (f32, (f32, f32)) {
        let ((x, y), scale, extent) = (self.corner(i), self.scales[i], doc.extent(Board::Draft));
        (scale, (x - extent.x * scale, y + Layout::head(self.letters) - extent.y * scale))
    }

    /// With the largest smallest cell; among equals with the most columns.
    fn best(boards: &[(f32, f32)], page: (f32, f32)) -> Layout {
        let least = |l: &Layout| l.scales.iter().copied().fold(f32::MAX, f32::min);
        let all = (2..=boards.len().min(5)).map(|columns| Layout::with(columns, boards, page));
        all.fold(Layout::with(1, boards, page), |best, next| if least(&next) >= least(&best) { next } else { best })
    }
}

/// A level with its answer, or why there is none.
struct Entry<'a> {
    number: usize,
    doc: &'a dyn Doc,
    answer: Result<Solution, String>,
}

impl Entry<'_> {
    fn heading(&self) -> String {
        format!("{}. {}", self.number, title(self.doc))
    }

    /// What stands under the title: what to reach, and by whom.
    fn below(&self) -> String {
        let game = self.doc.game().info().name;
        let author = self.doc.meta().author.trim();
        let by = if author.is_empty() { String::new() } else { format!(" · by {author}") };
        match &self.answer {
            Ok(s) => match self.aim(s) {
                Some(aim) => format!("{game} · {aim} {}{by}", if s.optimal { "at best" } else { "or fewer" }),
                None => format!("{game} · {}{by}", counts(self.doc, s)),
            },
            Err(_) => format!("{game}{by}"),
        }
    }

    /// The count that a solution was looked for by: the others may not be the best.
    fn aim(&self, solution: &Solution) -> Option<String> {
        let game = self.doc.game();
        let goal = game.goals().iter().find(|g| g.id == solution.goal)?;
        let name = *game.info().counts.get(goal.count)?;
        let n = *solution.counts.get(name)?;
        Some(format!("{n} {}", singular(name, n)))
    }
}

/// The first page, small, as pixels: what it will look like, without looking for solutions.
pub(super) fn first_page(docs: &[Box<dyn Doc>], options: &Options) -> Result<Pixmap, NotMade> {
    /// Pixels a point.
    const SCALE: f32 = 0.6;
    let side = |points: f32| (points * SCALE) as u32;
    let mut page =
        Pixmap::new(side(PAPER.0), side(PAPER.1)).ok_or_else(|| NotMade::Refused("there is no memory".into()))?;
    let colours = paper_colours();
    page.fill(tiny_skia::Color::WHITE);
    let count = docs.len().min(options.per_page.clamp(*PER_PAGE.start(), *PER_PAGE.end()) as usize);
    let docs: Vec<&dyn Doc> = docs[..count].iter().map(|d| &**d).collect();
    let layout = Layout::of(&docs);
    for (i, doc) in docs.iter().enumerate() {
        let (x, y) = layout.corner(i);
        let heading = cut(Face::Words, &format!("{}. {}", i + 1, title(*doc)), layout.letters, layout.wide);
        let at = crate::picture::point(x, y + layout.letters);
        let letters = path::words(Face::Words, &heading, at, layout.letters);
        raster::fill(&mut page, &letters, colours.ink, SCALE);
        let (scale, corner) = layout.board(i, *doc);
        let picture = doc.opening(&colours, 64.0);
        raster::add(&mut page, &picture, scale * SCALE, (corner.0 * SCALE, corner.1 * SCALE));
    }
    Ok(page)
}

fn paper_colours() -> Colours {
    Colours { back: Rgba::hex(0xff_ffff), ..Colours::light() }
}

struct Book {
    title: String,
    colours: Colours,
    paper: Paper,
}

impl Book {
    fn boards(&mut self, entries: &[Entry<'_>], per_page: u32, probe: &mut Probe) -> Result<(), NotMade> {
        let wide = PAPER.0 - 2.0 * MARGIN;
        for group in entries.chunks(per_page as usize) {
            probe.check()?;
            self.paper.page();
            let page = &mut self.paper;
            let heading = cut(Face::Words, &self.title, 10.0, wide);
            page.words(Face::Words, &heading, (MARGIN, MARGIN), 10.0, self.colours.ink_soft);
            let layout = Layout::of(&group.iter().map(|e| e.doc).collect::<Vec<_>>());
            let size = layout.letters;
            for (i, entry) in group.iter().enumerate() {
                let (x, y) = layout.corner(i);
                let heading = cut(Face::Words, &entry.heading(), size, layout.wide);
                page.words(Face::Words, &heading, (x, y + size), size, self.colours.ink);
                let below = cut(Face::Words, &entry.below(), size * 0.72, layout.wide);
                page.words(Face::Words, &below, (x, y + size * 2.0), size * 0.72, self.colours.ink_soft);
                let (scale, corner) = layout.board(i, entry.doc);
                let picture = entry.doc.opening(&self.colours, 64.0);
                page.picture(&picture, scale, corner);
            }
        }
        Ok(())
    }

    fn answers(&mut self, entries: &[Entry<'_>]) {
        let (size, step) = (8.5, 11.5);
        let letters = ((PAPER.0 - 2.0 * MARGIN - 14.0) / path::width(Face::Code, "0", size)) as usize;
        let bottom = PAPER.1 - MARGIN - 16.0;
        let mut y = f32::MAX;
        for entry in entries {
            let mut answer = match &entry.answer {
                Ok(solution) if solution.moves.trim().is_empty() => vec!["solved as it stands".into()],
                Ok(solution) => wrapped(&solution.moves.chars().take(LONGEST_ANSWER).collect::<String>(), letters),
                Err(why) => wrapped(why, letters),
            };
            if entry.answer.as_ref().is_ok_and(|s| s.moves.chars().count() > LONGEST_ANSWER) {
                answer.push("…".into());
            }
            // A heading does not stand alone at the foot of a page.
            if y + step * 3.0 > bottom {
                y = self.answer_page();
            }
            let heading = match &entry.answer {
                Ok(solution) => format!("{}: {}", entry.heading(), counts(entry.doc, solution)),
                Err(_) => entry.heading(),
            };
            let wide = PAPER.0 - 2.0 * MARGIN;
            let heading = cut(Face::Words, &heading, size + 1.0, wide);
            let (ink, soft) = (self.colours.ink, self.colours.ink_soft);
            self.paper.words(Face::Words, &heading, (MARGIN, y), size + 1.0, ink);
            y += step;
            for line in answer {
                if y > bottom {
                    y = self.answer_page();
                }
                self.paper.words(Face::Code, &line, (MARGIN + 14.0, y), size, soft);
                y += step;
            }
            y += step * 0.5;
        }
    }

    /// Begins a page for answers; where its first line stands.
    fn answer_page(&mut self) -> f32 {
        self.paper.page();
        self.paper.words(Face::Words, "Answers", (MARGIN, MARGIN + 6.0), 15.0, self.colours.ink);
        MARGIN + 30.0
    }

    fn finish(mut self) -> Vec<u8> {
        let count = self.paper.len();
        for i in 0..count {
            let text = format!("{} / {count}", i + 1);
            let x = (PAPER.0 - path::width(Face::Words, &text, 8.0)) / 2.0;
            let at = (x, PAPER.1 - MARGIN + 12.0);
            self.paper.words_on(i, Face::Words, &text, at, 8.0, self.colours.ink_soft);
        }
        self.paper.finish(&self.title)
    }
}

pub(super) fn write(docs: &[Box<dyn Doc>], options: &Options, probe: &mut Probe) -> Result<Exported, NotMade> {
    let refuse = |text: String| Err(NotMade::Refused(text));
    if docs.len() > MOST_LEVELS {
        return refuse(format!("a sheet has at most {MOST_LEVELS} levels and these are {}", docs.len()));
    }
    if !PER_PAGE.contains(&options.per_page) {
        let (least, most) = PER_PAGE.into_inner();
        return refuse(format!("a page holds {least} to {most} levels, not {}", options.per_page));
    }
    let mut entries = Vec::new();
    for (i, doc) in docs.iter().enumerate() {
        probe.check()?;
        probe.progress.fraction = Some(i as f32 / docs.len() as f32);
        probe.progress.note = format!("level {} of {}", i + 1, docs.len());
        let answer = match with_line(&**doc, SOLVE_NODES, probe) {
            Ok((_, solution)) => Ok(solution),
            Err(NotMade::Refused(why)) => Err(why),
            Err(stopped) => return Err(stopped),
        };
        entries.push(Entry { number: i + 1, doc: &**doc, answer });
    }
    let title = match (options.title.trim(), docs) {
        ("", [one]) => title(&**one),
        ("", _) => "Tilewright".into(),
        (given, _) => given.to_string(),
    };
    let mut book = Book { title, colours: paper_colours(), paper: Paper::default() };
    book.boards(&entries, options.per_page, probe)?;
    book.answers(&entries);
    let mut exported = Exported::new(book.finish());
    let unknown: Vec<_> = entries.iter().filter(|e| e.answer.is_err()).map(|e| e.number.to_string()).collect();
    if !unknown.is_empty() {
        exported.dropped.push(format!("the answers of {}: no solution is known", unknown.join(", ")));
    }
    Ok(exported)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_board_fills_its_page_and_several_stand_as_their_shapes_ask() {
        let page = (500.0, 700.0);
        let one = Layout::best(&[(5.0, 5.0)], page);
        assert_eq!((one.columns, one.scales.as_slice()), (1, &[100.0][..]));
        assert_eq!(Layout::best(&[(20.0, 4.0); 4], page).columns, 1, "wide boards below each other");
        assert_eq!(Layout::best(&[(6.0, 20.0); 3], page).columns, 3, "high ones beside each other");
        for boards in [vec![(5.0, 5.0); 6], vec![(3.0, 9.0), (9.0, 3.0), (1.0, 1.0), (30.0, 30.0), (12.0, 5.0)]] {
            let layout = Layout::best(&boards, page);
            assert!(layout.tops.last().is_some_and(|end| end - GAP <= page.1 + 0.01), "{layout:?}");
            let within = |(b, s): (&(f32, f32), &f32)| b.0 * s <= layout.wide + 0.01;
            assert!(boards.iter().zip(&layout.scales).all(within), "{layout:?}");
        }
    }

    #[test]
    fn answers_are_broken_at_spaces_and_long_ones_anywhere() {
        assert_eq!(wrapped("abc def ghi", 7), ["abc def", "ghi"]);
        assert_eq!(wrapped(&"x".repeat(10), 4), ["xxxx", "xxxx", "xx"]);
        let long = format!("ab {}", "y".repeat(30));
        assert_eq!(wrapped(&long, 12), ["ab yyyyyyyyy", "yyyyyyyyyyyy", "yyyyyyyyy"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}
