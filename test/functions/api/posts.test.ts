import { beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { PostView } from '../../../lib/posts/view/schemas.ts';
import { type Answer, type Call, mediaBaseUrl, openApi } from '../../support/api.ts';
import { openWorkspace, storeAccount, storeMedia } from '../../support/builders.ts';

let call: Call;
let apiKey: string;
let account: Account;
let mediaUrl: string;
beforeAll(async () => {
  const api = await openApi();
  call = api.call;
  const { context, apiKey: key } = await openWorkspace(api.table);
  apiKey = key;
  account = await storeAccount(api.table, context.workspaceId);
  const media = await storeMedia(api.table, context.workspaceId);
  mediaUrl = `${mediaBaseUrl}/${media.objectKey}`;
});

const scheduledFor = () => new Date(Date.now() + 3_600_000).toISOString();
const body = (changes: object = {}) => ({
  platforms: [{ accountId: account.id }],
  content: 'Hello',
  mediaItems: [{ type: 'image', url: mediaUrl, filename: 'Ä.jpg' }],
  ...changes,
});
const create = (changes?: object, headers: Record<string, string> = {}) =>
  call('posts-create', { body: body(changes), headers: { authorization: `Bearer ${apiKey}`, ...headers } });
const postOf = (answer: Answer): PostView => PostView.parse(answer.body['post']);

describe('POST /v1/posts', () => {
  it('takes what destinations do about daily limits, and refuses any other value', async () => {
    const answer = await create({ scheduledFor: scheduledFor(), onQuota: 'fail' });
    expect([answer.status, postOf(answer).onQuota]).toEqual([201, 'fail']);
    const wrong = await create({ scheduledFor: scheduledFor(), onQuota: 'never' });
    expect([wrong.status, wrong.body['error']]).toEqual([400, expect.stringMatching(/^onQuota: /)]);
  });

  it('responds 201 with the post as specified', async () => {
    const time = scheduledFor();
    const answer = await create({ scheduledFor: time, timezone: 'Europe/Istanbul' });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual(['post', 'warnings']);
    const post = postOf(answer);
    expect(answer.body['post']).toEqual({
      _id: post.id,
      id: post.id,
      content: 'Hello',
      status: 'scheduled',
      scheduledFor: time,
      timezone: 'Europe/Istanbul',
      onQuota: 'wait',
      createdAt: post.createdAt,
      updatedAt: post.createdAt,
      mediaItems: [{ type: 'image', url: mediaUrl, filename: 'Ä.jpg' }],
      coverUrl: null,
      chain: [],
      parentPostId: null,
      tags: [],
      metadata: {},
      externalId: null,
      externalIdUnique: false,
      approval: null,
      atRisk: false,
      editable: true,
      platforms: [
        {
          platform: 'instagram',
          accountId: account.id,
          status: 'scheduled',
          scheduledFor: time,
          platformPostId: null,
          permalink: null,
          error: null,
          errorDetail: null,
          publishedAt: null,
          removedAt: null,
          risk: null,
          removal: null,
          threadParts: [],
          timing: { scheduledFor: time, calledAt: null, liveAt: null, lateMs: null, afterRequestMs: null },
          customContent: null,
          customMedia: null,
          fit: null,
          padColor: null,
          focalPoint: null,
          adaptations: [],
          linkCard: null,
          platformSpecificData: {},
          takeDown: null,
        },
      ],
    });
  });

  it('responds 200 to a replay, with the existing post under both names', async () => {
    const first = await create({ idempotencyKey: 'replay' });
    const again = await create({ idempotencyKey: 'replay', content: 'Other' });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(Object.keys(again.body).sort()).toEqual([
      'existingPost',
      'idempotencyMismatch',
      'post',
      'warnings',
    ]);
    expect(again.body['post']).toEqual(first.body['post']);
    expect(again.body['existingPost']).toEqual(first.body['post']);
  });

  it('uses the idempotency key of the header, and a repeated request id only with the same body', async () => {
    const key = { 'idempotency-key': 'from the header' };
    expect([(await create({}, key)).status, (await create({}, key)).status]).toEqual([201, 200]);
    const repeated = { 'x-request-id': 'proxy-1' };
    const statuses = [
      await create({}, repeated),
      await create({}, repeated),
      await create({ content: 'x' }, repeated),
    ];
    expect(statuses.map(({ status }) => status)).toEqual([201, 200, 201]);
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
  ])('rejects an idempotency key that is %s', async (_what, key) => {
    const answer = await create({}, { 'idempotency-key': key });
    expect(answer.status).toBe(400);
    expect(answer.body['error']).toMatch(/^Idempotency-Key: /);
  });

  it('lists every wrong field, with the first one in the message', async () => {
    const answer = await create({ platforms: [{ accountId: 'x' }, {}], timezone: 5 });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: 'platforms[0].accountId: must be a UUID',
      code: 'field_format',
      details: {
        fields: {
          'platforms[0].accountId': ['must be a UUID'],
          'platforms[1].accountId': [expect.any(String)],
          timezone: [expect.any(String)],
        },
      },
    });
  });

  it.each([
    [
      { platforms: ['threads'] },
      'platforms[0]: must be an object such as { accountId }, with the id of an account',
    ],
    [{ platforms: 'threads' }, 'platforms: must be a list of { accountId }'],
    [{ scheduledFor: 1_803_801_600 }, 'scheduledFor: must be an ISO 8601 date and time, as a string'],
    [{ timezone: 3 }, 'timezone: must be the name of a time zone, as a string'],
    [{ mediaItems: ['https://example.com/a.jpg'] }, 'mediaItems[0]: must be an object such as { type, url }'],
    [{ mediaItems: 'https://example.com/a.jpg' }, 'mediaItems: must be a list of { type, url }'],
    [{ chain: ['followUp'] }, 'chain[0]: must be an object such as { kind, accountIds }'],
    [{ platforms: [null] }, 'platforms[0]: must be an object such as { accountId }'],
  ])('says what is expected instead of %j', async (body, error) => {
    const answer = await create(body);
    expect([answer.status, answer.body['code']]).toEqual([400, 'field_type']);
    expect(answer.body['error']).toContain(error);
  });

  it.each([
    ['queueId', 'leave it out'],
    ['recurrence', 'leave it out'],
    ['recycling', 'leave it out'],
    ['title', 'use platforms[].platformSpecificData instead'],
    ['categoryId', 'use platforms[].platformSpecificData instead'],
    ['hashtags', 'leave it out'],
    ['mentions', 'leave it out'],
    ['tiktokSettings', 'use platforms[].platformSpecificData instead'],
  ])('rejects %s in a post that goes live, because it would have no effect', async (field, remedy) => {
    const answer = await create({ [field]: 'x', scheduledFor: scheduledFor() });
    expect([answer.status, answer.body['error']]).toEqual([400, `${field}: is not supported; ${remedy}`]);
  });
});

describe('a created post', () => {
  it('can be read with the status of each destination, and is in the list', async () => {
    const post = postOf(await create({ scheduledFor: scheduledFor() }));
    const read = await call('posts-read', { apiKey, path: { id: post.id } });
    expect([read.status, read.body]).toEqual([200, { post }]);
    const list = await call('posts-list', { apiKey, query: 'limit=1' });
    // Lists leave out what only destinations hold.
    const { editable: _, ...listedFields } = post as unknown as PostView;
    const platforms = listedFields.platforms.map(
      ({ customContent, customMedia, platformSpecificData, ...listed }) => {
        const { fit, padColor, focalPoint, adaptations, linkCard, takeDown, ...shown } = listed;
        return shown;
      },
    );
    expect(list.body).toEqual({ posts: [{ ...listedFields, platforms }], nextCursor: expect.any(String) });
    const query = `limit=1&cursor=${encodeURIComponent(String(list.body['nextCursor']))}`;
    expect((await call('posts-list', { apiKey, query })).body['posts']).toHaveLength(1);
  });

  it('can be changed and deleted', async () => {
    const { id } = postOf(await create({ scheduledFor: scheduledFor() }));
    const edited = await call('posts-edit', { apiKey, path: { id }, body: { content: 'New' } });
    expect([edited.status, postOf(edited).content]).toEqual([200, 'New']);
    const removed = await call('posts-delete', { apiKey, path: { id } });
    expect([removed.status, removed.body]).toEqual([200, { ok: true }]);
    expect((await call('posts-read', { apiKey, path: { id } })).status).toBe(404);
  });

  it('cannot be retried if it has not failed', async () => {
    const { id } = postOf(await create());
    expect(await call('posts-retry', { apiKey, path: { id } })).toMatchObject({ status: 409 });
  });
});

describe('GET /v1/posts rejects', () => {
  it.each([
    ['limit=0', 'limit: must be a whole number from 1 to 500'],
    ['limit=501', 'limit: must be a whole number from 1 to 500'],
    ['limit=', 'limit: must be a whole number from 1 to 500'],
    ['limit=1.5', 'limit: must be a whole number from 1 to 500'],
    ['limit=5&limit=6', 'limit: must not be given more than once'],
    ['constructor=1&constructor=2', 'constructor: must not be given more than once'],
    ['=1&=2', 'query: must not be given more than once'],
    ['accountId=x', 'accountId: must be a UUID, or up to 50 with commas between them'],
    ['cursor=x', 'cursor: is not a cursor of this list with these filters; start again without it'],
    [
      'status=done',
      'status: must be one or several of draft, scheduled, publishing, published, partial, failed',
    ],
  ])('%s', async (query, error) => {
    const answer = await call('posts-list', { apiKey, query });
    expect([answer.status, answer.body['error']]).toEqual([400, error]);
  });
});

it('a post can be validated without being stored', async () => {
  const answer = await call('posts-validate', { apiKey, body: body({ mediaItems: [] }) });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    valid: false,
    problems: [
      {
        accountId: account.id,
        platform: 'instagram',
        field: 'mediaItems',
        code: 'media_required',
        message: 'Instagram needs at least one image or video',
      },
    ],
    warnings: [],
    adaptations: [],
    linkCards: [],
  });
});
