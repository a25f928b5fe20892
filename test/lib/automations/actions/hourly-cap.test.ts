import { beforeAll, describe, expect, it } from 'vitest';
import {
  countRepeatedMessage,
  giveBack,
  type PlatformAccount,
  readCapWaitEnd,
  reserveMessage,
} from '../../../../lib/automations/actions/private-reply-cap.ts';
import { readCounts } from '../../../../lib/automations/counts.ts';
import { hourMs, minuteMs } from '../../../../lib/kernel/clock.ts';
import { getItem } from '../../../../lib/table/items.ts';
import { privateReplyCapKey } from '../../../../lib/table/keys.ts';
import type { Table } from '../../../../lib/table/table.ts';
import { startMs } from '../../../support/builders.ts';
import { type Crowd, distinct, expectRestWithinNextHour, messageCrowd } from '../../../support/crowd.ts';
import { createTestTable } from '../../../support/table.ts';

let table: Table;
beforeAll(async () => {
  table = await createTestTable();
});

let accounts = 0;
const newAccount = (): PlatformAccount => ({
  platform: 'instagram',
  platformAccountId: `178414000000${1_000 + ++accounts}`,
});
const itemOf = ({ platform, platformAccountId }: PlatformAccount) =>
  getItem(table, privateReplyCapKey(platform, platformAccountId));
/** The time at which the reservations of the first two minutes no longer count: their end, an hour, and a minute in reserve. */
const firstFreeMs = startMs + 2 * minuteMs + hourMs + minuteMs;

describe('reservations of private replies', () => {
  const ask = (account: PlatformAccount, now: number, { maxPerHour = 2, chance = 0.5 } = {}) =>
    reserveMessage(table, account, { now, maxPerHour, chance, automationId: 'a' });

  it('are granted up to the cap in any 60 minutes', async () => {
    const account = newAccount();
    expect(await ask(account, startMs)).toMatchObject({ state: 'granted' });
    expect(await ask(account, startMs + hourMs - 1)).toMatchObject({ state: 'granted' });
    // An hour that begins with the first reservation would have ended here.
    expect(await ask(account, startMs + hourMs)).toMatchObject({ state: 'full' });
    expect(await ask(account, firstFreeMs)).toMatchObject({ state: 'granted' });
    expect(await ask(account, firstFreeMs)).toMatchObject({ state: 'full' });
  });

  it('never exceed the cap, however many are requested at the same time, and all of it is used', async () => {
    const account = newAccount();
    const crowdAt = async (now: number) => {
      const asked = Array.from({ length: 60 }, () => ask(account, now, { maxPerHour: 20, chance: 0 }));
      return (await Promise.all(asked)).filter(({ state }) => state === 'granted').length;
    };
    expect(await crowdAt(startMs)).toBe(20);
    expect(await crowdAt(firstFreeMs)).toBe(20);
    expect(await itemOf(account)).toMatchObject({ total: 20 });
  });

  it('that find the cap full wait for the places that become free, in proportion to their number', async () => {
    const account = newAccount();
    const maxPerHour = 4;
    await ask(account, startMs, { maxPerHour });
    const laterMs = startMs + 30 * minuteMs;
    for (let count = 0; count < 3; count += 1) await ask(account, laterMs, { maxPerHour });
    const wakes = await Promise.all(
      [0, 0.125, 0.25, 0.999].map((chance) =>
        ask(account, startMs + 40 * minuteMs, { maxPerHour, chance }).then((asked) =>
          asked.state === 'full' ? (asked.wakeMs - firstFreeMs) / minuteMs : undefined,
        ),
      ),
    );
    expect(wakes).toEqual([0, 1, 30, expect.closeTo(32, 1)]);
  });

  it('are kept for a day, in an item that stays small', async () => {
    const account = newAccount();
    for (let minute = 0; minute < 6 * 60; minute += 2)
      await ask(account, startMs + minute * minuteMs, { maxPerHour: 750 });
    const item = (await itemOf(account)) ?? {};
    const buckets = Object.keys(item).filter((name) => /^b\d+$/.test(name));
    expect(buckets.length).toBeLessThanOrEqual(42);
    expect(item['total']).toBe(buckets.length);
    expect(item['expiresAtSeconds']).toBe((startMs + 358 * minuteMs) / 1_000 + 24 * 3_600);
  });

  it('wait one place longer for each message that was sent again', async () => {
    const account = newAccount();
    await ask(account, startMs, { maxPerHour: 3 });
    await ask(account, startMs, { maxPerHour: 3 });
    for (let count = 0; count < 2; count += 1)
      await countRepeatedMessage(table, account, { now: startMs + 30 * minuteMs, maxPerHour: 3 });
    expect(await itemOf(account)).toMatchObject({ total: 4 });
    expect(await ask(account, startMs + 31 * minuteMs, { maxPerHour: 3 })).toMatchObject({ state: 'full' });
    expect(await ask(account, firstFreeMs, { maxPerHour: 3 })).toMatchObject({ state: 'granted' });
    expect(await ask(account, firstFreeMs, { maxPerHour: 3 })).toMatchObject({ state: 'full' });
  });

  it('that are given back leave one place each, even if the write is repeated after its response was lost', async () => {
    const account = newAccount();
    const [first] = [await ask(account, startMs), await ask(account, startMs)];
    if (first.state !== 'granted') throw new Error('granted');
    const given = { place: first.place, writeId: 'one' };
    for (let count = 0; count < 2; count += 1) await giveBack(table, account, given);
    expect(await itemOf(account)).toMatchObject({ total: 1, [first.place]: 1 });
    expect(await ask(account, startMs)).toMatchObject({ state: 'granted' });
    await giveBack(table, account, given);
    expect(await ask(account, startMs)).toMatchObject({ state: 'full' });
  });

  it('wait if the cap was lowered, until enough places are free', async () => {
    const account = newAccount();
    for (let count = 0; count < 4; count += 1) await ask(account, startMs, { maxPerHour: 9 });
    await ask(account, startMs + 30 * minuteMs, { maxPerHour: 9 });
    await ask(account, startMs + 30 * minuteMs, { maxPerHour: 9 });
    expect(await ask(account, firstFreeMs, { maxPerHour: 2 })).toMatchObject({ state: 'full' });
    expect(await ask(account, firstFreeMs, { maxPerHour: 3 })).toMatchObject({ state: 'granted' });
  });
});

describe('more people than the hourly cap allows', () => {
  it('all get one message, over as many hours as needed, and the automation says until when', async () => {
    const { platform, platformAccountId } = newAccount();
    const estimates: [waiting: number, untilMs: number][] = [];
    const onHour: Crowd['onHour'] = async ([automation], nowMs) => {
      const { hourly_limit: waiting = 0 } = (await readCounts(table, automation?.id ?? '')).waiting;
      const account = { platform, platformAccountId };
      estimates.push([waiting, await readCapWaitEnd(table, account, { waiting, now: nowMs })]);
    };
    const crowd = { people: 80, perHour: 30, repeated: 20, hours: 3, atMs: startMs, platformAccountId };
    const sent = await messageCrowd(table, { ...crowd, onHour });
    expect([sent.length, distinct(sent)]).toEqual([80, 80]);
    const lastMs = startMs + Math.max(...sent.map(({ afterMs }) => afterMs));
    expect(estimates.map(([waiting]) => waiting)).toEqual([50, 20, 0]);
    for (const [waiting, untilMs] of estimates.slice(0, 2))
      expect({ waiting, minutesOff: Math.abs(untilMs - lastMs) / minuteMs }).toSatisfy(
        ({ minutesOff }: { minutesOff: number }) => minutesOff <= 5,
      );
  });

  it('get as many messages as it allows at once and the others within the next hour, none twice', () =>
    expectRestWithinNextHour(table, {
      people: 25,
      perHour: 20,
      platformAccountId: newAccount().platformAccountId,
    }));

  it('share the cap of the account if they comment on posts of two workspaces', async () => {
    const { platformAccountId } = newAccount();
    const crowd = { people: 50, perHour: 30, repeated: 50, hours: 2, atMs: startMs };
    const sent = await messageCrowd(table, { ...crowd, platformAccountId, workspaces: 2 });
    expect(sent.filter(({ afterMs }) => afterMs < hourMs)).toHaveLength(30);
    expect([sent.length, distinct(sent)]).toEqual([50, 50]);
  });
});
