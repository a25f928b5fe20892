import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { countPlanned, readCalendar } from '../../../lib/calendar/read.ts';
import { dayMs, hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { calendarEntryKey, calendarVersionKey, rhythmKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { actOf } from '../../support/acts.ts';
import { startMs } from '../../support/builders.ts';
import { countRequests } from '../../support/requests.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** An account with entries at these hours after the start, each with this much padding. */
async function anAccount(hours: readonly number[], paddingBytes = 0) {
  const account = { workspaceId: newId(startMs), accountId: newId(startMs) };
  const entries = hours.map((hour) => {
    const scheduledFor = toTimestamp(startMs + hour * hourMs);
    return {
      ...calendarEntryKey({ ...account, postId: newId(startMs), scheduledFor }),
      padding: 'x'.repeat(paddingBytes),
    };
  });
  const others = [
    calendarVersionKey(account.workspaceId, account.accountId),
    rhythmKey(account.workspaceId, account.accountId, 'key'),
  ];
  for (const Item of [...entries, ...others]) {
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  }
  return account;
}

const hoursOf = (entries: readonly { atMs: number }[]) =>
  entries.map(({ atMs }) => (atMs - startMs) / hourMs);

describe('an account’s calendar', () => {
  it('returns what is planned in a period, in order', async () => {
    const account = await anAccount([30, 2, 1, 26]);
    const span = { fromMs: startMs + 2 * hourMs, untilMs: startMs + 28 * hourMs };
    const { entries, knownUntilMs } = await readCalendar(table, account, span);
    expect(hoursOf(entries)).toEqual([2, 26]);
    expect(knownUntilMs).toBe(span.untilMs);
  });

  it('is read in at most four requests, and reports how far they reach', async () => {
    // Three entries fill a page of 1 MB.
    const account = await anAccount(
      Array.from({ length: 15 }, (_, index) => index),
      340_000,
    );
    const { counted, requests } = countRequests({
      table,
      ...account,
      ...actOf(''),
      cursorSecret: '',
      now: startMs,
    });
    const { entries, knownUntilMs } = await readCalendar(counted.table, account, {
      fromMs: startMs,
      untilMs: startMs + dayMs,
    });
    expect(requests).toHaveLength(4);
    expect(entries.length).toBeLessThan(15);
    expect(knownUntilMs).toBe(entries.at(-1)?.atMs);
  });

  it('counts what is planned from now on, and nothing else', async () => {
    const { workspaceId, accountId } = await anAccount([-1, 0, 1, 9_000]);
    expect(await countPlanned(table, workspaceId, accountId, startMs)).toBe(3);
  });
});
