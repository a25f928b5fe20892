import { beforeAll, describe, expect, it } from 'vitest';
import { reserveMessage } from '../../../../lib/automations/actions/hourly-cap.ts';
import { hourMs, minuteMs } from '../../../../lib/kernel/clock.ts';
import { newId } from '../../../../lib/kernel/ids.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { startMs } from '../../../support/builders.ts';
import { messageCrowd } from '../../../support/crowd.ts';
import { createTestTable } from '../../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

describe('the messages of an hour', () => {
  const account = () => ({ workspaceId: newId(startMs), accountId: newId(startMs) });

  it('are granted until there are as many, counted from the first', async () => {
    const ref = account();
    const ask = (now: number) => reserveMessage(table, ref, { now, most: 2, chance: 0.5 });
    expect(await ask(startMs)).toMatchObject({ state: 'granted' });
    expect(await ask(startMs + hourMs - 1)).toMatchObject({ state: 'granted' });
    const wakeMs = startMs + hourMs + 0.5 * 0.75 * hourMs;
    expect(await ask(startMs + hourMs - 1)).toEqual({ state: 'full', wakeMs });
    expect(await ask(startMs + hourMs)).toMatchObject({ state: 'granted' });
  });

  it('are never more, however many ask at once', async () => {
    const ref = account();
    const asked = Array.from({ length: 60 }, () =>
      reserveMessage(table, ref, { now: startMs, most: 20, chance: 0 }),
    );
    const states = (await Promise.all(asked)).map(({ state }) => state);
    expect(states.filter((state) => state === 'granted')).toHaveLength(20);
  });
});

describe('more people than an hour has messages', () => {
  it('are all written to, in the hours that it takes, and nobody twice', async () => {
    const [perHour, people] = [75, 200];
    const sent = await messageCrowd(table, { people, perHour, repeated: 50, hours: 3, atMs: startMs });
    expect(new Set(sent.map(({ commentId }) => commentId)).size).toBe(people);
    expect(sent).toHaveLength(people);
    const between = (from: number, to: number) =>
      sent.filter(({ afterMs }) => afterMs >= from && afterMs < to).length;
    expect(between(0, hourMs)).toBe(perHour);
    // From the second hour on people come one by one: a burst at its beginning would be refused by the platform.
    expect(between(hourMs, hourMs + 5 * minuteMs)).toBeLessThan(perHour / 2);
  });
});
