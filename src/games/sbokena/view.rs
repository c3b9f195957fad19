//! How Sbokena looks, and how pointer and keys become moves. The figures themselves are in `art.rs`.
//!
//! Arrows step. A click on floor walks there by a shortest way; a box is dragged to where it should go, or clicked to be pushed by a
//! player who stands next to it. Hovering over a button, a door or a portal shows what it is linked to.

use super::{
    Level, Sbokena, State,
    art::{Art, Look},
    editor::{Tool, ink_dir},
    file,
    level::{Object, Tile},
    rules::{self, Track},
    solver,
};
use crate::{
    game::{Ahead, Hint, Ink, Input, Key, Nudge, Reaction, Scene, View},
    grid::{Cell, Dir, Spot, cell},
    picture::{Colours, Picture, Point},
};

/// The player's number among what can be nudged; a box is not.
const PLAYER: usize = 0;

/// What belongs neither to the file nor to undo.
#[derive(Clone, Debug, Default)]
pub struct Ui {
    /// The cell under the pointer.
    hover: Option<Cell>,
    /// The way there, as cells, if the player can walk it.
    way: Vec<Cell>,
    /// The box in hand, where the pointer holds it, and whether it can be pushed there.
    drag: Option<(Cell, Cell, bool)>,
}

impl View for Sbokena {
    type Ui = Ui;

    fn draw(picture: &mut Picture, scene: &Scene<'_, Sbokena>) {
        let level = scene.level;
        let mut art = Art::new(picture, scene.colours, scene.cell_px);
        art.ground(level, scene.state);
        let editing = scene.state.is_none();
        let hover = scene.ui.and_then(|u| u.hover);
        let moving = scene.motion.as_ref().and_then(|m| Some((rules::step(level, m.from, *m.mv).ok()?, *m.mv, m.t)));
        if let (Some(ui), None) = (scene.ui, &moving) {
            art.way(&ui.way);
        }
        match scene.state {
            None => {
                for (c, object) in level.objects.iter() {
                    if let Some(object) = object {
                        art.object(*object, Point::middle(c), look(level, c, None));
                        if *object != Object::Player {
                            art.under_box(level.tile(c), c);
                        }
                    }
                }
            }
            Some(state) => {
                let moved_box = moving.and_then(|(s, ..)| s.pushed);
                for b in state.boxes().iter().filter(|b| Some(b.at) != moved_box.map(|t| t.to)) {
                    art.object(b.kind, Point::middle(b.at), look(level, b.at, None));
                    art.under_box(level.tile(b.at), b.at);
                }
                match moving {
                    None => {
                        let (dx, dy) = scene.nudged(PLAYER);
                        let at = Point::middle(state.player).shift(dx, dy);
                        art.object(Object::Player, at, look(level, state.player, None));
                    }
                    Some((step, dir, t)) => {
                        if let Some(track) = step.pushed {
                            let kind = state.box_at(track.to).map_or(Object::Box, |b| b.kind);
                            draw_track(&mut art, level, kind, track, dir, t);
                        }
                        draw_track(&mut art, level, Object::Player, step.player, dir, t);
                    }
                }
            }
        }
        if editing {
            art.wires(level, None);
        } else if let Some(c) = hover {
            art.wires(level, Some(c));
        }
        if let Some((_, to, fits)) = scene.ui.and_then(|u| u.drag) {
            art.ghost(to, fits);
        }
    }

    fn draw_ink(picture: &mut Picture, level: &Level, ink: Ink, colours: &Colours) {
        let mut art = Art::new(picture, colours, 40.0);
        let at = cell(0, 0);
        let dir = ink_dir(ink);
        let number = level.fresh_number();
        match Tool::of(ink) {
            Tool::Floor => art.tile_alone(at, Tile::Floor),
            Tool::Wall => art.tile_alone(at, Tile::Wall),
            Tool::Goal => art.tile_alone(at, Tile::Goal),
            Tool::OneWay => art.tile_alone(at, Tile::OneWay(dir)),
            Tool::Portal => art.tile_alone(at, Tile::Portal(number, dir)),
            Tool::Door => art.tile_alone(at, Tile::Door(number)),
            Tool::Button => art.tile_alone(at, Tile::Button(number)),
            Tool::Link => art.link_tool(at),
            Tool::Move => art.move_tool(at),
            tool => {
                art.tile_alone(at, Tile::Floor);
                let object = match tool {
                    Tool::Player => Object::Player,
                    Tool::Box => Object::Box,
                    _ => Object::OneWayBox(dir),
                };
                art.object(object, Point::middle(at), Look::default());
            }
        }
    }

    fn describe(level: &Level, state: Option<&State>, spot: Spot) -> String {
        let c = spot.cell;
        let tile = level.tile(c);
        let object = state.map_or_else(|| level.object(c), |s| s.object_at(c));
        let mut text = match tile {
            Tile::Door(n) => {
                let open = match state {
                    Some(s) => rules::is_open(level, s, n, c),
                    None => object.is_some(),
                };
                format!("{} door {n}", if open { "open" } else { "closed" })
            }
            Tile::OneWay(d) => format!("one-way floor {}", d.name()),
            Tile::Portal(n, d) => format!("portal {n}, entered moving {}", d.name()),
            other => file::words((other, None)),
        };
        if let Some(object) = object {
            let name = match object {
                Object::OneWayBox(d) => format!("one-way box {}", d.name()),
                other => other.name().to_string(),
            };
            text = if tile == Tile::Floor { name } else { format!("{name} on {text}") };
        }
        text
    }

    fn input(level: &Level, state: &State, ui: &mut Ui, input: &Input) -> Reaction<Dir> {
        match *input {
            Input::Key(Key::Dir(d)) => {
                ui.way.clear();
                attempt(level, state, d)
            }
            Input::Key(Key::Cancel) if ui.drag.is_some() => {
                ui.drag = None;
                Reaction::used()
            }
            Input::Hover(at) => {
                let at = at.map(Point::cell).filter(|c| level.size().contains(*c));
                if at != ui.hover || at.is_some_and(|c| ui.way.last().is_some_and(|l| *l != c)) {
                    ui.hover = at;
                    ui.way = at
                        .and_then(|c| way_to(level, state, c))
                        .map(|w| cells_on(level, state, &w))
                        .unwrap_or_default();
                }
                Reaction::ignored()
            }
            Input::Press(p) => press(level, state, ui, p.cell()),
            Input::Drag(p) => {
                let Some((from, last, _)) = ui.drag else { return Reaction::ignored() };
                let to = p.cell();
                if to != last {
                    let fits = to == from || solver::carry(level, state, from, to).is_some();
                    ui.drag = Some((from, to, fits));
                }
                Reaction::used()
            }
            Input::Release(p) => {
                let Some((from, ..)) = ui.drag.take() else { return Reaction::ignored() };
                release(level, state, from, p.cell())
            }
            _ => Reaction::ignored(),
        }
    }

    fn motion_seconds(_: &Level, from: &State, mv: &Dir) -> f32 {
        // A push has weight: it takes a touch longer than a step.
        if from.box_at(from.player.step(*mv)).is_some() { 0.13 } else { 0.1 }
    }

    fn gesture(level: &Level, state: &State, moves: &[Dir]) -> usize {
        let run = Run::new(level, state, moves);
        run.walk.len() + run.pushes.len()
    }

    fn hint(level: &Level, state: &State, moves: &[Dir], stage: u8) -> Hint {
        let run = Run::new(level, state, moves);
        let (Some((first, dir)), Some((last, _))) = (run.pushes.first(), run.pushes.last()) else {
            // Nothing is left to push: only the way to an end is.
            let end = run.walk.last().map_or(state.player, |t| t.to);
            return Hint { spots: vec![end.into()], text: format!("nothing more to push: go to {}", end.name()) };
        };
        let kind = if state.box_at(first.from).is_some_and(|b| b.kind != Object::Box) { "one-way box" } else { "box" };
        let piece = format!("the {kind} at {}", first.from.name());
        let portal = run.pushes.iter().find_map(|(track, _)| track.portals);
        let through = portal.map_or_else(String::new, |(entry, _)| format!(" through the portal at {}", entry.name()));
        match stage {
            0 => Hint { spots: vec![first.from.into()], text: format!("push {piece}") },
            _ => Hint {
                spots: vec![first.from.into(), last.to.into()],
                text: format!("push {piece} {}{through} to {}", dir.name(), last.to.name()),
            },
        }
    }

    fn draw_ahead(picture: &mut Picture, scene: &Scene<'_, Sbokena>, ahead: &Ahead<'_, Sbokena>) {
        let (level, Some(state)) = (scene.level, scene.state) else { return };
        let run = Run::new(level, state, ahead.moves);
        let mut art = Art::new(picture, scene.colours, scene.cell_px);
        let pushes = run.pushes.first().zip(run.pushes.last());
        if let (0, Some(((first, _), _))) = (ahead.stage, pushes) {
            return art.ghost(first.from, true);
        }
        art.way(&run.walk.iter().map(|t| t.to).collect::<Vec<_>>());
        let Some(((first, _), (last, _))) = pushes else { return };
        let kind = state.box_at(first.from).map_or(Object::Box, |b| b.kind);
        // The player is not hidden by what is not there yet.
        if last.to != state.player {
            art.object(kind, Point::middle(last.to), Look { opacity: 0.45, ..look(level, last.to, None) });
        }
        art.ghost(last.to, true);
        art.ghost(first.from, true);
        // One arrow as far as the pushes go straight on, another from where the box comes out of a portal.
        let mut way = vec![first.from];
        for (track, _) in &run.pushes {
            if let Some((entry, exit)) = track.portals {
                way.push(entry);
                arrow(picture, scene.colours, &std::mem::replace(&mut way, vec![exit]));
            }
            way.push(track.to);
        }
        arrow(picture, scene.colours, &way);
    }

    fn seen_lost(level: &Level, state: &State) -> bool {
        solver::is_lost(level, state)
    }

    fn about_position(level: &Level, state: &State) -> Vec<String> {
        let goals = level.goals();
        let covered = goals.iter().filter(|g| state.box_at(**g).is_some()).count();
        vec![format!("{covered} of {} goals covered", goals.len())]
    }
}

/// What the moves to come begin with: a walk, and the pushes of one box, straight on, that it leads to.
struct Run {
    walk: Vec<Track>,
    pushes: Vec<(Track, Dir)>,
}

impl Run {
    fn new(level: &Level, state: &State, moves: &[Dir]) -> Run {
        let mut run = Run { walk: Vec::new(), pushes: Vec::new() };
        let mut now = state.clone();
        for dir in moves {
            let Ok(step) = rules::step(level, &now, *dir) else { break };
            match (run.pushes.last(), step.pushed) {
                (None, None) => run.walk.push(step.player),
                (None, Some(track)) => run.pushes.push((track, *dir)),
                (Some((last, d)), Some(track)) if track.from == last.to && d == dir => run.pushes.push((track, *dir)),
                (Some(_), _) => break,
            }
            rules::apply(&mut now, &step);
        }
        run
    }
}

/// The arrow of a push, from the first of its cells to the last.
fn arrow(picture: &mut Picture, colours: &Colours, way: &[Cell]) {
    if let (Some(from), Some(to)) = (way.first(), way.last())
        && from != to
    {
        picture.move_arrow(&[Point::middle(*from), Point::middle(*to)], colours);
    }
}

fn look(level: &Level, at: Cell, facing: Option<Dir>) -> Look {
    Look { on_goal: level.tile(at) == Tile::Goal, facing, opacity: 1.0, scale: 1.0 }
}

/// A thing on its way: straight, or into one portal and out of another.
fn draw_track(art: &mut Art<'_>, level: &Level, kind: Object, track: Track, dir: Dir, t: f32) {
    let (from, to) = (Point::middle(track.from), Point::middle(track.to));
    let target = look(level, track.to, Some(dir));
    let ease = t * t * (3.0 - 2.0 * t);
    match track.portals {
        None => art.object(kind, from.towards(to, ease), Look { on_goal: target.on_goal && t > 0.5, ..target }),
        Some((entry, exit)) => {
            let (entry, exit) = (Point::middle(entry), Point::middle(exit));
            let (at, near) = if ease < 0.5 {
                (from.towards(entry, ease * 2.0), 1.0 - ease * 2.0)
            } else {
                (exit.towards(to, ease * 2.0 - 1.0), ease * 2.0 - 1.0)
            };
            let shrink = 0.35 + 0.65 * near;
            art.object(kind, at, Look { scale: shrink, opacity: 0.3 + 0.7 * near, ..target });
        }
    }
}

fn attempt(level: &Level, state: &State, dir: Dir) -> Reaction<Dir> {
    match rules::step(level, state, dir) {
        Ok(_) => Reaction::moves(vec![dir]),
        Err(reason) => Reaction::say(crate::game::Refusal::from(reason).text).nudged(Nudge::bump(PLAYER, dir)),
    }
}

fn way_to(level: &Level, state: &State, to: Cell) -> Option<Vec<Dir>> {
    if to == state.player || !level.tile(to).holds_objects() {
        return None;
    }
    solver::way_to(level, state, to)
}

/// The cells a walk ends its steps on.
fn cells_on(level: &Level, state: &State, line: &[Dir]) -> Vec<Cell> {
    let mut state = state.clone();
    let mut cells = Vec::new();
    for dir in line {
        let Ok(step) = rules::step(level, &state, *dir) else { break };
        rules::apply(&mut state, &step);
        cells.push(state.player);
    }
    cells
}

fn press(level: &Level, state: &State, ui: &mut Ui, at: Cell) -> Reaction<Dir> {
    ui.way.clear();
    if state.box_at(at).is_some() {
        ui.drag = Some((at, at, true));
        return Reaction::used();
    }
    // A portal beside the player is entered by clicking on it.
    if let Tile::Portal(..) = level.tile(at) {
        return match Dir::between(state.player, at) {
            Some(dir) => attempt(level, state, dir),
            None => Reaction::say("walk up to the portal first"),
        };
    }
    if at == state.player || !level.size().contains(at) {
        return Reaction::ignored();
    }
    match way_to(level, state, at) {
        Some(line) => Reaction::moves(line),
        None if level.tile(at) == Tile::Wall => Reaction::ignored(),
        None => Reaction::say("you cannot walk there from here"),
    }
}

fn release(level: &Level, state: &State, from: Cell, to: Cell) -> Reaction<Dir> {
    if from == to {
        // A click on a box: push it, if the player stands where one step does that.
        let pushes = |d: &Dir| rules::step(level, state, *d).is_ok_and(|s| s.pushed.is_some_and(|p| p.from == from));
        return match Dir::ALL.into_iter().find(pushes) {
            Some(dir) => Reaction::moves(vec![dir]),
            None => Reaction::say("drag the box to where it should go"),
        };
    }
    match solver::carry(level, state, from, to) {
        Some(line) => Reaction::moves(line),
        None => Reaction::say("the box cannot be pushed there without moving another"),
    }
}
