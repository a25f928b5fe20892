import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, mediaBaseUrl, openApi } from '../../support/api.ts';
import { openWorkspace, referenceTo, startMs, storeMedia, storePost } from '../../support/builders.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

async function openLibrary() {
  const { apiKey, context } = await openWorkspace(table);
  const store = (changes: Parameters<typeof storeMedia>[2]) =>
    storeMedia(table, context.workspaceId, changes);
  const list = async (query = '') => {
    const { status, body } = await call('media-list', { apiKey, query });
    const shown = (body['media'] ?? []) as { id: string }[];
    return { status, ids: shown.map(({ id }) => id), nextCursor: body['nextCursor'] as string | null };
  };
  return {
    ...context,
    store,
    list,
    import: (body: object, headers: Record<string, string> = {}) =>
      call('importMedia', { body, headers: { authorization: `Bearer ${apiKey}`, ...headers } }),
    read: (id: string) => call('media-read', { apiKey, path: { id } }),
    remove: (id: string) => call('media-delete', { apiKey, path: { id } }),
    posts: (id: string, query = '') => call('listMediaPosts', { apiKey, path: { id }, query }),
  };
}

describe('the media library', () => {
  it('shows a file with everything that its probe found', async () => {
    const library = await openLibrary();
    const probe = { width: 1_080, height: 1_920, durationMs: 6_000, videoCodec: 'h264', hasEditList: false };
    const sha256 = 'ab'.repeat(32);
    const { id, objectKey } = await library.store({
      filename: 'a.mp4',
      contentType: 'video/mp4',
      sha256,
      probe,
    });
    const { status, body } = await library.read(id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        media: {
          id,
          status: 'ready',
          import: null,
          sourceUrl: null,
          statusMessage: null,
          type: 'video',
          filename: 'a.mp4',
          contentType: 'video/mp4',
          sizeBytes: 1_000,
          sha256,
          publicUrl: `${mediaBaseUrl}/${objectKey}`,
          previewUrl: null,
          probe,
          createdAt: '2026-03-01T12:00:00.000Z',
        },
      },
    });
  });

  it('says why a file is invalid', async () => {
    const library = await openLibrary();
    const statusMessage = 'the file is text/html, not image/jpeg';
    const { id } = await library.store({ status: 'invalid', statusMessage });
    expect((await library.read(id)).body).toMatchObject({ media: { status: 'invalid', statusMessage } });
  });

  it('has a file per request to import it, also if a request is repeated, and shows where each comes from', async () => {
    const library = await openLibrary();
    const request = { url: 'https://files.example.com/a.jpg?token=secret' };
    for (let time = 0; time < 2; time += 1)
      expect(await library.import(request, { 'x-request-id': 'the same' })).toMatchObject({
        status: 202,
        body: { media: { sourceUrl: 'https://files.example.com/a.jpg', import: { status: 'waiting' } } },
      });
    expect((await library.list()).ids).toHaveLength(2);
  });

  it('lists files newest first, page by page, each once', async () => {
    const library = await openLibrary();
    const stored: string[] = [];
    for (let age = 0; age < 5; age += 1)
      stored.unshift((await library.store({ id: newId(startMs + age) })).id);
    const first = await library.list('limit=2');
    const second = await library.list(`limit=2&cursor=${first.nextCursor}`);
    const third = await library.list(`limit=2&cursor=${second.nextCursor}`);
    expect([...first.ids, ...second.ids, ...third.ids]).toEqual(stored);
    expect(third.nextCursor).toBeNull();
    expect((await library.list()).ids).toEqual(stored);
  });

  it.each(['pending', 'ready', 'invalid'] as const)('lists files with status %s', async (status) => {
    const library = await openLibrary();
    const ids: Record<string, string> = {};
    for (const each of ['pending', 'ready', 'invalid'] as const)
      ids[each] = (await library.store({ status: each })).id;
    expect((await library.list(`status=${status}`)).ids).toEqual([ids[status]]);
  });

  it('leaves out deleted files and expired grants', async () => {
    const library = await openLibrary();
    await library.store({ removedAt: '2026-03-01T12:00:00.000Z' });
    const expired = await library.store({ status: 'pending', expiresAtSeconds: 1 });
    expect((await library.list()).ids).toEqual([]);
    expect((await library.read(expired.id)).status).toBe(404);
  });

  it.each(['status=gone', 'limit=0', 'limit=501', 'cursor=x'])('responds 400 to %s', async (query) => {
    const library = await openLibrary();
    expect((await library.list(query)).status).toBe(400);
  });

  it('rejects a cursor of another list', async () => {
    const library = await openLibrary();
    await library.store({});
    await library.store({});
    const { nextCursor } = await library.list('limit=1');
    expect((await library.list(`status=ready&cursor=${nextCursor}`)).status).toBe(400);
  });
});

describe('deleting a file', () => {
  it('works once, and the file disappears everywhere', async () => {
    const library = await openLibrary();
    const { id } = await library.store({});
    const { status, body } = await library.remove(id);
    expect({ status, body }).toEqual({ status: 200, body: { ok: true } });
    expect((await library.read(id)).status).toBe(404);
    expect((await library.remove(id)).status).toBe(404);
    expect((await library.list()).ids).toEqual([]);
  });

  it('is rejected while a scheduled post uses it', async () => {
    const library = await openLibrary();
    const media = await library.store({});
    const { post } = await storePost(table, library.workspaceId, [{}], { mediaItems: [referenceTo(media)] });
    const { status, body } = await library.remove(media.id);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'media_in_use', error: `a scheduled post uses the file: ${post.id}` });
    expect((await library.read(media.id)).status).toBe(200);
  });
});

describe('a search for files', () => {
  const names = ['Menu autumn.jpg', 'menu-winter.mp4', 'Prices.pdf', 'Café ＭＥＮＵ.png'];
  const openNamed = async () => {
    const library = await openLibrary();
    const types = ['image/jpeg', 'video/mp4', 'application/pdf', 'image/png'];
    const stored: Record<string, string> = {};
    for (const [index, filename] of names.entries()) {
      const { id } = await library.store({ filename, contentType: types[index] ?? '' });
      stored[id] = filename;
    }
    const find = async (query: string) => (await library.list(query)).ids.map((id) => stored[id]).toSorted();
    return { ...library, find };
  };

  it.each([
    ['search=MENU', ['Café ＭＥＮＵ.png', 'Menu autumn.jpg', 'menu-winter.mp4']],
    ['search=menu%20wint', ['menu-winter.mp4']],
    ['search=wint%20%20menu', ['menu-winter.mp4']],
    ['search=caf%C3%A9', ['Café ＭＥＮＵ.png']],
    ['search=menu%20summer', []],
    ['kind=document', ['Prices.pdf']],
    ['kind=image&search=menu', ['Café ＭＥＮＵ.png', 'Menu autumn.jpg']],
    ['kind=video&status=ready', ['menu-winter.mp4']],
    ['kind=video&status=invalid', []],
  ])('finds by %s', async (query, found) => {
    expect(await (await openNamed()).find(query)).toEqual(found);
  });

  it.each(['search=', 'search=%20', `search=${'x'.repeat(101)}`, 'kind=sound'])(
    'refuses %s',
    async (query) => {
      expect((await (await openNamed()).list(query)).status).toBe(400);
    },
  );

  it('goes on after each page, and misses nothing', async () => {
    const library = await openNamed();
    const first = await library.list('search=menu&limit=2');
    expect(first.ids).toHaveLength(2);
    const second = await library.list(`search=menu&limit=2&cursor=${first.nextCursor}`);
    expect(second.nextCursor).toBeNull();
    expect(new Set([...first.ids, ...second.ids]).size).toBe(3);
    expect((await library.list(`search=prices&cursor=${first.nextCursor}`)).status).toBe(400);
  });

  it('reads 500 files per page, and says that more follow', async () => {
    const library = await openLibrary();
    const id = newId(startMs - 1_000);
    const wanted = await library.store({ id, filename: 'wanted.jpg' });
    for (let count = 0; count < 510; count += 1) await library.store({ filename: `other ${count}.jpg` });
    const first = await library.list('search=wanted');
    expect(first.ids).toEqual([]);
    const second = await library.list(`search=wanted&cursor=${first.nextCursor}`);
    expect(second).toEqual({ status: 200, ids: [wanted.id], nextCursor: null });
  });
});

describe('the posts that use a file', () => {
  it('are listed newest first, page by page', async () => {
    const library = await openLibrary();
    const media = await library.store({});
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { post } = await storePost(table, library.workspaceId, [{}], {
        mediaItems: [referenceTo(media)],
      });
      ids.push(post.id);
    }
    ids.sort().reverse();
    const posts = async (query: string) => {
      const { body } = await library.posts(media.id, query);
      return { ids: (body['posts'] as { id: string }[]).map(({ id }) => id), next: body['nextCursor'] };
    };
    expect(await posts('')).toEqual({ ids, next: null });
    const first = await posts('limit=2');
    expect(first.ids).toEqual(ids.slice(0, 2));
    expect((await posts(`limit=2&cursor=${first.next}`)).ids).toEqual(ids.slice(2));
  });

  it('are none of a file that nothing uses', async () => {
    const library = await openLibrary();
    const { id } = await library.store({});
    expect((await library.posts(id)).body).toMatchObject({ posts: [], nextCursor: null });
  });

  it('are unknown for a file of another workspace', async () => {
    const [library, other] = [await openLibrary(), await openLibrary()];
    const { id } = await other.store({});
    expect((await library.posts(id)).status).toBe(404);
  });
});
