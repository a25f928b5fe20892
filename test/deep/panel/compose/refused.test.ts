import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { serveComposer, servePost, storedPost, threads } from '../../../panel/compose/support/serve.ts';
import { refusal } from '../../../panel/support/fake-api.ts';
import { panelTest } from '../../../panel/support/panel.ts';

const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const schedule = (page: Page) => page.getByRole('button', { name: 'Schedule', exact: true });
const limited = refusal(429, 'rate_limited', 'too many requests');

describe('a post that the service does not take', () => {
  panelTest('says when to send it again after too many requests, and is whole', async ({ panel }) => {
    const { page, api, open } = panel;
    servePost(serveComposer(api), storedPost);
    api.on('POST /v1/posts', { ...limited, headers: { ...limited.headers, 'retry-after': '30' } });
    api.on('POST /v1/posts/validate', limited);
    await open(`/compose?account=${threads.id}&at=2027-03-14T09:30`);
    await text(page).fill('Fresh beans');
    await page.getByText('This could not be checked at the moment.').waitFor();
    await page.getByRole('button', { name: 'Check again' }).waitFor();
    await schedule(page).click();
    await page
      .getByText('Too many requests. Wait 30 seconds, then send it again. Nothing that you typed is lost.')
      .waitFor();
    expect(await text(page).inputValue()).toBe('Fresh beans');
    servePost(serveComposer(api), storedPost);
    await schedule(page).click();
    await page.waitForURL('**/posts/*');
    const keys = api
      .to('POST /v1/posts')
      .map(({ body }) => (body as { idempotencyKey: string }).idempotencyKey);
    expect(new Set(keys).size).toBe(1);
  });

  panelTest('says so if it is too large, and is kept', async ({ panel: { page, api, open } }) => {
    servePost(serveComposer(api), storedPost);
    // As the gateway says it, which has never heard of our errors.
    api.on('POST /v1/posts', { status: 413, body: { message: 'Request Entity Too Large' } });
    await open(`/compose?account=${threads.id}&at=2027-03-14T09:30`);
    await text(page).fill('Fresh beans');
    await schedule(page).click();
    await page.getByText('The post is too large to be sent at once.').waitFor();
    await page.getByText('Kept in this browser').waitFor();
    await page.reload();
    await expect.poll(() => text(page).inputValue()).toBe('Fresh beans');
  });
});
