import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { refusal } from '../../../panel/support/fake-api.ts';
import { namesIn, picked, serveMedia, withDraft } from '../../../panel/support/media.ts';
import { mediaTest } from '../../../panel/support/panel.ts';

const picker = (page: Page) => page.locator('input[type=file]').first();
const again = (page: Page) => page.getByRole('button', { name: 'Try beans.jpg again' });

describe('an upload', () => {
  mediaTest('goes on by itself with a new grant if the first one has expired', async ({ panel }) => {
    const { page, api, open } = panel;
    let puts = 0;
    await serveMedia(panel, () => (++puts === 1 ? 403 : 200));
    await open(withDraft({}));
    await picker(page).setInputFiles([picked('beans.jpg')]);
    await expect.poll(() => namesIn(page)).toEqual(['beans.jpg']);
    await expect.poll(() => api.to('POST /v1/media/presign')).toHaveLength(2);
    // What was reserved for the first one is given back.
    await expect.poll(() => api.to('DELETE /v1/media/{id}')).toHaveLength(1);
  });

  mediaTest.for([400, 403])(
    'that the storage refuses with %i can be tried again',
    async (status, { panel }) => {
      const { page, open } = panel;
      let isRefused = true;
      await serveMedia(panel, () => (isRefused ? status : 200));
      await open(withDraft({}));
      await picker(page).setInputFiles([picked('beans.jpg')]);
      await page.getByText(`The storage refused the file (status ${status}). Try again;`).waitFor();
      isRefused = false;
      await again(page).click();
      await expect.poll(() => namesIn(page)).toEqual(['beans.jpg']);
    },
  );

  mediaTest.for([
    [413, 'storage_quota_exceeded', 'The workspace’s storage is full. Delete posts'],
    [429, 'rate_limited', 'There were too many requests. Wait a minute, then try again.'],
  ] as const)('without a grant says what to do: %i', async ([status, code, said], { panel }) => {
    const { page, api, open } = panel;
    await serveMedia(panel);
    api.on('POST /v1/media/presign', refusal(status, code, 'refused'));
    await open(withDraft({}));
    await picker(page).setInputFiles([picked('beans.jpg')]);
    await page.getByText(said).waitFor();
    await serveMedia(panel);
    await again(page).click();
    await expect.poll(() => namesIn(page)).toEqual(['beans.jpg']);
  });

  mediaTest('outlives the end of the session', async ({ panel }) => {
    const { page, api, open } = panel;
    await serveMedia(panel);
    api.on('POST /v1/media/presign', refusal(401, 'session_ended', 'the session has ended'));
    await open(withDraft({}));
    await picker(page).setInputFiles([picked('beans.jpg')]);
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByText('Your session has ended. Try again to sign in; the upload goes on then.').waitFor();
    await again(page).click();
    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await serveMedia(panel);
    await page.evaluate(() => new BroadcastChannel('session').postMessage({ kind: 'signed-in' }));
    await expect.poll(() => namesIn(page)).toEqual(['beans.jpg']);
  });
});
