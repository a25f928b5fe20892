import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { dayMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import { HeraldError } from '../../../../lib/kernel/errors.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import { unconditionally } from '../../../../lib/table/condition.ts';
import { updateItem } from '../../../../lib/table/items.ts';
import { feedHeadKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { readEvent } from '../../../../lib/webhooks/feed/read.ts';
import { openWorkspace, startMs } from '../../../support/builders.ts';
import { storeLimitedKey } from '../../../support/limited-key.ts';
import { createTestTable } from '../../../support/table.ts';
import { storeWebhook } from '../../../support/webhooks.ts';
import { anEventDraft } from '../fixture.ts';
import { type FeedFixture, idsOf, keptMs, list, openFeed, readAll, removePlaces } from './feed-fixture.ts';

let table: Table;
let feed: FeedFixture;
beforeEach(async () => {
  table = await createTestTable();
  feed = await openFeed(table);
});

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error) => (error instanceof HeraldError ? error.code : String(error)),
  );
/** Returns the cursor that an error offers. */
const offeredBy = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => (error instanceof HeraldError ? error.oldestCursor : undefined),
  );

describe('turning the feed on', () => {
  it('is done by the first read, and what happened before is not in it', async () => {
    const { context } = await openWorkspace(table);
    const before = anEventDraft(context.workspaceId);
    const other = { ...feed, workspaceId: context.workspaceId };
    await other.announce([before]);
    const first = await list(context);
    expect(first).toMatchObject({ events: [], hasMore: false, recordedSince: toTimestamp(startMs) });
    const after = anEventDraft(context.workspaceId);
    await other.announce([after]);
    expect(idsOf((await list(context, { after: first.nextCursor })).events)).toEqual([after.id]);
  });

  it('is done by the first webhook, even if that receives nothing', async () => {
    const { context } = await openWorkspace(table);
    await storeWebhook(table, context.workspaceId, { events: ['dm.received'] });
    const draft = anEventDraft(context.workspaceId);
    await feed.announce([draft]);
    expect(idsOf((await list(context)).events)).toEqual([draft.id]);
  });

  it('is not done by a read or a webhook once it was turned off', async () => {
    await feed.turn(false);
    await storeWebhook(table, feed.workspaceId);
    expect(await codeOf(feed.list())).toBe('event_feed_off');
    await feed.announce(feed.drafts(1));
    await feed.turn(true);
    expect((await feed.list()).events).toEqual([]);
  });

  it('again begins anew: a cursor from before is told that something is missing', async () => {
    const [before, between, after] = [feed.drafts(2), feed.drafts(1), feed.drafts(1)];
    await feed.announce(before);
    const { nextCursor } = await feed.read();
    await feed.turn(false);
    await feed.announce(between);
    expect(await feed.turn(true, startMs + secondMs)).toMatchObject({
      eventFeed: true,
      eventFeedSince: toTimestamp(startMs + secondMs),
    });
    await feed.announce(after);
    const late = feed.list({ after: nextCursor });
    expect(await codeOf(late)).toBe('events_expired');
    const page = await feed.list({ after: (await offeredBy(late)) ?? '' });
    expect(page.events).toMatchObject([{ id: after[0]?.id, sequence: 3 }]);
    expect(idsOf((await feed.read()).events)).toEqual(idsOf(after));
  });
});

describe('reading', () => {
  it('always returns a cursor, which later returns exactly what is new', async () => {
    const empty = await feed.list();
    expect(empty).toMatchObject({ events: [], hasMore: false });
    const drafts = feed.drafts(5);
    await feed.announce(drafts);
    const first = await feed.list({ after: empty.nextCursor, limit: 2 });
    expect(idsOf(first.events)).toEqual(idsOf(drafts.slice(0, 2)));
    expect(first.hasMore).toBe(true);
    const rest = await feed.list({ after: first.nextCursor, limit: 3 });
    expect(idsOf(rest.events)).toEqual(idsOf(drafts.slice(2)));
    expect(rest.hasMore).toBe(false);
    expect((await feed.list({ after: rest.nextCursor })).events).toEqual([]);
  });

  it('begins now with `latest`', async () => {
    await feed.announce(feed.drafts(3));
    const { nextCursor, events, hasMore } = await feed.list({ after: 'latest' });
    expect([events, hasMore]).toEqual([[], false]);
    const drafts = feed.drafts(1);
    await feed.announce(drafts);
    expect(idsOf((await feed.list({ after: nextCursor })).events)).toEqual(idsOf(drafts));
  });

  it('crosses from one partition of the feed to the next', async () => {
    await setHead(9_998);
    const drafts = feed.drafts(5);
    await feed.announce(drafts);
    const { events } = await feed.read({ limit: 50 });
    expect(idsOf(events)).toEqual(idsOf(drafts));
    expect(events.map(({ sequence }) => sequence)).toEqual([9_999, 10_000, 10_001, 10_002, 10_003]);
  });

  it('sees each event once, in order, however it pages and whatever happens in between', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ announced: fc.nat(4), limit: fc.integer({ min: 1, max: 3 }) }), {
          maxLength: 12,
        }),
        async (steps) => {
          const one = await openFeed(table);
          const seen: number[] = [];
          let after = (await one.list()).nextCursor;
          let announced = 0;
          for (const step of steps) {
            await one.announce(one.drafts(step.announced));
            announced += step.announced;
            const page = await one.list({ after, limit: step.limit });
            seen.push(...page.events.map(({ sequence }) => sequence));
            after = page.nextCursor;
            expect(page.hasMore).toBe(seen.length < announced);
          }
          expect(seen).toEqual(Array.from({ length: seen.length }, (_, index) => index + 1));
        },
      ),
      { numRuns: 20 },
    );
  });

  it.each([
    ['a forged cursor', 'x.y'],
    ['no cursor at all', 'newest'],
  ])('refuses %s', async (_what, after) => {
    await expect(feed.list({ after })).rejects.toMatchObject({ code: 'cursor_invalid', param: 'after' });
  });

  it('refuses the cursor of another workspace', async () => {
    const other = await openFeed(table);
    const { nextCursor } = await other.list();
    await expect(feed.list({ after: nextCursor })).rejects.toMatchObject({ param: 'after' });
  });
});

describe('filters', () => {
  const [mine, theirs] = [newId(startMs), newId(startMs)];

  it('leave out events of other types and accounts, and take the cursor past them', async () => {
    const wanted = feed.drafts(1, { type: 'post.failed', accountIds: [mine, theirs] });
    await feed.announce([
      ...feed.drafts(2, { type: 'post.failed', accountIds: [theirs] }),
      ...wanted,
      ...feed.drafts(3, { type: 'post.published', accountIds: [mine] }),
    ]);
    const page = await feed.list({ types: ['post.failed', 'post.partial'], accountId: mine });
    expect(idsOf(page.events)).toEqual(idsOf(wanted));
    expect(page.hasMore).toBe(false);
    expect((await feed.list({ after: page.nextCursor })).events).toEqual([]);
  });

  it('that leave everything out still end', async () => {
    await feed.announce(feed.drafts(700));
    const page = await feed.read({ types: ['dm.received'] });
    expect(page).toMatchObject({ events: [], hasMore: false });
  });

  it.each([
    ['its account', { accountIds: [mine] }, true],
    ['another account', { accountIds: [theirs] }, false],
    ['both', { accountIds: [mine, theirs] }, false],
    [
      'its account, as a part of a post on both',
      { accountIds: [mine], postAccountIds: [mine, theirs] },
      false,
    ],
    ['its account, as all of a post', { accountIds: [mine], postAccountIds: [mine] }, true],
  ])('of a key for one account: an event about %s', async (_what, about, isSeen) => {
    const [draft] = feed.drafts(1, about);
    await feed.announce(draft ? [draft] : []);
    const limited = await storeLimitedKey(feed.context, [mine]);
    const { events, hasMore } = await readAll(limited.context);
    expect([events.length, hasMore]).toEqual([isSeen ? 1 : 0, false]);
    expect(await codeOf(readEvent(limited.context, draft?.id ?? ''))).toBe(isSeen ? 'no error' : 'not_found');
  });
});

describe('one event', () => {
  it('is as in the list', async () => {
    const [draft = anEventDraft('')] = feed.drafts(1);
    await feed.announce([draft]);
    const { events } = await feed.list();
    expect(await readEvent(feed.context, draft.id)).toEqual(events[0]);
  });

  it('is unknown to another workspace, after its time, and if the feed does not have it', async () => {
    const [draft = anEventDraft('')] = feed.drafts(1);
    await feed.announce([draft]);
    const other = await openFeed(table);
    expect(await codeOf(readEvent(other.context, draft.id))).toBe('not_found');
    expect(await codeOf(readEvent({ ...feed.context, now: startMs + keptMs }, draft.id))).toBe('not_found');
    expect(await codeOf(readEvent(feed.context, newId(startMs)))).toBe('not_found');
  });
});

describe('after 30 days', () => {
  /** Announces two events, and two more ten days later. */
  async function twoAges() {
    const [old, young] = [feed.drafts(2), feed.drafts(2)];
    const begin = await feed.list();
    await feed.announce(old);
    const one = await feed.list({ limit: 1 });
    const two = await feed.read();
    await feed.announce(young, { now: startMs + 10 * dayMs });
    return { old: two.events, young, cursors: { begin, one, two } };
  }
  const later = startMs + keptMs;

  it.each([true, false])(
    'the feed begins with the oldest event that is kept (removed: %s)',
    async (isRemoved) => {
      const { old, young, cursors } = await twoAges();
      if (isRemoved) await removePlaces(table, feed.workspaceId, old);
      expect(idsOf((await feed.read({}, later)).events)).toEqual(idsOf(young));
      for (const cursor of [cursors.begin, cursors.one]) {
        const late = feed.list({ after: cursor.nextCursor }, later);
        expect(await codeOf(late)).toBe('events_expired');
        const offered = (await offeredBy(late)) ?? '';
        expect(idsOf((await feed.list({ after: offered }, later)).events)).toEqual(idsOf(young));
      }
      // Whoever has read the old ones has missed nothing.
      expect(idsOf((await feed.list({ after: cursors.two.nextCursor }, later)).events)).toEqual(idsOf(young));
    },
  );

  it('a removal in any order makes no silent hole', async () => {
    const { old, cursors } = await twoAges();
    await removePlaces(table, feed.workspaceId, old.slice(1));
    const late = feed.list({ after: cursors.begin.nextCursor }, later);
    expect(await codeOf(late)).toBe('events_expired');
  });

  it('the second before, everything is there', async () => {
    const { old, young } = await twoAges();
    const { events } = await feed.read({}, later - secondMs);
    expect(idsOf(events)).toEqual([...idsOf(old), ...idsOf(young)]);
  });

  it('an empty feed goes on from the cursor of its last event', async () => {
    const { cursors } = await twoAges();
    const muchLater = startMs + 3 * keptMs;
    const { nextCursor } = await feed.read({ after: cursors.two.nextCursor }, later);
    expect(await feed.list({ after: nextCursor }, muchLater)).toMatchObject({ events: [], hasMore: false });
    expect(await feed.list({}, muchLater)).toMatchObject({ events: [], hasMore: false });
  });

  it('a shorter time of the stage shortens no earlier one', async () => {
    await feed.announce(feed.drafts(1));
    const short = { ...table, retention: { deliveries: 7, audit: 400, inbound: 8 } };
    await feed.announce(feed.drafts(1), { table: short, now: startMs + dayMs });
    expect((await feed.read({}, startMs + 9 * dayMs)).events.length).toBe(2);
  });

  it.each([1, 2, 3, 10, 33])('the oldest of %i events is found whatever their number', async (count) => {
    for (let index = 0; index < count; index += 1)
      await feed.announce(feed.drafts(1), { now: startMs + index * dayMs });
    for (const kept of [0, 1, Math.floor(count / 2), count]) {
      const now = startMs + keptMs + (count - kept) * dayMs - secondMs;
      const { events } = await feed.read({}, Math.max(startMs, now));
      expect(events.length).toBe(Math.min(count, kept));
    }
  });
});

/** A table that hides places from queries, as if the transaction that writes them were only partly visible. */
function hiding(sequences: readonly number[]): Table {
  const send = async (command: never) => {
    const answer = await table.client.send(command);
    if (!((command as object) instanceof QueryCommand)) return answer;
    const { Items = [], ...rest } = answer as { Items?: { sequence: number }[] };
    return { ...rest, Items: Items.filter(({ sequence }) => !sequences.includes(sequence)) };
  };
  return { ...table, client: { send } as unknown as Table['client'] };
}

describe('a transaction that a query sees only in part', () => {
  it.each([
    ['its first event', [3], 2],
    ['an event in the middle', [4], 3],
    ['all of it', [3, 4, 5], 2],
  ])('ends the page before it if %s is hidden, and nothing is skipped', async (_what, hidden, seen) => {
    await feed.announce(feed.drafts(2));
    await feed.announce(feed.drafts(3));
    const page = await list({ ...feed.context, table: hiding(hidden) });
    expect(page.events.length).toBe(seen);
    expect(page.hasMore).toBe(true);
    const rest = await feed.list({ after: page.nextCursor });
    expect(rest.events.map(({ sequence }) => sequence)).toEqual([3, 4, 5].filter((each) => each > seen));
  });

  it('is no reason to call a cursor too old', async () => {
    const { nextCursor } = await feed.list();
    await feed.announce(feed.drafts(2));
    const page = await list({ ...feed.context, table: hiding([1, 2]) }, { after: nextCursor });
    expect(page).toMatchObject({ events: [], hasMore: true });
  });
});

describe('after a restore of the table', () => {
  it.each([
    ['has fewer events', 0],
    ['has other events at the same places', 3],
  ])('a reader is told if the feed %s', async (_what, added) => {
    await feed.announce(feed.drafts(1));
    const lost = await lostReader();
    await feed.announce(feed.drafts(added), { now: startMs + 2 * secondMs });
    expect(await codeOf(feed.list({ after: lost }))).toBe('events_expired');
  });

  /** Returns the cursor of somebody who has read two events that the restored table does not have. */
  async function lostReader(): Promise<string> {
    await feed.announce(feed.drafts(2), { now: startMs + secondMs });
    const { events, nextCursor } = await feed.read();
    await removePlaces(table, feed.workspaceId, events.slice(1));
    await setHead(1);
    return nextCursor;
  }
});

const setHead = (sequence: number) =>
  updateItem(table, feedHeadKey(feed.workspaceId), {
    set: { sequence, recordedAt: toTimestamp(startMs), lastExpiresAtSeconds: 0 },
    if: unconditionally,
  });
