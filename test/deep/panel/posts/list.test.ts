import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { listAutomationsOperation } from '../../../../lib/automations/operations.ts';
import { instagram } from '../../../panel/support/accounts.ts';
import { gated } from '../../../panel/support/automations.ts';
import { planned } from '../../../panel/support/calendar-page.ts';
import { ok, refusal, requestId } from '../../../panel/support/fake-api.ts';
import { answer } from '../../../panel/support/operation-answers.ts';
import { type Panel, panelTest, scrollsSideways, violationsIn } from '../../../panel/support/panel.ts';
import {
  button,
  FakePostList,
  many,
  posts,
  row,
  rows,
  select,
  startPosts,
  tagged,
} from '../../../panel/support/posts-page.ts';
import { folder, serveVideo } from '../../../panel/support/videos.ts';

describe('the posts', () => {
  panelTest('show what the link says', async ({ panel }) => {
    const { page, api } = panel;
    await startPosts(panel, `/posts?status=failed,draft&account=${instagram.id}&tag=Winter&period=next7`);
    await expect.poll(() => api.to('GET /v1/posts').length).toBeGreaterThan(0);
    const { query } = api.to('GET /v1/posts').at(-1) ?? {};
    expect(Object.fromEntries(query ?? [])).toEqual({
      status: 'draft,failed',
      accountId: instagram.id,
      tags: 'Winter',
      from: '2026-11-17T23:00:00.000Z',
      to: '2026-11-24T23:00:00.000Z',
      sort: 'scheduledFor',
      limit: '50',
    });
    await page.getByRole('heading', { name: 'No posts match' }).waitFor();
    await button(page, /States/).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await expect.poll(() => rows(page).count()).toBe(6);
  });

  panelTest('are filtered by several states', async ({ panel }) => {
    const { page } = panel;
    await startPosts(panel);
    await button(page, /States/).click();
    await page.getByRole('option', { name: 'Draft' }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => rows(page).count()).toBe(3);
    expect(new URL(page.url()).searchParams.get('status')).toBe('draft,failed');
    await button(page, /States/)
      .getByText('2 states')
      .waitFor();
  });

  panelTest('show a frame of a video, and the sign of a file without a picture', async ({ panel }) => {
    const { page } = panel;
    await serveVideo(panel, 'media-corpus/chrome-vp9.webm', 'video/webm');
    const file = (type: 'video' | 'document', filename: string) => ({
      mediaItems: [{ type, url: `${folder}/${filename}`, filename }],
    });
    await startPosts(panel, '/posts', [
      tagged(planned(1, '2026-11-20', '09:00', file('video', 'film.webm'))),
      tagged(planned(2, '2026-11-20', '10:00', file('document', 'menu.pdf'))),
    ]);
    await row(page, 'Post 1').locator('img[src^="blob:"]').waitFor();
    await row(page, 'Post 2').getByRole('gridcell').nth(1).locator('svg').waitFor();
  });

  panelTest('are selected in a range with Shift, and all at once', async ({ panel }) => {
    const { page } = panel;
    await startPosts(panel);
    await select(page, 'winter roast');
    await row(page, 'Autumn menu')
      .getByRole('checkbox')
      .click({ modifiers: ['Shift'], force: true });
    await page.getByText('4 selected').waitFor();
    await page.getByRole('checkbox', { name: 'Select all that are listed' }).check({ force: true });
    await page.getByText('6 selected').waitFor();
    await button(page, 'Clear the selection').click();
    await page.getByText('6 posts', { exact: true }).waitFor();
  });

  panelTest('are opened and selected by keyboard alone', async ({ panel }) => {
    const { page } = panel;
    await startPosts(panel);
    await row(page, 'winter roast').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('6 posts', { exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/posts/${posts[1]?.id}`);
  });

  panelTest('are deleted, but for those that refuse, which say why and stay selected', async ({ panel }) => {
    const { page, api } = panel;
    const fake = await startPosts(panel);
    const [first, , third] = posts;
    fake.refusals.set(third?.id ?? '', refusal(409, 'conflict', 'the post is being published'));
    await select(page, 'winter roast', 'idea for spring', 'Autumn menu');
    await button(page, 'Delete…').click();
    const dialog = page.getByRole('alertdialog', { name: 'Delete 3 posts?' });
    await dialog.getByText('1 published or being published: cannot be deleted').waitFor();
    await dialog.getByText('One is planned, and will not be published.').waitFor();
    await dialog.getByRole('button', { name: 'Delete 2 posts' }).click();
    const ending = page.getByRole('alert').filter({ hasText: '1 post was not deleted' });
    await ending.getByText('The post is being published.').waitFor();
    await ending.getByText('Deleted 1 post.').waitFor();
    await page.getByText('1 selected').waitFor();
    await row(page, 'winter roast').waitFor({ state: 'detached' });
    expect(api.to('DELETE /v1/posts/{id}').map(({ path }) => path)).toEqual([
      `/v1/posts/${first?.id}`,
      `/v1/posts/${third?.id}`,
    ]);
  });

  panelTest('are not deleted if nobody confirms', async ({ panel }) => {
    const { page, api } = panel;
    await startPosts(panel);
    await select(page, 'Autumn menu');
    await button(page, 'Delete…').click();
    const dialog = page.getByRole('alertdialog');
    expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(api.to('DELETE /v1/posts/{id}')).toEqual([]);
  });

  panelTest('are tried again, but not those that may be live', async ({ panel }) => {
    const { page, api } = panel;
    await startPosts(panel);
    await select(page, 'roast next', 'Open on Sunday', 'idea for spring');
    await button(page, 'Try again…').click();
    const dialog = page.getByRole('dialog', { name: 'Try 3 posts again' });
    await dialog.getByText(/1 unconfirmed: open it/).waitFor();
    await dialog.getByText('1 not failed').waitFor();
    await dialog.getByRole('button', { name: 'Try 1 post again' }).click();
    await row(page, 'roast next').getByText('Publishing').waitFor();
    expect(api.to('POST /v1/posts/{id}/retry').map(({ path }) => path)).toEqual([
      `/v1/posts/${posts[4]?.id}/retry`,
    ]);
  });

  panelTest('are tagged, also those that are live', async ({ panel }) => {
    const { page, api } = panel;
    await startPosts(panel);
    await select(page, 'winter roast', 'Autumn menu');
    await button(page, 'Tag…').click();
    const dialog = page.getByRole('dialog', { name: 'Tag 2 posts' });
    await dialog.getByText('Some of them have it').first().waitFor();
    await dialog.getByRole('checkbox', { name: /Spring/ }).check({ force: true });
    const added = dialog.getByRole('textbox', { name: /New tag/ });
    await added.fill('soup, salad');
    await dialog.getByText('A tag has up to 50 characters, without commas and slashes.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Save tags' }).isDisabled()).toBe(true);
    await added.fill(' menu ');
    await dialog.getByRole('button', { name: 'Save tags' }).click();
    await page.getByText('Changed the tags of 2 posts.').waitFor();
    expect(api.to('PATCH /v1/posts/{id}').map(({ body }) => body)).toEqual([
      { tags: ['Winter', 'Roast', 'Spring', 'menu'] },
      { tags: ['Menu', 'Spring'] },
    ]);
    await row(page, 'Autumn menu').getByText('Spring').waitFor();
  });

  panelTest('are stopped in the middle', async ({ panel }) => {
    const { page, api } = panel;
    await startPosts(panel, '/posts', many(9));
    await page.getByRole('checkbox', { name: 'Select all that are listed' }).check({ force: true });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    api.around('PATCH /v1/posts/{id}', async (reply) => {
      await held;
      return reply;
    });
    await button(page, 'Move…').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move 9 posts' }).click();
    await page.getByText('Moving: 0 of 9').waitFor();
    await button(page, 'Stop').click();
    release();
    await page.getByText('Stopped before 6 more posts.').waitFor();
    await page.getByText('6 selected').waitFor();
    expect(api.to('PATCH /v1/posts/{id}')).toHaveLength(3);
  });

  panelTest('are exported: all that match, to the last page', async ({ panel }) => {
    const { page, api } = panel;
    const fake = await startPosts(panel, '/posts?q=post', many(40));
    fake.pageSize = 7;
    await rows(page).first().waitFor();
    await button(page, 'Export…').click();
    const saved = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('posts-2026-11-18.csv');
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(lines).toHaveLength(42);
    expect(lines[0]).toContain('id,text,state');
    expect(new Set(api.to('GET /v1/posts').map(({ query }) => query.get('search')))).toEqual(
      new Set(['post']),
    );
  });

  panelTest('are exported: the selected ones', async ({ panel }) => {
    const { page } = panel;
    await startPosts(panel);
    await select(page, 'winter roast', 'Autumn menu');
    await button(page, 'Export…').click();
    const saved = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    expect(text).toContain('Winter; Roast');
    expect(text.split('\r\n')).toHaveLength(4);
  });

  panelTest('are read on through short pages, until there is something', async ({ panel }) => {
    const { page, api } = panel;
    const fake = new FakePostList(api, many(2));
    const [first, second] = fake.posts;
    // Eight empty pages before the first post, and two between that and the second.
    api.on('GET /v1/posts', ({ query }) => {
      const number = Number(query.get('cursor') ?? 0);
      const shown = number === 8 ? [first] : number === 11 ? [second] : [];
      return ok({ posts: shown, nextCursor: number === 11 ? null : String(number + 1) });
    });
    await panel.open('/posts');
    await rows(page).nth(1).waitFor();
    await page.getByText('2 posts', { exact: true }).waitFor();
    // The end of the list is in sight.
    expect(new Set(api.to('GET /v1/posts').map(({ query }) => query.get('cursor'))).size).toBe(12);
  });

  panelTest('say how far it has looked if nothing is found for long', async ({ panel }) => {
    const { page, api } = panel;
    const fake = new FakePostList(api, many(1));
    api.on('GET /v1/posts', ({ query }) => {
      const number = Number(query.get('cursor') ?? 0);
      return ok({
        posts: number === 14 ? fake.posts : [],
        nextCursor: number === 14 ? null : String(number + 1),
      });
    });
    await panel.open('/posts?q=post');
    await page.getByText('Nothing found so far. There are older posts.').waitFor();
    expect(api.to('GET /v1/posts')).toHaveLength(10);
    await button(page, 'Load more').click();
    await rows(page).first().waitFor();
  });

  panelTest('say what to do if there are none', async ({ panel }) => {
    const { page } = panel;
    await startPosts(panel, '/posts', []);
    await page.getByRole('heading', { name: 'No posts yet' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'New post' }).waitFor();
  });

  panelTest('are not asked for without a letter or a digit, which the service refuses', async ({ panel }) => {
    const { page, api } = panel;
    await startPosts(panel, '/posts?q=%22');
    await page.getByText('Search for words: type a letter or a digit.').waitFor();
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('harb');
    await expect.poll(() => rows(page).count()).toBe(2);
    expect(await page.getByText('Search for words').count()).toBe(0);
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Search commands' }).waitFor();
    const asked = api.to('GET /v1/media').length;
    await page.keyboard.type('--');
    await expect.poll(() => api.to('GET /v1/media').length).toBeGreaterThan(asked);
    const searches = api.to('GET /v1/posts').map(({ query }) => query.get('search'));
    expect(searches.filter((search) => search !== null && !/\p{L}/u.test(search))).toEqual([]);
  });

  panelTest('say why they could not be read', async ({ panel }) => {
    const { page, api, open } = panel;
    new FakePostList(api).posts = [];
    api.on('GET /v1/posts', refusal(503, 'unavailable', 'try again in a minute'));
    await open('/posts');
    expect(await page.getByRole('alert').innerText()).toContain(requestId);
  });

  panelTest('are cards on a phone, with the filters behind a button', async ({ panel }) => {
    const { page } = panel;
    await page.setViewportSize({ width: 320, height: 640 });
    await startPosts(panel, '/posts?status=scheduled,draft,failed');
    await row(page, 'winter roast').waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    expect(await button(page, /States/).isVisible()).toBe(false);
    await button(page, 'Filters (1)').click();
    await button(page, /States/).waitFor();
    expect(await scrollsSideways(page)).toBe(false);
    await page.getByRole('checkbox', { name: 'Select all that are listed' }).check({ force: true });
    await page.getByText('5 selected').waitFor();
    expect(await scrollsSideways(page)).toBe(false);
  });
});

describe('Ctrl K', () => {
  /** The keys of the field scroll the list. */
  const ignored = ['scrollable-region-focusable'];
  const serve = (panel: Panel) => {
    new FakePostList(panel.api);
    answer(panel.api, listAutomationsOperation, () => ({
      automations: [{ ...gated, name: 'Harbour menu' }],
      nextCursor: null,
    }));
    const file = { id: 'file-1', filename: 'harbour.jpg', contentType: 'image/jpeg' };
    panel.api.on('GET /v1/media', ({ query }) =>
      ok({ media: file.filename.includes(query.get('search') ?? '') ? [file] : [], nextCursor: null }),
    );
  };
  const openPalette = async ({ page, open }: Panel, words: string) => {
    await open('/posts');
    await rows(page).first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Search commands' }).waitFor();
    await page.keyboard.type(words);
  };

  panelTest('finds posts, automations and files, and opens one by keyboard', async ({ panel }) => {
    const { page, api } = panel;
    serve(panel);
    await openPalette(panel, 'harbour');
    await page.getByRole('menuitem', { name: /winter roast/ }).waitFor();
    await page.getByRole('menuitem', { name: /Harbour menu/ }).waitFor();
    await page.getByRole('menuitem', { name: /harbour\.jpg/ }).waitFor();
    expect(await violationsIn(page, ignored)).toEqual([]);
    const asked = api.to('GET /v1/posts').filter(({ query }) => query.has('search'));
    expect(asked.map(({ query }) => Object.fromEntries(query))).toEqual([{ search: 'harbour', limit: '5' }]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/posts/${posts[0]?.id}`);
  });

  panelTest('leads to all posts with the words', async ({ panel }) => {
    const { page } = panel;
    serve(panel);
    await openPalette(panel, 'harbour');
    await page.getByRole('menuitem', { name: 'All posts with “harbour”' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?q=harbour');
    await expect.poll(() => rows(page).count()).toBe(2);
  });

  panelTest('finds accounts by name', async ({ panel }) => {
    const { page } = panel;
    serve(panel);
    await openPalette(panel, 'tiktok');
    await page
      .getByRole('group', { name: 'Accounts' })
      .getByRole('menuitem', { name: /Nordlicht/ })
      .waitFor();
    await page.getByText('No posts match “tiktok”.').waitFor();
  });

  panelTest('says that it searches, finds nothing, or fails', async ({ panel }) => {
    const { page, api } = panel;
    serve(panel);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    api.around('GET /v1/posts', async (reply, { query }) => {
      if (query.has('search')) await held;
      return query.get('search') === 'broken' ? refusal(500, 'internal', 'internal error') : reply;
    });
    await openPalette(panel, 'zzzz');
    await page.getByText('Searching…').waitFor();
    release();
    await page.getByText(/^No posts match “zzzz”\. No command/).waitFor();
    expect(await violationsIn(page, ignored)).toEqual([]);
    await page.getByRole('searchbox', { name: 'Search commands' }).fill('broken');
    await page.getByText('The search did not work. Internal error.').waitFor();
    await button(page, 'Try again').waitFor();
  });
});
