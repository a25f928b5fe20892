import { randomUUID } from 'node:crypto';
import { boardIdOf } from '@herald/platform-simulators/pinterest/state.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { verbs } from '../../../lib/access/verbs.ts';
import type { Vault } from '../../../lib/accounts/vault.ts';
import type { Context } from '../../../lib/api-contract/context.ts';
import { hasWarnings } from '../../../lib/api-contract/operation.ts';
import { auditDays } from '../../../lib/audit/schemas.ts';
import { sealCandidates } from '../../../lib/connections/candidates.ts';
import { saveAccounts } from '../../../lib/connections/save-accounts.ts';
import {
  holdForClaim,
  insertConnection,
  offerCandidates,
  takeConnection,
} from '../../../lib/connections/store.ts';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId, sha256 } from '../../../lib/kernel/ids.ts';
import { operations } from '../../../lib/operations.ts';
import type { CallRecord } from '../../../lib/platforms/contract/last-call.ts';
import { present } from '../../../lib/table/condition.ts';
import { getItem, updateItem } from '../../../lib/table/items.ts';
import { auditPartition, connectionKey, keyDigestKey, workspaceKey } from '../../../lib/table/keys.ts';
import { queryAll } from '../../../lib/table/query.ts';
import type { Table } from '../../../lib/table/table.ts';
import { claimLivePost } from '../../../lib/targets/live-posts.ts';
import type { Target } from '../../../lib/targets/schemas.ts';
import { apiKeyDigest } from '../../../lib/workspaces/api-key.ts';
import { Workspace } from '../../../lib/workspaces/schemas.ts';
import { openFixture as openPlatform, type Fixture as PlatformFixture } from '../../contract/fixture.ts';
import { login, rowOf } from '../../contract/rows.ts';
import { type Answer, type Call, openApi, type RequestParts } from '../../support/api.ts';
import { auditLogOf } from '../../support/audit-log.ts';
import { storeAutomation } from '../../support/automations.ts';
import { openWorkspace, startMs, storeAccount, storeMedia, storePost } from '../../support/builders.ts';
import { type FixtureServer, serveFixtures } from '../../support/fixture-server.ts';
import { storeLimitedKey } from '../../support/limited-key.ts';
import { smallJpeg } from '../../support/small-jpeg.ts';
import type { TableUse } from '../../support/table-use.ts';
import { storeSnippet, storeTags } from '../../support/tags.ts';
import { storeDelivery, storeRecordedEvent, storeWebhook } from '../../support/webhooks.ts';

/** An upload in parts, as the bucket of `openApi` has it. */
const inOnePart = { parts: { uploadId: 'upload', partBytes: 8 * 1024 ** 2, sizeBytes: 1_000 } };

let fixtures: FixtureServer;
let pinterest: PlatformFixture;
let table: Table;
let call: Call;
let vault: Vault;
/** The requests to the table that wrote to an audit log, since a test has emptied this. */
const auditWrites: { operation: string; uses: readonly TableUse[] }[] = [];
beforeAll(async () => {
  fixtures = await serveFixtures();
  pinterest = await openPlatform(rowOf('pinterest'), fixtures);
  const toolsFor = async () => pinterest.tools;
  const onUse = (operation: string, uses: readonly TableUse[]) => {
    const writes = uses.some(({ action, partitionKey }) => action === 'PutItem' && isAudit(partitionKey));
    if (writes) auditWrites.push({ operation, uses });
  };
  ({ table, call, vault } = await openApi({ toolsFor, onUse }));
});
afterAll(async () => {
  await pinterest.close();
  await fixtures.close();
});

const isAudit = (partitionKey: string) => partitionKey.startsWith('AUDIT#');
const inAnHour = () => toTimestamp(Date.now() + hourMs);
const webhookUrl = 'https://93.184.216.34/hooks';

/** A workspace in which operations can succeed. */
interface Tenant {
  readonly workspaceId: string;
  readonly apiKey: string;
  readonly keyId: string;
  readonly accountId: string;
}

async function openTenant(): Promise<Tenant> {
  const { apiKey, context } = await openWorkspace(table, { now: Date.now() });
  const { workspaceId, actor } = context;
  const { id: accountId } = await storeAccount(table, workspaceId);
  return { workspaceId, apiKey, keyId: actor.id, accountId };
}

/** A request that changes something, and the id that the log must name. */
interface Change {
  readonly request: RequestParts;
  readonly status: number;
  /** Absent: the id of the only object in the response. */
  readonly subjectId?: string | ((answer: Answer) => string);
}

interface Row {
  /** Prepares what the request needs. */
  readonly change: (tenant: Tenant) => Promise<Change>;
  /** Requests that are refused with these statuses. */
  readonly refusals: readonly (readonly [status: number, request: RequestParts])[];
}

const unknown = { path: { id: newId(0), deliveryId: newId(0), boardId: '1', state: 'unknown' } };
const notFound = (body?: object) => [404, { ...unknown, ...(body && { body }) }] as const;
const idOf = (noun: string) => (answer: Answer) => (answer.body[noun] as { id: string }).id;

async function connectPinterest(workspaceId: string): Promise<string> {
  const ports = {
    table,
    vault,
    now: Date.now(),
    authorizationFor: () => pinterest.authorization,
    toolsFor: async () => pinterest.tools,
  };
  const [account] =
    (await saveAccounts(ports, { workspaceId, platform: 'pinterest' }, [pinterest.account])) ?? [];
  if (!account) throw new Error('the account was not stored');
  return account.id;
}

/** Stores an attempt whose user has confirmed, so that it can be claimed with the code `code`. */
async function storeClaimable(workspaceId: string): Promise<string> {
  const state = randomUUID();
  const expiresAt = inAnHour();
  const candidates = await sealCandidates(vault, { workspaceId, state }, [pinterest.account]);
  if (candidates === undefined) throw new Error('too large');
  const attempt = { workspaceId, platform: 'pinterest' as const, claim: true, redirectUrl: 'https://x.test' };
  const step = { state, platform: 'pinterest', browserSecret: 'browser', now: Date.now() };
  await insertConnection(table, state, { ...attempt, expiresAt, browserDigest: sha256('browser') });
  await takeConnection(table, step, 'w');
  await offerCandidates(table, state, 'w', { candidates, expiresAt });
  await holdForClaim(table, step, { candidates, code: 'code', expiresAt });
  return state;
}

const rows: Readonly<Record<string, Row>> = {
  createPost: {
    change: async ({ accountId }) => ({
      request: { body: { content: 'Hello', platforms: [{ accountId }], isDraft: true } },
      status: 201,
      subjectId: idOf('post'),
    }),
    refusals: [[400, { body: { content: 'Hello', platforms: [{ accountId: newId(0) }] } }]],
  },
  createPosts: {
    change: async ({ accountId }) => ({
      request: { body: { posts: [{ content: 'Hello', platforms: [{ accountId }], isDraft: true }] } },
      status: 200,
      subjectId: ({ body }) => String((body['results'] as { postId: string }[])[0]?.postId),
    }),
    refusals: [
      [400, { body: { posts: [] } }],
      [200, { body: { posts: [{ content: 'Hello', platforms: [{ accountId: newId(0) }] }] } }],
    ],
  },
  duplicatePost: {
    change: async ({ workspaceId, accountId }) => {
      const { post } = await storePost(table, workspaceId, [{ accountId }]);
      return { request: { path: { id: post.id } }, status: 201, subjectId: idOf('post') };
    },
    refusals: [notFound()],
  },
  updatePost: {
    change: async ({ workspaceId, accountId }) => {
      const target = { accountId, scheduledFor: inAnHour(), wakeAt: inAnHour() };
      const { post } = await storePost(table, workspaceId, [target], { scheduledFor: inAnHour() });
      return {
        request: { path: { id: post.id }, body: { scheduledFor: null } },
        status: 200,
        subjectId: post.id,
      };
    },
    refusals: [notFound({ content: 'x' })],
  },
  deletePost: {
    change: async ({ workspaceId, accountId }) => {
      const { post } = await storePost(table, workspaceId, [{ accountId }]);
      return { request: { path: { id: post.id } }, status: 200, subjectId: post.id };
    },
    refusals: [notFound()],
  },
  retryPost: {
    change: async ({ workspaceId, accountId }) => {
      const { id: otherId } = await storeAccount(table, workspaceId);
      const failed = { status: 'failed', wakeAt: undefined } as const;
      const targets = [accountId, otherId].map((id) => ({ accountId: id, ...failed }));
      const { post } = await storePost(table, workspaceId, targets, { status: 'failed' });
      return { request: { path: { id: post.id } }, status: 200, subjectId: post.id };
    },
    refusals: [notFound()],
  },
  unpublishPost: {
    change: async ({ workspaceId }) => {
      const { id: accountId } = await storeAccount(table, workspaceId, { platform: 'facebook' });
      const live = { status: 'published', platformPostId: '1_2', wakeAt: undefined } as const;
      const { post } = await storePost(table, workspaceId, [{ accountId, platform: 'facebook', ...live }], {
        status: 'published',
      });
      return { request: { path: { id: post.id } }, status: 202, subjectId: post.id };
    },
    refusals: [notFound()],
  },
  resolveTarget: {
    change: async ({ workspaceId, accountId }) => {
      const [intentAt, endedAt] = [startMs - 60_000, startMs - 30_000].map(toTimestamp);
      const call = { token: {}, outcome: 'unknown', lookups: 2, misses: 2, intentAt, endedAt } as CallRecord;
      const failed: Partial<Target> = { accountId, status: 'failed', wakeAt: undefined, calls: [call] };
      const { post } = await storePost(table, workspaceId, [failed], { status: 'failed' });
      return {
        request: { path: { id: post.id, accountId }, body: { outcome: 'not live' } },
        status: 200,
        subjectId: post.id,
      };
    },
    refusals: [
      [404, { path: { id: newId(0), accountId: newId(0) }, body: { outcome: 'not live' } }],
      [400, { path: { id: newId(0), accountId: newId(0) }, body: { outcome: 'live' } }],
    ],
  },
  updateWorkspace: {
    change: async ({ workspaceId }) => ({
      request: { body: { name: 'Harbour Coffee' } },
      status: 200,
      subjectId: workspaceId,
    }),
    refusals: [[400, { body: { timezone: 'Mars' } }]],
  },
  presignMedia: {
    change: async () => ({
      request: { body: { filename: 'a.jpg', size: 1_000 } },
      status: 200,
      subjectId: ({ body }) => String(body['mediaId']),
    }),
    refusals: [[400, { body: { filename: 'a.exe' } }]],
  },
  completeMedia: {
    change: async ({ workspaceId }) => {
      const { id } = await storeMedia(table, workspaceId, { status: 'pending', ...inOnePart });
      return { request: { path: { id } }, status: 200, subjectId: id };
    },
    refusals: [notFound()],
  },
  importMedia: {
    change: async () => ({
      request: { body: { url: 'https://files.example.com/a.jpg' } },
      status: 202,
      subjectId: ({ body }) => String((body['media'] as { id: string }).id),
    }),
    refusals: [[400, { body: { url: 'https://10.0.0.1/a.jpg' } }]],
  },
  deleteMedia: {
    change: async ({ workspaceId }) => {
      const { id } = await storeMedia(table, workspaceId);
      return { request: { path: { id } }, status: 200, subjectId: id };
    },
    refusals: [notFound()],
  },
  storeMediaPreview: {
    change: async ({ workspaceId }) => {
      const { id } = await storeMedia(table, workspaceId, { filename: 'a.mp4', contentType: 'video/mp4' });
      return { request: { path: { id }, body: { data: smallJpeg } }, status: 200, subjectId: id };
    },
    refusals: [notFound({ data: smallJpeg })],
  },
  setRhythm: {
    change: async ({ accountId }) => ({
      request: { path: { id: accountId }, body: { gapMinutes: 60 } },
      status: 200,
      subjectId: accountId,
    }),
    refusals: [notFound({})],
  },
  updateAccount: {
    change: async ({ accountId }) => ({
      request: { path: { id: accountId }, body: { defaultOptions: { contentType: 'story' } } },
      status: 200,
      subjectId: accountId,
    }),
    refusals: [notFound({})],
  },
  disconnectAccount: {
    change: async ({ accountId }) => ({
      request: { path: { id: accountId } },
      status: 200,
      subjectId: accountId,
    }),
    refusals: [notFound()],
  },
  startConnection: {
    change: async () => ({
      request: { path: { platform: 'youtube' }, body: {} },
      status: 201,
      subjectId: ({ body }) => sha256(String(body['state'])),
    }),
    refusals: [[400, { path: { platform: 'youtube' }, body: { claim: true } }]],
  },
  claimConnectionAttempt: {
    change: async ({ workspaceId }) => {
      const state = await storeClaimable(workspaceId);
      return { request: { path: { state }, body: { code: 'code' } }, status: 200, subjectId: sha256(state) };
    },
    refusals: [notFound({ code: 'code' })],
  },
  updateTag: {
    change: async ({ workspaceId }) => {
      await storeTags(table, workspaceId, ['Summer']);
      return { request: { path: { name: 'summer' }, body: { name: 'Winter' } }, status: 200, subjectId: '1' };
    },
    refusals: [[404, { path: { name: 'Spring' }, body: { name: 'Winter' } }]],
  },
  deleteTag: {
    change: async ({ workspaceId }) => {
      await storeTags(table, workspaceId, ['Summer']);
      return { request: { path: { name: 'Summer' } }, status: 200, subjectId: '1' };
    },
    refusals: [[404, { path: { name: 'Spring' } }]],
  },
  createSnippet: {
    change: async () => ({
      request: { body: { kind: 'text', name: 'Hours', content: 'Open from seven.' } },
      status: 201,
      subjectId: idOf('snippet'),
    }),
    refusals: [[400, { body: { kind: 'text', name: 'Hours', content: ' ' } }]],
  },
  updateSnippet: {
    change: async ({ workspaceId }) => {
      const { id } = await storeSnippet(table, workspaceId);
      return { request: { path: { id }, body: { name: 'Closing hours' } }, status: 200, subjectId: id };
    },
    refusals: [notFound({ name: 'Closing hours' })],
  },
  deleteSnippet: {
    change: async ({ workspaceId }) => {
      const { id } = await storeSnippet(table, workspaceId);
      return { request: { path: { id } }, status: 200, subjectId: id };
    },
    refusals: [notFound()],
  },
  createBoard: {
    change: async ({ workspaceId }) => {
      const id = await connectPinterest(workspaceId);
      return { request: { path: { id }, body: { name: randomUUID() } }, status: 201, subjectId: id };
    },
    refusals: [notFound({ name: 'Boats' })],
  },
  createBoardSection: {
    change: async ({ workspaceId }) => {
      const id = await connectPinterest(workspaceId);
      const path = { id, boardId: boardIdOf(login, 'Harbour') };
      return { request: { path, body: { name: randomUUID() } }, status: 201, subjectId: id };
    },
    refusals: [notFound({ name: 'Boats' })],
  },
  createWebhook: {
    change: async () => ({
      request: { body: { url: webhookUrl, events: ['post.failed'] } },
      status: 201,
      subjectId: idOf('webhook'),
    }),
    refusals: [[400, { body: { url: 'https://10.0.0.1/', events: ['post.failed'] } }]],
  },
  updateWebhook: {
    change: async ({ workspaceId }) => {
      const { id } = await storeWebhook(table, workspaceId);
      return { request: { path: { id }, body: { url: webhookUrl } }, status: 200, subjectId: id };
    },
    refusals: [notFound({ description: 'x' })],
  },
  deleteWebhook: {
    change: async ({ workspaceId }) => {
      const { id } = await storeWebhook(table, workspaceId);
      return { request: { path: { id } }, status: 200, subjectId: id };
    },
    refusals: [notFound()],
  },
  rotateWebhookSecret: {
    change: async ({ workspaceId }) => {
      const { id } = await storeWebhook(table, workspaceId);
      return { request: { path: { id } }, status: 200, subjectId: id };
    },
    refusals: [notFound()],
  },
  testWebhook: {
    change: async ({ workspaceId }) => {
      const { id } = await storeWebhook(table, workspaceId);
      return { request: { path: { id } }, status: 202, subjectId: id };
    },
    refusals: [notFound()],
  },
  redeliverEvent: {
    change: async ({ workspaceId }) => {
      const webhook = await storeWebhook(table, workspaceId);
      const { id: deliveryId } = await storeDelivery(table, webhook, { status: 'failed' });
      return { request: { path: { id: webhook.id, deliveryId } }, status: 202, subjectId: deliveryId };
    },
    refusals: [notFound()],
  },
  redeliverFailedEvents: {
    change: async ({ workspaceId }) => {
      const webhook = await storeWebhook(table, workspaceId);
      for (let count = 0; count < 3; count += 1) await storeDelivery(table, webhook, { status: 'failed' });
      const body = { since: toTimestamp(Date.now() - hourMs) };
      return { request: { path: { id: webhook.id }, body }, status: 202, subjectId: webhook.id };
    },
    refusals: [notFound({ since: '2026-01-01T00:00:00Z' })],
  },
  replayEvents: {
    change: async ({ workspaceId }) => {
      const webhook = await storeWebhook(table, workspaceId, { createdAt: toTimestamp(Date.now() - hourMs) });
      await storeRecordedEvent(table, workspaceId);
      const body = { since: toTimestamp(Date.now() - minuteMs) };
      return { request: { path: { id: webhook.id }, body }, status: 202, subjectId: webhook.id };
    },
    refusals: [notFound({ since: '2026-01-01T00:00:00Z' })],
  },
  createCommentAutomation: {
    change: async ({ workspaceId, accountId }) => {
      const platformPostId = newId(0);
      await claimLivePost(table, {
        platform: 'instagram',
        workspaceId,
        accountId,
        platformPostId,
        postId: 'a post',
      });
      const body = { accountId, platformPostId, dmMessage: 'Hello' };
      return { request: { body }, status: 201, subjectId: idOf('automation') };
    },
    refusals: [[404, { body: { accountId: newId(0), platformPostId: '1', dmMessage: 'Hello' } }]],
  },
  updateCommentAutomation: {
    change: async ({ workspaceId, accountId }) => {
      const { id } = await storeAutomation(table, workspaceId, { accountId });
      return { request: { path: { id }, body: { isActive: false } }, status: 200, subjectId: id };
    },
    refusals: [notFound({ isActive: false })],
  },
  deleteCommentAutomation: {
    change: async ({ workspaceId }) => {
      const { id } = await storeAutomation(table, workspaceId);
      return { request: { path: { id } }, status: 200, subjectId: id };
    },
    refusals: [notFound()],
  },
};

/** Operations that change something at a platform and nothing in the table: their entry is a write of its own. */
const atThePlatform = ['createBoard', 'createBoardSection'];

const changing = operations.filter(({ verb }) => verb !== undefined && !verbs[verb].isRead);
const named = changing.map(({ id, verb = '' }) => [id, verb] as const);

it('every operation that changes something has a row here', () => {
  expect(changing.length).toBeGreaterThan(20);
  expect(changing.map(({ id }) => id).sort()).toEqual(Object.keys(rows).sort());
});

const rowFor = (id: string): Row => rows[id] as Row;

describe.each(named)('%s', (id, verb) => {
  it('appends one entry to the audit log, in the transaction of its change', async () => {
    const tenant = await openTenant();
    const { request, status, subjectId } = await rowFor(id).change(tenant);
    expect(await auditLogOf(table, tenant.workspaceId)).toEqual([]);
    auditWrites.length = 0;
    const startedMs = Date.now();
    const answer = await call(id, { ...request, apiKey: tenant.apiKey });
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    const [entry, ...others] = await auditLogOf(table, tenant.workspaceId);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actor: { kind: 'key', id: tenant.keyId },
      verb,
      subjectId: typeof subjectId === 'function' ? subjectId(answer) : subjectId,
      subjectName: expect.stringMatching(/./),
      requestId: answer.headers['x-request-id'],
      outcome: atThePlatform.includes(id) ? 'begun' : 'done',
    });
    const atMs = Date.parse(entry?.at ?? '');
    expect(atMs).toBeGreaterThanOrEqual(startedMs);
    expect(atMs).toBeLessThanOrEqual(Date.now());
    const stored = await queryAll(table, { partition: auditPartition(tenant.workspaceId) });
    const item = stored.find(({ sk }) => sk === entry?.id);
    expect(item?.['expiresAtSeconds']).toBe(Math.floor((atMs + auditDays * dayMs) / 1_000));

    expect(auditWrites).toHaveLength(1);
    const [write] = auditWrites;
    const changes = write?.uses.filter(
      ({ action, partitionKey }) => action !== 'ConditionCheckItem' && !isAudit(partitionKey),
    );
    if (atThePlatform.includes(id)) expect(changes).toEqual([]);
    else {
      expect(write?.operation).toBe('TransactWriteItems');
      expect(changes?.length).toBeGreaterThan(0);
      expect(isAudit(write?.uses.at(-1)?.partitionKey ?? '')).toBe(true);
    }
  });

  it.runIf(operations.some((op) => op.id === id && hasWarnings(op)))(
    'does the same if the request has an unknown field, and warns about it',
    async () => {
      const tenant = await openTenant();
      const { request, status } = await rowFor(id).change(tenant);
      const body = { ...(request.body as object), madeUpField: 1 };
      const answer = await call(id, { ...request, body, apiKey: tenant.apiKey });
      expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
      const message = 'is not a field of this request and is ignored';
      expect(answer.body['warnings']).toMatchObject([{ field: 'madeUpField', message }]);
    },
  );

  it('appends nothing if it is refused', async () => {
    const { workspaceId, apiKey } = await openTenant();
    for (const [status, request] of rowFor(id).refusals) {
      expect((await call(id, { ...request, apiKey })).status).toBe(status);
    }
    expect(await auditLogOf(table, workspaceId)).toEqual([]);
  });

  it('appends an entry of the refusal if the key lacks the permission', async () => {
    const { workspaceId, apiKey, keyId } = await openTenant();
    const set = { permissions: ['read'] };
    await updateItem(table, keyDigestKey(apiKeyDigest(apiKey)), { set, if: { pk: present } });
    const [, request] = rowFor(id).refusals[0] ?? [];
    const answer = await call(id, { ...request, apiKey });
    expect(answer.status).toBe(403);
    expect(await auditLogOf(table, workspaceId)).toMatchObject([
      {
        actor: { kind: 'key', id: keyId },
        verb,
        subjectId: null,
        requestId: answer.headers['x-request-id'],
        outcome: 'refused',
        note: expect.stringContaining('permission'),
        count: 1,
      },
    ]);
  });
});

describe('refusals', () => {
  const refusedTimes = async (tenant: Tenant, times: number, id = 'createPost') => {
    const set = { permissions: ['read'] };
    const { apiKey } = tenant;
    await updateItem(table, keyDigestKey(apiKeyDigest(apiKey)), { set, if: { pk: present } });
    const [, request] = rowFor(id).refusals[0] ?? [];
    const answers = [];
    for (let time = 0; time < times; time += 1) answers.push(await call(id, { ...request, apiKey }));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
    return answers;
  };

  it('of one actor and verb in one hour are one entry, which counts them', async () => {
    vi.useFakeTimers({ now: Date.parse('2026-03-01T12:10:00.250Z'), toFake: ['Date'] });
    try {
      const tenant = await openTenant();
      const [first] = await refusedTimes(tenant, 30);
      await refusedTimes(tenant, 2, 'deletePost');
      vi.setSystemTime(Date.parse('2026-03-01T12:59:59.999Z'));
      await refusedTimes(tenant, 1);
      vi.setSystemTime(Date.parse('2026-03-01T13:00:00.000Z'));
      await refusedTimes(tenant, 1);
      const log = await auditLogOf(table, tenant.workspaceId);
      expect(log.map(({ verb, at, count, lastAt }) => [verb, at, count, lastAt]).sort()).toEqual([
        ['post.create', '2026-03-01T12:00:00.000Z', 31, '2026-03-01T12:59:59.999Z'],
        ['post.create', '2026-03-01T13:00:00.000Z', 1, '2026-03-01T13:00:00.000Z'],
        ['post.delete', '2026-03-01T12:00:00.000Z', 2, '2026-03-01T12:10:00.250Z'],
      ]);
      expect(log.find(({ count }) => count === 31)?.requestId).toBe(first?.headers['x-request-id']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('of different actors are different entries', async () => {
    const tenant = await openTenant();
    await refusedTimes(tenant, 2);
    const { apiKey } = await storeLimitedKey(
      { table, workspaceId: tenant.workspaceId, cursorSecret: 'x' } as Context,
      [newId(0)],
    );
    await refusedTimes({ ...tenant, apiKey }, 3);
    const log = await auditLogOf(table, tenant.workspaceId);
    expect(log.map(({ count }) => count).sort()).toEqual([2, 3]);
  });
});

it('an entry keeps the name that the thing had before', async () => {
  const { workspaceId, apiKey } = await openTenant();
  const { name } = Workspace.parse(await getItem(table, workspaceKey(workspaceId)));
  await call('updateWorkspace', { apiKey, body: { name: 'Another name' } });
  const { id } = await storeWebhook(table, workspaceId);
  const secretPath = { url: `${webhookUrl}/T0/B0/secret?token=secret`, description: null };
  await call('updateWebhook', { apiKey, path: { id }, body: secretPath });
  await call('deleteWebhook', { apiKey, path: { id } });
  const created = await call('createPost', {
    apiKey,
    body: { content: `First line\nsecond ${'x'.repeat(100)}`, platforms: [], isDraft: true },
  });
  await call('deletePost', { apiKey, path: { id: idOf('post')(created) } });
  const log = await auditLogOf(table, workspaceId);
  expect(log[0]).toMatchObject({ verb: 'workspace.edit', subjectName: name });
  expect(log.find(({ verb }) => verb === 'webhook.delete')).toMatchObject({ subjectName: '93.184.216.34' });
  const deleted = log.find(({ verb }) => verb === 'post.delete');
  expect(deleted?.subjectName).toMatch(/^First line second x+…$/);
  expect(deleted?.subjectName).toHaveLength(80);
});

describe('a request that changes nothing appends nothing', () => {
  it('a repeated request to create a post, and to create an automation', async () => {
    const { workspaceId, apiKey, accountId } = await openTenant();
    const platformPostId = newId(0);
    await claimLivePost(table, {
      platform: 'instagram',
      workspaceId,
      accountId,
      platformPostId,
      postId: 'a post',
    });
    const post = { content: 'Hello', platforms: [{ accountId }], isDraft: true, idempotencyKey: 'once' };
    const automation = { accountId, platformPostId, dmMessage: 'Hello' };
    for (let tries = 0; tries < 2; tries += 1) {
      await call('createPost', { apiKey, body: post });
      await call('createCommentAutomation', { apiKey, body: automation });
    }
    const log = await auditLogOf(table, workspaceId);
    expect(log.map(({ verb }) => verb)).toEqual(['post.create', 'automation.create']);
  });

  it('an edit without fields, and a second claim', async () => {
    const { workspaceId, apiKey } = await openTenant();
    const { id } = await storeWebhook(table, workspaceId);
    const state = await storeClaimable(workspaceId);
    expect((await call('updateWebhook', { apiKey, path: { id }, body: {} })).status).toBe(200);
    const claim = { apiKey, path: { state }, body: { code: 'code' } };
    expect((await call('claimConnectionAttempt', claim)).status).toBe(200);
    expect((await call('claimConnectionAttempt', claim)).status).toBe(200);
    expect(await auditLogOf(table, workspaceId)).toHaveLength(1);
  });

  it('the losers of several requests that delete or retry the same at the same time', async () => {
    const { workspaceId, apiKey, accountId } = await openTenant();
    const webhook = await storeWebhook(table, workspaceId);
    const failed = { accountId, status: 'failed', wakeAt: undefined } as const;
    const { post } = await storePost(table, workspaceId, [failed], { status: 'failed' });
    const ask = (id: string, subject: string) => call(id, { apiKey, path: { id: subject } });
    const answers = await Promise.all([
      ...[1, 2, 3].map(() => ask('deleteWebhook', webhook.id)),
      ...[1, 2, 3].map(() => ask('retryPost', post.id)),
    ]);
    const count = answers.filter(({ status }) => status === 200).length;
    expect(count).toBe(2);
    const log = await auditLogOf(table, workspaceId);
    expect(log.map(({ verb }) => verb).sort()).toEqual(['post.retry', 'webhook.delete']);
  });
});

it('an entry of a login names the accounts that it connected', async () => {
  const { workspaceId, apiKey } = await openTenant();
  const state = await storeClaimable(workspaceId);
  await call('claimConnectionAttempt', { apiKey, path: { state }, body: { code: 'code' } });
  const [attempt] = await queryAll(table, { partition: connectionKey(sha256(state)).pk });
  const [entry] = await auditLogOf(table, workspaceId);
  expect(entry?.accountIds).toHaveLength(1);
  expect(entry?.accountIds).toEqual(attempt?.['accountIds']);
});
