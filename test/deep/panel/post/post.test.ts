import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  readPostOperation,
  removePostOperation,
  retryPostOperation,
} from '../../../../lib/posts/operations.ts';
import { duplicatePostOperation, editPostOperation } from '../../../../lib/posts/request/operations.ts';
import type { PostAdaptation } from '../../../../lib/posts/view/schemas.ts';
import {
  hostile,
  instagram,
  linkedin,
  many,
  replyOf,
  some,
  threads,
  tiktok,
  youtube,
} from '../../../panel/support/accounts.ts';
import { refusal, requestId } from '../../../panel/support/fake-api.ts';
import { idOf } from '../../../panel/support/ids.ts';
import { draftMedia, serveMedia } from '../../../panel/support/media.ts';
import { answer } from '../../../panel/support/operation-answers.ts';
import { panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';
import {
  failedTargetOf,
  later,
  liveSteps,
  liveTargetOf,
  servePost,
  stepOf,
} from '../../../panel/support/post-page.ts';
import { listedPostOf, postOf, targetOf } from '../../../panel/support/posts.ts';

const due = '2026-03-02T08:00:00.000Z';
const soon = () => new Date(Date.now() + 180_000).toISOString();
const destination = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Destinations' }).getByRole('listitem').filter({ hasText: name });
const textOf = async (page: Page, name: string) =>
  (await destination(page, name).innerText()).replace(/\s+/g, ' ');
const chainStep = (changes: object) => ({
  kind: 'followUp' as const,
  status: 'waiting' as const,
  postId: null,
  error: null,
  accountIds: [instagram.id],
  afterMinutes: 90,
  content: 'And this is how it tastes',
  mediaItems: [],
  options: {},
  ...changes,
});

describe('the page of a post', () => {
  panelTest('shows converted files as they are sent, or about as they will be', async ({ panel }) => {
    const { page, api, open } = panel;
    await serveMedia(panel);
    const { url } = draftMedia(1, 'tall.jpg');
    const addressOf = (name: string) => url.replace('tall.jpg', name);
    const post = listedPostOf(1, {
      status: 'scheduled',
      scheduledFor: due,
      mediaItems: [
        { type: 'image', url, filename: 'tall.jpg', fit: 'crop' },
        { type: 'image', url: addressOf('photo.heic'), filename: 'photo.heic' },
      ],
      platforms: [liveTargetOf(instagram, due, 31), targetOf(threads, { scheduledFor: due })],
    });
    const [live, planned] = postOf(post).platforms;
    if (live === undefined || planned === undefined) throw new Error('the post has two destinations');
    const adapted = (message: string, changes: Partial<PostAdaptation>) => ({
      field: 'mediaItems[0]',
      changes: ['shape' as const],
      message,
      contentType: 'image/jpeg',
      width: 1_080,
      height: 1_350,
      url: addressOf('square.jpg'),
      ...changes,
    });
    servePost(api, post, {
      accounts: [instagram, threads],
      changes: {
        platforms: [
          {
            ...live,
            adaptations: [
              adapted('cropped to 1080 × 1350 pixels', {}),
              adapted('converted to JPEG', { field: 'mediaItems[1]', changes: ['format'] }),
            ],
          },
          { ...planned, adaptations: [adapted('cropped to 1080 × 1350 pixels', {})] },
        ],
      },
      timeline: [
        stepOf(threads, later(due, -60_000), 'waiting', {
          reason: 'mediaItems[0] is being converted for Threads',
        }),
        stepOf(instagram, later(due, -60_000), 'files ready', {
          reason: 'mediaItems[0]: cropped to 1080 × 1350 pixels',
        }),
        stepOf(instagram, due, 'going live', {
          files: ['ab', null].map((renditionId) => ({ mediaId: idOf(1), sha256: null, renditionId })),
        }),
      ],
    });
    await open(`/posts/${post.id}`);
    const sent = destination(page, 'Instagram').getByRole('img', { name: 'File 1, as Instagram gets it' });
    await expect.poll(() => sent.getAttribute('src')).toBe(addressOf('square.jpg'));
    await destination(page, 'Instagram').getByText('File 2: converted to JPEG.').waitFor();
    // It does not exist yet, so the browser crops the original.
    const drawn = destination(page, 'Threads').getByRole('img', { name: 'File 1, as Threads gets it' });
    await expect.poll(() => drawn.getAttribute('src')).toBe(url);
    await expect.poll(() => drawn.getAttribute('style')).toContain('height: 160%');
    // The browser cannot show the file.
    await page.getByRole('list', { name: 'Files' }).getByText('photo.heic').waitFor();
    const waiting = page.getByRole('button', { name: /Threads.*1 step/ });
    await waiting.press('Enter');
    await page.getByText('File 1 is being converted for Threads.').waitFor();
    await waiting.press('Enter');
    await page.getByRole('button', { name: /Instagram.*2 steps/ }).press('Enter');
    await page.getByText('Files ready').waitFor();
    await page.getByText('File 1 was sent in its converted form.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });

  panelTest('offers to edit a post that has failed before anything was sent', async ({ panel }) => {
    const { page, api, open } = panel;
    const error = 'mediaItems[0]: the file cannot be converted for Instagram: the picture cannot be read';
    const post = listedPostOf(1, {
      status: 'failed',
      scheduledFor: due,
      platforms: [failedTargetOf(instagram, 'content', { error })],
    });
    servePost(api, post, { changes: { editable: true } });
    await open(`/posts/${post.id}`);
    await expect
      .poll(() => textOf(page, 'Instagram'))
      .toMatch(/What to do: Herald could not convert this file\. Edit the post and choose another file/);
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    const edit = destination(page, 'Instagram').getByRole('link', { name: 'Edit' });
    await expect.poll(() => edit.getAttribute('href')).toBe(`/posts/${post.id}/edit`);
  });

  panelTest('says what to do about a file that cannot be converted', async ({ panel }) => {
    const { page, api, open } = panel;
    const error = 'mediaItems[0]: the file cannot be converted for Instagram: the picture cannot be read';
    const post = listedPostOf(1, {
      status: 'failed',
      scheduledFor: due,
      platforms: [failedTargetOf(instagram, 'content', { error })],
    });
    servePost(api, post);
    await open(`/posts/${post.id}`);
    await expect
      .poll(() => textOf(page, 'Instagram'))
      .toMatch(/File 1: the file cannot be converted .* What to do: Herald could not convert this file\./);
    await destination(page, 'Instagram').getByRole('button', { name: 'Correct a copy' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
  });

  panelTest(
    'says when it was planned, called and live, and shows it',
    async ({ panel: { page, api, open } }) => {
      const post = listedPostOf(1, {
        status: 'published',
        scheduledFor: due,
        content: 'Good morning\n\nA new blend is here.',
        platforms: [liveTargetOf(instagram, due, 31)],
        chain: [
          chainStep({ status: 'fired', postId: idOf(77) }),
          chainStep({ kind: 'crossPost', content: null, afterMinutes: 0 }),
          chainStep({ status: 'failed', error: 'a file of the step was deleted' }),
          chainStep({ status: 'skipped' }),
          chainStep({ afterMinutes: 1 }),
        ],
      });
      const platforms = postOf(post).platforms.map((target) => ({
        ...target,
        platformSpecificData: { firstComment: 'Order here' },
      }));
      servePost(api, post, { timeline: liveSteps(instagram, due, 31), changes: { platforms } });
      await open(`/posts/${post.id}`);
      await page.getByRole('heading', { level: 1, name: 'Good morning' }).waitFor();
      const text = await textOf(page, 'Nordlicht Kaffee');
      expect(text).toMatch(/Planned 2 Mar 2026, 09:00:00.000 CET/);
      expect(text).toContain('Called 2 Mar 2026, 09:00:00.031 CET');
      expect(text).toContain('Live 2 Mar 2026, 09:00:00.397 CET');
      expect(text).toContain('Late by 31 ms');
      expect(text).toContain('First comment Order here Added.');
      const links = destination(page, 'Nordlicht Kaffee').getByRole('link');
      expect(await links.filter({ hasText: 'Open at Instagram' }).getAttribute('href')).toBe(
        'https://www.instagram.test/p/42',
      );
      await page
        .getByRole('region', { name: 'History' })
        .getByText(
          'Prepared from 4 min 1 s before to 12 s before the planned time. Called 31 ms late. Live 366 ms after the call.',
        )
        .waitFor();
      const chain = page.getByRole('region', { name: 'Chain' }).getByRole('listitem');
      expect((await chain.allInnerTexts()).map((each) => each.replace(/\s+/g, ' ').slice(2, 40))).toEqual([
        expect.stringContaining('Follow-up, 90 minutes later Created'),
        expect.stringContaining('Cross-post, at once Waiting'),
        expect.stringContaining('Follow-up, 90 minutes later Failed'),
        expect.stringContaining('Follow-up, 90 minutes later Skipped'),
        expect.stringContaining('Follow-up, 1 minute later Waiting'),
      ]);
      const toggle = page.getByRole('button', { name: /Nordlicht Kaffee ?Instagram.*5 steps/ });
      await toggle.focus();
      await page.keyboard.press('Enter');
      expect(await toggle.getAttribute('aria-expanded')).toBe('true');
      const attempt = page.getByRole('region', { name: 'Attempt 3' });
      expect((await attempt.innerText()).replace(/\s+/g, ' ')).toContain(
        'POST https://graph.test/v24.0/178414/media_publish Status 200 366 ms',
      );
      expect(await page.title()).toBe('Good morning · Nordlicht · Herald');
      expect(await violationsIn(page)).toEqual([]);
      await links.filter({ hasText: 'Answer its comments' }).click();
      await page.waitForURL('**/automations/new?**');
      const { searchParams } = new URL(page.url());
      expect([searchParams.get('account'), searchParams.get('post')]).toEqual([
        instagram.id,
        '17900000000000042',
      ]);
    },
  );

  panelTest('says why it failed and what to do, the most urgent first', async ({ panel }) => {
    const { page, api, open } = panel;
    const post = listedPostOf(1, {
      status: 'partial',
      scheduledFor: due,
      platforms: [
        liveTargetOf(linkedin, due, 1_905, {
          error: 'published, but not finished: the first comment was refused',
          errorDetail: {
            code: 'extra_failed',
            category: 'platform',
            platformMessage: 'Comments are closed',
            retryAt: null,
          },
        }),
        failedTargetOf(youtube, 'content', { error: 'videoDuplicate' }),
        failedTargetOf(tiktok, 'reconnect'),
        failedTargetOf(threads, 'unknown', {
          error: 'outcome unknown: check https://www.threads.net/@nordlicht before retrying',
        }),
      ],
    });
    const timeline = [
      stepOf(tiktok, later(due, -200_000), 'trying again', {
        reason: 'the platform did not answer',
        calls: [{ call: 'POST https://open.tiktok.test/init/', status: null, milliseconds: 9_120 }],
      }),
      stepOf(tiktok, later(due, 120), 'failed', { attempt: 2 }),
    ];
    servePost(api, post, { timeline });
    answer(api, retryPostOperation, () => ({ post: postOf(post), warnings: [] }));
    api.on('POST /v1/posts/{id}/duplicate', () =>
      replyOf(duplicatePostOperation, { post: postOf({ ...post, id: idOf(88) }), warnings: [] }, 201),
    );
    await open(`/posts/${post.id}`);
    await page.getByText('1 unconfirmed · 2 failed · 1 published').waitFor();
    const names = await page.getByRole('list', { name: 'Destinations' }).getByRole('heading').allInnerTexts();
    expect(names).toEqual(['nordlicht.threads', 'Nordlicht TV', 'Nordlicht TikTok', 'Nordlicht GmbH']);
    expect(await textOf(page, 'nordlicht.threads')).toContain('What to do: Look at the platform first.');
    await destination(page, 'Nordlicht GmbH').getByText('What was said').click();
    expect(await textOf(page, 'Nordlicht GmbH')).toContain('LinkedIn: Comments are closed');
    expect(await textOf(page, 'Nordlicht GmbH')).toContain('What to do: The post is live.');
    expect(await page.getByRole('link', { name: 'Open Threads' }).getAttribute('href')).toBe(
      'https://www.threads.net/@nordlicht',
    );
    await page.getByRole('button', { name: /Nordlicht TikTok.*2 steps/ }).click();
    await page.getByText('Status no answer').waitFor();
    for (const width of [320, 768]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await scrollsSideways(page), `${width}`).toBe(false);
    }
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try 3 destinations again' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('I have looked; nothing is there').click();
    await dialog.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => api.to('POST /v1/posts/{id}/retry').length).toBe(1);
    await destination(page, 'Nordlicht TikTok').getByRole('button', { name: 'Reconnect' }).click();
    await page.getByRole('dialog', { name: 'Reconnect Nordlicht TikTok' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Correct a copy' }).click();
    await page.waitForURL(`**/posts/${idOf(88)}/edit`);
    await expect
      .poll(() => api.to('POST /v1/posts/{id}/duplicate')[0]?.body)
      .toMatchObject({ accountIds: [youtube.id] });
  });

  panelTest('follows a post that goes live, every five seconds', async ({ panel: { page, api, open } }) => {
    const at = soon();
    const listed = (changes: object) =>
      listedPostOf(1, { scheduledFor: at, content: 'Soon', platforms: [targetOf(instagram, changes)] });
    servePost(api, listed({}), { timeline: [stepOf(instagram, later(at, -240_000), 'preparing')] });
    await open(`/posts/${listed({}).id}`);
    await page.getByRole('heading', { name: 'History' }).waitFor();
    servePost(api, { ...listed({}), status: 'published', platforms: [liveTargetOf(instagram, at, 31)] });
    await page.getByText('Late by').waitFor({ timeout: 9_000 });
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
  });

  panelTest('publishes now, copies and deletes what is planned', async ({ panel: { page, api, open } }) => {
    const post = listedPostOf(1, {
      scheduledFor: soon(),
      content: 'Tasting',
      platforms: [targetOf(instagram), targetOf(tiktok)],
    });
    servePost(api, post);
    api.on('PATCH /v1/posts/{id}', refusal(409, 'post_publishing', 'the post is being published'));
    await open(`/posts/${post.id}`);
    expect(await textOf(page, 'Nordlicht TikTok')).toContain(
      'This will fail, unless you reconnect it. Reconnect',
    );
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Publish now…');
    const publish = page.getByRole('alertdialog', { name: 'Publish this post now?' });
    await publish.getByText('It goes to 2 destinations at once.').waitFor();
    await publish.getByRole('button', { name: 'Publish now' }).click();
    await publish.getByText('The post is being published.').waitFor();
    answer(api, editPostOperation, () => ({ post: postOf(post), warnings: [] }));
    await publish.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText('The post is on its way').waitFor();
    await expect.poll(() => api.to('PATCH /v1/posts/{id}').at(-1)?.body).toEqual({ publishNow: true });
    await choose('Show as curl command');
    await page.getByText(`curl 'https://api.test/v1/posts/${post.id}'`).waitFor();
    await page.keyboard.press('Escape');
    answer(api, removePostOperation, () => ({ ok: true as const }));
    await choose('Delete…');
    const remove = page.getByRole('alertdialog', { name: 'Delete this post?' });
    // React Aria has announced that the button is pending, in a node that names the button for some seconds more.
    expect(await violationsIn(page, ['role-img-alt'])).toEqual([]);
    await remove.getByRole('button', { name: 'Delete post' }).click();
    await page.waitForURL('**/calendar');
  });

  panelTest(
    'shows 50 destinations, 200 attempts and hostile words',
    async ({ panel: { page, api, open } }) => {
      const accounts = [...hostile, ...many.slice(0, 44)];
      const said = `<script>alert(1)</script> \u202Egnp.exe ${'A'.repeat(400)}`;
      const post = listedPostOf(1, {
        status: 'failed',
        scheduledFor: due,
        content: `${'W'.repeat(3_000)}\n${'مقهى الشمال '.repeat(900)}`,
        metadata: { ['n'.repeat(40)]: 'v'.repeat(500) },
        externalId: 'x'.repeat(255),
        mediaItems: Array.from({ length: 35 }, (_, place) => ({
          type: place % 2 === 0 ? ('image' as const) : ('video' as const),
          url: `https://media.test/${place}`,
          filename: 'f'.repeat(255),
        })),
        platforms: accounts.map((account) => failedTargetOf(account, 'retryable', { error: said })),
      });
      const timeline = accounts.flatMap((account) =>
        Array.from({ length: 60 }, (_, step) =>
          stepOf(account, later(due, step * 60_000), 'trying again', { attempt: 141 + step, reason: said }),
        ),
      );
      await page.route('https://media.test/**', (route) => route.abort());
      servePost(api, post, { accounts, timeline });
      for (const width of [320, 1_280]) {
        await page.setViewportSize({ width, height: 800 });
        await open(`/posts/${post.id}`);
        await page.getByText('50 failed').waitFor();
        await page.getByRole('button', { name: 'Show all of the text' }).waitFor();
        await page
          .getByRole('button', { name: /60 steps/ })
          .first()
          .click();
        await page.getByRole('region', { name: 'Attempt 200' }).waitFor();
        const attempts = page.getByRole('region', { name: /^Attempt \d+$/ });
        expect(await attempts.count()).toBe(20);
        const all = page.getByRole('button', { name: 'Show all 60 steps' });
        await all.focus();
        await page.keyboard.press('Enter');
        await page.getByText('Those before attempt 141 are not kept.').waitFor();
        expect(await attempts.count()).toBe(60);
        // The button stays, and with it the focus.
        await page.keyboard.press('Enter');
        await expect.poll(() => attempts.count()).toBe(20);
        expect(await scrollsSideways(page), `${width}`).toBe(false);
      }
      await page.getByRole('button', { name: 'Show all 50 destinations' }).first().click();
      expect(await page.getByRole('list', { name: 'Destinations' }).getByRole('heading').count()).toBe(50);
      await page.getByText('27 more files').waitFor();
      await page.getByRole('button', { name: 'Try 50 destinations again' }).waitFor();
    },
  );

  panelTest('says why it did not load, and that it is gone', async ({ panel: { page, api, open } }) => {
    const post = listedPostOf(1, { status: 'draft', platforms: [] });
    servePost(api, post, { accounts: some });
    const failure = refusal(500, 'internal', 'an error of this service');
    api.on('GET /v1/posts/{id}', failure).on('GET /v1/posts/{id}/timeline', failure);
    await open(`/posts/${post.id}`);
    await page.getByText('An error of this service.').waitFor();
    await page.getByText(requestId).waitFor();
    answer(api, readPostOperation, () => ({ post: postOf(post) }));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('This draft has no destination yet.').waitFor();
    await page.getByText('The steps could not be read').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    api.on('GET /v1/posts/{id}', refusal(404, 'not_found', 'post: not found'));
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('heading', { name: 'There is nothing here' }).waitFor();
  });
});
