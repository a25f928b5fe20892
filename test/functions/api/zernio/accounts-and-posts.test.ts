import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Table } from '../../../../lib/table/table.ts';
import { type Call, openApi } from '../../../support/api.ts';
import { openWorkspace, storeAccount } from '../../../support/builders.ts';
import { tableForm, zernioClient } from '../../../support/zernio.ts';

let table: Table;
let call: Call;
let workspaceId: string;
let accountId: string;
let apiKey: string;
let ask: ReturnType<typeof zernioClient>;
beforeAll(async () => {
  ({ table, call } = await openApi());
});
beforeEach(async () => {
  const opened = await openWorkspace(table, { now: Date.now() });
  ({ workspaceId } = opened.context);
  ({ apiKey } = opened);
  ask = zernioClient(call, apiKey);
  ({ id: accountId } = await storeAccount(table, workspaceId, { platform: 'threads' }));
});

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

describe('accounts', () => {
  it('are listed with the names of Zernio', async () => {
    const { status, body } = await ask('GET /v1/accounts');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      hasAnalyticsAccess: true,
      accounts: [
        { _id: accountId, platform: 'threads', profileId: workspaceId, isActive: true, enabled: true },
      ],
    });
  });

  it.each([
    ['platform=twitter', 501, 'api_error', 'not_in_herald'],
    ['profileId=another', 404, 'not_found', 'not_found'],
    ['status=odd', 400, 'invalid_request_error', 'field_unknown_value'],
  ])('with %s are %i', async (query, status, type, code) => {
    expect(await ask('GET /v1/accounts', { query })).toMatchObject({ status, body: { type, code } });
  });

  it('have a health', async () => {
    expect((await ask('GET /v1/accounts/health')).body).toMatchObject({
      summary: { total: 1, healthy: 1, warning: 0, error: 0, needsReconnect: 0 },
      accounts: [{ accountId, status: 'healthy', canPost: true, tokenValid: true, issues: [] }],
    });
    expect((await ask(`GET /v1/accounts/${accountId}/health`)).body).toMatchObject({
      accountId,
      status: 'healthy',
      tokenStatus: { valid: true },
    });
  });
});

describe('a post', () => {
  const create = (body: object, headers = {}) => ask('POST /v1/posts', { body, headers });
  const destinations = () => [{ platform: 'threads', accountId }];

  it('is created, read, listed, changed and deleted', async () => {
    const scheduledFor = inAnHour();
    const created = await create({ content: 'Hello', platforms: destinations(), scheduledFor });
    expect(created).toMatchObject({
      status: 201,
      body: {
        message: 'Post scheduled',
        post: {
          content: 'Hello',
          status: 'scheduled',
          scheduledFor,
          platforms: [{ accountId, status: 'scheduled' }],
        },
      },
    });
    const { _id: id } = created.body['post'] as { _id: string };
    expect((await ask(`GET /v1/posts/${id}`)).body).toMatchObject({ post: { _id: id, content: 'Hello' } });
    expect((await ask('GET /v1/posts', { query: 'page=1&limit=10' })).body).toMatchObject({
      posts: [{ _id: id }],
      pagination: { page: 1, limit: 10, total: 1, pages: 1 },
    });
    const changed = await ask(`PUT /v1/posts/${id}`, { body: { content: 'Changed' } });
    expect(changed).toMatchObject({
      status: 200,
      body: { message: 'Post updated', post: { content: 'Changed' } },
    });
    expect(await ask(`DELETE /v1/posts/${id}`)).toMatchObject({
      status: 200,
      body: { message: 'Post deleted' },
    });
    expect(await ask(`GET /v1/posts/${id}`)).toMatchObject({ status: 404, body: { type: 'not_found' } });
  });

  it('of a repeated request is the first one', async () => {
    const headers = { 'x-request-id': 'same' };
    const first = await create({ content: 'Once', platforms: destinations() }, headers);
    const again = await create({ content: 'Once', platforms: destinations() }, headers);
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body['post']).toEqual(first.body['post']);
  });

  it.each([
    ['a time', () => ({ scheduledFor: inAnHour() })],
    ['publishNow', () => ({ publishNow: true })],
    [
      'destinations with times',
      () => ({ platforms: [{ platform: 'threads', accountId, scheduledFor: inAnHour() }] }),
    ],
  ])('that is a draft stays one with %s, until isDraft is false', async (_name, change) => {
    const { body } = await create({ content: 'Draft', platforms: destinations(), isDraft: true });
    const { _id: id } = body['post'] as { _id: string };
    const changed = await ask(`PUT /v1/posts/${id}`, { body: change() });
    expect(changed).toMatchObject({ status: 200, body: { post: { status: 'draft' } } });
    const promoted = await ask(`PUT /v1/posts/${id}`, { body: { isDraft: false, scheduledFor: inAnHour() } });
    expect(promoted.body).toMatchObject({ message: 'Post updated', post: { status: 'scheduled' } });
  });

  it('of the queue gets a slot', async () => {
    const { body } = await create({
      content: 'Queued',
      platforms: destinations(),
      queuedFromProfile: workspaceId,
    });
    expect(body['post']).toMatchObject({ status: 'scheduled', queuedFromProfile: workspaceId });
    const { body: slot } = await ask('GET /v1/queue/next-slot', { query: `profileId=${workspaceId}` });
    expect(Date.parse(String(slot['nextSlot']))).toBeGreaterThan(Date.now());
    const refused = await create({ content: 'x', platforms: destinations(), queuedFromProfile: 'another' });
    expect(refused).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  it('for a time in the past is refused: a wrong year would go live', async () => {
    const body = { content: 'Old', platforms: destinations(), scheduledFor: '2020-01-01T00:00:00Z' };
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { code: 'time_in_past', param: 'scheduledFor' },
    });
  });

  it.each([['crosspostingEnabled'], ['recycling']])('with %s is not published without it', async (name) => {
    const body = { content: 'x', platforms: destinations(), publishNow: true, [name]: true };
    expect(await create(body)).toMatchObject({ status: 400 });
  });

  it('says which labels are not stored', async () => {
    const { body } = await create({
      content: 'x',
      platforms: destinations(),
      title: 'A title',
      hashtags: ['a'],
    });
    expect(body['warnings']).toEqual(['title: not stored', 'hashtags: not stored']);
  });

  it('is only checked with dryRun', async () => {
    const { status, body } = await create({ content: 'x', platforms: destinations(), dryRun: true });
    expect({ status, body }).toEqual({ status: 200, body: { dryRun: true, canPublish: true, tiktok: [] } });
    expect((await ask('GET /v1/posts')).body['posts']).toEqual([]);
  });

  it('is searched and sorted', async () => {
    for (const content of ['b apple', 'a pear', 'c apple'])
      await create({ content, platforms: destinations() });
    const { body } = await ask('GET /v1/posts', { query: 'search=APPLE&sortBy=created-asc' });
    expect((body['posts'] as { content: string }[]).map(({ content }) => content)).toEqual([
      'b apple',
      'c apple',
    ]);
  });
});

describe('a call', () => {
  it.each([
    ['GET /v1/ads', 'listAds'],
    ['POST /v1/posts/sync-external', 'syncExternalPosts'],
    ['GET /v1/inbox/conversations', 'listInboxConversations'],
  ])('%s that Herald does not have is 501 with its name', async (route, name) => {
    const { status, body } = await ask(route);
    expect(status).toBe(501);
    expect(body).toMatchObject({
      code: 'not_in_herald',
      error: expect.stringContaining(name),
      docUrl: 'https://api.example.com/docs/errors/not_in_herald',
    });
  });

  it('that Zernio does not have either is 404', async () => {
    expect(await ask('GET /v1/nonsense')).toMatchObject({ status: 404, body: { code: 'route_unknown' } });
  });

  it('without a key is 401', async () => {
    const stranger = zernioClient(call, undefined);
    expect(await stranger('GET /v1/accounts')).toMatchObject({
      status: 401,
      body: { type: 'authentication_error', code: 'key_missing' },
    });
  });

  it.each([
    '[]',
    '"text"',
    'null',
    '{"content": 1}',
    '{"platforms": {"__proto__": 1}}',
    '{',
    '{"platforms":[[]]}',
  ])('with the body %s is 400', async (rawBody) => {
    expect(await ask('POST /v1/posts', { rawBody })).toMatchObject({ status: 400 });
  });
});

describe('the workspace', () => {
  it('is one profile, whose keys make no keys', async () => {
    expect((await ask('GET /v1/profiles')).body).toMatchObject({
      profiles: [{ _id: workspaceId, isDefault: true }],
    });
    expect(await ask('POST /v1/profiles', { body: { name: 'x' } })).toMatchObject({
      status: 403,
      body: { type: 'permission_error' },
    });
    expect(await ask('POST /v1/api-keys', { body: { name: 'x' } })).toMatchObject({ status: 403 });
    expect((await ask('GET /v1/auth/verify')).body).toMatchObject({ valid: true, authType: 'api_key' });
    const { apiKeys } = (await ask('GET /v1/api-keys')).body as { apiKeys: object[] };
    expect(apiKeys).toEqual([
      expect.objectContaining({ id: expect.any(String), keyPreview: expect.any(String) }),
    ]);
    expect((await ask('GET /v1/users')).body).toMatchObject({ users: [{ _id: expect.any(String) }] });
    expect((await ask('GET /v1/usage-stats')).body).toMatchObject({ usage: { connectedAccounts: 1 } });
    expect((await ask('GET /v1/logs')).status).toBe(200);
  });
});

describe('webhooks', () => {
  it('are registered with the names of Zernio', async () => {
    const created = await ask('POST /v1/webhooks/settings', {
      body: {
        name: 'Mine',
        url: 'http://127.0.0.1:9/hook',
        secret: 'my own secret',
        events: ['post.published', 'post.platform.failed', 'message.received'],
      },
    });
    expect(created).toMatchObject({
      status: 200,
      body: {
        success: true,
        webhook: { name: 'Mine', events: ['post.published', 'post.platform.failed', 'message.received'] },
      },
    });
    const { _id: id } = created.body['webhook'] as { _id: string };
    const changed = await ask('PUT /v1/webhooks/settings', {
      body: { _id: id, name: 'Other', secret: 'new' },
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { success: true, webhook: { _id: id, name: 'Other' } },
    });
    expect((await ask('GET /v1/webhooks/settings')).body).toMatchObject({ webhooks: [{ _id: id }] });
    expect((await ask('POST /v1/webhooks/test', { body: { webhookId: id } })).body).toMatchObject({
      success: true,
    });
    expect((await ask('GET /v1/webhooks/logs')).status).toBe(200);
    expect((await ask('DELETE /v1/webhooks/settings', { query: `id=${id}` })).body).toEqual({
      success: true,
    });
  });

  it('hear of all ends of an access under one name', async () => {
    const body = { name: 'x', url: 'http://127.0.0.1:9/ends', events: ['account.disconnected'] };
    const created = await ask('POST /v1/webhooks/settings', { body });
    expect(created.body).toMatchObject({ webhook: { events: ['account.disconnected'] } });
    const { _id: id } = created.body['webhook'] as { _id: string };
    const { body: own } = await call('getWebhook', { apiKey, path: { id } });
    expect(own).toMatchObject({ webhook: { events: ['account.disconnected', 'account.expired'] } });
  });

  it('are refused for events that Herald never sends', async () => {
    const body = { name: 'x', url: 'http://127.0.0.1:9/h', events: ['review.new'] };
    expect(await ask('POST /v1/webhooks/settings', { body })).toMatchObject({ status: 501 });
  });
});

describe('checks', () => {
  it('say why a file cannot be used', async () => {
    const body = { url: 'https://files.example.com/x.jpg' };
    expect((await ask('POST /v1/tools/validate/media', { body })).body).toEqual({
      valid: false,
      url: body.url,
      error: 'no file is read',
      type: 'unknown',
    });
  });

  it.each([[{ toString: 1 }], [['threads']], [7], [null]])(
    'refuse %j as the name of a platform in words',
    async (platform) => {
      const body = { content: 'x', platforms: [{ platform }] };
      const { status } = await ask('POST /v1/tools/validate/post', { body });
      expect([200, 400]).toContain(status);
    },
  );

  it('name problems by platform', async () => {
    const { body } = await ask('POST /v1/tools/validate/post', {
      body: { content: 'x'.repeat(600), platforms: [{ platform: 'threads' }] },
    });
    expect(body).toMatchObject({
      valid: false,
      errors: [{ platform: 'threads', error: expect.any(String) }],
    });
    const { body: fine } = await ask('POST /v1/tools/validate/post', {
      body: { content: 'x', platforms: [{ platform: 'threads' }] },
    });
    expect(fine).toMatchObject({ valid: true });
  });
});

describe('a table of posts', () => {
  const upload = (text: string, query = '') =>
    ask('POST /v1/posts/bulk-upload', { ...tableForm(text), query });
  const rows = 'post_content,platforms,is_draft\nFirst,threads,true\nSecond,twitter,true\nThird,threads,true';

  it('is created row by row', async () => {
    const { status, body } = await upload(rows);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        total: 3,
        valid: 2,
        invalid: 1,
        results: [
          { rowIndex: 0, ok: true, createdPostId: expect.any(String) },
          { rowIndex: 1, ok: false, errors: ['platforms: no account of twitter is connected'] },
          { rowIndex: 2, ok: true, createdPostId: expect.any(String) },
        ],
      },
    });
    const { posts } = (await ask('GET /v1/posts')).body as { posts: { content: string }[] };
    expect(posts.map(({ content }) => content).sort()).toEqual(['First', 'Third']);
  });

  it('that is sent again with the same x-request-id creates nothing more', async () => {
    const send = () => {
      const form = tableForm(rows);
      const headers = { ...form.headers, 'x-request-id': 'one table' };
      return ask('POST /v1/posts/bulk-upload', { ...form, headers });
    };
    const first = await send();
    expect((await send()).body).toEqual(first.body);
    expect((await ask('GET /v1/posts')).body['posts']).toHaveLength(2);
  });

  it('that is sent again once a wrong row has become right creates that row, and none twice', async () => {
    const send = async () => {
      const form = tableForm('post_content,platforms,is_draft\nFirst,linkedin,true\nSecond,threads,true');
      const headers = { ...form.headers, 'x-request-id': 'a mended table' };
      const { body } = await ask('POST /v1/posts/bulk-upload', { ...form, headers });
      return (body as unknown as { results: { ok: boolean; createdPostId?: string }[] }).results;
    };
    const [wrong, right] = await send();
    expect([wrong?.ok, right?.ok]).toEqual([false, true]);
    await storeAccount(table, workspaceId, { platform: 'linkedin' });
    const [mended, same] = await send();
    expect(mended?.ok).toBe(true);
    expect(same?.createdPostId).toBe(right?.createdPostId);
    const { posts } = (await ask('GET /v1/posts')).body as unknown as { posts: { content: string }[] };
    expect(posts.map(({ content }) => content).sort()).toEqual(['First', 'Second']);
  });

  it('is only checked with dryRun', async () => {
    expect((await upload(rows, 'dryRun=true')).body).toMatchObject({ valid: 2, invalid: 1 });
    expect((await ask('GET /v1/posts')).body['posts']).toEqual([]);
  });

  it('has to be a form with a file', async () => {
    expect(await ask('POST /v1/posts/bulk-upload', { body: {} })).toMatchObject({
      status: 400,
      body: { param: 'file' },
    });
  });
});
