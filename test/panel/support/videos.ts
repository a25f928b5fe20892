import { readFileSync } from 'node:fs';
import { refusal } from './fake-api.ts';
import { idOf } from './ids.ts';
import type { Panel } from './panel.ts';

export const mediaId = idOf(77);
export const folder = `https://media.test/media/${idOf(1)}/${mediaId}`;

/** Serves a video that has no preview, as the media host does. */
export async function serveVideo({ page, api }: Panel, fixture: string, contentType: string): Promise<void> {
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
