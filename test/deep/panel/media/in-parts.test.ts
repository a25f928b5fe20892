import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { listMediaPartsOperation, PresignBody } from '../../../../lib/media/operations.ts';
import { refusal } from '../../../panel/support/fake-api.ts';
import { fixture, namesIn, serveMedia, withDraft } from '../../../panel/support/media.ts';
import { answer } from '../../../panel/support/operation-answers.ts';
import { mediaTest, type Panel } from '../../../panel/support/panel.ts';

const partSize = 8 * 1024 ** 2;
const size = 2 * partSize + 1_000;

let folder: string;
let film: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-parts-'));
  film = join(folder, 'film.mp4');
  writeFileSync(
    film,
    Buffer.concat([fixture('video.mp4'), Buffer.alloc(size - fixture('video.mp4').length)]),
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const picker = (page: Page) => page.locator('input[type=file]').first();

/** Answers uploads in parts. The storage keeps the parts that it accepts. */
async function serveParts(panel: Panel, storage: (part: number) => number) {
  const { api, page } = panel;
  const { views } = await serveMedia(panel);
  const service = { sent: [] as number[], arrived: new Set<number>(), completed: 0, isEnded: false, views };
  const partNumbers = [1, 2, 3];
  api.around('POST /v1/media/presign', async (reply, { body }) => {
    const { parts } = PresignBody.parse(body);
    const { status, body: grant } = await reply;
    const granted = { partSize, partCount: 3, expiresAt: '2027-01-01T00:00:00.000Z' };
    return { status, body: parts ? { ...(grant as object), parts: granted } : grant };
  });
  answer(api, listMediaPartsOperation, () => {
    if (service.isEnded) return refusal(409, 'upload_ended', 'the upload has ended');
    const missing = partNumbers.filter((number) => !service.arrived.has(number));
    return {
      parts: missing.map((number) => ({
        partNumber: number,
        offset: (number - 1) * partSize,
        size: number < 3 ? partSize : 1_000,
        uploadUrl: `https://uploads.test/parts/${number}`,
      })),
      missingCount: missing.length,
      partCount: 3,
      expiresIn: 3_600,
      warnings: [],
    };
  });
  api.on('POST /v1/media/{id}/complete', ({ path }) => {
    service.completed += 1;
    const id = path.split('/').at(-2) ?? '';
    return { status: 200, body: { media: { id } } };
  });
  await page.route('https://uploads.test/parts/**', async (route) => {
    const number = Number(route.request().url().split('/').at(-1));
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'access-control-expose-headers': 'etag, x-amz-error-code',
      etag: `"${number}"`,
    };
    const preflight = route.request().method() !== 'PUT';
    const status = preflight ? 200 : storage(number);
    if (!preflight) service.sent.push(number);
    if (!preflight && status === 200) service.arrived.add(number);
    // A part without an answer is on its way until the page is closed.
    if (status === 0) return;
    await route.fulfill({ status, headers }).catch(() => undefined);
  });
  return service;
}

describe('a large file', () => {
  mediaTest('goes on after a reload with the parts that have not arrived', async ({ panel }) => {
    const { page, open, api } = panel;
    let hangs = true;
    const service = await serveParts(panel, (number) => (hangs && number > 1 ? 0 : 200));
    await open(withDraft({}));
    await picker(page).setInputFiles(film);
    await expect.poll(() => [...service.arrived]).toEqual([1]);
    await page.getByText(/of 16 MiB/).waitFor();
    await page.reload();
    hangs = false;
    service.sent.length = 0;
    await picker(page).setInputFiles(film);
    await expect.poll(() => namesIn(page)).toEqual(['film.mp4']);
    expect(service.sent.toSorted()).toEqual([2, 3]);
    expect(service.completed).toBe(1);
    expect(api.to('POST /v1/media/presign')).toHaveLength(1);
    expect(api.to('POST /v1/media/presign')[0]?.body).toMatchObject({ size, parts: true });
  });

  mediaTest('begins again if the service has ended the upload', async ({ panel }) => {
    const { page, open, api } = panel;
    let hangs = true;
    const service = await serveParts(panel, () => (hangs ? 0 : 200));
    await open(withDraft({}));
    await picker(page).setInputFiles(film);
    await expect.poll(() => service.sent.length).toBe(3);
    await page.reload();
    hangs = false;
    service.isEnded = true;
    api.around('POST /v1/media/presign', async (reply) => {
      service.isEnded = false;
      return reply;
    });
    await picker(page).setInputFiles(film);
    await expect.poll(() => namesIn(page)).toEqual(['film.mp4']);
    expect(api.to('POST /v1/media/presign')).toHaveLength(2);
  });

  mediaTest('is deleted when the person cancels it', async ({ panel }) => {
    const { page, open, api } = panel;
    const service = await serveParts(panel, () => 0);
    await open(withDraft({}));
    await picker(page).setInputFiles(film);
    await expect.poll(() => service.sent.length).toBe(3);
    await page.getByRole('button', { name: 'Cancel film.mp4' }).click();
    await expect.poll(() => api.to('DELETE /v1/media/{id}').length).toBe(1);
    expect(service.completed).toBe(0);
    expect(await namesIn(page)).toEqual([]);
  });

  mediaTest(
    'says why the storage refuses a part, and goes on when the person tries again',
    async ({ panel }) => {
      const { page, open } = panel;
      let refuses = true;
      const service = await serveParts(panel, (number) => (refuses && number === 2 ? 403 : 200));
      await open(withDraft({}));
      await picker(page).setInputFiles(film);
      await page.getByText('The storage refused the file (status 403).').waitFor();
      refuses = false;
      await page.getByRole('button', { name: 'Try film.mp4 again' }).click();
      await expect.poll(() => namesIn(page)).toEqual(['film.mp4']);
      expect(service.sent.filter((number) => number !== 2).toSorted()).toEqual([1, 3]);
    },
  );
});
