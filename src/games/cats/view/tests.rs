use super::*;
use crate::{
    game::{Edit as _, Key, Motion, Nudge},
    games::cats::Finished,
    grid::{Dir, Size, cell},
    picture::{Figure, Point, point},
};
use Input::{Drag, Press, Release};

fn read(board: &[&str], legend: &str) -> Level {
    let rows: Vec<_> = board.iter().map(|r| format!("{r:?}")).collect();
    let text = format!("(board: [{}], legend: {{{legend}}})", rows.join(", "));
    Cats::from_file(ron::from_str(&text).expect("RON")).expect("a level")
}

/// A game in play: what the window does with a view, without the window.
struct Table {
    level: Level,
    state: State,
    ui: Ui,
    line: Vec<Step>,
    said: Option<String>,
    nudge: Option<Nudge>,
}

impl Table {
    fn new(level: Level) -> Table {
        let state = Cats::start(&level).expect("playable");
        Table { level, state, ui: Ui::default(), line: Vec::new(), said: None, nudge: None }
    }

    fn give(&mut self, input: Input) -> bool {
        let reaction = Cats::input(&self.level, &self.state, &mut self.ui, &input);
        for step in reaction.moves {
            Cats::play(&self.level, &mut self.state, &step).expect("the view proposes legal steps only");
            self.line.push(step);
        }
        (self.said, self.nudge) = (reaction.say, reaction.nudge);
        reaction.used
    }

    fn keys(&mut self, keys: &[Key]) -> &mut Table {
        for key in keys {
            self.give(Input::Key(*key));
        }
        self
    }

    fn drag(&mut self, points: &[(f32, f32)]) -> &mut Table {
        self.give(Press(point(points[0].0, points[0].1)));
        for (x, y) in &points[1..] {
            self.give(Drag(point(*x, *y)));
        }
        let (x, y) = points[points.len() - 1];
        self.give(Release(point(x, y)));
        self
    }

    fn text(&self) -> String {
        Cats::write_line(&self.level, &self.line)
    }
}

const UP: Key = Key::Dir(Dir::Up);
const RIGHT: Key = Key::Dir(Dir::Right);
const DOWN: Key = Key::Dir(Dir::Down);

fn corner() -> Table {
    Table::new(read(&["a#..", "...R", "...."], "'a': Shape(colour: red), 'R': Cat(red)"))
}

#[test]
fn a_dragged_shape_follows_the_pointer_around_a_corner() {
    let mut table = corner();
    assert_eq!(table.drag(&[(0.5, 0.5), (0.5, 1.5), (1.5, 1.5), (2.5, 1.5)]).text(), "a:DRR");
}

#[test]
fn a_pointer_that_crosses_a_blocker_is_followed_around_it() {
    let mut table = corner();
    assert_eq!(table.drag(&[(0.5, 0.5), (2.5, 0.5)]).text(), "a:DRRU");
}

#[test]
fn a_shape_that_cannot_follow_stays() {
    let level = read(&["a#..", ".#.R", ".#.."], "'a': Shape(colour: red), 'R': Cat(red)");
    let mut table = Table::new(level);
    assert_eq!(table.drag(&[(0.5, 0.5), (2.5, 0.5), (900.0, -900.0), (0.5, 1.5)]).text(), "a:D");
}

#[test]
fn a_fast_drag_makes_the_steps_of_a_slow_one() {
    let level =
        read(&["a.....", "..#...", "....#.", ".#....", "...#..", ".....R"], "'a': Shape(colour: red), 'R': Cat(red)");
    let ends = [(5.4, 5.3), (5.5, 5.5), (3.2, 4.9), (4.9, 1.1), (5.5, 2.5)];
    for end in ends {
        let path = |pieces: usize| -> Vec<(f32, f32)> {
            let from = point(0.5, 0.5);
            let to = point(end.0, end.1);
            (0..=pieces).map(|i| from.towards(to, i as f32 / pieces as f32)).map(|p: Point| (p.x, p.y)).collect()
        };
        let fast = Table::new(level.clone()).drag(&path(1)).text();
        assert!(!fast.is_empty());
        for pieces in [2, 3, 7, 64, 500] {
            assert_eq!(Table::new(level.clone()).drag(&path(pieces)).text(), fast, "{end:?} in {pieces}");
        }
    }
}

#[test]
fn a_grabbed_cell_keeps_under_the_pointer() {
    let level = read(&["aa....", "a....R"], "'a': Shape(colour: red), 'R': Cat(red)");
    let mut table = Table::new(level);
    table.drag(&[(1.5, 0.5), (4.5, 0.5)]);
    assert_eq!(table.text(), "a:RRR");
    assert_eq!(rules::cells(&table.level, &table.state, 0).next(), Some(cell(3, 0)));
}

#[test]
fn a_drag_ends_when_its_shape_leaves() {
    let mut level =
        read(&["aR...", "b...B"], "'a': Shape(colour: red), 'b': Shape(colour: blue), 'R': Cat(red), 'B': Cat(blue)");
    let stay = Table::new(level.clone()).drag(&[(0.5, 0.5), (3.5, 0.5)]).text();
    level.finished = Finished::Leave;
    let mut table = Table::new(level);
    assert_eq!((stay.as_str(), table.drag(&[(0.5, 0.5), (3.5, 0.5)]).text().as_str()), ("a:RRR", "a:R"));
    assert_eq!(table.ui.in_hand(), None);
}

#[test]
fn a_locked_shape_says_how_many_cats_it_waits_for() {
    let level = read(&["a.R.R", "b...."], "'a': Shape(colour: red), 'b': Shape(colour: red, lock: 2), 'R': Cat(red)");
    let mut table = Table::new(level);
    table.give(Press(point(0.5, 1.5)));
    assert_eq!(table.said.as_deref(), Some("the red single is locked: 2 more cats"));
    table.give(Drag(point(3.5, 1.5)));
    assert!(table.line.is_empty());
    table.drag(&[(0.5, 0.5), (2.5, 0.5)]);
    table.keys(&[UP, Key::Activate]);
    table.give(Press(point(0.5, 1.5)));
    assert_eq!(table.said.as_deref(), Some("the red single is locked: 1 more cat"));
}

#[test]
fn keys_move_the_cursor_and_then_the_shape() {
    let level = read(&["....", ".a..", "b..R"], "'a': Shape(colour: red), 'b': Shape(colour: red), 'R': Cat(red)");
    let mut table = Table::new(level);
    // The first key brings up the cursor, on a shape.
    table.keys(&[UP]);
    assert_eq!(table.ui.shown_cursor(), Some(cell(1, 1)));
    table.keys(&[UP, UP, UP, Key::Activate]);
    assert_eq!((table.ui.shown_cursor(), table.said.as_deref()), (Some(cell(1, 0)), Some("there is no shape here")));
    table.keys(&[DOWN, Key::Activate, RIGHT, UP, UP]);
    assert_eq!((table.text().as_str(), table.said.as_deref()), ("a:RU", Some("there is no floor that way")));
    assert_eq!(table.ui.shown_cursor(), Some(cell(2, 0)));
    // Escape lets go once, and is the window's after that.
    assert!(table.give(Input::Key(Key::Cancel)));
    assert!(!table.give(Input::Key(Key::Cancel)));
    table.keys(&[Key::Next(true), Key::Next(true), Key::Activate, DOWN, DOWN, RIGHT]);
    assert_eq!(table.text(), "a:RUDDR");
    assert_eq!(Cats::status(&table.level, &table.state), Status::Won);
    assert!(table.give(Input::Key(RIGHT)) && table.said.is_some());
}

#[test]
fn the_first_key_chooses_a_shape_on_its_side() {
    let level = || read(&["a...b", "..R.."], "'a': Shape(colour: red), 'b': Shape(colour: red), 'R': Cat(red)");
    for (dir, at) in [(Dir::Left, cell(0, 0)), (Dir::Right, cell(4, 0))] {
        let mut table = Table::new(level());
        table.keys(&[Key::Dir(dir)]);
        assert_eq!(table.ui.shown_cursor(), Some(at));
        assert!(table.said.is_some_and(|text| text.starts_with("Space picks up the red single")));
    }
    // After a press on the floor the arrows go on from there.
    let mut table = Table::new(level());
    table.give(Press(point(1.5, 0.5)));
    table.give(Release(point(1.5, 0.5)));
    table.keys(&[RIGHT]);
    assert_eq!(table.ui.shown_cursor(), Some(cell(2, 0)));
}

#[test]
fn where_there_is_one_shape_the_first_key_moves_it() {
    let level = read(&["....", ".a..", "...R"], "'a': Shape(colour: red), 'R': Cat(red)");
    let mut table = Table::new(level);
    table.keys(&[DOWN, RIGHT, RIGHT]);
    assert_eq!(table.text(), "a:DRR");
    assert_eq!(Cats::status(&table.level, &table.state), Status::Won);
    // A tandem is one, too.
    let level = read(
        &["a.R", "b.B"],
        "'a': Shape(colour: red, tandem: 1), 'b': Shape(colour: blue, tandem: 1), 'R': Cat(red), 'B': Cat(blue)",
    );
    let mut table = Table::new(level);
    table.keys(&[RIGHT, RIGHT]);
    assert_eq!(Cats::status(&table.level, &table.state), Status::Won);
}

#[test]
fn a_click_selects_and_lets_go_and_a_press_beside_lets_go() {
    let mut table = corner();
    table.drag(&[(0.5, 0.5), (0.6, 0.6)]);
    assert_eq!(table.ui.in_hand(), Some(0));
    table.keys(&[DOWN]);
    assert_eq!(table.text(), "a:D");
    table.drag(&[(0.5, 1.5)]);
    assert_eq!(table.ui.in_hand(), None);
    table.drag(&[(0.5, 1.5)]);
    assert!(table.give(Press(point(3.5, 2.5))) && table.ui.in_hand().is_none());
    assert!(!table.give(Press(point(3.5, 2.5))), "nothing to take: the window may pan");
}

#[test]
fn every_input_is_survived_in_every_state() {
    let mut level = read(
        &["aRb", "cB.", "#1."],
        "'a': Shape(colour: red), 'b': Shape(colour: blue, lock: 9), 'c': Shape(colour: blue), \
                         'R': Cat(red), 'B': Cat(blue), '1': BlockerCat(red)",
    );
    level.finished = Finished::Leave;
    let points =
        [point(0.5, 0.5), point(-3.0, 1e9), point(f32::NAN, 1.0), point(2.5, 0.5), point(1.5, 0.5), point(0.5, 1.5)];
    let mut table = Table::new(level);
    for round in 0..200_usize {
        let p = points[round % points.len()];
        let q = points[round / 3 % points.len()];
        table.give(Press(p));
        table.give(Drag(q));
        table.give(Input::Hover(Some(p)));
        if round % 2 == 0 {
            table.give(Release(q));
        }
        let keys =
            [Key::Dir(Dir::ALL[round % 4]), Key::Activate, Key::Next(round % 3 == 0), Key::Turn(true), Key::Char('x')];
        table.keys(&keys[round % 5..]);
        table.give(Input::Wheel(1.0));
        // A state without its shapes, as after an undo into another level, changes nothing but the hand.
        let nowhere = State { shift: Vec::new(), gone: 0 };
        Cats::input(&table.level, &nowhere, &mut table.ui.clone(), &Drag(q));
        let mut picture = Picture::default();
        draw_scene(&mut picture, &table.level, Some(&nowhere), 30.0);
    }
}

#[test]
fn words_for_every_cell() {
    let level = read(
        &["aa.#", "RB 3"],
        "'a': Shape(colour: red, lock: 2), 'R': Cat(red), 'B': Cat(blue), '3': BlockerCat(blue)",
    );
    let state = Cats::arrange(&level).expect("state");
    for state in [None, Some(&state)] {
        let words: Vec<_> = level.size().cells().map(|c| Cats::describe(&level, state, c.into())).collect();
        let locked = "red domino a, locked: 2 more cats";
        assert_eq!(words, [locked, locked, "floor", "blocker", "red cat", "blue cat", "void", "blue cat on a blocker"]);
    }
    assert_eq!(Cats::describe(&level, None, cell(-1, 99).into()), "void");
    assert_eq!(Cats::about_position(&level, &state), ["3 cats left"]);
}

#[test]
fn a_hint_names_the_shape_and_then_the_way_of_its_drag() {
    let level = read(
        &["aab.....", "........", "........", ".......R"],
        "'a': Shape(colour: red), 'b': Shape(colour: blue), 'R': Cat(red)",
    );
    let state = Cats::arrange(&level).expect("state");
    let step = |shape, dir| Step { shape, dir };
    // Two steps of one shape are one drag; what follows is another.
    let moves = [step(0, Dir::Down), step(0, Dir::Right), step(1, Dir::Down)];
    assert_eq!(Cats::gesture(&level, &state, &moves), 2);
    let hints: Vec<_> = (0..2).map(|stage| Cats::hint(&level, &state, &moves, stage)).collect();
    assert_eq!(
        hints[0],
        Hint { spots: vec![cell(0, 0).into(), cell(1, 0).into()], text: "move the red domino at a1".into() }
    );
    assert_eq!(
        hints[1],
        Hint {
            spots: vec![cell(1, 1).into(), cell(2, 1).into()],
            text: "move the red domino at a1 to b2 via a2".into()
        }
    );
    // A straight drag needs no other words than its end.
    let straight = Cats::hint(&level, &state, &[step(0, Dir::Down), step(0, Dir::Down)], 1);
    assert_eq!(straight.text, "move the red domino at a1 to a3");
    assert_eq!(Cats::hint(&level, &state, &[step(7, Dir::Up)], 1), Hint::default());
}

#[test]
fn a_cat_fades_for_longer_than_a_shape_slides() {
    let level = read(&["a.R"], "'a': Shape(colour: red), 'R': Cat(red)");
    let mut state = Cats::arrange(&level).expect("state");
    let step = Step { shape: 0, dir: Dir::Right };
    assert_eq!(Cats::motion_seconds(&level, &state, &step), SLIDE_SECONDS);
    Cats::play(&level, &mut state, &step).expect("legal");
    assert_eq!(Cats::motion_seconds(&level, &state, &step), FADE_SECONDS);
}

fn draw_scene(picture: &mut Picture, level: &Level, state: Option<&State>, cell_px: f32) {
    let colours = Colours::dark();
    Cats::draw(picture, &Scene { level, state, ui: None, motion: None, nudge: None, colours: &colours, cell_px });
}

#[test]
fn a_full_board_of_64_by_64_stays_cheap_to_draw() {
    let mut level = Cats::blank(Size::new(64, 64));
    let swatches = Cats::palette(&level).swatches;
    let stamp = |id: &str| swatches.iter().position(|s| s.id == id).expect("a swatch");
    let mut paint = |id: &str, colour: usize, x: i16, y: i16| {
        Cats::paint(&mut level, Ink { swatch: stamp(id), colour, ..Ink::default() }, &[cell(x, y).into()]);
    };
    for i in 0..64 {
        paint("cat", i as usize % 8, i, (i * 7) % 64);
        paint("T", i as usize % 8, (i * 13) % 64, (i * 5) % 64);
        for k in 0..8 {
            paint("blocker", 0, (i * 11 + k * 3) % 64, i);
        }
    }
    for (px, most) in [(8.0, 2_000), (13.0, 2_000), (16.0, 6_000), (96.0, 6_500)] {
        let mut picture = Picture::default();
        draw_scene(&mut picture, &level, None, px);
        assert!(picture.figures.len() < most, "{} figures at {px} px", picture.figures.len());
    }
    let mut bare = Picture::default();
    draw_scene(&mut bare, &Cats::blank(Size::new(64, 64)), None, 20.0);
    assert!(bare.figures.len() < 3_000, "{} figures", bare.figures.len());
}

#[test]
fn a_lock_shows_in_the_draft_what_it_asks_and_in_play_what_it_still_waits_for() {
    let level = read(&["aR.", "bbR"], "'a': Shape(colour: red), 'b': Shape(colour: blue, lock: 2), 'R': Cat(red)");
    let numbers = |state: Option<&State>| {
        let mut picture = Picture::default();
        draw_scene(&mut picture, &level, state, 48.0);
        let text = |f: &Figure| if let Figure::Text { text, .. } = f { Some(text.clone()) } else { None };
        picture.figures.iter().filter_map(text).collect::<Vec<_>>()
    };
    let mut state = Cats::arrange(&level).expect("state");
    assert_eq!((numbers(None), numbers(Some(&state))), (vec!["2".to_string()], vec!["2".to_string()]));
    Cats::play(&level, &mut state, &Step { shape: 0, dir: Dir::Right }).expect("legal");
    assert_eq!(numbers(Some(&state)), ["1"]);
}

#[test]
fn a_moving_shape_is_drawn_between_its_cells_and_a_leaving_one_shrinks() {
    let mut level = read(&["aR.", "..."], "'a': Shape(colour: red), 'R': Cat(red)");
    level.finished = Finished::Leave;
    let from = Cats::arrange(&level).expect("state");
    let mut state = from.clone();
    let mv = Step { shape: 0, dir: Dir::Right };
    Cats::play(&level, &mut state, &mv).expect("legal");
    let colours = Colours::light();
    let count = |t: f32| {
        let motion = Some(Motion { from: &from, mv: &mv, t });
        let scene = Scene {
            level: &level,
            state: Some(&state),
            ui: None,
            motion,
            nudge: None,
            colours: &colours,
            cell_px: 48.0,
        };
        let mut picture = Picture::default();
        Cats::draw(&mut picture, &scene);
        picture.figures.len()
    };
    let mut after = Picture::default();
    draw_scene(&mut after, &level, Some(&state), 48.0);
    assert!(count(0.0) > after.figures.len() && count(0.9) > after.figures.len());
}

#[test]
fn any_draft_and_any_ink_can_be_drawn() {
    let mut level =
        read(&["ab", "RB"], "'a': Shape(colour: red), 'b': Shape(colour: blue), 'R': Cat(red), 'B': Cat(blue)");
    level.shapes[0].cells = vec![cell(0, 0), cell(9, -4), cell(i16::MAX - 1, 0)];
    level.shapes[1].cells = vec![cell(0, 0), cell(1, 1)];
    level.shapes[1].lock = u32::MAX;
    level.cats[0].at = cell(-5, 40);
    for px in [0.0, 10.0, 30.0, f32::INFINITY] {
        draw_scene(&mut Picture::default(), &level, None, px);
    }
    for swatch in 0..40 {
        for sym in crate::grid::Sym::ALL {
            let mut picture = Picture::default();
            Cats::draw_ink(&mut picture, &level, Ink { swatch, colour: swatch, sym }, &Colours::light());
            assert!(!picture.figures.is_empty());
        }
    }
}

#[test]
fn a_held_shape_follows_the_pointer_by_the_pixel_and_goes_on_at_half_a_cell_wherever_it_is_held() {
    let level = read(&["a...", ".#..", "...R"], "'a': Shape(colour: red), 'R': Cat(red)");
    let mut table = Table::new(level);
    // Held near its left edge.
    table.give(Press(point(0.1, 0.5)));
    table.give(Drag(point(0.4, 0.5)));
    let pulled = |t: &Table| t.ui.pulled(&t.level, &t.state, 0).expect("it is held");
    assert!((pulled(&table).0 - 0.3).abs() < 1e-4 && pulled(&table).1 == 0.0, "{:?}", pulled(&table));
    assert!(table.line.is_empty(), "not yet");
    table.give(Drag(point(0.65, 0.5)));
    assert_eq!(table.text(), "a:R", "more than half a cell");
    assert!((pulled(&table).0 + 0.45).abs() < 1e-4, "and it hangs back by the rest: {:?}", pulled(&table));
    // Against the blocker below it gives way only a touch.
    table.give(Drag(point(1.1, 0.9)));
    let (x, y) = pulled(&table);
    assert!(x.abs() < 1e-4 && y > 0.0 && y < 0.08, "{x} {y}");
    // Let go, it comes to rest.
    table.give(Release(point(1.1, 0.9)));
    let nudge = table.nudge.expect("it settles");
    assert_eq!(nudge.offset(1.0), (0.0, 0.0));
    assert!(table.ui.pulled(&table.level, &table.state, 0).is_none());
}

#[test]
fn what_is_refused_bumps_or_shakes() {
    let level = read(&["ab", "R."], "'a': Shape(colour: red), 'b': Shape(colour: red, lock: 1), 'R': Cat(red)");
    let mut table = Table::new(level);
    table.give(Press(point(1.5, 0.5)));
    assert_eq!(table.nudge, Some(Nudge::shake(1)), "a locked shape shakes");
    table.keys(&[Key::Next(true), Key::Activate, RIGHT]);
    assert_eq!(table.nudge, Some(Nudge::bump(0, Dir::Right)), "a refused key bumps");
}
