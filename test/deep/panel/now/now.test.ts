import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { retryPostOperation } from '../../../../lib/posts/operations.ts';
import { duplicatePostOperation } from '../../../../lib/posts/request/operations.ts';
import { editWebhookOperation } from '../../../../lib/webhooks/endpoints/operations.ts';
import {
  dayMs,
  hostile,
  instagram,
  pinterest,
  replyOf,
  serveBegin,
  tiktok,
  youtube,
} from '../../../panel/support/accounts.ts';
import { focused, shiftOf } from '../../../panel/support/calendar-page.ts';
import { ok, refusal, requestId } from '../../../panel/support/fake-api.ts';
import { endpointOf, figures, noFigures, serveNow } from '../../../panel/support/now.ts';
import { answer } from '../../../panel/support/operation-answers.ts';
import { meOf, newYork, panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';
import { failedTargetOf, liveTargetOf } from '../../../panel/support/post-page.ts';
import { listedPostOf, postOf, targetOf } from '../../../panel/support/posts.ts';

const minute = 60_000;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();
const well = [instagram, pinterest, youtube];

const row = (page: Page, words: string) =>
  page.getByRole('list', { name: 'What needs you' }).getByRole('listitem').filter({ hasText: words });
const planned = (page: Page, words: string) =>
  page
    .getByRole('list', { name: 'What goes out in the next 24 hours' })
    .getByRole('listitem')
    .filter({ hasText: words });

const failedPost = (number: number, content: string, target: ReturnType<typeof targetOf>) =>
  listedPostOf(number, {
    content,
    status: 'failed',
    scheduledFor: at(-90 * minute),
    updatedAt: at(-80 * minute),
    platforms: [target],
  });

describe('the first page', () => {
  panelTest('says that all is well, what was checked and when', async ({ panel: { page, api, open } }) => {
    const late = at(-dayMs);
    const posts = [
      listedPostOf(1, {
        content: 'Tasting on Friday',
        scheduledFor: at(60 * minute),
        platforms: [targetOf(instagram)],
      }),
      listedPostOf(2, {
        content: 'Slow server',
        status: 'published',
        scheduledFor: late,
        platforms: [liveTargetOf(pinterest, late, 1_898)],
      }),
    ];
    serveNow(api, { accounts: well, posts, endpoints: [endpointOf(1)] });
    await open('/');
    await page.getByRole('heading', { name: 'All is well' }).waitFor();
    await page
      .getByText(/^Posts, 3 accounts, 1 endpoint and the storage were checked at \d\d:\d\d (CET|CEST)/)
      .waitFor();
    await planned(page, 'Tasting on Friday').getByText('Scheduled').waitFor();
    const punctuality = page.getByRole('region', { name: 'Punctuality, 7 days' });
    expect(await punctuality.innerText()).toMatch(/99\.5%\s+of 214 destinations/);
    expect(await punctuality.innerText()).toMatch(/95% within\s+133 ms/);
    expect(await punctuality.getByRole('link').getAttribute('href')).toBe(`/posts/${posts[1]?.id}`);
    expect(await page.getByRole('meter').getAttribute('aria-valuetext')).toBe('700 MiB of 5 GiB');
    expect(await page.title()).toBe('Home · Nordlicht · Herald');
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('says that a platform has trouble, and how well each has worked', async ({ panel }) => {
    const { page, api, open } = panel;
    const incidents = [{ platform: 'threads', since: at(-20 * minute), message: 'for programs' } as const];
    const { platforms: _none, from: _from, to: _to, ...ofPlatform } = figures;
    const platforms = [
      { platform: 'threads', ...ofPlatform, atFirstTry: 0.6 } as const,
      { platform: 'youtube', ...ofPlatform, atFirstTry: null } as const,
    ];
    const posts = [listedPostOf(1, { scheduledFor: at(60 * minute), platforms: [targetOf(instagram)] })];
    serveNow(api, { accounts: well, posts, incidents, punctuality: { ...figures, platforms } });
    await open('/');
    const notice = page.getByRole('alert').filter({ hasText: 'Threads has trouble' });
    expect(await notice.innerText()).toMatch(/Posts to it go live late.*Since .*\d\d:\d\d (CET|CEST)/s);
    const punctuality = page.getByRole('region', { name: 'Punctuality, 7 days' });
    await punctuality.getByText('60%').waitFor();
    expect(await punctuality.innerText()).toMatch(/Threads at the first try\s+60%/);
    expect(await punctuality.getByText('YouTube at the first try').count()).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('names what needs a person, and what of it helps, on any screen', async ({ panel }) => {
    const { page, api, open } = panel;
    const unknown = 'outcome unknown: check https://www.instagram.com/nordlicht before retrying (no answer)';
    const attention = [
      failedPost(1, 'Summer blend', failedTargetOf(instagram, 'unknown', { error: unknown })),
      failedPost(2, 'How we roast', failedTargetOf(youtube, 'content', { error: 'videoDuplicate' })),
      { ...failedPost(3, 'Long ago', failedTargetOf(youtube, 'retryable')), updatedAt: at(-15 * dayMs) },
    ];
    const posts = [
      listedPostOf(4, { content: 'Dance', scheduledFor: at(60 * minute), platforms: [targetOf(tiktok)] }),
    ];
    const endpoints = [endpointOf(1, { status: 'failing', statusMessage: 'the connection was refused' })];
    serveNow(api, { attention, posts, endpoints, usedBytes: 5 * 1_024 ** 3 });
    await open('/');
    await page.getByRole('heading', { name: '7 things need you' }).waitFor();
    await row(page, 'Summer blend').getByText('Unconfirmed').waitFor();
    await row(page, 'Summer blend').getByText('Check https://www.instagram.com/nordlicht before').waitFor();
    await row(page, 'How we roast').getByRole('button', { name: 'Correct a copy' }).waitFor();
    const expired = row(page, 'Herald has no access to this account');
    expect(await expired.innerText()).toContain('1 post of the next 24 hours will fail:');
    await expired.getByRole('link', { name: 'Dance' }).waitFor();
    await planned(page, 'Dance').getByText('At risk').waitFor();
    await planned(page, 'Dance').getByText('Nordlicht TikTok has expired.').waitFor();
    await row(page, 'The connection was refused.').getByRole('button', { name: 'Send again…' }).waitFor();
    await row(page, 'The storage is full').getByRole('link', { name: 'See files' }).waitFor();
    await page.getByText('1 older post, from more than two weeks ago').click();
    await page.getByRole('link', { name: 'Long ago' }).waitFor();
    for (const width of [320, 768]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await scrollsSideways(page), `${width}`).toBe(false);
    }
    await page.setViewportSize({ width: 1_280, height: 800 });
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('tries a post again where it is, by keyboard too', async ({ panel: { page, api, open } }) => {
    const post = failedPost(1, 'Summer blend', failedTargetOf(youtube, 'retryable'));
    serveNow(api, { accounts: well, attention: [post] });
    api.on('POST /v1/posts/{id}/retry', refusal(409, 'changed_concurrently', 'the post is being changed'));
    await open('/');
    const button = row(page, 'Summer blend').getByRole('button', { name: 'Try again' });
    await button.focus();
    await page.keyboard.press('Enter');
    await row(page, 'Summer blend').getByText('The post is being changed.').waitFor();
    answer(api, retryPostOperation, () => ({ post: postOf(post), warnings: [] }));
    await button.click();
    await row(page, 'Summer blend').getByText('It is being tried again.').waitFor();
    serveNow(api, { accounts: well, posts: [post] });
    await page.getByRole('heading', { name: 'All is well' }).waitFor();
  });

  panelTest('asks whether a post is there before it may be published twice', async ({ panel }) => {
    const { page, api, open } = panel;
    const error = 'outcome unknown: check https://www.threads.net/@nordlicht before retrying';
    const post = failedPost(1, 'Summer blend', failedTargetOf(instagram, 'unknown', { error }));
    serveNow(api, { accounts: well, attention: [post] });
    answer(api, retryPostOperation, () => ({ post: postOf(post), warnings: [] }));
    await open('/');
    await row(page, 'Summer blend').getByRole('button', { name: 'Check…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is the post there already?' });
    const link = dialog.getByRole('link', { name: 'Open Instagram' });
    expect(await link.getAttribute('href')).toBe('https://www.threads.net/@nordlicht');
    const confirm = dialog.getByRole('button', { name: 'Try again' });
    expect(await confirm.isDisabled()).toBe(true);
    expect(await violationsIn(page)).toEqual([]);
    await dialog.getByRole('checkbox').focus();
    await page.keyboard.press('Space');
    await confirm.click();
    await expect.poll(() => api.to('POST /v1/posts/{id}/retry').length).toBe(1);
    await dialog.waitFor({ state: 'detached' });
  });

  panelTest('corrects, reconnects and turns on where it says so', async ({ panel: { page, api, open } }) => {
    const refused = failedTargetOf(youtube, 'content');
    const post = failedPost(1, 'How we roast', refused);
    const platforms = [refused, liveTargetOf(pinterest, at(-90 * minute), 3)];
    const off = endpointOf(2, {
      status: 'disabled',
      isActive: false,
      statusMessage: 'disabled: it answered 410',
    });
    serveNow(api, { accounts: [...well, tiktok], attention: [{ ...post, platforms }], endpoints: [off] });
    const webhook = { ...off, isActive: true, status: 'active' as const };
    answer(api, editWebhookOperation, () => ({ webhook, warnings: [] }));
    const draft = postOf({ ...post, id: listedPostOf(9).id });
    api.on('POST /v1/posts/{id}/duplicate', () =>
      replyOf(duplicatePostOperation, { post: draft, warnings: [] }, 201),
    );
    serveBegin(api, 'https://api.test/connect');
    await open('/');
    await row(page, 'Herald has turned this endpoint off: it answered 410.')
      .getByRole('button', { name: 'Turn on' })
      .click();
    await page.getByText('The endpoint is on again').waitFor();
    await row(page, 'Nordlicht TikTok').getByRole('button', { name: 'Reconnect' }).click();
    await page.getByRole('dialog', { name: 'Reconnect Nordlicht TikTok' }).waitFor();
    await page.keyboard.press('Escape');
    await row(page, 'How we roast').getByRole('button', { name: 'Correct a copy' }).click();
    await page.waitForURL(`**/posts/${listedPostOf(9).id}/edit`);
    await expect
      .poll(() => api.to('POST /v1/posts/{id}/duplicate')[0]?.body)
      .toMatchObject({ accountIds: [youtube.id] });
  });

  panelTest('begins with an account, the first post, or curl', async ({ panel: { page, api, open } }) => {
    serveNow(api, { accounts: [], punctuality: noFigures });
    await open('/');
    await page.getByRole('heading', { name: 'Begin here' }).waitFor();
    const code = await page.getByRole('figure').allInnerTexts();
    expect(code.join('\n')).toContain('-H "Authorization: Bearer $HERALD_API_KEY"');
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Connect account' }).click();
    await page.getByRole('dialog', { name: 'Connect an account' }).waitFor();
    serveNow(api, { accounts: well, punctuality: noFigures });
    await open('/');
    await page.getByText('3 accounts connected').waitFor();
    await page.getByRole('main').getByRole('link', { name: 'New post' }).click();
    await page.waitForURL('**/compose');
  });

  panelTest('does not say that all is well if it could not look', async ({ panel: { page, api, open } }) => {
    serveNow(api, { accounts: well });
    const failure = refusal(500, 'internal', 'an error of this service');
    api.on('GET /v1/posts', ({ query }) =>
      query.has('attention') ? failure : ok({ posts: [listedPostOf(1)], nextCursor: null }),
    );
    api.on('GET /v1/workspace/punctuality', failure);
    await open('/');
    await page.getByText('Not everything could be checked: posts that went wrong').waitFor();
    await page.getByText(requestId).first().waitFor();
    await page.getByText('The punctuality could not be read').waitFor();
    expect(await page.getByText('All is well').count()).toBe(0);
    serveNow(api, { accounts: well, posts: [listedPostOf(1)] });
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('heading', { name: 'All is well' }).waitFor();
  });

  panelTest(
    'asks members for nothing that only owners see, and stays calm while it loads',
    async ({ panel }) => {
      const { page, api, open } = panel;
      const me = meOf();
      api.on('GET /panel/me', ok({ ...me, workspaces: me.workspaces.filter(({ id }) => id === newYork) }));
      const posts = Array.from({ length: 120 }, (_, number) =>
        listedPostOf(number, {
          content: `Post ${number}`,
          scheduledFor: at((number + 1) * 10 * minute),
          platforms: [...well, ...hostile].slice(0, 1 + (number % 8)).map((account) => targetOf(account)),
        }),
      );
      serveNow(api, { accounts: [...well, ...hostile.slice(0, 5)], posts, punctuality: figures });
      await page.setViewportSize({ width: 360, height: 780 });
      await open('/');
      await page.getByRole('heading', { name: 'All is well' }).waitFor();
      await page.getByText('and the storage were checked at').waitFor();
      expect(api.to('GET /v1/webhooks')).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      expect(await shiftOf(page)).toBeLessThan(0.05);
      await page.getByRole('button', { name: 'Show all 120' }).click();
      await planned(page, 'Post 119').waitFor();
    },
  );

  panelTest('shows a destination that goes out long after the others of its post', async ({ panel }) => {
    const { page, api, open } = panel;
    const early = at(-5 * dayMs);
    const posts = [
      listedPostOf(1, {
        content: 'Tasting',
        status: 'publishing',
        scheduledFor: early,
        platforms: [liveTargetOf(instagram, early, 3), targetOf(tiktok, { scheduledFor: at(60 * minute) })],
      }),
      listedPostOf(2, {
        content: 'Opening',
        scheduledFor: at(30 * dayMs),
        platforms: [targetOf(pinterest, { scheduledFor: at(120 * minute) })],
      }),
    ];
    serveNow(api, { accounts: [...well, tiktok], posts });
    await open('/');
    await planned(page, 'Tasting').getByText('At risk').waitFor();
    await planned(page, 'Opening').getByText('Scheduled').waitFor();
    expect(await planned(page, 'Tasting').count()).toBe(1);
  });

  panelTest('forgets what a person has dealt with, until it fails again', async ({ panel }) => {
    const { page, api, open } = panel;
    const attention = [
      failedPost(1, 'Summer blend', failedTargetOf(instagram, 'platform')),
      failedPost(2, 'How we roast', failedTargetOf(youtube, 'content')),
    ];
    serveNow(api, { accounts: well, attention });
    await open('/');
    await page.getByRole('heading', { name: '2 things need you' }).waitFor();
    await page.getByRole('button', { name: 'Dismiss “Summer blend”' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Dismissed in this browser until it changes, such as if it fails again.').waitFor();
    await page.getByRole('heading', { name: '1 thing needs you' }).waitFor();
    await expect.poll(() => focused(page)).toBe('How we roast');
    await page.getByRole('button', { name: 'Dismiss “How we roast”' }).click();
    await page.getByRole('heading', { name: 'Nothing new needs you' }).waitFor();
    await expect.poll(() => focused(page)).toBe('Nothing new needs you');

    // It is kept, and nothing is lost from sight.
    await page.reload();
    await page.getByRole('heading', { name: 'Nothing new needs you' }).waitFor();
    await page.getByText('2 posts that you have dismissed').click();
    await page.getByText('Only this browser knows.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('list', { name: 'What you have dismissed' }).getByRole('button').last().click();
    await row(page, 'How we roast').waitFor();
    await expect.poll(() => focused(page)).toBe('How we roast');

    const [first, second] = attention;
    if (!first || !second) throw new Error('there are no posts');
    serveNow(api, { accounts: well, attention: [{ ...first, updatedAt: at(0) }, second] });
    await open('/');
    await row(page, 'Summer blend').waitFor();
  });
});
