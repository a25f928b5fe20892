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
    await expect.poll(() => page.title()).toBe('Home · Nordlicht · Herald');
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

  walk('/', 'has one row for an account that stopped several posts, and tries all again', async (panel) => {
    const { page, api, open, inspect } = panel;
    const raw = 'Error validating access token (190/460)';
    const names = ['Monday', 'Tuesday', 'Wednesday'];
    const posts = names.map((content, number) =>
      listedPostOf(number, {
        content,
        status: 'failed',
        scheduledFor: inMinutes(-90),
        updatedAt: inMinutes(-80),
        platforms: [failedTargetOf(youtube, 'reconnect', { error: raw })],
      }),
    );
    const expired = { ...youtube, status: 'expired' as const, statusMessage: raw, isActive: false };
    serveNow(api, { accounts: [instagram, expired], attention: posts });
    await open('/');
    await page.getByRole('heading', { name: '1 thing needs you' }).waitFor();
    const row = page.getByRole('list', { name: 'What needs you' }).getByRole('listitem').first();
    await row.getByText('3 posts failed because of it:').waitFor();
    await row.getByRole('button', { name: 'Reconnect' }).waitFor();
    expect(await row.getByText(raw).isVisible()).toBe(false);
    await row.getByText('What was said').click();
    await row.getByText(raw).waitFor();
    await inspect();

    // Somebody has connected it again.
    serveNow(api, { accounts: [instagram, youtube], attention: posts });
    await page.reload();
    const again = page.getByRole('list', { name: 'What needs you' }).getByRole('listitem').first();
    await again.getByText('3 posts failed while Herald had no access to it:').waitFor();
    expect(await page.getByRole('button', { name: 'Reconnect' }).count()).toBe(0);
    let left = posts;
    answer(api, retryPostOperation, ({ parameters: [tried] }) => {
      left = left.filter(({ id }) => id !== tried);
      serveNow(api, { accounts: [instagram, youtube], attention: left, posts });
      return { post: postOf(posts[0] as (typeof posts)[number]), warnings: [] };
    });
    await again.getByRole('button', { name: 'Try all 3 again' }).click();
    await page.getByText('3 posts are being tried again').waitFor();
    await page.getByRole('heading', { name: 'All is well' }).waitFor();
    expect(api.to('POST /v1/posts/{id}/retry').map(({ path }) => path)).toEqual(
      posts.map(({ id }) => `/v1/posts/${id}/retry`),
    );
  });
});
