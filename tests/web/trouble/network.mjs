// Recordings that cannot be fetched: the walk continues unchecked, and the page gives the reason.

export async function play({page, browser, server, check, scene, goes_on}) {
  const unchecked = pattern => page.until(`host.state.check == 0 && ${pattern}.test(host.state.check_reason)`,
                                          `a badge that says ${pattern}`);
  await scene('no list of recordings', async () => {
    for (const [answer, why] of [[404, /answered 404/], ['<!DOCTYPE html><p>a/b</p>', /names none/],
                                 ['', /names none/]]) {
      server.answers.set('/recordings/index.txt', answer);
      await page.open('--preset paper --step 3');
      const words = await page.until_says(/^The list of recordings could not be fetched/, 'what is missing');
      check(`why there is no list: ${answer}`, why.test(words), words);
      await unchecked('/list of recordings could not be fetched/');
      await goes_on('no list');
    }
  });
  await scene('a list of recordings that never comes', async () => {
    server.answers.set('/recordings/index.txt', 'never');
    await page.open('--preset paper --step 3');
    await page.until_says(/^The list of recordings could not be fetched: no answer came within 8 s/, 'what is missing');
    await goes_on('a list that never comes');
  });
  await scene('a recording that cannot be fetched', async () => {
    await page.open('--preset paper --step 3');
    await page.until('host.state.check == 2', 'the check');
    const path = server.asked.findLast(each => each.endsWith('.safetensors'));
    for (const [answer, why] of [[404, '/could not be fetched: the server answered 404/'],
                                 ['', '/fetched: it is empty/'], ['no recording', '/safetensors/']]) {
      server.answers.set(path, answer);
      await page.open('--preset paper --step 3');
      await unchecked(why);
      await goes_on(`a recording that is ${answer}`);
      server.answers.clear();
      if (answer == 'no recording') continue;
      await page.command('load-preset paper');
      await page.until('host.state.check == 2', 'the check that fetches it again');
      check('a recording is fetched again with the next check', true);
    }
  });
  await scene('the network is gone', async () => {
    await page.open('--preset paper --step 3');
    await page.until('host.state.check == 2', 'the check');
    await browser.cdp('Network.enable', {});
    await browser.cdp('Network.emulateNetworkConditions',
                      {offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1});
    try {
      await page.command('load-preset fa1');
      await unchecked('/could not be fetched/');
      await goes_on('the network is gone');
      await page.command('load-preset paper');
      await page.until('host.state.check == 2', 'a recording that has come before');
    } finally {
      await browser.cdp('Network.emulateNetworkConditions',
                        {offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1});
    }
  });
}
