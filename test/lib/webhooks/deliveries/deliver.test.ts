import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, hourMs, minuteMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { retryGapsMs } from '../../../../lib/webhooks/deliveries/retry-schedule.ts';
import { messageOf, restartDelivery } from '../../../../lib/webhooks/deliveries/store.ts';
import type { Webhook } from '../../../../lib/webhooks/schemas.ts';
import { startMs } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import {
  anEventDraft,
  answered,
  Crash,
  createFixture,
  type Fixture,
  type Receiver,
  timedOut,
} from '../fixture.ts';

let table: Table;
let fixture: Fixture;
beforeEach(async () => {
  table = await createTestTable();
  fixture = createFixture(table);
});

/** Creates an endpoint with one event whose delivery is pending. */
async function openDelivery(receive?: Receiver, changes?: Partial<Webhook>) {
  const workspaceId = newId(startMs);
  const endpoint = await fixture.endpoint(workspaceId, changes, receive);
  const draft = anEventDraft(workspaceId);
  await fixture.announce([draft]);
  return {
    workspaceId,
    endpoint,
    draft,
    delivery: async () => {
      const [delivery] = await fixture.deliveries(endpoint);
      if (!delivery) throw new Error('the delivery is gone');
      return delivery;
    },
    endpointNow: async () => {
      const now = await fixture.endpointNow(endpoint);
      if (!now) throw new Error('the endpoint is gone');
      return now;
    },
  };
}

describe('an attempt', () => {
  it('succeeds on a 2xx response and leaves nothing to do', async () => {
    const { delivery, endpoint } = await openDelivery(() => answered(204));
    expect(await fixture.work()).toEqual(['delivered']);
    expect(await delivery()).toMatchObject({
      status: 'delivered',
      nextAttemptAt: null,
      attempts: [{ at: toTimestamp(startMs), statusCode: 204, latencyMs: 10, error: null }],
    });
    fixture.clock.advance(dayMs);
    expect(await fixture.sweep()).toBe(0);
    expect(await fixture.endpointNow(endpoint)).toMatchObject({ isActive: true, version: 1 });
  });

  it('of each message in a batch runs concurrently, so a slow one does not delay the others', async () => {
    const workspaceId = newId(startMs);
    let release = () => {};
    const slow = new Promise<void>((resolve) => {
      release = resolve;
    });
    await fixture.endpoint(workspaceId, {}, async () => {
      if (fixture.posted.length === 1) await slow;
      if (fixture.posted.length === 10) release();
      return answered(200);
    });
    await fixture.announce(Array.from({ length: 10 }, () => anEventDraft(workspaceId)));
    expect(await fixture.work()).toEqual(Array(10).fill('delivered'));
  });

  it('is repeated over about two days, then the delivery fails', async () => {
    const { delivery, endpoint } = await openDelivery(() => answered(500));
    const outcomes = await fixture.work();
    for (let next: string[] | undefined = []; next; next = await fixture.nextAttempt(endpoint))
      outcomes.push(...next);
    expect(outcomes).toEqual([...Array(10).fill('retry scheduled'), 'failed']);
    const at = fixture.posted.map((request) => request.atMs);
    for (const [index, gapMs] of retryGapsMs.entries()) {
      const waitedMs = (at[index + 1] ?? 0) - (at[index] ?? 0);
      expect(waitedMs).toBeGreaterThanOrEqual(gapMs);
      // The sweep ends long waits. It runs every minute and has a grace of one minute.
      expect(waitedMs).toBeLessThan(gapMs + 2 * minuteMs + 5_000);
    }
    expect(await delivery()).toMatchObject({ status: 'failed', failures: 11, nextAttemptAt: null });
    expect((await delivery()).attempts).toHaveLength(11);
    fixture.clock.advance(2 * dayMs);
    expect(await fixture.sweep()).toBe(0);
  });

  it('sends the same bytes with the same ids each time', async () => {
    const { draft, endpoint, delivery } = await openDelivery(({ attempt }) =>
      answered(attempt < 4 ? 503 : 200),
    );
    await fixture.work();
    while (await fixture.nextAttempt(endpoint)) {}
    expect(fixture.posted).toHaveLength(4);
    const { id } = await delivery();
    for (const { body, eventId, deliveryId } of fixture.posted) {
      expect(Buffer.from(body)).toEqual(Buffer.from(fixture.posted[0]?.body ?? []));
      expect({ eventId, deliveryId }).toEqual({ eventId: draft.id, deliveryId: id });
    }
  });

  it('waits as long as `Retry-After` asks', async () => {
    const { delivery } = await openDelivery(() => answered(429, { retryAfterSeconds: 3 * 3_600 }));
    await fixture.work();
    expect((await delivery()).nextAttemptAt).toBe(toTimestamp(startMs + 3 * hourMs));
    fixture.clock.advance(2 * hourMs);
    expect([await fixture.sweep(), await fixture.work()]).toEqual([0, []]);
  });

  it('after a redelivery starts a new round and keeps the log', async () => {
    const { delivery, endpoint } = await openDelivery(({ attempt }) => answered(attempt < 12 ? 500 : 200));
    await fixture.work();
    while (await fixture.nextAttempt(endpoint)) {}
    expect((await delivery()).status).toBe('failed');
    const again = await restartDelivery(table, await delivery(), fixture.clock.now());
    expect(again).toMatchObject({ status: 'pending', attemptNumber: 12, failures: 0 });
    fixture.clock.advance(minuteMs + 1_000);
    await fixture.sweep();
    expect(await fixture.work()).toEqual(['delivered']);
    expect((await delivery()).attempts).toHaveLength(12);
  });
});

describe('a worker that crashes', () => {
  const answers: Record<string, Receiver> = {
    responds: () => answered(200),
    'fails twice': ({ attempt }) => (attempt < 3 ? answered(500) : answered(200)),
    'times out twice': ({ attempt }) => (attempt < 3 ? timedOut : answered(200)),
  };
  it.each(Object.entries(answers))(
    'before any step of an attempt loses nothing: the receiver %s',
    async (_what, receive) => {
      for (let step = 1, survived = false; !survived; step += 1) {
        const { delivery, endpoint, draft } = await openDelivery(receive);
        const crash = new Crash(step);
        const { ports } = fixture;
        await fixture
          .workBatch({
            ...ports,
            table: crash.table(table),
            send: async (request) => {
              crash.step();
              return ports.send(request);
            },
            enqueue: async (...message) => {
              crash.step();
              return ports.enqueue(...message);
            },
          })
          .catch(() => undefined);
        survived = !crash.isDead;
        for (let rounds = 0; (await delivery()).status === 'pending' && rounds < 10; rounds += 1) {
          fixture.clock.advance(3 * minuteMs + 1_000);
          await fixture.work();
        }
        expect(await delivery()).toMatchObject({
          status: 'delivered',
          eventId: draft.id,
          webhookId: endpoint.id,
        });
        expect(new Set(fixture.posted.map(({ eventId }) => eventId)).size).toBe(step);
      }
    },
  );

  it('between its write and the next message has that message sent by the redelivered one', async () => {
    const { delivery } = await openDelivery(() => answered(500));
    const { ports } = fixture;
    await fixture.workBatch({
      ...ports,
      enqueue: async () => {
        throw new Error('dead');
      },
    });
    expect(await delivery()).toMatchObject({ attemptNumber: 2, status: 'pending' });
    expect(fixture.counts()).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
    fixture.clock.advance(180_000);
    expect(await fixture.workBatch()).toEqual([{ status: 'fulfilled', value: 'message resent' }]);
    expect(fixture.counts().visible).toBe(1);
  });

  it('is not assumed for a duplicate message, so messages do not multiply', async () => {
    const { delivery, draft } = await openDelivery(() => answered(500));
    await fixture.announce([draft]);
    await fixture.workBatch();
    expect(fixture.posted).toHaveLength(1);
    expect(await delivery()).toMatchObject({ attemptNumber: 2 });
    expect(fixture.counts()).toEqual({ visible: 0, inFlight: 0, delayed: 1 });
  });

  it('is not assumed for a duplicate message that comes after the attempt', async () => {
    const { delivery } = await openDelivery(() => answered(500));
    const first = messageOf(await delivery());
    await fixture.workBatch();
    await fixture.ports.enqueue('main', first, 0);
    expect(await fixture.workBatch()).toEqual([{ status: 'fulfilled', value: 'dropped' }]);
    expect(fixture.counts()).toEqual({ visible: 0, inFlight: 0, delayed: 1 });
  });

  it('on one delivery of a batch does not affect the others', async () => {
    const { workspaceId, endpoint: broken } = await openDelivery();
    const whole = await fixture.endpoint(workspaceId);
    await fixture.announce([anEventDraft(workspaceId, { atMs: startMs + 1 })]);
    const { ports } = fixture;
    const outcomes = await fixture.workBatch({
      ...ports,
      openSecret: async (endpoint, sealed) => {
        if (endpoint.id === broken.id) throw new Error('cannot be opened');
        return ports.openSecret(endpoint, sealed);
      },
    });
    expect(outcomes?.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(fixture.posted.map(({ webhookId }) => webhookId)).toEqual([whole.id]);
    fixture.clock.advance(180_000);
    expect(await fixture.work()).toEqual(['delivered', 'delivered']);
  });
});

describe('an endpoint', () => {
  it('is failing from the first failure to the next success', async () => {
    const { endpoint, endpointNow } = await openDelivery(({ attempt }) => answered(attempt < 3 ? 500 : 200));
    await fixture.work();
    expect(await endpointNow()).toMatchObject({
      isActive: true,
      failingSince: toTimestamp(startMs),
      statusMessage: 'the receiver responded 500',
    });
    await fixture.nextAttempt(endpoint);
    expect((await endpointNow()).failingSince).toBe(toTimestamp(startMs));
    await fixture.nextAttempt(endpoint);
    expect(await endpointNow()).toMatchObject({ statusMessage: null, isActive: true, version: 1 });
    expect((await endpointNow()).failingSince).toBeUndefined();
  });

  it('is disabled by a 410 response, and its pending deliveries fail with the reason', async () => {
    const { delivery, endpoint, endpointNow, workspaceId } = await openDelivery(() => answered(500));
    await fixture.work();
    fixture.receivers.set(endpoint.id, () => answered(410));
    await fixture.announce([anEventDraft(workspaceId, { atMs: startMs + 1 })]);
    expect(await fixture.work()).toEqual(['failed']);
    expect(await endpointNow()).toMatchObject({
      isActive: false,
      statusMessage: expect.stringContaining('410'),
    });
    expect(await fixture.nextAttempt(endpoint)).toEqual(['failed']);
    expect(await delivery()).toMatchObject({
      status: 'failed',
      nextAttemptAt: null,
      attempts: [{ statusCode: 500 }, { statusCode: null, error: expect.stringContaining('disabled') }],
    });
    expect(fixture.posted).toHaveLength(2);
    await fixture.announce([anEventDraft(workspaceId)]);
    expect(await fixture.work()).toEqual([]);
  });

  it('is disabled at the first failure after five days of failures, and not before', async () => {
    const { endpoint, endpointNow, workspaceId } = await openDelivery(() => timedOut);
    await fixture.work();
    const eventAfter = async (waitMs: number) => {
      fixture.clock.advance(waitMs);
      await fixture.announce([anEventDraft(workspaceId, { atMs: fixture.clock.now() })]);
      await fixture.work();
      return (await fixture.endpointNow(endpoint))?.isActive;
    };
    expect(await eventAfter(4 * dayMs)).toBe(true);
    expect(await eventAfter(dayMs - 1_000)).toBe(true);
    expect(await eventAfter(1_000)).toBe(false);
    expect(await endpointNow()).toMatchObject({
      statusMessage: 'disabled: every attempt has failed for 5 days; last error: no response within 10 s',
    });
  });

  it('starts its five days again after a success', async () => {
    const { endpoint, endpointNow, workspaceId } = await openDelivery(() => answered(500));
    await fixture.work();
    for (const [waitMs, status] of [
      [3 * dayMs, 200],
      [dayMs, 500],
      [3 * dayMs, 500],
    ] as const) {
      fixture.receivers.set(endpoint.id, () => answered(status));
      fixture.clock.advance(waitMs);
      await fixture.announce([anEventDraft(workspaceId, { atMs: fixture.clock.now() })]);
      await fixture.work();
    }
    expect(await endpointNow()).toMatchObject({
      isActive: true,
      failingSince: toTimestamp(startMs + 4 * dayMs),
    });
  });

  it('is not disabled by a response to its old URL if the owner changes it during the attempt', async () => {
    const workspaceId = newId(startMs);
    const endpoint = await fixture.endpoint(workspaceId, {}, async () => {
      await fixture.endpoint(workspaceId, { ...endpoint, url: 'https://new.example.com/', version: 2 });
      return answered(410);
    });
    await fixture.announce([anEventDraft(workspaceId)]);
    expect(await fixture.work()).toEqual(['retry scheduled']);
    expect(await fixture.endpointNow(endpoint)).toMatchObject({
      isActive: true,
      version: 2,
      statusMessage: null,
    });
  });

  it('receives its pending deliveries after it is turned on again', async () => {
    const { endpoint, delivery } = await openDelivery(() => answered(500));
    await fixture.work();
    await fixture.endpoint(endpoint.workspaceId, { ...endpoint, isActive: false });
    await fixture.endpoint(endpoint.workspaceId, { ...endpoint, version: 3 }, () => answered(200));
    expect(await fixture.nextAttempt(endpoint)).toEqual(['delivered']);
    expect(await delivery()).toMatchObject({ status: 'delivered' });
  });

  it('receives nothing after it is deleted', async () => {
    const { endpoint, delivery } = await openDelivery();
    await fixture.remove(endpoint);
    expect(await fixture.work()).toEqual(['failed']);
    expect(fixture.posted).toEqual([]);
    expect(await delivery()).toMatchObject({ status: 'failed', attempts: [] });
  });
});

describe('a rotated secret', () => {
  it('signs together with the new one until its time is over', async () => {
    const until = startMs + dayMs;
    const { endpoint } = await openDelivery(({ attempt }) => answered(attempt < 11 ? 500 : 200), {
      secret: 'new',
      previousSecret: 'old',
      previousSecretUntil: toTimestamp(until),
    });
    await fixture.work();
    while (await fixture.nextAttempt(endpoint)) {}
    const isOverlap = ({ atMs }: { atMs: number }) => atMs < until;
    expect(fixture.posted.filter(isOverlap).length).toBeGreaterThan(5);
    for (const request of fixture.posted) {
      expect(request.secrets).toEqual(isOverlap(request) ? ['open:new', 'open:old'] : ['open:new']);
    }
    expect(fixture.posted.every(isOverlap)).toBe(false);
  });
});
