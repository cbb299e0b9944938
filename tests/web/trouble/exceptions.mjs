// Exceptions and traps while the window is open, and events of unusual forms: reported, and survived where possible.
import {KEYS} from '../browser.mjs';
import {wait} from '../page.mjs';

export async function play({page, browser, server, check, scene, before_the_page, goes_on, silent}) {
  // As a script of the site: a browser gives the page no details about others.
  async function run_in_page(source) {
    server.answers.set('/injected.js', source);
    await browser.run(`const script = document.createElement('script');
      script.src = 'injected.js';
      document.body.append(script);
      return new Promise(done => script.onload = () => done(true))`);
  }
  for (const [what, inject] of [
    ['a frame', 'const tell = host.tell; host.tell = () => { host.tell = tell; throw new Error("injected"); }'],
    ['the middle of a frame', `const ratio = host.ratio;
      host.ratio = () => { host.ratio = ratio; throw new Error("injected"); }`],
    ['an event handler', `const key = Module._tilewalk_key;
      Module._tilewalk_key = () => { Module._tilewalk_key = key; throw new Error("injected"); }`],
    ['a promise', 'Promise.reject(new Error("injected"))'],
    ['a timer', 'setTimeout(() => { throw new Error("injected"); })'],
  ]) {
    await scene(`an exception out of ${what}`, async () => {
      await page.open('--preset paper --step 3');
      await page.still();
      await run_in_page(inject);
      await browser.press(KEYS.Right);
      await page.until_says(/^Something went wrong in the page: injected\. The window goes on\.$/, 'what went wrong');
      await browser.press(KEYS.Home);
      await page.until('host.state.cursor == 0', 'the first step');
      await goes_on(`an exception out of ${what}`);
      await browser.run('document.getElementById("notice_close").click()');
      check(`the notice of ${what} closes`, await page.words() == '', await page.words());
    });
  }
  await scene('an exception in the middle of a frame leaves nothing behind', async () => {
    await page.open('--preset paper --step 5');
    await page.until('host.state.check == 2', 'the check');
    await page.still();
    const before = await browser.run('return host.canvas.toDataURL()');
    await browser.run(`const copy = host.copy; host.copy = () => { host.copy = copy; throw new Error("injected"); };
      const shape = Module.canvas; let asked = 0;
      Object.defineProperty(Module, 'canvas', {configurable: true, get() {
        if (++asked == 2) throw new Error("injected");
        return shape;
      }});
      host.request()`);
    await page.until_says(/injected/, 'what went wrong');
    await browser.run('Object.defineProperty(Module, "canvas", {value: host.canvas, configurable: true})');
    await goes_on('an exception in the middle of a frame');
    await browser.press(KEYS.Left);
    await page.until('host.state.cursor == 5', 'a step back');
    await page.still();
    check('the frame is drawn as before', await browser.run('return host.canvas.toDataURL()') == before);
  });
  await scene('exceptions without an end', async () => {
    await page.open('--preset paper --step 3');
    await browser.run('Module._tilewalk_turn = () => { throw new Error("injected again and again"); }; host.request()');
    await page.until_says(/^The program stopped: injected again and again\. Reload the page/, 'the end');
    check('exceptions without an end are one', true);
  });
  await scene('a trap', async () => {
    await page.open('--preset paper --step 3');
    await page.still();
    await browser.run('setTimeout(() => Module._tilewalk_paste(0xFFFFFFF0))');
    await page.until_says(/^The program stopped: (memory access )?out of bounds.* Reload the page/i, 'what happened');
    const {turns} = await browser.run('return {turns: host.turns}');
    await browser.press(KEYS.Right);
    await wait(200);
    check('nothing runs after a trap', await browser.run('return host.turns') == turns);
    await browser.run('document.getElementById("again").click()');
    await page.until('document.getElementById("cover").hidden && host.state.cursor == 3', 'the view after a reload');
    check('the way out goes on from the view', true);
  });
  await scene('a trap in a frame', async () => {
    await page.open('--preset paper --step 3');
    await browser.run(`const turn = Module._tilewalk_turn;
      Module._tilewalk_turn = () => (Module._tilewalk_paste(0xFFFFFFF0), turn()); host.request()`);
    await page.until_says(/^The program stopped: .* Reload the page/, 'what happened');
    check('a trap in a frame ends at the cover', true);
  });
  await scene('odd events', async () => {
    await page.open('--preset paper --step 3');
    await page.still();
    await browser.run(`
      for (const init of [{}, {key: undefined, code: undefined}, {key: 'Unidentified'}]) {
        const event = new Event('keydown', {bubbles: true, cancelable: true});
        document.dispatchEvent(Object.assign(event, init));
      }
      for (const name of ['pointerdown', 'pointerup'])
        host.canvas.dispatchEvent(new PointerEvent(name, {pointerId: 77, clientX: 5, clientY: 5, bubbles: true}));
      document.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true}));`);
    await page.until_says(/There is no file in what was dropped here/, 'what was dropped');
    await goes_on('odd events');
    await silent('odd events');
  });
  await scene('long texts', async () => {
    await page.open('--preset paper --step 3');
    await browser.run(`const data = new DataTransfer();
      data.setData('text/plain', 'x'.repeat(3e6));
      document.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}))`);
    await page.until_says(/Not pasted: the text has 3000000 letters/, 'why nothing was pasted');
    await goes_on('a long paste');
    await browser.run(`host.typed.value = 'x'.repeat(3e6);
      host.typed.dispatchEvent(new InputEvent('input', {bubbles: true}))`);
    await goes_on('a long text that was typed');
    await silent('long texts');
  });
  await scene('no clipboard and no full screen', async () => {
    await before_the_page(`Object.defineProperty(navigator, 'clipboard', {value: undefined});
      Element.prototype.requestFullscreen = undefined`);
    await page.open('--preset paper --step 3');
    await page.command('copy the link');
    await page.until_says(/^Not copied: the browser keeps its clipboard closed/, 'why nothing was copied');
    await browser.press('f');
    await page.until_says(/^This browser shows no page in full screen/, 'why there is no full screen');
    await goes_on('both');
    await silent('no clipboard and no full screen');
  });
}
