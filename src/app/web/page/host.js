// The page as the program's host: canvas, keys and pointers, files, the address bar. The program's side is
// web_window.cpp and web_mirror.cpp. Draws only after an event.
'use strict';

const LEAST_WIDTH = 560;  // of the window: the narrowest without left-out parts
const MOST_FAILURES = 10;  // failed turns in a row
const MOST_TYPED = 100000;  // letters at once: Emscripten copies them onto the stack

// Keys by their character, then by their position; with GLFW's numbers.
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
// Named as in session/command/command_table.h.
const NAMES = {32: 'Space', 44: ',', 45: '−', 46: '.', 47: '/', 61: '+', 256: 'Esc', 257: 'Enter', 258: 'Tab',
  262: '→', 263: '←', 264: '↓', 265: '↑', 266: 'PgUp', 267: 'PgDn', 268: 'Home', 269: 'End'};
// Keys without Ctrl that make a page scroll, search or go back.
const PAGE_KEYS = new Set([32, 39, 47, 258, 259, 262, 263, 264, 265, 266, 267, 268, 269]);
const POINTER_SHAPES = ['default', 'text', 'move', 'ns-resize', 'ew-resize', 'nesw-resize', 'nwse-resize', 'pointer',
  'not-allowed'];

function number_of(key, code) {
  if (/^[a-z]$/i.test(key)) return key.toUpperCase().charCodeAt(0);
  return WRITTEN[key] && !code.startsWith('Numpad') ? WRITTEN[key] : PLACED[code] || 0;
}

class Host {
  frames = 0;  // number of frames shown
  turns = 0;   // of the program's loop
  chords = new Set();
  state = {};
  #element = id => document.getElementById(id);
  #due = false;
  #timer = 0;
  #failures = 0;  // failed turns in a row
  #dark = false;  // the browser has taken the graphics context away
  #kept = new Kept();
  #recordings = new Recordings();
  #complaints = [];  // the program's output on stderr
  #down = new Map();  // keys by their position
  #touches = new Map();
  #address = {fragment: location.hash.slice(1), timer: 0};

  open() {
    this.canvas = this.#element('canvas');
    this.typed = this.#element('typed');
    const why = this.#what_is_missing();
    if (why) return notices.cover(why);
    document.body.classList.add('window');
    this.#fit();
    this.canvas.addEventListener('webglcontextlost', event => this.#go_dark(event));
    this.canvas.addEventListener('webglcontextrestored', () => this.#come_back());
    for (const name of ['dragover', 'drop'])  // otherwise the browser leaves the page for the file
      document.addEventListener(name, event => event.preventDefault());
    notices.before_end = () => this.#address.timer && this.#write_address();
    const {words, refused} = read_link(location.hash);
    if (refused) this.#refuse_link(`${refused}.`);
    globalThis.Module = {
      canvas: this.canvas, host: this, arguments: words,
      preRun: [() => this.#furnish()],
      setStatus: text => this.#show_progress(text),
      onAbort: what => this.stop(what),
      print: text => console.log(text),
      printErr: text => (console.warn(text), this.#complaints.push(text.replace(/^tilewalk: /, ''))),
    };
    const script = document.createElement('script');
    script.src = 'tilewalk.js';
    document.body.append(script);
  }

  // Called when the program ends, or could not start.
  stop(why) {
    const words = why ? words_of_error(why) : this.#complaints.slice(-3).join(' ').replace(/\.$/, '');
    notices.fail(notices.started ? `The program stopped: ${words}.`
                                 : `The window could not be opened: ${words || 'no reason was given'}.`);
  }
  follow_no_link() { this.#refuse_link(this.#complaints.join(' ')); }
  #refuse_link(why) {
    notices.say(`This link could not be followed: ${why} The window opens as it would without one.`);
  }

  #what_is_missing() {
    const can = bytes => typeof WebAssembly == 'object' &&
      WebAssembly.validate(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...bytes]));
    if (!can([1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]))
      return 'This browser has no WebAssembly SIMD, which the walk is computed with. Chromium 97, Firefox 102, ' +
        'Safari 16.4 and later have it.';
    if (!can([1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 8, 1, 6, 0, 6, 64, 25, 11, 11]))
      return 'This browser has no WebAssembly exceptions. Chromium 97, Firefox 102, Safari 16.4 and later have them.';
    if (!document.createElement('canvas').getContext('webgl2'))
      return 'This browser gives no WebGL 2, which the window is drawn with. It may be switched off, or the graphics ' +
        'driver blocked.';
    return '';
  }

  #show_progress(text) {
    const [, done, all] = /\((\d+)\/(\d+)\)/.exec(text || '') || [];
    if (all) this.#element('bar').value = done / all;
  }

  // Before the program starts: stored files, files to fetch, and downloads for files that replace them.
  #furnish() {
    Object.assign(ENV, {TILEWALK_ROOT: '/tilewalk', TILEWALK_PAGE: location.href.replace(/[?#].*/, ''),
      TILEWALK_THEME: matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark', HOME: HOME.slice(0, -1)});
    FS.chdir(HOME);
    this.#kept.furnish();
    const rename = FS.rename;
    FS.rename = (from, to) => {
      rename(from, to);
      this.#download(PATH_FS.resolve(to));
    };
    Module.addRunDependency('recordings');
    this.#recordings.furnish().finally(() => Module.removeRunDependency('recordings'));
  }

  #download(path) {
    const name = path.slice(HOME.length);
    if (!path.startsWith(HOME) || name.startsWith('.')) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([FS.readFile(path)]));
    link.download = name.replace(/.*\//, '');
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  // Runs the program's loop, one call for each screen frame, while there is work to do.
  request() {
    if (this.#due || this.#dark || notices.failed) return;
    this.#due = true;
    clearTimeout(this.#timer);
    requestAnimationFrame(() => this.#turn());
  }

  #turn() {
    this.#due = false;
    if (this.#dark || notices.failed) return;
    if (++this.turns == 1) this.#listen();
    let rest;
    try {
      rest = Module._tilewalk_turn();
      this.canvas.style.cursor = POINTER_SHAPES[Module._tilewalk_pointer_shape()] || 'none';
      this.#focus();
      this.#failures = 0;
    } catch (error) {
      return this.#survive(error);
    }
    if (Number.isNaN(rest)) return notices.fail('Tilewalk has ended.');
    if (this.frames > 0 && !notices.started) {
      notices.started = true;
      notices.uncover();
      performance.mark('first frame');
    }
    if (rest == 0) this.request();
    else if (rest > 0) this.#timer = setTimeout(() => this.request(), rest * 1000);
  }

  // A turn threw an exception. The next turn may succeed.
  #survive(error) {
    console.error(error);
    if (++this.#failures == MOST_FAILURES) return notices.fail(`The program stopped: ${words_of_error(error)}.`);
    notices.went_wrong(error);
    this.request();
  }

  // Typed text reaches the window's text field through an input of the page, for which a phone shows its keyboard.
  #focus() {
    const wanted = Module._tilewalk_takes_text() ? this.typed : this.canvas;
    if (document.activeElement != wanted && document.hasFocus()) wanted.focus({preventScroll: true});
  }

  // Canvas pixels for each window pixel. On a page narrower than the window's minimum the window is scaled down.
  ratio() { return (devicePixelRatio || 1) * Math.min(1, innerWidth / LEAST_WIDTH); }

  #fit() {
    const ratio = devicePixelRatio || 1;
    const width = Math.round(innerWidth * ratio), height = Math.round(innerHeight * ratio);
    if (this.canvas.width == width && this.canvas.height == height) return;
    this.canvas.width = width, this.canvas.height = height;
  }

  #listen() {
    const on = (target, names, act, options) => names.split(' ').forEach(name =>
      target.addEventListener(name, event => { if (!this.#dark && !notices.failed) act(event); }, options));
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
    on(document, 'drop', event => take_drop(event.dataTransfer));
    on(this.#element('picked'), 'change', event => take_files([...event.target.files]));
    window.addEventListener('hashchange', () => {
      if (location.hash.slice(1) != this.#address.fragment) location.reload();
    });
  }

  // Without graphics no turn can draw. A browser usually restores them, but only if preventDefault was called.
  #go_dark(event) {
    event.preventDefault();
    this.#dark = true;
    clearTimeout(this.#timer);
    if (!notices.failed)
      notices.cover('The browser took the graphics away. The window comes back with them. If they stay away, reload ' +
        'the page.');
  }

  #come_back() {
    if (notices.failed || !this.turns) return;
    this.#dark = false;
    this.#fit();
    this.#forget_graphics_state();
    forget_graphics_objects();
    Module._tilewalk_graphics_are_new();
    notices.uncover();
    this.request();
  }

  // Keys.

  #name_of(number, event) {
    const name = NAMES[number] || (number >= 290 && number <= 301 ? 'F' + (number - 289) : String.fromCharCode(number));
    const shift = event.shiftKey ? 'Shift+' : '';
    if (number == 47 && shift && !event.ctrlKey) return '?';
    return (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') + shift + name;
  }

  #key(event, down) {
    const {key = '', code = ''} = event;  // autofill sends keys without either
    const number = down ? number_of(key, code) : this.#down.get(code) || 0;
    const ctrl = event.ctrlKey || event.metaKey, writes = key.length == 1 && (!ctrl || event.altKey);
    if (event.isComposing || !number && !writes) return;
    if (down && ctrl && number == 86) return;  // a paste; its text comes in another event
    const typing = document.activeElement == this.typed;
    const taken = this.chords.has(this.#name_of(number, event)) && !(typing && !ctrl);
    if (taken || (typing ? number == 258 : !ctrl && !event.altKey && PAGE_KEYS.has(number))) event.preventDefault();
    if (event.altKey && !writes) return;
    if (down && writes && !typing) this.#text_after = key;
    if (number && !(down && event.repeat)) {
      if (down) this.#down.set(code, number); else this.#down.delete(code);
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
    if (text) this.#hand_on('tilewalk_text', text);
    else if (event.inputType == 'deleteContentBackward') this.press(259);  // a phone sends no key event for it
  }

  press(number, ctrl = false) {
    Module._tilewalk_key(number, true, ctrl, false);
    Module._tilewalk_key(number, false, false, false);
  }

  #paste(event) {
    event.preventDefault();
    if (this.#hand_on('tilewalk_paste', event.clipboardData.getData('text'))) this.press(86, true);
  }

  // Returns false if the text is too long.
  #hand_on(name, text) {
    if (text.length > MOST_TYPED) {
      notices.say(`Not pasted: the text has ${text.length} letters, and a field takes ${MOST_TYPED} at once.`);
      return false;
    }
    Module.ccall(name, null, ['string'], [text]);
    return true;
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
      try {
        this.canvas.setPointerCapture(event.pointerId);
      } catch {}  // the pointer has already gone; the press still counts
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
    if (event.type == 'pointerdown' && touches.size == 2) {
      Module._tilewalk_pointer(-1e6, -1e6);  // elsewhere, so that the first finger's release is no click
      Module._tilewalk_button(0, false);
    }
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

  // Requests of the program to the page.

  keep_graphics_state(gl) { this.#forget_graphics_state = keep_graphics_state(gl); }
  #forget_graphics_state = () => {};
  take_keys(chords) { this.chords = new Set(chords.filter(chord => chord)); }
  copy(text) {
    const clipboard = navigator.clipboard;  // missing on a page without https
    Promise.resolve(clipboard ? clipboard.writeText(text) : Promise.reject(new Error('it gives the page none')))
      .catch(error => notices.say(`Not copied: the browser keeps its clipboard closed (${words_of_error(error)}).`));
  }
  fill(on) {
    const page = document.documentElement;
    const change = () => on ? page.requestFullscreen() : document.fullscreenElement && document.exitFullscreen();
    Promise.resolve().then(change)
      .catch(error => notices.say(`This browser shows no page in full screen (${words_of_error(error)}).`));
  }
  pick() { this.#element('picked').click(); }
  hand_over(text) {  // returns the address of a copy that the program frees
    const size = lengthBytesUTF8(text) + 1, address = Module._malloc(size);
    stringToUTF8(text, address, size);
    return address;
  }
  why_not_kept() { return this.#kept.why_not; }
  brings(path) { return this.#recordings.brings(path, () => this.request()); }
  why_missing(path) { return this.#recordings.why_missing(path); }

  // The screen in words: for screen readers, for the address bar, and as state for tests.
  tell(fragment, sentence, state) {
    this.state = JSON.parse(state);
    for (const [id, text] of [['said', sentence], ['told', this.state.message]])
      if (this.#element(id).textContent != text) this.#element(id).textContent = text;
    const address = this.#address;
    if (fragment == address.fragment) return;
    address.fragment = fragment;
    address.timer ||= setTimeout(() => this.#write_address(), 250);  // browsers limit the writes a second
  }

  #write_address() {
    clearTimeout(this.#address.timer);
    this.#address.timer = 0;
    history.replaceState(null, '', '#' + this.#address.fragment);
  }
}

globalThis.host = new Host();
host.open();
