import { beforeEach, describe, expect, it } from 'vitest';
import { saveAccounts } from '../../../../lib/connections/save-accounts.ts';
import { dayMs, hourMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import type { Remedy } from '../../../../lib/platforms/contract/errors.ts';
import { connectable, tokenSet } from '../../../support/authorization.ts';
import { noon, platform } from '../../../support/connecting.ts';
import { failing, names, openSweepBench, type SweepBench } from './fixture.ts';

let bench: SweepBench;
beforeEach(async () => {
  bench = await openSweepBench();
});

describe('where a renewal fails', () => {
  it.each<Remedy>(['retry', 'unknown', 'rejected'])(
    'for now (%s), the account stays as it is and is tried again in an hour or two',
    async (remedy) => {
      const account = await bench.connectOne();
      const before = await bench.current(account);
      bench.dayLater();
      bench.authorization.answers.refresh = failing(remedy);
      expect(await bench.sweep()).toMatchObject({ wait: 1 });
      bench.clock.time += hourMs - 1;
      expect(await bench.sweep()).toMatchObject({ wait: 0 });
      expect(bench.authorization.asked).toHaveLength(1);
      expect(await bench.current(account)).toEqual(before);
      bench.authorization.answers.refresh = async () => bench.renewed();
      bench.clock.time += hourMs;
      expect(await bench.sweep()).toMatchObject({ renewed: 1 });
      expect(await bench.current(account)).toEqual(before);
    },
  );

  it.each([
    [3 * hourMs, 3 * hourMs],
    [9 * dayMs, dayMs],
  ])('the platform’s own wait of %d ms is kept for %d ms', async (asked, kept) => {
    await bench.connectOne();
    bench.dayLater();
    bench.authorization.answers.refresh = failing('retry', asked / secondMs);
    await bench.sweep();
    bench.clock.time += kept - 1;
    expect(await bench.sweep()).toMatchObject({ wait: 0 });
    bench.clock.time += 1;
    expect(await bench.sweep()).toMatchObject({ wait: 1 });
  });

  it('for many one after the other, the platform is left alone until the next sweep', async () => {
    await bench.connect(names(24));
    bench.dayLater();
    bench.authorization.answers.refresh = failing('unknown');
    const { wait } = await bench.sweep();
    expect(wait).toBeGreaterThanOrEqual(5);
    expect(wait).toBeLessThan(10);
    bench.authorization.answers.refresh = async () => bench.renewed();
    expect(await bench.sweep()).toMatchObject({ renewed: 24 - wait });
  });

  it('by a fault of our own, the account waits too and holds up no other', async () => {
    await bench.connect(['a', 'b']);
    bench.dayLater();
    bench.authorization.answers.refresh = async ({ refreshToken }) => {
      if (refreshToken?.endsWith('a')) throw new Error('a bug');
      return bench.renewed(refreshToken);
    };
    expect(await bench.sweep()).toMatchObject({ renewed: 1, wait: 1 });
    expect(bench.reported).toHaveLength(1);
  });

  it('for good, the account expires once, with the platform’s reason, and is not tried again', async () => {
    const account = await bench.connectOne();
    bench.dayLater();
    bench.authorization.answers.refresh = failing('reauthorise');
    // The later of two sweeps may ask once more before it sees what the other wrote.
    const counts = await Promise.all([bench.sweep(), bench.sweep()]);
    expect(counts.map(({ expire }) => expire)).toContain(1);
    const askedCount = bench.authorization.asked.length;
    expect(await bench.current(account)).toMatchObject({
      status: 'expired',
      statusMessage: 'the platform says reauthorise',
    });
    bench.clock.time += 400 * dayMs;
    expect(await bench.sweep()).toMatchObject({ expire: 0 });
    expect(bench.authorization.asked).toHaveLength(askedCount);
  });

  it('for good while the access token is good, the account serves to its end, says so, and expires then', async () => {
    const endsAt = toTimestamp(noon + 40 * dayMs);
    const account = await bench.connectOne({ expiresAt: endsAt });
    bench.dayLater();
    bench.authorization.answers.refresh = failing('reauthorise');
    expect(await bench.sweep()).toMatchObject({ useUp: 1, expire: 0 });
    expect(await bench.current(account)).toMatchObject({ status: 'ok', reconnectBy: endsAt });
    bench.clock.time = noon + 40 * dayMs - 1;
    expect(await bench.sweep()).toMatchObject({ useUp: 0, expire: 0 });
    bench.clock.time += 1;
    expect(await bench.sweep()).toMatchObject({ expire: 1 });
    expect(await bench.current(account)).toMatchObject({ status: 'expired' });
  });

  it('for good where the access token is what is refused, the account expires at once', async () => {
    Object.assign(bench.authorization.renewal, { byAccessToken: true });
    const account = await bench.connectOne({ expiresAt: toTimestamp(noon + 40 * dayMs) });
    bench.dayLater();
    bench.authorization.answers.refresh = failing('reauthorise');
    expect(await bench.sweep()).toMatchObject({ expire: 1 });
    expect(await bench.current(account)).toMatchObject({ status: 'expired' });
  });

  it('by a restriction, the account is in error, and well again once a later renewal works', async () => {
    const account = await bench.connectOne();
    bench.dayLater();
    bench.authorization.answers.refresh = failing('restricted');
    expect(await bench.sweep()).toMatchObject({ restrict: 1 });
    expect(await bench.current(account)).toMatchObject({
      status: 'error',
      statusMessage: 'the platform says restricted',
    });
    expect(await bench.sweep()).toMatchObject({ restrict: 0 });
    bench.authorization.answers.refresh = async () => bench.renewed();
    bench.clock.time += dayMs;
    expect(await bench.sweep()).toMatchObject({ renewed: 1 });
    expect(await bench.current(account)).toMatchObject({ status: 'ok', statusMessage: null });
  });

  it('changes nothing of an account that was connected again meanwhile', async () => {
    const account = await bench.connectOne();
    bench.dayLater();
    bench.authorization.answers.refresh = async () => {
      await bench.connect(['a']);
      return failing('reauthorise')();
    };
    await bench.sweep();
    expect(await bench.current(account)).toMatchObject({ status: 'ok' });
    bench.authorization.answers.refresh = async () => bench.renewed();
    bench.clock.time += dayMs;
    expect(await bench.sweep()).toMatchObject({ renewed: 1 });
  });
});

describe('an authorization that cannot be renewed', () => {
  const connectUnrenewable = async () => {
    const { refreshToken: _, ...tokens } = tokenSet('a', noon, { expiresAt: toTimestamp(noon + 60 * dayMs) });
    const accounts = [connectable('a', noon, { tokens })];
    const origin = { workspaceId: bench.workspaceId, platform };
    const [account] = (await saveAccounts(bench.context(), origin, accounts)) ?? [];
    if (!account) throw new Error('not saved');
    bench.authorization.asked.length = 0;
    return account;
  };

  it('is said to end from the first day, and expires at its end and not before', async () => {
    const account = await connectUnrenewable();
    expect(await bench.current(account)).toMatchObject({
      status: 'ok',
      reconnectBy: toTimestamp(noon + 60 * dayMs),
    });
    bench.authorization.answers.refresh = failing('reauthorise');
    bench.clock.time = noon + 60 * dayMs - 1;
    await bench.sweep();
    expect(bench.authorization.asked).toEqual([]);
    bench.clock.time += 1;
    expect(await bench.sweep()).toMatchObject({ expire: 1 });
    expect(await bench.current(account)).toMatchObject({ status: 'expired' });
  });

  it('no longer ends once it is connected again with means to renew it', async () => {
    const account = await connectUnrenewable();
    await bench.connectOne();
    expect(await bench.current(account)).not.toHaveProperty('reconnectBy');
  });
});
