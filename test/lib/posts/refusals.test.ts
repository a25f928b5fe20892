import { beforeAll, describe, expect, it } from 'vitest';
import { toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { validatePost } from '../../../lib/posts/validate.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs, storeAccount, storeMedia } from '../../support/builders.ts';
import { createTestTable } from '../../support/table.ts';
import { inOneHour, mediaItem, openFixture, refusalsOf } from './fixture.ts';

let table: Table;
let fixture: Awaited<ReturnType<typeof openFixture>>;
let foreign: typeof fixture;
const others: Record<string, string> = {};
beforeAll(async () => {
  table = await createTestTable();
  [fixture, foreign] = await Promise.all([openFixture(table), openFixture(table)]);
  const { workspaceId } = fixture.context;
  const [gone, pinterest] = await Promise.all([
    storeAccount(table, workspaceId, { disconnectedAt: toTimestamp(startMs) }),
    storeAccount(table, workspaceId, { platform: 'pinterest' }),
  ]);
  const [broken, pending, gif] = await Promise.all([
    storeMedia(table, workspaceId, { status: 'invalid', statusMessage: 'the storage quota was exceeded' }),
    storeMedia(table, workspaceId, { status: 'pending' }),
    storeMedia(table, workspaceId, { filename: 'a.gif', contentType: 'image/gif' }),
  ]);
  Object.assign(others, { gone: gone.id, pinterest: pinterest.id });
  for (const [name, media] of Object.entries({ broken, pending, gif })) others[name] = mediaItem(media).url;
});

type Fixture = typeof fixture;
const noUpload = 'is not the publicUrl of an upload of this workspace';
const notPublic = (why: string) => `${noUpload}, nor a public address: it ${why}`;

/** Requests that a client may send, and all problems that are reported. */
const cases: readonly (readonly [string, (fixture: Fixture) => object, (fixture: Fixture) => string[]])[] = [
  ['no platforms', () => ({ platforms: undefined }), () => ['platforms: is required']],
  [
    'an empty list of platforms',
    () => ({ platforms: [] }),
    () => ['platforms: must name at least one account'],
  ],
  [
    'the same account twice',
    ({ instagram: { id } }) => ({ platforms: [{ accountId: id }, { accountId: id }] }),
    () => ['platforms[1].accountId: is named twice'],
  ],
  [
    'an unknown account',
    () => ({ platforms: [{ accountId: newId(startMs) }] }),
    () => ['platforms[0].accountId: no such account'],
  ],
  [
    'an account of another workspace',
    () => ({ platforms: [{ accountId: foreign.instagram.id }] }),
    () => ['platforms[0].accountId: no such account'],
  ],
  [
    'a disconnected account',
    () => ({ platforms: [{ accountId: others['gone'] }] }),
    () => ['platforms[0].accountId: no such account'],
  ],
  [
    'a platform that is not the account’s',
    ({ instagram: { id } }) => ({ platforms: [{ accountId: id, platform: 'tiktok' }] }),
    () => ['platforms[0].platform: the account is on instagram'],
  ],
  [
    'a missing option that the platform requires',
    () => ({ platforms: [{ accountId: others['pinterest'] }], scheduledFor: inOneHour }),
    () => ["platforms[0].platformSpecificData.boardId: is required: the id of one of the account's boards"],
  ],
  [
    'an unknown time zone',
    () => ({ timezone: 'Mars/Base' }),
    () => ['timezone: must be an IANA time zone, such as Europe/Istanbul'],
  ],
  [
    'a time that is not a time',
    () => ({ scheduledFor: 'soon' }),
    () => ['scheduledFor: must be an ISO 8601 date and time'],
  ],
  [
    'a day that does not exist',
    () => ({ scheduledFor: '2026-02-30T12:00Z' }),
    () => ['scheduledFor: must be an ISO 8601 date and time'],
  ],
  [
    'a time in the past',
    () => ({ scheduledFor: '2026-03-01T11:49:59Z' }),
    () => ['scheduledFor: is in the past'],
  ],
  [
    'a time in the past, by its time zone',
    () => ({ scheduledFor: '2026-03-01T12:00', timezone: 'Europe/Istanbul' }),
    () => ['scheduledFor: is in the past'],
  ],
  [
    'a time too far ahead',
    () => ({ scheduledFor: '2027-03-03T12:00:00Z' }),
    () => ['scheduledFor: is more than a year ahead'],
  ],
  [
    'a time together with publishNow',
    () => ({ scheduledFor: inOneHour, publishNow: true }),
    () => ['publishNow: cannot be combined with scheduledFor'],
  ],
  [
    "a destination's own time that is not a time",
    ({ instagram: { id } }) => ({
      platforms: [{ accountId: id, scheduledFor: '?' }],
      scheduledFor: inOneHour,
    }),
    () => ['platforms[0].scheduledFor: must be an ISO 8601 date and time'],
  ],
  [
    "a destination's own time in the past",
    ({ instagram: { id } }) => ({ platforms: [{ accountId: id, scheduledFor: '2026-01-01T00:00Z' }] }),
    () => ['platforms[0].scheduledFor: is in the past'],
  ],
  [
    'a time for some destinations only',
    ({ instagram, youtube, video }) => ({
      platforms: [{ accountId: instagram.id, scheduledFor: inOneHour }, { accountId: youtube.id }],
      mediaItems: [mediaItem(video)],
    }),
    () => ['scheduledFor: is required if some destinations have no time of their own'],
  ],
  [
    'a file in a private network',
    () => ({ mediaItems: [{ type: 'image', url: 'https://192.168.0.1/a.jpg' }] }),
    () => [`mediaItems[0].url: ${notPublic('must be at a public address')}`],
  ],
  [
    'a file of another workspace',
    () => ({ mediaItems: [mediaItem(foreign.image)] }),
    () => [`mediaItems[0].url: ${noUpload}`],
  ],
  [
    'a file that was never granted',
    ({ image }) => ({
      mediaItems: [{ type: 'image', url: mediaItem(image).url.replace(image.id, newId(1)) }],
    }),
    () => [`mediaItems[0].url: ${noUpload}`],
  ],
  [
    'a file with another file name',
    ({ image }) => ({
      mediaItems: [{ type: 'image', url: mediaItem(image).url.replace('image.jpg', 'x.jpg') }],
    }),
    () => [`mediaItems[0].url: ${noUpload}`],
  ],
  [
    'an invalid file',
    () => ({ mediaItems: [{ type: 'image', url: others['broken'] }] }),
    () => ['mediaItems[0].url: the file cannot be used: the storage quota was exceeded'],
  ],
  [
    'a video declared as an image',
    ({ video }) => ({ mediaItems: [{ ...mediaItem(video), type: 'image' }] }),
    () => ['mediaItems[0].type: the file is video/mp4'],
  ],
  [
    'a cover in a private network',
    () => ({ coverUrl: 'https://192.168.0.1/a.jpg' }),
    () => [`coverUrl: ${notPublic('must be at a public address')}`],
  ],
  [
    'a video as a cover',
    ({ video }) => ({ coverUrl: mediaItem(video).url }),
    () => ['coverUrl: the file is video/mp4'],
  ],
  [
    'a file without an address for one destination',
    ({ instagram: { id }, image }) => ({
      platforms: [{ accountId: id, customMedia: [mediaItem(image), { type: 'image', url: '' }] }],
    }),
    () => [`platforms[0].customMedia[1].url: ${notPublic('must be an absolute URL')}`],
  ],
  [
    'a followUp without content or media',
    ({ instagram: { id } }) => ({ chain: [{ kind: 'followUp', accountIds: [id] }] }),
    () => ['chain[0].content: a followUp needs content or media'],
  ],
  [
    'an image for YouTube',
    ({ youtube: { id } }) => ({ platforms: [{ accountId: id }], scheduledFor: inOneHour }),
    () => ['mediaItems: YouTube needs exactly one video and no other media'],
  ],
  [
    'an own image for YouTube',
    ({ youtube: { id }, image }) => ({
      platforms: [{ accountId: id, customMedia: [mediaItem(image)] }],
      scheduledFor: inOneHour,
    }),
    () => ['platforms[0].customMedia: YouTube needs exactly one video and no other media'],
  ],
  [
    'an option with an invalid value',
    ({ youtube: { id }, video }) => ({
      platforms: [{ accountId: id, platformSpecificData: { privacy: 'secret' } }],
      mediaItems: [mediaItem(video)],
      scheduledFor: inOneHour,
    }),
    () => ['platforms[0].platformSpecificData.privacy: must be public, unlisted or private'],
  ],
  [
    'a file type that Instagram does not accept',
    () => ({ mediaItems: [{ type: 'image', url: others['gif'] }], scheduledFor: inOneHour }),
    () => ['mediaItems[0]: an image must be image/jpeg, not image/gif'],
  ],
  [
    'a caption that is too long',
    () => ({ content: 'x'.repeat(2_201), scheduledFor: inOneHour }),
    () => ['content: Instagram allows at most 2200 characters; the content has 2201'],
  ],
  [
    'an own caption that is too long',
    ({ instagram: { id } }) => ({
      platforms: [{ accountId: id, customContent: 'x'.repeat(2_201) }],
      scheduledFor: inOneHour,
    }),
    () => ['platforms[0].customContent: Instagram allows at most 2200 characters; the content has 2201'],
  ],
  [
    'several problems',
    () => ({ platforms: [], scheduledFor: 'soon', timezone: 'UTC', coverUrl: '' }),
    () => [
      'platforms: must name at least one account',
      'scheduledFor: must be an ISO 8601 date and time',
      `coverUrl: ${notPublic('must be an absolute URL')}`,
    ],
  ],
];

describe('a request is refused, and nothing is stored, with', () => {
  it.each(cases)('%s', async (_what, changes, refusals) => {
    expect(await refusalsOf(fixture.create(changes(fixture)))).toEqual(refusals(fixture));
  });

  it('options that are too large for an item', async () => {
    const platformSpecificData = { note: 'x'.repeat(400_000) };
    const platforms = [{ accountId: fixture.instagram.id, platformSpecificData }];
    expect(await refusalsOf(fixture.create({ platforms }))).toEqual([
      'platforms[0]: the destination is too large',
    ]);
  });

  it('more content in total than fits in one transaction', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 40 }, () => storeAccount(table, fixture.context.workspaceId)),
    );
    const platforms = accounts.map(({ id }) => ({ accountId: id, customContent: 'x'.repeat(99_000) }));
    expect(await refusalsOf(fixture.create({ platforms }))).toEqual([
      'platforms: the post and its destinations are too large in total',
    ]);
  });
});

describe('a request is accepted with', () => {
  it.each<[string, (fixture: Fixture) => object]>([
    [
      'a file that was granted but has not arrived',
      () => ({ mediaItems: [{ type: 'image', url: others['pending'] }], scheduledFor: inOneHour }),
    ],
    ['a time ten minutes back', () => ({ scheduledFor: '2026-03-01T11:50:00Z' })],
    ['a draft that breaks its platform’s rules', () => ({ content: 'x'.repeat(50_000), mediaItems: [] })],
    ['a draft without platforms', () => ({ platforms: undefined, isDraft: true })],
    ['a draft with a time in the past', () => ({ scheduledFor: '2020-01-01T00:00:00Z', isDraft: true })],
    ['the longest content', () => ({ content: '語'.repeat(100_000) })],
    ['unknown fields', () => ({ unknown: { deep: [1] } })],
    ['the same file many times', ({ image }) => ({ mediaItems: Array(35).fill(mediaItem(image)) })],
  ])('%s', async (_what, changes) => {
    expect((await fixture.create(changes(fixture))).replayed).toBe(false);
  });
});

describe('validating', () => {
  it('reports everything that creating would refuse, with account and platform', async () => {
    const { instagram, youtube, body, context } = fixture;
    const platforms = [{ accountId: youtube.id }, { accountId: instagram.id }, { accountId: newId(1) }];
    const { problems } = await validatePost(
      context,
      body({ platforms, content: 'x'.repeat(2_300), scheduledFor: '2026-02-01T00:00Z' }),
    );
    expect(problems).toEqual([
      { field: 'scheduledFor', code: 'time_in_past', message: 'is in the past' },
      expect.objectContaining({ accountId: youtube.id, platform: 'youtube', field: 'mediaItems' }),
      expect.objectContaining({ accountId: instagram.id, platform: 'instagram', field: 'content' }),
      expect.objectContaining({ field: 'platforms[2].accountId', message: 'no such account' }),
    ]);
  });

  it("applies the platforms' rules to a draft too, and accepts a valid post", async () => {
    const { context, body } = fixture;
    expect((await validatePost(context, body({ mediaItems: [] }))).problems).toHaveLength(1);
    expect((await validatePost(context, body({ scheduledFor: inOneHour }))).problems).toEqual([]);
  });
});
