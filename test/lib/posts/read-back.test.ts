import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { CreatePostBody } from '../../../lib/posts/request/schemas.ts';
import { ListedPostView, PostView } from '../../../lib/posts/schemas.ts';
import type { PostWithTargets } from '../../../lib/posts/store.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import { toListedPostView, toPostView } from '../../../lib/posts/view.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaBaseUrl, mediaItem, openFixture } from './fixture.ts';

let fixture: Awaited<ReturnType<typeof openFixture>>;
beforeAll(async () => {
  fixture = await openFixture(await createTestTable());
});

/** A post as a client reads it: through the schema of the response, which removes what is not declared. */
const read = ({ post, targets }: PostWithTargets) =>
  JSON.parse(JSON.stringify(PostView.parse(toPostView(post, mediaBaseUrl, targets)))) as Shown;
type Shown = Readonly<Record<string, unknown>>;

/** What may differ between a post and its copy. */
const ownFields = ['_id', 'id', 'createdAt', 'updatedAt'];
const withoutOwn = (shown: Shown) =>
  Object.fromEntries(Object.entries(shown).filter(([name]) => !ownFields.includes(name)));

/** Text that every platform accepts in every field. */
const text = fc.stringMatching(/^[a-zäşı☀0-9][a-zäşı☀0-9 ]{0,20}$/u);
const name = fc.string({ minLength: 1, maxLength: 40 }).filter((value) => value !== '__proto__');
const anyAltText = { altText: fc.option(text, { nil: undefined }) };

function anyRequest() {
  const { instagram, youtube, image, video } = fixture;
  const anImage = fc.record(anyAltText).map((more) => ({ ...mediaItem(image), ...more }));
  const aVideo = fc.constant(mediaItem(video));
  const entry = fc.record(
    {
      accountId: fc.constant(instagram.id),
      platformSpecificData: fc.record({ firstComment: text }, { requiredKeys: [] }),
      customContent: text,
      customMedia: fc.array(anImage, { minLength: 1, maxLength: 3 }),
      scheduledFor: fc.constantFrom(inOneHour, '2026-03-01T15:30:00.000Z'),
    },
    { requiredKeys: ['accountId'] },
  );
  const film = fc.record({
    accountId: fc.constant(youtube.id),
    platformSpecificData: fc.record({ title: text, tags: fc.array(text, { maxLength: 2 }) }),
    customMedia: aVideo.map((item) => [item]),
    customContent: text,
  });
  const accountIds = fc.constant([instagram.id]);
  const options = fc.constantFrom({}, { [instagram.id]: { firstComment: 'And one more' } });
  const afterMinutes = fc.integer({ min: 0, max: 1_440 });
  const followUp = fc.record(
    {
      kind: fc.constant('followUp'),
      accountIds,
      content: text,
      mediaItems: fc.array(anImage, { minLength: 1, maxLength: 2 }),
      afterMinutes,
      options,
    },
    { requiredKeys: ['kind', 'accountIds', 'content', 'mediaItems'] },
  );
  const crossPost = fc.record(
    { kind: fc.constant('crossPost'), accountIds, afterMinutes, options },
    { requiredKeys: ['kind', 'accountIds'] },
  );
  return fc.record(
    {
      content: text,
      mediaItems: fc.array(anImage, { minLength: 1, maxLength: 3 }),
      platforms: fc.tuple(entry, film).map((both) => both),
      scheduledFor: fc.constant(inOneHour),
      timezone: fc.constantFrom('UTC', 'Europe/Istanbul'),
      onQuota: fc.constantFrom('wait', 'fail'),
      chain: fc.array(fc.oneof(followUp, crossPost), { maxLength: 3 }),
      metadata: fc.dictionary(name, fc.string({ maxLength: 50 }), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
      externalId: fc.string({ minLength: 1, maxLength: 255 }),
    },
    { requiredKeys: ['content', 'mediaItems', 'platforms', 'scheduledFor'] },
  );
}

/** Removes what is null: in a request, that is the same as to leave it out. */
const withoutNulls = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, item) => (item === null ? undefined : item));

describe('a read of a post', () => {
  it('has all that a client needs to create the same post again', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest(), async (request) => {
        const first = read(await fixture.create(request));
        const again = withoutNulls(first);
        expect(await validatePost(fixture.context, CreatePostBody.parse(again))).toMatchObject({
          problems: [],
        });
        const second = read(await fixture.create(again as object));
        expect(withoutOwn(second)).toEqual(withoutOwn(first));
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
    const { instagram, image } = fixture;
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
      await fixture.create({ chain: [followUp, { kind: 'crossPost', accountIds: [instagram.id] }] }),
    );
    const waiting = { status: 'waiting', postId: null, error: null };
    const crossPost = { kind: 'crossPost', accountIds: [instagram.id], afterMinutes: 0 };
    expect(shown['chain']).toEqual([
      { ...followUp, ...waiting },
      { ...crossPost, content: null, mediaItems: [], options: {}, ...waiting },
    ]);
  });
});

describe('a post in a list or an event', () => {
  it('has everything except the own content, media and options of its destinations', async () => {
    const { instagram } = fixture;
    const platforms = [
      { accountId: instagram.id, customContent: 'Here', platformSpecificData: { firstComment: 'x' } },
    ];
    const chain = [{ kind: 'followUp', accountIds: [instagram.id], content: 'More' }];
    const labels = { metadata: { campaign: 'spring' }, externalId: 'row 7' };
    const created = await fixture.create({ platforms, chain, ...labels });
    const whole = read(created);
    const own = ['customContent', 'customMedia', 'platformSpecificData'];
    const listed = ListedPostView.parse(toListedPostView(created.post, mediaBaseUrl));
    const targets = (whole['platforms'] as Shown[]).map((target) =>
      Object.fromEntries(Object.entries(target).filter(([name]) => !own.includes(name))),
    );
    expect(listed).toEqual({ ...whole, platforms: targets });
    expect(listed).toMatchObject(labels);
  });
});
