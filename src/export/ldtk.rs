//! LDtk projects (JSON 1.5.3): an IntGrid layer `Ground` and an Entities layer `Things`, a level of ours as a level of the project.
//!
//! No pictures are needed: IntGrid values have the palette's names and colours. Each level carries its own text in the field `tilewright`; see `layers.rs` for what
//! is read when the map was changed. A project that was not made here has no such field and is not read.

use super::{
    Exported,
    layers::{self, Catalogue, Known, Map, Placed},
    title,
};
use crate::{
    document::{Board, Doc},
    formats::check_count,
    game::{Fault, NotMade},
    picture::Rgba,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::HashMap;
use xxhash_rust::xxh3::xxh3_128;

/// Pixels a cell in LDtk.
const GRID: i64 = 16;
const VERSION: &str = "1.5.3";
/// The field that holds a level's text.
const TEXT: &str = "tilewright";
const GROUND: &str = "Ground";
const THINGS: &str = "Things";

fn hex(c: Rgba) -> String {
    format!("#{:02X}{:02X}{:02X}", c.0, c.1, c.2)
}

/// A name that is the same for the same thing, in the shape of a UUID.
fn iid(what: &str) -> String {
    let h = format!("{:032x}", xxh3_128(what.as_bytes()));
    format!("{}-{}-{}-{}-{}", &h[..8], &h[8..12], &h[12..16], &h[16..20], &h[20..])
}

/// Hands out the numbers by which LDtk tells definitions apart.
#[derive(Default)]
struct Uids(i64);

impl Uids {
    fn next(&mut self) -> i64 {
        self.0 += 1;
        self.0
    }
}

/// A text field; `long` ones have several lines.
fn field_def(uid: i64, name: &str, doc: &str, long: bool, shown: bool) -> Value {
    json!({
        "identifier": name,
        "doc": doc,
        "__type": if long { "Multilines" } else { "String" },
        "uid": uid,
        "type": if long { "F_Text" } else { "F_String" },
        "isArray": false,
        "canBeNull": true,
        "arrayMinLength": null,
        "arrayMaxLength": null,
        "editorDisplayMode": if shown { "ValueOnly" } else { "Hidden" },
        "editorDisplayScale": 1,
        "editorDisplayPos": "Above",
        "editorLinkStyle": "StraightArrow",
        "editorDisplayColor": null,
        "editorAlwaysShow": false,
        "editorShowInWorld": false,
        "editorCutLongValues": true,
        "editorTextSuffix": null,
        "editorTextPrefix": null,
        "useForSmartColor": false,
        "exportToToc": false,
        "searchable": false,
        "min": null,
        "max": null,
        "regex": null,
        "acceptFileTypes": null,
        "defaultOverride": null,
        "textLanguageMode": null,
        "symmetricalRef": false,
        "autoChainRef": true,
        "allowOutOfLevelRef": true,
        "allowedRefs": "OnlySame",
        "allowedRefsEntityUid": null,
        "allowedRefTags": [],
        "tilesetUid": null,
    })
}

fn field(uid: i64, name: &str, value: &str, long: bool) -> Value {
    json!({
        "__identifier": name,
        "__type": if long { "Multilines" } else { "String" },
        "__value": value,
        "__tile": null,
        "defUid": uid,
        "realEditorValues": [{ "id": "V_String", "params": [value] }],
    })
}

fn layer_def(uid: i64, name: &str, kind: &str, doc: &str, values: Vec<Value>) -> Value {
    json!({
        "__type": kind,
        "identifier": name,
        "type": kind,
        "uid": uid,
        "doc": doc,
        "uiColor": null,
        "gridSize": GRID,
        "guideGridWid": 0,
        "guideGridHei": 0,
        "displayOpacity": 1,
        "inactiveOpacity": 0.6,
        "hideInList": false,
        "hideFieldsWhenInactive": true,
        "canSelectWhenInactive": true,
        "renderInWorldView": true,
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "parallaxFactorX": 0,
        "parallaxFactorY": 0,
        "parallaxScaling": true,
        "requiredTags": [],
        "excludedTags": [],
        "autoTilesKilledByOtherLayerUid": null,
        "uiFilterTags": [],
        "useAsyncRender": false,
        "intGridValues": values,
        "intGridValuesGroups": [],
        "autoRuleGroups": [],
        "autoSourceLayerDefUid": null,
        "tilesetDefUid": null,
        "tilePivotX": 0,
        "tilePivotY": 0,
        "biomeFieldUid": null,
    })
}

/// A kind of thing: its number, its fields with theirs.
struct Kind {
    uid: i64,
    fields: Vec<(&'static str, i64)>,
}

fn entity_def(entry: &layers::Entry, kind: &Kind) -> Value {
    let explained = |name: &str| match name {
        "turn" => "0 to 3: clockwise quarter turns; 4 to 7: the same, mirrored",
        "cells" => "its cells, counted from its top left one; a number behind a dot is a part of a cell",
        "colour" => "one of the game's colours",
        _ => "for the reader: not read back",
    };
    let shown = |name: &str| !matches!(name, "cells" | "turn");
    let fields: Vec<_> = kind.fields.iter().map(|(n, uid)| field_def(*uid, n, explained(n), false, shown(n))).collect();
    json!({
        "identifier": entry.id,
        "uid": kind.uid,
        "tags": [],
        "exportToToc": false,
        "allowOutOfBounds": true,
        "doc": entry.name,
        "width": GRID,
        "height": GRID,
        "resizableX": true,
        "resizableY": true,
        "minWidth": null,
        "maxWidth": null,
        "minHeight": null,
        "maxHeight": null,
        "keepAspectRatio": false,
        "tileOpacity": 1,
        "fillOpacity": 0.7,
        "lineOpacity": 1,
        "hollow": false,
        "color": hex(entry.colour),
        "renderMode": "Rectangle",
        "showName": true,
        "tilesetId": null,
        "tileRenderMode": "FitInside",
        "tileRect": null,
        "uiTileRect": null,
        "nineSliceBorders": [],
        "maxCount": 0,
        "limitScope": "PerLevel",
        "limitBehavior": "MoveLastOne",
        "pivotX": 0,
        "pivotY": 0,
        "fieldDefs": fields,
    })
}

fn entity(entry: &layers::Entry, kind: &Kind, placed: &Placed, id: &str, world: (i64, i64)) -> Value {
    let (x, y) = (i64::from(placed.at.0), i64::from(placed.at.1));
    let fields = kind.fields.iter().map(|(name, uid)| {
        let value = placed.fields.iter().find(|f| f.0 == *name).map_or("", |f| f.1.as_str());
        field(*uid, name, value, false)
    });
    json!({
        "__identifier": placed.id,
        "__grid": [x, y],
        "__pivot": [0, 0],
        "__tags": [],
        "__tile": null,
        "__smartColor": hex(entry.colour),
        "iid": iid(id),
        "width": i64::from(placed.size.0) * GRID,
        "height": i64::from(placed.size.1) * GRID,
        "defUid": kind.uid,
        "px": [x * GRID, y * GRID],
        "fieldInstances": fields.collect::<Vec<_>>(),
        "__worldX": world.0 + x * GRID,
        "__worldY": world.1 + y * GRID,
    })
}

/// The numbers of the definitions.
struct Defs {
    ground: i64,
    things: i64,
    text: i64,
    title: i64,
    kinds: Vec<Kind>,
}

fn layer(name: &str, kind: &str, def: i64, level: i64, doc: &dyn Doc, ints: Vec<usize>, entities: Vec<Value>) -> Value {
    let size = doc.board_size(Board::Draft);
    json!({
        "__identifier": name,
        "__type": kind,
        "__cWid": size.w,
        "__cHei": size.h,
        "__gridSize": GRID,
        "__opacity": 1,
        "__pxTotalOffsetX": 0,
        "__pxTotalOffsetY": 0,
        "__tilesetDefUid": null,
        "__tilesetRelPath": null,
        "iid": iid(&format!("{name} {level}")),
        "levelId": level,
        "layerDefUid": def,
        "pxOffsetX": 0,
        "pxOffsetY": 0,
        "visible": true,
        "optionalRules": [],
        "intGridCsv": ints,
        "autoLayerTiles": [],
        "seed": 1,
        "overrideTilesetUid": null,
        "gridTiles": [],
        "entityInstances": entities,
    })
}

fn level(doc: &dyn Doc, uid: i64, number: usize, x: i64, catalogue: &Catalogue, defs: &Defs) -> Value {
    let size = doc.board_size(Board::Draft);
    let ints = size.cells().map(|c| catalogue.ground_number(doc.ground(c))).collect();
    let things = doc.things();
    let placed = things.iter().enumerate().filter_map(|(i, t)| Some((i, catalogue.put(t)?)));
    let entities = placed
        .map(|(i, p)| entity(&catalogue.things[p.kind], &defs.kinds[p.kind], &p, &format!("{uid} {i}"), (x, 0)))
        .collect();
    json!({
        "identifier": format!("Level_{number}"),
        "iid": iid(&format!("level {uid}")),
        "uid": uid,
        "worldX": x,
        "worldY": 0,
        "worldDepth": 0,
        "pxWid": i64::from(size.w) * GRID,
        "pxHei": i64::from(size.h) * GRID,
        "__bgColor": "#E9EBEF",
        "bgColor": null,
        "useAutoIdentifier": false,
        "bgRelPath": null,
        "bgPos": null,
        "bgPivotX": 0.5,
        "bgPivotY": 0.5,
        "__smartColor": "#8B94A5",
        "__bgPos": null,
        "externalRelPath": null,
        "fieldInstances": [
            field(defs.title, "title", &title(doc), false),
            field(defs.text, TEXT, &doc.native(), true),
        ],
        "layerInstances": [
            layer(THINGS, "Entities", defs.things, uid, doc, Vec::new(), entities),
            layer(GROUND, "IntGrid", defs.ground, uid, doc, ints, Vec::new()),
        ],
        "__neighbours": [],
    })
}

pub(super) fn write(docs: &[Box<dyn Doc>]) -> Result<Exported, NotMade> {
    let docs: Vec<&dyn Doc> = docs.iter().map(|d| &**d).collect();
    let nothing = || NotMade::Refused("there is no level to export".into());
    let catalogue = Catalogue::new(&docs).ok_or_else(nothing)?;
    let game = docs.first().ok_or_else(nothing)?.game().info();
    let mut uids = Uids::default();
    let (ground, things, text, title) = (uids.next(), uids.next(), uids.next(), uids.next());
    let kinds = (0..catalogue.things.len()).map(|k| {
        let uid = uids.next();
        let names = layers::field_names(&catalogue, &docs, k);
        Kind { uid, fields: names.into_iter().map(|n| (n, uids.next())).collect() }
    });
    let kinds = kinds.collect();
    let defs = Defs { ground, things, text, title, kinds };
    let mut levels = Vec::new();
    let mut x = 0;
    for (i, doc) in docs.iter().enumerate() {
        levels.push(level(*doc, uids.next(), i + 1, x, &catalogue, &defs));
        x += i64::from(doc.board_size(Board::Draft).w) * GRID + GRID;
    }
    let values = catalogue.ground.iter().enumerate().map(
        |(i, e)| json!({ "value": i + 1, "identifier": e.id, "color": hex(e.colour), "tile": null, "groupUid": 0 }),
    );
    let about = format!(
        "{} levels, written by Tilewright, which reads this project again: the field \"{TEXT}\" holds each level exactly, and where the map was \
         changed, ground and things are taken from the map.",
        game.name
    );
    let header = json!({
        "fileType": "LDtk Project JSON",
        "app": "LDtk",
        "doc": "https://ldtk.io/json",
        "schema": "https://ldtk.io/files/JSON_SCHEMA.json",
        "appAuthor": "written by Tilewright",
        "appVersion": VERSION,
        "url": "https://ldtk.io",
    });
    let definitions = json!({
        "layers": [
            layer_def(defs.things, THINGS, "Entities", "What lies on the ground", Vec::new()),
            layer_def(defs.ground, GROUND, "IntGrid", "What each cell is made of", values.collect()),
        ],
        "entities": catalogue.things.iter().zip(&defs.kinds).map(|(e, k)| entity_def(e, k)).collect::<Vec<_>>(),
        "tilesets": [],
        "enums": [],
        "externalEnums": [],
        "levelFields": [
            field_def(defs.title, "title", "The level's title", false, true),
            field_def(defs.text, TEXT, &about, true, false),
        ],
    });
    let project: serde_json::Map<String, Value> = [
        ("__header__", header),
        ("iid", json!(iid(game.id))),
        ("jsonVersion", json!(VERSION)),
        ("appBuildId", json!(473_703)),
        ("nextUid", json!(uids.next())),
        ("identifierStyle", json!("Capitalize")),
        ("toc", json!([])),
        ("worldLayout", json!("Free")),
        ("worldGridWidth", json!(256)),
        ("worldGridHeight", json!(256)),
        ("defaultLevelWidth", json!(256)),
        ("defaultLevelHeight", json!(256)),
        ("defaultPivotX", json!(0)),
        ("defaultPivotY", json!(0)),
        ("defaultGridSize", json!(GRID)),
        ("defaultEntityWidth", json!(GRID)),
        ("defaultEntityHeight", json!(GRID)),
        ("bgColor", json!("#40465B")),
        ("defaultLevelBgColor", json!("#E9EBEF")),
        ("minifyJson", json!(false)),
        ("externalLevels", json!(false)),
        ("exportTiled", json!(false)),
        ("simplifiedExport", json!(false)),
        ("imageExportMode", json!("None")),
        ("exportLevelBg", json!(true)),
        ("pngFilePattern", Value::Null),
        ("backupOnSave", json!(false)),
        ("backupLimit", json!(10)),
        ("backupRelPath", Value::Null),
        ("levelNamePattern", json!("Level_%idx")),
        ("tutorialDesc", json!(about)),
        ("customCommands", json!([])),
        ("flags", json!([])),
        ("defs", definitions),
        ("levels", json!(levels)),
        ("worlds", json!([])),
        ("dummyWorldIid", json!(iid("world"))),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_string(), value))
    .collect();
    let text = serde_json::to_string_pretty(&project)
        .map_err(|e| NotMade::Refused(format!("the project cannot be written: {e}")))?;
    Ok(Exported::new((text + "\n").into_bytes()))
}

// ------------------------------------------------------------------------------------------------------------------- reading

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Project {
    json_version: String,
    defs: ProjectDefs,
    levels: Vec<ProjectLevel>,
    #[serde(default)]
    external_levels: bool,
}

#[derive(Deserialize)]
struct ProjectDefs {
    layers: Vec<LayerDef>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LayerDef {
    identifier: String,
    #[serde(default)]
    int_grid_values: Vec<IntValue>,
}

#[derive(Deserialize)]
struct IntValue {
    value: i64,
    identifier: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProjectLevel {
    identifier: String,
    field_instances: Vec<Field>,
    layer_instances: Option<Vec<Layer>>,
}

#[derive(Deserialize)]
struct Field {
    #[serde(rename = "__identifier")]
    name: String,
    #[serde(rename = "__value")]
    value: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Layer {
    #[serde(rename = "__identifier")]
    name: String,
    #[serde(rename = "__cWid")]
    w: usize,
    #[serde(rename = "__cHei")]
    h: usize,
    int_grid_csv: Vec<i64>,
    entity_instances: Vec<Entity>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entity {
    #[serde(rename = "__identifier")]
    name: String,
    #[serde(rename = "__grid")]
    grid: [i64; 2],
    field_instances: Vec<Field>,
}

pub(super) fn recognises(text: &str) -> bool {
    text.trim_start().starts_with('{') && text.contains("\"jsonVersion\"") && text.contains("\"layerInstances\"")
}

/// A field's value as text.
fn plain(value: &Value) -> String {
    match value {
        Value::String(s) => s.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

pub(super) fn read(text: &str) -> Result<Vec<Box<dyn Doc>>, Fault> {
    let project: Project = serde_json::from_str(text).map_err(|e| super::json_fault("an LDtk project", &e))?;
    let newer = project.json_version.split('.').next().and_then(|v| v.parse::<u32>().ok()).is_none_or(|v| v > 1);
    if newer {
        let text = format!("this LDtk project has version {:?}; version 1 is read", project.json_version);
        return Err(Fault::new(text));
    }
    if project.external_levels {
        return Err(Fault::new("this LDtk project keeps its levels in other files: save it with them in one file"));
    }
    check_count(project.levels.len())?;
    let ground = project.defs.layers.iter().find(|l| l.identifier == GROUND);
    let values: HashMap<i64, &str> = ground
        .map(|l| l.int_grid_values.iter().filter_map(|v| Some((v.value, v.identifier.as_deref()?))).collect())
        .unwrap_or_default();
    let mut docs = Vec::new();
    let mut known = Known::new();
    for level in &project.levels {
        let named = |f: Fault| Fault { text: format!("{}: {}", level.identifier, f.text), ..f };
        docs.push(read_level(level, &values, &mut known).map_err(named)?);
    }
    if docs.is_empty() { Err(Fault::new("there is no level in this LDtk project")) } else { Ok(docs) }
}

fn read_level(level: &ProjectLevel, values: &HashMap<i64, &str>, known: &mut Known) -> Result<Box<dyn Doc>, Fault> {
    let native = level.field_instances.iter().find(|f| f.name == TEXT).map(|f| plain(&f.value)).unwrap_or_default();
    if native.trim().is_empty() {
        let text = format!("this LDtk level was not made by Tilewright: it has no field {TEXT:?}");
        return Err(Fault::new(text));
    }
    let layers = level.layer_instances.as_deref().unwrap_or_default();
    let find = |name: &str| layers.iter().find(|l| l.name == name);
    let Some(ground) = find(GROUND) else {
        return Err(Fault::new(format!("the layer {GROUND:?} is missing")));
    };
    let name = |value: &i64| match values.get(value) {
        _ if *value == 0 => Ok(None),
        Some(name) => Ok(Some((*name).to_string())),
        None => Err(Fault::new(format!("the ground has the value {value}, which has no name"))),
    };
    let things = find(THINGS).map(|l| l.entity_instances.as_slice()).unwrap_or_default();
    let things = things.iter().map(|e| {
        let fields = e.field_instances.iter().map(|f| (f.name.clone(), plain(&f.value))).collect();
        (e.name.clone(), (e.grid[0], e.grid[1]), fields)
    });
    let ground_names = ground.int_grid_csv.iter().map(name).collect::<Result<_, _>>()?;
    let map = Map { native, size: (ground.w, ground.h), ground: ground_names, things: things.collect() };
    layers::restore(&map, known)
}
