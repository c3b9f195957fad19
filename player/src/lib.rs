//! The core in a web page, behind exported functions of numbers. Texts and figures go through two buffers that both sides see.
//!
//! There is no wasm-bindgen: a dozen functions need no generated glue, and no tool whose version must match.

mod page;

use page::{Act, Page, Question};
use std::{sync::Mutex, time::Duration};
use tilewright::{
    clock,
    game::{Input, Key},
    grid::Dir,
    picture::point,
};

#[link(wasm_import_module = "env")]
unsafe extern "C" {
    /// Milliseconds since the page began.
    safe fn now() -> f64;
    /// A search has found a line: its text in memory.
    safe fn found(text: *const u8, length: usize);
    /// The program fails; the message in memory says why. A trap follows.
    safe fn failed(text: *const u8, length: usize);
}

#[derive(Default)]
struct Buffers {
    text: Vec<u8>,
    floats: Vec<f32>,
}

static PAGE: Mutex<Option<Page>> = Mutex::new(None);
static BUFFERS: Mutex<Buffers> = Mutex::new(Buffers { text: Vec::new(), floats: Vec::new() });

fn buffers<R>(f: impl FnOnce(&mut Buffers) -> R) -> R {
    f(&mut BUFFERS.lock().unwrap_or_else(|e| e.into_inner()))
}

fn with<R>(f: impl FnOnce(&mut Page) -> R) -> R {
    f(PAGE.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert_default())
}

/// The text that was put in the buffer, without white space around it: an empty one is put there as a space.
fn taken() -> String {
    buffers(|b| String::from_utf8_lossy(&b.text).trim().to_owned())
}

/// Puts a text in the buffer; its length.
fn give(text: String) -> usize {
    buffers(|b| {
        b.text = text.into_bytes();
        b.text.len()
    })
}

/// Called once, before anything else.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    clock::set(|| Duration::from_secs_f64(now().max(0.0) / 1000.0));
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        failed(text.as_ptr(), text.len());
    }));
}

/// Makes room for a text of `length` bytes and says where. The text that a function has put there is found with length 0.
#[unsafe(no_mangle)]
pub extern "C" fn text(length: usize) -> *mut u8 {
    buffers(|b| {
        if length > 0 {
            b.text = vec![0; length];
        }
        b.text.as_mut_ptr()
    })
}

/// Opens the level in the buffer: 1 if it can be played.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> u32 {
    let text = taken();
    with(|p| p.open(&text)).into()
}

/// What stays the same, as JSON in the buffer: its length.
#[unsafe(no_mangle)]
pub extern "C" fn about() -> usize {
    give(with(|p| p.about()).to_string())
}

/// How the game stands, as JSON; `par` is negative while it is not known.
#[unsafe(no_mangle)]
pub extern "C" fn status(par: i32) -> usize {
    give(with(|p| p.status(u32::try_from(par).ok())).to_string())
}

/// The board in words, as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn words() -> usize {
    give(with(|p| p.words()).to_string())
}

/// 0 hover, 1 press, 2 drag, 3 release, 4 the pointer leaves, 5 the wheel turns by `y`: 1 if it meant something.
#[unsafe(no_mangle)]
pub extern "C" fn pointer(kind: u32, x: f32, y: f32) -> u32 {
    let at = point(x, y);
    let input = match kind {
        0 => Input::Hover(Some(at)),
        1 => Input::Press(at),
        2 => Input::Drag(at),
        3 => Input::Release(at),
        4 => Input::Hover(None),
        _ => Input::Wheel(y),
    };
    with(|p| p.input(&input)).into()
}

/// 0 to 3 up, right, down, left; 4 activate; 5 cancel; 6, 7 next, previous; 8, 9 turn clockwise, back; 10 mirror; else a character: 1 if it meant something.
#[unsafe(no_mangle)]
pub extern "C" fn key(code: u32) -> u32 {
    let key = match code {
        0..=3 => Key::Dir(Dir::ALL[code as usize]),
        4 => Key::Activate,
        5 => Key::Cancel,
        6 | 7 => Key::Next(code == 6),
        8 | 9 => Key::Turn(code == 8),
        10 => Key::Mirror,
        _ => Key::Char(char::from_u32(code).unwrap_or(' ')),
    };
    with(|p| p.input(&Input::Key(key))).into()
}

/// Does what [`Act::ALL`] has at this place, with a number and the text in the buffer: 1 if it could be done.
#[unsafe(no_mangle)]
pub extern "C" fn act(what: usize, n: usize) -> u32 {
    let text = taken();
    Act::ALL.get(what).is_some_and(|act| with(|p| p.act(*act, n, &text))).into()
}

/// Draws the game in play (`step` -1) or a step: the number of floats (see [`Page::draw`]) at [`floats`].
#[unsafe(no_mangle)]
pub extern "C" fn draw(step: i32, cell_px: f32, light: u32) -> usize {
    buffers(|b| {
        with(|p| p.draw(usize::try_from(step).ok(), cell_px, light == 1, &mut b.floats));
        b.floats.len()
    })
}

/// Where the floats are.
#[unsafe(no_mangle)]
pub extern "C" fn floats() -> *const f32 {
    buffers(|b| b.floats.as_ptr())
}

/// Answers 0 par, 1 solve with at most `nodes`, 2 hint, 3 the opponent's move, for the position after the moves in the buffer; as JSON.
#[unsafe(no_mangle)]
pub extern "C" fn answer(question: u32, nodes: f64) -> usize {
    let question = match question {
        0 => Question::Par,
        1 => Question::Solve(nodes as u64),
        2 => Question::Hint,
        _ => Question::Reply,
    };
    let moves = taken();
    give(with(|p| p.answer(question, &moves, |line| found(line.as_ptr(), line.len()))).to_string())
}
