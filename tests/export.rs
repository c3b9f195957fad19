//! What leaves the program for other programs, opened by independent readers: image and GIF decoders, resvg, hayro's PDF reader, two readers of Tiled maps, a
//! reader of LDtk projects. The tests loop over the registry: a new game is covered without a line here.

use serde_json::Value;
use std::{
    path::Path,
    process::Command,
    sync::{Arc, LazyLock, atomic::AtomicBool},
};
use tilewright::{
    document::{AnyGame, Board, Doc},
    export::{self, Exported, Options},
    formats,
    game::NotMade,
    games,
    grid::Cell,
    job::{Limits, Probe, Stop},
    picture::Colours,
};

/// The shipped levels of a game; for one without any, a blank board.
fn levels(game: &'static dyn AnyGame) -> Vec<Box<dyn Doc>> {
    let texts = game.info().levels;
    if texts.is_empty() {
        return vec![game.blank(game.sizes().2)];
    }
    texts.iter().flat_map(|t| formats::read(t.as_bytes()).expect("a shipped level reads")).collect()
}

fn each_game(mut test: impl FnMut(&'static str, Vec<Box<dyn Doc>>)) {
    for game in games::all() {
        test(game.info().id, levels(game));
    }
}

fn write(id: &str, docs: &[Box<dyn Doc>], options: &Options) -> Result<Exported, NotMade> {
    let exporter = export::by_id(id).expect("a known exporter");
    export::write(exporter, docs, options, &mut Probe::new(Limits::default()))
}

fn written(id: &str, docs: &[Box<dyn Doc>], options: &Options) -> Exported {
    write(id, docs, options).unwrap_or_else(|e| panic!("{id} of {}: {e:?}", docs[0].meta().title))
}

fn one(doc: &dyn Doc) -> Vec<Box<dyn Doc>> {
    vec![doc.duplicate()]
}

fn refusal(result: Result<Exported, NotMade>) -> String {
    match result {
        Err(NotMade::Refused(text)) => {
            assert!(!text.is_empty() && !text.contains('\n'), "one sentence: {text:?}");
            text
        }
        other => panic!("not refused: {:?}", other.map(|e| e.bytes.len())),
    }
}

/// The mean difference of two pictures, from 0 to 255.
fn difference(a: &image::RgbaImage, b: &image::RgbaImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let sum: u64 = a.as_raw().iter().zip(b.as_raw()).map(|(x, y)| u64::from(x.abs_diff(*y))).sum();
    sum as f64 / a.as_raw().len() as f64
}

fn png(doc: &dyn Doc, options: &Options) -> image::RgbaImage {
    let bytes = written("png", &one(doc), options).bytes;
    image::load_from_memory_with_format(&bytes, image::ImageFormat::Png).expect("a PNG").into_rgba8()
}

#[test]
fn a_picture_opens_in_a_decoder_and_has_the_size_asked_for() {
    each_game(|game, docs| {
        for doc in docs.iter().step_by(5) {
            let extent = doc.extent(Board::Draft);
            for (cell, colours) in [(16, Colours::light()), (40, Colours::dark())] {
                let back = colours.back;
                let picture = png(&**doc, &Options { cell: Some(cell), colours, ..Options::default() });
                let about = |cells: f32, pixels: u32| (cells * cell as f32 - pixels as f32).abs() < cell as f32;
                assert!(about(extent.w, picture.width()) && about(extent.h, picture.height()), "{game}: {extent:?}");
                assert_eq!(
                    picture.get_pixel(0, 0).0,
                    [back.0, back.1, back.2, 255],
                    "{game}: the ground is the theme's"
                );
                let colours: std::collections::HashSet<_> = picture.pixels().map(|p| p.0).collect();
                assert!(colours.len() > 1, "{game}: something is drawn");
            }
        }
    });
}

#[test]
fn a_drawing_renders_like_the_picture() {
    each_game(|game, docs| {
        for doc in docs.iter().step_by(4) {
            let options = Options { cell: Some(32), ..Options::default() };
            let svg = written("svg", &one(&**doc), &options).bytes;
            let tree = resvg::usvg::Tree::from_data(&svg, &resvg::usvg::Options::default()).expect("an SVG");
            let size = tree.size().to_int_size();
            let mut pixmap = tiny_skia::Pixmap::new(size.width(), size.height()).expect("a raster");
            resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
            let drawn = image::RgbaImage::from_raw(size.width(), size.height(), pixmap.take()).expect("its pixels");
            let apart = difference(&drawn, &png(&**doc, &options));
            assert!(apart < 1.0, "{game} {:?}: {apart:.2}", doc.meta().title);
        }
    });
}

fn frames(gif: &[u8]) -> Vec<image::Frame> {
    use image::AnimationDecoder as _;
    let decoder = image::codecs::gif::GifDecoder::new(std::io::Cursor::new(gif)).expect("a GIF");
    decoder.into_frames().collect_frames().expect("all its frames")
}

#[test]
fn a_film_has_a_frame_a_move_and_one_more() {
    each_game(|game, docs| {
        let Some(doc) = docs.first().filter(|d| d.playable()) else { return };
        let options = Options { cell: Some(24), ..Options::default() };
        let film = frames(&written("gif", &one(&**doc), &options).bytes);
        let moves = film.len() - 1;
        let mut solved = doc.duplicate();
        let mut probe = Probe::new(Limits::nodes(2_000_000));
        let line = match solved.kept().first() {
            Some(kept) => kept.moves.clone(),
            None => solved.solve_now(solved.game().info().verdict_goal, &mut probe).moves.expect("a solution"),
        };
        let rows =
            solved.replay_level(0).unwrap_or_else(|| solved.duplicate()).replay_now(&line, false).expect("a line");
        assert_eq!(moves, rows.len(), "{game}");
        assert!(film.iter().all(|f| f.buffer().dimensions() == film[0].buffer().dimensions()), "{game}");
        let start = png(&**doc, &options);
        let apart = difference(film[0].buffer(), &start);
        assert!(apart < 1.5, "{game}: the first frame is the level: {apart:.2}");
        assert!(difference(film[moves].buffer(), &start) > 0.05, "{game}: the last frame is another one");

        solved.set_animate(true);
        let moving = Options { animate: true, ..options };
        let smooth = frames(&written("gif", &one(&**doc), &moving).bytes);
        assert!(smooth.len() > film.len(), "{game}: frames in between");
        let ends = difference(smooth[smooth.len() - 1].buffer(), film[moves].buffer());
        assert!(ends < 1.5, "{game}: both films end alike: {ends:.2}");
    });
}

#[test]
fn long_work_stops_when_it_is_asked_to() {
    let doc = games::offered()[0].read_native(games::offered()[0].info().levels[0]).expect("a level");
    for id in ["gif", "sheet"] {
        let exporter = export::by_id(id).expect("a known exporter");
        let mut probe = Probe::cancelled_by(Limits::default(), Arc::new(AtomicBool::new(true)));
        let stopped = export::write(exporter, &one(&*doc), &Options::default(), &mut probe);
        assert_eq!(stopped.map(|e| e.bytes.len()), Err(NotMade::Stopped(Stop::Cancelled)), "{id}");
    }
}

#[test]
fn a_sheet_is_a_pdf_with_boards_and_answers() {
    each_game(|game, docs| {
        let docs: Vec<_> = docs.into_iter().take(4).collect();
        let sheet = written("sheet", &docs, &Options { per_page: 2, title: "Ä <test>".into(), ..Options::default() });
        let pdf = hayro_syntax::Pdf::new(sheet.bytes).expect("a PDF");
        let pages = pdf.pages();
        assert!(pages.len() > docs.len().div_ceil(2), "{game}: the answers are at the end");
        for page in pages.iter() {
            let (w, h) = page.base_dimensions();
            assert!((w - 595.28).abs() < 0.1 && (h - 841.89).abs() < 0.1, "{game}: A4");
            let stream = page.page_stream().expect("it has content");
            assert!(stream.len() > 200, "{game}");
            let mut operations = page.typed_operations();
            let drawn = std::iter::from_fn(|| operations.next().map(|_| ())).count();
            assert!(drawn > 10, "{game}: {drawn} operations");
        }
    });
    // Levels of several games share a sheet.
    let mixed: Vec<_> = games::offered().iter().map(|g| g.read_native(g.info().levels[0]).expect("a level")).collect();
    assert!(written("sheet", &mixed, &Options::default()).bytes.starts_with(b"%PDF"));
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("JSON")
}

fn read_one(bytes: &[u8]) -> Box<dyn Doc> {
    let mut docs = formats::read(bytes).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(docs.len(), 1);
    docs.remove(0)
}

fn read_fault(bytes: &[u8]) -> String {
    let fault = formats::read(bytes).map(|d| d.len()).expect_err("it is refused").to_string();
    assert!(!fault.is_empty() && !fault.contains('\n') && fault.len() < 600, "one sentence: {fault:?}");
    fault
}

#[test]
fn share_codes_ldtk_projects_and_tiled_maps_give_every_shipped_level_back() {
    each_game(|game, docs| {
        for doc in &docs {
            let mut bare = doc.meta().clone();
            for id in ["code", "ldtk", "tiled", "tmx"] {
                let again = read_one(&written(id, &one(&**doc), &Options::default()).bytes);
                assert_eq!(again.identity(), doc.identity(), "{game} {:?} as {id}", doc.meta().title);
                assert_eq!(again.meta(), doc.meta());
                assert_eq!(again.origin(), doc.origin());
                if id != "code" {
                    assert_eq!(again.native(), doc.native(), "{game} {:?} as {id}", doc.meta().title);
                }
            }
            // Nothing of this depends on a level being whole or named.
            bare.title.clear();
            let mut draft = doc.game().blank(doc.board_size(Board::Draft));
            draft.set_meta(bare);
            for id in ["code", "ldtk", "tiled", "tmx"] {
                let again = read_one(&written(id, &one(&*draft), &Options::default()).bytes);
                assert_eq!(again.identity(), draft.identity(), "{game} blank as {id}");
            }
        }
        let together = formats::read(&written("ldtk", &docs, &Options::default()).bytes).expect("a project");
        let codes = formats::read(&written("code", &docs, &Options::default()).bytes).expect("codes");
        for (i, doc) in docs.iter().enumerate() {
            assert_eq!(together[i].native(), doc.native(), "{game}: level {i} of the project");
            assert_eq!(codes[i].identity(), doc.identity(), "{game}: code {i}");
        }
    });
}

#[test]
fn an_ldtk_project_opens_in_another_reader() {
    each_game(|game, docs| {
        let text = written("ldtk", &docs, &Options::default()).bytes;
        let project = ldtk2::Ldtk::from_str(std::str::from_utf8(&text).expect("text")).expect("an LDtk project");
        assert_eq!(project.json_version, "1.5.3");
        assert_eq!(project.levels.len(), docs.len(), "{game}");
        let ground = project.defs.layers.iter().find(|l| l.identifier == "Ground").expect("the ground's definition");
        let values: Vec<i64> = ground.int_grid_values.iter().map(|v| v.value).collect();
        assert!(values.len() > 1 && ground.int_grid_values.iter().all(|v| v.color.len() == 7), "{game}: named colours");
        for (level, doc) in project.levels.iter().zip(&docs) {
            let size = doc.board_size(Board::Draft);
            let layers = level.layer_instances.as_ref().expect("layers");
            let ints = layers.iter().find(|l| l.layer_instance_type == "IntGrid").expect("the ground");
            assert_eq!(ints.int_grid_csv.len(), size.area(), "{game}");
            assert!(ints.int_grid_csv.iter().all(|v| values.contains(v)), "{game}: every value has a name");
            let entities = layers.iter().find(|l| l.layer_instance_type == "Entities").expect("the things");
            assert_eq!(entities.entity_instances.len(), doc.things().len(), "{game}");
            for e in &entities.entity_instances {
                let def = project.defs.entities.iter().find(|d| d.uid == e.def_uid).expect("its definition");
                assert_eq!(def.identifier, e.identifier);
                let fields: Vec<_> = def.field_defs.iter().map(|f| f.uid).collect();
                assert!(e.field_instances.iter().all(|f| fields.contains(&f.def_uid)), "{game}: {}", e.identifier);
            }
        }
        // The reader above is lenient about arrays; LDtk is not.
        let raw = json(&text);
        for layer in
            raw["levels"].as_array().into_iter().flatten().flat_map(|l| l["layerInstances"].as_array()).flatten()
        {
            for key in ["intGridCsv", "gridTiles", "entityInstances", "autoLayerTiles"] {
                assert!(layer[key].is_array(), "{game}: {key}");
            }
        }
        let mut uids: Vec<i64> = Vec::new();
        collect_uids(&raw["defs"], &mut uids);
        let count = uids.len();
        uids.sort_unstable();
        uids.dedup();
        assert_eq!(uids.len(), count, "{game}: no number is used twice");
        assert!(raw["nextUid"].as_i64() > uids.last().copied(), "{game}");
    });
}

fn collect_uids(value: &Value, found: &mut Vec<i64>) {
    match value {
        Value::Object(map) => {
            found.extend(map.get("uid").and_then(Value::as_i64));
            map.values().for_each(|v| collect_uids(v, found));
        }
        Value::Array(all) => all.iter().for_each(|v| collect_uids(v, found)),
        _ => {}
    }
}

#[test]
fn a_tiled_map_opens_in_two_other_readers_with_its_tileset_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    each_game(|game, docs| {
        for doc in docs.iter().step_by(4) {
            let options = Options { stem: "map".into(), ..Options::default() };
            let (tmj, tmx) = (written("tiled", &one(&**doc), &options), written("tmx", &one(&**doc), &options));
            assert_eq!(tmj.beside, tmx.beside);
            let (name, picture) = &tmj.beside[0];
            let picture = image::load_from_memory(picture).expect("the tileset's picture").into_rgba8();
            std::fs::write(folder.path().join(name), &tmj.beside[0].1).expect("written");
            let path = folder.path().join("map.tmx");
            std::fs::write(&path, &tmx.bytes).expect("written");

            let xml = tiled::Loader::new().load_tmx_map(&path).unwrap_or_else(|e| panic!("{game}: {e}"));
            let text = std::str::from_utf8(&tmj.bytes).expect("text");
            let json: tiled_json_rs::Map = serde_json::from_str(text).unwrap_or_else(|e| panic!("{game}: {e}"));
            let size = doc.board_size(Board::Draft);
            assert_eq!((xml.width, xml.height), (u32::from(size.w), u32::from(size.h)), "{game}");
            assert_eq!((json.width, json.height), (xml.width, xml.height), "{game}");
            assert_eq!(xml.tilesets()[0].image.as_ref().map(|i| (i.width, i.height)), {
                let (w, h) = picture.dimensions();
                Some((w as i32, h as i32))
            });
            let native = doc.native();
            assert_eq!(xml.properties.get("tilewright"), Some(&tiled::PropertyValue::StringValue(native.clone())));
            assert_eq!(json.properties.get("tilewright"), Some(&tiled_json_rs::TiledValue::String(native)));

            let layer = xml.get_layer(0).expect("the ground");
            assert_eq!(layer.name, "Ground", "{game}");
            let ground = layer.as_tile_layer().expect("a tile layer");
            let tiled_json_rs::LayerType::TileLayer(plain) = &json.layers[0].layer_type else { panic!("{game}") };
            assert_eq!(plain.data.len(), size.area(), "{game}");
            for (i, cell) in size.cells().enumerate() {
                let tile = ground.get_tile(i32::from(cell.x), i32::from(cell.y)).expect("no cell is empty");
                assert_eq!(tile.id() + 1, plain.data[i], "{game}");
                assert!(tile.get_tile().is_some_and(|t| !t.user_type.is_empty()), "{game}: it has a name");
            }
            let layer = xml.get_layer(1).expect("the things");
            let objects = layer.as_object_layer().expect("an object layer");
            let tiled_json_rs::LayerType::ObjectGroup(group) = &json.layers[1].layer_type else { panic!("{game}") };
            assert_eq!(
                (objects.objects().len(), group.objects.len()),
                (doc.things().len(), doc.things().len()),
                "{game}"
            );
            for (a, b) in objects.objects().zip(&group.objects) {
                assert_eq!((a.x, a.y, &a.user_type, &a.name), (b.x, b.y, &b.custom_type, &b.name), "{game}");
                assert_eq!(a.properties.len(), b.properties.len(), "{game}");
            }
        }
    });
}

/// A map as Tiled itself draws it, if Tiled is here.
fn drawn_by_tiled(map: &Path) -> Option<image::RgbaImage> {
    let picture = map.with_extension("png");
    let drawn = Command::new("tmxrasterizer").args([map, &picture]).env("QT_QPA_PLATFORM", "offscreen").output();
    match drawn {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => None,
        Err(e) => panic!("tmxrasterizer: {e}"),
        Ok(output) => {
            assert!(output.status.success(), "tmxrasterizer: {}", String::from_utf8_lossy(&output.stderr));
            Some(image::open(&picture).expect("a picture").into_rgba8())
        }
    }
}

/// `UPDATE_GOLDEN=1` records the pictures again: look at them before they are kept.
#[test]
fn tiled_itself_draws_a_map_of_each_game_as_the_level_looks() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/tiled");
    let dir = tempfile::tempdir().expect("a folder");
    for game in games::offered() {
        let id = game.info().id;
        let docs = one(&*levels(*game)[3]);
        let mut drawn = Vec::new();
        for ending in ["tmx", "tmj"] {
            let map = dir.path().join(format!("{id}.{ending}"));
            let what = export::SaveAs::of(&map, None, *game).expect("a format");
            let (options, probe) =
                (Options { stem: id.into(), ..Options::default() }, &mut Probe::new(Limits::default()));
            export::save_as(&docs, &map, what, &options, None, probe).expect("written");
            let Some(picture) = drawn_by_tiled(&map) else {
                println!("skipped: tmxrasterizer (Debian's package tiled) is not here");
                return;
            };
            drawn.push(picture);
        }
        assert_eq!(drawn[0], drawn[1], "{id}: JSON and XML are one map");
        let file = golden.join(format!("{id}.png"));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::create_dir_all(&golden).expect("a folder");
            drawn[0].save(&file).expect("a picture");
        }
        let kept = image::open(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display())).into_rgba8();
        // Versions of Tiled and Qt smooth edges differently.
        let off = difference(&drawn[0], &kept);
        assert!(off < 2.0, "{id}: the picture is another one ({off:.1} of 255)");
    }
}

#[test]
fn a_cell_that_was_repainted_in_ldtk_is_read_from_the_map_and_the_rest_from_the_text() {
    each_game(|game, docs| {
        let doc = docs.iter().min_by_key(|d| d.board_size(Board::Draft).area()).expect("a level");
        let size = doc.board_size(Board::Draft);
        let project = json(&written("ldtk", &one(&**doc), &Options::default()).bytes);
        let layers = project["defs"]["layers"].as_array().expect("layers");
        let values = layers.iter().find(|l| l["identifier"] == "Ground").expect("ground")["intGridValues"].clone();
        // A cell with nothing on it: what stands on a cell stays, and may need its ground.
        let taken = |c: &Cell| doc.things().iter().any(|t| t.spots.iter().any(|s| s.cell == *c));
        let at = (0..size.area()).rev().find(|i| !taken(&size.cell(*i))).unwrap_or(0);
        let cell = size.cell(at);
        let mut seen = 0;
        for value in values.as_array().expect("values") {
            let mut changed = project.clone();
            let ground = &mut changed["levels"][0]["layerInstances"][1]["intGridCsv"][at];
            if *ground == value["value"] {
                continue;
            }
            *ground = value["value"].clone();
            let again = read_one(changed.to_string().as_bytes());
            assert_ne!(again.ground(cell), doc.ground(cell), "{game}: {value}");
            assert_eq!(again.meta(), doc.meta(), "{game}");
            assert!(!again.duplicate().dirty(), "{game}: it opens clean");
            // And it is stable: writing and reading it again changes nothing.
            let twice = read_one(&written("ldtk", &one(&*again), &Options::default()).bytes);
            assert_eq!(twice.native(), again.native(), "{game}");
            seen += 1;
        }
        assert!(seen > 0, "{game}: there is more than one kind of ground");
    });
}

#[test]
fn a_thing_that_was_taken_away_moved_or_copied_in_a_map_editor_is_read_from_the_map() {
    each_game(|game, docs| {
        for doc in docs.iter().step_by(5).filter(|d| !d.things().is_empty()) {
            let things = doc.things();
            let last = things.len() - 1;
            let map = json(&written("tiled", &one(&**doc), &Options::default()).bytes);
            // Placed in Tiled from its tileset, a thing says nothing itself.
            let mut placed = map.clone();
            let object = &mut placed["layers"][1]["objects"][last];
            (object["type"], object["properties"]) = ("".into(), Value::Array(Vec::new()));
            assert_eq!(read_one(placed.to_string().as_bytes()).native(), doc.native(), "{game}");

            let mut gone = map.clone();
            gone["layers"][1]["objects"].as_array_mut().expect("objects").remove(last);
            let again = read_one(gone.to_string().as_bytes());
            assert_eq!(again.things().len(), last, "{game} {:?}", doc.meta().title);

            // Back again, painted anew: the same things, whatever their facts.
            let mut back = json(&written("tiled", &one(&*again), &Options::default()).bytes);
            let lost = map["layers"][1]["objects"][last].clone();
            back["layers"][1]["objects"].as_array_mut().expect("objects").push(lost);
            let again = read_one(back.to_string().as_bytes());
            let plain = |d: &dyn Doc| d.things().into_iter().map(|t| (t.ink, t.spots)).collect::<Vec<_>>();
            assert_eq!(again.things().len(), things.len(), "{game} {:?}", doc.meta().title);
            let (now, before) = (plain(&*again), plain(&**doc));
            assert!(before.iter().all(|t| now.contains(t)), "{game} {:?}:\n{before:?}\n{now:?}", doc.meta().title);
        }
    });
}

#[test]
fn a_board_that_was_made_larger_in_a_map_editor_is_larger() {
    each_game(|game, docs| {
        let doc = docs.iter().min_by_key(|d| d.board_size(Board::Draft).area()).expect("a level");
        let (size, (_, most, _)) = (doc.board_size(Board::Draft), doc.game().sizes());
        if size.h >= most.h {
            return;
        }
        let mut map = json(&written("tiled", &one(&**doc), &Options::default()).bytes);
        let ground = &mut map["layers"][0];
        let data = ground["data"].as_array_mut().expect("tiles");
        let row: Vec<_> = data[..usize::from(size.w)].to_vec();
        data.extend(row);
        ground["height"] = (size.h + 1).into();
        map["height"] = (size.h + 1).into();
        let again = read_one(map.to_string().as_bytes());
        assert_eq!(again.board_size(Board::Draft).h, size.h + 1, "{game}");
        let corner = Cell { x: 0, y: size.h as i16 };
        // Games whose things are unique (a digit) cannot have the first row twice.
        if !doc.things().is_empty() {
            assert_eq!(again.ground(corner), doc.ground(Cell { x: 0, y: 0 }), "{game}");
        }
    });
}

static CODE: LazyLock<String> = LazyLock::new(|| {
    let game = games::offered()[0];
    export::code(&*game.read_native(game.info().levels[0]).expect("a level"))
});

#[test]
fn a_share_code_is_one_short_line_and_survives_a_chat() {
    each_game(|game, docs| {
        let longest = docs.iter().map(|d| export::code(&**d).len()).max().expect("a level");
        assert!(longest < 2_000, "{game}: {longest} letters");
    });
    let code = CODE.as_str();
    let (a, b) = code.split_at(40);
    for text in [
        format!("  {code}\n\n"),
        format!("{a}\r\n{b}"),
        format!("> {a}\n> {b}\n"),
        format!("`{code}`"),
        format!("\u{feff}{code}"),
        format!("\"{code}\""),
    ] {
        assert_eq!(formats::read(text.as_bytes()).map(|d| d.len()).map_err(|e| e.to_string()), Ok(1), "{text}");
    }
    assert_eq!(formats::read(format!("{code}\n{code} {code}").as_bytes()).expect("three").len(), 3);
}

#[test]
fn a_damaged_share_code_is_refused_in_a_sentence() {
    let code = CODE.as_str();
    for end in 4..code.len() {
        read_fault(&code.as_bytes()[..end]);
    }
    for i in 4..code.len() {
        let mut bad = code.as_bytes().to_vec();
        bad[i] = if bad[i] == b'A' { b'B' } else { b'A' };
        read_fault(&bad);
    }
    assert!(read_fault(b"tw2:AAAA").contains("newer"));
    assert!(read_fault(format!("{}\u{e4}{}", &code[..20], &code[20..]).as_bytes()).contains("damaged"));
}

fn packed(text: &[u8], times: usize) -> Vec<u8> {
    use base64::Engine as _;
    use std::io::Write as _;
    let mut packer = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..times {
        packer.write_all(text).expect("into memory");
    }
    let mut bytes = vec![0; 4];
    bytes.extend(packer.finish().expect("into memory"));
    format!("tw1:{}", base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes)).into_bytes()
}

#[test]
fn a_share_code_that_unfolds_without_end_is_not_unfolded() {
    let bomb = packed(&[b' '; 1 << 16], 1 << 11);
    assert!(bomb.len() < 1 << 20, "128 MiB in {} bytes", bomb.len());
    assert!(read_fault(&bomb).contains("more than any level needs"));
}

#[test]
fn hostile_maps_are_refused_in_a_sentence() {
    let game = games::offered()[0];
    let doc = game.read_native(game.info().levels[0]).expect("a level");
    let edit = |id: &str, change: &dyn Fn(&mut Value)| {
        let mut map = json(&written(id, &one(&*doc), &Options::default()).bytes);
        change(&mut map);
        read_fault(map.to_string().as_bytes())
    };
    let huge = u64::from(u32::MAX);
    edit("tiled", &|m| m["width"] = huge.into());
    edit("tiled", &|m| m["width"] = (-3).into());
    edit("tiled", &|m| m["tilewidth"] = 0.into());
    edit("tiled", &|m| m["infinite"] = true.into());
    edit("tiled", &|m| m["properties"] = Value::Array(Vec::new()));
    edit("tiled", &|m| m["layers"][0]["data"] = "eJxjYGBg".into());
    edit("tiled", &|m| m["layers"][0]["data"][0] = (huge + 1).into());
    edit("tiled", &|m| m["layers"][0]["data"][0] = 4_000.into());
    edit("tiled", &|m| m["layers"][0]["data"][0] = "x".into());
    edit("tiled", &|m| m["layers"][0]["data"] = Value::Array(Vec::new()));
    edit("tiled", &|m| m["layers"][1]["objects"][0]["type"] = "Dragon".into());
    edit("tiled", &|m| {
        m["layers"][1]["objects"][0]["properties"] = serde_json::json!([{ "name": "colour", "value": "ultraviolet" }])
    });
    edit("tiled", &|m| {
        m["layers"][1]["objects"][0]["properties"] = serde_json::json!([{ "name": "cells", "value": "9e9,1" }])
    });
    edit("tiled", &|m| m["tilesets"] = serde_json::json!([{ "firstgid": 1, "source": "other.tsj" }]));
    edit("tiled", &|m| m["properties"][2]["value"] = "(tilewright: 1, game: \"chess\", level: ())".into());
    edit("ldtk", &|m| m["jsonVersion"] = "2.0.0".into());
    edit("ldtk", &|m| m["externalLevels"] = true.into());
    edit("ldtk", &|m| m["levels"] = Value::Array(Vec::new()));
    edit("ldtk", &|m| m["levels"][0]["fieldInstances"] = Value::Array(Vec::new()));
    edit("ldtk", &|m| m["levels"][0]["layerInstances"] = Value::Null);
    edit("ldtk", &|m| m["levels"][0]["layerInstances"][1]["__cWid"] = huge.into());
    edit("ldtk", &|m| m["levels"][0]["layerInstances"][1]["intGridCsv"][0] = 77_777.into());
    edit("ldtk", &|m| m["levels"][0]["layerInstances"][0]["entityInstances"][0]["__grid"] = "here".into());
    edit("ldtk", &|m| m["levels"][0]["fieldInstances"][1]["__value"] = "(tilewright: 9, game: \"cats\")".into());
    for id in ["tiled", "ldtk"] {
        let whole = written(id, &one(&*doc), &Options::default()).bytes;
        for end in (1..whole.len() - 2).step_by(997) {
            read_fault(&whole[..end]);
        }
    }
}

#[test]
fn what_cannot_be_exported_is_refused_in_a_sentence() {
    let game = games::offered()[0];
    let level = |i: usize| game.read_native(game.info().levels[i]).expect("a level");
    let options = Options::default();
    for id in ["png", "svg", "gif", "tiled", "tmx"] {
        refusal(write(id, &[level(0), level(1)], &options));
    }
    let other = games::offered()[1].read_native(games::offered()[1].info().levels[0]).expect("a level");
    refusal(write("ldtk", &[level(0), other], &options));
    refusal(write("png", &[], &options));
    for cell in [0, 3, 513, u32::MAX] {
        refusal(write("png", &one(&*level(0)), &Options { cell: Some(cell), ..Options::default() }));
    }
    for per_page in [0, 21] {
        refusal(write("sheet", &one(&*level(0)), &Options { per_page, ..Options::default() }));
    }
    // The largest boards: small cells by themselves, large ones are refused.
    for game in games::all() {
        let (_, most, _) = game.sizes();
        // No larger than is quickly drawn in a test.
        let doc = game.blank(tilewright::grid::Size::new(most.w.min(40), most.h.min(40)));
        let chosen = png(&*doc, &options);
        assert!(u64::from(chosen.width()) * u64::from(chosen.height()) <= 16 << 20, "{}", game.info().id);
    }
    let large =
        games::all().into_iter().map(|g| g.blank(g.sizes().1)).max_by_key(|d| d.board_size(Board::Draft).area());
    let large = large.expect("a game");
    assert!(
        refusal(write("png", &one(&*large), &Options { cell: Some(512), ..Options::default() })).contains("too large")
    );
    // A draft that cannot be played has no film, but it has a picture.
    let blank = game.blank(game.sizes().2);
    assert!(refusal(write("gif", &one(&*blank), &options)).contains("cannot be played"));
    png(&*blank, &options);
}

#[test]
fn levels_saved_together_do_not_overwrite_each_other_whatever_their_titles() {
    let dir = tempfile::tempdir().expect("a folder");
    let titles = ["Same", "SAME", "same", "con", "", "a/b", "a:b", "ends in a dot."];
    let mut docs = Vec::new();
    for title in titles {
        let mut doc = games::offered()[0].blank(games::offered()[0].sizes().2);
        doc.set_meta(tilewright::game::Meta { title: title.into(), ..doc.meta().clone() });
        docs.push(doc);
    }
    let (out, probe) = (dir.path().join("out"), &mut Probe::new(Limits::default()));
    export::save_as(&docs, &out, export::SaveAs::Folder, &Options::default(), None, probe).expect("saved");
    let names = tilewright::disk::file_names(&out).expect("a folder");
    let different: std::collections::HashSet<_> = names.iter().map(|n| n.to_lowercase()).collect();
    assert_eq!(different.len(), titles.len() + 1, "a file each, and the pack: {names:?}");
    let read = tilewright::disk::open_path(&out).expect("a pack");
    assert_eq!(read.iter().map(|l| l.doc.meta().title.as_str()).collect::<Vec<_>>(), titles);
}

#[test]
fn every_exporter_says_what_it_drops() {
    for exporter in export::ALL {
        assert!(!exporter.drops.is_empty(), "{}", exporter.id);
        let game = games::offered()[0];
        let doc = game.read_native(game.info().levels[0]).expect("a level");
        let dropped = written(exporter.id, &one(&*doc), &Options { cell: Some(8), ..Options::default() }).dropped;
        assert!(exporter.drops.iter().all(|d| dropped.iter().any(|s| s == d)), "{}", exporter.id);
        assert_eq!(export::by_ending(exporter.extensions[0]).map(|e| e.id), Some(exporter.id));
    }
}

/// Runs the program: exit code, standard output, standard error.
fn run(args: &[&Path]) -> (i32, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_tilewright")).args(args).output().expect("the program runs");
    let text = |b: Vec<u8>| String::from_utf8_lossy(&b).into_owned();
    (out.status.code().unwrap_or(-1), text(out.stdout), text(out.stderr))
}

#[test]
fn convert_writes_every_export_and_reads_back_those_that_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let p = Path::new;
    for game in games::offered() {
        let id = game.info().id;
        let level = folder.path().join(format!("{id}.ron"));
        std::fs::write(&level, game.info().levels[0]).expect("written");
        for exporter in export::ALL {
            let out = folder.path().join(format!("{id}-{0}.{0}", exporter.extensions[0]));
            let (code, json, err) = run(&[p("convert"), &level, &out, p("--json"), p("--theme"), p("dark")]);
            assert_eq!(code, 0, "{id} as {}: {err}", exporter.id);
            let line: Value = serde_json::from_str(&json).expect("one line of JSON");
            assert_eq!(line["levels"], 1);
            assert!(line["dropped"].as_array().is_some_and(|d| !d.is_empty()), "{line}");
            if exporter.reads {
                let back = folder.path().join("back.ron");
                assert_eq!(run(&[p("convert"), &out, &back]).0, 0, "{id} from {}", exporter.id);
                let read = |path: &Path| read_one(&std::fs::read(path).expect("it is there")).identity();
                assert_eq!(read(&back), read(&level), "{id} from {}", exporter.id);
            }
        }
    }
    let all = folder.path().join("all.pdf");
    let levels = folder.path().join("some");
    std::fs::create_dir(&levels).expect("a folder");
    for (i, game) in games::offered().iter().enumerate() {
        std::fs::write(levels.join(format!("{i}.ron")), game.info().levels[0]).expect("written");
    }
    let (code, json, _) = run(&[p("convert"), &levels, &all, p("--per-page"), p("4"), p("--json")]);
    assert!(code == 0 && json.contains("\"levels\":5"), "{json}");
    // Bad use: exit code 2, one line, nothing written.
    let out = folder.path().join("bad.png");
    for extra in [["--cell", "1"], ["--cell", "x"], ["--theme", "pink"], ["--pause", "nan"]] {
        let level = folder.path().join(format!("{}.ron", games::offered()[0].info().id));
        let (code, _, err) = run(&[p("convert"), &level, &out, p(extra[0]), p(extra[1])]);
        assert!(code == 2 && !err.is_empty() && !out.exists(), "{extra:?}: {code} {err}");
    }
    assert_eq!(run(&[p("convert"), &levels, &out]).0, 2, "several levels are no picture");
}
