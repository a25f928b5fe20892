import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { countPlanned, readCalendar } from '../../../lib/calendar/read.ts';
import { dayMs, hourMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { newId } from '../../../lib/kernel/ids.ts';
import { calendarEntryKey, calendarVersionKey, rhythmKey } from '../../../lib/table/keys.ts';
import type { Table } from '../../../lib/table/table.ts';
import { startMs } from '../../support/builders.ts';
import { countRequests } from '../../support/requests.ts';
import { createTestTable } from '../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

/** A channel with entries at these hours after the start, each as large as it is told. */
async function aChannel(hours: readonly number[], paddingBytes = 0) {
  const channel = { workspaceId: newId(startMs), accountId: newId(startMs) };
  const entries = hours.map((hour) => {
    const scheduledFor = toTimestamp(startMs + hour * hourMs);
    return {
      ...calendarEntryKey({ ...channel, postId: newId(startMs), scheduledFor }),
      padding: 'x'.repeat(paddingBytes),
    };
  });
  const others = [
    calendarVersionKey(channel.workspaceId, channel.accountId),
    rhythmKey(channel.workspaceId, channel.accountId, 'key'),
  ];
  for (const Item of [...entries, ...others]) {
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  }
  return channel;
}

const hoursOf = (entries: readonly { atMs: number }[]) =>
  entries.map(({ atMs }) => (atMs - startMs) / hourMs);

describe('a channel’s calendar', () => {
  it('shows what is planned in a span of time, in its order', async () => {
    const channel = await aChannel([30, 2, 1, 26]);
    const span = { fromMs: startMs + 2 * hourMs, untilMs: startMs + 28 * hourMs };
    const { entries, knownUntilMs } = await readCalendar(table, channel, span);
    expect(hoursOf(entries)).toEqual([2, 26]);
    expect(knownUntilMs).toBe(span.untilMs);
  });

  it('is read in four requests at most, and says how far that goes', async () => {
    // Three entries fill a page of 1 MB.
    const channel = await aChannel(
      Array.from({ length: 15 }, (_, index) => index),
      340_000,
    );
    const { counted, requests } = countRequests({
      table,
      ...channel,
      keyId: '',
      cursorSecret: '',
      now: startMs,
    });
    const { entries, knownUntilMs } = await readCalendar(counted.table, channel, {
      fromMs: startMs,
      untilMs: startMs + dayMs,
    });
    expect(requests).toHaveLength(4);
    expect(entries.length).toBeLessThan(15);
    expect(knownUntilMs).toBe(entries.at(-1)?.atMs);
  });

  it('counts what is planned from now on, and nothing else', async () => {
    const { workspaceId, accountId } = await aChannel([-1, 0, 1, 9_000]);
    expect(await countPlanned(table, workspaceId, accountId, startMs)).toBe(3);
  });
});
