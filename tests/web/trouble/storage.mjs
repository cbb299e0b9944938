// Storage that is full, blocked, damaged or shared by two tabs.

const SETTINGS = 'tilewalk/.config/tilewalk/settings.toml', PROGRESS = 'tilewalk/.local/state/tilewalk/progress.toml';

export async function play({page, browser, check, scene, before_the_page, goes_on, silent, message, stored}) {
  const fill_storage = `
    let size = 1 << 20;
    for (let n = 0; size >= 1;) {
      try { localStorage.setItem('filler' + n, 'x'.repeat(size)), ++n; } catch { size >>= 1; }
    }`;
  await scene('full storage', async () => {
    await page.open('--preset paper --step 3');
    await browser.run(fill_storage);
    await browser.press('t');
    await message('/^Your settings are not kept: the browser\'s storage for this site is full/');
    await goes_on('full storage');
    check('the theme has changed all the same', !(await page.state()).dark);
    check('and nothing of it is stored', await stored(SETTINGS) === null, await stored(SETTINGS));
    await page.command("open-lesson 5 screen 1");
    await page.until('host.state.lesson == 5', 'a lesson');
    await message('/^What you did in lessons is not kept: .*is full/');
    await browser.run(`for (const key of Object.keys(localStorage))
      if (key.startsWith('filler')) localStorage.removeItem(key)`);
    await page.command('set-speed 3');
    await page.until('host.state.speed == 3', 'a pace');
    await browser.until(`localStorage.getItem(${JSON.stringify(SETTINGS)})`, 'settings that are stored again');
    const text = await stored(SETTINGS);
    const both = /theme = "light"/.test(text) && /speed = 3/.test(text);
    check('what was not kept is kept with the next change', both, text);
    await silent('full storage');
  });
  for (const [what, source] of [
    ['blocked', `Object.defineProperty(window, 'localStorage',
      {get() { throw new DOMException('denied', 'SecurityError'); }})`],
    ['read-only', `Storage.prototype.setItem = () => { throw new DOMException('denied', 'SecurityError'); }`],
    ['of no size', `Storage.prototype.setItem = () => { throw new DOMException('none', 'QuotaExceededError'); }`],
    ['missing', `Object.defineProperty(window, 'localStorage', {value: null})`],
  ]) {
    await scene(`storage that is ${what}`, async () => {
      await before_the_page(`if (location.pathname.endsWith('.html')) { ${source} }`);
      await page.open('--preset paper --step 3');
      await browser.press('t');
      await message('/^Your settings are not kept: the browser/');
      const {message: words} = await page.state();
      check('once', (words.match(/not kept/g) || []).length == 1, words);
      await goes_on(`storage that is ${what}`);
      check('the theme has changed all the same', !(await page.state()).dark);
      await silent(`storage that is ${what}`);
    });
  }
  for (const [what, key, text] of [
    ['damaged settings', SETTINGS, 'theme = = "dark"'],
    ['settings that are no text', SETTINGS, '@\0\x01'.repeat(100)],  // @: half a letter
    ['huge settings', SETTINGS, '# much\n'.repeat(300000)],
    ['settings of another version', SETTINGS, 'theme = "purple"\nnever = 1\n'],
    ['damaged progress', PROGRESS, '[running-max\nscreen = 3'],
    ['huge progress', PROGRESS, '# much\n'.repeat(300000)],
  ]) {
    await scene(`storage with ${what}`, async () => {
      await browser.go('tilewalk.svg');
      await browser.run('localStorage.setItem(arguments[0], arguments[1].replaceAll("@", "\\uD800"))', key, text);
      await page.open('--preset paper --step 3');
      await message('/(settings|progress).toml/');
      await goes_on(what);
      if (key == SETTINGS)
        await browser.press('t');
      else
        await page.command('open-lesson 5 screen 1');
      await message('/is in .*unread.toml/');
      const aside = await stored(key.replace('.toml', '.unread.toml')), now = await stored(key);
      check(`${what} are set aside whole`, what.includes('no text') ? aside?.length == text.length : aside === text,
            aside?.slice(0, 40));
      check('and a good file has their place', /theme = "light"|screen = 1/.test(now), now?.slice(0, 200));
      await silent(what);
    });
  }
  await scene('two tabs', async () => {
    const [first_tab, second_tab] = [await browser.tab(), await browser.new_tab()];
    try {
      for (const tab of [first_tab, second_tab]) {
        await browser.turn_to(tab);
        await page.open('--preset picture --step 3');
      }
      const finish = async (tab, answer) => {
        await browser.turn_to(tab);
        await page.command('open-lesson 5 screen 1');
        await page.until('host.state.lesson == 5 && host.state.screen == 1', 'the lesson');
        await page.command(`answer ${answer}`);
      };
      await finish(first_tab, 4096);
      await page.until('host.state.answered', 'the right answer');
      await browser.turn_to(second_tab);
      await page.command('open-lesson 6 screen 2');
      await page.until('host.state.lesson == 6 && host.state.screen == 2', 'another lesson');
      await page.command('set-text-scale 1.2');
      const has_come = `localStorage.getItem('${SETTINGS}')?.includes('text-scale = 1.2')`;
      await browser.until(has_come, 'the size of text stored');
      await browser.turn_to(first_tab);
      await browser.until(has_come, 'what the other tab stored: another process of the browser may hand it on');
      await page.command('set-speed 3');
      await page.until('host.state.speed == 3', 'the pace');
      const progress = await stored(PROGRESS), settings = await stored(SETTINGS);
      const lessons = progress.match(/^\[[^.]*\]$/mg) || [];
      check('progress of two tabs is kept together', /right = true/.test(progress) && lessons.length == 2, progress);
      check('and settings of two tabs', /text-scale = 1\.2/.test(settings) && /speed = 3/.test(settings), settings);
      await silent('two tabs');
    } finally {
      await browser.turn_to(second_tab);
      await browser.close_tab();
      await browser.turn_to(first_tab);
    }
  });
}
