import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from 'playwright-core';
import type { AccountView } from '../../../lib/accounts/schemas.ts';
import {
  deleteMediaOperation,
  importMediaOperation,
  presignMediaOperation,
  readMediaOperation,
} from '../../../lib/media/operations.ts';
import { MediaView } from '../../../lib/media/view.ts';
import type { DraftMedia } from '../../../lib/panel/media/draft-media.ts';
import { inDays } from './accounts.ts';
import { idOf } from './ids.ts';
import { answer } from './operation-answers.ts';
import { berlin, type Panel } from './panel.ts';

const fixtures = join(import.meta.dirname, '../../fixtures');
export const fixture = (name: string): Buffer => readFileSync(join(fixtures, name));

/** A file as the browser's picker gives it. */
export const picked = (name: string, from = 'image.jpg', mimeType = '') => ({
  name,
  mimeType,
  buffer: fixture(from),
});

const publicUrlOf = (id: string, name: string) => `https://media.test/media/${berlin}/${id}/${name}`;

/** A file of a draft that the service has inspected, whose picture is the fixture of this name. */
export function draftMedia(number: number, name: string, facts: Partial<DraftMedia> = {}): DraftMedia {
  const id = idOf(700 + number);
  const type = name.endsWith('.mp4') ? 'video' : 'image';
  const size = type === 'video' ? { durationMs: 6_000 } : {};
  return {
    url: publicUrlOf(id, name),
    type,
    mediaId: id,
    fileName: name,
    sizeBytes: 18_000,
    widthPixels: 1_080,
    heightPixels: 1_080,
    ...size,
    ...facts,
  };
}

type Storage = (request: Request) => Promise<number> | number;

export interface MediaService {
  /** Uploads to the bucket: the name of the file, and its type. */
  readonly sent: { readonly name: string; readonly type: string | undefined }[];
  /** Changes what the service says about a file, by its name. */
  readonly views: Map<string, Partial<MediaView>>;
}

/**
 * Answers what the editor of files asks: grants, the storage, and views of files, which are ready at once. The media host serves
 * fixtures by their names.
 *
 * @param storage returns the status with which the storage answers; default 200
 */
export async function serveMedia({ page, api }: Panel, storage: Storage = () => 200): Promise<MediaService> {
  const service: MediaService = { sent: [], views: new Map() };
  const names = new Map<string, string>();
  let last = 0;
  const viewOf = (id: string): MediaView => {
    const name = names.get(id) ?? 'unknown.jpg';
    const isVideo = name.endsWith('.mp4');
    const contentType = isVideo ? 'video/mp4' : name.endsWith('.pdf') ? 'application/pdf' : 'image/jpeg';
    return MediaView.parse({
      id,
      status: 'ready',
      statusMessage: null,
      type: isVideo ? 'video' : 'image',
      filename: name,
      contentType,
      sizeBytes: 17_907,
      sha256: null,
      publicUrl: publicUrlOf(id, name),
      probe: { width: 1_080, height: isVideo ? 1_920 : 1_350, ...(isVideo && { durationMs: 6_000 }) },
      previewUrl: null,
      sourceUrl: null,
      import: null,
      createdAt: inDays(0),
      ...service.views.get(name),
    });
  };
  const begin = (name: string) => {
    last += 1;
    const id = idOf(800 + last);
    names.set(id, name);
    return id;
  };
  answer(api, presignMediaOperation, ({ body }) => {
    const mediaId = begin(body.filename);
    const contentType = body.contentType ?? '';
    const uploadUrl = `https://uploads.test/${mediaId}/${encodeURIComponent(body.filename)}?signed`;
    return {
      mediaId,
      uploadUrl,
      publicUrl: viewOf(mediaId).publicUrl,
      expiresIn: 3_600,
      contentType,
      warnings: [],
    };
  });
  answer(api, importMediaOperation, ({ body }) => ({
    media: viewOf(begin(body.url.split('/').at(-1) ?? '')),
    warnings: [],
  }));
  answer(api, readMediaOperation, ({ parameters: [id = ''] }) => ({ media: viewOf(id) }));
  answer(api, deleteMediaOperation, () => ({ ok: true as const, warnings: [] }));
  await page.route('https://uploads.test/**', async (route) => {
    const request = route.request();
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    const name = decodeURIComponent(new URL(request.url()).pathname.split('/').at(-1) ?? '');
    if (request.method() === 'PUT')
      service.sent.push({ name, type: (await request.allHeaders())['content-type'] });
    const status = await storage(request);
    // The test may be over.
    await (status === 0 ? route.abort('connectionreset') : route.fulfill({ status, headers })).catch(
      () => undefined,
    );
  });
  await page.route('https://media.test/**', (route) => {
    const name = new URL(route.request().url()).pathname.split('/').at(-1) ?? '';
    const types = { mp4: 'video/mp4', png: 'image/png', jpg: 'image/jpeg' } as const;
    const contentType = types[name.split('.').at(-1) as 'jpg'] ?? 'image/jpeg';
    try {
      return route.fulfill({ body: fixture(name), contentType });
    } catch {
      return route.fulfill({ status: 403 });
    }
  });
  return service;
}

/** Returns the draft in the test page's composer. */
export async function draftIn(page: Page) {
  return JSON.parse((await page.locator('output').textContent()) ?? '{}') as {
    readonly pending: number;
    readonly media: readonly DraftMedia[];
    readonly cover: { readonly frameMs?: number; readonly image?: DraftMedia };
  };
}

export const namesIn = async (page: Page): Promise<(string | undefined)[]> =>
  (await draftIn(page)).media.map(({ fileName }) => fileName);

/** The address of a test page with this draft. */
export const withDraft = (draft: {
  readonly media?: readonly DraftMedia[];
  readonly mostItems?: number;
  readonly problems?: readonly (readonly [number, readonly string[]])[];
  readonly isDisabled?: boolean;
  readonly content?: string;
  readonly previews?: readonly { readonly account: AccountView; readonly options?: object }[];
}): string =>
  `/#${encodeURIComponent(
    JSON.stringify({ ...draft, previews: draft.previews?.map((each) => ({ options: {}, ...each })) }),
  )}`;
