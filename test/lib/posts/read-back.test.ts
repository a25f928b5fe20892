import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { dropNulls } from '../../../lib/api-contract/drop-nulls.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { duplicatePost } from '../../../lib/posts/duplicate.ts';
import { editPost } from '../../../lib/posts/edit.ts';
import { CreatePostBody, DuplicatePostBody, EditPostBody } from '../../../lib/posts/request/schemas.ts';
import type { PostWithTargets } from '../../../lib/posts/stored/store.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import { ListedPostView, PostView } from '../../../lib/posts/view/schemas.ts';
import { toListedPostView, toPostView } from '../../../lib/posts/view/to-view.ts';
import { present } from '../../../lib/table/condition.ts';
import { updateItem } from '../../../lib/table/items.ts';
import { mediaKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { storeMedia, storePost } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaBaseUrl, mediaItem, openFixture, refusalsOf } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  table = await createTestTable();
  fixture = await openFixture(table);
});

/** A post as a client reads it: through the schema of the response, which removes what is not declared. */
const read = ({ post, targets }: PostWithTargets) =>
  JSON.parse(JSON.stringify(PostView.parse(toPostView(post, mediaBaseUrl, targets)))) as Shown;
type Shown = Readonly<Record<string, unknown>>;

/** Fields that may differ between a post and its copy. */
const ownFields = ['_id', 'id', 'createdAt', 'updatedAt'];
const withoutOwn = (shown: Shown) =>
  Object.fromEntries(Object.entries(shown).filter(([name]) => !ownFields.includes(name)));

/** Text that every platform accepts in every field. */
const text = fc.stringMatching(/^[a-zäşı☀0-9][a-zäşı☀0-9 ]{0,20}$/u);
const name = fc.string({ minLength: 1, maxLength: 40 }).filter((value) => value !== '__proto__');
const anyAltText = { altText: fc.option(text, { nil: undefined }) };
const anyShape = {
  fit: fc.constantFrom('pad', 'crop'),
  padColor: fc.constantFrom('#000000', '#1A2b3c'),
  focalPoint: fc.record({ x: fc.constantFrom(0, 0.25, 1), y: fc.constantFrom(0, 0.333_33, 1) }),
};

function anyRequest() {
  const { instagram, second, youtube, image, video } = fixture;
  const anImage = fc
    .record({ ...anyAltText, ...anyShape }, { requiredKeys: [] })
    .map((more) => ({ ...mediaItem(image), ...more }));
  const aVideo = fc.constant(mediaItem(video));
  const entry = fc.record(
    {
      accountId: fc.constant(instagram.id),
      platformSpecificData: fc.record({ firstComment: text }, { requiredKeys: [] }),
      customContent: text,
      customMedia: fc.array(anImage, { minLength: 1, maxLength: 3 }),
      scheduledFor: fc.constantFrom(inOneHour, '2026-03-01T15:30:00.000Z'),
      ...anyShape,
    },
    { requiredKeys: ['accountId'] },
  );
  const film = fc.record({
    accountId: fc.constant(youtube.id),
    platformSpecificData: fc.record({ title: text, tags: fc.array(text, { maxLength: 2 }) }),
    customMedia: aVideo.map((item) => [item]),
    customContent: text,
  });
  const toAccount = ({ id }: { id: string }) => ({
    accountIds: fc.constant([id]),
    options: fc.constantFrom({}, { [id]: { firstComment: 'And one more' } }),
  });
  const afterMinutes = fc.integer({ min: 0, max: 1_440 });
  const followUp = fc.record(
    {
      kind: fc.constant('followUp'),
      ...toAccount(instagram),
      content: text,
      mediaItems: fc.array(anImage, { minLength: 1, maxLength: 2 }),
      afterMinutes,
    },
    { requiredKeys: ['kind', 'accountIds', 'content', 'mediaItems'] },
  );
  // Only one: a second one to the account would be refused.
  const crossPost = fc.record(
    { kind: fc.constant('crossPost'), ...toAccount(second), afterMinutes },
    { requiredKeys: ['kind', 'accountIds'] },
  );
  const chain = fc
    .tuple(fc.array(followUp, { maxLength: 2 }), fc.option(crossPost, { nil: undefined }))
    .map(([steps, repeat]) => (repeat ? [repeat, ...steps] : steps));
  return fc.record(
    {
      content: text,
      mediaItems: fc.array(anImage, { minLength: 1, maxLength: 3 }),
      platforms: fc.tuple(entry, film).map((both) => both),
      scheduledFor: fc.constant(inOneHour),
      timezone: fc.constantFrom('UTC', 'Europe/Istanbul'),
      onQuota: fc.constantFrom('wait', 'fail'),
      chain,
      metadata: fc.dictionary(name, fc.string({ maxLength: 50 }), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
      externalId: fc.string({ minLength: 1, maxLength: 255 }),
    },
    { requiredKeys: ['content', 'mediaItems', 'platforms', 'scheduledFor'] },
  );
}

/** Parses what a client sends as the API does. */
function parsed<Schema extends z.ZodType>(schema: Schema, sent: Shown, isPatch = false): z.output<Schema> {
  const copy = structuredClone(sent);
  dropNulls(schema, copy, isPatch);
  return schema.parse(copy);
}

function duplicateOf(source: Shown, changes: object, idempotency: object = {}) {
  const body = DuplicatePostBody.parse(changes);
  return duplicatePost(fixture.context, String(source['id']), body, { rawBody: '{}', ...idempotency });
}

describe('a read of a post', () => {
  it('has all that a client needs to create the same post again, and may be sent back unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest(), async (request) => {
        const first = read(await fixture.create(request));
        expect(await validatePost(fixture.context, parsed(CreatePostBody, first))).toMatchObject({
          problems: [],
        });
        const second = read(await fixture.create(parsed(CreatePostBody, first)));
        expect(withoutOwn(second)).toEqual(withoutOwn(first));
        const edited = await editPost(
          fixture.context,
          String(first['id']),
          parsed(EditPostBody, first, true),
        );
        expect(withoutOwn(read(edited))).toEqual(withoutOwn(first));
      }),
      { numRuns: 25 },
    );
  });

  it("shows a destination's own content, media and options, and null for what it takes from the post", async () => {
    const { instagram, youtube, video } = fixture;
    const film = {
      accountId: youtube.id,
      customContent: 'The film',
      customMedia: [mediaItem(video)],
      platformSpecificData: { title: 'Harbour', tags: ['boats'] },
    };
    const shown = read(await fixture.create({ platforms: [{ accountId: instagram.id }, film] }));
    expect(shown['platforms']).toMatchObject([
      { accountId: instagram.id, customContent: null, customMedia: null, platformSpecificData: {} },
      film,
    ]);
  });

  it('shows all fields of a step of its chain', async () => {
    const { instagram, second, image } = fixture;
    const options = { [instagram.id]: { firstComment: 'More tomorrow' } };
    const step = { accountIds: [instagram.id], afterMinutes: 90 };
    const followUp = {
      kind: 'followUp',
      ...step,
      content: 'Thanks!',
      mediaItems: [mediaItem(image)],
      options,
    };
    const shown = read(
      await fixture.create({ chain: [followUp, { kind: 'crossPost', accountIds: [second.id] }] }),
    );
    const waiting = { status: 'waiting', postId: null, error: null };
    const crossPost = { kind: 'crossPost', accountIds: [second.id], afterMinutes: 0 };
    expect(shown['chain']).toEqual([
      { ...followUp, ...waiting },
      { ...crossPost, content: null, mediaItems: [], options: {}, ...waiting },
    ]);
  });
});

describe('a duplicate of a post', () => {
  it('is a draft that has all of it, except times, the external id and the results', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest(), async (request) => {
        const source = read(await fixture.create(request));
        const duplicate = read(await duplicateOf(source, {}));
        const { platforms, ...rest } = withoutOwn(source);
        const [before, after] = [platforms as Shown[], duplicate['platforms'] as Shown[]];
        const draft = { status: 'draft', scheduledFor: null };
        const noTiming = {
          scheduledFor: null,
          calledAt: null,
          liveAt: null,
          lateMs: null,
          afterRequestMs: null,
        };
        expect(withoutOwn(duplicate)).toEqual({
          ...rest,
          ...draft,
          externalId: null,
          platforms: before.map((target) => ({ ...target, ...draft, timing: noTiming })),
        });
        expect(after).toHaveLength(before.length);
      }),
      { numRuns: 10 },
    );
  });

  it('is scheduled, in its own time zone and on some destinations, if the request says so', async () => {
    const { instagram, youtube, video } = fixture;
    const film = {
      accountId: youtube.id,
      customMedia: [mediaItem(video)],
      platformSpecificData: { title: 'x' },
    };
    const source = read(
      await fixture.create({ platforms: [{ accountId: instagram.id }, film], scheduledFor: inOneHour }),
    );
    const changes = {
      accountIds: [instagram.id],
      scheduledFor: '2026-03-02T15:00:00',
      timezone: 'Europe/Istanbul',
    };
    const shown = read(await duplicateOf(source, changes));
    expect(shown).toMatchObject({
      status: 'scheduled',
      scheduledFor: '2026-03-02T12:00:00.000Z',
      timezone: 'Europe/Istanbul',
      platforms: [{ accountId: instagram.id, scheduledFor: '2026-03-02T12:00:00.000Z' }],
    });
    expect(shown['platforms']).toHaveLength(1);
  });

  it('is made again by the next request, but not by the same one sent twice', async () => {
    const [first, second] = [read(await fixture.create()), read(await fixture.create())];
    const send = async (source: Shown, idempotency: object) =>
      (await duplicateOf(source, {}, idempotency)).post.id;
    expect(await send(first, {})).not.toBe(await send(first, {}));
    for (const idempotency of [{ idempotencyKey: 'header' }, { requestId: 'proxy' }])
      expect(await send(first, idempotency)).toBe(await send(first, idempotency));
    // A proxy may repeat its request id for another request. The body is the same here, but not the post.
    expect(await send(first, { requestId: 'repeated' })).not.toBe(
      await send(second, { requestId: 'repeated' }),
    );
  });

  it('of a published post waits again, with its chain', async () => {
    const { workspaceId } = fixture.context;
    const kind = 'followUp' as const;
    const step = { kind, accountIds: [fixture.instagram.id], afterMinutes: 5, content: 'More' };
    const target = { accountId: fixture.instagram.id, platformPostId: '1', error: 'no comment' } as const;
    const { post } = await storePost(table, workspaceId, [{ ...target, status: 'published' }], {
      chain: [{ ...step, options: '{}', status: 'fired', postId: newId(1) }],
    });
    expect(read(await duplicateOf({ id: post.id }, {}))).toMatchObject({
      status: 'draft',
      platforms: [{ status: 'draft', platformPostId: null, error: null, publishedAt: null }],
      chain: [{ ...step, status: 'waiting', postId: null, error: null }],
    });
  });

  it('of a draft without destinations is another one', async () => {
    const source = read(await fixture.create({ platforms: [], isDraft: true }));
    expect(read(await duplicateOf(source, {}))).toMatchObject({ status: 'draft', platforms: [] });
  });

  it.each<readonly [string, () => Promise<readonly [Shown, object]>, RegExp]>([
    [
      'an account that is no destination',
      async () => [read(await fixture.create()), { accountIds: [newId(1)] }],
      /^accountIds\[0\]: is not a destination/,
    ],
    [
      'a time that has passed',
      async () => [read(await fixture.create()), { scheduledFor: '2025-01-01T00:00:00Z' }],
      /^scheduledFor: /,
    ],
    [
      'a file that was deleted since',
      async () => {
        const file = await storeMedia(table, fixture.context.workspaceId);
        const source = read(
          await fixture.create({ mediaItems: [mediaItem(fixture.image), mediaItem(file)] }),
        );
        await updateItem(table, mediaKey(fixture.context.workspaceId, file.id), {
          set: { removedAt: inOneHour },
          if: { pk: present },
        });
        return [source, {}];
      },
      /^mediaItems\[1\]\.url: /,
    ],
  ])('is refused with %s', async (_what, prepare, refusal) => {
    const [source, changes] = await prepare();
    expect(await refusalsOf(duplicateOf(source, changes))).toEqual([expect.stringMatching(refusal)]);
  });
});

describe('a post in a list or an event', () => {
  it('has everything except the own content, media and options of its destinations, and if it can be edited or taken down', async () => {
    const { instagram } = fixture;
    const platforms = [
      { accountId: instagram.id, customContent: 'Here', platformSpecificData: { firstComment: 'x' } },
    ];
    const chain = [{ kind: 'followUp', accountIds: [instagram.id], content: 'More' }];
    const labels = { metadata: { campaign: 'spring' }, externalId: 'row 7' };
    const created = await fixture.create({ platforms, chain, ...labels });
    const { editable: _, ...whole } = read(created) as Shown;
    const own = [
      ...['customContent', 'customMedia', 'platformSpecificData'],
      ...['fit', 'padColor', 'focalPoint', 'adaptations', 'linkCard', 'takeDown'],
    ];
    const listed = ListedPostView.parse(toListedPostView(created.post, mediaBaseUrl));
    const targets = (whole['platforms'] as Shown[]).map((target) =>
      Object.fromEntries(Object.entries(target).filter(([name]) => !own.includes(name))),
    );
    expect(listed).toEqual({ ...whole, platforms: targets });
    expect(listed).toMatchObject(labels);
  });
});
