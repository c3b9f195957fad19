//! The playable page: its module against the core, its file, and games played in a browser.
//!
//! `player/src/page.rs` is what the module is made of; here it is compiled natively, so that the module in `assets/player` can be compared with the core as it
//! is now, and so that `cargo test` notices when a change of the core breaks the player.

#[path = "page/browser.rs"]
mod browser;
#[path = "page/module.rs"]
mod module;
#[allow(dead_code)]
#[path = "../player/src/page.rs"]
mod page;

use base64::Engine as _;
use std::path::Path;
use tilewright::{
    document::Doc,
    export::{self, Options},
    formats, games,
    job::{Limits, Probe},
};

/// A level of the shipped pack of a game, from 1.
fn shipped(game: &str, number: usize) -> &'static str {
    games::by_id(game).expect("a game").info().levels[number - 1]
}

fn doc(native: &str) -> Box<dyn Doc> {
    formats::read(native.as_bytes()).expect("a level").remove(0)
}

fn html(docs: &[Box<dyn Doc>], title: &str) -> String {
    let options = Options { title: title.into(), ..Options::default() };
    let page = export::by_id("page").expect("an exporter");
    let made = export::write(page, docs, &options, &mut Probe::new(Limits::default())).expect("a page");
    assert!(made.beside.is_empty() && made.dropped == page.drops, "nothing else is left out");
    String::from_utf8(made.bytes).expect("text")
}

#[test]
fn a_page_of_one_level_is_one_file_of_at_most_a_megabyte_that_asks_for_nothing_from_outside() {
    for game in games::offered() {
        let page = html(&[doc(game.info().levels[0])], "");
        assert!(page.len() <= 1_000_000, "{}: {} bytes", game.info().id, page.len());
        for outside in ["http:", "https:", "src=", "href=", "@import", "url("] {
            let rest: String = page.split_inclusive('\n').filter(|l| !l.contains("id=\"module\"")).collect();
            assert!(!rest.contains(outside), "{outside}");
        }
    }
}

#[test]
fn a_page_is_read_again_with_its_solutions_and_no_title_can_break_out_of_it() {
    let mut docs: Vec<_> = games::offered().iter().map(|g| doc(g.info().levels[0])).collect();
    let mut meta = docs[0].meta().clone();
    meta.title = "</script><script>alert(1)</script> & \"@SCRIPT@\"".into();
    docs[0].set_meta(meta);
    let page = html(&docs, "<b>All & \"five\"</b>");
    assert!(page.contains("<title>&lt;b&gt;All &amp; \"five\"&lt;/b&gt;</title>"));
    assert!(!page.contains("alert(1)</script>"), "the title stands in JSON without <");
    let again = formats::read(page.as_bytes()).expect("it reads");
    let natives = |docs: &[Box<dyn Doc>]| docs.iter().map(|d| d.native()).collect::<Vec<_>>();
    assert_eq!(natives(&again), natives(&docs));
    assert!(!again[0].kept().is_empty());
    let inside = page.find("\"native\"").expect("a level") + 40;
    for damaged in ["<!doctype html>", &page[..inside], &page.replace("\"native\":\"(", "\"native\":\"<")] {
        assert!(formats::read(damaged.as_bytes()).is_err());
    }
}

#[test]
fn a_level_that_cannot_be_played_has_no_page() {
    let draft = games::by_id("sbokena").expect("a game").blank(tilewright::grid::Size::new(6, 6));
    let page = export::by_id("page").expect("an exporter");
    let made = export::write(page, &[draft], &Options::default(), &mut Probe::new(Limits::default()));
    assert!(matches!(made, Err(tilewright::game::NotMade::Refused(why)) if why.contains("cannot be played")));
}

/// What a player does with the pointer to win a level: the ways it is pressed along, in board units.
struct Script {
    game: &'static str,
    ways: &'static [&'static [(f32, f32)]],
}

/// The first level of each game.
const SCRIPTS: [Script; 5] = [
    Script { game: "cats", ways: &[&[(0.5, 1.5), (4.5, 1.5)]] },
    Script {
        game: "shards",
        ways: &[&[(2.946, 1.266), (0.5, 0.5)], &[(2.916, 2.125), (0.5, 1.5)], &[(3.037, 0.073), (1.717, 0.78)]],
    },
    Script { game: "readout", ways: &[&[(2.5, 1.5)], &[(1.5, 1.5)], &[(1.5, 2.5)], &[(2.5, 2.5)]] },
    Script { game: "sbokena", ways: &[&[(3.5, 2.5), (5.5, 2.5)]] },
    Script { game: "match", ways: &[&[(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)]] },
];

/// The bytes of the module that pages hold.
fn module_bytes() -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/player/player.wasm.gz");
    let packed = std::fs::read(path).expect("the module");
    let page = html(&[doc(shipped("cats", 1))], "");
    assert!(page.contains(&base64::engine::general_purpose::STANDARD.encode(&packed)), "a page holds this module");
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*packed), &mut bytes).expect("gzip");
    bytes
}
