import { beforeAll, describe, expect, it } from 'vitest';
import { minuteMs } from '../../../lib/kernel/clock.ts';
import { importMedia } from '../../../lib/media/imports/import-media.ts';
import { sweepMedia } from '../../../lib/media/retention/sweep.ts';
import type { Media } from '../../../lib/media/schemas.ts';
import { findMedia, settleMedia } from '../../../lib/media/store.ts';
import { publicUrl } from '../../../lib/media/urls.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { findMediaUsage } from '../../../lib/posts/stored/media-usage.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import { toPostView } from '../../../lib/posts/view/to-view.ts';
import { mediaPartition } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs, storeAccount } from '../../support/builders.ts';
import { openImportsOf } from '../../support/open-imports.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaBaseUrl, openFixture, refusalsOf } from './fixture.ts';

type Fixture = Awaited<ReturnType<typeof openFixture>>;

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** The workspace's files that are to be imported, as stored. */
async function importsOf({ context: { workspaceId } }: Fixture): Promise<Media[]> {
  const items = await queryAll(table, { partition: mediaPartition(workspaceId) });
  return items.filter(({ importUrl }) => importUrl !== undefined) as unknown as Media[];
}

/** A table that loses the first transaction which writes a post: the process ends before it. */
function crashingTable(real: Table): Table {
  const client = new Proxy(real.client, {
    get: (target, name) =>
      name === 'send'
        ? async (command: { readonly input: object }) => {
            if (JSON.stringify(command.input).includes('"kind":"post"')) throw new Error('the process ends');
            return target.send(command as Parameters<typeof target.send>[0]);
          }
        : Reflect.get(target, name, target),
  });
  return { ...real, client };
}

async function sweep({ context: { workspaceId } }: Fixture, now: number): Promise<string[]> {
  const sent: string[] = [];
  await sweepMedia(
    {
      table,
      now: () => now,
      findUsage: findMediaUsage,
      removeObject: async () => {},
      abortUpload: async () => {},
      invalidate: async () => {},
      enqueueImport: async (message) => {
        if (message.workspaceId === workspaceId) sent.push(message.mediaId);
      },
      report: () => {},
    },
    Number.POSITIVE_INFINITY,
  );
  return sent;
}

const photo = 'https://files.example.com/photo.jpg?signature=secret';
const film = 'https://files.example.com/film.mp4';

describe('a post that names a file at another server', () => {
  it('is stored together with the record of the import, and shows our URL and where it comes from', async () => {
    const fixture = await openFixture(table);
    const { post, targets } = await fixture.create({
      mediaItems: [{ url: photo, altText: 'A boat' }],
      scheduledFor: inOneHour,
    });
    const [media, ...others] = await importsOf(fixture);
    expect(others).toEqual([]);
    expect(media).toMatchObject({
      status: 'pending',
      contentType: 'image/jpeg',
      importUrl: photo,
      sourceUrl: 'https://files.example.com/photo.jpg',
      import: { status: 'waiting', attempts: 0 },
    });
    expect(targets[0]?.status).toBe('scheduled');
    expect(toPostView(post, mediaBaseUrl, targets).mediaItems).toEqual([
      {
        type: 'image',
        altText: 'A boat',
        url: publicUrl(mediaBaseUrl, media?.objectKey ?? ''),
        sourceUrl: 'https://files.example.com/photo.jpg',
      },
    ]);
    const usage = await findMediaUsage(table, media as Media, startMs);
    expect(usage).toEqual({ scheduledPostId: post.id, isReferredTo: true });
  });

  it('imports each URL once, wherever it is named', async () => {
    const fixture = await openFixture(table);
    const { post, targets } = await fixture.create({
      platforms: [{ accountId: fixture.instagram.id, customMedia: [{ url: photo }] }],
      mediaItems: [{ url: photo }, { url: film }],
      coverUrl: photo,
      chain: [{ kind: 'followUp', accountIds: [fixture.instagram.id], mediaItems: [{ url: photo }] }],
    });
    const ids = [
      ...post.mediaItems,
      ...(post.cover ? [post.cover] : []),
      ...(targets[0]?.mediaItems ?? []),
      ...(post.chain?.[0]?.mediaItems ?? []),
    ].map(({ mediaId }) => mediaId);
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(2);
    expect(await importsOf(fixture)).toHaveLength(2);
  });

  it('imports nothing for a repeated request, a refused one and a validation', async () => {
    const fixture = await openFixture(table);
    const request = { mediaItems: [{ url: photo }] };
    const first = await fixture.create(request, { idempotencyKey: 'again' });
    const second = await fixture.create(request, { idempotencyKey: 'again' });
    expect(second).toMatchObject({ replayed: true, post: { id: first.post.id } });
    expect(await importsOf(fixture)).toHaveLength(1);
    await refusalsOf(fixture.create({ ...request, scheduledFor: '2026-01-01T00:00Z' }));
    const validation = await validatePost(
      fixture.context,
      fixture.body({ ...request, scheduledFor: inOneHour }),
    );
    expect(validation).toMatchObject({ problems: [], warnings: [{ field: 'mediaItems[0].url' }] });
    expect(await importsOf(fixture)).toHaveLength(1);
  });

  it('imports once if the request is repeated concurrently', async () => {
    const fixture = await openFixture(table);
    const request = { mediaItems: [{ url: photo }] };
    const repeated = Array.from({ length: 5 }, () => fixture.create(request, { idempotencyKey: 'at once' }));
    const ids = (await Promise.all(repeated)).map(({ post }) => post.id);
    expect(new Set(ids).size).toBe(1);
    expect(await importsOf(fixture)).toHaveLength(1);
  });

  it('may get another file by an edit, and keeps what the edit does not name', async () => {
    const fixture = await openFixture(table);
    const { post } = await fixture.create({ mediaItems: [{ url: photo }], scheduledFor: inOneHour });
    const kept = await editPost(fixture.context, post.id, { content: 'Changed' });
    expect(kept.post.mediaItems).toEqual(post.mediaItems);
    expect(await importsOf(fixture)).toHaveLength(1);
    const changed = await editPost(fixture.context, post.id, {
      mediaItems: [{ url: 'https://files.example.com/other.jpg' }],
    });
    expect(changed.post.mediaItems).toMatchObject([{ sourceUrl: 'https://files.example.com/other.jpg' }]);
    expect(await importsOf(fixture)).toHaveLength(2);
  });

  it('is checked by the guessed type, unless the request says the type', async () => {
    const fixture = await openFixture(table);
    await fixture.create({ mediaItems: [{ type: 'image', url: film }], scheduledFor: inOneHour });
    await fixture.create({
      mediaItems: [{ type: 'image', url: 'https://files.example.com/photo.gif' }],
      scheduledFor: inOneHour,
    });
    // A picture of this type is converted, unless it proves to be animated.
    await fixture.create({
      mediaItems: [{ url: 'https://files.example.com/photo.webp' }],
      scheduledFor: inOneHour,
    });
    const asGuessed = fixture.create({
      mediaItems: [{ url: 'https://files.example.com/photo.gif' }],
      scheduledFor: inOneHour,
    });
    expect((await refusalsOf(asGuessed)).join()).toContain('mediaItems[0]');
    const unknown = 'https://files.example.com/200';
    expect(await refusalsOf(fixture.create({ mediaItems: [{ url: unknown }] }))).toEqual([
      'mediaItems[0].type: is required: the URL does not say what the file is',
    ]);
    await fixture.create({ mediaItems: [{ type: 'video', url: unknown }], scheduledFor: inOneHour });
    await fixture.create({ mediaItems: [{ url: unknown, filename: 'a.png' }] });
    await fixture.create({ mediaItems: [{ url: unknown, mimeType: 'image/png' }] });
  });

  it('must have a type if nothing says what a file is that was imported ahead', async () => {
    const fixture = await openFixture(table);
    const context = { ...fixture.context, plainHttpHosts: new Set<string>() };
    const { objectKey } = await importMedia(context, { url: 'https://files.example.com/200?page=1' });
    const item = { url: publicUrl(mediaBaseUrl, objectKey) };
    for (const isDraft of [true, false]) {
      const attempt = fixture.create({ mediaItems: [item], isDraft, scheduledFor: inOneHour });
      expect(await refusalsOf(attempt)).toEqual([
        'mediaItems[0].type: is required: nothing says yet what the file is',
      ]);
    }
    await fixture.create({ mediaItems: [{ ...item, type: 'video' }], scheduledFor: inOneHour });
  });

  it('keeps in mind that its type is a guess, also after an edit, and does not show that', async () => {
    const fixture = await openFixture(table);
    const { post } = await fixture.create({ mediaItems: [{ url: photo }], scheduledFor: inOneHour });
    expect(post.mediaItems).toMatchObject([{ type: 'image', isTypeGuessed: true }]);
    const edited = await editPost(fixture.context, post.id, { content: 'Changed' });
    expect(edited.post.mediaItems).toEqual(post.mediaItems);
    const shown = JSON.stringify(toPostView(edited.post, mediaBaseUrl, edited.targets));
    expect(shown).not.toContain('isTypeGuessed');
    const said = await fixture.create({ mediaItems: [{ url: photo, type: 'image' }] });
    expect(said.post.mediaItems[0]).not.toHaveProperty('isTypeGuessed');
  });

  it('takes the type of the file in an edit after it has come', async () => {
    const fixture = await openFixture(table);
    const { post } = await fixture.create({ mediaItems: [{ url: photo }], scheduledFor: inOneHour });
    const [media] = await importsOf(fixture);
    if (!media) throw new Error('there is no import');
    const arrived = { status: 'ready', contentType: 'video/mp4', reservedBytes: 0, importUrl: null } as const;
    await settleMedia(table, media, arrived);
    const { post: edited } = await editPost(fixture.context, post.id, { content: 'Changed' });
    expect(edited.mediaItems).toMatchObject([{ type: 'video', sourceUrl: media.sourceUrl }]);
    expect(edited.mediaItems[0]).not.toHaveProperty('isTypeGuessed');
  });

  it('shows where a file comes from as its record says, whatever the request says', async () => {
    const fixture = await openFixture(table);
    const { objectKey } = fixture.image;
    const url = publicUrl(mediaBaseUrl, objectKey);
    const sourceUrl = 'https://elsewhere.example.com/a.jpg';
    const { post } = await fixture.create({
      mediaItems: [
        { url, sourceUrl },
        { url: photo, sourceUrl },
      ],
    });
    expect(post.mediaItems.map((item) => item.sourceUrl)).toEqual([
      undefined,
      'https://files.example.com/photo.jpg',
    ]);
  });

  it.each([
    'https://MEDIA.example.com/',
    'https://media.example.com:443/',
    'https://media.example.com/x/../',
  ])('is refused if the file is one of another workspace, also as %s', async (base) => {
    const [fixture, other] = await Promise.all([openFixture(table), openFixture(table)]);
    const url = `${base}${other.image.objectKey}`;
    expect(await refusalsOf(fixture.create({ mediaItems: [{ url }] }))).toEqual([
      'mediaItems[0].url: is not the publicUrl of an upload of this workspace',
    ]);
  });

  it('may name up to 50 of them', async () => {
    const fixture = await openFixture(table);
    const urls = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => ({ url: `https://files.example.com/${name}${index}.jpg` }));
    const { id: accountId } = await storeAccount(table, fixture.context.workspaceId);
    const with51 = {
      mediaItems: urls(35, 'a'),
      platforms: [{ accountId: fixture.instagram.id, customMedia: urls(16, 'b') }, { accountId }],
      isDraft: true,
    };
    expect(await refusalsOf(fixture.create(with51))).toEqual([
      expect.stringContaining('may import at most 50'),
    ]);
    expect(await importsOf(fixture)).toEqual([]);
  });
});

describe('a post that does not fit into one transaction with its imports', () => {
  /** A request with 35 foreign files for 40 destinations. */
  async function largeRequest(fixture: Fixture) {
    const accounts = Array.from({ length: 40 }, (_, index) =>
      storeAccount(table, fixture.context.workspaceId, { platformAccountId: `large ${index}` }),
    );
    const platforms = (await Promise.all(accounts)).map(({ id: accountId }) => ({ accountId }));
    const mediaItems = Array.from({ length: 35 }, (_, index) => ({
      url: `https://files.example.com/${index}.jpg`,
    }));
    return { platforms, mediaItems, isDraft: true };
  }

  it('has its files imported once the post is stored', async () => {
    const fixture = await openFixture(table);
    await fixture.create(await largeRequest(fixture));
    const waiting = await importsOf(fixture);
    expect(waiting).toHaveLength(35);
    expect(waiting.every((media) => media.import?.awaitsPost)).toBe(true);
    expect(await sweep(fixture, startMs + minuteMs)).toEqual([]);
    const sent = await sweep(fixture, startMs + 3 * minuteMs);
    expect(sent.sort()).toEqual(waiting.map(({ id }) => id).sort());
  });

  it('leaves no file if the process ends before the post is stored', async () => {
    const fixture = await openFixture(table);
    const request = await largeRequest(fixture);
    const crashing: Fixture = {
      ...fixture,
      context: { ...fixture.context, table: crashingTable(table) },
    };
    const { createPost } = await import('../../../lib/posts/create.ts');
    await expect(createPost(crashing.context, fixture.body(request), { rawBody: '{}' })).rejects.toThrow(
      'the process ends',
    );
    const waiting = await importsOf(fixture);
    expect(waiting).toHaveLength(35);
    expect(await openImportsOf(table, fixture.context.workspaceId)).toBe(35);
    expect(await sweep(fixture, startMs + 3 * minuteMs)).toEqual([]);
    expect(await openImportsOf(table, fixture.context.workspaceId)).toBe(0);
    await sweep(fixture, startMs + 5 * minuteMs);
    const [first] = waiting;
    expect(await findMedia(table, fixture.context.workspaceId, first?.id ?? '')).toBeUndefined();
    expect(await importsOf(fixture)).toEqual([]);
  });
});
