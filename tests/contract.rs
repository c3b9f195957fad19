//! The laws: what every registered game keeps, the hidden ones included. No game is named here; a new one is held to all of it by its line in
//! the registry. Everything is bounded by nodes and seeded, so a failure can be repeated.

use rand::{RngExt as _, seq::IndexedRandom as _};
use std::collections::BTreeSet;
use tilewright::{
    document::{AnyGame, Board, Doc, Position, Selection, Tried},
    formats,
    game::{Gesture, Ink, Input, Key, Severity, Status, Value, Values, rng},
    games,
    grid::{Dir, Size, Spot, Sym, cell},
    job::{Limits, Probe},
    picture::{Colours, Figure, Picture, Point, point},
};

const SOLVE_NODES: u64 = 150_000;

fn probe(nodes: u64) -> Probe {
    Probe::new(Limits { nodes: Some(nodes), time: None, memory: Some(1 << 30) })
}

fn read(text: &str) -> Box<dyn Doc> {
    let mut docs = formats::read(text.as_bytes()).unwrap_or_else(|e| panic!("{e} in\n{text}"));
    assert_eq!(docs.len(), 1);
    docs.remove(0)
}

/// The level alone: without title, solutions and origin.
fn level_text(doc: &dyn Doc) -> String {
    let size = doc.board_size(Board::Draft);
    doc.copy_part(Selection { at: cell(0, 0), size })
}

fn generated(game: &dyn AnyGame, preset: &str, values: &Values, seed: u64) -> Box<dyn Doc> {
    let made = game.generate(preset, values, seed, &mut Probe::new(Limits::default()));
    made.unwrap_or_else(|e| panic!("{} {preset} seed {seed}: {e:?}", game.info().id)).doc
}

/// Some playable levels of a game: shipped ones and one generated level a preset.
fn samples(game: &dyn AnyGame) -> Vec<(String, Box<dyn Doc>)> {
    let id = game.info().id;
    let mut all: Vec<_> =
        game.info().levels.iter().enumerate().map(|(i, t)| (format!("{id} shipped {}", i + 1), read(t))).collect();
    // A dozen of many: the first, which are small, and some of the rest.
    if all.len() > 8 {
        let stride = all.len() / 4;
        let mut keep = (0..all.len()).map(|i| i < 4 || i % stride == stride - 1).collect::<Vec<_>>().into_iter();
        all.retain(|_| keep.next().unwrap_or(false));
    }
    for preset in game.presets() {
        all.push((format!("{id} {} seed 7", preset.id), generated(game, preset.id, &preset.values, 7)));
    }
    all
}

fn each_game(law: impl Fn(&'static dyn AnyGame)) {
    for game in games::all() {
        law(game);
    }
}

fn each_level(law: impl Fn(&str, Box<dyn Doc>)) {
    each_game(|game| {
        for (name, doc) in samples(game) {
            law(&name, doc);
        }
    });
}

// ------------------------------------------------------------------------------------------------------------ what a game says

#[test]
fn a_game_says_what_panels_and_commands_need() {
    let mut ids = BTreeSet::new();
    each_game(|game| {
        let info = game.info();
        for text in [info.id, info.name, info.summary, info.rules, info.notation] {
            assert!(!text.trim().is_empty(), "{}", info.id);
        }
        assert!(!info.counts.is_empty() && !game.goals().is_empty() && !game.presets().is_empty(), "{}", info.id);
        assert!(info.par_goal < game.goals().len() && info.verdict_goal < game.goals().len(), "{}", info.id);
        assert!(game.goals().iter().all(|g| g.count < info.counts.len()), "{}", info.id);
        for params in [game.params(), game.rules()] {
            for p in &params {
                p.check(&p.default).unwrap_or_else(|e| panic!("{}: the default: {e}", info.id));
                assert_eq!(p.parse(&p.default.to_string()), Ok(p.default.clone()), "{} {}", info.id, p.name);
                assert_eq!(params.iter().filter(|q| q.name == p.name).count(), 1, "{} {}", info.id, p.name);
            }
        }
        for preset in game.presets() {
            preset.values.checked(&game.params()).unwrap_or_else(|e| panic!("{} {}: {e}", info.id, preset.id));
        }
        let (least, most, new) = game.sizes();
        assert!(least.w <= new.w && new.w <= most.w && least.h <= new.h && new.h <= most.h, "{}", info.id);
    });
    for game in games::all() {
        assert!(ids.insert(game.info().id), "two games are called {}", game.info().id);
    }
}

// ------------------------------------------------------------------------------------------------------------------- the files

#[test]
fn a_file_reads_back_and_is_rewritten_byte_by_byte() {
    each_level(|name, doc| {
        let text = doc.native();
        let again = read(&text);
        assert_eq!(again.native(), text, "{name}");
        assert_eq!(again.game().info().id, doc.game().info().id, "{name}");
        assert_eq!((again.meta(), again.kept(), again.origin()), (doc.meta(), doc.kept(), doc.origin()), "{name}");
        let start = |d: &dyn Doc| d.position(false).map(|p| p.state());
        assert_eq!(start(&*again), start(&*doc), "{name}");
    });
}

#[test]
fn a_file_keeps_its_rule_switches() {
    each_game(|game| {
        for rule in game.rules() {
            let values: Vec<Value> = match &rule.kind {
                tilewright::game::Kind::Number { min, max, words } => {
                    [*min, *max].map(Value::Number).into_iter().chain(words.iter().map(|w| Value::from(*w))).collect()
                }
                tilewright::game::Kind::Switch => vec![true.into(), false.into()],
                tilewright::game::Kind::Choice(words) => words.iter().map(|w| Value::from(*w)).collect(),
            };
            for value in values {
                for mut doc in [game.blank(game.sizes().2), samples(game).remove(0).1] {
                    doc.set_rule(rule.name, &value).unwrap_or_else(|e| panic!("{}: {e}", game.info().id));
                    let held = doc.rule_values().1;
                    assert_eq!(held.0.get(rule.name), Some(&value), "{} {}", game.info().id, rule.name);
                    let again = read(&doc.native());
                    assert_eq!(again.rule_values().1, held, "{} {}={value}", game.info().id, rule.name);
                }
            }
        }
    });
}

#[test]
fn what_a_foreign_format_writes_it_reads() {
    each_game(|game| {
        for format in game.formats().into_iter().filter(|f| f.writes) {
            for (name, doc) in samples(game) {
                // A format may be unable to express a level; then it must say so.
                match game.write_format(format.id, &[doc.native()]) {
                    Err(fault) => assert!(!fault.text.is_empty(), "{name}"),
                    Ok(written) => {
                        let what = format!("{name} as {}", format.id);
                        let again = game.read_format(format.id, &written.text);
                        let again = again.unwrap_or_else(|e| panic!("{what}: {e} in\n{}", written.text));
                        let again: Vec<_> = again.collect();
                        assert_eq!(again.len(), 1, "{what}");
                        let known = formats::read(written.text.as_bytes()).unwrap_or_else(|e| panic!("{what}: {e}"));
                        assert_eq!(known.len(), 1, "{what}: recognised");
                        let rewritten = game.write_format(format.id, &[again[0].native()]);
                        let rewritten = rewritten.unwrap_or_else(|e| panic!("{what}, again: {e}"));
                        assert_eq!(rewritten.text, written.text, "{what}");
                    }
                }
            }
        }
    });
}

#[test]
fn shipped_levels_read_play_say_what_they_are_and_can_be_solved() {
    each_game(|game| {
        let mut titles = BTreeSet::new();
        for (i, text) in game.info().levels.iter().enumerate() {
            let name = format!("{} shipped level {}", game.info().id, i + 1);
            let mut doc = read(text);
            assert_eq!(doc.game().info().id, game.info().id, "{name}");
            let meta = doc.meta().clone();
            assert!(!meta.title.trim().is_empty() && !meta.notes.trim().is_empty(), "{name}: title and notes");
            assert!(titles.insert(meta.title.clone()), "{name}: a second \"{}\"", meta.title);
            let errors: Vec<_> = doc.problems().iter().filter(|p| p.severity == Severity::Error).collect();
            assert!(errors.is_empty() && doc.playable(), "{name}: {errors:?}");
            let kept = (0..doc.kept().len()).any(|k| doc.show_kept(k).is_ok());
            if !kept {
                let report = doc.solve_now(game.info().verdict_goal, &mut probe(3_000_000));
                assert_eq!(report.outcome(), "solved", "{name}");
            }
        }
    });
}

// ------------------------------------------------------------------------------------------------------------------- the rules

/// A walk of random legal moves and replies; calls `law` at every position of it, the last included.
fn walk(doc: &dyn Doc, seed: u64, steps: usize, mut law: impl FnMut(&dyn Position)) {
    let mut rng = rng(seed);
    let mut here = doc.position(false).expect("a playable level");
    for _ in 0..steps {
        law(&*here);
        if here.opponents_turn() {
            let replied = here.reply().expect("an opponent to move has a move");
            assert_eq!(replied, Ok(()), "the opponent's move is legal");
            continue;
        }
        let legal = here.legal();
        if legal.is_empty() {
            break;
        }
        here.play_legal(rng.random_range(0..legal.len())).expect("a listed move is legal");
    }
    law(&*here);
}

#[test]
fn every_listed_move_is_accepted_and_none_is_listed_once_the_game_is_over() {
    each_level(|name, doc| {
        walk(&*doc, 1, 25, |here| {
            let legal = here.legal();
            if here.status() != Status::Playing {
                assert!(legal.is_empty(), "{name}: moves after the end");
            }
            let before = here.state();
            for (after, text) in here.after_each().into_iter().zip(&legal) {
                let refused = after.err();
                assert_eq!(refused, None, "{name}: {text} after {}", here.line());
            }
            assert_eq!(here.state(), before, "{name}: a look ahead changed the position");
        });
    });
}

#[test]
fn no_move_is_accepted_once_the_game_is_over() {
    each_level(|name, doc| {
        for kept in doc.kept() {
            let goal = doc.game().goals().iter().position(|g| g.id == kept.goal).unwrap_or(0);
            let stage = doc.replay_level(goal);
            let doc = stage.as_deref().unwrap_or(&*doc);
            let Ok(rows) = doc.replay_now(&kept.moves, false) else { continue };
            // The moves of the line again, and each alone: whatever they meant before, they mean nothing after the end.
            for row in rows.iter().filter(|_| rows.last().is_some_and(|r| r.status != Status::Playing)) {
                let again = doc.replay_now(&format!("{} {}", kept.moves, row.text), false).expect("notation");
                let last = again.last().expect("a move");
                assert!(last.refused.is_some(), "{name}: {} was accepted after the end", row.text);
            }
        }
    });
}

#[test]
fn no_move_is_accepted_after_a_game_that_was_played_at_random_to_its_end() {
    each_game(|game| {
        for (name, doc) in samples(game).into_iter().take(3) {
            let mut legal_before = BTreeSet::new();
            walk(&*doc, 7, 130, |here| match here.status() {
                Status::Playing if here.opponents_turn() => {}
                Status::Playing => legal_before.extend(here.legal()),
                _ => {
                    for text in &legal_before {
                        let tried = here.fork().try_move(text);
                        assert!(matches!(tried, Tried::Refused(_)), "{name}: {text} after the end: {tried:?}");
                    }
                }
            });
        }
    });
}

#[test]
fn empty_tags_are_not_saved() {
    each_game(|game| {
        let mut doc = game.blank(game.sizes().2);
        let tags = ["", "a", " ", "b c", ""].map(String::from).into();
        doc.set_meta(tilewright::game::Meta { tags, ..doc.meta().clone() });
        assert_eq!(read(&doc.native()).meta().tags, ["a", "b c"], "{}", game.info().id);
    });
}

#[test]
fn sampled_moves_are_legal_exactly_when_play_accepts_them_and_a_refused_one_changes_nothing() {
    each_level(|name, doc| {
        // Moves that are legal somewhere in this level, or look as if they could be: tried everywhere else.
        let mut pool = BTreeSet::new();
        for seed in 0..3 {
            walk(&*doc, 100 + seed, 25, |here| {
                if !here.opponents_turn() {
                    pool.extend(here.legal());
                }
            });
        }
        let pool: Vec<_> = pool.into_iter().collect();
        let mut rng = rng(5);
        walk(&*doc, 2, 12, |here| {
            if here.opponents_turn() {
                return;
            }
            let listed = here.legal();
            let after: BTreeSet<_> = here.after_each().into_iter().flatten().map(|next| next.state()).collect();
            for _ in 0..60 {
                let Some(text) = pool.choose(&mut rng) else { return };
                let mut next = here.fork();
                match next.try_move(text) {
                    Tried::Made => {
                        let known = after.contains(&next.state()) || doc.game().endless();
                        assert!(known, "{name}: {text} is accepted but not listed after \"{}\"", here.line());
                    }
                    Tried::Refused(why) => {
                        assert_eq!(next.state(), here.state(), "{name}: the refused {text} changed something");
                        assert!(!listed.contains(text), "{name}: {text} is listed and refused: {}", why.text);
                        assert!(!why.reason.is_empty() && !why.text.is_empty(), "{name}: {text}: no reason");
                    }
                    Tried::Unreadable(why) => panic!("{name}: {text} was written but cannot be read: {why}"),
                }
            }
        });
    });
}

#[test]
fn notation_parses_back() {
    each_level(|name, doc| {
        for seed in 0..2 {
            walk(&*doc, 30 + seed, 25, |here| here.reads_back().unwrap_or_else(|e| panic!("{name}: {e}")));
        }
        assert_eq!(doc.rewrite_line(""), Ok(String::new()), "{name}: a line of no moves");
    });
}

#[test]
fn counts_never_shrink_and_start_at_nothing() {
    each_level(|name, doc| {
        let mut last: Option<Vec<u32>> = None;
        walk(&*doc, 3, 40, |here| {
            let counts = here.counts();
            assert_eq!(counts.len(), doc.game().info().counts.len(), "{name}");
            match &last {
                None => assert!(counts.iter().all(|c| *c == 0), "{name}"),
                Some(last) => assert!(counts.iter().zip(last).all(|(now, then)| now >= then), "{name}"),
            }
            last = Some(counts);
        });
    });
}

#[test]
fn a_position_can_be_told_in_words_and_rows() {
    each_level(|name, doc| {
        walk(&*doc, 4, 20, |here| {
            assert!(!here.board().is_empty(), "{name}");
            assert!(here.objects().iter().all(|(what, _)| !what.is_empty()), "{name}");
            assert_eq!(here.pieces().len(), here.legal().len(), "{name}");
        });
    });
}

// ----------------------------------------------------------------------------------------------------------------- solve, generate

#[test]
fn a_solvers_line_replays_to_a_win_and_its_numbers_agree() {
    each_level(|name, doc| {
        for (g, goal) in doc.game().goals().iter().enumerate() {
            let report = doc.solve_now(g, &mut probe(SOLVE_NODES));
            let what = format!("{name}, {}", goal.id);
            assert_eq!(report.goal, goal.id, "{what}");
            match report.outcome() {
                "solved" => {
                    let board = doc.replay_level(g).unwrap_or_else(|| doc.duplicate());
                    let moves = report.moves.clone().unwrap_or_else(|| panic!("{what}: no line"));
                    let rows = board.replay_now(&moves, false).unwrap_or_else(|e| panic!("{what}: {e}"));
                    assert!(rows.iter().all(|r| r.refused.is_none()), "{what}");
                    if let Some(last) = rows.last() {
                        assert_eq!(last.status, Status::Won, "{what}");
                    }
                    let (cost, bound) = (report.cost.expect("a cost"), report.bound.expect("a bound"));
                    assert!(bound <= cost, "{what}: the bound {bound} is above the cost {cost}");
                    assert!(!report.optimal() || bound == cost, "{what}: optimal {cost} with the bound {bound}");
                }
                "stopped" => assert!(report.stopped_by().is_some(), "{what}: by what"),
                other => {
                    // Every sample can be solved for its first goal. A goal played on another stage (against an opponent) may be out of reach.
                    let elsewhere = [0, g].iter().any(|g| doc.replay_level(*g).is_some());
                    assert!(g != 0 && elsewhere, "{what}: {other}");
                }
            }
        }
    });
}

#[test]
fn a_search_keeps_its_node_limit_and_is_the_same_every_time() {
    each_level(|name, doc| {
        for g in 0..doc.game().goals().len() {
            // An opponent's thoughts count too.
            for limit in [1, 30, 1000] {
                let mut probe = probe(limit);
                let report = doc.solve_now(g, &mut probe);
                assert!(report.nodes <= limit, "{name}: {} nodes of {limit}", report.nodes);
                assert_eq!(report.nodes, probe.progress.nodes, "{name}: what is said and what was counted");
            }
            let once = doc.solve_now(g, &mut probe(5_000));
            let twice = doc.solve_now(g, &mut probe(5_000));
            let facts = |r: &tilewright::analysis::Report| {
                (r.outcome(), r.optimal(), r.cost, r.bound, r.nodes, r.moves.clone(), r.tally)
            };
            assert_eq!(facts(&once), facts(&twice), "{name}");
        }
    });
}

#[test]
fn declared_symmetries_keep_the_verdict_and_the_minimum() {
    each_game(|game| {
        let mut some = samples(game);
        some.truncate(4);
        for (name, doc) in some {
            let goal = game.info().par_goal;
            let plain = doc.solve_now(goal, &mut probe(SOLVE_NODES));
            for sym in game.symmetries() {
                let Some(turned) = doc.turned(*sym) else { continue };
                let what = format!("{name} under {sym:?}");
                assert_eq!(turned.playable(), doc.playable(), "{what}");
                assert_eq!(turned.board_size(Board::Draft), sym.size(doc.board_size(Board::Draft)), "{what}");
                let report = turned.solve_now(goal, &mut probe(SOLVE_NODES));
                let known = |outcome| outcome != "stopped";
                if known(report.outcome()) && known(plain.outcome()) {
                    assert_eq!(report.outcome(), plain.outcome(), "{what}");
                }
                if report.optimal() && plain.optimal() {
                    assert_eq!(report.cost, plain.cost, "{what}");
                }
                if let Some(back) = turned.turned(sym.inverse()) {
                    assert_eq!(level_text(&*back), level_text(&*doc), "{what} and back");
                }
            }
        }
    });
}

#[test]
fn a_level_is_known_again_however_it_lies_and_whatever_it_is_called() {
    each_level(|name, mut doc| {
        let identity = doc.identity();
        for sym in doc.game().symmetries() {
            let Some(turned) = doc.turned(*sym) else { continue };
            assert_eq!(turned.identity().shape, identity.shape, "{name} {sym:?}");
        }
        let mut meta = doc.meta().clone();
        meta.title.push_str(" II");
        doc.set_meta(meta);
        assert_eq!(doc.identity(), identity, "{name}: a title does not count");
        assert_eq!(read(&doc.native()).identity(), identity, "{name}: a file keeps it");
    });
}

#[test]
fn generated_levels_are_playable_solvable_and_the_same_for_the_same_seed() {
    each_game(|game| {
        let mut levels = BTreeSet::new();
        for preset in game.presets() {
            for seed in [0, 1, u64::MAX] {
                let what = format!("{} {} seed {seed}", game.info().id, preset.id);
                let doc = generated(game, preset.id, &preset.values, seed);
                assert!(doc.playable(), "{what}: {:?}", doc.problems());
                let start = doc.position(false).expect("playable");
                assert_eq!(start.status(), Status::Playing, "{what}: over before it began");
                let mut shown = doc.duplicate();
                shown.show_kept(0).unwrap_or_else(|e| panic!("{what}: its own solution: {e}"));
                let report = doc.solve_now(game.info().verdict_goal, &mut probe(SOLVE_NODES));
                assert_ne!(report.outcome(), "unsolvable", "{what}");
                let again = generated(game, preset.id, &preset.values, seed);
                assert_eq!(again.native(), doc.native(), "{what}");
                let origin = doc.origin().expect("a generated level says how it was made");
                assert_eq!((origin.seed, origin.preset.as_str()), (seed, preset.id), "{what}");
                let remade = generated(game, &origin.preset, &origin.params, origin.seed);
                assert_eq!(remade.native(), doc.native(), "{what}: made again from its origin");
                levels.insert(level_text(&*doc));
            }
        }
        assert!(levels.len() > 1, "{}: all seeds give the same level", game.info().id);
    });
}

#[test]
fn a_generator_can_be_cancelled_and_refuses_nonsense() {
    each_game(|game| {
        let values = Values::default().with("no such thing", 1);
        assert!(game.generate("", &values, 1, &mut Probe::new(Limits::default())).is_err());
        let cancel = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        let mut probe = Probe::cancelled_by(Limits::default(), cancel);
        // It may be quick enough to be done before it looks; it must not hang or panic.
        let _ = game.generate("", &Values::default(), 1, &mut probe);
    });
}

#[test]
fn ratings_are_numbers_from_0_to_100_and_repeat() {
    each_game(|game| {
        let mut some = samples(game);
        some.truncate(3);
        for (name, doc) in some {
            let rating = doc.rate_now(20_000, &mut Probe::new(Limits::default()));
            if let Some(d) = rating.difficulty {
                assert!((0.0..=100.0).contains(&d), "{name}: {d}");
            }
            assert!(rating.problems.is_empty() && !rating.cancelled, "{name}");
            let again = doc.rate_now(20_000, &mut Probe::new(Limits::default()));
            assert_eq!(again, rating, "{name}");
        }
    });
}

// ---------------------------------------------------------------------------------------------------------------------- in play

/// Waits for the opponent.
fn settle(doc: &mut dyn Doc) {
    let began = std::time::Instant::now();
    while doc.thinking() {
        doc.tick();
        std::thread::sleep(std::time::Duration::from_millis(1));
        assert!(began.elapsed().as_secs() < 60, "the opponent does not answer");
    }
}

#[test]
fn undo_restores_exactly() {
    each_level(|name, mut doc| {
        let draft = doc.native();
        assert!(doc.play_from_start(), "{name}");
        doc.set_reply_delay(std::time::Duration::ZERO);
        let mut rng = rng(11);
        let mut states = vec![doc.play_state()];
        for _ in 0..15 {
            let line = doc.played_line();
            let legal = legal_here(&*doc, &line);
            let Some(mv) = legal.choose(&mut rng) else { break };
            let made = doc.play_line(mv).unwrap_or_else(|e| panic!("{name}: {mv}: {e}"));
            assert!(made.moved, "{name}: {mv} after \"{line}\": {made:?}");
            settle(&mut *doc);
            states.push(doc.play_state());
        }
        let line = doc.played_line();
        let counts = doc.counts();
        for k in (0..states.len() - 1).rev() {
            assert!(doc.undo(), "{name}");
            assert_eq!(doc.play_state(), states[k], "{name}: undone to {k} of \"{line}\"");
        }
        assert!(!doc.undo(), "{name}: nothing is left to undo");
        assert!(doc.played_line().is_empty() && doc.counts().iter().all(|(_, n)| *n == 0), "{name}");
        for state in &states[1..] {
            assert!(doc.redo(), "{name}");
            assert_eq!(&doc.play_state(), state, "{name}: redone");
        }
        assert!(!doc.redo(), "{name}");
        assert_eq!((doc.played_line(), doc.counts()), (line, counts), "{name}");
        doc.restart();
        assert_eq!(doc.play_state(), states[0], "{name}");
        assert_eq!(doc.native(), draft, "{name}: playing touched the draft");
    });
}

fn legal_here(doc: &dyn Doc, line: &str) -> Vec<String> {
    doc.legal_after(line).unwrap_or_else(|| panic!("\"{line}\" was played but is not legal"))
}

#[test]
fn any_input_is_harmless_and_can_be_undone() {
    each_level(|name, mut doc| {
        assert!(doc.play_from_start(), "{name}");
        doc.set_reply_delay(std::time::Duration::ZERO);
        let mut rng = rng(13);
        let area = doc.extent(Board::Play);
        let mut states = vec![doc.play_state()];
        for i in 0..120 {
            let p = point(
                area.x - 1.0 + rng.random_range(0.0..1.0) * (area.w + 2.0),
                area.y - 1.0 + rng.random_range(0.0..1.0) * (area.h + 2.0),
            );
            let input = match i % 11 {
                0 | 1 => Input::Press(p),
                2 | 3 => Input::Drag(p),
                4 => Input::Release(p),
                5 => Input::Hover(rng.random_bool(0.8).then_some(p)),
                6 => Input::Wheel(rng.random_range(-2.0..2.0)),
                7 => Input::Key(Key::Dir(*Dir::ALL.choose(&mut rng).expect("four"))),
                8 => Input::Key(*[Key::Activate, Key::Cancel, Key::Mirror].choose(&mut rng).expect("three")),
                9 => Input::Key(
                    *[Key::Next(true), Key::Next(false), Key::Turn(true), Key::Turn(false)]
                        .choose(&mut rng)
                        .expect("four"),
                ),
                _ => Input::Key(Key::Char(*['a', 'q', '1', '9', 'é'].choose(&mut rng).expect("five"))),
            };
            let (before, _) = doc.progress();
            doc.input(&input);
            settle(&mut *doc);
            let (after, _) = doc.progress();
            assert!(after >= before, "{name}: {input:?} took moves back");
            if after > before {
                states.push(doc.play_state());
            }
            sane(name, &doc.picture(Board::Play, &Colours::dark(), 40.0));
        }
        while doc.undo() {}
        assert_eq!(doc.play_state(), states[0], "{name}");
        for wild in [f32::NAN, f32::INFINITY, -1e30] {
            doc.input(&Input::Press(point(wild, wild)));
            doc.input(&Input::Drag(point(wild, 0.0)));
            doc.input(&Input::Release(point(0.0, wild)));
            doc.input(&Input::Hover(Some(point(wild, wild))));
            doc.spot_at(Board::Play, point(wild, wild));
        }
    });
}

#[test]
fn hints_of_all_stages_say_something() {
    each_level(|name, doc| {
        let report = doc.solve_now(doc.game().info().verdict_goal, &mut probe(SOLVE_NODES));
        let (Some(moves), None) = (report.moves, doc.replay_level(doc.game().info().verdict_goal)) else { return };
        let mut doc = doc;
        doc.keep(
            tilewright::game::Solution {
                goal: report.goal.into(),
                moves,
                counts: Default::default(),
                optimal: false,
                found: "test".into(),
            },
            false,
        );
        let index = doc.kept().len() - 1;
        doc.show_kept(index).unwrap_or_else(|e| panic!("{name}: {e}"));
        let rows: usize = doc.move_rows().iter().filter(|r| !r.reply).map(|r| r.moves.len()).sum();
        assert_eq!(rows, doc.line_len(), "{name}");
        for step in 0..doc.line_len().min(10) {
            doc.set_step(step);
            let hint = doc.next_move().unwrap_or_else(|| panic!("{name}: no hint at {step}"));
            assert!(!hint.text.is_empty(), "{name}");
            sane(name, &doc.picture(Board::Step(step), &Colours::light(), 30.0));
            for (i, _) in doc.game().overlays().iter().enumerate() {
                assert!(doc.overlay(Board::Step(step), i).iter().all(|(_, w)| (0.0..=1.0).contains(w)), "{name}");
            }
        }
        doc.set_step(doc.line_len());
        assert!(doc.take_over(), "{name}");
        assert_eq!(doc.status(), Status::Won, "{name}: the line taken over to its end");
    });
}

// -------------------------------------------------------------------------------------------------------------------- the editor

fn sane(name: &str, picture: &Picture) {
    let good = |p: &Point| p.x.is_finite() && p.y.is_finite();
    for figure in &picture.figures {
        let fine = match figure {
            Figure::Rect { area, round, .. } => {
                [area.x, area.y, area.w, area.h].iter().chain(round).all(|x| x.is_finite())
            }
            Figure::Circle { at, radius, .. } => good(at) && radius.is_finite(),
            Figure::Polygon { points, .. } | Figure::Line { points, .. } => points.iter().all(good),
            Figure::Text { at, size, .. } => good(at) && size.is_finite(),
        };
        assert!(fine, "{name}: {figure:?}");
    }
}

/// Least, usual and greatest, and both ways of not being square.
fn sizes(game: &dyn AnyGame) -> Vec<Size> {
    let (least, most, new) = game.sizes();
    let wide = Size::new((new.w + 2).min(most.w), new.h.saturating_sub(1).max(least.h));
    let mut all = vec![least, new, wide, Size::new(wide.h.clamp(least.w, most.w), wide.w.clamp(least.h, most.h)), most];
    all.dedup();
    all
}

/// Everything that is asked of a draft at any time.
fn look_at(name: &str, doc: &dyn Doc) {
    let colours = Colours::dark();
    sane(name, &doc.picture(Board::Draft, &colours, 40.0));
    sane(name, &doc.picture(Board::Draft, &colours, 4.0));
    for spot in doc.spots(Board::Draft) {
        assert!(!doc.describe(Board::Draft, spot).is_empty(), "{name}: nothing is said of {spot:?}");
        let area = doc.spot_area(Board::Draft, spot);
        assert!(area.w > 0.0 && area.h > 0.0, "{name}");
    }
    let size = doc.board_size(Board::Draft);
    for problem in doc.problems() {
        assert!(!problem.text.is_empty(), "{name}");
        assert!(problem.spots.iter().all(|s| size.contains(s.cell)), "{name}: off the board: {problem:?}");
    }
    let errors = doc.problems().iter().any(|p| p.severity == Severity::Error);
    assert_eq!(doc.playable(), !errors, "{name}");
    if let Some(here) = doc.position(true) {
        let _ = (here.status(), here.objects(), here.board(), here.legal());
    }
    // A draft without errors can be started.
    assert_eq!(doc.position(false).is_some(), doc.playable(), "{name}");
}

fn round_trips(name: &str, doc: &dyn Doc) {
    let text = doc.native();
    let again = read(&text);
    assert_eq!(again.native(), text, "{name}");
    assert_eq!(again.problems(), doc.problems(), "{name}: other problems after reading\n{text}");
}

#[test]
fn blank_drafts_of_all_sizes_bear_every_swatch_and_every_gesture() {
    each_game(|game| {
        for size in sizes(game) {
            let blank = game.blank(size);
            let name = format!("{} blank {} x {}", game.info().id, size.w, size.h);
            assert_eq!(blank.board_size(Board::Draft), size, "{name}");
            look_at(&name, &*blank);
            round_trips(&name, &*blank);
            let palette = blank.palette();
            assert!(!palette.swatches.is_empty(), "{name}: the eraser at least");
            let spots = blank.spots(Board::Draft);
            let mut rng = rng(17);
            for (swatch, about) in palette.swatches.iter().enumerate() {
                for sym in [Sym::IDENTITY, Sym::TURN, Sym::FLIP_H] {
                    let colour = if about.coloured { rng.random_range(0..palette.colours.len().max(1)) } else { 0 };
                    let ink = Ink { swatch, colour, sym };
                    sane(&name, &blank.draw_ink(ink, &Colours::light()));
                    for gesture in [Gesture::Spots, Gesture::Whole, Gesture::Once, Gesture::FromTo] {
                        let mut doc = blank.duplicate();
                        let stroke = random_stroke(&spots, gesture, &mut rng);
                        doc.paint(ink, &stroke, &[], "paint");
                        let what = format!("{name}, {} over {stroke:?}", about.id);
                        let _ = (doc.problems(), doc.position(true));
                        if size.area() <= 400 {
                            look_at(&what, &*doc);
                        }
                        round_trips(&what, &*doc);
                        doc.undo_edit();
                        assert_eq!(doc.native(), blank.native(), "{what}, undone");
                    }
                }
            }
        }
    });
}

/// The spots of a stroke as the window makes them for a gesture.
fn random_stroke(spots: &[Spot], gesture: Gesture, rng: &mut rand::rngs::ChaCha8Rng) -> Vec<Spot> {
    let Some(first) = spots.choose(rng).copied() else { return Vec::new() };
    match gesture {
        Gesture::Once => vec![first],
        Gesture::FromTo => {
            let last = *spots.choose(rng).unwrap_or(&first);
            if last == first { vec![first] } else { vec![first, last] }
        }
        Gesture::Spots | Gesture::Whole => {
            let mut stroke = vec![first];
            for _ in 0..rng.random_range(0..12) {
                let at = stroke[stroke.len() - 1].cell;
                let near: Vec<_> =
                    spots.iter().filter(|s| s.cell.distance(at) <= 1 && !stroke.contains(s)).copied().collect();
                match near.choose(rng) {
                    Some(next) => stroke.push(*next),
                    None => break,
                }
            }
            stroke
        }
    }
}

#[test]
fn random_strokes_never_panic_round_trip_and_are_undone_exactly() {
    each_game(|game| {
        for (s, size) in sizes(game).into_iter().enumerate().filter(|(_, s)| s.area() <= 400) {
            let name = format!("{} drawn {} x {}", game.info().id, size.w, size.h);
            let mut doc = game.blank(size);
            let mut rng = rng(19 + s as u64);
            let mut texts = vec![doc.native()];
            for k in 0..60 {
                let palette = doc.palette();
                let swatch = rng.random_range(0..palette.swatches.len());
                let about = &palette.swatches[swatch];
                let colour = if about.coloured { rng.random_range(0..palette.colours.len().max(1)) } else { 0 };
                let sym = *Sym::ALL.choose(&mut rng).expect("eight");
                let spots = doc.spots(Board::Draft);
                let stroke = random_stroke(&spots, about.gesture, &mut rng);
                let mirrors = if k % 5 == 0 { doc.painting_symmetries() } else { Vec::new() };
                // A stroke grows while it is drawn, and what is seen at the end is what a stroke of all spots gives.
                let ink = Ink { swatch, colour, sym };
                let colours = Colours::dark();
                let mut seen = doc.picture(Board::Draft, &colours, 20.0);
                for n in 1..=stroke.len() {
                    seen = doc.picture_painted(ink, &stroke[..n], &mirrors, &colours, 20.0);
                }
                assert_eq!(doc.native(), texts[texts.len() - 1], "{name}: a stroke that grows leaves the draft alone");
                doc.paint(ink, &stroke, &mirrors, "paint");
                assert!(doc.picture(Board::Draft, &colours, 20.0) == seen, "{name}: {ink:?} over {stroke:?}");
                if doc.native() != texts[texts.len() - 1] {
                    texts.push(doc.native());
                }
                round_trips(&name, &*doc);
                if k % 10 == 9 {
                    look_at(&name, &*doc);
                    for spot in spots {
                        let ink = doc.pick(spot);
                        assert!(ink.swatch < palette.swatches.len(), "{name}: picked {ink:?}");
                        let mut again = doc.duplicate();
                        again.paint(ink, &[spot], &[], "paint what is there");
                        round_trips(&name, &*again);
                    }
                }
            }
            assert!(texts.len() > 1, "{name}: nothing was drawn");
            let last = doc.native();
            let mut seen = vec![last.clone()];
            while doc.undo_edit().is_some() {
                seen.push(doc.native());
            }
            seen.reverse();
            seen.dedup();
            assert_eq!(seen, texts, "{name}: undone step by step");
            while doc.redo_edit().is_some() {}
            assert_eq!(doc.native(), last, "{name}: redone");
        }
    });
}

#[test]
fn turning_resizing_copying_and_commands_are_harmless_and_undone_exactly() {
    each_level(|name, mut doc| {
        let text = doc.native();
        let size = doc.board_size(Board::Draft);
        let (least, most, _) = doc.game().sizes();
        let undone = |doc: &mut dyn Doc, what: &str| {
            look_at(&format!("{name}, {what}"), doc);
            round_trips(&format!("{name}, {what}"), doc);
            while doc.undo_edit().is_some() {}
            assert_eq!(doc.native(), text, "{name}, {what}, undone");
        };
        for sym in Sym::ALL {
            doc.transform(sym);
            undone(&mut *doc, "turned");
        }
        for (w, h, shift) in [
            (size.w + 1, size.h, (1, 0)),
            (size.w, size.h.saturating_sub(1), (0, -1)),
            (1, 1, (0, 0)),
            (u16::MAX, u16::MAX, (2, 2)),
            (size.w, size.h, (i16::MAX, i16::MIN)),
        ] {
            doc.resize(Size::new(w, h), shift);
            let now = doc.board_size(Board::Draft);
            assert!((least.w..=most.w).contains(&now.w) && (least.h..=most.h).contains(&now.h), "{name}");
            undone(&mut *doc, "resized");
        }
        let part = Selection::between(cell(0, 0), cell(size.w as i16 / 2, size.h as i16 / 2));
        let copied = doc.copy_part(part);
        for at in [
            cell(0, 0),
            cell(1, 1),
            cell(-1, -1),
            cell(size.w as i16 - 1, 0),
            cell(i16::MAX, i16::MAX),
            cell(i16::MIN, 0),
        ] {
            let pasted = doc.paste(&copied, at);
            assert!(pasted.is_ok() || !copied.is_empty(), "{name}: {pasted:?}");
            undone(&mut *doc, "pasted");
            doc.move_part(part, at);
            undone(&mut *doc, "moved");
        }
        doc.clear_part(part, "clear");
        undone(&mut *doc, "cleared");
        for command in doc.commands() {
            for seed in 0..3 {
                let said = doc.run_command(command.id, seed);
                assert!(!said.unwrap_or_else(|e| e).is_empty(), "{name}, {}", command.id);
                undone(&mut *doc, command.id);
            }
        }
        for spot in doc.spots(Board::Draft).into_iter().take(30) {
            assert!(doc.region(spot).contains(&spot), "{name}");
        }
    });
}
