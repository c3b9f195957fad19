//! The module in `assets/player`, run by an interpreter, against the same code compiled natively.

use super::{
    SCRIPTS, module_bytes,
    page::{Act, Page, Question},
    shipped,
};
use serde_json::Value;
use tilewright::{
    game::{Input, Key},
    games,
    grid::Dir,
    picture::point,
};
use wasmi::{Caller, Engine, Extern, Instance, Linker, Memory, Module, Store, WasmParams, WasmResults};

/// An instance of the module, as the page's script uses it.
struct Player {
    store: Store<String>,
    instance: Instance,
    memory: Memory,
}

impl Player {
    fn new(engine: &Engine, module: &Module) -> Player {
        let mut linker = Linker::<String>::new(engine);
        linker.func_wrap("env", "now", || 0f64).expect("an import");
        linker.func_wrap("env", "found", |_: u32, _: u32| ()).expect("an import");
        let failed = |mut caller: Caller<'_, String>, at: u32, length: u32| {
            let Some(Extern::Memory(memory)) = caller.get_export("memory") else { return };
            let bytes = memory.data(&caller)[at as usize..][..length as usize].to_vec();
            *caller.data_mut() = String::from_utf8_lossy(&bytes).into_owned();
        };
        linker.func_wrap("env", "failed", failed).expect("an import");
        let mut store = Store::new(engine, String::new());
        let instance = linker.instantiate_and_start(&mut store, module).expect("an instance");
        let memory = instance.get_memory(&store, "memory").expect("its memory");
        let mut player = Player { store, instance, memory };
        player.call::<_, ()>("start", ());
        player
    }

    fn call<P: WasmParams, R: WasmResults>(&mut self, name: &str, args: P) -> R {
        let function = self.instance.get_typed_func::<P, R>(&self.store, name).expect(name);
        let result = function.call(&mut self.store, args);
        result.unwrap_or_else(|e| panic!("{name}: {e}: {}", self.store.data()))
    }

    fn put(&mut self, text: &str) {
        let text = if text.is_empty() { " " } else { text };
        let at: u32 = self.call("text", text.len() as u32);
        self.memory.write(&mut self.store, at as usize, text.as_bytes()).expect("room");
    }

    fn json(&mut self, length: u32) -> Value {
        let at: u32 = self.call("text", 0u32);
        let bytes = &self.memory.data(&self.store)[at as usize..][..length as usize];
        serde_json::from_slice(bytes).expect("JSON")
    }

    fn status(&mut self, par: i32) -> Value {
        let length = self.call("status", par);
        self.json(length)
    }

    fn floats(&mut self, step: i32, cell_px: f32, light: bool) -> Vec<f32> {
        let length: u32 = self.call("draw", (step, cell_px, u32::from(light)));
        let at: u32 = self.call("floats", ());
        let bytes = &self.memory.data(&self.store)[at as usize..][..length as usize * 4];
        bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
    }
}

fn load() -> (Engine, Module) {
    let engine = Engine::default();
    let module = Module::new(&engine, module_bytes()).expect("a module");
    (engine, module)
}

const STALE: &str =
    "the core has changed since assets/player/player.wasm.gz was built: rebuild the player with player/build";

/// Functions such as the sine may differ in their last bit.
fn assert_same_figures(a: &[f32], b: &[f32], what: &str) {
    let same = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-4 * a.abs().max(1.0));
    assert!(same, "{what}: other figures. {STALE}");
}

#[test]
fn the_module_gives_the_status_figures_hints_and_node_counts_of_the_core_for_shipped_levels() {
    let (engine, module) = load();
    for game in games::offered() {
        let levels = game.info().levels;
        // The first, the last, and one in the middle: the tutorial, the hardest, the features.
        for number in [1, levels.len() / 2, levels.len()] {
            let (mut player, mut page) = (Player::new(&engine, &module), Page::default());
            let text = shipped(game.info().id, number);
            let what = format!("{} {number}", game.info().id);
            player.put(text);
            assert_eq!(player.call::<_, u32>("open", ()) == 1, page.open(text), "{what}. {STALE}");
            let length = player.call("about", ());
            assert_eq!(player.json(length), page.about(), "{what}. {STALE}");
            assert_eq!(player.status(7), page.status(Some(7)), "{what}. {STALE}");
            let mut figures = Vec::new();
            for (px, light) in [(48.0, false), (9.0, true)] {
                page.draw(None, px, light, &mut figures);
                assert_same_figures(&player.floats(-1, px, light), &figures, &what);
            }
            player.put("");
            let length = player.call("answer", (1u32, 1_500f64));
            assert_eq!(player.json(length), page.answer(Question::Solve(1_500), "", |_| ()), "{what}. {STALE}");
        }
    }
}

#[test]
fn the_first_levels_are_won_by_pointer_with_undo_hint_and_solution() {
    let (engine, module) = load();
    for script in &SCRIPTS {
        let (mut player, mut page) = (Player::new(&engine, &module), Page::default());
        let text = shipped(script.game, 1);
        player.put(text);
        assert!(player.call::<_, u32>("open", ()) == 1 && page.open(text));
        player.put("");
        let length = player.call("answer", (2u32, 0f64));
        let hint = player.json(length);
        assert_eq!(hint, page.answer(Question::Hint, "", |_| ()), "{STALE}");
        assert_eq!(hint.as_array().map(Vec::len), Some(2), "two stages of a hint: {hint}");
        for way in script.ways {
            let (first, last) = (way[0], way[way.len() - 1]);
            let mut inputs = vec![(1, first)];
            inputs.extend(
                way.windows(2)
                    .flat_map(|w| {
                        // As a hand moves: in small steps.
                        (1..=8)
                            .map(|i| i as f32 / 8.0)
                            .map(|t| (w[0].0 + (w[1].0 - w[0].0) * t, w[0].1 + (w[1].1 - w[0].1) * t))
                    })
                    .map(|p| (2, p)),
            );
            inputs.push((3, last));
            for (kind, (x, y)) in inputs {
                player.call::<_, u32>("pointer", (kind as u32, x, y));
                page.input(&match kind {
                    1 => Input::Press(point(x, y)),
                    2 => Input::Drag(point(x, y)),
                    _ => Input::Release(point(x, y)),
                });
            }
        }
        let won = page.status(Some(1));
        assert_eq!(won["status"], "won", "{}: {won}", script.game);
        assert_eq!(player.status(1), won, "{STALE}");
        // What is kept in the browser leads back to the same position.
        let line = won["line"].as_str().expect("a line").to_owned();
        let mut again = Page::default();
        again.open(text);
        assert!(again.act(Act::Moves, 0, &line));
        assert_eq!(again.status(Some(1)), won);
        assert!(page.act(Act::Undo, 0, "") && player.call::<_, u32>("act", (0u32, 0u32)) == 1);
        assert_eq!(page.status(None)["status"], "playing");
        // The best line, found by the worker, is stepped through.
        let answer = page.answer(Question::Par, "", |_| ());
        let line = answer["line"].as_str().expect("a line").to_owned();
        player.put(&line);
        assert!(page.act(Act::Line, 0, &line) && player.call::<_, u32>("act", (6u32, 0u32)) == 1);
        assert_eq!(player.status(-1), page.status(None), "{STALE}");
        let mut figures = Vec::new();
        page.draw(Some(1), 48.0, false, &mut figures);
        assert_same_figures(&player.floats(1, 48.0, false), &figures, script.game);
    }
}

#[test]
fn keys_win_the_first_push_and_the_opponents_answers_come_from_outside() {
    let mut page = Page::default();
    page.open(shipped("sbokena", 1));
    for _ in 0..2 {
        assert!(page.input(&Input::Key(Key::Dir(Dir::Right))));
    }
    assert_eq!(page.status(None)["status"], "won");

    let duel = games::by_id("readout").expect("a game").info().levels.iter().find(|t| t.contains("\"easy\""));
    page.open(duel.expect("a level with an opponent"));
    let dirs = [Dir::Up, Dir::Right, Dir::Down, Dir::Left];
    assert!(dirs.into_iter().any(|d| page.input(&Input::Key(Key::Dir(d))) && page.status(None)["thinking"] == true));
    let line = page.status(None)["line"].as_str().expect("a line").to_owned();
    let reply = page.answer(Question::Reply, &line, |_| ());
    assert!(page.act(Act::Moves, 0, reply.as_str().expect("an answer")));
    let status = page.status(None);
    assert_eq!(status["thinking"], false, "{status}");
    // The whole game, the opponent's moves included, is made again.
    let mut again = Page::default();
    again.open(duel.expect("a level"));
    assert!(again.act(Act::Moves, 0, status["line"].as_str().expect("a line")));
    assert_eq!(again.status(None), status);
}
