import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { verbs } from '../../../../lib/access/verbs.ts';
import { auditPartition } from '../../../../lib/table/keys.ts';
import { queryAll } from '../../../../lib/table/query.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { createKey } from '../../../../lib/workspaces/manage-keys.ts';
import { calls } from '../../../../lib/zernio/calls.ts';
import { anOperator } from '../../../support/acts.ts';
import { type Call, openApi, type RequestParts } from '../../../support/api.ts';
import { openWorkspace, storeAccount } from '../../../support/builders.ts';
import { type StoredIds, storeOneOfEach } from '../../../support/by-id.ts';
import { tableForm, zernioClient } from '../../../support/zernio.ts';

let table: Table;
let call: Call;
let workspaceId: string;
let ask: ReturnType<typeof zernioClient>;
let own: StoredIds;
beforeAll(async () => {
  ({ table, call } = await openApi());
});
beforeEach(async () => {
  const opened = await openWorkspace(table, { now: Date.now() });
  ({ workspaceId } = opened.context);
  ask = zernioClient(call, opened.apiKey);
  own = await storeOneOfEach(table, workspaceId);
});

const keyWith = async (limits: object) => {
  const issued = await createKey(anOperator(table, Date.now()), { workspaceId, name: 'limited', ...limits });
  return zernioClient(call, issued.apiKey);
};

/** Bodies that reach the check of permissions. */
const bodies: Readonly<Record<string, object>> = {
  createPost: { content: 'x' },
  updatePost: { content: 'x' },
  unpublishPost: { platform: 'threads' },
  createCommentAutomation: { name: 'x', dmMessage: 'x' },
  updateCommentAutomation: { name: 'x' },
  createWebhookSettings: { name: 'x', url: 'http://127.0.0.1:9/x', events: ['post.failed'] },
  getMediaPresignedUrl: { filename: 'x.jpg', contentType: 'image/jpeg' },
  createPinterestBoard: { name: 'x' },
  validateMedia: { url: 'https://files.example.com/x.jpg' },
};

/** Returns the route with the ids of stored things. */
const filled = (route: string, ids: StoredIds) =>
  route
    .replace('{postId}', ids.postId)
    .replace('{accountId}', ids.accountId)
    .replace('{automationId}', ids.automationId)
    .replace('{platform}', 'threads');

const changes = calls.filter(({ operations }) =>
  operations.some(({ verb }) => verb !== undefined && !verbs[verb].isRead),
);

describe('a key that may only read', () => {
  it.each(changes.map(({ name, route }) => [name, route]))(
    'cannot change anything by %s',
    async (name, route) => {
      const reader = await keyWith({ permissions: ['read'] });
      const parts = {
        body: { ...bodies[name], webhookId: own.webhookId, eventId: own.eventId },
        query: route.startsWith('DELETE /v1/webhooks') ? `id=${own.webhookId}` : '',
      };
      const form = tableForm('content,platforms,is_draft\nx,instagram,true');
      const request = name === 'bulkUploadPosts' ? form : parts;
      const { status, body } = await reader(filled(route, own), request);
      // A redelivery first looks for the delivery, and a removal for what is live.
      if (name === 'redeliverWebhookEvent' || name === 'unpublishPost')
        expect(status).toBeGreaterThanOrEqual(400);
      else expect({ status, type: body['type'] }).toEqual({ status: 403, type: 'permission_error' });
    },
  );
});

describe('a key that is limited to some accounts', () => {
  it('sees no others', async () => {
    const { id: visible } = await storeAccount(table, workspaceId, {
      platform: 'threads',
      platformAccountId: 'seen',
    });
    const limited = await keyWith({ accountIds: [visible] });
    const { accounts } = (await limited('GET /v1/accounts')).body as { accounts: { _id: string }[] };
    expect(accounts.map(({ _id }) => _id)).toEqual([visible]);
    expect((await limited(`GET /v1/accounts/${own.accountId}/health`)).status).toBe(404);
    expect((await limited(`GET /v1/posts/${own.postId}`)).status).toBe(404);
    expect((await limited('GET /v1/webhooks/settings')).status).toBe(403);
    expect((await limited('GET /v1/queue/preview')).body).toMatchObject({ count: 20 });
  });
});

describe('a key that may only draft', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  let drafter: ReturnType<typeof zernioClient>;
  let platforms: object[];
  beforeEach(async () => {
    drafter = await keyWith({ permissions: ['read', 'draft'] });
    const { id: accountId } = await storeAccount(table, workspaceId, { platform: 'threads' });
    platforms = [{ platform: 'threads', accountId }];
  });

  it.each([
    ['a time', () => ({ scheduledFor: inAnHour() })],
    ['publishNow', () => ({ publishNow: true })],
    ['a place in the queue', () => ({ queuedFromProfile: workspaceId })],
  ])('creates no post with %s, and promotes none', async (_what, change) => {
    const created = await drafter('POST /v1/posts', { body: { content: 'x', platforms, ...change() } });
    expect(created).toMatchObject({ status: 403, body: { type: 'permission_error' } });
    const { body } = await drafter('POST /v1/posts', { body: { content: 'x', platforms, isDraft: true } });
    const { _id: id } = body['post'] as { _id: string };
    const promoted = await drafter(`PUT /v1/posts/${id}`, { body: { isDraft: false, ...change() } });
    expect(promoted).toMatchObject({ status: 403, body: { type: 'permission_error' } });
    expect(await ask(`GET /v1/posts/${id}`)).toMatchObject({ body: { post: { status: 'draft' } } });
  });

  it('gives a draft a time, which stays a draft', async () => {
    const { body } = await drafter('POST /v1/posts', { body: { content: 'x', platforms, isDraft: true } });
    const { _id: id } = body['post'] as { _id: string };
    const edited = await drafter(`PUT /v1/posts/${id}`, { body: { scheduledFor: inAnHour() } });
    expect(edited).toMatchObject({ status: 200, body: { post: { status: 'draft' } } });
  });

  it('proposes drafts that a person approves: no other key schedules them here', async () => {
    const { body } = await drafter('POST /v1/posts', { body: { content: 'x', platforms, isDraft: true } });
    const { _id: id } = body['post'] as { _id: string };
    const edited = await ask(`PUT /v1/posts/${id}`, { body: { scheduledFor: inAnHour() } });
    expect(edited).toMatchObject({ status: 200, body: { post: { status: 'draft' } } });
    const promoted = await ask(`PUT /v1/posts/${id}`, { body: { isDraft: false } });
    expect(promoted).toMatchObject({ status: 400, body: { code: 'field_required' } });
    expect(await ask(`GET /v1/posts/${id}`)).toMatchObject({ body: { post: { status: 'draft' } } });
  });

  it('creates only the drafts of a table', async () => {
    const rows = `x,threads,${inAnHour()},\ny,threads,,true`;
    const form = tableForm(`post_content,platforms,schedule_time,is_draft\n${rows}`);
    expect((await drafter('POST /v1/posts/bulk-upload', form)).body).toMatchObject({
      results: [{ ok: false }, { ok: true }],
    });
  });
});

describe('another workspace', () => {
  it.each<[string, (stranger: StoredIds) => [string, RequestParts]]>([
    ['an account', ({ accountId }) => ['GET /v1/posts', { query: `accountId=${accountId}` }]],
    ['a post', ({ postId }) => ['GET /v1/analytics', { query: `postId=${postId}` }]],
    ['numbers', ({ accountId }) => ['GET /v1/analytics', { query: `accountId=${accountId}` }]],
    [
      'followers',
      ({ accountId }) => ['GET /v1/accounts/follower-stats', { query: `accountIds=${accountId}` }],
    ],
    [
      'a destination',
      ({ accountId }) => [
        'POST /v1/posts',
        { body: { content: 'x', publishNow: true, platforms: [{ platform: 'threads', accountId }] } },
      ],
    ],
    [
      'a check',
      ({ accountId }) => [
        'POST /v1/tools/validate/post',
        { body: { content: 'x', platforms: [{ platform: 'threads', accountId }] } },
      ],
    ],
    [
      'an automation',
      ({ accountId }) => [
        'POST /v1/comment-automations',
        { body: { accountId, name: 'x', keywords: ['x'], dmMessage: 'x' } },
      ],
    ],
    [
      'an endpoint',
      ({ webhookId }) => ['PUT /v1/webhooks/settings', { body: { _id: webhookId, name: 'x' } }],
    ],
    ['deletion', ({ webhookId }) => ['DELETE /v1/webhooks/settings', { query: `id=${webhookId}` }]],
    ['a test', ({ webhookId }) => ['POST /v1/webhooks/test', { body: { webhookId } }]],
    ['deliveries', ({ webhookId }) => ['GET /v1/webhooks/logs', { query: `webhookId=${webhookId}` }]],
    [
      'a redelivery',
      ({ webhookId, eventId }) => ['POST /v1/webhooks/logs/redeliver', { body: { webhookId, eventId } }],
    ],
  ])('cannot reach %s by an id in a body or query', async (_what, request) => {
    const { apiKey } = await openWorkspace(table, { now: Date.now() });
    const [route, parts] = request(own);
    const { status, body } = await zernioClient(call, apiKey)(route, parts);
    const { accounts, posts, valid } = body;
    if (status === 200) expect([accounts ?? posts ?? valid]).toEqual([valid === undefined ? [] : false]);
    else expect([400, 404]).toContain(status);
  });

  const byId = calls.filter(({ route }) => /\{(postId|accountId|automationId)\}/.test(route));

  it.each(byId.filter(({ operations }) => operations.length > 0).map(({ name, route }) => [name, route]))(
    'cannot reach anything by %s',
    async (name, route) => {
      const { apiKey } = await openWorkspace(table, { now: Date.now() });
      const stranger = zernioClient(call, apiKey);
      const body = bodies[name];
      expect(
        await stranger(filled(route, own), {
          ...(body && { body }),
          ...(name === 'getLinkedInMentions' && { query: 'url=bakery' }),
        }),
      ).toMatchObject({
        status: 404,
        body: { type: 'not_found' },
      });
    },
  );
});

it('the audit log has changes and refusals, under the names of Herald', async () => {
  const reader = await keyWith({ permissions: ['read'] });
  await reader('DELETE /v1/webhooks/settings', { query: `id=${own.webhookId}` });
  await ask('DELETE /v1/webhooks/settings', { query: `id=${own.webhookId}` });
  const entries = await queryAll(table, { partition: auditPartition(workspaceId) });
  const ofWebhook = entries.filter((entry) => entry['verb'] === 'webhook.delete');
  expect(ofWebhook.map((entry) => entry['outcome']).sort()).toEqual(['done', 'refused']);
  const { logs } = (await ask('GET /v1/logs', { query: 'action=webhook.delete' })).body as { logs: object[] };
  expect(logs).toMatchObject([{ status: 'success' }, { status: 'failed' }]);
});

it('a key over its limit is refused with the type of Zernio, and told when to come back', async () => {
  const slow = await openApi({ keyRatePerMinute: 2 });
  const { apiKey } = await openWorkspace(slow.table, { now: Date.now() });
  const limited = zernioClient(slow.call, apiKey);
  const answers = [];
  for (let sent = 0; sent < 5; sent += 1) answers.push(await limited('GET /v1/accounts'));
  const refused = answers.find(({ status }) => status === 429);
  expect(refused).toMatchObject({ body: { type: 'rate_limit_error', code: 'rate_limited' } });
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
  expect(answers[0]?.status).toBe(200);
});

it('a request counts once, whatever it calls', async () => {
  const remaining = async (route: string) => Number((await ask(route)).headers['x-ratelimit-remaining']);
  const before = await remaining('GET /v1/webhooks/logs');
  expect(await remaining('GET /v1/webhooks/logs')).toBe(before - 1);
});
