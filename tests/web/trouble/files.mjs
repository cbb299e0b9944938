// Files that cannot be opened.
import {mkdirSync, readFileSync, truncateSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from '../page.mjs';

export async function play({page, browser, check, scene, goes_on, silent, message, scratch}) {
  const drop = (...files) => browser.run(`
    const data = new DataTransfer();
    for (const [name, text] of arguments[0]) data.items.add(new File([text], name));
    document.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))`, files);
  const session = readFileSync(join(root, 'assets/presets/fa1.toml'), 'utf8').replace(/^order = \d.*\n/m, '');
  await scene('files that cannot be opened', async () => {
    await page.open('--preset paper --step 3');
    await drop(['', 'text']);
    await page.until_says(/file without a name/, 'what is wrong with no name');
    await goes_on('a file without a name');
    await drop(['..', 'text']);
    await message('/_/');
    await browser.run(`File.prototype.arrayBuffer = () =>
      Promise.reject(new DOMException('gone', 'NotReadableError'))`);
    await drop(['gone.toml', session]);
    await page.until_says(/"gone\.toml" cannot be read: gone/, 'what is wrong with a file that is gone');
    await goes_on('a file that is gone');
    await page.open('--preset paper --step 3');
    await drop(...Array.from({length: 200}, (_, n) => [`many${n}.toml`, session]));
    await page.until_says(/200 files are too many/, 'what is wrong with many files');
    check('none of many is opened', (await page.state()).schedule == 'flash_v2', await page.state());
    await drop(['x'.repeat(300) + '.toml', session]);
    await page.until('host.state.schedule == "flash_v1"', 'a session with a long name');
    await goes_on('a long name');
    await page.open('--preset paper --step 3');
    await drop(['fine.toml', session], ['', session]);
    await page.until_says(/without a name/, 'what is wrong with one of two');
    await page.until('host.state.schedule == "flash_v1"', 'the other of two');
    await drop(['empty.toml', ''], ['odd.xyz', 'text'], ['.toml', session]);
    await goes_on('odd files');
    await silent('files that cannot be opened');
  });
  await scene('a folder, and a file of 3 GiB', async () => {
    await page.open('--preset paper --step 3');
    const folder = join(scratch, 'folder');
    mkdirSync(folder);
    writeFileSync(join(folder, 'inside.toml'), session);
    const data = {items: [], files: [folder], dragOperationsMask: 1};
    for (const type of ['dragEnter', 'dragOver', 'drop'])
      await browser.cdp('Input.dispatchDragEvent', {type, x: 400, y: 300, data});
    await page.until_says(/"folder" is a folder/, 'what is wrong with a folder');
    await goes_on('a folder');
    const huge = join(scratch, 'huge.npy');
    writeFileSync(huge, '');
    truncateSync(huge, 3 * 2 ** 30);
    await browser.type_into('#picked', huge);
    await page.until_says(/"huge\.npy" has 3072 MiB, and a page opens at most 256/, 'what is wrong with a huge file');
    await goes_on('a huge file');
    await silent('a folder, and a file of 3 GiB');
  });
}
