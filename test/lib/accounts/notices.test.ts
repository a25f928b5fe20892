import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { disconnectAccount } from '../../../lib/accounts/disconnect.ts';
import { decideNotice } from '../../../lib/accounts/notice-times.ts';
import type { Account } from '../../../lib/accounts/schemas.ts';
import { clearMark, markAccount, markRefreshed, recordNotice } from '../../../lib/accounts/store.ts';
import { sweepAccounts } from '../../../lib/accounts/sweep.ts';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { rebuildProjections } from '../../../lib/recovery/rebuild-projections.ts';
import { accountKey } from '../../../lib/table/keys.ts';
import type { ItemChange } from '../../../lib/table/stream.ts';
import { eventsFromChange } from '../../../lib/webhooks/events/events-from-changes.ts';
import type { EventDraft } from '../../../lib/webhooks/events/store.ts';
import { noon, platform } from '../../support/connecting.ts';
import { turns } from '../../support/turns.ts';
import { failing, openSweepFixture } from './tokens/fixture.ts';

const endAfter = (milliseconds: number) => toTimestamp(noon + milliseconds);

/** A connected account whose refresh tokens end at a fixed time, swept in virtual time, and the events that it causes. */
async function openNotices() {
  const fixture = await openSweepFixture();
  const { clock } = fixture;
  const { table } = fixture.context();
  let changes = 0;

  async function itemOf({ workspaceId, id }: Account): Promise<Record<string, unknown> | undefined> {
    const Key = accountKey(workspaceId, id);
    return (await table.client.send(new GetCommand({ TableName: table.name, Key, ConsistentRead: true })))
      .Item;
  }
  /** Runs `act`, which writes the account at most once, and returns the change as a record of the stream. */
  async function changeOf(account: Account, act: () => Promise<unknown>): Promise<ItemChange> {
    const before = await itemOf(account);
    await act();
    changes += 1;
    return { before, after: await itemOf(account), atMs: clock.time, sequenceNumber: String(changes) };
  }
  async function eventOf(account: Account, act: () => Promise<unknown>): Promise<EventDraft | undefined> {
    const change = await changeOf(account, act);
    const [event, again] = [change, { ...change }].map((each) =>
      eventsFromChange(each, { mediaBaseUrl: 'https://media', stageFeatures: {} }),
    );
    expect(again).toEqual(event);
    expect(event?.length).toBeLessThanOrEqual(1);
    return event?.[0];
  }
  const sweep = () =>
    sweepAccounts(
      { ...fixture.context(), now: () => clock.time, tokens: fixture.tokens() },
      clock.time + 5 * minuteMs,
    );

  return {
    ...fixture,
    table,
    sweep,
    eventOf,
    itemOf,
    /** Connects an account whose access ends at this time, and whose renewals do not change that. */
    async connectUntil(refreshExpiresAt: string) {
      fixture.authorization.answers.refresh = async ({ refreshToken }) => ({
        ...fixture.renewed(refreshToken),
        refreshExpiresAt,
      });
      return fixture.connectOne({ refreshExpiresAt });
    },
    /** Sweeps at these times after noon. @returns when which event was caused, in days before the end */
    async eventsAt(account: Account, timesMs: readonly number[]) {
      const found: [type: string, daysLeft: number][] = [];
      for (const atMs of timesMs) {
        clock.time = noon + atMs;
        const event = await eventOf(account, sweep);
        if (event === undefined) continue;
        const { reconnectBy = '' } = (await fixture.current(account)) ?? {};
        found.push([event.type, (Date.parse(reconnectBy) - clock.time) / dayMs]);
      }
      return found;
    },
  };
}

let notices: Awaited<ReturnType<typeof openNotices>>;
beforeEach(async () => {
  notices = await openNotices();
});

/** Times from one to the other, in steps. */
const times = (fromMs: number, toMs: number, stepMs: number) =>
  Array.from({ length: Math.floor((toMs - fromMs) / stepMs) + 1 }, (_, index) => fromMs + index * stepMs);

describe('an account whose access ends', () => {
  it('is announced seven days and one day before, once each, over two months of sweeps and renewals', async () => {
    const account = await notices.connectUntil(endAfter(60 * dayMs));
    const swept = times(hourMs, 60 * dayMs - hourMs, dayMs);
    expect(await notices.eventsAt(account, swept)).toEqual([
      ['account.expiring', 7 - 1 / 24],
      ['account.expiring', 1 - 1 / 24],
    ]);
    expect(notices.authorization.asked.length).toBeGreaterThan(50);
  });

  it('is shown in the event with the end of its access', async () => {
    const account = await notices.connectUntil(endAfter(30 * dayMs));
    notices.clock.time = noon + 23 * dayMs;
    expect(await notices.eventOf(account, notices.sweep)).toMatchObject({
      type: 'account.expiring',
      workspaceId: account.workspaceId,
      data: { account: { id: account.id, isActive: true, meta: { reconnectBy: endAfter(30 * dayMs) } } },
    });
    const text = JSON.stringify(await notices.current(account));
    expect(text).toContain('expiringNotice');
  });

  it('is announced once if two sweeps run concurrently, and not again by the next ones', async () => {
    const account = await notices.connectUntil(endAfter(30 * dayMs));
    notices.clock.time = noon + 23 * dayMs;
    const counts = await Promise.all([notices.sweep(), notices.sweep(), notices.sweep()]);
    expect(counts.reduce((sum, { told }) => sum + told, 0)).toBe(1);
    expect(await notices.sweep()).toMatchObject({ told: 0 });
    expect(await notices.eventOf(account, notices.sweep)).toBeUndefined();
  });

  it.each([
    ['for six days from before the first notice', 22.9, 28.9, [1.1, 1]],
    ['until half a day before the end', 22.9, 29.5, [0.5]],
    ['until after the end', 22.9, 30.1, []],
  ])(
    'gets only the notice that is true if sweeps stop %s',
    async (_when, fromDay, toDay, daysLeft) => {
      const account = await notices.connectUntil(endAfter(30 * dayMs));
      const day = (each: number) => Math.round(each * 10) * (dayMs / 10);
      const swept = [...times(dayMs, day(fromDay), dayMs), ...times(day(toDay), day(31), day(0.1))];
      const found = (await notices.eventsAt(account, swept)).filter(([type]) => type === 'account.expiring');
      expect(found.map(([, left]) => Math.round(left * 10) / 10)).toEqual(daysLeft);
    },
    120_000,
  );

  it('that is connected three days before gets one notice, and none when it is connected', async () => {
    const account = await notices.connectUntil(endAfter(3 * dayMs));
    const swept = times(15 * minuteMs, 3 * dayMs - hourMs, 6 * hourMs);
    expect(await notices.eventsAt(account, swept)).toEqual([['account.expiring', 1 - 1 / 96]]);
  });

  it('that is connected half a day before gets one notice soon after', async () => {
    const account = await notices.connectUntil(endAfter(dayMs / 2));
    const swept = times(15 * minuteMs, dayMs / 2, hourMs);
    expect(await notices.eventsAt(account, swept)).toEqual([['account.expiring', 0.5 - 1 / 96]]);
  });

  it('is announced again, for its new end, after a person has connected it again', async () => {
    const account = await notices.connectUntil(endAfter(30 * dayMs));
    expect(await notices.eventsAt(account, [23 * dayMs])).toHaveLength(1);
    notices.clock.time = noon + 24 * dayMs;
    await notices.connectUntil(endAfter(84 * dayMs));
    const swept = times(25 * dayMs, 84 * dayMs - hourMs, dayMs / 2);
    expect(await notices.eventsAt(account, swept)).toEqual([
      ['account.expiring', 7],
      ['account.expiring', 1],
    ]);
  });

  it('is not announced by a sweep that read it before a person connected it again', async () => {
    const account = await notices.connectUntil(endAfter(30 * dayMs));
    notices.clock.time = noon + 23 * dayMs;
    const seen = await notices.current(account);
    if (!seen) throw new Error('no account');
    await notices.connectUntil(endAfter(84 * dayMs));
    expect(await recordNotice(notices.table, seen, decideNotice(seen, notices.clock.time))).toBe(false);
    expect(await notices.sweep()).toMatchObject({ told: 0 });
  });

  it('is not announced again if renewals name an end that varies by seconds', async () => {
    let seconds = 0;
    const account = await notices.connectUntil(endAfter(30 * dayMs));
    notices.authorization.answers.refresh = async ({ refreshToken }) => {
      seconds += 7;
      return {
        ...notices.renewed(refreshToken),
        refreshExpiresAt: endAfter(30 * dayMs - seconds * secondMs),
      };
    };
    expect(await notices.eventsAt(account, times(22 * dayMs, 30 * dayMs - hourMs, dayMs / 2))).toHaveLength(
      2,
    );
    expect(seconds).toBeGreaterThan(0);
    expect(await notices.current(account)).toMatchObject({ reconnectBy: endAfter(30 * dayMs) });
  });

  it('is announced for its new end if a renewal moves it', async () => {
    const account = await notices.connectUntil(endAfter(30 * dayMs));
    expect(await notices.eventsAt(account, [23 * dayMs])).toHaveLength(1);
    const known = await notices.current(account);
    if (!known) throw new Error('no account');
    await markRefreshed(notices.table, known, { scopes: [], reconnectBy: endAfter(60 * dayMs) });
    const swept = times(24 * dayMs, 60 * dayMs - hourMs, dayMs);
    notices.authorization.answers.refresh = async ({ refreshToken }) => ({
      ...notices.renewed(refreshToken),
      refreshExpiresAt: endAfter(60 * dayMs),
    });
    expect(await notices.eventsAt(account, swept)).toEqual([
      ['account.expiring', 7],
      ['account.expiring', 1],
    ]);
  });

  it('is never announced if a renewal makes it last for ever', async () => {
    const account = await notices.connectUntil(endAfter(30 * dayMs));
    notices.authorization.answers.refresh = async ({ refreshToken }) => notices.renewed(refreshToken);
    expect(await notices.eventsAt(account, times(dayMs, 40 * dayMs, dayMs))).toEqual([]);
    expect(await notices.itemOf(account)).not.toHaveProperty('dueShard');
  });

  it('is announced at once if its end becomes known three days before', async () => {
    const account = await notices.connectOne({ expiresAt: endAfter(4 * dayMs) });
    notices.authorization.answers.refresh = failing('reauthorise');
    notices.clock.time = noon + dayMs;
    expect(await notices.sweep()).toMatchObject({ useUp: 1 });
    const swept = times(dayMs + 15 * minuteMs, 4 * dayMs - hourMs, 15 * minuteMs * 8);
    expect((await notices.eventsAt(account, swept)).map(([, left]) => Math.round(left))).toEqual([3, 1]);
  });

  it('is not announced once it is disconnected', async () => {
    const account = await notices.connectUntil(endAfter(30 * dayMs));
    await disconnectAccount({ ...notices.context(), sleep: () => new Promise(() => {}) }, account.id);
    expect(await notices.itemOf(account)).not.toHaveProperty('dueShard');
    expect(await notices.eventsAt(account, times(22 * dayMs, 30 * dayMs, dayMs))).toEqual([]);
  });

  it('is announced although the platform restricts it', async () => {
    const account = await notices.connectUntil(endAfter(30 * dayMs));
    notices.authorization.answers.refresh = failing('restricted');
    notices.clock.time = noon + 22 * dayMs;
    await notices.sweep();
    expect(await notices.current(account)).toMatchObject({ status: 'error' });
    notices.clock.time = noon + 23 * dayMs - minuteMs;
    await notices.sweep();
    expect(await notices.eventsAt(account, [23 * dayMs])).toEqual([['account.expiring', 7]]);
  });

  it('that has expired is not announced, unless it works again before its end', async () => {
    const account = await notices.connectUntil(endAfter(30 * dayMs));
    notices.authorization.answers.refresh = failing('retry');
    await markAccount(notices.table, account, 'expired', 'refused', notices.clock.time);
    expect(await notices.eventsAt(account, times(22 * dayMs, 26 * dayMs, dayMs))).toEqual([]);
    const expired = await notices.current(account);
    if (!expired) throw new Error('no account');
    await clearMark(notices.table, expired);
    expect(await notices.eventsAt(account, times(26 * dayMs, 30 * dayMs, dayMs))).toEqual([
      ['account.expiring', 4],
      ['account.expiring', 1],
    ]);
  });
});

describe('an account whose end an earlier release has stored', () => {
  const forget = async (account: Account) => {
    await notices.table.client.send(
      new UpdateCommand({
        TableName: notices.table.name,
        Key: accountKey(account.workspaceId, account.id),
        UpdateExpression: 'REMOVE dueAt, dueShard',
      }),
    );
  };

  it('is announced after its next renewal', async () => {
    const account = await notices.connectUntil(endAfter(30 * dayMs));
    await forget(account);
    expect(await notices.eventsAt(account, times(dayMs, 30 * dayMs - hourMs, dayMs))).toEqual([
      ['account.expiring', 7],
      ['account.expiring', 1],
    ]);
  });

  const rebuilding = () => ({ table: notices.table, dailyLimits: {}, now: notices.clock.time });

  it('is announced after its workspace was rebuilt, which changes nothing the second time', async () => {
    const account = await notices.connectUntil(endAfter(30 * dayMs));
    const before = await notices.itemOf(account);
    await forget(account);
    await rebuildProjections(rebuilding(), account.workspaceId);
    expect(await notices.itemOf(account)).toEqual(before);
    notices.authorization.answers.refresh = failing('retry');
    expect(await notices.eventsAt(account, [23 * dayMs])).toHaveLength(1);
    const told = await notices.itemOf(account);
    await rebuildProjections(rebuilding(), account.workspaceId);
    expect(await notices.itemOf(account)).toEqual(told);
  });
});

it('an account that cannot be read is reported, and the others are announced', async () => {
  const [broken] = await notices.connect(['broken', 'whole'], { refreshExpiresAt: endAfter(30 * dayMs) });
  if (!broken) throw new Error('not saved');
  await notices.table.client.send(
    new UpdateCommand({
      TableName: notices.table.name,
      Key: accountKey(broken.workspaceId, broken.id),
      UpdateExpression: 'REMOVE connectedAt',
    }),
  );
  notices.authorization.answers.refresh = failing('retry');
  notices.clock.time = noon + 23 * dayMs;
  expect(await notices.sweep()).toMatchObject({ told: 1 });
  expect(notices.reported).toContainEqual(expect.stringContaining(broken.id));
});

it('a failure of the renewals does not stop the notices', async () => {
  await notices.connectUntil(endAfter(30 * dayMs));
  notices.clock.time = noon + 23 * dayMs;
  const tokens = {
    renewDue: async () => {
      await turns();
      throw new Error('a bug');
    },
  };
  const ports = { ...notices.context(), now: () => notices.clock.time, tokens };
  expect(await sweepAccounts(ports, notices.clock.time + 5 * minuteMs)).toMatchObject({ told: 1, wait: 1 });
});

it('many accounts whose access ends together are all announced by one sweep', async () => {
  for (const first of [0, 20, 40, 60, 80, 100]) {
    const names = Array.from({ length: 20 }, (_, index) => `${platform}-${first + index}`);
    await notices.connect(names, { refreshExpiresAt: endAfter(30 * dayMs) });
  }
  notices.authorization.answers.refresh = failing('retry');
  notices.clock.time = noon + 23 * dayMs;
  expect(await notices.sweep()).toMatchObject({ told: 120 });
  expect(await notices.sweep()).toMatchObject({ told: 0 });
});
