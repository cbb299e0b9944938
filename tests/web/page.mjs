// The page under test: opened with a command line, its state, its texts; and the test's count.
import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {Browser, KEYS} from './browser.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
export const native = join(root, 'build/tilewalk');
export const program = existsSync(native) ? [native] : ['node', join(root, 'build/web/tilewalk_cli.js')];
export const wait = ms => new Promise(done => setTimeout(done, ms));
export const fragment = line => '#' + encodeURIComponent(line).replace(/%20/g, '+');

export class Tally {
  passed = 0;
  failed = 0;
  check(what, holds, seen = '') {
    if (holds) return void ++this.passed;
    ++this.failed;
    console.log(`FAILED: ${what}${seen === '' ? '' : ': ' + JSON.stringify(seen)}`);
  }
  end(name) {
    console.log(`${name}: ${this.passed} passed, ${this.failed} failed`);
    process.exit(this.failed ? 1 : 0);
  }
}

export class Page {
  static async open(size) {
    const self = new Page();
    self.browser = await Browser.open(join(root, 'build/web'), size);
    return self;
  }
  close() { return this.browser.close(); }

  run(script, ...args) { return this.browser.run(script, ...args); }
  state() { return this.run('return host.state'); }
  until(condition, what, seconds) {
    return this.browser.until(`globalThis.host && host.frames > 0 && host.state && (${condition})`, what, seconds);
  }
  // `hash` is all from '#' on; a new address is a new page.
  async go(hash) { await this.browser.go('index.html?' + Math.random() + hash); }
  async open(line) {
    await this.go(fragment(line));
    await this.shown();
  }
  async shown() {
    await this.until('document.getElementById("cover").hidden', 'the first frame');
    await this.until('!host.state.busy', 'the walk');
  }
  // The page's text beside its window: the overlay while there is one, else the notice; empty: none.
  words() {
    return this.run(`
      const at = id => document.getElementById(id), shown = id => at(id) && !at(id).hidden;
      return shown('cover') ? at('why').textContent : shown('notice') ? at('notice_text').textContent : ''`);
  }
  async until_says(pattern, what, seconds = 20) {
    let words = '';
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await wait(50))
      if (pattern.test(words = await this.words().catch(() => ''))) return words;
    throw new Error(`waited ${seconds} s for ${what}; the page says ${JSON.stringify(words)}`);
  }
  // Through the list of all commands: a user may give commands that a link may not.
  async command(words) {
    await this.browser.press([KEYS.Ctrl, KEYS.Shift, 'p']);
    await this.until('host.state.dialog == 7', 'all commands');
    await this.browser.until('document.activeElement.id == "typed"', 'its text field');
    await this.browser.press(...words, KEYS.Enter);
  }
  drop(name, text) {
    return this.run(`
      const files = new DataTransfer();
      files.items.add(new File([arguments[1]], arguments[0]));
      document.dispatchEvent(new DragEvent('drop', {dataTransfer: files, bubbles: true, cancelable: true}))`,
                    name, text);
  }
  async still() {  // until nothing is drawn any more
    for (let before = -1, now = 0; before != now; await wait(300))
      before = now, now = await this.run('return host.turns');
  }
  // The console's errors since the last call. Chromium reports violations of the page's policy there, too. It asks for
  // favicon.ico where a page is left before it has read the page's own icon: that is no fault of the page.
  async complaints() {
    const loud = ({level, message}) =>
      !/\/favicon\.ico /.test(message) && (level == 'SEVERE' || /WebGL|Security Policy/.test(message));
    return (await this.browser.log()).filter(loud).map(entry => entry.message);
  }
}
