import { beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../../lib/api-contract/context.ts';
import { minuteMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { HeraldError } from '../../../../lib/kernel/errors.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { batchPut } from '../../../../lib/table/batch-write.ts';
import { unconditionally } from '../../../../lib/table/condition.ts';
import { getItem, updateItem } from '../../../../lib/table/items.ts';
import { feedHeadKey, feedPlaceKey, replayedShard, replayKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { resendDueDeliveries } from '../../../../lib/webhooks/deliveries/resend-due.ts';
import type { FeedPlace } from '../../../../lib/webhooks/feed/places.ts';
import { beginReplay } from '../../../../lib/webhooks/replays/begin.ts';
import type { ReplayBody } from '../../../../lib/webhooks/replays/operations.ts';
import { runReplays } from '../../../../lib/webhooks/replays/run.ts';
import { type Webhook, type WebhookMessage, webhookGroup } from '../../../../lib/webhooks/schemas.ts';
import { auditLogOf } from '../../../support/audit-log.ts';
import { startMs } from '../../../support/builders.ts';
import { createTestTable } from '../../../support/table.ts';
import { type FeedFixture, idsOf, keptMs, list, openFeed } from '../feed/feed-fixture.ts';
import { answered, Crash, createFixture, type Fixture } from '../fixture.ts';

let table: Table;
let feed: FeedFixture;
let webhooks: Fixture;
let endpoint: Webhook;
/** The messages that were sent to the slow lane. */
let sent: WebhookMessage[];
beforeEach(async () => {
  table = await createTestTable();
  feed = await openFeed(table);
  webhooks = createFixture(table);
  endpoint = await webhooks.endpoint(feed.workspaceId, { events: ['*'] });
  sent = [];
});

const context = (): Context => ({ ...feed.context, now: webhooks.clock.now(), verb: 'webhook.replay' });
const begin = (body: ReplayBody, id = endpoint.id) => beginReplay(context(), id, body);
const sendAll = async (messages: readonly WebhookMessage[]) => {
  sent.push(...messages);
  for (const message of messages) await webhooks.ports.enqueue('slow', message, 0);
  return new Set<WebhookMessage>();
};
/** Runs when the end of the feed is settled. */
const run = (using: Table = table, forMs = minuteMs) => {
  webhooks.clock.advance(65 * secondMs);
  return runNow(using, forMs);
};
const runNow = (using: Table = table, forMs = minuteMs) =>
  runReplays(
    {
      table: using,
      now: webhooks.clock.now,
      sendAll,
      report: (_key, error) => {
        throw error;
      },
    },
    webhooks.clock.now() + forMs,
  );
const isOpen = async () => (await getItem(table, replayKey(feed.workspaceId, endpoint.id))) !== undefined;
/** Returns the deliveries of replays to an endpoint. */
const replayed = async (to: Webhook) =>
  (await webhooks.deliveries(to)).filter(({ replayId }) => replayId !== undefined);
const postedIds = () => webhooks.posted.map(({ eventId }) => eventId);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error) => (error instanceof HeraldError ? error.code : String(error)),
  );

describe('a replay', () => {
  it('delivers the events after a cursor, with their ids and bytes, in the slow lane', async () => {
    await feed.announce(feed.drafts(2));
    const { nextCursor } = await feed.read();
    const drafts = feed.drafts(3, { data: { text: 'ğ' } });
    await feed.announce(drafts);
    expect(await begin({ after: nextCursor })).toMatchObject({ events: 3, hasMore: false });
    expect(await run()).toEqual({ replayed: 3, failures: 0 });
    expect(sent.map(({ isReplayed }) => isReplayed)).toEqual([true, true, true]);
    await webhooks.work();
    expect(postedIds()).toEqual(idsOf(drafts));
    expect(webhooks.posted.map(({ body }) => JSON.parse(Buffer.from(body).toString()).data)).toEqual(
      drafts.map(({ data }) => data),
    );
    expect(await isOpen()).toBe(false);
  });

  it('gives an endpoint that was disabled what it has missed, once per event', async () => {
    const off = await webhooks.endpoint(feed.workspaceId, { events: ['*'], isActive: false });
    const since = toTimestamp(webhooks.clock.now());
    const drafts = feed.drafts(250);
    await feed.announce(drafts);
    expect(await codeOf(begin({ since }, off.id))).toBe('webhook_disabled');
    const on = await webhooks.endpoint(feed.workspaceId, { ...off, isActive: true });
    await begin({ since }, on.id);
    await run();
    expect((await webhooks.deliveries(on)).map(({ eventId }) => eventId).sort()).toEqual(
      idsOf(drafts).sort(),
    );
  });

  it('sends an event again that the endpoint has received, as another delivery', async () => {
    const drafts = feed.drafts(1);
    await webhooks.announce(drafts);
    await webhooks.work();
    await begin({ since: toTimestamp(startMs) });
    await run();
    await webhooks.work();
    expect(postedIds()).toEqual([drafts[0]?.id, drafts[0]?.id]);
    const deliveries = await webhooks.deliveries(endpoint);
    expect(new Set(deliveries.map(({ id }) => id)).size).toBe(2);
  });

  it('delivers only what the endpoint receives, and only the given types', async () => {
    const [mine, theirs] = [newId(startMs), newId(startMs)];
    const narrow = await webhooks.endpoint(feed.workspaceId, {
      events: ['post.failed', 'post.published'],
      accountIds: [mine],
    });
    const wanted = feed.drafts(1, { type: 'post.failed', accountIds: [mine] });
    await feed.announce([
      ...feed.drafts(1, { type: 'post.failed', accountIds: [theirs] }),
      ...feed.drafts(1, { type: 'post.published', accountIds: [mine] }),
      ...feed.drafts(1, { type: 'account.expired', accountIds: [mine] }),
      ...wanted,
    ]);
    await begin({ since: toTimestamp(startMs), types: ['post.failed', 'account.expired'] }, narrow.id);
    await run();
    expect((await replayed(narrow)).map(({ eventId }) => eventId)).toEqual(idsOf(wanted));
  });

  it('includes what is recorded within a minute, for which the endpoint may have looked disabled', async () => {
    const { nextCursor } = await feed.read();
    expect(await begin({ after: nextCursor })).toMatchObject({ events: 0, hasMore: false });
    expect((await runNow()).replayed).toBe(0);
    const [first, second] = [feed.drafts(1), feed.drafts(1)];
    await feed.announce(first);
    expect((await runNow()).replayed).toBe(1);
    await feed.announce(second);
    expect((await run()).replayed).toBe(1);
    expect(await isOpen()).toBe(false);
    expect((await replayed(endpoint)).map(({ eventId }) => eventId).sort()).toEqual(
      idsOf([...first, ...second]).sort(),
    );
  });

  it('takes the end of a minute later once: events that follow are delivered as usual, and not again', async () => {
    await putPlaces(2_500);
    await begin({ since: toTimestamp(startMs) });
    expect((await run()).replayed).toBe(2_000);
    await feed.announce(feed.drafts(3), { now: webhooks.clock.now() });
    expect((await run()).replayed).toBe(500);
    expect(await isOpen()).toBe(false);
  });

  it('begins with the events that were recorded at the time', async () => {
    const drafts = [];
    for (let minute = 0; minute < 5; minute += 1) {
      const [draft] = feed.drafts(1);
      await feed.announce(draft ? [draft] : [], { now: startMs + minute * minuteMs });
      drafts.push(draft?.id);
    }
    webhooks.clock.advance(10 * minuteMs);
    await begin({ since: toTimestamp(startMs + 2 * minuteMs) });
    await run();
    await webhooks.work();
    expect(postedIds()).toEqual(drafts.slice(2));
  });

  it('covers at most 10,000 events, in runs of 2,000, and says what follows', async () => {
    const count = 10_050;
    await putPlaces(count);
    const { events, hasMore, nextCursor } = await begin({ since: toTimestamp(startMs) });
    expect([events, hasMore]).toEqual([10_000, true]);
    for (let runs = 1; runs <= 5; runs += 1) {
      expect((await run()).replayed).toBe(2_000);
      expect(await isOpen()).toBe(runs < 5);
    }
    expect(await begin({ after: nextCursor })).toMatchObject({ events: 50, hasMore: false });
    expect((await run()).replayed).toBe(50);
    expect(new Set(sent.map(({ eventId }) => eventId)).size).toBe(count);
  });

  it('misses nothing wherever its run crashes, and the next run continues', async () => {
    const drafts = feed.drafts(120);
    await feed.announce(drafts);
    let survived = false;
    for (let step = 1; !survived; step += 40) {
      const receiver = await webhooks.endpoint(feed.workspaceId, { events: ['*'] });
      await begin({ since: toTimestamp(startMs) }, receiver.id);
      const crash = new Crash(step);
      await run(crash.table(table)).catch(() => undefined);
      survived = !crash.isDead;
      await run();
      webhooks.clock.advance(2 * minuteMs);
      await sweep();
      await webhooks.work();
      const deliveries = await webhooks.deliveries(receiver);
      expect(deliveries.length).toBe(120);
      expect(deliveries.every(({ status }) => status === 'delivered')).toBe(true);
    }
  });

  it('makes no delivery twice if two runs work on it at once', async () => {
    await feed.announce(feed.drafts(150));
    await begin({ since: toTimestamp(startMs) });
    await Promise.all([run(), run()]);
    await run();
    expect((await replayed(endpoint)).length).toBe(150);
    expect(await isOpen()).toBe(false);
  });

  it('ends if its endpoint is disabled or deleted', async () => {
    await feed.announce(feed.drafts(1));
    await begin({ since: toTimestamp(startMs) });
    await webhooks.endpoint(feed.workspaceId, { ...endpoint, isActive: false });
    expect(await run()).toEqual({ replayed: 0, failures: 0 });
    expect(await isOpen()).toBe(false);
  });

  it('stops in time, and continues in the next run', async () => {
    await feed.announce(feed.drafts(1));
    await begin({ since: toTimestamp(startMs) });
    expect((await run(table, 0)).replayed).toBe(0);
    expect(await isOpen()).toBe(true);
    expect((await run()).replayed).toBe(1);
    expect(await isOpen()).toBe(false);
  });

  it('has one entry in the audit log', async () => {
    await feed.announce(feed.drafts(3));
    await begin({ since: toTimestamp(startMs) });
    const log = await auditLogOf(table, feed.workspaceId);
    expect(log.filter(({ verb }) => verb === 'webhook.replay')).toMatchObject([{ subjectId: endpoint.id }]);
  });
});

/** Stores places of a feed in few requests, as announcing would. */
async function putPlaces(count: number): Promise<void> {
  const recordedAt = toTimestamp(startMs);
  const expiresAtSeconds = (startMs + keptMs) / 1_000;
  const places = Array.from(
    { length: count },
    (_, index): FeedPlace => ({
      workspaceId: feed.workspaceId,
      sequence: index + 1,
      eventId: newId(startMs),
      type: 'post.published',
      createdAt: recordedAt,
      recordedAt,
      accountIds: [],
      expiresAtSeconds,
    }),
  );
  await batchPut(
    table,
    places.map((place) => ({
      ...feedPlaceKey(place.workspaceId, place.sequence),
      kind: 'feedPlace',
      ...place,
    })),
  );
  await updateItem(table, feedHeadKey(feed.workspaceId), {
    set: { sequence: count, recordedAt, lastExpiresAtSeconds: expiresAtSeconds },
    if: unconditionally,
  });
}

const sweep = () =>
  resendDueDeliveries(
    { table, now: webhooks.clock.now, sendAll, report: () => {} },
    webhooks.clock.now() + minuteMs,
    [replayedShard],
  );

describe('a replayed delivery', () => {
  it('never waits in the main lane, nor its retries, nor in the sweep of new events', async () => {
    await webhooks.remove(endpoint);
    await feed.announce(feed.drafts(1));
    const late = await webhooks.endpoint(feed.workspaceId, { events: ['*'] });
    await begin({ since: toTimestamp(startMs) }, late.id);
    await run();
    webhooks.receivers.set(late.id, ({ attempt }) => answered(attempt === 1 ? 500 : 200));
    await webhooks.work();
    expect(webhooks.counts('main').visible).toBe(0);
    webhooks.clock.advance(6 * secondMs);
    expect(await webhooks.workBatch()).toBeUndefined();
    webhooks.clock.advance(5 * minuteMs);
    expect(await webhooks.sweep()).toBe(0);
    expect(await sweep()).toBe(1);
    await webhooks.work();
    expect(webhooks.posted.length).toBe(2);
  });

  it('is left to the slow lane without a POST if its message is in the main lane', async () => {
    await feed.announce(feed.drafts(1));
    await begin({ since: toTimestamp(startMs) });
    await run();
    const [message] = sent;
    webhooks.loseMessages();
    if (message) await webhooks.ports.enqueue('main', message, 0);
    expect(await webhooks.workBatch()).toEqual([{ status: 'fulfilled', value: 'left to the slow lane' }]);
    expect(webhooks.posted).toEqual([]);
  });

  it('is in another message group than the new events of its workspace', () => {
    const message = { workspaceId: 'w', webhookId: 'h', deliveryId: 'd', attemptNumber: 1 };
    expect(webhookGroup(message)).toBe('w');
    expect(webhookGroup({ ...message, isReplayed: true })).not.toBe('w');
  });
});

describe('a request for a replay', () => {
  it.each<[string, ReplayBody, string, string]>([
    ['neither a cursor nor a time', {}, 'field_required', 'after'],
    ['both', { after: 'x', since: '2026-03-01T12:00:00Z' }, 'contradictory_fields', 'since'],
    ['a forged cursor', { after: 'x' }, 'cursor_invalid', 'after'],
  ])('with %s is refused', async (_what, body, code, param) => {
    await expect(begin(body)).rejects.toMatchObject({ code, param });
  });

  it('is refused while the endpoint has one that is not complete', async () => {
    await feed.announce(feed.drafts(1));
    await begin({ since: toTimestamp(startMs) });
    expect(await codeOf(begin({ since: toTimestamp(startMs) }))).toBe('replay_in_progress');
    await run();
    expect(await codeOf(begin({ since: toTimestamp(startMs) }))).toBe('no error');
  });

  it('is refused if the feed is off', async () => {
    await feed.turn(false);
    expect(await codeOf(begin({ since: toTimestamp(startMs) }))).toBe('event_feed_off');
  });

  it('since a time before the feed was turned on is told that something is missing', async () => {
    expect(await codeOf(begin({ since: toTimestamp(startMs - 1) }))).toBe('events_expired');
  });

  it('whose first events have expired is told so, with the oldest cursor', async () => {
    const { nextCursor } = await feed.read();
    await feed.announce(feed.drafts(1));
    const young = feed.drafts(1);
    await feed.announce(young, { now: startMs + keptMs / 2 });
    webhooks.clock.advance(keptMs);
    for (const body of [{ after: nextCursor }, { since: toTimestamp(startMs) }]) {
      const error = await begin(body).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'events_expired' });
      expect(await begin({ after: error.oldestCursor })).toMatchObject({ events: 1 });
      await run();
    }
    const since = toTimestamp(startMs + keptMs / 2 + 1);
    await feed.announce(feed.drafts(1), { now: startMs + keptMs });
    expect(await begin({ since })).toMatchObject({ events: 1 });
  });

  it('since a time of these days is granted, although earlier events have expired', async () => {
    await feed.announce(feed.drafts(1));
    webhooks.clock.advance(keptMs + minuteMs);
    const since = toTimestamp(webhooks.clock.now() - minuteMs);
    expect(await begin({ since })).toMatchObject({ events: 0 });
    await run();
    await feed.announce(feed.drafts(2), { now: webhooks.clock.now() });
    expect(await begin({ since })).toMatchObject({ events: 2 });
  });

  it('takes the cursor of a reader, whatever types it reads', async () => {
    await feed.announce(feed.drafts(2));
    const { nextCursor } = await list(feed.context, { types: ['dm.received'] });
    expect(await begin({ after: nextCursor })).toMatchObject({ events: 0 });
  });
});
