//! Sbokena through its public face: golden rule cases, collections nobody here wrote, files, hostile input.

use tilewright::{
    game::{Draft, Fault, Item, Rules, Severity, Status},
    games::sbokena::{LARGEST, Level, Object, Sbokena, Tile, level_of, step},
    grid::{Cell, Dir, Size, Sym, cell},
};

// ------------------------------------------------------------------------------------------------------------------ golden cases

struct Case {
    name: String,
    rows: Vec<String>,
    legend: Vec<(char, String)>,
    moves: Vec<(Dir, String)>,
    now: Vec<String>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut in_now = false;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("case ") {
            in_now = false;
            let name = name.to_string();
            cases.push(Case { name, rows: Vec::new(), legend: Vec::new(), moves: Vec::new(), now: Vec::new() });
            continue;
        }
        let Some(case) = cases.last_mut() else { continue };
        if line.is_empty() {
            continue;
        } else if let Some(entry) = line.strip_prefix("with ") {
            let (letter, words) = entry.split_once(" = ").expect("letter = words");
            case.legend.push((letter.chars().next().expect("a letter"), words.to_string()));
        } else if let Some(entry) = line.strip_prefix("do ") {
            let (letter, want) = entry.split_once(' ').expect("direction and result");
            let dir = Dir::from_letter(letter.chars().next().expect("a letter")).expect("a direction");
            case.moves.push((dir, want.to_string()));
        } else if line == "now" {
            in_now = true;
        } else if in_now {
            case.now.push(line.to_string());
        } else {
            case.rows.push(line.to_string());
        }
    }
    cases
}

fn golden() -> Vec<Case> {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/sbokena");
    let mut files: Vec<_> = std::fs::read_dir(dir).expect("golden cases").flatten().map(|e| e.path()).collect();
    // why.txt holds drafts for tests/why.rs.
    files.retain(|p| p.extension().is_some_and(|e| e == "txt") && p.file_stem().is_none_or(|s| s != "why"));
    files.sort();
    files.iter().flat_map(|p| cases(&std::fs::read_to_string(p).expect("readable"))).collect()
}

impl Case {
    fn level(&self) -> Level {
        let rows: Vec<&str> = self.rows.iter().map(String::as_str).collect();
        let legend: Vec<(char, &str)> = self.legend.iter().map(|(c, t)| (*c, t.as_str())).collect();
        level_of(&rows, &legend).unwrap_or_else(|e| panic!("{}: {}", self.name, e.text))
    }
}

#[test]
fn the_golden_cases_come_out_as_written_in_all_eight_symmetries() {
    let cases = golden();
    assert!(cases.len() >= 60, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        for sym in Sym::ALL {
            let level = Sbokena::turned(&case.level(), sym).expect("all eight");
            let mut state = Sbokena::arrange(&level).expect("a player");
            for (i, (dir, want)) in case.moves.iter().enumerate() {
                let before = state.clone();
                let pushes = step(&level, &state, sym.dir(*dir)).is_ok_and(|s| s.pushed.is_some());
                let got = match Sbokena::play(&level, &mut state, &sym.dir(*dir)) {
                    Ok(()) if pushes => "push",
                    Ok(()) => "walk",
                    Err(refusal) => {
                        assert_eq!(state, before, "{}: a refused move changes nothing", case.name);
                        refusal.reason
                    }
                };
                if got != want {
                    wrong.push(format!("{}: move {} {dir:?} {sym:?} gives {got}, not {want}", case.name, i + 1));
                }
            }
            if sym == Sym::IDENTITY {
                let text = Sbokena::board_text(&level, &state);
                let got: Vec<&str> = text.lines().map(str::trim_end).collect();
                if got != case.now.iter().map(|r| r.trim_end()).collect::<Vec<_>>() {
                    wrong.push(format!("{}: the board is\n{text}", case.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn legal_moves_are_exactly_those_that_play_accepts() {
    for case in &golden() {
        let level = case.level();
        let mut state = Sbokena::arrange(&level).expect("a player");
        for (dir, _) in &case.moves {
            if Sbokena::status(&level, &state) == Status::Playing {
                let legal = Sbokena::legal_moves(&level, &state);
                for d in Dir::ALL {
                    assert_eq!(legal.contains(&d), Sbokena::play(&level, &mut state.clone(), &d).is_ok());
                }
            }
            let _ = Sbokena::play(&level, &mut state, dir);
        }
    }
}

#[test]
fn a_level_that_starts_with_all_goals_covered_is_won_by_any_move_that_leaves_them_covered() {
    let level = level_of(&["#####", "#@ *#", "#####"], &[]).unwrap();
    let mut state = Sbokena::start(&level).expect("playable");
    assert_eq!(Sbokena::status(&level, &state), Status::Playing);
    Sbokena::play(&level, &mut state, &Dir::Right).unwrap();
    assert_eq!(Sbokena::status(&level, &state), Status::Won);
    assert!(Sbokena::legal_moves(&level, &state).is_empty());
    assert_eq!(Sbokena::play(&level, &mut state, &Dir::Left).unwrap_err().reason, "over");
    // A push that takes a box off its goal does not win; one that moves a spare box does.
    for (row, status) in [("#@* #", Status::Playing), ("#@$ *#", Status::Won)] {
        let wall = "#".repeat(row.len());
        let level = level_of(&[&wall, row, &wall], &[]).unwrap();
        let mut state = Sbokena::start(&level).expect("playable");
        Sbokena::play(&level, &mut state, &Dir::Right).unwrap();
        assert_eq!(Sbokena::status(&level, &state), status, "{row}");
    }
}

#[test]
fn boxes_of_a_kind_are_alike_in_a_position_but_keep_their_numbers() {
    let level = level_of(&["#######", "#  $ .#", "#@$   #", "#     #", "#######"], &[]).unwrap();
    let start = Sbokena::arrange(&level).unwrap();
    assert_eq!(Sbokena::piece(&level, &start, &Dir::Right), (2, "box at c3".into()));
    assert_eq!(Sbokena::piece(&level, &start, &Dir::Up), (0, "player".into()));
    let mut state = start.clone();
    Sbokena::play(&level, &mut state, &Dir::Right).unwrap();
    assert_eq!(Sbokena::piece(&level, &state, &Dir::Right), (2, "box at d3".into()), "the same box one cell on");
}

// ---------------------------------------------------------------------------------------------------------------------- problems

fn texts(level: &Level, severity: Severity) -> Vec<String> {
    Sbokena::problems(level).into_iter().filter(|p| p.severity == severity).map(|p| p.text).collect()
}

#[test]
fn drafts_say_what_is_wrong_with_them() {
    let wrong = |rows: &[&str], legend: &[(char, &str)], word: &str| {
        let level = level_of(rows, legend).unwrap();
        let errors = texts(&level, Severity::Error);
        assert!(errors.iter().any(|t| t.contains(word)), "{word}: {errors:?}");
        assert!(Sbokena::start(&level).is_err());
    };
    wrong(&["#$.#"], &[], "no player");
    wrong(&["@@$."], &[], "2 players");
    wrong(&["@$ "], &[], "no goal");
    wrong(&["@$.."], &[], "too few boxes");
    wrong(&["@$.x"], &[('x', "box on wall")], "in a wall");
    wrong(&["@$.x"], &[('x', "box on portal 1 up")], "on a portal");
    wrong(&["@$.AA"], &[('A', "door 1")], "2 doors");
    wrong(&["@$.A"], &[('A', "door 1")], "no button");
    wrong(&["@$.1"], &[('1', "portal 1 up")], "no partner");
    wrong(&["@$.111"], &[('1', "portal 1 up")], "exactly one partner");
    let warn = |rows: &[&str], legend: &[(char, &str)], word: &str| {
        let level = level_of(rows, legend).unwrap();
        let warnings = texts(&level, Severity::Warning);
        assert!(warnings.iter().any(|t| t.contains(word)), "{word}: {warnings:?}");
        assert!(Sbokena::start(&level).is_ok(), "{:?}", texts(&level, Severity::Error));
    };
    warn(&["@$$."], &[], "not needed");
    warn(&["@*"], &[], "already");
    warn(&["@$.a"], &[('a', "button 1")], "opens nothing");
}

// ------------------------------------------------------------------------------------------------------------------------- files

fn format(id: &str) -> tilewright::game::Format<Sbokena> {
    Sbokena::formats().into_iter().find(|f| f.id == id).expect("format")
}

fn read(id: &str, text: &str) -> Result<Vec<Item<Sbokena>>, Fault> {
    (format(id).read)(text)
}

fn write(id: &str, items: &[Item<Sbokena>]) -> Result<String, Fault> {
    (format(id).write.expect("a writer"))(items).map(|w| w.text)
}

const COLLECTIONS: [&str; 4] = ["microban1", "microban2", "sasquatch1", "grigorusha"];

/// The text of a reference file, or nothing (and a line that says so) where the folder is absent.
fn reference(name: &str) -> Option<String> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/reference/sokoban").join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        println!("reference {name} is not here: skipped");
    }
    text
}

#[test]
fn the_reference_collections_load_and_their_known_solutions_win() {
    for (name, count) in COLLECTIONS.into_iter().zip([155, 135, 50, 140]) {
        let (Some(xsb), Some(lurd)) = (reference(&format!("{name}.xsb")), reference(&format!("{name}.lurd"))) else {
            continue;
        };
        let items = read("sok", &xsb).expect("a collection");
        assert_eq!(items.len(), count, "{name}");
        for line in lurd.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [n, moves, pushes, text] = words[..] else { panic!("{line}") };
            let item = &items[n.parse::<usize>().unwrap() - 1];
            assert!(item.meta.title.ends_with(n), "{name} {n}: {}", item.meta.title);
            let level = &item.level;
            let line = Sbokena::read_line(level, text).expect("LURD");
            let start = Sbokena::start(level).unwrap_or_else(|p| panic!("{name} {n}: {p:?}"));
            let mut state = start.clone();
            for (i, dir) in line.iter().enumerate() {
                Sbokena::play(level, &mut state, dir).unwrap_or_else(|r| panic!("{name} {n} move {i}: {}", r.text));
            }
            assert_eq!(Sbokena::status(level, &state), Status::Won, "{name} {n}");
            let counts = Sbokena::counts(level, &start, &line);
            assert_eq!(format!("moves={}", counts[0]), moves, "{name} {n}");
            assert_eq!(format!("pushes={}", counts[1]), pushes, "{name} {n}");
            assert_eq!(Sbokena::write_line(level, &line), text, "{name} {n}: capitals are the pushes");
        }
    }
}

#[test]
fn the_reference_collections_come_back_the_same_from_export() {
    for name in COLLECTIONS {
        let Some(xsb) = reference(&format!("{name}.xsb")) else { continue };
        let items = read("sok", &xsb).unwrap();
        let again = read("sok", &write("sok", &items).unwrap()).unwrap();
        assert_eq!(items.len(), again.len());
        for (a, b) in items.iter().zip(&again) {
            assert_eq!(a.level, b.level, "{name} {}", a.meta.title);
            assert_eq!(a.meta, b.meta, "{name}");
            let native = Sbokena::from_file(Sbokena::to_file(&a.level)).unwrap();
            assert_eq!(native, a.level);
            let sbk = write("sbk", std::slice::from_ref(a)).unwrap();
            assert_eq!(read("sbk", &sbk).unwrap()[0].level, a.level);
        }
    }
}

#[test]
fn a_collection_keeps_titles_authors_comments_and_solutions() {
    let text = "Collection: Two\nAuthor: Everybody\n\n:: nobody reads this\n\n\
                First board\n\n#####\n#@$.#\n#####\nAuthor: Ann\nComment:\nline one\n\nline two\nComment-End:\nSolution\nRl\n\n\
                ; Second board\n\n4#\n#-.#|#2-#\n#$@#|4#\nComment: short\nSolution/Bad\nl\nSolution: rUl\nuLrdL\n";
    let items = read("sok", text).unwrap();
    assert_eq!(items.len(), 2);
    let metas: Vec<_> = items.iter().map(|i| &i.meta).collect();
    assert_eq!((metas[0].title.as_str(), metas[0].author.as_str()), ("First board", "Ann"));
    assert_eq!(metas[0].notes, "line one\n\nline two");
    assert_eq!(items[0].solutions[0].moves, "R", "what follows the win is left out");
    assert_eq!(items[0].solutions[0].counts["pushes"], 1);
    assert_eq!((metas[1].title.as_str(), metas[1].author.as_str()), ("Second board", "Everybody"));
    assert_eq!(items[1].level.size(), Size::new(4, 5));
    assert!(metas[1].notes.starts_with("short"));
    assert!(metas[1].notes.contains("does not solve"), "a false solution is not offered as one");
    assert_eq!(metas[1].tags, ["Two"]);
    let again = read("sok", &write("sok", &items).unwrap()).unwrap();
    for (a, b) in items.iter().zip(&again) {
        assert_eq!(a.meta, b.meta);
        assert_eq!(a.level, b.level);
        assert_eq!(a.solutions, b.solutions);
    }
}

#[test]
fn lurd_is_read_in_either_case_with_run_lengths_and_spaces() {
    let level = level_of(&["@$."], &[]).unwrap();
    let want = vec![Dir::Right, Dir::Right, Dir::Up, Dir::Left, Dir::Up, Dir::Left];
    assert_eq!(Sbokena::read_line(&level, "2R 2(ul)\n").unwrap(), want);
    let fault = Sbokena::read_line(&level, "rRx").unwrap_err();
    assert_eq!(fault.column, Some(3));
    assert!(Sbokena::read_line(&level, "99999999999999r").is_err());
    assert!(Sbokena::read_line(&level, "9(9(9(9(9(9(9(9(9(9(9(9(9(9(r))))))))))))))").is_err());
}

fn every_element() -> Level {
    level_of(
        &["#########", "#@$ax1 2#", "#A>^v< .#", "#p.wq*  #", "#########"],
        &[
            ('a', "button 3"),
            ('A', "door 3"),
            ('1', "portal 9 right"),
            ('2', "portal 9 left"),
            ('x', "one-way box up on floor"),
            ('p', "box on one-way left"),
            ('w', "one-way box down on goal"),
            ('q', "box on button 3"),
        ],
    )
    .unwrap()
}

#[test]
fn every_element_survives_native_files_and_sbk() {
    let level = every_element();
    assert_eq!(Sbokena::from_file(Sbokena::to_file(&level)).unwrap(), level);
    let text = write("sbk", &[Item::new("All \"of\" it", level.clone())]).unwrap();
    let back = &read("sbk", &text).unwrap()[0];
    assert_eq!(back.level, level);
    assert_eq!(back.meta.title, "All \"of\" it");
    for sym in Sym::ALL {
        let turned = Sbokena::turned(&level, sym).expect("all eight");
        assert_eq!(Sbokena::turned(&turned, sym.inverse()).as_ref(), Some(&level));
        assert_eq!(Sbokena::from_file(Sbokena::to_file(&turned)).unwrap(), turned);
    }
}

#[test]
fn what_is_written_as_sbk_can_be_read_or_is_refused() {
    let mut level = Level::walls(Size::new(5, 4));
    let refused = write("sbk", &[Item::new("walls", level.clone())]).unwrap_err().text;
    assert!(refused.contains("cannot be a .sbk file") && refused.contains("no tiles"), "{refused}");
    // Floor at the edge: the board is read with a wall there, and that is said.
    level.set_tile(Cell { x: 4, y: 1 }, Tile::Floor);
    let written = (format("sbk").write.unwrap())(&[Item::new("open", level.clone())]).unwrap();
    let size = read("sbk", &written.text).unwrap()[0].level.size();
    assert!(size == Size::new(6, 3) && written.dropped.iter().any(|d| d.contains("read as 6x3")), "{size:?}");
    level.set_tile(Cell { x: 1, y: 1 }, Tile::Door(3));
    level.set_tile(Cell { x: 2, y: 1 }, Tile::Door(3));
    let refused = write("sbk", &[Item::new("doors", level)]).unwrap_err().text;
    assert!(refused.contains("second with door_id 3"), "{refused}");
}

#[test]
fn sbk_keeps_theme_difficulty_and_coordinates_even_far_out() {
    for (x, corner) in [(3, (0, 0)), (-7, (-7, 2)), (5000, (5000, 2))] {
        let tiles: Vec<String> = (0..4)
            .map(|i| format!("[{{\"x\":{},\"y\":2}},{{\"type\":{}}}]", x + i, if i == 3 { 5 } else { 0 }))
            .collect();
        let text = format!(
            "{{\"name\":\"n\",\"theme\":\"Wood\",\"diff\":\"Hard\",\"tiles\":[{}],\"objects\":[[{{\"x\":{x},\"y\":2}},{{\"type\":0}}],\
             [{{\"x\":{},\"y\":2}},{{\"type\":2,\"dir\":\"Right\"}}]]}}",
            tiles.join(","),
            x + 1
        );
        let items = read("sbk", &text).unwrap();
        let level = &items[0].level;
        let state = Sbokena::start(level).unwrap();
        let want = vec![("player".into(), cell(x, 2)), ("one-way box".into(), cell(x + 1, 2))];
        assert_eq!(Sbokena::objects(level, &state), want, "the file's own coordinates");
        let out = write("sbk", &items).unwrap();
        let again = read("sbk", &out).unwrap();
        assert_eq!(again[0].level, *level);
        assert!(out.contains("\"Wood\"") && out.contains("\"Hard\"") && out.contains(&format!("\"x\": {x}")));
        assert_eq!(again[0].meta.title, "n");
        assert_eq!(
            Sbokena::from_file(Sbokena::to_file(level)).unwrap(),
            *level,
            "native files keep them too: {corner:?}"
        );
    }
}

#[test]
fn what_xsb_cannot_say_is_refused_with_its_cells() {
    let fault = write("sok", &[Item::new("special", every_element())]).unwrap_err();
    assert!(
        fault.text.contains("special") && fault.text.contains(" d2 ") && fault.text.contains(" b3 "),
        "{}",
        fault.text
    );
    let two = [Item::new("a", every_element()), Item::new("b", every_element())];
    assert!(write("sbk", &two).unwrap_err().text.contains("one level"));
}

// ---------------------------------------------------------------------------------------------------------------- hostile input

#[test]
fn hostile_texts_are_refused_with_a_sentence() {
    let wide = format!("{}\n#@$.#\n{}", "#".repeat(2000), "#".repeat(2000));
    assert!(read("sok", &wide).err().unwrap().text.contains("larger than"));
    let high = "#@$.#\n".repeat(2000);
    assert!(read("sok", &high).err().unwrap().text.contains("larger than"));
    assert!(read("sok", "5000000#|#@$.#").is_err(), "a bomb of run lengths");
    let strange = read("sok", "####\n#@x#\n####").err().unwrap();
    assert_eq!((strange.line, strange.column), (Some(2), Some(3)));
    assert!(read("sok", "no board here").is_err());
    assert!(read("sok", "\u{0}\u{1}\u{2}\u{fffd}").is_err());
    assert!(!(format("sok").recognises)("\u{0}\u{1}PNG\r\n"));
    assert!(!(format("sbk").recognises)("\u{0}\u{1}PNG\r\n"));
    for text in ["", "{", "[]", "{\"tiles\":[],\"objects\":[]}", "{\"tiles\":[[{\"x\":1},{}]],\"objects\":[]}"] {
        assert!(read("sbk", text).is_err(), "{text}");
    }
    let tile = |x: i64, kind: &str| format!("[{{\"x\":{x},\"y\":0}},{{{kind}}}]");
    let sbk = |tiles: &[String]| {
        format!("{{\"name\":\"\",\"theme\":\"\",\"diff\":1,\"tiles\":[{}],\"objects\":[]}}", tiles.join(","))
    };
    let bad = |tiles: &[String], word: &str| {
        let fault = read("sbk", &sbk(tiles)).err().unwrap_or_else(|| panic!("{word}"));
        assert!(fault.text.contains(word), "{word}: {}", fault.text);
    };
    bad(&[tile(0, "\"type\":2,\"door_id\":1"), tile(1, "\"type\":2,\"door_id\":1")], "second with door_id 1");
    bad(&[tile(0, "\"type\":0"), tile(0, "\"type\":0")], "two tiles");
    bad(&[tile(0, "\"type\":1")], "door_id");
    bad(&[tile(0, "\"type\":3,\"portal_id\":1")], "in_dir");
    bad(&[tile(0, "\"type\":7")], "unknown type 7");
    bad(&[tile(0, "\"type\":0"), tile(2000, "\"type\":0")], "too large");
    bad(&[tile(i64::MAX, "\"type\":0"), tile(i64::MIN, "\"type\":0")], "farther out");
    bad(&[tile(0, "\"type\":4,\"dir\":\"Sideways\"")], "Sideways");
}

#[test]
fn a_file_of_fifty_megabytes_is_read_or_refused_without_growing() {
    let junk = "junk that is no board, line after line\n".repeat(50_000_000 / 39);
    assert!(read("sok", &junk).is_err());
    let json = format!("{{\"tiles\":[{}],\"objects\":[]}}", "[{\"x\":0,\"y\":0},{\"type\":0}],".repeat(1_700_000));
    assert!(read("sbk", &json).err().unwrap().text.contains("too large"));
    let one_line = "#".repeat(50_000_000);
    assert!(read("sok", &one_line).is_err());
}

#[test]
fn drafts_without_sense_are_read_and_named_not_refused() {
    for (text, word) in [("####\n# $.#\n####", "no player"), ("####\n#@@$.#\n####", "2 players"), ("#@$.#", "")] {
        let items = read("sok", text).unwrap();
        let errors = texts(&items[0].level, Severity::Error).join("; ");
        assert!(errors.contains(word), "{text}: {errors}");
    }
}

#[test]
fn native_files_are_strict() {
    let file = |text: &str| ron::from_str::<<Sbokena as Draft>::File>(text).map_err(|e| e.to_string());
    let level = |text: &str| Sbokena::from_file(file(text).unwrap());
    assert!(level("(board: [\"@$.\"])").is_ok());
    assert!(file("(board: [\"@$.\"], bored: 1)").is_err());
    assert_eq!(level("(board: [\"@$.\", \"@?.\"])").unwrap_err().at, Some((1, 1)));
    assert!(level("(board: [\"@$.\", \"@\"])").is_err());
    assert!(level("(board: [])").is_err());
    assert!(level("(board: [\"@a\"], legend: {'a': \"button\"})").is_err());
    assert!(level("(board: [\"@a\"], legend: {'a': \"button 99999999999\"})").is_err());
    assert!(level("(board: [\"@a\"], legend: {'#': \"floor\"})").is_err());
    let wide = format!("(board: [\"{}\"])", "#".repeat(LARGEST.w as usize + 1));
    assert!(level(&wide).is_err());
    assert!(level("(board: [\"@\"], corner: (32767, 32767))").is_err());
}

#[test]
fn the_largest_board_of_different_letters_still_has_a_file() {
    let mut level = Level::walls(LARGEST);
    for (i, c) in LARGEST.cells().enumerate() {
        level.set_tile(c, Tile::Portal(i as u32, Dir::Up));
    }
    level.set_object(Cell::default(), Some(Object::Player));
    assert_eq!(Sbokena::from_file(Sbokena::to_file(&level)).unwrap(), level);
    let mut state = Sbokena::arrange(&level).unwrap();
    for d in Dir::ALL {
        assert!(Sbokena::play(&level, &mut state, &d).is_err());
    }
}
