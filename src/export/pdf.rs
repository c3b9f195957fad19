//! Pages of a PDF: boards as outlines, words as letters that can be selected and copied.
//!
//! A letter is drawn once, as an outline from our own fonts (a "Type 3" font of the letters in use), so no font file has to be embedded; a table says which
//! character it stands for, so that an answer can be copied from the page. A font of this kind has 255 letters; a text that needs more is drawn as
//! plain outlines.

use super::path::{self, Face, Seg};
use crate::picture::{Picture, Point, Rgba, point};
use flate2::{Compression, write::ZlibEncoder};
use pdf_writer::{
    Content, Filter, Finish as _, Name, Pdf, Rect, Ref, Str, TextStr,
    types::{SystemInfo, UnicodeCmap},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
};

/// A4 in points.
pub(super) const PAPER: (f32, f32) = (595.276, 841.89);

/// Paper counts upwards. A hundredth of a point is finer than any printer, and shorter to write.
fn flip(p: Point) -> Point {
    point(rounded(p.x), rounded(PAPER.1 - p.y))
}

fn rounded(v: f32) -> f32 {
    (v * 100.0).round() / 100.0
}

fn rgb(c: Rgba) -> [f32; 3] {
    [c.0, c.1, c.2].map(|v| (f32::from(v) / 255.0 * 1000.0).round() / 1000.0)
}

/// The letters of a face that were used, in the order of their numbers, which begin at 1.
#[derive(Default)]
struct Letters(Vec<char>);

impl Letters {
    /// The numbers of a text's letters, if there is room for all of them.
    fn numbers(&mut self, text: &str) -> Option<Vec<u8>> {
        let new: BTreeSet<char> = text.chars().filter(|c| !self.0.contains(c)).collect();
        if self.0.len() + new.len() > 255 {
            return None;
        }
        self.0.extend(new);
        text.chars().map(|c| self.0.iter().position(|l| *l == c).and_then(|i| u8::try_from(i + 1).ok())).collect()
    }
}

struct Page {
    content: Content,
    /// Opacities in use, as parts of 255.
    opacities: BTreeSet<u8>,
    opacity: u8,
}

/// A document being drawn. Things go to its last page, with (0, 0) at its top left corner.
#[derive(Default)]
pub(super) struct Paper {
    pages: Vec<Page>,
    words: Letters,
    code: Letters,
}

fn outline(content: &mut Content, segs: &[Seg], place: impl Fn(Point) -> Point) {
    let mut at = Point::default();
    for seg in segs {
        match *seg {
            Seg::Move(a) => {
                let p = place(a);
                content.move_to(p.x, p.y);
                at = a;
            }
            Seg::Line(a) => {
                let p = place(a);
                content.line_to(p.x, p.y);
                at = a;
            }
            // Paper knows cubic curves only; a quadratic one is exactly this cubic.
            Seg::Quad(c, b) => {
                let (c, d) = (at.towards(c, 2.0 / 3.0), b.towards(c, 2.0 / 3.0));
                let (c, d, p) = (place(c), place(d), place(b));
                content.cubic_to(c.x, c.y, d.x, d.y, p.x, p.y);
                at = b;
            }
            Seg::Cubic(c, d, b) => {
                let (c, d, p) = (place(c), place(d), place(b));
                content.cubic_to(c.x, c.y, d.x, d.y, p.x, p.y);
                at = b;
            }
            Seg::Close => {
                content.close_path();
            }
        }
    }
}

impl Page {
    fn set_opacity(&mut self, opacity: u8) {
        if self.opacity != opacity {
            self.opacity = opacity;
            self.opacities.insert(opacity);
            self.content.set_parameters(Name(format!("o{opacity}").as_bytes()));
        }
    }

    fn fill(&mut self, segs: &[Seg], colour: Rgba) {
        if colour.3 > 0 && !segs.is_empty() {
            self.set_opacity(colour.3);
            let [r, g, b] = rgb(colour);
            self.content.set_fill_rgb(r, g, b);
            outline(&mut self.content, segs, flip);
            self.content.fill_nonzero();
        }
    }

    fn stroke(&mut self, segs: &[Seg], colour: Rgba, width: f32) {
        if colour.3 > 0 && width > 0.0 && !segs.is_empty() {
            self.set_opacity(colour.3);
            let [r, g, b] = rgb(colour);
            self.content.set_stroke_rgb(r, g, b).set_line_width(width);
            outline(&mut self.content, segs, flip);
            self.content.stroke();
        }
    }
}

impl Paper {
    /// Begins a page.
    pub fn page(&mut self) {
        self.pages.push(Page { content: Content::new(), opacities: BTreeSet::new(), opacity: 255 });
    }

    /// How many pages there are.
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Draws a picture, so many points a cell, with the board's (0, 0) at a point.
    pub fn picture(&mut self, picture: &Picture, scale: f32, origin: (f32, f32)) {
        let Some(page) = self.pages.last_mut() else { return };
        for figure in &picture.figures {
            let shape = path::shape(figure);
            let segs: Vec<_> = shape.path.iter().map(|s| s.placed(scale, origin)).collect();
            page.fill(&segs, shape.fill);
            page.stroke(&segs, shape.pen.colour, rounded(shape.pen.width * scale));
        }
    }

    /// A line of text on the last page, its letters standing at `y`.
    pub fn words(&mut self, face: Face, text: &str, at: (f32, f32), size: f32, colour: Rgba) {
        self.words_on(self.pages.len().saturating_sub(1), face, text, at, size, colour);
    }

    /// The same on any page.
    pub fn words_on(&mut self, page: usize, face: Face, text: &str, (x, y): (f32, f32), size: f32, colour: Rgba) {
        let (letters, name) = match face {
            Face::Words => (&mut self.words, Name(b"Words")),
            Face::Code => (&mut self.code, Name(b"Code")),
        };
        let Some(page) = self.pages.get_mut(page) else { return };
        let Some(numbers) = letters.numbers(text) else {
            page.fill(&path::words(face, text, point(x, y), size), colour);
            return;
        };
        page.set_opacity(colour.3);
        let [r, g, b] = rgb(colour);
        let at = flip(point(x, y));
        let content = &mut page.content;
        content.set_fill_rgb(r, g, b);
        content.begin_text().set_font(name, size).next_line(at.x, at.y).show(Str(&numbers)).end_text();
    }

    /// The whole file.
    pub fn finish(self, title: &str) -> Vec<u8> {
        let mut pdf = Pdf::new();
        let mut refs = Refs(0);
        let (catalogue, tree, info) = (refs.next(), refs.next(), refs.next());
        let fonts = [(Face::Words, "Words", &self.words), (Face::Code, "Code", &self.code)]
            .map(|(face, name, letters)| (name, font(&mut pdf, &mut refs, face, name, letters)));
        let mut states: BTreeMap<u8, Ref> = BTreeMap::new();
        for opacity in self.pages.iter().flat_map(|p| &p.opacities) {
            states.entry(*opacity).or_insert_with(|| refs.next());
        }
        let leaves: Vec<(Ref, Ref)> = self.pages.iter().map(|_| (refs.next(), refs.next())).collect();
        pdf.catalog(catalogue).pages(tree);
        pdf.pages(tree).kids(leaves.iter().map(|l| l.0)).count(leaves.len() as i32);
        pdf.document_info(info).title(TextStr(title)).creator(TextStr("Tilewright"));
        for (page, (own, content)) in self.pages.into_iter().zip(leaves) {
            let mut leaf = pdf.page(own);
            leaf.media_box(Rect::new(0.0, 0.0, PAPER.0, PAPER.1)).parent(tree).contents(content);
            let mut resources = leaf.resources();
            let mut list = resources.ext_g_states();
            for opacity in &page.opacities {
                list.pair(Name(format!("o{opacity}").as_bytes()), states[opacity]);
            }
            list.finish();
            let mut list = resources.fonts();
            for (name, font) in &fonts {
                if let Some(font) = font {
                    list.pair(Name(name.as_bytes()), *font);
                }
            }
            list.finish();
            resources.finish();
            leaf.finish();
            stream(&mut pdf, content, page.content.finish().as_slice());
        }
        for (opacity, state) in states {
            let share = f32::from(opacity) / 255.0;
            pdf.ext_graphics(state).non_stroking_alpha(share).stroking_alpha(share);
        }
        pdf.finish()
    }
}

/// Hands out the numbers of objects.
struct Refs(i32);

impl Refs {
    fn next(&mut self) -> Ref {
        self.0 += 1;
        Ref::new(self.0)
    }
}

fn stream(pdf: &mut Pdf, own: Ref, bytes: &[u8]) {
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing into memory cannot fail.
    let _ = packer.write_all(bytes);
    pdf.stream(own, &packer.finish().unwrap_or_default()).filter(Filter::FlateDecode);
}

/// Units of a letter's drawing.
const EM: f32 = 1000.0;

/// The font of the letters in use, if there are any.
fn font(pdf: &mut Pdf, refs: &mut Refs, face: Face, name: &str, letters: &Letters) -> Option<Ref> {
    let last = u8::try_from(letters.0.len()).ok().filter(|n| *n > 0)?;
    let (own, table) = (refs.next(), refs.next());
    let width = |c: &char| path::width(face, c.encode_utf8(&mut [0; 4]), EM).round();
    let drawn: Vec<(String, Ref)> = (1..=last).map(|n| (format!("g{n}"), refs.next())).collect();
    let mut font = pdf.type3_font(own);
    font.bbox(Rect::new(-EM, -EM, 2.0 * EM, 2.0 * EM)).matrix([1.0 / EM, 0.0, 0.0, 1.0 / EM, 0.0, 0.0]);
    let mut procs = font.char_procs();
    for (name, letter) in &drawn {
        procs.pair(Name(name.as_bytes()), *letter);
    }
    procs.finish();
    let mut encoding = font.encoding_custom();
    encoding.differences().consecutive(1, drawn.iter().map(|(n, _)| Name(n.as_bytes())));
    encoding.finish();
    font.first_char(1).last_char(last).widths(letters.0.iter().map(width)).to_unicode(table);
    font.finish();
    let about = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"UCS"), supplement: 0 };
    let mut map: UnicodeCmap<u8> = UnicodeCmap::new(Name(name.as_bytes()), about);
    for (n, (c, (_, letter))) in (1u8..).zip(letters.0.iter().zip(&drawn)) {
        map.pair(n, *c);
        let mut content = Content::new();
        content.start_shape_glyph(width(c), -EM, -EM, 2.0 * EM, 2.0 * EM);
        let segs = path::words(face, c.encode_utf8(&mut [0; 4]), Point::default(), EM);
        if !segs.is_empty() {
            outline(&mut content, &segs, |p| point(p.x.round(), -p.y.round()));
            content.fill_nonzero();
        }
        stream(pdf, *letter, content.finish().as_slice());
    }
    stream(pdf, table, map.finish().as_slice());
    Some(own)
}
