// The page walks everything that it is given: every screen of every lesson, every preset, and random problems, most of
// which have no recording. Steps arrive, the badge ends with a final verdict, and the console reports nothing.
//   tests/web/walk_test.mjs [seed]
import {execFileSync} from 'node:child_process';
import {readdirSync} from 'node:fs';
import {join} from 'node:path';
import {Page, Tally, program, root} from './page.mjs';
import {random_from, random_problem, words_of_problem} from './random_problem.mjs';

const RANDOM_PROBLEMS = 200, BY_LINK = 20;  // of them opened by a link, each a new page; the others as sessions

// In the page: a user's actions, without the browser's driver.
const HELPERS = `
  globalThis.walk = {
    async until(holds, what) {
      for (const end = performance.now() + 15000; !holds(); await new Promise(done => setTimeout(done, 4)))
        if (performance.now() > end) throw new Error('waited for ' + what);
    },
    press(number, ctrl = false, shift = false) {
      Module._tilewalk_key(number, true, ctrl, shift);
      Module._tilewalk_key(number, false, ctrl, shift);
    },
    async command(words) {
      this.press(80, true, true);
      await this.until(() => host.state.dialog == 7 && Module._tilewalk_takes_text(), 'all commands');
      Module.ccall('tilewalk_text', null, ['string'], [words]);
      this.press(257);
      await this.until(() => host.state.dialog != 7, words);
    },
    async open(name, text) {
      FS.writeFile('/home/web_user/' + name, text);
      Module.ccall('tilewalk_drop', null, ['string'], ['/home/web_user/' + name]);
      await this.until(() => host.state.message.includes(name), 'the session ' + name);
    },
    // Steps and plays where a walk is in view. Returns the badge's final verdict.
    async look() {
      await this.until(() => !host.state.busy, 'the walk');
      if (host.state.page == 0 && host.state.dialog == 0 && host.state.steps > 0) {
        this.press(268);
        await this.until(() => host.state.cursor == 0, 'the first step');
        this.press(262);
        await this.until(() => host.state.cursor == 1, 'a step');
        if (host.state.steps > 1) {
          this.press(32);
          await this.until(() => host.state.cursor > 1, 'playing');
          if (host.state.playing) this.press(32);
          await this.until(() => !host.state.playing && !host.state.busy, 'a pause');
        }
      }
      await this.until(() => host.state.check > 1 || host.state.check == 0 && host.state.check_reason, 'a last word');
      const notice = document.getElementById('notice');
      if (notice && !notice.hidden) throw new Error('the page says ' + notice.textContent);
      return host.state.check;
    },
    // Opens it, then looks; returns the reason and the state of a failure.
    async visit(open) {
      try {
        await open();
        return {check: await this.look()};
      } catch (error) {
        return {failure: error.message, state: host.state};
      }
    },
  }`;

const tally = new Tally(), check = (...words) => tally.check(...words);
const page = await Page.open({width: 800, height: 500}), {browser} = page;
const words = (...more) => execFileSync(program[0], [...program.slice(1), ...more], {encoding: 'utf8'});
let begun = Date.now();
const seconds = () => ((Date.now() - begun) / 1000).toFixed(0) + ' s';
const visit_by_command = words =>
  browser.run('const [words] = arguments; return walk.visit(() => walk.command(words))', words);
async function quiet(what) {
  const loud = await page.complaints();
  check(`${what}: nothing is complained of`, loud.length == 0, loud.slice(0, 5));
}
function took(what, {failure, check: last, state}) {
  check(`${what}${failure ? ': ' + failure : ''}`, !failure, state ?? '');
  return last;
}

try {
  await page.open('--preset paper');
  await browser.run(HELPERS);
  await browser.run('return walk.command("set-speed 200")');  // kept for the pages that follow
  const {lessons} = JSON.parse(words('lesson', '--list', '--json'));
  let screens = 0;
  for (const {number} of lessons) {
    for (let screen = 1; ; ++screen, ++screens) {
      const seen = await visit_by_command(`open-lesson ${number} screen ${screen}`);
      const now = await page.state();
      if (!seen.failure && (now.lesson != number || now.screen != screen)) break;  // there is no such screen
      took(`lesson ${number}, screen ${screen}`, seen);
      if (seen.failure) break;
    }
  }
  check('lessons have screens', screens > 60, screens);
  await quiet('lessons');
  console.log(`${screens} screens of ${lessons.length} lessons: ${seconds()}`);

  begun = Date.now();
  const presets = readdirSync(join(root, 'assets/presets')).filter(name => name.endsWith('.toml'))
    .map(name => name.replace('.toml', ''));
  await page.open('--preset paper');
  await browser.run(HELPERS);
  for (const preset of presets) took(`preset ${preset}`, await visit_by_command(`load-preset ${preset}`));
  await quiet('presets');
  console.log(`${presets.length} presets: ${seconds()}`);

  begun = Date.now();
  const seed = Number(process.argv[2] ?? Date.now() % 1000000), random = random_from(seed);
  console.log(`random problems from seed ${seed}`);
  const schedules = /schedule NAME +([\s\S]*?)\n *--/.exec(words('replay', '--help'))[1].replace(/\s+/g, ' ').trim()
    .split(/, | or /);
  const problems = Array.from({length: RANDOM_PROBLEMS}, () => random_problem(random, schedules));
  const last_words = new Map();
  for (const [n, problem] of problems.entries()) {
    const what = words_of_problem(problem);
    let seen;
    if (n < BY_LINK) {
      await page.open(what);
      await browser.run(HELPERS);
      seen = await browser.run('return walk.visit(() => {})');
    } else {
      const text = '[view]\nspeed = 200\n[problem]\n' + Object.entries(problem)
        .map(([key, value]) => `${key} = ${typeof value == 'number' ? value : JSON.stringify(value)}\n`).join('');
      seen = await browser.run('const [...file] = arguments; return walk.visit(() => walk.open(...file))',
                               `random${n}.toml`, text);
    }
    const now = await page.state();
    const last = took(`problem ${n}: ${what}`, seen);
    check(`problem ${n} is the one on the screen: ${what}`, now.seed == problem.seed && now.n_q == problem['n-q'], now);
    last_words.set(last, (last_words.get(last) ?? 0) + 1);
  }
  check('problems without a recording are not GPU-checked', last_words.get(0) > RANDOM_PROBLEMS / 2, [...last_words]);
  await quiet('random problems');
  console.log(`${RANDOM_PROBLEMS} random problems: ${seconds()}`);
} catch (error) {
  check(error.message, false, await page.state().catch(() => null));
} finally {
  await page.close();
}
tally.end('walks');
