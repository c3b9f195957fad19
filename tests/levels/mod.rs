//! Levels made at random for any game by the same means: random strokes with random inks on small boards, random rule switches and commands, random moves from
//! there, generated levels near the end of their solution.

use rand::{RngExt as _, rngs::ChaCha8Rng};
use std::cmp::Ordering;
use tilewright::{
    document::{AnyGame, Board, Doc, Position},
    game::{Gesture, Ink, Kind, Severity, Value},
    grid::{Size, Spot, Sym},
    job::{Limits, Probe},
};

pub fn errors(doc: &dyn Doc) -> usize {
    doc.problems().iter().filter(|p| p.severity == Severity::Error).count()
}

/// A stroke from one thing to another, for an ink in a group of free forms: two random spots would seldom be on two of them, and never link them.
fn from_thing_to_thing(doc: &dyn Doc, group: &str, rng: &mut ChaCha8Rng) -> Option<Vec<Spot>> {
    let swatches = doc.palette().swatches;
    if !swatches.iter().any(|s| s.group == group && s.gesture == Gesture::Whole) {
        return None;
    }
    let mut things = doc.things();
    things.retain(|t| swatches.get(t.ink.swatch).is_some_and(|s| s.group == group) && !t.spots.is_empty());
    if things.len() < 2 {
        return None;
    }
    let ends = [(); 2].map(|()| things[rng.random_range(0..things.len())].spots[0]);
    Some(ends.to_vec())
}

fn random_spots(doc: &dyn Doc, gesture: Gesture, rng: &mut ChaCha8Rng) -> Vec<Spot> {
    let all = doc.spots(Board::Draft);
    let first = all[rng.random_range(0..all.len())];
    let mut spots = vec![first];
    let more = match gesture {
        Gesture::Once => 0,
        Gesture::FromTo => 1,
        Gesture::Spots => rng.random_range(0..3),
        Gesture::Whole => rng.random_range(0..4),
    };
    for _ in 0..more {
        let from = spots[rng.random_range(0..spots.len())];
        let near: Vec<Spot> = all
            .iter()
            .filter(|s| !spots.contains(s) && s.cell.x.abs_diff(from.cell.x) + s.cell.y.abs_diff(from.cell.y) <= 1)
            .copied()
            .collect();
        let far = gesture == Gesture::FromTo && rng.random_bool(0.5);
        let from = if far || near.is_empty() { &all } else { &near };
        let next = from[rng.random_range(0..from.len())];
        if !spots.contains(&next) {
            spots.push(next);
        }
    }
    spots
}

pub fn set_rules(doc: &mut dyn Doc, rng: &mut ChaCha8Rng) {
    for rule in doc.game().rules() {
        let value = match &rule.kind {
            Kind::Switch => Value::from(rng.random_bool(0.5)),
            Kind::Choice(words) => Value::from(words[rng.random_range(0..words.len())]),
            Kind::Number { words, .. } if !words.is_empty() && rng.random_bool(0.4) => {
                Value::from(words[rng.random_range(0..words.len())])
            }
            Kind::Number { min, .. } if rng.random_bool(0.2) => Value::from(*min),
            Kind::Number { min, max, .. } => Value::from(rng.random_range(*min..=(*max).min(min + 12))),
        };
        let _ = doc.set_rule(rule.name, &value);
    }
}

pub fn run_some_command(doc: &mut dyn Doc, rng: &mut ChaCha8Rng) {
    let commands = doc.commands();
    if !commands.is_empty() {
        let _ = doc.run_command(commands[rng.random_range(0..commands.len())].id, rng.random_range(0..1 << 32));
    }
}

/// Commands until no error is left.
pub fn mended(doc: &mut dyn Doc, rng: &mut ChaCha8Rng) -> bool {
    (0..4).any(|_| {
        run_some_command(doc, rng);
        errors(doc) == 0
    })
}

/// Random strokes with some of the inks: those that mend more than they break are kept, others now and then. True if no error is left.
pub fn strokes(doc: &mut dyn Doc, count: u32, inks: &dyn Fn(usize) -> bool, rng: &mut ChaCha8Rng) -> bool {
    for i in 0..count * 6 {
        let before = errors(doc);
        if i >= count && before == 0 {
            return true;
        }
        let palette = doc.palette();
        let swatch = rng.random_range(0..palette.swatches.len());
        // While there are errors, any ink may be what is missing.
        if before == 0 && !inks(swatch) {
            continue;
        }
        let about = &palette.swatches[swatch];
        let colour = if palette.colours.is_empty() { 0 } else { rng.random_range(0..palette.colours.len().min(3)) };
        let ink = Ink { swatch, colour, sym: Sym::ALL[rng.random_range(0..8)] };
        let ends = (about.gesture == Gesture::FromTo).then(|| from_thing_to_thing(doc, about.group, rng)).flatten();
        let spots = ends.unwrap_or_else(|| random_spots(doc, about.gesture, rng));
        doc.paint_all(&[(ink, spots)], "random");
        let keep = match errors(doc).cmp(&before) {
            Ordering::Less => true,
            Ordering::Equal => inks(swatch),
            Ordering::Greater => i < count && inks(swatch) && rng.random_bool(0.5),
        };
        if !keep {
            doc.undo_edit();
        }
    }
    errors(doc) == 0
}

/// A size of at most this many spots, among them the smallest.
pub fn small_size(game: &dyn AnyGame, spots: usize, rng: &mut ChaCha8Rng) -> Size {
    let (least, most, _) = game.sizes();
    let one = game.blank(least).spots(Board::Draft).len() / least.area();
    let side = |rng: &mut ChaCha8Rng, least: u16, most: u16| rng.random_range(least..=(least.max(3) + 3).min(most));
    for _ in 0..20 {
        let size = Size::new(side(rng, least.w, most.w), side(rng, least.h, most.h));
        if size.area() * one <= spots && size.area() >= 2 {
            return size;
        }
    }
    least
}

/// A draft drawn at random.
pub fn drawn(game: &'static dyn AnyGame, spots: usize, rng: &mut ChaCha8Rng) -> Option<Box<dyn Doc>> {
    let size = small_size(game, spots, rng);
    let mut doc = game.blank(size);
    set_rules(&mut *doc, rng);
    if rng.random_bool(0.3) {
        run_some_command(&mut *doc, rng);
    }
    // Some levels have all kinds of things in them, others only a few.
    let left_out = [0.0, 0.3, 0.8][rng.random_range(0..3)];
    let kinds = doc.palette().swatches.len();
    let inks: Vec<bool> = (0..kinds).map(|_| !rng.random_bool(left_out)).collect();
    let inks = |swatch: usize| inks.get(swatch).is_none_or(|used| *used);
    let count = rng.random_range(4..(size.area() as u32 / 2).max(8));
    if !strokes(&mut *doc, count, &inks, rng) && !mended(&mut *doc, rng) {
        return None;
    }
    // A playable level changed afterwards is more often one that cannot be solved: what lay on one board is to go onto another.
    if rng.random_bool(0.5) {
        for _ in 0..rng.random_range(1..=5) {
            match rng.random_range(0..4) {
                0 | 1 => run_some_command(&mut *doc, rng),
                // Another board of as many cells.
                2 => {
                    let area = size.area() as u16;
                    let widths: Vec<u16> = (1..=area).filter(|w| area % w == 0).collect();
                    let w = widths[rng.random_range(0..widths.len())];
                    doc.resize(Size::new(w, area / w), (0, 0));
                }
                _ => drop(strokes(&mut *doc, 3, &inks, rng)),
            }
        }
        if errors(&*doc) > 0 {
            let _ = strokes(&mut *doc, 2, &inks, rng) || mended(&mut *doc, rng);
        }
    }
    (errors(&*doc) == 0).then_some(doc)
}

/// Generated levels with their lines.
pub fn generated(game: &'static dyn AnyGame, count: u64) -> Vec<(String, String)> {
    let presets = game.presets();
    let made = (0..count).filter_map(|seed| {
        let preset = &presets[seed as usize % presets.len()];
        let values = preset.values.checked(&game.params()).ok()?;
        let made = game.generate(preset.id, &values, 7_000 + seed, &mut Probe::new(Limits::nodes(200_000))).ok()?;
        let line = made.doc.kept().first()?.moves.clone();
        // A line for another stage than play's leads nowhere here.
        made.doc.position(false)?.follow(&line, 0).then(|| (made.doc.bare(), line))
    });
    made.collect()
}

/// Random moves of the player, with the opponent's replies; ends where the player is to move, or before the game is over.
pub fn walk(here: Box<dyn Position>, steps: usize, rng: &mut ChaCha8Rng) -> Box<dyn Position> {
    let mut here = here;
    for _ in 0..steps {
        let mut next = here.fork();
        let legal = next.legal().len();
        if legal == 0 || next.play_legal(rng.random_range(0..legal)).is_err() {
            break;
        }
        // Against some opponents the player never moves again.
        (0..40).all(|_| next.opponents_turn() && next.reply().is_some_and(|r| r.is_ok()));
        if next.opponents_turn() || next.status() != tilewright::game::Status::Playing {
            break;
        }
        here = next;
    }
    here
}

/// A room of 4 x 3 to 5 x 4 with a box or two.
#[allow(dead_code, reason = "not every test has use for it")]
pub fn room(game: &'static dyn AnyGame, rng: &mut ChaCha8Rng) -> Box<dyn Doc> {
    let (w, h) = (rng.random_range(4..=5), rng.random_range(3..=4));
    let boxes = rng.random_range(1..=2);
    let mut cells: Vec<char> = "@".chars().chain("$".repeat(boxes).chars()).chain(".".repeat(boxes).chars()).collect();
    cells.resize(w * h, ' ');
    (0..rng.random_range(0..3)).for_each(|i| cells[w * h - 1 - i] = '#');
    rand::seq::SliceRandom::shuffle(&mut cells[..], rng);
    let edge = "#".repeat(w + 2);
    let inner = cells.chunks(w).map(|r| format!("#{}#", r.iter().collect::<String>()));
    let rows: Vec<String> = [edge.clone()].into_iter().chain(inner).chain([edge]).collect();
    game.read_native(&format!("(tilewright: 1, game: \"sbokena\", level: (board: {rows:?}))")).expect("a level")
}
