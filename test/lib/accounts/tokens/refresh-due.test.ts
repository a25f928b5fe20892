import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { disconnectAccount } from '../../../../lib/accounts/disconnect.ts';
import { markAccount } from '../../../../lib/accounts/store.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../lib/kernel/clock.ts';
import { tokensKey } from '../../../../lib/table/keys.ts';
import { noon } from '../../../support/connecting.ts';
import { turns } from '../../../support/turns.ts';
import { names, openSweepFixture, type SweepFixture } from './fixture.ts';

let fixture: SweepFixture;
beforeEach(async () => {
  fixture = await openSweepFixture();
});

describe('a sweep of tokens', () => {
  it('renews what is due, long after the access token expired, and again one period later', async () => {
    const account = await fixture.connectOne();
    expect(await fixture.sweep()).toMatchObject({ renewed: 0 });
    fixture.dayLater();
    expect(await fixture.sweep()).toMatchObject({ renewed: 1 });
    expect(await fixture.sweep()).toMatchObject({ renewed: 0 });
    expect(fixture.authorization.asked).toEqual(['refresh secret-refresh-a']);
    fixture.clock.time += dayMs;
    expect(await fixture.sweep()).toMatchObject({ renewed: 1 });
    expect(await fixture.stored(account)).toMatchObject({ version: 3 });
    expect(await fixture.dump()).not.toContain('secret-');
  });

  it('leaves alone what was renewed on demand in the meantime', async () => {
    const account = await fixture.connectOne();
    fixture.clock.time = noon + 12 * hourMs;
    await fixture.tokens().accessToken(account);
    fixture.dayLater();
    expect(await fixture.sweep()).toMatchObject({ renewed: 0 });
  });

  it('renews each account once if two sweeps run concurrently', async () => {
    await fixture.connect(names(20));
    fixture.dayLater();
    fixture.authorization.answers.refresh = async ({ refreshToken }) => {
      await turns();
      return fixture.renewed(refreshToken);
    };
    const counts = await Promise.all([fixture.sweep(), fixture.sweep()]);
    expect(counts.reduce((sum, count) => sum + count.renewed, 0)).toBe(20);
    expect(new Set(fixture.authorization.asked).size).toBe(20);
    expect(fixture.authorization.asked).toHaveLength(20);
  });

  it('renews at most five accounts of a platform concurrently', async () => {
    await fixture.connect(names(24));
    fixture.dayLater();
    let begun = 0;
    let running = 0;
    let maxRunning = 0;
    const lastOfFive = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
    fixture.authorization.answers.refresh = async ({ refreshToken }) => {
      const five = lastOfFive[Math.floor(begun / 5)];
      begun += 1;
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      if (begun % 5 === 0 || begun === 24) five?.resolve();
      await five?.promise;
      // A sixth would begin meanwhile.
      await turns();
      running -= 1;
      return fixture.renewed(refreshToken);
    };
    expect(await fixture.sweep()).toMatchObject({ renewed: 24 });
    expect(maxRunning).toBe(5);
  });

  it('spreads accounts that were connected within a minute, and continues what an earlier sweep had no time for', async () => {
    for (let first = 0; first < 500; first += 20) {
      await fixture.connect(names(20).map((name) => `${first}-${name}`));
      fixture.clock.time += 2 * secondMs;
    }
    fixture.authorization.answers.refresh = async ({ refreshToken }) => {
      fixture.clock.time += 400;
      return fixture.renewed(refreshToken);
    };
    const perSweep: number[] = [];
    fixture.clock.time = noon + 17 * hourMs;
    while (fixture.clock.time < noon + 25 * hourMs) {
      const before = fixture.clock.time;
      perSweep.push((await fixture.sweep(minuteMs)).renewed);
      fixture.clock.time = Math.max(fixture.clock.time, before + 15 * minuteMs);
    }
    expect(perSweep.reduce((sum, count) => sum + count)).toBe(500);
    expect(Math.max(...perSweep)).toBeLessThan(50);
    expect(perSweep.filter((count) => count > 0).length).toBeGreaterThanOrEqual(24);
  });

  it('ends in time, and the next sweep continues', async () => {
    await fixture.connect(names(24));
    fixture.dayLater();
    fixture.authorization.answers.refresh = async ({ refreshToken }) => {
      fixture.clock.time += 10 * secondMs;
      return fixture.renewed(refreshToken);
    };
    const first = await fixture.sweep(minuteMs);
    expect(first.renewed).toBeGreaterThan(0);
    expect(first.renewed).toBeLessThan(8);
    expect(await fixture.sweep(10 * minuteMs)).toMatchObject({ renewed: 24 - first.renewed });
  });

  it('renews nothing younger than the platform’s minimum age', async () => {
    Object.assign(fixture.authorization.renewal, { minimumAgeSeconds: (dayMs + hourMs) / secondMs });
    await fixture.connect(names(10));
    fixture.clock.time = noon + dayMs + hourMs - 1;
    expect(await fixture.sweep()).toMatchObject({ renewed: 0 });
    fixture.clock.time += 1;
    expect(await fixture.sweep()).toMatchObject({ renewed: 10 });
  });

  it('leaves a disconnected account alone', async () => {
    const account = await fixture.connectOne();
    await disconnectAccount({ ...fixture.context(), sleep: () => new Promise(() => {}) }, account.id);
    fixture.authorization.asked.length = 0;
    fixture.dayLater();
    expect(Object.values(await fixture.sweep()).every((count) => count === 0)).toBe(true);
    expect(fixture.authorization.asked).toEqual([]);
  });

  it('skips and reports an item that cannot be read', async () => {
    const [broken] = await fixture.connect(['broken', 'whole']);
    if (!broken) throw new Error('not saved');
    const { table } = fixture.context();
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: tokensKey(broken.workspaceId, broken.id),
        UpdateExpression: 'REMOVE ciphertext',
      }),
    );
    fixture.dayLater();
    expect(await fixture.sweep()).toMatchObject({ renewed: 1 });
    expect(fixture.reported).toEqual([expect.stringContaining(broken.id)]);
  });
});

it('sets an account that publishing marked as expired to ok if its tokens can be renewed', async () => {
  const account = await fixture.connectOne();
  await markAccount(fixture.context().table, account, 'expired', 'refused once', fixture.clock.time);
  fixture.dayLater();
  expect(await fixture.sweep()).toMatchObject({ renewed: 1 });
  expect(await fixture.current(account)).toMatchObject({ status: 'ok' });
});
