//! The review of a game: the first mistake is the first turn after which plain search finds the least total still possible worse.
//!
//! The long run: `CARGO_PROFILE_DEV_OPT_LEVEL=3 cargo test --test review -- --ignored --nocapture`.

#[allow(dead_code, reason = "other tests use the rest of it")]
mod levels;

use levels::{drawn, room};
use rand::{RngExt as _, rngs::ChaCha8Rng};
use tilewright::{
    analysis::{
        plain::Plain,
        review::{Effort, Review},
    },
    document::{AnyGame, Doc, Position},
    game::{Status, rng},
    games,
    job::{Limits, Probe},
};

/// Positions that plain search looks at.
const SMALL: usize = 4_000;

/// The goal that values are about.
fn goal_of(game: &dyn AnyGame) -> usize {
    if game.info().id == "readout" { 1 } else { game.info().par_goal }
}

/// A small level, and a game on it: some random moves, the solver's, some random ones again; to the end or not.
fn some_game(game: &'static dyn AnyGame, rng: &mut ChaCha8Rng) -> Option<(Box<dyn Doc>, Box<dyn Position>)> {
    let doc = match game.info().id {
        "readout" => near_board(game, rng),
        // Levels drawn at random are mostly won in a move or two.
        "sbokena" if rng.random_bool(0.8) => room(game, rng),
        _ => drawn(game, 6 + rng.random_range(0..22), rng)?,
    };
    let mut here = doc.position(false)?;
    let goal = goal_of(game);
    if !matches!(here.plain(goal, SMALL, true).end, Plain::Least(_)) {
        return None;
    }
    if game.info().id == "sbokena" {
        // A walk of its own seldom gets anywhere: the solver's line, or some of it and then any moves.
        let line = doc.solve_now(goal, &mut Probe::new(Limits::nodes(100_000))).moves?;
        let left = if rng.random_bool(0.4) { 0 } else { rng.random_range(0..=line.len()) };
        here.follow(&line, left).then_some(())?;
    }
    let (most, sense) = if game.info().id == "sbokena" { (25, 0.0) } else { (14, 0.6) };
    for _ in 0..rng.random_range(1..=most) {
        if here.status() != Status::Playing {
            break;
        }
        if rng.random_bool(sense) {
            // On the way to a win, if there is one.
            let best = here.after_each().into_iter().flatten().enumerate().filter_map(|(i, mut next)| {
                answered(&mut *next)?;
                match next.plain(goal, SMALL, true).end {
                    Plain::Least(least) => Some((least + next.counts()[game.goals()[goal].count], i)),
                    _ => None,
                }
            });
            let Some((_, i)) = best.min() else { continue };
            here.play_legal(i).ok()?;
        } else {
            let legal = here.legal().len();
            if legal == 0 {
                break;
            }
            here.play_legal(rng.random_range(0..legal)).ok()?;
        }
        answered(&mut *here)?;
    }
    (!here.line().is_empty()).then_some((doc, here))
}

/// Lets the opponent answer until the player is to move; `None` if that never comes.
fn answered(here: &mut dyn Position) -> Option<()> {
    for _ in 0..40 {
        if !here.opponents_turn() {
            return Some(());
        }
        here.reply()?.ok()?;
    }
    None
}

/// A board of 3 x 3 a few slides from its target, against an opponent.
fn near_board(game: &'static dyn AnyGame, rng: &mut ChaCha8Rng) -> Box<dyn Doc> {
    let mut cells = [1, 2, 3, 4, 5, 6, 7, 8, 0];
    let slides = rng.random_range(2..12);
    for _ in 0..slides {
        let to = cells.iter().position(|n| *n == 0).expect("a gap");
        let near: Vec<usize> =
            (0..9).filter(|i: &usize| (i % 3).abs_diff(to % 3) + (i / 3).abs_diff(to / 3) == 1).collect();
        cells.swap(to, near[rng.random_range(0..near.len())]);
    }
    let word = |n: &usize| if *n == 0 { ".".to_string() } else { n.to_string() };
    let rows: Vec<String> =
        cells.chunks(3).map(|r| format!("\"{}\"", r.iter().map(word).collect::<Vec<_>>().join(" "))).collect();
    let opponent = ["none", "easy", "medium"][rng.random_range(0..3)];
    let limit = slides + rng.random_range(0..6);
    let text = format!(
        "(tilewright: 1, game: \"readout\", rules: {{\"opponent\": \"{opponent}\", \"move_limit\": {limit}}}, level: (board: [{}]))",
        rows.join(", ")
    );
    game.read_native(&text).expect("a level")
}

/// The player's moves of a line, in turns: Cats' drags, elsewhere single moves.
fn turns(game: &dyn AnyGame, line: &str) -> Vec<usize> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match game.info().id {
        "cats" => words.iter().map(|w| w.split_once(':').map_or(0, |(_, steps)| steps.len())).collect(),
        "sbokena" => vec![1; line.len()],
        _ => vec![1; words.len()],
    }
}

/// The value by plain search after each turn, the start included: `u32::MAX` is lost, `None` that there are too many positions.
fn plain_values(game: &dyn AnyGame, doc: &dyn Doc, line: &str) -> Option<Vec<(usize, Option<u32>)>> {
    let goal = goal_of(game);
    let turns = turns(game, line);
    let all: usize = turns.iter().sum();
    let mut made = 0;
    let mut values = Vec::new();
    for turn in std::iter::once(0).chain(turns) {
        made += turn;
        let mut here = doc.position(false)?;
        assert!(here.follow(line, all - made));
        let so_far = here.counts()[game.goals()[goal].count];
        let value = match (here.status(), here.plain(goal, 4 * SMALL, true).end) {
            (Status::Won, _) => Some(so_far),
            (Status::Lost | Status::Drawn, _) | (_, Plain::None) => Some(u32::MAX),
            (_, Plain::Least(least)) => Some(so_far + least),
            (_, Plain::TooLarge) => None,
        };
        values.push((made, value));
    }
    Some(values)
}

#[derive(Default, Debug)]
struct Seen {
    games: u32,
    rows: u32,
    unknown: u32,
    won: u32,
    mistakes: u32,
    lost: u32,
}

fn agree(game: &'static dyn AnyGame, doc: &dyn Doc, here: &dyn Position, seen: &mut Seen, at: &str) {
    let line = here.line();
    let Some(values) = plain_values(game, doc, &line) else { return };
    let Some(values) = values.into_iter().map(|(made, v)| Some((made, v?))).collect::<Option<Vec<_>>>() else { return };
    let review: Review = here.review(Effort::default(), &mut Probe::new(Limits::default())).expect("not cancelled");
    let at = format!("{at}: {line}\n{}{values:?}\n{review:?}", doc.bare());
    // What is said is right, and on levels as small as these nearly everything is said.
    let of = |made: usize| values.iter().find(|(m, _)| *m == made).map(|(_, v)| *v);
    let (mut made, mut unknown) = (0, 0);
    for row in &review.rows {
        made += row.moves.len();
        let Some(value) = of(made) else { panic!("a row ends within a turn, {at}") };
        seen.rows += 1;
        if row.value.known() {
            assert_eq!((row.value.lost(), row.value.total().unwrap_or(u32::MAX)), (value == u32::MAX, value), "{at}");
        } else {
            unknown += 1;
        }
    }
    seen.unknown += unknown;
    let wrong = values.windows(2).find(|w| w[1].1 > w[0].1).map(|w| w[0].0 + 1);
    if unknown == 0 || review.mistake.as_ref().is_some_and(|m| m.first) {
        assert_eq!(review.mistake.as_ref().map(|m| m.number), wrong, "{at}");
    }
    // The move that lost is named only where that is right, and here nearly always.
    let lost = values.windows(2).find(|w| w[1].1 == u32::MAX && w[0].1 != u32::MAX).map(|w| w[0].0 + 1);
    let named = review.lost_by.map(|row| review.rows[row].first);
    assert!(named == lost || (unknown > 0 && named.is_none()), "{at}");
    if let Some(mistake) = review.mistake.as_ref().filter(|_| unknown == 0) {
        assert!(mistake.first && mistake.better.is_some() && review.rows[mistake.row].mistake, "{at}");
        assert_eq!(review.rows[mistake.row].first, mistake.number, "{at}");
    }
    seen.games += 1;
    seen.won += u32::from(here.status() == Status::Won);
    seen.mistakes += u32::from(wrong.is_some());
    seen.lost += u32::from(values.last().is_some_and(|(_, v)| *v == u32::MAX));
}

fn hold(number: u32, first: u64) {
    let only = std::env::var("REVIEW_GAME").ok();
    for game in games::offered().iter().copied().filter(|g| only.as_deref().is_none_or(|o| o == g.info().id)) {
        let mut seen = Seen::default();
        for seed in first..first + 80 * u64::from(number) {
            if seen.games >= number {
                break;
            }
            let rng = &mut rng(seed);
            let Some((doc, here)) = some_game(game, rng) else { continue };
            agree(game, &*doc, &*here, &mut seen, &format!("{}, seed {seed}", game.info().id));
        }
        println!("{}: {seen:?}", game.info().id);
        assert!(seen.unknown * 50 <= seen.rows, "{}: {seen:?}", game.info().id);
        assert!(
            seen.games >= number && seen.mistakes * 8 >= number && seen.won * 20 >= number,
            "{}: {seen:?}",
            game.info().id
        );
    }
}

#[test]
fn the_first_mistake_is_the_first_turn_after_which_plain_search_finds_the_value_worse() {
    hold(20, 0);
}

#[test]
#[ignore = "the long run: 200 games a game"]
fn the_first_mistake_is_right_in_many_games() {
    hold(200, 300_000);
}
