// What the page may load: its own policy, and those of servers.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from '../page.mjs';

export async function play({page, browser, server, check, scene, goes_on, silent, message}) {
  await scene('the policy of the page', async () => {
    for (const name of ['index.html', 'lessons.html']) {
      const [, policy] = /<meta http-equiv="Content-Security-Policy"\s+content="([^"]*)"/
        .exec(readFileSync(join(root, 'build/web', name), 'utf8')) || [];
      check(`${name} has a policy`, /default-src 'none'/.test(policy) && !/unsafe-(inline|eval')|\*|http|data:/.test(
        policy.replace('wasm-unsafe-eval', '')), policy);
      await browser.go(name);
      await browser.until('document.readyState == "complete"', name);
      await silent(name);
      await browser.run(`const script = document.createElement('script');
        script.textContent = 'globalThis.ran = true';
        document.body.append(script);
        const image = new Image();
        image.src = 'http://127.0.0.2/picture.png';
        document.body.append(image);`);
      check(`${name} runs no script of a stranger`, await browser.run('return globalThis.ran === undefined'));
      const refused = await page.complaints();
      check(`${name} tells both`, refused.filter(text => /Content Security Policy/.test(text)).length == 2, refused);
    }
  });
  await scene('a strict policy of the server', async () => {
    server.headers = {'Content-Security-Policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; " +
      "style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
      "frame-ancestors 'none'",
      'X-Content-Type-Options': 'nosniff', 'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp', 'Cross-Origin-Resource-Policy': 'same-origin'};
    await page.open('--preset paper --step 3');
    await page.until('host.state.check == 2', 'the check');
    await goes_on('a strict policy');
    await page.command('export-file counters counters.csv');
    await message('/counters.csv/');
    await browser.go('lessons.html');
    await browser.until('document.readyState == "complete"', 'lessons.html');
    await silent('a strict policy of the server');
  });
  await scene('a policy that allows no program', async () => {
    server.headers = {'Content-Security-Policy': "default-src 'self'"};
    await page.go('');
    await page.until_says(/could not be opened: .*/, 'why there is no window');
    check('a policy that allows no program is told', true);
  });
}
