// A failed start shows a sentence and what to do.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from '../page.mjs';

export async function play({page, browser, server, check, scene}) {
  for (const [what, path, answer, why] of [
    ['no tilewalk.js', '/tilewalk.js', 404, /tilewalk\.js could not be loaded/],
    ['half of tilewalk.js', '/tilewalk.js', 'var Module = ', /could not start: .*/],
    ['no tilewalk.wasm', '/tilewalk.wasm', 404, /could not be opened: .*wasm/],
    ['a damaged tilewalk.wasm', '/tilewalk.wasm', 'no program', /could not be opened: .*/],
    ['no tilewalk.data', '/tilewalk.data', 404, /could not start: .*tilewalk\.data/],
    ['no host.js', '/host.js', 404, /host\.js could not be loaded/],
    ['no kept.js', '/kept.js', 404, /kept\.js could not be loaded/],
  ]) {
    await scene(`a start with ${what}`, async () => {
      server.answers.set(path, answer);
      await page.go('');
      await page.until_says(why, 'why there is no window');
      check(`with ${what} there is a way out`, await browser.run('return !document.getElementById("again").hidden'));
      server.answers.clear();
      await browser.run('document.getElementById("again").click()');
      await page.shown();
      check(`after ${what} the way out opens the window`, true);
    });
  }
  await scene('an exception in main', async () => {
    const host = readFileSync(join(root, 'build/web/host.js'), 'utf8'), begin = 'take_keys(chords) {';
    server.answers.set('/host.js', host.replace(begin, begin + ' throw new Error("injected into main");'));
    await page.go('');
    await page.until_says(/could not start: injected into main\. Reload the page/, 'why there is no window');
    check('an exception in main is told', true);
  });
  for (const path of ['/tilewalk.wasm', '/tilewalk.data', '/notices.js']) {
    await scene(`a start without an answer for ${path}`, async () => {
      server.answers.set(path, path == '/notices.js' ? 404 : 'never');
      await page.go('');
      await browser.until('document.getElementById("late")', 'the page');
      const before = await browser.run('return getComputedStyle(document.getElementById("late")).visibility');
      await browser.run('for (const each of document.getElementById("late").getAnimations()) each.finish()');
      const after = await browser.run('return getComputedStyle(document.getElementById("late")).visibility');
      check(`without ${path} the page says after a while what to do`, before == 'hidden' && after == 'visible',
            [before, after]);
    });
  }
}
