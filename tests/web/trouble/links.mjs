// Links that cannot be followed: the page gives the reason, and the window opens as without a link.
import {KEYS} from '../browser.mjs';

export async function play({page, browser, check, scene, goes_on, silent, message}) {
  await page.open('');
  const first = await page.state();
  const is_first_view = ({schedule, n_q, seed, cursor, first_minute, lesson}) =>
    schedule == first.schedule && n_q == first.n_q && seed == first.seed && (first_minute || cursor == 0) &&
    lesson == 0;
  for (const [what, hash, why] of [
    ['a lone %', '#%', /% come two digits/],
    ['half an escape', '#--preset+paper%2', /"%2" in it/],
    ['half a letter', '#--preset+%C3', /UTF-8/],
    ['an unknown preset', '#--preset+nope', /nope/],
    ['a command that a link may not give', '#--then+%27save-file%20x%27', /save-file/],
    ['an unknown flag', '#--nope', /nope/],
    ['an unknown step', '#--preset+paper+--step+99999', /step/],
    ['a question for help', '#--help', /help/],
    ['a question for the version', '#--version', /version/],
    ['a quote that is not closed', '#--preset+%27paper', /quote/],
    ['a NUL', '#--preset+paper%00x', /control character/],
    ['a terminal\'s escape', '#--preset+%1b[31m', /control character/],
    ['a backslash at its end', '#--preset+paper%5C', /backslash/],
    ['60,000 words', '#' + 'x+'.repeat(60000), /letters|words/],
    ['20,000 words', '#' + 'x+'.repeat(20000), /words/],
    ['as many words as it may have', '#' + 'x+'.repeat(5000), /x/],
    ['one word of 99,000 letters', '#--preset+' + 'x'.repeat(99000), /preset/],
    ['99,000 letters of a problem', '#--title+' + 'x'.repeat(99000), /title/],
    ['99,000 open brackets', '#--then+' + '('.repeat(99000), /then/],
    ['1.5 million letters', '#' + 'x'.repeat(1500000), /letters/],
  ]) {
    await scene(`a link with ${what}`, async () => {
      await page.go(hash);
      const words = await page.until_says(/could not be followed/, `why the link is refused`);
      check(`the reason is given for ${what}`, why.test(words), words);
      await page.shown();
      check(`${what} opens the view without a link`, is_first_view(await page.state()), await page.state());
      if ((await page.state()).dialog) await browser.press(KEYS.Escape);
      await page.until('host.state.dialog == 0', 'no dialog');
      await goes_on(what);
      await silent(what);
    });
  }
  await scene('a mangled link typed into an open page', async () => {
    for (const hash of ['#%', '#--preset+%C3', '#--preset+nope']) {
      await page.open('--preset paper --step 3');
      await browser.run('location.hash = arguments[0]', hash);
      await page.until_says(/could not be followed/, `why ${hash} is refused`);
      await page.shown();
      check(`${hash} opens the view without a link`, is_first_view(await page.state()), await page.state());
    }
  });
  await scene('a link to a lesson that is not there', async () => {
    await page.open("--preset paper --then 'open-lesson 99'");
    await message('/99/');
    check('a command that cannot be carried out is refused in the window', true);
  });
}
