import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { disconnectAccount } from '../../../../lib/accounts/disconnect.ts';
import type { Account } from '../../../../lib/accounts/schemas.ts';
import { findAccount, markAccount } from '../../../../lib/accounts/store.ts';
import { AccountTokens } from '../../../../lib/accounts/tokens/access-tokens.ts';
import { findTokens } from '../../../../lib/accounts/tokens/store.ts';
import { hourMs, minuteMs, secondMs } from '../../../../lib/kernel/clock.ts';
import { PlatformError, type Remedy } from '../../../../lib/platforms/contract/errors.ts';
import { connectable, tokenSet } from '../../../support/authorization.ts';
import { type ConnectingBench, noon, openConnectingBench } from '../../../support/connecting.ts';

let bench: ConnectingBench;
let account: Account;
beforeEach(async () => {
  bench = await openConnectingBench();
  bench.authorization.answers.exchange = async () => [connectable('old', bench.clock.time)];
  bench.authorization.answers.refresh = async () => tokenSet('new', bench.clock.time);
  account = await bench.connect();
  bench.authorization.asked.length = 0;
});

/** As one function's instance has it: several of them share nothing but the table. */
const tokens = (): AccountTokens =>
  new AccountTokens({
    ...bench.context(),
    now: () => bench.clock.time,
    uniqueId: randomUUID,
    sleep: async (milliseconds) => {
      bench.clock.time += milliseconds;
      await delay(1);
    },
  });

const stored = () => findTokens(bench.context().table, account);
const current = () => findAccount(bench.context().table, bench.workspaceId, account.id);
const failing = (remedy: Remedy) => async () => {
  throw new PlatformError(remedy, `the platform says ${remedy}`);
};
/** Tokens last an hour from noon and are renewed from five minutes before their end. */
const minutesBeforeTheEnd = (minutes: number) => {
  bench.clock.time = noon + hourMs - minutes * minuteMs;
};

describe('asking for an access token', () => {
  it('opens the stored one while it is good', async () => {
    minutesBeforeTheEnd(6);
    expect(await tokens().accessToken(account)).toBe('secret-access-old');
    expect(bench.authorization.asked).toEqual([]);
  });

  it('opens one without an end at any time', async () => {
    bench.authorization.answers.exchange = async () => {
      const { expiresAt: _, ...endless } = tokenSet('endless', bench.clock.time);
      return [connectable('old', bench.clock.time, { tokens: endless })];
    };
    await bench.connect();
    bench.clock.time += 10_000 * hourMs;
    expect(await tokens().accessToken(account)).toBe('secret-access-endless');
  });

  it.each([5, 1, 0, -600])('renews it %d minutes before its end and stores the new one', async (minutes) => {
    minutesBeforeTheEnd(minutes);
    expect(await tokens().accessToken(account)).toBe('secret-access-new');
    expect(await tokens().accessToken(account)).toBe('secret-access-new');
    expect(bench.authorization.asked).toEqual(['refresh secret-refresh-old']);
    expect(await stored()).toMatchObject({ version: 2 });
    expect(await stored()).not.toHaveProperty('refreshLeaseUntil');
    expect(await bench.dump()).not.toContain('secret-');
  });

  it('renews what another worker has not: the item that was read may be out of date', async () => {
    const read = await stored();
    minutesBeforeTheEnd(1);
    await tokens().accessToken(account, read);
    expect(await tokens().accessToken(account, read)).toBe('secret-access-new');
    expect(bench.authorization.asked).toHaveLength(1);
  });

  it.each([
    ['is over', 0, ['secret-access-new']],
    ['is about to end', 1, ['secret-access-new']],
    ['is still good', 4, ['secret-access-new', 'secret-access-old']],
  ])('refreshes once where ten ask at once and the present one %s', async (_when, minutes, allowed) => {
    minutesBeforeTheEnd(minutes);
    bench.authorization.answers.refresh = async () => {
      await delay(20);
      return tokenSet('new', bench.clock.time);
    };
    const given = await Promise.all(Array.from({ length: 10 }, () => tokens().accessToken(account)));
    expect(bench.authorization.asked).toEqual(['refresh secret-refresh-old']);
    expect([...new Set(given)].filter((token) => !allowed.includes(token))).toEqual([]);
    expect(await stored()).toMatchObject({ version: 2 });
  });

  it.each<Remedy>(['retry', 'unknown', 'rejected'])(
    'changes nothing where the refresh fails with %s, and says that it may be tried again',
    async (remedy) => {
      minutesBeforeTheEnd(1);
      bench.authorization.answers.refresh = failing(remedy);
      const before = await bench.items();
      await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy: 'retry' });
      expect(await bench.items()).toEqual(before);
      bench.authorization.answers.refresh = async () => tokenSet('new', bench.clock.time);
      expect(await tokens().accessToken(account)).toBe('secret-access-new');
    },
  );

  it.each<Remedy>(['reauthorise', 'restricted'])('passes on that the account is %s', async (remedy) => {
    minutesBeforeTheEnd(1);
    bench.authorization.answers.refresh = failing(remedy);
    await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy });
  });

  it.each<Remedy>(['retry', 'reauthorise'])(
    'uses up what is good when its refresh fails with %s',
    async (remedy) => {
      minutesBeforeTheEnd(4);
      bench.authorization.answers.refresh = failing(remedy);
      expect(await tokens().accessToken(account)).toBe('secret-access-old');
    },
  );

  it('takes over from a worker that died, once its lease is over', async () => {
    minutesBeforeTheEnd(1);
    bench.authorization.answers.refresh = () => new Promise(() => {});
    void tokens().accessToken(account);
    await expect.poll(() => bench.authorization.asked).toHaveLength(1);
    await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy: 'retry' });
    bench.clock.time += minuteMs;
    bench.authorization.answers.refresh = async () => tokenSet('new', bench.clock.time);
    expect(await tokens().accessToken(account)).toBe('secret-access-new');
  });

  it('leaves alone what was connected again during the refresh', async () => {
    minutesBeforeTheEnd(1);
    bench.authorization.answers.refresh = async () => {
      bench.authorization.answers.exchange = async () => [
        connectable('old', bench.clock.time, { tokens: tokenSet('again', bench.clock.time) }),
      ];
      await bench.connect();
      return tokenSet('new', bench.clock.time);
    };
    expect(await tokens().accessToken(account)).toBe('secret-access-again');
    expect(await tokens().accessToken(account)).toBe('secret-access-again');
  });

  it('asks to connect again where the account is disconnected', async () => {
    await disconnectAccount({ ...bench.context(), sleep: () => new Promise(() => {}) }, account.id);
    await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy: 'reauthorise' });
    expect(await tokens().renewToken(account)).toBe(false);
  });
});

describe('renewing a token that the platform refused', () => {
  it('gets a new one though the present one is not over', async () => {
    bench.clock.time += 10 * minuteMs;
    expect(await tokens().renewToken(account)).toBe(true);
    expect(await tokens().accessToken(account)).toBe('secret-access-new');
  });

  it('is no use within a minute of getting it', async () => {
    bench.clock.time += minuteMs - secondMs;
    expect(await tokens().renewToken(account)).toBe(false);
    expect(bench.authorization.asked).toEqual([]);
  });

  it('is no use before the platform’s minimum age', async () => {
    Object.assign(bench.authorization.renewal, { minimumAgeSeconds: 86_400 });
    bench.clock.time += 23 * hourMs;
    expect(await tokens().renewToken(account)).toBe(false);
    bench.clock.time += hourMs;
    expect(await tokens().renewToken(account)).toBe(true);
  });

  it('is not needed where another worker has done it since the token was read', async () => {
    const read = await stored();
    bench.clock.time += 10 * minuteMs;
    await tokens().renewToken(account);
    expect(await tokens().renewToken(account, read)).toBe(true);
    expect(bench.authorization.asked).toHaveLength(1);
  });

  it('is refused where only the owner can help', async () => {
    bench.clock.time += 10 * minuteMs;
    bench.authorization.answers.refresh = failing('reauthorise');
    expect(await tokens().renewToken(account)).toBe(false);
  });

  it('changes nothing where the refresh fails for now', async () => {
    bench.clock.time += 10 * minuteMs;
    bench.authorization.answers.refresh = failing('unknown');
    const before = await bench.items();
    await expect(tokens().renewToken(account)).rejects.toMatchObject({ remedy: 'retry' });
    expect(await bench.items()).toEqual(before);
  });
});

describe('an account’s status', () => {
  const mark = (status: 'expired' | 'error', reason: string, of = account) =>
    markAccount(bench.context().table, of, status, reason);

  it('changes once for each status, with the first reason', async () => {
    expect(await mark('expired', 'first')).toBe(true);
    expect(await mark('expired', 'second')).toBe(false);
    expect(await current()).toMatchObject({ status: 'expired', statusMessage: 'first' });
  });

  it('changes once where many workers find out at once', async () => {
    const changed = await Promise.all(Array.from({ length: 8 }, () => mark('expired', 'revoked')));
    expect(changed.filter(Boolean)).toHaveLength(1);
  });

  it('is ok again once it is connected again, and an older refusal no longer counts', async () => {
    await mark('expired', 'revoked');
    bench.clock.time += minuteMs;
    await bench.connect();
    expect(await mark('expired', 'of the old token')).toBe(false);
    expect(await current()).toMatchObject({ status: 'ok', statusMessage: null });
  });

  it.each([
    ['expired', 'ok'],
    ['error', 'ok'],
  ] as const)('after a refresh that works: %s becomes %s', async (before, after) => {
    await mark(before, 'a reason');
    bench.clock.time += 10 * minuteMs;
    const marked = await current();
    if (!marked) throw new Error('the account is gone');
    await tokens().renewToken(marked);
    expect(await current()).toMatchObject({ status: after });
  });

  it('of a disconnected account stays', async () => {
    await disconnectAccount({ ...bench.context(), sleep: () => new Promise(() => {}) }, account.id);
    expect(await mark('expired', 'revoked')).toBe(false);
  });
});
