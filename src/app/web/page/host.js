// What the page is to the program: its canvas, keys and pointers, files, the address bar, memory from one visit to the
// next. The program's side is web_window.cpp and web_mirror.cpp. Nothing is drawn unless something happened.
'use strict';

const LEAST_WIDTH = 560;  // of the window, where nothing in it is left out yet
const HOME = '/home/web_user/';
const KEPT = ['.config/tilewalk/settings.toml', '.local/state/tilewalk/progress.toml'];

// Keys by what they write, then by where they lie; numbered as GLFW does.
const WRITTEN = {'+': 61, '=': 61, '-': 45, ',': 44, '.': 46, '/': 47, '?': 47};
const PLACED = {Space: 32, Quote: 39, Comma: 44, Minus: 45, Period: 46, Slash: 47, Semicolon: 59, Equal: 61,
  BracketLeft: 91, Backslash: 92, BracketRight: 93, Backquote: 96, Escape: 256, Enter: 257, Tab: 258, Backspace: 259,
  Insert: 260, Delete: 261, ArrowRight: 262, ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265, PageUp: 266, PageDown: 267,
  Home: 268, End: 269, NumpadDecimal: 330, NumpadDivide: 331, NumpadMultiply: 332, NumpadSubtract: 333,
  NumpadAdd: 334, NumpadEnter: 335, ShiftLeft: 340, ControlLeft: 341, AltLeft: 342, MetaLeft: 343, ShiftRight: 344,
  ControlRight: 345, AltRight: 346, MetaRight: 347};
for (let i = 0; i < 10; ++i) PLACED['Digit' + i] = 48 + i, PLACED['Numpad' + i] = 320 + i;
for (let i = 1; i <= 12; ++i) PLACED['F' + i] = 289 + i;
for (let i = 0; i < 26; ++i) PLACED['Key' + String.fromCharCode(65 + i)] = 65 + i;
// As session/command_table.h writes them.
const NAMES = {32: 'Space', 44: ',', 45: '−', 46: '.', 47: '/', 61: '+', 256: 'Esc', 257: 'Enter', 258: 'Tab',
  262: '→', 263: '←', 264: '↓', 265: '↑', 266: 'PgUp', 267: 'PgDn', 268: 'Home', 269: 'End'};
// Keys without Ctrl that a page would scroll, search or go back by.
const PAGE_KEYS = new Set([32, 39, 47, 258, 259, 262, 263, 264, 265, 266, 267, 268, 269]);
const POINTER_SHAPES = ['default', 'text', 'move', 'ns-resize', 'ew-resize', 'nesw-resize', 'nwse-resize', 'pointer',
  'not-allowed'];

function number_of(event) {
  if (/^[a-z]$/i.test(event.key)) return event.key.toUpperCase().charCodeAt(0);
  return WRITTEN[event.key] && !event.code.startsWith('Numpad') ? WRITTEN[event.key] : PLACED[event.code] || 0;
}

// A command line, as a shell reads it: words, some of them in single quotes.
function words_of(line) {
  const words = [];
  for (const [, word] of line.matchAll(/((?:'[^']*'|\\.|[^\s'\\])+)/g))
    words.push(word.replace(/'([^']*)'|\\(.)/g, (_, quoted, escaped) => quoted ?? escaped));
  return words;
}
const line_of = hash => decodeURIComponent(hash.replace(/^#/, '').replace(/\+/g, ' '));

class Host {
  frames = 0;  // that were shown
  turns = 0;   // of the program's loop
  chords = new Set();
  state = {};
  #element = id => document.getElementById(id);
  #due = false;
  #timer = 0;
  #down = new Map();  // keys by their place
  #touches = new Map();
  #address = {fragment: location.hash.slice(1), timer: 0};

  open() {
    this.canvas = this.#element('canvas');
    this.typed = this.#element('typed');
    const why = this.#what_is_missing();
    if (why) return this.fail(why);
    document.body.classList.add('window');
    this.#fit();
    globalThis.Module = {
      canvas: this.canvas, host: this,
      arguments: words_of(line_of(location.hash)),
      preRun: [() => this.#furnish()],
      setStatus: text => this.#show_progress(text),
      onAbort: what => this.fail('The program stopped: ' + what + '. Reload the page to begin again.'),
      print: text => console.log(text), printErr: text => console.warn(text),
    };
    const script = document.createElement('script');
    script.src = 'tilewalk.js';
    script.onerror = () => this.fail('tilewalk.js could not be loaded. Reload the page to try again.');
    document.body.append(script);
  }

  fail(text) {
    this.#element('cover').hidden = false;
    this.#element('bar').hidden = true;
    this.#element('why').textContent = text;
  }

  #what_is_missing() {
    const can = bytes => typeof WebAssembly == 'object' &&
      WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...bytes]));
    if (!can([1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]))
      return 'This browser has no WebAssembly SIMD, which the walk is computed with. Chromium 95, Firefox 100, ' +
        'Safari 16.4 and later have it.';
    if (!can([1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11]))
      return 'This browser has no WebAssembly exceptions. Chromium 95, Firefox 100, Safari 16.4 and later have them.';
    if (!document.createElement('canvas').getContext('webgl2'))
      return 'This browser gives no WebGL 2, which the window is drawn with. It may be switched off, or the graphics ' +
        'driver blocked.';
    return '';
  }

  #show_progress(text) {
    const [, done, all] = /\((\d+)\/(\d+)\)/.exec(text || '') || [];
    if (all) this.#element('bar').value = done / all;
  }

  // Before the program starts: what was kept, what can be fetched, and where files go when they take their place.
  #furnish() {
    Object.assign(ENV, {TILEWALK_ROOT: '/tilewalk', TILEWALK_PAGE: location.href.replace(/[?#].*/, ''),
      TILEWALK_THEME: matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark', HOME: HOME.slice(0, -1)});
    FS.chdir(HOME);
    for (const name of KEPT) {
      const text = localStorage.getItem('tilewalk/' + name);
      if (text === null) continue;
      FS.mkdirTree(HOME + name.replace(/\/[^/]*$/, ''));
      FS.writeFile(HOME + name, text);
    }
    const rename = FS.rename;
    FS.rename = (from, to) => {
      rename(from, to);
      this.#took_its_place(FS.lookupPath(to).path);
    };
    Module.addRunDependency('recordings');
    fetch('recordings/index.txt').then(answer => answer.ok ? answer.text() : '').then(text => {
      FS.mkdirTree('/tilewalk/assets/recordings');
      for (const name of text.split('\n')) if (name) FS.writeFile('/tilewalk/assets/recordings/' + name, '');
    }).finally(() => Module.removeRunDependency('recordings'));
  }

  #took_its_place(path) {
    if (!path.startsWith(HOME)) return;
    const name = path.slice(HOME.length);
    if (KEPT.includes(name)) {
      localStorage.setItem('tilewalk/' + name, FS.readFile(path, {encoding: 'utf8'}));
    } else if (!name.startsWith('.')) {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob([FS.readFile(path)]));
      link.download = name.replace(/.*\//, '');
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    }
  }

  // The program's loop, one call a frame of the screen, while there is something to do.
  request() {
    if (this.#due) return;
    this.#due = true;
    clearTimeout(this.#timer);
    requestAnimationFrame(() => this.#turn());
  }

  #turn() {
    this.#due = false;
    ++this.turns;
    const rest = Module._tilewalk_turn();
    if (this.turns == 1) this.#listen();
    this.canvas.style.cursor = POINTER_SHAPES[Module._tilewalk_pointer_shape()] || 'none';
    this.#focus();
    if (Number.isNaN(rest)) return this.fail('Tilewalk has ended. Reload the page to begin again.');
    if (this.frames > 0 && !this.#element('cover').hidden) {
      this.#element('cover').hidden = true;
      performance.mark('first frame');
    }
    if (rest == 0) this.request();
    else if (rest > 0) this.#timer = setTimeout(() => this.request(), rest * 1000);
  }

  // A text field of the window takes what is typed through an input of the page, which a phone shows its keyboard for.
  #focus() {
    const wanted = Module._tilewalk_takes_text() ? this.typed : this.canvas;
    if (document.activeElement != wanted && document.hasFocus()) wanted.focus({preventScroll: true});
  }

  // Pixels of the canvas to one of the window's. A page narrower than the window can be laid out in has it smaller.
  ratio() { return (devicePixelRatio || 1) * Math.min(1, innerWidth / LEAST_WIDTH); }

  #fit() {
    const ratio = devicePixelRatio || 1;
    const width = Math.round(innerWidth * ratio), height = Math.round(innerHeight * ratio);
    if (this.canvas.width == width && this.canvas.height == height) return;
    this.canvas.width = width, this.canvas.height = height;
  }

  #listen() {
    const on = (target, names, act, options) =>
      names.split(' ').forEach(name => target.addEventListener(name, act, options));
    on(window, 'resize', () => (this.#fit(), this.request()));
    on(document, 'visibilitychange', () => this.request());
    on(window, 'focus', () => this.request());
    on(window, 'blur', () => this.#let_go());
    on(window, 'pagehide', () => this.#address.timer && this.#write_address());
    on(document, 'keydown', event => this.#key(event, true));
    on(document, 'keyup', event => this.#key(event, false));
    on(this.typed, 'input', event => this.#type(event));
    on(this.typed, 'compositionend', event => this.#type(event));
    on(document, 'paste', event => this.#paste(event));
    on(this.canvas, 'pointerdown pointermove pointerup pointercancel', event => this.#point(event));
    on(this.canvas, 'pointerleave', () => Module._tilewalk_pointer(-1e6, -1e6));
    on(this.canvas, 'contextmenu', event => event.preventDefault());
    on(this.canvas, 'wheel', event => this.#wheel(event), {passive: false});
    on(this.canvas, 'webglcontextlost',
       () => this.fail('The browser took the graphics away. Reload the page to begin again.'));
    on(document, 'dragover', event => event.preventDefault());
    on(document, 'drop', event => (event.preventDefault(), this.take_files(event.dataTransfer.files)));
    on(this.#element('picked'), 'change', event => this.take_files(event.target.files));
    on(window, 'hashchange', () => { if (location.hash.slice(1) != this.#address.fragment) location.reload(); });
  }

  // Keys.

  #name_of(number, event) {
    const name = NAMES[number] || (number >= 290 && number <= 301 ? 'F' + (number - 289) : String.fromCharCode(number));
    const shift = event.shiftKey ? 'Shift+' : '';
    if (number == 47 && shift && !event.ctrlKey) return '?';
    return (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') + shift + name;
  }

  #key(event, down) {
    const number = down ? number_of(event) : this.#down.get(event.code) || 0;
    const ctrl = event.ctrlKey || event.metaKey, writes = event.key.length == 1 && (!ctrl || event.altKey);
    if (event.isComposing || !number && !writes) return;
    if (down && ctrl && number == 86) return;  // a paste, which comes with its text
    const typing = document.activeElement == this.typed;
    const taken = this.chords.has(this.#name_of(number, event)) && !(typing && !ctrl);
    if (taken || (typing ? number == 258 : !ctrl && !event.altKey && PAGE_KEYS.has(number))) event.preventDefault();
    if (event.altKey && !writes) return;
    if (down && writes && !typing) this.#text_after = event.key;
    if (number && !(down && event.repeat)) {
      if (down) this.#down.set(event.code, number); else this.#down.delete(event.code);
      Module._tilewalk_key(number, down, ctrl, event.shiftKey);
    }
    if (down && this.#text_after) Module.ccall('tilewalk_text', null, ['string'], [this.#text_after]);
    this.#text_after = '';
    this.request();
  }
  #text_after = '';

  #let_go() {
    for (const number of this.#down.values()) Module._tilewalk_key(number, false, false, false);
    this.#down.clear();
  }

  #type(event) {
    if (event.isComposing) return;
    const text = this.typed.value;
    this.typed.value = '';
    if (text) Module.ccall('tilewalk_text', null, ['string'], [text]);
    else if (event.inputType == 'deleteContentBackward') this.press(259);  // a phone's, which tells of no key
  }

  press(number, ctrl = false) {
    Module._tilewalk_key(number, true, ctrl, false);
    Module._tilewalk_key(number, false, false, false);
  }

  #paste(event) {
    Module.ccall('tilewalk_paste', null, ['string'], [event.clipboardData.getData('text')]);
    this.press(86, true);
    event.preventDefault();
  }

  // Pointers: a finger is a mouse, two fingers are its wheel.

  #place(event) {
    const scale = this.canvas.width / this.canvas.clientWidth;
    return [event.offsetX * scale, event.offsetY * scale];
  }

  #point(event) {
    const [x, y] = this.#place(event), touch = event.pointerType == 'touch';
    if (touch && this.#pinches(event, x, y)) return;
    Module._tilewalk_pointer(x, y);
    if (event.type == 'pointerdown') {
      this.canvas.setPointerCapture(event.pointerId);
      Module._tilewalk_button([0, 2, 1][event.button] || 0, true);
    } else if (event.type != 'pointermove') {
      Module._tilewalk_button([0, 2, 1][event.button] || 0, false);
      if (touch) Module._tilewalk_pointer(-1e6, -1e6);
    }
    event.preventDefault();
  }

  #pinches(event, x, y) {
    const touches = this.#touches, before = this.#spread();
    if (event.type == 'pointerdown' || event.type == 'pointermove' && touches.has(event.pointerId))
      touches.set(event.pointerId, {x, y});
    if (event.type == 'pointerdown' && touches.size == 2) Module._tilewalk_button(0, false);
    const two = touches.size >= 2, now = this.#spread();
    if (event.type == 'pointerup' || event.type == 'pointercancel') touches.delete(event.pointerId);
    if (two && before && now) {
      Module._tilewalk_pointer(now.x, now.y);
      Module._tilewalk_wheel(0, Math.log(now.wide / before.wide) * 6);
    }
    this.#many = two || this.#many && touches.size > 0;
    return this.#many;
  }
  #many = false;

  #spread() {
    const [a, b] = [...this.#touches.values()];
    return b && {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, wide: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y))};
  }

  #wheel(event) {
    const notch = event.deltaMode == 0 ? 100 : event.deltaMode == 1 ? 3 : 1;
    Module._tilewalk_wheel(-event.deltaX / notch, -event.deltaY / notch);
    event.preventDefault();
  }

  // A browser answers what its graphics are set to only when all that was drawn is finished. Dear ImGui asks that in
  // every frame, so what was set last is kept here.
  keep_graphics_state(gl) {
    const kept = new Map(), ask = gl.getParameter.bind(gl);
    const also = (name, keep) => {
      const set = gl[name].bind(gl);
      gl[name] = (...values) => (keep(...values), set(...values));
    };
    const equation = (rgb, alpha = rgb) => kept.set(gl.BLEND_EQUATION_RGB, rgb).set(gl.BLEND_EQUATION_ALPHA, alpha);
    const factors = (from, to, from_alpha = from, to_alpha = to) =>
      kept.set(gl.BLEND_SRC_RGB, from).set(gl.BLEND_DST_RGB, to).set(gl.BLEND_SRC_ALPHA, from_alpha)
        .set(gl.BLEND_DST_ALPHA, to_alpha);
    also('viewport', (...box) => kept.set(gl.VIEWPORT, box));
    also('scissor', (...box) => kept.set(gl.SCISSOR_BOX, box));
    for (const name of ['blendEquation', 'blendEquationSeparate']) also(name, equation);
    for (const name of ['blendFunc', 'blendFuncSeparate']) also(name, factors);
    gl.getParameter = name => kept.get(name) ?? ask(name);
  }

  // What the program asks of the page.

  take_keys(chords) { this.chords = new Set(chords.filter(chord => chord)); }
  copy(text) { navigator.clipboard?.writeText(text).catch(() => {}); }
  fill(on) { (on ? document.documentElement.requestFullscreen() : document.exitFullscreen()).catch(() => {}); }
  pick() { this.#element('picked').click(); }

  async take_files(files) {
    for (const file of files) {
      const path = HOME + file.name.replace(/^\.+|\//g, '_');
      FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
      Module.ccall('tilewalk_drop', null, ['string'], [path]);
    }
    this.#element('picked').value = '';
  }

  // What is on the screen, in words: for those who hear it, for the address bar, and as state for tests.
  tell(fragment, sentence, state) {
    this.state = JSON.parse(state);
    for (const [id, text] of [['said', sentence], ['told', this.state.message]])
      if (this.#element(id).textContent != text) this.#element(id).textContent = text;
    const address = this.#address;
    if (fragment == address.fragment) return;
    address.fragment = fragment;
    address.timer ||= setTimeout(() => this.#write_address(), 250);  // browsers refuse more than some a second
  }

  #write_address() {
    clearTimeout(this.#address.timer);
    this.#address.timer = 0;
    history.replaceState(null, '', '#' + this.#address.fragment);
  }

  // A file of assets/, before a job reads it: true if it is there. One that cannot be had stays empty.
  brings(path) {
    if (!FS.analyzePath(path).exists || FS.stat(path).size > 0 || this.#gone.has(path)) return true;
    if (!this.#coming.has(path)) {
      this.#coming.add(path);
      fetch(path.replace('/tilewalk/assets/', '')).then(async answer => {
        if (!answer.ok) throw new Error(answer.statusText);
        FS.writeFile(path, new Uint8Array(await answer.arrayBuffer()));
      }).catch(() => this.#gone.add(path)).finally(() => (this.#coming.delete(path), this.request()));
    }
    return false;
  }
  #coming = new Set();
  #gone = new Set();
}

globalThis.host = new Host();
