import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { listMetricsOperation } from '../../../../lib/insights/operations.ts';
import { instagram } from '../../../panel/support/accounts.ts';
import { refusal } from '../../../panel/support/fake-api.ts';
import { answer } from '../../../panel/support/operation-answers.ts';
import { panelTest } from '../../../panel/support/panel.ts';
import { results, serveResults } from '../../../panel/support/results.ts';

describe('the results', () => {
  panelTest('are saved whole, however many there are', async ({ panel: { page, api, open } }) => {
    const lastPage = 60;
    serveResults(api);
    answer(api, listMetricsOperation, ({ query }) => {
      if (query.get('format') !== 'csv') return { posts: results.slice(0, 1), nextCursor: null };
      const number = Number(query.get('cursor') ?? 1);
      const next = number < lastPage ? { 'x-next-cursor': String(number + 1) } : {};
      const headers = { 'content-type': 'text/csv', ...next };
      return { status: 200, body: `postId\r\npost ${number}\r\n`, headers };
    });
    await open('/results');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8').split('\r\n');
    expect([lines.length, lines[0], lines.at(-2)]).toEqual([lastPage + 2, 'postId', `post ${lastPage}`]);
  });

  panelTest('say what to do if no account gives numbers', async ({ panel: { page, api, open } }) => {
    serveResults(api, [], [instagram]);
    await open('/results');
    await page.getByRole('heading', { name: 'No account gives numbers yet' }).waitFor();
    await page.getByRole('link', { name: 'Go to accounts' }).waitFor();
  });

  panelTest('say that nothing went live', async ({ panel: { page, api, open } }) => {
    serveResults(api, []);
    await open('/results?platform=tiktok');
    await page.getByRole('heading', { name: 'Nothing went live in this period' }).waitFor();
    await page.getByRole('button', { name: 'Show everything' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  panelTest('say why they could not be read', async ({ panel: { page, api, open } }) => {
    serveResults(api).on('GET /v1/metrics', refusal(503, 'unavailable', 'try again in a minute'));
    await open('/results');
    await page.getByRole('alert').getByText('This did not load').waitFor();
  });
});
