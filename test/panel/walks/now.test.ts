import { describe, expect } from 'vitest';
import { retryPostOperation } from '../../../lib/posts/operations.ts';
import { instagram, pinterest, youtube } from '../support/accounts.ts';
import { endpointOf, serveNow } from '../support/now.ts';
import { answer } from '../support/operation-answers.ts';
import { panelTest } from '../support/panel.ts';
import { failedTargetOf } from '../support/post-page.ts';
import { listedPostOf, postOf, targetOf } from '../support/posts.ts';
import { walk } from '../support/walk.ts';

const accounts = [instagram, pinterest, youtube];
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

describe('the first page', () => {
  walk('/', 'says that all is well, and what goes out next', async ({ page, api, open, inspect }) => {
    const tasting = listedPostOf(1, {
      content: 'Tasting on Friday',
      scheduledFor: inMinutes(60),
      platforms: [targetOf(instagram)],
    });
    serveNow(api, { accounts, posts: [tasting], endpoints: [endpointOf(1)] });
    await open('/');
    await page.getByRole('heading', { name: 'All is well' }).waitFor();
    await page
      .getByRole('list', { name: 'What goes out in the next 24 hours' })
      .getByRole('listitem')
      .filter({ hasText: 'Tasting on Friday' })
      .getByText('Scheduled')
      .waitFor();
    await expect
      .poll(() => page.getByRole('region', { name: 'Punctuality, 7 days' }).innerText())
      .toMatch(/99\.5%\s+of 214 destinations/);
    await expect.poll(() => page.getByRole('meter').getAttribute('aria-valuetext')).toBe('700 MiB of 5 GiB');
    await expect.poll(() => page.title()).toBe('Now · Nordlicht · Herald');
    await inspect();
  });

  panelTest('names a post that failed, and tries it again', async ({ panel: { page, api, open } }) => {
    const failed = listedPostOf(1, {
      content: 'Summer blend',
      status: 'failed',
      scheduledFor: inMinutes(-90),
      updatedAt: inMinutes(-80),
      platforms: [failedTargetOf(youtube, 'retryable')],
    });
    serveNow(api, { accounts, attention: [failed] });
    answer(api, retryPostOperation, () => {
      serveNow(api, { accounts, posts: [failed] });
      return { post: postOf(failed), warnings: [] };
    });
    await open('/');
    const row = page
      .getByRole('list', { name: 'What needs you' })
      .getByRole('listitem')
      .filter({ hasText: 'Summer blend' });
    await row.waitFor();
    await row.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'All is well' }).waitFor();
    await expect
      .poll(() => api.to('POST /v1/posts/{id}/retry').map(({ path }) => path))
      .toEqual([`/v1/posts/${failed.id}/retry`]);
  });
});
