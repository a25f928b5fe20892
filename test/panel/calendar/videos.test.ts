import { describe, expect } from 'vitest';
import { card, planned, start } from '../support/calendar-page.ts';
import { panelTest } from '../support/panel.ts';
import { folder, mediaId, serveVideo } from '../support/videos.ts';

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
