import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Context } from '../../../lib/api-contract/context.ts';
import { minuteMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { chooseSlot } from '../../../lib/rhythm/choose-slot.ts';
import { listFreeSlots } from '../../../lib/rhythm/list-slots.ts';
import { Rhythm } from '../../../lib/rhythm/schemas.ts';
import { readRhythm, rhythmOwnerOf, setRhythm } from '../../../lib/rhythm/store.ts';
import type { Table } from '../../../lib/table/table.ts';
import { openWorkspace, startMs, storeAccount, storePost } from '../../support/builders.ts';
import { aPerson } from '../../support/members.ts';
import { countRequests } from '../../support/requests.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
let context: Context;
beforeAll(async () => {
  table = await createTestTable();
  context = (await openWorkspace(table)).context;
});

const newAccount = async () => (await storeAccount(table, context.workspaceId)).id;
const times = async (accountId: string, count: number, caller = context) =>
  (await listFreeSlots(caller, accountId, count)).slots.map(({ at }) => at);

/** Stores a post at a time, which a rhythm chose if its owner is given: a key, or the panel. */
const takeTime = (accountId: string, atMs: number, autoKeyId?: string) =>
  storePost(
    table,
    context.workspaceId,
    [{ accountId, scheduledFor: toTimestamp(atMs), ...(autoKeyId !== undefined && { autoKeyId }) }],
    { id: newId(startMs) },
  );

describe('the free slots of an account', () => {
  it('are those that posts in automatic slots get, one after the other', async () => {
    const zones = ['UTC', 'Europe/Istanbul', 'America/New_York', 'Australia/Lord_Howe'];
    const rhythms = fc.record({
      gapMinutes: fc.integer({ min: 1, max: 600 }),
      dailyCap: fc.integer({ min: 1, max: 4 }),
      collisionBufferMinutes: fc.integer({ min: 0, max: 90 }),
      timezone: fc.constantFrom(...zones),
    });
    const taken = fc.array(fc.record({ minutes: fc.integer({ min: 0, max: 4_000 }), isOwn: fc.boolean() }), {
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(rhythms, taken, async (rhythm, entries) => {
        const accountId = await newAccount();
        await setRhythm(context, accountId, Rhythm.parse(rhythm));
        for (const { minutes, isOwn } of entries)
          await takeTime(accountId, startMs + minutes * minuteMs, isOwn ? context.actor.id : undefined);
        const listed = await times(accountId, 6);
        const got: string[] = [];
        while (got.length < 6) {
          const request = { postId: newId(startMs), accountIds: [accountId], earliestMs: startMs };
          const slot = await chooseSlot(context, request);
          if (slot.state !== 'free') break;
          await takeTime(accountId, slot.atMs, context.actor.id);
          got.push(toTimestamp(slot.atMs));
        }
        expect(listed).toEqual(got);
      }),
      { numRuns: 15 },
    );
  });

  it('have the local time of the rhythm, before and after the clocks change', async () => {
    const accountId = await newAccount();
    const dayWindow = { from: '09:00', to: '09:01' };
    await setRhythm(context, accountId, Rhythm.parse({ timezone: 'America/New_York', dayWindow }));
    const { timezone, slots } = await listFreeSlots(context, accountId, 8);
    expect(timezone).toBe('America/New_York');
    // The clocks change on 8 March 2026.
    expect(slots[0]).toEqual({ at: '2026-03-01T14:00:00.000Z', local: '2026-03-01T09:00:00-05:00' });
    expect(slots[7]).toEqual({ at: '2026-03-08T13:00:00.000Z', local: '2026-03-08T09:00:00-04:00' });
  });

  it('are fewer if no more are free within 90 days', async () => {
    const accountId = await newAccount();
    await setRhythm(context, accountId, Rhythm.parse({ gapMinutes: 7 * 24 * 60 }));
    expect(await times(accountId, 50)).toHaveLength(13);
  });

  it('take one read of the rhythm and one of the calendar, and no write', async () => {
    const accountId = await newAccount();
    const { counted, requests } = countRequests(context);
    expect(await times(accountId, 50, counted)).toHaveLength(50);
    expect(requests).toEqual(['BatchGetCommand', 'QueryCommand']);
  });

  it('are not found for an account that does not exist', async () => {
    await expect(listFreeSlots(context, newId(1), 1)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('people who plan in the panel', () => {
  const ada = () => ({ ...context, actor: aPerson({ id: newId(startMs) }) });

  it('share one rhythm for each account, which no key has', async () => {
    const accountId = await newAccount();
    const rhythm = Rhythm.parse({ dailyCap: 7, timezone: 'Europe/Istanbul' });
    await setRhythm(ada(), accountId, rhythm);
    expect(await readRhythm(ada(), accountId)).toEqual(rhythm);
    expect(await readRhythm(context, accountId)).toEqual(Rhythm.parse({}));
  });

  it('have the gap and daily cap together', async () => {
    const accountId = await newAccount();
    await setRhythm(
      ada(),
      accountId,
      Rhythm.parse({ dailyCap: 1, dayWindow: { from: '00:00', to: '00:00' } }),
    );
    const [first = ''] = await times(accountId, 1, ada());
    await takeTime(accountId, Date.parse(first), rhythmOwnerOf(ada().actor));
    const [second = ''] = await times(accountId, 1, ada());
    expect(second.slice(0, 10) > first.slice(0, 10)).toBe(true);
  });
});
