import { beforeAll, describe, expect, it } from 'vitest';
import type { Platform } from '../../../../lib/platforms/contract/names.ts';
import { type Call, openApi, type RequestParts } from '../../../support/api.ts';
import { openWorkspace, storeAccount } from '../../../support/builders.ts';
import { tableForm, zernioClient } from '../../../support/zernio.ts';

let call: Call;
let ask: ReturnType<typeof zernioClient>;
let profileId: string;
const accountIds = new Map<Platform, string>();
beforeAll(async () => {
  const opened = await openApi();
  ({ call } = opened);
  const { context, apiKey } = await openWorkspace(opened.table, { now: Date.now() });
  ask = zernioClient(call, apiKey);
  profileId = context.workspaceId;
  for (const platform of ['threads', 'tiktok', 'instagram'] as const)
    accountIds.set(platform, (await storeAccount(opened.table, profileId, { platform })).id);
});

const to = (platform: Platform, platformSpecificData?: object) => [
  { platform, accountId: accountIds.get(platform), ...(platformSpecificData && { platformSpecificData }) },
];
const long = 'x'.repeat(600);
const live = { content: 'x', publishNow: true };
const automation = () => ({
  profileId,
  accountId: accountIds.get('instagram'),
  name: 'x',
  keywords: ['x'],
  dmMessage: 'x',
});
const hook = { name: 'x', url: 'http://127.0.0.1:9/x', events: ['post.failed'] };

describe('an error names the field of the request', () => {
  it.each<[param: string, route: string, parts: () => RequestParts]>([
    [
      'mediaItems[0].size',
      'POST /v1/posts',
      () => ({ body: { content: 'x', mediaItems: [{ url: 'https://e.com/x', size: 'x' }] } }),
    ],
    [
      'platforms[0].platformSpecificData.threadItems[1].content',
      'POST /v1/posts',
      () => ({
        body: { ...live, platforms: to('threads', { threadItems: [{ content: 'a' }, { content: long }] }) },
      }),
    ],
    [
      'platforms[0].platformSpecificData.threadItems[0].content',
      'POST /v1/posts',
      () => ({
        body: { ...live, platforms: to('threads', { threadItems: [{ content: long }, { content: 'a' }] }) },
      }),
    ],
    [
      'tiktokSettings.allowDuet',
      'POST /v1/posts',
      () => ({ body: { ...live, platforms: to('tiktok'), tiktokSettings: { allowDuet: 'x' } } }),
    ],
    [
      'platforms[1].customContent',
      'POST /v1/tools/validate/post',
      () => ({
        body: {
          content: 'x',
          platforms: [{ platform: 'pinterest' }, { platform: 'threads', customContent: 5 }],
        },
      }),
    ],
    ['fromDate', 'GET /v1/posts', () => ({ query: 'fromDate=odd' })],
    ['dateTo', 'GET /v1/posts', () => ({ query: 'dateTo=odd' })],
    ['fromDate', 'GET /v1/analytics', () => ({ query: 'fromDate=odd' })],
    ['fromDate', 'GET /v1/accounts/follower-stats', () => ({ query: 'fromDate=odd' })],
    ['action', 'GET /v1/logs', () => ({ query: 'action=odd' })],
    ['redirect_url', 'GET /v1/connect/threads', () => ({ query: 'redirect_url=odd' })],
    ['name', 'POST /v1/webhooks/settings', () => ({ body: { ...hook, name: 5 } })],
    ['events', 'POST /v1/webhooks/settings', () => ({ body: { ...hook, events: [['post.failed']] } })],
    ['events', 'POST /v1/webhooks/settings', () => ({ body: { ...hook, events: [] } })],
    [
      'linkTracking',
      'POST /v1/comment-automations',
      () => ({ body: { ...automation(), linkTracking: 'x' } }),
    ],
    [
      'x-request-id',
      'POST /v1/posts',
      () => ({ body: { content: 'x' }, headers: { 'x-request-id': 'x'.repeat(300) } }),
    ],
  ])('%s', async (param, route, parts) => {
    const { status, body } = await ask(route, parts());
    expect({ status, param: body['param'] }).toEqual({ status: 400, param });
    expect(String(body['error']).startsWith(`${param}: `)).toBe(true);
  });

  it.each([
    ['tz', 'post_content,platforms,schedule_time,tz\nx,threads,2030-01-01T10:00,Odd'],
    ['schedule_time', 'post_content,platforms,schedule_time\nx,threads,odd'],
    ['schedule_time_threads', 'post_content,platforms,schedule_time_threads\nx,threads,odd'],
    [
      'custom_content_threads',
      `post_content,platforms,publish_now,custom_content_threads\nx,threads,1,${long}`,
    ],
  ])('%s of a table', async (column, table) => {
    const { body } = await ask('POST /v1/posts/bulk-upload', tableForm(table));
    expect(body).toMatchObject({ results: [{ errors: [expect.stringMatching(`^${column}: `)] }] });
  });
});

describe('an id of Zernio', () => {
  const id = '65f1c0a9b3d2e4f5a6b7c8d9';
  it.each<[noun: string, route: string, parts: RequestParts]>([
    ['post', `GET /v1/posts/${id}`, {}],
    ['post', `DELETE /v1/posts/${id}`, {}],
    ['post', `PUT /v1/posts/${id}`, { body: { publishNow: true } }],
    ['account', `GET /v1/accounts/${id}/health`, {}],
    ['automation', `GET /v1/comment-automations/${id}`, {}],
    ['webhook', 'PUT /v1/webhooks/settings', { body: { _id: id, name: 'x' } }],
    ['webhook', 'DELETE /v1/webhooks/settings', { query: `id=${id}` }],
    ['webhook', 'POST /v1/webhooks/test', { body: { webhookId: id } }],
  ])('that was taken along names no %s: %s', async (noun, route, parts) => {
    expect(await ask(route, parts)).toMatchObject({
      status: 404,
      body: { error: `${noun} not found`, code: 'not_found', type: 'not_found' },
    });
  });
});

it('an empty x-request-id is none', async () => {
  const body = { content: 'x', platforms: to('threads'), isDraft: true };
  const create = () => ask('POST /v1/posts', { body, headers: { 'x-request-id': '' } });
  const [one, other] = [await create(), await create()];
  expect([one.status, other.status]).toEqual([201, 201]);
});

it('two destinations of one platform are checked for two accounts', async () => {
  const body = { content: 'x', platforms: [{ platform: 'threads' }, { platform: 'threads' }] };
  expect((await ask('POST /v1/tools/validate/post', { body })).body).toMatchObject({
    valid: false,
    errors: [{ platform: 'threads', error: expect.stringContaining('not as many') }],
  });
});

describe('hostile JSON', () => {
  it.each([
    ['100,000 levels', `{"content":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['60,000 destinations', `{"platforms":[${'{},'.repeat(60_000)}{}]}`],
    ['40,000 thumbnails', `{"mediaItems":[${'{"thumbnail":1},'.repeat(40_000)}{}]}`],
    ['5 MB of text', JSON.stringify({ content: 'x'.repeat(5_000_000) })],
    ['a prototype', '{"platforms":[{"platform":"__proto__","platformSpecificData":{"__proto__":{"a":1}}}]}'],
  ])('with %s is 400', async (_what, rawBody) => {
    expect((await ask('POST /v1/posts', { rawBody })).status).toBe(400);
  });
});

it('no error repeats the secret of an endpoint', async () => {
  const secrets = ['S3CRET'.repeat(60), { S3CRET: 1 }, ['S3CRET'], 0];
  for (const secret of secrets) {
    const { status, text } = await ask('POST /v1/webhooks/settings', { body: { ...hook, secret } });
    expect(status).toBe(400);
    expect(text).not.toContain('S3CRET');
  }
});
