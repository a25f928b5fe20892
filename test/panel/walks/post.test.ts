import { describe, expect } from 'vitest';
import { retryPostOperation, unpublishPostOperation } from '../../../lib/posts/operations.ts';
import { instagram, linkedin, tiktok, youtube } from '../support/accounts.ts';
import { answer } from '../support/operation-answers.ts';
import { panelTest } from '../support/panel.ts';
import { failedTargetOf, liveSteps, liveTargetOf, servePost } from '../support/post-page.ts';
import { listedPostOf, postOf } from '../support/posts.ts';
import { walk } from '../support/walk.ts';

const due = '2026-03-02T08:00:00.000Z';

describe('the page of a post', () => {
  walk('/posts/$id', 'says when it was planned, called and live', async ({ page, api, open, inspect }) => {
    const post = listedPostOf(1, {
      status: 'published',
      scheduledFor: due,
      content: 'Good morning',
      platforms: [liveTargetOf(instagram, due, 31)],
    });
    servePost(api, post, { timeline: liveSteps(instagram, due, 31) });
    await open(`/posts/${post.id}`);
    await page.getByRole('heading', { level: 1, name: 'Good morning' }).waitFor();
    const destination = page.getByRole('list', { name: 'Destinations' }).getByRole('listitem').first();
    const text = async () => (await destination.innerText()).replace(/\s+/g, ' ');
    await expect.poll(text).toContain('Planned 2 Mar 2026, 09:00:00.000 CET');
    await expect.poll(text).toContain('Called 2 Mar 2026, 09:00:00.031 CET');
    await expect.poll(text).toContain('Live 2 Mar 2026, 09:00:00.397 CET');
    await expect.poll(text).toContain('Late by 31 ms');
    const link = destination.getByRole('link', { name: 'Open at Instagram' });
    expect(await link.getAttribute('href')).toBe('https://www.instagram.test/p/42');
    await page.getByRole('button', { name: /Nordlicht Kaffee ?Instagram.*5 steps/ }).press('Enter');
    const attempt = page.getByRole('region', { name: 'Attempt 3' });
    await expect
      .poll(async () => (await attempt.innerText()).replace(/\s+/g, ' '))
      .toContain('POST https://graph.test/v24.0/178414/media_publish Status 200 366 ms');
    await inspect();
  });

  panelTest('says why it failed, and tries it again', async ({ panel: { page, api, open } }) => {
    const post = listedPostOf(1, {
      status: 'failed',
      scheduledFor: due,
      content: 'Good morning',
      platforms: [
        failedTargetOf(youtube, 'content', {
          error: 'videoDuplicate',
          errorDetail: {
            code: 'platform_rejected',
            category: 'content',
            platformMessage: 'videoDuplicate',
            retryAt: null,
          },
        }),
        failedTargetOf(tiktok, 'retryable'),
      ],
    });
    servePost(api, post);
    answer(api, retryPostOperation, () => ({ post: postOf(post), warnings: [] }));
    await open(`/posts/${post.id}`);
    const destinations = page.getByRole('list', { name: 'Destinations' });
    await destinations.getByText('YouTube does not take this post as it is.').waitFor();
    expect(await destinations.getByText('VideoDuplicate.').isVisible()).toBe(false);
    await destinations.getByText('What was said').first().click();
    await destinations.getByText('VideoDuplicate.').waitFor();
    await destinations.getByText('What to do:').first().waitFor();
    await page.getByRole('button', { name: 'Correct a copy' }).waitFor();
    await page
      .getByRole('button', { name: /^Try .*again$/ })
      .first()
      .click();
    await expect.poll(() => api.to('POST /v1/posts/{id}/retry').length).toBe(1);
  });

  panelTest('shows its numbers, and asks for new ones', async ({ panel: { page, api, open } }) => {
    const post = listedPostOf(1, {
      status: 'published',
      scheduledFor: due,
      platforms: [liveTargetOf(instagram, due, 31)],
    });
    servePost(api, post);
    await open(`/posts/${post.id}`);
    const numbers = page.getByRole('table', { name: 'Numbers of each destination' });
    await expect.poll(() => numbers.innerText()).toContain('1,234');
    await page.getByRole('button', { name: 'Read again' }).click();
    await expect
      .poll(() => api.to('GET /v1/posts/{id}/metrics').some(({ query }) => query.get('fresh') === 'true'))
      .toBe(true);
  });

  walk('/posts/$id', 'takes down what Herald can delete, and says the rest', async (panel) => {
    const { page, api, open, inspect } = panel;
    const post = listedPostOf(1, {
      status: 'published',
      scheduledFor: due,
      platforms: [liveTargetOf(linkedin, due, 31), liveTargetOf(instagram, due, 40)],
    });
    servePost(api, post);
    answer(api, unpublishPostOperation, () => ({ post: postOf(post), warnings: [] }));
    await open(`/posts/${post.id}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Take down…' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Take this post down?' });
    await dialog.getByText('Instagram lets no app delete posts.').waitFor();
    const link = dialog.getByRole('link', { name: 'Open at Instagram' });
    expect(await link.getAttribute('href')).toBe('https://www.instagram.test/p/42');
    await inspect();
    await dialog.getByRole('button', { name: 'Take down 1 destination' }).click();
    await page.getByText('It is being taken down').waitFor();
    expect(api.to('POST /v1/posts/{id}/unpublish')[0]?.body).toEqual({ accountIds: [linkedin.id] });
  });

  panelTest('says that a destination was taken down, or was not', async ({ panel: { page, api, open } }) => {
    const removal = {
      state: 'failed',
      by: 'service',
      requestedAt: due,
      error: 'HTTP 403',
      errorDetail: null,
    } as const;
    const gone = { ...removal, state: 'removed', by: 'person', error: null } as const;
    const post = listedPostOf(1, {
      status: 'published',
      scheduledFor: due,
      platforms: [
        liveTargetOf(linkedin, due, 31, { removal }),
        liveTargetOf(instagram, due, 40, { removal: gone, removedAt: due }),
      ],
    });
    servePost(api, post);
    await open(`/posts/${post.id}`);
    await page.getByText('Not taken down').waitFor();
    await page.getByText('HTTP 403').waitFor();
    await page.getByText('Try again with “Take down…”').waitFor();
    await page.getByText('By a person, at the platform').waitFor();
    await page.getByText(/^Noticed /).waitFor();
    expect(await page.getByRole('link', { name: 'Answer its comments' }).count()).toBe(0);
  });
});
