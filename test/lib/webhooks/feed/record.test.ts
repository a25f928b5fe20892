import { QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { workerFunctions } from '../../../../infra/functions/workers.ts';
import { minuteMs } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { eventBody, insertEvents, newEvent } from '../../../../lib/webhooks/events/store.ts';
import { startMs } from '../../../support/builders.ts';
import { createMemoryTable, createTestTable, sendingTwice } from '../../../support/table.ts';
import { limitTable } from '../../../support/table-use.ts';
import { findEvent, storeWebhook } from '../../../support/webhooks.ts';
import { anEventDraft, Crash } from '../fixture.ts';
import { announceAt, type FeedFixture, idsOf, openFeed } from './feed-fixture.ts';

let table: Table;
let feed: FeedFixture;
beforeEach(async () => {
  table = await createTestTable();
  feed = await openFeed(table);
});

const sequencesOf = (events: readonly { readonly sequence: number }[]) =>
  events.map(({ sequence }) => sequence);
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('the event feed', () => {
  it('has each event once, in the order of announcing, with the bytes of the webhook', async () => {
    const drafts = feed.drafts(3, { data: { text: 'Grüße 🙂' } });
    await feed.announce(drafts);
    await feed.announce([...drafts].reverse());
    const { events } = await feed.read();
    expect(idsOf(events)).toEqual(idsOf(drafts));
    expect(sequencesOf(events)).toEqual([1, 2, 3]);
    for (const { sequence, ...event } of events) {
      const stored = await findEvent(table, feed.workspaceId, event.id);
      expect(stored && JSON.parse(eventBody(stored).toString())).toEqual(event);
      expect(stored?.sequence).toBe(sequence);
    }
  });

  it('has an event once that two drafts of a batch name', async () => {
    const [draft] = feed.drafts(1);
    await feed.announce(draft ? [draft, draft] : []);
    expect(sequencesOf((await feed.read()).events)).toEqual([1]);
  });

  it('has a late event at its end, whatever its time', async () => {
    const [late] = feed.drafts(1, { atMs: startMs - 60 * minuteMs });
    await feed.announce(feed.drafts(2));
    await feed.announce(late ? [late] : []);
    expect((await feed.read()).events.at(-1)).toMatchObject({ id: late?.id, sequence: 3 });
  });

  it('takes more events than a transaction, in order', async () => {
    const drafts = feed.drafts(120);
    await feed.announce(drafts);
    const { events } = await feed.read();
    expect(idsOf(events)).toEqual(idsOf(drafts));
    expect(sequencesOf(events)).toEqual(upTo(120));
  });

  it('takes events that together exceed the size of a transaction', async () => {
    const noise = () =>
      Buffer.from(upTo(150_000).map(() => Math.floor(Math.random() * 256))).toString('base64');
    const drafts = Array.from({ length: 25 }, () =>
      anEventDraft(feed.workspaceId, { data: { noise: noise() } }),
    );
    await feed.announce(drafts);
    expect(idsOf((await feed.read()).events)).toEqual(idsOf(drafts));
  });

  it('keeps its order if the clock of a writer is behind', async () => {
    const [first, second] = [feed.drafts(1), feed.drafts(1)];
    await feed.announce(first, { now: startMs + minuteMs });
    await feed.announce(second, { now: startMs });
    expect(idsOf((await feed.read()).events)).toEqual(idsOf([...first, ...second]));
  });

  it('has no hole and no double wherever announcing crashes and is repeated', async () => {
    await storeWebhook(table, feed.workspaceId, { events: ['*'] });
    const all: string[] = [];
    let survived = false;
    for (let step = 1; !survived; step += 1) {
      const drafts = feed.drafts(2);
      const crash = new Crash(step);
      await announceAt(crash.table(table), drafts).catch(() => undefined);
      survived = !crash.isDead;
      if (survived) expect(step).toBeGreaterThan(4);
      await feed.announce(drafts);
      all.push(...idsOf(drafts));
    }
    const { events } = await feed.read();
    expect(idsOf(events)).toEqual(all);
    expect(sequencesOf(events)).toEqual(upTo(all.length));
  });

  it('has an event once if the response to its transaction is lost', async () => {
    const drafts = feed.drafts(2);
    await announceAt(sendingTwice(table), drafts);
    expect(idsOf((await feed.read()).events)).toEqual(idsOf(drafts));
  });

  it('takes an event that was stored before it was turned on, with its bytes', async () => {
    const [draft = anEventDraft('')] = feed.drafts(1);
    await insertEvents(table, [newEvent({ ...draft, data: 'first' })]);
    await feed.announce([draft]);
    expect((await feed.read()).events).toMatchObject([{ id: draft.id, data: 'first', sequence: 1 }]);
  });

  it('keeps an event that a run records while another one, from before it was turned on, stores it', async () => {
    await storeWebhook(table, feed.workspaceId, { events: ['*'] });
    await feed.turn(false);
    const drafts = feed.drafts(2);
    let isOn = false;
    const slow = {
      ...table,
      client: {
        send: async (command: never) => {
          if (!((command as object) instanceof QueryCommand || isOn)) {
            isOn = true;
            const reply = await table.client.send(command);
            await feed.turn(true);
            await feed.announce(drafts);
            return reply;
          }
          return table.client.send(command);
        },
      } as unknown as Table['client'],
    };
    await announceAt(slow, drafts);
    await feed.announce(drafts);
    expect(idsOf((await feed.read({}, startMs + 2 * minuteMs)).events)).toEqual(idsOf(drafts));
  });

  it('belongs to one workspace', async () => {
    const other = await openFeed(table);
    const [mine, theirs] = [feed.drafts(2), other.drafts(1)];
    await announceAt(table, [...mine, ...theirs]);
    expect(idsOf((await feed.read()).events)).toEqual(idsOf(mine));
    expect(idsOf((await other.read()).events)).toEqual(idsOf(theirs));
  });

  it('costs nothing while it is off: one read of a workspace whose events nobody receives', async () => {
    const off = newId(startMs);
    const crash = new Crash(Number.POSITIVE_INFINITY);
    await announceAt(crash.table(table), [anEventDraft(off), anEventDraft(off)]);
    expect(crash.steps).toBe(1);
  });

  it('costs one read and one transaction for all events of a batch', async () => {
    const crash = new Crash(Number.POSITIVE_INFINITY);
    await feed.announce(feed.drafts(40), { table: crash.table(table) });
    // The receivers; the end of the feed with the events that may exist; the transaction.
    expect(crash.steps).toBe(3);
  });
});

/** A random number in [0, 1) from a seed: mulberry32. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Contention {
  /** The transactions that were sent, and those that another writer was faster than. */
  transactions: number;
  lost: number;
}

/**
 * Another connection to a table, whose requests and waits last several turns of the loop, so that many writers are under way at
 * once: a request lasts five to ten turns, of about a millisecond each.
 */
function contended(table: Table, seed: number): { table: Table; counts: Contention } {
  const counts = { transactions: 0, lost: 0 };
  const random = seeded(seed);
  const pass = async (turns: number) => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  const send = async (command: never) => {
    await pass(3 + Math.floor(random() * 3));
    const isTransaction = (command as object) instanceof TransactWriteCommand;
    if (isTransaction) counts.transactions += 1;
    try {
      return await table.client.send(command);
    } catch (error) {
      if (isTransaction) counts.lost += 1;
      throw error;
    } finally {
      await pass(2 + Math.floor(random() * 3));
    }
  };
  return {
    counts,
    table: {
      ...table,
      client: { send } as unknown as Table['client'],
      backOff: (attempt, { baseMs, capMs }) =>
        pass(Math.ceil(random() * Math.min(capMs, baseMs * 2 ** attempt))),
    },
  };
}

describe('200 events a second in one workspace', () => {
  // A table on demand begins with four partitions, so with four shards of the stream, and four batches of each are worked at once.
  it.each([1, 2, 3])(
    'are recorded by 16 writers at once with few lost transactions (seed %i)',
    async (seed) => {
      table = await createMemoryTable();
      feed = await openFeed(table);
      const slow = contended(table, seed);
      const drafts = feed.drafts(200);
      const batches = Array.from({ length: 16 }, (_, writer) =>
        drafts.filter((_, index) => index % 16 === writer),
      );
      const outcomes = (await Promise.all(batches.map((batch) => announceAt(slow.table, batch)))).flat();
      expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
      const { events } = await feed.read();
      expect(sequencesOf(events)).toEqual(upTo(200));
      expect(idsOf(events).sort()).toEqual(idsOf(drafts).sort());
      expect(slow.counts.transactions - slow.counts.lost).toBe(16);
      expect(slow.counts.lost).toBeLessThan(48);
    },
  );

  it('are recorded with the rights of the function, also after another writer was faster', async () => {
    const { rights } = workerFunctions.find(({ name }) => name === 'announce') ?? {};
    const limited = limitTable(table, 'announce', rights ?? {});
    const [late, early] = [feed.drafts(2), feed.drafts(1)];
    let isLate = false;
    const send = async (command: never) => {
      if (!isLate && (command as object) instanceof TransactWriteCommand) {
        isLate = true;
        await feed.announce(early);
      }
      return limited.client.send(command);
    };
    const outcomes = await announceAt({ ...table, client: { send } as unknown as Table['client'] }, late);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(idsOf((await feed.read()).events)).toEqual(idsOf([...early, ...late]));
  });

  it('leaves the events of a writer that is always too late to the stream, which repeats them', async () => {
    const writes: string[] = [];
    const always = {
      ...table,
      backOff: async () => {},
      client: {
        send: async (command: never) => {
          if ((command as object) instanceof TransactWriteCommand) {
            const [other] = feed.drafts(1);
            writes.push(other?.id ?? '');
            await feed.announce(other ? [other] : []);
          }
          return table.client.send(command);
        },
      } as unknown as Table['client'],
    };
    const drafts = feed.drafts(2);
    const outcomes = await announceAt(always, drafts);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(writes.length).toBe(12);
    await feed.announce(drafts);
    expect(idsOf((await feed.read()).events)).toEqual([...writes, ...idsOf(drafts)]);
  });
});
