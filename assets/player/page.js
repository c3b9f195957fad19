'use strict';
// The page around a level: it paints the figures that the module draws, hands pointer and keys to it, and keeps progress in the browser. Everything about the
// games is in the module, which is compiled from the program. What takes time is asked of a second instance in a worker.

const $ = id => document.getElementById(id);
const canvas = $('board'), pen = canvas.getContext('2d');
const levels = JSON.parse($('levels').textContent);
const light = matchMedia('(prefers-color-scheme: light)'), still = matchMedia('(prefers-reduced-motion: reduce)');
/** Edges are drawn centred on the rim, so the canvas is a little larger than the board. */
const MARGIN = 0.12;
const ACTS = ['undo', 'redo', 'restart', 'offer', 'moves', 'stored', 'line', 'step', 'takeOver', 'animate'];
const QUESTIONS = { par: 0, solve: 1, hint: 2, reply: 3 };

/** An instance of the module. */
async function instance(module, found) {
  let message = '';
  const read = (at, length) => new TextDecoder().decode(new Uint8Array(core.memory.buffer, at, length));
  const env = { now: () => performance.now(), found: (at, n) => found(read(at, n)), failed: (at, n) => { message = read(at, n); } };
  const core = (await WebAssembly.instantiate(module, { env })).exports;
  core.start();
  return {
    core,
    put(text) {
      const bytes = new TextEncoder().encode(text || ' '), at = core.text(bytes.length);
      new Uint8Array(core.memory.buffer, at, bytes.length).set(bytes);
    },
    json: length => JSON.parse(read(core.text(0), length)),
    why: error => message || String(error),
  };
}

/** The worker: opens the level it is asked about, answers, and says what it finds on the way. */
function worker() {
  let player, open;
  onmessage = async ({ data: { module, level, moves, question, nodes } }) => {
    try {
      player ??= await instance(module, line => postMessage({ line }));
      if (open !== level) {
        player.put(level);
        player.core.open();
        open = level;
      }
      player.put(moves);
      postMessage({ answer: player.json(player.core.answer(question, nodes)) });
    } catch (error) {
      postMessage({ failed: player ? player.why(error) : String(error) });
    }
  };
}
const workerText = URL.createObjectURL(new Blob([`${instance}\n(${worker})()`], { type: 'text/javascript' }));

/** A worker with at most one question. A new question, or `stop`, ends the one before. */
class Helper {
  ask(kind, moves, nodes, done, found) {
    if (this.busy) this.stop();
    this.busy = kind;
    this.worker ??= new Worker(workerText);
    const end = reply => {
      this.busy = null;
      // A module that has failed cannot be used again.
      if ('failed' in reply) this.stop();
      done(reply);
    };
    this.worker.onmessage = ({ data }) => ('line' in data ? found?.(data.line) : end(data));
    this.worker.onerror = event => end({ failed: event.message || 'the worker could not be started' });
    this.worker.postMessage({ module, level: levels[at].native, moves, question: QUESTIONS[kind], nodes: nodes ?? 0 });
  }
  stop() {
    this.worker?.terminate();
    this.worker = this.busy = null;
  }
}

let module, player, about = {}, now = {}, at = 0;
/** One for what the player waits for, one for what may take long. */
const quick = new Helper(), slow = new Helper();
/** The step of the line that is shown, or -1 in play. */
let step = -1, running = 0;
/** Par, once known, and the best line that was found for it. */
let par = -1, best = null, searched = false;
let hint = null, solving = 0, say = '';
let bannerClosed = false, held = null, asked = false, cell = 48, extent = [0, 0, 1, 1];

const act = (name, n = 0, text = '') => {
  player.put(text);
  return player.core.act(ACTS.indexOf(name), n) === 1;
};

/** Runs what uses the module. It cannot be used again after a failure, so the page says so. */
function guarded(work) {
  return (...args) => {
    if (!player) return undefined;
    try {
      return work(...args);
    } catch (error) {
      fail(player.why(error));
      return undefined;
    }
  };
}

function fail(why, what = 'The player has stopped because of an error', next = 'Your progress is kept. Load the page again to go on.') {
  player = null;
  quick.stop();
  slow.stop();
  clearInterval(running);
  $('banner').className = 'lost';
  $('banner').hidden = false;
  for (const id of ['stars', 'next', 'back']) $(id).hidden = true;
  $('verdict').textContent = what;
  $('score').textContent = `${next} (${why})`;
  $('again').hidden = false;
  $('again').textContent = 'Load the page again';
  $('again').onclick = () => location.reload();
  for (const button of document.querySelectorAll('#controls button, #steps button, #offers button')) button.disabled = true;
}

// ---------------------------------------------------------------------------------------------------------------- progress

/** What is remembered of a level, by what it is and not by where the page is. Without storage (some private windows) it lasts as long as the page. */
const memory = {};
function recall(id) {
  try {
    return JSON.parse(localStorage.getItem(`tilewright/${id}`)) ?? memory[id] ?? {};
  } catch {
    return memory[id] ?? {};
  }
}
function remember(id, record) {
  memory[id] = record;
  try {
    localStorage.setItem(`tilewright/${id}`, JSON.stringify(record));
  } catch { /* It is in `memory`. */ }
}

const starText = n => '★'.repeat(n) + '☆'.repeat(3 - n);

/** Keeps the game in play and, if it is won, what it was worth. */
function keep() {
  if (!about.id) return;
  const record = recall(about.id);
  record.line = now.line;
  if (now.status === 'won' && !now.taken) {
    record.won = true;
    if (record.count === undefined || now.count < record.count) record.count = now.count;
    record.stars = Math.max(record.stars ?? 0, now.stars ?? 0);
  }
  remember(about.id, record);
  label(at, record);
}

function label(index, record) {
  const option = $('which').options[index];
  if (option) option.textContent = `${index + 1}. ${levels[index].title}${record.won ? ` ${record.stars ? starText(record.stars) : '✓'}` : ''}`;
}

// ---------------------------------------------------------------------------------------------------------------- painting

const paint = guarded(() => {
  const ratio = devicePixelRatio || 1, room = $('room').getBoundingClientRect();
  const fit = () => Math.max(4, Math.floor(Math.min(room.width / extent[2], room.height / extent[3], 96) * ratio));
  const draw = () => {
    const length = player.core.draw(step, fit(), +light.matches);
    return new Float32Array(player.core.memory.buffer, player.core.floats(), length);
  };
  let f = draw();
  if (!f.length) return;
  const area = [f[2] - MARGIN, f[3] - MARGIN, f[4] + 2 * MARGIN, f[5] + 2 * MARGIN];
  // Small pictures leave out detail, so the size must be known first.
  if (area.some((v, i) => v !== extent[i])) {
    extent = area;
    f = draw();
  }
  // Whole pixels a cell: neighbouring rectangles meet without a seam.
  const scale = fit(), w = Math.round(extent[2] * scale), h = Math.round(extent[3] * scale);
  cell = scale / ratio;
  if (canvas.width !== w || canvas.height !== h) {
    [canvas.width, canvas.height] = [w, h];
    [canvas.style.width, canvas.style.height] = [`${w / ratio}px`, `${h / ratio}px`];
  }
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, w, h);
  pen.setTransform(scale, 0, 0, scale, Math.round(-extent[0] * scale), Math.round(-extent[1] * scale));
  pen.lineJoin = pen.lineCap = 'round';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  figures(f, 6, scale);
  if (step < 0 && hint?.shown) lights(hint.stages[hint.shown - 1].areas);
  const clock = f[1] >= 0 ? `${Math.ceil(f[1])} s for this turn` : '';
  if ($('clock').textContent !== clock) {
    $('clock').textContent = clock;
    // The clock may have made a move.
    update();
  }
  if (f[0]) ask();
  else if (f[1] >= 0) setTimeout(ask, 200);
});

const ask = () => {
  if (!asked) {
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      paint();
    });
  }
};

/** Paints the figures from `f[i]` on: kind, fill, opacity, line colour, opacity, line width, and what the kind needs. */
function figures(f, i, scale) {
  const colour = (rgb, opacity) => `rgb(${rgb >> 16} ${(rgb >> 8) & 255} ${rgb & 255} / ${opacity})`;
  while (i < f.length) {
    const [kind, fill, fillOpacity, line, lineOpacity, width] = f.subarray(i, i + 6);
    i += 6;
    pen.beginPath();
    if (kind === 0) {
      const [x, y, w, h] = f.subarray(i, i + 4), most = Math.max(0, Math.min(w, h) / 2);
      pen.roundRect(x, y, w, h, Array.from(f.subarray(i + 4, i + 8), r => Math.max(0, Math.min(r, most))));
      i += 8;
    } else if (kind === 1) {
      pen.arc(f[i], f[i + 1], Math.max(0, f[i + 2]), 0, 2 * Math.PI);
      i += 3;
    } else if (kind === 2 || kind === 3) {
      const count = f[i++];
      for (let k = 0; k < count; k++, i += 2) pen.lineTo(f[i], f[i + 1]);
      if (kind === 2) pen.closePath();
    } else {
      const [x, y, size, count] = f.subarray(i, i + 4);
      pen.save();
      // In pixels: browsers round small font sizes.
      pen.translate(x, y);
      pen.scale(1 / scale, 1 / scale);
      pen.font = `${size * scale * 0.76}px system-ui, sans-serif`;
      pen.fillStyle = colour(fill, fillOpacity);
      pen.fillText(String.fromCodePoint(...f.subarray(i + 4, i + 4 + count)), 0, 0);
      pen.restore();
      i += 4 + count;
      continue;
    }
    if (fillOpacity > 0) {
      pen.fillStyle = colour(fill, fillOpacity);
      pen.fill();
    }
    if (lineOpacity > 0 && width > 0) {
      pen.strokeStyle = colour(line, lineOpacity);
      pen.lineWidth = width;
      pen.stroke();
    }
  }
}

/** Lights the places of a hint. */
function lights(areas) {
  const colour = getComputedStyle(document.documentElement).getPropertyValue('--warn');
  for (const [x, y, w, h] of areas) {
    pen.beginPath();
    pen.roundRect(x + 0.04, y + 0.04, w - 0.08, h - 0.08, 0.1);
    pen.globalAlpha = 0.22;
    pen.fillStyle = colour;
    pen.fill();
    pen.globalAlpha = 1;
    pen.strokeStyle = colour;
    pen.lineWidth = 0.06;
    pen.stroke();
  }
}

// ---------------------------------------------------------------------------------------------------------------- state

/** Reads how the game stands and shows it; called after everything that may have changed it. */
const update = guarded(() => {
  const before = now.line;
  now = player.json(player.core.status(par));
  if (now.line !== before) {
    hint = null;
    if (quick.busy) quick.stop();
    say = '';
  }
  if (now.line !== before || now.status === 'won') keep();
  if (now.line !== before) words();
  if (now.thinking && !quick.busy) reply();
  show();
  ask();
});

function words() {
  const lines = player.json(player.core.words()) ?? [];
  $('words').replaceChildren(...lines.map(line => Object.assign(document.createElement('li'), { textContent: line })));
}

function show() {
  const stepping = step >= 0, over = now.status !== 'playing';
  document.body.dataset.status = now.status;
  document.body.dataset.view = stepping ? 'steps' : 'play';
  $('counts').textContent = now.counts;
  $('par').textContent = now.par ? `par ${now.par}` : '';
  $('notices').textContent = now.notices.slice(now.status === 'lost' || now.status === 'drawn' ? 1 : 0).join(' · ');
  $('controls').hidden = stepping;
  $('state').hidden = stepping;
  $('steps').hidden = !stepping;
  $('undo').disabled = now.moves === 0;
  $('redo').disabled = now.moves === now.known;
  $('hint').disabled = over || now.thinking;
  $('solution').textContent = solving ? 'Stop' : about.stored || best ? 'Solution' : 'Solve';
  $('offers').hidden = stepping || !now.offers.length;
  const offers = now.offers.map(([text, chosen], i) => {
    const button = Object.assign(document.createElement('button'), { textContent: text });
    button.ariaPressed = String(chosen);
    button.onclick = guarded(() => { act('offer', i); update(); });
    return button;
  });
  if ($('offers').textContent !== now.offers.map(o => o[0]).join('') || now.offers.some((o, i) => $('offers').children[i]?.ariaPressed !== String(o[1]))) {
    $('offers').replaceChildren(...offers);
  }
  if (stepping) {
    $('slide').max = now.steps;
    $('slide').value = step;
    $('slide').ariaValueText = `step ${step} of ${now.steps}`;
    $('first').disabled = $('previous').disabled = step === 0;
    $('forward').disabled = step === now.steps;
  }
  if (!over) bannerClosed = false;
  $('banner').hidden = stepping || !over || bannerClosed;
  $('banner').className = now.status;
  if (over) banner();
  const text = stepping ? `Step ${step} of ${now.steps}${now.next ? `: ${now.next}` : ''}`
    : solving ? `Looking for a solution … ${Math.round((performance.now() - solving) / 1000)} s`
    : quick.busy === 'hint' ? 'Thinking about a hint …'
    : now.thinking ? 'The opponent is thinking …'
    : hint?.shown ? hint.stages[hint.shown - 1].text : say || now.say;
  if ($('say').textContent !== text) $('say').textContent = text;
}

function banner() {
  const won = now.status === 'won', last = at + 1 >= levels.length;
  $('verdict').textContent = won ? 'Level complete!' : now.status === 'lost' ? 'Lost' : 'A draw';
  $('stars').hidden = !won || now.stars === null || now.taken;
  $('stars').textContent = starText(now.stars ?? 0);
  $('stars').ariaLabel = `${now.stars ?? 0} of 3 stars`;
  $('score').textContent = won ? `${now.counts}${now.par ? ` (par ${now.par})` : ''}${now.taken ? ', with the solution' : ''}` : now.notices[0] ?? now.counts;
  $('next').hidden = !won || last;
  $('back').hidden = won;
}

// ---------------------------------------------------------------------------------------------------------------- questions

/** The opponent's move. The player's own move is seen for a moment before it. */
function reply() {
  const line = now.line, since = performance.now();
  quick.ask('reply', line, 0, guarded(({ answer, failed }) => {
    if (failed) return fail(failed);
    const make = guarded(() => {
      if (now.line !== line || !answer) return;
      act('moves', 0, answer);
      update();
    });
    setTimeout(make, Math.max(0, 350 - (performance.now() - since)));
  }));
}

/** The next stage of the hint; a search is asked for the first. */
const giveHint = guarded(() => {
  if (step >= 0 || now.status !== 'playing' || now.thinking || quick.busy) return;
  if (hint) {
    hint.shown = Math.min(hint.shown + 1, hint.stages.length);
  } else {
    const line = now.line;
    quick.ask('hint', line, 0, guarded(({ answer, failed }) => {
      if (failed) say = `No hint: ${failed}`;
      else if (now.line === line && answer) hint = { stages: answer, shown: 1 };
      show();
      ask();
    }));
  }
  show();
  ask();
});

/** Finds par in the background, once. */
function askPar() {
  if (searched || slow.busy) return;
  slow.ask('par', '', 0, guarded(({ answer }) => {
    searched = true;
    if (answer) takeAnswer(answer);
    update();
  }));
}

function takeAnswer(answer) {
  if (answer.cost === null) return;
  par = answer.cost;
  best = answer.line;
}

/** Shows the stored solution, the one that was found for par, or one that is looked for now. */
const solution = guarded(() => {
  if (solving) return stopSolving();
  if (about.stored && act('stored')) return goTo(0);
  about.stored = 0;
  if (best && act('line', 0, best)) return goTo(0);
  solving = performance.now();
  const ticking = setInterval(() => (solving ? show() : clearInterval(ticking)), 1000);
  slow.ask('solve', '', 1e12, guarded(({ answer, failed }) => {
    solving = 0;
    searched = true;
    if (answer) takeAnswer(answer);
    if (best && act('line', 0, best)) return goTo(0);
    say = failed ? `The search has failed: ${failed}` : `No solution: ${answer.text}`;
    update();
  }), line => { best = line; });
  show();
});

/** What was found by then is shown. */
function stopSolving() {
  solving = 0;
  slow.stop();
  askPar();
  if (best && act('line', 0, best)) return goTo(0);
  say = 'Stopped: no solution found so far';
  show();
}

// ---------------------------------------------------------------------------------------------------------------- steps

const goTo = guarded(to => {
  step = Math.max(0, Math.min(to, player.json(player.core.status(par)).steps));
  act('step', step);
  if (step === now.steps) pause();
  update();
});
function pause() {
  clearInterval(running);
  running = 0;
  $('run').textContent = '▶';
  $('run').ariaLabel = 'Play the steps';
}
function run() {
  if (running) return pause();
  if (step === now.steps) goTo(0);
  running = setInterval(() => goTo(step + 1), 450);
  $('run').textContent = '❚❚';
  $('run').ariaLabel = 'Pause';
}
const leave = guarded(() => {
  pause();
  step = -1;
  update();
});

// ---------------------------------------------------------------------------------------------------------------- input

const place = event => {
  const box = canvas.getBoundingClientRect();
  return [(event.clientX - box.left) / cell + extent[0], (event.clientY - box.top) / cell + extent[1]];
};
const HOVER = 0, PRESS = 1, DRAG = 2, RELEASE = 3, LEAVE = 4, WHEEL = 5;
const feel = guarded((kind, event) => {
  if (step >= 0) return;
  player.core.pointer(kind, ...(kind === LEAVE ? [0, 0] : place(event)));
  if (kind === HOVER || kind === DRAG) ask();
  else update();
});
canvas.onpointerdown = event => {
  if (event.button || held !== null) return;
  held = event.pointerId;
  bannerClosed = true;
  canvas.setPointerCapture(held);
  feel(PRESS, event);
};
canvas.onpointermove = event => {
  if (held === null) return feel(HOVER, event);
  // All points of the way: a fast drag passes no cell by.
  if (event.pointerId === held) for (const one of event.getCoalescedEvents?.() ?? [event]) feel(DRAG, one);
};
canvas.onpointerup = event => {
  if (event.pointerId !== held) return;
  held = null;
  feel(RELEASE, event);
  if (event.pointerType !== 'mouse') feel(LEAVE, event);
};
canvas.onpointercancel = guarded(event => {
  if (event.pointerId !== held) return;
  held = null;
  player.core.key(5);
  feel(LEAVE, event);
});
canvas.onpointerleave = event => { if (held === null) feel(LEAVE, event); };
canvas.addEventListener('wheel', guarded(event => {
  if (step < 0 && player.core.pointer(WHEEL, 0, -Math.sign(event.deltaY))) {
    event.preventDefault();
    ask();
  }
}), { passive: false });

const KEYS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3, w: 0, d: 1, s: 2, a: 3, ' ': 4, Enter: 4, Escape: 5, PageDown: 6, PageUp: 7, t: 8, T: 9, f: 10 };
const keyed = guarded(event => {
  const key = event.key, command = event.ctrlKey || event.metaKey;
  if (step >= 0) {
    const to = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: 1e9 }[key];
    if (command || event.altKey) return false;
    if (to !== undefined) pause(), goTo(to);
    else if (key === 'Escape') leave();
    else if (key === ' ') run();
    else if (key === 't') $('take').click();
    else return false;
    return true;
  }
  if (event.altKey) return false;
  const code = KEYS[key] ?? (key.length === 1 ? key.codePointAt(0) : undefined);
  if (!command && code !== undefined && player.core.key(code)) {
    update();
    return true;
  }
  const press = { z: 'undo', Z: 'redo', y: 'redo', Backspace: 'undo', r: 'restart', h: 'hint', n: 'next' }[key];
  if (!press || (command && !'zZy'.includes(key)) || (press === 'next' && $('banner').hidden)) return false;
  $(press).click();
  return true;
});
addEventListener('keydown', event => {
  // Buttons, lists and fields have their keys to themselves.
  const within = what => event.target instanceof Element && event.target.closest(what);
  const busy = within('select, input, textarea') || (within('button, summary') && ['Enter', ' '].includes(event.key));
  if (!busy && event.key !== 'Tab' && keyed(event)) event.preventDefault();
});

const press = (id, work) => { $(id).onclick = guarded(work); };
for (const name of ['undo', 'redo', 'restart']) press(name, () => { act(name); update(); });
press('again', () => { act('restart'); update(); });
press('back', () => { act('undo'); update(); });
press('hint', giveHint);
press('solution', solution);
press('first', () => goTo(0));
press('previous', () => { pause(); goTo(step - 1); });
press('forward', () => { pause(); goTo(step + 1); });
press('run', run);
press('leave', leave);
press('take', () => { act('takeOver'); leave(); });
press('next', () => open(at + 1));
$('slide').oninput = event => { pause(); goTo(+event.target.value); };
$('which').onchange = event => open(+event.target.value);
$('copy').onclick = async () => {
  $('code').select();
  try {
    await navigator.clipboard.writeText($('code').value);
  } catch {
    // Pages from disk may have no clipboard; the selected text can be copied all the same.
    document.execCommand('copy');
  }
  $('copy').textContent = 'Copied';
  setTimeout(() => { $('copy').textContent = 'Copy for Tilewright'; }, 2000);
};
light.onchange = ask;
still.onchange = guarded(() => { act('animate', +!still.matches); });
new ResizeObserver(ask).observe($('room'));

// ---------------------------------------------------------------------------------------------------------------- levels

const open = guarded(index => {
  quick.stop();
  slow.stop();
  pause();
  [at, step, par, best, searched, hint, solving, say, held, bannerClosed] = [index, -1, -1, null, false, null, 0, '', null, false];
  now = {};
  player.put(levels[at].native);
  player.core.open();
  about = player.json(player.core.about());
  if (about.fault) return fail(about.fault, 'This level cannot be played', '');
  act('animate', +!still.matches);
  $('title').textContent = levels[at].title;
  if (levels.length === 1) document.title = levels[at].title;
  $('author').textContent = about.author && `by ${about.author}`;
  $('notes').hidden = !about.notes;
  $('notes').open = about.notes.length <= 240;
  $('notes').className = $('notes').open ? 'short' : '';
  $('notes-text').textContent = about.notes;
  $('game').textContent = about.game;
  canvas.ariaLabel = `${about.game} board`;
  $('rules').replaceChildren(...[about.summary, ...about.rules.split('\n\n')].map(text => Object.assign(document.createElement('p'), { textContent: text })));
  const common = [['Z, Shift+Z', 'undo, redo'], ['R', 'restart'], ['H', 'hint']];
  $('keys').replaceChildren(...[...about.keys, ...common].flatMap(([key, what]) => [
    Object.assign(document.createElement('dt'), { textContent: key }), Object.assign(document.createElement('dd'), { textContent: what })]));
  $('code').value = levels[at].code;
  $('which').value = at;
  history.replaceState(null, '', levels.length > 1 ? `#${at + 1}` : location.pathname + location.search);
  // A game that was left goes on, but one that is over begins again.
  const { line } = recall(about.id);
  if (line && act('moves', 0, line) && player.json(player.core.status(-1)).status !== 'playing') act('restart');
  update();
  askPar();
});

addEventListener('hashchange', () => {
  const index = parseInt(location.hash.slice(1), 10) - 1;
  if (index !== at && levels[index]) open(index);
});

(async () => {
  try {
    const bytes = Uint8Array.from(atob($('module').textContent), c => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
    player = await instance(module, () => {});
  } catch (error) {
    return fail(error.message ?? error, 'This browser cannot run the player', 'It needs WebAssembly, which current browsers have.');
  }
  levels.forEach((level, i) => {
    $('which').add(new Option('', i));
    label(i, recall(level.id));
  });
  $('picker').hidden = levels.length < 2;
  const wanted = parseInt(location.hash.slice(1), 10) - 1;
  open(levels[wanted] ? wanted : 0);
})();
