//! The map of positions agrees with plain enumeration, position by position: distances from the start and to the end, lost positions, bottlenecks (by leaving
//! each position out and searching again). On random levels of every game, and on samples of them, where nothing is said that is not so.

#[allow(dead_code, reason = "other tests walk from these levels")]
mod levels;

use levels::{drawn, generated};
use rand::RngExt as _;
use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};
use tilewright::{
    analysis::positions::{Fate, Kind, MOST, PositionMap},
    document::{AnyGame, Doc, Position},
    game::{Status, rng},
    games,
    job::{Limits, Mode, Probe},
};

/// A level by plain enumeration: its positions as texts, numbered as they are met, their neighbours, and which of them are won.
struct Plain {
    texts: HashMap<String, usize>,
    next: Vec<Vec<usize>>,
    won: Vec<bool>,
}

/// `None` if there are more positions than this.
fn enumerate(doc: &dyn Doc, most: usize) -> Option<Plain> {
    let mut start = doc.position(false)?;
    start.forget();
    let mut plain = Plain {
        texts: HashMap::from([(start.state(), 0)]),
        next: Vec::new(),
        won: vec![start.status() == Status::Won],
    };
    let mut queue: VecDeque<Box<dyn Position>> = VecDeque::from([start]);
    while let Some(here) = queue.pop_front() {
        let mut next = Vec::new();
        for after in here.after_each().into_iter().flatten() {
            let mut after = after;
            // Against some opponents the player never moves again: such a move is none.
            let mut replies = 0;
            while after.opponents_turn() && replies < 1000 {
                if after.reply().is_none_or(|r| r.is_err()) {
                    break;
                }
                replies += 1;
            }
            if replies == 1000 {
                continue;
            }
            after.forget();
            let known = plain.texts.len();
            let id = *plain.texts.entry(after.state()).or_insert(known);
            if id == known {
                plain.won.push(after.status() == Status::Won);
                queue.push_back(after);
            }
            next.push(id);
        }
        plain.next.push(next);
        if plain.texts.len() > most {
            return None;
        }
    }
    Some(plain)
}

impl Plain {
    /// Distances from the start without some position.
    fn distances(&self, without: Option<usize>) -> Vec<Option<u32>> {
        let mut far = vec![None; self.next.len()];
        far[0] = Some(0);
        let mut queue = VecDeque::from([0]);
        while let Some(here) = queue.pop_front() {
            for &to in &self.next[here] {
                if far[to].is_none() && Some(to) != without {
                    far[to] = far[here].map(|n: u32| n + 1);
                    queue.push_back(to);
                }
            }
        }
        far
    }

    /// Distances to the nearest won position, by going over all edges until nothing changes.
    fn to_end(&self) -> Vec<Option<u32>> {
        let mut far: Vec<Option<u32>> = self.won.iter().map(|won| won.then_some(0)).collect();
        loop {
            let mut changed = false;
            for here in (0..far.len()).rev() {
                let best = self.next[here].iter().filter_map(|to| far[*to]).min().map(|n| n + 1);
                if best.is_some_and(|b| far[here].is_none_or(|n| b < n)) {
                    (far[here], changed) = (best, true);
                }
            }
            if !changed {
                return far;
            }
        }
    }

    fn solvable_without(&self, position: usize) -> bool {
        self.distances(Some(position)).iter().zip(&self.won).any(|(far, won)| *won && far.is_some())
    }
}

fn map_of(doc: &dyn Doc, most: usize) -> Option<(Arc<PositionMap>, Vec<String>)> {
    doc.positions_now(most, &mut Probe::new(Limits::default()))
}

/// What a sample says is so.
fn check_sample(id: &str, map: &PositionMap, texts: &[String], plain: &Plain, ends: &[Option<u32>]) {
    let starts = plain.distances(None);
    let whole_to = map.whole_to().expect("a sample");
    let mut near = 0;
    for (i, text) in (0..).zip(texts) {
        let there = plain.texts[text];
        let depth = map.depth(i);
        assert!(starts[there].is_some_and(|n| n <= depth), "{id}: a way from the start");
        if depth <= whole_to {
            assert_eq!(starts[there], Some(depth), "{id}: near the start all is exact");
            near += 1;
        }
        match map.fate(i) {
            Fate::Lost => assert_eq!(ends[there], None, "{id}: proven lost"),
            Fate::Winnable(n) => assert!(ends[there].is_some_and(|e| e <= n), "{id}: a way to an end"),
            Fate::Unknown => {}
        }
    }
    assert_eq!(near, starts.iter().flatten().filter(|n| **n <= whole_to).count(), "{id}: whole near the start");
    assert!(map.kind() == Kind::Sample && map.bottlenecks().is_empty() && map.sentence().starts_with("Sampled: "));
}

/// Checks the map of a level; whether it was whole.
fn check(doc: &dyn Doc, most: usize) -> Option<Kind> {
    let id = doc.game().info().id;
    let plain = enumerate(doc, most)?;
    let (map, texts) = map_of(doc, most)?;
    let (starts, ends) = (plain.distances(None), plain.to_end());
    if !map.is_whole() {
        // Drags that are not listed: there may be more positions than plain enumeration has met.
        assert!(doc.game().endless(), "{id}: {} positions are not too many", plain.texts.len());
        return None;
    }
    assert_eq!(texts.len(), plain.texts.len(), "{id}: {}", doc.native());
    for (i, text) in (0..).zip(&texts) {
        let there = plain.texts[text];
        assert_eq!(Some(map.depth(i)), starts[there], "{id}: from the start");
        let fate = ends[there].map_or(Fate::Lost, Fate::Winnable);
        assert_eq!(map.fate(i), fate, "{id}: to the end");
        let mut next: Vec<&String> = map.neighbours(i).iter().map(|to| &texts[*to as usize]).collect();
        let mut expected: Vec<usize> = plain.next[there].iter().copied().filter(|to| *to != there).collect();
        expected.sort_unstable();
        expected.dedup();
        next.sort_unstable();
        assert!(next.len() == expected.len() && next.iter().all(|t| expected.contains(&plain.texts[*t])), "{id}");
        let best = expected.iter().filter(|to| ends[**to].is_some_and(|n| Some(n + 1) == ends[there])).count();
        assert_eq!(map.best_choices(i), best, "{id}: choices that keep the shortest way");
        // The order of a layer, there and back.
        assert_eq!(map.at(map.depth(i), map.rank(i)), Some(i), "{id}");
        let way = map.way_to(i);
        assert_eq!((way.len() as u32, way[0]), (map.depth(i) + 1, 0));
    }
    assert_eq!(map.layers().iter().map(|l| l.len() as usize).sum::<usize>(), map.len());
    if ends[0].is_some() {
        let solution = map.solution();
        assert_eq!(solution.len() as u32 - 1, ends[0].unwrap_or(0));
        let mut expected: Vec<usize> =
            (1..texts.len()).filter(|i| !plain.won[*i] && !plain.solvable_without(*i)).collect();
        let mut found: Vec<usize> = map.bottlenecks().iter().map(|i| plain.texts[&texts[*i as usize]]).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected, "{id}: bottlenecks of {}", doc.native());
    } else {
        assert!(map.kind() == Kind::Hopeless && map.bottlenecks().is_empty());
        assert!(map.sentence().starts_with("Cannot be won: "), "{}", map.sentence());
    }
    if texts.len() > 40 {
        let (sample, texts) = map_of(doc, texts.len() / 3)?;
        check_sample(id, &sample, &texts, &plain, &ends);
    }
    Some(map.kind())
}

/// Random levels of a game: drawn at random, or generated ones after most of their solution.
fn some_level(game: &'static dyn AnyGame, seed: u64) -> Option<Box<dyn Doc>> {
    let rng = &mut rng(seed);
    // Opponents think for long on larger boards.
    let spots = if game.opponents().is_empty() { 6 + rng.random_range(0..16) } else { 9 };
    drawn(game, spots, rng)
}

fn agrees_on(levels: usize, most: usize) {
    for game in games::offered() {
        let id = game.info().id;
        let (levels, most) = if game.opponents().is_empty() { (levels, most) } else { (levels / 6, most / 8) };
        let (mut done, mut winnable, mut seed) = (0, 0, 0);
        let mut kinds: HashMap<String, usize> = HashMap::new();
        while done < levels && seed < 40 * levels as u64 {
            if let Some(kind) = some_level(*game, seed).and_then(|doc| check(&*doc, most)) {
                done += 1;
                winnable += usize::from(kind != Kind::Hopeless);
                *kinds.entry(format!("{kind:?}")).or_default() += 1;
            }
            seed += 1;
        }
        println!("{id}: {done} levels of {seed} seeds, {winnable} can be won, {kinds:?}");
        assert!(done >= levels && winnable >= 1, "{id}: {done} levels, {winnable} can be won");
    }
}

#[test]
fn maps_agree_with_plain_enumeration() {
    agrees_on(120, 400);
}

#[test]
#[ignore = "the long run: larger levels, more of them"]
fn maps_of_larger_levels_agree_with_plain_enumeration() {
    agrees_on(1_000, 1_500);
}

/// What the maps of the shipped levels take: `cargo test --test positions shipped -- --ignored --nocapture`, with `CARGO_PROFILE_DEV_OPT_LEVEL=3`.
#[test]
#[ignore = "a measurement"]
fn shipped_levels_and_what_their_maps_take() {
    for game in games::offered() {
        let id = game.info().id;
        for (i, text) in game.info().levels.iter().enumerate().take(60) {
            let Ok(doc) = game.read_native(text) else { continue };
            let mut probe = Probe::new(Limits::nodes(8_000_000));
            let begun = std::time::Instant::now();
            let Some((map, _)) = doc.positions_now(MOST, &mut probe) else { continue };
            let (took, nodes) = (begun.elapsed(), probe.progress.nodes);
            println!("{id} {i}: {:.2} s, {nodes} moves: {}", took.as_secs_f64(), map.sentence());
        }
    }
}

/// Waits for what is under way.
fn arrive(doc: &mut dyn Doc) {
    while doc.busy() {
        doc.tick();
        std::thread::yield_now();
    }
}

#[test]
fn a_line_leads_to_every_position_of_a_map() {
    for game in games::offered() {
        let id = game.info().id;
        let mut tried = 0;
        // A level drawn at random rarely has more than twenty positions.
        for seed in 0..2_000 {
            let Some(mut doc) = some_level(*game, seed) else { continue };
            let most = if game.opponents().is_empty() { 600 } else { 60 };
            let Some((map, texts)) = map_of(&*doc, most).filter(|(m, _)| m.is_whole() && m.len() > 20) else {
                continue;
            };
            doc.play_from_start();
            doc.ask_positions();
            while doc.busy() || !doc.map_is_current() {
                doc.tick();
                doc.ask_positions();
                std::thread::yield_now();
            }
            for i in (0..map.len() as u32).step_by(map.len() / 12 + 1) {
                let before = doc.whole_line();
                let on_the_way = doc.threads().play.contains(&Some(i));
                assert!(doc.go_to_position(i), "{id}");
                arrive(&mut *doc);
                assert_eq!(doc.threads().play.last(), Some(&Some(i)), "{id}: there");
                if game.opponents().is_empty() {
                    assert_eq!(doc.play_state().as_ref(), texts.get(i as usize), "{id}");
                }
                if !on_the_way && i > 0 {
                    assert!(doc.taken_over(), "{id}: nobody's record");
                    let there = doc.whole_line();
                    assert!(doc.undo() && doc.whole_line() == before, "{id}: one undo brings the game back");
                    assert!(doc.go_to_position(i), "{id}");
                    arrive(&mut *doc);
                    assert_eq!(doc.whole_line(), there, "{id}");
                }
            }
            tried += 1;
            if tried == 6 {
                break;
            }
        }
        assert!(tried >= 2, "{id}: {tried}");
    }
}

/// On one thread and on two the map is the same, also that of a long way with one position at each distance.
#[test]
fn a_map_does_not_depend_on_the_number_of_threads() {
    let game = games::by_id("cats").expect("Cats");
    let (row, gap) = (".".repeat(39), " ".repeat(39));
    let text = format!(
        "(tilewright: 1, game: \"cats\", level: (board: [\"a{row}\", \"{gap}.\", \"R{row}\"], legend: {{'a': Shape(colour: red), 'R': Cat(red)}}))"
    );
    let mut docs = vec![game.read_native(&text).expect("a level")];
    docs.extend(games::offered().iter().map(|g| g.read_native(g.info().levels[2]).expect("a shipped level")));
    let mut longest = 0;
    for doc in docs {
        let map = |mode| {
            let mut probe = Probe::new(Limits::nodes(300_000)).with_mode(mode);
            doc.positions_now(2_000, &mut probe).expect("it can be played")
        };
        let alone = map(Mode::Reproducible);
        assert_eq!(alone, map(Mode::Fast { threads: 2 }));
        longest = longest.max(alone.0.layers().len());
    }
    assert!(longest > 75, "{longest}");
}

#[test]
fn a_large_level_is_sampled_and_says_so() {
    for game in games::offered() {
        let id = game.info().id;
        // Lines of a game against an opponent are for another stage than play's.
        let Some((text, line)) = generated(*game, 3).pop() else { continue };
        let doc = game.read_native(&text).expect("it was just written");
        let mut probe = Probe::new(Limits::nodes(60_000));
        let (map, states) = doc.positions_now(2_000, &mut probe).expect("it can be played");
        assert_eq!(map.len(), states.len());
        if map.is_whole() {
            continue;
        }
        assert!(map.len() <= 4_000, "{id}: {}", map.len());
        assert!(map.sentence().starts_with("Sampled: ") && map.bottlenecks().is_empty());
        // The way to the end is never called lost.
        let mut here = doc.position(false).expect("a start");
        assert!(here.follow(&line, 0), "{id}");
        let all = line.split_whitespace().count();
        for but in 0..=all {
            let mut here = doc.position(false).expect("a start");
            if here.follow(&line, but) {
                here.forget();
                let on_map = states.iter().position(|s| *s == here.state());
                assert!(on_map.is_none_or(|i| map.fate(i as u32) != Fate::Lost), "{id}");
            }
        }
    }
}
