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
import { type ConnectingFixture, noon, openConnectingFixture } from '../../../support/connecting.ts';

let fixture: ConnectingFixture;
let account: Account;
beforeEach(async () => {
  fixture = await openConnectingFixture();
  fixture.authorization.answers.exchange = async () => [connectable('old', fixture.clock.time)];
  fixture.authorization.answers.refresh = async () => tokenSet('new', fixture.clock.time);
  account = await fixture.connect();
  fixture.authorization.asked.length = 0;
});

/** As one function's instance has it: several of them share nothing but the table. */
const tokens = (): AccountTokens =>
  new AccountTokens({
    ...fixture.context(),
    now: () => fixture.clock.time,
    uniqueId: randomUUID,
    sleep: async (milliseconds) => {
      fixture.clock.time += milliseconds;
      await delay(1);
    },
  });

const stored = () => findTokens(fixture.context().table, account);
const current = () => findAccount(fixture.context().table, fixture.workspaceId, account.id);
const failing = (remedy: Remedy) => async () => {
  throw new PlatformError(remedy, `the platform says ${remedy}`);
};
/** Tokens last an hour from noon and are renewed from five minutes before their end. */
const minutesBeforeTheEnd = (minutes: number) => {
  fixture.clock.time = noon + hourMs - minutes * minuteMs;
};

describe('asking for an access token', () => {
  it('opens the stored one while it is good', async () => {
    minutesBeforeTheEnd(6);
    expect(await tokens().accessToken(account)).toBe('secret-access-old');
    expect(fixture.authorization.asked).toEqual([]);
  });

  it('opens one without an end at any time', async () => {
    fixture.authorization.answers.exchange = async () => {
      const { expiresAt: _, ...endless } = tokenSet('endless', fixture.clock.time);
      return [connectable('old', fixture.clock.time, { tokens: endless })];
    };
    await fixture.connect();
    fixture.clock.time += 10_000 * hourMs;
    expect(await tokens().accessToken(account)).toBe('secret-access-endless');
  });

  it.each([5, 1, 0, -600])('renews it %d minutes before its end and stores the new one', async (minutes) => {
    minutesBeforeTheEnd(minutes);
    expect(await tokens().accessToken(account)).toBe('secret-access-new');
    expect(await tokens().accessToken(account)).toBe('secret-access-new');
    expect(fixture.authorization.asked).toEqual(['refresh secret-refresh-old']);
    expect(await stored()).toMatchObject({ version: 2 });
    expect(await stored()).not.toHaveProperty('refreshLeaseUntil');
    expect(await fixture.dump()).not.toContain('secret-');
  });

  it('renews what another worker has not: the item that was read may be out of date', async () => {
    const read = await stored();
    minutesBeforeTheEnd(1);
    await tokens().accessToken(account, read);
    expect(await tokens().accessToken(account, read)).toBe('secret-access-new');
    expect(fixture.authorization.asked).toHaveLength(1);
  });

  it.each([
    ['is over', 0, ['secret-access-new']],
    ['is about to end', 1, ['secret-access-new']],
    ['is still good', 4, ['secret-access-new', 'secret-access-old']],
  ])('refreshes once where ten ask at once and the present one %s', async (_when, minutes, allowed) => {
    minutesBeforeTheEnd(minutes);
    fixture.authorization.answers.refresh = async () => {
      await delay(20);
      return tokenSet('new', fixture.clock.time);
    };
    const given = await Promise.all(Array.from({ length: 10 }, () => tokens().accessToken(account)));
    expect(fixture.authorization.asked).toEqual(['refresh secret-refresh-old']);
    expect([...new Set(given)].filter((token) => !allowed.includes(token))).toEqual([]);
    expect(await stored()).toMatchObject({ version: 2 });
  });

  it.each<Remedy>(['retry', 'unknown', 'rejected'])(
    'changes nothing where the refresh fails with %s, and says that it may be tried again',
    async (remedy) => {
      minutesBeforeTheEnd(1);
      fixture.authorization.answers.refresh = failing(remedy);
      const before = await fixture.items();
      await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy: 'retry' });
      expect(await fixture.items()).toEqual(before);
      fixture.authorization.answers.refresh = async () => tokenSet('new', fixture.clock.time);
      expect(await tokens().accessToken(account)).toBe('secret-access-new');
    },
  );

  it.each<Remedy>(['reauthorise', 'restricted'])('passes on that the account is %s', async (remedy) => {
    minutesBeforeTheEnd(1);
    fixture.authorization.answers.refresh = failing(remedy);
    await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy });
  });

  it.each<Remedy>(['retry', 'reauthorise'])(
    'uses up what is good when its refresh fails with %s',
    async (remedy) => {
      minutesBeforeTheEnd(4);
      fixture.authorization.answers.refresh = failing(remedy);
      expect(await tokens().accessToken(account)).toBe('secret-access-old');
    },
  );

  it('takes over from a worker that died, once its lease is over', async () => {
    minutesBeforeTheEnd(1);
    fixture.authorization.answers.refresh = () => new Promise(() => {});
    void tokens().accessToken(account);
    await expect.poll(() => fixture.authorization.asked).toHaveLength(1);
    await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy: 'retry' });
    fixture.clock.time += minuteMs;
    fixture.authorization.answers.refresh = async () => tokenSet('new', fixture.clock.time);
    expect(await tokens().accessToken(account)).toBe('secret-access-new');
  });

  it('leaves alone what was connected again during the refresh', async () => {
    minutesBeforeTheEnd(1);
    fixture.authorization.answers.refresh = async () => {
      fixture.authorization.answers.exchange = async () => [
        connectable('old', fixture.clock.time, { tokens: tokenSet('again', fixture.clock.time) }),
      ];
      await fixture.connect();
      return tokenSet('new', fixture.clock.time);
    };
    expect(await tokens().accessToken(account)).toBe('secret-access-again');
    expect(await tokens().accessToken(account)).toBe('secret-access-again');
  });

  it('asks to connect again where the account is disconnected', async () => {
    await disconnectAccount({ ...fixture.context(), sleep: () => new Promise(() => {}) }, account.id);
    await expect(tokens().accessToken(account)).rejects.toMatchObject({ remedy: 'reauthorise' });
    expect(await tokens().renewToken(account)).toBe(false);
  });
});

describe('renewing a token that the platform refused', () => {
  it('gets a new one though the present one is not over', async () => {
    fixture.clock.time += 10 * minuteMs;
    expect(await tokens().renewToken(account)).toBe(true);
    expect(await tokens().accessToken(account)).toBe('secret-access-new');
  });

  it('is no use within a minute of getting it', async () => {
    fixture.clock.time += minuteMs - secondMs;
    expect(await tokens().renewToken(account)).toBe(false);
    expect(fixture.authorization.asked).toEqual([]);
  });

  it('is no use before the platform’s minimum age', async () => {
    Object.assign(fixture.authorization.renewal, { minimumAgeSeconds: 86_400 });
    fixture.clock.time += 23 * hourMs;
    expect(await tokens().renewToken(account)).toBe(false);
    fixture.clock.time += hourMs;
    expect(await tokens().renewToken(account)).toBe(true);
  });

  it('is not needed where another worker has done it since the token was read', async () => {
    const read = await stored();
    fixture.clock.time += 10 * minuteMs;
    await tokens().renewToken(account);
    expect(await tokens().renewToken(account, read)).toBe(true);
    expect(fixture.authorization.asked).toHaveLength(1);
  });

  it('is refused where only the owner can help', async () => {
    fixture.clock.time += 10 * minuteMs;
    fixture.authorization.answers.refresh = failing('reauthorise');
    expect(await tokens().renewToken(account)).toBe(false);
  });

  it('changes nothing where the refresh fails for now', async () => {
    fixture.clock.time += 10 * minuteMs;
    fixture.authorization.answers.refresh = failing('unknown');
    const before = await fixture.items();
    await expect(tokens().renewToken(account)).rejects.toMatchObject({ remedy: 'retry' });
    expect(await fixture.items()).toEqual(before);
  });
});

describe('an account’s status', () => {
  const mark = (status: 'expired' | 'error', reason: string, of = account) =>
    markAccount(fixture.context().table, of, status, reason);

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
    fixture.clock.time += minuteMs;
    await fixture.connect();
    expect(await mark('expired', 'of the old token')).toBe(false);
    expect(await current()).toMatchObject({ status: 'ok', statusMessage: null });
  });

  it.each([
    ['expired', 'ok'],
    ['error', 'ok'],
  ] as const)('after a refresh that works: %s becomes %s', async (before, after) => {
    await mark(before, 'a reason');
    fixture.clock.time += 10 * minuteMs;
    const marked = await current();
    if (!marked) throw new Error('the account is gone');
    await tokens().renewToken(marked);
    expect(await current()).toMatchObject({ status: after });
  });

  it('of a disconnected account stays', async () => {
    await disconnectAccount({ ...fixture.context(), sleep: () => new Promise(() => {}) }, account.id);
    expect(await mark('expired', 'revoked')).toBe(false);
  });
});
