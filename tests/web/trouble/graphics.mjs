// A lost graphics context: reported at once, and the window returns with the next one.
import {KEYS} from '../browser.mjs';
import {wait} from '../page.mjs';

export async function play({page, browser, check, scene, goes_on, silent}) {
  await scene('lost graphics', async () => {
    await page.open('--preset paper --step 5');
    await page.until('host.state.check == 2', 'the check');
    await page.still();
    const picture = () => browser.run('return host.canvas.toDataURL()');
    await browser.run('globalThis.graphics = GLctx.getExtension("WEBGL_lose_context"); graphics.loseContext()');
    await page.until_says(/^The browser took the graphics away/, 'what happened, while nothing moves', 3);
    await browser.press(KEYS.Right);
    await browser.click(300, 300);
    await wait(300);
    check('the notice stays with keys and clicks', /^The browser took/.test(await page.words()), await page.words());
    check('and has a way out', await browser.run('return !document.getElementById("again").hidden'));
    await silent('lost graphics');
    await browser.run('graphics.restoreContext()');
    await page.until('document.getElementById("cover").hidden', 'the window that comes back');
    await goes_on('lost graphics');
    await browser.press(KEYS.Left);
    await page.until('host.state.cursor == 5', 'a step back');
    await page.still();
    const again = await picture();
    await page.open('--preset paper --step 5');
    await page.until('host.state.check == 2', 'the check');
    await page.still();
    check('the window is drawn as before', await picture() == again);
    await silent('graphics that came back');
  });
  await scene('graphics lost again and again, with a lesson and a heat map', async () => {
    await page.open("--n 512 --d 8 --br 8 --bc 8 --schedule flash_v2 --step 900 --then 'open-lesson 1'");
    await page.still();
    for (let n = 0; n < 3; ++n) {
      await browser.run('globalThis.graphics = GLctx.getExtension("WEBGL_lose_context"); graphics.loseContext()');
      await page.until_says(/^The browser took the graphics away/, 'what happened');
      await browser.run('graphics.restoreContext()');
      await page.until('document.getElementById("cover").hidden', 'the window that comes back');
      await goes_on('graphics that came back');
    }
    await silent('graphics lost again and again');
  });
  await scene('graphics lost for good', async () => {
    await page.open('--preset paper --step 5');
    await browser.run('GLctx.getExtension("WEBGL_lose_context").loseContext()');
    await page.until_says(/^The browser took the graphics away/, 'what happened');
    await browser.run('document.getElementById("again").click()');
    await page.until('document.getElementById("cover").hidden && host.state.cursor == 5', 'the view after a reload');
    check('the way out opens the view again', true);
  });
}
