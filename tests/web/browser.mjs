// Head-less Chromium, driven through the packaged chromium-driver, and a file server for what is built. Whatever is
// started here is ended by close(), whichever way the caller ends.
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {FileServer} from './file_server.mjs';

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
export const KEYS = {Ctrl: '\uE009', Shift: '\uE008', Right: '\uE014', Left: '\uE012', Home: '\uE011', End: '\uE010',
  Escape: '\uE00C', Enter: '\uE006', PageUp: '\uE00E', Tab: '\uE004', F1: '\uE031'};
const wait = ms => new Promise(done => setTimeout(done, ms));

function free_port() {
  return new Promise(done => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const {port} = server.address();
      server.close(() => done(port));
    });
  });
}

async function until_answers(url, what) {
  for (let tries = 0; tries < 600; ++tries, await wait(50))
    if (await fetch(url).then(() => true, () => false)) return;
  throw new Error(what + ' did not start');
}

export class Browser {
  #children = [];

  // `folder` is what the server hands out.
  static async open(folder, {width = 1600, height = 900, dark = true, ratio = 1} = {}) {
    const self = new Browser();
    try {
      self.server = await FileServer.open(folder);
      const [driver, own] = [await free_port(), await free_port()];
      self.profile = mkdtempSync(join(tmpdir(), 'tilewalk-browser-'));
      self.driver = `http://127.0.0.1:${driver}`;
      self.#start('chromedriver', ['--port=' + driver]);
      // Started here, since chromedriver looks for what it starts at "localhost", which not every machine can look up.
      self.#start('chromium', ['--headless=new', '--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader', '--hide-scrollbars', '--no-first-run', '--disable-background-networking',
        '--disable-hang-monitor', '--disable-popup-blocking', '--disable-sync', '--password-store=basic',
        '--user-data-dir=' + self.profile, '--remote-debugging-port=' + own, 'about:blank']);
      await until_answers(self.driver + '/status', 'chromedriver');
      await until_answers(`http://127.0.0.1:${own}/json/version`, 'chromium');
      const {sessionId} = await self.#call('POST', '/session', {capabilities: {alwaysMatch: {
        'goog:chromeOptions': {debuggerAddress: '127.0.0.1:' + own}, 'goog:loggingPrefs': {browser: 'ALL'}}}});
      self.session = '/session/' + sessionId;
      await self.resize(width, height, ratio);
      await self.cdp('Emulation.setEmulatedMedia',
                     {features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]});
      await self.cdp('Browser.setDownloadBehavior', {behavior: 'allow', downloadPath: self.profile});
      return self;
    } catch (error) {
      await self.close();
      throw error;
    }
  }

  #start(program, words) {
    this.#children.push(spawn(program, words, {stdio: 'ignore'}));
  }

  async #call(method, path, body) {
    const answer = await fetch(this.driver + path, {method, body: body && JSON.stringify(body)});
    const {value} = await answer.json();
    if (value?.error) throw new Error(`${value.error}: ${value.message}`.split('\n')[0]);
    return value;
  }

  cdp(cmd, params) { return this.#call('POST', this.session + '/goog/cdp/execute', {cmd, params}); }
  resize(width, height, ratio = 1) {
    return this.cdp('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: ratio, mobile: false});
  }
  async go(address) { await this.#call('POST', this.session + '/url', {url: this.server.site + address}); }
  run(script, ...args) { return this.#call('POST', this.session + '/execute/sync', {script, args}); }
  async until(script, what, seconds = 30) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end; await wait(30)) {
      const value = await this.run('return ' + script);
      if (value) return value;
    }
    throw new Error(`waited ${seconds} s for ${what}: ${script}`);
  }
  // Each entry is a key, or a chord of several: [KEYS.Ctrl, 'p'].
  async press(...keys) {
    const actions = [];
    for (const key of keys) {
      const chord = [key].flat();
      for (const value of chord) actions.push({type: 'keyDown', value});
      for (const value of chord.reverse()) actions.push({type: 'keyUp', value});
    }
    await this.#call('POST', this.session + '/actions', {actions: [{type: 'key', id: 'keys', actions}]});
  }
  async click(x, y) {
    await this.#call('POST', this.session + '/actions', {actions: [{type: 'pointer', id: 'mouse', actions: [
      {type: 'pointerMove', x, y}, {type: 'pointerDown', button: 0}, {type: 'pause', duration: 60},
      {type: 'pointerUp', button: 0}]}]});
  }
  // Fingers, each a list of places that it moves through.
  async touch(...paths) {
    await this.#call('POST', this.session + '/actions', {actions: paths.map((path, n) => ({
      type: 'pointer', id: 'finger' + n, parameters: {pointerType: 'touch'},
      actions: [{type: 'pointerMove', duration: 0, x: path[0][0], y: path[0][1]}, {type: 'pointerDown', button: 0},
        {type: 'pause', duration: 80}, ...path.slice(1).map(([x, y]) => ({type: 'pointerMove', duration: 150, x, y})),
        {type: 'pointerUp', button: 0}]}))});
  }
  async find(selector) {
    return (await this.#call('POST', this.session + '/element', {using: 'css selector', value: selector}))[ELEMENT];
  }
  async type_into(selector, text) {
    await this.#call('POST', `${this.session}/element/${await this.find(selector)}/value`, {text});
  }
  async picture(path) {
    writeFileSync(path, Buffer.from(await this.#call('GET', this.session + '/screenshot'), 'base64'));
  }
  // Tabs share what the site stores.
  tab() { return this.#call('GET', this.session + '/window'); }
  async new_tab() { return (await this.#call('POST', this.session + '/window/new', {type: 'tab'})).handle; }
  async turn_to(tab) {
    await this.#call('POST', this.session + '/window', {handle: tab});
    await this.cdp('Page.bringToFront', {});  // a tab behind another draws nothing
  }
  close_tab() { return this.#call('DELETE', this.session + '/window'); }

  // What was written to the console since this was asked last.
  log() { return this.#call('POST', this.session + '/se/log', {type: 'browser'}); }

  async close() {
    if (this.session) await this.cdp('Browser.close', {}).catch(() => {});  // killed, it would leave its lock in /tmp
    await wait(500);
    for (const child of this.#children) child.kill();
    this.server?.close();
    await wait(100);
    if (this.profile) rmSync(this.profile, {recursive: true, force: true, maxRetries: 20, retryDelay: 100});
  }
}
