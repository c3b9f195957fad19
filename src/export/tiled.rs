//! Tiled maps: a tile layer `Ground` and an object layer `Things`, each thing a tile object with its picture; as JSON (`.tmj`) and as XML (`.tmx`).
//!
//! Tilesets are embedded in the map; their pictures are PNG files beside it. One has the palette's inks for the ground. The tiles of a tileset have one size, so
//! things have a tileset for each size they come in. Its tiles have the classes and properties of the things they show: a tile that is put on the map in Tiled is
//! such a thing. The map's property `tilewright` holds the level's own text; see `layers.rs` for what is read when the map was changed. Maps are read whose tile
//! data are plain numbers (CSV in XML).

use super::{
    Exported, Options,
    layers::{self, Catalogue, Known, Map, Placed},
    raster, title,
};
use crate::{
    document::{Board, Doc},
    game::{Fault, Ink, NotMade, Thing},
    grid::Size,
    picture::{Colours, Picture, Rgba},
};
use roxmltree::Node;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{collections::HashMap, fmt::Write as _, str::FromStr};
use tiny_skia::Pixmap;

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
    /// The number of its tile.
    gid: usize,
    name: String,
    class: String,
    /// Left, bottom (as Tiled places tile objects), width, height in pixels.
    place: [i64; 4],
    fields: Vec<(&'static str, String)>,
}

/// A tile: its class, its properties, its picture.
struct TileLook {
    class: String,
    properties: Vec<(&'static str, String)>,
    picture: Pixmap,
}

/// A tileset: tiles of one size.
struct Set {
    name: String,
    image: String,
    /// The number of its first tile.
    first: usize,
    /// Pixels of a tile.
    tile: (u32, u32),
    tiles: Vec<TileLook>,
}

impl Set {
    /// Rows of its picture.
    fn rows(&self) -> u32 {
        (self.tiles.len() as u32).div_ceil(COLUMNS).max(1)
    }

    /// How many numbers it takes.
    fn count(&self) -> u32 {
        COLUMNS * self.rows()
    }

    fn pixels(&self) -> (u32, u32) {
        (COLUMNS * self.tile.0, self.rows() * self.tile.1)
    }

    fn png(&self) -> Result<Vec<u8>, NotMade> {
        let (w, h) = self.pixels();
        let mut whole = pixmap((w, h))?;
        for (i, tile) in self.tiles.iter().enumerate() {
            let (x, y) = (i as u32 % COLUMNS * self.tile.0, i as u32 / COLUMNS * self.tile.1);
            let (paint, place) = (tiny_skia::PixmapPaint::default(), tiny_skia::Transform::identity());
            whole.draw_pixmap(x as i32, y as i32, tile.picture.as_ref(), &paint, place, None);
        }
        whole.encode_png().map_err(|e| NotMade::Refused(format!("the tileset's picture cannot be made: {e}")))
    }
}

/// A map, before it is spelt.
struct Sheet {
    size: Size,
    /// The number of each cell's tile, from 1.
    tiles: Vec<usize>,
    objects: Vec<Object>,
    sets: Vec<Set>,
    properties: Vec<(&'static str, String)>,
}

fn pixmap((w, h): (u32, u32)) -> Result<Pixmap, NotMade> {
    Pixmap::new(w, h).ok_or_else(|| NotMade::Refused("the tileset's picture is too large".into()))
}

/// The kinds of ground.
fn ground_set(doc: &dyn Doc, options: &Options, catalogue: &Catalogue) -> Result<Set, NotMade> {
    let mut tiles = Vec::new();
    for entry in &catalogue.ground {
        let mut picture = pixmap((TILE, TILE))?;
        let Rgba(r, g, b, _) = entry.colour;
        picture.fill(tiny_skia::Color::from_rgba8(r, g, b, 255));
        raster::add(&mut picture, &doc.draw_ink(entry.ink, &Colours::light()), TILE as f32, (0.0, 0.0));
        tiles.push(TileLook { class: entry.id.clone(), properties: vec![("name", entry.name.clone())], picture });
    }
    let name = format!("{} ground", doc.game().info().name);
    Ok(Set { name, image: format!("{}-tiles.png", options.stem), first: 1, tile: (TILE, TILE), tiles })
}

/// A thing as the level shows it, without what lies under and beside it: where the level would look the same without the thing, nothing is drawn.
fn look(doc: &dyn Doc, thing: &Thing, placed: &Placed, tile: (u32, u32)) -> Result<Pixmap, NotMade> {
    let (colours, px) = (Colours::light(), TILE as f32);
    let corner = (-f32::from(placed.at.0) * px, -f32::from(placed.at.1) * px);
    let drawn = |picture: &Picture| -> Result<Pixmap, NotMade> {
        let mut pixels = pixmap(tile)?;
        raster::add(&mut pixels, picture, px, corner);
        Ok(pixels)
    };
    let mut with = drawn(&doc.picture(Board::Draft, &colours, px))?;
    let without = drawn(&doc.picture_painted(Ink::default(), &thing.spots, &[], &colours, px))?;
    for (pixel, under) in with.pixels_mut().iter_mut().zip(without.pixels()) {
        if pixel == under {
            *pixel = tiny_skia::PremultipliedColorU8::TRANSPARENT;
        }
    }
    Ok(with)
}

fn sheet(doc: &dyn Doc, options: &Options, catalogue: &Catalogue) -> Result<Sheet, NotMade> {
    let size = doc.board_size(Board::Draft);
    let ground = ground_set(doc, options, catalogue)?;
    let mut sets: Vec<Set> = Vec::new();
    // Things that look alike share a tile.
    let mut known = HashMap::new();
    let mut objects = Vec::new();
    for (thing, placed) in doc.things().iter().filter_map(|t| Some((t, catalogue.put(t)?))) {
        let tile = (u32::from(placed.size.0) * TILE, u32::from(placed.size.1) * TILE);
        let grounds: Vec<_> = thing.spots.iter().map(|s| catalogue.ground_number(doc.ground(s.cell))).collect();
        let key = (placed.id.clone(), placed.size, placed.fields.clone(), grounds);
        let at = match known.get(&key) {
            Some(at) => *at,
            None => {
                let set = sets.iter().position(|s| s.tile == tile).unwrap_or_else(|| {
                    let (w, h) = placed.size;
                    let name = format!("{} things {w} x {h}", doc.game().info().name);
                    let image = format!("{}-things-{w}x{h}.png", options.stem);
                    sets.push(Set { name, image, first: 0, tile, tiles: Vec::new() });
                    sets.len() - 1
                });
                let picture = look(doc, thing, &placed, tile)?;
                let properties = placed.fields.clone();
                sets[set].tiles.push(TileLook { class: placed.id.clone(), properties, picture });
                *known.entry(key).or_insert((set, sets[set].tiles.len() - 1))
            }
        };
        objects.push((placed, at));
    }
    let mut first = 1 + ground.count() as usize;
    for set in &mut sets {
        set.first = first;
        first += set.count() as usize;
    }
    let side = i64::from(TILE);
    let objects = objects.into_iter().enumerate().map(|(i, (p, (set, tile)))| Object {
        id: i + 1,
        gid: sets[set].first + tile,
        name: p.name,
        class: p.id,
        place: [
            i64::from(p.at.0) * side,
            (i64::from(p.at.1) + i64::from(p.size.1)) * side,
            i64::from(p.size.0) * side,
            i64::from(p.size.1) * side,
        ],
        fields: p.fields,
    });
    let objects = objects.collect();
    sets.insert(0, ground);
    let about =
        "ground and things are read from the map where they were changed; all else from the property \"tilewright\"";
    Ok(Sheet {
        size,
        tiles: size.cells().map(|c| catalogue.ground_number(doc.ground(c))).collect(),
        objects,
        sets,
        properties: vec![
            ("about", format!("Written by Tilewright, which reads this map again: {about}.")),
            ("game", doc.game().info().id.into()),
            (TEXT, doc.native()),
            ("title", title(doc)),
        ],
    })
}

fn properties(list: &[(&'static str, String)]) -> Vec<Value> {
    list.iter().map(|(n, v)| json!({ "name": n, "type": "string", "value": v })).collect()
}

fn spell_json(sheet: &Sheet) -> Result<String, NotMade> {
    let tileset = |set: &Set| {
        let tiles = set.tiles.iter().enumerate();
        let tiles = tiles.map(|(i, t)| json!({ "id": i, "type": t.class, "properties": properties(&t.properties) }));
        json!({
            "firstgid": set.first,
            "name": set.name,
            "image": set.image,
            "imagewidth": set.pixels().0,
            "imageheight": set.pixels().1,
            "tilewidth": set.tile.0,
            "tileheight": set.tile.1,
            "columns": COLUMNS,
            "tilecount": set.count(),
            "margin": 0,
            "spacing": 0,
            "tiles": tiles.collect::<Vec<_>>(),
        })
    };
    let objects = sheet.objects.iter().map(|o| {
        let [x, y, w, h] = o.place;
        json!({
            "id": o.id,
            "gid": o.gid,
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
        "tilesets": sheet.sets.iter().map(tileset).collect::<Vec<_>>(),
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
    for set in &sheet.sets {
        let (first, (tw, th), count) = (set.first, set.tile, set.count());
        let (iw, ih) = set.pixels();
        let _ = writeln!(
            out,
            " <tileset firstgid=\"{first}\" name={} tilewidth=\"{tw}\" tileheight=\"{th}\" tilecount=\"{count}\" columns=\"{COLUMNS}\">",
            quoted(&set.name)
        );
        let _ = writeln!(out, "  <image source={} width=\"{iw}\" height=\"{ih}\"/>", quoted(&set.image));
        for (i, tile) in set.tiles.iter().enumerate() {
            let _ = writeln!(out, "  <tile id=\"{i}\" type={}>", quoted(&tile.class));
            xml_properties(&mut out, "   ", &tile.properties);
            out.push_str("  </tile>\n");
        }
        out.push_str(" </tileset>\n");
    }
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
            "  <object id=\"{}\" gid=\"{}\" name={} type={} x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\">",
            o.id,
            o.gid,
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
    let sheet = sheet(doc, options, &catalogue)?;
    let text = match spelling {
        Spelling::Json => spell_json(&sheet)?,
        Spelling::Xml => spell_xml(&sheet),
    };
    let beside = sheet.sets.iter().map(|s| Ok((s.image.clone(), s.png()?))).collect::<Result<_, NotMade>>()?;
    Ok(Exported { bytes: text.into_bytes(), beside, dropped: Vec::new() })
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
    #[serde(default)]
    properties: Vec<Property>,
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
    /// The tile it shows, if it is a tile object: then `y` is its lower edge.
    #[serde(default)]
    gid: Option<u64>,
    x: f64,
    y: f64,
    #[serde(default)]
    height: f64,
    #[serde(default)]
    properties: Vec<Property>,
}

fn is_xml(text: &str) -> bool {
    let text = text.trim_start();
    (text.starts_with("<?xml") || text.starts_with("<map")) && text.contains("<map ") && text.contains("<tileset")
}

pub(super) fn recognises(text: &str) -> bool {
    is_xml(text)
        || text.trim_start().starts_with('{')
            && text.contains("\"tilesets\"")
            && text.contains("\"tilewidth\"")
            && text.contains("\"orientation\"")
}

/// A map in XML, as its JSON would be read.
fn read_xml(text: &str) -> Result<MapFile, Fault> {
    let document = roxmltree::Document::parse(text).map_err(|e| {
        let at = e.pos();
        Fault::at(at.row as usize, at.col as usize, format!("this is not a Tiled map as it should be: {e}"))
    })?;
    let map = document.root_element();
    let texts = |of: Node<'_, '_>, name: &str| of.attribute(name).unwrap_or_default().to_string();
    let class = |of: Node<'_, '_>| of.attribute("type").or(of.attribute("class")).unwrap_or_default().to_string();
    let properties = |of: Node<'_, '_>| -> Vec<Property> {
        let list = children(of, "properties").flat_map(|n| children(n, "property"));
        // A value of several lines is an element's text.
        let value = |n: Node<'_, '_>| n.attribute("value").or(n.text()).unwrap_or_default().to_string();
        list.map(|n| Property { name: texts(n, "name"), value: value(n).into() }).collect()
    };
    let tileset = |n: Node<'_, '_>| -> Result<Tileset, Fault> {
        let tile = |n| Ok(Tile { id: number(n, "id")?, class: class(n), properties: properties(n) });
        let tiles = children(n, "tile").map(tile).collect::<Result<_, Fault>>()?;
        Ok(Tileset { firstgid: number(n, "firstgid")?, source: n.attribute("source").map(Into::into), tiles })
    };
    let object = |n: Node<'_, '_>| -> Result<ObjectFile, Fault> {
        let gid = n.attribute("gid").map(|_| number(n, "gid")).transpose()?;
        let height = if n.has_attribute("height") { number(n, "height")? } else { 0.0 };
        let (x, y) = (number(n, "x")?, number(n, "y")?);
        Ok(ObjectFile { class: class(n), gid, x, y, height, properties: properties(n) })
    };
    let mut layers = Vec::new();
    for n in map.children().filter(Node::is_element) {
        let (name, objects) = (texts(n, "name"), children(n, "object").map(object).collect::<Result<_, _>>()?);
        match n.tag_name().name() {
            "layer" => {
                let data = children(n, "data").next().filter(|d| d.attribute("encoding") == Some("csv"));
                let numbers = data.and_then(|d| d.text()).map(|text| {
                    text.split(',').map(|w| w.trim().parse::<u64>().map_or_else(|_| w.trim().into(), Value::from))
                });
                let data = numbers.map_or(Value::Null, |n| Value::Array(n.collect()));
                layers.push(Layer { name, width: number(n, "width")?, height: number(n, "height")?, data, objects });
            }
            "objectgroup" => layers.push(Layer { name, width: 0, height: 0, data: Value::Null, objects }),
            _ => {}
        }
    }
    Ok(MapFile {
        width: number(map, "width")?,
        height: number(map, "height")?,
        tilewidth: number(map, "tilewidth")?,
        tileheight: number(map, "tileheight")?,
        infinite: map.attribute("infinite") == Some("1"),
        properties: properties(map),
        tilesets: children(map, "tileset").map(tileset).collect::<Result<_, _>>()?,
        layers,
    })
}

fn children<'a, 'text>(
    of: Node<'a, 'text>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'text>> + use<'a, 'text> {
    of.children().filter(move |n| n.has_tag_name(name))
}

/// A number that an element must have.
fn number<T: FromStr>(of: Node<'_, '_>, name: &str) -> Result<T, Fault> {
    of.attribute(name).and_then(|a| a.trim().parse().ok()).ok_or_else(|| {
        let at = of.document().text_pos_at(of.range().start);
        let text =
            format!("this is not a Tiled map as it should be: <{}> has no number {name:?}", of.tag_name().name());
        Fault::at(at.row as usize, at.col as usize, text)
    })
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}

pub(super) fn read(text: &str) -> Result<Vec<Box<dyn Doc>>, Fault> {
    let map: MapFile = match is_xml(text) {
        true => read_xml(text)?,
        false => serde_json::from_str(text).map_err(|e| super::json_fault("a Tiled map", &e))?,
    };
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
        return Err(Fault::new(format!("the layer {GROUND:?} of this Tiled map does not have the map's size")));
    }
    let kinds = tile_kinds(&map.tilesets)?;
    let upright = |gid: u64| {
        let turned = "this Tiled map has turned or mirrored tiles, which have no meaning here: use a separate tile";
        if gid > u64::from(u32::MAX >> 4) { Err(Fault::new(turned)) } else { Ok(gid) }
    };
    let kind = |gid: u64| {
        let unknown = || Fault::new(format!("this Tiled map uses tile {gid}, which has no class"));
        kinds.get(&upright(gid)?).copied().ok_or_else(unknown)
    };
    let tile = |gid: &Value| match gid.as_u64() {
        Some(0) => Ok(None),
        Some(gid) => kind(gid).map(|tile| Some(tile.class.clone())),
        None => Err(Fault::new(format!("the tiles of this Tiled map hold {gid}, which is not a tile"))),
    };
    let tiles = data.iter().map(tile).collect::<Result<Vec<_>, _>>()?;
    let (w, h) = (map.tilewidth, map.tileheight);
    if !(w >= 1.0 && h >= 1.0) {
        return Err(Fault::new("the tiles of this Tiled map have no size"));
    }
    let things = find(THINGS).map(|l| l.objects.as_slice()).unwrap_or_default();
    let things = things.iter().map(|o| {
        let gid = o.gid.map(upright).transpose()?;
        // An object that was placed in Tiled is what its tile is.
        let tile = gid.filter(|_| o.class.is_empty()).map(kind).transpose()?;
        let class = tile.map_or(&o.class, |t| &t.class);
        let properties = tile.iter().flat_map(|t| &t.properties).chain(&o.properties);
        let fields: HashMap<_, _> = properties.map(|p| (p.name.clone(), plain(&p.value))).collect();
        let top = if o.gid.is_some() { o.y - o.height } else { o.y };
        // The nearest cell: people drag objects without snapping to the grid. A float cast saturates.
        Ok((class.clone(), ((o.x / w).round() as i64, (top / h).round() as i64), fields))
    });
    let things = things.collect::<Result<_, Fault>>()?;
    let map = Map { native, size: (map.width, map.height), ground: tiles, things };
    Ok(vec![layers::restore(&map, &mut Known::new())?])
}

/// The tiles that have a class, by number.
fn tile_kinds(tilesets: &[Tileset]) -> Result<HashMap<u64, &Tile>, Fault> {
    let mut kinds = HashMap::new();
    for set in tilesets {
        if let Some(source) = &set.source {
            let text = format!("the tileset of this Tiled map is in another file ({source:?}): embed it in the map");
            return Err(Fault::new(text));
        }
        for tile in set.tiles.iter().filter(|t| !t.class.is_empty()) {
            kinds.insert(set.firstgid.saturating_add(tile.id), tile);
        }
    }
    Ok(kinds)
}
