import { beforeAll, describe, expect, it } from 'vitest';
import { readCapWaitEnd, reserveMessage } from '../../../../lib/automations/actions/hourly-cap.ts';
import { readCounts } from '../../../../lib/automations/counts.ts';
import type { Automation } from '../../../../lib/automations/schemas.ts';
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

describe('reservations of private replies', () => {
  const account = () => ({ workspaceId: newId(startMs), accountId: newId(startMs) });

  it('are granted up to the cap, in an hour that begins with the first', async () => {
    const ref = account();
    const ask = (now: number) => reserveMessage(table, ref, { now, maxPerHour: 2, chance: 0.5 });
    expect(await ask(startMs)).toMatchObject({ state: 'granted' });
    expect(await ask(startMs + hourMs - 1)).toMatchObject({ state: 'granted' });
    const wakeMs = startMs + hourMs + 0.5 * 0.75 * hourMs;
    expect(await ask(startMs + hourMs - 1)).toEqual({ state: 'full', wakeMs });
    expect(await ask(startMs + hourMs)).toMatchObject({ state: 'granted' });
  });

  it('never exceed the cap, however many are requested at the same time', async () => {
    const ref = account();
    const asked = Array.from({ length: 60 }, () =>
      reserveMessage(table, ref, { now: startMs, maxPerHour: 20, chance: 0 }),
    );
    const states = (await Promise.all(asked)).map(({ state }) => state);
    expect(states.filter((state) => state === 'granted')).toHaveLength(20);
  });
});

describe('more people than the hourly cap allows', () => {
  it('all get one message, over as many hours as needed', async () => {
    const [perHour, people] = [30, 80];
    const waiting: [count: number, hours: number][] = [];
    const onHour = async (automation: Automation, nowMs: number) => {
      const { hourly_limit: awaitingCap = 0 } = (await readCounts(table, automation.id)).waiting;
      const untilMs = await readCapWaitEnd(table, automation, { waiting: awaitingCap, now: nowMs });
      waiting.push([awaitingCap, Math.round((untilMs - nowMs) / hourMs)]);
    };
    const crowd = { people, perHour, repeated: 20, hours: 3, atMs: startMs, onHour };
    const sent = await messageCrowd(table, crowd);
    // The automation says how many still wait, and how many hours they take.
    expect(waiting).toEqual([
      [50, 2],
      [20, 1],
      [0, 0],
    ]);
    expect(new Set(sent.map(({ commentId }) => commentId)).size).toBe(people);
    expect(sent).toHaveLength(people);
    const between = (from: number, to: number) =>
      sent.filter(({ afterMs }) => afterMs >= from && afterMs < to).length;
    expect(between(0, hourMs)).toBe(perHour);
    // From the second hour on, messages are spread out: the platform would refuse a burst at the beginning of the hour.
    expect(between(hourMs, hourMs + 5 * minuteMs)).toBeLessThan(perHour / 2);
  });
});
