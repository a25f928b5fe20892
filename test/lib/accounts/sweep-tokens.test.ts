import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Account,
  AccountTokens,
  disconnectAccount,
  findAccount,
  markAccount,
  sweepTokens,
} from '../../../lib/accounts/index.ts';
import { findTokens } from '../../../lib/accounts/token-store.ts';
import { saveAccounts } from '../../../lib/connections/save-accounts.ts';
import { dayMs, hourMs, minuteMs, secondMs, toTimestamp } from '../../../lib/kernel/clock.ts';
import { PlatformError, type Remedy } from '../../../lib/platforms/errors.ts';
import type { TokenSet } from '../../../lib/platforms/oauth.ts';
import { tokensKey } from '../../../lib/table/keys.ts';
import { connectable, tokenSet } from '../../support/authorization.ts';
import { type ConnectingBench, noon, openConnectingBench, platform } from '../../support/connecting.ts';

let bench: ConnectingBench;
beforeEach(async () => {
  bench = await openConnectingBench();
  bench.authorization.answers.refresh = async ({ refreshToken }) => renewed(refreshToken);
});

const renewed = (refreshToken = ''): TokenSet => tokenSet(`after ${refreshToken.at(-1)}`, bench.clock.time);

/** A sweep as one function's instance runs it: several of them share nothing but the table. */
function sweep(timeMs = 5 * minuteMs) {
  const context = {
    ...bench.context(),
    now: () => bench.clock.time,
    uniqueId: randomUUID,
    sleep: async (milliseconds: number) => {
      bench.clock.time += milliseconds;
    },
  };
  return sweepTokens({ ...context, tokens: new AccountTokens(context) }, bench.clock.time + timeMs);
}

async function connect(names: readonly string[], tokens: Partial<TokenSet> = {}): Promise<Account[]> {
  const accounts = names.map((name) =>
    connectable(name, bench.clock.time, { tokens: { ...tokenSet(name, bench.clock.time), ...tokens } }),
  );
  const { workspaceId } = bench;
  const saved = await saveAccounts(bench.context(), { workspaceId, platform }, accounts);
  if (!saved) throw new Error('not saved');
  bench.authorization.asked.length = 0;
  return saved;
}

async function connectOne(tokens: Partial<TokenSet> = {}): Promise<Account> {
  const [account] = await connect(['a'], tokens);
  if (!account) throw new Error('not saved');
  return account;
}

const stored = (account: Account) => findTokens(bench.context().table, account);
const current = (account: Account) => findAccount(bench.context().table, bench.workspaceId, account.id);
const failing =
  (remedy: Remedy, retryAfterSeconds?: number): (() => Promise<never>) =>
  async () => {
    throw new PlatformError(remedy, `the platform says ${remedy}`, { retryAfterSeconds });
  };
/** The scripted platform's tokens are renewed when they are a day old. */
const dayLater = () => {
  bench.clock.time = noon + dayMs;
};
const names = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

describe('a sweep of tokens', () => {
  it('renews what is due, long after the access token’s end, and comes back a period later', async () => {
    const account = await connectOne();
    expect(await sweep()).toMatchObject({ renewed: 0 });
    dayLater();
    expect(await sweep()).toMatchObject({ renewed: 1 });
    expect(await sweep()).toMatchObject({ renewed: 0 });
    expect(bench.authorization.asked).toEqual(['refresh secret-refresh-a']);
    bench.clock.time += dayMs;
    expect(await sweep()).toMatchObject({ renewed: 1 });
    expect(await stored(account)).toMatchObject({ version: 3 });
    expect(await bench.dump()).not.toContain('secret-');
  });

  it('leaves alone what was renewed on demand meanwhile', async () => {
    const account = await connectOne();
    bench.clock.time = noon + 12 * hourMs;
    await new AccountTokens({
      ...bench.context(),
      now: () => bench.clock.time,
      uniqueId: randomUUID,
      sleep: async () => {},
    }).accessToken(account);
    dayLater();
    expect(await sweep()).toMatchObject({ renewed: 0 });
  });

  it('renews each account once where two sweeps run at once', async () => {
    await connect(names(20));
    dayLater();
    bench.authorization.answers.refresh = async ({ refreshToken }) => {
      await delay(5);
      return renewed(refreshToken);
    };
    const counts = await Promise.all([sweep(), sweep()]);
    expect(counts.reduce((sum, count) => sum + count.renewed, 0)).toBe(20);
    expect(new Set(bench.authorization.asked).size).toBe(20);
    expect(bench.authorization.asked).toHaveLength(20);
  });

  it('asks a platform about no more than five accounts at once', async () => {
    await connect(names(24));
    dayLater();
    let under = 0;
    let most = 0;
    bench.authorization.answers.refresh = async ({ refreshToken }) => {
      under += 1;
      most = Math.max(most, under);
      await delay(200);
      under -= 1;
      return renewed(refreshToken);
    };
    expect(await sweep()).toMatchObject({ renewed: 24 });
    expect(most).toBe(5);
  });

  it('spreads accounts that were connected in one minute, and goes on where its time was too short', async () => {
    for (let first = 0; first < 500; first += 20) {
      await connect(names(20).map((name) => `${first}-${name}`));
      bench.clock.time += 2 * secondMs;
    }
    bench.authorization.answers.refresh = async ({ refreshToken }) => {
      bench.clock.time += 400;
      return renewed(refreshToken);
    };
    const perSweep: number[] = [];
    bench.clock.time = noon + 17 * hourMs;
    while (bench.clock.time < noon + 25 * hourMs) {
      const before = bench.clock.time;
      perSweep.push((await sweep(minuteMs)).renewed);
      bench.clock.time = Math.max(bench.clock.time, before + 15 * minuteMs);
    }
    expect(perSweep.reduce((sum, count) => sum + count)).toBe(500);
    expect(Math.max(...perSweep)).toBeLessThan(50);
    expect(perSweep.filter((count) => count > 0).length).toBeGreaterThanOrEqual(24);
  }, 60_000);

  it('ends in time, and the next one goes on', async () => {
    await connect(names(24));
    dayLater();
    bench.authorization.answers.refresh = async ({ refreshToken }) => {
      bench.clock.time += 10 * secondMs;
      return renewed(refreshToken);
    };
    const first = await sweep(minuteMs);
    expect(first.renewed).toBeGreaterThan(0);
    expect(first.renewed).toBeLessThan(8);
    expect(await sweep(10 * minuteMs)).toMatchObject({ renewed: 24 - first.renewed });
  });

  it('renews nothing that is younger than the platform takes it', async () => {
    Object.assign(bench.authorization.renewal, { minimumAgeSeconds: (dayMs + hourMs) / secondMs });
    await connect(names(10));
    bench.clock.time = noon + dayMs + hourMs - 1;
    expect(await sweep()).toMatchObject({ renewed: 0 });
    bench.clock.time += 1;
    expect(await sweep()).toMatchObject({ renewed: 10 });
  });

  it('leaves a disconnected account alone', async () => {
    const account = await connectOne();
    await disconnectAccount({ ...bench.context(), sleep: () => new Promise(() => {}) }, account.id);
    bench.authorization.asked.length = 0;
    dayLater();
    expect(Object.values(await sweep()).every((count) => count === 0)).toBe(true);
    expect(bench.authorization.asked).toEqual([]);
  });

  it('is held up by no item that cannot be read, and reports it', async () => {
    const [broken] = await connect(['broken', 'whole']);
    if (!broken) throw new Error('not saved');
    const { table } = bench.context();
    await table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: tokensKey(broken.workspaceId, broken.id),
        UpdateExpression: 'REMOVE ciphertext',
      }),
    );
    dayLater();
    expect(await sweep()).toMatchObject({ renewed: 1 });
    expect(bench.reported).toEqual([expect.stringContaining(broken.id)]);
  });
});

describe('where a renewal fails', () => {
  it.each<Remedy>(['retry', 'unknown', 'rejected'])(
    'for now (%s), the account stays as it is and is tried again in an hour or two',
    async (remedy) => {
      const account = await connectOne();
      const before = await current(account);
      dayLater();
      bench.authorization.answers.refresh = failing(remedy);
      expect(await sweep()).toMatchObject({ wait: 1 });
      bench.clock.time += hourMs - 1;
      expect(await sweep()).toMatchObject({ wait: 0 });
      expect(bench.authorization.asked).toHaveLength(1);
      expect(await current(account)).toEqual(before);
      bench.authorization.answers.refresh = async () => renewed();
      bench.clock.time += hourMs;
      expect(await sweep()).toMatchObject({ renewed: 1 });
      expect(await current(account)).toEqual(before);
    },
  );

  it.each([
    [3 * hourMs, 3 * hourMs],
    [9 * dayMs, dayMs],
  ])('the platform’s own wait of %d ms is kept for %d ms', async (asked, kept) => {
    await connectOne();
    dayLater();
    bench.authorization.answers.refresh = failing('retry', asked / secondMs);
    await sweep();
    bench.clock.time += kept - 1;
    expect(await sweep()).toMatchObject({ wait: 0 });
    bench.clock.time += 1;
    expect(await sweep()).toMatchObject({ wait: 1 });
  });

  it('for many one after the other, the platform is left alone until the next sweep', async () => {
    await connect(names(24));
    dayLater();
    bench.authorization.answers.refresh = failing('unknown');
    const { wait } = await sweep();
    expect(wait).toBeGreaterThanOrEqual(5);
    expect(wait).toBeLessThan(10);
    bench.authorization.answers.refresh = async () => renewed();
    expect(await sweep()).toMatchObject({ renewed: 24 - wait });
  });

  it('by a fault of our own, the account waits too and holds up no other', async () => {
    await connect(['a', 'b']);
    dayLater();
    bench.authorization.answers.refresh = async ({ refreshToken }) => {
      if (refreshToken?.endsWith('a')) throw new Error('a bug');
      return renewed(refreshToken);
    };
    expect(await sweep()).toMatchObject({ renewed: 1, wait: 1 });
    expect(bench.reported).toHaveLength(1);
  });

  it('for good, the account expires once, with the platform’s reason, and is not tried again', async () => {
    const account = await connectOne();
    dayLater();
    bench.authorization.answers.refresh = failing('reauthorise');
    const counts = await Promise.all([sweep(), sweep()]);
    expect(counts.map(({ expire }) => expire).sort()).toEqual([0, 1]);
    expect(await current(account)).toMatchObject({
      status: 'expired',
      statusMessage: 'the platform says reauthorise',
    });
    bench.clock.time += 400 * dayMs;
    expect(await sweep()).toMatchObject({ expire: 0 });
    expect(bench.authorization.asked).toHaveLength(1);
  });

  it('for good while the access token is good, the account serves to its end, says so, and expires then', async () => {
    const endsAt = toTimestamp(noon + 40 * dayMs);
    const account = await connectOne({ expiresAt: endsAt });
    dayLater();
    bench.authorization.answers.refresh = failing('reauthorise');
    expect(await sweep()).toMatchObject({ useUp: 1, expire: 0 });
    expect(await current(account)).toMatchObject({ status: 'ok', reconnectBy: endsAt });
    bench.clock.time = noon + 40 * dayMs - 1;
    expect(await sweep()).toMatchObject({ useUp: 0, expire: 0 });
    bench.clock.time += 1;
    expect(await sweep()).toMatchObject({ expire: 1 });
    expect(await current(account)).toMatchObject({ status: 'expired' });
  });

  it('for good where the access token is what is refused, the account expires at once', async () => {
    Object.assign(bench.authorization.renewal, { byAccessToken: true });
    const account = await connectOne({ expiresAt: toTimestamp(noon + 40 * dayMs) });
    dayLater();
    bench.authorization.answers.refresh = failing('reauthorise');
    expect(await sweep()).toMatchObject({ expire: 1 });
    expect(await current(account)).toMatchObject({ status: 'expired' });
  });

  it('by a restriction, the account is in error, and well again once a later renewal works', async () => {
    const account = await connectOne();
    dayLater();
    bench.authorization.answers.refresh = failing('restricted');
    expect(await sweep()).toMatchObject({ restrict: 1 });
    expect(await current(account)).toMatchObject({
      status: 'error',
      statusMessage: 'the platform says restricted',
    });
    expect(await sweep()).toMatchObject({ restrict: 0 });
    bench.authorization.answers.refresh = async () => renewed();
    bench.clock.time += dayMs;
    expect(await sweep()).toMatchObject({ renewed: 1 });
    expect(await current(account)).toMatchObject({ status: 'ok', statusMessage: null });
  });

  it('changes nothing of an account that was connected again meanwhile', async () => {
    const account = await connectOne();
    dayLater();
    bench.authorization.answers.refresh = async () => {
      await connect(['a']);
      return failing('reauthorise')();
    };
    await sweep();
    expect(await current(account)).toMatchObject({ status: 'ok' });
    bench.authorization.answers.refresh = async () => renewed();
    bench.clock.time += dayMs;
    expect(await sweep()).toMatchObject({ renewed: 1 });
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
    expect(await current(account)).toMatchObject({
      status: 'ok',
      reconnectBy: toTimestamp(noon + 60 * dayMs),
    });
    bench.authorization.answers.refresh = failing('reauthorise');
    bench.clock.time = noon + 60 * dayMs - 1;
    await sweep();
    expect(bench.authorization.asked).toEqual([]);
    bench.clock.time += 1;
    expect(await sweep()).toMatchObject({ expire: 1 });
    expect(await current(account)).toMatchObject({ status: 'expired' });
  });

  it('no longer ends once it is connected again with means to renew it', async () => {
    const account = await connectUnrenewable();
    await connectOne();
    expect(await current(account)).not.toHaveProperty('reconnectBy');
  });
});

describe('a worker that dies in the middle of a renewal', () => {
  /** Each refresh token serves once. */
  const rotating = () => {
    let good = 'secret-refresh-a';
    let turn = 0;
    bench.authorization.answers.refresh = async ({ refreshToken }) => {
      if (refreshToken !== good) return failing('reauthorise')();
      turn += 1;
      good = `secret-refresh-${turn}`;
      return tokenSet(`${turn}`, bench.clock.time);
    };
  };

  it('before the platform was asked costs nothing: the next sweep does it', async () => {
    const account = await connectOne();
    rotating();
    dayLater();
    const { refresh } = bench.authorization.answers;
    bench.authorization.answers.refresh = () => new Promise(() => {});
    void sweep();
    await expect.poll(() => bench.authorization.asked).toHaveLength(1);
    bench.authorization.answers.refresh = refresh;
    expect(await sweep()).toMatchObject({ left: 1 });
    bench.clock.time += 15 * minuteMs;
    expect(await sweep()).toMatchObject({ renewed: 1 });
    expect(await current(account)).toMatchObject({ status: 'ok' });
  });

  it('after the platform gave a new token leaves an expired account that says why, asked about once', async () => {
    const account = await connectOne();
    rotating();
    dayLater();
    const { refresh } = bench.authorization.answers;
    bench.authorization.answers.refresh = async (tokens) => {
      await refresh(tokens);
      return new Promise(() => {});
    };
    void sweep();
    await expect.poll(() => bench.authorization.asked).toHaveLength(1);
    bench.authorization.answers.refresh = refresh;
    bench.clock.time += 15 * minuteMs;
    expect(await sweep()).toMatchObject({ expire: 1 });
    expect(await current(account)).toMatchObject({
      status: 'expired',
      statusMessage: 'the platform says reauthorise An earlier renewal was cut off half-way.',
    });
    for (let sweeps = 0; sweeps < 5; sweeps += 1) {
      bench.clock.time += 10 * dayMs;
      await sweep();
    }
    expect(bench.authorization.asked).toHaveLength(2);
  });

  it('or is only slow, may store what it got when its lease is over: nobody else can get it any more', async () => {
    const account = await connectOne();
    rotating();
    dayLater();
    const { refresh } = bench.authorization.answers;
    let wakeUp = () => {};
    bench.authorization.answers.refresh = async (tokens) => {
      const fresh = await refresh(tokens);
      await new Promise<void>((resolve) => {
        wakeUp = resolve;
      });
      return fresh;
    };
    const slow = sweep();
    await expect.poll(() => bench.authorization.asked).toHaveLength(1);
    bench.authorization.answers.refresh = refresh;
    bench.clock.time += 15 * minuteMs;
    expect(await sweep()).toMatchObject({ expire: 1 });
    wakeUp();
    expect(await slow).toMatchObject({ renewed: 1 });
    expect(await current(account)).toMatchObject({ status: 'ok', statusMessage: null });
    bench.clock.time += dayMs;
    expect(await sweep()).toMatchObject({ renewed: 1 });
  });
});

it('an account that publishing found expired is well again where its tokens can be renewed after all', async () => {
  const account = await connectOne();
  await markAccount(bench.context().table, account, 'expired', 'refused once');
  dayLater();
  expect(await sweep()).toMatchObject({ renewed: 1 });
  expect(await current(account)).toMatchObject({ status: 'ok' });
});
