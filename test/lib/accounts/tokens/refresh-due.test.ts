import { setTimeout as delay } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { disconnectAccount } from '../../../../lib/accounts/disconnect.ts';
import { markAccount } from '../../../../lib/accounts/store.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../../lib/kernel/clock.ts';
import { tokensKey } from '../../../../lib/table/keys.ts';
import { noon } from '../../../support/connecting.ts';
import { names, openSweepBench, type SweepBench } from './fixture.ts';

let bench: SweepBench;
beforeEach(async () => {
  bench = await openSweepBench();
});

describe('a sweep of tokens', () => {
  it('renews what is due, long after the access token’s end, and comes back a period later', async () => {
    const account = await bench.connectOne();
    expect(await bench.sweep()).toMatchObject({ renewed: 0 });
    bench.dayLater();
    expect(await bench.sweep()).toMatchObject({ renewed: 1 });
    expect(await bench.sweep()).toMatchObject({ renewed: 0 });
    expect(bench.authorization.asked).toEqual(['refresh secret-refresh-a']);
    bench.clock.time += dayMs;
    expect(await bench.sweep()).toMatchObject({ renewed: 1 });
    expect(await bench.stored(account)).toMatchObject({ version: 3 });
    expect(await bench.dump()).not.toContain('secret-');
  });

  it('leaves alone what was renewed on demand meanwhile', async () => {
    const account = await bench.connectOne();
    bench.clock.time = noon + 12 * hourMs;
    await bench.tokens().accessToken(account);
    bench.dayLater();
    expect(await bench.sweep()).toMatchObject({ renewed: 0 });
  });

  it('renews each account once where two sweeps run at once', async () => {
    await bench.connect(names(20));
    bench.dayLater();
    bench.authorization.answers.refresh = async ({ refreshToken }) => {
      await delay(5);
      return bench.renewed(refreshToken);
    };
    const counts = await Promise.all([bench.sweep(), bench.sweep()]);
    expect(counts.reduce((sum, count) => sum + count.renewed, 0)).toBe(20);
    expect(new Set(bench.authorization.asked).size).toBe(20);
    expect(bench.authorization.asked).toHaveLength(20);
  });

  it('asks a platform about no more than five accounts at once', async () => {
    await bench.connect(names(24));
    bench.dayLater();
    let under = 0;
    let most = 0;
    bench.authorization.answers.refresh = async ({ refreshToken }) => {
      under += 1;
      most = Math.max(most, under);
      await delay(200);
      under -= 1;
      return bench.renewed(refreshToken);
    };
    expect(await bench.sweep()).toMatchObject({ renewed: 24 });
    expect(most).toBe(5);
  });

  it('spreads accounts that were connected in one minute, and goes on where its time was too short', async () => {
    for (let first = 0; first < 500; first += 20) {
      await bench.connect(names(20).map((name) => `${first}-${name}`));
      bench.clock.time += 2 * secondMs;
    }
    bench.authorization.answers.refresh = async ({ refreshToken }) => {
      bench.clock.time += 400;
      return bench.renewed(refreshToken);
    };
    const perSweep: number[] = [];
    bench.clock.time = noon + 17 * hourMs;
    while (bench.clock.time < noon + 25 * hourMs) {
      const before = bench.clock.time;
      perSweep.push((await bench.sweep(minuteMs)).renewed);
      bench.clock.time = Math.max(bench.clock.time, before + 15 * minuteMs);
    }
    expect(perSweep.reduce((sum, count) => sum + count)).toBe(500);
    expect(Math.max(...perSweep)).toBeLessThan(50);
    expect(perSweep.filter((count) => count > 0).length).toBeGreaterThanOrEqual(24);
  }, 60_000);

  it('ends in time, and the next one goes on', async () => {
    await bench.connect(names(24));
    bench.dayLater();
    bench.authorization.answers.refresh = async ({ refreshToken }) => {
      bench.clock.time += 10 * secondMs;
      return bench.renewed(refreshToken);
    };
    const first = await bench.sweep(minuteMs);
    expect(first.renewed).toBeGreaterThan(0);
    expect(first.renewed).toBeLessThan(8);
    expect(await bench.sweep(10 * minuteMs)).toMatchObject({ renewed: 24 - first.renewed });
  });

  it('renews nothing that is younger than the platform takes it', async () => {
    Object.assign(bench.authorization.renewal, { minimumAgeSeconds: (dayMs + hourMs) / secondMs });
    await bench.connect(names(10));
    bench.clock.time = noon + dayMs + hourMs - 1;
    expect(await bench.sweep()).toMatchObject({ renewed: 0 });
    bench.clock.time += 1;
    expect(await bench.sweep()).toMatchObject({ renewed: 10 });
  });

  it('leaves a disconnected account alone', async () => {
    const account = await bench.connectOne();
    await disconnectAccount({ ...bench.context(), sleep: () => new Promise(() => {}) }, account.id);
    bench.authorization.asked.length = 0;
    bench.dayLater();
    expect(Object.values(await bench.sweep()).every((count) => count === 0)).toBe(true);
    expect(bench.authorization.asked).toEqual([]);
  });

  it('is held up by no item that cannot be read, and reports it', async () => {
    const [broken] = await bench.connect(['broken', 'whole']);
    if (!broken) throw new Error('not saved');
    const { table } = bench.context();
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: tokensKey(broken.workspaceId, broken.id),
        UpdateExpression: 'REMOVE ciphertext',
      }),
    );
    bench.dayLater();
    expect(await bench.sweep()).toMatchObject({ renewed: 1 });
    expect(bench.reported).toEqual([expect.stringContaining(broken.id)]);
  });
});

it('an account that publishing found expired is well again where its tokens can be renewed after all', async () => {
  const account = await bench.connectOne();
  await markAccount(bench.context().table, account, 'expired', 'refused once');
  bench.dayLater();
  expect(await bench.sweep()).toMatchObject({ renewed: 1 });
  expect(await bench.current(account)).toMatchObject({ status: 'ok' });
});
