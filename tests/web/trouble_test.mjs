// Failures on the page: links, storage, files, graphics, the network, exceptions. The page must report them, and
// continue where it can.
//   tests/web/trouble_test.mjs [words of the scenes to play]
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {KEYS} from './browser.mjs';
import {Page, Tally} from './page.mjs';

const tally = new Tally(), check = (...words) => tally.check(...words);
const page = await Page.open({width: 1200, height: 700}), {browser} = page, {server} = browser;
const scratch = mkdtempSync(join(tmpdir(), 'tilewalk-trouble-'));
const chosen = process.argv.slice(2);

// Each scene begins with a server that serves and with empty storage.
let injected = [];
async function scene(what, act) {
  if (chosen.length && !chosen.some(word => what.includes(word))) return;
  const failed = tally.failed;
  try {
    await act();
  } catch (error) {
    check(`${what}: ${error.message}`, false);
  }
  if (tally.failed > failed) console.log(`  in the scene "${what}"`);
  server.behave();
  for (const id of injected) await browser.cdp('Page.removeScriptToEvaluateOnNewDocument', {identifier: id});
  injected = [];
  await browser.go('tilewalk.svg');
  await browser.run('localStorage.clear()');
  await browser.log();
}
async function before_the_page(source) {
  injected.push((await browser.cdp('Page.addScriptToEvaluateOnNewDocument', {source})).identifier);
}
async function goes_on(what) {
  await page.until('!host.state.busy && host.state.cursor < host.state.steps', 'a walk to step in');
  if ((await page.state()).one_row) {  // a first start explains one row: keys go from scene to scene there
    await browser.press(KEYS.Escape);
    await page.until('!host.state.one_row', `the walk after ${what}`);
  }
  const {cursor} = await page.state();
  await browser.press(KEYS.Right);
  await page.until(`host.state.cursor == ${cursor + 1}`, `a step after ${what}`);
  check(`the window goes on after ${what}`, true);
}
const stored = key => browser.run('return localStorage.getItem(arguments[0])', key);
const message = pattern => page.until(`${pattern}.test(host.state.message)`, `the message ${pattern}`);
async function silent(what) {
  const complaints = await page.complaints();
  check(`${what}: nothing is complained of`, complaints.length == 0, complaints);
}

const tools = {page, browser, server, check, scene, before_the_page, goes_on, silent, message, stored, scratch};
try {
  for (const name of ['links', 'start', 'exceptions', 'storage', 'graphics', 'files', 'network', 'policy']) {
    const begun = Date.now(), {play} = await import(`./trouble/${name}.mjs`);
    await play(tools);
    console.log(`${name}: ${((Date.now() - begun) / 1000).toFixed(0)} s`);
  }
} catch (error) {
  check(error.message, false);
} finally {
  await page.close();
  rmSync(scratch, {recursive: true, force: true});
}
tally.end('trouble');
