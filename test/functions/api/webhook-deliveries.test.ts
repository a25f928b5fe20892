import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { batchPut } from '../../../lib/table/batch-write.ts';
import type { Table } from '../../../lib/table/table.ts';
import {
  deliveryItem,
  findDelivery,
  newDelivery,
  recordAttempt,
} from '../../../lib/webhooks/deliveries/store.ts';
import { eventBody } from '../../../lib/webhooks/events/store.ts';
import type { Delivery, Webhook } from '../../../lib/webhooks/schemas.ts';
import { type Answer, type Call, openApi } from '../../support/api.ts';
import { openWorkspace } from '../../support/builders.ts';
import type { SentMessage } from '../../support/fake-queues.ts';
import { findEvent, storeDelivery, storeWebhook } from '../../support/webhooks.ts';

let table: Table;
let call: Call;
let sent: SentMessage[];
beforeAll(async () => {
  ({ table, call, sent } = await openApi());
});
beforeEach(() => {
  sent.length = 0;
});

interface Fixture {
  readonly webhook: Webhook;
  readonly workspaceId: string;
  /** Sends a request to one of the endpoint's operations. */
  readonly ask: (operation: string, parts?: AskParts) => Promise<Answer>;
}

interface AskParts {
  readonly deliveryId?: string;
  readonly query?: string;
  readonly body?: object;
}

async function openFixture(changes: Partial<Webhook> = {}): Promise<Fixture> {
  const { apiKey, context } = await openWorkspace(table);
  const webhook = await storeWebhook(table, context.workspaceId, changes);
  return {
    webhook,
    workspaceId: context.workspaceId,
    ask: (operation, { deliveryId, ...parts } = {}) =>
      call(operation, { apiKey, path: { id: webhook.id, ...(deliveryId && { deliveryId }) }, ...parts }),
  };
}

type Shown = Record<string, unknown> & { id: string };
const deliveryIn = ({ body }: Answer) => body['delivery'] as Shown;
const deliveriesIn = ({ body }: Answer) => body['deliveries'] as Shown[];

const failedAttempt = {
  at: '2026-03-01T12:00:00.000Z',
  statusCode: 503,
  latencyMs: 21,
  responseStart: 'no',
  error: 'answered 503',
};

async function fail(delivery: Delivery): Promise<Delivery> {
  const failed = await recordAttempt(table, delivery, failedAttempt, { status: 'failed' });
  if (!failed) throw new Error('the attempt was not recorded');
  return failed;
}

describe('the test event', () => {
  it('is delivered whatever events the endpoint subscribes to', async () => {
    const { ask, webhook, workspaceId } = await openFixture({ events: ['dm.received'] });
    const answer = await ask('testWebhook');
    expect(answer.status).toBe(202);
    const shown = deliveryIn(answer);
    expect(shown).toEqual({
      id: expect.any(String),
      webhookId: webhook.id,
      eventId: expect.any(String),
      type: 'webhook.test',
      status: 'pending',
      createdAt: expect.any(String),
      attempts: [],
      nextAttemptAt: shown['createdAt'],
    });
    const event = await findEvent(table, workspaceId, String(shown['eventId']));
    expect(event && JSON.parse(eventBody(event).toString())).toEqual({
      id: shown['eventId'],
      type: 'webhook.test',
      createdAt: shown['createdAt'],
      data: { webhookId: webhook.id },
    });
    const { id: deliveryId, eventId } = shown;
    const message = { workspaceId, webhookId: webhook.id, deliveryId, attemptNumber: 1, eventId };
    expect(sent).toEqual([
      { queueUrl: expect.stringMatching(/\/webhook$/), body: message, tenant: workspaceId },
    ]);
    expect(deliveriesIn(await ask('listWebhookDeliveries'))).toEqual([shown]);
  });

  it('is rejected while the endpoint is disabled, and the error says what to do', async () => {
    const { ask } = await openFixture({ isActive: false });
    const answer = await ask('testWebhook');
    expect([answer.status, answer.body['error']]).toEqual([409, expect.stringContaining('`isActive: true`')]);
    expect(deliveriesIn(await ask('listWebhookDeliveries'))).toEqual([]);
    expect(sent).toEqual([]);
  });
});

describe('the log of all endpoints', () => {
  /** Three endpoints; each event goes to one of them, or to two. */
  async function openThree() {
    const { apiKey, context } = await openWorkspace(table);
    const webhooks = await Promise.all([1, 2, 3].map(() => storeWebhook(table, context.workspaceId)));
    const made: Delivery[] = [];
    for (const minute of Array(30).keys()) {
      const atMs = Date.now() - (60 - minute) * minuteMs;
      const receivers = webhooks.filter((_, index) => (minute + index) % 3 === 0 || index === 2);
      for (const webhook of receivers) made.push(await storeDelivery(table, webhook, { atMs }));
    }
    const newestFirst = made
      .map(({ id }) => id)
      .sort()
      .reverse();
    const read = (query: string) => call('listDeliveries', { apiKey, query });
    const readAll = async (query: string) => {
      const pages: string[][] = [];
      for (let cursor: unknown = ''; cursor !== null; ) {
        const answer: Answer = await read(`${query}${cursor ? `&cursor=${cursor}` : ''}`);
        expect(answer.status).toBe(200);
        pages.push(deliveriesIn(answer).map(({ id }) => id));
        cursor = answer.body['nextCursor'];
      }
      return pages;
    };
    return { webhooks, made, newestFirst, read, readAll };
  }

  it.each([1, 7, 30, 500])('shows every delivery once, newest first, %i at most per page', async (limit) => {
    const { newestFirst, readAll } = await openThree();
    const pages = await readAll(`limit=${limit}`);
    expect(pages.flat()).toEqual(newestFirst);
    for (const page of pages) expect(page.length).toBeLessThanOrEqual(limit);
  });

  it('names the endpoint of each delivery, and can be read by status', async () => {
    const { made, webhooks, readAll, read } = await openThree();
    const [, , third] = made;
    if (third) await fail(third);
    expect((await readAll('status=failed&limit=5')).flat()).toEqual([third?.id]);
    const shown = deliveriesIn(await read('limit=500'));
    expect(new Set(shown.map(({ webhookId }) => webhookId))).toEqual(new Set(webhooks.map(({ id }) => id)));
  });

  it('never exceeds what a function may return, however long the receivers answer', async () => {
    const { webhooks, made, read, newestFirst } = await openThree();
    const attempts = Array.from({ length: 30 }, () => ({
      ...failedAttempt,
      responseStart: '<'.repeat(1_000),
    }));
    const fat = Array.from({ length: 25 * webhooks.length }, (_, index) => {
      const webhook = webhooks[index % webhooks.length];
      const like = made[0];
      if (!webhook || !like) throw new Error('no delivery');
      const atMs = Date.now() - index;
      const event = { ...like, id: newId(atMs), createdAt: toTimestamp(atMs) };
      const delivery = newDelivery(event, webhook.id, atMs);
      return deliveryItem({ ...delivery, attempts: [...attempts, ...attempts, ...attempts] });
    });
    await batchPut(table, fat);
    const ids: string[] = [];
    for (let cursor: unknown = ''; cursor !== null; ) {
      const answer: Answer = await read(`limit=500${cursor ? `&cursor=${cursor}` : ''}`);
      expect(Buffer.byteLength(JSON.stringify(answer.text))).toBeLessThan(6_000_000);
      ids.push(...deliveriesIn(answer).map(({ id }) => id));
      cursor = answer.body['nextCursor'];
    }
    expect(ids).toHaveLength(fat.length + newestFirst.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is empty in a workspace without endpoints, and refuses the cursor of another list', async () => {
    const { read } = await openThree();
    const { apiKey } = await openWorkspace(table);
    expect(await call('listDeliveries', { apiKey })).toMatchObject({
      status: 200,
      body: { deliveries: [], nextCursor: null },
    });
    const { body } = await read('limit=5');
    const foreign = await call('listDeliveries', { apiKey, query: `cursor=${body['nextCursor']}` });
    expect(foreign.status).toBe(400);
  });
});

describe('the delivery log', () => {
  it('shows attempts with their results, newest event first', async () => {
    const { ask, webhook } = await openFixture();
    const older = await fail(await storeDelivery(table, webhook, { atMs: Date.now() - minuteMs }));
    const newer = await storeDelivery(table, webhook);
    const shown = deliveriesIn(await ask('listWebhookDeliveries'));
    expect(shown.map(({ id }) => id)).toEqual([newer.id, older.id]);
    expect(shown[1]).toEqual({
      id: older.id,
      webhookId: webhook.id,
      eventId: older.eventId,
      type: 'post.published',
      status: 'failed',
      createdAt: older.createdAt,
      attempts: [failedAttempt],
      nextAttemptAt: null,
    });
  });

  it('can be read page by page and by status', async () => {
    const { ask, webhook } = await openFixture();
    const times = [4, 3, 2, 1].map((minutes) => Date.now() - minutes * minuteMs);
    const made: Delivery[] = [];
    for (const atMs of times) made.push(await storeDelivery(table, webhook, { atMs }));
    const [, second] = made;
    if (second) await fail(second);
    const page = async (cursor?: unknown) =>
      ask('listWebhookDeliveries', { query: `limit=3${cursor ? `&cursor=${cursor}` : ''}` });
    const first = await page();
    const rest = await page(first.body['nextCursor']);
    const ids = [...deliveriesIn(first), ...deliveriesIn(rest)].map(({ id }) => id);
    expect(ids).toEqual(made.map(({ id }) => id).reverse());
    const failed = deliveriesIn(await ask('listWebhookDeliveries', { query: 'status=failed' }));
    expect(failed.map(({ id }) => id)).toEqual([second?.id]);
  });

  it('rejects a cursor of another endpoint, status or workspace', async () => {
    const [fixture, other] = [await openFixture(), await openFixture()];
    for (let made = 0; made < 2; made += 1) await storeDelivery(table, fixture.webhook);
    const { nextCursor } = (await fixture.ask('listWebhookDeliveries', { query: 'limit=1' })).body;
    const cursor = `limit=1&cursor=${nextCursor}`;
    expect((await fixture.ask('listWebhookDeliveries', { query: cursor })).status).toBe(200);
    expect((await fixture.ask('listWebhookDeliveries', { query: `${cursor}&status=failed` })).status).toBe(
      400,
    );
    expect((await other.ask('listWebhookDeliveries', { query: cursor })).status).toBe(400);
  });

  it.each(['limit=0', 'limit=501', 'status=lost', 'cursor=x'])('rejects %s', async (query) => {
    const { ask } = await openFixture();
    expect((await ask('listWebhookDeliveries', { query })).status).toBe(400);
  });
});

describe('redelivery', () => {
  it.each(['failed', 'delivered'] as const)('restarts a %s delivery', async (status) => {
    const { ask, webhook, workspaceId } = await openFixture();
    const ended = await recordAttempt(table, await storeDelivery(table, webhook), failedAttempt, { status });
    const answer = await ask('redeliverEvent', { deliveryId: ended?.id ?? '' });
    expect(answer.status).toBe(202);
    expect(deliveryIn(answer)).toMatchObject({
      id: ended?.id,
      eventId: ended?.eventId,
      status: 'pending',
      attempts: [failedAttempt],
      nextAttemptAt: expect.any(String),
    });
    expect(sent.map(({ body }) => body)).toEqual([
      {
        workspaceId,
        webhookId: webhook.id,
        deliveryId: ended?.id,
        attemptNumber: 2,
        eventId: ended?.eventId,
      },
    ]);
    expect(ended && (await findDelivery(table, ended, Date.now()))).toMatchObject({
      status: 'pending',
      attemptNumber: 2,
      failures: 0,
    });
  });

  it('is rejected while the delivery is pending, so it happens once for two concurrent requests', async () => {
    const { ask, webhook } = await openFixture();
    const { id } = await fail(await storeDelivery(table, webhook));
    const asked = [1, 2].map(() => ask('redeliverEvent', { deliveryId: id }));
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect((await ask('redeliverEvent', { deliveryId: id })).status).toBe(409);
    expect(sent).toHaveLength(1);
  });

  it('is rejected while the endpoint is disabled', async () => {
    const { ask, webhook } = await openFixture({ isActive: false });
    const { id } = await fail(await storeDelivery(table, webhook));
    const one = await ask('redeliverEvent', { deliveryId: id });
    const all = await ask('redeliverFailedEvents', { body: { since: '2026-03-01T12:00:00Z' } });
    for (const { status, body } of [one, all]) {
      expect([status, body['error']]).toEqual([409, expect.stringContaining('`isActive: true`')]);
    }
    expect(sent).toEqual([]);
  });

  it('does not find deliveries older than 30 days', async () => {
    const { ask, webhook } = await openFixture();
    const { id } = await storeDelivery(table, webhook, { atMs: Date.now() - 30 * dayMs, status: 'failed' });
    expect((await ask('redeliverEvent', { deliveryId: id })).status).toBe(404);
  });
});

describe('redelivery of everything that failed', () => {
  const redeliverFailed = (fixture: Fixture, since: number | string, cursor?: unknown) =>
    fixture.ask('redeliverFailedEvents', {
      body: { since: typeof since === 'number' ? toTimestamp(since) : since, ...(cursor ? { cursor } : {}) },
    });

  it('restarts the failed deliveries of events since the given time', async () => {
    const fixture = await openFixture();
    const now = Date.now();
    const at = (minutes: number, status: Delivery['status']) =>
      storeDelivery(table, fixture.webhook, { atMs: now - minutes * minuteMs, status });
    await at(10, 'failed');
    const wanted = [await at(5, 'failed'), await at(3, 'failed')];
    await at(4, 'delivered');
    await at(2, 'pending');
    const answer = await redeliverFailed(fixture, now - 5 * minuteMs);
    expect([answer.status, answer.body]).toEqual([202, { redelivered: 2, nextCursor: null, warnings: [] }]);
    const ids = sent.map(({ body }) => (body as { deliveryId: string }).deliveryId);
    expect(ids).toEqual(wanted.map(({ id }) => id));
    expect((await redeliverFailed(fixture, now - 5 * minuteMs)).body['redelivered']).toBe(0);
  });

  it('restarts a thousand per request, and the rest with the cursor', async () => {
    const fixture = await openFixture();
    const since = Date.now() - minuteMs;
    await storeMany(fixture.webhook, since, 1_030);
    const first = await redeliverFailed(fixture, since);
    expect(first.body).toEqual({ redelivered: 1_000, nextCursor: expect.any(String), warnings: [] });
    const { nextCursor } = first.body;
    expect((await redeliverFailed(fixture, since + 1, nextCursor)).status).toBe(400);
    expect((await redeliverFailed(await openFixture(), since, nextCursor)).status).toBe(400);
    const rest = await redeliverFailed(fixture, since, nextCursor);
    expect(rest.body).toEqual({ redelivered: 30, nextCursor: null, warnings: [] });
    const ids = sent.map(({ body }) => (body as { deliveryId: string }).deliveryId);
    expect(new Set(ids).size).toBe(1_030);
  });

  it.each<[string, unknown]>([
    ['since', {}],
    ['since', { since: 'yesterday' }],
    ['since', { since: '2026-02-30T12:00:00Z' }],
    ['since', { since: '2026-03-01' }],
    ['since', { since: 1_772_366_400 }],
    ['cursor', { since: '2026-03-01T12:00:00Z', cursor: 'x' }],
  ])('rejects a wrong %s: %j', async (field, body) => {
    const { ask } = await openFixture();
    const answer = await ask('redeliverFailedEvents', { body: body as object });
    expect([answer.status, answer.body['error']]).toEqual([
      400,
      expect.stringMatching(new RegExp(`^${field}: `)),
    ]);
  });

  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59.999+00:00'])('accepts %s', async (since) => {
    const { status, body } = await redeliverFailed(await openFixture(), since);
    expect([status, body]).toEqual([202, { redelivered: 0, nextCursor: null, warnings: [] }]);
  });
});

/** Stores failed deliveries a millisecond apart, in few requests. */
async function storeMany({ workspaceId, id }: Webhook, fromMs: number, many: number): Promise<void> {
  const items = Array.from({ length: many }, (_, index) => {
    const atMs = fromMs + index;
    const event = {
      id: newId(atMs),
      workspaceId,
      type: 'post.published' as const,
      createdAt: toTimestamp(atMs),
      expiresAtSeconds: Math.floor((atMs + dayMs) / 1_000),
    };
    return deliveryItem({ ...newDelivery(event, id, atMs), status: 'failed', nextAttemptAt: null });
  });
  const writes: Promise<unknown>[] = [];
  for (let first = 0; first < items.length; first += 25) {
    const puts = items.slice(first, first + 25).map((Item) => ({ PutRequest: { Item } }));
    writes.push(table.client.send(new BatchWriteCommand({ RequestItems: { [table.name]: puts } })));
  }
  await Promise.all(writes);
}
