import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { listMediaOperation, storePreviewOperation } from '../../../../lib/media/operations.ts';
import { readWorkspaceOperation } from '../../../../lib/workspaces/operations.ts';
import { serveComposer } from '../../../panel/compose/support/serve.ts';
import { workspaceOf } from '../../../panel/settings/support/data.ts';
import { refusal } from '../../../panel/support/fake-api.ts';
import { libraryFile, serveLibrary, someFiles } from '../../../panel/support/library.ts';
import { namesIn, withDraft } from '../../../panel/support/media.ts';
import { answer } from '../../../panel/support/operation-answers.ts';
import { mediaTest, panelTest, violationsIn } from '../../../panel/support/panel.ts';

const row = (page: Page, name: string) => page.getByRole('row', { name });
const select = (page: Page, name: string) => row(page, name).getByRole('checkbox').click({ force: true });

describe('the choice among the files of the workspace', () => {
  mediaTest('adds as many as the post takes, found by name', async ({ panel }) => {
    const { page, open, api } = panel;
    await serveLibrary(panel);
    await open(withDraft({ mostItems: 2 }));
    await page.getByRole('button', { name: 'Choose from media' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose from media' });
    await dialog.getByText('The post takes 2 more files.').waitFor();
    // Files that cannot be used in a post are not offered.
    await dialog.getByText('5 files').waitFor();
    await select(page, 'team.jpg');
    const search = dialog.getByRole('searchbox', { name: 'Search by file name' });
    await search.pressSequentially('img', { delay: 20 });
    await dialog.getByText('1 file', { exact: true }).waitFor();
    const searched = api.to('GET /v1/media').flatMap(({ query }) => query.get('search') ?? []);
    // Each search may read hundreds of records, so not every letter is one.
    expect(searched).toEqual(['img']);
    await select(page, 'IMG_2041.jpg');
    await search.fill('');
    await dialog.getByText('5 files').waitFor();
    expect(await row(page, 'Autumn menu.jpg').getAttribute('aria-disabled')).toBe('true');
    await dialog.getByRole('button', { name: 'Use 2 files' }).click();
    expect(await namesIn(page)).toEqual(['team.jpg', 'IMG_2041.jpg']);
  });

  mediaTest('says that there are no files yet', async ({ panel }) => {
    const { page, open } = panel;
    await serveLibrary(panel, []);
    await open(withDraft({}));
    await page.getByRole('button', { name: 'Choose from media' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose from media' });
    await dialog.getByText('No files yet').waitFor();
    expect(await dialog.getByRole('button', { name: /^Use/ }).isDisabled()).toBe(true);
    expect(await dialog.getByRole('link').count()).toBe(0);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});

describe('the page of files', () => {
  panelTest('hands files over to a new post', async ({ panel }) => {
    const { page, open, api } = panel;
    serveComposer(api);
    await serveLibrary(panel);
    await open('/media');
    for (const name of ['team.jpg', 'interview.mp4']) await select(page, name);
    const bar = page.getByRole('region', { name: '2 files selected' });
    // One has not arrived yet.
    expect(await bar.getByRole('button', { name: 'Use in a new post' }).isDisabled()).toBe(true);
    await select(page, 'interview.mp4');
    await page
      .getByRole('region', { name: '1 file selected' })
      .getByRole('button', { name: 'Use in a new post' })
      .click();
    await page.waitForURL('**/compose**');
    await page.getByText('team.jpg').first().waitFor();
  });

  panelTest('says what is wrong, when it is empty, and when the storage is full', async ({ panel }) => {
    const { page, open, api } = panel;
    const service = await serveLibrary(panel, []);
    api.on('GET /v1/media', refusal(503, 'unavailable', 'the service is busy'));
    const storage = { usedBytes: 10_737_418_240, quotaBytes: 10_737_418_240 };
    answer(api, readWorkspaceOperation, () => ({ workspace: workspaceOf({ storage }), warnings: [] }));
    await open('/media');
    await page.getByText('The storage is full').waitFor();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    answer(api, listMediaOperation, () => ({ media: [...service.files], nextCursor: null, warnings: [] }));
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No files yet').waitFor();
    await page.getByRole('link', { name: 'Write a post' }).waitFor();
    // React Aria has announced that the button waits, by a reference to the button, which is gone.
    expect(await violationsIn(page, ['role-img-alt'])).toEqual([]);
  });

  panelTest('goes on with a deletion that broke off, and keeps the focus in the page', async ({ panel }) => {
    const { page, open, api } = panel;
    const service = await serveLibrary(panel);
    let isDown = true;
    api.around('DELETE /v1/media/{id}', async (reply, { path }) =>
      isDown && path.endsWith(someFiles[3]?.id ?? '')
        ? refusal(500, 'internal', 'an error of this service')
        : reply,
    );
    await open('/media');
    for (const name of ['Autumn menu.jpg', 'IMG_2041.jpg']) await select(page, name);
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('alert').waitFor();
    // The service has deleted it, and its answer was lost.
    expect(service.files).toHaveLength(5);
    isDown = false;
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 files deleted').waitFor();
    await page.getByText('5 files').waitFor();
    const deletions = api.to('DELETE /v1/media/{id}').map(({ path }) => path.split('/').at(-1));
    expect(deletions.filter((id) => id === someFiles[0]?.id)).toHaveLength(1);
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true);
  });
});

const corpus = join(import.meta.dirname, '../../../fixtures/media-corpus');

describe('the picture of a video', () => {
  panelTest(
    'is drawn once and stored, or says the name of the file if it cannot be drawn',
    async ({ panel }) => {
      const { page, open, api } = panel;
      const film = libraryFile(1, 'film.mp4');
      const damaged = libraryFile(2, 'damaged.mp4');
      const known = libraryFile(3, 'known.mp4');
      const previewUrl = known.publicUrl.replace(/[^/]+$/, 'renditions/preview.jpg');
      await serveLibrary(panel, [film, damaged, { ...known, previewUrl }]);
      answer(api, storePreviewOperation, () => ({ media: film, warnings: [] }));
      const read: string[] = [];
      await page.route(/media\.test.*video\.mp4/, (route) => {
        const url = route.request().url();
        read.push(url);
        const isFilm = url.includes(film.id);
        const body = isFilm ? readFileSync(join(corpus, 'chrome-vp9.webm')) : Buffer.from('no video');
        const headers = { 'access-control-allow-origin': '*' };
        return route.fulfill({ body, contentType: 'video/webm', headers }).catch(() => undefined);
      });
      await open('/media');
      await row(page, 'film.mp4').locator('img[src^="blob:"]').waitFor();
      await row(page, 'damaged.mp4').getByRole('img', { name: 'damaged.mp4' }).waitFor();
      expect(await row(page, 'known.mp4').locator('img').getAttribute('src')).toBe(previewUrl);
      await expect.poll(() => api.to('PUT /v1/media/{id}/preview').length).toBe(1);
      const [stored] = api.to('PUT /v1/media/{id}/preview');
      expect(stored?.path).toContain(film.id);
      const data = String((stored?.body as { data?: unknown } | undefined)?.data);
      expect(Buffer.from(data, 'base64').subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
      // A file that the browser has kept from its display may lack the header that lets the canvas be read.
      expect(read.every((url) => url.endsWith('?frame'))).toBe(true);
      expect(read.some((url) => url.includes(known.id))).toBe(false);
    },
  );
});
