import { describe, expect } from 'vitest';
import { instagram } from '../support/accounts.ts';
import { panelTest } from '../support/panel.ts';
import { serveResults } from '../support/results.ts';
import { walk } from '../support/walk.ts';

describe('the results', () => {
  walk('/results', 'show a number by day, and the best posts first', async ({ page, api, open, inspect }) => {
    serveResults(api);
    await open('/results');
    await page.getByText('4,000 views of 2 posts').waitFor();
    await page.getByText('One post is not counted').waitFor();
    const posts = page.getByRole('table', { name: 'Posts, the best first' });
    const first = posts.getByRole('row').nth(1);
    await expect.poll(() => first.innerText()).toContain('Taken down');
    await expect.poll(() => first.innerText()).toContain('3,000');
    await posts.getByText('the platform has no such number').first().waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Show as table' }).click();
    await page.getByText('Days begin and end at midnight in Europe/Berlin.').waitFor();
    // Midnight in Berlin.
    expect(api.to('GET /v1/metrics')[0]?.query.get('from')).toMatch(/T2[23]:00:00.000Z$/);
    await inspect();
    await page.getByRole('button', { name: /Number/ }).click();
    await page.getByRole('option', { name: 'Likes' }).click();
    await page.getByText('47 likes of 3 posts').waitFor();
    await page.getByRole('combobox', { name: 'Account' }).fill('Nordlicht');
    await page
      .getByRole('option', { name: /Nordlicht Kaffee/ })
      .first()
      .click();
    await page.getByText('10 likes of 1 post').waitFor();
    const asked = new URL(page.url()).searchParams;
    expect(asked.get('account')).toBe(instagram.id);
    expect(asked.get('number')).toBe('likes');
  });

  panelTest('are those of the posts with a tag', async ({ panel: { page, api, open } }) => {
    serveResults(api);
    await open('/results?number=likes');
    await page.getByText('47 likes of 3 posts').waitFor();
    await page.getByRole('button', { name: /Tag/ }).click();
    await page.getByRole('option', { name: 'Summer' }).click();
    await page.getByText('7 likes of 1 post').waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe('Summer');
  });

  panelTest('are saved as the service’s CSV', async ({ panel: { page, api, open } }) => {
    serveResults(api);
    await open('/results');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    expect((await saved).suggestedFilename()).toMatch(/^results-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
    expect(api.to('GET /v1/metrics').some(({ query }) => query.get('format') === 'csv')).toBe(true);
  });
});
