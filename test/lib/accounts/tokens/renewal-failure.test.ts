import { beforeEach, describe, expect, it } from 'vitest';
import { saveAccounts } from '../../../../lib/connections/save-accounts.ts';
import { dayMs, hourMs, secondMs, toTimestamp } from '../../../../lib/kernel/clock.ts';
import type { Remedy } from '../../../../lib/platforms/contract/errors.ts';
import { connectable, tokenSet } from '../../../support/authorization.ts';
import { noon, platform } from '../../../support/connecting.ts';
import { failing, names, openSweepFixture, type SweepFixture } from './fixture.ts';

let fixture: SweepFixture;
beforeEach(async () => {
  fixture = await openSweepFixture();
});

describe('if a renewal fails', () => {
  it.each<Remedy>(['retry', 'unknown', 'rejected'])(
    'temporarily (%s), the account stays as it is and is tried again in one to two hours',
    async (remedy) => {
      const account = await fixture.connectOne();
      const before = await fixture.current(account);
      fixture.dayLater();
      fixture.authorization.answers.refresh = failing(remedy);
      expect(await fixture.sweep()).toMatchObject({ wait: 1 });
      fixture.clock.time += hourMs - 1;
      expect(await fixture.sweep()).toMatchObject({ wait: 0 });
      expect(fixture.authorization.asked).toHaveLength(1);
      expect(await fixture.current(account)).toEqual(before);
      fixture.authorization.answers.refresh = async () => fixture.renewed();
      fixture.clock.time += hourMs;
      expect(await fixture.sweep()).toMatchObject({ renewed: 1 });
      expect(await fixture.current(account)).toEqual(before);
    },
  );

  it.each([
    [3 * hourMs, 3 * hourMs],
    [9 * dayMs, dayMs],
  ])('the platform’s requested wait of %d ms is honored for %d ms', async (asked, kept) => {
    await fixture.connectOne();
    fixture.dayLater();
    fixture.authorization.answers.refresh = failing('retry', asked / secondMs);
    await fixture.sweep();
    fixture.clock.time += kept - 1;
    expect(await fixture.sweep()).toMatchObject({ wait: 0 });
    fixture.clock.time += 1;
    expect(await fixture.sweep()).toMatchObject({ wait: 1 });
  });

  it('temporarily for many accounts in a row, the sweep stops calling the platform', async () => {
    await fixture.connect(names(24));
    fixture.dayLater();
    fixture.authorization.answers.refresh = failing('unknown');
    const { wait } = await fixture.sweep();
    expect(wait).toBeGreaterThanOrEqual(5);
    expect(wait).toBeLessThan(10);
    fixture.authorization.answers.refresh = async () => fixture.renewed();
    expect(await fixture.sweep()).toMatchObject({ renewed: 24 - wait });
  });

  it('because of a bug of our own, the account waits too and the others are renewed', async () => {
    await fixture.connect(['a', 'b']);
    fixture.dayLater();
    fixture.authorization.answers.refresh = async ({ refreshToken }) => {
      if (refreshToken?.endsWith('a')) throw new Error('a bug');
      return fixture.renewed(refreshToken);
    };
    expect(await fixture.sweep()).toMatchObject({ renewed: 1, wait: 1 });
    expect(fixture.reported).toHaveLength(1);
  });

  it('permanently, the account expires once, with the platform’s reason, and is not tried again', async () => {
    const account = await fixture.connectOne();
    fixture.dayLater();
    fixture.authorization.answers.refresh = failing('reauthorise');
    // The later of two sweeps may call the platform once more before it sees what the other wrote.
    const counts = await Promise.all([fixture.sweep(), fixture.sweep()]);
    expect(counts.map(({ expire }) => expire)).toContain(1);
    const askedCount = fixture.authorization.asked.length;
    expect(await fixture.current(account)).toMatchObject({
      status: 'expired',
      statusMessage: 'the platform says reauthorise [while renewing the access token]',
    });
    fixture.clock.time += 400 * dayMs;
    expect(await fixture.sweep()).toMatchObject({ expire: 0 });
    expect(fixture.authorization.asked).toHaveLength(askedCount);
  });

  it('permanently while the access token is valid, the account works until then, reports it, and expires then', async () => {
    const endsAt = toTimestamp(noon + 40 * dayMs);
    const account = await fixture.connectOne({ expiresAt: endsAt });
    fixture.dayLater();
    fixture.authorization.answers.refresh = failing('reauthorise');
    expect(await fixture.sweep()).toMatchObject({ useUp: 1, expire: 0 });
    expect(await fixture.current(account)).toMatchObject({ status: 'ok', reconnectBy: endsAt });
    fixture.clock.time = noon + 40 * dayMs - 1;
    expect(await fixture.sweep()).toMatchObject({ useUp: 0, expire: 0 });
    fixture.clock.time += 1;
    expect(await fixture.sweep()).toMatchObject({ expire: 1 });
    expect(await fixture.current(account)).toMatchObject({ status: 'expired' });
  });

  it('permanently and the access token is what the platform refused, the account expires immediately', async () => {
    Object.assign(fixture.authorization.renewal, { byAccessToken: true });
    const account = await fixture.connectOne({ expiresAt: toTimestamp(noon + 40 * dayMs) });
    fixture.dayLater();
    fixture.authorization.answers.refresh = failing('reauthorise');
    expect(await fixture.sweep()).toMatchObject({ expire: 1 });
    expect(await fixture.current(account)).toMatchObject({ status: 'expired' });
  });

  it('because of a restriction, the account has status `error`, and is `ok` once a later renewal works', async () => {
    const account = await fixture.connectOne();
    fixture.dayLater();
    fixture.authorization.answers.refresh = failing('restricted');
    expect(await fixture.sweep()).toMatchObject({ restrict: 1 });
    expect(await fixture.current(account)).toMatchObject({
      status: 'error',
      statusMessage: 'the platform says restricted [while renewing the access token]',
    });
    expect(await fixture.sweep()).toMatchObject({ restrict: 0 });
    fixture.authorization.answers.refresh = async () => fixture.renewed();
    fixture.clock.time += dayMs;
    expect(await fixture.sweep()).toMatchObject({ renewed: 1 });
    expect(await fixture.current(account)).toMatchObject({ status: 'ok', statusMessage: null });
  });

  it('an account that was connected again in the meantime is not changed', async () => {
    const account = await fixture.connectOne();
    fixture.dayLater();
    fixture.authorization.answers.refresh = async () => {
      await fixture.connect(['a']);
      return failing('reauthorise')();
    };
    await fixture.sweep();
    expect(await fixture.current(account)).toMatchObject({ status: 'ok' });
    fixture.authorization.answers.refresh = async () => fixture.renewed();
    fixture.clock.time += dayMs;
    expect(await fixture.sweep()).toMatchObject({ renewed: 1 });
  });
});

describe('an authorization that cannot be renewed', () => {
  const connectUnrenewable = async () => {
    const { refreshToken: _, ...tokens } = tokenSet('a', noon, { expiresAt: toTimestamp(noon + 60 * dayMs) });
    const accounts = [connectable('a', noon, { tokens })];
    const origin = { workspaceId: fixture.workspaceId, platform };
    const [account] = (await saveAccounts(fixture.context(), origin, accounts)) ?? [];
    if (!account) throw new Error('not saved');
    fixture.authorization.asked.length = 0;
    return account;
  };

  it('has its end announced from the first day, and expires then and not before', async () => {
    const account = await connectUnrenewable();
    expect(await fixture.current(account)).toMatchObject({
      status: 'ok',
      reconnectBy: toTimestamp(noon + 60 * dayMs),
    });
    fixture.authorization.answers.refresh = failing('reauthorise');
    fixture.clock.time = noon + 60 * dayMs - 1;
    await fixture.sweep();
    expect(fixture.authorization.asked).toEqual([]);
    fixture.clock.time += 1;
    expect(await fixture.sweep()).toMatchObject({ expire: 1 });
    expect(await fixture.current(account)).toMatchObject({ status: 'expired' });
  });

  it('no longer has an end once the account is connected again with a refresh token', async () => {
    const account = await connectUnrenewable();
    await fixture.connectOne();
    expect(await fixture.current(account)).not.toHaveProperty('reconnectBy');
  });
});
