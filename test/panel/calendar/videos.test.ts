import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { card, planned, start } from '../support/calendar-page.ts';
import { refusal } from '../support/fake-api.ts';
import { idOf } from '../support/ids.ts';
import { type Panel, panelTest } from '../support/panel.ts';

const mediaId = idOf(77);
const folder = `https://media.test/media/${idOf(1)}/${mediaId}`;

/** Serves a video that has no preview, as the media host does. */
async function serveVideo({ page, api }: Panel, fixture: string, contentType: string): Promise<void> {
  await page.route('https://media.test/**', (route) =>
    route.request().url().endsWith('preview.jpg')
      ? route.fulfill({ status: 403 })
      : route.fulfill({
          contentType,
          headers: { 'access-control-allow-origin': '*' },
          body: readFileSync(new URL(`../../fixtures/${fixture}`, import.meta.url)),
        }),
  );
  api.on('PUT /v1/media/{id}/preview', refusal(404, 'not_found', 'media: not found'));
}

const postWith = (filename: string) =>
  planned(1, '2026-11-19', '10:00', {
    mediaItems: [{ type: 'video', url: `${folder}/${filename}`, filename }],
  });

describe('a post with a video', () => {
  panelTest('shows a frame that the browser draws, and stores it', async ({ panel }) => {
    const { page, api } = panel;
    await serveVideo(panel, 'media-corpus/chrome-vp9.webm', 'video/webm');
    await start(panel, [postWith('film.webm')]);
    await card(page, 'Post 1').locator('img[src^="blob:"]').waitFor();
    await expect.poll(() => api.to('PUT /v1/media/{id}/preview')).toHaveLength(1);
    const [sent] = api.to('PUT /v1/media/{id}/preview');
    expect(sent?.path).toContain(mediaId);
    const bytes = Buffer.from((sent?.body as { data: string } | undefined)?.data ?? '', 'base64');
    expect([...bytes.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
    expect(bytes.length).toBeLessThanOrEqual(50_000);
  });

  panelTest('has the name of a file that the browser cannot decode', async ({ panel }) => {
    const { page, api } = panel;
    await serveVideo(panel, 'media-corpus/hevc.mp4', 'video/mp4');
    await start(panel, [postWith('film.mp4')]);
    await card(page, 'Post 1').getByRole('img', { name: 'film.mp4' }).waitFor();
    await page.getByText('1 post', { exact: true }).waitFor();
    expect(api.to('PUT /v1/media/{id}/preview')).toHaveLength(0);
  });
});
