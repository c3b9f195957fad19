//! Sbokena in the hand: keys, clicks, drags, words and pictures, without a window.

use tilewright::{
    game::{Input, Key, Motion, Rules, Scene, Status, View},
    games::sbokena::{Level, Sbokena, State, level_of},
    grid::{Cell, Dir, Spot, cell},
    picture::{Colours, Figure, Picture, Point},
};

fn room() -> Level {
    level_of(
        &["##########", "#@  #    #", "#   A  . #", "# $a#    #", "#   1  2 #", "##########"],
        &[('a', "button 1"), ('A', "door 1"), ('1', "portal 2 right"), ('2', "portal 2 left")],
    )
    .unwrap()
}

fn at(x: i16, y: i16) -> Point {
    Point::middle(cell(x, y))
}

fn play(level: &Level, state: &mut State, inputs: &[Input]) -> Vec<Option<String>> {
    let mut ui = <Sbokena as View>::Ui::default();
    let mut said = Vec::new();
    for input in inputs {
        let reaction = Sbokena::input(level, state, &mut ui, input);
        for mv in &reaction.moves {
            Sbokena::play(level, state, mv).expect("offered moves are legal");
        }
        said.push(reaction.say);
    }
    said
}

#[test]
fn arrows_step_and_say_why_not() {
    let level = room();
    let mut state = Sbokena::arrange(&level).unwrap();
    let said = play(&level, &mut state, &[Input::Key(Key::Dir(Dir::Up)), Input::Key(Key::Dir(Dir::Right))]);
    assert!(said[0].as_deref().is_some_and(|s| s.contains("wall")));
    assert_eq!((state.player, &said[1]), (cell(2, 1), &None));
}

#[test]
fn a_click_walks_by_a_shortest_way_through_portals_too() {
    let level = room();
    let mut state = Sbokena::arrange(&level).unwrap();
    play(&level, &mut state, &[Input::Press(at(3, 4)), Input::Release(at(3, 4))]);
    assert_eq!(state.player, cell(3, 4));
    play(&level, &mut state, &[Input::Press(at(4, 4))]);
    assert_eq!(state.player, cell(8, 4), "a portal beside the player is entered");
    let said = play(&level, &mut state, &[Input::Press(at(4, 2))]);
    assert!(said[0].is_some(), "the door is closed");
    assert_eq!(state.player, cell(8, 4));
    play(&level, &mut state, &[Input::Press(at(1, 4))]);
    assert_eq!(state.player, cell(1, 4), "back through the portal on the way");
    assert_eq!(state.boxes()[0].at, cell(2, 3), "no box was touched");
}

#[test]
fn a_box_is_dragged_where_it_can_be_pushed_and_nowhere_else() {
    let level = room();
    let mut state = Sbokena::arrange(&level).unwrap();
    let drag = |to: (i16, i16)| [Input::Press(at(2, 3)), Input::Drag(at(to.0, to.1)), Input::Release(at(to.0, to.1))];
    let said = play(&level, &mut state, &drag((8, 1)));
    assert!(said[2].is_some());
    play(&level, &mut state, &drag((2, 2)));
    assert_eq!(state.boxes()[0].at, cell(2, 2));
    // From there along the row; the door is opened by nobody, so it ends before it.
    let from = [Input::Press(at(2, 2)), Input::Drag(at(3, 2)), Input::Release(at(3, 2))];
    play(&level, &mut state, &from);
    assert_eq!(state.boxes()[0].at, cell(3, 2));
    let click = [Input::Press(at(3, 2)), Input::Release(at(3, 2))];
    let said = play(&level, &mut state, &click);
    assert!(said[1].is_some(), "a click on a box that the next step cannot push says what to do");
}

#[test]
fn a_hint_names_the_portal_that_a_box_goes_through() {
    let keys = [('1', "portal 1 right"), ('2', "portal 1 left")];
    let level = level_of(&["#########", "#@$1  2.#", "#########"], &keys).unwrap();
    let state = Sbokena::arrange(&level).unwrap();
    let hint = Sbokena::hint(&level, &state, &[Dir::Right], 1);
    assert_eq!(hint.text, "push the box at c2 right through the portal at d2 to h2");
}

#[test]
fn a_drag_that_wins_on_the_way_is_still_legal_and_escape_lets_go() {
    let level = level_of(&["#######", "#@$.  #", "#     #", "#######"], &[]).unwrap();
    let mut state = Sbokena::arrange(&level).unwrap();
    play(
        &level,
        &mut state,
        &[Input::Press(at(2, 1)), Input::Drag(at(3, 1)), Input::Key(Key::Cancel), Input::Release(at(3, 1))],
    );
    assert_eq!(state.boxes()[0].at, cell(2, 1));
    play(&level, &mut state, &[Input::Press(at(2, 1)), Input::Drag(at(3, 1)), Input::Release(at(3, 1))]);
    assert_eq!(Sbokena::status(&level, &state), Status::Won);
}

#[test]
fn wild_pointers_are_harmless() {
    let level = room();
    let mut state = Sbokena::arrange(&level).unwrap();
    let wild = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 1e30];
    for x in wild {
        for y in wild {
            let p = Point { x, y };
            play(
                &level,
                &mut state,
                &[Input::Hover(Some(p)), Input::Press(p), Input::Drag(p), Input::Release(p), Input::Wheel(x)],
            );
            play(&level, &mut state, &[Input::Press(at(2, 3)), Input::Drag(p), Input::Release(p)]);
        }
    }
    assert_eq!(state, Sbokena::arrange(&level).unwrap());
}

fn draw(
    level: &Level,
    state: Option<&State>,
    ui: Option<&<Sbokena as View>::Ui>,
    motion: Option<Motion<'_, Sbokena>>,
) -> Picture {
    let mut picture = Picture::default();
    let colours = Colours::dark();
    Sbokena::draw(&mut picture, &Scene { level, state, ui, motion, nudge: None, colours: &colours, cell_px: 40.0 });
    picture
}

fn long_lines(picture: &Picture) -> usize {
    picture.figures.iter().filter(|f| matches!(f, Figure::Line { points, .. } if points.len() > 20)).count()
}

#[test]
fn wires_show_in_the_editor_and_under_the_pointer_only() {
    let level = room();
    let state = Sbokena::arrange(&level).unwrap();
    assert!(long_lines(&draw(&level, None, None, None)) > 0, "always while editing");
    let mut ui = <Sbokena as View>::Ui::default();
    assert_eq!(long_lines(&draw(&level, Some(&state), Some(&ui), None)), 0);
    Sbokena::input(&level, &state, &mut ui, &Input::Hover(Some(at(3, 3))));
    assert!(long_lines(&draw(&level, Some(&state), Some(&ui), None)) > 0, "over a button");
    Sbokena::input(&level, &state, &mut ui, &Input::Hover(Some(at(6, 1))));
    assert_eq!(long_lines(&draw(&level, Some(&state), Some(&ui), None)), 0, "not over floor");
}

#[test]
fn an_open_door_looks_and_sounds_different() {
    let level = room();
    let mut state = Sbokena::arrange(&level).unwrap();
    let closed = draw(&level, Some(&state), None, None).figures.len();
    let words = |state: &State, c: Cell| Sbokena::describe(&level, Some(state), Spot::from(c));
    assert_eq!(words(&state, cell(4, 2)), "closed door 1");
    play(&level, &mut state, &[Input::Press(at(3, 3))]);
    assert_eq!(words(&state, cell(4, 2)), "open door 1");
    assert_ne!(draw(&level, Some(&state), None, None).figures.len(), closed);
    assert_eq!(words(&state, cell(3, 3)), "player on button 1");
    assert_eq!(words(&state, cell(2, 3)), "box");
    assert_eq!(words(&state, cell(4, 4)), "portal 2, entered moving right");
}

#[test]
fn a_step_through_portals_is_drawn_all_the_way() {
    let level = room();
    let mut from = Sbokena::arrange(&level).unwrap();
    play(&level, &mut from, &[Input::Press(at(3, 4))]);
    let mut to = from.clone();
    Sbokena::play(&level, &mut to, &Dir::Right).unwrap();
    for t in [0.0, 0.3, 0.5, 0.9, 1.0] {
        let motion = Motion { from: &from, mv: &Dir::Right, t };
        assert!(!draw(&level, Some(&to), None, Some(motion)).figures.is_empty());
    }
}

#[test]
fn a_lost_position_is_seen_to_be_lost() {
    let level = level_of(&["######", "#    #", "# $@.#", "#    #", "######"], &[]).unwrap();
    let mut state = Sbokena::arrange(&level).unwrap();
    assert!(!Sbokena::seen_lost(&level, &state));
    play(&level, &mut state, &[Input::Key(Key::Dir(Dir::Left))]);
    assert!(Sbokena::seen_lost(&level, &state), "against the left wall there is no goal");
}
