import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { ForbiddenMoveError } from '../../../../lib/kernel/life-cycle.ts';
import { deliveryShard } from '../../../../lib/table/keys.ts';
import { indexes } from '../../../../lib/table/schema.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { queryDeliveries, queryFailedDeliveries } from '../../../../lib/webhooks/deliveries/lists.ts';
import {
  findDelivery,
  newDelivery,
  postponeSweep,
  recordAttempt,
  restartDelivery,
} from '../../../../lib/webhooks/deliveries/store.ts';
import { eventBody, insertEvents, newEvent } from '../../../../lib/webhooks/events/store.ts';
import { type Delivery, type DeliveryAttempt, webhookLimits } from '../../../../lib/webhooks/schemas.ts';
import { startMs } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { findEvent, insertDelivery } from '../../../support/webhooks.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

const workspaceId = newId(startMs);

const anEvent = (atMs = startMs) =>
  newEvent({
    id: newId(atMs),
    workspaceId,
    type: 'webhook.test',
    atMs,
    data: { webhookId: 'x', text: 'ğ 🙂' },
  });

async function aDelivery({ webhookId = newId(startMs), atMs = startMs } = {}): Promise<Delivery> {
  const delivery = newDelivery(anEvent(atMs), webhookId, atMs);
  await insertDelivery(table, delivery);
  return delivery;
}

const anAttempt = (changes: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  at: toTimestamp(startMs),
  statusCode: 500,
  latencyMs: 12,
  responseStart: 'no',
  error: 'responded 500',
  ...changes,
});

const found = (delivery: Delivery) => findDelivery(table, delivery, startMs);

async function dueAt({ id }: Delivery): Promise<unknown> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: indexes.overdue.indexName,
      KeyConditionExpression: 'dueShard = :shard',
      ExpressionAttributeValues: { ':shard': deliveryShard(id) },
    }),
  );
  return Items.find(({ sk }) => sk === id)?.['dueAt'];
}

describe('an event', () => {
  it('is stored once, and keeps its first bytes', async () => {
    const event = anEvent();
    expect([...(await insertEvents(table, [event]))]).toEqual([event.id]);
    expect([...(await insertEvents(table, [newEvent({ ...event, atMs: startMs, data: 'other' })]))]).toEqual(
      [],
    );
    const stored = await findEvent(table, workspaceId, event.id);
    expect(stored && eventBody(stored).toString()).toBe(
      `{"id":"${event.id}","type":"webhook.test","createdAt":"2026-03-01T12:00:00.000Z","data":{"webhookId":"x","text":"ğ 🙂"}}`,
    );
  });

  it('expires after 30 days and is unknown to another workspace', async () => {
    const event = anEvent();
    await insertEvents(table, [event]);
    const stored = await findEvent(table, workspaceId, event.id);
    expect(stored?.expiresAtSeconds).toBe((startMs + 30 * dayMs) / 1_000);
    expect(await findEvent(table, newId(startMs), event.id)).toBeUndefined();
  });
});

describe('a delivery', () => {
  it('has the same id for the same event and endpoint, and is stored once', async () => {
    const event = anEvent();
    const [one, again] = [startMs, startMs + 5].map((now) => newDelivery(event, newId(startMs), now));
    expect(one?.id).not.toBe(again?.id);
    const webhookId = newId(startMs);
    const first = newDelivery(event, webhookId, startMs);
    expect(newDelivery(event, webhookId, startMs + 5).id).toBe(first.id);
    expect(await insertDelivery(table, first)).toBe(true);
    expect(await insertDelivery(table, newDelivery(event, webhookId, startMs + 5))).toBe(false);
    expect(await found(first)).toEqual(first);
  });

  it('is found as due while it is pending, and not after it has ended', async () => {
    const delivery = await aDelivery();
    expect(await dueAt(delivery)).toBe(toTimestamp(startMs));
    const next = { status: 'pending', nextAttemptMs: startMs + 5_000 } as const;
    const retried = await recordAttempt(table, delivery, anAttempt(), next);
    expect(retried).toMatchObject({
      attemptNumber: 2,
      failures: 1,
      nextAttemptAt: toTimestamp(startMs + 5_000),
    });
    expect(await dueAt(delivery)).toBe(toTimestamp(startMs + 5_000));
    const ended = retried && (await recordAttempt(table, retried, anAttempt(), { status: 'delivered' }));
    expect(ended).toMatchObject({ status: 'delivered', attemptNumber: 2, nextAttemptAt: null });
    expect(await dueAt(delivery)).toBeUndefined();
    expect(await found(delivery)).toEqual(ended);
  });

  it('records one of two concurrent outcomes of the same attempt', async () => {
    const delivery = await aDelivery();
    const outcomes = await Promise.all([
      recordAttempt(table, delivery, anAttempt({ latencyMs: 1 }), { status: 'delivered' }),
      recordAttempt(table, delivery, anAttempt({ latencyMs: 2 }), { status: 'failed' }),
    ]);
    const [written, ...more] = outcomes.filter((outcome) => outcome !== undefined);
    expect(more).toEqual([]);
    expect(await found(delivery)).toEqual(written);
    expect(written?.attempts).toHaveLength(1);
  });

  it('keeps its newest attempts', async () => {
    let delivery = await aDelivery();
    for (let attempt = 1; attempt <= webhookLimits.keptAttempts + 2; attempt += 1) {
      const next = { status: 'pending', nextAttemptMs: startMs } as const;
      const after = await recordAttempt(table, delivery, anAttempt({ latencyMs: attempt }), next);
      if (!after) throw new Error('the attempt was not recorded');
      delivery = after;
    }
    expect(delivery.attempts).toHaveLength(webhookLimits.keptAttempts);
    expect(delivery.attempts.at(0)?.latencyMs).toBe(3);
    expect(delivery.attempts.at(-1)?.latencyMs).toBe(32);
  });

  it('is restarted by only one of two concurrent requests, and only after it has ended', async () => {
    const delivery = await aDelivery();
    expect(await restartDelivery(table, { ...delivery, status: 'failed' }, startMs)).toBeUndefined();
    const failed = await recordAttempt(table, delivery, anAttempt(), { status: 'failed' });
    if (!failed) throw new Error('the attempt was not recorded');
    const asked = [restartDelivery(table, failed, startMs + 9), restartDelivery(table, failed, startMs + 9)];
    const begun = (await Promise.all(asked)).filter((outcome) => outcome !== undefined);
    expect(begun).toEqual([
      {
        ...failed,
        status: 'pending',
        failures: 0,
        attemptNumber: 2,
        nextAttemptAt: toTimestamp(startMs + 9),
      },
    ]);
    expect(await dueAt(delivery)).toBe(toTimestamp(startMs + 9));
  });

  it('moves to a later time in the index only while it is pending', async () => {
    const delivery = await aDelivery();
    expect(await postponeSweep(table, delivery, startMs + 60_000)).toBe(true);
    expect(await dueAt(delivery)).toBe(toTimestamp(startMs + 60_000));
    expect((await found(delivery))?.nextAttemptAt).toBe(toTimestamp(startMs));
    await recordAttempt(table, delivery, anAttempt(), { status: 'delivered' });
    expect(await postponeSweep(table, delivery, startMs + 60_000)).toBe(false);
    expect(await dueAt(delivery)).toBeUndefined();
  });

  it.each([
    ['delivered', 'failed'],
    ['failed', 'delivered'],
  ] as const)(
    'that is %s cannot become %s: the move is rejected and nothing is written',
    async (from, to) => {
      const ended = await recordAttempt(table, await aDelivery(), anAttempt(), { status: from });
      if (!ended) throw new Error('the attempt was not recorded');
      const plant = recordAttempt(table, ended, anAttempt(), { status: to });
      await expect(plant).rejects.toThrow(ForbiddenMoveError);
      expect(await found(ended)).toEqual(ended);
    },
  );

  it('that does not exist is not created by an update', async () => {
    const unknown = newDelivery(anEvent(), newId(startMs), startMs);
    expect(await recordAttempt(table, unknown, anAttempt(), { status: 'delivered' })).toBeUndefined();
    expect(await postponeSweep(table, unknown, startMs)).toBe(false);
    expect(await found(unknown)).toBeUndefined();
  });
});

describe('the deliveries of an endpoint', () => {
  it('are listed newest first, page by page, without expired ones', async () => {
    const webhookId = newId(startMs);
    const ages = [0, 1, 2, 40].map((days) => startMs - days * dayMs);
    const made: Delivery[] = [];
    for (const atMs of ages) made.push(await aDelivery({ webhookId, atMs }));
    await aDelivery();
    const endpoint = { workspaceId, webhookId };
    const first = await queryDeliveries(table, endpoint, { limit: 2, now: startMs });
    const after = { limit: 5, afterDeliveryId: first.lastDeliveryId, now: startMs };
    const second = await queryDeliveries(table, endpoint, after);
    expect([...first.deliveries, ...second.deliveries]).toEqual(made.slice(0, 3));
    expect(second.lastDeliveryId).toBeUndefined();
  });

  it('that failed since a time are listed oldest first', async () => {
    const webhookId = newId(startMs);
    const times = [-2, -1, 0, 1, 2].map((offset) => startMs + offset);
    for (const atMs of times) {
      const delivery = await aDelivery({ webhookId, atMs });
      const status = atMs === startMs + 1 ? 'delivered' : 'failed';
      await recordAttempt(table, delivery, anAttempt(), { status });
    }
    const since = { sinceMs: startMs, now: startMs };
    const { deliveries } = await queryFailedDeliveries(table, { workspaceId, webhookId }, since);
    expect(deliveries.map(({ createdAt }) => Date.parse(createdAt))).toEqual([startMs, startMs + 2]);
  });
});
