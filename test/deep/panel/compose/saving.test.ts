import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import {
  replayed,
  serveComposer,
  servePost,
  storedPost,
  threads,
} from '../../../panel/compose/support/serve.ts';
import { instagram } from '../../../panel/support/accounts.ts';
import type { FakeReply } from '../../../panel/support/fake-api.ts';
import { picked, serveMedia } from '../../../panel/support/media.ts';
import { panelTest } from '../../../panel/support/panel.ts';

const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true });
const add = (page: Page) => page.getByLabel('Add files').or(page.locator('input[type=file]')).first();
const keptDrafts = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith('compose')));

/** A reply that comes when the test says so. */
function delayed(reply: FakeReply) {
  const { promise, resolve } = Promise.withResolvers<FakeReply>();
  return { handler: () => promise, come: () => resolve(reply) };
}

describe('a stored post with files', () => {
  panelTest('is not changed by what is found out about them', async ({ panel }) => {
    const { page, api, open } = panel;
    const media = await serveMedia(panel);
    media.views.set('unknown.jpg', {});
    const url = `https://media.test/media/${instagram.id}/${instagram.id}/unknown.jpg`;
    const post = storedPost({ mediaItems: [{ url, type: 'image' }] as never });
    servePost(serveComposer(api), () => post);
    await open(`/posts/${post.id}/edit`);
    await text(page).waitFor();
    await expect.poll(() => api.to('GET /v1/media/{id}').length).toBeGreaterThan(0);
    await page.waitForTimeout(800);
    expect(await keptDrafts(page)).toEqual([]);
  });
});

describe('a change that is saved', () => {
  panelTest('leaves nothing unsaved in the browser', async ({ panel: { page, api, open } }) => {
    let post = storedPost({ status: 'draft', content: 'First' });
    const asDraft = () => ({
      ...post,
      platforms: post.platforms.map((each) => ({ ...each, status: 'draft' as const })),
    });
    servePost(serveComposer(api), asDraft);
    api.on('PATCH /v1/posts/{id}', () => {
      post = { ...post, content: 'Second' };
      return { status: 200, body: { post: asDraft(), warnings: [] } };
    });
    await open(`/posts/${post.id}/edit`);
    await text(page).fill('Second');
    await page.getByText('Kept in this browser').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Draft saved').waitFor();
    await expect.poll(() => keptDrafts(page)).toEqual([]);
  });
});

describe('what is typed while a draft is saved', () => {
  panelTest('stays in a stored post', async ({ panel: { page, api, open } }) => {
    const post = storedPost({ status: 'draft' });
    const draft = {
      ...post,
      platforms: post.platforms.map((each) => ({ ...each, status: 'draft' as const })),
    };
    const saved = delayed({ status: 200, body: { post: { ...draft, content: 'First' }, warnings: [] } });
    servePost(serveComposer(api), () => draft);
    api.on('PATCH /v1/posts/{id}', saved.handler);
    await open(`/posts/${post.id}/edit`);
    await text(page).fill('First');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await expect.poll(() => api.to('PATCH /v1/posts/{id}').length).toBe(1);
    await text(page).fill('First and more');
    // Nothing is sent twice at once.
    await page.keyboard.press('Control+s');
    saved.come();
    await page.getByText('Draft saved').waitFor();
    expect(await text(page).inputValue()).toBe('First and more');
    expect(api.to('PATCH /v1/posts/{id}').length).toBe(1);
  });

  panelTest('becomes a change of the new post', async ({ panel: { page, api, open } }) => {
    const reply = replayed(false, 'First');
    const saved = delayed(reply);
    servePost(serveComposer(api), () => storedPost({ content: 'First' }));
    api.on('POST /v1/posts', saved.handler);
    await open(`/compose?account=${threads.id}`);
    await text(page).fill('First');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await expect.poll(() => api.to('POST /v1/posts').length).toBe(1);
    await text(page).fill('First and more');
    await page.waitForTimeout(500);
    saved.come();
    await page.waitForURL('**/posts/*/edit');
    await expect.poll(() => text(page).inputValue()).toBe('First and more');
  });
});

describe('a draft that was sent', () => {
  panelTest('is not what the next text is taken for', async ({ panel: { page, api, open } }) => {
    servePost(serveComposer(api), storedPost);
    await open(`/compose?account=${threads.id}&at=2027-03-14T09:30`);
    await text(page).fill('First');
    await page.waitForURL(/draft=/);
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.waitForURL('**/posts/*');
    await page.getByRole('link', { name: 'Edit' }).first().waitFor();
    await page.goBack();
    await page.getByText('This draft is not kept in this browser').waitFor();
    await text(page).pressSequentially('Second');
    await page.getByText('Kept in this browser').waitFor();
    expect(await text(page).inputValue()).toBe('Second');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await expect.poll(() => api.to('POST /v1/posts').length).toBe(2);
    const [first, second] = api.to('POST /v1/posts').map(({ body }) => body as { idempotencyKey: string });
    expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
  });
});

describe('a post that was sent', () => {
  panelTest('has no form any more while its page loads, also for whoever goes back', async ({ panel }) => {
    const { page, api, open } = panel;
    servePost(serveComposer(api), storedPost);
    await open('/calendar');
    await open(`/compose?account=${threads.id}&at=2027-03-14T09:30`);
    await text(page).fill('Once');
    await page.waitForURL(/draft=/);
    await page.context().route(/\/assets\/.*\.js/, () => undefined);
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText('This post is saved.').waitFor();
    await page.goBack();
    await page.getByText('This post is saved.').waitFor();
    expect(await text(page).count()).toBe(0);
    await page.keyboard.press('Control+Enter');
    await page.context().unrouteAll();
    await page.getByRole('button', { name: 'New post' }).click();
    await expect.poll(() => text(page).inputValue()).toBe('');
    await expect.poll(() => api.to('POST /v1/posts')).toHaveLength(1);
    expect(await keptDrafts(page)).toEqual([]);
  });

  panelTest(
    'in another tab is shown instead of the form, and its text can begin another',
    async ({ panel }) => {
      const { page, api, open } = panel;
      servePost(serveComposer(api), storedPost);
      await open(`/compose?account=${threads.id}&at=2027-03-14T09:30`);
      await text(page).fill('Once');
      await page.waitForURL(/draft=/);
      const other = await page.context().newPage();
      await other.goto(page.url());
      await expect.poll(() => text(other).inputValue()).toBe('Once');
      await other.getByRole('button', { name: 'Schedule', exact: true }).click();
      await other.waitForURL('**/posts/*');
      await page.getByText('This post was sent in another tab.').waitFor();
      expect(await text(page).count()).toBe(0);
      await page.getByRole('button', { name: 'Start a new post with this text' }).click();
      await expect.poll(() => text(page).inputValue()).toBe('Once');
      await page.getByRole('button', { name: 'Save draft' }).click();
      await expect.poll(() => api.to('POST /v1/posts').length).toBe(2);
      const [first, second] = api.to('POST /v1/posts').map(({ body }) => body as { idempotencyKey: string });
      expect(second?.idempotencyKey).not.toBe(first?.idempotencyKey);
    },
  );
});

describe('a file that is on its way', () => {
  panelTest('arrives in the post that its draft has become', async ({ panel }) => {
    const { page, api, open } = panel;
    const stored = Promise.withResolvers<number>();
    await serveMedia(panel, () => stored.promise);
    servePost(serveComposer(api), () => storedPost({ content: 'First' }));
    await open(`/compose?account=${threads.id}`);
    await text(page).fill('First');
    await add(page).setInputFiles(picked('beans.jpg'));
    await page.getByText('beans.jpg').first().waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.waitForURL('**/posts/*/edit');
    await page.getByText('beans.jpg').first().waitFor();
    stored.resolve(200);
    await page.getByText('Kept in this browser').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect.poll(() => api.to('PATCH /v1/posts/{id}').length).toBe(1);
    await expect
      .poll(() => api.to('PATCH /v1/posts/{id}')[0]?.body)
      .toMatchObject({
        mediaItems: [{ filename: 'beans.jpg' }],
      });
  });
});
