//! Tiled maps: a tile layer `Ground` with its tileset, and an object layer `Things`; as JSON (`.tmj`) and, for programs that know no other, as XML (`.tmx`).
//!
//! The tileset is embedded in the map and its picture, a small PNG with the palette's inks, is written beside it. The map's property `tilewright` holds the level's own
//! text; see `layers.rs` for what is read when the map was changed. Only the JSON map is read, and only one whose tile data are plain numbers.

use super::{
    Exported, Options,
    layers::{self, Catalogue, Known, Map},
    raster, title,
};
use crate::{
    document::{Board, Doc},
    game::{Fault, NotMade},
    grid::Size,
    picture::{Colours, Rgba},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{collections::HashMap, fmt::Write as _};

/// Pixels a cell in Tiled.
const TILE: u32 = 32;
/// Tiles in a row of the tileset.
const COLUMNS: u32 = 8;
/// The property that holds the level's text.
const TEXT: &str = "tilewright";
const GROUND: &str = "Ground";
const THINGS: &str = "Things";

/// How a map is spelt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spelling {
    /// `.tmj`.
    Json,
    /// `.tmx`.
    Xml,
}

struct Object {
    id: usize,
    name: String,
    class: String,
    /// Left, top, width, height in pixels.
    place: [i64; 4],
    fields: Vec<(&'static str, String)>,
}

/// A map, before it is spelt.
struct Sheet {
    size: Size,
    /// The number of each cell's tile, from 1.
    tiles: Vec<usize>,
    objects: Vec<Object>,
    /// Name for programs and for people of each tile.
    kinds: Vec<(String, String)>,
    /// Pixels of the tileset's picture.
    picture: (u32, u32),
    image: String,
    name: String,
    properties: Vec<(&'static str, String)>,
}

fn tileset(doc: &dyn Doc, catalogue: &Catalogue) -> Result<(u32, u32, Vec<u8>), NotMade> {
    let rows = (catalogue.ground.len() as u32).div_ceil(COLUMNS).max(1);
    let (w, h) = (COLUMNS * TILE, rows * TILE);
    let failed = |why: String| NotMade::Refused(format!("the tileset's picture cannot be made: {why}"));
    let mut pixmap = tiny_skia::Pixmap::new(w, h).ok_or_else(|| failed("it is too large".into()))?;
    let colours = Colours::light();
    for (i, entry) in catalogue.ground.iter().enumerate() {
        let (x, y) = (i as u32 % COLUMNS * TILE, i as u32 / COLUMNS * TILE);
        let corner = (x as f32, y as f32);
        let mut tile = crate::picture::Picture::default();
        let Rgba(r, g, b, _) = entry.colour;
        tile.rect(crate::picture::Area::new(0.0, 0.0, 1.0, 1.0), 0.0, Rgba(r, g, b, 255), crate::picture::Pen::NONE);
        raster::add(&mut pixmap, &tile, TILE as f32, corner);
        raster::add(&mut pixmap, &doc.draw_ink(entry.ink, &colours), TILE as f32, corner);
    }
    Ok((w, h, pixmap.encode_png().map_err(|e| failed(e.to_string()))?))
}

fn sheet(doc: &dyn Doc, options: &Options, catalogue: &Catalogue, picture: (u32, u32)) -> Sheet {
    let size = doc.board_size(Board::Draft);
    let things = doc.things();
    let placed = things.iter().filter_map(|t| catalogue.put(t)).enumerate();
    let side = i64::from(TILE);
    let objects = placed.map(|(i, p)| Object {
        id: i + 1,
        name: p.name,
        class: p.id,
        place: [
            i64::from(p.at.0) * side,
            i64::from(p.at.1) * side,
            i64::from(p.size.0) * side,
            i64::from(p.size.1) * side,
        ],
        fields: p.fields,
    });
    let about =
        "ground and things are read from the map where they were changed; all else from the property \"tilewright\"";
    Sheet {
        size,
        tiles: size.cells().map(|c| catalogue.ground_number(doc.ground(c))).collect(),
        objects: objects.collect(),
        kinds: catalogue.ground.iter().map(|e| (e.id.clone(), e.name.clone())).collect(),
        picture,
        image: image_name(&options.stem),
        name: format!("{} ground", doc.game().info().name),
        properties: vec![
            ("about", format!("Written by Tilewright, which reads this map again: {about}.")),
            ("game", doc.game().info().id.into()),
            (TEXT, doc.native()),
            ("title", title(doc)),
        ],
    }
}

fn image_name(stem: &str) -> String {
    format!("{stem}-tiles.png")
}

fn properties(list: &[(&'static str, String)]) -> Vec<Value> {
    list.iter().map(|(n, v)| json!({ "name": n, "type": "string", "value": v })).collect()
}

fn spell_json(sheet: &Sheet) -> Result<String, NotMade> {
    let tiles = sheet.kinds.iter().enumerate().map(
        |(i, (class, name))| json!({ "id": i, "type": class, "properties": properties(&[("name", name.clone())]) }),
    );
    let objects = sheet.objects.iter().map(|o| {
        let [x, y, w, h] = o.place;
        json!({
            "id": o.id,
            "name": o.name,
            "type": o.class,
            "x": x,
            "y": y,
            "width": w,
            "height": h,
            "rotation": 0,
            "visible": true,
            "properties": properties(&o.fields),
        })
    });
    let map = json!({
        "type": "map",
        "version": "1.10",
        "tiledversion": "1.10.2",
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "compressionlevel": -1,
        "infinite": false,
        "width": sheet.size.w,
        "height": sheet.size.h,
        "tilewidth": TILE,
        "tileheight": TILE,
        "nextlayerid": 3,
        "nextobjectid": sheet.objects.len() + 1,
        "properties": properties(&sheet.properties),
        "tilesets": [{
            "firstgid": 1,
            "name": sheet.name,
            "image": sheet.image,
            "imagewidth": sheet.picture.0,
            "imageheight": sheet.picture.1,
            "tilewidth": TILE,
            "tileheight": TILE,
            "columns": COLUMNS,
            "tilecount": sheet.picture.0 * sheet.picture.1 / (TILE * TILE),
            "margin": 0,
            "spacing": 0,
            "tiles": tiles.collect::<Vec<_>>(),
        }],
        "layers": [
            {
                "id": 1,
                "name": GROUND,
                "type": "tilelayer",
                "x": 0,
                "y": 0,
                "width": sheet.size.w,
                "height": sheet.size.h,
                "opacity": 1,
                "visible": true,
                "data": sheet.tiles,
            },
            {
                "id": 2,
                "name": THINGS,
                "type": "objectgroup",
                "draworder": "index",
                "x": 0,
                "y": 0,
                "opacity": 1,
                "visible": true,
                "objects": objects.collect::<Vec<_>>(),
            },
        ],
    });
    let text =
        serde_json::to_string_pretty(&map).map_err(|e| NotMade::Refused(format!("the map cannot be written: {e}")))?;
    Ok(text + "\n")
}

/// Text in an attribute.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            // Other control characters are not allowed in XML at all.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn xml_properties(out: &mut String, indent: &str, list: &[(&'static str, String)]) {
    if list.is_empty() {
        return;
    }
    let _ = writeln!(out, "{indent}<properties>");
    for (name, value) in list {
        let _ = writeln!(out, "{indent} <property name={} value={}/>", quoted(name), quoted(value));
    }
    let _ = writeln!(out, "{indent}</properties>");
}

fn spell_xml(sheet: &Sheet) -> String {
    let Size { w, h } = sheet.size;
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let next = sheet.objects.len() + 1;
    let _ = writeln!(
        out,
        "<map version=\"1.10\" tiledversion=\"1.10.2\" orientation=\"orthogonal\" renderorder=\"right-down\" width=\"{w}\" \
         height=\"{h}\" tilewidth=\"{TILE}\" tileheight=\"{TILE}\" infinite=\"0\" nextlayerid=\"3\" nextobjectid=\"{next}\">"
    );
    xml_properties(&mut out, " ", &sheet.properties);
    let (iw, ih) = sheet.picture;
    let count = iw * ih / (TILE * TILE);
    let _ = writeln!(
        out,
        " <tileset firstgid=\"1\" name={} tilewidth=\"{TILE}\" tileheight=\"{TILE}\" tilecount=\"{count}\" columns=\"{COLUMNS}\">",
        quoted(&sheet.name)
    );
    let _ = writeln!(out, "  <image source={} width=\"{iw}\" height=\"{ih}\"/>", quoted(&sheet.image));
    for (i, (class, name)) in sheet.kinds.iter().enumerate() {
        let _ = writeln!(out, "  <tile id=\"{i}\" type={}>", quoted(class));
        xml_properties(&mut out, "   ", &[("name", name.clone())]);
        out.push_str("  </tile>\n");
    }
    out.push_str(" </tileset>\n");
    let _ =
        writeln!(out, " <layer id=\"1\" name=\"{GROUND}\" width=\"{w}\" height=\"{h}\">\n  <data encoding=\"csv\">");
    let rows: Vec<String> = sheet
        .tiles
        .chunks(usize::from(w).max(1))
        .map(|row| row.iter().map(usize::to_string).collect::<Vec<_>>().join(","))
        .collect();
    let _ = writeln!(out, "{}\n  </data>\n </layer>", rows.join(",\n"));
    let _ = writeln!(out, " <objectgroup id=\"2\" name=\"{THINGS}\" draworder=\"index\">");
    for o in &sheet.objects {
        let [x, y, w, h] = o.place;
        let _ = writeln!(
            out,
            "  <object id=\"{}\" name={} type={} x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\">",
            o.id,
            quoted(&o.name),
            quoted(&o.class)
        );
        xml_properties(&mut out, "   ", &o.fields);
        out.push_str("  </object>\n");
    }
    out.push_str(" </objectgroup>\n</map>\n");
    out
}

pub(super) fn write(doc: &dyn Doc, options: &Options, spelling: Spelling) -> Result<Exported, NotMade> {
    let nothing = || NotMade::Refused("there is no level to export".into());
    let catalogue = Catalogue::new(&[doc]).ok_or_else(nothing)?;
    let (w, h, picture) = tileset(doc, &catalogue)?;
    let sheet = sheet(doc, options, &catalogue, (w, h));
    let text = match spelling {
        Spelling::Json => spell_json(&sheet)?,
        Spelling::Xml => spell_xml(&sheet),
    };
    Ok(Exported { bytes: text.into_bytes(), beside: vec![(sheet.image, picture)], dropped: Vec::new() })
}

// ------------------------------------------------------------------------------------------------------------------- reading

#[derive(Deserialize)]
struct MapFile {
    width: usize,
    height: usize,
    tilewidth: f64,
    tileheight: f64,
    #[serde(default)]
    infinite: bool,
    #[serde(default)]
    properties: Vec<Property>,
    tilesets: Vec<Tileset>,
    layers: Vec<Layer>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    value: Value,
}

#[derive(Deserialize)]
struct Tileset {
    firstgid: u64,
    #[serde(default)]
    source: Option<String>,
    #[serde(default)]
    tiles: Vec<Tile>,
}

#[derive(Deserialize)]
struct Tile {
    id: u64,
    #[serde(default, rename = "type", alias = "class")]
    class: String,
}

#[derive(Deserialize)]
struct Layer {
    name: String,
    #[serde(default)]
    width: usize,
    #[serde(default)]
    height: usize,
    #[serde(default)]
    data: Value,
    #[serde(default)]
    objects: Vec<ObjectFile>,
}

#[derive(Deserialize)]
struct ObjectFile {
    #[serde(default, rename = "type", alias = "class")]
    class: String,
    x: f64,
    y: f64,
    #[serde(default)]
    properties: Vec<Property>,
}

pub(super) fn recognises(text: &str) -> bool {
    text.trim_start().starts_with('{')
        && text.contains("\"tilesets\"")
        && text.contains("\"tilewidth\"")
        && text.contains("\"orientation\"")
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

pub(super) fn read(text: &str) -> Result<Vec<Box<dyn Doc>>, Fault> {
    let map: MapFile = serde_json::from_str(text).map_err(|e| super::json_fault("a Tiled map", &e))?;
    let Some(native) = map.properties.iter().find(|p| p.name == TEXT).map(|p| plain(&p.value)) else {
        return Err(Fault::new(format!("this Tiled map was not made by Tilewright: it has no property {TEXT:?}")));
    };
    if map.infinite {
        return Err(Fault::new("this Tiled map is infinite: a board has an edge"));
    }
    let find = |name: &str| map.layers.iter().find(|l| l.name == name);
    let ground = find(GROUND).ok_or_else(|| Fault::new(format!("this Tiled map has no layer {GROUND:?}")))?;
    let Some(data) = ground.data.as_array() else {
        return Err(Fault::new(
            "the tiles of this Tiled map are packed: set its tile layer format to CSV and save it again",
        ));
    };
    if (ground.width, ground.height) != (map.width, map.height) {
        return Err(Fault::new(format!("the layer {GROUND:?} of this Tiled map has not the map's size")));
    }
    let names = tile_names(&map.tilesets)?;
    let tile = |gid: &Value| match gid.as_u64() {
        Some(0) => Ok(None),
        Some(gid) if gid > u64::from(u32::MAX >> 4) => Err(Fault::new(
            "this Tiled map has turned or mirrored tiles, which mean nothing here: use a tile of its own",
        )),
        Some(gid) => match names.get(&gid) {
            Some(name) => Ok(Some(name.clone())),
            None => Err(Fault::new(format!("this Tiled map uses tile {gid}, which has no class"))),
        },
        None => Err(Fault::new(format!("the tiles of this Tiled map hold {gid}, which is no tile"))),
    };
    let tiles = data.iter().map(tile).collect::<Result<Vec<_>, _>>()?;
    let (w, h) = (map.tilewidth, map.tileheight);
    if !(w >= 1.0 && h >= 1.0) {
        return Err(Fault::new("the tiles of this Tiled map have no size"));
    }
    let things = find(THINGS).map(|l| l.objects.as_slice()).unwrap_or_default();
    let things = things.iter().map(|o| {
        let fields: HashMap<_, _> = o.properties.iter().map(|p| (p.name.clone(), plain(&p.value))).collect();
        // The nearest cell: people drag objects without snapping to the grid. A float cast saturates.
        (o.class.clone(), ((o.x / w).round() as i64, (o.y / h).round() as i64), fields)
    });
    let things = things.collect();
    let map = Map { native, size: (map.width, map.height), ground: tiles, things };
    Ok(vec![layers::restore(&map, &mut Known::new())?])
}

fn tile_names(tilesets: &[Tileset]) -> Result<HashMap<u64, String>, Fault> {
    let mut names = HashMap::new();
    for set in tilesets {
        if let Some(source) = &set.source {
            let text = format!("the tileset of this Tiled map is in another file ({source:?}): embed it in the map");
            return Err(Fault::new(text));
        }
        for tile in set.tiles.iter().filter(|t| !t.class.is_empty()) {
            names.insert(set.firstgid.saturating_add(tile.id), tile.class.clone());
        }
    }
    Ok(names)
}
