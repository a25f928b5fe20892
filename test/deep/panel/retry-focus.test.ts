import { describe, expect } from 'vitest';
import { refusal } from '../../panel/support/fake-api.ts';
import { panelTest } from '../../panel/support/panel.ts';
import { scenes } from '../../panel/support/scenes.ts';

describe('“Try again” keeps the focus while the page is read, and gives it to what comes', () => {
  for (const [scene, route] of [
    ['accounts', 'GET /v1/accounts'],
    ['account', 'GET /v1/accounts/{id}'],
    ['automations', 'GET /v1/comment-automations'],
    ['automation', 'GET /v1/comment-automations/{id}'],
    ['automation, edit', 'GET /v1/comment-automations/{id}'],
    ['links', 'GET /v1/links'],
    ['results', 'GET /v1/metrics'],
    ['keys', 'GET /panel/keys'],
    ['endpoints', 'GET /v1/webhooks'],
    ['members', 'GET /panel/members'],
    ['workspace', 'GET /v1/workspace'],
  ] as const)
    panelTest(scene, async ({ panel }) => {
      const { page, api, open } = panel;
      const { path, serve, ready } = scenes.find(({ name }) => name === scene) ?? {};
      if (path === undefined || serve === undefined || ready === undefined) throw new Error('no such scene');
      serve(panel);
      let fails = true;
      const held = Promise.withResolvers<void>();
      api.around(route, async (reply) => {
        if (fails) return refusal(503, 'unavailable', 'try again in a minute');
        await held.promise;
        return reply;
      });
      await open(path);
      const retry = page.locator('main').getByRole('button', { name: 'Try again' });
      await retry.waitFor();
      fails = false;
      const before = api.to(route).length;
      await retry.press('Enter');
      await expect.poll(() => api.to(route).length).toBeGreaterThan(before);
      await page.evaluate(() => new Promise((painted) => requestAnimationFrame(painted)));
      expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Try again');
      held.resolve();
      await page.locator(ready).first().waitFor();
      await retry.waitFor({ state: 'detached' });
      await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
    });
});
