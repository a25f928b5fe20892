import { describe, expect } from 'vitest';
import { refusal } from '../../panel/support/fake-api.ts';
import { panelTest } from '../../panel/support/panel.ts';
import { scenes } from '../../panel/support/scenes.ts';

/** Pages that did not load, with the scene that they have once they do. */
const failing = scenes.filter(({ name }) => name.startsWith('failing '));
const sceneOf = (path: string) =>
  scenes.find(({ name, path: each }) => !name.startsWith('failing ') && each.split('?')[0] === path);

describe('“Try again” that works leaves the focus in the page', () => {
  for (const { name, path, time, serve, ready } of failing) {
    const loaded = sceneOf(path);
    if (loaded === undefined) throw new Error(`no scene has ${path}`);
    panelTest(name, async ({ panel }) => {
      const { page, open, setTime } = panel;
      const now = loaded.time ?? time;
      if (now !== undefined) await setTime(now);
      serve(panel);
      await open(path);
      await page.locator(ready).first().waitFor();
      loaded.serve(panel);
      const retry = page.locator('main').getByRole('button', { name: 'Try again' });
      while ((await retry.count()) > 0) {
        await retry.first().press('Enter');
        await page.waitForTimeout(300);
        await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
      }
      await page.locator(loaded.ready).first().waitFor();
      expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    });
  }

  panelTest('of the panel itself', async ({ panel: { page, api, open } }) => {
    const { me } = { me: api };
    void me;
    await open('/settings');
    await page.locator('main h1').first().waitFor();
    api.on('GET /panel/me', refusal(503, 'unavailable', 'try again in a minute'));
    await page.reload();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });
});
