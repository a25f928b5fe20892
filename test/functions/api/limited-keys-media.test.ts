import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../lib/api-contract/context.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { publicUrl } from '../../../lib/media/urls.ts';
import type { Post } from '../../../lib/posts/stored/schemas.ts';
import type { Table } from '../../../lib/table/table.ts';
import { type Call, mediaBaseUrl, openApi } from '../../support/api.ts';
import {
  openWorkspace,
  referenceTo,
  startMs,
  storeAccount,
  storeMedia,
  storePost,
} from '../../support/builders.ts';
import { storeLimitedKey } from '../../support/limited-key.ts';

let table: Table;
let call: Call;
beforeAll(async () => {
  ({ table, call } = await openApi());
});

let context: Context;
let fullKey: string;
/** Two clients of an agency, each with a key for their own account. */
let own: { accountId: string; apiKey: string; keyId: string };
let other: { accountId: string; apiKey: string; keyId: string };
beforeEach(async () => {
  ({ context, apiKey: fullKey } = await openWorkspace(table));
  [own, other] = [await client(), await client()];
});

async function client() {
  const { id: accountId } = await storeAccount(table, context.workspaceId);
  const { apiKey, context: limited } = await storeLimitedKey(context, [accountId]);
  return { accountId, apiKey, keyId: limited.actor.id };
}

const store = (changes?: Partial<Media>) =>
  storeMedia(table, context.workspaceId, { id: newId(startMs), ...changes });
const draftWith = (media: Media, accountIds: readonly string[], changes: Partial<Post> = {}) =>
  storePost(
    table,
    context.workspaceId,
    accountIds.map((accountId) => ({ accountId, status: 'draft', wakeAt: undefined })),
    { status: 'draft', mediaItems: [referenceTo(media)], ...changes },
  );
const urlOf = ({ objectKey }: Media) => publicUrl(mediaBaseUrl, objectKey);

async function seenBy({ apiKey }: { apiKey: string }, media: Media) {
  const listed = (await call('listMedia', { apiKey, query: 'limit=500' })).body['media'] as { id: string }[];
  const read = await call('getMedia', { apiKey, path: { id: media.id } });
  expect(read.status === 200).toBe(listed.some(({ id }) => id === media.id));
  return read.status === 200;
}

const remove = ({ apiKey }: { apiKey: string }, { id }: Media) =>
  call('deleteMedia', { apiKey, path: { id } });

/** Every request that could use a file, and its status if the file is known. */
const uses = (by: { accountId: string; apiKey: string }, media: Media) => {
  const platforms = [{ platform: 'instagram', accountId: by.accountId }];
  const item = { type: 'image', url: urlOf(media) };
  const draft = { content: 'x', isDraft: true, platforms };
  return [
    { ...draft, mediaItems: [item] },
    { ...draft, coverUrl: item.url, mediaItems: [{ type: 'video', url: 'https://example.com/a.mp4' }] },
    { ...draft, platforms: [{ ...platforms[0], customMedia: [item] }] },
    {
      ...draft,
      chain: [{ kind: 'followUp', afterMinutes: 5, accountIds: [by.accountId], mediaItems: [item] }],
    },
  ];
};

describe('a key that is limited to accounts', () => {
  it('sees the files that it uploaded or imported, and no others', async () => {
    const upload = await call('presignMedia', { apiKey: own.apiKey, body: { filename: 'a.jpg', size: 10 } });
    const imported = await call('importMedia', {
      apiKey: own.apiKey,
      body: { url: 'https://example.com/a.jpg?token=secret' },
    });
    const ids = [upload.body['mediaId'], (imported.body['media'] as { id: string }).id];
    const list = async (apiKey: string) =>
      ((await call('listMedia', { apiKey })).body['media'] as { id: string }[]).map(({ id }) => id);
    expect((await list(own.apiKey)).sort()).toEqual(ids.toSorted());
    expect(await list(other.apiKey)).toEqual([]);
    expect((await list(fullKey)).sort()).toEqual(ids.toSorted());
  });

  it('sees the file that a post imported which it created', async () => {
    const created = await call('createPost', {
      apiKey: own.apiKey,
      body: {
        content: 'x',
        isDraft: true,
        platforms: [],
        mediaItems: [{ type: 'image', url: 'https://example.com/b.jpg' }],
      },
    });
    expect(created.status).toBe(201);
    const { body } = await call('listMedia', { apiKey: own.apiKey });
    expect(body['media']).toMatchObject([{ sourceUrl: 'https://example.com/b.jpg' }]);
  });

  it('answers about a file of others as about one that does not exist', async () => {
    const media = await store({ uploadedBy: { kind: 'key', id: other.keyId } });
    await draftWith(media, [other.accountId]);
    for (const operation of ['getMedia', 'deleteMedia']) {
      const [ofOthers, ofNobody] = [
        await call(operation, { apiKey: own.apiKey, path: { id: media.id } }),
        await call(operation, { apiKey: own.apiKey, path: { id: newId(startMs) } }),
      ];
      expect([ofOthers.status, ofOthers.text]).toEqual([404, ofNobody.text]);
    }
    expect(await seenBy(other, media)).toBe(true);
    expect(await seenBy({ apiKey: fullKey }, media)).toBe(true);
  });

  it.each<[string, (media: Media) => Promise<unknown>, boolean]>([
    ['nobody has used it', async () => undefined, false],
    ['a post of its account uses it', (media) => draftWith(media, [own.accountId]), true],
    ['a post of another account uses it', (media) => draftWith(media, [other.accountId]), false],
    ['a post of both accounts uses it', (media) => draftWith(media, [own.accountId, other.accountId]), false],
    [
      'a post whose chain goes to another account uses it',
      (media) =>
        draftWith(media, [own.accountId], {
          chain: [
            { kind: 'crossPost', afterMinutes: 5, accountIds: [other.accountId], status: 'waiting' },
          ] as never,
        }),
      false,
    ],
  ])('sees a file of an earlier release, without an uploader: %s', async (_what, use, isSeen) => {
    const media = await store();
    await use(media);
    expect(await seenBy(own, media)).toBe(isSeen);
  });

  it('does not see a file that a person with the same id uploaded', async () => {
    const media = await store({ uploadedBy: { kind: 'person', id: own.keyId } });
    expect(await seenBy(own, media)).toBe(false);
  });

  it('uses only files that it sees, in no part of a post', async () => {
    const hidden = await store({ uploadedBy: { kind: 'key', id: other.keyId } });
    for (const body of uses(own, hidden)) {
      for (const operation of ['createPost', 'validatePost']) {
        const { status, body: reply } = await call(operation, { apiKey: own.apiKey, body });
        const text = JSON.stringify(reply);
        expect([
          operation,
          status,
          text.includes('media_unknown') || text.includes('not the publicUrl'),
        ]).toEqual([operation, operation === 'createPost' ? 400 : 200, true]);
      }
    }
    const shown = await store({ uploadedBy: { kind: 'key', id: own.keyId } });
    const [first] = uses(own, shown);
    expect((await call('createPost', { apiKey: own.apiKey, body: first })).status).toBe(201);
  });

  it('adds no hidden file to a post of its own, one by one or in bulk', async () => {
    const hidden = await store({ uploadedBy: { kind: 'key', id: other.keyId } });
    const { post } = await draftWith(await store(), [own.accountId]);
    const mediaItems = [{ type: 'image', url: urlOf(hidden) }];
    const edited = await call('updatePost', {
      apiKey: own.apiKey,
      path: { id: post.id },
      body: { mediaItems },
    });
    expect(edited.status).toBe(400);
    const posts = [{ content: 'x', isDraft: true, platforms: [], mediaItems }];
    const bulk = await call('createPosts', { apiKey: own.apiKey, body: { posts } });
    expect(JSON.stringify(bulk.body)).toContain('media_unknown');
    expect(await seenBy(own, hidden)).toBe(false);
  });

  it('keeps the files of a post that it edits or duplicates', async () => {
    const { post } = await draftWith(await store(), [own.accountId]);
    const path = { id: post.id };
    const edited = await call('updatePost', { apiKey: own.apiKey, path, body: { content: 'y' } });
    expect(edited.status).toBe(200);
    expect((await call('duplicatePost', { apiKey: own.apiKey, path, body: {} })).status).toBe(201);
  });

  it('deletes what it sees, unless a draft that it does not see would lose it', async () => {
    const media = await store({ uploadedBy: { kind: 'key', id: own.keyId } });
    await draftWith(media, [other.accountId]);
    const refused = await remove(own, media);
    expect([refused.status, refused.body['code']]).toEqual([409, 'media_in_use']);
    expect(refused.text).not.toContain(other.accountId);
    expect((await remove({ apiKey: fullKey }, media)).status).toBe(200);
    const free = await store({ uploadedBy: { kind: 'key', id: own.keyId } });
    await draftWith(free, [own.accountId]);
    expect((await remove(own, free)).status).toBe(200);
  });

  it('is not told how much others have stored', async () => {
    const storage = async (apiKey: string) =>
      ((await call('getWorkspace', { apiKey })).body['workspace'] as { storage: object }).storage;
    expect(await storage(own.apiKey)).toEqual({ usedBytes: null, quotaBytes: expect.any(Number) });
    expect(await storage(fullKey)).toEqual({ usedBytes: expect.any(Number), quotaBytes: expect.any(Number) });
  });

  it('pages through its files among those of others', async () => {
    const ids: string[] = [];
    for (let each = 0; each < 6; each += 1) {
      const keyId = each % 2 === 0 ? own.keyId : other.keyId;
      const { id } = await store({ id: newId(startMs + each), uploadedBy: { kind: 'key', id: keyId } });
      if (each % 2 === 0) ids.unshift(id);
    }
    const found: string[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const query = `limit=2${cursor && `&cursor=${cursor}`}`;
      const { body } = await call('listMedia', { apiKey: own.apiKey, query });
      found.push(...(body['media'] as { id: string }[]).map(({ id }) => id));
      cursor = body['nextCursor'];
    }
    expect(found).toEqual(ids);
  });
});
